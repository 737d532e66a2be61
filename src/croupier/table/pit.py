"""A pit: several tables, what they must have in common, and the notice that a change needs.

``decide_pit(state, command)`` answers with events or a refusal, ``evolve_pit(state, event)`` makes
the next state. Both are pure, as those of a table are: times come in commands. What binds the pit
stands in the laws of its tables, as constraints of the kinds uniform and notice.

>>> from datetime import UTC, date, datetime, timedelta
>>> from croupier.rules import table_rules
>>> from croupier.rules import default_submission
>>> noon = datetime(2011, 2, 22, 12, tzinfo=UTC)
>>> pit = PitState()
>>> for to in ("surveillance", "Commission"):
...     notice = GiveNotice("settlement.order", "payment-then-vigorish", to, noon)
...     for event in decide_pit(pit, notice):
...         pit = evolve_pit(pit, event)
>>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
>>> refusal = decide_pit(pit, AdmitTable("MB-1", rules, noon + timedelta(minutes=29)))
>>> refusal.code, refusal.clauses
('notice', ('NJ-MINI:7.10(c)3',))
>>> event, = decide_pit(pit, AdmitTable("MB-1", rules, noon + timedelta(minutes=30)))
>>> list(evolve_pit(pit, event).tables)
['MB-1']
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from croupier.frozen import field, frozen, replace
from croupier.law.elect import ErrorDetail, SubmissionError, condition_holds
from croupier.law.model import ConstraintKind, Instrument
from croupier.law.values import Value
from croupier.rules import Submission, TableLayout, TableRules, pit_errors
from croupier.table.core import Refusal
from croupier.table.election_changes import with_elections
from croupier.table.notice import (
    ElectionChange,
    Notice,
    changes_in,
    notices_about,
    spent,
    unannounced,
    wanting_notice,
)

__all__ = [
    "AdmitOtherGame", "AdmitTable", "ChangeElection", "ElectionChanged", "GiveNotice",
    "NoticeGiven", "PitCommand", "PitEvent", "PitState", "PitTable", "TableAdmitted",
    "TableWithdrawn", "WithdrawTable", "decide_pit", "evolve_pit",
]  # fmt: skip


# --- commands ----------------------------------------------------------------------------------


class PitCommand:
    """An act that somebody in the pit asks to do."""


@frozen
class AdmitTable(PitCommand):
    """Put a table into use in the pit, under the rules that its submission makes."""

    table: str
    rules: TableRules
    at: datetime


@frozen
class AdmitOtherGame(PitCommand):
    """Admit a table of a game whose law is not held here.

    ``elections`` are those of its elections that are known, by rule id: ids are the same under
    every law, so a table of another game may be bound to them.
    """

    table: str
    game: str
    elections: Mapping[str, Value]
    at: datetime


@frozen
class GiveNotice(PitCommand):
    """Give one addressee written notice of an intended election, as a submission writes it."""

    rule_id: str
    value: str | bool
    to: str
    at: datetime


@frozen
class ChangeElection(PitCommand):
    """Change one election at once at every table of the pit that has it.

    What the new choice leaves no room for is dropped; ``also`` holds the elections that it asks
    for in its turn.
    """

    rule_id: str
    value: str | bool
    at: datetime
    also: Mapping[str, str | bool | int] = field(default_factory=dict)


@frozen
class WithdrawTable(PitCommand):
    """Take a table out of the pit."""

    table: str


# --- state -------------------------------------------------------------------------------------


@frozen
class PitTable:
    """A table of the pit: its game, its elections, and its rules where its law is held."""

    id: str
    game: str
    elections: Mapping[str, Value]
    rules: TableRules | None = None


@frozen
class PitState:
    """A pit at one moment: its tables, those that once stood in it, and the notices pending.

    ``latest`` is the latest moment that an event has named, so that no notice is backdated.
    """

    tables: Mapping[str, PitTable] = field(default_factory=dict)
    former: Mapping[str, PitTable] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    latest: datetime | None = None


# --- events ------------------------------------------------------------------------------------


class PitEvent:
    """Something that happened in the pit, with the clauses behind it."""

    clauses: tuple[str, ...]


@frozen
class TableAdmitted(PitEvent):
    """A table is in use in the pit; ``spent`` are the notices that announced this."""

    table: PitTable
    spent: tuple[Notice, ...]
    at: datetime
    clauses: tuple[str, ...]


@frozen
class NoticeGiven(PitEvent):
    """Written notice was given."""

    notice: Notice
    clauses: tuple[str, ...]


@frozen
class ElectionChanged(PitEvent):
    """An election changed; ``tables`` are the tables that it changed, as they are now."""

    rule_id: str
    value: str | bool
    tables: tuple[PitTable, ...]
    spent: tuple[Notice, ...]
    at: datetime
    clauses: tuple[str, ...]


@frozen
class TableWithdrawn(PitEvent):
    """A table left the pit."""

    table: str
    clauses: tuple[str, ...]


PitEvents = tuple[PitEvent, ...]


# --- deciding ----------------------------------------------------------------------------------


def decide_pit(state: PitState, command: PitCommand) -> PitEvents | Refusal:
    """Answer a command: the events that it brings about, or a refusal that names its clauses."""
    match command:
        case WithdrawTable(table):
            return _withdraw(state, table)
        case GiveNotice() | AdmitTable() | AdmitOtherGame() | ChangeElection():
            at = _moment(state, command.at)
            return at if isinstance(at, Refusal) else _decide_at(state, command, at)
        case _:
            raise TypeError(f"{command!r} is not a command of a pit")


def _decide_at(
    state: PitState,
    command: GiveNotice | AdmitTable | AdmitOtherGame | ChangeElection,
    at: datetime,
) -> PitEvents | Refusal:
    match command:
        case GiveNotice(rule_id, value, to):
            clauses = _unique(
                constraint.cites
                for law in _laws(state.tables.values())
                for constraint in notices_about(law, rule_id)
                if to in constraint.to
            )
            return (NoticeGiven(Notice(rule_id, value, to, at), clauses),)
        case AdmitTable(table, rules):
            return _admit(state, PitTable(table, rules.law.game, rules.settled, rules), at)
        case AdmitOtherGame(table, game, elections):
            return _admit(state, PitTable(table, game, elections), at)
        case ChangeElection():
            return _change(state, command, at)


def _moment(state: PitState, at: datetime) -> datetime | Refusal:
    """Return a command's time in UTC, in which an hour has sixty minutes on every day."""
    if at.utcoffset() is None:
        return Refusal("time_zone", (), f"{at}: a time must include its time zone")
    moment = at.astimezone(UTC)
    if state.latest is not None and moment < state.latest:
        return Refusal("backdated", (), f"{at} is before {state.latest}, when the pit last changed")
    return moment


