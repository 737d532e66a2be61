"""19:47-7.11 where it meets something else: the cutting card, an empty deck, discards under way."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.acts import (
    BeginSimulatedRound,
    CallNoMoreBets,
    CardDealt,
    CardDiscarded,
    CardHeld,
    CuttingCardAppeared,
    DrawCard,
    DrawCardInError,
    FaceUpCardFound,
    FindFaceUpCard,
    InsertCuttingCards,
    ThirdCardWaits,
    ThirdCardWaitsNoMore,
    TurnHand,
    UseHeldCard,
    VoidRound,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import SimulatedOrder
from support.games import advance
from support.table import at, deal, due, every, only, ready, refused

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

BY_VALUE: Final[dict[str, Any]] = {
    "irregularity__disclosed_card": "discard-by-value",
    "irregularity__ten_extra": 1,
}
DISCARD_ONE: Final[dict[str, Any]] = {"irregularity__disclosed_card": "discard-one"}
SIMULATED: Final[dict[str, Any]] = {"irregularity__disclosed_card": "simulated-round"}


def after_four_cards(cards: str, **elections: Any) -> TableSession:
    """A round of which four cards are dealt, at a shoe whose cutting card lies before the next."""
    session = at(Phase.CUT, 1, **elections)
    # Of eight decks two cards are burned and four dealt.
    session.execute(InsertCuttingCards(410))
    advance(session, Phase.BETTING)
    deal(session, cards)
    return session


@pytest.mark.clause("NJ-MINI:7.11(b)", "NJ-MINI:7.11(c)#1")
@pytest.mark.parametrize("elections", [BY_VALUE, DISCARD_ONE, SIMULATED])
@pytest.mark.parametrize("disclosed", [False, True])
def test_the_cutting_card_before_a_card_drawn_in_error_is_put_aside_first(
    elections: dict[str, Any],
    disclosed: bool,  # noqa: FBT001
) -> None:
    session = after_four_cards("9h 8d Kh Ks", **elections)
    events = session.execute(DrawCardInError(Card.of("3c"), disclosed, None))
    assert isinstance(events[0], CuttingCardAppeared)
    assert session.state.cutting_card_out
    assert session.state.shoe.remaining == 409


@pytest.mark.clause("NJ-MINI:7.11(a)#1")
def test_the_cutting_card_before_an_unauthorized_card_that_is_bankers_third_is_put_aside_first() -> (
    None
):
    session = after_four_cards("6h 5d Kh Ks")
    events = session.execute(DrawCardInError(Card.of("3c"), False, Hand.PLAYER))  # noqa: FBT003
    assert isinstance(events[0], CuttingCardAppeared)
    assert only(events, CardDealt).hand is Hand.BANKER


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
def test_the_cutting_card_before_a_card_found_face_up_is_put_aside_first() -> None:
    session = after_four_cards("9h 8d Kh Ks")
    appeared, found = session.execute(FindFaceUpCard(Card.of("3c")))
    assert isinstance(appeared, CuttingCardAppeared)
    assert isinstance(found, FaceUpCardFound)
    assert found.to_discard == 3


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
def test_a_card_that_the_shoe_no_longer_holds_is_not_found_in_it_nor_drawn_in_error() -> None:
    session = ready(1, readings={"T03": "none"})
    for _ in range(8):
        session.execute(FindFaceUpCard(Card.of("Th")))
    for again in (
        FindFaceUpCard(Card.of("Th")),
        DrawCardInError(Card.of("Th"), False, None),  # noqa: FBT003
        DrawCardInError(Card.of("Th"), True, None),  # noqa: FBT003
    ):
        refusal = refused(session, again, "no_such_card")
        assert "has been drawn 8 times" in refusal.message
        assert refusal.clauses == ()


@pytest.mark.clause("NJ-MINI:7.11(d)#1", "NJ-MINI:7.11(c)2")
def test_a_card_found_face_up_turns_the_discards_that_are_under_way_face_up() -> None:
    session = ready(1, **DISCARD_ONE)
    session.execute(DrawCardInError(Card.of("5c"), True, None))  # noqa: FBT003
    found = only(session.execute(FindFaceUpCard(Card.of("3c"))), FaceUpCardFound)
    assert found.to_discard == 1 + 3
    refusal = refused(session, DrawCard(None), "card_unseen")
    assert refusal.clauses == found.clauses
    discarded = only(session.execute(DrawCard(Card.of("2d"))), CardDiscarded)
    assert (discarded.card, discarded.clauses) == (Card.of("2d"), found.clauses)


@pytest.mark.clause("NJ-MINI:7.11(c)3")
def test_the_first_card_of_a_simulated_round_stands_on_the_clause_that_has_it_begin() -> None:
    session = ready(1, **SIMULATED)
    session.execute(DrawCardInError(Card.of("5c"), True, None))  # noqa: FBT003
    assert due(session) == {BeginSimulatedRound}
    first = only(session.execute(BeginSimulatedRound()), CardDealt)
    assert set(session.rules.cites("irregularity.simulated_round")) <= set(first.clauses)


@pytest.mark.clause("NJ-MINI:7.11(a)#1", "NJ-MINI:7.11(d)#1")
def test_what_may_go_wrong_is_told_with_its_clause_and_whose_it_is_to_tell() -> None:
    """While a card is due only a card face up is told of, unless Banker alone is to draw."""

    def told(session: TableSession) -> dict[type, tuple[str, tuple[str, ...]]]:
        return {
            action.command: (action.who, action.clauses)
            for action in session.legal()
            if action.command in {FindFaceUpCard, DrawCardInError} and not action.must
        }

    session = ready(1)
    face_up = ("dealer", session.rules.cites("irregularity.face_up_card"))
    in_error = ("dealer", session.rules.cites("irregularity.drawn_in_error"))
    assert told(session) == {FindFaceUpCard: face_up, DrawCardInError: in_error}
    deal(session, "6h 5d")
    assert refused(session, DrawCard(None), "card_unseen").clauses == ()
    assert told(session) == {FindFaceUpCard: face_up}
    deal(session, "Kh Ks")
    banker = session.rules.cites_for("irregularity.player_card", "banker_draws")
    assert told(session) == {FindFaceUpCard: face_up, DrawCardInError: ("dealer", banker)}
    session.execute(DrawCard(Card.of("3c")))
    assert told(session) == {FindFaceUpCard: face_up, DrawCardInError: in_error}
    session = ready(1, **BY_VALUE)
    session.execute(DrawCardInError(Card.of("2c"), True, None))  # noqa: FBT003
    assert told(session) == {FindFaceUpCard: face_up}
    assert told(at(Phase.TO_BURN, 1)) == {FindFaceUpCard: face_up}


def must(session: TableSession) -> list[tuple[type, str, tuple[str, ...]]]:
    """What must be done next, by whom, and by which clauses."""
    return [(one.command, one.who, one.clauses) for one in session.legal() if one.must]


@pytest.mark.clause("NJ-MINI:7.11(c)1#1", "NJ-MINI:7.11(c)3", "NJ-MINI:7.11(e)#1")
def test_what_an_irregularity_asks_for_next_is_the_dealers_by_its_own_clause() -> None:
    error = DrawCardInError(Card.of("2c"), True, None)  # noqa: FBT003
    session = ready(1, **BY_VALUE)
    session.execute(error)
    by_value = session.rules.cites("irregularity.discard_by_value")
    assert must(session) == [(DrawCard, "dealer", by_value)]
    session = ready(1, **SIMULATED)
    session.execute(error)
    simulated = session.rules.cites("irregularity.simulated_round")
    assert must(session) == [(BeginSimulatedRound, "dealer", simulated)]
    # A card found face up brings discards with it, which come before the simulated round.
    found = only(session.execute(FindFaceUpCard(Card.of("2d"))), FaceUpCardFound)
    assert must(session) == [(DrawCard, "dealer", found.clauses)]
    for card in ("3d", "4d"):
        session.execute(DrawCard(Card.of(card)))
    assert must(session) == [(BeginSimulatedRound, "dealer", simulated)]
    session = ready(1)
    session.position = replace(
        session.position,
        state=replace(
            session.state, shoe=replace(session.state.shoe, remaining=3, cards_behind=None)
        ),
    )
    deal(session, "2h 3d Kh")
    void = session.rules.cites("irregularity.insufficient")
    assert must(session) == [(VoidRound, "dealer", void)]
    assert not [one for one in session.legal() if one.command in {FindFaceUpCard, DrawCardInError}]


@pytest.mark.clause("NJ-MINI:7.11(c)1#1")
def test_the_cutting_card_before_a_card_for_the_rack_is_put_aside_first() -> None:
    session = at(Phase.CUT, 1, **BY_VALUE)
    # Of eight decks two cards are burned, and one is drawn in error.
    session.execute(InsertCuttingCards(413))
    advance(session, Phase.BETTING)
    session.execute(DrawCardInError(Card.of("2c"), True, None))  # noqa: FBT003
    appeared, discarded = session.execute(DrawCard(Card.of("3d")))
    assert isinstance(appeared, CuttingCardAppeared)
    assert isinstance(discarded, CardDiscarded)
    assert not every(session.execute(DrawCard(Card.of("4d"))), CuttingCardAppeared)


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_of_several_cards_that_are_held_the_first_is_named_that_comes_before_any_other() -> None:
    session = ready(1)
    for card in ("3c", "9d"):
        session.execute(DrawCardInError(Card.of(card), False, None))  # noqa: FBT003
    session.execute(CallNoMoreBets())
    refusal = refused(session, DrawCard(Card.of("5h")), "held_card")
    assert refusal.message == "the card that was drawn in error must be used first"
    assert refusal.clauses == session.rules.cites("irregularity.drawn_in_error")


@pytest.mark.clause("NJ-MINI:7.11(b)")
@pytest.mark.parametrize(
    "cards",
    [
        pytest.param("", id="no round"),
        pytest.param("2h 7d Kh Ks 4c", id="Player has a third card, Banker none"),
        pytest.param("2h 2d Kh Ks 2c 4c", id="both have a third card"),
    ],
)
def test_a_card_for_player_that_is_no_third_card_is_one_drawn_in_error_like_any_other(
    cards: str,
) -> None:
    session = ready(1)
    if cards:
        deal(session, cards)
        assert session.state.phase is Phase.DECIDED
    drawn, held = session.execute(DrawCardInError(Card.of("3c"), False, Hand.PLAYER))  # noqa: FBT003
    assert drawn.clauses == held.clauses == session.rules.cites("irregularity.drawn_in_error")
    assert session.state.held == (Card.of("3c"),)


@pytest.mark.clause("NJ-MINI:7.11(a)#2")
def test_a_third_card_for_player_after_bankers_waits_for_the_next_hand_by_the_clause_on_it() -> (
    None
):
    """Banker's Hand has its one additional card, and must stay."""
    session = ready(1)
    deal(session, "7h 2d Kh Ks 4c")
    drawn, held = session.execute(DrawCardInError(Card.of("3c"), False, Hand.PLAYER))  # noqa: FBT003
    assert drawn.clauses == held.clauses == ("NJ-MINI:7.11(a)#2",)
    assert session.state.held == (Card.of("3c"),)


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_what_waits_for_a_round_that_was_never_finished_goes_with_the_shoe() -> None:
    """A void round leaves nothing to be dealt, discarded or begun from the shoe before."""
    session = ready(1, **SIMULATED)
    session.execute(DrawCardInError(Card.of("5c"), True, None))  # noqa: FBT003
    session.execute(BeginSimulatedRound())
    state = replace(session.state, shoe=replace(session.state.shoe, remaining=0, cards_behind=None))
    session.position = replace(
        session.position,
        state=replace(
            state,
            held=(Card.of("9d"),),
            simulate_with=(SimulatedOrder(Card.of("8d"), "disclosed"),),
        ),
    )
    session.execute(VoidRound())
    state = session.state
    assert (state.phase, state.round) == (Phase.SHOE_COMPLETED, None)
    assert (state.held, state.to_discard, state.simulate_with) == ((), 0, ())


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_before_the_hands_are_turned_no_card_is_a_third_where_that_reading_is_taken() -> None:
    readings = {"C11": "error"}
    session = ready(1, readings=readings, deal__option="face-down")
    deal(session, "6h 7d Kh Ks")
    drawn, held = session.execute(DrawCardInError(Card.of("3c"), False, Hand.PLAYER))  # noqa: FBT003
    assert drawn.clauses == held.clauses == session.rules.cites("irregularity.drawn_in_error")


