"""Vectors of settlement by classes of facts, and of stakes, winnings, and vigorish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Final, cast

from croupier import acts
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.wagers import PLAYER, PUSH, Wager
from croupier.law.cite import once
from croupier.money.settlement import Settled, Stake, settle
from croupier.rules import Offer, TableRules
from croupier.rules.documents import fields_of
from croupier.scenarios.people import fitting_stake, least_stake, together
from croupier.scenarios.stage import Stage
from croupier.scenarios.starts import Starts
from croupier.scenarios.vectors import documents
from croupier.scenarios.vectors.deals import DealtRound
from croupier.scenarios.vectors.plain import pays_data, refused_data
from croupier.table import Refusal

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


def classes(rounds: Iterable[DealtRound], rules: TableRules) -> dict[Facts, Cards]:
    by_counts: dict[tuple[int, ...], DealtRound] = {}
    for dealt_round in rounds:
        by_counts.setdefault(tuple(dealt_round.coup.facts[:4]), dealt_round)
    made = {dealt_round.coup.facts: dealt_round.cards for dealt_round in by_counts.values()}
    for offer in rules.offers.values():
        if "pairs" in offer.wager.asks:
            made |= _added([tuple(parse_cards(text)) for text in _PAIRS], rules)
        if offer.chairs:
            made |= _added(_royals(offer), rules)
    return made


def _added(rounds: Iterable[Cards], rules: TableRules) -> dict[Facts, Cards]:
    return {Coup.of(cards, rules.tableau).facts: cards for cards in rounds}


def _royals(offer: Offer) -> Iterator[Cards]:
    hands: list[Sequence[str]] = [text.split() for text in offer.chairs.values()]
    hands += [*_OTHER_ROYALS, _NO_ROYAL]
    for number, (player, banker) in enumerate(product(hands, hands)):
        if player == banker == _NO_ROYAL:
            continue
        # The nine comes first and second in alternate rounds.
        first_hand, second_hand = (player, banker) if number % 2 else (player[::-1], banker[::-1])
        yield tuple(map(Card.of, (first_hand[0], second_hand[0], first_hand[1], second_hand[1])))


def ground_of(offer: Offer, facts: Facts, seat: int) -> str:
    """Ground of a wager's line, or the line if it has only one."""
    wager = offer.wager
    if wager.at_chair is not None:
        return offer.decide(facts, seat).line
    return (wager.ground_of or wager.line_of)(facts)


def grounds_of(classes_found: Iterable[Facts], rules: TableRules) -> Grounds:
    grounds: dict[str, dict[str, Facts]] = {wager: {} for wager in rules.offers}
    for facts in classes_found:
        for wager, offer in rules.offers.items():
            grounds[wager].setdefault(ground_of(offer, facts, 1), facts)
    return grounds


