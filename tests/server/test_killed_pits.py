"""A service is killed at random instants while its pit changes elections at two tables at once, or
moves meters that they share.

Whatever instant it is, pit and tables have the same changes: those of which the licensee was told,
each once, and at most the one that was under way.
"""

from __future__ import annotations

import random
import signal
import threading
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from croupier.records.codec import from_json
from croupier.records.stores.backup import records_of
from croupier.records.stores.places import open_store
from croupier.server.desks.leases import Terms
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import verify_pit_lines
from support.databases import cluster
from support.processes import Process
from support.project import ROOT
from support.served import NJ
from support.tables import NOTIFIED
from support.volume import volume

KILLS = volume(5, 2, most=20)
SHORT = Terms(lease=0.6, look=0.2, wait=0.02)
"""Leases that the next process need not wait for long."""
TABLES = ("T1", "T2")
ROYAL_9 = ROOT / "submissions" / "ma-royal-9.toml"
PAYS = ("9:1", "8:1")


class Licensed(Process):
    """A service in a process of its own, and its licensee."""

    def __init__(self, place: str, *files: Path, more: tuple[str, ...] = ()) -> None:
        super().__init__(place, *map(str, files), "--notified", NOTIFIED, *more, terms=SHORT)
        link = {"link": self.links["licensee"]}
        token = httpx.post(f"{self.place}/v1/tokens", json=link).json()["token"]
        self.http = httpx.Client(
            base_url=self.place, headers={"Authorization": f"Bearer {token}"}, timeout=10
        )

    def kill(self) -> None:
        super().kill()
        self.http.close()

    def link_meters(self) -> None:
        """Link the meters of the tables, unless they are."""
        command = {"type": "LinkMeters", "link": "one", "tables": TABLES, "wager": "royal_9"}
        status = 503
        while status in {429, 503}:
            sleep(0.03)
            answer = self.http.post(
                "/v1/pits/1/commands", json=command, headers={"Idempotency-Key": "link"}
            )
            status = answer.status_code
        assert status == 200, answer.text

    def changes(self, number: int) -> bool:
        """Have the tie pay otherwise at both tables; return whether that was acknowledged."""
        command = {
            "type": "ChangeElections",
            "tables": TABLES,
            "elections": {"wagers.tie.pays": PAYS[number % 2]},
        }
        status = 503
        while status in {429, 503}:
            sleep(0.03)
            try:
                answer = self.http.post(
                    "/v1/pits/1/commands", json=command, headers={"Idempotency-Key": f"n{number}"}
                )
            except httpx.TransportError:
                return False
            # The lease of the process that was killed has a moment to go.
            status = answer.status_code
        # Told again after a kill: it was done, and nobody heard of it.
        assert answer.status_code in {200, 409}, answer.text
        return answer.status_code == 200


def keys(lines: list[bytes], kind: str) -> list[str]:
    entries = [from_json(line) for line in lines[1:]]
    return [str(one["key"]) for one in entries if one["command"]["type"] == kind]


def submissions(folder: Path, file: Path, named: str, **other: str) -> list[Path]:
    """Write the submissions of the tables."""
    files = []
    for table in TABLES:
        text = file.read_text(encoding="utf-8")
        for old, new in {named: f'"{table}"', **other}.items():
            assert old in text
            text = text.replace(old, new)
        files.append(folder / f"{table}.toml")
        files[-1].write_text(text, encoding="utf-8")
    return files


def stored(place: str) -> tuple[list[bytes], dict[str, list[bytes]]]:
    """The record of the pit, and those of its tables."""
    store = open_store(place)
    try:
        return [*store.lines("pit:1")], {name: [*store.lines(name)] for name in TABLES}
    finally:
        store.close()


def moves_in(place: str) -> int:
    """How often the pit of a store that is in use has moved its meters by now."""
    with records_of(place) as records:
        lines = [*records.lines("pit:1")][1:] if "pit:1" in records.names else []
    return sum(from_json(line)["command"]["type"] == "MoveMeters" for line in lines)


