"""Live page updates, drawn once for all equal viewers, without values of a session."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from time import monotonic
from typing import Any, Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import msgspec

from croupier.acts.roles import OfficePage, Role
from croupier.reports.tags import Html
from croupier.server.desks.hub import Hub, Listener
from croupier.server.http.calls import Call
from croupier.server.looking import looked, side_of
from croupier.server.pages.books import books_parts
from croupier.server.pages.dealer import desk_parts
from croupier.server.pages.house import floor_parts
from croupier.server.pages.looked import Looked, Session
from croupier.server.pages.pieces import calls_of, keys_said
from croupier.server.pages.seat import board_parts, seat_parts
from croupier.server.pages.watch import watch_parts
from croupier.server.resources.event_calls import EventStream
from croupier.server.resources.table_calls import acts_that_wait
from croupier.server.service import Table
from croupier.table.machine.position import Actor, Position, Proposal
from croupier.table.machine.state import TableState
from croupier.table.people.offices import standing

_Parts = Callable[[Looked], list[Html]]
_PAGES: Final[Mapping[OfficePage, tuple[_Parts, str]]] = {
    OfficePage.BOARD: (board_parts, ""),
    OfficePage.BOOKS: (books_parts, ""),
    OfficePage.DEALER: (desk_parts, "keys.dealer"),
    OfficePage.FLOOR: (floor_parts, "keys.floor"),
    OfficePage.SEAT: (seat_parts, "keys.seat"),
    OfficePage.WATCH: (watch_parts, "keys.watch"),
}
"""The parts of each page, and the words for its keys."""


def _page_of(look: Looked) -> tuple[_Parts, str]:
    page = Role(look.session.office).office.page
    if page is None:
        raise ValueError(look.session.office)
    return _PAGES[page]


def parts_of(look: Looked) -> list[Html]:
    parts, _ = _page_of(look)
    return parts(look)


def keys_of(look: Looked) -> str:
    _, keys = _page_of(look)
    return keys_said(look.session.office, keys)


_FRESH_SECONDS: Final = 1.0
"""Lifetime of a drawing while the table does not change; some content is not in entries."""
_KEPT: Final = 64
"""Drawings kept per table, and messages between two of them."""
_BEGINS, _ENDS = '<section id="', "</section>"
"""Start and end of a section of a page; sections are not nested."""
_EVENT: Final = b"event: parts\ndata: "
_OWN: Final = secrets.token_hex(8)
_NUMBERS: Final = itertools.count(1)
"""Drawing numbers of this process; the tokens differ from those of other processes."""
_FORM, _KEY = (f"blank{secrets.token_hex(8)}" for _ in range(2))
"""Placeholders for a session's form values."""


Place = TypeVar("Place")
One = TypeVar("One")


class Drawing(NamedTuple):
    """A page's sections for equal viewers; ``token`` identifies the content."""

    token: str
    seq: int
    html: str
    frame: str
    """The page with section ids in place of the sections."""
    parts: Mapping[str, str]
    prompt: str
    calls: str
    keys: str
    made: float
    of: Position
    """The table's position, and the values of linked meters."""

    def shows_what(self, other: Drawing) -> bool:
        shown = self.seq, self.html, self.prompt, self.calls
        return shown == (other.seq, other.html, other.prompt, other.calls)

    def filled(self, session: Session) -> Html:
        return Html(self.html.replace(_FORM, session.form).replace(_KEY, session.key))


class _Kept:
    def __init__(self) -> None:
        self.now: Final[OrderedDict[tuple[object, ...], Drawing]] = OrderedDict()
        self.known: Final[OrderedDict[str, Drawing]] = OrderedDict()
        self.messages: Final[OrderedDict[tuple[str, str], bytes]] = OrderedDict()
        self.stood: Final[OrderedDict[Actor, tuple[TableState, object]]] = OrderedDict()
        self.drawing: Final = asyncio.Lock()


_TABLES: Final[WeakKeyDictionary[Table, _Kept]] = WeakKeyDictionary()


def _kept(table: Table) -> _Kept:
    found = _TABLES.get(table)
    if found is None:
        found = _TABLES[table] = _Kept()
    return found