def _admit(state: PitState, table: PitTable, at: datetime) -> PitEvents | Refusal:
    if table.id in state.tables:
        return Refusal("table_known", (), f"table {table.id} is already in the pit")
    tables = (*state.tables.values(), table)
    if errors := _errors(tables):
        return _refusal("not_uniform", errors)
    changes = tuple(_taken_up(state, table))
    if refusal := unannounced(state.notices, changes, at):
        return refusal
    clauses = _clauses(tables, (table,), table.elections, changes)
    return (TableAdmitted(table, spent(state.notices, changes), at, clauses),)


def _change(state: PitState, command: ChangeElection, at: datetime) -> PitEvents | Refusal:
    new: list[PitTable] = []
    changes: list[ElectionChange] = []
    for table in state.tables.values():
        rules = table.rules
        if rules is not None and command.rule_id in rules.in_force:
            try:
                rules = with_elections(rules, {command.rule_id: command.value, **command.also})
            except SubmissionError as error:
                return _refusal("elections", error.errors)
            new.append(replace(table, elections=rules.settled, rules=rules))
            changes += changes_in(rules.law, table.elections, rules.settled)
        elif rules is None and command.rule_id in table.elections:
            shown = {**table.elections, command.rule_id: command.value}
            new.append(replace(table, elections=shown))
    if not any(table.rules for table in new):
        held = (table.rules for table in state.tables.values() if table.rules is not None)
        clauses = _unique(rules.cites_if_any(command.rule_id) for rules in held)
        return Refusal(
            "no_election", clauses, f"{command.rule_id}: no table of the pit has this election"
        )
    tables = {**state.tables, **{table.id: table for table in new}}.values()
    if errors := _errors(tables):
        return _refusal("not_uniform", errors)
    if refusal := unannounced(state.notices, changes, at):
        return refusal
    clauses = _clauses(tables, new, (command.rule_id,), changes)
    used = spent(state.notices, changes)
    return (ElectionChanged(command.rule_id, command.value, tuple(new), used, at, clauses),)


def _withdraw(state: PitState, table: str) -> PitEvents | Refusal:
    if table not in state.tables:
        return Refusal("no_table", (), f"table {table} is not in the pit")
    return (TableWithdrawn(table, ()),)


