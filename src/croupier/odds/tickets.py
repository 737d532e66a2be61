"""Several wagers of a round, from their joint law, and the ruin of a bankroll that repeats them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import lcm, sqrt
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import CARDS
from croupier.law.usage import money
from croupier.money.settlement import Stake, settle
from croupier.odds.census import Census
from croupier.odds.chances import census_of, known_census
from croupier.odds.knowledge import Knowledge
from croupier.odds.sheet import fraction, net_cents
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Ticket, TicketEnding

# --- ruin and duration ----------------------------------------------------------------------------


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


# --- tickets --------------------------------------------------------------------------------------


_SEAT: Final = 1
_IN_ORDER: Final = ("counts", "pairs", "royals")
_BY_FACT: Final[Mapping[str, tuple[str, ...]]] = {
    "counts": ("winner",),
    "pairs": ("player_pair", "banker_pair"),
}
"""The facts of cards that include those of another census."""


def joint_census(
    rules: TableRules, shoe: ShoeComposition, wagers: Mapping[str, int]
) -> Census[Facts]:
    """Raise ``ShoeError`` for unknown suits, or facts that cannot be counted together."""
    asks = [rules.offers[wager].wager.asks for wager in wagers]
    plain = {name for fact in asks if fact[0] != CARDS for name in fact}
    fact_names = {name: None for fact in asks if fact[0] == CARDS for name in fact[1:]}
    if not fact_names:
        plain_names = tuple(name for name in _IN_ORDER if name in plain)
        if len(plain_names) == 1 or plain_names == ("counts", "pairs"):
            return census_of(shoe, rules, plain_names)
        return known_census(shoe, rules, plain_names, Knowledge())
    if "royals" in plain:
        raise ShoeError("Royal 9 cannot be combined in a ticket with a wager on other cards")
    for name in _IN_ORDER:
        if name in plain:
            fact_names |= dict.fromkeys(_BY_FACT[name])
    return known_census(shoe, rules, (CARDS, *sorted(fact_names)), Knowledge())


def net_ways(
    rules: TableRules, shoe: ShoeComposition, stakes: Mapping[str, int]
) -> Mapping[tuple[int, ...], int]:
    """Count with meters at their seeds. Raises ``ShoeError`` as ``joint_census`` does."""
    wagers = {(_SEAT, wager): Stake(cents) for wager, cents in stakes.items()}
    ways: dict[tuple[int, ...], int] = defaultdict(int)
    for facts, number in joint_census(rules, shoe, stakes).items():
        settlements = settle(rules, facts, wagers, rules.meter_seeds)
        by_wager = {settlement.wager: net_cents((settlement,)) for settlement in settlements}
        ways[tuple(by_wager[wager] for wager in stakes)] += number
    return ways


def covariances_of(
    ways: Mapping[tuple[int, ...], int],
) -> tuple[list[Fraction], list[list[Fraction]]]:
    """Means and covariances of net results, in cents and square cents."""
    total, columns = sum(ways.values()), list(zip(*ways, strict=True))
    numbers = list(ways.values())
    mean_nets = [Fraction(sum(map(mul, nets, numbers)), total) for nets in columns]
    return mean_nets, [
        [
            Fraction(sum(map(mul, map(mul, nets, others), numbers)), total) - mean * other_mean
            for others, other_mean in zip(columns, mean_nets, strict=True)
        ]
        for nets, mean in zip(columns, mean_nets, strict=True)
    ]


class Purse(NamedTuple):
    """Bankroll and goal of a repeated ticket in cents, and its maximum number of rounds."""

    bankroll: int
    goal: int | None
    rounds: int | None


def ticket_data(
    rules: TableRules,
    shoe: ShoeComposition,
    stakes: Mapping[str, int],
    purse: Purse | None = None,
) -> Ticket:
    """Raise ``ShoeError`` for wagers that cannot be counted together, or repeated to an end."""
    ways = net_ways(rules, shoe, stakes)
    total = sum(ways.values())
    nets: dict[int, int] = defaultdict(int)
    for net, number in ways.items():
        nets[sum(net)] += number
    mean = Fraction(sum(net * number for net, number in nets.items()), total)
    square = Fraction(sum(net**2 * number for net, number in nets.items()), total)
    staked = sum(stakes.values())
    return {
        "title": " + ".join(
            f"{rules.offers[wager].wager.title} {money(cents)}" for wager, cents in stakes.items()
        ),
        "stakes_cents": dict(stakes),
        "staked_cents": staked,
        "mean_cents": fraction(mean),
        "house_edge": fraction(-mean / staked),
        "variance_square_cents": fraction(square - mean**2),
        "standard_deviation_cents": sqrt(square - mean**2),
        "hit_frequency": fraction(
            Fraction(sum(number for net, number in nets.items() if net > 0), total)
        ),
        "push_frequency": fraction(Fraction(nets.get(0, 0), total)),
        "min_net_cents": min(nets),
        "max_net_cents": max(nets),
        "total_ways": str(total),
        "nets": [
            {
                "net_cents": net,
                "ways": str(number),
                "probability": fraction(Fraction(number, total)),
            }
            for net, number in sorted(nets.items())
        ],
        "covariances": [
            {"wager": wager, "other": other, "square_cents": fraction(square)}
            for wager, row in zip(stakes, covariances_of(ways)[1], strict=True)
            for other, square in zip(stakes, row, strict=True)
        ],
        "ending": None if purse is None else _ending(Repeated(nets, staked, *purse)),
    }


def _ending(repeated: Repeated) -> TicketEnding:
    found = ending_of(repeated)
    return {
        "bankroll_cents": repeated.bankroll,
        "goal_cents": repeated.goal,
        "rounds": repeated.rounds,
        "ruin": fraction(found.ruin),
        "goal": None if repeated.goal is None else fraction(found.goal),
        "mean_rounds": fraction(found.rounds),
        "error": fraction(found.error),
    }


Key = TypeVar("Key")

_STAKE: Final = 1_000_000
"""The stake of a priced wager in cents, large enough that no amount is rounded."""


class WinMoments(NamedTuple):
    """Mean and variance of a table's win, in cents and square cents."""

    mean: Fraction
    variance: Fraction


