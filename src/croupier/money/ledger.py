"""A double-entry ledger in integer cents; a balance is inflow minus outflow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

CAGE: Final = "cage"
"""The cage: source of the table's chips and destination of patrons' chips."""
INVENTORY: Final = "inventory"
"""The chips in the table's rack."""
CASH: Final = "cash"
"""Patrons' cash before it is exchanged at the table."""
DROP: Final = "drop"
"""The cash in the drop box."""
COUPONS: Final = "coupons"
"""Match play coupons in patrons' hands."""
COUPON_DROP: Final = "coupon drop"
"""Match play coupons collected."""
VIGORISH: Final = "vigorish"
"""Vigorish due: a contra account."""
VIGORISH_TAKEN: Final = "vigorish taken"
"""Vigorish collected in chips."""
FORMS: Final = "forms"
"""Vigorish on Complimentary Vigorish Forms."""
UNCOLLECTED: Final = "uncollected"
"""Vigorish written off, and overpayments found later."""
DIFFERENCES: Final = "differences"
"""Overpayments found later: the contra account."""
UNPAID: Final = "unpaid"
"""Chips kept for underpaid patrons who had left."""
PAID_LATER: Final = "paid later"
"""Amounts kept for departed patrons, paid when they returned."""
FILLS: Final = "fills"
"""Chips sent by the cage while the table was open."""
CREDITS: Final = "credits"
"""Chips returned to the cage while the table was open."""
IN_TRANSIT: Final = "in transit"
"""Chips in transit between table and cage."""
COUNT_ROOM: Final = "count room"
"""Cash counted out of the table's drop boxes."""
VARIANCE: Final = "variance"
"""Differences of counts: the contra account."""
COMPLIMENTARIES: Final = "complimentaries"
"""Complimentaries: the contra account."""
CONTRIBUTIONS: Final = "contributions"
"""Contributions to progressive meters: the contra account. The chips stay in the rack."""
SEED_FUNDING: Final = "seed funding"
"""House funding of meter seeds."""
RESERVE: Final = "meter reserve"
"""Contributions above a must-hit amount, carried to the next meter."""
AWARDED: Final = "awarded"
LINKED_METERS: Final = "linked meters"
"""Net contributions of other tables to linked meters, less their awards."""
HAND_PAYS: Final = "hand pays"
"""Awards paid by hand rather than from the rack, a loss of the table as fills are."""
HAND_PAYS_DUE: Final = "hand pays due"
PAID_BY_HAND: Final = "paid by hand"


_BOX: Final = "drop box:"
_METER: Final = "meter:"


@cache
def patron(seat: int) -> str:
    """Account of a patron's chips."""
    return f"patron:{seat}"


@cache
def layout(seat: int) -> str:
    """Account of a patron's stakes."""
    return f"layout:{seat}"


@cache
def owed(seat: int) -> str:
    """Account of a patron's marked vigorish."""
    return f"owed:{seat}"


@cache
def meter(name: str) -> str:
    return f"{_METER}{name}"


def meters_of(balances: Mapping[str, int]) -> int:
    total = sum(cents for account, cents in balances.items() if account.startswith(_METER))
    return total + balances.get(RESERVE, 0)


@cache
def drop_box(number: str) -> str:
    """Account of a removed drop box's cash."""
    return f"{_BOX}{number}"


@cache
def coupon_box(number: str) -> str:
    """Account of a removed drop box's coupons."""
    return f"coupons in box:{number}"


Posting: TypeAlias = tuple[str, str, int]
"""A transfer: source, destination, cents."""


def moved(source: str, destination: str, cents: int) -> tuple[Posting, ...]:
    """Return the postings for an amount, reversed if it is negative."""
    if cents < 0:
        source, destination = destination, source
    return ((source, destination, abs(cents)),) if cents else ()


