"""The tables of a licensee: what those of a pit have in common, and the notice of a change.

``decide_pit(state, command)`` answers with events or a refusal, ``evolve_pit(state, event)`` makes
the next state. Both are pure, as those of a table are: times come in commands. What binds the pit
stands in the laws of its tables, as constraints of the kinds uniform and notice.

>>> from datetime import UTC, date, datetime, timedelta
>>> from croupier.rules import table_rules
>>> from croupier.rules import default_submission
>>> noon = datetime(2011, 2, 22, 12, tzinfo=UTC)
>>> pit = PitState()
>>> for to in ("surveillance", "Commission"):
...     notice = GiveNotice({"settlement.order": "payment-then-vigorish"}, to, noon)
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
from croupier.rules import Limit, TableLayout, TableRules, other_table, pit_errors, rules_with
from croupier.table.commands import AdoptElections, Choice, OtherTable
from croupier.table.core import Refusal
from croupier.table.events import Notice
from croupier.table.notice import (
    ElectionChange,
    changes_in,
    notices_about,
    notices_of,
    spent,
    unannounced,
    wanting_notice,
)

__all__ = [
    "AdmitOtherGame", "AdmitTable", "ChangeElections", "ElectionsChanged", "GiveNotice",
    "NoticeGiven", "PitCommand", "PitEvent", "PitState", "PitTable", "TableAdmitted",
    "TableWithdrawn", "WithdrawTable", "adoption_at", "beside", "decide_pit", "evolve_pit",
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
    pit: str = "1"


@frozen
class GiveNotice(PitCommand):
    """Give one addressee written notice of intended elections, as a submission writes them."""

    elections: Mapping[str, Choice]
    to: str
    at: datetime


@frozen
class ChangeElections(PitCommand):
    """Change elections together at the tables named, and nothing at any other.

    Elections that the new ones exclude are dropped. ``companions`` and ``limits`` are what a table
    needs besides, by its name.
    """

    tables: tuple[str, ...]
    elections: Mapping[str, Choice]
    at: datetime
    companions: Mapping[str, Mapping[str, Choice]] = field(default_factory=dict)
    limits: Mapping[str, Mapping[str, Limit]] = field(default_factory=dict)


@frozen
class WithdrawTable(PitCommand):
    """Take a table out of the pit."""

    table: str


# --- state -------------------------------------------------------------------------------------


@frozen
class PitTable:
    """A table: its game, its elections, its rules if its regulation is included, and its pit."""

    id: str
    game: str
    elections: Mapping[str, Value]
    rules: TableRules | None = None
    pit: str = "1"


@frozen
class PitState:
    """The pits at one moment: their tables, those that once stood in it, and the notices pending.

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
    """Written notice was given, of one election or of several."""

    notices: tuple[Notice, ...]
    clauses: tuple[str, ...]


@frozen
class ElectionsChanged(PitEvent):
    """Elections changed; ``tables`` are the tables that they changed at, as they are now."""

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
        case GiveNotice() | AdmitTable() | AdmitOtherGame() | ChangeElections():
            at = _moment(state, command.at)
            return at if isinstance(at, Refusal) else _decide_at(state, command, at)
        case _:
            raise TypeError(f"{command!r} is not a command of a pit")


def _decide_at(
    state: PitState,
    command: GiveNotice | AdmitTable | AdmitOtherGame | ChangeElections,
    at: datetime,
) -> PitEvents | Refusal:
    match command:
        case GiveNotice(elections, to):
            clauses = _unique(
                constraint.cites
                for law in _laws(state.tables.values())
                for rule_id, value in elections.items()
                for constraint in notices_about(law, rule_id, value)
                if to in constraint.to
            )
            return (NoticeGiven(notices_of(elections, to, at), clauses),)
        case AdmitTable(table, rules):
            pit = rules.submission.layout.pit
            return _admit(state, PitTable(table, rules.law.game, rules.settled, rules, pit), at)
        case AdmitOtherGame(table, game, elections, pit=pit):
            return _admit(state, PitTable(table, game, elections, None, pit), at)
        case ChangeElections():
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


