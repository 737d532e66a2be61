"""What became of every clause: clause, fate, by what, and the tests that name it.

The tests are read, not run: ``tests_naming`` finds ``@pytest.mark.clause("...")`` in their sources.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from croupier.frozen import frozen
from croupier.law.model import Clause, ClauseClass, Constraint, Disposition, Instrument, Rule
from croupier.law.values import Kind

__all__ = ["COVERAGE", "CoverageRow", "Gap", "coverage", "gaps", "listed_coverage", "tests_naming"]

Names = Mapping[str, tuple[str, ...]]


COVERAGE: Final = Path(__file__).with_name("coverage.json")
"""The functions of each rule and the tests of each clause, as they are listed with the program."""


def listed_coverage(name: str) -> Names:
    """Return the listed ``functions`` by rule id, or ``tests`` by clause id."""
    listed = json.loads(COVERAGE.read_text(encoding="utf-8"))[name]
    return {key: tuple(names) for key, names in listed.items()}


@frozen
class CoverageRow:
    """One clause: its class, its fate, by what it is carried, and the tests that name it.

    Class and fate are ``None`` where tests name a clause that the law does not hold.
    """

    id: str
    clause_class: ClauseClass | None
    disposition: Disposition | None
    by: tuple[str, ...]
    tests: tuple[str, ...]


@frozen
class Gap:
    """A clause that something is missing for, and what."""

    id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.id}: {self.reason}"


def coverage(law: Instrument, carried: Names, tests: Names) -> tuple[CoverageRow, ...]:
    """Return a row for every clause of a law, in its own order.

    ``carried`` is the functions by rule id, ``tests`` the tests by clause id. Clauses that tests
    name and the law does not hold come last.

    >>> from datetime import date
    >>> from croupier.law.resolve import resolve
    >>> law = resolve("us-nj/minibaccarat", on=date(2011, 2, 22))
    >>> rows = coverage(law, {}, {"NJ-MINI:7.3(b)": ("test_tie.py::test_the_tie_pays_eight",)})
    >>> next(row.by for row in rows if row.tests)
    ('wagers.tie.pays',)
    """
    known = tuple(
        CoverageRow(
            clause.id,
            clause.clause_class,
            law.disposition(clause.id),
            _by(law, clause, carried),
            tests.get(clause.id, ()),
        )
        for clause in law.clauses.values()
    )
    unknown = tuple(
        CoverageRow(clause_id, None, None, (), named)
        for clause_id, named in tests.items()
        if clause_id not in law.clauses
    )
    return known + unknown


def _by(law: Instrument, clause: Clause, carried: Names) -> tuple[str, ...]:
    carriers = law.implemented_by[clause.id]
    match law.disposition(clause.id):
        case Disposition.PROCEDURE:
            functions = (
                name
                for carrier in carriers
                if isinstance(carrier, Rule) and carrier.kind is Kind.PROCEDURE
                for name in carried.get(carrier.id, ())
            )
            return tuple(dict.fromkeys(functions))
        case Disposition.RULE:
            return tuple(carrier.id for carrier in carriers if isinstance(carrier, Rule))
        case Disposition.CONSTRAINT:
            return tuple(carrier.id for carrier in carriers if isinstance(carrier, Constraint))
        case Disposition.CHECKLIST:
            return (f"check-list: {clause.reason}",)
        case Disposition.OUT_OF_SCOPE:
            return (f"out of scope: {clause.reason}",)


def gaps(rows: Iterable[CoverageRow], law: Instrument) -> tuple[Gap, ...]:
    """Return what is missing, clause by clause, of the rows of a law.

    A procedure that no function carries out; a clause of logic or procedure, not set aside, that
    no test names; a clause that tests name and that does not exist.
    """
    return tuple(Gap(row.id, reason) for row in rows for reason in _missing(row, law))


def _missing(row: CoverageRow, law: Instrument) -> Iterator[str]:
    if row.id not in law.clauses:
        yield f"no such clause in {law.id}, yet named by {', '.join(row.tests)}"
        return
    if row.disposition is Disposition.PROCEDURE and not row.by:
        rules = (one.id for one in law.implemented_by[row.id] if isinstance(one, Rule))
        yield f"no function carries out {', '.join(rules)}"
    set_aside = row.disposition in {Disposition.CHECKLIST, Disposition.OUT_OF_SCOPE}
    if row.clause_class is not ClauseClass.PHYSICAL and not set_aside and not row.tests:
        yield f"class {law.clauses[row.id].clause_class.value}, yet no test names it"


def tests_naming(tests: Path) -> Names:
    """Return the tests that name each clause, as ``path::test_function``, by clause id.

    Reads every ``test_*.py`` below a directory for marks on a function, on a class, or on the
    module as ``pytestmark``. Raises ``ValueError``, with file and line, for a mark that names a
    clause otherwise than by a plain text, and for a file that is not Python.
    """
    named: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        try:
            module = ast.parse(path.read_text(encoding="utf-8"))
        except SyntaxError as error:
            raise ValueError(f"{path}:{error.lineno}: not Python: {error.msg}") from error
        for test, clauses in _marked(module, path):
            for clause in clauses:
                named.setdefault(clause, []).append(test)
    return {clause: tuple(dict.fromkeys(found)) for clause, found in named.items()}


def _marked(module: ast.Module, path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield every test of a module with the clauses that marks name for it."""
    everywhere = [
        clause
        for statement in module.body
        if isinstance(statement, ast.Assign)
        and any(
            isinstance(name, ast.Name) and name.id == "pytestmark" for name in statement.targets
        )
        for clause in _clauses(statement.value, path)
    ]
    yield from _tests(module.body, path.as_posix(), everywhere, path)


def _tests(
    body: list[ast.stmt], prefix: str, outer: list[str], path: Path
) -> Iterator[tuple[str, list[str]]]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        own = [clause for mark in node.decorator_list for clause in _clauses(mark, path)]
        if isinstance(node, ast.ClassDef):
            yield from _tests(node.body, f"{prefix}::{node.name}", outer + own, path)
        elif node.name.startswith("test"):
            yield f"{prefix}::{node.name}", outer + own


def _clauses(mark: ast.expr, path: Path) -> Iterator[str]:
    """Yield the clauses that an expression marks, also inside a parametrization or a list."""
    for node in ast.walk(mark):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("mark.clause"):
            continue
        for argument in node.args:
            if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
                raise ValueError(
                    f"{path}:{argument.lineno}: a clause must be named by a plain text, not by"
                    f" {ast.unparse(argument)}"
                )
            yield argument.value
