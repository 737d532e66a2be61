"""The blackjack package stays as it was designed: exact, of the standard library, beside the table."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

PACKAGE: Final = Path(__file__).parents[2] / "src" / "croupier" / "blackjack"
MODULES: Final = sorted(PACKAGE.glob("*.py"))
PURE: Final = {"streak.py", "bonus.py", "outcomes.py", "commands.py", "events.py", "strategy.py"}

every_module = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def imported(path: Path) -> set[str]:
    return {
        name
        for node in nodes(path)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }


@every_module
def test_no_module_knows_a_floating_point_number(path: Path) -> None:
    for node in nodes(path):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Name) and node.id == "float")


@every_module
def test_every_module_imports_the_standard_library_alone(path: Path) -> None:
    others = {name.partition(".")[0] for name in imported(path)} - {"croupier"}
    assert others <= sys.stdlib_module_names


@every_module
def test_of_the_table_only_its_seats_and_its_chance_are_used(path: Path) -> None:
    of_the_table = {name for name in imported(path) if name.startswith("croupier.table")}
    assert of_the_table <= {"croupier.table.seating", "croupier.table.shuffling"}


@pytest.mark.parametrize("name", sorted(PURE))
def test_the_machines_know_neither_cards_nor_chance(name: str) -> None:
    found = imported(PACKAGE / name)
    assert (
        not {"croupier.cards", "croupier.table.shuffling", "croupier.blackjack.reference"} & found
    )
