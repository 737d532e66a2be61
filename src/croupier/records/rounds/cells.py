"""Cells of an external record: plain text, and amounts of money."""

from __future__ import annotations

import re
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

import msgspec

from croupier.files.text import broken_byte, check_keys
from croupier.law.usage import currency_in_use

LONGEST_CELL: Final = 2_000
"""Maximum length of a cell; a longer one has absorbed others."""

_LONGEST_LIST: Final = 100_000
_LISTED: Final = re.compile(r"\s*(?:\[\s*[{\]]|\{)")
_ITEM: Final = re.compile(r"(?:[^;|/\n,]|,(?!\s*[^\W\d_]))+")
_NAMED: Final = re.compile(
    r"\s*(?P<name>(?:[^:=]*[:=])?[^:=]*[^\W\d_]\w*)"
    r"(?:\s*[:=]\s*|\s+|(?<=[^\W\d_])(?=[0-9]))(?P<amount>[^:=]+?)\s*"
    r"(?:[:=]\s*(?P<second>[^:=]+?)\s*)?"
)
_LONGEST_ITEM: Final = 80
SECOND: Final = ".2"


def readable(value: object, limit: int = 60) -> str:
    text = value if isinstance(value, str) else repr(value) if _is_small(value) else "…"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= limit else f"{text[:limit]}…"


def _is_small(value: object) -> bool:
    if isinstance(value, int):
        return value.bit_length() < 128
    return value is None or isinstance(value, Decimal | float)


def listed_in_cell(value: Any) -> Any:
    if isinstance(value, str) and _LISTED.match(value) and len(value) <= _LONGEST_LIST:
        with suppress(ValueError, RecursionError):
            listed = msgspec.json.decode(value)
            check_keys(value, listed)
            return listed
    return value


def whole(text: str) -> str:
    """Return an integer that a data frame in which another is missing has as ``7.0``.

    >>> whole("7.0"), whole("0.50"), whole("7")
    ('7', '0.50', '7')
    """
    number, point, zeros = text.partition(".")
    return (
        number if point and number.removeprefix("-").isdecimal() and not zeros.strip("0") else text
    )


def plain(value: object) -> str:
    """Strip a cell to text, empty for ``None``."""
    if type(value) is str and len(value) <= LONGEST_CELL and value.isascii():
        return value.strip()  # Nearly every cell.
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal | float):
        raise ValueError(f"a {type(value).__name__} is neither text nor a number")
    if not isinstance(value, str) and not _is_small(value):
        raise ValueError("not a finite number")
    text = str(value).strip()
    if not isinstance(value, str):
        text = whole(text)
    if len(text) > LONGEST_CELL:
        raise ValueError(f"a cell of {len(text):,} characters")
    if not text.isascii() and (fault := broken_byte(text)):
        raise ValueError(fault)
    return text


_MEMORY: Final = 200_000

_GAP: Final = "\\s\u00a0\u2009\u202f"
CODES: Final = (
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MOP MXN "
    "MYR NOK NZD PEN PHP PLN RON SEK SGD THB TRY TWD UAH USD VND ZAR Ft Kč RM Rp Rs kr zł"
)
_CURRENCY: Final = f"(?:[A-Z]{{1,3}})?[$\u00a3-\u00a5\u20a0-\u20cf]|{'|'.join(CODES.split())}"
"""Currency signs, such as £ or HK$, and codes; words for thousands or millions do not count."""

_AMOUNT: Final = re.compile(
    rf"(?P<open>\()?(?P<sign>[+-])?[{_GAP}]*(?P<before>{_CURRENCY})?[{_GAP}]*(?P<inner>[+-])?"
    rf"(?P<number>(?:[0-9]{{1,3}}(?:(?P<apart>[,'\u2019{_GAP}])[0-9]{{3}}(?:(?P=apart)[0-9]{{3}}){{0,2}})"
    rf"|[0-9]{{1,12}})?(?:\.[0-9]{{0,40}})?)"
    rf"[{_GAP}]*(?P<after>{_CURRENCY})?(?P<last>-)?(?P<close>\))?"
)
_SWAP: Final = str.maketrans(",.", ".,")
_MINUS: Final = str.maketrans("\u2212\u2010\u2011\u2012\u2013", "-----")
_NO_DIGIT: Final = re.compile("[^0-9.]")
_FLOAT_NOISE: Final = 9
"""An amount with this many decimal places comes from binary floats."""

_NOISE_CENTS: Final = Fraction(1, 10_000)
_ENDLESS: Final = 10**12
_PLACES: Final = 40


class _Written(NamedTuple):
    negative: bool
    digits: str
    before: str
    after: str
    bracketed: bool


def _written(text: str, *, decimal_comma: bool) -> _Written | None:
    text = text.translate(_MINUS)
    match = _AMOUNT.fullmatch(text.translate(_SWAP) if decimal_comma else text)
    if match is None:
        return None
    part = match.groupdict(default="")
    signs = [part[name] for name in ("sign", "inner", "last") if part[name]]
    has_brackets = part["open"] == "("
    if (
        has_brackets != (part["close"] == ")")
        or len(signs) + has_brackets > 1
        or (part["before"] and part["after"])
        or not any(map(str.isdigit, part["number"]))
    ):
        return None
    start, end = match.span("number")
    prefix, suffix = match.group("before"), match.group("after")
    return _Written(
        has_brackets or "-" in signs,
        _NO_DIGIT.sub("", part["number"]),
        text[match.start("before") : start].replace("-", "") if prefix else "",
        text[end : match.end("after")] if suffix else "",
        has_brackets,
    )


