"""The census of Royal 9: a nine and a jack, queen, or king as a hand's first two cards."""

from __future__ import annotations

from collections.abc import Sequence
from math import perm
from typing import Final, NamedTuple

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.baccarat.hand import FACES
from croupier.baccarat.tableau import Tableau
from croupier.odds.census import Census, PartialRound
from croupier.odds.shoe import ShoeComposition

ROYAL_HANDS: Final = {
    f"{nine} {face}": (nine, face)
    for nine in DECK
    if nine.rank is Rank.NINE
    for face in DECK
    if face.rank in FACES
}
"""The 48 hands of a nine and a face card by name: ``9h Kd``."""


class RoyalFacts(NamedTuple):
    """The Royal 9 hands among the first two cards, each a name in ``ROYAL_HANDS`` or ``None``."""

    player_hand: str | None
    banker_hand: str | None


class _Hand(NamedTuple):
    name: str
    missing: tuple[Card, ...]
    orders: int


def royal_census(
    shoe: ShoeComposition, tableau: Tableau, seen: Sequence[Card] = ()
) -> Census[RoyalFacts]:
    """Count every pair of Royal 9 hands, exactly.

    Arguments and errors are those of ``point_census``; ``ShoeError`` also without suits.

    >>> tableau = Tableau.of((), {count: "S" * 11 for count in range(10)})
    >>> census = royal_census(ShoeComposition.of_decks(8), tableau)
    >>> census.chance(lambda facts: facts.player_hand == "9h Kd")
    Fraction(4, 5395)
    """
    at = PartialRound.of(shoe, tableau, seen)
    left = at.left.suits_for("Royal 9")
    own, other = _hands(at.coup.player[:2]), _hands(at.coup.banker[:2])
    ways: dict[RoyalFacts, int] = {}
    for hand in own:
        ways[RoyalFacts(hand.name, None)] = _ways(at, left, hand)
    for hand in other:
        ways[RoyalFacts(None, hand.name)] = _ways(at, left, hand)
    # Ways of both hands are included in those of each, and are subtracted from them.
    for player in own:
        for banker in other:
            both = _ways(at, left, player, banker)
            ways[RoyalFacts(player.name, banker.name)] = both
            ways[RoyalFacts(player.name, None)] -= both
            ways[RoyalFacts(None, banker.name)] -= both
    ways[RoyalFacts(None, None)] = at.total - sum(ways.values())
    return Census(ways)


def _hands(known: Sequence[Card]) -> list[_Hand]:
    hands = []
    for name, cards in ROYAL_HANDS.items():
        missing = tuple(card for card in cards if card not in known)
        if len(missing) + len(known) == 2:
            hands.append(_Hand(name, missing, 1 if known else 2))
    return hands


def _ways(at: PartialRound, left: Sequence[int], *hands: _Hand) -> int:
    ways = 1
    missing: list[Card] = []
    for hand in hands:
        ways *= hand.orders
        for card in hand.missing:
            ways *= left[card.index] - missing.count(card)
            missing.append(card)
    return ways * perm(at.left.cards - len(missing), at.ahead - len(missing)) if ways else 0
