"""The exact census of hands, in the detail needed: see ``docs/odds.md``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import combinations, product
from math import comb, factorial, perm
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.baccarat.coup import CARD_VALUE, NO_THIRD_CARD, POINT_VALUE, Tableau
from croupier.odds.census import Census, values_of
from croupier.odds.knowledge import Knowledge, Seen, may_be
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition, ShoeError

Cards: TypeAlias = tuple[Card, ...]
Key = TypeVar("Key", bound=Hashable)

_RANKS: Final = tuple(Rank)


class CardView(NamedTuple):
    """The needed details of the cards of a round.

    Cards of one ``kind`` are interchangeable. ``asked`` are the details of Player's cards (0) and
    Banker's (1): the first two, or with ``whole`` all. ``points`` adds Point Counts, ``thirds`` the
    values of third cards, ``ordered`` the order of the first two.
    """

    what: str
    kind: Callable[[Card], Hashable]
    asked: Callable[[int, Cards], Hashable]
    whole: bool = False
    thirds: bool = False
    points: bool = True
    ordered: bool = False
    together: Callable[[Any, Any], Hashable] = lambda own, other: (own, other)


class _Pool(NamedTuple):
    cards: tuple[Card, ...]
    counts: list[int]
    places: tuple[tuple[int, ...], ...]
    """The possible kinds at each position: Player's first, second and third card, then Banker's."""


_Shared: TypeAlias = tuple[int, ...]
"""Sorted kinds of cards that two hands may share."""


class _Group:
    __slots__ = ("cards", "holding", "key")

    def __init__(self, cards: Cards, key: Any) -> None:
        self.cards = cards
        self.key = key
        """The common features of the hands, with the needed details last."""
        self.holding: dict[_Shared, int] = {}
        """Number of hands that contain given distinct cards, by their kinds."""


def hands_census(
    shoe: ShoeComposition, tableau: Tableau, known: Knowledge, view: CardView
) -> Census[tuple[Cards, Cards]]:
    """Count every pair of hands in a round, exactly, by the needed details.

    Each entry is an example, without points of first cards only. ``shoe`` includes the known cards.
    Raises ``ShoeError`` for impossible knowledge, or unknown suits.
    """
    known.left_by_value(shoe)
    pool = _pool(shoe, known, view)
    cards_dealt = len(known.player), len(known.banker)
    thirds = [pool.places[2 + 3 * hand] for hand in range(2) if cards_dealt[hand] == 3]
    doubtful = any(1 < len(place) < len(pool.cards) for place in thirds)
    if view.whole or doubtful or (thirds and not view.points):
        ways = _whole_hands(pool, tableau, cards_dealt, view)
    else:
        ways = _first_hands(pool, tableau, cards_dealt, view)
    if not ways:
        raise ShoeError(f"{known}: no round under this drawing table comes to that")
    return Census(ways)


def _pool(shoe: ShoeComposition, known: Knowledge, view: CardView) -> _Pool:
    hands = known.player, known.banker
    known_cards: list[Seen] = [one for hand in hands for one in (*hand, None, None, None)[:3]]
    if shoe.suited is None:
        # Known suits are ignored if the shoe has none.
        known_cards = [one.rank if isinstance(one, Card) else one for one in known_cards]
    allowed = [may_be(one) for one in known_cards]
    kinds: dict[Hashable, list[Card]] = {}
    for card in DECK:
        kinds.setdefault((view.kind(card), *(card in one for one in allowed)), []).append(card)
    cards, counts = [], []
    for cards_of_kind in kinds.values():
        number = _number(shoe, cards_of_kind, view)
        if number:
            cards.append(cards_of_kind[0])
            counts.append(number)
    places = tuple(tuple(at for at, card in enumerate(cards) if card in one) for one in allowed)
    return _Pool(tuple(cards), counts, places)


def _number(shoe: ShoeComposition, cards_of_kind: Sequence[Card], view: CardView) -> int:
    if shoe.suited is not None:
        return sum(shoe.suited[card.index] for card in cards_of_kind)
    of_ranks = Counter(card.rank for card in cards_of_kind)
    if any(number != 4 for number in of_ranks.values()):
        shoe.suits_for(view.what)
    return sum(shoe.ranks[_RANKS.index(rank)] for rank in of_ranks)


# --- groups of hands ---------------------------------------------------------------------------


def _holdings(kinds: _Shared, counts: Sequence[int]) -> Iterable[tuple[_Shared, int]]:
    """Return what hands of these kinds may share, and in how many hands.

    >>> list(_holdings((0, 1), [3, 5]))
    [((), 15), ((0,), 5), ((1,), 3), ((0, 1), 1)]
    """
    if len(kinds) == 3 and len(set(kinds)) == 3:
        return _holdings_of_three(sorted(kinds), counts)
    return _holdings_of_any(kinds, counts)


def _holdings_of_three(kinds: list[int], counts: Sequence[int]) -> Iterable[tuple[_Shared, int]]:
    a, b, c = kinds
    of_a, of_b, of_c = counts[a], counts[b], counts[c]
    return (
        ((), of_a * of_b * of_c),
        ((a,), of_b * of_c),
        ((b,), of_a * of_c),
        ((c,), of_a * of_b),
        ((a, b), of_c),
        ((a, c), of_b),
        ((b, c), of_a),
        ((a, b, c), 1),
    )


def _holdings_of_any(kinds: _Shared, counts: Sequence[int]) -> Iterator[tuple[_Shared, int]]:
    for at in _PLACES[len(kinds)]:
        shared = tuple(sorted([kinds[one] for one in at]))
        # Each shared card may be at any of the positions of its kind.
        ways = _arrangements(shared)
        counts_used = list(shared)
        for place, kind in enumerate(kinds):
            if place not in at:
                ways *= counts[kind] - counts_used.count(kind)
                counts_used.append(kind)
        yield shared, ways


_PLACES: Final = tuple(
    tuple(at for number in range(cards + 1) for at in combinations(range(cards), number))
    for cards in range(4)
)


def _arrangements(shared: _Shared) -> int:
    ways = 1
    for number in Counter(shared).values() if len(set(shared)) < len(shared) else ():
        ways *= factorial(number)
    return ways


def _gather(
    pool: _Pool, hand: int, key: Callable[[Cards], Hashable], view: CardView, *, cards: int
) -> Iterable[_Group]:
    places = pool.places[3 * hand : 3 * hand + cards]
    either = not view.ordered and places[0] == places[1]
    groups: dict[Hashable, _Group] = {}
    for kinds in product(*places):
        one, two = kinds[:2]
        if either and two < one:
            continue
        times = 2 if either and two != one else 1
        hand_cards = tuple(pool.cards[at] for at in kinds)
        name = key(hand_cards)
        group = groups.get(name)
        if group is None:
            group = groups[name] = _Group(hand_cards, name)
        holding = group.holding
        for shared, ways in _holdings(kinds, pool.counts):
            holding[shared] = holding.get(shared, 0) + times * ways
    return groups.values()


def _together(
    pool: _Pool, player: Sequence[_Group], banker: Sequence[_Group]
) -> Iterator[tuple[_Group, list[int]]]:
    """Subtract pairs of hands that share one or three cards, and add those that share two."""
    by_shared: dict[_Shared, list[tuple[int, int]]] = {}
    for place, group in enumerate(banker):
        for shared, ways in group.holding.items():
            by_shared.setdefault(shared, []).append((place, ways))
    for own in player:
        sums = [0] * len(banker)
        for shared, ways in own.holding.items():
            times = ways * _signed(shared, pool.counts)
            for place, number in by_shared.get(shared, ()) if times else ():
                sums[place] += times * number
        yield own, sums


def _signed(shared: _Shared, counts: Sequence[int]) -> int:
    ways = -1 if len(shared) % 2 else 1
    for kind in set(shared):
        ways *= comb(counts[kind], shared.count(kind))
    return ways


class _Tally(Generic[Key]):
    def __init__(self) -> None:
        self.ways: dict[Key, int] = {}
        self.examples: dict[Key, tuple[Cards, Cards]] = {}

    def add(self, key: Key, hands: tuple[Cards, Cards], ways: int) -> None:
        if key not in self.ways:
            self.ways[key] = 0
            self.examples[key] = hands
        self.ways[key] += ways

    def found(self) -> dict[tuple[Cards, Cards], int]:
        return {self.examples[key]: ways for key, ways in self.ways.items()}


def _ended(view: CardView, hand: int, values: tuple[int, ...]) -> int:
    """Return a hand's part of the code of the end of a round; the parts of both are added."""
    code = (sum(values) % 10 * 2 + len(values) - 2) * (20, 1)[hand]
    # Includes the value for no third card, so that codes are unique.
    if view.thirds:
        third = values[2] if len(values) == 3 else NO_THIRD_CARD
        code = code * 121 + third * (11, 1)[hand]
    return code


