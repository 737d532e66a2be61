"""The header of a table log: program, law, and the whole rules submission; names of days."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Final, Protocol
from uuid import uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.files.text import read_bytes
from croupier.files.version import program_version
from croupier.files.write import write_file
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.law.folders import with_folder
from croupier.law.interpretations import REGISTER
from croupier.law.load import load_instrument
from croupier.law.mechanisms import MechanismError
from croupier.law.model import Instrument
from croupier.law.resolve import law_ids, law_path, resolve
from croupier.records.carried import Carried, CarriedWritten, carried_data
from croupier.records.codec import CodecError, dump, from_json
from croupier.records.entry import FIRST
from croupier.rules import Submission, TableLayout, TableRules, submission_of, table_rules
from croupier.rules.documents import PROGRAM
from croupier.table.machine.position import Position, opening_position


class StoredRecords(Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...

    def count(self, name: str) -> int: ...

    def lines(self, name: str, first: int = 0, last: int | None = None) -> Iterator[bytes]: ...


_DAY: Final = re.compile(r"(.*)/([1-9][0-9]{0,8})", re.DOTALL)


def name_of_day(table: str, day: int) -> str:
    """Return the record name of a gaming day, counted from 1."""
    return table if day == 1 else f"{table}/{day}"


def day_of(name: str) -> tuple[str, int]:
    """Return the table and the gaming day number of a record.

    >>> day_of("MB-101"), day_of("MB-101/2")
    (('MB-101', 1), ('MB-101', 2))
    """
    match = _DAY.fullmatch(name)
    return (name, 1) if match is None else (match[1], int(match[2]))


def last_day(table: str, names: Iterable[str]) -> int:
    """Return a table's last gaming day; 0 without a record."""
    return max((day for one, day in map(day_of, names) if one == table), default=0)


def newest_days(names: Iterable[str]) -> list[str]:
    """Return each table's record of its last gaming day."""
    days: dict[str, int] = {}
    for table, day in map(day_of, names):
        days[table] = max(day, days.get(table, 0))
    return [name_of_day(table, day) for table, day in days.items()]


class StoredLaw(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    law: str
    register: str = ""

    @property
    def register_sha256(self) -> str:
        return hashlib.sha256(self.register.encode()).hexdigest() if self.register else ""

    def instrument(self, law_id: str, law_sha256: str) -> Instrument:
        """Load what the log was made under; no proof of the law. Raises ``LawError``."""
        raw = self.law.encode()
        if hashlib.sha256(raw).hexdigest() != law_sha256:
            raise LawError(f"the law stored in it is not the law file {law_sha256} of its header")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "law.toml")
            write_file(path, raw)
            if self.register:
                write_file(path.with_name(REGISTER), self.register.encode())
            try:
                law = load_instrument(path, imports=False)
            except LawError as error:
                raise LawError(f"the law stored in it has faults: {error}") from error
        if law.id != law_id:
            raise LawError(f"the law stored in it is {law.id}, not {law_id}")
        return law


def stored_law(law: Instrument) -> StoredLaw | None:
    """Return what a log stores; ``None`` for a law that every program has."""
    path = law_path(law)
    if path is None:
        return None
    register = path.with_name(REGISTER)
    register_text = read_bytes(register).decode() if register.is_file() else ""
    copy = StoredLaw(read_bytes(path).decode(), register_text)
    if copy.instrument(law.id, law.sha256).register != law.register:
        raise LawError(f"{register}: was changed since it was read")
    return copy


FORMAT: Final = "croupier-table-log/2"

_OLD: Final = "croupier-table-log/1"


class LogError(ValueError):
    """A log that cannot be read or written."""


class LogRulesError(LogError):
    """A log of a table whose rules cannot be had here."""


