"""19:47-3.5: shuffle and lace, or three dealers; cut and recut, cutting cards, burn."""

from typing import Any

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    CardBurned,
    CardsShuffled,
    CardsWashed,
    CutDeclined,
    CutOffered,
    CuttingCardsInserted,
    RecutRequired,
    ShoeLoaded,
    StackCut,
    StackLaced,
    StackReshuffled,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.parts.curator import CuratorState
from support.games import advance
from support.punto_banco import (
    BANKER_WINS,
    DEALERS,
    PLAYER_WINS,
    at,
    errors_of,
    load_short_shoe,
    play_out,
    rules_of,
    shoe_to,
)
from support.table import due, only, refused, steps_of

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

CLOCKWISE = TableLayout(numbering="clockwise")
THREE: dict[str, Any] = {"shuffle__finish": "three-dealers"}


def asked(session: TableSession) -> list[int | None]:
    """Everybody declines the cut: the seats in the order in which they were asked."""
    seats = []
    while (seat := session.state.cut.asked) is not None:
        seats.append(seat)
        session.execute(acts.DeclineCut(seat))
    return [*seats, None]


# --- (a): one of two procedures ----------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.5(a)")
def test_the_licensee_elects_one_of_the_two_procedures_and_no_third() -> None:
    for finish in ("lace", "three-dealers"):
        assert rules_of(shuffle__finish=finish).value("shuffle.finish", str) == finish
    (detail,) = errors_of(shuffle__finish="feather")
    assert (detail.where, detail.clauses) == (
        "shuffle.finish",
        ("NJ-PB:3.5(a)", "NJ-PB:3.5(a)1#2", "NJ-PB:3.5(a)2"),
    )


@pytest.mark.clause("NJ-PB:3.5(a)", "NJ-PB:3.5(a)1#1")
def test_the_cards_are_shuffled_before_play_and_after_each_shoe() -> None:
    session = at(Phase.TO_SHUFFLE)
    for number in (1, 2, 3):
        assert due(session) == {acts.ShuffleCards}
        refused(session, acts.LoadShoe(), "not_now")
        shuffled = only(session.execute(acts.ShuffleCards()), CardsShuffled)
        assert (shuffled.more, shuffled.clauses) == (0, ("NJ-PB:3.5(a)", "NJ-PB:3.5(a)1#1"))
        load_short_shoe(session)
        assert session.state.shoe.number == number
        refused(session, acts.ShuffleCards(), "not_now")
        play_out(session, BANKER_WINS)
        refused(session, acts.CallNoMoreBets(), "not_now")


@pytest.mark.clause("NJ-PB:3.5(a)1#2")
def test_after_the_shuffle_one_deck_is_laced_into_the_rest() -> None:
    session = at(Phase.TO_FINISH)
    assert due(session) == {acts.LaceStack}
    refused(session, acts.FeatherStack(), "finish")
    laced, offered = session.execute(acts.LaceStack())
    assert isinstance(laced, StackLaced)
    assert laced.clauses == ("NJ-PB:3.5(a)1#2",)
    assert isinstance(offered, CutOffered)


@pytest.mark.clause("NJ-PB:3.5(a)1.i")
def test_the_laced_cards_are_shuffled_again_where_the_licensee_requires_it() -> None:
    session = at(Phase.TO_FINISH, shuffle__reshuffle=True)
    (laced,) = session.execute(acts.LaceStack())
    assert isinstance(laced, StackLaced)
    assert due(session) == {acts.ReshuffleStack}
    reshuffled = only(session.execute(acts.ReshuffleStack()), StackReshuffled)
    assert reshuffled.clauses == ("NJ-PB:3.5(a)1.i",)
    plain = at(Phase.TO_CUT)
    assert refused(plain, acts.ReshuffleStack(), "not_now").clauses == ()


@pytest.mark.clause("NJ-PB:3.5(a)1.i", "NJ-PB:3.5(a)2")
def test_there_is_no_reshuffle_after_lacing_where_nothing_is_laced() -> None:
    (detail,) = errors_of(**THREE, shuffle__reshuffle=True)
    assert (detail.where, detail.clauses) == ("shuffle.reshuffle", ("NJ-PB:3.5(a)1.i",))


