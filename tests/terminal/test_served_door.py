"""A table of a real service at a terminal: each office, and connections that are cut."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.cli.tables.sitting.served import NoServedTableError, ServedDoor, served_table
from croupier.cli.tables.sitting.sitting import Reply
from croupier.server.run import Address
from croupier.verify.log import verify_lines
from support.relay import Relay, behind, relayed
from support.served import Served, served
from support.tables import make_table
from support.windows import ready

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "MB-101"
PLACE: Final = {"type": "PlaceWager", "seat": 1, "wager": "banker", "cents": 10_000}
CALL: Final = {"type": "CallNoMoreBets"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with ready(tmp_path) as one:
        yield one


@pytest.fixture
def relay() -> Iterator[Relay]:
    with relayed() as one:
        yield one


def until(done: Callable[[], Any], seconds: float = 15.0) -> Any:
    """Wait until something is so, and return what it is."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if found := done():
            return found
        time.sleep(0.02)
    raise AssertionError("it never came")


def sequence(house: Served) -> int:
    return int(house.service.tables[T].desk.durable.sequence)


def commands(house: Served, kind: str) -> int:
    """Return how many commands of a kind are in the record."""
    lines = house.service.store.lines(T, 0, sequence(house))
    return sum(f'"command":{{"type":"{kind}"'.encode() in line for line in lines)


def test_a_dealer_is_offered_what_the_service_says_and_nothing_else(house: Served) -> None:
    dealer = house.person("dealer", id="d2")
    with served_table(house.place, dealer.token) as door:
        assert (door.person, door.office, door.name, door.cards) == (
            "dealer",
            "dealer",
            T,
            "dealer",
        )
        offered = [(one["command"], one["seat"], one["words"]) for one in door.look().acts]
        listed = dealer.sees(f"/v1/tables/{T}/legal")["acts"]
        assert offered == [(one["command"], one["seat"], one["words"]) for one in listed]
        assert {one["command"] for one in listed} >= {"PlaceWager", "CallNoMoreBets"}


@pytest.mark.clause("NJ-MINI:7.2(d)")
def test_a_refusal_has_its_clause_and_what_it_says(house: Served) -> None:
    with (
        served_table(house.place, house.token("dealer", id="d2")) as dealer,
        served_table(house.place, house.token("patron", "Patron 1", seat=1, tables=(T,))) as patron,
    ):
        assert {one["seat"] for one in patron.look().acts} <= {None, 1}
        assert patron.do(PLACE) is None
        assert dealer.do(CALL) is None
        refused = patron.do({**PLACE, "wager": "tie"})
        assert refused is not None
        assert refused.refused
        assert refused.clauses == ["NJ-MINI:7.2(d)"]
        assert "No More Bets" in patron.says("NJ-MINI:7.2(d)")
        # What a clause of an act says comes with the table.
        act = next(one for one in dealer.look().acts if one["command"] == "DrawCard")
        assert all(dealer.says(one) for one in act["clauses"])


