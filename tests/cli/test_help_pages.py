"""Help fits the terminal, is in color on one alone, and a mistyped command gets a suggestion."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from croupier.cli import main


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
