"""``croupier draw``: the must-hit draws of a table log, each proven again."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from croupier.cli.common.files import document_options
from croupier.cli.common.output import (
    blank,
    command_line,
    exit_unless,
    fail,
    headline,
    print_json,
    print_text,
)
from croupier.cli.records.logs import log_shown
from croupier.cli.records.record_options import record_argument, table_option
from croupier.cli.submission.rules import print_rules
from croupier.law.usage import counted, money
from croupier.records.draws import DrawnMystery, draws_of
from croupier.records.log import possible
from croupier.records.reader import LogReader
from croupier.reports.verification import chain_in_words
from croupier.rules.documents import provenance
from croupier.table.parts.progressive import Progressive

if TYPE_CHECKING:
    from croupier.cli.common.documents import DrawsOfLog

_MOST = "wagers.royal_9.stax.must_hit_by"


@click.group()
def draw() -> None:
    """Prove the must-hit draws of a progressive."""


@draw.command()
@record_argument
@table_option
@document_options("text", "json")
def verify(record: Path, *, output_format: str) -> None:
    """Derive each mystery value and each winner of RECORD, a table log, again from the secret that
    was committed to and the cards that were dealt.

    Exit status 1 means that a draw does not follow, that a secret was withheld, or that lines of
    the log were changed since they were sealed. `croupier help mystery-draw` describes the
    derivation.
    """  # noqa: D205  (the command's help is its first paragraph)
    with log_shown(record, in_text=output_format == "text") as log:
        is_fair = _show(log, output_format)
    exit_unless(is_fair)


def _show(log: LogReader, output_format: str) -> bool:
    rules = log.header.rules
    if not rules.applies("wagers.royal_9.stax"):
        fail(f"{log.path}: this table offers no must-hit award, so nothing is drawn")
    events = chain.from_iterable(log.events())
    with possible(f"{log.path}: its draws are not possible"):
        draws = draws_of(events, rules.value(_MOST, int), log.header.opening.state[Progressive])
    is_fair = all(one.is_fair for one in draws)
    if output_format == "json":
        document: DrawsOfLog = {
            "format": "croupier-draws/1",
            **provenance(rules, command_line()),
            "record": log.data(),
            "draws": to_builtins(draws),
            "is_fair": is_fair,
        }
        print_json(document)
    else:
        for number, one in enumerate(draws, 1):
            _print(number, one)
        fair = sum(one.is_fair for one in draws)
        print_text(f"{counted(len(draws), 'commitment')}, {fair} in order, {len(draws) - fair} not")
        print_text(chain_in_words(log.data()))
        print_rules(rules)
    return is_fair


def _print(number: int, one: DrawnMystery) -> None:
    headline(f"Commitment {number}: {one.outcome}")
    print_text(f"seal {one.commitment}", indent=2)
    if one.mystery_cents is not None:
        value = f"value {money(one.mystery_cents)}, above {money(one.above_cents)}"
        print_text(f"{value}, from {one.opening}", indent=2)
    if one.outcome == "drawn":
        seats_text = ", ".join(map(str, one.seats))
        amount = money(one.paid_cents or 0)
        print_text(f"seat {one.seat} of {seats_text} wins {amount}, from {one.cards}", indent=2)
    if one.reason:
        print_text(f"replaced: {one.reason}", indent=2)
    for fault in one.faults:
        print_text(f"WRONG {fault}", indent=2, style="bold")
    blank()
