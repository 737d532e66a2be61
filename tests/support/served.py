"""A service over real HTTP on loopback, in a thread of the test's own process."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from croupier.records.entry import system_clock
from croupier.records.grants import Grant, grant_command
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.store import Store
from croupier.records.stores.stream import StoreError
from croupier.server.grants import HOURS_12
from croupier.server.http.limits import Limits
from croupier.server.http.problems import Problem
from croupier.server.run import Address, Server, serve
from croupier.server.service import Service
from croupier.server.worker import Lines, Worker
from support.hurried import hurry
from support.project import ROOT

FREELY: Final = Limits(per_second=1e6, burst=1e6, beat_seconds=0.5)
"""Limits that a test does not meet unless it means to."""

NJ: Final = ROOT / "submissions" / "nj-minibaccarat.toml"
MA_EZ: Final = ROOT / "submissions" / "ma-ez.toml"
PUNTO_BANCO: Final = ROOT / "submissions" / "nj-punto-banco.toml"


hurry()


class Person:
    """Somebody with a token; each command of theirs has a key of its own."""

    def __init__(self, place: str, token: str) -> None:
        # It speaks HTTP without TLS: to read certificates would take longer than most tests do.
        self.http = httpx.Client(
            base_url=place,
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
            verify=False,  # noqa: S501
        )
        self.token = token
        self._keys = 0
        self._begins = secrets.token_hex(4)

    def key(self) -> str:
        self._keys += 1
        return f"{self._begins}-{self._keys}"

    def does(self, table: str, command: Mapping[str, Any], **headers: str) -> httpx.Response:
        """Send one command."""
        stated = {"Idempotency-Key": headers.pop("key", "") or self.key()}
        stated |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.post(f"/v1/tables/{table}/commands", json=command, headers=stated)

    def sees(self, path: str, **query: Any) -> Any:
        """Return what is at a path, which must be there."""
        answer = self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()


_RUNNING: Final[list[Served]] = []
_LOST: Final[set[tuple[str, str]]] = set()
"""Grants whose acts could not be recorded when their service ended, as where its store was lost."""


class Served:
    """A running service."""

    def __init__(self, service: Service, server: Server, place: str, loop: Any) -> None:
        self.service = service
        self.place = place
        self._server = server
        self._loop = loop
        self._people: list[Person] = []
        self._unrecorded: list[Grant] = []

    def do(self, act: Any) -> Any:
        """Do something within the service's own loop."""
        return asyncio.run_coroutine_threadsafe(act, self._loop).result(20)

    def token(self, office: str, person: str = "", **more: Any) -> str:
        """Return the token of a new grant."""
        now = self.service.now()
        registry = self.service.grants
        pit = more.pop("pit", "1")
        name = f"{office}-{person or office}-{len(self._people)}".replace(" ", "_")
        if registry.get(name) is not None:
            name = f"{name}-{secrets.token_hex(4)}"
        grant = Grant(
            more.pop("id", name),
            person or office,
            office,
            pit,
            until=now + more.pop("hours_ms", HOURS_12),
            **more,
        )
        token: str = self.do(self._token(registry, grant, now))[0]
        return token

    def link(self, office: str, person: str = "", **more: Any) -> str:
        """Return the code of a one-time link to a new grant."""
        now = self.service.now()
        until = now + more.pop("hours_ms", HOURS_12)
        grant = Grant(f"link-{office}", person or office, office, "1", until=until, **more)
        code: str = self.do(self._link(grant, now))
        return code

    async def _link(self, grant: Grant, now: int) -> str:
        registry = self.service.grants
        await self.service.note("1", grant_command(grant, now), ())
        return await registry.link(await registry.make(grant, now), now)

    async def _token(self, registry: Any, grant: Grant, now: int) -> Any:
        made = await registry.make(grant, now)
        self._unrecorded.append(made)
        return await registry.token(made, now)

    def record_grants(self) -> None:
        """Give the pits the acts of the grants that this test made without them.

        They are recorded at the end, so that a test counts the entries of what it does.
        """
        self.do(self._record_grants())

    def record_grants_in(self, store: Path | Store) -> None:
        """Record them if another service, which reads them at its start, shares the store."""
        if isinstance(store, PostgresStore) and self.service.store.path == store.path:
            self.record_grants()

    def end_grants(self) -> None:
        """End the grants of this test, which then need no acts."""
        self._unrecorded.clear()
        self.do(self.service.grants.void(self.service.now()))

    async def _record_grants(self) -> None:
        while self._unrecorded:
            grant = self._unrecorded[-1]
            maker = self.service.grants.get(grant.made_by)
            command = grant_command(grant, self.service.now(), maker.person if maker else "")
            await self.service.note(grant.pit, command, () if maker is None else (maker.actor,))
            self._unrecorded.remove(grant)

    def person(self, office: str, person: str = "", **more: Any) -> Person:
        """Return somebody who holds an office of pit 1."""
        one = Person(self.place, self.token(office, person, **more))
        self._people.append(one)
        return one

    def anybody(self) -> httpx.Client:
        """Return a client without a token."""
        one = Person(self.place, "")
        del one.http.headers["Authorization"]
        self._people.append(one)
        return one.http

    def end_in(self, seconds: float) -> None:
        """Have the service end soon, as SIGTERM has it."""
        self._loop.call_soon_threadsafe(
            self._loop.call_later, seconds, self._server.handle_exit, 15, None
        )

    def stop(self) -> None:
        """Ask the service to end."""
        for one in self._people:
            one.http.close()
        if self.service.ready and self._loop.is_running():
            with suppress(Problem, StoreError, TimeoutError):
                self.record_grants()
        place = str(self.service.store.path)
        _LOST.update((place, grant.id) for grant in self._unrecorded)
        self._server.should_exit = True