def settlement_data(found: Mapping[Facts, Cards], rules: TableRules) -> documents.Settlement:
    stakes = {
        wager: fitting_stake(rules, wager, least_stake(rules, wager) + 7 * offer.unit_cents)
        for wager, offer in rules.offers.items()
    }
    meters = {meter: seed + METERS for meter, seed in rules.meter_seeds.items()}
    return {
        "wagers": {wager: _offer_data(offer) for wager, offer in rules.offers.items()},
        "vigorish": _vigorish_data(rules),
        "payments": _payments_data(rules),
        "meters": meters,
        "classes": [
            {
                "cards": " ".join(map(str, cards)),
                "facts": cast(
                    "documents.FactsOfRound", {**facts._asdict(), "winner": facts.winner_name}
                ),
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
) -> documents.SettledStake:
    (settlement,) = settle(rules, facts, {(seat, wager): Stake(cents)}, meters)
    return {
        "seat": seat,
        "stake_cents": cents,
        "ground": ground_of(rules.offers[wager], facts, seat),
        "outcome": settlement.decision.outcome.value,
        **amounts(settlement),
    }


def amounts(settlement: Settled) -> documents.Amounts:
    returned = 0 if settlement.decision.keeps_stake else settlement.stake.chips_cents
    net = returned - settlement.stake.chips_cents + settlement.won_cents - settlement.vigorish_cents
    return {
        "returned_cents": returned,
        "won_cents": settlement.won_cents,
        "vigorish_cents": settlement.vigorish_cents,
        "net_cents": net,
    }


def _offer_data(offer: Offer) -> documents.OfferedWager:
    limit = offer.limit
    return {
        "title": offer.wager.title,
        "min_cents": None if limit is None else limit.min_cents,
        "max_cents": None if limit is None else limit.max_cents,
        "unit_cents": offer.unit_cents,
        "unit_clauses": list(offer.unit_cites),
        "chairs": {str(seat): combination for seat, combination in offer.chairs.items()},
        "grounds": {ground: _ground_data(offer, ground) for ground in _grounds(offer)},
    }


def _grounds(offer: Offer) -> Iterator[str]:
    split = set(offer.wager.grounds.values())
    for ground in offer.cites:
        if ground not in split and (ground != PUSH or _may_push(offer.wager)):
            yield ground


def _may_push(wager: Wager) -> bool:
    all_counts = product(range(10), range(10), (2, 3), (2, 3))
    return any(wager.line_of(Facts(*counts)) == PUSH for counts in all_counts)


def _ground_data(offer: Offer, ground: str) -> documents.GroundOfWager:
    decision = offer.decisions[ground]
    pays = pays_data(offer.pays.get(decision.line))
    return fields_of(documents.GroundOfWager, decision, pays=pays)


def _rate(rate: Fraction | None) -> documents.Rate | None:
    return None if rate is None else {"numerator": rate.numerator, "denominator": rate.denominator}


def _vigorish_data(rules: TableRules) -> documents.VigorishTerms:
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


def _payments_data(rules: TableRules) -> documents.PaymentRounding | None:
    terms = rules.vigorish
    if terms.payment_unit_cents is None:
        return None
    clauses = once(rules.cites("settlement.rounds_to"), rules.cites("settlement.rounding"))
    return {
        "unit_cents": terms.payment_unit_cents,
        "direction": terms.direction,
        "clauses": list(clauses),
    }


_STEPS: Final = 50
"""Number of stakes above the minimum, by unit; more than any rounding period."""

_MOST_CENTS: Final = 1_000_000
"""Maximum stake tried without posted limits."""


def rounding_data(grounds: Grounds, rules: TableRules, starts: Starts) -> documents.RoundingVectors:
    meters = {meter: seed + METERS for meter, seed in rules.meter_seeds.items()}
    stage = starts["betting"].stage
    stakes = [
        row
        for wager, offer in rules.offers.items()
        for row in _stakes_on(offer, grounds[wager], stage, meters)
    ]
    return {"meters": meters, "stakes": stakes, "waivers": list(_waivers(grounds, rules))}


def _stakes_on(
    offer: Offer, grounds: Mapping[str, Facts], stage: Stage, meters: Mapping[str, int]
) -> Iterator[documents.TriedStake]:
    rules, wager = stage.rules, offer.wager.id
    stands_alone = offer.wager.on is not None or wager not in together(rules, (PLAYER.id, wager))
    other_stakes = {} if stands_alone else {PLAYER.id: least_stake(rules, PLAYER.id)}
    fork = stage.fork()
    fork.execute(acts.BuyChips(1, 2 * _most(offer)))
    if other_stakes:
        fork.execute(acts.PlaceWagers(1, other_stakes))
    for stake in dict.fromkeys(_stakes(offer, least_stake(rules, wager))):
        place = acts.PlaceWager(1, wager, stake.chips_cents, stake.coupon_cents)
        answer = fork.fork().try_execute(place)
        row: documents.TriedStake = {
            "wager": wager,
            "beside": other_stakes,
            "chips_cents": stake.chips_cents,
            "coupon_cents": stake.coupon_cents,
            "taken": not isinstance(answer, Refusal),
        }
        if isinstance(answer, Refusal):
            row["refused"] = refused_data(answer)
        else:
            amounts_by_ground = {}
            for ground, facts in grounds.items():
                (settlement,) = settle(rules, facts, {(1, wager): stake}, meters)
                amounts_by_ground[ground] = amounts(settlement)
            row["settled"] = amounts_by_ground
        yield row


def _most(offer: Offer) -> int:
    return _MOST_CENTS if offer.limit is None else offer.limit.max_cents


def _stakes(offer: Offer, floor: int) -> Iterator[Stake]:
    unit, maximum = offer.unit_cents, _most(offer)
    for cents in (-1, 0, 1, floor, maximum):
        for more in (-unit, -1, 0, 1, unit):
            yield Stake(cents + more)
    for step in range(1, _STEPS):
        yield Stake(floor + step * unit)
        yield Stake(maximum - step * unit)
    for odd in range(1, min(unit, _STEPS)):
        yield Stake(floor + odd)
    half = (floor + unit) // 2
    for chips, coupon in (
        (floor, floor), (floor, floor + unit), (floor, unit), (floor + unit, 1),
        (half, floor + unit - half), (floor + unit - half, half), (floor, -unit), (0, floor),
        (maximum, floor), (maximum // 2, maximum // 2),
    ):  # fmt: skip
        yield Stake(chips, coupon)


def _waivers(grounds: Grounds, rules: TableRules) -> Iterator[documents.Waiver]:
    if not rules.vigorish.waived:
        return
    wager_id = rules.bearing.wager.id
    waiving_wagers = [name for name, offer in rules.offers.items() if offer.wager.waives_vigorish]
    minimums = {wager: least_stake(rules, wager) for wager in (wager_id, *waiving_wagers)}
    unit = rules.bearing.unit_cents
    for ground, facts in grounds[wager_id].items():
        for count in range(1, len(waiving_wagers) + 1):
            wagers = waiving_wagers[:count]
            other_stakes = {wager: minimums[wager] for wager in wagers[1:]}
            banker = max(minimums[wager_id], sum(other_stakes.values()) + 2 * unit)
            for step in (-unit, -1, 0, 1, unit):
                first = banker - sum(other_stakes.values()) + step
                stakes = {wager_id: banker, wagers[0]: first, **other_stakes}
                if any(cents % rules.offers[wager].unit_cents for wager, cents in stakes.items()):
                    continue
                yield _waiver(stakes, ground, facts, rules)


def _waiver(
    stakes: Mapping[str, int], ground: str, facts: Facts, rules: TableRules
) -> documents.Waiver:
    stakes_by_seat = {(1, wager): Stake(cents) for wager, cents in stakes.items()}
    settled = {settlement.wager: settlement for settlement in settle(rules, facts, stakes_by_seat)}
    settlement = settled[rules.bearing.wager.id]
    return {
        "stakes": dict(stakes),
        "ground": ground,
        "waived": settlement.waived,
        "clauses": list(rules.cites("vigorish.waiver")) if settlement.waived else [],
        **amounts(settlement),
    }
