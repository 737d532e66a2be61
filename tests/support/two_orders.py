"""A sealed shoe whose cards that are not drawn yet may lie in one of two orders.

An answer that depends on a card still in the shoe differs between two requests that are alike.
"""

from __future__ import annotations

import re
from typing import Final

from croupier.baccarat.cards import Card
from croupier.server.desks import shoe
from support.served import Served

_ORDER_OF: Final = shoe.order_of
VOLATILE: Final = re.compile(r'(?:[A-Za-z0-9_-]{16,}|"(?:at|until)":\d+|\d+\.\d+(?:e-?\d+)?)')


class TwoOrders:
    """Returns the true order of a shoe, or with ``others`` that with the rest of it reversed."""

    def __init__(self, house: Served) -> None:
        self._house: Final = house
        self.others = False

    def order(self, secret: str, decks: int) -> tuple[Card, ...]:
        """Return the order of a shoe: in place of ``shoe.order_of``."""
        true = _ORDER_OF(secret, decks)
        if not self.others:
            return true
        state = self._house.service.tables["MB-101"].desk.ahead.state
        taken = len(true) - state.shoe.remaining if state.shoe.remaining else 0
        cut = state.cut.position or 0
        dealt = [*true[cut:], *true[:cut]]
        rest = [*dealt[:taken], *reversed(dealt[taken:])]
        return (*rest[len(true) - cut :], *rest[: len(true) - cut])


def plain(text: str) -> str:
    """Return a text without what differs between two answers that are alike."""
    return VOLATILE.sub("*", text)
