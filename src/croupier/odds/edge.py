"""What a census makes of a wager: its lines with their ways, and the edge that the house has.

A wager is settled here by the function that settles it at the table. Nothing is said twice of what
it wins, loses or owes; a sheet is that settlement, weighed by the ways of the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt
from typing import Final, NamedTuple

from croupier.baccarat.coup import Facts
from croupier.law.values import Odds
from croupier.money.settlement import Settled, Stake, settle
from croupier.odds.census import Census, FactsType
from croupier.rules import Outcome, TableRules

__all__ = ["Line", "Result", "Sheet", "package_sheet", "sheet", "wager_sheet", "whole_stake_cents"]

_SEAT: Final = 1


class Result(NamedTuple):
    """What became of a wager by some facts; ``net`` is won or lost for each unit staked.

    Vigorish is deducted from it, and a wager that was lost has a net of -1.
    """

    outcome: Outcome
    line: str
    pays: Odds | None
    net: Fraction
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a sheet: an outcome of the wager, in how many ways it comes about, its net."""

    outcome: Outcome
    line: str
    pays: Odds | None
    net: Fraction
    ways: int
    probability: Fraction
    clauses: tuple[str, ...] = ()

    @property
    def contribution(self) -> Fraction:
        """What the line adds to the patron's expectation for each unit staked."""
        return self.net * self.probability


@dataclass(frozen=True)
class Sheet:
    """All that can become of a wager, and what follows. Figures are for each unit staked.

    ``scheme`` is the vigorish scheme where the wager is subject to one.
    """

    wager: str
    title: str
    scheme: str | None
    total_ways: int
    lines: tuple[Line, ...]

    @cached_property
    def house_edge(self) -> Fraction:
        """What the house expects to win; negative where the patron does."""
        return -sum((line.contribution for line in self.lines), Fraction())

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How likely the wager is to win."""
        return sum(
            (line.probability for line in self.lines if line.outcome is Outcome.WIN), Fraction()
        )

    @cached_property
    def resolved(self) -> Fraction:
        """How likely the wager is to be won or lost; a push that owes vigorish is still a push."""
        return sum(
            (line.probability for line in self.lines if line.outcome is not Outcome.PUSH),
            Fraction(),
        )

    @property
    def edge_per_resolved(self) -> Fraction | None:
        """The house edge for each unit won or lost; ``None`` for a wager that never is either."""
        return self.house_edge / self.resolved if self.resolved else None

    @cached_property
    def variance(self) -> Fraction:
        """The variance of what the patron wins."""
        square = sum((line.net**2 * line.probability for line in self.lines), Fraction())
        return square - self.house_edge**2

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of what the patron wins."""
        return sqrt(self.variance)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """The clauses behind all lines, each once."""
        return tuple(dict.fromkeys(clause for line in self.lines for clause in line.clauses))


def sheet(
    census: Census[FactsType],
    result_of: Callable[[FactsType], Result],
    wager: str,
    title: str,
    scheme: str | None = None,
) -> Sheet:
    """Weigh whatever a function makes of the facts by their ways; its lines come best paid first.

    >>> coin = Census({"heads": 1, "tails": 1})
    >>> win = Result(Outcome.WIN, "heads", Odds(9, 10), Fraction(9, 10))
    >>> lose = Result(Outcome.LOSE, "tails", None, Fraction(-1))
    >>> sheet(coin, {"heads": win, "tails": lose}.__getitem__, "coin", "Coin").house_edge
    Fraction(1, 20)
    """
    ways: dict[tuple[Outcome, str, Odds | None, Fraction], int] = {}
    clauses: dict[tuple[Outcome, str, Odds | None, Fraction], dict[str, None]] = {}
    for facts, number in census.items():
        result = result_of(facts)
        # One line may rest on several grounds, each with clauses of its own.
        kind = (result.outcome, result.line, result.pays, result.net)
        ways[kind] = ways.get(kind, 0) + number
        clauses.setdefault(kind, {}).update(dict.fromkeys(result.clauses))
    lines = [
        Line(*kind, number, Fraction(number, census.total), tuple(clauses[kind]))
        for kind, number in ways.items()
    ]
    lines.sort(key=lambda line: (-line.net, line.line))
    return Sheet(wager, title, scheme, census.total, tuple(lines))


