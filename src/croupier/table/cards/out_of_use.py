"""Cards that are not whole decks, or not alike: they are taken out of use."""

from __future__ import annotations

from croupier.law.cite import cites
from croupier.rules import TableRules
from croupier.table.machine.core import Refusal
from croupier.table.machine.state import TableState


@cites("decks")
def cards_flawed(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why nothing more is dealt from the cards in use, and they are not shuffled again."""
    if not state.flawed:
        return None
    message = f"the cards are taken out of use first: {state.flawed}"
    return Refusal("cards_flawed", rules.cites("decks"), message)
