"""Citations: the functions that implement each rule, refusals, and lines of narration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from msgspec import Struct

from croupier.law.sight import Sight

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


Clauses = Annotated[tuple[str, ...], Sight.OPEN]


class Refusal(Struct, frozen=True):
    """Why a command changes nothing: a code for programs, clauses, and a message for people."""

    code: str
    clauses: Clauses
    message: str

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return self.message + law


class NarrationLine(Struct, frozen=True):
    """A line of narration (act, spoken, card, ruling, money), with a detail for each seat."""

    kind: str
    text: str
    clauses: Clauses
    details: tuple[str, ...] = ()