# --- whole hands -------------------------------------------------------------------------------


def _whole_hands(
    pool: _Pool, tableau: Tableau, dealt: tuple[int, int], view: CardView
) -> dict[tuple[Cards, Cards], int]:
    def key_of(hand: int) -> Callable[[Cards], Hashable]:
        # Drawing depends on the other hand only through its two-card count and its third card.
        def key(cards: Cards) -> Hashable:
            asked = view.asked(hand, cards if view.whole else cards[:2])
            return (sum(values_of(cards[:2])) % 10, values_of(cards[2:]), asked)

        return key

    # Banker's third card implies that Player had none only if Player's would be listed.
    own = (3,) if dealt[0] == 3 else (2,) if dealt[1] == 3 else (2, 3)
    other = (3,) if dealt[1] == 3 else (2, 3)
    bankers = {cards: list(_gather(pool, 1, key_of(1), view, cards=cards)) for cards in other}
    total = sum(pool.counts)
    tally = _Tally[tuple[Hashable, int]]()
    for player_size in own:
        players = list(_gather(pool, 0, key_of(0), view, cards=player_size))
        for banker_size, banker in bankers.items():
            rest = perm(total - player_size - banker_size, LEAST_CARDS - player_size - banker_size)
            values = [values_of(one.cards) for one in banker]
            counts = [sum(value[:2]) % 10 for value in values]
            ends = [_ended(view, 1, value) for value in values]
            for group, sums in _together(pool, players, banker):
                held = values_of(group.cards)
                meets, end = _meets(tableau, held, banker_size), _ended(view, 0, held)
                for place, number in enumerate(sums):
                    if number and meets[counts[place]]:
                        banker_group = banker[place]
                        detail = view.together(group.key[-1], banker_group.key[-1])
                        key = detail, end + ends[place]
                        tally.add(key, (group.cards, banker_group.cards), number * rest)
    return tally.found()


