"""Titles of acts, and how the cards of the deal are placed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from croupier.acts.command import TERMS
from croupier.baccarat.coup import Hand
from croupier.rules import TableRules
from croupier.table.cards.mixing import step_due
from croupier.table.dealing.dealing import card_due
from croupier.table.machine.core import Action
from croupier.table.machine.state import Phase, TableState

_STEPS: Final[Mapping[str | None, str]] = {
    "plug": "Plug the cards behind the cutting card",
    "riffle": "Riffle the stack",
    "turn": "Turn one half of the stack",
    "strip": "Strip the stack",
    None: "Go on with the shuffle",
}
_ORDINAL: Final = ("first", "second", "third")


def act_in_words(action: Action, state: TableState, rules: TableRules) -> str:
    words = TERMS[action.command.__name__].title
    if "{" not in words:
        return words
    hand = hand_meant(state).title
    return words.format(
        seat=action.seat or "?", hand=hand, draw=_drawn(state), step=_STEPS[step_due(state, rules)]
    )


def hand_meant(state: TableState) -> Hand:
    """Hand on offer, to be turned, or due a card; otherwise Player's Hand."""
    round_ = state.round
    if round_ is None:
        return Hand.PLAYER
    if round_.offering is not None:
        return round_.offering.hand
    return round_.down[0] if round_.down else round_.coup.due or Hand.PLAYER


def _drawn(state: TableState) -> str:
    round_ = state.round
    if state.to_discard:
        return f"Discard a card: {state.to_discard} to go"
    if state.phase is Phase.TO_BURN:
        return "Burn the first card" if state.to_burn is None else f"Burn {state.to_burn} more"
    # The destination of a third card follows from the hands, and is secret while they are face
    # down.
    hand = None if round_ is None or not card_due(state) else round_.coup.due
    if round_ is None or hand is None:
        return "Draw the next card"
    return f"Draw the {_ORDINAL[len(round_.coup.hand(hand))]} card to {hand.title}"


class Prompt(NamedTuple):
    words: str
    clauses: tuple[str, ...]


def dealing_prompt(state: TableState, rules: TableRules) -> Prompt | None:
    """Prompt to deal and place the first four cards of a round, if one is due."""
    round_ = state.round
    if round_ is None or not card_due(state) or len(round_.coup.banker) == 2:
        return None
    for rule_id in ("deal.face_up", "deal.face_down", "deal.hand_over"):
        if rules.applies(rule_id):
            return Prompt(rules.law.rules[rule_id].does, rules.cites(rule_id))
    return None
