"""Drawing of questions, reproducibly, spaced repetition by clause, and the clauses covered.

A question follows from rules, kind, level, seed, and number. Correct answers increase the interval
of its clauses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from croupier.drills.documents import ClauseCovered, CoverageOfDrills, DrillBoxes, SpacedClause
from croupier.drills.kinds import MAKERS
from croupier.drills.marking import MarkedAnswer
from croupier.drills.room import LEVELS, Asking, DrillKind, DrillRoom, Question
from croupier.files.toml import read_toml
from croupier.law.model import Clause, ClauseClass, Instrument
from croupier.rules import TableRules
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
        question_level = chance.choose(LEVELS) if level is None else level
        new_question = DRILLS[kind].draw(Asking(room, chance, question_level))
        if new_question is not None:
            return replace(new_question, kind=kind, level=question_level, number=number)
    return None


def drawn_questions(
    room: DrillRoom, kinds: Sequence[str], seed: int, count: int, level: int | None = None
) -> Iterator[Question]:
    kinds_left = list(kinds)
    number = 0
    while kinds_left and number < count:
        kind = kinds_left[number % len(kinds_left)]
        new_question = question(room, kind, seed, number + 1, level)
        if new_question is None:
            kinds_left.remove(kind)
            continue
        number += 1
        yield new_question


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
                    "box": min(max(int(clause_data["box"]), 0), len(DAYS) - 1),
                    "due": date.fromisoformat(clause_data["due"]).isoformat(),
                }
                for clause, clause_data in clauses.items()
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


def spaced(boxes: DrillBoxes, law: str, answers: Iterable[MarkedAnswer], today: date) -> DrillBoxes:
    """Correct answers to clauses that are due go up one box, wrong answers to the first."""
    clauses: dict[str, SpacedClause] = dict(boxes["laws"].get(law, {}))
    for answer in answers:
        for clause in answer.question.clauses:
            state = clauses.get(clause)
            box = 0
            if answer.is_right and state is not None:
                if date.fromisoformat(state["due"]) > today:
                    continue
                box = min(state["box"] + 1, len(DAYS) - 1)
            due_date = today + timedelta(days=DAYS[box])
            clauses[clause] = {"box": box, "due": due_date.isoformat()}
    return {"format": boxes["format"], "laws": {**boxes["laws"], law: clauses}}


def chosen(
    candidates: Iterator[Question], box_state: Mapping[str, SpacedClause], count: int, today: date
) -> Sequence[Question]:
    """Questions with a due or new clause, then others."""
    due_questions: list[Question] = []
    other_questions: list[Question] = []
    for candidate in candidates:
        target = due_questions if _is_due(candidate, box_state, today) else other_questions
        target.append(candidate)
        if len(due_questions) == count:
            break
    return [*due_questions, *other_questions][:count]


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


def _is_due(question: Question, box_state: Mapping[str, SpacedClause], today: date) -> bool:
    return any(
        clause not in box_state or date.fromisoformat(box_state[clause]["due"]) <= today
        for clause in question.clauses
    )


EACH: Final = 25
"""Questions of each kind drawn under each submission."""

_MOST: Final = 400
_WIDE: Final = ("offices", "allowed", "preparation", "round", "payouts")
_SEED: Final = 7
"""A seed that covers the clauses of the samples."""


@cache
def reasons() -> Mapping[str, str]:
    tables = read_toml(Path(__file__).with_name("not_drillable.toml")).tables
    return {
        name: group["why"]
        for group in tables["reason"]
        for name in (*group.get("rules", ()), *group.get("clauses", ()))
    }


def coverage_of(law: Instrument, tables: Iterable[TableRules]) -> CoverageOfDrills:
    """Each clause of logic or procedure with its kinds, or the reason for none."""
    rooms = [DrillRoom(rules) for rules in tables]
    by_clause: dict[str, dict[str, None]] = {}
    for number in range(EACH):
        _draw(rooms, DRILLS, number, by_clause)
    for number in range(EACH, _MOST):
        if not _coverage(law, by_clause)["missing"]:
            break
        _draw(rooms, _WIDE, number, by_clause)
    return _coverage(law, by_clause)


def _draw(
    rooms: Iterable[DrillRoom], kinds: Iterable[str], number: int, found: dict[str, dict[str, None]]
) -> None:
    for room in rooms:
        for kind in kinds:
            new_question = question(room, kind, _SEED, number)
            for clause in () if new_question is None else new_question.clauses:
                found.setdefault(clause, {})[kind] = None


def _coverage(law: Instrument, by_clause: Mapping[str, Iterable[str]]) -> CoverageOfDrills:
    rows = [
        _row(law, clause, list(by_clause.get(clause.id, ())))
        for clause in law.clauses.values()
        if clause.clause_class is not ClauseClass.PHYSICAL
    ]
    return {
        "format": "croupier-drill-coverage/1",
        "law": law.key,
        "clauses": rows,
        "missing": [row["clause"] for row in rows if not row["kinds"] and not row["reason"]],
    }


def _row(law: Instrument, clause: Clause, kinds: list[str]) -> ClauseCovered:
    reason = "" if kinds else _reason(law, clause)
    letter: Mapping[ClauseClass, str] = {item: item.value for item in ClauseClass}
    return {
        "clause": clause.id,
        "clause_class": "A" if letter[clause.clause_class] == "A" else "B",
        "kinds": kinds,
        "reason": reason,
    }


def _reason(law: Instrument, clause: Clause) -> str:
    if law.disposition(clause.id).is_written:
        return clause.reason or "It is set aside."
    reasons_by_id = reasons()
    if clause.id in reasons_by_id:
        return reasons_by_id[clause.id]
    rules = [rule.id for rule in law.implemented_by[clause.id]]
    return reasons_by_id[rules[0]] if rules and all(rule in reasons_by_id for rule in rules) else ""
