"""A double-entry ledger in integer cents: every chip that moves leaves one account for another.

Accounts are named by what they are, with a seat where there is one: ``patron:3``. An account's
balance is what has come in less what has gone out, so that all balances together are always
nothing, and what the outside world gave stands as a negative balance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, TypeAlias

__all__ = [
    "CAGE", "CASH", "COMPLIMENTARIES", "COUPONS", "COUPON_DROP", "DROP", "FORMS", "INVENTORY",
    "VIGORISH", "VIGORISH_TAKEN", "Ledger", "Posting", "layout", "owed", "patron",
]  # fmt: skip

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
COMPLIMENTARIES: Final = "complimentaries"
"""What was recorded as given to patrons: the other side of their complimentaries."""


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


Posting: TypeAlias = tuple[str, str, int]
"""An amount that leaves one account for another: source, destination, cents."""


class Ledger:
    """The balances of a table's accounts.

    >>> ledger = Ledger()
    >>> ledger.post([(CAGE, INVENTORY, 5000), (INVENTORY, patron(3), 100)])
    >>> ledger.balance(INVENTORY), ledger.in_balance
    (4900, True)
    """

    def __init__(self) -> None:
        self._balances: dict[str, int] = {}
        self._opened_with = 0

    def post(self, postings: Iterable[Posting]) -> None:
        """Enter postings. Raises ``ValueError`` for a negative amount."""
        balances = self._balances
        for source, destination, cents in postings:
            if cents < 0:
                raise ValueError(f"{source} to {destination}: {cents} cents cannot move")
            balances[source] = balances.get(source, 0) - cents
            balances[destination] = balances.get(destination, 0) + cents

    def balance(self, account: str) -> int:
        """Return an account's balance in cents."""
        return self._balances.get(account, 0)

    @property
    def balances(self) -> Mapping[str, int]:
        """Every account that was ever posted to, by name."""
        return dict(sorted(self._balances.items()))

    @property
    def in_balance(self) -> bool:
        """Whether all balances together are nothing, and nobody has less than nothing."""
        outside = {CAGE, CASH, COUPONS, VIGORISH, COMPLIMENTARIES}
        return sum(self._balances.values()) == 0 and all(
            balance >= 0 for account, balance in self._balances.items() if account not in outside
        )

    @property
    def table_win_cents(self) -> int:
        """What the table has won: cash, chips and Forms at the table, less the chips it was given.

        Chips that patrons have carried to the cage are theirs, so they are no part of it; vigorish
        that was documented instead of collected is.
        """
        given = sum(self._balances.get(account, 0) for account in (INVENTORY, DROP, FORMS))
        return given - self._opened_with

    def open_with(self, cents: int) -> None:
        """Note the chips that the table was opened with."""
        self._opened_with += cents
        self.post([(CAGE, INVENTORY, cents)])
