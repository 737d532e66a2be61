"""On a terminal: long output by the page, plain text for a screen reader, documents to read."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.project import ROOT

PAR: Final = ("par", "--law", "us-nj/minibaccarat@2011-02-22", "--wager", "tie")
SAID: Final = "the pager has it"
PAGER: Final = f"{sys.executable} -c 'import sys; sys.stdin.read(); print(\"{SAID}\")'"


class Shown(NamedTuple):
    """What a terminal of 24 lines by 80 shows of a command, and its status."""

    text: str
    status: int


def shown(*words: str, env: Mapping[str, str] | None = None) -> Shown:
    """Run a command on a terminal of its own."""
    controller, terminal = pty.openpty()
    given = {"TERM": "xterm", "LINES": "24", "COLUMNS": "80", "PAGER": PAGER, **(env or {})}
    with subprocess.Popen(  # noqa: S603  (our own program)
        [sys.executable, "-m", "croupier", *words],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=ROOT,
        env={**os.environ, **given},
    ) as process:
        os.close(terminal)
        text = b""
        while True:
            try:
                part = os.read(controller, 65_536)
            except OSError:  # The other side is closed.
                break
            text += part
            if not part:
                break
    os.close(controller)
    return Shown(text.decode().replace("\r\n", "\n"), process.returncode)


def test_long_output_goes_to_the_pager() -> None:
    assert shown(*PAR) == (f"{SAID}\n", 0)


def test_the_status_of_the_command_is_kept() -> None:
    refused = "docs/examples/refused.toml"
    assert shown("check", refused, refused, refused) == (f"{SAID}\n", 1)


def test_short_output_stays_where_it_is() -> None:
    short = shown("law", "search", "19:47-7.5(e)")
    assert "NJ-MINI:7.5(e)" in short.text
    assert SAID not in short.text


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (("--no-pager", *PAR), {}),
        ((*PAR, "--no-pager"), {}),
        ((*PAR, "--plain"), {}),
        (PAR, {"CROUPIER_PLAIN": "1"}),
        (PAR, {"PAGER": "cat"}),
        (PAR, {"PAGER": ""}),
        (PAR, {"PAGER": "there-is-no-such-program"}),
        (PAR, {"TERM": "dumb"}),
    ],
)
def test_who_wants_no_pager_gets_none(words: tuple[str, ...], env: dict[str, str]) -> None:
    printed = shown(*words, env=env)
    assert printed.status == 0
    assert SAID not in printed.text
    assert "House edge" in printed.text


def test_a_reader_who_has_seen_enough_ends_it_without_an_error() -> None:
    enough = f"{sys.executable} -c 'print(input()[:9])'"
    assert shown("schema", "par", env={"PAGER": enough}) == ("{\n", 0)


def test_a_command_that_goes_on_has_no_pager() -> None:
    words = ("submissions/nj-minibaccarat.toml", "--patrons", "1", "--seed", "1", "--fast")
    dealt = shown("deal", *words)
    assert SAID not in dealt.text
    assert "Round 2" in dealt.text


def test_help_is_paged_too() -> None:
    assert shown("deal", "--help").text == f"{SAID}\n"


@pytest.mark.parametrize(
    "words", [("--plain", *PAR), ("help", "par", "--plain"), ("--plain", "--help")]
)
def test_plain_output_has_no_color(words: tuple[str, ...]) -> None:
    assert "\x1b" not in shown(*words).text


def test_plain_output_has_each_row_on_one_line() -> None:
    words = ("check", "submissions/nj-minibaccarat.toml")
    row = "Wager: Tie; Pays: 8:1; Min bet: $5.00; Max bet: $500.00; Unit: $0.01"
    assert row in shown(*words, "--plain").text.splitlines()
    assert row not in shown(*words, "--no-pager").text
    lines = CliRunner().invoke(main, [*words, "--plain"]).output.splitlines()
    (bonus,) = (line for line in lines if line.startswith("Wager: Player bonus"))
    assert "win by 9: 30:1, win by 8: 10:1" in bonus


def test_the_options_of_the_terminal_are_no_part_of_the_result() -> None:
    words = ["check", "submissions/nj-minibaccarat.toml", "--format", "json"]
    plain = CliRunner().invoke(main, ["--no-pager", *words, "--plain"]).output
    assert plain == CliRunner().invoke(main, words).output


def test_a_document_names_the_commands_that_print_the_others(tmp_path: Path) -> None:
    del tmp_path
    text = " ".join(shown("help", "pit", env={"PAGER": "cat"}).text.split())
    assert "croupier help offices" in text
    assert "](" not in text
    assert "┃" not in text