class PageWindow:
    """An open page: its viewer, its table, and its query."""

    def __init__(self, call: Call, table: Table) -> None:
        self.call: Final = call
        self.table: Final = table
        self._actor: Final = call.grant.actor
        asked = call.request.query_params.items()
        self._asked: Final = side_of(call), *(one for one in asked if one[0] != "have")
        self._kept: Final = _kept(table)

    async def drawn(self) -> Drawing:
        # A pending act names its actor; otherwise a page depends only on the
        # person's standing at the table.
        actor = self._actor
        waiting = tuple(one["id"] for one in acts_that_wait(self.call, self.table))
        person = actor.person if waiting else ""
        viewer = actor.office, actor.seat, person, waiting, self._stands(), self._asked
        found = self._standing_now(viewer)
        if found is not None:
            return found
        kept = self._kept
        async with kept.drawing:
            found = self._standing_now(viewer)
            if found is None:
                before = kept.now.get(viewer)
                found = await _drawing(self.call, self.table, person)
                if before is not None and found.shows_what(before):
                    found = found._replace(token=before.token)
                _keep(kept.now, viewer, found)
                _keep(kept.known, found.token, found)
            return found

    def _standing_now(self, viewer: tuple[object, ...]) -> Drawing | None:
        found = self._kept.now.get(viewer)
        if found is None or found.of is not self.call.service.shown(self.table):
            return None
        return found if monotonic() - found.made <= _FRESH_SECONDS else None

    def _stands(self) -> object:
        state, kept = self.table.desk.durable.state, self._kept.stood
        found = kept.get(self._actor)
        if found is None or found[0] is not state:
            found = state, standing(state, self._actor)
            _keep(kept, self._actor, found)
        return found[1]


async def _drawing(call: Call, table: Table, person: str) -> Drawing:
    grant = call.grant
    blank = Session(person, grant.office, grant.seat, grant.pit, _FORM, _KEY)
    of, look = call.service.shown(table), await looked(call, table, session=blank)
    html, prompt, calls = "".join(parts_of(look)), look.screen.prompt, calls_of(look)
    seq: int = look.seen["seq"]
    # The token belongs to this drawing alone: viewers' drawings are never confused, and a table may
    # return to an earlier look.
    token = f"{_OWN}-{next(_NUMBERS)}"
    frame, parts = _apart(html)
    return Drawing(token, seq, html, frame, parts, prompt, calls, keys_of(look), monotonic(), of)


def _apart(html: str) -> tuple[str, dict[str, str]]:
    """Sections of a page by id, and the page with ids in their places.

    >>> _apart('<div><section id="bet" class="x">$5</section></div>')
    ('<div>bet </div>', {'bet': '<section id="bet" class="x">$5</section>'})
    """
    before, *found = html.split(_BEGINS)
    frame, parts = [before], {}
    for one in found:
        inside, _, after = one.partition(_ENDS)
        name = inside.partition('"')[0]
        parts[name] = f"{_BEGINS}{inside}{_ENDS}"
        frame += [name, " ", after]
    return "".join(frame), parts


def _keep(kept: OrderedDict[Place, One], place: Place, one: One) -> None:
    kept[place] = one
    kept.move_to_end(place)
    if len(kept) > _KEPT:
        kept.popitem(last=False)


def renewal(table: Table, have: str, now: Drawing) -> bytes:
    kept = _kept(table)
    found = kept.messages.get((have, now.token))
    if found is None:
        text = msgspec.json.encode(_message(kept.known.get(have), now)).decode()
        found = _EVENT + text.replace(_FORM, "").replace(_KEY, "").encode() + b"\n\n"
        _keep(kept.messages, (have, now.token), found)
    return found


def renewal_data(table: Table, have: str, now: Drawing) -> bytes:
    return renewal(table, have, now)[len(_EVENT) : -2]


def _message(before: Drawing | None, now: Drawing) -> dict[str, Any]:
    message = {"seq": now.seq, "have": now.token, "prompt": now.prompt, "calls": now.calls}
    if before is None or before.frame != now.frame:
        return {**message, "html": now.html}
    parts = {name: part for name, part in now.parts.items() if part != before.parts[name]}
    return {**message, "from": before.token, "parts": parts}


class PageStream(EventStream):
    def __init__(self, call: Call, table: Table, have: str) -> None:
        pit = call.service.pit_hubs.get(table.opened.pit)
        super().__init__(call, (table.hub, *([] if pit is None else [pit])), (0, table.past))
        self._table: Final = table
        self._window: Final = PageWindow(call, table)
        self._have = have
        self._of_now: Position | None = None

    async def _begun(self, sent: Mapping[str, int]) -> AsyncIterator[bytes]:
        del sent
        yield self._renewed(await self._window.drawn())

    async def _of(
        self, found: tuple[Hub, Proposal | None], listener: Listener, sent: Mapping[str, int]
    ) -> bytes | None:
        del sent
        hub, entry = found
        if hub is not self._table.hub and self._of_now is self._call.service.shown(self._table):
            return None
        listener.forget()
        now = await self._window.drawn()
        # Whom an act that waits does not concern is not told that there is one.
        is_told = entry is not None or now.token != self._have
        return self._renewed(now) if is_told else None

    def _renewed(self, now: Drawing) -> bytes:
        message = renewal(self._table, self._have, now)
        self._have, self._of_now = now.token, now.of
        return message
