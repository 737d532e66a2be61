"""The recipes of every start, in order of dependency."""

from __future__ import annotations

from typing import Final

from croupier.scenarios.recipes import (
    endings,
    irregularities,
    opening,
    progressive,
    rounds,
    vigorish,
)
from croupier.scenarios.recipes.recipe import Recipes

__all__ = ["RECIPES"]

RECIPES: Final = Recipes(
    opening.RECIPES
    | rounds.RECIPES
    | vigorish.RECIPES
    | irregularities.RECIPES
    | endings.RECIPES
    | progressive.RECIPES
)
