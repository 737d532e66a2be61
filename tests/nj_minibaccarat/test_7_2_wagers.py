"""19:47-7.2(a) and (b): the wagers, how each is decided, and which may stand beside which."""

from typing import Any

import pytest

from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Coup, CoupError, Facts
from croupier.law.elect import SubmissionError
from croupier.money.settlement import Stake, settle
from croupier.rules import Outcome, TableRules, default_submission, table_rules
from support.cases import each
from support.texts import NJ_MINI

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

LAW = "us-nj/minibaccarat"
WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH

BASE = {"player", "banker", "tie"}
TOTAL_CARDS = {"four_cards", "five_cards", "six_cards"}
BONUS = {"bonus_player", "bonus_banker"}

PLAYER_9_BANKER_8 = "9h 8d Kh Ks"
PLAYER_8_BANKER_9 = "8h 9d Kh Ks"
PLAYER_8_BANKER_8 = "8h 8d Kh Ks"
PLAYER_9_BANKER_9 = "9h 9d Kh Ks"
PLAYER_7_BANKER_6 = "7h 6d Kh Ks"
PLAYER_6_BANKER_7 = "6h 7d Kh Ks"
PLAYER_7_BANKER_7 = "7h 7d Kh Ks"
BANKER_3_CARD_7_PLAYER_6 = "6h 4d Kh Ks 3c"
BANKER_3_CARD_7_PLAYER_0 = "5h 5d Kh Ks 5c 2d"


def plain(**elections: Any) -> TableRules:
    return table_rules(default_submission(LAW, NJ_MINI, **elections))


def refusals(**elections: Any) -> list[tuple[str, tuple[str, ...]]]:
    with pytest.raises(SubmissionError) as refused:
        plain(**elections)
    return [(detail.where, detail.clauses) for detail in refused.value.errors]


def facts_of(rules: TableRules, cards: str) -> Facts:
    return Coup.of(parse_cards(cards), rules.tableau).facts


def outcome(rules: TableRules, wager: str, cards: str) -> Outcome:
    return rules.offers[wager].decide(facts_of(rules, cards)).outcome


def bonus(own: int, own_cards: int, other: int, other_cards: int) -> tuple[Outcome, Outcome]:
    """Decide the bonus on Player's Hand, and that on Banker's Hand with the hands exchanged."""
    offers = plain(wagers__bonus__offered=True).offers
    on_player = offers["bonus_player"].decide(Facts(own, other, own_cards, other_cards))
    on_banker = offers["bonus_banker"].decide(Facts(other, own, other_cards, own_cards))
    assert on_player == on_banker
    return on_player.outcome, on_banker.outcome


@pytest.mark.clause("NJ-MINI:7.2(a)1", "NJ-MINI:7.2(a)2", "NJ-MINI:7.2(a)3")
def test_every_table_offers_player_banker_and_tie_and_the_plain_game_nothing_else() -> None:
    assert set(plain().offers) == BASE


@pytest.mark.clause("NJ-MINI:7.2(a)1.i")
@pytest.mark.parametrize("cards", [PLAYER_8_BANKER_9, PLAYER_6_BANKER_7, BANKER_3_CARD_7_PLAYER_6])
def test_a_banker_wager_wins_with_the_higher_count(cards: str) -> None:
    assert outcome(plain(), "banker", cards) is WIN


@pytest.mark.clause("NJ-MINI:7.2(a)1.ii")
@pytest.mark.parametrize("cards", [PLAYER_9_BANKER_8, PLAYER_7_BANKER_6])
def test_a_banker_wager_loses_with_the_lower_count(cards: str) -> None:
    assert outcome(plain(), "banker", cards) is LOSE


@pytest.mark.clause("NJ-MINI:7.2(a)1.iii")
@pytest.mark.parametrize("cards", [PLAYER_8_BANKER_8, PLAYER_7_BANKER_7])
def test_a_banker_wager_is_void_on_equal_counts(cards: str) -> None:
    assert outcome(plain(), "banker", cards) is PUSH


