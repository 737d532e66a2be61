"""A shell completes commands, options, and the values that only Croupier knows."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.project import ROOT
from support.texts import dated

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(autouse=True)
def _in_a_folder_with_submissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "submissions").symlink_to(ROOT / "submissions")
    (tmp_path / "mapping.toml").write_text("[columns]\n", encoding="utf-8")
    (tmp_path / "mine.toml").write_text("[submission]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def completed(line: str) -> list[str]:
    """Return what the last word of a command line completes to."""
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    result = CliRunner().invoke(
        main, [], prog_name="croupier", env={"_CROUPIER_COMPLETE": "bash_complete", **asked}
    )
    return [one.partition(",")[2] for one in result.output.splitlines()]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("croupier chec", ["check"]),
        ("croupier par --subm", ["--submission"]),
        ("croupier par --law us-nj/minibaccarat@2", [dated("us-nj/minibaccarat")]),
        ("croupier law show us-ny", [dated("us-ny/mini-midi-baccarat")]),
        ("croupier law diff us-ma", [dated("us-ma/minibaccarat")]),
        ("croupier par --wager drag", ["dragon_7"]),
        ("croupier count --wager pan", ["panda_8"]),
        ("croupier help side-bet-", ["side-bet-designer"]),
        ("croupier check submissions/ma-ro", ["submissions/ma-royal-9-to-one.toml", "submissions/ma-royal-9.toml"]),
        ("croupier verify rounds.csv --submission m", ["mine.toml"]),
        ("croupier audit rounds.csv --submission submissions/ma-e", ["submissions/ma-ez.toml"]),
        ("croupier completion z", ["zsh"]),
    ],
    ids=str,
)  # fmt: skip
def test_a_value_is_completed(line: str, values: list[str]) -> None:
    assert completed(line) == values


def test_all_submissions_are_offered_and_no_other_file() -> None:
    found = completed("croupier check ")
    assert "mine.toml" in found
    assert "mapping.toml" not in found
    assert len(found) == 1 + len(list((ROOT / "submissions").glob("*.toml")))


def test_where_there_is_no_submission_any_file_will_do() -> None:
    assert completed("croupier check elsewhere/x") == ["elsewhere/x"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_a_shell_can_be_read_by_it(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell]).output
    assert "_CROUPIER_COMPLETE" in script
    program = shutil.which(shell)
    if program is not None:
        done = subprocess.run(  # noqa: S603  (a shell, which only reads)
            [program, "-n"], input=script, text=True, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes_a_regulation_past_its_date(tmp_path: Path) -> None:
    program = tmp_path / "croupier"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m croupier "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = CliRunner().invoke(main, ["completion", "bash"]).output
    asked = (
        "COMP_WORDS=(croupier par --law us-nj/minibaccarat@2); COMP_CWORD=3\n"
        f'_croupier_completion {program}; echo "${{COMPREPLY[@]}}"; echo "[$COMP_WORDBREAKS]"\n'
    )
    done = subprocess.run(  # noqa: S603  (bash, and a script of our own)
        [shutil.which("bash") or "bash", "--norc", "-c", script + asked],
        capture_output=True,
        text=True,
        check=True,
    )
    completed, breaks = done.stdout.splitlines()[0], done.stdout.partition("[")[2]
    assert completed == dated("us-nj/minibaccarat")
    assert "@" not in breaks


def test_a_value_is_completed_without_anything_heavy() -> None:
    script = (
        "import sys\n"
        "from croupier.cli import main\n"
        "try: main([], prog_name='croupier')\n"
        "finally: print({'numpy', 'numba', 'rich'} & set(sys.modules), file=sys.stderr)"
    )
    env = {
        "COMP_WORDS": "croupier par --law us-n",
        "COMP_CWORD": "3",
        "_CROUPIER_COMPLETE": "bash_complete",
        "PYTHONPATH": ":".join(sys.path),
    }
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
    )
    assert len(done.stdout.splitlines()) > 3
    assert done.stderr.strip() == "set()"
