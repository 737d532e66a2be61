"""Verification by the floorperson of what the dealer has done with the cards."""

from __future__ import annotations

from croupier.acts.roles import Role
from croupier.table.machine.core import Refusal
from croupier.table.machine.state import TableState
from croupier.table.people.duty import Duty


def not_verified_by(
    state: TableState, floorperson: str, cards: str, clauses: tuple[str, ...]
) -> Refusal | None:
    if not floorperson:
        return Refusal("nobody", clauses, f"name the floorperson who verifies {cards}")
    assigned = state[Duty].persons(Role.FLOORPERSON)
    if assigned and floorperson not in assigned:
        message = f"{floorperson} is not the floorperson of this table: {assigned[0]} is"
        return Refusal("not_on_duty", clauses, message)
    return None
