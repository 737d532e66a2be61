"""Section 7(a) with 12(a) to (g): every wager on the counts, by every pair of hands that can be.

What is expected is told here in the words of the text, and shares nothing with the program.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final, NamedTuple

import pytest

from croupier.acts import LosingWagersCollected, StakesReleased, WagerPaid
from croupier.baccarat.coup import Facts
from croupier.law.values import Odds
from croupier.rules import Outcome
from support.massachusetts import (
    BANKER_6,
    DRAGON_7,
    EZ,
    PANDA_8,
    PLAYER_8_BANKER_9,
    PLAYER_9_BANKER_8,
    TIE_6,
    TIE_8,
    errors_of,
    ma,
    moves,
    ready,
    rules_of,
    settle,
)
from support.table import only

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

ALL: Final = [
    Facts(player, banker, player_cards, banker_cards)
    for player, banker in product(range(10), repeat=2)
    for player_cards, banker_cards in product((2, 3), repeat=2)
]
BONUS: Final[dict[str, Any]] = {"wagers__bonus__offered": True}


class Told(NamedTuple):
    """What the text has for one wager and one pair of hands."""

    outcome: Outcome
    odds: str | None
    clauses: tuple[str, ...]


def won(odds: str, *sections: str) -> Told:
    return Told(Outcome.WIN, odds, ma(*sections))


def lost(*sections: str) -> Told:
    return Told(Outcome.LOSE, None, ma(*sections))


def returned(*sections: str) -> Told:
    return Told(Outcome.PUSH, None, ma(*sections))


def is_dragon_7(hands: Facts) -> bool:
    """Banker's Hand of seven with three cards, and Player's Hand of less than seven."""
    return hands.banker_count == 7 and hands.banker_cards == 3 and hands.player_count < 7


def is_panda_8(hands: Facts) -> bool:
    """Player's Hand of eight with three cards, and Banker's Hand of less than eight."""
    return hands.player_count == 8 and hands.player_cards == 3 and hands.banker_count < 8


def on_banker(hands: Facts, *, ez: bool) -> Told:
    if ez and is_dragon_7(hands):
        return returned("7(a)(1)(iii)", '1_"Dragon_7"')
    if hands.banker_count > hands.player_count:
        return won("1:1", "7(a)(1)(i)", "12(c)#1")
    if hands.banker_count < hands.player_count:
        return lost("7(a)(1)(ii)")
    return returned("7(a)(1)(iii)")


def on_player(hands: Facts) -> Told:
    if hands.player_count > hands.banker_count:
        return won("1:1", "7(a)(2)(i)", "12(a)")
    if hands.player_count < hands.banker_count:
        return lost("7(a)(2)(ii)")
    return returned("7(a)(2)(iii)")


def on_tie(hands: Facts) -> Told:
    equal = hands.player_count == hands.banker_count
    return won("8:1", "7(a)(3)(i)", "12(b)") if equal else lost("7(a)(3)(ii)")


def on_dragon_7(hands: Facts) -> Told:
    if is_dragon_7(hands):
        return won("40:1", "7(a)(5)(i)", '1_"Dragon_7"', "12(f)")
    return lost("7(a)(5)(ii)", '1_"Dragon_7"')


def on_panda_8(hands: Facts) -> Told:
    if is_panda_8(hands):
        return won("25:1", "7(a)(6)(i)", '1_"Panda_8"', "12(g)")
    return lost("7(a)(6)(ii)", '1_"Panda_8"')


# The three tables as they are printed: win by nine points, by eight, and so on to four.
PRINTED: Final = {
    "A": ("30:1", "10:1", "6:1", "4:1", "2:1", "1:1"),
    "B": ("20:1", "8:1", "7:1", "4:1", "3:1", "1:1"),
    "C": ("30:1", "10:1", "4:1", "4:1", "2:1", "2:1"),
}


def on_bonus(own: tuple[int, int], other: tuple[int, int], table: str) -> Told:
    """A Dragon Bonus wager on a hand of a count and a number of cards, against another."""
    natural, against_natural = (count >= 8 and cards == 2 for count, cards in (own, other))
    lead = own[0] - other[0]
    pays = f"12(e)_Paytable_{table}"
    match natural, against_natural:
        case True, False:
            # A natural winner is paid even, however many points it is ahead.
            return won("1:1", "7(a)(4)(i)a", "12(e)#2", pays)
        case True, True if lead == 1:
            return won("1:1", "7(a)(4)(i)b", "12(e)#2", pays)
        case True, True if lead == -1:
            return lost("7(a)(4)(ii)a")
        case True, True:
            return returned("7(a)(4)(iii)")
        case _ if lead >= 4:
            return won(PRINTED[table][9 - lead], "7(a)(4)(i)c", "12(e)#2", pays)
        case _ if lead <= 0:
            return lost("7(a)(4)(ii)b")
        case _:
            return lost("7(a)(4)(ii)c")


def decided(wager: str, hands: Facts, **elections: Any) -> Told:
    decision = RULES.setdefault(str(elections), rules_of(**elections)).offers[wager].decide(hands)
    odds = None if decision.odds is None else str(decision.odds)
    return Told(decision.outcome, odds, decision.clauses)


RULES: Final[dict[str, Any]] = {}


# --- every pair of hands -----------------------------------------------------------------------


@pytest.mark.clause(
    "MA-MINI:7(a)(1)", "MA-MINI:7(a)(1)(i)", "MA-MINI:7(a)(1)(ii)", "MA-MINI:7(a)(1)(iii)",
    "MA-MINI:12(c)#1",
)  # fmt: skip
def test_a_wager_on_banker_wins_loses_or_is_returned_as_the_counts_compare() -> None:
    for hands in ALL:
        assert decided("banker", hands) == on_banker(hands, ez=False), hands


@pytest.mark.clause(
    "MA-MINI:7(a)(1)(i)", "MA-MINI:7(a)(1)(iii)", 'MA-MINI:1_"Dragon_7"',
    'MA-MINI:1_"EZ_Baccarat"',
)  # fmt: skip
def test_in_ez_baccarat_a_wager_on_banker_is_returned_on_a_dragon_7_and_else_as_ever() -> None:
    for hands in ALL:
        assert decided("banker", hands, **EZ) == on_banker(hands, ez=True), hands


@pytest.mark.clause(
    "MA-MINI:7(a)(2)", "MA-MINI:7(a)(2)(i)", "MA-MINI:7(a)(2)(ii)", "MA-MINI:7(a)(2)(iii)",
    "MA-MINI:12(a)",
)  # fmt: skip
@pytest.mark.parametrize("elections", [{}, EZ])
def test_a_wager_on_player_wins_loses_or_is_returned_alike_with_and_without_vigorish(
    elections: dict[str, Any],
) -> None:
    # A panda 8 is among its wins and a dragon 7 among its losses: neither adds a condition.
    for hands in ALL:
        assert decided("player", hands, **elections) == on_player(hands), hands


@pytest.mark.clause("MA-MINI:7(a)(3)", "MA-MINI:7(a)(3)(i)", "MA-MINI:7(a)(3)(ii)", "MA-MINI:12(b)")
def test_a_tie_wager_wins_on_equal_counts_and_loses_on_others() -> None:
    for hands in ALL:
        assert decided("tie", hands) == on_tie(hands), hands


@pytest.mark.clause(
    "MA-MINI:7(a)(5)", "MA-MINI:7(a)(5)(i)", "MA-MINI:7(a)(5)(ii)", 'MA-MINI:1_"Dragon_7"',
    "MA-MINI:12(f)",
)  # fmt: skip
def test_dragon_7_insurance_wins_forty_to_one_on_a_dragon_7_and_loses_on_all_else() -> None:
    for hands in ALL:
        assert decided("dragon_7", hands, **EZ) == on_dragon_7(hands), hands


@pytest.mark.clause(
    "MA-MINI:7(a)(6)", "MA-MINI:7(a)(6)(i)", "MA-MINI:7(a)(6)(ii)", 'MA-MINI:1_"Panda_8"',
    "MA-MINI:12(g)",
)  # fmt: skip
def test_panda_8_insurance_wins_twenty_five_to_one_on_a_panda_8_and_loses_on_all_else() -> None:
    for hands in ALL:
        assert decided("panda_8", hands, **EZ) == on_panda_8(hands), hands


@pytest.mark.clause(
    "MA-MINI:7(a)(4)", "MA-MINI:7(a)(4)(i)a", "MA-MINI:7(a)(4)(i)b", "MA-MINI:7(a)(4)(i)c",
    "MA-MINI:7(a)(4)(ii)a", "MA-MINI:7(a)(4)(ii)b", "MA-MINI:7(a)(4)(ii)c",
    "MA-MINI:7(a)(4)(iii)", "MA-MINI:12(e)_Paytable_A", "MA-MINI:12(e)_Paytable_B",
    "MA-MINI:12(e)_Paytable_C", 'MA-MINI:1_"Natural"',
)  # fmt: skip
@pytest.mark.parametrize("table", PRINTED)
def test_a_dragon_bonus_is_decided_and_paid_by_the_table_as_it_is_printed(table: str) -> None:
    elections = {**BONUS, "wagers__bonus__paytable": table}
    for hands in ALL:
        player = (hands.player_count, hands.player_cards)
        banker = (hands.banker_count, hands.banker_cards)
        assert decided("bonus_player", hands, **elections) == on_bonus(player, banker, table)
        assert decided("bonus_banker", hands, **elections) == on_bonus(banker, player, table)


# --- what is offered, and what is not ----------------------------------------------------------


@pytest.mark.clause("MA-MINI:7(a)(4)", "MA-MINI:12(e)#2")
def test_the_dragon_bonus_is_paid_by_one_of_the_three_tables_whole_and_by_no_other() -> None:
    lines = ("win_by_9", "win_by_8", "win_by_7", "win_by_6", "win_by_5", "win_by_4")
    for printed in PRINTED.values():
        named = dict(zip(lines, printed, strict=True)) | {"natural": "1:1"}
        assert rules_of(**BONUS, wagers__bonus__paytable=named).offers["bonus_player"]
        for line, odds in named.items():
            better = named | {line: str(Odds(Odds.parse(odds).pays + 1, 1))}
            # Better for the bettor, and yet none of the tables.
            assert errors_of(**BONUS, wagers__bonus__paytable=better) == {
                ("wagers.bonus.paytable", ma("12(e)#2"))
            }
    assert errors_of(**BONUS, wagers__bonus__paytable="D") == {
        ("wagers.bonus.paytable", ma("12(e)#2"))
    }


@pytest.mark.clause("MA-MINI:12(b)")
def test_a_tie_pays_eight_to_one_or_better() -> None:
    assert rules_of(wagers__tie__pays="9:1").offers["tie"].pays["win"] == Odds(9, 1)
    for less in ("7:1", "15:2"):
        assert errors_of(wagers__tie__pays=less) == {("wagers.tie.pays", ma("12(b)"))}


@pytest.mark.clause("MA-MINI:12(a)", "MA-MINI:12(c)#1", "MA-MINI:12(f)", "MA-MINI:12(g)")
@pytest.mark.parametrize(
    ("wager", "section"),
    [("player", "12(a)"), ("banker", "12(c)#1"), ("dragon_7", "12(f)"), ("panda_8", "12(g)")],
)
def test_the_other_odds_are_exact_and_the_licensee_pays_no_better(wager: str, section: str) -> None:
    errors = errors_of(**EZ, **{f"wagers__{wager}__pays": "100:1"})
    assert errors == {(f"wagers.{wager}.pays", ma(section))}


# --- at the table ------------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:7(a)(1)", "MA-MINI:7(a)(2)", "MA-MINI:7(a)(3)")
@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        (PLAYER_9_BANKER_8, {"player": 10_000}),
        (PLAYER_8_BANKER_9, {"banker": 10_000}),
        (BANKER_6, {"banker": 10_000}),
        (TIE_8, {"tie": 8_000}),
        (TIE_6, {"tie": 8_000}),
    ],
)
def test_hands_that_are_dealt_pay_what_the_text_has_for_them(
    cards: str, paid: dict[str, int]
) -> None:
    session = ready(1)
    events = settle(session, cards, (1, "player", 10_000), (1, "banker", 10_000), (1, "tie", 1_000))
    assert {w: cents for act, _, w, cents in moves(events) if act == "pay"} == paid


@pytest.mark.clause("MA-MINI:7(a)(4)", "MA-MINI:12(e)#1")
def test_no_vigorish_is_taken_of_a_dragon_bonus_that_wins_on_banker() -> None:
    session = ready(1, **BONUS)
    # Banker's nine against a natural-less nothing: the bonus alone wins thirty to one or even.
    events = settle(session, "Kh 9d Tc Js", (1, "bonus_banker", 10_000), (1, "bonus_player", 500))
    assert moves(events) == [
        ("collect", 1, "bonus_player", 500),
        ("release", 1, "bonus_banker", 10_000),
        ("pay", 1, "bonus_banker", 10_000),
    ]
    assert rules_of(**BONUS).value("vigorish.on_bonus", bool) is False


@pytest.mark.clause("MA-MINI:7(a)(4)(i)c", "MA-MINI:12(e)_Paytable_B")
def test_nine_points_with_three_cards_are_paid_by_the_table_that_was_elected() -> None:
    session = ready(1, **BONUS, wagers__bonus__paytable="B")
    # Player draws a nine on nothing; Banker has nothing and draws a king.
    events = settle(session, "Kh Qd Tc Js 9h Kd", (1, "bonus_player", 1_000))
    paid = only(events, WagerPaid)
    assert (paid.line, paid.odds, paid.cents) == ("win_by_9", "20:1", 20_000)
    assert paid.clauses == ma("11(b)#2", "7(a)(4)(i)c", "12(e)#2", "12(e)_Paytable_B")


@pytest.mark.clause("MA-MINI:7(a)(4)(iii)")
def test_a_dragon_bonus_goes_back_on_equal_naturals() -> None:
    session = ready(1, **BONUS)
    events = settle(session, TIE_8, (1, "bonus_player", 1_000), (1, "bonus_banker", 700))
    released = only(events, StakesReleased)
    assert [(one.wager, one.outcome) for one in released.stakes] == [
        ("bonus_player", "push"), ("bonus_banker", "push"),
    ]  # fmt: skip
    assert released.clauses == ma("7(a)(4)(iii)")


@pytest.mark.clause("MA-MINI:7(a)(5)(i)", "MA-MINI:7(a)(6)(i)", "MA-MINI:7(a)(2)(ii)")
@pytest.mark.parametrize(
    ("cards", "won_by"),
    [
        (DRAGON_7, {"dragon_7": 4_000}),
        (PANDA_8, {"panda_8": 2_500, "player": 10_000}),
        (PLAYER_8_BANKER_9, {"banker": 10_000}),  # A natural eight is no panda, and loses.
        (PLAYER_9_BANKER_8, {"player": 10_000}),
    ],
)
def test_at_an_ez_table_a_dragon_7_and_a_panda_8_pay_as_the_text_has_it(
    cards: str, won_by: dict[str, int]
) -> None:
    session = ready(1, **EZ)
    stakes = [(1, "dragon_7", 100), (1, "panda_8", 100)]
    events = settle(session, cards, (1, "player", 10_000), (1, "banker", 10_000), *stakes)
    assert {w: cents for act, _, w, cents in moves(events) if act == "pay"} == won_by
    lost_by = {one.wager for one in only(events, LosingWagersCollected).stakes}
    pushed = {"banker"} if cards == DRAGON_7 else set()
    assert lost_by == {"player", "banker", "dragon_7", "panda_8"} - set(won_by) - pushed
