"""5324.21(j): irregularities, by the substitute that a licensee must acknowledge."""

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
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.law.elect import SubmissionError
from croupier.rules import default_submission, table_rules
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.new_york import LAW, PLAYER_9_BANKER_8, at, errors_of, midi, ny, ready, rules_of
from support.table import deal, due, every, only, play, refused, wager
from support.texts import NY_MINI_MIDI

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
J: Final = (*ny("(j)"), "T36")

BANKER_MUST_DRAW: Final = "6h 5d Kh Ks"  # Player stays on 6; Banker has 5.
BOTH_STAY: Final = "6h 7d Kh Ks"

PROCEDURES: Final[list[dict[str, Any]]] = [
    {"irregularity__disclosed_card": "discard-by-value", "irregularity__ten_extra": 1},
    {"irregularity__disclosed_card": "discard-by-value", "irregularity__ten_extra": 10},
    {"irregularity__disclosed_card": "discard-one"},
    {"irregularity__disclosed_card": "simulated-round"},
]


def error(card: str, *, disclosed: bool, to: Hand | None = None) -> DrawCardInError:
    return DrawCardInError(Card.of(card), disclosed, to)


# --- the acknowledgement -----------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(j)")
@pytest.mark.parametrize("elections", [{}, {"game": "midi", "deal__option": "hand-over"}])
def test_without_the_acknowledgement_no_table_is_dealt(elections: dict[str, Any]) -> None:
    submission = default_submission(LAW, NY_MINI_MIDI, **elections)
    with pytest.raises(SubmissionError) as told:
        table_rules(submission)
    (detail,) = told.value.errors
    assert (detail.where, detail.clauses) == ("interpretations.T36", J)
    assert detail.message.startswith("must be acknowledged: Subdivision (j)")
    assert detail.message.endswith("Name one of new-jersey-family")


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_no_other_substitute_may_be_named() -> None:
    submission = replace(default_submission(LAW, NY_MINI_MIDI), readings={"T36": "house-rules"})
    with pytest.raises(
        SubmissionError, match="'house-rules' is not a reading that can be elected here"
    ):
        table_rules(submission)


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_whoever_meets_the_rules_is_warned_of_the_substitute() -> None:
    (warning,) = rules_of().warnings
    assert warning == (
        "T36: irregularities stand on a substitute: the section of the New York rules that decides"
        " them is not held."
    )


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_what_is_done_with_a_disclosed_card_is_one_of_three() -> None:
    detail = errors_of(irregularity__disclosed_card="ignore")["irregularity.disclosed_card"]
    assert detail.clauses == J
    detail = errors_of(irregularity__ten_extra=5)["irregularity.ten_extra"]
    assert detail.clauses == J


# --- a third card that Player's Hand may not have ----------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(j)")
@pytest.mark.parametrize("elections", PROCEDURES)
@pytest.mark.parametrize("disclosed", [False, True])
def test_it_is_bankers_third_where_banker_must_draw(
    disclosed: bool,  # noqa: FBT001
    elections: dict[str, Any],
) -> None:
    session = ready(1, **elections)
    deal(session, BANKER_MUST_DRAW)
    events = session.execute(error("3c", disclosed=disclosed, to=PLAYER))
    drawn, third = only(events, CardDrawnInError), only(events, CardDealt)
    assert drawn.clauses == J
    assert (third.hand, third.ordinal, third.source) == (BANKER, 3, "irregular")
    assert third.clauses == J + ny("(f)(3)(i)(d)", "(g)(1)(ii)")
    assert only(events, ResultAnnounced).banker_count == 8


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_in_midi_it_goes_to_the_holder_of_bankers_hand() -> None:
    session = midi(1, 2)
    wager(session, (1, "player", 10_000), (2, "banker", 10_000))
    deal(session, BANKER_MUST_DRAW)
    for seat, hand in ((1, PLAYER), (2, BANKER)):
        session.execute(acts.HandCards(hand))
        session.execute(acts.ReturnCards(seat, hand))
    third = only(session.execute(error("3c", disclosed=False, to=PLAYER)), CardDealt)
    assert (third.hand, third.face_up) == (BANKER, False)
    assert third.clauses == J + ny("(f)(3)(ii)(e)", "(g)(2)(iii)")
    session.execute(acts.HandCards(BANKER))
    assert only(session.execute(acts.ReturnCards(2, BANKER)), ResultAnnounced).banker_count == 8


