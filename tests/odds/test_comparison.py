"""Two tables compared: the steps add up exactly, and each is put to the rules that make it."""

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.odds.comparison import EdgeComparison, compare
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, default_submission, read_submission, table_rules
from support.oracles.odds import PAYTABLES, Terms, fresh, weighed
from support.par import DEALT, called, census, exact, sheet_of, table, wagers_of
from support.project import ROOT
from support.texts import NJ_MINI


def plain(**elections: Any) -> TableRules:
    return table_rules(default_submission("us-nj/minibaccarat", NJ_MINI, **elections))


def sample(name: str) -> TableRules:
    return table_rules(read_submission(table(name).path))


def compared(one: TableRules, other: TableRules) -> dict[str, EdgeComparison]:
    shoes = (
        ShoeComposition.of_decks(one.decks_per_shoe),
        ShoeComposition.of_decks(other.decks_per_shoe),
    )
    return {found.wager: found for found in compare(one, other, shoes)}


def edge(wager: str, terms: Terms, decks: int = 8) -> Fraction:
    """The house edge by the oracle."""
    return -weighed(wager, census(fresh(decks), literal=terms.literal), terms).mean()


def steps_of(found: EdgeComparison) -> dict[str, Fraction]:
    return {step.group: step.change for step in found.steps}


# --- the whole ---------------------------------------------------------------------------------


def hold_sums(one: TableRules, other: TableRules) -> None:
    found = compared(one, other)
    assert set(found) == {*one.offers, *other.offers}
    for wager, comparison in found.items():
        assert (comparison.before is None) == (wager not in one.offers)
        assert (comparison.after is None) == (wager not in other.offers)
        if comparison.before is None or comparison.after is None:
            assert comparison.change is None
            assert comparison.steps == ()
            continue
        assert comparison.change == comparison.after - comparison.before
        changes = [step.change for step in comparison.steps]
        assert sum(changes, Fraction()) == comparison.change
        assert 0 not in changes


@pytest.mark.parametrize("seed", range(30))
def test_the_steps_between_any_two_tables_add_up_exactly(seed: int) -> None:
    one, other = random.Random(seed).sample(DEALT, 2)
    hold_sums(sample(one), sample(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ma-royal-9", "ma-royal-9-to-one"),
        ("ma-house-money", "ma-house-money-half"),
        ("ma-ez", "ny-mini-ez"),
        ("ny-mini-literal-row", "nj-minibaccarat-six-pays-half"),
    ],
)
def test_the_steps_add_up_in_either_direction(one: str, other: str) -> None:
    hold_sums(sample(one), sample(other))
    hold_sums(sample(other), sample(one))
    forth, back = compared(sample(one), sample(other)), compared(sample(other), sample(one))
    for wager, comparison in forth.items():
        if comparison.change is not None:
            assert back[wager].change == -comparison.change


@pytest.mark.parametrize("name", ["nj-minibaccarat", "ma-house-money", "ny-mini"])
def test_a_table_and_itself_differ_in_nothing(name: str) -> None:
    for comparison in compared(sample(name), sample(name)).values():
        assert comparison.change == 0
        assert comparison.steps == ()


def test_the_edges_are_those_of_the_sheets() -> None:
    one, other = "nj-minibaccarat", "nj-punto-banco-4-percent"
    sheets = [wagers_of(sheet_of("--submission", table(name).path)) for name in (one, other)]
    for wager, comparison in compared(sample(one), sample(other)).items():
        for figure, sheet in zip((comparison.before, comparison.after), sheets, strict=True):
            assert figure == (exact(sheet[wager]["house_edge"]) if wager in sheet else None)


# --- one group alone ---------------------------------------------------------------------------


def test_a_tie_that_pays_more_is_the_rules_of_the_tie_alone() -> None:
    found = compared(plain(), plain(wagers__tie__pays="9:1"))
    change = edge("tie", Terms(tie=Fraction(9))) - edge("tie", Terms())
    assert steps_of(found["tie"]) == {"wagers.tie": change}
    (step,) = found["tie"].steps
    assert step.rules == ("wagers.tie.pays",)
    assert step.cites == (("NJ-MINI:7.3(b)",), ("NJ-MINI:7.3(b)",))
    assert found["player"].steps == found["banker"].steps == ()


@pytest.mark.parametrize("scheme", ["4%", "tie-25%", "six-pays-half", "dragon-7"])
def test_another_scheme_is_vigorish_alone(scheme: str) -> None:
    found = compared(plain(), plain(vigorish__scheme=scheme))
    change = edge("banker", Terms(scheme=scheme)) - edge("banker", Terms())
    assert steps_of(found["banker"]) == {"vigorish and the Banker wager": change}
    assert "vigorish.scheme" in found["banker"].steps[0].rules
    assert found["player"].steps == found["tie"].steps == ()


def test_another_pay_table_is_the_bonus_alone() -> None:
    one, other = (plain(wagers__bonus__offered=True, wagers__bonus__paytable=name) for name in "AB")
    for wager in ("bonus_player", "bonus_banker"):
        change = edge(wager, Terms(bonus=PAYTABLES["B"])) - edge(wager, Terms())
        assert steps_of(compared(one, other)[wager]) == {"wagers.bonus": change}


