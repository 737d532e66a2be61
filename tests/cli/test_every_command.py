"""What holds for every command: streams of any kind, signals, and files that are not to be touched."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from support.every_command import COMMANDS, OUTPUTS, furnish, tried
from support.project import ROOT

every_output = pytest.mark.parametrize("name", OUTPUTS)

SIGNALLED: Final = {"SIGINT": 130, "SIGTERM": 143}


# One process plays a scenario for all commands, and one test looks at what came of each of them: a
# test for each command would have every worker play the scenario anew.
def came_of(scenario: str) -> dict[str, dict[str, Any]]:
    """Return what came of every command in a scenario."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(  # noqa: S603  (our own words)
            [sys.executable, "-m", "support.every_command", folder, scenario],
            env=os.environ | {"PYTHONPATH": str(ROOT / "tests"), "COLUMNS": "80"},
            capture_output=True,
            check=True,
        )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    assert [*found] == tried(scenario)
    assert {name for name, one in found.items() if "Traceback" in one["errors"]} == set()
    return found


def printing(found: dict[str, dict[str, Any]]) -> list[str]:
    """Return the commands that print: one that is refused does not, and ends before a signal."""
    return [name for name in found if COMMANDS[name][1] != 2]


def statuses_of(found: dict[str, dict[str, Any]], status: int) -> dict[str, int]:
    return dict.fromkeys(found, 2) | dict.fromkeys(printing(found), status)


def statuses(found: dict[str, dict[str, Any]]) -> dict[str, int]:
    return {name: one["status"] for name, one in found.items()}


def test_every_command_is_in_the_table() -> None:
    assert set(main.commands) == {words[0] for words, _ in COMMANDS.values()} - {"--help"}


def test_a_terminal_without_unicode_shows_everything_in_its_own_characters() -> None:
    found = came_of("ascii")
    assert statuses(found) == {name: COMMANDS[name][1] for name in found}
    assert {name for name, one in found.items() if not one["printed"].isascii()} == set()
    for name, one in found.items():
        if COMMANDS[name][0][-1] == "json":
            json.loads(one["printed"])
        else:
            # A quote is a quote.
            assert "\\u201" not in one["printed"], name


def test_a_full_disk_is_one_line_and_status_two() -> None:
    found = came_of("full")
    assert set(statuses(found).values()) == {2}
    assert {name: found[name]["errors"].splitlines()[-1] for name in printing(found)} == (
        dict.fromkeys(
            printing(found),
            "croupier: standard output cannot be written: No space left on device",
        )
    )
    assert found["deal"]["left"] == []


def test_a_closed_pipe_ends_a_command_quietly() -> None:
    found = came_of("closed")
    assert statuses(found) == statuses_of(found, 141)
    assert {name for name in printing(found) if "croupier:" in found[name]["errors"]} == set()
    assert found["deal"]["left"] == []


@pytest.mark.parametrize("signal", SIGNALLED)
def test_a_signal_ends_a_command_with_its_own_status(signal: str) -> None:
    found = came_of(signal)
    assert statuses(found) == statuses_of(found, SIGNALLED[signal])
    left = {name: one["left"] for name, one in found.items()}
    assert not [
        one for these in left.values() for one in these if "partial" in one or one[0] == "."
    ]
    assert left["deal"] == []


# --- files -------------------------------------------------------------------------------------


