"""The count of ``croupier.odds.ways`` for many states of knowledge, in compiled 64-bit integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from croupier.baccarat.tableau import NO_THIRD_CARD, Tableau
from croupier.odds.arrays import Integers
from croupier.odds.compiled import compiled, copied
from croupier.odds.kernel import CELLS
from croupier.odds.knowledge import Knowledge
from croupier.odds.shoe import ShoeComposition

# The compiler treats these as constants.
UNKNOWN, UNSEEN, NO_THIRD = -1, -2, 10


class StateKernel:
    """The count of states of knowledge under one tableau, for shoes of up to sixteen decks.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> state = ShoeComposition.of_decks(8), Knowledge.of("9h,2c", "?,?")
    >>> ways = StateKernel(rules.tableau).many([state, state])
    >>> ways.shape, int(ways[0].sum()) == 414 * 413 * 412 * 411
    ((2, 400), True)
    """

    def __init__(self, tableau: Tableau) -> None:
        counts, thirds = range(10), range(NO_THIRD_CARD + 1)
        self._takes: Integers = np.array(
            [[tableau.player_draws_third(own, other) for other in counts] for own in counts],
            dtype=np.int64,
        )
        self._draws: Integers = np.array(
            [
                [
                    [tableau.banker_draws_third(own, other, third) for third in thirds]
                    for other in counts
                ]
                for own in counts
            ],
            dtype=np.int64,
        )

    def many(self, states: Sequence[tuple[ShoeComposition, Knowledge]]) -> Integers:
        """Return the ways of each of ``CELLS`` over the unknown cards, a row for each state.

        Raises ``ShoeError`` if a shoe lacks the known cards.
        """
        left = np.array([known.left_by_value(shoe) for shoe, known in states], dtype=np.int64)
        hands = np.array([_codes(known) for _, known in states], dtype=np.int64)
        return self.count(left.reshape(-1, 10), hands.reshape(-1, 6))

    def count(self, left: Integers, hands: Integers) -> Integers:
        """Return the ways like ``many``, from the remaining cards by value and the known cards.

        ``hands`` has rows of six values; -1 is unknown, -2 a third card dealt unseen.
        """
        ways = np.zeros((len(left), len(CELLS)), dtype=np.int64)
        count_states(left, hands, self._takes, self._draws, ways)
        return ways


def _codes(known: Knowledge) -> list[int]:
    codes = []
    for hand in known.values():
        values = [UNKNOWN if value is None else value for value in hand]
        if len(hand) == 3 and hand[2] is None:
            values[2] = UNSEEN
        codes += values + [UNKNOWN] * (3 - len(values))
    return codes


@compiled
def count_states(
    left: Integers, hands: Integers, takes: Integers, draws: Integers, ways: Integers
) -> None:
    """Fill in the ways of every state."""
    rest = np.empty(10, dtype=np.int64)
    two = np.empty((10, 11), dtype=np.int64)
    three = np.empty((10, 11), dtype=np.int64)
    for row in range(len(left)):
        hand = hands[row]
        unseen, ahead = 0, 0
        for value in range(10):
            unseen += left[row, value]
        for place in range(6):
            ahead += hand[place] < 0
        for third in range(11):
            drawn = third < NO_THIRD
            if hand[2] >= 0 and third != hand[2]:
                continue
            if hand[2] == UNSEEN and not drawn:
                continue
            if hand[2] == UNKNOWN and drawn and hand[5] != UNKNOWN:
                continue
            times = 1
            copied(left[row], rest)
            taken = drawn and hand[2] < 0
            if taken:
                times = rest[third]
                rest[third] -= 1
            if times:
                _firsts(rest, hand[3], hand[4], two)
                outcome = third if drawn else NO_THIRD
                left_over = (times, unseen - taken, ahead - taken)
                _ended(rest, hand, outcome, takes, draws, (two, three), left_over, ways[row])


@compiled
def _firsts(rest: Integers, one: int, other: int, two: Integers) -> None:
    two[:] = 0
    for count in range(10):
        if one >= 0 and other >= 0:
            two[count, 10] = (one + other) % 10 == count
        elif one >= 0 or other >= 0:
            known = one if one >= 0 else other
            value = (count - known) % 10
            two[count, value] = rest[value]
            two[count, 10] = rest[value]
        else:
            for value in range(10):
                beside = (count - value) % 10
                pairs = rest[value] * (rest[beside] - (beside == value))
                two[count, value] = 2 * pairs
                two[count, 10] += pairs


@compiled
def _ended(  # noqa: C901, PLR0912, PLR0913, PLR0917  (one pass over the counts of both hands)
    rest: Integers,
    hand: Integers,
    third: int,
    takes: Integers,
    draws: Integers,
    room: tuple[Integers, Integers],
    ahead: tuple[int, int, int],
    ways: Integers,
) -> None:
    two, three = room
    times, unseen, places = ahead
    drawn = third < NO_THIRD
    own_known = (hand[0] >= 0) + (hand[1] >= 0)
    known = (hand[3] >= 0) + (hand[4] >= 0)
    begin = (hand[0] * (hand[0] >= 0) + hand[1] * (hand[1] >= 0)) % 10
    made = False
    for own in range(10):
        if own_known == 2 and own != begin:
            continue
        base = 200 * drawn + 10 * ((own + third) % 10 if drawn else own)
        used = 4 - own_known - known
        often = times * _orders(unseen, used, places)
        some = False
        for other in range(10):
            if two[other, 10] == 0 or takes[own, other] != drawn:
                continue
            if draws[own, other, third]:
                some = True
            elif hand[5] == UNKNOWN:
                pairs = two[other, 10] * (known == 0 and other == own)
                number = _player(rest, own, begin, own_known, two[other], pairs)
                ways[base + other] += often * number
        if not some:
            continue
        # For hands to which Banker draws, Player's count matters only in that it is not a natural.
        if not made:
            three[:] = 0
            for other in range(10):
                if takes[own, other] == drawn and draws[own, other, third]:
                    _third(rest, two[other], other, known, hand[5], three)
            made = True
        often = times * _orders(unseen, used + (hand[5] < 0), places)
        of_banker = (hand[3] * (hand[3] >= 0) + hand[4] * (hand[4] >= 0)) % 10
        for total in range(10):
            pairs = 0
            if hand[5] >= 0:
                pairs = three[total, 10] * (known == 0 and (total - hand[5]) % 10 == own)
            elif known == 0:
                pairs = three[total, (total - own) % 10]
            elif known == 1:
                pairs = three[total, 10] * ((total - of_banker) % 10 == own)
            number = _player(rest, own, begin, own_known, three[total], pairs)
            ways[base + 100 + total] += often * number


@compiled
def _orders(unseen: int, used: int, places: int) -> int:
    orders = 1
    for place in range(used, places):
        orders *= unseen - place
    return orders


@compiled
def _third(  # noqa: PLR0913, PLR0917  (each is a number that the count depends on)
    rest: Integers, two: Integers, count: int, known: int, third: int, three: Integers
) -> None:
    if third >= 0:
        total = (count + third) % 10
        for value in range(11):
            three[total, value] += two[value]
        return
    for value in range(10):
        if rest[value]:
            total = (count + value) % 10
            makes = rest[value] * two[10] - two[value]
            for one in range(10):
                three[total, one] += rest[value] * two[one]
            three[total, value] += makes - two[value]
            if known == 0:
                three[total, (count - value) % 10] -= two[value]
            three[total, 10] += makes


@compiled
def _player(  # noqa: PLR0913, PLR0917  (each is a number that the count depends on)
    rest: Integers, own: int, begin: int, known: int, hands: Integers, pairs: int
) -> int:
    number = int(hands[10])
    if known == 2:
        return number
    if known == 1:
        value = (own - begin) % 10
        return int(rest[value] * number - hands[value])
    using, together = 0, 0
    for value in range(10):
        beside = rest[(own - value) % 10] - (2 * value % 10 == own)
        together += rest[value] * beside
        using += hands[value] * beside
    return int(together * number - 2 * using + 2 * pairs)
