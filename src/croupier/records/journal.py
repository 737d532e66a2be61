"""The journal of a table log, for accounting programs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Final

from msgspec import Struct

from croupier import acts
from croupier.law.usage import currency_in_use
from croupier.money import ledger
from croupier.money.ledger import Ledger, Posting
from croupier.records.chain import LoggedEntry
from croupier.table.machine.bookkeeping import booked, moves_money, postings

OPENING: Final = "Opening balances"
"""The transaction of balances carried over from the log of an earlier day."""


class Transaction(Struct, frozen=True, gc=False):
    """An event's change of each account, in cents, which sum to zero."""

    entry: int
    at: str
    day: date
    event: str
    legs: Mapping[str, int]


class Journal:
    def __init__(self, opening: Ledger, day: date | None = None) -> None:
        self._books = opening
        self._moved: list[Posting] = []
        self.day = day

    @property
    def books(self) -> Ledger:
        self._books, self._moved = self._books.posted(self._moved), []
        return self._books

    def follow(self, entry: LoggedEntry) -> Iterator[Transaction]:
        head = entry.head
        if self.day is None:
            self.day = date.fromisoformat(head.at[:10])
            if self._books.balances:
                yield Transaction(0, head.at, self.day, OPENING, self._books.balances)
        for event in entry.events:
            if not moves_money(type(event)):
                if isinstance(event, acts.DuplicatesForwarded):
                    self.day = event.next_date or self.day
                continue
            found = postings(event)
            if found is None:
                if isinstance(event, acts.TableOpened):
                    self.day = event.gaming_date
                before = self.books
                self._books = booked(before, (event,))
                legs = _changes(before, self._books)
            else:
                moved = tuple(found)
                legs = _legs(moved)
                self._moved += moved
            if legs:
                yield Transaction(head.seq, head.at, self.day, type(event).__name__, legs)


def journal(opening: Ledger, entries: Iterable[LoggedEntry]) -> Iterator[Transaction]:
    books = Journal(opening)
    return (transaction for entry in entries for transaction in books.follow(entry))


def _legs(moved: Collection[Posting]) -> dict[str, int]:
    if len(moved) == 1:
        ((source, destination, cents),) = moved
        if not cents or source == destination:
            return {}
        if source < destination:
            return {source: -cents, destination: cents}
        return {destination: cents, source: -cents}
    legs: dict[str, int] = {}
    for source, destination, cents in moved:
        legs[source] = legs.get(source, 0) - cents
        legs[destination] = legs.get(destination, 0) + cents
    return {account: legs[account] for account in sorted(legs) if legs[account]}


def _changes(before: Ledger, after: Ledger) -> dict[str, int]:
    if after is before:
        return {}
    return {
        account: cents - before.balance(account)
        for account, cents in after.balances.items()
        if cents != before.balance(account)
    }


_PATRON: Final = re.compile(r"(patron|layout|owed|mark)s?[: ]")


@cache
def account_path(account: str) -> tuple[str, ...]:
    """Return a place in a chart of accounts: ``("Table", "Drop Box", "17")``."""
    if account in ledger.OUTSIDE:
        group = "Outside"
    elif _PATRON.match(account):
        group = "Patrons"
    elif account.startswith("meter"):
        group = "Meters"
    else:
        group = "Table"
    return (group, *(part.strip().title() for part in account.split(":")))


def beancount(transactions: Iterable[Transaction], title: str) -> Iterator[str]:
    """Yield a Beancount file; accounts are ``Assets``: only a balance's sign is defined."""
    quoted = title.replace("\\", "\\\\").replace('"', '\\"')
    yield f'option "title" "{quoted}"'
    code, plain = currency_in_use().code, currency_in_use().plain
    yield f'option "operating_currency" "{code}"'
    balances: dict[str, int] = {}
    last = None
    for transaction in transactions:
        for account in transaction.legs:
            if account not in balances:
                yield f"{transaction.day} open {_beancount_name(account)} {code}"
        yield ""
        yield f'{transaction.day} * "{transaction.event}"'
        yield f"  entry: {transaction.entry}"
        yield f'  at: "{transaction.at}"'
        for account, cents in transaction.legs.items():
            balances[account] = balances.get(account, 0) + cents
            yield f"  {_beancount_name(account)}  {plain(cents)} {code}"
        last = transaction.day if last is None else max(last, transaction.day)
    if last is None:
        return
    yield ""
    for account, cents in sorted(balances.items()):
        # An assertion applies at the beginning of its day.
        yield (
            f"{last + timedelta(days=1)} balance {_beancount_name(account)}  {plain(cents)} {code}"
        )


def _beancount_name(account: str) -> str:
    parts = (re.sub(r"[^A-Za-z0-9-]", "-", part) for part in account_path(account))
    return ":".join(("Assets", *parts))


def hledger(transactions: Iterable[Transaction], title: str) -> Iterator[str]:
    currency = currency_in_use()
    sign, plain = currency.sign, currency.plain
    yield f"; {title}"
    balances: dict[str, int] = {}
    last = None
    for transaction in transactions:
        yield ""
        yield f"{transaction.day} ({transaction.entry}) {transaction.event}  ; at: {transaction.at}"
        for account, cents in transaction.legs.items():
            balances[account] = balances.get(account, 0) + cents
            yield f"    {':'.join(account_path(account))}  {sign}{plain(cents)}"
        last = transaction.day if last is None else max(last, transaction.day)
    if last is None:
        return
    yield ""
    yield f"{last} Closing balances"
    for account, cents in sorted(balances.items()):
        yield f"    {':'.join(account_path(account))}  {sign}0 = {sign}{plain(cents)}"


def rows(transactions: Iterable[Transaction]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="")

    def line(*cells: object) -> str:
        buffer.seek(0)
        buffer.truncate()
        writer.writerow(cells)
        return buffer.getvalue()

    yield line("entry", "at", "gaming_date", "event", "group", "account", "cents")
    for transaction in transactions:
        for account, cents in transaction.legs.items():
            yield line(
                transaction.entry,
                transaction.at,
                transaction.day.isoformat(),
                transaction.event,
                account_path(account)[0],
                account,
                cents,
            )
