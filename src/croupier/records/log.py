"""The table log: JSON Lines, each chained to the one before by SHA-256, closed by a last line.

The first line is the header: format, law, and the whole rules submission in plain data, so that a
log can be verified with nothing but itself and the law. Each line after it is one command with
the events that it brought about. The last line says how many there were.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from croupier import __version__
from croupier.documents import PROGRAM
from croupier.files.errors import FileError
from croupier.files.lines import check_text_file, numbered_lines
from croupier.files.write import Draft, WriteError
from croupier.frozen import frozen
from croupier.law.elect import SubmissionError
from croupier.records.codec import CodecError, dump, from_json
from croupier.rules import Submission, TableLayout, TableRules, submission_of, table_rules
from croupier.table.commands import Command
from croupier.table.core import Events

__all__ = [
    "FORMAT",
    "LogError",
    "LogHeader",
    "LogWriter",
    "entry_body",
    "entry_head",
    "header_of",
    "lines",
    "seal",
]

FORMAT: Final = "croupier-table-log/1"
FIRST: Final = "0" * 64
"""What the header is chained to."""

_SEAL: Final = b',"sha256":"'


class LogError(ValueError):
    """A log that cannot be read; the message names the file, the line and the reason."""


def sha256(body: bytes) -> str:
    """Return the SHA-256 of a body, in hexadecimal."""
    return hashlib.sha256(body).hexdigest()


def seal(body: bytes) -> tuple[bytes, str]:
    """Return a line that ends with the SHA-256 of what stands before it, and that hash."""
    digest = sha256(body)
    return b"".join((body[:-1], _SEAL, digest.encode(), b'"}\n')), digest


def unseal(line: bytes) -> tuple[bytes, str] | None:
    """Return a sealed line's body and the hash it carries; ``None`` where it carries none."""
    at = len(line) - 64 - 3
    if at < len(_SEAL) or line[at - len(_SEAL) : at] != _SEAL or line[-3:] != b'"}\n':
        return None
    return line[: at - len(_SEAL)] + b"}", line[at:-3].decode("ascii", "replace")


def entry_body(sequence: int, previous: str, command: Command, events: Events) -> bytes:
    """Return the body of one entry: the command and its events, chained to the line before."""
    return dump(
        {
            "seq": sequence,
            "prev": previous,
            # What to_json does, without a call for each: a log is mostly this.
            "command": {"type": type(command).__name__, **command.__dict__},
            "events": [{"type": type(event).__name__, **event.__dict__} for event in events],
        }
    )


class EntryHead(msgspec.Struct):
    """An entry's number, its link to the line before, and its command; its events unread."""

    seq: int
    prev: str
    command: msgspec.Raw
    events: msgspec.Raw


_ENTRY_HEAD: Final = msgspec.json.Decoder(EntryHead)


def entry_head(body: bytes) -> EntryHead | None:
    """Return the head of an entry.

    ``None`` where the line is no entry: the last one, or one that somebody has damaged.
    """
    try:
        return _ENTRY_HEAD.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def header_body(
    rules: TableRules, shuffle: str, law_sha256: str, version: str = __version__
) -> bytes:
    """Return the body of the header: the program that wrote it, and the law's data by its hash."""
    submission = rules.submission
    limits = submission.limits
    return dump(
        {
            "format": FORMAT,
            "program": PROGRAM,
            "version": version,
            "law": rules.law.id,
            "on": submission.on.isoformat(),
            "title": submission.title,
            "elections": submission.elections,
            "layout": {
                name: getattr(submission.layout, name) for name in TableLayout.__match_args__
            },
            "limits": None
            if limits is None
            else {wager: [one.min_cents, one.max_cents] for wager, one in limits.items()},
            "interpretations": submission.readings,
            "readings": rules.readings,
            "law_sha256": law_sha256,
            "rules_sha256": rules.sha256,
            "shuffle": shuffle,
            "prev": FIRST,
        }
    )


def last_body(entries: int, previous: str) -> bytes:
    """Return the body of the last line: how many entries there were, chained to the last one."""
    return dump({"entries": entries, "prev": previous})