@pytest.mark.clause("NJ-PB:3.5(a)2")
def test_each_of_three_dealers_shuffles_the_stack_by_himself() -> None:
    session = at(Phase.TO_SHUFFLE, **THREE)
    for more, dealer in ((2, DEALERS[0]), (1, DEALERS[1]), (0, DEALERS[2])):
        assert due(session) == {acts.ShuffleCards}
        refused(session, acts.AcceptCut(1, 100), "not_now")
        shuffled = only(session.execute(acts.ShuffleCards(dealer)), CardsShuffled)
        assert (shuffled.dealer, shuffled.more) == (dealer, more)
        assert shuffled.clauses == ("NJ-PB:3.5(a)2",)
    assert session.state.cut.asked == 1
    refused(session, acts.LaceStack(), "not_now")


@pytest.mark.clause("NJ-PB:3.5(a)2")
@pytest.mark.parametrize("again", [0, 1])
def test_no_dealer_shuffles_for_another_and_each_is_named(again: int) -> None:
    session = at(Phase.TO_SHUFFLE, **THREE)
    for dealer in DEALERS[:2]:
        refusal = refused(session, acts.ShuffleCards(), "dealer")
        assert refusal.clauses == ("NJ-PB:3.5(a)2",)
        session.execute(acts.ShuffleCards(dealer))
    refused(session, acts.ShuffleCards(DEALERS[again]), "dealer")


@pytest.mark.clause("NJ-PB:3.5(a)2")
def test_with_three_dealers_the_cards_of_a_finished_shoe_are_washed_and_stacked_first() -> None:
    session = at(Phase.TO_CUT, **THREE)
    for _ in range(2):
        load_short_shoe(session)
        play_out(session, BANKER_WINS)
        assert due(session) == {acts.WashCards}
        early = refused(session, acts.ShuffleCards(DEALERS[0]), "wash")
        assert early.clauses == ("NJ-PB:3.5(a)2",)
        washed = only(session.execute(acts.WashCards()), CardsWashed)
        assert washed.clauses == ("NJ-PB:3.5(a)2",)
        # All three, also those who shuffled the shoe before.
        for dealer in DEALERS:
            session.execute(acts.ShuffleCards(dealer))
        assert session.state.phase is Phase.TO_CUT


@pytest.mark.clause("NJ-PB:3.5(a)", "NJ-PB:3.5(a)2")
def test_where_a_deck_is_laced_the_cards_of_a_finished_shoe_are_not_washed() -> None:
    session = at(Phase.TO_CUT)
    load_short_shoe(session)
    play_out(session, BANKER_WINS)
    # No clause forbids a wash: the procedure of a finished shoe has none.
    assert refused(session, acts.WashCards(), "no_wash").clauses == ()


# --- (c): who cuts -----------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.5(c)#1")
@pytest.mark.parametrize("elections", [{}, {"shuffle__reshuffle": True}, THREE])
def test_after_shuffling_and_lacing_the_stack_is_offered_to_the_participants(
    elections: dict[str, Any],
) -> None:
    session = at(Phase.TO_CUT, 2, 6, **elections)
    actions = {(action.command, action.who, action.seat) for action in steps_of(session)}
    assert actions == {
        (acts.AcceptCut, "patron", 6),
        (acts.DeclineCut, "patron", 6),
        (acts.PassOver, "dealer", 6),
    }
    assert session.legal()[0].clauses == ("NJ-PB:3.5(c)#1", "NJ-PB:3.5(c)#2")


# Seats 1, 3, 6 and 7 of seven are taken. Where the numbers ascend counterclockwise, clockwise is
# downward: 7, 6, 3, 1. Where they ascend clockwise, the seat after 7 is 1: 7, 1, 3, 6.
@pytest.mark.clause("NJ-PB:3.5(c)#2")
@pytest.mark.parametrize(
    ("layout", "order"),
    [(TableLayout(), [7, 6, 3, 1, None]), (CLOCKWISE, [7, 1, 3, 6, None])],
    ids=["counterclockwise", "clockwise"],
)
def test_the_first_cut_is_offered_clockwise_from_the_highest_seat(
    layout: TableLayout, order: list[int | None]
) -> None:
    assert asked(at(Phase.TO_CUT, 3, 7, 1, 6, layout=layout)) == order


