"""Every election of a regulation that affects an edge: pay tables, schemes, and decks."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final

from msgspec import Struct

from croupier.baccarat.wagers import WAGERS, Wager
from croupier.law.elect import SubmissionError, by_hand
from croupier.law.interpretations import acknowledged
from croupier.law.model import Instrument
from croupier.law.resolve import AsOf, resolve
from croupier.law.values import Kind
from croupier.odds.chances import census_of
from croupier.odds.packages import PackageFigure, figures_of, packages_of
from croupier.odds.sheet import WagerSheet, wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Submission, TableRules, fitting, table_rules

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
