"""Section 7 at the table: what is wagered and with what, verbal wagers, free hands, no more bets."""

from __future__ import annotations

from typing import Any

import pytest

from croupier import acts
from croupier.acts import (
    CardsReturned,
    ChipsBought,
    FreeHandRequested,
    LayoutCleared,
    NoMoreBetsCalled,
    PlaceVerbalWager,
    PlaceWager,
    PlaceWagers,
    ResultAnnounced,
    VerbalWagerConfirmed,
    WagerPlaced,
    WagersPlaced,
    WagerWithdrawn,
    WithdrawWager,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.rules import Limit
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.massachusetts import (
    EZ,
    HOUSE_MONEY,
    PLAYER_9_BANKER_8,
    ROYAL_9,
    chips,
    clear,
    deal,
    load_short_shoe,
    ma,
    moves,
    play,
    ready,
    rules_of,
    settle,
    turn,
)
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

# --- what may be wagered on --------------------------------------------------------------------

PERMITTED = ma(
    "7(a)(1)", "7(a)(2)", "7(a)(3)", "7(a)(4)", "7(a)(5)", "7(a)(6)", "7(a)(7)", "12(i)#4"
)
# A wager that the text names is refused under what it says of that wager, another under all.
NAMED_BY = {
    "bonus_player": ma("7(a)(4)"),
    "dragon_7": ma("7(a)(5)"),
    "panda_8": ma("7(a)(6)"),
    "house_money": ma("7(a)(7)"),
    "royal_9": ma("12(i)#4"),
    "four_cards": PERMITTED,
}


@pytest.mark.clause(
    "MA-MINI:7(a)(1)", "MA-MINI:7(a)(2)", "MA-MINI:7(a)(3)", "MA-MINI:7(a)(4)",
    "MA-MINI:7(a)(5)", "MA-MINI:7(a)(6)", "MA-MINI:7(a)(7)", "MA-MINI:12(i)#4",
)  # fmt: skip
@pytest.mark.parametrize(
    ("elections", "offered"),
    [
        ({}, {"player", "banker", "tie"}),
        (
            {"wagers__bonus__offered": True},
            {"player", "banker", "tie", "bonus_player", "bonus_banker"},
        ),
        # Both insurance wagers come with EZ baccarat, and nothing has to be elected for them.
        (EZ, {"player", "banker", "tie", "dragon_7", "panda_8"}),
        (HOUSE_MONEY, {"player", "banker", "tie", "house_money"}),
        (ROYAL_9, {"player", "banker", "tie", "royal_9"}),
    ],
)
def test_the_wagers_are_those_of_the_text_that_the_licensee_offers(
    elections: dict[str, Any], offered: set[str]
) -> None:
    session = ready(1, **elections)
    assert set(session.rules.offers) == offered
    wager(session, (1, "player", 500))
    for name, clauses in NAMED_BY.items():
        command = PlaceWager(1, name, 500)
        if name in offered:
            session.execute(command)
        else:
            assert refused(session, command, "not_offered").clauses == clauses


@pytest.mark.clause("MA-MINI:7(a)(4)")
def test_a_dragon_bonus_may_be_on_either_hand_or_on_both_and_needs_no_other_wager() -> None:
    session = ready(1, 2, wagers__bonus__offered=True)
    wager(session, (1, "bonus_player", 500), (1, "bonus_banker", 500), (2, "bonus_banker", 500))
    assert len(session.state.stakes) == 3


# --- 7(b): chips and plaques, and words --------------------------------------------------------


@pytest.mark.clause("MA-MINI:7(b)#1")
def test_wagers_are_made_in_chips_or_plaques_on_the_layout() -> None:
    session = ready(1, chips_cents=10_000)
    assert session.rules.value("wagers.tender", tuple) == ("chips", "plaques")
    placed = only(session.execute(PlaceWager(1, "player", 4_000)), WagerPlaced)
    assert placed.clauses == ma("7(b)#1")
    together = only(session.execute(PlaceWagers(1, {"tie": 500, "banker": 1_000})), WagersPlaced)
    assert together.clauses == ma("7(b)#1")
    assert chips(session, 1) == 4_500
    # What a patron has not got in chips he cannot place.
    assert refused(session, PlaceWager(1, "player", 4_501), "chips").clauses == ma("7(b)#1")
    assert refused(session, PlaceWager(1, "player", 0), "amount").clauses == ma("7(b)#1")


@pytest.mark.clause("MA-MINI:7(b)#1")
@pytest.mark.parametrize("name", ["player", "banker", "tie"])
def test_no_coupon_is_a_wager_here(name: str) -> None:
    session = ready(1)
    answer = refused(session, PlaceWager(1, name, 1_000, coupon_cents=1_000), "coupon")
    assert answer.clauses == ma("7(b)#1")
    assert "chips or plaques" in answer.message


@pytest.mark.clause("MA-MINI:7(b)#2")
def test_a_verbal_wager_stands_once_the_dealer_confirms_it_and_nobody_else_is_asked() -> None:
    session = ready(1, chips_cents=100)
    unconfirmed = PlaceVerbalWager(1, "player", 5_000, dealer_confirms=False, supervisor="Sue")
    answer = refused(session, unconfirmed, "unconfirmed")
    assert (answer.clauses, answer.message.endswith("confirmed by dealer")) == (ma("7(b)#2"), True)
    spoken = PlaceVerbalWager(1, "player", 5_000, dealer_confirms=True, supervisor=None)
    confirmed, bought, placed = session.execute(spoken)
    assert isinstance(confirmed, VerbalWagerConfirmed)
    assert (confirmed.cents, confirmed.clauses) == (5_000, ma("7(b)#2"))
    # The cash is changed for chips at once, and the chips are the wager.
    assert isinstance(bought, ChipsBought)
    assert (bought.cents, bought.clauses) == (5_000, ma("7(b)#2"))
    assert isinstance(placed, WagerPlaced)
    assert session.state.stakes[1, "player"].chips_cents == 5_000
    assert chips(session, 1) == 100
    assert session.ledger.balance("drop") == 100 + 5_000


@pytest.mark.clause("MA-MINI:7(b)#2", "MA-MINI:7(d)")
def test_no_verbal_wager_is_taken_after_no_more_bets() -> None:
    session = ready(1)
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())
    spoken = PlaceVerbalWager(1, "player", 5_000, dealer_confirms=True, supervisor=None)
    assert refused(session, spoken, "no_more_bets").clauses == ma("7(d)")


