"""Totals, heartbeats, and footers among the rounds: skipped and named, but never a damaged round."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import parquet

from croupier.cli import main
from croupier.records.rounds.finding import find_mapping
from croupier.records.rounds.mapping import RoundMapping
from croupier.rules import read_submission, table_rules
from croupier.verify.rounds import file
from croupier.verify.rounds.cached import CachedVerifier
from croupier.verify.rounds.file import verify_file
from support.project import ROOT
from support.vendor_exports import TABLE, Export, Fault, dollars, hands, plant, rows

Line = dict[str, Any]
WAGERS = ("player", "banker", "tie")


def verified(path: Path, *more: object) -> Any:
    table = ROOT / "submissions" / f"{TABLE}.toml"
    words = ["verify", path, "--submission", table, "--format", "json", *more]
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 1, done.output
    return json.loads(done.stdout)


def found(data: Any) -> set[Fault]:
    return {
        Fault(one["kind"], str(one["shoe"]), str(one["round"]),
              one["expected"] - one["found"] if one["kind"] in {"settlement", "vigorish"} else 0)
        for one in data["divergences"]
    }  # fmt: skip


def hint(data: Any) -> list[str]:
    return [one for one in data["hints"] if "are skipped" in one]


def written(path: Path, lines: list[Line]) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def a_feed(folder: Path) -> tuple[Export, list[Line]]:
    """A feed with a heartbeat now and then, and a footer."""
    dealt = hands(2401, 3, seats=2, betless=False)
    faults = plant(dealt, "short", "vigorish", "winner")
    lines: list[Line] = []
    for at, one in enumerate(dealt):
        if at % 20 == 7:
            lines.append({"type": "heartbeat", "at": f"2026-11-02T10:{at % 60:02}:00Z"})
        bets = [
            {"seat": bet.seat, "wager": bet.wager, "stake": bet.stake / 100,
             "payout": (bet.stake + bet.net) / 100} for bet in one.bets
        ]  # fmt: skip
        lines.append({
            "type": "round", "shoe": one.dealt.shoe, "round": one.dealt.number,
            "player": one.dealt.player, "banker": one.dealt.banker, "winner": one.winner, "bets": bets,
        })  # fmt: skip
    lines.append({"type": "footer", "rounds": len(dealt)})
    return Export(written(folder / "feed.jsonl", lines), faults), lines


def a_frame(folder: Path) -> tuple[Export, list[Line]]:
    """A Parquet file with a row of totals at its end."""
    dealt = hands(2402, 3)
    faults = plant(dealt, "short", "lost tie", "winner")
    lines: list[Line] = []
    for one in dealt:
        by = {bet.wager: bet for bet in one.bets}
        lines.append({
            "shoe": str(one.dealt.shoe), "coup": float(one.dealt.number),
            "player": " ".join(one.dealt.player), "banker": " ".join(one.dealt.banker), "winner": one.winner,
            **{f"{name}_stake": by[name].stake / 100 if name in by else None for name in WAGERS},
            **{f"{name}_return": (by[name].stake + by[name].net) / 100 if name in by else None for name in WAGERS},
        })  # fmt: skip
    sums = {name: sum(line[name] or 0 for line in lines) for name in lines[0] if "_" in name}
    lines.append(dict.fromkeys(lines[0]) | {"shoe": "Total"} | sums)
    parquet.write_table(pa.Table.from_pylist(lines), path := folder / "frame.parquet")
    return Export(path, faults), lines


def test_heartbeats_and_footers_are_skipped_and_named(tmp_path: Path) -> None:
    export, lines = a_feed(tmp_path)
    data = verified(export.path)
    beats = sum(line["type"] == "heartbeat" for line in lines)
    assert found(data) == {*export.faults}
    assert hint(data) == [
        f"Lines without cards, winner, or wager are skipped: {beats} of 'heartbeat', 1 of 'footer'."
    ]
    assert beats + 1 in data["unverified"].values()


def test_totals_of_a_parquet_file_are_skipped_and_named(tmp_path: Path) -> None:
    export, _ = a_frame(tmp_path)
    data = verified(export.path)
    assert found(data) == {*export.faults}
    assert hint(data) == ["Lines without cards, winner, or wager are skipped: 1 of 'Total'."]


@pytest.mark.parametrize("make", [a_feed, a_frame])
def test_a_proposed_mapping_skips_the_same(
    tmp_path: Path, make: Callable[[Path], tuple[Export, list[Line]]]
) -> None:
    export, _ = make(tmp_path)
    proposed = CliRunner().invoke(main, ["map", str(export.path)]).stdout
    assert tomllib.loads(proposed)["file"]["skip"]
    (mapping := tmp_path / "mapping.toml").write_text(proposed, encoding="utf-8")
    assert found(verified(export.path, "--mapping", mapping)) == {*export.faults}


def test_the_advice_to_skip_other_lines_works(tmp_path: Path) -> None:
    export, lines = a_feed(tmp_path)
    written(export.path, [*lines, {"type": "session_end"}])
    (one,) = (one for one in verified(export.path)["divergences"] if one["kind"] == "format")
    assert one["message"].endswith(
        'name what it begins with in a mapping, as [file] skip = ["Total"]'
    )
    proposed = CliRunner().invoke(main, ["map", str(export.path)]).stdout
    (mapping := tmp_path / "mapping.toml").write_text(
        proposed.replace("skip = [", 'skip = ["session", '), encoding="utf-8"
    )
    assert found(verified(export.path, "--mapping", mapping)) == {*export.faults}


@pytest.mark.parametrize("change", [
    {"type": "heartbeat"},
    {"type": "footer", "player": ["??", "9h"], "banker": []},
    {"type": "heartbeat", "player": [], "banker": []},
    {"type": "heartbeat", "player": [], "banker": [], "winner": None},
    {"type": "heartbeat", "player": None, "banker": None, "bets": []},
    {"shoe": "heartbeat"},
    {"round": "footer"},
])  # fmt: skip
def test_a_round_called_a_heartbeat_is_not_skipped(tmp_path: Path, change: Line) -> None:
    export, lines = a_feed(tmp_path)
    bad = export.faults[-1]
    at = next(at for at, line in enumerate(lines)
              if (str(line.get("shoe")), str(line.get("round"))) == (bad.shoe, bad.round))  # fmt: skip
    skipped = hint(verified(export.path))
    lines[at] = {**lines[at], **change}
    data = verified(written(export.path, lines))
    assert any(one["line"] == at + 1 for one in data["divergences"])
    assert hint(data) == skipped


def test_a_round_without_cards_called_a_total_is_not_skipped(tmp_path: Path) -> None:
    export, lines = a_frame(tmp_path)
    at = next(at for at, line in enumerate(lines) if at > 20 and line["player_stake"])
    for line in lines:
        line["note"] = None
    lines[at] |= {"player": None, "banker": None, "winner": None, "note": "Total"}
    parquet.write_table(pa.Table.from_pylist(lines), export.path)
    assert ("format", at + 1) in {
        (o["kind"], o["line"]) for o in verified(export.path)["divergences"]
    }


def test_a_shoe_written_as_a_decimal_is_read_as_its_number(tmp_path: Path) -> None:
    dealt = hands(2404, 3)
    faults = plant(dealt, "short", "vigorish", "winner", table="T4/")
    header = ["Table", "shoe", "hand", "player_cards", "banker_cards", "result",
              *(f"{name}_{what}" for name in WAGERS for what in ("bet", "net"))]  # fmt: skip

    def lines() -> Any:
        for one in dealt:
            by = {bet.wager: bet for bet in one.bets}
            money = [
                cell for name in WAGERS
                for cell in ((dollars(by[name].stake), dollars(by[name].net)) if name in by else ("", ""))
            ]  # fmt: skip
            yield ["T4", f"{one.dealt.shoe}.0", one.dealt.number, " ".join(one.dealt.player),
                   " ".join(one.dealt.banker), one.winner, *money]  # fmt: skip

    rows(path := tmp_path / "decimal.csv", header, lines())
    assert found(verified(path)) == {*faults}


def test_a_row_with_cards_is_a_round_whatever_it_begins_with(tmp_path: Path) -> None:
    text = "shoe,round,player,banker,winner\nTotal,1,9h Kd,Th 7c,banker\nTotal,2,,,\n"
    (path := tmp_path / "rounds.csv").write_text(text)
    (mapping := tmp_path / "mapping.toml").write_text('[file]\nskip = ["Total"]\n')
    data = verified(path, "--mapping", mapping)
    assert found(data) == {Fault("winner", "Total", "1")}
    assert hint(data) == ["Lines without cards, winner, or wager are skipped: 1 of 'Total'."]


def a_table(folder: Path, seed: int = 2605) -> tuple[Export, list[str]]:
    """Rows that begin with the name of a table, and whose last cells may be blank."""
    dealt = hands(seed, 2)
    faults = plant(dealt, "short", "winner", table="Pit 4/")
    header = ["Table", "Shoe", "Round", "Player", "Banker", "Winner",
              *(f"{name} {what}" for name in WAGERS for what in ("Bet", "Net"))]  # fmt: skip

    def lines() -> Any:
        for one in dealt:
            by = {bet.wager: bet for bet in one.bets}
            both = (" ".join(hand) for hand in (one.dealt.player, one.dealt.banker))
            money = [
                cell for name in WAGERS
                for cell in ((dollars(by[name].stake), dollars(by[name].net)) if name in by else ("", ""))
            ]  # fmt: skip
            yield ["Pit 4", one.dealt.shoe, one.dealt.number, *both, one.winner, *money]

    rows(path := folder / "table.csv", header, lines())
    return Export(path, faults), path.read_text().splitlines()


@pytest.mark.parametrize(("remark", "label"), [
    ("# 412 records, exported by ops", "#"),
    ("# 412 records, exported by ops,,,,,,,,,,", "#"),
    ("End of report", "End of report"),
    ("--- end of export ---", "--- end of export"),
    ("EOF", "EOF"),
    ("(c) 2026, ACME Gaming, all rights reserved", "(c)"),
    ("Printed 2026-05-01", "Printed"),
    ("Page 2 of 7", "Page"),
])  # fmt: skip
@pytest.mark.parametrize("place", ["last", "among"])
def test_a_remark_that_does_not_fill_the_columns_is_skipped_and_named(
    tmp_path: Path, remark: str, label: str, place: str
) -> None:
    export, lines = a_table(tmp_path)
    lines.insert(len(lines) if place == "last" else 30, remark)
    export.path.write_text("\n".join(lines) + "\n")
    data = verified(export.path)
    assert found(data) == {*export.faults}
    assert hint(data) == [f"Lines without cards, winner, or wager are skipped: 1 of {label!r}."]
    assert data["unverified"]["lines that are no rounds are skipped: what these contain"] == 1


@pytest.mark.parametrize("line", [
    "Pi", "Pit 4", "Pit 5", "Pit 4,2", "Pit 4,2,7", "Pit 4,2,7,9h", "2", "2,7", "Pit 4,,,9h Kd",
    "Pit 4,,,9h K", "Pit 4,,,,,player", "Pit 4,,,,,,25.00", "Remark,2,7", "Remark,,,9h Kd",
    "Remark,,,,,tie", "Remark,,,,,,25.00", '"Remark', "12 records", "Remark,,,,,,,,,,,0.00",
])  # fmt: skip
def test_a_line_that_may_be_a_torn_round_is_never_skipped(tmp_path: Path, line: str) -> None:
    export, lines = a_table(tmp_path)
    export.path.write_text("\n".join([*lines, line]) + "\n")
    data = verified(export.path)
    assert found(data) > {*export.faults}
    assert not hint(data)
    assert {one["line"] for one in data["divergences"]} >= {len(lines) + 1}


@pytest.mark.parametrize("text", ["PAGE  1", "CASINO ROYAL   12 BACCARAT ROUNDS"])
def test_a_mapping_skips_titles_across_columns_of_fixed_width(tmp_path: Path, text: str) -> None:
    lines = ["SHOE  ROUND  PLAYER     BANKER     WINNER"]
    lines += [
        "   1      1  9h Kd      Th 7c      banker",
        text,
        "   1      2  Kh 9d      Tc 7s      player",
    ]
    (path := tmp_path / "report.txt").write_text("\n".join(lines) + "\n")
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(f'[file]\ncolumns = "1-5,7-12,14-23,25-34,36-42"\nskip = ["{text[:4]}"]\n')
    data = verified(path, "--mapping", mapping)
    assert found(data) == {Fault("winner", "1", "1")}
    assert hint(data) == [f"Lines without cards, winner, or wager are skipped: 1 of {text[:4]!r}."]


def test_a_row_of_fixed_width_whose_value_is_too_long_is_not_a_title(tmp_path: Path) -> None:
    lines = [
        "PLAYER    BANKER    WINNER",
        "Kd 9h     Th 7c     banker",
        "Kd 9h 10c4d Th 7c   banker",
    ]
    (path := tmp_path / "report.txt").write_text("\n".join(lines) + "\n")
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[file]\ncolumns = "1-9,11-19,21-27"\n')
    data = verified(path, "--mapping", mapping)
    assert {2, 3} == {one["line"] for one in data["divergences"]}
    assert not hint(data)


def test_remarks_are_skipped_in_the_same_way_by_every_path(tmp_path: Path) -> None:
    export, lines = a_table(tmp_path)
    lines[20:20] = ["# page 2", "Pit 5", "End of page", "Pit 4,,,9h Kd"]
    export.path.write_text("\n".join([*lines, "End of report"]) + "\n")
    rules = table_rules(read_submission(ROOT / "submissions" / f"{TABLE}.toml"))
    mapping = find_mapping(export.path, RoundMapping()).mapping
    by_cell = verify_file(export.path, rules, mapping).as_data()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CachedVerifier, "takes", staticmethod(lambda *_: False))
        assert verify_file(export.path, rules, mapping).as_data() == by_cell
    pytest.importorskip("croupier.verify.rounds.compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "LEAST_BYTES", 0)
        patch.setattr(file, "LEAST_BYTES_TO_COMPILE", 0)
        assert verify_file(export.path, rules, mapping).as_data() == by_cell
