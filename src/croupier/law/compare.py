"""Comparison of regulations, rule by rule: side by side, the differences of two, and over time.

Rules are matched by id. Citations are compared only within one regulation. A rule missing from an
excerpt may exist in its law.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from enum import Enum
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.law.model import Amendment, Condition, Constraint, Instrument, Rule, Standing
from croupier.law.standing import rule_standing
from croupier.law.values import Kind
from croupier.law.wording import condition_in_words, constraint_in_words, rule_in_words, stood_in

OVERVIEW: Final[Mapping[str, tuple[str, ...]]] = {
    "Decks": ("decks", "device", "layout.seats"),
    "Cut": (
        "cut.by", "cut.offer_from", "cut.from_ends", "cut.cutting_card_from_back",
        "cut.recut_until", "cut.recut_by",
    ),
    "Burn": ("burn.*",),
    "Deal": ("game", "deal.option", "deal.banker_first", "deal.unwagered_hand", "curator.deals"),
    "Wagers": ("wagers.tender", "wagers.*offered", "wagers.bonus.on", "wagers.bonus.needs_base"),
    "Odds": (
        "wagers.*.pays", "wagers.*.pays_on_six", "wagers.*.on_dragon_7", "wagers.bonus.paytable",
        "wagers.*.awards",
    ),
    "Vigorish": (
        "vigorish.scheme", "vigorish.*_percent", "vigorish.commission", "vigorish.tie_rate",
        "vigorish.*.rounds_to", "vigorish.collection",
    ),
    "Settlement": (
        "settlement.order", "settlement.rounds_to", "settlement.rounding", "discard.place",
    ),
    "Irregularities": ("irregularity.*",),
}  # fmt: skip
"""Key rules of baccarat by group."""


class ComparedRule(Struct, frozen=True):
    group: str
    id: str
    title: str
    cells: tuple[Rule | None, ...]


def overview(texts: Sequence[Instrument]) -> tuple[ComparedRule, ...]:
    """Rows for each key rule of at least one text, by group."""
    names = _names(texts)
    return tuple(
        _row(group, rule_id, texts)
        for group, patterns in OVERVIEW.items()
        for pattern in patterns
        for rule_id in names
        if fnmatchcase(rule_id, pattern)
    )


def rows_below(
    texts: Sequence[Instrument], prefixes: Collection[str] = ()
) -> tuple[ComparedRule, ...]:
    """Rows for each rule below a name such as ``wagers.bonus``, by family."""
    return tuple(
        _row(rule_id.partition(".")[0], rule_id, texts)
        for rule_id in _names(texts)
        if is_below(rule_id, prefixes)
    )


def is_below(rule_id: str, names: Collection[str]) -> bool:
    """Return whether an id has one of the names, or no name is given.

    >>> is_below("notice.vigorish", ["vigorish"]), is_below("wagers.tie.pays", ["wagers.bonus"])
    (True, False)
    """
    return not names or any(f".{name.strip('.')}." in f".{rule_id}." for name in names)


def _names(texts: Sequence[Instrument]) -> tuple[str, ...]:
    by_size = sorted(texts, key=lambda text: -len(text.rules))
    rule_ids = dict.fromkeys(rule_id for text in by_size for rule_id in text.rules)
    families: dict[str, list[str]] = {}
    for rule_id in rule_ids:
        families.setdefault(rule_id.partition(".")[0], []).append(rule_id)
    return tuple(rule_id for family in families.values() for rule_id in family)


def _row(group: str, rule_id: str, texts: Sequence[Instrument]) -> ComparedRule:
    cells = tuple(text.rules.get(rule_id) for text in texts)
    titles = Counter(rule.title for rule in cells if rule is not None)
    return ComparedRule(group, rule_id, titles.most_common(1)[0][0], cells)


def cell_in_words(rule: Rule) -> str:
    """Return a rule's value or choices in short, and the chooser if not the licensee."""
    if rule.value is not None or rule.kind is Kind.PROCEDURE:
        return stood_in(rule) + rule_in_words(rule)
    chooser = "" if rule.by == "licensee" else f"{rule.by}: "
    return stood_in(rule) + chooser + rule.left_open


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
    """A difference of a rule or constraint; a side is ``None`` if a text, or excerpt, lacks it."""

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
        kinds = frozenset(only) or frozenset(ChangeKind)
        groups = {
            change: tuple(one for one in self.differences if one.change is change)
            for change in ChangeKind
            if change in kinds
        }
        return {change: differences for change, differences in groups.items() if differences}