def _meets(tableau: Tableau, player: tuple[int, ...], cards: int) -> list[bool]:
    player_count = sum(player[:2]) % 10
    third = player[2] if len(player) == 3 else NO_THIRD_CARD
    drawn = len(player) == 3, cards == 3
    return [
        (
            tableau.player_draws_third(player_count, other),
            tableau.banker_draws_third(player_count, other, third),
        )
        == drawn
        for other in range(10)
    ]


# --- first two cards, and values after them ----------------------------------------------------


def _first_hands(
    pool: _Pool, tableau: Tableau, dealt: tuple[int, int], view: CardView
) -> dict[tuple[Cards, Cards], int]:
    pool, fixed = _without_thirds(pool, dealt)

    def key_of(hand: int) -> Callable[[Cards], Hashable]:
        def key(cards: Cards) -> Hashable:
            return (*(sorted(values_of(cards)) if view.points else ()), view.asked(hand, cards))

        return key

    player = list(_gather(pool, 0, key_of(0), view, cards=2))
    banker = list(_gather(pool, 1, key_of(1), view, cards=2))
    by_value = [0] * 10
    for card, count in zip(pool.cards, pool.counts, strict=True):
        by_value[CARD_VALUE[card.index]] += count
    endings = _Endings(tableau, by_value, dealt, fixed, view)
    tally = _Tally[tuple[Hashable, int]]()
    for player_group, sums in _together(pool, player, banker):
        for banker_group, number in zip(banker, sums, strict=True):
            if not number:
                continue
            detail = view.together(player_group.key[-1], banker_group.key[-1])
            if not view.points:
                tally.add((detail, 0), (player_group.cards, banker_group.cards), number)
                continue
            for ended, thirds, times in endings.after(player_group.key[:2], banker_group.key[:2]):
                hands = (player_group.cards + thirds[0], banker_group.cards + thirds[1])
                tally.add((detail, ended), hands, number * times)
    return tally.found()


