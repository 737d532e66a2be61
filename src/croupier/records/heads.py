"""Signed heads of the records of a store, kept in a second place, and their time stamps."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, TypedDict

import msgspec
from msgspec import Struct

from croupier.files.errors import FileError
from croupier.files.text import open_bytes
from croupier.records import checkpoints
from croupier.records.chain import unsealed_line
from croupier.records.entry import FIRST, moment, system_clock
from croupier.records.header import LogError, StoredRecords, stream_in
from croupier.records.signing import Signer, Trust, TrustedKey
from croupier.records.stores.stream import StoreError
from croupier.rules.documents import Hash, Positive

FORMAT: Final = "croupier-heads/1"
_MOST: Final = 2000
"""Records in one line, which readers limit to a megabyte."""


class Head(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a record ended: its number of lines, and the seal of the last."""

    record: Annotated[str, "The name of the record in the store."]
    stream: Annotated[str, "The stream of its header."]
    lines: Annotated[Positive, "Number of lines, the header included."]
    sha256: Annotated[Hash, "The seal of the last of them."]
    closed: Annotated[bool, "Whether that line closes the record."]


class HeadsLine(TypedDict):
    """Signed heads of the records of a store that changed since the line before."""

    format: Literal["croupier-heads/1"]
    number: checkpoints.Number
    prev: checkpoints.Before
    records: list[Head]
    at: checkpoints.SignedAt
    key: checkpoints.KeyId
    signature: checkpoints.Signature


_FORMATS: Final = {FORMAT: checkpoints.kinds_of(HeadsLine)}


class Signed(NamedTuple):
    head: Head
    number: int
    at: str

    def __str__(self) -> str:
        return f"head {self.number} ({self.at})"


class Heads:
    """The last signed heads; ``uncounted`` are lines after the last that counts, ``vouching``."""

    def __init__(self) -> None:
        self.last: dict[str, Signed] = {}
        self.earlier: dict[str, list[Signed]] = {}
        """All heads of each record, in order."""
        self.faults: list[str] = []
        self.uncounted: list[str] = []
        self.vouching: checkpoints.SignedLine | None = None
        self.digests: dict[str, int] = {}

    @classmethod
    def read(cls, path: Path, trust: Trust) -> Heads:
        """Read a file of heads. Raises ``FileError``."""
        result, pending_heads, errors = cls(), dict[str, Signed](), []
        for line in checkpoints.read_signed(path, _FORMATS, trust):
            result.digests[line.digest] = line.number
            try:
                heads = msgspec.convert(line.data["records"], list[Head])
            except msgspec.ValidationError as error:
                errors.append(f"{path}:{line.number}: records: {error}")
                continue
            if line.fault:
                result.faults.append(f"{path}:{line.number}: {line.fault}")
            for head in heads:
                old_head = pending_heads.get(head.record) or result.last.get(head.record)
                if old_head is not None and (contradiction := _contradicts(old_head, head)):
                    result.faults.append(f"{path}:{line.number}: {head.record}: {contradiction}")
                pending_heads[head.record] = Signed(head, line.number, line.data["at"])
            if line.key is not None:
                result.add(pending_heads)
                result.vouching, pending_heads = line, {}
                result.uncounted.clear()
            elif line.uncounted:
                result.uncounted.append(f"{path}:{line.number}: not counted: {line.uncounted}")
        if errors:
            raise FileError(*errors)
        return result

    def add(self, signed: Mapping[str, Signed]) -> None:
        self.last |= signed
        for name, head in signed.items():
            self.earlier.setdefault(name, []).append(head)

    @property
    def extent(self) -> str:
        if (line := self.vouching) is None or line.key is None:
            return "no trusted key has signed these heads"
        label, time = line.key.label, line.data["at"]
        return f"signed: {len(self.last):,} records through line {line.number} by {label} at {time}"

    def compared(self, source: Heads) -> tuple[list[Head], list[tuple[str, str]]]:
        changed_heads, faults = [], []
        for name in self.last | source.last:
            old_head, new_head = self.last.get(name), source.last.get(name)
            if new_head is None:
                faults.append((name, f"the record is missing; {old_head} has it"))
            elif old_head is None:
                changed_heads.append(new_head.head)
            elif message := _contradicts(old_head, new_head.head):
                faults.append((name, message))
            elif new_head.head != old_head.head:
                changed_heads.append(new_head.head)
        return changed_heads, faults

    def contradictions(
        self, records: StoredRecords, *, is_copy: bool = False
    ) -> Iterator[tuple[str, str]]:
        """Yield the records that differ from their heads; a copy's may be older than the last."""
        streams = dict(streams_of(records))
        names = {stream: name for name, stream in streams.items()}
        for name, signature in self.last.items():
            head = signature.head
            if streams.get(name) != head.stream:
                new_name = names.get(head.stream)
                loss = "is missing" if new_name is None else f"is now named {new_name}"
                if not is_copy or new_name is not None or name in streams:
                    yield name, f"the record {loss}; {signature} has {head.lines:,} lines of it"
                continue
            count = records.count(name)
            reached = [signed for signed in self.earlier[name] if signed.head.lines <= count]
            for signed in reached[-1:]:
                number = signed.head.lines
                line = next(iter(records.lines(name, number - 1, number - 1)), b"")
                if not line.endswith(f'"sha256":"{signed.head.sha256}"}}\n'.encode()):
                    yield name, f"line {number} is not that of {signed}: it was sealed again"
                    break
            else:
                if count < head.lines and not is_copy:
                    yield name, f"the record has {count:,} lines; {signature} has {head.lines:,}"

    def changed(self, records: StoredRecords) -> Iterator[Head]:
        """Yield the present heads of records that changed. Raises ``StoreError``."""
        for name in records.names:
            old_head, count = self.last.get(name), 0
            if old_head is None or not old_head.head.closed:
                count = records.count(name)
            if count and (old_head is None or old_head.head.lines != count):
                yield _head(name, records, count)


