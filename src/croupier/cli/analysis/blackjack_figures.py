"""The simulation of ``croupier blackjack --simulate``."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

import click

from croupier.blackjack.reference import CUSTOMS
from croupier.blackjack.session import DECKS
from croupier.cli.common.files import give
from croupier.cli.common.output import command_line, fail, progress_of
from croupier.files.streams import DONE, StoppedError, note, of_signal, say
from croupier.odds.sheet import fraction
from croupier.reports.simulation import blackjack_simulation_tree
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.simulation.engines import exactly, in_order
from croupier.simulation.streaks import (
    LEAST_ROUNDS,
    StreakEstimate,
    StreakWager,
    Sums,
    engine_for,
    naturals_of,
    net_of,
    runs_of,
    share_won,
    wagers_of,
)

if TYPE_CHECKING:
    from croupier.cli.common import documents


def simulate(
    rules: TableRules, rounds: int, seed: int, threads: int | None, output_format: str
) -> None:
    if rounds < LEAST_ROUNDS:
        fail(
            f"--rounds {rounds}: the minimum is {LEAST_ROUNDS:,}, so that a standard error can "
            "be estimated"
        )
    engine = engine_for(rules, seed)
    sums = Sums(engine)
    ending, status = "rounds", DONE
    start = time.monotonic()
    stream = exactly(in_order(engine.play, threads), engine.play, rounds)
    with progress_of(rounds, "rounds") as progress, closing(stream):
        try:
            for dealt in stream:
                sums.add(dealt)
                progress(sums.rounds)
        except KeyboardInterrupt as stop:
            ending = "interrupted"
            status = of_signal(stop.number if isinstance(stop, StoppedError) else signal.SIGINT)
    seconds = time.monotonic() - start
    if sums.rounds < LEAST_ROUNDS:
        say(f"interrupted after {sums.rounds:,} rounds: too few to report")
        sys.exit(status)
    give(_data(rules, sums, seed, ending), blackjack_simulation_tree, output_format)
    if output_format == "text":
        # A seed does not determine the elapsed time.
        note(f"{sums.rounds / seconds / 1e6:.1f} million rounds per second")
    sys.exit(status)


def _data(rules: TableRules, sums: Sums, seed: int, ending: str) -> documents.BlackjackSimulation:
    counts = sums.counts
    naturals, excess = naturals_of(sums)
    nets, value, deviation = net_of(sums)
    # A seed that chance chose names the same rounds again.
    has_random_seed = click.get_current_context().params["seed"] is None
    return {
        "format": "croupier-blackjack-simulation/1",
        **provenance(rules, command_line(*(("--seed", str(seed)) if has_random_seed else ()))),
        "source": f"reference game of {DECKS} decks, one patron",
        "seed": seed,
        "ended": ending,
        "rounds": sums.rounds,
        "shoes": sums.shoes,
        "results": {name: counts[name] for name in ("win", "push", "lose")},
        "naturals": {
            "number": counts["naturals"],
            "share": _estimate_data(naturals),
            "above_first_round": _estimate_data(excess),
        },
        "game": {
            "rules": CUSTOMS,
            "rounds_by_net": dict(nets),
            "expected_value": _estimate_data(value),
            "standard_deviation": deviation,
        },
        "wagers": [_wager_data(rules, wager) for wager in wagers_of(rules, sums)],
        "won": _estimate_data(share_won(sums)),
        "runs": [
            {
                "won_before": run.least,
                "rounds": run.counted,
                "won": _estimate_data(run.won),
                "above_all": _estimate_data(run.excess),
            }
            for run in runs_of(sums)
        ],
    }


def _wager_data(rules: TableRules, wager: StreakWager) -> documents.SimulatedBlackjackWager:
    ways = sum(line.ways for line in wager.sheet.lines if line.won)
    return {
        "id": wager.sheet.wager,
        "title": wager.title,
        "placed": wager.sheet.total,
        "won": ways,
        "lines": {line.outcome: line.ways for line in wager.sheet.lines},
        "house_edge": _estimate_data(wager.edge),
        "par_house_edge": fraction(wager.par.house_edge),
        "above_par": _estimate_data(wager.excess),
        "cites": list(rules.cites(wager.rule_id)),
    }


def _estimate_data(estimate: StreakEstimate) -> documents.BlackjackEstimate:
    low, high = estimate.interval
    return {
        "value": float(estimate.value),
        "standard_error": estimate.error,
        "interval_99": {"low": low, "high": high},
        "z": estimate.z,
    }
