"""The scalar engine, the reference: shoes shuffled card by card and dealt round by round."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from croupier.odds.arrays import Bytes, Integers, ShoeProcedureArrays
from croupier.odds.card_wagers import LineLookup, line_lookup
from croupier.odds.compiled import compiled, inlined
from croupier.simulation.generator import next_number, step, words_of
from croupier.simulation.plan import MOST_BURNED, Plan, TallyBuffers, TallyResult
from croupier.simulation.shoes import CODES, Codes, drawing_table
from croupier.simulation.streams import stream_states

NO_CARD: Final = 255
PLACES = 6

# The compiler treats these as constants. Signed positions would need a check for negative indices.
CARD, RANK, VALUE = np.uint64(0x3F), np.uint64(0x3C0), np.uint64(10)
"""Bit masks of a code's card and rank, and the bit offset of its value."""
ZERO, ONE, TWO, FOUR, SIX, SEVEN, TEN = (np.uint64(number) for number in (0, 1, 2, 4, 6, 7, 10))
OWN, OTHER = np.uint64(3), np.uint64(4)
"""Bits of ``ScalarParams.thirds`` for the hands that take a third card."""
S32, WORD = np.uint64(32), np.uint64(0xFFFFFFFF)
NINE, JACK = 8, 10

SHOES: Final = 1024
"""Shoes of a block, dealt from one stream."""


class DealtShoes(NamedTuple):
    """Rounds as dealt, a row each, with six positions in dealing order; ``NO_CARD`` is none."""

    shoe: Integers
    round: Integers
    cards: Bytes
    burned: Bytes


class ScalarParams(NamedTuple):
    course: ShoeProcedureArrays
    thirds: Bytes

    @classmethod
    def of(cls, course: ShoeProcedureArrays) -> ScalarParams:
        return cls(course, drawing_table(course))


class ScalarEngine:
    """Deals blocks of shoes card by card. Thread-safe."""

    name: Final = "scalar"

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan = plan
        self.seed = seed

    def play(self, block: int, most: int) -> TallyResult:
        room = TallyBuffers.of(self.plan)
        (state,) = stream_states(self.seed, block, 1)
        shoe = CODES[list(self.plan.cards)]
        pairs = None if self.plan.level == "counts" else 1
        finished = _tally(
            words_of(state),
            shoe,
            ScalarParams.of(self.plan.course),
            SHOES,
            most,
            room,
            pairs,
            line_lookup(self.plan.card_wagers),
        )
        return room.played(int(finished))


