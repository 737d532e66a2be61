"""19:47-7.3: what winning wagers are paid, and what the house takes from the Banker wager."""

from fractions import Fraction
from typing import Any

import pytest

from croupier.baccarat.coup import Facts
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.law.values import Odds
from croupier.money.settlement import Settled, Stake, settle
from croupier.rules import Outcome, TableRules, default_submission, table_rules
from support.texts import NJ_MINI

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

LAW = "us-nj/minibaccarat"

PLAYER_WINS = Facts(player_count=7, banker_count=4, player_cards=2, banker_cards=3)
BANKER_WINS = Facts(player_count=4, banker_count=5, player_cards=3, banker_cards=3)
BANKER_WINS_WITH_SIX = Facts(player_count=4, banker_count=6, player_cards=3, banker_cards=2)
BANKER_WINS_WITH_THREE_CARD_SIX = Facts(
    player_count=4, banker_count=6, player_cards=3, banker_cards=3
)
DRAGON_7 = Facts(player_count=6, banker_count=7, player_cards=2, banker_cards=3)
TWO_CARD_SEVEN = Facts(player_count=6, banker_count=7, player_cards=2, banker_cards=2)
NATURAL_NINE = Facts(player_count=0, banker_count=9, player_cards=2, banker_cards=2)
EQUAL = Facts(player_count=7, banker_count=7, player_cards=2, banker_cards=2)
FOUR_CARDS = Facts(player_count=8, banker_count=2, player_cards=2, banker_cards=2)
FIVE_CARDS = Facts(player_count=7, banker_count=4, player_cards=2, banker_cards=3)
SIX_CARDS = Facts(player_count=7, banker_count=4, player_cards=3, banker_cards=3)

EVERY_BANKER_WIN = [
    Facts(player, banker, player_cards, banker_cards)
    for banker in range(1, 10)
    for player in range(banker)
    for player_cards in (2, 3)
    for banker_cards in (2, 3)
]


def plain(**elections: Any) -> TableRules:
    return table_rules(default_submission(LAW, NJ_MINI, **elections))


def errors(**elections: Any) -> tuple[ErrorDetail, ...]:
    with pytest.raises(SubmissionError) as refused:
        plain(**elections)
    return refused.value.errors


def one(rules: TableRules, facts: Facts, wager: str, cents: int) -> Settled:
    (settled,) = settle(rules, facts, {(1, wager): Stake(cents)})
    return settled


def total_cards(rate: str = "5%", **elections: Any) -> TableRules:
    return plain(
        vigorish__scheme="total-cards",
        vigorish__rate_unwaived=rate,
        wagers__total_cards__offered=True,
        **elections,
    )


@pytest.mark.clause("NJ-MINI:7.3(a)")
def test_a_winning_player_wager_is_paid_one_to_one() -> None:
    settled = one(plain(), PLAYER_WINS, "player", 2500)
    assert (settled.won_cents, settled.vigorish_cents) == (2500, 0)


@pytest.mark.clause("NJ-MINI:7.3(a)")
def test_the_licensee_elects_no_other_odds_for_it() -> None:
    (detail,) = errors(wagers__player__pays="2:1")
    assert (detail.where, detail.clauses) == ("wagers.player.pays", ("NJ-MINI:7.3(a)",))


@pytest.mark.clause("NJ-MINI:7.3(f)1")
def test_half_of_an_odd_stake_is_never_cut_to_the_cent() -> None:
    rules = plain(vigorish__scheme="six-pays-half")
    with pytest.raises(ValueError, match=r"\$0\.03 at 1:2 is not a whole number of cents"):
        one(rules, BANKER_WINS_WITH_SIX, "banker", 3)


@pytest.mark.clause("NJ-MINI:7.3(b)")
@pytest.mark.parametrize(("odds", "won"), [("8:1", 4000), ("9:1", 4500), ("17:2", 4250)])
def test_a_winning_tie_bet_is_paid_eight_to_one_or_more(odds: str, won: int) -> None:
    settled = one(plain(wagers__tie__pays=odds), EQUAL, "tie", 500)
    assert (settled.won_cents, settled.vigorish_cents) == (won, 0)


