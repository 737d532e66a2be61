"""Starts from the opening of the table to the first wagers."""

from __future__ import annotations

from datetime import date
from typing import Final

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.scenarios.people import DEALER, FLOORPERSON, NOON, PIT_CLERK
from croupier.scenarios.recipes.recipe import Recipes, has_shoe, make_ready
from croupier.scenarios.stage import Stage
from croupier.scenarios.stakes import least_stake, patrons
from croupier.table import Phase

RECIPES: Final = Recipes()

_CHIPS_CENTS: Final = 10_000_000
_OPENED_ON: Final = date(2030, 1, 1)
INVENTORY_CENTS: Final = 1_000_000_000


@RECIPES.start("A new table, closed", None)
def _closed(stage: Stage) -> None:
    """Begin with a new table."""


@RECIPES.start("The table is open", "closed")
def _open(stage: Stage) -> None:
    stage.execute(acts.OpenTable(INVENTORY_CENTS, DEALER, FLOORPERSON, _OPENED_ON))


@RECIPES.start("Patrons have sat down and bought chips", "open")
def _seated(stage: Stage) -> None:
    rules = stage.rules
    if rules.applies("forms.prepared"):
        stage.execute(acts.ReceiveForms(PIT_CLERK, 101, 199))
    if rules.applies("decks.change"):
        stage.execute(acts.RecordTime(NOON))
    staked = sum(least_stake(rules, wager) for wager in rules.offers)
    for seat in range(1, patrons(rules) + 1):
        stage.execute(acts.SeatPatron(seat, f"Patron {seat}"))
        stage.execute(acts.BuyChips(seat, max(_CHIPS_CENTS, 100 * staked)))


@RECIPES.start("Preshuffled cards have arrived", "seated")
def _preshuffled(stage: Stage) -> None:
    stage.execute(acts.ReceiveCards(stage.rules.value("decks", int), preshuffled=True))


@RECIPES.start("The stack has been riffled and turned once", "to-shuffle", "shuffle.steps")
def _stack_turned(stage: Stage) -> None:
    stage.execute(acts.PerformShuffleStep("riffle"), acts.PerformShuffleStep("turn"))


@RECIPES.start("Every patron has declined the cut", "to-cut", has_shoe)
def _cut_declined(stage: Stage) -> None:
    while stage.state.cut.asked is not None:
        stage.execute(acts.DeclineCut(stage.state.cut.asked))


@RECIPES.start("The first card to be burned has been drawn", "to-burn", has_shoe)
def _burning(stage: Stage) -> None:
    stage.execute(acts.DrawCard(Card.of("2s")))


@RECIPES.start("Open for wagers, and the shoe on offer where patrons deal", "seated")
def _offered_play(stage: Stage) -> None:
    stage.until(Phase.BETTING)


@RECIPES.start("Open for wagers", "offered-play")
def _betting(stage: Stage) -> None:
    make_ready(stage)
