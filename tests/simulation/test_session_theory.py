"""Sessions against theory: ruin, chains, streaks and expectation, where closed formulas tell them."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Final

import pytest

from croupier.odds.shoe import ShoeComposition, parse_shoe
from croupier.rules import TableRules, read_submission, table_rules
from croupier.simulation.plan import plan_of
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.play import SessionPlan, play
from croupier.simulation.sessions.results import Results, independent_ruin
from croupier.simulation.sessions.systems import progression
from croupier.simulation.sessions.table import session_table
from support.oracles import sessions as oracle
from support.oracles.odds import Shoe, by_rank, fresh, result
from support.par import census, table
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


SHOES: Final = [
    *map(fresh, spread(range(1, 9), 3)),
    {card: 1 + place % 5 for place, card in enumerate(fresh(8))},
]


@pytest.mark.parametrize("shoe", SHOES, ids=lambda one: str(sum(one.values())))
@pytest.mark.parametrize(
    ("wager", "units", "goal", "rounds"),
    [("player", 4, 7, None), ("banker", 4, 7, 40), ("tie", 3, None, 25), ("banker", 1, 3, 9)],
)
def test_ruin_and_duration_of_independent_rounds_are_those_of_the_chain(
    shoe: Shoe, wager: str, units: int, goal: int | None, rounds: int | None
) -> None:
    # Stakes of $30 while the bankroll has them, then all whole dollars of it; the minimum is $25.
    terms = table("nj-minibaccarat").terms
    law: Counter[Fraction] = Counter()
    for coup, number in census(shoe).items():
        law[result(wager, coup, terms)[1]] += number
    total = law.total()
    goal_cents = None if goal is None else goal * 3_000
    states, mean, left, ended = (
        {units * 3_000: 1.0},
        0.0,
        rounds or 3_000,
        {"ruin": 0.0, "goal": 0.0},
    )
    least = int(table("nj-minibaccarat").limits_cents(wager)[0])  # type: ignore[index]
    while states and left:
        left -= 1
        after: Counter[int] = Counter()
        for cents, share in states.items():
            mean += share
            stake = min(max(3_000, least), cents) // 100 * 100
            for net, number in law.items():
                # Five cents round the vigorish of whole dollars never.
                now = cents + int(stake * net)
                if now < least:
                    ended["ruin"] += share * number / total
                elif goal_cents is not None and now >= goal_cents:
                    ended["goal"] += share * number / total
                else:
                    after[now] += share * number / total  # type: ignore[assignment]
        states = {cents: share for cents, share in after.items() if share > 1e-15}
    rules = rules_of("nj-minibaccarat")
    composition = parse_shoe(",".join(f"{rank}={number}" for rank, number in by_rank(shoe).items()))
    session = SessionPlan(
        session_table(rules, [wager], shoe=composition), plan_of(rules, shoe=composition),
        progression("flat"), units * 3_000, 3_000, 1, None if rounds else 5, rounds, goal_cents,
    )  # fmt: skip
    found = independent_ruin(session)
    assert found is not None
    assert found["rounds"] == rounds
    assert found["ruin"] == pytest.approx(ended["ruin"], abs=1e-10)
    assert found["mean_rounds"] == pytest.approx(mean, rel=1e-9)
    if goal is None:
        assert found["goal"] is None
    else:
        assert found["goal"] == pytest.approx(ended["goal"], abs=1e-10)


@pytest.mark.parametrize("shoe", SHOES, ids=lambda one: str(sum(one.values())))
@pytest.mark.parametrize(
    ("wagers", "units", "goal", "rounds"),
    [
        (("player", "tie"), 5, 8, None),
        (("tie", "banker"), 4, None, 12),
        (("banker", "bonus_banker", "player"), 4, 9, 6),
    ],
    ids=lambda one: "-".join(one) if isinstance(one, tuple) else str(one),
)
def test_wagers_that_are_made_together_are_ruined_together(
    shoe: Shoe, wagers: tuple[str, ...], units: int, goal: int | None, rounds: int | None
) -> None:
    # Stakes of $30 each in order, a bonus after the others and not alone, in whole dollars.
    sample = table("nj-minibaccarat")
    law: Counter[tuple[Fraction, ...]] = Counter()
    for coup, number in census(shoe).items():
        law[tuple(result(wager, coup, sample.terms)[1] for wager in wagers)] += number
    total = law.total()
    least = {wager: int(sample.limits_cents(wager)[0]) for wager in wagers}  # type: ignore[index]

    def staked(cents: int) -> dict[str, int]:
        made: dict[str, int] = {}
        for wager in sorted(wagers, key=lambda one: one.startswith("bonus")):
            stake = min(max(3_000, least[wager]), cents) // 100 * 100
            if stake >= least[wager] and (made or not wager.startswith("bonus")):
                made[wager] = stake
                cents -= stake
        return made

    ended, mean, left = {"ruin": 0.0, "goal": 0.0}, 0.0, rounds or 2_000
    states = {units * 3_000: 1.0}
    while states and left:
        left -= 1
        after: Counter[int] = Counter()
        for cents, share in states.items():
            made = staked(cents)
            mean += share
            for nets, number in law.items():
                by_wager = zip(wagers, nets, strict=True)
                now = cents + sum(int(made.get(wager, 0) * net) for wager, net in by_wager)
                if goal is not None and now >= goal * 3_000:
                    ended["goal"] += share * number / total
                elif not staked(now):
                    ended["ruin"] += share * number / total
                else:
                    after[now] += share * number / total  # type: ignore[assignment]
        states = {cents: share for cents, share in after.items() if share > 1e-15}
    rules = rules_of("nj-minibaccarat")
    composition = parse_shoe(",".join(f"{rank}={number}" for rank, number in by_rank(shoe).items()))
    session = SessionPlan(
        session_table(rules, wagers, shoe=composition), plan_of(rules, shoe=composition),
        progression("flat"), units * 3_000, 3_000, 1, None if rounds else 5, rounds,
        None if goal is None else goal * 3_000,
    )  # fmt: skip
    found = independent_ruin(session)
    assert found is not None
    assert found["ruin"] == pytest.approx(ended["ruin"], abs=1e-10)
    assert found["goal"] == (None if goal is None else pytest.approx(ended["goal"], abs=1e-10))
    assert found["mean_rounds"] == pytest.approx(mean, rel=1e-9)


def test_the_exact_ruin_of_wagers_together_is_that_of_simulated_sessions() -> None:
    session = continuous("flat", bankroll=20, goal=40, rounds=100_000)
    both = session_table(session.table.rules, ["player", "tie"], shoe=EIGHT)
    session, sessions = replace(session, table=both), volume(4_000, 1_500)
    found = independent_ruin(session)
    assert found is not None
    share = played(session, sessions).ended("ruined").share
    assert abs(share - found["ruin"]) < 3.9 * sqrt(found["ruin"] * (1 - found["ruin"]) / sessions)


def test_ruin_is_that_of_the_gamblers_ruin_and_of_flat_stakes_alone() -> None:
    session = continuous("flat", bankroll=10, goal=20, rounds=100_000)
    found = independent_ruin(session)
    assert found is not None
    assert found["ruin"] == pytest.approx(oracle.ruin(10, 20), abs=1e-9)
    assert independent_ruin(continuous("paroli", bankroll=10, goal=20, rounds=100)) is None
    assert independent_ruin(replace(session, rounds=10**6)) is None
    # Some 10,000 bankrolls over 10,000 rounds would take longer than the sessions themselves.
    assert independent_ruin(continuous("flat", bankroll=2_000, rounds=10_000)) is None
    assert independent_ruin(continuous("flat", bankroll=2_000, rounds=1_000)) is not None


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
