"""19:47-7.7: two hands, no more bets, the first four cards, and hands handed to the bettors."""

from typing import Any

import pytest

from croupier import acts
from croupier.acts import (
    CardDealt,
    CardsHanded,
    CardsReturned,
    HandCards,
    NoMoreBetsCalled,
    PointCountAnnounced,
    ResultAnnounced,
    ReturnCards,
    TurnHand,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.law.elect import SubmissionError
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.table import deal, every, only, play, ready, refused, rules_of, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
OPTIONS = ["face-up", "face-down", "hand-over"]
FACE_DOWN = {"NJ-MINI:7.7(c)2#1", "NJ-MINI:7.7(c)2#2"}
HAND_OVER = "NJ-MINI:7.7(c)3"

FOUR_CARDS = "2h 3d Kh Ks"  # Player 2, Banker 3: both draw, Banker unless Player draws an eight.
COUNTERCLOCKWISE = TableLayout(seats=7, numbering="counterclockwise")
CLOCKWISE = TableLayout(seats=7, numbering="clockwise")


def hand_over(
    *wagers: tuple[int, str, int], layout: TableLayout = COUNTERCLOCKWISE, cards: str = FOUR_CARDS
) -> TableSession:
    """A table that hands the hands over, all seats taken, with the first four cards dealt."""
    session = ready(1, 2, 3, 4, 5, 6, 7, layout=layout, deal__option="hand-over")
    wager(session, *wagers)
    deal(session, cards)
    return session


def holder(session: TableSession, hand: Hand) -> int:
    """Hand a hand over and tell who got it."""
    return only(session.execute(HandCards(hand)), CardsHanded).seat


def called(session: TableSession, hand: Hand) -> None:
    """Have a hand looked at, returned and called by its holder."""
    session.execute(ReturnCards(holder(session, hand), hand))


# --- (a) and (b) -------------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.7(a)")
@pytest.mark.parametrize("option", OPTIONS)
def test_two_hands_are_dealt_and_no_other(option: str) -> None:
    session = ready(1, 2, 3, deal__option=option)
    wager(session, (1, "player", 10000), (2, "banker", 10000), (3, "tie", 10000))
    dealt = every(deal(session, FOUR_CARDS), CardDealt)
    assert {card.hand for card in dealt} == {PLAYER, BANKER}
    assert [hand.title for hand in Hand] == ["Player's Hand", "Banker's Hand"]


@pytest.mark.clause("NJ-MINI:7.7(b)")
def test_each_round_begins_with_the_call_of_no_more_bets() -> None:
    session = ready(1)
    for number in (1, 2, 3):
        events = play(session, "9h 8d Kh Ks")
        assert events[0] == NoMoreBetsCalled(number, "No More Bets", ("NJ-MINI:7.7(b)",))


@pytest.mark.clause("NJ-MINI:7.7(b)")
def test_no_card_is_dealt_before_the_call() -> None:
    session = ready(1)
    wager(session, (1, "player", 10000))
    refused(session, acts.DrawCard(Card.of("9h")), "no_card_due")
    assert session.state.phase is Phase.BETTING


@pytest.mark.clause("NJ-MINI:7.7(b)")
@pytest.mark.parametrize("cards", ["", "2h 3d", "9h 8d Kh Ks"])
def test_the_call_is_made_once_in_a_round(cards: str) -> None:
    session = ready(1)
    session.execute(acts.CallNoMoreBets())
    deal(session, cards)
    refusal = refused(session, acts.CallNoMoreBets(), "not_now")
    assert refusal.clauses == ()


# --- (c): four cards, in one of three ways -----------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.7(c)#1")
@pytest.mark.parametrize("option", OPTIONS)
def test_first_and_third_card_go_to_player_second_and_fourth_to_banker(option: str) -> None:
    session = ready(1, deal__option=option)
    dealt = every(deal(session, "2h 3d Kh Ks"), CardDealt)
    assert [(card.hand, card.ordinal, str(card.card)) for card in dealt] == [
        (PLAYER, 1, "2h"),
        (BANKER, 1, "3d"),
        (PLAYER, 2, "Kh"),
        (BANKER, 2, "Ks"),
    ]
    assert all("NJ-MINI:7.7(c)#1" in card.clauses for card in dealt)
    assert all(card.source == "shoe" for card in dealt)
    round_ = session.state.round
    assert round_ is not None
    assert round_.coup.player == parse_cards("2h Kh")
    assert round_.coup.banker == parse_cards("3d Ks")


@pytest.mark.clause("NJ-MINI:7.7(c)#1")
def test_each_card_dealt_leaves_the_shoe() -> None:
    session = ready(1)
    before = session.state.shoe
    deal(session, "2h 2h 2h Ks")
    after = session.state.shoe
    two = Card.of("2h").index
    assert after.remaining == before.remaining - 4
    assert after.unseen[two] == before.unseen[two] - 3


@pytest.mark.clause("NJ-MINI:7.7(c)#1")
def test_a_card_that_the_shoe_no_longer_holds_is_not_dealt() -> None:
    session = ready(1)
    # Eight decks hold eight kings of hearts: two rounds take three each, the third begins with two.
    for _ in range(2):
        play(session, "Kh Kh 9s Kh")
    deal(session, "Kh Kh")
    refused(session, acts.DrawCard(Card.of("Kh")), "no_such_card")
    session.execute(acts.DrawCard(Card.of("9s")))


@pytest.mark.clause("NJ-MINI:7.7(c)#2")
def test_the_licensee_deals_in_one_of_three_ways_and_in_no_other() -> None:
    for option in OPTIONS:
        assert rules_of(deal__option=option).value("deal.option", str) == option
    with pytest.raises(SubmissionError) as caught:
        rules_of(deal__option="players-turn")
    (detail,) = caught.value.errors
    assert detail.where == "deal.option"
    assert "NJ-MINI:7.7(c)#2" in detail.clauses


@pytest.mark.clause("NJ-MINI:7.7(c)1#1", "NJ-MINI:7.7(c)1#2")
def test_under_the_first_option_every_card_is_face_up_on_its_own_area() -> None:
    session = ready(1, deal__option="face-up")
    dealt = every(deal(session, FOUR_CARDS), CardDealt)
    assert [card.face_up for card in dealt] == [True] * 4
    assert [card.hand for card in dealt] == [PLAYER, BANKER, PLAYER, BANKER]
    for card in dealt:
        assert {"NJ-MINI:7.7(c)1#1", "NJ-MINI:7.7(c)1#2"} <= set(card.clauses)


@pytest.mark.clause("NJ-MINI:7.7(c)1#1")
@pytest.mark.parametrize("command", [TurnHand(PLAYER), TurnHand(BANKER)])
def test_under_the_first_option_there_is_nothing_to_turn(command: TurnHand) -> None:
    session = ready(1, deal__option="face-up")
    deal(session, FOUR_CARDS)
    refused(session, command, "not_next")


@pytest.mark.clause("NJ-MINI:7.7(c)2#1")
def test_under_the_second_option_all_four_cards_lie_face_down_and_nothing_is_called() -> None:
    session = ready(1, deal__option="face-down")
    events = deal(session, FOUR_CARDS)
    dealt = every(events, CardDealt)
    assert [card.face_up for card in dealt] == [False] * 4
    assert all(set(card.clauses) >= FACE_DOWN for card in dealt)
    assert not every(events, PointCountAnnounced)
    assert session.state.round is not None
    assert session.state.round.down == (PLAYER, BANKER)


@pytest.mark.clause("NJ-MINI:7.7(c)2#1")
def test_no_hand_is_turned_before_all_four_cards_are_dealt() -> None:
    session = ready(1, deal__option="face-down")
    deal(session, "2h 3d Kh")
    assert refused(session, TurnHand(PLAYER), "not_next").clauses == ()


@pytest.mark.clause("NJ-MINI:7.7(c)2#1")
def test_no_third_card_is_dealt_while_a_hand_lies_face_down() -> None:
    session = ready(1, deal__option="face-down")
    deal(session, FOUR_CARDS)
    refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")
    session.execute(TurnHand(PLAYER))
    refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")


@pytest.mark.clause("NJ-MINI:7.7(c)2#2")
def test_under_the_second_option_bankers_cards_are_turned_once_player_is_called() -> None:
    session = ready(1, deal__option="face-down")
    deal(session, FOUR_CARDS)
    assert refused(session, TurnHand(BANKER), "not_next").clauses == ("NJ-MINI:7.7(c)2#2",)
    turned, count = session.execute(TurnHand(PLAYER))
    assert turned == CardsReturned(None, PLAYER, ("NJ-MINI:7.7(c)2#1", "NJ-MINI:7.7(c)2#2"))
    assert isinstance(count, PointCountAnnounced)
    assert (count.hand, count.count) == (PLAYER, 2)
    turned, count, *_ = session.execute(TurnHand(BANKER))
    assert isinstance(turned, CardsReturned)
    assert isinstance(count, PointCountAnnounced)
    assert (turned.hand, count.hand, count.count) == (BANKER, BANKER, 3)
    refused(session, TurnHand(BANKER), "not_next")


@pytest.mark.clause("NJ-MINI:7.7(c)3")
def test_under_the_third_option_all_four_cards_lie_face_down_and_nothing_is_called() -> None:
    session = ready(1, deal__option="hand-over")
    events = deal(session, FOUR_CARDS)
    dealt = every(events, CardDealt)
    assert [card.face_up for card in dealt] == [False] * 4
    assert all(HAND_OVER in card.clauses for card in dealt)
    assert not every(events, PointCountAnnounced)
    assert session.state.round is not None
    assert session.state.round.down == (PLAYER, BANKER)


@pytest.mark.clause("NJ-MINI:7.7(c)3")
def test_under_the_third_option_bankers_hand_stays_under_the_shoe_until_player_is_called() -> None:
    session = hand_over((1, "player", 10000), (2, "banker", 10000))
    assert HAND_OVER in refused(session, HandCards(BANKER), "not_next").clauses
    session.execute(HandCards(PLAYER))
    assert HAND_OVER in refused(session, HandCards(BANKER), "not_next").clauses
    session.execute(ReturnCards(1, PLAYER))
    session.execute(HandCards(BANKER))


@pytest.mark.clause("NJ-MINI:7.7(c)3")
def test_no_hand_is_handed_over_before_all_four_cards_are_dealt() -> None:
    session = hand_over((1, "player", 10000), cards="2h 3d Kh")
    assert refused(session, HandCards(PLAYER), "not_next").clauses == ()


@pytest.mark.clause("NJ-MINI:7.7(c)3")
@pytest.mark.parametrize("option", ["face-up", "face-down"])
def test_hands_are_handed_over_under_the_third_option_alone(option: str) -> None:
    session = ready(1, deal__option=option)
    wager(session, (1, "player", 10000))
    deal(session, FOUR_CARDS)
    code = "no_holder" if option == "face-down" else "not_next"
    assert HAND_OVER not in refused(session, HandCards(PLAYER), code).clauses


# --- (c)3.i and ii: to whom, and back ----------------------------------------------------------

HIGHEST = [
    pytest.param([(4, "player", 10000)], 4, id="the only one"),
    pytest.param([(2, "player", 10000), (5, "player", 10100)], 5, id="one cent is more"),
    pytest.param([(5, "player", 10000), (2, "player", 10100)], 2, id="whatever the order placed"),
    pytest.param(
        [(3, "player", 10000), (6, "player", 200), (6, "tie", 50000), (6, "banker", 90000)],
        3,
        id="stakes on anything else do not count",
    ),
    pytest.param(
        [(1, "player", 10000), (7, "player", 6000), (7, "player", 6000)], 7, id="raised wagers"
    ),
]


def mirrored(wagers: list[tuple[int, str, int]], hand: Hand) -> list[tuple[int, str, int]]:
    """The same stakes with the two hands exchanged, where the hand asked for is Banker's."""
    other = {"player": "banker", "banker": "player"}
    if hand is PLAYER:
        return wagers
    return [(seat, other.get(name, name), cents) for seat, name, cents in wagers]


@pytest.mark.clause("NJ-MINI:7.7(c)3.i#1")
@pytest.mark.parametrize("layout", [COUNTERCLOCKWISE, CLOCKWISE])
@pytest.mark.parametrize(("wagers", "seat"), HIGHEST)
def test_players_hand_goes_to_the_highest_bettor_on_it(
    wagers: list[tuple[int, str, int]], seat: int, layout: TableLayout
) -> None:
    session = hand_over(*wagers, layout=layout)
    handed = only(session.execute(HandCards(PLAYER)), CardsHanded)
    assert (handed.seat, handed.hand) == (seat, PLAYER)
    assert handed.clauses[:1] == ("NJ-MINI:7.7(c)3.i#1",)


@pytest.mark.clause("NJ-MINI:7.7(c)3.ii#1")
@pytest.mark.parametrize("layout", [COUNTERCLOCKWISE, CLOCKWISE])
@pytest.mark.parametrize(("wagers", "seat"), HIGHEST)
def test_bankers_hand_goes_to_the_highest_bettor_on_it(
    wagers: list[tuple[int, str, int]], seat: int, layout: TableLayout
) -> None:
    session = hand_over(*mirrored(wagers, BANKER), (1, "player", 100), layout=layout)
    called(session, PLAYER)
    handed = only(session.execute(HandCards(BANKER)), CardsHanded)
    assert (handed.seat, handed.hand) == (seat, BANKER)
    assert handed.clauses[:1] == ("NJ-MINI:7.7(c)3.ii#1",)


@pytest.mark.clause("NJ-MINI:7.7(c)3.i#1", "NJ-MINI:7.7(c)3.ii#1")
def test_a_hand_that_nobody_wagered_on_is_turned_by_the_dealer() -> None:
    session = hand_over((3, "banker", 10000), (5, "tie", 10000))
    refused(session, HandCards(PLAYER), "no_holder")
    turned = only(session.execute(TurnHand(PLAYER)), CardsReturned)
    assert (turned.seat, turned.hand) == (None, PLAYER)
    assert holder(session, BANKER) == 3

    session = hand_over((3, "player", 10000))
    called(session, PLAYER)
    refused(session, HandCards(BANKER), "no_holder")
    assert only(session.execute(TurnHand(BANKER)), CardsReturned).seat is None


@pytest.mark.clause("NJ-MINI:7.7(c)3.i#1", "NJ-MINI:7.7(c)3.ii#1")
def test_the_dealer_does_not_turn_a_hand_that_somebody_wagered_on() -> None:
    session = hand_over((3, "player", 10000), (4, "banker", 10000))
    assert refused(session, TurnHand(PLAYER), "holder").clauses == ("NJ-MINI:7.7(c)3.i#1",)
    session.execute(HandCards(PLAYER))
    refused(session, TurnHand(PLAYER), "holder")
    session.execute(ReturnCards(3, PLAYER))
    refused(session, TurnHand(BANKER), "holder")


@pytest.mark.clause("NJ-MINI:7.7(c)3.i#1")
def test_a_hand_is_handed_over_once() -> None:
    session = hand_over((3, "player", 10000))
    session.execute(HandCards(PLAYER))
    assert refused(session, HandCards(PLAYER), "not_next").clauses == ()


@pytest.mark.clause("NJ-MINI:7.7(c)3.i#2")
def test_the_holder_returns_players_hand_face_up_and_the_dealer_calls_it() -> None:
    session = hand_over((3, "player", 10000), (4, "banker", 10000))
    session.execute(HandCards(PLAYER))
    returned, count = session.execute(ReturnCards(3, PLAYER))
    assert isinstance(returned, CardsReturned)
    assert (returned.seat, returned.hand) == (3, PLAYER)
    assert "NJ-MINI:7.7(c)3.i#2" in returned.clauses
    assert isinstance(count, PointCountAnnounced)
    assert (count.hand, count.count, count.natural) == (PLAYER, 2, False)
    assert session.state.round is not None
    assert session.state.round.down == (BANKER,)


@pytest.mark.clause("NJ-MINI:7.7(c)3.ii#2")
def test_the_holder_returns_bankers_hand_face_up_and_the_dealer_calls_it() -> None:
    session = hand_over((3, "player", 10000), (4, "banker", 10000))
    called(session, PLAYER)
    session.execute(HandCards(BANKER))
    returned, count, *_ = session.execute(ReturnCards(4, BANKER))
    assert isinstance(returned, CardsReturned)
    assert (returned.seat, returned.hand) == (4, BANKER)
    assert "NJ-MINI:7.7(c)3.ii#2" in returned.clauses
    assert isinstance(count, PointCountAnnounced)
    assert (count.hand, count.count, count.natural) == (BANKER, 3, False)
    assert session.state.round is not None
    assert session.state.round.down == ()


@pytest.mark.clause("NJ-MINI:7.7(c)3.i#2", "NJ-MINI:7.10(e)#1")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(ReturnCards(4, PLAYER), id="another bettor"),
        pytest.param(ReturnCards(5, PLAYER), id="somebody without a wager"),
        pytest.param(ReturnCards(9, PLAYER), id="a spectator"),
        pytest.param(ReturnCards(3, BANKER), id="the holder, but the other hand"),
        pytest.param(ReturnCards(4, BANKER), id="the other hand's bettor too early"),
    ],
)
def test_nobody_but_the_holder_handles_the_hand(command: ReturnCards) -> None:
    session = hand_over((3, "player", 10000), (4, "banker", 10000))
    session.execute(HandCards(PLAYER))
    clauses = refused(session, command, "hands_off").clauses
    assert {"NJ-MINI:7.10(e)#1", "NJ-MINI:7.10(e)#2"} <= set(clauses)


