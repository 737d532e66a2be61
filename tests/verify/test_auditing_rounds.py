"""An audit: everything found is counted once, the first on top, in bounded memory and repeatably."""

import hashlib
import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from croupier.cli.common.schema import SCHEMAS
from croupier.records.rounds.fields import RecordBuilder
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.reading import CsvRounds
from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds.audit import audit_file, audit_log
from croupier.verify.rounds.board import LONGEST, Board
from croupier.verify.rounds.cached import CachedVerifier
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.repair import repair_file
from support.audits import audit_data, verified_rounds
from support.external_rounds import House, csv_lines, shoes
from support.forged_logs import play
from support.volume import volume

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "submissions" / "nj-minibaccarat.toml"
RULES: TableRules = table_rules(read_submission(TABLE))
SCHEMA = Draft202012Validator(SCHEMAS["audit"]())
WAGERS = ("player", "banker")


def spoiled_file(path: Path, seed: int, number: int = 4, some: int = 9) -> list[str]:
    """Write rounds with some lines spoiled in one way or another; return the lines."""
    chance = random.Random(seed)
    lines = list(csv_lines(shoes(House(wagers=WAGERS), number, seed, most=30), WAGERS))
    for at in chance.sample(range(1, len(lines)), some):
        cells = lines[at].split(",")
        match chance.randrange(5):
            case 0:
                cells[4] = {"player": "tie", "tie": "banker", "banker": "player"}[cells[4]]
            case 1:
                cells[-1] = "0.05"
            case 2:
                cells[-2] = "1000000"
            case 3:
                cells[2] += " 9h"
            case _:
                cells = ["torn"]
        lines[at] = ",".join(cells)
    path.write_text("\n".join(lines) + "\n")
    return lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("audit")


