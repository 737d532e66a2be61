"""5324.21(f)(3)(ii)(g): the right to turn a hand, given up or taken away, and who has it next."""

from typing import Final

import pytest

from croupier.acts import (
    AcceptCards,
    CardsAccepted,
    CardsDeclined,
    CardsHanded,
    CardsOffered,
    CardsReturned,
    ClearLayout,
    DeclineCards,
    HandCards,
    LeaveTable,
    RelinquishCards,
    RequireRelinquishment,
    ReturnCards,
    RightRelinquished,
    SettleWagers,
    TurnHand,
)
from croupier.baccarat.coup import Hand
from croupier.rules import TableLayout
from croupier.table.machine.session import TableSession
from support.new_york import CLOCKWISE, COUNTERCLOCKWISE, midi, ny
from support.table import deal, due, only, refused, wager

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
FOUR_CARDS: Final = "2h 3d Kh Ks"  # Player 2, Banker 3.
COMPELLED: Final = ny("(f)(3)(ii)(g)")
TO_THE_RIGHT: Final = ny("(f)(3)(ii)(g)(1)")
IN_TURN: Final = ny("(f)(3)(ii)(g)(2)")
PASSED_ON: Final = TO_THE_RIGHT + IN_TURN
NOBODY_THERE: Final = ny("(f)(3)(ii)(g)(3)(i)")
NOBODY_ACCEPTS: Final = ny("(f)(3)(ii)(g)(3)(ii)")


def dealt(*seats: int, holder: int, layout: TableLayout | None = None) -> TableSession:
    """A midi table with patrons in these seats, one of whom wagered on both hands."""
    session = midi(*seats, layout=layout)
    wager(session, (holder, "player", 10_000), (holder, "banker", 10_000))
    deal(session, FOUR_CARDS)
    return session


def delay(seat: int, hand: Hand = PLAYER, by: str = "dealer") -> RequireRelinquishment:
    return RequireRelinquishment(seat, hand, by, "delay")


# --- taken away, or given up -------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)")
@pytest.mark.parametrize("handed", [False, True])
@pytest.mark.parametrize("by", ["dealer", "floorperson"])
def test_dealer_and_floorperson_may_take_the_right_from_a_player_who_delays(
    by: str,
    handed: bool,  # noqa: FBT001
) -> None:
    session = dealt(2, 3, holder=2)
    if handed:
        session.execute(HandCards(PLAYER))
    taken, offered = session.execute(delay(2, by=by))
    assert taken == RightRelinquished(2, PLAYER, by, "delay", COMPELLED)
    assert isinstance(offered, CardsOffered)
    refused(session, ReturnCards(2, PLAYER), "hands_off")


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)")
def test_delay_is_the_only_ground_and_nobody_else_may_require_it() -> None:
    session = dealt(2, 3, holder=2)
    violation = RequireRelinquishment(2, PLAYER, "dealer", "violation")
    refusal = refused(session, violation, "grounds")
    assert refusal.clauses == COMPELLED
    assert refusal.message == "violation: the right may be taken away only for delay"
    assert refused(session, delay(2, by="pit boss"), "authority").clauses == COMPELLED


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)")
def test_the_right_is_taken_from_whoever_has_it_and_from_nobody_else() -> None:
    session = dealt(2, 3, holder=2)
    assert refused(session, delay(3), "no_holder").clauses == ()
    # The right to Banker's Hand too, before its turn; one hand is on offer at a time.
    session.execute(delay(2, BANKER))
    refused(session, delay(2), "on_offer")
    session.execute(DeclineCards(3, BANKER))
    session.execute(delay(2))
    refused(session, delay(2), "no_holder")


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)")
def test_the_right_may_be_taken_from_a_player_who_has_walked_away() -> None:
    session = dealt(2, 3, holder=2)
    session.execute(LeaveTable(2))
    (required,) = (one for one in session.legal() if one.command is RequireRelinquishment)
    assert (required.seat, required.must, required.clauses) == (2, False, COMPELLED)
    assert session.execute(delay(2))[0] == RightRelinquished(
        2, PLAYER, "dealer", "delay", COMPELLED
    )


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(1)")
def test_a_player_may_give_the_right_up_himself() -> None:
    session = dealt(2, 3, holder=2)
    given_up, offered = session.execute(RelinquishCards(2, PLAYER))
    assert given_up == RightRelinquished(2, PLAYER, None, None, TO_THE_RIGHT)
    assert offered == CardsOffered(3, PLAYER, (), TO_THE_RIGHT)


# --- (1) and (2): to the right, and on ---------------------------------------------------------

