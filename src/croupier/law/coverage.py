"""Coverage of every clause of each text: its disposition, implementation, and tests."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from croupier.law.model import (
    Clause,
    ClauseClass,
    Constraint,
    Disposition,
    Instrument,
    Rule,
    Standing,
)
from croupier.law.resolve import instruments
from croupier.law.standing import cited_standing
from croupier.law.values import Kind

Names = Mapping[str, tuple[str, ...]]
NamesByText = Mapping[str, Names]
"""Tests by the key of their text and clause."""

COVERAGE: Final = Path(__file__).with_name("coverage.json")
"""The packaged functions by rule; events, commands, and tests by clause."""


class _Listed(Struct):
    functions: Names
    events: Names
    commands: Names
    tests: NamesByText


def _listed() -> _Listed:
    return msgspec.json.decode(COVERAGE.read_bytes(), type=_Listed)


def listed_functions() -> Names:
    return _listed().functions


def listed_events() -> Names:
    """Events that cite each clause in the project's playthroughs and scenarios."""
    return _listed().events


def listed_commands() -> Names:
    """Commands that those events answered, by clause."""
    return _listed().commands


def listed_tests() -> NamesByText:
    return _listed().tests


class CoverageRow(Struct, frozen=True):
    id: str
    clause_class: ClauseClass | None
    disposition: Disposition | None
    by: tuple[str, ...]
    tests: tuple[str, ...]
    standing: Standing | None = None


class Gap(Struct, frozen=True):
    id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.id}: {self.reason}"


def coverage(law: Instrument, functions: Names, tests: Names) -> tuple[CoverageRow, ...]:
    """Rows for every clause of a law, in its order; those only in tests come last."""
    rows = tuple(
        CoverageRow(
            clause.id,
            clause.clause_class,
            law.disposition(clause.id),
            _by(law, clause, functions),
            tests.get(clause.id, ()),
            cited_standing(law, clause.id),
        )
        for clause in law.clauses.values()
    )
    unknown = tuple(
        CoverageRow(clause_id, None, None, (), test_names)
        for clause_id, test_names in tests.items()
        if clause_id not in law.clauses
    )
    return rows + unknown


def _by(law: Instrument, clause: Clause, carried: Names) -> tuple[str, ...]:
    carriers = law.implemented_by[clause.id]
    match law.disposition(clause.id):
        case Disposition.PROCEDURE | Disposition.SUBSTITUTE:
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
        case Disposition.UNSUPPORTED:
            return (f"unsupported, {clause.meanwhile}: {clause.reason}",)


def gaps(rows: Iterable[CoverageRow], law: Instrument) -> tuple[Gap, ...]:
    return tuple(Gap(row.id, reason) for row in rows for reason in _missing(row, law))


def _missing(row: CoverageRow, law: Instrument) -> Iterator[str]:
    if row.id not in law.clauses:
        yield f"no such clause in {law.id}, but named by {', '.join(row.tests)}"
        return
    if row.disposition is Disposition.PROCEDURE and not row.by:
        rules = (rule.id for rule in law.implemented_by[row.id] if isinstance(rule, Rule))
        yield f"no function implements {', '.join(rules)}"
    is_disposed = row.disposition is not None and row.disposition.is_written
    if row.clause_class is not ClauseClass.PHYSICAL and not is_disposed and not row.tests:
        letter = law.clauses[row.id].clause_class.value
        yield f"class {letter}, but no test under this regulation names it"


def tests_naming(tests: Path) -> NamesByText:
    """Tests of each clause, as ``path::test_function``, by text and clause id.

    Reads the marks ``clause``, ``reading`` and ``under`` of tests, and ``rests_on`` in scenarios. A
    test without a text is listed under ``""``.
    """
    functions: list[_Calls] = []
    marked: list[_Test] = []
    # Keep only this of each module: keeping all trees takes longer than parsing them.
    for path in sorted(tests.rglob("*.py")):
        module = _parsed(path)
        functions += [(node.name, _called(node)) for node in _functions(module.body)]
        if path.name.startswith("test_"):
            marked += _marked(module, path)
    asserting = _asserting(functions)
    tests_by_text: dict[str, dict[str, list[str]]] = {}
    for place, test, calls, marks in marked:
        ids = marks["clause"] + marks["reading"]
        if ids and not _asserts(calls, asserting):
            raise ValueError(f"{place} names {', '.join(ids)} and asserts nothing")
        for text in marks["under"] or ("",):
            for clause in ids:
                tests_by_text.setdefault(text, {}).setdefault(clause, []).append(test)
    for path in sorted(tests.rglob("*.toml")):
        for text, clause, test in _scenarios(path):
            tests_by_text.setdefault(text, {}).setdefault(clause, []).append(test)
    return {
        text: {clause: tuple(dict.fromkeys(test_names)) for clause, test_names in clauses.items()}
        for text, clauses in tests_by_text.items()
    }


