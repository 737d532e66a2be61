"""Whatever a file holds, repair and audit end: with a report, or saying that it is no record."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from croupier.files.errors import FileError
from croupier.reports.audit import audit_tree
from croupier.reports.formats import written
from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds.audit import audit_file
from croupier.verify.rounds.repair import repair_file
from support.volume import volume

ROOT = Path(__file__).parents[2]
RULES: TableRules = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))
HEAD = "shoe,round,seat,player,banker,winner,marks,stake:banker,net:banker,paid:player\n"

CELL = st.sampled_from(
    ["", "1", "2", "9h Kd", "8c Ts 2h", "9 9", "player", "T", "void", "simulated", "disclosed=9h",
     "100", "-100.005", "1e9", '"', '"a\nb"', "\x00", "\u2028", "=1", "é", "x" * 70, "9" * 30]
)  # fmt: skip
ROW = st.lists(CELL, min_size=8, max_size=11).map(",".join)
ROWS = st.lists(ROW, max_size=12).flatmap(
    lambda rows: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(rows))
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | CELL,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["wagers", "net", "stake", "wager", "x", "net:banker", "winner"]), inner
    ),
    max_leaves=8,
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def verified(folder: Path, content: bytes) -> None:
    path = folder / "rounds"
    path.write_bytes(content)
    # Names without a suffix: a repair has the format of its record, which is found out here.
    out, listed = folder / "out", folder / "owed.csv"
    try:
        done = repair_file(path, RULES, out=out, differences=listed, force=True)
    except FileError:
        with pytest.raises(FileError):
            audit_file(path, RULES)
        return
    audit = audit_file(path, RULES, limit=5)
    assert audit["differences"]["total"] == done.account.total.as_data()
    written(audit_tree(audit), "html")
    written(audit_tree(audit), "text")
    # A repair of what was repaired finds nothing more to do.
    again = repair_file(out, RULES, out=folder / "again", force=True)
    assert (folder / "again").read_bytes() == out.read_bytes()
    assert again.account.total.wagers == 0


SLOW = settings(max_examples=volume(60, 10), deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@given(rows=ROWS)
@example(rows="1,1,,9h Kd,8c Ts,tie,,100,-3,0")
@example(rows="1,1,3,9h Kd,8c Ts,tie,,100,-3,0\n1,1,4,,,banker,,,,7")
@example(rows='1,1,,9h Kd,8c Ts,"tie\n",,100,-3,0')
@example(rows="1,1,,9h Kd,8c Ts,player,,100,-100.0000001,")
def test_of_any_rows(folder: Path, rows: str) -> None:
    verified(folder, (HEAD + rows).encode("utf-8", "surrogatepass"))


@SLOW
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {"player": st.just("9h Kd"), "banker": CELL, "winner": CELL},
            optional={"wagers": JSON, "net:banker": JSON, "stake:banker": CELL, "x": JSON},
        ),
        max_size=5,
    )
)
@example(rows=[{"player": "9h Kd", "banker": "8c Ts", "winner": "T", "x": 10**400}])
@example(rows=[{"player": "9h Kd", "banker": "8c Ts", "winner": "T", "wagers": [None, {}, 3]}])
def test_of_any_objects(folder: Path, rows: list[dict[str, Any]]) -> None:
    verified(folder, "\n".join(map(json.dumps, rows)).encode())


@pytest.mark.parametrize("depth", [2, 5, 400, 940, 5_000])
def test_of_objects_in_objects(folder: Path, depth: int) -> None:
    nested = '{"x":' * depth + "1" + "}" * depth
    verified(folder, f'{{"player":"9h Kd","banker":"8c Ts","winner":"T","x":{nested}}}'.encode())


@SLOW
@given(content=st.binary(max_size=200), cut=st.integers(0, 300))
def test_of_any_bytes(folder: Path, content: bytes, cut: int) -> None:
    rows = (HEAD + "1,1,,9h Kd,8c Ts,tie,,100,-3,0\n" * 3).encode()
    verified(folder, rows[:cut] + content + rows[cut:])
