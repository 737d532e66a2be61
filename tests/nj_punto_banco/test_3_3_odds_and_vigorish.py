"""19:47-3.3 but for (c)2 to (c)4: what winners are paid, and what the house takes from Banker."""

from fractions import Fraction
from typing import Any

import pytest

from croupier import acts
from croupier.acts import VigorishCollected, VigorishMarked, VigorishWaived, WagerPaid
from croupier.baccarat.coup import Facts
from croupier.money.settlement import Settled, Stake, settle
from croupier.rules import Outcome, TableRules
from support.punto_banco import banker_wins, deal, errors_of, play, ready, rules_of
from support.table import every, only, refused, wager

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

BANKER_WINS = Facts(4, 5, 3, 3)
DRAGON_7 = Facts(6, 7, 2, 3)
NATURAL_NINE = Facts(0, 9, 2, 2)
EQUAL = Facts(7, 7, 2, 2)
EVERY_BANKER_WIN = [
    Facts(player, banker, player_cards, banker_cards)
    for banker in range(1, 10)
    for player in range(banker)
    for player_cards in (2, 3)
    for banker_cards in (2, 3)
]


def one(rules: TableRules, facts: Facts, wager_id: str, cents: int) -> Settled:
    (settled,) = settle(rules, facts, {(1, wager_id): Stake(cents)})
    return settled


def taken(scheme: str, won_cents: int, **elections: Any) -> int:
    """The vigorish on a Banker win of that amount."""
    rules = rules_of(vigorish__scheme=scheme, **elections)
    return one(rules, BANKER_WINS, "banker", won_cents).vigorish_cents


def total_cards(rate: str = "5%", **elections: Any) -> TableRules:
    return rules_of(
        vigorish__scheme="total-cards",
        vigorish__rate_unwaived=rate,
        wagers__total_cards__offered=True,
        **elections,
    )


# --- (a) and (b): Player and Tie ---------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(a)")
def test_a_winning_player_wager_is_paid_one_to_one_and_at_no_other_odds() -> None:
    settled = one(rules_of(), Facts(7, 4, 2, 3), "player", 12_345)
    assert (settled.won_cents, settled.vigorish_cents) == (12_345, 0)
    assert "NJ-PB:3.3(a)" in settled.decision.clauses
    (detail,) = errors_of(wagers__player__pays="2:1")
    assert detail.clauses == ("NJ-PB:3.3(a)",)


@pytest.mark.clause("NJ-PB:3.3(b)")
@pytest.mark.parametrize(("odds", "won"), [("8:1", 8_000), ("9:1", 9_000), ("17:2", 8_500)])
def test_a_winning_tie_is_paid_eight_to_one_or_more(odds: str, won: int) -> None:
    settled = one(rules_of(wagers__tie__pays=odds), EQUAL, "tie", 1_000)
    assert (settled.won_cents, settled.vigorish_cents) == (won, 0)
    assert "NJ-PB:3.3(b)" in settled.decision.clauses


@pytest.mark.clause("NJ-PB:3.3(b)")
@pytest.mark.parametrize("odds", ["7:1", "15:2"])
def test_a_tie_that_pays_less_than_eight_to_one_is_refused(odds: str) -> None:
    (detail,) = errors_of(wagers__tie__pays=odds)
    assert (detail.where, detail.clauses) == ("wagers.tie.pays", ("NJ-PB:3.3(b)",))


# --- (c): Banker, less vigorish ----------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(c)#1", "NJ-PB:3.3(c)#2")
@pytest.mark.parametrize(("scheme", "vigorish"), [("5%", 500), ("4%", 400)])
def test_a_winning_banker_wager_is_paid_one_to_one_less_four_or_five_percent(
    scheme: str, vigorish: int
) -> None:
    session = ready(1, vigorish__scheme=scheme)
    events = banker_wins(session, (1, 10_000))
    paid, collected = only(events, WagerPaid), only(events, VigorishCollected)
    assert (paid.odds, paid.cents, collected.cents) == ("1:1", 10_000, vigorish)
    assert paid.clauses == ("NJ-PB:3.10(b)3", "NJ-PB:3.2(a)1.i", "NJ-PB:3.3(c)#1")
    assert collected.clauses == ("NJ-PB:3.10(b)3", "NJ-PB:3.3(c)#2", "NJ-PB:3.3(c)2#1")


