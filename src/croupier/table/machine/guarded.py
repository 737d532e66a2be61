"""Functions of mechanisms, which act only at tables whose law names the mechanism."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

from croupier import acts
from croupier.law.cite import Refusal
from croupier.law.mechanisms import MechanismError, owner_of
from croupier.rules import TableRules
from croupier.table.machine.state import TableState

Function = TypeVar("Function", bound=Callable[..., Any])


def guarded(
    function: Function, fits: Callable[[Any], bool], otherwise: Callable[..., Any]
) -> Function:
    """Return a function that answers for a mechanism only where its law is in force.

    Elsewhere the answer is ``otherwise(*args)``. All other functions are returned unchanged.
    """
    owner = owner_of(function)
    if not owner:
        return function
    safe = checked(function, fits)

    @wraps(function)
    def answer(*args: Any) -> Any:
        return safe(*args) if any(_in_use(owner, one) for one in args) else otherwise(*args)

    return answer  # type: ignore[return-value]


def checked(function: Function, fits: Callable[[Any], bool]) -> Function:
    """Return a function of a mechanism that raises ``MechanismError`` if it fails.

    It fails by an exception, or by an answer that does not fit. All other functions are returned
    unchanged.
    """
    owner = owner_of(function)
    if not owner:
        return function

    @wraps(function)
    def answer(*args: Any) -> Any:
        try:
            found = function(*args)
            if isinstance(found, (Iterator, list)):
                # A generator would fail outside the guard.
                found = tuple(found)
        except (Exception, SystemExit) as error:
            raise _failed(owner, function, f"{type(error).__name__}: {error}") from error
        if not fits(found):
            raise _failed(owner, function, f"it returned {found!r}")
        return found

    return answer  # type: ignore[return-value]


def _in_use(owner: str, one: object) -> bool:
    if isinstance(one, TableRules):
        return owner in one.law.mechanisms
    # An evolver is given no rules: the slice of a mechanism exists at its own tables.
    return isinstance(one, TableState) and any(owner == owner_of(kind) for kind in one.slices)


def _failed(owner: str, function: Callable[..., Any], why: str) -> MechanismError:
    return MechanismError(f"mechanism {owner}: {function.__name__} failed: {why}")


def no_answer(*_: object) -> None:
    """Answer for a mechanism that is not in use."""


def are_events(answer: object) -> bool:
    return isinstance(answer, tuple) and all(isinstance(one, acts.Event) for one in answer)


def are_postings(answer: object) -> bool:
    return isinstance(answer, tuple) and all(
        isinstance(one, tuple) and [*map(type, one)] == [str, str, int] and one[2] >= 0
        for one in answer
    )


def is_decision(answer: object) -> bool:
    return isinstance(answer, Refusal) or are_events(answer)


def is_state(answer: object) -> bool:
    return isinstance(answer, TableState)
