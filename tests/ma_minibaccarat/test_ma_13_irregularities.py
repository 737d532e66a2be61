"""Section 13(a) to (d): cards drawn in error or disclosed, and cards face up in the shoe."""

from __future__ import annotations

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    BeginSimulatedRound,
    CardDealt,
    CardDiscarded,
    CardDrawnInError,
    CardHeld,
    CardsHanded,
    DrawCard,
    DrawCardInError,
    FaceUpCardFound,
    FindFaceUpCard,
    LayoutCleared,
    ResultAnnounced,
    SimulatedRoundBegun,
    SimulatedRoundOrdered,
    ThirdCardRuled,
    UseHeldCard,
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
    PLAYER_9_BANKER_8,
    at,
    chips,
    clear,
    deal,
    dealt,
    disclosed,
    errors_of,
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
SIMULATED: Final[dict[str, Any]] = {"irregularity__disclosed_card": "simulated-round"}


def undisclosed(to: Hand | None = None) -> DrawCardInError:
    return DrawCardInError(ERROR, disclosed=False, dealt_to=to)


BOTH: Final = {(1, "player"): 1_000, (2, "banker"): 1_000}


# --- 13(a): drawn in error and not disclosed ---------------------------------------------------


@pytest.mark.clause("MA-MINI:13(a)")
def test_a_card_drawn_in_error_and_not_disclosed_is_the_first_card_of_the_next_hand() -> None:
    session = dealt(BANKER_STAYS)
    drawn, held = session.execute(undisclosed())
    assert isinstance(drawn, CardDrawnInError)
    assert isinstance(held, CardHeld)
    assert drawn.clauses == held.clauses == ma("13(a)")
    session.execute(acts.SettleWagers())
    clear(session)
    wager(session, (1, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    assert due(session) == {UseHeldCard}
    assert refused(session, DrawCard(Card.of("2h")), "held_card").clauses == ma("13(a)")
    first = only(session.execute(UseHeldCard()), CardDealt)
    assert (first.hand, first.ordinal, first.card, first.source) == (PLAYER, 1, ERROR, "held")
    assert first.clauses[:1] == ma("13(a)")
    # It has left the shoe once, and only once.
    remaining = session.state.shoe.remaining
    session.execute(DrawCard(Card.of("2h")))
    assert session.state.shoe.remaining == remaining - 1
    refused(session, UseHeldCard(), "no_held_card")


@pytest.mark.clause("MA-MINI:13(a)")
def test_it_is_the_first_card_too_where_it_was_drawn_between_two_hands() -> None:
    session = ready(1)
    session.execute(undisclosed())
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())
    session.execute(UseHeldCard())
    # Five and three are a natural eight against two.
    assert only(deal(session, "2d 3h Ks"), ResultAnnounced).player_count == 8
    cleared = only((*session.execute(acts.SettleWagers()), *clear(session)), LayoutCleared)
    assert cleared.player == parse_cards("5c 3h")


@pytest.mark.clause("MA-MINI:13(a)")
def test_a_card_that_is_due_is_no_card_drawn_in_error() -> None:
    session = ready(1)
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())
    assert refused(session, undisclosed(), "card_due").clauses == ma("8(c)#1")


# --- 13(b): Player's third card, not disclosed -------------------------------------------------


@pytest.mark.clause("MA-MINI:13(b)#1")
def test_a_third_card_that_player_may_not_have_becomes_bankers_if_banker_must_draw() -> None:
    session = dealt(BANKER_DRAWS)
    assert due(session) == {DrawCard}
    drawn, third = session.execute(undisclosed(PLAYER))
    assert isinstance(drawn, CardDrawnInError)
    assert drawn.clauses == ma("13(b)#1")
    assert isinstance(third, CardDealt)
    assert (third.hand, third.ordinal, third.card) == (BANKER, 3, ERROR)
    assert third.clauses == ma("13(b)#1", "8(c)(5)")
    # It goes to the holder of Banker's Hand as any third card of it.
    assert not third.face_up
    assert only(session.execute(acts.HandCards(BANKER)), CardsHanded).seat == 2
    result = only(session.execute(acts.ReturnCards(2, BANKER)), ResultAnnounced)
    assert (result.player_count, result.banker_count) == (6, 7)


@pytest.mark.clause("MA-MINI:13(b)#2")
@pytest.mark.parametrize("cards", [BANKER_STAYS, PLAYER_9_BANKER_8])
def test_if_banker_stays_it_is_the_first_card_of_the_next_hand(cards: str) -> None:
    session = dealt(cards)
    drawn, held = session.execute(undisclosed(PLAYER))
    assert isinstance(held, CardHeld)
    assert drawn.clauses == held.clauses == ma("13(b)#2")
    session.execute(acts.SettleWagers())
    clear(session)
    play_with_held(session)


def play_with_held(session: TableSession) -> None:
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())
    assert only(session.execute(UseHeldCard()), CardDealt).card is ERROR


