"""The postings of each event: the ledger follows from the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, TypeVar

from croupier import acts
from croupier.law.cite import cites
from croupier.law.mechanisms import claim, owner_of, reserve
from croupier.money import ledger
from croupier.money.ledger import Ledger, Posting
from croupier.table.machine.core import are_postings, checked

Move = TypeVar("Move", bound=Callable[..., Iterable[Posting]])


def _coupon(seat: int, destination: str, cents: int) -> tuple[Posting, ...]:
    return ((ledger.layout(seat), destination, cents),) if cents else ()


def _placed(event: acts.WagerPlaced) -> tuple[Posting, ...]:
    layout = ledger.layout(event.seat)
    chips = (ledger.patron(event.seat), layout, event.cents)
    if not event.coupon_cents:
        return (chips,)
    return (chips, (ledger.COUPONS, layout, event.coupon_cents))


def _withdrawn(event: acts.WagerWithdrawn) -> tuple[Posting, ...]:
    chips = (ledger.layout(event.seat), ledger.patron(event.seat), event.cents)
    return (chips, *_coupon(event.seat, ledger.COUPONS, event.coupon_cents))


def _lost(event: acts.LosingWagersCollected | acts.StakesKept) -> list[Posting]:
    postings = []
    for stake in event.stakes:
        postings.append((ledger.layout(stake.seat), ledger.INVENTORY, stake.cents))
        if stake.coupon_cents:
            postings.extend(_coupon(stake.seat, ledger.COUPON_DROP, stake.coupon_cents))
    return postings


def _released(event: acts.StakesReleased) -> list[Posting]:
    postings = []
    for stake in event.stakes:
        postings.append((ledger.layout(stake.seat), ledger.patron(stake.seat), stake.cents))
        if stake.coupon_cents:
            # A coupon that won is collected; one whose wager was void is returned to its owner.
            account = ledger.COUPON_DROP if stake.outcome == "win" else ledger.COUPONS
            postings.extend(_coupon(stake.seat, account, stake.coupon_cents))
    return postings


def _awarded(event: acts.AwardPaid) -> list[Posting]:
    chips = (ledger.INVENTORY, ledger.patron(event.seat), event.cents)
    if event.meter is None:
        return [chips]
    return [chips, (ledger.meter(event.meter), ledger.AWARDED, event.cents)]


def _vigorish(event: acts.VigorishCollected) -> tuple[Posting, ...]:
    account = ledger.owed(event.seat) if event.deferred else ledger.VIGORISH
    return (
        (ledger.patron(event.seat), ledger.INVENTORY, event.cents),
        (account, ledger.VIGORISH_TAKEN, event.cents),
    )


_POSTINGS: Final[dict[type[acts.Event], Callable[[Any], Iterable[Posting]]]] = {
    acts.ChipsBought: lambda event: (
        (ledger.CASH, ledger.DROP, event.cents),
        (ledger.INVENTORY, ledger.patron(event.seat), event.cents),
    ),
    acts.PatronLeft: lambda event: ((ledger.patron(event.seat), ledger.CAGE, event.chips_cents),),
    acts.SeatChanged: lambda event: (
        (ledger.patron(event.seat), ledger.patron(event.to), event.chips_cents),
        (ledger.owed(event.seat), ledger.owed(event.to), event.owed_cents),
    ),
    acts.WagerPlaced: _placed,
    acts.WagersPlaced: lambda event: (
        (ledger.patron(event.seat), ledger.layout(event.seat), sum(event.stakes.values())),
    ),
    acts.WagerWithdrawn: _withdrawn,
    acts.LosingWagersCollected: _lost,
    acts.StakesKept: _lost,
    acts.AwardPaid: _awarded,
    acts.StakesReleased: _released,
    acts.WagerPaid: lambda event: ((ledger.INVENTORY, ledger.patron(event.seat), event.cents),),
    acts.VigorishMarked: lambda event: ((ledger.VIGORISH, ledger.owed(event.seat), event.cents),),
    acts.VigorishCollected: _vigorish,
}

_BY_BALANCE: Final[dict[type[acts.Event], Callable[[Ledger, Any], Iterable[Posting]]]] = {}


def moves(*events: type[acts.Event]) -> Callable[[Move], Move]:
    def register(function: Move) -> Move:
        for event in events:
            is_taken = event in _POSTINGS or owner_of(function) != owner_of(event)
            claim(function, event.__name__, is_taken)
            _POSTINGS[event] = checked(function, are_postings)
        return function

    return register


def moves_by_balance(event: type[acts.Event]) -> Callable[[Move], Move]:
    """Register the postings of an event that depend on the ledger before it."""

    def register(function: Move) -> Move:
        reserve(function, "@moves_by_balance")
        _BY_BALANCE[event] = function
        return function

    return register


@cache
def moves_money(kind: type[acts.Event]) -> bool:
    return kind in _POSTINGS or kind is acts.TableOpened or kind in _BY_BALANCE


def postings(event: acts.Event) -> Iterable[Posting] | None:
    """Return an event's postings, or ``None`` if they depend on the ledger before it."""
    function = _POSTINGS.get(type(event))
    if function is not None:
        return function(event)
    return None if moves_money(type(event)) else ()


@cites("forms.table_win")
def booked(accounts: Ledger, events: Iterable[acts.Event]) -> Ledger:
    postings: list[Posting] = []
    for event in events:
        moves_of = _POSTINGS.get(type(event))
        if moves_of is not None:
            postings.extend(moves_of(event))
        elif isinstance(event, acts.TableOpened):
            accounts = accounts.opened(event.inventory_cents)
            accounts = accounts.posted(accounts.metering(event.meters))
        elif (by_balance := _BY_BALANCE.get(type(event))) is not None:
            accounts = accounts.posted(postings)
            postings = [*by_balance(accounts, event)]
    return accounts.posted(postings) if postings else accounts
