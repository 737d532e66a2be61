"""House Money: the value of taking the payout, of always adding it, and of the best choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import perm
from typing import TYPE_CHECKING, Final, TypeAlias

from croupier.baccarat.cards import Rank
from croupier.baccarat.coup import NO_THIRD_CARD, POINT_VALUE, Facts, Tableau
from croupier.law.values import Odds
from croupier.money.settlement import Stake, settle
from croupier.odds.sheet import UNIT_CENTS, WagerSheet, column, net_cents, package, row
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Offer, TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package

_VALUE: Final = tuple(POINT_VALUE[rank] for rank in Rank)


_VALUE_NAMES: Final = "TA23456789"

_Values: TypeAlias = tuple[int, ...]


_PAIRS: Final = ((False, False), (False, True), (True, False), (True, True))
"""Whether the first two cards of Player's Hand and of Banker's are a pair."""


def _hands(counts: list[int]) -> Iterator[tuple[tuple[int, int], int, list[int]]]:
    ranks = range(len(counts))
    for rank in ranks:
        if not counts[rank]:
            continue
        left = list(counts)
        left[rank] -= 1
        for second in ranks[rank:]:
            if left[second]:
                left_after = list(left)
                left_after[second] -= 1
                orders = 1 if rank == second else 2
                yield (rank, second), orders * counts[rank] * left[second], left_after


def _values(hand: tuple[int, int]) -> _Values:
    return tuple(sorted(_VALUE[rank] for rank in hand))


def _endings(
    left: Sequence[int], tableau: Tableau, player: int, banker: int
) -> Iterator[tuple[Facts, int]]:
    """Yield results like the general ``point_ways``, but fast: there are a thousand starts."""
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


_Nets: TypeAlias = tuple[tuple[int, ...], ...]

_ENDS: Final = tuple(Facts(*one) for one in product(range(10), range(10), (2, 3), (2, 3)))
"""All results of a coup, as far as a wager on a hand depends on them."""


class _Worth:
    def __init__(
        self, tableau: Tableau, ranks: tuple[int, ...], bases: Sequence[str], nets: _Nets
    ) -> None:
        self._tableau = tableau
        self.bases = bases
        self._shoe = ShoeComposition(ranks).by_value
        self._known: dict[tuple[_Values, _Values], dict[str, int]] = {}
        self._net = dict(zip(_ENDS, nets, strict=True))
        unseen = sum(ranks) - 4
        self.of_each = unseen * (unseen - 1) * UNIT_CENTS
        self.cells: dict[tuple[int, int], _Cell] = {}

    def of(self, own: _Values, other: _Values) -> dict[str, int]:
        key = own, other
        if key not in self._known:
            left = list(self._shoe)
            for value in (*own, *other):
                left[value] -= 1
            nets = [0] * len(self.bases)
            for facts, ways in _endings(left, self._tableau, sum(own) % 10, sum(other) % 10):
                for place, net in enumerate(self._net[facts]):
                    nets[place] += ways * net
            self._known[key] = dict(zip(self.bases, nets, strict=True))
        return self._known[key]


def _worth(rules: TableRules, shoe: ShoeComposition, offer: Offer) -> _Worth:
    bases = _bases(rules)
    nets = tuple(
        tuple(net_cents(settle(rules, facts, {(1, base): Stake(UNIT_CENTS)})) for base in bases)
        for facts in _ENDS
    )
    lines = tuple(offer.wager.line_of(Facts(0, 0, 2, 2, *pairs)) for pairs in _PAIRS)
    return _weighed(rules.tableau, shoe.ranks, bases, nets, lines)


@lru_cache(maxsize=16)
def _weighed(
    tableau: Tableau,
    ranks: tuple[int, ...],
    bases: tuple[str, ...],
    nets: _Nets,
    lines: tuple[str, ...],
) -> _Worth:
    """Return cached expectations: a sweep has dozens of tables with equal payouts on hands."""
    worth = _Worth(tableau, ranks, bases, nets)
    for player, often, left in _hands(list(ranks)):
        for banker, times, _ in _hands(left):
            pairs = player[0] == player[1], banker[0] == banker[1]
            if any(pairs):
                own, other = _values(player), _values(banker)
                cell = worth.cells.setdefault((sum(own) % 10, sum(other) % 10), _Cell())
                starts, _ = cell.starts.setdefault((own, other), (Counter(), worth.of(own, other)))
                starts[lines[_PAIRS.index(pairs)]] += often * times
    return worth


def _bases(rules: TableRules) -> tuple[str, ...]:
    return tuple(name for name, offer in rules.offers.items() if offer.wager.on is not None)


class _Cell:
    def __init__(self) -> None:
        self.starts: dict[tuple[_Values, _Values], tuple[Counter[str], Mapping[str, int]]] = {}
        self._means: dict[str, Fraction] = {}

    def mean(self, base: str) -> Fraction:
        if base not in self._means:
            sums = sum(ways.total() * brings[base] for ways, brings in self.starts.values())
            number = sum(ways.total() for ways, _ in self.starts.values())
            self._means[base] = Fraction(sums, number)
        return self._means[base]

    def mean_by_units(self, base: str, pays: Mapping[str, Fraction]) -> Fraction:
        """Mean of a unit added, if each start adds what House Money pays."""
        units = [
            (sum(pays[line] * number for line, number in ways.items()), brings[base])
            for ways, brings in self.starts.values()
        ]
        return Fraction(sum(added * value for added, value in units)) / sum(n for n, _ in units)

    def exceptions(self, bases: Sequence[str]) -> list[tuple[_Values, _Values]]:
        adds = {base: self.mean(base) > 0 for base in bases}
        return sorted(
            hands
            for hands, (_, brings) in self.starts.items()
            if any((brings[base] > 0) != adds[base] for base in bases)
        )


def house_money_packages(
    rules: TableRules, shoe: ShoeComposition, offer: Offer, sheet: WagerSheet
) -> list[Package]:
    """Give a start whose best choice differs from its cell's a row of its own."""
    worth = _worth(rules, shoe, offer)
    rests_on = [f"{offer.wager.offered_by}.{one}" for one in ("pays", "add", "portion")]
    columns = [column(base, f"beside {rules.wagers[base].title}") for base in worth.bases]
    rows = [row("take", "take it", **dict.fromkeys(worth.bases, sheet.house_edge))]
    for name, title, adds in _POLICIES:
        additions = _added(worth.cells.values(), worth.bases, adds)
        net_gains = _gains(rules, shoe, offer, additions)
        edges = {base: sheet.house_edge - net_gains[base] / worth.of_each for base in worth.bases}
        rows.append(row(name, title, **edges))
    policies = package(
        rules,
        offer.wager.id,
        "House Money: take the payout, or add it to a wager on a hand",
        "The edge of House Money, of each unit staked on it, beside a wager to which the payout may"
        " be added. Whoever follows the table of House Money has the best that can be had.",
        rule_ids=rests_on[1:2],
        rests_on=rests_on,
        of="patron's choice",
        columns=columns,
        rows=rows,
    )
    return [policies, _decisions(rules, offer, worth)]


