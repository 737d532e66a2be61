"""Every command that takes a seed takes the same ones, and refuses others in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import click
import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from support.project import ROOT

TABLE: Final = ROOT / "submissions" / "nj-minibaccarat.toml"
STREAK: Final = ROOT / "submissions" / "nj-blackjack-streak.toml"
SESSION: Final = ("--wager", "player", "--system", "flat", "--unit", 10, "--bankroll", 100)

COMMANDS: Final = {
    "count": ("--submission", TABLE, "--wager", "tie", "--shoes", 1),
    "simulate": ("--submission", TABLE, "--rounds", 10),
    "session": ("--submission", TABLE, *SESSION, "--shoes", 1, "--sessions", 1),
    "deal": (TABLE, "--patrons", 1, "--quiet"),
    "drill mixed": ("--submission", TABLE),
    "drill paper": ("--submission", TABLE),
    "blackjack": ("--submission", STREAK, "--rounds", 1),
    "par blackjack": (STREAK, "--rounds", 1000),
}

REFUSED: Final = {
    str(2**64): "write a number from 0 to 18446744073709551615",
    "-1": "write a number from 0 to 18446744073709551615",
    "0.5": "not an integer",
    "one": "not a number",
}


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def _with_seed(command: click.Command, *path: str) -> Iterator[str]:
    if any(option.name == "seed" for option in command.params):
        yield " ".join(path)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            _, below, _ = command.resolve_command(context, [name])
            assert below is not None
            yield from _with_seed(below, *path, name)


def test_these_are_all_commands_that_take_a_seed() -> None:
    found = {*_with_seed(main)}
    assert found >= COMMANDS.keys()
    # Each kind of drill takes the options of the mixed one.
    assert all(one.startswith("drill ") for one in found - COMMANDS.keys())


@pytest.mark.parametrize("seed", REFUSED)
@pytest.mark.parametrize("command", COMMANDS)
def test_one_range_and_one_message(command: str, seed: str) -> None:
    refused = run(*command.split(), *COMMANDS[command], "--seed", seed)
    assert refused.exit_code == 2
    assert refused.stderr == f"croupier: --seed {seed}: {REFUSED[seed]}\n"


@pytest.mark.parametrize("command", ["count", "simulate", "session"])
def test_the_greatest_seed_plays(command: str) -> None:
    assert run(command, *COMMANDS[command], "--seed", 2**64 - 1).exit_code == 0
