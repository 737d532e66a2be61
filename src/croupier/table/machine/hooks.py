"""The points of the procedure at which a part may have its say; most tables have no such part.

A general module asks a hook and names no part. A part joins the hooks that it has something to say
to, and says nothing where no rule of the law asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Final, Generic, ParamSpec, TypeVar

from croupier.rules import Award, TableRules
from croupier.table.machine.core import Action, Events, Refusal
from croupier.table.machine.state import RoundState, TableState

P = ParamSpec("P")
T = TypeVar("T")


class First(Generic[P, T]):
    """A question that the first part answers which has an answer: a refusal, a seat."""

    def __init__(self) -> None:
        self._parts: list[Callable[P, T | None]] = []
        self.ask: Callable[P, T | None] = self._first

    def join(self, function: Callable[P, T | None]) -> Callable[P, T | None]:
        """Have a function of a part asked, after those that joined before it."""
        self._parts.append(function)
        # One part alone is asked directly: a round asks some twenty times, and mostly one part.
        self.ask = function if len(self._parts) == 1 else self._first
        return function

    def _first(self, *args: P.args, **kwargs: P.kwargs) -> T | None:
        for part in self._parts:
            if (answer := part(*args, **kwargs)) is not None:
                return answer
        return None


class Every(Generic[P]):
    """A moment at which each part may bring about events of its own."""

    def __init__(self) -> None:
        self._parts: list[Callable[P, Events]] = []
        self.ask: Callable[P, Events] = self._every

    def join(self, function: Callable[P, Events]) -> Callable[P, Events]:
        """Have a function of a part asked, after those that joined before it."""
        self._parts.append(function)
        self.ask = function if len(self._parts) == 1 else self._every
        return function

    def _every(self, *args: P.args, **kwargs: P.kwargs) -> Events:
        return tuple(event for part in self._parts for event in part(*args, **kwargs))


# --- why something has to wait ---

before_opening: Final = First[[TableState, date, TableRules], Refusal]()
"""Why the table does not open on a gaming day."""
before_receipt: Final = First[[TableState, "str | None", TableRules], Refusal]()
"""Why decks of a name are not received; whether any can be, where the name is ``None``."""
cards_worn_out: Final = First[[TableState, TableRules], Refusal]()
"""Why nothing more is dealt from the cards in use, and they are not shuffled again."""
before_card: Final = First[[TableState, TableRules], Refusal]()
"""Why no card is dealt to a hand yet."""
before_wagers: Final = First[[TableState, TableRules, Iterable[str]], Refusal]()
"""Why wagers cannot be placed yet, by their ids."""
before_round: Final = First[[TableState, TableRules], Refusal]()
before_clearing: Final = First[[TableState, TableRules], Refusal]()
settings_fixed: Final = First[[str], str]()
"""Why a rule is not elected otherwise in the record of a table."""

before_leaving: Final = First[[TableState, int, TableRules], Refusal]()
"""Why a patron neither leaves nor changes seats yet."""

# --- what happens besides ---

play_opens: Final = Every[[TableState, TableRules]]()
"""The table opens for wagers, or somebody sits down at it."""
on_leaving: Final = Every[[TableState, int, TableRules]]()
"""The patron of a seat leaves."""
round_begun: Final = Every[[TableRules]]()
"""No more bets has been called."""
before_third_cards: Final = Every[[TableState, TableRules]]()
"""The first four cards lie face up: what there is to do goes before any third card."""
before_settlement: Final = Every[[TableState, TableRules]]()
award_paid: Final = Every[[Award, TableRules]]()
round_over: Final = Every[[TableState, RoundState, TableRules]]()
"""The layout is clear."""

passed_over: Final = First[[TableState, int, TableRules], "Events | Refusal"]()
"""A participant does not answer what a part has offered; nothing where it offers nothing."""

# --- who, and how much ---

seat_that_deals: Final = First[[TableState], int]()
"""The seat that deals instead of the dealer."""
first_to_cut: Final = First[[TableState, TableRules], int]()
"""The seat to which the cut is offered first, where it is not the highest one."""
meters_shown: Final = First[[TableState], Mapping[str, int]]()
"""What the meters show from which awards are paid, in cents."""
instead_of_collecting: Final = First[[TableRules], Action]()
"""What may be done about vigorish owed that is not collected."""
