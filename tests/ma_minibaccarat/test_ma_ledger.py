"""What holds at every table of this text whatever is wagered and whatever goes wrong: the money.

Whole shoes are dealt by the autopilot with every wager that a table can have side by side, and the
books are held against the state after each act, and made again from the record.
"""

from __future__ import annotations

from datetime import date
from itertools import product
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    AwardPaid,
    ChipsBought,
    Event,
    MeterReset,
    MetersAdvanced,
    PayoutAdded,
    RoundVoided,
    StakesKept,
    StaxWon,
    TableOpened,
    WagerPaid,
)
from croupier.money import ledger
from croupier.money.ledger import Ledger
from croupier.rules import TableLayout, TableRules
from croupier.scenarios.autopilot import Autopilot
from croupier.table import evolve, new_table
from croupier.table.cards.chance import Chance
from croupier.table.machine.bookkeeping import booked
from croupier.table.machine.session import TableSession
from croupier.table.parts.progressive import Progressive
from croupier.table.people.duty import Duty
from support.massachusetts import EZ, HOUSE_MONEY, ROYAL_9, STAX, rules_of
from support.table import every, only
from support.volume import spread

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

# Meters that are small, and a Stax that is hit often: every award is paid within some shoes.
SMALL: Final[dict[str, Any]] = {
    **STAX,
    "wagers__royal_9__stax__seed": "2.00",
    "wagers__royal_9__stax__must_hit_by": "4.00",
    "wagers__royal_9__meters__star__increment": "20%",
}
MUST_HIT_BY: Final = 400
BONUS: Final[dict[str, Any]] = {"wagers__bonus__offered": True, "wagers__bonus__paytable": "C"}
SIX_CLOCKWISE: Final = TableLayout(seats=6, numbering="clockwise")

TABLES: Final[dict[str, TableRules]] = {
    "all of it, deferred and rounded": rules_of(
        **SMALL, **HOUSE_MONEY, **BONUS,
        vigorish__rounded=True, vigorish__collection="deferred",
    ),
    "to one, a third added, completed, clockwise": rules_of(
        SIX_CLOCKWISE, readings={"T32": "complete"}, **SMALL, **HOUSE_MONEY,
        wagers__royal_9__award_is="to-one", wagers__house_money__portion="1/3",
        irregularity__disclosed_card="simulated-round",
    ),
    "EZ baccarat": rules_of(**EZ, **SMALL, **HOUSE_MONEY, **BONUS),
    "two batches, no Stax": rules_of(
        **ROYAL_9, **HOUSE_MONEY, device="shuffler", decks=16,
        wagers__house_money__portion="10%", vigorish__collection="deferred",
    ),
}  # fmt: skip


class Watched:
    """A session whose books are held against its state after every act, with its whole record."""

    def __init__(self, rules: TableRules) -> None:
        self.session = TableSession(rules, self.hear)
        self.record: list[Event] = []

    def hear(self, command: acts.Command, events: tuple[Event, ...]) -> None:
        self.record += events
        books, state = self.session.ledger, self.session.state
        assert books.in_balance, command
        on_layout = dict.fromkeys(state.seats, 0)
        for (seat, _), stake in state.stakes.items():
            on_layout[seat] += stake.cents
        chips = books.balance(ledger.CAGE) + books.balance(ledger.INVENTORY)
        for seat, patron in state.seats.items():
            assert patron.chips_cents >= 0
            assert books.balance(ledger.patron(seat)) == patron.chips_cents
            assert books.balance(ledger.layout(seat)) == on_layout[seat]
            assert books.balance(ledger.owed(seat)) == patron.owed_cents
            chips += patron.chips_cents + on_layout[seat]
        # Chips are neither made nor lost: what is anywhere came from the cage.
        assert chips == 0
        # What a meter shows stands behind it, and came from seeds and shares.
        kept = state[Progressive]
        assert {m: books.balance(ledger.meter(m)) for m in kept.meters} == dict(kept.meters)
        assert books.balance(ledger.RESERVE) == kept.reserve_cents
        funded = -books.balance(ledger.SEED_FUNDING) - books.balance(ledger.CONTRIBUTIONS)
        assert funded == ledger.meters_of(books.balances) + books.balance(ledger.AWARDED)

    @property
    def bought(self) -> int:
        return sum(one.cents for one in every(self.record, ChipsBought))


def dealt(rules: TableRules, seed: int, dealer_errors: int, shoes: int) -> Watched:
    watched = Watched(rules)
    pilot = Autopilot(watched.session, Chance(seed=seed), dealer_errors=dealer_errors)
    pilot.open(gaming_date=date(2026, 11, 20))
    for _ in range(shoes):
        pilot.play_shoe()
    return watched