@pytest.mark.clause("NJ-MINI:7.3(b)")
@pytest.mark.parametrize("odds", ["7:1", "15:2", "79:10"])
def test_less_than_eight_to_one_for_the_tie_is_refused(odds: str) -> None:
    (detail,) = errors(wagers__tie__pays=odds)
    assert (detail.where, detail.clauses) == ("wagers.tie.pays", ("NJ-MINI:7.3(b)",))


@pytest.mark.clause("NJ-MINI:7.3(c)#1")
@pytest.mark.parametrize("scheme", ["5%", "4%", "tie-25%"])
def test_every_banker_win_is_paid_one_to_one(scheme: str) -> None:
    rules = plain(vigorish__scheme=scheme)
    assert {one(rules, facts, "banker", 10000).won_cents for facts in EVERY_BANKER_WIN} == {10000}


@pytest.mark.clause("NJ-MINI:7.3(c)#2")
@pytest.mark.parametrize(("scheme", "vigorish"), [("5%", 500), ("4%", 400)])
def test_four_or_five_percent_of_the_amount_won_is_taken_from_every_banker_win(
    scheme: str, vigorish: int
) -> None:
    rules = plain(vigorish__scheme=scheme)
    taken = {one(rules, facts, "banker", 10000).vigorish_cents for facts in EVERY_BANKER_WIN}
    assert taken == {vigorish}


@pytest.mark.clause("NJ-MINI:7.3(c)#2")
@pytest.mark.parametrize("facts", [PLAYER_WINS, EQUAL])
def test_no_vigorish_is_taken_from_a_banker_wager_that_does_not_win(facts: Facts) -> None:
    assert one(plain(), facts, "banker", 10000).vigorish_cents == 0


@pytest.mark.clause("NJ-MINI:7.3(c)#2")
@pytest.mark.parametrize("scheme", ["3%", "6%", "4.5%", "none"])
def test_no_other_percentage_is_offered(scheme: str) -> None:
    (detail,) = errors(vigorish__scheme=scheme)
    assert detail.where == "vigorish.scheme"
    assert "NJ-MINI:7.3(c)#2" in detail.clauses


@pytest.mark.clause("NJ-MINI:7.3(c)1")
@pytest.mark.parametrize(
    ("scheme", "won", "vigorish"),
    [
        pytest.param("5%", 700, 35, id="a multiple stays: 35 cents"),
        pytest.param("5%", 720, 40, id="36 cents"),
        pytest.param("5%", 710, 40, id="35 and a half"),
        pytest.param("5%", 701, 40, id="35 and a twentieth"),
        pytest.param("5%", 20, 5, id="one cent"),
        pytest.param("5%", 1, 5, id="a twentieth of a cent"),
        pytest.param("5%", 100, 5, id="five cents"),
        pytest.param("4%", 700, 30, id="28 cents"),
        pytest.param("4%", 650, 30, id="26 cents, nearer to 25"),
        pytest.param("4%", 125, 5, id="five cents at four percent"),
        pytest.param("4%", 10000, 400, id="four dollars"),
    ],
)
def test_rounded_vigorish_goes_up_to_the_next_five_cents(
    scheme: str, won: int, vigorish: int
) -> None:
    rules = plain(vigorish__scheme=scheme, vigorish__rounded=True)
    assert one(rules, BANKER_WINS, "banker", won).vigorish_cents == vigorish


@pytest.mark.clause("NJ-MINI:7.3(c)1")
@pytest.mark.parametrize(("scheme", "won", "vigorish"), [("5%", 720, 36), ("4%", 700, 28)])
def test_a_licensee_who_does_not_round_takes_vigorish_to_the_cent(
    scheme: str, won: int, vigorish: int
) -> None:
    rules = plain(vigorish__scheme=scheme, vigorish__rounded=False)
    assert one(rules, BANKER_WINS, "banker", won).vigorish_cents == vigorish


@pytest.mark.clause("NJ-MINI:7.3(c)1")
def test_vigorish_that_is_not_rounded_is_never_cut_to_the_cent() -> None:
    rules = plain(vigorish__rounded=False)
    assert rules.offers["banker"].unit_cents == 20
    with pytest.raises(ValueError, match="is not a whole number of cents"):
        one(rules, BANKER_WINS, "banker", 710)


