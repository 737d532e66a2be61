"""Starts at a progressive wager."""

from __future__ import annotations

from typing import Final

from croupier.scenarios.recipes.recipe import Recipes
from croupier.scenarios.stage import Stage
from croupier.table.parts.progressive import Progressive
from croupier.table.state import changed, with_slice

__all__ = ["RECIPES"]

RECIPES: Final = Recipes()


@RECIPES.start(
    "The Stax meter shows its maximum",
    "settled",
    lambda stage: stage.rules.applies("wagers.royal_9.stax"),
    given=True,
)
def _must_be_hit(stage: Stage) -> None:
    """Have the meter show all that it may: so many wagers are more than any list of commands."""
    progressive = stage.state[Progressive]
    most = stage.rules.value("wagers.royal_9.stax.must_hit_by", int)
    full = changed(progressive, meters={**progressive.meters, "stax": most})
    stage.state = with_slice(stage.state, full)
