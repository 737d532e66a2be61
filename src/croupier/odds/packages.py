"""Wagers that are worth something else together than apart: waiver, House Money, Royal 9."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import Moment
from croupier.law.standing import entries_named
from croupier.money.settlement import Stake, settle
from croupier.odds.census import Census
from croupier.odds.house_money import house_money_package
from croupier.odds.sheet import UNIT_CENTS, WagerSheet, net_cents
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Offer, TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package

__all__ = ["companions_of", "packages_of", "percent"]


def companions_of(rules: TableRules) -> tuple[str, ...]:
    """Return the wagers that may waive the vigorish of Banker; none where the table waives none."""
    if not rules.vigorish.waived:
        return ()
    return tuple(name for name, offer in rules.offers.items() if offer.wager.waives_vigorish)


def percent(value: Fraction) -> str:
    """Write a rate in percent, to four places.

    >>> percent(Fraction(1, 80))
    '1.2500%'
    """
    return f"{float(value * 100):.4f}%"


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
            packages.append(house_money_package(rules, shoe, offer, sheets[name]))
        if offer.meters:
            packages.append(_metered(rules, offer, sheets[name]))
    return packages


def _package(  # noqa: PLR0913  (each is a part of the table)
    rules: TableRules,
    name: str,
    title: str,
    says: str,
    *,
    rule_id: str,
    columns: Mapping[str, str],
    rows: Iterable[Iterable[str]],
) -> Package:
    named = entries_named(rules.law, rules.cites(rule_id))
    return {
        "id": name,
        "title": title,
        "says": says,
        "cites": list(rules.cites(rule_id)),
        "interpretations": [one for one in named if one in rules.readings],
        "columns": columns,
        "rows": [dict(zip(columns, row, strict=True)) for row in rows],
    }


def _waiver(rules: TableRules, counts: Census[Facts], sheets: Mapping[str, WagerSheet]) -> Package:
    """Weigh Banker with each companion that waives its vigorish, stake for stake."""
    bearing = rules.bearing.wager.id
    alone = percent(sheets[bearing].house_edge)
    rows = [["none", alone, "", alone]]
    for companion in companions_of(rules):
        placed = {(1, bearing): Stake(UNIT_CENTS), (1, companion): Stake(UNIT_CENTS)}
        net = banker = 0
        for facts, ways in counts.items():
            settled = settle(rules, facts, placed)
            net += ways * net_cents(settled)
            banker += ways * net_cents(settled[:1])
        staked = counts.total * UNIT_CENTS
        rows.append(
            [
                rules.offers[companion].wager.title,
                percent(Fraction(-banker, staked)),
                percent(sheets[companion].house_edge),
                percent(Fraction(-net, 2 * staked)),
            ]
        )
    return _package(
        rules,
        "total_cards_waiver",
        "Banker without vigorish, beside a total cards wager",
        "Vigorish is waived where the same patron's total cards wagers reach his Banker wager. The"
        " edge of the package is of each unit staked on both, half on either.",
        rule_id="vigorish.waiver",
        columns={
            "companion": "companion",
            "banker_edge": "edge of Banker",
            "companion_edge": "edge of the companion",
            "package_edge": "edge of the package",
        },
        rows=rows,
    )


def _metered(rules: TableRules, offer: Offer, sheet: WagerSheet) -> Package:
    """Tell the fixed awards' part of the edge, and what each meter must show to take it away."""
    wager = offer.wager
    stake = offer.fixed_cents or UNIT_CENTS
    seeds = rules.meter_seeds
    meters = {line.outcome: line for line in sheet.lines if line.outcome in wager.meters}
    rows = []
    for meter, line in meters.items():
        chance = Fraction(line.ways, sheet.total)
        # The edge falls by this much for each cent that the meter shows more.
        per_cent = chance / stake
        break_even = seeds[meter] + sheet.house_edge / per_cent if per_cent else None
        rows.append(
            [
                meter,
                f"1 in {float(1 / chance):,.0f}" if chance else "never",
                f"${seeds[meter] / 100:,.2f}",
                percent(per_cent * 100_000),
                "never"
                if break_even is None or break_even < 0
                else f"${float(break_even) / 100:,.2f}",
            ]
        )
    fixed = sheet.house_edge + sum(
        (Fraction(line.ways, sheet.total) * Fraction(seeds[name], stake))
        for name, line in meters.items()
    )
    rows.append(["fixed awards alone", "", "", "", percent(fixed)])
    how = "for" if rules.elected(f"{wager.offered_by}.award_is", "for-one") else "to"
    return _package(
        rules,
        f"{wager.id}_meters",
        f"{wager.title}: the edge as a function of the meters",
        f"The edge is {percent(sheet.house_edge)} with the meters at their seeds, awards paid {how}"
        " one. It falls by the figure told for each 1,000 dollars that a meter shows more; at its"
        " break-even, the others at their seeds, the house keeps nothing. The last row is the edge"
        " of the fixed awards, with empty meters.",
        rule_id=wager.offered_by,
        columns={
            "meter": "meter",
            "comes": "comes",
            "seed": "seed",
            "edge_per_1000_dollars": "edge per $1,000",
            "break_even": "break-even",
        },
        rows=rows,
    )
