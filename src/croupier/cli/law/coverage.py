"""``croupier law coverage``: the disposition, implementation, and tests of every clause."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options
from croupier.cli.common.output import command_line, fail
from croupier.cli.common.text_named import texts_named
from croupier.cli.law.documents import ClauseCoverage, CoverageTotals, LawCoverage
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
from croupier.law.mechanisms import mechanism_functions
from croupier.law.model import ClauseClass, Disposition, Instrument
from croupier.law.resolve import instruments
from croupier.reports.law import law_coverage_tree
from croupier.rules.documents import made, of_law


@click.command("coverage", short_help="Show how every clause is implemented and tested.")
@click.option("--law", "law_id", metavar="ID", help="One regulation (default: all included).")
@click.option(
    "--tests",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Read the tests in this directory instead of the list shipped with the program.",
)
@click.option("--gaps", "gaps_only", is_flag=True, help="Show only the clauses with a gap.")
@document_options(*FORMS, "markdown", to_file=FILES)
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
    missing = [gap for row in covered for gap in gaps(row.rows, row.text)]
    missing += [Gap(*one) for one in unlisted(texts)]
    shown = covered
    if gaps_only:
        incomplete = {gap.id for gap in missing}
        shown = [
            replace(one, rows=tuple(row for row in one.rows if row.id in incomplete))
            for one in covered
        ]
    if output_format == "markdown":
        print_traceability(shown, tests or Path("tests"))
    else:
        table: LawCoverage = {
            "format": "croupier-law-coverage/1",
            **made(command_line()),
            "laws": [
                {
                    **of_law(one.text),
                    "clauses": [_row_data(row) for row in some.rows],
                    "totals": _totals(one.known, _of(one, missing)),
                }
                for one, some in zip(covered, shown, strict=True)
            ],
            "totals": _totals([row for one in covered for row in one.known], missing),
        }
        give(table, law_coverage_tree, output_format)
    for gap in missing:
        note(f"gap: {gap}")
    if missing:
        sys.exit(FAILS)


def _covered(texts: Sequence[Instrument], named: NamesByText) -> Sequence[Covered]:
    # A clause that tests name but no regulation has is reported once: under the first regulation
    # with its prefix, or under the first of all.
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
    return {**listed_functions(), **mechanism_functions()}


def _row_data(row: CoverageRow) -> ClauseCoverage:
    return {
        "id": row.id,
        "class": None if row.clause_class is None else row.clause_class.value,
        "disposition": None if row.disposition is None else row.disposition.value,
        "standing": None if row.standing is None else row.standing.value,
        "by": list(row.by),
        "tests": list(row.tests),
    }


def _of(covered: Covered, missing: Sequence[Gap]) -> list[Gap]:
    ids = {row.id for row in covered.rows}
    return [gap for gap in missing if gap.id in ids]


def _totals(rows: Sequence[CoverageRow], missing: Sequence[Gap]) -> CoverageTotals:
    classes = Counter(row.clause_class for row in rows)
    dispositions = Counter(row.disposition for row in rows)
    return {
        "number": len(rows),
        "by_class": {one.value: classes[one] for one in ClauseClass},
        "by_disposition": {one.value: dispositions[one] for one in Disposition},
        "gaps": len(missing),
    }
