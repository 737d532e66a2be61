"""Starts at the end of the shoe, and at an idle table."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from croupier import acts
from croupier.baccarat.cards import DECK_SIZE
from croupier.baccarat.wagers import BANKER, PLAYER
from croupier.scenarios.people import DEALER, FLOORPERSON, NOON, least_stake
from croupier.scenarios.plainest import sealing
from croupier.scenarios.recipes.recipe import (
    INVENTORY_CENTS,
    Recipes,
    everybody_leaves,
    has_shoe,
    make_ready,
    play_natural,
    take_shoe,
)
from croupier.scenarios.stage import Stage
from croupier.table import Phase
from croupier.table.cards.out_of_use import is_unsealed

RECIPES: Final = Recipes()

_IDLE: Final = "idle.spread"
_TIMED: Final = "decks.change"


@RECIPES.start(
    "The cutting card is far enough forward that the first round leads to the last hand",
    "cut",
    has_shoe,
)
def _last_card_first(stage: Stage) -> None:
    # The plainest burn is of two cards, unless the law fixes its number.
    burned = 2 if stage.rules.burned is None else stage.rules.burned
    size = stage.rules.decks_per_shoe * DECK_SIZE
    stage.execute(acts.InsertCuttingCards(size - burned - 1))
    stage.until(Phase.BETTING)
    make_ready(stage)


@RECIPES.start("The last hand has been called", "last-card-first")
def _last_hand(stage: Stage) -> None:
    stage.execute(acts.PlaceWager(1, BANKER.id, least_stake(stage.rules, BANKER.id)))
    play_natural(stage)


@RECIPES.start("The shoe is completed", "last-hand")
def _shoe_completed(stage: Stage) -> None:
    _complete(stage)


def _two_batches(stage: Stage) -> bool:
    return stage.rules.batches == 2


@RECIPES.start("The continuous device failed", "betting", lambda stage: not has_shoe(stage))
def _device_down(stage: Stage) -> None:
    stage.execute(acts.ReportDeviceFailure("no-device", FLOORPERSON, "it jammed"))


@RECIPES.start("The shoe is completed, and the shuffler failed", "shoe-completed", _two_batches)
def _shuffler_down(stage: Stage) -> None:
    _device_down(stage)


@RECIPES.start(
    "Other decks have been ordered within the shoe",
    "last-hand",
    lambda stage: (
        stage.state.phase is Phase.BETTING and stage.rules.reading("fresh_decks.when") != "closed"
    ),
)
def _decks_ordered(stage: Stage) -> None:
    stage.execute(acts.OrderDecks(FLOORPERSON, "worn"))


@RECIPES.start(
    "The shoe is completed, and other decks were ordered",
    "decks-ordered",
    lambda stage: stage.rules.reading("ordered_decks.when") == "shoe",
)
def _ordered_decks_due(stage: Stage) -> None:
    _complete(stage)
    for seat, patron in stage.state.seats.items():
        if patron.owed_cents:
            stage.execute(acts.CollectVigorish(seat))


def _complete(stage: Stage) -> None:
    for _ in range(5 + stage.rules.value("shoe.hands_after_call", int)):
        if stage.state.phase is Phase.SHOE_COMPLETED:
            return
        take_shoe(stage)
        stage.execute(acts.PlaceWager(1, PLAYER.id, least_stake(stage.rules, PLAYER.id)))
        play_natural(stage)


@RECIPES.start("The cards are to be shuffled again", "shoe-completed")
def _reshuffling(stage: Stage) -> None:
    while stage.state.phase is Phase.SHOE_COMPLETED:
        stage.go_on()


@RECIPES.start("An idle table with its cards spread face down", "betting", _IDLE)
def _idle_face_down(stage: Stage) -> None:
    stage.execute(acts.DeclareIdle(face_up=False))


@RECIPES.start("Every patron has left", "betting")
def _nobody_there(stage: Stage) -> None:
    everybody_leaves(stage)


@RECIPES.start("The table has closed", "nobody-there")
def _closed_again(stage: Stage) -> None:
    stage.close()


@RECIPES.start("Notice of other elections has been recorded", "closed-again")
def _notice_recorded(stage: Stage) -> None:
    order = {"settlement.order": "payments-first"}
    stage.execute(acts.RecordNotice(order, "surveillance", NOON))


@RECIPES.start("An idle table that every patron has left", "nobody-there", _IDLE)
def _idle_nobody(stage: Stage) -> None:
    stage.execute(acts.DeclareIdle(face_up=False))


@RECIPES.start("An arriving patron has viewed the cards of an idle table", "idle-face-down", _IDLE)
def _idle_viewed(stage: Stage) -> None:
    stage.until(Phase.VIEWED)


@RECIPES.start(
    "A batch comes out of the shuffler after the table was idle", "idle-viewed", _two_batches
)
def _idle_batch_out(stage: Stage) -> None:
    stage.until(Phase.TO_FINISH, Phase.TO_CUT)


@RECIPES.start("A floorperson has directed a shuffle", "betting", "shuffle.directed")
def _shuffle_directed(stage: Stage) -> None:
    stage.execute(acts.DirectShuffle(FLOORPERSON))


@RECIPES.start("A set of decks with a name was taken off the table", "seated")
def _decks_removed(stage: Stage) -> None:
    decks = stage.rules.value("decks", int)
    stage.execute(acts.ReceiveCards(decks, name="set 1"))
    stage.execute(acts.FindWrongCard("foreign", FLOORPERSON))
    stage.execute(acts.RemoveCards())


@RECIPES.start(
    "The removed set is sealed, before others are received",
    "decks-removed",
    lambda stage: is_unsealed(stage.state, stage.rules),
)
def _removed_set_sealed(stage: Stage) -> None:
    stage.execute(acts.SealDecks(**sealing(stage.state)))


@RECIPES.start("The decks are past the hour at which they must be changed", "betting", _TIMED)
def _decks_too_old(stage: Stage) -> None:
    hours = stage.rules.value("decks.changed_within", int)
    day, hour = divmod(NOON.hour + hours, 24)
    stage.execute(acts.RecordTime(NOON.replace(day=NOON.day + day, hour=hour)))


@RECIPES.start("The table has opened again, and its decks are too old", "decks-too-old", _TIMED)
def _opened_with_old_decks(stage: Stage) -> None:
    everybody_leaves(stage)
    stage.close()
    following = (stage.state.gaming_date or NOON.date()) + timedelta(days=1)
    stage.execute(acts.OpenTable(INVENTORY_CENTS, DEALER, FLOORPERSON, following))
