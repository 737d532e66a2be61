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
    return Carried(stream, seal, _begun(position, position.rules))


def _begun(position: Position, rules: TableRules) -> Position:
    before = position.state
    state = replace(
        new_table(rules),
        gaming_date=before.gaming_date,
        slices=past_closing(before),
        at=before.at,
    )
    return Position(rules, state, position.ledger, position.sequence)


def under_rules(carried: Carried, rules: TableRules) -> Carried:
    """Carry over into rules that only an amendment changed. Raises ``ValueError`` for others."""
    before = carried.position.rules
    if before.sha256 == rules.sha256:
        return carried
    old, new = before.submission, rules.submission
    if before.law.id != rules.law.id or before.law.in_force_from >= rules.law.in_force_from:
        raise ValueError("no amendment lies between them")
    if wrong := [*_elected_otherwise(before, rules)]:
        raise ValueError(f"the amendment does not change {', '.join(wrong)}")
    limits = (old.limits or {}, new.limits or {})
    if (old.layout, old.own) != (new.layout, new.own) or any(
        limits[0][one] != limits[1][one] for one in limits[0].keys() & limits[1].keys()
    ):
        raise ValueError("the layout, the limits, or the custom wagers are others")
    changed = {
        item
        for kind in ("rules", "procedures")
        for item in _items(before.canonical[kind]) ^ _items(rules.canonical[kind])
    }
    amended = Amended(before.law.key, before.sha256, tuple(sorted({one for one, _ in changed})))
    return replace(carried, position=_begun(carried.position, rules), amended=amended)


def _items(values: Mapping[str, object] | list[str]) -> set[tuple[str, str]]:
    named = values if isinstance(values, Mapping) else dict.fromkeys(values)
    return {(name, repr(value)) for name, value in named.items()}


def _elected_otherwise(before: TableRules, after: TableRules) -> Iterator[str]:
    """Yield elections that differ, although the amended text allows what was elected."""
    old, new = before.submission, after.submission
    refused: set[str] = set()
    try:
        table_rules(replace(old, on=new.on))
    except SubmissionError as error:
        refused = {detail.where for detail in error.errors}
    both = before.law.rules.keys() & after.law.rules.keys()
    was, becomes = flatten(old.elections, before.law.rules), flatten(new.elections, after.law.rules)
    for name in sorted({*was, *becomes}):
        if was.get(name) != becomes.get(name) and name in both - refused:
            yield name
    if old.readings != new.readings:
        yield "the interpretations"


# --- as records have it -------------------------------------------------------------------------


def slices_data(state: TableState) -> Mapping[str, object]:
    return {SLICES[kind].name: kept for kind, kept in state.slices.items()}


def read_slice(name: str, written: Any) -> object:
    """Read a part's state. Raises ``ValueError``."""
    kind = next((kind for kind, kept in SLICES.items() if kept.name == name), None)
    if kind is None:
        raise ValueError(f"no part of a table keeps anything as {name!r}")
    try:
        found: object = msgspec.convert(written, kind, dec_hook=decode_card, str_keys=True)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name}: {error}") from error
    return found


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
        kept = (read_slice(name, one) for name, one in self.kept.items())
        slices = {type(one): one for one in kept}
        begun = new_table(rules)
        state = replace(begun, gaming_date=self.gaming_date, slices=slices, at=self.at)
        accounts = Ledger(self.balances, self.opened_with_cents)
        unrecorded = frozenset(
            (SLICES[kind].name, field)
            for kind in state.slices
            for field in cast("type[Struct]", kind).__struct_fields__
            if field not in self.kept[SLICES[kind].name]
        )
        position = Position(rules, state, accounts, self.entry)
        return Carried(self.stream, self.sha256, position, unrecorded, self.amended)


_FIELDS: Final = CarriedWritten.__struct_fields__


def carried_data(
    carried: Carried, without: frozenset[tuple[str, str]] = frozenset()
) -> Mapping[str, object]:
    position = carried.position
    state, accounts = position.state, position.ledger
    at = "" if state.at is None else moment(state.at)
    values = (
        carried.stream, carried.seal, position.sequence, at, state.gaming_date,
        _slices(state, without), accounts.balances, accounts.opened_with_cents,
    )  # fmt: skip
    data: dict[str, object] = dict(zip(_FIELDS[: len(values)], values, strict=True))
    if carried.amended is not None:
        data["amended"] = msgspec.to_builtins(carried.amended)
    return data


def _slices(state: TableState, without: frozenset[tuple[str, str]]) -> Mapping[str, object]:
    if not without:
        return slices_data(state)
    return {
        name: {
            field: value
            for field, value in asdict(cast("Struct", kept)).items()
            if (name, field) not in without
        }
        for name, kept in slices_data(state).items()
    }
