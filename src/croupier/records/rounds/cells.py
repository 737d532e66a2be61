"""The cells of somebody else's record: cards, winners, amounts and marks, however they are written.

Every function raises ``ValueError`` with a sentence that says what is wrong with the cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from croupier.baccarat.coup import WINNERS
from croupier.records.rounds.card_cells import CardReader
from croupier.records.rounds.plain_cells import LONGEST_CELL, plain, readable
from croupier.records.rounds.record import MARKS, IrregularityMark

__all__ = [
    "amount_reader", "mark_reader", "total_of", "wager_name", "winner_reader",
]  # fmt: skip

_MEMORY: Final = 200_000
"""Amounts that are remembered by their text."""

_WINNERS: Final = (
    {name: name for name in WINNERS}
    | {name[0]: name for name in WINNERS}
    | {
        name: winner
        for winner, names in {
            "player": "punto joueur spieler jugador giocatore",
            "banker": "bank banco banque banquier bankier banca",
            "tie": "draw égalité egalite empate pareggio unentschieden standoff stand-off",
        }.items()
        for name in names.split()
    }
)
_WINS: Final = re.compile(r"^win[_ ]+|[_ ]+(?:wins?|won|hand|game)$")
_AMOUNT: Final = re.compile(
    r"([+-]?)\$?([0-9]{1,12}|[0-9]{1,3}(?:,[0-9]{3}){1,3})?(?:\.([0-9]{0,40}))?"
)
_FLOAT_NOISE: Final = 9
"""With so many places an amount was printed by a program that reckons in binary floats."""

_NOISE_CENTS: Final = Fraction(1, 10_000)
_ENDLESS: Final = 10**12
_PLACES: Final = 40


def wager_name(text: str) -> str:
    """Return the id of a wager however its name is written.

    >>> wager_name("Dragon 7"), wager_name("Bonus-Player")
    ('dragon_7', 'bonus_player')
    """
    return re.sub(r"[\s-]+", "_", text.strip().casefold())


def winner_reader(names: Mapping[str, str]) -> Callable[[object], str | None]:
    """Return what reads a winner; ``names`` are the writer's own."""
    known = _WINNERS | {name.strip().casefold(): winner for name, winner in names.items()}

    def winner_of(value: object) -> str | None:
        text = plain(value)
        if not text:
            return None
        winner = known.get(text.casefold()) or known.get(_WINS.sub("", text.casefold()))
        if winner is None:
            raise ValueError(f"{readable(text)!r} is not a winner: write player, banker, or tie")
        return winner

    return winner_of


def total_of(value: object) -> int | None:
    """Return the total that a cell tells; ``None`` where it is blank."""
    text = plain(value)
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise ValueError(f"{readable(text)!r} is not a Point Count: write 0 to 9")
    return int(text)


def amount_reader(
    unit_cents: int, *, decimal_comma: bool = False
) -> Callable[[object], int | Fraction | None]:
    """Return what reads an amount, in cents: of dollars, or where the unit is one cent, of cents.

    Errors of binary floats are rounded away; what else is not a whole number of cents comes as a
    fraction.

    >>> dollars, cents = amount_reader(100), amount_reader(1)
    >>> dollars("-12.5"), dollars("1,250.00"), dollars("31.349999999999998"), cents("250")
    (-1250, 125000, 3135, 250)
    >>> dollars("4.845"), dollars("")
    (Fraction(969, 2), None)
    """
    unit = "dollars" if unit_cents == 100 else "cents"
    swap = str.maketrans(",.", ".,")
    known: dict[str, int | Fraction] = {}

    def cents_of(value: object) -> int | Fraction | None:
        text = _digits(value) if isinstance(value, Decimal | float) else plain(value)
        if not text:
            return None
        if text in known:
            return known[text]
        if len(known) >= _MEMORY:
            known.clear()
        known[text] = cents = read(text)
        return cents

    def read(text: str) -> int | Fraction:
        written = text.replace("\u2212", "-")
        found = _AMOUNT.fullmatch(written.translate(swap) if decimal_comma else written)
        if found is None or not (found[2] or found[3]):
            raise ValueError(f"{readable(text)!r} is not an amount of {unit}")
        sign, whole, places = found.groups(default="")
        number = Fraction(f"{(whole or '0').replace(',', '')}.{places or '0'}") * unit_cents
        nearest = round(number)
        if len(places) >= _FLOAT_NOISE and abs(number - nearest) < _NOISE_CENTS:
            number = Fraction(nearest)
        number = -number if sign == "-" else number
        return number.numerator if number.denominator == 1 else number

    return cents_of


def _digits(number: Decimal | float) -> str:
    """Write a number of JSON or Parquet without an exponent."""
    exact = number if isinstance(number, Decimal) else Decimal(repr(number))
    exponent = exact.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exact) >= _ENDLESS or exponent < -_PLACES:
        raise ValueError("not a finite number")
    return f"{exact:f}"


def mark_reader(
    cards_of: CardReader, names: Mapping[str, str]
) -> Callable[[object], tuple[IrregularityMark, ...]]:
    """Return what reads the marks of a round, as ``void`` or ``disclosed=9h; void``."""
    own = {name.strip().casefold(): kind for name, kind in names.items()}

    def mark_of(text: str) -> IrregularityMark | None:
        kind, _, card = re.sub(r"\s*[=:]\s*", "=", text).partition("=")
        named = own.get(kind.strip().casefold())
        kind = kind.strip().casefold().replace("_", "-").replace(" ", "-")
        kind = kind if named is None else named
        if not kind or kind == "none":
            return None
        if kind not in MARKS:
            raise ValueError(f"{readable(text)!r} is not a mark: the marks are {', '.join(MARKS)}")
        cards = cards_of(card)
        if len(cards) != MARKS[kind]:
            wants = f"one card, such as {kind}=9h" if MARKS[kind] else "no card"
            raise ValueError(f"{readable(text)!r}: this mark requires {wants}")
        if None in cards:
            raise ValueError(f"{readable(text)!r}: the mark must name a card")
        return IrregularityMark(kind, cards[0] if cards else None)

    def marks_of(value: object) -> tuple[IrregularityMark, ...]:
        if isinstance(value, list | tuple):
            if len(value) > LONGEST_CELL:
                raise ValueError(f"{len(value)} marks on one round")
            texts = [_mark_text(one) for one in value]
        else:
            texts = re.split(r"[;,]", plain(value))
        return tuple(mark for mark in map(mark_of, texts) if mark is not None)

    return marks_of


def _mark_text(value: object) -> str:
    """Return a mark of a list as text: it may be an object of its kind and its card."""
    if isinstance(value, Mapping):
        kind, card = plain(value.get("kind")), plain(value.get("card"))
        return f"{kind}={card}" if card else kind
    return plain(value)