@pytest.mark.clause(
    "MA-MINI:8(c)(3)(i)#1", "MA-MINI:8(c)(3)(i)a#2", "MA-MINI:12(i)_Table_1#1",
    "MA-MINI:12(j)#1", "MA-MINI:13(e)#1",
)  # fmt: skip
@pytest.mark.parametrize(("name", "dealer_errors"), spread(product(TABLES, [0, 40]), 4))
def test_with_royal_9_and_house_money_the_books_agree_with_the_table_after_every_act(
    name: str, dealer_errors: int
) -> None:
    watched = dealt(TABLES[name], seed=7, dealer_errors=dealer_errors, shoes=3)
    record, session = watched.record, watched.session
    # All that is wanted of this test happened in it.
    assert every(record, AwardPaid)
    assert any(one.wager == "house_money" for one in every(record, WagerPaid))
    assert every(record, PayoutAdded)
    if "no Stax" not in name:
        assert every(record, StaxWon)
    assert bool(every(record, StakesKept)) is ("to one" not in name)
    in_the_middle = [one for one in every(record, RoundVoided) if not one.reshuffle]
    assert bool(in_the_middle) is (dealer_errors > 0 and "completed" not in name)
    # The table has won what patrons bought and have no longer.
    state = session.state
    out = sum(patron.chips_cents for patron in state.seats.values())
    out += sum(stake.cents for stake in state.stakes.values())
    assert session.ledger.table_win_cents == watched.bought - out


@pytest.mark.parametrize("name", TABLES)
def test_state_and_books_come_out_of_the_record_again(name: str) -> None:
    watched = dealt(TABLES[name], seed=3, dealer_errors=25, shoes=1)
    state, books = new_table(TABLES[name]), Ledger()
    for event in watched.record:
        state = evolve(state, event)
        books = booked(books, (event,))
    # Who gave a command stands beside the events of its entry, not in them.
    watched_state = watched.session.state
    by_others = {Duty: replace(state[Duty], did=watched_state[Duty].did)}
    assert replace(state, slices={**state.slices, **by_others}) == watched_state
    assert books.balances == watched.session.ledger.balances
    assert books.table_win_cents == watched.session.ledger.table_win_cents


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1", "MA-MINI:12(j)#1")
@pytest.mark.parametrize("name", TABLES)
def test_the_meters_are_their_seeds_with_every_wager_since_they_were_paid(name: str) -> None:
    rules = TABLES[name]
    watched = dealt(rules, seed=5, dealer_errors=25, shoes=2)
    # Of five dollars: so many cents to each meter, as the elections above and the plain ones have.
    star = 15 if "two batches" in name else 100
    shares = {"star": star, "spade": 10, "heart": 10, "stax": 5}
    shown, reserve = dict(rules.meter_seeds), 0
    for event in watched.record:
        match event:
            case MetersAdvanced():
                shown = {m: cents + shares[m] * len(event.seats) for m, cents in shown.items()}
                # Stax goes no further than the amount by which it is hit.
                beyond = max(0, shown.get("stax", 0) - MUST_HIT_BY)
                if beyond:
                    shown["stax"], reserve = MUST_HIT_BY, reserve + beyond
                assert (dict(event.meters), event.reserved_cents) == (shown, beyond)
            case AwardPaid() if event.meter is not None:
                assert event.cents == shown[event.meter]
            case MeterReset():
                shown[event.meter] = rules.meter_seeds[event.meter]
                if event.meter == "stax":
                    shown["stax"], reserve = shown["stax"] + reserve, 0
                assert event.cents == shown[event.meter]
            case _:
                pass
    assert dict(watched.session.state[Progressive].meters) == shown


@pytest.mark.clause("MA-MINI:11(b)#2")
def test_every_event_of_a_shoe_names_a_clause_of_this_text_and_each_once() -> None:
    """Seats, chips, the opening and the closing are no clause's business, and C23 and C102 are the meters'."""
    bare = {"TableOpened", "PatronSeated", "ChipsBought", "PatronLeft"}
    for name, rules in TABLES.items():
        known = {*rules.law.clauses, "C23", "C102", "T16"}
        for event in dealt(rules, seed=1, dealer_errors=40, shoes=1).record:
            kind = type(event).__name__
            if kind not in bare and (kind, event.clauses) != ("StakesReleased", ()):
                assert event.clauses, (name, event)
            assert set(event.clauses) <= known
            assert len(set(event.clauses)) == len(event.clauses), (name, event)


def test_a_table_opens_with_its_inventory_and_closes_with_everybody_paid() -> None:
    rules = TABLES["all of it, deferred and rounded"]
    watched = dealt(rules, seed=2, dealer_errors=0, shoes=1)
    inventory = only(watched.record, TableOpened).inventory_cents
    for seat in tuple(watched.session.state.seats):
        watched.session.execute(acts.LeaveTable(seat))
    watched.session.execute(acts.CloseTable())
    books = watched.session.ledger
    # What left the rack went to the cage in patrons' hands.
    assert books.balance(ledger.INVENTORY) == -books.balance(ledger.CAGE)
    assert books.table_win_cents == books.balance(ledger.INVENTORY) + watched.bought - inventory
