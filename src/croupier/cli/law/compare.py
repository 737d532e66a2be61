"""``croupier law compare``: several regulations side by side, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

import click
from rich.text import Text

from croupier.cli.common.files import document_options
from croupier.cli.common.output import (
    blank,
    command_line,
    console,
    headline,
    plain_table,
    print_json,
    print_paragraph,
    print_table,
    print_text,
)
from croupier.cli.common.text_named import text_named, texts_named
from croupier.cli.law.documents import ComparedRules, LawComparison
from croupier.cli.law.naming import cited, head
from croupier.cli.law.texts import rule_data
from croupier.files.streams import echo
from croupier.law.compare import ComparedRule, cell_in_words, overview, rows_below
from croupier.law.model import Instrument
from croupier.rules.documents import made

_LACKS: Final = "\N{EN DASH}"
"""Shown if a regulation has no such rule."""

_DASHED: Final = f"A regulation with {_LACKS}"

_LEAST_COLUMN: Final = 18
"""Narrower columns break words; the regulations are then listed one below another."""


@click.command("compare", short_help="Compare regulations side by side, rule by rule.")
@click.argument("law_ids", metavar="[ID]...", nargs=-1)
@click.option(
    "--rules",
    "prefixes",
    metavar="NAME",
    multiple=True,
    help="Only this rule and the rules under it, such as wagers.bonus; repeatable.",
)
@click.option("--all", "every", is_flag=True, help="Show every rule, not only the key rules.")
@document_options("text", "markdown", "json")
def show_comparison(
    law_ids: Sequence[str], prefixes: Sequence[str], output_format: str, *, every: bool
) -> None:
    """Compare regulations side by side: a row for each rule, a column for each regulation.

    Each ID includes a date: place/game@2001-01-16 or place/game@latest. Without an ID, compare
    every regulation that has one of the rules. Each cell shows the value the regulation fixes, or
    what it leaves open.
    """
    named = tuple(text_named(one) for one in law_ids)
    texts = named or texts_named(None)
    rows = rows_below(texts, prefixes) if prefixes or every else overview(texts)
    if not named:
        texts, rows = _without_empty_columns(texts, rows)
    if output_format == "json":
        _print_as_json(texts, rows)
    elif not rows:
        print_text(
            "No regulation has a rule of that name."
            if prefixes
            else "None of the key rules applies: use --all."
        )
    elif output_format == "markdown":
        _print_as_markdown(texts, rows)
    else:
        _print_for_a_person(texts, rows)


def _without_empty_columns(
    texts: Sequence[Instrument], rows: Sequence[ComparedRule]
) -> tuple[tuple[Instrument, ...], tuple[ComparedRule, ...]]:
    kept = [place for place in range(len(texts)) if any(row.cells[place] for row in rows)]
    narrower = (
        ComparedRule(row.group, row.id, row.title, tuple(row.cells[place] for place in kept))
        for row in rows
    )
    return tuple(texts[place] for place in kept), tuple(narrower)


def _short_names(texts: Sequence[Instrument]) -> tuple[str, ...]:
    shared = Counter(text.clause_prefix for text in texts)
    return tuple(
        text.clause_prefix
        if shared[text.clause_prefix] == 1
        else f"{text.clause_prefix} {text.game}"
        for text in texts
    )


def _in_groups(rows: Sequence[ComparedRule]) -> Iterator[tuple[str, list[ComparedRule]]]:
    for group, of_group in groupby(rows, attrgetter("group")):
        yield group, list(of_group)


def _title(group: str) -> str:
    return group[:1].upper() + group[1:]


def _print_for_a_person(texts: Sequence[Instrument], rows: Sequence[ComparedRule]) -> None:
    names = _short_names(texts)
    legend = plain_table("Text", "Is")
    for name, text in zip(names, texts, strict=True):
        excerpt = ", an excerpt" if text.partial else ""
        legend.add_row(name, f"{text.key}, {cited(text)}{excerpt}")
    print_table(legend)
    room = console().width - max(len(row.id) for row in rows) - 2
    as_table = room >= len(texts) * _LEAST_COLUMN
    for group, of_group in _in_groups(rows):
        blank()
        headline(_title(group))
        if as_table:
            _print_group_as_table(names, of_group)
        else:
            _print_group_as_list(names, of_group)
    blank()
    _print_what_lacks(
        texts, _DASHED if as_table else "A regulation that is not listed under a rule"
    )


def _print_what_lacks(texts: Sequence[Instrument], mark: str) -> None:
    print_text(f"{mark} has no such rule.")
    if any(text.partial for text in texts):
        print_text(
            "A rule missing from an excerpt is not formalized here; the regulation itself may "
            "have had it."
        )


def _print_group_as_table(names: Sequence[str], rows: Sequence[ComparedRule]) -> None:
    table = plain_table("Rule", *names)
    for row in rows:
        table.add_row(row.id, *_cells(row))
    print_table(table)


def _print_group_as_list(names: Sequence[str], rows: Sequence[ComparedRule]) -> None:
    out = console()
    for row in rows:
        print_paragraph(out, Text.assemble((row.id, "bold"), "  ", row.title), 2, hanging=4)
        # Group regulations with equal values, and leave out those without the rule.
        saying: dict[str, list[str]] = {}
        for name, rule in zip(names, row.cells, strict=True):
            if rule is not None:
                saying.setdefault(cell_in_words(rule), []).append(name)
        for says, who in saying.items():
            told = Text.assemble((", ".join(who), "dim"), ": ", says)
            print_paragraph(out, told, 4, hanging=2)


def _cells(row: ComparedRule) -> list[str]:
    return [_LACKS if rule is None else cell_in_words(rule) for rule in row.cells]


def _print_as_markdown(texts: Sequence[Instrument], rows: Sequence[ComparedRule]) -> None:
    for group, of_group in _in_groups(rows):
        echo(f"### {_title(group)}\n")
        echo(_line(["rule", "value", *(text.key for text in texts)]))
        echo("|" + "---|" * (len(texts) + 2))
        for row in of_group:
            echo(_line([f"`{row.id}`", row.title, *_cells(row)]))
        echo()
    _print_what_lacks(texts, _DASHED)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _print_as_json(texts: Sequence[Instrument], rows: Sequence[ComparedRule]) -> None:
    document: LawComparison = {
        "format": "croupier-law-comparison/1",
        **made(command_line()),
        "laws": [head(text) for text in texts],
        "rules": [_row_data(texts, row) for row in rows],
    }
    print_json(document)


def _row_data(texts: Sequence[Instrument], row: ComparedRule) -> ComparedRules:
    return {
        "id": row.id,
        "title": row.title,
        "group": row.group,
        "laws": [
            {
                "law": text.id,
                "in_force_from": text.in_force_from.isoformat(),
                "rule": None if rule is None else rule_data(rule, text),
            }
            for text, rule in zip(texts, row.cells, strict=True)
        ],
    }
