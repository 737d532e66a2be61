"""The workbench for side bets: every pay table is weighed as an oracle weighs it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from support.oracles.odds import fresh
from support.par import called, census, exact
from support.project import ROOT

LAW = ("--law", "us-nj/minibaccarat@2011-02-22")
LUCKY_6 = ROOT / "docs" / "examples" / "lucky-6.toml"
RANGES = ("--pays", "three_cards=20..30", "--pays", "two_cards=12..15")


def designed(*arguments: object) -> Any:
    result = called("design", *arguments, *LAW, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def edge(decks: int, three: int, two: int, gone: str = "") -> Fraction:
    """What the house keeps of Lucky 6 with these pays; a card that is gone is named."""
    shoe = fresh(decks)
    if gone:
        shoe[gone] -= 1
    counted = census(shoe)
    won = Fraction()
    for coup, ways in counted.items():
        if coup.banker == 6 > coup.player:
            won += ways * (1 + (three if coup.banker_cards == 3 else two))
    return 1 - won / sum(counted.values())


def test_every_pay_table_within_the_bounds_is_found_with_its_edge() -> None:
    data = designed(LUCKY_6, *RANGES, "--edge", "5%..10%", "--top", 100)
    found = {tuple(one["pays"].values()): exact(one["house_edge"]) for one in data["candidates"]}
    wanted = {
        (three, two): kept
        for three in range(20, 31)
        for two in range(12, 16)
        if Fraction(5, 100) <= (kept := edge(8, three, two)) <= Fraction(10, 100)
    }
    assert found == wanted
    assert data["within_bounds"] == len(wanted)
    middle = [abs(found[one] - Fraction(75, 1000)) for one in found]
    assert middle == sorted(middle)


def test_a_pay_table_is_held_against_other_decks_and_cards_that_leave() -> None:
    (best,) = designed(LUCKY_6, *RANGES, "--edge", "5%..10%", "--top", 1)["candidates"]
    three, two = best["pays"].values()
    for decks, kept in best["edge_by_decks"].items():
        assert exact(kept) == edge(int(decks), three, two)
    whole = edge(8, three, two)
    for rank in "A6T":
        effect = whole - edge(8, three, two, f"{rank}h")
        assert exact(best["effects_of_removal"][rank]) == effect
    # What leaves and what stays make up the shoe: the effects of all its cards come to nothing.
    assert sum(exact(one) for one in best["effects_of_removal"].values()) == 0


def test_a_deeper_shoe_gains_more_for_whoever_counts() -> None:
    for one in designed(LUCKY_6, *RANGES, "--edge", "5%..10%")["candidates"]:
        gains = list(one["gain_per_100_rounds"].values())
        assert 0 < gains[0] < gains[1] < gains[2]
        assert one["correlation"] > 0.9


def test_a_bound_of_the_deviation_leaves_out_what_swings_more() -> None:
    free = designed(LUCKY_6, *RANGES, "--edge", "0%..20%", "--top", 100)
    bound = designed(LUCKY_6, *RANGES, "--edge", "0%..20%", "--top", 100, "--deviation", 4)
    kept = [one for one in free["candidates"] if float(exact(one["variance"])) <= 16]
    assert 0 < len(kept) == bound["within_bounds"] < free["within_bounds"]


def test_a_wager_on_cards_is_designed_too() -> None:
    wager = ROOT / "docs" / "examples" / "side-bets" / "perfect-pair-250.toml"
    data = designed(wager, "--pays", "one=25..27", "--edge", "0%..7%", "--top", 1)
    # Two cards of the same kind: of 415 seven are left, whatever leaves of another kind.
    assert exact(data["hit_frequency"]) == 1 - exact(data["chances"]["lose"])
    assert all(exact(one) <= 0 for one in data["candidates"][0]["effects_of_removal"].values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--pays", "four=1..2"), "four: the lines are three_cards, two_cards"),
        (("--pays", "two_cards=9..3"), "--pays two_cards: '9..3' is not a range of payouts"),
        (("--award", "9..3"), "--award: '9..3' is not a range of payouts"),
        (("--hit", "many"), "many"),
        (("--pays", "two_cards=1..9999", "--pays", "three_cards=1..9999"), "is the maximum"),
        (("--edge", "five"), "five"),
        (("--edge", "10%..5%"), "--edge 10%..5%: the range ends below its start"),
        (("--hit", "10%..5%"), "--hit 10%..5%: the range ends below its start"),
        (("--deviation", "nan"), "nan is not a finite number"),
        (("--deviation", "-1"), "-1.0 is not in the range x>0"),
    ],
)
def test_what_cannot_be_designed_is_refused(arguments: tuple[str, ...], message: str) -> None:
    result = called("design", LUCKY_6, *LAW, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


PUSHES = """
[wager]
id = "bonus"
title = "Bonus"

[[line]]
name = "nine"
when = { winner = "player", margin = 9 }
pays = "30:1"

[[line]]
name = "natural"
when = { winner = "player", natural = true }
pays = "1:1"

[[line]]
name = "natural_tie"
when = { winner = "tie", natural = true }
pays = "push"

