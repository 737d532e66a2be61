"""``croupier law diff``: the differences between two regulations, rule by rule."""

from __future__ import annotations

from collections.abc import Sequence

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options
from croupier.cli.common.output import command_line
from croupier.cli.common.text_named import text_named
from croupier.cli.law.documents import DifferenceSide, LawDifference, LawDifferences
from croupier.cli.law.naming import head
from croupier.law.diff import ChangeKind, RegulationDiff, RuleDifference, Side, compare_texts
from croupier.reports.differences import law_diff_tree
from croupier.rules.documents import made


@click.command("diff", short_help="List the differences between two regulations.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([kind.value for kind in ChangeKind]),
    help="Only this kind of difference; repeatable.",
)
@document_options(*FORMS, to_file=FILES)
def show_diff(first: str, second: str, only: Sequence[str], output_format: str) -> None:
    """List how regulation B differs from regulation A, rule by rule, with the clauses of both.

    A and B are ids with a date, place/game@2001-01-16 or place/game@latest. They may be two
    versions of one regulation, two games, or two states. A rule missing from an excerpt is not
    formalized here; the regulation itself may have had it.
    """
    compared = compare_texts(text_named(first), text_named(second))
    found = compared.by_change(ChangeKind(one) for one in only)
    document = _document(compared, [difference for group in found.values() for difference in group])
    give(document, law_diff_tree, output_format)


def _document(compared: RegulationDiff, differences: Sequence[RuleDifference]) -> LawDifferences:
    return {
        "format": "croupier-law-diff/1",
        **made(command_line()),
        "a": head(compared.first),
        "b": head(compared.second),
        "alike": compared.alike,
        "differences": [_difference_data(difference) for difference in differences],
    }


def _difference_data(difference: RuleDifference) -> LawDifference:
    return {
        "id": difference.id,
        "title": difference.title,
        "change": difference.change.value,
        "excerpt": difference.excerpt,
        "a": _side_data(difference.first),
        "b": _side_data(difference.second),
    }


def _side_data(side: Side | None) -> DifferenceSide | None:
    if side is None:
        return None
    return {
        "says": side.says,
        "clauses": list(side.clauses),
        "standing": side.standing.value,
    }
