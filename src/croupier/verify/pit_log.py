"""Verification of a pit log, and of table logs against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field

from croupier import acts
from croupier.records.codec import CodecError, dump, from_json
from croupier.records.entry import (
    EntryHead,
    body_of,
    entry_head,
    is_last,
    last_body,
    seal,
    sha256,
    stamp_of,
    unseal,
)
from croupier.records.header import LogError, LogHeader
from croupier.records.log import LogLines, followed_lines
from croupier.records.pit_log import (
    PitHeader,
    decode_pit_command,
    order_key,
    ordered_by,
    pit_entry_body,
    pit_header_body,
    pit_header_of,
)
from croupier.rules import TableRules
from croupier.rules.documents import Count, Word
from croupier.table.elections.notice import notices_of
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Proposal
from croupier.table.people.seating import name_key
from croupier.table.pit import (
    AdmitTable,
    ChangeElections,
    ElectionsChanged,
    GiveNotice,
    PitEvents,
    PitPosition,
    PitProposal,
    TableAdmitted,
    WithdrawTable,
    propose_in_pit,
)
from croupier.verify.corrected import hashes_ever
from croupier.verify.pit import LinkedMeters
from croupier.verify.verdict import Diverged, LogDivergence, diverge, entry_of, time_in_order


class FindingInPit(Struct, frozen=True):
    """What a table's record holds against that of its pit."""

    table: Word
    entry: Count
    message: Word

    def __str__(self) -> str:
        return f"table {self.table}, entry {self.entry}: {self.message}"


class PitVerdict(Struct):
    """The verdict on a pit's record and its tables' logs; meters are cents by link."""

    header: PitHeader
    entries: int = 0
    events: int = 0
    head: str = ""
    is_open: bool = True
    torn: int | None = None
    tables: tuple[str, ...] = ()
    admitted: tuple[str, ...] = ()
    meters: dict[str, dict[str, int]] = field(default_factory=dict)
    divergence: LogDivergence | None = None
    findings: list[FindingInPit] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return self.divergence is None and not self.findings


Tables = Iterable[tuple[Path, Iterable[bytes]]]
"""Table records: the name for messages and the lines of each."""


def verify_pit_log(path: Path, paths: Iterable[Path] = (), record: str | None = None) -> PitVerdict:
    """Verify the logs of a pit and of its tables. Raises ``LogError``."""
    source = LogLines(path, record)
    verdict = verify_pit_lines(path, source, ((log, LogLines(log)) for log in paths))
    verdict.torn = source.torn
    return verdict


def verify_pit_lines(path: Path, lines: Iterable[bytes], tables: Tables = ()) -> PitVerdict:
    stream = iter(lines)
    header_line = next(stream, b"")
    replay = _Replay(path, PitVerdict(pit_header_of(str(path), body_of(header_line))))
    try:
        replay.begin(header_line)
        for line in stream:
            replay.follow(line)
    except Diverged as error:
        replay.verdict.divergence = error.divergence
        return replay.verdict
    admissions = _Admission.all(replay.steps)
    replay.verdict.admitted = tuple(dict.fromkeys(admission.table for admission in admissions))
    followed = [followed_lines(place, read_lines) for place, read_lines in tables]
    links = LinkedMeters({step.after.sequence: step for step in replay.steps})
    replay.verdict.findings += against_tables(replay.steps, followed, links)
    replay.verdict.meters = links.reckoned()
    days = _first_days(header for header, _ in followed)
    names = (_Admission.named(replay.steps, days[header.stream]) for header, _ in followed)
    replay.verdict.tables = tuple(dict.fromkeys(names))
    return replay.verdict


