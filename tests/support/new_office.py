"""A copy of the package with one office more: its record is the only line that is added."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from support.project import ROOT

NAME: Final = "patron ambassador"
RECORD: Final = f'    PATRON_AMBASSADOR = "{NAME}", Office(sees=frozenset({{Sight.STAKE}}), page=OfficePage.BOARD)\n'
_BEFORE: Final = "    PIT_BOSS = "


def package_with_the_office(folder: Path) -> Path:
    """Copy the package to a folder, add the record, and return the folder of the package."""
    package = folder / "croupier"
    shutil.copytree(
        ROOT / "src" / "croupier", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    roles = package / "acts" / "roles.py"
    text = roles.read_text("utf-8")
    assert text.count(_BEFORE) == 1
    roles.write_text(text.replace(_BEFORE, RECORD + _BEFORE), "utf-8")
    return package


def run_with(package: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with that copy of the package, from the root of the project."""
    path = os.pathsep.join([str(package.parent), str(ROOT / "tests")])
    return subprocess.run(  # noqa: S603  (our own tests)
        [sys.executable, *arguments],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        timeout=600, check=False,
    )  # fmt: skip
