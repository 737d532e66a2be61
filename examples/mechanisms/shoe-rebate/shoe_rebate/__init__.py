"""Part of the vigorish collected in a shoe is held, and goes back when the shoe is completed.

What a patron paid is held by seat, and moves with the patron. It lapses when the patron leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from croupier.acts import Command, Event, PatronLeft, SeatChanged, ShoeCompleted, VigorishCollected
from croupier.acts.command import command, event
from croupier.acts.fields import PatronCents, Seat
from croupier.acts.roles import Role
from croupier.law.cite import Clauses, cites
from croupier.law.sight import Sight
from croupier.money import ledger
from croupier.money.ledger import Posting
from croupier.rules import TableRules
from croupier.table.machine import hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import (
    Action,
    Events,
    Refusal,
    applies,
    decides,
    hears,
    keeps,
    offers,
)
from croupier.table.machine.state import Phase, TableState, with_slice


@command(
    "Return the held vigorish of the shoe", by=Role.DEALER, rule="shoe_rebate.return", group="pay"
)
class ReturnRebates(Command, frozen=True):
    """Return what is held to the patrons who paid it."""


@event("Seat {seat} gets back {cents:short} of the vigorish of the shoe", kind="money")
class RebateReturned(Event, frozen=True):
    """Part of the vigorish of a shoe went back to a patron."""

    seat: Seat
    cents: PatronCents
    clauses: Clauses


@keeps("shoe_rebate")
class Rebates(Struct, frozen=True):
    """Vigorish collected by seat in this shoe, and in the completed one."""

    collected: Annotated[Mapping[Seat, int], Sight.CHIPS] = {}
    due: Annotated[Mapping[Seat, int], Sight.CHIPS] = {}


def _now(state: TableState, **changes: Mapping[int, int]) -> TableState:
    return with_slice(state, replace(state[Rebates], **changes))


def _plus(held: Mapping[int, int], seat: int, cents: int) -> Mapping[int, int]:
    return {**held, seat: held.get(seat, 0) + cents}


@hears(VigorishCollected)
def _collected(state: TableState, event: VigorishCollected) -> TableState:
    held = state[Rebates]
    if state.phase is Phase.SHOE_COMPLETED:
        # Markers may be settled after the last round.
        return _now(state, due=_plus(held.due, event.seat, event.cents))
    return _now(state, collected=_plus(held.collected, event.seat, event.cents))


@hears(ShoeCompleted)
def _completed(state: TableState, _event: ShoeCompleted) -> TableState:
    return _now(state, due=state[Rebates].collected, collected={})


@hears(PatronLeft)
def _lapsed(state: TableState, event: PatronLeft) -> TableState:
    held = state[Rebates]
    return _now(state, collected=_but(held.collected, event.seat), due=_but(held.due, event.seat))


def _but(held: Mapping[int, int], seat: int) -> Mapping[int, int]:
    return {one: cents for one, cents in held.items() if one != seat}


@hears(SeatChanged)
def _moved(state: TableState, event: SeatChanged) -> TableState:
    def there(held: Mapping[int, int]) -> Mapping[int, int]:
        return {event.to if one == event.seat else one: cents for one, cents in held.items()}

    return _now(state, collected=there(state[Rebates].collected), due=there(state[Rebates].due))


@cites("shoe_rebate.share")
def _share(cents: int, rules: TableRules) -> int:
    """Return the share of an amount, rounded down to a cent."""
    return int(cents * rules.value("shoe_rebate.share", Fraction))


def _rebates(state: TableState, rules: TableRules) -> Iterator[RebateReturned]:
    clauses = rules.cites("shoe_rebate.return")
    for seat, cents in sorted(state[Rebates].due.items()):
        if share := _share(cents, rules):
            yield RebateReturned(seat, share, clauses)


@decides(ReturnRebates, Phase.SHOE_COMPLETED, Phase.BETTING, cites=("shoe_rebate.return",))
def _return(state: TableState, _command: ReturnRebates, rules: TableRules) -> Events | Refusal:
    clauses = rules.cites("shoe_rebate.return")
    found = tuple(_rebates(state, rules))
    return found or Refusal("nothing_held", clauses, "no vigorish of a completed shoe is held")


@applies(RebateReturned)
def _returned(state: TableState, event: RebateReturned) -> TableState:
    patron = state.seats[event.seat]
    patron = replace(patron, chips_cents=patron.chips_cents + event.cents)
    state = replace(state, seats={**state.seats, event.seat: patron})
    return _now(state, due=_but(state[Rebates].due, event.seat))


@moves(RebateReturned)
def _paid(event: RebateReturned) -> tuple[Posting, ...]:
    return ((ledger.INVENTORY, ledger.patron(event.seat), event.cents),)


@offers(Phase.SHOE_COMPLETED, Phase.BETTING)
def _offered(state: TableState, rules: TableRules) -> Iterator[Action]:
    if any(_rebates(state, rules)):
        yield Action(ReturnRebates, Role.DEALER, rules.cites("shoe_rebate.return"))


@hooks.before_wagers.join
def _first(state: TableState, rules: TableRules, _wagers: Iterable[str]) -> Refusal | None:
    if not any(_rebates(state, rules)):
        return None
    message = "the vigorish held from the completed shoe goes back first"
    return Refusal("rebates_due", rules.cites("shoe_rebate.return"), message)
