"""The stakes that scenarios put on a layout, within any limits that are posted."""

from __future__ import annotations

from typing import Final

from croupier.baccarat.wagers import BANKER, PLAYER, Moment
from croupier.rules import Offer, TableRules

_PLAIN_STAKE_CENTS: Final = 10_000
"""A stake where no limits are posted."""


MOST_LOSSES: Final = 4
"""How many rounds a patron loses at the most to be short of chips: a shoe has cards for them."""


def patrons(rules: TableRules) -> int:
    """Return how many patrons sit at the table: three, or as many as it has seats for."""
    return min(3, rules.submission.layout.seats)


def least_stake(rules: TableRules, wager: str) -> int:
    """Return the least stake in cents that a wager takes, or a plain one where none is posted."""
    offer = rules.offers[wager]
    return _PLAIN_STAKE_CENTS if offer.limit is None else offer.limit.min_cents


def fitting_stake(rules: TableRules, wager: str, wanted_cents: int) -> int:
    """Return the most that a wager takes and that is no more than wanted, or the least it takes."""
    offer, least = rules.offers[wager], least_stake(rules, wager)
    most = wanted_cents if offer.limit is None else min(wanted_cents, offer.limit.max_cents)
    return least + max(most - least, 0) // offer.unit_cents * offer.unit_cents


def waiving_stakes(rules: TableRules) -> dict[str, int]:
    """Return a stake on Banker, and as much as goes, at most as much each, on what waives."""
    bearing = rules.bearing.wager.id
    cents = least_stake(rules, bearing)
    waiving = (name for name, offer in rules.offers.items() if offer.wager.waives_vigorish)
    return {bearing: cents, **{wager: fitting_stake(rules, wager, cents) for wager in waiving}}


def early_offer(rules: TableRules) -> Offer | None:
    """Return the wager on offer that is settled by the first four cards."""
    early = (one for one in rules.offers.values() if one.wager.settled_at is Moment.FOUR_CARDS)
    return next(early, None)


def needing_offer(rules: TableRules) -> Offer | None:
    """Return the first wager on offer that needs another beside it."""
    return next((offer for offer in rules.offers.values() if offer.needs), None)


def early_stakes(rules: TableRules, wager: str) -> tuple[int, int]:
    """Return the stakes on an early wager that are tried: the least, and a cent more if it may."""
    least = least_stake(rules, wager)
    return least, fitting_stake(rules, wager, least + 1)


def base_stakes(rules: TableRules) -> dict[int, dict[str, int]]:
    """Return stakes by seat: everything from the first, and one hand from each of the others."""
    stakes = {1: {wager: least_stake(rules, wager) for wager in rules.offers}}
    for seat, wager in zip(range(2, patrons(rules) + 1), (PLAYER.id, BANKER.id), strict=False):
        stakes[seat] = {wager: fitting_stake(rules, wager, 2 * least_stake(rules, wager))}
    return stakes
