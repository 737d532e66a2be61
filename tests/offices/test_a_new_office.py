"""A read-only office is one record: nothing else is edited, no test fails, and it does nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from support.new_office import RECORD, package_with_the_office, run_with
from support.project import ROOT

OFFICES = {
    "ACCOUNTING", "BOARD", "CAGE", "CURATOR", "DEALER", "FLOORPERSON", "LICENSEE", "MACHINE",
    "PATRON", "PIT_BOSS", "PIT_CLERK", "SUPERVISOR", "SURVEILLANCE",
}  # fmt: skip
NAMES = {name.lower().replace("_", " ") for name in OFFICES}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with a patron ambassador, who sees the page of the board."""
    return package_with_the_office(tmp_path_factory.mktemp("package"))


def test_a_new_office_is_one_record_in_one_file(package: Path) -> None:
    source = ROOT / "src" / "croupier"
    changed = [
        path.relative_to(package)
        for path in sorted(package.rglob("*.py"))
        if path.read_bytes() != (source / path.relative_to(package)).read_bytes()
    ]
    assert changed == [Path("acts/roles.py")]
    assert RECORD.count("\n") == 1


def test_a_new_office_sees_the_page_of_the_board_and_does_nothing(package: Path) -> None:
    asked = run_with(package, "tests/support/new_office_asks.py")
    assert asked.returncode == 0, asked.stderr[-3000:]


@pytest.mark.parametrize(
    "tests",
    [
        ["tests/offices/test_offices.py", "tests/offices/test_the_short_look.py"],
        ["tests/records/test_views.py"],
    ],
    ids=["offices", "views"],
)
def test_no_test_of_offices_fails_with_a_new_office(package: Path, tests: list[str]) -> None:
    plain = ("-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider")
    done = run_with(package, *plain, *tests)
    assert done.returncode == 0, done.stdout[-3000:]


def _excludes_offices(node: ast.AST) -> bool:
    """Return whether an expression is true of every office but some: a new one would be let in."""
    if not (isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.NotIn)):
        return False
    listed = node.comparators[0]
    if not isinstance(listed, ast.Set | ast.Tuple | ast.List):
        return False
    named = {one.attr for one in listed.elts if isinstance(one, ast.Attribute)}
    written = {one.value for one in listed.elts if isinstance(one, ast.Constant)}
    return bool(named & OFFICES or (written and written <= NAMES))


def test_no_module_lists_the_offices_that_may_not() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        for path in sorted((ROOT / "src" / "croupier").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if _excludes_offices(node)
    ]
    assert found == []
