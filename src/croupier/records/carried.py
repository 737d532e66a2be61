"""State carried over from one log to its continuation on the next gaming day.

It includes the closing count, which the next opening must match. Entry numbers continue across
logs, so that references to earlier entries stay unique.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.money.ledger import Ledger
from croupier.records.entry import moment
from croupier.records.slices import read_slice, slices_data
from croupier.rules import TableRules
from croupier.table.machine.core import new_table, past_closing
from croupier.table.machine.position import Position
from croupier.table.machine.state import Phase, TableState
from croupier.table.parts.forms import FormBook


class Carried(Struct, frozen=True):
    """The continued log, and the table's position at its end.

    ``stream`` is the name in its header, ``seal`` the seal of its last line. ``position`` has the
    number of its last entry and everything kept from one gaming day to the next.
    """

    stream: str
    seal: str
    position: Position


def under_way(position: Position) -> str:
    """Return why a gaming day's record cannot end yet; empty if it can."""
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
    """Return what is carried over from a log that ended at a position."""
    before, rules = position.state, position.rules
    state = replace(
        new_table(rules),
        gaming_date=before.gaming_date,
        slices=past_closing(before),
        at=before.at,
    )
    return Carried(stream, seal, Position(rules, state, position.ledger, position.sequence))


# --- as a header has it -------------------------------------------------------------------------


class CarriedWritten(msgspec.Struct, forbid_unknown_fields=True):
    """The carried-over state in a header."""

    stream: str
    sha256: str
    entry: int
    at: datetime
    gaming_date: date
    kept: dict[str, Any]
    balances: dict[str, int]
    opened_with_cents: int

    def carried(self, rules: TableRules) -> Carried:
        """Return the carried-over state under the header's rules. Raises ``ValueError``."""
        if self.at.tzinfo is None:
            raise ValueError("continues: its time is not one in UTC")
        if self.entry < 1:
            raise ValueError("continues: its entry is not one of a table that was opened")
        kept = (read_slice(name, one) for name, one in self.kept.items())
        state: TableState = replace(
            new_table(rules),
            gaming_date=self.gaming_date,
            slices={type(one): one for one in kept},
            at=self.at,
        )
        accounts = Ledger(self.balances, self.opened_with_cents)
        return Carried(self.stream, self.sha256, Position(rules, state, accounts, self.entry))


_FIELDS: Final = CarriedWritten.__struct_fields__


def carried_data(carried: Carried) -> Mapping[str, object]:
    """Return the carried-over state as header data."""
    position = carried.position
    state, accounts = position.state, position.ledger
    at = "" if state.at is None else moment(state.at)
    values = (
        carried.stream, carried.seal, position.sequence, at, state.gaming_date,
        slices_data(state), accounts.balances, accounts.opened_with_cents,
    )  # fmt: skip
    return dict(zip(_FIELDS, values, strict=True))
