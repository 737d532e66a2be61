"""The coup: hands and Point Counts, the third-card rules, and the required cards of one round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.baccarat.cards import DECK, Card, Rank, face, faces


class Hand(Enum):
    """One of the two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"

    # Sound, because members are singletons, and faster than Enum's hash.
    __hash__ = object.__hash__

    @property
    def title(self) -> str:
        """``Player's Hand`` or ``Banker's Hand``."""
        return _TITLE[self]

    @property
    def other(self) -> Hand:
        return Hand.BANKER if self is Hand.PLAYER else Hand.PLAYER


_TITLE: Final = {Hand.PLAYER: "Player's Hand", Hand.BANKER: "Banker's Hand"}

POINT_VALUE: Final = {rank: min(number, 10) % 10 for number, rank in enumerate(Rank, start=1)}
"""The value of each rank."""

CARD_VALUE: Final = tuple(POINT_VALUE[card.rank] for card in DECK)

TENS: Final = frozenset({Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING})
"""The ranks with value zero."""

FACES: Final = frozenset({Rank.JACK, Rank.QUEEN, Rank.KING})

NATURALS: Final = frozenset({8, 9})


def point_count(cards: Iterable[Card]) -> int:
    """Last digit of the sum of a hand's values.

    >>> from croupier.baccarat.cards import parse_cards
    >>> point_count(parse_cards("Ah 2c 9d"))
    2
    """
    return sum([CARD_VALUE[card.index] for card in cards]) % 10


def is_natural(count: int, cards: int) -> bool:
    """Whether a Point Count of a number of cards is a natural.

    >>> is_natural(8, 2), is_natural(8, 3)
    (True, False)
    """
    return cards == 2 and count in NATURALS


@cache
def first_two(first_index: int, second_index: int) -> tuple[bool, str]:
    """Whether two cards, by index, are a pair, and their Royal 9.

    >>> first_two(Card.of("Kd").index, Card.of("9h").index)
    (False, '9h Kd')
    """
    first, second = DECK[first_index], DECK[second_index]
    nine, face = (first, second) if first.rank is Rank.NINE else (second, first)
    royal = nine.rank is Rank.NINE and face.rank in FACES
    return first.rank is second.rank, f"{nine} {face}" if royal else ""


NO_THIRD_CARD = 10
"""The column of Banker's table if Player draws no third card."""


class Tableau(Struct, frozen=True):
    """The third-card rules.

    ``banker_draws`` is indexed by two-card Point Count, then the *value* of Player's third card.
    """

    player_draws: tuple[bool, ...]
    banker_draws: tuple[tuple[bool, ...], ...]

    @classmethod
    def of(cls, player: Collection[int], banker: Mapping[int, str | Sequence[str]]) -> Tableau:
        """Build from Player's drawing counts and Banker's rows of ``D`` and ``S``.

        A row is for no third card, then for values 0 to 9. Raises ``ValueError``.
        """
        rows = []
        for count in range(10):
            letters = banker.get(count, "")
            if len(letters) != 11 or not set(letters) <= {"D", "S"}:
                raise ValueError(
                    f"Banker's row {count} must have eleven letters D or S, not {letters!r}"
                )
            draws = tuple(letter == "D" for letter in letters)
            rows.append(draws[1:] + draws[:1])
        return cls(tuple(count in player for count in range(10)), tuple(rows))

    def player_draws_third(self, player: int, banker: int) -> bool:
        """Whether Player draws, from the two-card Point Counts."""
        return player not in NATURALS and banker not in NATURALS and self.player_draws[player]

    def banker_draws_third(self, player: int, banker: int, third: int) -> bool:
        """Whether Banker draws; ``third`` is the value of Player's third card."""
        if player in NATURALS or banker in NATURALS:
            return False
        return self.banker_draws[banker][third]


TIED: Final = "tie"

WINNERS: Final = (*(hand.value for hand in Hand), TIED)

_INITIAL = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER)


def winner_name(winner: Hand | None) -> str:
    return TIED if winner is None else winner.value


class CoupError(ValueError):
    """A card was given to a complete coup."""


class Facts(NamedTuple):
    """The facts of a finished coup that decide wagers.

    Only required cards count. A Royal 9 is text, as ``"9h Kd"``, or empty.
    """

    player_count: int
    banker_count: int
    player_cards: int
    banker_cards: int
    player_pair: bool = False
    banker_pair: bool = False
    player_royal: str = ""
    banker_royal: str = ""

    @property
    def winner(self) -> Hand | None:
        """The hand with the higher Point Count; ``None`` for a tie."""
        if self.player_count == self.banker_count:
            return None
        return Hand.PLAYER if self.player_count > self.banker_count else Hand.BANKER

    @property
    def winner_name(self) -> str:
        return winner_name(self.winner)

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards


def facts_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Facts:
    """Facts of two hands.

    >>> from croupier.baccarat.cards import parse_cards
    >>> facts_of(parse_cards("9h Kd"), parse_cards("7c 7s 2d")).banker_count
    6
    """
    player_pair, player_royal = first_two(player[0].index, player[1].index)
    banker_pair, banker_royal = first_two(banker[0].index, banker[1].index)
    return Facts(
        point_count(player), point_count(banker), len(player), len(banker),
        player_pair, banker_pair, player_royal, banker_royal,
    )  # fmt: skip


