"""The ledger: every event's postings by hand, conservation, and the table's win."""

import random
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from croupier import acts
from croupier.acts import Event
from croupier.baccarat.cards import DECK, parse_cards
from croupier.law.usage import money
from croupier.money.ledger import Ledger, drop_box
from croupier.money.settlement import Stake
from croupier.table import Phase
from croupier.table.machine.bookkeeping import postings
from croupier.table.machine.session import TableSession
from support.games import plainest
from support.table import form, owing, play, ready, refused, wager

BANKER_WINS = "8h 9d Kh Ks"
TIE = "8h 8d Kh Ks"

OPENED_WITH = 100_000_000
BOUGHT = 1_000_000


def moved(events: Sequence[Event]) -> list[tuple[str, list[tuple[str, str, int]]]]:
    """What each event moved: its name, and from which account to which, in cents."""
    entries = []
    for event in events:
        moves = list(postings(event) or ())
        if moves:
            entries.append((type(event).__name__, moves))
    return entries


def since(session: TableSession) -> dict[str, int]:
    """Balances but for the chips that the table was opened with and that were bought."""
    changed = dict(session.ledger.balances)
    changed["cage"] += OPENED_WITH
    changed["inventory"] -= OPENED_WITH
    for seat in session.state.seats:
        changed["cash"] += BOUGHT
        changed["drop"] -= BOUGHT
        changed["inventory"] += BOUGHT
        changed[f"patron:{seat}"] -= BOUGHT
    return {account: cents for account, cents in changed.items() if cents}


@pytest.mark.parametrize(
    ("cents", "written"),
    [(0, "$0.00"), (-1, "-$0.01"), (99, "$0.99"), (100, "$1.00"), (-123450, "-$1,234.50")],
)
def test_an_amount_is_written_with_its_sign_its_dollars_and_its_cents(
    cents: int, written: str
) -> None:
    assert money(cents) == written


# --- opening, buying, leaving ------------------------------------------------------------------


def test_the_table_gets_its_chips_from_the_cage() -> None:
    session = TableSession(ready(1).rules)
    session.execute(acts.OpenTable(5_000, "Dana", "Flo", date(2011, 2, 22)))
    assert session.ledger.balances == {"cage": -5_000, "inventory": 5_000}
    assert session.ledger.table_win_cents == 0


@pytest.mark.parametrize("cents", [0, -1])
def test_a_table_without_chips_does_not_open(cents: int) -> None:
    session = TableSession(ready(1).rules)
    refused(session, acts.OpenTable(cents, "Dana", "Flo", date(2011, 2, 22)), "inventory")
    assert session.ledger.balances == {}


def test_cash_goes_to_the_drop_and_chips_to_the_patron() -> None:
    session = ready(1)
    before = session.ledger.table_win_cents
    events = session.execute(acts.BuyChips(1, 30_000))
    assert moved(events) == [
        ("ChipsBought", [("cash", "drop", 30_000), ("inventory", "patron:1", 30_000)])
    ]
    assert before == session.ledger.table_win_cents == 0


def test_a_patron_carries_his_chips_to_the_cage() -> None:
    session = ready(1, 2)
    assert moved(session.execute(acts.LeaveTable(2))) == [
        ("PatronLeft", [("patron:2", "cage", BOUGHT)])
    ]
    assert session.ledger.table_win_cents == 0


def test_a_patron_without_chips_leaves_with_nothing() -> None:
    session = ready(1)
    session.execute(acts.SeatPatron(2, "Patron 2"))
    assert moved(session.execute(acts.LeaveTable(2))) == [("PatronLeft", [("patron:2", "cage", 0)])]


def test_a_verbal_wager_buys_its_chips_and_stakes_them() -> None:
    session = ready(3)
    verbal = acts.PlaceVerbalWager(3, "player", 2_500, dealer_confirms=True, supervisor="Sam")
    assert moved(session.execute(verbal)) == [
        ("ChipsBought", [("cash", "drop", 2_500), ("inventory", "patron:3", 2_500)]),
        ("WagerPlaced", [("patron:3", "layout:3", 2_500)]),
    ]


# --- a wager -----------------------------------------------------------------------------------


def test_a_wager_and_its_coupon_go_to_the_layout_and_come_back_when_withdrawn() -> None:
    session = ready(4)
    placed = session.execute(acts.PlaceWager(4, "player", 6_000, coupon_cents=2_000))
    assert moved(placed) == [
        ("WagerPlaced", [("patron:4", "layout:4", 6_000), ("coupons", "layout:4", 2_000)])
    ]
    assert since(session) == {"coupons": -2_000, "layout:4": 8_000, "patron:4": -6_000}
    assert moved(session.execute(acts.WithdrawWager(4, "player"))) == [
        ("WagerWithdrawn", [("layout:4", "patron:4", 6_000), ("layout:4", "coupons", 2_000)])
    ]
    assert since(session) == {}


