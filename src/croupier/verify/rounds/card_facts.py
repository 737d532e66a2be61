"""The card information that wagers need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.baccarat.coup import CardFacts, Facts
from croupier.baccarat.wagers import FACTS, ByFacts, Wager
from croupier.records.rounds.record import RoundRecord, Shown

ALL: Final = frozenset({"value", "rank", "suit", "color"})
"""The information given by a whole card."""

_BY_RANK: Final = {rank: DECK[place] for place, rank in enumerate(Rank)}
_FIRST_TWO: Final = 2


def wanted_by(wager: Wager) -> frozenset[str]:
    """Return the card information a wager needs, as in ``CardPart.tells``."""
    if isinstance(wager.line_of, ByFacts):
        parts = [part for name in wager.line_of.asked for part in FACTS[name].parts]
        return frozenset().union(*(part.tells for part in parts))
    if "cards" in wager.asks or "royals" in wager.asks:
        return ALL
    return frozenset({"rank"}) if "pairs" in wager.asks else frozenset()


def recorded_details(cards: Sequence[Shown], *, tens_alike: bool) -> frozenset[str]:
    """Return the information recorded for every card."""
    if any(not isinstance(card, Card) for card in cards):
        blurred = tens_alike and any(card is Rank.TEN for card in cards)
        return frozenset({"value"} if blurred else {"value", "rank"})
    blurred = tens_alike and any(isinstance(c, Card) and c.rank is Rank.TEN for c in cards)
    return ALL - {"rank"} if blurred else ALL


def card_facts(record: RoundRecord, facts: Facts) -> CardFacts | None:
    """Return facts with the cards that the rules require; a suit not recorded may be any."""
    player, banker = list(record.player), list(record.banker)
    # A third card of Player's that belonged to Banker is placed in Banker's Hand.
    if len(banker) < facts.banker_cards and len(player) > facts.player_cards:
        banker.append(player[facts.player_cards])
    hands = []
    for cards, number in ((player, facts.player_cards), (banker, facts.banker_cards)):
        whole = [card if isinstance(card, Card) else _BY_RANK[card] for card in cards if card]
        if len(whole) < max(number, _FIRST_TWO):
            return None
        hands.append(tuple(whole[:number]))
    return CardFacts.of(hands[0], hands[1])
