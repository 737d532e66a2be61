"""19:47-7.8: what is called, third cards, and the end of the shoe."""

from collections.abc import Iterable
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    BankerFirstRequested,
    CardDealt,
    CardsHanded,
    ClearLayout,
    CuttingCardAppeared,
    DrawCard,
    DrawCardInError,
    Event,
    HandCards,
    LastHandCalled,
    PointCountAnnounced,
    RequestBankerFirst,
    ResultAnnounced,
    ReturnCards,
    SettleWagers,
    ShoeCompleted,
    StakesReleased,
    ThirdCardRuled,
    TurnHand,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.table import deal, every, only, open_table, play, ready, refused, rules_of, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER

FOUR = "9h 8d Kh Ks"  # Player has a natural: four cards and no more.
SIX = "2h 3d Kh Ks 4c 5d"  # Player 2 draws a 4, Banker 3 draws.


def spoken(events: Iterable[Event]) -> list[tuple[Hand, int]]:
    """The Point Counts that were announced, in order."""
    return [(event.hand, event.count) for event in every(events, PointCountAnnounced)]


# --- (a): the counts are called ----------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.8(a)#1")
def test_dealt_face_up_player_is_called_with_the_fourth_card_and_then_banker() -> None:
    session = ready(1, deal__option="face-up")
    assert spoken(deal(session, "2h 3d Kh")) == []
    events = deal(session, "Ks")
    assert spoken(events) == [(PLAYER, 2), (BANKER, 3)]
    assert all("NJ-MINI:7.8(a)#1" in event.clauses for event in every(events, PointCountAnnounced))


@pytest.mark.clause("NJ-MINI:7.8(a)#1")
def test_dealt_face_down_player_is_called_as_it_is_turned_and_then_banker() -> None:
    session = ready(1, deal__option="face-down")
    events = deal(session, "2h 3d Kh Ks")
    events += session.execute(TurnHand(PLAYER))
    assert spoken(events) == [(PLAYER, 2)]
    events += session.execute(TurnHand(BANKER))
    assert spoken(events) == [(PLAYER, 2), (BANKER, 3)]


@pytest.mark.clause("NJ-MINI:7.8(a)#2")
def test_handed_over_each_hand_is_called_as_it_comes_back() -> None:
    session = ready(1, 2, deal__option="hand-over")
    wager(session, (1, "player", 10000), (2, "banker", 10000))
    deal(session, "2h 3d Kh Ks")
    assert spoken(session.execute(HandCards(PLAYER))) == []
    events = session.execute(ReturnCards(1, PLAYER))
    assert spoken(events) == [(PLAYER, 2)]
    assert "NJ-MINI:7.8(a)#2" in only(events, PointCountAnnounced).clauses
    assert spoken(session.execute(HandCards(BANKER))) == []
    assert spoken(session.execute(ReturnCards(2, BANKER))) == [(BANKER, 3)]


@pytest.mark.clause("NJ-MINI:7.8(a)#1")
@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("9h 8d Kh Ks", ["Player natural 9", "Banker natural 8"]),
        ("7h Ad Kh Ks", ["Player 7", "Banker 1"]),
        ("Th Qd Kh Ks", ["Player 0", "Banker 0"]),
    ],
)
def test_the_counts_are_called_in_words_with_a_natural_named(cards: str, words: list[str]) -> None:
    events = deal(ready(1), cards)
    assert [event.words for event in every(events, PointCountAnnounced)] == words