@pytest.mark.clause("NJ-MINI:7.8(b)", "NJ-MINI:7.11(b)")
@pytest.mark.parametrize(
    ("hands", "then"),
    [
        # Player stays on 6 and 7 and Banker draws on 5 and 2: it is Banker's third card.
        ("6h 5d Kh Ks", [CardDealt]),
        ("7h 2d Kh Ks", [CardDealt]),
        # Player draws on 5, and nobody on a natural: it is no one's, and begins the next hand.
        ("5h 2d Kh Ks", [CardHeld]),
        ("9h 8d Kh Ks", [CardHeld]),
    ],
)
def test_a_card_dealt_to_bankers_hand_while_both_lie_face_down_waits_for_what_they_say(
    hands: str, then: list[type]
) -> None:
    """What becomes of it depends on cards that no one has seen, so nothing is said before."""
    session = ready(1, deal__option="face-down")
    deal(session, hands)
    drawn, waits = session.execute(DrawCardInError(Card.of("3c"), False, Hand.BANKER))  # noqa: FBT003
    assert type(waits) is ThirdCardWaits
    assert drawn.clauses == waits.clauses == session.rules.cites("third.decide")
    session.execute(TurnHand(Hand.PLAYER))
    events = session.execute(TurnHand(Hand.BANKER))
    assert [type(one) for one in events if isinstance(one, CardDealt | CardHeld)] == then
    ends = only(events, ThirdCardWaitsNoMore)
    assert ends.hand is (Hand.BANKER if then == [CardDealt] else None)
    if then == [CardHeld]:
        assert ends.clauses == session.rules.cites("irregularity.drawn_in_error")


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_no_round_is_to_be_made_void_that_a_held_card_or_no_card_can_finish() -> None:
    session = ready(1)
    session.execute(DrawCardInError(Card.of("9h"), False, None))  # noqa: FBT003
    empty(session)
    session.execute(CallNoMoreBets())
    assert [command for command, _, _ in must(session)] == [UseHeldCard]
    session = ready(1, deal__option="face-down")
    deal(session, "2h 3d Kh Ks")
    empty(session)
    assert VoidRound not in {action.command for action in session.legal()}


def empty(session: TableSession) -> None:
    """Take the last cards out of the shoe."""
    shoe = replace(session.state.shoe, remaining=0, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