@pytest.mark.clause("MA-MINI:13(b)#1", "MA-MINI:13(a)")
def test_a_card_beside_players_drawn_third_is_none_of_these() -> None:
    # Player had its third card; a fourth one is an ordinary card drawn in error.
    session = dealt("2h 7d Th Qs 4c")
    assert session.state.phase is Phase.DECIDED
    assert session.execute(undisclosed(PLAYER))[0].clauses == ma("13(a)")


@pytest.mark.clause("MA-MINI:13(b)#1")
def test_while_player_is_to_draw_his_third_card_is_simply_due() -> None:
    session = dealt("2h 7d Th Qs")
    refused(session, undisclosed(PLAYER), "card_due")
    session.execute(DrawCard(ERROR))


# --- 13(c): Player's third card, disclosed -----------------------------------------------------


@pytest.mark.clause("MA-MINI:13(c)#1")
def test_disclosed_it_is_bankers_third_card_all_the_same_if_banker_must_draw() -> None:
    for elections in ({}, SIMULATED):
        session = dealt(BANKER_DRAWS, **elections)
        events = session.execute(disclosed(PLAYER))
        assert only(events, CardDrawnInError).clauses == ma("13(c)#1")
        third = only(events, CardDealt)
        assert (third.hand, third.card) == (BANKER, ERROR)
        assert third.clauses == ma("13(c)#1", "8(c)(5)")
        assert session.state.simulate_with == ()
        turn(session)
        assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("MA-MINI:13(c)#2", "MA-MINI:13(c)(1)")
def test_if_banker_stays_it_goes_to_the_rack_with_one_more_card_unseen() -> None:
    session = dealt(BANKER_STAYS)
    drawn, discarded = session.execute(disclosed(PLAYER))
    assert drawn.clauses[:1] == ma("13(c)#2")
    assert isinstance(discarded, CardDiscarded)
    assert (discarded.card, discarded.from_shoe, discarded.to_discard) == (ERROR, False, 1)
    assert discarded.clauses == ma("13(c)(1)")
    assert due(session) == {DrawCard}
    for early in (acts.SettleWagers(), DrawCardInError(ERROR, disclosed=False)):
        assert refused(session, early, "discards_due").clauses == ma("13(c)(1)")
    remaining = session.state.shoe.remaining
    unseen = only(session.execute(DrawCard(None)), CardDiscarded)
    assert (unseen.card, unseen.unseen, unseen.to_discard) == (None, True, 0)
    assert unseen.clauses == ma("13(c)(1)")
    assert session.state.shoe.remaining == remaining - 1
    # The round itself stands: Banker's seven against six.
    session.execute(acts.SettleWagers())
    assert chips(session, 2) == HELD + 950


@pytest.mark.clause("MA-MINI:13(c)(1)")
def test_the_table_does_not_learn_the_card_that_follows_it() -> None:
    session = dealt(BANKER_STAYS)
    session.execute(disclosed(PLAYER))
    before = session.state.shoe.unseen
    assert only(session.execute(DrawCard(Card.of("Kd"))), CardDiscarded).card is None
    assert session.state.shoe.unseen == before


@pytest.mark.clause("MA-MINI:13(c)#2", "MA-MINI:13(c)(2)")
def test_or_it_begins_a_simulated_round_as_the_licensee_has_designated() -> None:
    session = dealt(BANKER_STAYS, **SIMULATED)
    drawn, ordered = session.execute(disclosed(PLAYER))
    assert drawn.clauses[:1] == ma("13(c)#2")
    assert isinstance(ordered, SimulatedRoundOrdered)
    assert (ordered.card, ordered.clauses) == (ERROR, ma("13(c)(2)"))
    session.execute(acts.SettleWagers())
    clear(session)
    assert due(session) == {BeginSimulatedRound}
    cleared = only(simulate(session, "2d 3h Ks"), LayoutCleared)
    assert (cleared.simulated, cleared.player) == (True, parse_cards("5c 3h"))


@pytest.mark.clause("MA-MINI:13(c)#2")
def test_there_is_no_third_way_and_it_is_designated_beforehand() -> None:
    errors = errors_of(irregularity__disclosed_card="discard-by-value")
    assert errors == {("irregularity.disclosed_card", ma("13(c)#2", "13(c)#3"))}


# --- 13(d): any other card ---------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:13(d)")
@pytest.mark.parametrize("elections", [{}, SIMULATED])
def test_any_other_disclosed_card_begins_a_simulated_round_whatever_was_designated(
    elections: dict[str, Any],
) -> None:
    for command in (disclosed(), disclosed(BANKER), FindFaceUpCard(ERROR)):
        session = dealt(BANKER_STAYS, **elections)
        events = session.execute(command)
        assert only(events, SimulatedRoundOrdered).clauses == ma("13(d)")
        assert {one.clauses for one in events} == {ma("13(d)")}
        # The result was announced before it: that round stands, and its wagers are settled.
        assert stakes(session) == BOTH
        session.execute(acts.SettleWagers())
        clear(session)
        assert due(session) == {BeginSimulatedRound}
        answer = refused(session, acts.CallNoMoreBets(), "simulated_round_due")
        assert "MA-MINI:13(d)" in answer.clauses