def _without_thirds(pool: _Pool, dealt: tuple[int, int]) -> tuple[_Pool, list[int | None]]:
    counts = list(pool.counts)
    fixed: list[int | None] = [None, None]
    for hand in range(2):
        if dealt[hand] == 3 and len(pool.places[2 + 3 * hand]) == 1:
            (kind,) = pool.places[2 + 3 * hand]
            counts[kind] -= 1
            fixed[hand] = CARD_VALUE[pool.cards[kind].index]
    return pool._replace(counts=counts), fixed


_OF_VALUE: Final = tuple(
    (next(card for card in DECK if POINT_VALUE[card.rank] == value),) for value in range(10)
)


def _example(third: tuple[int, ...]) -> Cards:
    return _OF_VALUE[third[0]] if third else ()


_Ending: TypeAlias = tuple[int, tuple[Cards, Cards], int]
"""A code of the end of a round, an example of its third cards, and its ways."""


class _Endings:
    def __init__(
        self,
        tableau: Tableau,
        by_value: list[int],
        dealt: tuple[int, int],
        fixed: Sequence[int | None],
        view: CardView,
    ) -> None:
        self._tableau = tableau
        self._left = by_value
        self._dealt = dealt
        self._fixed = fixed
        self._view = view
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], list[_Ending]] = {}

    def after(self, player: tuple[int, ...], banker: tuple[int, ...]) -> list[_Ending]:
        if (player, banker) not in self._known:
            tally = _Tally[int]()
            for (third, last), number in self._found(player, banker):
                ended = _ended(self._view, 0, player + third) + _ended(self._view, 1, banker + last)
                tally.add(ended, (_example(third), _example(last)), number)
            self._known[player, banker] = [
                (ended, tally.examples[ended], ways) for ended, ways in tally.ways.items()
            ]
        return self._known[player, banker]

    def _found(
        self, own: tuple[int, ...], other: tuple[int, ...]
    ) -> Iterator[tuple[tuple[tuple[int, ...], tuple[int, ...]], int]]:
        (player_size, banker_size), (own_third, other_third) = self._dealt, self._fixed
        left = list(self._left)
        for value in (*own, *other):
            left[value] -= 1
        counts = sum(own) % 10, sum(other) % 10
        takes = self._tableau.player_draws_third(*counts)
        if (player_size == 3 and not takes) or (takes and player_size < 3 and banker_size == 3):
            return
        # Known cards are removed, and unneeded positions may have any card.
        ahead = 2 - (own_third is not None) - (other_third is not None)
        for third, times in _thirds(left, own_third, takes=takes):
            draws = self._tableau.banker_draws_third(*counts, third[0] if third else NO_THIRD_CARD)
            if banker_size == 3 and not draws:
                continue
            left_after = list(left)
            player_drew = int(bool(third) and own_third is None)
            if player_drew:
                left_after[third[0]] -= 1
            for banker_third, number in _thirds(left_after, other_third, takes=draws):
                used = player_drew + (bool(banker_third) and other_third is None)
                yield (third, banker_third), times * number * perm(sum(left) - used, ahead - used)


def _thirds(
    left: Sequence[int], known: int | None, *, takes: bool
) -> list[tuple[tuple[int, ...], int]]:
    if not takes:
        return [((), 1)]
    if known is not None:
        return [((known,), 1)]
    return [((value,), count) for value, count in enumerate(left) if count]
