"""Awards from the chip tray, or hand-paid above the licensee's limit."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.acts import AwardPaid, HandPayDue, HandPayWithdrawn
from croupier.acts.fields import AwardNumber, HouseCents, PatronName
from croupier.law.cite import cites, once
from croupier.law.sight import Sight
from croupier.money import ledger
from croupier.money.ledger import Posting
from croupier.rules import TableRules
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Events
from croupier.table.machine.state import TableState, with_slice


class HandPay(Struct, frozen=True):
    """An award owed to a patron, regardless of the seat's later occupant."""

    patron: PatronName
    cents: HouseCents


@core.keeps("hand_pays", past_closing=True)
class HandPays(Struct, frozen=True):
    due: Annotated[Mapping[AwardNumber, HandPay], Sight.HOUSE] = field(default_factory=dict)
    last: HouseCents = 0
    slips: Annotated[tuple[int, ...], Sight.HOUSE] = ()

    def without(self, number: int) -> HandPays:
        return replace(self, due={key: one for key, one in self.due.items() if key != number})


def by_hand(wager: str, cents: int, rules: TableRules) -> bool:
    limit = rules.offers[wager].hand_pay_above_cents
    return limit is not None and cents > limit


@cites("wagers.royal_9.hand_pay.above")
def award(state: TableState, rules: TableRules, paid: AwardPaid) -> AwardPaid | HandPayDue:
    failure_clauses = None if paid.meter is None else hooks.due_by_hand.ask(state, rules)
    if by_hand(paid.wager, paid.cents, rules):
        offer = rules.offers[paid.wager]
        clauses = once(paid.clauses, rules.cites(f"{offer.wager.offered_by}.hand_pay.above"))
    elif failure_clauses is not None:
        clauses = once(paid.clauses, failure_clauses)
    else:
        return paid
    patron = state.seats[paid.seat].name
    return HandPayDue(0, paid.seat, patron, paid.wager, paid.line, paid.cents, paid.meter, clauses)


def numbered(state: TableState, events: Events) -> Events:
    numbers = count(state[HandPays].last + 1)
    return tuple(
        replace(event, number=next(numbers)) if isinstance(event, HandPayDue) else event
        for event in events
    )


@core.applies(HandPayDue)
def _due(state: TableState, event: HandPayDue) -> TableState:
    hand_pays = state[HandPays]
    due = {**hand_pays.due, event.number: HandPay(event.patron, event.cents)}
    return with_slice(state, replace(hand_pays, due=due, last=event.number))


@moves(HandPayDue)
def _owed(event: HandPayDue) -> list[Posting]:
    # A loss of the table, although none of its chips leaves.
    posting = (ledger.HAND_PAYS, ledger.HAND_PAYS_DUE, event.cents)
    if event.meter is None:
        return [posting]
    return [posting, (ledger.meter(event.meter), ledger.AWARDED, event.cents)]


@core.applies(HandPayWithdrawn)
def _withdrawn(state: TableState, event: HandPayWithdrawn) -> TableState:
    return with_slice(state, state[HandPays].without(event.number))


moves(HandPayWithdrawn)(lambda event: ((ledger.HAND_PAYS_DUE, ledger.HAND_PAYS, event.cents),))