class LogHeader(Struct, frozen=True):
    """Of a header, only ``rules`` is verified."""

    rules: TableRules
    shuffle: str
    stream: str
    version: str
    edition: int
    law_sha256: str
    binding_sha256: str
    cited_sha256: str
    readings: Mapping[str, str]
    continues: Carried | None = None
    stored: StoredLaw | None = None
    is_from_log: bool = False
    """Whether the law was read from the log, because no text of its id is known here."""

    @property
    def opening(self) -> Position:
        return opening_position(self.rules) if self.continues is None else self.continues.position

    @property
    def is_seeded(self) -> bool:
        """Whether a seeded dealer is said to have dealt the log, whose clock begins in 2000."""
        return self.shuffle.startswith("seed ")

    @property
    def before(self) -> int:
        """Number of entries in the logs before this one."""
        return 0 if self.continues is None else self.continues.position.sequence


def new_header(
    rules: TableRules,
    shuffle: str,
    stream: str | None = None,
    continues: Carried | None = None,
    *,
    with_law: bool = False,
) -> LogHeader:
    """Raise ``LawError``, or ``LogError`` for a wager decided by a function."""
    if undefined_names := [offer.wager.id for offer in rules.own if not offer.definition]:
        names = ", ".join(undefined_names)
        raise LogError(f"{names}: a table log holds the definition of a wager: write it in TOML")
    return LogHeader(
        rules,
        shuffle,
        str(uuid4()) if stream is None else stream,
        program_version(),
        rules.law.edition,
        rules.law.sha256,
        rules.sha256,
        rules.cited_sha256,
        rules.binding_readings,
        continues,
        stored_law(rules.law) if with_law else None,
    )


def header_body(header: LogHeader) -> bytes:
    data = submission_data(header.rules.submission)
    body = {
        "format": FORMAT,
        "stream": header.stream,
        "program": PROGRAM,
        "version": header.version,
        "law": data.pop("law"),
        "on": data.pop("on"),
        "edition": header.edition,
        **data,
        "readings": header.readings,
        "law_sha256": header.law_sha256,
        "binding_sha256": header.binding_sha256,
        "cited_sha256": header.cited_sha256,
        "shuffle": header.shuffle,
        # Omitted if absent, as in older logs.
        **({"continues": carried_data(header.continues)} if header.continues else {}),
        **({"stored_law": header.stored} if header.stored else {}),
        **({"mechanisms": mechanisms} if (mechanisms := _mechanisms(header.rules.law)) else {}),
        "prev": FIRST,
    }
    return dump(body)


def _mechanisms(law: Instrument) -> dict[str, dict[str, str]]:
    return {name: mechanism.stated for name, mechanism in law.mechanisms.items()}


def submission_data(submission: Submission) -> dict[str, Any]:
    """Return a submission as data from which its rules are resolved again."""
    limits = submission.limits
    optional = {
        "drawing_table": submission.drawing_table,
        "own": submission.own,
        "unsupported": submission.unsupported,
        "documents": {document.name: document.written() for document in submission.documents},
    }
    return {
        "law": submission.law,
        "on": submission.on.isoformat(),
        "title": submission.title,
        "elections": submission.elections,
        "layout": {name: getattr(submission.layout, name) for name in TableLayout.__match_args__},
        "limits": None
        if limits is None
        else {
            wager: {"min_cents": limit.min_cents, "max_cents": limit.max_cents}
            for wager, limit in limits.items()
        },
        "interpretations": submission.readings,
        # Omitted if empty, as in older logs.
        **{name: value for name, value in optional.items() if value},
    }


class SubmissionWritten(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    law: str
    on: date
    title: str
    elections: dict[str, Any]
    layout: dict[str, Any]
    limits: dict[str, Any] | None
    interpretations: dict[str, str]
    drawing_table: str = ""
    own: list[dict[str, Any]] = msgspec.field(default_factory=list)
    unsupported: list[str] = msgspec.field(default_factory=list)
    documents: dict[str, Any] = msgspec.field(default_factory=dict)


class _Head(SubmissionWritten, forbid_unknown_fields=True, kw_only=True):
    format: str
    stream: str
    program: str
    version: str
    edition: int
    readings: dict[str, str]
    law_sha256: str
    binding_sha256: str
    cited_sha256: str
    shuffle: str
    prev: str
    continues: CarriedWritten | None = None
    stored_law: StoredLaw | None = None
    mechanisms: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)