# --- (a): Banker's Hand first, on request ------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
def test_where_elected_a_player_may_have_bankers_hand_turned_first() -> None:
    session = ready(1, deal__option="face-down", deal__banker_first=True)
    deal(session, "2h 3d Kh Ks")
    (asked,) = session.execute(RequestBankerFirst(1))
    assert asked == BankerFirstRequested(1, ("NJ-MINI:7.8(a)#3",))
    refused(session, TurnHand(PLAYER), "not_next")
    events = [*session.execute(TurnHand(BANKER)), *session.execute(TurnHand(PLAYER))]
    assert spoken(events) == [(BANKER, 3), (PLAYER, 2)]
    # The tableau is read as always: Player's Hand is ruled on first.
    assert [ruled.hand for ruled in every(events, ThirdCardRuled)] == [PLAYER]


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
def test_handed_over_bankers_hand_goes_out_first_on_request() -> None:
    session = ready(1, 2, deal__option="hand-over", deal__banker_first=True)
    wager(session, (1, "player", 10000), (2, "banker", 10000))
    deal(session, "2h 3d Kh Ks")
    session.execute(RequestBankerFirst(1))
    refused(session, HandCards(PLAYER), "not_next")
    events = [*session.execute(HandCards(BANKER)), *session.execute(ReturnCards(2, BANKER))]
    events += [*session.execute(HandCards(PLAYER)), *session.execute(ReturnCards(1, PLAYER))]
    assert [handed.seat for handed in every(events, CardsHanded)] == [2, 1]
    assert spoken(events) == [(BANKER, 3), (PLAYER, 2)]


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
@pytest.mark.parametrize("option", ["face-down", "hand-over"])
def test_where_it_is_not_elected_players_hand_is_turned_first_all_the_same(option: str) -> None:
    session = ready(1, deal__option=option, deal__banker_first=False)
    deal(session, "2h 3d Kh Ks")
    refusal = refused(session, RequestBankerFirst(1), "not_elected")
    assert refusal.clauses == ("NJ-MINI:7.8(a)#3",)


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
def test_dealt_face_up_there_is_no_hand_meant_first() -> None:
    session = ready(1, deal__option="face-up")
    deal(session, "2h 3d Kh Ks")
    refused(session, RequestBankerFirst(1), "not_elected")


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
def test_it_is_asked_neither_before_four_cards_nor_after_a_hand_is_turned() -> None:
    session = ready(1, deal__option="face-down", deal__banker_first=True)
    deal(session, "2h 3d Kh")
    assert refused(session, RequestBankerFirst(1), "too_early").clauses == ("NJ-MINI:7.8(a)#3",)
    deal(session, "Ks")
    session.execute(TurnHand(PLAYER))
    assert refused(session, RequestBankerFirst(1), "too_late").clauses == ("NJ-MINI:7.8(a)#3",)


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
def test_it_is_not_asked_once_players_hand_is_with_its_holder_nor_twice() -> None:
    session = ready(1, deal__option="hand-over", deal__banker_first=True)
    wager(session, (1, "player", 10000))
    deal(session, "2h 3d Kh Ks")
    session.execute(HandCards(PLAYER))
    refused(session, RequestBankerFirst(1), "too_late")

    session = ready(1, deal__option="face-down", deal__banker_first=True)
    deal(session, "2h 3d Kh Ks")
    session.execute(RequestBankerFirst(1))
    refused(session, RequestBankerFirst(1), "same")


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
def test_it_is_not_asked_while_players_hand_is_on_offer() -> None:
    session = ready(1, 2, deal__option="hand-over", deal__banker_first=True)
    wager(session, (1, "player", 10000))
    deal(session, "2h 3d Kh Ks")
    session.execute(acts.RelinquishCards(1, PLAYER))
    assert refused(session, RequestBankerFirst(1), "too_late").clauses == ("NJ-MINI:7.8(a)#3",)


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
def test_only_a_player_asks_for_it() -> None:
    session = ready(1, deal__option="face-down", deal__banker_first=True)
    deal(session, "2h 3d Kh Ks")
    assert refused(session, RequestBankerFirst(4), "seat_empty").clauses == ()


@pytest.mark.clause("NJ-MINI:7.8(a)#3")
def test_the_request_holds_for_that_round_alone() -> None:
    session = ready(1, deal__option="face-down", deal__banker_first=True)
    deal(session, FOUR)
    session.execute(RequestBankerFirst(1))
    session.execute(TurnHand(BANKER))
    session.execute(TurnHand(PLAYER))
    session.execute(SettleWagers())
    session.execute(ClearLayout())
    deal(session, FOUR)
    refused(session, TurnHand(BANKER), "not_next")
    session.execute(TurnHand(PLAYER))


# --- (b) to (d): third cards -------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.8(b)")
@pytest.mark.parametrize(
    ("cards", "rulings"),
    [
        pytest.param("9h 2d Kh Ks", [(PLAYER, False), (BANKER, False)], id="natural"),
        pytest.param("6h 7d Kh Ks", [(PLAYER, False), (BANKER, False)], id="both stay"),
        pytest.param("6h 5d Kh Ks 2c", [(PLAYER, False), (BANKER, True)], id="Banker draws"),
        pytest.param("5h 7d Kh Ks 2c", [(PLAYER, True), (BANKER, False)], id="Player draws"),
        pytest.param("2h 3d Kh Ks 4c 5d", [(PLAYER, True), (BANKER, True)], id="both draw"),
        pytest.param("2h 3d Kh Ks 8c", [(PLAYER, True), (BANKER, False)], id="three against eight"),
    ],
)
def test_after_the_counts_the_dealer_rules_on_each_hands_third_card(
    cards: str, rulings: list[tuple[Hand, bool]]
) -> None:
    session = ready(1)
    events = deal(session, cards)
    assert [(ruled.hand, ruled.draws) for ruled in every(events, ThirdCardRuled)] == rulings
    first = next(at for at, event in enumerate(events) if isinstance(event, ThirdCardRuled))
    assert len(every(events[:first], PointCountAnnounced)) == 2
    assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("NJ-MINI:7.8(c)#1")
