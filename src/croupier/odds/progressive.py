"""The filing of a progressive: fixed awards, resets, increments, and the value of each meter."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.law.usage import currency_in_use, money
from croupier.law.values import Kind, parse_value
from croupier.money.settlement import Stake, settle
from croupier.odds.census import Census
from croupier.odds.sheet import (
    UNIT_CENTS,
    WagerSheet,
    column,
    net_cents,
    package,
    row,
    trials_within,
)
from croupier.rules import Award, Offer, TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Package

_STEPS: Final = 10


class MeterError(ValueError):
    """A must-hit meter was given an amount that it cannot show."""


class _Meter(NamedTuple):
    seed: int
    increment: Fraction
    chance: Fraction

    @property
    def trials(self) -> Fraction | None:
        return 1 / self.chance if self.chance else None

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
        return None if self.mean_at_hit is None else self.mean_at_hit - self.increment

    @property
    def mean_before(self) -> Fraction | None:
        return self.mean_shown

    @property
    def variance_of_trials(self) -> Fraction | None:
        return (1 - self.chance) / self.chance**2 if self.chance else None

    @property
    def grown(self) -> Fraction:
        """Mean award of a wager above that of the seed, in cents."""
        return self.chance * (self.mean_shown - self.seed) if self.mean_shown else Fraction()

    def quantile_at_hit(self, share: Fraction) -> Fraction | None:
        if not self.chance:
            return None
        return self.seed + self.increment * trials_within(self.chance, share)


class MustHit(Struct, frozen=True, dict=True):
    """A must-hit-by meter: its hit value is uniform above the seed, up to the limit, in cents.

    ``adds`` is the share of a trial: of a wager, or of all seats' wagers of a round. The meter
    stops at the limit.

    >>> MustHit(50_000, 100_000, Fraction(5)).trials
    Fraction(10001, 2)
    """

    seed: int
    by: int
    adds: Fraction

    @cached_property
    def _moments(self) -> tuple[Fraction, Fraction]:
        values = self.by - self.seed
        # Number of values not yet reached after each number of trials.
        left = [values - int(number * self.adds) for number in range(ceil(values / self.adds))]
        squares = sum((2 * number + 1) * values for number, values in enumerate(left))
        return Fraction(sum(left), values), Fraction(squares, values)

    @property
    def _beyond(self) -> tuple[Fraction, Fraction]:
        """Excess of the last possible trial over the limit, and its probability."""
        values = self.by - self.seed
        last = ceil(values / self.adds)
        return last * self.adds - values, 1 - Fraction(int((last - 1) * self.adds), values)

    @property
    def trials(self) -> Fraction:
        """Mean number of trials to a hit, inclusive."""
        return self._moments[0]

    @property
    def variance_of_trials(self) -> Fraction:
        mean, square = self._moments
        return square - mean**2

    @property
    def mean_before(self) -> Fraction:
        """Mean amount before the trial that hits."""
        return self.seed + self.adds * (self.trials - 1)

    @property
    def mean_at_hit(self) -> Fraction:
        beyond, chance = self._beyond
        return self.seed + self.adds * self.trials - beyond * chance

    @property
    def variance_at_hit(self) -> Fraction:
        (mean, square), (beyond, chance), seed = self._moments, self._beyond, self.seed
        uncapped = seed**2 + 2 * seed * self.adds * mean + self.adds**2 * square
        capped = uncapped - chance * ((self.by + beyond) ** 2 - self.by**2)
        return capped - self.mean_at_hit**2

    @property
    def mean_shown(self) -> Fraction:
        """Mean amount before a trial in the long run."""
        mean, square = self._moments
        # After n trials with the probability that the hit comes later, over the mean.
        return self.seed + self.adds * (square - mean) / (2 * mean)

    def quantile_at_hit(self, share: Fraction) -> Fraction:
        trials = ceil(ceil(share * (self.by - self.seed)) / self.adds)
        return min(self.seed + self.adds * trials, Fraction(self.by))

    def break_even(self, worth: Fraction) -> int | None:
        shown = range(self.seed, self.by)
        at = bisect_left(shown, worth, key=self.worth)
        return shown[at] if at < len(shown) else None

    def chance(self, shown: int) -> Fraction:
        left = self.by - shown
        reaches = int(shown + self.adds) - shown
        return Fraction(reaches, left) if reaches < left else Fraction(1)

    def worth(self, shown: int) -> Fraction:
        return self.chance(shown) * min(shown + self.adds, Fraction(self.by))


class _Progressive(NamedTuple):
    rules: TableRules
    offer: Offer

    @property
    def stake(self) -> int:
        return self.offer.fixed_cents or UNIT_CENTS

    def share(self, meter: str) -> Fraction:
        """Cents of one wager that go into a meter."""
        return self.stake * self._increment(meter)

    def _increment(self, meter: str) -> Fraction:
        if meter in self.offer.meters:
            return self.rules.value(f"{self.offer.meters[meter]}.increment", Fraction)
        tables: Any = self.offer.definition.get("meter", {})
        value = parse_value(Kind.RATE, tables[meter].get("increment", "0%"))
        return value if isinstance(value, Fraction) else Fraction()

    def meters(self, chances: Mapping[str, Fraction], seats: int = 1) -> dict[str, _Meter]:
        return {
            meter: _Meter(
                self.rules.meter_seeds[meter],
                seats * self.share(meter),
                chances.get(meter, Fraction()),
            )
            for meter in self.offer.wager.meters
        }

    def limits(self, seats: int = 1) -> dict[str, MustHit]:
        return {
            meter: MustHit(
                self.rules.meter_seeds[meter],
                self.rules.value(f"{rule_id}.must_hit_by", int),
                seats * self.share(meter),
            )
            for meter, rule_id in self.offer.meters.items()
            if meter not in self.offer.wager.meters
        }

    def package(self, name: str, title: str, says: str, **parts: Any) -> Package:
        """Package of the wager; ``parts`` are the title of its rows, its columns, and its rows."""
        wager, meters = self.offer.wager, self.offer.meters
        rule_ids = (wager.offered_by,) if meters else ()
        return package(
            self.rules, f"{wager.id}_{name}", f"{wager.title}: {title}", says, rule_ids=rule_ids,
            rests_on=sorted({*rule_ids, *meters.values()}), **parts,
        )  # fmt: skip


def progressive_packages(rules: TableRules, offer: Offer, sheet: WagerSheet) -> list[Package]:
    wager = _Progressive(rules, offer)
    meters, limits = wager.meters(_chances(offer, sheet)), wager.limits()
    found = [
        _by_meter(wager, sheet, meters),
        _long_run(wager, sheet, meters, limits),
        _hits(wager, {**meters, **limits}),
    ]
    found += [_must_hit(wager, sheet, meter, limit) for meter, limit in limits.items()]
    return found


def _paid_from(offer: Offer) -> dict[str, str]:
    """Return the meter that pays each line."""
    awards = {line: pays for line, pays in offer.pays.items() if isinstance(pays, Award)}
    return {line: award.meter for line, award in awards.items() if award.meter is not None}


def _chances(offer: Offer, sheet: WagerSheet) -> dict[str, Fraction]:
    paid_from, chances = _paid_from(offer), dict.fromkeys(offer.wager.meters, Fraction())
    for line in sheet.lines:
        if line.outcome in paid_from:
            chances[paid_from[line.outcome]] += Fraction(line.ways, sheet.total)
    return chances


def _chances_of_round(offer: Offer, ways: Census[Facts], seats: int) -> dict[str, Fraction]:
    """Return the probability that at least one of the first ``seats`` hits each meter."""
    paid_from, chances = _paid_from(offer), dict.fromkeys(offer.wager.meters, Fraction())
    for facts, number in ways.items():
        lines = {offer.decide(facts, seat).line for seat in range(1, seats + 1)}
        for meter in {paid_from[line] for line in lines & paid_from.keys()}:
            chances[meter] += Fraction(number, ways.total)
    return chances


def by_seats(rules: TableRules, offer: Offer, ways: Census[Facts], seats: int) -> Package:
    """Hits by the first seats. Raises ``MeterError`` for more seats than the layout has."""
    if seats > (largest := rules.submission.layout.seats):
        raise MeterError(f"{seats} seats: the layout has {largest}")
    chances = _chances_of_round(offer, ways, seats)
    wager = _Progressive(rules, offer)
    return _hits(wager, {**wager.meters(chances, seats), **wager.limits(seats)}, seats)


def at_meters(
    rules: TableRules, offer: Offer, ways: Census[Facts], shown: Mapping[str, int], seats: int = 1
) -> Package:
    """Raise ``MeterError`` for an amount in cents that a must-hit meter cannot show."""
    wager = _Progressive(rules, offer)
    limits = wager.limits(seats)
    chances, of_any = dict.fromkeys(shown, Fraction()), _chances_of_round(offer, ways, seats)
    paid_from, net, rows, of_round = _paid_from(offer), Fraction(), [], Fraction()
    for facts, number in ways.items():
        share = Fraction(number, seats * ways.total)
        for seat in range(1, seats + 1):
            stakes = {(seat, offer.wager.id): Stake(wager.stake)}
            settled = settle(rules, facts, stakes, rules.meter_seeds)
            net += share * net_cents(settled)
            if (meter := paid_from.get(settled[0].decision.line)) in chances:
                chances[meter] += share
    edge = -net / wager.stake
    for name, cents in shown.items():
        with_round = {}
        if name in limits:
            limit = limits[name]
            if not limit.seed <= cents < limit.by:
                raise MeterError(
                    f"{name} shows {money(limit.seed)} or more, and less than {money(limit.by)}"
                )
            worth = limit.worth(cents) / seats / wager.stake
            edge -= worth
        else:
            # One seat is paid what the meter shows, and the others that hit it its seed.
            seed = rules.meter_seeds[name]
            more = of_any[name] * (cents - seed) / seats / wager.stake
            worth = chances[name] * seed / wager.stake + more
            gain = of_any[name] * wager.share(name) / wager.stake
            with_round["worth_of_round"] = gain
            edge -= more
            of_round += gain
        rows.append(row(name, name, shows=Fraction(cents), worth=worth, **with_round))
    rows.append(row("edge", "the wager", edge=edge, edge_with_round=edge - of_round))
    return wager.package(
        "at_meters",
        "the edge at given meters",
        "The edge with these meters at these amounts, and the others at their seeds, if "
        f"{_seats(seats)} in the round: the mean of these wagers. Of several that hit a meter in a "
        "round, the first is paid what it shows, and the others its seed. With the round, the "
        "shares of all these wagers are in the meters before an award is paid. A must-hit meter "
        "counts if its amount is given, always with the round: it stops at its limit, and each "
        "seat has an equal part of the award.",
        of="meter",
        columns=(
            column("shows", "shows", "cents"), column("worth", "worth"),
            column("worth_of_round", "worth of the round's shares"), column("edge", "edge"),
            column("edge_with_round", "edge with the round"),
        ),
        rows=rows,
    )  # fmt: skip


def _seats(seats: int) -> str:
    return f"{seats} seats make the wager" if seats > 1 else "one seat makes the wager"


def _by_meter(wager: _Progressive, sheet: WagerSheet, meters: Mapping[str, _Meter]) -> Package:
    stake, rows = wager.stake, []
    growth = sum((meter.grown for meter in meters.values()), Fraction()) / stake
    for name, meter in meters.items():
        # Decrease of the edge per cent on the meter.
        per_cent = meter.chance / stake
        evens = [
            None if not per_cent else meter.seed + (sheet.house_edge - others) / per_cent
            for others in (Fraction(), growth - meter.grown / stake)
        ]
        break_even, at_means = (None if one is None or one < 0 else one for one in evens)
        rows.append(
            row(
                name,
                name,
                chance=meter.chance,
                seed=Fraction(meter.seed),
                edge_per_1000_dollars=per_cent * 1000 * currency_in_use().minor,
                break_even=break_even,
                break_even_at_means=at_means,
            )
        )
    rows.append(row("seeds", "at the seeds", edge=sheet.house_edge))
    rows.append(row("fixed", "fixed awards only", edge=_fixed(wager, sheet, meters)))
    awards = (payout for payout in wager.offer.pays.values() if isinstance(payout, Award))
    odds_word = "for" if any(award.keeps_stake for award in awards) else "to"
    thousand = money(1000 * currency_in_use().minor, short=True)
    return wager.package(
        "meters",
        "the edge as a function of the meters",
        f"Awards are paid {odds_word} one. The edge falls by the figure given for each additional "
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


def _fixed(wager: _Progressive, sheet: WagerSheet, meters: Mapping[str, _Meter]) -> Fraction:
    seeds = (meter.chance * Fraction(meter.seed, wager.stake) for meter in meters.values())
    return sheet.house_edge + sum(seeds, Fraction())


def _long_run(
    wager: _Progressive,
    sheet: WagerSheet,
    meters: Mapping[str, _Meter],
    limits: Mapping[str, MustHit],
) -> Package:
    stake, edge = wager.stake, _fixed(wager, sheet, meters)
    rows = [row("fixed", "fixed awards", edge=edge)]
    awards = [
        # A meter that is never hit returns nothing.
        (name, meter.chance * meter.seed, meter.increment if meter.chance else Fraction())
        for name, meter in meters.items()
    ]
    awards += [(name, limit.seed / limit.trials, limit.adds) for name, limit in limits.items()]
    for name, seed, added in awards:
        reset, increment = -seed / stake, -added / stake
        edge += reset + increment
        rows.append(row(name, name, reset=reset, increment=increment, edge=reset + increment))
    rows.append(row("long_run", "long run", edge=edge, return_to_player=1 - edge))
    return wager.package(
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


def _hits(wager: _Progressive, meters: Mapping[str, _Meter | MustHit], seats: int = 0) -> Package:
    unit = "rounds" if seats else "wagers"
    rows = []
    for name, meter in meters.items():
        to_hit = {f"{unit}_to_hit": meter.trials, f"variance_of_{unit}": meter.variance_of_trials}
        if seats and meter.trials:
            to_hit["hits_per_round"] = 1 / meter.trials
        of_hit = {
            one: getattr(meter, one) for one in ("mean_at_hit", "variance_at_hit", "mean_before")
        }
        amounts = {
            "quantile_95": meter.quantile_at_hit(Fraction(95, 100)),
            "quantile_99": meter.quantile_at_hit(Fraction(99, 100)),
            "liability": meter.mean_shown,
        }
        rows.append(row(name, name, **of_hit, **to_hit, **amounts))
    title, convention = "the meters when they are hit", ""
    if seats:
        title = f"{title}, {seats} seats"
        convention = (
            f"{_seats(seats).capitalize()} in each round, and all their shares come to the meters "
            "before an award is paid. "
        )
    return wager.package(
        "hits_by_seats" if seats else "hits",
        title,
        f"{convention}What a meter shows at a hit: the mean, and its variance, in square cents, "
        f"whose root is printed. The mean before it leaves out the shares of the {unit[:-1]} that "
        f"hits it. The number of {unit} up to a hit is a mean, and includes the one that hits it; "
        f"divided by the {unit} of an hour, on all tables that share the meter, it is the time. A "
        "must-hit meter stops at its limit. 95% and 99% of hits are at most at these amounts; the "
        f"liability is the mean amount shown before a {unit[:-1]} in the long run, the 99% amount "
        "a reserve.",
        of="meter",
        columns=(
            column("mean_at_hit", "mean", "cents"),
            column("variance_at_hit", "deviation", "square_cents"),
            column("mean_before", "mean before it", "cents"),
            column(f"{unit}_to_hit", f"{unit} to a hit", "count"),
            column(f"variance_of_{unit}", "their variance", "count"),
            *([column("hits_per_round", "hits per round", "chance")] if seats else []),
            column("quantile_95", "95% at most", "cents"),
            column("quantile_99", "99% at most", "cents"),
            column("liability", "liability", "cents"),
        ),
        rows=rows,
    )


def _must_hit(wager: _Progressive, sheet: WagerSheet, meter: str, limit: MustHit) -> Package:
    stake = wager.stake
    span = limit.by - limit.seed
    readings = [limit.seed + span * step // _STEPS for step in range(_STEPS)]
    readings.append(limit.by - max(int(limit.adds), 1))
    break_even = limit.break_even(sheet.house_edge * stake)
    readings += [] if break_even is None else [break_even]
    rows = []
    for cents in sorted({*readings}):
        worth = limit.worth(cents) / stake
        rows.append(
            row(
                f"{cents}",
                money(cents) + (", break-even" if cents == break_even else ""),
                chance=limit.chance(cents),
                worth=worth,
                edge=sheet.house_edge - worth,
            )
        )
    return wager.package(
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