@pytest.mark.clause("NJ-MINI:7.2(a)1.iii")
@pytest.mark.parametrize(
    ("scheme", "due_cents"), [("5%", 0), ("4%", 0), ("six-pays-half", 0), ("tie-25%", 2500)]
)
def test_equal_counts_cost_a_quarter_of_the_banker_wager_under_the_tie_scheme_alone(
    scheme: str, due_cents: int
) -> None:
    rules = plain(vigorish__scheme=scheme)
    (settled,) = settle(
        rules, facts_of(rules, PLAYER_7_BANKER_7), {(1, "banker"): Stake(chips_cents=10000)}
    )
    assert settled.decision.outcome is PUSH
    assert (settled.won_cents, settled.vigorish_cents) == (0, due_cents)


@pytest.mark.clause("NJ-MINI:7.2(a)2.i")
@pytest.mark.parametrize("cards", [PLAYER_9_BANKER_8, PLAYER_7_BANKER_6])
def test_a_player_wager_wins_with_the_higher_count(cards: str) -> None:
    assert outcome(plain(), "player", cards) is WIN


@pytest.mark.clause("NJ-MINI:7.2(a)2.ii")
@pytest.mark.parametrize("cards", [PLAYER_8_BANKER_9, PLAYER_6_BANKER_7])
def test_a_player_wager_loses_with_the_lower_count(cards: str) -> None:
    assert outcome(plain(), "player", cards) is LOSE


@pytest.mark.clause("NJ-MINI:7.2(a)2.iii")
@pytest.mark.parametrize("scheme", ["5%", "4%", "tie-25%", "six-pays-half", "dragon-7"])
def test_a_player_wager_is_void_on_equal_counts_and_costs_nothing(scheme: str) -> None:
    rules = plain(vigorish__scheme=scheme)
    (settled,) = settle(
        rules, facts_of(rules, PLAYER_8_BANKER_8), {(1, "player"): Stake(chips_cents=10000)}
    )
    assert settled.decision.outcome is PUSH
    assert (settled.won_cents, settled.vigorish_cents) == (0, 0)


@pytest.mark.clause("NJ-MINI:7.2(a)3")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (PLAYER_7_BANKER_7, WIN),
        (PLAYER_9_BANKER_9, WIN),
        (PLAYER_7_BANKER_6, LOSE),
        (PLAYER_6_BANKER_7, LOSE),
    ],
)
def test_a_tie_wager_wins_on_equal_counts_and_otherwise_loses(
    cards: str, expected: Outcome
) -> None:
    assert outcome(plain(), "tie", cards) is expected


@pytest.mark.clause("NJ-MINI:7.2(a)4")
def test_the_licensee_decides_whether_total_cards_wagers_are_offered() -> None:
    assert set(plain(wagers__total_cards__offered=True).offers) == BASE | TOTAL_CARDS
    assert set(plain(wagers__total_cards__offered=False).offers) == BASE


@pytest.mark.clause("NJ-MINI:7.2(a)4")
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("9h 2d Kh Ks", "four_cards"),
        ("7h 7d Kh Ks", "four_cards"),
        ("7h 2d Kh Ks 3c", "five_cards"),
        ("2h 7d Kh Ks 3c", "five_cards"),
        ("2h 3d Kh Ks 8c", "five_cards"),
        ("2h 3d Kh Ks 4c 5d", "six_cards"),
    ],
)
def test_a_total_cards_wager_wins_by_the_number_of_cards_and_the_others_lose(
    cards: str, winner: str
) -> None:
    rules = plain(wagers__total_cards__offered=True)
    assert {wager for wager in TOTAL_CARDS if outcome(rules, wager, cards) is WIN} == {winner}
    assert {wager for wager in TOTAL_CARDS if outcome(rules, wager, cards) is LOSE} == (
        TOTAL_CARDS - {winner}
    )


@pytest.mark.clause("NJ-MINI:7.2(a)4")
def test_a_card_that_is_not_required_belongs_to_no_hand_and_changes_no_total() -> None:
    rules = plain(wagers__total_cards__offered=True)
    coup = Coup.of(parse_cards("9h 2d Kh Ks"), rules.tableau)
    with pytest.raises(CoupError):
        coup.with_card(Card.of("3c"))
    assert rules.offers["four_cards"].decide(coup.facts).outcome is WIN