[[line]]
when = { winner = "tie", sum = 0 }
pays = "push"
"""


def test_a_push_of_a_designed_wager_neither_wins_nor_loses(tmp_path: Path) -> None:
    file = tmp_path / "bonus.toml"
    file.write_text(PUSHES, encoding="utf-8")
    ranges = ("--pays", "nine=20..40", "--pays", "natural=0..2")
    data = designed(file, *ranges, "--edge=-40%..90%", "--top", 100)
    assert len(data["candidates"]) == data["within_bounds"] > 40
    for one in data["candidates"]:
        nine, natural = one["pays"]["nine"], one["pays"]["natural"] or -1
        for decks in (4, 6, 8):
            counted = census(fresh(decks))
            total, mean, square, hits = sum(counted.values()), 0, 0, 0
            for coup, ways in counted.items():
                two = coup.player_cards == coup.banker_cards == 2
                ends = two and max(coup.player, coup.banker) >= 8
                if coup.player == 9 and coup.banker == 0:
                    net = nine
                elif coup.player > coup.banker and ends:
                    net = natural
                elif coup.player == coup.banker and (ends or coup.player == 0):
                    net = 0
                else:
                    net = -1
                mean, square = mean + ways * net, square + ways * net**2
                hits += ways * (net > 0)
            kept = Fraction(-mean, total)
            assert exact(one["edge_by_decks"][str(decks)]) == kept
        assert exact(one["house_edge"]) == kept
        assert exact(one["variance"]) == Fraction(square, total) - kept**2
        assert exact(one["hit_frequency"]) == Fraction(hits, total)
    assert data["chances"].keys() == {"nine", "natural", "natural_tie", "lose"}


@pytest.mark.parametrize(
    ("pays", "message"),
    [("$50", "bonus: natural: a design is of lines that pay odds"), ("push", "no line pays odds")],
)
def test_a_wager_without_odds_to_choose_is_not_designed(
    tmp_path: Path, pays: str, message: str
) -> None:
    file = tmp_path / "bonus.toml"
    text = PUSHES.replace("1:1", pays).replace("30:1", "push" if pays == "push" else "30:1")
    file.write_text(text.replace('"Bonus"', '"Bonus"\nstake = "5.00"'), encoding="utf-8")
    refused = called("design", file, *LAW)
    assert refused.exit_code == 2
    assert message in refused.stderr


def test_a_search_keeps_to_edge_hit_frequency_and_top_award() -> None:
    # Either line may lose: every table in the bounds is counted here, from the ways of the oracle.
    counted = census(fresh(8))
    total = sum(counted.values())
    ways = [
        sum(n for coup, n in counted.items() if coup.banker == 6 > coup.player and coup.banker_cards == cards)
        for cards in (3, 2)
    ]  # fmt: skip
    wanted = {}
    for pays in [(three, two) for three in range(61) for two in range(31)]:
        nets = [(n, paid or -1) for n, paid in zip(ways, pays, strict=True)]
        nets.append((total - sum(ways), -1))
        kept = Fraction(-sum(n * net for n, net in nets), total)
        hits = Fraction(sum(n for n, net in nets if net > 0), total)
        square = Fraction(sum(n * net**2 for n, net in nets), total)
        within = Fraction(2, 100) <= kept <= Fraction(12, 100) and 25 <= max(pays) <= 59
        if within and Fraction(1, 100) <= hits <= Fraction(4, 100):
            wanted[pays] = (kept, hits, square - kept**2, max(pays))
    data = designed(
        LUCKY_6, "--pays", "three_cards=0..60", "--pays", "two_cards=0..30", "--edge", "2%..12%",
        "--hit", "1%..4%", "--award", "25..59", "--top", 100,
    )  # fmt: skip
    found = {
        tuple(one["pays"].values()): (
            exact(one["house_edge"]), exact(one["hit_frequency"]), exact(one["variance"]),
            one["top_award"],
        )
        for one in data["candidates"]
    }  # fmt: skip
    assert found == wanted
    assert {0 in pays for pays in found} == {True}


def test_an_unpaid_line_loses_with_other_decks_too() -> None:
    data = designed(
        LUCKY_6, "--pays", "three_cards=0..0", "--pays", "two_cards=20..25", "--edge", "0%..30%"
    )
    for one in data["candidates"]:
        pays = one["pays"]["two_cards"]
        for decks, kept in one["edge_by_decks"].items():
            shoe = census(fresh(int(decks)))
            won = sum(
                ways * (1 + pays)
                for coup, ways in shoe.items()
                if coup.banker == 6 > coup.player and coup.banker_cards == 2
            )
            assert exact(kept) == 1 - Fraction(won, sum(shoe.values()))


def test_an_edge_below_zero_is_a_bettors_advantage_and_is_named_so() -> None:
    bounds = (*RANGES[:2], "--pays", "two_cards=16..24", "--edge=-10%..-1%", "--top", 100)
    data = designed(LUCKY_6, *bounds)
    found = {tuple(one["pays"].values()): exact(one["house_edge"]) for one in data["candidates"]}
    assert found == {
        (three, two): kept
        for three in range(20, 31)
        for two in range(16, 25)
        if Fraction(-10, 100) <= (kept := edge(8, three, two)) <= Fraction(-1, 100)
    }
    text = called("design", LUCKY_6, *bounds, *LAW).stdout
    assert "the bettor has an advantage" in " ".join(text.split())
    assert "advantage" not in called("design", LUCKY_6, *RANGES, *LAW).stdout
    refused = called("design", LUCKY_6, "--hit=-5%..5%", *LAW)
    assert (refused.exit_code, "'-5%' is not a rate" in refused.stderr) == (2, True)
