"""``croupier decks``: the life of sets of cards over tables and days, and the gaps in it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import Command
from croupier.baccarat.cards import Card
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log, carried_from, ended_log
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.command_line import told_with
from support.games import advance
from support.project import ROOT
from support.table import MINIBACCARAT

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

DAY: Final = date(2011, 2, 22)
DAMAGED: Final = acts.FindWrongCard("damaged", "Sup", Card.of("Kh"))
RECEIVE: Final = acts.ReceiveCards(8, name="red 1")
INSPECTED: Final = (acts.InspectCards(), acts.VerifyCards(MINIBACCARAT.floorperson))


def log_of(
    folder: Path,
    table: str,
    *commands: Command | Phase,
    day: int = 0,
    after: Path | None = None,
    at: datetime | None = None,
) -> Path:
    """Play commands at an open table, ``day`` days later, and return the log."""
    path = folder / f"{table}-{day}.jsonl"
    rules = MINIBACCARAT.rules(TableLayout(table=table, pit="7"))
    continues = None if after is None else carried_from(ended_log(after))
    recorder, stream = begin_log(path, rules, shuffle="given", continues=continues)
    noon = at or datetime(2011, 2, 22, 12, tzinfo=UTC) + timedelta(days=day)
    more: Any = {} if continues is None else {"position": continues.position}
    session = TableSession(rules, record=recorder, clock=SteppedClock(noon), **more)
    who = MINIBACCARAT.dealer, MINIBACCARAT.floorperson
    session.execute(acts.OpenTable(100_000_000, *who, DAY + timedelta(days=day)))
    for command in commands:
        if isinstance(command, Phase):
            session.execute(acts.SeatPatron(1, "Ada"))
            session.execute(acts.BuyChips(1, 100_000))
            advance(session, command)
            session.execute(acts.LeaveTable(1))
        else:
            session.execute(command)
    if session.state.phase is Phase.CLOSED:
        recorder.finish()
    stream.close()
    return path


def followed(status: int, *logs: Path) -> dict[str, Any]:
    found = json.loads(told_with(status, "decks", *logs, "--format", "json").stdout)
    return {one["set"]: one for one in found["sets"]}


def gaps(one: dict[str, Any]) -> Sequence[tuple[str, str, int]]:
    return [(it["gap"], it["table"], it["entry"]) for it in one["gaps"]]


def test_a_set_is_followed_to_its_end_over_days_and_tables(tmp_path: Path) -> None:
    first = log_of(tmp_path, "A", RECEIVE, *INSPECTED, Phase.BETTING, acts.CloseTable())
    second = log_of(tmp_path, "B", RECEIVE, *INSPECTED, Phase.BETTING, acts.OrderDecks("Sup", "worn"),
                    Phase.BETTING, acts.CloseTable(), day=1)  # fmt: skip
    assert gaps(followed(1, second, first)["red 1"])
    sealed = log_of(
        tmp_path, "B", acts.SealDecks(1, 415, "E-1"),
        acts.ExamineDecks(1, "one card was torn up", intact=True, keep=False),
        acts.DestroyDecks(1, "E-1"), day=2, after=second,
    )  # fmt: skip
    one = followed(1, sealed, second, first)["red 1"]
    assert (one["tables"], one["shoes"], one["cards"]) == (["A (pit 7)", "B (pit 7)"], 2, 416)
    assert (one["ordered_by"], one["status"], one["envelope"]) == (["Sup"], "destroyed", "E-1")
    assert [(it["gap"], it["says"]) for it in one["gaps"]] == [("count differs", "1 card missing")]
    days = [(it["gaming_date"], it["event"]) for it in one["life"]]
    assert days[0] == ("2011-02-22", "CardsReceived")
    assert ("2011-02-22", "CardsInspected") in days
    assert days[-3:] == [
        ("2011-02-24", name) for name in ("DecksSealed", "DecksExamined", "DecksDestroyed")
    ]


def test_a_set_in_order_has_no_gap_and_the_report_says_so(tmp_path: Path) -> None:
    log = log_of(
        tmp_path, "A", RECEIVE, *INSPECTED, DAMAGED, acts.RemoveCards(),
        acts.SealDecks(1, 416, "E-1"), acts.ExamineDecks(1, "a nail mark", intact=True, keep=True),
    )  # fmt: skip
    one = followed(0, log)["red 1"]
    assert (one["status"], one["gaps"], one["shoes"]) == ("kept", [], 0)
    shown = told_with(0, "decks", log).stdout
    assert "No set has a gap." in shown
    # One table and one day need no column in the life of a set.
    assert shown.partition("Life of ")[2].splitlines()[1].startswith("Time (UTC)")


def test_each_gap_is_documented() -> None:
    code = (ROOT / "src" / "croupier" / "cli" / "records" / "decks.py").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "offices.md").read_text(encoding="utf-8")
    gaps = set(re.findall(r'add_gap\("([\w ]+)"', code))
    table = page.partition("| gap | meaning |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([\w ]+)` \|", table, re.MULTILINE)) == gaps
    assert len(gaps) == 6


def test_each_gap_is_pointed_out_where_it_is(tmp_path: Path) -> None:
    at_a = log_of(tmp_path, "A", RECEIVE, *INSPECTED, Phase.BETTING)
    at_b = log_of(tmp_path, "B", acts.ReceiveCards(8, name=" RED  1"), *INSPECTED, DAMAGED,
                  acts.RemoveCards(), day=1)  # fmt: skip
    at_c = log_of(tmp_path, "C", RECEIVE, DAMAGED, acts.RemoveCards(),
                  acts.SealDecks(1, 416, "E-1"), day=2)  # fmt: skip
    at_d = log_of(
        tmp_path, "D", acts.ReceiveCards(8, name="blue"), DAMAGED, acts.RemoveCards(),
        acts.SealDecks(1, 417, "e-1"), acts.ExamineDecks(1, "cut open", intact=False, keep=False),
        day=3,
    )  # fmt: skip
    found = followed(1, at_d, at_c, at_b, at_a)
    assert sorted(gaps(found["red 1"])) == [
        ("came back", "C (pit 7)", 2), ("not sealed", "B (pit 7)", 6), ("two tables", "B (pit 7)", 2),
    ]  # fmt: skip
    assert gaps(found["blue"]) == [
        ("envelope used twice", "D (pit 7)", 5), ("count differs", "D (pit 7)", 5), ("seal broken", "D (pit 7)", 6),
    ]  # fmt: skip
    text = told_with(1, "decks", at_a, at_b, at_c, at_d).stdout
    assert "6 gaps in the record of 2 sets" in text
    assert "it was in use at A (pit 7) as B (pit 7) received it" in text


def test_a_set_without_a_name_is_followed_at_its_table_until_it_is_removed(tmp_path: Path) -> None:
    plain = acts.ReceiveCards(8)
    first = log_of(tmp_path, "A", plain, *INSPECTED, Phase.BETTING, acts.CloseTable())
    second = log_of(tmp_path, "A", plain, *INSPECTED, DAMAGED, acts.RemoveCards(), plain, day=1,
                    after=first)  # fmt: skip
    both = followed(1, first, second)
    assert [(one["status"], one["shoes"]) for one in both.values()] == [
        ("removed", 1),
        ("in use", 0),
    ]
    # The log of the second day alone has what it continues.
    alone = followed(1, second)
    assert [(one["status"], one["shoes"]) for one in alone.values()] == [
        ("removed", 1),
        ("in use", 0),
    ]


def test_what_an_earlier_log_removed_is_known_from_the_one_that_continues_it(
    tmp_path: Path,
) -> None:
    first = log_of(tmp_path, "A", RECEIVE, *INSPECTED, DAMAGED, acts.CloseTable())
    second = log_of(tmp_path, "A", day=1, after=first)
    one = followed(1, second)["red 1"]
    assert (one["status"], one["life"]) == ("removed", [])
    assert gaps(one) == [("not sealed", "A (pit 7)", 6)]
    elsewhere = log_of(tmp_path, "B", RECEIVE, day=2)
    assert gaps(followed(1, second, elsewhere)["red 1"])[0] == ("came back", "B (pit 7)", 2)


@pytest.mark.parametrize("command", ["decks", "rounds", "irregularities", "export"])
def test_a_log_that_is_given_twice_is_refused(tmp_path: Path, command: str) -> None:
    log, copy = log_of(tmp_path, "A", RECEIVE), tmp_path / "copy.jsonl"
    copy.write_bytes(log.read_bytes())
    more = ("-o", tmp_path / "tables") if command == "export" else ()
    assert f"is given twice; it is {log}" in told_with(2, command, log, copy, *more).stderr


@pytest.mark.parametrize("form", ["csv", "html", "pdf", "txt", "xlsx"])
def test_every_format_has_the_sets(tmp_path: Path, form: str) -> None:
    log = log_of(tmp_path, "A", RECEIVE, *INSPECTED, DAMAGED, acts.RemoveCards())
    out = tmp_path / f"decks.{form}"
    told_with(1, "decks", log, "-o", out)
    if form in {"csv", "html", "txt"}:
        assert "red 1" in out.read_text(encoding="utf-8")
    assert out.stat().st_size


def test_logs_of_a_table_are_followed_in_their_order_although_a_moment_ends_one_and_begins_the_next(
    tmp_path: Path,
) -> None:
    first = log_of(tmp_path, "A", RECEIVE, *INSPECTED, DAMAGED, acts.CloseTable())
    *_, closed, _ = map(json.loads, first.read_text(encoding="utf-8").splitlines())
    second = log_of(
        tmp_path, "A", acts.SealDecks(1, 416, "E-1"), day=1, after=first,
        at=datetime.fromisoformat(closed["at"]),
    )  # fmt: skip
    assert closed["at"] in second.read_text(encoding="utf-8").splitlines()[1]
    assert followed(0, first, second)["red 1"] == followed(0, second, first)["red 1"]


def test_a_line_that_breaks_off_is_pointed_out(tmp_path: Path) -> None:
    log = log_of(tmp_path, "A", RECEIVE, *INSPECTED, DAMAGED, acts.RemoveCards())
    whole = log.read_bytes()
    log.write_bytes(whole[:-9])
    number = whole.count(b"\n")
    found = told_with(0, "decks", log)
    assert f"{log}:{number}: the line breaks off, and is left out" in found.stderr


def test_a_changed_line_ends_the_report_with_its_place(tmp_path: Path) -> None:
    log = log_of(tmp_path, "A", RECEIVE, *INSPECTED, DAMAGED, acts.RemoveCards())
    log.write_bytes(log.read_bytes().replace(b'"red 1"', b'"red 2"'))
    found = told_with(1, "decks", log)
    assert (found.stdout, f"{log}:3: " in found.stderr) == ("", True)
