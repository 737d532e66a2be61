"""Section 13(d) and (e): rounds that a disclosed card or too few cards make void."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    BeginSimulatedRound,
    CardDealt,
    CardDiscarded,
    CuttingCardAppeared,
    DrawCard,
    FindFaceUpCard,
    LastHandCalled,
    LayoutCleared,
    ResultAnnounced,
    RoundVoided,
    ShoeCompleted,
    SimulatedRoundOrdered,
    StakesReleased,
    VoidRound,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.massachusetts import (
    BANKER_DRAWS,
    BANKER_STAYS,
    ERROR,
    HELD,
    HOUSE_MONEY,
    PLAYER_9_BANKER_8,
    at,
    chips,
    clear,
    deal,
    dealt,
    disclosed,
    load_short_shoe,
    ma,
    play,
    ready,
    simulate,
    stakes,
    turn,
)
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
COMPLETE: Final = {"readings": {"T32": "complete"}}


def face_down(**elections: Any) -> TableSession:
    """The same table with four cards that nobody has looked at yet."""
    session = ready(1, 2, **elections)
    wager(session, (1, "player", 1_000), (2, "banker", 1_000))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(BANKER_DRAWS):
        session.execute(DrawCard(card))
    return session


BOTH: Final = {(1, "player"): 1_000, (2, "banker"): 1_000}


# --- 13(c) and (d) in the middle of a round: two readings --------------------------------------


IN_THE_MIDDLE: Final = (disclosed(), disclosed(BANKER), FindFaceUpCard(ERROR))


@pytest.mark.clause("MA-MINI:13(d)", "MA-MINI:13(e)#1")
@pytest.mark.parametrize("command", IN_THE_MIDDLE)
def test_in_the_middle_of_a_round_it_makes_the_round_void_and_the_wagers_go_back(
    command: acts.Command,
) -> None:
    session = face_down()
    events = session.execute(command)
    voided, back = only(events, RoundVoided), only(events, StakesReleased)
    # No reshuffle: the shoe has cards, and the simulated round is dealt from it.
    assert (voided.cards_dealt, voided.simulated, voided.reshuffle) == (4, False, False)
    assert voided.clauses == back.clauses == ma("13(d)")
    assert {(one.seat, one.wager, one.cents, one.outcome) for one in back.stakes} == {
        (1, "player", 1_000, "push"), (2, "banker", 1_000, "push"),
    }  # fmt: skip
    assert (stakes(session), chips(session, 1), chips(session, 2)) == ({}, HELD, HELD)
    assert due(session) == {acts.ClearLayout}
    cleared = only(session.execute(acts.ClearLayout()), LayoutCleared)
    assert (len(cleared.player), len(cleared.banker)) == (2, 2)
    assert due(session) == {BeginSimulatedRound}
    simulate(session, "2d 3h Ks")
    play(session, PLAYER_9_BANKER_8, (1, "player", 1_000))


@pytest.mark.clause("MA-MINI:13(d)")
@pytest.mark.parametrize("command", IN_THE_MIDDLE)
def test_or_the_round_is_completed_with_the_next_cards_where_that_reading_is_taken(
    command: acts.Command,
) -> None:
    session = face_down(**COMPLETE)
    events = session.execute(command)
    assert not every(events, RoundVoided)
    assert stakes(session) == BOTH
    turn(session)
    result = only(deal(session, "4c"), ResultAnnounced)
    # Player's six against Banker's two and four: the disclosed card is in neither hand.
    assert (result.player_count, result.banker_count) == (6, 6)
    session.execute(acts.SettleWagers())
    clear(session)
    simulate(session, "2d 3h Ks")


@pytest.mark.clause("MA-MINI:13(d)", "MA-MINI:13(c)#1")
@pytest.mark.parametrize("readings", [{}, COMPLETE])
def test_a_card_face_up_where_bankers_third_is_next_was_not_dealt_to_player(
    readings: dict[str, Any],
) -> None:
    session = dealt(BANKER_DRAWS, **readings)
    events = session.execute(FindFaceUpCard(ERROR))
    assert only(events, SimulatedRoundOrdered).clauses == ma("13(d)")
    assert bool(every(events, RoundVoided)) is (readings == {})
    assert not every(events, CardDealt)


@pytest.mark.clause("MA-MINI:13(d)", "MA-MINI:8(c)(3)(i)#1")
def test_a_house_money_payout_stands_when_the_round_is_void_after_it() -> None:
    session = ready(1, **HOUSE_MONEY)
    wager(session, (1, "player", 1_000), (1, "house_money", 500))
    deal(session, "2h 3d 2c Ks")
    session.execute(acts.SettleHouseMoney({1: "player"}))
    back = only(session.execute(FindFaceUpCard(ERROR)), StakesReleased)
    assert [(one.wager, one.cents) for one in back.stakes] == [("player", 2_500)]
    assert chips(session, 1) == HELD + 1_500


@pytest.mark.clause("MA-MINI:13(d)", "MA-MINI:9(e)#3")
def test_a_simulated_round_is_not_the_one_more_hand_but_its_cover_card_has_appeared() -> None:
    session = at(Phase.TO_CUT, 1)
    load_short_shoe(session)
    play(session, PLAYER_9_BANKER_8)
    session.execute(FindFaceUpCard(ERROR))
    # The cover card lies before the third card after it.
    events = simulate(session, "2d 3h Ks")
    assert every(events, CuttingCardAppeared)
    assert every(events, LastHandCalled)
    session.execute(FindFaceUpCard(Card.of("6c")))
    assert not every(simulate(session, "2d 3h Ks"), ShoeCompleted)
    assert every(play(session, PLAYER_9_BANKER_8), ShoeCompleted)


@pytest.mark.clause("MA-MINI:13(d)", "MA-MINI:9(e)#3")
def test_a_void_round_is_not_the_one_more_hand_which_no_one_has_played() -> None:
    session = at(Phase.TO_CUT, 1)
    load_short_shoe(session)
    play(session, PLAYER_9_BANKER_8)
    assert every(play(session, PLAYER_9_BANKER_8), LastHandCalled)
    wager(session, (1, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    assert only(session.execute(FindFaceUpCard(ERROR)), RoundVoided).cards_dealt == 0
    cleared = session.execute(acts.ClearLayout())
    assert not only(cleared, LayoutCleared).counted
    assert not every(cleared, ShoeCompleted)
    assert not every(simulate(session, "2d 3h Ks"), ShoeCompleted)
    assert every(play(session, PLAYER_9_BANKER_8), ShoeCompleted)


# --- 13(e): too few cards ----------------------------------------------------------------------


def short(remaining: int, **elections: Any) -> TableSession:
    """A table open for wagers whose shoe holds that many cards."""
    session = ready(1, 2, **elections)
    shoe = replace(session.state.shoe, remaining=remaining, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    wager(session, (1, "player", 1_000), (1, "tie", 300), (2, "banker", 1_000))
    return session


@pytest.mark.clause("MA-MINI:13(e)#1")
@pytest.mark.parametrize("cards", ["", "2h", "2h 3d", "2h 3d Kh", "2h 3d Kh Qs", "2h 3d Kh Qs 4c"])
def test_a_round_that_the_shoe_cannot_finish_is_void_and_all_wagers_go_back(cards: str) -> None:
    session = short(len(cards.split()))
    deal(session, cards)
    if not cards:
        assert session.state.phase is Phase.DEALING
    assert due(session) == {VoidRound}
    assert refused(session, DrawCard(Card.of("9c")), "shoe_empty").clauses == ma("13(e)#1")
    events = session.execute(VoidRound())
    voided, back = only(events, RoundVoided), only(events, StakesReleased)
    assert (voided.cards_dealt, voided.reshuffle) == (len(cards.split()), True)
    assert voided.clauses == ma("13(e)#1", "13(e)#2")
    assert {(one.seat, one.wager, one.cents) for one in back.stakes} == {
        (1, "player", 1_000), (1, "tie", 300), (2, "banker", 1_000),
    }  # fmt: skip
    assert back.clauses == ma("13(e)#1")
    assert (chips(session, 1), chips(session, 2), stakes(session)) == (HELD, HELD, {})


@pytest.mark.clause("MA-MINI:13(e)#1")
def test_a_round_for_which_there_are_cards_is_not_void() -> None:
    session = short(5)
    deal(session, "2h 3d Kh Qs")
    assert refused(session, VoidRound(), "cards_left").clauses == ma("13(e)#1")


@pytest.mark.clause("MA-MINI:13(e)#1")
def test_the_last_card_of_a_shoe_may_finish_a_round() -> None:
    session = short(4)
    deal(session, PLAYER_9_BANKER_8)
    session.execute(acts.SettleWagers())
    assert chips(session, 1) == HELD + 1_000 - 300


@pytest.mark.clause("MA-MINI:13(e)#2")
def test_a_new_round_begins_once_all_cards_are_reshuffled_and_in_the_shoe() -> None:
    session = short(4)
    deal(session, "2h 3d Kh Qs")
    session.execute(VoidRound())
    for command in (acts.CallNoMoreBets(), DrawCard(Card.of("9c"))):
        assert refused(session, command, "not_now").clauses == ma("13(e)#2")
    # Nothing is left in the shoe to plug.
    refused(session, acts.PerformShuffleStep("plug"), "step")
    assert due(session) == {acts.PerformShuffleStep}
    advance(session, Phase.BETTING)
    assert session.state.shoe.remaining == 414
    play(session, PLAYER_9_BANKER_8, (1, "player", 1_000))


@pytest.mark.clause("MA-MINI:13(e)#1", "MA-MINI:13(c)(1)")
def test_where_the_shoe_has_no_card_more_the_disclosed_card_goes_to_the_rack_alone() -> None:
    session = short(5)
    deal(session, BANKER_STAYS)
    discarded = only(session.execute(disclosed(PLAYER)), CardDiscarded)
    assert (discarded.to_discard, session.state.shoe.remaining) == (0, 0)
    session.execute(acts.SettleWagers())