def submission_from(head: SubmissionWritten) -> Submission:
    submission = submission_of(
        {
            "submission": {
                "law": head.law,
                "on": head.on,
                "title": head.title,
                "drawing_table": head.drawing_table,
            },
            "elections": head.elections,
            "interpretations": head.interpretations,
            "table": head.layout,
            "limits": head.limits or {},
            "unsupported": {"by_hand": head.unsupported},
            "documents": head.documents,
        }
    )
    submission = replace(submission, own=tuple(head.own))
    return replace(submission, limits=None) if head.limits is None else submission


def _missing_law(head: _Head) -> str:
    if head.law in law_ids():
        return ""
    return (
        f"the log was made under {head.law} of {head.on}, law file {head.law_sha256}, which is not "
        f"included: name the folder of that file {with_folder()}"
    )


def _other_version(head: _Head) -> str:
    with suppress(LawError):
        law = resolve(head.law, on=head.on)
        if law.sha256 != head.law_sha256 and law_path(law) is not None:
            return (
                f"the log was made under another version of {law.key}, law file "
                f"{head.law_sha256}; the one here is {law.sha256}"
            )
    return ""


def _check_mechanisms(head: _Head, law: Instrument) -> None:
    mechanisms = _mechanisms(law)
    for name in sorted({*mechanisms, *head.mechanisms}):
        then, now = (mechanisms_of.get(name, {}) for mechanisms_of in (head.mechanisms, mechanisms))
        if then != now:
            raise MechanismError(
                f"the log was made with {_code(name, then)}; {law.key} has here {_code(name, now)}"
            )


def _code(name: str, mechanism: Mapping[str, str]) -> str:
    if not mechanism:
        return f"no mechanism {name}"
    package, version, sha256 = (mechanism.get(key) for key in ("package", "version", "sha256"))
    return f"the mechanism {name}, {package} {version}, SHA-256 {sha256}"


def _law_in(head: _Head) -> Instrument | None:
    if head.stored_law is None or head.law in law_ids():
        return None
    law = head.stored_law.instrument(head.law, head.law_sha256)
    if not law.in_force_from <= head.on <= law.in_force_known:
        raise LawError(f"the law stored in it was not known to be in force on {head.on}")
    return law


def stream_in(header: bytes) -> str:
    """Return the stream of a record, or nothing if its header cannot be read."""
    try:
        return str(from_json(header)["stream"])
    except (ValueError, TypeError, KeyError):
        return ""


def header_of(path: Path | str, body: bytes) -> LogHeader:
    """Read a header and resolve its rules. Raises ``LogError``."""
    try:
        data = from_json(body)
        format_text = data.get("format") if isinstance(data, dict) else None
        if format_text == _OLD:
            raise LogError(
                f"{path}:1: its format is {_OLD}, which was never released and is no longer "
                f"supported; this program reads {FORMAT}: deal or run the table again"
            )
        head = msgspec.convert(data, _Head)
    except (CodecError, msgspec.ValidationError) as error:
        raise LogError(f"{path}:1: not a table log header: {error}") from error
    if head.format != FORMAT:
        raise LogError(f"{path}:1: its format is {head.format!r}; this program reads {FORMAT!r}")
    try:
        law = _law_in(head)
        rules = table_rules(submission_from(head), law)
        _check_mechanisms(head, rules.law)
    except LawError as error:
        raise LogRulesError(f"{path}:1: {error}") from error
    except SubmissionError as error:
        if reason := _missing_law(head) or _other_version(head):
            raise LogRulesError(f"{path}:1: {reason}") from error
        raise LogRulesError(
            f"{path}:1: the submission in the header is refused: {error}"
        ) from error
    try:
        carry = None if head.continues is None else head.continues.carried(rules)
    except ValueError as error:
        raise LogError(f"{path}:1: not a table log header: {error}") from error
    return LogHeader(
        rules,
        head.shuffle,
        head.stream,
        head.version,
        head.edition,
        head.law_sha256,
        head.binding_sha256,
        head.cited_sha256,
        head.readings,
        carry,
        head.stored_law,
        law is not None,
    )
