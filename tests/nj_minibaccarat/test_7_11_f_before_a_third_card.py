"""19:47-7.11(f) between a hand and its third card: the right is given up, taken, and offered on."""

from __future__ import annotations

from typing import Final

import pytest

from croupier import acts
from croupier.acts import (
    AcceptCards,
    CardsHanded,
    CardsOffered,
    DeclineCards,
    DrawCard,
    HandCards,
    RelinquishCards,
    RequireRelinquishment,
    ReturnCards,
    TurnHand,
)
from croupier.baccarat.cards import parse_cards
from croupier.baccarat.coup import Hand
from croupier.table.machine.session import TableSession
from support.table import due, only, ready, refused, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
# Player has two and draws; Banker's seven stays.
FOUR: Final = "2h 7d Kc Kh"


def both_returned() -> TableSession:
    """Seats 2 and 4 have returned the hands that they held; a third card is due to Player's Hand."""
    session = ready(2, 4, 6, deal__option="hand-over", deal__banker_first=False)
    wager(session, (2, "player", 10_000), (4, "banker", 10_000))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(FOUR):
        session.execute(DrawCard(card))
    for hand, seat in ((PLAYER, 2), (BANKER, 4)):
        session.execute(HandCards(hand))
        session.execute(ReturnCards(seat, hand))
    assert due(session) == {DrawCard}
    return session


@pytest.mark.clause("NJ-MINI:7.11(f)#1", "NJ-MINI:7.11(f)#2")
def test_the_right_to_a_third_card_may_be_given_up_or_taken_before_it_is_drawn() -> None:
    session = both_returned()
    listed = {(one.command, one.seat, one.must) for one in session.legal()}
    assert {
        (RelinquishCards, 2, False),
        (RequireRelinquishment, 2, False),
    } <= listed
    offered = only(session.execute(RelinquishCards(2, PLAYER)), CardsOffered)
    assert (offered.seat, offered.clauses) == (4, ("NJ-MINI:7.11(f)#2",))
    assert {AcceptCards, DeclineCards} <= due(session)


@pytest.mark.clause("NJ-MINI:7.11(f)#2", "NJ-MINI:7.7(c)3.iii")
def test_whoever_takes_it_over_is_handed_the_third_card() -> None:
    session = both_returned()
    session.execute(RelinquishCards(2, PLAYER))
    session.execute(DeclineCards(4, PLAYER))
    session.execute(AcceptCards(6, PLAYER))
    (card,) = parse_cards("6c")
    session.execute(DrawCard(card))
    assert only(session.execute(HandCards(PLAYER)), CardsHanded).seat == 6
    refused(session, ReturnCards(2, PLAYER), "hands_off")
    session.execute(ReturnCards(6, PLAYER))


@pytest.mark.clause("NJ-MINI:7.11(f)#3")
def test_the_dealer_turns_the_third_card_that_nobody_takes_over() -> None:
    session = both_returned()
    session.execute(RequireRelinquishment(2, PLAYER, "dealer", "delay"))
    for seat in (4, 6):
        session.execute(DeclineCards(seat, PLAYER))
    (card,) = parse_cards("6c")
    session.execute(DrawCard(card))
    assert due(session) == {TurnHand}
    session.execute(TurnHand(PLAYER))


@pytest.mark.clause("NJ-MINI:7.11(f)#1")
def test_there_is_no_right_to_give_up_where_no_third_card_is_due() -> None:
    session = both_returned()
    assert (RelinquishCards, 4) not in {(one.command, one.seat) for one in session.legal()}