class WinExpectation:
    """Predicts a table's win in a round from a full shoe, with meters at their seeds.

    All wagers of a round are decided by the same cards: stakes of several seats on one wager count
    as one stake, and the covariances of different wagers are included. Raises ``ShoeError`` if the
    wagers on offer cannot be counted together, or payments of small stakes are rounded.
    """

    def __init__(self, rules: TableRules) -> None:
        if rules.applies("settlement.rounds_to"):
            clauses = ", ".join(rules.cites("settlement.rounds_to"))
            raise ShoeError(
                f"payments are rounded ({clauses}), so a total of stakes has no win of its own"
            )
        stakes = {
            name: offer.limit.min_cents
            if offer.limit is not None and offer.limit.min_cents == offer.limit.max_cents
            else _STAKE
            for name, offer in rules.offers.items()
        }
        shoe = ShoeComposition.of_decks(rules.decks_per_shoe)
        mean_nets, covariances = covariances_of(net_ways(rules, shoe, stakes))
        self._means = _over_one(
            {stake: -mean / stakes[stake] for stake, mean in zip(stakes, mean_nets, strict=True)}
        )
        self._covariances = _over_one(
            {
                (stake, two): square / (stakes[stake] * stakes[two])
                for stake, row in zip(stakes, covariances, strict=True)
                for two, square in zip(stakes, row, strict=True)
            }
        )

    def of(self, stakes: Mapping[str, int]) -> WinMoments:
        """Moments of a round, given the total stake of each wager in cents."""
        mean_nets, scaled = self._means
        covariances, square = self._covariances
        mean = sum(mean_nets[wager] * cents for wager, cents in stakes.items())
        variance = sum(
            covariances[wager, two] * cents * other
            for wager, cents in stakes.items()
            for two, other in stakes.items()
        )
        return WinMoments(Fraction(mean, scaled), Fraction(variance, square))


def _over_one(figures: Mapping[Key, Fraction]) -> tuple[Mapping[Key, int], int]:
    denominator = lcm(*(figure.denominator for figure in figures.values()))
    return {key: int(figure * denominator) for key, figure in figures.items()}, denominator