@pytest.mark.clause("NJ-MINI:7.7(c)3.i#2", "NJ-MINI:7.10(e)#1")
def test_the_holder_handles_no_card_before_it_is_handed_nor_after_it_is_back() -> None:
    session = hand_over((3, "player", 10000), (4, "banker", 10000))
    assert "NJ-MINI:7.10(e)#1" in refused(session, ReturnCards(3, PLAYER), "hands_off").clauses
    called(session, PLAYER)
    assert "NJ-MINI:7.10(e)#1" in refused(session, ReturnCards(3, PLAYER), "hands_off").clauses


# --- (c)3.iii and iv: third cards --------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.7(c)3.iii")
def test_players_third_card_is_face_down_and_goes_to_the_holder_of_the_hand() -> None:
    session = hand_over((3, "player", 10000), (4, "banker", 20000))
    called(session, PLAYER)
    called(session, BANKER)
    third = only(deal(session, "4c"), CardDealt)
    assert (third.hand, third.ordinal, third.face_up) == (PLAYER, 3, False)
    refused(session, TurnHand(PLAYER), "holder")
    handed = only(session.execute(HandCards(PLAYER)), CardsHanded)
    assert handed.seat == 3
    assert "NJ-MINI:7.7(c)3.iii" in handed.clauses
    clauses = refused(session, ReturnCards(4, PLAYER), "hands_off").clauses
    assert {"NJ-MINI:7.10(e)#1", "NJ-MINI:7.7(c)3.iii"} <= set(clauses)
    assert "NJ-MINI:7.7(c)3.i#1" not in clauses
    # Until it is back nobody knows whether Banker's Hand draws.
    refused(session, acts.DrawCard(Card.of("5d")), "no_card_due")
    returned = only(session.execute(ReturnCards(3, PLAYER)), CardsReturned)
    assert (returned.seat, returned.hand) == (3, PLAYER)
    assert "NJ-MINI:7.7(c)3.iii" in returned.clauses


