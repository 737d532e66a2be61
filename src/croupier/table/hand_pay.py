"""Awards paid by hand, and meters that are reconciled: acts of the house, which cite no clause."""

from __future__ import annotations

from croupier.money import ledger
from croupier.money.ledger import Posting
from croupier.table import hooks
from croupier.table.awards import HandPays
from croupier.table.bookkeeping import moves
from croupier.table.commands import PayByHand, ReconcileMeters
from croupier.table.core import Events, Refusal, applies
from croupier.table.events import MetersReconciled, PaidByHand
from croupier.table.position import Position, house_decides
from croupier.table.state import ANY_TIME, TableState, changed, with_slice

__all__: list[str] = []


@house_decides(PayByHand, ANY_TIME)
def _pay(position: Position, command: PayByHand) -> Events | Refusal:
    kept = position.state[HandPays]
    due = kept.due.get(command.number)
    if due is None:
        message = f"no award is due by hand under number {command.number}"
        return Refusal("nothing_due", (), message)
    if command.slip < 1 or command.slip in kept.slips:
        message = f"slip {command.slip} was used before: each slip has a number of its own"
        return Refusal("slip", (), message)
    return (PaidByHand(command.number, command.slip, due.patron, due.cents, ()),)


@applies(PaidByHand)
def _paid(state: TableState, event: PaidByHand) -> TableState:
    kept = state[HandPays]
    due = {number: one for number, one in kept.due.items() if number != event.number}
    return with_slice(state, changed(kept, due=due, slips=(*kept.slips, event.slip)))


@moves(PaidByHand)
def _handed_over(event: PaidByHand) -> tuple[Posting, ...]:
    return ((ledger.HAND_PAYS_DUE, ledger.PAID_BY_HAND, event.cents),)


@house_decides(ReconcileMeters, ANY_TIME)
def _reconcile(position: Position, command: ReconcileMeters) -> Events | Refusal:
    meters = hooks.meters_shown.ask(position.state) or {}
    if not meters or command.shown.keys() != meters.keys():
        known = ", ".join(meters) or "none"
        return Refusal("meters", (), f"read every meter of this table: {known}")
    expected = {name: position.ledger.balance(ledger.meter(name)) for name in meters}
    due = tuple(sorted(position.state[HandPays].due))
    return (MetersReconciled(command.shown, expected, due, ()),)


@applies(MetersReconciled)
def _reconciled(state: TableState, event: MetersReconciled) -> TableState:
    """Leave the state: a reading that differs is on the record, and books nothing."""
    del event
    return state