def _forget_lost_grants(store: Store) -> None:
    for place, name in _LOST:
        if place == str(store.path):
            store.put("grant", name, None)


@contextmanager
def served(store: Path | Store, limits: Limits = FREELY, **more: Any) -> Iterator[Served]:
    """Run a service until the block ends; then it is stopped, and has closed its store."""
    for running in _RUNNING:
        running.record_grants_in(store)
    started = threading.Event()
    found: dict[str, Any] = {}

    def note(server: Server, place: str) -> None:
        found.update(server=server, place=place, loop=asyncio.get_running_loop())
        started.set()

    def run() -> None:
        try:
            vault = more.pop("vault", None)
            service = Service(
                store,
                clock=more.pop("clock", system_clock),
                vault=vault,
                heads=more.pop("heads", None),
                names=more.pop("names", None),
            )
            found["service"] = service
            _forget_lost_grants(service.store)
            address = more.pop("address", Address(port=0))
            asyncio.run(serve(service, address, limits=limits, started=note, **more))
        except BaseException as error:  # noqa: BLE001  (it is raised in the test's thread)
            found["error"] = error
        finally:
            started.set()

    thread = threading.Thread(target=run, name="served")
    thread.start()
    started.wait(30)
    if "error" in found:
        thread.join()
        raise found["error"]
    one = Served(found["service"], found["server"], found["place"], found["loop"])
    _RUNNING.append(one)
    try:
        yield one
    finally:
        _RUNNING.remove(one)
        one.stop()
        thread.join(30)
        assert not thread.is_alive(), "the service does not end"
    if "error" in found:
        raise found["error"]


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Return the problem that an answer is, which must be this one."""
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "application/problem+json",
    ), answer.text
    told: dict[str, Any] = answer.json()
    assert told["code"] == code, told
    assert told["status"] == status
    assert told["detail"]
    return told


Heard = tuple[str, str, Any]
"""An event of a stream: its id, its kind, its data."""


def listen(
    person: Person, path: str, until: Callable[[list[Heard]], bool], **headers: str
) -> list[Heard]:
    """Return the events of a stream, up to where a test has heard enough."""
    heard: list[Heard] = []
    stated = {name.replace("_", "-"): value for name, value in headers.items()}
    with person.http.stream("GET", path, headers=stated) as answer:
        assert answer.status_code == 200, answer.read()
        fields: dict[str, str] = {}
        for line in answer.iter_lines():
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
                continue
            if "event" in fields:
                heard.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
            fields = {}
            if until(heard):
                break
    return heard


def answered_here(patch: pytest.MonkeyPatch) -> None:
    """Have long queries answered in this process, which alone knows what a test has put in place."""

    async def run(
        _worker: Worker, _asker: str, act: Callable[..., Any], *args: object,
        records: Iterable[Lines] = (),
    ) -> Any:  # fmt: skip
        read = [[line async for page in one for line in page] for one in records]
        return act(*args, *read)

    patch.setattr(Worker, "run", run)
