"""Net results of a wager on cards, for rounds dealt card by card."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from croupier.baccarat.cards import DECK_SIZE
from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import CARD_VALUE, first_two
from croupier.baccarat.wagers import CARDS
from croupier.odds.arrays import Floats
from croupier.odds.card_wagers import CardWager, card_wager_of, line_facts, lines_of_coups
from croupier.odds.counting import CountingError
from croupier.odds.dealing import Rules
from croupier.odds.royal import ROYAL_HANDS
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules

_VALUES = np.array(CARD_VALUE, dtype=np.int64)


class ResultEvaluator:
    """Settles one wager on cards for complete rounds.

    Raises ``KeyError`` for a wager not on offer, and ``CountingError`` for one that cannot be
    counted.
    """

    def __init__(self, rules: TableRules, wager: str, shoe: ShoeComposition) -> None:
        if shoe.suited is None:
            raise CountingError(f"{wager} depends on cards: give the shoe by card or by decks")
        offered = rules.offers[wager].wager
        if offered.asks[0] == CARDS:
            try:
                self._lookup = card_wager_of(offered)
            except ValueError as error:
                raise CountingError(str(error)) from error
            facts, _ = line_facts(rules, shoe, self._lookup)
        else:
            self._lookup, facts = _royals(wager)
        self._nets = np.array([_net(rules, wager, one) for one in facts])

    def results(self, cards: npt.NDArray[np.uint8], drawing: Rules) -> Floats:
        """Return the net result of a unit in rounds, each given by six cards in order."""
        values = _VALUES[cards]
        player = (values[:, 0] + values[:, 2]) % 10
        banker = (values[:, 1] + values[:, 3]) % 10
        open_ = (player < 8) & (banker < 8)
        own = open_ & (drawing.takes[np.minimum(player, 7)] != 0)
        third = np.where(own, values[:, 4], 10)
        other = open_ & (drawing.draws[third, np.minimum(banker, 7)] != 0)
        lines = lines_of_coups(self._lookup, cards, own.astype(np.int64), other.astype(np.int64))
        found: Floats = self._nets[lines]
        return found


def _net(rules: TableRules, wager: str, facts: Facts) -> float:
    return float(wager_sheet(rules, wager, {facts: 1}, meters=rules.meter_seeds).expectation)


def _royals(wager: str) -> tuple[CardWager, tuple[Facts, ...]]:
    names = ("", *ROYAL_HANDS)
    of_two = [
        names.index(first_two(one, other)[1]) for one, other in product(range(DECK_SIZE), repeat=2)
    ]
    # A third card changes nothing.
    hand = np.concatenate([of_two, np.repeat(of_two, DECK_SIZE)]).astype(np.uint16)
    pairs = list(product(names, repeat=2))
    facts = tuple(
        Facts(0, 0, 2, 2, player_royal=player, banker_royal=banker) for player, banker in pairs
    )
    line = np.arange(len(pairs), dtype=np.uint16).reshape(len(names), len(names))
    lines = tuple(f"{player}, {banker}" for player, banker in pairs)
    return CardWager(wager, lines, np.stack([hand, hand]), line), facts