@pytest.mark.clause("NY-MINIMIDI:(j)")
@pytest.mark.parametrize("to", [PLAYER, BANKER, None])
def test_undisclosed_it_is_the_first_card_of_the_next_hand(to: Hand | None) -> None:
    session = ready(1)
    deal(session, BOTH_STAY)
    drawn, held = session.execute(error("3c", disclosed=False, to=to))
    assert isinstance(drawn, CardDrawnInError)
    assert isinstance(held, CardHeld)
    assert drawn.clauses == held.clauses == J
    # It changes nothing in this round.
    session.execute(SettleWagers())
    session.execute(ClearLayout())
    session.execute(CallNoMoreBets())
    assert refused(session, DrawCard(Card.of("9h")), "held_card").clauses == J
    first = only(session.execute(UseHeldCard()), CardDealt)
    assert (first.hand, first.ordinal, str(first.card), first.source) == (PLAYER, 1, "3c", "held")
    assert first.clauses[:2] == J


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_a_card_that_is_due_is_no_error() -> None:
    session = ready(1)
    deal(session, "2h 7d Kh Ks")
    refusal = refused(session, error("3c", disclosed=False), "card_due")
    # What says whose the card is, and not the clause on irregularities.
    assert refusal.clauses == ("NY-MINIMIDI:(g)",)


# --- a card disclosed --------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(j)")
@pytest.mark.parametrize(
    ("card", "extra", "ten_extra"),
    [("Ac", 1, 10), ("7c", 7, 10), ("Tc", 10, 10), ("Kc", 10, 10), ("Tc", 1, 1), ("Qc", 1, 1)],
)
def test_a_disclosed_card_takes_as_many_more_with_it_as_its_value_face_up(
    card: str, extra: int, ten_extra: int
) -> None:
    session = ready(1, irregularity__ten_extra=ten_extra)
    drawn, discarded = session.execute(error(card, disclosed=True))
    assert drawn.clauses == J
    assert discarded == CardDiscarded(Card.of(card), False, extra, False, J)  # noqa: FBT003
    assert refused(session, CallNoMoreBets(), "discards_due").clauses == J
    for _ in range(extra):
        refused(session, DrawCard(None), "card_unseen")
        (event,) = session.execute(DrawCard(Card.of("2d" if _ < 5 else "3d")))
        assert isinstance(event, CardDiscarded)
        assert (event.unseen, event.clauses) == (False, J)
    assert session.state.shoe.remaining == 414 - 1 - extra
    session.execute(CallNoMoreBets())


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_or_one_more_unseen() -> None:
    session = ready(1, irregularity__disclosed_card="discard-one")
    _, discarded = session.execute(error("7c", disclosed=True))
    assert discarded == CardDiscarded(Card.of("7c"), False, 1, True, J)  # noqa: FBT003
    (event,) = session.execute(DrawCard(None))
    assert event == CardDiscarded(None, True, 0, True, J)  # noqa: FBT003


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_or_it_begins_a_round_without_wagers_whose_cards_are_discarded() -> None:
    session = ready(1, irregularity__disclosed_card="simulated-round")
    wager(session, (1, "player", 10_000))
    _, ordered = session.execute(error("9h", disclosed=True))
    assert isinstance(ordered, SimulatedRoundOrdered)
    assert ordered.clauses == J
    assert refused(session, CallNoMoreBets(), "simulated_round_due").clauses == J
    begun, first = session.execute(BeginSimulatedRound())
    assert isinstance(begun, SimulatedRoundBegun)
    assert begun.clauses == J
    assert isinstance(first, CardDealt)
    assert (first.hand, str(first.card)) == (PLAYER, "9h")
    assert refused(session, PlaceWager(1, "tie", 500), "simulated_round").clauses == J
    assert not every(deal(session, "8d Kh Ks"), ResultAnnounced)
    cleared = only(session.execute(ClearLayout()), LayoutCleared)
    assert (cleared.simulated, cleared.clauses) == (True, J)
    # The wager waits for the next round.
    assert set(session.state.stakes) == {(1, "player")}
    play(session, PLAYER_9_BANKER_8)
    assert session.state.seats[1].chips_cents == 1_010_000


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_in_midi_the_dealer_turns_the_hands_of_a_simulated_round() -> None:
    session = midi(1, irregularity__disclosed_card="simulated-round")
    wager(session, (1, "player", 10_000))
    session.execute(error("9h", disclosed=True))
    session.execute(BeginSimulatedRound())
    deal(session, "8d Kh Ks")
    refused(session, acts.HandCards(PLAYER), "no_holder")
    for hand in (PLAYER, BANKER):
        session.execute(acts.TurnHand(hand))
    assert session.state.phase is Phase.SETTLED


