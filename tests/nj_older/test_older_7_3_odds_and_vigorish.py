"""19:47-7.3 as it stood in 2001, as far as (e): odds, vigorish, markers, notice."""

from fractions import Fraction

import pytest

from croupier import acts
from croupier.acts import (
    CallNoMoreBets,
    ClearLayout,
    LosingWagersCollected,
    PatronLeft,
    SettleWagers,
    StakesReleased,
    VigorishCollected,
    VigorishMarked,
    WagerPaid,
)
from croupier.baccarat.coup import Facts
from croupier.law.interpretations import interpretations
from croupier.money.settlement import Settled, Stake, settle
from croupier.rules import TableRules
from croupier.table import Phase
from croupier.table.pit import AdmitTable
from support.older_excerpts import BANKER_WINS, PLAYER_WINS, TIE, errors_of, made, older
from support.pits import NOON, SCHEME, Pit, after, change
from support.table import due, every, only, refused

pytestmark = pytest.mark.under("us-nj/minibaccarat@1999-07-06")

BANKER = Facts(4, 5, 2, 2)
EQUAL = Facts(7, 7, 2, 2)


def one(rules: TableRules, facts: Facts, wager: str, cents: int) -> Settled:
    (settled,) = settle(rules, facts, {(1, wager): Stake(cents)})
    return settled


# --- (a) and (b): Player and Tie ---------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-7.3(a)~old")
def test_a_winning_player_wager_is_paid_one_to_one() -> None:
    settled = one(older(), Facts(7, 4, 2, 2), "player", 12_345)
    assert (settled.won_cents, settled.vigorish_cents) == (12_345, 0)
    assert "NJ-OLD:19:47-7.3(a)~old" in settled.decision.clauses
    (detail,) = errors_of(wagers__player__pays="2:1")
    assert detail.clauses == ("NJ-OLD:19:47-7.3(a)~old",)


@pytest.mark.clause("NJ-OLD:19:47-7.3(b)~old")
@pytest.mark.parametrize(("odds", "won"), [("8:1", 8_000), ("9:1", 9_000)])
def test_a_winning_tie_is_paid_eight_to_one_or_more(odds: str, won: int) -> None:
    assert one(older(wagers__tie__pays=odds), EQUAL, "tie", 1_000).won_cents == won
    (detail,) = errors_of(wagers__tie__pays="7:1")
    assert detail.clauses == ("NJ-OLD:19:47-7.3(b)~old",)


# --- (c): Banker, and vigorish on its win ------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)~old#1", "NJ-OLD:19:47-7.3(c)~old#2")
@pytest.mark.parametrize(("scheme", "vigorish"), [("5%", 500), ("4%", 400)])
def test_a_winning_banker_wager_is_paid_one_to_one_less_four_or_five_percent(
    scheme: str, vigorish: int
) -> None:
    table = made(
        older(vigorish__scheme=scheme),
        Phase.DECIDED,
        stakes={(2, "banker"): 10_000},
        cards=BANKER_WINS,
    )
    events = table.execute(SettleWagers())
    paid, collected = only(events, WagerPaid), only(events, VigorishCollected)
    assert (paid.odds, paid.cents, collected.cents) == ("1:1", 10_000, vigorish)
    assert paid.clauses == ("NJ-OLD:19:47-7.2(a)1.i~old", "NJ-OLD:19:47-7.3(c)~old#1")
    assert collected.clauses == ("NJ-OLD:19:47-7.3(c)~old#2", "NJ-OLD:19:47-7.3(c)2~old#1")


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)~old#1")
def test_what_the_excerpt_leaves_out_of_the_exceptions_is_not_filled_in() -> None:
    # It names an (f) and does not show it: neither six at one to two nor a waiver is held.
    for scheme in ("six-pays-half", "total-cards", "dragon-7"):
        (detail,) = errors_of(vigorish__scheme=scheme)
        assert detail.where == "vigorish.scheme"
    assert "T23" in older().readings
    assert "T23" in interpretations()


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)~old#2")
def test_no_other_percentage_may_be_elected() -> None:
    (detail,) = errors_of(vigorish__scheme="3%")
    assert "NJ-OLD:19:47-7.3(c)~old#2" in detail.clauses


