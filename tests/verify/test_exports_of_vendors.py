"""Exports of vendors: the first command finds their planted faults, and accuses nothing else."""

import json
import random
import re
import tomllib
from collections.abc import Callable
from functools import cache
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it has no types
from click.testing import CliRunner, Result
from pyarrow import parquet

from croupier import load_rules, verify_rounds
from croupier.cli import main
from croupier.records.rounds.finding import find_mapping
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.tables import ColumnsError
from croupier.rules import read_submission, table_rules
from croupier.verify.rounds import file
from croupier.verify.rounds.cached import CachedVerifier
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.inferring import infer
from support.project import ROOT
from support.vendor_exports import EXPORTS, Bet, Export, Fault, dollars, hands, rows


def croupier(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def table(export: Export) -> Path:
    return ROOT / "submissions" / f"{export.submission}.toml"


def verified(export: Export, *more: object) -> Any:
    done = croupier("verify", export.path, "--submission", table(export), "--format", "json", *more)
    assert done.exit_code == 1, done.output
    return json.loads(done.stdout)


@cache
def proposed(name: str) -> str:
    """Return the mapping that is proposed for an export, which is the same each time it is written."""
    with TemporaryDirectory() as folder:
        # What an amount means is seen without the rules of its table.
        done = croupier("map", EXPORTS[name](Path(folder)).path)
    assert done.exit_code == 0, done.output
    return done.stdout


@cache
def inferred(name: str) -> RoundMapping:
    """Return the mapping that is inferred under the rules of an export's table."""
    with TemporaryDirectory() as folder:
        export = EXPORTS[name](Path(folder))
        rules = table_rules(read_submission(table(export)))
        return infer(export.path, rules, RoundMapping()).proposal.mapping


def found(data: Any) -> set[Fault]:
    """What is reported: of money, what the bettor is owed."""
    return {
        Fault(
            one["kind"],
            str(one["shoe"]),
            str(one["round"]),
            one["expected"] - one["found"] if one["kind"] in {"settlement", "vigorish"} else 0,
        )
        for one in data["divergences"]
    }


@pytest.mark.parametrize("name", EXPORTS)
def test_the_first_command_finds_the_planted_faults_to_the_cent(tmp_path: Path, name: str) -> None:
    export = EXPORTS[name](tmp_path)
    data = verified(export)
    assert found(data) == {*export.faults}
    assert sum(data["by_kind"].values()) == len(export.faults)
    assert data["assumptions"]
    assert data["explained_by"] is None


@pytest.mark.parametrize("name", EXPORTS)
def test_a_proposed_mapping_finds_the_same(tmp_path: Path, name: str) -> None:
    export = EXPORTS[name](tmp_path)
    tomllib.loads(proposed(name))
    (mapping := tmp_path / "mapping.toml").write_text(proposed(name), encoding="utf-8")
    data = verified(export, "--mapping", mapping)
    assert found(data) == {*export.faults}
    assert not data["assumptions"]


Rows = list[list[str]]


def numbered(rows: Rows, _shoe: int, _round: int) -> Rows:
    return [[*row, "Seq" if at == 0 else str(1_000_000 + at)] for at, row in enumerate(rows)]


def merged(rows: Rows, shoe: int, _round: int) -> Rows:
    """Leave out the shoe wherever the row before has it, as below merged cells."""
    below = [
        [*row[:shoe], "" if row[shoe] == before[shoe] else row[shoe], *row[shoe + 1 :]]
        for before, row in pairwise(rows)
    ]
    return [rows[0], *below]


def numbered_first(rows: Rows, _shoe: int, _round: int) -> Rows:
    return [["Seq" if at == 0 else str(at), *row] for at, row in enumerate(rows)]


def with_subtotals(rows: Rows, shoe: int, round_: int) -> Rows:
    """Add a line below each shoe, which has its number, and sums of what is a number."""
    found = [rows[0]]
    for _, of_shoe in groupby(rows[1:], key=itemgetter(shoe)):
        found += (lines := list(of_shoe))
        sums = [
            f"{sum(map(float, column)):.2f}" if all(re.fullmatch(r"-?[0-9.]+", cell) for cell in column)
            else "" for column in zip(*lines, strict=True)
        ]  # fmt: skip
        sums[shoe], sums[round_] = lines[0][shoe], "Total"
        found.append(sums)
    return found


def below_a_second_header(rows: Rows, _shoe: int, _round: int) -> Rows:
    return [*rows[:400], rows[0], *rows[400:]]


def without_boundaries(rows: Rows, _shoe: int, _round: int) -> Rows:
    return [[re.sub("[^A-Za-z0-9]", "", name).upper() for name in rows[0]], *rows[1:]]


def nulls(rows: Rows, _shoe: int, _round: int) -> Rows:
    return [[cell or "NULL" for cell in row] for row in rows]


def from_a_frame(rows: Rows, _shoe: int, _round: int) -> Rows:
    """Write as data frames do: a column in which a number is missing is of floats."""
    columns = [
        ["" if cell == "-1" else cell for cell in column] for column in zip(*rows, strict=True)
    ]
    return [*map(list, zip(*(
        [f"{cell}.0" if at and cell and "" in column else cell for at, cell in enumerate(column)]
        for column in columns
    ), strict=True))]  # fmt: skip


def reversed_columns(rows: Rows, _shoe: int, _round: int) -> Rows:
    return [row[::-1] for row in rows]


def summed(rows: Rows, _shoe: int, _round: int) -> Rows:
    sums = [f"{sum(map(int, column)):.2f}" for column in zip(*rows[1:], strict=True)]
    return [*rows, ["Grand Total", *sums[1:]], ["Printed 2026-05-01"]]


def sorted_as_text(rows: Rows, shoe: int, round_: int) -> Rows:
    return [rows[0], *sorted(rows[1:], key=lambda row: (row[shoe], row[round_]))]


def rewritten(
    export: Export, change: Callable[[Rows, int, int], Rows], shoe: str, round_: str
) -> None:
    by = {".tsv": "\t", ".txt": "|"}.get(export.path.suffix, ",")
    rows = [line.split(by) for line in export.path.read_text(encoding="utf-8").splitlines()]
    rows = change(rows, rows[0].index(shoe), rows[0].index(round_))
    export.path.write_text("\n".join(map(by.join, rows)) + "\n", encoding="utf-8")


@pytest.mark.parametrize(("name", "change", "shoe", "round_"), [
    ("wager_rows", numbered, "ShoeNo", "RoundNo"),
    ("wager_rows", merged, "ShoeNo", "RoundNo"),
    ("seat_rows", merged, "Shoe", "Round"),
    ("numbered", reversed_columns, "shoe_no", "hand_no"),
    ("numbered", summed, "shoe_no", "hand_no"),
    ("numbered", with_subtotals, "shoe_no", "hand_no"),
    ("numbered", from_a_frame, "shoe_no", "hand_no"),
    ("returned", numbered_first, "ShoeId", "HandNo"),
    ("returned", with_subtotals, "ShoeId", "HandNo"),
    ("returned", below_a_second_header, "ShoeId", "HandNo"),
    ("returned", without_boundaries, "ShoeId", "HandNo"),
    ("dealt_order", without_boundaries, "Shoe", "Game"),
    ("suits_apart", without_boundaries, "shoe_id", "coup"),
    ("suits_apart", nulls, "shoe_id", "coup"),
    ("suits_apart", reversed_columns, "shoe_id", "coup"),
])  # fmt: skip
def test_an_export_written_in_another_way_has_the_same_faults(
    tmp_path: Path, name: str, change: Callable[[Rows, int, int], Rows], shoe: str, round_: str
) -> None:
    export = EXPORTS[name](tmp_path)
    rewritten(export, change, shoe, round_)
    assert found(verified(export)) == {*export.faults}


@pytest.mark.parametrize(("name", "form"), [
    ("feed", "enveloped"), ("feed", "deep"), ("feed", "capitals"), ("feed", "parquet"),
    ("objects", "enveloped"), ("objects", "parquet"),
])  # fmt: skip
def test_a_feed_in_another_envelope_has_the_same_faults(
    tmp_path: Path, name: str, form: str
) -> None:
    export = EXPORTS[name](tmp_path)
    lines = [json.loads(line) for line in export.path.read_text(encoding="utf-8").splitlines()]
    if form == "enveloped":
        lines = [{"type": "round", "seq": at, "payload": line} for at, line in enumerate(lines)]
    elif form == "deep":
        lines = [{"msg": {"body": {"at": at, "data": line}}} for at, line in enumerate(lines)]
    if form == "parquet":
        export.path = tmp_path / "feed.parquet"
        parquet.write_table(pa.Table.from_pylist(lines), export.path)
    else:
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        key = re.compile('"[A-Za-z]+":')
        text = key.sub(lambda name: name[0].upper(), text) if form == "capitals" else text
        export.path.write_text(text, encoding="utf-8")
    assert found(verified(export)) == {*export.faults}


def test_numbers_of_a_data_frame_are_read_as_in_other_forms(tmp_path: Path) -> None:
    export = EXPORTS["numbered"](tmp_path)
    rewritten(export, from_a_frame, "shoe_no", "hand_no")
    header, *rows = [line.split(",") for line in export.path.read_text().splitlines()]
    columns = {
        name: [*(float(cell) if cell else None for cell in column)]
        for name, column in zip(header, zip(*rows, strict=True), strict=True)
    }
    lines = [dict(zip(header, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    export.path = tmp_path / "frame.jsonl"
    export.path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert found(verified(export)) == {*export.faults}
    export.path = tmp_path / "frame.parquet"
    parquet.write_table(pa.table(columns), export.path)
    data = verified(export)
    assert found(data) == {*export.faults}
    pytest.importorskip("croupier.verify.rounds.compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "LEAST_BYTES", 0)
        patch.setattr(file, "LEAST_BYTES_TO_COMPILE", 0)
        assert verified(export)["divergences"] == data["divergences"]


@pytest.mark.parametrize("places", [(1,), (75,), (3, 90), (2, 20, 40, 60, 130)], ids=str)
def test_rounds_that_are_taken_out_of_rows_of_wagers_are_missed(
    tmp_path: Path, places: tuple[int, ...]
) -> None:
    dealt = hands(415, 2, seats=3, betless=False)
    gone = [dealt[place] for place in places]
    path = tmp_path / "wagers.csv"
    rows(path, ["shoe", "round", "player", "banker", "result", "bet_type", "bet", "net"], (
        [one.dealt.shoe, one.dealt.number, " ".join(one.dealt.player), " ".join(one.dealt.banker),
         one.winner, bet.wager, dollars(bet.stake), dollars(bet.net)]
        for one in dealt if one not in gone for bet in one.bets
    ))  # fmt: skip
    data = verified(Export(path, []))
    missed = {(one["shoe"], one["round"] - 1, one["kind"]) for one in data["divergences"]}
    assert missed == {(one.dealt.shoe, one.dealt.number, "procedure") for one in gone}
    assert any("rows of wagers do not record" in one for one in data["assumptions"])


HONEST = hands(416, 10, seats=2, betless=False)
FRENCH = {"player": "Joueur", "banker": "Banque", "tie": "Égalité"}


def honest(
    path: Path, encoding: str = "utf-8", *, cells: dict[str, Callable[[Bet], object]]
) -> Export:
    """Write a row for each wager with these columns of it, of rounds without a fault."""
    rows(path, ["shoe", "round", "player", "banker", "winner", *cells], (
        [one.dealt.shoe, one.dealt.number, " ".join(one.dealt.player), " ".join(one.dealt.banker),
         one.winner, *(cell(bet) for cell in cells.values())]
        for one in HONEST for bet in one.bets
    ), ";")  # fmt: skip
    path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    return Export(path, [])


def test_the_encoding_that_is_asked_for_also_reads_the_last_rows(tmp_path: Path) -> None:
    cells: dict[str, Callable[[Bet], object]] = {
        "Mise": lambda bet: f"{dollars(bet.stake)} €".replace(".", ","),
        "Type de mise": lambda bet: FRENCH[bet.wager],
        "Résultat net": lambda bet: f"{dollars(bet.net)} €".replace(".", ","),
    }
    export = honest(tmp_path / "r.csv", "cp1252", cells=cells)
    words = ("verify", export.path, "--submission", table(export), "--encoding", "cp1252")
    done = croupier(*words, "--format", "json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["columns"]["money"] == "read"


def test_results_that_are_not_read_are_told_and_never_pass_unread(tmp_path: Path) -> None:
    cells: dict[str, Callable[[Bet], object]] = {
        "wager": lambda bet: bet.wager,
        "stake": lambda bet: dollars(bet.stake),
        "Xyzzy": lambda bet: dollars(bet.net),
        "Total Bet": lambda bet: dollars(bet.stake),
    }
    data = verified(honest(tmp_path / "r.csv", cells=cells))
    assert (data["columns"]["money"], data["by_kind"]) == ("unread", {})
    assert any("Xyzzy, Total Bet" in hint for hint in data["hints"])
    # Stakes alone say nothing about settlements, and no column may have more.
    del cells["Xyzzy"], cells["Total Bet"]
    export = honest(tmp_path / "s.csv", cells=cells)
    done = croupier("verify", export.path, "--submission", table(export))
    assert done.exit_code == 0, done.output
    assert "Stakes are recorded without results, so no settlement was checked." in done.output


def test_results_named_res_are_read(tmp_path: Path) -> None:
    lines = ["Shoe,Round,PCards,BCards,Win,PBet,BBet,TBet,PRes,BRes,TRes"]
    for one in HONEST[:200]:
        sums = {(wager, what): sum(getattr(bet, what) for bet in one.bets if bet.wager == wager)
                for wager in ("player", "banker", "tie") for what in ("stake", "net")}  # fmt: skip
        money = [dollars(sums[wager, what]) for what in ("stake", "net") for wager in FRENCH]
        lines.append(",".join([str(one.dealt.shoe), str(one.dealt.number), "-".join(one.dealt.player),
                               "-".join(one.dealt.banker), one.winner[0].upper(), *money]))  # fmt: skip
    at = next(
        at
        for at, line in enumerate(lines)
        if ",P," in line and not line.split(",")[8].startswith("-0.00")
    )
    cells = lines[at].split(",")
    cells[8] = "99999.00"
    lines[at] = ",".join(cells)
    (path := tmp_path / "r.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    data = verified(Export(path, []))
    assert [(one["kind"], one["line"], one["found"]) for one in data["divergences"]] == [
        ("settlement", at + 1, 9_999_900)
    ]


def test_an_export_in_utf_16_has_the_same_faults(tmp_path: Path) -> None:
    export = EXPORTS["returned"](tmp_path)
    export.path.write_text(export.path.read_text(encoding="utf-8"), encoding="utf-16")
    assert found(verified(export)) == {*export.faults}


@pytest.mark.parametrize(("name", "shoe", "round_"), [
    ("returned", "ShoeId", "HandNo"),
    ("wager_rows", "ShoeNo", "RoundNo"),
    ("dealt_order", "Shoe", "Game"),
])  # fmt: skip
def test_rows_sorted_as_text_are_refused(tmp_path: Path, name: str, shoe: str, round_: str) -> None:
    export = EXPORTS[name](tmp_path)
    rewritten(export, sorted_as_text, shoe, round_)
    done = croupier("verify", export.path, "--submission", table(export))
    assert done.exit_code == 2
    assert "sort them, such as by shoe and round, as numbers rather than text" in done.stderr


@pytest.mark.parametrize("name", EXPORTS)
def test_a_repaired_export_has_no_fault_of_money_left(tmp_path: Path, name: str) -> None:
    export = EXPORTS[name](tmp_path)
    if export.path.suffix in {".xlsx", ".parquet"} or name in {"scoreboard", "listing", "pages"}:
        return
    mapping, out = tmp_path / "mapping.toml", tmp_path / f"repaired{export.path.suffix}"
    mapping.write_text(proposed(name), encoding="utf-8")
    verified(export, "--mapping", mapping, "--repair", out)
    done = croupier("verify", out, "--submission", table(export), "--mapping", mapping)
    assert done.exit_code == 0, done.output
    encoding = "utf-16" if name == "french" else "utf-8"
    before = export.path.read_text(encoding=encoding).splitlines()
    after = out.read_text(encoding=encoding).splitlines()
    changed = sum(one != other for one, other in zip(before, after, strict=True))
    # A round on several rows has its winner on each.
    assert len(export.faults) <= changed <= 4 * len(export.faults)


@pytest.mark.parametrize("name", ["returned", "numbered", "german", "dragon", "dealt_order"])
@pytest.mark.parametrize("seed", range(6))
def test_rows_passed_by_cell_are_judged_as_at_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, seed: int
) -> None:
    export = EXPORTS[name](tmp_path)
    rules = table_rules(read_submission(table(export)))
    mapping = inferred(name)
    head, *rows = export.path.read_text(encoding="utf-8").splitlines()
    by = next(one for one in "|;," if one in head)
    chance = random.Random(seed)
    for _ in range(60):
        # A cell of another row of the same column is plain, and mostly wrong here.
        row, other = chance.sample(range(len(rows)), 2)
        cells, others = rows[row].split(by), rows[other].split(by)
        column = chance.randrange(len(cells))
        cells[column] = chance.choice((others[column], others[column], "", "25", " "))
        rows[row] = by.join(cells)
    export.path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    quick = verify_file(export.path, rules, mapping).as_data()
    monkeypatch.setattr(CachedVerifier, "takes", staticmethod(lambda *_: False))
    monkeypatch.setattr(file, "LEAST_BYTES", 1 << 60)
    assert verify_file(export.path, rules, mapping).as_data() == quick


def test_wagers_in_columns_of_seats_have_their_seat(tmp_path: Path) -> None:
    export = EXPORTS["seat_objects"](tmp_path)
    lines = [json.loads(line) for line in export.path.read_text(encoding="utf-8").splitlines()]
    for one in verified(export)["divergences"]:
        recorded = lines[one["line"] - 1][f"Box{one['seat']}"]
        assert one["wager"] in recorded
        (mapping := tmp_path / "mapping.toml").write_text(croupier("map", export.path).stdout)
        shown = croupier(
            "explain", export.path, "--submission", table(export), "--mapping", mapping,
            "--line", one["line"], "--seat", one["seat"],
        )  # fmt: skip
        assert f"Seat {one['seat']}, " in shown.output


@pytest.mark.parametrize("name", ["seat_columns", "seat_rows"])
def test_rows_of_seats_are_passed_by_bytes_as_they_are_judged_at_length(
    tmp_path: Path, name: str
) -> None:
    pytest.importorskip("croupier.verify.rounds.compiled")
    export = EXPORTS[name](tmp_path)
    if name == "seat_rows":
        rewritten(export, merged, "Shoe", "Round")
    rules = table_rules(read_submission(table(export)))
    mapping = infer(export.path, rules, RoundMapping()).proposal.mapping
    found = verify_file(export.path, rules, mapping)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "LEAST_BYTES", 0)
        patch.setattr(file, "LEAST_BYTES_TO_COMPILE", 0)
        assert verify_file(export.path, rules, mapping).as_data() == found.as_data()


NO_MONEY = "shoe,round,player,banker,winner,{}\n1,1,9h Kd,Th 7c,player,{}\n"


@pytest.mark.parametrize(("named", "cells", "money"), [
    ("XIn,XOut", "50,100", "unread"),
    ("stake:player,net:player,XOut", "50,50,100", "in part"),
    ("stake:player,net:player", "50,50", "read"),
    ("stake:player,Obtenido", "50,100", "unread"),
    ("stake:player,Operator", "50,Ann", "stakes"),
    ("stake:player,Operator,XOut", "50,Ann,100", "unread"),
    ("stake:player,Operator,House win", "50,Ann,100", "unread"),
    ("BetId,Bet,Operator", "17,0.00,Net", "none"),
    ("bets", "S1:P50/+50.00", "unread"),
    ("seats", '"[{""no"": 1, ""gold"": {""bet"": 5}}]"', "unread"),
    ("Network,seats", 'n7,"[{""no"": 1, ""name"": ""A""}]"', "none"),
])  # fmt: skip
def test_a_record_whose_amounts_are_not_read_does_not_pass(
    tmp_path: Path, named: str, cells: str, money: str
) -> None:
    (path := tmp_path / "r.csv").write_text(NO_MONEY.format(named, cells))
    asked = ("verify", path, "--submission", ROOT / "submissions" / "nj-minibaccarat.toml")
    done = croupier(*asked, "--format", "json")
    data = json.loads(done.stdout)
    assert data["columns"]["money"] == money
    assert not data["divergences"]
    is_unread = money == "unread"
    assert (data["clean"], done.exit_code) == (not is_unread, int(is_unread))
    assert croupier(*asked).output.count("INCOMPLETE") == int(is_unread)
    assert croupier("audit", *asked[1:]).output.count("INCOMPLETE") == int(is_unread)
    (mapping := tmp_path / "m.toml").write_text('[money]\namounts = "unchecked"\n')
    done = croupier(*asked, "--mapping", mapping)
    assert done.exit_code == 0
    assert ("Money was not checked: the mapping says so" in done.output) == is_unread


@pytest.mark.parametrize(("named", "cells", "money", "unread"), [
    ("seats", '"[{""no"": 1, ""player"": {""bet"": 50}}]"', "stakes", ["seats.1.no"]),
    ("bets", "P:50;G:50", "unread", ["bets.G"]),
    ("bets,paid", "P:50,P:50:1", "in part", ["paid.P.2"]),
])  # fmt: skip
def test_what_a_cell_holds_is_read_or_named(
    tmp_path: Path, named: str, cells: str, money: str, unread: list[str]
) -> None:
    (path := tmp_path / "r.csv").write_text(NO_MONEY.format(named, cells))
    submission = ROOT / "submissions" / "nj-minibaccarat.toml"
    done = croupier("verify", path, "--submission", submission, "--format", "json")
    columns = json.loads(done.stdout)["columns"]
    assert (columns["money"], columns["unread"]) == (money, unread)


@pytest.mark.parametrize(("columns", "row", "fault"), [
    ('wager = "bet{slot}"\nstake = "amount"', "", "the number is missing: write {slot} for it"),
    ('shoe = "a"\n[wagers.player]\nstake = "Bets.P"', "P:50;P:60", "'P' is given twice"),
    ('shoe = "a"\n[wagers.player]\nstake = "Bets.P"', "P:5O", "not a name with an amount"),
    ('shoe = "a"\n[wagers.player]\nstake = "Bets.{seat}.player"', "[{}, 5]", "entry 2 is not an"),
    ('shoe = "a"\n[wagers.player]\nstake = "Bets.{seat}.player"',
     '[{""seat"":1,""player"":5},{""seat"":""1"",""player"":5}]', "seat 1 is given twice"),
])  # fmt: skip
def test_a_cell_that_cannot_be_taken_apart_is_named(
    tmp_path: Path, columns: str, row: str, fault: str
) -> None:
    lines = ["a,player,banker,Bets", "1,9h Kd,Th 7c,", f'1,9h Kd,Th 7c,"{row}"', ""]
    (path := tmp_path / "r.csv").write_text("\n".join(lines))
    (mapping := tmp_path / "m.toml").write_text(f"[columns]\n{columns}\n")
    submission = ROOT / "submissions" / "nj-minibaccarat.toml"
    done = croupier("verify", path, "--submission", submission, "--mapping", mapping)
    assert done.exit_code == (1 if row else 2)
    assert fault in " ".join(done.output.split())


def test_rows_in_memory_whose_amounts_are_not_read_do_not_pass() -> None:
    rules = load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    one = {"player": "9h Kd", "banker": "Th 7c"}
    for more, money in (({"XIn": 50}, "unread"), ({"BetId": 17}, "none")):
        verdict = verify_rounds([{**one, **more}], rules)
        assert (verdict.document["columns"]["money"], verdict.divergences) == (money, ())
        assert verdict.is_clean == (money == "none")
        assert next(verdict.figures()).title == ("PASS" if verdict.is_clean else "INCOMPLETE")


def test_a_sheet_whose_shoes_have_no_names_is_named_with_its_lines(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(path := tmp_path / "days.xlsx")
    for name in ("Mon", "Tue"):
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, ["Round", "Player", "Banker", "Winner", "stake:player", "net:player"])
        for at in (1, 2, 3):
            net = 99 if (name, at) == ("Tue", 2) else 100
            sheet.write_row(at, 0, [at, "9h Td", "Kd 7s", "player", 100, net])
    book.close()
    of_table = ("--submission", ROOT / "submissions" / "nj-minibaccarat.toml")
    audit = json.loads(croupier("audit", path, *of_table, "--format", "json").stdout)
    assert [(one["shoe"], one["line"]) for one in audit["divergences"]] == [("Tue", 3)]
    refused = croupier("explain", path, *of_table, "--line", "3")
    assert (refused.exit_code, "rounds are on Mon, Tue: name one" in refused.output) == (2, True)
    refused = croupier("explain", path, *of_table, "--round", "2")
    assert "round 2 of sheet Tue, line 3" in refused.output
    for place in ("--line", "3"), ("--round", "2"):
        for sheet, divergences in (("Mon", 0), ("Tue", 1)):
            shown = croupier("explain", path, *of_table, *place, "--shoe", sheet)
            assert f"Round 2 of shoe {sheet}, line 3" in shown.output
            assert shown.output.count("found: net $99; expected: net $100") == divergences


def test_a_round_missing_among_rows_of_wagers_is_found(tmp_path: Path) -> None:
    export = EXPORTS["names_in_one"](tmp_path)
    text = export.path.read_text()
    lines = [line for line in text.splitlines() if not line.startswith("T7/002/030;")]
    export.path.write_text("\n".join(lines) + "\n")
    missing = Fault("procedure", "T7/002", "31")
    assert found(verified(export)) == {*export.faults, missing}


@pytest.mark.parametrize(("name", "own", "wagers"), [
    ("Player Dragon", [], {"Player Dragon": "bonus_player"}),
    ("Dragon Banker", [], {"Dragon Banker": "bonus_banker"}),
    ("Spieler Dragon Bonus", [], {}),
    ("Player Dragon", ["player_dragon"], {"Player Dragon": "player_dragon"}),
    ("Player Coin", [], {"Player Coin": "player"}),
    ("Player Coin", ["lucky_coin"], {}),
    ("Player 7", [], {}),
])  # fmt: skip
def test_a_name_with_a_word_of_another_wager_is_not_that_of_a_main_one(
    tmp_path: Path, name: str, own: list[str], wagers: dict[str, str]
) -> None:
    lines = ["shoe,round,player,banker,winner,bet type,stake,net", *(
        f"1,{at},9h Kd,Th 7c,player,{bet},50,50" for at in range(1, 9) for bet in ("Player", name)
    )]  # fmt: skip
    (path := tmp_path / "r.csv").write_text("\n".join(lines) + "\n")
    proposal = find_mapping(path, RoundMapping(), own)
    assert proposal.tables.get("values", {}).get("wager", {}) == wagers
    assert proposal.unknown == (() if wagers else (name,))


def test_a_name_that_has_no_round_is_a_fault_of_format(tmp_path: Path) -> None:
    lines = ["id,player,banker,winner", "T7/001,9h Kd,Th 7c,player", "T7,9h Kd,Th 7c,player"]
    (path := tmp_path / "r.csv").write_text("\n".join(lines) + "\n")
    (mapping := tmp_path / "m.toml").write_text('[columns]\nshoe = "id"\nround = "id"\n')
    submission = ROOT / "submissions" / "nj-minibaccarat.toml"
    done = croupier("verify", path, "--submission", submission, "--mapping", mapping)
    assert "'T7' is not a shoe followed by the number of a round" in " ".join(done.output.split())
    mapping.write_text('[columns]\nshoe = ["id", "player"]\nround = "id"\n')
    done = croupier("verify", path, "--submission", submission, "--mapping", mapping)
    assert (done.exit_code, "is named more than once" in done.output) == (2, True)


def test_a_count_of_rows_is_not_called_the_number_of_a_round(tmp_path: Path) -> None:
    lines = ["player,banker,winner", *["9h Kd,Th 7c,player"] * 3, "9h Kd,Th 7c,banker"]
    (path := tmp_path / "r.csv").write_text("\n".join(lines) + "\n")
    submission = ROOT / "submissions" / "nj-minibaccarat.toml"
    done = croupier("verify", path, "--submission", submission, "--format", "json")
    (one,) = json.loads(done.stdout)["divergences"]
    assert (one["line"], one["round"], one["kind"]) == (5, None, "winner")
    assert "line 5 (winner)" in croupier("verify", path, "--submission", submission).output


def test_lines_that_cannot_be_read_are_named_with_the_reason(tmp_path: Path) -> None:
    header = "shoe,round,player_cards,banker_cards,outcome,account,tx_type,bet_type,amount"
    lines = [
        f"1,{at},9h Kd,Th 7c,player,A1,{kind},{bet},{amount}" for at in range(1, 30)
        for bet in ("player", "tie") for kind, amount in (("BET", "-50.00"), ("WIN", "100.00"))
    ]  # fmt: skip
    (path := tmp_path / "r.csv").write_text("\n".join([header, *lines]) + "\n")
    submission = ROOT / "submissions" / "nj-minibaccarat.toml"
    output = " ".join(croupier("verify", path, "--submission", submission).output.split())
    assert "can most of the lines with the first" in output
    assert "line 2: player: a negative stake" in output
    assert "possible hands" not in output


def test_columns_without_cards_are_named_instead_of_each_line(tmp_path: Path) -> None:
    one = {"PlayerCards": "9h Kd", "BankerCards": "Th 7c", "deals": [1, 2]}
    rules = load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    with pytest.raises(ColumnsError) as refused:
        verify_rounds([one] * 3, rules)
    assert [text.partition(",")[0] for text in refused.value.errors] == [
        "no column contains player", "no column contains banker", "the columns are: PlayerCards",
    ]  # fmt: skip
    (path := tmp_path / "r.jsonl").write_text(json.dumps({"shoe": 1, "draws": ["x"]}))
    submission = ROOT / "submissions" / "nj-minibaccarat.toml"
    output = " ".join(croupier("verify", path, "--submission", submission).output.split())
    assert "the columns are: shoe, draws" in output
    assert "in a list" not in output
