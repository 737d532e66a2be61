"""Shared output of the commands: printing, failing, and progress bars."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from croupier.cli.common.terminal import GLOBAL_OPTIONS, advised, is_plain
from croupier.files.streams import FAILS, WRONG_USE, echo_data, note, say, visible

if TYPE_CHECKING:  # Importing it takes longer than verifying, and JSON output does not need it.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


Function = TypeVar("Function", bound=Callable[..., Any])

_THREADS: Final = "--threads"

_DATABASE: Final = re.compile(r"postgres(ql)?://.*", re.DOTALL | re.IGNORECASE)

_CITED: Final = re.compile(r"\[([A-Z][\w-]*:[^\s,\]]+)")

_REPORTED: Final = frozenset(
    {"CountingError", "CoupError", "CustomWagerError", "ExportError"}
    | {"FileError", "LawError", "LogError", "MissingExtraError", "MissingSigningError"}
    | {"NameRefusedError", "NoServedTableError", "PackError", "ShoeError", "SignatureError"}
    | {"SimulationError", "StampError", "StoreError", "SubmissionError", "VaultError"}
)
"""Errors in what a user gave, by class: a command ends with their message and exit status 2.

Classes are named, because importing them takes longer than most commands.
"""

_FAILED: Final = frozenset({"ContradictedError", "WrongStampError"})
"""Those that are a failed check: exit status 1."""

_NARROWEST: Final = 20


def console() -> Console:
    """Return the console of standard output, without markup: clauses have brackets and colons."""
    from rich.console import Console  # noqa: PLC0415  (text output only)

    is_forced = False if is_plain() else None
    return Console(markup=False, emoji=False, highlight=False, force_terminal=is_forced)


def error_console() -> Console:
    from rich.console import Console  # noqa: PLC0415  (text output only)

    return Console(stderr=True, force_terminal=False if is_plain() else None)


def fail(message: str) -> NoReturn:
    """Print the error and where its first clause is shown, and exit with status 2."""
    say(message)
    if match := _CITED.search(message):
        note(f"  more: {advised(f'help {shlex.quote(match[1])}')}")
    sys.exit(WRONG_USE)


def report(error: Exception) -> None:
    """Exit with the message of an error in what a user gave; return for any other error."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & _FAILED:
        say(f"FAIL: {error}")
        sys.exit(FAILS)
    if names & _REPORTED:
        fail(str(error))


@contextmanager
def reported() -> Iterator[None]:
    """Report errors in what a user gave at once, where others follow."""
    try:
        yield
    except Exception as error:
        report(error)
        raise


def exit_unless(success: object) -> None:
    if not success:
        sys.exit(FAILS)


def fail_with(heading: str, errors: Iterable[object]) -> NoReturn:
    fail("\n".join([f"{heading}:", *(f"  {error}" for error in errors)]))


def command_line(*added_words: str) -> str:
    """Return the current command line and ``added_words``, to be run again.

    Threads and options of the terminal are left out: they do not change the result. So is the
    address of a database: it may have a password, and the result may be sent to somebody.
    """
    words = iter(click.get_current_context().find_root().obj or ())
    kept_words = []
    for word in words:
        if word == _THREADS:
            next(words, None)
        elif word in GLOBAL_OPTIONS:
            continue
        elif not word.startswith(f"{_THREADS}="):
            kept_words.append(_DATABASE.sub("DATABASE", word))
    return shlex.join(["croupier", *kept_words, *added_words])


def call_again_with(word: str, meaning: str) -> None:
    context = click.get_current_context().find_root()
    context.obj = tuple(argument.replace(word, meaning) for argument in context.obj or ())


def print_json(data: object) -> None:
    echo_data(f"{json.dumps(data, indent=2, ensure_ascii=False)}\n")


def print_json_line(data: object) -> None:
    echo_data(f"{json.dumps(data, ensure_ascii=False, default=str)}\n")


def print_paragraph(out: Console, text: Text, indent: int, margin: int = 0) -> None:
    from rich.text import Text  # noqa: PLC0415  (text output only)

    for number, part in enumerate(text.wrap(out, max(out.width - indent - margin, _NARROWEST))):
        part.rstrip()
        _print_line(out, Text(" " * (indent + (margin if number else 0))).append_text(part))


