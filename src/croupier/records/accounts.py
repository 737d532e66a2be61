"""The accounts of a table log: what the table won by shoe and by gaming day, and how it follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction

from msgspec import Struct, field

from croupier import acts
from croupier.money import ledger
from croupier.money.ledger import Ledger
from croupier.table.machine.bookkeeping import booked


class ShoeAccounts(Struct):
    """What a table won in one shoe, in cents, and the rounds dealt from it."""

    number: int
    rounds: int
    win_cents: int


class DayAccounts(Struct):
    """One gaming day of a table, in cents.

    ``win_cents`` follows from the others: drop, Forms, credits and the tray at the end, less the
    tray at the beginning, the fills and the awards due by hand. What meters show at the end, with
    their reserve, follows from what they showed at the opening, seeds, contributions and awards,
    and from ``linked_cents``, what other tables of a link put into them less what those awarded.
    ``tray_cents`` is what the tray holds at the end, by its closing count where ``is_counted``.
    What counts found missing stands in ``drop_short_cents`` and ``tray_short_cents``, below nothing
    where they found more. What corrected settlements paid patrons, less what those returned,
    stands in ``corrected_cents``, and of it what is kept for patrons who have left in
    ``unpaid_cents``; ``paid_later_cents`` is what such patrons came back for, and
    ``uncollected_cents`` what patrons owe for good.
    """

    gaming_date: date
    opened_cents: int
    tray_cents: int = 0
    is_counted: bool = False
    is_closed: bool = False
    fills_cents: int = 0
    credits_cents: int = 0
    drop_cents: int = 0
    coupon_cents: int = 0
    vigorish_cents: int = 0
    forms_cents: int = 0
    in_transit_cents: int = 0
    hand_pays_cents: int = 0
    meters_opened_cents: int = 0
    seed_funding_cents: int = 0
    contributions_cents: int = 0
    awarded_cents: int = 0
    linked_cents: int = 0
    meters_cents: int = 0
    meters_off_cents: int = 0
    drop_short_cents: int = 0
    tray_short_cents: int = 0
    corrected_cents: int = 0
    unpaid_cents: int = 0
    paid_later_cents: int = 0
    uncollected_cents: int = 0
    win_cents: int = 0
    rounds: int = 0
    shoes: list[ShoeAccounts] = field(default_factory=list)

    @property
    def hold(self) -> Fraction | None:
        """The share of the drop that the table won; ``None`` where nothing was dropped."""
        return Fraction(self.win_cents, self.drop_cents) if self.drop_cents else None

    @property
    def reconciles(self) -> bool:
        """Whether the win is what the other amounts say: money neither appeared nor vanished."""
        chips = self.tray_cents + self.in_transit_cents + self.credits_cents
        given = self.opened_cents + self.fills_cents + self.hand_pays_cents
        taken = self.drop_cents - self.drop_short_cents + self.forms_cents
        return self.win_cents == chips + taken - given and self.meters_follow

    @property
    def meters_follow(self) -> bool:
        """Whether the meters show what went into them and was not awarded."""
        funded = self.meters_opened_cents + self.seed_funding_cents + self.contributions_cents
        return self.meters_cents == funded + self.linked_cents - self.awarded_cents


class TableAccounts(Struct):
    """Every gaming day of a log, what they won, and the balances of all accounts at its end."""

    days: list[DayAccounts]
    balances: Mapping[str, int]
    win_cents: int


class AccountReader:
    """Follows events through the ledger, and notes where shoes and days begin and end.

    ``opening`` are the accounts that a log carries over from the one that it continues.
    """

    def __init__(self, opening: Ledger | None = None) -> None:
        self.ledger: Ledger = opening or Ledger()
        self.days: list[DayAccounts] = []
        self._before: int = self.ledger.table_win_cents
        self._begun: Ledger = self.ledger
        self._shoe_won = 0

    def follow(self, event: acts.Event) -> None:
        """Book an event; note what it means for shoe and day."""
        won = self.ledger.table_win_cents
        if isinstance(event, acts.TableOpened):
            self._settle_day()
            self._begin_day(event)
            return
        self.ledger = booked(self.ledger, (event,))
        if not self.days:
            return
        if isinstance(event, (acts.DropCounted, acts.InventoryCounted)):
            # What a count finds missing was lost by the day, and not in the cards of a shoe.
            self._shoe_won += self.ledger.table_win_cents - won
        if isinstance(event, acts.DuplicatesForwarded) and event.next_date is not None:
            self._settle_day()
            self._start_day(event.next_date, self.ledger.balance(ledger.INVENTORY))
            return
        self._note(event, won)

    def _note(self, event: acts.Event, won: int) -> None:
        """Note what an event means for the day and its shoe."""
        day = self.days[-1]
        match event:
            case acts.ShoeLoaded():
                self._settle_shoe(won)
                day.shoes.append(ShoeAccounts(len(day.shoes) + 1, 0, 0))
            case acts.NoMoreBetsCalled():
                day.rounds += 1
                if day.shoes:
                    day.shoes[-1].rounds += 1
            case acts.TableClosed():
                day.is_closed = True
                self._settle_shoe(self.ledger.table_win_cents)
            case acts.InventoryCounted(closing=True):
                day.is_counted = True
                day.tray_short_cents += event.expected_cents - event.cents
            case acts.DropCounted():
                day.drop_short_cents += event.expected_cents - event.cash_cents
            case acts.ChipsBought():
                day.drop_cents += event.cents
            case acts.SettlementCorrected():
                # What was handed over besides the record is in the win, too.
                day.corrected_cents += won - self.ledger.table_win_cents
            case acts.MetersReconciled():
                day.meters_off_cents = sum(event.shown.values()) - sum(event.expected.values())

    def _begin_day(self, event: acts.TableOpened) -> None:
        self.ledger = booked(self.ledger, (event,))
        self._start_day(event.gaming_date, event.inventory_cents)

    def _start_day(self, gaming_date: date, opened_cents: int) -> None:
        self._begun = self.ledger
        self._shoe_won = self.ledger.table_win_cents
        day = DayAccounts(gaming_date, opened_cents)
        day.meters_opened_cents = ledger.meters_of(self.ledger.balances)
        self.days.append(day)

    def _settle_shoe(self, won: int) -> None:
        """Give what was won since the last shoe began to the shoe that is in use."""
        if self.days[-1].shoes:
            self.days[-1].shoes[-1].win_cents += won - self._shoe_won
        self._shoe_won = won

    def _settle_day(self) -> None:
        """Say of the last day what its accounts have come to."""
        if not self.days:
            return
        self._settle_shoe(self.ledger.table_win_cents)
        day = self.days[-1]
        day.tray_cents = self.ledger.balance(ledger.INVENTORY)
        day.fills_cents = -self._moved(ledger.FILLS)
        day.hand_pays_cents = -self._moved(ledger.HAND_PAYS)
        day.seed_funding_cents = -self._moved(ledger.SEED_FUNDING)
        day.contributions_cents = -self._moved(ledger.CONTRIBUTIONS)
        day.awarded_cents = self._moved(ledger.AWARDED)
        day.linked_cents = -self._moved(ledger.LINKED_METERS)
        day.meters_cents = ledger.meters_of(self.ledger.balances)
        day.in_transit_cents = self._moved(ledger.IN_TRANSIT)
        day.credits_cents = self._moved(ledger.CREDITS)
        day.vigorish_cents = self._moved(ledger.VIGORISH_TAKEN)
        day.forms_cents = self._moved(ledger.FORMS)
        day.paid_later_cents = self._moved(ledger.PAID_LATER)
        day.unpaid_cents = self._moved(ledger.UNPAID) + day.paid_later_cents
        day.uncollected_cents = self._moved(ledger.UNCOLLECTED)
        day.coupon_cents = self._moved(ledger.COUPON_DROP)
        day.win_cents = self.ledger.table_win_cents - self._begun.table_win_cents

    def _moved(self, account: str) -> int:
        return self.ledger.balance(account) - self._begun.balance(account)

    def finish(self) -> TableAccounts:
        """Return the accounts as they stand."""
        self._settle_day()
        won = self.ledger.table_win_cents - self._before
        return TableAccounts(self.days, self.ledger.balances, won)


def accounts_of(events: Iterable[acts.Event], opening: Ledger | None = None) -> TableAccounts:
    """Return the accounts that the events of a table make, in order, from its opening accounts.

    >>> opened = acts.TableOpened(1_000_000, "Lee", "Ray", date(2011, 2, 22), {}, ())
    >>> bought = acts.ChipsBought(3, 40_000, ())
    >>> day, = accounts_of((opened, bought)).days
    >>> day.drop_cents, day.tray_cents, day.win_cents, day.reconciles
    (40000, 960000, 0, True)
    """
    reader = AccountReader(opening)
    for event in events:
        reader.follow(event)
    return reader.finish()
