"""JSON documents of drills: questions, keys, and results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.rules.documents import Count, Hash, Positive, Provenance, Seed, Texts, Word


class ChoiceAsked(TypedDict):
    """One choice of a field, which may be answered by any of its three forms."""

    letter: Word
    value: Word
    words: Word


class FieldAsked(TypedDict):
    """One field of a question."""

    name: Word
    kind: Literal["choice", "order", "cents", "chips", "count", "text"]
    label: Word
    takes: Annotated[Word, "What an answer looks like."]
    choices: list[ChoiceAsked]


class LineShown(TypedDict):
    """A line visible to the dealer."""

    label: Word
    text: str


class QuestionAsked(TypedDict):
    """One question, without its key."""

    number: Positive
    kind: Word
    level: Positive
    words: Word
    shown: list[LineShown]
    fields: list[FieldAsked]


class DrillPaper(Provenance):
    """Sealed questions of a seed under some rules: the same seed gives the same paper."""

    format: Literal["croupier-drill/1"]
    seed: Seed
    kinds: list[Word]
    level: Annotated[int | None, "The level of all questions; null where each has its own."]
    questions: list[QuestionAsked]
    seal: Annotated[Hash, "SHA-256 of the rest but `reproduce`, as compact JSON with sorted keys."]


class LineSaid(TypedDict):
    """A sentence with its clauses."""

    text: Word
    clauses: list[Word]


class QuestionKey(TypedDict):
    """The key of one question: the value of each field, and the reasons."""

    number: Positive
    key: Texts
    words: Annotated[Texts, "The same as a person reads it."]
    why: list[LineSaid]
    clauses: list[Word]
    readings: Annotated[Texts, "The readings that these clauses rest on."]


class DrillKey(Provenance):
    """The marking key of a paper."""

    format: Literal["croupier-drill-key/1"]
    paper: Annotated[Hash, "The seal of the paper."]
    keys: list[QuestionKey]


class FieldMarked(TypedDict):
    """One marked field of an answer."""

    name: Word
    given: Annotated[str | None, "The answer as it was read; null where it cannot be read."]
    right: Word
    is_right: bool


class QuestionMarked(TypedDict):
    """One marked question."""

    number: Positive
    kind: Word
    level: Positive
    is_right: bool
    seconds: float | None
    fields: list[FieldMarked]
    clauses: list[Word]
    broken: Annotated[list[LineSaid], "What the table makes of a wrong answer."]


class Score(TypedDict):
    """Number of questions, and of correct answers."""

    asked: Count
    right: Count


class DrillResults(Provenance):
    """The results of a drill or of a paper."""

    format: Literal["croupier-drill-results/1"]
    seed: Seed
    student: str
    paper: Annotated[Hash, "The seal of the paper."]
    score: Score
    by_kind: Mapping[str, Score]
    by_clause: Mapping[str, Score]
    questions: list[QuestionMarked]


class SpacedClause(TypedDict):
    """The progress of a clause: its box, and its next date."""

    box: Annotated[int, "0 to 4: asked again after 1, 2, 4, 8, or 16 days."]
    due: str


class DrillBoxes(TypedDict):
    """The spaced repetition of one student, by regulation and clause."""

    format: Literal["croupier-drill-boxes/1"]
    laws: Mapping[str, Mapping[str, SpacedClause]]


class LearnerKept(TypedDict):
    """The spaced repetition of one learner at a service."""

    student: Word
    laws: Mapping[str, Mapping[str, SpacedClause]]


class DrillLearners(TypedDict):
    """The spaced repetition of all learners in a pit, for their school."""

    format: Literal["croupier-drill-learners/1"]
    pit: Word
    learners: list[LearnerKept]


class ClauseCovered(TypedDict):
    """One clause: the kinds that ask for it, or the reason for none."""

    clause: Word
    clause_class: Literal["A", "B"]
    kinds: list[Word]
    reason: str


class CoverageOfDrills(TypedDict):
    """The clauses of a regulation covered by drills."""

    format: Literal["croupier-drill-coverage/1"]
    law: Word
    clauses: list[ClauseCovered]
    missing: list[Word]
