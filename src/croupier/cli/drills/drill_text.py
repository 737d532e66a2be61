"""Drills as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cli.common.output import blank, headline, plain_table, print_table, print_text
from croupier.drills import MarkedAnswer, Question
from croupier.drills.answers import accepted, lettered, written_answer
from croupier.drills.documents import DrillResults
from croupier.drills.in_words import answer_in_words
from croupier.reports.words import say
from croupier.rules import TableRules

_WORST = 8


def print_question(question: Question, head: str) -> None:
    headline(f"{head}: {question.kind}, level {question.level}")
    for label, text in question.shown:
        print_text(f"{label}: {text}", indent=2)
    print_text(question.words)
    for field in question.fields:
        print_text(f"{field.label}: {accepted(field)}", indent=2, style="dim")
        for letter, _, words in lettered(field):
            print_text(f"{letter}) {words}", indent=4)


def print_answer(marked: MarkedAnswer, rules: TableRules, *, short: bool = False) -> None:
    """Print the right answer with its reasons and clauses; only the first reason if ``short``."""
    answer = answer_in_words(marked, rules)
    seconds = "" if answer.seconds is None else f" ({answer.seconds:.1f} s)"
    if answer.is_right:
        print_text(f"{say('drill.right')}{seconds}", style="bold green")
    else:
        print_text(f"{say('drill.wrong')}{seconds}", style="bold red")
        for field in answer.fields:
            print_text(f"{field.label}: {field.right}", indent=2)
    if short:
        _print_cited(*(*marked.question.why, *marked.broken)[:1])
    else:
        _print_cited(*((f"Why: {text}", clauses) for text, clauses in answer.why))
        for name, says in (*answer.clauses, *answer.readings):
            print_text(f"{name}: {says}", indent=4)
        _print_cited(*answer.broken)
    blank()


def _print_cited(*lines: tuple[str, Sequence[str]]) -> None:
    for text, clauses in lines:
        print_text(f"{text} [{', '.join(clauses)}]" if clauses else text, indent=2)


def print_marked(marked: Sequence[MarkedAnswer]) -> None:
    table = plain_table("Question", "kind", "", "given", "right")
    for answer in marked:
        for part, field in zip(answer.fields, answer.question.fields, strict=True):
            first = field is answer.question.fields[0]
            given = "" if part.given is None else written_answer(field, part.given)
            table.add_row(
                str(answer.question.number) if first else "",
                answer.question.kind if first else "",
                "right" if part.is_right else "wrong",
                given,
                "" if part.is_right else written_answer(field, part.right),
            )
    print_table(table)
    blank()


def print_score(results: DrillResults) -> None:
    score = results["score"]
    headline(f"{score['right']} of {score['asked']} right")
    wrong = sorted(
        (row["right"] - row["asked"], clause, row)
        for clause, row in results["by_clause"].items()
        if row["right"] < row["asked"]
    )
    if wrong:
        table = plain_table("Clause", "right", "of")
        for _, clause, one in wrong[:_WORST]:
            table.add_row(clause, str(one["right"]), str(one["asked"]))
        print_table(table)
