"""The transcript of ``croupier deal``: whole or in part, step by step or at once."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self, TypeAlias

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from croupier.acts import Command, Event, LayoutCleared, NoMoreBetsCalled, WagersPlaced
from croupier.cli.common.files import check_outputs, writer
from croupier.cli.common.output import console, fail
from croupier.cli.tables.transcript import print_lines
from croupier.law.model import Instrument
from croupier.records.narration import narrate
from croupier.rules import TableRules
from croupier.table.machine.core import Events
from croupier.table.machine.session import TableSession

Rounds: TypeAlias = range

_FILE_WIDTH: Final = 100
"""The width of a transcript in a file."""

_OPENING_AND_ONE: Final = range(2)
"""What is shown of a shoe whose transcript goes to a file: round 0 is the opening."""


class _RoundsType(click.ParamType[Rounds]):
    name = "rounds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Rounds:
        first, is_span, last = str(value).partition("-")
        numbers = [first, last] if is_span else [first, first]
        if not all(one.isascii() and one.isdigit() for one in numbers):
            self.fail(f"{value!r} is not a round: write A or A-B, such as 12-15", param, ctx)
        least, most = map(int, numbers)
        if not 1 <= least <= most:
            self.fail(f"{value!r}: the first round is 1, and the last comes after", param, ctx)
        return range(least, most + 1)


rounds_option = click.option(
    "--round", "rounds", metavar="A-B", type=_RoundsType(), help="Show only these rounds."
)

step_option = click.option(
    "--step",
    is_flag=True,
    help="Wait for a key after each step: r deals to the end of the round, q to the end.",
)

transcript_option = click.option(
    "--transcript",
    "transcript_path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the whole transcript to FILE, and show only the opening and one round.",
)


class DealShown:
    """Prints what happens at a table; wagers of one round are printed together.

    ``rounds`` are those shown, with 0 for the opening; ``key`` waits for a key and returns it.
    """

    def __init__(
        self,
        out: Console,
        rules: TableRules,
        *,
        cite: bool = False,
        rounds: Collection[int] | None = None,
        key: Callable[[], str] | None = None,
    ) -> None:
        self._out = out
        self._wagers = rules.wagers
        self._cite: Instrument | None = rules.law if cite else None
        self._rounds = rounds
        self._key = key
        self._waits_in: int | None = None
        self._round = 0
        self._waiting: list[Event] = []

    def __call__(self, command: Command, events: Events) -> None:
        """Print what a command brought about."""
        del command
        for event in events:
            if isinstance(event, WagersPlaced) and not self._wagering():
                self.flush()
            if isinstance(event, NoMoreBetsCalled):
                self._round = event.round
                self._head(f"Round {event.round}")
            self._waiting.append(event)
        over = any(isinstance(event, LayoutCleared) for event in events)
        if over or (self._key is not None and not self._wagering()):
            self.flush()
            self._wait(over=over)

    def _wagering(self) -> bool:
        return bool(self._waiting) and isinstance(self._waiting[-1], WagersPlaced)

    def _is_shown(self) -> bool:
        return self._rounds is None or self._round in self._rounds

    def _head(self, title: str) -> None:
        if self._is_shown():
            self._out.print()
            self._out.print(Text(title, style="bold underline"))

    def flush(self) -> None:
        """Print all that is waiting, if its round is shown."""
        if self._is_shown():
            print_lines(self._out, narrate(self._waiting, self._wagers), self._cite)
        self._waiting.clear()

    def _wait(self, *, over: bool) -> None:
        if self._key is None or not self._is_shown():
            return
        if self._waits_in == self._round and not over:
            return
        match self._key().lower():
            case "q":
                self._key = None
            case "r":
                # To the end of this round, or of the round that begins.
                self._waits_in = self._round + 1 if over else self._round
            case _:
                self._waits_in = None


def _pressed() -> str:
    return click.getchar()


def check_shown(
    rounds: Rounds | None, *, step: bool, transcript: Path | None, force: bool, hidden: bool
) -> None:
    """Refuse, before anything is dealt, what cannot be shown or written."""
    if hidden and (rounds, step, transcript) != (None, False, None):
        raise click.UsageError("--round, --step, and --transcript show rounds: remove --quiet")
    check_outputs(transcript, force=force)
    if step and not sys.stdin.isatty():
        fail("--step waits for a key: it needs a terminal")


@contextmanager
def shown(  # noqa: PLR0913  (the options of what is shown)
    rules: TableRules,
    introduce: Callable[[Console], None],
    *,
    cite: bool,
    rounds: Rounds | None,
    step: bool,
    transcript: Path | None,
    force: bool,
) -> Iterator[tuple[DealShown, ...]]:
    """Yield a listener that prints what happens: on the terminal, and into a file if any.

    The file is written when the context ends without an error.
    """
    some = _OPENING_AND_ONE if rounds is None and transcript is not None else rounds
    out = console()
    screen = DealShown(out, rules, cite=cite, rounds=some, key=_pressed if step else None)
    introduce(out)
    if transcript is None:
        yield (screen,)
        screen.flush()
        return
    with writer(force=force) as files:
        text = io.TextIOWrapper(files.open(transcript), encoding="utf-8")
        page = Console(file=text, width=_FILE_WIDTH, markup=False, emoji=False, highlight=False)
        whole = DealShown(page, rules, cite=cite)
        introduce(page)
        yield (screen, whole)
        screen.flush()
        whole.flush()
        text.flush()
        text.detach()


class DealProgress:
    """A bar of the dealt part of the shoes, on standard error."""

    def __init__(self, session: TableSession, shoes: int) -> None:
        self._session = session
        self._cards = session.rules.decks_per_shoe * 52
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"))
        err = Console(stderr=True)
        self._bar = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
        self._task = self._bar.add_task("Dealing", total=shoes, told="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._bar.stop()

    def __call__(self, command: Command, events: Events) -> None:
        """Move the bar at the end of each round."""
        del command
        if not any(isinstance(event, LayoutCleared) for event in events):
            return
        state = self._session.state
        dealt = max(state.shoe.number - 1, 0) + 1 - state.shoe.remaining / self._cards
        self._bar.update(self._task, completed=dealt, told=f"round {state.rounds}")
