"""``croupier session``: a bankroll over many sessions of a betting system."""

from __future__ import annotations

import sys
from typing import Any, Final

import click

from croupier.cli.common.arguments import FiniteRange, seed_option
from croupier.cli.common.files import document_options, give, output_path
from croupier.cli.common.output import fail, requiring, usual_option
from croupier.cli.submission.rules import TableAsked, own_option, penetration_option, rules_options
from croupier.law.usage import amount_of
from croupier.reports.session import session_tree

_AMOUNTS: Final = ("unit", "bankroll", "goal", "chip")


def _amount(name: str, text: str | None) -> int | None:
    try:
        return None if text is None else amount_of(text)
    except ValueError as error:
        fail(f"--{name}: {error}")


@click.command()
@rules_options
@own_option
@click.option(
    "--wager",
    "wagers",
    required=True,
    multiple=True,
    metavar="ID",
    help="Wager that the system stakes; repeat for others, each staked at 1 unit.",
)
@usual_option(
    "--system",
    "system_text",
    default="flat",
    metavar="SYSTEM",
    help="flat, martingale[:6], grand-martingale[:6], paroli[:3], dalembert, fibonacci,"
    " labouchere[:1-2-3-4], oscars-grind, 1-3-2-6, count, COUNT.toml or FILE.py:function.",
)
@click.option(
    "--tags", metavar="TAGS", help="For count: its tags, such as 4=-1,8=2 (default: the best tags)."
)
@click.option(
    "--ramp",
    metavar="RAMP",
    help="For count: units bet from each true count up, such as 4=1,5=2,7=4.",
)
@click.option("--unit", metavar="DOLLARS", required=True, help="Betting unit.")
@click.option(
    "--bankroll", metavar="DOLLARS", required=True, help="Bankroll at the start of each session."
)
@click.option(
    "--goal", metavar="DOLLARS", help="End a session when the bankroll reaches this amount."
)
@usual_option(
    "--chip", metavar="DOLLARS", default="1", help="Smallest chip; stakes are multiples of it."
)
@click.option("--shoes", type=click.IntRange(1), help="Shoes per session.")
@click.option("--rounds", type=click.IntRange(1), help="Rounds per session, instead of --shoes.")
@usual_option(
    "--sessions", type=click.IntRange(1), default=1000, help="Number of sessions to play."
)
@penetration_option
@seed_option("Seed of the shuffles")
@click.option("--threads", type=click.IntRange(1), help="Number of threads (default: all cores).")
@usual_option(
    "--rounds-per-hour",
    type=FiniteRange(0, min_open=True),
    default=150,
    help="Rounds per hour (pace), to report the hours played.",
)
@click.option(
    "--rounds-out",
    type=output_path,
    metavar="FILE",
    help="Write every round to FILE.csv, FILE.csv.gz, or FILE.parquet.",
)
@click.option(
    "--sessions-out",
    type=output_path,
    metavar="FILE",
    help="Write every session to a file of the same formats.",
)
@click.option(
    "--plot",
    type=output_path,
    metavar="FILE",
    help="Plot bankroll paths and the distribution of results to FILE.svg or FILE.png.",
)
@document_options(takes_force=True)
def session(asked: TableAsked, **options: Any) -> None:
    """Simulate a bankroll over many sessions of a betting system (risk of ruin).

    Seeded shoes are dealt, and every stake settled to the cent, under the rules of the table. Exit
    status: 2 for a wager, system, or stake that is not valid. The first Ctrl-C or SIGTERM stops the
    run and reports the sessions played, with status 130 or 143.
    """
    with requiring("playing sessions", "kernels"):
        from croupier.cli.analysis.session_play import played  # noqa: PLC0415  (it imports numba, an extra)
    rules, shoe = asked.rules_and_shoe(options["own"])
    options |= {name: _amount(name, options[name]) for name in _AMOUNTS}
    report, status = played(rules, shoe, options)
    give(report, session_tree, options["output_format"])
    sys.exit(status)
