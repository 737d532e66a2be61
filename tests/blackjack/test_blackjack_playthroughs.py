"""Golden rounds of the blackjack wagers are what they were, and every round is right by the oracle."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.rules import read_submission, table_rules
from support.blackjack_playthroughs import FOLDER, GOLDEN, Playthrough
from support.kept import assert_as_made
from support.oracles.blackjack import Judged
from support.project import ROOT

SUBMISSIONS: Final = sorted((ROOT / "submissions").glob("nj-blackjack-*.toml"))
EVERYTHING: Final = {
    "nj-blackjack-streak": {"lost", "split", "push", "held over", "moved and paid"}
    | {f"streak of {length}" for length in (2, 3, 4, 5)},
    "nj-blackjack-bonus": {"announced", "confirmed", "bonus lost"},
}


def given(submission: Path, *words: object) -> Any:
    arguments = ["blackjack", "--submission", submission, *words, "--format", "json"]
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def judged(submission: Path, *words: object) -> Counter[str]:
    return Judged(submission).judge(given(submission, *words))


@pytest.mark.parametrize("one", GOLDEN, ids=str)
def test_golden_rounds_are_told_as_they_were(one: Playthrough) -> None:
    assert_as_made(one.path.read_text(encoding="utf-8"), one.told(), one.path.name)


def test_no_golden_text_of_blackjack_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {one.path.name for one in GOLDEN}


@pytest.mark.parametrize("one", GOLDEN, ids=str)
def test_golden_rounds_are_right_by_the_oracle_and_show_what_there_is(one: Playthrough) -> None:
    found = judged(one.file, "--seed", one.seed, "--patrons", one.patrons, "--rounds", one.rounds)
    assert found["rounds"] == one.rounds
    assert EVERYTHING[str(one)] <= set(found)


@pytest.mark.parametrize("submission", SUBMISSIONS, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_many_rounds_under_every_submission_are_right_by_the_oracle(
    submission: Path, seed: int
) -> None:
    found = judged(submission, "--seed", seed, "--patrons", 6, "--rounds", 300)
    assert EVERYTHING[submission.stem] <= set(found)


@pytest.mark.parametrize("submission", SUBMISSIONS, ids=lambda path: path.stem)
def test_a_seed_repeats_a_game_and_another_does_not(submission: Path) -> None:
    one, again, other = (given(submission, "--seed", seed) for seed in (5, 5, 6))
    assert one == again
    assert one["played"] != other["played"]


def test_the_submissions_make_the_tables_that_they_say() -> None:
    tables = {path.stem: table_rules(read_submission(path)) for path in SUBMISSIONS}
    assert sorted(tables) == ["nj-blackjack-bonus", "nj-blackjack-streak"]
    assert tables["nj-blackjack-streak"].applies("streak.place")
    assert not tables["nj-blackjack-streak"].applies("blackjack_bonus.verify")
    assert tables["nj-blackjack-bonus"].applies("blackjack_bonus.verify")
    assert not tables["nj-blackjack-bonus"].applies("streak.place")


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        (("table_win_cents",), 1),
        (("played", 0, "dealer_natural"), True),
        (("played", 0, "seats", 0, "hands", 0, "result"), "unfinished"),
        (("in_play_cents",), 1),
    ],
)
def test_the_oracle_finds_what_is_wrong(path: tuple[Any, ...], changed: object) -> None:
    submission = GOLDEN[0].file
    data = given(submission, "--seed", 181, "--patrons", 3, "--rounds", 40)
    place = data
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = changed
    with pytest.raises(AssertionError):
        Judged(submission).judge(data)


@pytest.mark.parametrize(
    ("kind", "field", "other"),
    [
        ("StreakPaid", "cents", 1),
        ("StreakPaid", "seat", 7),
        ("LammerMoved", "to_area", 6),
        ("StreakWagersCollected", "stakes", []),
        ("StreakWagersPlaced", "seat", 7),
        ("StreakPaid", "clauses", []),
    ],
)
def test_the_oracle_finds_an_event_that_is_wrong(kind: str, field: str, other: object) -> None:
    submission = GOLDEN[0].file
    data = given(submission, "--seed", 181, "--patrons", 3, "--rounds", 40)
    events = [event for one in data["played"] for event in one["events"]]
    next(event for event in events if event["type"] == kind)[field] = other
    with pytest.raises(AssertionError):
        Judged(submission).judge(data)
