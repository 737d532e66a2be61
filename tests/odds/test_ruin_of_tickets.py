"""Ruin and duration of repeated tickets, by every course of rounds and by fractions of the test's own."""

import csv
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from io import StringIO
from itertools import product
from typing import Any, Final

import pytest

from croupier.odds.shoe import ShoeError
from croupier.odds.tickets import Repeated, ending_of
from support.oracles.odds import Shoe, fresh, result
from support.par import called, census, depleted, exact, sheet_of, table, told
from support.volume import spread

NJ: Final = ("--submission", table("nj-minibaccarat").path)
SHOES: Final = spread([*map(fresh, range(1, 9)), *map(depleted, (2, 3, 5, 11))], 4)
TICKETS: Final = [
    {"player": 10_000, "tie": 1_000},
    {"banker": 20_000, "player": 10_000, "bonus_banker": 2_500},
]

Law = Mapping[int, Fraction]


def law_of(stakes: Mapping[str, int], shoe: Shoe) -> Law:
    """Return the net results of wagers together in cents, coup by coup."""
    sample = table("nj-minibaccarat")
    ways: Counter[int] = Counter()
    for coup, number in census(shoe).items():
        net = sum(cents * result(wager, coup, sample.terms)[1] for wager, cents in stakes.items())
        assert Fraction(net).denominator == 1
        ways[int(net)] += number
    return {net: Fraction(number, ways.total()) for net, number in ways.items() if number}


def ending(stakes: Mapping[str, int], shoe: Shoe, *words: object) -> dict[str, Any]:
    text = ",".join(f"{wager}={cents // 100}" for wager, cents in stakes.items())
    (ticket,) = sheet_of(*NJ, "--shoe", told(shoe), "--ticket", text, *words)["tickets"]
    found: dict[str, Any] = ticket["ending"]
    return found


def course(
    law: Law, staked: int, cents: int, goal: int | None, nets: tuple[int, ...]
) -> tuple[str, int, Fraction]:
    """Play one course of rounds; return how it ended, after how many, and its probability."""
    chance, played = Fraction(1), 0
    for net in nets:
        cents, chance, played = cents + net, chance * law[net], played + 1
        if cents < staked:
            return "ruin", played, chance
        if goal is not None and cents >= goal:
            return "goal", played, chance
    return "open", played, chance


