"""Which wagers a table's rules put on the layout, and what each line of them pays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import Final

from croupier.baccarat.hand import first_two
from croupier.baccarat.wagers import LOSE, PUSH, WAGERS
from croupier.cards import Card, Rank, parse_cards
from croupier.law.elect import ErrorDetail
from croupier.law.values import Odds
from croupier.rules.elections import Elections
from croupier.rules.offers import Award, Offer, Pays
from croupier.rules.submission import Limit

__all__ = ["METERS", "OFFERED_BY", "check_chairs", "check_meters", "offers_of"]

# Which rule offers each wager, and which rule says what its lines pay.
OFFERED_BY: Final = {
    "player": "wagers.player",
    "banker": "wagers.banker",
    "tie": "wagers.tie",
    "four_cards": "wagers.total_cards",
    "five_cards": "wagers.total_cards",
    "six_cards": "wagers.total_cards",
    "bonus_player": "wagers.bonus",
    "bonus_banker": "wagers.bonus",
    "dragon_7": "wagers.dragon_7",
    "panda_8": "wagers.panda_8",
    "house_money": "wagers.house_money",
    "royal_9": "wagers.royal_9",
}
_PAID_BY: Final = {wager: f"wagers.{wager}.pays" for wager in OFFERED_BY} | {
    "bonus_player": "wagers.bonus.paytable",
    "bonus_banker": "wagers.bonus.paytable",
    "royal_9": "wagers.royal_9.awards",
}

# Lines of a wager that a rule of their own may single out.
_SINGLED_OUT: Final = {
    ("banker", "win_with_six"): "wagers.banker.pays_on_six",
    ("banker", "dragon_7"): "wagers.banker.on_dragon_7",
}

METERS: Final = ("star", "spade", "heart")
"""The progressive meters of Royal 9, each the line of its name."""


def offers_of(rules: Elections) -> Mapping[str, Offer]:
    """Return the wagers on offer, by id, in the order in which a dealer settles them.

    A wager whose odds stand in a part of the text that is not held is not among them.
    """
    limits = rules.submission.limits
    offers = {}
    for wager_id in _on_the_layout(rules):
        pays = _pays(rules, wager_id)
        limit = None if limits is None else limits.get(wager_id)
        if wager_id == "royal_9":
            stake = rules.value("wagers.royal_9.stake", int)
            limit = Limit(stake, stake)
        offers[wager_id] = Offer(
            WAGERS[wager_id],
            pays,
            limit,
            _unit(rules, wager_id, pays),
            _unit_cites(rules, wager_id),
            _line_cites(rules, wager_id, pays),
            _chairs(rules) if wager_id == "royal_9" else {},
        )
    return offers


def _on_the_layout(rules: Elections) -> Iterator[str]:
    for wager_id, rule_id in OFFERED_BY.items():
        if wager_id == "bonus_banker" and rules.elected("wagers.bonus.on", "player-only"):
            continue
        if rules.applies(rule_id) and rules.applies(_PAID_BY[wager_id]):
            yield wager_id


def _pays(rules: Elections, wager_id: str) -> Mapping[str, Pays]:
    if wager_id == "royal_9":
        return _awards(rules)
    if wager_id == "house_money" or wager_id.startswith("bonus_"):
        return rules.value(_PAID_BY[wager_id], dict)
    odds = rules.value(_PAID_BY[wager_id], Odds)
    pays: dict[str, Pays] = dict.fromkeys(WAGERS[wager_id].lines, odds)
    if wager_id == "banker":
        if rules.applies("wagers.banker.pays_on_six"):
            pays["win_with_six"] = rules.value("wagers.banker.pays_on_six", Odds)
        if rules.elected("wagers.banker.on_dragon_7", "push"):
            pays["dragon_7"] = None
    return pays


def _awards(rules: Elections) -> Mapping[str, Pays]:
    """Return what Royal 9 pays: what a meter shows on three lines, fixed amounts on the others."""
    keeps = rules.elected("wagers.royal_9.award_is", "for-one")
    fixed = rules.value("wagers.royal_9.awards", dict)
    return {
        line: Award(0, line, keeps) if line in METERS else Award(fixed[line], None, keeps)
        for line in WAGERS["royal_9"].lines
    }


def _line_cites(
    rules: Elections, wager_id: str, pays: Mapping[str, Pays]
) -> Mapping[str, tuple[str, ...]]:
    """Return the clauses behind each line and ground: what decides it, and what it pays."""
    cites = {}
    grounds = WAGERS[wager_id].grounds
    for ground in (*pays, LOSE, PUSH, *grounds):
        line = grounds.get(ground, ground)
        decided = rules.cites_for(OFFERED_BY[wager_id], ground)
        paid = _paid_cites(rules, wager_id, line) if line in pays else ()
        singled_out = _SINGLED_OUT.get((wager_id, line), "")
        if singled_out and rules.applies(singled_out):
            paid = rules.cites(singled_out)
            if pays[line] is None:
                # It is void notwithstanding the clause by which it would have won.
                decided = ()
        cites[ground] = tuple(dict.fromkeys(decided + paid))
    return cites


def _paid_cites(rules: Elections, wager_id: str, line: str) -> tuple[str, ...]:
    """Return the clauses of a line's odds; those of Banker stand with the vigorish scheme."""
    paid_by = _PAID_BY[wager_id]
    if wager_id == "royal_9" and line in METERS:
        return rules.cites(f"wagers.royal_9.meters.{line}.seed")
    named = rules.cites_for(paid_by, line)
    for table in rules.law.rules[paid_by].one_of.values():
        # Of tables that are offered as they are, the one elected is named beside the choice.
        if rules.settled[table] == rules.settled[paid_by]:
            named += rules.cites(table)
    return named if wager_id != "banker" else rules.cites_for(paid_by, rules.vigorish.scheme)


