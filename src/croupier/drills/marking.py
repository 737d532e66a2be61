"""Answers: parsed into the form of the key, marked with reasons, and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.acts import Command
from croupier.drills.room import FieldValues, Question
from croupier.law.model import Instrument
from croupier.law.usage import currency_in_use, money
from croupier.money.chips import breakdown, value_of
from croupier.records.narration import narrate
from croupier.rules import TableRules
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.offered import Field

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_CHIPS: Final = re.compile(r"([0-9]{1,6})\s*[x*]\s*(\S+)")
_LONGEST: Final = 400


def lettered(field: Field) -> tuple[tuple[str, str, str], ...]:
    """Choices of a field: letter, value, and words."""
    return tuple(
        (LETTERS[place], str(value), words) for place, (value, words) in enumerate(field.choices)
    )


def accepted(field: Field) -> str:
    match field.kind:
        case "choice":
            return "the letter of one choice"
        case "order":
            return f"all {len(field.choices)} letters in order, such as {LETTERS[:2][::-1]}..."
        case "cents":
            return f"an amount in {currency_in_use().unit}, such as {money(1950)}"
        case "chips":
            examples = [money(value, short=True) for value in (2500, 500)]
            return f"chips, the largest first, such as 3 x {examples[0]}, 1 x {examples[1]}"
        case "count":
            return "a number"
        case _:
            return "the exact words"


def read_answer(field: Field, text: str) -> str | None:
    """Read an answer in the form of the key; ``None`` if it cannot be read.

    A choice is given by letter or value, an order by letters. Capitals and punctuation are ignored.

    >>> read_answer(Field("amount", "cents", "Amount"), "19.5")
    '$19.50'
    >>> read_answer(Field("chips", "chips", "Chips"), "1x5, 3 x $25")
    '3 x $25.00, 1 x $5.00'
    """
    text = " ".join(text[:_LONGEST].split())
    match field.kind:
        case "choice":
            return _choice(field, text)
        case "order":
            return _order(field, text)
        case "cents":
            cents = _cents(text)
            return None if cents is None else money(cents)
        case "chips":
            chips = _read_chips(text)
            return _chips_text(chips) if chips else None
        case "count":
            return str(int(text)) if re.fullmatch(r"[0-9]{1,9}", text) else None
        case _:
            words = re.findall(r"[\w'’$%.:-]*\w", text.casefold().replace("’", "'"))
            return " ".join(words) or None


def written_answer(field: Field, value: str) -> str:
    choices = {str(choice): words for choice, words in field.choices}
    if field.kind == "order":
        return "; ".join(f"{place}. {choices[word]}" for place, word in enumerate(value.split(), 1))
    return choices.get(value, value)


def in_chips(cents: int) -> str | None:
    """Fewest chips of an amount, if there are any."""
    try:
        return _chips_text(breakdown(cents)) if cents else None
    except ValueError:
        return None


def cents_in(text: str) -> int:
    """Cents of an amount written by ``read_answer``."""
    return _cents(text) or 0


def chips_in(text: str) -> int:
    """Value in cents of chips written by ``read_answer``."""
    return value_of(_read_chips(text) or {})


def _choice(field: Field, text: str) -> str | None:
    for letter, value, words in lettered(field):
        if text.casefold() in {letter, value.casefold(), words.casefold()}:
            return value
    return None


def _order(field: Field, text: str) -> str | None:
    by_letter = {letter: value for letter, value, _ in lettered(field)}
    values = set(by_letter.values())
    words = text.split()
    if not set(words) <= values:
        words = [by_letter.get(letter, "") for letter in text.casefold() if letter not in " ,;.>-"]
    return " ".join(words) if sorted(words) == sorted(values) else None


def _cents(text: str) -> int | None:
    return currency_in_use().typed(text)


def _chips_text(chips: Mapping[int, int]) -> str:
    return ", ".join(f"{chips[chip]:,} x {money(chip)}" for chip in sorted(chips, reverse=True))


def _read_chips(text: str) -> dict[int, int] | None:
    chips: dict[int, int] = {}
    for part in re.split(
        r"[,;+]\s+|;|\+|,(?=\s*[0-9]+\s*[x*])|(?<=[0-9])\s+(?=[0-9]+\s*[x*])", text
    ):
        match = _CHIPS.fullmatch(part.strip())
        cents = None if match is None else _cents(match[2].rstrip(","))
        if match is None or not cents or not int(match[1]):
            return None
        chips[cents] = chips.get(cents, 0) + int(match[1])
    return chips


class MarkedField(Struct, frozen=True):
    name: str
    given: str | None
    right: str
    is_right: bool


class MarkedAnswer(Struct, frozen=True):
    """A marked answer; ``broken`` are the consequences of a wrong one."""

    question: Question
    fields: tuple[MarkedField, ...]
    broken: tuple[tuple[str, tuple[str, ...]], ...]
    seconds: float | None = None

    @property
    def is_right(self) -> bool:
        return all(field.is_right for field in self.fields)


def why_of(events: Events, rules: TableRules) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Events in words, each line with its clauses."""
    lines = (
        (": ".join(filter(None, (line.text.rstrip(":"), "; ".join(line.details)))), line.clauses)
        for line in narrate(events, rules.wagers)
    )
    return tuple(dict.fromkeys(lines))


