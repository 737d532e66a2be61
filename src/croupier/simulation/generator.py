"""The compiled random number generator."""

from __future__ import annotations

import numpy as np

from croupier.odds.compiled import compiled
from croupier.simulation.streams import States, Words, stepped

step = compiled(stepped)


@compiled
def words_of(state: States) -> Words:
    return np.uint32(state[0]), np.uint32(state[1]), np.uint32(state[2]), np.uint32(state[3])


@compiled
def next_number(state: States) -> np.uint32:
    number: np.uint32
    number, (state[0], state[1], state[2], state[3]) = step(words_of(state))
    return number
