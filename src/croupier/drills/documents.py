"""What drills give as JSON: questions, their key, and results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.rules.documents import Count, Hash, Positive, Provenance, Seed, Texts, Word


class ChoiceAsked(TypedDict):
    """One choice of a field: any of the three is taken as an answer."""

    letter: Word
    value: Word
    words: Word


class FieldAsked(TypedDict):
    """One thing that a question asks for."""

    name: Word
    kind: Literal["choice", "order", "cents", "chips", "count", "text"]
    label: Word
    takes: Annotated[Word, "What an answer looks like."]
    choices: list[ChoiceAsked]


class LineShown(TypedDict):
    """Something that the dealer sees."""

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
    """Questions of a seed under some rules, sealed: the same seed gives the same paper."""

    format: Literal["croupier-drill/1"]
    seed: Seed
    kinds: list[Word]
    level: Annotated[int | None, "The level of all questions; null where each has its own."]
    questions: list[QuestionAsked]
    seal: Annotated[Hash, "SHA-256 of the rest but `reproduce`, as compact JSON with sorted keys."]


class LineSaid(TypedDict):
    """A sentence with the clauses behind it."""

    text: Word
    clauses: list[Word]


class QuestionKey(TypedDict):
    """The key of one question: the value of each field, and why."""

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
    """One field of an answer, marked."""

    name: Word
    given: Annotated[str | None, "The answer as it was read; null where it cannot be read."]
    right: Word
    is_right: bool


class QuestionMarked(TypedDict):
    """One question, marked."""

    number: Positive
    kind: Word
    level: Positive
    is_right: bool
    seconds: float | None
    fields: list[FieldMarked]
    clauses: list[Word]
    broken: Annotated[list[LineSaid], "What the table makes of a wrong answer."]


class Score(TypedDict):
    """How many questions were asked, and how many answered right."""

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
    """How well a clause is known: its box, and the day on which it is asked again."""

    box: Annotated[int, "0 to 4: asked again after 1, 2, 4, 8, or 16 days."]
    due: str


class DrillBoxes(TypedDict):
    """The spaced repetition of one student, by regulation and clause."""

    format: Literal["croupier-drill-boxes/1"]
    laws: Mapping[str, Mapping[str, SpacedClause]]


class LearnerKept(TypedDict):
    """The spaced repetition of one of those who learn at a service."""

    student: Word
    laws: Mapping[str, Mapping[str, SpacedClause]]


class DrillLearners(TypedDict):
    """The spaced repetition of everybody who learns in a pit, for their school."""

    format: Literal["croupier-drill-learners/1"]
    pit: Word
    learners: list[LearnerKept]


class ClauseCovered(TypedDict):
    """One clause: the kinds that ask for it, or the reason why none does."""

    clause: Word
    clause_class: Literal["A", "B"]
    kinds: list[Word]
    reason: str


class CoverageOfDrills(TypedDict):
    """Which clauses of a regulation are drilled."""

    format: Literal["croupier-drill-coverage/1"]
    law: Word
    clauses: list[ClauseCovered]
    missing: list[Word]
