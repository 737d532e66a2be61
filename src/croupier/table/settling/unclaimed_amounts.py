"""Amounts kept for patrons who had left when a settlement was found to be in error.

What a corrected settlement owes to a patron who is no longer there leaves the tray at once. It is
kept under the round and the seat that it was owed at until the patron comes back for it.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from croupier.acts import Difference, SettlementCorrected
from croupier.acts.fields import Count, HouseCents, HouseText, Seat
from croupier.law.sight import Sight
from croupier.rules import TableRules
from croupier.table.machine.core import hears, keeps
from croupier.table.machine.state import TableState, with_slice


class KeptAmount(Struct, frozen=True):
    """What is kept for who sat in a seat, from the round that an entry settled, in cents."""

    entry: Count
    seat: Seat
    patron: HouseText
    cents: HouseCents


@keeps("kept_amounts", past_closing=True)
class KeptAmounts(Struct, frozen=True):
    """What is still kept for patrons who have left, across gaming days."""

    due: Annotated[tuple[KeptAmount, ...], Sight.HOUSE] = ()

    def of(self, entry: int, seat: int) -> KeptAmount | None:
        """Return what is kept of a round for whoever sat in a seat; ``None`` if nothing is."""
        return next((one for one in self.due if (one.entry, one.seat) == (entry, seat)), None)

    def cents(self, entry: int, seat: int) -> int:
        """Return what is still kept of a round for whoever sat in a seat."""
        kept = self.of(entry, seat)
        return 0 if kept is None else kept.cents

    def moved(self, entry: int, seat: int, patron: str, cents: int) -> KeptAmounts:
        """Return what is kept once an amount is added, or taken where it is below nothing."""
        others = tuple(one for one in self.due if (one.entry, one.seat) != (entry, seat))
        left = self.cents(entry, seat) + cents
        return KeptAmounts((*others, KeptAmount(entry, seat, patron, left)) if left else others)


def register_entry(matter: str, rules: TableRules) -> tuple[str, ...]:
    """Return the entry of the register on which the ruling of a matter rests."""
    entry = rules.ruling(matter)
    return () if entry is None else (entry,)


def kept_more(one: Difference) -> int:
    """Return by how much more is kept for a patron: below nothing where it was too much.

    What was kept is all that can be taken back from who is not there; the rest is not collected.
    """
    if one.outcome != "unpaid":
        return 0
    return one.cents if one.cents > 0 else one.cents + one.uncollected_cents


@hears(SettlementCorrected)
def _kept(state: TableState, event: SettlementCorrected) -> TableState:
    kept = before = state[KeptAmounts]
    for one in event.differences:
        if more := kept_more(one):
            kept = kept.moved(event.entry, one.seat, one.patron, more)
    return state if kept is before else with_slice(state, kept)