def after_a_shoe(curator: int, cards: str, layout: TableLayout) -> TableSession:
    """Seats 1, 3, 6 and 7 have played three rounds, of which that curator dealt the first."""
    session = at(Phase.TO_CUT, 3, 7, 1, 6, layout=layout)
    load_short_shoe(session)
    shoe_to(session, curator)
    play_out(session, cards)
    assert session.state.rounds == 3
    return session


# Seat 6 dealt all three rounds. Clockwise from him come 3, 1, 7, or 7, 1, 3.
@pytest.mark.clause("NJ-PB:3.5(c)#2")
@pytest.mark.parametrize(
    ("layout", "order"),
    [(TableLayout(), [6, 3, 1, 7, None]), (CLOCKWISE, [6, 7, 1, 3, None])],
    ids=["counterclockwise", "clockwise"],
)
def test_on_a_reshuffle_the_cut_is_offered_clockwise_from_the_last_curator(
    layout: TableLayout, order: list[int | None]
) -> None:
    session = after_a_shoe(6, BANKER_WINS, layout)
    advance(session, Phase.TO_CUT)
    assert asked(session) == order


# Each round is lost by Banker's Hand. The shoe goes from 1 to 3 to 6, and then to 7; or, where the
# numbers ascend clockwise, from 1 to 7 to 6, and then to 3. Who dealt last is the last curator,
# whether or not somebody has taken the shoe after him.
@pytest.mark.clause("NJ-PB:3.5(c)#2")
@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.parametrize(
    ("layout", "order", "following"),
    [(TableLayout(), [6, 3, 1, 7, None], 7), (CLOCKWISE, [6, 7, 1, 3, None], 3)],
    ids=["counterclockwise", "clockwise"],
)
def test_the_last_curator_is_who_dealt_last_and_not_who_deals_next(
    layout: TableLayout, order: list[int | None], following: int, *, taken: bool
) -> None:
    session = after_a_shoe(1, PLAYER_WINS, layout)
    assert session.state[CuratorState].asked[0] == following
    if taken:
        session.execute(acts.AcceptShoe(following))
    session.execute(acts.ShuffleCards())
    session.execute(acts.LaceStack())
    assert asked(session) == order


@pytest.mark.clause("NJ-PB:3.5(c)#2")
def test_a_last_curator_who_has_left_is_passed_over_and_the_offer_goes_on_clockwise_from_his_seat() -> (
    None
):
    session = after_a_shoe(6, BANKER_WINS, TableLayout())
    session.execute(acts.LeaveTable(6))
    session.execute(acts.ShuffleCards())
    session.execute(acts.LaceStack())
    assert asked(session) == [3, 1, 7, None]


@pytest.mark.clause("NJ-PB:3.5(c)#2")
def test_nobody_cuts_out_of_turn_and_who_declines_is_not_asked_again() -> None:
    session = at(Phase.TO_CUT, 2, 4, 6)
    for command in (acts.AcceptCut(4, 100), acts.DeclineCut(2)):
        assert "NJ-PB:3.5(c)#2" in refused(session, command, "not_asked").clauses
    # The dealer cuts only if nobody accepts.
    assert refused(session, acts.CutStack(100), "not_asked").clauses == ("NJ-PB:3.5(c)#3",)
    declined, offered = session.execute(acts.DeclineCut(6))
    assert isinstance(declined, CutDeclined)
    assert isinstance(offered, CutOffered)
    assert (offered.seat, offered.waiting) == (4, (2,))
    refused(session, acts.AcceptCut(6, 100), "not_asked")
    assert only(session.execute(acts.AcceptCut(4, 100)), StackCut).seat == 4


@pytest.mark.clause("NJ-PB:3.5(c)#3")
def test_the_dealer_cuts_when_nobody_has_accepted() -> None:
    session = at(Phase.TO_CUT, 2, 4)
    asked(session)
    (action,) = steps_of(session)
    assert (action.command, action.who) == (acts.CutStack, "dealer")
    assert action.clauses == ("NJ-PB:3.5(c)#3",)
    cut = only(session.execute(acts.CutStack(100)), StackCut)
    assert (cut.seat, cut.clauses) == (None, ("NJ-PB:3.5(c)#3", "NJ-PB:3.5(d)"))