@pytest.mark.clause("NJ-MINI:7.3(c)1")
def test_vigorish_is_rounded_for_each_wager_by_itself() -> None:
    rules = plain(vigorish__rounded=True)
    stakes = {(seat, "banker"): Stake(720) for seat in (1, 2, 3)}
    taken = [settled.vigorish_cents for settled in settle(rules, BANKER_WINS, stakes)]
    assert taken == [40, 40, 40]


@pytest.mark.clause("NJ-MINI:7.3(c)2#1")
@pytest.mark.parametrize(("collection", "deferred"), [("at-once", False), ("deferred", True)])
def test_the_licensee_collects_vigorish_at_once_or_defers_it(
    collection: str,
    deferred: bool,  # noqa: FBT001
) -> None:
    assert plain(vigorish__collection=collection).vigorish.deferred is deferred


@pytest.mark.clause("NJ-MINI:7.3(c)2#1")
def test_there_is_no_third_way_to_collect_vigorish() -> None:
    (detail,) = errors(vigorish__collection="never")
    assert (detail.where, detail.clauses) == ("vigorish.collection", ("NJ-MINI:7.3(c)2#1",))


@pytest.mark.clause("NJ-MINI:7.3(d)#1")
def test_on_equal_counts_every_player_is_charged_a_quarter_of_his_banker_wager() -> None:
    rules = plain(vigorish__scheme="tie-25%")
    stakes = {(1, "banker"): Stake(10000), (2, "banker"): Stake(2500), (2, "player"): Stake(900)}
    settled = settle(rules, EQUAL, stakes)
    assert [one.vigorish_cents for one in settled] == [2500, 625, 0]
    assert {one.decision.outcome for one in settled} == {Outcome.PUSH}


@pytest.mark.clause("NJ-MINI:7.3(d)#1")
def test_a_quarter_is_never_cut_to_the_cent() -> None:
    rules = plain(vigorish__scheme="tie-25%")
    assert one(rules, EQUAL, "banker", 4).vigorish_cents == 1
    for stake in (1, 2, 3, 5):
        with pytest.raises(ValueError, match=r"vigorish on .* is not a whole number of cents"):
            one(rules, EQUAL, "banker", stake)


@pytest.mark.clause("NJ-MINI:7.3(d)#1")
def test_a_quarter_is_charged_on_equal_counts_alone() -> None:
    rules = plain(vigorish__scheme="tie-25%")
    assert one(rules, PLAYER_WINS, "banker", 10000).vigorish_cents == 0


@pytest.mark.clause("NJ-MINI:7.3(d)#3")
def test_with_vigorish_on_ties_none_is_taken_from_any_banker_win() -> None:
    rules = plain(vigorish__scheme="tie-25%")
    assert {one(rules, facts, "banker", 10000).vigorish_cents for facts in EVERY_BANKER_WIN} == {0}


@pytest.mark.clause("NJ-MINI:7.3(d)#3")
def test_with_vigorish_on_ties_there_is_nothing_to_round_or_to_defer() -> None:
    refused = errors(
        vigorish__scheme="tie-25%", vigorish__rounded=True, vigorish__collection="deferred"
    )
    assert {detail.where for detail in refused} == {"vigorish.rounded", "vigorish.collection"}


@pytest.mark.clause("NJ-MINI:7.3(e)#2")
@pytest.mark.parametrize(
    ("scheme", "facts", "rate"),
    [
        ("5%", BANKER_WINS, Fraction(1, 20)),
        ("4%", BANKER_WINS, Fraction(1, 25)),
        ("tie-25%", EQUAL, Fraction(1, 4)),
    ],
)
def test_vigorish_is_of_one_kind_and_rate_for_every_player(
    scheme: str, facts: Facts, rate: Fraction
) -> None:
    stakes = {(seat, "banker"): Stake(10000 * seat) for seat in range(1, 8)}
    settled = settle(plain(vigorish__scheme=scheme), facts, stakes)
    assert {Fraction(one.vigorish_cents, one.stake.cents) for one in settled} == {rate}


