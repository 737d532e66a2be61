"""The traceability document: every clause, its disposition, and its tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from croupier.cli.law.naming import cited
from croupier.files.streams import echo
from croupier.law.coverage import CoverageRow, Names
from croupier.law.model import (
    ClauseClass,
    Disposition,
    Instrument,
    Rule,
    Standing,
    is_entry,
    section,
)
from croupier.law.standing import cited_standing, rule_standing
from croupier.law.wording import rule_in_words


class Covered(Struct, frozen=True):
    text: Instrument
    rows: tuple[CoverageRow, ...]
    carried: Names
    readings: Names
    """The tests that name each entry of the register, under this text."""

    @property
    def known(self) -> tuple[CoverageRow, ...]:
        """The rows without clause ids that tests name in error."""
        return tuple(row for row in self.rows if row.disposition is not None)


def print_traceability(covered: Sequence[Covered], tests: Path) -> None:
    for line in _document(covered, tests):
        echo(line)


def _document(covered: Sequence[Covered], tests: Path) -> Iterator[str]:
    yield "# Traceability"
    yield ""
    yield "Every clause of every included regulation: its class, its standing, a paraphrase, its"
    yield "disposition, what implements it, and what the tests that name it ask. Then every rule"
    yield "that the regulation does not state, with the entry of the register of interpretations"
    yield "used instead. Classes, standings, and dispositions are defined in"
    yield "[law-file.md](law-file.md). `croupier law coverage --format markdown` prints this"
    yield "document."
    yield ""
    yield from _summary(covered)
    for row in covered:
        if row.rows:
            yield from _section_of(row, tests)


def _summary(covered: Sequence[Covered]) -> Iterator[str]:
    yield _line(
        [
            "text",
            "clauses",
            *(value.value for value in (*ClauseClass, *Disposition)),
            "untested",
            "not stated",
        ]
    )
    yield "|---|" + "--:|" * (3 + len(ClauseClass) + len(Disposition))
    for one in covered:
        yield _line(
            [f"`{one.text.key}`", *map(str, _counts(one.known)), str(len(_unsaid(one.text)))]
        )
    everything = [row for one in covered for row in one.known]
    unsaid = sum(len(_unsaid(row.text)) for row in covered)
    yield _line(["all", *map(str, _counts(everything)), str(unsaid)])


def _unsaid(text: Instrument) -> list[Rule]:
    return [rule for rule in text.rules.values() if rule.standing is not None]


def _counts(rows: Sequence[CoverageRow]) -> Iterator[int]:
    yield len(rows)
    classes = Counter(row.clause_class for row in rows)
    dispositions = Counter(row.disposition for row in rows)
    yield from (classes[clause_class] for clause_class in ClauseClass)
    yield from (dispositions[disposition] for disposition in Disposition)
    yield sum(not row.tests for row in rows)


def _section_of(covered: Covered, tests: Path) -> Iterator[str]:
    text = covered.text
    yield ""
    yield f"## {text.title}, {text.in_force_from}"
    yield ""
    excerpt = ", an excerpt" if text.partial else ""
    yield f"`{text.key}`, {cited(text)}{excerpt}."
    if text.partial:
        yield ""
        yield "No table is dealt under this excerpt, which has no drawing rules or no game at all."
        yield "Its tests check what it states of wagers, payment, and vigorish on given results."
    for name, group in groupby(covered.rows, lambda row: section(row.id)):
        yield ""
        yield f"### {text.citation}{name}"
        yield ""
        yield _line(["clause", "class", "standing", "says", "disposition", "by", "tests ask"])
        yield "|---|---|---|---|---|---|---|"
        for row in group:
            yield _line(_cells(row, text, tests))
    yield from _stood_in(covered, tests)


def _stood_in(covered: Covered, tests: Path) -> Iterator[str]:
    rules = _unsaid(covered.text)
    if not rules:
        return
    yield ""
    yield "### Not stated in this regulation"
    yield ""
    yield _line(["rule", "standing", "stands on", "says", "by", "tests ask"])
    yield "|---|---|---|---|---|---|"
    for rule in rules:
        entries = [clause for clause in rule.cites if is_entry(clause)]
        asked = [test for entry in entries for test in covered.readings.get(entry, ())]
        yield _line(
            [
                _code(rule.id),
                rule_standing(covered.text, rule).value,
                ", ".join(map(_code, rule.cites)),
                f"{rule.title}: {rule_in_words(rule)}",
                ", ".join(map(_code, covered.carried.get(rule.id, ()))),
                "<br>".join(_test(one, tests) for one in dict.fromkeys(asked)),
            ]
        )


def _cells(row: CoverageRow, text: Instrument, tests: Path) -> list[str]:
    named = (_test(test, tests) for test in row.tests)
    clause = text.clauses.get(row.id)
    if clause is None or row.disposition is None:
        return [_code(row.id), "", "", "no such clause", "", "", "<br>".join(named)]
    by = ", ".join(map(_code, row.by))
    if row.disposition is not None and row.disposition.is_written:
        by = clause.reason or ""
    return [
        _code(row.id),
        clause.clause_class.value,
        " ".join((cited_standing(text, row.id).value, *_entries(text, row.id))),
        clause.says,
        row.disposition.value,
        by,
        "<br>".join(named),
    ]


def _entries(text: Instrument, clause_id: str) -> Iterator[str]:
    for name in text.clauses[clause_id].interpretations:
        if text.register[name].standing is not Standing.TEXT:
            yield name


def _test(name: str, tests: Path) -> str:
    file, _, function = name.partition("::")
    asks = function.rpartition("::")[2].removeprefix("test_").replace("_", " ")
    return f"{asks} ({_code(Path(file).relative_to(tests).as_posix())})"


def _code(words: str) -> str:
    return f"`{words}`"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
