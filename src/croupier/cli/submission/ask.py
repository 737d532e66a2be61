"""``croupier new --ask``: questions on standard error, with the consequences of each choice."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from croupier.cli.common.output import error_console, fail, print_paragraph
from croupier.cli.submission.consequences import Consequence, consequences
from croupier.cli.submission.rules import elected
from croupier.files.streams import visible
from croupier.law.elect import SubmissionError
from croupier.law.model import Interpretation, Rule
from croupier.law.usage import amount_of, currency_in_use, money
from croupier.rules import (
    MOST_SEATS,
    Limit,
    SubmissionDraft,
    TableRules,
    choices_of,
    default_of,
    draft_rules,
    opening_limit,
)

_PROCEDURES: Final = 6


def ask_for(draft: SubmissionDraft) -> SubmissionDraft:
    _say(f"{draft.law.title}, as of {draft.law.in_force_from}. Enter takes the choice in brackets.")
    for number, rule in enumerate(draft.law.elections, start=1):
        rules = draft_rules(draft)
        if rule.id in draft.elections or rule.id not in rules.settled:
            continue
        _say("")
        _say(f"{number} of {len(draft.law.elections)}  {rule.id}")
        _say(f"{rule.title} [{', '.join(rule.cites)}]", 2)
        draft = _ask_election(draft, rule, rules)
    draft = _ask_readings(draft)
    return _ask_table(draft)


def _ask_election(draft: SubmissionDraft, rule: Rule, rules: TableRules) -> SubmissionDraft:
    # The default elects nothing, so it can still give way.
    current_choice = rules.submission.elections.get(rule.id, default_of(rule))
    if choices := choices_of(rule):
        _show_choices(draft, rule, choices, current_choice)
    else:
        _say(f"{rule.left_open}.", 2)
    while True:
        answer = _answer(_shown(current_choice))
        if not answer:
            return draft
        try:
            choice = _picked(rule, choices, answer)
            trial = _with(draft, rule, choice)
            new_rules = draft_rules(trial)
        except SubmissionError as error:
            for detail in error.errors:
                _say(str(detail), 2)
            continue
        except ValueError as error:
            _say(str(error), 2)
            continue
        if not choices and choice != current_choice:
            _show(consequences((rules, new_rules))[1], new_rules, rule)
        return trial


def _with(draft: SubmissionDraft, rule: Rule, choice: Any) -> SubmissionDraft:
    return replace(draft, elections={**draft.elections, rule.id: choice})


def _picked(rule: Rule, choices: tuple[Any, ...], answer: str) -> Any:
    words = {_shown(choice).lower(): choice for choice in choices}
    if answer.lower() in words:
        return words[answer.lower()]
    if choices and answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(choices):
        return choices[int(answer) - 1]
    return elected(rule, answer)


def _shown(choice: Any) -> str:
    if isinstance(choice, bool):
        return "yes" if choice else "no"
    return ", ".join(map(str, choice)) if isinstance(choice, list) else str(choice)


def _show_choices(draft: SubmissionDraft, rule: Rule, choices: tuple[Any, ...], now: Any) -> None:
    tables: dict[str, TableRules] = {}
    refusals: dict[str, str] = {}
    for choice in choices:
        try:
            tables[_shown(choice)] = draft_rules(_with(draft, rule, choice))
        except SubmissionError as error:
            refusals[_shown(choice)] = "; ".join(map(str, error.errors))
    consequences_of = dict(zip(tables, consequences(tuple(tables.values())), strict=True))
    for number, choice in enumerate(choices, start=1):
        word = _shown(choice)
        _say(f"{number}  {word}{'  (default)' if choice == now else ''}", 2)
        if word in refusals:
            _say(f"not permitted here: {refusals[word]}", 5)
        else:
            _show(consequences_of[word], tables[word], rule)


def _show(consequence: Consequence, rules: TableRules, rule: Rule) -> None:
    for line in _lines(consequence, rules, rule):
        _say(line, 5)


def _lines(consequence: Consequence, rules: TableRules, rule: Rule) -> Iterator[str]:
    elections = {name: value for name, value in consequence.elections.items() if name != rule.id}
    if elections:
        yield "elects: " + ", ".join(f"{name} = {value}" for name, value in elections.items())
    if consequence.offered:
        yield "offers: " + ", ".join(rules.offers[name].wager.title for name in consequence.offered)
    if consequence.edges:
        edges = (
            f"{rules.offers[name].wager.title} {float(edge * 100):.4f}%"
            for name, edge in consequence.edges.items()
        )
        yield "house edge: " + ", ".join(edges)
    for procedure in consequence.procedures[:_PROCEDURES]:
        yield f"procedure: {procedure.does or procedure.title}"
    if (excess := len(consequence.procedures) - _PROCEDURES) > 0:
        yield f"and {excess} more {'procedure' if excess == 1 else 'procedures'}"


def _ask_readings(draft: SubmissionDraft) -> SubmissionDraft:
    rules = draft_rules(draft)
    for entry in draft.law.register.values():
        if entry.id in rules.readings and entry.readings and entry.id not in draft.readings:
            _say("")
            _say(f"{entry.id}  {entry.title}")
            _say(entry.problem, 2)
            if reading := _reading(entry):
                draft = replace(draft, readings={**draft.readings, entry.id: reading})
    return draft


def _reading(entry: Interpretation) -> str | None:
    names = tuple(entry.readings)
    for number, name in enumerate(names, start=1):
        _say(f"{number}  {name}: {entry.readings[name]}", 2)
    while True:
        if entry.acknowledge:
            _say("The regulation needs this to be acknowledged: name the reading.", 2)
        answer = _answer("" if entry.acknowledge else entry.reading)
        if not answer and not entry.acknowledge:
            return None
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        if answer in names:
            return answer
        _say(f"{answer!r} is not one of {', '.join(names)}", 2)


def _ask_table(draft: SubmissionDraft) -> SubmissionDraft:
    _say("")
    title = draft.title or _answer(draft.law.title, "Title of the table") or draft.law.title
    layout = replace(
        draft.layout,
        pit=_answer(draft.layout.pit, "Pit") or draft.layout.pit,
        table=_answer(draft.layout.table, "Table") or draft.layout.table,
    )
    draft = replace(draft, title=title, layout=layout)
    draft = _ask_seats(draft)
    limits: Mapping[str, Limit] = draft_rules(draft).submission.limits or {}
    for wager, limit in limits.items():
        if wager not in draft.limits:
            draft = _ask_limit(draft, wager, limit)
    return draft


def _ask_seats(draft: SubmissionDraft) -> SubmissionDraft:
    seats = draft_rules(draft).submission.layout.seats
    while draft.seats is None:
        answer = _answer(str(seats), f"Seats, 1 to {MOST_SEATS}")
        if not answer:
            return draft
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= MOST_SEATS:
            trial = replace(draft, seats=int(answer))
            if _permitted(trial):
                return trial
    return draft


def _ask_limit(draft: SubmissionDraft, wager: str, limit: Limit) -> SubmissionDraft:
    offer = draft_rules(draft).offers[wager]
    default_limit = opening_limit(offer)
    while True:
        answer = _answer(
            f"{money(default_limit.min_cents)} {money(default_limit.max_cents)}",
            f"{offer.wager.title}: minimum and maximum, in units of {money(offer.unit_cents)}",
        )
        words = answer.replace(currency_in_use().sign, "").replace(",", "").split()
        if not words:
            return replace(draft, limits={**draft.limits, wager: limit})
        try:
            minimum, maximum = (amount_of(int(word) if word.isdigit() else word) for word in words)
        except ValueError:
            _say("write two amounts, such as 25 5000", 2)
            continue
        trial = replace(draft, limits={**draft.limits, wager: Limit(minimum, maximum)})
        if _permitted(trial):
            return trial


def _permitted(draft: SubmissionDraft) -> bool:
    try:
        draft_rules(draft)
    except SubmissionError as error:
        for detail in error.errors:
            _say(str(detail), 2)
        return False
    return True


def _say(text: str, indent: int = 0) -> None:
    from rich.text import Text  # noqa: PLC0415  (for questions alone)

    print_paragraph(error_console(), Text(visible(text)), indent)


def _answer(default: str, question: str = "Choice") -> str:
    default_text = f" [{default}]" if default else ""
    sys.stderr.write(f"{visible(question)}{visible(default_text)}: ")
    sys.stderr.flush()
    line = "" if sys.stdin is None else sys.stdin.readline()
    if not line:
        sys.stderr.write("\n")
        fail("the answers ended before the questions did; nothing is written")
    return line.strip()
