"""19:47-3.6 and 3.11: who deals from the shoe, and how the shoe passes on."""

from typing import Any

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    AcceptShoe,
    Command,
    CuratorNamed,
    DeclineShoe,
    Event,
    LayoutCleared,
    OrderPass,
    PassShoe,
    ShoeCompleted,
    ShoeDeclined,
    ShoeOffered,
    ShoePassed,
)
from croupier.baccarat.cards import Card
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.parts.curator import CuratorState
from support.games import advance
from support.punto_banco import (
    BANKER_WINS,
    PLAYER_WINS,
    TIE,
    at,
    call,
    deal,
    dealer_deals,
    load_short_shoe,
    offer_to,
    play,
    ready,
    shoe_to,
)
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

CLOCKWISE = TableLayout(numbering="clockwise")
FIRST_OFFER, NEXT_OFFER, TAKEN = "NJ-PB:3.6(b)", "NJ-PB:3.11(b)#1", "NJ-PB:3.11(b)#2"
CURATOR = "NJ-PB:3.6(c)"
DESIGNATED = ("NJ-PB:3.6(d)", "NJ-PB:3.6(d)1")
NOBODY = ("NJ-PB:3.6(d)", "NJ-PB:3.6(d)2")


def asked(session: TableSession) -> list[int]:
    """Everybody rejects the shoe: the seats in the order in which they were asked."""
    return offer_to(session, None)


def on_offer(events: list[Event] | tuple[Event, ...]) -> tuple[int | None, tuple[int, ...]]:
    offered = only(events, ShoeOffered)
    return offered.seat, offered.waiting


def held(*seats: int, curator: int, **elections: Any) -> TableSession:
    """A table open for wagers at which that seat has the shoe."""
    session = at(Phase.BETTING, *seats, **elections)
    shoe_to(session, curator)
    return session


# --- 3.6(b): the shoe is offered at the commencement of play -----------------------------------


# Seats 1, 3, 6 and 7 of seven are taken. Counterclockwise from seat one is upward where the
# numbers ascend counterclockwise, and downward, past seat one to seven, where they ascend clockwise.
@pytest.mark.clause("NJ-PB:3.6(b)")
@pytest.mark.parametrize(
    ("layout", "order"),
    [(TableLayout(), [1, 3, 6, 7]), (CLOCKWISE, [1, 7, 6, 3])],
    ids=["counterclockwise", "clockwise"],
)
def test_the_shoe_is_offered_from_seat_one_on_counterclockwise(
    layout: TableLayout, order: list[int]
) -> None:
    assert asked(at(Phase.BETTING, 7, 3, 1, 6, layout=layout)) == order


# Nobody sits in seat one. The next counterclockwise from it is 2, or, where the numbers ascend
# clockwise, 5 (of five seats).
@pytest.mark.clause("NJ-PB:3.6(b)")
@pytest.mark.parametrize(
    ("numbering", "order"), [("counterclockwise", [2, 4]), ("clockwise", [4, 2])]
)
def test_where_nobody_sits_in_seat_one_the_shoe_is_offered_to_the_next_from_there(
    numbering: str, order: list[int]
) -> None:
    layout = TableLayout(seats=5, numbering=numbering)
    assert asked(at(Phase.BETTING, 4, 2, layout=layout)) == order


@pytest.mark.clause("NJ-PB:3.6(b)")
def test_the_shoe_is_offered_when_the_burn_is_done_and_no_round_begins_before_it_is_taken() -> None:
    session = at(Phase.TO_BURN, 1, 2)
    session.execute(acts.DrawCard(Card.of("Ah")))
    events = session.execute(acts.DrawCard(Card.of("Kh")))
    offered = only(events, ShoeOffered)
    assert (offered.seat, offered.waiting, offered.clauses) == (1, (2,), (FIRST_OFFER,))
    assert due(session) == {AcceptShoe, DeclineShoe}
    assert {(one.who, one.seat, one.clauses) for one in session.legal() if one.must} == {
        ("patron", 1, (FIRST_OFFER,))
    }
    early = refused(session, acts.CallNoMoreBets(), "shoe_on_offer")
    assert early.clauses == (FIRST_OFFER,)
    assert "seat 1" in early.message
    session.execute(AcceptShoe(1))
    assert due(session) == {acts.CallNoMoreBets}


