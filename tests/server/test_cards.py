"""Where the cards of a table come from: a reader at its shoe, or a shoe that the service seals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import DECK, Card
from croupier.money.stax import commitment_to
from croupier.table.shuffling import Chance
from support.served import Person, Served, problem, served
from support.tables import make_table, open_table

T = "/v1/tables/MB-101"
CUT = 100


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite") as one:
        yield one


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

    def until_drawing(self) -> None:
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
            self.do(act["command"], **fields.get(act["command"], {}))
        raise AssertionError(act)

    def round(self, draw: Any) -> None:
        """Play a round whole, drawing each card that is due."""
        self.do("PlaceWager", seat=3, wager="banker", cents=10_000)
        for _ in range(30):
            act = self.must()
            assert act is not None
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


def drawn(house: Served) -> list[str | None]:
    """Return the cards that the record says were drawn, in order."""
    watcher = house.person("surveillance")
    lines = watcher.http.get(f"{T}/log").text.splitlines()[1:]
    entries = [json.loads(line) for line in lines]
    return [one["command"]["card"] for one in entries if one["command"]["type"] == "DrawCard"]


def test_a_sealed_shoe_is_committed_to_before_the_cut_and_proven_after_it(house: Served) -> None:
    crew = Crew(house, "sealed")
    crew.until_drawing()
    (shoe,) = crew.dealer.sees(f"{T}/shoes")["shoes"]
    assert shoe["secret"] is None
    problem(crew.dealer.does("MB-101", {"type": "DrawCard", "card": "9h"}), 409, "no_shoe")

    def draw() -> None:
        crew.do("DrawCard", card="next")

    while (act := crew.must()) and act["command"] == "DrawCard":
        draw()
    crew.do("BuyChips", seat=3, cents=100_000)
    crew.round(draw)
    cards = drawn(house)
    # What the house knew is what it had committed to: the secret gives every card again.
    vault = house.service.vault
    secret = vault.secret_of(shoe["commitment"])
    assert commitment_to(secret) == shoe["commitment"]
    order = [card for _ in range(8) for card in DECK]
    Chance(int(secret, 16)).shuffle(order)
    begins = [*order[CUT:], *order[:CUT]]
    for found, card in zip(cards, begins, strict=False):
        assert found is None or Card.of(found) == card
    assert sum(one is not None for one in cards) >= 5


def test_a_reader_deals_what_is_due_and_is_locked_by_what_is_not(house: Served) -> None:
    crew = Crew(house, "reader")
    crew.until_drawing()
    reader = house.person("machine", "shoe 1", tables=("MB-101",), device="reader")
    number = 0

    def pull(person: Person, line: str) -> str:
        answer = person.http.post(
            f"{T}/reader", content=line, headers={"Content-Type": "text/plain"}
        )
        assert answer.status_code == 200, answer.text
        return answer.text.strip()

    problem(crew.dealer.http.post(f"{T}/reader", content="1 9h"), 403, "not_allowed")
    assert pull(reader, "1 2h").startswith("ok 1 ")
    entry = crew.dealer.sees(T)["seq"]
    assert pull(reader, "1 2h").startswith(f"ok 1 {entry}"), "the same card came twice"
    assert crew.dealer.sees(T)["seq"] == entry
    assert pull(reader, "1 3h").startswith("no 1 key_reused")
    said = ""
    for number in range(2, 40):
        said = pull(reader, f"{number} 2h" if number % 2 else f"{number} 3h")
        assert said.startswith("ok")
        if said.endswith("locked"):
            break
    assert said.endswith("locked"), "the burn ends"
    assert pull(reader, f"{number + 1} 4h").startswith(f"no {number + 1} overdraw")
    assert pull(reader, f"{number + 2} 4h").startswith(f"no {number + 2} overdraw")
    assert crew.dealer.http.post(f"{T}/reader/unlock").status_code == 204
    crew.do("BuyChips", seat=3, cents=100_000)
    crew.do("PlaceWager", seat=3, wager="banker", cents=10_000)
    crew.do("CallNoMoreBets")
    assert pull(reader, f"{number + 3} 4h").startswith("ok")
    assert pull(reader, "x").startswith("no x malformed")
    entries = house.service.store.lines("MB-101", crew.dealer.sees(T)["seq"])
    assert b'"person":"Dana","office":"dealer","device":"reader:' in next(iter(entries))
