"""What a record tells that a patron was ahead by, however it tells it, against what the book does."""

import json
from pathlib import Path
from typing import Any

import pytest

from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds.repair import repair_file

ROOT = Path(__file__).parents[2]
RULES: TableRules = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))

# Banker wins with 4 against 0: $200 wins $200 less $10. Tie: 6 against 6.
BANKER_WINS = {"player": "2d Th 8s", "banker": "7c 7d"}
TIE = {"player": "3h 3c", "banker": "5s Ad"}


def owed(tmp_path: Path, cards: dict[str, str], **told: Any) -> int:
    entry = {"seat": 3, "stake": 200, **told}
    line = json.dumps({"shoe": 1, "round": 1, **cards, "wagers": [entry]})
    (tmp_path / "a.jsonl").write_text(line)
    return repair_file(tmp_path / "a.jsonl", RULES, out=None).account.total.net_cents


@pytest.mark.parametrize(
    ("told", "cents"),
    [
        ({"net": 190}, 0),
        ({"net": 200}, -1_000),
        ({"net": -200}, 39_000),
        ({"paid": 200, "vigorish": 10}, 0),
        ({"paid": 200, "vigorish": 4}, -600),
        ({"paid": 180, "vigorish": 10}, 2_000),
        ({"paid": 180, "vigorish": 4}, 1_400),
        ({"paid": 200}, 0),
        ({"paid": 190}, 0),
        ({"paid": 150}, 5_000),
        ({"vigorish": 12}, 200),
        ({"vigorish": 10}, 0),
        # Nothing was paid: the stake was taken too.
        ({"paid": 0}, 39_000),
        ({"paid": 0, "vigorish": 0}, 39_000),
        ({}, 0),
    ],
)
def test_of_a_banker_wager_that_wins(tmp_path: Path, told: dict[str, Any], cents: int) -> None:
    assert owed(tmp_path, BANKER_WINS, wager="banker", **told) == cents


@pytest.mark.parametrize(
    ("told", "cents"),
    [({"net": -200}, 0), ({"paid": 0}, 0), ({"paid": 50}, -25_000), ({"net": 0}, -20_000)],
)
def test_of_a_wager_that_loses(tmp_path: Path, told: dict[str, Any], cents: int) -> None:
    assert owed(tmp_path, BANKER_WINS, wager="player", **told) == cents


@pytest.mark.parametrize(
    ("told", "cents"),
    [
        ({"net": 0}, 0),
        ({"net": -200}, 20_000),
        # Nothing is paid on what neither wins nor loses: the stake went back.
        ({"paid": 0}, 0),
        ({"paid": 200}, -20_000),
        ({"paid": 0, "vigorish": 10}, 1_000),
    ],
)
def test_of_a_wager_that_goes_back(tmp_path: Path, told: dict[str, Any], cents: int) -> None:
    assert owed(tmp_path, TIE, wager="banker", **told) == cents


@pytest.mark.parametrize(
    ("told", "cents"),
    [({"net": 0}, 0), ({"paid": 200, "vigorish": 10}, -19_000), ({"vigorish": 10}, 1_000)],
)
def test_of_a_wager_in_a_void_round(tmp_path: Path, told: dict[str, Any], cents: int) -> None:
    void = {"player": "2d Th", "banker": "7c 7d", "marks": "void"}
    assert owed(tmp_path, void, wager="banker", **told) == cents
