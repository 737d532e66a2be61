"""``croupier simulate``: rounds from seeded shoes, compared with the exact odds."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct, field
from msgspec.structs import replace

from croupier.cli.common.arguments import MOST_ROUNDS, whole_number
from croupier.cli.common.files import document_options, file_word, give
from croupier.cli.common.output import (
    COMPILED,
    Show,
    fail,
    fail_with,
    progress_bar,
    reported,
    usual_option,
)
from croupier.cli.common.terminal import laws_asked
from croupier.cli.submission.rules import (
    TableAsked,
    other_shoe,
    own_offers,
    own_option,
    playable,
    rules_of,
    rules_options,
)
from croupier.files.streams import DONE, note, of_signal, say, signals_noted
from croupier.law.elect import SubmissionError
from croupier.law.usage import counted
from croupier.odds.shoe import ShoeComposition
from croupier.reports.simulation import simulation_tree
from croupier.rules import CustomWagerError, TableRules, table_rules
from croupier.rules.documents import MOST_SEED

if TYPE_CHECKING:  # Imports numba, which is an extra, or takes long.
    from croupier.simulation.engines import Blocks
    from croupier.simulation.plan import Engine, TallyResult
    from croupier.simulation.simulate import Simulation

Value = TypeVar("Value")


class _RunAsked(Struct):
    rounds: str
    seed: str
    threads: str | None
    engine: str | None
    cluster: str | None
    cards_behind: int | None
    wagers: tuple[str, ...]
    untils: tuple[str, ...]
    errors: list[str] = field(default_factory=list)

    def numbers(self) -> tuple[int, int, int]:
        """Return the rounds, the seed, and the threads."""
        return (
            self.whole("--rounds", self.rounds, 1, MOST_ROUNDS),
            self.whole("--seed", self.seed, 0, MOST_SEED),
            os.cpu_count() or 1
            if self.threads is None
            else self.whole("--threads", self.threads, 1, 256),
        )

    def whole(self, option: str, text: str, minimum: int, maximum: int) -> int:
        numbers = self.each((text,), lambda item: whole_number(option, item, minimum, maximum))
        return numbers[0] if numbers else minimum

    def each(self, values: tuple[Any, ...], reader: Callable[[Any], Value]) -> list[Value]:
        results = []
        for value in values:
            try:
                results.append(reader(value))
            except ValueError as error:
                self.errors += str(error).splitlines()
        return results


@click.command()
@rules_options
@own_option
@usual_option("--rounds", default="1e6", help="Number of rounds (or shoes) to play, such as 1e9.")
@usual_option("--seed", default="1", help="Seed of the shuffles: 0 to 2^64-1.")
@click.option(
    "--engine", metavar="NAME", help="Dealing engine: lanes or scalar (default: the fastest)."
)
@click.option(
    "--cards-behind",
    type=int,
    help="Cards behind the cutting card (cut card); sets penetration (default: the minimum).",
)
@click.option("--wager", "wagers", multiple=True, metavar="ID", help="Only this wager; repeatable.")
@click.option(
    "--until",
    "untils",
    multiple=True,
    metavar="TEXT",
    help='Stop at a precision, such as "tie edge +-0.001" (half of the 99% interval); repeatable.',
)
@click.option("--threads", metavar="N", help="Number of threads (default: all cores).")
@click.option("--cluster", metavar="ADDRESS", help="Play on a cluster: local or tcp://HOST:PORT.")
@document_options(name="form")
def simulate(*, asked: TableAsked, own: tuple[Path, ...], form: str, **options: Any) -> None:
    """Simulate rounds from seeded shoes (Monte Carlo) and compare every wager with its exact odds.

    The seed and the engine determine the result on any machine. The elapsed time is printed on
    standard error. Exit status: 2 for a table or option that cannot be simulated. Ctrl-C or SIGTERM
    finishes the current blocks and reports the rounds played, with status 130 or 143; a second
    signal ends the program immediately.
    """
    run = _RunAsked(**options)
    numbers = run.numbers()
    try:
        with reported():
            rules = _rules(asked)
            shoe = None if asked.shoe_text is None else asked.shoe(rules)
    except SystemExit:
        # The table's errors were reported; report the other errors too.
        for detail in run.errors:
            say(detail)
        raise
    offers, errors = own_offers(own, rules)
    run.errors += errors
    try:
        rules = rules.with_offers(*offers)
    except CustomWagerError as error:
        run.errors += error.errors
    _refuse_without_kernels()
    simulation, status = _simulated(run, rules, shoe, numbers)
    from croupier.simulation.report import report  # noqa: PLC0415  (it imports numba, an extra)

    table = _words(
        laws=laws_asked(),
        submission=asked.submission,
        # The day, and not `latest`: the same again is to be of the same law.
        law=None if asked.law_id is None else rules.law.key,
        decks=asked.decks,
        shoe=asked.shoe_text,
        own=own,
    )
    data = report(
        simulation, wagers=run.wagers, reproduce=shlex.join(table + _played_words(run, simulation))
    )
    give(data, simulation_tree, form)
    sys.exit(status)


def _rules(options: TableAsked) -> TableRules:
    if options.submission is None or options.law_id is not None:
        # A shoe that is given comes with the decks that the rules elect.
        return replace(options, shoe_text=None).rules()
    rules = rules_of(options.submission)
    if rules.applies("streak.offered"):
        fail(
            f"{options.submission}: streak and bonus wagers depend on rounds of blackjack and are "
            "not simulated here: use `croupier blackjack --simulate`"
        )
    playable(rules, options.submission)
    if options.decks is None:
        return rules
    elections = {**rules.submission.elections, "decks": options.decks}
    try:
        return table_rules(replace(rules.submission, elections=elections))
    except SubmissionError as error:
        heading = f"--decks {options.decks} is refused"
        fail_with(heading, [*error.errors, *other_shoe(options.decks)])


def _refuse_without_kernels() -> None:
    # They are imported when they are needed: a few rounds take less time than importing numba does.
    if missing_package := next((name for name in COMPILED if find_spec(name) is None), None):
        fail(
            f"simulating requires {missing_package}, which comes with the extra croupier[kernels]: "
            "pip install 'croupier[kernels]'"
        )


def _simulated(
    run: _RunAsked, rules: TableRules, shoe: ShoeComposition | None, numbers: tuple[int, int, int]
) -> tuple[Simulation, int]:
    from croupier.simulation import simulate as simulation  # noqa: PLC0415  (an extra)
    from croupier.simulation.bets import names_of  # noqa: PLC0415
    from croupier.simulation.engines import DEFAULT, ENGINES, default_of, engine_of  # noqa: PLC0415
    from croupier.simulation.plan import plan_of  # noqa: PLC0415

    rounds, seed, threads = numbers
    names = names_of(rules)
    if absent := [wager for wager in run.wagers if wager not in names]:
        run.errors.append(f"--wager {', '.join(absent)}: this table offers {', '.join(names)}")
    untils = run.each(run.untils, lambda text: simulation.parse_until(text, names))
    plans = run.each(
        (shoe,), lambda cards: plan_of(rules, shoe=cards, cards_behind=run.cards_behind)
    )
    engine = DEFAULT if run.engine is None else run.engine
    if engine not in ENGINES:
        run.errors.append(f"--engine {engine}: write one of {', '.join(ENGINES)}")
    crews = run.each((threads,), lambda number: _crew(run, number))
    if run.errors:
        fail("\n".join(run.errors))
    tally_engine = engine_of(plans[0], seed, run.engine or default_of(plans[0]))
    place = f"on {counted(threads, 'thread')}"
    place = place if run.cluster is None else f"on the cluster {run.cluster}"
    with signals_noted() as interrupted, _bar(place) as clock:
        result = simulation.simulate(
            rules,
            plans[0],
            tally_engine,
            clock.started(crews[0]),
            seed=seed,
            rounds=rounds,
            untils=untils,
            progress=clock.progress,
            enough=lambda: bool(interrupted),
        )
    is_interrupted = result.ended is simulation.Ended.INTERRUPTED
    return result, of_signal(interrupted[0]) if is_interrupted else DONE


def _crew(run: _RunAsked, threads: int) -> Blocks:
    if run.cluster is None:
        from croupier.simulation.engines import on_threads  # noqa: PLC0415  (an extra)

        return on_threads(threads)
    from croupier.simulation.cluster import on_cluster  # noqa: PLC0415  (another extra)

    return on_cluster(run.cluster, None if run.threads is None else threads)


class _Clock:
    def __init__(self, display: Show) -> None:
        self._show = display
        self._begun = time.monotonic()
        self.rounds = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    def started(self, crew: Blocks) -> Blocks:
        def blocks(engine: Engine) -> Generator[TallyResult]:
            self._begun = time.monotonic()
            return crew(engine)

        return blocks

    def progress(self, rounds: int, total: int) -> None:
        self.rounds = rounds
        self._show(rounds, total, f"{rounds:,} of {total:,} rounds, {self.rate} per second")

    @property
    def rate(self) -> str:
        a_second = self.rounds / max(self.seconds, 1e-9)
        return f"{a_second / 1e6:,.1f} million" if a_second >= 1e6 else f"{a_second:,.0f}"


@contextmanager
def _bar(place: str) -> Iterator[_Clock]:
    with progress_bar() as display:
        clock = _Clock(display)
        yield clock
    rounds = counted(clock.rounds, "round")
    note(f"{rounds} in {clock.seconds:.2f} s {place}: {clock.rate} per second")


def _words(**options: Any) -> list[str]:
    words = ["croupier", "simulate"]
    for name, value in options.items():
        for item in value if isinstance(value, tuple) else (value,):
            word = file_word(item) if isinstance(item, Path) else str(item)
            words += [] if item is None else [f"--{name}", word]
    return words


def _played_words(run: _RunAsked, result: Simulation) -> list[str]:
    is_complete = result.ended.value != "interrupted"
    words = ["--rounds", str(result.asked if is_complete else result.played.rounds)]
    words += ["--seed", str(result.seed), "--engine", result.engine]
    words += [] if run.cards_behind is None else ["--cards-behind", str(run.cards_behind)]
    for option, values in (("--wager", run.wagers), ("--until", run.untils)):
        for value in values:
            words += [option, value]
    return words
