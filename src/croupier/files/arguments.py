"""Arguments of public functions, checked by their annotations."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, wraps
from itertools import chain, repeat
from types import UnionType
from typing import Any, Final, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from croupier.files.errors import CALLED_IN_PYTHON

Checked = TypeVar("Checked", bound=Callable[..., Any])

_WANTED: Final = {
    "after": "the number of an entry",
    "clock": "a function that returns a time",
    "elections": "values by rule id, as a mapping",
    "listener": "a function",
    "meters": "the amounts in cents by meter, as a mapping",
    "patrons": "chips in cents by seat, as a mapping",
    "record": "a path, or what open_store returns",
    "rules": "what load_rules returns",
    "shoe": "a number of decks, or counts by rank or card",
    "tables": "the tables of a submission, as a mapping",
}
_READ_LATER: Final = {"Cards | Hands", "Rounds", "Wagers"}
"""Annotations of arguments with so many forms that their readers report a wrong type."""


def checks_types(function: Checked) -> Checked:
    """Have a function, or a class's public methods, check the types of arguments before all else.

    A wrong one raises ``TypeError``, which has the function, the argument, and what to give.
    Messages of other errors name arguments, not options of commands.
    """
    if inspect.isclass(function):
        for name, method in dict(vars(function)).items():
            if inspect.isfunction(method) and not name.startswith("_"):
                setattr(function, name, checks_types(method))
        return function
    parameters, kinds = inspect.signature(function).parameters, cache(lambda: _kinds(function))
    placed = [name for name, about in parameters.items() if about.kind <= about.VAR_POSITIONAL]

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        names = chain(placed, repeat(placed[-1]))
        for name, value in chain(zip(names, args, strict=False), kwargs.items()):
            if not isinstance(value, kinds().get(name, object)):
                kind = type(value).__name__
                wanted_types = _WANTED.get(name, function.__annotations__[name])
                raise TypeError(f"{function.__name__}: {name} is a {kind}: give {wanted_types}")
        token = CALLED_IN_PYTHON.set(True)
        try:
            return function(*args, **kwargs)
        finally:
            CALLED_IN_PYTHON.reset(token)

    return cast("Checked", checked)


def _kinds(function: Callable[..., Any]) -> dict[str, tuple[type, ...]]:
    kinds = {}
    for name, hint in get_type_hints(function).items():
        parts = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
        if Any not in parts and function.__annotations__[name] not in _READ_LATER:
            kinds[name] = tuple(get_origin(part) or part for part in parts)
    return kinds