@pytest.mark.parametrize("option", ["face-up", "face-down"])
def test_third_cards_are_face_up_players_first(option: str) -> None:
    session = ready(1, deal__option=option)
    deal(session, "2h 3d Kh Ks")
    if option == "face-down":
        session.execute(TurnHand(PLAYER))
        session.execute(TurnHand(BANKER))
    thirds = every(deal(session, "4c 5d"), CardDealt)
    assert [(card.hand, card.ordinal, card.face_up) for card in thirds] == [
        (PLAYER, 3, True),
        (BANKER, 3, True),
    ]
    assert all("NJ-MINI:7.8(c)#1" in card.clauses for card in thirds)
    assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("NJ-MINI:7.8(c)#2")
def test_handed_over_third_cards_are_face_down_players_first() -> None:
    session = ready(1, deal__option="hand-over")
    wager(session, (1, "player", 10000), (1, "banker", 10000))
    deal(session, "2h 3d Kh Ks")
    thirds = []
    for hand, then in ((PLAYER, ""), (BANKER, "4c"), (PLAYER, "5d"), (BANKER, "")):
        session.execute(HandCards(hand))
        session.execute(ReturnCards(1, hand))
        thirds += every(deal(session, then), CardDealt)
    assert [(card.hand, card.ordinal, card.face_up) for card in thirds] == [
        (PLAYER, 3, False),
        (BANKER, 3, False),
    ]
    assert all("NJ-MINI:7.8(c)#2" in card.clauses for card in thirds)
    assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("NJ-MINI:7.8(d)")
@pytest.mark.parametrize(
    ("cards", "by"),
    [
        ("9h 2d Kh Ks", ["7.9(a)"]),
        ("6h 7d Kh Ks", ["7.9(b)#2", "7.9(c)", "7.9_Table_2#6"]),
        ("6h 5d Kh Ks 2c", ["7.9(b)#2", "7.8(d)"]),
        ("5h 7d Kh Ks 2c", ["7.8(d)", "7.9(c)", "7.9_Table_2#6"]),
        (SIX, ["7.8(d)"]),
        ("2h 3d Kh Ks 8c", ["7.8(d)", "7.9(c)", "7.9_Table_2#2"]),
    ],
)
def test_no_card_is_dealt_to_hands_that_have_all_they_may_have(cards: str, by: list[str]) -> None:
    session = ready(1)
    deal(session, cards)
    refusal = refused(session, DrawCard(Card.of("As")), "no_card_due")
    assert refusal.clauses == tuple(f"NJ-MINI:{clause}" for clause in by)
    session.execute(SettleWagers())
    refused(session, DrawCard(Card.of("As")), "no_card_due")


@pytest.mark.clause("NJ-MINI:7.8(d)")
@pytest.mark.parametrize("option", ["face-up", "face-down", "hand-over"])
def test_each_hand_has_two_cards_and_at_most_one_more(option: str) -> None:
    session = ready(1, deal__option=option)
    dealt = every(deal(session, "2h 3d Kh Ks"), CardDealt)
    for hand, card in ((PLAYER, "4c"), (BANKER, "5d")):
        if option != "face-up" and hand is PLAYER:
            session.execute(TurnHand(PLAYER))
            session.execute(TurnHand(BANKER))
        dealt += every(deal(session, card), CardDealt)
        if option == "hand-over":
            session.execute(TurnHand(hand))
    for hand in Hand:
        assert [card.ordinal for card in dealt if card.hand is hand] == [1, 2, 3]
    assert session.state.phase is Phase.DECIDED


# --- (e): the cutting card ---------------------------------------------------------------------


