"""Shared options of the drills."""

from __future__ import annotations

import click

from croupier.cli.common.numbers import seed_option
from croupier.cli.common.output import option_group
from croupier.drills.question import LEVELS

seed_options = option_group(
    seed_option("Seed of the questions"),
    click.option(
        "--questions",
        "count",
        type=click.IntRange(1, 1000),
        default=10,
        show_default=True,
        help="Number of questions.",
    ),
    click.option(
        "--level",
        type=click.IntRange(LEVELS[0], LEVELS[-1]),
        help="1 for plain cases, 3 for those that go wrong most often.  [default: mixed]",
    ),
)
