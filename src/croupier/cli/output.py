"""What the commands share: where they print, and how they fail."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

__all__ = [
    "console",
    "fail",
    "format_option",
    "headline",
    "plain_table",
    "print_json",
    "tell",
    "visible",
]

Function = TypeVar("Function", bound=Callable[..., Any])

WRONG_USE = 2


def console() -> Console:
    """Return the console on standard output: coloured on a terminal alone.

    It is made when it is asked for, so that it sees the output of the moment. It reads no markup
    and no emoji into what it prints: clause ids have brackets and colons of their own.
    """
    return Console(markup=False, emoji=False, highlight=False)


def fail(message: str) -> NoReturn:
    """Print why the input or the use is wrong, on standard error, and exit with status 2."""
    click.echo(f"croupier: {visible(message)}", err=True)
    sys.exit(WRONG_USE)


def visible(text: str) -> str:
    r"""Return text with control characters written out, so that no file steers a terminal.

    >>> visible("Pat\x1b[2J")
    'Pat\\x1b[2J'
    """
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode()
        for one in text
    )


def print_json(data: object) -> None:
    """Print data as indented JSON, one way only, in any terminal's width."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def tell(text: str, *, indent: int = 0) -> None:
    """Print a paragraph of plain text, indented on every line that it takes."""
    console().print(Padding(Text(text), (0, 0, 0, indent), expand=False))


def blank() -> None:
    """Print an empty line."""
    console().print()


def headline(text: str) -> None:
    """Print a line that what follows stands under."""
    console().print(Text(text, style="bold"))


def plain_table(*columns: str) -> Table:
    """Return an empty table with a head and no frame, which reads well in a pipe too."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for number, column in enumerate(columns):
        # The first column names the row: a name that is broken in two cannot be found again.
        table.add_column(column, overflow="fold", no_wrap=number == 0)
    return table


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