@pytest.mark.clause("NJ-MINI:7.7(c)3.iv")
def test_bankers_third_card_is_face_down_and_goes_to_the_holder_of_the_hand() -> None:
    session = hand_over((3, "player", 10000), (4, "banker", 20000))
    called(session, PLAYER)
    called(session, BANKER)
    deal(session, "4c")
    called(session, PLAYER)
    third = only(deal(session, "5d"), CardDealt)
    assert (third.hand, third.ordinal, third.face_up) == (BANKER, 3, False)
    handed = only(session.execute(HandCards(BANKER)), CardsHanded)
    assert handed.seat == 4
    assert "NJ-MINI:7.7(c)3.iv" in handed.clauses
    events = session.execute(ReturnCards(4, BANKER))
    assert "NJ-MINI:7.7(c)3.iv" in only(events, CardsReturned).clauses
    # 2 + K + 4 is six, 3 + K + 5 is eight. The first two cards alone are called on their return.
    result = only(events, ResultAnnounced)
    assert (result.player_count, result.banker_count, result.winner) == (6, 8, BANKER)
    assert not every(events, PointCountAnnounced)


@pytest.mark.clause("NJ-MINI:7.7(c)3.iii", "NJ-MINI:7.7(c)3.iv")
def test_the_dealer_turns_the_third_card_of_a_hand_that_nobody_wagered_on() -> None:
    session = hand_over((5, "tie", 10000))
    session.execute(TurnHand(PLAYER))
    session.execute(TurnHand(BANKER))
    for hand, card in ((PLAYER, "4c"), (BANKER, "5d")):
        assert only(deal(session, card), CardDealt).face_up is False
        refused(session, HandCards(hand), "no_holder")
        assert only(session.execute(TurnHand(hand)), CardsReturned).seat is None
    assert session.state.phase is Phase.DECIDED


