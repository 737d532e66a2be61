"""Drawing of questions, reproducible from rules, kind, level, seed, and number."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from croupier.drills.kinds import MAKERS
from croupier.drills.question import LEVELS, Asking, DrillKind, Question
from croupier.drills.room import DrillRoom
from croupier.table.cards.chance import Chance

DRILLS: Final[Mapping[str, DrillKind]] = MAKERS

_TRIES: Final = 40
"""Number of attempts; a kind without results is not possible under the rules."""


def question(
    room: DrillRoom, kind: str, seed: int, number: int = 1, level: int | None = None
) -> Question | None:
    """Return a question; ``None`` if the kind is not possible under these rules.

    Without a ``level`` each question has its own.
    """
    for attempt in range(_TRIES):
        seed_text = f"{room.rules.sha256} {kind} {seed} {number} {attempt}"
        chance = Chance(int.from_bytes(hashlib.sha256(seed_text.encode()).digest()[:8]))
        wanted = chance.choose(LEVELS) if level is None else level
        drawn = DRILLS[kind].draw(Asking(room, chance, wanted))
        if drawn is not None:
            return replace(drawn, kind=kind, level=wanted, number=number)
    return None


def drawn_questions(
    room: DrillRoom, asked: Sequence[str], seed: int, count: int, level: int | None = None
) -> Iterator[Question]:
    left = list(asked)
    number = 0
    while left and number < count:
        kind = left[number % len(left)]
        drawn = question(room, kind, seed, number + 1, level)
        if drawn is None:
            left.remove(kind)
            continue
        number += 1
        yield drawn
