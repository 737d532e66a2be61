"""Files named by options, and documents that commands print or write in a format."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from croupier.cli.common.output import kept, kept_option, option_group, usual_option
from croupier.cli.common.terminal import is_plain
from croupier.files.errors import FileError
from croupier.files.pipes import (
    MAX_PIPE_BYTES,
    STANDARD_INPUT,
    PipedFile,
    is_pipe,
    pipe_id,
    shown_name,
    spooled,
)
from croupier.files.streams import WRONG_USE, echo, echo_data, note
from croupier.files.write import WriteError, Writer, check_targets, form_of, write_file

if TYPE_CHECKING:
    from croupier.reports.tree import Tree

FILES = ("html", "pdf", "xlsx")
"""The formats of a document that are written only to a file."""

FORMS = ("text", "json", "csv", *FILES)

output_path = click.Path(path_type=Path)


MAX_PIPED_TEXT: Final = 16 << 20
"""The most that is read from a pipe for a file other than a record; readers have lower limits."""

_REPORTS: Final = {".html", ".pdf", ".xlsx"}
"""Suffixes of files that only an extra can write."""


def keep_private() -> None:
    """Let this user alone read the files that the command makes, from their first byte on."""
    click.get_current_context().call_on_close(partial(os.umask, os.umask(0o077)))


class InputFile(click.Path):
    """The click type of an input file: ``-`` is standard input.

    A pipe is copied, at most ``limit`` bytes, so that the command may open it repeatedly. With
    ``is_live`` the command reads ``-`` itself.
    """

    def __init__(
        self, *, exists: bool = True, limit: int = MAX_PIPED_TEXT, is_live: bool = False
    ) -> None:
        super().__init__(exists=exists, dir_okay=not exists, allow_dash=True, path_type=Path)
        self._most = limit
        self._live = is_live

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        if os.fspath(value).startswith(("postgresql:", "postgres:")):
            # The address may have a password.
            advice = "copy the database into a file first: croupier store backup"
            self.fail(f"this command reads files, not a database: {advice}", param, ctx)
        path = super().convert(value, param, ctx)
        if ctx is None or ctx.resilient_parsing or isinstance(path, PipedFile):
            return path
        name = os.fspath(value)
        if name != STANDARD_INPUT and not is_pipe(name):
            return path
        names_by_pipe: dict[object, str] = ctx.meta.setdefault("croupier.pipes", {})
        if (pipe := pipe_id(name)) in names_by_pipe:
            source = "standard input" if name == STANDARD_INPUT else name
            first_text = "" if names_by_pipe[pipe] == name else f" ({names_by_pipe[pipe]})"
            self.fail(f"{source} is given twice{first_text}, but can be read only once", param, ctx)
        names_by_pipe[pipe] = name
        if self._live and name == STANDARD_INPUT:
            return path
        try:
            return ctx.with_resource(spooled(name, self._most))
        except FileError as error:
            self.fail(str(error), param, ctx)


input_file = InputFile()
"""The click type of a file that is read as a whole, within ``MAX_PIPED_TEXT`` bytes."""

input_path = InputFile(exists=False)
"""The click type of an input file whose absence the command itself reports."""

record_file = InputFile(limit=MAX_PIPE_BYTES)
"""The click type of a table log or of external rounds, which may be large."""

out_option = click.option(
    "-o",
    "--out",
    type=output_path,
    metavar="FILE",
    help="Write to FILE; the suffix sets the format.",
)

paper_option = kept_option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="Paper of a PDF, a workbook, or a printed page.",
)
force_option = click.option("--force", is_flag=True, help="Replace existing files.")
out_options = option_group(out_option, force_option)
report_options = option_group(paper_option, out_options)


def document_options(
    *forms: str, name: str = "output_format", extra: Sequence[str] = (), takes_force: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--format``, ``--paper``, ``-o``/``--out``, and ``--force`` to a printing command.

    Its formats are ``forms``, the default first, or all of ``FORMS`` and ``extra``; ``name`` is the
    argument for the format. The command writes the bytes of ``FILES`` to ``stdout.buffer``. Nothing
    is written if it ends with an error.
    """
    choices = forms or (*FORMS, *extra)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def printed(*args: Any, out: Path | None, **kwargs: Any) -> Any:
            force = kwargs["force"] if takes_force else kwargs.pop("force")
            if out is None:
                form_named(None, kwargs[name])
                return function(*args, **kwargs)
            source = click.get_current_context().get_parameter_source(name)
            stated_form = None if source is ParameterSource.DEFAULT else kwargs[name]
            kwargs[name] = form_of(out, choices, stated_form)
            check_outputs(out, force=force)
            return _printed_to(out, lambda: function(*args, **kwargs), force=force)

        choice = usual_option(
            "--format", name, type=click.Choice(choices), default=choices[0], help="Output format."
        )
        files = out_option(force_option(printed))
        return choice(paper_option(files) if "pdf" in choices else files)

    return decorate


