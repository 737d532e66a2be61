"""``croupier par compare``: the edges of two tables, explained by their rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options, input_file
from croupier.cli.common.output import command_line
from croupier.cli.submission.rules import table_of
from croupier.odds.sheet import fraction
from croupier.odds.shoe import ShoeComposition
from croupier.reports.comparisons import comparison_tree
from croupier.rules import TableRules
from croupier.rules.documents import made, of_rules

if TYPE_CHECKING:
    from croupier.odds.comparison import EdgeComparison, PackageComparison
    from croupier.odds.documents import EdgeChange, PackageChange, ParComparison


@click.command("compare", short_help="Attribute the change of each edge to the rules that differ.")
@click.argument("one", type=input_file)
@click.argument("other", type=input_file)
@document_options(*FORMS, to_file=FILES)
def compare_tables(one: Path, other: Path, output_format: str) -> None:
    """Compare the edges at the tables of two rules submissions, from ONE to OTHER.

    The rules of ONE are changed into those of OTHER group by group; each step shows its effect on
    the edge, and the steps add up to the total.
    """
    from croupier.odds.comparison import compare, compare_packages  # noqa: PLC0415  (as asked)

    tables = table_of(one), table_of(other)
    shoes = tuple(ShoeComposition.of_decks(rules.decks_per_shoe) for rules in tables)
    found = compare(*tables, (shoes[0], shoes[1]))
    packages = compare_packages(*tables, (shoes[0], shoes[1]))
    titles = {name: wager.title for rules in tables for name, wager in rules.wagers.items()}
    tree = partial(comparison_tree, titles=titles)
    give(_comparison(tables, found, packages), tree, output_format)


def _comparison(
    tables: tuple[TableRules, TableRules],
    found: Iterable[EdgeComparison],
    packages: Iterable[PackageComparison],
) -> ParComparison:
    return {
        "format": "croupier-par-comparison/2",
        **made(command_line()),
        "before": of_rules(tables[0]),
        "after": of_rules(tables[1]),
        "wagers": [_compared(comparison) for comparison in found],
        "packages": [_package_change(package) for package in packages],
    }


def _package_change(one: PackageComparison) -> PackageChange:
    before, after, change = (
        None if value is None else fraction(value) for value in (one.before, one.after, one.change)
    )
    return {
        "package": one.place.package,
        "row": one.place.row,
        "column": one.place.column,
        "unit": one.place.unit,
        "before": before,
        "after": after,
        "change": change,
    }


def _compared(comparison: EdgeComparison) -> EdgeChange:
    return {
        "wager": comparison.wager,
        "before": None if comparison.before is None else fraction(comparison.before),
        "after": None if comparison.after is None else fraction(comparison.after),
        "change": None if comparison.change is None else fraction(comparison.change),
        "steps": [
            {
                "group": step.group,
                "rules": list(step.rules),
                "cites": {"before": list(step.cites[0]), "after": list(step.cites[1])},
                "change": fraction(step.change),
            }
            for step in comparison.steps
        ],
    }
