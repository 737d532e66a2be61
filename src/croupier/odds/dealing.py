"""Compiled dealing of shoes like ``croupier.odds.rounds``, with numbers from SplitMix64."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.odds.arrays import Bytes, Integers, ShoeProcedureArrays
from croupier.odds.compiled import compiled, copied

States: TypeAlias = npt.NDArray[np.uint64]

# The compiler treats these as constants.
RANKS = 13
LEAST = 6
NO_THIRD = 10
STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_ONE = np.uint64(0xBF58476D1CE4E5B9)
MIX_TWO = np.uint64(0x94D049BB133111EB)
LOW = np.uint64(0xFFFFFFFF)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@compiled
def shuffle(state: States, shoes: Bytes) -> None:
    for shoe in range(len(shoes)):
        for last in range(shoes.shape[1] - 1, 0, -1):
            number = np.uint64(last + 1)
            while True:
                state[0] += STEP
                word = state[0]
                word = (word ^ (word >> S30)) * MIX_ONE
                word = (word ^ (word >> S27)) * MIX_TWO
                product = ((word ^ (word >> S31)) >> S32) * number
                low = product & LOW
                if low >= number or low >= (LOW - number + np.uint64(1)) % number:
                    break
            other = np.int64(product >> S32)
            shoes[shoe, last], shoes[shoe, other] = shoes[shoe, other], shoes[shoe, last]


@compiled
def deal(
    shoes: Bytes, counts: Integers, rules: ShoeProcedureArrays, starts: Integers, begins: Integers
) -> int:
    """Deal shoes of ranks 0 to 12, and return the number of rounds started.

    Fills ``starts`` with each round's unseen cards by rank, ``begins`` with its first position.
    """
    cards = shoes.shape[1]
    rounds = 0
    unseen = np.empty(RANKS, dtype=np.int64)
    for shoe in range(len(shoes)):
        copied(counts, unseen)
        at = rules.burned
        if rules.burns:
            first = int(shoes[shoe, 0])
            at = 1 + (first + 1 if first < 9 else 10)
        for place in range(min(at, rules.burn_shown, cards)):
            unseen[shoes[shoe, place]] -= 1
        hands_left = -1
        while hands_left != 0 and cards - at >= LEAST:
            copied(unseen, starts[rounds])
            begins[rounds] = shoe * cards + at
            rounds += 1
            start = at
            at += _round(shoes[shoe], at, rules)
            for place in range(start, at):
                unseen[shoes[shoe, place]] -= 1
            if hands_left > 0:
                hands_left -= 1
            elif cards - (at - 1) <= rules.cards_behind:
                at_first = cards - start <= rules.cards_behind
                hands_left = 0 if at_first and rules.ends_at_first else rules.last_hands
    return rounds


@compiled
def _round(shoe: Bytes, at: int, rules: ShoeProcedureArrays) -> int:
    player = _worth(shoe[at]) + _worth(shoe[at + 2])
    banker = _worth(shoe[at + 1]) + _worth(shoe[at + 3])
    player, banker = player % 10, banker % 10
    if player > 7 or banker > 7:
        return 4
    third, cards_drawn = NO_THIRD, 4
    if rules.takes[player]:
        third, cards_drawn = _worth(shoe[at + 4]), 5
    return cards_drawn + (1 if rules.draws[third, banker] else 0)


@compiled
def _worth(rank: int) -> int:
    return rank + 1 if rank < 9 else 0


@compiled
def gather(ways: Integers, groups: Integers, sums: Integers) -> None:
    """Add up the ways of each group of cells."""
    for row in range(len(ways)):
        for group in range(sums.shape[1]):
            sums[row, group] = 0
        for cell in range(len(groups)):
            sums[row, groups[cell]] += ways[row, cell]
