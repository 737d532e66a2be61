"""Chips by denomination: a mapping from value in cents to number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from croupier.law.usage import currency_in_use, money

Chips: TypeAlias = Mapping[int, int]

_MOST_CENTS: Final = 10**12


def value_of(chips: Chips) -> int:
    """Value in cents.

    >>> value_of({10_000: 20, 500: 40})
    220000
    """
    return sum(value * count for value, count in chips.items())


def fault_of(chips: Chips) -> str:
    """Error in a count, or an empty string.

    >>> fault_of({2_500: -1})
    'chips of $25.00 are counted as -1: a count is one or more'
    """
    currency = currency_in_use()
    for value, count in chips.items():
        if value < 1 or (currency.own_chips and value not in currency.chips):
            return f"there is no chip of {money(value)}"
        if count < 1:
            return f"chips of {money(value)} are counted as {count}: a count is one or more"
    if not chips:
        return "no chips are named"
    return "" if value_of(chips) < _MOST_CENTS else "that is more than any table holds"


def breakdown(cents: int, denominations: Sequence[int] = ()) -> dict[int, int]:
    """Amount in the fewest chips, largest first. Raises ``ValueError``.

    >>> breakdown(137_550)
    {100000: 1, 10000: 3, 2500: 3, 50: 1}
    """
    values = sorted(denominations or currency_in_use().chips, reverse=True)
    remaining, chips = cents, dict[int, int]()
    for value in values:
        if count := remaining // value:
            chips[value], remaining = count, remaining - count * value
    if remaining:
        raise ValueError(f"{money(cents)} is no sum of chips of {money(values[-1])} and more")
    return chips


_NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
)  # fmt: skip


def chips_in_words(chips: Chips) -> str:
    """Chips and their value, largest first.

    >>> chips_in_words({10_000: 10}), chips_in_words({500: 40, 250_000: 1})
    ('ten $100 chips, $1,000', 'one $2,500 chip and 40 chips of $5, $2,700')
    """
    if not chips:
        return ""
    *parts, last = (_of_one_value(value, chips[value]) for value in sorted(chips, reverse=True))
    text = f"{', '.join(parts)} and {last}" if parts else last
    return f"{text}, {money(value_of(chips), short=True)}"


def _of_one_value(cents: int, count: int) -> str:
    value = money(cents, short=True)
    if not 0 <= count < len(_NUMBERS):
        return f"{count:,} chips of {value}"
    return f"{_NUMBERS[count]} {value} chip{'' if count == 1 else 's'}"
