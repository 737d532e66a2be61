"""A wager on which the bettor has the advantage is reported; expected edges are counted here."""

import json
from fractions import Fraction
from itertools import product
from math import perm
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from support.project import ROOT

SAMPLE = ROOT / "submissions" / "nj-minibaccarat.toml"


def ties(decks: int) -> Fraction:
    """Count the ties of a fresh shoe, six cards by value, by the drawing rules in words."""
    shoe = [16 * decks, *[4 * decks] * 9]
    won = 0
    for six in product(range(10), repeat=6):
        ways = 1
        for value in set(six):
            ways *= perm(shoe[value], six.count(value))
        player, banker, rest = (six[0] + six[2]) % 10, (six[1] + six[3]) % 10, list(six[4:])
        if player < 8 and banker < 8:
            third = None
            if player <= 5:
                third = rest.pop(0)
                player = (player + third) % 10
            if third is None:
                draws = banker <= 5
            else:
                draws = banker <= 2 or (
                    (banker == 3 and third != 8)
                    or (banker == 4 and 2 <= third <= 7)
                    or (banker == 5 and 4 <= third <= 7)
                    or (banker == 6 and third in {6, 7})
                )
            if draws:
                banker = (banker + rest.pop(0)) % 10
        won += ways * (player == banker)
    return Fraction(won, perm(52 * decks, 6))


@pytest.fixture(scope="module")
def advantage() -> str:
    """A Tie of six decks that pays 10 to 1: a unit brings eleven times its probability."""
    return f"Tie: the bettor has an advantage of {float(11 * ties(6) - 1):.4%}"


@pytest.fixture
def generous(tmp_path: Path) -> str:
    text = SAMPLE.read_text(encoding="utf-8")
    text = text.replace('wagers.tie.pays = "8:1"', 'wagers.tie.pays = "10:1"')
    path = tmp_path / "generous.toml"
    path.write_text(text.replace("\ndecks = 8", "\ndecks = 6"), encoding="utf-8")
    return str(path)


def run(*words: str) -> Result:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done


def test_each_command_warns_in_text_and_json(generous: str, advantage: str) -> None:
    assert advantage == "Tie: the bettor has an advantage of 4.5756%"
    for words in (
        ("check", generous),
        ("submission", "diff", str(SAMPLE), generous),
        ("par", "--submission", generous),
        ("par", "--submission", generous, "--summary"),
    ):
        assert " ".join(run(*words).stdout.split()).count(f"WARNING {advantage}") == 1, words
    data = json.loads(run("check", generous, "--format", "json").stdout)
    assert data["submissions"][0]["warnings"] == [advantage]
    data = json.loads(run("submission", "diff", str(SAMPLE), generous, "--format", "json").stdout)
    assert [data[side]["warnings"] for side in ("old", "new")] == [[], [advantage]]
    data = json.loads(run("par", "--submission", generous, "--format", "json").stdout)
    assert data["warnings"] == [advantage]


def test_a_table_without_such_a_wager_has_no_warning() -> None:
    for words in (("check", str(SAMPLE)), ("par", "--submission", str(SAMPLE))):
        assert "advantage of" not in run(*words).stdout
