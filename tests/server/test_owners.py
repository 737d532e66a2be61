"""Two processes on one database: one owner for each table, and the other one ready to be it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from croupier.client import AsyncClient, Client
from croupier.records.stores.postgres_store import PostgresStore
from croupier.server.desks.leases import USUAL, Terms
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import verify_pit_lines
from support.databases import cluster
from support.processes import Process
from support.served import NJ, Person, problem
from support.tables import NOTIFIED, OPEN

TABLE = "MB-101"
TAKE_OVER = 5.0
"""Seconds after which a table must have another owner."""


def token_of(process: Process, code: str) -> str:
    """Return the token of a link, once the process answers for its pit."""
    answers: list[dict[str, str]] = []

    def is_given() -> bool:
        answers.append(httpx.post(f"{process.place}/v1/tokens", json={"link": code}).json())
        return "token" in answers[-1]

    waited(is_given, 20)
    return answers[-1]["token"]


class Pair:
    """Two processes, and the tokens of people, which both know."""

    def __init__(self, terms: Terms) -> None:
        self.address = cluster().database()
        self.first = Process(self.address, str(NJ), "--notified", NOTIFIED, terms=terms)
        self.second = Process(self.address, terms=terms)
        self.tokens = {
            office: token_of(self.first, code)
            for office, code in self.first.links.items()
            if office in {"dealer", "floorperson", "surveillance"}
        }
        self.people: list[Person] = []
        # Tokens are made at the first process, and the other one hears of them.
        *_, last = (self.person(self.second, office) for office in self.tokens)
        waited(lambda: last.http.get("/v1/tokens/mine").status_code == 200)

    def person(self, at: Process, office: str) -> Person:
        self.people.append(Person(at.place, self.tokens[office]))
        return self.people[-1]

    def open(self) -> tuple[Person, Person]:
        """Open the table; return its dealer at the first process, and at the second."""
        here, there = (self.person(one, "dealer") for one in (self.first, self.second))
        floor = self.person(self.first, "floorperson")
        names = {"dealer": "dealer", "floorperson": "floorperson"}
        asked = floor.does(TABLE, {**OPEN, **names}).json()
        consent = here.http.post(
            f"/v1/tables/{TABLE}/consents/{asked['consent']['id']}",
            json={"consent": True},
            headers={"Idempotency-Key": "open"},
        )
        assert (consent.status_code, consent.json()["seq"]) == (200, 1), consent.text
        return here, there

    def lines(self) -> list[bytes]:
        with PostgresStore(self.address) as store:
            return [*store.lines(TABLE)]

    def close(self) -> None:
        for one in self.people:
            one.http.close()
        both = (self.first, self.second)
        for process in both:
            process.ask_to_end()
        for process in both:
            process.wait()


@pytest.fixture
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    made = Pair(getattr(request, "param", USUAL))
    try:
        yield made
    finally:
        made.close()


def seat(number: int) -> dict[str, Any]:
    return {"type": "SeatPatron", "seat": number, "patron": f"Pat {number}"}


def waited(is_so: Callable[[], bool], seconds: float = TAKE_OVER) -> float:
    """Wait until something is so, and return how long it took."""
    begun = monotonic()
    while not is_so():
        assert monotonic() < begun + seconds, "it took too long"
        sleep(0.1)  # a token asks twenty times a second at most
    return monotonic() - begun


@contextmanager
def heard(person: Person) -> Iterator[list[int]]:
    """Give the numbers of the entries that somebody hears, as they come."""
    numbers: list[int] = []

    def listen() -> None:
        with (
            suppress(httpx.HTTPError),  # as the process ends, or the test
            person.http.stream("GET", f"/v1/tables/{TABLE}/events?after=0") as answer,
        ):
            for line in answer.iter_lines():
                if line.startswith("id: "):
                    numbers.append(int(line[4:]))  # noqa: PERF401  (each as it comes)

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    yield numbers


def test_any_process_shows_a_table_and_names_its_owner(pair: Pair) -> None:
    here, there = pair.open()
    with heard(pair.person(pair.second, "surveillance")) as numbers:
        assert here.does(TABLE, seat(3), key="k3").json()["seq"] == 2
        told = problem(there.does(TABLE, seat(4)), 503, "not_owner")
        assert told["owner"] == pair.first.place
        # What was answered is answered by anybody.
        again = there.does(TABLE, seat(3), key="k3")
        assert (again.status_code, again.json()["seq"]) == (200, 2)
        assert again.headers["idempotent-replay"] == "true"
        waited(lambda: numbers == [1, 2])
    assert there.sees(f"/v1/tables/{TABLE}")["seq"] == 2
    problem(there.http.get(f"/v1/tables/{TABLE}/consents"), 503, "not_owner")


READS = ("", "/look", "/legal", "/log", "/roads", "/ledger", "/meters", "/forms", "/verify")
"""What either process answers of a table, whoever owns it."""


def test_either_process_answers_what_only_looks_and_neither_decides_for_the_other(
    pair: Pair,
) -> None:
    here, _ = pair.open()
    assert here.does(TABLE, seat(3)).json()["seq"] == 2
    watchers = [pair.person(one, "surveillance") for one in (pair.first, pair.second)]
    waited(lambda: watchers[1].sees(f"/v1/tables/{TABLE}")["seq"] == 2)
    for path in READS:
        answers = [one.http.get(f"/v1/tables/{TABLE}{path}") for one in watchers]
        assert [one.status_code for one in answers] == [200, 200], path
        assert answers[0].content == answers[1].content, path
    # What both have exported is in the record of the pit, by its owner.
    waited(lambda: exports(pair) == 2 * sum(path in {"/log", "/ledger", "/odds"} for path in READS))
    waited(lambda: watchers[0].sees("/v1/pits/1") == watchers[1].sees("/v1/pits/1"))
    log = watchers[0].http.get("/v1/pits/1/log").content
    assert watchers[1].http.get("/v1/pits/1/log").content.startswith(log)
    # What is decided: one command, several, one that needs a consent, and one of the pit.
    there, floor = (pair.person(pair.second, one) for one in ("dealer", "floorperson"))
    link = pair.second.links["licensee"]
    told = httpx.post(f"{pair.second.place}/v1/tokens", json={"link": link}).json()
    pair.tokens["licensee"] = told["token"]
    licensee = pair.person(pair.second, "licensee")
    both = b"\n".join(json.dumps(seat(number)).encode() for number in (4, 5))
    asked = (
        there.does(TABLE, seat(4)),
        there.http.post(
            f"/v1/tables/{TABLE}/commands",
            content=both,
            headers={"Content-Type": "application/x-ndjson", "Idempotency-Key": "both"},
        ),
        floor.does(TABLE, {"type": "CloseTable"}),
        licensee.http.post(
            "/v1/pits/1/commands",
            json={"type": "WithdrawTable", "table": TABLE},
            headers={"Idempotency-Key": "withdraw"},
        ),
    )
    for answer in asked:
        assert problem(answer, 503, "not_owner")["owner"] == pair.first.place
        assert answer.headers["retry-after"] == "1"
    assert len(pair.lines()) == 3


# A client waits twice as long each time: longer than this lease with its fifth wait.
@pytest.mark.parametrize("pair", [Terms(lease=4, look=0.5)], indirect=True, ids=["soon"])
def test_a_client_asks_the_owner_that_it_is_told_of(pair: Pair) -> None:
    pair.open()
    token = pair.tokens["dealer"]
    with Client(pair.second.place, token, tries=2) as client:
        assert client.command(TABLE, seat(3), key="k3")["seq"] == 2
        # Under the same key it is the same answer, whoever is asked.
        waited(lambda: client.get(f"/v1/tables/{TABLE}")["seq"] == 2)
        assert client.command(TABLE, seat(3), key="k3")["seq"] == 2

    async def asks() -> int:
        async with AsyncClient(pair.second.place, token, tries=2) as client:
            sequence: int = (await client.command(TABLE, seat(4)))["seq"]
            return sequence

    assert asyncio.run(asks()) == 3
    # An owner that is gone names nobody for long: the table is taken over here.
    pair.first.send(signal.SIGKILL)
    with Client(pair.second.place, token, tries=8) as client:
        assert client.command(TABLE, seat(5))["seq"] == 4
    assert verify_lines(Path("log"), pair.lines()).entries == 4


def exports(pair: Pair) -> int:
    with PostgresStore(pair.address) as store:
        return sum(b'"command":{"type":"NoteExport"' in one for one in store.lines("pit:1"))


def test_who_signs_in_where_the_owner_is_not_is_in_the_record(pair: Pair) -> None:
    link = pair.first.links["licensee"]
    here, there = {"link": link}, {"link": pair.second.links["pit boss"]}
    assert httpx.post(f"{pair.second.place}/v1/tokens", json=here).status_code == 201
    pair.first.send(signal.SIGSTOP)
    # Nobody records it now.
    assert httpx.post(f"{pair.second.place}/v1/tokens", json=there).status_code == 201
    pair.first.send(signal.SIGKILL)
    waited(lambda: signed_in(pair)[-2:] == ["licensee", "pit boss"])
    assert len(signed_in(pair)) == len(pair.tokens) + 2
    with PostgresStore(pair.address) as store:
        assert verify_pit_lines(Path("pit"), store.lines("pit:1")).divergence is None
        assert store.documents("note") == {}


def signed_in(pair: Pair) -> list[str]:
    with PostgresStore(pair.address) as store:
        entries = [json.loads(one) for one in store.lines("pit:1")]
    return [one["events"][0]["office"] for one in entries[1:] if one["command"]["type"] == "SignIn"]


def test_a_grant_that_is_revoked_at_one_process_is_none_at_the_other(pair: Pair) -> None:
    there = pair.person(pair.second, "dealer")
    assert there.sees("/v1/tables")["tables"][0]["table"] == TABLE
    mine = there.sees("/v1/tokens/mine")
    boss = httpx.post(
        f"{pair.first.place}/v1/tokens", json={"link": pair.first.links["licensee"]}
    ).json()["token"]
    gone = httpx.delete(
        f"{pair.first.place}/v1/grants/{mine['id']}", headers={"Authorization": f"Bearer {boss}"}
    )
    assert gone.status_code < 300, gone.text
    waited(lambda: there.http.get("/v1/tables").status_code == 401)
    # A link is good once, whoever is asked.
    used = httpx.post(f"{pair.second.place}/v1/tokens", json={"link": pair.first.links["licensee"]})
    assert used.status_code == 410


@pytest.mark.parametrize("ends", [signal.SIGKILL, signal.SIGTERM])
def test_a_table_is_taken_over_in_under_five_seconds(pair: Pair, ends: signal.Signals) -> None:
    here, there = pair.open()
    assert here.does(TABLE, seat(3)).json()["seq"] == 2
    pair.first.send(ends)
    waited(lambda: there.does(TABLE, seat(4), key="k4").status_code == 200)
    assert there.does(TABLE, seat(5)).json()["seq"] == 4
    verdict = verify_lines(Path("log"), pair.lines())
    assert (verdict.is_clean, verdict.entries) == (True, 4)


def test_an_owner_that_stalled_writes_nothing_and_follows(pair: Pair) -> None:
    here, there = pair.open()
    assert here.does(TABLE, seat(3)).json()["seq"] == 2
    with heard(pair.person(pair.first, "surveillance")) as numbers:
        waited(lambda: numbers == [1, 2])
        pair.first.send(signal.SIGSTOP)
        late: list[httpx.Response] = []
        # It is received by a process that stands still, and decided when that goes on.
        asks = threading.Thread(target=lambda: late.append(here.does(TABLE, seat(6), key="late")))
        asks.start()
        waited(lambda: there.does(TABLE, seat(4), key="k4").status_code == 200)
        assert there.does(TABLE, seat(5)).json()["seq"] == 4
        pair.first.send(signal.SIGCONT)
        asks.join(20)
        assert problem(late[0], 503, "not_owner")
        waited(lambda: numbers == [1, 2, 3, 4])
    waited(lambda: here.sees(f"/v1/tables/{TABLE}")["seq"] == 4)
    told = problem(here.does(TABLE, seat(6), key="late"), 503, "not_owner")
    assert told["owner"] == pair.second.place
    lines = pair.lines()
    assert not any(b"Pat 6" in line for line in lines)
    verdict = verify_lines(Path("log"), lines)
    assert (verdict.is_clean, verdict.entries) == (True, 4)


def operates(pair: Pair, at: Process, path: str) -> httpx.Response:
    """Do an act of the operator's page at a process."""
    with httpx.Client(base_url=at.place, headers={"Origin": at.place}) as browser:
        browser.cookies.set("croupier", pair.tokens["operator"])
        form = re.search(r'name="form" value="(\w+)"', browser.get("/operator").text)
        assert form is not None
        return browser.post(f"/operator/{path}", data={"form": form[1]}, timeout=20)