def is_amount(text: str) -> bool:
    """Whether a text may be an amount, with a point or comma before the cents."""
    return any(_written(text, decimal_comma=comma) is not None for comma in (False, True))


class AmountReader:
    """Reads units of ``unit_cents`` as cents, without the noise of binary floats."""

    def __init__(self, unit_cents: int, *, decimal_comma: bool = False) -> None:
        self._unit_cents: Final = unit_cents
        self._decimal_comma: Final = decimal_comma
        self._known: Final[dict[str, int | Fraction]] = {}
        self._currency = ""

    def __call__(self, value: object) -> int | Fraction | None:
        cache = self._known
        if type(value) is str and value in cache:
            return cache[value]
        text = _digits(value) if isinstance(value, Decimal | float) else plain(value)
        if not text:
            return None
        if text in cache:
            return cache[text]
        if len(cache) >= _MEMORY:
            cache.clear()
        cache[text] = cents = self._read(text)
        return cents

    def _read(self, text: str) -> int | Fraction:
        amount = _written(text, decimal_comma=self._decimal_comma)
        if amount is None:
            currency = currency_in_use()
            large_unit = f"thousands of {currency.unit}"
            unit = {1: "cents", currency.minor: currency.unit}.get(self._unit_cents, large_unit)
            raise ValueError(f"{readable(text)!r} is not an amount of {unit}")
        sign = (amount.before or amount.after).strip()
        if sign and sign != (self._currency or sign):
            raise ValueError(
                f"{readable(text)!r} is of another currency than the first amounts, which have "
                f"{self._currency}"
            )
        self._currency = self._currency or sign
        units, _, places = amount.digits.partition(".")
        number = Fraction(f"{units or '0'}.{places or '0'}") * self._unit_cents
        nearest_cents = round(number)
        if len(places) >= _FLOAT_NOISE and abs(number - nearest_cents) < _NOISE_CENTS:
            number = Fraction(nearest_cents)
        number = -number if amount.negative else number
        return number.numerator if number.denominator == 1 else number


def _digits(number: Decimal | float) -> str:
    decimal = number if isinstance(number, Decimal) else Decimal(repr(number))
    exponent = decimal.as_tuple().exponent
    if not isinstance(exponent, int) or abs(decimal) >= _ENDLESS or exponent < -_PLACES:
        raise ValueError("not a finite number")
    return f"{decimal:f}"


def named_amounts(text: str) -> dict[str, tuple[int, int]]:
    """Return the start and end of each amount in a text, by its name. Raises ``ValueError``.

    The second amount of a name has ``.2`` after that.

    >>> named_amounts("P:100; T=5"), named_amounts("P:100:195")
    ({'P': (2, 5), 'T': (9, 10)}, {'P': (2, 5), 'P.2': (6, 9)})
    """
    spans: dict[str, tuple[int, int]] = {}
    for item in _ITEM.finditer(text):
        if not item[0].strip():
            continue
        match = _NAMED.fullmatch(text, *item.span()) if len(item[0]) <= _LONGEST_ITEM else None
        amounts = [] if match is None else [*filter(None, match.group("amount", "second"))]
        if match is None or not all(map(is_amount, amounts)):
            raise ValueError(f"{readable(item[0])!r} is not a name with an amount, such as P:100")
        if match["name"] in spans:
            raise ValueError(f"{readable(match['name'])!r} is given twice")
        spans[match["name"]] = match.span("amount")
        if match["second"]:
            spans[f"{match['name']}{SECOND}"] = match.span("second")
    return spans


def amount_like(cents: int, model: object, unit_cents: int = 100, *, comma: bool = False) -> Any:
    """Format an amount in the style of another: text or number, with or without cents.

    >>> amount_like(19000, "190"), amount_like(2375, "-100"), amount_like(-500, "$10.00")
    ('190', '23.75', '-$5.00')
    >>> amount_like(-500, "(10.00)"), amount_like(500, "(£10.00)"), amount_like(500, "9 €")
    ('(5.00)', '£5.00', '5 €')
    >>> amount_like(2375, 25), amount_like(2500, Decimal("1.5")), amount_like(2500, "10", 1)
    (23.75, Decimal('25'), '2500')
    >>> amount_like(2500000, "25"), amount_like(2500, "0.1", 100_000)
    ('25000', '0.02500')
    """
    units, odd_cents = divmod(abs(cents), unit_cents)
    if not isinstance(model, str):
        amount = -units if cents < 0 else units
        decimal = Decimal(cents) / unit_cents
        if isinstance(model, Decimal):
            return Decimal(amount) if not odd_cents else decimal
        return float(decimal) if odd_cents or isinstance(model, float) else amount
    separator = "," if comma else "."
    text = f"{units}"
    if unit_cents > 1 and (odd_cents or separator in model):
        text += f"{separator}{odd_cents:0{len(str(unit_cents)) - 1}}"
    form = _written(model.strip(), decimal_comma=comma)
    if form is not None:
        text = f"{form.before}{text}{form.after}"
    if cents < 0:
        return f"({text})" if form is not None and form.bracketed else f"-{text}"
    return f"+{text}" if "+" in model else text
