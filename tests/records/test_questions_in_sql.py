"""The queries of the document on questions of an auditor, run in DuckDB over an export."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import pytest

from support.command_line import told_with
from support.project import ROOT

TEXT = (ROOT / "docs" / "questions-in-sql.md").read_text(encoding="utf-8")
VIEWS, *QUERIES = re.findall(r"```sql\n(.*?)```", TEXT, re.DOTALL)
TITLES = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a database whose views are the files of an export."""
    folder = tmp_path_factory.mktemp("audit")
    log = folder / "table.jsonl"
    submission = ROOT / "submissions" / "ma-royal-9.toml"
    words = ("--seed", 21, "--shoes", 3, "--dealer-errors", 10, "--quiet", "-o", log)
    told_with(0, "deal", submission, *words)
    # The next day begins with the balances of this one, and numbers its rounds from 1 again.
    day = folder / "next.jsonl"
    of_day = ("--seed", 22, "--shoes", 1, "--quiet", "-o", day)
    told_with(0, "deal", submission, "--continues", log, *of_day)
    told_with(0, "export", log, day, "-o", folder / "audit")
    connection = duckdb.connect()
    connection.execute(VIEWS.replace("build/audit", str(folder / "audit")))
    yield connection
    connection.close()


def answers(database: Any, title: str) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = database.execute(QUERIES[TITLES.index(title)]).fetchall()
    return rows


def test_there_are_ten_questions_each_with_a_query() -> None:
    assert len(TITLES) == len(QUERIES) == 10


@pytest.mark.parametrize("title", TITLES)
def test_a_query_runs(database: Any, title: str) -> None:
    rows = answers(database, title)
    empty = {
        "Does each result follow from its counts?",
        "Who gave commands in more than one office?",
    }
    assert rows or title in empty or "corrected" in title


def test_the_answers_agree_with_one_another(database: Any) -> None:
    assert answers(database, "Does each result follow from its counts?") == []
    won = sum(row[4] for row in answers(database, "What did the table win with each wager?"))
    assert (won,) == database.execute("select -sum(net_cents) from wagers").fetchone()
    balances = answers(database, "Do the books balance, and what does each account hold?")
    streams = {row[0] for row in balances}
    assert len(streams) == 2
    assert not any(sum(row[4] for row in balances if row[0] == stream) for stream in streams)
    assert {row[1] for row in balances} == {"USD"}
    rounds = {row[0]: row[3] for row in answers(database, "Which patrons won most?")}
    cleared = dict(database.execute(
        "select patron, count(distinct (stream, entry)) from wagers"
        " where outcome <> 'correction' group by patron"
    ).fetchall())  # fmt: skip
    assert rounds == {patron: cleared[patron] for patron in rounds}
    shares = answers(
        database, "How often did each side win, and how far is that from the expected share?"
    )
    assert sum(row[2] for row in shares) == pytest.approx(1)
    assert float(sum(row[3] for row in shares)) == pytest.approx(1)
    for _, _, share, expected in shares:
        assert abs(share - float(expected)) < 0.15


def test_a_wrong_result_is_found(database: Any) -> None:
    query = QUERIES[TITLES.index("Does each result follow from its counts?")]
    database.execute(
        "create view changed as select * replace (case when winner = 'banker' then 'player' "
        "else winner end as winner) from rounds"
    )
    assert database.execute(query.replace("from rounds", "from changed")).fetchall()


def test_void_wagers_and_corrections_count_as_what_they_are() -> None:
    """A void stake was never at risk; a corrected card is of a round, and of no wager."""
    connection = duckdb.connect()
    connection.execute(
        "create table wagers as select timestamp '2026-01-01 12:00:00' as recorded_at, 'S' as"
        " stream, 1 as opening, round, 3 as seat, 'Rosa' as patron, wager, outcome, outcome as line,"
        " stake_cents, paid_cents, net_cents, 'USD' as currency from (values"
        " (1, 'player', 'win', 50000, 50000, 50000), (1, null, 'correction', 0, -30000, -30000),"
        " (2, 'player', 'void', 20000, 0, 0), (3, 'tie', 'lose', 1000, 0, -1000)"
        ") as one (round, wager, outcome, stake_cents, paid_cents, net_cents)"
    )
    assert answers(connection, "What did the table win with each wager?") == [
        (None, "USD", 0, 0, 30_000, None),
        ("tie", "USD", 1, 1_000, 1_000, 1.0),
        ("player", "USD", 1, 50_000, -50_000, -1.0),
    ]
    (paid,) = answers(connection, "Which single wagers paid more than $400?")
    assert paid[3:] == (1, 3, "Rosa", "player", "win", 50_000, -30_000)
