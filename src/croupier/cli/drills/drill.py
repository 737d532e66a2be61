"""``croupier drill``: questions for dealers, at the terminal or as data."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from croupier.cli.common.files import check_outputs, document_options, output_path, put_file
from croupier.cli.common.helping import HelpGroup, dress
from croupier.cli.common.output import command_line, fail, print_json, print_text
from croupier.cli.drills.drill_paper import (
    coverage,
    mark_answers,
    paper,
    print_answer,
    print_question,
    print_score,
    seed_options,
)
from croupier.cli.submission.rules import TableAsked, table_options
from croupier.drills import DRILLS, DrillRoom, MarkedAnswer, Question, drawn_questions, mark
from croupier.drills.asking import asked_today, boxes_from, no_boxes, spaced
from croupier.drills.documents import DrillBoxes
from croupier.drills.marking import accepted, read_answer, unreadable
from croupier.drills.papers import paper_of, results_of
from croupier.drills.result_files import written_results
from croupier.files.errors import FileError
from croupier.files.streams import is_typed, typed_line
from croupier.files.text import read_json
from croupier.files.write import form_of, write_file
from croupier.records.entry import system_clock
from croupier.reports.words import say
from croupier.rules import TableRules
from croupier.table.machine.offered import Field

_ALL: Final = "mixed"
_ALL_TITLE: Final = "Questions of every kind in turn"
_TITLES: Final = {_ALL: _ALL_TITLE, **{kind: one.title for kind, one in DRILLS.items()}}


class _DrillGroup(HelpGroup):
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _TITLES:
            return dress(_ask_command(cmd_name, _TITLES[cmd_name]))
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [*_TITLES, *self.commands]


@click.group(cls=_DrillGroup)
def drill() -> None:
    """Drill dealers: questions about a table under its own rules, with the key and the clauses.

    The key is what the table itself decides and pays, so it is right under any submission. A wrong
    answer is carried out at the table of the question, and what the table makes of it is shown.
    """


def _ask_command(kind: str, title: str) -> click.Command:
    @table_options
    @seed_options
    @click.option("--student", default="", metavar="NAME", help="Name in the results.")
    @click.option(
        "--results",
        type=output_path,
        metavar="FILE.json|csv",
        help="Write what was answered to FILE.",
    )
    @click.option(
        "--boxes",
        type=output_path,
        metavar="FILE.json",
        help="Ask what is due by FILE, and keep there how well each clause is known.",
    )
    @document_options("text", "json", takes_force=True)
    def ask(  # noqa: PLR0913  (each is an option of the command)
        *,
        asked: TableAsked,
        seed: int,
        count: int,
        level: int | None,
        student: str,
        results: Path | None,
        boxes: Path | None,
        output_format: str,
        force: bool,
    ) -> None:
        if output_format == "json" and (results is not None or student):
            raise click.UsageError("--format json asks nothing: remove --results and --student")
        form = None if results is None else form_of(results, ("json", "csv"))
        check_outputs(results, force=force)
        rules = asked.rules()
        kinds = tuple(DRILLS) if kind == _ALL else (kind,)
        room, today = DrillRoom(rules), system_clock().date()
        box_state = None if boxes is None else _boxes(boxes)
        if box_state is None:
            questions = tuple(drawn_questions(room, kinds, seed, count, level))
        else:
            due = asked_today(room, kinds, box_state, today, seed=seed, count=count, level=level)
            questions = tuple(due)
        if not questions:
            fail(f"{kind}: the rules of this table leave no room for such a question")
        sheet = paper_of(rules, questions, kinds, seed=seed, level=level, reproduce=command_line())
        if output_format == "json":
            print_json(sheet)
            return
        if is_typed():
            print_text(say("drill.whole"), style="dim")
        answers = tuple(_asked(questions, rules))
        if boxes is not None and box_state is not None:
            new_box_state = spaced(box_state, rules.law.key, answers, today)
            write_file(boxes, f"{json.dumps(new_box_state, indent=2)}\n".encode(), force=True)
        drill_results = results_of(rules, answers, sheet, student=student, reproduce=command_line())
        print_score(drill_results)
        # Written first: an interrupt at what was missed must not lose them.
        if results is not None and form is not None:
            put_file(results, written_results(drill_results, form), force=force)
        if is_typed():
            _missed(list(answers), rules)

    ask.__doc__ = f"""{title}.

    Without a terminal the answers are read from standard input, one line for each field. An empty
    line is no answer, - skips a question, and the end of the input ends the drill. An answer that
    cannot be read is listed at the end, with exit status 2, and nothing is written. --format json
    prints the questions.
    """
    return click.command(kind, short_help=f"{title}.")(ask)


def _boxes(path: Path) -> DrillBoxes:
    try:
        return boxes_from(read_json(path)) if path.exists() else no_boxes()
    except FileError:
        raise
    except ValueError as error:
        fail(f"{path}: {error}")


def _asked(
    questions: Sequence[Question], rules: TableRules, answer: MarkedAnswer | None = None
) -> Iterator[MarkedAnswer]:
    """Ask questions; ``?`` at the first prompt explains ``answer``, ``-`` skips a question."""
    faults: list[str] = []
    for place, question in enumerate(questions, start=1):
        name = f"Question {place} of {len(questions)}"
        print_question(question, name)
        start, fields = time.monotonic(), question.fields
        given_answers: dict[str, str] = {}
        for field in fields:
            line = _read(f"{field.label} > " if len(fields) > 1 else "> ", answer, field)
            if not line or line.strip() == "-":
                given_answers = dict.fromkeys((one.name for one in fields), "") if line else {}
                break
            given_answers[field.name] = line.strip()
        if len(given_answers) < len(fields):
            break
        if bad_fields := [one for one in fields if one.name in unreadable(question, given_answers)]:
            words = [say("drill.unreadable", takes=accepted(field)) for field in bad_fields]
            print_text(" ".join(words))
            faults += [f"{name}, {a.label}: {b}" for a, b in zip(bad_fields, words, strict=True)]
            continue
        answer = mark(question, given_answers, time.monotonic() - start)
        # A right answer is whole if it is the last: a prompt may not follow.
        is_last = place == len(questions) and answer.is_right
        print_answer(answer, rules, is_short=is_typed() and not is_last)
        yield answer
    if faults:
        fail("\n".join(faults))


def _read(prompt: str, answer: MarkedAnswer | None, field: Field | None = None) -> str:
    while True:
        line = typed_line(prompt)
        if not is_typed() or line.strip() == "-":
            return line
        if answer is not None and line.strip() == "?":
            print_answer(answer, answer.question.stage.rules)
        elif line and field is not None and read_answer(field, line) is None:
            print_text(say("drill.unreadable", takes=accepted(field)))
        else:
            return line


def _missed(answers: list[MarkedAnswer], rules: TableRules) -> None:
    while missed := [answer.question for answer in answers if not answer.is_right]:
        reply = _read(say("drill.missed.ask", many=len(missed)), answers[-1])
        if reply.strip().casefold() not in {"y", "yes"}:
            return
        answers = list(_asked(missed, rules, answers[-1]))


drill.add_command(paper)
drill.add_command(mark_answers)
drill.add_command(coverage)
