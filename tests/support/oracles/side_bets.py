"""An oracle of side bets: every line of 35 of them counted from the shoe, whatever a file defines.

Three enumerations, each of which deals in the order of dealing and knows no formula of another: all
six values, all first four cards, and the three cards of a hand. A bet is written as its maker
describes it. Nothing of the program is imported; all counts are integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from support.oracles.odds import BANKER_DRAWS, RANKS, VALUE, odds

Whole = NDArray[np.int64]
Yes = NDArray[np.bool_]
Lines = dict[str, tuple[Fraction, int]]
"""By the name of a line: what it pays for one unit, and in how many orders of six cards it is hit."""

_BANKER_DRAWS: Final = np.array(
    [[third in BANKER_DRAWS.get(two, ()) for third in range(10)] for two in range(10)]
)


class Rounds(NamedTuple):
    """Every six values in order: counts and cards of both hands, and the ways to each."""

    player: Whole
    banker: Whole
    player_cards: Whole
    banker_cards: Whole
    banker_two: Whole
    third: Whole
    """Player's third card; it counts only where there is one."""
    ways: Whole
    ways_red: Whole
    """Those in which every card that is dealt is red."""


@cache
def rounds(decks: int) -> Rounds:
    a, b, c, d, fifth, last = np.indices((10,) * 6).reshape(6, -1)
    own, other = (a + c) % 10, (b + d) % 10
    goes_on = (own < 8) & (other < 8)
    draws = goes_on & (own < 6)
    banker = goes_on & np.where(draws, _BANKER_DRAWS[other, fifth], other < 6)
    number = 4 + draws.astype(np.int64) + banker
    by_value = np.array([16, *[4] * 9], np.int64) * decks
    values = [a, b, c, d, fifth, last]
    red = [
        np.where(number > place, by_value[v] // 2, by_value[v]) for place, v in enumerate(values)
    ]
    ways, ways_red = np.ones_like(a), np.ones_like(a)
    for place, value in enumerate(values):
        gone = sum(((one == value).astype(np.int64) for one in values[:place]), np.int64(0))
        ways *= by_value[value] - gone
        ways_red *= np.maximum(red[place] - gone, 0)
    assert int(ways.sum()) == perm(52 * decks, 6)
    return Rounds(
        (own + np.where(draws, fifth, 0)) % 10,
        (other + np.where(banker, np.where(draws, last, fifth), 0)) % 10,
        2 + draws.astype(np.int64),
        2 + banker.astype(np.int64),
        other,
        np.where(draws, fifth, -1),
        ways,
        ways_red,
    )


class Starts(NamedTuple):
    """Ways of the first four cards that have a pair or two of a suit, over six cards."""

    player_pair: int
    banker_pair: int
    pairs: tuple[int, int, int]
    """No pair, one, two."""
    twins: int
    """Two pairs of one rank."""
    perfect: tuple[int, int, int]
    royal: int
    """A queen and a king of a suit in Player's Hand."""
    suited: int


@cache
def starts(decks: int) -> Starts:
    """Deal the first four cards, each 0 to 51: a rank is ``card // 4``, a suit ``card % 4``."""
    size = 52 * decks
    b, c, d = np.indices((52,) * 3).reshape(3, -1)
    found = np.zeros(11, np.int64)
    queen, king = RANKS.index("Q"), RANKS.index("K")
    for a in range(52):
        ways = np.full(len(b), decks, np.int64)
        ways *= decks - (b == a)
        ways *= np.maximum(decks - (c == a) - (c == b), 0)
        ways *= np.maximum(decks - (d == a) - (d == b) - (d == c).astype(np.int64), 0)
        own, other = c // 4 == a // 4, b // 4 == d // 4
        perfect = (c == a).astype(np.int64) + (b == d)
        suited = c % 4 == a % 4
        royal = (
            suited & (np.minimum(a // 4, c // 4) == queen) & (np.maximum(a // 4, c // 4) == king)
        )
        pairs = own.astype(np.int64) + other
        asked = (
            own, other, pairs == 0, pairs == 1, pairs == 2, (pairs == 2) & (c // 4 == b // 4),
            perfect == 0, perfect == 1, perfect == 2, royal, suited,
        )  # fmt: skip
        found += np.array([ways[one].sum() for one in asked])
    own, other, none, one, two, twins, *rest = (int(n) * (size - 4) * (size - 5) for n in found)
    assert none + one + two == perm(size, 6)
    return Starts(own, other, (none, one, two), twins, (rest[0], rest[1], rest[2]), *rest[3:])


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
    found = {**_by_counts(decks), **_by_cards(decks)}
    return {
        bet: {name: (odds(pays), int(ways)) for name, (pays, ways) in lines.items()}
        for bet, lines in found.items()
    }


def _by_counts(decks: int) -> dict[str, dict[str, tuple[str, Any]]]:
    at = rounds(decks)
    own, other, mine, his = at.player, at.banker, at.player_cards, at.banker_cards
    natural, their_natural = (own > 7) & (mine == 2), (other > 7) & (his == 2)
    player, banker, tie = own > other, own < other, own == other

    def ways(yes: Yes) -> int:
        return int(at.ways[yes].sum())

    def either(yes: Yes, no: Yes) -> tuple[int, int]:
        return ways(yes & no), ways(yes ^ no)

    sixes = either((own == 6) & (mine == 3), (other == 6) & (his == 3))
    nines = either((own == 9) & (mine == 3), (other == 9) & (his == 3))
    cards = mine + his
    six = banker & (other == 6)
    sevens = (own == 7) & (other == 7)
    nine_seven = (natural & (own == 9) & (other == 7)) | (their_natural & (other == 9) & (own == 7))
    found = {
        "3-card-win-banker": ("5:1", banker & (his == 3)),
        "3-card-win-player": ("4:1", player & (mine == 3)),
        "3-giving-8": ("200:1", (at.banker_two == 3) & (at.third == 8)),
        "4-5-6-four": ("3:2", cards == 4),
        "4-5-6-five": ("2:1", cards == 5),
        "4-5-6-six": ("2:1", cards == 6),
        "88-89-98-99": ("20:1", (own > 7) & (other > 7)),
        "9-over-7": ("50:1", nine_seven),
        "bad-beat": ("50:1", natural & their_natural & (own + other == 17)),
        "big": ("27:50", cards > 4),
        "big-tiger": ("50:1", six & (his == 3)),
        "egalite-0": ("150:1", tie & (own == 0)),
        "egalite-6": ("45:1", tie & (own == 6)),
        "fortune-7": ("40:1", banker & (other == 7) & (his == 3)),
        "golden-8": ("25:1", player & (own == 8) & (mine == 3)),
        "lucky-bonus": ("18:1", six),
        "small": ("3:2", cards == 4),
        "small-tiger": ("22:1", six & (his == 2)),
        "super-6": ("12:1", six),
        "tiger-tie": ("35:1", tie & (own == 6)),
    }
    tiger = {"three_cards": ("20:1", ways(six & (his == 3))), "two_cards": ("12:1", ways(six & (his == 2)))}  # fmt: skip
    return {
        **{bet: {"win": (pays, ways(hit))} for bet, (pays, hit) in found.items()},
        "3-card-six": {"both": ("100:1", sixes[0]), "one": ("8:1", sixes[1])},
        "heavenly-9": {"both": ("75:1", nines[0]), "one": ("10:1", nines[1])},
        "blazing-7s": {
            "three_cards": ("200:1", ways(sevens & (cards == 6))),
            "two_cards": ("50:1", ways(sevens & (cards == 4))),
        },
        "tiger": tiger,
        "all-red": {"win": ("22:1", int(at.ways_red.sum()))},
    }


def _by_cards(decks: int) -> dict[str, dict[str, tuple[str, Any]]]:
    first, three = starts(decks), threes(decks)
    _, one, two = first.pairs
    _, perfect, both = first.perfect
    return {
        "player-pair": {"win": ("11:1", first.player_pair)},
        "banker-pair": {"win": ("11:1", first.banker_pair)},
        "either-pair": {"win": ("5:1", one + two)},
        "perfect-pair": {"either": ("25:1", perfect + both)},
        "perfect-pair-250": {"both": ("250:1", both), "one": ("25:1", perfect)},
        "tiger-pair": {
            "twins": ("100:1", first.twins),
            "both": ("20:1", two - first.twins),
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