@pytest.mark.clause("NJ-PB:3.3(c)#2")
@pytest.mark.parametrize("scheme", ["3%", "6%", "4.5%", "0%"])
def test_no_other_percentage_may_be_elected(scheme: str) -> None:
    (detail,) = errors_of(vigorish__scheme=scheme)
    assert detail.where == "vigorish.scheme"
    assert "NJ-PB:3.3(c)#2" in detail.clauses


@pytest.mark.clause("NJ-PB:3.3(c)#2")
def test_vigorish_is_of_the_amount_won_whatever_banker_wins_with() -> None:
    rules = rules_of()
    for facts in EVERY_BANKER_WIN:
        settled = one(rules, facts, "banker", 10_000)
        assert (settled.won_cents, settled.vigorish_cents) == (10_000, 500)


# The exact five percent stands beside each case; it goes up to the next 25 cents, never down and
# never to the nearest.
@pytest.mark.clause("NJ-PB:3.3(c)1#1")
@pytest.mark.parametrize(
    ("won", "vigorish"),
    [
        pytest.param(700, 50, id="35 cents"),
        pytest.param(500, 25, id="25 cents"),
        pytest.param(525, 50, id="26 and a quarter"),
        pytest.param(100, 25, id="5 cents"),
        pytest.param(1_000, 50, id="50 cents"),
        pytest.param(1_025, 75, id="51 and a quarter"),
        pytest.param(10_000, 500, id="five dollars"),
        pytest.param(10_200, 525, id="five dollars ten, nearer to five dollars"),
    ],
)
def test_five_percent_is_rounded_up_to_the_next_twenty_five_cents(won: int, vigorish: int) -> None:
    assert taken("5%", won, vigorish__rounded=True) == vigorish


@pytest.mark.clause("NJ-PB:3.3(c)1#2")
@pytest.mark.parametrize(
    ("won", "vigorish"),
    [
        pytest.param(700, 40, id="28 cents, nearer to 20"),
        pytest.param(500, 20, id="20 cents"),
        pytest.param(520, 40, id="20 and four fifths"),
        pytest.param(100, 20, id="4 cents"),
        pytest.param(1_000, 40, id="40 cents"),
        pytest.param(10_000, 400, id="four dollars"),
        pytest.param(10_100, 420, id="four dollars four, nearer to four dollars"),
    ],
)
def test_four_percent_is_rounded_up_to_the_next_twenty_cents(won: int, vigorish: int) -> None:
    assert taken("4%", won, vigorish__rounded=True) == vigorish


@pytest.mark.clause("NJ-PB:3.3(c)1#1", "NJ-PB:3.3(c)1#2")
@pytest.mark.parametrize(("scheme", "vigorish"), [("5%", 35), ("4%", 28)])
def test_a_licensee_need_not_round_and_then_takes_vigorish_to_the_cent(
    scheme: str, vigorish: int
) -> None:
    assert taken(scheme, 700, vigorish__rounded=False) == vigorish


@pytest.mark.clause("NJ-PB:3.3(c)1#1", "NJ-PB:3.3(c)1#2")
@pytest.mark.parametrize(("scheme", "clause"), [("5%", "(c)1#1"), ("4%", "(c)1#2")])
def test_vigorish_that_is_rounded_names_the_sentence_for_its_rate_alone(
    scheme: str, clause: str
) -> None:
    session = ready(1, vigorish__scheme=scheme, vigorish__rounded=True)
    collected = only(banker_wins(session, (1, 10_000)), VigorishCollected)
    own = [one for one in collected.clauses if one.startswith("NJ-PB:3.3")]
    assert own == ["NJ-PB:3.3(c)#2", f"NJ-PB:3.3{clause}", "NJ-PB:3.3(c)2#1"]


