"""Effects of removal, and the card counts derived from them: see ``docs/counting.md``."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from math import isqrt, lcm, sqrt
from statistics import NormalDist
from typing import Final, TypeAlias

from msgspec import Struct

from croupier.baccarat.cards import DECK, DECK_SIZE, Card, Rank
from croupier.baccarat.coup import POINT_VALUE
from croupier.baccarat.wagers import CARDS, FACTS
from croupier.files.errors import ListedError
from croupier.odds.chances import RED, census_of
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition
from croupier.rules import TableRules

Tags: TypeAlias = tuple[Fraction, ...]
"""The tag of each rank, ace to king."""

MOST_TAG: Final = 5
"""Largest integer tag in a search."""

_GREATEST: Final = 100
_DEPTHS: Final = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
_RANKS: Final = tuple(rank.value for rank in Rank)
_VALUES: Final = tuple(POINT_VALUE[rank] for rank in Rank)
_NAMES: Final = {**{name: place for place, name in enumerate(_RANKS)}, "10": _RANKS.index("T")}
_TAG: Final = re.compile(r"\s*([0-9A-Za-z]{1,2})\s*=\s*([+-]?[0-9]{1,4}(?:\.[0-9]{1,6})?)\s*")
_HOW: Final = "write a rank (A 2-9 T J Q K) and its tag, as 8=2 or 4=-0.5"


class CountingError(ListedError):
    """An invalid count, or a wager that cannot be counted; ``errors`` lists the reasons."""


class RemovalEffects(Struct, frozen=True, dict=True):
    """The expected net result of a unit on a wager, and its change by removal of each rank."""

    wager: str
    shoe: ShoeComposition
    expectation: Fraction
    by_rank: tuple[Fraction, ...]

    @cached_property
    def variance(self) -> Fraction:
        """Mean square of the effects over the cards of the shoe."""
        squares = (n * effect**2 for n, effect in zip(self.shoe.ranks, self.by_rank, strict=True))
        return sum(squares, Fraction()) / self.shoe.cards


def effects_of_removal(rules: TableRules, wager: str, shoe: ShoeComposition) -> RemovalEffects:
    """Exact effects of removal on a wager; by rank, the mean of its cards.

    Raises ``KeyError`` for a wager not on offer, and ``CountingError`` for too few cards or unknown
    suits.
    """
    asks = rules.offers[wager].wager.asks
    if "royals" in asks and shoe.suited is None:
        raise CountingError(f"{wager} depends on suits: give the shoe by card or by decks")
    if shoe.cards <= LEAST_CARDS:
        raise CountingError(f"{shoe.cards} cards: a round may require {LEAST_CARDS}, plus one")
    found: dict[tuple[tuple[int, ...], ...], Fraction] = {}

    def expectation(ranks: Sequence[int]) -> Fraction:
        # Ranks of one value differ only in their numbers.
        kept_cards = tuple(
            tuple(sorted(n for n, worth in zip(ranks, _VALUES, strict=True) if worth == value))
            for value in range(10)
        )
        if kept_cards not in found:
            ways = census_of(ShoeComposition(tuple(ranks)), rules, asks)
            sheet = wager_sheet(rules, wager, ways, meters=rules.meter_seeds)
            found[kept_cards] = sheet.expectation
        return found[kept_cards]

    if on_cards(asks) and shoe.suited is not None:
        return _by_card(rules, wager, shoe)
    full_shoe = expectation(shoe.ranks)
    effects = []
    for place, number in enumerate(shoe.ranks):
        left = list(shoe.ranks)
        left[place] -= 1
        effects.append(expectation(left) - full_shoe if number else Fraction())
    return RemovalEffects(wager, shoe, full_shoe, tuple(effects))


def on_cards(asks: Sequence[str]) -> bool:
    """Whether a wager that needs these facts depends on cards, not only on ranks.

    >>> on_cards(("counts", "pairs")), on_cards(("royals",))
    (False, True)
    """
    return asks[0] == CARDS or "royals" in asks


def gains(effects: RemovalEffects) -> dict[str, float]:
    """Gain of a perfect linear count per 100 rounds, by the part of the shoe dealt."""
    return {f"{float(depth):.0%}": 100 * gain(effects, depth) for depth in _DEPTHS}


def gain(effects: RemovalEffects, depth: Fraction) -> float:
    """Estimate a perfect linear count's gain per round at a depth, in units."""
    cards = effects.shoe.cards
    cards_out = int(cards * depth)
    spread = sqrt(float(effects.variance) * (cards - 1) * cards_out / (cards - cards_out))
    return _gain(-float(effects.expectation), spread)