@pytest.mark.clause("NJ-MINI:7.3(f)#1")
def test_both_ways_to_play_without_vigorish_at_once_are_refused() -> None:
    (detail,) = errors(vigorish__scheme=["six-pays-half", "total-cards"])
    assert detail.where == "vigorish.scheme"
    assert "NJ-MINI:7.3(f)#1" in detail.clauses


@pytest.mark.clause("NJ-MINI:7.3(f)#1")
def test_either_way_pays_banker_one_to_one_without_vigorish() -> None:
    settled = one(plain(vigorish__scheme="six-pays-half"), BANKER_WINS, "banker", 10000)
    assert (settled.won_cents, settled.vigorish_cents) == (10000, 0)
    stakes = {(1, "banker"): Stake(10000), (1, "six_cards"): Stake(10000)}
    settled = settle(total_cards(), BANKER_WINS, stakes)[0]
    assert (settled.won_cents, settled.vigorish_cents) == (10000, 0)


@pytest.mark.clause("NJ-MINI:7.3(f)1")
@pytest.mark.parametrize("facts", [BANKER_WINS_WITH_SIX, BANKER_WINS_WITH_THREE_CARD_SIX])
def test_a_banker_win_with_six_is_paid_one_to_two_and_costs_no_vigorish(facts: Facts) -> None:
    settled = one(plain(vigorish__scheme="six-pays-half"), facts, "banker", 10000)
    assert (settled.won_cents, settled.vigorish_cents) == (5000, 0)


@pytest.mark.clause("NJ-MINI:7.3(f)1")
def test_every_other_banker_win_is_paid_one_to_one_there() -> None:
    rules = plain(vigorish__scheme="six-pays-half")
    others = [facts for facts in EVERY_BANKER_WIN if facts.banker_count != 6]
    settled = [one(rules, facts, "banker", 10000) for facts in others]
    assert {(each.won_cents, each.vigorish_cents) for each in settled} == {(10000, 0)}


@pytest.mark.clause("NJ-MINI:7.3(f)1")
def test_banker_with_six_that_does_not_win_is_not_paid() -> None:
    rules = plain(vigorish__scheme="six-pays-half")
    assert one(rules, Facts(7, 6, 3, 2), "banker", 10000).decision.outcome is Outcome.LOSE
    assert one(rules, Facts(6, 6, 3, 2), "banker", 10000).decision.outcome is Outcome.PUSH


@pytest.mark.clause("NJ-MINI:7.3(f)1")
def test_under_the_ordinary_schemes_a_banker_win_with_six_is_paid_in_full() -> None:
    assert one(plain(), BANKER_WINS_WITH_SIX, "banker", 10000).won_cents == 10000


@pytest.mark.clause("NJ-MINI:7.3(f)2")
@pytest.mark.parametrize(
    ("others", "vigorish"),
    [
        pytest.param({}, 500, id="none"),
        pytest.param({"four_cards": 9998}, 500, id="a little less"),
        pytest.param({"four_cards": 10000}, 0, id="as much"),
        pytest.param({"five_cards": 12000}, 0, id="more"),
        pytest.param({"four_cards": 3000, "five_cards": 3000, "six_cards": 4000}, 0, id="together"),
        pytest.param({"four_cards": 3000, "five_cards": 3000, "six_cards": 3900}, 500, id="short"),
        pytest.param({"tie": 10000, "player": 10000}, 500, id="other wagers do not count"),
    ],
)
def test_vigorish_is_waived_where_total_cards_wagers_reach_the_banker_wager(
    others: dict[str, int], vigorish: int
) -> None:
    stakes = {(1, "banker"): Stake(10000)}
    stakes |= {(1, wager): Stake(cents) for wager, cents in others.items()}
    settled = settle(total_cards(), BANKER_WINS, stakes)[0]
    assert (settled.won_cents, settled.vigorish_cents) == (10000, vigorish)
    assert settled.waived is (vigorish == 0)


@pytest.mark.clause("NJ-MINI:7.3(f)2")
@pytest.mark.parametrize("other", [1, 3])
def test_nobody_elses_total_cards_wagers_waive_vigorish(other: int) -> None:
    stakes = {(2, "banker"): Stake(10000), (other, "four_cards"): Stake(10000)}
    settled = settle(total_cards(), BANKER_WINS, stakes)[0]
    assert (settled.vigorish_cents, settled.waived) == (500, False)