def _printed_to(path: Path, command: Callable[[], Any], *, force: bool) -> Any:
    content = io.BytesIO()
    with (
        io.TextIOWrapper(content, "utf-8", newline="\n", write_through=True) as page,
        redirect_stdout(page),
    ):
        try:
            status = command()
        except SystemExit as end:
            if end.code != WRONG_USE:
                put_file(path, content.getvalue(), force=force)
            raise
        put_file(path, content.getvalue(), force=force)
    return status


def file_word(path: Path, *, folder: bool = True) -> str:
    if isinstance(path, PipedFile) and path.is_standard_input:
        return STANDARD_INPUT
    return str(path) if folder else shown_name(path)


def read_files() -> tuple[Path, ...]:
    context: click.Context | None = click.get_current_context()
    paths: list[Path] = []
    while context is not None:
        for parameter in context.command.params:
            kind = parameter.type
            if isinstance(kind, InputFile) or (isinstance(kind, click.Path) and kind.exists):
                paths += _paths(context.params.get(str(parameter.name)))
        context = context.parent
    return tuple(paths)


def _paths(value: Any) -> Iterator[Path]:
    if isinstance(value, Path):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _paths(item)


def check_outputs(*targets: Path | None, force: bool, reads: Iterable[Path] = ()) -> None:
    check_targets(
        (target for target in targets if target is not None),
        reads=(*read_files(), *reads),
        force=force,
    )
    for target in targets:
        if target is not None and target.suffix.lower() in _REPORTS:
            _check_extra(target)


def _check_extra(report: Path) -> None:
    from croupier.reports.figures import MissingExtraError, check_extra  # noqa: PLC0415  (imports rich)

    try:
        check_extra(report.suffix.removeprefix(".").lower())
    except MissingExtraError as error:
        raise WriteError(f"{report}: {error}") from error


def form_named(path: Path | None, chosen: str | None, forms: Sequence[str] = FORMS) -> str:
    if path is not None:
        return form_of(path, forms, chosen)
    if chosen in FILES:
        raise click.UsageError(f"a report as {chosen} must be written to a file: add --out FILE")
    return chosen or "text"


def check_report(report: Path, *, force: bool) -> None:
    form_of(report, FORMS)
    check_outputs(report, force=force)


def put_file(target: Path, content: bytes, *, force: bool) -> None:
    """Write one file atomically, never over an input; report it."""
    created_folder = missing_folder(target)
    write_file(target, content, reads=read_files(), force=force)
    suffix = "" if created_folder is None else f"; created the folder {created_folder}"
    note(f"{target}: written{suffix}")


def give_text(text: str, path: Path | None, *, force: bool) -> None:
    if path is None:
        echo(text.removesuffix("\n"))
    else:
        put_file(path, text.encode(), force=force)


def missing_folder(target: Path) -> Path | None:
    return next((path for path in reversed(target.absolute().parents) if not path.exists()), None)


def writer(*, force: bool, reads: Iterable[Path] = ()) -> Writer:
    return Writer(reads=(*read_files(), *reads), force=force)


_PIPED_WIDTH: Final = 80

Made = Callable[[Mapping[str, Any]], "Tree"]


def give(
    data: Mapping[str, Any],
    tree: Made,
    form: str | None,
    path: Path | None = None,
    *,
    force: bool = False,
) -> None:
    """Print a document, or write it, in a format or that of the suffix; JSON needs no ``tree``."""
    if form is None:
        form = "text" if path is None else form_of(path, FORMS)
    if path is None and form == "text":
        print_tree(tree(data))
        return
    if form == "json":
        content = f"{json.dumps(data, indent=2, ensure_ascii=False)}\n".encode()
    else:
        from croupier.reports.formats import written  # noqa: PLC0415  (as asked)

        content = written(tree(data), form, kept("paper") or "a4")
    if path is not None:
        put_file(path, content, force=force)
    elif form in {"json", "csv"}:
        echo_data(content.decode())
    else:
        sys.stdout.buffer.write(content)


def print_tree(tree: Tree) -> None:
    import shutil  # noqa: PLC0415  (text output only)

    from croupier.reports.formats.text import text  # noqa: PLC0415

    is_terminal = sys.stdout.isatty()
    columns = os.environ.get("COLUMNS", "")
    given_width = int(columns) if columns.isdecimal() else 0
    size = shutil.get_terminal_size().columns if is_terminal else _PIPED_WIDTH
    width, is_unlimited = given_width or size, not (is_terminal or given_width)
    styled = is_terminal and not is_plain() and "NO_COLOR" not in os.environ
    sys.stdout.write(text(tree, width, styled=styled, plain=is_plain(), free=is_unlimited))
