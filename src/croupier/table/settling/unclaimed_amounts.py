"""Unclaimed amounts from corrected settlements, owed to patrons who had left."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from croupier import acts
from croupier.acts.fields import Count, HouseCents, HouseText, Seat
from croupier.law.sight import Sight
from croupier.table.machine import core
from croupier.table.machine.state import TableState, with_slice


class KeptAmount(Struct, frozen=True):
    entry: Count
    seat: Seat
    patron: HouseText
    cents: HouseCents


@core.keeps("kept_amounts", past_closing=True)
class KeptAmounts(Struct, frozen=True):
    """Unclaimed amounts across gaming days."""

    due: Annotated[tuple[KeptAmount, ...], Sight.HOUSE] = ()

    def of(self, entry: int, seat: int) -> KeptAmount | None:
        return next((one for one in self.due if (one.entry, one.seat) == (entry, seat)), None)

    def cents(self, entry: int, seat: int) -> int:
        amount = self.of(entry, seat)
        return 0 if amount is None else amount.cents

    def moved(self, entry: int, seat: int, patron: str, cents: int) -> KeptAmounts:
        """Amounts with ``cents`` added, or taken if negative."""
        others = tuple(one for one in self.due if (one.entry, one.seat) != (entry, seat))
        left = self.cents(entry, seat) + cents
        return KeptAmounts((*others, KeptAmount(entry, seat, patron, left)) if left else others)


def kept_more(delta: acts.Difference) -> int:
    """Change of a patron's unclaimed amount; overpayments beyond it are not collected."""
    if delta.outcome != "unpaid":
        return 0
    return delta.cents if delta.cents > 0 else delta.cents + delta.uncollected_cents


@core.hears(acts.SettlementCorrected)
def _kept(state: TableState, event: acts.SettlementCorrected) -> TableState:
    amounts = before = state[KeptAmounts]
    for difference in event.differences:
        if added_cents := kept_more(difference):
            amounts = amounts.moved(event.entry, difference.seat, difference.patron, added_cents)
    return state if amounts is before else with_slice(state, amounts)
