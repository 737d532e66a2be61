"""``croupier explain``: tell one round of a log in words, with the clauses behind it."""

from __future__ import annotations

from pathlib import Path

import rich_click as click
from rich.text import Text

from croupier.cli.output import console, fail, format_option, headline, print_json
from croupier.cli.rules import rules_data, tell_rules
from croupier.cli.transcript import print_lines
from croupier.records.explanation import Telling, explain_wagers, read_header, read_rounds
from croupier.records.log import LogError
from croupier.records.narration import Line, narrate
from croupier.rules import TableRules

__all__ = ["explain"]


@click.command()
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--round", "number", type=click.IntRange(1), required=True, help="Which round.")
@format_option
def explain(log: Path, *, number: int, output_format: str) -> None:
    """Tell a round of LOG: what was done and said, why each card was drawn or not, and why each
    wager won, lost or was void.

    What the log records is told as it stands; whether it keeps the book is for `croupier verify`.
    """  # noqa: D205  (the command's help is its first paragraph)
    try:
        header = read_header(log)
        telling = _find(log, header.rules, number)
        rules = telling.rules
        story, wagers = _told(log, telling)
    except LogError as error:
        fail(str(error))
    if output_format == "json":
        print_json(
            {
                **rules_data(rules),
                "round": number,
                "told": [_as_json(line) for line in story],
                "wagers": [_as_json(line) for line in wagers],
            }
        )
        return
    out = console()
    headline(f"Round {number}")
    print_lines(out, story, cite=True)
    out.print()
    headline("Why each wager was so decided")
    print_lines(out, wagers, cite=True)
    out.print()
    out.print(Text(f"Clauses are those of {rules.law.clause_prefix}."))
    tell_rules(rules)


def _find(log: Path, rules: TableRules, number: int) -> Telling:
    last = 0
    for telling in read_rounds(log, rules):
        if telling.number == number:
            return telling
        last = telling.number
    raise LogError(f"{log}: there is no round {number}; the last one recorded is round {last}")


def _told(log: Path, telling: Telling) -> tuple[list[Line], list[Line]]:
    """Tell a round and its wagers. Raises ``LogError`` where the record makes no sense."""
    try:
        return list(narrate(telling.events)), list(explain_wagers(telling))
    except (LookupError, ValueError) as error:
        raise LogError(
            f"{log}: round {telling.number} is recorded as no round can be ({error!r});"
            " `croupier verify` finds where"
        ) from error


def _as_json(line: Line) -> dict[str, object]:
    return {
        "kind": line.kind,
        "text": line.text,
        "details": list(line.details),
        "clauses": list(line.clauses),
    }
