"""The traceability document: every clause, its disposition, and its tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from croupier.cli.law.naming import cited
from croupier.files.streams import echo
from croupier.frozen import frozen
from croupier.law.coverage import CoverageRow
from croupier.law.model import ClauseClass, Disposition, Instrument, section

__all__ = ["Covered", "print_traceability"]


@frozen
class Covered:
    """A regulation and the dispositions of its clauses."""

    text: Instrument
    rows: tuple[CoverageRow, ...]

    @property
    def known(self) -> tuple[CoverageRow, ...]:
        """The rows of existing clauses, without clause ids that tests name in error."""
        return tuple(row for row in self.rows if row.disposition is not None)


def print_traceability(covered: Sequence[Covered], tests: Path) -> None:
    """Print the coverage as Markdown: totals by disposition, then every clause."""
    for line in _document(covered, tests):
        echo(line)


def _document(covered: Sequence[Covered], tests: Path) -> Iterator[str]:
    yield "# Traceability"
    yield ""
    yield "Every clause of every included regulation: its class, a paraphrase, its"
    yield "disposition, what implements it, and the tests that name it. Classes and dispositions"
    yield "are defined in [law-file.md](law-file.md). `croupier law coverage --format markdown`"
    yield "prints this document."
    yield ""
    yield from _summary(covered)
    for one in covered:
        if one.rows:
            yield from _section_of(one, tests)


def _summary(covered: Sequence[Covered]) -> Iterator[str]:
    yield _line(
        ["text", "clauses", *(one.value for one in (*ClauseClass, *Disposition)), "untested"]
    )
    yield "|---|" + "--:|" * (2 + len(ClauseClass) + len(Disposition))
    for one in covered:
        yield _line([f"`{one.text.key}`", *map(str, _counts(one.known))])
    everything = [row for one in covered for row in one.known]
    yield _line(["all", *map(str, _counts(everything))])


def _counts(rows: Sequence[CoverageRow]) -> Iterator[int]:
    yield len(rows)
    classes = Counter(row.clause_class for row in rows)
    dispositions = Counter(row.disposition for row in rows)
    yield from (classes[one] for one in ClauseClass)
    yield from (dispositions[one] for one in Disposition)
    yield sum(not row.tests for row in rows)


def _section_of(covered: Covered, tests: Path) -> Iterator[str]:
    text = covered.text
    yield ""
    yield f"## {text.title}, {text.in_force_from}"
    yield ""
    excerpt = ", an excerpt" if text.partial else ""
    yield f"`{text.key}`, {cited(text)}{excerpt}."
    for name, group in groupby(covered.rows, lambda row: section(row.id)):
        yield ""
        yield f"### {text.citation}{name}"
        yield ""
        yield _line(["clause", "class", "says", "disposition", "by", "tests"])
        yield "|---|---|---|---|---|---|"
        for row in group:
            yield _line(_cells(row, text, tests))


def _cells(row: CoverageRow, text: Instrument, tests: Path) -> list[str]:
    named = (_test(one, tests) for one in row.tests)
    clause = text.clauses.get(row.id)
    if clause is None or row.disposition is None:
        return [_code(row.id), "", "no such clause", "", "", "<br>".join(named)]
    by = ", ".join(map(_code, row.by))
    if row.disposition in {Disposition.CHECKLIST, Disposition.OUT_OF_SCOPE}:
        by = clause.reason or ""
    return [
        _code(row.id),
        clause.clause_class.value,
        clause.says,
        row.disposition.value,
        by,
        "<br>".join(named),
    ]


def _test(name: str, tests: Path) -> str:
    """Return a test as ``file::name``, with the file relative to the test directory."""
    file, _, function = name.partition("::")
    return _code(f"{Path(file).relative_to(tests).as_posix()}::{function}")


def _code(words: str) -> str:
    return f"`{words}`"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