class _Replay:
    def __init__(self, path: Path, verdict: PitVerdict) -> None:
        self.path = path
        self.verdict = verdict
        self.position = PitPosition()
        self.steps: list[PitProposal] = []
        self.line = 1
        self.at = ""

    def _diverge(self, kind: str, message: str, **more: Any) -> Diverged:
        return diverge(self.line, kind, message, **more)

    def begin(self, header_line: bytes) -> None:
        line, digest = seal(pit_header_body(self.verdict.header))
        if header_line != line:
            raise self._diverge("header", "the header is not in the canonical form")
        self.verdict.head = digest

    def follow(self, line: bytes) -> None:
        self.line += 1
        verdict = self.verdict
        if not verdict.is_open:
            message = f"{self.path}:{self.line}: there are lines after the one that closes the log"
            raise LogError(message)
        unsealed = unseal(line)
        if unsealed is None or sha256(unsealed[0]) != unsealed[1]:
            raise self._diverge("chain", "the line's hash does not match its content")
        body, digest = unsealed
        head = entry_head(body)
        if head is None:
            self._close(body)
        else:
            self._judge(body, head)
        verdict.head = digest

    def _judge(self, body: bytes, head: EntryHead) -> None:
        verdict = self.verdict
        if (head.seq, head.prev) != (verdict.entries + 1, verdict.head):
            raise self._diverge("sequence", "an entry is missing or out of order")
        time = time_in_order(head.at, self.at, self._diverge)
        try:
            command = decode_pit_command(from_json(head.command))
        except CodecError as error:
            raise self._diverge("command", str(error)) from error
        stamp = stamp_of(head)
        answer = propose_in_pit(self.position, command, stamp, time)
        if isinstance(answer, Refusal):
            message = f"{type(command).__name__} is not allowed: {answer.message}"
            raise self._diverge("refused", message, clauses=answer.clauses)
        exact_body = pit_entry_body((head.seq, head.prev), head.at, stamp, command, answer.events)
        if body != exact_body:
            expected, entry = from_json(exact_body)["events"], from_json(body)
            events = _with_hashes_of_today(entry["events"], answer.events)
            is_canonical = dump(entry) == body
            if not is_canonical or dump({**entry, "events": events}) != exact_body:
                message = (
                    "the entry is not in the canonical form"
                    if events == expected or not is_canonical
                    else f"the events of {type(command).__name__} are not those that follow from it"
                )
                raise self._diverge("event", message, expected=expected, found=events)
        self.position = answer.after
        self.steps.append(answer)
        self.at = head.at
        verdict.entries += 1
        verdict.events += len(answer.events)

    def _close(self, body: bytes) -> None:
        verdict = self.verdict
        if not is_last(entry_of(body, self._diverge)):
            raise self._diverge("command", "the line is not an entry of a log")
        if body != last_body(verdict.entries, verdict.head):
            raise self._diverge(
                "sequence", "the last line does not close the log that comes before it"
            )
        verdict.is_open = False


def _with_hashes_of_today(data: Any, events: PitEvents) -> Any:
    tables: dict[str, TableRules | None] = {}
    for event in events:
        if isinstance(event, ElectionsChanged):
            tables |= {table.id: table.rules for table in event.tables}
        elif isinstance(event, TableAdmitted):
            tables[event.table.id] = event.table.rules

    def of_today(data: Any) -> Any:
        rules = tables.get(str(data.get("id"))) if isinstance(data, dict) else None
        if rules is None or data.get("sha256") not in hashes_ever(rules):
            return data
        return {**data, "sha256": rules.sha256}

    def updated(event: Any) -> Any:
        match event:
            case {"table": dict(table)}:
                return {**event, "table": of_today(table)}
            case {"tables": list(table_list)}:
                return {**event, "tables": [of_today(item) for item in table_list]}
        return event

    return [updated(event) for event in data] if isinstance(data, list) else data


# --- the tables against their pit ---------------------------------------------------------------


class _Admission(NamedTuple):
    table: str
    entry: PitProposal
    until: datetime | None

    @staticmethod
    def all(steps: Iterable[PitProposal]) -> list[_Admission]:
        entries: list[_Admission] = []
        for step in steps:
            if isinstance(step.command, AdmitTable):
                entries.append(_Admission(step.command.table, step, None))
            if isinstance(step.command, WithdrawTable):
                entries = [
                    admission._replace(until=step.after.at)
                    if admission.table == step.command.table and admission.until is None
                    else admission
                    for admission in entries
                ]
        return entries

    @staticmethod
    def named(steps: Iterable[PitProposal], header: LogHeader) -> str:
        for step in steps:
            command = step.command
            if isinstance(command, AdmitTable) and command.stream == header.stream:
                return command.table
        return header.rules.submission.layout.table


