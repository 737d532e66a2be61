"""Parsing of typed answers into the form of the key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from croupier.law.usage import currency_in_use, money
from croupier.money.chips import breakdown, value_of
from croupier.table.machine.offered import Field

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_CHIPS: Final = re.compile(r"([0-9]{1,6})\s*[x*]\s*(\S+)")
_LONGEST: Final = 400


def lettered(field: Field) -> tuple[tuple[str, str, str], ...]:
    """Choices of a field: letter, value, and words."""
    return tuple(
        (LETTERS[at], str(value), words) for at, (value, words) in enumerate(field.choices)
    )


def accepted(field: Field) -> str:
    match field.kind:
        case "choice":
            return "the letter of one choice"
        case "order":
            return f"all {len(field.choices)} letters in order, such as {LETTERS[:2][::-1]}..."
        case "cents":
            return f"an amount in {currency_in_use().unit}, such as {money(1950)}"
        case "chips":
            few = [money(value, short=True) for value in (2500, 500)]
            return f"chips, the largest first, such as 3 x {few[0]}, 1 x {few[1]}"
        case "count":
            return "a number"
        case _:
            return "the exact words"


def read_answer(field: Field, text: str) -> str | None:
    """Read an answer in the form of the key; ``None`` if it cannot be read.

    A choice is given by letter or value, an order by letters. Capitals and punctuation are ignored.

    >>> read_answer(Field("amount", "cents", "Amount"), "19.5")
    '$19.50'
    >>> read_answer(Field("chips", "chips", "Chips"), "1x5, 3 x $25")
    '3 x $25.00, 1 x $5.00'
    """
    text = " ".join(text[:_LONGEST].split())
    match field.kind:
        case "choice":
            return _choice(field, text)
        case "order":
            return _order(field, text)
        case "cents":
            cents = _cents(text)
            return None if cents is None else money(cents)
        case "chips":
            return _chips(text)
        case "count":
            return str(int(text)) if re.fullmatch(r"[0-9]{1,9}", text) else None
        case _:
            return _words(text) or None


def written_answer(field: Field, value: str) -> str:
    choices = {str(choice): words for choice, words in field.choices}
    if field.kind == "order":
        return "; ".join(f"{at}. {choices[word]}" for at, word in enumerate(value.split(), 1))
    return choices.get(value, value)


def in_chips(cents: int) -> str | None:
    """Fewest chips of an amount, if there are any."""
    try:
        return _listed(breakdown(cents)) if cents else None
    except ValueError:
        return None


def cents_in(text: str) -> int:
    """Cents of an amount written by ``read_answer``."""
    return _cents(text) or 0


def chips_in(text: str) -> int:
    """Value in cents of chips written by ``read_answer``."""
    return value_of(_read_chips(text) or {})


def _choice(field: Field, text: str) -> str | None:
    for letter, value, words in lettered(field):
        if text.casefold() in {letter, value.casefold(), words.casefold()}:
            return value
    return None


def _order(field: Field, text: str) -> str | None:
    by_letter = {letter: value for letter, value, _ in lettered(field)}
    values = set(by_letter.values())
    found = text.split()
    if not set(found) <= values:
        found = [by_letter.get(one, "") for one in text.casefold() if one not in " ,;.>-"]
    return " ".join(found) if sorted(found) == sorted(values) else None


def _cents(text: str) -> int | None:
    return currency_in_use().typed(text)


def _chips(text: str) -> str | None:
    chips = _read_chips(text)
    return _listed(chips) if chips else None


def _listed(chips: Mapping[int, int]) -> str:
    return ", ".join(f"{chips[chip]:,} x {money(chip)}" for chip in sorted(chips, reverse=True))


def _read_chips(text: str) -> dict[int, int] | None:
    chips: dict[int, int] = {}
    for part in re.split(
        r"[,;+]\s+|;|\+|,(?=\s*[0-9]+\s*[x*])|(?<=[0-9])\s+(?=[0-9]+\s*[x*])", text
    ):
        found = _CHIPS.fullmatch(part.strip())
        cents = None if found is None else _cents(found[2].rstrip(","))
        if found is None or not cents or not int(found[1]):
            return None
        chips[cents] = chips.get(cents, 0) + int(found[1])
    return chips


def _words(text: str) -> str:
    return " ".join(re.findall(r"[\w'’$%.:-]*\w", text.casefold().replace("’", "'")))
