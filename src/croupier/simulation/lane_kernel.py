"""The lane engine: deals from the numbers of unseen cards of each kind, a vector at a time.

A lane keeps cumulative sums of unseen cards by kind. A uniform number (Lemire's method) selects a
card; the sums above it decrease by one. Every lane performs the same steps; a card that a hand does
not draw counts for nothing. Burned cards remain unseen; the shoe ends earlier.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.odds.arrays import Integers
from croupier.odds.compiled import inlined, lean
from croupier.simulation.generator import step
from croupier.simulation.plan import TallyBuffers
from croupier.simulation.vectors import (
    LANES,
    bits_of,
    high_product,
    least,
    lowest,
    most,
    rotate,
    select,
    shift,
    shorts,
    splat,
    store,
    words,
    woven,
)

Shorts: TypeAlias = npt.NDArray[np.uint16]
Words: TypeAlias = npt.NDArray[np.uint32]

# The compiler treats these as constants.
WIDTH = 2 * LANES
HALF_LANES = LANES // 2
VALUES, KINDS = 9, 12
"""Sums that determine a card's value, and all sums if ranks are known."""

# Rows of a lane after its sums.
UNSEEN = 12
BEHIND = 13
"""Number of unseen cards when the cutting card appears."""
OUT = 14
"""Minimum number of unseen cards for a round."""
HANDS = 15
"""Hands left after the last hand was called, or ``NOT_CALLED``."""
ROUNDS = 16
RESTS = 17
"""``REST`` if the lane has finished, else zero."""
CELL = 18
NUMBERS = 19
"""Six rows: the numbers of the cards, then the number of sums above each."""
MORE, LAST = 25, 26
"""Whether a fifth and a sixth card were drawn."""
BURNED = 27
"""The kind of the first burned card."""
SUITS = 28
"""Four rows: the suits of the nine and the face card of both hands, if known."""
ROWS = 32

NOT_CALLED = 0xFFFF
REST = 4095
"""The cell of a lane that has finished."""
LEAST = 6
ABOVE_NINE, FACES = 4, 3
"""Number of sums above a nine, and one more than the maximum above a face card."""
ROYAL_HANDS = 49
ACTIVE, FINISHED = 0, 1
ZERO, ONE, S16, S32 = np.uint64(0), np.uint64(1), np.uint64(16), np.uint64(32)
HALF, WORD = np.uint64(0xFFFF), np.uint64(0xFFFFFFFF)


class LaneParams(NamedTuple):
    """Parameters common to all lanes. The compiler omits whatever depends on a ``None``."""

    ranks: int | None
    royals: int | None
    """Whether suits are known, for Royal 9."""
    single: int | None
    """Whether each round is dealt from a whole shoe."""
    sums: Shorts
    suits: Shorts
    """Cards of each suit among nines, jacks, queens, and kings: four rows."""
    cards: int
    burns: int
    burned: int
    cards_behind: int
    last_hands: int
    at_first: int
    """Hands left after a call at the beginning of a round."""
    takes: int
    """Whether Player draws, one bit per count."""
    none: int
    """Whether Banker draws if Player stays, one bit per count."""
    tens: int
    """Whether Banker draws if Player's third card is worth 0."""
    turns: Shorts
    """Bits that change from one kind of Player's third card to the next."""


class Lanes(NamedTuple):
    states: Words
    """The streams, a column each."""
    rows: Shorts
    shoes: Integers
    """Shoes still to be completed by each lane."""
    suits: Shorts
    """Remaining suits of each lane, as in ``LaneParams``."""
    counts: Integers
    """Number of active lanes, and of completed shoes."""


@lean
def column(lane: int) -> int:
    """Column of a lane's stream: two vectors of numbers are interleaved."""
    return lane // LANES * LANES + lane % LANES // 2 + lane % 2 * HALF_LANES


