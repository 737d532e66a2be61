"""Accounts of a table log by shoe, shift, and gaming day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from msgspec import Struct, field

from croupier import acts
from croupier.money import ledger
from croupier.money.ledger import Ledger
from croupier.table.house.tray import OPENING_SHIFT
from croupier.table.machine.bookkeeping import booked


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
        given = self.opened_cents + self.fills_cents + self.hand_pays_cents
        taken = self.drop_cents - self.drop_short_cents + self.forms_cents
        return self.win_cents == chips + taken - given

    def settle(self, begun: Ledger, now: Ledger) -> None:
        moved = {name: cents - begun.balance(name) for name, cents in now.balances.items()}
        self.tray_cents = now.balance(ledger.INVENTORY)
        self.fills_cents = -moved.get(ledger.FILLS, 0)
        self.credits_cents = moved.get(ledger.CREDITS, 0)
        self.in_transit_cents = moved.get(ledger.IN_TRANSIT, 0)
        self.forms_cents = moved.get(ledger.FORMS, 0)
        self.hand_pays_cents = -moved.get(ledger.HAND_PAYS, 0)
        self.win_cents = now.table_win_cents - begun.table_win_cents


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
        won = sum(shift.win_cents for shift in self.shifts)
        return super().reconciles and shifts and won == self.win_cents and self.meters_follow

    @property
    def meters_follow(self) -> bool:
        funded = self.meters_opened_cents + self.seed_funding_cents + self.contributions_cents
        return self.meters_cents == funded + self.linked_cents - self.awarded_cents


class TableAccounts(Struct):
    days: list[DayAccounts]
    balances: Mapping[str, int]
    win_cents: int


class AccountReader:
    def __init__(self, opening: Ledger | None = None) -> None:
        self.ledger: Ledger = opening or Ledger()
        self.days: list[DayAccounts] = []
        self._before: int = self.ledger.table_win_cents
        self._begun: Ledger = self.ledger
        self._shift_begun: Ledger = self.ledger
        self._shoe_won = 0

    def follow(self, event: acts.Event) -> None:
        won = self.ledger.table_win_cents
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
            self._shoe_won += self.ledger.table_win_cents - won
        if isinstance(event, acts.DuplicatesForwarded) and event.next_date is not None:
            self._settle_day()
            chips, shift = self.ledger.balance(ledger.INVENTORY), self.days[-1].shifts[-1].shift
            self._start_day(event.next_date, chips, shift)
            return
        self._note(event, won)

    def _note(self, event: acts.Event, won: int) -> None:
        day = self.days[-1]
        self._count(event, day)
        match event:
            case acts.ShoeLoaded():
                self._settle_shoe(won)
                day.shoes.append(ShoeAccounts(len(day.shoes) + 1, 0, 0))
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
                day.corrected_cents += won - self.ledger.table_win_cents
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

    def _settle_shoe(self, won: int) -> None:
        if self.days[-1].shoes:
            self.days[-1].shoes[-1].win_cents += won - self._shoe_won
        self._shoe_won = won

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
        won = self.ledger.table_win_cents - self._before
        return TableAccounts(self.days, self.ledger.balances, won)
