"""Pit commands and events as JSON; rules are resolved again from submissions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from croupier.acts import Notice, OtherTable
from croupier.law.elect import SubmissionError
from croupier.records.codec import CodecError, decoded
from croupier.records.header import SubmissionWritten, submission_data, submission_from
from croupier.rules import TableRules, rules_with, table_rules
from croupier.table import pit

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
