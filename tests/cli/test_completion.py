"""A shell completes commands, options, and the values that only Croupier knows."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.project import ROOT
from support.texts import dated
from support.volume import WHOLE

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


def program_in(folder: Path) -> Path:
    """Put the program into a folder under its name, as it is installed."""
    program = folder / "croupier"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m croupier "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return program


def shell(name: str, folder: Path, script: str) -> str:
    """Run a script in a shell whose completion is set up, and return what it prints."""
    given = CliRunner().invoke(main, ["completion", name]).output
    program_in(folder)
    bare = {"bash": "--norc", "zsh": "-f", "fish": "--no-config"}[name]
    done = subprocess.run(  # noqa: S603  (a shell, and a script of our own)
        [shutil.which(name) or name, bare, "-c", f"{ABOVE[name]}{given}\n{script}"],
        env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


ABOVE: Final = {
    "bash": "",
    # What compinit and the line editor define, as far as the script uses them.
    "zsh": "compdef() { : }; compadd() { shift $(( $# - 1 )); print -l -- ${(P)1:-$1} }\n"
    "_describe() { print -l -- ${(P)3} }; compstate=(); _path_files() { print FILES }\n",
    "fish": "",
}
ASKED: Final = {
    "bash": "COMP_WORDS=({words}); COMP_CWORD={last}; _croupier_completion croupier;"
    ' printf "%s\\n" "${{COMPREPLY[@]}}"',
    "zsh": "words=({words}); CURRENT=$(( {last} + 1 )); compstate=(); _croupier_completion",
    "fish": "complete -C '{words}'",
}


def needs(name: str) -> pytest.MarkDecorator:
    """Skip without a shell, but never where the whole is checked."""
    missing = shutil.which(name) is None and not WHOLE
    return pytest.mark.skipif(missing, reason=f"no {name}")


@pytest.mark.parametrize("name", [pytest.param(one, marks=needs(one)) for one in SHELLS])
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("croupier chec", "check"),
        ("croupier completion z", "zsh"),
        ("croupier par --subm", "--submission"),
        ("croupier par --law us-nj/minibaccarat@2", dated("us-nj/minibaccarat")),
        ("croupier help side-bet-", "side-bet-designer"),
        ("croupier check submissions/ma-e", "submissions/ma-ez.toml"),
    ],
)
def test_a_shell_completes_what_is_typed(
    name: str, line: str, expected: str, tmp_path: Path
) -> None:
    asked = ASKED[name].format(words=line, last=line.count(" "))
    found = [re.split(r"[:\t]", one)[0] for one in shell(name, tmp_path, asked).splitlines()]
    assert expected in found
    assert all(one.startswith(line.rsplit(maxsplit=1)[-1]) for one in found if one)


@needs("bash")
def test_bash_takes_a_date_as_a_part_of_a_word(tmp_path: Path) -> None:
    assert "@" not in shell("bash", tmp_path, 'echo "$COMP_WORDBREAKS"')


@needs("zsh")
def test_zsh_completes_at_the_keyboard(tmp_path: Path) -> None:
    """Type into the line editor of an interactive shell, as a person does."""
    program_in(tmp_path)
    script = tmp_path / "script"
    script.write_text(CliRunner().invoke(main, ["completion", "zsh"]).output)
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(PATH=f"{tmp_path}:{os.environ['PATH']}", HOME=str(tmp_path), TERM="dumb")
        os.execvp("zsh", ["zsh", "-f", "-i"])  # noqa: S606, S607  (the shell itself)
    try:
        setup = (
            f"PS1=ready; autoload -U compinit; compinit -u -D; source {script}; print -r SE''T\n"
        )
        os.write(terminal, setup.encode())
        typed(terminal, "SET")
        os.write(terminal, b"croupier completion z\t")
        typed(terminal, "zsh")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def typed(terminal: int, text: str) -> None:
    """Wait until a terminal shows a text."""
    shown, until = "", time.monotonic() + 60
    while text not in shown:
        assert time.monotonic() < until, shown
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")


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
