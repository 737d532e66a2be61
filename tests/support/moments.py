"""A table of a service at each moment of its day, as pictures and tests look at it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from re import sub
from typing import Any, Final

from croupier import acts
from croupier.scenarios.autopilot import Autopilot
from croupier.server.desks.desk import Desk
from croupier.server.desks.pilot import Dealt
from croupier.table.cards.chance import Chance
from croupier.table.machine.state import Phase
from support.project import ROOT
from support.served import Person, Served
from support.tables import make_table
from support.windows import Shorter, dealt, prepared

ROUNDS: Final = (
    "9h 2c Ts 3d",
    "2h 3c 4s 4d",
    "Kh 5c 3d 6s 8c 4d",
    "7c 2d 9s Jh 5d",
    "As Ah 6c 6d",
)
WAGERS: Final = {(1, "player"): 10_000, (2, "banker"): 25_000, (2, "tie"): 2_500}
_FILL: Final = {"slip": 1, "chips": {"10000": 10}}


DAY: Final = date(2011, 2, 22)
FROM_BACK: Final = 340
"""Cards behind the cutting card: the shoe has a few rounds."""


async def _opened(house: Served) -> Autopilot:
    desk = house.service.tables["MB-101"].desk
    pilot = Autopilot(Dealt(desk), Chance(7), patrons=7)
    pilot.open(DAY)
    await desk.settled()
    return pilot


async def _prepared(house: Served, pilot: Autopilot) -> None:
    desk = house.service.tables["MB-101"].desk
    while desk.ahead.state.phase is not Phase.BETTING or len(desk.ahead.state.seats) < 7:
        pilot.step()
    await desk.settled()


async def ended(house: Served) -> None:
    """Bring a closed table to the end of its first shoe, where patrons owe vigorish."""
    desk = house.service.tables["MB-101"].desk
    pilot = Autopilot(Shorter(desk, FROM_BACK), Chance(11), patrons=5)
    pilot.open(DAY)
    while desk.ahead.state.phase is not Phase.SHOE_COMPLETED:
        pilot.step()
    await desk.settled()


_ASKED: Final[dict[str, type[acts.Command]]] = {
    "looks": acts.ViewSpread, "cuts": acts.AcceptCut, "offered": acts.AcceptShoe,
    "draws": acts.DrawCard,
}  # fmt: skip


class _Stepwise(Autopilot):
    """Opens a table without preparing its shoe."""

    def _advance(self, phase: Phase) -> None:
        pass


def asked(house: Served) -> Iterator[tuple[str, int]]:
    """Bring a closed table of punto banco with twelve patrons through what they are asked.

    Yields the name of each moment, and the seat that is asked.
    """
    desk = house.service.tables["PB-1101"].desk
    pilot = _Stepwise(Dealt(desk), Chance(7), patrons=12)
    for moment, command in _ASKED.items():
        yield moment, house.do(_until(pilot, desk, command))


async def _until(pilot: Autopilot, desk: Desk, command: type[acts.Command]) -> int:
    if desk.ahead.state.phase is Phase.CLOSED:
        pilot.open(DAY)
    while (due := pilot.session.due()) is None or due.command is not command or due.seat is None:
        pilot.step()
    await desk.settled()
    return due.seat


def _done(person: Person, command: dict[str, Any]) -> None:
    person.does("MB-101", command).raise_for_status()


def moments(house: Served) -> Iterator[str]:
    """Bring a table from its opening to a fill that waits, and yield the name of each moment."""
    yield "closed"
    pilot = house.do(_opened(house))
    yield "opening"
    house.do(_prepared(house, pilot))
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
    _done(floor, {"type": "PauseTable", "reason": "a patron disputes the last card"})
    yield "paused"
    _done(floor, {"type": "ResumeTable"})
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


ROYAL_9: Final = "MA-301"
_BY_HAND: Final = """wagers.royal_9.stax.offered = false
wagers.royal_9.hand_pay.offered = true
wagers.royal_9.hand_pay.above = '5000.00'"""


def royal_9(house: Served, folder: Path, hand_pay: str = _BY_HAND) -> None:
    """Make a table of Royal 9 with cage and surveillance on shift, where Patron 1 has the King-9 of chair 1.

    Its hands are turned, and to be settled: each has a king of spades and a nine of hearts.
    """
    text = (ROOT / "submissions" / "ma-royal-9.toml").read_text().replace('pit = "3"', 'pit = "1"')
    file = folder / "table.toml"
    file.write_text(sub(r"(?m)^wagers\.royal_9\.stax\..*", "", text).replace(
        "wagers.royal_9.meters.star.seed", f"{hand_pay}\nwagers.royal_9.meters.star.seed"
    ))  # fmt: skip
    make_table(house, file)
    house.do(prepared(house, ROYAL_9, 2))
    for office in ("cage", "surveillance"):
        on = {"type": "AssignOffice", "person": office, "office": office}
        assert house.person("floorperson").does(ROYAL_9, on).status_code == 200
    dealer = house.person("dealer")
    acts: list[dict[str, Any]] = [
        {"type": "PlaceWagers", "seat": 1, "stakes": {"tie": 2_500, "royal_9": 500}},
        {"type": "CallNoMoreBets"},
        *({"type": "DrawCard", "card": card} for card in ("Ks", "Ks", "9h", "9h")),
        *({"type": "TurnHand", "hand": hand} for hand in ("player", "banker")),
    ]
    for command in acts:
        assert dealer.does(ROYAL_9, command).status_code == 200, command