@pytest.mark.clause("NJ-PB:3.6(b)")
def test_nobody_takes_or_rejects_the_shoe_out_of_turn() -> None:
    session = at(Phase.BETTING, 1, 2, 3)
    for command in (AcceptShoe(2), DeclineShoe(3), AcceptShoe(7)):
        assert refused(session, command, "not_asked").clauses == (FIRST_OFFER,)
    declined, offered = session.execute(DeclineShoe(1))
    assert isinstance(declined, ShoeDeclined)
    assert (declined.seat, declined.clauses) == (1, (FIRST_OFFER,))
    assert isinstance(offered, ShoeOffered)
    assert (offered.seat, offered.waiting, offered.clauses) == (2, (3,), (FIRST_OFFER,))
    refused(session, AcceptShoe(1), "not_asked")
    session.execute(AcceptShoe(2))
    refused(session, AcceptShoe(3), "not_asked")


@pytest.mark.clause("NJ-PB:3.6(b)")
def test_a_participant_who_leaves_while_he_is_asked_has_not_taken_the_shoe() -> None:
    session = at(Phase.BETTING, 1, 2, 3)
    session.execute(acts.LeaveTable(2))
    assert on_offer(session.execute(acts.LeaveTable(1))) == (3, ())


@pytest.mark.clause("NJ-PB:3.6(b)")
def test_at_a_table_without_participants_play_waits_for_the_first_of_them() -> None:
    session = at(Phase.TO_BURN, 1)
    session.execute(acts.LeaveTable(1))
    advance(session, Phase.BETTING)
    refusal = refused(session, acts.CallNoMoreBets(), "shoe_on_offer")
    assert refusal.clauses == (FIRST_OFFER,)
    assert on_offer(session.execute(acts.SeatPatron(5, "Patron 5"))) == (5, ())
    # Who comes later is not asked while the shoe is on offer, nor once it is taken.
    assert not every(session.execute(acts.SeatPatron(1, "Patron 1")), ShoeOffered)
    session.execute(AcceptShoe(5))
    session.execute(acts.CallNoMoreBets())


# --- 3.6(c): the curator deals -----------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.6(c)")
def test_who_accepts_the_shoe_is_the_curator_and_deals() -> None:
    session = at(Phase.BETTING, 1, 2)
    offer_to(session, 2)
    named = only(session.execute(AcceptShoe(2)), CuratorNamed)
    assert (named.seat, named.dealer_deals, named.clauses) == (2, False, (FIRST_OFFER, CURATOR))
    deal_cards = call(session)
    assert deal_cards
    # First the four cards, then, when the dealer has called the counts, the third ones.
    for cards in ("2h 3d Kh Ks", "4c", "5d"):
        (action,) = [one for one in session.legal() if one.command is acts.DrawCard]
        assert (action.who, action.seat) == ("curator", 2)
        deal(session, cards)
    assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("NJ-PB:3.6(c)")
def test_the_curator_keeps_the_shoe_over_the_reshuffle_and_is_not_chosen_again() -> None:
    session = at(Phase.TO_CUT, 1, 2)
    load_short_shoe(session)
    shoe_to(session, 2)
    for _ in range(3):
        play(session, BANKER_WINS)
    assert session.state.phase is Phase.SHOE_COMPLETED
    advance(session, Phase.BETTING)
    assert session.state[CuratorState].asked == ()
    assert (session.state[CuratorState].chosen, session.state[CuratorState].curator) == (True, 2)


# --- 3.6(d): the dealer as curator -------------------------------------------------------------


def dealer_draws(session: TableSession) -> bool:
    call(session)
    (action,) = [one for one in session.legal() if one.command is acts.DrawCard]
    return (action.who, action.seat) == ("dealer", None)


@pytest.mark.clause("NJ-PB:3.6(d)", "NJ-PB:3.6(d)1")
def test_who_accepts_the_shoe_may_designate_the_dealer_as_curator() -> None:
    session = at(Phase.BETTING, 1, 2)
    named = only(session.execute(AcceptShoe(1, designate_dealer=True)), CuratorNamed)
    assert (named.dealer_deals, named.clauses) == (True, (FIRST_OFFER, *DESIGNATED))
    assert dealer_draws(session)


