"""Differences between two regulation texts, rule by rule.

Rules are matched by id. Citations are compared only within one regulation. A rule missing from an
excerpt may exist in its law.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from msgspec import Struct

from croupier.law.model import Condition, Constraint, Instrument, Rule, Standing
from croupier.law.standing import rule_standing
from croupier.law.wording import condition_in_words, constraint_in_words, rule_in_words, stood_in


class ChangeKind(Enum):
    """Kinds of difference of a rule or constraint between two texts."""

    VALUE = "value"
    """Settled in one text, and differently or not in the other."""
    PROCEDURE = "procedure"
    """Different procedures."""
    READING = "reading"
    """Settled alike; one text has an alternative reading."""
    CHOICES = "choices"
    """Open in both, with different choices, bounds, or choosers."""
    CONDITION = "condition"
    """Different conditions."""
    CITES = "cites"
    """Different citations in the same regulation."""
    SUBSTITUTE = "substitute"
    """Missing from a text that has a substitute."""
    CONSTRAINT = "constraint"
    """A constraint of one text, or one that binds differently."""
    REMOVED = "removed"
    """Only the first text has the rule."""
    ADDED = "added"
    """Only the second text has the rule."""


class Side(Struct, frozen=True):
    says: str
    clauses: tuple[str, ...]
    standing: Standing = Standing.TEXT


class RuleDifference(Struct, frozen=True):
    """One difference of a rule or constraint; a side is ``None`` if a text lacks it.

    If that text is an ``excerpt``, its law is unknown.
    """

    id: str
    title: str
    change: ChangeKind
    first: Side | None
    second: Side | None
    excerpt: bool = False


class RegulationDiff(Struct, frozen=True):
    """Two texts, their differences, and the number of rules ``alike`` in both."""

    first: Instrument
    second: Instrument
    differences: tuple[RuleDifference, ...]
    alike: int

    def by_change(
        self, only: Iterable[ChangeKind] = ()
    ) -> Mapping[ChangeKind, tuple[RuleDifference, ...]]:
        wanted = frozenset(only) or frozenset(ChangeKind)
        found = {
            change: tuple(one for one in self.differences if one.change is change)
            for change in ChangeKind
            if change in wanted
        }
        return {change: differences for change, differences in found.items() if differences}


def compare_texts(first: Instrument, second: Instrument) -> RegulationDiff:
    of_rules = [*_rules_of_one_text(first, second), *_rules_of_both(first, second)]
    changed = {rule.id for rule in of_rules}
    alike = sum(
        rule.id in second.rules and rule.id not in changed and rule.standing is None
        for rule in first.rules.values()
    )
    differences = [*of_rules, *_constraint_differences(first, second)]
    order = list(ChangeKind)
    differences.sort(key=lambda difference: order.index(difference.change))
    return RegulationDiff(first, second, tuple(differences), alike)


def _rules_of_one_text(first: Instrument, second: Instrument) -> Iterator[RuleDifference]:
    for change, law, other in (
        (ChangeKind.REMOVED, first, second),
        (ChangeKind.ADDED, second, first),
    ):
        for rule in law.rules.values():
            if rule.id not in other.rules:
                where = f" ({_when(rule, law)})" if rule.applies_when else ""
                says = stood_in(rule) + rule_in_words(rule) + where
                side = Side(says, rule.cites, rule_standing(law, rule))
                was, now = (side, None) if change is ChangeKind.REMOVED else (None, side)
                yield RuleDifference(rule.id, rule.title, change, was, now, other.partial)


def _rules_of_both(first: Instrument, second: Instrument) -> Iterator[RuleDifference]:
    for old in first.rules.values():
        if (new := second.rules.get(old.id)) is not None:
            for change, was, now in _changes(old, first, new, second):
                yield RuleDifference(
                    old.id,
                    old.title,
                    change,
                    Side(was, old.cites, rule_standing(first, old)),
                    Side(now, new.cites, rule_standing(second, new)),
                )


def _changes(
    old: Rule, first: Instrument, new: Rule, second: Instrument
) -> Iterator[tuple[ChangeKind, str, str]]:
    # The same text omits the same things on another day; different texts do not agree by omission.
    unsaid = old.standing is not None or new.standing is not None
    if unsaid and (first.id != second.id or old.standing is not new.standing):
        was, now = (stood_in(rule) + _value_in_words(rule) for rule in (old, new))
        yield ChangeKind.SUBSTITUTE, was, now
        return
    if old.value != new.value:
        yield ChangeKind.VALUE, _value_in_words(old), _value_in_words(new)
    elif dict(old.value_by_reading) != dict(new.value_by_reading):
        yield ChangeKind.READING, _value_in_words(old), _value_in_words(new)
    elif old.does != new.does:
        yield ChangeKind.PROCEDURE, rule_in_words(old), rule_in_words(new)
    elif _left_open(old, first) != _left_open(new, second):
        yield ChangeKind.CHOICES, rule_in_words(old), rule_in_words(new)
    if _comparable(old.applies_when) != _comparable(new.applies_when):
        yield ChangeKind.CONDITION, _when(old, first), _when(new, second)
    yield from _moved(old, first, new, second)


def _value_in_words(rule: Rule) -> str:
    readings = (
        f"; under the reading {name}: {rule.written(value)}"
        for name, value in rule.value_by_reading.items()
    )
    return rule_in_words(rule) + "".join(readings)


def _left_open(rule: Rule, law: Instrument) -> object:
    tables = (
        {name: law.rules[table].value for name, table in named.items()}
        for named in (rule.at_least_any, rule.one_of)
    )
    return rule.kind, rule.by, set(rule.choices), rule.at_least, rule.between, *tables


def _comparable(condition: Condition) -> object:
    return {rule_id: set(wanted) for rule_id, wanted in condition.items()}


def _when(rule: Rule, law: Instrument) -> str:
    return f"when {condition_in_words(rule.applies_when, law)}" if rule.applies_when else "always"


def _moved(
    old: Rule | Constraint, first: Instrument, new: Rule | Constraint, second: Instrument
) -> Iterator[tuple[ChangeKind, str, str]]:
    if first.id != second.id:
        return
    held = ((old, first), (new, second))
    places = [tuple(dict.fromkeys(map(law.speak, rule.cites))) for rule, law in held]
    if set(places[0]) != set(places[1]):
        yield ChangeKind.CITES, ", ".join(places[0]), ", ".join(places[1])


def _constraint_differences(first: Instrument, second: Instrument) -> Iterator[RuleDifference]:
    before, after = ({one.id: one for one in law.constraints} for law in (first, second))
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        sides = _constraint_side(old, first), _constraint_side(new, second)
        if old is None or new is None:
            title, lacks = {**after, **before}[name].says, first if old is None else second
            yield RuleDifference(name, title, ChangeKind.CONSTRAINT, *sides, lacks.partial)
        elif _ties(old) != _ties(new):
            yield RuleDifference(name, old.says, ChangeKind.CONSTRAINT, *sides)
        else:
            for change, was, now in _moved(old, first, new, second):
                moved = Side(was, old.cites), Side(now, new.cites)
                yield RuleDifference(name, old.says, change, *moved)


def _constraint_side(constraint: Constraint | None, law: Instrument) -> Side | None:
    if constraint is None:
        return None
    return Side(constraint_in_words(constraint, law), constraint.cites)


def _ties(one: Constraint) -> object:
    conditions = _comparable(one.when), _comparable(one.then)
    counts = dict(one.at_least), dict(one.at_most), dict(one.multiple_of)
    reach = set(one.rules), one.minutes, set(one.to), one.beside, one.across, one.moment
    return one.kind, *conditions, *counts, *reach