def _first_days(headers: Iterable[LogHeader]) -> dict[str, LogHeader]:
    by_stream: dict[str, LogHeader] = {}
    for header in sorted(headers, key=lambda log_header: log_header.before):
        carry = header.continues
        by_stream[header.stream] = header if carry is None else by_stream.get(carry.stream, header)
    return by_stream


def against_tables(
    steps: list[PitProposal],
    tables: Sequence[tuple[LogHeader, Iterable[Proposal]]],
    links: LinkedMeters,
) -> Iterator[FindingInPit]:
    """Yield table actions without the pit's order, and equipment used elsewhere."""
    headers = _first_days(header for header, _ in tables)
    orders = {step.after.sequence: step for step in steps}
    users: dict[tuple[str, str], str] = {}
    for header, entries in tables:
        day = headers[header.stream]
        name = _Admission.named(steps, day)
        named_entries = [
            admission
            for admission in _Admission.all(steps)
            if isinstance(admission.entry.command, AdmitTable)
            and admission.entry.command.stream == day.stream
        ]
        if header is day:
            yield from _admitted_as(name, header, named_entries)
        for entry in entries:
            for message in (
                *_not_ordered(name, entry, orders),
                *_not_in_use(entry, named_entries),
                *_used_twice(name, entry, users),
                *links.judge(name, header.stream, entry),
            ):
                yield FindingInPit(name, entry.after.sequence, message)
    yield from (FindingInPit(*place) for place in links.missing())


def _admitted_as(name: str, header: LogHeader, entries: list[_Admission]) -> Iterator[FindingInPit]:
    if not entries:
        message = "the pit has not admitted the table with this record"
        if header.continues is not None:
            message += ": give the record that it continues, too"
        yield FindingInPit(name, 0, message)
        return
    command = entries[0].entry.command
    if isinstance(command, AdmitTable) and command.rules.sha256 != header.rules.sha256:
        yield FindingInPit(name, 0, "its record begins under other rules than those admitted")


def _not_in_use(entry: Proposal, entries: list[_Admission]) -> Iterator[str]:
    at = entry.after.at
    if not isinstance(entry.command, acts.OpenTable) or at is None:
        return
    for admission in entries:
        start = admission.entry.after.at
        if start is not None and start <= at and (admission.until is None or at < admission.until):
            return
    yield "it was opened while it was not in use in the pit"


def _not_ordered(name: str, entry: Proposal, orders: dict[int, PitProposal]) -> Iterator[str]:
    command = entry.command
    if not isinstance(command, acts.AdoptElections | acts.RecordNotice):
        return
    kind = "adopted elections" if isinstance(command, acts.AdoptElections) else "recorded a notice"
    key = entry.stamp.key or ""
    number = ordered_by(key)
    step = orders.get(number)
    if step is None:
        yield f"it {kind} that no entry of the pit ordered"
        return
    order = step.command
    match command:
        case acts.AdoptElections(elections):
            is_named = isinstance(order, ChangeElections) and name in order.tables
            chosen_elections = (
                {**order.elections, **order.companions.get(name, {})}
                if isinstance(order, ChangeElections)
                else {}
            )
            if not is_named or elections != chosen_elections:
                yield f"it adopted other elections than entry {number} of the pit ordered"
        case acts.RecordNotice(elections, recipient, time):
            known_notices = step.after.state.notices
            notices = notices_of(elections, recipient, time) if time is not None else ()
            is_notified = bool(notices) and all(notice in known_notices for notice in notices)
            is_new = isinstance(order, GiveNotice) and key == order_key(number)
            if not is_notified or not (is_new or isinstance(order, AdmitTable)):
                yield f"it recorded another notice than entry {number} of the pit gave"


def _used_twice(name: str, entry: Proposal, users: dict[tuple[str, str], str]) -> Iterator[str]:
    match entry.command:
        case acts.RequestFill(slip=slip) | acts.RequestCredit(slip=slip):
            thing = "slip", str(slip)
        case acts.ReceiveCards(name=set_) if set_:
            thing = "decks", set_
        case acts.SealDecks(envelope=envelope):
            thing = "envelope", envelope
        case acts.CommitMystery(commitment=commitment):
            thing = "commitment", commitment
        case _:
            return
    if (user := users.setdefault((thing[0], name_key(thing[1])), name)) != name:
        verb = "are those" if thing[0] == "decks" else "is one"
        yield f"{' '.join(thing)} {verb} of table {user}"