def replay_block(plan: Plan, seed: int, block: int, shoes: int = SHOES) -> DealtShoes:
    (state,) = stream_states(seed, block, 1)
    cards = CODES[list(plan.cards)]
    most = shoes if plan.course.single else shoes * (len(cards) // 4 + 1)
    found = DealtShoes(
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.full((most, PLACES), NO_CARD, dtype=np.uint8),
        np.full((shoes, max(MOST_BURNED, plan.course.burned)), NO_CARD, dtype=np.uint8),
    )
    rounds = _replay(words_of(state), cards, ScalarParams.of(plan.course), found)
    return DealtShoes(found.shoe[:rounds], found.round[:rounds], found.cards[:rounds], found.burned)


@compiled
def draw_card(state: Any, shoe: Bytes, at: int) -> int:
    """Draw the card at a position; with a stream, swap in a random one first."""
    if state is not None:
        cards_left = np.uint64(len(shoe) - at)
        product = np.uint64(next_number(state)) * cards_left
        low = product & WORD
        if low < cards_left:
            threshold = (WORD - cards_left + np.uint64(1)) % cards_left
            while low < threshold:
                product = np.uint64(next_number(state)) * cards_left
                low = product & WORD
        place = at + np.int64(product >> S32)
        shoe[at], shoe[place] = shoe[place], shoe[at]
    card: int = shoe[at]
    return card


@compiled
def _two(stream: Any, shoe: Codes, at: Any) -> Any:
    """Draw two cards, with a stream by one 32-bit number (Lemire, batched)."""
    place_after = at + ONE
    if stream is None:
        return np.uint64(shoe[at]), np.uint64(shoe[place_after]), stream
    cards_left = np.uint64(len(shoe)) - at
    less = cards_left - ONE
    number, stream = step(stream)
    first_product = np.uint64(number) * cards_left
    second = (first_product & WORD) * less
    if second & WORD < cards_left * less:
        favored = (WORD + ONE) % (cards_left * less)
        while second & WORD < favored:
            number, stream = step(stream)
            first_product = np.uint64(number) * cards_left
            second = (first_product & WORD) * less
    place = at + (first_product >> S32)
    first_card = shoe[place]
    shoe[place] = shoe[at]
    shoe[at] = first_card
    place = place_after + (second >> S32)
    second_card = shoe[place]
    shoe[place] = shoe[place_after]
    shoe[place_after] = second_card
    return np.uint64(first_card), np.uint64(second_card), stream


@compiled
def _burn(stream: Any, shoe: Codes, game: ScalarParams) -> Any:
    burned, at = np.uint64(game.course.burned), ZERO
    if game.course.burns:
        card, _, stream = _two(stream, shoe, ZERO)
        value = card >> VALUE
        burned = ONE + (value or TEN)
        at = TWO
    while at < burned:
        _, _, stream = _two(stream, shoe, at)
        at += TWO
    return burned, stream


@inlined
def _coup(stream: Any, shoe: Codes, at: Any, game: ScalarParams) -> Any:
    """Deal a coup. All six positions are drawn, which is faster than branching."""
    a, b, stream = _two(stream, shoe, at)
    c, d, stream = _two(stream, shoe, at + TWO)
    fifth, sixth, stream = _two(stream, shoe, at + FOUR)
    player, banker = _ten((a >> VALUE) + (c >> VALUE)), _ten((b >> VALUE) + (d >> VALUE))
    third = fifth >> VALUE
    thirds = np.uint64(game.thirds[player << np.uint64(8) | banker << FOUR | third])
    player_draws, banker_draws = thirds >> OWN & ONE, thirds >> OTHER
    banker_third = sixth >> VALUE if player_draws else third
    player = _ten(player + (third if player_draws else ZERO))
    banker = _ten(banker + (banker_third if banker_draws else ZERO))
    cell = ((player * TEN + banker) * TWO + player_draws) * TWO + banker_draws
    return cell, thirds & SEVEN, (a, b, c, d), stream


@inlined
def _ten(count: Any) -> Any:
    return count - TEN if count >= TEN else count


@inlined
def _after(game: ScalarParams, shoe: Codes, start: Any, end: Any, hands_left: int) -> int:
    cards, at = len(shoe), np.int64(end)
    if game.course.single:
        return 0
    if hands_left > 0:
        return hands_left - 1
    if cards - (at - 1) > game.course.cards_behind:
        return -1
    at_first = cards - np.int64(start) <= game.course.cards_behind
    return 0 if at_first and game.course.ends_at_first else game.course.last_hands


@compiled
def _royal(first: Any, second: Any) -> Any:
    first_card, second_card = np.int64(first & CARD), np.int64(second & CARD)
    nine, face = (first_card, second_card) if first_card % 13 == NINE else (second_card, first_card)
    if nine % 13 != NINE or face % 13 < JACK:
        return 0
    return 1 + nine // 13 * 12 + face // 13 * 3 + face % 13 - JACK


@compiled
def _tally(  # noqa: PLR0913, PLR0917  (a kernel takes all that it reads)
    stream: Any,
    shoe: Codes,
    game: ScalarParams,
    shoes: int,
    most: int,
    room: TallyBuffers,
    pairs: Any,
    lookup: Any,
) -> int:
    cards = np.uint64(len(shoe))
    dealt = 0
    for finished in range(shoes):
        at, stream = _burn(stream, shoe, game)
        rounds, hands_left = 0, -1
        while hands_left != 0 and cards - at >= SIX:
            if dealt == most:
                return finished
            cell, cards_drawn, (a, b, c, d), stream = _coup(stream, shoe, at, game)
            if lookup is not None:
                fifth, sixth = shoe[at + FOUR], shoe[at + FOUR + ONE]
                drew = np.int64(cell >> ONE & ONE), np.int64(cell & ONE)
                last = sixth if drew[0] else fifth
                _hit(lookup, _hand(a, c, fifth, drew[0]), _hand(b, d, last, drew[1]), room.hits)
            if pairs is not None:
                own, other = np.uint64((a ^ c) & RANK == ZERO), np.uint64((b ^ d) & RANK == ZERO)
                cell = cell * FOUR + own * TWO + other
            room.cells[cell] += 1
            if len(room.royals):
                room.royals[_royal(a, c) * 49 + _royal(b, d)] += 1
            start = at
            at += cards_drawn
            rounds += 1
            dealt += 1
            hands_left = _after(game, shoe, start, at, hands_left)
        room.lengths[rounds] += 1
    return shoes


@inlined
def _hand(one: Any, two: Any, three: Any, has_third: Any) -> Any:
    first = np.int64(one & CARD) * 52 + np.int64(two & CARD)
    return 52 * 52 + first * 52 + np.int64(three & CARD) if has_third else first


@compiled
def _hit(lookup: LineLookup, player: int, banker: int, hits: Integers) -> None:
    for wager in range(len(lookup.first)):
        own, other = lookup.kinds[wager, 0, player], lookup.kinds[wager, 1, banker]
        at = lookup.first[wager] + np.int64(own) * lookup.width[wager] + np.int64(other)
        hits[lookup.line[at]] += 1


@compiled
def _replay(stream: Any, shoe: Codes, game: ScalarParams, shoes_dealt: DealtShoes) -> int:
    cards = np.uint64(len(shoe))
    written = 0
    for number in range(len(shoes_dealt.burned)):
        at, stream = _burn(stream, shoe, game)
        for place in range(at):
            shoes_dealt.burned[number, place] = shoe[place] & CARD
        rounds, hands_left = 0, -1
        while hands_left != 0 and cards - at >= SIX:
            _, cards_drawn, _, stream = _coup(stream, shoe, at, game)
            shoes_dealt.shoe[written] = number
            shoes_dealt.round[written] = rounds
            for place in range(cards_drawn):
                shoes_dealt.cards[written, place] = shoe[at + place] & CARD
            start = at
            at += cards_drawn
            rounds += 1
            written += 1
            hands_left = _after(game, shoe, start, at, hands_left)
    return written
