"""The report of sessions. Amounts are integer cents, or floats of cents for means."""

from __future__ import annotations

from typing import Final

from croupier.odds.sheet import fraction
from croupier.rules.documents import fields_of, provenance
from croupier.simulation import documents
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.results import Histogram, Results, Share, independent_ruin

_FEWEST: Final = 30


def session_data(
    results: Results, *, asked: int, rounds_per_hour: float, reproduce: str = ""
) -> documents.SessionReport:
    session = results.session
    return {
        "format": "croupier-session/2",
        **provenance(session.table.rules, reproduce),
        "system": session.system.name,
        "wagers": _wagers(results),
        "unit_cents": session.unit_cents,
        "bankroll_cents": session.bankroll_cents,
        "goal_cents": session.goal_cents,
        "shoes_asked": session.shoes,
        "rounds_asked": session.rounds,
        "shoe_cards": session.plan.shoe.cards,
        "cards_behind": None if session.plan.course.single else session.plan.course.cards_behind,
        "seed": session.seed,
        "sessions_asked": asked,
        "sessions": results.sessions,
        "complete": results.sessions == asked and not results.endings[""],
        "result": _result(results),
        "ruin": _share(results.ended("ruined")),
        "goal": None if session.goal_cents is None else _share(results.ended("goal")),
        "drawdown_cents": _spread(results.drawdowns),
        "greatest_stake_cents": _spread(results.greatest),
        "longest_losing_run": _spread(results.losing_runs),
        "time": {
            "rounds_per_hour": rounds_per_hour,
            "rounds": _spread(results.rounds),
            "mean_hours": results.rounds.mean / rounds_per_hour,
        },
        "totals": {
            "rounds": results.sums["rounds"],
            "bets": results.sums["bets"],
            "rounds_ahead": results.sums["won"],
            "rounds_behind": results.sums["lost"],
            "fitted": results.sums["fitted"],
            "staked_cents": results.sums["staked"],
            "net_cents": results.nets.sum,
        },
        "theory": _theory(results),
        "dealt": _dealt(results),
        "streaks": {
            "player": _streaks(results, at.PLAYER),
            "banker": _streaks(results, at.BANKER),
        },
    }


def _wagers(results: Results) -> list[documents.SessionWager]:
    table = results.session.table
    terms = table.layout.terms.tolist()
    return [
        {
            "id": wager,
            "title": table.rules.offers[wager].wager.title,
            "min_cents": terms[at.LEAST][place],
            "max_cents": None if results.session.table.limitless(place) else terms[at.MOST][place],
            "step_cents": terms[at.STEP][place],
        }
        for place, wager in enumerate(table.wagers)
    ]


def _result(results: Results) -> documents.SessionResult:
    nets = results.nets
    winning_sessions = sum(number for net, number in nets.counts.items() if net > 0)
    behind = sum(number for net, number in nets.counts.items() if net < 0)
    return {
        **_spread(nets),
        "standard_error_cents": nets.error,
        "ahead": winning_sessions / nets.number if nets.number else 0.0,
        "even": nets.counts[0] / nets.number if nets.number else 0.0,
        "behind": behind / nets.number if nets.number else 0.0,
    }


def _spread(spread: Histogram) -> documents.HistogramSummary:
    quantiles = {f"{share:g}": spread.quantile(share) for share in documents.QUANTILES}
    return fields_of(documents.HistogramSummary, spread, quantiles=quantiles)


def _share(share: Share) -> documents.EndedSessions:
    low, high = share.bounds
    return {"sessions": share.number, "share": share.share, "low_99": low, "high_99": high}


def _theory(results: Results) -> documents.Theory:
    expected = results.expected
    staked = results.sums["staked"]
    difference, error = results.difference
    return {
        "expected_net_cents": fraction(expected),
        "expected_per_session_cents": float(expected / results.sessions)
        if results.sessions
        else 0.0,
        "edge": float(-expected / staked) if staked else None,
        "difference_per_session_cents": difference,
        "standard_error_cents": error,
        "z": difference / error if error and results.sessions >= _FEWEST else None,
        "independent_rounds": independent_ruin(results.session),
    }


def _dealt(results: Results) -> documents.Dealt:
    player, banker, ties = results.results.tolist()
    player_wins, banker_wins, of_ties = map(_spread, results.shoe_results)
    shoes: documents.ShoesDealt | None = None
    if results.shoe_rounds.number:
        shoes = {
            "shoes": results.shoe_rounds.number,
            "rounds": _spread(results.shoe_rounds),
            "player_wins": player_wins,
            "banker_wins": banker_wins,
            "ties": of_ties,
            "begun": results.shoe_nets.number,
            "net_cents": _spread(results.shoe_nets),
        }
    return {
        "rounds": player + banker + ties,
        "player_wins": player,
        "banker_wins": banker,
        "ties": ties,
        "by_shoe": shoes,
    }


def _streaks(results: Results, hand: int) -> documents.Streaks:
    complete, cut = results.streaks(hand)
    number = sum(complete.values())
    wins = sum(length * times for length, times in complete.items())
    return {
        "streaks": number,
        "mean_length": wins / number if number else None,
        "longest": max(complete | cut, default=0),
        "by_length": {str(length): times for length, times in complete.items()},
        "cut_off": {str(length): times for length, times in cut.items()},
    }
