"""19:47-7.2(b) to (e) at the table: which wagers it takes, in what, and until when."""

from typing import Any

import pytest

from croupier import acts
from croupier.acts import (
    ChipsBought,
    LosingWagersCollected,
    PatronWalkedAway,
    PlaceVerbalWager,
    PlaceWager,
    VerbalWagerConfirmed,
    WagerPaid,
    WagerPlaced,
    WagerWithdrawn,
    WithdrawWager,
)
from croupier.money import ledger
from croupier.money.settlement import Stake
from croupier.rules import Limit
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.table import deal, every, only, play, ready, refused, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

TENDER = "NJ-MINI:7.2(c)#1"
CONFIRMED, CONVERTED = "NJ-MINI:7.2(c)#2", "NJ-MINI:7.2(c)#3"
CLOSED = "NJ-MINI:7.2(d)"
UNTOUCHED = "NJ-MINI:7.2(e)"

PLAYER_WINS = "9h 8d Kh Ks"
BANKER_WINS = "8h 9d Kh Ks"
TIE = "8h 8d Kh Ks"


def chips(session: TableSession, seat: int = 1) -> int:
    return session.state.seats[seat].chips_cents


def verbal(seat: int, name: str, cents: int) -> PlaceVerbalWager:
    """A verbal wager that the dealer and the supervisor confirm."""
    return PlaceVerbalWager(seat, name, cents, dealer_confirms=True, supervisor="Sue")


# --- (b): the wagers that are taken ------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.2(b)#1")
@pytest.mark.parametrize(
    "name",
    [
        "four_cards",
        "five_cards",
        "six_cards",
        "bonus_player",
        "bonus_banker",
        "dragon_7",
        "panda_8",
        "",
    ],
)
def test_a_wager_that_the_table_does_not_offer_is_refused(name: str) -> None:
    session = ready(1)
    wager(session, (1, "player", 10000))
    assert "NJ-MINI:7.2(b)#1" in refused(session, PlaceWager(1, name, 10000), "not_offered").clauses


@pytest.mark.clause("NJ-MINI:7.2(b)#1")
@pytest.mark.parametrize(
    ("elections", "offered"),
    [
        ({"wagers__total_cards__offered": True}, ("four_cards", "five_cards", "six_cards")),
        ({"wagers__bonus__offered": True}, ("bonus_player", "bonus_banker")),
        ({"vigorish__scheme": "dragon-7"}, ("dragon_7",)),
    ],
)
def test_a_wager_that_the_law_names_is_taken_where_the_licensee_offers_it(
    elections: dict[str, Any], offered: tuple[str, ...]
) -> None:
    session = ready(1, **elections)
    for name in ("player", "banker", "tie", *offered):
        (placed,) = session.execute(PlaceWager(1, name, 10000))
        assert isinstance(placed, WagerPlaced)
    assert set(session.state.stakes) == {
        (1, name) for name in ("player", "banker", "tie", *offered)
    }


@pytest.mark.clause("NJ-MINI:7.2(b)#1")
def test_one_patron_may_wager_on_both_hands_and_on_the_tie_at_once() -> None:
    session = ready(1)
    wager(session, (1, "player", 10000), (1, "banker", 20000), (1, "tie", 300))
    assert session.state.stakes == {
        (1, "player"): Stake(10000),
        (1, "banker"): Stake(20000),
        (1, "tie"): Stake(300),
    }


@pytest.mark.clause("NJ-MINI:7.2(b)#2")
@pytest.mark.parametrize("bonus", ["bonus_player", "bonus_banker"])
def test_a_bonus_alone_is_refused_where_it_needs_a_base_wager(bonus: str) -> None:
    session = ready(1, 2, wagers__bonus__offered=True, wagers__bonus__needs_base=True)
    # Neither a Tie wager nor another patron's wager is a wager of his on one of the hands.
    wager(session, (1, "tie", 10000), (2, "player", 10000), (2, "banker", 10000))
    assert refused(session, PlaceWager(1, bonus, 10000), "needs_base").clauses == (
        "NJ-MINI:7.2(b)#2",
    )


