"""The record of a pit, chained like a table log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import uuid4

import msgspec
from msgspec import Struct

from croupier.files.version import program_version
from croupier.records import pit_codec
from croupier.records.chain import unsealed_line
from croupier.records.codec import CodecError, dump, from_json
from croupier.records.entry import (
    FIRST,
    entry_head,
    is_last,
    moment,
    seal,
    stamp_of,
    written_body,
)
from croupier.records.header import LogError
from croupier.records.stores.places import is_store, names_in, record_lines
from croupier.rules.documents import PROGRAM
from croupier.table.machine.position import Stamp
from croupier.table.pit import PitCommand, PitEvents, PitPosition, PitProposal, advanced_pit

PIT_FORMAT: Final = "croupier-pit-log/1"


def order_key(sequence: int, place: int = 0) -> str:
    """Return a table entry's key for an order: ``pit-12``, ``pit-12-1``."""
    return f"pit-{sequence}-{place}" if place else f"pit-{sequence}"


def ordered_by(key: str) -> int:
    """Return the entry of the pit in an order's key; 0 for another key."""
    found = re.match(r"pit-([0-9]{1,18})(?:-|$)", key)
    return int(found[1]) if found else 0


class PitHeader(Struct, frozen=True):
    pit: str
    stream: str
    version: str


def new_pit_header(pit: str) -> PitHeader:
    return PitHeader(pit, str(uuid4()), program_version())


def pit_header_body(header: PitHeader) -> bytes:
    body = {
        "format": PIT_FORMAT,
        "stream": header.stream,
        "program": PROGRAM,
        "version": header.version,
        "pit": header.pit,
        "prev": FIRST,
    }
    return dump(body)


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    stream: str
    program: str
    version: str
    pit: str
    prev: str


def is_pit_header(line: bytes) -> bool:
    return line.startswith(b'{"format":"croupier-pit-log/')


def tables_in(path: Path) -> Sequence[str | None]:
    """Name a store's tables; a log has ``None``. Raises ``StoreError``."""
    if not is_store(path):
        return (None,)
    firsts = ((name, next(record_lines(path, name), b"")) for name in names_in(path))
    return [name for name, first in firsts if first and not is_pit_header(first)]


def pit_header_of(place: str, body: bytes) -> PitHeader:
    """Read a header. Raises ``LogError``."""
    try:
        head = msgspec.convert(from_json(body), _Head)
    except (CodecError, msgspec.ValidationError) as error:
        raise LogError(f"{place}:1: not the header of a pit log: {error}") from error
    if head.format != PIT_FORMAT:
        raise LogError(
            f"{place}:1: its format is {head.format!r}; this program reads {PIT_FORMAT!r}"
        )
    return PitHeader(head.pit, head.stream, head.version)


def pit_entry_body(
    place: tuple[int, str], at: str, stamp: Stamp, command: PitCommand, events: PitEvents
) -> bytes:
    documents = [pit_codec.pit_event_data(event) for event in events]
    return written_body(place, at, stamp, pit_codec.pit_command_data(command), documents)


def sealed_pit_entry(previous: str, proposal: PitProposal) -> tuple[bytes, str]:
    after = proposal.after
    if after.at is None:
        raise ValueError("an entry of a record requires a time")
    place = (after.sequence, previous)
    at = moment(after.at)
    return seal(pit_entry_body(place, at, proposal.stamp, proposal.command, proposal.events))


class ResumedPit(Struct):
    header: PitHeader
    position: PitPosition
    head: str
    closed: bool = False


def resume_pit(name: str, lines: Iterable[bytes]) -> tuple[ResumedPit, list[PitProposal]]:
    """Follow a record by its events. Raises ``LogError``."""
    stream = iter(lines)
    first = next(stream, None)
    if first is None:
        raise LogError(f"{name}: the log is empty")
    body, digest = unsealed_line(f"{name}:1", first)
    found = ResumedPit(pit_header_of(name, body), PitPosition(), digest)
    followed = (
        follow_pit_line(f"{name}:{number}", found, line)
        for number, line in enumerate(stream, start=2)
    )
    return found, [step for step in followed if step is not None]


def follow_pit_line(place: str, found: ResumedPit, line: bytes) -> PitProposal | None:
    """Advance; return the entry unless the line closes the log."""
    body, digest = unsealed_line(place, line)
    if found.closed:
        raise LogError(f"{place}: there are lines after the one that closes the log")
    head = entry_head(body)
    try:
        if head is None:
            _close(place, found, body)
            found.head = digest
            return None
        if (head.seq, head.prev) != (found.position.sequence + 1, found.head):
            raise LogError(f"{place}: an entry is missing, or out of place")
        command = pit_codec.decode_pit_command(from_json(head.command))
        before = found.position
        events = pit_codec.decode_pit_events(before.state, command, from_json(head.events))
        after = advanced_pit(before, events, datetime.fromisoformat(head.at))
    except (CodecError, ValueError) as error:
        raise error if isinstance(error, LogError) else LogError(f"{place}: {error}") from error
    found.position, found.head = after, digest
    return PitProposal(before, command, events, after, stamp_of(head))


def _close(place: str, found: ResumedPit, body: bytes) -> None:
    entry = from_json(body)
    if not isinstance(entry, dict) or not is_last(entry):
        raise LogError(f"{place}: the line is not an entry of a log")
    if (entry["entries"], entry.get("prev")) != (found.position.sequence, found.head):
        raise LogError(f"{place}: the last line does not close the log before it")
    found.closed = True