def _contradicts(old_head: Signed, head: Head) -> str:
    old = old_head.head
    if head.stream != old.stream:
        return f"another stream than in {old_head}"
    if head.lines < old.lines or (head.lines == old.lines and head != old):
        return f"not what follows {old_head} of {old.lines:,} lines"
    return ""


def streams_of(records: StoredRecords) -> Iterator[tuple[str, str]]:
    for name in records.names:
        for line in records.lines(name, 0, 0):
            if stream := stream_in(line):
                yield name, stream


def doubled(records: StoredRecords) -> Iterator[tuple[str, str]]:
    """Yield records whose stream an earlier one has, with a message."""
    streams: dict[str, str] = {}
    for name, stream in streams_of(records):
        if stream in streams:
            yield name, f"the record is that of {streams[stream]} again: both have stream {stream}"
        streams.setdefault(stream, name)


def _head(name: str, records: StoredRecords, count: int) -> Head:
    header_line, last = (next(iter(records.lines(name, one, one)), b"") for one in (0, count - 1))
    if not (stream := stream_in(header_line)):
        raise StoreError(f"{name}: line 1: not the header of a record")
    try:
        body, seal = unsealed_line(f"{name}: line {count}", last)
    except LogError as error:
        raise StoreError(str(error)) from error
    return Head(name, stream, count, seal, body.startswith(b'{"entries":'))


class ContradictedError(StoreError):
    """A store that is not as signed or recorded, or a file of heads that was changed."""


class HeadsFile:
    """Raises ``ContradictedError`` for a changed file, ``StoreError`` for another kind."""

    def __init__(self, path: Path, signer: Signer, trust: Trust | None = None) -> None:
        self.path: Final = path / "heads.jsonl" if path.is_dir() else path
        self._signer: Final = signer
        own_key = TrustedKey("this key", signer.public_key, signer.key_id)
        trust_all = Trust({own_key.id: own_key} | dict(trust.keys if trust else {}))
        if reason := trust_all.keys[own_key.id].why_not(moment(system_clock())):
            raise StoreError(f"{trust_all.keys[own_key.id].label}: it cannot sign: {reason}")
        self.heads = Heads()
        if self.path.exists():
            try:
                self.heads = Heads.read(self.path, trust_all)
            except FileError as error:
                raise StoreError(str(error)) from error
            if faults := [*self.heads.faults, *self.heads.uncounted]:
                raise ContradictedError("\n".join(faults))

    def check(self, records: StoredRecords) -> None:
        """Raise ``ContradictedError`` for a store that is not as signed."""
        contradictions = chain(doubled(records), self.heads.contradictions(records))
        faults = [f"{name}: {message}" for name, message in contradictions]
        if faults:
            advice = f"restore the store, or begin another file of heads than {self.path}"
            raise ContradictedError("\n".join([*faults, advice]))

    def append(self, heads: Sequence[Head]) -> checkpoints.SignedLine:
        """Sign heads, durably; return the last line. Raises ``StoreError``."""
        part, remainder = heads[:_MOST], heads[_MOST:]
        data = {"records": [msgspec.to_builtins(head) for head in part]}
        digest = next(reversed(self.heads.digests), FIRST)
        line = checkpoints.append_signed(self.path, self._signer, FORMAT, data, previous=digest)
        time = line.data["at"]
        self.heads.digests[line.digest] = line.number
        self.heads.add({head.record: Signed(head, line.number, time) for head in part})
        return self.append(remainder) if remainder else line

    def append_changed(self, records: StoredRecords) -> None:
        """Sign the changed heads, if any. Raises ``StoreError``."""
        if changed_heads := [*self.heads.changed(records)]:
            self.append(changed_heads)


