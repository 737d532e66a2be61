"""Progressives as filed: the parts of the long-run edge, meters at their hits, and a must-hit meter."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import ceil, isclose, log, log1p, perm, sqrt
from pathlib import Path
from typing import Any, Final

import pytest

from support.oracles.odds import AWARDS, coups, fresh, royal_9
from support.par import called, exact, sheet_of, table
from support.project import ROOT

STAKE: Final = Fraction(5)
METERS: Final = ("star", "spade", "heart")
LAW: Final = ("--law", "us-nj/minibaccarat@2011-02-22")


def figures(name: str, *arguments: object) -> dict[str, dict[str, Fraction]]:
    (found,) = (one for one in sheet_of(*arguments)["packages"] if one["id"] == name)
    return {
        row["id"]: {key: exact(one) for key, one in row["figures"].items() if one is not None}
        for row in found["rows"]
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
    words = ("--submission", path, "--rounds-per-hour", "60")
    rounds = 60 * 24 * 365
    wagers = figures("royal_9_hits", "--submission", path)
    yearly = figures("hits_per_year", *words)
    assert yearly.keys() == wagers.keys()
    for meter, figure in wagers.items():
        assert yearly[meter]["hits_per_year"] * figure["wagers_to_hit"] == rounds
    yearly = figures("hits_per_year", *words, "--seats", "5")
    assert yearly.keys() == wagers.keys()
    # No combination hits a meter for two seats.
    for meter in ("star", "spade", "heart"):
        assert yearly[meter]["hits_per_year"] * wagers[meter]["wagers_to_hit"] == 5 * rounds
    # One round adds five shares of five cents, and hits Stax at most once.
    to_hit = Fraction(sum(ceil(value / 25) for value in range(1, 50_001)), 50_000)
    assert yearly["stax"]["hits_per_year"] == rounds / to_hit


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


# --- several seats -------------------------------------------------------------------------------


def hits_of_a_round(shoe: dict[str, int], chairs: list[str]) -> dict[str, Fraction]:
    """The probability that some chair hits each meter, by all orders of two cards and two cards."""
    total = perm(sum(shoe.values()), 4)

    def ways(*cards: str) -> int:
        """Count the ways of given cards at given places; the rest are any."""
        left, found = dict(shoe), 1
        for card in cards:
            found *= left[card]
            left[card] -= 1
        return found * perm(sum(left.values()), 4 - len(cards))

    found = dict.fromkeys(METERS, 0)
    for chair in chairs:
        one, other = chair.split()
        # Each hand has its two cards in either order.
        both, alone = 4 * ways(one, other, one, other), 2 * ways(one, other)
        found["star"] += both
        found["spade"] += alone - both
        found["heart"] += alone - both
    return {meter: Fraction(number, total) for meter, number in found.items()}


SHOES: Final = [fresh(decks) for decks in range(1, 9)] + [
    {card: (5 * place + 3) % 7 + 1 for place, card in enumerate(fresh(8))},
    {card: 1 if card[1] in "cd" else 4 for card in fresh(8)},
]
"""One to eight decks, and two shoes that no deck makes."""


@pytest.mark.parametrize("shoe", SHOES, ids=lambda one: str(sum(one.values())))
@pytest.mark.parametrize("seats", [1, 4, 6])
def test_hits_by_several_seats_are_those_of_all_first_cards(
    shoe: dict[str, int], seats: int
) -> None:
    path, royal = table("ma-royal-9").path, settings("ma-royal-9")
    told = ",".join(f"{card}={number}" for card, number in shoe.items())
    hits = figures("royal_9_hits_by_seats", "--submission", path, "--shoe", told, "--seats", seats)
    for meter, chance in hits_of_a_round(shoe, royal["chairs"][:seats]).items():
        if not chance:
            assert not hits[meter]
            continue
        own = royal["meters"][meter]
        seed = Fraction(own["seed"]) * 100
        adds = seats * 500 * Fraction(own["increment"].rstrip("%")) / 100
        assert hits[meter]["hits_per_round"] == chance
        assert hits[meter]["rounds_to_hit"] == 1 / chance
        assert hits[meter]["variance_of_rounds"] == (1 - chance) / chance**2
        # All shares of the round come to the meter before it is paid, or none of them.
        assert hits[meter]["mean_at_hit"] == seed + adds / chance
        assert hits[meter]["mean_before"] == seed + adds / chance - adds
        assert hits[meter]["variance_at_hit"] == adds**2 * (1 - chance) / chance**2


@pytest.mark.parametrize("seats", [1, 2, 6])
def test_the_edge_at_given_meters_is_the_mean_of_all_chairs(seats: int) -> None:
    path, royal = table("ma-royal-9").path, settings("ma-royal-9")
    shoe = SHOES[-2]
    kept, chairs = Fraction(royal["award_is"] == "for-one"), royal["chairs"]
    seeds = {name: Fraction(royal["meters"][name]["seed"]) for name in METERS}
    edge = Fraction()
    for chair in chairs[:seats]:
        rungs = royal_9(shoe, chair, [one for one in chairs if one != chair])
        for rung, number in rungs.items():
            pays = Fraction(AWARDS[rung]) if rung in AWARDS else seeds.get(rung, Fraction())
            won = Fraction(-1) if rung == "lose" else pays / STAKE - kept
            edge -= Fraction(number, rungs.total()) * won / seats
    told = ",".join(f"{card}={number}" for card, number in shoe.items())
    asked = ("--shoe", told, "--seats", seats, "--meter", "heart=9000.00")
    found = figures("royal_9_at_meters", "--submission", path, *asked)
    hit = hits_of_a_round(shoe, chairs[:seats])["heart"]
    assert found["edge"]["edge"] == edge - hit * (9_000 - seeds["heart"]) / STAKE / seats


@pytest.mark.parametrize("seats", [1, 3, 6])
def test_stax_with_several_seats_is_that_of_each_value_that_may_be_drawn(seats: int) -> None:
    path, adds = table("ma-royal-9").path, 5 * seats
    hits = figures("royal_9_hits_by_seats", "--submission", path, "--seats", seats)["stax"]
    rounds = [ceil(Fraction(value, adds)) for value in range(1, 50_001)]
    shown = [min(50_000 + adds * number, 100_000) for number in rounds]

    def moments(values: list[int]) -> tuple[Fraction, Fraction]:
        mean = Fraction(sum(values), len(values))
        return mean, Fraction(sum(one**2 for one in values), len(values)) - mean**2

    assert (hits["rounds_to_hit"], hits["variance_of_rounds"]) == moments(rounds)
    assert (hits["mean_at_hit"], hits["variance_at_hit"]) == moments(shown)
    assert hits["mean_before"] == moments([50_000 + adds * (one - 1) for one in rounds])[0]
    assert hits["quantile_99"] == sorted(shown)[49_499]
    # Some shares of the last round come after the meter is full.
    assert max(shown) == 100_000
    for cents in (50_000, 73_417, 99_990, 99_999):
        words = ("--seats", seats, "--meter", f"stax={cents / 100:.2f}", "--meter", "star=250000")
        found = figures("royal_9_at_meters", "--submission", path, *words)
        reached = min(cents + adds, 100_000)
        chance = Fraction(reached - cents, 100_000 - cents)
        assert found["stax"]["worth"] == chance * reached / seats / 500
        star = Fraction(figures("royal_9_meters", "--submission", path)["star"]["chance"])
        # Three percent of five dollars, of each seat.
        assert found["star"]["worth_of_round"] == star * 15 * seats / 500
        edge = found["edge"]
        assert edge["edge"] - edge["edge_with_round"] == found["star"]["worth_of_round"]


def test_a_custom_wager_is_hit_at_all_seats_at_once() -> None:
    own = ROOT / "docs" / "examples" / "side-bets" / "jackpot.toml"
    one, three = (
        figures("suited_jackpot_hits_by_seats", *LAW, "--own", own, "--seats", seats)["jackpot"]
        for seats in (1, 3)
    )
    assert one["rounds_to_hit"] == three["rounds_to_hit"]
    assert three["mean_at_hit"] - 1_000_000 == 3 * (one["mean_at_hit"] - 1_000_000)


NINES: Final = """
[wager]
id = "nines"
title = "Nines"
stake = "5.00"
award_is = "for-one"

