"""``croupier table``: a table at the terminal, alone on a log or at a service."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import Final

import click

from croupier.acts.roles import POSTED, Role
from croupier.cli.common.files import input_file, output_path, read_files
from croupier.cli.common.output import fail
from croupier.cli.common.terminal import is_plain
from croupier.cli.records.log_reading import unbroken_log
from croupier.cli.records.logs import continues_option, table_log
from croupier.cli.records.record_options import (
    names_of,
    names_option,
    table_asked,
    table_option,
    with_law_option,
)
from croupier.cli.records.table_log import LogDoor
from croupier.cli.submission.rules import table_of
from croupier.cli.tables.sitting.door import Door
from croupier.cli.tables.sitting.lines import run_lines
from croupier.cli.tables.table_served import door_to
from croupier.files.status import WRONG_USE
from croupier.files.streams import echo, is_typed, typed_line
from croupier.records.reader import LogReader
from croupier.records.view.documents import ResultSeen
from croupier.records.view.projection import results_after

_PERSON: Final = re.compile(r"\s*([^()]+?)\s*\(\s*([a-z ]+?)\s*\)\s*")
_ASKED: Final = (Role.DEALER, Role.FLOORPERSON)


@click.command()
@click.argument("submission", required=False, type=input_file)
@click.option(
    "--log",
    "log_path",
    type=output_path,
    metavar="LOG",
    help="Keep the table log here; an open one is continued where it ends.",
)
@table_option
@with_law_option
@names_option
@continues_option
@click.option(
    "--as",
    "people",
    multiple=True,
    metavar="'NAME (OFFICE)'",
    help="Who sits here, such as 'Dana (dealer)'; give it once for each person.",
)
@click.option(
    "--connect",
    "place",
    metavar="URL",
    help="Sit at a table of this service, which croupier serve runs.",
)
def table(
    submission: Path | None,
    *,
    log_path: Path | None,
    continues: Path | None,
    people: tuple[str, ...],
    place: str | None,
) -> None:
    """Sit at a table in the terminal: alone on a log, or at a service.

    With SUBMISSION and --log, every office is here, and each entry names who holds it. An open log
    is continued. --continues begins the log of the next gaming day.

    With --connect, you have the office of your token: dealer, patron, or any other. URL is the
    address of the service, or a one-time link of it. The token comes from CROUPIER_TOKEN, or is
    asked for. --table chooses one of several tables. See croupier help terminal-table.

    Enter does what must be done, first the opening of a closed table; h shows what to type. A wide
    terminal shows the table along with its roads; with --plain they are in words. The final exit
    status is 2 if a command was refused.
    """
    if place is not None:
        if submission is not None or log_path is not None or people or continues is not None:
            fail(
                "--connect is for a table of a service: leave out SUBMISSION, --log, --continues,"
                " and --as"
            )
        with door_to(place, table_asked() or "", typed_line) as door:
            refused = _sit(door)
        if refused:
            sys.exit(WRONG_USE)
        return
    if submission is None or log_path is None:
        fail("name a table: SUBMISSION and --log LOG, or --connect URL")
    _alone(submission, log_path, people, continues)


def _alone(
    submission: Path, log_path: Path, people: tuple[str, ...], continues: Path | None
) -> None:
    rules = table_of(submission)
    who = _people(people)
    # A store that holds the day before has not the day to come.
    going_on = continues is None and log_path.exists()
    results = _results(unbroken_log(log_path)) if going_on else []
    with table_log(
        rules,
        None if going_on else log_path,
        log_path if going_on else None,
        shuffle="cards entered at a terminal",
        reads=read_files(),
        continues=continues,
    ) as log:
        refused = _sit(LogDoor(log.session, who, results, names_of(log_path)))
    if refused:
        sys.exit(WRONG_USE)


def _people(given: tuple[str, ...]) -> dict[str, str]:
    people: dict[str, str] = {}
    for one in given:
        found = _PERSON.fullmatch(one)
        if found is None or found[2] not in POSTED:
            fail(f"--as {one!r}: write 'NAME (OFFICE)', with one of {', '.join(POSTED)}")
        if found[2] in people or found[1] in people.values():
            fail(f"--as {one!r}: each office is given once, each to another person")
        people[found[2]] = found[1]
    if people:
        return people
    for office in _ASKED:
        people[office] = _name_of(str(office))
    return people


def _name_of(office: str) -> str:
    """Ask for a name until it has a letter or a digit; ``?`` is a question."""
    while True:
        name = typed_line(f"Name of the {office} [{office}]: ").strip() or office
        if any(letter.isalnum() for letter in name):
            return name


def _results(log: LogReader) -> list[ResultSeen]:
    results: list[ResultSeen] = []
    for _, step in log.steps():
        results = results_after(results, step)
    return results


def _sit(door: Door) -> int:
    shown = not is_plain() and is_typed() and sys.stdout.isatty()
    return run_lines(
        door,
        lambda prompt: typed_line(prompt) or None,
        echo,
        get_terminal_size().columns if shown else 0,
    )
