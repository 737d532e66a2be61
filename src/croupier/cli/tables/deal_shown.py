"""What ``croupier deal`` shows: its transcript, or on a terminal one screen after another."""

from __future__ import annotations

import io
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final, TypeAlias

import click
from msgspec import Struct
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from croupier.acts import (
    AwardPaid,
    Command,
    Event,
    LayoutCleared,
    LosingWagersCollected,
    NoMoreBetsCalled,
    ResultAnnounced,
    RoundVoided,
    VigorishCollected,
    WagerPaid,
    WagersPlaced,
)
from croupier.acts.command import EVENT_TERMS
from croupier.acts.roles import Role
from croupier.cli.common.files import check_outputs, writer
from croupier.cli.common.output import console, fail, option_group, plain_table, print_table
from croupier.cli.common.terminal import is_plain
from croupier.cli.records.table_log import LogDoor
from croupier.cli.tables.sitting.lines import (
    due_lines,
    hands,
    heading,
    road_lines,
    road_words,
    seats,
    wrapped,
)
from croupier.cli.tables.sitting.sitting import TerminalSitting
from croupier.cli.tables.transcript import print_lines, print_texts
from croupier.files.streams import is_typed
from croupier.law.model import Instrument
from croupier.law.usage import money
from croupier.records.narration import NarrationLine, narrate
from croupier.records.view.documents import ResultSeen
from croupier.records.view.projection import results_after, roads_shown
from croupier.rules import TableRules
from croupier.table.machine.core import Events
from croupier.table.machine.session import TableSession

Rounds: TypeAlias = range

_FILE_WIDTH: Final = 100

_PAUSE: Final = 1.0
_CALLED: Final = 50
"""Columns of what was called in a round: its roads have the others."""

_OPENING_AND_ONE: Final = range(2)
"""What is shown of a shoe whose transcript goes to a file: round 0 is the opening."""


def _rounds(value: str) -> Rounds:
    first_round, is_span, last_round = value.partition("-")
    numbers = [first_round, last_round] if is_span else [first_round, first_round]
    if not all(number.isascii() and number.isdigit() for number in numbers):
        raise click.BadParameter(f"{value!r} is not a round: write A or A-B, such as 12-15")
    minimum, maximum = map(int, numbers)
    if not 1 <= minimum <= maximum:
        raise click.BadParameter(f"{value!r}: the first round is 1, and the last comes after")
    return range(minimum, maximum + 1)


class ShownAsked(Struct):
    cite: bool
    rounds: Rounds | None
    step: bool
    fast: bool
    transcript: Path | None
    force: bool

    def check(self, *, is_hidden: bool) -> None:
        if is_hidden and (self.rounds, self.step, self.transcript) != (None, False, None):
            raise click.UsageError("--round, --step, and --transcript show rounds: remove --quiet")
        check_outputs(self.transcript, force=self.force)
        if self.step and not is_typed():
            fail("--step waits for a key: it needs a terminal")


shown_options = option_group(
    click.option("--round", "rounds", metavar="A-B", type=_rounds, help="Show only these rounds."),
    click.option(
        "--step",
        is_flag=True,
        help="Wait for a key after each step: r deals to the end of the round, q to the end.",
    ),
    click.option(
        "--fast", is_flag=True, help="On a terminal, print the transcript, not one screen a second."
    ),
    click.option(
        "--transcript",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write the whole transcript to FILE; in a pipe, show only the opening and one round.",
    ),
    kind=ShownAsked,
)


