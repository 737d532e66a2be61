"""``croupier law test``: scenarios are played, differences located, and untested values found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier.cli.law import played
from croupier.scenarios.acceptance.files import Scenario
from support.blocks import blocks_of
from support.command_line import told_with
from support.project import ROOT

EXAMPLE = ROOT / "docs" / "examples" / "scenarios" / "nj-minibaccarat.toml"


def _written(folder: Path, old: str = "", new: str = "") -> Path:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert old in text
    path = folder / "own.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def test_a_passing_file_exits_with_0(tmp_path: Path) -> None:
    done = told_with(0, "law", "test", str(_written(tmp_path)))
    assert "PASS 1/1" in done.output


def test_the_example_of_the_document_passes(tmp_path: Path) -> None:
    first = next(
        block
        for block in blocks_of(ROOT / "docs" / "law-scenarios.md")
        if block.text.startswith("[[scenario]]")
    )
    (tmp_path / "own.toml").write_text(first.text, encoding="utf-8")
    assert "PASS 1/1" in told_with(0, "law", "test", str(tmp_path)).output


def test_a_difference_names_file_line_step_and_both_values(tmp_path: Path) -> None:
    path = _written(tmp_path, "$645.00", "$644.00")
    done = told_with(1, "law", "test", str(path), "--format", "json")
    (scenario,) = json.loads(done.stdout)["scenarios"]
    assert scenario["result"] == "fail"
    assert scenario["line"] == 1
    assert scenario["differences"] == ["at the end: chips is { 3 = $645.00 }, not { 3 = $644.00 }"]


def test_a_pending_scenario_that_passes_fails(tmp_path: Path) -> None:
    path = _written(tmp_path, 'title = "', 'pending = "nothing"\ntitle = "')
    done = told_with(1, "law", "test", str(path))
    assert "remove the key pending" in done.output


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("7.9(a)", "7.99(a)", "own.toml:6:5: scenario[1].rests_on[1].clause: '7.99(a)' is not"),
        ("chips = {", "chip = {", "unknown key; did you mean chips?"),
        ('title = "', 'reading = "C27"\ntitle = "', "scenario[1].reading: must be a table"),
        ('title = "', 'reading = { C27 = ["a"] }\ntitle = "', "C27 has no reading ['a']"),
        ("us-nj/minibaccarat@", "us-nj/minibacarat@", "is not a regulation; did you mean"),
        (
            "us-nj/minibaccarat@",
            "zz-own/wheel@",
            "is not a regulation; searched: the package; name",
        ),
    ],
)
def test_a_malformed_file_exits_with_2(tmp_path: Path, old: str, new: str, said: str) -> None:
    done = told_with(2, "law", "test", str(_written(tmp_path, old, new)))
    assert said in done.output


def test_coverage_lists_what_no_scenario_cites(tmp_path: Path) -> None:
    done = told_with(1, "law", "test", str(_written(tmp_path)), "--coverage", "--format", "json")
    (untested,) = json.loads(done.stdout)["untested"]
    assert "NJ-MINI:7.10(a)#1" not in untested["clauses"]
    assert "NJ-MINI:7.11(b)" in untested["clauses"]
    assert {"vigorish.collection = deferred", "deal.banker_first = true"} <= {*untested["choices"]}


def test_a_changed_value_is_noticed_or_reported(tmp_path: Path) -> None:
    done = told_with(1, "law", "test", str(_written(tmp_path)), "--mutate", "--format", "json")
    by_rule = {one["rule"]: one["noticed_by"] for one in json.loads(done.stdout)["mutants"]}
    # Both hands have two cards, and Player pays even money; one patron cuts.
    assert by_rule["wagers.player.pays"] == "nj-mini-a-natural-eight-beats-seven"
    assert by_rule["cut.offer_from"] is None


def test_each_row_of_a_drawing_table_is_changed_unless_no_hand_comes_to_it(tmp_path: Path) -> None:
    done = told_with(1, "law", "test", str(_written(tmp_path)), "--mutate", "--format", "json")
    tried = [one for one in json.loads(done.stdout)["mutants"] if one["rule"] == "third.banker"]
    assert [one["changed"] for one in tried] == [
        *(f"{{{count} {'S' * 11}}}" for count in range(3)),
        "{3 SSSSSSSSSDS}", "{4 SDDSSSSSSDD}", "{5 SDDDDSSSSDD}", "{6 DDDDDDDSSDD}",
        f"{{7 {'D' * 11}}}",
    ]  # fmt: skip
    assert tried[3]["value"] == "{3 DDDDDDDDDSD}"
    assert {one["noticed_by"] for one in tried} == {None}


def test_a_changed_value_that_a_law_file_may_not_have_is_not_tried(tmp_path: Path) -> None:
    for block in blocks_of(ROOT / "docs/tutorials/own-regulation.md"):
        if (name := block.info.removeprefix("toml laws/")) != block.info:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(block.text, encoding="utf-8")
    laws = ("--laws", str(tmp_path))
    done = told_with(1, *laws, "law", "test", str(tmp_path), "--mutate", "--format", "json")
    tried = {one["rule"]: one["value"] for one in json.loads(done.stdout)["mutants"]}
    assert tried["vigorish.commission"] == "3%"
    # Each other scheme needs a rate, and each other disposal a count or a reading.
    assert tried.keys().isdisjoint({"vigorish.scheme", "irregularity.disclosed_card"})


def test_a_folder_without_scenarios_is_refused(tmp_path: Path) -> None:
    assert "has no scenarios" in told_with(2, "law", "test", str(tmp_path)).output


_SOUND = """
[[scenario]]
id = "a"
title = "t"
law = "us-nj/minibaccarat@2011-02-22"
rests_on = [{ clause = "7.9(a)", says = "x" }]
patrons = [{ seat = 4, name = "Wim", chips = "$500.00" }]
gaming_date = 2011-03-01
steps = [{ wager = { 4 = { player = "$20.00" } } }, { play = "9h 8d Kh Ks", events = ["WagerPaid"] }]
outcome = { chips = { 4 = "$520.00" } }
"""


@pytest.mark.parametrize(
    ("sound", "unsound", "status", "reason"),
    [
        ("", "", 0, "PASS 1/1"),
        ("chips = { 4", "chips = { 9", 1, "at the end: cannot be played as written: KeyError: 9"),
        ("seat = 4", 'seat = "x"', 2, 's.toml:7:14: scenario[1].patrons[1].seat: must be a whole number, not "x"'),
        ('wager = { 4 = { player = "$20.00" } }', "wager = 5", 2, "steps[1].wager: must be a table of wagers by seat"),
        ("gaming_date", "clock = 5\ngaming_date", 2, "s.toml:8:1: scenario[1].clock: must be a time in UTC"),
        ("Kh Ks", "Kh Kx", 1, "names no cards from 'x' on"),
        ("gaming_date", "limits = { tie = 5 }\ngaming_date", 2, "scenario[1].limits: must be a table of limits"),
        ("gaming_date", "tables = 5\ngaming_date", 2, "must be a list of tables"),
        ('["WagerPaid"]', "5", 2, "must be a list of names or tables"),
        ('play = "9h 8d Kh Ks"', "do = 5", 2, "must be the name of a command, not 5"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_its_key_fails_where_it_is(
    sound: str, unsound: str, status: int, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "s.toml"
    path.write_text(_SOUND.replace(sound, unsound, 1) if sound else _SOUND, encoding="utf-8")
    more = ["--coverage"] if status == 1 else []
    result = told_with(status, "law", "test", path, *more)
    assert reason in " ".join((result.stdout + result.stderr).split())


def test_a_scenario_that_fails_anyway_notices_no_changed_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = _SOUND.replace('id = "a"', 'id = "b"').replace("$520.00", "$530.00")
    (tmp_path / "s.toml").write_text(_SOUND + wrong, encoding="utf-8")
    asked: list[str] = []

    def noted(_text: object, scenarios: Sequence[Scenario]) -> tuple[()]:
        asked.extend(scenario.id for scenario in scenarios)
        return ()

    monkeypatch.setattr(played, "mutants", noted)
    told_with(1, "law", "test", tmp_path, "--mutate")
    assert asked == ["a"]
