"""What every start of a scenario is made of: its name, what leads to it, and the stakes on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from croupier.baccarat.wagers import BANKER, PLAYER, Moment
from croupier.rules import Offer, TableRules
from croupier.vectors.plain import state_data, steps_data
from croupier.vectors.stage import Stage

__all__ = [
    "MOST_LOSSES", "RECIPES", "Recipe", "Start", "base_stakes", "early_offer", "early_stakes",
    "fitting_stake", "least_stake", "needing_offer", "patrons", "start", "waiving_stakes",
]  # fmt: skip

Builder = Callable[[Stage], None]
Needs = Callable[[Stage], bool]

_PLAIN_STAKE_CENTS: Final = 10_000
"""A stake where no limits are posted."""


MOST_LOSSES: Final = 4
"""How many rounds a patron loses at the most to be short of chips: a shoe has cards for them."""


class Recipe(NamedTuple):
    """What leads to a start: the one that it goes on from, what it needs, and what is done.

    ``given`` tells that part of the state is set by hand, where no short list of commands leads.
    """

    after: str | None
    needs: Needs
    build: Builder
    given: bool


class Start(NamedTuple):
    """A point at which scenarios begin.

    ``after`` names the start that it goes on from, a new table where it is ``None``; ``stage`` is
    the table, whose ``heard`` are the commands since then.
    """

    name: str
    after: str | None
    stage: Stage
    given: bool = False

    def as_data(self) -> dict[str, Any]:
        """Return the start as plain data: the steps that lead to it, and its whole state."""
        return {
            "name": self.name,
            "after": self.after,
            "given": self.given,
            "steps": steps_data(self.stage.heard),
            "state": state_data(self.stage.state),
        }


RECIPES: Final[dict[str, Recipe]] = {}
"""Every start that there may be, by its name, each after the one that it goes on from."""


def _always(stage: Stage) -> bool:
    del stage
    return True


def start(
    after: str | None, needs: Needs = _always, *, given: bool = False
) -> Callable[[Builder], Builder]:
    """Register what leads from one start to another, where the rules leave room for it."""

    def register(build: Builder) -> Builder:
        name = build.__name__.strip("_").replace("_", "-")
        RECIPES[name] = Recipe(after, needs, build, given)
        return build

    return register


def patrons(rules: TableRules) -> int:
    """Return how many patrons sit at the table: three, or as many as it has seats for."""
    return min(3, rules.submission.layout.seats)


def least_stake(rules: TableRules, wager: str) -> int:
    """Return the least stake in cents that a wager takes, or a plain one where none is posted."""
    offer = rules.offers[wager]
    return _PLAIN_STAKE_CENTS if offer.limit is None else offer.limit.least_cents


def fitting_stake(rules: TableRules, wager: str, wanted_cents: int) -> int:
    """Return the most that a wager takes and that is no more than wanted, or the least it takes."""
    offer, least = rules.offers[wager], least_stake(rules, wager)
    most = wanted_cents if offer.limit is None else min(wanted_cents, offer.limit.most_cents)
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
