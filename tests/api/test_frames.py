"""Results are read by pandas and Polars through the Arrow C stream, and by nothing else here."""

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import croupier
from support.project import ROOT

RULES = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
WAGERS = {(3, "banker"): 10_000, (4, "tie"): 500}
SETTLED = croupier.settle_round(RULES, "Kd 4c 5h 2s 6c Ah", WAGERS)
WRONG = ROOT / "docs" / "examples" / "rounds" / "wrong.csv"

KINDS: dict[str, Callable[[], croupier.TypedResult]] = {
    "round": lambda: SETTLED,
    "round without wagers": lambda: croupier.settle_round(RULES, "9h Kd Th 7c"),
    "wager": lambda: SETTLED.wagers[0],
    "terms": lambda: RULES.wagers[0],
    "rules": lambda: RULES,
    "sheet": lambda: croupier.par_sheet(RULES),
    "odds": lambda: croupier.round_odds(RULES, "9h Kd"),
    "wager's odds": lambda: croupier.par_sheet(RULES)["banker"],
    "outcome": lambda: croupier.par_sheet(RULES)["banker"].outcomes[0],
    "verdict": lambda: croupier.verify_rounds(WRONG, RULES),
    "clean verdict": lambda: croupier.verify_rounds([SETTLED], RULES),
    "simulation": lambda: croupier.simulate(RULES, rounds=10, seed=1),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_library_reads_the_same_of_every_result(name: str) -> None:
    result = KINDS[name]()
    frame = result.to_frame()
    assert isinstance(frame, pa.Table)
    assert pl.DataFrame(result).to_dicts() == frame.to_pylist()
    assert pa.table(result) == frame
    assert len(pd.DataFrame.from_arrow(result)) == frame.num_rows
    assert pa.null() not in frame.schema.types


def test_a_settled_round_has_a_row_for_each_wager() -> None:
    frame = pl.DataFrame(SETTLED)
    assert frame["wager"].to_list() == ["banker", "tie"]
    assert frame["net_cents"].to_list() == [9500, -500]
    assert frame["pays"].to_list() == ["1:1", None]
    assert frame["player"].to_list() == [["Kd", "5h", "6c"]] * 2
    assert frame["winner"].to_list() == ["banker"] * 2


def test_many_results_are_one_frame_with_the_index_of_each() -> None:
    rounds = [
        croupier.Round(
            "Kd 4c 5h 2s 6c Ah",
            tuple(croupier.PlacedWager(seat, "banker", 10_000) for seat in (1, 2)),
        )
    ] * 3
    frame = croupier.to_frame(croupier.settle_rounds(RULES, rounds)).to_pandas()
    assert frame["index"].tolist() == [0, 0, 1, 1, 2, 2]
    assert frame.groupby("index")["net_cents"].sum().tolist() == [19_000] * 3
    assert frame.groupby("seat")["net_cents"].sum().tolist() == [28_500] * 2


def test_the_columns_have_the_types_of_the_fields_even_without_a_row() -> None:
    schema = croupier.settle_round(RULES, "9h Kd Th 7c").to_frame().schema
    assert schema == SETTLED.to_frame().schema
    assert schema.field("net_cents").type == pa.int64()
    assert schema.field("clauses").type == pa.list_(pa.string())
    assert schema.field("vigorish_waived").type == pa.bool_()


def test_fractions_are_numbers_and_other_objects_are_json() -> None:
    sheet = croupier.par_sheet(RULES)
    rows = {(row["wager"], row["outcome"]): row for row in sheet.to_frame().to_pylist()}
    banker = sheet["banker"]
    assert rows["banker", "lose"]["house_edge"] == float(banker.house_edge)
    assert sum(
        Fraction(row["probability"]) for key, row in rows.items() if key[0] == "banker"
    ) == pytest.approx(1)
    found = croupier.verify_rounds(WRONG, RULES).to_frame().to_pylist()
    assert [json.loads(row["expected"]) for row in found[:2]] == ["stay", 3325]
    assert json.loads(RULES.to_frame().to_pylist()[2]["pays"]) == {"win": "8:1"}


@pytest.mark.parametrize("wrong", [[], [SETTLED, RULES], [1], 5, None])
def test_what_are_no_results_of_one_kind_are_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError):
        croupier.to_frame(wrong)


def test_no_results_have_no_kind() -> None:
    with pytest.raises(TypeError, match="there is no result"):
        croupier.to_frame([])


def test_without_its_extra_a_frame_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match=r"croupier\[parquet\]"):
        SETTLED.to_frame()


def test_nothing_of_arrow_is_imported_before_a_frame_is_asked_for() -> None:
    script = (
        "import sys, croupier; rules = croupier.load_rules(sys.argv[1])\n"
        "result = croupier.settle_round(rules, '9h Kd Th 7c'); result.to_json()\n"
        "print(sorted({'pyarrow', 'pandas', 'polars', 'numpy'} & set(sys.modules)))\n"
    )
    path = ROOT / "submissions" / "nj-minibaccarat.toml"
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", script, path], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]"]