@pytest.mark.clause("MA-MINI:7(b)#2")
def test_a_verbal_wager_that_is_refused_buys_no_chips() -> None:
    limits = {name: Limit(1_000, 5_000) for name in ("player", "banker", "tie")}
    session = ready(1, limits=limits)
    before = session.ledger.balances
    spoken = PlaceVerbalWager(1, "player", 5_001, dealer_confirms=True, supervisor=None)
    refused(session, spoken, "limit")
    assert session.ledger.balances == before


# --- 7(c): free hands --------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:7(c)", 'MA-MINI:1_"Free_Hand"')
def test_no_round_is_dealt_without_wagers_unless_a_player_asks_for_a_free_hand() -> None:
    for allowed in (False, True):
        session = ready(1, free_hand__allowed=allowed)
        answer = refused(session, acts.CallNoMoreBets(), "no_wagers")
        assert answer.clauses == ma("7(c)", '1_"Free_Hand"')
        assert due(session) == set()


@pytest.mark.clause("MA-MINI:7(c)", 'MA-MINI:1_"Free_Hand"')
def test_no_free_hand_is_dealt_while_a_wager_lies_on_the_layout() -> None:
    session = ready(1, 2, free_hand__allowed=True)
    session.execute(PlaceWager(2, "player", 1_000))
    answer = refused(session, acts.DealFreeHand(1), "wagers")
    assert answer.clauses == ma("7(c)", '1_"Free_Hand"')


@pytest.mark.clause("MA-MINI:7(c)")
def test_free_hands_are_at_the_discretion_of_the_licensee() -> None:
    session = ready(1)
    answer = refused(session, acts.DealFreeHand(1), "not_elected")
    assert answer.clauses == ma("7(c)", '1_"Free_Hand"')
    assert acts.DealFreeHand not in {one.command for one in session.legal()}


@pytest.mark.clause("MA-MINI:7(c)", 'MA-MINI:1_"Free_Hand"', "MA-MINI:8(b)")
def test_a_free_hand_is_called_dealt_and_announced_like_any_other() -> None:
    session = ready(1, 2, free_hand__allowed=True)
    asking = [one.seat for one in session.legal() if one.command is acts.DealFreeHand]
    assert asking == [1, 2]
    events = session.execute(acts.DealFreeHand(2))
    asked = only(events, FreeHandRequested)
    assert (asked.seat, asked.clauses) == (2, ma("7(c)", '1_"Free_Hand"'))
    assert only(events, NoMoreBetsCalled).words == "no more bets"
    dealt = deal(session, PLAYER_9_BANKER_8)
    assert "Player 9, Banker 8, Player wins" in only(dealt, ResultAnnounced).words
    # Nobody wagered on a hand, so the dealer turns both.
    assert [one.seat for one in every(dealt, CardsReturned)] == [None, None]
    assert moves(session.execute(acts.SettleWagers())) == []
    cleared = only(clear(session), LayoutCleared)
    assert (cleared.simulated, cleared.counted) == (False, True)
    assert session.state.rounds == 1