[meter.grand]
seed = "200.00"
increment = "4%"

[meter.minor]
seed = "50.00"
increment = "6%"

[[line]]
name = "minor"
when = { margin = 9, cards = 6 }
pays = { meter = "grand" }

[[line]]
name = "grand"
when = { margin = 9 }
pays = { meter = "minor" }

[[line]]
name = "five_cards"
when = { margin = 7, cards = 5 }
pays = { meter = "grand" }
"""
"""A meter has the name of another's line, and two lines are paid from one."""


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_a_meter_goes_by_the_lines_that_it_pays_whatever_their_names(
    tmp_path: Path, seats: int
) -> None:
    file = tmp_path / "nines.toml"
    file.write_text(NINES, encoding="utf-8")
    found = coups(fresh(8))
    ways, hits = sum(found.values()), Counter[str]()
    for coup, number in found.items():
        if abs(coup.margin) == 9:
            hits["grand" if coup.cards == 6 else "minor"] += number
        elif (abs(coup.margin), coup.cards) == (7, 5):
            hits["grand"] += number
    grand, minor = (Fraction(hits[name], ways) for name in ("grand", "minor"))
    asked = ("--own", file, "--seats", seats, "--meter", "grand=900.00")
    rows = figures("nines_meters", *LAW, *asked)
    assert (rows["grand"]["chance"], rows["minor"]["chance"]) == (grand, minor)
    # For one: the stake is gone, and an award comes for it.
    at_seeds = 1 - (20_000 * grand + 5_000 * minor) / 500
    assert rows["seeds"]["edge"] == at_seeds
    assert rows["fixed"]["edge"] == 1
    long_run = figures("nines_long_run", *LAW, *asked)["long_run"]["edge"]
    assert long_run == at_seeds - Fraction(10, 100)
    assert figures("nines_hits_by_seats", *LAW, *asked)["grand"]["rounds_to_hit"] == 1 / grand
    # All seats hit at once: one is paid $900, and the others the seed.
    paid = Fraction(90_000 + (seats - 1) * 20_000, seats)
    edge = figures("nines_at_meters", *LAW, *asked)["edge"]
    assert edge["edge"] == 1 - (paid * grand + 5_000 * minor) / 500
    # Of all shares of the round, one is paid with them.
    assert edge["edge"] - edge["edge_with_round"] == grand * 20 / 500


def test_seats_beyond_the_layout_are_refused() -> None:
    result = called("par", "--submission", table("ma-royal-9").path, "--seats", 7)
    assert result.exit_code == 2
    assert "7 seats: the layout has 6" in result.stderr
