"""One-line descriptions of rules and constraints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Final

from croupier.law.model import (
    Condition,
    Constraint,
    ConstraintKind,
    Instrument,
    Rule,
    Standing,
    is_entry,
)
from croupier.law.usage import Usage
from croupier.law.values import Kind

_WIDTH: Final = 98
_IDS: Final = Usage()


def stood_in(rule: Rule) -> str:
    """Prefix such as ``T47 stands in:``, or nothing if the text has the rule."""
    if rule.standing is None:
        return ""
    entries = ", ".join(clause for clause in rule.cites if is_entry(clause))
    return f"{entries} {'stands in' if rule.standing is Standing.SUBSTITUTE else 'decides'}: "


def rule_in_words(rule: Rule, usage: Usage = _IDS) -> str:
    """Return a rule's value, or its open choices and who decides, with a law's names of offices."""
    value = rule.value
    if isinstance(value, Mapping):
        # The rows have the law's own words.
        value = {row: usage.named(c) if isinstance(c, str) else c for row, c in value.items()}
    if value is not None:
        return usage.named(rule.written(value)) if rule.kind is Kind.ORDER else rule.written(value)
    if rule.kind is Kind.PROCEDURE:
        return rule.does or "procedure"
    if rule.by == "layout":
        return f"of the layout: {rule.left_open}"
    return f"{usage.named(rule.by)} elects: {rule.left_open}"


def condition_in_words(condition: Condition, law: Instrument) -> str:
    """Condition in words: ``device = none or shuffler, vigorish.rounded = true``."""
    return ", ".join(
        f"{rule_id} = {' or '.join(map(law.rules[rule_id].written, values))}"
        for rule_id, values in condition.items()
    )


def constraint_in_words(constraint: Constraint, law: Instrument) -> str:
    """Constraint in words, by rule id and value."""
    return ": ".join(_terms(constraint, law))


def _terms(constraint: Constraint, law: Instrument) -> Iterator[str]:
    match constraint.kind:
        case ConstraintKind.REQUIRES | ConstraintKind.EXCLUDES:
            yield f"when {condition_in_words(constraint.when, law)}"
            bounds = [
                *_bounds("at least", constraint.at_least),
                *_bounds("at most", constraint.at_most),
                *_bounds("a multiple of", constraint.multiple_of),
            ]
            terms = [condition_in_words(constraint.then, law)] if constraint.then else []
            excluded = "not " if constraint.kind is ConstraintKind.EXCLUDES else ""
            yield excluded + ", ".join(terms + bounds)
        case ConstraintKind.UNIFORM:
            scope = (
                "at all tables of the licensee" if constraint.across == "licensee" else "in a pit"
            )
            neighbor = f", next to a table of {constraint.beside}" if constraint.beside else ""
            if constraint.when:
                yield f"when {condition_in_words(constraint.when, law)}"
            yield f"alike {scope}{neighbor}"
            yield ", ".join(constraint.rules)
        case ConstraintKind.NOTICE:
            before = "" if constraint.minutes is None else f", {constraint.minutes} minutes before"
            yield f"notice to {' and '.join(constraint.to)}{before}"
            only = condition_in_words(constraint.when, law)
            yield ", ".join(constraint.rules) + (f" (only to {only})" if only else "")
        case ConstraintKind.MOMENT:
            moments = {"round": "after a round", "submission": "with the rules submission alone"}
            yield f"changes {moments[constraint.moment]}"
            yield ", ".join(constraint.rules)


def _bounds(words: str, bounds: Mapping[str, int]) -> list[str]:
    return [f"{rule_id} {words} {bound}" for rule_id, bound in bounds.items()]


def comment(text: str, *before: str) -> Iterator[str]:
    """Yield a text as comment lines of a TOML file, after other lines."""
    yield from before
    for line in wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"# {line}"
