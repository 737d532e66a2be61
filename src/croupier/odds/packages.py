"""Wagers that are worth something else together than apart: waiver, House Money, Royal 9."""

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
from croupier.odds.sheet import UNIT_CENTS, WagerSheet, net_cents
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Award, Offer, TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package, Unit

__all__ = ["PackageFigure", "companions_of", "figures_of", "packages_of"]


def companions_of(rules: TableRules) -> tuple[str, ...]:
    """Return the wagers that may waive the vigorish of Banker; none where the table waives none."""
    if not rules.vigorish.waived:
        return ()
    return tuple(name for name, offer in rules.offers.items() if offer.wager.waives_vigorish)


def packages_of(
    rules: TableRules,
    shoe: ShoeComposition,
    counts: Census[Facts],
    sheets: Mapping[str, WagerSheet],
) -> list[Package]:
    """Return the packages that a table offers, as the data of the sheet."""
    packages = []
    if rules.vigorish.waived:
        packages.append(_waiver(rules, counts, sheets))
    for name, offer in rules.offers.items():
        if offer.wager.settled_at is Moment.FOUR_CARDS:
            packages += house_money_packages(rules, shoe, offer, sheets[name])
        if offer.meters or offer.seeds:
            packages.append(_metered(rules, offer, sheets[name]))
    return packages


class PackageFigure(NamedTuple):
    """One figure of a package: where it stands, what it is, and its value if there is one."""

    package: str
    row: str
    column: str
    unit: Unit
    value: Fraction | None


def figures_of(packages: Iterable[Package]) -> Iterator[PackageFigure]:
    """Yield every figure of packages, in their order."""
    for one in packages:
        units = {head["id"]: head["unit"] for head in one["columns"]}
        for cells in one["rows"]:
            for name, value in cells["figures"].items():
                exact = None if value is None else Fraction(value)
                yield PackageFigure(one["id"], cells["id"], name, units[name], exact)


def _waiver(rules: TableRules, counts: Census[Facts], sheets: Mapping[str, WagerSheet]) -> Package:
    """Weigh Banker with each companion that waives its vigorish, stake for stake."""
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


def _metered(rules: TableRules, offer: Offer, sheet: WagerSheet) -> Package:
    """Return the edge of the fixed awards, and what each meter must show to take it away."""
    wager = offer.wager
    stake = offer.fixed_cents or UNIT_CENTS
    seeds = rules.meter_seeds
    meters = {line.outcome: line for line in sheet.lines if line.outcome in wager.meters}
    rows = []
    for meter, line in meters.items():
        chance = Fraction(line.ways, sheet.total)
        # The edge falls by this much for each cent that the meter shows more.
        per_cent = chance / stake
        even = seeds[meter] + sheet.house_edge / per_cent if per_cent else None
        rows.append(
            row(
                meter,
                meter,
                chance=chance,
                seed=Fraction(seeds[meter]),
                edge_per_1000_dollars=per_cent * 100_000,
                break_even=None if even is None or even < 0 else even,
            )
        )
    fixed = sheet.house_edge + sum(
        (Fraction(line.ways, sheet.total) * Fraction(seeds[name], stake))
        for name, line in meters.items()
    )
    rows.append(row("seeds", "at the seeds", edge=sheet.house_edge))
    rows.append(row("fixed", "fixed awards only", edge=fixed))
    awards = (one for one in offer.pays.values() if isinstance(one, Award))
    how = "for" if any(one.keeps_stake for one in awards) else "to"
    return package(
        rules,
        f"{wager.id}_meters",
        f"{wager.title}: the edge as a function of the meters",
        f"Awards are paid {how} one. The edge falls by the figure given for each additional "
        "$1,000 on a meter; at its break-even, with the others at their seeds, the edge is zero. "
        "The fixed awards are the wager with empty meters.",
        rule_ids=(wager.offered_by,) if offer.meters else (),
        of="meter",
        columns=(
            column("chance", "comes", "chance"),
            column("seed", "seed", "cents"),
            column("edge_per_1000_dollars", "edge per $1,000"),
            column("break_even", "break-even", "cents"),
            column("edge", "edge"),
        ),
        rows=rows,
    )