@pytest.mark.clause("NJ-PB:3.3(c)1#1", "NJ-PB:3.3(c)1#2")
@pytest.mark.parametrize(("rate", "vigorish"), [("5%", 50), ("4%", 40)])
def test_who_earns_no_waiver_pays_by_the_unit_of_his_rate(rate: str, vigorish: int) -> None:
    rules = total_cards(rate, vigorish__rounded=True)
    assert one(rules, BANKER_WINS, "banker", 700).vigorish_cents == vigorish


@pytest.mark.clause("NJ-PB:3.3(c)1#1", "NJ-PB:3.3(c)1#2")
@pytest.mark.parametrize(
    ("scheme", "unit", "clause"),
    [("5%", 25, "NJ-PB:3.3(c)1#1"), ("4%", 20, "NJ-PB:3.3(c)1#2")],
)
def test_where_vigorish_is_rounded_any_stake_is_taken_that_it_does_not_swallow(
    scheme: str, unit: int, clause: str
) -> None:
    session = ready(1, vigorish__scheme=scheme, vigorish__rounded=True)
    low = acts.PlaceWager(1, "banker", unit - 1)
    assert refused(session, low, "vigorish_above_win").clauses == (clause,)
    session.execute(acts.PlaceWager(1, "banker", unit))
    session.execute(acts.PlaceWager(1, "banker", 9 * unit + 1))


@pytest.mark.clause("NJ-PB:3.3(c)1#1")
def test_vigorish_is_rounded_for_each_wager_and_not_for_their_sum() -> None:
    stakes = {(seat, "banker"): Stake(700) for seat in (1, 2, 3)}
    settled = settle(rules_of(vigorish__rounded=True), BANKER_WINS, stakes)
    assert [each.vigorish_cents for each in settled] == [50, 50, 50]


@pytest.mark.clause("NJ-PB:3.3(c)2#1")
def test_the_licensee_collects_vigorish_at_once_or_defers_it_and_there_is_no_third_way() -> None:
    for collection, kind in (("at-once", VigorishCollected), ("deferred", VigorishMarked)):
        session = ready(1, vigorish__collection=collection)
        taken_by = [
            type(event)
            for event in banker_wins(session, (1, 10_000))
            if isinstance(event, VigorishCollected | VigorishMarked)
        ]
        assert taken_by == [kind]
    (detail,) = errors_of(vigorish__collection="never")
    assert detail.clauses == ("NJ-PB:3.3(c)2#1",)


# --- (d): the same for everybody ---------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(d)#2")
@pytest.mark.parametrize(("scheme", "rate"), [("5%", Fraction(1, 20)), ("4%", Fraction(1, 25))])
def test_one_percentage_applies_to_every_player_at_the_table(scheme: str, rate: Fraction) -> None:
    stakes = {(seat, "banker"): Stake(10_000 * seat) for seat in range(1, 8)}
    settled = settle(rules_of(vigorish__scheme=scheme), BANKER_WINS, stakes)
    assert {Fraction(each.vigorish_cents, each.won_cents) for each in settled} == {rate}


# --- (e): Banker without vigorish --------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(e)#1")
def test_the_licensee_offers_one_of_the_two_ways_to_play_without_vigorish_and_not_both() -> None:
    (detail,) = errors_of(vigorish__scheme=["six-pays-half", "total-cards"])
    assert detail.where == "vigorish.scheme"
    assert "NJ-PB:3.3(e)#1" in detail.clauses
    # Neither leaves room for what goes with the other, or for vigorish to round or to defer.
    refusals = errors_of(
        vigorish__scheme="six-pays-half",
        vigorish__rate_unwaived="5%",
        vigorish__rounded=True,
        vigorish__collection="deferred",
    )
    assert {detail.where for detail in refusals} == {
        "vigorish.rate_unwaived",
        "vigorish.rounded",
        "vigorish.collection",
    }


