"""The face-up cards of a shoe and a round at a table."""

from __future__ import annotations

from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Coup, Hand
from croupier.odds.knowledge import Knowledge, Seen
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules
from croupier.table.machine.state import RoundState, TableState


def known_at(state: TableState, rules: TableRules) -> tuple[ShoeComposition, Knowledge, int]:
    """Shoe before the round, the known cards, and the number of cards removed unseen.

    Unseen cards remain in that shoe. Raises ``ShoeError`` without a shoe in play.
    """
    shoe, round_ = state.shoe, state.round
    dealt = () if round_ is None else (*round_.coup.player, *round_.coup.banker)
    counts = list(shoe.unseen) or [0] * len(DECK)
    for card in dealt:
        counts[card.index] += 1
    before = ShoeComposition.of({card.notation: counts[card.index] for card in DECK})
    unseen = sum(shoe.unseen) - shoe.remaining
    if round_ is None or round_.coup == Coup(rules.tableau):
        return before, Knowledge(), unseen
    hands = {hand: _face_up(round_, hand, rules) for hand in Hand}
    return before, Knowledge(hands[Hand.PLAYER], hands[Hand.BANKER]), unseen


def _face_up(round_: RoundState, hand: Hand, rules: TableRules) -> tuple[Seen, ...]:
    cards: tuple[Card, ...] = round_.coup.hand(hand)
    dealing = len(round_.coup.banker) < 2 and not rules.elected("deal.option", "face-up")
    if dealing or (hand in round_.down and len(cards) < 3):
        return (None,) * len(cards)
    return (*cards[:2], None) if hand in round_.down else cards
