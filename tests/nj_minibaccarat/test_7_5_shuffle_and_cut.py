"""19:47-7.5(a) to (g): shuffle, feather or lace, cut and recut, cutting cards, burn."""

from datetime import date
from typing import Any

import pytest

from croupier import acts
from croupier.acts import (
    CardBurned,
    CardsShuffled,
    CutDeclined,
    CutOffered,
    CuttingCardAppeared,
    CuttingCardsInserted,
    Event,
    FeatherVerified,
    RecutRequired,
    ShoeLoaded,
    StackCut,
    StackFeathered,
    StackLaced,
    StackReshuffled,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.law.elect import SubmissionError
from croupier.records.narration import narrate
from croupier.rules import TableLayout, default_submission, table_rules
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.table import LAW, at, due, load_short_shoe, only, play_out, refused, rules_of
from support.texts import NJ_MINI

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

NATURAL = "9h 8d Kh Ks"
CLOCKWISE = TableLayout(numbering="clockwise")
SHUFFLER: dict[str, Any] = {"device": "shuffler", "decks": 16}


def asked(session: TableSession) -> list[int | None]:
    """Everybody declines the cut: the seats in the order in which they were asked."""
    seats = []
    while (seat := session.state.cut.asked) is not None:
        seats.append(seat)
        session.execute(acts.DeclineCut(seat))
    return [*seats, None]


# --- (a) the shuffle ---------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.5(a)")
def test_the_cards_are_shuffled_before_play_commences() -> None:
    session = at(Phase.TO_SHUFFLE)
    assert due(session) == {acts.ShuffleCards}
    for command in (acts.LaceStack(), acts.CutStack(100), acts.LoadShoe()):
        refused(session, command, "not_now")
    shuffled = only(session.execute(acts.ShuffleCards()), CardsShuffled)
    assert shuffled.clauses == ("NJ-MINI:7.5(a)",)
    assert due(session) == {acts.LaceStack}


@pytest.mark.clause("NJ-MINI:7.5(a)")
def test_the_cards_are_shuffled_after_each_shoe() -> None:
    session = at(Phase.TO_CUT)
    for number in (1, 2, 3):
        load_short_shoe(session)
        assert session.state.shoe.number == number
        assert refused(session, acts.ShuffleCards(), "not_now").clauses == ()
        play_out(session, NATURAL)
        assert session.state.rounds == 3 * number
        refused(session, acts.CallNoMoreBets(), "not_now")
        refused(session, acts.LoadShoe(), "not_now")
        assert due(session) == {acts.ShuffleCards}
        session.execute(acts.ShuffleCards())


@pytest.mark.clause("NJ-MINI:7.5(a)")
def test_pre_shuffled_cards_too_are_shuffled_once_their_shoe_is_completed() -> None:
    session = TableSession(rules_of())
    session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", date(2011, 2, 22)))
    session.execute(acts.ReceiveCards(8, preshuffled=True))
    session.execute(acts.VerifyCards("Flo"))
    session.execute(acts.SeatPatron(1, "Patron 1"))
    load_short_shoe(session)
    play_out(session, NATURAL)
    assert due(session) == {acts.ShuffleCards}


# --- (b) feather or lace -----------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.5(b)")
@pytest.mark.parametrize(
    ("finish", "elected", "other"),
    [
        ("feather", acts.FeatherStack, acts.LaceStack),
        ("lace", acts.LaceStack, acts.FeatherStack),
    ],
)
def test_the_dealer_finishes_the_shuffle_as_the_licensee_has_elected(
    finish: str, elected: type[acts.Command], other: type[acts.Command]
) -> None:
    session = at(Phase.TO_FINISH, shuffle__finish=finish)
    assert due(session) == {elected}
    assert "NJ-MINI:7.5(b)" in refused(session, other(), "finish").clauses
    session.execute(elected())


@pytest.mark.clause("NJ-MINI:7.5(b)1")
def test_a_feathered_stack_is_offered_for_the_cut_once_the_floorperson_has_verified_the_mix() -> (
    None
):
    session = at(Phase.TO_FINISH, shuffle__finish="feather")
    feathered = only(session.execute(acts.FeatherStack()), StackFeathered)
    assert feathered.clauses == ("NJ-MINI:7.5(b)1",)
    refused(session, acts.AcceptCut(1, 100), "not_now")
    (action,) = session.legal()
    assert (action.command, action.who) == (acts.VerifyFeather, "floorperson")
    events = session.execute(acts.VerifyFeather("Flo"))
    verified = only(events, FeatherVerified)
    assert (verified.floorperson, verified.clauses) == ("Flo", ("NJ-MINI:7.5(b)1",))
    assert only(events, CutOffered).seat == 1


@pytest.mark.clause("NJ-MINI:7.5(b)2")
def test_a_laced_stack_is_offered_for_the_cut() -> None:
    session = at(Phase.TO_FINISH)
    laced, offered = session.execute(acts.LaceStack())
    assert isinstance(laced, StackLaced)
    assert laced.clauses == ("NJ-MINI:7.5(b)2",)
    assert isinstance(offered, CutOffered)


@pytest.mark.clause("NJ-MINI:7.5(b)2.i")
def test_the_laced_stack_is_shuffled_again_where_the_licensee_requires_it() -> None:
    session = at(Phase.TO_FINISH, shuffle__reshuffle=True)
    (laced,) = session.execute(acts.LaceStack())
    assert isinstance(laced, StackLaced)
    refused(session, acts.AcceptCut(1, 100), "not_now")
    assert due(session) == {acts.ReshuffleStack}
    events = session.execute(acts.ReshuffleStack())
    assert only(events, StackReshuffled).clauses == ("NJ-MINI:7.5(b)2.i",)
    assert only(events, CutOffered).seat == 1


@pytest.mark.clause("NJ-MINI:7.5(b)2.i")
def test_the_laced_stack_is_not_shuffled_again_where_the_licensee_does_not_require_it() -> None:
    session = at(Phase.TO_FINISH, shuffle__reshuffle=False)
    session.execute(acts.LaceStack())
    refusal = refused(session, acts.ReshuffleStack(), "not_now")
    assert refusal.clauses == ()


@pytest.mark.clause("NJ-MINI:7.5(b)2.i")
def test_a_reshuffle_without_lacing_cannot_be_elected() -> None:
    submission = default_submission(
        LAW, NJ_MINI, shuffle__finish="feather", shuffle__reshuffle=True
    )
    with pytest.raises(SubmissionError) as refusal:
        table_rules(submission)
    (detail,) = refusal.value.errors
    assert (detail.where, detail.clauses) == ("shuffle.reshuffle", ("NJ-MINI:7.5(b)2.i",))


# --- (d) who cuts ------------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.5(d)#1")
@pytest.mark.parametrize(
    "elections", [{}, {"shuffle__finish": "feather"}, {"shuffle__reshuffle": True}]
)
def test_after_shuffling_and_lacing_the_stack_is_offered_to_the_participants(
    elections: dict[str, Any],
) -> None:
    session = at(Phase.TO_CUT, 2, 6, **elections)
    assert session.state.cut.asked == 6
    actions = {(action.command, action.who, action.seat) for action in session.legal()}
    assert actions == {
        (acts.AcceptCut, "patron", 6),
        (acts.DeclineCut, "patron", 6),
        (acts.PassOver, "dealer", 6),
    }
    assert "NJ-MINI:7.5(d)#1" in session.legal()[0].clauses
    refused(session, acts.InsertCuttingCards(14), "not_now")


# Seats 1, 3, 6 and 7 of seven are taken. Where the numbers ascend counterclockwise, clockwise is
# downward: 7, 6, 3, 1. Where they ascend clockwise, the seat after 7 is 1: 7, 1, 3, 6.
@pytest.mark.clause("NJ-MINI:7.5(d)#2")
@pytest.mark.parametrize(
    ("layout", "order"),
    [(TableLayout(), [7, 6, 3, 1, None]), (CLOCKWISE, [7, 1, 3, 6, None])],
    ids=["counterclockwise", "clockwise"],
)
def test_the_cut_is_offered_clockwise_from_the_highest_seat(
    layout: TableLayout, order: list[int | None]
) -> None:
    assert asked(at(Phase.TO_CUT, 3, 7, 1, 6, layout=layout)) == order


# The participant in the highest seat is the first, not the highest seat: with 2, 4 and 5 of nine
# taken, clockwise from 5 comes 4, 2 or, where the numbers ascend clockwise, 2 (past 9), then 4.
@pytest.mark.clause("NJ-MINI:7.5(d)#2")
@pytest.mark.parametrize(
    ("numbering", "order"),
    [("counterclockwise", [5, 4, 2, None]), ("clockwise", [5, 2, 4, None])],
)
def test_empty_seats_are_passed_over_when_the_cut_is_offered(
    numbering: str, order: list[int | None]
) -> None:
    layout = TableLayout(seats=9, numbering=numbering)
    assert asked(at(Phase.TO_CUT, 4, 2, 5, layout=layout)) == order


@pytest.mark.clause("NJ-MINI:7.5(d)#2")
def test_nobody_cuts_or_declines_out_of_turn() -> None:
    session = at(Phase.TO_CUT, 2, 4, 6)
    for command in (
        acts.AcceptCut(4, 100),
        acts.DeclineCut(2),
        acts.AcceptCut(7, 100),
        acts.CutStack(100),
    ):
        # The dealer cuts where nobody accepts; anyone else waits for the offer.
        sentence = 3 if isinstance(command, acts.CutStack) else 2
        refusal = refused(session, command, "not_asked")
        assert refusal.clauses == (f"NJ-MINI:7.5(d)#{sentence}",)


@pytest.mark.clause("NJ-MINI:7.5(d)#2")
def test_who_declines_passes_the_offer_on_and_is_not_asked_again() -> None:
    session = at(Phase.TO_CUT, 2, 4, 6)
    declined, offered = session.execute(acts.DeclineCut(6))
    assert isinstance(declined, CutDeclined)
    assert declined.seat == 6
    assert isinstance(offered, CutOffered)
    assert (offered.seat, offered.waiting) == (4, (2,))
    refused(session, acts.AcceptCut(6, 100), "not_asked")
    cut = only(session.execute(acts.AcceptCut(4, 100)), StackCut)
    assert (cut.seat, cut.position) == (4, 100)
    refused(session, acts.AcceptCut(2, 100), "not_now")


@pytest.mark.clause("NJ-MINI:7.5(d)#2")
def test_the_offer_passes_on_when_the_participant_asked_leaves_the_table() -> None:
    session = at(Phase.TO_CUT, 2, 4, 6)
    session.execute(acts.LeaveTable(4))
    assert session.state.cut.asked == 6
    offered = only(session.execute(acts.LeaveTable(6)), CutOffered)
    assert (offered.seat, offered.waiting) == (2, ())


@pytest.mark.clause("NJ-MINI:7.5(d)#3")
def test_the_dealer_cuts_when_nobody_has_accepted() -> None:
    session = at(Phase.TO_CUT, 2, 4)
    session.execute(acts.DeclineCut(4))
    assert "NJ-MINI:7.5(d)#3" in refused(session, acts.CutStack(100), "not_asked").clauses
    offered = only(session.execute(acts.DeclineCut(2)), CutOffered)
    assert offered.seat is None
    (action,) = session.legal()
    assert (action.command, action.who) == (acts.CutStack, "dealer")
    cut = only(session.execute(acts.CutStack(100)), StackCut)
    assert (cut.seat, cut.position) == (None, 100)
    assert "NJ-MINI:7.5(d)#3" in cut.clauses


@pytest.mark.clause("NJ-MINI:7.5(d)#3")
def test_the_dealer_cuts_at_a_table_without_participants() -> None:
    session = at(Phase.TO_FINISH)
    session.execute(acts.LeaveTable(1))
    assert only(session.execute(acts.LaceStack()), CutOffered).seat is None
    session.execute(acts.CutStack(100))


# --- (e) where the stack is cut ----------------------------------------------------------------


# Eight decks are 416 cards: ten in from the back is after 406. Six decks are 312: after 302. Of
# sixteen decks in two batches the stack is one batch, 416 again.
@pytest.mark.clause("NJ-MINI:7.5(e)")
@pytest.mark.parametrize("by_dealer", [False, True])
@pytest.mark.parametrize(("elections", "last"), [({}, 406), ({"decks": 6}, 302), (SHUFFLER, 406)])
def test_the_stack_is_cut_at_least_ten_cards_from_either_end(
    elections: dict[str, Any], last: int, *, by_dealer: bool
) -> None:
    def cut(position: int) -> acts.Command:
        return acts.CutStack(position) if by_dealer else acts.AcceptCut(1, position)

    def offered() -> TableSession:
        session = at(Phase.TO_CUT, **elections)
        if by_dealer:
            session.execute(acts.DeclineCut(1))
        return session

    for position in (-10, 0, 9, last + 1, last + 10):
        refusal = refused(offered(), cut(position), "cut_too_near_the_end")
        assert refusal.clauses == ("NJ-MINI:7.5(e)",)
    for position in (10, last):
        stack_cut = only(offered().execute(cut(position)), StackCut)
        assert stack_cut.position == position
        assert "NJ-MINI:7.5(e)" in stack_cut.clauses


# --- (f) the cut carried out, the cutting cards, the shoe --------------------------------------


@pytest.mark.clause("NJ-MINI:7.5(f)#1")
@pytest.mark.parametrize("position", [10, 137, 406])
def test_all_cards_in_front_of_the_cutting_card_go_to_the_back(position: int) -> None:
    session = at(Phase.TO_CUT)
    session.execute(acts.AcceptCut(1, position))
    assert due(session) == {acts.InsertCuttingCards}
    inserted = only(session.execute(acts.InsertCuttingCards(14)), CuttingCardsInserted)
    assert inserted.moved == position
    assert "NJ-MINI:7.5(f)#1" in inserted.clauses


@pytest.mark.clause("NJ-MINI:7.5(f)#2")
@pytest.mark.parametrize("from_back", [-1, 0, 13, 416, 417])
def test_a_cutting_card_nearer_to_the_back_than_fourteen_or_outside_the_stack_is_refused(
    from_back: int,
) -> None:
    session = at(Phase.CUT)
    refusal = refused(session, acts.InsertCuttingCards(from_back), "cutting_card")
    assert refusal.clauses == ("NJ-MINI:7.5(f)#2",)


@pytest.mark.clause("NJ-MINI:7.5(f)#2")
@pytest.mark.parametrize("from_back", [14, 60, 415])
def test_a_cutting_card_goes_in_fourteen_cards_or_more_from_the_back(from_back: int) -> None:
    session = at(Phase.CUT)
    inserted = only(session.execute(acts.InsertCuttingCards(from_back)), CuttingCardsInserted)
    assert inserted.from_back == from_back
    assert "NJ-MINI:7.5(f)#2" in inserted.clauses
    loaded = only(session.execute(acts.LoadShoe()), ShoeLoaded)
    assert loaded.from_back == session.state.shoe.cards_behind == from_back


@pytest.mark.clause("NJ-MINI:7.5(f)#3")
def test_the_second_cutting_card_goes_to_the_end_of_the_stack() -> None:
    session = at(Phase.CUT)
    inserted = only(session.execute(acts.InsertCuttingCards(14)), CuttingCardsInserted)
    assert "NJ-MINI:7.5(f)#3" in inserted.clauses
    (told,) = narrate((inserted,), {})
    assert told.text.endswith("; the cutting card is 14 from the back, the other at the end")


@pytest.mark.clause("NJ-MINI:7.1(a)#2", "NJ-MINI:7.5(f)#3")
def test_of_the_two_cutting_cards_one_comes_out_of_a_shoe_and_the_other_stays() -> None:
    session = at(Phase.TO_CUT)
    # One inside the stack and one at its end: as many as go with the decks.
    assert session.rules.value("cutting_cards", int) == 2
    appeared: list[int] = []

    def listen(command: acts.Command, events: tuple[Event, ...]) -> None:
        del command
        appeared.extend(
            session.state.shoe.remaining for one in events if isinstance(one, CuttingCardAppeared)
        )

    session.listeners.append(listen)
    load_short_shoe(session)
    play_out(session, NATURAL)
    # It lies before 408 cards: the one it comes out before leaves 407.
    assert appeared == [407]


@pytest.mark.clause("NJ-MINI:7.5(f)#4")
def test_the_stack_goes_into_the_shoe_whole_before_play() -> None:
    session = at(Phase.CUT, decks=6)
    refused(session, acts.LoadShoe(), "not_now")
    session.execute(acts.InsertCuttingCards(14))
    assert due(session) == {acts.LoadShoe}
    loaded = only(session.execute(acts.LoadShoe()), ShoeLoaded)
    assert (loaded.shoe, loaded.decks, loaded.clauses) == (1, 6, ("NJ-MINI:7.5(f)#4",))
    assert session.state.shoe.remaining == 312
    assert set(session.state.shoe.unseen) == {6}


# --- (f) the burn ------------------------------------------------------------------------------


AMOUNTS = [
    ("A", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("8", 8), ("9", 9),
    ("T", 10), ("J", 10), ("Q", 10), ("K", 10),
]  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.5(f)#5", "NJ-MINI:7.5(f)#7", "NJ-MINI:7.5(f)#8")
@pytest.mark.parametrize(("rank", "amount"), AMOUNTS)
def test_the_first_card_is_burned_with_as_many_more_as_its_amount(rank: str, amount: int) -> None:
    session = at(Phase.TO_BURN)
    burned = [only(session.execute(acts.DrawCard(Card.of(f"{rank}h"))), CardBurned)]
    # Kings follow an ace, and aces the others: what a later card is worth counts for nothing.
    following = parse_cards("Kc Kd" if rank == "A" else "Ac Ad")
    while session.state.phase is Phase.TO_BURN:
        refused(session, acts.CallNoMoreBets(), "not_now")
        card = following[len(burned) % 2]
        burned.append(only(session.execute(acts.DrawCard(card)), CardBurned))
    assert len(burned) == 1 + amount
    assert [one.to_burn for one in burned] == list(range(amount, -1, -1))
    assert session.state.shoe.remaining == 416 - 1 - amount
    counted_as = {"A": {"NJ-MINI:7.5(f)#8"}} | {ten: {"NJ-MINI:7.5(f)#7"} for ten in "TJQK"}
    shown = {"NJ-MINI:7.5(f)#6"}
    first = {"NJ-MINI:7.5(f)#5"} | counted_as.get(rank, set())
    assert set(burned[0].clauses) == first | shown
    assert all(set(one.clauses) == {"NJ-MINI:7.5(f)#5"} | shown for one in burned[1:])


@pytest.mark.clause("NJ-MINI:7.5(f)#5")
def test_play_waits_for_the_burn() -> None:
    session = at(Phase.TO_BURN)
    refused(session, acts.CallNoMoreBets(), "not_now")
    refused(session, acts.PlaceWager(1, "player", 1000), "not_now")
    (action, *_) = session.legal()
    assert (action.command, action.must) == (acts.DrawCard, True)
    assert "NJ-MINI:7.5(f)#5" in action.clauses


@pytest.mark.clause("NJ-MINI:7.5(f)#6")
def test_all_burned_cards_are_shown() -> None:
    session = at(Phase.TO_BURN)
    for card in parse_cards("3h Kd 9s 2c"):
        burned = only(session.execute(acts.DrawCard(card)), CardBurned)
        assert (burned.card, burned.shown) == (card, True)
        assert "NJ-MINI:7.5(f)#6" in burned.clauses
    assert session.state.phase is Phase.BETTING


@pytest.mark.clause("NJ-MINI:7.5(f)#6")
def test_no_card_is_burned_unseen() -> None:
    refused(at(Phase.TO_BURN), acts.DrawCard(None), "card_unseen")


# --- (g) the recut -----------------------------------------------------------------------------

RECUT = acts.RequireRecut("Sam", "the cutting card fell out")


@pytest.mark.clause("NJ-MINI:7.5(g)#1")
@pytest.mark.parametrize("phase", [Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN])
def test_a_supervisor_may_require_a_recut_after_the_cut_and_before_a_card_is_dealt(
    phase: Phase,
) -> None:
    session = at(phase)
    assert (acts.RequireRecut, "supervisor", False) in {
        (action.command, action.who, action.must) for action in session.legal()
    }
    required = only(session.execute(RECUT), RecutRequired)
    assert (required.supervisor, required.reason) == (RECUT.supervisor, RECUT.reason)
    assert "NJ-MINI:7.5(g)#1" in required.clauses
    cut = only(session.execute(acts.AcceptCut(1, 200)), StackCut)
    assert cut.position == 200
    inserted = only(session.execute(acts.InsertCuttingCards(20)), CuttingCardsInserted)
    assert (inserted.moved, inserted.from_back) == (200, 20)


@pytest.mark.clause("NJ-MINI:7.5(g)#1")
def test_a_recut_may_be_required_at_every_shoe() -> None:
    session = at(Phase.TO_CUT)
    load_short_shoe(session)
    play_out(session, NATURAL)
    advance(session, Phase.CUT)
    only(session.execute(RECUT), RecutRequired)
    advance(session, Phase.TO_BURN)
    only(session.execute(RECUT), RecutRequired)


@pytest.mark.clause("NJ-MINI:7.5(g)#1")
def test_there_is_no_recut_before_the_cut() -> None:
    for phase in (Phase.TO_SHUFFLE, Phase.TO_CUT):
        assert refused(at(phase), RECUT, "not_cut").clauses == ("NJ-MINI:7.5(g)#1",)


@pytest.mark.clause("NJ-MINI:7.5(g)#1")
def test_there_is_no_recut_once_a_card_has_been_dealt() -> None:
    session = at(Phase.TO_BURN)
    session.execute(acts.DrawCard(Card.of("2h")))
    assert acts.RequireRecut not in {action.command for action in session.legal()}
    assert "NJ-MINI:7.5(g)#1" in refused(session, RECUT, "too_late").clauses
    session.execute(acts.DrawCard(Card.of("2h")))
    session.execute(acts.DrawCard(Card.of("2h")))
    assert refused(session, RECUT, "too_late").clauses == ("NJ-MINI:7.5(g)#1",)


# Seats 2, 4 and 6 are asked in the order 6, 4, 2; 6 declines and 4 cuts.
@pytest.mark.clause("NJ-MINI:7.5(g)#2")
@pytest.mark.parametrize(
    ("recut_by", "order"), [("last-cutter", [4, 2, None]), ("next-entitled", [2, None])]
)
def test_the_last_cutter_or_the_next_entitled_recuts_as_the_licensee_has_elected(
    recut_by: str, order: list[int | None]
) -> None:
    session = at(Phase.TO_CUT, 2, 4, 6, cut__recut_by=recut_by)
    session.execute(acts.DeclineCut(6))
    session.execute(acts.AcceptCut(4, 100))
    events = session.execute(RECUT)
    assert "NJ-MINI:7.5(g)#2" in only(events, RecutRequired).clauses
    assert only(events, CutOffered).seat == order[0]
    refused(session, acts.AcceptCut(6, 100), "not_asked")
    assert asked(session) == order


@pytest.mark.clause("NJ-MINI:7.5(g)#2")
def test_the_next_entitled_recuts_again_and_again_until_the_turn_comes_to_the_dealer() -> None:
    session = at(Phase.TO_CUT, 2, 4, cut__recut_by="next-entitled")
    session.execute(acts.AcceptCut(4, 100))
    session.execute(RECUT)
    session.execute(acts.AcceptCut(2, 100))
    assert only(session.execute(RECUT), CutOffered).seat is None
    session.execute(acts.CutStack(100))
    assert only(session.execute(RECUT), CutOffered).seat is None


@pytest.mark.clause("NJ-MINI:7.5(g)#2")
@pytest.mark.parametrize("recut_by", ["last-cutter", "next-entitled"])
def test_the_dealer_recuts_where_the_dealer_has_cut(recut_by: str) -> None:
    session = at(Phase.TO_CUT, 2, 4, cut__recut_by=recut_by)
    asked(session)
    session.execute(acts.CutStack(100))
    assert only(session.execute(RECUT), CutOffered).seat is None


@pytest.mark.clause("NJ-MINI:7.5(g)#2", "NJ-MINI:7.5(d)#2")
@pytest.mark.parametrize(
    ("recut_by", "reading", "order"),
    [
        ("last-cutter", "asked", [None]),
        ("next-entitled", "dealer", [None]),
        ("next-entitled", "asked", [5, None]),
    ],
)
@pytest.mark.parametrize("phase", [Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN])
def test_a_newcomer_is_entitled_before_the_dealer_who_has_cut_where_so_read(
    phase: Phase, recut_by: str, reading: str, order: list[int | None]
) -> None:
    session = at(Phase.TO_CUT, 2, 4, readings={"C201": reading}, cut__recut_by=recut_by)
    asked(session)
    session.execute(acts.CutStack(100))
    advance(session, phase)
    session.execute(acts.SeatPatron(5, "New"))
    offered = only(session.execute(RECUT), CutOffered)
    assert offered.seat == order[0]
    if offered.seat is not None:
        assert "NJ-MINI:7.5(d)#2" in offered.clauses
    assert asked(session) == order


@pytest.mark.clause("NJ-MINI:7.5(g)#2")
def test_a_last_cutter_who_has_left_is_not_asked_to_recut() -> None:
    session = at(Phase.TO_CUT, 2, 4)
    session.execute(acts.AcceptCut(4, 100))
    session.execute(acts.LeaveTable(4))
    assert only(session.execute(RECUT), CutOffered).seat == 2
