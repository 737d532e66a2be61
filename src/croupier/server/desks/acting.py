"""Actors of a command."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from croupier.acts import Command
from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.server.grants import Grant
from croupier.table.machine import hooks
from croupier.table.machine.position import Actor, Position
from croupier.table.people.duty import Duty


def actors(grant: Grant, command: Command, position: Position) -> tuple[Actor, ...]:
    """Return the grant's holder and a dealer's patron."""
    row = TERMS[type(command).__name__]
    if grant.office == Role.DEALER and Role.PATRON in row.does and Role.DEALER not in row.does:
        seat = getattr(command, "seat", None)
        patron = position.state.seats.get(seat) if isinstance(seat, int) else None
        if patron is not None:
            return _for_patron(grant, patron.name, seat)
    return _alone(grant)


@lru_cache(4096)
def _alone(grant: Grant) -> tuple[Actor, ...]:
    return (grant.actor,)


@lru_cache(4096)
def _for_patron(grant: Grant, patron: str, seat: int) -> tuple[Actor, ...]:
    own = grant.actor
    return Actor(patron, Role.PATRON, own.device, seat), own


def completed(data: dict[str, Any], grant: Grant) -> dict[str, Any]:
    """Fill in a command's missing names from the grant."""
    row = TERMS.get(str(data.get("type")))
    if row is None or not row.names:
        return data
    mine = {name: grant.person for name, office in row.names.items() if office == grant.office}
    return {**mine, **data}


def dealing_actor(position: Position, device: str) -> tuple[Actor, ...]:
    """Return the curator with the shoe, or the dealer."""
    state = position.state
    seat = hooks.seat_that_deals.ask(state)
    if seat is not None and seat in state.seats:
        return (Actor(state.seats[seat].name, Role.PATRON, device, seat),)
    held = state[Duty].persons(Role.DEALER)
    return (Actor(held[0], Role.DEALER, device),) if held else ()
