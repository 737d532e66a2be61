"""Drawing of questions, reproducibly, and spaced repetition by clause.

A question follows from rules, kind, level, seed, and number. Correct answers increase the interval
of its clauses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from msgspec.structs import replace

from croupier.drills.documents import DrillBoxes, SpacedClause
from croupier.drills.kinds import MAKERS
from croupier.drills.marking import MarkedAnswer
from croupier.drills.room import LEVELS, Asking, DrillKind, DrillRoom, Question
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


DAYS: Final = (1, 2, 4, 8, 16)
"""Interval in days by box."""


def no_boxes() -> DrillBoxes:
    return {"format": "croupier-drill-boxes/1", "laws": {}}


def boxes_from(data: Any) -> DrillBoxes:
    """Return saved boxes. Raises ``ValueError`` for invalid data."""
    if not isinstance(data, dict) or data.get("format") != "croupier-drill-boxes/1":
        raise ValueError('not the boxes of a drill: its "format" must be croupier-drill-boxes/1')
    try:
        laws: dict[str, dict[str, SpacedClause]] = {
            str(law): {
                str(clause): {
                    "box": min(max(int(one["box"]), 0), len(DAYS) - 1),
                    "due": date.fromisoformat(one["due"]).isoformat(),
                }
                for clause, one in clauses.items()
            }
            for law, clauses in data["laws"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"not the boxes of a drill: {error}") from error
    for name in (*laws, *(clause for clauses in laws.values() for clause in clauses)):
        if not name.isprintable():
            # A database refuses some, and a page shows others as what they are not.
            raise ValueError(f"not the name of a law or clause: {name!a}")
    return {"format": "croupier-drill-boxes/1", "laws": laws}


def spaced(boxes: DrillBoxes, law: str, marked: Iterable[MarkedAnswer], today: date) -> DrillBoxes:
    """Boxes after answers: correct goes up one box, wrong to the first.

    A clause not yet due is unchanged by a correct answer.
    """
    clauses: dict[str, SpacedClause] = dict(boxes["laws"].get(law, {}))
    for answer in marked:
        for clause in answer.question.clauses:
            before = clauses.get(clause)
            box = 0
            if answer.is_right and before is not None:
                if date.fromisoformat(before["due"]) > today:
                    continue
                box = min(before["box"] + 1, len(DAYS) - 1)
            due = today + timedelta(days=DAYS[box])
            clauses[clause] = {"box": box, "due": due.isoformat()}
    return {"format": boxes["format"], "laws": {**boxes["laws"], law: clauses}}


def chosen(
    candidates: Iterator[Question], known: Mapping[str, SpacedClause], count: int, today: date
) -> Sequence[Question]:
    """Questions with a due or new clause, then others."""
    due: list[Question] = []
    others: list[Question] = []
    for candidate in candidates:
        asked = due if _is_due(candidate, known, today) else others
        asked.append(candidate)
        if len(due) == count:
            break
    return [*due, *others][:count]


_CANDIDATES: Final = 8
"""Candidates drawn per question to find those that are due."""


def asked_today(  # noqa: PLR0913  (what is asked, and of whom)
    room: DrillRoom,
    kinds: Sequence[str],
    boxes: DrillBoxes,
    today: date,
    *,
    seed: int,
    count: int,
    level: int | None = None,
) -> Sequence[Question]:
    drawn = drawn_questions(room, kinds, seed + today.toordinal(), _CANDIDATES * count, level)
    return chosen(drawn, boxes["laws"].get(room.rules.law.key, {}), count, today)


def _is_due(question: Question, known: Mapping[str, SpacedClause], today: date) -> bool:
    return any(
        clause not in known or date.fromisoformat(known[clause]["due"]) <= today
        for clause in question.clauses
    )