def wait_for_a_settlement(place: str, moves: int) -> None:
    """Wait until meters have been moved more often than that."""
    ends = monotonic() + 30
    while moves_in(place) <= moves:
        assert monotonic() < ends, "no round was settled in between"
        sleep(0.05)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_linked_meter_is_what_its_tables_have_put_in_after_any_kill(
    kind: str, tmp_path: Path
) -> None:
    place = cluster().database() if kind == "postgres" else str(tmp_path / "pit.sqlite")
    pit_of: dict[str, str] = {'pit = "3"': 'pit = "1"'}
    files = submissions(tmp_path, ROYAL_9, '"MA-301"', **pit_of)
    chance, moves = random.Random(17), 0
    for _ in range(KILLS):
        process = Licensed(place, *files, more=("--cards", "autopilot", "--pace", "0.001"))
        process.link_meters()
        wait_for_a_settlement(place, moves)
        sleep(chance.uniform(0, 1))
        process.kill()
        pit, tables = stored(place)
        for name, lines in tables.items():
            assert verify_lines(Path(name), lines).is_clean, name
        beside = [(Path(name), lines) for name, lines in tables.items()]
        verdict = verify_pit_lines(Path("pit"), pit, beside)
        assert verdict.is_clean, (verdict.divergence, verdict.findings)
        entries = [from_json(line) for line in pit[1:]]
        moved = [one for one in entries if one["command"]["type"] == "MoveMeters"]
        # Each wager of $5 puts 15 cents into the Star, and this one begins at $10,000.
        added = sum(one["command"]["added"].get("star", 0) for one in moved)
        won = sum(one["command"]["awarded"].get("star", 0) for one in moved)
        again = sum(one["command"]["seeded"].get("star", 0) for one in moved)
        linked = next(one for one in entries if one["command"]["type"] == "LinkMeters")
        begins = linked["events"][0]["shown"]["star"]
        assert verdict.meters["one"]["star"] == begins + added - won + again
        assert len(moved) > moves
        moves = len(moved)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_pit_and_tables_have_the_same_changes_after_any_kill(kind: str, tmp_path: Path) -> None:
    place = cluster().database() if kind == "postgres" else str(tmp_path / "pit.sqlite")
    files = submissions(tmp_path, NJ, '"MB-101"')
    chance, number, told = random.Random(16), 0, list[str]()
    for _ in range(KILLS):
        process = Licensed(place, *files)
        # The instant is one of a service that has taken up the tables of the one before it.
        least = len(told) + 2
        while len(told) < least:
            assert process.is_alive
            if process.changes(number):
                told.append(f"n{number}")
            number += 1
        timer = threading.Timer(chance.uniform(0.02, 0.4), process.send, (signal.SIGKILL,))
        timer.start()
        while process.is_alive:
            if process.changes(number):
                told.append(f"n{number}")
            number += 1
        timer.join()
        process.kill()
        pit, tables = stored(place)
        done = keys(pit, "ChangeElections")
        assert [one for one in done if one in told] == told, "an acknowledged change is lost"
        assert len({*done}) == len(done)
        assert len({*done} - {*told}) <= KILLS
        entries = [from_json(line) for line in pit[1:]]
        orders = [
            f"pit-{one['seq']}" for one in entries if one["command"]["type"] == "ChangeElections"
        ]
        for name, lines in tables.items():
            assert keys(lines, "AdoptElections") == orders, name
            assert verify_lines(Path(name), lines).is_clean
        verdict = verify_pit_lines(
            Path("pit"), pit, [(Path(name), lines) for name, lines in tables.items()]
        )
        assert verdict.is_clean, (verdict.divergence, verdict.findings)
    assert len(told) > KILLS, "little was acknowledged: was it killed at once?"
