"""The sheets of the blackjack wagers, by arithmetic of its own."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.odds.blackjack import OutcomeCountsError, parse_results, played_results

SUBMISSIONS = Path(__file__).parents[2] / "submissions"


def sheet(name: str, *options: str) -> dict[str, dict[str, object]]:
    path = str(SUBMISSIONS / f"{name}.toml")
    result = CliRunner().invoke(main, ["par", "blackjack", path, "--format", "json", *options])
    assert result.exit_code == 0, result.output
    return {wager["id"]: wager for wager in json.loads(result.stdout)["wagers"]}


@pytest.mark.parametrize(("length", "pays"), [(2, 3), (3, 7), (4, 17), (5, 40)])
def test_a_streak_is_won_by_so_many_decided_rounds_in_a_row(length: int, pays: int) -> None:
    wager = sheet("nj-blackjack-streak", "--results", "win=43,push=9,lose=48")[f"streak_{length}"]
    chance = Fraction(43, 91) ** length
    assert Fraction(str(wager["hit_frequency"])) == chance
    assert Fraction(str(wager["house_edge"])) == 1 - (pays + 1) * chance


def test_the_bonus_keeps_what_the_licensee_has_elected() -> None:
    wagers = sheet("nj-blackjack-bonus")
    assert wagers
    for wager in wagers.values():
        assert 0 <= Fraction(str(wager["house_edge"])) <= Fraction(3, 10)
    assert Fraction(str(wagers["blackjack_bonus_1"]["house_edge"])) == Fraction(649, 5395)


def test_rounds_of_the_reference_game_can_be_repeated() -> None:
    played = played_results(2000, 7)
    assert played == played_results(2000, 7) != played_results(2000, 8)
    assert sum(played.values()) == 2000
    # About 43.3 percent of hands are won and 48 lost, pushes left out 47.4 of a hundred.
    share = played["win"] / (played["win"] + played["lose"])
    assert 0.43 < share < 0.52


@pytest.mark.parametrize("text", ["", "win=1", "lose=3", "win=a,lose=1", "draw=1", "win=-1,lose=1"])
def test_results_of_which_no_streak_is_made_are_refused(text: str) -> None:
    with pytest.raises(OutcomeCountsError):
        parse_results(text)


def test_a_table_of_baccarat_has_no_blackjack_wagers() -> None:
    path = str(SUBMISSIONS / "ma.toml")
    result = CliRunner().invoke(main, ["par", "blackjack", path])
    assert result.exit_code == 2
    assert "has no blackjack wagers" in result.output


@pytest.mark.parametrize("name", ["nj-blackjack-streak", "nj-blackjack-bonus"])
def test_a_sheet_for_which_no_cards_are_counted_has_no_shoe_ways_or_vigorish(name: str) -> None:
    done = CliRunner().invoke(
        main, ["par", "blackjack", f"{SUBMISSIONS / name}.toml", "--format", "json"]
    )
    data = json.loads(done.stdout)
    assert [data[key] for key in ("shoe", "total_ways", "scheme", "drawing")] == [None] * 4
    assert data["source"]
    assert {one["scheme"] for one in data["wagers"]} == {None}
    lines = [line for one in data["wagers"] for line in one["lines"]]
    assert {line["ways"] for line in lines} == {None}
    for one in data["wagers"]:
        assert sum(Fraction(line["probability"]) for line in one["lines"]) == 1


def test_the_lines_of_each_wager_counted_from_cards_add_up_to_the_ways_of_the_sheet() -> None:
    path = str(SUBMISSIONS / "ma-royal-9.toml")
    data = json.loads(
        CliRunner().invoke(main, ["par", "--submission", path, "--format", "json"]).stdout
    )
    for one in data["wagers"]:
        assert sum(int(line["ways"]) for line in one["lines"]) == int(data["total_ways"])
    assert {one["id"] for one in data["wagers"] if one["scheme"]} == {"banker"}


def test_the_bonus_names_its_schedule_as_the_source() -> None:
    path = str(SUBMISSIONS / "nj-blackjack-bonus.toml")
    text = CliRunner().invoke(main, ["par", "blackjack", path]).stdout
    assert re.search(r"Source +the payout schedule", text)
    for word in ("None", "Ways", "Shoe ", "Vigorish", "Scheme"):
        assert not re.search(rf"\b{word}", text), word