@pytest.mark.clause("NJ-MINI:7.3(f)2")
@pytest.mark.parametrize("scheme", ["4%", "5%"])
def test_total_cards_wagers_waive_no_vigorish_where_that_way_was_not_chosen(scheme: str) -> None:
    rules = plain(vigorish__scheme=scheme, wagers__total_cards__offered=True)
    stakes = {(1, "banker"): Stake(10000), (1, "four_cards"): Stake(20000)}
    settled = settle(rules, BANKER_WINS, stakes)[0]
    assert (settled.vigorish_cents, settled.waived) == (400 if scheme == "4%" else 500, False)


@pytest.mark.clause("NJ-MINI:7.3(f)2")
@pytest.mark.parametrize("facts", [PLAYER_WINS, EQUAL])
def test_nothing_is_waived_on_a_banker_wager_that_owes_nothing(facts: Facts) -> None:
    stakes = {(1, "banker"): Stake(10000), (1, "four_cards"): Stake(20000)}
    settled = settle(total_cards(), facts, stakes)[0]
    assert (settled.vigorish_cents, settled.waived) == (0, False)


@pytest.mark.clause("NJ-MINI:7.3(f)2")
def test_a_single_cent_of_vigorish_is_waived_like_any_other() -> None:
    stakes = {(1, "banker"): Stake(20), (1, "four_cards"): Stake(20)}
    settled = settle(total_cards(vigorish__rounded=False), BANKER_WINS, stakes)[0]
    assert (settled.vigorish_cents, settled.waived) == (0, True)


@pytest.mark.clause("NJ-MINI:7.3(f)2")
def test_one_players_total_cards_wagers_waive_nobody_elses_vigorish() -> None:
    stakes = {
        (1, "banker"): Stake(10000),
        (1, "four_cards"): Stake(20000),
        (2, "banker"): Stake(10000),
    }
    settled = settle(total_cards(), BANKER_WINS, stakes)
    assert [one.vigorish_cents for one in settled] == [0, 0, 500]


@pytest.mark.clause("NJ-MINI:7.3(f)2")
@pytest.mark.parametrize(("rate", "vigorish"), [("4%", 400), ("5%", 500)])
def test_who_does_not_earn_the_waiver_pays_the_ordinary_vigorish(rate: str, vigorish: int) -> None:
    assert one(total_cards(rate), BANKER_WINS, "banker", 10000).vigorish_cents == vigorish


@pytest.mark.clause("NJ-MINI:7.3(f)2")
def test_the_waiver_without_total_cards_wagers_is_refused() -> None:
    (detail,) = errors(vigorish__scheme="total-cards", wagers__total_cards__offered=False)
    assert detail.clauses == ("NJ-MINI:7.3(f)2",)


@pytest.mark.clause("NJ-MINI:7.3(g)#1", "NJ-MINI:7.3(g)#2", "NJ-MINI:7.3(g)#3")
@pytest.mark.parametrize(
    ("wager", "facts", "won"),
    [
        ("four_cards", FOUR_CARDS, 1500),
        ("five_cards", FIVE_CARDS, 2000),
        ("six_cards", SIX_CARDS, 2000),
    ],
)
def test_total_cards_wagers_are_paid_three_to_two_two_to_one_and_two_to_one(
    wager: str, facts: Facts, won: int
) -> None:
    settled = one(plain(wagers__total_cards__offered=True), facts, wager, 1000)
    assert (settled.won_cents, settled.vigorish_cents) == (won, 0)


@pytest.mark.clause("NJ-MINI:7.3(g)#1", "NJ-MINI:7.3(g)#2", "NJ-MINI:7.3(g)#3")
@pytest.mark.parametrize(
    ("wager", "clause"),
    [
        ("four_cards", "NJ-MINI:7.3(g)#1"),
        ("five_cards", "NJ-MINI:7.3(g)#2"),
        ("six_cards", "NJ-MINI:7.3(g)#3"),
    ],
)
def test_the_licensee_elects_no_other_odds_for_total_cards(wager: str, clause: str) -> None:
    (detail,) = errors(wagers__total_cards__offered=True, **{f"wagers__{wager}__pays": "3:1"})
    assert detail.clauses == (clause,)


