"""An oracle of side bets: every line of 35 of them counted from the shoe, whatever a file defines.

Three enumerations, each of which deals in the order of dealing and knows no formula of another: all
six values, all first four cards, and the three cards of a hand. A bet is written as its maker
describes it. Nothing of the program is imported; all counts are integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import NamedTuple

from support.oracles.odds import BANKER_DRAWS, RANKS, VALUE, odds

Lines = dict[str, tuple[Fraction, int]]
"""By the name of a line: what it pays for one unit, and in how many orders of six cards it is hit."""


class Round(NamedTuple):
    """What a round came to: counts and cards of both hands, Banker's first count, Player's third."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    banker_two: int
    third: int | None


@cache
def rounds(decks: int) -> dict[Round, tuple[int, int]]:
    """Deal every value in its turn: the ways to each round, and those of red cards alone."""
    fresh = [16 * decks, *[4 * decks] * 9]
    size = sum(fresh)
    found: dict[Round, tuple[int, int]] = {}

    def ways_of(cards: tuple[int, ...], of: list[int]) -> int:
        ways = 1
        for place, value in enumerate(cards):
            ways *= max(of[value] - cards[:place].count(value), 0)
        return ways

    red = [number // 2 for number in fresh]
    for cards in product(range(10), repeat=4):
        first, only_red = ways_of(cards, fresh), ways_of(cards, red)
        for more in _thirds(cards):
            left = perm(size - 4 - len(more), 2 - len(more))
            ways, all_red = first * left, only_red * left
            for place, value in enumerate(more):
                gone = (*cards, *more[:place]).count(value)
                ways *= fresh[value] - gone
                all_red *= max(red[value] - gone, 0)
            came = _came_to(cards, more)
            of_before, red_before = found.get(came, (0, 0))
            found[came] = of_before + ways, red_before + all_red
    assert sum(ways for ways, _ in found.values()) == perm(size, 6)
    return found


def _thirds(cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the values that may follow the first four."""
    own, other = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10
    if own > 7 or other > 7 or (own > 5 and other > 5):
        yield ()
        return
    for third in range(10):
        if own < 6 and third in BANKER_DRAWS[other]:
            yield from ((third, last) for last in range(10))
        else:
            yield (third,)


def _came_to(cards: tuple[int, ...], more: tuple[int, ...]) -> Round:
    own, other = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10
    third = more[0] if more and own < 6 else None
    last = more[1:] if third is not None else more
    player = (own + (third or 0)) % 10
    return Round(
        player, (other + sum(last)) % 10, 2 + (third is not None), 2 + len(last), other, third
    )


class Starts(NamedTuple):
    """Ways of the first four cards, over six."""

    player_pair: int
    banker_pair: int
    both_pairs: int
    twins: int
    """Two pairs of one rank."""
    player_perfect: int
    banker_perfect: int
    both_perfect: int
    royal: int
    """A queen and a king of a suit in Player's Hand."""
    suited: int


@cache
def starts(decks: int) -> Starts:
    """Deal Player's Hand every two cards, and Banker's a pair of what is left."""
    size = 52 * decks
    found = [0] * 9
    cards = list(product(RANKS, "cdhs"))
    for one, two in product(cards, repeat=2):
        ways = decks * (decks - (one == two))
        left = Counter(dict.fromkeys(cards, decks))
        left.subtract([one, two])
        of_rank = {rank: sum(left[rank, suit] for suit in "cdhs") for rank in RANKS}
        pairs = sum(number * (number - 1) for number in of_rank.values())
        perfect = sum(number * (number - 1) for number in left.values())
        any_two = perm(size - 2, 2)
        pair, same, suited = one[0] == two[0], one == two, one[1] == two[1]
        twin = of_rank[one[0]]
        asked = (
            pair * any_two, pairs, pair * pairs, pair * twin * (twin - 1),
            same * any_two, perfect, same * perfect,
            (suited and {one[0], two[0]} == {"Q", "K"}) * any_two, suited * any_two,
        )  # fmt: skip
        for place, number in enumerate(asked):
            found[place] += ways * number * perm(size - 4, 2)
    return Starts(*found)


class Threes(NamedTuple):
    """Ways to three cards of one hand, over six cards."""

    player_suited: int
    """Of one suit, and not of one rank."""
    player_rank: int
    """Of one rank, and not of one suit."""
    player_both: int
    banker_rank: int


def _two(counts: list[int]) -> Iterator[tuple[int, int, int]]:
    """Deal two values: each, and in how many ways."""
    for first, second in product(range(10), repeat=2):
        yield first, second, counts[first] * (counts[second] - (first == second))


def _without(decks: int, *cards: int) -> list[int]:
    """Count the values that are left without some."""
    fresh = [16 * decks, *[4 * decks] * 9]
    return [count - cards.count(value) for value, count in enumerate(fresh)]


@cache
def threes(decks: int) -> Threes:
    size = 52 * decks

    @cache
    def banker_goes_on(*own: int) -> int:
        """In how many ways Banker has two cards, no natural, beside three of Player's."""
        return sum(ways for x, y, ways in _two(_without(decks, *own)) if (x + y) % 10 < 8)

    found = {"suited": 0, "rank": 0, "both": 0}
    cards = [(VALUE[rank], rank, suit) for rank in RANKS for suit in "cdhs"]
    for first, second, third in product(cards, repeat=3):
        one_rank, one_suit = first[1] == second[1] == third[1], first[2] == second[2] == third[2]
        if (first[0] + second[0]) % 10 > 5 or not (one_rank or one_suit):
            continue
        drawn = (first, second, third)
        ways = 1
        for place, card in enumerate(drawn):
            ways *= max(decks - drawn[:place].count(card), 0)
        name = "both" if one_rank and one_suit else "rank" if one_rank else "suited"
        ways *= banker_goes_on(*sorted(card[0] for card in drawn))
        found[name] += ways * (size - 5)
    return Threes(found["suited"], found["rank"], found["both"], _banker_of_a_rank(decks))


def _banker_of_a_rank(decks: int) -> int:
    """Return the ways in which Banker's Hand has three cards, all of one rank."""
    found = 0
    for rank in RANKS:
        value, of_rank = VALUE[rank], perm(4 * decks, 3)
        two = 2 * value % 10
        if two > 7:
            continue
        for x, y, ways in _two(_without(decks, value, value, value)):
            own = (x + y) % 10
            if own in {6, 7}:
                found += of_rank * ways * (52 * decks - 5) * (two < 6)
            elif own < 6:
                left = _without(decks, value, value, value, x, y)
                found += of_rank * ways * sum(left[third] for third in BANKER_DRAWS[two])
    return found


def side_bets(decks: int) -> dict[str, Lines]:
    """Return every line of each side bet for a fresh shoe, by the name of the file that defines it."""
    return {**_by_counts(decks), **_by_cards(decks)}


def _by_counts(decks: int) -> dict[str, Lines]:
    found = rounds(decks)

    def hit(*lines: tuple[str, str, Callable[[Round], bool]]) -> Lines:
        """Count each line in those rounds that no line before it takes."""
        ways = {name: 0 for name, _, _ in lines}
        for came, (number, _) in found.items():
            taken = next((name for name, _, takes in lines if takes(came)), None)
            if taken is not None:
                ways[taken] += number
        return {name: (odds(pays), ways[name]) for name, pays, _ in lines}

    def win(pays: str, takes: Callable[[Round], bool]) -> Lines:
        return hit(("win", pays, takes))

    def six(at: Round) -> bool:
        return at.banker == 6 > at.player

    def three(count: int) -> Callable[[Round], int]:
        return lambda at: (
            ((at.player, at.player_cards) == (count, 3))
            + ((at.banker, at.banker_cards) == (count, 3))
        )

    def cards(at: Round) -> int:
        return at.player_cards + at.banker_cards

    def naturals(at: Round) -> bool:
        return cards(at) == 4 and {at.player, at.banker} == {8, 9}

    def two_sided(count: int, both: str, one: str) -> Lines:
        of = three(count)
        return hit(("both", both, lambda at: of(at) == 2), ("one", one, lambda at: of(at) == 1))

    return {
        "3-card-win-banker": win("5:1", lambda at: at.banker > at.player and at.banker_cards == 3),
        "3-card-win-player": win("4:1", lambda at: at.player > at.banker and at.player_cards == 3),
        "3-giving-8": win("200:1", lambda at: at.banker_two == 3 and at.third == 8),
        "4-5-6-four": win("3:2", lambda at: cards(at) == 4),
        "4-5-6-five": win("2:1", lambda at: cards(at) == 5),
        "4-5-6-six": win("2:1", lambda at: cards(at) == 6),
        "88-89-98-99": win("20:1", lambda at: at.player > 7 and at.banker > 7),
        # Nine against seven in four cards: the nine is a natural, and seven stands.
        "9-over-7": win("50:1", lambda at: cards(at) == 4 and {at.player, at.banker} == {7, 9}),
        "bad-beat": win("50:1", naturals),
        "big": win("27:50", lambda at: cards(at) > 4),
        "big-tiger": win("50:1", lambda at: six(at) and at.banker_cards == 3),
        "egalite-0": win("150:1", lambda at: at.player == at.banker == 0),
        "egalite-6": win("45:1", lambda at: at.player == at.banker == 6),
        "fortune-7": win("40:1", lambda at: at.player < 7 == at.banker and at.banker_cards == 3),
        "golden-8": win("25:1", lambda at: at.banker < 8 == at.player and at.player_cards == 3),
        "lucky-bonus": win("18:1", six),
        "small": win("3:2", lambda at: cards(at) == 4),
        "small-tiger": win("22:1", lambda at: six(at) and at.banker_cards == 2),
        "super-6": win("12:1", six),
        "tiger-tie": win("35:1", lambda at: at.player == at.banker == 6),
        "3-card-six": two_sided(6, "100:1", "8:1"),
        "heavenly-9": two_sided(9, "75:1", "10:1"),
        "blazing-7s": hit(
            ("three_cards", "200:1", lambda at: at.player == at.banker == 7 and cards(at) == 6),
            ("two_cards", "50:1", lambda at: at.player == at.banker == 7 and cards(at) == 4),
        ),
        "tiger": hit(
            ("three_cards", "20:1", lambda at: six(at) and at.banker_cards == 3),
            ("two_cards", "12:1", six),
        ),
        "all-red": {"win": (odds("22:1"), sum(red for _, red in found.values()))},
    }


def _by_cards(decks: int) -> dict[str, Lines]:
    first, three = starts(decks), threes(decks)
    one = first.player_pair + first.banker_pair - 2 * first.both_pairs
    perfect = first.player_perfect + first.banker_perfect - 2 * first.both_perfect
    found = {
        "player-pair": {"win": ("11:1", first.player_pair)},
        "banker-pair": {"win": ("11:1", first.banker_pair)},
        "either-pair": {"win": ("5:1", one + first.both_pairs)},
        "perfect-pair": {"either": ("25:1", perfect + first.both_perfect)},
        "perfect-pair-250": {"both": ("250:1", first.both_perfect), "one": ("25:1", perfect)},
        "tiger-pair": {
            "twins": ("100:1", first.twins),
            "both": ("20:1", first.both_pairs - first.twins),
            "one": ("4:1", one),
        },
        "royal-match": {
            "royal": ("25:1", first.royal),
            "suited": ("5:2", first.suited - first.royal),
        },
        "bellagio-match-player": {"win": ("75:1", three.player_rank + three.player_both)},
        "bellagio-match-banker": {"win": ("68:1", three.banker_rank)},
        # A meter of $10,000 and an award of $250, each for a stake of $5.
        "jackpot": {
            "jackpot": ("2000:1", three.player_both),
            "three_of_a_rank": ("50:1", three.player_rank),
            "suited": ("12:1", three.player_suited),
        },
    }
    return {
        bet: {name: (odds(pays), ways) for name, (pays, ways) in lines.items()}
        for bet, lines in found.items()
    }
