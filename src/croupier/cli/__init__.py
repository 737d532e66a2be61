"""The command line: a thin layer over the library."""

from __future__ import annotations

import importlib
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import pairwise
from typing import Any, Final

import click

from croupier.cli.common.helping import HelpGroup, dress
from croupier.cli.common.terminal import global_options, paged, pages
from croupier.files import streams
from croupier.files.streams import (
    WRONG_USE,
    StoppedError,
    signals_default,
    signals_exit,
    signals_raised,
)
from croupier.files.version import program_version

__all__ = ["main"]

_COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "law": ("law", "Browse the regulations: versions, clauses, rules, and coverage."),
    "new": ("submission.new", "Write a commented rules submission."),
    "check": ("submission.check", "Check rules submissions against their regulation."),
    "layout": ("submission.layout", "Show a table's layout: seats, areas, what they pay."),
    "submission": (
        "submission.differences:submission",
        "Compare rules submissions, and list the notices that a change requires.",
    ),
    "deal": ("tables.deal", "Deal a table under its rules, record it, and verify the log."),
    "run": ("tables.run", "Run a file of commands at a table."),
    "table": ("tables.table", "Sit at a table in the terminal, line by line."),
    "serve": ("tables.serve", "Serve live tables over HTTP, durable and by office."),
    "grant": ("tables.grant", "Make a one-time link to an office of a running service."),
    "drill": ("drills.drill", "Drill dealers: questions under a table's own rules."),
    "store": ("tables.store", "Copy, restore, and check the store of a service."),
    "verify": ("records.verify", "Verify recorded rounds against their rules."),
    "explain": ("records.explain", "Explain how a round was decided and paid, with clauses."),
    "replay": ("records.replay", "Make a page that goes through a table log, entry by entry."),
    "ledger": ("records.ledger", "Show the accounts of a table log: win, drop, hold, fills."),
    "rounds": (
        "records.found_rounds:rounds",
        "Find rounds by time, seat, patron, wager, amount, or card.",
    ),
    "irregularities": (
        "records.found_rounds:irregularities",
        "Count what went wrong, per thousand rounds.",
    ),
    "decks": ("records.decks", "Follow each set of decks over tables and gaming days."),
    "export": ("records.export", "Write table logs as Parquet, CSV, SQLite, or DuckDB tables."),
    "draw": ("records.draw", "Prove the must-hit draws of a table log."),
    "map": ("records.map:map_record", "Propose a mapping for external rounds, and show some."),
    "audit": ("records.audit", "Report on recorded rounds as HTML, PDF, text, or data."),
    "blackjack": ("analysis.blackjack", "Play the streak or bonus wagers of a blackjack table."),
    "par": (
        "analysis.par",
        "Print the PAR sheet of a table: exact house edge and volatility, with citations.",
    ),
    "odds": ("analysis.odds", "Calculate the exact mid-round odds of every wager."),
    "count": ("analysis.count", "Measure how often and by how much a card count beats the house."),
    "design": ("analysis.design", "Sweep the pay tables of a custom wager to a wanted edge."),
    "simulate": (
        "analysis.simulate",
        "Simulate a table's rounds and compare them with the exact odds.",
    ),
    "session": ("analysis.session", "Simulate a bankroll under a betting system (risk of ruin)."),
    "vectors": ("analysis.vectors", "Write conformance test vectors for any language."),
    "key": ("records.keys:key", "Make keys that sign checkpoints of table logs, or seal a vault."),
    "names": ("records.keys:names", "Keep and erase the names of patrons."),
    "schema": ("common.schema", "Print the JSON Schema of a format."),
    "samples": ("common.topics:samples", "Write the sample submissions and records."),
    "help": (
        "common.topics:help_topic",
        "Print a document, list the topics, or search everything.",
    ),
    "doctor": ("common.doctor", "Examine this installation, and advise what to do."),
    "completion": ("common.completing:completion", "Print the completion script of a shell."),
}
"""The module of each command, with its function if that has another name, and a summary."""


