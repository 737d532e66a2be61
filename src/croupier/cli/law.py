"""``croupier law``: reads the law as it is held here, and shows what became of every clause."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Final

import rich_click as click

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
from croupier.law.interpretations import interpretations
from croupier.law.load import LawError
from croupier.law.model import Clause, ClauseClass, Constraint, Fate, Instrument, Rule
from croupier.law.resolve import instruments, resolve
from croupier.law.values import Kind, canonical

__all__ = ["law"]

_CARRIERS: Final = (
    "croupier.rules",
    "croupier.money.settlement",
    "croupier.money.forms",
    "croupier.table",
    "croupier.table.pit",
)
"""The modules whose functions carry out procedures: importing them fills the register."""

_DEFAULT_TESTS: Final = Path("tests")


@click.group()
def law() -> None:
    """Read the law: its texts, clauses, rules and coverage."""


@law.command("list", short_help="List the texts that are held.")
@format_option
def list_texts(output_format: str) -> None:
    """List the texts that are held, and when each is known to have been in force."""
    texts = instruments()
    if output_format == "json":
        print_json([_head(text) | {"clauses": len(text.clauses)} for text in texts])
        return
    for text in texts:
        headline(f"{text.id}  {text.title}")
        tell(f"{text.authority}, {text.citation}{_chapter(text)}", indent=2)
        tell(f"in force from {text.in_force_from}, known to {text.in_force_known}", indent=2)
        tell(f"{len(text.clauses)} clauses, {_extent(text)}", indent=2)


@law.command("show", short_help="Show a text, or some of its clauses.")
@click.argument("law_id", metavar="ID")
@click.argument("clause", required=False)
@click.option(
    "--on",
    metavar="YYYY-MM-DD",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The day whose law is meant.",
)
@format_option
def show(law_id: str, clause: str | None, on: datetime | None, output_format: str) -> None:
    """Show a text, or the clauses of it that CLAUSE names.

    CLAUSE is a clause id, or the beginning of one: 7.5(f) stands for all clauses of 7.5(f). Each
    is shown with the readings, rules and functions that it leads to.
    """
    try:
        text = resolve(law_id, on=None if on is None else on.date())
    except LawError as error:
        fail(str(error))
    chosen = [one for one in text.clauses.values() if clause is None or _named(one, clause)]
    if not chosen:
        fail(f"{text.id} of {text.in_force_from} has no clause {clause!r}")
    carried = _carried() if clause is not None or output_format == "json" else {}
    if output_format == "json":
        details = [_clause_data(text, one, carried) for one in chosen]
        rules = [_rule_data(rule) for rule in _rules_of(text, chosen)]
        print_json(_head(text) | {"clauses": details, "rules": rules})
    elif clause is None:
        _print_text(text)
    else:
        for one in chosen:
            _print_clause(text, one, carried)


@law.command("coverage", short_help="Show what became of every clause, and its tests.")
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
    carried = _carried()
    prefixes = {text.clause_prefix for text in instruments()}
    rows: list[CoverageRow] = []
    missing: list[Gap] = []
    for text in _texts(law_id):
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


def _texts(law_id: str | None) -> tuple[Instrument, ...]:
    chosen = tuple(text for text in instruments() if law_id in {None, text.id})
    if not chosen:
        held = ", ".join(sorted({text.id for text in instruments()}))
        fail(f"no text is held under the id {law_id!r}; held: {held}")
    return chosen


def _tests(tests: Path | None) -> Mapping[str, tuple[str, ...]]:
    directory = _DEFAULT_TESTS if tests is None else tests
    if not directory.is_dir():
        fail("there is no directory ./tests here: name that of the tests with --tests")
    try:
        return tests_naming(directory)
    except ValueError as error:
        fail(str(error))


def _carried() -> Mapping[str, tuple[str, ...]]:
    """Return the functions by rule id, once every module that carries procedures is imported."""
    for module in _CARRIERS:
        importlib.import_module(module)
    return cited_rules()


def _section(clause_id: str) -> str:
    """Return the section of a clause: ``7.9`` of ``7.9_Table_2#1``, ``7.5`` of ``7.5(f)``."""
    local = clause_id.partition(":")[2]
    return local.split("(")[0].split("#")[0].split("_")[0]


def _chapter(text: Instrument) -> str:
    return _section(next(iter(text.clauses))).partition(".")[0]


def _extent(text: Instrument) -> str:
    return "partial" if text.partial else "complete"


def _named(clause: Clause, wanted: str) -> bool:
    """Tell whether a clause is the one wanted, or lies below it."""
    name = clause.id if ":" in wanted else clause.id.partition(":")[2]
    if not name.startswith(wanted):
        return False
    following = name[len(wanted) :][:1]
    # 7.1 is not the beginning of 7.10, nor 3.i that of 3.ii.
    return not (wanted[-1:].isalnum() and following.isalnum())


def _rules_of(text: Instrument, clauses: Iterable[Clause]) -> tuple[Rule, ...]:
    cited = {clause.id for clause in clauses}
    return tuple(rule for rule in text.rules.values() if cited.intersection(rule.cites))


