"""``croupier verify``: judge a table log from scratch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click
from rich.text import Text

from croupier.cli.output import FAILS, console, fail, format_option, print_json, tell
from croupier.cli.rules import rules_data, tell_rules
from croupier.money.settlement import dollars
from croupier.records.log import LogError
from croupier.verify.log import Verdict, verify_log

__all__ = ["verdict_data", "verify"]


@click.command()
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option
def verify(log: Path, *, output_format: str) -> None:
    """Derive every event of LOG again from its commands, and report the first divergence.

    The rules are settled again from the law, the chain of hashes is checked, and each line is held
    against what the book makes of its command. Exit status 1 where they diverge, 2 where the log
    cannot be read or is cut off.
    """
    try:
        verdict = verify_log(log)
    except LogError as error:
        fail(str(error))
    if output_format == "json":
        print_json(verdict_data(verdict))
    else:
        _print(log, verdict)
    if not verdict.is_clean:
        raise SystemExit(FAILS)


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as data, with the rules that were judged by."""
    found = verdict.divergence
    return {
        **rules_data(verdict.header.rules),
        "entries": verdict.entries,
        "events": verdict.events,
        "rounds": verdict.rounds,
        "results": {name: verdict.results[name] for name in ("player", "banker", "tie")},
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
        tell(str(found), indent=2)
        before = (
            f"Before it: {verdict.entries} entries, {verdict.rounds} rounds that keep the book."
        )
        out.print(Text(before))
    else:
        out.print(Text(f"{log} keeps the book.", style="bold green"))
        tell(
            f"{verdict.entries} entries, {verdict.events} events and {verdict.rounds} rounds"
            f" derived again; win of the table {dollars(verdict.ledger.table_win_cents)},"
            " ledger in balance."
        )
    tell_rules(rules)
    if verdict.header.law_sha256 != rules.law.sha256:
        note = "The law's data file has changed since, though not in what binds this table."
        out.print(Text(note, style="yellow"))
