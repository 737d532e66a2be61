"""What each event moves from one account to another: the ledger follows from the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from croupier.law.cite import cites
from croupier.money import ledger
from croupier.money.ledger import Ledger, Posting
from croupier.table import events as e

__all__ = ["book", "postings"]


def _coupon(seat: int, destination: str, cents: int) -> tuple[Posting, ...]:
    return (Posting(ledger.layout(seat), destination, cents),) if cents else ()


def _placed(event: e.WagerPlaced) -> tuple[Posting, ...]:
    on_layout = ledger.layout(event.seat)
    chips = Posting(ledger.patron(event.seat), on_layout, event.cents)
    if not event.coupon_cents:
        return (chips,)
    return (chips, Posting(ledger.COUPONS, on_layout, event.coupon_cents))


def _withdrawn(event: e.WagerWithdrawn) -> tuple[Posting, ...]:
    chips = Posting(ledger.layout(event.seat), ledger.patron(event.seat), event.cents)
    return (chips, *_coupon(event.seat, ledger.COUPONS, event.coupon_cents))


def _lost(event: e.LosingWagersCollected) -> list[Posting]:
    moved = []
    for one in event.stakes:
        moved.append(Posting(ledger.layout(one.seat), ledger.INVENTORY, one.cents))
        if one.coupon_cents:
            moved.extend(_coupon(one.seat, ledger.COUPON_DROP, one.coupon_cents))
    return moved


def _released(event: e.StakesReleased) -> list[Posting]:
    moved = []
    for one in event.stakes:
        moved.append(Posting(ledger.layout(one.seat), ledger.patron(one.seat), one.cents))
        if one.coupon_cents:
            # A coupon that won is collected; one whose wager was void is its owner's again.
            back = ledger.COUPON_DROP if one.outcome == "win" else ledger.COUPONS
            moved.extend(_coupon(one.seat, back, one.coupon_cents))
    return moved


def _vigorish(event: e.VigorishCollected) -> tuple[Posting, ...]:
    due = ledger.owed(event.seat) if event.deferred else ledger.VIGORISH
    return (
        Posting(ledger.patron(event.seat), ledger.INVENTORY, event.cents),
        Posting(due, ledger.VIGORISH_TAKEN, event.cents),
    )


_POSTINGS: Final[dict[type[e.Event], Callable[[Any], Iterable[Posting]]]] = {
    e.ChipsBought: lambda event: (
        Posting(ledger.CASH, ledger.DROP, event.cents),
        Posting(ledger.INVENTORY, ledger.patron(event.seat), event.cents),
    ),
    e.PatronLeft: lambda event: (
        Posting(ledger.patron(event.seat), ledger.CAGE, event.chips_cents),
    ),
    e.WagerPlaced: _placed,
    e.WagersPlaced: lambda event: (
        Posting(ledger.patron(event.seat), ledger.layout(event.seat), sum(event.stakes.values())),
    ),
    e.WagerWithdrawn: _withdrawn,
    e.LosingWagersCollected: _lost,
    e.StakesReleased: _released,
    e.WagerPaid: lambda event: (Posting(ledger.INVENTORY, ledger.patron(event.seat), event.cents),),
    e.VigorishMarked: lambda event: (
        Posting(ledger.VIGORISH, ledger.owed(event.seat), event.cents),
    ),
    e.VigorishCollected: _vigorish,
    e.VigorishDocumented: lambda event: (
        Posting(ledger.owed(event.seat), ledger.FORMS, event.cents),
    ),
    e.ComplimentaryRecorded: lambda event: (
        Posting(ledger.COMPLIMENTARIES, f"complimentary:{event.patron}", event.cents),
    ),
}


def postings(event: e.Event) -> Iterable[Posting]:
    """Return what an event moves; nothing for most."""
    moves = _POSTINGS.get(type(event))
    return () if moves is None else moves(event)


@cites("forms.table_win")
def book(accounts: Ledger, event: e.Event) -> None:
    """Enter what an event moves into the ledger of its table."""
    if isinstance(event, e.TableOpened):
        accounts.open_with(event.inventory_cents)
        return
    moves = _POSTINGS.get(type(event))
    if moves is not None:
        accounts.post(moves(event))
