"""Accounts of a table log by shoe, shift, and gaming day, and its double-entry journal."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Final

from msgspec import Struct, field
from msgspec.structs import astuple

from croupier import acts
from croupier.law.usage import currency_in_use
from croupier.money import ledger
from croupier.money.ledger import Ledger, Posting
from croupier.records.entry import LoggedEntry
from croupier.table.house.tray import OPENING_SHIFT
from croupier.table.machine.bookkeeping import booked, postings


class ShoeAccounts(Struct):
    number: int
    rounds: int
    win_cents: int


class Accounts(Struct, kw_only=True):
    """A shift or a gaming day of a table, in cents.

    ``win_cents`` is drop, Forms, credits and closing tray, less opening tray, fills and awards due
    by hand. Shortages found by counts are positive.
    """

    rounds: int = 0
    opened_cents: int
    tray_cents: int = 0
    is_counted: bool = False
    tray_short_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    in_transit_cents: int = 0
    drop_cents: int = 0
    drop_short_cents: int = 0
    forms_cents: int = 0
    hand_pays_cents: int = 0
    win_cents: int = 0

    @property
    def reconciles(self) -> bool:
        chips = self.tray_cents + self.in_transit_cents + self.credits_cents
        outflow = self.opened_cents + self.fills_cents + self.hand_pays_cents
        inflow = self.drop_cents - self.drop_short_cents + self.forms_cents
        return self.win_cents == chips + inflow - outflow

    def settle(self, old_ledger: Ledger, current: Ledger) -> None:
        delta = {name: cents - old_ledger.balance(name) for name, cents in current.balances.items()}
        self.tray_cents = current.balance(ledger.INVENTORY)
        self.fills_cents = -delta.get(ledger.FILLS, 0)
        self.credits_cents = delta.get(ledger.CREDITS, 0)
        self.in_transit_cents = delta.get(ledger.IN_TRANSIT, 0)
        self.forms_cents = delta.get(ledger.FORMS, 0)
        self.hand_pays_cents = -delta.get(ledger.HAND_PAYS, 0)
        self.win_cents = current.table_win_cents - old_ledger.table_win_cents


class ShiftAccounts(Accounts, kw_only=True):
    shift: str


class DayAccounts(Accounts, kw_only=True):
    gaming_date: date
    is_closed: bool = False
    coupon_cents: int = 0
    vigorish_cents: int = 0
    meters_opened_cents: int = 0
    seed_funding_cents: int = 0
    contributions_cents: int = 0
    awarded_cents: int = 0
    linked_cents: int = 0
    meters_cents: int = 0
    meters_off_cents: int = 0
    corrected_cents: int = 0
    unpaid_cents: int = 0
    paid_later_cents: int = 0
    uncollected_cents: int = 0
    shoes: list[ShoeAccounts] = field(default_factory=list)
    shifts: list[ShiftAccounts] = field(default_factory=list)

    @property
    def hold(self) -> Fraction | None:
        """Win as a share of the drop."""
        return Fraction(self.win_cents, self.drop_cents) if self.drop_cents else None

    @property
    def reconciles(self) -> bool:
        shifts = all(shift.reconciles for shift in self.shifts)
        win = sum(shift.win_cents for shift in self.shifts)
        return super().reconciles and shifts and win == self.win_cents and self.meters_follow

    @property
    def meters_follow(self) -> bool:
        funds = self.meters_opened_cents + self.seed_funding_cents + self.contributions_cents
        return self.meters_cents == funds + self.linked_cents - self.awarded_cents


class TableAccounts(Struct):
    days: list[DayAccounts]
    balances: Mapping[str, int]
    win_cents: int


class AccountReader:
    def __init__(self, old_ledger: Ledger | None = None) -> None:
        self.ledger: Ledger = old_ledger or Ledger()
        self.days: list[DayAccounts] = []
        self._before: int = self.ledger.table_win_cents
        self._begun: Ledger = self.ledger
        self._shift_begun: Ledger = self.ledger
        self._shoe_won = 0

    def follow(self, event: acts.Event) -> None:
        win = self.ledger.table_win_cents
        if isinstance(event, acts.TableOpened):
            self._settle_day()
            self.ledger = booked(self.ledger, (event,))
            self._start_day(event.gaming_date, event.inventory_cents, OPENING_SHIFT)
            return
        self.ledger = booked(self.ledger, (event,))
        if not self.days:
            return
        if isinstance(event, (acts.DropCounted, acts.InventoryCounted, acts.ShiftChanged)):
            # Amounts missing from a count belong to the day, not to a shoe.
            self._shoe_won += self.ledger.table_win_cents - win
        if isinstance(event, acts.DuplicatesForwarded) and event.next_date is not None:
            self._settle_day()
            day = self.days[-1]
            chips = self.ledger.balance(ledger.INVENTORY)
            self._start_day(event.next_date, chips, day.shifts[-1].shift)
            # The shoe under way goes on into the next gaming day.
            self.days[-1].shoes += (ShoeAccounts(shoe.number, 0, 0) for shoe in day.shoes[-1:])
            return
        self._note(event, win)

    def _note(self, event: acts.Event, win: int) -> None:
        day = self.days[-1]
        self._count(event, day)
        match event:
            case acts.ShoeLoaded():
                self._settle_shoe(win)
                # A shoe that is cut again before its first card is still the same one.
                if event.shoe not in {shoe.number for shoe in day.shoes[-1:]}:
                    day.shoes.append(ShoeAccounts(event.shoe, 0, 0))
            case acts.NoMoreBetsCalled():
                day.rounds += 1
                day.shifts[-1].rounds += 1
                if day.shoes:
                    day.shoes[-1].rounds += 1
            case acts.TableClosed():
                day.is_closed = True
                self._settle_shoe(self.ledger.table_win_cents)
            case acts.SettlementCorrected():
                # Amounts handed over outside the record are part of the win.
                day.corrected_cents += win - self.ledger.table_win_cents
            case acts.MetersReconciled():
                day.meters_off_cents = sum(event.shown.values()) - sum(event.expected.values())

    def _count(self, event: acts.Event, day: DayAccounts) -> None:
        shift = day.shifts[-1]
        for accounts in (day, shift):
            match event:
                case acts.InventoryCounted(closing=True) | acts.ShiftChanged():
                    accounts.tray_short_cents += event.expected_cents - event.cents
                case acts.DropCounted():
                    accounts.drop_short_cents += event.expected_cents - event.cash_cents
                case acts.ChipsBought():
                    accounts.drop_cents += event.cents
        if isinstance(event, acts.ShiftChanged):
            shift.is_counted, day.is_counted = True, False
            self._start_shift(event.shift, event.cents)
        elif isinstance(event, acts.InventoryCounted) and event.closing:
            shift.is_counted = day.is_counted = True

    def _start_day(self, gaming_date: date, opened_cents: int, shift: str) -> None:
        self._begun = self.ledger
        self._shoe_won = self.ledger.table_win_cents
        day = DayAccounts(gaming_date=gaming_date, opened_cents=opened_cents)
        day.meters_opened_cents = ledger.meters_of(self.ledger.balances)
        self.days.append(day)
        self._start_shift(shift, opened_cents)

    def _start_shift(self, shift: str, opened_cents: int) -> None:
        shifts = self.days[-1].shifts
        if shifts:
            shifts[-1].settle(self._shift_begun, self.ledger)
        shifts.append(ShiftAccounts(shift=shift, opened_cents=opened_cents))
        self._shift_begun = self.ledger

    def _settle_shoe(self, win: int) -> None:
        if self.days[-1].shoes:
            self.days[-1].shoes[-1].win_cents += win - self._shoe_won
        self._shoe_won = win

    def _settle_day(self) -> None:
        if not self.days:
            return
        self._settle_shoe(self.ledger.table_win_cents)
        day = self.days[-1]
        day.settle(self._begun, self.ledger)
        day.shifts[-1].settle(self._shift_begun, self.ledger)
        day.seed_funding_cents = -self._moved(ledger.SEED_FUNDING)
        day.contributions_cents = -self._moved(ledger.CONTRIBUTIONS)
        day.awarded_cents = self._moved(ledger.AWARDED)
        day.linked_cents = -self._moved(ledger.LINKED_METERS)
        day.meters_cents = ledger.meters_of(self.ledger.balances)
        day.vigorish_cents = self._moved(ledger.VIGORISH_TAKEN)
        day.paid_later_cents = self._moved(ledger.PAID_LATER)
        day.unpaid_cents = self._moved(ledger.UNPAID) + day.paid_later_cents
        day.uncollected_cents = self._moved(ledger.UNCOLLECTED)
        day.coupon_cents = self._moved(ledger.COUPON_DROP)

    def _moved(self, account: str) -> int:
        return self.ledger.balance(account) - self._begun.balance(account)

    def finish(self) -> TableAccounts:
        self._settle_day()
        win = self.ledger.table_win_cents - self._before
        return TableAccounts(self.days, self.ledger.balances, win)


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
    """Transactions by gaming day; balances carried over are of ``gaming_date``."""

    def __init__(
        self, old_ledger: Ledger, gaming_date: date | None = None, day: date | None = None
    ) -> None:
        self._books = old_ledger
        self._moved: list[Posting] = []
        self._before = gaming_date
        self.day = day

    @property
    def books(self) -> Ledger:
        self._books, self._moved = self._books.posted(self._moved), []
        return self._books

    def follow(self, entry: LoggedEntry) -> Iterator[Transaction]:
        if self.day is None:
            self.day = self._before or date.fromisoformat(entry.at[:10])
            if self._books.balances:
                yield Transaction(0, entry.at, self.day, OPENING, self._books.balances)
        for event in entry.events:
            event_postings = postings(event)
            if event_postings is None:
                if isinstance(event, acts.TableOpened):
                    self.day = event.gaming_date
                old_books = self.books
                self._books = booked(old_books, (event,))
                legs = _changes(old_books, self._books)
            elif day_postings := tuple(event_postings):
                legs = _legs(day_postings)
                if any(cents < 0 for _, _, cents in day_postings):
                    self._books.posted(day_postings)  # It raises an error.
                self._moved += day_postings
            else:
                if isinstance(event, acts.DuplicatesForwarded):
                    self.day = event.next_date or self.day
                continue
            if legs:
                yield Transaction(entry.seq, entry.at, self.day, type(event).__name__, legs)


def _legs(moves: Collection[Posting]) -> dict[str, int]:
    if len(moves) == 1:
        ((source, destination, cents),) = moves
        if not cents or source == destination:
            return {}
        if source < destination:
            return {source: -cents, destination: cents}
        return {destination: cents, source: -cents}
    legs: dict[str, int] = {}
    for source, destination, cents in moves:
        legs[source] = legs.get(source, 0) - cents
        legs[destination] = legs.get(destination, 0) + cents
    return {account: legs[account] for account in sorted(legs) if legs[account]}


def _changes(old_ledger: Ledger, new_ledger: Ledger) -> dict[str, int]:
    if new_ledger is old_ledger:
        return {}
    return {
        account: cents - old_ledger.balance(account)
        for account, cents in new_ledger.balances.items()
        if cents != old_ledger.balance(account)
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


class _AccountNames(dict[str, str]):
    """A valid name for each account, and no name twice: any text numbers a drop box."""

    def __init__(self, *accounts: str, pattern: str, replacement: str) -> None:
        self._head, self._wrong, self._instead = accounts, re.compile(pattern), replacement

    def __missing__(self, account: str) -> str:
        parts = (self._wrong.sub(self._instead, part) for part in account_path(account))
        name = ":".join((*self._head, *(part.strip(" -") or "0" for part in parts)))
        while name in self.values():
            name += "-2"
        self[account] = name
        return name


def beancount(transactions: Iterable[Transaction], title: str) -> Iterator[str]:
    """Yield a Beancount file; accounts are ``Assets``: only a balance's sign is defined."""
    names = _AccountNames("Assets", pattern=r"[\W_]+", replacement="-")
    title_text = title.replace("\\", "\\\\").replace('"', '\\"')
    yield f'option "title" "{title_text}"'
    code, amount_of = currency_in_use().code, currency_in_use().plain
    yield f'option "operating_currency" "{code}"'
    balances: dict[str, int] = {}
    end = None
    for transaction in transactions:
        for account in transaction.legs:
            if account not in balances:
                yield f"{transaction.day} open {names[account]} {code}"
        yield ""
        yield f'{transaction.day} * "{transaction.event}"'
        yield f"  entry: {transaction.entry}"
        yield f'  at: "{transaction.at}"'
        for account, cents in transaction.legs.items():
            balances[account] = balances.get(account, 0) + cents
            yield f"  {names[account]}  {amount_of(cents)} {code}"
        end = transaction.day if end is None else max(end, transaction.day)
    if end is None:
        return
    yield ""
    for account, cents in sorted(balances.items()):
        # An assertion applies at the beginning of its day.
        yield (f"{end + timedelta(days=1)} balance {names[account]}  {amount_of(cents)} {code}")


