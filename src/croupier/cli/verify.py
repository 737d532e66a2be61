"""``croupier verify``: judge a table log from scratch, or rounds that others dealt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from croupier.baccarat.coup import WINNERS
from croupier.cli.files import force_option, output_path
from croupier.cli.output import (
    FAILS,
    command_line,
    console,
    fail,
    format_option,
    print_json,
    print_text,
)
from croupier.cli.record_options import (
    behind_option,
    encoding_asked,
    encoding_option,
    mapping_option,
    record_argument,
    submission_option,
)
from croupier.cli.rules import print_rules
from croupier.documents import provenance
from croupier.money.settlement import dollars
from croupier.records.log import LogError
from croupier.verify.log import Verdict, verify_log

if TYPE_CHECKING:
    from croupier.cli.documents import DealtTable, LogVerification

__all__ = ["verdict_data", "verify"]


@click.command()
@record_argument
@submission_option
@mapping_option
@behind_option
@encoding_option
@click.option(
    "--max-listed",
    type=click.IntRange(1),
    metavar="NUMBER",
    help="How many divergences are told; 20 to a person and 10,000 to a program by default.",
)
@click.option(
    "--repair",
    type=output_path,
    metavar="OUT",
    help="Write the rounds as they should have been, and tell who is owed what.",
)
@click.option(
    "--differences",
    type=output_path,
    metavar="FILE",
    help="List every wager that came out wrong, as .csv or .jsonl.",
)
@force_option
@format_option
def verify(  # noqa: PLR0913  (each is an option of the command)
    record: Path,
    *,
    submission: Path | None,
    mapping: Path | None,
    cards_behind: int | None,
    max_listed: int | None,
    repair: Path | None,
    differences: Path | None,
    force: bool,
    output_format: str,
) -> None:
    """Judge RECORD: a table log of our own, or, with a submission, rounds that others dealt.

    Of a table log every event is derived again from its commands, and the first divergence is
    reported: the rules are settled again from the law, the chain of hashes is checked, and each
    line is held against what the book makes of its command.

    Rounds of others come as CSV, JSON Lines or Parquet, packed by gzip or not. Third cards, totals,
    winners, wagers and their vigorish are held against the law, and each shoe against its decks;
    the first divergence comes on top, then how many there are of each kind.

    Exit status 1 where they diverge, 2 where the record cannot be read or a log is cut off.
    """
    if submission is not None:
        from croupier.cli.rounds import Outputs, verify_rounds  # noqa: PLC0415  (a log needs none of it)

        shown = 20 if output_format == "text" else 10_000
        max_listed = shown if max_listed is None else max_listed
        outputs = Outputs(repair, differences, force=force)
        verify_rounds(
            record, submission, mapping, outputs,
            cards_behind=cards_behind, max_listed=max_listed, output_format=output_format,
        )  # fmt: skip
        return
    asked = mapping, cards_behind, max_listed, repair, differences, encoding_asked()
    if asked != (None,) * len(asked):
        fail("rounds of others are judged by the rules of their table: name its --submission")
    try:
        verdict = verify_log(record)
    except LogError as error:
        fail(f"{error}\n  Rounds that others dealt are judged with --submission FILE.")
    if output_format == "json":
        document: LogVerification = {
            "format": "croupier-log-verification/1",
            **verdict_data(verdict),
        }
        print_json(document)
    else:
        _print(record, verdict)
    if not verdict.is_clean:
        raise SystemExit(FAILS)


def verdict_data(verdict: Verdict) -> DealtTable:
    """Return a verdict as data, with the rules that were judged by."""
    found = verdict.divergence
    return {
        **provenance(verdict.header.rules, command_line()),
        "entries": verdict.entries,
        "events": verdict.events,
        "rounds": verdict.rounds,
        "results": {name: verdict.results[name] for name in WINNERS},
        "table_win_cents": verdict.ledger.table_win_cents,
        "ledger_in_balance": verdict.ledger.in_balance,
        "clean": verdict.is_clean,
        "divergence": None
        if found is None
        else {
            "line": found.line,
            "round": found.round,
            "kind": found.kind,
            "clauses": list(found.clauses),
            "message": found.message,
            "expected": found.expected,
            "found": found.found,
        },
    }


def _print(log: Path, verdict: Verdict) -> None:
    out = console()
    rules = verdict.header.rules
    found = verdict.divergence
    if found is not None:
        out.print(Text(f"{log} diverges.", style="bold red"))
        print_text(str(found), indent=2)
        before = (
            f"Before it: {verdict.entries} entries, {verdict.rounds} rounds that keep the book."
        )
        out.print(Text(before))
    else:
        out.print(Text(f"{log} keeps the book.", style="bold green"))
        print_text(
            f"{verdict.entries} entries, {verdict.events} events and {verdict.rounds} rounds"
            f" derived again; win of the table {dollars(verdict.ledger.table_win_cents)},"
            " ledger in balance."
        )
    print_rules(rules)
    if verdict.header.law_sha256 != rules.law.sha256:
        note = "The law's data file has changed since, though not in what binds this table."
        out.print(Text(note, style="yellow"))