@lean
def play(lanes: Lanes, game: LaneParams, room: TallyBuffers, rounds: int, copies: Any) -> int:
    """Return the number of completed shoes; ``copies`` receives the lanes' rows after each step."""
    for lane in range(WIDTH):
        _reload(lanes, game, lane)
    lanes.counts[ACTIVE] = WIDTH
    tally, steps = room.cells, 0
    while rounds and lanes.counts[ACTIVE]:
        if rounds < lanes.counts[ACTIVE]:
            _rest(lanes, rounds)
        rounds -= lanes.counts[ACTIVE]
        for first in range(0, WIDTH, LANES):
            _number(lanes, first)
            ended, royal = _deal(lanes, game, first, copies)
            while royal:
                _tally_royals(lanes, game, first + lowest(royal), room.royals)
                royal &= royal - ONE
            for lane in range(first, first + LANES):
                tally[lanes.rows[CELL, np.uint64(lane)]] += 1
            if copies is not None:
                _copy(lanes, first, copies, steps)
            while ended:
                _end(lanes, game, first + lowest(ended), room.lengths)
                ended &= ended - ONE
        steps += 1
    finished: int = lanes.counts[FINISHED]
    return finished


@lean
def _copy(lanes: Lanes, first: int, copies: Any, at: int) -> None:
    for row in range(ROWS):
        for lane in range(first, first + LANES):
            copies[at, row, lane] = lanes.rows[row, lane]


@lean
def _rest(lanes: Lanes, rounds: int) -> None:
    for lane in range(WIDTH - 1, -1, -1):
        if lanes.counts[ACTIVE] > rounds and lanes.rows[RESTS, lane] == 0:
            lanes.rows[RESTS, lane] = REST
            lanes.counts[ACTIVE] -= 1


@inlined
def _end(lanes: Lanes, game: LaneParams, lane: int, lengths: Integers) -> None:
    if lanes.rows[RESTS, lane] == 0:
        lengths[lanes.rows[ROUNDS, lane]] += 1
        lanes.counts[FINISHED] += 1
        lanes.shoes[lane] -= 1
        if lanes.shoes[lane] == 0:
            lanes.rows[RESTS, lane] = REST
            lanes.counts[ACTIVE] -= 1
    _reload(lanes, game, lane)


@lean
def _reload(lanes: Lanes, game: LaneParams, lane: int) -> None:
    rows = lanes.rows
    number = np.uint64(game.cards)
    burned, kind = game.burned, len(game.sums)
    if game.burns:
        number = _below(lanes.states, column(lane), number)
        burned = 10
    for place in range(len(game.sums)):
        offset = 1 if number < game.sums[place] else 0
        rows[place, lane] = game.sums[place] - offset
        kind -= offset
        if place < VALUES:
            burned -= offset
    rows[BURNED, lane] = kind
    rows[UNSEEN, lane] = game.cards - game.burns
    rows[BEHIND, lane] = game.cards_behind + burned
    rows[OUT, lane] = LEAST + burned
    rows[HANDS, lane] = NOT_CALLED
    rows[ROUNDS, lane] = 0
    if game.royals is not None:
        _restore_suits(lanes, game, lane)


@lean
def _restore_suits(lanes: Lanes, game: LaneParams, lane: int) -> None:
    for rank in range(4):
        for suit in range(4):
            lanes.suits[lane, rank, suit] = game.suits[rank, suit]


@lean
def _number_at(states: Words, at: int) -> np.uint64:
    state = (states[0, at], states[1, at], states[2, at], states[3, at])
    number, (states[0, at], states[1, at], states[2, at], states[3, at]) = step(state)
    return np.uint64(number)


@lean
def _below(states: Words, at: int, bound: np.uint64) -> np.uint64:
    product = _number_at(states, at) * bound
    if product & WORD < bound:
        favored = (WORD + ONE) % bound
        while product & WORD < favored:
            product = _number_at(states, at) * bound
    result: np.uint64 = product >> S32
    return result


@inlined
def _number(lanes: Lanes, first: int) -> None:
    states, rows = lanes.states, lanes.rows
    one = splat(1)
    unseen = shorts(rows, UNSEEN * WIDTH + first)
    doubtful = unseen < splat(0)
    even, odd = _state(states, first), _state(states, first + HALF_LANES)
    for draw in range(0, 6, 2):
        upper, even = _next(even)
        lower, odd = _next(odd)
        numbers, more_numbers = woven(upper, lower)
        doubtful |= numbers * unseen < unseen
        unseen -= one
        doubtful |= more_numbers * unseen < unseen
        unseen -= one
        store(rows, (NUMBERS + draw) * WIDTH + first, numbers)
        store(rows, (NUMBERS + draw + 1) * WIDTH + first, more_numbers)
    for word in range(4):
        store(states, word * WIDTH + first, even[word])
        store(states, word * WIDTH + first + HALF_LANES, odd[word])
    bits = bits_of(doubtful)
    while bits:
        lane = first + lowest(bits)
        bits &= bits - ONE
        for draw in range(6):
            cards = np.uint64(rows[UNSEEN, lane] - draw)
            if rows[NUMBERS + draw, lane] * cards & HALF < cards:
                favored = (HALF + ONE) % cards
                while rows[NUMBERS + draw, lane] * cards & HALF < favored:
                    rows[NUMBERS + draw, lane] = _number_at(states, column(lane)) >> S16