class DealShown:
    """Prints what happens at a table; wagers of one round are printed together.

    ``rounds`` are those shown, with 0 for the opening; ``key`` waits for a key and returns it. With
    ``live_sitting`` a screen is drawn at each key, or else one a second when a round is decided,
    with what was called and ruled.
    """

    def __init__(  # noqa: PLR0913  (the options of what is shown)
        self,
        out: Console,
        rules: TableRules,
        *,
        cite: bool = False,
        rounds: Collection[int] | None = None,
        key: Callable[[], str] | None = None,
        live_sitting: TerminalSitting | None = None,
    ) -> None:
        self._live = live_sitting
        self._out = out
        self._wagers = rules.wagers
        self._cite: Instrument | None = rules.law if cite else None
        self._rounds = rounds
        self._key = key
        self._waits_in: int | None = None
        self._round = 0
        self._waiting: list[Event] = []

    def __call__(self, command: Command, events: Events) -> None:
        del command
        for event in events:
            if isinstance(event, WagersPlaced) and not self._wagering():
                self.flush()
            if isinstance(event, NoMoreBetsCalled):
                self._round = event.round
                if self._live is None and self._is_shown():
                    self._out.print()
                    self._title()
            self._waiting.append(event)
        is_over = any(isinstance(event, LayoutCleared) for event in events)
        is_decided = any(isinstance(event, ResultAnnounced | RoundVoided) for event in events)
        if is_over or is_decided or (self._is_stepped() and not self._wagering()):
            self.flush(is_decided=is_decided)
            self._wait(is_over=is_over)

    def _wagering(self) -> bool:
        return bool(self._waiting) and isinstance(self._waiting[-1], WagersPlaced)

    def _is_shown(self) -> bool:
        return self._rounds is None or self._round in self._rounds

    def _is_stepped(self) -> bool:
        return self._key is not None and (self._live is None or self._waits_in != self._round)

    def _title(self) -> None:
        self._out.print(Text(f"Round {self._round}", style="bold underline"))

    def flush(self, *, is_decided: bool = False) -> None:
        if self._waiting and self._is_shown():
            events = self._waiting
            if self._live is not None and self._round and not self._is_stepped():
                events = [event for event in events if _is_called(event)]
            lines = narrate(events, self._wagers)
            if self._live is not None and (is_decided or self._is_stepped()):
                self._draw(self._live, lines)
            else:
                print_lines(self._out, lines, self._cite)
        self._waiting.clear()

    def _draw(self, sitting: TerminalSitting, lines: Iterable[NarrationLine]) -> None:
        if self._key is None:
            time.sleep(_PAUSE)
        out = self._out
        lines = (next(group) for _, group in groupby(lines, attrgetter("text", "details")))
        sitting.refresh()
        round_grid = self._round_shown(sitting, tuple(lines))
        with out.capture() as head_capture:
            if self._round:
                self._title()
            print_texts(out, wrapped(heading(sitting), out.width), "bold")
            out.print(round_grid)
        rows = head_capture.get().splitlines(keepends=True)
        due_texts = due_lines(sitting)
        for is_brief in (False, True):
            with out.capture() as rest_capture:
                for seat in seats(sitting.view, sitting.screen, is_brief=is_brief):
                    print_texts(out, wrapped(seat, out.width))
                print_texts(out, due_texts[:1], "bold", margin=4)
                print_texts(out, due_texts[1:], "green", margin=4)
            found = [*rows, *rest_capture.get().splitlines(keepends=True)]
            if len(found) < out.height:
                break
        out.clear()
        # More rows than the terminal has would push the hands off its top.
        out.file.writelines(found if len(found) < out.height else [*found[: out.height - 2], "…\n"])

    def _round_shown(self, sitting: TerminalSitting, lines: Iterable[NarrationLine]) -> Grid:
        # A copy: a console whose width was set follows its terminal no longer.
        out, full_width = copy(self._out), self._out.width
        out.width = min(_CALLED, full_width * 3 // 5)
        with out.capture() as call_capture:
            print_lines(out, lines, self._cite)
            print_texts(
                out, (part for one in hands(sitting.screen) for part in wrapped(one, out.width))
            )
        rest_width = full_width - out.width
        names = ("big_road", "bead_plate") if rest_width >= _CALLED else ("big_road",)
        grid, columns = Grid.grid(padding=(0, 2, 0, 0)), rest_width // len(names) - 2
        roads = ("\n".join(road_lines(sitting.view.roads, columns, (name,))) for name in names)
        grid.add_row(Text.from_ansi(call_capture.get().rstrip()), *map(_marked, roads))
        return grid

    def _wait(self, *, is_over: bool) -> None:
        if self._key is None or not self._is_shown():
            return
        if self._waits_in == self._round and not is_over:
            return
        match self._key().lower():
            case "q":
                self._key = self._live = None
            case "r":
                # To the end of this round, or of the round that begins.
                self._waits_in = self._round + 1 if is_over else self._round
            case _:
                self._waits_in = None


def _is_called(event: Event) -> bool:
    # A screen has the cards in the hands and the amounts in their order, but not what was called.
    if (terms := EVENT_TERMS.get(type(event))) is None:
        return False
    return terms.kind in {"spoken", "ruling"} or terms.irregular is not None


def live_table(session: TableSession, results: Sequence[ResultSeen] = ()) -> TerminalSitting:
    return TerminalSitting(LogDoor(session, {Role.DEALER: ""}, results))


@contextmanager
def shown(
    session: TableSession,
    results: Sequence[ResultSeen],
    introduce: Callable[[Console], None],
    options: ShownAsked,
) -> Iterator[tuple[DealShown, ...]]:
    """Yield a listener that prints; a file is written if the context ends without an error."""
    out, rules, cite, rounds = console(), session.rules, options.cite, options.rounds
    on_terminal = out.is_terminal and not is_plain()
    sitting = live_table(session, results) if on_terminal and not options.fast else None
    if options.transcript is not None and not (rounds or on_terminal):
        rounds = _OPENING_AND_ONE
    key = click.getchar if options.step else None
    screen = DealShown(out, rules, cite=cite, rounds=rounds, key=key, live_sitting=sitting)
    introduce(out)
    if options.transcript is None:
        yield (screen,)
        screen.flush()
        return
    with writer(force=options.force) as files:
        text = io.TextIOWrapper(files.open(options.transcript), encoding="utf-8")
        page = Console(file=text, width=_FILE_WIDTH, markup=False, emoji=False, highlight=False)
        transcript = DealShown(page, rules, cite=cite)
        introduce(page)
        yield (screen, transcript)
        screen.flush()
        transcript.flush()
        text.flush()
        text.detach()


class DealTally:
    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._titles = {name: wager.title for name, wager in session.rules.wagers.items()}
        self.results: list[ResultSeen] = []
        self.win_cents: Counter[str] = Counter()

    def __call__(self, command: Command, events: Events) -> None:
        del command
        if self._session.announced is not None:
            self.results[:] = results_after(self.results, self._session.announced)
        for event in events:
            match event:
                case LosingWagersCollected(stakes=stakes):
                    for stake in stakes:
                        self.win_cents[self._titles[stake.wager]] += stake.cents
                case WagerPaid() | AwardPaid():
                    self.win_cents[self._titles[event.wager]] -= event.cents
                case VigorishCollected(cents=cents):
                    self.win_cents["Vigorish"] += cents

    def show(self, out: Console) -> None:
        if self.results:
            out.print()
            out.print(Text("Roads of the last shoe", style="bold underline"))
            roads = roads_shown(self.results)
            drawn_lines = road_lines(roads, out.width, ("bead_plate", "big_road"))
            for line in road_words(roads) if is_plain() else drawn_lines:
                out.print(_marked(line))
        table = plain_table("Wager", "House win")
        for title, cents in self.win_cents.most_common():
            table.add_row(title, Text(money(cents), style="red" if cents < 0 else ""))
        out.print()
        print_table(table)


def _marked(line: str) -> Text:
    road = Text(line)
    for mark, style in _MARKS.items():
        road.highlight_regex(mark, style)
    return road


_MARKS: Final = {r"\bB\d*\b": "red", r"\bP\d*\b": "blue", r"\bT\b": "green"}
