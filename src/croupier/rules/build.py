"""Table rules: the law resolved, and the submission checked against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from croupier.baccarat.cards import DECK_SIZE
from croupier.baccarat.wagers import WAGERS
from croupier.files.errors import did_you_mean, near
from croupier.files.toml import Toml, read_toml
from croupier.law.contracts import MOST_DECKS
from croupier.law.elect import ErrorDetail, SubmissionError, flatten, resolve_elections, unsupported
from croupier.law.faults import LawError
from croupier.law.interpretations import reading_ids, readings_for
from croupier.law.model import Instrument, condition_holds
from croupier.law.resolve import instruments, resolve
from croupier.law.usage import money, under
from croupier.law.values import Kind
from croupier.rules.custom_wagers import offer_of_definition
from croupier.rules.offer_builder import build_offers, check_chairs, check_meters
from croupier.rules.offers import CustomWagerError, Offer
from croupier.rules.submission import (
    TABLES,
    Limit,
    MalformedSubmissionError,
    Submission,
    check_documents,
    fitting,
    located,
    submission_of,
)
from croupier.rules.table import TableRules

__all__ = ["read_rules", "rules_of_tables", "rules_under", "rules_with", "table_rules"]

_MOST_CHANGES: Final = 64
"""Cached changes of one table's rules."""

_MOST_CARDS: Final = 6
"""Cards that a round may need."""

_ROOM: Final[Mapping[str, Callable[[int], int]]] = {
    "cut.from_ends": lambda cards: 2 * cards,
    "cut.cutting_card_from_back": lambda cards: cards + 1,
    "burn.fixed": lambda cards: cards + _MOST_CARDS,
}
"""How many cards a shoe needs for the cut and the burn of the law."""

_DRAWING: Final = frozenset({"third.player", "third.banker"})
"""Rules of a drawing table."""


def read_rules(path: Path) -> TableRules:
    """Read a submission file and check it.

    Raises ``SubmissionError`` with every error of form and under the law.
    """
    file = read_toml(path)
    return rules_of_tables(file.tables, file)


def rules_of_tables(tables: Mapping[str, Any], file: Toml | None = None) -> TableRules:
    """Rules of a submission's tables, which may come from a file."""
    try:
        return table_rules(submission_of(tables, file))
    except MalformedSubmissionError as error:
        details = located(_also_unlawful(error), file)
        raise MalformedSubmissionError((*error.errors, *details)) from error
    except SubmissionError as error:
        raise SubmissionError(located(error.errors, file)) from error


def _also_unlawful(error: MalformedSubmissionError) -> Iterator[ErrorDetail]:
    if error.draft is None:
        return
    places = [detail.where.strip("[]") for detail in error.errors]
    tables = {near(name, TABLES)[0] for name in places if "." not in name and near(name, TABLES)}
    try:
        table_rules(error.draft)
    except SubmissionError as unlawful:
        for detail in unlawful.errors:
            table_name = detail.where.partition(".")[0]
            if detail.where not in places and table_name not in tables | set(places):
                yield detail


def table_rules(submission: Submission, law: Instrument | None = None) -> TableRules:
    """Check a rules submission against its law and return the rules of the table.

    ``law`` is the law, if it is not to be looked up. Raises ``SubmissionError`` with *every* error,
    each with its clauses.

    >>> from croupier.rules import default_submission
    >>> elected = default_submission("us-nj/minibaccarat", "latest", wagers__tie__pays="9:1")
    >>> rules = table_rules(elected)
    >>> str(rules.offers["tie"].pays["win"]), rules.cites("wagers.tie.pays")
    ('9:1', ('NJ-MINI:7.3(b)',))
    """
    try:
        law = law or resolve(submission.law, on=submission.on)
    except LawError as error:
        raise SubmissionError((ErrorDetail("submission", str(error)),)) from error
    with under(law.usage):
        return _rules_under(law, submission)