def operator_of(pair: Pair) -> None:
    """Make an operator, by the licensee with the consent of surveillance."""
    codes = {"link": pair.first.links["licensee"]}
    pair.tokens["licensee"] = httpx.post(f"{pair.first.place}/v1/tokens", json=codes).json()[
        "token"
    ]
    licensee, watch = (pair.person(pair.first, one) for one in ("licensee", "surveillance"))
    made = licensee.http.post("/v1/grants", json={"person": "Oz", "office": "operator"}).json()
    told = watch.http.post(f"/v1/grants/{made['id']}", json={"consent": True}).json()
    both = {"link": made["link"], "code": told["code"]}
    answer = httpx.post(f"{pair.first.place}/v1/tokens", json=both)
    pair.tokens["operator"] = answer.json()["token"]
    there = pair.person(pair.second, "operator")
    waited(lambda: there.http.get("/v1/tokens/mine").status_code == 200)


def test_tables_are_handed_over_in_under_half_a_second_and_lose_nothing(pair: Pair) -> None:
    operator_of(pair)
    dealers = pair.open()
    acknowledged: list[tuple[float, int]] = []
    ends = threading.Event()

    def deals() -> None:
        at, number = 0, 0
        while not ends.is_set():
            number += 1
            note = {"type": "WriteNote", "text": f"note {number}"}
            while True:
                answer = dealers[at].does(TABLE, note, key=f"note-{number}")
                if answer.status_code == 200:
                    acknowledged.append((monotonic(), answer.json()["seq"]))
                    break
                assert answer.json()["code"] == "not_owner", answer.text
                at = 1 - at
                sleep(0.03)
            sleep(0.05)

    thread = threading.Thread(target=deals)
    thread.start()
    places = (pair.first, pair.second)
    pauses = []
    try:
        for turn in range(4):
            waited(lambda: len(acknowledged) > 10 * (turn + 1))  # noqa: B023  (called at once)
            begun = monotonic()
            assert operates(pair, places[turn % 2], "acts/hand-over").status_code == 303
            waited(lambda: len([one for one, _ in acknowledged if one > begun + 0.5]) > 5)  # noqa: B023
            times = [one for one, _ in acknowledged if one > begun - 0.2]
            pauses.append(max(after - one for one, after in pairwise(times)))
    finally:
        ends.set()
        thread.join(20)
    # The machine of the tests is shared: one slow turn is no sign of the service.
    assert sorted(pauses)[1] < 0.5, pauses
    verdict = verify_lines(Path("log"), pair.lines())
    assert (verdict.is_clean, verdict.entries) == (True, acknowledged[-1][1])
    notes = [json.loads(one)["command"]["text"] for one in pair.lines() if b'"WriteNote"' in one]
    assert notes == [f"note {number + 1}" for number in range(len(acknowledged))]
    owner = problem(dealers[1].does(TABLE, seat(5)), 503, "not_owner")["owner"]
    assert owner == pair.first.place


