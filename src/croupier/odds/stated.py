"""Numbers as stated by a vendor, with their digits, and their comparison with exact ones."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Final, Literal, NamedTuple

Verdict = Literal["equal", "rounded_otherwise", "wrong"]
Kind = Literal["count", "share", "money", "number"]
"""An integer, a share of 1 (or of the stake), dollars, or any other number."""

_MAX_LENGTH: Final = 64
_MAX_FRACTION: Final = 256
_EXACT: Final = re.compile(r"(-?\d+)/(\d+)", re.ASCII)
_DECIMAL: Final = re.compile(r"([+-]?)(\d*)(?:([.,])(\d*))?(?:[eE]([+-]?\d{1,3}))?", re.ASCII)
_GROUPS: Final = re.compile(r"(\d{1,3}(?:([,.'  \u202f_])\d{3})(?:\2\d{3})*)", re.ASCII)
_DOLLARS: Final = re.compile(r"([+-]?)\$?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|.+)", re.ASCII)
_ODDS: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?::|/|to)\s*(\d+)", re.ASCII | re.IGNORECASE)
_FOR_ONE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*for\s*(\d+)", re.ASCII | re.IGNORECASE)
_WORDS: Final = {
    **dict.fromkeys(("push", "pushes", "void", "standoff"), Fraction(0)),
    **dict.fromkeys(("lose", "loses", "lost", "loss"), Fraction(-1)),
}
_DOUBLE_PLACES: Final = 12
"""Decimal places of a calculated number of a workbook, or digits of one above 1."""


class Stated(NamedTuple):
    """A stated number; ``unit`` is that of its last digit, 0 for a fraction."""

    text: str
    value: Fraction
    unit: Fraction
    percent: bool = False


def stated_number(cell: str | float, kind: Kind = "number", *, percent: bool = False) -> Stated:
    """Stated number; ``percent`` if its column says so.

    A share of 0 or 1 is exact. Raises ``ValueError`` for invalid or ambiguous text.

    >>> stated_number("1.2351%").value, stated_number("1.2351%").unit
    (Fraction(12351, 1000000), Fraction(1, 1000000))
    >>> stated_number("2,230,518,282,592,256", "count").value
    Fraction(2230518282592256, 1)
    """
    if not isinstance(cell, str) and kind != "count":
        return _of_workbook(cell, kind, percent=percent)
    text = str(cell).strip()
    longest = _MAX_FRACTION if "/" in text else _MAX_LENGTH
    if len(text) > longest:
        raise ValueError(f"{text[:20]}...: longer than {longest} characters")
    if found := _EXACT.fullmatch(text):
        if not int(found[2]):
            raise ValueError(f"{text}: a fraction of zero")
        return Stated(text, Fraction(int(found[1]), int(found[2])), Fraction(0))
    bare = text.removesuffix("%").strip()
    if kind == "money" and (dollars := _DOLLARS.fullmatch(bare)):
        return _decimal(text, dollars[1] + dollars[2].replace(",", ""), kind, percent=False)
    percent = percent or bare != text
    if _GROUPS.fullmatch(bare):
        if kind == "count":
            bare = re.sub(r"\D", "", bare)
        elif "," in bare and kind == "number" and not bare.startswith("0"):
            raise ValueError(f"{text}: a thousand or a decimal? Write it without a comma")
    return _decimal(text, bare, kind, percent=percent)


def _decimal(text: str, bare: str, kind: Kind, *, percent: bool) -> Stated:
    found = _DECIMAL.fullmatch(bare)
    if found is None or not (found[2] or found[4]):
        raise ValueError(f"{text or 'empty'}: not a number")
    places = len(found[4] or "") - int(found[5] or 0) + (2 if percent else 0)
    unit = Fraction(10) ** -places
    value = int((found[2] or "") + (found[4] or "")) * unit
    if kind == "share" and unit >= 1:
        unit = Fraction(0)
    return Stated(text, -value if found[1] == "-" else value, unit, percent)


def _of_workbook(number: float, kind: Kind, *, percent: bool, rounded: bool = True) -> Stated:
    if not isfinite(number):
        raise ValueError(f"{number}: not a number")
    typed = Decimal(repr(number + 0)).normalize()
    if rounded and len(typed.as_tuple().digits) < _DOUBLE_PLACES:
        text = f"{typed:f}"
        return _decimal(text, text, kind, percent=percent)
    value = Decimal(number)
    whole_digits = max(value.adjusted() + 1, 0) if value else 0
    places = max(_DOUBLE_PLACES - whole_digits, -whole_digits)
    result = round(Fraction(value), places)
    text = f"{float(result):.{max(places, 0)}f}".rstrip("0").rstrip(".") or "0"
    unit = Fraction(10) ** -places
    scale = 100 if percent else 1
    return Stated(text, result / scale, unit / scale, percent)


def stated_pays(cell: str | float, *, for_one: bool = False) -> Stated:
    """Stated net win of a line per unit; ``for_one`` if payouts include the stake.

    >>> [stated_pays(text).value for text in ("8:1", "19 to 20", "0.95", "push", "9 for 1")]
    [Fraction(8, 1), Fraction(19, 20), Fraction(19, 20), Fraction(0, 1), Fraction(8, 1)]
    """
    text = cell.strip() if isinstance(cell, str) else ""
    if text.casefold() in _WORDS:
        return Stated(text, _WORDS[text.casefold()], Fraction(0))
    if text.startswith("takes "):
        part = stated_number(text.removeprefix("takes "))
        return Stated(text, -part.value, Fraction(0))
    less = 1 if for_one else 0
    for pattern, stake in ((_ODDS, less), (_FOR_ONE, 1)):
        if (found := pattern.fullmatch(text)) and int(found[2]):
            return Stated(text, Fraction(found[1]) / int(found[2]) - stake, Fraction(0))
    if re.fullmatch(r"\d\d?:\d\d:\d\d", text):
        raise ValueError(f"{text}: a time of day: format the cell as text and write the odds again")
    # Odds are exact as written; only a workbook calculates them.
    if isinstance(cell, str):
        number = stated_number(cell)._replace(unit=Fraction(0))
    else:
        number = _of_workbook(cell, "number", percent=False, rounded=False)
    return number._replace(value=number.value - less)


def compared(stated: Stated, exact: Fraction) -> Verdict:
    """Compare a stated number with the exact one, at the given digits.

    >>> [compared(stated_number(text), Fraction(2, 3)) for text in ("0.667", "0.666", "0.665")]
    ['equal', 'rounded_otherwise', 'wrong']
    """
    distance = abs(stated.value - exact)
    if 2 * distance <= stated.unit:
        return "equal"
    return "rounded_otherwise" if distance < stated.unit else "wrong"


def shown_as(value: Fraction, like: Stated) -> str:
    """Value in the format of a stated one.

    >>> [shown_as(Fraction(2, 3), stated_number(text)) for text in ("66.5%", "1", "1/2")]
    ['66.7%', '1', '2/3']
    """
    if not like.unit:
        return f"{value.numerator}/{value.denominator}"
    scaled, unit = (value * 100, like.unit * 100) if like.percent else (value, like.unit)
    places = 0
    while unit * 10**places < 1:
        places += 1
    text = f"{round(scaled * 10**places):d}"
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    digits = digits.zfill(places + 1)
    whole, decimals = (digits[:-places], digits[-places:]) if places else (digits, "")
    return f"{sign}{int(whole):,}{'.' if decimals else ''}{decimals}{'%' if like.percent else ''}"
