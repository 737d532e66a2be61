"""What the commands share: where they print, and how they fail."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

if TYPE_CHECKING:  # It takes longer to import than to judge, and JSON needs none of it.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

from croupier.files.status import FAILS, WRONG_USE
from croupier.files.streams import echo, say, visible

__all__ = [
    "FAILS",
    "WRONG_USE",
    "call_again_with",
    "command_line",
    "console",
    "fail",
    "format_option",
    "headline",
    "plain_table",
    "print_json",
    "print_json_line",
    "print_paragraph",
    "print_table",
    "print_text",
    "visible",
]

Function = TypeVar("Function", bound=Callable[..., Any])

_THREADS: Final = "--threads"

_NARROWEST: Final = 20
"""A paragraph is never squeezed into fewer columns, however far it is set in."""


def console() -> Console:
    """Return the console on standard output: coloured on a terminal alone.

    It is made when it is asked for, so that it sees the output of the moment. It reads no markup
    and no emoji into what it prints: clause ids have brackets and colons of their own.
    """
    from rich.console import Console  # noqa: PLC0415  (for a person alone)

    return Console(markup=False, emoji=False, highlight=False)


def fail(message: str) -> NoReturn:
    """Print on standard error why nothing comes of it, and exit with status 2."""
    say(message)
    sys.exit(WRONG_USE)


def command_line(*added: str) -> str:
    """Return the command that was called, as it can be called again, with the words ``added``.

    Threads are left out: on any number of them a command makes the same.
    """
    words = iter(click.get_current_context().find_root().obj or ())
    kept = []
    for word in words:
        if word == _THREADS:
            next(words, None)
        elif not word.startswith(f"{_THREADS}="):
            kept.append(word)
    return shlex.join(["croupier", *kept, *added])


def call_again_with(word: str, meant: str) -> None:
    """Have ``command_line`` name what a word of the call meant, as it may mean another later."""
    context = click.get_current_context().find_root()
    context.obj = tuple(one.replace(word, meant) for one in context.obj or ())


def print_json(data: object) -> None:
    """Print data as indented JSON, one way only, in any terminal's width."""
    echo(json.dumps(data, indent=2, ensure_ascii=False))


def print_json_line(data: object) -> None:
    """Print data as one line of JSON, for whoever reads a pipe line by line."""
    echo(json.dumps(data, ensure_ascii=False, default=str))


def print_paragraph(out: Console, text: Text, indent: int, hanging: int = 0) -> None:
    """Print a paragraph with every line that it takes set in, and no blanks at their ends.

    ``hanging`` sets the lines after the first in further, where paragraph follows on paragraph.
    """
    from rich.text import Text  # noqa: PLC0415  (for a person alone)

    for number, part in enumerate(text.wrap(out, max(out.width - indent - hanging, _NARROWEST))):
        part.rstrip()
        _print_line(out, Text(" " * (indent + (hanging if number else 0))).append_text(part))


def _print_line(out: Console, line: Text) -> None:
    """Print what fits into one line, which only on a terminal needs more than its characters."""
    if out.is_terminal:
        out.print(line)
    else:
        out.file.write(f"{line.plain}\n")


def print_text(text: str, *, indent: int = 0, style: str = "") -> None:
    """Print a paragraph of plain text, indented on every line that it takes."""
    from rich.text import Text  # noqa: PLC0415  (for a person alone)

    print_paragraph(console(), Text(visible(text), style=style), indent)


def blank() -> None:
    """Print an empty line."""
    console().print()


def headline(text: str) -> None:
    """Print a line that what follows stands under."""
    from rich.text import Text  # noqa: PLC0415  (for a person alone)

    print_paragraph(console(), Text(visible(text), style="bold"), 0)


def plain_table(*columns: str) -> Table:
    """Return an empty table with a head and no frame, which reads well in a pipe too."""
    from rich.table import Table  # noqa: PLC0415  (for a person alone)

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for number, column in enumerate(columns):
        # The first column names the row: a name that is broken in two cannot be found again.
        table.add_column(column, overflow="fold", no_wrap=number == 0)
    return table


def print_table(table: Table) -> None:
    """Print a table without the blanks that fill its last column."""
    from rich.text import Text  # noqa: PLC0415  (for a person alone)

    out = console()
    for line in out.render_lines(table, pad=False):
        row = Text.assemble(*((part.text, part.style or "") for part in line))
        row.rstrip()
        _print_line(out, row)


def format_option(function: Function) -> Function:
    """Add ``--format text|json`` to a command, as its argument ``output_format``."""
    option = click.option(
        "--format",
        "output_format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="For a person or for a program.",
    )
    return option(function)
