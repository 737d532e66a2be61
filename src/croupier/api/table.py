"""A table opened by one call, ready for wagers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time

from croupier import acts as commands
from croupier.api.rules import GameRules
from croupier.baccarat.cards import Card, parse_cards
from croupier.scenarios import plainest
from croupier.table import Phase
from croupier.table.machine.session import RefusedError, TableSession

__all__ = ["Card", "RefusedError", "TableSession", "commands", "open_table", "parse_cards"]

_INVENTORY_CENTS = 100_000_000
_MOST_STEPS = 2000


def open_table(
    rules: GameRules,
    patrons: Mapping[int, int],
    *,
    gaming_date: date | None = None,
    inventory_cents: int = _INVENTORY_CENTS,
) -> TableSession:
    """Open a table, seat patrons with chips, prepare a shoe, and advance to the first wagers.

    ``patrons`` are chips in cents by seat. The procedure takes its simplest course: patrons accept
    the cut, and an ace and a two are burned. Afterwards, pass cards and wagers as commands
    (``croupier.commands``) to ``execute``. The gaming date defaults to the first day on which the
    law was in force. Raises ``RefusedError`` for a seat, an amount or a date that the table
    refuses.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    >>> table = croupier.open_table(rules, {3: 100_000})
    >>> events = table.execute(croupier.commands.PlaceWager(3, "banker", 10_000))
    >>> table.state.phase.name, table.state.seats[3].chips_cents
    ('BETTING', 90000)
    """
    session = TableSession(rules.table)
    do, binding = session.execute, rules.table
    day = rules.in_force_from if gaming_date is None else gaming_date
    do(commands.OpenTable(inventory_cents, "Dealer", "Floorperson", day))
    if binding.applies("forms.prepared"):
        do(commands.ReceiveForms("Pit clerk", 1, 100))
    if binding.applies("decks.change"):
        do(commands.RecordTime(datetime.combine(day, time(), UTC)))
    for seat, cents in patrons.items():
        do(commands.SeatPatron(seat, f"Patron {seat}"))
        do(commands.BuyChips(seat, cents))
    for _ in range(_MOST_STEPS):
        action = session.due()
        if session.state.phase is Phase.BETTING and (
            action is None or action.command is commands.CallNoMoreBets
        ):
            return session
        if action is None:
            break
        do(plainest(session.state, session.rules, action))
    raise RuntimeError(f"the table cannot be made ready: it is {session.state.phase.value}")
