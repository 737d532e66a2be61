"""Drafts of rules submissions: defaults adapted to the choices made, and commented files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import zip_longest
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.baccarat.wagers import BANKER, PLAYER, Wager
from croupier.files.toml import toml_key, toml_value
from croupier.law.contracts import MOST_DECKS, implemented_order
from croupier.law.elect import by_hand
from croupier.law.interpretations import acknowledged
from croupier.law.model import Condition, Instrument, Rule
from croupier.law.usage import currency_in_use
from croupier.law.values import Kind, Value
from croupier.law.wording import comment
from croupier.rules.build import table_rules
from croupier.rules.offers import Offer
from croupier.rules.submission import MOST_SEATS, Limit, Submission, TableLayout, fitting
from croupier.rules.table import TableRules, as_elected

__all__ = [
    "SubmissionDraft", "as_elected", "choices_of", "clauses_of_choice", "condition_text",
    "default_of", "draft_rules", "key_of", "offered_when", "opening_limit", "template",
]  # fmt: skip

_SEATS: Final = "layout.seats"

_ROUNDS: Final = 20
"""More corrections than any regulation's constraints need."""

_BASE_CENTS: Final = (25_00, 5_000_00)
_OTHER_CENTS: Final = (5_00, 500_00)
"""Draft limits for wagers other than the base wagers."""


class SubmissionDraft(Struct, frozen=True):
    """Choices for a new submission; everything else takes its default.

    ``elections`` are by rule id, ``limits`` by wager.
    """

    law: Instrument
    elections: Mapping[str, Any]
    readings: Mapping[str, str]
    limits: Mapping[str, Limit]
    title: str = ""
    seats: int | None = None
    layout: TableLayout = field(default_factory=TableLayout)


def draft_rules(draft: SubmissionDraft) -> TableRules:
    """Rules of a draft: the choices, what they require, and the defaults.

    A default in conflict with a choice is changed if possible.
    """
    law = draft.law
    defaults: dict[str, Any] = {rule.id: default_of(rule) for rule in law.elections}
    needs = _needs(law, draft.elections)
    for name, values in needs.items():
        allowed = [as_elected(law.rules[name], value) for value in values]
        if allowed and defaults[name] not in allowed:
            defaults[name] = allowed[0]
    names = defaults.keys() - draft.elections.keys()
    names |= {_SEATS} if draft.seats is None else set()
    seats = draft.layout.seats if draft.seats is None else draft.seats
    for _ in range(_ROUNDS):
        elections = fitting(law, defaults, draft.elections)
        change = _correction(law, _settled(law, elections, seats), names, needs)
        if change is None:
            break
        name, value = change
        if name == _SEATS:
            seats = int(str(value))
        else:
            defaults[name] = as_elected(law.rules[name], value)
    submission = Submission(
        law.id,
        law.in_force_from,
        draft.title or law.title,
        fitting(law, defaults, draft.elections),
        replace(draft.layout, seats=seats),
        None,
        {**acknowledged(law), **draft.readings},
        unsupported=by_hand(law),
    )
    offers = table_rules(submission).offers
    opening = {name: opening_limit(offer) for name, offer in offers.items() if offer.limit is None}
    return table_rules(replace(submission, limits={**opening, **draft.limits}))


def opening_limit(offer: Offer) -> Limit:
    """Ordinary limits for a wager, with a minimum that pays and charges exact cents."""
    base = offer.wager.id in {PLAYER.id, BANKER.id}
    minimum, maximum = _BASE_CENTS if base else _OTHER_CENTS
    minimum = max(minimum, offer.floor_cents)
    minimum += -minimum % offer.unit_cents
    return Limit(minimum, max(minimum, maximum))


def default_of(rule: Rule) -> Any:
    """Return an election's default as written, else its first choice, a flag's being false.

    Text needs completion.
    """
    if rule.default is not None:
        return rule.default
    if choices := choices_of(rule):
        return choices[-1 if rule.kind is Kind.FLAG else 0]
    minimum = rule.at_least if rule.between is None else rule.between[0]
    if minimum is not None:
        return as_elected(rule, minimum)
    placeholder = f"To be filled in: {rule.title[0].lower()}{rule.title[1:]}"
    if rule.kind is Kind.ORDER:
        return implemented_order(rule.id) or [placeholder]
    if rule.kind is Kind.AWARDS:
        return as_elected(rule, dict.fromkeys((PLAYER.id, BANKER.id), 10 * _BASE_CENTS[1]))
    return placeholder


def offered_when(law: Instrument, wager: Wager) -> Condition | None:
    """Elections that put a wager on the layout; ``None`` if it never is.

    >>> from croupier.baccarat.wagers import WAGERS
    >>> from croupier.law.resolve import resolve
    >>> law = resolve("us-nj/minibaccarat", on="latest")
    >>> offered_when(law, WAGERS["six_cards"]), offered_when(law, WAGERS["panda_8"])
    ({'wagers.total_cards.offered': (True,)}, None)
    """
    rules = law.rules
    if wager.offered_by not in rules or wager.paid_by not in rules:
        return None
    condition = {**rules[wager.offered_by].applies_when, **rules[wager.paid_by].applies_when}
    for name, choice in wager.unless.items():
        if name in rules and rules[name].value == choice:
            return None
        if name in rules and rules[name].choices:
            condition[name] = tuple(value for value in rules[name].choices if value != choice)
    return condition