# Seen from above a player's right-hand neighbour is the next counterclockwise.
ROUND_THE_TABLE: Final = [
    pytest.param(COUNTERCLOCKWISE, (1, 3, 4, 6), 3, [4, 6, 1], id="counterclockwise"),
    pytest.param(COUNTERCLOCKWISE, (1, 3, 4, 6), 6, [1, 3, 4], id="counterclockwise, from the end"),
    pytest.param(CLOCKWISE, (1, 3, 4, 6), 3, [1, 6, 4], id="clockwise"),
    pytest.param(CLOCKWISE, (1, 3, 4, 6), 1, [6, 4, 3], id="clockwise, from the end"),
]


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(1)", "NY-MINIMIDI:(f)(3)(ii)(g)(2)")
@pytest.mark.parametrize(("layout", "seats", "holder", "order"), ROUND_THE_TABLE)
@pytest.mark.parametrize("compelled", [False, True])
def test_the_right_is_offered_to_the_right_first_and_then_on_counterclockwise(
    layout: TableLayout,
    seats: tuple[int, ...],
    holder: int,
    order: list[int],
    compelled: bool,  # noqa: FBT001
) -> None:
    session = dealt(*seats, holder=holder, layout=layout)
    events = session.execute(delay(holder) if compelled else RelinquishCards(holder, PLAYER))
    asked: list[int] = []
    while (offered := only(events, CardsOffered)).seat is not None:
        assert offered.clauses == (IN_TURN if asked else TO_THE_RIGHT)
        asked.append(offered.seat)
        assert due(session) == {AcceptCards, DeclineCards}
        events = session.execute(DeclineCards(offered.seat, PLAYER))
        assert only(events, CardsDeclined).seat == asked[-1]
    assert asked == order


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(1)", "NY-MINIMIDI:(f)(3)(ii)(g)(2)")
def test_only_the_seat_that_is_asked_may_answer_and_nobody_turns_the_hand_meanwhile() -> None:
    session = dealt(2, 3, 4, holder=2)
    session.execute(RelinquishCards(2, PLAYER))
    for seat in (2, 4):
        assert refused(session, AcceptCards(seat, PLAYER), "not_asked").clauses == PASSED_ON
        assert refused(session, DeclineCards(seat, PLAYER), "not_asked").clauses == PASSED_ON
    refused(session, AcceptCards(3, BANKER), "not_asked")
    refusal = refused(session, TurnHand(PLAYER), "on_offer")
    assert refusal.clauses == NOBODY_ACCEPTS
    refused(session, HandCards(PLAYER), "not_next")


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(2)")
def test_whoever_accepts_has_the_hand_for_the_rest_of_the_round_and_no_longer() -> None:
    session = dealt(2, 3, 4, holder=2)
    session.execute(RelinquishCards(2, PLAYER))
    session.execute(DeclineCards(3, PLAYER))
    accepted = only(session.execute(AcceptCards(4, PLAYER)), CardsAccepted)
    assert (accepted.seat, accepted.clauses) == (4, PASSED_ON)
    handed = only(session.execute(HandCards(PLAYER)), CardsHanded)
    assert handed.seat == 4
    assert handed.clauses == ny("(f)(3)(ii)(b)") + PASSED_ON
    session.execute(ReturnCards(4, PLAYER))
    # Banker's Hand was not given up.
    assert only(session.execute(HandCards(BANKER)), CardsHanded).seat == 2
    session.execute(ReturnCards(2, BANKER))
    deal(session, "4c")
    assert only(session.execute(HandCards(PLAYER)), CardsHanded).seat == 4
    session.execute(ReturnCards(4, PLAYER))
    deal(session, "5d")
    session.execute(HandCards(BANKER))
    session.execute(ReturnCards(2, BANKER))
    session.execute(SettleWagers())
    session.execute(ClearLayout())
    wager(session, (2, "player", 10_000))
    deal(session, FOUR_CARDS)
    assert only(session.execute(HandCards(PLAYER)), CardsHanded).seat == 2


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(1)", "NY-MINIMIDI:(f)(3)(ii)(g)(2)")
def test_whoever_gave_it_up_is_not_asked_again() -> None:
    session = dealt(2, 3, 4, holder=2)
    session.execute(RelinquishCards(2, PLAYER))
    session.execute(AcceptCards(3, PLAYER))
    offered = only(session.execute(delay(3)), CardsOffered)
    assert (offered.seat, offered.waiting, offered.clauses) == (4, (), TO_THE_RIGHT)


# --- (3): the dealer turns the hand ------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(3)(i)")
@pytest.mark.parametrize("compelled", [False, True])
def test_the_dealer_turns_the_hand_where_nobody_else_is_there(compelled: bool) -> None:  # noqa: FBT001
    session = dealt(2, holder=2)
    events = session.execute(delay(2) if compelled else RelinquishCards(2, PLAYER))
    assert only(events, CardsOffered) == CardsOffered(None, PLAYER, (), NOBODY_THERE)
    turned = only(session.execute(TurnHand(PLAYER)), CardsReturned)
    assert turned == CardsReturned(None, PLAYER, NOBODY_THERE)


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(3)(ii)")
def test_the_dealer_turns_the_hand_where_nobody_accepts() -> None:
    session = dealt(2, 3, 4, holder=2)
    session.execute(RelinquishCards(2, PLAYER))
    session.execute(DeclineCards(3, PLAYER))
    events = session.execute(DeclineCards(4, PLAYER))
    assert only(events, CardsOffered) == CardsOffered(None, PLAYER, (), NOBODY_ACCEPTS)
    (action,) = (action for action in session.legal() if action.must)
    assert (action.command, action.who, action.clauses) == (TurnHand, "dealer", NOBODY_ACCEPTS)
    turned = only(session.execute(TurnHand(PLAYER)), CardsReturned)
    assert turned == CardsReturned(None, PLAYER, NOBODY_ACCEPTS)


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(3)(i)", "NY-MINIMIDI:(f)(3)(ii)(g)(3)(ii)")
def test_he_turns_the_third_card_of_it_for_the_same_reason() -> None:
    session = dealt(2, 3, holder=2)
    # Both give Player's Hand up: then nobody is left. Banker's Hand nobody accepts.
    session.execute(RelinquishCards(2, PLAYER))
    session.execute(AcceptCards(3, PLAYER))
    assert only(session.execute(RelinquishCards(3, PLAYER)), CardsOffered).clauses == NOBODY_THERE
    session.execute(TurnHand(PLAYER))
    session.execute(RelinquishCards(2, BANKER))
    session.execute(DeclineCards(3, BANKER))
    session.execute(TurnHand(BANKER))
    for hand, card, why in ((PLAYER, "4c", NOBODY_THERE), (BANKER, "5d", NOBODY_ACCEPTS)):
        deal(session, card)
        assert only(session.execute(TurnHand(hand)), CardsReturned).clauses == why
