"""Vectors of stakes, winnings, and vigorish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from croupier import acts
from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import PLAYER
from croupier.money.settlement import Stake, settle
from croupier.rules import Offer, TableRules
from croupier.scenarios.stage import Stage
from croupier.scenarios.stakes import least_stake, together
from croupier.scenarios.starts import Starts
from croupier.scenarios.vectors.documents import RoundingVectors, TriedStake, Waiver
from croupier.scenarios.vectors.plain import refused_data
from croupier.scenarios.vectors.settlements import METERS, Grounds, amounts
from croupier.table import Refusal

_STEPS: Final = 50
"""Number of stakes above the minimum, by unit; more than any rounding period."""

_MOST_CENTS: Final = 1_000_000
"""Maximum stake tried without posted limits."""


def rounding_data(grounds: Grounds, rules: TableRules, starts: Starts) -> RoundingVectors:
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
) -> Iterator[TriedStake]:
    rules, wager = stage.rules, offer.wager.id
    alone = offer.wager.on is not None or wager not in together(rules, (PLAYER.id, wager))
    beside = {} if alone else {PLAYER.id: least_stake(rules, PLAYER.id)}
    ready = stage.fork()
    ready.execute(acts.BuyChips(1, 2 * _most(offer)))
    if beside:
        ready.execute(acts.PlaceWagers(1, beside))
    for stake in dict.fromkeys(_stakes(offer, least_stake(rules, wager))):
        place = acts.PlaceWager(1, wager, stake.chips_cents, stake.coupon_cents)
        answer = ready.fork().try_execute(place)
        row: TriedStake = {
            "wager": wager,
            "beside": beside,
            "chips_cents": stake.chips_cents,
            "coupon_cents": stake.coupon_cents,
            "taken": not isinstance(answer, Refusal),
        }
        if isinstance(answer, Refusal):
            row["refused"] = refused_data(answer)
        else:
            made = {}
            for ground, facts in grounds.items():
                (settlement,) = settle(rules, facts, {(1, wager): stake}, meters)
                made[ground] = amounts(settlement)
            row["settled"] = made
        yield row


def _most(offer: Offer) -> int:
    return _MOST_CENTS if offer.limit is None else offer.limit.max_cents


def _stakes(offer: Offer, least: int) -> Iterator[Stake]:
    unit, most = offer.unit_cents, _most(offer)
    for cents in (-1, 0, 1, least, most):
        for more in (-unit, -1, 0, 1, unit):
            yield Stake(cents + more)
    for step in range(1, _STEPS):
        yield Stake(least + step * unit)
        yield Stake(most - step * unit)
    for odd in range(1, min(unit, _STEPS)):
        yield Stake(least + odd)
    half = (least + unit) // 2
    for chips, coupon in (
        (least, least), (least, least + unit), (least, unit), (least + unit, 1),
        (half, least + unit - half), (least + unit - half, half), (least, -unit), (0, least),
        (most, least), (most // 2, most // 2),
    ):  # fmt: skip
        yield Stake(chips, coupon)


def _waivers(grounds: Grounds, rules: TableRules) -> Iterator[Waiver]:
    if not rules.vigorish.waived:
        return
    bearing = rules.bearing.wager.id
    offered = [name for name, offer in rules.offers.items() if offer.wager.waives_vigorish]
    least = {wager: least_stake(rules, wager) for wager in (bearing, *offered)}
    unit = rules.bearing.unit_cents
    for ground, facts in grounds[bearing].items():
        for count in range(1, len(offered) + 1):
            chosen = offered[:count]
            others = {wager: least[wager] for wager in chosen[1:]}
            banker = max(least[bearing], sum(others.values()) + 2 * unit)
            for more in (-unit, -1, 0, 1, unit):
                first = banker - sum(others.values()) + more
                stakes = {bearing: banker, chosen[0]: first, **others}
                if any(cents % rules.offers[wager].unit_cents for wager, cents in stakes.items()):
                    continue
                yield _waiver(stakes, ground, facts, rules)


def _waiver(stakes: Mapping[str, int], ground: str, facts: Facts, rules: TableRules) -> Waiver:
    by_seat = {(1, wager): Stake(cents) for wager, cents in stakes.items()}
    settled = {settlement.wager: settlement for settlement in settle(rules, facts, by_seat)}
    settlement = settled[rules.bearing.wager.id]
    return {
        "stakes": dict(stakes),
        "ground": ground,
        "waived": settlement.waived,
        "clauses": list(rules.cites("vigorish.waiver")) if settlement.waived else [],
        **amounts(settlement),
    }
