"""A round is settled from cards and wagers that were checked, and every fault is told at once."""

from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import croupier
from support.project import ROOT

RULES = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
SHOWN = "Kd 4c 5h 2s 6c Ah"
"""Player has king, five and six: 1. Banker has four, two and an ace: 7."""


def faults(cards: Any, wagers: Any, rules: croupier.GameRules = RULES, **more: Any) -> list[str]:
    with pytest.raises(croupier.RoundError) as refused:
        croupier.settle_round(rules, cards, wagers, **more)
    return [fault.code for fault in refused.value.faults]


def test_a_round_is_settled() -> None:
    wagers = {(3, "banker"): 10_000, (3, "tie"): 500, (4, "player"): 2_500}
    result = croupier.settle_round(RULES, SHOWN, wagers)
    assert (result.winner, result.player_total, result.banker_total) == ("banker", 1, 7)
    # 7.3(c)#1: even money, less 5 percent of what was won; a tie and Player lose.
    assert [one.net_cents for one in result.wagers] == [9_500, -500, -2_500]
    assert [one.vigorish_cents for one in result.wagers] == [500, 0, 0]
    # 7.3(c)#2 is the vigorish; 7.3(c)1 rounds it, and 7.3(c)2 has it collected with the settlement.
    assert result.wagers[0].clauses == (
        "NJ-MINI:7.2(a)1.i", "NJ-MINI:7.3(c)#1", "NJ-MINI:7.3(c)#2", "NJ-MINI:7.3(c)1",
        "NJ-MINI:7.3(c)2#1",
    )  # fmt: skip
    assert (result.net_cents, result.seat_net_cents(3)) == (6_500, 9_000)


NJ = "us-nj/minibaccarat"


def banker_of(cards: str, scheme: str, **others: int) -> croupier.WagerResult:
    """Settle $100 on Banker beside other wagers of its seat, under a scheme of vigorish."""
    offered = {"total-cards": "wagers.total_cards.offered", "dragon-7": "wagers.dragon_7.offered"}
    elections: dict[str, Any] = {"vigorish.scheme": scheme}
    elections |= {offered[scheme]: True} if scheme in offered else {}
    rules = croupier.default_rules(NJ, date(2011, 2, 22), elections)
    wagers = {(3, "banker"): 10_000, **{(3, name): cents for name, cents in others.items()}}
    return croupier.settle_round(rules, cards, wagers).wagers[0]


@pytest.mark.parametrize(
    ("scheme", "cards", "line"),
    [
        ("5%", "Kd 4c 5h 2s 6c Ah", "win"),  # Banker wins with seven of three cards,
        ("4%", "Kd 4c 5h 2s 6c Ah", "win"),
        ("5%", "2c 2d Kc 4d Kd", "win"),  # or with six,
        (
            "dragon-7",
            "Kd 4c 5h 2s 6c Ah",
            "dragon_7",
        ),  # and is paid otherwise where a scheme says so.
    ],
)
def test_a_line_is_that_of_the_log(scheme: str, cards: str, line: str) -> None:
    assert banker_of(cards, scheme).line == line


def test_a_settled_wager_cites_the_vigorish_that_was_charged_or_waived() -> None:
    wins, ties = "Kd 4c 5h 2s 6c Ah", "9d 9c Kh Ks"
    paid = ("NJ-MINI:7.2(a)1.i", "NJ-MINI:7.3(c)#1")
    collected = ("NJ-MINI:7.3(c)#2", "NJ-MINI:7.3(c)2#1")
    for scheme, cents in (("5%", 500), ("4%", 400)):
        one = banker_of(wins, scheme)
        assert (one.vigorish_cents, one.clauses) == (cents, paid + collected)
        assert banker_of(ties, scheme).clauses == ("NJ-MINI:7.2(a)1.iii",)
    # A quarter of a wager that is returned, and nothing of one that wins.
    one = banker_of(ties, "tie-25%")
    assert (one.vigorish_cents, one.net_cents) == (2_500, -2_500)
    assert one.clauses == ("NJ-MINI:7.2(a)1.iii", "NJ-MINI:7.3(d)#1", "NJ-MINI:7.3(d)#2")
    assert banker_of(wins, "tie-25%").clauses == paid
    # Total Cards wagers of as much waive it; less does not.
    one = banker_of(wins, "total-cards", six_cards=10_000)
    assert (one.vigorish_waived, one.net_cents) == (True, 10_000)
    assert one.clauses[:3] == (*paid, "NJ-MINI:7.3(f)2")
    assert "NJ-MINI:7.3(c)#2" not in one.clauses
    one = banker_of(wins, "total-cards", six_cards=9_500)
    assert one.vigorish_cents == 500
    assert one.clauses == (*paid, "NJ-MINI:7.3(f)2", *collected)
    # The other wagers of the round bear none.
    assert banker_of("9d 2c Kh 5s", "5%").clauses[0] == "NJ-MINI:7.2(a)1.ii"