@pytest.mark.clause("NJ-MINI:7.2(a)5")
def test_the_licensee_decides_whether_the_bonus_is_offered_on_either_hand_and_on_both() -> None:
    assert set(plain(wagers__bonus__offered=True).offers) == BASE | BONUS
    assert set(plain(wagers__bonus__offered=False).offers) == BASE


@pytest.mark.clause("NJ-MINI:7.2(a)5")
def test_each_bonus_wager_looks_at_its_own_hand() -> None:
    rules = plain(wagers__bonus__offered=True)
    assert outcome(rules, "bonus_player", PLAYER_9_BANKER_8) is WIN
    assert outcome(rules, "bonus_banker", PLAYER_9_BANKER_8) is LOSE
    assert outcome(rules, "bonus_player", PLAYER_8_BANKER_9) is LOSE
    assert outcome(rules, "bonus_banker", PLAYER_8_BANKER_9) is WIN


@pytest.mark.clause("NJ-MINI:7.2(a)5.i#1")
@pytest.mark.parametrize("natural", [8, 9])
@pytest.mark.parametrize("other", range(8))
def test_a_bonus_wins_with_a_natural_against_none_however_small_the_margin(
    natural: int, other: int
) -> None:
    assert bonus(natural, 2, other, 2) == (WIN, WIN)


@pytest.mark.clause("NJ-MINI:7.2(a)5.i#2")
def test_a_bonus_wins_with_a_natural_nine_against_a_natural_eight() -> None:
    assert bonus(9, 2, 8, 2) == (WIN, WIN)


@pytest.mark.clause("NJ-MINI:7.2(a)5.i#3")
@each(
    ("own", "other"), [(own, other) for own in range(10) for other in range(10) if own - other >= 4]
)
def test_a_bonus_on_a_hand_that_is_no_natural_wins_by_four_points_or_more(
    own: int, other: int
) -> None:
    assert bonus(own, 3, other, 3) == (WIN, WIN)


@pytest.mark.clause("NJ-MINI:7.2(a)5.i#3")
def test_a_two_card_seven_is_no_natural_and_wins_by_four_against_three() -> None:
    assert bonus(7, 2, 3, 3) == (WIN, WIN)
    assert bonus(7, 2, 4, 3) == (LOSE, LOSE)


@pytest.mark.clause("NJ-MINI:7.2(a)5.ii#1")
def test_a_bonus_loses_with_a_natural_eight_against_a_natural_nine() -> None:
    assert bonus(8, 2, 9, 2) == (LOSE, LOSE)


@pytest.mark.clause("NJ-MINI:7.2(a)5.ii#2")
@each(("own", "other"), [(own, other) for own in range(10) for other in range(10) if own <= other])
def test_a_bonus_on_a_hand_that_is_no_natural_loses_when_it_is_not_ahead(
    own: int, other: int
) -> None:
    assert bonus(own, 3, other, 3) == (LOSE, LOSE)


@pytest.mark.clause("NJ-MINI:7.2(a)5.ii#2")
@pytest.mark.parametrize("natural", [8, 9])
def test_a_bonus_loses_against_a_natural(natural: int) -> None:
    assert bonus(7, 2, natural, 2) == (LOSE, LOSE)


@pytest.mark.clause("NJ-MINI:7.2(a)5.ii#3")
@each(
    ("own", "other"),
    [(own, other) for own in range(10) for other in range(10) if 1 <= own - other <= 3],
)
def test_a_bonus_on_a_hand_that_is_no_natural_loses_when_ahead_by_three_or_fewer(
    own: int, other: int
) -> None:
    assert bonus(own, 3, other, 3) == (LOSE, LOSE)


@pytest.mark.clause("NJ-MINI:7.2(a)5.ii#3")
@pytest.mark.parametrize("count", [8, 9])
def test_three_cards_of_eight_or_nine_are_no_natural(count: int) -> None:
    assert bonus(count, 3, count - 3, 3) == (LOSE, LOSE)


@pytest.mark.clause("NJ-MINI:7.2(a)5.iii")
@pytest.mark.parametrize("natural", [8, 9])
def test_a_bonus_is_void_between_equal_naturals(natural: int) -> None:
    assert bonus(natural, 2, natural, 2) == (PUSH, PUSH)


