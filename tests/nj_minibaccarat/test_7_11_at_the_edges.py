"""19:47-7.11 where it meets something else: the cutting card, an empty deck, discards under way."""

from __future__ import annotations

import pytest

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.table import Phase
from croupier.table.commands import (
    BeginSimulatedRound,
    DrawCard,
    DrawCardInError,
    FindFaceUpCard,
    InsertCuttingCards,
)
from croupier.table.events import (
    CardDealt,
    CardDiscarded,
    CuttingCardAppeared,
    FaceUpCardFound,
)
from croupier.table.session import Session
from support import advance, at, deal, due, only, ready, refused

BY_VALUE = {"irregularity__disclosed_card": "discard-by-value", "irregularity__ten_extra": 1}
DISCARD_ONE = {"irregularity__disclosed_card": "discard-one"}
SIMULATED = {"irregularity__disclosed_card": "simulated-round"}


def after_four_cards(cards: str, **elections: object) -> Session:
    """A round of which four cards are dealt, at a shoe whose cutting card lies before the next."""
    session = at(Phase.CUT, 1, **elections)  # type: ignore[arg-type]
    # Of eight decks two cards are burned and four dealt.
    session.do(InsertCuttingCards(410))
    advance(session, Phase.BETTING)
    deal(session, cards)
    return session


@pytest.mark.clause("NJ-MINI:7.11(b)", "NJ-MINI:7.11(c)#1")
@pytest.mark.parametrize("elections", [BY_VALUE, DISCARD_ONE, SIMULATED])
@pytest.mark.parametrize("disclosed", [False, True])
def test_the_cutting_card_before_a_card_drawn_in_error_is_put_aside_first(
    elections: dict[str, object],
    disclosed: bool,  # noqa: FBT001
) -> None:
    session = after_four_cards("9h 8d Kh Ks", **elections)
    events = session.do(DrawCardInError(Card.of("3c"), disclosed, None))
    assert isinstance(events[0], CuttingCardAppeared)
    assert session.state.cutting_card_out
    assert session.state.shoe.remaining == 409


@pytest.mark.clause("NJ-MINI:7.11(a)#1")
def test_the_cutting_card_before_an_unauthorized_card_that_is_bankers_third_is_put_aside_first() -> (
    None
):
    session = after_four_cards("6h 5d Kh Ks")
    events = session.do(DrawCardInError(Card.of("3c"), False, Hand.PLAYER))  # noqa: FBT003
    assert isinstance(events[0], CuttingCardAppeared)
    assert only(events, CardDealt).hand is Hand.BANKER


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
def test_the_cutting_card_before_a_card_found_face_up_is_put_aside_first() -> None:
    session = after_four_cards("9h 8d Kh Ks")
    appeared, found = session.do(FindFaceUpCard(Card.of("3c")))
    assert isinstance(appeared, CuttingCardAppeared)
    assert isinstance(found, FaceUpCardFound)
    assert found.to_discard == 3


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
def test_a_card_that_the_shoe_no_longer_holds_is_not_found_in_it_nor_drawn_in_error() -> None:
    session = ready(1, readings={"T03": "none"})
    for _ in range(8):
        session.do(FindFaceUpCard(Card.of("Th")))
    for again in (
        FindFaceUpCard(Card.of("Th")),
        DrawCardInError(Card.of("Th"), False, None),  # noqa: FBT003
        DrawCardInError(Card.of("Th"), True, None),  # noqa: FBT003
    ):
        assert "has been drawn 8 times" in refused(session, again, "no_such_card").message


@pytest.mark.clause("NJ-MINI:7.11(d)#1", "NJ-MINI:7.11(c)2")
def test_a_card_found_face_up_turns_the_discards_that_are_under_way_face_up() -> None:
    session = ready(1, **DISCARD_ONE)
    session.do(DrawCardInError(Card.of("5c"), True, None))  # noqa: FBT003
    found = only(session.do(FindFaceUpCard(Card.of("3c"))), FaceUpCardFound)
    assert found.to_discard == 1 + 3
    refusal = refused(session, DrawCard(None), "card_unseen")
    assert refusal.clauses == found.clauses
    discarded = only(session.do(DrawCard(Card.of("2d"))), CardDiscarded)
    assert (discarded.card, discarded.clauses) == (Card.of("2d"), found.clauses)


@pytest.mark.clause("NJ-MINI:7.11(c)3")
def test_the_first_card_of_a_simulated_round_stands_on_the_clause_that_has_it_begin() -> None:
    session = ready(1, **SIMULATED)
    session.do(DrawCardInError(Card.of("5c"), True, None))  # noqa: FBT003
    assert due(session) == {BeginSimulatedRound}
    first = only(session.do(BeginSimulatedRound()), CardDealt)
    assert set(session.rules.cites("irregularity.simulated_round")) <= set(first.clauses)


@pytest.mark.clause("NJ-MINI:7.11(a)#1", "NJ-MINI:7.11(d)#1")
def test_what_may_go_wrong_is_told_with_its_clause_and_whose_it_is_to_tell() -> None:
    """While a card is due only a card face up is told of, unless Banker alone is to draw."""

    def told(session: Session) -> dict[type, tuple[str, tuple[str, ...]]]:
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
    assert told(session) == {FindFaceUpCard: face_up}
    deal(session, "Kh Ks")
    banker = session.rules.cites_for("irregularity.player_card", "banker_draws")
    assert told(session) == {FindFaceUpCard: face_up, DrawCardInError: ("dealer", banker)}
    session.do(DrawCard(Card.of("3c")))
    assert told(session) == {FindFaceUpCard: face_up, DrawCardInError: in_error}
    session = ready(1, **BY_VALUE)
    session.do(DrawCardInError(Card.of("2c"), True, None))  # noqa: FBT003
    assert told(session) == {FindFaceUpCard: face_up}
    assert told(at(Phase.TO_BURN, 1)) == {FindFaceUpCard: face_up}