@pytest.mark.clause("NJ-PB:3.6(d)1", "NJ-PB:3.11(b)#2")
def test_another_to_whom_the_shoe_is_relinquished_designates_the_dealer_anew_or_deals_himself() -> (
    None
):
    session = at(Phase.BETTING, 1, 2, 3)
    session.execute(AcceptShoe(1, designate_dealer=True))
    play(session, PLAYER_WINS)
    named = only(session.execute(AcceptShoe(2, designate_dealer=True)), CuratorNamed)
    assert (named.seat, named.dealer_deals) == (2, True)
    assert named.clauses == (TAKEN, *DESIGNATED)
    play(session, PLAYER_WINS)
    named = only(session.execute(AcceptShoe(3)), CuratorNamed)
    assert (named.seat, named.dealer_deals, named.clauses) == (3, False, (TAKEN,))
    assert not dealer_draws(session)


@pytest.mark.clause("NJ-PB:3.6(d)", "NJ-PB:3.6(d)2")
def test_the_dealer_is_curator_where_nobody_accepts_the_shoe() -> None:
    session = at(Phase.BETTING, 1, 2)
    session.execute(DeclineShoe(1))
    declined, offered, named = session.execute(DeclineShoe(2))
    assert isinstance(declined, ShoeDeclined)
    assert isinstance(offered, ShoeOffered)
    assert (offered.seat, offered.clauses) == (None, NOBODY)
    assert isinstance(named, CuratorNamed)
    assert (named.seat, named.dealer_deals, named.clauses) == (None, True, NOBODY)
    assert dealer_draws(session)


@pytest.mark.clause("NJ-PB:3.6(d)2")
def test_the_dealer_is_curator_too_where_nobody_accepts_a_shoe_that_is_passed() -> None:
    session = ready(1, 2)
    play(session, PLAYER_WINS)
    offered, named = session.execute(DeclineShoe(2))[1:]
    assert isinstance(offered, ShoeOffered)
    assert isinstance(named, CuratorNamed)
    assert (named.seat, named.clauses) == (None, NOBODY)


@pytest.mark.clause("NJ-PB:3.6(d)2")
def test_a_lone_participant_who_passes_the_shoe_leaves_it_to_the_dealer() -> None:
    session = ready(4)
    events = play(session, PLAYER_WINS)
    assert only(events, CuratorNamed).seat is None
    assert dealer_draws(session)


@pytest.mark.clause("NJ-PB:3.6(d)")
def test_the_dealer_is_no_curator_of_his_own_will() -> None:
    session = at(Phase.BETTING, 1, 2)
    refused(session, acts.CallNoMoreBets(), "shoe_on_offer")
    session.execute(AcceptShoe(1))
    assert not dealer_draws(session)


# --- 3.11(a): to pass or to remain -------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.11(a)")
def test_after_any_round_the_curator_passes_the_shoe_or_remains_as_he_likes() -> None:
    session = ready(1, 2, 3)
    assert refused(session, PassShoe(), "too_early").clauses == ("NJ-PB:3.11(a)",)
    for cards in (BANKER_WINS, TIE):
        assert not every(play(session, cards), ShoePassed)
        offered = {one.command: (one.who, one.must, one.seat) for one in session.legal()}
        assert offered[PassShoe] == ("patron", False, 1)
    passed, following = session.execute(PassShoe())
    assert isinstance(passed, ShoePassed)
    assert (passed.seat, passed.grounds, passed.by) == (1, "voluntary", None)
    assert passed.clauses == ("NJ-PB:3.11(a)",)
    assert isinstance(following, ShoeOffered)
    refused(session, PassShoe(), "no_curator")


@pytest.mark.clause("NJ-PB:3.11(a)")
@pytest.mark.parametrize("cards", ["", "9h 8d Kh", "9h 8d Kh Ks"])
def test_the_shoe_is_not_passed_in_the_middle_of_a_round(cards: str) -> None:
    session = ready(1, 2)
    play(session, BANKER_WINS)
    call(session)
    deal(session, cards)
    assert refused(session, PassShoe(), "too_early").clauses == ("NJ-PB:3.11(a)",)


