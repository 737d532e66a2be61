"""The logs of a pit, judged beside one another: what tables have in common, and when it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier import acts
from croupier.cli import main
from croupier.rules import TableLayout, TableRules
from croupier.table import Phase, Refusal
from croupier.table.machine.session import TableSession
from croupier.table.pit import AdmitTable, ChangeElections, GiveNotice
from croupier.table.pit.pit_session import PitSession
from croupier.verify.log import verify_log
from croupier.verify.pit import departures_beside
from support.forged_logs import Line, forged, has, read, where
from support.games import advance
from support.logs import recorded
from support.new_york import rules_of as new_york
from support.table import deal, play, rules_of, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

NOON = datetime(2011, 2, 22, 12, tzinfo=UTC)
BOTH = ("surveillance", "Commission")
BEFORE, AFTER = (
    {"settlement.order": "payment-then-vigorish"},
    {"settlement.order": "payments-first"},
)
TIE = "9h 9d Kh Ks"


@dataclass
class Clock:
    """One clock on the wall for all tables: a second passes at every look."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def wait(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)


@dataclass
class Tables:
    """Tables that are recorded, by one clock."""

    folder: Path
    stack: ExitStack
    clock: Clock = field(default_factory=Clock)
    sessions: dict[str, TableSession] = field(default_factory=dict)

    def add(self, name: str, rules: TableRules) -> TableSession:
        record = self.stack.enter_context(recorded(self.log(name), rules))
        session = TableSession(rules, record=record, clock=self.clock)
        self.sessions[name] = session
        for command in (
            acts.OpenTable(10_000_000, "Dana", "Flo", rules.law.in_force_from),
            acts.SeatPatron(1, "Pat"),
            acts.BuyChips(1, 1_000_000),
            acts.ReceiveCards(rules.value("decks", int)),
        ):
            session.execute(command)
        advance(session, Phase.BETTING)
        return session

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.jsonl"

    def round(self, name: str) -> None:
        wager(self.sessions[name], (1, "tie", 1_000))
        play(self.sessions[name], TIE)

    def adopt(self, name: str) -> None:
        session = self.sessions[name]
        for to in BOTH:
            session.execute(acts.RecordNotice(AFTER, to))
        self.clock.wait(30)
        session.execute(acts.AdoptElections(AFTER))

    def kinds(self, log: str, *others: str) -> list[tuple[int, str]]:
        found = departures_beside(self.log(log), [self.log(one) for one in others])
        return [(one.round, one.message.partition(":")[0]) for one in found]


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with ExitStack() as stack:
        yield Tables(tmp_path, stack)


def at(table: str, pit: str = "1") -> TableRules:
    return rules_of(TableLayout(pit=pit, table=table), settlement__order=BEFORE["settlement.order"])


@pytest.fixture
def pair(tables: Tables) -> Tables:
    """Two tables of one pit, each of which has played a round."""
    for name in ("A", "B"):
        tables.add(name, at(name))
        tables.round(name)
    return tables


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_tables_that_agree_depart_from_nothing(pair: Tables) -> None:
    assert (pair.kinds("A", "B"), pair.kinds("B", "A")) == ([], [])


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_a_table_that_goes_on_as_before_departs_from_the_one_that_has_changed(pair: Tables) -> None:
    pair.adopt("A")
    pair.round("A")
    pair.round("B")
    assert pair.kinds("B", "A") == [(2, "settlement.order")]
    assert pair.kinds("A", "B") == []
    verified = CliRunner().invoke(
        main, ["verify", str(pair.log("B")), "--beside", str(pair.log("A"))]
    )
    assert verified.exit_code == 1
    assert "NJ-MINI:7.10(c)1" in verified.stdout
    # Alone its log conforms: nothing in it says what the other table does.
    assert CliRunner().invoke(main, ["verify", str(pair.log("B"))]).exit_code == 0


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_a_table_that_follows_before_its_next_round_does_not(pair: Tables) -> None:
    pair.adopt("A")
    pair.adopt("B")
    pair.round("A")
    pair.round("B")
    assert (pair.kinds("A", "B"), pair.kinds("B", "A")) == ([], [])


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_a_round_whose_wagers_lay_before_the_change_ends_as_it_began(pair: Tables) -> None:
    wager(pair.sessions["B"], (1, "tie", 1_000))
    pair.adopt("A")
    play(pair.sessions["B"], TIE)
    assert pair.kinds("B", "A") == []
    pair.round("B")
    assert pair.kinds("B", "A") == [(3, "settlement.order")]


@pytest.mark.clause("NJ-MINI:7.10(c)1")
def test_another_pit_has_its_own_order(tables: Tables) -> None:
    tables.add("A", at("A", pit="1"))
    tables.add("C", at("C", pit="2"))
    tables.adopt("A")
    tables.round("C")
    assert tables.kinds("C", "A") == []


