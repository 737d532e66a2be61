"""``croupier law diff``: in what two texts differ, rule by rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click
from rich.text import Text

from croupier.cli.law.documents import DifferenceSide, LawDifference, LawDifferences
from croupier.cli.law.naming import cited, head
from croupier.cli.output import (
    blank,
    command_line,
    console,
    format_option,
    headline,
    print_json,
    print_paragraph,
    print_text,
)
from croupier.cli.text_named import text_named
from croupier.documents import made
from croupier.law.diff import ChangeKind, RegulationDiff, RuleDifference, Side, compare_texts

__all__ = ["show_diff"]

_HEADS: Final = {
    ChangeKind.VALUE: "Other values",
    ChangeKind.CHOICES: "Other choices or bounds",
    ChangeKind.CONDITION: "Other conditions",
    ChangeKind.CITES: "Other places in the regulation",
    ChangeKind.CONSTRAINT: "Constraints",
    ChangeKind.REMOVED: "Only in A",
    ChangeKind.ADDED: "Only in B",
}


@click.command("diff", short_help="Tell in what two texts differ.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([one.value for one in ChangeKind]),
    help="Only what differs in this way; may be given more than once.",
)
@format_option
def show_diff(first: str, second: str, only: Sequence[str], output_format: str) -> None:
    """Tell in what text B differs from text A, rule by rule, with the clauses of both.

    A and B are ids with a day, place/game@2001-01-16 or place/game@latest. They may be two dates
    of one text, two games or two states. What an excerpt lacks is not formalised here, and is no
    word on the law of that day.
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
    print_text(f"Rules that stand in both and say the same: {compared.alike}.")
    for letter, other, text in (("A", "B", compared.first), ("B", "A", compared.second)):
        if text.partial:
            print_text(
                f"{letter} is an excerpt. What only {other} has is not formalised in {letter},"
                " which is no word on whether the law of that day had it."
            )


def _print_group(
    change: ChangeKind, group: Sequence[RuleDifference], compared: RegulationDiff
) -> None:
    lacking = {ChangeKind.REMOVED: compared.second, ChangeKind.ADDED: compared.first}.get(change)
    note = ""
    if lacking is not None and lacking.partial:
        note = f", not formalised in {'A' if lacking is compared.first else 'B'}"
    headline(f"{_HEADS[change]}{note}: {len(group)}")
    for one in group:
        _print_difference(one, alone=lacking is not None)


def _print_difference(one: RuleDifference, *, alone: bool) -> None:
    print_paragraph(console(), Text.assemble((one.id, "bold"), "  ", one.title), 2, hanging=4)
    for letter, side in (("A", one.first), ("B", one.second)):
        if side is not None:
            # Of places that changed, the places are all there is to say.
            clauses = () if one.change is ChangeKind.CITES else side.clauses
            _print_side("" if alone else f"{letter}  ", side.says, clauses)
        elif not alone:
            lacks = "not formalised in this excerpt" if one.excerpt else "no such constraint"
            print_text(f"{letter}  {lacks}", indent=4)


def _print_side(letter: str, says: str, clauses: Sequence[str]) -> None:
    told = Text.assemble(letter, says)
    if clauses:
        told.append(f"  [{', '.join(clauses)}]", "dim")
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
    return None if side is None else {"says": side.says, "clauses": list(side.clauses)}
