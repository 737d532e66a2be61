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
    kind.__name__: kind
    for kind in sorted(
        (
            *(kind for kind in pit.PitCommand.__subclasses__() if kind is not pit.AccessCommand),
            *pit.AccessCommand.__subclasses__(),
        ),
        key=lambda kind: kind.__name__,
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
        options = command.notified, command.stream, command.beside
        return pit.AdmitTable(command.table, rules, command.at, *options)
    read_command: pit.PitCommand = command
    return read_command


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
        rules_of_law = rules.law.rules
        elections = {name: rules_of_law[name].written(one) for name, one in table.elections.items()}
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
        table_data = fields["table"]
        fields["table"] = _table(table_data, command.rules)
    elif kind is pit.ElectionsChanged and isinstance(command, pit.ChangeElections):
        fields["tables"] = tuple(_changed(state, command, table) for table in fields["tables"])
    elif kind is pit.TableAdmitted:
        fields["table"] = _table(fields["table"], None)
    if kind is pit.MetersLinked:
        fields["tables"] = tuple(fields["tables"])
    values = {
        name: msgspec.convert(value, _LEAVES.get(name, Any)) for name, value in fields.items()
    }
    event: pit.PitEvent = kind(**values)
    return event


def _table(data: Mapping[str, Any], rules: TableRules | None) -> pit.PitTable:
    elections = data["elections"] if rules is None else rules.settled
    return pit.PitTable(data["id"], data["game"], elections, rules, data["pit"], data["law"])


def _changed(
    state: pit.PitState, command: pit.ChangeElections, data: Mapping[str, Any]
) -> pit.PitTable:
    table = state.tables[data["id"]]
    if table.rules is None:
        return replace(table, elections=data["elections"])
    elections = {**command.elections, **command.companions.get(table.id, {})}
    rules = rules_with(table.rules, elections, command.limits.get(table.id))
    return replace(table, elections=rules.settled, rules=rules)


_KINDS: Final[tuple[type[pit.PitEvent], ...]] = (
    pit.ElectionsChanged, pit.MetersLinked, pit.MetersMoved, pit.MetersUnlinked, pit.NoticeGiven,
    pit.TableAdmitted, pit.TableWithdrawn, *pit.AccessEvent.__subclasses__(),
)  # fmt: skip
_EVENTS: Final[Mapping[str, Any]] = {kind.__name__: kind for kind in _KINDS}
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
    match = re.match(r"pit-([0-9]{1,18})(?:-|$)", key)
    return int(match[1]) if match else 0


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
    return [name for name, first_line in firsts if first_line and not is_pit_header(first_line)]


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
    place: tuple[int, str], time: str, stamp: Stamp, command: PitCommand, events: PitEvents
) -> bytes:
    documents = [pit_event_data(event) for event in events]
    return written_body(place, time, stamp, pit_command_data(command), documents)


def sealed_pit_entry(previous: str, proposal: PitProposal) -> tuple[bytes, str]:
    position = proposal.after
    if position.at is None:
        raise ValueError("an entry of a record requires a time")
    place, time = (position.sequence, previous), moment(position.at)
    return seal(pit_entry_body(place, time, proposal.stamp, proposal.command, proposal.events))


class ResumedPit(Struct):
    header: PitHeader
    position: PitPosition
    head: str
    closed: bool = False


def resume_pit(name: str, lines: Iterable[bytes]) -> tuple[ResumedPit, list[PitProposal]]:
    """Follow a record by its events. Raises ``LogError``."""
    stream = iter(lines)
    header_line = next(stream, None)
    if header_line is None:
        raise LogError(f"{name}: the log is empty")
    body, digest = unsealed_line(f"{name}:1", header_line)
    resumed = ResumedPit(pit_header_of(name, body), PitPosition(), digest)
    steps = (
        follow_pit_line(f"{name}:{number}", resumed, line)
        for number, line in enumerate(stream, start=2)
    )
    return resumed, [step for step in steps if step is not None]


