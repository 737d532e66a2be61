"""Progressives as filed: the parts of the long-run edge, meters at their hits, and a must-hit meter."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, isclose, log, log1p, sqrt
from typing import Any, Final

import pytest

from support.oracles.odds import AWARDS, fresh, royal_9
from support.par import called, exact, sheet_of, table
from support.project import ROOT

STAKE: Final = Fraction(5)
METERS: Final = ("star", "spade", "heart")
LAW: Final = ("--law", "us-nj/minibaccarat@2011-02-22")


def figures(name: str, *arguments: object) -> dict[str, dict[str, Fraction]]:
    (found,) = (one for one in sheet_of(*arguments)["packages"] if one["id"] == name)
    return {
        row["id"]: {key: exact(one) for key, one in row["figures"].items()} for row in found["rows"]
    }


def settings(name: str) -> Any:
    return table(name).elections["wagers"]["royal_9"]


@pytest.mark.parametrize("name", ["ma-royal-9", "ma-royal-9-to-one"])
def test_the_long_run_edge_is_the_fixed_awards_less_resets_and_increments(name: str) -> None:
    sample, royal = table(name), settings(name)
    rungs = royal_9(fresh(sample.decks), royal["chairs"][0], royal["chairs"][1:])
    ways = rungs.total()
    kept = Fraction(royal["award_is"] == "for-one")
    fixed = Fraction(-1)
    for rung, number in rungs.items():
        if rung != "lose":
            # To one the stake comes back besides; for one it does not.
            back = 1 - kept + (Fraction(AWARDS[rung]) / STAKE if rung in AWARDS else 0)
            fixed += Fraction(number, ways) * back
    rows = figures("royal_9_long_run", "--submission", sample.path)
    assert rows["fixed"]["edge"] == -fixed
    total = -fixed
    for meter in METERS:
        seed = Fraction(royal["meters"][meter]["seed"])
        share = Fraction(royal["meters"][meter]["increment"].rstrip("%")) / 100
        chance = Fraction(rungs[meter], ways)
        assert rows[meter]["reset"] == -chance * seed / STAKE
        assert rows[meter]["increment"] == -share
        total -= chance * seed / STAKE + share
    if royal.get("stax", {}).get("offered"):
        # Five cents a wager, and any of 50,000 values: one to be reached takes a mean of wagers.
        wagers = Fraction(sum(ceil(value / 5) for value in range(1, 50_001)), 50_000)
        assert rows["stax"] == {
            "reset": -500 / wagers / 5,
            "increment": Fraction(-1, 100),
            "edge": -500 / wagers / 5 - Fraction(1, 100),
        }
        total -= 500 / wagers / 5 + Fraction(1, 100)
    assert rows["long_run"] == {"edge": total, "return_to_player": 1 - total}


def test_the_long_run_edge_of_royal_9_is_seven_percent_below_that_of_the_seeds_without_stax() -> None:  # fmt: skip
    path = table("ma-royal-9").path
    rows = figures("royal_9_long_run", "--submission", path)
    seeds = figures("royal_9_meters", "--submission", path)["seeds"]["edge"]
    assert rows["long_run"]["edge"] - rows["stax"]["edge"] == seeds - Fraction(7, 100)


def test_a_meter_at_its_hit_is_as_its_wagers_make_it_one_after_another() -> None:
    path = table("ma-royal-9").path
    hits = figures("royal_9_hits", "--submission", path)["spade"]
    chance = float(figures("royal_9_meters", "--submission", path)["spade"]["chance"])
    # Ten cents of every five dollars, from a thousand dollars.
    mean = square = 0.0
    still = 1.0
    for wager in range(1, 60_000):
        shown = 100_000 + 10 * wager
        mean += still * chance * shown
        square += still * chance * shown**2
        still *= 1 - chance
    assert isclose(float(hits["mean_at_hit"]), mean, rel_tol=1e-9)
    assert isclose(float(hits["variance_at_hit"]), square - mean**2, rel_tol=1e-6)
    assert isclose(float(hits["wagers_to_hit"]), 1 / chance)


def test_a_meter_at_its_hit_is_as_drawn_hits_leave_it() -> None:
    path = table("ma-royal-9").path
    hits = figures("royal_9_hits", "--submission", path)["heart"]
    chance = float(figures("royal_9_meters", "--submission", path)["heart"]["chance"])
    generator = random.Random(9)
    shown = [
        100_000 + 10 * ceil(log(1 - generator.random()) / log(1 - chance)) for _ in range(40_000)
    ]
    mean = sum(shown) / len(shown)
    error = sqrt(float(hits["variance_at_hit"]) / len(shown))
    assert abs(mean - float(hits["mean_at_hit"])) < 4 * error


def test_a_must_hit_meter_brings_in_all_what_it_pays() -> None:
    path = table("ma-royal-9").path
    shown = figures("royal_9_stax", "--submission", path)
    for name, row in shown.items():
        cents = int(name)
        # Of the values that are left the next five cents reach five.
        assert row["chance"] == min(Fraction(5, 100_000 - cents), Fraction(1))
        assert row["worth"] == row["chance"] * (cents + 5) / 500
    # From seed to cap, one wager after another: every draw ends in a hit, paid what it then shows.
    still, paid = Fraction(1), Fraction()
    for cents in range(50_000, 100_000, 5):
        hit = Fraction(5, 100_000 - cents)
        paid += still * hit * (cents + 5)
        still *= 1 - hit
    assert still == 0
    assert paid == figures("royal_9_hits", "--submission", path)["stax"]["mean_at_hit"]


def test_a_must_hit_meter_spreads_as_the_values_that_are_drawn() -> None:
    hits = figures("royal_9_hits", "--submission", table("ma-royal-9").path)["stax"]
    # Each of 50,000 values is reached by the wager that brings the meter to it, by five cents.
    shown = [50_000 + 5 * ceil(value / 5) for value in range(1, 50_001)]
    mean = Fraction(sum(shown), len(shown))
    assert hits["mean_at_hit"] == mean
    square = Fraction(sum(one**2 for one in shown), len(shown))
    assert hits["variance_at_hit"] == square - mean**2


def test_the_bettor_has_the_advantage_from_the_break_even_of_a_must_hit_meter() -> None:
    path = table("ma-royal-9").path
    shown = figures("royal_9_stax", "--submission", path)
    edge = figures("royal_9_meters", "--submission", path)["seeds"]["edge"]
    # 5 / (100000 - cents) of the next hits, paid cents + 5, are 500 times the edge, or more.
    even = min(
        cents
        for cents in range(50_000, 100_000)
        if 5 * (cents + 5) >= edge * 500 * (100_000 - cents)
    )
    assert shown[f"{even}"]["edge"] <= 0
    assert all((row["edge"] <= 0) == (int(name) >= even) for name, row in shown.items())


def test_a_custom_wager_with_a_meter_is_filed_alike() -> None:
    own = ROOT / "docs" / "examples" / "side-bets" / "jackpot.toml"
    rows = figures("suited_jackpot_long_run", *LAW, "--own", own)
    assert rows["jackpot"]["increment"] == Fraction(-1, 10)
    parts = (rows[name]["edge"] for name in ("fixed", "jackpot"))
    assert rows["long_run"]["edge"] == sum(parts, Fraction())


@pytest.mark.parametrize("meter", ["star", "spade", "heart"])
def test_quantiles_of_a_meter_are_those_of_a_geometric_law(meter: str) -> None:
    path = table("ma-royal-9").path
    hits = figures("royal_9_hits", "--submission", path)[meter]
    chance = Fraction(figures("royal_9_meters", "--submission", path)[meter]["chance"])
    seed = Fraction(figures("royal_9_meters", "--submission", path)[meter]["seed"])
    adds = (hits["mean_at_hit"] - seed) * chance
    for share in (95, 99):
        wagers = (hits[f"quantile_{share}"] - seed) / adds
        assert wagers.denominator == 1
        number = int(wagers)
        if number < 10_000:
            missed, total, left = chance.denominator - chance.numerator, chance.denominator, 100 - share  # fmt: skip
            assert 100 * missed**number <= left * total**number
            assert 100 * missed ** (number - 1) > left * total ** (number - 1)
        else:
            assert abs(number - log(1 - share / 100) / log1p(-float(chance))) < 1 + 1e-9 * number
    # Before a wager the meter has had one wager fewer than at the hit, by the same law.
    assert hits["liability"] == hits["mean_at_hit"] - adds


def test_quantiles_and_liability_of_a_must_hit_meter_are_those_of_all_values() -> None:
    hits = figures("royal_9_hits", "--submission", table("ma-royal-9").path)["stax"]
    wagers = [ceil(value / 5) for value in range(1, 50_001)]
    for share in (95, 99):
        at = 50_000 + 5 * wagers[50_000 * share // 100 - 1]
        assert hits[f"quantile_{share}"] == at
    # Each cycle shows every amount before the wager that hits, from the seed on.
    shown = Fraction(sum(50_000 * n + 5 * n * (n - 1) // 2 for n in wagers), sum(wagers))
    assert hits["liability"] == shown


def test_hits_per_year_follow_from_the_wagers_of_all_seats() -> None:
    path = table("ma-royal-9").path
    words = ("--submission", path, "--rounds-per-hour", "60", "--seats", "5")
    yearly = figures("hits_per_year", *words)
    wagers = figures("royal_9_hits", "--submission", path)
    assert yearly.keys() == wagers.keys()
    for meter, one in wagers.items():
        assert yearly[meter]["hits_per_year"] * one["wagers_to_hit"] == 60 * 5 * 24 * 365


def test_the_variance_of_the_wagers_to_a_hit_is_geometric_or_that_of_all_values() -> None:
    path = table("ma-royal-9").path
    hits = figures("royal_9_hits", "--submission", path)
    chances = figures("royal_9_meters", "--submission", path)
    for meter in ("star", "spade", "heart"):
        chance = Fraction(chances[meter]["chance"])
        assert hits[meter]["variance_of_wagers"] == (1 - chance) / chance**2
    wagers = [ceil(value / 5) for value in range(1, 50_001)]
    mean = Fraction(sum(wagers), len(wagers))
    assert hits["stax"]["variance_of_wagers"] == (
        Fraction(sum(n**2 for n in wagers), len(wagers)) - mean**2
    )


def test_at_its_break_even_with_the_others_at_their_means_a_wager_is_fair() -> None:
    path = table("ma-royal-9").path
    meters = figures("royal_9_meters", "--submission", path)
    hits = figures("royal_9_hits", "--submission", path)
    names = ("star", "spade", "heart")
    stake = 500
    for name in names:
        edge = Fraction(meters["fixed"]["edge"])
        for other in names:
            # Before a wager a meter has had one wager fewer than at its hit.
            chance = Fraction(meters[other]["chance"])
            added = chance * (hits[other]["mean_at_hit"] - meters[other]["seed"])
            shown = hits[other]["mean_at_hit"] - added
            amount = meters[name]["break_even_at_means"] if other == name else shown
            edge -= chance * amount / stake
        assert edge == 0
        assert meters[name]["break_even_at_means"] < meters[name]["break_even"]


def test_the_edge_at_given_meters_is_that_of_their_amounts() -> None:
    path = table("ma-royal-9").path
    meters = figures("royal_9_meters", "--submission", path)
    asked = ("--meter", "star=250000", "--meter", "heart=9000.50", "--meter", "stax=900")
    found = figures("royal_9_at_meters", "--submission", path, *asked)
    edge = Fraction(meters["seeds"]["edge"])
    for name, cents in (("star", 25_000_000), ("heart", 900_050)):
        assert found[name]["shows"] == cents
        assert found[name]["worth"] == Fraction(meters[name]["chance"]) * cents / 500
        more = cents - Fraction(meters[name]["seed"])
        edge -= Fraction(meters[name]["chance"]) * more / 500
    # Of the 10,000 values above $900, the next wager reaches five, and its five cents are paid too.
    worth = Fraction(5, 10_000) * 90_005 / 500
    assert found["stax"]["worth"] == worth
    assert found["edge"]["edge"] == edge - worth
    # At its break-even a wager is fair.
    even = meters["star"]["break_even"]
    cents = int(even)
    fair = figures("royal_9_at_meters", "--submission", path, "--meter", f"star={cents / 100:.2f}")
    left = (even - cents) * Fraction(meters["star"]["chance"]) / 500
    assert fair["edge"]["edge"] == left


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sun=5", "write each meter once"),
        ("star", "--meter star"),
        ("star=many", "--meter star=many"),
        ("stax=1000", "stax shows $500.00 or more, and less than $1,000.00"),
    ],
)
def test_a_meter_that_cannot_be_is_refused(text: str, message: str) -> None:
    result = called("par", "--submission", table("ma-royal-9").path, "--meter", text)
    assert result.exit_code == 2
    assert message in result.stderr
