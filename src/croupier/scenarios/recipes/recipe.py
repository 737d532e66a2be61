"""Recipes of starts, and those of the opening of a table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final, NamedTuple

from croupier import acts
from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.money.stax import commitment_to
from croupier.scenarios.people import DEALER, FLOORPERSON, NOON, PIT_CLERK, least_stake, patrons
from croupier.scenarios.plainest import secret_of
from croupier.scenarios.stage import Stage
from croupier.table import Phase
from croupier.table.parts.curator import CuratorState
from croupier.table.parts.progressive import Progressive

Builder = Callable[[Stage], None]
Needs = Callable[[Stage], bool]

NATURAL: Final = "8h 9d Kh Ks"
"""Two naturals: Player's Hand has eight, Banker's nine."""


def play_natural(stage: Stage) -> None:
    """Play two naturals, of other suits and ranks once the shoe has no more of the usual ones."""
    for hand in (NATURAL, "7h 7d Ah 2s", "6h 6d 2h 3s", "5h 5d 3h 4s"):
        unseen, cards = [*stage.state.shoe.unseen], []
        for model in parse_cards(hand):
            candidates = (card for card in (model, *DECK) if card.rank is model.rank)
            for card in [card for card in candidates if unseen[card.index]][:1]:
                cards.append(card)
                unseen[card.index] -= 1
        if len(cards) == len(parse_cards(hand)):
            stage.play(cards)
            return


class Recipe(NamedTuple):
    """A recipe for a start; ``given`` if its state is partly set by hand."""

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
        """Register a recipe; ``needs`` is a predicate of a stage, or the id of a rule in force."""

        def in_force(stage: Stage) -> bool:
            return not needs or stage.rules.applies(str(needs))

        def register(build: Builder) -> Builder:
            name = build.__name__.strip("_").replace("_", "-")
            condition = in_force if isinstance(needs, str) else needs
            self[name] = Recipe(title, after, condition, build, given)
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


RECIPES: Final = Recipes()

_CHIPS_CENTS: Final = 10_000_000
_OPENED_ON: Final = date(2030, 1, 1)
INVENTORY_CENTS: Final = 1_000_000_000


@RECIPES.start("A new table, closed", None)
def _closed(stage: Stage) -> None:
    """Begin with a new table."""


@RECIPES.start("The table is open", "closed")
def _open(stage: Stage) -> None:
    stage.execute(acts.OpenTable(INVENTORY_CENTS, DEALER, FLOORPERSON, _OPENED_ON))


@RECIPES.start("Patrons have sat down and bought chips", "open")
def _seated(stage: Stage) -> None:
    rules = stage.rules
    if rules.applies("forms.prepared"):
        stage.execute(acts.ReceiveForms(PIT_CLERK, 101, 199))
    if rules.applies("decks.change"):
        stage.execute(acts.RecordTime(NOON))
    cents = sum(least_stake(rules, wager) for wager in rules.offers)
    for seat in range(1, patrons(rules) + 1):
        stage.execute(acts.SeatPatron(seat, f"Patron {seat}"))
        stage.execute(acts.BuyChips(seat, max(_CHIPS_CENTS, 100 * cents)))


@RECIPES.start("Preshuffled cards have arrived", "seated")
def _preshuffled(stage: Stage) -> None:
    stage.execute(acts.ReceiveCards(stage.rules.value("decks", int), preshuffled=True))


@RECIPES.start("The stack has been riffled and turned once", "to-shuffle", "shuffle.steps")
def _stack_turned(stage: Stage) -> None:
    stage.execute(acts.PerformShuffleStep("riffle"), acts.PerformShuffleStep("turn"))


@RECIPES.start("Every patron has declined the cut", "to-cut", has_shoe)
def _cut_declined(stage: Stage) -> None:
    while stage.state.cut.asked is not None:
        stage.execute(acts.DeclineCut(stage.state.cut.asked))


@RECIPES.start("The first card to be burned has been drawn", "to-burn", has_shoe)
def _burning(stage: Stage) -> None:
    stage.execute(acts.DrawCard(Card.of("2s")))


@RECIPES.start("Open for wagers, and the shoe on offer where patrons deal", "seated")
def _offered_play(stage: Stage) -> None:
    stage.until(Phase.BETTING)


@RECIPES.start("Open for wagers", "offered-play")
def _betting(stage: Stage) -> None:
    make_ready(stage)
