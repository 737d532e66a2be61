"""Wagers that depend on cards: a lookup of the line hit by two *kinds* of hands."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.baccarat.cards import DECK, DECK_SIZE, Card
from croupier.baccarat.coup import CARD_VALUE, CardFacts, Facts, Hand
from croupier.baccarat.wagers import CARDS, FACTS, LOSE, PUSH, ByFacts, Condition, Wager
from croupier.odds.arrays import Integers
from croupier.odds.chances import census_of
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules

TWO: Final = DECK_SIZE**2
"""Number of ordered hands of two cards; hands of three follow them."""
_MOST_PAIRS: Final = 1_000_000
"""Maximum number of pairs of kinds, above that of any wager on offer."""

_Test = tuple[str, tuple[object, ...] | None]
"""A fact and its tested values; ``None`` if every value matters."""


class CardWager(Struct, frozen=True):
    id: str
    lines: tuple[str, ...]
    kinds: npt.NDArray[np.uint16]
    """The kind of every hand: a row for Player's Hand and one for Banker's."""
    line: npt.NDArray[np.uint16]
    """Index into ``lines`` for each kind of Player's Hand (a row) and Banker's."""


class LineLookup(NamedTuple):
    """Several wagers as read by kernels, with lines numbered consecutively."""

    kinds: npt.NDArray[np.uint16]
    first: Integers
    width: Integers
    line: Integers


def card_wagers_of(rules: TableRules) -> tuple[CardWager, ...]:
    """Raise ``ValueError`` for a wager that distinguishes too many hands."""
    offers = rules.offers.values()
    return tuple(card_wager_of(offer.wager) for offer in offers if offer.wager.asks[0] == CARDS)


def line_lookup(wagers: tuple[CardWager, ...]) -> LineLookup | None:
    if not wagers:
        return None
    sizes = np.cumsum([0, *(one.line.size for one in wagers)])
    lines = np.cumsum([0, *(len(one.lines) for one in wagers)])
    return LineLookup(
        np.stack([one.kinds for one in wagers]),
        sizes[:-1].astype(np.int64),
        np.array([one.line.shape[1] for one in wagers], dtype=np.int64),
        np.concatenate(
            [one.line.ravel().astype(np.int64) + at for one, at in zip(wagers, lines, strict=False)]
        ),
    )


def line_facts(
    rules: TableRules, shoe: ShoeComposition, wager: CardWager
) -> tuple[tuple[Facts, ...], tuple[int, ...]]:
    """Facts that hit each line of a wager, if any, and their ways in a first round."""
    offered = rules.offers[wager.id].wager
    ways = dict.fromkeys(wager.lines, 0)
    facts: dict[str, Facts] = {}
    for coup_facts, number in census_of(shoe, rules, offered.asks).items():
        line = offered.line_of(coup_facts)
        ways[line] += number
        facts.setdefault(line, coup_facts)
    example = next(iter(facts.values()))
    return tuple(facts.get(line, example) for line in wager.lines), tuple(ways.values())


def lines_of_coups(
    wager: CardWager, cards: npt.NDArray[np.uint8], own: Integers, other: Integers
) -> Integers:
    """Index of the line that each coup of six cards hits, given its third cards."""
    codes = cards.astype(np.int64) % DECK_SIZE
    player, banker = (
        wager.kinds[hand][np.where(drew, TWO + first * DECK_SIZE + third, first)]
        for hand, drew, first, third in (
            (0, own, codes[:, 0] * DECK_SIZE + codes[:, 2], codes[:, 4]),
            (
                1,
                other,
                codes[:, 1] * DECK_SIZE + codes[:, 3],
                np.where(own, codes[:, 5], codes[:, 4]),
            ),
        )
    )
    found: Integers = wager.line[player, banker].astype(np.int64)
    return found


def card_wager_of(wager: Wager) -> CardWager:
    """Return a wager's lookup. Raises ``ValueError`` if it distinguishes too many hands."""
    tests = tuple(dict.fromkeys(_tests(wager)))
    (player, of_player), (banker, of_banker) = (_kinds(tests, hand) for hand in Hand)
    if len(of_player) * len(of_banker) > _MOST_PAIRS:
        raise ValueError(f"{wager.id}: it tells more hands apart than can be looked up")
    lines = (*wager.lines, LOSE, PUSH)
    found = [
        lines.index(wager.line_of(CardFacts.of(own, other)))
        for own, other in product(of_player, of_banker)
    ]
    line = np.array(found, dtype=np.uint16).reshape(len(of_player), len(of_banker))
    return CardWager(wager.id, lines, np.stack([player, banker]), line)


def _tests(wager: Wager) -> Iterator[_Test]:
    decide = wager.line_of
    if not isinstance(decide, ByFacts):
        yield from ((name, None) for name in wager.asks[1:])
        return
    for _, when in decide.lines:
        yield from _within(when)


def _within(when: Condition) -> Iterator[_Test]:
    yield from when.facts
    for part in when.parts:
        yield from _within(part)


def _kinds(
    tests: tuple[_Test, ...], hand: Hand
) -> tuple[npt.NDArray[np.uint16], list[tuple[Card, ...]]]:
    points = any(not FACTS[name].parts for name, _ in tests)
    tells = frozenset[str]().union(*(part.tells for name, _ in tests for part in FACTS[name].parts))
    kinds: dict[Hashable, int] = {}
    examples: list[Card] = []
    card_kind = np.empty(DECK_SIZE, dtype=np.int64)
    for card in DECK:
        likeness = (
            CARD_VALUE[card.index] if points or "value" in tells else None,
            card.rank if "rank" in tells else None,
            card.suit if {"suit", "color"} & tells else None,
        )
        if likeness not in kinds:
            kinds[likeness] = len(examples)
            examples.append(card)
        card_kind[card.index] = kinds[likeness]
    key_of = _asked_of(tests, hand, points=points)
    numbers: dict[Hashable, int] = {}
    hands: list[tuple[Card, ...]] = []
    found = []
    for cards in (2, 3):
        number = []
        for held in product(examples, repeat=cards):
            key = key_of(held)
            if key not in numbers:
                numbers[key] = len(hands)
                hands.append(held)
            number.append(numbers[key])
        cube = np.array(number, dtype=np.uint16).reshape((len(examples),) * cards)
        found.append(cube[np.ix_(*[card_kind] * cards)].ravel())
    return np.concatenate(found), hands


def _asked_of(
    tests: tuple[_Test, ...], hand: Hand, *, points: bool
) -> Callable[[tuple[Card, ...]], tuple[object, ...]]:
    parts_asked = []
    for name, values in tests:
        parts = FACTS[name].parts
        values_of_one = values if len(parts) == 1 else None
        parts_asked += [(part.of, values_of_one) for part in parts if part.hand is hand]

    def key(cards: tuple[Card, ...]) -> tuple[object, ...]:
        made = [of(cards) if of_one is None else of(cards) in of_one for of, of_one in parts_asked]
        if points:
            made += [sum([CARD_VALUE[card.index] for card in cards]) % 10, len(cards)]
        return tuple(made)

    return key
