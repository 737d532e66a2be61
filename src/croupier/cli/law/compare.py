"""``croupier law compare``, ``diff``, and ``history``: regulations side by side, and in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

import click

from croupier.cli.common.arguments import head, text_named, texts_named
from croupier.cli.common.files import document_options, give
from croupier.cli.common.output import command_line, fail
from croupier.cli.law.coverage import markdown_row
from croupier.cli.law.documents import (
    AmendmentOfLaw,
    DifferenceSide,
    LawComparison,
    LawDifference,
    LawDifferences,
    LawHistory,
)
from croupier.cli.law.texts import rule_data
from croupier.files.errors import did_you_mean
from croupier.files.streams import echo
from croupier.law.compare import (
    ChangeKind,
    ComparedRule,
    RuleDifference,
    cell_in_words,
    compare_texts,
    history,
    is_below,
    overview,
    rows_below,
)
from croupier.law.model import Instrument
from croupier.reports.differences import law_diff_tree
from croupier.reports.law import LACKS, heading, law_comparison_tree, law_history_tree, what_lacks
from croupier.rules.documents import fields_of, made

_rules_option = click.option(
    "--rules",
    "names",
    metavar="NAME",
    multiple=True,
    help="Only rules with this name in their ids, such as wagers.bonus or vigorish; repeatable.",
)


@click.command("compare", short_help="Compare regulations side by side, rule by rule.")
@click.argument("law_ids", metavar="[ID]...", nargs=-1)
@_rules_option
@click.option("--all", "every", is_flag=True, help="Show every rule, not only the key rules.")
@document_options(extra=("markdown",))
def show_comparison(
    law_ids: Sequence[str], names: Sequence[str], output_format: str, *, every: bool
) -> None:
    """Compare regulations side by side: a row for each rule, a column for each regulation.

    More than three regulations are listed by value: a row for each value, with those that have it.

    Each ID includes a date: place/game@2001-01-16 or place/game@latest. Without an ID, compare
    every regulation that has one of the rules. Each cell shows the value the regulation fixes, or
    what it leaves open.
    """
    named = tuple(text_named(law_id) for law_id in law_ids)
    texts = named or texts_named(None)
    _check_names(names, texts)
    rows = rows_below(texts, names) if names or every else overview(texts)
    if not named:
        texts, rows = _without_empty_columns(texts, rows)
    if output_format == "markdown" and rows:
        _print_as_markdown(texts, rows)
        return
    document: LawComparison = {
        "format": "croupier-law-comparison/1",
        **made(command_line()),
        "laws": [
            {**head(text), "name": name}
            for name, text in zip(_short_names(texts), texts, strict=True)
        ],
        "rules": [
            {
                "id": row.id,
                "title": row.title,
                "group": row.group,
                "laws": [
                    {
                        "law": text.id,
                        "in_force_from": text.in_force_from.isoformat(),
                        "says": None if rule is None else cell_in_words(rule),
                        "rule": None if rule is None else rule_data(rule, text),
                    }
                    for text, rule in zip(texts, row.cells, strict=True)
                ],
            }
            for row in rows
        ],
    }
    give(document, law_comparison_tree, "text" if output_format == "markdown" else output_format)


def _check_names(names: Sequence[str], texts: Sequence[Instrument]) -> None:
    rule_ids = {rule_id for text in (*texts, *texts_named(None)) for rule_id in text.rules}
    known_names = sorted(rule_ids | {part for rule_id in rule_ids for part in rule_id.split(".")})
    for name in names:
        if not any(is_below(rule_id, (name,)) for rule_id in rule_ids):
            hint = (
                did_you_mean(name, known_names) or "; croupier law compare --all shows every rule"
            )
            fail(f"--rules {name}: no regulation has such a rule{hint}")


def _without_empty_columns(
    texts: Sequence[Instrument], rows: Sequence[ComparedRule]
) -> tuple[tuple[Instrument, ...], tuple[ComparedRule, ...]]:
    places = [place for place in range(len(texts)) if any(row.cells[place] for row in rows)]
    narrower = (
        ComparedRule(row.group, row.id, row.title, tuple(row.cells[place] for place in places))
        for row in rows
    )
    return tuple(texts[place] for place in places), tuple(narrower)


def _short_names(texts: Sequence[Instrument]) -> tuple[str, ...]:
    names = [text.clause_prefix for text in texts]
    longer = ([text.game for text in texts], [f"{text.in_force_from}" for text in texts])
    for parts in longer:
        counts = Counter(names)
        pairs = zip(names, parts, strict=True)
        names = [f"{name} {part}" if counts[name] > 1 else name for name, part in pairs]
    return tuple(names)


def _print_as_markdown(texts: Sequence[Instrument], rows: Sequence[ComparedRule]) -> None:
    for group, of_group in groupby(rows, attrgetter("group")):
        echo(f"### {heading(group)}\n")
        echo(markdown_row(["rule", "value", *(text.key for text in texts)]))
        echo("|" + "---|" * (len(texts) + 2))
        for row in of_group:
            cells = [LACKS if rule is None else cell_in_words(rule) for rule in row.cells]
            echo(markdown_row([f"`{row.id}`", row.title, *cells]))
        echo()
    for sentence in what_lacks([head(text) for text in texts], f"A regulation with {LACKS}"):
        echo(sentence)


@click.command("diff", short_help="List the differences between two regulations.")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([kind.value for kind in ChangeKind]),
    help="Only this kind of difference; repeatable.",
)
@_rules_option
@document_options()
def show_diff(
    first: str, second: str, only: Sequence[str], names: Sequence[str], output_format: str
) -> None:
    """List how regulation B differs from regulation A, rule by rule, with the clauses of both.

    A and B are ids with a date, place/game@2001-01-16 or place/game@latest. They may be two
    versions of one regulation, two games, or two states. A rule missing from an excerpt is not
    formalized here; the regulation itself may have had it.
    """
    comparison = compare_texts(text_named(first), text_named(second))
    _check_names(names, (comparison.first, comparison.second))
    groups = comparison.by_change(ChangeKind(name) for name in only)
    document: LawDifferences = {
        "format": "croupier-law-diff/1",
        **made(command_line()),
        "a": head(comparison.first),
        "b": head(comparison.second),
        "alike": comparison.alike,
        "differences": [
            _difference_data(change)
            for group in groups.values()
            for change in group
            if is_below(change.id, names)
        ],
    }
    give(document, law_diff_tree, output_format)


def _difference_data(difference: RuleDifference) -> LawDifference:
    sides = (difference.first, difference.second)
    a, b = (None if side is None else fields_of(DifferenceSide, side) for side in sides)
    return fields_of(LawDifference, difference, a=a, b=b)


@click.command("history", short_help="List when a regulation was amended.")
@click.argument("law_id", metavar="ID")
@document_options()
def show_history(law_id: str, output_format: str) -> None:
    """List when a regulation was amended, and which versions of it there are.

    Each date shows the sections amended and the order that amended them, as far as the
    versions record it. For a date without a version, Croupier makes no claim.
    """
    law_history = history(texts_named(law_id.partition("@")[0]))
    document: LawHistory = {
        "format": "croupier-law-history/1",
        **made(command_line()),
        "law": law_history.id,
        "spans": [
            {
                "from": None if span.first is None else span.first.isoformat(),
                "to": None if span.last is None else span.last.isoformat(),
                "law": None
                if span.text is None
                else {**head(span.text), "clauses": len(span.text.clauses)},
            }
            for span in law_history.spans
        ],
        "days": [
            {
                "on": day.on.isoformat(),
                "held": day.held is not None,
                "amendments": [fields_of(AmendmentOfLaw, item) for item in day.amendments],
            }
            for day in law_history.days
        ],
    }
    give(document, law_history_tree, output_format)
