"""A round that is disputed or settled again after it is over, at a table that opens twice."""

from __future__ import annotations

import asyncio
import csv
import json
import shlex
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.records import index_building, indexing
from croupier.records.entry import SteppedClock
from croupier.records.reader import LogReader
from croupier.server import looking_back
from croupier.server.rounds import RoundIndex
from croupier.table import Phase
from croupier.table.machine.position import Proposal
from croupier.table.machine.session import TableSession
from support.command_line import told_with
from support.games import advance
from support.logs import recorded
from support.table import deal, rules_of

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

FIRST: Final = datetime(2011, 2, 22, 21, tzinfo=UTC)
SECOND: Final = FIRST + timedelta(days=1)
TRAY: Final = 10_000_000


def _round(session: TableSession, cards: str, **stakes: int) -> int:
    """Play a round of the wagers of seats 3 and 5; return the entry that settled it."""
    for place, cents in stakes.items():
        wager, seat = place.split("_")
        session.execute(acts.PlaceWager(int(seat), wager, cents))
    session.execute(acts.CallNoMoreBets())
    deal(session, cards)
    session.execute(acts.SettleWagers())
    settled = session.position.sequence
    advance(session, Phase.BETTING)
    return settled


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Two openings. Of the first, round 1 is disputed in vain, and round 2 is settled again."""
    path, rules = tmp_path / "table.jsonl", rules_of()
    clock = SteppedClock(FIRST)
    with recorded(path, rules) as record:
        session = TableSession(rules, record=record, clock=lambda: clock())  # noqa: PLW0108  (it is replaced)
        session.execute(acts.OpenTable(TRAY, "Dana", "Flo", date(2011, 2, 22)))
        for seat, patron in ((3, "Rosa"), (5, "Siem")):
            session.execute(acts.SeatPatron(seat, patron))
            session.execute(acts.BuyChips(seat, 100_000))
        session.execute(acts.ReceiveCards(8))
        advance(session, Phase.BETTING)
        # Player 8, Banker 9: both lose.
        tie = _round(session, "8h 9d Kh Ks", tie_3=2_000, player_5=10_000)
        session.execute(acts.OpenDispute(3, tie, "It was a tie."))
        session.execute(acts.ReconstructHand(1, "Vito"))
        # Banker's 9 is a 7: Player wins, and seat 5 is owed its $100 and $100 more.
        wrong = _round(session, "8h 9d Kh Ks", tie_3=2_000, player_5=10_000)
        session.execute(acts.DecideDispute(1, "The settlement stands.", "Sefa", informed=True))
        session.execute(acts.CorrectSettlement(wrong, "the camera", Hand.BANKER, 1, Card.of("7d")))
        _round(session, "9h 8d Kh Ks", player_3=3_000)
        for seat in (3, 5):
            session.execute(acts.LeaveTable(seat))
        session.execute(acts.CloseTable())
        clock = SteppedClock(SECOND)
        cents = session.position.ledger.balances["inventory"]
        session.execute(acts.OpenTable(cents, "Dana", "Flo", date(2011, 2, 23)))
        session.execute(acts.SeatPatron(3, "Theo"))
        session.execute(acts.BuyChips(3, 100_000))
        session.execute(acts.ReceiveCards(8))
        advance(session, Phase.BETTING)
        _round(session, "9h 8d Kh Ks", banker_3=4_000)
        session.execute(acts.LeaveTable(3))
        session.execute(acts.CloseTable())
    return path


def _data(*words: object) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(told_with(0, *words, "--format", "json").stdout)
    return data


def _report(log: Path, *words: object) -> dict[str, Any]:
    out = log.with_suffix(".report.json")
    told_with(0, "explain", log, *words, "--report", out, "--force")
    data: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return data


def _first(log: Path) -> tuple[str, str]:
    """Return the options for round 1 of the first opening: a number is not enough."""
    return "--time", _data("rounds", log)["rounds"][0]["ended_at"][:19]


def _kinds(round_: dict[str, Any]) -> list[str]:
    return [it["kind"] for it in round_["irregularities"] if it["kind"]]


def test_a_dispute_and_a_correction_are_found_with_their_round(log: Path) -> None:
    rounds = _data("rounds", log)["rounds"]
    assert [(it["gaming_date"], it["round"], _kinds(it)) for it in rounds] == [
        ("2011-02-22", 1, ["dispute"]),
        ("2011-02-22", 2, ["settlement corrected"]),
        ("2011-02-22", 3, []),
        ("2011-02-23", 1, []),
    ]
    results = [(it["winner"], it["corrected_winner"]) for it in rounds]
    assert results == [
        ("banker", None), ("banker", "player"), ("player", None), ("player", None),
    ]  # fmt: skip
    events = [it["event"] for it in rounds[0]["irregularities"]]
    assert events == ["DisputeOpened", "HandReconstructed", "DisputeDecided"]
    irregular = _data("rounds", log, "--irregular")["rounds"]
    assert [(it["gaming_date"], it["round"]) for it in irregular] == [
        ("2011-02-22", 1), ("2011-02-22", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(("seat", "net"), [(3, -2_000), (5, 10_000)])
def test_the_net_of_a_seat_includes_the_correction(log: Path, seat: int, net: int) -> None:
    (found,) = (
        it for it in _data("rounds", log, "--seat", seat)["rounds"]
        if it["round"] == 2
    )  # fmt: skip
    assert sum(it["net_cents"] for it in found["wagers"]) == net
    place = ("--round", 2, "--seat", seat)
    assert _data("explain", log, *place)["seats"] == [{"seat": seat, "net_cents": net}]
    assert [it["net_cents"] for it in _report(log, *place)["seats"]] == [net]


@pytest.mark.parametrize(("returned", "owed"), [((3,), 0), ((), 40_000)])
def test_a_payment_that_differs_from_its_record_is_not_the_result(
    returned: tuple[int, ...], owed: int, tmp_path: Path
) -> None:
    """$600 of Banker paid $1,000 in truth: less 5%, it brings $570, and $400 are returned or owed."""
    path, rules = tmp_path / "table.jsonl", rules_of()
    with recorded(path, rules) as record:
        session = TableSession(rules, record=record, clock=SteppedClock(FIRST))
        session.execute(acts.OpenTable(TRAY, "Dana", "Flo", date(2011, 2, 22)))
        session.execute(acts.SeatPatron(3, "Rosa"))
        session.execute(acts.BuyChips(3, 100_000))
        session.execute(acts.ReceiveCards(8))
        advance(session, Phase.BETTING)
        settled = _round(session, "8h 9d Kh Ks", banker_3=60_000)
        session.execute(acts.CorrectSettlement(
            settled, "the camera", seat=3, wager="banker", paid_cents=100_000, returned=returned
        ))  # fmt: skip
        session.execute(acts.LeaveTable(3))
        session.execute(acts.CloseTable())
    (found,) = _data("rounds", path)["rounds"]
    assert sum(it["net_cents"] for it in found["wagers"]) == 57_000
    assert _data("explain", path, "--round", 1)["seats"] == [{"seat": 3, "net_cents": 57_000}]
    index = RoundIndex(rules)
    for number, entry in LogReader(path).entries():
        index.take(number, entry.at, entry.events)
    assert asyncio.run(index.band.points())[-1].win_cents == -57_000
    ledger = _data("ledger", path)
    assert (ledger["win_cents"], ledger["days"][0]["uncollected_cents"]) == (-57_000 - owed, owed)


def test_a_correction_alone_does_not_match_a_wager(log: Path) -> None:
    assert not _data("rounds", log, "--seat", 5, "--won")["rounds"]
    (found,) = _data("rounds", log, "--seat", 5, "--wager", "player", "--card", "8h")["rounds"][1:]
    assert [it["outcome"] for it in found["wagers"]] == ["lose", "correction"]


def test_an_explanation_says_what_followed_and_who_was_there(log: Path) -> None:
    told = " ".join(told_with(0, "explain", log, "--round", 2).stdout.split())
    assert "Afterward Disputes and corrections after the round" in told
    assert "On duty Dana (dealer), Flo (floorperson)" in told
    assert "Time, UTC 2011-02-22 21:00" in told
    # What was ruled about round 1 is told with round 1.
    assert "Dispute 1" not in told
    ((text,),) = (step["lines"] for step in _data("explain", log, "--round", 2)["later"])
    assert "is corrected, 7d for 9d" in text
    disputed = _data("explain", log, *_first(log), "--seat", 3)
    texts = [line for step in disputed["later"] for line in step["lines"]]
    assert [text.split(" ")[0] for text in texts] == ["Rosa,", "The", "Dispute"]
    later = _data("explain", log, "--round", 3)
    assert not later["later"]
    assert not any("corrected" in line["text"] for line in later["narration"])


def test_a_report_does_not_call_a_corrected_round_right(log: Path) -> None:
    report = _report(log, "--round", 2)
    assert report["corrected"]
    assert [step["entry"] for step in report["later"]] == [
        json.loads(line)["seq"]
        for line in log.read_text(encoding="utf-8").splitlines()[1:-1]
        if '"type":"CorrectSettlement"' in line
    ]
    page = log.with_suffix(".txt")
    told_with(0, "explain", log, "--round", 2, "--report", page)
    assert "The round was settled again afterward." in page.read_text(encoding="utf-8")
    assert not _report(log, *_first(log))["corrected"]


def test_the_page_of_a_seat_names_no_other_patron(log: Path) -> None:
    for seat, other, place in ((5, "Rosa", _first(log)), (3, "Siem", ("--round", 2))):
        text = json.dumps(
            [
                _report(log, *place, "--seat", seat),
                _data("explain", log, *place, "--seat", seat)["later"],
            ]
        )
        assert other not in text
        assert "Vito" not in text


NINE, SEVEN = Card.of("9d"), Card.of("7d")


# Seat 3 loses $100 to Banker's 9. Of a 7 it wins $100; of a stake of $50 it loses that.
@pytest.mark.parametrize(
    ("correction", "net", "winner"),
    [
        (acts.CorrectMisreadCard(NINE, SEVEN, "Flo", Hand.BANKER, 1), -10_000, None),
        (acts.CorrectSettlement(1, "so", Hand.BANKER, 1, SEVEN), 10_000, "player"),
        (acts.CorrectSettlement(1, "so", seat=3, wager="player", cents=5_000), -5_000, None),
    ],
)
def test_a_round_that_is_corrected_before_the_layout_is_cleared(
    correction: acts.Command, net: int, winner: str | None, tmp_path: Path
) -> None:
    path, rules = tmp_path / "table.jsonl", rules_of()
    with recorded(path, rules) as record:
        session = TableSession(rules, record=record, clock=SteppedClock(FIRST))
        session.execute(acts.OpenTable(TRAY, "Dana", "Flo", date(2011, 2, 22)))
        session.execute(acts.SeatPatron(3, "Rosa"))
        session.execute(acts.BuyChips(3, 100_000))
        session.execute(acts.ReceiveCards(8))
        advance(session, Phase.BETTING)
        session.execute(acts.PlaceWager(3, "player", 10_000))
        session.execute(acts.CallNoMoreBets())
        deal(session, "8h 9d Kh Ks")
        session.execute(acts.SettleWagers())
        if isinstance(correction, acts.CorrectSettlement):
            correction = replace(correction, of=session.position.sequence)
        session.execute(correction)
        advance(session, Phase.BETTING)
        assert session.state.seats[3].chips_cents == 100_000 + net
    (found,) = _data("rounds", path, "--seat", 3)["rounds"]
    assert sum(it["net_cents"] for it in found["wagers"]) == net
    assert (found["winner"], found["corrected_winner"]) == ("banker", winner)
    explained = _data("explain", path, "--round", 1)
    assert explained["seats"] == [{"seat": 3, "net_cents": net}]
    assert "Player $100: lost" in explained["wagers"][0]["text"]
    report = _report(path, "--round", 1)
    assert [it["net_cents"] for it in report["seats"]] == [net]
    is_again = isinstance(correction, acts.CorrectSettlement)
    assert (report["corrected"], report["misread"]) == (is_again, not is_again)
    page = path.with_suffix(".txt")
    told_with(0, "explain", path, "--round", 1, "--report", page)
    assert "By what was recorded first, every wager was paid" in page.read_text(encoding="utf-8")
    out = tmp_path / "rounds.csv"
    told_with(0, "export", path, "-o", out, "--tables", "rounds")
    with out.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    # The winner follows from the counts that were announced, not from the card found later.
    assert (row["player_count"], row["banker_count"], row["winner"]) == ("8", "9", "banker")
    is_of_a_card = getattr(correction, "hand", None) is Hand.BANKER
    assert row["banker"] == ("7d Ks" if is_of_a_card else "9d Ks")


def test_a_wager_is_of_who_made_it_though_another_sits_there_before_the_layout_is_cleared(
    tmp_path: Path,
) -> None:
    path, rules = tmp_path / "table.jsonl", rules_of()
    with recorded(path, rules) as record:
        session = TableSession(rules, record=record, clock=SteppedClock(FIRST))
        session.execute(acts.OpenTable(TRAY, "Dana", "Flo", date(2011, 2, 22)))
        session.execute(acts.SeatPatron(3, "Rosa"))
        session.execute(acts.BuyChips(3, 100_000))
        session.execute(acts.ReceiveCards(8))
        advance(session, Phase.BETTING)
        session.execute(acts.PlaceWager(3, "player", 10_000))
        session.execute(acts.CallNoMoreBets())
        deal(session, "8h 9d Kh Ks")
        session.execute(acts.SettleWagers())
        session.execute(acts.LeaveTable(3))
        session.execute(acts.SeatPatron(3, "Siem"))
        advance(session, Phase.BETTING)
    assert not _data("rounds", path, "--patron", "Siem")["rounds"]
    (found,) = _data("rounds", path, "--patron", "Rosa")["rounds"]
    assert [(it["patron"], it["net_cents"]) for it in found["wagers"]] == [("Rosa", -10_000)]
    assert [it["patron"] for it in _report(path, "--round", 1)["seats"]] == ["Rosa"]


def test_a_time_finds_the_round_of_its_own_opening(log: Path) -> None:
    second = _data("rounds", log, "--from", "2011-02-23T00:00")["rounds"]
    assert len(second) == 1
    # A day ends with its last minute.
    assert second == _data("rounds", log, "--from", "2011-02-23", "--to", "2011-02-23")["rounds"]
    assert len(_data("rounds", log, "--to", "2011-02-22")["rounds"]) == 3
    moment = second[0]["began_at"][:16]
    found = _data("explain", log, "--time", moment)
    assert (found["gaming_date"], found["began"][:10]) == ("2011-02-23", "2011-02-23")
    assert _report(log, "--time", moment)["seats"][0]["patron"] == "Theo"
    refused = told_with(2, "explain", log, "--round", 1).stderr
    assert "2 openings of the table have a round 1" in " ".join(refused.split())
    assert _data("explain", log, *_first(log), "--seat", 5)["gaming_date"] == "2011-02-22"


def test_an_index_finds_what_was_recorded_much_later(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = (_first(log), ("--round", 2), ("--round", 3))
    whole = [_data("explain", log, *place)["later"] for place in places]
    assert [len(later) for later in whole] == [3, 1, 0]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(indexing, "LEAST_BYTES", 1000)
    monkeypatch.setattr(index_building, "_FURTHEST", 5)
    _data("explain", log, "--round", 3)
    for place, later in zip(places, whole, strict=True):
        found = _data("explain", log, *place)
        assert found["later"] == later
        assert found["record"]["index"] is not None
    moment = _first(log)[1]
    disputed = _data("rounds", log, "--from", moment, "--to", moment, "--irregular")["rounds"][0]
    assert [it["event"] for it in disputed["irregularities"]][-1] == "DisputeDecided"


def test_a_service_keeps_what_followed_a_round(log: Path) -> None:
    index = RoundIndex(rules_of())
    lines = log.read_bytes().splitlines(keepends=True)[1:-1]
    index.follow(1, lines)
    kinds = ("OpenDispute", "ReconstructHand", "DecideDispute", "CorrectSettlement")
    entries = [
        json.loads(line)["seq"]
        for kind in kinds
        for line in lines
        if f'"command":{{"type":"{kind}"' in line.decode()
    ]
    first, second, _, of_second_opening = index.all
    assert index.later == {first.last: entries[:3], second.last: entries[3:]}
    # A number is that of a round since the last opening: round 2 of the day before is none.
    assert index.ends == {1: (of_second_opening.first, of_second_opening.last)}


def test_an_exported_irregularity_names_the_round_that_it_is_about(
    log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "rows.csv"
    told_with(0, "export", log, "-o", out, "--tables", "irregularities")
    header, *rows = (line.split(",") for line in out.read_text(encoding="utf-8").splitlines())
    found = {row[header.index("event")]: row[header.index("round")] for row in rows}
    assert found == {
        "DisputeOpened": "1", "HandReconstructed": "1", "DisputeDecided": "1",
        "SettlementCorrected": "2",
    }  # fmt: skip


def test_no_cell_of_an_exported_csv_is_a_formula(tmp_path: Path) -> None:
    path, rules = tmp_path / "table.jsonl", rules_of()
    with recorded(path, rules) as record:
        session = TableSession(rules, record=record, clock=SteppedClock(FIRST))
        session.execute(acts.OpenTable(TRAY, "@Dana", "Flo", date(2011, 2, 22)))
        session.execute(acts.SeatPatron(3, "=1+1"))
        session.execute(acts.BuyChips(3, 100_000))
        session.execute(acts.ReceiveCards(8))
        advance(session, Phase.BETTING)
        _round(session, "8h 9d Kh Ks", tie_3=2_000)
    for table in ("rounds", "wagers"):
        out = tmp_path / f"{table}.csv"
        told_with(0, "export", path, "-o", out, "--tables", table)
        text = out.read_text(encoding="utf-8")
        assert ("'=1+1" in text, "'@Dana" in text) == (table == "wagers", table == "rounds")
        # An amount below zero is a number, and stays one.
        assert (",-2000," in text) == (table == "wagers")


def test_each_opening_has_a_round_1_and_a_shoe_1(log: Path, tmp_path: Path) -> None:
    audit = _data("audit", log)
    assert (audit["rounds"], audit["shoes"]) == (4, 2)
    assert [it["shoe"] for it in audit["board"]["shown"]] == [1, "1, opening 2"]
    # Banker, then Player twice; Player alone is one run, whatever its order.
    assert (audit["census"]["runs"]["runs"], audit["census"]["runs"]["expected"]) == (
        2,
        pytest.approx(7 / 3),
    )
    assert _data("verify", log)["rounds"] == 4
    out = tmp_path / "rows"
    told_with(0, "export", log, "-o", out, "--format", "csv")
    places = {}
    for table in ("rounds", "wagers", "irregularities"):
        with (out / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            places[table] = [(it["opening"], it["round"]) for it in csv.DictReader(file)]
    assert places["rounds"] == [("1", "1"), ("1", "2"), ("1", "3"), ("2", "1")]
    assert {*places["wagers"]} == {*places["rounds"]}
    assert {*places["irregularities"]} == {("1", "1"), ("1", "2")}


def test_an_audit_shows_a_round_as_it_was_settled_again(log: Path) -> None:
    audit = _data("audit", log)
    assert audit["clean"]
    first, second = (shoe["roads"]["bead_plate"] for shoe in audit["board"]["shown"])
    beads = [(it["round"], it["winner"], it["corrected"]) for it in first]
    assert beads == [(1, "banker", False), (2, "player", True), (3, "player", False)]
    # One win of Banker, then two of Player in a column.
    assert [it["depth"] for it in audit["board"]["shown"][0]["roads"]["big_road"]] == [0, 0, 1]
    assert [(it["winner"], it["corrected"]) for it in second] == [("player", False)]
    found = {it["class"]: it["found"] for it in audit["census"]["classes"]}
    assert (found["player, 4 cards"], found["banker, 4 cards"]) == (3, 1)
    entry = _data("explain", log, "--round", 2)["later"][0]["entry"]
    again = f"Settled again: round 2: entry {entry} corrected the result banker to player."
    assert audit["hints"] == [again]
    assert again in " ".join(told_with(0, "audit", log).stdout.split())
    told_with(0, "audit", log, "--out", page := log.with_suffix(".html"))
    assert "<title>Round 2: Player, natural, corrected</title>" in page.read_text(encoding="utf-8")


def test_an_audit_has_what_an_earlier_opening_dealt_before_a_divergence(log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    # The last layout that is cleared is that of the second opening's round.
    at = max(at for at, line in enumerate(lines) if b'"type":"LayoutCleared"' in line)
    lines[at] = lines[at].replace(b'"9h"', b'"8h"')
    log.write_bytes(b"".join(lines))
    audit = json.loads(told_with(1, "audit", log, "--format", "json").stdout)
    assert [it["line"] for it in audit["divergences"]] == [at + 1]
    beads = [bead for it in audit["board"]["shown"] for bead in it["roads"]["bead_plate"]]
    assert [(it["round"], it["winner"]) for it in beads] == [
        (1, "banker"), (2, "player"), (3, "player"),
    ]  # fmt: skip


class _Served:
    """A table of a service: its name and its entries."""

    def __init__(self, log: Path) -> None:
        self.desk, self.past = SimpleNamespace(name=str(log.with_suffix(""))), self
        self._entries = [entry for _, entry in LogReader(log).steps()]

    async def entries(self, first: int, last: int) -> list[Proposal]:
        return [entry for entry in self._entries if first <= entry.after.sequence <= last]


def test_a_report_of_a_service_names_the_command_that_makes_it_again(log: Path) -> None:
    index, table = RoundIndex(rules_of()), _Served(log)
    index.follow(1, log.read_bytes().splitlines(keepends=True)[1:-1])
    assert [place.number for place in index.all] == [1, 2, 3, 1]
    for place in index.all:
        report = asyncio.run(looking_back.round_report(table, index, place))  # type: ignore[arg-type]
        chosen = "--time" if place.number == 1 else "--round"
        assert chosen in report["reproduce"]
        made = _data(*shlex.split(report["reproduce"])[1:])
        assert (made["round"], made["ended"]) == (place.number, place.time)
