"""The people of a scenario's table, their stakes, and the time its day begins."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from croupier.baccarat.wagers import BANKER, PLAYER, Moment
from croupier.rules import Offer, TableRules
from croupier.table.wagering.together import above_limit_of_all

DEALER: Final = "dealer"
FLOORPERSON: Final = "floorperson"
PIT_BOSS: Final = "pit boss"
PIT_CLERK: Final = "pit clerk"

SECRET: Final = "5e" * 32
"""A secret whose mystery value is not hit in the first round."""

NOON: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)
"""Arrival of the decks at tables that change decks by the clock."""


_PLAIN_STAKE_CENTS: Final = 10_000

MOST_LOSSES: Final = 4
"""Maximum rounds that a patron loses to run short of chips, limited by the shoe."""


def patrons(rules: TableRules) -> int:
    return min(3, rules.submission.layout.seats)


def least_stake(rules: TableRules, wager: str) -> int:
    """Return a wager's minimum in cents, or a default that can be paid without limits."""
    offer = rules.offers[wager]
    plain_cents = -(-_share(rules, wager, _PLAIN_STAKE_CENTS) // offer.unit_cents)
    return plain_cents * offer.unit_cents if offer.limit is None else offer.limit.min_cents


def fitting_stake(rules: TableRules, wager: str, wanted_cents: int) -> int:
    """Highest valid stake up to ``wanted_cents``, or the minimum."""
    offer, minimum = rules.offers[wager], least_stake(rules, wager)
    wanted_cents = _share(rules, wager, wanted_cents)
    maximum = wanted_cents if offer.limit is None else min(wanted_cents, offer.limit.max_cents)
    return minimum + max(maximum - minimum, 0) // offer.unit_cents * offer.unit_cents


def _share(rules: TableRules, wager: str, wanted_cents: int) -> int:
    """Return a stake that every patron may make within the limits of all together."""
    maxima = [wanted_cents * patrons(rules)]
    if wager in rules.members("limits.differential.between"):
        maxima.append(rules.value("limits.differential", int))
    if rules.applies("limits.of_all_patrons"):
        maxima.append(rules.value("limits.of_all_patrons", dict).get(wager, maxima[0]))
    return min(maxima) // patrons(rules)


def waiving_stakes(rules: TableRules) -> dict[str, int]:
    """Stake on Banker, and stakes on waiving wagers up to that."""
    wager_id = rules.bearing.wager.id
    cents = least_stake(rules, wager_id)
    waiving = (name for name, offer in rules.offers.items() if offer.wager.waives_vigorish)
    return {wager_id: cents, **{wager: fitting_stake(rules, wager, cents) for wager in waiving}}


def early_offer(rules: TableRules) -> Offer | None:
    """Wager offered that the first four cards settle."""
    offers = (one for one in rules.offers.values() if one.wager.settled_at is Moment.FOUR_CARDS)
    return next(offers, None)


def needing_offer(rules: TableRules) -> Offer | None:
    return next((offer for offer in rules.offers.values() if offer.needs), None)


def early_stakes(rules: TableRules, wager: str) -> tuple[int, int]:
    """Early wager's stakes: the minimum, and a cent more if valid."""
    minimum = least_stake(rules, wager)
    return minimum, fitting_stake(rules, wager, minimum + 1)


def together(rules: TableRules, wagers: Iterable[str]) -> list[str]:
    """Wagers that one patron may make: of those that exclude others, the first."""
    compatible: list[str] = []
    groups = rules.members("wagers.not_together")
    for wager in wagers:
        if not any(wager in group and not {*group}.isdisjoint(compatible) for group in groups):
            compatible.append(wager)
    return compatible


def base_stakes(rules: TableRules) -> dict[int, dict[str, int]]:
    """Stakes by seat: every wager at the first, then one hand each if there is room for it."""
    stakes = {1: {wager: least_stake(rules, wager) for wager in together(rules, rules.offers)}}
    for seat, wager in zip(range(2, patrons(rules) + 1), (PLAYER.id, BANKER.id), strict=False):
        minimum = least_stake(rules, wager)
        placed = [one for wagers in stakes.values() for one in wagers.items()]
        for cents in (fitting_stake(rules, wager, 2 * minimum), minimum):
            if above_limit_of_all([*placed, (wager, cents)], rules) is None:
                stakes[seat] = {wager: cents}
                break
    return stakes
