"""5324.21(d), (e) and (a)(4)(i): the opening, the shuffle, the cover cards, the burn."""

from datetime import date
from typing import Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    AcceptCut,
    CardBurned,
    CardsInspected,
    CardsReceived,
    CardsShuffled,
    CutOffered,
    CutStack,
    CuttingCardAppeared,
    CuttingCardsInserted,
    DeclineCut,
    DrawCard,
    LastHandCalled,
    ShoeCompleted,
    ShoeLoaded,
    StackCut,
)
from croupier.baccarat.cards import Card
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.new_york import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    PLAYER_9_BANKER_8,
    at,
    ny,
    open_table,
    ready,
    rules_of,
)
from support.table import deal, due, every, load_short_shoe, only, play, play_out, refused

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

SISTERS: Final = ("T47",)
"""What stands in for the sections on the cut and the last hand, which are not held."""


# --- (d): the opening --------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(d)")
def test_the_dealer_inspects_and_shuffles_what_was_received_and_nobody_verifies() -> None:
    session = TableSession(rules_of())
    session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", date(2024, 11, 2)))
    session.execute(acts.SeatPatron(1, "Patron 1"))
    received = only(session.execute(acts.ReceiveCards(8)), CardsReceived)
    assert (received.decks, received.preshuffled, received.clauses) == (8, False, ny("(d)"))
    refused(session, acts.ShuffleCards(), "not_now")
    inspected = only(session.execute(acts.InspectCards()), CardsInspected)
    assert inspected.clauses == ny("(d)")
    # This text has no verification, no spread and no wash.
    for command in (
        acts.VerifyCards("Flo"),
        acts.SpreadCards(),
        acts.ViewSpread(1),
        acts.WashCards(),
    ):
        refused(session, command, "not_now")
    shuffled = only(session.execute(acts.ShuffleCards()), CardsShuffled)
    assert shuffled.clauses == ny("(d)")
    # Nor anything that finishes the shuffle.
    for finish in (
        acts.FeatherStack(),
        acts.LaceStack(),
        acts.PerformShuffleStep("riffle"),
    ):
        refused(session, finish, "not_now")
    assert session.state.phase is Phase.TO_CUT


@pytest.mark.clause("NY-MINIMIDI:(d)")
def test_pre_shuffled_and_pre_inspected_cards_go_to_the_cut_at_once() -> None:
    session = TableSession(rules_of())
    session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", date(2024, 11, 2)))
    received, offered = session.execute(acts.ReceiveCards(8, preshuffled=True))
    assert isinstance(received, CardsReceived)
    assert (received.preshuffled, received.clauses) == (True, ny("(d)"))
    assert isinstance(offered, CutOffered)
    for command in (acts.InspectCards(), acts.VerifyCards("Flo"), acts.ShuffleCards()):
        refused(session, command, "not_now")


@pytest.mark.clause("NY-MINIMIDI:(d)")
def test_after_each_shoe_the_dealer_shuffles_again() -> None:
    session = at(Phase.CUT)
    load_short_shoe(session)
    play_out(session, PLAYER_9_BANKER_8)
    assert due(session) == {acts.ShuffleCards}
    only(session.execute(acts.ShuffleCards()), CardsShuffled)
    advance(session, Phase.BETTING)
    assert session.state.shoe.number == 2


@pytest.mark.clause("NY-MINIMIDI:(d)")
def test_what_this_text_does_not_have_is_neither_listed_nor_done() -> None:
    session = ready(1)
    assert acts.DeclareIdle not in {action.command for action in session.legal()}
    for command in (acts.DeclareIdle(face_up=True), acts.DirectShuffle("Flo")):
        assert refused(session, command, "no_such_procedure").clauses == ()
    # The register has what takes the place of a change by the clock: a supervisor's order.
    assert refused(session, acts.RemoveCards(), "no_such_procedure").clauses == ("C191",)


# --- (a)(4)(i): the cut and the cover cards, as the sister texts have them ---------------------


def stacked(*seats: int, layout: TableLayout | None = None) -> TableSession:
    """A table whose stack is ready for the cut, with patrons in some seats, or in none."""
    session = open_table(rules_of(layout), *seats)
    advance(session, Phase.TO_CUT)
    return session


def asked_in_turn(session: TableSession) -> list[int]:
    asked = []
    while session.state.cut.asked is not None:
        seat = session.state.cut.asked
        asked.append(seat)
        offered = only(session.execute(DeclineCut(seat)), CutOffered)
        assert offered.clauses == SISTERS
    return asked


@pytest.mark.reading("T47")
@pytest.mark.parametrize(
    ("layout", "order"), [(COUNTERCLOCKWISE, [6, 4, 1]), (CLOCKWISE, [6, 1, 4])]
)
def test_the_cut_is_offered_clockwise_from_the_highest_seat_and_then_is_the_dealers(
    layout: TableLayout, order: list[int]
) -> None:
    session = stacked(1, 4, 6, layout=layout)
    refused(session, AcceptCut(4, 100), "not_asked")
    assert asked_in_turn(session) == order
    cut = only(session.execute(CutStack(100)), StackCut)
    assert (cut.seat, cut.position, cut.clauses) == (None, 100, SISTERS)


@pytest.mark.reading("T47")
def test_where_nobody_sits_the_dealer_cuts() -> None:
    session = stacked()
    assert due(session) == {CutStack}
    session.execute(CutStack(100))


@pytest.mark.reading("T47")
@pytest.mark.parametrize(
    ("position", "stands"), [(9, False), (10, True), (406, True), (407, False)]
)
def test_the_cut_is_ten_cards_or_more_from_either_end(position: int, stands: bool) -> None:  # noqa: FBT001
    session = stacked(1)
    if stands:
        assert only(session.execute(AcceptCut(1, position)), StackCut).position == position
    else:
        refusal = refused(session, AcceptCut(1, position), "cut_too_near_the_end")
        assert refusal.clauses == SISTERS


