"""``croupier drill``: questions for dealers, asked at the terminal or given as data."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import click

from croupier.cli.drill_text import print_answer, print_question, print_score
from croupier.cli.files import check_outputs, document_options, output_path, put_file
from croupier.cli.helping import HelpGroup, dress
from croupier.cli.output import command_line, fail, print_json
from croupier.cli.par import rules_named
from croupier.cli.text_named import as_of_option
from croupier.drills import DRILLS, DrillRoom, MarkedAnswer, Question, drawn_questions, mark
from croupier.drills.papers import paper_of, results_of
from croupier.drills.question import LEVELS
from croupier.drills.result_files import written_results
from croupier.files.write import form_of
from croupier.law.resolve import AsOf
from croupier.rules import TableRules

__all__ = ["drill"]

Function = TypeVar("Function", bound=Callable[..., object])

_ALL: Final = "mixed"
_ALL_TITLE: Final = "Questions of every kind in turn"


def _rules_options(function: Function) -> Function:
    """Add the options that name a table: a submission, or a regulation with default elections."""
    options = (
        click.option(
            "--submission",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Rules submission of the table.",
        ),
        click.option(
            "--law",
            "law_id",
            metavar="ID",
            help="Regulation, as ID@DATE, with its default elections.",
        ),
        as_of_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


def _paper_options(function: Function) -> Function:
    """Add the options that say which questions are asked."""
    options = (
        click.option(
            "--seed",
            type=click.IntRange(0, 2**63 - 1),
            default=1,
            show_default=True,
            help="Seed of the questions: the same seed, the same questions.",
        ),
        click.option(
            "--questions",
            "count",
            type=click.IntRange(1, 1000),
            default=10,
            show_default=True,
            help="Number of questions.",
        ),
        click.option(
            "--level",
            type=click.IntRange(LEVELS[0], LEVELS[-1]),
            help="1 for plain cases, 3 for those that go wrong most often.  [default: mixed]",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


class _DrillGroup(HelpGroup):
    """A group in which each kind of question is a command, next to those for papers."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or the one that asks questions of a kind."""
        title = _ALL_TITLE if cmd_name == _ALL else None
        if cmd_name in DRILLS:
            title = DRILLS[cmd_name].title
        if title is None:
            return super().get_command(ctx, cmd_name)
        return dress(_ask_command(cmd_name, title))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the kinds, and the commands for papers after them."""
        del ctx
        return [_ALL, *DRILLS, *self.commands]


@click.group(cls=_DrillGroup)
def drill() -> None:
    """Drill dealers: questions about a table under its own rules, with the key and the clauses.

    The key is what the table itself decides and pays, so it is right under any submission. A wrong
    answer is carried out at the table of the question, and what the table makes of it is shown.
    """


def _ask_command(kind: str, title: str) -> click.Command:
    """Return the command that asks questions of a kind."""

    @_rules_options
    @_paper_options
    @click.option("--student", default="", metavar="NAME", help="Name in the results.")
    @click.option(
        "--results",
        type=output_path,
        metavar="FILE.json|csv",
        help="Write what was answered to FILE.",
    )
    @document_options("text", "json", takes_force=True)
    def ask(  # noqa: PLR0913  (each is an option of the command)
        submission: Path | None,
        law_id: str | None,
        as_of: AsOf | None,
        *,
        seed: int,
        count: int,
        level: int | None,
        student: str,
        results: Path | None,
        output_format: str,
        force: bool,
    ) -> None:
        if results is not None:
            form_of(results, ("json", "csv"))
        check_outputs(results, force=force)
        rules = rules_named(submission, law_id, as_of, None)
        kinds = tuple(DRILLS) if kind == _ALL else (kind,)
        questions = tuple(drawn_questions(DrillRoom(rules), kinds, seed, count, level))
        if not questions:
            fail(f"{kind}: the rules of this table leave no room for such a question")
        paper = paper_of(rules, questions, kinds, seed=seed, level=level, reproduce=command_line())
        if output_format == "json":
            print_json(paper)
            return
        marked = tuple(_asked(questions, rules))
        told = results_of(rules, marked, paper, student=student, reproduce=command_line())
        print_score(told)
        if results is not None:
            put_file(results, written_results(told, form_of(results, ("json", "csv"))), force=force)

    ask.__doc__ = f"""{title}.

    Without a terminal the answers are read from standard input, one line for each field. An empty
    line is no answer; the end of the input ends the drill.
    """
    return click.command(kind, short_help=f"{title}.")(ask)


def _asked(questions: Sequence[Question], rules: TableRules) -> Iterator[MarkedAnswer]:
    """Ask questions one by one, and show what is right after each."""
    for at, question in enumerate(questions, start=1):
        print_question(question, f"Question {at} of {len(questions)}")
        begun, given = time.monotonic(), dict[str, str]()
        for field in question.fields:
            sys.stdout.write(f"{field.label} > " if len(question.fields) > 1 else "> ")
            sys.stdout.flush()
            line = sys.stdin.readline()
            if not sys.stdin.isatty():
                sys.stdout.write(line if line.endswith("\n") else f"{line}\n")
            if not line:
                return
            given[field.name] = line.strip()
        marked = mark(question, given, time.monotonic() - begun)
        print_answer(marked, rules)
        yield marked
