"""Progress bars on standard error, for commands that play many rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from croupier.cli.output import error_console

__all__ = ["PREPARING", "progress_bar", "progress_of"]

PREPARING: Final = "Preparing (the first run compiles)"


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a progress bar on standard error while it lasts, if that is a terminal."""
    err = error_console()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield bar


@contextmanager
def progress_of(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Show how many of a total of units are done, such as "3 of 10 shoes"."""
    with progress_bar() as bar:
        task = bar.add_task(PREPARING, total=total)

        def progress(done: int) -> None:
            bar.update(task, completed=done, description=f"{done:,} of {total:,} {unit}")

        yield progress
