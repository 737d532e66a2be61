"""Notice of a change. Moments are in UTC."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import NamedTuple

from croupier.acts import Choice, Notice
from croupier.law.model import Constraint, ConstraintKind, Instrument, Rule
from croupier.law.values import Kind, Value, parse_value
from croupier.table.machine.core import Refusal


def notices_of(elections: Mapping[str, Choice], addressee: str, at: datetime) -> tuple[Notice, ...]:
    return tuple(Notice(rule_id, value, addressee, at) for rule_id, value in elections.items())


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
            former, new = before.get(rule_id), after.get(rule_id)
            if rule.kind is Kind.FLAG:
                # Elections without an effect under the others are ignored.
                former, new = bool(former), bool(new)
            if former != new:
                yield ElectionChange(law, rule, former, new)


def unannounced(
    notices: Sequence[Notice], changes: Iterable[ElectionChange], time: datetime | None
) -> Refusal | None:
    """Refuse a change at a moment, if known, without timely notice to every addressee."""
    for change in changes:
        for constraint in wanting_notice(change):
            if time is None and constraint.minutes is not None:
                message = f"{constraint.says}: say at which moment the change is made"
                return Refusal("notice", constraint.cites, message)
            addressees = [
                to for to in constraint.to if not _has_notice(notices, constraint, change, to, time)
            ]
            if addressees:
                span = "" if constraint.minutes is None else f" {constraint.minutes} minutes"
                value = None if change.after is None else change.rule.written(change.after)
                message = (
                    f"{change.rule.id} = {value}: {constraint.says}; not notified{span} before: "
                    f"{', '.join(addressees)}"
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
        values = constraint.when.get(change.rule.id, (change.after,))
        if change.after in values and (change.before is not None or constraint.minutes is not None):
            yield constraint


def notices_about(
    law: Instrument, rule_id: str, value: Choice | None = None
) -> Iterator[Constraint]:
    for constraint in law.constraints:
        if constraint.kind is not ConstraintKind.NOTICE or rule_id not in constraint.rules:
            continue
        values = constraint.when.get(rule_id)
        if value is None or values is None or value in values:
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
    addressee: str,
    at: datetime | None,
) -> bool:
    moments = [
        notice.at
        for notice in notices
        if notice.to == addressee and _announces(notice, change, change.after)
    ]
    if at is None or constraint.minutes is None:
        return any(at is None or moment < at for moment in moments)
    return any(at - moment >= timedelta(minutes=constraint.minutes) for moment in moments)


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
