"""A terminal connection to a table of a service, which survives lost connections.

It resumes after the last entry received, and repeats unanswered requests under their idempotency
keys.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final, NamedTuple, Self

import httpx

from croupier.acts.roles import offices_in_words
from croupier.cli.tables.sitting.sitting import Connection, Document, Door, Reply
from croupier.client import Client, ServiceError, ServiceEvent, new_key
from croupier.law.usage import named
from croupier.reports.screen import OfficeView
from croupier.reports.words import DRAW, say

_TIMEOUT: Final = 5.0
_FRESH: Final = 2.5
"""Seconds between refreshes; no event announces a pending consent."""
_HEARD_IN: Final = 0.5
"""Seconds to wait for the entry of a command on the event stream."""
_BEFORE: Final = 12
"""Number of earlier entries shown at the start."""
_RETRIES: Final = (0.2, 0.5, 1.0, 2.0)
"""Delays between reconnection attempts, in seconds; the last one repeats."""
_NEWS: Final = 5_000
_LOOKED: Final = ("seen", "acts", "roads", "due", "consents", "then", "on_duty", "waits")
_ENDED: Final = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}


class NoServedTableError(Exception):
    """A table that the service does not provide."""


_Send = Callable[[int | None], Mapping[str, Any]]


class _Sent(NamedTuple):
    """A request under its key, and the entry number of the table when it was made."""

    send: _Send
    entry: int


def view_of(office: str, looked: Document) -> OfficeView:
    return OfficeView(office, **{name: looked[name] for name in _LOOKED})


class ServedDoor(Door):
    """A table of a service, seen through one grant.

    Raises ``ServiceError`` or ``httpx.TransportError`` if the first connection fails; later
    failures are retried.
    """

    is_remote = True

    def __init__(self, place: str, token: str, name: str) -> None:
        self.name = name
        # No retries in the client: repeated requests must state the expected entry.
        self._client: Final = Client(place, token, tries=1, timeout=_TIMEOUT).__enter__()
        self._lock: Final = threading.Condition()
        self._mending: Final = threading.Lock()
        self._closed: Final = threading.Event()
        self._says: dict[str, str] = {}
        self._new: deque[Document] = deque(maxlen=_NEWS)
        self._unsure: _Sent | None = None
        self._outcome: Reply | None = None
        self._lost_at: float | None = None
        self._over = ""
        self._listening = False
        try:
            grant = self._client.get("/v1/tokens/mine")
            self.person, self.office, self.seat = (
                grant[key] for key in ("person", "office", "seat")
            )
            self._load()
        except BaseException:
            self.close()
            raise
        self._heard = max(0, self._look.seen["seq"] - _BEFORE)
        threading.Thread(target=self._follow, name=f"table {name}", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._closed.set()
        self._client.__exit__()

    def _load(self) -> None:
        body = self._client.get(f"/v1/tables/{self.name}/look")
        self._note(body["clauses"])
        with self._lock:
            self.cards = body["cards"]
            self._look = view_of(self.office, body)
            self._looked_at = time.monotonic()

    def _note(self, clauses: Iterable[Mapping[str, str]]) -> None:
        self._says |= {clause["id"]: clause["says"] for clause in clauses}

    def look(self) -> OfficeView:
        is_behind = self._heard > self._look.seen["seq"]
        if not is_behind and time.monotonic() < self._looked_at + _FRESH:
            return self._look
        try:
            if self.connection.is_live:
                self._load()
            elif self._listening and not self._over:
                self._come_back()
        except (httpx.TransportError, ServiceError) as error:
            self._looked_at = time.monotonic()
            if not isinstance(error, ServiceError) or error.code != "too_many":
                self._lose(error)
        return self._look

    def news(self) -> Sequence[Document]:
        with self._lock:
            new_entries = [*self._new]
            self._new.clear()
        return new_entries

    def says(self, clause: str) -> str:
        return self._says.get(clause, "")

    @property
    def connection(self) -> Connection:
        with self._lock:
            if self._over:
                return Connection(self._over, is_live=False, is_over=True)
            if self._lost_at is None:
                return Connection(say("terminal.live"))
            seconds = time.time() - self._lost_at
        time_text = datetime.fromtimestamp(self._lost_at).astimezone().strftime("%H:%M:%S")
        return Connection(
            say("terminal.no.connection", seconds=f"{seconds:.0f}", when=time_text), is_live=False
        )

    def _lose(self, error: Exception | None) -> None:
        with self._lock:
            if isinstance(error, ServiceError) and error.status in _ENDED:
                detail = str(error.told.get("detail", error.code))
                self._over = say("terminal.over", detail=detail)
            elif self._lost_at is None:
                self._lost_at = time.time()

    def _follow(self) -> None:
        try_count = 0
        while not self._closed.is_set() and not self._over:
            error: Exception | None = None
            try:
                if self._lost_at is not None:
                    self._come_back()
                self._listening = True
                for event in self._client.events(self.name, self._heard):
                    try_count = 0
                    self._hear(event)
            except (httpx.HTTPError, ServiceError, RuntimeError) as failure:
                # The client raises RuntimeError once it is closed.
                error = failure
            self._listening = False
            if self._closed.is_set():
                return
            self._lose(error)
            self._closed.wait(_RETRIES[min(try_count, len(_RETRIES) - 1)])
            try_count += 1

    def _come_back(self) -> None:
        with self._mending:
            self._load()
            pending_call, self._unsure = self._unsure, None
            if pending_call is not None:
                answer = self._sent(pending_call, is_again=True)
                if self._unsure is not None:
                    raise httpx.ReadTimeout("not answered again")
                self._outcome = answer or Reply(say("terminal.once"), refused=False)
                self._load()
            self._lost_at = None

    def _hear(self, event: ServiceEvent) -> None:
        with self._lock:
            if event.kind == "entry" and event.sequence is not None:
                self._heard = event.sequence
                self._new.append(event.data)
                self._lock.notify_all()
            elif event.kind == "resync":
                self._heard = event.data["seq"]
                line = {
                    "kind": "act",
                    "text": say("terminal.skipped"),
                    "clauses": [],
                    "details": [],
                }
                self._new.append({"narration": [line]})

    def outcome(self) -> Reply | None:
        with self._lock:
            reply, self._outcome = self._outcome, None
        return reply

    def do(self, command: Document, next_command: str | None = None) -> Reply | None:
        key, commands = new_key(), [command]
        if next_command is not None:
            # An act may have begun to wait since the last look.
            self._looked_at = 0.0
            commands += [{"type": next_command}] if self.look().then == next_command else []
        if command["type"] == DRAW:
            # A card applies only to the position that the dealer saw.
            at: int | None = self._look.seen["seq"]
        else:
            at = None
        return self._give(
            lambda entry: self._client.command(self.name, *commands, key=key, expected=entry or at)
        )

    def consent(self, act: str, *, given: bool) -> Reply | None:
        key = new_key()
        return self._give(lambda _: self._client.consent(self.name, act, given=given, key=key))

    def _give(self, send: _Send) -> Reply | None:
        connection = self.connection
        if not connection.is_live:
            return Reply(f"{connection.words[:1].upper()}{connection.words[1:]}.")
        return self._sent(_Sent(send, self._look.seen["seq"]))

    def _sent(self, call: _Sent, *, is_again: bool = False) -> Reply | None:
        # A repeated request applies only at its original entry.
        try:
            document = call.send(call.entry if is_again else None)
        except ServiceError as error:
            self._note(error.clauses)
            if is_again and error.code == "stale":
                return Reply(say("terminal.moved.on"))
            owner = error.told.get("owner")
            owner_text = say("terminal.owner", owner=owner) if owner else ""
            detail = str(error.told.get("detail") or error.code)
            return Reply(detail + owner_text, [clause["id"] for clause in error.clauses])
        except httpx.TransportError as error:
            self._unsure = call
            self._lose(error)
            return Reply(say("terminal.unsure"), refused=False)
        self._looked_at = 0.0
        with self._lock:
            # Show the result of this command before the next one.
            self._lock.wait_for(lambda: self._heard >= document.get("seq", 0), _HEARD_IN)
        if "consent" in document:
            offices = named(offices_in_words(document["consent"]["needs"]))
            return Reply(say("waits.for.consent", who=offices), refused=False)
        return None


def served_table(  # noqa: PLR0913  (each is given or asked for)
    place: str,
    token: str = "",
    *,
    link: str = "",
    table: str = "",
    choose: Callable[[Sequence[str]], str] | None = None,
    code: Callable[[], str] = lambda: "",
) -> ServedDoor:
    """Return a table of a service, given a token or the code of a one-time link.

    Without ``table``, the grant's only table is used, or ``choose`` selects one. ``code`` is called
    for the code of the link. Raises ``NoServedTableError``.
    """
    try:
        with Client(place, token, tries=2, timeout=_TIMEOUT) as client:
            if link:
                token = _redeem(client, link, code)
            names = [item["table"] for item in client.tables()]
        return ServedDoor(place, token, _choose_table(place, table, names, choose))
    except ServiceError as error:
        detail = str(error.told.get("detail") or say("terminal.status", status=error.status))
        raise NoServedTableError(f"{place}: {detail}") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NoServedTableError(say("terminal.no.service", place=place, error=error)) from error


def _redeem(client: Client, link: str, code: Callable[[], str]) -> str:
    try:
        return client.redeem(link)
    except ServiceError as error:
        given_code = code() if error.told.get("code") == "not_consented" else ""
        if not given_code:
            raise
        return client.redeem(link, given_code)


def _choose_table(
    place: str, table_name: str, names: Sequence[str], choose: Callable[[Sequence[str]], str] | None
) -> str:
    names_text = ", ".join(names) or say("none")
    if not table_name and len(names) > 1 and choose is not None:
        table_name = choose(names)
    if not table_name and len(names) == 1:
        return names[0]
    if table_name in names:
        return table_name
    message = "terminal.not.yours" if table_name else "terminal.name.one"
    raise NoServedTableError(say(message, place=place, table=repr(table_name), yours=names_text))
