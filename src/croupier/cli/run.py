"""``croupier run``: carry out commands that a file gives, and keep the log of the table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click

from croupier.cli.files import force_option, output_path, read_files
from croupier.cli.output import command_line, console, fail, format_option, print_json
from croupier.cli.record_options import encoding_asked, encoding_option
from croupier.cli.rules import table_of
from croupier.cli.transcript import print_lines
from croupier.documents import provenance
from croupier.files.errors import MAX_FAULTS, FileError, TornError
from croupier.files.lines import MAX_LINE, blocks_of
from croupier.records.codec import CodecError, decode_command, from_json
from croupier.records.log import LogError, LogWriter
from croupier.records.narration import narrate
from croupier.table.commands import Command
from croupier.table.session import RefusedError, TableSession

__all__ = ["run"]


@click.command()
@click.argument("submission", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("commands", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--log", "log_path", type=output_path, required=True, help="Where the log goes.")
@force_option
@click.option("--cite", is_flag=True, help="Show the clauses behind each line.")
@click.option("--quiet", is_flag=True, help="Print nothing but faults.")
@encoding_option
@format_option
def run(  # noqa: PLR0913  (each is an option of the command)
    submission: Path,
    commands: Path,
    log_path: Path,
    *,
    force: bool,
    cite: bool,
    quiet: bool,
    output_format: str,
) -> None:
    """Carry out the COMMANDS of a JSON Lines file at a table under SUBMISSION.

    One command stands on a line, as croupier help table-log describes. A line that is no command,
    or that the rules refuse, is told with its number and clause; then no log is written at all,
    and the exit status is 2.
    """
    rules = table_of(submission)
    line = 0
    try:
        with LogWriter(
            log_path,
            rules,
            shuffle=f"cards of {commands.name}",
            reads=read_files(),
            replace=force,
        ) as writer:
            session = TableSession(rules, writer)
            if not quiet and output_format == "text":
                out = console()
                session.listeners.append(
                    lambda _, events: print_lines(out, narrate(events, rules.wagers), cite=cite)
                )
            for line, command in _commands(commands, encoding_asked()):  # noqa: B007  (told when it fails)
                session.execute(command)
    except TornError as error:
        fail(f"{commands}: {error}")
    except FileError as error:
        fail(str(error))
    except RefusedError as error:
        fail(f"{commands}:{line}: {error}")
    except LogError as error:
        fail(str(error))
    if output_format == "json":
        print_json(
            {
                **provenance(rules, command_line()),
                "rounds": session.state.rounds,
                "phase": session.state.phase.value,
                "table_win_cents": session.ledger.table_win_cents,
                "ledger_in_balance": session.ledger.in_balance,
                "balances": dict(session.ledger.balances),
                "log": str(log_path),
            }
        )


def _commands(path: Path, encoding: str | None) -> Iterator[tuple[int, Command]]:
    """Yield each command with its line's number.

    Raises ``FileError`` with every line that is not a command, after the commands before them.
    """
    errors: list[str] = []
    for number, line in enumerate(chain.from_iterable(blocks_of(path, encoding)), start=1):
        if not line.strip():
            continue
        try:
            command = _command(line)
        except CodecError as error:
            errors.append(f"{path}:{number}: {error}")
            if len(errors) == MAX_FAULTS:
                break
            continue
        # After the first line that is not a command, the rest is only read.
        if not errors:
            yield number, command
    if errors:
        raise FileError(*errors)


def _command(line: str) -> Command:
    if len(line) > MAX_LINE:
        raise CodecError(f"a line of more than {MAX_LINE:,} characters")
    return decode_command(from_json(line))