def short_shoe(
    before: int, *seats: int, readings: dict[str, str] | None = None, **elections: Any
) -> TableSession:
    """A table whose cutting card lies that many cards down, after the burn of an ace and a two."""
    rules = rules_of(layout=TableLayout(), readings=readings, **elections)
    session = open_table(rules, *(seats or (1,)))
    advance(session, Phase.CUT)
    session.execute(acts.InsertCuttingCards(8 * 52 - 2 - before))
    advance(session, Phase.BETTING)
    return session


def after_settlement(session: TableSession) -> list[Event]:
    """Settle and clear the layout, and tell what followed."""
    session.execute(SettleWagers())
    return list(session.execute(ClearLayout()))


@pytest.mark.clause("NJ-MINI:7.8(e)#1")
@pytest.mark.parametrize("before", [1, 2, 3, 4, 5])
def test_the_cutting_card_is_put_aside_where_it_appears_and_the_hand_is_completed(
    before: int,
) -> None:
    session = short_shoe(before)
    events = deal(session, SIX)
    gap = only(events, CuttingCardAppeared)
    assert gap.clauses == ("NJ-MINI:7.8(e)#1",)
    assert gap.first_of_round is False
    # That many cards lay before it, and the hand went on to its sixth card all the same.
    assert len(every(events[: events.index(gap)], CardDealt)) == before
    assert len(every(events, CardDealt)) == 6
    assert only(events, ResultAnnounced).cards == 6


@pytest.mark.clause("NJ-MINI:7.8(e)#1")
def test_the_cutting_card_does_not_appear_with_the_last_card_before_it() -> None:
    session = short_shoe(4)
    assert not every(play(session, FOUR), CuttingCardAppeared)
    assert session.state.hands_left is None
    assert not session.state.cutting_card_out


@pytest.mark.clause("NJ-MINI:7.8(e)#2")
@pytest.mark.parametrize("before", [1, 3])
def test_after_that_hand_the_last_hand_is_called(before: int) -> None:
    session = short_shoe(before)
    events = deal(session, FOUR)
    assert not every(events, LastHandCalled)
    assert not every(session.execute(SettleWagers()), LastHandCalled)
    called = only(session.execute(ClearLayout()), LastHandCalled)
    assert called == LastHandCalled("last hand", 1, ("NJ-MINI:7.8(e)#2",))


@pytest.mark.clause("NJ-MINI:7.8(e)#2", "NJ-MINI:7.8(e)#3")
def test_the_last_hand_is_called_once_and_exactly_one_more_hand_is_dealt() -> None:
    session = short_shoe(9)
    played = [play(session, FOUR) for _ in range(2)]
    assert not any(every(events, LastHandCalled) for events in played)
    # The third hand takes the ninth card before the cutting card, and three behind it.
    assert every(play(session, FOUR), LastHandCalled)
    last = play(session, FOUR)
    assert not every(last, LastHandCalled)
    assert only(last, ShoeCompleted) == ShoeCompleted(1, ("NJ-MINI:7.8(e)#3",))
    assert session.state.phase is Phase.SHOE_COMPLETED
    assert session.state.rounds == 4


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_no_card_is_dealt_between_the_last_hand_and_the_reshuffle() -> None:
    session = short_shoe(1)
    play(session, FOUR)
    play(session, FOUR)
    for command in (acts.CallNoMoreBets(), DrawCard(Card.of("9h"))):
        assert refused(session, command, "not_now").clauses == ("NJ-MINI:7.8(e)#3",)
    advance(session, Phase.BETTING)
    play(session, FOUR)
    assert session.state.shoe.number == 2
    assert session.state.hands_left is None


@pytest.mark.clause("NJ-MINI:7.8(e)#1")
@pytest.mark.parametrize("option", ["face-down", "hand-over"])
def test_the_cutting_card_appears_before_a_third_card_too(option: str) -> None:
    session = short_shoe(4, deal__option=option)
    assert not every(deal(session, "2h 3d Kh Ks"), CuttingCardAppeared)
    session.execute(TurnHand(PLAYER))
    session.execute(TurnHand(BANKER))
    gap, third, *_ = deal(session, "4c")
    assert isinstance(gap, CuttingCardAppeared)
    assert isinstance(third, CardDealt)


