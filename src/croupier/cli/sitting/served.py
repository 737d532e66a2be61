"""A table of a service at a terminal: followed by its events, through lost connections.

A thread listens. When the connection is lost it tries again until it is back, resumes after the
last entry that it heard, and sends what was not answered once more under its key, so nothing is
done twice. Needs the extra ``client``.
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

from croupier.api.client import Client, ServiceError, ServiceEvent, new_key
from croupier.cli.sitting.door import Connection, Document, Door, Look, Reply, filled
from croupier.reports.words import DRAW, say

_TIMEOUT: Final = 5.0
"""Seconds after which a request counts as not answered."""
_FRESH: Final = 2.5
"""Seconds after which the table is looked at again: no event says that an act waits for consent."""
_HEARD_IN: Final = 0.5
"""Seconds within which the entry of a command is heard of."""
_BEFORE: Final = 12
"""How many entries before the first look are told."""
_RETRIES: Final = (0.2, 0.5, 1.0, 2.0)
"""Seconds between tries to connect again; the last of them from then on."""
_NEWS: Final = 5_000
_ENDED: Final = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}


class NoServedTableError(Exception):
    """A table that a service does not give; the message says why and what to do."""


_Send = Callable[[int | None], Mapping[str, Any]]


class _Sent(NamedTuple):
    """A request under its key, and the entry at which the table stood when it was made.

    ``send`` takes the entry at which the table must stand, or nothing.
    """

    send: _Send
    entry: int


class ServedDoor(Door):
    """A table of a service, as one grant has it.

    ``place`` is the address of the service. Raises ``ServiceError`` or ``httpx.TransportError`` if
    the table cannot be had; from then on a lost connection is said and mended.
    """

    is_remote = True

    def __init__(self, place: str, token: str, name: str) -> None:
        self.name = name
        # It asks once: what is sent again is sent where the table stands as it did.
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
                grant[one] for one in ("person", "office", "seat")
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
        """Leave the table."""
        self._closed.set()
        self._client.__exit__()

    # --- what there is to see ---

    def _load(self) -> None:
        told = self._client.get(f"/v1/tables/{self.name}/look")
        self._note(told["clauses"])
        acts = [filled(one, {self.office: self.person}) for one in told["acts"]]
        with self._lock:
            self.cards = told["cards"]
            self._look = Look(told["seen"], acts, told["roads"], told["due"], told["consents"])
            self._looked_at = time.monotonic()

    def _note(self, clauses: Iterable[Mapping[str, str]]) -> None:
        self._says |= {one["id"]: one["says"] for one in clauses}

    def look(self) -> Look:
        """Return the table as it is now; as it was, while there is no connection."""
        behind = self._heard > self._look.seen["seq"]
        if not behind and time.monotonic() < self._looked_at + _FRESH:
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
        """Return the entries since the last call, each once."""
        with self._lock:
            new = [*self._new]
            self._new.clear()
        return new

    def says(self, clause: str) -> str:
        """Return what a clause says, as the service told it."""
        return self._says.get(clause, "")

    # --- the connection ---

    @property
    def connection(self) -> Connection:
        """How the table is reached now: live, lost since a time, or over."""
        with self._lock:
            if self._over:
                return Connection(self._over, is_live=False, is_over=True)
            if self._lost_at is None:
                return Connection(say("terminal.live"))
            since = time.time() - self._lost_at
        when = datetime.fromtimestamp(self._lost_at).astimezone().strftime("%H:%M:%S")
        return Connection(
            say("terminal.no.connection", seconds=f"{since:.0f}", when=when),
            is_live=False,
        )

    def _lose(self, error: Exception | None) -> None:
        with self._lock:
            if isinstance(error, ServiceError) and error.status in _ENDED:
                detail = str(error.told.get("detail", error.code))
                self._over = say("terminal.over", detail=detail)
            elif self._lost_at is None:
                self._lost_at = time.time()

    def _follow(self) -> None:
        """Listen, and connect again whenever the stream has ended."""
        tries = 0
        while not self._closed.is_set() and not self._over:
            error: Exception | None = None
            try:
                if self._lost_at is not None:
                    self._come_back()
                self._listening = True
                for event in self._client.events(self.name, self._heard):
                    tries = 0
                    self._hear(event)
            except (httpx.HTTPError, ServiceError, RuntimeError) as found:
                # The client raises RuntimeError once it is closed.
                error = found
            self._listening = False
            if self._closed.is_set():
                return
            self._lose(error)
            self._closed.wait(_RETRIES[min(tries, len(_RETRIES) - 1)])
            tries += 1

    def _come_back(self) -> None:
        """Look at the table again, and learn what came of what was not answered."""
        with self._mending:
            self._load()
            unsure, self._unsure = self._unsure, None
            if unsure is not None:
                answer = self._sent(unsure, again=True)
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

    # --- what is done ---

    def outcome(self) -> Reply | None:
        """Return what came of a command that was not answered at first, once."""
        with self._lock:
            found, self._outcome = self._outcome, None
        return found

    def do(self, command: Document) -> Reply | None:
        """Send a command under a key of its own."""
        key = new_key()
        if command["type"] == DRAW:
            # A card is for the place where whoever dealt it saw the table.
            at: int | None = self._look.seen["seq"]
        else:
            at = None
        return self._give(
            lambda entry: self._client.command(self.name, command, key=key, expected=entry or at)
        )

    def consent(self, act: str, *, given: bool) -> Reply | None:
        """Consent to an act that waits, or decline it."""
        key = new_key()
        return self._give(lambda _: self._client.consent(self.name, act, given=given, key=key))

    def _give(self, send: _Send) -> Reply | None:
        connection = self.connection
        if not connection.is_live:
            return Reply(f"{connection.words[:1].upper()}{connection.words[1:]}.")
        return self._sent(_Sent(send, self._look.seen["seq"]))

    def _sent(self, sent: _Sent, *, again: bool = False) -> Reply | None:
        """Send, and return what came of it; what did not arrive counts only where it was meant."""
        try:
            told = sent.send(sent.entry if again else None)
        except ServiceError as error:
            self._note(error.clauses)
            if again and error.code == "stale":
                return Reply(say("terminal.moved.on"))
            owner = error.told.get("owner")
            where = say("terminal.owner", owner=owner) if owner else ""
            detail = str(error.told.get("detail") or error.code)
            return Reply(detail + where, [one["id"] for one in error.clauses])
        except httpx.TransportError as error:
            self._unsure = sent
            self._lose(error)
            return Reply(say("terminal.unsure"), refused=False)
        self._looked_at = 0.0
        with self._lock:
            # What was done is told before what comes next.
            self._lock.wait_for(lambda: self._heard >= told.get("seq", 0), _HEARD_IN)
        if "consent" in told:
            needs = say("and").join(told["consent"]["needs"])
            return Reply(say("waits.for.consent", who=needs), refused=False)
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
    """Return a table of a service, with a token or the code of a one-time link.

    Without the name of a table it is the only one of the grant, or the one that ``choose`` returns.
    ``code`` is asked for the code of whoever consented to a link. Raises ``NoServedTableError``.
    """
    try:
        with Client(place, token, tries=2, timeout=_TIMEOUT) as client:
            if link:
                token = _redeemed(client, link, code)
            names = [one["table"] for one in client.tables()]
        return ServedDoor(place, token, _named(place, table, names, choose))
    except ServiceError as error:
        detail = str(error.told.get("detail") or say("terminal.status", status=error.status))
        raise NoServedTableError(f"{place}: {detail}") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NoServedTableError(say("terminal.no.service", place=place, error=error)) from error


def _redeemed(client: Client, link: str, code: Callable[[], str]) -> str:
    try:
        return client.redeem(link)
    except ServiceError as error:
        given = code() if error.told.get("code") == "not_consented" else ""
        if not given:
            raise
        return client.redeem(link, given)


def _named(
    place: str,
    wanted: str,
    names: Sequence[str],
    choose: Callable[[Sequence[str]], str] | None,
) -> str:
    listed = ", ".join(names) or say("none")
    if not wanted and len(names) > 1 and choose is not None:
        wanted = choose(names)
    if not wanted and len(names) == 1:
        return names[0]
    if wanted in names:
        return wanted
    what = "terminal.not.yours" if wanted else "terminal.name.one"
    raise NoServedTableError(say(what, place=place, table=repr(wanted), yours=listed))