def _by_card(rules: TableRules, wager: str, shoe: ShoeComposition) -> RemovalEffects:
    asks, counts = rules.offers[wager].wager.asks, shoe.by_card
    group_of = _alike(asks, shoe)
    found: dict[Hashable, Fraction] = {}

    def expectation(left: ShoeComposition) -> Fraction:
        ways = census_of(left, rules, asks)
        return wager_sheet(rules, wager, ways, meters=rules.meter_seeds).expectation

    def without(card: Card) -> Fraction:
        key = group_of(card)
        if key not in found:
            found[key] = expectation(shoe.without([card]))
        return found[key]

    full_shoe = expectation(shoe)
    effects = []
    for rank in Rank:
        cards = [card for card in DECK if card.rank is rank and counts[card.notation]]
        sums = sum((counts[card.notation] * without(card) for card in cards), Fraction())
        number = sum(counts[card.notation] for card in cards)
        effects.append(sums / number - full_shoe if number else Fraction())
    return RemovalEffects(wager, shoe, full_shoe, tuple(effects))


_OF_LIKENESS: Final = ("pair", "pairs", "suited", "of_a_suit", "of_a_rank", "same_ranks")
"""Facts that depend on whether cards are alike, not on which they are."""


def _alike(asks: Sequence[str], shoe: ShoeComposition) -> Callable[[Card], Hashable]:
    if asks[0] != CARDS or len(set(shoe.by_card.values())) != 1:
        return lambda card: card
    kinds = {
        card
        for name in asks[1:]
        # A comparison is not in the table.
        if name not in FACTS or not name.endswith(_OF_LIKENESS)
        for part in FACTS[name].parts
        for card in part.tells
    }

    def key(card: Card) -> Hashable:
        suit = card.suit if "suit" in kinds else card.suit in RED if "color" in kinds else None
        return suit, card.rank if "rank" in kinds else POINT_VALUE[card.rank]

    return key


# --- tags --------------------------------------------------------------------------------------


def parse_tags(text: str) -> Tags:
    """Read the tags of a count; other ranks have tag zero.

    Raises ``CountingError`` with every error.

    >>> [str(tag) for tag in parse_tags("A=1, 10=-0.5,K=-2")]
    ['1', '0', '0', '0', '0', '0', '0', '0', '0', '-1/2', '0', '0', '-2']
    """
    tags: dict[int, Fraction] = {}
    errors = []
    for part in text.split(",") if text.strip() else ():
        match = _TAG.fullmatch(part)
        place = None if match is None else _NAMES.get(match[1].upper())
        if match is None or place is None:
            errors.append(f"{part.strip()!r} is not a tag: {_HOW}")
            continue
        if place in tags:
            errors.append(f"{part.strip()!r}: {_RANKS[place]} has a tag already")
        tags[place] = Fraction(match[2])
        if abs(tags[place]) > _GREATEST:
            errors.append(f"{part.strip()!r}: a tag must be from -{_GREATEST} to {_GREATEST}")
    if not errors and not any(tags.values()):
        errors.append(f"every tag is zero: {_HOW}")
    if errors:
        raise CountingError(*errors)
    return tuple(tags.get(place, Fraction()) for place in range(len(_RANKS)))


def tags_text(tags: Tags) -> str:
    """Tags as text, without zeros.

    >>> tags_text(parse_tags("9=2,4=-1,T=0,5=0.25"))
    '4=-1,5=0.25,9=2'
    """
    tagged = ((name, tag) for name, tag in zip(_RANKS, tags, strict=True) if tag)
    return ",".join(f"{name}={_decimal(tag)}" for name, tag in tagged)