@pytest.mark.clause("NJ-MINI:7.2(b)#2")
@pytest.mark.parametrize("base", ["player", "banker"])
@pytest.mark.parametrize("bonus", ["bonus_player", "bonus_banker"])
def test_either_base_wager_opens_either_bonus(base: str, bonus: str) -> None:
    session = ready(1, wagers__bonus__offered=True, wagers__bonus__needs_base=True)
    wager(session, (1, base, 10000), (1, bonus, 10000))
    assert session.state.stakes[1, bonus] == Stake(10000)


@pytest.mark.clause("NJ-MINI:7.2(b)#2")
def test_a_bonus_stands_alone_where_the_licensee_asks_for_no_base_wager() -> None:
    session = ready(1, wagers__bonus__offered=True, wagers__bonus__needs_base=False)
    wager(session, (1, "bonus_banker", 10000))
    assert session.state.stakes == {(1, "bonus_banker"): Stake(10000)}


@pytest.mark.clause("NJ-MINI:7.2(b)#2")
def test_the_last_base_wager_is_not_withdrawn_from_beside_a_bonus() -> None:
    session = ready(1, wagers__bonus__offered=True, wagers__bonus__needs_base=True)
    wager(session, (1, "player", 10000), (1, "banker", 10000), (1, "bonus_player", 10000))
    session.execute(WithdrawWager(1, "player"))
    refusal = refused(session, WithdrawWager(1, "banker"), "needs_base")
    assert refusal.clauses == ("NJ-MINI:7.2(b)#2",)
    session.execute(WithdrawWager(1, "bonus_player"))
    session.execute(WithdrawWager(1, "banker"))
    assert not session.state.stakes


@pytest.mark.clause("NJ-MINI:7.2(b)#2")
def test_without_the_need_of_a_base_wager_it_is_withdrawn_freely() -> None:
    session = ready(1, wagers__bonus__offered=True, wagers__bonus__needs_base=False)
    wager(session, (1, "player", 10000), (1, "bonus_player", 10000))
    session.execute(WithdrawWager(1, "player"))
    assert session.state.stakes == {(1, "bonus_player"): Stake(10000)}


# --- (c): chips, coupons, cash -----------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_a_wager_moves_chips_from_the_patron_to_the_area_of_the_layout() -> None:
    session = ready(1, 2, chips_cents=50000)
    (placed,) = session.execute(PlaceWager(1, "player", 10000))
    assert placed == WagerPlaced(1, "player", 10000, 0, (TENDER,))
    assert session.state.stakes == {(1, "player"): Stake(10000)}
    assert (chips(session, 1), chips(session, 2)) == (40000, 50000)
    assert session.ledger.balance(ledger.layout(1)) == 10000
    assert session.ledger.balance(ledger.patron(1)) == 40000


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_chips_added_to_a_wager_make_one_wager_of_the_sum() -> None:
    session = ready(1, chips_cents=50000)
    wager(session, (1, "player", 10000), (1, "player", 2500))
    assert session.state.stakes == {(1, "player"): Stake(12500)}
    assert chips(session) == 37500


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
@pytest.mark.parametrize("cents", [0, -1, -10000, True, 100.0, 0.5, "100", None])
def test_a_wager_is_a_whole_number_of_cents_more_than_nothing(cents: Any) -> None:
    session = ready(1)
    assert refused(session, PlaceWager(1, "player", cents), "amount").clauses == (TENDER,)


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
@pytest.mark.parametrize("coupon", [-1, -10000, True, 100.0, "100"])
def test_a_coupon_is_a_whole_number_of_cents(coupon: Any) -> None:
    session = ready(1)
    refusal = refused(session, PlaceWager(1, "player", 10000, coupon), "amount")
    assert refusal.clauses == (TENDER,)


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
@pytest.mark.parametrize("cents", [0, -1, True, 100.0, 0.5])
def test_chips_are_bought_for_a_whole_number_of_cents(cents: Any) -> None:
    session = ready(1)
    assert refused(session, acts.BuyChips(1, cents), "amount").clauses == ()


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_nobody_wagers_more_chips_than_he_has() -> None:
    session = ready(1, chips_cents=10000)
    assert refused(session, PlaceWager(1, "player", 10001), "chips").clauses == (TENDER,)
    session.execute(PlaceWager(1, "player", 10000))
    assert chips(session) == 0
    assert refused(session, PlaceWager(1, "tie", 1), "chips").clauses == (TENDER,)


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
@pytest.mark.parametrize("seat", [0, 2, 8])
def test_nobody_wagers_from_an_empty_seat(seat: int) -> None:
    session = ready(1)
    refused(session, PlaceWager(seat, "player", 10000), "seat_empty")
    refused(session, verbal(seat, "player", 10000), "seat_empty")
    refused(session, acts.BuyChips(seat, 10000), "seat_empty")


