"""Progress bars on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from croupier.cli.common.output import error_console

Show = Callable[[float, float, str], None]
"""Updates a progress bar: what is completed, of how much, and a message."""


@contextmanager
def progress_bar() -> Iterator[Show]:
    """Show a progress bar on standard error if it is a terminal."""
    err = error_console()
    if not err.is_terminal:
        yield lambda done, total, description: None  # noqa: ARG005
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415  (slow to import, and nobody sees it elsewhere)

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("Preparing (the first run compiles)", total=None)

        def show(done: float, total: float, description: str) -> None:
            bar.update(task, completed=done, total=total, description=description)

        yield show


@contextmanager
def progress_of(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Show a count of completed units, such as "3 of 10 shoes"."""
    with progress_bar() as show:
        yield lambda done: show(done, total, f"{done:,} of {total:,} {unit}")