def _value(rule: Rule) -> str:
    """Say what a rule settles, or what it leaves open and to whom."""
    if rule.value is not None:
        told = rule.written(rule.value)
    elif rule.kind is Kind.PROCEDURE:
        told = "procedure"
    else:
        told = f"{rule.by} elects: {rule.left_open}"
    if not rule.applies_when:
        return told
    return f"{told} (where {_condition(rule)})"


def _condition(rule: Rule) -> str:
    return ", ".join(
        f"{rule_id} = {' or '.join(_word(value) for value in wanted)}"
        for rule_id, wanted in rule.applies_when.items()
    )


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _head(text: Instrument) -> dict[str, object]:
    return {
        "id": text.id,
        "title": text.title,
        "authority": text.authority,
        "in_force_from": text.in_force_from.isoformat(),
        "in_force_known": text.in_force_known.isoformat(),
        "observed_on": text.observed_on.isoformat(),
        "partial": text.partial,
        "sha256": text.sha256,
    }


def _clause_data(
    text: Instrument, clause: Clause, carried: Mapping[str, tuple[str, ...]]
) -> dict[str, object]:
    carriers = text.carried_by[clause.id]
    return {
        "id": clause.id,
        "citation": text.speak(clause.id),
        "class": clause.clause_class.value,
        "says": clause.says,
        "fate": text.fate(clause.id).value,
        "reason": clause.reason,
        "interpretations": list(clause.interpretations),
        "carried_by": [carrier.id for carrier in carriers],
        "functions": list(
            dict.fromkeys(name for one in carriers for name in carried.get(one.id, ()))
        ),
    }


def _rule_data(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "kind": rule.kind.value,
        "title": rule.title,
        "cites": list(rule.cites),
        "value": None if rule.value is None else canonical(rule.value),
        "open": rule.left_open if rule.value is None and rule.kind is not Kind.PROCEDURE else None,
        "by": rule.by,
        "applies_when": {
            name: [canonical(value) for value in wanted]
            for name, wanted in rule.applies_when.items()
        },
    }


def _print_text(text: Instrument) -> None:
    headline(text.title)
    tell(f"{text.id}, {text.citation}{_chapter(text)}")
    tell(f"{text.authority}; as amended to {text.in_force_from}")
    tell(
        f"Known to have been in force {text.in_force_from} to {text.in_force_known};"
        f" observed on {text.observed_on}; {_extent(text)}"
    )
    tell(text.note)
    tell(f"SHA-256 {text.sha256}")
    for section, group in groupby(text.clauses.values(), lambda one: _section(one.id)):
        blank()
        headline(f"{text.citation}{section}")
        table = plain_table("Clause", "Class", "Fate", "Says")
        for clause in group:
            fate = text.fate(clause.id).value
            table.add_row(clause.id, clause.clause_class.value, fate, clause.says)
        print_table(table)
        _print_rules(rule for rule in text.rules.values() if _section(rule.cites[0]) == section)


def _print_rules(rules: Iterable[Rule]) -> None:
    table = plain_table("Rule", "Value or what is left open")
    for rule in rules:
        table.add_row(rule.id, _value(rule))
    if table.row_count:
        blank()
        print_table(table)


def _print_clause(text: Instrument, clause: Clause, carried: Mapping[str, tuple[str, ...]]) -> None:
    fate = text.fate(clause.id)
    headline(f"{clause.id} ({text.speak(clause.id)})")
    tell(clause.says, indent=2)
    tell(f"class {clause.clause_class.value}, {_CLASSES[clause.clause_class]}", indent=2)
    tell(f"fate: {fate.value}" + (f": {clause.reason}" if clause.reason else ""), indent=2)
    register = interpretations()
    for name in clause.interpretations:
        reading = register[name]
        tell(f"reading {name}: {reading.title}", indent=2)
        tell(reading.problem, indent=4)
        tell(f"Taken: {reading.says(reading.reading)}", indent=4)
    for carrier in text.carried_by[clause.id]:
        if isinstance(carrier, Constraint):
            tell(f"constraint {carrier.id}, {carrier.kind.value}: {carrier.says}", indent=2)
            continue
        tell(f"rule {carrier.id}: {carrier.title}", indent=2)
        if carrier.kind is not Kind.PROCEDURE:
            tell(_value(carrier), indent=4)
        for function in carried.get(carrier.id, ()):
            tell(f"carried out by {function}", indent=4)
    blank()


_CLASSES: Final = {
    ClauseClass.LOGIC: "logic",
    ClauseClass.PROCEDURE: "procedure at the table",
    ClauseClass.PHYSICAL: "physical or filing condition",
}


def _row_data(row: CoverageRow) -> dict[str, object]:
    return {
        "id": row.id,
        "class": None if row.clause_class is None else row.clause_class.value,
        "fate": None if row.fate is None else row.fate.value,
        "by": list(row.by),
        "tests": list(row.tests),
    }


def _print_coverage(rows: Sequence[CoverageRow]) -> None:
    for section, group in groupby(rows, lambda row: _section(row.id)):
        headline(section)
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
