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
    plain: dict[str, Any] = {rule.id: default_of(rule) for rule in law.elections}
    needs = _needs(law, draft.elections)
    for name, values in needs.items():
        able = [as_elected(law.rules[name], one) for one in values]
        if able and plain[name] not in able:
            plain[name] = able[0]
    free = plain.keys() - draft.elections.keys()
    free |= {_SEATS} if draft.seats is None else set()
    seats = draft.layout.seats if draft.seats is None else draft.seats
    for _ in range(_ROUNDS):
        elections = fitting(law, plain, draft.elections)
        change = _correction(law, _settled(law, elections, seats), free, needs)
        if change is None:
            break
        name, value = change
        if name == _SEATS:
            seats = int(str(value))
        else:
            plain[name] = as_elected(law.rules[name], value)
    submission = Submission(
        law.id,
        law.in_force_from,
        draft.title or law.title,
        fitting(law, plain, draft.elections),
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
    least, most = _BASE_CENTS if base else _OTHER_CENTS
    least = max(least, offer.floor_cents)
    least += -least % offer.unit_cents
    return Limit(least, max(least, most))


def default_of(rule: Rule) -> Any:
    """Return an election's default as written, else its first choice, a flag's being false.

    Text needs completion.
    """
    if rule.default is not None:
        return rule.default
    if choices := choices_of(rule):
        return choices[-1 if rule.kind is Kind.FLAG else 0]
    least = rule.at_least if rule.between is None else rule.between[0]
    if least is not None:
        return as_elected(rule, least)
    open_text = f"To be filled in: {rule.title[0].lower()}{rule.title[1:]}"
    if rule.kind is Kind.ORDER:
        return implemented_order(rule.id) or [open_text]
    if rule.kind is Kind.AWARDS:
        return as_elected(rule, dict.fromkeys((PLAYER.id, BANKER.id), 10 * _BASE_CENTS[1]))
    return open_text


def offered_when(law: Instrument, wager: Wager) -> Condition | None:
    """Elections that put a wager on the layout; ``None`` if it never is.

    >>> from croupier.baccarat.wagers import WAGERS
    >>> from croupier.law.resolve import resolve
    >>> law = resolve("us-nj/minibaccarat", on="latest")
    >>> offered_when(law, WAGERS["six_cards"]), offered_when(law, WAGERS["panda_8"])
    ({'wagers.total_cards.offered': (True,)}, None)
    """
    held = law.rules
    if wager.offered_by not in held or wager.paid_by not in held:
        return None
    condition = {**held[wager.offered_by].applies_when, **held[wager.paid_by].applies_when}
    for name, choice in wager.unless.items():
        if name in held and held[name].value == choice:
            return None
        if name in held and held[name].choices:
            condition[name] = tuple(one for one in held[name].choices if one != choice)
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


def _needs(law: Instrument, chosen: Iterable[str]) -> dict[str, tuple[Value, ...]]:
    needs: dict[str, tuple[Value, ...]] = {}
    waiting = list(chosen)
    while waiting:
        rule = law.rules.get(waiting.pop())
        for name, values in ({} if rule is None else rule.applies_when).items():
            if law.rules[name].is_election:
                able = needs.get(name, values)
                needs[name] = tuple(one for one in able if one in values)
                waiting.append(name)
    return needs


def _settled(law: Instrument, elections: Mapping[str, Any], seats: int) -> dict[str, Value]:
    settled = {rule.id: rule.value for rule in law.rules.values() if rule.value is not None}
    settled[_SEATS] = seats
    for name, raw in elections.items():
        if name in law.rules:
            with suppress(ValueError):
                settled[name] = law.read(name, raw)
    return settled


def _correction(
    law: Instrument, settled: Mapping[str, Value], free: AbstractSet[str], needs: Condition
) -> tuple[str, Value] | None:
    for tie in law.constraints:
        if not tie.is_broken(settled):
            continue
        named = (*tie.then, *tie.at_least, *tie.at_most, *tie.multiple_of, *tie.when)
        able = [
            (name, value)
            for name in dict.fromkeys(named)
            if name in free and name in settled
            for value in _options(law.rules[name], settled[name])
            if value in needs.get(name, (value,)) and not tie.is_broken({**settled, name: value})
        ]
        if able:
            changed = [{**settled, name: value} for name, value in able]
            broken = [sum(tie.is_broken(after) for tie in law.constraints) for after in changed]
            return able[broken.index(min(broken))]
    return None


def _options(rule: Rule, now: Value) -> list[Value]:
    if rule.values or not isinstance(now, int):
        return list(rule.values)
    least = rule.at_least if isinstance(rule.at_least, int) else 1
    most = MOST_SEATS if rule.id == _SEATS else MOST_DECKS
    if rule.between is not None:
        least, most = (int(str(bound)) for bound in rule.between)
    below, above = range(min(now, most), least - 1, -1), range(max(now + 1, least), most + 1)
    return [one for pair in zip_longest(below, above) for one in pair if one is not None]


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
    found = [entry for entry in rules.law.concerned.values() if entry.readings]
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
    above = {rule_id[: match.start()] for match in re.finditer(r"\.", rule_id)}
    if above.isdisjoint(election.id for election in law.elections):
        return tuple(rule_id.split("."))
    return (rule_id,)


def _amount(cents: int) -> int | str:
    currency = currency_in_use()
    whole, rest = divmod(cents, currency.minor)
    return currency.plain(cents) if rest else whole