def write_to(name: str, target: Path, *more: str) -> Result:
    """Call a command with a file to write, in the folder that is furnished for it."""
    words = [*OUTPUTS[name][0], str(target), *more]
    return CliRunner().invoke(main, words, env={"COLUMNS": "100"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    furnish(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    """Return what a folder holds, without following links."""
    return {
        path.name: str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        for path in folder.iterdir()
    }


@pytest.mark.parametrize("force", [(), ("--force",)])
@every_output
def test_a_symlink_is_never_written_through(
    name: str, folder: Path, force: tuple[str, ...]
) -> None:
    (folder / "victim").write_bytes(b"victim")
    target = folder / f"new.{OUTPUTS[name][1]}"
    target.symlink_to(folder / "victim")
    before = contents(folder)
    refused = write_to(name, target, *force)
    assert (refused.exit_code, contents(folder)) == (2, before)
    assert "it is a symlink" in refused.stderr


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("link", [os.link, os.symlink])
@every_output
def test_a_file_that_a_command_reads_is_never_written_over(
    name: str, folder: Path, link: Callable[[Path, Path], None], force: tuple[str, ...]
) -> None:
    read, target = folder / OUTPUTS[name][2], folder / f"new.{OUTPUTS[name][1]}"
    link(read, target)
    before = contents(folder)
    refused = write_to(name, target, *force)
    assert (refused.exit_code, contents(folder)) == (2, before)
    assert ("this command reads that file" if link is os.link else "symlink") in refused.stderr
    assert write_to(name, read, *force).exit_code == 2
    assert contents(folder) == before


@every_output
def test_a_file_that_is_there_is_kept_unless_force_is_given(name: str, folder: Path) -> None:
    target = folder / f"new.{OUTPUTS[name][1]}"
    target.write_bytes(b"precious")
    before = contents(folder)
    refused = write_to(name, target)
    assert (refused.exit_code, contents(folder)) == (2, before)
    assert "the file exists; use --force to replace it" in refused.stderr


@every_output
def test_a_target_that_cannot_be_written_is_refused(name: str, folder: Path) -> None:
    before = contents(folder)
    refused = write_to(name, folder / "table.toml" / f"new.{OUTPUTS[name][1]}")
    assert (refused.exit_code, contents(folder)) == (2, before)
    assert "table.toml is not a folder" in refused.stderr


@pytest.mark.parametrize("name", [name for name in OUTPUTS if "log" not in name])
def test_a_suffix_that_is_no_format_of_the_file_is_refused(name: str, folder: Path) -> None:
    before = contents(folder)
    suffix = "parquet" if "repair" in name else "xyz"
    refused = write_to(name, folder / f"new.{suffix}")
    assert (refused.exit_code, contents(folder)) == (2, before)


@pytest.mark.parametrize("name", ["par -o", "audit -o"])
def test_a_format_that_the_suffix_contradicts_is_refused(name: str, folder: Path) -> None:
    refused = write_to(name, folder / "new.json", "--format", "html")
    assert refused.exit_code == 2
    assert "the suffix says json, but --format says html" in refused.stderr
    assert not (folder / "new.json").exists()


@pytest.mark.parametrize(
    ("suffix", "start"),
    [("txt", b"PAR sheet"), ("json", b"{"), ("csv", b"part,"), ("xlsx", b"PK"), ("pdf", b"%PDF-")],
)
def test_a_sheet_is_what_its_suffix_says(suffix: str, start: bytes, folder: Path) -> None:
    assert write_to("par -o", folder / "deep" / f"new.{suffix}").exit_code == 0
    assert (folder / "deep" / f"new.{suffix}").read_bytes().startswith(start)


# --- logs --------------------------------------------------------------------------------------


def test_of_two_tables_that_write_one_log_one_is_refused_before_it_writes(folder: Path) -> None:
    words = [sys.executable, "-m", "croupier", "deal", "table.toml", "--log", "same.jsonl"]
    words += ["--shoes", "3", "--quiet", "--seed"]
    dealt = [
        subprocess.Popen([*words, seed], stderr=subprocess.PIPE)  # noqa: S603  (our own words)
        for seed in "12"
    ]
    errors = [one.communicate()[1].decode() for one in dealt]
    assert sorted(one.returncode for one in dealt) == [0, 2]
    assert "same.jsonl" in "".join(errors)
    assert CliRunner().invoke(main, ["verify", "same.jsonl"]).exit_code == 0
    assert not (folder / "same.jsonl.partial").exists()


def test_what_a_crash_left_is_kept_unless_force_is_given(folder: Path) -> None:
    # A log stands under its own name from its first entry on.
    leftover = folder / "new.jsonl"
    leftover.write_bytes(b"evidence")
    refused = write_to("deal --log", leftover)
    assert (refused.exit_code, leftover.read_bytes()) == (2, b"evidence")
    assert write_to("deal --log", leftover, "--force").exit_code == 0
    assert leftover.read_bytes() != b"evidence"
    leftover.unlink()
    leftover.symlink_to(folder / "table.toml")
    before = (folder / "table.toml").read_bytes()
    for force in ((), ("--force",)):
        assert write_to("deal --log", leftover, *force).exit_code == 2
    assert leftover.is_symlink()
    assert (folder / "table.toml").read_bytes() == before


def test_a_log_that_is_named_as_compressed_is_refused(folder: Path) -> None:
    refused = write_to("deal --log", folder / "new.jsonl.gz")
    assert refused.exit_code == 2
    assert "a log is written uncompressed" in refused.stderr


def test_the_module_runs_as_the_command_does() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "--version"], capture_output=True, check=True
    )
    assert done.stdout.startswith(b"croupier, version ")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("chek", "check"), ("verfy", "verify"), ("simulat", "simulate"), ("pars", "par")],
)
def test_a_mistyped_command_is_told_what_was_meant(typed: str, meant: str) -> None:
    refused = CliRunner().invoke(main, [typed])
    assert refused.exit_code == 2
    assert f"'{meant}'" in refused.stderr