LIMITS = {
    "player": Limit(2500, 10000),
    "banker": Limit(2500, 10000),
    "tie": Limit(500, 1000),
}


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
@pytest.mark.parametrize(
    ("name", "cents"), [("player", 2499), ("player", 10001), ("tie", 499), ("tie", 1001)]
)
def test_a_wager_outside_the_limits_is_refused(name: str, cents: int) -> None:
    refused(ready(1, limits=LIMITS), PlaceWager(1, name, cents), "limit")


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
@pytest.mark.parametrize("cents", [2500, 10000])
def test_the_limits_themselves_are_taken(cents: int) -> None:
    session = ready(1, limits=LIMITS)
    wager(session, (1, "player", cents))
    assert session.state.stakes == {(1, "player"): Stake(cents)}


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_the_limits_hold_for_the_whole_wager_and_not_for_what_is_added() -> None:
    session = ready(1, limits=LIMITS)
    wager(session, (1, "player", 9000), (1, "player", 1000))
    refused(session, PlaceWager(1, "player", 1), "limit")
    assert session.state.stakes == {(1, "player"): Stake(10000)}


# The odds, or the vigorish where it is exact, make of these stakes a fraction of a cent: at 3 to 2
# a stake must be even, at 1 to 2 too; 5 percent of it is a cent for every 20, 4 percent for every
# 25, and a quarter for every 4.
@pytest.mark.clause("NJ-MINI:7.3(g)#1", "NJ-MINI:7.2(c)#1")
@pytest.mark.parametrize(
    ("elections", "name", "unit_cents", "clause"),
    [
        ({"wagers__total_cards__offered": True}, "four_cards", 2, "NJ-MINI:7.3(g)#1"),
        ({"wagers__total_cards__offered": True}, "five_cards", 1, ""),
        ({"vigorish__scheme": "six-pays-half"}, "banker", 2, "NJ-MINI:7.3(f)1"),
        ({"vigorish__scheme": "5%"}, "banker", 20, "NJ-MINI:7.3(c)#1"),
        ({"vigorish__scheme": "4%"}, "banker", 25, "NJ-MINI:7.3(c)#1"),
        ({"vigorish__scheme": "tie-25%"}, "banker", 4, "NJ-MINI:7.3(c)#1"),
        ({"vigorish__scheme": "dragon-7"}, "banker", 1, ""),
        ({"vigorish__scheme": "5%"}, "player", 1, ""),
        ({"vigorish__scheme": "5%"}, "tie", 1, ""),
    ],
)
def test_a_stake_that_could_not_be_paid_to_the_cent_is_refused(
    elections: dict[str, Any], name: str, unit_cents: int, clause: str
) -> None:
    session = ready(1, **elections)
    for cents in range(1, unit_cents):
        refusal = refused(session, PlaceWager(1, name, cents), "fraction_of_a_cent")
        assert clause in refusal.clauses
    wager(session, (1, name, unit_cents))
    for cents in range(1, unit_cents):
        refused(session, PlaceWager(1, name, cents), "fraction_of_a_cent")
    wager(session, (1, name, 3 * unit_cents))
    assert session.state.stakes == {(1, name): Stake(4 * unit_cents)}