class CardFacts(Facts):
    """The facts of a finished coup with its cards."""

    player_dealt: tuple[Card, ...]
    banker_dealt: tuple[Card, ...]

    @classmethod
    def of(cls, player: tuple[Card, ...], banker: tuple[Card, ...]) -> CardFacts:
        facts = cls(*facts_of(player, banker))
        facts.player_dealt, facts.banker_dealt = player, banker
        return facts

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CardFacts)
            and self.player_dealt == other.player_dealt
            and self.banker_dealt == other.banker_dealt
        )

    def __hash__(self) -> int:
        return hash((self.player_dealt, self.banker_dealt))


class Coup(Struct, frozen=True, dict=True):
    """The two hands, in progress or finished.

    >>> from croupier.baccarat.cards import parse_cards
    >>> tableau = Tableau.of(range(6), {n: "D" * 11 if n < 6 else "S" * 11 for n in range(10)})
    >>> coup = Coup.of(parse_cards("9h Kd Th 7c"), tableau)
    >>> coup.is_complete, coup.facts.winner
    (True, <Hand.PLAYER: 'player'>)
    """

    tableau: Tableau
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    @classmethod
    def of(cls, cards: Iterable[Card], tableau: Tableau) -> Coup:
        """Deal cards in order. Raises ``CoupError`` for one too many."""
        coup = cls(tableau)
        for card in cards:
            coup = coup.with_card(card)
        return coup

    @property
    def due(self) -> Hand | None:
        # Computed once; cached_property would lock.
        attributes = self.__dict__
        if "found_due" not in attributes:
            attributes["found_due"] = self._find_due()
        found: Hand | None = attributes["found_due"]
        return found

    def _find_due(self) -> Hand | None:
        cards_dealt = len(self.player) + len(self.banker)
        if cards_dealt < 4:
            return _INITIAL[cards_dealt]
        if len(self.banker) == 3:
            return None
        player, banker = point_count(self.player[:2]), point_count(self.banker)
        if len(self.player) == 2:
            if self.tableau.player_draws_third(player, banker):
                return Hand.PLAYER
            third = NO_THIRD_CARD
        else:
            third = CARD_VALUE[self.player[2].index]
        return Hand.BANKER if self.tableau.banker_draws_third(player, banker, third) else None

    @property
    def is_complete(self) -> bool:
        return self.due is None

    def with_card(self, card: Card) -> Coup:
        """Coup after one more card. Raises ``CoupError`` if none is due."""
        match self.due:
            case Hand.PLAYER:
                return Coup(self.tableau, (*self.player, card), self.banker)
            case Hand.BANKER:
                return Coup(self.tableau, self.player, (*self.banker, card))
            case None:
                raise CoupError(
                    f"no card is due, but {face(card)} was dealt to a finished round: {self}"
                )

    @property
    def facts(self) -> Facts:
        """The facts. Raises ``CoupError`` while a card is due."""
        due = self.due
        if due is not None:
            raise CoupError(f"the {due.title} still needs a card: {self}")
        return facts_of(self.player, self.banker)

    @property
    def initial_facts(self) -> Facts:
        """The facts of the first two cards of each hand. Raises ``CoupError`` before four cards."""
        if len(self.banker) < 2:
            raise CoupError(f"the first four cards are not dealt: {self}")
        return facts_of(self.player[:2], self.banker[:2])

    def hand(self, hand: Hand) -> tuple[Card, ...]:
        return self.player if hand is Hand.PLAYER else self.banker

    def __str__(self) -> str:
        player, banker = (faces(hand) or "-" for hand in (self.player, self.banker))
        return f"Player {player} / Banker {banker}"


def any_suit(card: Card | Rank) -> Card:
    """Card, or the first card of a rank.

    >>> any_suit(Rank.NINE)
    Card.of('9c')
    """
    return card if isinstance(card, Card) else next(one for one in DECK if one.rank is card)


def in_dealing_order(
    tableau: Tableau, hands: Mapping[Hand, Iterable[Card | Rank]]
) -> tuple[Card | Rank, ...]:
    """Cards of both hands in dealing order. Raises ``CoupError``."""
    coup = Coup(tableau)
    cards_left = {hand: list(cards) for hand, cards in hands.items()}
    order: list[Card | Rank] = []
    while any(cards_left.values()):
        due = coup.due
        if due is None or not cards_left.get(due):
            counts = " and ".join(
                f"{hand.value} {written(cards)}" for hand, cards in cards_left.items() if cards
            )
            whose = "no hand" if due is None else f"the {due.title}"
            raise CoupError(f"the next card goes to {whose}, but {counts} would be dealt")
        card = cards_left[due].pop(0)
        order.append(card)
        coup = coup.with_card(any_suit(card))
    return tuple(order)


def written(cards: Iterable[Card | Rank]) -> str:
    return " ".join(card.value if isinstance(card, Rank) else str(card) for card in cards)
