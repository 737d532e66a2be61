"""What all forms of a sheet share: how its figures read, and how its texts are made safe."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from html import escape
from importlib import import_module
from types import ModuleType
from typing import Any, Final

__all__ = [
    "MissingExtraError",
    "Sheet",
    "decimal",
    "dollars",
    "exact",
    "extra",
    "grouped",
    "in_markup",
    "kind",
    "outcome_title",
    "percent",
    "visible",
]

Sheet = Mapping[str, Any]
"""A PAR sheet as the data of its JSON form, ``croupier-par/2``."""

PLACES: Final = 4
"""Places after the point at which a rate in percent is shown."""

_MOST_PLACES: Final = 12
"""Places that are never exceeded, however small a rate is."""


class MissingExtraError(Exception):
    """A form needs a package that is not installed."""


def extra(package: str, form: str) -> ModuleType:
    """Import the package that a form is made with.

    Raises ``MissingExtraError``, which names the extra to install, where it is not there.
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise MissingExtraError(
            f"a report as {form} needs {package}, which comes with the extra croupier[reports]:"
            " pip install 'croupier[reports]'"
        ) from error


def in_markup(text: str) -> str:
    """Return text as it stands in markup; ``xml.sax.saxutils`` would import ``urllib.request``."""
    return escape(text, quote=False)


def visible(text: object) -> str:
    r"""Return text with control characters written out: they steer terminals and break XML.

    >>> visible("Pat\x1b[2J")
    'Pat\\x1b[2J'
    """
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode()
        for one in str(text)
    )


def exact(text: str) -> Fraction:
    """Read an exact fraction of the sheet.

    >>> exact("19/20")
    Fraction(19, 20)
    """
    return Fraction(text)


def decimal(value: Fraction, places: int) -> str:
    """Write a fraction in decimals, rounded from its exact value; no zero has a sign.

    >>> decimal(Fraction(-1, 80), 3), decimal(Fraction(2, 3), 0), decimal(Fraction(-1, 80), 1)
    ('-0.012', '1', '0.0')
    """
    scaled = round(value * 10**places)
    digits = f"{abs(scaled):0{places + 1}}"
    sign = "-" if scaled < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def percent(value: Fraction) -> str:
    """Write a rate in percent: to four places, and a rare one to as many as show four digits of it.

    >>> percent(Fraction(1, 80)), percent(Fraction(1, 30_000_000))
    ('1.2500%', '0.000003333%')
    """
    places = PLACES
    while value and abs(value) * 10 ** (places - 1) < 1 and places < _MOST_PLACES:
        places += 1
    return f"{decimal(value * 100, places)}%"


def grouped(ways: str | int) -> str:
    """Write a count with its thousands apart.

    >>> grouped("2292252566437888")
    '2,292,252,566,437,888'
    """
    return f"{int(ways):,}"


def dollars(cents: int) -> str:
    """Write cents as dollars.

    >>> dollars(123450), dollars(-5)
    ('$1,234.50', '-$0.05')
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def outcome_title(outcome: str) -> str:
    """Return how an outcome is called.

    >>> outcome_title("win_by_9")
    'win by 9'
    """
    return visible(outcome).replace("_", " ")


def kind(pays: str) -> str:
    """Tell whether a line is one that the bettor wins: ``win``, ``push`` or ``loses``.

    A push of which the house takes a part is a push.

    >>> kind("19:20"), kind("push"), kind("takes 1/4"), kind("loses")
    ('win', 'push', 'push', 'loses')
    """
    if pays == "loses":
        return pays
    return "win" if pays[:1].isdecimal() else "push"
