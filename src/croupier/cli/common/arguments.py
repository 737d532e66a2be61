"""Numbers, ``--seed``, and regulations named on the command line."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import click

from croupier.cli.common.output import call_again_with, fail
from croupier.files.streams import note
from croupier.law.model import Instrument, section
from croupier.law.resolve import AsOf, instruments, known_texts, resolve, texts_of
from croupier.rules.documents import MOST_SEED, of_law

if TYPE_CHECKING:
    from croupier.cli.law.documents import LawText

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_ROUNDS: Final = 10**15
"""The most rounds that a command plays."""

_LONGEST: Final = 40
"""A longer number is an error, reported without being evaluated."""


def whole_number(option: str, text: str, minimum: int, maximum: int) -> int:
    """Read an integer within bounds, such as 1e9 or 1,000,000. Raises ``ValueError``.

    >>> whole_number("--rounds", "1e6", 1, 10**15)
    1000000
    """
    digits = text.strip().replace(",", "").replace("_", "")
    try:
        value = Decimal(digits) if len(digits) <= _LONGEST else None
    except InvalidOperation:
        value = None
    shown_text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    if value is None or not value.is_finite():
        raise ValueError(f"{option} {shown_text}: not a number")
    # Check the notation before evaluating it: 1e999999 has a million digits.
    if value.adjusted() <= len(str(maximum)) and value != value.to_integral_value():
        raise ValueError(f"{option} {shown_text}: not an integer")
    if not minimum <= value <= maximum:
        raise ValueError(f"{option} {shown_text}: write a number from {minimum} to {maximum}")
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


def whole_or_fail(option: str, text: str, minimum: int, maximum: int) -> int:
    try:
        return whole_number(option, text, minimum, maximum)
    except ValueError as error:
        fail(str(error))


_LATEST: Literal["latest"] = "latest"


def _day(text: str) -> AsOf:
    return _LATEST if text == _LATEST else date.fromisoformat(text)


def _typed_day(value: str) -> AsOf:
    try:
        return _day(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a date: write YYYY-MM-DD or latest") from None


as_of_option = click.option(
    "--as-of",
    metavar="YYYY-MM-DD|latest",
    type=_typed_day,
    help="Use the regulation in force on this date, or the latest complete one.",
)


def text_named(name: str, as_of: AsOf | None = None) -> Instrument:
    """Return the text of ``id@2001-01-16`` or ``id@latest``, or of an id and the day ``as_of``.

    Exits with status 2 if no day is named: the result must not change when a later text is
    included.
    """
    law_id, separator, day = name.partition("@")
    if separator:
        if as_of is not None:
            fail(f"the date is given twice: {name} or --as-of")
        try:
            as_of = _day(day)
        except ValueError:
            fail(f"{day!r} is not a date: write {law_id}@YYYY-MM-DD or {law_id}@latest")
    if as_of is None:
        resolve(law_id, on=_LATEST)
        ids = ", ".join(text.key for text in texts_of(law_id))
        fail(f"{law_id}: give the date, {law_id}@YYYY-MM-DD or {law_id}@latest; included: {ids}")
    text = resolve(law_id, on=as_of)
    if as_of == _LATEST:
        note(f"latest: {text.key}")
        # Of two texts in one command each has its own latest day.
        word, meaning = (name, text.key) if separator else (_LATEST, text.in_force_from.isoformat())
        call_again_with(word, meaning)
    return text


def texts_named(law_id: str | None) -> tuple[Instrument, ...]:
    if law_id is not None and "@" in law_id:
        return (text_named(law_id),)
    return instruments() if law_id is None else known_texts(law_id)


def head(text: Instrument) -> LawText:
    return {
        **of_law(text),
        "authority": text.authority,
        "cited_as": cited(text),
        "in_force_known": text.in_force_known.isoformat(),
        "observed_on": text.observed_on.isoformat(),
        "partial": text.partial,
    }


def cited(text: Instrument) -> str:
    """Return the usual citation: with chapter 7 if sections are 7.1, 7.2."""
    chapter, separator, _ = section(next(iter(text.clauses))).partition(".")
    if separator:
        return text.citation + chapter
    return text.citation.removesuffix("section ").rstrip(", ")
