"""House Money: what it is worth to take the payout, always to add it, or to choose the better.

The choice comes when the first four cards lie face up. What is added joins a wager on a hand, and
is worth what that wager is worth from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import POINT_VALUE
from croupier.cards import Rank
from croupier.money.settlement import Stake, settle
from croupier.odds.sheet import UNIT_CENTS, WagerSheet, net_cents
from croupier.odds.shoe import Shoe
from croupier.odds.ways import point_ways
from croupier.rules import TableRules

__all__ = ["house_money_package"]

_VALUE: Final = tuple(POINT_VALUE[rank] for rank in Rank)
_BASES: Final = ("player", "banker")


class _Start(NamedTuple):
    """First two cards of both hands by rank, with a pair among them, and the ways they come."""

    player: tuple[int, int]
    banker: tuple[int, int]
    ways: int
    line: str


def _starts(shoe: Shoe) -> Iterator[_Start]:
    """Yield every start with a pair, each hand's cards in one order for both."""
    counts = list(shoe.ranks)
    for player, often, left in _hands(counts):
        for banker, times, _ in _hands(left):
            pairs = (player[0] == player[1]) + (banker[0] == banker[1])
            if pairs:
                line = "both_pairs" if pairs == 2 else "one_pair"
                yield _Start(player, banker, often * times, line)


def _hands(counts: list[int]) -> Iterator[tuple[tuple[int, int], int, list[int]]]:
    """Yield two ranks in one order, the ways of both orders, and the counts that they leave."""
    ranks = range(len(counts))
    for one in ranks:
        if not counts[one]:
            continue
        left = list(counts)
        left[one] -= 1
        for other in ranks[one:]:
            if left[other]:
                rest = list(left)
                rest[other] -= 1
                orders = 1 if one == other else 2
                yield (one, other), orders * counts[one] * left[other], rest


def _by_value(counts: list[int]) -> list[int]:
    values = [0] * 10
    for value, count in zip(_VALUE, counts, strict=True):
        values[value] += count
    return values


class _Worth:
    """What a unit on each hand brings in the mean from a start, by the values of its cards."""

    def __init__(self, rules: TableRules, shoe: Shoe) -> None:
        self._rules = rules
        self._shoe = _by_value(list(shoe.ranks))
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], dict[str, Fraction]] = {}
        self._net: dict[Facts, dict[str, int]] = {}

    def of(self, player: tuple[int, int], banker: tuple[int, int]) -> dict[str, Fraction]:
        """Return it for starts of these ranks."""
        own = tuple(sorted(_VALUE[rank] for rank in player))
        other = tuple(sorted(_VALUE[rank] for rank in banker))
        key = (own, other)
        if key not in self._known:
            self._known[key] = self._weigh(own, other)
        return self._known[key]

    def _weigh(self, player: tuple[int, ...], banker: tuple[int, ...]) -> dict[str, Fraction]:
        left = list(self._shoe)
        for value in (*player, *banker):
            left[value] -= 1
        ways = point_ways(left, self._rules.tableau, player, banker)
        total = sum(ways.values())
        return {
            base: Fraction(
                sum(number * self._of(facts)[base] for facts, number in ways.items()),
                total * UNIT_CENTS,
            )
            for base in _BASES
        }

    def _of(self, facts: Facts) -> dict[str, int]:
        if facts not in self._net:
            self._net[facts] = {
                base: net_cents(settle(self._rules, facts, {(1, base): Stake(UNIT_CENTS)}))
                for base in _BASES
            }
        return self._net[facts]


def house_money_package(
    rules: TableRules, shoe: Shoe, sheets: Mapping[str, WagerSheet]
) -> dict[str, Any]:
    """Weigh the three ways to play House Money beside a wager on either hand."""
    worth = _Worth(rules, shoe)
    portion = rules.value("wagers.house_money.portion", Fraction)
    pays = {line: odds.ratio for line, odds in rules.value("wagers.house_money.pays", dict).items()}
    always = dict.fromkeys(_BASES, Fraction())
    best = dict.fromkeys(_BASES, Fraction())
    table: dict[tuple[int, int], dict[str, list[Fraction | int]]] = {}
    for start in _starts(shoe):
        brings = worth.of(start.player, start.banker)
        counts = tuple(
            sum(_VALUE[rank] for rank in hand) % 10 for hand in (start.player, start.banker)
        )
        for base in _BASES:
            added = start.ways * pays[start.line] * portion * brings[base]
            always[base] += added
            best[base] += max(added, Fraction())
            cell = table.setdefault((counts[0], counts[1]), {})
            sums = cell.setdefault(base, [Fraction(), 0])
            sums[0] += start.ways * brings[base]
            sums[1] += start.ways
    cards = shoe.cards
    total = cards * (cards - 1) * (cards - 2) * (cards - 3)
    taken = sheets["house_money"].house_edge
    rows = [["take it", _percent(taken), _percent(taken)]]
    for name, gain in (("always add it", always), ("choose the better", best)):
        rows.append([name, *(_percent(taken - gain[base] / total) for base in _BASES)])
    rows += _decisions(table)
    return {
        "id": "house_money",
        "title": "House Money: take the payout, or add it to a wager on a hand",
        "says": "The edge of House Money, of each unit staked on it, beside a wager on Player or"
        " Banker to which the payout may be added. Below it, by the counts of the first two cards,"
        " what a unit added brings in the mean: it is added where that is more than nothing.",
        "columns": ["what the patron does", "beside Player", "beside Banker"],
        "rows": rows,
        "cites": list(rules.cites("wagers.house_money.add")),
        "interpretations": [one for one in ("T57", "T58", "C24") if one in rules.readings],
    }


def _percent(value: Fraction) -> str:
    return f"{float(value * 100):.4f}%"


def _decisions(table: Mapping[tuple[int, int], Mapping[str, list[Any]]]) -> list[list[str]]:
    """Return a row for each start by counts: what a unit added brings on either hand."""
    rows = []
    for (player, banker), cell in sorted(table.items()):
        brings = [Fraction(cell[base][0]) / cell[base][1] for base in _BASES]
        told = [f"{'add' if one > 0 else 'take'} ({float(one * 100):+.1f}%)" for one in brings]
        rows.append([f"Player {player}, Banker {banker}", *told])
    return rows
