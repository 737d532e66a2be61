"""Notice of a change: who must have been told, how long before, and of what.

What needs notice stands in the law as constraints of the kind notice. Moments are in UTC.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import NamedTuple

from croupier.acts import Choice, Notice
from croupier.law.model import Constraint, ConstraintKind, Instrument, Rule
from croupier.law.values import Kind, Value, parse_value
from croupier.table.machine.core import Refusal


def notices_of(elections: Mapping[str, Choice], to: str, at: datetime) -> tuple[Notice, ...]:
    """Return a notice of several elections as one of each."""
    return tuple(Notice(rule_id, value, to, at) for rule_id, value in elections.items())


class ElectionChange(NamedTuple):
    """What an election was and becomes; ``None`` where nothing was elected, or nothing is."""

    law: Instrument
    rule: Rule
    before: Value | None
    after: Value | None


def changes_in(
    law: Instrument, before: Mapping[str, Value], after: Mapping[str, Value]
) -> Iterator[ElectionChange]:
    """Yield every election under a notice constraint that differs between two sets of them."""
    for constraint in law.constraints:
        if constraint.kind is not ConstraintKind.NOTICE:
            continue
        for rule_id in constraint.rules:
            rule = law.rules[rule_id]
            was, becomes = before.get(rule_id), after.get(rule_id)
            if rule.kind is Kind.FLAG:
                # What there is no room for is not done.
                was, becomes = bool(was), bool(becomes)
            if was != becomes:
                yield ElectionChange(law, rule, was, becomes)


def unannounced(
    notices: Sequence[Notice], changes: Iterable[ElectionChange], at: datetime | None
) -> Refusal | None:
    """Refuse a change of which somebody who must have notice has none, or has it too late.

    ``at`` is the moment of the change, ``None`` where no clock shows it.
    """
    for change in changes:
        for constraint in wanting_notice(change):
            if at is None and constraint.minutes is not None:
                message = f"{constraint.says}: say at which moment the change is made"
                return Refusal("notice", constraint.cites, message)
            late = [to for to in constraint.to if not _told(notices, constraint, change, to, at)]
            if late:
                span = "" if constraint.minutes is None else f" {constraint.minutes} minutes"
                value = None if change.after is None else change.rule.written(change.after)
                return Refusal(
                    "notice",
                    constraint.cites,
                    f"{change.rule.id} = {value}: {constraint.says}; not notified{span} before: "
                    f"{', '.join(late)}",
                )
    return None


def wanting_notice(change: ElectionChange) -> Iterator[Constraint]:
    """Yield the constraints that want notice of a change.

    One that counts minutes holds from the first use of a choice; one that does not holds where a
    choice replaces another. A choice that ends because the one that it hung on was changed goes
    with the notice of that one. A rate that only goes down needs none, nor does a choice that is
    none of those that a constraint names in ``when``.
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
    """Yield the constraints of a law that want notice of changes in a rule, or of one to a value.

    A value is as a submission writes it; of one that is not, notice is wanted by none.
    """
    for constraint in law.constraints:
        if constraint.kind is not ConstraintKind.NOTICE or rule_id not in constraint.rules:
            continue
        named = constraint.when.get(rule_id)
        if value is None or named is None or value in named:
            yield constraint


def _rate(value: Value | None) -> Fraction | None:
    """Return a rate, also where it is one among words to choose from; ``None`` for all else."""
    if isinstance(value, Fraction):
        return value
    try:
        rate = parse_value(Kind.RATE, value)
    except ValueError:
        return None
    return rate if isinstance(rate, Fraction) else None


def _told(
    notices: Iterable[Notice],
    constraint: Constraint,
    change: ElectionChange,
    to: str,
    at: datetime | None,
) -> bool:
    """Return whether an addressee had notice of a change as long before it as the law wants."""
    given = [
        notice.at
        for notice in notices
        if notice.to == to and _announces(notice, change, change.after)
    ]
    if at is None or constraint.minutes is None:
        return any(at is None or moment < at for moment in given)
    return any(at - moment >= timedelta(minutes=constraint.minutes) for moment in given)


def _announces(notice: Notice, change: ElectionChange, value: Value | None) -> bool:
    """Return whether a notice is of a changed rule with that value, however it was written."""
    rule = change.rule
    if notice.rule_id != rule.id:
        return False
    tables = {**rule.at_least_any, **rule.one_of}
    if isinstance(notice.value, str) and notice.value in tables:
        return change.law.rules[tables[notice.value]].value == value
    try:
        return parse_value(rule.kind, notice.value) == value
    except ValueError:
        return False


def spent(notices: Iterable[Notice], changes: Collection[ElectionChange]) -> tuple[Notice, ...]:
    """Return the notices that are spent: of what is now done, and of what was done till now."""
    return tuple(
        notice
        for notice in notices
        if any(
            _announces(notice, change, value)
            for change in changes
            for value in (change.before, change.after)
        )
    )