@pytest.mark.clause("NJ-MINI:7.3(h)#1")
@pytest.mark.parametrize("scheme", ["5%", "4%"])
def test_no_vigorish_is_taken_from_a_winning_bonus(scheme: str) -> None:
    rules = plain(vigorish__scheme=scheme, wagers__bonus__offered=True)
    stakes = {(1, "banker"): Stake(10000), (1, "bonus_banker"): Stake(10000)}
    banker, bonus = settle(rules, NATURAL_NINE, stakes)
    assert banker.vigorish_cents > 0
    assert (bonus.won_cents, bonus.vigorish_cents) == (10000, 0)


# The three schedules as they are printed: margins nine down to four, then the natural.
PRINTED = {
    "A": (30, 10, 6, 4, 2, 1, 1),
    "B": (20, 8, 7, 4, 3, 1, 1),
    "C": (30, 10, 4, 4, 2, 2, 1),
}
LINES = ("win_by_9", "win_by_8", "win_by_7", "win_by_6", "win_by_5", "win_by_4", "natural")


@pytest.mark.clause(
    "NJ-MINI:7.3(h)_Paytable_A", "NJ-MINI:7.3(h)_Paytable_B", "NJ-MINI:7.3(h)_Paytable_C"
)
@pytest.mark.parametrize("name", PRINTED)
def test_a_bonus_is_paid_by_the_schedule_elected(name: str) -> None:
    rules = plain(wagers__bonus__offered=True, wagers__bonus__paytable=name)
    *by_margin, natural = PRINTED[name]
    for margin, pays in zip(range(9, 3, -1), by_margin, strict=True):
        ahead = Facts(player_count=9, banker_count=9 - margin, player_cards=3, banker_cards=3)
        assert one(rules, ahead, "bonus_player", 500).won_cents == 500 * pays
        cards_behind = Facts(
            player_count=9 - margin, banker_count=9, player_cards=3, banker_cards=3
        )
        assert one(rules, cards_behind, "bonus_banker", 500).won_cents == 500 * pays
    assert one(rules, NATURAL_NINE, "bonus_banker", 500).won_cents == 500 * natural
    for margin in (9, 4):
        paid = one(rules, Facts(9, 9 - margin, 3, 3), "bonus_player", 500).decision.clauses
        assert f"NJ-MINI:7.3(h)_Paytable_{name}" in paid
        assert sum("_Paytable_" in clause for clause in paid) == 1


@pytest.mark.clause("NJ-MINI:7.3(h)#2")
@pytest.mark.parametrize(
    ("pays", "name"),
    [((30, 10, 6, 4, 2, 1, 2), "A"), ((25, 8, 7, 5, 3, 1, 1), "B"), ((30, 10, 4, 4, 2, 2, 2), "C")],
)
def test_odds_above_a_schedule_cite_the_schedule_that_they_meet(
    pays: tuple[int, ...], name: str
) -> None:
    rules = plain(wagers__bonus__offered=True, wagers__bonus__paytable=schedule(*pays))
    paid = one(rules, NATURAL_NINE, "bonus_banker", 500).decision.clauses
    assert [clause for clause in paid if "_Paytable_" in clause] == [
        f"NJ-MINI:7.3(h)_Paytable_{name}"
    ]


@pytest.mark.clause("NJ-MINI:7.3(h)#2")
def test_a_natural_winner_is_paid_as_a_natural_whatever_its_margin() -> None:
    rules = plain(wagers__bonus__offered=True)
    for player in range(8):
        facts = Facts(player_count=player, banker_count=9, player_cards=2, banker_cards=2)
        assert one(rules, facts, "bonus_banker", 500).won_cents == 500


def schedule(*pays: int) -> dict[str, str]:
    return {line: f"{odds}:1" for line, odds in zip(LINES, pays, strict=True)}


