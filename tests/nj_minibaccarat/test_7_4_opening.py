"""19:47-7.4: opening a table: cards received, inspected, spread for the patrons, washed."""

from datetime import date
from typing import Any

import pytest

from croupier import acts as commands
from croupier.acts import (
    BatchesExchanged,
    CardsInspected,
    CardsReceived,
    CardsSpread,
    CardsStacked,
    CardsVerified,
    CardsWashed,
    CutOffered,
    SpreadViewed,
)
from croupier.baccarat.cards import DECK, Rank
from croupier.records.narration import narrate
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance, plainest
from support.table import due, only, refused, rules_of, steps_of

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


def table(*seats: int, **elections: Any) -> TableSession:
    """An open table that waits for its cards, with patrons in some seats."""
    session = TableSession(rules_of(**elections))
    session.execute(commands.OpenTable(100_000_000, "Dana", "Flo", date(2011, 2, 22)))
    for seat in seats:
        session.execute(commands.SeatPatron(seat, f"Patron {seat}"))
    return session


def receive(session: TableSession, *, preshuffled: bool = False) -> CardsReceived:
    decks = session.rules.value("decks", int)
    return only(session.execute(commands.ReceiveCards(decks, preshuffled)), CardsReceived)


def opening(session: TableSession, until: Phase) -> list[str]:
    """Do what is due until the table is in that phase; return the names of the acts."""
    acts = []
    while session.state.phase is not until:
        command = plainest(session)
        session.execute(command)
        acts.append(type(command).__name__)
    return acts


# --- (a) receipt -------------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.4(a)")
def test_cards_that_are_not_pre_shuffled_are_inspected_spread_washed_and_shuffled() -> None:
    session = table(1)
    received = receive(session)
    assert (received.decks, received.preshuffled) == (8, False)
    assert "NJ-MINI:7.4(a)" in received.clauses
    assert opening(session, Phase.TO_CUT) == [
        "InspectCards",
        "VerifyCards",
        "SpreadCards",
        "ViewSpread",
        "WashCards",
        "ShuffleCards",
        "LaceStack",
    ]


@pytest.mark.clause("NJ-MINI:7.4(a)", "NJ-MINI:7.5(a)")
def test_pre_shuffled_cards_go_from_the_verification_straight_to_the_cut() -> None:
    session = table(1, 4)
    assert receive(session, preshuffled=True).preshuffled
    assert due(session) == {commands.VerifyCards}
    refused(session, commands.InspectCards(), "not_now")
    verified, offered = session.execute(commands.VerifyCards("Flo"))
    assert isinstance(verified, CardsVerified)
    assert verified.clauses == ("NJ-MINI:7.4(a)",)
    assert isinstance(offered, CutOffered)
    assert offered.seat == 4
    refused(session, commands.SpreadCards(), "not_now")
    assert refused(session, commands.ShuffleCards(), "not_now").clauses == ()


@pytest.mark.clause("NJ-MINI:7.4(a)")
def test_of_pre_shuffled_batches_one_is_stored_in_the_device_and_the_other_is_cut() -> None:
    session = table(1, device="shuffler", decks=16)
    receive(session, preshuffled=True)
    events = session.execute(commands.VerifyCards("Flo"))
    stored = only(events, BatchesExchanged)
    assert (stored.into_device, stored.out_of_device) == (2, None)
    assert only(events, CutOffered).seat == 1
    advance(session, Phase.BETTING)
    assert (session.state.shoe.batch, session.state.in_device) == (1, 2)


@pytest.mark.clause("NJ-MINI:7.4(a)")
def test_pre_shuffled_cards_for_a_continuous_device_go_into_it() -> None:
    session = table(1, device="continuous", device__approval="on file")
    receive(session, preshuffled=True)
    session.execute(commands.VerifyCards("Flo"))
    assert due(session) == {commands.LoadShoe}


@pytest.mark.clause("NJ-MINI:7.4(a)")
@pytest.mark.parametrize("decks", [5, 6, 7, 9])
def test_the_table_receives_no_other_number_of_decks_than_its_own(decks: int) -> None:
    refusal = refused(table(1), commands.ReceiveCards(decks), "decks")
    # The text has a least number of decks; any other is only not what the licensee elected.
    assert refusal.clauses == (("NJ-MINI:7.1(a)#1",) if decks == 5 else ())


@pytest.mark.clause("NJ-MINI:7.4(a)")
def test_the_decks_come_to_the_table_once() -> None:
    session = table(1)
    receive(session)
    refusal = refused(session, commands.ReceiveCards(8), "not_now")
    assert refusal.clauses == ()


# --- (b) inspection and the spread -------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.4(b)#1")
@pytest.mark.parametrize("floorperson", ["Flo", "Fay"])
def test_the_floorperson_verifies_after_the_dealer_has_inspected(floorperson: str) -> None:
    session = table(1)
    receive(session)
    refusal = refused(session, commands.VerifyCards("Flo"), "not_now")
    assert refusal.clauses == ("NJ-MINI:7.4(b)#1",)
    inspected = only(session.execute(commands.InspectCards()), CardsInspected)
    assert inspected.clauses == ("NJ-MINI:7.4(b)#1",)
    (action,) = steps_of(session)
    assert (action.command, action.who) == (commands.VerifyCards, "floorperson")
    if floorperson != "Flo":
        assert refused(session, commands.VerifyCards(floorperson), "not_on_duty").clauses == (
            "NJ-MINI:7.4(b)#1",
        )
        session.execute(commands.RelieveFloorperson(floorperson, "the shift ends"))
        refused(session, commands.VerifyCards("Flo"), "not_on_duty")
    verified = only(session.execute(commands.VerifyCards(floorperson)), CardsVerified)
    assert (verified.floorperson, verified.clauses) == (floorperson, ("NJ-MINI:7.4(b)#1",))


