"""Vectors of settlement by classes of facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Final, cast

from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.wagers import PUSH, Wager
from croupier.money.settlement import Settled, Stake, settle
from croupier.rules import Offer, TableRules
from croupier.scenarios.stakes import fitting_stake, least_stake
from croupier.scenarios.vectors.deals import DealtRound
from croupier.scenarios.vectors.documents import (
    Amounts,
    FactsOfRound,
    GroundOfWager,
    OfferedWager,
    Rate,
    SettledStake,
    Settlement,
    VigorishTerms,
)
from croupier.scenarios.vectors.plain import pays_data

Cards = tuple[Card, ...]
Grounds = Mapping[str, Mapping[str, Facts]]
"""For each wager, facts for each of its grounds."""

METERS: Final = 12_345
"""Amount of every meter above its seed, in cents, so that awards are not round amounts."""

_PAIRS: Final = (
    "4h Kh 4d 8d",
    "Kh 4h 8d 4d",
    "4h 4s 4d 4c",
    "Kh Ks Qd 8s",
    "Kh 8s Kd Ks",
    "9h Ks 9h 8s",
    "Td Kh Jd 8s",
)
"""Rounds that distinguish pairs from cards of equal value."""

_NO_ROYAL: Final = ("2h", "3d")
_OTHER_ROYALS: Final = (("9h", "Jh"), ("9s", "Qs"), ("9c", "Jd"), ("9d", "Qh"))
"""Royal 9 hands of no chair: two of one suit, and two of two suits."""


def classes(dealt: Iterable[DealtRound], rules: TableRules) -> dict[Facts, Cards]:
    found: dict[tuple[int, ...], DealtRound] = {}
    for dealt_round in dealt:
        found.setdefault(tuple(dealt_round.coup.facts[:4]), dealt_round)
    made = {dealt_round.coup.facts: dealt_round.cards for dealt_round in found.values()}
    for offer in rules.offers.values():
        if "pairs" in offer.wager.asks:
            made |= _added([tuple(parse_cards(text)) for text in _PAIRS], rules)
        if offer.chairs:
            made |= _added(_royals(offer), rules)
    return made


def _added(rounds: Iterable[Cards], rules: TableRules) -> dict[Facts, Cards]:
    return {Coup.of(cards, rules.tableau).facts: cards for cards in rounds}


def _royals(offer: Offer) -> Iterator[Cards]:
    hands: list[Sequence[str]] = [own.split() for own in offer.chairs.values()]
    hands += [*_OTHER_ROYALS, _NO_ROYAL]
    for number, (player, banker) in enumerate(product(hands, hands)):
        if player == banker == _NO_ROYAL:
            continue
        # The nine comes first and second in alternate rounds.
        one, other = (player, banker) if number % 2 else (player[::-1], banker[::-1])
        yield tuple(map(Card.of, (one[0], other[0], one[1], other[1])))


def ground_of(offer: Offer, facts: Facts, seat: int) -> str:
    """Ground of a wager's line, or the line if it has only one."""
    wager = offer.wager
    if wager.at_chair is not None:
        return offer.decide(facts, seat).line
    return (wager.ground_of or wager.line_of)(facts)


def grounds_of(found: Iterable[Facts], rules: TableRules) -> Grounds:
    grounds: dict[str, dict[str, Facts]] = {wager: {} for wager in rules.offers}
    for facts in found:
        for wager, offer in rules.offers.items():
            grounds[wager].setdefault(ground_of(offer, facts, 1), facts)
    return grounds


def settlement_data(found: Mapping[Facts, Cards], rules: TableRules) -> Settlement:
    stakes = {
        wager: fitting_stake(rules, wager, least_stake(rules, wager) + 7 * offer.unit_cents)
        for wager, offer in rules.offers.items()
    }
    meters = {meter: seed + METERS for meter, seed in rules.meter_seeds.items()}
    return {
        "wagers": {wager: _offer_data(offer) for wager, offer in rules.offers.items()},
        "vigorish": _vigorish_data(rules),
        "meters": meters,
        "classes": [
            {
                "cards": " ".join(map(str, cards)),
                "facts": cast("FactsOfRound", {**facts._asdict(), "winner": facts.winner_name}),
                "settled": {
                    wager: [
                        _settled_data(rules, facts, seat, wager, stakes[wager], meters)
                        for seat in (offer.chairs or (1,))
                    ]
                    for wager, offer in rules.offers.items()
                },
            }
            for facts, cards in found.items()
        ],
    }


def _settled_data(  # noqa: PLR0913, PLR0917  (a stake, and all that it is settled by)
    rules: TableRules, facts: Facts, seat: int, wager: str, cents: int, meters: Mapping[str, int]
) -> SettledStake:
    (settlement,) = settle(rules, facts, {(seat, wager): Stake(cents)}, meters)
    return {
        "seat": seat,
        "stake_cents": cents,
        "ground": ground_of(rules.offers[wager], facts, seat),
        "outcome": settlement.decision.outcome.value,
        **amounts(settlement),
    }


def amounts(settlement: Settled) -> Amounts:
    returned = 0 if settlement.decision.keeps_stake else settlement.stake.chips_cents
    net = returned - settlement.stake.chips_cents + settlement.won_cents - settlement.vigorish_cents
    return {
        "returned_cents": returned,
        "won_cents": settlement.won_cents,
        "vigorish_cents": settlement.vigorish_cents,
        "net_cents": net,
    }


def _offer_data(offer: Offer) -> OfferedWager:
    limit = offer.limit
    return {
        "title": offer.wager.title,
        "min_cents": None if limit is None else limit.min_cents,
        "max_cents": None if limit is None else limit.max_cents,
        "unit_cents": offer.unit_cents,
        "unit_clauses": list(offer.unit_cites),
        "chairs": {str(seat): own for seat, own in offer.chairs.items()},
        "grounds": {ground: _ground_data(offer, ground) for ground in _grounds(offer)},
    }


def _grounds(offer: Offer) -> Iterator[str]:
    split = set(offer.wager.grounds.values())
    for ground in offer.cites:
        if ground not in split and (ground != PUSH or _may_push(offer.wager)):
            yield ground


def _may_push(wager: Wager) -> bool:
    every = product(range(10), range(10), (2, 3), (2, 3))
    return any(wager.line_of(Facts(*counts)) == PUSH for counts in every)


def _ground_data(offer: Offer, ground: str) -> GroundOfWager:
    decision = offer.decisions[ground]
    return {
        "line": decision.line,
        "outcome": decision.outcome.value,
        "pays": pays_data(offer.pays.get(decision.line)),
        "clauses": list(decision.clauses),
    }


def _rate(rate: Fraction | None) -> Rate | None:
    return None if rate is None else {"numerator": rate.numerator, "denominator": rate.denominator}


def _vigorish_data(rules: TableRules) -> VigorishTerms:
    terms = rules.vigorish
    return {
        "scheme": terms.scheme,
        "win_rate": _rate(terms.win_rate),
        "tie_rate": _rate(terms.tie_rate),
        "waived_by_total_cards": terms.waived,
        "rounding_unit_cents": terms.rounding_unit_cents,
        "deferred": terms.deferred,
        "clauses": list(rules.cites_for("vigorish.scheme", terms.scheme)),
        "rounding_clauses": list(rules.cites(terms.rounded_by)) if terms.rounded_by else [],
        "waiver_clauses": list(rules.cites("vigorish.waiver")) if terms.waived else [],
    }
