"""Changes of elections: several at once, with the required notice, at a permitted moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.law.cite import once
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.law.model import Constraint, ConstraintKind, condition_holds
from croupier.law.sight import Sight
from croupier.rules import TableRules, law_named, other_table, pit_errors, rules_with
from croupier.table.elections.notice import (
    changes_in,
    notices_about,
    notices_of,
    spent,
    unannounced,
    wanting_notice,
)
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Refusal, new_table
from croupier.table.machine.state import ANY_TIME, Phase, TableState, with_slice

_BETWEEN_SHOES: Final = frozenset({
    Phase.CLOSED, Phase.OPEN, Phase.RECEIVED, Phase.INSPECTED, Phase.TO_SPREAD, Phase.SPREAD_DOWN,
    Phase.SPREAD_UP, Phase.VIEWED, Phase.TO_EXCHANGE, Phase.TO_SHUFFLE, Phase.SHOE_COMPLETED,
    Phase.OUT_OF_USE,
})  # fmt: skip
WITH_THE_SHUFFLE: Final = ("shuffle.", "cut.", "burn.")
BEFORE_THE_DAY: Final = ("decks", "device", "game", "irregularity.")
NOT_BETWEEN_ROUNDS: Final = (*WITH_THE_SHUFFLE, *BEFORE_THE_DAY)
"""Families of rules that change at other moments. Entry C70: others change between rounds."""


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
    moment = _moment(state, command.at)
    if isinstance(moment, Refusal):
        return moment
    if moment is None:
        return Refusal("time", (), "say when the notice was given: the table has no clock")
    rule_ids = (election for election in command.elections if election in rules.law.rules)
    clauses = once(
        *(
            constraint.cites
            for rule_id in rule_ids
            for constraint in notices_about(rules.law, rule_id, command.elections[rule_id])
            if command.to in constraint.to
        )
    )
    return (acts.NoticeRecorded(command.elections, command.to, moment, clauses),)


@core.applies(acts.NoticeRecorded)
def _recorded(state: TableState, event: acts.NoticeRecorded) -> TableState:
    notices = notices_of(event.elections, event.to, event.at)
    return with_slice(state, NoticeBoard((*state[NoticeBoard].notices, *notices), event.at))


def _moment(state: TableState, moment: datetime | None) -> datetime | Refusal | None:
    if moment is None:
        return state.at
    if moment.utcoffset() != timedelta(0):
        return Refusal("time", (), f"{moment}: write the time in UTC")
    latest = state[NoticeBoard].latest
    if latest is not None and moment < latest:
        return Refusal("time", (), f"{moment} is before {latest}, which was recorded last")
    if state.at is not None and moment > state.at:
        return Refusal("time", (), f"{moment} is later than the clock of the table, {state.at}")
    return moment


@core.decides(acts.AdoptElections, ANY_TIME, cites=("wagers.bonus.change",))
def _adopt(state: TableState, command: acts.AdoptElections, rules: TableRules) -> Answer:
    try:
        new = rules_with(rules, command.elections, command.limits)
    except SubmissionError as error:
        return _errors("elections", error.errors)
    if new.sha256 == rules.sha256:
        return Refusal("no_change", (), "all of that is elected already")
    rule_ids = tuple(_chosen(rules, new))
    if refusal := _not_yet(state, rule_ids, rules):
        return refusal
    moment = _moment(state, command.at)
    if isinstance(moment, Refusal):
        return moment
    if errors := _departures(new, command.beside, rule_ids):
        return _errors("not_uniform", errors)
    board = state[NoticeBoard].notices
    changes = tuple(changes_in(rules.law, rules.settled, new.settled))
    if refusal := unannounced(board, changes, moment):
        return refusal
    clauses = once(
        *_cited(command.elections, rule_ids, new),
        *(moment.cites for moment in _moments(rule_ids, rules)),
        uniform_clauses(new, rule_ids, command.beside),
        *(constraint.cites for change in changes for constraint in wanting_notice(change)),
    )
    course = new_table(new).course if state.phase is Phase.CLOSED else None
    notices = spent(board, changes)
    return (
        acts.ElectionsAdopted(
            command.elections, command.limits, moment, notices, course, new.sha256, clauses
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


def _moments(rule_ids: Iterable[str], rules: TableRules) -> Iterator[Constraint]:
    resolved = {rule_id for rule_id in rule_ids if rule_id in rules.settled}
    for constraint in rules.law.constraints:
        if constraint.kind is ConstraintKind.MOMENT and not resolved.isdisjoint(constraint.rules):
            yield constraint


def _not_yet(state: TableState, rule_ids: Iterable[str], rules: TableRules) -> Refusal | None:
    """Refuse elections that must wait. Only constraints of the text are cited, not our readings."""
    resolved = [rule_id for rule_id in rule_ids if rule_id in rules.settled]
    moments = tuple(_moments(rule_ids, rules))
    for constraint in moments:
        if constraint.moment == "submission" and state.phase is not Phase.CLOSED:
            message = f"{constraint.says}: it changes with that, while the table is closed"
            return Refusal("submission", constraint.cites, message)
    for rule_id in resolved:
        if refusal := hooks.settings_fixed.ask(state, rule_id, rules):
            return refusal
        if rule_id.startswith(BEFORE_THE_DAY) and state.phase is not Phase.CLOSED:
            message = f"{rule_id} changes while the table is closed, before a gaming day"
            return Refusal("not_now", (), message)
        shuffle_has_begun = state.phase not in _BETWEEN_SHOES or state.worked or state.shuffled_by
        if rule_id.startswith(WITH_THE_SHUFFLE) and shuffle_has_begun:
            message = f"{rule_id} changes between two shoes, before the cards are shuffled"
            return Refusal("not_now", (), message)
    if state.phase.in_play:
        clauses = once(*(constraint.cites for constraint in moments))
        return Refusal("not_now", clauses, "a round is in play: a change waits until it is over")
    if state.stakes:
        return Refusal("wagers", (), "wagers lie on the layout: a change waits for their round")
    return None


def _departures(
    new: TableRules, tables: Iterable[acts.OtherTable], rule_ids: Iterable[str]
) -> tuple[ErrorDetail, ...]:
    try:
        pairs = [
            (one, other_table(new, one.table, one.law, one.game, one.elections)) for one in tables
        ]
    except ValueError as error:
        return (ErrorDetail("beside", str(error)),)
    pit = new.submission.layout.pit
    in_pit = [rules for table, rules in pairs if table.pit in {"", pit}]
    errors = (
        *pit_errors([new, *in_pit]),
        *pit_errors([new, *(rules for _, rules in pairs)], across="licensee"),
    )
    changed_ids = set(rule_ids)
    return tuple(dict.fromkeys(detail for detail in errors if detail.where in changed_ids))


def uniform_clauses(
    new: TableRules, rule_ids: Iterable[str], beside: Iterable[acts.OtherTable]
) -> tuple[str, ...]:
    changed_ids, pit = set(rule_ids), new.submission.layout.pit
    tables = tuple(beside)
    in_pit = tuple(table for table in tables if table.pit in {"", pit})
    return once(
        *(
            constraint.cites
            for constraint in new.law.constraints
            if constraint.kind is ConstraintKind.UNIFORM
            and not changed_ids.isdisjoint(constraint.rules)
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
    choices: Mapping[str, acts.Choice], rule_ids: Iterable[str], new: TableRules
) -> Iterator[tuple[str, ...]]:
    for rule_id in rule_ids:
        rule = new.law.rules[rule_id]
        choice = choices.get(rule_id)
        tables = {**rule.at_least_any, **rule.one_of}
        yield new.cites_for(rule_id, str(new.settled[rule_id]))
        if isinstance(choice, str) and choice in tables:
            yield new.cites(tables[choice])


@core.applies(acts.ElectionsAdopted)
def _adopted(state: TableState, event: acts.ElectionsAdopted) -> TableState:
    # The owner of the rules calls ``rules_after``.
    board = state[NoticeBoard]
    notices = tuple(notice for notice in board.notices if notice not in event.notices)
    state = with_slice(state, NoticeBoard(notices, event.at or board.latest))
    return state if event.course is None else replace(state, course=event.course)


@core.offers(Phase.BETTING, Phase.SHOE_COMPLETED, Phase.OUT_OF_USE, optional=True)
def _may_change(state: TableState, _rules: TableRules) -> tuple[Action, ...]:
    if state.stakes:
        return ()
    return (Action(acts.AdoptElections, Role.LICENSEE, (), must=False),)
