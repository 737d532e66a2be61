"""The hash chain of a table log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.acts import Command
from croupier.records import codec
from croupier.records.codec import as_events
from croupier.records.entry import (
    FIRST,
    EntryHead,
    LoggedEntry,
    entry_head,
    is_last,
    last_body,
    moment,
    sealed_entries,
    sha256,
    stamp_of,
    unseal,
    written_body,
)
from croupier.records.header import LogError, LogHeader, header_body, header_of
from croupier.table.machine.position import Position

# In the first and the last year, the day before or after may not exist.
_TIME = re.compile(r"(?!0001|9999)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
BAD_SEAL = "the line's hash does not match its content"
AFTER_CLOSE = "there are lines after the one that closes the log"


def unsealed_line(place: str, line: bytes) -> tuple[bytes, str]:
    """Split a line into body and seal. Raises ``LogError``."""
    unsealed = unseal(line)
    if unsealed is None or sha256(unsealed[0]) != unsealed[1]:
        raise LogError(f"{place}: {BAD_SEAL}")
    return unsealed


class Link(Struct):
    """Chain state after a line; ``closed`` after the last one."""

    sequence: int
    seal: str
    at: str = ""
    closed: bool = False

    @classmethod
    def after(cls, position: Position, seal: str) -> Link:
        return cls(position.sequence, seal, "" if position.at is None else moment(position.at))

    def follow(self, line: bytes) -> tuple[LoggedEntry | None, str | None]:
        """Advance by one line, faulty or not; return its entry and its chain fault, if any."""
        for logged in self.follow_lines([line]):
            return logged, None
        if self.closed:
            return None, AFTER_CLOSE
        unsealed = unseal(line)
        body, digest = (line, sha256(line)) if unsealed is None else unsealed
        seal_fault = None if unsealed is not None and sha256(body) == digest else BAD_SEAL
        head = entry_head(body)
        entry, fault = self._not_an_entry(body) if head is None else self._entry(body, head)
        if head is None or seal_fault is not None:
            # The place and time in a faulty line are not used to check the next.
            self.sequence += not self.closed
        else:
            self.sequence, self.at = head.seq, head.at
        self.seal = digest
        return entry, seal_fault or fault

    def follow_lines(self, lines: Sequence[bytes]) -> list[LoggedEntry]:
        """Advance by lines if ``follow`` finds no fault in any and all are of this version."""
        entries = [] if self.closed else sealed_entries(lines)
        seq, seals = self.sequence + 1, [entry.sha256 for entry in entries]
        times = [entry.at for entry in entries]
        is_chained = (
            [entry.seq for entry in entries] == [*range(seq, seq + len(entries))]
            and [entry.prev for entry in entries] == [self.seal, *seals][:-1]
            and _are_times(times)
            and [self.at, *times] == sorted([self.at, *times])
        )
        if not entries or not is_chained:
            return []
        self.sequence, self.seal, self.at = entries[-1].seq, seals[-1], times[-1]
        for entry in entries:
            entry.events = as_events(entry.events)
        return entries

    def _not_an_entry(self, body: bytes) -> tuple[None, str | None]:
        try:
            data = codec.from_json(body)
        except codec.CodecError as error:
            return None, str(error)
        if not isinstance(data, dict) or not is_last(data):
            return None, "the line is not an entry of a log"
        self.closed = True
        if body != last_body(self.sequence, self.seal):
            return None, "the last line does not close the log before it"
        return None, None

    def _entry(self, body: bytes, head: EntryHead) -> tuple[LoggedEntry | None, str | None]:
        is_next = (head.seq, head.prev) == (self.sequence + 1, self.seal)
        fault = None if is_next else "an entry is missing, out of place, or follows a changed line"
        fault = fault or time_fault(head.at, self.at)
        if not _are_times([head.at]):
            return None, fault
        try:
            entry = decode_entry(head)
        except ValueError as error:
            return None, fault or f"not an entry of a table log: {error}"
        if fault is None and not _is_canonical(body, head, entry):
            fault = "the entry is not in the canonical form"
        return entry, fault


def decode_entry(head: EntryHead) -> LoggedEntry:
    """Decode a command and events of any version. Raises ``ValueError``."""
    raw = head.command
    command = codec.read_command(raw) or codec.decode_command(codec.from_json(raw))
    place = head.seq, head.prev, head.at, head.by, head.key, head.corrects
    return LoggedEntry(*place, command, codec.read_events(head.events))


def time_fault(time: str, last_time: str) -> str | None:
    if not _are_times([time]):
        return f"{time!r} is not a time in the format of a log"
    return f"the time goes backward: {time} follows {last_time}" if time < last_time else None


def _are_times(times: Sequence[str]) -> bool:
    try:
        return all(map(_TIME.fullmatch, times)) and all(map(datetime.fromisoformat, times))
    except ValueError:
        return False


def _is_canonical(body: bytes, head: EntryHead, entry: LoggedEntry) -> bool:
    """Return whether any version wrote it: commands with fewer fields, or earlier events."""
    command = entry.command
    place, stamp = (head.seq, head.prev), stamp_of(head)
    try:
        # Strictly: the reader of raw JSON ignores fields that nothing has, and their bytes.
        recorded_command = command_as_recorded(command, head.command)
        pairs = [*zip(codec.from_json(head.events), entry.events, strict=True)]
        former_events = [data for data, event in pairs if data["v"] != event.VERSION]
        for data in former_events:
            codec.decode_event(data)
    except codec.CodecError:
        return False
    events = [data if data in former_events else event.to_dict() for data, event in pairs]
    return body == written_body(place, head.at, stamp, recorded_command, events)


def command_as_recorded(command: Command, raw: msgspec.Raw) -> dict[str, Any]:
    """Return a command with the fields that its version had. Raises ``CodecError``."""
    data = codec.from_json(raw)
    return {name: data[name] for name in codec.from_json(codec.dump(command)) if name in data}


def read_log_header(path: Path | str, line: bytes) -> tuple[LogHeader, str, str | None]:
    """Return a header, its seal, and any chain fault. Raises ``LogError``."""
    unsealed = unseal(line)
    body, digest = (line, sha256(line)) if unsealed is None else unsealed
    header = header_of(path, body)
    if unsealed is None or sha256(body) != digest:
        return header, digest, BAD_SEAL
    data = codec.from_json(body)
    # ``verify`` checks whether the readings match the rules.
    expected = codec.from_json(header_body(header)) | {"readings": data["readings"]}
    is_canonical = data["prev"] == FIRST and codec.dump(expected) == body
    return header, digest, None if is_canonical else "the header is not in the canonical form"
