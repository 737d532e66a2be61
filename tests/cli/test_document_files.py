"""A document goes to a file the same way in every command that prints one: ``-o FILE``."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from support.project import ROOT

SUBMISSION: Final = str(ROOT / "submissions/nj-minibaccarat.toml")
REFUSED: Final = str(ROOT / "docs/examples/refused.toml")
WRONG: Final = str(ROOT / "docs/examples/rounds/wrong.csv")

TRANSCRIPTS: Final = {"deal", "run"}
"""Commands that print a table's play as it goes, and keep it as a log."""

FOLDERS: Final = {"vectors"}
"""Commands whose ``-o`` is a folder."""


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def commands(group: click.Group = main, *names: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command, with its name as it is called."""
    context = click.Context(group)
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name])
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield " ".join((*names, name)), command


def options(command: click.Command) -> set[str]:
    return {word for one in command.params for word in one.opts}


def test_every_command_that_prints_a_document_writes_it_to_a_file_too() -> None:
    printing = {name for name, one in commands() if "--format" in options(one)}
    writing = {name for name, one in commands() if {"-o", "--out", "--force"} <= options(one)}
    assert {"check", "verify", "explain", "simulate", "session", "count", "par compare"} <= writing
    assert printing - TRANSCRIPTS - FOLDERS <= writing


def without_its_command(text: str) -> str:
    """Return a document without the command that makes it again, which names the file."""
    text = re.sub(r"Reproduce with .*", "", " ".join(text.split()))
    return re.sub(r"croupier 0\.1\.0:? ?\S* croupier .*?($| (?=[A-Z]))", "", text)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, ("check", SUBMISSION)),
        (1, ("check", REFUSED)),
        (1, ("verify", WRONG, "--submission", SUBMISSION)),
        (0, ("odds", "--submission", SUBMISSION, "--player", "9h,2c")),
        (0, ("law", "list")),
        (0, ("law", "show", "us-nj/minibaccarat@2011-02-22", "7.5(f)")),
    ],
)
def test_a_file_holds_what_is_printed(tmp_path: Path, status: int, words: tuple[str, ...]) -> None:
    data, text = tmp_path / "document.json", tmp_path / "document.txt"
    for target in (data, text):
        written = run(*words, "-o", target)
        assert (written.exit_code, written.stdout) == (status, "")
    in_file = json.loads(data.read_text(encoding="utf-8"))
    printed = json.loads(run(*words, "--format", "json").stdout)
    assert in_file.pop("reproduce") != printed.pop("reproduce")
    assert in_file == printed
    shown = run(*words)
    assert shown.exit_code == status
    assert without_its_command(text.read_text(encoding="utf-8")) == without_its_command(
        shown.stdout
    )


def test_a_file_is_replaced_only_when_that_is_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "laws.json"
    assert run("law", "list", "-o", target).exit_code == 0
    kept = target.read_bytes()
    refused = run("law", "list", "-o", target)
    assert refused.exit_code == 2
    assert target.read_bytes() == kept
    assert run("law", "list", "--out", target, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("law", "list", "-o", "laws.docx"), "name it .txt, .json"),
        (("law", "list", "--format", "text", "-o", "laws.json"), "the suffix says json"),
        (("law", "coverage", "-o", "laws.docx"), "name it .txt,"),
        (("check", SUBMISSION, "-o", SUBMISSION, "--force"), "name it .txt, .json"),
        (("law", "show", "us-nj/minibaccarat@2011-02-22", "9.9", "-o", "no.txt"), "has no clause"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_and_none_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run(*words)
    assert refused.exit_code == 2
    assert reason in " ".join((refused.stderr or str(refused.exception)).split())
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_named_once_it_is_written_and_a_folder_that_was_missing(tmp_path: Path) -> None:
    new = tmp_path / "nwe"
    out = new / "deep" / "x.json"
    done = run("check", SUBMISSION, "-o", out)
    assert done.exit_code == 0
    assert done.stderr == f"{out}: written; created the folder {new}\n"
    assert run("check", SUBMISSION, "-o", new / "y.json").stderr == f"{new / 'y.json'}: written\n"


@pytest.mark.parametrize(
    "words",
    [
        ("new", "us-nj/minibaccarat@2011-02-22", "-o"),
        ("par", "--submission", SUBMISSION, "-o"),
        ("schema", "par", "-o"),
        ("explain", WRONG, "--submission", SUBMISSION, "--shoe", "1", "--round", "1", "-o"),
    ],
    ids=lambda one: one[0],
)
def test_every_command_names_the_file_that_it_wrote(tmp_path: Path, words: tuple[str, ...]) -> None:
    out = tmp_path / ("x.toml" if words[0] == "new" else "x.json")
    done = run(*words, out)
    assert out.exists(), done.output
    assert f"{out}: written\n" in done.stderr