def compare_texts(first: Instrument, second: Instrument) -> RegulationDiff:
    of_rules = [*_rules_of_one_text(first, second), *_rules_of_both(first, second)]
    changed = {rule.id for rule in of_rules}
    equal_count = sum(
        rule.id in second.rules and rule.id not in changed and rule.standing is None
        for rule in first.rules.values()
    )
    differences = [*of_rules, *_constraint_differences(first, second)]
    order = list(ChangeKind)
    differences.sort(key=lambda difference: order.index(difference.change))
    return RegulationDiff(first, second, tuple(differences), equal_count)


def _rules_of_one_text(first: Instrument, second: Instrument) -> Iterator[RuleDifference]:
    for change, law, other in (
        (ChangeKind.REMOVED, first, second),
        (ChangeKind.ADDED, second, first),
    ):
        for rule in law.rules.values():
            if rule.id not in other.rules:
                condition = f" ({_when(rule, law)})" if rule.applies_when else ""
                text = stood_in(rule) + rule_in_words(rule) + condition
                side = Side(text, rule.cites, rule_standing(law, rule))
                old_side, new_side = (side, None) if change is ChangeKind.REMOVED else (None, side)
                yield RuleDifference(rule.id, rule.title, change, old_side, new_side, other.partial)


def _rules_of_both(first: Instrument, second: Instrument) -> Iterator[RuleDifference]:
    for old in first.rules.values():
        if (new := second.rules.get(old.id)) is not None:
            for change, old_words, new_words in _changes(old, first, new, second):
                yield RuleDifference(
                    old.id,
                    old.title,
                    change,
                    Side(old_words, old.cites, rule_standing(first, old)),
                    Side(new_words, new.cites, rule_standing(second, new)),
                )


def _changes(
    old: Rule, first: Instrument, new: Rule, second: Instrument
) -> Iterator[tuple[ChangeKind, str, str]]:
    # The same text omits the same things on another day; different texts do not agree by omission.
    is_standing_at_issue = old.standing is not None or new.standing is not None
    if is_standing_at_issue and (first.id != second.id or old.standing is not new.standing):
        old_words, new_words = (stood_in(rule) + _value_in_words(rule) for rule in (old, new))
        yield ChangeKind.SUBSTITUTE, old_words, new_words
        return
    if old.value != new.value:
        yield ChangeKind.VALUE, _value_in_words(old), _value_in_words(new)
    elif dict(old.value_by_reading) != dict(new.value_by_reading):
        yield ChangeKind.READING, _value_in_words(old), _value_in_words(new)
    elif old.does != new.does:
        yield ChangeKind.PROCEDURE, rule_in_words(old), rule_in_words(new)
    elif _left_open(old, first) != _left_open(new, second):
        yield ChangeKind.CHOICES, rule_in_words(old), rule_in_words(new)
    elif first.id == second.id and old.default != new.default:
        # Texts of different laws have defaults of their own.
        yield ChangeKind.CHOICES, _with_default(old), _with_default(new)
    if _comparable(old.applies_when) != _comparable(new.applies_when):
        yield ChangeKind.CONDITION, _when(old, first), _when(new, second)
    yield from _moved(old, first, new, second)


def _value_in_words(rule: Rule) -> str:
    readings = (
        f"; under the reading {name}: {rule.written(value)}"
        for name, value in rule.value_by_reading.items()
    )
    return rule_in_words(rule) + "".join(readings)


