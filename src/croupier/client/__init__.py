"""Clients of the table service; they require the extra ``croupier[client]``.

A request that is not answered is sent again, under its key if it has one: ``tries`` times, after
waits of 0.2 seconds to 5. Then the error of the last try is raised, ``ServiceError`` or
``httpx.TransportError``; a stream counts anew whenever it was heard again.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, Generic, Never, Self, TypeVar, cast

import httpx

from croupier.acts import Command
from croupier.client.requests import (
    AGAIN,
    EventLines,
    Wanted,
    data_of,
    keyed,
    of_owner,
    pit_path,
    read_answer,
    redeeming,
    table_path,
    written,
)
from croupier.client.requests import ServiceError as ServiceError
from croupier.client.requests import ServiceEvent as ServiceEvent
from croupier.client.requests import new_key as new_key
from croupier.files.arguments import checks_types
from croupier.records.codec import dump

Answer = TypeVar("Answer")
"""An answer, or its awaitable; so are the next two."""
Tables = TypeVar("Tables")
Lines = TypeVar("Lines")
_WAIT: Final = 0.2
_LONGEST_WAIT: Final = 5.0
_OF_A_PROXY: Final = frozenset({502, 503, 504})
"""Answers of a proxy, without a code, where the service behind it gave none."""
_SILENCE: Final = 40.0
"""Seconds without an event or heartbeat after which a stream counts as broken."""


@cache
def _trusted() -> ssl.SSLContext:
    return httpx.create_ssl_context()


class _Tries:
    def __init__(self, tries: int) -> None:
        self._left: Final = tries
        self._failed = 0

    def after(self, error: Exception) -> float:
        self._failed += 1
        is_final = isinstance(error, httpx.UnsupportedProtocol)
        if isinstance(error, ServiceError) and error.code not in AGAIN:
            is_final = bool(error.code) or error.status not in _OF_A_PROXY
        if is_final or self._failed >= self._left:
            raise error
        return min(_WAIT * 2.0 ** min(self._failed - 1, 9), _LONGEST_WAIT)


class _NotOpen:
    def __getattr__(self, _: str) -> Never:
        raise RuntimeError("the client is not open: write with Client(place, token) as client")


class _Request(_Tries):
    def __init__(self, wanted: Wanted, tries: int, place: str) -> None:
        super().__init__(tries)
        self._wanted: Final = wanted
        self._place: Final = place
        self.asked = wanted
        """The request to send next."""

    def after(self, error: Exception) -> float:
        wait = super().after(error)
        is_here = self.asked is self._wanted
        self.asked = of_owner(self._wanted, error, self._place) if is_here else self._wanted
        return wait if self.asked is self._wanted else 0


class _Followed(_Tries):
    def __init__(self, table: str, after: int | None, tries: int) -> None:
        super().__init__(tries)
        self._table: Final = table
        self._last = after

    @property
    def place(self) -> str:
        query = "" if self._last is None else f"?after={self._last}"
        return f"{table_path(self._table)}/events{query}"

    def events(self, line: str, read: EventLines) -> Iterable[ServiceEvent]:
        """Return the event that a line completes, if any, and go on after it from now on."""
        if line.startswith(":"):
            # A heartbeat: what broke before was put right, also where nothing happens for hours.
            self._failed = 0
        for event in read(line):
            self._failed = 0
            if event.kind == "resync":
                self._last = event.data["seq"]
            elif event.sequence is not None:
                self._last = event.sequence
            yield event


@checks_types
class _Calls(Generic[Answer, Tables, Lines]):
    def __init__(
        self, place: str, token: str = "", *, tries: int = 5, timeout: float = 15.0
    ) -> None:
        self._place: Final = place
        self._tries: Final = tries
        self._streamed: Final = httpx.Timeout(timeout, read=max(timeout, _SILENCE))
        self._made: Final[dict[str, Any]] = {
            "base_url": place,
            "timeout": timeout,
            "headers": {"Authorization": f"Bearer {token}"} if token else {},
            "verify": _trusted(),
        }

    def _ask(self, wanted: Wanted) -> Any:
        raise NotImplementedError

    def create_table(self, submission: bytes, **query: str) -> Answer:
        """Create a table from a submission.

        ``cards`` is the source of its cards, ``notified`` the time at which notice of its elections
        was given to those named in its regulation.
        """
        headers = {"Content-Type": "application/toml"}
        return self._answer(Wanted("POST", "/v1/tables", submission, headers, query))

    def _answer(self, wanted: Wanted) -> Answer:
        answer: Answer = self._ask(wanted)
        return answer

    def command(
        self,
        table: str,
        *commands: Command | Mapping[str, Any],
        key: str | None = None,
        expected: int | None = None,
        minimal: bool = False,
    ) -> Answer:
        """Send up to 64 commands. Raises ``ServiceError`` at the first that is refused.

        An answer with ``consent`` needs another person's consent. A ``minimal`` answer omits the
        entries, which saves the service work; they are in the event stream anyway.
        """
        kind = "application/json" if len(commands) == 1 else "application/x-ndjson"
        headers = keyed(key, expected, kind) | ({"Prefer": "return=minimal"} if minimal else {})
        body = b"\n".join(map(written, commands))
        return self._answer(Wanted("POST", f"{table_path(table)}/commands", body, headers))

    def consent(
        self, table: str, consent: str, *, given: bool = True, key: str | None = None
    ) -> Answer:
        """Consent to a pending act, or decline it."""
        path = f"{table_path(table)}/consents/{consent}"
        return self._answer(Wanted("POST", path, dump({"consent": given}), keyed(key)))

    def pit(self, pit: str) -> Answer:
        """Return a pit: its tables and decisions."""
        return self._answer(Wanted("GET", pit_path(pit)))

    def pit_command(
        self,
        pit: str,
        command: Mapping[str, Any],
        *,
        key: str | None = None,
        expected: int | None = None,
    ) -> Answer:
        """Send a command to a pit, such as ``{"type": "WithdrawTable", "table": "MB-101"}``."""
        path, body = f"{pit_path(pit)}/commands", written(command)
        return self._answer(Wanted("POST", path, body, keyed(key, expected)))

    def grant(self, person: str, office: str, **more: Any) -> Answer:
        """Grant an office; the answer has the code of a one-time link.

        It ``needs`` the consent of one of the offices named in the answer (``consent_to_grant``).
        """
        data = {"person": person, "office": office, **more}
        return self._answer(data_of("/v1/grants", data))

    def consent_to_grant(self, grant: str, *, agreed: bool = True) -> Answer:
        """Consent to a grant, or decline it; the answer has the second code for its link."""
        return self._answer(data_of(f"/v1/grants/{grant}", {"consent": agreed}))

    def end_day(
        self, table: str, *, amended: bytes = b"", notified: str = "", key: str | None = None
    ) -> Answer:
        """End the record of a table's gaming day, and begin the next day's.

        The licensee ends the day before an amendment takes effect: ``amended`` is the table's
        submission (TOML) under the amended text, ``notified`` as in ``create_table``.
        """
        query = {"notified": notified} if notified else {}
        headers = keyed(key, kind="application/toml")
        if not amended:
            del headers["Content-Type"]
        return self._answer(Wanted("POST", f"{table_path(table)}/days", amended, headers, query))

    def get(self, path: str, **query: str) -> Any:
        """Return a resource, such as ``/v1/tables/MB-101/roads``."""
        return self._ask(Wanted("GET", path, query=query))

    def tables(self) -> Tables:
        """Return the tables that the grant covers."""
        found: Tables = self._ask(Wanted("GET", "/v1/tables", member="tables"))
        return found

    def revoke(self, grant: str) -> Answer:
        """End a grant."""
        return self._answer(Wanted("DELETE", f"/v1/grants/{grant}"))

    def log(self, table: str, day: int | None = None) -> Lines:
        """Return the stored record of a gaming day, the last one by default."""
        query = {} if day is None else {"day": str(day)}
        path = f"{table_path(table)}/log"
        lines: Lines = self._ask(Wanted("GET", path, query=query, is_raw=True))
        return lines

    def pit_log(self, pit: str) -> Lines:
        """Return the stored record of a pit."""
        lines: Lines = self._ask(Wanted("GET", f"{pit_path(pit)}/log", is_raw=True))
        return lines


@checks_types
class Client(_Calls[dict[str, Any], list[dict[str, Any]], bytes]):
    """A client that waits for each answer.

    ``with Client(place, token) as client: client.command("MB-101", commands.DrawCard(card))``
    """

    _http = cast("httpx.Client", _NotOpen())

    def __enter__(self) -> Self:
        self._http = httpx.Client(**self._made)
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def _ask(self, wanted: Wanted) -> Any:
        request = _Request(wanted, self._tries, self._place)
        while True:
            try:
                answer = self._http.request(**request.asked.arguments)
                return read_answer(answer.status_code, answer.content, wanted)
            except (httpx.TransportError, ServiceError) as error:
                wait = request.after(error)
            time.sleep(wait)

    def redeem(self, link: str, code: str = "") -> str:
        """Exchange a one-time link for a token used from now on.

        ``code`` is that of the consenting second person, if any.
        """
        token: str = self._ask(redeeming(link, code))
        self._http.headers["Authorization"] = f"Bearer {token}"
        return token

    def events(self, table: str, after: int | None = None) -> Iterator[ServiceEvent]:
        """Yield the events of a table after an entry, each once; a broken stream is resumed."""
        followed, bound = _Followed(table, after, self._tries), self._streamed
        while True:
            try:
                with self._http.stream("GET", followed.place, timeout=bound) as answer:
                    if answer.status_code != httpx.codes.OK:
                        read_answer(answer.status_code, answer.read())
                    read = EventLines()
                    for line in answer.iter_lines():
                        for event in followed.events(line, read):
                            yield event
                            if event.kind == "bye":
                                return
            except (httpx.TransportError, ServiceError) as error:
                wait = followed.after(error)
            else:
                wait = followed.after(httpx.ReadError("the stream ended"))
            time.sleep(wait)


@checks_types
class AsyncClient(
    _Calls[
        Coroutine[Any, Any, dict[str, Any]],
        Coroutine[Any, Any, list[dict[str, Any]]],
        Coroutine[Any, Any, bytes],
    ]
):
    """A client for an event loop, with the methods of ``Client``."""

    _http = cast("httpx.AsyncClient", _NotOpen())

    async def __aenter__(self) -> Self:
        self._http = httpx.AsyncClient(**self._made)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def _ask(self, wanted: Wanted) -> Any:
        request = _Request(wanted, self._tries, self._place)
        while True:
            try:
                answer = await self._http.request(**request.asked.arguments)
                return read_answer(answer.status_code, answer.content, wanted)
            except (httpx.TransportError, ServiceError) as error:
                wait = request.after(error)
            await asyncio.sleep(wait)

    async def redeem(self, link: str, code: str = "") -> str:
        """Exchange a one-time link for a token used from now on.

        ``code`` is that of the consenting second person, if any.
        """
        token: str = await self._ask(redeeming(link, code))
        self._http.headers["Authorization"] = f"Bearer {token}"
        return token

    async def events(self, table: str, after: int | None = None) -> AsyncIterator[ServiceEvent]:
        """Yield the events of a table after an entry, each once; a broken stream is resumed."""
        followed, bound = _Followed(table, after, self._tries), self._streamed
        while True:
            try:
                async with self._http.stream("GET", followed.place, timeout=bound) as answer:
                    if answer.status_code != httpx.codes.OK:
                        read_answer(answer.status_code, await answer.aread())
                    read = EventLines()
                    async for line in answer.aiter_lines():
                        for event in followed.events(line, read):
                            yield event
                            if event.kind == "bye":
                                return
            except (httpx.TransportError, ServiceError) as error:
                wait = followed.after(error)
            else:
                wait = followed.after(httpx.ReadError("the stream ended"))
            await asyncio.sleep(wait)
