"""Pits beside one another: what binds the tables of a licensee everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from croupier.records.codec import from_json
from croupier.verify.pit_log import verify_pit_lines
from support.pit_service import Clock, Pit
from support.served import NJ, problem, served

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
def test_what_binds_a_licensee_everywhere_binds_the_tables_of_other_pits(tmp_path: Path) -> None:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", clock=clock) as house:
        _both_pits(Pit(house, clock))


def _both_pits(pit: Pit) -> None:
    ny, other = (NJ.with_name(f"{one}.toml") for one in ("ny-mini", "ny-mini-4-percent"))

    def makes(table: str, file: Path, number: str) -> Any:
        (stated,) = re.findall(r'pit = ".*"', file.read_text(encoding="utf-8"))
        there: dict[str, Any] = {stated: f'pit = "{number}"'}
        return pit.makes(table, file, **there)

    assert makes("NY-1", ny, "1").status_code == 201
    elsewhere = pit.house.person("licensee", "Lou", id="second", pit="2")
    pit.licensee, here = elsewhere, pit.licensee
    told = problem(makes("NY-2", other, "2"), 409, "not_uniform")
    assert [one["id"] for one in told["clauses"]] == ["NY-MINIMIDI:(c)(5)#2"]
    assert makes("NY-2", ny, "2").status_code == 201
    # The record says what the tables of the other pit had elected then.
    (admitted,) = [from_json(line)["command"] for line in pit.lines("pit:2")[1:]]
    assert [(one["table"], one["pit"]) for one in admitted["beside"]] == [("NY-1", "1")]
    assert verify_pit_lines(Path("pit"), pit.lines("pit:2")).is_clean
    # So a change in one pit waits until the other can follow.
    pit.licensee = here
    scheme = {"vigorish.scheme": "4%"}
    answer = pit.does("ChangeElections", tables=["NY-1"], elections=scheme)
    told = problem(answer, 409, "not_uniform")
    assert "NY-2" in told["detail"]
