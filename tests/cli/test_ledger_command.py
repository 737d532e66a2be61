"""``croupier ledger``: the win of each shoe and day follows from what came and went."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from datetime import date
from pathlib import Path

from click.testing import CliRunner

from croupier import acts
from croupier.cli import main
from croupier.money.forms import FormBook
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.accounts import accounts_of
from support.command_line import told_with
from support.games import advance
from support.logs import recorded
from support.project import ROOT
from support.table import deal, rules_of

RACK = 70_000_00
FILL = {500_00: 10, 25_00: 40}
CREDIT = {100_00: 15}


def two_days(path: Path) -> TableSession:
    """Record two gaming days: a shoe with a fill and a credit, and a drop that is short."""
    recorder, _ = begin_log(path, rules_of(), shuffle="by hand")
    session = TableSession(rules_of(), record=recorder, clock=SteppedClock())
    do = session.execute
    do(acts.OpenTable(RACK, "Noor", "Piet", date(2011, 2, 22)))
    do(acts.SeatPatron(6, "Marta"))
    do(acts.BuyChips(6, 1_250_00))
    do(acts.RequestFill(31, FILL))
    do(acts.IssueFill(31, FILL))
    do(acts.ReceiveFill(31, FILL))
    do(acts.RequestCredit(32, CREDIT))
    do(acts.IssueCredit(32, CREDIT))
    do(acts.ReceiveCredit(32, CREDIT))
    do(acts.LeaveTable(6))
    do(acts.CloseTable())
    do(acts.RemoveDrop("7", "8"))
    do(acts.CountDrop("7", 1_240_00))
    closing = RACK + 6_000_00 - 1_500_00 - 1_250_00
    do(acts.CountInventory({1_00: closing // 100 - 3}, closing=True))
    do(acts.OpenTable(closing - 3_00, "Otto", "Piet", date(2011, 2, 23)))
    do(acts.SeatPatron(2, "Sam"))
    do(acts.BuyChips(2, 90_00))
    recorder.finish()
    return session


def test_the_win_of_a_day_follows_from_its_amounts(tmp_path: Path) -> None:
    path = tmp_path / "days.jsonl"
    session = two_days(path)
    result = CliRunner().invoke(main, ["ledger", str(path), "--format", "json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.output)
    first, second = document["days"]
    assert (first["gaming_date"], first["opened_cents"]) == ("2011-02-22", RACK)
    assert (first["fills_cents"], first["credits_cents"]) == (6_000_00, 1_500_00)
    assert (first["drop_cents"], first["drop_short_cents"]) == (1_250_00, 10_00)
    assert first["tray_short_cents"] == 3_00
    assert first["is_counted"] is first["is_closed"] is True
    # Nothing was wagered: all that the table lost is what its counts found missing.
    assert first["win_cents"] == -13_00
    assert first["hold"] == "-13/1250"
    assert (second["opened_cents"], second["win_cents"]) == (first["tray_cents"], 0)
    assert document["win_cents"] == session.ledger.table_win_cents == -13_00
    assert all(day["reconciles"] for day in document["days"])


def test_the_win_of_each_shoe_is_that_of_its_rounds() -> None:
    for name in ("nj-minibaccarat", "ma-royal-9", "nj-punto-banco", "ny-mini"):
        log = ROOT / f"tests/data/logs/{name}.format-2.jsonl.gz"
        result = CliRunner().invoke(main, ["ledger", str(log), "--format", "json"])
        assert result.exit_code == 0, result.output
        document = json.loads(result.output)
        for day in document["days"]:
            assert sum(one["win_cents"] for one in day["shoes"]) == day["win_cents"]
            assert sum(one["rounds"] for one in day["shoes"]) == day["rounds"] > 0
    # The number of a shoe is no share: of the last log, in text.
    printed = CliRunner().invoke(main, ["ledger", str(log)]).output
    assert re.search(r"^Shoe +Rounds +Win\n +1 +[0-9]+ +-?\$", printed, re.MULTILINE)


def test_a_shoe_under_way_goes_on_into_the_next_gaming_day(tmp_path: Path) -> None:
    path, rules = tmp_path / "table.jsonl", rules_of()
    with recorded(path, rules) as record:
        session = TableSession(rules, record=record, clock=SteppedClock())
        session.execute(acts.OpenTable(RACK, "Noor", "Piet", date(2011, 2, 22)))
        session.execute(acts.SeatPatron(3, "Rosa"))
        session.execute(acts.BuyChips(3, 1_000_00))
        session.execute(acts.ReceiveCards(8))
        advance(session, Phase.BETTING)
        # Seat 3 wins $100, and loses it after the gaming day has ended.
        for cards in ("9h 8d Kh Ks", "8h 9d Kh Ks"):
            session.execute(acts.PlaceWager(3, "player", 100_00))
            session.execute(acts.CallNoMoreBets())
            deal(session, cards)
            advance(session, Phase.BETTING)
            if not session.state[FormBook].ended:
                session.execute(acts.EndGamingDay("Clark"))
    days = json.loads(told_with(0, "ledger", path, "--format", "json").stdout)["days"]
    assert [(it["gaming_date"], it["win_cents"], it["shoes"]) for it in days] == [
        ("2011-02-22", -100_00, [{"shoe": 1, "rounds": 1, "win_cents": -100_00}]),
        ("2011-02-23", 100_00, [{"shoe": 1, "rounds": 1, "win_cents": 100_00}]),
    ]


def test_the_forms_of_the_report_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "days.jsonl"
    two_days(path)
    printed = CliRunner().invoke(main, ["ledger", str(path), "--format", "csv"]).output
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [row["win_cents"] for row in rows if row["win_cents"] and not row.get("shoe")] == [
        "-1300",
        "0",
    ]
    text = CliRunner().invoke(main, ["ledger", str(path)]).output
    for told in ("Gaming day 2011-02-22", "-$13.00", "Hold", "-1.04%", "closing count"):
        assert told in text
    book = tmp_path / "days.xlsx"
    assert CliRunner().invoke(main, ["ledger", str(path), "-o", str(book)]).exit_code == 0
    with zipfile.ZipFile(book) as opened:
        page = opened.read("xl/worksheets/sheet1.xml").decode()
    assert "<v>-13</v>" in page


def test_a_workbook_is_not_printed(tmp_path: Path) -> None:
    path = tmp_path / "days.jsonl"
    two_days(path)
    result = CliRunner().invoke(main, ["ledger", str(path), "--format", "xlsx"])
    assert result.exit_code == 2
    assert "--out FILE" in result.output


def test_what_is_no_log_has_no_ledger(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["ledger", str(path)])
    assert result.exit_code == 2


def test_a_table_that_never_opened_has_no_day() -> None:
    assert accounts_of(()).days == []
