"""19:47-3.7: two hands, the two calls, the curator's four cards, and hands handed to the bettors."""

from typing import Any

import pytest

from croupier import acts
from croupier.acts import (
    CardDealt,
    CardsCalled,
    CardsHanded,
    CardsReturned,
    HandCards,
    NoMoreBetsCalled,
    PermitTurning,
    PointCountAnnounced,
    ResultAnnounced,
    ReturnCards,
    TurnHand,
    TurningPermitted,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.punto_banco import call, deal, dealer_deals, errors_of, play, ready
from support.table import deal as draw
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
FOUR_CARDS = "2h 3d Kh Ks"  # Player 2, Banker 3: both draw, Banker unless Player draws an eight.
CLOCKWISE = TableLayout(numbering="clockwise")
HAND_OVER: dict[str, Any] = {"deal__option": "hand-over"}
ALL = (1, 2, 3, 4, 5, 6, 7)


def hand_over(
    *wagers: tuple[int, str, int], cards: str = FOUR_CARDS, **elections: Any
) -> TableSession:
    """A table that hands the hands over, all seats taken, with the first four cards dealt."""
    session = ready(*ALL, **HAND_OVER, **elections)
    wager(session, *wagers)
    draw(session, cards)
    return session


def handed(session: TableSession, hand: Hand) -> CardsHanded:
    return only(session.execute(HandCards(hand)), CardsHanded)


def called(session: TableSession, hand: Hand) -> CardsReturned:
    """Have a hand looked at and returned by its holder."""
    return only(session.execute(ReturnCards(handed(session, hand).seat, hand)), CardsReturned)


# --- (a) and (b) -------------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.7(a)")
@pytest.mark.parametrize("option", ["face-down", "hand-over"])
def test_two_hands_are_dealt_and_no_other(option: str) -> None:
    session = ready(1, 2, 3, deal__option=option)
    wager(session, (1, "player", 10_000), (2, "banker", 10_000), (3, "tie", 10_000))
    dealt = every(deal(session, "2h 3d Kh Ks 4c 5d"), CardDealt)
    assert [card.hand for card in dealt] == [PLAYER, BANKER, PLAYER, BANKER, PLAYER, BANKER]
    assert [hand.title for hand in Hand] == ["Player's Hand", "Banker's Hand"]


@pytest.mark.clause("NJ-PB:3.7(b)")
def test_each_round_begins_with_no_more_bets_and_then_cards_for_the_curator() -> None:
    session = ready(1, 2)
    for number in (1, 2, 3):
        no_more_bets, cards = call(session)
        assert no_more_bets == NoMoreBetsCalled(number, "No More Bets", ("NJ-PB:3.7(b)",))
        assert cards == CardsCalled("Cards", ("NJ-PB:3.7(b)",))
        refused(session, acts.CallNoMoreBets(), "not_now")
        play(session, "9h 8d Kh Ks")


@pytest.mark.clause("NJ-PB:3.7(b)")
def test_the_dealer_who_is_curator_is_told_to_begin_by_the_same_words() -> None:
    assert only(call(dealer_deals(1)), CardsCalled).words == "Cards"


@pytest.mark.clause("NJ-PB:3.7(b)")
def test_no_card_is_dealt_before_the_calls() -> None:
    session = ready(1)
    refusal = refused(session, acts.DrawCard(Card.of("9h")), "no_card_due")
    assert refusal.clauses == ("NJ-PB:3.7(b)",)


@pytest.mark.clause("NJ-PB:3.7(b)", "NJ-PB:3.12(c)3")
def test_a_simulated_round_has_no_bets_to_end_and_begins_without_a_call() -> None:
    session = ready(1, irregularity__disclosed_card="simulated-round")
    session.execute(acts.DrawCardInError(Card.of("9h"), disclosed=True))
    events = session.execute(acts.BeginSimulatedRound())
    assert not every(events, NoMoreBetsCalled)
    assert not every(events, CardsCalled)


# --- (c): the curator's four cards -------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.7(c)#1")
@pytest.mark.parametrize("option", ["face-down", "hand-over"])
def test_first_and_third_card_are_players_second_and_fourth_bankers(option: str) -> None:
    session = ready(1, deal__option=option)
    call(session)
    (action,) = [one for one in session.legal() if one.command is acts.DrawCard]
    assert (action.who, action.seat) == ("curator", 1)
    assert "NJ-PB:3.7(c)#1" in action.clauses
    dealt = every(draw(session, "2h 3d 4s 5c"), CardDealt)
    assert [(card.hand, card.ordinal, card.card) for card in dealt] == [
        (PLAYER, 1, Card.of("2h")),
        (BANKER, 1, Card.of("3d")),
        (PLAYER, 2, Card.of("4s")),
        (BANKER, 2, Card.of("5c")),
    ]
    placed = "NJ-PB:3.7(c)#2" if option == "face-down" else "NJ-PB:3.7(d)"
    for card in dealt:
        assert card.clauses == ("NJ-PB:3.7(c)#1", placed, "NJ-PB:3.6(c)")


@pytest.mark.clause("NJ-PB:3.7(c)#2")
def test_the_dealer_calling_the_game_turns_both_hands_up_and_places_them() -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 10_000), (2, "banker", 10_000))
    dealt = every(draw(session, FOUR_CARDS), CardDealt)
    assert not any(card.face_up for card in dealt)
    for hand in (PLAYER, BANKER):
        assert due(session) == {TurnHand}
        assert refused(session, TurnHand(hand.other), "not_next").clauses == ()
        refused(session, HandCards(hand), "no_holder")
        turned = only(session.execute(TurnHand(hand)), CardsReturned)
        assert (turned.seat, turned.hand, turned.clauses) == (None, hand, ("NJ-PB:3.7(c)#2",))


