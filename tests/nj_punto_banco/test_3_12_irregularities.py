"""19:47-3.12: cards dealt in error, disclosed, or face up in the shoe; too few cards."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    BeginSimulatedRound,
    CallNoMoreBets,
    CardDealt,
    CardDiscarded,
    CardDrawnInError,
    CardHeld,
    ClearLayout,
    DrawCard,
    DrawCardInError,
    FaceUpCardFound,
    FindFaceUpCard,
    LayoutCleared,
    PlaceWager,
    ResultAnnounced,
    RoundVoided,
    SettleWagers,
    SimulatedRoundBegun,
    SimulatedRoundOrdered,
    StakesReleased,
    UseHeldCard,
    VoidRound,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.punto_banco import BANKER_WINS, call, deal, errors_of, play, ready
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
BANKER_MUST_DRAW = "6h 5d Kh Ks"  # Player stays on 6; Banker has 5 and nothing to draw against.
BOTH_STAY = "6h 7d Kh Ks"

BY_VALUE: Final[dict[str, Any]] = {"irregularity__disclosed_card": "discard-by-value"}
DISCARD_ONE: Final[dict[str, Any]] = {"irregularity__disclosed_card": "discard-one"}
SIMULATED: Final[dict[str, Any]] = {"irregularity__disclosed_card": "simulated-round"}
PROCEDURES: Final = [BY_VALUE, DISCARD_ONE, SIMULATED]


def error(card: str, *, disclosed: bool, to: Hand | None = None) -> DrawCardInError:
    return DrawCardInError(Card.of(card), disclosed, to)


def left(session: TableSession) -> int:
    return session.state.shoe.remaining


def discard(session: TableSession, cards: str | None, number: int) -> list[CardDiscarded]:
    """Draw that many cards for the bucket, face up from those cards, or unseen."""
    drawn = []
    for at in range(number):
        card = None if cards is None else Card.of(cards.split()[at % len(cards.split())])
        drawn.append(only(session.execute(DrawCard(card)), CardDiscarded))
    return drawn


# --- (a): a third card that Player's Hand may not have -----------------------------------------


@pytest.mark.clause("NJ-PB:3.12(a)#1")
@pytest.mark.parametrize("elections", PROCEDURES)
@pytest.mark.parametrize("disclosed", [False, True])
def test_it_is_bankers_third_card_where_banker_must_draw_disclosed_or_not(
    elections: dict[str, Any], *, disclosed: bool
) -> None:
    session = ready(1, **elections)
    wager(session, (1, "banker", 10_000))
    deal(session, BANKER_MUST_DRAW)
    before = left(session)
    events = session.execute(error("3c", disclosed=disclosed, to=PLAYER))
    assert only(events, CardDrawnInError).clauses == ("NJ-PB:3.12(a)#1",)
    third = only(events, CardDealt)
    assert (third.hand, third.ordinal, third.card) == (BANKER, 3, Card.of("3c"))
    assert third.clauses == ("NJ-PB:3.12(a)#1", "NJ-PB:3.8(c)")
    result = only(events, ResultAnnounced)
    assert (result.player_count, result.banker_count, result.cards) == (6, 8, 5)
    assert left(session) == before - 1
    assert not session.state.kept
    assert not session.state.to_discard


@pytest.mark.clause("NJ-PB:3.12(a)#2")
@pytest.mark.parametrize("elections", PROCEDURES)
@pytest.mark.parametrize("cards", [BOTH_STAY, "9h 8d Kh Ks", "7h 7d Kh Ks"])
def test_it_is_the_first_card_of_the_next_hand_where_banker_stays(
    cards: str, elections: dict[str, Any]
) -> None:
    session = ready(1, 2, **elections)
    deal(session, cards)
    events = session.execute(error("3c", disclosed=False, to=PLAYER))
    assert only(events, CardHeld).clauses == ("NJ-PB:3.12(a)#2",)
    session.execute(SettleWagers())
    cleared = only(session.execute(ClearLayout()), LayoutCleared)
    assert len(cleared.player) == len(cleared.banker) == 2
    call(session)
    first = only(session.execute(UseHeldCard()), CardDealt)
    assert (first.hand, first.ordinal, first.card) == (PLAYER, 1, Card.of("3c"))


@pytest.mark.clause("NJ-PB:3.12(a)#2", "NJ-PB:3.12(c)")
@pytest.mark.parametrize("elections", PROCEDURES)
def test_disclosed_where_banker_stays_it_goes_by_the_procedure_selected(
    elections: dict[str, Any],
) -> None:
    session = ready(1, **elections)
    deal(session, BOTH_STAY)
    events = session.execute(error("3c", disclosed=True, to=PLAYER))
    drawn = only(events, CardDrawnInError)
    assert drawn.clauses == ("NJ-PB:3.12(a)#2", "NJ-PB:3.12(c)")
    assert not every(events, CardHeld)
    kind = SimulatedRoundOrdered if elections is SIMULATED else CardDiscarded
    assert len(events) == 2
    assert isinstance(events[1], kind)


# --- (b): a card drawn in error ----------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.12(b)")
@pytest.mark.parametrize("to", [None, BANKER])
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.DECIDED, Phase.SETTLED])
def test_a_card_drawn_in_error_is_the_first_of_the_next_hand(phase: Phase, to: Hand | None) -> None:
    session = ready(1)
    if phase is not Phase.BETTING:
        deal(session, BANKER_WINS)
    if phase is Phase.SETTLED:
        session.execute(SettleWagers())
    drawn, held = session.execute(error("3c", disclosed=False, to=to))
    assert (drawn.clauses, held.clauses) == (("NJ-PB:3.12(b)",), ("NJ-PB:3.12(b)",))
    if phase is Phase.DECIDED:
        session.execute(SettleWagers())
    if phase is not Phase.BETTING:
        session.execute(ClearLayout())
    before = left(session)
    session.execute(CallNoMoreBets())
    assert due(session) == {UseHeldCard}
    comes_first = refused(session, DrawCard(Card.of("9h")), "held_card")
    assert comes_first.clauses == ("NJ-PB:3.12(b)",)
    first = only(session.execute(UseHeldCard()), CardDealt)
    assert first.clauses == ("NJ-PB:3.12(b)", "NJ-PB:3.7(c)#1", "NJ-PB:3.7(c)#2", "NJ-PB:3.6(c)")
    # It left the shoe when it was drawn, and the curator deals the other three.
    assert left(session) == before
    deal(session, "9d Kh Ks")
    assert session.state.round is not None
    assert session.state.round.coup.player[0] == Card.of("3c")


@pytest.mark.clause("NJ-PB:3.12(b)")
def test_cards_drawn_in_error_before_the_shoe_ends_are_not_dealt_from_the_next() -> None:
    session = ready(1)
    session.execute(error("3c", disclosed=False))
    session.execute(CallNoMoreBets())
    session.execute(UseHeldCard())
    shoe = replace(session.state.shoe, remaining=0, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    session.execute(VoidRound())
    assert session.state.kept == ()


# --- (c): a card that is disclosed -------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.12(c)")
def test_the_licensee_selects_one_of_three_procedures_beforehand() -> None:
    (detail,) = errors_of(irregularity__disclosed_card="burn it")
    assert (detail.where, detail.clauses) == ("irregularity.disclosed_card", ("NJ-PB:3.12(c)",))


VALUES = [("A", 1), *((str(number), number) for number in range(2, 10))]


@pytest.mark.clause("NJ-PB:3.12(c)1#1")
@pytest.mark.parametrize(("rank", "value"), VALUES)
def test_procedure_1_discards_as_many_cards_face_up_as_the_value_of_the_disclosed_one(
    rank: str, value: int
) -> None:
    session = ready(1, **BY_VALUE)
    drawn, first = session.execute(error(f"{rank}c", disclosed=True))
    assert drawn.clauses == ("NJ-PB:3.12(b)", "NJ-PB:3.12(c)")
    assert isinstance(first, CardDiscarded)
    assert (first.card, first.to_discard) == (Card.of(f"{rank}c"), value)
    assert first.clauses == ("NJ-PB:3.12(c)1#1",)
    before = left(session)
    refused(session, DrawCard(None), "card_unseen")
    waits = refused(session, CallNoMoreBets(), "discards_due")
    assert waits.clauses == ("NJ-PB:3.12(c)1#1",)
    assert "discard bucket" in waits.message
    more = discard(session, "Kh Kd", value)
    assert [(one.unseen, one.clauses) for one in more] == [(False, ("NJ-PB:3.12(c)1#1",))] * value
    assert left(session) == before - value
    session.execute(CallNoMoreBets())


@pytest.mark.clause("NJ-PB:3.12(c)1#2")
@pytest.mark.parametrize("extra", [1, 10])
@pytest.mark.parametrize("rank", "TJQK")
def test_procedure_1_discards_one_or_ten_with_a_ten_or_face_card_as_selected(
    rank: str, extra: int
) -> None:
    session = ready(1, **BY_VALUE, irregularity__ten_extra=extra)
    first = only(session.execute(error(f"{rank}c", disclosed=True)), CardDiscarded)
    assert first.to_discard == extra
    assert first.clauses == ("NJ-PB:3.12(c)1#1", "NJ-PB:3.12(c)1#2")
    discard(session, "2h 2d", extra)
    session.execute(CallNoMoreBets())


@pytest.mark.clause("NJ-PB:3.12(c)1#2")
@pytest.mark.parametrize(
    "elections",
    [{**BY_VALUE, "irregularity__ten_extra": 5}, {**DISCARD_ONE, "irregularity__ten_extra": 1}],
)
def test_no_other_number_goes_with_a_ten_and_none_is_selected_under_another_procedure(
    elections: dict[str, Any],
) -> None:
    (detail,) = errors_of(**elections)
    assert (detail.where, detail.clauses) == ("irregularity.ten_extra", ("NJ-PB:3.12(c)1#2",))


@pytest.mark.clause("NJ-PB:3.12(c)2")
@pytest.mark.parametrize("card", ["Ac", "7c", "Kc"])
def test_procedure_2_discards_one_more_card_that_nobody_sees(card: str) -> None:
    session = ready(1, **DISCARD_ONE)
    first = only(session.execute(error(card, disclosed=True)), CardDiscarded)
    assert (first.card, first.to_discard) == (Card.of(card), 1)
    assert first.clauses == ("NJ-PB:3.12(c)2",)
    (second,) = discard(session, None, 1)
    assert (second.card, second.unseen, second.to_discard) == (None, True, 0)
    assert second.clauses == ("NJ-PB:3.12(c)2",)
    session.execute(CallNoMoreBets())


@pytest.mark.clause("NJ-PB:3.12(c)3")
def test_procedure_3_begins_a_simulated_round_without_wagers_whose_cards_are_discarded() -> None:
    session = ready(1, 2, **SIMULATED)
    wager(session, (2, "banker", 10_000))
    ordered = only(session.execute(error("2h", disclosed=True)), SimulatedRoundOrdered)
    assert ordered.clauses == ("NJ-PB:3.12(c)3",)
    assert refused(session, CallNoMoreBets(), "simulated_round_due").clauses == ("NJ-PB:3.12(c)3",)
    begun, first = session.execute(BeginSimulatedRound())
    assert isinstance(begun, SimulatedRoundBegun)
    assert isinstance(first, CardDealt)
    assert (first.hand, first.ordinal, first.card) == (PLAYER, 1, Card.of("2h"))
    none = refused(session, PlaceWager(1, "player", 10_000), "simulated_round")
    assert none.clauses == ("NJ-PB:3.12(c)3",)
    # It is dealt by the rules: Player has 2, Banker 3, and both draw.
    events = deal(session, "3d Kh Ks 4c 5d")
    assert not every(events, ResultAnnounced)
    refused(session, SettleWagers(), "not_now")
    cleared = only(session.execute(ClearLayout()), LayoutCleared)
    assert (cleared.simulated, cleared.clauses) == (True, ("NJ-PB:3.12(c)3",))
    assert len(cleared.player) == len(cleared.banker) == 3
    assert session.state.rounds == 0
    # What was wagered before it stands for the round that follows.
    assert (2, "banker") in session.state.stakes
    play(session, BANKER_WINS)


# --- (d): a card face up in the shoe -----------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.12(d)")
@pytest.mark.parametrize(("rank", "value"), VALUES)
@pytest.mark.parametrize("elections", PROCEDURES)
def test_a_card_found_face_up_goes_to_the_bucket_with_as_many_face_up_as_its_value(
    rank: str, value: int, elections: dict[str, Any]
) -> None:
    # Whatever was selected for cards disclosed in error.
    session = ready(1, **elections)
    assert session.rules.value("irregularity.face_up", str) == "discard-by-value"
    found = only(session.execute(FindFaceUpCard(Card.of(f"{rank}c"))), FaceUpCardFound)
    assert (found.card, found.to_discard) == (Card.of(f"{rank}c"), value)
    assert found.clauses == ("NJ-PB:3.12(d)",)
    refused(session, DrawCard(None), "card_unseen")
    refused(session, CallNoMoreBets(), "discards_due")
    more = discard(session, "Kh Kd", value)
    assert {one.clauses for one in more} == {("NJ-PB:3.12(d)",)}
    session.execute(CallNoMoreBets())


@pytest.mark.clause("NJ-PB:3.12(d)")
@pytest.mark.parametrize(("reading", "extra"), [("none", 0), ("one", 1), ("ten", 10)])
@pytest.mark.parametrize("rank", "TJQK")
def test_a_ten_found_face_up_has_the_value_zero_unless_it_is_read_otherwise(
    rank: str, reading: str, extra: int
) -> None:
    session = ready(1, readings={"T03": reading})
    found = only(session.execute(FindFaceUpCard(Card.of(f"{rank}c"))), FaceUpCardFound)
    assert found.to_discard == extra


@pytest.mark.clause("NJ-PB:3.12(d)")
def test_a_card_found_face_up_in_the_middle_of_a_round_is_in_no_hand_of_it() -> None:
    session = ready(1)
    deal(session, "9h 8d")
    session.execute(FindFaceUpCard(Card.of("2c")))
    discard(session, "3c", 2)
    deal(session, "Kh Ks")
    assert session.state.round is not None
    assert session.state.round.coup.player == (Card.of("9h"), Card.of("Kh"))


# --- (e): too few cards ------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.12(e)")
@pytest.mark.parametrize("cards", ["", "2h", "2h 3d Kh", "2h 3d Kh Ks", "2h 3d Kh Ks 4c"])
def test_a_round_that_the_shoe_cannot_finish_is_void_and_every_stake_goes_back(cards: str) -> None:
    session = ready(1, wagers__bonus__offered=True)
    wager(session, (1, "banker", 10_000), (1, "tie", 500), (1, "bonus_banker", 700))
    call(session)
    refused(session, VoidRound(), "cards_left")
    deal(session, cards)
    shoe = replace(session.state.shoe, remaining=0, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    assert due(session) == {VoidRound}
    empty = refused(session, DrawCard(Card.of("9c")), "shoe_empty")
    assert empty.clauses == ("NJ-PB:3.12(e)",)
    voided, back = session.execute(VoidRound())
    assert isinstance(voided, RoundVoided)
    assert (voided.cards_dealt, voided.clauses) == (len(cards.split()), ("NJ-PB:3.12(e)",))
    assert isinstance(back, StakesReleased)
    assert {(one.wager, one.outcome, one.cents) for one in back.stakes} == {
        ("banker", "push", 10_000),
        ("tie", "push", 500),
        ("bonus_banker", "push", 700),
    }
    assert session.state.seats[1].chips_cents == 1_000_000
    assert session.state.owed_cents == 0


@pytest.mark.clause("NJ-PB:3.12(e)")
@pytest.mark.parametrize("finish", ["lace", "three-dealers"])
def test_the_next_round_follows_a_reshuffle_of_all_cards(finish: str) -> None:
    session = ready(1, shuffle__finish=finish)
    call(session)
    shoe = replace(session.state.shoe, remaining=0, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    session.execute(VoidRound())
    for command in (CallNoMoreBets(), DrawCard(Card.of("9h"))):
        assert refused(session, command, "not_now").clauses == ("NJ-PB:3.12(e)",)
    assert due(session) == {acts.ShuffleCards if finish == "lace" else acts.WashCards}