_TIME: Final = re.compile(r"^Time stamp: (\w+ +\d+ [\d:]+)(?:\.\d+)? (\d+) GMT$", re.MULTILINE)
_IMPRINT: Final = re.compile(r"^ +[0-9a-f]{4} - ((?:[0-9a-f]{2}[ -]){16})", re.MULTILINE)


class StampError(Exception):
    """A time stamp that cannot be requested or read."""


class WrongStampError(StampError):
    """A time stamp that is not valid for these heads."""


def stamp_request(heads: Path) -> tuple[int, bytes]:
    """Request a stamp (DER) over the last line. Raises ``StampError``, ``FileError``."""
    lines = Heads.read(heads, Trust({}))
    if not lines.digests:
        raise StampError(f"{heads}: it has no line")
    if lines.faults:
        raise WrongStampError("\n".join(lines.faults))
    digest = next(reversed(lines.digests))
    process = _openssl("-query", "-digest", digest, "-sha256", "-cert")
    if process.returncode:
        raise StampError(f"openssl: {_reason(process)}")
    return lines.digests[digest], process.stdout


def check_stamp(heads: Path, token: Path, authority: Path) -> tuple[int, datetime]:
    """Return the line and time of a valid response. Raises ``StampError`` and ``FileError``."""
    with open_bytes(authority) as file:
        if b"CERTIFICATE-----" not in file.read():
            raise StampError(f"{authority}: it has no certificate in PEM")
    process = _openssl("-reply", "-in", token, "-text")
    if process.returncode:
        raise StampError(f"{token}: not a response of a time stamp authority (DER)")
    # The status before it is not signed, and its text is printed with any line ends.
    text = process.stdout.decode("utf-8", "replace").rpartition("\nTST info:\n")[2]
    time, imprint = _TIME.search(text), "".join(_IMPRINT.findall(text))
    if time is None:
        raise WrongStampError(f"{token}: the authority granted no time stamp")
    stamp_time = datetime.strptime(f"{time[1]} {time[2]}", "%b %d %H:%M:%S %Y").replace(tzinfo=UTC)
    lines, digest = Heads.read(heads, Trust({})), re.sub("[ -]", "", imprint)
    number = lines.digests.get(digest)
    if number is None:
        raise WrongStampError(f"{token}: no line of {heads} is the one that was stamped")
    if lines.faults:
        raise WrongStampError("\n".join(lines.faults))
    # A certificate that expired since was valid when it signed.
    options = ("-attime", str(int(stamp_time.timestamp())))
    process = _openssl("-verify", "-digest", digest, "-in", token, "-CAfile", authority, *options)
    if process.returncode:
        raise WrongStampError(f"{token}: not signed by the authority: {_reason(process)}")
    return number, stamp_time


def _openssl(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    command = ["openssl", "ts", *(os.fspath(word) for word in words)]
    try:
        return subprocess.run(  # noqa: S603  (options and files, without a shell)
            command, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"}
        )
    except OSError as error:
        raise StampError(
            f"time stamps need the program openssl, which cannot be run: {error.strerror}"
        ) from error


def _reason(process: subprocess.CompletedProcess[bytes]) -> str:
    lines = process.stderr.decode("utf-8", "replace").splitlines() or ["it gives no reason"]
    parts = next((line for line in lines if "error" in line.lower()), lines[0]).split(":")
    # The reason, if openssl adds nothing to it.
    return parts[-1] or "".join(parts[5:6])
