"""``croupier drill paper`` and ``mark``: exam papers with keys, and marked answers as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from croupier.cli.common.arguments import seed_option, text_named
from croupier.cli.common.files import (
    FORMS,
    check_outputs,
    document_options,
    force_option,
    input_path,
    output_path,
    paper_option,
    writer,
)
from croupier.cli.common.output import (
    blank,
    command_line,
    exit_unless,
    fail,
    headline,
    kept,
    option_group,
    plain_table,
    print_json,
    print_table,
    print_text,
    usual_option,
)
from croupier.cli.submission.rules import TableAsked, table_options
from croupier.drills import DRILLS, DrillRoom, MarkedAnswer, Question, drawn_questions, mark
from croupier.drills.asking import coverage_of
from croupier.drills.documents import DrillPaper, DrillResults
from croupier.drills.marking import accepted, answer_in_words, lettered, written_answer
from croupier.drills.paper_files import written_paper
from croupier.drills.papers import key_of, paper_of, results_of
from croupier.drills.result_files import read_answers, read_paper, written_results
from croupier.drills.room import LEVELS
from croupier.files.shipped import sample_submissions
from croupier.files.write import form_of
from croupier.law.usage import counted
from croupier.reports.words import say
from croupier.rules import TableRules, read_rules

_WORST = 8


def print_question(question: Question, heading: str) -> None:
    headline(f"{heading}: {question.kind}, level {question.level}")
    for label, text in question.shown:
        print_text(f"{label}: {text}", indent=2)
    print_text(question.words)
    for field in question.fields:
        print_text(f"{field.label}: {accepted(field)}", indent=2, style="dim")
        for letter, _, words in lettered(field):
            print_text(f"{letter}) {words}", indent=4)


def print_answer(marked_answer: MarkedAnswer, rules: TableRules, *, is_short: bool = False) -> None:
    answer = answer_in_words(marked_answer, rules)
    seconds = "" if answer.seconds is None else f" ({answer.seconds:.1f} s)"
    if answer.is_right:
        print_text(f"{say('drill.right')}{seconds}", style="bold green")
    else:
        print_text(f"{say('drill.wrong')}{seconds}", style="bold red")
        for field in answer.fields:
            print_text(f"{field.label}: {field.right}", indent=2)
    if is_short:
        _print_cited(*(*marked_answer.question.why, *marked_answer.broken)[:1])
    else:
        _print_cited(*((f"Why: {text}", clauses) for text, clauses in answer.why))
        for name, text in (*answer.clauses, *answer.readings):
            print_text(f"{name}: {text}", indent=4)
        _print_cited(*answer.broken)
    blank()


def _print_cited(*lines: tuple[str, Sequence[str]]) -> None:
    for text, clauses in lines:
        print_text(f"{text} [{', '.join(clauses)}]" if clauses else text, indent=2)


def print_marked(answers: Sequence[MarkedAnswer]) -> None:
    table = plain_table("Question", "kind", "", "given", "right")
    for answer in answers:
        for part, field in zip(answer.fields, answer.question.fields, strict=True):
            is_first = field is answer.question.fields[0]
            answer_text = "" if part.given is None else written_answer(field, part.given)
            table.add_row(
                str(answer.question.number) if is_first else "",
                answer.question.kind if is_first else "",
                "right" if part.is_right else "wrong",
                answer_text,
                "" if part.is_right else written_answer(field, part.right),
            )
    print_table(table)
    blank()


def print_score(results: DrillResults) -> None:
    score = results["score"]
    headline(f"{score['right']} of {score['asked']} right")
    rows = sorted(
        (row["right"] - row["asked"], clause, row)
        for clause, row in results["by_clause"].items()
        if row["right"] < row["asked"]
    )
    if rows:
        table = plain_table("Clause", "right", "of")
        for _, clause, counts in rows[:_WORST]:
            table.add_row(clause, str(counts["right"]), str(counts["asked"]))
        print_table(table)


seed_options = option_group(
    seed_option("Seed of the questions"),
    usual_option(
        "--questions",
        "count",
        type=click.IntRange(1, 1000),
        default=10,
        help="Number of questions.",
    ),
    click.option(
        "--level",
        type=click.IntRange(LEVELS[0], LEVELS[-1]),
        help="1 for plain cases, 3 for those that go wrong most often.  [default: mixed]",
    ),
)


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(part.strip() for part in text.split(","))
    for kind in kinds:
        if kind not in DRILLS:
            raise click.BadParameter(f"{kind!r} is not a kind; the kinds are {', '.join(DRILLS)}")
    return kinds


@click.command("paper", short_help="Write an exam paper and its marking key.")
@table_options
@seed_options
@click.option(
    "--kinds", type=_kinds, metavar="KIND,...", help="Kinds of questions.  [default: all]"
)
@click.option(
    "-o", "--out", type=output_path, required=True, metavar="FILE", help="Write the paper to FILE."
)
@click.option(
    "--key", "key_path", type=output_path, metavar="FILE", help="Write the marking key to FILE."
)
@paper_option
@force_option
def paper(  # noqa: PLR0913  (each is an option of the command)
    *,
    asked: TableAsked,
    seed: int,
    count: int,
    level: int | None,
    kinds: tuple[str, ...] | None,
    out: Path,
    key_path: Path | None,
    force: bool,
) -> None:
    """Write an exam paper for a table, and its marking key into a file of its own.

    The same rules, seed, kinds, and level give the same paper. The paper names the hash of the
    rules, and is sealed: `croupier drill mark` refuses one that was changed.
    """
    form = form_of(out, FORMS)
    key_form = None if key_path is None else form_of(key_path, FORMS)
    check_outputs(out, key_path, force=force)
    rules, kinds = asked.rules(), kinds or tuple(DRILLS)
    questions = tuple(drawn_questions(DrillRoom(rules), kinds, seed, count, level))
    if not questions:
        fail(f"{', '.join(kinds)}: the rules of this table leave no room for such questions")
    paper_data = paper_of(rules, questions, kinds, seed=seed, level=level, reproduce=command_line())
    with writer(force=force) as files:
        files.open(out).write(written_paper(paper_data, form, kept("paper")))
        if key_path is not None and key_form is not None:
            key = key_of(rules, questions, paper_data, command_line())
            files.open(key_path).write(written_paper(paper_data, key_form, kept("paper"), key))
    print_text(f"{counted(len(questions), 'question')}: {out}, seal {paper_data['seal'][:12]}")
    if key_path is not None:
        print_text(f"Marking key: {key_path}")


@click.command("mark", short_help="Mark the answers to an exam paper.")
@click.argument("paper_path", metavar="PAPER.json", type=input_path)
@click.argument("answers_path", metavar="ANSWERS", type=input_path)
@table_options
@click.option("--student", default="", metavar="NAME", help="Name in the results.")
@click.option(
    "--results", type=output_path, metavar="FILE.json|csv", help="Write the results to FILE."
)
@document_options("text", "json", takes_force=True)
def mark_answers(  # noqa: PLR0913  (each is an option of the command)
    paper_path: Path,
    answers_path: Path,
    *,
    asked: TableAsked,
    student: str,
    results: Path | None,
    force: bool,
    output_format: str,
) -> None:
    """Mark ANSWERS, JSON or CSV, to PAPER.json under the rules that it was made for.

    The questions are made again from the seed of the paper and compared with it, so the key is the
    table once more and no file. A paper whose seal or rules do not match is refused.
    """
    form = None if results is None else form_of(results, ("json", "csv"))
    check_outputs(results, force=force)
    rules = asked.rules()
    exam, answers = read_paper(paper_path), read_answers(answers_path)
    questions = _made_again(paper_path, exam, rules)
    if unknown_numbers := sorted(answers.keys() - {question.number for question in questions}):
        fail(f"{answers_path}: the paper has no question {', '.join(map(str, unknown_numbers))}")
    marked = tuple(mark(question, answers.get(question.number, {})) for question in questions)
    drill_results = results_of(rules, marked, exam, student=student, reproduce=command_line())
    if output_format == "json":
        print_json(drill_results)
    else:
        print_marked(marked)
        print_score(drill_results)
        fields = [field for answer in marked for field in answer.fields]
        print_text(f"{sum(field.is_right for field in fields)} of {counted(len(fields), 'point')}")
    if results is not None and form is not None:
        with writer(force=force) as files:
            files.open(results).write(written_results(drill_results, form))


def _made_again(path: Path, sheet: DrillPaper, rules: TableRules) -> tuple[Question, ...]:
    if sheet["rules_hash"] != rules.sha256:
        fail(
            f"{path}: the paper is for the rules {sheet['rules_hash'][:12]}, and these are "
            f"{rules.sha256[:12]}: name the submission that it was made for"
        )
    count, kinds = len(sheet["questions"]), [kind for kind in sheet["kinds"] if kind in DRILLS]
    room = DrillRoom(rules)
    questions = tuple(drawn_questions(room, kinds, sheet["seed"], count, sheet["level"]))
    redrawn = paper_of(rules, questions, sheet["kinds"], seed=sheet["seed"], level=sheet["level"])
    if redrawn["questions"] != sheet["questions"]:
        fail(
            f"{path}: this version asks other questions for that seed: mark it with "
            f"{sheet['program']} {sheet['version']}, or by its key"
        )
    return questions


@click.command("coverage", short_help="Show which questions ask for each clause of a regulation.")
@click.option("--law", "law_id", metavar="ID", required=True, help="Regulation, as ID@DATE.")
@document_options("text", "json")
def coverage(law_id: str, *, output_format: str) -> None:
    """Show which kinds of questions ask for each clause of logic or procedure, or why none does.

    Questions are drawn under the sample submissions of the regulation. Exit status 1 means that a
    clause has neither a question nor a reason.
    """
    law = text_named(law_id)
    samples = map(read_rules, sample_submissions())
    tables = [rules for rules in samples if rules.law.key == law.key and not rules.missing]
    if not tables:
        fail(f"{law.key}: no sample submission of this regulation has a table to draw questions at")
    report = coverage_of(law, tables)
    if output_format == "json":
        print_json(report)
    else:
        table = plain_table("Clause", "kinds, or why there is none")
        for item in report["clauses"]:
            table.add_row(item["clause"], ", ".join(item["kinds"]) or item["reason"] or "MISSING")
        print_table(table)
        count = sum(bool(clause["kinds"]) for clause in report["clauses"])
        print_text(f"{count} of {len(report['clauses'])} clauses are asked for")
    exit_unless(not report["missing"])
