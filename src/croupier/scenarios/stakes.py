"""The stakes that scenarios put on a layout, within any limits that are posted."""

from __future__ import annotations

from typing import Final

from croupier.rules import TableRules

__all__ = [
    "MOST_LOSSES", "TOTAL_CARDS", "base_stakes", "fitting_stake", "house_money_stakes",
    "least_stake", "patrons", "waiving_stakes",
]  # fmt: skip

_PLAIN_STAKE_CENTS: Final = 10_000
"""A stake where no limits are posted."""


TOTAL_CARDS: Final = ("four_cards", "five_cards", "six_cards")


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
    """Return a stake on Banker, and on total cards as much as goes, at most as much each."""
    banker = least_stake(rules, "banker")
    total = {wager: fitting_stake(rules, wager, banker) for wager in TOTAL_CARDS}
    return {"banker": banker, **total}


def house_money_stakes(rules: TableRules) -> tuple[int, int]:
    """Return the stakes on House Money that are tried: the least, and a cent more if it may be."""
    least = least_stake(rules, "house_money")
    return least, fitting_stake(rules, "house_money", least + 1)


def base_stakes(rules: TableRules) -> dict[int, dict[str, int]]:
    """Return stakes by seat: everything from the first, and one hand from each of the others."""
    stakes = {1: {wager: least_stake(rules, wager) for wager in rules.offers}}
    for seat, wager in zip(range(2, patrons(rules) + 1), ("player", "banker"), strict=False):
        stakes[seat] = {wager: fitting_stake(rules, wager, 2 * least_stake(rules, wager))}
    return stakes
