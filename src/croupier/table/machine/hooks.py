"""Hooks: points of the procedure that a part of one regulation can join."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Final, Generic, ParamSpec, TypeVar, get_args, get_origin

from croupier.rules import Award, TableRules
from croupier.table.machine.core import (
    Action,
    Events,
    Refusal,
    are_events,
    guarded,
    is_decision,
    no_answer,
)
from croupier.table.machine.state import RoundState, TableState

P = ParamSpec("P")
T = TypeVar("T")


class First(Generic[P, T]):
    """A hook answered by the first part that has an answer."""

    def __init__(self) -> None:
        self._parts: list[Callable[P, T | None]] = []
        self.ask: Callable[P, T | None] = self._first

    def join(self, function: Callable[P, T | None]) -> Callable[P, T | None]:
        """Register a function, called last."""
        function = guarded(function, self._fits, no_answer)
        self._parts.append(function)
        # A single part is called directly: a round calls some twenty hooks, mostly with one part.
        self.ask = function if len(self._parts) == 1 else self._first
        return function

    def _fits(self, answer: object) -> bool:
        annotation = get_args(vars(self)["__orig_class__"])[1]
        kind = get_origin(annotation) or annotation
        is_valid = isinstance(answer, kind) if isinstance(kind, type) else is_decision(answer)
        return answer is None or is_valid

    def _first(self, *args: P.args, **kwargs: P.kwargs) -> T | None:
        for part in self._parts:
            if (answer := part(*args, **kwargs)) is not None:
                return answer
        return None


class Every(Generic[P]):
    """A hook at which each part may add events."""

    def __init__(self) -> None:
        self._parts: list[Callable[P, Events]] = []
        self.ask: Callable[P, Events] = self._every

    def join(self, function: Callable[P, Events]) -> Callable[P, Events]:
        """Register a function, called last."""
        function = guarded(function, are_events, lambda *_: ())
        self._parts.append(function)
        self.ask = function if len(self._parts) == 1 else self._every
        return function

    def _every(self, *args: P.args, **kwargs: P.kwargs) -> Events:
        return tuple(event for part in self._parts for event in part(*args, **kwargs))


# --- why something has to wait ---

before_opening: Final = First[[TableState, date, TableRules], Refusal]()
"""Why the table cannot open on a gaming day."""
before_receipt: Final = First[[TableState, "str | None", TableRules], Refusal]()
"""Why decks of a name cannot be received; for ``None``, whether any can."""
cards_worn_out: Final = First[[TableState, TableRules], Refusal]()
"""Why the cards in use can be neither dealt nor shuffled."""
before_card: Final = First[[TableState, TableRules], Refusal]()
"""Why no card can be dealt to a hand yet."""
before_wagers: Final = First[[TableState, TableRules, Iterable[str]], Refusal]()
"""Why wagers cannot be placed yet, by id."""
before_round: Final = First[[TableState, TableRules], Refusal]()
before_clearing: Final = First[[TableState, TableRules], Refusal]()
before_hand_pay: Final = First[[TableState, int, TableRules], Refusal]()
"""Why an award due by hand cannot be paid yet, by number."""
settings_fixed: Final = First[[TableState, str, TableRules], Refusal]()
"""Why a rule cannot be elected differently now."""

draw_to_come: Final = First[[TableState, int, TableRules], Refusal]()
"""Why a seat that takes part in a draw cannot change hands yet."""

# --- what happens besides ---

play_opens: Final = Every[[TableState, TableRules]]()
"""The table opens for wagers, or a patron sits down at it."""
on_opening: Final = Every[[TableState, TableRules]]()
on_leaving: Final = Every[[TableState, int, TableRules]]()
round_begun: Final = Every[[TableRules]]()
"""No More Bets has been called."""
before_third_cards: Final = Every[[TableState, TableRules]]()
"""The first four cards are face up: acts before any third card."""
before_settlement: Final = Every[[TableState, TableRules]]()
award_paid: Final = Every[[Award, TableRules]]()
round_over: Final = Every[[TableState, RoundState, TableRules]]()

passed_over: Final = First[[TableState, int, TableRules], "Events | Refusal"]()
"""A participant does not answer a part's offer."""

# --- who, and how much ---

seat_that_deals: Final = First[[TableState], int]()
"""The seat that deals instead of the dealer."""
first_to_cut: Final = First[[TableState, TableRules], int]()
"""The seat to which the cut is offered first, if not the highest."""
meters_shown: Final = First[[TableState], Mapping[str, int]]()
"""Meter readings from which awards are paid, in cents."""
due_by_hand: Final = First[[TableState, TableRules], tuple[str, ...]]()
"""Under what an award of a meter is due by hand, whatever its amount."""
settled_early: Final = First[[TableState], bool]()
"""Whether wagers of the round in play were settled on its first four cards."""
meters_corrected: Final = First[
    [TableState, int, Any, Mapping[str, int], TableRules], "Events | Refusal"
]()
"""What a round that is settled again does to meters.

Asked with the entry of the round, both settlements, and the entries at which meters were awarded.
"""
instead_of_collecting: Final = First[[TableRules], Action]()
"""Acts available for outstanding vigorish that is not collected."""
