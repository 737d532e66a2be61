"""19:47-7.11 where more than one thing goes wrong: errors in a hand that goes on, rights given up twice."""

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import CardDealt, CardsOffered, CardsReturned, RoundVoided
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from support.table import deal, every, only, ready, refused, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_a_card_drawn_in_error_is_no_third_card_of_the_hand_in_play() -> None:
    session = ready(1, deal__option="face-down")
    deal(session, "2h 3d Kh Ks")
    session.execute(acts.DrawCardInError(Card.of("9c"), disclosed=False))
    session.execute(acts.TurnHand(PLAYER))
    session.execute(acts.TurnHand(BANKER))
    # Player has 2 and draws; the nine belongs to the next hand, so it is no card for this one.
    refusal = refused(session, acts.UseHeldCard(), "no_held_card")
    assert refusal.clauses == ()
    session.execute(acts.DrawCard(Card.of("6c")))
    session.execute(acts.DrawCard(Card.of("7c")))
    session.execute(acts.SettleWagers())
    session.execute(acts.ClearLayout())
    session.execute(acts.CallNoMoreBets())
    refused(session, acts.DrawCard(Card.of("2c")), "held_card")
    dealt = only(list(session.execute(acts.UseHeldCard())), CardDealt)
    assert (dealt.hand, dealt.ordinal, dealt.card) == (PLAYER, 1, Card.of("9c"))


@pytest.mark.clause("NJ-MINI:7.11(c)3")
def test_each_card_disclosed_in_error_begins_a_simulated_round_of_its_own() -> None:
    session = ready(1, irregularity__disclosed_card="simulated-round")
    for name in ("8h", "9h"):
        session.execute(acts.DrawCardInError(Card.of(name), disclosed=True))
    begun = []
    for _ in range(2):
        refused(session, acts.CallNoMoreBets(), "simulated_round_due")
        begun += every(list(session.execute(acts.BeginSimulatedRound())), CardDealt)
        deal(session, "7d Kh Ks")
        session.execute(acts.ClearLayout())
    assert [dealt.card for dealt in begun] == [Card.of("8h"), Card.of("9h")]
    refused(session, acts.BeginSimulatedRound(), "not_ordered")
    session.execute(acts.CallNoMoreBets())


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
def test_a_hand_is_not_offered_again_to_a_player_who_gave_it_up() -> None:
    session = ready(1, 2, 3, deal__option="hand-over")
    wager(session, (1, "player", 5000))
    deal(session, "2h 3d Kh Ks")
    session.execute(acts.RequireRelinquishment(1, PLAYER, "dealer", "delay"))
    session.execute(acts.AcceptCards(2, PLAYER))
    offered = only(list(session.execute(acts.RelinquishCards(2, PLAYER))), CardsOffered)
    assert (offered.seat, offered.waiting) == (3, ())


@pytest.mark.clause("NJ-MINI:7.11(f)#3")
def test_the_dealer_who_turns_a_hand_that_nobody_took_does_so_by_that_clause() -> None:
    session = ready(1, deal__option="hand-over")
    wager(session, (1, "player", 5000))
    deal(session, "2h 3d Kh Ks")
    session.execute(acts.RelinquishCards(1, PLAYER))
    returned = only(list(session.execute(acts.TurnHand(PLAYER))), CardsReturned)
    assert returned.seat is None
    assert "NJ-MINI:7.11(f)#3" in returned.clauses


@pytest.mark.clause("NJ-MINI:7.11(c)3", "NJ-MINI:7.11(e)#1")
def test_a_simulated_round_that_the_shoe_cannot_finish_is_void_as_such() -> None:
    session = ready(1, irregularity__disclosed_card="simulated-round")
    # No lawful shoe runs out here but by irregularities without number: the test takes cards out.
    shoe = replace(session.state.shoe, remaining=1, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    session.execute(acts.DrawCardInError(Card.of("8h"), disclosed=True))
    session.execute(acts.BeginSimulatedRound())
    voided = only(list(session.execute(acts.VoidRound())), RoundVoided)
    assert voided.simulated
    assert session.state.phase is Phase.SHOE_COMPLETED
