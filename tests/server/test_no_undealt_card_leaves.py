"""No undealt card and no secret leaves the service, whoever asks for whatever, in every phase.

The order of the cards that are still in the shoe is exchanged between two requests that are alike:
an answer that depends on a card still in the shoe differs.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from test_cards import drawn

from croupier.acts.command import TERMS
from croupier.money.stax import commitment_to
from croupier.records.codec import COMMANDS
from croupier.records.view.sight import VIEWERS
from croupier.server.desks import shoe
from croupier.server.http.app import RESOURCES
from croupier.server.resources.page_calls import PAGES
from support.crew import Crew
from support.served import Heard, Person, Served, listen, problem, served
from support.two_orders import TwoOrders, plain
from support.volume import volume

T: Final = "/v1/tables/MB-101"
WITH_A_CARD: Final[Mapping[str, Mapping[str, Any]]] = {
    "DrawCard": {},
    "DrawCardInError": {"disclosed": True},
    "FindFaceUpCard": {},
    "FindWrongCard": {"kind": "surplus", "supervisor": "floorperson"},
    "ReportOverdraw": {},
}
OTHERS: Final[tuple[Mapping[str, Any], ...]] = (
    {"type": "CorrectMisreadCard", "recorded": "next", "actual": "9h", "supervisor": "Flo"},
    {"type": "CorrectMisreadCard", "recorded": "9h", "actual": "next", "supervisor": "Flo"},
    {"type": "CorrectSettlement", "of": 3, "reason": "seen", "actual": "next", "hand": "player"},
)
ALWAYS: Final = (f"{T}/shoes", f"{T}/legal", f"{T}/consents")
EVERY: Final = volume(3, 9, most=1)
"""An office looks at one resource of so many in a phase: at others in the next, and than the next office."""


@pytest.mark.parametrize(
    "name", [one for one in COMMANDS if "card" in COMMANDS[one].__struct_fields__]
)
def test_every_command_with_a_card_is_asked(name: str) -> None:
    assert name in WITH_A_CARD


def test_a_command_that_draws_waits_for_no_consent() -> None:
    drawing = {name for name, one in TERMS.items() if one.draws}
    assert drawing == {"DrawCard", "DrawCardInError", "FindFaceUpCard"}
    assert not any(TERMS[name].together or TERMS[name].besides for name in drawing)


class Watch(TwoOrders):
    """Everyone who may look at a table, and a shoe whose rest may be dealt in two orders."""

    def __init__(self, house: Served, crew: Crew, log: pytest.LogCaptureFixture) -> None:
        super().__init__(house)
        self.house, self.crew, self.log, self.turn = house, crew, log, 0
        self.people: dict[str, Person] = {}
        for office in sorted(VIEWERS):
            seat = {"seat": 3, "tables": ("MB-101",)} if office == "patron" else {}
            if office in {"board", "machine"}:
                seat = {"tables": ("MB-101",)}
            self.people[office] = house.person(office, f"the {office}", **seat)
        self.looks = [
            _filled(one.path)
            for one in (*RESOURCES, *PAGES)
            if one.method == "GET" and not one.path.endswith(("/events", "/renewals"))
        ]

    def views(self) -> Iterator[tuple[str, httpx.Response]]:
        """Look at everything as everyone."""
        for turn, (office, person) in enumerate(self.people.items(), start=self.turn):
            for path in dict.fromkeys((*ALWAYS, *self.looks[turn % EVERY :: EVERY])):
                yield f"{office} GET {path}", person.http.get(path)

    def tries(self) -> Iterator[tuple[str, httpx.Response]]:
        """Try every act that has a card as everyone, but for those that would be carried out."""
        for office, person in self.people.items():
            for name, fields in WITH_A_CARD.items():
                for card in ("next", "9h", None):
                    if not self._is_carried_out(office, name, card):
                        command = {"type": name, **fields, "card": card}
                        yield f"{office} {name} {card}", person.does("MB-101", command)
            for other in OTHERS:
                yield f"{office} {other['type']}", person.does("MB-101", other)

    def _is_carried_out(self, office: str, name: str, card: str | None) -> bool:
        """Return whether an act is one that its office may do now: it would move the table."""
        if (office, name, card) == ("machine", "ReportOverdraw", "9h"):
            return True
        allowed = (office == "dealer" and card == "next") or (
            office in {"floorperson", "pit boss"} and name == "FindWrongCard" and card != "next"
        )
        if not allowed:
            return False
        acts = self.people["dealer"].sees(f"{T}/legal")["acts"]
        return name in {one["command"] for one in acts}

    def look(self, phase: str) -> None:
        """Ask twice, with another order of what is in the shoe, and compare the answers."""
        # No shoe of this test is over: the last shuffle's secret is known to the vault alone.
        shuffled = self.crew.dealer.sees(f"{T}/shoes")["shoes"][-1:]
        secrets = [self.house.service.vault.secret_of(one["commitment"]) for one in shuffled]
        self.turn += 1
        seq = self.house.service.tables["MB-101"].desk.durable.sequence
        for asks in (self.views, self.tries):
            self.others = False
            first = list(asks())
            self.others = True
            second = list(asks())
            self.others = False
            for (what, one), (_, two) in zip(first, second, strict=True):
                assert one.status_code == two.status_code, f"{phase}: {what}"
                # The pit's record has what was exported in between.
                if "/metrics" not in what and "/v1/pits/1" not in what:
                    assert _plain(one) == _plain(two), f"{phase}: {what}"
                for secret in secrets:
                    assert secret not in one.text, f"{phase}: {what}"
        assert self.house.service.tables["MB-101"].desk.durable.sequence == seq
        told = " ".join(record.getMessage() for record in self.log.records)
        assert not any(secret in told for secret in secrets)


def _plain(answer: httpx.Response) -> str:
    return plain(answer.text)


def _filled(path: str) -> str:
    values = {"table": "MB-101", "pit": "1", "number:int": "1"}
    return re.sub(r"\{([^}]*)\}", lambda name: values.get(name[1], "x"), path)


def test_no_undealt_card_leaves(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "croupier")
    with served(tmp_path / "pit.sqlite") as house:
        crew = Crew(house, "sealed")
        watch = Watch(house, crew, caplog)
        monkeypatch.setattr(shoe, "order_of", watch.order)
        seen: set[str] = set()

        def look() -> None:
            phase = house.service.tables["MB-101"].desk.durable.state.phase.name
            if phase not in seen:
                seen.add(phase)
                watch.look(phase)

        crew.until_drawing(look)
        while (act := crew.must()) and act["command"] == "DrawCard":
            look()
            crew.do("DrawCard", card="next")
        look()
        crew.do("BuyChips", seat=3, cents=100_000)

        def draw() -> None:
            look()
            crew.do("DrawCard", card="next")

        crew.round(draw, look)
        look()
        assert {"TO_CUT", "CUT", "TO_LOAD", "TO_BURN", "BETTING", "DEALING"} <= seen
        # What was dealt is what was committed to, in its order.
        (commitment,) = {one["commitment"] for one in crew.dealer.sees(f"{T}/shoes")["shoes"]}
        secret = house.service.vault.secret_of(commitment)
        assert commitment_to(secret) == commitment


def test_no_undealt_card_is_in_a_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        crew = Crew(house, "sealed")
        watch = Watch(house, crew, caplog)
        monkeypatch.setattr(shoe, "order_of", watch.order)
        crew.until_drawing()
        while (act := crew.must()) and act["command"] == "DrawCard":
            crew.do("DrawCard", card="next")
        crew.do("BuyChips", seat=3, cents=100_000)
        crew.do("PlaceWager", seat=3, wager="banker", cents=10_000)
        crew.do("CallNoMoreBets")
        crew.do("DrawCard", card="next")
        desk = house.service.tables["MB-101"].desk
        (commitment,) = {one["commitment"] for one in crew.dealer.sees(f"{T}/shoes")["shoes"]}
        secret = house.service.vault.secret_of(commitment)
        last = str(desk.durable.sequence)
        heard: dict[str, list[list[Heard]]] = {}
        for watch.others in (False, True):
            for office, person in watch.people.items():
                told = listen(
                    person,
                    f"{T}/events",
                    lambda heard: bool(heard) and heard[-1][0].endswith(last),
                    Last_Event_ID="0",
                )
                heard.setdefault(office, []).append(told)
                assert secret not in json.dumps(told), office
        watch.others = False
        assert set(heard) == set(watch.people)
        for office, (one, two) in heard.items():
            assert len(one) > 5, office
            assert plain(json.dumps(one)) == plain(json.dumps(two)), office


def test_the_floorperson_does_not_learn_the_next_card(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        crew = Crew(house, "sealed")
        crew.until_drawing()
        while (act := crew.must()) and act["command"] == "DrawCard":
            crew.do("DrawCard", card="next")
        wrong = {"type": "FindWrongCard", "kind": "surplus", "supervisor": "Flo", "card": "next"}
        detail = problem(crew.floor.does("MB-101", wrong), 422, "malformed")["detail"]
        assert not re.search(r"\b[A2-9TJQK][shdc]\b", detail)


def test_a_card_drawn_in_error_is_the_next_one_and_is_in_the_record(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        crew = Crew(house, "sealed")
        crew.until_drawing()
        while (act := crew.must()) and act["command"] == "DrawCard":
            crew.do("DrawCard", card="next")
        table = house.service.tables["MB-101"]
        assert table.shoes is not None
        foretold, before = table.shoes.card(table.desk.durable).notation, drawn(house)
        told = crew.do("DrawCardInError", card="next", disclosed=True)
        assert told["entries"][0]["command"]["card"] == foretold
        assert drawn(house) == before


def test_the_secret_is_told_once_the_cards_are_out_of_the_shoe(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        crew = Crew(house, "sealed")
        told: list[bool] = []
        patron = house.person("patron", "Pat", seat=3, tables=("MB-101",))

        def look() -> None:
            told.extend(one["secret"] is not None for one in patron.sees(f"{T}/shoes")["shoes"])

        crew.until_drawing(look)
        while (act := crew.must()) and act["command"] == "DrawCard":
            crew.do("DrawCard", card="next")
            look()
        assert told
        assert not any(told)
        crew.do("LeaveTable", seat=3)
        waits = crew.floor.does("MB-101", {"type": "CloseTable"})
        assert waits.status_code in {200, 202}, waits.text
        if waits.status_code == 202:
            crew.dealer.http.post(
                f"{T}/consents/{waits.json()['consent']['id']}",
                json={"consent": True},
                headers={"Idempotency-Key": crew.dealer.key()},
            )
        watcher = house.person("surveillance")
        (over,) = watcher.sees(f"{T}/shoes")["shoes"]
        assert commitment_to(over["secret"]) == over["commitment"]
        assert json.loads(watcher.http.get(T).text)["phase"] == "CLOSED"