# --- (d): where the stack is cut ---------------------------------------------------------------


# Eight decks are 416 cards: ten in from the back is after 406. Six decks are 312: after 302.
@pytest.mark.clause("NJ-PB:3.5(d)")
@pytest.mark.parametrize("by_dealer", [False, True])
@pytest.mark.parametrize(("decks", "last"), [(8, 406), (6, 302)])
def test_the_stack_is_cut_at_least_ten_cards_from_either_end(
    decks: int, last: int, *, by_dealer: bool
) -> None:
    session = at(Phase.TO_CUT, decks=decks)
    if by_dealer:
        session.execute(acts.DeclineCut(1))

    def cut(position: int) -> acts.Command:
        return acts.CutStack(position) if by_dealer else acts.AcceptCut(1, position)

    for position in (-10, 0, 9, last + 1):
        refusal = refused(session, cut(position), "cut_too_near_the_end")
        assert refusal.clauses == ("NJ-PB:3.5(d)",)
    for position in (10, last):
        copy = TableSession(session.rules)
        copy.position = replace(copy.position, state=session.state)
        assert only(copy.execute(cut(position)), StackCut).position == position


# --- (e): the cut carried out, the cutting cards, the shoe, the burn ---------------------------


@pytest.mark.clause("NJ-PB:3.5(e)#1", "NJ-PB:3.5(e)#2", "NJ-PB:3.5(e)#3")
@pytest.mark.parametrize("position", [10, 137, 406])
def test_the_cards_in_front_of_the_cutting_card_go_to_the_back_and_both_cutting_cards_in(
    position: int,
) -> None:
    session = at(Phase.TO_CUT)
    session.execute(acts.AcceptCut(1, position))
    inserted = only(session.execute(acts.InsertCuttingCards(14)), CuttingCardsInserted)
    assert (inserted.moved, inserted.from_back) == (position, 14)
    assert inserted.clauses == ("NJ-PB:3.5(e)#1", "NJ-PB:3.5(e)#2", "NJ-PB:3.5(e)#3")


@pytest.mark.clause("NJ-PB:3.5(e)#2")
@pytest.mark.parametrize("from_back", [-1, 0, 13, 416])
def test_a_cutting_card_nearer_to_the_back_than_fourteen_or_outside_the_stack_is_refused(
    from_back: int,
) -> None:
    refusal = refused(at(Phase.CUT), acts.InsertCuttingCards(from_back), "cutting_card")
    assert refusal.clauses == ("NJ-PB:3.5(e)#2",)


@pytest.mark.clause("NJ-PB:3.5(e)#4")
def test_the_stack_goes_into_the_shoe_whole() -> None:
    session = at(Phase.TO_LOAD, decks=6)
    loaded = only(session.execute(acts.LoadShoe()), ShoeLoaded)
    assert (loaded.decks, loaded.from_back, loaded.clauses) == (6, 14, ("NJ-PB:3.5(e)#4",))
    assert session.state.shoe.remaining == 312


AMOUNTS = [(str(number), number) for number in range(2, 10)]
AMOUNTS += [("A", 1), ("T", 10), ("J", 10), ("Q", 10), ("K", 10)]


@pytest.mark.clause("NJ-PB:3.5(e)#5", "NJ-PB:3.5(e)#6", "NJ-PB:3.5(e)#7")
@pytest.mark.parametrize(("rank", "amount"), AMOUNTS)
def test_the_first_card_is_burned_with_as_many_more_as_its_amount_and_all_are_shown(
    rank: str, amount: int
) -> None:
    session = at(Phase.TO_BURN)
    burned = [only(session.execute(acts.DrawCard(Card.of(f"{rank}h"))), CardBurned)]
    # What a later card is worth counts for nothing.
    following = parse_cards("Kc Kd" if rank == "A" else "Ac Ad")
    while session.state.phase is Phase.TO_BURN:
        refused(session, acts.DrawCard(None), "card_unseen")
        events = session.execute(acts.DrawCard(following[len(burned) % 2]))
        burned.append(only(events, CardBurned))
    assert [one.to_burn for one in burned] == list(range(amount, -1, -1))
    assert session.state.shoe.remaining == 416 - 1 - amount
    assert all(one.shown and one.card is not None for one in burned)
    assert session.rules.value("burn.exposure", str) == "all"
    counted = {"NJ-PB:3.5(e)#7"} if rank in "ATJQK" else set()
    assert set(burned[0].clauses) == {"NJ-PB:3.5(e)#5", "NJ-PB:3.5(e)#6"} | counted
    for one in burned[1:]:
        assert set(one.clauses) == {"NJ-PB:3.5(e)#5", "NJ-PB:3.5(e)#6"}


