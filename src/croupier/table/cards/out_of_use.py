"""Cards out of use: incomplete decks, or backs that differ."""

from __future__ import annotations

from croupier.law.cite import cites
from croupier.rules import TableRules
from croupier.table.machine.core import Refusal
from croupier.table.machine.state import TableState


@cites("decks")
def cards_flawed(state: TableState, rules: TableRules) -> Refusal | None:
    """Refuse to deal from or reshuffle cards that are out of use."""
    if not state.flawed:
        return None
    message = f"the cards are taken out of use first: {state.flawed}"
    return Refusal("cards_flawed", rules.cites("decks"), message)
