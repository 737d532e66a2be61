"""Two tables that differ in cards that lie face down alone: nothing that leaves differs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from croupier.acts.roles import LOOKS, Role
from support.project import ROOT
from support.served import Person, Served, listen, served
from support.tables import make_table, open_table

FACE_DOWN: Final = ROOT / "submissions" / "nj-minibaccarat-tie-vigorish.toml"
SECRET: Final = {"stream", "x-request-id"}
"""What differs from one table to the next: its own name, and that of a request."""

NOON: Final = datetime(2011, 2, 22, 12, tzinfo=UTC)


class World:
    """A table with its people, and all that each of them is told."""

    def __init__(self, house: Served, file: Path) -> None:
        self.house = house
        made = make_table(house, file, table="T", cards="dealer")
        assert made.sees("/v1/tables/T")["cards"] == "dealer"
        self.dealer, self.floor = open_table(house, "T")
        self.told: list[bytes] = []
        self.viewers: dict[str, Person] = {
            str(office): house.person(office, f"{office} who looks")
            for office in LOOKS
            if office != Role.PATRON
        }
        self.do("SeatPatron", seat=3, patron="Pat")
        self.do("BuyChips", seat=3, cents=100_000)
        self.viewers["patron"] = house.person("patron", "Pat", seat=3, tables=("T",))

    def send(self, command: str, **fields: Any) -> Any:
        by = self.floor if command in {"VerifyCards", "VerifyFeather"} else self.dealer
        answer = by.does("T", {"type": command, **fields})
        self.told.append(answer.content)
        return answer

    def do(self, command: str, **fields: Any) -> None:
        answer = self.send(command, **fields)
        assert answer.status_code == 200, answer.text

    def must(self) -> Mapping[str, Any] | None:
        for one in (self.dealer, self.floor):
            for act in one.sees("/v1/tables/T/legal")["acts"]:
                if act["must"] and act["gives"]:
                    found: Mapping[str, Any] = act
                    return found
        return None

    def until(self, command: str, card: str = "2s") -> None:
        """Do what must be done, up to a command."""
        for _ in range(90):
            act = self.must()
            if act is None or act["command"] == command:
                return
            fields = {one["name"]: one["default"] for one in act["fields"] if not one["needed"]}
            if act["command"] == "DrawCard":
                fields["card"] = card
            self.do(act["command"], **fields)
        raise AssertionError(command)

    def seen(self) -> dict[str, bytes]:
        """Return every byte that each office is shown of the table."""
        found = {}
        last = self.dealer.sees("/v1/tables/T")["seq"]
        for office, person in self.viewers.items():
            shown = [
                repr(listen(person, "/v1/tables/T/events?after=0", lambda one: len(one) == last))
            ]
            for path in (
                "",
                "/legal",
                "/look",
                "/consents",
                "/roads",
                "/meters",
                "/forms",
                "/ledger",
                "/odds",
            ):
                answer = person.http.get(f"/v1/tables/T{path}")
                told = answer.json()
                headers = {name: one for name, one in answer.headers.items() if name not in SECRET}
                told = {name: one for name, one in told.items() if name not in {"stream", "trace"}}
                shown.append(json.dumps([answer.status_code, headers, told]))
            found[office] = "\n".join(shown).encode()
        return found


def played(folder: Path, cards: list[str]) -> tuple[list[dict[str, bytes]], list[bytes], bytes]:
    """Deal a round face down, and return what is seen before the turn, what is told, and after."""
    with served(folder / "pit.sqlite", clock=lambda: NOON) as house:
        file = folder / "table.toml"
        text = FACE_DOWN.read_text(encoding="utf-8")
        file.write_text(re.sub('pit = ".*"', 'pit = "1"', text), encoding="utf-8")
        world = World(house, file)
        world.until("CallNoMoreBets")
        begun = len(world.told)
        world.do("PlaceWager", seat=3, wager="banker", cents=10_000)
        world.do("CallNoMoreBets")
        shown = []
        for card in cards:
            world.do("DrawCard", card=card)
            shown.append(world.seen())
        # A card too many, and acts out of their order, tell nothing either.
        assert world.send("SettleWagers").status_code == 409
        told = world.told[begun:]
        world.until("SettleWagers", card="4d")
        return shown, told, world.seen()["board"]


def test_no_byte_that_leaves_differs_until_the_cards_are_turned(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    # Both hands stand in either world, so that the same acts follow.
    first = played(tmp_path / "one", ["9h", "Kc", "Td", "8s"])
    second = played(tmp_path / "two", ["Kd", "2c", "8d", "7s"])
    for before, after in zip(first[0], second[0], strict=True):
        for office, shown in before.items():
            assert shown == after[office], office
        assert len(before) == len(LOOKS)
    assert first[1] == second[1]
    # The test sees cards at all: once they are turned the worlds differ.
    assert first[2] != second[2]
    assert b"9h" in first[2]
    assert b"9h" not in second[2]
