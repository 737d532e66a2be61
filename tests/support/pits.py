"""A pit driven by commands, for tests of what its tables have in common and of notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from croupier.rules import TableRules
from croupier.table import Refusal
from croupier.table.pit import (
    AdmitTable,
    ChangeElections,
    GiveNotice,
    PitCommand,
    PitEvent,
    PitState,
    decide_pit,
    evolve_pit,
)

NOON = datetime(2011, 2, 22, 12, tzinfo=UTC)
ORDER = "settlement.order"
RESHUFFLE = "shuffle.reshuffle"
SCHEME = "vigorish.scheme"
BOTH = ("surveillance", "Commission")


def after(minutes: int = 0, seconds: int = 0) -> datetime:
    """That long after noon."""
    return NOON + timedelta(minutes=minutes, seconds=seconds)


def change(
    rule_id: str,
    value: str | bool,  # noqa: FBT001
    at: datetime,
    also: Mapping[str, Any] | None = None,
) -> ChangeElections:
    """Change an election, and ``also`` what that asks for, at every table that has it.

    In the names of ``also`` a double underscore may stand for a dot.
    """
    others = {name.replace("__", "."): one for name, one in (also or {}).items()}
    return ChangeElections((), {rule_id: value, **others}, at)


def asked(state: PitState, command: PitCommand) -> tuple[PitEvent, ...] | Refusal:
    """Ask for a command; a change that names no table is one at each that has the election."""
    if isinstance(command, ChangeElections) and not command.tables:
        changed = next(iter(command.elections))
        named = (one.id for one in state.tables.values() if changed in one.elections)
        command = replace(command, tables=tuple(named))
    return decide_pit(state, command)


@dataclass
class Pit:
    """A pit and its tables; notices that say no time are given at its noon."""

    state: PitState = field(default_factory=PitState)
    noon: datetime = NOON

    def execute(self, command: PitCommand) -> PitEvent:
        """Carry out what must not be refused."""
        answer = asked(self.state, command)
        assert not isinstance(answer, Refusal), answer
        (event,) = answer
        self.state = evolve_pit(self.state, event)
        return event

    def refuses(self, command: PitCommand, code: str, *clauses: str) -> Refusal:
        """Ask for what must be refused with that code and those clauses, and change nothing."""
        before = self.state
        tables, notices = dict(before.tables), before.notices
        answer = asked(before, command)
        assert isinstance(answer, Refusal), f"{command} was carried out: {answer}"
        assert (answer.code, answer.clauses) == (code, clauses), answer
        assert (before.tables, before.notices) == (tables, notices)
        return answer

    def tell(
        self,
        rule_id: str,
        value: str | bool,  # noqa: FBT001
        *addressees: str,
        at: datetime | None = None,
    ) -> None:
        """Give notice to each of them."""
        for to in addressees:
            self.execute(GiveNotice({rule_id: value}, to, at or self.noon))

    def elected(self, rule_id: str) -> list[object]:
        """What each table has elected, in the order in which they were admitted."""
        return [table.elections.get(rule_id) for table in self.state.tables.values()]


def pit_of(*tables: TableRules) -> Pit:
    """A pit whose tables came into use well before noon, one by one and after all due notice."""
    pit = Pit()
    for number, rules in enumerate(tables, start=1):
        # Each table has its half hour, so that notices given for one are spent before the next.
        early = NOON - timedelta(hours=len(tables) - number + 1)
        if rules.applies(ORDER):
            pit.tell(ORDER, rules.value(ORDER, str), *BOTH, at=early)
        if rules.elected(RESHUFFLE, choice=True):
            pit.tell(RESHUFFLE, True, *BOTH, at=early)  # noqa: FBT003
        pit.execute(AdmitTable(f"T-{number}", rules, early + timedelta(minutes=30)))
    return pit
