"""The seats as a ring, seen from above: layouts number in either direction."""

from __future__ import annotations

from collections.abc import Collection

from croupier.law.cite import cites
from croupier.rules import TableLayout


def counterclockwise_from_dealer(layout: TableLayout) -> tuple[int, ...]:
    """All seats counterclockwise, starting at the dealer's right hand.

    >>> counterclockwise_from_dealer(TableLayout(seats=3)), counterclockwise_from_dealer(
    ...     TableLayout(seats=3, numbering="clockwise")
    ... )
    ((1, 2, 3), (3, 2, 1))
    """
    ascending = tuple(range(1, layout.seats + 1))
    return ascending if layout.numbering == "counterclockwise" else ascending[::-1]


@cites("cut.offer")
def clockwise_from(layout: TableLayout, seat: int) -> tuple[int, ...]:
    """All seats clockwise, starting with one.

    >>> clockwise_from(TableLayout(seats=3), 3)
    (3, 2, 1)
    """
    ring = counterclockwise_from_dealer(layout)[::-1]
    start = ring.index(seat)
    return ring[start:] + ring[:start]


def seat_after(layout: TableLayout, seat: int) -> int:
    """Next seat clockwise; at a table of one seat, that seat.

    >>> seat_after(TableLayout(seats=3), 1), seat_after(TableLayout(seats=1), 1)
    (3, 1)
    """
    return (*clockwise_from(layout, seat), seat)[1]


def counterclockwise_from(layout: TableLayout, seat: int) -> tuple[int, ...]:
    """All seats counterclockwise, starting with one.

    >>> counterclockwise_from(TableLayout(seats=3), 2)
    (2, 3, 1)
    """
    return (seat, *right_of(layout, seat))


@cites("irregularity.relinquish", "curator.next")
def right_of(layout: TableLayout, seat: int) -> tuple[int, ...]:
    """Other seats counterclockwise, starting with a seat's right-hand neighbor.

    >>> right_of(TableLayout(seats=4), 2)
    (3, 4, 1)
    """
    ring = counterclockwise_from_dealer(layout)
    start = ring.index(seat)
    return ring[start + 1 :] + ring[:start]


def descending(layout: TableLayout) -> tuple[int, ...]:
    return tuple(range(layout.seats, 0, -1))


def still_to_ask(
    ring: tuple[int, ...], present: Collection[int], asked_before: Collection[int]
) -> tuple[int, ...]:
    """Seats still to be asked, in the order of a ring.

    >>> still_to_ask((5, 4, 3, 2, 1), {2, 4, 5}, asked_before={5})
    (4, 2)
    """
    return tuple(seat for seat in ring if seat in present and seat not in asked_before)


def moved(seats: tuple[int, ...], seat: int, new_seat: int) -> tuple[int, ...]:
    """Seats after the occupant of one moved to another.

    >>> moved((2, 5), 5, 7)
    (2, 7)
    """
    return tuple(new_seat if number == seat else number for number in seats)


def name_key(name: str) -> str:
    """Normalize a name's letter case and spacing."""
    return " ".join(name.casefold().split())


def same_name(name: str, other: str) -> bool:
    """Whether two names are equal, ignoring letter case and spacing."""
    return name_key(name) == name_key(other)