@pytest.mark.clause("NJ-PB:3.11(a)")
def test_the_dealer_who_deals_because_nobody_took_the_shoe_may_pass_it_too() -> None:
    session = dealer_deals(1, 2)
    play(session, BANKER_WINS)
    (action,) = [one for one in session.legal() if one.command is PassShoe]
    assert (action.who, action.seat) == ("dealer", None)
    # From the dealer's right hand on: seat one is the first counterclockwise.
    assert on_offer(session.execute(PassShoe())) == (1, (2,))


@pytest.mark.clause("NJ-PB:3.11(a)1")
def test_the_curator_must_pass_the_shoe_whenever_bankers_hand_loses() -> None:
    session = ready(1, 2, 3)
    cleared, passed, offered = play(session, PLAYER_WINS)[-3:]
    assert isinstance(cleared, LayoutCleared)
    assert isinstance(passed, ShoePassed)
    assert (passed.seat, passed.grounds, passed.by) == (1, "banker lost", None)
    assert passed.clauses == ("NJ-PB:3.11(a)1",)
    assert isinstance(offered, ShoeOffered)
    assert (offered.seat, offered.waiting) == (2, (3,))
    refused(session, acts.CallNoMoreBets(), "shoe_on_offer")


@pytest.mark.clause("NJ-PB:3.11(a)1")
@pytest.mark.parametrize("wagered", [False, True])
def test_bankers_hand_loses_whether_or_not_anybody_wagered_on_it(*, wagered: bool) -> None:
    session = ready(1, 2)
    if wagered:
        wager(session, (2, "banker", 10_000))
    only(play(session, PLAYER_WINS), ShoePassed)


@pytest.mark.clause("NJ-PB:3.11(a)1")
def test_who_has_the_dealer_deal_for_him_passes_the_shoe_all_the_same() -> None:
    session = at(Phase.BETTING, 1, 2)
    session.execute(AcceptShoe(1, designate_dealer=True))
    events = play(session, PLAYER_WINS)
    assert only(events, ShoePassed).seat == 1
    assert on_offer(events) == (2, ())


@pytest.mark.clause("NJ-PB:3.11(a)1")
@pytest.mark.parametrize("numbering", ["counterclockwise", "clockwise"])
def test_the_dealer_too_passes_the_shoe_from_his_right_hand_on(numbering: str) -> None:
    session = dealer_deals(1, 2, 5, layout=TableLayout(numbering=numbering))
    events = play(session, PLAYER_WINS)
    passed = only(events, ShoePassed)
    assert (passed.seat, passed.clauses) == (None, ("NJ-PB:3.11(a)1",))
    order = (1, (2, 5)) if numbering == "counterclockwise" else (5, (2, 1))
    assert on_offer(events) == order


@pytest.mark.clause("NJ-PB:3.11(a)1")
@pytest.mark.parametrize("cards", [TIE, "7h 7d Kh Ks", BANKER_WINS, "6h 5d Kh Ks 3c"])
def test_a_tie_is_no_loss_of_bankers_hand_and_neither_is_a_win(cards: str) -> None:
    session = ready(1, 2)
    assert not every(play(session, cards), ShoePassed)
    assert session.state[CuratorState].curator == 1


@pytest.mark.clause("NJ-PB:3.11(a)1")
def test_a_simulated_round_that_banker_would_have_lost_passes_no_shoe() -> None:
    session = ready(1, 2, irregularity__disclosed_card="simulated-round")
    session.execute(acts.DrawCardInError(Card.of("9h"), disclosed=True))
    session.execute(acts.BeginSimulatedRound())
    deal(session, "8d Kh Ks")
    events = session.execute(acts.ClearLayout())
    assert only(events, LayoutCleared).simulated
    assert not every(events, ShoePassed)
    assert session.state[CuratorState].curator == 1