# --- one whole round with a win, a loss and a push, each with a coupon -------------------------


# A tie of four cards. Tie: 10.00 and a coupon of 5.00 at 8 to 1 win 120.00. Banker: 100.00 and a
# coupon of 50.00 are void. Five cards: 20.00 and a coupon of 10.00 are lost.
def test_of_a_win_a_loss_and_a_push_every_chip_and_coupon_goes_where_it_belongs() -> None:
    session = ready(1, 2, 3, wagers__total_cards__offered=True)
    session.execute(acts.PlaceWager(1, "banker", 10_000, coupon_cents=5_000))
    session.execute(acts.PlaceWager(2, "tie", 1_000, coupon_cents=500))
    session.execute(acts.PlaceWager(3, "five_cards", 2_000, coupon_cents=1_000))
    assert moved(play(session, TIE)) == [
        (
            "LosingWagersCollected",
            [("layout:3", "inventory", 2_000), ("layout:3", "coupon drop", 1_000)],
        ),
        (
            "StakesReleased",
            [
                ("layout:2", "patron:2", 1_000),
                ("layout:2", "coupon drop", 500),
                ("layout:1", "patron:1", 10_000),
                ("layout:1", "coupons", 5_000),
            ],
        ),
        ("WagerPaid", [("inventory", "patron:2", 12_000)]),
    ]
    # The coupon of the void wager is its owner's again; the other two have been collected.
    assert since(session) == {
        "coupon drop": 1_500,
        "coupons": -1_500,
        "inventory": 2_000 - 12_000,
        "patron:2": 12_000,
        "patron:3": -2_000,
    }
    assert session.ledger.table_win_cents == 2_000 - 12_000


# Seat 2: Banker 60.00 and a coupon of 30.00 win 90.00, of which 5% are 4.50. Seat 1: 100.00 on
# Banker win as much, for 5.00. Player's 40.00 in seat 1 are lost.
BANKER_ROUND = [("LosingWagersCollected", [("layout:1", "inventory", 4_000)])]
RELEASED = (
    "StakesReleased",
    [
        ("layout:2", "patron:2", 6_000),
        ("layout:2", "coupon drop", 3_000),
        ("layout:1", "patron:1", 10_000),
    ],
)
PAID = [
    ("WagerPaid", [("inventory", "patron:2", 9_000)]),
    ("WagerPaid", [("inventory", "patron:1", 10_000)]),
]


def banker_round(**elections: Any) -> tuple[TableSession, list[Event]]:
    session = ready(1, 2, settlement__order="payments-first", **elections)
    wager(session, (1, "banker", 10_000), (1, "player", 4_000))
    session.execute(acts.PlaceWager(2, "banker", 6_000, coupon_cents=3_000))
    return session, play(session, BANKER_WINS)


def test_vigorish_taken_at_once_goes_from_the_winner_to_the_inventory() -> None:
    session, events = banker_round(vigorish__collection="at-once")
    assert moved(events) == [
        *BANKER_ROUND,
        RELEASED,
        *PAID,
        (
            "VigorishCollected",
            [("patron:2", "inventory", 450), ("vigorish", "vigorish taken", 450)],
        ),
        (
            "VigorishCollected",
            [("patron:1", "inventory", 500), ("vigorish", "vigorish taken", 500)],
        ),
    ]
    assert since(session) == {
        "coupon drop": 3_000,
        "coupons": -3_000,
        "inventory": 4_000 - 9_000 - 10_000 + 450 + 500,
        "patron:1": -4_000 + 10_000 - 500,
        "patron:2": 9_000 - 450,
        "vigorish": -950,
        "vigorish taken": 950,
    }
    assert session.ledger.table_win_cents == -14_050


