"""The exact odds of every wager given what is known of a round, and their documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import lcm, perm
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from croupier.baccarat.cards import Card, Suit
from croupier.baccarat.coup import CARD_VALUE, CardFacts, Facts, Hand, Tableau, facts_of, first_two
from croupier.baccarat.wagers import CARDS, FACTS, Fact
from croupier.odds.census import Census, pair_census, point_census, point_ways, royal_census
from croupier.odds.hands import Cards, CardView, hands_census
from croupier.odds.knowledge import Knowledge, Seen, seen_text
from croupier.odds.sheet import WagerSheet, every_sheet, fraction
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition, ShoeError
from croupier.rules import TableRules
from croupier.rules.documents import provenance

if TYPE_CHECKING:
    from croupier.odds.documents import OddsLine, OddsTable, RoundOdds, WagerOdds

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


# --- by an unknown card or count ------------------------------------------------------------------


class ConditionalOdds(NamedTuple):
    name: str
    probability: Fraction
    winners: Mapping[Hand | None, Fraction]
    sheets: tuple[WagerSheet, ...]


class _By(NamedTuple):
    places: tuple[tuple[int, int], ...]
    name: Callable[[tuple[int, ...]], str]


def _count(values: tuple[int, ...]) -> str:
    return str(sum(values) % 10)


def _value(values: tuple[int, ...]) -> str:
    return str(values[0])


CONDITIONS: Final[Mapping[str, _By]] = {
    "player-total": _By(((0, 0), (0, 1)), _count),
    "banker-total": _By(((1, 0), (1, 1)), _count),
    "first-card": _By(((0, 0),), _value),
    "player-third": _By(((0, 2),), _value),
    "banker-third": _By(((1, 2),), _value),
    "totals": _By(
        ((0, 0), (0, 1), (1, 0), (1, 1)), lambda of: f"{_count(of[:2])}-{_count(of[2:])}"
    ),
}
"""Conditions of a table: the count of a hand's first two cards, or a card's value."""


def conditions(
    rules: TableRules, shoe: ShoeComposition, known: Knowledge, by: str
) -> tuple[ConditionalOdds, ...]:
    """Odds of every wager for each case of a condition, if it applies.

    Errors: ``known_census``; also ``ShoeError`` if no case is possible.
    """
    questions = {offer.wager.asks for offer in rules.offers.values()} | {("counts",)}
    found: dict[str, dict[tuple[str, ...], dict[Facts, Fraction]]] = {}
    for name, state, weight in _cases(shoe, known, CONDITIONS[by]):
        try:
            points = known_census(shoe, rules, ("counts",), state)
        except ShoeError:
            continue
        of_case = found.setdefault(name, {asks: {} for asks in questions})
        # Ways count unknown cards only, so each case is weighted by the ways of its known cards.
        weight_of_case = Fraction(weight * points.total)
        for asks, ways in of_case.items():
            census = points if asks == ("counts",) else known_census(shoe, rules, asks, state)
            for facts, number in census.items():
                share = weight_of_case * number / census.total
                ways[facts] = ways.get(facts, Fraction()) + share
    if not found:
        raise ShoeError(f"{known}: no case of {by} is left")
    total = sum((sum(of["counts",].values(), Fraction()) for of in found.values()), Fraction())
    return tuple(_condition(rules, name, found[name], total) for name in sorted(found))


def _cases(
    shoe: ShoeComposition, known: Knowledge, by: _By
) -> Iterator[tuple[str, Knowledge, int]]:
    hands: list[list[Seen]] = [list(known.player), list(known.banker)]
    for hand, number in by.places:
        hands[hand] += [None] * (number + 1 - len(hands[hand]))
    base = Knowledge(tuple(hands[0]), tuple(hands[1]))
    values = base.values()
    at = [place for place in by.places if values[place[0]][place[1]] is None]
    for unknown_values in product(range(10), repeat=len(at)):
        left = known.left_by_value(shoe)
        weight = 1
        state = [list(base.player), list(base.banker)]
        for (hand, number), value in zip(at, unknown_values, strict=True):
            weight *= left[value]
            left[value] -= 1
            state[hand][number] = value
        if weight > 0:
            case = Knowledge(tuple(state[0]), tuple(state[1]))
            all_values = case.values()
            known_values = tuple(all_values[hand][number] or 0 for hand, number in by.places)
            yield by.name(known_values), case, weight


def _condition(
    rules: TableRules,
    name: str,
    of_case: Mapping[tuple[str, ...], Mapping[Facts, Fraction]],
    total: Fraction,
) -> ConditionalOdds:
    censuses = {asks: _whole(ways) for asks, ways in of_case.items()}
    sheets = tuple(every_sheet(rules, censuses.__getitem__).values())
    points = censuses["counts",]
    winners = points.by(lambda facts: facts.winner)
    probability = sum(of_case["counts",].values(), Fraction()) / total
    shares = {who: Fraction(winners.get(who, 0), points.total) for who in (*Hand, None)}
    return ConditionalOdds(name, probability, shares, sheets)


def _whole(ways: Mapping[Facts, Fraction]) -> Census[Facts]:
    unit = lcm(*(number.denominator for number in ways.values()))
    return Census({facts: int(number * unit) for facts, number in ways.items()})


def conditions_data(  # noqa: PLR0913, PLR0917  (each is named in the document)
    rules: TableRules,
    shoe: ShoeComposition,
    known: Knowledge,
    by: str,
    found: tuple[ConditionalOdds, ...],
    reproduce: str = "",
    *,
    unseen: int = 0,
) -> OddsTable:
    return {
        "format": "croupier-odds-table/1",
        **provenance(rules, reproduce),
        "shoe": {"cards": shoe.cards, "by_rank": shoe.by_rank},
        "unseen": unseen,
        "player": [seen_text(seen) for seen in known.player],
        "banker": [seen_text(seen) for seen in known.banker],
        "by": by,
        "conditions": [
            {
                "condition": odds.name,
                "probability": fraction(odds.probability),
                "player_wins": fraction(odds.winners[Hand.PLAYER]),
                "banker_wins": fraction(odds.winners[Hand.BANKER]),
                "ties": fraction(odds.winners[None]),
                "wagers": [wager_data(sheet) for sheet in odds.sheets],
            }
            for odds in found
        ],
    }