@pytest.mark.clause("NJ-MINI:7.3(h)#2")
@pytest.mark.parametrize(
    "pays",
    [
        pytest.param((30, 10, 6, 4, 2, 1, 1), id="A itself"),
        pytest.param((25, 8, 7, 5, 3, 1, 1), id="better than B"),
        pytest.param((30, 10, 4, 4, 2, 2, 2), id="C with more for the natural"),
        pytest.param((50, 50, 50, 50, 50, 50, 50), id="more on every line"),
    ],
)
def test_a_schedule_at_least_as_good_as_one_of_them_is_accepted(pays: tuple[int, ...]) -> None:
    rules = plain(wagers__bonus__offered=True, wagers__bonus__paytable=schedule(*pays))
    assert rules.offers["bonus_player"].pays == {
        line: Odds(odds, 1) for line, odds in zip(LINES, pays, strict=True)
    }


@pytest.mark.clause("NJ-MINI:7.3(h)#2")
@pytest.mark.parametrize(
    "pays",
    [
        pytest.param((29, 10, 6, 4, 2, 1, 1), id="A but for nine"),
        pytest.param((20, 8, 6, 4, 3, 1, 1), id="B but for seven"),
        pytest.param((30, 10, 4, 4, 1, 2, 1), id="C but for five"),
        pytest.param(
            (20, 10, 6, 4, 2, 2, 1), id="better than each somewhere, than none throughout"
        ),
    ],
)
def test_a_schedule_below_all_three_is_refused(pays: tuple[int, ...]) -> None:
    (detail,) = errors(wagers__bonus__offered=True, wagers__bonus__paytable=schedule(*pays))
    assert (detail.where, detail.clauses) == ("wagers.bonus.paytable", ("NJ-MINI:7.3(h)#2",))
    assert "less than every pay table" in detail.message


@pytest.mark.clause("NJ-MINI:7.3(h)#2")
@pytest.mark.parametrize(
    "paytable", ["D", {"win_by_9": "30:1"}, schedule(30, 10, 6, 4, 2, 1, 1) | {"win_by_3": "1:1"}]
)
def test_a_schedule_with_other_lines_is_refused(paytable: object) -> None:
    (detail,) = errors(wagers__bonus__offered=True, wagers__bonus__paytable=paytable)
    assert (detail.where, detail.clauses) == ("wagers.bonus.paytable", ("NJ-MINI:7.3(h)#2",))


@pytest.mark.clause("NJ-MINI:7.3(i)#1")
def test_in_the_dragon_7_variation_no_vigorish_is_taken_at_all() -> None:
    rules = plain(vigorish__scheme="dragon-7")
    facts = (*EVERY_BANKER_WIN, EQUAL, PLAYER_WINS)
    assert {one(rules, each, "banker", 10000).vigorish_cents for each in facts} == {0}


@pytest.mark.clause("NJ-MINI:7.3(i)#2")
def test_a_winning_three_card_seven_alone_pushes_the_banker_wager() -> None:
    rules = plain(vigorish__scheme="dragon-7")
    pushes = {
        facts
        for facts in EVERY_BANKER_WIN
        if one(rules, facts, "banker", 100).decision.outcome is Outcome.PUSH
    }
    assert pushes == {
        facts for facts in EVERY_BANKER_WIN if facts.banker_count == 7 and facts.banker_cards == 3
    }
    assert one(rules, DRAGON_7, "banker", 10000).won_cents == 0
    assert one(rules, TWO_CARD_SEVEN, "banker", 10000).won_cents == 10000


@pytest.mark.clause("NJ-MINI:7.3(j)")
@pytest.mark.parametrize(("odds", "won"), [("40:1", 20000), ("45:1", 22500)])
def test_a_winning_dragon_7_wager_is_paid_forty_to_one_or_more(odds: str, won: int) -> None:
    rules = plain(vigorish__scheme="dragon-7", wagers__dragon_7__pays=odds)
    settled = one(rules, DRAGON_7, "dragon_7", 500)
    assert (settled.won_cents, settled.vigorish_cents) == (won, 0)


@pytest.mark.clause("NJ-MINI:7.3(j)")
@pytest.mark.parametrize("odds", ["39:1", "79:2"])
def test_less_than_forty_to_one_is_refused(odds: str) -> None:
    (detail,) = errors(vigorish__scheme="dragon-7", wagers__dragon_7__pays=odds)
    assert (detail.where, detail.clauses) == ("wagers.dragon_7.pays", ("NJ-MINI:7.3(j)",))
