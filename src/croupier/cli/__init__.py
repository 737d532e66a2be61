"""The command line: a thin face on the library.

Exit status: 0 done, 1 what was judged fails (a refusal, a gap, a divergence), 2 wrong use or
input that cannot be read.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Final, NamedTuple

import click

from croupier import __version__

__all__ = ["main"]


class _Command(NamedTuple):
    """Where a command stands, as ``module:attribute``, and the line that tells what it does."""

    target: str
    help: str


_COMMANDS: Final[Mapping[str, _Command]] = {
    "law": _Command(
        "croupier.cli.law:law", "Read the law: its texts, clauses, rules and coverage."
    ),
    "check": _Command("croupier.cli.check:check", "Hold rules submissions against their law."),
    "deal": _Command("croupier.cli.deal:deal", "Deal a table by the book and record it."),
    "run": _Command("croupier.cli.run:run", "Carry out a file of commands at a table."),
    "verify": _Command("croupier.cli.verify:verify", "Judge recorded rounds against their rules."),
    "explain": _Command(
        "croupier.cli.explain:explain", "Tell how a round was decided and paid, and why."
    ),
    "schema": _Command("croupier.cli.schema:schema", "Print the JSON Schema of a format."),
}


class _LazyGroup(click.Group):
    """A group whose commands are imported when they are called, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        target = _COMMANDS[cmd_name].target
        module, _, attribute = target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{target} is no command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # The lines stand in the table above: help need not import what it tells of.
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in _COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="croupier")
def main() -> None:
    """Run regulated table games by the book.

    Every rule set is the text of a regulation as it stood on a date; nothing is claimed about the
    law of today. Exit status: 0 done, 1 what was judged fails, 2 wrong use or unreadable input.
    """
