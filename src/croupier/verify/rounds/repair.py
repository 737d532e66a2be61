"""Repair of rounds: expected results and settlements; cards stay as recorded."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.baccarat.coup import Facts
from croupier.money.settlement import Settled
from croupier.records.rounds.record import RoundRecord, Unreadable, WagerRecord
from croupier.records.rounds.rewriting import RowCorrection
from croupier.verify.rounds.findings import RoundDivergence, VerifiedRound
from croupier.verify.rounds.wagers import net_of

if TYPE_CHECKING:
    from croupier.verify.rounds import documents

REPAIRED: Final = frozenset({"totals", "winner", "settlement", "vigorish"})
"""Kinds of divergence that a repair corrects if the round can be verified."""


def corrected(verified: VerifiedRound) -> RoundRecord:
    """Correct the record of a round; missing fields stay missing."""
    record, facts = verified.record, verified.facts
    if record.marked("void"):
        wagers = tuple(map(_given_back, record.wagers))
        right = replace(record, winner=None, wagers=wagers)
        return record if right == record else right
    wagers = tuple(
        wager if settled is None else _settled_right(wager, settled)
        for wager, settled in zip(record.wagers, verified.settled, strict=True)
    )
    if facts is None:
        return record if wagers == record.wagers else replace(record, wagers=wagers)
    right = replace(record, wagers=wagers, **_result(record, facts))
    return record if right == record else right


def _result(record: RoundRecord, facts: Facts) -> dict[str, Any]:
    winner = facts.winner_name
    results = {
        "winner": (record.winner, winner),
        "player_total": (record.player_total, facts.player_count),
        "banker_total": (record.banker_total, facts.banker_count),
    }
    return {name: right for name, (found, right) in results.items() if found is not None}


def _given_back(record: WagerRecord) -> WagerRecord:
    return replace(
        record,
        net_cents=None if record.net_cents is None else 0,
        paid_cents=None if record.paid_cents is None else 0,
        vigorish_cents=None if record.vigorish_cents is None else 0,
        broken={},
    )


def _settled_right(one: WagerRecord, settled: Settled) -> WagerRecord:
    paid = one.paid_cents
    won, vigorish = settled.won_cents, settled.vigorish_cents
    due = net_of(settled) + (vigorish if one.is_gross else 0)
    if paid is not None and one.deducted:
        paid = won - vigorish
    elif paid is not None and (
        (one.vigorish_cents, one.deducted) != (None, None) or paid not in {won - vigorish, due}
    ):
        paid = won
    return replace(
        one,
        net_cents=None if one.net_cents is None else due,
        paid_cents=paid,
        vigorish_cents=None if one.vigorish_cents is None else vigorish,
        broken={},
    )


class Repair(Struct):
    rounds: int = 0

    wagers: int = 0

    left: Counter[str] = field(default_factory=Counter)
    """Number of wrong results and settlements left, by reason."""

    def add(self, verified: VerifiedRound, rows: Iterable[RoundRecord]) -> Iterator[RowCorrection]:
        for found in verified.divergences:
            if found.kind in REPAIRED and (why := _why_left(verified, found)):
                self.left[why] += 1
        changed, at = 0, 0
        record = verified.record
        for row in rows:
            if (row.player, row.banker) not in {(record.player, record.banker), ((), ())}:
                continue  # A row with other cards was taken for none of the round.
            if row.marked("replaced") or row.marked("void") != record.marked("void"):
                continue
            settled = verified.settled[at : at + len(row.wagers)]
            at += len(row.wagers)
            right = corrected(VerifiedRound(row, verified.facts, settled))
            if right is row:
                continue
            changed += 1
            self.wagers += sum(
                one != other for one, other in zip(row.wagers, right.wagers, strict=True)
            )
            yield RowCorrection(row, right)
        self.rounds += changed > 0

    def as_data(self, by_kind: Mapping[str, int]) -> documents.Repair:
        left = self.left.copy()
        for kind, why in _STANDS.items():
            left[why] += by_kind.get(kind, 0)
        return {"rounds": self.rounds, "wagers": self.wagers, "left": {**(+left)}}


class RowSource:
    def __init__(self, rounds: Iterable[RoundRecord | Unreadable]) -> None:
        self._rounds: Final = rounds
        self._read: deque[RoundRecord] = deque()

    def __iter__(self) -> Iterator[RoundRecord | Unreadable]:
        for item in self._rounds:
            if isinstance(item, RoundRecord):
                self._read.append(item)
            yield item

    def before(self, line: int | None) -> Iterator[RoundRecord]:
        """Yield and release the rows before a line, or all."""
        while self._read and (line is None or self._read[0].line < line):
            yield self._read.popleft()


def with_rows(
    verified: Iterable[VerifiedRound], rows: RowSource
) -> Iterator[tuple[VerifiedRound, list[RoundRecord]]]:
    held: VerifiedRound | None = None
    for verified_round in verified:
        if held is not None:
            yield held, list(rows.before(verified_round.record.line))
        held = verified_round
    if held is not None:
        yield held, list(rows.before(None))


_STANDS: Final = {
    "third_card": "cards are left as dealt; the round is settled on the required cards",
    "cards": "a hand with too few or too many cards is left as dealt",
    "composition": "cards that the shoe cannot contain are left as recorded",
    "offer": "the rules do not define the settlement of a wager that the table does not offer",
    "limit": "a stake is left as placed and settled",
    "procedure": "procedure is left as recorded",
    "format": "a line that cannot be read is copied unchanged",
}
"""Why divergences of each other kind are left."""


def _why_left(verified: VerifiedRound, found: RoundDivergence) -> str | None:
    if verified.record.marked("void"):
        return None
    if found.wager is None:
        return (
            None if verified.facts else "the result of a round is not known while a card is missing"
        )
    for wager, settled in zip(verified.record.wagers, verified.settled, strict=True):
        if (wager.seat, wager.wager) == (found.seat, found.wager) and settled is not None:
            return None
    return "a wager that cannot be settled from the record"
