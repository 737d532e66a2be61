"""``croupier law diff``: the differences between two regulations, rule by rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click
from rich.text import Text

from croupier.cli.files import document_options
from croupier.cli.law.documents import DifferenceSide, LawDifference, LawDifferences
from croupier.cli.law.naming import cited, head
from croupier.cli.output import (
    blank,
    command_line,
    console,
    headline,
    print_json,
    print_paragraph,
    print_text,
)
from croupier.cli.text_named import text_named
from croupier.law.diff import ChangeKind, RegulationDiff, RuleDifference, Side, compare_texts
from croupier.law.model import Standing
from croupier.rules.documents import made

_HEADS: Final = {
    ChangeKind.VALUE: "Other values",
    ChangeKind.PROCEDURE: "Other procedures",
    ChangeKind.READING: "Other readings that may be adopted",
    ChangeKind.CHOICES: "Other choices or bounds",
    ChangeKind.CONDITION: "Other conditions",
    ChangeKind.CITES: "Other locations in the regulation",
    ChangeKind.SUBSTITUTE: "Missing from one regulation, which has a substitute",
    ChangeKind.CONSTRAINT: "Constraints",
    ChangeKind.REMOVED: "Only in A",
    ChangeKind.ADDED: "Only in B",
}


@click.command("diff", short_help="List the differences between two regulations.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([one.value for one in ChangeKind]),
    help="Only this kind of difference; repeatable.",
)
@document_options("text", "json")
def show_diff(first: str, second: str, only: Sequence[str], output_format: str) -> None:
    """List how regulation B differs from regulation A, rule by rule, with the clauses of both.

    A and B are ids with a date, place/game@2001-01-16 or place/game@latest. They may be two
    versions of one regulation, two games, or two states. A rule missing from an excerpt is not
    formalized here; the regulation itself may have had it.
    """
    compared = compare_texts(text_named(first), text_named(second))
    found = compared.by_change(ChangeKind(one) for one in only)
    if output_format == "json":
        _print_as_json(compared, [one for group in found.values() for one in group])
        return
    _print_sides(compared)
    for change, differences in found.items():
        blank()
        _print_group(change, differences, compared)
    if not found:
        blank()
        print_text("No difference of that kind." if only else "No difference.")


def _print_sides(compared: RegulationDiff) -> None:
    for letter, text in (("A", compared.first), ("B", compared.second)):
        headline(f"{letter}  {text.key}")
        excerpt = ", an excerpt" if text.partial else ""
        print_text(f"{text.title}, {cited(text)}{excerpt}", indent=3)
    print_text(f"Rules on which both regulations agree: {compared.alike}.")
    for letter, other, text in (("A", "B", compared.first), ("B", "A", compared.second)):
        if text.partial:
            print_text(
                f"{letter} is an excerpt. A rule only in {other} is not formalized in {letter}; "
                "the regulation of that date may have had it."
            )


def _print_group(
    change: ChangeKind, group: Sequence[RuleDifference], compared: RegulationDiff
) -> None:
    lacking = {ChangeKind.REMOVED: compared.second, ChangeKind.ADDED: compared.first}.get(change)
    note = ""
    if lacking is not None and lacking.partial:
        note = f", not formalized in {'A' if lacking is compared.first else 'B'}"
    headline(f"{_HEADS[change]}{note}: {len(group)}")
    for one in group:
        _print_difference(one, alone=lacking is not None)


def _print_difference(one: RuleDifference, *, alone: bool) -> None:
    print_paragraph(console(), Text.assemble((one.id, "bold"), "  ", one.title), 2, hanging=4)
    for letter, side in (("A", one.first), ("B", one.second)):
        if side is not None:
            # For a change of location, the clauses are the whole difference.
            clauses = () if one.change is ChangeKind.CITES else side.clauses
            _print_side("" if alone else f"{letter}  ", side, clauses)
        elif not alone:
            lacks = "not formalized in this excerpt" if one.excerpt else "no such constraint"
            print_text(f"{letter}  {lacks}", indent=4)


def _print_side(letter: str, side: Side, clauses: Sequence[str]) -> None:
    told = Text.assemble(letter, side.says)
    standing = "" if side.standing is Standing.TEXT else f"; {side.standing.value}"
    if clauses or standing:
        told.append(f"  [{', '.join(clauses)}{standing}]", "dim")
    print_paragraph(console(), told, 4, hanging=3 if letter else 2)


def _print_as_json(compared: RegulationDiff, differences: Sequence[RuleDifference]) -> None:
    document: LawDifferences = {
        "format": "croupier-law-diff/1",
        **made(command_line()),
        "a": head(compared.first),
        "b": head(compared.second),
        "alike": compared.alike,
        "differences": [_difference_data(one) for one in differences],
    }
    print_json(document)


def _difference_data(one: RuleDifference) -> LawDifference:
    return {
        "id": one.id,
        "title": one.title,
        "change": one.change.value,
        "excerpt": one.excerpt,
        "a": _side_data(one.first),
        "b": _side_data(one.second),
    }


def _side_data(side: Side | None) -> DifferenceSide | None:
    if side is None:
        return None
    return {
        "says": side.says,
        "clauses": list(side.clauses),
        "standing": side.standing.value,
    }
