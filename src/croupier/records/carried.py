"""State carried over to the next gaming day's log, whose entry numbers go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, cast

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from croupier.law.elect import SubmissionError, flatten
from croupier.money.ledger import Ledger
from croupier.records.codec import decode_card
from croupier.records.entry import moment
from croupier.rules import TableRules, table_rules
from croupier.table.machine.core import SLICES, new_table, past_closing
from croupier.table.machine.position import Position
from croupier.table.machine.state import Phase, TableState
from croupier.table.parts.forms import FormBook


class Carried(Struct, frozen=True):
    stream: str
    seal: str
    position: Position
    unrecorded: frozenset[tuple[str, str]] = frozenset()
    amended: Amended | None = None


class Amended(Struct, frozen=True, forbid_unknown_fields=True):
    """The text before an amendment, and the rules whose values or procedures it changed."""

    law: str
    binding_sha256: str
    changes: tuple[str, ...]


def under_way(position: Position) -> str:
    """Return why a gaming day's record cannot end yet, if so."""
    state = position.state
    if not position.house.opened:
        return "the table has not been opened in this record"
    if state.phase is not Phase.CLOSED:
        return f"the table is {state.phase.value}: close it first"
    if position.house.pause:
        return f"the table is paused ({position.house.pause}): the floorperson resumes it"
    if state[FormBook].used:
        return f"Forms of {state.gaming_date} were not forwarded: the pit clerk ends that day first"
    return ""


def carried_over(stream: str, seal: str, position: Position) -> Carried:
    return Carried(stream, seal, _start_position(position, position.rules))


def _start_position(position: Position, rules: TableRules) -> Position:
    old_state = position.state
    state = replace(
        new_table(rules),
        gaming_date=old_state.gaming_date,
        slices=past_closing(old_state),
        at=old_state.at,
    )
    return Position(rules, state, position.ledger, position.sequence)


def under_rules(carry: Carried, rules: TableRules) -> Carried:
    """Carry over into rules that only an amendment changed. Raises ``ValueError`` for others."""
    old_rules = carry.position.rules
    if old_rules.sha256 == rules.sha256:
        return carry
    old_submission, submission = old_rules.submission, rules.submission
    if old_rules.law.id != rules.law.id or old_rules.law.in_force_from >= rules.law.in_force_from:
        raise ValueError("no amendment lies between them")
    if faults := [*_elected_otherwise(old_rules, rules)]:
        raise ValueError(f"the amendment does not change {', '.join(faults)}")
    limits = (old_submission.limits or {}, submission.limits or {})
    if (old_submission.layout, old_submission.own) != (submission.layout, submission.own) or any(
        limits[0][name] != limits[1][name] for name in limits[0].keys() & limits[1].keys()
    ):
        raise ValueError("the layout, the limits, or the custom wagers are others")
    changes = {
        item
        for kind in ("rules", "procedures")
        for item in _items(old_rules.canonical[kind]) ^ _items(rules.canonical[kind])
    }
    amendment = Amended(
        old_rules.law.key, old_rules.sha256, tuple(sorted({path for path, _ in changes}))
    )
    return replace(carry, position=_start_position(carry.position, rules), amended=amendment)


def _items(values: Mapping[str, object] | list[str]) -> set[tuple[str, str]]:
    by_name = values if isinstance(values, Mapping) else dict.fromkeys(values)
    return {(name, repr(value)) for name, value in by_name.items()}


def _elected_otherwise(before: TableRules, after: TableRules) -> Iterator[str]:
    """Yield elections that differ, although the amended text allows what was elected."""
    old, new = before.submission, after.submission
    refusals: set[str] = set()
    try:
        table_rules(replace(old, on=new.on))
    except SubmissionError as error:
        refusals = {detail.where for detail in error.errors}
    names = before.law.rules.keys() & after.law.rules.keys()
    was, becomes = flatten(old.elections, before.law.rules), flatten(new.elections, after.law.rules)
    for name in sorted({*was, *becomes}):
        if was.get(name) != becomes.get(name) and name in names - refusals:
            yield name
    if old.readings != new.readings:
        yield "the interpretations"


# --- as records have it -------------------------------------------------------------------------


def slices_data(state: TableState) -> Mapping[str, object]:
    return {SLICES[kind].name: state_slice for kind, state_slice in state.slices.items()}


def read_slice(name: str, data: Any) -> object:
    """Read a part's state. Raises ``ValueError``."""
    kind = next((kind for kind, slice_kind in SLICES.items() if slice_kind.name == name), None)
    if kind is None:
        raise ValueError(f"no part of a table keeps anything as {name!r}")
    try:
        value: object = msgspec.convert(data, kind, dec_hook=decode_card, str_keys=True)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {error}") from error
    return value


class CarriedWritten(msgspec.Struct, forbid_unknown_fields=True):
    stream: str
    sha256: str
    entry: int
    at: datetime
    gaming_date: date
    kept: dict[str, Any]
    balances: dict[str, int]
    opened_with_cents: int
    amended: Amended | None = None

    def carried(self, rules: TableRules) -> Carried:
        """Resolve what was written. Raises ``ValueError``."""
        if self.at.tzinfo is None:
            raise ValueError("continues: its time is not one in UTC")
        if self.entry < 1:
            raise ValueError("continues: its entry is not one of a table that was opened")
        read_slices = (read_slice(name, data) for name, data in self.kept.items())
        slices = {type(state_slice): state_slice for state_slice in read_slices}
        table_state = new_table(rules)
        state = replace(table_state, gaming_date=self.gaming_date, slices=slices, at=self.at)
        accounts = Ledger(self.balances, self.opened_with_cents)
        absent_fields = frozenset(
            (SLICES[kind].name, field)
            for kind in state.slices
            for field in cast("type[Struct]", kind).__struct_fields__
            if field not in self.kept[SLICES[kind].name]
        )
        position = Position(rules, state, accounts, self.entry)
        return Carried(self.stream, self.sha256, position, absent_fields, self.amended)


_FIELDS: Final = CarriedWritten.__struct_fields__


def carried_data(
    carry: Carried, omissions: frozenset[tuple[str, str]] = frozenset()
) -> Mapping[str, object]:
    position = carry.position
    state, accounts = position.state, position.ledger
    time = "" if state.at is None else moment(state.at)
    values = (
        carry.stream, carry.seal, position.sequence, time, state.gaming_date,
        _slices(state, omissions), accounts.balances, accounts.opened_with_cents,
    )  # fmt: skip
    data: dict[str, object] = dict(zip(_FIELDS[: len(values)], values, strict=True))
    if carry.amended is not None:
        data["amended"] = msgspec.to_builtins(carry.amended)
    return data


def _slices(state: TableState, omissions: frozenset[tuple[str, str]]) -> Mapping[str, object]:
    if not omissions:
        return slices_data(state)
    return {
        name: {
            field: value
            for field, value in asdict(cast("Struct", state_slice)).items()
            if (name, field) not in omissions
        }
        for name, state_slice in slices_data(state).items()
    }
