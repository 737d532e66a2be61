"""House Money where its round is void: for want of cards, or for a card that lies face up."""

from __future__ import annotations

from typing import Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import RoundVoided, SettleHouseMoney, StakesReleased
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.table.machine.session import TableSession
from support.massachusetts import HELD, HOUSE_MONEY, chips, deal, ma, ready
from support.table import due, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

PLAYER_PAIR: Final = "2h 3d 2c Ks"  # Player 4, Banker 3.
NO_PAIR: Final = "2h 3d Kc Qs"


def with_cards(session: TableSession, remaining: int) -> None:
    """Have the shoe run out after some more cards."""
    shoe = replace(session.state.shoe, remaining=remaining, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))


def third_of_player(session: TableSession) -> None:
    """Deal Player a five; against it Banker's three must draw, and the shoe has no card for it."""
    session.execute(acts.DrawCard(Card.of("5c")))
    session.execute(acts.HandCards(Hand.PLAYER))
    session.execute(acts.ReturnCards(1, Hand.PLAYER))


@pytest.mark.reading("C155")
@pytest.mark.clause("MA-MINI:13(e)#1")
@pytest.mark.parametrize("cards", [PLAYER_PAIR, NO_PAIR])
def test_where_the_shoe_has_no_third_card_house_money_goes_back_too(cards: str) -> None:
    session = ready(1, **HOUSE_MONEY)
    with_cards(session, 4)
    wager(session, (1, "player", 10_000), (1, "house_money", 1_000))
    deal(session, cards)
    assert refused(session, SettleHouseMoney({}), "round_void").clauses == ma("13(e)#1")
    assert due(session) == {acts.VoidRound}
    session.execute(acts.VoidRound())
    assert chips(session, 1) == HELD
    assert session.ledger.in_balance


@pytest.mark.clause("MA-MINI:8(c)(3)(i)#1")
def test_where_both_hands_stay_the_empty_shoe_voids_nothing() -> None:
    session = ready(1, **HOUSE_MONEY)
    with_cards(session, 4)
    wager(session, (1, "player", 10_000), (1, "house_money", 1_000))
    deal(session, "3h 6d 3c Kh")
    assert refused(session, acts.VoidRound(), "cards_left").clauses == ma("13(e)#1")
    session.execute(SettleHouseMoney({}))
    # The stake of ten dollars comes back with three for each of them.
    assert chips(session, 1) == HELD - 10_000 + 3_000


@pytest.mark.reading("C155")
@pytest.mark.clause("MA-MINI:8(c)(3)(i)a#2", "MA-MINI:13(e)#1")
def test_a_payout_is_final_and_what_was_added_goes_back_with_a_wager_that_is_void() -> None:
    session = ready(1, 2, **HOUSE_MONEY)
    with_cards(session, 5)
    wager(session, (1, "player", 10_000), (1, "house_money", 1_000), (2, "banker", 500))
    deal(session, PLAYER_PAIR)
    session.execute(SettleHouseMoney({1: "player"}))
    third_of_player(session)
    events = session.execute(acts.VoidRound())
    back = only(events, StakesReleased)
    assert {(one.seat, one.wager, one.cents) for one in back.stakes} == {
        (1, "player", 13_000), (2, "banker", 500),
    }  # fmt: skip
    assert [chips(session, seat) for seat in (1, 2)] == [HELD + 3_000, HELD]
    assert session.ledger.in_balance


@pytest.mark.reading("C155")
@pytest.mark.clause("MA-MINI:8(c)(3)(i)#1", "MA-MINI:13(e)#1")
def test_house_money_that_was_lost_stays_lost_when_the_round_is_void_later() -> None:
    session = ready(1, **HOUSE_MONEY)
    with_cards(session, 5)
    wager(session, (1, "player", 10_000), (1, "house_money", 1_000))
    deal(session, NO_PAIR)
    session.execute(SettleHouseMoney({}))
    third_of_player(session)
    session.execute(acts.VoidRound())
    assert chips(session, 1) == HELD - 1_000


@pytest.mark.clause("MA-MINI:8(c)(3)", "MA-MINI:13(d)")
def test_house_money_goes_back_where_the_round_is_void_before_it_is_settled() -> None:
    session = ready(1, **HOUSE_MONEY)
    wager(session, (1, "player", 10_000), (1, "house_money", 1_000))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(PLAYER_PAIR):
        session.execute(acts.DrawCard(card))
    events = session.execute(acts.FindFaceUpCard(Card.of("9c")))
    assert only(events, RoundVoided)
    assert (chips(session, 1), dict(session.state.stakes)) == (HELD, {})