def test_deferred_vigorish_is_owed_and_moves_no_chip_until_it_is_collected_or_documented() -> None:
    session, events = banker_round(vigorish__collection="deferred")
    assert moved(events) == [
        *BANKER_ROUND,
        RELEASED,
        *PAID,
        ("VigorishMarked", [("vigorish", "owed:2", 450)]),
        ("VigorishMarked", [("vigorish", "owed:1", 500)]),
    ]
    assert session.ledger.table_win_cents == 4_000 - 9_000 - 10_000
    assert moved(session.execute(acts.CollectVigorish(2))) == [
        (
            "VigorishCollected",
            [("patron:2", "inventory", 450), ("owed:2", "vigorish taken", 450)],
        )
    ]
    assert session.ledger.table_win_cents == -15_000 + 450
    session.execute(acts.ReceiveForms("Clark", 101, 103))
    assert moved(session.execute(form())) == [("VigorishDocumented", [("owed:1", "forms", 500)])]
    assert session.ledger.table_win_cents == -15_000 + 450 + 500
    assert since(session) == {
        "coupon drop": 3_000,
        "coupons": -3_000,
        "forms": 500,
        "inventory": 4_000 - 9_000 - 10_000 + 450,
        "patron:1": -4_000 + 10_000,
        "patron:2": 9_000 - 450,
        "vigorish": -950,
        "vigorish taken": 450,
    }


def test_a_complimentary_is_recorded_beside_the_tables_win_and_not_in_it() -> None:
    session = owing()
    session.execute(form())
    session.execute(acts.DropForm(101, "Bo", "Clark"))
    win = session.ledger.table_win_cents
    assert moved(session.execute(acts.EndGamingDay("Clark"))) == [
        ("ComplimentaryRecorded", [("complimentaries", "complimentary:Patron 1", 500)])
    ]
    assert win == session.ledger.table_win_cents == -10_000 + 500


# 25% of 100.00 and of a coupon of 60.00 beside it are 40.00; the coupon of a void wager goes back.
def test_vigorish_on_a_tie_is_taken_from_the_chips_that_came_back() -> None:
    session = ready(1, vigorish__scheme="tie-25%")
    session.execute(acts.PlaceWager(1, "banker", 10_000, coupon_cents=6_000))
    assert moved(play(session, TIE)) == [
        ("StakesReleased", [("layout:1", "patron:1", 10_000), ("layout:1", "coupons", 6_000)]),
        (
            "VigorishCollected",
            [("patron:1", "inventory", 4_000), ("vigorish", "vigorish taken", 4_000)],
        ),
    ]
    assert session.ledger.table_win_cents == 4_000


def test_a_void_round_gives_chips_and_coupons_back() -> None:
    session = ready(1)
    session.execute(acts.PlaceWager(1, "banker", 10_000, coupon_cents=6_000))
    session.execute(acts.CallNoMoreBets())
    # All that is left of eight decks lies face up in the shoe, or is discarded for that.
    left = [*DECK] * 8
    for burned in parse_cards("As 2s"):
        left.remove(burned)
    for card in left:
        discard = session.state.to_discard
        session.execute(acts.DrawCard(card) if discard else acts.FindFaceUpCard(card))
    assert moved(session.execute(acts.VoidRound())) == [
        ("StakesReleased", [("layout:1", "patron:1", 10_000), ("layout:1", "coupons", 6_000)])
    ]
    assert since(session) == {}


# --- conservation ------------------------------------------------------------------------------


def hold_to_state(session: TableSession) -> None:
    """The ledger is in balance and says of chips, stakes and markers what the state says."""
    state, ledger = session.state, session.ledger
    assert ledger.in_balance
    assert sum(ledger.balances.values()) == 0
    for seat, patron in state.seats.items():
        staked = sum(stake.cents for (owner, _), stake in state.stakes.items() if owner == seat)
        assert ledger.balance(f"patron:{seat}") == patron.chips_cents
        assert ledger.balance(f"owed:{seat}") == patron.owed_cents
        assert ledger.balance(f"layout:{seat}") == staked
    # What the table has won is what its patrons have lost: the chips that they bought, less those
    # that they hold, have staked, or have carried away, and what was put on paper besides.
    staked_chips = sum(stake.chips_cents for stake in state.stakes.values())
    held = sum(patron.chips_cents for patron in state.seats.values()) + staked_chips
    carried = ledger.balance("cage") + OPENED_WITH
    lost = ledger.balance("drop") - held - carried
    assert ledger.table_win_cents == lost + ledger.balance("forms")


