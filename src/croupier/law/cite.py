"""Which function carries out which rule: the register that ``@cites`` fills.

Functions cite *rules*, whose ids are the same under every law; the law file says which clauses
each rule stands on. So no function above ``law`` knows which state it is in, and coverage still
leads from a clause to the code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_CARRIED: dict[str, list[str]] = {}


def register_implementation(rule_id: str, function: Callable[..., Any]) -> None:
    """Note that a function carries out a rule: for functions that know no law themselves."""
    name = f"{function.__module__.removeprefix('croupier.')}.{function.__qualname__}"
    functions = _CARRIED.setdefault(rule_id, [])
    if name not in functions:
        functions.append(name)


def cites(*rule_ids: str) -> Callable[[Function], Function]:
    """Mark a function as what carries out these rules.

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
    """Return the functions that carry out each rule, by rule id, of all modules imported so far."""
    return {rule_id: tuple(functions) for rule_id, functions in _CARRIED.items()}


@lru_cache(maxsize=4096)
def once(*groups: tuple[str, ...]) -> tuple[str, ...]:
    """Return the clauses of several groups, each once, in their order.

    >>> once(("7.5(e)", "7.5(f)"), ("7.5(e)",))
    ('7.5(e)', '7.5(f)')
    """
    return tuple(dict.fromkeys(clause for group in groups for clause in group))