@pytest.mark.clause("NJ-MINI:7.8(e)#1", "NJ-MINI:7.8(e)#3")
def test_by_the_literal_text_a_round_that_begins_with_the_cutting_card_has_one_more_after_it() -> (
    None
):
    session = short_shoe(4)
    play(session, FOUR)
    events = deal(session, FOUR)
    assert only(events, CuttingCardAppeared).first_of_round is True
    assert isinstance(events[1], CuttingCardAppeared)
    assert only(after_settlement(session), LastHandCalled).hands == 1
    assert every(play(session, FOUR), ShoeCompleted)
    assert session.state.rounds == 3


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_by_the_other_reading_a_round_that_begins_with_the_cutting_card_is_the_last() -> None:
    session = short_shoe(4, readings={"T08": "last"})
    play(session, FOUR)
    deal(session, FOUR)
    after = after_settlement(session)
    assert not every(after, LastHandCalled)
    assert every(after, ShoeCompleted)
    assert session.state.phase is Phase.SHOE_COMPLETED
    assert session.state.rounds == 2


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_by_the_other_reading_too_a_cutting_card_in_mid_hand_leaves_one_more() -> None:
    session = short_shoe(1, readings={"T08": "last"})
    assert only(play(session, FOUR), LastHandCalled).hands == 1
    assert every(play(session, FOUR), ShoeCompleted)
    assert session.state.rounds == 2


@pytest.mark.clause("NJ-MINI:7.8(e)#1", "NJ-MINI:7.8(e)#2")
def test_a_cutting_card_that_appears_with_a_card_drawn_in_error_after_the_result_counts() -> None:
    session = short_shoe(4)
    deal(session, FOUR)
    events = session.execute(DrawCardInError(Card.of("2c"), disclosed=False))
    assert only(events, CuttingCardAppeared).first_of_round is False
    assert every(after_settlement(session), LastHandCalled)


# --- (e) in a simulated round ------------------------------------------------------------------


def simulate(session: TableSession, first: str, rest: str) -> list[Event]:
    """Disclose a card in error between rounds, and deal the simulated round that it begins."""
    events = list(session.execute(DrawCardInError(Card.of(first), disclosed=True)))
    events += session.execute(acts.BeginSimulatedRound())
    events += deal(session, rest)
    events += session.execute(ClearLayout())
    return events


SIMULATED: Final[dict[str, Any]] = {"irregularity__disclosed_card": "simulated-round"}


@pytest.mark.clause("NJ-MINI:7.8(e)#1", "NJ-MINI:7.8(e)#2")
@pytest.mark.parametrize("reading", ["does-not-count", "counts"])
@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_cutting_card_in_a_simulated_round_has_appeared_and_one_hand_follows(
    before: int, reading: str
) -> None:
    session = short_shoe(4 + before, readings={"T20": reading}, **SIMULATED)
    play(session, FOUR)
    events = simulate(session, "9h", "8d Kh Ks")
    assert every(events, CuttingCardAppeared)
    assert only(events, LastHandCalled).hands == 1
    assert not every(events, ShoeCompleted)
    last = play(session, FOUR)
    assert not every(last, LastHandCalled)
    assert every(last, ShoeCompleted)


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_a_simulated_round_does_not_use_up_the_one_more_hand() -> None:
    session = short_shoe(1, **SIMULATED)
    assert every(play(session, FOUR), LastHandCalled)
    events = simulate(session, "9h", "8d Kh Ks")
    assert not every(events, ShoeCompleted)
    assert not every(events, LastHandCalled)
    assert session.state.hands_left == 1
    assert every(play(session, FOUR), ShoeCompleted)


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_by_the_other_reading_a_simulated_round_uses_up_the_one_more_hand() -> None:
    session = short_shoe(1, readings={"T20": "counts"}, **SIMULATED)
    assert every(play(session, FOUR), LastHandCalled)
    assert every(simulate(session, "9h", "8d Kh Ks"), ShoeCompleted)
    assert session.state.phase is Phase.SHOE_COMPLETED


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_by_the_other_reading_a_simulated_round_before_the_call_uses_up_nothing() -> None:
    session = short_shoe(100, readings={"T20": "counts"}, **SIMULATED)
    assert not every(simulate(session, "9h", "8d Kh Ks"), ShoeCompleted)
    assert session.state.hands_left is None


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_a_wager_that_a_simulated_round_left_without_a_hand_is_its_owners_again() -> None:
    session = short_shoe(1, readings={"T20": "counts"}, **SIMULATED)
    play(session, FOUR)
    wager(session, (1, "player", 10000))
    released = only(simulate(session, "9h", "8d Kh Ks"), StakesReleased)
    assert released.clauses == ("NJ-MINI:7.8(e)#3",)
    assert not session.state.stakes
    assert session.state.seats[1].chips_cents == 1_000_000
    advance(session, Phase.BETTING)