OUTSIDE: Final = frozenset(
    {
        CAGE, CASH, COMPLIMENTARIES, CONTRIBUTIONS, COUPONS, CREDITS, DIFFERENCES, FILLS, HAND_PAYS,
        LINKED_METERS, SEED_FUNDING, VARIANCE, VIGORISH,
    }
)  # fmt: skip
"""Accounts outside the table, which may be negative."""

_WIN: Final = (INVENTORY, IN_TRANSIT, DROP, COUNT_ROOM, FORMS, FILLS, CREDITS, HAND_PAYS)


class Ledger:
    """The balances of a table's accounts.

    >>> ledger = Ledger().posted([(CAGE, INVENTORY, 5000), (INVENTORY, patron(3), 100)])
    >>> ledger.balance(INVENTORY), ledger.in_balance
    (4900, True)
    """

    __slots__ = ("_balances", "_opened_with")

    def __init__(
        self, balances: Mapping[str, int] | None = None, opened_with_cents: int = 0
    ) -> None:
        self._balances = dict(balances or {})
        self._opened_with = opened_with_cents

    def posted(self, postings: Iterable[Posting]) -> Ledger:
        """Ledger after postings. Raises ``ValueError`` for a negative amount."""
        ledger = Ledger(self._balances, self._opened_with)
        balances = ledger._balances
        for source, destination, cents in postings:
            if cents < 0:
                raise ValueError(f"{source} to {destination}: {cents} cents cannot move")
            balances[source] = balances.get(source, 0) - cents
            balances[destination] = balances.get(destination, 0) + cents
        return ledger

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ledger):
            return NotImplemented
        return self._balances == other._balances and self._opened_with == other._opened_with

    def __hash__(self) -> int:
        return hash((frozenset(self._balances.items()), self._opened_with))

    def balance(self, account: str) -> int:
        return self._balances.get(account, 0)

    @property
    def balances(self) -> Mapping[str, int]:
        return dict(sorted(self._balances.items()))

    @property
    def in_balance(self) -> bool:
        """Whether balances sum to zero, and no account is improperly negative."""
        return sum(self._balances.values()) == 0 and self.short is None

    @property
    def short(self) -> tuple[str, int] | None:
        """The first improperly negative account, and the cents missing."""
        for account, balance in self._balances.items():
            if balance < 0 and account not in OUTSIDE:
                return account, -balance
        return None

    @property
    def table_win_cents(self) -> int:
        """Chips, drop, Forms, and credits, less opening, fills, hand pays, and shortages."""
        boxes = sum(cents for account, cents in self._balances.items() if account.startswith(_BOX))
        return boxes + sum(map(self.balance, _WIN)) - self._opened_with

    @property
    def opened_with_cents(self) -> int:
        return self._opened_with

    def opened(self, cents: int) -> Ledger:
        """Ledger after opening with ``cents``; the cage supplies the difference."""
        difference = cents - self.balance(INVENTORY)
        source, destination = (CAGE, INVENTORY) if difference >= 0 else (INVENTORY, CAGE)
        chips = self.posted([(source, destination, abs(difference))])
        return Ledger(chips.balances, self._opened_with + difference)

    def reading(self, shown: Mapping[str, int]) -> list[Posting]:
        """Return the postings that set linked meters to ``shown``; other tables contribute."""
        return list(self._set(shown, LINKED_METERS, LINKED_METERS))

    def metering(self, shown: Mapping[str, int]) -> list[Posting]:
        """Return the postings that set meters to ``shown``; the house funds a new meter."""
        return list(self._set(shown, SEED_FUNDING, CONTRIBUTIONS))

    def _set(self, readings: Mapping[str, int], if_new: str, source: str) -> Iterator[Posting]:
        for name, cents in readings.items():
            account = meter(name)
            counterpart = source if account in self._balances else if_new
            added = cents - self.balance(account)
            yield (counterpart, account, added) if added >= 0 else (account, counterpart, -added)