def _decimal(tag: Fraction) -> str:
    return str(tag) if tag.denominator == 1 else f"{float(tag):.6f}".rstrip("0")


def best_tags(effects: RemovalEffects) -> Tags:
    """Make one true count an advantage of 1%. Raises ``CountingError`` without effects."""
    if not effects.variance:
        raise CountingError(
            f"every rank has the same effect of removal on {effects.wager}: there is no best "
            "linear count"
        )
    scale = Fraction(100 * (effects.shoe.cards - 1), DECK_SIZE)
    return tuple(scale * effect for effect in effects.by_rank)


def small_tags(effects: RemovalEffects, largest: int = 2) -> Tags:
    """Simplest balanced integer tags that correlate best with the effects.

    Raises ``CountingError`` if there are none, or unless ``largest`` is 1 to 5.
    """
    if not 1 <= largest <= MOST_TAG:
        raise CountingError(f"{largest}: the maximum integer tag must be from 1 to {MOST_TAG}")
    best_tags(effects)
    scale = lcm(*(effect.denominator for effect in effects.by_rank))
    scaled = [int(effect * scale) for effect in effects.by_rank]
    ranks = {effect: scaled.count(effect) for effect in scaled}
    # By sum of tags and of squares: the maximum product with the effects.
    found: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(0, 0): (0, ())}
    for effect, number in ranks.items():
        reached: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
        for (balance, squares), (gain, tags) in found.items():
            for tag in range(-largest, largest + 1):
                at = balance + number * tag, squares + number * tag * tag
                candidate = gain + number * tag * effect, (*tags, tag)
                if at not in reached or candidate > reached[at]:
                    reached[at] = candidate
        found = reached
    best, best_squares, chosen = 0, 1, tuple[int, ...]()
    for (balance, squares), (gain, tags) in sorted(found.items()):
        if not balance and gain > 0 and gain**2 * best_squares > best**2 * squares:
            best, best_squares, chosen = gain, squares, tags
    if not chosen:
        raise CountingError(f"no balanced tags up to {largest} match the effects of removal")
    tag_of = dict(zip(ranks, chosen, strict=True))
    return tuple(Fraction(tag_of[effect]) for effect in scaled)


# --- how good a count is -----------------------------------------------------------------------


def correlation(effects: RemovalEffects, tags: Tags) -> float | None:
    """Correlation of tags with the effects, over the cards of the shoe, if any."""
    cards = effects.shoe.cards
    weighed = list(zip(effects.shoe.ranks, tags, effects.by_rank, strict=True))
    mean = sum((n * tag for n, tag, _ in weighed), Fraction()) / cards
    spread = sum((n * (tag - mean) ** 2 for n, tag, _ in weighed), Fraction()) / cards
    if not spread or not effects.variance:
        return None
    joint = sum((n * tag * effect for n, tag, effect in weighed), Fraction()) / cards
    size = _root(joint**2 / (spread * effects.variance))
    return size if joint > 0 else -size


def betting_efficiency(
    effects: RemovalEffects, tags: Tags, *, cards_behind: int = 14
) -> float | None:
    """Gain of a count relative to the best linear count, if that gains anything."""
    likeness = correlation(effects, tags)
    if likeness is None:
        return None
    cards, edge = effects.shoe.cards, float(-effects.expectation)
    deviation = (cards - 1) * _root(effects.variance)
    won = best = 0.0
    for left in range(max(cards_behind, 1), cards):
        spread = deviation * sqrt((cards - left) / (left * (cards - 1)))
        won += _gain(edge, max(likeness, 0.0) * spread)
        best += _gain(edge, spread)
    return won / best if best > 0 else None


def _gain(edge: float, spread: float) -> float:
    if spread <= 0:
        return max(-edge, 0.0)
    normal = NormalDist()
    at = edge / spread
    return max(spread * (normal.pdf(at) - at * normal.cdf(-at)), 0.0)


def _root(square: Fraction) -> float:
    """Accurate square root, even if numerator and denominator exceed a float.

    >>> _root(Fraction(9 * 10**400, 4 * 10**400))
    1.5
    """
    shift = 1 << 128
    return isqrt(square.numerator * shift * shift // square.denominator) / shift
