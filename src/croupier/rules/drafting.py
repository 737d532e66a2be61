"""Drafts of rules submissions: default elections adapted to the choices made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import zip_longest
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.baccarat.wagers import BANKER, PLAYER, Wager
from croupier.law.checklist import by_hand
from croupier.law.elect import broken_counts, condition_holds
from croupier.law.interpretations import acknowledged
from croupier.law.model import Condition, Constraint, ConstraintKind, Instrument, Rule
from croupier.law.values import Kind, Value
from croupier.rules.build import MOST_DECKS, table_rules
from croupier.rules.offers import Offer
from croupier.rules.submission import MOST_SEATS, Limit, Submission, TableLayout, fitting
from croupier.rules.table import TableRules

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
    if rule.at_least is not None:
        return as_elected(rule, rule.at_least)
    return f"To be filled in: {rule.title[0].lower()}{rule.title[1:]}"


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
        if name in held:
            condition[name] = tuple(one for one in held[name].choices if one != choice)
    return condition


def as_elected(rule: Rule, value: Value) -> Any:
    """Value of a rule as a submission writes it.

    >>> from fractions import Fraction
    >>> as_elected(Rule("vigorish.rate", Kind.RATE, "", ()), Fraction(1, 20))
    '5%'
    """
    if isinstance(value, tuple) and rule.kind is Kind.ORDER:
        return list(value)
    if isinstance(value, Mapping):
        return {name: as_elected(rule, row) for name, row in value.items()}
    in_cents = rule.kind in {Kind.MONEY, Kind.AWARDS}
    return value if isinstance(value, bool | int | str) and not in_cents else rule.written(value)


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


def _is_broken(tie: Constraint, settled: Mapping[str, Value]) -> bool:
    if not condition_holds(tie.when, settled):
        return False
    if tie.kind is ConstraintKind.EXCLUDES:
        return condition_holds(tie.then, settled)
    unmet = any(settled[name] not in wanted for name, wanted in tie.then.items() if name in settled)
    return unmet or any(broken_counts(tie, settled))


def _correction(
    law: Instrument, settled: Mapping[str, Value], free: AbstractSet[str], needs: Condition
) -> tuple[str, Value] | None:
    ties = [
        constraint
        for constraint in law.constraints
        if constraint.kind in {ConstraintKind.REQUIRES, ConstraintKind.EXCLUDES}
    ]
    for tie in ties:
        if not _is_broken(tie, settled):
            continue
        named = (*tie.then, *tie.at_least, *tie.at_most, *tie.multiple_of, *tie.when)
        able = [
            (name, value)
            for name in dict.fromkeys(named)
            if name in free and name in settled
            for value in _options(law.rules[name], settled[name])
            if value in needs.get(name, (value,)) and not _is_broken(tie, {**settled, name: value})
        ]
        if able:
            return min(able, key=lambda one: sum(_breaks(ties, settled, one)))
    return None


def _breaks(
    ties: Iterable[Constraint], settled: Mapping[str, Value], change: tuple[str, Value]
) -> Iterator[bool]:
    name, value = change
    return (_is_broken(tie, {**settled, name: value}) for tie in ties)


def _options(rule: Rule, now: Value) -> list[Value]:
    if rule.kind is Kind.FLAG:
        return [False, True]
    if rule.choices or not isinstance(now, int):
        return list(rule.choices)
    least = rule.at_least if isinstance(rule.at_least, int) else 1
    most = MOST_SEATS if rule.id == _SEATS else MOST_DECKS
    if rule.between is not None:
        least, most = (int(str(bound)) for bound in rule.between)
    below, above = range(min(now, most), least - 1, -1), range(max(now + 1, least), most + 1)
    return [one for pair in zip_longest(below, above) for one in pair if one is not None]
