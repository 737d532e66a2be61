"""Ruin and duration of flat stakes, if rounds were independent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from croupier.odds.arrays import Integers
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.kernels import fit
from croupier.simulation.sessions.play import SessionPlan

if TYPE_CHECKING:
    from croupier.simulation.sessions.documents import IndependentRuin

_MOST_STATES: Final = 100_000
_MOST_ROUNDS: Final = 100_000
_MOST_MOVES: Final = 50_000_000
"""Maximum number of bankrolls times rounds, which takes about a second."""

_REST: Final = 1e-12
"""The share of sessions still open at which a walk without a limit of rounds ends."""


def independent_ruin(session: SessionPlan) -> IndependentRuin | None:
    """Return how sessions end if each round is dealt from a fresh shoe.

    Returns ``None`` for other systems, several wagers on cards, and walks without an end or too
    long.
    """
    table = session.table
    flat = session.system.name == "flat" and (len(table.wagers) == 1 or not table.card_wagers)
    if not flat or (session.goal_cents is None and session.rounds is None):
        return None
    rounds, law = session.rounds or _MOST_ROUNDS, table.together()
    if rounds > _MOST_ROUNDS or (steps := _steps(session, rounds, np.array([*law]))) is None:
        return None
    if session.rounds is None:
        rounds = min(rounds, _MOST_MOVES // len(steps))
    places = {state: place for place, state in enumerate(steps)}
    # After the last round nothing moves on, so where to does not matter.
    to = np.array([[places.get(cell, 0) for cell in row] for row in steps.values()]).T
    going = np.array([_is_open(session, state) for state in steps])
    share = np.zeros(len(steps))
    share[places[session.bankroll_cents]] = 1
    played, still = 0.0, float(share[going].sum())
    for _ in range(rounds):
        moves, share = share * going, share * ~going
        for row, chance in zip(to, law.values(), strict=True):
            share += np.bincount(row, moves * float(chance), len(steps))
        played, still = played + still, float(share[going].sum())
        if still < _REST:
            break
    if session.rounds is None and still >= _REST:
        return None
    goal = np.array([_reached(session, state) for state in steps])
    return {
        "rounds": session.rounds,
        "ruin": min(1.0, float(share[~going & ~goal].sum())),
        "goal": None if session.goal_cents is None else min(1.0, float(share[goal].sum())),
        "mean_rounds": played,
    }


def _reached(session: SessionPlan, cents: int) -> bool:
    return session.goal_cents is not None and cents >= session.goal_cents


def _is_open(session: SessionPlan, cents: int) -> bool:
    return not _reached(session, cents) and any(_stakes(session, cents))


def _stakes(session: SessionPlan, cents: int) -> tuple[int, ...]:
    terms, marks = session.table.layout.terms, np.zeros(at.PLACES, dtype=np.int64)
    marks[at.BANKROLL] = cents
    wanted = np.full(terms.shape[1], session.unit_cents)
    staked = np.zeros_like(wanted)
    if cents < session.table.min_cents or not fit(wanted, terms, marks, staked):
        return ()
    return tuple(staked.tolist())


def _steps(session: SessionPlan, rounds: int, kinds: Integers) -> dict[int, tuple[int, ...]] | None:
    """Bankrolls after a round from each that can be reached, ``None`` if too many."""
    most_states = _MOST_STATES
    if session.rounds is not None:
        most_states = min(most_states, _MOST_MOVES // session.rounds)
    found: dict[int, tuple[int, ...]] = {}
    new = {session.bankroll_cents}
    for _ in range(rounds + 1):
        after: set[int] = set()
        for cents in new:
            nets = np.zeros(len(kinds), dtype=np.int64)
            if not _reached(session, cents):
                for wager, stake in enumerate(_stakes(session, cents)):
                    nets += _nets(session, wager, stake)[kinds[:, wager]]
            found[cents] = tuple((cents + nets).tolist())
            after.update(found[cents])
        new = after - found.keys()
        if not new or len(found) > most_states:
            break
    return found if len(found) <= most_states else None


def _nets(session: SessionPlan, wager: int, stake: int) -> Integers:
    _, _, whole, rest, terms = session.table.layout
    periods, below = divmod(stake, int(terms[at.PERIOD, wager]))
    found: Integers = periods * whole[wager] + rest[wager, :, below // int(terms[at.STEP, wager])]
    return found