# --- (c)3.v: equal wagers ----------------------------------------------------------------------

# The dealer's right-hand neighbour is the first seat counterclockwise: seat 1 where the numbers
# ascend counterclockwise, the highest number where they ascend clockwise.
NEAREST: list[Any] = [
    pytest.param(COUNTERCLOCKWISE, (2, 5, 7), 2, id="counterclockwise"),
    pytest.param(COUNTERCLOCKWISE, (7, 1), 1, id="counterclockwise, the two ends"),
    pytest.param(COUNTERCLOCKWISE, (4, 3), 3, id="counterclockwise, neighbours"),
    pytest.param(CLOCKWISE, (2, 5, 7), 7, id="clockwise"),
    pytest.param(CLOCKWISE, (7, 1), 7, id="clockwise, the two ends"),
    pytest.param(CLOCKWISE, (4, 3), 4, id="clockwise, neighbours"),
]


@pytest.mark.clause("NJ-MINI:7.7(c)3.v#1")
@pytest.mark.parametrize(("layout", "seats", "nearest"), NEAREST)
def test_among_equal_wagers_on_player_the_nearest_to_the_dealer_gets_the_hand(
    layout: TableLayout, seats: tuple[int, ...], nearest: int
) -> None:
    session = hand_over(*((seat, "player", 10000) for seat in seats), layout=layout)
    handed = only(session.execute(HandCards(PLAYER)), CardsHanded)
    assert handed.seat == nearest
    assert "NJ-MINI:7.7(c)3.v#1" in handed.clauses
    session.execute(ReturnCards(nearest, PLAYER))
    session.execute(TurnHand(BANKER))
    deal(session, "4c")
    assert holder(session, PLAYER) == nearest


