"""A small blackjack game, by customary rules, for testing the side wagers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.blackjack.acts import HandOutcome, RoundOutcome, SeatOutcome
from croupier.blackjack.strategy import Move, move
from croupier.table.cards.chance import Chance

MOST_HANDS: Final = 4
"""Maximum number of hands per patron after splits."""

LEAST_PART: Final = Fraction(1, 4)
"""Fraction of a shoe below which it is reshuffled before the next round."""

BUST_ABOVE: Final = 21
DEALER_STANDS_ON: Final = 17
NATURAL_HALVES: Final = 3
"""What a natural wins, in halves of the stake: 3 to 2."""

CUSTOMS: Final = (
    f"The dealer stands on all {DEALER_STANDS_ON}s and checks for a natural. Double on any two "
    f"cards, also after a split; split to {MOST_HANDS} hands, one card on each split ace; no "
    "surrender, no insurance. A natural pays 3 to 2. Reshuffled below a quarter of the shoe."
)
"""The rules of the game in words."""

_ACE_MORE: Final = 10

_VALUE: Final = {
    rank: 1 if rank is Rank.ACE else int(rank.value) if rank.value.isdigit() else 10
    for rank in Rank
}

Cards = tuple[Card, ...]


def total(cards: Sequence[Card]) -> tuple[int, bool]:
    """Total, and whether it is soft.

    >>> from croupier.baccarat.cards import parse_cards
    >>> total(parse_cards("As 6h")), total(parse_cards("As 6h 9d"))
    ((17, True), (16, False))
    """
    count = sum(_VALUE[card.rank] for card in cards)
    soft = count + _ACE_MORE <= BUST_ABOVE and any(card.rank is Rank.ACE for card in cards)
    return count + _ACE_MORE * soft, soft


def is_natural(cards: Sequence[Card]) -> bool:
    return len(cards) == 2 and total(cards)[0] == BUST_ABOVE


def _value(card: Card) -> int:
    return total((card,))[0]


class DealtBlackjackRound(Struct, frozen=True):
    """A round as dealt: the dealer's cards, and each patron's hands in seat order."""

    dealer: Cards
    hands: Mapping[int, tuple[Cards, ...]]
    doubled: Mapping[int, tuple[bool, ...]]

    @property
    def dealer_natural(self) -> bool:
        return is_natural(self.dealer)

    def patron_natural(self, seat: int) -> bool:
        hands = self.hands[seat]
        return len(hands) == 1 and is_natural(hands[0])


def deal_round(seats: Sequence[int], cards: Iterable[Card]) -> DealtBlackjackRound:
    """Deal a round to seats, in the order given. Raises ``ValueError`` if the cards run out."""
    source = iter(cards)
    first_cards = [_draw(source) for _ in seats]
    up_card = _draw(source)
    second_cards = [_draw(source) for _ in seats]
    dealer: Cards = (up_card, _draw(source))
    hands: dict[int, tuple[Cards, ...]] = {}
    doubles: dict[int, tuple[bool, ...]] = {}
    for seat, initial_cards in zip(seats, zip(first_cards, second_cards, strict=True), strict=True):
        seat_hands = [_Hand(list(initial_cards))]
        if not is_natural(dealer):
            _play_seat(seat_hands, _value(up_card), source)
        hands[seat] = tuple(tuple(hand.cards) for hand in seat_hands)
        doubles[seat] = tuple(hand.doubled for hand in seat_hands)
    if any(_is_decided_by_the_dealer(all_of) for all_of in hands.values()):
        while total(dealer)[0] < DEALER_STANDS_ON:
            dealer = (*dealer, _draw(source))
    return DealtBlackjackRound(dealer, hands, doubles)


def _draw(source: Iterator[Card]) -> Card:
    card = next(source, None)
    if card is None:
        raise ValueError("the cards have run out before the end of the round")
    return card


# Hands with equal cards must remain distinct.
class _Hand(Struct, eq=False):
    cards: list[Card]
    doubled: bool = False
    from_split: bool = False

    @property
    def pair(self) -> int | None:
        """The value of a pair, tens and face cards alike; ``None`` if it is not a pair."""
        if len(self.cards) != 2:
            return None
        value, second_value = map(_value, self.cards)
        return value if value == second_value else None


def _play_seat(hands: list[_Hand], up_card: int, source: Iterator[Card]) -> None:
    place = 0
    while place < len(hands):
        hand = hands[place]
        if len(hand.cards) == 1:
            hand.cards.append(_draw(source))
        if not (hand.from_split and hand.cards[0].rank is Rank.ACE):
            _play_hand(hand, hands, up_card, source)
        if len(hand.cards) > 1:
            place += 1


def _play_hand(hand: _Hand, hands: list[_Hand], up_card: int, source: Iterator[Card]) -> None:
    while True:
        count, soft = total(hand.cards)
        if count >= BUST_ABOVE:
            return
        action = move(
            count,
            up_card,
            soft=soft,
            pair=hand.pair,
            may_split=len(hands) < MOST_HANDS,
            may_double=len(hand.cards) == 2,
        )
        match action:
            case Move.STAND:
                return
            case Move.SPLIT:
                hands.insert(hands.index(hand) + 1, _Hand([hand.cards.pop()], from_split=True))
                hand.from_split = True
                return
            case Move.DOUBLE:
                hand.doubled = True
                hand.cards.append(_draw(source))
                return
            case Move.HIT:
                hand.cards.append(_draw(source))


def _is_decided_by_the_dealer(hands: Sequence[Cards]) -> bool:
    natural = len(hands) == 1 and is_natural(hands[0])
    return not natural and any(total(hand)[0] <= BUST_ABOVE for hand in hands)


def outcome_of(dealt: DealtBlackjackRound) -> RoundOutcome:
    seats = tuple(
        SeatOutcome(
            seat, tuple(_ended(hand, dealt, natural=dealt.patron_natural(seat)) for hand in hands)
        )
        for seat, hands in dealt.hands.items()
    )
    return RoundOutcome(seats, dealt.dealer_natural)


def _ended(hand: Cards, dealt_round: DealtBlackjackRound, *, natural: bool) -> HandOutcome:
    own_total, dealer_total = total(hand)[0], total(dealt_round.dealer)[0]
    if natural != dealt_round.dealer_natural:
        return HandOutcome.WIN if natural else HandOutcome.LOSE
    if own_total > BUST_ABOVE:
        return HandOutcome.LOSE
    if dealer_total > BUST_ABOVE or own_total > dealer_total:
        return HandOutcome.WIN
    return HandOutcome.PUSH if own_total == dealer_total else HandOutcome.LOSE


class ReshufflingShoe:
    """Infinite cards from whole decks, reshuffled when a fraction is left.

    >>> shoe = ReshufflingShoe(8, Chance(seed=1))
    >>> outcome_of(deal_round([1], shoe)).seats[0].hands
    (<HandOutcome.WIN: 'win'>,)
    """

    def __init__(self, decks: int, chance: Chance) -> None:
        self._chance = chance
        self._decks = decks
        self._cards: list[Card] = []

    def __iter__(self) -> Iterator[Card]:
        return self

    def __next__(self) -> Card:
        if not self._cards:
            self._fill()
        return self._cards.pop()

    def _fill(self) -> None:
        self._cards = list(DECK * self._decks)
        self._chance.shuffle(self._cards)

    def between_rounds(self) -> None:
        """Reshuffle if few cards are left."""
        if len(self._cards) < LEAST_PART * self._decks * len(DECK):
            self._fill()