@pytest.mark.clause('MA-MINI:1_"Free_Hand"')
def test_a_free_hand_is_dealt_with_no_wager_on_the_table_and_none_is_taken_in_it() -> None:
    session = ready(1, 2, free_hand__allowed=True)
    wager(session, (1, "tie", 100))
    for seat in (1, 2):
        answer = refused(session, acts.DealFreeHand(seat), "wagers")
        assert answer.clauses == ma("7(c)", '1_"Free_Hand"')
    session.execute(WithdrawWager(1, "tie"))
    refused(session, acts.DealFreeHand(3), "seat_empty")
    session.execute(acts.DealFreeHand(1))
    assert refused(session, PlaceWager(1, "tie", 100), "no_more_bets").clauses == ma("7(d)")


@pytest.mark.clause("MA-MINI:7(c)", "MA-MINI:9(e)#3")
def test_a_free_hand_may_be_the_one_more_hand_of_a_shoe() -> None:
    session = ready(1, free_hand__allowed=True)
    session.execute(acts.DirectShuffle("Flo"))
    load_short_shoe(session)
    for _ in range(2):
        play(session, PLAYER_9_BANKER_8)
    session.execute(acts.DealFreeHand(1))
    deal(session, PLAYER_9_BANKER_8)
    session.execute(acts.SettleWagers())
    clear(session)
    assert session.state.phase is Phase.SHOE_COMPLETED
    assert refused(session, acts.DealFreeHand(1), "not_now").clauses == ma("9(e)#3")


# --- 7(d): no more bets ------------------------------------------------------------------------


def touch(session: TableSession) -> None:
    """Try to make, to raise and to withdraw a wager, all of which must be refused."""
    for command in (
        PlaceWager(1, "tie", 100),
        PlaceWager(1, "player", 100),
        PlaceWagers(1, {"tie": 100}),
        WithdrawWager(1, "player"),
    ):
        assert refused(session, command, "no_more_bets").clauses == ma("7(d)")


@pytest.mark.clause("MA-MINI:7(d)")
def test_a_wager_is_made_raised_and_withdrawn_until_no_more_bets_is_called() -> None:
    session = ready(1)
    wager(session, (1, "player", 1_000), (1, "player", 500), (1, "tie", 100))
    assert session.state.stakes[1, "player"].cents == 1_500
    withdrawn = only(session.execute(WithdrawWager(1, "tie")), WagerWithdrawn)
    assert (withdrawn.cents, withdrawn.clauses) == (100, ma("7(d)"))


@pytest.mark.clause("MA-MINI:7(d)")
def test_after_the_call_no_wager_is_made_raised_or_withdrawn_until_the_layout_is_clear() -> None:
    session = ready(1)
    wager(session, (1, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    touch(session)
    for cards in ("2h", "3d", "Th", "Js"):
        deal(session, cards)
        touch(session)
    deal(session, "4c")
    touch(session)
    deal(session, "Kc")
    touch(session)
    session.execute(acts.SettleWagers())
    refused(session, PlaceWager(1, "tie", 100), "not_now")
    clear(session)
    wager(session, (1, "tie", 100))


@pytest.mark.clause("MA-MINI:7(d)")
def test_a_hand_that_lies_face_down_lets_nobody_change_a_wager() -> None:
    session = ready(1)
    wager(session, (1, "player", 1_000))
    session.execute(acts.CallNoMoreBets())
    for card in ("9h", "8d", "Th", "Js"):
        session.execute(acts.DrawCard(Card.of(card)))
    session.execute(acts.HandCards(Hand.PLAYER))
    touch(session)
    turn(session)
    touch(session)


# --- 12(c): vigorish decides which stakes can be taken -----------------------------------------


@pytest.mark.clause("MA-MINI:12(c)#2", "MA-MINI:12(c)#3")
def test_a_banker_wager_is_one_whose_vigorish_is_no_fraction_of_a_cent() -> None:
    session = ready(1, vigorish__rounded=False)
    # Exactly five percent of twenty cents is a cent.
    for cents in (19, 21):
        answer = refused(session, PlaceWager(1, "banker", cents), "fraction_of_a_cent")
        assert "MA-MINI:12(c)#2" in answer.clauses
    settle(session, PLAYER_9_BANKER_8, (1, "banker", 20))
    # Rounded to a quarter it is of whole cents, but no less than a quarter.
    session = ready(1, vigorish__rounded=True)
    answer = refused(session, PlaceWager(1, "banker", 24), "vigorish_above_win")
    assert answer.clauses == ma("12(c)#3")
    settle(session, PLAYER_9_BANKER_8, (1, "banker", 26))


@pytest.mark.clause('MA-MINI:1_"EZ_Baccarat"')
def test_at_an_ez_table_any_stake_in_whole_cents_can_be_paid() -> None:
    assert rules_of(**EZ).offers["banker"].unit_cents == 1
