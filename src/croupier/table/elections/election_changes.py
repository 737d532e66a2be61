"""Changes of elections: several at once, with the required notice, at a permitted moment (UTC)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Annotated, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from croupier import acts
from croupier.acts import Choice, Notice
from croupier.acts.roles import Role
from croupier.law.cite import once
from croupier.law.elect import ErrorDetail, SubmissionError, condition_holds
from croupier.law.model import Constraint, ConstraintKind, Instrument, Rule
from croupier.law.sight import Sight
from croupier.law.values import Kind, Value, parse_value
from croupier.rules import TableRules, law_named, other_table, pit_errors, rules_with
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Refusal, new_table
from croupier.table.machine.state import ANY_TIME, Phase, TableState, with_slice

_BETWEEN_SHOES: Final = frozenset({
    Phase.CLOSED, Phase.OPEN, Phase.RECEIVED, Phase.INSPECTED, Phase.TO_SPREAD, Phase.SPREAD_DOWN,
    Phase.SPREAD_UP, Phase.VIEWED, Phase.TO_EXCHANGE, Phase.TO_SHUFFLE, Phase.SHOE_COMPLETED,
    Phase.OUT_OF_USE,
})  # fmt: skip
_WITH_THE_SHUFFLE: Final = ("shuffle.", "cut.", "burn.")
_BEFORE_THE_DAY: Final = ("decks", "device", "game", "irregularity.")
"""Entry C70: other rules change between rounds."""


@core.keeps("notice_board", past_closing=True)
class NoticeBoard(Struct, frozen=True):
    """Pending notices, and the latest moment named in the record of elections."""

    notices: tuple[acts.Notice, ...] = ()
    latest: Annotated[datetime | None, Sight.KEPT] = None


def rules_after(rules: TableRules, events: Iterable[acts.Event]) -> TableRules:
    for event in events:
        if isinstance(event, acts.ElectionsAdopted):
            rules = rules_with(rules, event.elections, event.limits)
    return rules


@core.decides(acts.RecordNotice, ANY_TIME)
def _record(state: TableState, command: acts.RecordNotice, rules: TableRules) -> Answer:
    if not command.elections or not command.to:
        return Refusal("notice", (), "a notice names its addressee and the elections that it is of")
    at = _moment(state, command.at)
    if isinstance(at, Refusal):
        return at
    if at is None:
        return Refusal("time", (), "say when the notice was given: the table has no clock")
    known = (election for election in command.elections if election in rules.law.rules)
    clauses = once(
        *(
            constraint.cites
            for rule_id in known
            for constraint in notices_about(rules.law, rule_id, command.elections[rule_id])
            if command.to in constraint.to
        )
    )
    return (acts.NoticeRecorded(command.elections, command.to, at, clauses),)


@core.applies(acts.NoticeRecorded)
def _recorded(state: TableState, event: acts.NoticeRecorded) -> TableState:
    given = notices_of(event.elections, event.to, event.at)
    return with_slice(state, NoticeBoard((*state[NoticeBoard].notices, *given), event.at))


def _moment(state: TableState, at: datetime | None) -> datetime | Refusal | None:
    if at is None:
        return state.at
    if at.utcoffset() != timedelta(0):
        return Refusal("time", (), f"{at}: write the time in UTC")
    latest = state[NoticeBoard].latest
    if latest is not None and at < latest:
        return Refusal("time", (), f"{at} is before {latest}, which was recorded last")
    if state.at is not None and at > state.at:
        return Refusal("time", (), f"{at} is later than the clock of the table, {state.at}")
    return at


@core.decides(acts.AdoptElections, ANY_TIME, cites=("wagers.bonus.change",))
def _adopt(state: TableState, command: acts.AdoptElections, rules: TableRules) -> Answer:
    try:
        new = rules_with(rules, command.elections, command.limits)
    except SubmissionError as error:
        return _errors("elections", error.errors)
    if new.sha256 == rules.sha256:
        return Refusal("no_change", (), "all of that is elected already")
    chosen = tuple(_chosen(rules, new))
    if refusal := _not_yet(state, chosen, rules):
        return refusal
    at = _moment(state, command.at)
    if isinstance(at, Refusal):
        return at
    if errors := _departures(new, command.beside, chosen):
        return _errors("not_uniform", errors)
    board = state[NoticeBoard].notices
    changes = tuple(changes_in(rules.law, rules.settled, new.settled))
    if refusal := unannounced(board, changes, at):
        return refusal
    clauses = once(
        *_cited(command.elections, chosen, new),
        *(moment.cites for moment in _moments(chosen, rules)),
        uniform_clauses(new, chosen, command.beside),
        *(constraint.cites for change in changes for constraint in wanting_notice(change)),
    )
    course = new_table(new).course if state.phase is Phase.CLOSED else None
    used = spent(board, changes)
    return (
        acts.ElectionsAdopted(
            command.elections, command.limits, at, used, course, new.sha256, clauses
        ),
    )


def _errors(code: str, errors: Iterable[ErrorDetail]) -> Refusal:
    errors = tuple(errors)
    message = "; ".join(f"{error.where}: {error.message}" for error in errors)
    return Refusal(code, once(*(error.clauses for error in errors)), message)


def _chosen(rules: TableRules, new: TableRules) -> Iterator[str]:
    for rule in rules.law.elections:
        value = new.settled.get(rule.id)
        if value is not None and value != rules.settled.get(rule.id):
            yield rule.id


def _moments(chosen: Iterable[str], rules: TableRules) -> Iterator[Constraint]:
    again = {rule_id for rule_id in chosen if rule_id in rules.settled}
    for constraint in rules.law.constraints:
        if constraint.kind is ConstraintKind.MOMENT and not again.isdisjoint(constraint.rules):
            yield constraint


def _not_yet(state: TableState, chosen: Iterable[str], rules: TableRules) -> Refusal | None:
    """Refuse elections that must wait. Only constraints of the text are cited, not our readings."""
    again = [rule_id for rule_id in chosen if rule_id in rules.settled]
    by_law = tuple(_moments(chosen, rules))
    for constraint in by_law:
        if constraint.moment == "submission" and state.phase is not Phase.CLOSED:
            message = f"{constraint.says}: it changes with that, while the table is closed"
            return Refusal("submission", constraint.cites, message)
    for rule_id in again:
        if fixed := hooks.settings_fixed.ask(state, rule_id, rules):
            return fixed
        if rule_id.startswith(_BEFORE_THE_DAY) and state.phase is not Phase.CLOSED:
            message = f"{rule_id} changes while the table is closed, before a gaming day"
            return Refusal("not_now", (), message)
        begun = state.phase not in _BETWEEN_SHOES or state.worked or state.shuffled_by
        if rule_id.startswith(_WITH_THE_SHUFFLE) and begun:
            message = f"{rule_id} changes between two shoes, before the cards are shuffled"
            return Refusal("not_now", (), message)
    if state.phase.in_play:
        clauses = once(*(one.cites for one in by_law))
        return Refusal("not_now", clauses, "a round is in play: a change waits until it is over")
    if state.stakes:
        return Refusal("wagers", (), "wagers lie on the layout: a change waits for their round")
    return None


def _departures(
    new: TableRules, beside: Iterable[acts.OtherTable], chosen: Iterable[str]
) -> tuple[ErrorDetail, ...]:
    try:
        others = [
            (one, other_table(new, one.table, one.law, one.game, one.elections)) for one in beside
        ]
    except ValueError as error:
        return (ErrorDetail("beside", str(error)),)
    here = new.submission.layout.pit
    in_pit = [rules for one, rules in others if one.pit in {"", here}]
    errors = (
        *pit_errors([new, *in_pit]),
        *pit_errors([new, *(rules for _, rules in others)], across="licensee"),
    )
    wanted = set(chosen)
    return tuple(dict.fromkeys(detail for detail in errors if detail.where in wanted))


def uniform_clauses(
    new: TableRules, chosen: Iterable[str], beside: Iterable[acts.OtherTable]
) -> tuple[str, ...]:
    wanted, here = set(chosen), new.submission.layout.pit
    tables = tuple(beside)
    in_pit = tuple(table for table in tables if table.pit in {"", here})
    return once(
        *(
            constraint.cites
            for constraint in new.law.constraints
            if constraint.kind is ConstraintKind.UNIFORM
            and not wanted.isdisjoint(constraint.rules)
            and condition_holds(constraint.when, new.settled)
            and any(
                law_named(other.law) == new.law.id
                if constraint.beside is None
                else other.game == constraint.beside
                for other in (tables if constraint.across == "licensee" else in_pit)
            )
        )
    )


def _cited(
    given: Mapping[str, acts.Choice], chosen: Iterable[str], new: TableRules
) -> Iterator[tuple[str, ...]]:
    for rule_id in chosen:
        rule = new.law.rules[rule_id]
        named = given.get(rule_id)
        tables = {**rule.at_least_any, **rule.one_of}
        yield new.cites_for(rule_id, str(new.settled[rule_id]))
        if isinstance(named, str) and named in tables:
            yield new.cites(tables[named])


@core.applies(acts.ElectionsAdopted)
def _adopted(state: TableState, event: acts.ElectionsAdopted) -> TableState:
    # The owner of the rules calls ``rules_after``.
    board = state[NoticeBoard]
    left = tuple(notice for notice in board.notices if notice not in event.notices)
    state = with_slice(state, NoticeBoard(left, event.at or board.latest))
    return state if event.course is None else replace(state, course=event.course)


@core.offers(Phase.BETTING, Phase.SHOE_COMPLETED, Phase.OUT_OF_USE, optional=True)
def _may_change(state: TableState, _rules: TableRules) -> tuple[Action, ...]:
    if state.stakes:
        return ()
    return (Action(acts.AdoptElections, Role.LICENSEE, (), must=False),)


def notices_of(elections: Mapping[str, Choice], to: str, at: datetime) -> tuple[Notice, ...]:
    return tuple(Notice(rule_id, value, to, at) for rule_id, value in elections.items())


class ElectionChange(NamedTuple):
    """An election before and after a change; ``None`` if nothing is elected."""

    law: Instrument
    rule: Rule
    before: Value | None
    after: Value | None


def changes_in(
    law: Instrument, before: Mapping[str, Value], after: Mapping[str, Value]
) -> Iterator[ElectionChange]:
    """Yield every change of an election under a notice constraint."""
    for constraint in law.constraints:
        if constraint.kind is not ConstraintKind.NOTICE:
            continue
        for rule_id in constraint.rules:
            rule = law.rules[rule_id]
            was, becomes = before.get(rule_id), after.get(rule_id)
            if rule.kind is Kind.FLAG:
                # Elections without an effect under the others are ignored.
                was, becomes = bool(was), bool(becomes)
            if was != becomes:
                yield ElectionChange(law, rule, was, becomes)


def unannounced(
    notices: Sequence[Notice], changes: Iterable[ElectionChange], at: datetime | None
) -> Refusal | None:
    """Refuse a change without timely notice to every required addressee.

    ``at`` is the moment of the change, or ``None`` without a clock.
    """
    for change in changes:
        for constraint in wanting_notice(change):
            if at is None and constraint.minutes is not None:
                message = f"{constraint.says}: say at which moment the change is made"
                return Refusal("notice", constraint.cites, message)
            late = [
                to for to in constraint.to if not _has_notice(notices, constraint, change, to, at)
            ]
            if late:
                span = "" if constraint.minutes is None else f" {constraint.minutes} minutes"
                value = None if change.after is None else change.rule.written(change.after)
                message = (
                    f"{change.rule.id} = {value}: {constraint.says}; not notified{span} before: "
                    f"{', '.join(late)}"
                )
                return Refusal("notice", constraint.cites, message)
    return None


def wanting_notice(change: ElectionChange) -> Iterator[Constraint]:
    """Yield the constraints that require notice of a change.

    One with minutes applies from the first use of a choice; one without applies when a choice
    replaces another. A consequence of another change is covered by the notice of that one. A rate
    that only decreases needs no notice.
    """
    before, after = _rate(change.before), _rate(change.after)
    if change.after is None or (before is not None and after is not None and after < before):
        return
    for constraint in notices_about(change.law, change.rule.id):
        named = constraint.when.get(change.rule.id, (change.after,))
        if change.after in named and (change.before is not None or constraint.minutes is not None):
            yield constraint


def notices_about(
    law: Instrument, rule_id: str, value: Choice | None = None
) -> Iterator[Constraint]:
    for constraint in law.constraints:
        if constraint.kind is not ConstraintKind.NOTICE or rule_id not in constraint.rules:
            continue
        named = constraint.when.get(rule_id)
        if value is None or named is None or value in named:
            yield constraint


def _rate(value: Value | None) -> Fraction | None:
    if isinstance(value, Fraction):
        return value
    try:
        rate = parse_value(Kind.RATE, value)
    except ValueError:
        return None
    return rate if isinstance(rate, Fraction) else None


def _has_notice(
    notices: Iterable[Notice],
    constraint: Constraint,
    change: ElectionChange,
    to: str,
    at: datetime | None,
) -> bool:
    given = [
        notice.at
        for notice in notices
        if notice.to == to and _announces(notice, change, change.after)
    ]
    if at is None or constraint.minutes is None:
        return any(at is None or moment < at for moment in given)
    return any(at - moment >= timedelta(minutes=constraint.minutes) for moment in given)


def _announces(notice: Notice, change: ElectionChange, value: Value | None) -> bool:
    rule = change.rule
    if notice.rule_id != rule.id:
        return False
    tables = {**rule.at_least_any, **rule.one_of}
    if isinstance(notice.value, str) and notice.value in tables:
        return change.law.rules[tables[notice.value]].value == value
    try:
        return rule.read(notice.value) == value
    except ValueError:
        return False


def spent(notices: Iterable[Notice], changes: Collection[ElectionChange]) -> tuple[Notice, ...]:
    """Notices of changes now made, and of the values replaced."""
    return tuple(
        notice
        for notice in notices
        if any(
            _announces(notice, change, value)
            for change in changes
            for value in (change.before, change.after)
        )
    )
