"""The currency of a law and its names of offices, as people read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import Final, TypeVar

from msgspec import Struct, field

Returned = TypeVar("Returned")

MAX_WHOLE: Final = 999_999_999_999
"""The largest amount in a file, in whole dollars or the like."""

CHIPS: Final = (50, 100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 2_500_000)
"""Chip values of a law that does not name its own, in minor units."""

_TYPED: Final = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?:\.([0-9]{1,2}))?")


class Currency(Struct, frozen=True):
    """A currency: its ISO 4217 code, sign, and digits after the point.

    Amounts are integers of its minor unit: cents, or yen, which have none. ``chips`` are the values
    of its chips; ``own_chips`` says that the law names them, so that there are no others.
    """

    code: str = "USD"
    sign: str = "$"
    decimals: int = 2
    chips: tuple[int, ...] = CHIPS
    own_chips: bool = False

    @property
    def minor(self) -> int:
        """Minor units of a whole dollar, yen, or the like."""
        return int(10**self.decimals)

    @property
    def unit(self) -> str:
        """What a hint calls its whole amounts."""
        return "dollars" if self.sign.endswith("$") else self.code

    @property
    def example(self) -> str:
        """Amounts that may be typed, for a hint."""
        return "25 or 2.50" if self.decimals else "2500"

    @property
    def pairs(self) -> str:
        """Limits as a file has them, for a hint."""
        return '[25, 5000] or ["2.50", "500.00"]' if self.decimals else "[2500, 500000]"

    def plain(self, amount: int) -> str:
        """Amount as a file has it, without a sign.

        >>> Currency().plain(5), Currency("JPY", "¥", 0).plain(500)
        ('0.05', '500')
        """
        whole, rest = divmod(abs(amount), self.minor)
        return f"{'-' if amount < 0 else ''}{whole}" + self._rest(rest)

    def shown(self, amount: int) -> str:
        """Amount as people read it.

        >>> Currency().shown(-123450), Currency("JPY", "¥", 0).shown(5000)
        ('-$1,234.50', '¥5,000')
        """
        whole, rest = divmod(abs(amount), self.minor)
        return f"{'-' if amount < 0 else ''}{self.sign}{whole:,}" + self._rest(rest)

    def typed(self, text: str) -> int | None:
        """Amount as people type it, with or without the sign; ``None`` if it is not one.

        >>> Currency().typed("$1,234.5"), Currency().typed("1.234"), Currency().typed("25")
        (123450, None, 2500)
        """
        match = _TYPED.fullmatch(text.strip().removeprefix(self.sign).strip())
        cents = "" if match is None else (match[2] or "")
        if match is None or len(cents) > self.decimals:
            return None
        return int(match[1].replace(",", "") + cents.ljust(self.decimals, "0"))

    def _rest(self, rest: int) -> str:
        return f".{rest:0{self.decimals}}" if self.decimals else ""

    def read(self, amount: object) -> int:
        """Read an amount of a file: whole dollars as an integer, or text such as ``"12.50"``.

        Raises ``ValueError``.

        >>> Currency().read("0.05"), Currency().read(25), Currency("JPY", "¥", 0).read(25)
        (5, 2500, 25)
        """
        if isinstance(amount, int) and not isinstance(amount, bool) and amount >= 0:
            if amount > MAX_WHOLE:
                raise ValueError(f"{amount} is above the maximum of {self.sign}{MAX_WHOLE:,}")
            return amount * self.minor
        cents = rf"(?:\.(\d{{{self.decimals}}}))?" if self.decimals else "()"
        if isinstance(amount, str) and (match := re.fullmatch(rf"(\d{{1,12}}){cents}", amount)):
            return int(match[1]) * self.minor + int(match[2] or 0)
        hint = ', or a string with cents, such as "12.50"' if self.decimals else ""
        raise ValueError(f"{amount!r} is not an amount of money: write whole {self.unit}{hint}")


US_DOLLARS: Final = Currency()


class Usage(Struct, frozen=True, dict=True):
    """How a law writes amounts, and what it calls offices, by id."""

    currency: Currency = US_DOLLARS
    offices: Mapping[str, str] = field(default_factory=dict)

    def named(self, text: str, people: Iterable[str] = ()) -> str:
        """Text of the program with the law's names of offices, and people as they are.

        >>> Usage(offices={"floorperson": "inspector"}).named("A floorperson asks the dealer")
        'An inspector asks the dealer'
        """
        if self._offices is None:
            return text
        persons = [person for person in people if person and person not in self.offices]
        if not persons:
            return self._offices.sub(self._name, text)
        names = "|".join(map(re.escape, sorted(persons, key=len, reverse=True)))
        parts = re.split(rf"(?<!\w)({names})(?!\w)", text)
        return "".join(
            part if at % 2 else self._offices.sub(self._name, part) for at, part in enumerate(parts)
        )

    @cached_property
    def _offices(self) -> re.Pattern[str] | None:
        ids = "|".join(sorted(self.offices, key=len, reverse=True))
        return re.compile(rf"(?<!{{)\b(an? )?({ids})(s|es)?\b", re.IGNORECASE) if ids else None

    def _name(self, match: re.Match[str]) -> str:
        article, office = match[1] or "", self.offices[match[2].lower()]
        if match[2][0].isupper():
            office = office[0].upper() + office[1:]
        if article:
            article = f"{article[0]}{'n' if office[0] in 'aeiou' else ''} "
        ending = "" if not match[3] else "es" if office.endswith(("s", "x", "ch")) else "s"
        return article + office + ending


_PLAIN: Final = Usage()
_IN_USE: Final = ContextVar("usage", default=_PLAIN)


def currency_in_use() -> Currency:
    return _IN_USE.get().currency


def use(usage: Usage) -> None:
    """Follow the usage of a law from now on, in this thread or task."""
    _IN_USE.set(usage)


@contextmanager
def under(usage: Usage) -> Iterator[None]:
    before = _IN_USE.set(usage)
    try:
        yield
    finally:
        _IN_USE.reset(before)


def called_under(usage: Usage, function: Callable[..., Returned], *arguments: object) -> Returned:
    """Call a function under a usage: for every command, where a context would take too long."""
    before = _IN_USE.set(usage)
    try:
        return function(*arguments)
    finally:
        _IN_USE.reset(before)


def named(text: str, people: Iterable[str] = ()) -> str:
    """Text of the program with the names of offices in use, and people as they are."""
    return _IN_USE.get().named(text, people)


def money(amount: int, *, short: bool = False) -> str:
    """Write an amount for people; ``short`` leaves out zero cents.

    >>> money(123450), money(-5), money(2500, short=True)
    ('$1,234.50', '-$0.05', '$25')
    >>> with under(Usage(Currency("HKD", "HK$"))):
    ...     money(2500)
    'HK$25.00'
    """
    currency = _IN_USE.get().currency
    text = currency.shown(amount)
    return text.removesuffix(f".{'0' * currency.decimals}") if short else text


def amount_of(text: object) -> int:
    return _IN_USE.get().currency.read(text)


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "round"), counted(1200, "round"), counted(2, "loss", "losses")
    ('1 round', '1,200 rounds', '2 losses')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
