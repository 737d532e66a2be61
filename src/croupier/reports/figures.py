"""Formatting of figures and escaping, for all formats."""

from __future__ import annotations

import re
from fractions import Fraction
from html import escape
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final

CARDS: Final = re.compile(r"((?:[A2-9JQK]|10)[♣♦♥♠](?: (?:[A2-9JQK]|10)[♣♦♥♠])*)( \(.*\))?")
"""A line of cards alone, with what is said of them in parentheses."""
PLACES: Final = 4
"""The usual number of decimal places of a percentage."""

_MOST_PLACES: Final = 12
"""The maximum number of decimal places of a percentage."""


_PACKAGES: Final = {"pdf": "typst", "xlsx": "xlsxwriter"}
"""The package that a format requires; all are in one extra."""


class MissingExtraError(Exception):
    """A format requires a package that is not installed."""


def extra(form: str) -> ModuleType:
    """Import a format's package. Raises ``MissingExtraError`` if it is missing."""
    package = _PACKAGES[form]
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise _missing(form) from error


def check_extra(form: str) -> None:
    package = _PACKAGES.get(form)
    if package is not None and find_spec(package) is None:
        raise _missing(form)


def _missing(form: str) -> MissingExtraError:
    return MissingExtraError(
        f"a report in {form.upper()} requires {_PACKAGES[form]}, which is in the extra "
        "croupier[reports]: pip install 'croupier[reports]'"
    )


def coordinate(number: float) -> str:
    """Coordinate of a drawing with at most two places and no trailing zeros.

    >>> coordinate(12.5), coordinate(3.0), coordinate(1 / 3)
    ('12.5', '3', '0.33')
    """
    return f"{number:.2f}".rstrip("0").rstrip(".")


def in_markup(text: str) -> str:
    """Escape markup; ``xml.sax.saxutils`` would import ``urllib.request``."""
    return escape(text, quote=False)


def visible(text: object) -> str:
    r"""Text with control characters escaped: they steer terminals and break XML.

    >>> visible("Pat\x1b[2J")
    'Pat\\x1b[2J'
    """
    string = str(text)
    if string.isprintable():
        return string
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode()
        for one in string
    )


def decimal(value: Fraction, places: int) -> str:
    """Fraction in decimals, rounded from its exact value; zero has no sign.

    >>> decimal(Fraction(-1, 80), 3), decimal(Fraction(2, 3), 0), decimal(Fraction(-1, 80), 1)
    ('-0.012', '1', '0.0')
    """
    scaled = round(value * 10**places)
    digits = f"{abs(scaled):0{places + 1}}"
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def percent(value: Fraction, places: int = PLACES) -> str:
    """Percentage; of four places, it has four significant digits if it is very small.

    >>> percent(Fraction(1, 80)), percent(Fraction(1, 30_000_000))
    ('1.2500%', '0.000003333%')
    """
    grows = places == PLACES
    while grows and value and abs(value) * 10 ** (places - 1) < 1 and places < _MOST_PLACES:
        places += 1
    return f"{decimal(value * 100, places)}%"


def grouped(ways: str | int) -> str:
    """Count with thousands separators.

    >>> grouped("2292252566437888")
    '2,292,252,566,437,888'
    """
    return f"{int(ways):,}"


_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def rank_and_suit(card: str) -> tuple[str, str]:
    """Rank and the suit symbol of a card; a record may have the rank alone.

    >>> rank_and_suit("Th"), rank_and_suit("Q♣"), rank_and_suit("T")
    (('10', '♥'), ('Q', '♣'), ('10', ''))
    """
    suit = _SUITS.get(card[-1], card[-1] if card[-1] in _SUITS.values() else "")
    rank = card[:-1] if suit else card
    return "10" if rank == "T" else rank, suit


def outcome_title(outcome: str) -> str:
    """Title of an outcome.

    >>> outcome_title("win_by_9")
    'win by 9'
    """
    return visible(outcome).replace("_", " ")


def kind(pays: str) -> str:
    """Return the result of a line for the bettor: ``win``, ``push`` or ``loses``.

    A push of which the house takes part is a push.

    >>> kind("19:20"), kind("push"), kind("takes 1/4"), kind("loses")
    ('win', 'push', 'push', 'loses')
    """
    if pays == "loses":
        return pays
    return "win" if pays[:1].isdecimal() else "push"


def net_of(pays: str) -> Fraction:
    """Return the bettor's net result per unit staked, from what a line pays.

    >>> net_of("19:20"), net_of("takes 1/4"), net_of("loses"), net_of("push")
    (Fraction(19, 20), Fraction(-1, 4), Fraction(-1, 1), Fraction(0, 1))
    """
    if pays == "loses":
        return Fraction(-1)
    sign, text = (-1, pays.removeprefix("takes ")) if pays.startswith("takes ") else (1, pays)
    try:
        return sign * Fraction(text.replace(":", "/"))
    except ValueError:
        return Fraction(0)