class LogWriter:
    """Appends a table's commands and events to a log; a listener of a ``Session``.

    Entries go to ``NAME.partial``, which takes the log's name only when it is closed whole: a
    failure leaves no log behind that looks finished, and no second table writes the same one.
    ``reads`` are files that the log never replaces. Raises ``LogError`` where it cannot be written,
    or is there already, unless ``replace`` is set.
    """

    def __init__(
        self,
        path: Path,
        rules: TableRules,
        *,
        shuffle: str,
        reads: Iterable[Path] = (),
        replace: bool = False,
    ) -> None:
        self.path = path
        if path.suffix == ".gz":
            raise LogError(
                f"{path}: a log is written uncompressed: name it without .gz and compress it after"
            )
        try:
            self._draft = Draft(path, reads=reads, force=replace, partial=True)
        except WriteError as error:
            raise LogError(str(error)) from error
        self._sequence = 0
        line, self._previous = seal(header_body(rules, shuffle, rules.law.sha256))
        self._write(line)

    def __call__(self, command: Command, events: Events) -> None:
        """Append one command that was carried out."""
        self._sequence += 1
        line, self._previous = seal(entry_body(self._sequence, self._previous, command, events))
        self._write(line)

    def _write(self, line: bytes) -> None:
        try:
            self._draft.file.write(line)
        except WriteError as error:
            raise LogError(str(error)) from error

    def close(self) -> None:
        """Write the last line, bring the log to disk and give it its name.

        Raises ``LogError`` where that cannot be done; then nothing is left behind.
        """
        line, _ = seal(last_body(self._sequence, self._previous))
        try:
            self._draft.file.write(line)
            self._draft.commit()
        except BaseException as error:
            self.discard()
            if isinstance(error, WriteError):
                raise LogError(str(error)) from error
            raise

    def discard(self) -> None:
        """Give up: leave nothing behind."""
        self._draft.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


@frozen
class LogHeader:
    """A log's first line: the rules that it was played under, and where its cards came from."""

    rules: TableRules
    rules_sha256: str
    law_sha256: str
    shuffle: str
    version: str
    """Of the program that wrote the log."""


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of the header, as they must be."""

    format: str
    program: str
    version: str
    law: str
    on: date
    title: str
    elections: dict[str, Any]
    layout: dict[str, Any]
    limits: dict[str, tuple[int, int]] | None
    interpretations: dict[str, str]
    readings: dict[str, str]
    law_sha256: str
    rules_sha256: str
    shuffle: str
    prev: str


def _submission(head: _Head) -> Submission:
    """Read the submission in a header the way its file is read, with the same faults."""
    limits = {
        wager: [
            f"{cents // 100}.{cents % 100:02}" if cents % 100 else cents // 100 for cents in pair
        ]
        for wager, pair in (head.limits or {}).items()
    }
    submission = submission_of(
        {
            "submission": {"law": head.law, "on": head.on, "title": head.title},
            "elections": head.elections,
            "interpretations": head.interpretations,
            "table": head.layout,
            "limits": limits,
        }
    )
    return replace(submission, limits=None) if head.limits is None else submission


def header_of(path: Path, body: bytes) -> LogHeader:
    """Read a header's body and settle its rules again from the law.

    Raises ``LogError`` where it is no header of this format, or the law refuses its elections.
    """
    try:
        head = msgspec.convert(from_json(body), _Head)
    except (CodecError, msgspec.ValidationError) as error:
        raise LogError(f"{path}:1: no header of a table log: {error}") from error
    if head.format != FORMAT:
        raise LogError(f"{path}:1: its format is {head.format!r}; this program reads {FORMAT!r}")
    try:
        rules = table_rules(_submission(head))
    except SubmissionError as error:
        raise LogError(
            f"{path}:1: the law refuses the submission in the header: {error}"
        ) from error
    return LogHeader(rules, head.rules_sha256, head.law_sha256, head.shuffle, head.version)


def lines(path: Path) -> Iterator[bytes]:
    """Yield a log's lines, decompressed and each whole.

    Raises ``LogError`` for a log that is truncated, or that is a changed copy of one.
    """
    try:
        check_text_file(path)
        number = 0
        for number, line in numbered_lines(path):
            if number == 1:
                _check_copy(path, line)
            if not line.endswith(b"\n"):
                raise LogError(f"{path}:{number}: the log is cut off in the middle of a line")
            yield line
        if number == 0:
            raise LogError(f"{path}: the log is empty")
    except FileError as error:
        raise LogError(str(error)) from error


def _check_copy(path: Path, first: bytes) -> None:
    """Raise ``LogError`` for a copy that an editor or a transfer has changed."""
    changed = {
        "begins with a byte order mark (BOM)": first.startswith(codecs.BOM_UTF8),
        "has CRLF line ends": first.endswith(b"\r\n"),
    }
    for what, found in changed.items():
        if found:
            raise LogError(
                f"{path}:1: this copy of a log {what}; a log is hashed byte for byte: copy it"
                " unchanged, in binary mode, or remove what was added"
            )


def is_last(entry: Mapping[str, Any]) -> bool:
    """Tell whether a line is the one that closes a log."""
    return "entries" in entry
