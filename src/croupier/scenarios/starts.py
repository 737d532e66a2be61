"""Starts of scenarios at every point of the procedure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from croupier.rules import TableRules
from croupier.scenarios.recipes import RECIPES
from croupier.scenarios.stage import Stage
from croupier.table import Phase


class Start(NamedTuple):
    name: str
    title: str
    after: str | None
    stage: Stage
    given: bool = False


Starts = Mapping[str, Start]


def starts(rules: TableRules) -> Starts:
    """Return every start possible under the rules, in a fixed order."""
    found: dict[str, Start] = {}
    for name, recipe in RECIPES.items():
        if recipe.after is not None and recipe.after not in found:
            continue
        stage = Stage(rules) if recipe.after is None else found[recipe.after].stage.fork()
        if not recipe.needs(stage):
            continue
        recipe.build(stage)
        found[name] = Start(name, recipe.title, recipe.after, stage, recipe.given)
        if name == "seated":
            found |= _opening(found[name])
    return found


def _opening(seated: Start) -> dict[str, Start]:
    found: dict[str, Start] = {}
    stage, last = seated.stage.fork(), seated.name
    while stage.state.phase is not Phase.BETTING:
        before = stage.state.phase
        stage.go_on()
        name = stage.state.phase.name.lower().replace("_", "-")
        if stage.state.phase is not before and name not in found and name != "betting":
            title = f"The table is {stage.state.phase.value}"
            found[name] = Start(name, title, last, stage)
            stage, last = stage.fork(), name
    return found
