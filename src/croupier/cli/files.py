"""Output options of the commands, and the files they must not overwrite."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from croupier.files.status import WRONG_USE
from croupier.files.write import WriteError, Writer, check_targets, form_of, write_file

FILES = ("html", "pdf", "xlsx")
"""The formats of a document that are written only to a file."""

FORMS = ("text", "json", "csv", *FILES)
"""The formats of every document."""

output_path = click.Path(path_type=Path)
"""The click type of an output file option."""

_REPORTS: Final = {".html", ".pdf", ".xlsx"}
"""Suffixes of files that only an extra can write."""

input_path = click.Path(path_type=Path)
"""The click type of an input file whose absence the command itself reports."""

out_option = click.option(
    "-o",
    "--out",
    type=output_path,
    metavar="FILE",
    help="Write to FILE; the suffix sets the format.",
)

paper_option = click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="Paper of a PDF.",
)

force_option = click.option("--force", is_flag=True, help="Replace existing files.")


def document_options(
    *forms: str,
    name: str = "output_format",
    takes_force: bool = False,
    to_file: Sequence[str] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--format``, ``-o``/``--out``, and ``--force`` to a command that prints a document.

    ``forms`` are its formats, the default first; ``name`` is the argument that receives the format.
    With ``takes_force`` the command receives ``--force`` too, for files of its own.
    With ``-o FILE`` the command prints into the file instead, in the format of the file's suffix.
    Formats in ``to_file`` are never printed: the command writes their bytes to ``stdout.buffer``.
    Nothing is written if the command ends with an error.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def printed(*args: Any, out: Path | None, **kwargs: Any) -> Any:
            force = kwargs["force"] if takes_force else kwargs.pop("force")
            if out is None:
                form_named(None, kwargs[name], forms, to_file)
                return function(*args, **kwargs)
            source = click.get_current_context().get_parameter_source(name)
            stated = None if source is ParameterSource.DEFAULT else kwargs[name]
            kwargs[name] = form_of(out, forms, stated)
            check_outputs(out, force=force)
            return _printed_to(out, lambda: function(*args, **kwargs), force=force)

        choice = click.option(
            "--format",
            name,
            type=click.Choice(forms),
            default=forms[0],
            show_default=True,
            help="Output format.",
        )
        return choice(out_option(force_option(printed)))

    return decorate


def _printed_to(out: Path, command: Callable[[], Any], *, force: bool) -> Any:
    """Run a command, and write what it prints to a file; return what it returns."""
    content = io.BytesIO()
    with (
        io.TextIOWrapper(content, "utf-8", newline="\n", write_through=True) as page,
        redirect_stdout(page),
    ):
        try:
            status = command()
        except SystemExit as end:
            if end.code != WRONG_USE:
                put_file(out, content.getvalue(), force=force)
            raise
        put_file(out, content.getvalue(), force=force)
    return status


def read_files() -> tuple[Path, ...]:
    """Return every input file that this command's options and arguments name."""
    context: click.Context | None = click.get_current_context()
    found: list[Path] = []
    while context is not None:
        for parameter in context.command.params:
            kind = parameter.type
            if kind is input_path or (isinstance(kind, click.Path) and kind.exists):
                found += _paths(context.params.get(str(parameter.name)))
        context = context.parent
    return tuple(found)


def _paths(value: Any) -> Iterator[Path]:
    if isinstance(value, Path):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _paths(one)


def check_outputs(*targets: Path | None, force: bool, reads: Iterable[Path] = ()) -> None:
    """Refuse, before any work is done, output files that cannot be written."""
    check_targets(
        (target for target in targets if target is not None),
        reads=(*read_files(), *reads),
        force=force,
    )
    for target in targets:
        if target is not None and target.suffix.lower() in _REPORTS:
            _check_extra(target)


def _check_extra(report: Path) -> None:
    """Refuse a report whose package is not installed."""
    from croupier.reports.figures import MissingExtraError, check_extra  # noqa: PLC0415  (imports rich)

    try:
        check_extra(report.suffix.removeprefix(".").lower())
    except MissingExtraError as error:
        raise WriteError(f"{report}: {error}") from error


def form_named(
    out: Path | None, stated: str | None, forms: Sequence[str], to_file: Sequence[str] = ()
) -> str:
    """Return the format of a report: from its file's suffix, as stated, or text.

    Formats in ``to_file`` are never printed; without a file they are refused.
    """
    if out is not None:
        return form_of(out, forms, stated)
    if stated in to_file:
        raise click.UsageError(f"a {stated} report must be written to a file: add --out FILE")
    return stated or "text"


def put_file(target: Path, content: bytes, *, force: bool) -> None:
    """Write one file atomically, never over an input of this command."""
    write_file(target, content, reads=read_files(), force=force)


def writer(*, force: bool, reads: Iterable[Path] = ()) -> Writer:
    """Return a writer for this command's files: it writes all or none."""
    return Writer(reads=(*read_files(), *reads), force=force)
