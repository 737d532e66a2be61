"""A table opened by one call, ready for wagers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time

from croupier import acts as commands
from croupier.acts import Command
from croupier.api.rules import GameRules
from croupier.baccarat import cards as notation
from croupier.baccarat.cards import Card, Cards
from croupier.records.codec import checked
from croupier.scenarios import plainest
from croupier.table import Phase
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import RefusedError, TableSession

__all__ = ["Card", "LiveTable", "RefusedError", "open_table", "parse_cards"]

_INVENTORY_CENTS = 100_000_000
_MOST_STEPS = 2000


class LiveTable(TableSession):
    """A table in use, made by ``open_table``."""

    def try_execute(self, command: Command, stamp: Stamp | None = None) -> Events | Refusal:
        """Carry out a command if permitted, and return its events or the refusal.

        A card may be text. Raises ``TypeError``, which names every field of another type.
        """
        return super().try_execute(checked(command), stamp)


def parse_cards(cards: Cards) -> tuple[Card, ...]:
    """Return the cards of a text, of a card, or of a sequence of either.

    Raises ``ValueError`` for text that names no cards, and ``TypeError`` for anything else.
    """
    return notation.parse_cards(notation.cards_text(cards))


def open_table(
    rules: GameRules,
    patrons: Mapping[int, int],
    *,
    gaming_date: date | None = None,
    inventory_cents: int = _INVENTORY_CENTS,
) -> LiveTable:
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
    session = LiveTable(rules.table)
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
