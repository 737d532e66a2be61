"""The excerpt of 2001 is priced and judged by the drawing table that its submission names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.rules import read_rules
from croupier.table.machine.session import TableSession
from support.project import ROOT

pytestmark = pytest.mark.under("us-nj/minibaccarat@1999-07-06")

SAMPLE = (ROOT / "submissions" / "nj-minibaccarat-2001.toml").read_text(encoding="utf-8")
NAMED = 'drawing_table = "us-nj/minibaccarat@2011-02-22"'

HEADER = (
    "shoe,round,seat,player,banker,winner,player_total,banker_total,"
    "stake:player,net:player,stake:banker,net:banker,stake:tie,net:tie\n"
)
# Banker wins with 6 to 3: 5% of $25.10 is $1.255, upward to five cents $1.30. The tie pays 8 to 1.
RIGHT = (
    "1,1,3,Kh 5h 8c,Kd 6d,banker,3,6,,,25.10,23.80,,\n"
    "1,2,3,9h Ks,9d Kc,tie,9,9,,,,,5,40\n"
    "1,3,3,2h 3h,9c Kc,banker,5,9,25,-25,,,,\n"
)


@pytest.fixture
def excerpt(tmp_path: Path) -> Path:
    """A submission of the excerpt that names a drawing table."""
    return written(tmp_path, NAMED)


def written(folder: Path, line: str, text: str = SAMPLE) -> Path:
    path = folder / "table.toml"
    path.write_text(text.replace("[elections]", f"{line}\n\n[elections]", 1), encoding="utf-8")
    return path


def croupier(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.clause(
    "NJ-OLD:19:47-7.3(a)~old", "NJ-OLD:19:47-7.3(b)~old", "NJ-OLD:19:47-7.3(c)~old#2"
)
def test_its_wagers_are_priced_with_the_published_ways(excerpt: Path) -> None:
    printed = croupier("par", "--submission", excerpt, "--decks", "8", "--format", "json")
    assert printed.exit_code == 0, printed.output
    sheet = json.loads(printed.stdout)
    ways = {
        one["id"]: {line["outcome"]: int(line["ways"]) for line in one["lines"]}
        for one in sheet["wagers"]
    }
    assert list(ways) == ["player", "banker", "tie"]
    # Eight decks, as published: casinoexploit.com.
    assert ways["banker"]["win"] == 2_292_252_566_437_888
    assert ways["player"]["win"] == 2_230_518_282_592_256
    assert ways["tie"]["win"] == 475_627_426_473_216
    assert any("us-nj/minibaccarat@2011-02-22" in one for one in sheet["warnings"])


@pytest.mark.clause("NJ-OLD:19:47-7.3(b)~old", "NJ-OLD:19:47-7.3(c)1~old")
def test_rounds_that_are_given_are_judged(excerpt: Path, tmp_path: Path) -> None:
    rounds = tmp_path / "rounds.csv"
    rounds.write_text(HEADER + RIGHT, encoding="utf-8")
    right = croupier("verify", rounds, "--submission", excerpt)
    assert right.exit_code == 0, right.output
    for was, is_wrong, clause in (
        (",5,40", ",5,45", "NJ-OLD:19:47-7.3(b)~old"),
        ("25.10,23.80", "25.10,23.85", "NJ-OLD:19:47-7.3(c)1~old"),
        ("25,-25", "25,25", "NJ-OLD:19:47-7.2(a)2.ii~old"),
        ("2h 3h,9c Kc", "2h 3h,6c Kc", "NJ-MINI:7.9(b)#1"),
    ):
        rounds.write_text(HEADER + RIGHT.replace(was, is_wrong), encoding="utf-8")
        wrong = croupier("verify", rounds, "--submission", excerpt)
        assert wrong.exit_code == 1, wrong.output
        assert clause in wrong.stdout.replace("\n", "")


def test_none_is_taken_from_another_text_unasked(tmp_path: Path) -> None:
    path = written(tmp_path, "")
    rounds = tmp_path / "rounds.csv"
    rounds.write_text(HEADER + RIGHT, encoding="utf-8")
    for words in (("par", "--submission", path), ("verify", rounds, "--submission", path)):
        refused = croupier(*words)
        assert refused.exit_code == 2
        assert "drawing_table" in refused.stderr


def test_a_table_is_not_dealt_for_all_that(excerpt: Path) -> None:
    dealt = croupier("deal", excerpt, "--seed", "1")
    assert dealt.exit_code == 2
    assert "no table can be dealt" in dealt.stderr


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("us-nj/minibaccarat@1999-07-06", "not a text with a drawing table"),
        ("us-nj/minibaccarat", "us-nj/minibaccarat@2011-02-22"),
    ],
)
def test_the_text_that_is_named_has_a_drawing_table(tmp_path: Path, name: str, told: str) -> None:
    path = written(tmp_path, f'drawing_table = "{name}"')
    with pytest.raises(SubmissionError, match=told):
        read_rules(path)


def test_a_text_with_a_drawing_table_takes_no_other(tmp_path: Path) -> None:
    whole = (ROOT / "submissions" / "nj-minibaccarat.toml").read_text(encoding="utf-8")
    with pytest.raises(SubmissionError, match="has a drawing table of its own"):
        read_rules(written(tmp_path, NAMED, whole))


def test_an_excerpt_that_pays_nothing_says_so(tmp_path: Path) -> None:
    path = tmp_path / "punto.toml"
    path.write_text(
        '[submission]\nlaw = "us-nj/punto-banco"\non = 2001-01-16\n'
        f"{NAMED}\n[elections]\ndecks = 8\n",
        encoding="utf-8",
    )
    refused = croupier("par", "--submission", path)
    assert refused.exit_code == 2
    assert "does not say what any wager pays" in refused.stderr


def test_a_session_of_the_excerpt_says_what_its_submission_must_name() -> None:
    rules = read_rules(ROOT / "submissions" / "nj-minibaccarat-2001.toml")
    with pytest.raises(
        LawError, match=r'excerpt without a drawing table.* drawing_table = "ID@DATE"'
    ):
        TableSession(rules)