# Five cents for both rates, in this text: 35, 36 and 35 and a quarter cents; 28, 26 and 24.
@pytest.mark.clause("NJ-OLD:19:47-7.3(c)1~old")
@pytest.mark.parametrize(
    ("scheme", "won", "vigorish"),
    [
        ("5%", 700, 35),
        ("5%", 720, 40),
        ("5%", 705, 40),
        ("4%", 700, 30),
        ("4%", 650, 30),
        ("4%", 600, 25),
    ],
)
def test_vigorish_is_rounded_up_to_the_next_five_cents_where_the_licensee_rounds(
    scheme: str, won: int, vigorish: int
) -> None:
    rules = older(vigorish__scheme=scheme, vigorish__rounded=True)
    assert one(rules, BANKER, "banker", won).vigorish_cents == vigorish


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)1~old")
@pytest.mark.parametrize(("scheme", "vigorish"), [("5%", 36), ("4%", 29)])
def test_he_need_not_round(scheme: str, vigorish: int) -> None:
    won = 720 if scheme == "5%" else 725
    assert one(older(vigorish__scheme=scheme), BANKER, "banker", won).vigorish_cents == vigorish


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)1~old")
def test_vigorish_that_is_rounded_names_that_sentence() -> None:
    rules = older(vigorish__rounded=True)
    table = made(rules, Phase.DECIDED, stakes={(1, "banker"): 10_000}, cards=BANKER_WINS)
    collected = only(table.execute(SettleWagers()), VigorishCollected)
    assert "NJ-OLD:19:47-7.3(c)1~old" in collected.clauses


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)2~old#1", "NJ-OLD:19:47-7.3(c)2~old#3")
def test_deferred_vigorish_is_shown_by_a_marker_in_the_patrons_numbered_space() -> None:
    table = made(
        older(vigorish__collection="deferred"),
        Phase.DECIDED,
        stakes={(3, "banker"): 10_000, (1, "banker"): 4_000},
        owed={3: 700},
        cards=BANKER_WINS,
    )
    events = table.execute(SettleWagers())
    assert not every(events, VigorishCollected)
    marked = every(events, VigorishMarked)
    # Five percent of 100 dollars on top of seven, and of 40 dollars.
    assert [(one.seat, one.cents, one.owed_cents) for one in marked] == [
        (3, 500, 1_200),
        (1, 200, 200),
    ]
    for marker in marked:
        assert marker.clauses == (
            "NJ-OLD:19:47-7.3(c)~old#2",
            "NJ-OLD:19:47-7.3(c)2~old#1",
            "NJ-OLD:19:47-7.3(c)2~old#3",
        )


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)2~old#1")
def test_there_is_no_third_way_to_collect_it() -> None:
    (detail,) = errors_of(vigorish__collection="never")
    assert detail.clauses == ("NJ-OLD:19:47-7.3(c)2~old#1",)


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)2~old#4")
def test_the_marker_stays_until_its_vigorish_is_collected_or_documented() -> None:
    rules = older(vigorish__collection="deferred")
    lost = made(
        rules, Phase.DECIDED, stakes={(1, "banker"): 10_000}, owed={1: 500}, cards=PLAYER_WINS
    )
    lost.execute(SettleWagers())
    assert lost.state.seats[1].owed_cents == 500
    lost.execute(ClearLayout())
    assert lost.state.seats[1].owed_cents == 500
    collected = only(lost.execute(acts.CollectVigorish(1)), VigorishCollected)
    assert (collected.cents, collected.deferred) == (500, True)
    assert "NJ-OLD:19:47-7.3(c)2~old#4" in collected.clauses
    assert "NJ-OLD:19:47-7.3(c)2~old#3" not in collected.clauses
    assert lost.state.seats[1].owed_cents == 0
    refused(lost, acts.CollectVigorish(1), "nothing_owed")


# --- (c)2 and (c)4: before the reshuffle, and when the patron leaves ---------------------------


@pytest.mark.clause("NJ-OLD:19:47-7.3(c)2~old#2", "NJ-OLD:19:47-7.3(c)4~old")
@pytest.mark.parametrize("device", ["none", "shuffler"])
@pytest.mark.parametrize("owed", [1, 500])
def test_no_card_is_reshuffled_while_vigorish_is_outstanding(device: str, owed: int) -> None:
    rules = older(vigorish__collection="deferred", device=device, decks=12)
    table = made(rules, Phase.SHOE_COMPLETED, owed={2: owed}, batch=1, in_device=2)
    next_shoe = acts.ShuffleCards() if device == "none" else acts.ExchangeBatches()
    refusal = refused(table, next_shoe, "vigorish_outstanding")
    assert {"NJ-OLD:19:47-7.3(c)2~old#2", "NJ-OLD:19:47-7.3(c)4~old"} <= set(refusal.clauses)
    assert due(table) == {acts.CollectVigorish, acts.PrepareForm}
    table.execute(acts.CollectVigorish(2))
    assert due(table) == {type(next_shoe)}
    table.execute(next_shoe)


# All of it: a cent that is owed is owed.
@pytest.mark.clause("NJ-OLD:19:47-7.3(c)4~old")
@pytest.mark.parametrize("owed", [1, 500])
def test_a_patron_does_not_leave_before_his_vigorish_is_collected_or_documented(owed: int) -> None:
    table = made(older(vigorish__collection="deferred"), Phase.BETTING, owed={2: owed})
    refusal = refused(table, acts.LeaveTable(2), "vigorish_outstanding")
    assert refusal.clauses == ("NJ-OLD:19:47-7.3(c)4~old",)
    table.execute(acts.CollectVigorish(2))
    left = only(table.execute(acts.LeaveTable(2)), PatronLeft)
    assert left.chips_cents == 1_000_000 - owed