@pytest.mark.clause("NJ-PB:3.3(e)#1", "NJ-PB:3.3(e)1")
def test_where_six_pays_half_no_banker_win_costs_vigorish_and_six_alone_is_paid_one_to_two() -> (
    None
):
    rules = rules_of(vigorish__scheme="six-pays-half")
    for facts in EVERY_BANKER_WIN:
        settled = one(rules, facts, "banker", 10_000)
        won = 5_000 if facts.banker_count == 6 else 10_000
        assert (settled.won_cents, settled.vigorish_cents) == (won, 0)
        clause = "NJ-PB:3.3(e)1" if facts.banker_count == 6 else "NJ-PB:3.3(e)#1"
        assert settled.decision.clauses == ("NJ-PB:3.2(a)1.i", clause)
    assert one(rules, Facts(7, 6, 3, 2), "banker", 10_000).decision.outcome is Outcome.LOSE
    assert one(rules, Facts(6, 6, 3, 2), "banker", 10_000).decision.outcome is Outcome.PUSH


@pytest.mark.clause("NJ-PB:3.3(e)1")
def test_at_one_to_two_an_odd_number_of_cents_is_not_taken() -> None:
    session = ready(1, vigorish__scheme="six-pays-half")
    odd = acts.PlaceWager(1, "banker", 10_001)
    refusal = refused(session, odd, "fraction_of_a_cent")
    assert refusal.clauses == ("NJ-PB:3.3(e)#1", "NJ-PB:3.3(e)1")
    session.execute(acts.PlaceWager(1, "banker", 10_002))


@pytest.mark.clause("NJ-PB:3.3(e)2")
@pytest.mark.parametrize(
    ("others", "vigorish"),
    [
        pytest.param({}, 500, id="none"),
        pytest.param({"four_cards": 9_998}, 500, id="a little less"),
        pytest.param({"four_cards": 10_000}, 0, id="as much"),
        pytest.param({"five_cards": 3_000, "four_cards": 3_000, "six_cards": 4_000}, 0, id="sum"),
        pytest.param({"five_cards": 3_000, "six_cards": 6_999}, 500, id="a sum short of it"),
        pytest.param({"tie": 10_000, "player": 10_000}, 500, id="other wagers do not count"),
    ],
)
def test_no_vigorish_where_a_players_total_cards_wagers_reach_his_banker_wager(
    others: dict[str, int], vigorish: int
) -> None:
    stakes = {(1, "banker"): Stake(10_000)}
    stakes |= {(1, name): Stake(cents) for name, cents in others.items()}
    settled = settle(total_cards(), BANKER_WINS, stakes)[0]
    assert (settled.won_cents, settled.vigorish_cents) == (10_000, vigorish)


@pytest.mark.clause("NJ-PB:3.3(e)2", "NJ-PB:3.3(c)#2")
def test_one_players_wagers_waive_nobody_elses_vigorish_and_both_are_told() -> None:
    session = ready(1, 2, vigorish__scheme="total-cards", wagers__total_cards__offered=True)
    wager(session, (1, "banker", 10_000), (1, "six_cards", 10_000), (2, "banker", 10_000))
    events = play(session, "8h 9d Kh Ks")
    waived = only(events, VigorishWaived)
    assert (waived.seat, waived.clauses) == (1, ("NJ-PB:3.3(e)2", "NJ-PB:3.10(b)5"))
    collected = only(events, VigorishCollected)
    assert (collected.seat, collected.cents) == (2, 500)
    own = [one for one in collected.clauses if one.startswith("NJ-PB:3.3")]
    assert own == ["NJ-PB:3.3(e)2", "NJ-PB:3.3(c)#2", "NJ-PB:3.3(c)2#1"]


@pytest.mark.clause("NJ-PB:3.3(e)2")
def test_the_waiver_needs_the_total_cards_wagers_on_the_layout() -> None:
    (detail,) = errors_of(vigorish__scheme="total-cards", wagers__total_cards__offered=False)
    assert detail.clauses == ("NJ-PB:3.3(e)2",)


