"""Section 5(b) to (f): the cut, by participants or the dealer; the recut; the shoe; the burn."""

from __future__ import annotations

import pytest

from croupier import acts
from croupier.acts import (
    AcceptCut,
    CardBurned,
    CutDeclined,
    CutOffered,
    CutStack,
    CuttingCardsInserted,
    DeclineCut,
    InsertCuttingCards,
    RecutRequired,
    ShoeLoaded,
    StackCut,
)
from croupier.baccarat.cards import DECK, Card
from croupier.records.narration import narrate
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.massachusetts import (
    CLOCKWISE,
    SHUFFLER,
    at,
    errors_of,
    load_short_shoe,
    ma,
    play_out,
    shoe_completed,
)
from support.table import due, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

RECUT = acts.RequireRecut("Flo", "the stack slipped")
CUT_LISTED = {acts.AcceptCut, acts.DeclineCut}


def offered(session: TableSession) -> list[int | None]:
    """Decline the cut all round, and tell to whom the stack was offered: the dealer at last."""
    asked: list[int | None] = [session.state.cut.asked]
    while (seat := asked[-1]) is not None:
        asked.append(only(session.execute(DeclineCut(seat)), CutOffered).seat)
    return asked


# --- 5(b): who cuts ----------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:5(b)#1")
def test_the_licensee_elects_whether_participants_are_offered_the_cut_or_the_dealer_cuts() -> None:
    assert due(at(Phase.TO_CUT, 1, 2, cut__by="participants")) == CUT_LISTED
    assert due(at(Phase.TO_CUT, 1, 2, cut__by="dealer")) == {CutStack}
    assert errors_of(cut__by="floorperson") == {("cut.by", ma("5(b)#1"))}


@pytest.mark.clause("MA-MINI:5(b)#1")
def test_a_dealer_who_cuts_for_the_table_asks_nobody() -> None:
    session = at(Phase.FEATHERED, 1, 2, cut__by="dealer")
    offer = only(session.execute(acts.VerifyFeather("Miro")), CutOffered)
    assert (offer.seat, offer.waiting, offer.clauses) == (None, (), ma("5(b)#1"))
    refused(session, AcceptCut(2, 100), "not_asked")
    refused(session, DeclineCut(2), "not_asked")
    cut = only(session.execute(CutStack(100)), StackCut)
    assert (cut.seat, cut.position, cut.clauses) == (None, 100, ma("5(b)#1", "5(c)"))


@pytest.mark.clause("MA-MINI:5(b)#2")
@pytest.mark.parametrize(
    ("layout", "asked"),
    [
        # Where numbers ascend counterclockwise the next seat clockwise has the next lower number.
        (TableLayout(seats=7), [6, 4, 1, None]),
        (CLOCKWISE, [6, 1, 4, None]),
    ],
)
def test_the_stack_is_offered_from_the_highest_position_on_clockwise(
    layout: TableLayout, asked: list[int | None]
) -> None:
    session = at(Phase.TO_CUT, 1, 4, 6, layout=layout)
    assert offered(session) == asked


@pytest.mark.clause("MA-MINI:5(b)#2")
def test_the_first_participant_to_accept_cuts_and_nobody_else_is_asked() -> None:
    session = at(Phase.FEATHERED, 1, 4, 6)
    offer = only(session.execute(acts.VerifyFeather("Miro")), CutOffered)
    assert (offer.seat, offer.waiting, offer.clauses) == (6, (4, 1), ma("5(b)#1", "5(b)#2"))
    for other in (1, 4):
        refused(session, AcceptCut(other, 100), "not_asked")
    refused(session, CutStack(100), "not_asked")
    assert only(session.execute(DeclineCut(6)), CutDeclined).clauses == ma("5(b)#1", "5(b)#2")
    cut = only(session.execute(AcceptCut(4, 100)), StackCut)
    assert (cut.seat, cut.clauses) == (4, ma("5(b)#1", "5(b)#2", "5(c)"))
    refused(session, AcceptCut(1, 100), "not_now")


@pytest.mark.clause("MA-MINI:5(b)#2")
def test_on_a_reshuffle_too_the_offer_begins_at_the_highest_position() -> None:
    # No participant is a curator in this game, so there is no last one to begin with.
    session = at(Phase.TO_CUT, 1, 4, 6)
    offered(session)
    session.execute(CutStack(100))
    load_short_shoe(session)
    play_out(session)
    advance(session, Phase.TO_CUT)
    assert offered(session) == [6, 4, 1, None]


@pytest.mark.clause("MA-MINI:5(b)#3")
def test_the_dealer_cuts_where_nobody_accepts() -> None:
    session = at(Phase.TO_CUT, 1, 4)
    session.execute(DeclineCut(4))
    offer = only(session.execute(DeclineCut(1)), CutOffered)
    assert (offer.seat, offer.clauses) == (None, ma("5(b)#3"))
    assert due(session) == {CutStack}
    cut = only(session.execute(CutStack(100)), StackCut)
    assert (cut.seat, cut.clauses) == (None, ma("5(b)#3", "5(c)"))