@pytest.mark.parametrize(
    "elections",
    [
        {"vigorish__collection": "at-once"},
        {"vigorish__collection": "deferred", "wagers__bonus__offered": True},
        {"vigorish__scheme": "tie-25%"},
        {"vigorish__scheme": "dragon-7"},
    ],
    ids=["at once", "deferred", "tie", "dragon 7"],
)
def test_in_a_whole_shoe_of_play_no_chip_is_lost_or_made(elections: dict[str, Any]) -> None:
    chance = random.Random(7)
    session = ready(1, 2, 5, **elections)
    session.listeners.append(lambda *_: hold_to_state(session))
    shoe = [*DECK] * 8
    for burned in parse_cards("As 2s"):
        shoe.remove(burned)
    chance.shuffle(shoe)
    while session.state.phase is not Phase.SHOE_COMPLETED:
        phase = session.state.phase
        if phase is Phase.BETTING:
            for seat in session.state.seats:
                for name in chance.sample(["player", "banker", "tie"], 2):
                    cents = 100 * chance.randint(10, 50)
                    coupon = chance.choice([0, 0, 500])
                    session.execute(acts.PlaceWager(seat, name, cents, coupon_cents=coupon))
            session.execute(acts.CallNoMoreBets())
        elif phase is Phase.DEALING:
            session.execute(acts.DrawCard(shoe.pop()))
        else:
            session.execute(plainest(session))
    assert session.state.rounds > 60
    session.execute(acts.ReceiveForms("Clark", 1, 9))
    for serial, seat in enumerate(
        [seat for seat, patron in session.state.seats.items() if patron.owed_cents], 1
    ):
        session.execute(form(serial, seat))
        session.execute(acts.DropForm(serial, "Bo", "Clark"))
    session.execute(acts.EndGamingDay("Clark"))
    for seat in (1, 2, 5):
        session.execute(acts.LeaveTable(seat))
    # Nobody is left: the win is the cash in the box less the chips carried away, and the Forms.
    ledger = session.ledger
    carried = ledger.balance("cage") + OPENED_WITH
    assert ledger.table_win_cents == 3 * BOUGHT - carried + ledger.balance("forms")


# --- the ledger itself -------------------------------------------------------------------------


def test_nothing_less_than_nothing_is_moved() -> None:
    ledger = Ledger()
    with pytest.raises(ValueError, match="-1 cents cannot move"):
        ledger.posted([("cash", "drop", -1)])
    assert ledger.in_balance


def test_who_has_less_than_nothing_puts_the_ledger_out_of_balance() -> None:
    ledger = Ledger().opened(5_000)
    assert ledger.in_balance
    ledger = ledger.posted([("inventory", "patron:1", 5_001)])
    assert not ledger.in_balance


def test_chips_of_a_second_opening_are_no_win() -> None:
    session = ready(1)
    wager(session, (1, "player", 2_000))
    play(session, BANKER_WINS)
    session.execute(acts.LeaveTable(1))
    session.execute(acts.CloseTable())
    session.execute(acts.OpenTable(7_000_000, "Dana", "Flo", date(2011, 2, 23)))
    assert session.ledger.table_win_cents == 2_000


@pytest.mark.parametrize(
    ("balances", "even"),
    [
        ({}, True),
        ({"cage": -500, "patron:1": 500}, True),
        ({"patron:1": 500}, False),
        ({"cage": -500}, False),
        ({"cage": 500, "patron:1": -500}, False),
    ],
    ids=["nothing", "even", "too much", "too little", "less than nothing"],
)
def test_books_are_in_balance_where_all_is_nothing_and_nobody_has_less(
    balances: dict[str, int],
    even: bool,  # noqa: FBT001
) -> None:
    assert Ledger(balances).in_balance is even


def test_who_has_less_than_nothing_is_named_with_what_is_missing() -> None:
    assert Ledger({"cage": -800, "patron:1": 1_100, "patron:2": -300}).short == ("patron:2", 300)


def test_the_tray_brings_or_returns_the_difference_when_a_table_opens() -> None:
    opened = Ledger().opened(500)
    assert (opened.balances, opened.opened_with_cents) == ({"cage": -500, "inventory": 500}, 500)
    for cents in (501, 499, 200, 499):
        opened = opened.opened(cents)
        assert opened.balances == {"cage": -cents, "inventory": cents}
        assert (opened.opened_with_cents, opened.table_win_cents) == (cents, 0)


def test_what_is_in_the_drop_boxes_is_won_and_what_patrons_have_is_not() -> None:
    cash = [
        ("cash", drop_box("1"), 700),
        ("cash", drop_box("2"), 50),
        ("inventory", "patron:1", 750),
    ]
    ledger = Ledger().opened(10_000).posted(cash)
    assert ledger.table_win_cents == 0
    assert ledger.posted([("patron:1", "inventory", 150)]).table_win_cents == 150


def test_what_is_added_to_a_stake_stays_chips_or_coupons() -> None:
    both = Stake(70_000, 2_500).plus(Stake(1_000, 500))
    assert (both.chips_cents, both.coupon_cents, both.cents) == (71_000, 3_000, 74_000)