def test_cards_may_be_given_by_hand() -> None:
    by_hand = {"player": "Kd 5h 6c", "banker": "4c 2s Ah"}
    wagers = (croupier.PlacedWager(3, "banker", 10_000),)
    assert croupier.settle_round(RULES, by_hand, wagers) == croupier.settle_round(
        RULES, SHOWN, {(3, "banker"): 10_000}
    )


@pytest.mark.parametrize(
    ("wagers", "codes"),
    [
        ({(1, "banker"): -5}, ["amount"]),
        ({(99, "banker"): 100_000_000}, ["seat", "limit"]),
        ({(7, "banker"): 100_000_000}, ["limit"]),
        ({(1, "banker"): 10_000.0}, ["amount"]),
        ({(1, "banker"): True}, ["amount"]),
        ({(1, "banker"): "10000"}, ["amount"]),
        ({(1, "dragon_7"): 500}, ["not_offered"]),
        ({(1, 7): 500}, ["not_offered"]),
        ({(0, "banker"): 10_000}, ["seat"]),
        ({(True, "banker"): 10_000}, ["seat"]),
        ({("1", "banker"): 10_000}, ["seat"]),
        ({(1, "bonus_banker"): 500}, ["needs_base"]),
        ([croupier.PlacedWager(1, "tie", 500), croupier.PlacedWager(1, "tie", 500)], ["repeated"]),
        ([croupier.PlacedWager(1, "banker", 5_000, -1)], ["amount"]),
        ([croupier.PlacedWager(1, "banker", 5_000, 10_000)], ["coupon"]),
    ],
    ids=str,
)
def test_a_wager_that_the_table_does_not_take_is_refused(wagers: Any, codes: list[str]) -> None:
    assert faults(SHOWN, wagers) == codes


@pytest.mark.parametrize(
    "cards",
    [
        "",
        "Kd 4c 5h",
        "Kd 4c 5h 2s 6c",
        f"{SHOWN} 2d",
        "1x",
        {"player": "Kd 5h", "banker": "4c 2s Ah"},
        {"player": "Kd 5h 6c", "house": "4c"},
        7,
        None,
        {"player": 7},
    ],
    ids=str,
)
def test_cards_that_make_no_round_are_refused(cards: Any) -> None:
    assert faults(cards, ()) == ["cards"]


def test_every_fault_of_every_round_is_told_and_none_is_settled() -> None:
    rounds = [
        croupier.Round(SHOWN, (croupier.PlacedWager(1, "tie", 500),)),
        croupier.Round(
            "Kd", (croupier.PlacedWager(9, "tie", 1), croupier.PlacedWager(2, "panda", -1))
        ),
    ]
    with pytest.raises(croupier.RoundError) as refused:
        croupier.settle_rounds(RULES, rounds)
    assert [(one.round, one.code) for one in refused.value.faults] == [
        (1, "cards"), (1, "seat"), (1, "amount"), (1, "limit"),
    ]  # fmt: skip
    assert "round 1: seat 9, tie: $0.01 is outside the limits" in str(refused.value)


def test_many_rounds_are_settled_as_each_alone() -> None:
    shown = [
        croupier.Round(cards, (croupier.PlacedWager(1, "player", 2_500),))
        for cards in (SHOWN, "9h Kd Th 7c")
    ]
    settled = croupier.settle_rounds(RULES, shown * 50)
    assert [one.net_cents for one in settled[:2]] == [-2_500, 2_500]
    assert len(settled) == 100
    assert settled[1] == croupier.settle_round(RULES, "9h Kd Th 7c", shown[1].wagers)


def test_a_wager_with_a_meter_needs_the_meter() -> None:
    rules = croupier.load_rules(ROOT / "submissions" / "ma-royal-9.toml")
    wager = next(one for one in rules.wagers if rules.table.offers[one.wager].meters)
    assert wager.min_cents is not None
    base = next(one for one in rules.wagers if one.wager == "player")
    assert base.min_cents is not None
    stakes = {(1, "player"): base.min_cents, (1, wager.wager): wager.min_cents}
    assert set(faults("9h Kd Th 7c", stakes, rules)) == {"meter"}
    meters = dict.fromkeys(rules.table.meter_seeds, 5_000_000)
    assert croupier.settle_round(rules, "9h Kd Th 7c", stakes, meters=meters).winner == "player"
    assert faults("9h Kd Th 7c", stakes, rules, meters={**meters, "none": 1}) == ["meter"]
    assert set(faults("9h Kd Th 7c", stakes, rules, meters=dict.fromkeys(meters, 1.5))) == {"meter"}


