"""The version contains the build, so that a record shows which program made it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from croupier.files.version import __version__, program_version
from support.command_line import told_with
from support.forged_logs import play, read
from support.project import ROOT


def test_records_and_documents_name_the_build(tmp_path: Path) -> None:
    version, plus, build = program_version().partition("+")
    assert (version, plus, len(build)) == (__version__, "+", 12)
    assert told_with(0, "--version").stdout == f"croupier, version {program_version()}\n"
    path = tmp_path / "log.jsonl"
    play(path, rounds=1)
    assert read(path.read_bytes())[0]["version"] == program_version()


def build_of(package: Path) -> str:
    code = "from croupier.files.version import program_version; print(program_version())"
    words = [
        sys.executable,
        "-S",
        "-c",
        f"import sys; sys.path.insert(0, {str(package.parent)!r}); {code}",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout.strip()


def test_a_change_of_any_module_is_another_build(tmp_path: Path) -> None:
    package = tmp_path / "croupier"
    copied = shutil.ignore_patterns("*.toml", "__pycache__", "shipped")
    shutil.copytree(ROOT / "src" / "croupier", package, ignore=copied)
    same = build_of(package)
    assert same == program_version()
    settlement = package / "money" / "settlement.py"
    settlement.write_bytes(settlement.read_bytes() + b"\n")
    changed = build_of(package)
    assert changed != same
    settlement.rename(package / "money" / "another.py")
    assert build_of(package) not in {same, changed}
    (package / "shipped").mkdir()
    (package / "shipped" / "build").write_text("0123456789ab")
    assert build_of(package) == f"{__version__}+0123456789ab"
