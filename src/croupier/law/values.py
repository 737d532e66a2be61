"""Values of rules: exact types, without floating point."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from croupier.law.usage import US_DOLLARS, Currency

_ODDS_NOTATION: Final = 'write two integers from 1 to 999,999, such as "8:1"'


class Odds(NamedTuple):
    """Odds as an integer pair: ``pays`` for every ``stake`` wagered; the stake is returned too.

    >>> Odds.parse("3:2")
    Odds(pays=3, stake=2)
    >>> Odds.parse("3:2").ratio < Odds(2, 1).ratio
    True
    """

    pays: int
    stake: int

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Parse ``"8:1"``. Raises ``ValueError`` for anything but two positive integers."""
        match = re.fullmatch(r"([1-9]\d{0,5}):([1-9]\d{0,5})", text)
        if match is None:
            raise ValueError(f"{text!r} is not odds: {_ODDS_NOTATION}")
        return cls(int(match[1]), int(match[2]))

    @property
    def ratio(self) -> Fraction:
        """Winnings per unit wagered."""
        return Fraction(self.pays, self.stake)

    def __str__(self) -> str:
        return f"{self.pays}:{self.stake}"


class Kind(Enum):
    """Type of a rule's value, which determines its notation."""

    COUNT = "count"
    """An integer."""
    MONEY = "money"
    """Written as text (``"0.05"``), stored in minor units of the currency, such as cents."""
    ODDS = "odds"
    """``"8:1"``."""
    RATE = "rate"
    """``"5%"`` or ``"1/4"``, stored as a fraction."""
    FLAG = "flag"
    """True or false."""
    WORD = "word"
    """One of several words for alternatives."""
    TEXT = "text"
    """Free text supplied by the licensee."""
    WORDS = "words"
    """Words to be spoken at the table."""
    TABLE = "table"
    """Rows by name."""
    PAYTABLE = "paytable"
    """Odds by pay line."""
    AWARDS = "awards"
    """Amounts by pay line, stored in cents."""
    WAGER = "wager"
    """A wager's shape and parameters."""
    ORDER = "order"
    """Words in order."""
    GROUPS = "groups"
    """Lists of words."""
    PROCEDURE = "procedure"
    """Implemented by a Python function. It has no value."""


MAX_COUNT: Final = 999_999_999
"""The largest count in a file."""

_MAX_RATE_DIGITS: Final = 64
"""Maximum digits of a rate's terms, because exact house edges sum many fractions."""

Value: TypeAlias = (
    "int | bool | str | Odds | Fraction | tuple[str, ...] | tuple[int, ...] | "
    "tuple[tuple[str, ...], ...] | Mapping[str, Value]"
)


def size_of(value: Value) -> Fraction | int:
    if isinstance(value, Odds):
        return value.ratio
    if isinstance(value, int | Fraction):
        return value
    raise TypeError(f"{value!r} cannot be compared")


def _odds(raw: object) -> Odds:
    if not isinstance(raw, str):
        raise ValueError(f"{raw!r} is not odds: {_ODDS_NOTATION}, as a string")
    return Odds.parse(raw)


def _rate(raw: str) -> Fraction:
    if match := re.fullmatch(r"(\d{1,3}(?:\.\d{1,4})?)%", raw):
        rate = Fraction(match[1]) / 100
    elif re.fullmatch(rf"\d{{1,{_MAX_RATE_DIGITS}}}/[1-9]\d{{0,{_MAX_RATE_DIGITS - 1}}}", raw):
        rate = Fraction(raw)
    else:
        raise ValueError(f'{raw!r} is not a rate: write "5%", "0.4%" or "1/4"')
    if rate > 1:
        raise ValueError(f"{raw!r} is above the maximum rate of 100%")
    return rate


def _count(raw: object) -> int:
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw <= MAX_COUNT:
        return raw
    if isinstance(raw, int) and raw > MAX_COUNT:
        raise ValueError(f"{raw} is above the maximum count of {MAX_COUNT:,}")
    raise ValueError(f"{raw!r} is not a count: write an integer, zero or greater")


def _text(raw: object) -> str:
    if isinstance(raw, str) and raw.strip():
        return raw
    raise ValueError(f"{raw!r} must be a nonempty string")


def _rows(raw: object) -> Mapping[str, object]:
    if isinstance(raw, Mapping) and raw:
        return raw
    raise ValueError(f"{raw!r} must be a nonempty table of rows")


