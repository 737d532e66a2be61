"""Offers of a table: the wagers on its layout, and the payout of each line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm

from croupier.baccarat.cards import Card, Rank, parse_cards
from croupier.baccarat.coup import first_two
from croupier.baccarat.wagers import LOSE, PUSH, Wager
from croupier.law.cite import once
from croupier.law.elect import ErrorDetail
from croupier.law.faults import LawError
from croupier.law.interpretations import reading_ids
from croupier.law.usage import money
from croupier.law.values import Kind, Odds, percent
from croupier.rules.offers import Award, Offer, Pays, unit_of
from croupier.rules.submission import Limit
from croupier.rules.table import AWARD_KEEPS_STAKE, TableRules

__all__ = ["build_offers"]


def build_offers(rules: TableRules) -> Mapping[str, Offer]:
    """Wagers on offer, by id, in settlement order.

    A wager whose odds are in a part of the text not included is left out.
    """
    return {wager.id: _offer(rules, wager) for wager in _on_the_layout(rules)}


def _on_the_layout(rules: TableRules) -> Iterator[Wager]:
    for wager in rules.wagers.values():
        kept_off = any(rules.elected(name, choice) for name, choice in wager.unless.items())
        if not kept_off and rules.applies(wager.offered_by) and rules.applies(wager.paid_by):
            yield wager


def _offer(rules: TableRules, wager: Wager) -> Offer:
    pays = _pays(rules, wager)
    limit = (rules.submission.limits or {}).get(wager.id)
    stake_rule, above = f"{wager.offered_by}.stake", f"{wager.offered_by}.hand_pay.above"
    if stake_rule in rules.in_force:
        stake = rules.value(stake_rule, int)
        limit = Limit(stake, stake)
    chairs_rule = f"{wager.offered_by}.chairs"
    chairs = () if wager.at_chair is None else rules.value(chairs_rule, tuple)
    needs = tuple(
        need
        for need in wager.needs
        if rules.applies(need.rule_id) and not rules.elected(need.rule_id, choice=False)
    )
    return Offer(
        wager,
        pays,
        limit,
        _unit(rules, wager, pays),
        _unit_cites(rules, wager),
        _line_cites(rules, wager, pays),
        {seat: _combination(text) for seat, text in enumerate(chairs, start=1)},
        needs,
        _meters(rules, wager),
        _floor(rules, wager, pays),
        hand_pay_above_cents=rules.value(above, int) if above in rules.in_force else None,
    )


# --- what is paid ------------------------------------------------------------------------------


def _pays(rules: TableRules, wager: Wager) -> Mapping[str, Pays]:
    rule = rules.law.rules[wager.paid_by]
    pays: dict[str, Pays]
    match rule.kind:
        case Kind.ODDS:
            pays = dict.fromkeys(wager.lines, rules.value(rule.id, Odds))
        case Kind.PAYTABLE:
            pays = dict(rules.value(rule.id, dict))
        case Kind.AWARDS:
            pays = dict(_awards(rules, wager))
        case _:
            raise LawError(f"{rules.law.id}: {rule.id} is not odds, a pay table, or awards")
    if set(pays) != set(wager.lines):
        lines = ", ".join(wager.lines)
        raise LawError(f"{rules.law.id}: {rule.id} must pay exactly the lines {lines}")
    for line, rule_id in wager.singled_out.items():
        if rules.applies(rule_id):
            is_word = rules.law.rules[rule_id].kind is Kind.WORD
            odds = rules.by_word(rule_id, {PUSH: None}) if is_word else rules.value(rule_id, Odds)
            pays[line] = odds
    return pays


def _awards(rules: TableRules, wager: Wager) -> Iterator[tuple[str, Pays]]:
    award_is = f"{wager.offered_by}.award_is"
    keeps = award_is in rules.settled and rules.by_word(award_is, AWARD_KEEPS_STAKE)
    awards_paid = rules.value(wager.paid_by, dict)
    for line in wager.lines:
        if line in wager.meters:
            yield line, Award(0, line, keeps)
        elif line in awards_paid:
            yield line, Award(awards_paid[line], None, keeps)


def _line_cites(
    rules: TableRules, wager: Wager, pays: Mapping[str, Pays]
) -> Mapping[str, tuple[str, ...]]:
    rule = rules.law.rules[wager.offered_by]
    lines = (*pays, LOSE, PUSH, *wager.grounds)
    if rule.kind is Kind.WAGER and (unknown := set(rule.cites_by).difference(lines)):
        names = ", ".join(sorted(unknown))
        raise LawError(f"{rules.law.id}: {rule.id}: cites_by names no line of the wager: {names}")
    cites = {}
    for ground in lines:
        line = wager.grounds.get(ground, ground)
        decided = rules.cites_for(wager.offered_by, ground)
        clauses = _paid_cites(rules, wager, line) if line in pays else ()
        singled_out = wager.singled_out.get(line, "")
        if singled_out and rules.applies(singled_out):
            clauses = rules.cites(singled_out)
            if pays[line] is None:
                # It is void despite the clause by which it would have won.
                decided = ()
        cites[ground] = once(decided, clauses)
    return cites


def _paid_cites(rules: TableRules, wager: Wager, line: str) -> tuple[str, ...]:
    if line in wager.meters:
        return rules.cites(f"{_meter_rule(wager, line)}.seed")
    if wager.bears_vigorish:
        return rules.cites_for(wager.paid_by, rules.vigorish.scheme)
    table = _table_met(rules, wager.paid_by)
    return rules.cites_for(wager.paid_by, line) + (rules.cites(table) if table else ())


def _table_met(rules: TableRules, rule_id: str) -> str | None:
    rule = rules.law.rules[rule_id]
    tables = (*rule.one_of.values(), *rule.at_least_any.values())
    choice = rules.settled[rule_id]
    for table in tables:
        if rules.settled[table] == choice:
            return table
    odds_paid: Mapping[str, Odds] = rules.value(rule_id, dict) if tables else {}
    for table in tables:
        minimums: Mapping[str, Odds] = rules.value(table, dict)
        if all(odds_paid[line].ratio >= odds.ratio for line, odds in minimums.items()):
            return table
    return None


def _unit_cites(rules: TableRules, wager: Wager) -> tuple[str, ...]:
    if not wager.bears_vigorish:
        return rules.cites(wager.paid_by)
    terms = rules.vigorish
    rounded = () if terms.rounding_unit_cents is None else rules.cites(terms.rounded_by)
    clauses = rules.cites_for(wager.paid_by, terms.scheme)
    return once(clauses, rules.cites_for("vigorish.scheme", terms.scheme), rounded)


def _unit(rules: TableRules, wager: Wager, pays: Mapping[str, Pays]) -> int:
    is_rounded, terms = rules.applies("settlement.rounds_to"), rules.vigorish
    unit = 1 if is_rounded else unit_of(pays)
    if not wager.bears_vigorish:
        return unit
    if terms.tie_rate is not None:
        unit = lcm(unit, terms.tie_rate.denominator)
    if terms.win_rate is not None and terms.rounding_unit_cents is None and not is_rounded:
        ratios = (payout.ratio for payout in pays.values() if isinstance(payout, Odds))
        unit = lcm(unit, *((terms.win_rate * ratio).denominator for ratio in ratios))
    return unit


def _floor(rules: TableRules, wager: Wager, pays: Mapping[str, Pays]) -> int:
    # The minimum wins the rounding unit, so that vigorish is no more (C122).
    terms = rules.vigorish
    if not wager.bears_vigorish or terms.rounding_unit_cents is None:
        return 1
    unit = terms.rounding_unit_cents
    return max(-(-unit * one.stake // one.pays) for one in pays.values() if isinstance(one, Odds))


# --- the combinations of the chairs ------------------------------------------------------------


def _combination(text: str) -> str:
    cards: tuple[Card, ...] = tuple(parse_cards(text))
    if {card.rank for card in cards} != {Rank.KING, Rank.NINE} or len(cards) != 2:
        raise ValueError(f"{text!r} is not a king and a nine: write it as Ks 9h")
    if cards[0].suit is cards[1].suit:
        raise ValueError(f"{text!r} is of one suit: a personal combination must have two suits")
    return first_two(cards[0].index, cards[1].index)[1]


def check_chairs(rules: TableRules) -> Iterator[ErrorDetail]:
    for wager in _on_the_layout(rules):
        if wager.at_chair is not None:
            where = f"{wager.offered_by}.chairs"
            for message in _chair_faults(rules, rules.value(where, tuple)):
                yield ErrorDetail(where, message, rules.cites(where))


def _chair_faults(rules: TableRules, texts: tuple[str, ...]) -> Iterator[str]:
    combinations = set()
    for text in texts:
        try:
            combination = _combination(text)
        except ValueError as error:
            yield str(error)
            continue
        if combination in combinations:
            yield f"{text!r} is at two chairs"
        combinations.add(combination)
    seats = rules.submission.layout.seats
    if len(texts) != seats:
        yield f"{len(texts)} combinations for {seats} chairs: each chair has one"


# --- the meters --------------------------------------------------------------------------------


def _meter_rule(wager: Wager, meter: str) -> str:
    return f"{wager.offered_by}.meters.{meter}"


def _meters(rules: TableRules, wager: Wager) -> Mapping[str, str]:
    meters = {meter: _meter_rule(wager, meter) for meter in wager.meters}
    stax = f"{wager.offered_by}.stax"
    return meters | ({"stax": stax} if stax in rules.in_force else {})


def check_meters(rules: TableRules) -> Iterator[ErrorDetail]:
    for wager in _on_the_layout(rules):
        if meters := _meters(rules, wager):
            for meter in meters.values():
                yield from _meter_errors(rules, wager, meter)
            yield from _share_errors(rules, wager, meters)
            yield from _worth_errors(rules, wager)


def _share_errors(
    rules: TableRules, wager: Wager, meters: Mapping[str, str]
) -> Iterator[ErrorDetail]:
    increments = [f"{rule}.increment" for rule in meters.values()]
    total = sum((rules.value(rule, Fraction) for rule in increments), Fraction(0))
    if total > 1:
        message = (
            f"the meters together take {percent(total)} of each stake: elect shares that come to"
            " no more than 100%"
        )
        cites = rules.cites_for(wager.offered_by, "shares")
        yield ErrorDetail(", ".join(increments), message, cites)


def _worth_errors(rules: TableRules, wager: Wager) -> Iterator[ErrorDetail]:
    # A meter never shows less than its seed, and mostly more.
    reading = rules.reading("royal_9.awards_compared")
    if reading_ids(rules.law.register)["royal_9.awards_compared"] in rules.submission.readings:
        return
    awards = rules.value(wager.paid_by, dict)
    for meter, line in wager.elsewhere.items():
        rule_id = f"{_meter_rule(wager, meter)}.seed"
        seed = rules.value(rule_id, int)
        if seed < awards[line]:
            cites = rules.cites(rule_id) + rules.cites_for(wager.paid_by, line)
            message = (
                f"the meter may show {money(seed)}, and the same cards win"
                f" {money(awards[line])} at another chair: elect a greater seed, or acknowledge"
                f' it with royal_9.awards_compared = "{reading}" under [interpretations]'
            )
            yield ErrorDetail(rule_id, message, cites)


def _meter_errors(rules: TableRules, wager: Wager, meter: str) -> Iterator[ErrorDetail]:
    stake = rules.value(f"{wager.offered_by}.stake", int)
    increment, maximum = f"{meter}.increment", f"{meter}.must_hit_by"
    if (stake * rules.value(increment, Fraction)).denominator != 1:
        message = "this share of a stake is not in whole cents, but the meter is"
        yield ErrorDetail(increment, message, rules.cites(increment))
    if maximum in rules.in_force and rules.value(maximum, int) <= rules.value(f"{meter}.seed", int):
        message = "must be greater than the seed"
        yield ErrorDetail(maximum, message, rules.cites(maximum))
