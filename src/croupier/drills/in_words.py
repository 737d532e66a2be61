"""A marked answer in words for terminals and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier.drills.answers import written_answer
from croupier.drills.marking import MarkedAnswer, readings_behind
from croupier.law.model import Instrument
from croupier.rules import TableRules


class FieldInWords(NamedTuple):
    label: str
    given: str
    right: str
    is_right: bool


class AnswerInWords(NamedTuple):
    is_right: bool
    seconds: float | None
    fields: Sequence[FieldInWords]
    why: Sequence[tuple[str, Sequence[str]]]
    clauses: Sequence[tuple[str, str]]
    readings: Sequence[tuple[str, str]]
    broken: Sequence[tuple[str, Sequence[str]]]


def answer_in_words(marked: MarkedAnswer, rules: TableRules) -> AnswerInWords:
    question, law = marked.question, rules.law.clauses
    fields = [
        FieldInWords(
            field.label,
            "" if marked_field.given is None else written_answer(field, marked_field.given),
            written_answer(field, marked_field.right),
            marked_field.is_right,
        )
        for field, marked_field in zip(question.fields, marked.fields, strict=True)
    ]
    readings = readings_behind(question.clauses, rules).items()
    return AnswerInWords(
        marked.is_right,
        marked.seconds,
        fields,
        cited_once(question.why),
        [(one, law[one].says) for one in question.clauses if one in law],
        [
            (f"{entry}, {name}", reading_in_words(rules.law, entry, name))
            for entry, name in readings
        ],
        cited_once(marked.broken),
    )


def reading_in_words(law: Instrument, entry: str, name: str) -> str:
    """Return the topic of an interpretation and the text of its reading.

    >>> from croupier.law.resolve import resolve
    >>> reading_in_words(resolve("us-nj/minibaccarat", on="latest"), "T03", "ten")
    'A ten or face card found face up in the shoe. Ten further cards, as for the burn.'
    """
    doubt = law.register[entry]
    return f"{doubt.title}. {doubt.says(name)}"


def cited_once(lines: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[str, Sequence[str]]]:
    """Return sentences, omitting clauses equal to those of the next one.

    >>> cited_once([("a", ["1"]), ("b", ["1"]), ("c", ["2"])])
    [('a', ()), ('b', ['1']), ('c', ['2'])]
    >>> cited_once([])
    []
    """
    cited = [tuple(clauses) for _, clauses in lines]
    return [
        (text, () if cited[at : at + 1] == cited[at + 1 : at + 2] else clauses)
        for at, (text, clauses) in enumerate(lines)
    ]
