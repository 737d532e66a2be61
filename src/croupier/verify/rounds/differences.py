"""Differences between recorded and expected settlements of wagers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from croupier.money.settlement import Settled
from croupier.records.rounds.record import WagerRecord
from croupier.rules import Outcome
from croupier.rules.documents import fields_of
from croupier.verify.rounds import documents
from croupier.verify.rounds.findings import VerifiedRound, plain_name
from croupier.verify.rounds.wagers import is_recorded, net_of


class WagerDifference(Struct, frozen=True):
    """One wager not settled as expected; cents are the patron's, after vigorish."""

    line: int
    shoe: str
    round: str
    seat: int | None
    wager: str
    expected_cents: int
    recorded_cents: int
    clauses: tuple[str, ...]

    @property
    def owed_cents(self) -> int:
        """Cents owed to the patron; negative if the patron was overpaid."""
        return self.expected_cents - self.recorded_cents

    @property
    def clause(self) -> str | None:
        return self.clauses[0] if self.clauses else None

    def as_data(self) -> documents.WagerDifference:
        shoe, round_ = plain_name(self.shoe), plain_name(self.round)
        return fields_of(documents.WagerDifference, self, shoe=shoe, round=round_)


def recorded_cents(record: WagerRecord, settlement: Settled) -> int | None:
    """Return the recorded net result of a wager, if any.

    A zero payment is a lost stake unless the rules return it. Vigorish not recorded is as expected.
    """
    win, vigorish_due = settlement.won_cents, settlement.vigorish_cents
    if record.net_cents is not None:
        return record.net_cents - (vigorish_due if record.is_gross else 0)
    is_apart = record.vigorish_cents is not None or record.deducted
    vigorish = record.apart_cents if is_apart else vigorish_due
    if record.paid_cents is None:
        amount = record.vigorish_cents
        return None if amount is None else net_of(settlement) + vigorish_due - amount
    if not is_apart and record.paid_cents in {win - vigorish_due, net_of(settlement)}:
        # The recorded payment has the vigorish deducted.
        return net_of(settlement)
    decision = settlement.decision
    if record.paid_cents == 0 and decision.outcome is not Outcome.PUSH:
        # A losing wager has no vigorish except what is recorded.
        return -record.apart_cents - settlement.stake.chips_cents
    keeps = decision.award is not None and decision.keeps_stake
    return record.paid_cents - vigorish - (settlement.stake.chips_cents if keeps else 0)


def recorded_void_cents(record: WagerRecord) -> int | None:
    if record.net_cents is not None or not is_recorded(record):
        return record.net_cents
    return (record.paid_cents or 0) - record.apart_cents


def differences(verified: VerifiedRound) -> Iterator[WagerDifference]:
    is_void = verified.record.marked("void")
    for wager, settlement in zip(verified.record.wagers, verified.settled, strict=True):
        clauses = _clauses(verified, wager)
        if is_void:
            due, cents = 0, recorded_void_cents(wager)
        elif settlement is None:
            continue
        else:
            due, cents = net_of(settlement), recorded_cents(wager, settlement)
            clauses = clauses or settlement.decision.clauses
        if cents is None or cents == due:
            continue
        record = verified.record
        yield WagerDifference(
            record.line, record.source, record.round, wager.seat, wager.wager, due, cents, clauses
        )


def _clauses(verified: VerifiedRound, wager: WagerRecord) -> tuple[str, ...]:
    for divergence in verified.divergences:
        is_same = (divergence.seat, divergence.wager) == (wager.seat, wager.wager)
        if is_same and divergence.kind in {"settlement", "vigorish"}:
            return divergence.clauses
    return ()


class DifferenceTally(NamedTuple):
    wagers: int = 0
    owed_cents: int = 0
    overpaid_cents: int = 0

    @property
    def net_cents(self) -> int:
        return self.owed_cents - self.overpaid_cents

    def plus(self, owed_cents: int) -> DifferenceTally:
        return DifferenceTally(
            self.wagers + 1,
            self.owed_cents + max(owed_cents, 0),
            self.overpaid_cents + max(-owed_cents, 0),
        )

    def as_data(self) -> documents.DifferenceTally:
        return fields_of(documents.DifferenceTally, self)


class Account(Struct):
    tallies: dict[tuple[int | None, str, str | None], DifferenceTally] = field(default_factory=dict)
    unsettled: Counter[str] = field(default_factory=Counter)
    """Number of recorded results that the rules do not settle, by wager."""

    def add(self, verified: VerifiedRound) -> tuple[WagerDifference, ...]:
        changes = tuple(differences(verified))
        for difference in changes:
            key = difference.seat, difference.wager, difference.clause
            self.tallies[key] = self.tallies.get(key, DifferenceTally()).plus(difference.owed_cents)
        is_void = verified.record.marked("void")
        for wager, settlement in zip(verified.record.wagers, verified.settled, strict=True):
            if settlement is None and not is_void and is_recorded(wager):
                self.unsettled[wager.wager] += 1
        return changes

    @property
    def total(self) -> DifferenceTally:
        return _sum(self.tallies)

    def by(self, place: int) -> Mapping[Any, DifferenceTally]:
        """Tallies by seat (0), wager (1), or clause (2), in order."""
        names = sorted({key[place] for key in self.tallies}, key=_order)
        return {
            name: _sum({key: tally for key, tally in self.tallies.items() if key[place] == name})
            for name in names
        }

    def as_data(self) -> documents.Account:
        parts = sorted(self.tallies.items(), key=lambda part: tuple(map(_order, part[0])))
        return {
            "total": self.total.as_data(),
            "by_seat": [
                {
                    "seat": seat,
                    **tally.as_data(),
                    "parts": [
                        {"wager": key[1], "clause": key[2], **tally.as_data()}
                        for key, tally in parts
                        if key[0] == seat
                    ],
                }
                for seat, tally in self.by(0).items()
            ],
            "by_wager": [{"wager": wager, **cell.as_data()} for wager, cell in self.by(1).items()],
            "by_clause": [{"clause": name, **cell.as_data()} for name, cell in self.by(2).items()],
            "unsettled": dict(sorted(self.unsettled.items())),
        }


def _order(name: int | str | None) -> tuple[bool, int, str]:
    return name is None, name if isinstance(name, int) else 0, str(name)


def _sum(tallies: Mapping[Any, DifferenceTally]) -> DifferenceTally:
    return DifferenceTally(*map(sum, zip(DifferenceTally(), *tallies.values(), strict=True)))