def test_what_waits_for_consent_is_handed_over_and_done_once(pair: Pair) -> None:
    operator_of(pair)
    dealer, floor = (pair.person(pair.second, one) for one in ("dealer", "floorperson"))
    here = pair.person(pair.first, "floorperson")
    opens = {**OPEN, "dealer": "dealer", "floorperson": "floorperson"}
    waits = here.does(TABLE, opens).json()["consent"]["id"]
    assert operates(pair, pair.first, "acts/hand-over").status_code == 303
    waited(lambda: floor.http.get(f"/v1/tables/{TABLE}/consents").status_code == 200)
    path = f"/v1/tables/{TABLE}/consents/{waits}"
    stated = [{"Idempotency-Key": key} for key in ("a", "a", "b")]
    told = [dealer.http.post(path, json={"consent": True}, headers=one) for one in stated]
    assert [one.status_code for one in told] == [200, 200, 410]
    assert told[1].headers["idempotent-replay"] == "true"
    there = pair.person(pair.first, "dealer")
    problem(there.http.post(path, json={"consent": True}, headers=stated[2]), 503, "not_owner")
    assert len(pair.lines()) == 2


@pytest.mark.parametrize("other", [signal.SIGKILL, signal.SIGSTOP])
def test_a_pit_that_nobody_takes_over_is_not_released(pair: Pair, other: signal.Signals) -> None:
    operator_of(pair)
    here, there = pair.open()
    assert operates(pair, pair.second, "acts/hand-over").status_code == 503
    pair.second.send(other)
    answers: list[httpx.Response] = []
    asks = threading.Thread(
        target=lambda: answers.append(operates(pair, pair.first, "acts/hand-over"))
    )
    asks.start()
    notes = 0
    while asks.is_alive():
        notes += 1
        note = {"type": "WriteNote", "text": f"note {notes}"}
        assert here.does(TABLE, note).status_code == 200
        sleep(0.1)
    asks.join()
    assert notes > 10
    assert answers[0].status_code == 303
    if other is signal.SIGSTOP:
        # An offer that was withdrawn is not accepted any more.
        pair.second.send(signal.SIGCONT)
        waited(lambda: there.sees(f"/v1/tables/{TABLE}")["seq"] == notes + 1)
        problem(there.does(TABLE, seat(3)), 503, "not_owner")
    assert here.does(TABLE, seat(3)).status_code == 200


def test_a_table_made_at_one_process_is_shown_by_the_other(pair: Pair) -> None:
    link = pair.second.links["licensee"]
    token = httpx.post(f"{pair.second.place}/v1/tokens", json={"link": link}).json()["token"]
    pair.tokens["licensee"] = token
    there, here = (pair.person(one, "licensee") for one in (pair.second, pair.first))

    def makes(person: Person) -> httpx.Response:
        return person.http.post(
            "/v1/tables",
            params={"table": "MB-102", "notified": NOTIFIED},
            content=NJ.read_bytes(),
            headers={"Content-Type": "application/toml"},
        )

    # A pit and its tables have one owner.
    told = problem(makes(there), 503, "not_owner")
    assert told["owner"] == pair.first.place
    # The token was made at the other process, of which this one hears.
    waited(lambda: here.http.get("/v1/tokens/mine").status_code == 200)
    made = makes(here)
    assert made.status_code == 201, made.text
    waited(lambda: there.http.get("/v1/tables/MB-102").status_code == 200)
    watched = there.sees("/v1/pits/1")
    assert [one["admitted"] for one in watched["tables"]] == [True, True]
