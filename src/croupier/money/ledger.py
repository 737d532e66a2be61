"""A double-entry ledger in integer cents: every chip that moves leaves one account for another.

Accounts are named by what they are, with a seat where there is one: ``patron:3``. An account's
balance is what has come in less what has gone out, so that all balances together are always
nothing, and what the outside world gave stands as a negative balance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias

CAGE: Final = "cage"
"""Where the table's chips come from, and where patrons carry theirs to."""
INVENTORY: Final = "inventory"
"""The chips in the table's rack."""
CASH: Final = "cash"
"""Patrons' cash, before it comes to the table."""
DROP: Final = "drop"
"""The cash in the drop box."""
COUPONS: Final = "coupons"
"""Match play coupons in patrons' hands."""
COUPON_DROP: Final = "coupon drop"
"""Match play coupons collected."""
VIGORISH: Final = "vigorish"
"""Vigorish that has become due: the other side of what is owed or taken."""
VIGORISH_TAKEN: Final = "vigorish taken"
"""Vigorish collected in chips."""
FORMS: Final = "forms"
"""Vigorish documented on Complimentary Vigorish Forms instead."""
UNCOLLECTED: Final = "uncollected"
"""What patrons owe and is not collected: vigorish that a supervisor wrote off, and what a corrected
settlement found that they were given too much."""
DIFFERENCES: Final = "differences"
"""What corrected settlements found that patrons were given too much: the other side of it."""
UNPAID: Final = "unpaid"
"""Chips kept for patrons who had left when they were found to have been given too little."""
PAID_LATER: Final = "paid later"
"""What was kept for patrons who had left, and was paid to them when they came back."""
FILLS: Final = "fills"
"""Chips that the cage sent to the table while it was open."""
CREDITS: Final = "credits"
"""Chips that the cage took back from the table while it was open."""
IN_TRANSIT: Final = "in transit"
"""Chips on their way between table and cage."""
COUNT_ROOM: Final = "count room"
"""Cash that was counted out of the table's drop boxes."""
VARIANCE: Final = "variance"
"""What counts have found to be otherwise than the record: the other side of it."""
COMPLIMENTARIES: Final = "complimentaries"
"""What was recorded as given to patrons: the other side of their complimentaries."""
CONTRIBUTIONS: Final = "contributions"
"""The shares of stakes that went into progressive meters: the other side of what is owed to them.

The chips of a stake stay in the rack: a meter is what the house owes, and no part of the win.
"""
SEED_FUNDING: Final = "seed funding"
"""What the house put into meters so that they begin at their seeds."""
RESERVE: Final = "meter reserve"
"""Shares beyond the amount by which a meter must be hit, which go into the next one."""
AWARDED: Final = "awarded"
"""What meters have paid out."""
LINKED_METERS: Final = "linked meters"
"""What other tables of a link have put into meters that all show, less what they awarded."""
HAND_PAYS: Final = "hand pays"
"""Awards that the house pays by hand for the table, and not from its rack: as fills, a loss."""
HAND_PAYS_DUE: Final = "hand pays due"
"""Awards that patrons are still to be paid by hand."""
PAID_BY_HAND: Final = "paid by hand"
"""Awards that patrons were paid by hand."""


_BOX: Final = "drop box:"
_METER: Final = "meter:"


@cache
def patron(seat: int) -> str:
    """Return the account of a patron's chips."""
    return f"patron:{seat}"


@cache
def layout(seat: int) -> str:
    """Return the account of a patron's stakes on the layout."""
    return f"layout:{seat}"


@cache
def owed(seat: int) -> str:
    """Return the account of the vigorish that a patron's marker shows."""
    return f"owed:{seat}"


@cache
def meter(name: str) -> str:
    """Return the account of what a progressive meter shows."""
    return f"{_METER}{name}"


def meters_of(balances: Mapping[str, int]) -> int:
    """Return what the meters show by these balances, with their reserve, in cents."""
    shown = sum(held for account, held in balances.items() if account.startswith(_METER))
    return shown + balances.get(RESERVE, 0)


@cache
def drop_box(number: str) -> str:
    """Return the account of the cash in a drop box that was taken from the table."""
    return f"{_BOX}{number}"


@cache
def coupon_box(number: str) -> str:
    """Return the account of the coupons in a drop box that was taken from the table."""
    return f"coupons in box:{number}"


