"""Long queries: in processes of their own, with a bounded queue, and nothing of the service in them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.records.codec import from_json
from croupier.records.view.sight import is_open
from croupier.server import worker
from croupier.server.worker import PLACES, PLACES_OF_ONE, Worker
from croupier.verify.log import verify_lines
from support.pit_service import NEW, Clock, Pit
from support.raw import Wire
from support.served import NJ, Person, Served, problem, served
from support.tables import make_table

T = "MB-101"
VERIFY = f"/v1/tables/{T}/verify"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table of which some rounds were dealt."""
    clock = Clock()
    with served(tmp_path_factory.mktemp("pit") / "pit.sqlite", clock=clock) as one:
        pit = Pit(one, clock)
        assert pit.makes(T).status_code == 201
        pit.deals(T, lambda state: state.rounds >= 3 and not state.round)
        yield one


@pytest.fixture(scope="module")
def watcher(house: Served) -> Person:
    return house.person("surveillance")


@contextmanager
def busy(house: Served, one: Worker, askers: int) -> Iterator[None]:
    """Have a query run, and others wait, each of another person."""

    async def begin() -> list[asyncio.Task[None]]:
        loop = asyncio.get_running_loop()
        return [
            loop.create_task(one.run(f"asker {number}", time.sleep, 60)) for number in range(askers)
        ]

    async def end(tasks: list[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    tasks = house.do(begin())
    try:
        soon(lambda: one.queries == askers)
        yield
    finally:
        house.do(end(tasks))
    assert one.queries == 0


def soon(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 15
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def process_of(house: Served, watcher: Person) -> int:
    """Return the process that has answered a query."""
    assert watcher.sees(VERIFY)["clean"]
    process = house.service.verifier._process  # noqa: SLF001  (no caller needs it)
    assert process is not None
    return process.pid


def test_the_answer_is_that_of_the_record(house: Served, watcher: Person) -> None:
    lines = [*house.service.store.lines(T)]
    verdict = verify_lines(Path(T), lines)
    assert verdict.is_clean
    assert watcher.sees(VERIFY) == {
        "clean": True, "entries": len(lines) - 1, "events": verdict.events,
        "rounds": verdict.rounds, "open": verdict.is_open, "day": 1,
        "edition": verdict.header.edition, "differences": [], "divergence": None,
        "findings": [
            {"round": one.round, "kind": one.kind, "message": one.message, "fails": one.fails}
            for one in verdict.findings
        ],
    }  # fmt: skip


def test_a_full_queue_is_said_at_once_and_commands_go_on(house: Served, watcher: Person) -> None:
    with busy(house, house.service.verifier, PLACES):
        for path in (VERIFY, "/v1/pits/1/verify"):
            answer = watcher.http.get(path)
            problem(answer, 503, "busy")
            assert int(answer.headers["retry-after"]) > 0
        assert Pit(house, Clock()).done("GiveNotice", elections=NEW, to="Commission")
        # Odds have a queue of their own.
        assert watcher.http.get(f"/v1/tables/{T}/odds").status_code == 200
    assert watcher.sees(VERIFY)["clean"]


def test_nobody_takes_the_places_of_everybody(house: Served, watcher: Person) -> None:
    clerk = house.person("pit clerk", "Clem")
    with busy(house, house.service.verifier, 1), ThreadPoolExecutor() as pool:
        waiting = [pool.submit(clerk.http.get, VERIFY) for _ in range(PLACES_OF_ONE)]
        soon(lambda: house.service.verifier.queries == 1 + PLACES_OF_ONE)
        problem(clerk.http.get(VERIFY), 503, "busy")
        # The same person does not get more of them by another grant.
        again = house.person("pit clerk", "Clem")
        problem(again.http.get(VERIFY), 503, "busy")
        other = pool.submit(watcher.http.get, VERIFY)
        soon(lambda: house.service.verifier.queries == 2 + PLACES_OF_ONE)
        house.do(house.service.verifier.end())
        assert {one.result().status_code for one in (*waiting, other)} == {200}


@pytest.mark.parametrize("runs", [True, False], ids=["running", "waiting"])
def test_a_caller_who_leaves_frees_the_place(house: Served, watcher: Person, *, runs: bool) -> None:
    verifier, wire = house.service.verifier, Wire(house.place, seconds=0.5)
    stopped = process_of(house, watcher)
    os.kill(stopped, signal.SIGSTOP)
    try:
        with busy(house, verifier, 0 if runs else 1):
            before = verifier.queries
            with pytest.raises(TimeoutError):
                wire.ask("GET", VERIFY, None, {"Authorization": f"Bearer {watcher.token}"})
            assert verifier.queries == before + 1
            wire.close()
            soon(lambda: verifier.queries == before)
    finally:
        os.kill(stopped, signal.SIGCONT) if not runs and alive(stopped) else None
    assert watcher.sees(VERIFY)["clean"]


def test_a_killed_process_is_replaced_and_its_query_answered(
    house: Served, watcher: Person
) -> None:
    verifier, first = house.service.verifier, process_of(house, watcher)
    os.kill(first, signal.SIGSTOP)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(watcher.http.get, VERIFY)
        soon(lambda: verifier.queries == 1)
        os.kill(first, signal.SIGKILL)
        problem(asked.result(), 500, "failed")
    assert process_of(house, watcher) != first


def test_a_process_killed_while_it_waits_costs_no_query(house: Served, watcher: Person) -> None:
    first = process_of(house, watcher)
    os.kill(first, signal.SIGKILL)
    soon(lambda: not alive(first))
    assert process_of(house, watcher) != first


def test_a_query_has_no_more_memory_than_its_bound(house: Served) -> None:
    verifier = house.service.verifier
    with pytest.raises(MemoryError):
        house.do(verifier.run("somebody", bytearray, 2 << 30))
    assert house.do(verifier.run("somebody", bytearray, 3)) == bytearray(3)


def test_a_process_without_memory_answers_nobody_else(house: Served, watcher: Person) -> None:
    """A page that did not fit is still in the line, where the next query would begin."""
    first = process_of(house, watcher)
    with pytest.raises(MemoryError):
        house.do(house.service.verifier.run("somebody", bytearray, 2 << 30))
    assert process_of(house, watcher) != first
    assert not alive(first)


def test_a_query_that_takes_too_long_is_ended(
    house: Served, watcher: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = process_of(house, watcher)
    os.kill(first, signal.SIGSTOP)
    monkeypatch.setattr(worker, "_SECONDS", 0.3)
    problem(watcher.http.get(VERIFY), 500, "failed")
    monkeypatch.undo()
    assert process_of(house, watcher) != first


def test_the_process_ends_with_a_killed_service() -> None:
    """A service that is killed closes its end of the line, and says nothing more."""
    one = subprocess.Popen(  # noqa: S603  (of this project)
        [sys.executable, "-P", "-m", worker.__name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    one.communicate(timeout=20)
    assert one.returncode == 0


def test_the_processes_end_with_the_service(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        house.do(house.service.verifier.run("somebody", len, ()))
        process = house.service.verifier._process  # noqa: SLF001  (as above)
        assert process is not None
    assert not alive(process.pid)


def test_a_query_holds_up_no_end_of_the_service(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house, ThreadPoolExecutor() as pool:
        make_table(house)
        watcher = house.person("surveillance")
        stopped = process_of(house, watcher)
        os.kill(stopped, signal.SIGSTOP)
        asked = [pool.submit(watcher.http.get, VERIFY) for _ in range(PLACES_OF_ONE)]
        soon(lambda: house.service.verifier.queries == PLACES_OF_ONE)
        begun = time.monotonic()
        house.end_in(0)
        for one in asked:
            problem(one.result(), 503, "closing")
    assert time.monotonic() < begun + 5


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_difference_does_not_tell_a_card_that_lies_face_down(tmp_path: Path) -> None:
    """The last entry is falsified while cards lie face down: what differs is said later."""
    clock = Clock()
    with served(tmp_path / "pit.sqlite", clock=clock) as house:
        pit = Pit(house, clock)
        file = NJ.with_stem("nj-minibaccarat-total-cards")
        pit_1: dict[str, Any] = {'pit = "5"': 'pit = "1"'}
        assert pit.makes(T, file, **pit_1).status_code == 201
        pit.deals(T, lambda state: state.round is not None and len(state.round.coup.player) > 1)
        found = house.service.tables[T]
        assert not is_open(found.desk.durable)
        lines = [*house.service.store.lines(T)]
        card = card_of(lines[-1])
        other = lines[-1].replace(card.encode(), b"Ah" if card != "Ah" else b"Kc")
        house.service.lines = falsified(house.service, lines[-1], other)  # type: ignore[method-assign]
        told = house.person("pit clerk").sees(VERIFY)
        assert told["divergence"]["line"] == len(lines)
        assert (told["clean"], told["divergence"]["message"]) == (False, "")


def card_of(line: bytes) -> str:
    card: str = from_json(line)["command"]["card"]
    return card


def falsified(service: Any, line: bytes, other: bytes) -> Any:
    read = service.lines

    async def lines(*asked: Any) -> list[bytes]:
        return [other if one == line else one for one in await read(*asked)]

    return lines
