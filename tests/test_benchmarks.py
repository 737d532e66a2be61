"""Every benchmark starts: its imports are there, and so are its options."""

import ast
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from support.project import ROOT

SCRIPTS = sorted((ROOT / "bench").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda one: one.stem)
def test_a_benchmark_can_be_imported(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything but the part below ``__main__`` runs, so a missing name is found."""
    monkeypatch.syspath_prepend(str(script.parent))
    monkeypatch.setattr(sys, "argv", [str(script)])
    runpy.run_path(str(script), run_name="imported")
    inner = [
        node
        for function in ast.walk(ast.parse(script.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
    ]
    for node in inner:
        module = __import__(str(node.module), fromlist=[one.name for one in node.names])
        assert [one.name for one in node.names if not hasattr(module, one.name)] == []


def test_sheets_are_timed_from_the_command_line() -> None:
    done = subprocess.run(  # noqa: S603  (our own script)
        [sys.executable, ROOT / "bench" / "par.py", "--repeat", "1"],
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "croupier odds" in done.stdout


def test_a_round_is_opened_by_the_index_of_a_log(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603  (our own script)
        [sys.executable, ROOT / "bench" / "index.py", "--entries", "24000"],
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(" s, ") == 4
    assert "plain scan" in done.stdout


def test_an_export_is_measured_next_to_verifying() -> None:
    done = subprocess.run(  # noqa: S603  (our own script)
        [sys.executable, ROOT / "bench" / "export.py", "--entries", "5000", "--tables", "3"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(" times as fast as verifying") == 4
    assert done.stdout.count(" s  ") == 10
