"""``croupier law coverage``: the disposition, implementation, and tests of every clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click
from msgspec import Struct
from msgspec.structs import replace

from croupier.cli.common.arguments import cited, texts_named
from croupier.cli.common.files import document_options, give
from croupier.cli.common.output import command_line, exit_unless, fail
from croupier.cli.law.documents import ClauseCoverage, CoverageTotals, LawCoverage
from croupier.files.streams import echo, note
from croupier.law.coverage import (
    CoverageRow,
    Gap,
    Names,
    NamesByText,
    coverage,
    gaps,
    listed_functions,
    listed_tests,
    tests_naming,
)
from croupier.law.interpretations import unlisted
from croupier.law.mechanisms import mechanism_functions
from croupier.law.model import (
    ClauseClass,
    Disposition,
    Instrument,
    Rule,
    Standing,
    is_entry,
    section,
)
from croupier.law.resolve import instruments, law_path
from croupier.law.standing import cited_standing, rule_standing
from croupier.law.wording import rule_in_words
from croupier.reports.law import law_coverage_tree
from croupier.rules.documents import fields_of, made, of_law


@click.command("coverage", short_help="Show how every clause is implemented and tested.")
@click.option("--law", "law_id", metavar="ID", help="One regulation (default: all included).")
@click.option(
    "--tests",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Read the tests in this directory instead of the list shipped with the program.",
)
@click.option("--gaps", "gaps_only", is_flag=True, help="Show only the clauses with a gap.")
@document_options(extra=("markdown",))
def show_coverage(
    law_id: str | None, tests: Path | None, output_format: str, *, gaps_only: bool
) -> None:
    """Show how every clause is implemented: its disposition, rules, functions, and tests.

    Exit status: 1 if a procedure has no function, a clause of logic or procedure has no test, a
    test names a clause that does not exist, the table of editions lacks a law file, or an entry of
    the register does not say when it was added.
    """
    texts = texts_named(law_id)
    covered_rows = _covered(texts, _tests(tests))
    found_gaps = [gap for row in covered_rows for gap in gaps(row.rows, row.text)]
    # Editions are those of the included regulations.
    included = tuple(text for text in texts if law_path(text) is None)
    found_gaps += [Gap(*fault) for fault in unlisted(included)]
    shown_rows = covered_rows
    if gaps_only:
        incomplete = {gap.id for gap in found_gaps}
        shown_rows = [
            replace(one, rows=tuple(row for row in one.rows if row.id in incomplete))
            for one in covered_rows
        ]
    if output_format == "markdown":
        for line in _document(shown_rows, tests or Path("tests")):
            echo(line)
    else:
        table: LawCoverage = {
            "format": "croupier-law-coverage/1",
            **made(command_line()),
            "laws": [
                {
                    **of_law(covered_row.text),
                    "clauses": [_row_data(row) for row in shown_row.rows],
                    "totals": _totals(covered_row.known, _of(covered_row, found_gaps)),
                }
                for covered_row, shown_row in zip(covered_rows, shown_rows, strict=True)
            ],
            "totals": _totals([row for one in covered_rows for row in one.known], found_gaps),
        }
        give(table, law_coverage_tree, output_format)
    for gap in found_gaps:
        note(f"gap: {gap}")
    exit_unless(not found_gaps)


def _covered(texts: Sequence[Instrument], names_by_text: NamesByText) -> Sequence[Covered]:
    # A clause that tests name but no regulation has is reported once: under the first regulation
    # with its prefix, or under the first of all.
    functions = implementations()
    ids = {clause_id for text in instruments() for clause_id in text.clauses}
    ids |= {entry for text in instruments() for entry in text.register}
    keys = {"", *(text.key for text in instruments())}
    prefixes = {text.clause_prefix for text in instruments()}
    slips = {
        clause_id: tests_of_clause
        for key, tests in names_by_text.items()
        for clause_id, tests_of_clause in tests.items()
        # Tests of a text that is not held, such as a made-up one, name clauses of their own.
        if key in keys and clause_id not in ids
    }
    covered_rows = []
    for text in texts:
        own_tests = {
            clause: names
            for clause, names in slips.items()
            if (prefix := clause.partition(":")[0]) == text.clause_prefix or prefix not in prefixes
        }
        slips = {clause_id: by for clause_id, by in slips.items() if clause_id not in own_tests}
        tests_of_text = names_by_text.get(text.key, {})
        tests = {one: by for one, by in tests_of_text.items() if one in text.clauses} | own_tests
        readings = {clause: by for clause, by in tests_of_text.items() if clause in text.register}
        covered_rows.append(Covered(text, coverage(text, functions, tests), functions, readings))
    return covered_rows


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
    kind = None if row.clause_class is None else row.clause_class.value
    return fields_of(ClauseCoverage, row, **{"class": kind})


def _of(covered_row: Covered, found_gaps: Sequence[Gap]) -> list[Gap]:
    ids = {row.id for row in covered_row.rows}
    return [gap for gap in found_gaps if gap.id in ids]


def _totals(rows: Sequence[CoverageRow], found_gaps: Sequence[Gap]) -> CoverageTotals:
    classes = Counter(row.clause_class for row in rows)
    dispositions = Counter(row.disposition for row in rows)
    return {
        "number": len(rows),
        "by_class": {item.value: classes[item] for item in ClauseClass},
        "by_disposition": {item.value: dispositions[item] for item in Disposition},
        "gaps": len(found_gaps),
    }


class Covered(Struct, frozen=True):
    text: Instrument
    rows: tuple[CoverageRow, ...]
    carried: Names
    readings: Names
    """The tests that name each entry of the register, under this text."""

    @property
    def known(self) -> tuple[CoverageRow, ...]:
        """Without clause ids that tests name in error."""
        return tuple(row for row in self.rows if row.disposition is not None)


def _document(covered_rows: Sequence[Covered], tests: Path) -> Iterator[str]:
    yield "# Traceability"
    yield ""
    yield "Every clause of every included regulation: its class, its standing, a paraphrase, its"
    yield "disposition, what implements it, and what the tests that name it ask. Then every rule"
    yield "that the regulation does not state, with the entry of the register of interpretations"
    yield "used instead. Classes, standings, and dispositions are defined in"
    yield "[law-file.md](law-file.md). `croupier law coverage --format markdown` prints this"
    yield "document."
    yield ""
    yield from _summary(covered_rows)
    for row in covered_rows:
        if row.rows:
            yield from _section_of(row, tests)


def _summary(covered_rows: Sequence[Covered]) -> Iterator[str]:
    yield markdown_row(
        [
            "text",
            "clauses",
            *(value.value for value in (*ClauseClass, *Disposition)),
            "untested",
            "not stated",
        ]
    )
    yield "|---|" + "--:|" * (3 + len(ClauseClass) + len(Disposition))
    for one in covered_rows:
        yield markdown_row(
            [f"`{one.text.key}`", *map(str, _counts(one.known)), str(len(_unsaid(one.text)))]
        )
    all_rows = [row for covered_row in covered_rows for row in covered_row.known]
    count = sum(len(_unsaid(row.text)) for row in covered_rows)
    yield markdown_row(["all", *map(str, _counts(all_rows)), str(count)])


def _unsaid(text: Instrument) -> list[Rule]:
    return [rule for rule in text.rules.values() if rule.standing is not None]


def _counts(rows: Sequence[CoverageRow]) -> Iterator[int]:
    yield len(rows)
    classes = Counter(row.clause_class for row in rows)
    dispositions = Counter(row.disposition for row in rows)
    yield from (classes[clause_class] for clause_class in ClauseClass)
    yield from (dispositions[disposition] for disposition in Disposition)
    yield sum(not row.tests for row in rows)


def _section_of(covered_row: Covered, tests: Path) -> Iterator[str]:
    text = covered_row.text
    yield ""
    yield f"## {text.title}, {text.in_force_from}"
    yield ""
    excerpt = ", an excerpt" if text.partial else ""
    yield f"`{text.key}`, {cited(text)}{excerpt}."
    if text.partial:
        yield ""
        yield "No table is dealt under this excerpt, which has no drawing rules or no game at all."
        yield "Its tests check what it states of wagers, payment, and vigorish on given results."
    for name, group in groupby(covered_row.rows, lambda row: section(row.id)):
        yield ""
        yield f"### {text.citation}{name}"
        yield ""
        yield markdown_row(
            ["clause", "class", "standing", "says", "disposition", "by", "tests ask"]
        )
        yield "|---|---|---|---|---|---|---|"
        for row in group:
            yield markdown_row(_cells(row, text, tests))
    yield from _stood_in(covered_row, tests)


def _stood_in(covered_row: Covered, tests: Path) -> Iterator[str]:
    rules = _unsaid(covered_row.text)
    if not rules:
        return
    yield ""
    yield "### Not stated in this regulation"
    yield ""
    yield markdown_row(["rule", "standing", "stands on", "says", "by", "tests ask"])
    yield "|---|---|---|---|---|---|"
    for rule in rules:
        entries = [clause for clause in rule.cites if is_entry(clause)]
        tests_of_rule = [test for entry in entries for test in covered_row.readings.get(entry, ())]
        yield markdown_row(
            [
                _code(rule.id),
                rule_standing(covered_row.text, rule).value,
                ", ".join(map(_code, rule.cites)),
                f"{rule.title}: {rule_in_words(rule)}",
                ", ".join(map(_code, covered_row.carried.get(rule.id, ()))),
                "<br>".join(_test(test, tests) for test in dict.fromkeys(tests_of_rule)),
            ]
        )


def _cells(row: CoverageRow, text: Instrument, tests: Path) -> list[str]:
    test_links = (_test(test, tests) for test in row.tests)
    clause = text.clauses.get(row.id)
    if clause is None or row.disposition is None:
        return [_code(row.id), "", "", "no such clause", "", "", "<br>".join(test_links)]
    carriers = ", ".join(map(_code, row.by))
    if row.disposition is not None and row.disposition.is_written:
        carriers = clause.reason or ""
    return [
        _code(row.id),
        clause.clause_class.value,
        " ".join((cited_standing(text, row.id).value, *_entries(text, row.id))),
        clause.says,
        row.disposition.value,
        carriers,
        "<br>".join(test_links),
    ]


def _entries(text: Instrument, clause_id: str) -> Iterator[str]:
    for name in text.clauses[clause_id].interpretations:
        if text.register[name].standing is not Standing.TEXT:
            yield name


def _test(name: str, tests: Path) -> str:
    file, _, function = name.partition("::")
    test_words = function.rpartition("::")[2].removeprefix("test_").replace("_", " ")
    return f"{test_words} ({_code(Path(file).relative_to(tests).as_posix())})"


def _code(words: str) -> str:
    return f"`{words}`"


def markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