Posting: TypeAlias = tuple[str, str, int]
"""An amount that leaves one account for another: source, destination, cents."""


_OUTSIDE: Final = frozenset(
    {
        CAGE, CASH, COMPLIMENTARIES, CONTRIBUTIONS, COUPONS, CREDITS, DIFFERENCES, FILLS, HAND_PAYS,
        LINKED_METERS, SEED_FUNDING, VARIANCE, VIGORISH,
    }
)  # fmt: skip
"""Accounts of the outside world: a negative balance is what it gave."""

_WIN: Final = (INVENTORY, IN_TRANSIT, DROP, COUNT_ROOM, FORMS, FILLS, CREDITS, HAND_PAYS)


class Ledger:
    """The balances of a table's accounts. Immutable: a posting makes another ledger.

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
        """Return the ledger after postings. Raises ``ValueError`` for a negative amount."""
        after = Ledger(self._balances, self._opened_with)
        balances = after._balances
        for source, destination, cents in postings:
            if cents < 0:
                raise ValueError(f"{source} to {destination}: {cents} cents cannot move")
            balances[source] = balances.get(source, 0) - cents
            balances[destination] = balances.get(destination, 0) + cents
        return after

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ledger):
            return NotImplemented
        return self._balances == other._balances and self._opened_with == other._opened_with

    def __hash__(self) -> int:
        return hash((frozenset(self._balances.items()), self._opened_with))

    def balance(self, account: str) -> int:
        """Return an account's balance in cents."""
        return self._balances.get(account, 0)

    @property
    def balances(self) -> Mapping[str, int]:
        """Every account that was ever posted to, by name."""
        return dict(sorted(self._balances.items()))

    @property
    def in_balance(self) -> bool:
        """Whether all balances together are nothing, and no account is negative."""
        return sum(self._balances.values()) == 0 and self.short is None

    @property
    def short(self) -> tuple[str, int] | None:
        """The first account that is negative but may not be, and the cents missing."""
        for account, balance in self._balances.items():
            if balance < 0 and account not in _OUTSIDE:
                return account, -balance
        return None

    @property
    def table_win_cents(self) -> int:
        """What the table has won: chips, drop, Forms and credits, less its opening and its fills.

        Awards that are paid by hand are its loss, as those from the rack are.
        Chips that patrons have carried to the cage are theirs, so they are no part of it; vigorish
        that was documented instead of collected is. What a count found missing is lost.
        """
        boxes = sum(held for account, held in self._balances.items() if account.startswith(_BOX))
        return boxes + sum(map(self.balance, _WIN)) - self._opened_with

    @property
    def opened_with_cents(self) -> int:
        """The chips that the openings of the table brought to it, all together."""
        return self._opened_with

    def opened(self, cents: int) -> Ledger:
        """Return the ledger of a table that opened with so many chips in its tray.

        What the tray held before counts among them; the cage gives or takes the difference.
        """
        brought = cents - self.balance(INVENTORY)
        source, destination = (CAGE, INVENTORY) if brought >= 0 else (INVENTORY, CAGE)
        chips = self.posted([(source, destination, abs(brought))])
        return Ledger(chips.balances, self._opened_with + brought)

    def reading(self, shown: Mapping[str, int]) -> list[Posting]:
        """Return what moves so that the accounts of linked meters hold what these show, in cents.

        The difference is what other tables of the link have put in, or taken out.
        """
        moved = []
        for name, cents in shown.items():
            account = meter(name)
            more = cents - self.balance(account)
            parties = (LINKED_METERS, account) if more >= 0 else (account, LINKED_METERS)
            moved.append((*parties, abs(more)))
        return moved

    def metering(self, shown: Mapping[str, int]) -> list[Posting]:
        """Return what moves so that the accounts of meters hold what these show, in cents.

        A meter that had no account yet begins: the house funds what it shows. What another one
        shows more than it held came from the stakes of a round.
        """
        moved = []
        for name, cents in shown.items():
            account = meter(name)
            more = cents - self.balance(account)
            source = CONTRIBUTIONS if account in self._balances else SEED_FUNDING
            parties = (source, account) if more >= 0 else (account, source)
            moved.append((*parties, abs(more)))
        return moved
