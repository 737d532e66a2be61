"""Wagers with a different combined edge: waiver of vigorish, House Money, Royal 9."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import Moment
from croupier.money.settlement import Stake, settle
from croupier.odds.census import Census
from croupier.odds.house_money import house_money_packages
from croupier.odds.package import column, package, row
from croupier.odds.progressive import progressive_packages
from croupier.odds.sheet import UNIT_CENTS, WagerSheet, net_cents
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package, Unit


def companions_of(rules: TableRules) -> tuple[str, ...]:
    if not rules.vigorish.waived:
        return ()
    return tuple(name for name, offer in rules.offers.items() if offer.wager.waives_vigorish)


def packages_of(
    rules: TableRules,
    shoe: ShoeComposition,
    counts: Census[Facts],
    sheets: Mapping[str, WagerSheet],
) -> list[Package]:
    packages = []
    if rules.vigorish.waived:
        packages.append(_waiver(rules, counts, sheets))
    for name, offer in rules.offers.items():
        if offer.wager.settled_at is Moment.FOUR_CARDS:
            packages += house_money_packages(rules, shoe, offer, sheets[name])
        if offer.meters or offer.seeds:
            packages += progressive_packages(rules, offer, sheets[name])
    return packages


class Pace(NamedTuple):
    rounds_per_hour: int
    seats: int
    rounds_per_shoe: int | None = None


class PackageFigure(NamedTuple):
    package: str
    row: str
    column: str
    unit: Unit
    value: Fraction | None


def figures_of(packages: Iterable[Package]) -> Iterator[PackageFigure]:
    for one in packages:
        units = {head["id"]: head["unit"] for head in one["columns"]}
        for cells in one["rows"]:
            for name, value in cells["figures"].items():
                exact = None if value is None else Fraction(value)
                yield PackageFigure(one["id"], cells["id"], name, units[name], exact)


def _waiver(rules: TableRules, counts: Census[Facts], sheets: Mapping[str, WagerSheet]) -> Package:
    bearing = rules.bearing.wager.id
    alone = sheets[bearing].house_edge
    rows = [row("none", "none", banker_edge=alone, package_edge=alone)]
    for companion in companions_of(rules):
        placed = {(1, bearing): Stake(UNIT_CENTS), (1, companion): Stake(UNIT_CENTS)}
        net = banker = 0
        for facts, ways in counts.items():
            settled = settle(rules, facts, placed)
            net += ways * net_cents(settled)
            banker += ways * net_cents(settled[:1])
        staked = counts.total * UNIT_CENTS
        rows.append(
            row(
                companion,
                rules.offers[companion].wager.title,
                banker_edge=Fraction(-banker, staked),
                companion_edge=sheets[companion].house_edge,
                package_edge=Fraction(-net, 2 * staked),
            )
        )
    return package(
        rules,
        "total_cards_waiver",
        "Banker without vigorish, with a total cards wager",
        "Vigorish is waived where the same patron's total cards wagers reach the Banker wager. "
        "The edge of the package is per unit staked on both, half on each.",
        rule_ids=("vigorish.waiver",),
        of="companion",
        columns=(
            column("banker_edge", "edge of Banker"),
            column("companion_edge", "edge of the companion"),
            column("package_edge", "edge of the package"),
        ),
        rows=rows,
    )
