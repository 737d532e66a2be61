"""Decisions of a pit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from croupier.acts import AdoptElections, Choice, Notice, OtherTable
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.law.model import ConstraintKind, Instrument, Rule, condition_holds
from croupier.law.values import Value
from croupier.rules import TableLayout, TableRules, law_named, other_table, pit_errors, rules_with
from croupier.table.elections.notice import (
    ElectionChange,
    changes_in,
    notices_about,
    notices_of,
    spent,
    unannounced,
    wanting_notice,
)
from croupier.table.machine.core import Refusal
from croupier.table.pit.access import AccessCommand, AccessEvent, decide_access, evolve_access
from croupier.table.pit.links import (
    goes_on,
    link_meters,
    linked,
    move_meters,
    moved,
    unlink_meters,
    unlinked,
)
from croupier.table.pit.state import (
    AdmitOtherGame,
    AdmitTable,
    ChangeElections,
    ElectionsChanged,
    GiveNotice,
    LinkMeters,
    MetersLinked,
    MetersMoved,
    MetersUnlinked,
    MoveMeters,
    NoticeGiven,
    PitCommand,
    PitEvent,
    PitEvents,
    PitState,
    PitTable,
    TableAdmitted,
    TableWithdrawn,
    UnlinkMeters,
    WithdrawTable,
)

__all__ = [
    "across_pits", "adoption_at", "as_others", "beside", "beside_pit", "decide_pit", "evolve_pit",
]  # fmt: skip


def decide_pit(state: PitState, command: PitCommand) -> PitEvents | Refusal:
    match command:
        case WithdrawTable(table):
            return _withdraw(state, table)
        case LinkMeters():
            return link_meters(state, command)
        case UnlinkMeters():
            return unlink_meters(state, command)
        case MoveMeters():
            return move_meters(state, command)
        case AccessCommand():
            return decide_access(state, command)
        case GiveNotice() | AdmitTable() | AdmitOtherGame() | ChangeElections():
            moment = _moment(state, command.at)
            if isinstance(moment, Refusal):
                return moment
            try:
                return _decide_at(state, command, moment)
            except ValueError as error:
                return Refusal("law", (), f"beside: {error}")
        case _:
            raise TypeError(f"{command!r} is not a command of a pit")


def _decide_at(
    state: PitState,
    command: GiveNotice | AdmitTable | AdmitOtherGame | ChangeElections,
    moment: datetime,
) -> PitEvents | Refusal:
    match command:
        case GiveNotice(elections) | ChangeElections(_, elections) if not elections:
            return Refusal("elections", (), "no election is named: name those that are to change")
        case GiveNotice(elections, addressee):
            clauses = _unique(
                constraint.cites
                for law in laws_of(state.tables.values())
                for rule_id, value in elections.items()
                for constraint in notices_about(law, rule_id, value)
                if addressee in constraint.to
            )
            return (NoticeGiven(notices_of(elections, addressee, moment), clauses),)
        case AdmitTable():
            return _admit_table(state, command, moment)
        case AdmitOtherGame(table, game, elections, pit=pit):
            pit_table = PitTable(table, game, elections, None, pit)
            return _admit(state, pit_table, moment, others_of(command.beside))
        case ChangeElections():
            return _change(state, command, moment)


def _in_utc(moment: datetime) -> datetime | Refusal:
    if moment.utcoffset() is None:
        return Refusal("time_zone", (), f"{moment}: a time must include its time zone")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return Refusal("time", (), f"{moment}: in UTC, this is before the year 1 or after 9999")


def _moment(state: PitState, at: datetime) -> datetime | Refusal:
    moment = _in_utc(at)
    if state.latest is not None and isinstance(moment, datetime) and moment < state.latest:
        return Refusal("backdated", (), f"{at} is before {state.latest}, when the pit last changed")
    return moment


def _admit_table(state: PitState, command: AdmitTable, time: datetime) -> PitEvents | Refusal:
    rules, notified = command.rules, command.notified
    if notified is not None:
        moment = _in_utc(notified)
        if isinstance(moment, Refusal):
            return moment
        notified = moment
        if notified > time:
            return Refusal("time", (), f"notice was given at {notified}, which is still to come")
    pit = rules.submission.layout.pit
    table = PitTable(command.table, rules.law.game, rules.settled, rules, pit, rules.law.id)
    former_table = state.tables.get(table.id)
    text = None if former_table is None or former_table.rules is None else former_table.rules.law
    is_amended = text is not None and text.id == rules.law.id and text.key != rules.law.key
    if is_amended and state.links_of(table.id):
        # Its place in the pit and in its links goes on; it is decided as one that comes again.
        if refusal := goes_on(state, table.id, rules):
            return refusal
        state = evolve_pit(state, TableWithdrawn(table.id, ()))
    return _admit(state, table, time, others_of(command.beside), notified)


def _admit(
    state: PitState,
    table: PitTable,
    moment: datetime,
    other_tables: tuple[PitTable, ...],
    notice_moment: datetime | None = None,
) -> PitEvents | Refusal:
    if table.id in state.tables:
        return Refusal("table_known", (), f"table {table.id} is already in the pit")
    tables = (*state.tables.values(), table)
    if errors := _errors((*tables, *other_tables)):
        return _refusal("not_uniform", errors)
    changes = tuple(_taken_up(state, table))
    before = () if notice_moment is None else tuple(_stated(changes, notice_moment))
    if refusal := unannounced((*state.notices, *before), changes, moment):
        return refusal
    clauses = _clauses(tables, (table,), table.elections, changes)
    return (TableAdmitted(table, spent(state.notices, changes), moment, clauses, notice_moment),)


def _stated(changes: Iterable[ElectionChange], moment: datetime) -> Iterator[Notice]:
    for change in changes:
        for constraint in wanting_notice(change):
            if change.after is not None:
                value = as_stated(change.rule, change.after)
                yield from (Notice(change.rule.id, value, to, moment) for to in constraint.to)


def others_of(tables: Iterable[OtherTable]) -> tuple[PitTable, ...]:
    return tuple(
        PitTable(other.table, other.game, other.elections, None, other.pit, law_named(other.law))
        for other in tables
    )


def _change(state: PitState, command: ChangeElections, moment: datetime) -> PitEvents | Refusal:
    unknown = [name for name in command.tables if name not in state.tables]
    if unknown or not command.tables:
        named = f"table {', '.join(unknown)} is not in the pit" if unknown else "no table is named"
        return Refusal("no_table", (), f"{named}: name the tables at which elections change")
    changed = _changed(state, command)
    if isinstance(changed, Refusal):
        return changed
    new, changes = changed
    tables = {**state.tables, **{table.id: table for table in new}}
    if errors := _errors((*tables.values(), *others_of(command.beside))):
        return _refusal("not_uniform", errors)
    if refusal := unannounced(state.notices, changes, moment):
        return refusal
    clauses = _clauses(tables.values(), new, command.elections, changes)
    return (ElectionsChanged(tuple(new), spent(state.notices, changes), moment, clauses),)


def _changed(
    state: PitState, command: ChangeElections
) -> tuple[Sequence[PitTable], Sequence[ElectionChange]] | Refusal:
    new: list[PitTable] = []
    changes: list[ElectionChange] = []
    for name in command.tables:
        table = state.tables[name]
        choices = {**command.elections, **command.companions.get(name, {})}
        rules = table.rules
        if rules is None:
            new.append(replace(table, elections={**table.elections, **choices}))
            continue
        try:
            rules = rules_with(rules, choices, command.limits.get(name))
        except SubmissionError as error:
            return _refusal("elections", error.errors, f"table {name}, ")
        new.append(replace(table, elections=rules.settled, rules=rules))
        changes += changes_in(rules.law, table.elections, rules.settled)
    return new, changes


def across_pits(
    states: Mapping[str, PitState], command: ChangeElections, home: str
) -> Mapping[str, ChangeElections]:
    """Parts of a change for the pits of its tables, by name.

    ``states`` are all pits of the licensee; tables in none of them are left to ``home``, which
    refuses them. Each part takes the other pits' tables as the same act leaves them.
    """
    parts: dict[str, ChangeElections] = {}
    after = dict(states)
    unknown = {*command.tables}.difference(*(state.tables for state in states.values()))
    for pit, state in states.items():
        table_ids = {*state.tables, *(unknown if pit == home else ())}
        own_ids = tuple(name for name in command.tables if name in table_ids)
        if not own_ids:
            continue
        companions = {name: one for name, one in command.companions.items() if name in own_ids}
        limits = {name: limit for name, limit in command.limits.items() if name in own_ids}
        part = replace(command, tables=own_ids, companions=companions, limits=limits)
        changed = _changed(state, part) if unknown.isdisjoint(own_ids) else None
        if changed is None or isinstance(changed, Refusal):
            # It is refused first, for its own reason.
            parts = {pit: part, **parts}
            continue
        parts[pit] = part
        tables = {**state.tables, **{table.id: table for table in changed[0]}}
        after[pit] = replace(state, tables=tables)
    return {pit: replace(part, beside=beside_pit(after, pit)) for pit, part in parts.items()}


def beside_pit(states: Mapping[str, PitState], pit: str) -> tuple[OtherTable, ...]:
    """Tables of other pits with elections tied to those of a pit."""
    return tuple(
        table
        for name, state in states.items()
        if name != pit
        for table in as_others(state)
        if table.elections
    )


def adoption_at(state: PitState, command: ChangeElections, table: str) -> AdoptElections:
    elections = {**command.elections, **command.companions.get(table, {})}
    other_tables = (*beside(state, table), *command.beside)
    return AdoptElections(elections, command.limits.get(table, {}), command.at, other_tables)


def beside(state: PitState, table: str) -> tuple[OtherTable, ...]:
    """Other tables' elections that must agree with a table's."""
    return tuple(other for other in as_others(state) if other.table != table)


def as_others(state: PitState) -> Iterator[OtherTable]:
    """Yield the tables of a pit with the elections that some law ties to other tables."""
    for table in state.tables.values():
        rule_ids = {
            rule_id
            for law in laws_of(state.tables.values())
            for constraint in law.constraints
            if constraint.kind is ConstraintKind.UNIFORM
            for rule_id in (*constraint.rules, *constraint.when)
            if rule_id in table.elections
        }
        elections = {rule_id: _written(table, rule_id) for rule_id in sorted(rule_ids)}
        yield OtherTable(table.id, table.game, elections, table.pit, table.law)


def _written(table: PitTable, rule_id: str) -> Choice:
    value = table.elections[rule_id]
    if table.rules is None:
        return value if isinstance(value, str | bool | int) else str(value)
    return as_stated(table.rules.law.rules[rule_id], value)


def as_stated(rule: Rule, value: Value) -> Choice:
    """Elected value as a submission writes it."""
    return value if isinstance(value, str | bool | int) else rule.written(value)


def _withdraw(state: PitState, table: str) -> PitEvents | Refusal:
    if table not in state.tables:
        return Refusal("no_table", (), f"table {table} is not in the pit")
    if links := state.links_of(table):
        message = f"its meters are linked in {', '.join(links)}: unlink them first"
        return Refusal("linked", (), f"table {table}: {message}")
    return (TableWithdrawn(table, ()),)


def _refusal(code: str, errors: Sequence[ErrorDetail], prefix: str = "") -> Refusal:
    message = "; ".join(f"{prefix}{detail.where}: {detail.message}" for detail in errors)
    return Refusal(code, _unique(detail.clauses for detail in errors), message)


def _unique(clauses: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause for group in clauses for clause in group))


def laws_of(tables: Iterable[PitTable]) -> tuple[Instrument, ...]:
    laws = (table.rules.law for table in tables if table.rules is not None)
    return tuple({(law.id, law.in_force_from): law for law in laws}.values())


def _clauses(
    tables: Iterable[PitTable],
    concerned: Collection[PitTable],
    rule_ids: Collection[str],
    changes: Collection[ElectionChange],
) -> tuple[str, ...]:
    tables = tuple(tables)
    pits = {table.pit for table in concerned}
    games = {None, *(table.game for table in tables if table.pit in pits)}
    uniform = (
        constraint.cites
        for law in laws_of(tables)
        for constraint in law.constraints
        if constraint.kind is ConstraintKind.UNIFORM
        and constraint.beside in games
        and not set(rule_ids).isdisjoint(constraint.rules)
        and any(condition_holds(constraint.when, table.elections) for table in concerned)
    )
    noticed = (constraint.cites for change in changes for constraint in wanting_notice(change))
    return _unique((*uniform, *noticed))


def _errors(tables: Iterable[PitTable]) -> tuple[ErrorDetail, ...]:
    tables = tuple(tables)
    rules_known = next((table.rules for table in tables if table.rules is not None), None)
    if rules_known is None:
        return ()
    pit_rules = [(table.pit, _shown(table, rules_known)) for table in tables]
    pits = dict.fromkeys(pit for pit, _ in pit_rules)
    in_pits = (pit_errors([rules for pit, rules in pit_rules if pit == pit_id]) for pit_id in pits)
    everywhere = pit_errors([rules for _, rules in pit_rules], across="licensee")
    return tuple(dict.fromkeys((*(error for errors in in_pits for error in errors), *everywhere)))


def _shown(table: PitTable, rules_known: TableRules) -> TableRules:
    # Another game's elections are read in the notation of an included law, without its constraints.
    if table.rules is not None:
        layout = TableLayout(table=table.id)
        return replace(table.rules, submission=replace(table.rules.submission, layout=layout))
    return other_table(rules_known, table.id, table.law, table.game, table.elections)


def _taken_up(state: PitState, table: PitTable) -> Iterator[ElectionChange]:
    # A shared election belongs to the pit, and was taken up with its first table.
    if table.rules is None:
        return
    law = table.rules.law
    former_table = state.former.get(table.id)
    before = {} if former_table is None else dict(former_table.elections)
    for other in state.tables.values():
        if other.rules is not None and other.rules.law.id == law.id:
            shared_ids = {
                rule_id
                for constraint in law.constraints
                if constraint.kind is ConstraintKind.UNIFORM
                and (constraint.across == "licensee" or other.pit == table.pit)
                and all(condition_holds(constraint.when, one.elections) for one in (table, other))
                for rule_id in constraint.rules
            }
            before |= {name: value for name, value in other.elections.items() if name in shared_ids}
    yield from changes_in(law, before, table.elections)


def evolve_pit(state: PitState, event: PitEvent) -> PitState:
    """State after an event. Every event applies in every state."""
    match event:
        case TableAdmitted(table, used, moment):
            return replace(
                state,
                tables={**state.tables, table.id: table},
                notices=_without(state.notices, used),
                latest=moment,
            )
        case NoticeGiven(notices):
            return replace(state, notices=(*state.notices, *notices), latest=notices[-1].at)
        case ElectionsChanged(tables, used, moment):
            return replace(
                state,
                tables={**state.tables, **{table.id: table for table in tables}},
                notices=_without(state.notices, used),
                latest=moment,
            )
        case TableWithdrawn(table):
            staying = {name: pit_table for name, pit_table in state.tables.items() if name != table}
            return replace(
                state, tables=staying, former={**state.former, table: state.tables[table]}
            )
        case MetersLinked():
            return linked(state, event)
        case MetersUnlinked():
            return unlinked(state, event)
        case MetersMoved():
            return moved(state, event)
        case AccessEvent():
            return evolve_access(state, event)
        case _:
            raise TypeError(f"{event!r} is not an event of a pit")


def _without(notices: tuple[Notice, ...], removed: tuple[Notice, ...]) -> tuple[Notice, ...]:
    return tuple(notice for notice in notices if notice not in removed)
