"""``croupier ledger``: the accounts of a table log."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import (
    FILES,
    FORMS,
    check_outputs,
    force_option,
    form_named,
    out_option,
    put_file,
)
from croupier.cli.common.output import command_line
from croupier.cli.records.log_reading import log_shown
from croupier.cli.records.record_options import record_argument, table_option
from croupier.records.accounts import AccountReader, DayAccounts, TableAccounts
from croupier.records.header import LogError
from croupier.records.journal import beancount, hledger, journal, rows
from croupier.records.log import IMPOSSIBLE
from croupier.records.reader import LogReader
from croupier.reports.ledger import ledger_tree
from croupier.rules.documents import provenance

if TYPE_CHECKING:
    from croupier.cli.common.documents import AccountsOfDay, AccountsOfLog


_JOURNALS: Final = ("beancount", "hledger", "journal-csv")


@click.command()
@record_argument
@table_option
@click.option(
    "--format",
    "stated",
    type=click.Choice((*FORMS, *_JOURNALS)),
    help="Output format; html, pdf, and xlsx are written to a file. beancount, hledger, and"
    " journal-csv write every posting with its entry.  [default: text]",
)
@out_option
@force_option
def ledger(record: Path, *, stated: str | None, out: Path | None, force: bool) -> None:
    """Show the accounts of RECORD, a table log: what the table won in each shoe and on each gaming
    day, its drop, hold, fills, credits, vigorish, Forms, hand pays and progressive meters, and the
    balance of every account.

    The amounts are those that the log records; to check the log itself, use `croupier verify`. Exit
    status 1 means that a day's win, or its meters, do not follow from its other amounts, or that
    lines of the log were changed since they were sealed.
    """  # noqa: D205  (the command's help is its first paragraph)
    if stated in _JOURNALS:
        _write_journal(record, stated, out, force=force)
        return
    form = form_named(out, stated, FORMS, to_file=FILES)
    check_outputs(out, force=force)
    in_text = out is None and form == "text"
    with log_shown(record, in_text=in_text) as log:
        accounts = _accounts(log)
        # Text begins with the warnings of a broken chain.
        tree = partial(ledger_tree, is_warned=in_text)
        give(_document(accounts, log), tree, form, out, force=force)
    if not all(day.reconciles for day in accounts.days):
        raise SystemExit(1)


def _write_journal(record: Path, form: str, out: Path | None, *, force: bool) -> None:
    """Write the transactions of a log, without holding more than one entry."""
    check_outputs(out, force=force)
    with log_shown(record, in_text=False) as log:
        header = log.header
        layout = header.rules.submission.layout
        title = f"Table {layout.table or header.stream}, {header.rules.law.title}"
        transactions = journal(header.opening.ledger, (entry for _, entry in log.entries()))
        if form == "beancount":
            lines = beancount(transactions, title)
        elif form == "hledger":
            lines = hledger(transactions, title)
        else:
            lines = rows(transactions)
        content = (f"{line}\n" for line in lines)
        if out is None:
            sys.stdout.writelines(content)
        else:
            put_file(out, "".join(content).encode(), force=force)


_MOST_CENTS: Final = 10**15
"""No account of a table comes near this; a forged amount may pass it."""


def _accounts(log: LogReader) -> TableAccounts:
    reader = AccountReader(log.header.opening.ledger)
    for line, entry in log.entries():
        try:
            for event in entry.events:
                reader.follow(event)
            if max(map(abs, reader.ledger.balances.values()), default=0) > _MOST_CENTS:
                raise ValueError("they are more than any table holds")
        except IMPOSSIBLE as error:
            raise LogError(
                f"{log.path}:{line}: the amounts of this entry cannot be booked: {error}; run"
                " `croupier verify` to locate the error"
            ) from error
    return reader.finish()


def _document(accounts: TableAccounts, log: LogReader) -> AccountsOfLog:
    return {
        "format": "croupier-ledger/1",
        **provenance(log.header.rules, command_line()),
        "record": log.data(),
        "days": [_day(day) for day in accounts.days],
        "balances": dict(accounts.balances),
        "win_cents": accounts.win_cents,
    }


def _day(day: DayAccounts) -> AccountsOfDay:
    hold = day.hold
    return {
        "gaming_date": day.gaming_date.isoformat(),
        "rounds": day.rounds,
        "opened_cents": day.opened_cents,
        "fills_cents": day.fills_cents,
        "credits_cents": day.credits_cents,
        "in_transit_cents": day.in_transit_cents,
        "tray_cents": day.tray_cents,
        "is_counted": day.is_counted,
        "is_closed": day.is_closed,
        "tray_short_cents": day.tray_short_cents,
        "drop_cents": day.drop_cents,
        "drop_short_cents": day.drop_short_cents,
        "vigorish_cents": day.vigorish_cents,
        "forms_cents": day.forms_cents,
        "corrected_cents": day.corrected_cents,
        "unpaid_cents": day.unpaid_cents,
        "paid_later_cents": day.paid_later_cents,
        "uncollected_cents": day.uncollected_cents,
        "hand_pays_cents": day.hand_pays_cents,
        "meters_opened_cents": day.meters_opened_cents,
        "seed_funding_cents": day.seed_funding_cents,
        "contributions_cents": day.contributions_cents,
        "awarded_cents": day.awarded_cents,
        "linked_cents": day.linked_cents,
        "meters_cents": day.meters_cents,
        "meters_off_cents": day.meters_off_cents,
        "win_cents": day.win_cents,
        "hold": None if hold is None else f"{hold.numerator}/{hold.denominator}",
        "reconciles": day.reconciles,
        "shoes": [
            {"shoe": one.number, "rounds": one.rounds, "win_cents": one.win_cents}
            for one in day.shoes
        ],
    }
