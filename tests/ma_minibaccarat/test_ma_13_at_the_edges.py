"""Section 13 where it meets something else: the cover card, discards under way, cards held."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.acts import (
    BeginSimulatedRound,
    CallNoMoreBets,
    CardDealt,
    CardDiscarded,
    CardDrawnInError,
    CardHeld,
    ClearLayout,
    CuttingCardAppeared,
    DrawCard,
    DrawCardInError,
    FaceUpCardFound,
    FindFaceUpCard,
    RoundVoided,
    SettleWagers,
    SimulatedRoundOrdered,
    ThirdCardWaits,
    UseHeldCard,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import SimulatedOrder
from support.massachusetts import deal, ma, ready, turn
from support.table import only, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

BOTH_STAY: Final = "6h 7d Kh Ks"
DISCLOSED: Final = DrawCardInError(Card.of("5c"), disclosed=True, dealt_to=None)
FACE_UP: Final = FindFaceUpCard(Card.of("5c"))


def with_the_cutting_card_next() -> TableSession:
    session = ready(1)
    shoe = session.state.shoe
    session.position = replace(
        session.position,
        state=replace(session.state, shoe=replace(shoe, cards_behind=shoe.remaining)),
    )
    return session


@pytest.mark.clause("MA-MINI:13(c)#1")
def test_the_cover_card_before_a_disclosed_card_is_put_aside_and_the_card_is_out_of_the_shoe() -> (
    None
):
    session = with_the_cutting_card_next()
    before = session.state.shoe.remaining
    events = session.execute(DISCLOSED)
    assert [type(event) for event in events] == [
        CuttingCardAppeared,
        CardDrawnInError,
        SimulatedRoundOrdered,
    ]
    assert session.state.shoe.remaining == before - 1


@pytest.mark.clause("MA-MINI:13(d)")
def test_the_cover_card_before_a_card_face_up_is_put_aside_first() -> None:
    events = with_the_cutting_card_next().execute(FACE_UP)
    assert [type(event) for event in events] == [
        CuttingCardAppeared,
        FaceUpCardFound,
        SimulatedRoundOrdered,
    ]


@pytest.mark.clause("MA-MINI:13(d)")
def test_a_card_face_up_leaves_the_discard_that_is_under_way_as_it_was() -> None:
    session = ready(1)
    wager(session, (1, "banker", 10_000))
    deal(session, BOTH_STAY)
    session.execute(DrawCardInError(Card.of("4c"), disclosed=True, dealt_to=Hand.PLAYER))
    assert session.state.to_discard == 1
    found = only(session.execute(FACE_UP), FaceUpCardFound)
    assert (found.discarded, found.to_discard) == (False, 1)
    discarded = only(session.execute(DrawCard(None)), CardDiscarded)
    assert (discarded.unseen, discarded.card) == (True, None)


@pytest.mark.clause("MA-MINI:13(a)", "MA-MINI:13(d)")
def test_cards_that_wait_for_a_hand_that_is_void_begin_the_hand_after_it() -> None:
    session = ready(1)
    first, second = parse_cards("3c 9d")
    for card in (first, second):
        session.execute(DrawCardInError(card, disclosed=False, dealt_to=None))
    wager(session, (1, "banker", 10_000))
    session.execute(CallNoMoreBets())
    assert only(session.execute(UseHeldCard()), CardDealt).card == first
    voided = only(session.execute(FACE_UP), RoundVoided)
    assert not voided.reshuffle
    assert session.state.phase is Phase.SETTLED
    assert session.state.held == (second,)
    assert session.state.round is not None
    assert session.state.round.begins_with == ()


TO_PLAYER: Final = DrawCardInError(Card.of("5c"), disclosed=True, dealt_to=Hand.PLAYER)


@pytest.mark.clause("MA-MINI:13(c)#1", "MA-MINI:13(c)#2")
@pytest.mark.parametrize(
    "cards",
    [
        pytest.param("2h 7d Kh Ks 4c", id="Player has a third card, Banker none"),
        pytest.param("2h 2d Kh Ks 2c 4c", id="both have a third card"),
    ],
)
def test_only_a_third_card_that_player_may_not_have_goes_by_what_was_designated(cards: str) -> None:
    session = ready(1)
    wager(session, (1, "banker", 10_000))
    deal(session, cards)
    assert session.state.phase is Phase.DECIDED
    assert only(session.execute(TO_PLAYER), SimulatedRoundOrdered).card == TO_PLAYER.card


@pytest.mark.clause("MA-MINI:13(c)#2", "MA-MINI:13(b)#2")
@pytest.mark.parametrize("seen", [True, False])
def test_banker_that_has_drawn_stays_so_a_third_card_of_players_goes_by_what_was_designated(
    *,
    seen: bool,
) -> None:
    session = ready(1)
    wager(session, (1, "banker", 10_000))
    deal(session, "7h 2d Kh Ks 4c")
    assert session.state.phase is Phase.DECIDED
    drawn, aside = session.execute(replace(TO_PLAYER, disclosed=seen))
    if seen:
        assert drawn.clauses[0] == "MA-MINI:13(c)#2"
        assert isinstance(aside, CardDiscarded)
        assert aside.to_discard == 1
    else:
        assert (drawn.clauses, type(aside)) == (("MA-MINI:13(b)#2",), CardHeld)


@pytest.mark.clause("MA-MINI:13(c)#2")
def test_between_two_rounds_no_card_is_players_third() -> None:
    assert only(ready(1).execute(TO_PLAYER), SimulatedRoundOrdered).card == TO_PLAYER.card


@pytest.mark.clause("MA-MINI:13(c)#2", "MA-MINI:13(d)")
def test_a_card_face_up_in_a_simulated_round_begins_one_more_and_makes_none_void() -> None:
    session = ready(1)
    session.execute(DISCLOSED)
    session.execute(BeginSimulatedRound())
    events = session.execute(FindFaceUpCard(Card.of("4c")))
    assert [type(event) for event in events] == [FaceUpCardFound, SimulatedRoundOrdered]
    assert session.state.phase is Phase.DEALING
    assert session.state.simulate_with == (SimulatedOrder(Card.of("4c"), "face-up"),)


def four_face_down(**elections: Any) -> TableSession:
    """A round of which four cards lie face down."""
    session = ready(1, **elections)
    wager(session, (1, "banker", 10_000))
    session.execute(CallNoMoreBets())
    for card in parse_cards(BOTH_STAY):
        session.execute(DrawCard(card))
    assert session.state.round is not None
    assert session.state.round.down
    return session


@pytest.mark.clause("MA-MINI:13(c)(1)")
def test_a_disclosed_third_card_dealt_before_the_hands_are_turned_waits_for_them() -> None:
    session = four_face_down()
    assert only(session.execute(TO_PLAYER), ThirdCardWaits).card == TO_PLAYER.card
    discarded = only(turn(session), CardDiscarded)
    assert (discarded.card, discarded.to_discard, discarded.unseen) == (TO_PLAYER.card, 1, True)
    assert discarded.clauses == ma("13(c)(1)")


@pytest.mark.clause("MA-MINI:13(d)")
def test_or_it_begins_a_simulated_round_at_once_where_that_reading_is_taken() -> None:
    session = four_face_down(readings={"C11": "error"})
    ordered = only(session.execute(TO_PLAYER), SimulatedRoundOrdered)
    assert (ordered.card, ordered.clauses) == (TO_PLAYER.card, ma("13(d)"))


@pytest.mark.clause("MA-MINI:13(a)", "MA-MINI:13(d)")
def test_a_card_that_is_held_when_a_round_is_void_begins_the_hand_after_it() -> None:
    session = four_face_down()
    session.execute(DrawCardInError(Card.of("3c"), disclosed=False, dealt_to=None))
    assert not only(session.execute(FACE_UP), RoundVoided).reshuffle
    assert session.state.held == (Card.of("3c"),)


@pytest.mark.clause("MA-MINI:13(c)(1)", "MA-MINI:13(d)")
def test_where_the_last_card_is_found_face_up_none_is_left_to_be_discarded() -> None:
    session = ready(1)
    wager(session, (1, "banker", 10_000))
    deal(session, BOTH_STAY)
    session.position = replace(
        session.position,
        state=replace(
            session.state, shoe=replace(session.state.shoe, remaining=2, cards_behind=None)
        ),
    )
    session.execute(DrawCardInError(Card.of("4c"), disclosed=True, dealt_to=Hand.PLAYER))
    assert session.state.to_discard == 1
    assert only(session.execute(FACE_UP), FaceUpCardFound).to_discard == 0
    session.execute(SettleWagers())
    session.execute(ClearLayout())