def _change(state: PitState, command: ChangeElections, at: datetime) -> PitEvents | Refusal:
    strange = [name for name in command.tables if name not in state.tables]
    if strange or not command.tables:
        named = f"table {', '.join(strange)} is not in the pit" if strange else "no table is named"
        return Refusal("no_table", (), f"{named}: name the tables at which elections change")
    new: list[PitTable] = []
    changes: list[ElectionChange] = []
    for name in command.tables:
        table = state.tables[name]
        chosen = {**command.elections, **command.companions.get(name, {})}
        rules = table.rules
        if rules is None:
            new.append(replace(table, elections={**table.elections, **chosen}))
            continue
        try:
            rules = rules_with(rules, chosen, command.limits.get(name))
        except SubmissionError as error:
            return _refusal("elections", error.errors, f"table {name}, ")
        new.append(replace(table, elections=rules.settled, rules=rules))
        changes += changes_in(rules.law, table.elections, rules.settled)
    tables = {**state.tables, **{table.id: table for table in new}}
    if errors := _errors(tables.values()):
        return _refusal("not_uniform", errors)
    if refusal := unannounced(state.notices, changes, at):
        return refusal
    clauses = _clauses(tables.values(), new, command.elections, changes)
    return (ElectionsChanged(tuple(new), spent(state.notices, changes), at, clauses),)


def adoption_at(state: PitState, command: ChangeElections, table: str) -> AdoptElections:
    """Return what a table is asked to adopt by a change of its pit.

    ``state`` is the pit after the change, so that the table's record says what the others elect.
    """
    elections = {**command.elections, **command.companions.get(table, {})}
    limits = command.limits.get(table, {})
    return AdoptElections(elections, limits, command.at, beside(state, table))


def beside(state: PitState, table: str) -> tuple[OtherTable, ...]:
    """Return what the other tables of a licensee elect of what must agree with a table's."""
    return tuple(
        OtherTable(
            one.id,
            one.game,
            {rule_id: _written(one, rule_id) for rule_id in sorted(_tied(state, one))},
            one.pit,
            "" if one.rules is None else one.rules.law.id,
        )
        for one in state.tables.values()
        if one.id != table
    )


def _tied(state: PitState, table: PitTable) -> set[str]:
    """Return the elections of a table that some law ties to those of others."""
    return {
        rule_id
        for law in _laws(state.tables.values())
        for constraint in law.constraints
        if constraint.kind is ConstraintKind.UNIFORM
        for rule_id in (*constraint.rules, *constraint.when)
        if rule_id in table.elections
    }


def _written(table: PitTable, rule_id: str) -> Choice:
    value = table.elections[rule_id]
    if isinstance(value, str | bool | int):
        return value
    return str(value) if table.rules is None else table.rules.law.rules[rule_id].written(value)


def _withdraw(state: PitState, table: str) -> PitEvents | Refusal:
    if table not in state.tables:
        return Refusal("no_table", (), f"table {table} is not in the pit")
    return (TableWithdrawn(table, ()),)


def _refusal(code: str, errors: Sequence[ErrorDetail], at: str = "") -> Refusal:
    message = "; ".join(f"{at}{detail.where}: {detail.message}" for detail in errors)
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
    pits = {table.pit for table in concerned}
    games = {None, *(table.game for table in tables if table.pit in pits)}
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
    """Return how tables differ where a law wants them alike, in a pit or at all of them."""
    tables = tuple(tables)
    held = next((table.rules for table in tables if table.rules is not None), None)
    if held is None:
        return ()
    shown = [(table.pit, _shown(table, held)) for table in tables]
    pits = dict.fromkeys(pit for pit, _ in shown)
    in_pits = (pit_errors([one for pit, one in shown if pit == here]) for here in pits)
    everywhere = pit_errors([one for _, one in shown], across="licensee")
    return tuple(dict.fromkeys((*(error for errors in in_pits for error in errors), *everywhere)))


def _shown(table: PitTable, held: TableRules) -> TableRules:
    """Return a table's rules under its name in the pit.

    Of a table of another game nothing is known but elections. They are written as a law that is
    held writes the rules of those ids; none of its constraints becomes one of the other game.
    """
    if table.rules is not None:
        layout = TableLayout(table=table.id)
        return replace(table.rules, submission=replace(table.rules.submission, layout=layout))
    return other_table(held, table.id, "", table.game, table.elections)


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
                and (constraint.across == "licensee" or other.pit == table.pit)
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
        case NoticeGiven(notices):
            return replace(state, notices=(*state.notices, *notices), latest=notices[-1].at)
        case ElectionsChanged(tables, used, at):
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
