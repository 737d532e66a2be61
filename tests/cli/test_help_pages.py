"""Help fits the terminal, is in color on one alone, and a mistyped command gets a suggestion."""

import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.cli.common.topics import _ALIASES
from croupier.files import shipped
from support.command_line_document import commands
from support.project import ROOT


def command_lines() -> Iterator[tuple[str, ...]]:
    """Every command, and every command below one."""
    yield ()
    context = click.Context(main)
    for name in main.list_commands(context):
        yield (name,)
        _, command, _ = main.resolve_command(context, [name])
        below = command.commands if isinstance(command, click.Group) else ()
        yield from ((name, one) for one in below)


@pytest.mark.parametrize("columns", [40, 59, 60, 80, 200])
def test_every_help_page_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in command_lines():
        page = CliRunner().invoke(main, [*arguments, "--help"], prog_name="croupier").output
        assert max(map(len, page.splitlines())) <= min(columns, 80), arguments


def test_the_page_of_every_command_has_its_exit_status() -> None:
    for arguments in command_lines():
        page = CliRunner().invoke(main, [*arguments, "--help"]).output
        if "COMMAND [ARGS]" not in page:
            assert "exit status" in " ".join(page.lower().split()), arguments


def test_a_topic_that_is_named_says_what_it_is_named_for() -> None:
    topics, found = shipped.topics(), dict[str, set[str]]()
    for _, command in commands():
        options = (one.help for one in command.params if isinstance(one, click.Option))
        for text in (command.help, *options):
            for sentence in re.split(r"(?<=\.)\s", " ".join((text or "").split())):
                for topic in re.findall(r"croupier help ([a-z][\w-]*)", sentence):
                    found.setdefault(topic, set()).update(
                        re.findall(r"\[\w+\]|\w+\.toml|\w+_\w+|\brevoked\b", sentence)
                    )
    assert found["record-bytes"] == {"valid_from", "valid_until", "revoked"}
    assert found["service"] == {"[serve]", "croupier.toml"}
    for topic, names in found.items():
        assert topic in topics, topic
        assert [name for name in names if name not in topics[topic]] == [], topic


def test_every_topic_that_the_program_names_exists() -> None:
    topics = {*shipped.topics(), *_ALIASES}
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        named = re.findall(r"croupier help ([a-z][\w-]*)|`?docs/([\w-]+)\.md", text)
        for topic in (one or other for one, other in named):
            assert topic in topics | {"traceability"}, (path, topic)


def test_a_narrow_page_leaves_no_word_of_a_wide_one_out(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = []
    for columns in ("40", "80"):
        monkeypatch.setenv("COLUMNS", columns)
        pages.append(CliRunner().invoke(main, ["--help"]).output.split())
    assert pages[0] == pages[1]


@pytest.mark.parametrize("arguments", [("--help",), ("law", "--help"), ("check", "--help")])
def test_help_is_in_color_on_a_terminal_alone(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    colored = CliRunner().invoke(main, arguments, color=True).output
    plain = CliRunner().invoke(main, arguments).output
    assert "\x1b[" in colored
    assert "\x1b[" not in plain
    assert click.unstyle(colored) == plain


def test_who_wants_no_color_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in CliRunner().invoke(main, ["--help"], color=True).output


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [(("chek",), "check"), (("simulat",), "simulate"), (("law", "shw"), "show")],
)
def test_a_mistyped_command_gets_a_suggestion(arguments: tuple[str, ...], meant: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Did you mean" in result.stderr
    assert f"'{meant}'" in result.stderr
