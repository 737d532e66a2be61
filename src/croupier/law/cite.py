"""Register of the functions that implement each rule, filled by ``@cites``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_CARRIED: dict[str, list[str]] = {}


def register_implementation(rule_id: str, function: Callable[..., Any]) -> None:
    """Register a function that cannot import ``law`` itself."""
    name = f"{function.__module__.removeprefix('croupier.')}.{function.__qualname__}"
    functions = _CARRIED.setdefault(rule_id, [])
    if name not in functions:
        functions.append(name)


def cites(*rule_ids: str) -> Callable[[Function], Function]:
    """Mark a function as the implementation of these rules.

    >>> @cites("example.rule")
    ... def carry_out() -> None: ...
    >>> [name.rpartition(".")[2] for name in cited_rules()["example.rule"]]
    ['carry_out']
    """

    def mark(function: Function) -> Function:
        for rule_id in rule_ids:
            register_implementation(rule_id, function)
        return function

    return mark


def cited_rules() -> Mapping[str, tuple[str, ...]]:
    """Return the implementations of each rule from all modules imported so far."""
    return {rule_id: tuple(functions) for rule_id, functions in _CARRIED.items()}


@lru_cache(maxsize=4096)
def once(*groups: tuple[str, ...]) -> tuple[str, ...]:
    """Clauses of several groups in order, without duplicates.

    >>> once(("7.5(e)", "7.5(f)"), ("7.5(e)",))
    ('7.5(e)', '7.5(f)')
    """
    return tuple(dict.fromkeys(clause for group in groups for clause in group))