def _rules_under(law: Instrument, submission: Submission) -> TableRules:
    errors = [*_check_readings(law, submission.readings)]
    layout = {"layout.seats": submission.layout.seats}
    try:
        values = resolve_elections(law, submission.elections, layout, submission.readings)
    except SubmissionError as error:
        errors += _unknown_limits(law, submission)
        raise SubmissionError((*error.errors, *errors)) from error
    rule_ids = frozenset(
        rule.id for rule in law.rules.values() if condition_holds(rule.applies_when, values)
    )
    message = "this regulation decides it: remove it"
    errors += (
        ErrorDetail(f"interpretations.{name}", message, law.cites(decides))
        for name in submission.readings.keys() & law.register
        if (decides := rule_ids.intersection(law.register[name].unless))
    )
    readings = readings_for(law, rule_ids, submission.readings)
    rules = TableRules(submission, law, values, rule_ids, readings)
    if submission.drawing_table:
        rules = _with_drawing_table(rules, submission.drawing_table, errors)
    errors += _check_unsupported(law, values, submission.unsupported)
    errors += check_documents(law, submission.documents)
    errors += [*_check_decks(rules), *check_chairs(rules), *check_meters(rules)]
    if not errors:
        rules, errors = _with_own(replace(rules, offers=build_offers(rules)))
        errors += _check_limits(rules)
    else:
        errors += _unknown_limits(law, submission)
    if errors:
        raise SubmissionError(tuple(errors))
    return rules


def _with_own(rules: TableRules) -> tuple[TableRules, list[ErrorDetail]]:
    posted = rules.submission.limits or {}
    offers, errors = list[Offer](), list[ErrorDetail]()
    for definition in rules.submission.own:
        try:
            offer = offer_of_definition(definition)
            rules.with_offers(*offers, offer)
        except CustomWagerError as error:
            errors += [ErrorDetail("own", message) for message in error.errors]
            continue
        if offer.fixed_cents is None:
            offer = replace(offer, limit=posted.get(offer.wager.id, offer.limit))
        for meter, share in offer.increments.items():
            if ((offer.fixed_cents or 0) * share).denominator != 1:
                message = "this share of a stake is not in whole cents, but the meter is"
                errors.append(ErrorDetail(f"own.{offer.wager.id}.{meter}.increment", message))
        offers.append(offer)
    return rules.with_offers(*offers) if offers else rules, errors


def rules_under(rules: TableRules, texts: Mapping[str, Any]) -> TableRules:
    """Return a table's rules with some values replaced, in law file notation."""
    values = {name: rules.law.read(name, text) for name, text in texts.items()}
    held = {name: replace(rules.law.rules[name], value=value) for name, value in values.items()}
    law = replace(rules.law, rules={**rules.law.rules, **held})
    elected = {name: values.get(name, value) for name, value in rules.settled.items()}
    new_table = replace(rules, law=law, settled=elected, offers={}, own=())
    return _with_own(replace(new_table, offers=build_offers(new_table)))[0]


def rules_with(
    rules: TableRules, chosen: Mapping[str, object], limits: Mapping[str, Limit] | None = None
) -> TableRules:
    """Return a table's rules with other elections and limits, less those made inapplicable.

    The last changes are cached, because a change is requested again to execute it.
    """
    new_limits = dict(limits or {})
    cache: dict[str, TableRules | tuple[ErrorDetail, ...]]
    cache = rules.remembered.setdefault(rules_with, {})
    key = repr((dict(chosen), new_limits))
    answer = cache.get(key)
    if answer is None:
        try:
            answer = _changed(rules, chosen, new_limits)
        except SubmissionError as error:
            answer = error.errors
        if len(cache) >= _MOST_CHANGES:
            cache.clear()
        cache[key] = answer
    if isinstance(answer, TableRules):
        return answer
    raise SubmissionError(answer)


