"""``croupier session``: what becomes of a bankroll over many sessions of a betting system."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import click

from croupier.cli.files import force_option, output_path
from croupier.cli.output import fail, print_json
from croupier.cli.par import rules_named, rules_options, shoe_named
from croupier.cli.session_text import print_report, write_csv
from croupier.law.resolve import AsOf
from croupier.law.values import cents_of

__all__ = ["session"]

_COMPILED: Final = ("numba", "numpy", "llvmlite")


def _cents(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    """Read an amount of dollars as cents."""
    try:
        return None if value is None else cents_of(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@rules_options
@click.option(
    "--custom-wager",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A wager of your own, in TOML; repeatable.",
)
@click.option(
    "--wager",
    "wagers",
    required=True,
    multiple=True,
    metavar="ID",
    help="The wager that the system stakes. Others, repeatable, stand at a unit beside it.",
)
@click.option(
    "--system",
    "system_told",
    default="flat",
    show_default=True,
    metavar="SYSTEM",
    help="flat, martingale[:6], grand-martingale[:6], paroli[:3], dalembert, fibonacci,"
    " labouchere[:1-2-3-4], oscars-grind, 1-3-2-6, count, COUNT.toml or FILE.py:function.",
)
@click.option("--tags", metavar="TAGS", help="For count: its tags, as 4=-1,8=2; the best if none.")
@click.option(
    "--ramp", metavar="RAMP", help="For count: units from each true count on, as 4=1,5=2,7=4."
)
@click.option(
    "--unit", metavar="DOLLARS", callback=_cents, required=True, help="The unit of the stakes."
)
@click.option(
    "--bankroll",
    metavar="DOLLARS",
    callback=_cents,
    required=True,
    help="What each session begins with.",
)
@click.option(
    "--goal",
    metavar="DOLLARS",
    callback=_cents,
    help="A session is over when the bankroll has come to this.",
)
@click.option(
    "--chip",
    metavar="DOLLARS",
    callback=_cents,
    default="1",
    show_default=True,
    help="The smallest chip that is staked.",
)
@click.option("--shoes", type=click.IntRange(1), help="How many shoes a session has.")
@click.option("--rounds", type=click.IntRange(1), help="How many rounds a session has instead.")
@click.option(
    "--sessions",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="How many sessions to play.",
)
@click.option(
    "--cards-behind",
    type=click.IntRange(0),
    help="Cards behind the cutting card; as few as the law allows if not told.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the shuffles.")
@click.option("--threads", type=click.IntRange(1), help="To play on; all cores if not told.")
@click.option(
    "--rounds-per-hour",
    type=click.FloatRange(0, min_open=True),
    default=150,
    show_default=True,
    help="Rounds an hour, to tell the hours played.",
)
@click.option(
    "--rounds-out",
    type=output_path,
    metavar="FILE",
    help="Write every round to FILE.csv, FILE.csv.gz or FILE.parquet, as it is played.",
)
@click.option(
    "--sessions-out",
    type=output_path,
    metavar="FILE",
    help="Write every session to such a file.",
)
@click.option(
    "--plot",
    type=output_path,
    metavar="FILE",
    help="Draw paths of the bankroll and the spread of results to FILE.svg or FILE.png.",
)
@force_option
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="How the report is given.",
)
def session(
    submission: Path | None,
    law_id: str | None,
    as_of: AsOf | None,
    decks: int | None,
    shoe_text: str | None,
    **told: Any,
) -> None:
    """Tell what becomes of a bankroll over many sessions of a betting system.

    Seeded shoes are dealt as the table deals them, and every stake is settled to the cent as the
    table settles it. Exit status 2 for a wager, system or stake that cannot be; a first
    Ctrl-C or SIGTERM ends it early, with the sessions that were played and status 130 or 143.
    """
    try:
        from croupier.cli.session_play import played  # noqa: PLC0415  (it imports numba, an extra)
    except ModuleNotFoundError as error:
        if error.name not in _COMPILED:
            raise
        fail(
            f"to play sessions takes {error.name}, which comes with the extra croupier[kernels]:"
            " pip install 'croupier[kernels]'"
        )
    rules = rules_named(submission, law_id, as_of, decks if shoe_text is None else None)
    shoe = shoe_named(rules, None if submission is None and shoe_text is None else decks, shoe_text)
    report, status = played(rules, shoe, told)
    match told["output_format"]:
        case "json":
            print_json(report)
        case "csv":
            write_csv(report)
        case _:
            print_report(report)
    sys.exit(status)
