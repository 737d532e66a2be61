"""The recipes of every start, in order of dependency."""

from __future__ import annotations

from typing import Final

from croupier.scenarios.recipes import endings, progressive, recipe, rounds

__all__ = ["RECIPES"]

RECIPES: Final = recipe.Recipes(
    recipe.RECIPES | rounds.RECIPES | endings.RECIPES | progressive.RECIPES
)
