"""Shared options of the drills."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from croupier.cli.common.numbers import seed_option
from croupier.drills.question import LEVELS

Function = TypeVar("Function", bound=Callable[..., object])


def seed_options(function: Function) -> Function:
    """Add the options that select the questions."""
    options = (
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
    for option in reversed(options):
        function = option(function)
    return function
