"""Ruin and duration of wagers that are repeated, each round from a fresh shoe.

The wagers end if the bankroll cannot pay them (ruin), at a goal, or after a number of rounds.
Shares are integers, so rounding errors are bounded exactly. A result close enough to a fraction
with a bounded denominator is that fraction.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from croupier.odds.shoe import ShoeError

_EXACT_BITS: Final = 5_000
"""Maximum size of a denominator of exact results, which take a second or two."""
_BITS: Final = 256
_MOST_SUMS: Final = 5_000_000
"""Maximum number of sums, which take some ten seconds."""
_SUMS_OF_A_BANKROLL: Final = 100


class Repeated(NamedTuple):
    """Wagers that are repeated: the ways of each net result, and when they end; in cents."""

    nets: Mapping[int, int]
    staked: int
    bankroll: int
    goal: int | None
    rounds: int | None


class Ending(NamedTuple):
    """``error`` bounds the distance of each figure from its exact value; 0 if they are exact."""

    ruin: Fraction
    goal: Fraction
    rounds: Fraction
    error: Fraction


class _Move(NamedTuple):
    to: dict[int, int]
    ruin: int
    goal: int


def ending_of(repeated: Repeated) -> Ending:
    """Return how repeated wagers end. Raises ``ShoeError`` if it takes too long or never ends."""
    total = sum(repeated.nets.values())
    if repeated.rounds is not None:
        return _within(repeated, total, repeated.rounds)
    if repeated.goal is None or set(repeated.nets) == {0}:
        raise ShoeError("wagers that need not end require a limit of rounds")
    moves: dict[int, _Move] = {}
    new = {repeated.bankroll}
    while new:
        cents = new.pop()
        moves[cents] = _move(repeated, cents)
        new.update(to for to in moves[cents].to if to not in moves)
        _check(len(moves) * _SUMS_OF_A_BANKROLL)
    places = {cents: place for place, cents in enumerate(sorted(moves))}
    rows = [
        _Move({places[to]: ways for to, ways in moves[cents].to.items()}, *moves[cents][1:])
        for cents in places
    ]
    return _at_last(rows, places[repeated.bankroll], total)


def _check(sums: int) -> None:
    if sums > _MOST_SUMS:
        raise ShoeError(
            f"more than {_MOST_SUMS:,} sums: choose stakes with a larger common unit, a goal "
            "nearer to the bankroll, or fewer rounds"
        )


def _move(repeated: Repeated, cents: int) -> _Move:
    ways_to: dict[int, int] = {}
    ruin = goal = 0
    for net, ways in repeated.nets.items():
        balance = cents + net
        if balance < repeated.staked:
            ruin += ways
        elif repeated.goal is not None and balance >= repeated.goal:
            goal += ways
        else:
            ways_to[balance] = ways
    return _Move(ways_to, ruin, goal)


def _within(repeated: Repeated, total: int, rounds: int) -> Ending:
    # Out of this power every share is an integer, so nothing is rounded.
    exact = rounds * total.bit_length() <= _EXACT_BITS
    certainty = total**rounds if exact else 1 << _BITS
    moves: dict[int, _Move] = {}
    shares = {repeated.bankroll: certainty}
    ruin = goal = length = sums = 0
    for _ in range(rounds):
        shares_after: dict[int, int] = {}
        for cents, share in shares.items():
            move = moves.get(cents) or moves.setdefault(cents, _move(repeated, cents))
            length += share
            ruin += share * move.ruin // total
            goal += share * move.goal // total
            for balance, ways in move.to.items():
                shares_after[balance] = shares_after.get(balance, 0) + share * ways // total
        sums += len(shares) * len(repeated.nets)
        _check(sums)
        shares = shares_after
    # What is lost by rounding downward could have ended in any way, at any round.
    lost = certainty - ruin - goal - sum(shares.values())
    return Ending(*(Fraction(part, certainty) for part in (ruin, goal, length, lost * rounds)))


def _at_last(rows: list[_Move], start: int, total: int) -> Ending:
    bound = total ** len(rows)
    exact = bound.bit_length() <= _EXACT_BITS
    bits = 2 * bound.bit_length() + _BITS if exact else _BITS
    ruin, rounds_played = _solved(rows, total, bits)
    error = Fraction(_error(rows, total, ruin, rounds_played, bits))
    found = [Fraction(part[start], 1 << bits) for part in (ruin, rounds_played)]
    if 2 * error * bound**2 < 1:
        # The determinant of the equations is at most the bound, so one fraction is this near.
        found, error = [fraction.limit_denominator(bound) for fraction in found], Fraction()
    return Ending(found[0], 1 - found[0], found[1], error)


def _solved(rows: list[_Move], total: int, bits: int) -> tuple[list[int], list[int]]:
    """Eliminate the bankrolls in order, without a subtraction, so no digits cancel."""
    to = [{one: (ways << bits) // total for one, ways in row.to.items()} for row in rows]
    ruin = [(row.ruin << bits) // total for row in rows]
    goal = [(row.goal << bits) // total for row in rows]
    rounds_played = [1 << bits] * len(rows)
    predecessors = _before(to)
    sums = 0
    for place, row in enumerate(to):
        row.pop(place, None)
        inverse = (1 << 2 * bits) // (sum(row.values()) + ruin[place] + goal[place])
        for part in (ruin, goal, rounds_played):
            part[place] = part[place] * inverse >> bits
        for cell in row:
            row[cell] = row[cell] * inverse >> bits
        later_places = [other for other in predecessors[place] if other > place]
        for later_place in later_places:
            share = to[later_place].pop(place)
            for target, chance in row.items():
                to[later_place][target] = to[later_place].get(target, 0) + (share * chance >> bits)
                predecessors[target].add(later_place)
            for part in (ruin, goal, rounds_played):
                part[later_place] += share * part[place] >> bits
        sums += len(row) * len(later_places)
        _check(sums)
    for place in reversed(range(len(rows))):
        for part in (ruin, rounds_played):
            part[place] += sum(part[one] * chance >> bits for one, chance in to[place].items())
    return ruin, rounds_played


def _before(transitions: list[dict[int, int]]) -> list[set[int]]:
    predecessors: list[set[int]] = [set() for _ in transitions]
    for place, row in enumerate(transitions):
        for cell in row:
            predecessors[cell].add(place)
    return predecessors


def _error(
    rows: list[_Move], total: int, ruin: list[int], length: list[int], bits: int
) -> Fraction:
    """Bound the error of the results.

    Their residual in the equations is ``amiss``. It accumulates over at most the mean duration,
    which the calculated durations bound in the same way.
    """
    amiss = played_error = 0
    for place, row in enumerate(rows):
        transitions = row.to.items()
        remainder = total * ruin[place] - sum(ways * ruin[one] for one, ways in transitions)
        amiss = max(amiss, abs(remainder - (row.ruin << bits)))
        remainder = total * length[place] - sum(ways * length[one] for one, ways in transitions)
        played_error = max(played_error, abs(remainder - (total << bits)))
    scale = total << bits
    longest = Fraction(max(length), 1 << bits) / (1 - Fraction(played_error, scale))
    return Fraction(max(amiss, played_error), scale) * longest
