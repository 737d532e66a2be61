"""What each event moves from one account to another: the ledger follows from the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from croupier.law.cite import cites
from croupier.money import ledger
from croupier.money.ledger import Ledger, Posting
from croupier.table import events as e

Move = TypeVar("Move", bound=Callable[..., Iterable[Posting]])


def _coupon(seat: int, destination: str, cents: int) -> tuple[Posting, ...]:
    return ((ledger.layout(seat), destination, cents),) if cents else ()


def _placed(event: e.WagerPlaced) -> tuple[Posting, ...]:
    on_layout = ledger.layout(event.seat)
    chips = (ledger.patron(event.seat), on_layout, event.cents)
    if not event.coupon_cents:
        return (chips,)
    return (chips, (ledger.COUPONS, on_layout, event.coupon_cents))


def _withdrawn(event: e.WagerWithdrawn) -> tuple[Posting, ...]:
    chips = (ledger.layout(event.seat), ledger.patron(event.seat), event.cents)
    return (chips, *_coupon(event.seat, ledger.COUPONS, event.coupon_cents))


def _lost(event: e.LosingWagersCollected | e.StakesKept) -> list[Posting]:
    moved = []
    for one in event.stakes:
        moved.append((ledger.layout(one.seat), ledger.INVENTORY, one.cents))
        if one.coupon_cents:
            moved.extend(_coupon(one.seat, ledger.COUPON_DROP, one.coupon_cents))
    return moved


def _released(event: e.StakesReleased) -> list[Posting]:
    moved = []
    for one in event.stakes:
        moved.append((ledger.layout(one.seat), ledger.patron(one.seat), one.cents))
        if one.coupon_cents:
            # A coupon that won is collected; one whose wager was void is its owner's again.
            back = ledger.COUPON_DROP if one.outcome == "win" else ledger.COUPONS
            moved.extend(_coupon(one.seat, back, one.coupon_cents))
    return moved


def _awarded(event: e.AwardPaid) -> list[Posting]:
    chips = (ledger.INVENTORY, ledger.patron(event.seat), event.cents)
    if event.meter is None:
        return [chips]
    return [chips, (ledger.meter(event.meter), ledger.AWARDED, event.cents)]


def _vigorish(event: e.VigorishCollected) -> tuple[Posting, ...]:
    due = ledger.owed(event.seat) if event.deferred else ledger.VIGORISH
    return (
        (ledger.patron(event.seat), ledger.INVENTORY, event.cents),
        (due, ledger.VIGORISH_TAKEN, event.cents),
    )


_POSTINGS: Final[dict[type[e.Event], Callable[[Any], Iterable[Posting]]]] = {
    e.ChipsBought: lambda event: (
        (ledger.CASH, ledger.DROP, event.cents),
        (ledger.INVENTORY, ledger.patron(event.seat), event.cents),
    ),
    e.PatronLeft: lambda event: ((ledger.patron(event.seat), ledger.CAGE, event.chips_cents),),
    e.SeatChanged: lambda event: (
        (ledger.patron(event.seat), ledger.patron(event.to), event.chips_cents),
        (ledger.owed(event.seat), ledger.owed(event.to), event.owed_cents),
    ),
    e.WagerPlaced: _placed,
    e.WagersPlaced: lambda event: (
        (ledger.patron(event.seat), ledger.layout(event.seat), sum(event.stakes.values())),
    ),
    e.WagerWithdrawn: _withdrawn,
    e.LosingWagersCollected: _lost,
    e.StakesKept: _lost,
    e.AwardPaid: _awarded,
    e.StakesReleased: _released,
    e.WagerPaid: lambda event: ((ledger.INVENTORY, ledger.patron(event.seat), event.cents),),
    e.VigorishMarked: lambda event: ((ledger.VIGORISH, ledger.owed(event.seat), event.cents),),
    e.VigorishCollected: _vigorish,
}

_BY_BALANCE: Final[dict[type[e.Event], Callable[[Ledger, Any], Iterable[Posting]]]] = {}


def moves(event: type[e.Event]) -> Callable[[Move], Move]:
    """Register what an event of a part moves."""

    def register(function: Move) -> Move:
        _POSTINGS[event] = function
        return function

    return register


def moves_by_balance(event: type[e.Event]) -> Callable[[Move], Move]:
    """Register what an event of a part moves, which is seen from the ledger before it."""

    def register(function: Move) -> Move:
        _BY_BALANCE[event] = function
        return function

    return register


def postings(event: e.Event) -> Iterable[Posting]:
    """Return what an event moves; nothing for most."""
    moved = _POSTINGS.get(type(event))
    return () if moved is None else moved(event)


@cites("forms.table_win")
def booked(accounts: Ledger, events: Iterable[e.Event]) -> Ledger:
    """Return the ledger of a table after what these events move."""
    moved: list[Posting] = []
    for event in events:
        moves_of = _POSTINGS.get(type(event))
        if moves_of is not None:
            moved.extend(moves_of(event))
        elif isinstance(event, e.TableOpened):
            accounts = accounts.opened(event.inventory_cents)
            accounts = accounts.posted(accounts.metering(event.meters))
        elif (by_balance := _BY_BALANCE.get(type(event))) is not None:
            accounts = accounts.posted(moved)
            moved = [*by_balance(accounts, event)]
    return accounts.posted(moved) if moved else accounts
