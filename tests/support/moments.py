"""A table of a service at each moment of its day, as pictures and tests look at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from support.served import Person, Served
from support.windows import dealt, prepared

ROUNDS: Final = (
    "9h 2c Ts 3d",
    "2h 3c 4s 4d",
    "Kh 5c 3d 6s 8c 4d",
    "7c 2d 9s Jh 5d",
    "As Ah 6c 6d",
)
WAGERS: Final = {(1, "player"): 10_000, (2, "banker"): 25_000, (2, "tie"): 2_500}
_FILL: Final = {"slip": 1, "chips": {"10000": 10}}


def _done(person: Person, command: dict[str, Any]) -> None:
    person.does("MB-101", command).raise_for_status()


def moments(house: Served) -> Iterator[str]:
    """Bring a table from its opening to a fill that waits, and yield the name of each moment."""
    yield "closed"
    house.do(prepared(house, "MB-101", 7))
    floor, cage, dealer = map(house.person, ("floorperson", "cage", "dealer"))
    assigned = {"type": "AssignOffice", "person": "cage", "office": "cage"}
    _done(floor, assigned)
    for cards in ROUNDS:
        dealt(house, cards, WAGERS)
    wagers = {(seat, one): 5_000 for seat in (2, 3, 5, 7) for one in ("player", "tie", "banker")}
    dealt(house, "", wagers, upto="CallNoMoreBets")
    yield "betting"
    dealt(house, "2h 3c 3s", {}, upto="SettleWagers")
    yield "dealing"
    for card in ("4d", "2d"):
        _done(dealer, {"type": "DrawCard", "card": card})
    yield "decided"
    for command in ("SettleWagers", "ClearLayout"):
        _done(dealer, {"type": command})
    _done(floor, {"type": "RequestFill", **_FILL})
    yield "requested"
    dealt(house, "2h 3c", wagers, upto="SettleWagers")
    _done(cage, {"type": "IssueFill", **_FILL})
    yield "issued"
    _done(dealer, {"type": "ReceiveFill", **_FILL})
    yield "waiting"
    for card in ("7s", "6d"):
        _done(dealer, {"type": "DrawCard", "card": card})
    _done(dealer, {"type": "DrawCardInError", "card": "Qs", "disclosed": True})
    yield "irregular"
