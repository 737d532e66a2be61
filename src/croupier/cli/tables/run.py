"""``croupier run``: carry out commands from a file or a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import click

from croupier.acts import Command
from croupier.cli.common.files import InputFile, force_option, input_file, read_files
from croupier.cli.common.output import (
    command_line,
    console,
    format_option,
    print_json,
    print_json_line,
)
from croupier.cli.records.logs import continues_option, log_option, resume_option, table_log
from croupier.cli.records.record_options import (
    encoding_asked,
    encoding_option,
    names_of,
    names_option,
    table_option,
    with_law_option,
)
from croupier.cli.submission.rules import own_option, table_of, with_own
from croupier.cli.tables.transcript import print_lines
from croupier.files.errors import FileError, TornError
from croupier.files.lines import MAX_LINE, blocks_of
from croupier.files.pipes import MAX_PIPE_BYTES
from croupier.files.streams import WRONG_USE, say
from croupier.files.text import BROKEN, KEPT_BYTES, JsonError, broken_byte, decompressed
from croupier.law.standing import cited_note, standings
from croupier.law.usage import counted
from croupier.records.codec import CodecError, decode_command, given_json
from croupier.records.header import LogError
from croupier.records.names import NameRefusedError, Names
from croupier.records.narration import narrate
from croupier.rules.documents import provenance
from croupier.table.machine.core import Refusal
from croupier.table.machine.session import RefusedError, TableSession

if TYPE_CHECKING:
    from croupier.cli.common.documents import RunSummary
    from croupier.records.documents import RefusalWritten

_PIPE = Path("-")

_LISTED: Final = 10
"""Maximum number of lines shown that are no commands."""


@click.command()
@click.argument("submission", type=input_file)
@click.argument("commands", type=InputFile(limit=MAX_PIPE_BYTES, is_live=True))
@own_option
@log_option
@table_option
@with_law_option
@names_option
@resume_option
@continues_option
@force_option
@click.option("--cite", is_flag=True, help="Show the clauses behind each line.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@encoding_option
@format_option
def run(  # noqa: PLR0913  (each is an option of the command)
    submission: Path,
    commands: Path,
    own: tuple[Path, ...],
    log_path: Path | None,
    *,
    resume_path: Path | None,
    continues: Path | None,
    force: bool,
    cite: bool,
    quiet: bool,
    output_format: str,
) -> None:
    """Run COMMANDS, a JSON Lines file, at a table under SUBMISSION.

    Each line has one command, as croupier help table-log describes. If a line is not a command, or
    the rules refuse it, the error names its line and clause, no command of the file takes effect,
    and the exit status is 2.

    If COMMANDS is -, commands are read from standard input as they come. Each is recorded before it
    is answered. A refused command changes nothing: the table continues, and the final exit status
    is 2. With --format json every answer is one line of JSON; see croupier schema run-answer.

    The log stays open until the table is closed: --resume continues it, and verify checks it up to
    its last entry. --continues begins the log of the next gaming day.
    """
    rules = with_own(table_of(submission), own, dealt=True)
    shuffle = f"cards of {'standard input' if commands == _PIPE else commands.name}"
    with table_log(
        rules, log_path, resume_path,
        shuffle=shuffle, reads=read_files(), replace=force, continues=continues,
    ) as table:  # fmt: skip
        session, names = table.session, names_of(table.path)
        if not quiet and output_format == "text":
            out = console()
            law = rules.law if cite else None
            session.listeners.append(
                lambda _, events: print_lines(out, narrate(events, rules.wagers), law)
            )
        if commands == _PIPE:
            typed_commands = _typed(encoding_asked())
            has_refusal = _answer(session, typed_commands, names, as_json=output_format == "json")
        else:
            has_refusal = False
            _carry_out(session, commands, names)
    if output_format == "json" and commands != _PIPE:
        document: RunSummary = {
            "format": "croupier-run/1",
            **provenance(rules, command_line()),
            "rounds": session.state.rounds,
            "phase": session.state.phase.value,
            "table_win_cents": session.ledger.table_win_cents - table.won_before_cents,
            "ledger_in_balance": session.ledger.in_balance,
            "balances": dict(session.ledger.balances),
            "head": table.recorder.head,
            "log": str(table.path),
        }
        print_json(document)
    if has_refusal:
        sys.exit(WRONG_USE)


def _carry_out(session: TableSession, path: Path, names: Names | None) -> None:
    line = 0
    try:
        with session.together():
            for line, command in _commands(path, encoding_asked(), names):  # noqa: B007  (named below)
                session.execute(command)
    except TornError as error:
        raise LogError(f"{path}: {error}") from error
    except FileError as error:
        raise LogError(str(error)) from error
    except RefusedError as error:
        raise LogError(f"{path}:{line}: {error}") from error


def _typed(encoding: str | None) -> Iterator[str]:
    if sys.stdin is None:
        raise LogError("standard input: it is closed; redirect a file or a pipe into it")
    try:
        source = decompressed(cast("io.BufferedReader", sys.stdin.buffer))
        yield from io.TextIOWrapper(source, encoding or "utf-8-sig", KEPT_BYTES)
    except BROKEN as error:
        raise LogError(f"standard input: cannot be read: {error}") from error


def _answer(
    session: TableSession, source: Iterable[str], names: Names | None, *, as_json: bool
) -> bool:
    has_refusal = False
    law = session.rules.law
    for number, line in enumerate(source, start=1):
        if not line.strip():
            continue
        try:
            answer = session.try_execute(_command(line, names))
        except CodecError as error:
            has_refusal = True
            if as_json:
                print_json_line({"line": number, "error": str(error)})
            else:
                say(f"line {number}: {error}")
            continue
        if isinstance(answer, Refusal):
            has_refusal = True
            if as_json:
                refusal: RefusalWritten = {
                    "code": answer.code,
                    "clauses": list(answer.clauses),
                    "standings": standings(law, answer.clauses),
                    "message": answer.message,
                }
                print_json_line({"line": number, "refused": refusal})
            else:
                notes = (cited_note(law, clause) for clause in answer.clauses)
                citation = f" [{', '.join(notes)}]" if answer.clauses else ""
                say(f"line {number}: {answer.message}{citation}")
        elif as_json:
            entry, events = session.position.sequence, [event.to_dict() for event in answer]
            print_json_line({"line": number, "entry": entry, "events": events})
    return has_refusal


def _commands(
    path: Path, encoding: str | None, names: Names | None
) -> Iterator[tuple[int, Command]]:
    # FileError has every line that is not a command, and comes after the commands before them.
    errors: list[str] = []
    unlisted_count = 0
    for number, line in enumerate(chain.from_iterable(blocks_of(path, encoding)), start=1):
        if not line.strip():
            continue
        try:
            command = _command(line, names)
        except CodecError as error:
            if len(errors) < _LISTED:
                errors.append(f"{path}:{number}: {error}")
            else:
                unlisted_count += 1
            continue
        # After the first line that is not a command, the rest is only read.
        if not errors:
            yield number, command
    if errors:
        more = counted(unlisted_count, "more line is no command", "more lines are no commands")
        raise FileError(*errors, *[f"{path}: {more}"] * bool(unlisted_count))


def _command(line: str, names: Names | None) -> Command:
    if len(line) > MAX_LINE:
        raise CodecError(f"a line of more than {MAX_LINE:,} characters")
    if not line.isascii() and (fault := broken_byte(line)):
        raise CodecError(fault)
    try:
        data = given_json(line)
        return decode_command(data if names is None else names.tokens(data))
    except (JsonError, NameRefusedError) as error:
        raise CodecError(str(error)) from error
