"""The exact odds of every wager given what is known of a round, and their documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import perm
from typing import TYPE_CHECKING, Any, Final

from croupier.baccarat.cards import Card, Suit
from croupier.baccarat.coup import CARD_VALUE, CardFacts, Facts, Hand, Tableau, facts_of, first_two
from croupier.baccarat.wagers import CARDS, FACTS, Fact
from croupier.odds.census import Census, pair_census, point_census, point_ways, royal_census
from croupier.odds.hands import Cards, CardView, hands_census
from croupier.odds.knowledge import Knowledge, seen_text
from croupier.odds.sheet import WagerSheet, every_sheet, fraction
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition, ShoeError
from croupier.rules import TableRules
from croupier.rules.documents import provenance

if TYPE_CHECKING:
    from croupier.odds.documents import OddsLine, RoundOdds, WagerOdds

RED: Final = frozenset({Suit.DIAMONDS, Suit.HEARTS})


def _pair(_: int, cards: Cards) -> bool:
    return cards[0].rank is cards[1].rank


def _royal(_: int, cards: Cards) -> str:
    return first_two(cards[0].index, cards[1].index)[1]


_VIEWS: Final[Mapping[tuple[str, ...], CardView]] = {
    ("pairs",): CardView("a pair", lambda card: card.rank, _pair, points=False),
    ("counts", "pairs"): CardView("a pair", lambda card: card.rank, _pair),
    ("counts", "royals"): CardView("Royal 9", lambda card: card, _royal),
    ("pairs", "royals"): CardView("Royal 9", lambda card: card, _royal, points=False),
    ("counts", "pairs", "royals"): CardView("Royal 9", lambda card: card, _royal),
    ("royals",): CardView("Royal 9", lambda card: card, _royal, points=False),
}
"""Card views for facts other than point counts and numbers of cards."""


def known_census(
    shoe: ShoeComposition, rules: TableRules, asks: Sequence[str], known: Knowledge
) -> Census[Facts]:
    """Census of the facts that a wager needs, given what is known of a round.

    Cards removed unseen remain in ``shoe``. Raises ``ShoeError`` for impossible knowledge, or
    unknown suits.
    """
    return _known_census(shoe, rules.tableau, known, tuple(asks))


def census_of(shoe: ShoeComposition, rules: TableRules, asks: Sequence[str]) -> Census[Facts]:
    """Raise ``ShoeError`` for an impossible shoe, or unknown suits."""
    if asks[0] == CARDS:
        return known_census(shoe, rules, asks, Knowledge())
    return _census(shoe, rules.tableau, tuple(asks))


@lru_cache(maxsize=32)
def _census(shoe: ShoeComposition, tableau: Tableau, asks: tuple[str, ...]) -> Census[Facts]:
    if "royals" in asks:
        return royal_census(shoe)
    if "pairs" in asks:
        return pair_census(shoe, tableau)
    return point_census(shoe, tableau)


@lru_cache(maxsize=32)
def _known_census(
    shoe: ShoeComposition, tableau: Tableau, known: Knowledge, asks: tuple[str, ...]
) -> Census[Facts]:
    if asks != ("counts",):
        return _over_unknown_cards(_cards_census(shoe, tableau, known, asks), shoe, known)
    ways = Census(point_ways(known.left_by_value(shoe), tableau, *known.values()))
    if not ways.total:
        raise ShoeError(f"{known}: no round under this drawing table comes to that")
    return ways


@lru_cache(maxsize=32)
def _cards_census(
    shoe: ShoeComposition, tableau: Tableau, known: Knowledge, asks: tuple[str, ...]
) -> Census[Facts]:
    """Cache a census apart: fast point counts would evict it from another cache."""
    of_cards = asks[0] == CARDS
    view = _view(asks[1:]) if of_cards else _VIEWS[asks]
    found = hands_census(shoe, tableau, known, view)
    return found.by(lambda hands: CardFacts.of(*hands) if of_cards else facts_of(*hands))


@cache
def _view(names: tuple[str, ...]) -> CardView:
    facts = [FACTS[name] for name in names]
    needed = [card_part for fact in facts for card_part in fact.parts]
    parts = [[card_part for card_part in needed if card_part.hand is hand] for hand in Hand]
    tells = frozenset[str]().union(*(card_part.tells for card_part in needed))
    needs_thirds = any(card_part.whole for card_part in needed)
    points = needs_thirds or any(not fact.parts for fact in facts)

    def kind(card: Card) -> tuple[object, ...]:
        facts = (
            (points or "value" in tells, CARD_VALUE[card.index]),
            ("rank" in tells, card.rank),
            ("suit" in tells, card.suit),
            ("color" in tells, card.suit in RED),
        )
        return tuple(one for asked, one in facts if asked)

    def detail(hand: int, cards: Cards) -> tuple[object, ...]:
        return tuple(card_part.of(cards) for card_part in parts[hand])

    finds, at = [], [0, 0]
    for fact in facts:
        if fact.parts:
            finds.append(_find(fact, *at))
        for part in fact.parts:
            at[tuple(Hand).index(part.hand)] += 1

    def joined(own: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[object, ...]:
        return tuple([find(own, other) for find in finds])

    is_ordered = any(card_part.ordered for card_part in needed)
    title = f"a wager on {', '.join(names)}"
    return CardView(
        title, kind, detail, whole=needs_thirds, points=points, ordered=is_ordered, together=joined
    )


def _find(fact: Fact, own_place: int, other_place: int) -> Callable[[Any, Any], object]:
    """Fact of cards from the details of both hands, at its positions there."""
    join = fact.join
    if join is not None:
        return lambda own, other: join(own[own_place], other[other_place])
    if fact.parts[0].hand is Hand.PLAYER:
        return lambda own, _other: own[own_place]
    return lambda _own, other: other[other_place]


def _over_unknown_cards(
    census: Census[Facts], shoe: ShoeComposition, known: Knowledge
) -> Census[Facts]:
    cards = sum(seen is not None for seen in known.cards)
    scale = Fraction(perm(shoe.cards - cards, LEAST_CARDS - cards), census.total)
    initial_cards = (*known.player[:2], *known.banker[:2])
    thirds = len(known.cards) > len(initial_cards)
    doubtful = thirds and (len(initial_cards) < 4 or None in initial_cards)
    if doubtful or any(number * scale.numerator % scale.denominator for number in census.values()):
        return census
    return Census({facts: int(number * scale) for facts, number in census.items()})


def chances(rules: TableRules, shoe: ShoeComposition, known: Knowledge) -> tuple[WagerSheet, ...]:
    """Sheet of every wager on offer; see ``known_census``."""
    sheets = every_sheet(rules, lambda asks: known_census(shoe, rules, asks, known))
    return tuple(sheets.values())


def chances_data(  # noqa: PLR0913  (each is named in the document)
    rules: TableRules,
    shoe: ShoeComposition,
    known: Knowledge,
    sheets: Iterable[WagerSheet],
    reproduce: str = "",
    *,
    unseen: int = 0,
) -> RoundOdds:
    return {
        "format": "croupier-odds/2",
        **provenance(rules, reproduce),
        "shoe": {"cards": shoe.cards, "by_rank": shoe.by_rank},
        "unseen": unseen,
        "player": [seen_text(seen) for seen in known.player],
        "banker": [seen_text(seen) for seen in known.banker],
        "wagers": [wager_data(sheet) for sheet in sheets],
    }


def wager_data(sheet: WagerSheet) -> WagerOdds:
    lines: list[OddsLine] = [
        {
            "outcome": line.outcome,
            "ways": str(line.ways),
            "probability": fraction(Fraction(line.ways, sheet.total)),
            "pays": line.pays,
        }
        for line in sheet.lines
    ]
    return {
        "id": sheet.wager,
        "total_ways": str(sheet.total),
        "lines": lines,
        "expectation": fraction(sheet.expectation),
        "expectation_percent": float(sheet.expectation * 100),
    }
