"""The help of every command has examples, which run in the folder of ``croupier samples``."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click
import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.project import ROOT

LINES: Final = (ROOT / "docs" / "examples" / "commands.sh").read_text(encoding="utf-8").splitlines()


class Example(NamedTuple):
    """A call, the command that it is of, its status, and what it needs beyond the samples."""

    call: str
    words: tuple[str, ...]
    status: int
    needs: str

    @property
    def arguments(self) -> list[str]:
        return shlex.split(self.call)[1:]


def commands(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of each command that does something by itself."""
    if not isinstance(command, click.Group) or (words and command.invoke_without_command):
        yield words
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            _, below, _ = command.resolve_command(context, [name])
            assert below is not None
            yield from commands(below, (*words, name))


COMMANDS: Final = [*commands(main)]


def command_of(call: Sequence[str]) -> tuple[str, ...]:
    return max((one for one in COMMANDS if tuple(call[: len(one)]) == one), key=len)


def examples() -> Iterator[Example]:
    for line in LINES:
        if line.startswith("croupier "):
            call, _, note = line.partition("  # ")
            status = 1 if note.startswith("exit status 1: ") else 0
            assert status or not note or note.startswith("needs "), line
            needs = "" if status else note
            yield Example(call, command_of(shlex.split(call)[1:]), status, needs)


EXAMPLES: Final = [*examples()]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_help_of_a_command_has_its_examples(words: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(main, [*words, "--help"], prog_name="croupier").output
    (page,) = shown.split("\nExamples:\n")[1:]
    own = [one.call for one in EXAMPLES if one.words == words]
    assert own
    text = " ".join(page.split())
    assert all(" ".join(one.split()) in text for one in own)
    # And none of another command, nor of one below it.
    assert text.count("croupier ") == sum(one.count("croupier ") for one in own)


def test_every_line_is_a_call_of_a_command_or_a_comment() -> None:
    assert {one.words for one in EXAMPLES} == {*COMMANDS}
    assert all(one.startswith(("croupier ", "#")) for one in LINES if one)


def test_the_examples_run_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for one in EXAMPLES:
        if not one.needs:
            result = CliRunner().invoke(main, one.arguments, prog_name="croupier")
            assert result.exit_code == one.status, (one.call, result.output)


@pytest.mark.parametrize("one", [one for one in EXAMPLES if one.needs], ids=lambda one: one.call)
def test_an_example_that_needs_more_is_understood(
    one: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "laws").mkdir()
    for name in one.arguments:
        if Path(name).suffix in {".toml", ".jsonl", ".croupierlaw", ".pub", ".key", ".names"}:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
    command: click.Command = main
    for word in one.words:
        assert isinstance(command, click.Group)
        _, below, _ = command.resolve_command(click.Context(command), [word])
        assert below is not None
        command = below
    # Raises an error of usage for an unknown option, a missing argument, or a wrong value.
    with command.make_context(one.words[-1], one.arguments[len(one.words) :]):
        pass
