"""Vectors of the deal: every start of two hands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, cycle
from typing import Final, Literal, NamedTuple

from croupier import acts
from croupier.acts import PointCountAnnounced, ResultAnnounced, ThirdCardRuled
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import (
    CARD_VALUE,
    NATURALS,
    NO_THIRD_CARD,
    Coup,
    Hand,
    Tableau,
    is_natural,
    point_count,
    winner_name,
)
from croupier.baccarat.wagers import PLAYER
from croupier.rules import TableRules
from croupier.scenarios.people import least_stake
from croupier.scenarios.stage import Stage
from croupier.scenarios.starts import Starts
from croupier.scenarios.vectors.documents import Deals, DrawingCell, HandByValue, VectorRound
from croupier.table import Phase

Values = tuple[int, ...]

_VALUES: Final = range(10)
_HANDS: Final = tuple(combinations_with_replacement(_VALUES, 2))
"""Every two-card hand by value, regardless of order."""

_OF_VALUE: Final = tuple(
    tuple(card for card in DECK if CARD_VALUE[card.index] == value) for value in _VALUES
)


class DealtRound(NamedTuple):
    cards: tuple[Card, ...]
    coup: Coup
    rulings: dict[Hand, ThirdCardRuled]
    result: ResultAnnounced


def continuations(player: int, banker: int, tableau: Tableau) -> tuple[Values, ...]:
    """Values of every third card possible after two Point Counts, Player's first."""
    if not tableau.player_draws_third(player, banker):
        draws = tableau.banker_draws_third(player, banker, NO_THIRD_CARD)
        return tuple((last,) for last in _VALUES) if draws else ((),)
    sequences: list[Values] = []
    for third in _VALUES:
        draws = tableau.banker_draws_third(player, banker, third)
        sequences += [(third, last) for last in _VALUES] if draws else [(third,)]
    return tuple(sequences)


def _layouts(tableau: Tableau) -> Iterator[tuple[Values, Values, Values]]:
    by_count: dict[int, list[Values]] = {count: [] for count in _VALUES}
    for hand in _HANDS:
        by_count[sum(hand) % 10].append(hand)
    for player in _VALUES:
        for banker in _VALUES:
            starts = [(one, other) for one in by_count[player] for other in by_count[banker]]
            follow = continuations(player, banker, tableau)
            number = max(len(starts), len(follow))
            for (one, other), third_cards, _ in zip(cycle(starts), cycle(follow), range(number)):
                yield one, other, third_cards


def _cards(hands: tuple[Values, Values, Values], number: int) -> tuple[Card, ...]:
    player, banker, third_cards = hands
    if number % 2:
        player, banker = player[::-1], banker[::-1]
    values = (player[0], banker[0], player[1], banker[1], *third_cards)
    ways = [_OF_VALUE[value] for value in values]
    return tuple(cards[(number + 5 * index) % len(cards)] for index, cards in enumerate(ways))


def deals(rules: TableRules, starts: Starts) -> Iterator[DealtRound]:
    """Deal the covering set, each round from a full shoe."""
    stage = starts["betting"].stage.fork()
    stage.execute(acts.PlaceWager(1, PLAYER.id, least_stake(rules, PLAYER.id)))
    stage.begin()
    for number, hands in enumerate(_layouts(rules.tableau)):
        yield _dealt(stage.fork(), _cards(hands, number))


def _dealt(stage: Stage, cards: tuple[Card, ...]) -> DealtRound:
    stage.deal(cards)
    stage.until(Phase.DECIDED)
    round_ = stage.state.round
    rulings: dict[Hand, ThirdCardRuled] = {}
    for event in stage.events:
        if isinstance(event, ThirdCardRuled):
            rulings[event.hand] = event
        if isinstance(event, PointCountAnnounced) and round_ is not None:
            count = point_count(round_.coup.hand(event.hand)[:2])
            if (event.count, event.natural) != (count, is_natural(count, 2)):
                raise RuntimeError(f"{event.words} was called, and the hand has {count}")
        if isinstance(event, ResultAnnounced) and round_ is not None:
            return DealtRound(cards, round_.coup, rulings, event)
    raise RuntimeError("the round came to no result")


class _Cell(NamedTuple):
    """``third`` is the value of Player's third card, or ``None``."""

    hand: str
    by: Literal["natural", "table"]
    point_count: int | None
    third: int | None


def _cell(dealt_round: DealtRound, hand: Hand) -> _Cell:
    coup = dealt_round.coup
    player, banker = point_count(coup.player[:2]), point_count(coup.banker[:2])
    if {player, banker} & NATURALS:
        return _Cell(hand.value, "natural", None, None)
    if hand is Hand.PLAYER:
        return _Cell(hand.value, "table", player, None)
    third = CARD_VALUE[coup.player[2].index] if len(coup.player) == 3 else None
    return _Cell(hand.value, "table", banker, third)


def deals_data(dealt: list[DealtRound]) -> Deals:
    ruled: dict[_Cell, tuple[int, ThirdCardRuled]] = {}

    def cell_of(dealt_round: DealtRound, hand: Hand) -> int:
        ruling, cell = dealt_round.rulings[hand], _cell(dealt_round, hand)
        number, before = ruled.setdefault(cell, (len(ruled), ruling))
        if (before.draws, before.clauses) != (ruling.draws, ruling.clauses):
            raise RuntimeError(f"{cell} was read in two ways: {before}, {ruling}")
        return number

    results: dict[tuple[str, ...], int] = {}
    rounds: list[VectorRound] = []
    for dealt_round in dealt:
        result = dealt_round.result
        rounds.append(
            {
                "cards": " ".join(map(str, dealt_round.cards)),
                "player": " ".join(map(str, dealt_round.coup.player)),
                "banker": " ".join(map(str, dealt_round.coup.banker)),
                "player_count": result.player_count,
                "banker_count": result.banker_count,
                "winner": winner_name(result.winner),
                "player_cell": cell_of(dealt_round, Hand.PLAYER),
                "banker_cell": cell_of(dealt_round, Hand.BANKER),
                "result": results.setdefault(result.clauses, len(results)),
            }
        )
    counts = {hand: sum(hand) % 10 for hand in _HANDS}
    hands: list[HandByValue] = [
        {"values": list(hand), "point_count": count, "natural": is_natural(count, 2)}
        for hand, count in counts.items()
    ]
    cells: list[DrawingCell] = [
        {
            "hand": cell.hand,
            "by": cell.by,
            "point_count": cell.point_count,
            "third": cell.third,
            "draws": ruling.draws,
            "clauses": list(ruling.clauses),
        }
        for cell, (_, ruling) in ruled.items()
    ]
    return {
        "hands": hands,
        "cells": cells,
        "results": [{"clauses": list(clauses)} for clauses in results],
        "rounds": rounds,
    }