def whole_stake_cents(rules: TableRules, wager: str) -> int:
    """Return the least stake on which no payment and no vigorish has to be rounded.

    >>> from croupier.rules import table_rules
    >>> from croupier.submission import plain_submission
    >>> rules = table_rules(plain_submission("us-nj/minibaccarat", vigorish__rounded=True))
    >>> whole_stake_cents(rules, "banker"), whole_stake_cents(rules, "player")
    (100, 1)
    """
    offer, terms = rules.offers[wager], rules.vigorish
    stake = offer.unit_cents
    if wager == "banker" and terms.win_rate is not None and terms.rounding_unit_cents is not None:
        for odds in filter(None, offer.pays.values()):
            part = terms.win_rate * odds.ratio / terms.rounding_unit_cents
            stake = lcm(stake, part.denominator)
    return stake


def wager_sheet(
    rules: TableRules,
    wager: str,
    census: Census[Facts],
    stake_cents: int | None = None,
    beside: Mapping[str, Fraction | int] | None = None,
) -> Sheet:
    """Return the sheet of a wager on offer, as the table settles it.

    Vigorish is exact even where the table rounds it, unless ``stake_cents`` names the stake that it
    is taken on. ``beside`` are the patron's other stakes, in parts of this one: they decide whether
    vigorish is waived. Raises ``KeyError`` for a wager that is not on offer, ``ValueError`` for a
    stake of which a payment comes to a fraction of a cent.
    """
    stakes = _stakes(rules, {wager: 1} | dict(beside or {}), stake_cents)
    stake = stakes[_SEAT, wager].cents

    def result_of(facts: Facts) -> Result:
        settled = settle(rules, facts, stakes)[0]
        decision = settled.decision
        net = Fraction(_net_cents(settled), stake)
        return Result(decision.outcome, decision.line, decision.odds, net, decision.clauses)

    scheme = rules.vigorish.scheme if wager == "banker" else None
    return sheet(census, result_of, wager, rules.offers[wager].wager.title, scheme)


def package_sheet(
    rules: TableRules, census: Census[Facts], stakes: Mapping[str, Fraction | int]
) -> Sheet:
    """Return the sheet of several wagers that one patron places together.

    ``stakes`` are in any unit; figures are for each unit of their sum. A line tells what became of
    each wager, and counts as won or lost by what all of them come to.
    """
    placed = _stakes(rules, stakes, None)
    staked = sum(stake.cents for stake in placed.values())

    def result_of(facts: Facts) -> Result:
        each = settle(rules, facts, placed)
        net = Fraction(sum(map(_net_cents, each)), staked)
        outcome = Outcome.PUSH
        if net:
            outcome = Outcome.WIN if net > 0 else Outcome.LOSE
        line = ", ".join(f"{settled.wager} {settled.decision.line}" for settled in each)
        clauses = dict.fromkeys(clause for settled in each for clause in settled.decision.clauses)
        return Result(outcome, line, None, net, tuple(clauses))

    title = " with ".join(rules.offers[wager].wager.title for wager in stakes)
    scheme = rules.vigorish.scheme if "banker" in stakes else None
    return sheet(census, result_of, "+".join(stakes), title, scheme)


def _stakes(
    rules: TableRules, parts: Mapping[str, Fraction | int], stake_cents: int | None
) -> dict[tuple[int, str], Stake]:
    """Return stakes in proportion: the first of so many cents, or such that nothing is rounded."""
    whole = {wager: whole_stake_cents(rules, wager) for wager in parts}
    if stake_cents is None:
        unit = Fraction(
            lcm(*(Fraction(part, whole[wager]).denominator for wager, part in parts.items()))
        )
    else:
        unit = stake_cents / Fraction(next(iter(parts.values())))
    stakes = {}
    for wager, part in parts.items():
        cents = part * unit
        if cents <= 0 or cents.denominator != 1:
            raise ValueError(f"{cents} cents are no stake on {wager}")
        stakes[_SEAT, wager] = Stake(int(cents))
    return stakes


def _net_cents(settled: Settled) -> int:
    lost = settled.stake.cents if settled.decision.outcome is Outcome.LOSE else 0
    return settled.won_cents - lost - settled.vigorish_cents
