"""19:47-3.4: opening a table: cards received, inspected, verified, spread, washed."""

from datetime import date

import pytest

from croupier import acts as commands
from croupier.acts import (
    CardsInspected,
    CardsReceived,
    CardsRejected,
    CardsSpread,
    CardsVerified,
    CardsWashed,
    CutOffered,
    SpreadViewed,
)
from croupier.records.narration import narrate
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance, plainest
from support.punto_banco import rules_of
from support.table import due, only, refused, steps_of

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")


def table(*seats: int, preshuffled: bool = False, received: bool = True) -> TableSession:
    """An open table that has received eight decks, with patrons in some seats."""
    session = TableSession(rules_of())
    session.execute(commands.OpenTable(100_000_000, "Dana", "Flo", date(2011, 2, 22)))
    for seat in seats:
        session.execute(commands.SeatPatron(seat, f"Patron {seat}"))
    if received:
        session.execute(commands.ReceiveCards(8, preshuffled))
    return session


@pytest.mark.clause("NJ-PB:3.4(a)")
def test_cards_that_are_not_pre_shuffled_take_the_whole_way() -> None:
    session = table(1, received=False)
    received = only(session.execute(commands.ReceiveCards(8)), CardsReceived)
    assert (received.decks, received.clauses) == (8, ("NJ-PB:3.4(a)",))
    acts = []
    while session.state.phase is not Phase.TO_CUT:
        command = plainest(session)
        session.execute(command)
        acts.append(type(command).__name__)
    assert acts == [
        "InspectCards", "VerifyCards", "SpreadCards", "ViewSpread", "WashCards", "ShuffleCards",
        "LaceStack",
    ]  # fmt: skip


@pytest.mark.clause("NJ-PB:3.4(a)", "NJ-PB:3.5(a)")
def test_pre_shuffled_cards_go_from_the_verification_straight_to_the_cut() -> None:
    session = table(1, 4, preshuffled=True)
    assert due(session) == {commands.VerifyCards}
    refused(session, commands.InspectCards(), "not_now")
    verified, offered = session.execute(commands.VerifyCards("Flo"))
    assert isinstance(verified, CardsVerified)
    assert verified.clauses == ("NJ-PB:3.4(a)",)
    assert isinstance(offered, CutOffered)
    assert refused(session, commands.ShuffleCards(), "not_now").clauses == ()


@pytest.mark.clause("NJ-PB:3.4(a)")
@pytest.mark.parametrize("decks", [5, 6, 7, 9])
def test_the_table_receives_no_other_number_of_decks_than_its_own(decks: int) -> None:
    refusal = refused(table(1, received=False), commands.ReceiveCards(decks), "decks")
    assert refusal.clauses == (("NJ-PB:3.1(a)#1",) if decks == 5 else ())


@pytest.mark.clause("NJ-PB:3.4(b)#1")
def test_the_dealer_inspects_the_cards_and_the_floorperson_verifies_them() -> None:
    session = table(1)
    early = refused(session, commands.VerifyCards("Flo"), "not_now")
    assert early.clauses == ("NJ-PB:3.4(b)#1",)
    inspected = only(session.execute(commands.InspectCards()), CardsInspected)
    assert inspected.clauses == ("NJ-PB:3.4(b)#1",)
    (action,) = steps_of(session)
    assert (action.command, action.who) == (commands.VerifyCards, "floorperson")
    assert refused(session, commands.VerifyCards(""), "nobody").clauses == ("NJ-PB:3.4(b)#1",)
    verified = only(session.execute(commands.VerifyCards("Flo")), CardsVerified)
    assert (verified.floorperson, verified.clauses) == ("Flo", ("NJ-PB:3.4(b)#1",))


@pytest.mark.clause("NJ-PB:3.4(b)#1")
def test_cards_that_the_floorperson_rejects_are_replaced_by_others() -> None:
    session = table(1)
    session.execute(commands.InspectCards())
    rejected = only(session.execute(commands.VerifyCards("Flo", accepted=False)), CardsRejected)
    assert rejected.clauses == ("NJ-PB:3.4(b)#1",)
    assert due(session) == {commands.ReceiveCards}


@pytest.mark.clause("NJ-PB:3.4(b)#1", "NJ-PB:3.4(b)#2", "NJ-PB:3.4(b)#3")
def test_the_cards_are_spread_face_up_only_after_inspection_and_verification() -> None:
    session = table(1)
    for command in (commands.InspectCards(), commands.VerifyCards("Flo")):
        refused(session, commands.SpreadCards(), "not_now")
        session.execute(command)
    assert due(session) == {commands.SpreadCards}
    spread = only(session.execute(commands.SpreadCards()), CardsSpread)
    assert (spread.decks, spread.clauses) == (8, ("NJ-PB:3.4(b)#2", "NJ-PB:3.4(b)#3"))
    assert spread.laid_out == "columns"
    (told,) = narrate((spread,), {})
    assert told.text == "8 decks are spread face up, in columns by deck, suit and sequence"


@pytest.mark.clause("NJ-PB:3.4(b)#2")
def test_the_first_participant_to_arrive_looks_at_the_spread_before_it_is_turned_down() -> None:
    session = table()
    advance(session, Phase.SPREAD_UP)
    assert steps_of(session) == ()
    refused(session, commands.WashCards(), "not_now")
    assert refused(session, commands.ViewSpread(5), "seat_empty").clauses == ()
    session.execute(commands.SeatPatron(5, "Patron 5"))
    assert [(one.command, one.seat, one.must) for one in steps_of(session)] == [
        (commands.ViewSpread, 5, True),
        (commands.PassOver, 5, False),
    ]
    viewed = only(session.execute(commands.ViewSpread(5)), SpreadViewed)
    assert "NJ-PB:3.4(b)#2" in viewed.clauses


@pytest.mark.clause("NJ-PB:3.4(c)")
def test_the_cards_are_washed_and_stacked_after_the_inspection_and_before_the_shuffle() -> None:
    session = table(1)
    advance(session, Phase.VIEWED)
    refused(session, commands.ShuffleCards(), "not_now")
    assert refused(session, commands.StackCards(), "wash").clauses == ("NJ-PB:3.4(c)",)
    washed = only(session.execute(commands.WashCards()), CardsWashed)
    assert (washed.for_device, washed.clauses) == (False, ("NJ-PB:3.4(c)",))
    assert due(session) == {commands.ShuffleCards}
