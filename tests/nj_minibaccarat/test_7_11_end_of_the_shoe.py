"""19:47-7.11 where the shoe ends: what it still owes, what goes with it, and what begins the next hand."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.acts import (
    BeginSimulatedRound,
    CallNoMoreBets,
    CardDealt,
    CardDiscarded,
    ClearLayout,
    DrawCard,
    DrawCardInError,
    FindFaceUpCard,
    FindWrongCard,
    InsertCuttingCards,
    LastHandCalled,
    LayoutCleared,
    LosingWagersCollected,
    PerformShuffleStep,
    SettleWagers,
    ShoeCompleted,
    StakesReleased,
    UseHeldCard,
    VoidRound,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.table import at, deal, due, every, load_short_shoe, only, play, ready, refused, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

FOUR: Final = "9h 8d Kh Ks"
"""Player has a natural: four cards and no more."""
SIMULATED: Final[dict[str, Any]] = {"irregularity__disclosed_card": "simulated-round"}
SEEN: Final = DrawCardInError(Card.of("9c"), disclosed=True, dealt_to=None)


def holding(session: TableSession, cards: int) -> TableSession:
    """Leave so many cards in the shoe: no lawful one is so short but by irregularities."""
    shoe = replace(session.state.shoe, remaining=cards, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    return session


def last_hand_called(*, cards: int, **elections: Any) -> TableSession:
    """A table whose last hand has been called, with so many cards in its shoe."""
    session = at(Phase.TO_CUT, 1, **elections)
    load_short_shoe(session)
    play(session, FOUR)
    assert only(play(session, FOUR), LastHandCalled).hands == 1
    return holding(session, cards)


def cleared(session: TableSession) -> list[type]:
    """Settle and clear; say what the clearing of the layout brings about."""
    session.execute(SettleWagers())
    return [type(event) for event in session.execute(ClearLayout())]


# --- the last hand -----------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
@pytest.mark.parametrize("cards", [4, 10])
def test_after_the_last_hand_it_is_the_call_that_bars_another_however_many_cards_are_left(
    cards: int,
) -> None:
    session = last_hand_called(cards=cards)
    deal(session, FOUR)
    assert cleared(session) == [LayoutCleared, ShoeCompleted]
    assert session.state.shoe.remaining == cards - 4
    for command in (CallNoMoreBets(), DrawCard(Card.of("9c"))):
        assert refused(session, command, "not_now").clauses == ("NJ-MINI:7.8(e)#3",)


@pytest.mark.clause("NJ-MINI:7.11(e)#1", "NJ-MINI:7.11(e)#2")
def test_where_the_cards_do_not_suffice_for_the_last_hand_it_is_the_reshuffle_that_is_waited_for() -> (
    None
):
    session = last_hand_called(cards=3)
    deal(session, "9h 8d Kh")
    session.execute(VoidRound())
    assert refused(session, CallNoMoreBets(), "not_now").clauses == ("NJ-MINI:7.11(e)#2",)


@pytest.mark.clause("NJ-MINI:7.8(e)#3", "NJ-MINI:7.11(c)3")
@pytest.mark.parametrize("reading", ["counts", "does-not-count"])
def test_a_simulated_round_that_the_last_hand_leaves_is_dealt_before_the_shoe_ends(
    reading: str,
) -> None:
    session = last_hand_called(cards=8, readings={"T20": reading}, **SIMULATED)
    deal(session, FOUR)
    session.execute(SEEN)
    assert cleared(session) == [LayoutCleared]
    assert due(session) == {BeginSimulatedRound}
    # Its cards are not mixed again before.
    refusal = refused(session, PerformShuffleStep("wash"), "simulated_round_due")
    assert refusal.clauses == ("NJ-MINI:7.11(c)3",)
    session.execute(BeginSimulatedRound())
    deal(session, "2d Kd Qs")
    events = session.execute(ClearLayout())
    assert only(events, LayoutCleared).counted is (reading == "counts")
    assert every(events, ShoeCompleted)
    # The shoe is empty now, and still it is the last hand that was the last.
    assert session.state.shoe.remaining == 0
    assert refused(session, CallNoMoreBets(), "not_now").clauses == ("NJ-MINI:7.8(e)#3",)


# --- a round that begins with the cutting card, read as the last -------------------------------


def begun_with_the_cutting_card(**elections: Any) -> TableSession:
    """A round of four cards that began with the cutting card, which makes it the last hand."""
    session = at(Phase.CUT, 1, readings={"T08": "last"}, **elections)
    # Of eight decks two cards are burned, and none is dealt before it.
    session.execute(InsertCuttingCards(414))
    advance(session, Phase.BETTING)
    deal(session, FOUR)
    return session


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_read_so_no_hand_is_called_after_a_round_that_begins_with_the_cutting_card() -> None:
    session = begun_with_the_cutting_card()
    assert cleared(session) == [LayoutCleared, ShoeCompleted]
    assert refused(session, CallNoMoreBets(), "not_now").clauses == ("NJ-MINI:7.8(e)#3",)


@pytest.mark.clause("NJ-MINI:7.8(e)#3", "NJ-MINI:7.11(c)3")
def test_read_so_a_simulated_round_that_it_leaves_is_dealt_and_no_hand_besides() -> None:
    session = begun_with_the_cutting_card(**SIMULATED)
    session.execute(SEEN)
    session.execute(SettleWagers())
    events = session.execute(ClearLayout())
    assert only(events, LastHandCalled).hands == 0
    assert not every(events, ShoeCompleted)
    assert due(session) == {BeginSimulatedRound}
    session.execute(BeginSimulatedRound())
    deal(session, "2d Kd Qs")
    assert every(session.execute(ClearLayout()), ShoeCompleted)


# --- cards that are held -----------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_a_card_drawn_in_error_that_the_hand_has_no_need_of_begins_the_hand_after_it() -> None:
    """Five cards wait, four make a natural, and one more is drawn in error behind them."""
    session = ready(1)
    for card in (*parse_cards(FOUR), Card.of("3c")):
        session.execute(DrawCardInError(card, disclosed=False, dealt_to=None))
    session.execute(CallNoMoreBets())
    for _ in range(4):
        session.execute(UseHeldCard())
    assert session.state.phase is Phase.DECIDED
    session.execute(DrawCardInError(Card.of("7d"), disclosed=False, dealt_to=None))
    cleared(session)
    session.execute(CallNoMoreBets())
    used = [only(session.execute(UseHeldCard()), CardDealt).card for _ in range(2)]
    assert tuple(used) == tuple(parse_cards("3c 7d"))


# --- a card that cannot be there ---------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.11(c)2", "NJ-MINI:7.11(c)3")
@pytest.mark.parametrize("elected", ["discard-one", "simulated-round"])
def test_what_a_shoe_still_owes_goes_with_it_where_its_cards_are_taken_out_of_use(
    elected: str,
) -> None:
    session = ready(1, irregularity__disclosed_card=elected)
    session.execute(SEEN)
    assert due(session) == {DrawCard if elected == "discard-one" else BeginSimulatedRound}
    assert every(session.execute(FindWrongCard("damaged", "Flo")), ShoeCompleted)
    assert (session.state.to_discard, session.state.simulate_with) == (0, ())
    assert not due(session) & {DrawCard, BeginSimulatedRound}


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_a_card_that_is_held_is_taken_out_of_use_with_its_shoe() -> None:
    session = ready(1)
    session.execute(DrawCardInError(Card.of("3c"), disclosed=False, dealt_to=None))
    session.execute(FindWrongCard("damaged", "Flo"))
    assert session.state.held == ()


def test_a_round_that_has_its_result_stands_and_the_shoe_ends_with_it() -> None:
    session = ready(1)
    wager(session, (1, "player", 1_000))
    deal(session, FOUR)
    session.execute(FindWrongCard("damaged", "Flo"))
    assert session.state.phase is Phase.DECIDED
    assert cleared(session) == [LayoutCleared, ShoeCompleted]


# --- what is told, and what is not --------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_a_wager_of_a_void_round_goes_back_as_void_and_not_by_a_result() -> None:
    session = holding(ready(1), 3)
    wager(session, (1, "player", 1_000), (1, "tie", 500))
    deal(session, "2h 3d Kh")
    back = only(session.execute(VoidRound()), StakesReleased)
    assert {(one.wager, one.outcome, one.line) for one in back.stakes} == {
        ("player", "push", "void"), ("tie", "push", "void"),
    }  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.10(b)#1")
def test_where_no_wager_has_lost_none_is_said_to_be_collected() -> None:
    session = ready(1)
    wager(session, (1, "player", 1_000))
    deal(session, FOUR)
    assert not every(session.execute(SettleWagers()), LosingWagersCollected)


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
def test_nothing_is_settled_while_cards_are_still_to_be_discarded() -> None:
    session = ready(1)
    deal(session, FOUR)
    session.execute(FindFaceUpCard(Card.of("3c")))
    refused(session, SettleWagers(), "discards_due")


# --- a card that leaves the shoe after its last hand -------------------------------------------


def after_last_hand(**elections: Any) -> TableSession:
    session = last_hand_called(cards=20, **elections)
    play(session, FOUR)
    assert session.state.phase is Phase.SHOE_COMPLETED
    return session


@pytest.mark.clause("NJ-MINI:7.8(e)#3", "NJ-MINI:7.11(b)")
@pytest.mark.parametrize("procedure", ["simulated-round", "discard-one", "discard-by-value"])
@pytest.mark.parametrize("disclosed", [True, False])
def test_a_card_that_leaves_the_shoe_after_its_last_hand_goes_to_the_rack_and_nothing_follows(
    procedure: str, *, disclosed: bool
) -> None:
    session = after_last_hand(irregularity__disclosed_card=procedure)
    assert DrawCardInError in {one.command for one in session.legal()}
    drawn, back = session.execute(DrawCardInError(Card.of("9c"), disclosed))
    for event in (drawn, back):
        assert event.clauses == ("NJ-MINI:7.8(e)#3", "C202")
    assert isinstance(back, CardDiscarded)
    assert back.card == (Card.of("9c") if disclosed else None)
    state = session.state
    assert (state.shoe.remaining, state.held, state.simulate_with, state.to_discard) == (
        15, (), (), 0,
    )  # fmt: skip
    assert refused(session, DrawCard(Card.of("2c")), "not_now").clauses == ("NJ-MINI:7.8(e)#3",)
    advance(session, Phase.BETTING)
    assert session.state.held == ()


@pytest.mark.clause("NJ-MINI:7.8(e)#3", "NJ-MINI:7.11(d)#1")
def test_a_card_found_face_up_after_the_last_hand_is_followed_by_no_other() -> None:
    session = after_last_hand()
    (found,) = session.execute(FindFaceUpCard(Card.of("9c")))
    assert found.clauses == ("NJ-MINI:7.8(e)#3", "C202")
    assert session.state.to_discard == 0
    advance(session, Phase.BETTING)


@pytest.mark.clause("NJ-MINI:7.8(e)#3")
def test_once_the_cards_are_shuffled_none_leaves_the_shoe() -> None:
    session = after_last_hand()
    advance(session, Phase.TO_CUT)
    refused(session, DrawCardInError(Card.of("9c"), disclosed=False), "not_now")
    refused(session, FindFaceUpCard(Card.of("9c")), "not_now")
