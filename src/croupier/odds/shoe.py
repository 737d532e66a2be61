"""A shoe: the number of cards of each kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.baccarat.coup import POINT_VALUE
from croupier.files.errors import ListedError
from croupier.files.text import JsonError, parse_json

LEAST_CARDS: Final = 6
"""Minimum number of cards, since a coup may require six."""

MOST_DECKS: Final = 64
"""More than any table uses."""

MOST_CARDS: Final = MOST_DECKS * len(DECK)

_RANKS: Final = tuple(rank.value for rank in Rank)
_CARDS: Final = tuple(card.notation for card in DECK)
_RANK_OF: Final = {**{name: name for name in _RANKS}, "10": "T"}
_CARD_OF: Final = {
    **{name: name for name in _CARDS},
    **{f"10{suit}": f"T{suit}" for suit in "cdhs"},
}

# The values of the ranks, ace to king.
_VALUES: Final = tuple(POINT_VALUE[rank] for rank in Rank)

_HOW: Final = 'write decks (8), counts by rank ("A=32,2=31,...") or by card ("Ah=8,...")'


class ShoeError(ListedError):
    """An impossible shoe, or missing information about one; ``errors`` lists every error."""


class ShoeComposition(Struct, frozen=True):
    """The cards of a shoe by rank, ace to king, and by card of ``DECK`` if suits are known.

    >>> shoe = ShoeComposition.of_decks(8)
    >>> shoe.cards, shoe.by_value
    (416, (128, 32, 32, 32, 32, 32, 32, 32, 32, 32))
    """

    ranks: tuple[int, ...]
    suited: tuple[int, ...] | None = None

    @classmethod
    def of_decks(cls, decks: int) -> ShoeComposition:
        """Full shoe. Raises ``ShoeError`` for an invalid number of decks."""
        if isinstance(decks, bool) or not 1 <= decks <= MOST_DECKS:
            raise ShoeError(f"{decks} decks: write a number from 1 to {MOST_DECKS}")
        return cls((4 * decks,) * len(_RANKS), (decks,) * len(_CARDS))

    @classmethod
    def of(cls, counts: Mapping[str, object]) -> ShoeComposition:
        """Shoe from its counts by rank or by card; missing ones are zero.

        Raises ``ShoeError`` with every error.

        >>> ShoeComposition.of({"A": 4, "9": 3, "K": 2}).ranks
        (4, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2)
        """
        return _composition(counts.items(), [])

    @property
    def cards(self) -> int:
        return sum(self.ranks)

    @property
    def by_value(self) -> tuple[int, ...]:
        """Number of cards of each value, 0 to 9."""
        counts = [0] * 10
        for value, count in zip(_VALUES, self.ranks, strict=True):
            counts[value] += count
        return tuple(counts)

    @property
    def by_rank(self) -> dict[str, int]:
        return dict(zip(_RANKS, self.ranks, strict=True))

    @property
    def by_card(self) -> dict[str, int]:
        """Number of each card. Raises ``ShoeError`` without suits."""
        return dict(zip(_CARDS, self.suits_for("the number of each card"), strict=True))

    def suits_for(self, what: str) -> tuple[int, ...]:
        """Return the counts by card. Raises ``ShoeError``, which names ``what``, without suits."""
        if self.suited is None:
            raise ShoeError(
                f"{what} depends on suits, but this shoe is specified by rank; specify it by card"
            )
        return self.suited

    def check_round(self) -> None:
        """Raise ``ShoeError`` for fewer cards than a round may require."""
        if self.cards < LEAST_CARDS:
            raise ShoeError(f"{self.cards} cards: a round may require {LEAST_CARDS}")

    def without(self, cards: Iterable[Card]) -> ShoeComposition:
        """Shoe without some cards. Raises ``ShoeError`` with every missing card."""
        counts, names = self.suited, _CARDS
        if counts is None:
            counts, names = self.ranks, _RANKS
        # Card indices enumerate the ranks of one suit after another.
        removed = Counter(card.index % len(names) for card in cards)
        errors = [
            f"{number} of {names[index]} were seen, but the shoe has {counts[index]}"
            for index, number in sorted(removed.items())
            if number > counts[index]
        ]
        if errors:
            raise ShoeError(*errors)
        left = tuple(count - removed[index] for index, count in enumerate(counts))
        return ShoeComposition(left) if self.suited is None else _of_cards(left)

    def __str__(self) -> str:
        counts = self.by_rank if self.suited is None else self.by_card
        if self.suited is not None and len(set(self.suited)) == 1:
            return str(self.suited[0])
        return ",".join(f"{name}={count}" for name, count in counts.items())


def _of_cards(suited: tuple[int, ...]) -> ShoeComposition:
    return ShoeComposition(
        tuple(sum(suited[index :: len(_RANKS)]) for index in range(len(_RANKS))), suited
    )


def parse_shoe(text: str) -> ShoeComposition:
    """Read a shoe: decks, counts by rank or by card (``A=32,2=31``), or JSON with either.

    Raises ``ShoeError`` with every error.

    >>> parse_shoe("Ah=2,Kd=2,9c=2").cards, parse_shoe('{"decks": 6}').cards
    (6, 312)
    """
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,6}", text):
        return ShoeComposition.of_decks(int(text))
    if text.startswith("{"):
        return _of_json(text)
    if not text:
        raise ShoeError(f"no shoe is given: {_HOW}")
    pairs: list[tuple[str, object]] = []
    errors = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9A-Za-z]{1,3})\s*=\s*(-?[0-9]{1,9})\s*", part)
        if match is None:
            errors.append(f"{part.strip()!r} is not a count: {_HOW}")
        else:
            pairs.append((match[1], int(match[2])))
    return _composition(pairs, errors)


def _composition(pairs: Iterable[tuple[str, object]], errors: list[str]) -> ShoeComposition:
    counts = _counted(pairs, errors)
    by_rank = [name for name in counts if len(name) == 1]
    if by_rank and len(by_rank) < len(counts):
        ranks = ", ".join(by_rank)
        errors.append(f"some counts are by rank ({ranks}), others by card: use one kind")
    cards = sum(counts.values())
    if cards > MOST_CARDS:
        errors.append(f"{cards} cards: the maximum is {MOST_CARDS}")
    # What could not be read might have made up the number.
    if cards < LEAST_CARDS and not errors:
        errors.append(f"{cards} cards: a round may require {LEAST_CARDS}")
    if errors:
        raise ShoeError(*errors)
    if by_rank:
        return ShoeComposition(tuple(counts.get(name, 0) for name in _RANKS))
    return _of_cards(tuple(counts.get(name, 0) for name in _CARDS))


def _counted(pairs: Iterable[tuple[str, object]], errors: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name, count in pairs:
        kind = _RANK_OF.get(name) or _CARD_OF.get(name)
        number = count if type(count) is int and count >= 0 else None
        if number is None:
            errors.append(f"{name}={count!r}: the count must be an integer, zero or greater")
        if kind is None:
            errors.append(f"{name!r} is neither a rank (A 2-9 T J Q K) nor a card (9h)")
            continue
        if kind in counts:
            errors.append(f"{name!r}: {kind} is given twice")
        counts[kind] = number or 0
    return counts


def _of_json(text: str) -> ShoeComposition:
    try:
        fields = parse_json(text)
    except JsonError as error:
        raise ShoeError(str(error)) from None
    form = next((name for name in ("decks", "by_rank", "by_card") if name in fields), None)
    if form is None:
        return _composition(fields.items(), [])
    errors = [
        f"{name!r} cannot be combined with {form!r}: {_HOW}"
        for name in fields
        if name not in {form, "cards"}
    ]
    counts = fields[form]
    if form == "decks" and type(counts) is not int:
        errors.append(f"decks: {counts!r} is not an integer")
    if form != "decks" and not isinstance(counts, dict):
        errors.append(f"{form}: write an object of counts by name")
    if errors:
        raise ShoeError(*errors)
    shoe = ShoeComposition.of_decks(counts) if form == "decks" else _composition(counts.items(), [])
    if fields.get("cards", shoe.cards) != shoe.cards:
        raise ShoeError(
            f"cards: {fields['cards']!r} are stated, but the counts add up to {shoe.cards}"
        )
    return shoe
