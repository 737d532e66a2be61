"""Registration of starts: how each is reached, and what it requires of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from croupier import acts
from croupier.money.stax import commitment_to
from croupier.scenarios.plainest import secret_of
from croupier.scenarios.stage import Stage
from croupier.table.parts.curator import CuratorState
from croupier.table.parts.progressive import Progressive

Builder = Callable[[Stage], None]
Needs = Callable[[Stage], bool]

NATURAL: Final = "8h 9d Kh Ks"
"""Two naturals: Player's Hand has eight, Banker's nine."""


class Recipe(NamedTuple):
    """A recipe for a start: its predecessor, requirements, and commands.

    ``given`` marks a start with a state partly set by hand, because no short list of commands leads
    to it.
    """

    title: str
    after: str | None
    needs: Needs
    build: Builder
    given: bool


class Recipes(dict[str, Recipe]):
    """Recipes by name, each after its predecessor."""

    def start(
        self, title: str, after: str | None, needs: Needs | str = "", *, given: bool = False
    ) -> Callable[[Builder], Builder]:
        """Register a recipe under the name of the decorated function.

        ``needs`` is what it requires of a table: a predicate, or the id of a rule in force.
        """

        def in_force(stage: Stage) -> bool:
            return not needs or stage.rules.applies(str(needs))

        def register(build: Builder) -> Builder:
            name = build.__name__.strip("_").replace("_", "-")
            needed = in_force if isinstance(needs, str) else needs
            self[name] = Recipe(title, after, needed, build, given)
            return build

        return register


def has_shoe(stage: Stage) -> bool:
    return not stage.rules.elected("device", "continuous")


def everybody_leaves(stage: Stage) -> None:
    for seat in tuple(stage.state.seats):
        stage.execute(acts.LeaveTable(seat))


def take_shoe(stage: Stage) -> None:
    while stage.state[CuratorState].asked:
        stage.go_on()


def make_ready(stage: Stage) -> None:
    """Have the shoe taken and a mystery value committed, so that any wager can be placed."""
    take_shoe(stage)
    stax = stage.rules.applies("wagers.royal_9.stax")
    if stax and not stage.state[Progressive].commitment:
        stage.execute(acts.CommitMystery(commitment_to(secret_of(stage.state))))
