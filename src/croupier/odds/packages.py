"""Packages: wagers with another combined edge, the RTP by stake, and the theoretical win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import Moment
from croupier.law.usage import money
from croupier.money.settlement import Stake, settle
from croupier.odds.census import Census
from croupier.odds.chances import census_of
from croupier.odds.house_money import house_money_packages
from croupier.odds.progressive import progressive_packages
from croupier.odds.sheet import (
    UNIT_CENTS,
    WagerSheet,
    column,
    is_taken,
    net_cents,
    package,
    row,
    wager_sheet,
)
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package, PackageRow, Unit


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
    for item in packages:
        units = {head["id"]: head["unit"] for head in item["columns"]}
        for cells in item["rows"]:
            for name, value in cells["figures"].items():
                exact = None if value is None else Fraction(value)
                yield PackageFigure(item["id"], cells["id"], name, units[name], exact)


def _waiver(rules: TableRules, counts: Census[Facts], sheets: Mapping[str, WagerSheet]) -> Package:
    bearing = rules.bearing.wager.id
    edge_alone = sheets[bearing].house_edge
    rows = [row("none", "none", banker_edge=edge_alone, package_edge=edge_alone)]
    for companion in companions_of(rules):
        stakes = {(1, bearing): Stake(UNIT_CENTS), (1, companion): Stake(UNIT_CENTS)}
        net = banker = 0
        for facts, ways in counts.items():
            settlements = settle(rules, facts, stakes)
            net += ways * net_cents(settlements)
            banker += ways * net_cents(settlements[:1])
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


def by_stake(
    rules: TableRules, shoe: ShoeComposition, wager: str, stakes: Sequence[int]
) -> Iterator[Package]:
    """Yield the RTP of a wager at each valid stake in cents, if there is one."""
    offer = rules.offers[wager]
    ways = census_of(shoe, rules, offer.wager.asks)
    found = {
        stake: 1 - wager_sheet(
            rules, wager, ways, stake_cents=stake, meters=rules.meter_seeds
        ).house_edge
        for stake in stakes
        if is_taken(offer, stake)
    }  # fmt: skip
    if not found:
        return
    ranges = [list(alike) for _, alike in groupby(found, found.__getitem__)]
    # The first of equal stakes is named.
    ends = (
        ("worst", min(found, key=found.__getitem__)),
        ("best", max(found, key=found.__getitem__)),
    )
    rounded_by = [rules.vigorish.rounded_by] if offer.wager.bears_vigorish else []
    rounded_by += ["settlement.rounds_to"] if rules.applies("settlement.rounds_to") else []
    rows = [
        *(_range(name, f"{name}, {money(stake)}", [stake], found[stake]) for name, stake in ends),
        *(_range(f"{span[0]}", money(span[0]), span, found[span[0]]) for span in ranges),
    ]
    yield package(
        rules,
        f"{wager}_by_stake",
        f"{offer.wager.title}: RTP by stake",
        "As the table pays, with rounding and limits. Consecutive stakes with the same RTP are in "
        "one row; of equal stakes, the smallest is named.",
        rule_ids=tuple(filter(None, rounded_by)),
        of="stake",
        columns=(
            column("from", "from", "cents"), column("to", "to", "cents"),
            column("return_to_player", "RTP"),
        ),
        rows=rows,
    )  # fmt: skip


def _range(name: str, title: str, stakes: Sequence[int], rtp: Fraction) -> PackageRow:
    ends = {"from": Fraction(stakes[0]), "to": Fraction(stakes[-1])}
    return row(name, title, **ends, return_to_player=rtp)


def theoretical_win(
    rules: TableRules, sheets: Sequence[WagerSheet], packages: Sequence[Package], pace: Pace
) -> Iterator[Package]:
    """Yield the win on each wager at its limits, or at a dollar, and how often meters are hit."""
    bets = f"a wager of each of {pace.seats} seats in each of {pace.rounds_per_hour} rounds an hour"
    wins = (
        ("per_seat_hour", "per seat and hour", pace.rounds_per_hour),
        ("per_hour", "per hour", pace.rounds_per_hour * pace.seats),
        ("per_shoe", "per shoe", (pace.rounds_per_shoe or 0) * pace.seats),
    )
    wins_asked = [win for win in wins if win[2]]
    rows = []
    for sheet in sheets:
        offer = rules.offers[sheet.wager]
        limit = offer.limit
        for stake in (100,) if limit is None else {limit.min_cents: 0, limit.max_cents: 0}:
            won = {name: stake * sheet.house_edge * rounds for name, _, rounds in wins_asked}
            title = f"{offer.wager.title} {money(stake)}"
            rows.append(row(f"{sheet.wager}_{stake}", title, **won))
    yield package(
        rules,
        "theoretical_win",
        "Theoretical win",
        f"The stake times the house edge, with {bets}"
        + (f", {pace.rounds_per_shoe} of a shoe." if pace.rounds_per_shoe else "."),
        of="wager",
        columns=[column(name, title, "cents") for name, title, _ in wins_asked],
        rows=rows,
    )
    yearly = pace.rounds_per_hour * 24 * 365
    # A round adds the shares of all its seats and hits a meter at most once.
    to_hit = "wagers_to_hit" if pace.seats == 1 else "rounds_to_hit"
    hits = [
        row(figure.row, figure.row, hits_per_year=yearly / figure.value)
        for figure in figures_of(packages)
        if figure.column == to_hit and figure.value
    ]
    if hits:
        yield package(
            rules,
            "hits_per_year",
            "Hits per year",
            f"Rounds that hit the meter, in 365 days of 24 hours, with {bets}.",
            of="meter",
            columns=[column("hits_per_year", "hits", "count")],
            rows=hits,
        )
