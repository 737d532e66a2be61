"""The command line: a thin face on the library.

What an exit status means stands in ``croupier.files.status``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import click

from croupier import __version__
from croupier.cli.helping import HelpGroup, dress
from croupier.files import streams
from croupier.files.status import WRONG_USE

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
    "audit": _Command(
        "croupier.cli.audit:audit", "Report recorded rounds as a page, a document or data."
    ),
    "blackjack": _Command(
        "croupier.cli.blackjack:blackjack", "Play the streak or bonus wagers of a blackjack table."
    ),
    "par": _Command("croupier.cli.par:par", "Print the PAR sheet of a table, exact and cited."),
    "odds": _Command(
        "croupier.cli.odds:odds", "Tell the exact chances of every wager in mid-round."
    ),
    "count": _Command(
        "croupier.cli.count:count", "Tell how often and how much a card count beats the house."
    ),
    "simulate": _Command(
        "croupier.cli.simulate:simulate", "Play a table's rounds and hold them against its odds."
    ),
    "session": _Command(
        "croupier.cli.session:session", "Tell what becomes of a bankroll under a betting system."
    ),
    "vectors": _Command(
        "croupier.cli.vectors:vectors", "Write what a table must do as data for any language."
    ),
    "key": _Command("croupier.cli.key:key", "Make keys that sign the checkpoints of table logs."),
    "schema": _Command("croupier.cli.schema:schema", "Print the JSON Schema of a format."),
    "samples": _Command("croupier.cli.topics:samples", "Write the sample submissions and records."),
    "help": _Command("croupier.cli.topics:help_topic", "Print a document, or list the topics."),
}


class _LazyGroup(HelpGroup):
    """A group whose commands are imported when they are called, so that each starts fast."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # what click passes on
    ) -> click.Context:
        """Keep the words of the command: every document names how it is made again."""
        words = tuple(args)
        context = super().make_context(info_name, args, parent, **extra)
        context.obj = words
        return context

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command that the arguments name, and exit with its status."""
        called: Any = super().main
        if not extra.pop("standalone_mode", True):
            return called(*args, standalone_mode=False, **extra)

        def program() -> int:
            try:
                status = called(*args, standalone_mode=False, **extra)
            except click.ClickException as error:
                error.show()
                return WRONG_USE
            except click.Abort as error:
                # click's word for an interrupt, which is raised anew.
                raise (error.__cause__ or error) from None
            return status if isinstance(status, int) else 0

        return streams.run(program)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which help shows them."""
        del ctx
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called, imported now."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else _imported(name), rest


def _imported(name: str) -> click.Command:
    target = _COMMANDS[name].target
    module, _, attribute = target.partition(":")
    command = getattr(importlib.import_module(module), attribute)
    if not isinstance(command, click.Command):
        raise TypeError(f"{target} is not a command")
    return dress(command)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="croupier")
def main() -> None:
    """Run regulated table games by the book.

    Every rule set is the text of a regulation as it stood on a date; nothing is claimed about the
    law of today. Exit status: 0 done, 1 what was judged fails, 2 wrong use or unreadable input.
    """


# What help lists: enough of each command for its name to be found, without importing it.
for _name, _command in _COMMANDS.items():
    main.add_command(click.Command(_name, help=_command.help))