@inlined
def _state(states: Words, first: int) -> Any:
    return (
        words(states, first),
        words(states, WIDTH + first),
        words(states, 2 * WIDTH + first),
        words(states, 3 * WIDTH + first),
    )


@inlined
def _next(state: Any) -> Any:
    zero, one, two, three = state
    number = rotate(zero + three, 7) + zero
    two ^= zero
    three ^= one
    return number, (zero ^ three, one ^ two, two ^ shift(one, 9), rotate(three, 11))


@inlined
def _deal(lanes: Lanes, game: LaneParams, first: int, copies: Any) -> Any:
    rows = lanes.rows
    zero, one, ten = splat(0), splat(1), splat(10)
    unseen = shorts(rows, UNSEEN * WIDTH + first)
    unseen_after = unseen - splat(4)
    numbers = (
        _card(rows, 0, first, unseen),
        _card(rows, 1, first, unseen - one),
        _card(rows, 2, first, unseen - splat(2)),
        _card(rows, 3, first, unseen - splat(3)),
    )
    fifth, sixth = _card(rows, 4, first, unseen_after), _card(rows, 5, first, unseen_after - one)
    four = _four(rows, game, first, (0, VALUES), numbers, (zero, zero, zero, zero))
    player, banker = _count(four[0] + four[2]), _count(four[1] + four[3])
    is_open = select(most(player, banker) < splat(8), one, zero)
    # The fifth card is Player's, or Banker's if Player stays.
    takes = splat(game.takes) >> player & is_open
    any_third = splat(game.none) >> banker & is_open | takes
    third, banker_turns = _third(rows, game.turns, first, fifth, any_third)
    last = (splat(game.tens) ^ banker_turns) >> banker & takes
    third_counts = _extra(rows, first, (0, VALUES), sixth, last)
    took = zero < takes
    player = _less(player + ten - select(took, third, zero))
    banker = _less(banker + ten - select(took, third_counts, third))
    cell = player * splat(40) + banker * splat(4) + takes + takes + select(took, last, any_third)
    if game.ranks is not None:
        four = _four(rows, game, first, (VALUES, KINDS), numbers, four)
        pairs = select(four[0] == four[2], splat(2), zero) + select(four[1] == four[3], one, zero)
        cell = cell * splat(4) + pairs
        third += _extra(rows, first, (VALUES, KINDS), fifth, any_third)
        third_counts += _extra(rows, first, (VALUES, KINDS), sixth, last)
    rests = shorts(rows, RESTS * WIDTH + first)
    store(rows, CELL * WIDTH + first, most(cell, rests))
    royal = ZERO
    if game.royals is not None:
        hands = _royal(four[0], four[2]) | _royal(four[1], four[3])
        royal = bits_of(hands & (rests == zero))
    if game.royals is not None or copies is not None:
        _keep(rows, NUMBERS, first, four)
    if copies is not None:
        _keep(rows, NUMBERS + 4, first, (third, third_counts, any_third, last))
    if game.single is not None:
        return ZERO, royal
    return _after(rows, game, first, unseen_after - any_third - last), royal


@inlined
def _keep(rows: Shorts, row: int, first: int, vectors: Any) -> None:
    for vector in range(4):
        store(rows, (row + vector) * WIDTH + first, vectors[vector])


@inlined
def _third(rows: Shorts, turns: Shorts, first: int, card: Any, drawn: Any) -> Any:
    zero = splat(0)
    thirds, turning = zero, zero
    for kind in range(VALUES):
        place = kind * WIDTH + first
        sums = shorts(rows, place)
        is_below = card < sums
        third_taken = select(is_below, drawn, zero)
        thirds += third_taken
        turning ^= select(is_below, splat(turns[kind]), zero)
        store(rows, place, sums - third_taken)
    return thirds, turning