@pytest.mark.reading("T47")
def test_one_cover_card_ends_the_shoe_fourteen_cards_from_the_back_or_more() -> None:
    session = at(Phase.CUT)
    refusal = refused(session, acts.InsertCuttingCards(13), "cutting_card")
    assert refusal.clauses == SISTERS
    inserted = only(session.execute(acts.InsertCuttingCards(14)), CuttingCardsInserted)
    assert (inserted.from_back, inserted.clauses) == (14, SISTERS)
    loaded = only(session.execute(acts.LoadShoe()), ShoeLoaded)
    assert (loaded.decks, loaded.from_back, loaded.clauses) == (8, 14, SISTERS)


@pytest.mark.reading("T47")
def test_this_text_has_no_recut() -> None:
    session = at(Phase.CUT)
    assert acts.RequireRecut not in {action.command for action in session.legal()}
    refused(session, acts.RequireRecut("Sue", "uneven"), "no_such_procedure")


@pytest.mark.reading("T47")
def test_when_the_cover_card_appears_the_hand_is_played_out_and_one_more_is_dealt() -> None:
    session = at(Phase.CUT)
    load_short_shoe(session)
    play(session, PLAYER_9_BANKER_8)
    # Two cards of the burn and six dealt: the cover card lies before the third of this hand.
    events = deal(session, "9h 8d")
    assert not every(events, CuttingCardAppeared)
    appeared = only(deal(session, "Kh Ks"), CuttingCardAppeared)
    assert (appeared.first_of_round, appeared.clauses) == (False, SISTERS)
    session.execute(acts.SettleWagers())
    called = only(session.execute(acts.ClearLayout()), LastHandCalled)
    assert (called.words, called.hands, called.clauses) == ("last hand", 1, SISTERS)
    completed = only(play(session, PLAYER_9_BANKER_8), ShoeCompleted)
    assert completed.clauses == SISTERS
    assert refused(session, acts.CallNoMoreBets(), "not_now").clauses == SISTERS


# --- (e): the burn -----------------------------------------------------------------------------


def burn(first: str) -> list[CardBurned]:
    """Burn by a first card, and the others face down; return the events until play begins."""
    session = at(Phase.TO_BURN)
    events = list(session.execute(DrawCard(Card.of(first))))
    while session.state.phase is Phase.TO_BURN:
        events += session.execute(DrawCard(None))
    assert session.state.phase is Phase.BETTING
    burned = every(events, CardBurned)
    assert session.state.shoe.remaining == 416 - len(burned)
    return burned


@pytest.mark.clause("NY-MINIMIDI:(e)#1")
@pytest.mark.parametrize("number", range(2, 10))
def test_the_first_card_is_shown_and_as_many_as_its_value_are_burned_unseen(number: int) -> None:
    first, *others = burn(f"{number}d")
    assert (first.card, first.shown) == (Card.of(f"{number}d"), True)
    assert first.clauses == ny("(e)#1")
    assert len(others) == number
    assert {(each.card, each.shown) for each in others} == {(None, False)}
    assert {each.clauses for each in others} == {ny("(e)#1")}


@pytest.mark.clause("NY-MINIMIDI:(e)#2")
@pytest.mark.parametrize(("rank", "number"), [*((rank, 10) for rank in "TJQK"), ("A", 1)])
def test_tens_and_face_cards_count_ten_for_the_burn_and_aces_one(rank: str, number: int) -> None:
    first, *others = burn(f"{rank}s")
    assert len(others) == number
    assert first.clauses == ny("(e)#1", "(e)#2")


@pytest.mark.clause("NY-MINIMIDI:(e)#1")
def test_the_first_card_cannot_be_burned_unseen() -> None:
    session = at(Phase.TO_BURN)
    assert refused(session, DrawCard(None), "card_unseen").clauses == ny("(e)#1")
    session.execute(DrawCard(Card.of("2s")))
    # The others are not told, even to a shoe that scans them: any of them may still be dealt.
    unseen = session.state.shoe.unseen
    (burned,) = session.execute(DrawCard(Card.of("9s")))
    assert isinstance(burned, CardBurned)
    assert burned.card is None
    assert session.state.shoe.unseen == unseen


@pytest.mark.clause("NY-MINIMIDI:(e)#1")
@pytest.mark.parametrize("command", [acts.CallNoMoreBets(), acts.PlaceWager(1, "player", 10_000)])
def test_the_burn_comes_before_play(command: acts.Command) -> None:
    session = at(Phase.TO_BURN)
    refused(session, command, "not_now")
    session.execute(DrawCard(Card.of("3s")))
    session.execute(DrawCard(None))
    refused(session, command, "not_now")
    for _ in range(2):
        session.execute(DrawCard(None))
    session.execute(command)


@pytest.mark.clause("NY-MINIMIDI:(e)#1")
def test_every_shoe_is_burned() -> None:
    session = at(Phase.CUT)
    for number in (1, 2):
        load_short_shoe(session)
        assert session.state.shoe.number == number
        assert session.state.shoe.remaining == 414
        play_out(session, PLAYER_9_BANKER_8)


@pytest.mark.reading("T47")
def test_fourteen_cards_suffice_for_the_two_longest_hands() -> None:
    session = ready(1)
    shoe = replace(session.state.shoe, remaining=14, cards_behind=14)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    for _ in range(2):
        play(session, "2h 3d Kh Ks 4c 5d")
    assert session.state.phase is Phase.SHOE_COMPLETED
    assert session.state.shoe.remaining == 2
