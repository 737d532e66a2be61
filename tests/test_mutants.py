"""The tests are asked about slips: a few known ones here, thousands by ``mutation_tests.py``."""

from __future__ import annotations

import ast
import gc
import json
import subprocess
import sys
from functools import cache

import pytest

from croupier.money.forms import FormBook
from mutation.known import ROOT, SLIPS
from mutation.mutants import Function, Text, changes_of
from mutation.runner import functions_of
from mutation_tests import MODULES, Survivor, path_of, reasons
from support.cases import each


def test_known_slips_are_told_and_what_is_no_slip_is_not() -> None:
    command = [sys.executable, "-m", "mutation.known"]
    done = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True, check=True)  # noqa: S603
    *slips, none = json.loads(done.stdout)
    assert (slips, none) == ([slip.told or slip.test for slip in SLIPS[:-1]], "")


def test_functions_are_found_though_what_was_collected_is_frozen() -> None:
    # Where none is found no mutant is shown to any test, and all of them survive.
    gc.freeze()
    found = functions_of({str(ROOT / "src" / "croupier" / "money" / "forms.py")})
    assert FormBook.reseated.__code__ in found


@cache
def source_of(module: str) -> str:
    return path_of(module).read_text(encoding="utf-8")


@cache
def lines_of(module: str, function: str) -> str:
    """Return the source of a function as changes have it, in one line."""
    found: list[ast.stmt] = ast.parse(source_of(module)).body
    for name in function.split("."):
        named = [node for node in found if isinstance(node, Function) and node.name == name]
        found = [inner for node in named for inner in node.body]
    source = [ast.get_source_segment(source_of(module), node) or "" for node in named]
    return " ".join(" ".join(source).split())


@each("survivor", reasons())
def test_what_survived_is_a_line_of_a_module_that_is_mutated(survivor: Survivor) -> None:
    assert survivor.module in MODULES
    assert survivor.change.partition(" => ")[0] in lines_of(survivor.module, survivor.where)


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ('x = "tie"', {"x = 'Xtie'", "pass"}),
        ("x = {a, b}", {"x = {a}", "x = {b}", "pass"}),
        ("x = (a,)", {"x = ()", "pass"}),
        ("x = {a: b}", {"x = {}", "pass"}),
        ("x = f(y, a=z)", {"x = f(y)", "pass"}),
        ("x = min(y, z)", {"x = y", "x = z", "pass"}),
        ("x = y + z", {"x = (y)", "x = (z)", "x = (y - z)", "pass"}),
        ("x = 8", {"x = 9", "x = 7", "pass"}),
        ("x = a and b", {"x = ((a))", "x = ((b))", "x = ((a) or (b))", "pass"}),
        ("x = a in b", {"x = (a not in b)", "pass"}),
        (
            "return a < b",
            {"return None"} | {f"return (a {op} b)" for op in ("<=", "==", "!=", ">=", ">")},
        ),
        ("if a: b", {"if True: b", "if False: b", "if (not (a)): b"}),
        ("for a in b: c", {"for a in (): c"}),
        ("@a\ndef b(): ...", {"@(lambda one: one)\ndef b(): ..."}),
        ("raise error", {"pass"}),
    ],
)
def test_what_a_slip_of_the_hand_may_leave(source: str, mutants: set[str]) -> None:
    assert {changed for _, _, changed in changes_of(Text(source))} == mutants
