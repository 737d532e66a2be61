"""The tests are asked about slips: a few known ones here, thousands by ``mutation_tests.py``."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from known_mutants import ROOT, SLIPS
from mutants import Text, own_changes


def test_known_slips_are_told_and_what_is_no_slip_is_not() -> None:
    script = ROOT / "tests" / "known_mutants.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)  # noqa: S603
    *slips, none = json.loads(done.stdout)
    assert (slips, none) == ([slip.test for slip in SLIPS[:-1]], "")


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ('x = "tie"', {"x = 'Xtie'", "pass"}),
        ("x = {1, 2}", {"x = {1}", "x = {2}", "pass"}),
        ("x = (1,)", {"x = ()", "pass"}),
        ("x = {1: 2}", {"x = {}", "pass"}),
        ("x = f(1, a=2)", {"x = f(1)", "pass"}),
        ("x = min(y, z)", {"x = y", "x = z", "pass"}),
        ("x = y + z", {"x = (y)", "x = (z)", "pass"}),
        ("x = y if z else w", {"x = y if True else w", "x = y if False else w", "pass"}),
        ("x = a and b", {"x = ((a))", "x = ((b))", "pass"}),
        ("raise error", {"pass"}),
    ],
)
def test_what_a_slip_of_the_hand_may_leave(source: str, mutants: set[str]) -> None:
    assert {changed for _, _, changed in own_changes(Text(source))} == mutants
