"""The consequences of elections: edges, offers, procedures, and further elections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec import Struct

from croupier.law.elect import flatten
from croupier.law.model import Rule
from croupier.law.values import Kind
from croupier.odds.chances import census_of
from croupier.odds.sheet import CensusOf, bettors_advantages, every_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules
from croupier.rules.documents import OfRules, of_rules


def edges_of(rules: TableRules) -> Mapping[str, Fraction]:
    """None without third-card rules."""
    if not rules.is_priced:
        return {}
    return {name: sheet.house_edge for name, sheet in every_sheet(rules, _census(rules)).items()}


def of_priced(rules: TableRules) -> OfRules:
    data, advantages = of_rules(rules), list[str]()
    if rules.is_priced:
        census = _census(rules)
        advantages = bettors_advantages(every_sheet(rules, census), rules, census)
    return {**data, "warnings": [*data["warnings"], *advantages]}


def _census(rules: TableRules) -> CensusOf:
    return partial(census_of, ShoeComposition.of_decks(rules.decks_per_shoe), rules)


def procedures_of(rules: TableRules) -> Mapping[str, Rule]:
    return {
        rule.id: rule
        for rule in rules.law.rules.values()
        if rule.kind is Kind.PROCEDURE and rule.id in rules.in_force
    }


class Consequence(Struct, frozen=True):
    """What distinguishes one of several tables: written values, edges, wagers, and procedures."""

    elections: Mapping[str, str]
    edges: Mapping[str, Fraction]
    offered: tuple[str, ...]
    procedures: tuple[Rule, ...]


def consequences(tables: Sequence[TableRules]) -> tuple[Consequence, ...]:
    elections = [elected_of(rules) for rules in tables]
    edges = [edges_of(rules) for rules in tables]
    procedures = [procedures_of(rules) for rules in tables]
    everywhere = set[str].intersection(*(set(names_of_table) for names_of_table in procedures))
    common_wagers = set[str].intersection(*(set(rules.offers) for rules in tables))
    return tuple(
        Consequence(
            {k: v for k, v in elected.items() if any(v != others.get(k) for others in elections)},
            {k: v for k, v in edge.items() if any(v != others.get(k) for others in edges)},
            tuple(name for name in rules.offers if name not in common_wagers),
            tuple(rule for name, rule in found.items() if name not in everywhere),
        )
        for rules, elected, edge, found in zip(tables, elections, edges, procedures, strict=True)
    )


def elected_of(rules: TableRules) -> Mapping[str, str]:
    """Return every election as a submission writes it, defaults included."""
    elections = flatten(rules.submission.elections, rules.law.rules)
    by_rule = {}
    for rule in rules.law.elections:
        if rule.id in rules.settled:
            choice = elections.get(rule.id)
            is_table = isinstance(choice, str) and choice in {*rule.at_least_any, *rule.one_of}
            by_rule[rule.id] = str(choice) if is_table else rule.written(rules.settled[rule.id])
    return by_rule


def cites_of(rules: TableRules, rule_id: str, choice: str | None) -> list[str]:
    """Return the clauses of an elected value, and of the table that it names; none for ``None``."""
    if choice is None:
        return []
    rule = rules.law.rules[rule_id]
    tables = {**rule.at_least_any, **rule.one_of}
    table_cites = rules.cites(tables[choice]) if choice in tables else ()
    return [*rules.cites_for(rule_id, choice), *table_cites]