@pytest.mark.clause("NJ-PB:3.7(c)#2", "NJ-PB:3.7(d)")
def test_the_licensee_elects_one_of_the_two_ways_and_no_other() -> None:
    (detail,) = errors_of(deal__option="face-up")
    assert detail.where == "deal.option"
    assert set(detail.clauses) == {"NJ-PB:3.7(c)#2", "NJ-PB:3.7(d)"}


# --- (d): hands handed over --------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.7(d)")
def test_handed_over_all_four_cards_lie_face_down_and_bankers_wait_until_players_are_called() -> (
    None
):
    session = ready(1, 2, **HAND_OVER)
    wager(session, (1, "player", 10_000), (2, "banker", 10_000))
    events = draw(session, FOUR_CARDS)
    assert not any(card.face_up for card in every(events, CardDealt))
    assert not every(events, PointCountAnnounced)
    early = refused(session, HandCards(BANKER), "not_next")
    assert "NJ-PB:3.7(d)" in early.clauses
    session.execute(HandCards(PLAYER))
    refused(session, HandCards(BANKER), "not_next")
    session.execute(ReturnCards(1, PLAYER))
    assert handed(session, BANKER).seat == 2


@pytest.mark.clause("NJ-PB:3.7(d)1#1", "NJ-PB:3.7(d)2#1")
def test_each_hand_goes_to_the_player_with_the_highest_wager_on_it() -> None:
    session = hand_over(
        (1, "player", 10_000),
        (5, "player", 30_000),
        (6, "player", 20_000),
        (2, "banker", 10_000),
        (7, "banker", 40_000),
        (3, "tie", 90_000),
    )
    for hand, seat, clause in (
        (PLAYER, 5, "NJ-PB:3.7(d)1"),
        (BANKER, 7, "NJ-PB:3.7(d)2"),
    ):
        event = handed(session, hand)
        assert event.seat == seat
        assert event.clauses == (f"{clause}#1",)
        session.execute(ReturnCards(seat, hand))


@pytest.mark.clause("NJ-PB:3.7(d)1#2", "NJ-PB:3.7(d)2#2")
def test_the_holder_returns_the_cards_face_up_and_the_dealer_announces_the_count() -> None:
    session = hand_over((4, "player", 10_000), (6, "banker", 10_000))
    for hand, seat, count, clause in (
        (PLAYER, 4, 2, "NJ-PB:3.7(d)1#2"),
        (BANKER, 6, 3, "NJ-PB:3.7(d)2#2"),
    ):
        session.execute(HandCards(hand))
        for other in (1, seat + 1):
            assert refused(session, ReturnCards(other, hand), "hands_off").clauses
        events = session.execute(ReturnCards(seat, hand))
        returned, counted = only(events, CardsReturned), only(events, PointCountAnnounced)
        assert (returned.seat, returned.clauses) == (seat, (clause,))
        assert (counted.hand, counted.count) == (hand, count)