def _refusal(code: str, errors: Sequence[ErrorDetail]) -> Refusal:
    message = "; ".join(f"{detail.where}: {detail.message}" for detail in errors)
    return Refusal(code, _unique(detail.clauses for detail in errors), message)


def _unique(clauses: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause for several in clauses for clause in several))


def _laws(tables: Iterable[PitTable]) -> tuple[Instrument, ...]:
    """Return the laws of the tables, each once."""
    held = (table.rules.law for table in tables if table.rules is not None)
    return tuple({(law.id, law.in_force_from): law for law in held}.values())


def _clauses(
    tables: Iterable[PitTable],
    concerned: Collection[PitTable],
    elected: Collection[str],
    changes: Collection[ElectionChange],
) -> tuple[str, ...]:
    """Return the clauses that tie these elections through the pit, and that want notice of them.

    ``concerned`` are the tables that they are elected at.
    """
    tables = tuple(tables)
    games = {None, *(table.game for table in tables)}
    alike = (
        constraint.cites
        for law in _laws(tables)
        for constraint in law.constraints
        if constraint.kind is ConstraintKind.UNIFORM
        and constraint.beside in games
        and not set(elected).isdisjoint(constraint.rules)
        and any(condition_holds(constraint.when, table.elections) for table in concerned)
    )
    told = (constraint.cites for change in changes for constraint in wanting_notice(change))
    return _unique((*alike, *told))


# --- what the tables have in common ------------------------------------------------------------


def _errors(tables: Iterable[PitTable]) -> tuple[ErrorDetail, ...]:
    """Return how tables differ where a law wants them alike, told by their names in the pit."""
    tables = tuple(tables)
    laws = _laws(tables)
    return pit_errors([_shown(table, laws[0]) for table in tables]) if laws else ()


def _shown(table: PitTable, held: Instrument) -> TableRules:
    """Return a table's rules under its name in the pit.

    Of a table of another game nothing is known but elections. They are written as a law that is
    held writes the rules of those ids; none of its constraints becomes one of the other game.
    """
    layout = TableLayout(table=table.id)
    if table.rules is not None:
        return replace(table.rules, submission=replace(table.rules.submission, layout=layout))
    place = held.id.rpartition("/")[0]
    law = replace(held, id=f"{place}/{table.game}", partial=True, clauses={}, constraints=())
    submission = Submission(law.id, law.in_force_from, table.game, table.elections, layout)
    return TableRules(submission, law, table.elections, frozenset(table.elections), {})


# --- what an admission changes ------------------------------------------------------------------


def _taken_up(state: PitState, table: PitTable) -> Iterator[ElectionChange]:
    """Yield what changes by a table's admission: in the pit, or at a table that comes back.

    An election that tables share is the pit's: it was taken up with the first of them.
    """
    if table.rules is None:
        return
    law = table.rules.law
    former = state.former.get(table.id)
    before = {} if former is None else dict(former.elections)
    for other in state.tables.values():
        if other.rules is not None and other.rules.law.id == law.id:
            shared = {
                rule_id
                for constraint in law.constraints
                if constraint.kind is ConstraintKind.UNIFORM
                and all(condition_holds(constraint.when, one.elections) for one in (table, other))
                for rule_id in constraint.rules
            }
            before |= {name: value for name, value in other.elections.items() if name in shared}
    yield from changes_in(law, before, table.elections)


# --- evolving ----------------------------------------------------------------------------------


def evolve_pit(state: PitState, event: PitEvent) -> PitState:
    """Return the state after an event. Total: every event has its effect in every state."""
    match event:
        case TableAdmitted(table, used, at):
            return replace(
                state,
                tables={**state.tables, table.id: table},
                notices=_without(state.notices, used),
                latest=at,
            )
        case NoticeGiven(notice):
            return replace(state, notices=(*state.notices, notice), latest=notice.at)
        case ElectionChanged(_, _, tables, used, at):
            return replace(
                state,
                tables={**state.tables, **{table.id: table for table in tables}},
                notices=_without(state.notices, used),
                latest=at,
            )
        case TableWithdrawn(table):
            staying = {name: one for name, one in state.tables.items() if name != table}
            return replace(
                state, tables=staying, former={**state.former, table: state.tables[table]}
            )
        case _:
            raise TypeError(f"{event!r} is not an event of a pit")


def _without(notices: tuple[Notice, ...], used: tuple[Notice, ...]) -> tuple[Notice, ...]:
    return tuple(notice for notice in notices if notice not in used)