def hledger(transactions: Iterable[Transaction], title: str) -> Iterator[str]:
    currency = currency_in_use()
    sign, amount_of = currency.sign, currency.plain
    names = _AccountNames(pattern=r"[\s;]+", replacement=" ")
    yield f"; {' '.join(title.split())}"
    balances: dict[str, int] = {}
    end = None
    for transaction in transactions:
        yield ""
        yield f"{transaction.day} ({transaction.entry}) {transaction.event}  ; at: {transaction.at}"
        for account, cents in transaction.legs.items():
            balances[account] = balances.get(account, 0) + cents
            yield f"    {names[account]}  {sign}{amount_of(cents)}"
        end = transaction.day if end is None else max(end, transaction.day)
    if end is None:
        return
    yield ""
    yield f"{end} Closing balances"
    for account, cents in sorted(balances.items()):
        yield f"    {names[account]}  {sign}0 = {sign}{amount_of(cents)}"


def rows(transactions: Iterable[Transaction]) -> Iterator[str]:
    # The writer returns what ``write`` returns.
    line = csv.writer(SimpleNamespace(write=str), lineterminator="").writerow
    yield line(("entry", "at", "gaming_date", "event", "group", "account", "cents"))
    for transaction in transactions:
        entry, time, day, event, legs = astuple(transaction)
        for account, cents in legs.items():
            yield line((entry, time, day, event, account_path(account)[0], account, cents))
