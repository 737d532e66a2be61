"""A dealt log names who gave each command, in an office that this person holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import acts
from croupier.scenarios.plainest import given_by
from croupier.table import new_table
from croupier.verify.log import verify_log
from support.forged_logs import Line, forged, play, read
from support.project import ROOT
from support.table import rules_of

TABLES = ["ma-house-money", "ma-royal-9", "nj-minibaccarat", "nj-punto-banco-dragon-7", "ny-midi"]


@pytest.mark.parametrize("name", TABLES)
def test_every_entry_of_a_dealt_log_names_its_actors(tmp_path: Path, name: str) -> None:
    path = tmp_path / "table.jsonl"
    play(path, ROOT / "submissions" / f"{name}.toml", rounds=8, dealer_errors=30)
    assert verify_log(path).is_clean
    _, *entries, _ = read(path.read_bytes())
    assert len(entries) > 100
    assert [one for one in entries if not one["by"]] == []
    assert {actor["office"] for one in entries for actor in one["by"]} >= {
        "dealer", "floorperson", "patron",
    }  # fmt: skip


def _settling(entries: list[Line]) -> Line:
    return next(one for one in entries if one.get("command", {}).get("type") == "SettleWagers")


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ({"person": "floorperson", "office": "floorperson", "device": ""}, "not for the floor"),
        ({"person": "stranger", "office": "dealer", "device": ""}, "not assigned as dealer"),
    ],
)
def test_an_actor_who_may_not_is_found_by_the_judge(
    tmp_path: Path, by: dict[str, str], why: str
) -> None:
    path = tmp_path / "table.jsonl"
    play(path, rounds=2)
    lines = read(path.read_bytes())
    _settling(lines)["by"] = [by]
    path.write_bytes(forged(lines))
    divergence = verify_log(path).divergence
    assert divergence is not None
    assert why in divergence.message


def test_a_command_whose_office_is_vacant_is_given_by_no_one() -> None:
    rules = rules_of()
    state = new_table(rules)
    assert given_by(state, acts.ReceiveForms("Clark", 1, 9), rules) != ()
    assert given_by(state, acts.DropForm(1, "Bo", "Clark"), rules) == ()
