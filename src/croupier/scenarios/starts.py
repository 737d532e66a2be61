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
    all_starts: dict[str, Start] = {}
    for name, recipe in RECIPES.items():
        if recipe.after is not None and recipe.after not in all_starts:
            continue
        stage = Stage(rules) if recipe.after is None else all_starts[recipe.after].stage.fork()
        if not recipe.needs(stage):
            continue
        recipe.build(stage)
        all_starts[name] = Start(name, recipe.title, recipe.after, stage, recipe.given)
        if name == "seated":
            all_starts |= _opening(all_starts[name])
    return all_starts


def _opening(seated: Start) -> dict[str, Start]:
    all_starts: dict[str, Start] = {}
    stage, last = seated.stage.fork(), seated.name
    while stage.state.phase is not Phase.BETTING:
        before = stage.state.phase
        stage.go_on()
        name = stage.state.phase.name.lower().replace("_", "-")
        if stage.state.phase is not before and name not in all_starts and name != "betting":
            title = f"The table is {stage.state.phase.value}"
            all_starts[name] = Start(name, title, last, stage)
            stage, last = stage.fork(), name
    return all_starts