_POLICIES: Final[Sequence[tuple[str, str, Callable[[Fraction, int], bool]]]] = (
    ("add", "always add it", lambda _mean, _own: True),
    ("by_counts", "choose by the counts alone", lambda mean, _own: mean > 0),
    ("table", "follow the table", lambda _mean, own: own > 0),
)
"""Strategies, each with whether a payout is added, by the mean of its cell and its own value."""


def _added(
    cells: Iterable[_Cell], bases: Sequence[str], adds: Callable[[Fraction, int], bool]
) -> Counter[tuple[str, str]]:
    additions: Counter[tuple[str, str]] = Counter()
    for cell in cells:
        for base in bases:
            mean = cell.mean(base)
            for ways, nets in cell.starts.values():
                if adds(mean, nets[base]):
                    for line, number in ways.items():
                        additions[line, base] += number * nets[base]
    return additions


def _decisions(rules: TableRules, offer: Offer, worth: _Worth) -> Package:
    rows = []
    pays = _pays(offer)
    for (player, banker), cell in sorted(worth.cells.items()):
        mean_nets = {base: cell.mean(base) / worth.of_each for base in worth.bases}
        for base in worth.bases:
            mean_nets[f"{base}_by_units"] = cell.mean_by_units(base, pays) / worth.of_each
        rows.append(row(f"{player}-{banker}", f"Player {player}, Banker {banker}", **mean_nets))
        for hands in cell.exceptions(worth.bases):
            _, nets = cell.starts[hands]
            own, other = (",".join(_VALUE_NAMES[value] for value in hand) for hand in hands)
            key = f"{player}-{banker}:{own}-{other}"
            title = f"  but Player {own}, Banker {other}"
            exact = {
                f"{base}{name}": Fraction(nets[base], worth.of_each)
                for base in worth.bases
                for name in ("", "_by_units")
            }
            rows.append(row(key, title, **exact))
    return package(
        rules,
        f"{offer.wager.id}_table",
        "House Money: when to add the payout",
        "What a unit added brings on average, by the counts of the first two cards: the payout "
        "is added where that is positive. By units, each start counts as often as the units that "
        "House Money pays. Where a start is an exception to its counts, it follows them with its "
        "cards; T is any card of value 0.",
        rule_ids=(f"{offer.wager.offered_by}.add",),
        of="counts",
        columns=[
            column(f"{base}{name}", f"beside {rules.wagers[base].title}{title}", "gain")
            for name, title in (("", ""), ("_by_units", ", by units"))
            for base in worth.bases
        ],
        rows=rows,
    )


def _pays(offer: Offer) -> dict[str, Fraction]:
    return {line: odds.ratio for line, odds in offer.pays.items() if isinstance(odds, Odds)}


def _gains(
    rules: TableRules, shoe: ShoeComposition, offer: Offer, additions: Mapping[tuple[str, str], int]
) -> dict[str, Fraction]:
    portion = rules.value(f"{offer.wager.offered_by}.portion", Fraction)
    pays = _pays(offer)
    total = perm(shoe.cards, 4)
    net_gains = dict.fromkeys(_bases(rules), Fraction())
    for (line, base), units in additions.items():
        net_gains[base] += pays[line] * portion * units / total
    return net_gains
