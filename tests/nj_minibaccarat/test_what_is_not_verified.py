"""Cards and mixes that the floorperson does not find in order, and papers of a day that is not over."""

from datetime import date

import pytest

from croupier import acts
from croupier.acts import CardsRejected, FormsCompared, MixFoundUneven
from croupier.baccarat.cards import Card
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.table import form, open_table, owing, refused, rules_of

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


@pytest.mark.clause("NJ-MINI:7.4(b)#1")
def test_cards_that_the_floorperson_rejects_are_replaced() -> None:
    session = TableSession(rules_of())
    session.execute(acts.OpenTable(100_000, "Dana", "Flo", date(2011, 2, 22)))
    session.execute(acts.ReceiveCards(8))
    session.execute(acts.InspectCards())
    (event,) = session.execute(acts.VerifyCards("Flo", accepted=False))
    assert event == CardsRejected("Flo", ("NJ-MINI:7.4(b)#1",))
    session.execute(acts.ReceiveCards(8))
    assert session.state.phase is Phase.RECEIVED


@pytest.mark.clause("NJ-MINI:7.4(b)#1")
def test_nobody_verifies_without_a_name() -> None:
    session = TableSession(rules_of())
    session.execute(acts.OpenTable(100_000, "Dana", "Flo", date(2011, 2, 22)))
    session.execute(acts.ReceiveCards(8))
    session.execute(acts.InspectCards())
    refusal = refused(session, acts.VerifyCards(""), "nobody")
    assert refusal.clauses == ("NJ-MINI:7.4(b)#1",)


def test_nobody_opens_a_table_or_sits_down_at_it_without_a_name() -> None:
    session = TableSession(rules_of())
    for dealer, floorperson in (("", "Flo"), ("Dana", " ")):
        opening = acts.OpenTable(100_000, dealer, floorperson, date(2011, 2, 22))
        assert refused(session, opening, "nobody").clauses == ()
    session.execute(acts.OpenTable(100_000, "Dana", "Flo", date(2011, 2, 22)))
    assert refused(session, acts.SeatPatron(1, ""), "nobody").clauses == ()


@pytest.mark.clause("NJ-MINI:7.5(b)1")
def test_an_uneven_mix_is_shuffled_again() -> None:
    session = open_table(rules_of(shuffle__finish="feather"), 1)
    advance(session, Phase.FEATHERED)
    assert refused(session, acts.VerifyFeather(""), "nobody").clauses == ("NJ-MINI:7.5(b)1",)
    another = refused(session, acts.VerifyFeather("Fay", even=False), "not_on_duty")
    assert another.clauses == ("NJ-MINI:7.5(b)1",)
    (event,) = session.execute(acts.VerifyFeather("Flo", even=False))
    assert event == MixFoundUneven("Flo", ("NJ-MINI:7.5(b)1",))
    assert session.state.phase is Phase.TO_SHUFFLE


@pytest.mark.clause("NJ-MINI:7.5(g)#1")
def test_no_recut_after_a_card_face_up_has_left_the_shoe_and_none_by_nobody() -> None:
    session = open_table(rules_of(), 1)
    advance(session, Phase.TO_BURN)
    assert refused(session, acts.RequireRecut("", "slip"), "nobody").clauses == (
        "NJ-MINI:7.5(g)#1",
    )
    assert refused(session, acts.RequireRecut("Sue", " "), "reason").clauses == (
        "NJ-MINI:7.5(g)#1",
    )
    session.execute(acts.FindFaceUpCard(Card.of("Kd")))
    refusal = refused(session, acts.RequireRecut("Sue", "slip"), "too_late")
    assert refusal.clauses == ("NJ-MINI:7.5(g)#1",)


@pytest.mark.clause("NJ-MINI:7.3(c)3.iv#1", "NJ-MINI:7.3(c)3.iv#2")
def test_a_table_opens_again_only_when_the_papers_of_its_last_day_are_forwarded() -> None:
    session = owing()
    session.execute(form())
    session.execute(acts.DropForm(101, "Bo", "Clark"))
    for seat in tuple(session.state.seats):
        session.execute(acts.LeaveTable(seat))
    session.execute(acts.CloseTable())
    again = acts.OpenTable(100_000, "Dana", "Flo", date(2011, 2, 23))
    assert refused(session, again, "gaming_day").clauses == (
        "NJ-MINI:7.3(c)3.iv#1",
        "NJ-MINI:7.3(c)3.iv#2",
    )
    session.execute(acts.EndGamingDay("Clark"))
    session.execute(again)
    session.execute(acts.EndGamingDay("Clark"))
    # A second day without Forms does not lose the first day's from the comparison.
    (compared,) = session.execute(acts.CompareForms((101,)))
    assert isinstance(compared, FormsCompared)
    assert compared.matched == (101,)
    (compared,) = session.execute(acts.CompareForms(()))
    assert isinstance(compared, FormsCompared)
    assert compared.without_original == ()