def _scenarios(path: Path) -> Iterator[tuple[str, str, str]]:
    texts = {text.key: text for text in instruments()}
    for scenario in tomllib.loads(path.read_text(encoding="utf-8")).get("scenario", ()):
        text = texts.get(scenario.get("law"))
        if text is None or "pending" in scenario:
            continue
        for entry in scenario.get("rests_on", ()):
            prefix = f"{text.clause_prefix}:{entry['clause']}"
            for clause in text.clauses:
                if clause == prefix or clause.startswith(f"{prefix}#"):
                    yield text.key, clause, f"{path.as_posix()}::{scenario['id']}"


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise ValueError(f"{path}:{error.lineno}: not Python: {error.msg}") from error


def _functions(body: Iterable[ast.AST]) -> Iterator[Function]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _functions(getattr(node, block, ()))


Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
Called: TypeAlias = frozenset[str] | None
"""The functions called, or ``None`` if the function asserts by itself."""
_Calls: TypeAlias = tuple[str, Called]
Marks = Mapping[str, tuple[str, ...]]
"""Arguments of marks, by kind."""
_Test: TypeAlias = tuple[str, str, Called, Marks]
"""Place for messages, name, calls, and mark arguments."""


def _asserting(functions: Sequence[_Calls]) -> frozenset[str]:
    names: frozenset[str] = frozenset({"raises", "fail", "warns"})
    while True:
        new_names = names | {name for name, calls in functions if _asserts(calls, names)}
        if new_names == names:
            return names
        names = new_names


def _asserts(calls: Called, helpers: frozenset[str]) -> bool:
    return calls is None or not helpers.isdisjoint(calls)


def _called(function: Function) -> Called:
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return None
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Attribute(attr=name) | ast.Name(id=name):
                    names.add(name)
    return frozenset(names)


def _marked(module: ast.Module, path: Path) -> Iterator[_Test]:
    module_marks = [
        statement.value
        for statement in module.body
        if isinstance(statement, ast.Assign)
        and any(
            isinstance(name, ast.Name) and name.id == "pytestmark" for name in statement.targets
        )
    ]
    outer = _marks(module_marks, path)
    for test, function, marks in _tests(module.body, path.as_posix(), outer, path):
        yield f"{path}:{function.lineno}: {function.name}", test, _called(function), marks


def _tests(
    body: list[ast.stmt], prefix: str, outer_marks: Marks, path: Path
) -> Iterator[tuple[str, Function, Marks]]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        own_marks = _marks(node.decorator_list, path)
        marks = {kind: outer_marks[kind] + own_marks[kind] for kind in outer_marks}
        if isinstance(node, ast.ClassDef):
            yield from _tests(node.body, f"{prefix}::{node.name}", marks, path)
        elif node.name.startswith("test"):
            yield f"{prefix}::{node.name}", node, marks


def _marks(expressions: Iterable[ast.expr], path: Path) -> Marks:
    arguments_by_kind: dict[str, list[str]] = {"clause": [], "reading": [], "under": []}
    for node in (node for expression in expressions for node in ast.walk(expression)):
        if not isinstance(node, ast.Call):
            continue
        holder, _, kind = ast.unparse(node.func).rpartition(".")
        if not holder.endswith("mark") or kind not in arguments_by_kind:
            continue
        for argument in node.args:
            if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
                noun = {"clause": "clause", "reading": "reading", "under": "text"}[kind]
                raise ValueError(
                    f"{path}:{argument.lineno}: a {noun} must be named by a string literal, not by"
                    f" {ast.unparse(argument)}"
                )
            arguments_by_kind[kind].append(argument.value)
    return {kind: tuple(dict.fromkeys(names)) for kind, names in arguments_by_kind.items()}
