"""The record of a pit, chained like a table log: commands, events, and linked meters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from croupier import acts
from croupier.acts import Notice, OtherTable
from croupier.files.version import program_version
from croupier.law.elect import SubmissionError
from croupier.records.chain import AFTER_CLOSE, unsealed_line
from croupier.records.codec import CodecError, decoded, dump, from_json
from croupier.records.entry import FIRST, entry_head, is_last, moment, seal, stamp_of, written_body
from croupier.records.header import LogError, SubmissionWritten, submission_data, submission_from
from croupier.records.stores.places import is_store, names_in, record_lines
from croupier.rules import TableRules, rules_with, table_rules
from croupier.rules.documents import PROGRAM
from croupier.table import pit
from croupier.table.machine.position import Position, Proposal, Stamp
from croupier.table.machine.state import with_slice
from croupier.table.parts.progressive import Progressive
from croupier.table.pit import (
    MoveMeters,
    PitCommand,
    PitEvents,
    PitPosition,
    PitProposal,
    PitState,
    advanced_pit,
)

PIT_COMMANDS: Final[Mapping[str, type[pit.PitCommand]]] = {
    one.__name__: one
    for one in sorted(
        (
            *(one for one in pit.PitCommand.__subclasses__() if one is not pit.AccessCommand),
            *pit.AccessCommand.__subclasses__(),
        ),
        key=lambda one: one.__name__,
    )
}


def pit_command_data(command: pit.PitCommand) -> dict[str, Any]:
    data = {"type": type(command).__name__, **asdict(command)}
    if isinstance(command, pit.AdmitTable):
        data["submission"] = submission_data(data.pop("rules").submission)
    return data


class _Admission(Struct, frozen=True):
    table: str
    submission: SubmissionWritten
    at: datetime
    notified: datetime | None = None
    stream: str = ""
    beside: tuple[OtherTable, ...] = ()


def decode_pit_command(data: object) -> pit.PitCommand:
    """Decode a flat object. Raises ``CodecError``."""
    kinds: Mapping[str, type[Any]] = {**PIT_COMMANDS, "AdmitTable": _Admission}
    command: Any = decoded(data, kinds, "a command of a pit")
    if isinstance(command, _Admission):
        try:
            rules = table_rules(submission_from(command.submission))
        except (SubmissionError, ValueError) as error:
            raise CodecError(f"AdmitTable: {error}") from error
        more = command.notified, command.stream, command.beside
        return pit.AdmitTable(command.table, rules, command.at, *more)
    found: pit.PitCommand = command
    return found


# --- events ------------------------------------------------------------------------------------


def pit_event_data(event: pit.PitEvent) -> dict[str, Any]:
    data: dict[str, Any] = {"type": type(event).__name__, "v": event.VERSION, **asdict(event)}
    match event:
        case pit.TableAdmitted(table):
            data["table"] = pit_table_data(table)
        case pit.ElectionsChanged(tables):
            data["tables"] = [pit_table_data(pit_table) for pit_table in tables]
    return data


def pit_table_data(table: pit.PitTable) -> dict[str, Any]:
    rules = table.rules
    elections: Mapping[str, object] = table.elections
    if rules is not None:
        written = rules.law.rules
        elections = {name: written[name].written(one) for name, one in table.elections.items()}
    return {
        "id": table.id,
        "game": table.game,
        "law": table.law,
        "pit": table.pit,
        "elections": elections,
        "sha256": "" if rules is None else rules.sha256,
    }


def decode_pit_events(state: pit.PitState, command: pit.PitCommand, data: object) -> pit.PitEvents:
    """Decode events, without deciding them. Raises ``CodecError``."""
    if not isinstance(data, list):
        raise CodecError("the events of an entry are a list")
    try:
        return tuple(_event(state, command, item) for item in data)
    except (msgspec.ValidationError, SubmissionError, LookupError, ValueError) as error:
        raise CodecError(f"an event of {type(command).__name__}: {error}") from error


def _event(state: pit.PitState, command: pit.PitCommand, data: Any) -> pit.PitEvent:
    kind = _EVENTS[data["type"]]
    if data["v"] != kind.VERSION:
        raise CodecError(f"{data['type']}: its version {data['v']} is not known to this program")
    fields = {name: value for name, value in data.items() if name not in {"type", "v"}}
    if issubclass(kind, pit.AccessEvent):
        access: pit.AccessEvent = msgspec.convert(fields, kind)
        return access
    if isinstance(command, pit.AdmitTable) and kind is pit.TableAdmitted:
        written = fields["table"]
        fields["table"] = _table(written, command.rules)
    elif kind is pit.ElectionsChanged and isinstance(command, pit.ChangeElections):
        fields["tables"] = tuple(_changed(state, command, table) for table in fields["tables"])
    elif kind is pit.TableAdmitted:
        fields["table"] = _table(fields["table"], None)
    if kind is pit.MetersLinked:
        fields["tables"] = tuple(fields["tables"])
    values = {
        name: msgspec.convert(value, _LEAVES.get(name, Any)) for name, value in fields.items()
    }
    found: pit.PitEvent = kind(**values)
    return found


def _table(written: Mapping[str, Any], rules: TableRules | None) -> pit.PitTable:
    elections = written["elections"] if rules is None else rules.settled
    return pit.PitTable(
        written["id"], written["game"], elections, rules, written["pit"], written["law"]
    )


def _changed(
    state: pit.PitState, command: pit.ChangeElections, written: Mapping[str, Any]
) -> pit.PitTable:
    table = state.tables[written["id"]]
    if table.rules is None:
        return replace(table, elections=written["elections"])
    chosen = {**command.elections, **command.companions.get(table.id, {})}
    rules = rules_with(table.rules, chosen, command.limits.get(table.id))
    return replace(table, elections=rules.settled, rules=rules)


_KINDS: Final[tuple[type[pit.PitEvent], ...]] = (
    pit.ElectionsChanged, pit.MetersLinked, pit.MetersMoved, pit.MetersUnlinked, pit.NoticeGiven,
    pit.TableAdmitted, pit.TableWithdrawn, *pit.AccessEvent.__subclasses__(),
)  # fmt: skip
_EVENTS: Final[Mapping[str, Any]] = {one.__name__: one for one in _KINDS}
_LEAVES: Final[Mapping[str, Any]] = {
    "at": datetime,
    "notified": datetime | None,
    "spent": tuple[Notice, ...],
    "notices": tuple[Notice, ...],
    "clauses": tuple[str, ...],
}
"""Field types with a different form in JSON."""

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
    documents = [pit_event_data(event) for event in events]
    return written_body(place, at, stamp, pit_command_data(command), documents)


def sealed_pit_entry(previous: str, proposal: PitProposal) -> tuple[bytes, str]:
    after = proposal.after
    if after.at is None:
        raise ValueError("an entry of a record requires a time")
    place, at = (after.sequence, previous), moment(after.at)
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
        raise LogError(f"{place}: {AFTER_CLOSE}")
    head = entry_head(body)
    try:
        if head is None:
            _close(place, found, body)
            found.head = digest
            return None
        if (head.seq, head.prev) != (found.position.sequence + 1, found.head):
            raise LogError(f"{place}: an entry is missing, or out of place")
        command = decode_pit_command(from_json(head.command))
        before = found.position
        events = decode_pit_events(before.state, command, from_json(head.events))
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


READS: Final = (acts.ReadController, acts.ReconcileMeters, acts.ReportController, acts.SettleWagers)
"""Commands before which a table reads linked meters."""


def reading_key(sequence: int) -> str:
    return f"pit-{sequence}-meters"


def with_meters(position: Position, shown: Mapping[str, int]) -> Position:
    kept = position.state[Progressive]
    if all(kept.meters[meter] == cents for meter, cents in shown.items()):
        return position
    state = with_slice(position.state, replace(kept, meters={**kept.meters, **shown}))
    ledger = position.ledger.posted(position.ledger.reading(shown))
    return replace(position, state=state, ledger=ledger)


class WithLinkedMeters:
    def __init__(self) -> None:
        self._found: tuple[Position, Mapping[str, int], Position] | None = None

    def __call__(self, state: PitState | None, table: str, position: Position) -> Position:
        if state is None or not state.links:
            return position
        links, found = state.links_of(table).values(), self._found
        shown = {meter: cents for link in links for meter, cents in link.shown.items()}
        if found is None or found[0] is not position or found[1] != shown:
            found = self._found = position, shown, with_meters(position, shown)
        return found[2]


def readings(
    state: PitState, table: str, position: Position, command: acts.Command
) -> Iterator[acts.ReadMeters]:
    """Yield meters moved by others, to be read before a command."""
    if not isinstance(command, READS):
        return
    known = position.state[Progressive].meters
    staked = {wager for _, wager in position.state.stakes}
    for name, link in state.links_of(table).items():
        concerned = not isinstance(command, acts.SettleWagers) or link.wager in staked
        if concerned and any(known[meter] != cents for meter, cents in link.shown.items()):
            yield acts.ReadMeters(name, link.shown)


def meters_moved(table: str, stream: str, entry: Proposal) -> Iterator[MoveMeters]:
    before = entry.before.state[Progressive]
    for link in dict.fromkeys(before.linked.values()):
        read = {name: before.meters[name] for name, one in before.linked.items() if one == link}
        added, awarded, seeded = Counter[str](), Counter[str](), Counter[str]()
        for event in entry.events:
            match event:
                case acts.MetersAdvanced(meters):
                    added.update({name: meters[name] - cents for name, cents in read.items()})
                case acts.AwardPaid(meter=str(meter)) | acts.HandPayDue(meter=str(meter)) if (
                    meter in read
                ):
                    awarded[meter] += event.cents
                case acts.MeterReset(meter, cents, kept) if meter in read:
                    seeded[meter] += cents - kept
        moved = [{name: cents for name, cents in counter.items() if cents}
                 for counter in (added, awarded, seeded)]  # fmt: skip
        if any(moved):
            number = entry.after.sequence
            yield MoveMeters(link, table, stream, number, read, *moved)
