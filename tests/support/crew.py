"""A dealer and a floorperson at a table of a service, who do what must be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from support.served import Served
from support.tables import make_table, open_table

T: Final = "/v1/tables/MB-101"
CUT: Final = 100


class Crew:
    """A dealer and a floorperson who do what must be done."""

    def __init__(self, house: Served, cards: str) -> None:
        make_table(house, cards=cards)
        self.house = house
        self.dealer, self.floor = open_table(house)

    def must(self) -> dict[str, Any] | None:
        """Return the first act that must be done, whoever does it."""
        for one in (self.dealer, self.floor):
            for act in one.sees(f"{T}/legal")["acts"]:
                if act["must"]:
                    found: dict[str, Any] = act
                    return found
        return None

    def do(self, command: str, **fields: Any) -> Any:
        """Do something, and return the answer."""
        by = self.floor if command in {"VerifyCards", "VerifyFeather"} else self.dealer
        answer = by.does("MB-101", {"type": command, **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until_drawing(self, look: Callable[[], None] = lambda: None) -> None:
        """Prepare the cards, up to the first that is drawn."""
        fields: dict[str, dict[str, Any]] = {
            "ReceiveCards": {"decks": 8},
            "VerifyCards": {"accepted": True},
            "CutStack": {"position": CUT},
            "AcceptCut": {"seat": 3, "position": CUT},
            "InsertCuttingCards": {"from_back": 20},
            "ViewSpread": {"seat": 3},
        }
        self.do("SeatPatron", seat=3, patron="Pat")
        for _ in range(60):
            act = self.must()
            assert act is not None
            if act["command"] == "DrawCard":
                return
            look()
            self.do(act["command"], **fields.get(act["command"], {}))
        raise AssertionError(act)

    def round(self, draw: Any, look: Callable[[], None] = lambda: None) -> None:
        """Play a round whole, drawing each card that is due."""
        self.do("PlaceWager", seat=3, wager="banker", cents=10_000)
        for _ in range(30):
            act = self.must()
            assert act is not None
            look()
            if act["command"] == "DrawCard":
                draw()
            elif act["command"] == "TurnHand":
                self.do("TurnHand", hand=act.get("hand", "player"))
            elif act["command"] == "CollectVigorish":
                self.do("CollectVigorish", seat=3)
            else:
                self.do(act["command"])
                if act["command"] == "ClearLayout":
                    return
        raise AssertionError(act)
