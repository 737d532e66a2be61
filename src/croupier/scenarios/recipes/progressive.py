"""Starts with a progressive wager."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import parse_cards
from croupier.money.stax import cards_text, mystery_cents
from croupier.scenarios.people import SECRET
from croupier.scenarios.recipes.recipe import Recipes
from croupier.scenarios.stage import Stage
from croupier.table.machine.state import with_slice
from croupier.table.parts.progressive import Progressive

RECIPES: Final = Recipes()

_STAX: Final = "wagers.royal_9.stax"


def _shows(stage: Stage, cents: int, **fields: Any) -> None:
    progressive = stage.state[Progressive]
    meters = {**progressive.meters, "stax": cents}
    stage.state = with_slice(stage.state, replace(progressive, meters=meters, **fields))


def _most(stage: Stage) -> int:
    return stage.rules.value("wagers.royal_9.stax.must_hit_by", int)


@RECIPES.start("The Stax meter shows its maximum", "settled", _STAX, given=True)
def _must_be_hit(stage: Stage) -> None:
    # Reaching the maximum by wagers would take too many commands.
    _shows(stage, _most(stage))


@RECIPES.start(
    "The mystery value was hit in an earlier round, and its secret withheld",
    "settled",
    _STAX,
    given=True,
)
def _withheld(stage: Stage) -> None:
    opening = cards_text(1, parse_cards("9h 8d"), parse_cards("Kh Ks"))
    commitment_cents = stage.state[Progressive].above_cents
    cents = mystery_cents(SECRET, opening, commitment_cents, _most(stage))
    _shows(stage, cents, opening=opening, stax_before=cents)


@RECIPES.start("The round is over for the progressive wager", "settled", _STAX)
def _mystery_kept(stage: Stage) -> None:
    while stage.state[Progressive].seats:
        stage.go_on()


@RECIPES.start("The mystery value was given up, because its secret was lost", "betting", _STAX)
def _given_up(stage: Stage) -> None:
    stage.execute(acts.ReplaceMystery("the secret was lost"))


@RECIPES.start("The mystery value was given up over wagers", "wagered", _STAX)
def _given_up_over_wagers(stage: Stage) -> None:
    stage.execute(acts.ReplaceMystery("the secret was lost"))
