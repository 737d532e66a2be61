"""``croupier explain``: describe one round in words, with its clauses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from croupier.cli.files import document_options
from croupier.cli.output import command_line, console, fail, headline, print_json
from croupier.cli.own import own_option
from croupier.cli.record_options import (
    encoding_asked,
    encoding_option,
    limits_option,
    mapping_option,
    record_argument,
    submission_option,
    table_asked,
    table_option,
)
from croupier.cli.rules import print_rules
from croupier.cli.transcript import line_data, print_lines
from croupier.documents import provenance
from croupier.records.explanation import LoggedRound, explain_wagers, read_header, read_rounds
from croupier.records.header import LogError
from croupier.records.narration import NarrationLine, narrate
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.cli.documents import LoggedRoundExplained

__all__ = ["explain"]


@click.command()
@record_argument
@click.option("--round", "number", metavar="ROUND", required=True, help="Round number.")
@click.option(
    "--shoe",
    metavar="SHOE",
    help="Shoe of an external round, if several shoes have that round number.",
)
@submission_option
@mapping_option
@own_option
@limits_option
@encoding_option
@table_option
@document_options("text", "json")
def explain(  # noqa: PLR0913  (each is an option of the command)
    record: Path,
    *,
    number: str,
    shoe: str | None,
    submission: Path | None,
    mapping: Path | None,
    custom_wager: tuple[Path, ...],
    output_format: str,
) -> None:
    """Explain a round of RECORD: what was done and announced, why each card was drawn or not, and
    why each wager won, lost, or was void.

    RECORD is a Croupier table log or, with --submission, a file of external rounds. A log is
    explained as recorded; to check whether it conforms to the rules, use `croupier verify`. For
    external rounds, the expected result is shown next to the recorded one.
    """  # noqa: D205  (the command's help is its first paragraph)
    if submission is not None:
        from croupier.cli.explain_rounds import explain_round  # noqa: PLC0415  (a log needs none)

        explain_round(record, submission, mapping, (shoe, number), output_format, own=custom_wager)
        return
    if (shoe, mapping, encoding_asked()) != (None,) * 3 or custom_wager:
        fail("external rounds are explained under the rules of their table: add --submission FILE")
    if not (number.isascii() and number.isdigit() and int(number) >= 1):
        fail(f"--round {number}: the rounds of a table log are numbered from 1")
    _explain_log(record, int(number), output_format)


def _explain_log(log: Path, number: int, output_format: str) -> None:
    try:
        header = read_header(log, table_asked())
        logged = _find(log, header.rules, number)
        rules = logged.rules
        story, wagers = _told(log, logged)
    except LogError as error:
        fail(str(error))
    if output_format == "json":
        document: LoggedRoundExplained = {
            "format": "croupier-round/1",
            **provenance(rules, command_line()),
            "round": number,
            "narration": [line_data(line, rules.law) for line in story],
            "wagers": [line_data(line, rules.law) for line in wagers],
        }
        print_json(document)
        return
    out = console()
    headline(f"Round {number}")
    print_lines(out, story, rules.law)
    out.print()
    headline("Settlement of each wager")
    print_lines(out, wagers, rules.law)
    out.print()
    out.print(Text(f"Clauses are those of {rules.law.clause_prefix}."))
    print_rules(rules)


def _find(log: Path, rules: TableRules, number: int) -> LoggedRound:
    last = 0
    for logged in read_rounds(log, rules, table_asked()):
        if logged.number == number:
            return logged
        last = logged.number
    raise LogError(f"{log}: there is no round {number}; the last one recorded is round {last}")


def _told(log: Path, logged: LoggedRound) -> tuple[list[NarrationLine], list[NarrationLine]]:
    """Print a round and its wagers. Raises ``LogError`` if the record is inconsistent."""
    try:
        return list(narrate(logged.events, logged.rules.wagers)), list(explain_wagers(logged))
    except (LookupError, ValueError) as error:
        raise LogError(
            f"{log}: round {logged.number} is not a possible round ({error!r}); run `croupier "
            "verify` to locate the error"
        ) from error
