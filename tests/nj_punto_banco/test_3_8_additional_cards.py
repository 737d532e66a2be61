"""19:47-3.8: the counts announced, third cards by instruction, the cutting card, the last hand."""

from typing import Any

import pytest

from croupier import acts
from croupier.acts import (
    BankerFirstRequested,
    CardDealt,
    CardsHanded,
    CuttingCardAppeared,
    LastHandCalled,
    LayoutCleared,
    PointCountAnnounced,
    RequestBankerFirst,
    ResultAnnounced,
    ShoeCompleted,
    ThirdCardRuled,
    TurnHand,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.parts.curator import CuratorState
from support.games import advance
from support.punto_banco import (
    BANKER_WINS,
    at,
    call,
    deal,
    dealer_deals,
    load_short_shoe,
    play,
    ready,
    shoe_to,
)
from support.table import deal as draw
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
FOUR_CARDS = "2h 3d Kh Ks"  # Player 2, Banker 3: Player draws.


# --- (a): the counts ---------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.8(a)#1", "NJ-PB:3.8(a)#2")
def test_players_count_is_announced_first_and_bankers_after_his_cards_are_in_place() -> None:
    session = ready(1)
    draw(session, FOUR_CARDS)
    counted = only(session.execute(TurnHand(PLAYER)), PointCountAnnounced)
    assert (counted.hand, counted.count, counted.words) == (PLAYER, 2, "Player 2")
    assert counted.clauses == ("NJ-PB:3.8(a)#1",)
    events = session.execute(TurnHand(BANKER))
    counted = only(events, PointCountAnnounced)
    assert (counted.hand, counted.count, counted.words) == (BANKER, 3, "Banker 3")
    assert counted.clauses == ("NJ-PB:3.8(a)#2",)


@pytest.mark.clause("NJ-PB:3.8(a)#1", "NJ-PB:3.8(a)#2")
def test_the_counts_are_announced_for_the_same_sentences_where_hands_come_back_from_bettors() -> (
    None
):
    session = ready(1, 2, deal__option="hand-over")
    wager(session, (1, "player", 10_000), (2, "banker", 10_000))
    counts = every(deal(session, BANKER_WINS), PointCountAnnounced)
    assert [(one.hand, one.words, one.clauses) for one in counts] == [
        (PLAYER, "Player natural 8", ("NJ-PB:3.8(a)#1",)),
        (BANKER, "Banker natural 9", ("NJ-PB:3.8(a)#2",)),
    ]


BANKER_FIRST: dict[str, Any] = {"deal__banker_first": True}
ASK = RequestBankerFirst(2)


@pytest.mark.clause("NJ-PB:3.8(a)#3")
def test_where_nobody_took_the_shoe_bankers_hand_is_turned_first_if_a_player_asks() -> None:
    session = dealer_deals(1, 2, **BANKER_FIRST)
    draw(session, FOUR_CARDS)
    asking = {one.seat for one in session.legal() if one.command is RequestBankerFirst}
    assert asking == {1, 2}
    requested = only(session.execute(ASK), BankerFirstRequested)
    assert (requested.seat, requested.clauses) == (2, ("NJ-PB:3.8(a)#3",))
    refused(session, TurnHand(PLAYER), "not_next")
    session.execute(TurnHand(BANKER))
    session.execute(TurnHand(PLAYER))


@pytest.mark.clause("NJ-PB:3.8(a)#3")
def test_where_the_curator_has_designated_the_dealer_a_player_may_ask_for_it_too() -> None:
    session = at(Phase.BETTING, 1, 2, **BANKER_FIRST)
    session.execute(acts.AcceptShoe(1, designate_dealer=True))
    draw(session, FOUR_CARDS)
    only(session.execute(ASK), BankerFirstRequested)


@pytest.mark.clause("NJ-PB:3.8(a)#3")
def test_while_a_participant_deals_the_hands_are_turned_in_their_order() -> None:
    session = ready(1, 2, **BANKER_FIRST)
    assert session.rules.value("deal.banker_first.curator", str) == "dealer"
    draw(session, FOUR_CARDS)
    assert RequestBankerFirst not in {one.command for one in session.legal()}
    for seat in (1, 2):
        refusal = refused(session, RequestBankerFirst(seat), "curator")
        assert refusal.clauses == ("NJ-PB:3.8(a)#3",)


@pytest.mark.clause("NJ-PB:3.8(a)#3")
def test_the_licensee_need_not_turn_bankers_hand_first_and_nobody_asks_unless_he_plays() -> None:
    plain = dealer_deals(1, 2, deal__banker_first=False)
    draw(plain, FOUR_CARDS)
    assert RequestBankerFirst not in {one.command for one in plain.legal()}
    assert refused(plain, ASK, "not_elected").clauses == ("NJ-PB:3.8(a)#3",)
    session = dealer_deals(1, 2, **BANKER_FIRST)
    call(session)
    refused(session, ASK, "too_early")
    draw(session, FOUR_CARDS)
    refused(session, RequestBankerFirst(5), "seat_empty")
    session.execute(TurnHand(PLAYER))
    refused(session, ASK, "too_late")


@pytest.mark.clause("NJ-PB:3.8(a)#3")
def test_hands_that_are_handed_over_may_be_called_banker_first_while_the_dealer_is_curator() -> (
    None
):
    session = dealer_deals(1, 2, **BANKER_FIRST, deal__option="hand-over")
    wager(session, (1, "player", 10_000), (2, "banker", 10_000))
    draw(session, FOUR_CARDS)
    session.execute(ASK)
    handed = only(session.execute(acts.HandCards(BANKER)), CardsHanded)
    assert handed.seat == 2


# --- (b) to (d): third cards -------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.8(b)")
def test_after_both_counts_the_dealer_tells_the_curator_whether_to_deal_a_third_card() -> None:
    session = ready(1, 2)
    draw(session, FOUR_CARDS)
    early = refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")
    assert early.clauses == ("NJ-PB:3.8(b)",)
    assert not every(session.execute(TurnHand(PLAYER)), ThirdCardRuled)
    refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")
    ruled = only(session.execute(TurnHand(BANKER)), ThirdCardRuled)
    assert (ruled.hand, ruled.draws) == (PLAYER, True)
    (action,) = [one for one in session.legal() if one.command is acts.DrawCard]
    assert (action.who, action.seat, action.clauses) == ("curator", 1, ("NJ-PB:3.8(b)",))


@pytest.mark.clause("NJ-PB:3.8(c)")
def test_third_cards_are_dealt_face_up_players_first_and_then_bankers() -> None:
    dealt = every(deal(ready(1), "2h 3d Kh Ks 4c 5d"), CardDealt)[4:]
    assert [(one.hand, one.ordinal, one.face_up, one.clauses) for one in dealt] == [
        (PLAYER, 3, True, ("NJ-PB:3.8(c)",)),
        (BANKER, 3, True, ("NJ-PB:3.8(c)",)),
    ]


@pytest.mark.clause("NJ-PB:3.8(d)")
@pytest.mark.parametrize(
    ("cards", "by"),
    [
        ("9h 8d Kh Ks", ["3.9(a)"]),
        ("2h 7d Kh Ks 3c", ["3.8(d)", "3.9(c)", "3.9_Table_2#6"]),
        ("7h 2d Kh Ks 3c", ["3.9(b)#2", "3.8(d)"]),
        ("2h 3d Kh Ks 4c 5d", ["3.8(d)"]),
    ],
)
def test_no_hand_gets_more_than_one_additional_card(cards: str, by: list[str]) -> None:
    session = ready(1)
    assert session.rules.value("third.most", int) == 1
    deal(session, cards)
    assert session.state.phase is Phase.DECIDED
    refusal = refused(session, acts.DrawCard(Card.of("Ac")), "no_card_due")
    assert refusal.clauses == tuple(f"NJ-PB:{clause}" for clause in by)


# --- (e): the cutting card and the last hand ---------------------------------------------------


def short_shoe(*seats: int, **elections: Any) -> TableSession:
    """A shoe of which six cards come before the cutting card: it appears in the second round."""
    session = at(Phase.TO_CUT, *seats, **elections)
    load_short_shoe(session)
    shoe_to(session, session.state[CuratorState].asked[0])
    return session


@pytest.mark.clause("NJ-PB:3.8(e)#1")
def test_the_cutting_card_is_put_aside_and_the_hand_is_completed() -> None:
    session = short_shoe(1)
    assert not every(play(session, BANKER_WINS), CuttingCardAppeared)
    events = deal(session, "2h 3d Kh Ks 4c 5d")
    appeared = only(events, CuttingCardAppeared)
    assert (appeared.first_of_round, appeared.clauses) == (False, ("NJ-PB:3.8(e)#1",))
    assert len(every(events, CardDealt)) == 6
    assert only(events, ResultAnnounced).cards == 6
    assert not every(events, LastHandCalled)


@pytest.mark.clause("NJ-PB:3.8(e)#2", "NJ-PB:3.8(e)#3")
def test_upon_completion_the_last_hand_is_called_and_one_more_is_dealt() -> None:
    session = short_shoe(1)
    play(session, BANKER_WINS)
    events = play(session, BANKER_WINS)
    last = only(events, LastHandCalled)
    assert (last.words, last.hands, last.clauses) == ("last hand", 1, ("NJ-PB:3.8(e)#2",))
    kinds = [type(event) for event in events]
    assert kinds.index(LayoutCleared) < kinds.index(LastHandCalled)
    completed = only(play(session, BANKER_WINS), ShoeCompleted)
    assert completed.clauses == ("NJ-PB:3.8(e)#3",)
    for command in (acts.CallNoMoreBets(), acts.DrawCard(Card.of("9h"))):
        assert refused(session, command, "not_now").clauses == ("NJ-PB:3.8(e)#3",)
    assert due(session) == {acts.ShuffleCards}
    advance(session, Phase.BETTING)
    play(session, BANKER_WINS)


# The burn and the two cards after it bring the cutting card to the front: the round begins with it.
@pytest.mark.clause("NJ-PB:3.8(e)#1", "NJ-PB:3.8(e)#3")
@pytest.mark.parametrize(("reading", "rounds"), [("one-more", 2), ("last", 1)])
def test_a_round_that_begins_with_the_cutting_card_is_followed_by_one_more_unless_read_otherwise(
    reading: str, rounds: int
) -> None:
    session = at(Phase.CUT, 1, readings={"T08": reading})
    # Of 416 cards the burn takes two; 414 lie behind the cutting card.
    session.execute(acts.InsertCuttingCards(414))
    advance(session, Phase.BETTING)
    shoe_to(session, 1)
    appeared = only(play(session, BANKER_WINS), CuttingCardAppeared)
    assert appeared.first_of_round
    while session.state.phase is not Phase.SHOE_COMPLETED:
        play(session, BANKER_WINS)
    assert session.state.rounds == rounds