# --- (f): total cards --------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(f)#1", "NJ-PB:3.3(f)#2", "NJ-PB:3.3(f)#3")
@pytest.mark.parametrize(
    ("wager_id", "facts", "won", "clause"),
    [
        ("four_cards", Facts(8, 2, 2, 2), 1_500, "NJ-PB:3.3(f)#1"),
        ("five_cards", Facts(7, 4, 2, 3), 2_000, "NJ-PB:3.3(f)#2"),
        ("six_cards", Facts(7, 4, 3, 3), 2_000, "NJ-PB:3.3(f)#3"),
    ],
)
def test_total_cards_wagers_are_paid_at_the_odds_of_the_table_and_at_no_others(
    wager_id: str, facts: Facts, won: int, clause: str
) -> None:
    settled = one(rules_of(wagers__total_cards__offered=True), facts, wager_id, 1_000)
    assert (settled.won_cents, settled.vigorish_cents) == (won, 0)
    assert clause in settled.decision.clauses
    (detail,) = errors_of(wagers__total_cards__offered=True, **{f"wagers__{wager_id}__pays": "3:1"})
    assert detail.clauses == (clause,)


# --- (g): the bonus ----------------------------------------------------------------------------

# The three schedules as they are printed: margins nine down to four, then the natural. The third
# gives eight-to-seven and five-to-four one line each.
PRINTED = {
    "A": (30, 10, 6, 4, 2, 1, 1),
    "B": (20, 8, 7, 4, 3, 1, 1),
    "C": (30, 10, 4, 4, 2, 2, 1),
}
LINES = ("win_by_9", "win_by_8", "win_by_7", "win_by_6", "win_by_5", "win_by_4", "natural")


def schedule(*pays: int) -> dict[str, str]:
    return {line: f"{odds}:1" for line, odds in zip(LINES, pays, strict=True)}


@pytest.mark.clause("NJ-PB:3.3(g)#1")
@pytest.mark.parametrize("scheme", ["5%", "4%"])
def test_no_vigorish_is_taken_from_a_winning_bonus(scheme: str) -> None:
    session = ready(1, vigorish__scheme=scheme, wagers__bonus__offered=True)
    wager(session, (1, "player", 10_000), (1, "bonus_banker", 10_000))
    deal(session, "8h 9d Kh Ks")
    events = session.execute(acts.SettleWagers())
    assert only(events, WagerPaid).wager == "bonus_banker"
    assert not every(events, VigorishCollected)
    assert rules_of().value("vigorish.on_bonus", bool) is False
    (detail,) = errors_of(vigorish__on_bonus=True)
    assert detail.clauses == ("NJ-PB:3.3(g)#1",)


@pytest.mark.clause("NJ-PB:3.3(g)_Paytable_A", "NJ-PB:3.3(g)_Paytable_B", "NJ-PB:3.3(g)_Paytable_C")
@pytest.mark.parametrize("name", PRINTED)
def test_a_bonus_is_paid_by_the_schedule_elected(name: str) -> None:
    rules = rules_of(wagers__bonus__offered=True, wagers__bonus__paytable=name)
    *by_margin, natural = PRINTED[name]
    for margin, pays in zip(range(9, 3, -1), by_margin, strict=True):
        ahead = Facts(9, 9 - margin, 3, 3)
        assert one(rules, ahead, "bonus_player", 500).won_cents == 500 * pays
        assert one(rules, Facts(9 - margin, 9, 3, 3), "bonus_banker", 500).won_cents == 500 * pays
    settled = one(rules, NATURAL_NINE, "bonus_banker", 500)
    assert settled.won_cents == 500 * natural
    assert f"NJ-PB:3.3(g)_Paytable_{name}" in settled.decision.clauses


@pytest.mark.clause("NJ-PB:3.3(g)#2")
def test_a_natural_winner_is_paid_as_a_natural_whatever_its_margin() -> None:
    rules = rules_of(wagers__bonus__offered=True)
    for player in range(8):
        settled = one(rules, Facts(player, 9, 2, 2), "bonus_banker", 500)
        assert settled.won_cents == 500
        assert "NJ-PB:3.3(g)#2" in settled.decision.clauses


