"""Marking an answer: what is right, why, and what the given answer would have come to."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.drills.answers import read_answer, written_answer
from croupier.drills.question import Question, Told
from croupier.frozen import frozen
from croupier.records.narration import narrate
from croupier.rules import TableRules
from croupier.table.acts import Field
from croupier.table.core import Events, Refusal

__all__ = ["MarkedAnswer", "MarkedField", "mark", "readings_behind", "why_of"]


@frozen
class MarkedField:
    """One field marked: what was given as it was read, what is right, and whether they agree."""

    name: str
    given: str | None
    right: str
    is_right: bool


@frozen
class MarkedAnswer:
    """An answer marked. ``broken`` says what the table makes of a wrong one, with clauses."""

    question: Question
    fields: tuple[MarkedField, ...]
    broken: tuple[tuple[str, tuple[str, ...]], ...]
    seconds: float | None = None

    @property
    def is_right(self) -> bool:
        """Whether every field is right."""
        return all(one.is_right for one in self.fields)


def why_of(events: Events, rules: TableRules) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return events in words, each line with its clauses."""
    lines = (
        (": ".join(filter(None, (line.text.rstrip(":"), "; ".join(line.details)))), line.clauses)
        for line in narrate(events, rules.wagers)
    )
    return tuple(dict.fromkeys(lines))


def readings_behind(clauses: tuple[str, ...], rules: TableRules) -> dict[str, str]:
    """Return the readings taken of the interpretations that some clauses rest on, by entry."""
    law = rules.law.clauses
    # An event may cite an entry of the register itself, where the text is silent.
    named = (
        entry for one in clauses for entry in (law[one].interpretations if one in law else (one,))
    )
    return {entry: rules.readings[entry] for entry in named if entry in rules.readings}


def mark(question: Question, given: Told, seconds: float | None = None) -> MarkedAnswer:
    """Mark an answer, a text for each field; what is missing or cannot be read is wrong.

    A wrong answer is carried out at the table of the question as far as it can be: what the table
    refuses, or makes of it, is what it would have broken.
    """
    marked = tuple(_marked(question, field, given.get(field.name, "")) for field in question.fields)
    broken = () if all(one.is_right for one in marked) else tuple(_broken(question, marked))
    return MarkedAnswer(question, marked, broken, seconds)


def _marked(question: Question, field: Field, text: str) -> MarkedField:
    right = question.key[field.name]
    given = read_answer(field, text)
    same = given == (read_answer(field, right) if field.kind == "text" else right)
    return MarkedField(field.name, text if field.kind == "text" else given, right, same)


def _broken(
    question: Question, marked: tuple[MarkedField, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    told = {one.name: one.given for one in marked if one.given}
    stage = question.stage.fork()
    stage.execute(*question.commands)
    tried = question.tries(told)
    for command in tried:
        answer = stage.try_execute(command)
        if isinstance(answer, Refusal):
            yield f"The table refuses it: {answer.message}", answer.clauses
        else:
            for text, clauses in why_of(answer, stage.rules):
                yield f"At the table it would have come to this: {text}", clauses
    fields = {field.name: field for field in question.fields}
    for one in marked if not tried else ():
        if not one.is_right:
            field = fields[one.name]
            gave = written_answer(field, one.given) if one.given else "no answer"
            yield (
                f"{field.label}: the table has {written_answer(field, one.right)}, not {gave}",
                question.clauses,
            )
