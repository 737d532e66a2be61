"""What people do who leave, move, or do not answer, and what a supervisor rules, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.money.settlement import dollars
from croupier.table import events as e

_OFFERS: Final = {
    "cut": "the cut",
    "shoe": "the shoe",
    "hand": "the hand on offer",
    "look": "a look at the cards",
}

_MATTERS: Final = {
    "curator-cannot-deal": "the dealer deals for the curator",
    "hand-not-returned": "the dealer turns the hand that is not returned",
    "patron-stays": "the patron has left",
    "vigorish-not-had": "the vigorish owed is written off",
    "wagers-not-played": "the wagers go back",
}


_POSTS: Final = {"dealer", "floorperson", "pit boss", "pit clerk", "supervisor"}


def who(name: str) -> str:
    """Begin a sentence with a person: by name, or by the post where no name was given.

    >>> who("Flo"), who("floorperson"), who("patron")
    ('Flo', 'The floorperson', 'A patron')
    """
    if name == "patron":
        return "A patron"
    return f"The {name}" if name in _POSTS else name


def _amount(cents: int | None) -> str:
    return "??" if cents is None else dollars(cents)


def _ruled(event: e.RulingGiven) -> str:
    seat = "" if event.seat is None else f", seat {event.seat}"
    matter = _MATTERS.get(event.matter, event.matter)
    rests = f" [{event.entry}]" if event.entry else ""
    return f"Ruling of {event.supervisor}{seat}: {matter} ({event.reason}){rests}"


PEOPLE: Final[Mapping[type[e.Event], tuple[str, Callable[[Any], str]]]] = {
    e.DealTakenOver: ("act", lambda x: f"The dealer deals the rest of the round for seat {x.seat}"),
    e.OfferUnanswered: ("act", lambda x: f"Seat {x.seat} does not answer: {_OFFERS[x.offer]}"),
    e.RulingGiven: ("ruling", _ruled),
    e.VigorishWrittenOff: (
        "money",
        lambda x: f"{_amount(x.cents)} of vigorish of seat {x.seat} is written off",
    ),
    e.PatronWalkedAway: (
        "act",
        lambda x: f"{who(x.patron)} walks away from seat {x.seat}; the wagers in play stay",
    ),
    e.SeatChanged: ("act", lambda x: f"{who(x.patron)} moves from seat {x.seat} to seat {x.to}"),
}
"""What a line says of each event, and of what kind it is."""
