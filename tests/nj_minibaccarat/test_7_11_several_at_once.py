"""19:47-7.11 where more than one thing goes wrong: errors in a hand that goes on, rights given up twice."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    CardDealt,
    CardsHanded,
    CardsOffered,
    CardsReturned,
    Event,
    RightRelinquished,
    RoundVoided,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from croupier.table.machine.session import TableSession
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


def _taken_over(*taken: tuple[int, Hand]) -> TableSession:
    """Seats 1 and 2 gave their hands up; others have taken them over, without a wager."""
    session = ready(1, 2, 3, 4, 5, deal__option="hand-over", deal__banker_first=False)
    wager(session, (1, "player", 5000), (2, "banker", 5000))
    deal(session, "2h 3d Kh Ks")
    for seat, (taker, hand) in zip((1, 2), taken, strict=False):
        offered = only(list(session.execute(acts.RelinquishCards(seat, hand))), CardsOffered)
        while (asked := offered.seat or 0) != taker:
            answer = list(session.execute(acts.DeclineCards(asked, hand)))
            offered = only(answer, CardsOffered)
        session.execute(acts.AcceptCards(taker, hand))
    return session


def _offers(events: Iterable[Event]) -> list[tuple[int | None, Hand, tuple[int, ...]]]:
    return [(one.seat, one.hand, one.waiting) for one in every(list(events), CardsOffered)]


@pytest.mark.clause("NJ-MINI:7.11(f)#2", "NJ-MINI:7.11(f)#3")
@pytest.mark.parametrize("answer", ["accepted", "declined"])
def test_both_hands_of_one_who_leaves_are_offered_one_after_the_other(answer: str) -> None:
    session = _taken_over((3, PLAYER), (3, BANKER))
    # Seat 1 gave Player's Hand up, and seat 2 Banker's Hand: neither is asked for it again.
    assert _offers(session.execute(acts.LeaveTable(3))) == [(4, PLAYER, (5, 2))]
    refused(session, acts.TurnHand(PLAYER), "on_offer")
    if answer == "accepted":
        assert _offers(session.execute(acts.AcceptCards(4, PLAYER))) == [(4, BANKER, (5, 1))]
        assert session.state.round is not None
        assert session.state.round.holders[PLAYER] == 4
    else:
        for seat in (4, 5):
            session.execute(acts.DeclineCards(seat, PLAYER))
        last = _offers(session.execute(acts.PassOver(2)))
        assert last == [(None, PLAYER, ()), (4, BANKER, (5, 1))]
    refused(session, acts.HandCards(PLAYER), "not_next")
    session.execute(acts.AcceptCards(4, BANKER))


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
@pytest.mark.parametrize("asked", [3, 4])
def test_a_hand_left_while_the_other_is_on_offer_is_offered_next(asked: int) -> None:
    session = _taken_over((4, PLAYER))
    # Banker's Hand is on offer, first to seat 3 and then to seat 4, who holds Player's Hand.
    session.execute(acts.RelinquishCards(2, BANKER))
    if asked == 4:
        session.execute(acts.DeclineCards(3, BANKER))
    events = list(session.execute(acts.LeaveTable(4)))
    assert len(every(events, RightRelinquished)) == 1
    assert _offers(events) == ([] if asked == 3 else [(5, BANKER, (1,))])
    taker = 3 if asked == 3 else 5
    assert _offers(session.execute(acts.AcceptCards(taker, BANKER))) == [
        (5, PLAYER, (2, 3))  # seat 1 gave it up
    ]
    session.execute(acts.AcceptCards(5, PLAYER))
    assert only(list(session.execute(acts.HandCards(PLAYER))), CardsHanded).seat == 5


@pytest.mark.clause("NJ-MINI:7.11(f)#2", "NJ-MINI:7.7(c)3.iii")
@pytest.mark.parametrize(
    ("player", "banker", "offered"),
    [("6h Kh", "3d Ks", 0), ("2h Kh", "3d Ks", 1), ("9h Kh", "3d Ks", 0)],
)
def test_a_hand_that_lies_face_up_is_offered_on_only_if_it_may_be_dealt_a_third_card(
    player: str, banker: str, offered: int
) -> None:
    """Nobody is asked about cards that cannot come: six stays, two draws, nine is a natural."""
    session = ready(1, 2, 3, deal__option="hand-over", deal__banker_first=False)
    wager(session, (1, "player", 5000), (2, "banker", 5000))
    (first, third), (second, fourth) = player.split(), banker.split()
    deal(session, f"{first} {second} {third} {fourth}")
    session.execute(acts.RelinquishCards(1, PLAYER))
    session.execute(acts.DeclineCards(2, PLAYER))
    for command in (acts.AcceptCards(3, PLAYER), acts.HandCards(PLAYER)):
        session.execute(command)
    session.execute(acts.ReturnCards(3, PLAYER))
    events = list(session.execute(acts.LeaveTable(3)))
    assert len(every(events, RightRelinquished)) == len(every(events, CardsOffered)) == offered
