"""The plan of a simulation: a shoe procedure as arrays for kernels, and the tally of a block."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Final, NamedTuple, Protocol

import numpy as np
from msgspec import Struct, field

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import CARDS
from croupier.files.errors import ListedError
from croupier.odds.arrays import Integers, ShoeProcedureArrays
from croupier.odds.card_wagers import CardWager, card_wagers_of
from croupier.odds.census import ROYAL_HANDS
from croupier.odds.rounds import shoe_procedure
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition
from croupier.rules import TableRules

MOST_PLAN_CARDS = 16 * 52
"""The cards of sixteen decks, more than any regulation allows in a shoe."""

MOST_BURNED = 11
"""The first card, and ten more if it is a ten or a face card."""


class SimulationError(ListedError):
    """A request that cannot be simulated; ``errors`` lists every reason."""


class Plan(Struct, frozen=True, dict=True):
    shoe: ShoeComposition
    course: ShoeProcedureArrays
    level: str
    """``counts``, ``pairs`` or ``royals``: the detail that the wagers on offer need."""
    card_wagers: tuple[CardWager, ...] = ()
    """Wagers on offer that depend on other cards; their lines are tallied separately."""

    @property
    def cells(self) -> int:
        return COUNT_CELLS if self.level == "counts" else PAIR_CELLS

    @property
    def royal_cells(self) -> int:
        return ROYAL_CELLS if self.level == "royals" else 0

    @property
    def hits(self) -> int:
        return sum(len(wager.lines) for wager in self.card_wagers)

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards of a full shoe as sorted indices of ``DECK``."""
        suited = self.shoe.suits_for("a simulation") if self.shoe.suited else _any_suits(self.shoe)
        return tuple(card for card, number in enumerate(suited) for _ in range(number))


def plan_of(
    rules: TableRules, *, shoe: ShoeComposition | None = None, cards_behind: int | None = None
) -> Plan:
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe) if shoe is None else shoe
    errors = []
    if not LEAST_CARDS <= shoe.cards <= MOST_PLAN_CARDS:
        errors.append(f"{shoe.cards} cards: a shoe must have {LEAST_CARDS} to {MOST_PLAN_CARDS}")
    offers = rules.offers.values()
    of_cards = [offer.wager.title for offer in offers if offer.wager.asks[0] == CARDS]
    facts = [ask for offer in offers if offer.wager.asks[0] != CARDS for ask in offer.wager.asks]
    level = max(facts, key=_LEVELS.index, default="counts")
    suited = ["Royal 9"] * (level == "royals") + of_cards
    if suited and shoe.suited is None:
        errors.append(
            f"{', '.join(suited)} depends on cards, but this shoe is specified by rank; specify it"
            " by card"
        )
    card_wagers: tuple[CardWager, ...] = ()
    try:
        card_wagers = card_wagers_of(rules)
    except ValueError as error:
        errors.append(str(error))
    single = rules.elected("device", "continuous")
    if single and cards_behind is not None:
        errors.append(
            "a continuous device has no cutting card: remove the number of cards behind it"
        )
    if errors:
        raise SimulationError(*errors)
    return Plan(shoe, _course(rules, shoe, cards_behind, single=single), level, card_wagers)


def _course(
    rules: TableRules, shoe: ShoeComposition, cards_behind: int | None, *, single: bool
) -> ShoeProcedureArrays:
    if single:
        return ShoeProcedureArrays.of(None, rules.tableau)
    try:
        course = shoe_procedure(rules, shoe, cards_behind)
    except ValueError as error:
        raise SimulationError(str(error)) from error
    most_burned = MOST_BURNED if course.burns else course.burned
    if shoe.cards < LEAST_CARDS + most_burned:
        raise SimulationError(
            f"{shoe.cards} cards: the burn may take {most_burned} and a round {LEAST_CARDS}, so "
            f"a shoe must have at least {LEAST_CARDS + most_burned}"
        )
    return ShoeProcedureArrays.of(course, rules.tableau)


def _any_suits(shoe: ShoeComposition) -> list[int]:
    suited = [0] * 52
    for rank, number in enumerate(shoe.ranks):
        for card in range(number):
            suited[rank + 13 * (card % 4)] += 1
    return suited


COUNT_CELLS: Final = 10 * 10 * 2 * 2
PAIR_CELLS: Final = COUNT_CELLS * 4
HANDS: Final = ("", *ROYAL_HANDS)
"""The first two cards of a hand for Royal 9, if any."""
ROYAL_CELLS: Final = len(HANDS) ** 2

_LEVELS: Final = ("counts", "pairs", "royals")


@cache
def facts_of(cells: int) -> tuple[Facts, ...]:
    """Facts of each cell.

    >>> facts_of(COUNT_CELLS)[((3 * 10 + 6) * 2 + 1) * 2 + 0][:4]
    (3, 6, 3, 2)
    """
    pairs = (False, True) if cells == PAIR_CELLS else (False,)
    return tuple(
        Facts(player, banker, player_cards, banker_cards, own, other)
        for player in range(10)
        for banker in range(10)
        for player_cards in (2, 3)
        for banker_cards in (2, 3)
        for own in pairs
        for other in pairs
    )


@cache
def royals_of() -> tuple[Facts, ...]:
    return tuple(
        Facts(0, 0, 2, 2, player_royal=own, banker_royal=other) for own in HANDS for other in HANDS
    )


WHOLE: Final = 2**63 - 1
"""Selects all rounds of a block."""


class TallyResult(Struct, frozen=True):
    """Tallied rounds; ``lengths`` counts completed shoes by number of rounds."""

    shoes: int
    cells: Integers
    royals: Integers
    lengths: Integers
    hits: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def rounds(self) -> int:
        return int(self.cells.sum())

    def plus(self, other: TallyResult) -> TallyResult:
        return TallyResult(
            self.shoes + other.shoes,
            self.cells + other.cells,
            self.royals + other.royals,
            self.lengths + other.lengths,
            self.hits + other.hits,
        )


class TallyBuffers(NamedTuple):
    cells: Integers
    royals: Integers
    lengths: Integers
    hits: Integers

    @classmethod
    def of(cls, plan: Plan) -> TallyBuffers:
        return cls(
            np.zeros(plan.cells, dtype=np.int64),
            np.zeros(plan.royal_cells, dtype=np.int64),
            np.zeros(plan.shoe.cards // 4 + 2, dtype=np.int64),
            np.zeros(plan.hits, dtype=np.int64),
        )

    def played(self, shoes: int) -> TallyResult:
        return TallyResult(shoes, self.cells, self.royals, self.lengths, self.hits)


class Engine(Protocol):
    @property
    def name(self) -> str: ...

    def play(self, block: int, most: int) -> TallyResult:
        """Play a block, or its first ``most`` rounds."""