@pytest.mark.clause("NJ-PB:3.7(d)3", "NJ-PB:3.7(d)4")
def test_third_cards_lie_face_down_and_go_to_who_had_the_hand() -> None:
    session = hand_over((4, "player", 10_000), (6, "banker", 10_000))
    for hand in (PLAYER, BANKER):
        called(session, hand)
    for hand, seat, card, clause in (
        (PLAYER, 4, "4c", "NJ-PB:3.7(d)3"),
        (BANKER, 6, "5d", "NJ-PB:3.7(d)4"),
    ):
        dealt = only(session.execute(acts.DrawCard(Card.of(card))), CardDealt)
        assert (dealt.hand, dealt.ordinal, dealt.face_up) == (hand, 3, False)
        assert dealt.clauses == (clause,)
        event = handed(session, hand)
        assert event.seat == seat
        assert clause in event.clauses
        refused(session, ReturnCards(1, hand), "hands_off")
        events = session.execute(ReturnCards(seat, hand))
        assert only(events, CardsReturned).clauses == (clause,)
    # Two and four are six; three and five are eight.
    result = only(events, ResultAnnounced)
    assert (result.player_count, result.banker_count) == (6, 8)


# Seats 2, 4 and 6 wager alike. The dealer's right-hand neighbour is the first counterclockwise:
# seat one where the numbers ascend counterclockwise, seat seven where they ascend clockwise.
@pytest.mark.clause("NJ-PB:3.7(d)5#1", "NJ-PB:3.7(d)5#2")
@pytest.mark.parametrize(
    ("layout", "nearest"),
    [(TableLayout(), 2), (CLOCKWISE, 6)],
    ids=["counterclockwise", "clockwise"],
)
@pytest.mark.parametrize("hand", [PLAYER, BANKER])
def test_among_equals_the_nearest_to_the_dealer_counterclockwise_has_the_hand_and_its_third_card(
    hand: Hand, layout: TableLayout, nearest: int
) -> None:
    alike = [(seat, hand.value, 20_000) for seat in (4, 6, 2)]
    lower = [(seat, hand.value, 10_000) for seat in (1, 7)]
    session = hand_over(*alike, *lower, layout=layout)
    if hand is BANKER:
        session.execute(TurnHand(PLAYER))
    event = handed(session, hand)
    assert event.seat == nearest
    sentence = "5#1" if hand is PLAYER else "5#2"
    assert f"NJ-PB:3.7(d){sentence}" in event.clauses
    session.execute(ReturnCards(nearest, hand))
    if hand is PLAYER:
        session.execute(TurnHand(BANKER))
    draw(session, "4c")
    if hand is BANKER:
        session.execute(TurnHand(PLAYER))
        draw(session, "5d")
    assert handed(session, hand).seat == nearest


@pytest.mark.clause("NJ-PB:3.7(d)1#1", "NJ-PB:3.7(d)5#1")
def test_a_single_highest_bettor_has_the_hand_by_his_wager_and_not_by_his_seat() -> None:
    session = hand_over((1, "player", 10_000), (7, "player", 10_100))
    event = handed(session, PLAYER)
    assert event.seat == 7
    assert "NJ-PB:3.7(d)5#1" not in event.clauses


# --- (d)6: a hand that nobody wagered on -------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.7(d)6#1", "NJ-PB:3.7(d)6#2")
@pytest.mark.parametrize("hand", [PLAYER, BANKER])
def test_a_bettor_on_the_other_hand_may_be_let_turn_a_hand_that_nobody_wagered_on(
    hand: Hand,
) -> None:
    sentence = "NJ-PB:3.7(d)6#1" if hand is PLAYER else "NJ-PB:3.7(d)6#2"
    session = hand_over(
        (3, hand.other.value, 10_000), (5, hand.other.value, 20_000), deal__unwagered_hand=True
    )
    if hand is BANKER:
        called(session, PLAYER)
    permits = {one.seat: one for one in session.legal() if one.command is PermitTurning}
    assert {(seat, one.who, one.must) for seat, one in permits.items()} == {
        (3, "dealer", False),
        (5, "dealer", False),
    }
    assert permits[3].clauses == (sentence,)
    # Any of them, and not the highest alone; the dealer turns it where none is let.
    assert TurnHand in due(session)
    permitted = only(session.execute(PermitTurning(3, hand)), TurningPermitted)
    assert (permitted.seat, permitted.hand, permitted.clauses) == (3, hand, (sentence,))
    assert TurnHand in {one.command for one in session.legal() if not one.must}
    event = handed(session, hand)
    refused(session, TurnHand(hand), "holder")
    assert event.seat == 3
    assert event.clauses[-1] == sentence
    session.execute(ReturnCards(3, hand))
    # Its third card is his too.
    if hand is PLAYER:
        called(session, BANKER)
    draw(session, "4c")
    if hand is BANKER:
        called(session, PLAYER)
        draw(session, "5d")
    assert handed(session, hand).seat == 3


