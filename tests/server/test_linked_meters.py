"""Meters that tables of a pit share: what one adds or awards is what all of them show, at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier import acts as commands
from croupier.acts.roles import Role
from croupier.money.ledger import LINKED_METERS
from croupier.records.codec import dump, from_json
from croupier.records.entry import seal, unseal
from croupier.records.log import followed_lines
from croupier.records.stores.places import open_store
from croupier.server.desks.pilot import Dealt
from croupier.server.resources.page_calls import PAGES
from croupier.table import Refusal
from croupier.table.machine.position import Actor, Stamp
from croupier.table.machine.session import RefusedError
from croupier.table.machine.state import Phase
from croupier.table.parts.progressive import Progressive
from croupier.table.pit import LinkMeters, pit_acts
from croupier.table.pit.pit_session import PitSession
from croupier.verify.pit_log import verify_pit_lines
from support import massachusetts
from support.accounts import accounts_of
from support.linked_floor import HITS, LINK, LOSES, STAKE, Floor
from support.pit_service import T1, T2, Clock
from support.served import Heard, listen, problem, served
from support.table import wager

pytest_plugins = ["support.store_fixtures"]
pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

# Of each $5: 3%, 2%, 2%, and 1% for Stax, which is no part of a link.
STAR, SPADE, HEART, STAX = 10_000_00, 1_000_00, 1_000_00, 500_00


@pytest.fixture
def floor(place: str) -> Iterator[Floor]:
    with served(open_store(place), clock=Clock()) as house:
        made = Floor(house, house.service.clock)  # type: ignore[arg-type]
        made.begins()
        yield made


def test_a_hit_at_one_table_resets_the_meters_of_all(floor: Floor) -> None:
    # Before they are linked each table has its own: three cents of a hundred go to the Star.
    floor.plays(T1)
    assert floor.shown(T1) == (STAR + 15, SPADE + 10, HEART + 10)
    assert floor.shown(T2) == (STAR, SPADE, HEART)
    assert floor.links(T1, T2).status_code == 200
    # What patrons have put into each goes into the one that they share, with one seed.
    for table in (T1, T2):
        assert floor.shown(table) == (STAR + 15, SPADE + 10, HEART + 10)
    floor.plays(T2)
    for table in (T1, T2):
        assert floor.shown(table) == (STAR + 30, SPADE + 20, HEART + 20)
    # Fifteen cents of this wager, too, and the award is what all have put in.
    assert floor.plays(T1, HITS) == [STAR + 45]
    for table in (T1, T2):
        assert floor.shown(table) == (STAR, SPADE + 30, HEART + 30)
    assert floor.plays(T2, HITS) == [STAR + 15]
    for table in (T1, T2):
        assert floor.shown(table) == (STAR, SPADE + 40, HEART + 40)
    assert floor.verdict().meters == {
        LINK: {"star": STAR, "spade": SPADE + 40, "heart": HEART + 40}
    }
    # Stax is drawn among those who play at one table, so it stays there.
    stax = [floor.licensee.sees(f"/v1/tables/{one}/meters")["meters"]["stax"] for one in (T1, T2)]
    assert stax == [STAX + 10, STAX + 10]


def test_a_table_reads_the_meters_and_the_pit_takes_them_over_with_the_settlement(
    floor: Floor,
) -> None:
    floor.links(T1, T2)
    pit = floor.seen["seq"]
    floor.plays(T1)
    floor.plays(T2)
    acts = [one for one in floor.commands(T2) if one[0] in {"ReadMeters", "SettleWagers"}]
    assert acts == [("ReadMeters", f"pit-{pit}"), ("ReadMeters", f"pit-{pit + 1}-meters"),
                    ("SettleWagers", None)]  # fmt: skip
    # The first table knew what it read when they were linked.
    acts = [one for one in floor.commands(T1) if one[0] in {"ReadMeters", "SettleWagers"}]
    assert acts == [("ReadMeters", f"pit-{pit}"), ("SettleWagers", None)]
    moves = [from_json(line)["command"] for line in floor.lines("pit:1")[-2:]]
    assert [one["type"] for one in moves] == ["MoveMeters", "MoveMeters"]
    assert [one["table"] for one in moves] == [T1, T2]
    assert moves[1]["read"] == {"star": STAR + 15, "spade": SPADE + 10, "heart": HEART + 10}
    assert moves[1]["added"] == {"star": 15, "spade": 10, "heart": 10}
    # A round without a wager on it moves no meter.
    floor.at(T2, lambda one: massachusetts.play(one, LOSES, (1, "player", 25_00)))
    assert floor.seen["seq"] == pit + 2


def test_the_accounts_of_linked_tables_come_to_the_meters(floor: Floor) -> None:
    floor.plays(T1)
    floor.links(T1, T2)
    floor.plays(T2)
    floor.plays(T1, HITS)
    floor.plays(T2)
    floor.plays(T1)
    # Five wagers put 35 cents each into the three; three times 15 went with the Star.
    total = STAR + SPADE + HEART + 5 * 35 - 3 * 15
    assert sum(floor.shown(T1)) == total
    for table in (T1, T2):
        ledger = floor.desk(table).durable.ledger
        assert ledger.in_balance
        days = accounts_of(
            event
            for entry in followed_lines(Path(table), floor.lines(table))[1]
            for event in entry.events
        ).days
        assert all(day.reconciles for day in days)
        assert days[-1].linked_cents == -ledger.balance(LINKED_METERS)
        assert days[-1].linked_cents != 0
    # Accounting reads what the displays show, which is what the accounts then hold.
    shown = floor.licensee.sees(f"/v1/tables/{T2}/meters")["meters"]
    count = floor.house.person("accounting", "Asta")
    answer = count.does(T2, {"type": "ReconcileMeters", "shown": shown})
    assert answer.status_code == 200, answer.text
    (told,) = answer.json()["entries"][-1]["events"]
    assert told["shown"] == told["expected"] == shown
    floor.verdict()


def test_a_controller_is_read_against_what_the_other_table_has_put_into_its_meters(
    floor: Floor,
) -> None:
    floor.links(T1, T2)
    floor.plays(T1)
    shown = floor.licensee.sees(f"/v1/tables/{T2}/meters")["meters"]
    assert shown["star"] == STAR + 15
    miro, told = floor.house.person("floorperson", "Miro"), []
    for act in ({"type": "ReportController", "cause": "reset"},
                {"type": "ReadController", "shown": shown}):  # fmt: skip
        answer = miro.does(T2, act)
        assert answer.status_code == 200, answer.text
        told.append(answer.json()["entries"][-1]["events"][0])
    assert told[0]["meters"] == shown
    assert told[1]["shown"] == told[1]["expected"] == shown
    floor.verdict()


def test_what_each_office_is_shown_has_the_meters_of_the_pit(floor: Floor) -> None:
    floor.links(T1, T2)
    floor.plays(T1)
    board = floor.house.person("board", "Board")
    for path in (f"/v1/tables/{T2}", f"/v1/tables/{T2}/look"):
        assert board.sees(path)["seen"]["meters"]["star"] == STAR + 15
    (link,) = board.sees("/v1/pits/1")["links"]
    assert link == {
        "link": LINK,
        "wager": "royal_9",
        "tables": [T1, T2],
        "meters": {"star": STAR + 15, "spade": SPADE + 10, "heart": HEART + 10},
    }
    text = floor.house.anybody().get("/metrics").text
    name = f'croupier_linked_meter_cents{{link="{LINK}",meter="star",pit="1"}}'
    (figure,) = [line for line in text.splitlines() if line.startswith(name)]
    assert float(figure.rsplit(" ", 1)[1]) == STAR + 15
    # What the dealer is shown beforehand is what is paid.
    floor.at(T2, lambda one: wager(one, (1, "player", 25_00), (1, *STAKE)))
    floor.at(T2, lambda one: massachusetts.deal(one, HITS))
    due = floor.house.person("dealer", "Maya").sees(f"/v1/tables/{T2}/look")["due"]
    assert [one["cents"] for one in due["events"] if one["type"] == "AwardPaid"] == [STAR + 30]


def test_an_open_page_shows_what_another_table_put_in(tmp_path: Path) -> None:
    clock = Clock()
    with served(tmp_path / "pit.sqlite", clock=clock, more=PAGES) as house:
        floor = Floor(house, clock)
        floor.begins()
        floor.links(T1, T2)

        def until(heard: list[Heard]) -> bool:
            if len(heard) == 1:
                # Not what concerns the pit alone, and then what moves the meter.
                floor.done("GiveNotice", elections={"wagers.tie.pays": "9:1"}, to="nobody")
                floor.plays(T1)
            assert len(heard) < 50
            return bool(heard) and "$10,000.15" in str(heard[-1][2])

        board = house.person("board", "Board")
        heard = listen(board, f"/tables/{T2}/renewals", until)
        assert "$10,000<" in str(heard[0][2])
        assert {one[1] for one in heard} == {"parts"}


def test_tables_differ_in_what_makes_a_meter_and_are_not_linked(floor: Floor) -> None:
    assert problem(floor.links(T1), 409, "no_table")
    problem(floor.links(T1, T1), 409, "no_table")
    problem(floor.links(T1, "MB-9"), 409, "no_table")
    tie: dict[str, Any] = {"link": LINK, "tables": [T1, T2], "wager": "tie"}
    problem(floor.does("LinkMeters", **tie), 409, "no_meters")
    problem(floor.links(T1, T2, shown={}), 422, "malformed")
    for number, (old, new) in enumerate(
        {'"10000.00"': '"9000.00"', 'star.increment = "3%"': 'star.increment = "4%"'}.items()
    ):
        name = f"MB-20{number}"
        floor.makes_royal(name, **{old: new})
        assert "star" in problem(floor.links(T1, name), 409, "not_alike")["detail"]
    # The meter that must be hit is no part of it, and may differ.
    floor.makes_royal("MB-300", **{'stax.seed = "500.00"': 'stax.seed = "400.00"'})
    assert floor.links(T1, "MB-300").status_code == 200
    problem(floor.links(T1, T2), 409, "link_known")
    problem(
        floor.does("LinkMeters", link="another", tables=[T2, T1], wager="royal_9"), 409, "linked"
    )
    floor.verdict()


def test_a_table_leaves_with_its_seeds_and_the_last_with_what_the_meters_show(
    floor: Floor,
) -> None:
    floor.links(T1, T2)
    floor.plays(T1)
    told = problem(floor.does("WithdrawTable", table=T2), 409, "linked")
    assert LINK in told["detail"]
    floor.at(T2, lambda one: wager(one, (1, "player", 25_00), (1, *STAKE)))
    problem(floor.does("UnlinkMeters", link=LINK, table=T2), 409, "wagers")
    floor.at(T2, lambda one: massachusetts.deal(one, LOSES))
    floor.at(T2, lambda one: (one.execute(commands.SettleWagers()), massachusetts.clear(one)))
    floor.done("UnlinkMeters", link=LINK, table=T2)
    assert floor.shown(T2) == (STAR, SPADE, HEART)
    assert floor.shown(T1) == (STAR + 30, SPADE + 20, HEART + 20)
    problem(floor.does("UnlinkMeters", link=LINK, table=T2), 409, "not_linked")
    # It goes on alone. What a page offers is what is left to link and to unlink.
    acts = {
        one.command.__name__: one for one in pit_acts(floor.house.service.pits["1"].ahead.state)
    }
    assert [one.choices for one in acts["UnlinkMeters"].fields] == [
        ((LINK, LINK),), ((T1, T1),),
    ]  # fmt: skip
    assert acts["LinkMeters"].fields[-1].choices == (("royal_9", "royal_9"),)
    assert all(one.words for one in acts.values())
    floor.plays(T2)
    assert floor.shown(T2) == (STAR + 15, SPADE + 10, HEART + 10)
    floor.done("UnlinkMeters", link=LINK, table=T1)
    assert floor.shown(T1) == (STAR + 30, SPADE + 20, HEART + 20)
    assert floor.licensee.sees("/v1/pits/1")["links"] == []
    for table in (T1, T2):
        assert floor.desk(table).durable.ledger.in_balance
    floor.verdict()


def test_nobody_moves_or_reads_linked_meters_but_the_service(floor: Floor) -> None:
    floor.links(T1, T2)
    floor.plays(T1)
    moves = from_json(floor.lines("pit:1")[-1])["command"]
    del moves["stream"]
    problem(floor.does(moves.pop("type"), **moves), 422, "malformed")
    reading = {"type": "ReadMeters", "link": LINK, "shown": {"star": 1}}
    problem(floor.house.person("machine", "Clock").does(T1, reading), 409, "of_pit")
    problem(floor.house.person("dealer", "Maya").does(T1, reading), 403, "not_your_office")


def test_a_table_reads_its_own_meters_and_amounts_that_they_can_show() -> None:
    session = massachusetts.ready(1, **massachusetts.STAX)
    machine = Stamp((Actor("the pit", Role.MACHINE, "pit:1"),))
    shown = {"star": STAR + 1}
    for wrong, code in (
        ({}, "meters"),
        ({"stax": STAX}, "meters"),
        ({"moon": 1}, "meters"),
        ({"star": -1}, "amount"),
        ({"star": True}, "amount"),
    ):
        answer = session.try_execute(commands.ReadMeters(LINK, wrong), machine)
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.clauses) == (code, ())
    dealer = Stamp((Actor("Maya", Role.DEALER, "page"),))
    answer = session.try_execute(commands.ReadMeters(LINK, shown), dealer)
    assert isinstance(answer, Refusal)
    assert answer.code == "not_your_office"
    session.execute(commands.ReadMeters(LINK, shown), machine)
    assert session.state[Progressive].linked == {"star": LINK}
    assert session.ledger.balance("meter:star") == STAR + 1
    assert session.ledger.balance(LINKED_METERS) == -1
    # Another table was paid all of it: what goes back is the other side of that.
    session.execute(commands.ReadMeters("", {"star": STAR}), machine)
    assert session.state[Progressive].linked == {}
    assert session.ledger.balance(LINKED_METERS) == 0
    assert session.ledger.in_balance
    # A pit in a program has no store in which the meter and its tables would be one.
    with pytest.raises(TypeError, match="share a store"):
        PitSession({}).try_execute(LinkMeters(LINK, (T1, T2), "royal_9", {}))


def test_a_restart_finds_the_meters_as_they_were(place: str) -> None:
    with served(open_store(place), clock=Clock()) as house:
        floor = Floor(house, house.service.clock)  # type: ignore[arg-type]
        floor.begins()
        floor.links(T1, T2)
        floor.plays(T1)
        floor.plays(T2)
    with served(open_store(place), clock=Clock()) as house:
        again = Floor(house, house.service.clock)  # type: ignore[arg-type]
        assert again.shown(T1) == (STAR + 30, SPADE + 20, HEART + 20)
        assert again.plays(T1, HITS) == [STAR + 45]
        assert again.shown(T2)[0] == STAR
        again.verdict()


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_settlement_and_meters_are_stored_together_or_not_at_all(floor: Floor) -> None:
    floor.links(T1, T2)
    floor.at(T1, lambda one: wager(one, (1, "player", 25_00), (1, *STAKE)))
    floor.at(T1, lambda one: massachusetts.deal(one, HITS))
    before = [*map(len, map(floor.lines, (T1, T2, "pit:1")))]
    store = floor.house.service.store

    async def fenced() -> None:
        # Another process has the pit by now, which this one has not noticed.
        await floor.house.service.commits.write(
            store.take, "pit:1", "another", "", 60.0, free=False
        )

    floor.house.do(fenced())
    answer = floor.house.person("dealer", "Maya").does(T1, {"type": "SettleWagers"})
    problem(answer, 503, "not_stored")
    assert [*map(len, map(floor.lines, (T1, T2, "pit:1")))] == before
    assert floor.desk(T1).durable.state.phase is Phase.DECIDED
    assert floor.shown(T1) == floor.shown(T2) == (STAR, SPADE, HEART)


# --- what is altered is found ---


def resealed(lines: list[bytes], change: Callable[[dict[str, Any]], None]) -> list[bytes]:
    """Change the last entry of a record, and seal it again, as whoever holds it can."""
    body, _ = unsealed(lines[-1])
    entry = from_json(body)
    change(entry)
    return [*lines[:-1], seal(dump(entry))[0]]


def unsealed(line: bytes) -> tuple[bytes, str]:
    found = unseal(line)
    assert found is not None
    return found


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_a_meter_that_is_not_what_the_tables_records_come_to_is_told(floor: Floor) -> None:
    floor.links(T1, T2)
    floor.plays(T1)
    floor.plays(T2)
    pit, tables = floor.lines("pit:1"), {one: floor.lines(one) for one in (T1, T2)}

    def judged(lines: list[bytes], **more: list[bytes]) -> Any:
        beside = [(Path(name), more.get(name, kept)) for name, kept in tables.items()]
        return verify_pit_lines(Path("pit"), lines, beside)

    assert judged(pit).is_clean

    def a_cent_less(entry: dict[str, Any]) -> None:
        entry["command"]["added"]["star"] -= 1
        entry["events"][0]["shown"]["star"] -= 1

    verdict = judged(resealed(pit, a_cent_less))
    assert verdict.divergence is None
    (finding,) = verdict.findings
    assert finding.table == T2
    assert "star added $0.14, by the table's record $0.15" in finding.message
    assert verdict.meters[LINK]["star"] == STAR + 30
    # An entry of the pit that is not there, and one that no table's record bears out.
    (finding,) = judged(pit[:-1]).findings
    assert "no entry of the pit took over" in finding.message

    def of_another_entry(entry: dict[str, Any]) -> None:
        entry["command"]["entry"] -= 1

    told = [one.message for one in judged(resealed(pit, of_another_entry)).findings]
    assert any("no entry of the pit took over" in one for one in told)
    assert any("it did not move the meters" in one for one in told)
    # The pit's own record does not allow what was not read.

    def not_read(entry: dict[str, Any]) -> None:
        entry["command"]["read"]["star"] += 1

    verdict = judged(resealed(pit, not_read))
    assert (verdict.divergence.kind, "did not read" in verdict.divergence.message) == (
        "refused", True,
    )  # fmt: skip
    # A table that read what no entry of the pit says.
    key = f'"key":"pit-{floor.seen["seq"] - 1}-meters"'.encode()
    (at,) = [number for number, line in enumerate(tables[T2]) if key in line]

    def read_more(entry: dict[str, Any]) -> None:
        entry["command"]["shown"]["star"] += 1
        entry["events"][0]["shown"]["star"] += 1

    cut = resealed(tables[T2][: at + 1], read_more)
    (finding,) = judged(pit, **{T2: cut}).findings
    assert "it read other meters" in finding.message


# --- a commitment stands at one table of a pit ---


def _commits(floor: Floor, table: str) -> object:
    again = commands.CommitMystery("c" * 64)

    def commit(session: Dealt) -> object:
        floor.opened(session, again.commitment)
        return session.state[Progressive].commitment

    return floor.at(table, commit)


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.clause("MA-MINI:12(j)#1")
def test_a_commitment_stands_at_one_table_of_a_pit(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(open_store(place), clock=Clock()) as house:
        floor = Floor(house, house.service.clock)  # type: ignore[arg-type]
        for name in (T1, T2):
            floor.makes_royal(name)
        assert _commits(floor, T1) == "c" * 64
        with pytest.raises(RefusedError, match=f"stood before at table {T1}") as refused:
            _commits(floor, T2)
        assert refused.value.refusal.clauses == ("MA-MINI:12(j)#1", "MA-MINI:12(j)#2", "C156")
        assert floor.verified().is_clean
        # A service that did not look would be found out by whoever verifies its records.
        monkeypatch.setattr("croupier.server.desks.pit_desk.used_at_another", lambda *_: None)
        floor.at(T2, lambda one: one.execute(commands.CommitMystery("c" * 64)))
        (finding,) = floor.verified().findings
        assert (finding.table, "is one of table" in finding.message) == (T2, True)