def _print_line(out: Console, line: Text) -> None:
    if out.is_terminal:
        out.print(line)
    else:
        out.file.write(f"{line.plain}\n")


def print_text(text: str, *, indent: int = 0, style: str = "") -> None:
    from rich.text import Text  # noqa: PLC0415  (text output only)

    print_paragraph(console(), Text(visible(text), style=style), indent)


def blank() -> None:
    console().print()


def headline(text: str) -> None:
    from rich.text import Text  # noqa: PLC0415  (text output only)

    print_paragraph(console(), Text(visible(text), style="bold"), 0)


def plain_table(*columns: str) -> Table:
    from rich.table import Table  # noqa: PLC0415  (text output only)

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for number, column in enumerate(columns):
        # The first column names the row; do not break it.
        table.add_column(column, overflow="fold", no_wrap=number == 0)
    return table


_NUMBER: Final = re.compile(r"(\d+ for )?[+−-]?[^\d\s]{0,3}\d[\d,.]*%?|")
"""A cell of a column that is aligned at the right: a number, an amount, or ``4 for $100.00``."""


def print_table(table: Table) -> None:
    from rich.text import Text  # noqa: PLC0415  (text output only)

    out = console()
    if is_plain():
        out.file.writelines(f"{row}\n" for row in _rows_in_words(table))
        return
    for column in table.columns[1:]:
        if all(_NUMBER.fullmatch(str(cell)) for cell in column.cells):
            column.justify = "right"
    for line in out.render_lines(table, pad=False):
        row = Text.assemble(*((part.text, part.style or "") for part in line))
        row.rstrip()
        _print_line(out, row)


def _rows_in_words(table: Table) -> Iterator[str]:
    names = [" ".join(str(column.header).split()) for column in table.columns]
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        pairs = zip(names, (", ".join(str(cell).splitlines()) for cell in cells), strict=True)
        yield "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell.strip())


def option_group(
    *options: Callable[..., Any], kind: type[Any] | None = None
) -> Callable[[Function], Function]:
    """Options that are fields of ``kind`` are one argument of the command, ``asked``."""

    def decorate(function: Any) -> Any:
        function = function if kind is None else _collecting(kind, function)
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _collecting(kind: type[Any], function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def called(*args: Any, **options: Any) -> Any:
        fields = [field for field in kind.__struct_fields__ if field in options]
        options_object = kind(**{field: options.pop(field) for field in fields})
        return function(*args, asked=options_object, **options)

    return called


def usual_option(*names: str, **attributes: Any) -> Callable[[Function], Function]:
    return click.option(*names, show_default=True, **attributes)


def keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    context.meta[f"croupier.{parameter.name}"] = value


def kept(name: str) -> Any:
    return click.get_current_context().meta.get(f"croupier.{name}")


kept_option = partial(click.option, expose_value=False, callback=keep)


format_option = usual_option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Output format.",
)

COMPILED: Final = ("numba", "numpy", "llvmlite")
_MODULES: Final = {"kernels": COMPILED, "parquet": ("pyarrow",)}


@contextmanager
def requiring(work: str, extra: str) -> Iterator[None]:
    """Exit with status 2 if a module of an extra is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in _MODULES[extra]:
            raise
        fail(
            f"{work} requires {error.name}, which is in the extra croupier[{extra}]: pip install "
            f"'croupier[{extra}]'"
        )


@contextmanager
def needing(work: str, extra: str) -> Iterator[None]:
    """Exit with status 2 if any module is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        fail(f"{work} needs {error.name}: pip install 'croupier[{extra}]'")


Show = Callable[[float, float, str], None]
"""Updates a progress bar: what is completed, of how much, and a message."""


@contextmanager
def progress_bar() -> Iterator[Show]:
    err = error_console()
    if not err.is_terminal:
        yield lambda amount, total, description: None  # noqa: ARG005
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415  (slow to import, and nobody sees it elsewhere)

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("Preparing (the first run compiles)", total=None)

        def show(amount: float, total: float, description: str) -> None:
            bar.update(task, completed=amount, total=total, description=description)

        yield show


@contextmanager
def progress_of(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    with progress_bar() as display:
        yield lambda amount: display(amount, total, f"{amount:,} of {total:,} {unit}")