@pytest.mark.clause("NJ-MINI:7.2(a)6")
def test_the_dragon_7_wager_is_offered_in_the_dragon_7_variation_alone() -> None:
    assert set(plain(vigorish__scheme="dragon-7").offers) == BASE | {"dragon_7"}
    for scheme in ("5%", "4%", "tie-25%", "six-pays-half"):
        assert "dragon_7" not in plain(vigorish__scheme=scheme).offers


@pytest.mark.clause("NJ-MINI:7.2(a)6.i")
@pytest.mark.parametrize("cards", [BANKER_3_CARD_7_PLAYER_6, BANKER_3_CARD_7_PLAYER_0])
def test_a_dragon_7_hand_voids_the_banker_wager_in_that_variation_and_wins_in_others(
    cards: str,
) -> None:
    assert outcome(plain(vigorish__scheme="dragon-7"), "banker", cards) is PUSH
    assert outcome(plain(vigorish__scheme="5%"), "banker", cards) is WIN


@pytest.mark.clause("NJ-MINI:7.2(a)6.i")
def test_in_that_variation_a_two_card_seven_still_wins_the_banker_wager() -> None:
    assert outcome(plain(vigorish__scheme="dragon-7"), "banker", PLAYER_6_BANKER_7) is WIN


@pytest.mark.clause("NJ-MINI:7.2(a)6.ii")
@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (BANKER_3_CARD_7_PLAYER_6, WIN),
        (BANKER_3_CARD_7_PLAYER_0, WIN),
        pytest.param(PLAYER_6_BANKER_7, LOSE, id="seven with two cards"),
        pytest.param("7h 4d Kh Ks 3c", LOSE, id="three-card seven that ties"),
        pytest.param("2h 4d Kh Ks 6c 3d", LOSE, id="three-card seven that loses"),
        pytest.param("2h 4d Kh Ks 4c 3d", WIN, id="three-card seven against a drawn six"),
        pytest.param("6h 5d Kh Ks 3c", LOSE, id="three-card eight"),
        pytest.param(PLAYER_8_BANKER_9, LOSE, id="natural nine"),
    ],
)
def test_the_dragon_7_wager_wins_on_a_dragon_7_hand_and_loses_on_any_other(
    cards: str, expected: Outcome
) -> None:
    assert outcome(plain(vigorish__scheme="dragon-7"), "dragon_7", cards) is expected


@pytest.mark.clause("NJ-MINI:7.2(a)6.iii")
@pytest.mark.parametrize("beside", ["wagers__total_cards__offered", "wagers__bonus__offered"])
def test_dragon_7_is_offered_neither_beside_total_cards_nor_beside_the_bonus(beside: str) -> None:
    (detail,) = refusals(vigorish__scheme="dragon-7", **{beside: True})
    assert detail[1] == ("NJ-MINI:7.2(a)6.iii",)


@pytest.mark.clause("NJ-MINI:7.2(a)6.iii")
def test_dragon_7_beside_both_is_refused_for_each() -> None:
    errors = refusals(
        vigorish__scheme="dragon-7", wagers__total_cards__offered=True, wagers__bonus__offered=True
    )
    assert [clauses for _, clauses in errors] == [("NJ-MINI:7.2(a)6.iii",)] * 2


@pytest.mark.clause("NJ-MINI:7.2(b)#2")
@pytest.mark.parametrize("needs_base", [True, False])
def test_the_licensee_decides_whether_a_bonus_needs_a_wager_beside_it(needs_base: bool) -> None:  # noqa: FBT001
    rules = plain(wagers__bonus__offered=True, wagers__bonus__needs_base=needs_base)
    assert rules.value("wagers.bonus.needs_base", bool) is needs_base
    assert rules.cites("wagers.bonus.needs_base") == ("NJ-MINI:7.2(b)#2",)


@pytest.mark.clause("NJ-MINI:7.2(b)#2")
def test_where_no_bonus_is_offered_there_is_nothing_to_decide_about_it() -> None:
    assert refusals(wagers__bonus__needs_base=True) == [
        ("wagers.bonus.needs_base", ("NJ-MINI:7.2(b)#2",))
    ]
