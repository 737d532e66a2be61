"""Accounts of a table's events at once, as the reader of a log makes them event by event."""

from __future__ import annotations

from collections.abc import Iterable

from croupier import acts
from croupier.money.ledger import Ledger
from croupier.records.accounts import AccountReader, TableAccounts


def accounts_of(events: Iterable[acts.Event], opening: Ledger | None = None) -> TableAccounts:
    """Return the accounts of a table's events, starting from its opening accounts."""
    reader = AccountReader(opening)
    for event in events:
        reader.follow(event)
    return reader.finish()
