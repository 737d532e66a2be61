"""The sheets of the blackjack wagers, by arithmetic of its own."""

import json
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