@pytest.mark.clause("NJ-MINI:7.4(b)#1", "NJ-MINI:7.4(b)#2")
def test_the_cards_are_spread_only_after_inspection_and_verification() -> None:
    session = table(1)
    receive(session)
    for command in (commands.InspectCards(), commands.VerifyCards("Flo")):
        refusal = refused(session, commands.SpreadCards(), "not_now")
        assert refusal.clauses == ("NJ-MINI:7.4(b)#1",)
        session.execute(command)
    assert due(session) == {commands.SpreadCards}
    session.execute(commands.SpreadCards())


@pytest.mark.clause("NJ-MINI:7.4(b)#2")
def test_a_participant_looks_at_the_spread_before_it_is_turned_down() -> None:
    session = table(3)
    receive(session)
    advance(session, Phase.SPREAD_UP)
    refused(session, commands.WashCards(), "not_now")
    assert refused(session, commands.ViewSpread(1), "seat_empty").clauses == ()
    viewed = only(session.execute(commands.ViewSpread(3)), SpreadViewed)
    assert viewed.seat == 3
    assert "NJ-MINI:7.4(b)#2" in viewed.clauses
    assert due(session) == {commands.WashCards}


@pytest.mark.clause("NJ-MINI:7.4(b)#2")
def test_the_spread_waits_for_the_first_participant_to_arrive() -> None:
    session = table()
    receive(session)
    advance(session, Phase.SPREAD_UP)
    assert steps_of(session) == ()
    session.execute(commands.SeatPatron(5, "Patron 5"))
    assert [(one.command, one.seat, one.must) for one in steps_of(session)] == [
        (commands.ViewSpread, 5, True),
        (commands.PassOver, 5, False),
    ]


@pytest.mark.clause("NJ-MINI:7.4(b)#3")
def test_the_whole_shoe_is_spread_in_rows_by_deck() -> None:
    session = table(1, decks=6)
    receive(session)
    advance(session, Phase.TO_SPREAD)
    spread = only(session.execute(commands.SpreadCards()), CardsSpread)
    assert (spread.batch, spread.decks) == (1, 6)
    assert {"NJ-MINI:7.4(b)#2", "NJ-MINI:7.4(b)#3"} <= set(spread.clauses)
    (told,) = narrate((spread,), {})
    assert told.text == "6 decks are spread face up, in horizontal rows by deck, suit and sequence"


def test_a_deck_lies_suit_by_suit_and_in_sequence_within_the_suit() -> None:
    rows = [DECK[start : start + 13] for start in range(0, 52, 13)]
    assert [len({card.suit for card in row}) for row in rows] == [1, 1, 1, 1]
    assert len({row[0].suit for row in rows}) == 4
    assert all(
        [card.rank for card in row] == [Rank(letter) for letter in "A23456789TJQK"] for row in rows
    )


# --- (c) the wash ------------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.4(c)")
def test_the_cards_are_washed_and_stacked_before_the_shuffle() -> None:
    session = table(1)
    receive(session)
    advance(session, Phase.VIEWED)
    refused(session, commands.ShuffleCards(), "not_now")
    assert "NJ-MINI:7.4(c)" in refused(session, commands.StackCards(), "wash").clauses
    washed = only(session.execute(commands.WashCards()), CardsWashed)
    assert (washed.for_device, washed.clauses) == (False, ("NJ-MINI:7.4(c)",))
    assert due(session) == {commands.ShuffleCards}


# --- (d) two batches ---------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.4(d)")
def test_with_a_shuffler_each_batch_is_spread_viewed_and_stacked_by_itself() -> None:
    session = table(1, device="shuffler", decks=16)
    receive(session)
    advance(session, Phase.TO_SPREAD)
    for batch in (1, 2):
        refused(session, commands.ExchangeBatches(), "not_now")
        spread = only(session.execute(commands.SpreadCards()), CardsSpread)
        assert (spread.batch, spread.decks) == (batch, 8)
        assert "NJ-MINI:7.4(d)" in spread.clauses
        refused(session, commands.StackCards(), "not_now")
        session.execute(commands.ViewSpread(1))
        stacked = only(session.execute(commands.StackCards()), CardsStacked)
        assert (stacked.batch, stacked.clauses) == (batch, ("NJ-MINI:7.4(d)",))
    assert due(session) == {commands.ExchangeBatches}


@pytest.mark.clause("NJ-MINI:7.4(d)")
def test_a_batch_that_goes_into_a_shuffler_is_not_washed() -> None:
    session = table(1, device="shuffler", decks=16)
    receive(session)
    advance(session, Phase.VIEWED)
    assert due(session) == {commands.StackCards}
    assert "NJ-MINI:7.4(d)" in refused(session, commands.WashCards(), "no_wash").clauses