def test_no_round_is_settled_under_a_fragment() -> None:
    rules = croupier.load_rules(ROOT / "submissions" / "nj-blackjack-bonus.toml")
    assert faults(SHOWN, (), rules) == ["law"]


def test_figures_are_exact() -> None:
    # Player 9, Banker 7, nobody draws: Player has won, and the tie has lost.
    odds = croupier.round_odds(RULES, "9h Kd Th 7c")
    assert odds["player"].expectation == Fraction(1)
    assert odds["tie"].house_edge == Fraction(1)
    assert odds.cards == ("9h", "Th", "Kd", "7c")


def test_odds_are_asked_by_hand_or_by_rank_alone() -> None:
    by_hand = croupier.round_odds(RULES, {"player": "9h Th", "banker": "Kd"})
    assert by_hand == croupier.round_odds(RULES, "9h Kd Th")
    assert croupier.round_odds(RULES, "9 K T").wagers == by_hand.wagers
    unseen = croupier.round_odds(RULES, {"player": "9h Th", "banker": "? ?"})
    assert unseen.wagers == croupier.round_odds(RULES, {"player": "9h Th"}).wagers
    for cards in ("9h ?", "9x", {"player": "9h Th 2c"}, {"house": "9h"}, "9h Kd Th 7c 2d"):
        with pytest.raises(ValueError, match=r"."):
            croupier.round_odds(RULES, cards)
    with pytest.raises(croupier.ShoeError):
        croupier.round_odds(RULES, "9h", shoe={"A": 20})


@pytest.mark.parametrize(
    "wagers", [None, 5, [(1, "banker", 10_000)], {5: 10_000}, {(1, "banker", 2): 10_000}]
)
def test_wagers_of_another_type_are_named(wagers: Any) -> None:
    with pytest.raises(TypeError, match="give cents by"):
        croupier.settle_round(RULES, SHOWN, wagers)


def test_whole_numbers_of_numpy_are_ints() -> None:
    wagers: Any = {(np.int64(3), "banker"): np.uint32(10_000)}
    settled = croupier.settle_round(RULES, SHOWN, wagers)
    assert settled == croupier.settle_round(RULES, SHOWN, {(3, "banker"): 10_000})
    assert croupier.RoundResult.from_json(settled.to_json()) == settled


def test_numbers_of_another_type_are_shown_as_what_they_are() -> None:
    for seat, cents in ((np.float64(3), np.float64(10_000)), (True, np.True_), ("3", 1.0)):
        wagers: Any = {(seat, "banker"): cents}
        with pytest.raises(croupier.RoundError) as refused:
            croupier.settle_round(RULES, SHOWN, wagers)
        assert [fault.message for fault in refused.value.faults] == [
            f"the seat is {seat!r}: write an int, 1 to 7",
            f"the stake is {cents!r}: write whole cents, an int of 1 or more",
        ]


def test_a_result_that_names_no_winner_or_outcome_is_none() -> None:
    settled = croupier.settle_round(RULES, SHOWN, {(3, "banker"): 10_000})
    for kind, result, right, wrong in (
        (croupier.RoundResult, settled, '"winner":"banker"', '"winner":"xplayer"'),
        (croupier.RoundResult, settled, '"outcome":"win"', '"outcome":"won"'),
        (croupier.WagerResult, settled.wagers[0], '"outcome":"win"', '"outcome":"won"'),
    ):
        text = result.to_json()
        assert right in text
        with pytest.raises(croupier.ResultError, match="is none of"):
            kind.from_json(text.replace(right, wrong))


def test_rounds_of_another_type_are_named() -> None:
    rounds: Any = [croupier.Round(SHOWN), (SHOWN, {})]
    with pytest.raises(TypeError, match="round 1 is a tuple: give a Round"):
        croupier.settle_rounds(RULES, rounds)


def test_the_meters_of_another_type_are_named() -> None:
    meters: Any = [("royal", 5)]
    with pytest.raises(TypeError, match="meters is a list: give the amounts in cents by meter"):
        croupier.settle_round(RULES, SHOWN, meters=meters)


def test_only_one_of_several_rounds_is_named_by_its_number() -> None:
    with pytest.raises(croupier.RoundError, match=r"^cards: the Banker's Hand still needs a card"):
        croupier.settle_round(RULES, "Kd")
    with pytest.raises(
        croupier.RoundError, match=r"^round 0: cards: the Banker's Hand still needs"
    ):
        croupier.settle_rounds(RULES, [croupier.Round("Kd")])