def _changed(
    rules: TableRules, choices: Mapping[str, object], limits: Mapping[str, Limit]
) -> TableRules:
    old = rules.submission
    elections = fitting(rules.law, flatten(old.elections, rules.law.rules), choices)
    new = replace(old, elections=elections, limits=None)
    if old.limits is None and not limits:
        return table_rules(new, rules.law)
    offers = table_rules(new, rules.law).offers
    posted = {
        wager: limit
        for wager, limit in {**(old.limits or {}), **limits}.items()
        if wager in offers or wager in limits
    }
    return table_rules(replace(new, limits=posted), rules.law)


def _with_drawing_table(rules: TableRules, law_key: str, errors: list[ErrorDetail]) -> TableRules:
    where, own = "submission.drawing_table", rules.law.rules
    source = next((text for text in instruments() if text.key == law_key), None)
    if own.keys() >= _DRAWING:
        # Under other elections, the law already has the tables that were taken.
        is_taken = source is not None and own["third.player"] == source.rules.get("third.player")
        if not is_taken or law_key == rules.law.key:
            message = f"{rules.law.key} has a drawing table of its own: leave this out"
            errors.append(ErrorDetail(where, message))
        return rules
    if source is None or not source.rules.keys() >= _DRAWING:
        keys = (text.key for text in instruments() if text.rules.keys() >= _DRAWING)
        message = f"{law_key!r} is not a text with a drawing table; these have one: "
        errors.append(ErrorDetail(where, message + ", ".join(keys)))
        return rules
    drawing_rules = {
        rule.id: rule
        for rule in source.rules.values()
        if rule.id.startswith("third.") and rule.id not in own
    }
    values = {rule.id: rule.value for rule in drawing_rules.values() if rule.value is not None}
    return replace(
        rules,
        law=replace(rules.law, rules={**own, **drawing_rules}),
        settled={**rules.settled, **values},
        in_force=rules.in_force | drawing_rules.keys(),
    )


def _check_unsupported(
    law: Instrument, elections: Mapping[str, Any], acknowledged: Sequence[str]
) -> Iterator[ErrorDetail]:
    clauses = {clause.id: clause for clause in unsupported(law, elections)}
    for clause in clauses.values():
        if clause.meanwhile == "refuse":
            message = "no table is dealt without it, and the program does not carry it out"
        elif clause.id not in acknowledged:
            message = "not carried out by the program: name it in by_hand to do so by hand"
        else:
            continue
        yield ErrorDetail(
            "unsupported.by_hand", f"{message}. {clause.says}: {clause.reason}", (clause.id,)
        )
    clause_ids = [clause.id for clause in law.unsupported]
    for name in acknowledged:
        if name not in clause_ids:
            hint = did_you_mean(name, clause_ids)
            yield ErrorDetail("unsupported.by_hand", f"{name} is not such a clause{hint}")


def _check_readings(law: Instrument, readings: Mapping[str, str]) -> Iterator[ErrorDetail]:
    register = law.register
    electable = ", ".join(reading_ids(register))
    for entry in law.concerned.values():
        if entry.acknowledge and entry.id not in readings:
            names = ", ".join(entry.readings)
            message = f"must be acknowledged: {entry.problem} Name one of {names}"
            yield ErrorDetail(f"interpretations.{entry.id}", message, law.cites(entry.rests))
    for name, reading in readings.items():
        where = f"interpretations.{name}"
        if name not in register:
            hint = did_you_mean(name, reading_ids(register))
            yield ErrorDetail(where, f"no such reading can be elected:  {electable}{hint}")
        elif reading not in register[name].readings:
            choices = ", ".join(register[name].readings) or "none; the reading is fixed"
            hint = did_you_mean(reading, register[name].readings)
            message = f"{reading!r} is not a reading that can be elected here: {choices}{hint}"
            yield ErrorDetail(where, message)
        elif name not in law.concerned and not law.cites(register[name].unless):
            yield ErrorDetail(where, "no rule of this regulation relies on it: remove it")