@pytest.mark.clause("MA-MINI:5(b)#3")
def test_the_dealer_cuts_where_nobody_sits() -> None:
    session = at(Phase.TO_CUT, 1)
    session.execute(acts.LeaveTable(1))
    assert due(session) == {CutStack}


# --- 5(c) and (d): where, and into the shoe ----------------------------------------------------


@pytest.mark.clause("MA-MINI:5(c)")
@pytest.mark.parametrize(("decks", "cards"), [(6, 312), (7, 364), (8, 416)])
def test_the_cut_is_at_least_a_deck_in_from_either_end(decks: int, cards: int) -> None:
    for position in (-1, 0, 10, 51, cards - 51, cards, cards + 52):
        session = at(Phase.TO_CUT, decks=decks)
        answer = refused(session, AcceptCut(1, position), "cut_too_near_the_end")
        assert answer.clauses == ma("5(c)")
    for position in (52, 53, cards - 53, cards - 52):
        session = at(Phase.TO_CUT, decks=decks)
        assert only(session.execute(AcceptCut(1, position)), StackCut).position == position


@pytest.mark.clause("MA-MINI:5(c)")
def test_a_dealer_too_cuts_a_deck_in_and_a_batch_is_measured_by_itself() -> None:
    session = at(Phase.TO_CUT, cut__by="dealer", **SHUFFLER)
    for position in (51, 416 - 51):
        refused(session, CutStack(position), "cut_too_near_the_end")
    session.execute(CutStack(416 - 52))


@pytest.mark.clause("MA-MINI:5(d)#1")
def test_the_cards_above_the_cover_card_go_to_the_bottom() -> None:
    session = at(Phase.TO_CUT)
    session.execute(AcceptCut(1, 77))
    inserted = only(session.execute(InsertCuttingCards(20)), CuttingCardsInserted)
    assert (inserted.moved, inserted.from_back) == (77, 20)
    assert inserted.clauses == ma("5(d)#1", "5(d)#2")
    # The first cover card made the cut; no clause says where it lies afterward.
    (told,) = narrate((inserted,), {})
    assert told.text == "77 cards go to the back; the cutting card is 20 from the back"


@pytest.mark.clause("MA-MINI:5(d)#2")
def test_the_second_cover_card_has_at_least_fourteen_cards_below_it() -> None:
    session = at(Phase.CUT)
    for too_few in (0, 1, 13, 416):
        answer = refused(session, InsertCuttingCards(too_few), "cutting_card")
        assert answer.clauses == ma("5(d)#2")
    session.execute(InsertCuttingCards(14))


@pytest.mark.clause("MA-MINI:5(d)#3")
def test_the_stack_then_goes_into_the_shoe() -> None:
    session = at(Phase.TO_LOAD)
    for early in (acts.DrawCard(Card.of("As")), acts.CallNoMoreBets()):
        refused(session, early, "not_now")
    loaded = only(session.execute(acts.LoadShoe()), ShoeLoaded)
    assert (loaded.shoe, loaded.from_back, loaded.clauses) == (1, 14, ma("5(d)#3"))


# --- 5(e): the recut ---------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:5(e)#1")
@pytest.mark.parametrize("phase", [Phase.CUT, Phase.TO_LOAD])
def test_a_recut_may_be_required_between_the_cut_and_the_shoe(phase: Phase) -> None:
    session = at(phase, 1, 4)
    nobody = acts.RequireRecut("", "the stack slipped")
    assert refused(session, nobody, "nobody").clauses == ma("5(e)#1")
    listed = [one for one in session.legal() if one.command is acts.RequireRecut]
    assert [(one.who, one.must) for one in listed] == [("supervisor", False)]
    events = session.execute(RECUT)
    required = only(events, RecutRequired)
    assert (required.supervisor, required.clauses) == ("Flo", ma("5(e)#1", "5(e)#2"))
    assert session.state.phase is Phase.TO_CUT


@pytest.mark.clause("MA-MINI:5(e)#1")
def test_no_recut_is_required_before_a_cut() -> None:
    assert refused(at(Phase.TO_CUT), RECUT, "not_cut").clauses == ma("5(e)#1")


@pytest.mark.clause("MA-MINI:5(e)#1")
def test_no_recut_is_required_once_the_shoe_is_loaded_though_no_card_has_left_it() -> None:
    session = at(Phase.TO_BURN)
    assert session.state.shoe.remaining == 416
    assert refused(session, RECUT, "too_late").clauses == ma("5(e)#1")
    assert acts.RequireRecut not in {one.command for one in session.legal()}