def follow_pit_line(place: str, resumed: ResumedPit, line: bytes) -> PitProposal | None:
    """Advance; return the entry unless the line closes the log."""
    body, digest = unsealed_line(place, line)
    if resumed.closed:
        raise LogError(f"{place}: {AFTER_CLOSE}")
    head = entry_head(body)
    try:
        if head is None:
            _close(place, resumed, body)
            resumed.head = digest
            return None
        if (head.seq, head.prev) != (resumed.position.sequence + 1, resumed.head):
            raise LogError(f"{place}: an entry is missing, or out of place")
        command = decode_pit_command(from_json(head.command))
        old_position = resumed.position
        events = decode_pit_events(old_position.state, command, from_json(head.events))
        position = advanced_pit(old_position, events, datetime.fromisoformat(head.at))
    except (CodecError, ValueError) as error:
        raise error if isinstance(error, LogError) else LogError(f"{place}: {error}") from error
    resumed.position, resumed.head = position, digest
    return PitProposal(old_position, command, events, position, stamp_of(head))


def _close(place: str, resumed: ResumedPit, body: bytes) -> None:
    entry = from_json(body)
    if not isinstance(entry, dict) or not is_last(entry):
        raise LogError(f"{place}: the line is not an entry of a log")
    if (entry["entries"], entry.get("prev")) != (resumed.position.sequence, resumed.head):
        raise LogError(f"{place}: the last line does not close the log before it")
    resumed.closed = True


READS: Final = (acts.ReadController, acts.ReconcileMeters, acts.ReportController, acts.SettleWagers)
"""Commands before which a table reads linked meters."""


def reading_key(sequence: int) -> str:
    return f"pit-{sequence}-meters"


def with_meters(position: Position, amounts: Mapping[str, int]) -> Position:
    kept = position.state[Progressive]
    if all(kept.meters[meter] == cents for meter, cents in amounts.items()):
        return position
    state = with_slice(position.state, replace(kept, meters={**kept.meters, **amounts}))
    ledger = position.ledger.posted(position.ledger.reading(amounts))
    return replace(position, state=state, ledger=ledger)


class WithLinkedMeters:
    def __init__(self) -> None:
        self._found: tuple[Position, Mapping[str, int], Position] | None = None

    def __call__(self, state: PitState | None, table: str, position: Position) -> Position:
        if state is None or not state.links:
            return position
        links, cache = state.links_of(table).values(), self._found
        amounts = {meter: cents for link in links for meter, cents in link.shown.items()}
        if cache is None or cache[0] is not position or cache[1] != amounts:
            cache = self._found = position, amounts, with_meters(position, amounts)
        return cache[2]


def readings(
    state: PitState, table: str, position: Position, command: acts.Command
) -> Iterator[acts.ReadMeters]:
    """Yield meters moved by others, to be read before a command."""
    if not isinstance(command, READS):
        return
    amounts = position.state[Progressive].meters
    staked_wagers = {wager for _, wager in position.state.stakes}
    for name, link in state.links_of(table).items():
        concerned = not isinstance(command, acts.SettleWagers) or link.wager in staked_wagers
        if concerned and any(amounts[meter] != cents for meter, cents in link.shown.items()):
            yield acts.ReadMeters(name, link.shown)


def meters_moved(table: str, stream: str, entry: Proposal) -> Iterator[MoveMeters]:
    before = entry.before.state[Progressive]
    for link in dict.fromkeys(before.linked.values()):
        amounts = {name: before.meters[name] for name, one in before.linked.items() if one == link}
        gains, awards, seeds = Counter[str](), Counter[str](), Counter[str]()
        for event in entry.events:
            match event:
                case acts.MetersAdvanced(meters):
                    gains.update({name: meters[name] - cents for name, cents in amounts.items()})
                case acts.AwardPaid(meter=str(meter)) | acts.HandPayDue(meter=str(meter)) if (
                    meter in amounts
                ):
                    awards[meter] += event.cents
                case acts.MeterReset(meter, cents, kept_cents) if meter in amounts:
                    seeds[meter] += cents - kept_cents
        moves = [{name: cents for name, cents in counter.items() if cents}
                 for counter in (gains, awards, seeds)]  # fmt: skip
        if any(moves):
            number = entry.after.sequence
            yield MoveMeters(link, table, stream, number, amounts, *moves)
