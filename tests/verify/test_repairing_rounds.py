"""Repair: a record whose results were spoiled reads again as its dealer wrote it, and to the cent.

The rounds come from a dealer who shares nothing with the program. They are spoiled in cells that a
repair may change, so the repaired file must be the dealer's own, byte by byte.
"""

import csv
import gzip
import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from croupier.files.errors import FileError
from croupier.files.write import WriteError
from croupier.records.rounds.mapping import mapping_of
from croupier.records.rounds.reading import open_rounds
from croupier.records.rounds.record import RoundRecord
from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds.differences import Account
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.repair import Repaired, RowSource, repair_file
from support.external_rounds import House, Round, shoes
from support.volume import volume

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "submissions" / "nj-minibaccarat.toml"
WAGERS = ("player", "banker", "tie")
RULES: TableRules = table_rules(read_submission(TABLE))

Write = Callable[[list[Round]], bytes]


def dealt(seed: int, most: int = 12, number: int = 2) -> list[Round]:
    return list(shoes(House(wagers=WAGERS), number, seed, most=most))


def amount(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


def as_csv(rounds: list[Round]) -> bytes:
    """Write rounds as a spreadsheet would: CRLF, a column of its own, a quoted cell."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    money = [f"{part}:{wager}" for wager in WAGERS for part in ("stake", "net")]
    writer.writerow(
        ["shoe", "round", "note", "player", "banker", "winner", "player_total", "banker_total",
         *money]
    )  # fmt: skip
    for one in rounds:
        told = [one.shoe, one.number, 'he said "go", loudly']
        told += [" ".join(one.player), " ".join(one.banker), one.winner.capitalize()]
        told += [one.player_total, one.banker_total]
        writer.writerow(told + [amount(c) for w in WAGERS for c in one.wagers[w]])
    return file.getvalue().encode()


def as_jsonl(rounds: list[Round]) -> bytes:
    return b"".join(json.dumps(_object(one)).encode() + b"\n" for one in rounds)


def _object(one: Round) -> dict[str, Any]:
    return {
        "shoe": one.shoe,
        "round": one.number,
        "other": {"seen": [1, 2.5, None]},
        "player": one.player,
        "banker": " ".join(one.banker),
        "winner": one.winner[0].upper(),
        "player_total": one.player_total,
        "banker_total": str(one.banker_total),
        "wagers": [
            {"seat": seat, "wager": wager, "stake_cents": stake, "net_cents": net}
            for seat, (wager, (stake, net)) in enumerate(one.wagers.items(), start=1)
        ],
    }


def spoiled(rounds: list[Round], chance: random.Random, some: int) -> tuple[list[Round], int, int]:
    """Spoil results and settlements; return what patrons are owed, and were paid too much."""
    wrong = [Round(**{**asdict(one), "wagers": dict(one.wagers)}) for one in rounds]
    owed = overpaid = 0
    for one in chance.sample(wrong, some):
        match chance.randrange(4):
            case 0:
                one.winner = chance.choice([w for w in ("player", "banker", "tie")
                                            if w != one.winner])  # fmt: skip
            case 1:
                one.player_total = (one.player_total + chance.randrange(1, 10)) % 10
            case 2:
                one.banker_total = (one.banker_total + chance.randrange(1, 10)) % 10
            case _:
                wager = chance.choice(WAGERS)
                stake, net = one.wagers[wager]
                by = chance.choice((-1, 1)) * chance.randrange(1, 50_000)
                one.wagers[wager] = (stake, net + by)
                owed, overpaid = owed + max(-by, 0), overpaid + max(by, 0)
    return wrong, owed, overpaid


def repair(content: bytes, folder: Path, name: str, **more: Any) -> tuple[Repaired, bytes]:
    path, out = folder / name, folder / f"out-{name}"
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    done = repair_file(path, RULES, out=out, force=True, **more)
    written = out.read_bytes()
    return done, gzip.decompress(written) if name.endswith(".gz") else written


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("repair")


@settings(max_examples=volume(40, 8), deadline=None)
@given(seed=st.integers(0, 10**6), some=st.integers(0, 10), form=st.sampled_from([0, 1, 2]))
def test_what_was_spoiled_reads_again_as_it_was_dealt(
    folder: Path, seed: int, some: int, form: int
) -> None:
    name = ("rounds.csv", "rounds.jsonl", "rounds.csv.gz")[form]
    write: Write = as_jsonl if form == 1 else as_csv
    right = dealt(seed)
    wrong, owed, overpaid = spoiled(right, random.Random(seed), some)
    done, written = repair(write(wrong), folder, name)
    assert written == write(right)
    assert verify_file(folder / f"out-{name}", RULES).is_clean
    total = done.account.total
    assert (total.owed_cents, total.overpaid_cents) == (owed, overpaid)
    assert done.repair.rounds == some
    assert done.repair.as_data(done.verification.by_kind)["left"] == {}


@settings(max_examples=volume(25, 6), deadline=None)
@given(seed=st.integers(0, 10**6), some=st.integers(1, 20))
def test_differences_add_up_in_every_way(folder: Path, seed: int, some: int) -> None:
    wrong, owed, overpaid = spoiled(dealt(seed), random.Random(seed), some)
    (folder / "a.jsonl").write_bytes(as_jsonl(wrong))
    listed = folder / "listed.jsonl"
    done = repair_file(folder / "a.jsonl", RULES, out=None, differences=listed, force=True)
    rows = [json.loads(line) for line in listed.read_text().splitlines()]
    assert sum(max(row["owed_cents"], 0) for row in rows) == owed
    assert sum(max(-row["owed_cents"], 0) for row in rows) == overpaid
    assert all(row["expected_cents"] - row["recorded_cents"] == row["owed_cents"] for row in rows)
    data: Any = done.account.as_data()
    for parts in (
        data["by_seat"], data["by_wager"], data["by_clause"],
        [part for seat in data["by_seat"] for part in seat["parts"]],
    ):  # fmt: skip
        for name, value in data["total"].items():
            assert sum(part[name] for part in parts) == value
    assert data["total"]["wagers"] == len(rows)
    assert data["total"]["net_cents"] == owed - overpaid


def lines_of(path: Path) -> Iterator[str]:
    yield from path.read_text(encoding="utf-8").splitlines()


HEAD = "shoe,round,seat,player,banker,winner,stake:banker,net:banker,stake:player,net:player\n"


def test_a_round_told_seat_by_seat_is_put_right_on_each_of_its_rows(tmp_path: Path) -> None:
    rows = (
        "1,1,3,2d Th 8s,7c 7d,player,100,100,,\n"
        "1,1,5,,,player,,,50,50\n"
        "1,1,7,2d Th 8s,7c 7d,banker,200,190,,\n"
        "1,2,3,9h Kd,8c Ts,player,100,-100,,\n"
    )
    done, written = repair((HEAD + rows).encode(), tmp_path, "a.csv")
    assert written.decode() == HEAD + (
        "1,1,3,2d Th 8s,7c 7d,banker,100,95,,\n"
        "1,1,5,,,banker,,,50,-50\n"
        "1,1,7,2d Th 8s,7c 7d,banker,200,190,,\n"
        "1,2,3,9h Kd,8c Ts,player,100,-100,,\n"
    )
    assert (done.repair.rounds, done.repair.wagers) == (1, 2)
    seats = {one["seat"]: one["net_cents"] for one in done.account.as_data()["by_seat"]}
    assert seats == {3: -500, 5: -10_000}


def test_cards_stand_as_they_were_dealt_and_the_round_is_settled_on_those_required(
    tmp_path: Path,
) -> None:
    # A natural nine: Banker's third card is one too many, and nine wins against eight.
    rows = "1,1,,9h Kd,8c Ts 2h,banker,100,95,100,-100\n"
    done, written = repair((HEAD + rows).encode(), tmp_path, "a.csv")
    assert written.decode() == HEAD + "1,1,,9h Kd,8c Ts 2h,player,100,-100,100,100\n"
    left = done.repair.as_data(done.verification.by_kind)["left"]
    assert left == {"cards are left as dealt; the round is settled on the required cards": 1}
    assert dict(verify_file(tmp_path / "out-a.csv", RULES).by_kind) == {"third_card": 1}


def test_what_cannot_be_repaired_is_said_and_left_alone(tmp_path: Path) -> None:
    rows = (
        "1,1,,2d Th,7c 7d,banker,100,-7,100,-3\n"  # Player's third card is missing.
        "1,what is this\n"
        "1,2,,9h Kd,8c Ts,player,1000000,-1000000,,\n"  # No such stake is taken.
        "1,4,,9h Kd,8c Ts,player,,,100,100\n"  # A round is missing before it.
    )
    done, written = repair((HEAD + rows).encode(), tmp_path, "a.csv")
    assert written.decode() == HEAD + rows
    left = done.repair.as_data(done.verification.by_kind)["left"]
    assert sum(left.values()) == done.verification.by_kind.total()
    assert "a line that cannot be read is copied unchanged" in left
    assert done.account.unsettled == {"banker": 1, "player": 1}
    assert done.account.total.wagers == 0


def test_of_a_void_round_every_stake_goes_back(tmp_path: Path) -> None:
    head = HEAD.replace("winner", "winner,marks")
    rows = "1,1,3,2d Th,7c 7d,banker,void,100,95,50,-50\n"
    done, written = repair((head + rows).encode(), tmp_path, "a.csv")
    assert written.decode() == head + "1,1,3,2d Th,7c 7d,,void,100,0,50,0\n"
    assert done.account.total[1:] == (5_000, 9_500)
    assert not done.account.unsettled


@pytest.mark.parametrize(
    ("wager", "right"),
    [
        ({"paid": 200, "vigorish": 3}, {"paid": 200, "vigorish": 10}),
        ({"paid": 180, "vigorish": 10}, {"paid": 200, "vigorish": 10}),
        ({"paid": 190}, {"paid": 190}),
        ({"paid": 0}, {"paid": 200}),
        ({"vigorish": "0"}, {"vigorish": "10"}),
        ({"net": 1.5, "paid": None}, {"net": 190, "paid": None}),
        ({"net_cents": 5}, {"net_cents": 19_000}),
        ({"net": "190.005"}, {"net": "190.00"}),
    ],
)
def test_only_what_is_told_of_a_wager_is_put_right(
    tmp_path: Path, wager: dict[str, Any], right: dict[str, Any]
) -> None:
    def line(told: dict[str, Any]) -> str:
        entry = {"seat": 3, "wager": "banker", "stake": 200, **told}
        return json.dumps(
            {"shoe": 1, "round": 1, "player": "2d Th 8s", "banker": "7c 7d", "wagers": [entry]}
        )

    _, written = repair(line(wager).encode(), tmp_path, "a.jsonl")
    assert json.loads(written) == json.loads(line(right))
    assert verify_file(tmp_path / "out-a.jsonl", RULES).is_clean


def test_the_writers_own_words_are_kept(tmp_path: Path) -> None:
    mapping = mapping_of(
        {
            "file": {"delimiter": ";"},
            "columns": {"player": "P", "banker": "B", "winner": "W"},
            "money": {"decimal": ",", "paid": "returned"},
            "wagers": {"banker": {"stake": "Einsatz", "paid": "Auszahlung"}},
            "values": {"winner": {"Spieler": "player", "Bank": "banker", "gleich": "tie"}},
        }
    )
    text = "round;P;B;W;Einsatz;Auszahlung\n1;2d Th 8s;7c 7d;Spieler;100,00;0,00\n"
    _, written = repair(text.encode(), tmp_path, "a.csv", mapping=mapping)
    assert written.decode() == text.replace("Spieler;100,00;0,00", "Bank;100,00;195,00")
    assert verify_file(tmp_path / "out-a.csv", RULES, mapping).is_clean


def test_wagers_of_a_list_stand_beside_those_of_keys_of_their_own(tmp_path: Path) -> None:
    def line(player: int, banker: int, tie: int) -> str:
        listed = [
            {"seat": 3, "wager": "banker", "stake": 200, "net": banker},
            {"seat": 4, "wager": "six_cards"},
            {"seat": 3, "wager": "tie", "stake": 5, "net": tie},
        ]
        cards = {"player": "2d Th 8s", "banker": "7c 7d"}
        return json.dumps({**cards, "stake:player": 50, "net:player": player, "wagers": listed})

    _, written = repair(line(1, 2, 3).encode(), tmp_path, "a.jsonl")
    assert json.loads(written) == json.loads(line(-50, 190, -5))


def test_what_went_back_holds_the_vigorish_that_is_told_apart(tmp_path: Path) -> None:
    mapping = mapping_of({"money": {"unit": "cents", "paid": "returned"}})
    head = "round,player,banker,stake:banker,paid:banker,vigorish:banker\n"
    _, written = repair(
        (head + "1,2d Th 8s,7c 7d,10000,0,0\n").encode(), tmp_path, "a.csv", mapping=mapping
    )
    assert written.decode() == head + "1,2d Th 8s,7c 7d,10000,20000,500\n"
    assert verify_file(tmp_path / "out-a.csv", RULES, mapping).is_clean


RETURNED = {"money": {"paid": "returned"}}
WITH_NET = "round,player,banker,stake:banker,net:banker,paid:banker\n"


def test_a_fraction_of_a_cent_returned_with_the_stake_is_found(tmp_path: Path) -> None:
    mapping, head = mapping_of(RETURNED), "round,player,banker,stake:banker,paid:banker\n"
    done, written = repair((head + "1,2d Th 8s,7c 7d,100,195.004\n").encode(), tmp_path, "a.csv", mapping=mapping)  # fmt: skip
    (found,) = done.verification.divergences
    assert (found.kind, found.expected, found.found) == ("vigorish", 9500, "195.004 returned")
    assert written.decode() == head + "1,2d Th 8s,7c 7d,100,195.00\n"


@pytest.mark.parametrize(
    ("net", "returned", "right"),
    [("95", "190", "95,195"), ("95", "195.001", "95,195.00"), ("90", "195", "95,195")],
)
def test_a_net_result_and_what_was_returned_must_agree(
    tmp_path: Path, net: str, returned: str, right: str
) -> None:
    content = f"{WITH_NET}1,2d Th 8s,7c 7d,100,{net},{returned}\n".encode()
    done, written = repair(content, tmp_path, "a.csv", mapping=mapping_of(RETURNED))
    (found,) = done.verification.divergences
    assert (net if net == "90" else returned) in found.message
    assert written.decode() == f"{WITH_NET}1,2d Th 8s,7c 7d,100,{right}\n"


@pytest.mark.parametrize(
    ("vigorish", "returned"), [("", "195"), ("", "200"), ("5", "195"), ("5", "200")]
)
def test_what_was_returned_may_include_the_vigorish(
    tmp_path: Path, vigorish: str, returned: str
) -> None:
    """A file with net results does not say whether vigorish was deducted from what went back."""
    path = tmp_path / "a.csv"
    head = WITH_NET.replace("\n", ",vigorish:banker\n")
    path.write_text(f"{head}1,2d Th 8s,7c 7d,100,95,{returned},{vigorish}\n")
    assert verify_file(path, RULES, mapping_of(RETURNED)).is_clean


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_bytes_that_are_no_text_and_line_ends_go_through(tmp_path: Path, encoding: str) -> None:
    note = "é" if encoding == "latin-1" else "é\u2028x"
    head = HEAD.replace("shoe", "note,shoe").replace("\n", "\r\n")
    rows = (
        f"{note},1,1,,2d Th 8s,7c 7d,banker,100,95,,\r{note},1,2,,9h Kd,8c Ts,tie,,,100,0\r\n\r\n"
    )
    content = (head + rows).encode(encoding)
    _, written = repair(content, tmp_path, "a.csv")
    assert written == (head + rows.replace("tie,,,100,0", "player,,,100,100")).encode(encoding)


def test_a_torn_archive_is_kept_up_to_where_it_breaks(tmp_path: Path) -> None:
    rows = "".join(f"1,{n},,9h Kd,8c Ts,tie,,,100,0\n" for n in range(1, 9))
    packed = gzip.compress((HEAD + rows).encode())
    path = tmp_path / "a.csv.gz"
    path.write_bytes(packed[:-12])
    done = repair_file(path, RULES, out=tmp_path / "b.csv")
    assert done.verification.by_kind["format"] == 1
    kept = (tmp_path / "b.csv").read_text()
    assert kept.startswith(HEAD + "1,1,,9h Kd,8c Ts,player,,,100,100\n")


def test_no_file_appears_where_nothing_was_a_round(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(HEAD + "1,x\n2,y\n")
    with pytest.raises(FileError, match="not one of 2 lines"):
        repair_file(path, RULES, out=tmp_path / "b.csv", differences=tmp_path / "d.csv")
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


def test_the_record_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(as_csv(dealt(1)))
    before = path.read_bytes()
    (tmp_path / "same.csv").hardlink_to(path)
    for out in (path, tmp_path / "same.csv"):
        for force in (False, True):
            with pytest.raises(WriteError, match="this command reads that file"):
                repair_file(path, RULES, out=out, force=force)
            with pytest.raises(WriteError, match="this command reads that file"):
                repair_file(path, RULES, out=None, differences=out, force=force)
    with pytest.raises(WriteError, match="two outputs cannot be one file"):
        repair_file(path, RULES, out=tmp_path / "b.csv", differences=tmp_path / "b.csv")
    with pytest.raises(WriteError, match="is not a folder"):
        repair_file(path, RULES, out=path / "b.csv")
    with pytest.raises(WriteError, match=r"named \.csv or \.jsonl"):
        repair_file(path, RULES, out=tmp_path / "b.csv", differences=tmp_path / "d.xlsx")
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.csv", "same.csv"]


def test_the_same_rounds_make_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(as_csv(spoiled(dealt(3), random.Random(3), 5)[0]))
    for name in ("b", "c"):
        repair_file(
            tmp_path / "a.csv", RULES, out=tmp_path / f"{name}.csv.gz",
            differences=tmp_path / f"{name}-d.csv.gz",
        )  # fmt: skip
    assert (tmp_path / "b.csv.gz").read_bytes() == (tmp_path / "c.csv.gz").read_bytes()
    assert (tmp_path / "b-d.csv.gz").read_bytes() == (tmp_path / "c-d.csv.gz").read_bytes()
    # Of a packed file, bytes 4 to 7 are the time at which it was packed: none is told.
    assert (tmp_path / "b.csv.gz").read_bytes()[4:8] == bytes(4)
    head, *rows = gzip.decompress((tmp_path / "b-d.csv.gz").read_bytes()).decode().splitlines()
    assert head == "line,shoe,round,seat,wager,expected_cents,recorded_cents,owed_cents,clauses"
    assert all(row.count(",") == head.count(",") for row in rows)


def test_a_name_that_a_spreadsheet_would_run_is_made_text(tmp_path: Path) -> None:
    rows = "=HYPERLINK(1),1,3,9h Kd,8c Ts,player,,,100,0\n"
    (tmp_path / "a.csv").write_text(HEAD + rows)
    repair_file(tmp_path / "a.csv", RULES, out=None, differences=tmp_path / "d.csv")
    assert list(lines_of(tmp_path / "d.csv"))[1].startswith("2,'=HYPERLINK(1),1,3,player,10000,0,")


def test_memory_holds_no_more_than_the_round_at_hand(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(as_csv(dealt(5, most=40, number=3)))
    rows = RowSource(open_rounds(path))
    most = 0
    for record in rows:
        assert isinstance(record, RoundRecord)
        most = max(most, len(list(rows.before(record.line))))
    assert most == 1


def test_an_account_tells_what_cannot_be_settled_apart() -> None:
    assert Account().as_data()["total"] == {
        "wagers": 0, "owed_cents": 0, "overpaid_cents": 0, "net_cents": 0,
    }  # fmt: skip