# --- (d): vigorish on ties ---------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-7.3(d)~old#1", "NJ-OLD:19:47-7.3(d)~old#2")
def test_every_player_is_charged_a_quarter_of_his_banker_wager_at_the_end_of_a_tied_round() -> None:
    table = made(
        older(vigorish__scheme="tie-25%"),
        Phase.DECIDED,
        stakes={(1, "banker"): 10_000, (3, "banker"): 1_004, (2, "player"): 9_000},
        cards=TIE,
    )
    refused(table, CallNoMoreBets(), "not_now")
    refused(table, ClearLayout(), "not_now")
    assert due(table) == {SettleWagers}
    events = table.execute(SettleWagers())
    only(events, StakesReleased)
    collected = every(events, VigorishCollected)
    assert [(one.seat, one.cents, one.deferred) for one in collected] == [
        (3, 251, False),
        (1, 2_500, False),
    ]
    for one in collected:
        assert "NJ-OLD:19:47-7.3(d)~old#1" in one.clauses
        assert "NJ-OLD:19:47-7.3(d)~old#2" in one.clauses
    assert [table.state.seats[seat].chips_cents - 1_000_000 for seat in (1, 2, 3)] == [
        10_000 - 2_500, 9_000, 1_004 - 251,
    ]  # fmt: skip


@pytest.mark.clause("NJ-OLD:19:47-7.3(d)~old#1")
def test_a_quarter_is_charged_on_equal_counts_alone() -> None:
    table = made(
        older(vigorish__scheme="tie-25%"),
        Phase.DECIDED,
        stakes={(1, "banker"): 10_000},
        cards=PLAYER_WINS,
    )
    events = table.execute(SettleWagers())
    only(events, LosingWagersCollected)
    assert not every(events, VigorishCollected)


@pytest.mark.clause("NJ-OLD:19:47-7.3(d)~old#1")
def test_a_quarter_of_the_wager_is_a_whole_number_of_cents() -> None:
    table = made(older(vigorish__scheme="tie-25%"), Phase.BETTING)
    odd = refused(table, acts.PlaceWager(1, "banker", 1_002), "fraction_of_a_cent")
    assert odd.clauses == (
        "NJ-OLD:19:47-7.3(c)~old#1",
        "NJ-OLD:19:47-7.3(d)~old#1",
        "NJ-OLD:19:47-7.3(d)~old#3",
    )
    table.execute(acts.PlaceWager(1, "banker", 1_004))


@pytest.mark.clause("NJ-OLD:19:47-7.3(d)~old#3")
def test_with_vigorish_on_ties_none_is_taken_from_a_win_nor_is_there_any_to_round_or_defer() -> (
    None
):
    rules = older(vigorish__scheme="tie-25%")
    for facts in (BANKER, Facts(4, 6, 2, 2), Facts(0, 9, 2, 2)):
        settled = one(rules, facts, "banker", 10_000)
        assert (settled.won_cents, settled.vigorish_cents) == (10_000, 0)
    refusals = errors_of(
        vigorish__scheme="tie-25%", vigorish__rounded=True, vigorish__collection="deferred"
    )
    assert {detail.where for detail in refusals} == {"vigorish.rounded", "vigorish.collection"}


# --- (e): notice, and one vigorish for all -----------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-7.3(e)~old#1")
@pytest.mark.parametrize(("before", "then"), [("4%", "5%"), ("5%", "tie-25%"), ("tie-25%", "4%")])
def test_another_kind_of_vigorish_or_a_higher_percentage_needs_notice(
    before: str, then: str
) -> None:
    pit = Pit()
    pit.execute(AdmitTable("MB-1", older(vigorish__scheme=before), NOON))
    also: dict[str, str | bool] = {}
    if before == "tie-25%":
        also = {"vigorish__rounded": False, "vigorish__collection": "at-once"}
    changed = change(SCHEME, then, after(1), also)
    refusal = pit.refuses(changed, "notice", "NJ-OLD:19:47-7.3(e)~old#1")
    assert refusal.message.endswith("before: patrons")
    pit.tell(SCHEME, then, "patrons")
    assert pit.execute(changed).clauses == ("NJ-OLD:19:47-7.3(e)~old#1",)


@pytest.mark.clause("NJ-OLD:19:47-7.3(e)~old#1")
def test_a_lower_percentage_needs_none() -> None:
    pit = Pit()
    pit.execute(AdmitTable("MB-1", older(vigorish__scheme="5%"), NOON))
    pit.execute(change(SCHEME, "4%", NOON))
    assert pit.elected(SCHEME) == ["4%"]


@pytest.mark.clause("NJ-OLD:19:47-7.3(e)~old#2")
@pytest.mark.parametrize(
    ("scheme", "facts", "rate"),
    [
        ("5%", BANKER, Fraction(1, 20)),
        ("4%", BANKER, Fraction(1, 25)),
        ("tie-25%", EQUAL, Fraction(1, 4)),
    ],
)
def test_vigorish_is_of_one_kind_and_percentage_for_every_player(
    scheme: str, facts: Facts, rate: Fraction
) -> None:
    stakes = {(seat, "banker"): Stake(10_000 * seat) for seat in range(1, 8)}
    settled = settle(older(vigorish__scheme=scheme), facts, stakes)
    assert {Fraction(each.vigorish_cents, each.stake.cents) for each in settled} == {rate}
