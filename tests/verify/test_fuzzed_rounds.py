"""Files that nobody vouches for: whatever stands in them, they are judged or refused, and in time."""

import gzip
import json
import random
import string
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.files.errors import FileError
from croupier.files.lines import MAX_LINE
from croupier.records.rounds.mapping import MappingError, mapping_of
from croupier.rules import default_submission, table_rules
from croupier.verify.rounds.documents import KINDS
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport
from support.external_rounds import House, csv_lines, json_lines, shoes
from support.texts import NJ_MINI
from support.volume import volume

RULES = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))
HOUSE = House(("player", "banker", "tie"), unit=None)
ROUNDS = list(shoes(HOUSE, 1, seed=2, most=12, stakes=range(2_000, 8_000, 1_000)))
CSV = "\n".join(csv_lines(ROUNDS, HOUSE.wagers, burn=True, marks=True)).encode()
JSON = "\n".join(json_lines(ROUNDS)).encode()

every_so_often = settings(
    max_examples=volume(60, 10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def survives(path: Path, data: bytes) -> VerificationReport | None:
    """Judge a file of these bytes; return what came of it, or nothing where it is refused."""
    path.write_bytes(data)
    try:
        verification = verify_file(path, RULES, limit=1_000)
    except FileError:
        return None
    assert set(verification.by_kind) <= set(KINDS)
    json.dumps(verification.as_data()).encode()
    return verification


@every_so_often
@given(st.binary(max_size=3_000))
def test_random_bytes_are_refused_or_judged(tmp_path: Path, data: bytes) -> None:
    survives(tmp_path / "r", data)
    survives(tmp_path / "r", gzip.compress(data))


@every_so_often
@given(st.binary(max_size=400))
def test_random_bytes_below_a_right_header(tmp_path: Path, data: bytes) -> None:
    survives(tmp_path / "r", b"shoe,round,player,banker,burned,marks,stake:tie,net:tie\n" + data)
    survives(tmp_path / "r", b'{"player":"9h Kd","banker":"Th 7c"}\n' + data)
    survives(tmp_path / "r", b"PAR1" + data + b"PAR1")
    survives(tmp_path / "r", b"\x1f\x8b\x08" + data)


CHANGES = st.lists(
    st.tuples(st.integers(0, 4_000), st.integers(0, 20), st.binary(max_size=12)), max_size=8
)


@every_so_often
@given(st.sampled_from([CSV, JSON]), CHANGES)
def test_torn_and_spoiled_files(
    tmp_path: Path, data: bytes, changes: list[tuple[int, int, bytes]]
) -> None:
    for at, gone, put in changes:
        data = data[:at] + put + data[at + gone :]
    survives(tmp_path / "r", data)


@every_so_often
@given(st.integers(1, 2_000))
def test_a_torn_pack_is_judged_to_where_it_breaks_off(tmp_path: Path, length: int) -> None:
    packed = gzip.compress(CSV)
    verification = survives(tmp_path / "r", packed[: min(length, len(packed) - 1)])
    if verification is not None:
        assert verification.by_kind["format"] >= 1


CELLS = st.one_of(
    st.text(max_size=20),
    st.integers(),
    st.floats(),
    st.none(),
    st.booleans(),
    st.sampled_from(
        ["9h Kd", "10h,Tc", "??", "1e999", "-0.0", "NaN", "٣", "²", "1_000", "$5", "5,000.00"]
    ),
)
NAMES = ["shoe", "round", "player", "banker", "winner", "player_total", "banker_total", "burned", "marks", "seat", "cards", "stake:banker", "net:banker", "meter:star", "wagers"]  # fmt: skip
VALUES = st.recursive(
    CELLS,
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from([*NAMES, "wager", "stake", "paid"]), part, max_size=4)
    ),
    max_leaves=8,
)


@every_so_often
@given(
    st.lists(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=9), min_size=1, max_size=6)
)
def test_json_of_any_shape(tmp_path: Path, rounds: list[dict[str, object]]) -> None:
    lines = [json.dumps({"player": "9h Kd", "banker": "Th 7c"}), *map(json.dumps, rounds)]
    verification = survives(tmp_path / "r", "\n".join(lines).encode("utf-8", "surrogatepass"))
    assert verification is not None
    assert verification.rounds + verification.by_kind["format"] <= len(lines)


@every_so_often
@given(st.lists(st.lists(CELLS, min_size=9, max_size=9), max_size=5))
def test_csv_of_any_cells(tmp_path: Path, rows: list[list[object]]) -> None:
    text = "\n".join(
        [",".join(NAMES[:9]), "1,1,9h Kd,Th 7c,,,,,", *(",".join(map(str, row)) for row in rows)]
    )
    survives(tmp_path / "r", text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n\n",
        b"shoe,round\n1,2\n",
        b"shoe,round,player,banker\n",
        b"player,player,banker\n9h Kd,9h Kd,Th 7c\n",
        b'[{"player": "9h Kd"}]',
        b"{\n",
        b'{"a": ' * 5_000,
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b"PAR1PAR1",
        b'"' + b"a" * 1_000,
        b"\x1f\x8b\x08" + b"\x00" * 12,
        b"\x1f\x8b",
    ],
)
def test_what_holds_no_round_is_refused_in_words(tmp_path: Path, data: bytes) -> None:
    assert survives(tmp_path / "r", data) is None


def test_a_huge_cell_is_one_line_that_cannot_be_read(tmp_path: Path) -> None:
    lines = CSV.split(b"\n")
    lines.insert(5, b"1,5," + b"9h " * MAX_LINE + b",,,,,,,,,")
    lines.insert(7, b'"' + b"x" * 10_000)
    verification = survives(tmp_path / "r", b"\n".join(lines))
    assert verification is not None
    assert (verification.by_kind, verification.rounds) == ({"format": 2}, len(ROUNDS))
    assert [one.line for one in verification.divergences] == [6, 8]


@pytest.mark.parametrize("filler", [b"\0", b"\n", b"9", b'"', b","], ids=repr)
def test_a_pack_that_never_ends_is_left_in_time(tmp_path: Path, filler: bytes) -> None:
    start = time.process_time()
    data = CSV + b"\n" + filler * 50_000_000
    survives(tmp_path / "r", gzip.compress(data, compresslevel=1))
    assert time.process_time() - start < 60


def test_many_columns_and_many_names_are_read_in_time(tmp_path: Path) -> None:
    chance = random.Random(1)
    names = ["".join(chance.choices(string.ascii_lowercase, k=5)) for _ in range(9_000)]
    start = time.process_time()
    survives(
        tmp_path / "r", ",".join([*dict.fromkeys(names), "player", "banker"]).encode() + b"\n" + CSV
    )
    assert time.process_time() - start < 20


def test_a_name_of_many_parts_takes_little_memory(tmp_path: Path) -> None:
    tracemalloc.start()
    survives(tmp_path / "r", b"round,player,banker," + b"a." * 30_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000


@every_so_often
@given(
    st.recursive(
        st.one_of(st.text(max_size=6), st.integers(), st.booleans()),
        lambda part: st.lists(part, max_size=3)
        | st.dictionaries(
            st.sampled_from(["columns", "wagers", "money", "unit", "values", "winner", "player", "file", "encoding", "delimiter", "tie", "stake", "rank", "suit", "mark"]),
            part,
            max_size=5,
        ),
        max_leaves=12,
    )
)  # fmt: skip
def test_a_mapping_of_any_shape_is_taken_or_refused(tables: object) -> None:
    if isinstance(tables, dict):
        with suppress(MappingError):
            mapping_of(tables)