def test_more_decks_are_the_shoe_alone() -> None:
    found = compared(plain(decks=6), plain(decks=8))
    for wager in ("player", "banker", "tie"):
        change = edge(wager, Terms()) - edge(wager, Terms(), 6)
        assert steps_of(found[wager]) == {"the shoe": change}


def test_the_damaged_row_is_the_drawing_table_alone() -> None:
    found = compared(sample("ny-midi"), sample("ny-mini-literal-row"))
    for wager in ("player", "banker", "tie"):
        change = edge(wager, Terms(literal=True)) - edge(wager, Terms())
        assert steps_of(found[wager]) == {"the drawing table": change}


def test_several_groups_are_told_apart() -> None:
    one = plain(decks=6, vigorish__scheme="5%")
    other = plain(decks=8, vigorish__scheme="4%")
    found = compared(one, other)
    assert steps_of(found["banker"]) == {
        "the shoe": edge("banker", Terms()) - edge("banker", Terms(), 6),
        "vigorish and the Banker wager": edge("banker", Terms(scheme="4%"))
        - edge("banker", Terms()),
    }
    assert list(steps_of(found["player"])) == ["the shoe"]


# --- two states --------------------------------------------------------------------------------


def test_two_states_with_the_same_elections_have_the_same_edges() -> None:
    found = compared(sample("nj-minibaccarat"), sample("ma"))
    for wager in ("player", "banker", "tie", "bonus_player", "bonus_banker"):
        assert found[wager].change == 0
        assert found[wager].steps == ()
    for wager in ("four_cards", "five_cards", "six_cards"):
        assert found[wager].after is None


def test_each_side_of_a_step_between_two_states_cites_its_own_law() -> None:
    found = compared(sample("nj-minibaccarat"), sample("ma-ez"))
    (step,) = found["banker"].steps
    assert step.change == edge("banker", Terms(scheme="dragon-7")) - edge("banker", Terms())
    assert step.cites[0]
    assert step.cites[1]
    assert {one.partition(":")[0] for one in step.cites[0]} == {"NJ-MINI"}
    assert {one.partition(":")[0] for one in step.cites[1]} == {"MA-MINI"}


# --- from the command line ---------------------------------------------------------------------


def paths(one: str, other: str) -> tuple[Path, Path]:
    return table(one).path, table(other).path


def test_a_comparison_is_given_to_a_program() -> None:
    pair = "nj-minibaccarat", "nj-minibaccarat-4-percent"
    result = called("par", "compare", *paths(*pair), "--format", "json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)["wagers"]
    wanted = compared(*map(sample, pair))
    assert [one["wager"] for one in found] == list(wanted)
    for one in found:
        assert set(one) == {"wager", "before", "after", "change", "steps"}
        comparison = wanted[one["wager"]]
        for name in ("before", "after", "change"):
            figure = getattr(comparison, name)
            assert (None if one[name] is None else exact(one[name])) == figure
        for step, of_it in zip(one["steps"], comparison.steps, strict=True):
            assert set(step) == {"group", "rules", "cites", "change"}
            assert (step["group"], exact(step["change"])) == (of_it.group, of_it.change)
            assert step["rules"] == list(of_it.rules)
            before, after = map(list, of_it.cites)
            assert step["cites"] == {"before": before, "after": after}


def test_a_comparison_is_told_to_a_person() -> None:
    result = called("par", "compare", *paths("ny-midi", "ny-mini-literal-row"))
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    # The published edge of Player, and that of the row by the letter.
    assert "Player 1.2351% -6.7217% -7.9568%" in lines
    assert any(line.startswith("-7.9568% the ") for line in lines)
    assert [line for line in lines if line.startswith("WARNING T41")]


def test_tables_that_cannot_be_compared_exit_with_status_two() -> None:
    plain_path = table("nj-minibaccarat").path
    fragment = ROOT / "submissions" / "nj-minibaccarat-2001.toml"
    for arguments in ([plain_path], [plain_path, fragment], [plain_path, plain_path.parent / "no"]):
        result = called("par", "compare", *arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr


def test_packages_are_compared_figure_by_figure() -> None:
    paths = [table(name).path for name in ("ma-house-money", "ma-house-money-half")]
    told = json.loads(called("par", "compare", *paths, "--format", "json").stdout)["packages"]
    found = {(one["package"], one["row"], one["column"]): one for one in told}
    sheets = [sheet_of("--submission", path)["packages"] for path in paths]
    for side, sheet in zip(("before", "after"), sheets, strict=True):
        values = {
            (package["id"], row["id"], name): value
            for package in sheet
            for row in package["rows"]
            for name, value in row["figures"].items()
        }
        assert {key: one[side] for key, one in found.items()} == values
    # Of what is added half as much, half as much is gained: the rest of the edge is as it was.
    take, add = (found["house_money", row, "player"] for row in ("take", "add"))
    assert exact(take["change"]) == 0
    gained = [exact(take[side]) - exact(add[side]) for side in ("before", "after")]
    assert gained[0] == 2 * gained[1]
