"""Cards out of use: incomplete decks, or backs that differ."""

from __future__ import annotations

from typing import Final

from croupier.baccarat.cards import Card
from croupier.law.cite import cites
from croupier.rules import TableRules
from croupier.table.machine.core import Refusal
from croupier.table.machine.state import Phase, TableState

WRONG_CARDS: Final = {
    "surplus": "a card came out more often than the decks have it",
    "foreign": "a card of another deck was among them",
    "damaged": "a card was damaged",
}


def is_elsewhere(state: TableState, card: Card) -> bool:
    """Return whether every copy of a card was drawn; cards missing or too many prove nothing."""
    unseen = state.shoe.unseen
    # Of a shoe found empty nothing is counted any more, also if a card is found damaged later.
    counts = not state.flawed or (state.flawed == WRONG_CARDS["damaged"] and any(unseen))
    return counts and not unseen[card.index]


def fate_of(kind: str) -> str:
    """Return the name of the reading that decides a round with a wrong card of a kind."""
    return "damaged_card.fate" if kind == "damaged" else "wrong_card.fate"


def taken_out_under(flaw: str, rules: TableRules) -> tuple[str, ...]:
    """Return what has cards go out of use: the register, or the clause on a shoe that is short."""
    for kind, described in WRONG_CARDS.items():
        if flaw == described:
            return (rules.entry(fate_of(kind)),)
    return rules.cites("irregularity.insufficient")


@cites("decks")
def cards_flawed(state: TableState, rules: TableRules) -> Refusal | None:
    """Refuse to deal from or reshuffle cards that are out of use, or dealt once where elected."""
    if state.flawed:
        message = f"the cards are taken out of use first: {state.flawed}"
        return Refusal("cards_flawed", taken_out_under(state.flawed, rules), message)
    fresh = "fresh_decks.when"
    if state.phase is not Phase.SHOE_COMPLETED or rules.reading(fresh) != "every-shoe":
        return None
    message = "these decks were dealt once: remove them, and receive others"
    return Refusal("decks_used", (rules.entry(fresh),), message)