def _flag(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    raise ValueError(f"{raw!r} must be true or false")


def _word(raw: object) -> str:
    if isinstance(raw, list):
        raise ValueError(f"{raw!r}: choose only one; they exclude one another")
    return _text(raw)


def _wager(raw: object) -> Value:
    # The game validates the shape.
    return {name: _plain(row) for name, row in _rows(raw).items()}


def _plain(raw: object) -> Value:
    match raw:
        case Mapping():
            return _wager(raw)
        case list() if raw and all(type(item) is int for item in raw):
            return tuple(raw)
        case list() if raw and all(isinstance(item, str) for item in raw):
            return tuple(raw)
        case bool() | int() | str():
            return raw
        case _:
            raise ValueError(f"{raw!r}: write a string, an integer, true or false, or a list")


def _order(raw: object) -> tuple[str, ...]:
    if isinstance(raw, list) and raw:
        return tuple(_text(word) for word in raw)
    raise ValueError(f"{raw!r} must be a nonempty list of words")


def _groups(raw: object) -> tuple[tuple[str, ...], ...]:
    if isinstance(raw, list) and raw:
        return tuple(_order(words) for words in raw)
    raise ValueError(f"{raw!r} must be a nonempty list of lists of words")


def _procedure(raw: object) -> Value:
    raise ValueError(f"a procedure has no value, but {raw!r} is given: a function implements it")


_READERS: Final[Mapping[Kind, Callable[[object], Value]]] = {
    Kind.COUNT: _count,
    Kind.ODDS: _odds,
    Kind.RATE: lambda raw: _rate(_text(raw)),
    Kind.FLAG: _flag,
    Kind.WORD: _word,
    Kind.TEXT: _text,
    Kind.WORDS: _text,
    Kind.TABLE: lambda raw: {
        name: _text(row) if isinstance(row, str) else _count(row)
        for name, row in _rows(raw).items()
    },
    Kind.PAYTABLE: lambda raw: {line: _odds(odds) for line, odds in _rows(raw).items()},
    Kind.WAGER: _wager,
    Kind.ORDER: _order,
    Kind.GROUPS: _groups,
    Kind.PROCEDURE: _procedure,
}


def parse_value(kind: Kind, raw: object, currency: Currency = US_DOLLARS) -> Value:
    """Read a TOML value of a kind. Raises ``ValueError`` with the correct notation.

    >>> parse_value(Kind.RATE, "5%")
    Fraction(1, 20)
    """
    if kind is Kind.MONEY:
        return currency.read(raw)
    if kind is Kind.AWARDS:
        return {line: currency.read(amount) for line, amount in _rows(raw).items()}
    return _READERS[kind](raw)


def percent(rate: Fraction) -> str:
    """Rate as a file has it: in percent, unless that takes more than four decimals.

    >>> percent(Fraction(1, 20)), percent(Fraction(3, 80)), percent(Fraction(1, 3))
    ('5%', '3.75%', '1/3')
    """
    whole, rest = divmod(rate * 1_000_000, 10_000)
    if rest.denominator != 1:
        return str(rate)
    return f"{whole}.{int(rest):04}".rstrip("0").rstrip(".") + "%"


def written(kind: Kind, value: Value, currency: Currency = US_DOLLARS) -> str:
    """Value of a kind as written in a file.

    >>> written(Kind.RATE, Fraction(1, 20)), written(Kind.MONEY, 5)
    ('5%', '0.05')
    """
    match value:
        case bool():
            return "true" if value else "false"
        case Fraction():
            return percent(value)
        case int() if kind in {Kind.MONEY, Kind.AWARDS}:
            return currency.plain(value)
        case Mapping():
            return (
                "{"
                + ", ".join(f"{name} {written(kind, row, currency)}" for name, row in value.items())
                + "}"
            )
        case tuple() if kind is Kind.GROUPS:
            return "; ".join(" and ".join(map(str, words)) for words in value)  # type: ignore[arg-type]
        case tuple() if not isinstance(value, Odds):
            return ", ".join(map(str, value))
        case _:
            return str(value)


def canonical(value: Value) -> object:
    match value:
        case Odds():
            return str(value)
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case tuple():
            return [list(item) if isinstance(item, tuple) else item for item in value]
        case Mapping():
            return {name: canonical(row) for name, row in value.items()}
        case _:
            return value
