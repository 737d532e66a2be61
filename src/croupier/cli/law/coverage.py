"""``croupier law coverage``: what became of every clause, by what, and which tests name it."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import rich_click as click

from croupier.cli.law.naming import section, texts_named
from croupier.cli.output import (
    blank,
    fail,
    format_option,
    headline,
    plain_table,
    print_json,
    print_table,
    tell,
)
from croupier.law.cite import cited_rules
from croupier.law.coverage import CoverageRow, Gap, coverage, gaps, tests_naming
from croupier.law.model import ClauseClass, Fate
from croupier.law.resolve import instruments

__all__ = ["carried_out", "show_coverage"]

_CARRIERS: Final = (
    "croupier.rules",
    "croupier.money.settlement",
    "croupier.money.forms",
    "croupier.table",
    "croupier.table.pit",
)
"""The modules whose functions carry out procedures: importing them fills the register."""

_DEFAULT_TESTS: Final = Path("tests")


@click.command("coverage", short_help="Show what became of every clause, and its tests.")
@click.option("--law", "law_id", metavar="ID", help="One text; all that are held unless named.")
@click.option(
    "--tests",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The directory of the tests.  [default: ./tests]",
)
@click.option("--gaps", "gaps_only", is_flag=True, help="Show only the clauses with a gap.")
@format_option
def show_coverage(
    law_id: str | None, tests: Path | None, output_format: str, *, gaps_only: bool
) -> None:
    """Show what became of every clause: its fate, by what, and the tests that name it.

    Exits with status 1 where a procedure has no function, a clause of logic or procedure no test,
    or a test names a clause that does not exist.
    """
    named = _tests(tests)
    carried = carried_out()
    prefixes = {text.clause_prefix for text in instruments()}
    rows: list[CoverageRow] = []
    missing: list[Gap] = []
    for text in texts_named(law_id):
        # A clause id with the prefix of no text at all is a slip under every one of them.
        foreign = prefixes - {text.clause_prefix}
        own = {one: by for one, by in named.items() if one.partition(":")[0] not in foreign}
        of_text = coverage(text, carried, own)
        rows += of_text
        missing += gaps(of_text, text)
    incomplete = {gap.id for gap in missing}
    shown = [row for row in rows if row.id in incomplete] if gaps_only else rows
    if output_format == "json":
        print_json([_row_data(row) for row in shown])
    else:
        _print_coverage(shown)
        _print_summary(rows, len(missing))
    for gap in missing:
        click.echo(f"gap: {gap}", err=True)
    if missing:
        sys.exit(1)


def _tests(tests: Path | None) -> Mapping[str, tuple[str, ...]]:
    directory = _DEFAULT_TESTS if tests is None else tests
    if not directory.is_dir():
        fail("there is no directory ./tests here: name that of the tests with --tests")
    try:
        return tests_naming(directory)
    except ValueError as error:
        fail(str(error))


def carried_out() -> Mapping[str, tuple[str, ...]]:
    """Return the functions by rule id, once every module that carries procedures is imported."""
    for module in _CARRIERS:
        importlib.import_module(module)
    return cited_rules()


def _row_data(row: CoverageRow) -> dict[str, object]:
    return {
        "id": row.id,
        "class": None if row.clause_class is None else row.clause_class.value,
        "fate": None if row.fate is None else row.fate.value,
        "by": list(row.by),
        "tests": list(row.tests),
    }


def _print_coverage(rows: Sequence[CoverageRow]) -> None:
    for name, group in groupby(rows, lambda row: section(row.id)):
        headline(name)
        table = plain_table("Clause", "Class", "What became of it, and the tests that name it")
        for row in group:
            letter = row.clause_class.value if row.clause_class else "?"
            table.add_row(row.id, letter, "\n".join((_became(row), *_tests_by_module(row))))
        print_table(table)
        blank()


def _became(row: CoverageRow) -> str:
    """Say what became of a clause, and by what."""
    if row.fate is None:
        return "no such clause"
    by = ", ".join(row.by)
    # What is set aside has its fate in words, with the reason.
    return by if row.fate in {Fate.CHECKLIST, Fate.OUT_OF_SCOPE} else f"{row.fate.value} {by}"


def _tests_by_module(row: CoverageRow) -> Iterator[str]:
    """Yield how many tests each module has: their names are sentences, too long for a list."""
    modules = Counter(Path(test.partition("::")[0]).stem for test in row.tests)
    if modules:
        told = (f"{module} ({count})" for module, count in modules.items())
        yield f"tests: {', '.join(told)}"


def _print_summary(rows: Sequence[CoverageRow], missing: int) -> None:
    known = [row for row in rows if row.fate is not None]
    classes = Counter(row.clause_class for row in known)
    fates = Counter(row.fate for row in known)
    by_class = ", ".join(f"{classes[one]} {one.value}" for one in ClauseClass)
    by_fate = ", ".join(f"{fates[one]} {one.value}" for one in Fate)
    tell(f"{len(known)} clauses by class: {by_class}; by fate: {by_fate}; {missing} gaps")