@pytest.mark.clause("NJ-PB:3.7(d)6#1", "NJ-PB:3.7(d)6#2")
@pytest.mark.parametrize("hand", [PLAYER, BANKER])
def test_a_permission_that_is_not_used_ends_when_the_dealer_turns_the_hand(hand: Hand) -> None:
    sentence = "NJ-PB:3.7(d)6#1" if hand is PLAYER else "NJ-PB:3.7(d)6#2"
    session = hand_over((3, hand.other.value, 10_000), deal__unwagered_hand=True)
    if hand is BANKER:
        called(session, PLAYER)
    session.execute(PermitTurning(3, hand))
    returned = session.execute(TurnHand(hand))[0]
    assert isinstance(returned, CardsReturned)
    assert (returned.seat, returned.clauses) == (None, (sentence, "C205"))


@pytest.mark.clause("NJ-PB:3.7(d)6#1", "NJ-PB:3.7(d)6#2")
@pytest.mark.parametrize("hand", [PLAYER, BANKER])
def test_the_dealer_turns_it_where_the_licensee_does_not_let_others(hand: Hand) -> None:
    sentence = "NJ-PB:3.7(d)6#1" if hand is PLAYER else "NJ-PB:3.7(d)6#2"
    session = hand_over((3, hand.other.value, 10_000), deal__unwagered_hand=False)
    if hand is BANKER:
        called(session, PLAYER)
    assert due(session) == {TurnHand}
    assert refused(session, PermitTurning(3, hand), "not_elected").clauses == (sentence,)
    assert only(session.execute(TurnHand(hand)), CardsReturned).seat is None


@pytest.mark.clause("NJ-PB:3.7(d)6#1")
@pytest.mark.parametrize(
    ("wagers", "seat", "hand", "code"),
    [
        pytest.param([(3, "tie", 10_000), (4, "banker", 10_000)], 3, PLAYER, "no_wager", id="tie"),
        pytest.param([(4, "banker", 10_000)], 5, PLAYER, "no_wager", id="nothing"),
        pytest.param([(3, "player", 100), (4, "banker", 10_000)], 4, PLAYER, "not_next", id="his"),
        pytest.param([(3, "player", 10_000)], 3, BANKER, "not_next", id="too early"),
    ],
)
def test_nobody_else_is_let_turn_a_hand(
    wagers: list[tuple[int, str, int]], seat: int, hand: Hand, code: str
) -> None:
    session = hand_over(*wagers, deal__unwagered_hand=True)
    refused(session, PermitTurning(seat, hand), code)


@pytest.mark.clause("NJ-PB:3.7(d)6#1")
def test_who_is_let_turn_a_hand_is_an_election_of_the_handed_over_hands_alone() -> None:
    (detail,) = errors_of(deal__option="face-down", deal__unwagered_hand=True)
    assert detail.where == "deal.unwagered_hand"
    assert set(detail.clauses) == {"NJ-PB:3.7(d)6#1", "NJ-PB:3.7(d)6#2"}


# --- what this text has not --------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.7(d)1#2")
def test_nobody_gives_up_the_right_to_turn_a_hand_as_this_text_knows_no_such_thing() -> None:
    session = hand_over((3, "player", 10_000), (4, "banker", 10_000))
    for command in (
        acts.RelinquishCards(3, PLAYER),
        acts.RequireRelinquishment(3, PLAYER, "dealer", "delay"),
    ):
        refused(session, command, "no_such_procedure")
        assert type(command) not in {one.command for one in session.legal()}


@pytest.mark.clause("NJ-PB:3.7(d)")
def test_where_hands_are_handed_over_nobody_holds_those_of_a_simulated_round() -> None:
    session = ready(1, 2, **HAND_OVER, irregularity__disclosed_card="simulated-round")
    wager(session, (1, "player", 10_000), (2, "banker", 10_000))
    session.execute(acts.DrawCardInError(Card.of("2h"), disclosed=True))
    session.execute(acts.BeginSimulatedRound())
    for card in parse_cards("3d Kh Ks"):
        session.execute(acts.DrawCard(card))
    assert due(session) == {TurnHand}
    refused(session, HandCards(PLAYER), "no_holder")
    assert session.state.phase is Phase.DEALING
