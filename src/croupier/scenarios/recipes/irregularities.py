"""Starts with irregularities of cards."""

from __future__ import annotations

from typing import Final

from croupier import acts
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import CARD_VALUE
from croupier.scenarios.people import FLOORPERSON
from croupier.scenarios.recipes.recipe import Recipes
from croupier.scenarios.stage import Stage
from croupier.scenarios.stakes import base_stakes
from croupier.table import Phase

RECIPES: Final = Recipes()


@RECIPES.start("A card drawn in error is held for the next hand", "betting")
def _card_held(stage: Stage) -> None:
    stage.execute(acts.DrawCardInError(Card.of("9h"), disclosed=False))


@RECIPES.start("No more bets, with a held card to be used first", "card-held")
def _held_card_called(stage: Stage) -> None:
    for seat, stakes in base_stakes(stage.rules).items():
        stage.execute(acts.PlaceWagers(seat, stakes))
    stage.execute(acts.CallNoMoreBets())


@RECIPES.start("A card drawn in error has been disclosed", "betting")
def _card_disclosed(stage: Stage) -> None:
    stage.execute(acts.DrawCardInError(Card.of("5h"), disclosed=True))


@RECIPES.start("A card has been found face up in the shoe", "wagered")
def _found_face_up(stage: Stage) -> None:
    stage.execute(acts.FindFaceUpCard(Card.of("5h")))


@RECIPES.start(
    "A simulated round has begun", "card-disclosed", lambda stage: bool(stage.state.simulate_with)
)
def _simulated(stage: Stage) -> None:
    stage.execute(acts.BeginSimulatedRound())


@RECIPES.start("Every nine of hearts has left the shoe", "betting")
def _nine_gone(stage: Stage) -> None:
    for _ in range(stage.state.shoe.decks):
        stage.execute(acts.DrawCardInError(Card.of("9h"), disclosed=False))


@RECIPES.start("Another card is held, too", "nine-gone")
def _nine_gone_and_another(stage: Stage) -> None:
    stage.execute(acts.DrawCardInError(Card.of("2c"), disclosed=False))


@RECIPES.start("The shoe was found empty before its count", "betting")
def _cards_flawed(stage: Stage) -> None:
    stage.execute(acts.FindShoeEmpty(FLOORPERSON))


@RECIPES.start(
    "The shoe was found empty before its count, with deferred vigorish owed",
    "second-round",
    lambda stage: stage.state.owed_cents > 0,
)
def _cards_flawed_owing(stage: Stage) -> None:
    stage.execute(acts.FindShoeEmpty(FLOORPERSON))


@RECIPES.start("The shoe was found empty while House Money is due", "house-money")
def _house_money_cards_flawed(stage: Stage) -> None:
    stage.execute(acts.FindShoeEmpty(FLOORPERSON))


@RECIPES.start("The shoe has run out after two cards of a round", "two-dealt")
def _shoe_empty(stage: Stage) -> None:
    _run_out(stage)


@RECIPES.start("The shoe has run out before the last card of a round", "banker-draws")
def _shoe_empty_last(stage: Stage) -> None:
    _run_out(stage)


@RECIPES.start("A round has been void because the shoe ran out of cards", "shoe-empty")
def _round_void(stage: Stage) -> None:
    while stage.state.phase is not Phase.SHOE_COMPLETED:
        stage.go_on()


def _run_out(stage: Stage) -> None:
    while stage.state.shoe.remaining:
        if stage.state.to_discard:
            card = None if stage.state.discard_unseen else _any_card(stage)
            stage.execute(acts.DrawCard(card))
        else:
            # A burn card of high value takes more cards, if any are burned after it.
            stage.execute(acts.FindFaceUpCard(_any_card(stage)))


def _any_card(stage: Stage) -> Card:
    unseen = stage.state.shoe.unseen
    there = [card for card in DECK if unseen[card.index]]
    return max(there, key=lambda card: (unseen[card.index], CARD_VALUE[card.index]))
