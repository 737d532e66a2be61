"""Numbers on the command line, and ``--seed``."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, Final, TypeVar

import click

from croupier.cli.common.output import fail
from croupier.rules.documents import MOST_SEED

Function = TypeVar("Function", bound=Callable[..., Any])

_LONGEST: Final = 40
"""A longer number is an error, reported without being evaluated."""


def whole_number(option: str, text: str, least: int, most: int) -> int:
    """Read an integer within bounds, such as 1e9 or 1,000,000. Raises ``ValueError``.

    >>> whole_number("--rounds", "1e6", 1, 10**15)
    1000000
    """
    plain = text.strip().replace(",", "").replace("_", "")
    try:
        value = Decimal(plain) if len(plain) <= _LONGEST else None
    except InvalidOperation:
        value = None
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    if value is None or not value.is_finite():
        raise ValueError(f"{option} {shown}: not a number")
    # Check the notation before evaluating it: 1e999999 has a million digits.
    if value.adjusted() <= len(str(most)) and value != value.to_integral_value():
        raise ValueError(f"{option} {shown}: not an integer")
    if not least <= value <= most:
        raise ValueError(f"{option} {shown}: write a number from {least} to {most}")
    return int(value)


class FiniteRange(click.FloatRange):
    """A range of numbers without ``nan``, which no comparison excludes, and infinity."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


def seed_option(description: str, default: int | None = 1) -> Callable[[Function], Function]:
    return click.option(
        "--seed",
        metavar="SEED",
        default=None if default is None else str(default),
        show_default=True,
        type=_seed,
        help=f"{description}: 0 to 2^64-1.",
    )


def _seed(text: str) -> int:
    return whole_or_fail("--seed", text, 0, MOST_SEED)


def whole_or_fail(option: str, text: str, least: int, most: int) -> int:
    try:
        return whole_number(option, text, least, most)
    except ValueError as error:
        fail(str(error))
