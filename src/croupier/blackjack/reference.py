"""A small blackjack game, by customary rules, for testing the side wagers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Final

from msgspec import Struct

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.blackjack.acts import HandOutcome, RoundOutcome, SeatOutcome
from croupier.table.cards.chance import Chance

# --- a fixed basic strategy, general knowledge, not part of a regulation --------------------------


class Move(Enum):
    """A patron's next move."""

    HIT = "H"
    STAND = "S"
    DOUBLE = "D"
    SPLIT = "P"

    __hash__ = object.__hash__


UP_CARDS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
"""Values of the dealer's card, an ace last: the columns of the tables below."""

# H hit, S stand, D double or else hit, d double or else stand, P split, . by the total.
_HARD: Final[Mapping[int, str]] = {
    8: "HHHHHHHHHH",
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    13: "SSSSSHHHHH",
    14: "SSSSSHHHHH",
    15: "SSSSSHHHHH",
    16: "SSSSSHHHHH",
    17: "SSSSSSSSSS",
}
"""By hard total; less than eight as eight, more than 17 as 17."""

_SOFT: Final[Mapping[int, str]] = {
    12: "HHHHHHHHHH",
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "SddddSSHHH",
    19: "SSSSSSSSSS",
}
"""By soft total; more than nineteen as nineteen."""

PAIRS: Final[Mapping[int, str]] = {
    2: "PPPPPP....",
    3: "PPPPPP....",
    4: "...PP.....",
    5: "..........",
    6: "PPPPP.....",
    7: "PPPPPP....",
    8: "PPPPPPPPPP",
    9: "PPPPP.PP..",
    10: "..........",
    11: "PPPPPPPPPP",
}
"""By the value of the paired cards, an ace as eleven."""


def move(  # noqa: PLR0913  (each is a fact that the tables are read by)
    total: int, up_card: int, *, soft: bool, pair: int | None, may_split: bool, may_double: bool
) -> Move:
    """Return the strategy's move; ``pair`` is the value of two like cards.

    >>> move(16, 10, soft=False, pair=8, may_split=True, may_double=True)
    <Move.SPLIT: 'P'>
    >>> move(18, 4, soft=True, pair=None, may_split=False, may_double=False)
    <Move.STAND: 'S'>
    """
    column = UP_CARDS.index(up_card)
    if pair is not None and may_split and PAIRS[pair][column] == "P":
        return Move.SPLIT
    rows = _SOFT if soft else _HARD
    letter = rows[min(max(total, min(rows)), max(rows))][column]
    if letter in "Dd":
        if may_double:
            return Move.DOUBLE
        return Move.HIT if letter == "D" else Move.STAND
    return Move(letter)


# --- the game -------------------------------------------------------------------------------------

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
