"""Section 8(a) to (c)(2), (c)(6) and (d): four cards face down, handed over, held, given up."""

from __future__ import annotations

import pytest

from croupier import acts
from croupier.acts import (
    AcceptCards,
    CardDealt,
    CardsAccepted,
    CardsDeclined,
    CardsHanded,
    CardsOffered,
    CardsReturned,
    DeclineCards,
    HandCards,
    NoMoreBetsCalled,
    PointCountAnnounced,
    RelinquishCards,
    RequireRelinquishment,
    ReturnCards,
    RightRelinquished,
    ThirdCardRuled,
    TurnHand,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.massachusetts import CLOCKWISE, deal, errors_of, ma, ready
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
FOUR = "2h 3d Kh Qs"  # Player 2 and Banker 3: Player draws, Banker unless against an eight.
EVERYBODY = (1, 2, 3, 4, 5, 6, 7)


def dealt(
    *wagers: tuple[int, str, int], cards: str = FOUR, layout: TableLayout | None = None
) -> TableSession:
    """A full table with these wagers and the first four cards face down."""
    session = ready(*EVERYBODY, layout=layout)
    wager(session, *wagers)
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(cards):
        session.execute(acts.DrawCard(card))
    return session


def handed(session: TableSession, hand: Hand) -> CardsHanded:
    return only(session.execute(HandCards(hand)), CardsHanded)


# --- (a), (b), (c): the first four cards -------------------------------------------------------


@pytest.mark.clause("MA-MINI:8(b)")
def test_the_dealer_calls_no_more_bets_before_any_card() -> None:
    session = ready(1)
    wager(session, (1, "player", 1_000))
    assert refused(session, acts.DrawCard(Card.of("2h")), "no_card_due").clauses == ma("8(b)")
    called = only(session.execute(acts.CallNoMoreBets()), NoMoreBetsCalled)
    assert (called.words, called.clauses) == ("no more bets", ma("8(b)"))
    session.execute(acts.DrawCard(Card.of("2h")))


@pytest.mark.clause("MA-MINI:8(a)", "MA-MINI:8(c)#1", "MA-MINI:8(c)#2", "MA-MINI:8(c)(1)#1")
def test_the_first_and_third_card_go_face_down_to_player_the_second_and_fourth_to_banker() -> None:
    session = ready(1)
    wager(session, (1, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    cards = [only(session.execute(acts.DrawCard(card)), CardDealt) for card in parse_cards(FOUR)]
    assert [(one.hand, one.ordinal) for one in cards] == [
        (PLAYER, 1), (BANKER, 1), (PLAYER, 2), (BANKER, 2),
    ]  # fmt: skip
    assert not any(one.face_up for one in cards)
    for one in cards[:3]:
        assert one.clauses == ma("8(c)#1", "8(c)#2")
    # With the fourth card Banker's Hand goes under the shoe, and both lie face down.
    assert cards[3].clauses == ma("8(c)#1", "8(c)#2", "8(c)(1)#1")
    assert session.state.round is not None
    assert session.state.round.down == (PLAYER, BANKER)


@pytest.mark.clause("MA-MINI:8(c)#2")
def test_this_text_has_no_other_way_of_dealing() -> None:
    for option in ("face-up", "face-down", "hand-over"):
        assert errors_of(deal__option=option) == {("deal.option", ma("8(c)#2", "8(c)(1)#1"))}


@pytest.mark.clause("MA-MINI:8(c)(1)#1")
def test_bankers_hand_waits_under_the_shoe_until_players_hand_has_come_back() -> None:
    session = dealt((1, "player", 1_000), (2, "banker", 1_000))
    assert refused(session, HandCards(BANKER), "not_next").clauses == ma("8(c)(1)#1")
    handed(session, PLAYER)
    refused(session, HandCards(BANKER), "not_next")
    refused(session, TurnHand(BANKER), "not_next")
    session.execute(ReturnCards(1, PLAYER))
    assert due(session) == {HandCards}
    handed(session, BANKER)


@pytest.mark.clause("MA-MINI:8(c)(1)#2", "MA-MINI:8(c)(2)#1")
def test_each_hand_goes_face_down_to_the_player_with_the_highest_wager_on_it() -> None:
    session = dealt(
        (1, "player", 1_000), (4, "player", 3_000), (6, "player", 2_999), (7, "tie", 9_000),
        (2, "banker", 400), (1, "banker", 500),
    )  # fmt: skip
    player = handed(session, PLAYER)
    assert (player.seat, player.clauses) == (4, ma("8(c)(1)#2"))
    session.execute(ReturnCards(4, PLAYER))
    banker = handed(session, BANKER)
    assert (banker.seat, banker.clauses) == (1, ma("8(c)(2)#1"))


@pytest.mark.clause("MA-MINI:8(c)(1)#3", "MA-MINI:8(c)(2)#2", "MA-MINI:9(a)")
def test_a_hand_comes_back_face_up_from_its_holder_and_is_announced() -> None:
    session = dealt((1, "player", 1_000), (2, "banker", 1_000))
    refused(session, ReturnCards(1, PLAYER), "hands_off")
    handed(session, PLAYER)
    for seat in (2, 3):
        answer = refused(session, ReturnCards(seat, PLAYER), "hands_off")
        assert answer.clauses == ma("8(c)(1)#2")
    events = session.execute(ReturnCards(1, PLAYER))
    returned, called = only(events, CardsReturned), only(events, PointCountAnnounced)
    assert (returned.seat, returned.clauses) == (1, ma("8(c)(1)#3"))
    assert (called.hand, called.count, called.words) == (PLAYER, 2, "Player 2")
    assert called.clauses == ma("8(c)(1)#3", "9(a)")
    assert not every(events, ThirdCardRuled)
    handed(session, BANKER)
    events = session.execute(ReturnCards(2, BANKER))
    returned, called = only(events, CardsReturned), only(events, PointCountAnnounced)
    assert (returned.seat, returned.clauses) == (2, ma("8(c)(2)#2"))
    assert (called.hand, called.count, called.clauses) == (BANKER, 3, ma("8(c)(2)#2", "9(a)"))


@pytest.mark.clause("MA-MINI:8(c)(1)#2")
def test_the_dealer_turns_a_hand_that_nobody_wagered_on() -> None:
    session = dealt((1, "banker", 1_000))
    refused(session, HandCards(PLAYER), "no_holder")
    assert due(session) == {TurnHand}
    assert only(session.execute(TurnHand(PLAYER)), CardsReturned).seat is None
    refused(session, TurnHand(BANKER), "holder")
    assert handed(session, BANKER).seat == 1


# --- (c)(6): equal wagers ----------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:8(c)(6)#1")
@pytest.mark.parametrize(("layout", "seat"), [(None, 2), (CLOCKWISE, 6)])
def test_of_equal_wagers_on_player_the_nearest_to_the_dealer_counterclockwise_holds_it(
    layout: TableLayout | None, seat: int
) -> None:
    # Seat one is the dealer's right-hand neighbour where numbers ascend counterclockwise.
    session = dealt(
        (6, "player", 1_000), (4, "player", 1_000), (2, "player", 1_000), (1, "player", 999),
        (7, "player", 999), layout=layout,
    )  # fmt: skip
    held = handed(session, PLAYER)
    assert (held.seat, held.clauses) == (seat, ma("8(c)(1)#2", "8(c)(6)#1"))


@pytest.mark.clause("MA-MINI:8(c)(6)#2")
@pytest.mark.parametrize(("layout", "seat"), [(None, 3), (CLOCKWISE, 5)])
def test_of_equal_wagers_on_banker_the_nearest_to_the_dealer_counterclockwise_holds_it(
    layout: TableLayout | None, seat: int
) -> None:
    session = dealt((5, "banker", 1_000), (3, "banker", 1_000), layout=layout)
    session.execute(TurnHand(PLAYER))
    held = handed(session, BANKER)
    assert (held.seat, held.clauses) == (seat, ma("8(c)(2)#1", "8(c)(6)#2"))


# --- (d): the right given up -------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:8(d)#1")
@pytest.mark.parametrize("by", ["dealer", "floorperson"])
def test_a_player_who_delays_the_game_may_be_made_to_give_the_cards_up(by: str) -> None:
    session = dealt((3, "player", 1_000))
    require = RequireRelinquishment(3, PLAYER, by, "delay")
    given_up = only(session.execute(require), RightRelinquished)
    assert (given_up.seat, given_up.by, given_up.grounds) == (3, by, "delay")
    assert given_up.clauses == ma("8(d)#1")


@pytest.mark.clause("MA-MINI:8(d)#1")
def test_nobody_else_may_require_it_and_delay_is_the_only_ground() -> None:
    session = dealt((3, "player", 1_000))
    for by, grounds, code in (
        ("patron", "delay", "authority"),
        ("casino supervisor", "delay", "authority"),
        ("dealer", "violation", "grounds"),
    ):
        answer = refused(session, RequireRelinquishment(3, PLAYER, by, grounds), code)
        assert answer.clauses == ma("8(d)#1")
    refused(session, RequireRelinquishment(4, PLAYER, "dealer", "delay"), "no_holder")


@pytest.mark.clause("MA-MINI:8(d)#1")
def test_the_right_of_a_player_who_has_walked_away_may_be_taken_too() -> None:
    session = dealt((3, "player", 1_000))
    session.execute(acts.LeaveTable(3))
    (required,) = (one for one in session.legal() if one.command is RequireRelinquishment)
    assert (required.seat, required.must, required.clauses) == (3, False, ma("8(d)#1"))
    events = session.execute(RequireRelinquishment(3, PLAYER, "dealer", "delay"))
    assert only(events, RightRelinquished).clauses == ma("8(d)#1")
    assert only(events, CardsOffered).seat == 4


@pytest.mark.clause("MA-MINI:8(d)#2")
@pytest.mark.parametrize(
    ("layout", "order"), [(None, [4, 5, 6, 7, 1, 2]), (CLOCKWISE, [2, 1, 7, 6, 5, 4])]
)
def test_the_right_passes_to_the_player_at_the_right_and_on_counterclockwise(
    layout: TableLayout | None, order: list[int]
) -> None:
    session = dealt((3, "player", 1_000), layout=layout)
    offer = only(session.execute(RelinquishCards(3, PLAYER)), CardsOffered)
    assert offer.clauses == ma("8(d)#2")
    asked = []
    while offer.seat is not None:
        asked.append(offer.seat)
        refused(session, AcceptCards(3, PLAYER), "not_asked")
        events = session.execute(DeclineCards(offer.seat, PLAYER))
        assert only(events, CardsDeclined).clauses == ma("8(d)#2")
        offer = only(events, CardsOffered)
    assert asked == order


@pytest.mark.clause("MA-MINI:8(d)#2")
def test_an_empty_seat_at_the_right_is_passed_over() -> None:
    session = ready(1, 3, 6)
    wager(session, (3, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(FOUR):
        session.execute(acts.DrawCard(card))
    assert only(session.execute(RelinquishCards(3, PLAYER)), CardsOffered).seat == 6


@pytest.mark.clause("MA-MINI:8(d)#2", "MA-MINI:8(c)(4)")
def test_who_takes_the_cards_keeps_them_for_that_round_third_card_and_all() -> None:
    session = dealt((3, "player", 1_000), (2, "banker", 1_000))
    handed(session, PLAYER)
    session.execute(RelinquishCards(3, PLAYER))
    session.execute(DeclineCards(4, PLAYER))
    accepted = only(session.execute(AcceptCards(5, PLAYER)), CardsAccepted)
    assert (accepted.seat, accepted.clauses) == (5, ma("8(d)#2"))
    held = handed(session, PLAYER)
    assert (held.seat, held.clauses) == (5, ma("8(d)#2"))
    session.execute(ReturnCards(5, PLAYER))
    session.execute(HandCards(BANKER))
    session.execute(ReturnCards(2, BANKER))
    session.execute(acts.DrawCard(Card.of("4c")))
    assert handed(session, PLAYER).seat == 5


@pytest.mark.clause("MA-MINI:8(d)#2")
def test_in_the_next_round_the_right_goes_by_the_wagers_again() -> None:
    session = dealt((3, "player", 1_000), cards="9h 8d Th Js")
    session.execute(RelinquishCards(3, PLAYER))
    session.execute(AcceptCards(4, PLAYER))
    session.execute(HandCards(PLAYER))
    session.execute(ReturnCards(4, PLAYER))
    session.execute(TurnHand(BANKER))
    session.execute(acts.SettleWagers())
    session.execute(acts.ClearLayout())
    wager(session, (3, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(FOUR):
        session.execute(acts.DrawCard(card))
    assert handed(session, PLAYER).seat == 3


@pytest.mark.clause("MA-MINI:8(d)#3")
def test_the_dealer_turns_the_cards_that_nobody_accepts() -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(FOUR):
        session.execute(acts.DrawCard(card))
    session.execute(RelinquishCards(1, PLAYER))
    answer = refused(session, TurnHand(PLAYER), "on_offer")
    assert answer.clauses == ma("8(d)#3")
    offer = only(session.execute(DeclineCards(2, PLAYER)), CardsOffered)
    assert (offer.seat, offer.clauses) == (None, ma("8(d)#3"))
    turned = only(session.execute(TurnHand(PLAYER)), CardsReturned)
    assert (turned.seat, turned.clauses) == (None, ma("8(d)#3"))


@pytest.mark.clause("MA-MINI:8(d)#2")
def test_each_hand_is_given_up_by_itself() -> None:
    session = dealt((3, "player", 1_000), (3, "banker", 1_000))
    session.execute(RelinquishCards(3, PLAYER))
    for seat in (4, 5, 6, 7, 1, 2):
        session.execute(DeclineCards(seat, PLAYER))
    session.execute(TurnHand(PLAYER))
    assert handed(session, BANKER).seat == 3


def test_a_round_dealt_so_goes_through_to_its_result() -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 1_000), (2, "banker", 1_000))
    deal(session, "2h 3d Kh Qs 4c 5d")
    assert session.state.phase is Phase.DECIDED
