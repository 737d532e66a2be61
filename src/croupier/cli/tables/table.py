"""``croupier table``: a table at the terminal, alone on a log or at a service."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from getpass import getpass
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import click

from croupier.acts.roles import POSTED, Role
from croupier.cli.common.files import input_file, output_path, read_files
from croupier.cli.common.output import error_console, fail, needing
from croupier.cli.common.terminal import is_plain
from croupier.cli.records.logs import continues_option, table_log, unbroken_log
from croupier.cli.records.record_options import (
    names_of,
    names_option,
    table_asked,
    table_option,
    with_law_option,
)
from croupier.cli.records.table_log import LogDoor
from croupier.cli.submission.rules import table_of
from croupier.cli.tables.sitting.lines import run_lines
from croupier.cli.tables.sitting.sitting import Door
from croupier.files.streams import WRONG_USE, echo, is_typed, typed_line
from croupier.law.usage import named
from croupier.records.reader import LogReader
from croupier.records.view.documents import ResultSeen
from croupier.records.view.projection import results_after

if TYPE_CHECKING:
    from croupier.cli.tables.sitting.served import ServedDoor


_PERSON: Final = re.compile(r"\s*([^()]+?)\s*\(\s*([^()]+?)\s*\)\s*")
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
            refusal_count = _sit(door)
        if refusal_count:
            sys.exit(WRONG_USE)
        return
    if submission is None or log_path is None:
        fail("name a table: SUBMISSION and --log LOG, or --connect URL")
    _sit_alone(submission, log_path, people, continues)


def _sit_alone(
    submission: Path, log_path: Path, people: tuple[str, ...], continues: Path | None
) -> None:
    rules = table_of(submission)
    names_by_office = _people(people)
    # A store that holds the day before has not the day to come.
    is_going_on = continues is None and log_path.exists()
    results = _results(unbroken_log(log_path)) if is_going_on else []
    with table_log(
        rules,
        None if is_going_on else log_path,
        log_path if is_going_on else None,
        shuffle="cards entered at a terminal",
        reads=read_files(),
        continues=continues,
    ) as log:
        refusal_count = _sit(LogDoor(log.session, names_by_office, results, names_of(log_path)))
    if refusal_count:
        sys.exit(WRONG_USE)


def _people(texts: tuple[str, ...]) -> dict[str, str]:
    people: dict[str, str] = {}
    # The law's name of an office may be the id of another.
    by_name = {named(office): str(office) for office in POSTED}
    for text in texts:
        match = _PERSON.fullmatch(text)
        if match is None or match[2] not in {*by_name, *POSTED}:
            fail(f"--as {text!r}: write 'NAME (OFFICE)', with one of {', '.join(by_name)}")
        office = by_name.get(match[2], match[2])
        if office in people or match[1] in people.values():
            fail(f"--as {text!r}: each office is given once, each to another person")
        people[office] = match[1]
    if people:
        return people
    for office in _ASKED:
        # ``?`` is a question, and no name.
        while not any(letter.isalnum() for letter in people.get(office, "")):
            name = named(office)
            people[office] = typed_line(f"Name of the {name} [{name}]: ").strip() or str(office)
    return people


def _results(log: LogReader) -> list[ResultSeen]:
    results: list[ResultSeen] = []
    for _, step in log.steps():
        results = results_after(results, step)
    return results


def _sit(door: Door) -> int:
    is_styled = not is_plain() and is_typed() and sys.stdout.isatty()
    return run_lines(
        door,
        lambda prompt: typed_line(prompt) or None,
        echo,
        lambda: get_terminal_size().columns if is_styled else 0,
    )


_TOKEN: Final = "CROUPIER_TOKEN"  # noqa: S105  (the name of a variable)
_TABLE: Final = re.compile(r"/tables/([^/]+)/?")
_KEPT: Final = (
    f"a shell keeps what is typed: set {_TOKEN}, or leave it out and type it when it is asked for"
)


class _Address(NamedTuple):
    place: str
    table: str = ""
    link: str = ""


def _address(text: str) -> _Address:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        fail(f"--connect {text!r}: {error}")
    if parts.scheme not in {"http", "https"} or not host:
        fail(f"--connect {text!r}: write an address such as http://127.0.0.1:8750")
    if parts.username is not None or parts.password is not None:
        fail(f"--connect: an address has no token in it; {_KEPT}")
    if parts.scheme == "http" and host not in {"127.0.0.1", "::1", "localhost"}:
        fail(f"--connect {text!r}: http would send the token in the clear; use https")
    query, table = parse_qs(parts.query), _TABLE.fullmatch(parts.path)
    link = query.pop("link", [""])[0]
    if query:
        fail(f"--connect: {', '.join(query)} is not part of an address; {_KEPT}")
    if not table and parts.path not in {"", "/", "/tables", "/enter"}:
        fail(f"--connect {text!r}: {parts.path} is not a page of a service")
    host_text = f"[{host}]" if ":" in host else host
    place = f"{parts.scheme}://{host_text}" + ("" if port is None else f":{port}")
    return _Address(place, "" if table is None else unquote(table[1]), link)


def _token(place: str) -> str:
    token = os.environ.get(_TOKEN, "").strip()
    if token:
        return token
    if not is_typed():
        fail(f"{place}: no token; set {_TOKEN}, or connect to a one-time link")
    try:
        return getpass("Token, or one-time link: ").strip()
    except EOFError:
        return ""


def door_to(text: str, table: str, ask: Callable[[str], str]) -> ServedDoor:
    with needing("--connect", "client"):
        from croupier.cli.tables.sitting.served import served_table  # noqa: PLC0415  (an extra)
    address = _address(text)
    token = ""
    if address.link:
        error_console().print("The link is used up now: what the shell keeps of it opens nothing.")
    else:
        token = _token(address.place)
        if "link=" in token:
            address, token = address._replace(link=token.rpartition("link=")[2]), ""

    def choose(names: Sequence[str]) -> str:
        if not is_typed():
            return ""
        return ask(f"Which table: {', '.join(names)}? ").strip()

    def code() -> str:
        if not is_typed():
            return ""
        return ask("Code that the person who consented has given you: ").strip()

    table_name, link = table or address.table, address.link
    return served_table(address.place, token, link=link, table=table_name, choose=choose, code=code)