@pytest.mark.clause("MA-MINI:5(e)#2")
def test_the_next_who_is_entitled_recuts() -> None:
    session = at(Phase.TO_CUT, 1, 4, 6)
    session.execute(AcceptCut(6, 100))
    offer = only(session.execute(RECUT), CutOffered)
    assert (offer.seat, offer.waiting) == (4, (1,))
    session.execute(DeclineCut(4))
    session.execute(AcceptCut(1, 60))
    # Everybody has been asked: it is the dealer's turn.
    assert only(session.execute(RECUT), CutOffered).seat is None
    session.execute(CutStack(60))
    advance(session, Phase.BETTING)


@pytest.mark.clause("MA-MINI:5(e)#2")
def test_after_a_dealer_who_cuts_by_election_the_dealer_recuts() -> None:
    session = at(Phase.CUT, 1, 4, cut__by="dealer")
    assert only(session.execute(RECUT), CutOffered).seat is None


# --- 5(f): the burn ----------------------------------------------------------------------------

AMOUNTS = {rank: min(number, 10) for number, rank in enumerate("A23456789TJQK", start=1)}


@pytest.mark.clause("MA-MINI:5(f)#1", "MA-MINI:5(f)#2")
@pytest.mark.parametrize("rank", AMOUNTS)
def test_as_many_cards_follow_the_first_face_down_as_its_amount(rank: str) -> None:
    session = at(Phase.TO_BURN)
    first = only(session.execute(acts.DrawCard(Card.of(f"{rank}h"))), CardBurned)
    assert (first.card, first.shown, first.to_burn) == (Card.of(f"{rank}h"), True, AMOUNTS[rank])
    # Ten, jack, queen and king are ten, an ace is one; the others need no sentence of their own.
    own = ("5(f)#1", "5(f)#2") if rank in "ATJQK" else ("5(f)#1",)
    assert first.clauses == ma(*own)
    for left in range(AMOUNTS[rank] - 1, -1, -1):
        assert due(session) == {acts.DrawCard}
        refused(session, acts.PlaceWager(1, "player", 1000), "not_now")
        burned = only(session.execute(acts.DrawCard(None)), CardBurned)
        assert (burned.card, burned.shown, burned.to_burn) == (None, False, left)
        assert burned.clauses == ma("5(f)#1")
    assert session.state.phase is Phase.BETTING
    assert session.state.shoe.remaining == 416 - 1 - AMOUNTS[rank]


@pytest.mark.clause("MA-MINI:5(f)#1")
def test_the_first_card_of_the_burn_is_exposed_so_it_is_named() -> None:
    session = at(Phase.TO_BURN)
    refused(session, acts.DrawCard(None), "card_unseen")


@pytest.mark.clause("MA-MINI:5(f)#1")
def test_the_table_does_not_learn_a_card_that_is_burned_face_down() -> None:
    session = at(Phase.TO_BURN)
    session.execute(acts.DrawCard(Card.of("Ac")))
    burned = only(session.execute(acts.DrawCard(Card.of("9d"))), CardBurned)
    assert (burned.card, burned.shown) == (None, False)
    # It may still be any card: all but the ace of the burn can be drawn as often as before.
    assert session.state.shoe.unseen[Card.of("9d").index] == 8
    assert (sum(session.state.shoe.unseen), session.state.shoe.remaining) == (415, 414)


@pytest.mark.clause("MA-MINI:5(f)#3")
def test_the_licensee_may_have_all_burned_cards_shown() -> None:
    session = at(Phase.TO_BURN, burn__exposure="all")
    session.execute(acts.DrawCard(Card.of("2c")))
    refused(session, acts.DrawCard(None), "card_unseen")
    for card in ("Kd", "5s"):
        burned = only(session.execute(acts.DrawCard(Card.of(card))), CardBurned)
        assert (burned.card, burned.shown) == (Card.of(card), True)
        assert burned.clauses == ma("5(f)#1", "5(f)#3")
    assert session.state.shoe.unseen[Card.of("5s").index] == 7


@pytest.mark.clause("MA-MINI:5(f)#1")
def test_every_new_shoe_is_burned_again() -> None:
    session = shoe_completed(1)
    advance(session, Phase.TO_BURN)
    assert refused(session, acts.CallNoMoreBets(), "not_now")
    assert due(session) == {acts.DrawCard}
    advance(session, Phase.BETTING)
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())


@pytest.mark.clause("MA-MINI:5(f)#1")
def test_burned_cards_are_out_of_the_shoe_that_is_dealt() -> None:
    session = at(Phase.TO_BURN, decks=6, burn__exposure="all")
    session.execute(acts.DrawCard(Card.of("5c")))
    for _ in range(5):
        session.execute(acts.DrawCard(Card.of("5c")))
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())
    assert "6 times" in refused(session, acts.DrawCard(Card.of("5c")), "no_such_card").message
    assert sum(session.state.shoe.unseen) == 6 * len(DECK) - 6
