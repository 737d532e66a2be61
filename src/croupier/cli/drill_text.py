"""Drills in words, for the terminal: a question, what is right and why, the score."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cli.output import blank, headline, plain_table, print_table, print_text
from croupier.drills import MarkedAnswer, Question
from croupier.drills.answers import accepted, lettered, written_answer
from croupier.drills.documents import DrillResults
from croupier.drills.marking import readings_behind
from croupier.law.interpretations import interpretations
from croupier.rules import TableRules

__all__ = ["print_answer", "print_marked", "print_question", "print_score"]

_WORST = 8
"""How many clauses that went wrong are listed."""


def print_question(question: Question, head: str) -> None:
    """Print a question: what is seen, what is asked, and what an answer looks like."""
    headline(f"{head}: {question.kind}, level {question.level}")
    for label, text in question.shown:
        print_text(f"{label}: {text}", indent=2)
    print_text(question.words)
    for field in question.fields:
        print_text(f"{field.label}: {accepted(field)}", indent=2, style="dim")
        for letter, _, words in lettered(field):
            print_text(f"{letter}) {words}", indent=4)


def print_answer(marked: MarkedAnswer, rules: TableRules) -> None:
    """Print what is right, why, under which clauses and readings, and what was broken."""
    question = marked.question
    seconds = "" if marked.seconds is None else f" ({marked.seconds:.1f} s)"
    if marked.is_right:
        print_text(f"Right.{seconds}", style="bold green")
    else:
        print_text(f"Not right.{seconds}", style="bold red")
        for field in question.fields:
            print_text(
                f"{field.label}: {written_answer(field, question.key[field.name])}", indent=2
            )
    for text, clauses in question.why:
        print_text(f"Why: {text} [{', '.join(clauses)}]" if clauses else f"Why: {text}", indent=2)
    for clause in question.clauses:
        if clause in rules.law.clauses:
            print_text(f"{clause}: {rules.law.clauses[clause].says}", indent=4)
    for entry, reading in readings_behind(question.clauses, rules).items():
        print_text(f"{entry}, {reading}: {interpretations()[entry].says(reading)}", indent=4)
    for text, clauses in marked.broken:
        print_text(f"{text} [{', '.join(clauses)}]" if clauses else text, indent=2)
    blank()


def print_marked(marked: Sequence[MarkedAnswer]) -> None:
    """Print a line for each question of a paper: right, or what was given and what is right."""
    table = plain_table("Question", "kind", "", "given", "right")
    for one in marked:
        for part, field in zip(one.fields, one.question.fields, strict=True):
            first = field is one.question.fields[0]
            told = "" if part.given is None else written_answer(field, part.given)
            table.add_row(
                str(one.question.number) if first else "",
                one.question.kind if first else "",
                "right" if part.is_right else "wrong",
                told,
                "" if part.is_right else written_answer(field, part.right),
            )
    print_table(table)
    blank()


def print_score(results: DrillResults) -> None:
    """Print how many were right, and the clauses that went wrong most often."""
    score = results["score"]
    headline(f"{score['right']} of {score['asked']} right")
    wrong = sorted(
        (one["right"] - one["asked"], clause, one)
        for clause, one in results["by_clause"].items()
        if one["right"] < one["asked"]
    )
    if wrong:
        table = plain_table("Clause", "right", "of")
        for _, clause, one in wrong[:_WORST]:
            table.add_row(clause, str(one["right"]), str(one["asked"]))
        print_table(table)
