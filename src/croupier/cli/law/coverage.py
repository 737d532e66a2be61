"""``croupier law coverage``: the disposition, implementation, and tests of every clause."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click
from msgspec.structs import replace

from croupier.cli.common.files import document_options
from croupier.cli.common.output import (
    blank,
    command_line,
    fail,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
)
from croupier.cli.common.text_named import texts_named
from croupier.cli.law.documents import ClauseCoverage, LawCoverage
from croupier.cli.law.traceability import Covered, print_traceability
from croupier.files.status import FAILS
from croupier.files.streams import note
from croupier.law.coverage import (
    CoverageRow,
    Gap,
    NamesByText,
    coverage,
    gaps,
    listed_functions,
    listed_tests,
    tests_naming,
)
from croupier.law.editions import unlisted
from croupier.law.model import ClauseClass, Disposition, Instrument, Standing, section
from croupier.law.resolve import instruments
from croupier.rules.documents import made, of_law


@click.command("coverage", short_help="Show how every clause is implemented and tested.")
@click.option("--law", "law_id", metavar="ID", help="One regulation (default: all included).")
@click.option(
    "--tests",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Read the tests in this directory instead of the list shipped with the program.",
)
@click.option("--gaps", "gaps_only", is_flag=True, help="Show only the clauses with a gap.")
@document_options("text", "markdown", "json")
def show_coverage(
    law_id: str | None, tests: Path | None, output_format: str, *, gaps_only: bool
) -> None:
    """Show how every clause is implemented: its disposition, rules, functions, and tests.

    Exit status: 1 if a procedure has no function, a clause of logic or procedure has no test, a
    test names a clause that does not exist, the table of editions lacks a law file, or an entry of
    the register does not say when it was added.
    """
    texts = texts_named(law_id)
    covered = _covered(texts, _tests(tests))
    missing = [gap for one in covered for gap in gaps(one.rows, one.text)]
    missing += [Gap(*one) for one in unlisted(texts)]
    shown = covered
    if gaps_only:
        incomplete = {gap.id for gap in missing}
        shown = [
            replace(one, rows=tuple(row for row in one.rows if row.id in incomplete))
            for one in covered
        ]
    if output_format == "json":
        table: LawCoverage = {
            "format": "croupier-law-coverage/1",
            **made(command_line()),
            "laws": [
                {**of_law(one.text), "clauses": [_row_data(row) for row in one.rows]}
                for one in shown
            ],
        }
        print_json(table)
    elif output_format == "markdown":
        print_traceability(shown, tests or Path("tests"))
    else:
        for one in shown:
            _print_coverage(one)
        _print_summary(covered, missing)
    for gap in missing:
        note(f"gap: {gap}")
    if missing:
        sys.exit(FAILS)


def _covered(texts: Sequence[Instrument], named: NamesByText) -> Sequence[Covered]:
    """Return the rows of each regulation, with the tests under it that name its clauses.

    A clause that tests name but no regulation has is an error. It is reported once: under the first
    regulation with its prefix, or under the first of all.
    """
    carried = implementations()
    held = {clause_id for text in instruments() for clause_id in text.clauses}
    held |= {entry for text in instruments() for entry in text.register}
    keys = {"", *(text.key for text in instruments())}
    prefixes = {text.clause_prefix for text in instruments()}
    slips = {
        clause_id: by
        for key, tests in named.items()
        for clause_id, by in tests.items()
        # Tests of a text that is not held, such as a made-up one, name clauses of their own.
        if key in keys and clause_id not in held
    }
    covered = []
    for text in texts:
        own = {
            one: by
            for one, by in slips.items()
            if (prefix := one.partition(":")[0]) == text.clause_prefix or prefix not in prefixes
        }
        slips = {one: by for one, by in slips.items() if one not in own}
        under = named.get(text.key, {})
        tests = {one: by for one, by in under.items() if one in text.clauses} | own
        readings = {one: by for one, by in under.items() if one in text.register}
        covered.append(Covered(text, coverage(text, carried, tests), carried, readings))
    return covered


def _tests(directory: Path | None) -> NamesByText:
    if directory is None:
        return listed_tests()
    try:
        return tests_naming(directory)
    except ValueError as error:
        fail(str(error))


def implementations() -> Mapping[str, tuple[str, ...]]:
    """Return the functions by rule id, in alphabetical order."""
    return listed_functions()


def _row_data(row: CoverageRow) -> ClauseCoverage:
    return {
        "id": row.id,
        "class": None if row.clause_class is None else row.clause_class.value,
        "disposition": None if row.disposition is None else row.disposition.value,
        "standing": None if row.standing is None else row.standing.value,
        "by": list(row.by),
        "tests": list(row.tests),
    }


def _print_coverage(covered: Covered) -> None:
    for name, group in groupby(covered.rows, lambda row: section(row.id)):
        headline(f"{covered.text.key}  {name}")
        table = plain_table("Clause", "Class", "Disposition and tests")
        for row in group:
            letter = row.clause_class.value if row.clause_class else "?"
            table.add_row(row.id, letter, "\n".join((_became(row), *_tests_by_module(row))))
        print_table(table)
        blank()


def _became(row: CoverageRow) -> str:
    """Return the disposition of a clause and what implements it."""
    if row.disposition is None:
        return "no such clause"
    by = ", ".join(row.by)
    # A clause that is set aside has a disposition with a reason.
    return by if row.disposition.is_written else f"{row.disposition.value}{_standing(row)} {by}"


def _standing(row: CoverageRow) -> str:
    """Return the standing of a clause in brackets, where it is not simply the text."""
    plain = row.standing in {None, Standing.TEXT, Standing.SUBSTITUTE}
    return "" if plain or row.standing is None else f" ({row.standing.value})"


def _tests_by_module(row: CoverageRow) -> Iterator[str]:
    """Yield the number of tests per module: test names are too long to list."""
    modules = Counter(Path(test.partition("::")[0]).stem for test in row.tests)
    if modules:
        told = (f"{module} ({count})" for module, count in modules.items())
        yield f"tests: {', '.join(told)}"


def _print_summary(covered: Sequence[Covered], missing: Sequence[Gap]) -> None:
    if len(covered) > 1:
        for one in covered:
            lacking = sum(gap.id in {row.id for row in one.rows} for gap in missing)
            print_text(f"{one.text.key}: {_numbers(one.known, lacking)}")
        blank()
    print_text(_numbers([row for one in covered for row in one.known], len(missing)))


def _numbers(rows: Sequence[CoverageRow], missing: int) -> str:
    classes = Counter(row.clause_class for row in rows)
    dispositions = Counter(row.disposition for row in rows)
    by_class = ", ".join(f"{classes[one]} {one.value}" for one in ClauseClass)
    by_disposition = ", ".join(f"{dispositions[one]} {one.value}" for one in Disposition)
    return (
        f"{len(rows)} clauses by class: {by_class}; by disposition: {by_disposition}; {missing} "
        "gaps"
    )