@pytest.mark.clause("NJ-PB:3.3(g)#2")
@pytest.mark.parametrize(
    "pays", [(30, 10, 6, 4, 2, 1, 1), (25, 8, 7, 5, 3, 1, 1), (30, 10, 4, 4, 2, 2, 2)]
)
def test_a_schedule_at_least_as_good_as_one_of_them_is_accepted(pays: tuple[int, ...]) -> None:
    rules = rules_of(wagers__bonus__offered=True, wagers__bonus__paytable=schedule(*pays))
    assert one(rules, Facts(9, 0, 3, 3), "bonus_player", 500).won_cents == 500 * pays[0]


@pytest.mark.clause("NJ-PB:3.3(g)#2")
@pytest.mark.parametrize(
    "pays",
    [
        pytest.param((29, 10, 6, 4, 2, 1, 1), id="A but for nine"),
        pytest.param((20, 8, 6, 4, 3, 1, 1), id="B but for seven"),
        pytest.param((30, 10, 4, 4, 1, 2, 1), id="C but for five"),
        pytest.param((20, 10, 6, 4, 2, 2, 1), id="better than each somewhere, than none always"),
    ],
)
def test_a_schedule_below_all_three_is_refused(pays: tuple[int, ...]) -> None:
    (detail,) = errors_of(wagers__bonus__offered=True, wagers__bonus__paytable=schedule(*pays))
    assert (detail.where, detail.clauses) == ("wagers.bonus.paytable", ("NJ-PB:3.3(g)#2",))


# --- (h) and (i): dragon 7 ---------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.3(h)#1")
def test_in_the_dragon_7_variation_no_vigorish_is_taken_at_all() -> None:
    rules = rules_of(vigorish__scheme="dragon-7")
    for facts in (*EVERY_BANKER_WIN, EQUAL, Facts(9, 8, 2, 2)):
        assert one(rules, facts, "banker", 10_000).vigorish_cents == 0
    refusals = errors_of(vigorish__scheme="dragon-7", vigorish__collection="deferred")
    assert [detail.where for detail in refusals] == ["vigorish.collection"]


@pytest.mark.clause("NJ-PB:3.3(h)#2")
def test_a_winning_three_card_seven_alone_pushes_the_banker_wager() -> None:
    rules = rules_of(vigorish__scheme="dragon-7")
    for facts in EVERY_BANKER_WIN:
        settled = one(rules, facts, "banker", 10_000)
        dragon = facts.banker_count == 7 and facts.banker_cards == 3
        assert settled.decision.outcome is (Outcome.PUSH if dragon else Outcome.WIN)
        assert settled.won_cents == (0 if dragon else 10_000)
        assert ("NJ-PB:3.3(h)#2" in settled.decision.clauses) is dragon


@pytest.mark.clause("NJ-PB:3.3(i)")
@pytest.mark.parametrize(("odds", "won"), [("40:1", 20_000), ("45:1", 22_500)])
def test_a_winning_dragon_7_wager_is_paid_forty_to_one_or_more(odds: str, won: int) -> None:
    rules = rules_of(vigorish__scheme="dragon-7", wagers__dragon_7__pays=odds)
    settled = one(rules, DRAGON_7, "dragon_7", 500)
    assert (settled.won_cents, settled.vigorish_cents) == (won, 0)
    assert "NJ-PB:3.3(i)" in settled.decision.clauses


@pytest.mark.clause("NJ-PB:3.3(i)")
@pytest.mark.parametrize("odds", ["39:1", "79:2"])
def test_less_than_forty_to_one_is_refused(odds: str) -> None:
    (detail,) = errors_of(vigorish__scheme="dragon-7", wagers__dragon_7__pays=odds)
    assert (detail.where, detail.clauses) == ("wagers.dragon_7.pays", ("NJ-PB:3.3(i)",))
