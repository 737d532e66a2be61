"""Commented rules submissions with every election, its choices, defaults, and clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from croupier.files.toml import toml_key, toml_value
from croupier.law.checklist import unsupported
from croupier.law.model import Condition, Instrument, Rule
from croupier.law.usage import currency_in_use
from croupier.law.wording import comment
from croupier.rules.drafting import choices_of, default_of, offered_when
from croupier.rules.submission import Limit
from croupier.rules.table import TableRules

SCHEMA_FILE: Final = "rules-submission.schema.json"
"""JSON Schema file next to a submission."""


def template(rules: TableRules, schema: str = SCHEMA_FILE) -> str:
    """Submission of those rules with every other choice as a comment.

    ``schema`` is the path or address of the JSON Schema for editors.
    """
    return "\n".join((*_head(rules, schema), *_elections(rules), *_readings(rules), *_rest(rules)))


def _head(rules: TableRules, schema: str) -> Iterator[str]:
    law = rules.law
    yield f"#:schema {schema}"
    yield from comment(
        f"Rules submission for {law.title} ({law.id}), as of {law.in_force_from}: every election, "
        "with its choices, its default, and its clauses."
    )
    yield "#"
    yield from comment(
        'A line that begins with "# " explains. A line that begins with "#" and a name is another '
        'choice: to take it, remove its "#" and put one in front of the line that it replaces. '
        "Then check the file with: croupier check FILE"
    )
    yield from ("", "[submission]")
    yield f"law = {toml_value(law.id)}"
    yield f"on = {rules.submission.on}"
    yield f"title = {toml_value(rules.submission.title)}"
    if rules.submission.drawing_table:
        yield f"drawing_table = {toml_value(rules.submission.drawing_table)}"


def _elections(rules: TableRules) -> Iterator[str]:
    yield from ("", "[elections]")
    for rule in rules.law.elections:
        yield ""
        yield from comment(f"{rule.title}.")
        if not choices_of(rule) or rule.at_least_any:
            yield from comment(f"{rule.left_open[0].upper()}{rule.left_open[1:]}.")
        yield from comment(f"[{', '.join(rule.cites)}]")
        if rule.applies_when:
            yield from comment(f"Only with {condition_text(rules.law, rule.applies_when)}.")
        yield from _choices(rules, rule)


def _choices(rules: TableRules, rule: Rule) -> Iterator[str]:
    elected = rules.submission.elections.get(rule.id)
    default = default_of(rule)
    known = [*choices_of(rule)] or [default]
    if elected is not None and elected not in known:
        known.insert(0, elected)
    key = ".".join(map(toml_key, key_of(rules.law, rule.id)))
    for choice in known:
        clauses = clauses_of_choice(rules.law, rule, choice)
        notes = ["the default"] if choice == default and rule.default is not None else []
        notes += [", ".join(clauses)] if clauses else []
        note = f"  # {'; '.join(notes)}" if notes else ""
        yield f"{'' if choice == elected else '#'}{key} = {toml_value(choice)}{note}"
    if rule.at_least_any and not isinstance(elected, Mapping):
        table = rules.law.rules[next(iter(rule.at_least_any.values()))].value
        if isinstance(table, Mapping):
            own = {line: str(odds) for line, odds in table.items()}
            yield f"#{key} = {toml_value(own)}  # line by line"


def clauses_of_choice(law: Instrument, rule: Rule, choice: Any) -> tuple[str, ...]:
    """Return a choice's own clauses, if any.

    >>> from croupier.law.resolve import resolve
    >>> law = resolve("us-nj/minibaccarat", on="latest")
    >>> clauses_of_choice(law, law.rules["vigorish.scheme"], "4%")
    ('NJ-MINI:7.3(c)#2',)
    """
    tables = {**rule.at_least_any, **rule.one_of}
    if isinstance(choice, str) and choice in tables:
        return law.rules[tables[choice]].cites
    written = str(choice).lower() if isinstance(choice, bool) else str(choice)
    return rule.cites_by.get(written, ())


def _readings(rules: TableRules) -> Iterator[str]:
    law = rules.law
    found = [
        entry
        for entry in law.register.values()
        if entry.readings and entry.about(law.key, law.rules)
    ]
    if not found:
        return
    yield ""
    yield from comment(
        "Readings of what the regulation leaves in doubt. The default applies unless another is "
        "named."
    )
    yield "[interpretations]"
    for entry in found:
        yield ""
        yield from comment(f"{entry.title}: {entry.problem}")
        if entry.acknowledge:
            yield from comment("It applies only if you name it: keep this line to acknowledge it.")
        for name, says in entry.readings.items():
            yield from comment(f"{name}: {says}")
        elected = rules.submission.readings.get(entry.id)
        for name in entry.readings:
            note = "  # the default" if name == entry.reading and not entry.acknowledge else ""
            yield f"{'' if name == elected else '#'}{entry.id} = {toml_value(name)}{note}"


def _rest(rules: TableRules) -> Iterator[str]:
    layout = rules.submission.layout
    yield from ("", "[table]")
    yield from comment("Number of seats.")
    yield f"seats = {layout.seats}"
    yield from comment("Direction of the seat numbers, seen from above.")
    for direction in ("counterclockwise", "clockwise"):
        off = "" if direction == layout.numbering else "#"
        yield f"{off}numbering = {toml_value(direction)}"
    yield from comment("The number or name of the pit, and of the table.")
    yield f"pit = {toml_value(layout.pit)}"
    yield f"table = {toml_value(layout.table)}"
    limits = rules.submission.limits or {}
    if limits:
        yield ""
        yield from comment(
            f"The minimum and the maximum of each wager, in {rules.law.currency.unit}: "
            f"{rules.law.currency.pairs}."
        )
        yield "[limits]"
        for wager in rules.wagers.values():
            yield from _limit_lines(rules, wager.id, limits.get(wager.id))
    if clauses := unsupported(rules.law):
        yield ""
        yield from comment("Clauses that the program does not carry out.")
        yield "[unsupported]"
        for clause in clauses:
            yield from comment(f"{clause.id}: {clause.says}: {clause.reason}")
        yield f"by_hand = {toml_value([*rules.submission.unsupported])}"
    yield ""


def _limit_lines(rules: TableRules, wager_id: str, limit: Limit | None) -> Iterator[str]:
    if limit is not None:
        yield f"{wager_id} = {toml_value([_amount(limit.min_cents), _amount(limit.max_cents)])}"
        return
    wager = rules.wagers[wager_id]
    condition = offered_when(rules.law, wager)
    is_fixed = f"{wager.offered_by}.stake" in rules.law.rules
    if condition and wager_id not in rules.offers and not is_fixed:
        yield f"#{wager_id} = [5, 500]  # only with {condition_text(rules.law, condition)}"


def condition_text(law: Instrument, condition: Condition) -> str:
    """Condition in the words of a submission.

    >>> from croupier.law.resolve import resolve
    >>> law = resolve("us-nj/minibaccarat", on="latest")
    >>> condition_text(law, {"vigorish.scheme": ("5%", "4%"), "device": ("none",)})
    'vigorish.scheme = 5% or 4%, and device = none'
    """
    return ", and ".join(
        f"{name} = {' or '.join(map(law.rules[name].written, values))}"
        for name, values in condition.items()
    )


def key_of(law: Instrument, rule_id: str) -> tuple[str, ...]:
    """Parts of an election's key, below ``[elections]``.

    An id that begins with another election is a key of its own, in quotes.

    >>> from croupier.law.resolve import resolve
    >>> law = resolve("us-nj/minibaccarat", on="latest")
    >>> key_of(law, "wagers.tie.pays"), key_of(law, "device.approval")
    (('wagers', 'tie', 'pays'), ('device.approval',))
    """
    above = {rule_id[: match.start()] for match in re.finditer(r"\.", rule_id)}
    if above.isdisjoint(election.id for election in law.elections):
        return tuple(rule_id.split("."))
    return (rule_id,)


def _amount(cents: int) -> int | str:
    currency = currency_in_use()
    whole, rest = divmod(cents, currency.minor)
    return currency.plain(cents) if rest else whole
