"""Sessions against theory: ruin, chains, streaks and expectation, where closed formulas tell them."""

from math import sqrt
from pathlib import Path
from typing import Final

import pytest

from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, read_submission, table_rules
from croupier.simulation.plan import plan_of
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.play import SessionPlan, play
from croupier.simulation.sessions.results import Results
from croupier.simulation.sessions.systems import progression
from croupier.simulation.sessions.table import session_table
from support.oracles import sessions as oracle
from support.volume import spread, volume

SUBMISSIONS: Final = Path(__file__).parents[2] / "submissions"
EIGHT: Final = ShoeComposition.of_decks(8)


def rules_of(name: str) -> TableRules:
    return table_rules(read_submission(SUBMISSIONS / f"{name}.toml"))


def continuous(
    system: str, *, bankroll: int, rounds: int, goal: int | None = None, seed: int = 1
) -> SessionPlan:
    """Return sessions of ten dollar units on Player, each round from eight fresh decks."""
    rules = rules_of("nj-minibaccarat-continuous")
    table = session_table(rules, ["player"], shoe=EIGHT)
    plan = plan_of(rules, shoe=EIGHT)
    goal_cents = None if goal is None else goal * 1_000
    return SessionPlan(
        table, plan, progression(system), bankroll * 1_000, 1_000, seed, None, rounds, goal_cents
    )


def played(session: SessionPlan, sessions: int) -> Results:
    results = Results(session)
    for batch in play(session, sessions, 2):
        results.add(batch)
    assert results.sessions == sessions
    return results


@pytest.mark.parametrize(("start", "goal"), spread([(3, 8), (10, 20), (5, 6)], 2))
def test_the_risk_of_ruin_of_flat_bets_is_that_of_the_gamblers_ruin(start: int, goal: int) -> None:
    sessions = volume(6_000, 2_000)
    results = played(continuous("flat", bankroll=start, goal=goal, rounds=100_000), sessions)
    ruined, reached = results.ended("ruined"), results.ended("goal")
    assert ruined.number + reached.number == sessions
    exact = oracle.ruin(start, goal)
    assert abs(ruined.share - exact) < 3.9 * sqrt(exact * (1 - exact) / sessions)
    low, high = ruined.bounds
    assert low < ruined.share < high


@pytest.mark.parametrize(("bankroll", "rounds", "doublings"), [(12, 25, 3), (40, 12, 2)])
def test_a_martingale_with_a_limit_is_spread_as_its_chain(
    bankroll: int, rounds: int, doublings: int
) -> None:
    session = continuous(f"martingale:{doublings}", bankroll=bankroll, rounds=rounds)
    results = played(session, volume(12_000, 4_000))
    seen = {(net // 1_000) + bankroll: number for net, number in results.nets.counts.items()}
    chain = oracle.martingale_chain(bankroll, rounds, doublings)
    assert abs(sum(chain.values()) - 1) < 1e-12
    assert not oracle.too_far(*oracle.chi_square(seen, chain))


def test_flat_bets_lose_the_exact_edge_of_what_is_staked() -> None:
    results = played(continuous("flat", bankroll=10**6, rounds=2_000), 400)
    edge = (oracle.BANKER - oracle.PLAYER) / oracle.ALL
    assert results.sums["staked"] == 400 * 2_000 * 1_000
    expected = -edge * results.sums["staked"]
    assert float(results.expected) == pytest.approx(expected, rel=1e-12)
    mean, error = results.difference
    assert mean == pytest.approx(results.nets.mean - expected / 400)
    # A round's result has this variance, and rounds are independent.
    variance = 1_000**2 * ((oracle.PLAYER + oracle.BANKER) / oracle.ALL - edge**2)
    exact_error = sqrt(2_000 * variance / 400)
    assert error == pytest.approx(exact_error, rel=0.15)
    assert abs(mean) < 3.9 * exact_error


@pytest.mark.parametrize(
    "system", spread(["martingale", "labouchere", "oscars-grind", "dalembert"], 2)
)
def test_no_progression_escapes_the_edge(system: str) -> None:
    results = played(continuous(system, bankroll=100, rounds=300), volume(3_000, 1_000))
    mean, error = results.difference
    assert error > 0
    assert abs(mean) < 3.9 * error


@pytest.mark.parametrize(("hand", "wins"), [(at.PLAYER, oracle.PLAYER), (at.BANKER, oracle.BANKER)])
def test_streaks_are_as_long_as_the_geometric_law_has_them(hand: int, wins: int) -> None:
    results = played(continuous("flat", bankroll=10**7, rounds=400_000), 1)
    whole, cut = results.streaks(hand)
    assert sum(cut.values()) <= 1
    again = wins / (oracle.PLAYER + oracle.BANKER)
    law = {length: again ** (length - 1) * (1 - again) for length in range(1, 64)}
    law[64] = again**63
    assert sum(whole.values()) > 50_000
    assert not oracle.too_far(*oracle.chi_square(whole, law))


def test_a_shoe_has_as_many_rounds_as_it_must_and_flat_bets_vary_as_rounds_do() -> None:
    rules = rules_of("nj-minibaccarat")
    table = session_table(rules, ["banker"])
    session = SessionPlan(table, plan_of(rules), progression("flat"), 10**9, 2_500, 3, shoes=200)
    sessions = volume(25, 10)
    results = played(session, sessions)
    assert results.shoe_rounds.number == results.shoe_nets.number == 200 * sessions
    error = results.shoe_rounds.error
    assert abs(results.shoe_rounds.mean - 81.48) < 4 * error < 7.7 / sqrt(200 * sessions)
    assert sum(spread.sum for spread in results.shoe_results) == results.sums["rounds"]
    assert results.shoe_nets.sum == results.nets.sum
    mean, error = results.difference
    assert abs(mean) < 3.9 * error


def test_ruined_bettors_do_not_bend_the_streaks_of_the_table() -> None:
    # A martingale on Banker is ruined by streaks of Player; those that were dealt all count.
    rules = rules_of("nj-minibaccarat")
    table = session_table(rules, ["banker"])
    streaks = []
    for system in ("flat", "martingale"):
        session = SessionPlan(
            table, plan_of(rules), progression(system), 100_000, 2_500, 3, shoes=16
        )
        streaks.append(played(session, 100).streaks(at.PLAYER))
    assert streaks[0] == streaks[1]
