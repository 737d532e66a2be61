"""Custom wagers and unchecked limits by the commands that judge external rounds."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.project import ROOT

TABLE = ("--submission", str(ROOT / "submissions" / "nj-minibaccarat.toml"))
PAIR = ("--own", str(ROOT / "docs" / "examples" / "side-bets" / "player-pair.toml"))
MAPPING = '[wagers.own_player_pair]\nstake = "pair_stake"\nnet = "pair_net"\n'
HEADER = "round,player,banker,winner,pair_stake,pair_net"
RIGHT = ["1,9c Kd,7h Js,P,10,-10", "2,6h 6s,8d Td,B,10,110"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "m.toml").write_text(MAPPING)
    return ("--mapping", str(tmp_path / "m.toml"))


def run(status: int, *arguments: object) -> str:
    done = CliRunner().invoke(main, [str(one) for one in arguments])
    assert done.exit_code == status, done.output
    return done.stdout


def test_a_custom_wager_is_judged_by_all_three_commands(
    tmp_path: Path, files: tuple[str, ...]
) -> None:
    record = tmp_path / "r.csv"
    how = (record, *TABLE, *PAIR, *files)
    record.write_text("\n".join([HEADER, *RIGHT]))
    assert "PASS" in run(0, "verify", *how)
    run(0, "audit", *how)
    record.write_text("\n".join([HEADER, RIGHT[0], RIGHT[1].replace("110", "109.99")]))
    found = " ".join(run(1, "verify", *how).split())
    assert "(settlement): Player Pair: $10.00 wins $110.00" in found
    told = run(0, "explain", *how, "--round", "2")
    assert "found: net $109.99; expected: net $110" in told
    data = json.loads(run(1, "audit", *how, "--format", "json"))
    assert [(one["kind"], one["wager"]) for one in data["divergences"]] == [
        ("settlement", "own_player_pair")
    ]
    assert [one["name"] for one in data["custom_wager_files"]] == ["player-pair.toml"]
    assert data["mapping_file"]["name"] == "m.toml"
    assert data["wagers"] == [{"wager": "own_player_pair", "title": "Player Pair"}]


def test_a_mapping_knows_only_wagers_that_there_are(tmp_path: Path, files: tuple[str, ...]) -> None:
    record = tmp_path / "r.csv"
    record.write_text("\n".join([HEADER, *RIGHT]))
    done = CliRunner().invoke(main, ["verify", str(record), *TABLE, *files])
    assert done.exit_code == 2
    assert "wagers.own_player_pair: unknown" in done.stderr


def test_limits_are_left_unchecked_where_that_is_asked(tmp_path: Path) -> None:
    record = tmp_path / "r.csv"
    record.write_text("round,player,banker,winner,stake:player,net:player\n1,9c Kd,7h Js,P,1,1\n")
    for command in ("verify", "audit"):
        run(1, command, record, *TABLE)
        told = json.loads(run(0, command, record, *TABLE, "--no-limits", "--format", "json"))
        assert any("limits" in why for why in told["unverified"])
        assert command == "verify" or told["reproduce"].endswith(" --no-limits")


def test_what_is_of_external_rounds_alone_is_refused_for_a_log(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    record.write_text("{}\n")
    for command in ("verify", "audit"):
        for option in (PAIR, ("--no-limits",)):
            run(2, command, record, *option)


@pytest.mark.parametrize(("paper", "box"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_a_report_prints_on_the_paper_that_is_asked(
    tmp_path: Path, paper: str, box: tuple[int, int]
) -> None:
    rounds, out = ROOT / "docs" / "examples" / "rounds" / "right.csv", tmp_path / "r.pdf"
    run(0, "audit", rounds, *TABLE, "-o", out, "--paper", paper)
    found = out.read_bytes().partition(b"/MediaBox")[2][:60]
    sizes = [round(float(one)) for one in found.strip(b" [").partition(b"]")[0].split()]
    assert tuple(sizes[2:]) == box