@pytest.mark.clause("NJ-MINI:7.5(c)")
def test_a_shuffle_of_another_finish_departs_from_its_pit(tables: Tables) -> None:
    for name, finish in (("A", "lace"), ("B", "feather")):
        layout = TableLayout(table=name)
        tables.add(name, rules_of(layout, shuffle__finish=finish))
    assert tables.kinds("B", "A") == []
    # B opened later: it is A that goes on shuffling otherwise than the last table that was set up.
    tables.clock.wait(1)
    session = tables.sessions["A"]
    session.execute(acts.LeaveTable(1))
    session.execute(acts.DeclareIdle(face_up=True))
    session.execute(acts.SeatPatron(1, "Pat"))
    advance(session, Phase.BETTING)
    assert tables.kinds("A", "B") == [(0, "shuffle.finish")]


def test_a_licensee_has_one_rate_in_all_its_pits(tables: Tables) -> None:
    for name, scheme in (("A", "5%"), ("B", "4%")):
        layout = TableLayout(pit=name, table=name)
        tables.add(name, new_york(layout, vigorish__scheme=scheme))
    tables.round("A")
    assert tables.kinds("A", "B") == [(1, "vigorish.scheme")]


# --- one command for a pit -----------------------------------------------------------------------


def pit_of(tables: Tables) -> PitSession:
    pit = PitSession(tables.sessions)
    for to in BOTH:
        pit.try_execute(GiveNotice(BEFORE, to, tables.clock.now))
    tables.clock.wait(30)
    for name, session in tables.sessions.items():
        answer = pit.try_execute(AdmitTable(name, session.rules, tables.clock.now))
        assert not isinstance(answer, Refusal), answer
    for to in BOTH:
        pit.try_execute(GiveNotice(AFTER, to, tables.clock.now))
    tables.clock.wait(30)
    return pit


@pytest.mark.clause("NJ-MINI:7.10(c)1", "NJ-MINI:7.10(c)3")
def test_a_change_of_the_pit_makes_logs_that_agree_with_a_table_in_mid_round(pair: Tables) -> None:
    pit = pit_of(pair)
    wager(pair.sessions["B"], (1, "tie", 1_000))
    deal(pair.sessions["B"], TIE)
    answer = pit.try_execute(ChangeElections(("A", "B"), AFTER, pair.clock.now))
    assert not isinstance(answer, Refusal), answer
    assert list(pit.pending["B"]) != []
    pair.sessions["B"].execute(acts.SettleWagers())
    assert pair.sessions["B"].rules.elected("settlement.order", BEFORE["settlement.order"])
    pair.sessions["B"].execute(acts.ClearLayout())
    assert pit.pending["B"] == []
    for name in ("A", "B"):
        assert pair.sessions[name].rules.elected("settlement.order", AFTER["settlement.order"])
        pair.round(name)
    for name, other in (("A", "B"), ("B", "A")):
        assert pair.kinds(name, other) == []
        assert verify_log(pair.log(name)).divergence is None


def test_a_change_that_one_table_cannot_make_is_made_at_none(pair: Tables) -> None:
    pit = pit_of(pair)
    lines = [pair.log(name).read_bytes() for name in ("A", "B")]
    wrong = ChangeElections(("A", "B"), AFTER, pair.clock.now, {"B": {"wagers.tie.pays": "7:1"}})
    answer = pit.try_execute(wrong)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.clauses) == ("elections", ("NJ-MINI:7.3(b)",))
    tied = ChangeElections(
        ("A", "B"), {"irregularity.disclosed_card": "discard-one"}, pair.clock.now
    )
    answer = pit.try_execute(tied)
    assert isinstance(answer, Refusal)
    assert (answer.code, "table A" in answer.message) == ("submission", True)
    assert [pair.log(name).read_bytes() for name in ("A", "B")] == lines
    assert not any(pit.pending.values())


# --- one log by itself ---------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.10(c)3")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda one: one["command"].update(at="2011-02-22T12:20:00Z"), "30 minutes before"),
        (lambda one: one["command"].update(at="2011-02-22T15:00:00Z"), "later than the clock"),
        (lambda one: one["command"].update(at=None), None),
    ],
)
def test_a_log_is_held_to_the_notice_and_the_clock(
    tmp_path: Path, change: Callable[[Line], None], told: str | None
) -> None:
    with ExitStack() as stack:
        tables = Tables(tmp_path, stack)
        session = tables.add("A", at("A"))
        for to in BOTH:
            session.execute(acts.RecordNotice(AFTER, to, NOON))
        tables.clock.now = NOON + timedelta(minutes=30)
        session.execute(acts.AdoptElections(AFTER, at=NOON + timedelta(minutes=30)))
    log = tables.log("A")
    assert verify_log(log).divergence is None
    lines = read(log.read_bytes())
    change(lines[where(lines, has("ElectionsAdopted"))])
    log.write_bytes(forged(lines))
    found = verify_log(log).divergence
    assert found is not None
    assert found.kind == ("event" if told is None else "refused")
    if told is not None:
        assert told in found.message