def _unit_cites(rules: Elections, wager_id: str) -> tuple[str, ...]:
    """Return the clauses that decide which stakes can be paid and charged exactly."""
    if wager_id != "banker":
        return rules.cites(_PAID_BY[wager_id])
    scheme = rules.vigorish.scheme
    cites = _paid_cites(rules, wager_id, "win") + rules.cites_for("vigorish.scheme", scheme)
    if rules.vigorish.rounding_unit_cents is not None:
        cites += rules.cites(rules.vigorish.rounded_by)
    return tuple(dict.fromkeys(cites))


def _unit(rules: Elections, wager_id: str, pays: Mapping[str, Pays]) -> int:
    odds = [one for one in pays.values() if isinstance(one, Odds)]
    unit = lcm(*(one.stake // gcd(*one) for one in odds))
    if wager_id != "banker":
        return unit
    terms = rules.vigorish
    if terms.tie_rate is not None:
        unit = lcm(unit, terms.tie_rate.denominator)
    if terms.rounding_unit_cents is not None:
        # Or the vigorish on a stake of a few cents, rounded upward, would be more than it won.
        unit = lcm(unit, terms.rounding_unit_cents)
    if terms.win_rate is not None and terms.rounding_unit_cents is None:
        for one in odds:
            unit = lcm(unit, (terms.win_rate * one.ratio).denominator)
    return unit


# --- the combinations of the chairs ------------------------------------------------------------


def _chairs(rules: Elections) -> Mapping[int, str]:
    """Return the personal King-9 combination of each chair, as ``"9h Ks"``, by seat."""
    named = rules.value("wagers.royal_9.chairs", tuple)
    return {seat: _combination(text) for seat, text in enumerate(named, start=1)}


def _combination(text: str) -> str:
    """Return a King-9 combination, nine first. Raises ``ValueError`` where it is none."""
    cards: tuple[Card, ...] = tuple(parse_cards(text))
    if {card.rank for card in cards} != {Rank.KING, Rank.NINE} or len(cards) != 2:
        raise ValueError(f"{text!r} is no king and nine: write it as Ks 9h")
    if cards[0].suit is cards[1].suit:
        raise ValueError(f"{text!r} is of one suit: a personal combination is not")
    return first_two(cards[0].index, cards[1].index)[1]


def check_chairs(rules: Elections) -> list[ErrorDetail]:
    """Hold the chairs' combinations against the law: one for each, unsuited, none twice."""
    if not rules.applies("wagers.royal_9"):
        return []
    where, cites = "wagers.royal_9.chairs", rules.cites("wagers.royal_9.chairs")
    named = rules.value(where, tuple)
    errors = []
    held = set()
    for text in named:
        try:
            combination = _combination(text)
        except ValueError as error:
            errors.append(ErrorDetail(where, str(error), cites))
            continue
        if combination in held:
            errors.append(ErrorDetail(where, f"{text!r} stands at two chairs", cites))
        held.add(combination)
    seats = rules.submission.layout.seats
    if len(named) != seats:
        message = f"{len(named)} combinations for {seats} chairs: each chair has one"
        errors.append(ErrorDetail(where, message, cites))
    return errors


# --- the meters --------------------------------------------------------------------------------


def check_meters(rules: Elections) -> list[ErrorDetail]:
    """Hold the settings of the meters against each other: whole cents, and something to be hit."""
    if not rules.applies("wagers.royal_9"):
        return []
    stake = rules.value("wagers.royal_9.stake", int)
    meters = [f"wagers.royal_9.meters.{meter}" for meter in METERS]
    stax = "wagers.royal_9.stax"
    if rules.applies(stax):
        meters.append(stax)
    message = "a meter shows whole cents, and this share of a stake comes to a fraction of one"
    errors = [
        ErrorDetail(f"{meter}.increment", message, rules.cites(f"{meter}.increment"))
        for meter in meters
        if (stake * rules.value(f"{meter}.increment", Fraction)).denominator != 1
    ]
    if rules.applies(stax):
        most = rules.value(f"{stax}.must_hit_by", int)
        if most <= rules.value(f"{stax}.seed", int):
            message = "must be more than the seed, or there is nothing between them to be hit"
            errors.append(
                ErrorDetail(f"{stax}.must_hit_by", message, rules.cites(f"{stax}.must_hit_by"))
            )
    return errors
