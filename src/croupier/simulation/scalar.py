"""The scalar engine: shoes shuffled card by card and dealt round by round, every card known.

It is the meaning of a simulation: readable, and able to tell every card. A shoe is shuffled as it
is dealt (Fisher and Yates): each draw picks one of the cards that are left, each as likely as any
other; Lemire's bounded numbers throw away what would favour some.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.odds.compiled import Integers, compiled
from croupier.simulation.plan import Course, Plan
from croupier.simulation.played import WHOLE, Played, Room
from croupier.simulation.streams import WORD, States, next_number, stream_states

__all__ = ["NO_CARD", "ScalarEngine", "Told", "draw_card", "each_shoe", "tally_shoes", "tell_block"]

Bytes: TypeAlias = npt.NDArray[np.uint8]

# The compiler takes these for constants.
LEAST = 6
NO_THIRD = 10
NO_CARD: Final = 255
S32 = np.uint64(32)
VALUES = np.array([min(card % 13 + 1, 10) % 10 for card in range(52)], dtype=np.int64)
RANKS = np.array([card % 13 for card in range(52)], dtype=np.int64)
NINE, JACK = 8, 10
MOST_BURNED = 11

SHOES: Final = 1024
"""Shoes of a block, dealt from one stream."""


class Told(NamedTuple):
    """Rounds as they were dealt, a row each, and how their shoes began.

    ``shoe`` and ``round`` count from nought. ``cards`` are the six places of a coup in the order
    dealt, as indices of ``croupier.cards.DECK``: Player, Banker, Player, Banker, then the third
    cards in turn; ``NO_CARD`` where none was drawn. ``burned`` has a row for each shoe.
    """

    shoe: Integers
    round: Integers
    cards: Bytes
    burned: Bytes


class ScalarEngine:
    """Deals blocks of shoes one card after another. Safe to ask from several threads at a time."""

    name: Final = "scalar"

    def __init__(self, plan: Plan, seed: int) -> None:
        self.plan = plan
        self.seed = seed

    def play(self, block: int, most: int) -> Played:
        """Play a block, or the first ``most`` of its rounds."""
        room = Room.of(self.plan)
        (state,) = stream_states(self.seed, block, 1)
        shoe = np.array(self.plan.cards, dtype=np.uint8)
        finished = _tally(state, shoe, self.plan.course, SHOES, most, room)
        return room.played(int(finished))


def tally_shoes(plan: Plan, shoes: Bytes) -> Played:
    """Deal shoes whose cards are given, in the order in which they leave it, a row each."""
    room = Room.of(plan)
    finished = 0
    for cards in shoes:
        finished += _tally(None, cards, plan.course, 1, WHOLE, room)
    return room.played(finished)


def each_shoe(plan: Plan, seed: int, shoes: int) -> Iterator[Played]:
    """Deal shoes of a seed, the first of its first block and those after them, and yield each."""
    (state,) = stream_states(seed, 0, 1)
    cards = np.array(plan.cards, dtype=np.uint8)
    for _ in range(shoes):
        room = Room.of(plan)
        _tally(state, cards, plan.course, 1, WHOLE, room)
        yield room.played(1)


def tell_block(plan: Plan, seed: int, block: int, shoes: int = SHOES) -> Told:
    """Deal the first shoes of a block once more, and tell every card."""
    (state,) = stream_states(seed, block, 1)
    cards = np.array(plan.cards, dtype=np.uint8)
    most = shoes if plan.course.single else shoes * (len(cards) // 4 + 1)
    told = Told(
        np.empty(most, dtype=np.int64),
        np.empty(most, dtype=np.int64),
        np.full((most, LEAST), NO_CARD, dtype=np.uint8),
        np.full((shoes, MOST_BURNED), NO_CARD, dtype=np.uint8),
    )
    rounds = _tell(state, cards, plan.course, told)
    return Told(told.shoe[:rounds], told.round[:rounds], told.cards[:rounds], told.burned)


@compiled
def draw_card(state: Any, shoe: Bytes, at: int) -> int:
    """Draw the card at a place; where there is a stream, one of those that are left comes there."""
    if state is not None:
        left = np.uint64(len(shoe) - at)
        product = next_number(state) * left
        low = product & WORD
        if low < left:
            least = (WORD - left + np.uint64(1)) % left
            while low < least:
                product = next_number(state) * left
                low = product & WORD
        other = at + np.int64(product >> S32)
        shoe[at], shoe[other] = shoe[other], shoe[at]
    card: int = shoe[at]
    return card


@compiled
def _burn(state: Any, shoe: Bytes, course: Course) -> int:
    """Burn the first card and as many as it is worth; return how many cards left the shoe."""
    if not course.burns:
        return 0
    rank = RANKS[draw_card(state, shoe, 0)]
    burned = 1 + (rank + 1 if rank < 9 else 10)
    for at in range(1, burned):
        draw_card(state, shoe, at)
    return burned


@compiled
def _coup(state: Any, shoe: Bytes, at: int, course: Course) -> tuple[int, int, int, int]:
    """Deal a coup whose first card lies there: both Point Counts, and both numbers of cards."""
    player = VALUES[draw_card(state, shoe, at)]
    banker = VALUES[draw_card(state, shoe, at + 1)]
    player = (player + VALUES[draw_card(state, shoe, at + 2)]) % 10
    banker = (banker + VALUES[draw_card(state, shoe, at + 3)]) % 10
    if player > 7 or banker > 7:
        return player, banker, 2, 2
    third, own, next_card = NO_THIRD, 2, at + 4
    before = banker
    if course.takes[player]:
        third = VALUES[draw_card(state, shoe, next_card)]
        player = (player + third) % 10
        own, next_card = 3, at + 5
    if course.draws[third, before]:
        return player, (banker + VALUES[draw_card(state, shoe, next_card)]) % 10, own, 3
    return player, banker, own, 2


@compiled
def _after(course: Course, cards: int, began: int, at: int, hands_left: int) -> int:
    """Return how many rounds are left after one; below nought while nobody knows."""
    if course.single:
        return 0
    if hands_left > 0:
        return hands_left - 1
    if cards - (at - 1) > course.behind:
        return -1
    at_first = cards - began <= course.behind
    return 0 if at_first and course.ends_at_first else course.last_hands


@compiled
def _royal(one: int, other: int) -> int:
    """Return the cell of a hand to Royal 9, from its first two cards."""
    nine, face = (one, other) if RANKS[one] == NINE else (other, one)
    if RANKS[nine] != NINE or RANKS[face] < JACK:
        return 0
    cell: int = 1 + nine // 13 * 12 + face // 13 * 3 + RANKS[face] - JACK
    return cell


@compiled
def _tally(  # noqa: PLR0913, PLR0917  (a kernel takes all that it reads)
    state: Any, shoe: Bytes, course: Course, shoes: int, most: int, room: Room
) -> int:
    """Deal shoes and add their rounds up; return how many shoes came to their end."""
    cards = len(shoe)
    played = 0
    for finished in range(shoes):
        at = _burn(state, shoe, course)
        rounds, hands_left = 0, -1
        while hands_left != 0 and cards - at >= LEAST:
            if played == most:
                return finished
            player, banker, own, other = _coup(state, shoe, at, course)
            cell = ((player * 10 + banker) * 2 + own - 2) * 2 + other - 2
            if len(room.cells) > 400:
                cell = cell * 4
                if RANKS[shoe[at]] == RANKS[shoe[at + 2]]:
                    cell += 2
                if RANKS[shoe[at + 1]] == RANKS[shoe[at + 3]]:
                    cell += 1
            room.cells[cell] += 1
            if len(room.royals):
                first = _royal(int(shoe[at]), int(shoe[at + 2]))
                room.royals[first * 49 + _royal(int(shoe[at + 1]), int(shoe[at + 3]))] += 1
            began = at
            at += own + other
            rounds += 1
            played += 1
            hands_left = _after(course, cards, began, at, hands_left)
        room.lengths[rounds] += 1
    return shoes


@compiled
def _tell(state: States, shoe: Bytes, course: Course, told: Told) -> int:
    """Deal shoes and write every card down; return how many rounds there were."""
    cards = len(shoe)
    written = 0
    for number in range(len(told.burned)):
        at = _burn(state, shoe, course)
        told.burned[number, :at] = shoe[:at]
        rounds, hands_left = 0, -1
        while hands_left != 0 and cards - at >= LEAST:
            _player, _banker, own, other = _coup(state, shoe, at, course)
            told.shoe[written] = number
            told.round[written] = rounds
            told.cards[written, : own + other] = shoe[at : at + own + other]
            began = at
            at += own + other
            rounds += 1
            written += 1
            hands_left = _after(course, cards, began, at, hands_left)
    return written