class _LazyGroup(HelpGroup):
    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # what click passes on
    ) -> click.Context:
        """Keep the arguments: every document records them."""
        words = tuple(args)
        context = super().make_context(info_name, args, parent, **extra)
        context.obj = words
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """Keep a signal from click, which writes an empty line to end that of a typed ``^C``."""
        try:
            with signals_raised():
                return super().invoke(ctx)
        except StoppedError as stopped_error:
            if stopped_error.number == signal.SIGINT and sys.stderr.isatty():
                raise
            raise click.Abort from stopped_error
        except Exception as error:
            from croupier.cli.common.output import report  # noqa: PLC0415  (a help page needs none)

            report(error)
            raise

    def main(self, *args: Any, **options: Any) -> Any:
        run_main: Any = super().main
        if not options.pop("standalone_mode", True):
            return run_main(*args, standalone_mode=False, **options)

        arguments = options["args"] if "args" in options else args[0] if args else None
        words = sys.argv[1:] if arguments is None else list(arguments)

        def program() -> int:
            try:
                # Before the command and after it, click would write an empty line.
                with paged() if pages(words) else nullcontext(), signals_exit():
                    status = run_main(*args, standalone_mode=False, **options)
            except click.ClickException as error:
                _advised(error, words).show()
                return WRONG_USE
            except ValueError as error:
                # An option of the program itself, such as --laws, comes before any command.
                from croupier.cli.common.output import report  # noqa: PLC0415  (as above)

                report(error)
                raise
            except click.Abort as error:
                # click's exception for an interrupt; raise the interrupt itself.
                raise (error.__cause__ or error) from None
            return status if isinstance(status, int) else 0

        return streams.run(program)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, other_words = super().resolve_command(ctx, args)
        if name is not None:
            with signals_default():
                command = _imported(name)
        return name, command, other_words


def _imported(name: str) -> click.Command:
    target, _ = _COMMANDS[name]
    module, _, attribute = target.partition(":")
    imported_module = importlib.import_module(f"croupier.cli.{module}")
    command = getattr(imported_module, attribute or module.rpartition(".")[2])
    if not isinstance(command, click.Command):
        raise TypeError(f"{target} is not a command")
    return dress(command)


def _advised(error: click.ClickException, words: Sequence[str]) -> click.ClickException:
    """Name the option for a rules submission, given without it or asked for as a law."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    # What follows an option is its own file.
    files = (word for before, word in pairwise(("", *words)) if before[:1] != "-")
    file = next((word for word in files if word.endswith(".toml") and word in error.message), "")
    is_law = isinstance(error, click.NoSuchOption) and error.option_name in {"--law", "--as-of"}
    if context is None or not (file or is_law):
        return error
    command = context.command
    commands: list[click.Command | None] = [command]
    if isinstance(command, click.Group):
        commands += [command.get_command(context, name) for name in command.list_commands(context)]
    params = [param for one in commands if one is not None for param in one.params]
    if not any("--submission" in param.opts for param in params):
        return error
    how = f"name a rules submission with --submission {file or 'FILE; croupier new writes one'}"
    return click.UsageError(f"{error.message.rstrip('.')}: {how}", context)


def _version(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001  (as click calls it)
    del parameter
    if value:
        streams.echo(f"croupier, version {program_version()}")
        context.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version with its build and exit.",
)
def main() -> None:
    """Run regulated table games by the book.

    Each rule set is a regulation as of a stated date; Croupier makes no claim about current law.
    Exit status: 0 success, 1 check failed, 2 usage error or unreadable input.
    """


main.params += global_options(is_hidden=False)

# Placeholders: help lists each command without importing it.
for _name, (_, _summary) in _COMMANDS.items():
    main.add_command(click.Command(_name, help=_summary))
