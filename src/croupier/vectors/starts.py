"""Where scenarios begin: tables at every point of the procedure, each reached from another."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.rules import TableRules
from croupier.table import Phase
from croupier.vectors import recipes  # noqa: F401  (it registers what leads to each start)
from croupier.vectors.setting import RECIPES, Start
from croupier.vectors.stage import Stage

__all__ = ["Starts", "starts"]

Starts = Mapping[str, Start]


def starts(rules: TableRules) -> Starts:
    """Return every start that the rules of a table have room for, by name, in a fixed order."""
    found: dict[str, Start] = {}
    for name, recipe in RECIPES.items():
        if recipe.after is not None and recipe.after not in found:
            continue
        stage = Stage(rules) if recipe.after is None else found[recipe.after].stage.fork()
        if not recipe.needs(stage):
            continue
        recipe.build(stage)
        found[name] = Start(name, recipe.after, stage, recipe.given)
        if name == "seated":
            found |= _opening(found[name])
    return found


def _opening(seated: Start) -> dict[str, Start]:
    """Return a start for each phase that a table passes from its opening to the first wagers."""
    found: dict[str, Start] = {}
    stage, last = seated.stage.fork(), seated.name
    while stage.state.phase is not Phase.BETTING:
        before = stage.state.phase
        stage.go_on()
        name = stage.state.phase.name.lower().replace("_", "-")
        if stage.state.phase is not before and name not in found and name != "betting":
            found[name] = Start(name, last, stage)
            stage, last = stage.fork(), name
    return found
