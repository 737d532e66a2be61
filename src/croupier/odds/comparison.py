"""Edges of two tables, by the rules that change them, and under every election of a law."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.baccarat.wagers import WAGERS, Wager
from croupier.law.elect import SubmissionError, by_hand
from croupier.law.interpretations import acknowledged
from croupier.law.model import Instrument
from croupier.law.resolve import AsOf, resolve
from croupier.law.values import Kind
from croupier.odds.chances import census_of
from croupier.odds.documents import Unit
from croupier.odds.packages import PackageFigure, figures_of, packages_of
from croupier.odds.par import packages_at
from croupier.odds.sheet import WagerSheet, wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Submission, TableRules, build_offers, fitting, table_rules

_GROUPS: Final = {
    "the drawing table": ("third.",),
    "vigorish and the Banker wager": ("vigorish.", "wagers.banker."),
}
"""Groups of rules that change together, by prefix of their ids."""

SHOE: Final = "the shoe"


class EdgeStep(Struct, frozen=True):
    group: str
    rules: tuple[str, ...]
    cites: tuple[tuple[str, ...], tuple[str, ...]]
    change: Fraction


class EdgeComparison(Struct, frozen=True, dict=True):
    """One wager at two tables; an edge is ``None`` if the table does not offer it."""

    wager: str
    before: Fraction | None
    after: Fraction | None
    steps: tuple[EdgeStep, ...] = ()

    @cached_property
    def change(self) -> Fraction | None:
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


def _differing(one: TableRules, other: TableRules) -> dict[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = {}
    for rule_id in sorted({*one.in_force, *other.in_force}):
        is_same = one.applies(rule_id) == other.applies(rule_id)
        if is_same and one.settled.get(rule_id) == other.settled.get(rule_id):
            continue
        first_two = ".".join(rule_id.split(".")[:2])
        matching = (group for group, starts in _GROUPS.items() if rule_id.startswith(starts))
        groups.setdefault(next(matching, first_two), []).append(rule_id)
    return {group: tuple(found) for group, found in groups.items()}


def _with_rules_of(rules: TableRules, other: TableRules, rule_ids: Iterable[str]) -> TableRules:
    settled, in_force = dict(rules.settled), set(rules.in_force)
    for rule_id in rule_ids:
        settled.pop(rule_id, None)
        in_force.discard(rule_id)
        if rule_id in other.settled:
            settled[rule_id] = other.settled[rule_id]
        if other.applies(rule_id):
            in_force.add(rule_id)
    # Rules that exist only in the other regulation are looked up there.
    law = replace(rules.law, rules={**other.law.rules, **rules.law.rules})
    changed_rules = replace(rules, law=law, settled=settled, in_force=frozenset(in_force))
    return replace(changed_rules, offers=build_offers(changed_rules))


class _Edges:
    def __init__(
        self, rules: TableRules, shoe: ShoeComposition, known: dict[Hashable, Fraction]
    ) -> None:
        self._rules = rules
        self._shoe = shoe
        self._known = known

    def of(self, wager: str) -> Fraction | None:
        offer = self._rules.offers.get(wager)
        if offer is None:
            return None
        rules, edges = self._rules, self._known
        seeds = rules.meter_seeds
        # Only these rules affect the value of a wager.
        question = (self._shoe, rules.tableau, offer.wager.asks)
        payments = (tuple(offer.pays.items()), tuple(offer.chairs.items()), tuple(seeds.items()))
        key = (question, wager, payments, rules.vigorish, offer.unit_cents, offer.limit)
        if key not in edges:
            ways = census_of(self._shoe, rules, offer.wager.asks)
            edges[key] = wager_sheet(rules, wager, ways, meters=seeds).house_edge
        return edges[key]


def compare(
    one: TableRules, other: TableRules, shoes: tuple[ShoeComposition, ShoeComposition]
) -> tuple[EdgeComparison, ...]:
    found = []
    groups = _differing(one, other)
    path = list(_path(one, other, shoes, groups))
    for wager in dict.fromkeys((*one.offers, *other.offers)):
        edges = [edge.of(wager) for _, edge in path]
        steps = tuple(
            _step(group, groups.get(group, ()), (one, other), after - before)
            for (group, _), before, after in zip(path[1:], edges, edges[1:], strict=False)
            if before is not None and after is not None and before != after
        )
        complete = all(edge is not None for edge in edges)
        found.append(EdgeComparison(wager, edges[0], edges[-1], steps if complete else ()))
    return tuple(found)


class PackageComparison(Struct, frozen=True):
    """One figure of a package at two tables; ``None`` if a table does not have it."""

    package: str
    row: str
    column: str
    unit: Unit
    before: Fraction | None
    after: Fraction | None

    @property
    def change(self) -> Fraction | None:
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


def compare_packages(
    one: TableRules, other: TableRules, shoes: tuple[ShoeComposition, ShoeComposition]
) -> tuple[PackageComparison, ...]:
    sides = []
    for rules, shoe in zip((one, other), shoes, strict=True):
        found = figures_of(packages_at(rules, shoe))
        sides.append({(figure.package, figure.row, figure.column): figure for figure in found})
    compared = []
    for key in dict.fromkeys((*sides[0], *sides[1])):
        before, after = (side.get(key) for side in sides)
        place = before or after
        if place is not None:
            values = (None if figure is None else figure.value for figure in (before, after))
            compared.append(PackageComparison(*place[:4], *values))
    return tuple(compared)


def _path(
    one: TableRules,
    other: TableRules,
    shoes: tuple[ShoeComposition, ShoeComposition],
    groups: Mapping[str, tuple[str, ...]],
) -> Iterator[tuple[str, _Edges]]:
    rules = one
    known: dict[Hashable, Fraction] = {}
    yield "", _Edges(rules, shoes[0], known)
    if shoes[0] != shoes[1]:
        yield SHOE, _Edges(rules, shoes[1], known)
    for group, rule_ids in groups.items():
        rules = _with_rules_of(rules, other, rule_ids)
        yield group, _Edges(rules, shoes[1], known)


def _step(
    group: str, rule_ids: tuple[str, ...], tables: tuple[TableRules, TableRules], change: Fraction
) -> EdgeStep:
    one, other = tables
    return EdgeStep(group, rule_ids, (one.law.cites(rule_ids), other.law.cites(rule_ids)), change)


# --- every election -------------------------------------------------------------------------------


_DECKS: Final = (6, 7, 8)
_SWEPT: Final = ("vigorish.scheme", "vigorish.rate_unwaived")


class SweepRow(Struct, frozen=True):
    decks: int
    elections: tuple[tuple[str, str], ...]
    wager: str
    house_edge: Fraction
    hit_frequency: Fraction
    variance: Fraction
    cites: tuple[str, ...]
    title: str


class SweepFigure(Struct, frozen=True):
    decks: int
    elections: tuple[tuple[str, str], ...]
    figure: PackageFigure
    cites: tuple[str, ...]


def sweep(law_id: str, on: AsOf) -> Iterator[SweepRow | SweepFigure]:
    """Every figure under every legal set of elections. Raises ``LawError`` for an unknown id."""
    law = resolve(law_id, on=on)
    keys_seen: set[Hashable] = set()
    for decks in _DECKS:
        shoe = ShoeComposition.of_decks(decks)
        for choice in _choices(law):
            tables = _tables(law, decks, choice)
            for row in (row for rules in tables for row in _rows(rules, shoe, decks, choice)):
                if isinstance(row, SweepRow):
                    key: Hashable = (decks, row.wager, row.house_edge, row.elections)
                else:
                    key = (decks, row.figure, row.elections)
                if key not in keys_seen:
                    keys_seen.add(key)
                    yield row


def _choices(law: Instrument) -> Iterator[dict[str, Any]]:
    axes: list[list[tuple[str, Any]]] = []
    for rule_id in _SWEPT:
        rule = law.rules.get(rule_id)
        if rule is not None and rule.is_election:
            axes.append([(rule_id, rule.written(choice)) for choice in rule.choices])
    for rule_id in dict.fromkeys(wager.paid_by for wager in WAGERS.values()):
        table = law.rules.get(rule_id)
        if table is not None and (elections := {**table.at_least_any, **table.one_of}):
            axes.append([(rule_id, name) for name in elections])
    for combination in product(*axes):
        yield dict(combination)


def _tables(law: Instrument, decks: int, choice: dict[str, Any]) -> Iterator[TableRules]:
    # Payouts of progressive meters depend on their values, and are not swept.
    flags_of = (f"{wager.offered_by}.offered" for wager in WAGERS.values() if not wager.meters)
    offered = [name for name in dict.fromkeys(flags_of) if name in law.rules]
    found: list[frozenset[str]] = []
    for number in range(len(offered), -1, -1):
        for wagers in map(frozenset, combinations(offered, number)):
            if any(wagers < one for one in found):
                continue
            flags = {name: name in wagers for name in offered}
            try:
                rules = table_rules(_submission(law, {"decks": decks, **choice, **flags}))
            except SubmissionError:
                continue
            found.append(wagers)
            # A fragment, or a regulation of another game, has no coup to count.
            if not rules.missing:
                yield rules


def _submission(law: Instrument, choice: dict[str, Any]) -> Submission:
    plain = {
        rule.id: "as filed" if rule.kind is Kind.TEXT else rule.default
        for rule in law.elections
        if rule.kind is Kind.TEXT or rule.default is not None
    }
    elections = fitting(law, {**plain, **choice})
    return Submission(
        law.id,
        law.in_force_from,
        "Swept",
        elections,
        readings=acknowledged(law),
        unsupported=by_hand(law),
    )


def _rows(
    rules: TableRules, shoe: ShoeComposition, decks: int, choice: dict[str, Any]
) -> Iterator[SweepRow | SweepFigure]:
    sheets: dict[str, WagerSheet] = {}
    for wager, offer in rules.offers.items():
        ways = census_of(shoe, rules, offer.wager.asks)
        sheet = sheets[wager] = wager_sheet(rules, wager, ways)
        vigorish = _bearing(rules, offer.wager, choice)
        cites = tuple(dict.fromkeys(c for group in offer.cites.values() for c in group))
        yield SweepRow(
            decks, vigorish, wager, sheet.house_edge, sheet.hit_frequency, sheet.variance, cites,
            offer.wager.title,
        )  # fmt: skip
    # Combined edges depend on how the wager that bears vigorish is charged.
    vigorish = _bearing(rules, rules.bearing.wager, choice)
    for package in packages_of(rules, shoe, census_of(shoe, rules, ("counts",)), sheets):
        for figure in figures_of([package]):
            yield SweepFigure(decks, vigorish, figure, tuple(package["cites"]))


def _bearing(
    rules: TableRules, wager: Wager, choice: dict[str, Any]
) -> tuple[tuple[str, str], ...]:
    vigorish = []
    for name, value in choice.items():
        if not rules.applies(name):
            continue
        if name.startswith("vigorish.") and not wager.bears_vigorish:
            continue
        if name.startswith("wagers.") and name != wager.paid_by:
            continue
        vigorish.append((name, str(value)))
    return tuple(vigorish)