def test_an_act_for_two_waits_and_says_so_on_both_sides(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        make_table(house)
        with (
            served_table(house.place, house.token("dealer", "Dana")) as dealer,
            served_table(house.place, house.token("floorperson", "Flo")) as floor,
        ):
            (act,) = [one for one in floor.look().acts if one["command"] == "OpenTable"]
            fields = {one["name"]: one["default"] for one in act["fields"]}
            assert (fields["floorperson"], fields["dealer"]) == ("Flo", "dealer")
            given = floor.do({"type": "OpenTable", **fields, "dealer": "Dana"})
            assert given == Reply("It waits for the consent of the dealer.", refused=False)
            # Nothing was entered, so no event came: the dealer's terminal looks by itself.
            (waits,) = until(lambda: dealer.look().consents)
            assert waits["by"] == [{"person": "Flo", "office": "floorperson"}]
            assert dealer.consent(waits["id"], given=True) is None
        assert sequence(house) == 1


def test_who_only_watches_has_no_act_and_every_entry_once(house: Served) -> None:
    with (
        served_table(house.place, house.token("board")) as board,
        served_table(house.place, house.token("surveillance")) as watcher,
        served_table(house.place, house.token("dealer", id="d2")) as dealer,
    ):
        assert [*board.look().acts] == []
        begun = sequence(house)
        heard: list[int] = []
        dealer.do(PLACE)
        dealer.do(CALL)

        def both() -> bool:
            heard.extend(one["seq"] for one in watcher.news())
            return bool(heard) and heard[-1] == begun + 2

        until(both)
        assert heard == [*range(heard[0], begun + 3)]
        assert watcher.look().seen["seq"] == begun + 2


def relayed_door(relay: Relay, house: Served) -> ServedDoor:
    token = house.token("dealer", id="relayed")
    return served_table(f"http://127.0.0.1:{relay.port}", token)


def test_what_arrived_and_was_not_answered_is_done_once(tmp_path: Path, relay: Relay) -> None:
    with behind(relay, tmp_path) as house, relayed_door(relay, house) as door:
        begun = sequence(house)
        until(lambda: begun in [one["seq"] for one in door.news()])
        relay.lose_answers()
        unsure = door.do(PLACE)
        assert unsure is not None
        assert not unsure.refused
        assert unsure.message.startswith("It was sent and not answered.")
        assert not door.connection.is_live
        assert "nothing is sent" in door.connection.words
        # It did arrive; meanwhile nothing else is taken.
        until(lambda: sequence(house) == begun + 1)
        refused = door.do(CALL)
        assert refused is not None
        assert refused.message.startswith("No connection for ")
        relay.mend()
        assert until(door.outcome) == Reply("It is done, once.", refused=False)
        assert until(lambda: door.connection.is_live)
        assert (sequence(house), commands(house, "PlaceWager")) == (begun + 1, 1)
        assert door.look().seen["seq"] == begun + 1
        assert [one["seq"] for one in until(door.news)] == [begun + 1]
        assert door.news() == []


@contextmanager
def unheard(tmp_path: Path, relay: Relay) -> Iterator[tuple[Served, ServedDoor, int]]:
    """Place a wager that does not arrive at the table, which stands at an entry."""
    with behind(relay, tmp_path) as house, relayed_door(relay, house) as door:
        begun = sequence(house)
        relay.lose_requests()
        assert door.do(PLACE) is not None
        assert sequence(house) == begun
        yield house, door, begun


def test_what_did_not_arrive_is_done_where_the_table_stands_as_it_did(
    tmp_path: Path, relay: Relay
) -> None:
    with unheard(tmp_path, relay) as (house, door, begun):
        relay.mend()
        assert until(door.outcome) == Reply("It is done, once.", refused=False)
        assert (sequence(house), commands(house, "PlaceWager")) == (begun + 1, 1)


def test_what_did_not_arrive_is_not_done_where_the_table_has_moved_on(
    tmp_path: Path, relay: Relay
) -> None:
    with unheard(tmp_path, relay) as (house, door, begun):
        other = house.person("dealer", id="other")
        assert other.does(T, CALL).status_code == 200
        relay.mend()
        said = until(door.outcome)
        assert said.refused
        assert said.message.endswith("the table has moved on: nothing was done")
        assert (sequence(house), commands(house, "PlaceWager")) == (begun + 1, 0)
        heard: list[int] = []

        def all_heard() -> bool:
            heard.extend(one["seq"] for one in door.news())
            return begun + 1 in heard

        until(all_heard)
        assert heard == [*range(heard[0], begun + 2)]


def test_a_restart_is_caught_up_with(tmp_path: Path) -> None:
    with ready(tmp_path) as house:
        port = int(house.place.rpartition(":")[2])
        token = house.token("dealer", id="d2")
        door = served_table(house.place, token)
        first = sequence(house)
        until(lambda: first in [one["seq"] for one in door.news()])
    with door:
        assert until(lambda: not door.connection.is_live)
        with served(tmp_path / "pit.sqlite", address=Address(port=port)) as house:
            other = house.person("dealer", id="d4")
            assert other.does(T, PLACE).status_code == 200
            assert until(lambda: door.connection.is_live)
            assert [one["seq"] for one in until(door.news)] == [first + 1]
            assert door.do(CALL) is None
            lines = house.service.store.lines(T, 0, sequence(house))
            assert verify_lines(Path("log"), lines).is_clean


def test_a_grant_that_is_revoked_ends_it(house: Served) -> None:
    with served_table(house.place, house.token("dealer", id="ends")) as door:
        house.do(house.service.grants.revoke(("ends",), house.service.now()))
        door._looked_at = 0.0  # noqa: SLF001  (as a few seconds later)
        door.look()
        assert door.connection.is_over
        assert "ask for a new link" in door.connection.words
        refused = door.do(CALL)
        assert refused is not None
        assert refused.refused


def test_a_table_that_cannot_be_had_says_why(house: Served) -> None:
    token = house.token("dealer", id="d2")
    with pytest.raises(NoServedTableError, match="table 'X' is none of yours; yours are: MB-101"):
        served_table(house.place, token, table="X")
    with pytest.raises(NoServedTableError, match="token that is neither over nor revoked"):
        served_table(house.place, "wrong")
    with pytest.raises(NoServedTableError, match="no service answers"):
        served_table("http://127.0.0.1:1", token)