# --- a match play coupon -----------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_a_coupon_lies_beside_chips_of_at_least_its_amount() -> None:
    session = ready(1)
    refusal = refused(session, PlaceWager(1, "player", 10000, 10001), "coupon")
    assert refusal.clauses == (TENDER,)
    (placed,) = session.execute(PlaceWager(1, "player", 10000, 10000))
    assert placed == WagerPlaced(1, "player", 10000, 10000, (TENDER,))
    assert session.state.stakes == {(1, "player"): Stake(10000, 10000)}
    assert chips(session) == 990_000
    refused(session, PlaceWager(1, "player", 100, 101), "coupon")
    session.execute(PlaceWager(1, "player", 100, 100))
    assert session.state.stakes == {(1, "player"): Stake(10100, 10100)}


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_a_coupon_counts_toward_the_limits_and_toward_exact_payment() -> None:
    session = ready(1, limits=LIMITS)
    refused(session, PlaceWager(1, "player", 6000, 5000), "limit")
    session = ready(1)
    refused(session, PlaceWager(1, "banker", 20, 10), "fraction_of_a_cent")
    session.execute(PlaceWager(1, "banker", 30, 10))
    assert session.state.stakes == {(1, "banker"): Stake(30, 10)}


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_a_coupon_that_wins_is_paid_as_chips_are_and_is_collected() -> None:
    session = ready(1, chips_cents=100_000)
    session.execute(PlaceWager(1, "player", 10000, 5000))
    events = play(session, PLAYER_WINS)
    assert only(events, WagerPaid).cents == 15000
    assert chips(session) == 115_000
    assert session.ledger.balance(ledger.COUPON_DROP) == 5000
    assert session.ledger.balance(ledger.COUPONS) == -5000


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_a_coupon_that_wins_on_banker_bears_vigorish_on_the_whole_amount_won() -> None:
    session = ready(1, chips_cents=100_000)
    session.execute(PlaceWager(1, "banker", 10000, 5000))
    play(session, BANKER_WINS)
    # 150.00 is won, and five percent of it is 7.50.
    assert chips(session) == 100_000 + 15_000 - 750


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_a_coupon_that_loses_is_collected_with_the_chips() -> None:
    session = ready(1, chips_cents=100_000)
    session.execute(PlaceWager(1, "player", 10000, 5000))
    events = play(session, BANKER_WINS)
    (lost,) = only(events, LosingWagersCollected).stakes
    assert (lost.cents, lost.coupon_cents) == (10000, 5000)
    assert chips(session) == 90_000
    assert session.ledger.balance(ledger.COUPON_DROP) == 5000


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_a_coupon_of_a_void_wager_goes_back_to_the_patron() -> None:
    session = ready(1, chips_cents=100_000)
    session.execute(PlaceWager(1, "player", 10000, 5000))
    play(session, TIE)
    assert chips(session) == 100_000
    assert session.ledger.balance(ledger.COUPON_DROP) == 0
    assert session.ledger.balance(ledger.COUPONS) == 0


@pytest.mark.clause("NJ-MINI:7.2(c)#1")
def test_a_coupon_goes_back_with_a_wager_withdrawn() -> None:
    session = ready(1, chips_cents=100_000)
    session.execute(PlaceWager(1, "player", 10000, 5000))
    (withdrawn,) = session.execute(WithdrawWager(1, "player"))
    assert withdrawn == WagerWithdrawn(1, "player", 10000, 5000, (CLOSED,))
    assert chips(session) == 100_000
    assert session.ledger.balance(ledger.COUPONS) == 0


