"""``croupier ledger``: the accounts of a table log."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click
from msgspec.structs import asdict

from croupier.cli.common.files import (
    FORMS,
    check_outputs,
    form_named,
    give,
    put_file,
    report_options,
)
from croupier.cli.common.output import command_line, exit_unless
from croupier.cli.records.logs import log_shown
from croupier.cli.records.record_options import record_argument, table_option
from croupier.records.accounts import (
    AccountReader,
    DayAccounts,
    Journal,
    TableAccounts,
    Transaction,
    beancount,
    hledger,
    rows,
)
from croupier.records.log import IMPOSSIBLE, unbookable
from croupier.records.reader import LogReader
from croupier.reports.verification import ledger_tree
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
@report_options
def ledger(record: Path, *, stated: str | None, out: Path | None, force: bool) -> None:
    """Show the accounts of RECORD, a table log: what the table won in each shoe, shift, and
    gaming day, its drop, hold, fills, credits, vigorish, Forms, hand pays and progressive meters,
    and the balance of every account.

    The amounts are those that the log records; to check the log itself, use `croupier verify`. Exit
    status 1 means that a day's win, or its meters, do not follow from its other amounts, or that
    lines of the log were changed since they were sealed.
    """  # noqa: D205  (the command's help is its first paragraph)
    if stated in _JOURNALS:
        _write_journal(record, stated, out, force=force)
        return
    form = form_named(out, stated)
    check_outputs(out, force=force)
    in_text = out is None and form == "text"
    with log_shown(record, in_text=in_text) as log:
        accounts = _accounts(log)
        # Text begins with the warnings of a broken chain.
        tree = partial(ledger_tree, is_warned=in_text)
        document: AccountsOfLog = {
            "format": "croupier-ledger/1",
            **provenance(log.header.rules, command_line()),
            "record": log.data(),
            "days": [_day(day) for day in accounts.days],
            "balances": dict(accounts.balances),
            "win_cents": accounts.win_cents,
        }
        give(document, tree, form, out, force=force)
    exit_unless(all(day.reconciles for day in accounts.days))


def _write_journal(record: Path, form: str, path: Path | None, *, force: bool) -> None:
    """Hold no more than one entry."""
    check_outputs(path, force=force)
    with log_shown(record, in_text=False) as log:
        header = log.header
        layout = header.rules.submission.layout
        title = f"Table {layout.table or header.stream}, {header.rules.law.title}"
        transactions = _transactions(log)
        if form == "journal-csv":
            lines = rows(transactions)
        else:
            lines = {"beancount": beancount, "hledger": hledger}[form](transactions, title)
        content = (f"{line}\n" for line in lines)
        if path is None:
            sys.stdout.writelines(content)
        else:
            put_file(path, "".join(content).encode(), force=force)


_MOST_CENTS: Final = 10**15
"""No account of a table comes near this; a forged amount may pass it."""


def _check_size(balances: Mapping[str, int]) -> None:
    if max(map(abs, balances.values()), default=0) > _MOST_CENTS:
        raise ValueError("they are more than any table holds")


def _transactions(log: LogReader) -> Iterator[Transaction]:
    books = Journal(log.header.opening.ledger, log.header.opening.state.gaming_date)
    for line, entry in log.entries():
        try:
            for transaction in books.follow(entry):
                _check_size(transaction.legs)
                yield transaction
        except IMPOSSIBLE as error:
            raise unbookable(log.path, line, error) from error


def _accounts(log: LogReader) -> TableAccounts:
    reader = AccountReader(log.header.opening.ledger)
    for line, entry in log.entries():
        try:
            for event in entry.events:
                reader.follow(event)
            _check_size(reader.ledger.balances)
        except IMPOSSIBLE as error:
            raise unbookable(log.path, line, error) from error
    return reader.finish()


def _day(day: DayAccounts) -> AccountsOfDay:
    hold_rate = day.hold
    data: dict[str, Any] = {
        **asdict(day),
        "gaming_date": day.gaming_date.isoformat(),
        "hold": None if hold_rate is None else f"{hold_rate.numerator}/{hold_rate.denominator}",
        "reconciles": day.reconciles,
        "shifts": [{**asdict(shift), "reconciles": shift.reconciles} for shift in day.shifts],
        "shoes": [
            {"shoe": shoe.number, "rounds": shoe.rounds, "win_cents": shoe.win_cents}
            for shoe in day.shoes
        ],
    }
    del data["coupon_cents"]
    return cast("AccountsOfDay", data)
