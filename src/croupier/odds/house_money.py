"""House Money: what it is worth to take the payout, always to add it, or to choose the better.

The choice comes when the first four cards lie face up. What is added joins a wager on a hand, and
is worth what that wager is worth from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import perm
from typing import TYPE_CHECKING, Final, NamedTuple

from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import POINT_VALUE
from croupier.baccarat.tableau import NO_THIRD_CARD, Tableau
from croupier.cards import Rank
from croupier.law.values import Odds
from croupier.money.settlement import Stake, settle
from croupier.odds.sheet import UNIT_CENTS, WagerSheet, net_cents
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Offer, TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package

__all__ = ["house_money_package"]

_VALUE: Final = tuple(POINT_VALUE[rank] for rank in Rank)


class _Start(NamedTuple):
    """First two cards of both hands by rank, with a pair among them, and the ways they come."""

    player: tuple[int, int]
    banker: tuple[int, int]
    ways: int
    line: str


def _starts(shoe: ShoeComposition, offer: Offer) -> Iterator[_Start]:
    """Yield every start with a pair, each hand's cards in one order for both."""
    counts = list(shoe.ranks)
    for player, often, left in _hands(counts):
        for banker, times, _ in _hands(left):
            pairs = player[0] == player[1], banker[0] == banker[1]
            if any(pairs):
                line = offer.wager.line_of(Facts(0, 0, 2, 2, *pairs))
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


def _endings(
    left: Sequence[int], tableau: Tableau, player: int, banker: int
) -> Iterator[tuple[Facts, int]]:
    """Yield what may become of a coup from the counts of its first four cards, with its ways.

    ``left`` are the cards left by value. Ways are over two cards more, whether the coup takes them
    or not. A general count is `point_ways`; of four known cards there is little left to count, and
    there are a thousand starts.
    """
    unseen = sum(left)
    thirds: list[tuple[int | None, int]] = [(None, 1)]
    if tableau.player_draws_third(player, banker):
        thirds = [(value, count) for value, count in enumerate(left) if count]
    for third, times in thirds:
        took = third is not None
        own, cards = ((player + third) % 10, 3) if third is not None else (player, 2)
        if not tableau.banker_draws_third(
            player, banker, NO_THIRD_CARD if third is None else third
        ):
            yield Facts(own, banker, cards, 2), times * (unseen - 1) * (1 if took else unseen)
            continue
        for value, count in enumerate(left):
            if number := count - (value == third):
                ways = times * number * (1 if took else unseen - 1)
                yield Facts(own, (banker + value) % 10, cards, 3), ways


class _Worth:
    """What a unit on each hand brings from a start, by the values of its cards: a whole number.

    It is told out of ``of_each``, the same for every start, so that sums stay whole.
    """

    def __init__(self, rules: TableRules, shoe: ShoeComposition) -> None:
        self._rules = rules
        self.bases = _bases(rules)
        self._shoe = _by_value(list(shoe.ranks))
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], dict[str, int]] = {}
        self._net: dict[Facts, tuple[int, ...]] = {}
        unseen = shoe.cards - 4
        self.of_each = unseen * (unseen - 1) * UNIT_CENTS

    def of(self, player: tuple[int, int], banker: tuple[int, int]) -> dict[str, int]:
        """Return it for starts of these ranks."""
        own = tuple(sorted(_VALUE[rank] for rank in player))
        other = tuple(sorted(_VALUE[rank] for rank in banker))
        key = (own, other)
        if key not in self._known:
            self._known[key] = self._weigh(own, other)
        return self._known[key]

    def _weigh(self, player: tuple[int, ...], banker: tuple[int, ...]) -> dict[str, int]:
        left = list(self._shoe)
        for value in (*player, *banker):
            left[value] -= 1
        brings = [0] * len(self.bases)
        counts = sum(player) % 10, sum(banker) % 10
        for facts, ways in _endings(left, self._rules.tableau, *counts):
            for place, net in enumerate(self._of(facts)):
                brings[place] += ways * net
        return dict(zip(self.bases, brings, strict=True))

    def _of(self, facts: Facts) -> tuple[int, ...]:
        if facts not in self._net:
            self._net[facts] = tuple(
                net_cents(settle(self._rules, facts, {(1, base): Stake(UNIT_CENTS)}))
                for base in self.bases
            )
        return self._net[facts]