# --- a verbal wager with cash ------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.2(c)#2")
@pytest.mark.parametrize(
    ("dealer_confirms", "supervisor"), [(False, "Sue"), (True, None), (True, ""), (False, None)]
)
def test_a_verbal_wager_needs_both_confirmations(
    dealer_confirms: bool,  # noqa: FBT001
    supervisor: str | None,
) -> None:
    session = ready(1)
    command = PlaceVerbalWager(1, "player", 10000, dealer_confirms, supervisor)
    assert refused(session, command, "unconfirmed").clauses == (CONFIRMED,)


@pytest.mark.clause("NJ-MINI:7.2(c)#2", "NJ-MINI:7.2(c)#3")
def test_a_confirmed_verbal_wager_has_its_cash_changed_for_chips_and_stands() -> None:
    session = ready(1, chips_cents=100)
    drop, inventory = (
        session.ledger.balance(account) for account in (ledger.DROP, ledger.INVENTORY)
    )
    confirmed, bought, placed = session.execute(verbal(1, "player", 10000))
    assert isinstance(confirmed, VerbalWagerConfirmed)
    assert (confirmed.supervisor, set(confirmed.clauses)) == ("Sue", {CONFIRMED})
    assert isinstance(bought, ChipsBought)
    assert (bought.cents, set(bought.clauses)) == (10000, {CONVERTED})
    assert placed == WagerPlaced(1, "player", 10000, 0, (TENDER,))
    assert session.state.stakes == {(1, "player"): Stake(10000)}
    assert chips(session) == 100
    assert session.ledger.balance(ledger.DROP) == drop + 10000
    assert session.ledger.balance(ledger.INVENTORY) == inventory - 10000


@pytest.mark.clause("NJ-MINI:7.2(c)#3")
def test_the_cash_of_a_verbal_wager_that_cannot_stand_is_not_changed() -> None:
    session = ready(1, limits=LIMITS)
    drop = session.ledger.balance(ledger.DROP)
    refused(session, verbal(1, "player", 10001), "limit")
    refused(session, verbal(1, "dragon_7", 5000), "not_offered")
    refused(session, verbal(1, "player", 0), "amount")
    assert session.ledger.balance(ledger.DROP) == drop


@pytest.mark.clause("NJ-MINI:7.2(c)#2", "NJ-MINI:7.2(d)")
def test_a_verbal_wager_too_is_refused_after_no_more_bets() -> None:
    session = ready(1)
    session.execute(acts.CallNoMoreBets())
    command = verbal(1, "player", 10000)
    assert CLOSED in refused(session, command, "no_more_bets").clauses


# --- (d) and (e): from no more bets to the decision --------------------------------------------


@pytest.mark.clause("NJ-MINI:7.2(d)")
def test_before_no_more_bets_a_wager_is_made_raised_and_withdrawn() -> None:
    session = ready(1, chips_cents=50000)
    wager(session, (1, "player", 10000), (1, "player", 10000), (1, "tie", 100))
    session.execute(WithdrawWager(1, "player"))
    assert session.state.stakes == {(1, "tie"): Stake(100)}
    assert chips(session) == 49900


@pytest.mark.clause("NJ-MINI:7.2(d)")
def test_nobody_withdraws_a_wager_that_does_not_lie_there() -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 10000))
    for seat, name in ((1, "banker"), (2, "player"), (5, "player")):
        assert refused(session, WithdrawWager(seat, name), "no_wager").clauses == ()


def attempts() -> tuple[acts.Command, ...]:
    """Make a new wager, raise one, lay a coupon to it, withdraw one."""
    return (
        PlaceWager(1, "tie", 10000),
        PlaceWager(1, "player", 10000),
        PlaceWager(2, "player", 10000),
        PlaceWager(1, "player", 10000, 10000),
        WithdrawWager(1, "player"),
        verbal(2, "player", 10000),
    )


