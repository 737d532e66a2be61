"""5324.21(b)(2) to (4): what wagers must be made in, and until when they may be touched."""

from collections.abc import Callable
from typing import Final

import pytest

from croupier import acts
from croupier.acts import (
    PatronWalkedAway,
    PlaceVerbalWager,
    PlaceWager,
    PlaceWagers,
    StakesReleased,
    WagerPlaced,
    WagersPlaced,
    WagerWithdrawn,
    WithdrawWager,
)
from croupier.rules import Limit
from croupier.table.machine.session import TableSession
from support.new_york import PLAYER_9_BANKER_8, TIE_8, midi, ny, ready
from support.table import deal, only, refused, wager

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

TENDER: Final = ny("(b)(2)")
CLOSED: Final = ny("(b)(3)")
TOUCHED: Final = ny("(b)(3)", "(b)(4)")

CHANGES: Final = [
    pytest.param(PlaceWager(1, "tie", 500), id="made"),
    pytest.param(PlaceWager(1, "player", 500), id="increased"),
    pytest.param(PlaceWagers(1, {"tie": 500}), id="made with others"),
    pytest.param(WithdrawWager(1, "player"), id="withdrawn"),
]

TABLES: Final = [pytest.param(ready, id="mini"), pytest.param(midi, id="midi")]


# --- (2): chips, plaques, coupons --------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(b)(2)")
@pytest.mark.parametrize("table", TABLES)
def test_wagers_are_made_in_chips_and_plaques_in_both_games(
    table: Callable[..., TableSession],
) -> None:
    session = table(1)
    placed = only(session.execute(PlaceWager(1, "player", 10_000)), WagerPlaced)
    assert placed.clauses == TENDER
    placed_together = only(session.execute(PlaceWagers(1, {"tie": 500})), WagersPlaced)
    assert placed_together.clauses == TENDER
    assert session.state.seats[1].chips_cents == 1_000_000 - 10_500


@pytest.mark.clause("NY-MINIMIDI:(b)(2)")
def test_what_wagers_are_made_in_is_named_by_the_text() -> None:
    tender = ready(1).rules.value("wagers.tender", tuple)
    assert tender == ("chips", "plaques", "promotional coupon")


@pytest.mark.clause("NY-MINIMIDI:(b)(2)")
def test_no_wager_is_taken_by_word_of_mouth() -> None:
    session = ready(1)
    spoken = PlaceVerbalWager(1, "player", 10_000, dealer_confirms=True, supervisor="Sue")
    refusal = refused(session, spoken, "tender")
    assert refusal.clauses == TENDER
    assert refusal.message == (
        "verbal wagers are not accepted: wager in chips or plaques or promotional coupon"
    )


@pytest.mark.clause("NY-MINIMIDI:(b)(2)")
def test_more_chips_than_a_patron_has_cannot_be_wagered() -> None:
    session = ready(1)
    refusal = refused(session, PlaceWager(1, "player", 1_000_001), "chips")
    assert refusal.clauses == TENDER


@pytest.mark.clause("NY-MINIMIDI:(b)(2)", "NY-MINIMIDI:(c)(1)")
def test_a_promotional_coupon_is_paid_beside_the_chips_and_collected() -> None:
    session = ready(1)
    session.execute(PlaceWager(1, "player", 10_000, coupon_cents=10_000))
    deal(session, PLAYER_9_BANKER_8)
    session.execute(acts.SettleWagers())
    # The chips go back with even money on chips and coupon; the coupon stays with the house.
    assert session.state.seats[1].chips_cents == 1_000_000 + 20_000


@pytest.mark.clause("NY-MINIMIDI:(b)(2)")
def test_a_coupon_needs_chips_of_its_amount_beside_it() -> None:
    session = ready(1)
    refusal = refused(session, PlaceWager(1, "player", 5_000, coupon_cents=5_001), "coupon")
    assert refusal.clauses == TENDER
    assert refusal.message == "a promotional coupon requires chips of at least its amount"


@pytest.mark.clause("NY-MINIMIDI:(b)(2)", "NY-MINIMIDI:(b)(1)(ii)(c)")
def test_a_coupon_goes_back_with_a_wager_that_is_pushed() -> None:
    session = ready(1)
    session.execute(PlaceWager(1, "player", 10_000, coupon_cents=10_000))
    deal(session, TIE_8)
    (stake,) = only(session.execute(acts.SettleWagers()), StakesReleased).stakes
    assert (stake.outcome, stake.cents, stake.coupon_cents) == ("push", 10_000, 10_000)


@pytest.mark.clause("NY-MINIMIDI:(b)(2)")
def test_a_coupon_counts_for_the_limits_with_the_chips() -> None:
    limits = {name: Limit(10_000, 20_000) for name in ("player", "banker", "tie")}
    session = ready(1, limits=limits)
    session.execute(PlaceWager(1, "player", 10_000, coupon_cents=10_000))
    refused(session, PlaceWager(1, "player", 100), "limit")


# --- (3): no more bets -------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(b)(3)", "NY-MINIMIDI:(f)(2)")
def test_before_the_call_wagers_are_made_increased_and_withdrawn() -> None:
    session = ready(1)
    wager(session, (1, "player", 10_000), (1, "player", 5_000), (1, "tie", 500))
    withdrawn = only(session.execute(WithdrawWager(1, "player")), WagerWithdrawn)
    assert (withdrawn.cents, withdrawn.clauses) == (15_000, CLOSED)
    assert set(session.state.stakes) == {(1, "tie")}


@pytest.mark.clause("NY-MINIMIDI:(b)(3)")
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("change", CHANGES)
def test_no_wager_is_made_increased_or_withdrawn_after_no_more_bets(
    change: acts.Command, table: Callable[..., TableSession]
) -> None:
    session = table(1)
    wager(session, (1, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    assert refused(session, change, "no_more_bets").clauses == CLOSED


# --- (4): from the first card to the settlement ------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(b)(4)")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("cards", ["9h", "9h 8d Kh", PLAYER_9_BANKER_8])
def test_no_wager_is_touched_from_the_first_card_until_it_is_settled(
    cards: str, change: acts.Command
) -> None:
    session = ready(1)
    wager(session, (1, "player", 10_000))
    deal(session, cards)
    assert refused(session, change, "no_more_bets").clauses == TOUCHED


@pytest.mark.clause("NY-MINIMIDI:(b)(3)", "NY-MINIMIDI:(b)(4)")
def test_a_player_who_leaves_takes_back_no_wager_that_is_not_decided() -> None:
    session = ready(1)
    wager(session, (1, "player", 10_000))
    deal(session, PLAYER_9_BANKER_8)
    (gone,) = session.execute(acts.LeaveTable(1))
    assert gone == PatronWalkedAway(1, "Patron 1", ny("(b)(3)"))
    assert session.state.stakes[1, "player"].cents == 10_000
    session.execute(acts.SettleWagers())
    session.execute(acts.ClearLayout())
    session.execute(acts.LeaveTable(1))


@pytest.mark.clause("NY-MINIMIDI:(b)(3)", "NY-MINIMIDI:(b)(4)")
def test_wagers_are_made_again_once_the_round_is_over() -> None:
    session = ready(1)
    wager(session, (1, "player", 10_000))
    deal(session, PLAYER_9_BANKER_8)
    session.execute(acts.SettleWagers())
    refused(session, PlaceWager(1, "tie", 500), "not_now")
    session.execute(acts.ClearLayout())
    wager(session, (1, "tie", 500))
