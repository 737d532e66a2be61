"""The simulation report, which depends only on the table, the engine, the seed, and the rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from croupier.baccarat.wagers import Moment
from croupier.odds.sheet import fraction, wager_sheet
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.simulation.bets import TallySection
from croupier.simulation.figures import Agreement, Estimate, agreement, length
from croupier.simulation.simulate import Simulation

if TYPE_CHECKING:
    from croupier.simulation import documents

_DIGITS: Final = 10
"""Significant digits that are equal on all machines."""


def report(
    simulation: Simulation, *, wagers: Collection[str] = (), reproduce: str = ""
) -> documents.SimulationReport:
    rules, plan, played = simulation.rules, simulation.plan, simulation.played
    course = plan.course
    estimates = [one for one in simulation.estimates if not wagers or one.bet.id in wagers]
    return {
        "format": "croupier-simulation/2",
        **provenance(rules, reproduce),
        "scheme": rules.vigorish.scheme,
        "shoe": {"cards": plan.shoe.cards, "by_rank": plan.shoe.by_rank},
        "device": "continuous" if course.single else "shoe",
        "cards_behind": None if course.single else course.cards_behind,
        "engine": simulation.engine,
        "seed": simulation.seed,
        "rounds_asked": simulation.asked,
        "rounds": played.rounds,
        "shoes": played.shoes,
        "ended": simulation.ended.value,
        "until": [
            {
                "wager": until.bet,
                "within": float(until.within),
                "reached": played.rounds >= simulation.rounds_for(until),
            }
            for until in simulation.untils
        ],
        "notes": list(_notes(simulation)),
        "rounds_per_shoe": _length(simulation),
        "wagers": [
            {**_bet(one), "lines": list(_lines(simulation, one))}
            for one in estimates
            if one.bet.wager is not None
        ],
        "packages": [_bet(one) for one in estimates if one.bet.wager is None],
        "censuses": list(_censuses(simulation)),
    }


def _short(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _length(simulation: Simulation) -> documents.RoundsPerShoe | None:
    found = length(simulation.played)
    if found is None or simulation.effects is None:
        return None
    return {
        "shoes": found.shoes,
        "mean": _short(found.mean),
        "standard_error": _short(found.error),
        "standard_deviation": _short(found.deviation),
        "least": found.least,
        "most": found.most,
    }


def _interval(low: float, high: float) -> documents.Interval:
    return {"low": _short(low), "high": _short(high)}


def _bet(estimate: Estimate) -> documents.BetFigures:
    edge, exact = -estimate.mean, -estimate.bet.expectation
    return {
        "id": estimate.bet.id,
        "title": estimate.bet.title,
        "edge": _short(float(edge)),
        "edge_percent": _short(float(edge * 100)),
        "standard_error": _short(estimate.error),
        "interval": _interval(float(edge) - estimate.reach, float(edge) + estimate.reach),
        "exact_edge": fraction(exact),
        "exact_edge_percent": _short(float(exact * 100)),
        # The house edge is the bettor's mean with the opposite sign.
        "z": None if estimate.z is None else _short(-estimate.z),
        "design_effect": _short(estimate.design_effect),
    }


def _lines(simulation: Simulation, estimate: Estimate) -> Iterator[documents.SimulatedLine]:
    part = simulation.law.of(estimate.bet)
    played = simulation.played
    counts = estimate.bet.counts(played)
    of_law = _sheet(simulation.rules, str(estimate.bet.wager), part, part.ways)
    sheet = _sheet(simulation.rules, str(estimate.bet.wager), part, counts)
    for line, ways in of_law.items():
        rounds = sheet.get(line, 0)
        yield {
            "outcome": line[0],
            "pays": line[1],
            "rounds": rounds,
            "frequency": _short(rounds / played.rounds),
            "probability": fraction(Fraction(ways, part.total)),
        }


def _sheet(
    rules: TableRules, wager: str, part: TallySection, numbers: Collection[int]
) -> dict[tuple[str, str], int]:
    by_facts = zip(part.facts, numbers, strict=True)
    # An impossible round is not a line of any wager.
    ways = {
        facts: number
        for (facts, number), possible in zip(by_facts, part.ways, strict=True)
        if number and possible
    }
    if not ways:
        return {}
    sheet = wager_sheet(rules, wager, ways, meters=rules.meter_seeds)
    return {(line.outcome, line.pays): line.ways for line in sheet.lines}


def _censuses(simulation: Simulation) -> Iterator[documents.SimulatedCensus]:
    law, played, effects = simulation.law, simulation.played, simulation.effects
    name = "counts" if simulation.plan.level == "counts" else "counts and pairs"
    spread = None if effects is None else effects.cells
    yield _agreement(name, agreement(law.cells, played.cells, spread))
    if law.royals.facts:
        spread = None if effects is None else effects.royals
        yield _agreement("Royal 9 hands", agreement(law.royals, played.royals, spread))


def _agreement(name: str, found: Agreement | None) -> documents.SimulatedCensus:
    if found is None:
        return {"facts": name, "test": None}
    return {
        "facts": name,
        "test": {
            "cells": found.cells,
            "pooled": found.pooled,
            "chi_square": _short(found.chi_square),
            "design_effect": _short(found.design_effect),
            "corrected": _short(found.corrected),
            "degrees_of_freedom": found.degrees,
            "bounds": _interval(*found.bounds),
            "p": _short(found.p),
            "impossible": [facts._asdict() for facts in found.impossible],
        },
    }


def _notes(simulation: Simulation) -> Iterator[str]:
    rules = simulation.rules
    if simulation.effects is None:
        yield (
            "Every round is dealt from the whole shoe, so rounds are independent, each has the "
            "exact distribution, and standard errors and the chi-square need no correction."
        )
    else:
        yield (
            "Exact values are those of a first round, from the full shoe. A round that is "
            "always dealt has the same distribution, however late in the shoe. Near the cutting "
            "card, some rounds are dealt only if earlier rounds used few cards, so the means of "
            "whole shoes may differ slightly from the exact values (the cut-card effect)."
        )
        yield (
            "Rounds of one shoe are not independent. Standard errors use the exact variance "
            "times the design effect, and the chi-square is divided by the mean design effect "
            f"of its cells; both were measured on {simulation.effects.shoes:,} shoes, each a "
            "cluster."
        )
    if any(offer.wager.settled_at is Moment.FOUR_CARDS for offer in rules.offers.values()):
        yield (
            "House Money with the better choice is not simulated, because the choice depends on "
            "the first four cards, which a tally of finished rounds does not contain. `croupier "
            "par` calculates it."
        )
    if rules.meter_seeds:
        yield (
            "Progressive meters stay at their seeds: growth from round to round is not "
            "simulated. `croupier par` shows the edge as a function of each meter."
        )
