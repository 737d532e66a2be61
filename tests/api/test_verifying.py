"""Rounds are verified from wherever they come: paths, open files, frames, and streams of objects."""

import gzip
import io
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import croupier
from support.project import ROOT

RULES = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
ROUNDS = ROOT / "docs" / "examples" / "rounds"
WRONG = ROUNDS / "wrong.csv"
# What wrong.csv says, line by line: see its comments in docs/round-records.md.
KINDS = {4: "third_card", 5: "vigorish", 6: "winner", 7: "format"}


def kinds(verdict: croupier.RoundsVerdict) -> dict[int, str]:
    return {one.line: one.kind for one in verdict.divergences}


class Unsized(io.RawIOBase):
    """A stream that can be read once and not be sought, as of a socket."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any, /) -> int:
        return self._data.readinto(into)


def test_a_path_and_every_kind_of_open_file_give_the_same_verdict(tmp_path: Path) -> None:
    text, raw = WRONG.read_text(), WRONG.read_bytes()
    packed = tmp_path / "wrong.csv.gz"
    packed.write_bytes(gzip.compress(raw))
    verdict = croupier.verify_rounds(WRONG, RULES)
    assert kinds(verdict) == KINDS
    for source in (
        str(WRONG), io.StringIO(text), io.BytesIO(raw), io.BytesIO(packed.read_bytes()), Unsized(raw),
    ):  # fmt: skip
        assert croupier.verify_rounds(source, RULES).divergences == verdict.divergences
    with WRONG.open() as file, gzip.open(packed) as unpacked, packed.open("rb") as bytes_:
        for opened in (file, unpacked, bytes_):
            assert croupier.verify_rounds(opened, RULES).divergences == verdict.divergences


def test_a_divergence_is_typed_and_goes_to_json_and_back() -> None:
    verdict = croupier.verify_rounds(WRONG, RULES)
    first = verdict.divergences[0]
    assert isinstance(first, croupier.RoundDivergence)
    assert (first.round, first.kind, first.hand, first.expected, first.found) == (
        "3", "third_card", "banker", "stay", "draw",
    )  # fmt: skip
    assert first.clauses == ("NJ-MINI:7.9(c)", "NJ-MINI:7.9_Table_2#5")
    assert croupier.RoundsVerdict.from_json(verdict.to_json()).divergences == verdict.divergences


def rows() -> Iterator[dict[str, Any]]:
    """Yield four rounds; the second has the wrong winner, and the third pays no vigorish."""
    yield {"round": 1, "player": "Kd 5h 6c", "banker": "4c 2s Ah", "winner": "banker"}
    yield {
        "round": 2,
        "player": ["9h", "Kd"],
        "banker": croupier.parse_cards("Th 7c"),
        "winner": "banker",
    }
    yield {
        "round": 3, "player": "2h 3d 2c", "banker": "8d Tc", "winner": "banker",
        "wagers": [{"seat": 3, "wager": "banker", "stake_cents": 10_000, "net_cents": 10_000}],
    }  # fmt: skip
    yield {"round": 4, "player": "9c Qd", "banker": "8h Ks", "winner": "player"}


def test_an_iterable_of_mappings_is_read_once_and_as_it_comes() -> None:
    # Player has 5 with 2h 3d and Banker a natural 8, so Player draws no third card in round 3.
    found: list[croupier.RoundDivergence] = []
    at: list[int] = []

    def live() -> Iterator[object]:
        for number, row in enumerate(rows(), start=1):
            at.append(len(found))
            yield row
            if number == 2:
                yield "not a round"

    verdict = croupier.verify_rounds(live(), RULES, found=found.append)
    assert kinds(verdict)[2] == "winner"
    assert kinds(verdict)[3] == "format"
    assert {one.kind for one in verdict.divergences if one.line == 4} == {"third_card", "vigorish"}
    assert (verdict.rounds, found) == (4, list(verdict.divergences))
    # Before the third round was asked for, what is wrong before it was known.
    assert at[:3] == [0, 0, 2]


def test_settled_rounds_are_verified_as_they_are() -> None:
    rounds = [
        croupier.Round("Kd 4c 5h 2s 6c Ah", (croupier.PlacedWager(3, "banker", 10_000),)),
        croupier.Round("9h Kd Th 7c", (croupier.PlacedWager(1, "player", 2_500),)),
    ]
    settled = croupier.settle_rounds(RULES, rounds)
    assert croupier.verify_rounds(settled, RULES).is_clean
    assert croupier.verify_rounds(settled[0], RULES).rounds == 1
    wrong = settled[0].to_dict()
    wrong["wagers"][0]["net_cents"] = 10_000
    (found,) = croupier.verify_rounds([wrong, settled[1]], RULES).divergences
    assert (found.line, found.wager, found.seat) == (1, "banker", 3)


def test_data_frames_are_verified_through_the_arrow_protocol() -> None:
    data = {
        "round": [1, 2], "player": ["Kd 5h 6c", "9h Kd"], "banker": ["4c 2s Ah", "Th 7c"],
        "winner": ["banker", "banker"], "stake:banker": [100.0, None], "net:banker": [95.0, None],
    }  # fmt: skip
    for frame in (pd.DataFrame(data), pl.DataFrame(data), pa.table(data)):
        verdict = croupier.verify_rounds(frame, RULES)
        assert (verdict.rounds, kinds(verdict)) == (2, {2: "winner"})


def test_a_frame_without_its_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"player": ["9h Kd"], "banker": ["Th 7c"]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(croupier.FileError, match=r"croupier\[parquet\]"):
        croupier.verify_rounds(frame, RULES)


def test_a_mapping_is_a_file_or_its_tables() -> None:
    tables = {
        "columns": {"player": "P", "banker": "B", "winner": "W"},
        "values": {"winner": {"punto": "player"}},
    }
    dealt = [{"P": "9h Kd", "B": "Th 7c", "W": "punto"}]
    assert croupier.verify_rounds(dealt, RULES, mapping=tables).is_clean
    mapped = croupier.verify_rounds(ROUNDS / "other.csv", RULES, mapping=str(ROUNDS / "other.toml"))
    with pytest.raises(croupier.FileError, match=r"columns\.plaer"):
        croupier.verify_rounds(dealt, RULES, mapping={"columns": {"plaer": "P"}})
    assert mapped.rounds


@pytest.mark.parametrize("wrong", [None, 5, {"player": "9h Kd"}, b"player,banker"])
def test_what_is_no_source_of_rounds_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="give a path, an open file, a frame, or an iterable"):
        croupier.verify_rounds(wrong, RULES)


@pytest.mark.parametrize("none", [[], [{}], ["x"], io.StringIO(""), io.StringIO("player,banker\n")])
def test_no_round_at_all_is_an_error(none: Any) -> None:
    with pytest.raises(croupier.FileError):
        croupier.verify_rounds(none, RULES)


def test_rows_of_a_cursor_and_numbers_of_numpy_are_read() -> None:
    dealt = {"round": 1, "player": "9h Kd", "banker": "Th 7c", "winner": "player"}
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    names = ", ".join(dealt)
    database.execute(f"create table dealt ({names})")
    database.execute("insert into dealt values (?, ?, ?, ?)", tuple(dealt.values()))
    assert croupier.verify_rounds(database.execute("select * from dealt"), RULES).is_clean
    database.close()
    amounts = {"stake:player": np.float32(100), "net:player": np.int32(100)}
    assert croupier.verify_rounds([{**dealt, "round": np.int64(1), **amounts}], RULES).is_clean
    with pytest.raises(croupier.FileError, match="round: a date is neither text nor a number"):
        croupier.verify_rounds([{**dealt, "round": date(2026, 11, 27)}], RULES)


@pytest.mark.parametrize("column", ["P", ["P1", "P2"]])
def test_a_mapping_of_cards_that_no_row_has_accuses_nobody(column: str | list[str]) -> None:
    mapping = {"columns": {"player": column, "banker": "B"}}
    rows = [{"Player": "9h Kd", "B": "Th 7c"}] * 3
    with pytest.raises(croupier.FileError, match=r"no row has the column P.* of the mapping"):
        croupier.verify_rounds(rows, RULES, mapping=mapping)
    rows = [*rows, {"P": "9h Kd", "P1": "9h", "B": "Th 7c"}]
    assert not croupier.verify_rounds(rows, RULES, mapping=mapping).is_clean


def test_a_custom_wager_is_loaded_settled_weighed_and_verified(tmp_path: Path) -> None:
    file = ROOT / "docs" / "examples" / "lucky-6.toml"
    wager = croupier.load_wager(file, RULES, limits_cents=(500, 50_000))
    assert (wager.terms.wager, wager.terms.pays["three_cards"], wager.terms.min_cents) == (
        "lucky_6",
        "20:1",
        500,
    )
    rules = RULES.with_wagers(wager)
    assert rules.sha256 != RULES.sha256
    assert croupier.GameRules.from_json(rules.to_json()) == rules
    # Player's third card is a 6, so Banker draws on 5, and wins with 6 on three cards.
    cards = {"player": "2h 3h 6c", "banker": "2s 3d Ac"}
    settled = croupier.settle_round(rules, cards, {(1, "lucky_6"): 500})
    assert (settled.wagers[0].line, settled.net_cents) == ("three_cards", 10_000)
    assert croupier.par_sheet(rules)["lucky_6"].house_edge > 0
    assert croupier.verify_rounds([settled], rules).is_clean
    with croupier.open_table(rules, {1: 10_000}, record=tmp_path / "table.jsonl") as table:
        table.execute(croupier.commands.PlaceWager(1, "lucky_6", 500))
    assert croupier.verify_log(tmp_path / "table.jsonl").is_clean
    with pytest.raises(croupier.CustomWagerError, match="lucky_6"):
        rules.with_wagers(wager)
    with pytest.raises(croupier.SubmissionError, match="lucky_6"):
        RULES.with_wagers(croupier.load_wager(file))


def test_an_impossible_line_of_a_custom_wager_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "never.toml"
    file.write_text(
        '[wager]\nid = "never"\ntitle = "Never"\n[[line]]\nname = "a"\nwhen = { winner = "player", banker_count = 9 }\npays = "5:1"\n'
    )
    assert croupier.load_wager(file).terms.wager == "never"
    with pytest.raises(croupier.CustomWagerError, match="can never be hit"):
        croupier.load_wager(file, RULES)
    with pytest.raises(croupier.CustomWagerError):
        croupier.load_wager(tmp_path / "none.toml")


def test_rounds_of_standard_input_are_verified() -> None:
    script = (
        "import sys, json, croupier\n"
        "rules = croupier.load_rules(sys.argv[1])\n"
        "print(croupier.verify_rounds(sys.stdin, rules).rounds)\n"
        "lines = map(json.loads, open(sys.argv[2]))\n"
        "same = croupier.verify_rounds(sys.argv[2], rules).divergences\n"
        "print(croupier.verify_rounds(lines, rules).divergences == same)\n"
    )
    lines = "".join(
        json.dumps(row, default=str) + "\n" for row in ({"player": "9c Qd", "banker": "8h Ks"},)
    )
    path = ROOT / "submissions" / "nj-minibaccarat.toml"
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", script, path, ROUNDS / "irregular.jsonl"],
        input=lines, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["1", "True"]