@pytest.mark.clause("NJ-MINI:7.2(d)")
@pytest.mark.parametrize("attempt", attempts())
def test_from_no_more_bets_on_no_wager_is_made_raised_or_withdrawn(
    attempt: acts.Command,
) -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 10000))
    session.execute(acts.CallNoMoreBets())
    clauses = refused(session, attempt, "no_more_bets").clauses
    assert CLOSED in clauses
    # No card has left the shoe: it is the call alone that closes the wagers.
    assert UNTOUCHED not in clauses


@pytest.mark.clause("NJ-MINI:7.2(d)", "NJ-MINI:7.2(e)")
@pytest.mark.parametrize("attempt", attempts())
@pytest.mark.parametrize("cards", ["9h", "2h 3d Kh", "2h 3d Kh Ks", "2h 3d Kh Ks 4c", PLAYER_WINS])
def test_from_the_first_card_on_no_participant_touches_a_wager(
    attempt: acts.Command, cards: str
) -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 10000))
    deal(session, cards)
    clauses = refused(session, attempt, "no_more_bets").clauses
    assert {CLOSED, UNTOUCHED} <= set(clauses)


@pytest.mark.clause("NJ-MINI:7.2(e)")
def test_a_wager_is_touched_again_only_once_the_round_is_settled_and_cleared() -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 10000))
    deal(session, PLAYER_WINS)
    assert session.state.phase is Phase.DECIDED
    session.execute(acts.SettleWagers())
    assert refused(session, PlaceWager(2, "player", 10000), "not_now").clauses == ()
    session.execute(acts.ClearLayout())
    wager(session, (2, "player", 10000))
    assert session.state.stakes == {(2, "player"): Stake(10000)}


@pytest.mark.clause("NJ-MINI:7.2(d)", "NJ-MINI:7.2(e)")
def test_a_patron_who_leaves_takes_back_no_wager_that_is_in_play() -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 10000))
    assert refused(session, acts.LeaveTable(1), "wagers").clauses == ()
    session.execute(acts.CallNoMoreBets())
    before = session.state.stakes
    (gone,) = session.execute(acts.LeaveTable(1))
    assert gone == PatronWalkedAway(1, "Patron 1", (CLOSED,))
    assert session.state.stakes == before
    assert refused(session, acts.LeaveTable(1), "wagers").clauses == (CLOSED,)
    session.execute(acts.LeaveTable(2))
    assert [*session.state.seats] == [1]


@pytest.mark.clause("NJ-MINI:7.2(d)")
def test_chips_bought_in_a_round_raise_no_wager() -> None:
    session = ready(1)
    wager(session, (1, "player", 10000))
    deal(session, "9h")
    before = session.state.stakes
    session.execute(acts.BuyChips(1, 10000))
    assert refused(session, PlaceWager(1, "player", 10000), "no_more_bets").clauses[0] == CLOSED
    assert session.state.stakes == before


def test_whoever_walked_away_may_come_back_to_the_wager() -> None:
    session = ready(1)
    wager(session, (1, "player", 10000))
    deal(session, "9h")
    session.execute(acts.LeaveTable(1))
    refused(session, acts.SeatPatron(1, "Somebody else"), "seat_taken")
    refused(session, acts.BuyChips(1, 10000), "walked_away")
    session.execute(acts.SeatPatron(1, "Patron 1"))
    session.execute(acts.BuyChips(1, 10000))


@pytest.mark.clause("NJ-MINI:7.2(d)")
def test_no_wager_is_taken_while_the_table_is_not_open_for_wagers() -> None:
    session = ready(1)
    session.execute(acts.DeclareIdle(face_up=True))
    for attempt in (PlaceWager(1, "player", 10000), WithdrawWager(1, "player")):
        assert refused(session, attempt, "not_now").clauses == ()


@pytest.mark.clause("NJ-MINI:7.2(d)")
def test_no_event_of_a_round_changes_a_wager_but_its_settlement() -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 10000), (2, "banker", 20000))
    before = session.state.stakes
    events = deal(session, "2h 3d Kh Ks 4c 5d")
    assert session.state.stakes == before
    assert not every(events, WagerPlaced)
    assert not every(events, WagerWithdrawn)