def choices_of(rule: Rule) -> tuple[Any, ...]:
    """Return all choices of a rule as a submission writes them; empty for an open one.

    >>> choices_of(Rule("wagers.tie.offered", Kind.FLAG, "", ()))
    (True, False)
    """
    if rule.kind is Kind.FLAG:
        return (True, False)
    if tables := (*rule.at_least_any, *rule.one_of):
        return tables
    return tuple(as_elected(rule, choice) for choice in rule.choices)


def _needs(law: Instrument, names: Iterable[str]) -> dict[str, tuple[Value, ...]]:
    needs: dict[str, tuple[Value, ...]] = {}
    queue = list(names)
    while queue:
        rule = law.rules.get(queue.pop())
        for name, values in ({} if rule is None else rule.applies_when).items():
            if law.rules[name].is_election:
                allowed = needs.get(name, values)
                needs[name] = tuple(value for value in allowed if value in values)
                queue.append(name)
    return needs


def _settled(law: Instrument, elections: Mapping[str, Any], seats: int) -> dict[str, Value]:
    values = {rule.id: rule.value for rule in law.rules.values() if rule.value is not None}
    values[_SEATS] = seats
    for name, raw in elections.items():
        if name in law.rules:
            with suppress(ValueError):
                values[name] = law.read(name, raw)
    return values


def _correction(
    law: Instrument, values: Mapping[str, Value], names: AbstractSet[str], needs: Condition
) -> tuple[str, Value] | None:
    for tie in law.constraints:
        if not tie.is_broken(values):
            continue
        rule_ids = (*tie.then, *tie.at_least, *tie.at_most, *tie.multiple_of, *tie.when)
        candidates = [
            (name, value)
            for name in dict.fromkeys(rule_ids)
            if name in names and name in values
            for value in _options(law.rules[name], values[name])
            if value in needs.get(name, (value,)) and not tie.is_broken({**values, name: value})
        ]
        if candidates:
            changed = [{**values, name: value} for name, value in candidates]
            counts = [sum(tie.is_broken(after) for tie in law.constraints) for after in changed]
            return candidates[counts.index(min(counts))]
    return None


def _options(rule: Rule, now: Value) -> list[Value]:
    if rule.values or not isinstance(now, int):
        return list(rule.values)
    floor = rule.at_least if isinstance(rule.at_least, int) else 1
    cap = MOST_SEATS if rule.id == _SEATS else MOST_DECKS
    if rule.between is not None:
        floor, cap = (int(str(bound)) for bound in rule.between)
    lower, higher = range(min(now, cap), floor - 1, -1), range(max(now + 1, floor), cap + 1)
    return [number for pair in zip_longest(lower, higher) for number in pair if number is not None]


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
    choices = [*choices_of(rule)] or [default]
    if elected is not None and elected not in choices:
        choices.insert(0, elected)
    key = ".".join(map(toml_key, key_of(rules.law, rule.id)))
    for choice in choices:
        clauses = clauses_of_choice(rules.law, rule, choice)
        notes = ["the default"] if choice == default and rule.default is not None else []
        notes += [", ".join(clauses)] if clauses else []
        note = f"  # {'; '.join(notes)}" if notes else ""
        yield f"{'' if choice == elected else '#'}{key} = {toml_value(choice)}{note}"
    if rule.at_least_any and not isinstance(elected, Mapping):
        table = rules.law.rules[next(iter(rule.at_least_any.values()))].value
        if isinstance(table, Mapping):
            odds_table = {line: str(odds) for line, odds in table.items()}
            yield f"#{key} = {toml_value(odds_table)}  # line by line"


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
    text = str(choice).lower() if isinstance(choice, bool) else str(choice)
    return rule.cites_by.get(text, ())


def _readings(rules: TableRules) -> Iterator[str]:
    entries = [entry for entry in rules.law.concerned.values() if entry.readings]
    if not entries:
        return
    yield ""
    yield from comment(
        "Readings of what the regulation leaves in doubt. The default applies unless another is "
        "named."
    )
    yield "[interpretations]"
    for entry in entries:
        yield ""
        yield from comment(f"{entry.title}: {entry.problem}")
        if entry.acknowledge:
            yield from comment("It applies only if you name it: keep this line to acknowledge it.")
        for name, text in entry.readings.items():
            yield from comment(f"{name}: {text}")
        reading = rules.submission.readings.get(entry.id)
        for name in entry.readings:
            note = "  # the default" if name == entry.reading and not entry.acknowledge else ""
            yield f"{'' if name == reading else '#'}{entry.id} = {toml_value(name)}{note}"


def _rest(rules: TableRules) -> Iterator[str]:
    layout = rules.submission.layout
    yield from ("", "[table]")
    yield from comment("Number of seats.")
    yield f"seats = {layout.seats}"
    yield from comment("Direction of the seat numbers, seen from above.")
    for direction in ("counterclockwise", "clockwise"):
        mark = "" if direction == layout.numbering else "#"
        yield f"{mark}numbering = {toml_value(direction)}"
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
    if clauses := rules.law.unsupported:
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
        bounds = toml_value([*map(_amount, _OTHER_CENTS)])
        yield f"#{wager_id} = {bounds}  # only with {condition_text(rules.law, condition)}"


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
    prefixes = {rule_id[: match.start()] for match in re.finditer(r"\.", rule_id)}
    if prefixes.isdisjoint(election.id for election in law.elections):
        return tuple(rule_id.split("."))
    return (rule_id,)


def _amount(cents: int) -> int | str:
    currency = currency_in_use()
    whole, rest = divmod(cents, currency.minor)
    return currency.plain(cents) if rest else whole
