"""How the cards of the deal are placed."""

from __future__ import annotations

from typing import Final, NamedTuple

from croupier.rules import TableRules
from croupier.table.dealing.dealing import card_due
from croupier.table.machine.state import TableState


class Prompt(NamedTuple):
    """Instructions for the dealer, with their clauses."""

    words: str
    clauses: tuple[str, ...]


_WAYS: Final = ("deal.face_up", "deal.face_down", "deal.hand_over")


def dealing_prompt(state: TableState, rules: TableRules) -> Prompt | None:
    """Return how the first four cards of a round are dealt and placed, if one is due."""
    round_ = state.round
    if round_ is None or not card_due(state) or len(round_.coup.banker) == 2:
        return None
    for rule_id in _WAYS:
        if rules.applies(rule_id):
            return Prompt(rules.law.rules[rule_id].does, rules.cites(rule_id))
    return None