@pytest.mark.clause("NJ-PB:3.5(e)#5")
def test_burned_cards_go_to_the_discard_bucket_before_play_begins() -> None:
    rules = rules_of()
    assert rules.value("discard.place", str) == "discard bucket"
    assert rules.cites("discard.place") == ("NJ-PB:3.5(e)#5",)
    session = at(Phase.TO_BURN)
    for command in (acts.CallNoMoreBets(), acts.PlaceWager(1, "player", 1_000)):
        refused(session, command, "not_now")
    assert due(session) == {acts.DrawCard}


# --- (f): the recut ----------------------------------------------------------------------------

RECUT = acts.RequireRecut("Sam", "the cutting card fell out")


@pytest.mark.clause("NJ-PB:3.5(f)#1")
@pytest.mark.parametrize("phase", [Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN])
def test_a_supervisor_may_require_a_recut_after_the_cut_and_before_a_card_is_dealt(
    phase: Phase,
) -> None:
    session = at(phase)
    assert (acts.RequireRecut, "supervisor", False) in {
        (action.command, action.who, action.must) for action in session.legal()
    }
    nobody = acts.RequireRecut("", "the cutting card fell out")
    assert refused(session, nobody, "nobody").clauses == ("NJ-PB:3.5(f)#1",)
    required = only(session.execute(RECUT), RecutRequired)
    assert required.clauses == ("NJ-PB:3.5(f)#1", "NJ-PB:3.5(f)#2")
    assert only(session.execute(acts.AcceptCut(1, 200)), StackCut).position == 200


@pytest.mark.clause("NJ-PB:3.5(f)#1")
def test_there_is_no_recut_before_the_cut_nor_once_a_card_has_been_dealt() -> None:
    assert rules_of().value("cut.recut_until", str) == "dealt"
    assert refused(at(Phase.TO_CUT), RECUT, "not_cut").clauses == ("NJ-PB:3.5(f)#1",)
    session = at(Phase.TO_BURN)
    session.execute(acts.DrawCard(Card.of("2h")))
    assert acts.RequireRecut not in {action.command for action in session.legal()}
    assert refused(session, RECUT, "too_late").clauses == ("NJ-PB:3.5(f)#1",)


# Seats 2, 4 and 6 are asked in the order 6, 4, 2; 6 declines and 4 cuts.
@pytest.mark.clause("NJ-PB:3.5(f)#2")
@pytest.mark.parametrize(
    ("recut_by", "order"), [("last-cutter", [4, 2, None]), ("next-entitled", [2, None])]
)
def test_the_last_cutter_or_the_next_entitled_recuts_as_the_licensee_has_elected(
    recut_by: str, order: list[int | None]
) -> None:
    session = at(Phase.TO_CUT, 2, 4, 6, cut__recut_by=recut_by)
    session.execute(acts.DeclineCut(6))
    session.execute(acts.AcceptCut(4, 100))
    session.execute(RECUT)
    assert asked(session) == order


# On a reshuffle the next entitled comes clockwise after the last curator: 6 cuts, and then 3.
@pytest.mark.clause("NJ-PB:3.5(f)#2", "NJ-PB:3.5(c)#2")
def test_on_a_reshuffle_the_next_entitled_is_counted_from_the_last_curator() -> None:
    session = at(Phase.TO_CUT, 3, 7, 1, 6, cut__recut_by="next-entitled")
    load_short_shoe(session)
    shoe_to(session, 6)
    play_out(session, BANKER_WINS)
    advance(session, Phase.CUT)
    assert session.state.cut.cutter == 6
    assert only(session.execute(RECUT), CutOffered).seat == 3
