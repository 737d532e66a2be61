"""Grants as a store keeps them, and the acts of pits that gave and ended them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec

from croupier.acts.roles import LOOKS, Role
from croupier.records.codec import CodecError, from_json
from croupier.records.entry import body_of, entry_head, moment
from croupier.records.header import LogError
from croupier.records.pit_log import decode_pit_command, is_pit_header, pit_header_of
from croupier.records.stores.store import SqlReader
from croupier.table.machine.position import Actor
from croupier.table.pit import ConsentToGrant, DeclineConsent, GrantOffice, RevokeGrants

NOTE: Final = "note"
"""Kind of documents that ask another process to record a note."""
_ACT: Final = re.compile(
    rb'"command":\{"type":"(?:GrantOffice|ConsentToGrant|RevokeGrants|DeclineConsent)"'
)


class Grant(msgspec.Struct, frozen=True):
    """A person in an office at a pit's tables (all if none is named); times in milliseconds."""

    id: str
    person: str
    office: str
    pit: str
    tables: tuple[str, ...] = ()
    seat: int | None = None
    device: str = "page"
    until: int = 0
    revoked: int | None = None
    made_by: str = ""
    consented_by: str = ""

    @property
    def waits(self) -> bool:
        return bool(self.made_by) and self.office != Role.BOARD and not self.consented_by

    @property
    def actor(self) -> Actor:
        return Actor(self.person, self.office, f"{self.device}:{self.id}", self.seat)

    def covers(self, pit: str, table: str) -> bool:
        if self.office not in LOOKS or pit != self.pit:
            return False
        return not self.tables or table in self.tables


def grant_command(grant: Grant, now: int, maker: str = "") -> GrantOffice:
    return GrantOffice(
        grant.id, grant.person, grant.office, _moment(now), _moment(grant.until), grant.tables,
        grant.seat, grant.device, grant.made_by, maker,
    )  # fmt: skip


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


class GrantFault(NamedTuple):
    """How a grant differs from its acts; ``is_void`` if none gave it, or one ended it."""

    grant: str
    message: str
    is_void: bool = False

    def __str__(self) -> str:
        return f"grant {self.grant}: {self.message}"


class _Acts:
    """The acts of all pits by grant, each with its pit and its entry in words."""

    def __init__(self) -> None:
        self.given: dict[str, tuple[str, str, GrantOffice]] = {}
        self.consents: set[tuple[str, str]] = set()
        self.ended: dict[str, str] = {}

    def add(self, pit: str, place: str, data: object) -> None:
        match decode_pit_command(data):
            case GrantOffice(grant) as act:
                self.given.setdefault(grant, (pit, place, act))
            case ConsentToGrant(grant, consented_by):
                self.consents.add((grant, consented_by))
            case RevokeGrants(grants):
                self.ended |= dict.fromkeys(grants, place)
            case DeclineConsent(grant=grant):
                self.ended[grant] = place

    def read(self, records: SqlReader, name: str) -> None:
        lines = records.lines(name)
        first_line = next(lines, b"")
        if not is_pit_header(first_line):
            return
        pit = pit_header_of(name, body_of(first_line)).pit
        for line in filter(_ACT.search, lines):
            if (head := entry_head(line)) is not None:
                self.add(pit, f"entry {head.seq} of pit {pit}", from_json(head.command))

    def faults_of(self, grant: Grant) -> Iterator[GrantFault]:
        if grant.id not in self.given:
            message = f"no act of a pit makes {grant.person} {grant.office}"
            yield GrantFault(grant.id, message, is_void=True)
            return
        pit, place, act = self.given[grant.id]
        kept = grant_command(grant, 0)
        pairs = {
            name: (getattr(act, name), getattr(kept, name))
            for name in ("person", "office", "tables", "seat", "device", "until", "made_by")
        }
        for name, (acted, stored) in {"pit": (pit, grant.pit), **pairs}.items():
            if acted != stored:
                message = f"{place} has {name} {_text(acted)}, the store {_text(stored)}"
                yield GrantFault(grant.id, message)
        by = grant.consented_by
        if by and (grant.id, by) not in self.consents:
            yield GrantFault(grant.id, f"no act of a pit has the consent under grant {by}")
        if grant.id in self.ended:
            yield GrantFault(grant.id, f"{self.ended[grant.id]} ended it", is_void=True)


def grant_faults(records: SqlReader) -> list[GrantFault]:
    """Compare grants that nobody revoked with the acts of pits.

    A grant is stored after its act, and ended after the act that ends it.
    """
    if not records.has_service:
        return []
    # What a document has by now is in a note or a record when these are read after it.
    documents, notes = records.documents("grant"), records.documents(NOTE)
    acts, faults = _Acts(), list[GrantFault]()
    for name in records.names:
        # A record that cannot be read is reported as such.
        with suppress(CodecError, LogError):
            acts.read(records, name)
    for name, content in sorted(notes.items()):
        try:
            data = from_json(content)
            acts.add(data["pit"], f"a note for pit {data['pit']}", data["command"])
        except (CodecError, KeyError, TypeError):
            faults.append(GrantFault(f"note {name}", "it cannot be read"))
    for name, content in documents.items():
        try:
            grant = msgspec.json.decode(content, type=Grant)
        except msgspec.DecodeError as error:
            faults.append(GrantFault(name, f"it cannot be read: {error}"))
            continue
        if grant.id != name:
            faults.append(GrantFault(name, f"it is stored as grant {grant.id}"))
        elif grant.revoked is None:
            faults += acts.faults_of(grant)
    return faults


def _text(value: object) -> str:
    match value:
        case datetime():
            return moment(value)
        case tuple():
            return ", ".join(value) or "none"
        case _:
            return str(value)
