"""The odds of a round conditional on an unknown card or count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from croupier.baccarat.coup import Facts, Hand
from croupier.odds.census import Census
from croupier.odds.chances import known_census, wager_data
from croupier.odds.knowledge import Knowledge, Seen, seen_text
from croupier.odds.sheet import WagerSheet, every_sheet, fraction
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.rules import TableRules
from croupier.rules.documents import provenance

if TYPE_CHECKING:
    from croupier.odds.documents import OddsTable


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