@pytest.mark.clause("NJ-PB:3.11(a)1", "NJ-PB:3.12(e)")
def test_a_void_round_passes_no_shoe() -> None:
    session = ready(1, 2)
    call(session)
    # Player has a natural nine before the fourth card, which the shoe does not hold.
    deal(session, "9h 2d Kh")
    shoe = replace(session.state.shoe, remaining=0, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    events = session.execute(acts.VoidRound())
    assert not every(events, ShoePassed)
    assert (session.state[CuratorState].chosen, session.state[CuratorState].curator) == (True, 1)


@pytest.mark.clause("NJ-PB:3.11(a)1")
def test_the_shoe_is_passed_after_the_last_hand_too_and_may_be_taken_before_the_reshuffle() -> None:
    session = at(Phase.TO_CUT, 1, 2)
    load_short_shoe(session)
    shoe_to(session, 1)
    for cards in (BANKER_WINS, BANKER_WINS, PLAYER_WINS):
        events = play(session, cards)
    only(events, ShoeCompleted)
    assert on_offer(events) == (2, ())
    session.execute(AcceptShoe(2))
    advance(session, Phase.BETTING)
    assert session.state[CuratorState].curator == 2


@pytest.mark.clause("NJ-PB:3.11(b)#1")
def test_a_shoe_on_offer_over_the_reshuffle_is_on_offer_still_when_the_next_is_loaded() -> None:
    session = at(Phase.TO_CUT, 1, 2, 3)
    load_short_shoe(session)
    shoe_to(session, 1)
    for cards in (BANKER_WINS, BANKER_WINS, PLAYER_WINS):
        play(session, cards)
    for command in (acts.ShuffleCards(), acts.LaceStack(), acts.CutStack(100)):
        if isinstance(command, acts.CutStack):
            while session.state.cut.asked is not None:
                session.execute(acts.DeclineCut(session.state.cut.asked))
        session.execute(command)
    advance(session, Phase.BETTING)
    assert session.state[CuratorState].asked == (2, 3)
    refusal = refused(session, acts.CallNoMoreBets(), "shoe_on_offer")
    assert refusal.clauses == (NEXT_OFFER,)


@pytest.mark.clause("NJ-PB:3.11(a)2")
@pytest.mark.parametrize("by", ["dealer", "floorperson"])
@pytest.mark.parametrize("grounds", ["delay", "invalid deals", "violation"])
def test_dealer_or_floorperson_may_order_the_shoe_passed(by: str, grounds: str) -> None:
    session = ready(1, 2)
    play(session, BANKER_WINS)
    assert (OrderPass, "floorperson", False, 1) in {
        (one.command, one.who, one.must, one.seat) for one in session.legal()
    }
    passed, offered = session.execute(OrderPass(by, grounds))
    assert isinstance(passed, ShoePassed)
    assert (passed.seat, passed.grounds, passed.by) == (1, grounds, by)
    assert passed.clauses == ("NJ-PB:3.11(a)2",)
    assert isinstance(offered, ShoeOffered)
    assert offered.seat == 2
    refused(session, OrderPass(by, grounds), "no_curator")


@pytest.mark.clause("NJ-PB:3.11(a)2")
@pytest.mark.parametrize(
    ("by", "grounds", "code"),
    [
        ("patron", "delay", "by"),
        ("pit boss", "delay", "by"),
        ("", "delay", "by"),
        ("dealer", "bad luck", "grounds"),
        ("floorperson", "", "grounds"),
    ],
)
def test_nobody_else_orders_it_and_for_nothing_else(by: str, grounds: str, code: str) -> None:
    session = ready(1, 2)
    play(session, BANKER_WINS)
    assert refused(session, OrderPass(by, grounds), code).clauses == ("NJ-PB:3.11(a)2",)


@pytest.mark.clause("NJ-PB:3.11(a)2")
def test_a_curator_who_delays_the_first_round_may_be_ordered_to_pass_before_it() -> None:
    session = ready(1, 2)
    assert OrderPass in {one.command for one in session.legal()}
    assert on_offer(session.execute(OrderPass("dealer", "delay"))) == (2, ())
    # The shoe that is on offer now has been passed, though no round was dealt from it.
    early = refused(session, acts.CallNoMoreBets(), "shoe_on_offer")
    assert early.clauses == (NEXT_OFFER,)
    assert only(session.execute(AcceptShoe(2)), CuratorNamed).clauses == (TAKEN,)


# Banker's Hand that lost has the shoe passed too, whatever else has it passed.
@pytest.mark.clause("NJ-PB:3.11(a)1", "NJ-PB:3.11(a)2")
@pytest.mark.parametrize(
    ("taken_over", "clause"),
    [
        (OrderPass("dealer", "delay"), "NJ-PB:3.11(a)2"),
        (acts.LeaveTable(1), "NJ-PB:3.11(a)"),
    ],
    ids=["ordered", "left"],
)
@pytest.mark.parametrize(
    ("cards", "lost"), [(PLAYER_WINS, True), (BANKER_WINS, False), (TIE, False)]
)
def test_a_shoe_that_passes_after_a_round_that_banker_lost_passes_for_that_too(
    taken_over: Command, clause: str, cards: str, *, lost: bool
) -> None:
    session = ready(1, 2)
    wager(session, (2, "player", 5_000))
    call(session)
    first, rest = cards.split(maxsplit=1)
    session.execute(acts.DrawCard(Card.of(first)))
    session.execute(taken_over)
    passed = only(play(session, rest), ShoePassed)
    assert passed.clauses == ((clause, "NJ-PB:3.11(a)1") if lost else (clause,))


# --- 3.11(b): who is offered the shoe next -----------------------------------------------------


# Seats 2, 4, 5 and 7 of seven. To the right of seat 5, counterclockwise: 7, 2, 4; or, where the
# numbers ascend clockwise, 4, 2, 7.
@pytest.mark.clause("NJ-PB:3.11(b)#1")
@pytest.mark.parametrize("how", ["voluntary", "banker lost", "ordered"])
@pytest.mark.parametrize(
    ("layout", "order"),
    [(TableLayout(), [7, 2, 4]), (CLOCKWISE, [4, 2, 7])],
    ids=["counterclockwise", "clockwise"],
)
def test_a_shoe_that_is_passed_is_offered_counterclockwise_from_the_right_of_the_last_curator(
    layout: TableLayout, order: list[int], how: str
) -> None:
    session = held(2, 4, 5, 7, curator=5, layout=layout)
    events = play(session, PLAYER_WINS if how == "banker lost" else BANKER_WINS)
    if how == "voluntary":
        events = list(session.execute(PassShoe()))
    elif how == "ordered":
        events = list(session.execute(OrderPass("dealer", "delay")))
    offered = only(events, ShoeOffered)
    assert (offered.seat, *offered.waiting) == tuple(order)
    assert offered.clauses == (NEXT_OFFER,)
    # He who passed it is not asked, and everybody else is.
    assert asked(session) == order


@pytest.mark.clause("NJ-PB:3.11(b)#1")
def test_every_step_of_the_offer_of_a_passed_shoe_stands_on_its_own_sentence() -> None:
    session = ready(1, 2, 3, 4)
    play(session, PLAYER_WINS)
    actions = [one for one in session.legal() if one.command in {AcceptShoe, DeclineShoe}]
    assert {one.clauses for one in actions} == {(NEXT_OFFER,)}
    refusal = refused(session, acts.CallNoMoreBets(), "shoe_on_offer")
    assert refusal.clauses == (NEXT_OFFER,)
    assert refused(session, AcceptShoe(3), "not_asked").clauses == (NEXT_OFFER,)
    declined, offered = session.execute(DeclineShoe(2))
    assert (declined.clauses, offered.clauses) == ((NEXT_OFFER,), (NEXT_OFFER,))


@pytest.mark.clause("NJ-PB:3.11(b)#1")
def test_a_shoe_that_the_dealer_passes_is_on_offer_as_a_passed_one() -> None:
    session = dealer_deals(1, 2)
    play(session, PLAYER_WINS)
    declined, offered = session.execute(DeclineShoe(1))
    assert (declined.clauses, offered.clauses) == ((NEXT_OFFER,), (NEXT_OFFER,))


@pytest.mark.clause("NJ-PB:3.11(b)#2")
def test_the_first_to_accept_is_the_new_curator() -> None:
    session = ready(1, 2, 3, 4)
    play(session, PLAYER_WINS)
    session.execute(DeclineShoe(2))
    named = only(session.execute(AcceptShoe(3)), CuratorNamed)
    assert (named.seat, named.dealer_deals, named.clauses) == (3, False, (TAKEN,))
    refused(session, AcceptShoe(4), "not_asked")
    # His shoe is passed from his right in its turn: 4, and then round the table to 1 and 2.
    assert on_offer(play(session, PLAYER_WINS)) == (4, (1, 2))


# --- the curator who leaves --------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.11(a)", "NJ-PB:3.11(b)#1")
def test_a_curator_who_leaves_gives_up_the_shoe_to_his_right() -> None:
    session = held(1, 3, 5, curator=3)
    play(session, BANKER_WINS)
    events = session.execute(acts.LeaveTable(3))
    passed = only(events, ShoePassed)
    assert (passed.seat, passed.grounds, passed.clauses) == (
        3,
        "left the table",
        ("NJ-PB:3.11(a)",),
    )
    assert on_offer(events) == (5, (1,))


@pytest.mark.clause("NJ-PB:3.11(b)#1")
def test_a_curator_who_leaves_at_the_cut_passes_the_shoe_and_it_is_taken_before_the_next_round() -> (
    None
):
    session = at(Phase.TO_CUT, 1, 3, 5)
    load_short_shoe(session)
    shoe_to(session, 3)
    for _ in range(3):
        play(session, BANKER_WINS)
    advance(session, Phase.TO_CUT)
    assert on_offer(session.execute(acts.LeaveTable(3))) == (5, (1,))
    assert session.state.cut.asked == 1
    advance(session, Phase.BETTING)
    assert due(session) == {AcceptShoe, DeclineShoe}


@pytest.mark.clause("NJ-PB:3.11(b)#1")
def test_others_who_leave_pass_no_shoe() -> None:
    session = held(1, 3, 5, curator=3)
    play(session, BANKER_WINS)
    events = session.execute(acts.LeaveTable(5))
    assert not every(events, ShoePassed)
    assert not every(events, ShoeOffered)
    assert session.state[CuratorState].curator == 3


@pytest.mark.clause("NJ-PB:3.11(b)#1")
def test_a_newcomer_in_the_seat_of_a_curator_who_left_in_the_round_is_asked() -> None:
    session = held(1, 3, curator=1)
    wager(session, (3, "player", 10_000))
    deal(session, "9h")
    session.execute(acts.LeaveTable(1))
    session.execute(acts.SeatPatron(1, "New"))
    deal(session, "8d Kh Ks")
    session.execute(acts.SettleWagers())
    session.execute(acts.ClearLayout())
    assert session.state[CuratorState].asked[0] == 3
    session.execute(acts.DeclineShoe(3))
    assert session.state[CuratorState].asked == (1,)


@pytest.mark.clause("NJ-PB:3.11(b)#1")
@pytest.mark.parametrize("leaver", [1, 3, 5])
@pytest.mark.parametrize("curator", [1, 3, 5])
@pytest.mark.parametrize("moment", range(8))
def test_nobody_is_passed_over_in_a_seat_that_was_vacated_during_any_offer(
    leaver: int, curator: int, moment: int
) -> None:
    """The shoe falls to the dealer only when each person at the table has been asked."""
    session, refusers = held(1, 3, 5, 6, curator=curator), set[str]()
    wager(session, (6, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    cards, over = ["9h", "8d", "Kh", "Ks"], (acts.SettleWagers(), acts.ClearLayout())
    for at_step in range(14):
        if at_step == moment:
            session.execute(acts.LeaveTable(leaver))
            session.execute(acts.SeatPatron(leaver, "New"))
        if at_step < len(cards):
            deal(session, cards[at_step])
        elif at_step < len(cards) + len(over):
            session.execute(over[at_step - len(cards)])
        elif asked := session.state[CuratorState].asked:
            refusers.add(session.state.seats[asked[0]].name)
            session.execute(DeclineShoe(asked[0]))
    assert session.state[CuratorState].curator is None
    assert session.state[CuratorState].chosen
    there = {one.name for one in session.state.seats.values()}
    passed = set() if leaver == curator else {f"Patron {curator}"}
    assert refusers & there == there - passed