def _with_default(rule: Rule) -> str:
    default = "none" if rule.default is None else rule.written(rule.read(rule.default))
    return f"{rule_in_words(rule)}; default: {default}"


def _left_open(rule: Rule, law: Instrument) -> object:
    tables = (
        {name: law.rules[table].value for name, table in tables.items()}
        for tables in (rule.at_least_any, rule.one_of)
    )
    return rule.kind, rule.by, set(rule.choices), rule.at_least, rule.between, *tables


def _comparable(condition: Condition) -> object:
    return {rule_id: set(values) for rule_id, values in condition.items()}


def _when(rule: Rule, law: Instrument) -> str:
    return f"when {condition_in_words(rule.applies_when, law)}" if rule.applies_when else "always"


def _moved(
    old: Rule | Constraint, first: Instrument, new: Rule | Constraint, second: Instrument
) -> Iterator[tuple[ChangeKind, str, str]]:
    if first.id != second.id:
        return
    sides = ((old, first), (new, second))
    places = [tuple(dict.fromkeys(map(law.speak, rule.cites))) for rule, law in sides]
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
            for change, old_words, new_words in _moved(old, first, new, second):
                both_sides = Side(old_words, old.cites), Side(new_words, new.cites)
                yield RuleDifference(name, old.says, change, *both_sides)


def _constraint_side(constraint: Constraint | None, law: Instrument) -> Side | None:
    if constraint is None:
        return None
    return Side(constraint_in_words(constraint, law), constraint.cites)


def _ties(one: Constraint) -> object:
    conditions = _comparable(one.when), _comparable(one.then)
    counts = dict(one.at_least), dict(one.at_most), dict(one.multiple_of)
    scope = set(one.rules), one.minutes, set(one.to), one.beside, one.across, one.moment
    return one.kind, *conditions, *counts, *scope


_DAY = timedelta(days=1)


class Day(Struct, frozen=True):
    """A day of change, with the text ``held``; no ``amendments`` if texts give only the day."""

    on: date
    amendments: tuple[Amendment, ...]
    held: Instrument | None


class Span(Struct, frozen=True):
    """Consecutive days with the same included text, or none; open at ``None``."""

    first: date | None
    last: date | None
    text: Instrument | None


class History(Struct, frozen=True):
    id: str
    days: tuple[Day, ...]
    spans: tuple[Span, ...]


def history(texts: Sequence[Instrument]) -> History:
    in_order = sorted(texts, key=lambda text: text.in_force_from)
    amended = sorted({day for text in in_order for day in text.amended})
    days = []
    for day in amended:
        held = (text for text in in_order if text.in_force_from <= day <= text.in_force_known)
        days.append(Day(day, _amendments_of(day, in_order), next(held, None)))
    return History(in_order[0].id, tuple(days), _spans(in_order))


def _amendments_of(day: date, texts: Sequence[Instrument]) -> tuple[Amendment, ...]:
    latest = texts[-1].citation
    amended = [
        replace(
            one,
            sections=tuple((text.citation + each).removeprefix(latest) for each in one.sections),
        )
        for text in texts
        for one in text.amendments
        if one.on == day
    ]
    attributed = tuple(dict.fromkeys(one for one in amended if one.by or one.note))
    sections = {section for amendment in attributed for section in amendment.sections}
    rest = dict.fromkeys(
        section for one in amended for section in one.sections if section not in sections
    )
    return (*attributed, Amendment(day, tuple(rest))) if rest else attributed


def _spans(texts: Sequence[Instrument]) -> tuple[Span, ...]:
    spans = [Span(None, texts[0].in_force_from - _DAY, None)]
    for text in texts:
        after = spans[-1].last
        if after is not None and text.in_force_from - after > _DAY:
            spans.append(Span(after + _DAY, text.in_force_from - _DAY, None))
        spans.append(Span(text.in_force_from, text.in_force_known, text))
    return (*spans, Span(texts[-1].in_force_known + _DAY, None, None))
