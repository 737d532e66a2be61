"""One token, and all that it can get for itself, does no act that takes two persons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from croupier.acts.command import TERMS
from croupier.acts.roles import LOOKS, Role
from croupier.records.codec import decode_command
from croupier.records.grants import Grant
from croupier.table.machine.position import Proposal, propose
from croupier.table.pit import access
from support.office_matrix import (
    Matrix,
    Persona,
    Point,
    commands_at,
    forecast,
    personas,
)
from support.samples import sample_of
from support.served import MA_EZ, NJ, PUNTO_BANCO, Person, Served, served
from support.volume import spread

TWO_PERSONS = frozenset(name for name, one in TERMS.items() if one.together or one.besides)
OWN = {"SealDecks": {"envelope": "of its own"}}
"""What two tables of a service cannot have in common."""
GIVERS = frozenset({Role.LICENSEE, Role.PIT_BOSS, Role.FLOORPERSON})


class Act(NamedTuple):
    """A command that takes two persons, at a point where the table takes it if it ever does."""

    point: Point
    data: dict[str, Any]


def two_person_acts(points: list[Point], names: frozenset[str]) -> Iterator[Act]:
    """Yield each command that takes two persons, where it is decided in the best way."""
    found: dict[str, tuple[bool, Act]] = {}
    for point in points:
        here = {one["type"]: one | OWN.get(one["type"], {}) for one in commands_at(point.position)}
        here |= {name: sample_of(name) for name in names - here.keys()}
        for name in sorted(names):
            command = decode_command(here[name])
            waits = any(
                202 in {wanted.status, wanted.taken}
                for one in personas(point.position)
                for wanted in [forecast(point.position, command, one)]
            )
            takes = waits and isinstance(propose(point.position, command), Proposal)
            if name not in found or (takes and not found[name][0]):
                found[name] = takes, Act(point, here[name])
    yield from (act for _, act in found.values())


class Alone:
    """Somebody with one token, and the tokens that it leads to."""

    def __init__(self, house: Served, token: str, persona: Persona, table: str) -> None:
        self.house = house
        self.persona = persona
        self.own = Person(house.place, token)
        self.others: list[tuple[str, Person]] = []
        self.made = 0
        if persona.office in GIVERS | {Role.DEALER, Role.SURVEILLANCE}:
            for office in LOOKS:
                for person in (str(office), f"Puppet {office}", persona.person):
                    self.grants(office, person, table)

    def grants(self, office: str, person: str, table: str) -> None:
        """Make a grant, and try every way to get its token."""
        if any(office == got for got, _ in self.others):
            return
        seat = {"seat": 2, "tables": [table]} if office == Role.PATRON else {}
        wanted = {"person": person, "office": office, **seat}
        answer = self.own.http.post("/v1/grants", json=wanted)
        if answer.status_code != 201:
            return
        self.made += 1
        made = answer.json()
        codes = [""]
        for one in (self.own, *(other for _, other in self.others)):
            consented = one.http.post(f"/v1/grants/{made['id']}", json={"consent": True})
            codes += [consented.json()["code"]] if consented.status_code == 200 else []
        listed = self.own.http.get("/v1/grants").text
        assert made["link"] not in listed
        for client in (self.house.anybody(), self.own.http):
            for code in (*codes, made["link"], made["id"], "22222222"):
                told = client.post("/v1/tokens", json={"link": made["link"], "code": code})
                if told.status_code == 201:
                    token = told.json()["token"]
                    self.others.append((office, Person(self.house.place, token)))

    def forges(self) -> None:
        """Ask the pit for entries that only the service makes."""
        for kind in ("ConsentToGrant", "SignIn", "GrantOffice", "MakeLink"):
            answer = self.own.http.post(
                "/v1/pits/1/commands", json={"type": kind, "grant": "x"},
                headers={"Idempotency-Key": self.own.key()},
            )  # fmt: skip
            assert answer.status_code in {403, 422}

    def tries(self, table: str, data: Mapping[str, Any]) -> str:
        """Give a command, consent to it with everything there is; return what came of it."""
        everyone = (self.own, *(one for _, one in self.others))
        came = "refused"
        for one in everyone:
            answer = one.does(table, data)
            if answer.status_code == 200:
                return "done"
            if answer.status_code != 202:
                continue
            came = "waits"
            name = answer.json()["consent"]["id"]
            for other in (*everyone, *reversed(everyone)):
                told = other.http.post(
                    f"/v1/tables/{table}/consents/{name}", json={"consent": True},
                    headers={"Idempotency-Key": other.key()},
                )  # fmt: skip
                if told.status_code == 200:
                    return "done"
        return came

    def close(self) -> None:
        for one in (self.own, *(other for _, other in self.others)):
            one.http.close()


class Tried:
    """What came of every act of two persons of a submission, tried by every office alone."""

    def __init__(self, path: Path, file: Path, names: frozenset[str] = TWO_PERSONS) -> None:
        self.count = Counter[str]()
        self.done: list[str] = []
        self.got: set[str] = set()
        self.made = 0
        store, points = Matrix.prepared(path, [file])
        with served(store) as house:
            house.do(house.service.pit("1"))
            store.forgets = True
            matrix = Matrix(house, points)
            cells: dict[tuple[Persona, str], list[Act]] = {}
            for act in two_person_acts(points, names):
                for one in personas(act.point.position):
                    of = "" if one.seat is None else act.point.name
                    cells.setdefault((one, of), []).append(act)
            for (persona, _), acts in cells.items():
                self._try(matrix, persona, acts)
            matrix.wire.close()

    def _try(self, matrix: Matrix, persona: Persona, acts: list[Act]) -> None:
        """Have one person try acts while nobody else has a grant."""
        house, name = matrix.house, acts[0].point.name
        alone = Alone(house, matrix.token(persona, name), persona, name)
        alone.forges()
        for act in acts:
            came = alone.tries(act.point.name, act.data)
            self.count[came] += 1
            # In some cases that a command names nobody has to consent.
            command = decode_command(act.data)
            if came == "done" and forecast(act.point.position, command, persona).status != 200:
                self.done.append(f"{act.point.name} {act.data['type']} {persona}")
        self.got |= {office for office, _ in alone.others}
        self.made += alone.made
        registry = house.service.grants
        everyone = tuple(one.id for one in registry.standing(house.service.now()))
        house.do(registry.revoke(everyone, house.service.now()))
        alone.close()


@pytest.mark.parametrize("file", spread([NJ, PUNTO_BANCO, MA_EZ], 2), ids=lambda path: path.stem)
def test_one_token_does_no_act_of_two_persons(file: Path, tmp_path: Path) -> None:
    tried = Tried(tmp_path / "pit.sqlite", file)
    assert tried.done == []
    assert tried.got == {Role.BOARD}, "a display has no acts; nothing else is anybody's alone"
    assert tried.made > 20
    # It was asked where the table would have taken it.
    assert tried.count["waits"] >= 10


def test_a_service_whose_grants_wait_for_nobody_would_be_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Grant, "waits", property(lambda _: False))
    monkeypatch.setattr(access, "_waits", lambda _: False)
    tried = Tried(tmp_path / "pit.sqlite", NJ, frozenset({"OpenTable", "CloseTable"}))
    assert len(tried.got) > 5
    assert tried.done != []
