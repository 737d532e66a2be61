"""The filing of a progressive: fixed awards, resets, increments, and the value of each meter."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.law.usage import currency_in_use, money
from croupier.law.values import Kind, parse_value
from croupier.odds.census import Census
from croupier.odds.package import column, package, row
from croupier.odds.sheet import UNIT_CENTS, WagerSheet, trials_within, wager_sheet
from croupier.rules import Award, Offer, TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package, PackageColumn, PackageRow

_STEPS: Final = 10


class MeterError(ValueError):
    """A must-hit meter was given an amount that it cannot show."""


class _Meter(NamedTuple):
    seed: int
    increment: Fraction
    chance: Fraction

    @property
    def mean_at_hit(self) -> Fraction | None:
        """Includes the increment of the winning wager."""
        return self.seed + self.increment / self.chance if self.chance else None

    @property
    def variance_at_hit(self) -> Fraction | None:
        chance = self.chance
        return self.increment**2 * (1 - chance) / chance**2 if chance else None

    @property
    def mean_shown(self) -> Fraction | None:
        """Mean amount before a wager in the long run."""
        return None if self.mean_at_hit is None else self.mean_at_hit - self.increment

    @property
    def variance_of_wagers(self) -> Fraction | None:
        """Variance of the number of wagers to a hit."""
        return (1 - self.chance) / self.chance**2 if self.chance else None

    @property
    def grown(self) -> Fraction:
        """Mean award of a wager above that of the seed, in cents."""
        return self.chance * (self.mean_shown - self.seed) if self.mean_shown else Fraction()

    def quantile_at_hit(self, share: Fraction) -> Fraction | None:
        """Return the amount that a share of hits does not exceed."""
        if not self.chance:
            return None
        return self.seed + self.increment * trials_within(self.chance, share)


class MustHit(Struct, frozen=True, dict=True):
    """A must-hit-by meter: its hit value is uniform above the seed, up to the limit, in cents.

    >>> MustHit(50_000, 100_000, Fraction(5)).wagers
    Fraction(10001, 2)
    """

    seed: int
    by: int
    adds: Fraction

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction]:
        values = self.by - self.seed
        # Number of values not yet reached after each number of wagers.
        left = [values - int(number * self.adds) for number in range(ceil(values / self.adds))]
        squares = sum((2 * number + 1) * values for number, values in enumerate(left))
        return Fraction(sum(left), values), Fraction(squares, values)

    @property
    def wagers(self) -> Fraction:
        """Mean number of wagers to a hit, inclusive."""
        return self._moments[0]

    @property
    def variance_of_wagers(self) -> Fraction:
        """Variance of the number of wagers to a hit."""
        mean, square = self._moments
        return square - mean**2

    @property
    def variance_at_hit(self) -> Fraction:
        """Variance of the value when hit, in square cents."""
        return self.adds**2 * self.variance_of_wagers

    @property
    def mean_shown(self) -> Fraction:
        """Mean amount before a wager in the long run."""
        mean, square = self._moments
        # After n wagers with the probability that the hit comes later, over the mean.
        return self.seed + self.adds * (square - mean) / (2 * mean)

    def quantile_at_hit(self, share: Fraction) -> Fraction:
        """Return the amount that a share of hits does not exceed."""
        return self.seed + self.adds * ceil(ceil(share * (self.by - self.seed)) / self.adds)

    def break_even(self, worth: Fraction) -> int | None:
        """Return the smallest meter value worth at least ``worth`` to the next wager, if any."""
        shown = range(self.seed, self.by)
        at = bisect_left(shown, worth, key=self.worth)
        return shown[at] if at < len(shown) else None

    def chance(self, shown: int) -> Fraction:
        """Return the hit probability of the next wager."""
        left = self.by - shown
        reaches = int(shown + self.adds) - shown
        return Fraction(reaches, left) if reaches < left else Fraction(1)

    def worth(self, shown: int) -> Fraction:
        """Return the expected gain of the next wager, in cents."""
        return self.chance(shown) * (shown + self.adds)


def progressive_packages(rules: TableRules, offer: Offer, sheet: WagerSheet) -> list[Package]:
    """Return the filing of a progressive wager, from its sheet at the seeds."""
    stake = offer.fixed_cents or UNIT_CENTS
    chances = {line.outcome: Fraction(line.ways, sheet.total) for line in sheet.lines}
    increments = {
        meter: _increment(rules, offer, meter) for meter in (*offer.wager.meters, *offer.meters)
    }
    meters = {
        meter: _Meter(
            rules.meter_seeds[meter], stake * increments[meter], chances.get(meter, Fraction())
        )
        for meter in offer.wager.meters
    }
    limits = _limits(rules, offer, increments)
    found = [
        _by_meter(rules, offer, sheet, meters),
        _long_run(rules, offer, sheet, meters, limits),
        _hits(rules, offer, meters, limits),
    ]
    found += [_must_hit(rules, offer, sheet, meter, one) for meter, one in limits.items()]
    return found


def _limits(
    rules: TableRules, offer: Offer, increments: Mapping[str, Fraction]
) -> dict[str, MustHit]:
    return {
        meter: MustHit(
            rules.meter_seeds[meter],
            rules.value(f"{rule_id}.must_hit_by", int),
            (offer.fixed_cents or UNIT_CENTS) * increments[meter],
        )
        for meter, rule_id in offer.meters.items()
        if meter not in offer.wager.meters
    }


def at_meters(
    rules: TableRules, offer: Offer, ways: Census[Facts], shown: Mapping[str, int]
) -> Package:
    """Return the edge of a progressive wager with meters at given amounts in cents.

    Raises ``MeterError`` for an amount that a must-hit meter cannot show.
    """
    stake = offer.fixed_cents or UNIT_CENTS
    limits = _limits(
        rules, offer, {meter: _increment(rules, offer, meter) for meter in offer.meters}
    )
    meters = {**rules.meter_seeds, **shown}
    edge = whole = wager_sheet(rules, offer.wager.id, ways, meters=meters).house_edge
    rows = []
    for name, cents in shown.items():
        if name in limits:
            limit = limits[name]
            if not limit.seed <= cents < limit.by:
                raise MeterError(
                    f"{name} shows {money(limit.seed)} or more, and less than {money(limit.by)}"
                )
            worth = limit.worth(cents) / stake
            edge -= worth
        else:
            empty = wager_sheet(rules, offer.wager.id, ways, meters={**meters, name: 0})
            worth = empty.house_edge - whole
        rows.append(row(name, name, shows=Fraction(cents), worth=worth))
    rows.append(row("edge", "the wager", edge=edge))
    return _filed(
        rules,
        offer,
        "at_meters",
        "the edge at given meters",
        "The edge with these meters at these amounts, and the others at their seeds. A must-hit "
        "meter counts if its amount is given: with one seat, and what the next wager adds.",
        of="meter",
        columns=(
            column("shows", "shows", "cents"), column("worth", "worth"), column("edge", "edge"),
        ),
        rows=rows,
    )  # fmt: skip


def _filed(  # noqa: PLR0913  (each is a part of the package)
    rules: TableRules,
    offer: Offer,
    name: str,
    title: str,
    says: str,
    *,
    of: str,
    columns: Sequence[PackageColumn],
    rows: Sequence[PackageRow],
) -> Package:
    wager = offer.wager
    rule_ids = (wager.offered_by,) if offer.meters else ()
    return package(
        rules, f"{wager.id}_{name}", f"{wager.title}: {title}", says, rule_ids=rule_ids, of=of,
        columns=columns, rows=rows,
    )  # fmt: skip


def _increment(rules: TableRules, offer: Offer, meter: str) -> Fraction:
    if meter in offer.meters:
        return rules.value(f"{offer.meters[meter]}.increment", Fraction)
    tables: Any = offer.definition.get("meter", {})
    value = parse_value(Kind.RATE, tables[meter].get("increment", "0%"))
    return value if isinstance(value, Fraction) else Fraction()


def _by_meter(
    rules: TableRules, offer: Offer, sheet: WagerSheet, meters: Mapping[str, _Meter]
) -> Package:
    stake, rows = offer.fixed_cents or UNIT_CENTS, []
    grown = sum((meter.grown for meter in meters.values()), Fraction()) / stake
    for name, meter in meters.items():
        # Decrease of the edge per cent on the meter.
        per_cent = meter.chance / stake
        evens = [
            None if not per_cent else meter.seed + (sheet.house_edge - others) / per_cent
            for others in (Fraction(), grown - meter.grown / stake)
        ]
        even, at_means = (None if one is None or one < 0 else one for one in evens)
        rows.append(
            row(
                name,
                name,
                chance=meter.chance,
                seed=Fraction(meter.seed),
                edge_per_1000_dollars=per_cent * 1000 * currency_in_use().minor,
                break_even=even,
                break_even_at_means=at_means,
            )
        )
    rows.append(row("seeds", "at the seeds", edge=sheet.house_edge))
    rows.append(row("fixed", "fixed awards only", edge=_fixed(offer, sheet, meters)))
    awards = (one for one in offer.pays.values() if isinstance(one, Award))
    how = "for" if any(one.keeps_stake for one in awards) else "to"
    thousand = money(1000 * currency_in_use().minor, short=True)
    return _filed(
        rules,
        offer,
        "meters",
        "the edge as a function of the meters",
        f"Awards are paid {how} one. The edge falls by the figure given for each additional "
        f"{thousand} on a meter; at its break-even, with the others at their seeds or at the means "
        "that they show before a wager, the edge is zero, and above it the bettor has the "
        "advantage. A must-hit meter is left out. The fixed awards are the wager with empty "
        "meters.",
        of="meter",
        columns=(
            column("chance", "comes", "chance"),
            column("seed", "seed", "cents"),
            column("edge_per_1000_dollars", f"edge per {thousand}"),
            column("break_even", "break-even", "cents"),
            column("break_even_at_means", "break-even, others at means", "cents"),
            column("edge", "edge"),
        ),
        rows=rows,
    )


def _fixed(offer: Offer, sheet: WagerSheet, meters: Mapping[str, _Meter]) -> Fraction:
    stake = offer.fixed_cents or UNIT_CENTS
    seeds = (meter.chance * Fraction(meter.seed, stake) for meter in meters.values())
    return sheet.house_edge + sum(seeds, Fraction())


def _long_run(
    rules: TableRules,
    offer: Offer,
    sheet: WagerSheet,
    meters: Mapping[str, _Meter],
    limits: Mapping[str, MustHit],
) -> Package:
    stake = offer.fixed_cents or UNIT_CENTS
    edge = _fixed(offer, sheet, meters)
    rows = [row("fixed", "fixed awards", edge=edge)]
    paid = [
        # A meter that is never hit returns nothing.
        (name, meter.chance * meter.seed, meter.increment if meter.chance else Fraction())
        for name, meter in meters.items()
    ]
    paid += [(name, limit.seed / limit.wagers, limit.adds) for name, limit in limits.items()]
    for name, seed, added in paid:
        reset, increment = -seed / stake, -added / stake
        edge += reset + increment
        rows.append(row(name, name, reset=reset, increment=increment, edge=reset + increment))
    rows.append(row("long_run", "long run", edge=edge, return_to_player=1 - edge))
    return _filed(
        rules,
        offer,
        "long_run",
        "the long-run edge",
        "What each meter pays back of a unit staked: its probability times its seed (reset), and "
        "its increment. The parts add up to the long-run edge. Linked tables share the wagers that "
        "feed and hit the meters, and change none of this.",
        of="part",
        columns=(
            column("reset", "reset"),
            column("increment", "increment"),
            column("edge", "edge"),
            column("return_to_player", "RTP"),
        ),
        rows=rows,
    )


def _hits(
    rules: TableRules, offer: Offer, meters: Mapping[str, _Meter], limits: Mapping[str, MustHit]
) -> Package:
    rows = [
        row(
            name,
            name,
            mean_at_hit=meter.mean_at_hit,
            variance_at_hit=meter.variance_at_hit,
            wagers_to_hit=1 / meter.chance if meter.chance else None,
            variance_of_wagers=meter.variance_of_wagers,
            **_amounts(meter),
        )
        for name, meter in meters.items()
    ]
    rows += [
        row(
            name,
            name,
            mean_at_hit=limit.seed + limit.adds * limit.wagers,
            variance_at_hit=limit.variance_at_hit,
            wagers_to_hit=limit.wagers,
            variance_of_wagers=limit.variance_of_wagers,
            **_amounts(limit),
        )
        for name, limit in limits.items()
    ]
    return _filed(
        rules,
        offer,
        "hits",
        "the meters when they are hit",
        "What a meter shows at a hit: the mean, and its variance, in square cents, whose root is "
        "printed. The number of wagers up to a hit is a mean, and includes the one that hits it; "
        "divided by the wagers of an hour, on all tables that share the meter, it is the time. "
        "95% and 99% of hits are at most at these amounts; the liability is the mean amount "
        "shown before a wager in the long run, the 99% amount a reserve.",
        of="meter",
        columns=(
            column("mean_at_hit", "mean", "cents"),
            column("variance_at_hit", "deviation", "square_cents"),
            column("wagers_to_hit", "wagers to a hit", "count"),
            column("variance_of_wagers", "their variance", "count"),
            column("quantile_95", "95% at most", "cents"),
            column("quantile_99", "99% at most", "cents"),
            column("liability", "liability", "cents"),
        ),
        rows=rows,
    )


def _amounts(meter: _Meter | MustHit) -> Mapping[str, Fraction | None]:
    return {
        "quantile_95": meter.quantile_at_hit(Fraction(95, 100)),
        "quantile_99": meter.quantile_at_hit(Fraction(99, 100)),
        "liability": meter.mean_shown,
    }


def _must_hit(
    rules: TableRules, offer: Offer, sheet: WagerSheet, meter: str, limit: MustHit
) -> Package:
    stake = offer.fixed_cents or UNIT_CENTS
    span = limit.by - limit.seed
    shown = [limit.seed + span * step // _STEPS for step in range(_STEPS)]
    shown.append(limit.by - max(int(limit.adds), 1))
    even = limit.break_even(sheet.house_edge * stake)
    shown += [] if even is None else [even]
    rows = []
    for cents in sorted({*shown}):
        worth = limit.worth(cents) / stake
        rows.append(
            row(
                f"{cents}",
                money(cents) + (", break-even" if cents == even else ""),
                chance=limit.chance(cents),
                worth=worth,
                edge=sheet.house_edge - worth,
            )
        )
    return _filed(
        rules,
        offer,
        meter,
        f"{meter}, by what it shows",
        f"The meter must be hit by {money(limit.by)}. What it is worth to the next wager, per "
        "unit staked, with one seat; with several, each has an equal share of what all of them "
        "add. The edge is that of the wager with the other meters at their seeds; from the "
        "break-even on the bettor has the advantage.",
        of="shows",
        columns=(
            column("chance", "hit", "chance"),
            column("worth", "worth"),
            column("edge", "edge"),
        ),
        rows=rows,
    )