@pytest.mark.clause("NJ-MINI:7.7(c)3.v#2")
@pytest.mark.parametrize(("layout", "seats", "nearest"), NEAREST)
def test_among_equal_wagers_on_banker_the_nearest_to_the_dealer_gets_the_hand(
    layout: TableLayout, seats: tuple[int, ...], nearest: int
) -> None:
    session = hand_over(*((seat, "banker", 10000) for seat in seats), layout=layout)
    session.execute(TurnHand(PLAYER))
    handed = only(session.execute(HandCards(BANKER)), CardsHanded)
    assert handed.seat == nearest
    assert "NJ-MINI:7.7(c)3.v#2" in handed.clauses
    session.execute(ReturnCards(nearest, BANKER))
    deal(session, "4c")
    session.execute(TurnHand(PLAYER))
    deal(session, "5d")
    assert holder(session, BANKER) == nearest


@pytest.mark.clause("NJ-MINI:7.7(c)3.v#1")
@pytest.mark.parametrize(("layout", "nearest"), [(COUNTERCLOCKWISE, 4), (CLOCKWISE, 6)])
def test_a_lower_wager_nearer_to_the_dealer_does_not_count(
    layout: TableLayout, nearest: int
) -> None:
    session = hand_over(
        (1, "player", 9900),
        (4, "player", 10000),
        (6, "player", 10000),
        (7, "player", 9900),
        layout=layout,
    )
    assert holder(session, PLAYER) == nearest
