"""The known cards of a round: each entirely, by rank or value, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from croupier.baccarat.cards import DECK, Card, Rank, parse_shown
from croupier.baccarat.coup import CARD_VALUE, POINT_VALUE, Coup, CoupError, Hand, Tableau, any_suit
from croupier.odds.shoe import ShoeComposition, ShoeError

if TYPE_CHECKING:
    from croupier.rules import TableRules
    from croupier.table.machine.state import RoundState, TableState

Seen: TypeAlias = Card | Rank | int | None
"""A card, or only its rank or value (0 to 9); ``None`` if face down."""

_MOST: Final = 3
_TEN_VALUED: Final = "0"


class Knowledge(Struct, frozen=True):
    """The known cards of a round, by hand in dealing order. Unlisted cards are unknown.

    A listed third card was drawn; if only Banker's is listed, Player drew none.

    >>> Knowledge.of("9h,2c", "?,?").banker
    (None, None)
    """

    player: tuple[Seen, ...] = ()
    banker: tuple[Seen, ...] = ()

    @classmethod
    def of(cls, player: str = "", banker: str = "") -> Knowledge:
        """Read both hands. Raises ``ValueError``, and ``CoupError`` for a fourth card."""
        hands = parse_seen(player), parse_seen(banker)
        for hand, seen in zip(Hand, hands, strict=True):
            if len(seen) > _MOST:
                raise CoupError(f"the {hand.title} has at most {_MOST} cards, not {len(seen)}")
        return cls(*hands)

    @classmethod
    def dealt(cls, tableau: Tableau, cards: Iterable[Card | Rank]) -> Knowledge:
        """Knowledge after these cards. Raises ``CoupError`` for a card that no hand takes."""
        coup, hands = Coup(tableau), {hand: list[Seen]() for hand in Hand}
        for card in cards:
            due = coup.due
            coup = coup.with_card(any_suit(card))
            if due is not None:
                hands[due].append(card)
        return cls(*(tuple(hands[hand]) for hand in Hand))

    @property
    def cards(self) -> tuple[Seen, ...]:
        return (*self.player, *self.banker)

    def values(self) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
        return tuple(map(_value, self.player)), tuple(map(_value, self.banker))

    def left_by_value(self, shoe: ShoeComposition) -> list[int]:
        """Raise ``ShoeError`` if known cards are missing, or the shoe has fewer than six."""
        shoe.check_round()
        # Whole cards first, so that a missing one is named in the error.
        left = shoe.without(card for card in self.cards if isinstance(card, Card))
        ranks, values = dict(zip(Rank, left.ranks, strict=True)), list(left.by_value)
        for card in self.cards:
            if isinstance(card, Rank):
                ranks[card] -= 1
                values[POINT_VALUE[card]] -= 1
            elif isinstance(card, int):
                values[card] -= 1
        short = [f"rank {rank.value}" for rank, count in ranks.items() if count < 0]
        short += [f"value {value}" for value, count in enumerate(values) if count < 0]
        if short:
            raise ShoeError(f"more cards of {' and '.join(short)} were seen than the shoe holds")
        return values

    def __str__(self) -> str:
        hands = (("Player", self.player), ("Banker", self.banker))
        hand_texts = [f"{name} {' '.join(map(seen_text, hand))}" for name, hand in hands if hand]
        return ", ".join(hand_texts) or "no cards"


def _value(card: Seen) -> int | None:
    if isinstance(card, Card):
        return CARD_VALUE[card.index]
    return POINT_VALUE[card] if isinstance(card, Rank) else card


def may_be(seen: Seen) -> frozenset[Card]:
    """Cards consistent with what is known about a card.

    >>> len(may_be(0)), len(may_be(Rank.NINE)), len(may_be(None))
    (16, 4, 52)
    """
    if isinstance(seen, Card):
        return frozenset([seen])
    if isinstance(seen, Rank):
        return frozenset(card for card in DECK if card.rank is seen)
    return frozenset(card for card in DECK if seen is None or CARD_VALUE[card.index] == seen)


def seen_text(card: Seen) -> str:
    """Known card as text: ``9h``, ``9``, ``0`` for a value, ``?``."""
    if isinstance(card, Rank):
        return card.value
    return "?" if card is None else str(card)


def parse_seen(text: str) -> tuple[Seen, ...]:
    """Read the cards of a hand: card, rank, ``0`` for a value, ``?`` for unknown.

    Raises ``ValueError`` at the first invalid position.

    >>> [seen_text(one) for one in parse_seen("9h, K 0 ?")]
    ['9h', 'K', '0', '?']
    """
    cards: list[Seen] = []
    for part in re.split(r"[\s,]+", text):
        if part == _TEN_VALUED:
            cards.append(0)
        elif part:
            cards += parse_shown(part)
    return tuple(cards)


def known_at(state: TableState, rules: TableRules) -> tuple[ShoeComposition, Knowledge, int]:
    """Shoe before the round, the known cards, and the number of cards removed unseen.

    Unseen cards remain in that shoe. Raises ``ShoeError`` without a shoe in play.
    """
    shoe, round_ = state.shoe, state.round
    cards_dealt = () if round_ is None else (*round_.coup.player, *round_.coup.banker)
    counts = list(shoe.unseen) or [0] * len(DECK)
    for card in cards_dealt:
        counts[card.index] += 1
    full_shoe = ShoeComposition.of({card.notation: counts[card.index] for card in DECK})
    unseen = sum(shoe.unseen) - shoe.remaining
    if round_ is None or round_.coup == Coup(rules.tableau):
        return full_shoe, Knowledge(), unseen
    hands = {hand: _face_up(round_, hand, rules) for hand in Hand}
    return full_shoe, Knowledge(hands[Hand.PLAYER], hands[Hand.BANKER]), unseen


def _face_up(round_: RoundState, hand: Hand, rules: TableRules) -> tuple[Seen, ...]:
    cards: tuple[Card, ...] = round_.coup.hand(hand)
    dealing = len(round_.coup.banker) < 2 and not rules.elected("deal.option", "face-up")
    if dealing or (hand in round_.down and len(cards) < 3):
        return (None,) * len(cards)
    return (*cards[:2], None) if hand in round_.down else cards
