"""``croupier ledger``: the accounts of a table log, and its win by shoe and gaming day."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from croupier.cli.files import check_outputs, force_option, form_named, out_option, put_file
from croupier.cli.log_reading import log_shown
from croupier.cli.output import (
    blank,
    command_line,
    console,
    fail,
    headline,
    plain_table,
    print_table,
    print_text,
)
from croupier.cli.record_options import record_argument, table_option
from croupier.cli.rules import print_rules
from croupier.money.settlement import dollars
from croupier.records.accounts import AccountReader, DayAccounts, TableAccounts
from croupier.records.header import LogError
from croupier.records.log import IMPOSSIBLE
from croupier.records.reader import LogReader
from croupier.reports.chain import chain_in_words, chain_warnings
from croupier.reports.figures import MissingExtraError
from croupier.reports.xlsx import Page, workbook
from croupier.rules.documents import provenance

if TYPE_CHECKING:
    from croupier.cli.documents import AccountsOfDay, AccountsOfLog

_FORMS: Final = ("text", "json", "csv", "xlsx")


@click.command()
@record_argument
@table_option
@click.option(
    "--format",
    "stated",
    type=click.Choice(_FORMS),
    help="Output format; xlsx is written to a file.  [default: text]",
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
    form = form_named(out, stated, _FORMS, to_file=("xlsx",))
    check_outputs(out, force=force)
    with log_shown(record, in_text=out is None and form == "text") as log:
        accounts = _accounts(log)
        if out is None and form == "text":
            _print(accounts, log)
        else:
            try:
                content = _WRITERS[form](_document(accounts, log))
            except MissingExtraError as error:
                fail(str(error))
            if out is None:
                sys.stdout.write(content.decode())
            else:
                put_file(out, content, force=force)
    if not all(day.reconciles for day in accounts.days):
        raise SystemExit(1)


_MOST_CENTS: Final = 10**15
"""No account of a table comes near this; a forged amount may pass it."""


def _accounts(log: LogReader) -> TableAccounts:
    """Return the accounts of a log. Raises ``LogError`` for amounts that cannot be booked."""
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


# --- text --------------------------------------------------------------------------------------


def _print(accounts: TableAccounts, log: LogReader) -> None:
    if not accounts.days:
        print_text("The table has not been opened.")
    for day in accounts.days:
        headline(f"Gaming day {day.gaming_date}")
        table = plain_table("", "Amount")
        table.columns[1].justify = "right"
        for name, amount in (*_told(day), *_meters(day)):
            table.add_row(name, amount)
        print_table(table)
        blank()
        if day.shoes:
            shoes = plain_table("Shoe", "Rounds", "Win")
            for column in shoes.columns[1:]:
                column.justify = "right"
            for one in day.shoes:
                shoes.add_row(str(one.number), f"{one.rounds:,}", dollars(one.win_cents))
            print_table(shoes)
            blank()
        if not day.reconciles:
            print_text("The win does not follow from these amounts: verify the log.", style="bold")
    headline("Accounts at the end of the log")
    balances = plain_table("Account", "Balance")
    balances.columns[1].justify = "right"
    for account, cents in accounts.balances.items():
        if cents:
            balances.add_row(account, dollars(cents))
    print_table(balances)
    blank()
    console().print(f"Table win {dollars(accounts.win_cents)}")
    print_text(chain_in_words(log.data()))
    print_rules(log.header.rules)


def _told(day: DayAccounts) -> Iterator[tuple[str, str]]:
    """Yield the amounts of a day in the order in which its win follows from them."""
    state = "closing count" if day.is_counted else "by the record, not counted"
    rows = [
        ("Tray at the end, " + state, day.tray_cents),
        ("Chips in transit", day.in_transit_cents),
        ("Drop", day.drop_cents),
        ("Short in the drop count", -day.drop_short_cents),
        ("Forms", day.forms_cents),
        ("Credits", day.credits_cents),
        ("Fills", -day.fills_cents),
        ("Awards paid by hand", -day.hand_pays_cents),
        ("Tray at the opening", -day.opened_cents),
    ]
    always = {"Drop", "Tray at the opening"}
    for name, cents in rows:
        if cents or name in always or name.startswith("Tray"):
            yield name, dollars(cents)
    yield "Win", dollars(day.win_cents)
    if day.hold is not None:
        yield "Hold", f"{float(day.hold):.2%}"
    yield "Vigorish collected, in the win", dollars(day.vigorish_cents)
    if day.tray_short_cents:
        yield "Short in the closing count, in the win", dollars(-day.tray_short_cents)
    if day.corrected_cents:
        yield "Corrected settlements, in the win", dollars(-day.corrected_cents)
    if day.unpaid_cents:
        yield "Kept for patrons who have left", dollars(day.unpaid_cents)
    if day.paid_later_cents:
        yield "Paid to patrons who came back for it", dollars(day.paid_later_cents)
    if day.uncollected_cents:
        yield "Not collected from patrons", dollars(day.uncollected_cents)


def _meters(day: DayAccounts) -> Iterator[tuple[str, str]]:
    """Yield what went into the progressive meters of a day and came out; nothing without meters."""
    if not day.meters_opened_cents and not day.meters_cents:
        return
    yield "Meters at the opening", dollars(day.meters_opened_cents)
    yield "Seed funding", dollars(day.seed_funding_cents)
    yield "Contributions", dollars(day.contributions_cents)
    yield "Awarded from meters", dollars(-day.awarded_cents)
    if day.linked_cents:
        yield "From linked tables", dollars(day.linked_cents)
    yield "Meters and reserve at the end", dollars(day.meters_cents)
    if day.meters_off_cents:
        yield "Meters show more than their accounts", dollars(day.meters_off_cents)


# --- files -------------------------------------------------------------------------------------

_AMOUNTS: Final = (
    "opened_cents", "fills_cents", "credits_cents", "in_transit_cents", "tray_cents",
    "tray_short_cents", "drop_cents", "drop_short_cents", "vigorish_cents", "forms_cents",
    "corrected_cents", "unpaid_cents", "paid_later_cents", "uncollected_cents",
    "hand_pays_cents", "meters_opened_cents", "seed_funding_cents", "contributions_cents",
    "awarded_cents", "linked_cents", "meters_cents", "meters_off_cents", "win_cents",
)  # fmt: skip

_COLUMNS: Final = ("gaming_date", "shoe", "rounds", *_AMOUNTS, "hold", "chain")


def _rows(document: AccountsOfLog) -> Iterator[tuple[object, ...]]:
    """Yield a row for each day, and after it one for each of its shoes."""
    chain = document["record"]["chain"]
    for day in document["days"]:
        told: Mapping[str, object] = {**day}
        amounts = (told[name] for name in _AMOUNTS)
        yield (day["gaming_date"], None, day["rounds"], *amounts, day["hold"], chain)
        for one in day["shoes"]:
            blanks = (None,) * (len(_AMOUNTS) - 1)
            row = (
                day["gaming_date"],
                one["shoe"],
                one["rounds"],
                *blanks,
                one["win_cents"],
                None,
                chain,
            )
            yield row


def _csv(document: AccountsOfLog) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(_rows(document))
    return out.getvalue().encode()


def _json(document: AccountsOfLog) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _xlsx(document: AccountsOfLog) -> bytes:
    days = [tuple(map(_cell, _COLUMNS, row)) for row in _rows(document)]
    accounts = [(account, cents / 100) for account, cents in document["balances"].items()]
    facts = [
        ("Regulation", f"{document['law']}@{document['in_force_from']}"),
        ("Title", document["title"]),
        ("Rules", document["rules_hash"]),
        ("Program", f"{document['program']} {document['version']}"),
        ("Reproduce", document["reproduce"]),
        ("Record", chain_in_words(document["record"])),
        *(("", one) for one in chain_warnings(document["record"])),
    ]
    return workbook(
        f"Ledger: {document['title']}",
        Page("Days and shoes", tuple(map(_head, _COLUMNS)), days),
        Page("Accounts", (("Account", "text", 30), ("Balance", "dollars", 16)), accounts),
        Page("Provenance", (("Fact", "text", 14), ("", "wrapped", 90)), facts),
    )


def _head(name: str) -> tuple[str, str, float]:
    """Return the header, format and width of a column."""
    title = name.removesuffix("_cents").replace("_", " ").capitalize()
    if name.endswith("_cents"):
        return title, "dollars", 15
    return title, "percent" if name == "hold" else "text", 13


def _cell(name: str, value: object) -> object:
    """Return a value as a workbook has it: dollars and shares as numbers."""
    if value is None:
        return None
    if name.endswith("_cents"):
        return int(str(value)) / 100
    return float(Fraction(str(value))) if name == "hold" else value


_WRITERS: Final[Mapping[str, Callable[[AccountsOfLog], bytes]]] = {
    "csv": _csv,
    "json": _json,
    "xlsx": _xlsx,
}
