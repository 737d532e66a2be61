"""What tests of the streak wager share: rules under elections, and a table driven by letters.

A round is told by letters for each seat: W a hand won, L lost, P a push, U unfinished; several
letters are split hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from croupier.blackjack import streak
from croupier.blackjack.acts import (
    DealFirstCard,
    HandOutcome,
    PlaceBlackjackWager,
    PlaceStreakWagers,
    RoundOutcome,
    SeatOutcome,
    SettleRound,
    WagerEvent,
)
from croupier.law.cite import Refusal
from croupier.rules import TableLayout, TableRules, default_submission, table_rules
from support.texts import NJ_BLACKJACK

LAW: Final = "us-nj/blackjack-wagers"
HANDS: Final = {
    "W": HandOutcome.WIN,
    "L": HandOutcome.LOSE,
    "P": HandOutcome.PUSH,
    "U": HandOutcome.UNFINISHED,
}
LENGTHS: Final = (2, 3, 4, 5)


def rules_of(layout: TableLayout | None = None, **elections: Any) -> TableRules:
    """Rules of the plain table, which offers the streak wager; ``__`` stands for a dot."""
    submission = default_submission(LAW, NJ_BLACKJACK, **elections)
    return table_rules(replace(submission, layout=layout or submission.layout))


def outcome(*, natural: bool = False, **seats: str) -> RoundOutcome:
    """A round by seats: ``outcome(s1="W", s3="WL")``."""
    return outcome_of(seats, natural=natural)


def outcome_of(seats: Mapping[str, str], *, natural: bool = False) -> RoundOutcome:
    """The same from a mapping."""
    told = tuple(
        SeatOutcome(int(name[1:]), tuple(HANDS[letter] for letter in letters))
        for name, letters in seats.items()
    )
    return RoundOutcome(told, natural)


class StreakTable:
    """A table that keeps its state, and every event of it."""

    def __init__(self, rules: TableRules | None = None) -> None:
        self.rules = rules or rules_of()
        self.state = streak.StreakState()
        self.events: list[WagerEvent] = []

    def execute(self, command: object) -> tuple[WagerEvent, ...]:
        """Carry out a command that must not be refused, and return its events."""
        answer = streak.decide(self.state, command, self.rules)
        assert not isinstance(answer, Refusal), f"{command}: {answer}"
        for event in answer:
            self.state = streak.evolve(self.state, event)
        self.events += answer
        return answer

    def refused(self, command: object, code: str) -> Refusal:
        """Ask for a command that must be refused with that code and change nothing."""
        before = self.state
        answer = streak.decide(self.state, command, self.rules)
        assert isinstance(answer, Refusal), f"{command} was carried out: {answer}"
        assert answer.code == code, answer
        assert self.state is before
        return answer

    def bet(self, *seats: int, **stakes: Mapping[int, int]) -> None:
        """Place blackjack wagers, and streak wagers beside some: ``bet(1, 3, s3={2: 500})``."""
        for seat in seats:
            self.execute(PlaceBlackjackWager(seat))
        for name, lengths in stakes.items():
            self.execute(PlaceStreakWagers(int(name[1:]), lengths))

    def deal(self, *, natural: bool = False, **seats: str) -> tuple[WagerEvent, ...]:
        """Deal and settle the round that has been wagered on."""
        return self.settle(outcome_of(seats, natural=natural))

    def settle(self, told: RoundOutcome) -> tuple[WagerEvent, ...]:
        """Deal the round that has been wagered on, and settle it as it is told."""
        self.execute(DealFirstCard())
        return self.execute(SettleRound(told))

    def round(self, **seats: str) -> tuple[WagerEvent, ...]:
        """Play a whole round without new streak wagers."""
        self.bet(*(int(name[1:]) for name in seats))
        return self.settle(outcome_of(seats))


def seat_one(stakes: Mapping[int, int], *rounds: str, rules: TableRules | None = None) -> Any:
    """Play rounds of seat 1 with streak wagers on the first; return the table and the last events."""
    table = StreakTable(rules)
    table.bet(1, s1=stakes)
    first, *others = rounds
    events = table.deal(s1=first)
    for hands in others:
        events = table.round(s1=hands)
    return table, events