def _bases(rules: TableRules) -> tuple[str, ...]:
    """Return the wagers to which a payout may be added: those on a hand."""
    return tuple(name for name, offer in rules.offers.items() if offer.wager.on is not None)


def house_money_package(
    rules: TableRules, shoe: ShoeComposition, offer: Offer, sheet: WagerSheet
) -> Package:
    """Weigh the three ways to play House Money beside a wager on either hand."""
    worth = _Worth(rules, shoe)
    always: Counter[tuple[str, str]] = Counter()
    best: Counter[tuple[str, str]] = Counter()
    table: dict[tuple[int, int], dict[str, Fraction]] = {}
    sums: Counter[tuple[int, int, str]] = Counter()
    often: Counter[tuple[int, int]] = Counter()
    for start in _starts(shoe, offer):
        player, banker = (
            sum(_VALUE[rank] for rank in hand) % 10 for hand in (start.player, start.banker)
        )
        often[player, banker] += start.ways
        for base, brings in worth.of(start.player, start.banker).items():
            added = start.ways * brings
            always[start.line, base] += added
            best[start.line, base] += max(added, 0)
            sums[player, banker, base] += added
    for player, banker in often:
        of_all = often[player, banker] * worth.of_each
        table[player, banker] = {
            base: Fraction(sums[player, banker, base], of_all) for base in worth.bases
        }
    taken = sheet.house_edge
    rows = [["take it", _percent(taken), _percent(taken)]]
    for name, added_units in (("always add it", always), ("choose the better", best)):
        gains = _gains(rules, shoe, offer, added_units)
        rows.append(
            [name, *(_percent(taken - gains[base] / worth.of_each) for base in worth.bases)]
        )
    rows += _decisions(table)
    columns = {
        "choice": "patron's choice",
        "player": "with a Player wager",
        "banker": "with a Banker wager",
    }
    return {
        "id": offer.wager.id,
        "title": "House Money: take the payout, or add it to a wager on a hand",
        "says": "The edge of House Money per unit staked on it, with a wager on Player or "
        "Banker to which the payout may be added. The table below shows the expected "
        "value per unit added, by the counts of the first two cards; the payout is "
        "added if it is greater than zero.",
        "columns": columns,
        "rows": [dict(zip(columns, row, strict=True)) for row in rows],
        "cites": list(rules.cites("wagers.house_money.add")),
        "interpretations": rules.rest_on(
            "wagers.house_money.pays", "wagers.house_money.add", "wagers.house_money.portion"
        ),
    }


def _gains(
    rules: TableRules, shoe: ShoeComposition, offer: Offer, added: Mapping[tuple[str, str], int]
) -> dict[str, Fraction]:
    """Return what is gained beside each hand by payouts added to it, of each unit on House Money.

    ``added`` is what one unit added to each start gains, by line and hand.
    """
    portion = rules.value("wagers.house_money.portion", Fraction)
    pays = {line: odds.ratio for line, odds in offer.pays.items() if isinstance(odds, Odds)}
    total = perm(shoe.cards, 4)
    gains = dict.fromkeys(_bases(rules), Fraction())
    for (line, base), units in added.items():
        gains[base] += pays[line] * portion * units / total
    return gains


def _percent(value: Fraction) -> str:
    return f"{float(value * 100):.4f}%"


def _decisions(table: Mapping[tuple[int, int], Mapping[str, Fraction]]) -> list[list[str]]:
    """Return a row for each start by counts: what a unit added brings on either hand."""
    rows = []
    for (player, banker), brings in sorted(table.items()):
        told = [
            f"{'add' if one > 0 else 'take'} ({float(one * 100):+.1f}%)" for one in brings.values()
        ]
        rows.append([f"Player {player}, Banker {banker}", *told])
    return rows