@pytest.mark.parametrize("shoe", SHOES, ids=lambda one: str(sum(one.values())))
@pytest.mark.parametrize("stakes", TICKETS, ids=len)
@pytest.mark.parametrize("goal", [None, 60_000])
def test_every_course_of_three_rounds_gives_ruin_goal_and_duration(
    stakes: dict[str, int], shoe: Shoe, goal: int | None
) -> None:
    law, staked, rounds = law_of(stakes, shoe), sum(stakes.values()), 3
    ends: Counter[str] = Counter()
    mean = Fraction()
    seen = set()
    for nets in product(law, repeat=rounds):
        how, played, chance = course(law, staked, 40_000, goal, nets)
        if nets[:played] in seen:
            continue
        seen.add(nets[:played])
        ends[how] += chance  # type: ignore[assignment]
        mean += played * chance
    assert sum(ends.values()) == 1
    words = ("--bankroll", "400", "--within", rounds, *(("--goal", goal // 100) if goal else ()))
    found = ending(stakes, shoe, *words)
    assert exact(found["ruin"]) == ends["ruin"] > 0
    assert found["goal"] is None if goal is None else exact(found["goal"]) == ends["goal"]
    assert exact(found["mean_rounds"]) == mean
    assert found["error"] == "0/1"
    assert (found["rounds"], found["bankroll_cents"], found["goal_cents"]) == (3, 40_000, goal)


def solved(law: Law, staked: int, start: int, goal: int) -> tuple[Fraction, Fraction]:
    """Solve the equations of ruin and duration by Gauss and Jordan, in fractions."""
    states = {start}
    new = {start}
    while new:
        new = {c + net for c in new for net in law if staked <= c + net < goal} - states
        states |= new
    order = sorted(states)
    rows = []
    for cents in order:
        row = [Fraction(cents == other) - law.get(other - cents, Fraction()) for other in order]
        ruin = sum((chance for net, chance in law.items() if cents + net < staked), Fraction())
        rows.append([*row, ruin, Fraction(1)])
    for at in range(len(rows)):
        pivot = next(one for one in range(at, len(rows)) if rows[one][at])
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other, row in enumerate(rows):
            if other != at and row[at]:
                rows[other] = [a - row[at] * b for a, b in zip(row, rows[at], strict=True)]
    found = rows[order.index(start)]
    return found[-2], found[-1]


@pytest.mark.parametrize("shoe", SHOES, ids=lambda one: str(sum(one.values())))
@pytest.mark.parametrize("stakes", TICKETS, ids=len)
def test_ruin_without_a_limit_of_rounds_solves_the_equations(
    stakes: dict[str, int], shoe: Shoe
) -> None:
    staked, goal = sum(stakes.values()), 50_000
    ruin, mean = solved(law_of(stakes, shoe), staked, 40_000, goal)
    found = ending(stakes, shoe, "--bankroll", "400", "--goal", goal // 100)
    assert found["error"] == "0/1"
    assert exact(found["ruin"]) == ruin
    assert exact(found["goal"]) == 1 - ruin
    assert exact(found["mean_rounds"]) == mean


@cache
def gambler(start: int, goal: int, won: int, lost: int) -> tuple[Fraction, Fraction]:
    """Return ruin and duration of the gambler's ruin by their closed formulas."""
    ratio = Fraction(lost, won)
    reached = (1 - ratio**start) / (1 - ratio**goal)
    return 1 - reached, (start - goal * reached) * Fraction(won + lost, lost - won)


@pytest.mark.parametrize(("start", "goal"), [(1, 2), (3, 10), (30, 70), (400, 1_000), (1, 2_000)])
def test_results_are_the_exact_ones_or_within_the_error_that_they_state(
    start: int, goal: int
) -> None:
    won, lost = 2_230_518_282_592_256, 2_292_252_566_437_888
    ruin, mean = gambler(start, goal, won, lost)
    found = ending_of(Repeated({1: won, -1: lost}, 1, start, goal, None))
    assert abs(found.ruin - ruin) <= found.error < Fraction(1, 10**50)
    assert abs(found.rounds - mean) <= found.error
    assert (found.error == 0) == (goal <= 70)
    # So many rounds that nobody is left: rounded, and within what rounding may have cost.
    if goal == 10:
        later = ending_of(Repeated({1: won, -1: lost}, 1, start, goal, 5_000))
        assert 0 < later.error < Fraction(1, 10**50)
        assert abs(later.ruin - ruin) <= later.error
        assert abs(later.rounds - mean) <= later.error


@pytest.mark.parametrize(
    "repeated",
    [
        Repeated({0: 1}, 1, 5, 10, None),
        Repeated({1: 1, -1: 1}, 1, 5, None, None),
        Repeated({1: 1, -10: 1}, 10, 10**6, 10**7, None),
        Repeated({-1: 1, 3: 1}, 1, 10**5, None, 10**5),
    ],
)
def test_what_does_not_end_or_takes_too_long_is_refused(repeated: Repeated) -> None:
    with pytest.raises(ShoeError, match=r"limit of rounds|fewer rounds"):
        ending_of(repeated)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--goal", "500"), "require --bankroll"),
        (("--bankroll", "500", "--goal", "900"), "add --ticket, such as player=100"),
        (("--ticket", "player=100", "--bankroll", "500"), "requires --goal, --within, or both"),
        (("--ticket", "player=100", "--bankroll", "50", "--within", "3"), "stakes $100.00"),
        (("--ticket", "player=100", "--bankroll", "500", "--goal", "500"), "a larger amount"),
        (("--ticket", "player=100", "--bankroll", "x", "--goal", "500"), "--bankroll x"),
        (("--ticket", "player=100", "--bankroll", "-500", "--goal", "500"), "amount of money"),
        (("--ticket", "player=100", "--bankroll", "500", "--within", "0"), "--within"),
        (
            ("--ticket", "player=25", "--bankroll", "99999999", "--goal", "999999999"),
            "fewer rounds",
        ),
    ],
)
def test_what_cannot_be_repeated_is_refused(words: tuple[str, ...], reason: str) -> None:
    done = called("par", *NJ, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in " ".join(done.stderr.split())


@pytest.mark.parametrize(("goal", "error"), [("900", "exact"), ("2000", "8e-73")])
def test_the_table_shows_whether_a_figure_is_exact(goal: str, error: str) -> None:
    words = ("--ticket", "player=100,tie=10", "--bankroll", "500", "--goal", goal)
    done = called("par", *NJ, *words, "--format", "csv")
    rows = csv.DictReader(StringIO(done.stdout))
    assert [row["error"] for row in rows if row["error"]] == [error]
