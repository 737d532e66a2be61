"""Sealed papers of questions, their keys, and their results."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from croupier.drills.documents import (
    DrillKey,
    DrillPaper,
    DrillResults,
    FieldAsked,
    FieldMarked,
    LineSaid,
    QuestionAsked,
    QuestionKey,
    QuestionMarked,
    Score,
)
from croupier.drills.marking import (
    MarkedAnswer,
    accepted,
    lettered,
    readings_behind,
    written_answer,
)
from croupier.drills.room import Question
from croupier.rules import TableRules
from croupier.rules.documents import fields_of, provenance
from croupier.table.machine.offered import Field


def paper_of(  # noqa: PLR0913  (what a paper names)
    rules: TableRules,
    questions: Sequence[Question],
    kinds: Sequence[str],
    *,
    seed: int,
    level: int | None = None,
    reproduce: str = "",
) -> DrillPaper:
    paper: DrillPaper = {
        "format": "croupier-drill/1",
        **provenance(rules, reproduce),
        "seed": seed,
        "kinds": list(kinds),
        "level": level,
        "questions": [question_asked(question) for question in questions],
        "seal": "",
    }
    paper["seal"] = seal_of(paper)
    return paper


def seal_of(paper: Mapping[str, Any]) -> str:
    """SHA-256 of a paper without the seal and the reproduction command."""
    sealed_data = {name: one for name, one in paper.items() if name not in {"seal", "reproduce"}}
    text = json.dumps(sealed_data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def question_asked(question: Question) -> QuestionAsked:
    lines = [{"label": label, "text": text} for label, text in question.shown]
    fields = [_field(field) for field in question.fields]
    return fields_of(QuestionAsked, question, shown=lines, fields=fields)


def _field(field: Field) -> FieldAsked:
    kind: Any = field.kind
    return {
        "name": field.name,
        "kind": kind,
        "label": field.label,
        "takes": accepted(field),
        "choices": [
            {"letter": letter, "value": value, "words": words}
            for letter, value, words in lettered(field)
        ],
    }


def key_of(
    rules: TableRules, questions: Iterable[Question], paper: DrillPaper, reproduce: str = ""
) -> DrillKey:
    return {
        "format": "croupier-drill-key/1",
        **provenance(rules, reproduce),
        "paper": paper["seal"],
        "keys": [_key(question, rules) for question in questions],
    }


def _key(question: Question, rules: TableRules) -> QuestionKey:
    by_name = {field.name: field for field in question.fields}
    words = {
        by_name[name].label: written_answer(by_name[name], value)
        for name, value in question.key.items()
    }
    why, readings = _lines_said(question.why), readings_behind(question.clauses, rules)
    return fields_of(QuestionKey, question, words=words, why=why, readings=readings)


def _lines_said(lines: Iterable[tuple[str, tuple[str, ...]]]) -> list[LineSaid]:
    return [{"text": text, "clauses": list(clauses)} for text, clauses in lines]


def results_of(
    rules: TableRules,
    answers: Sequence[MarkedAnswer],
    paper: DrillPaper,
    *,
    student: str = "",
    reproduce: str = "",
) -> DrillResults:
    by_kind, by_clause = _scores(), _scores()
    for answer in answers:
        for score in (
            by_kind[answer.question.kind],
            *(by_clause[clause] for clause in answer.question.clauses),
        ):
            score["asked"] += 1
            score["right"] += answer.is_right
    return {
        "format": "croupier-drill-results/1",
        **provenance(rules, reproduce),
        "seed": paper["seed"],
        "student": student,
        "paper": paper["seal"],
        "score": {"asked": len(answers), "right": sum(answer.is_right for answer in answers)},
        "by_kind": dict(by_kind),
        "by_clause": dict(by_clause),
        "questions": [_question_marked(answer) for answer in answers],
    }


def _scores() -> defaultdict[str, Score]:
    return defaultdict(lambda: {"asked": 0, "right": 0})


def _question_marked(answer: MarkedAnswer) -> QuestionMarked:
    return fields_of(
        QuestionMarked,
        answer.question,
        is_right=answer.is_right,
        seconds=None if answer.seconds is None else round(answer.seconds, 1),
        fields=[fields_of(FieldMarked, part) for part in answer.fields],
        broken=_lines_said(answer.broken),
    )