@pytest.mark.clause("MA-MINI:13(d)")
@pytest.mark.parametrize("phase", [Phase.TO_BURN, Phase.BETTING])
def test_a_card_found_face_up_between_rounds_or_in_the_burn_begins_one_too(phase: Phase) -> None:
    session = at(phase, 1)
    found, ordered = session.execute(FindFaceUpCard(ERROR))
    assert isinstance(found, FaceUpCardFound)
    # It is not discarded, and no other card for it: it is the first of a round.
    assert (found.discarded, found.to_discard) == (False, 0)
    assert isinstance(ordered, SimulatedRoundOrdered)
    advance(session, Phase.BETTING)
    assert due(session) == {BeginSimulatedRound}
    events = simulate(session, "2d 3h Ks")
    assert only(events, LayoutCleared).player == parse_cards("5c 3h")


@pytest.mark.clause("MA-MINI:13(d)", "MA-MINI:13(c)(2)")
@pytest.mark.parametrize(
    ("elected", "cause", "says_so"),
    [
        ("discard-one", "face-up", "13(d)"),
        ("simulated-round", "face-up", "13(d)"),
        ("simulated-round", "third-card", "13(c)(2)"),
    ],
)
def test_no_wagers_are_accepted_in_a_simulated_round_and_its_cards_go_to_the_rack(
    elected: str, cause: str, says_so: str
) -> None:
    if cause == "face-up":
        session = at(Phase.BETTING, 1, 2, irregularity__disclosed_card=elected)
        session.execute(FindFaceUpCard(ERROR))
    else:
        session = dealt(BANKER_STAYS, irregularity__disclosed_card=elected)
        session.execute(disclosed(PLAYER))
        session.execute(acts.SettleWagers())
        clear(session)
    rounds = session.state.rounds
    events = session.execute(BeginSimulatedRound())
    begun, first = events[0], only(events, CardDealt)
    assert begun == SimulatedRoundBegun(cause, ma(says_so))
    assert (first.hand, first.ordinal, first.card, first.source) == (PLAYER, 1, ERROR, "irregular")
    for command in (
        acts.PlaceWager(1, "player", 1_000),
        acts.PlaceVerbalWager(1, "player", 1_000, dealer_confirms=True, supervisor=None),
    ):
        answer = refused(session, command, "simulated_round")
        assert answer.clauses == ma(says_so)
    # Dealt by the rules: Player's five draws, Banker's four draws against a six.
    dealt_on = deal(session, "4d Kh Qs 6c 2c")
    assert [one.draws for one in every(dealt_on, ThirdCardRuled)] == [True, True]
    assert not every(dealt_on, ResultAnnounced)
    refused(session, acts.SettleWagers(), "not_now")
    cleared = only(session.execute(acts.ClearLayout()), LayoutCleared)
    assert (cleared.simulated, cleared.counted) == (True, False)
    assert cleared.clauses == ma(says_so)
    assert (cleared.player, cleared.banker) == (parse_cards("5c Kh 6c"), parse_cards("4d Qs 2c"))
    assert cleared.clauses == ma(says_so)
    assert session.state.rounds == rounds


@pytest.mark.clause("MA-MINI:13(d)")
def test_wagers_that_were_placed_before_it_wait_for_the_round_after_it() -> None:
    session = at(Phase.BETTING, 1)
    wager(session, (1, "player", 1_000))
    session.execute(FindFaceUpCard(ERROR))
    simulate(session, "2d 3h Ks")
    assert stakes(session) == {(1, "player"): 1_000}
    play(session, PLAYER_9_BANKER_8, (1, "tie", 100))
    assert chips(session, 1) == HELD + 1_000 - 100


@pytest.mark.clause("MA-MINI:13(d)")
def test_two_cards_begin_two_simulated_rounds_in_their_order() -> None:
    session = at(Phase.BETTING, 1)
    session.execute(FindFaceUpCard(ERROR))
    session.execute(FindFaceUpCard(Card.of("9c")))
    first, second = simulate(session, "2d 3h Ks"), simulate(session, "2d Th Ks")
    assert [only(one, LayoutCleared).player[0] for one in (first, second)] == [
        ERROR, Card.of("9c"),
    ]  # fmt: skip


@pytest.mark.clause("MA-MINI:13(c)(2)", "MA-MINI:13(d)")
def test_of_two_that_wait_the_first_to_be_dealt_says_by_which_clause_the_table_waits() -> None:
    session = dealt(BANKER_STAYS, **SIMULATED)
    session.execute(disclosed(PLAYER))
    session.execute(FindFaceUpCard(Card.of("9c")))
    session.execute(acts.SettleWagers())
    clear(session)
    for section, card in (("13(c)(2)", ERROR), ("13(d)", Card.of("9c"))):
        answer = refused(session, acts.CallNoMoreBets(), "simulated_round_due")
        assert answer.clauses == ma(section)
        cards = "2d 3h Ks" if card == ERROR else "2d Th Ks"
        cleared = only(simulate(session, cards), LayoutCleared)
        assert (cleared.player[0], cleared.clauses) == (card, ma(section))