def why_answered(
    answer: Events | Refusal, rules: TableRules
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if isinstance(answer, Refusal):
        return ((answer.message[:1].upper() + answer.message[1:], answer.clauses),)
    return why_of(answer, rules)


def rests_on(rules: TableRules, *rule_ids: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Rules in force with clauses."""
    found = (rules.law.rules[rule_id] for rule_id in rule_ids if rules.applies(rule_id))
    return tuple((rule.does or rule.title, rule.cites) for rule in found)


def readings_behind(clauses: tuple[str, ...], rules: TableRules) -> dict[str, str]:
    law = rules.law.clauses
    # An event may cite an interpretation directly, if the regulation is silent.
    entries = (
        entry for one in clauses for entry in (law[one].interpretations if one in law else (one,))
    )
    return {entry: rules.readings[entry] for entry in entries if entry in rules.readings}


def readings_taken(
    reasons: Sequence[tuple[str, tuple[str, ...]]], rules: TableRules
) -> tuple[tuple[str, str], ...]:
    """Return the readings behind an answer that another table could have taken otherwise."""
    clauses = tuple(dict.fromkeys(clause for _, cited in reasons for clause in cited))
    register = rules.law.register
    return tuple(
        (f"Reading {entry}", register[entry].says(name))
        for entry, name in readings_behind(clauses, rules).items()
        if len(register[entry].readings) > 1
    )


def mark(question: Question, given: FieldValues, seconds: float | None = None) -> MarkedAnswer:
    marked = tuple(_marked(question, field, given.get(field.name, "")) for field in question.fields)
    faults = () if all(field.is_right for field in marked) else tuple(_broken(question, marked))
    return MarkedAnswer(question, marked, faults, seconds)


def unreadable(question: Question, given_answers: FieldValues) -> tuple[str, ...]:
    texts = ((field, given_answers.get(field.name, "").strip()) for field in question.fields)
    return tuple(field.name for field, text in texts if text and read_answer(field, text) is None)


def _marked(question: Question, field: Field, text: str) -> MarkedField:
    right_value = question.key[field.name]
    given_value = read_answer(field, text)
    same = given_value == (read_answer(field, right_value) if field.kind == "text" else right_value)
    if field.kind == "chips" and given_value is not None:
        same = chips_in(given_value) == chips_in(right_value)
    return MarkedField(field.name, text if field.kind == "text" else given_value, right_value, same)


def _broken(
    question: Question, marked: tuple[MarkedField, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    answers = {field.name: field.given for field in marked if field.given}
    stage = question.stage.fork()
    stage.execute(*question.commands)
    refusals = question.refused(answers)
    trials: tuple[Refusal | Command, ...] = (*refusals, *question.tries(answers))
    for trial in trials:
        answer = trial if isinstance(trial, Refusal) else stage.try_execute(trial)
        if isinstance(answer, Refusal):
            # An act that is merely premature is refused without a clause: use those of the acts
            # before it.
            yield f"The table refuses it: {answer.message}", answer.clauses or question.clauses
        else:
            for text, clauses in why_of(answer, stage.rules):
                yield f"At the table it would have come to this: {text}", clauses
    fields = {field.name: field for field in question.fields}
    for field in marked if not trials else ():
        if not field.is_right:
            yield _difference(fields[field.name], field), question.clauses


def _difference(field: Field, marked_field: MarkedField) -> str:
    right_text = f"{field.label}: the table has {written_answer(field, marked_field.right)}"
    if not marked_field.given:
        return f"{right_text}; no answer was given, or none that can be read"
    if field.kind == "order":
        given, wanted = marked_field.given.split(), marked_field.right.split()
        at = next(at for at, (a, b) in enumerate(zip(given, wanted, strict=True)) if a != b)
        first, second = (written_answer(field, value)[3:] for value in (wanted[at], given[at]))
        return f"At place {at + 1} the table has “{first}” before “{second}”"
    if field.kind == "cents":
        difference = cents_in(marked_field.given) - cents_in(marked_field.right)
        direction = "too much" if difference > 0 else "too little"
        return f"{right_text}, not {marked_field.given}: {money(abs(difference))} {direction}"
    return f"{right_text}, not {written_answer(field, marked_field.given)}"


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


def answer_in_words(marked_answer: MarkedAnswer, rules: TableRules) -> AnswerInWords:
    question, law = marked_answer.question, rules.law.clauses
    fields = [
        FieldInWords(
            field.label,
            "" if marked_field.given is None else written_answer(field, marked_field.given),
            written_answer(field, marked_field.right),
            marked_field.is_right,
        )
        for field, marked_field in zip(question.fields, marked_answer.fields, strict=True)
    ]
    readings = readings_behind(question.clauses, rules).items()
    return AnswerInWords(
        marked_answer.is_right,
        marked_answer.seconds,
        fields,
        cited_once(question.why),
        [(clause, law[clause].says) for clause in question.clauses if clause in law],
        [
            (f"{entry}, {name}", reading_in_words(rules.law, entry, name))
            for entry, name in readings
        ],
        cited_once(marked_answer.broken),
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
    citations = [tuple(clauses) for _, clauses in lines]
    return [
        (text, () if citations[place : place + 1] == citations[place + 1 : place + 2] else clauses)
        for place, (text, clauses) in enumerate(lines)
    ]