# --- a card face up in the shoe ----------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(j)")
@pytest.mark.parametrize(
    ("card", "extra", "reading"),
    [
        ("7c", 7, "none"),
        ("Ac", 1, "none"),
        ("Tc", 0, "none"),
        ("Kc", 1, "one"),
        ("Jc", 10, "ten"),
    ],
)
def test_a_card_face_up_in_the_shoe_takes_as_many_more_with_it_as_its_value(
    card: str, extra: int, reading: str
) -> None:
    session = ready(1, readings={"T03": reading})
    found = only(session.execute(FindFaceUpCard(Card.of(card))), FaceUpCardFound)
    assert found == FaceUpCardFound(Card.of(card), True, extra, J)  # noqa: FBT003
    for _ in range(extra):
        assert (
            only(session.execute(DrawCard(Card.of("2d" if _ < 5 else "3d"))), CardDiscarded).clauses
            == J
        )
    session.execute(CallNoMoreBets())


@pytest.mark.clause("NY-MINIMIDI:(j)", "NY-MINIMIDI:(e)#1")
def test_found_in_the_burn_its_company_is_face_up_and_the_burn_stays_face_down() -> None:
    session = at(Phase.TO_BURN)
    session.execute(DrawCard(Card.of("3s")))
    session.execute(FindFaceUpCard(Card.of("2c")))
    assert refused(session, DrawCard(None), "card_unseen").clauses == J
    for _ in range(2):
        discarded = only(session.execute(DrawCard(Card.of("4c"))), CardDiscarded)
        assert (discarded.card, discarded.unseen) == (Card.of("4c"), False)
    for _ in range(3):
        session.execute(DrawCard(None))
    assert session.state.phase is Phase.BETTING
    assert session.state.shoe.remaining == 416 - 7


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_found_in_the_deal_it_is_in_no_hand() -> None:
    session = ready(1)
    deal(session, "2h 3d")
    session.execute(FindFaceUpCard(Card.of("Tc")))
    deal(session, "Kh Ks")
    assert session.state.round is not None
    assert session.state.round.coup.player == parse_cards("2h Kh")


# --- too few cards -----------------------------------------------------------------------------


def short(session: TableSession, cards: int) -> None:
    """Leave that many cards in the shoe; no lawful shoe runs out so far."""
    shoe = replace(session.state.shoe, remaining=cards, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))


@pytest.mark.clause("NY-MINIMIDI:(j)")
def test_a_round_that_the_shoe_cannot_finish_is_void_and_all_stakes_go_back() -> None:
    session = ready(1, wagers__bonus__offered=True)
    wager(session, (1, "banker", 10_000), (1, "tie", 500), (1, "bonus_player", 700))
    short(session, 4)
    deal(session, "2h 3d Kh")
    assert refused(session, VoidRound(), "cards_left").clauses == J
    deal(session, "Ks")
    assert due(session) == {VoidRound}
    assert refused(session, DrawCard(Card.of("5d")), "shoe_empty").clauses == J
    events = session.execute(VoidRound())
    assert only(events, RoundVoided).clauses == J
    released = only(events, StakesReleased)
    assert released.clauses == J
    assert {(one.wager, one.outcome, one.cents) for one in released.stakes} == {
        ("banker", "push", 10_000),
        ("tie", "push", 500),
        ("bonus_player", "push", 700),
    }
    assert session.state.seats[1].chips_cents == 1_000_000
    # The next round follows a shuffle of all cards.
    assert refused(session, CallNoMoreBets(), "not_now").clauses == session.rules.cites_for(
        "irregularity.insufficient", "reshuffle"
    )
    assert due(session) == {acts.ShuffleCards}
    advance(session, Phase.BETTING)
    assert session.state.shoe.remaining == 414