def _check_limits(rules: TableRules) -> Iterator[ErrorDetail]:
    limits = rules.submission.limits
    yield from _check_limits_of_all(rules, limits or {})
    if limits is None:
        return
    for wager in limits:
        if wager not in rules.offers:
            yield _not_offered(wager, rules.offers, rules.law)
    for wager, offer in rules.offers.items():
        limit = limits.get(wager, offer.limit)
        if limit is None:
            yield ErrorDetail(f"limits.{wager}", "the minimum and maximum are missing")
        elif limit != offer.limit:
            message = "the regulation fixes this wager's amounts; other limits are not allowed"
            fixed_by = rules.cites_if_any(f"{offer.wager.offered_by}.stake")
            yield ErrorDetail(f"limits.{wager}", message, fixed_by)
        elif limit.min_cents < offer.floor_cents:
            message = f"the minimum must be {money(offer.floor_cents)}, or vigorish exceeds the win"
            rounded_by = rules.cites(rules.vigorish.rounded_by)
            yield ErrorDetail(f"limits.{wager}", message, rounded_by)
        elif limit.min_cents % offer.unit_cents:
            unit = money(offer.unit_cents)
            message = f"the minimum must be a multiple of {unit}; no other is paid exactly"
            yield ErrorDetail(f"limits.{wager}", message, offer.unit_cites)


def _unknown_limits(law: Instrument, submission: Submission) -> Iterator[ErrorDetail]:
    """Check names where the elections do not show which wagers are on offer."""
    known = [one.id for one in WAGERS.values() if one.offered_by in law.rules]
    known += [one.id.rpartition(".")[2] for one in law.rules.values() if one.kind is Kind.WAGER]
    if not submission.own:
        for wager in (submission.limits or {}).keys() - {*known}:
            yield _not_offered(wager, known, law)


def _not_offered(wager: str, offered: Iterable[str], law: Instrument) -> ErrorDetail:
    message = f"this table does not offer that wager{did_you_mean(wager, offered)}"
    return ErrorDetail(f"limits.{wager}", message, law.cites(["wagers.permitted"]))


def _check_limits_of_all(rules: TableRules, limits: Mapping[str, Limit]) -> Iterator[ErrorDetail]:
    """Check the limits of all patrons together: a law may name wagers that no table has."""
    rule_id = "limits.of_all_patrons"
    if not rules.applies(rule_id):
        return
    for wager, maximum in rules.value(rule_id, dict).items():
        if wager not in rules.offers and rules.law.rules[rule_id].is_election:
            message = f"this table does not offer {wager}{did_you_mean(wager, rules.offers)}"
            yield ErrorDetail(rule_id, message, rules.cites(rule_id))
        elif wager in limits and maximum < limits[wager].min_cents:
            message = f"{wager}: all patrons may stake less than the minimum of one"
            yield ErrorDetail(rule_id, message, rules.cites(rule_id))


def _check_decks(rules: TableRules) -> Iterator[ErrorDetail]:
    decks = rules.settled.get("decks")
    # This maximum is the program's; no regulation has one.
    if isinstance(decks, int) and decks > MOST_DECKS:
        yield ErrorDetail("decks", f"{decks} decks: the maximum is {MOST_DECKS}")
        return
    if rules.elected("burn.exposure", "none") and rules.burned is None:
        message = "no burned card is shown, so the first one cannot decide how many are burned"
        yield ErrorDetail("burn.exposure", message, rules.cites("burn.exposure"))
    cards = rules.decks_per_shoe * DECK_SIZE if isinstance(decks, int) else 0
    for rule_id, cards_needed in _ROOM.items():
        if cards and rules.applies(rule_id):
            number = rules.settled[rule_id] if rule_id in rules.settled else rules.bound(rule_id)
            if isinstance(number, int) and cards_needed(number) > cards:
                message = f"a shoe of {cards} cards has no room for {rule_id} = {number}"
                yield ErrorDetail("decks", message, rules.cites(rule_id))
