"""The simulation and output of ``croupier blackjack --simulate``."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import closing
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from croupier.blackjack.pilot import DECKS
from croupier.cli.common.output import (
    blank,
    command_line,
    fail,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
)
from croupier.cli.common.progress import progress_of
from croupier.cli.submission.rules import print_warnings
from croupier.files.status import DONE, StoppedError, of_signal
from croupier.files.streams import note, say
from croupier.odds.sheet import fraction
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.simulation.plan import SimulationError
from croupier.simulation.runner import exactly, in_order
from croupier.simulation.streaks import (
    LEAST_ROUNDS,
    Run,
    StreakEstimate,
    StreakWager,
    Sums,
    engine_for,
    naturals_of,
    runs_of,
    share_won,
    wagers_of,
)

if TYPE_CHECKING:
    from croupier.cli.common.documents import (
        BlackjackEstimate,
        BlackjackSimulation,
        RunOfWins,
        SimulatedBlackjackWager,
    )


def simulate(
    rules: TableRules, rounds: int, seed: int, threads: int | None, output_format: str
) -> None:
    """Print the totals of simulated rounds."""
    if rounds < LEAST_ROUNDS:
        fail(
            f"--rounds {rounds}: the minimum is {LEAST_ROUNDS:,}, so that a standard error can "
            "be estimated"
        )
    try:
        engine = engine_for(rules, seed)
    except SimulationError as error:
        fail("\n".join(error.errors))
    sums = Sums(engine)
    ended, status = "rounds", DONE
    begun = time.monotonic()
    stream = exactly(in_order(engine.play, threads), engine.play, rounds)
    with progress_of(rounds, "rounds") as progress, closing(stream):
        try:
            for dealt in stream:
                sums.add(dealt)
                progress(sums.rounds)
        except KeyboardInterrupt as stop:
            ended = "interrupted"
            status = of_signal(stop.number if isinstance(stop, StoppedError) else signal.SIGINT)
    seconds = time.monotonic() - begun
    if sums.rounds < LEAST_ROUNDS:
        say(f"interrupted after {sums.rounds:,} rounds: too few to report")
        sys.exit(status)
    if output_format == "json":
        print_json(_as_json(rules, sums, seed, ended))
    else:
        _print(rules, sums, seed, ended)
        # A seed does not determine the elapsed time.
        note(f"{sums.rounds / seconds / 1e6:.1f} million rounds per second")
    sys.exit(status)


# --- text output ---------------------------------------------------------------------------------


def _print(rules: TableRules, sums: Sums, seed: int, ended: str) -> None:
    headline(str(rules))
    print_text(f"{rules.law.authority}. Rules {rules.sha256[:16]}.")
    print_warnings(rules)
    short = "; interrupted" if ended == "interrupted" else ""
    print_text(
        f"Reference game of {DECKS} decks, one patron: {sums.rounds:,} rounds in {sums.shoes:,}"
        f" shoes, seed {seed}{short}."
    )
    streaks = rules.elected("streak.offered", choice=True)
    counts = sums.counts
    if streaks:
        told = (f"{name} {counts[key]:,}" for name, key in _RESULTS)
        print_text(f"Effect on a streak: {', '.join(told)}.")
        print_text("The sheet uses the same wins and losses, as if rounds were independent.")
    else:
        share, excess = naturals_of(sums)
        print_text(
            f"A natural wins the bonus here: {_percent(share.value)} percent of rounds, standard "
            f"error {_percent(share.error)}. The first round of a shoe has one in "
            f"{_percent(share.value - excess.value)} percent of cases: z {_z(excess)}."
        )
        print_text("The sheet uses the payout schedule.")
    blank()
    headline("House edge, in percent")
    _print_wagers(wagers_of(rules, sums))
    if streaks:
        blank()
        headline("Share of resolved rounds that are won, in percent")
        _print_runs(runs_of(sums), sums)


_RESULTS = (("advance", "win"), ("hold", "push"), ("lose", "lose"))


def _print_wagers(wagers: list[StreakWager]) -> None:
    table = plain_table("Wager", "Edge", "Error", "99% interval", "Sheet", "Excess", "z")
    for one in wagers:
        table.add_row(
            one.title.removeprefix("Blackjack ").capitalize(),
            *_figures(one.edge),
            _percent(one.par.house_edge),
            _percent(one.excess.value, "+"),
            _z(one.excess),
        )
    print_table(table)


def _print_runs(runs: list[Run], sums: Sums) -> None:
    table = plain_table("After", "Won", "Error", "99% interval", "Excess", "z")
    for one in runs:
        table.add_row(
            f"{one.least}{' or more' if one is runs[-1] else ''} won",
            *_figures(one.won),
            _percent(one.excess.value, "+"),
            _z(one.excess),
        )
    table.add_row("all", *_figures(share_won(sums)))
    print_table(table)


def _figures(estimate: StreakEstimate) -> tuple[str, str, str]:
    low, high = map(_percent, estimate.interval)
    return _percent(estimate.value), _percent(estimate.error), f"{low} to {high}"


def _percent(value: Fraction | float, sign: str = "") -> str:
    return format(float(value * 100), f"{sign}.4f")


def _z(estimate: StreakEstimate) -> str:
    return "" if estimate.z is None else f"{estimate.z:+.2f}"


# --- JSON output --------------------------------------------------------------------------------


def _as_json(rules: TableRules, sums: Sums, seed: int, ended: str) -> BlackjackSimulation:
    counts = sums.counts
    naturals, above = naturals_of(sums)
    # A seed that chance chose names the same rounds again.
    chosen = click.get_current_context().params["seed"] is None
    return {
        "format": "croupier-blackjack-simulation/1",
        **provenance(rules, command_line(*(("--seed", str(seed)) if chosen else ()))),
        "source": f"reference game of {DECKS} decks, one patron",
        "seed": seed,
        "ended": ended,
        "rounds": sums.rounds,
        "shoes": sums.shoes,
        "results": {key: counts[key] for _, key in _RESULTS},
        "naturals": {
            "number": counts["naturals"],
            "share": _estimate_data(naturals),
            "above_first_round": _estimate_data(above),
        },
        "wagers": [_wager_data(rules, one) for one in wagers_of(rules, sums)],
        "won": _estimate_data(share_won(sums)),
        "runs": [_run_data(one) for one in runs_of(sums)],
    }


def _wager_data(rules: TableRules, one: StreakWager) -> SimulatedBlackjackWager:
    won = sum(line.ways for line in one.sheet.lines if line.won)
    return {
        "id": one.sheet.wager,
        "title": one.title,
        "placed": one.sheet.total,
        "won": won,
        "lines": {line.outcome: line.ways for line in one.sheet.lines},
        "house_edge": _estimate_data(one.edge),
        "par_house_edge": fraction(one.par.house_edge),
        "above_par": _estimate_data(one.excess),
        "cites": list(rules.cites(one.rule_id)),
    }


def _run_data(one: Run) -> RunOfWins:
    return {
        "won_before": one.least,
        "rounds": one.counted,
        "won": _estimate_data(one.won),
        "above_all": _estimate_data(one.excess),
    }


def _estimate_data(estimate: StreakEstimate) -> BlackjackEstimate:
    low, high = estimate.interval
    return {
        "value": float(estimate.value),
        "standard_error": estimate.error,
        "interval_99": {"low": low, "high": high},
        "z": estimate.z,
    }
