"""Places in the table's code that refuse commands."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from threading import Thread
from types import FrameType, ModuleType
from typing import Final, NamedTuple

from croupier import table
from croupier.acts import Command
from croupier.rules import TableRules
from croupier.table import Refusal, TableState, decide, parts, pit

OF_A_PIT: Final = frozenset({"pit", "notice"})
"""Modules of a pit of several tables, which commands to one table do not reach."""

_OF_THE_HOUSE: Final = frozenset({
    "correcting", "disputes", "duty", "equipment", "floor", "hand_pay", "house", "meters",
    "offices", "pausing", "position", "seats", "retired_decks", "settled_again", "tray",
})  # fmt: skip
"""Modules of acts outside the regulations, which implementations need not support."""

WRONG_TIME: Final = "core.not_now: not_now"
"""The place that refuses every command in a wrong phase."""


def is_of_house(module: str) -> bool:
    """Whether a module, command, or event is outside the regulations."""
    return module.rpartition(".")[2] in _OF_THE_HOUSE


class Site(NamedTuple):
    """A place in the code that refuses.

    ``name`` is its module, function, and code, numbered if repeated. ``code`` is empty if the
    refusal is passed on.
    """

    name: str
    module: str
    code: str
    first_line: int
    last_line: int


@lru_cache(maxsize=1)
def sites() -> tuple[Site, ...]:
    """Return every place that refuses under a regulation, by module and line.

    >>> next(site.name for site in sites() if site.code == "not_hit")
    'progressive._end: not_hit'
    """
    return tuple(site for module in _modules() for site in _sites_of(module))


@lru_cache(maxsize=1)
def _by_module() -> Mapping[str, list[Site]]:
    sites_found: dict[str, list[Site]] = {}
    for site in sites():
        sites_found.setdefault(site.module, []).append(site)
    return sites_found


def _modules() -> Iterator[ModuleType]:
    prefixes = (f"{parts.__name__}.", f"{pit.__name__}.")
    names = {
        package.name.rpartition(".")[2]: package.name
        for package in pkgutil.walk_packages(table.__path__, f"{table.__name__}.")
        if not package.ispkg and not package.name.startswith(prefixes)
    }
    yield from (import_module(names[name]) for name in sorted(names.keys() - _OF_THE_HOUSE))
    for module in pkgutil.iter_modules(parts.__path__):
        if module.name not in _OF_THE_HOUSE:
            yield import_module(f"{parts.__name__}.{module.name}")
    # All modules of a pit are one subject.
    for module in pkgutil.iter_modules(pit.__path__):
        yield import_module(f"{pit.__name__}.{module.name}")


def _sites_of(module: ModuleType) -> Iterator[Site]:
    of_pit = module.__name__.startswith(f"{pit.__name__}.")
    short = "pit" if of_pit else module.__name__.rpartition(".")[2]
    try:
        tree = ast.parse(inspect.getsource(module))
    except OSError as error:
        message = f"{module.__name__} has no source here, and places that refuse are read from it"
        raise OSError(message) from error
    numbers: Counter[str] = Counter()
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        calls = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == Refusal.__name__
        ]
        for call in sorted(calls, key=lambda node: node.lineno):
            argument = call.args[0]
            code = str(argument.value) if isinstance(argument, ast.Constant) else ""
            name = f"{short}.{function.name}: {code or 'any'}"
            numbers[name] += 1
            number = f" ({numbers[name]})" if numbers[name] > 1 else ""
            yield Site(f"{name}{number}", short, code, call.lineno, call.end_lineno or call.lineno)


def refused_at(state: TableState, command: Command, rules: TableRules) -> str:
    """Name of the place that refuses a command. Raises ``LookupError``."""
    frames: list[tuple[str, int]] = []
    refusals: list[Refusal] = []

    def hear(frame: FrameType, event: str, value: object) -> None:
        if event != "return" or not isinstance(value, Refusal):
            return
        # The function that makes a refusal is the first to return it.
        if not any(value is refusal for refusal in refusals):
            refusals.append(value)
            frames.append((str(frame.f_globals["__name__"]), frame.f_lineno))

    def ask() -> None:
        sys.setprofile(hear)
        try:
            decide(state, command, rules)
        finally:
            sys.setprofile(None)

    if sys.getprofile() is None:
        ask()
    else:
        asking = Thread(target=ask)
        asking.start()
        asking.join()
    for module, line in frames[-1:]:
        module_name = module.rpartition(".")[2]
        for site in _by_module().get(module_name, ()):
            if site.first_line <= line <= site.last_line:
                return site.name
    raise LookupError(f"{type(command).__name__} is refused at no known place: {frames}")