@inlined
def _extra(rows: Shorts, first: int, kinds: Any, card: Any, drawn: Any) -> Any:
    zero = splat(0)
    values_above = zero
    for kind in range(kinds[0], kinds[1]):
        place = kind * WIDTH + first
        sums = shorts(rows, place)
        card_taken = select(card < sums, drawn, zero)
        values_above += card_taken
        store(rows, place, sums - card_taken)
    return values_above


@inlined
def _card(rows: Shorts, draw: int, first: int, unseen: Any) -> Any:
    return high_product(shorts(rows, (NUMBERS + draw) * WIDTH + first), unseen)


@inlined
def _four(rows: Shorts, game: LaneParams, first: int, kinds: Any, cards: Any, above: Any) -> Any:  # noqa: PLR0913, PLR0917  (as a kernel)
    one = splat(1)
    p, q, r, s = cards
    a, b, c, d = above
    for kind in range(kinds[0], kinds[1]):
        place = kind * WIDTH + first
        sums = splat(game.sums[kind]) if game.single is not None else shorts(rows, place)
        a, sums = select(p < sums, a + one, a), select(p < sums, sums - one, sums)
        b, sums = select(q < sums, b + one, b), select(q < sums, sums - one, sums)
        c, sums = select(r < sums, c + one, c), select(r < sums, sums - one, sums)
        d, sums = select(s < sums, d + one, d), select(s < sums, sums - one, sums)
        store(rows, place, sums)
    return a, b, c, d


@inlined
def _count(above: Any) -> Any:
    """Point Count of two cards: the value of each is ten minus the sums above it."""
    ten = splat(10)
    return _less(least(ten + ten - above, ten - above))


@inlined
def _less(count: Any) -> Any:
    return least(count, count - splat(10))


@inlined
def _after(rows: Shorts, game: LaneParams, first: int, left: Any) -> Any:
    zero, one, not_called = splat(0), splat(1), splat(NOT_CALLED)
    unseen_before = shorts(rows, UNSEEN * WIDTH + first)
    cards_behind = shorts(rows, BEHIND * WIDTH + first)
    hands = shorts(rows, HANDS * WIDTH + first)
    given = select(unseen_before < cards_behind + one, splat(game.at_first), splat(game.last_hands))
    called = select(left < cards_behind, given, not_called)
    hands = select(hands == not_called, called, hands - one)
    store(rows, UNSEEN * WIDTH + first, left)
    store(rows, HANDS * WIDTH + first, hands)
    store(rows, ROUNDS * WIDTH + first, shorts(rows, ROUNDS * WIDTH + first) + one)
    return bits_of((hands == zero) | (left < shorts(rows, OUT * WIDTH + first)))


@inlined
def _royal(one: Any, other: Any) -> Any:
    return (most(one, other) == splat(ABOVE_NINE)) & (least(one, other) < splat(FACES))


@lean
def _tally_royals(lanes: Lanes, game: LaneParams, lane: int, royals: Integers) -> None:
    if game.single is not None:
        _restore_suits(lanes, game, lane)
    cell = 0
    for hand in range(2):
        row: int = lanes.rows[NUMBERS + hand, lane]
        banker_third: int = lanes.rows[NUMBERS + hand + 2, lane]
        cell *= ROYAL_HANDS
        if max(row, banker_third) == ABOVE_NINE and min(row, banker_third) < FACES:
            face = FACES - 1 - min(row, banker_third)
            nine, suit = _suit(lanes, lane, 0), _suit(lanes, lane, 1 + face)
            lanes.rows[SUITS + 2 * hand, lane] = nine
            lanes.rows[SUITS + 2 * hand + 1, lane] = suit
            cell += 1 + nine * 12 + suit * 3 + face
    royals[cell] += 1


@lean
def _suit(lanes: Lanes, lane: int, rank: int) -> int:
    cards_left = ZERO
    for suit in range(4):
        cards_left += lanes.suits[lane, rank, suit]
    card = _below(lanes.states, column(lane), cards_left)
    suit = 0
    while card >= lanes.suits[lane, rank, suit]:
        card -= lanes.suits[lane, rank, suit]
        suit += 1
    lanes.suits[lane, rank, suit] -= 1
    return suit
