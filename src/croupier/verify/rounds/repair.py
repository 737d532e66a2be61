"""What should have been: a judged round with its result and its settlements by the book.

Cards stay as they were recorded: what was dealt was dealt, and the book settles even a round in
which a card was drawn in error. A repair is of what the house made of the cards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Final

from croupier.baccarat.coup import Facts
from croupier.money.settlement import Settled
from croupier.records.rounds.amending import Amendment
from croupier.records.rounds.record import RoundRecord, WagerRecord
from croupier.verify.rounds.findings import JudgedRound
from croupier.verify.rounds.wagers import net_of

__all__ = ["REPAIRED", "Repair", "corrected"]

REPAIRED: Final = frozenset({"totals", "winner", "settlement", "vigorish"})
"""The kinds of divergence that a repair does away with where a round can be judged."""


def corrected(judged: JudgedRound) -> RoundRecord:
    """Return the record of a round as it should have been; what it does not tell stays untold."""
    record, facts = judged.record, judged.facts
    if record.marked("void"):
        wagers = tuple(map(_given_back, record.wagers))
        right = replace(record, winner=None, wagers=wagers)
        return record if right == record else right
    wagers = tuple(
        one if settled is None else _settled_right(one, settled)
        for one, settled in zip(record.wagers, judged.settled, strict=True)
    )
    if facts is None:
        return record if wagers == record.wagers else replace(record, wagers=wagers)
    right = replace(record, wagers=wagers, **_result(record, facts))
    return record if right == record else right


def _result(record: RoundRecord, facts: Facts) -> dict[str, Any]:
    winner = "tie" if facts.winner is None else facts.winner.value
    told = {
        "winner": (record.winner, winner),
        "player_total": (record.player_total, facts.player_count),
        "banker_total": (record.banker_total, facts.banker_count),
    }
    return {name: right for name, (found, right) in told.items() if found is not None}


def _given_back(one: WagerRecord) -> WagerRecord:
    """Return a wager of a void round: its stake goes back, and it brings nothing."""
    return replace(
        one,
        net_cents=None if one.net_cents is None else 0,
        paid_cents=None if one.paid_cents is None else 0,
        vigorish_cents=None if one.vigorish_cents is None else 0,
        broken={},
    )


def _settled_right(one: WagerRecord, settled: Settled) -> WagerRecord:
    due = net_of(settled)
    paid = one.paid_cents
    won, vigorish = settled.won_cents, settled.vigorish_cents
    if paid is not None and (one.vigorish_cents is not None or paid not in {won - vigorish, due}):
        paid = won
    return replace(
        one,
        net_cents=None if one.net_cents is None else due,
        paid_cents=paid,
        vigorish_cents=None if one.vigorish_cents is None else vigorish,
        broken={},
    )


@dataclass(slots=True)
class Repair:
    """What a repair changed, and what it could not."""

    rounds: int = 0
    """Rounds that were written anew."""

    wagers: int = 0
    """Wagers of them whose settlement was corrected."""

    left: Counter[str] = field(default_factory=Counter)
    """Divergences that stand, by a sentence that says why."""

    def add(self, judged: JudgedRound) -> Amendment | None:
        """Count what is done about a round; return its amendment where it needs one."""
        for found in judged.divergences:
            if why := _why_left(judged, found.kind, (found.seat, found.wager)):
                self.left[why] += 1
        right = corrected(judged)
        if right is judged.record:
            return None
        self.rounds += 1
        self.wagers += sum(
            one != other for one, other in zip(judged.record.wagers, right.wagers, strict=True)
        )
        return Amendment(judged.record, right)

    def as_data(self) -> dict[str, Any]:
        """Return what was done as the data of its JSON form."""
        return {
            "rounds": self.rounds,
            "wagers": self.wagers,
            "left": dict(sorted(self.left.items())),
        }


_WHY_LEFT: Final = {
    "third_card": "cards stand as they were dealt; the round is settled on those required",
    "cards": "cards stand as they were dealt",
    "composition": "cards stand as they were dealt",
    "offer": "the book does not say how a wager is settled that the table does not take",
    "limit": "a stake stands as it was placed, and is settled",
    "procedure": "what was done stands as it was done",
    "format": "a line that cannot be read is copied as it is",
}
"""Why a divergence of each kind stands after a repair."""


def _why_left(judged: JudgedRound, kind: str, at: tuple[int | None, str | None]) -> str | None:
    if kind not in REPAIRED:
        return _WHY_LEFT[kind]
    if judged.record.marked("void"):
        return None
    if at[1] is None:
        return "a result is not known while a card is missing" if judged.facts is None else None
    for one, settled in zip(judged.record.wagers, judged.settled, strict=True):
        if (one.seat, one.wager) == at and settled is not None:
            return None
    return "a wager that cannot be settled by what is recorded"