@settings(max_examples=volume(20, 5), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_everything_found_is_counted_in_every_way(folder: Path, seed: int) -> None:
    path = folder / "rounds.csv"
    spoiled_file(path, seed)
    verified = verify_file(path, RULES)
    audit = audit_file(path, RULES, TABLE)
    SCHEMA.validate(audit)
    assert audit["divergences"] == [one.as_data() for one in verified.divergences]
    assert {one["kind"]: one["divergences"] for one in audit["by_kind"]} == dict(verified.by_kind)
    # What a clause has for examples is counted with it.
    cited = Counter(
        clause
        for one in verified.divergences
        for clause in one.clauses or (None,)
        if clause not in {"NJ-MINI:7.1(c)1", "NJ-MINI:7.1(c)2"}
    )
    assert {one["clause"]: one["divergences"] for one in audit["by_clause"]} == cited
    for one in audit["by_clause"]:
        first = next(
            found for found in verified.divergences if one["clause"] in (found.clauses or (None,))
        )
        assert (one["first"]["line"], one["first"]["message"]) == (first.line, first.message)
        assert one["clause"] is None or one["says"] == RULES.law.clauses[one["clause"]].says
    lines = sum(one.kind == "format" for one in verified.divergences)
    shown = audit["board"]["shown"]
    assert sum(shoe["rounds"] for shoe in shown) == audit["rounds"]
    assert sum(shoe["divergences"] for shoe in shown) == len(verified.divergences) - lines


@pytest.mark.parametrize("seed", range(4))
def test_rows_that_are_passed_at_a_glance_are_told_as_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    path = tmp_path / "rounds.csv"
    spoiled_file(path, seed, number=12, some=4)
    assert CachedVerifier.takes(CsvRounds(path, RecordBuilder(RoundMapping())), RULES)
    quick = audit_file(path, RULES), repair_file(path, RULES, out=tmp_path / "quick.csv")
    monkeypatch.setattr(CachedVerifier, "takes", lambda *_: False)
    slow = audit_file(path, RULES), repair_file(path, RULES, out=tmp_path / "slow.csv")
    assert quick[0] == slow[0]
    assert any(
        bead["player_pair"] for shoe in quick[0]["board"]["shown"]
        for bead in shoe["roads"]["bead_plate"]
    )  # fmt: skip
    assert quick[1].repair == slow[1].repair
    assert quick[1].account == slow[1].account
    assert (tmp_path / "quick.csv").read_bytes() == (tmp_path / "slow.csv").read_bytes()


def test_the_first_divergence_stands_on_top_and_those_left_out_are_told(tmp_path: Path) -> None:
    spoiled_file(tmp_path / "a.csv", 5)
    whole = audit_file(tmp_path / "a.csv", RULES)
    few = audit_file(tmp_path / "a.csv", RULES, limit=2)
    assert few["divergences"] == whole["divergences"][:2]
    found = len(whole["divergences"])
    assert (whole["divergences_left_out"], few["divergences_left_out"]) == (0, found - 2)
    assert few["by_kind"] == whole["by_kind"]
    assert few["by_clause"] == whole["by_clause"]
    assert few["differences"]["total"] == whole["differences"]["total"]
    listed = few["differences"]["listed"]
    assert len(listed) + few["differences"]["left_out"] == few["differences"]["total"]["wagers"]


def test_both_files_are_named_by_their_bytes_and_no_folder(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    for name in ("one", "other"):
        spoiled_file(tmp_path / name / "a.csv", 6)
    one, other = (audit_file(tmp_path / name / "a.csv", RULES, TABLE) for name in ("one", "other"))
    assert json.dumps(one) == json.dumps(other)
    assert str(tmp_path) not in json.dumps(one)
    content = (tmp_path / "one" / "a.csv").read_bytes()
    assert one["rounds_file"]["sha256"] == hashlib.sha256(content).hexdigest()
    assert one["submission_file"] is not None
    assert one["submission_file"]["sha256"] == hashlib.sha256(TABLE.read_bytes()).hexdigest()
    assert one["rounds_file"]["bytes"] == len(content)


@settings(max_examples=volume(30, 6), deadline=None)
@given(
    rounds=st.integers(1, 12),
    wrong=st.integers(5, 60),
    most=st.integers(0, 8),
    number=st.integers(1, 9),
)
def test_shoes_that_diverge_are_shown_first(
    rounds: int, wrong: int, most: int, number: int
) -> None:
    board, found = Board(most), Counter[str]()
    for verified in verified_rounds(RULES, shoes=number, rounds=rounds, wrong_every=wrong):
        board.add(verified)
        found[verified.record.shoe] += len(verified.divergences)
    data = board.as_data()
    shown = [str(shoe["shoe"]) for shoe in data["shown"]]
    diverging = [name for name, times in found.items() if times]
    clean = [name for name, times in found.items() if not times]
    wanted = (diverging + clean)[:most]
    assert sorted(shown) == sorted(wanted)
    assert shown == sorted(shown, key=int)
    assert data["left_out"]["diverging"] == len(set(diverging) - set(shown))
    assert data["left_out"]["clean"] == len(set(clean) - set(shown))
    for shoe in data["shown"]:
        assert shoe["divergences"] == found[str(shoe["shoe"])] == len(shoe["found"])


def test_the_roads_show_the_results_of_the_book_and_where_the_record_departs() -> None:
    data = audit_data(RULES, rounds=40, wrong_every=23)
    rounds = list(verified_rounds(RULES, rounds=40, wrong_every=23))
    for shoe in data["board"]["shown"]:
        own = [one for one in rounds if one.record.shoe == str(shoe["shoe"])]
        beads = shoe["roads"]["bead_plate"]
        assert [bead["winner"] for bead in beads] == [one.record.winner for one in own]
        assert shoe["found"] == [int(one.record.round) for one in own if one.divergences]


def test_an_endless_shoe_is_shown_in_part(tmp_path: Path) -> None:
    row = "9h Kd,8c Ts,player\n"
    (tmp_path / "a.csv").write_text("player,banker,winner\n" + row * (LONGEST + 60))
    shoe = audit_file(tmp_path / "a.csv", RULES)["board"]["shown"][0]
    assert (shoe["rounds"], shoe["rounds_shown"]) == (LONGEST + 60, LONGEST)


def test_shoes_told_in_turns_are_told_apart(tmp_path: Path) -> None:
    row = ",9h Kd,8c Ts,player\n"
    turns = "".join(f"{shoe},{n}{row}" for n in range(1, 6) for shoe in "AB")
    (tmp_path / "a.csv").write_text("shoe,round,player,banker,winner\n" + turns)
    shown = audit_file(tmp_path / "a.csv", RULES)["board"]["shown"]
    assert [(shoe["shoe"], shoe["rounds"]) for shoe in shown] == [("A", 5), ("B", 5)]


def test_what_is_found_when_a_shoe_is_over_marks_that_shoe(tmp_path: Path) -> None:
    row = ",9h Kd,8c Ts,player,"
    rows = f"1,1{row}cutting-card\n2,1{row}\n2,2{row}\n"
    (tmp_path / "a.csv").write_text("shoe,round,player,banker,winner,marks\n" + rows)
    audit = audit_file(tmp_path / "a.csv", RULES)
    assert [one["message"] for one in audit["divergences"]] == [
        "the cutting card came out, but the last hand was not dealt"
    ]
    assert [shoe["divergences"] for shoe in audit["board"]["shown"]] == [1, 0]


# --- our own logs ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def log(folder: Path) -> Path:
    path = folder / "table.log"
    play(path)
    return path


def test_a_table_log_is_audited_with_its_roads(log: Path) -> None:
    audit = audit_log(log, shoes=3, limit=10)
    SCHEMA.validate(audit)
    assert audit["clean"]
    assert audit["submission_file"] is None
    assert audit["rounds"] == sum(shoe["rounds"] for shoe in audit["board"]["shown"])
    assert audit["rounds"] > 0


def test_a_log_that_was_tampered_with_is_told_with_its_place(log: Path, tmp_path: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    at = len(lines) // 2
    lines[at] = lines[at].replace(b'"', b"'", 1)
    (tmp_path / "b.log").write_bytes(b"".join(lines))
    audit = audit_log(tmp_path / "b.log", shoes=3, limit=10)
    SCHEMA.validate(audit)
    assert not audit["clean"]
    assert [one["kind"] for one in audit["by_kind"]] == ["chain"]
    assert audit["divergences"][0]["line"] == at + 1
    assert audit["hints"]
