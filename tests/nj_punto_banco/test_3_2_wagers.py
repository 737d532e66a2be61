"""19:47-3.2: the wagers, how each is decided, which stand beside which, and how they are made."""

from typing import Any

import pytest

from croupier import acts
from croupier.acts import (
    ChipsBought,
    ResultAnnounced,
    StakesReleased,
    VerbalWagerConfirmed,
    WagerPaid,
    WagerPlaced,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Coup, Facts, Hand
from croupier.rules import Outcome
from support.cases import each
from support.punto_banco import call, deal, errors_of, ready, rules_of
from support.table import every, only, refused, wager

pytestmark = pytest.mark.under("us-nj/punto-banco@2011-02-22")

WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH
BASE = {"player", "banker", "tie"}
TOTAL_CARDS = {"four_cards", "five_cards", "six_cards"}
BONUS = {"bonus_player", "bonus_banker"}
# As the printed text begins a clause of the wagers.
A = "NJ-PB:3.2(a)"


def decided(wager_id: str, facts: Facts, **elections: Any) -> tuple[Outcome, list[str]]:
    """How a table decides a wager, and the clauses of 3.2 by which it does."""
    decision = rules_of(**elections).offers[wager_id].decide(facts)
    own = [clause for clause in decision.clauses if clause.startswith("NJ-PB:3.2")]
    return decision.outcome, own


def totals(player: int, banker: int) -> Facts:
    """Two hands of three cards, that no variation singles out unless Banker has seven."""
    return Facts(player, banker, 3, 3)


HIGHER = [(player, banker) for player in range(10) for banker in range(10) if player != banker]


# --- (a)1 to (a)3: Banker, Player, Tie ---------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.2(a)1", "NJ-PB:3.2(a)2", "NJ-PB:3.2(a)3")
def test_every_table_takes_wagers_on_banker_player_and_tie_and_the_plain_game_no_others() -> None:
    assert set(rules_of().offers) == BASE
    session = ready()
    wager(session, (1, "banker", 10_000), (1, "player", 10_000), (1, "tie", 10_000))
    assert {name for _, name in session.state.stakes} == BASE


@pytest.mark.clause("NJ-PB:3.2(a)1.i", "NJ-PB:3.2(a)1.ii")
@each(("player", "banker"), HIGHER)
def test_a_banker_wager_goes_by_the_higher_count(player: int, banker: int) -> None:
    expected = (WIN, [A + "1.i"]) if banker > player else (LOSE, [A + "1.ii"])
    assert decided("banker", totals(player, banker)) == expected


@pytest.mark.clause("NJ-PB:3.2(a)2.i", "NJ-PB:3.2(a)2.ii")
@each(("player", "banker"), HIGHER)
def test_a_player_wager_goes_by_the_higher_count(player: int, banker: int) -> None:
    expected = (WIN, [A + "2.i"]) if player > banker else (LOSE, [A + "2.ii"])
    assert decided("player", totals(player, banker)) == expected


@pytest.mark.clause("NJ-PB:3.2(a)1.iii", "NJ-PB:3.2(a)2.iii", "NJ-PB:3.2(a)3")
@pytest.mark.parametrize("count", range(10))
def test_equal_counts_void_banker_and_player_and_win_the_tie(count: int) -> None:
    assert decided("banker", totals(count, count)) == (PUSH, [A + "1.iii"])
    assert decided("player", totals(count, count)) == (PUSH, [A + "2.iii"])
    assert decided("tie", totals(count, count)) == (WIN, [A + "3"])


@pytest.mark.clause("NJ-PB:3.2(a)3")
@each(("player", "banker"), HIGHER)
def test_unequal_counts_lose_the_tie(player: int, banker: int) -> None:
    assert decided("tie", totals(player, banker)) == (LOSE, [A + "3"])


@pytest.mark.clause("NJ-PB:3.2(a)1.iii", "NJ-PB:3.2(a)2.iii")
def test_void_wagers_go_back_whole_and_cost_no_vigorish_under_any_scheme() -> None:
    for scheme in ("5%", "4%", "six-pays-half", "dragon-7"):
        session = ready(1, vigorish__scheme=scheme)
        wager(session, (1, "banker", 10_000), (1, "player", 10_000))
        deal(session, "7h 7d Kh Ks")
        released = only(session.execute(acts.SettleWagers()), StakesReleased)
        assert released.clauses == ("NJ-PB:3.2(a)2.iii", "NJ-PB:3.2(a)1.iii")
        assert session.state.seats[1].chips_cents == 1_000_000


@pytest.mark.clause("NJ-PB:3.2(a)1.iii", "NJ-PB:3.3(c)#2")
def test_a_quarter_on_ties_is_no_vigorish_of_this_game() -> None:
    (detail,) = errors_of(vigorish__scheme="tie-25%")
    assert detail.where == "vigorish.scheme"
    # What the choice would have to stand on: the two rates, and the ways to play without any.
    assert {"NJ-PB:3.3(c)#2", "NJ-PB:3.3(e)#1", "NJ-PB:3.3(h)#1"} <= set(detail.clauses)
    (unknown,) = errors_of(vigorish__tie_rate="25%")
    assert (unknown.where, "this regulation has no rule" in unknown.message) == (
        "vigorish.tie_rate",
        True,
    )
    assert "NJ-PB:3.3(c)#2" in unknown.clauses


# --- (a)4: total cards -------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.2(a)4")
def test_the_licensee_decides_whether_wagers_on_the_number_of_cards_are_offered() -> None:
    assert set(rules_of(wagers__total_cards__offered=True).offers) == BASE | TOTAL_CARDS
    assert set(rules_of(wagers__total_cards__offered=False).offers) == BASE


@pytest.mark.clause("NJ-PB:3.2(a)4")
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("9h 2d Kh Ks", "four_cards"),
        ("7h 7d Kh Ks", "four_cards"),
        ("7h 2d Kh Ks 3c", "five_cards"),
        ("2h 7d Kh Ks 3c", "five_cards"),
        ("2h 3d Kh Ks 4c 5d", "six_cards"),
    ],
)
def test_one_of_the_three_wins_by_the_number_of_cards_required(cards: str, winner: str) -> None:
    rules = rules_of(wagers__total_cards__offered=True)
    facts = Coup.of(parse_cards(cards), rules.tableau).facts
    for name in TOTAL_CARDS:
        decision = rules.offers[name].decide(facts)
        assert decision.outcome is (WIN if name == winner else LOSE)
        assert "NJ-PB:3.2(a)4" in decision.clauses


@pytest.mark.clause("NJ-PB:3.2(a)4")
def test_a_card_dealt_in_error_that_no_hand_may_have_is_no_card_of_the_total() -> None:
    session = ready(1, wagers__total_cards__offered=True)
    wager(session, (1, "four_cards", 10_000), (1, "five_cards", 10_000))
    deal(session, "7h 7d Kh Kd")
    error = acts.DrawCardInError(Card.of("3c"), disclosed=False, dealt_to=Hand.PLAYER)
    session.execute(error)
    paid = only(session.execute(acts.SettleWagers()), WagerPaid)
    assert (paid.wager, paid.cents) == ("four_cards", 15_000)


# --- (a)5: the bonus ---------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.2(a)5")
def test_the_licensee_decides_whether_the_bonus_is_offered_and_it_is_then_on_either_hand_or_both() -> (
    None
):
    assert set(rules_of(wagers__bonus__offered=True).offers) == BASE | BONUS
    assert set(rules_of(wagers__bonus__offered=False).offers) == BASE
    session = ready(wagers__bonus__offered=True, wagers__bonus__needs_base=False)
    wager(session, (1, "bonus_player", 10_000), (1, "bonus_banker", 10_000))
    assert {name for _, name in session.state.stakes} == BONUS


def bonus_rule(own: int, own_cards: int, other: int, other_cards: int) -> tuple[Outcome, str]:
    """The bonus by the words of the text alone: the outcome, and the sentence it follows from."""
    natural = own_cards == 2 and own >= 8
    other_natural = other_cards == 2 and other >= 8
    if natural and not other_natural:
        return WIN, "5.i#1"
    if natural and other_natural:
        return {(9, 8): (WIN, "5.i#2"), (8, 9): (LOSE, "5.ii#1")}.get((own, other), (PUSH, "5.iii"))
    if own <= other:
        return LOSE, "5.ii#2"
    return (WIN, "5.i#3") if own - other >= 4 else (LOSE, "5.ii#3")


@pytest.mark.clause(
    "NJ-PB:3.2(a)5.i#1",
    "NJ-PB:3.2(a)5.i#2",
    "NJ-PB:3.2(a)5.i#3",
    "NJ-PB:3.2(a)5.ii#1",
    "NJ-PB:3.2(a)5.ii#2",
    "NJ-PB:3.2(a)5.ii#3",
    "NJ-PB:3.2(a)5.iii",
)
def test_a_bonus_is_decided_by_naturals_and_by_the_margin_for_the_very_sentence() -> None:
    offers = rules_of(wagers__bonus__offered=True).offers
    seen = set()
    for own in range(10):
        for other in range(10):
            for own_cards, other_cards in ((2, 2), (2, 3), (3, 2), (3, 3)):
                outcome, sentence = bonus_rule(own, own_cards, other, other_cards)
                seen.add(sentence)
                on_player = offers["bonus_player"].decide(Facts(own, other, own_cards, other_cards))
                on_banker = offers["bonus_banker"].decide(Facts(other, own, other_cards, own_cards))
                assert on_player == on_banker
                sentences = [one for one in on_player.clauses if one.startswith(A)]
                assert (on_player.outcome, sentences) == (outcome, [A + sentence])
    assert len(seen) == 7


@pytest.mark.clause("NJ-PB:3.2(a)5.i#1")
def test_a_winning_bonus_names_its_sentence_when_it_is_paid() -> None:
    session = ready(1, wagers__bonus__offered=True)
    wager(session, (1, "player", 10_000), (1, "bonus_player", 10_000))
    deal(session, "9h 5d Kh Kd")
    (paid,) = [
        event
        for event in every(session.execute(acts.SettleWagers()), WagerPaid)
        if event.wager == "bonus_player"
    ]
    assert [one for one in paid.clauses if one.startswith(A)] == [A + "5.i#1"]


# --- (a)6: dragon 7 ----------------------------------------------------------------------------

DRAGON_7 = Facts(6, 7, 2, 3)


@pytest.mark.clause("NJ-PB:3.2(a)6")
def test_the_dragon_7_wager_is_offered_in_the_variation_without_vigorish_alone() -> None:
    assert set(rules_of(vigorish__scheme="dragon-7").offers) == BASE | {"dragon_7"}
    for scheme in ("5%", "4%", "six-pays-half"):
        assert set(rules_of(vigorish__scheme=scheme).offers) == BASE


@pytest.mark.clause("NJ-PB:3.2(a)6.i")
@pytest.mark.parametrize("player", range(7))
def test_a_dragon_7_hand_voids_the_banker_wager_notwithstanding_the_clause_by_which_it_wins(
    player: int,
) -> None:
    facts = Facts(player, 7, 3, 3)
    assert decided("banker", facts, vigorish__scheme="dragon-7") == (PUSH, [A + "6.i"])
    assert decided("banker", facts) == (WIN, [A + "1.i"])
    two_cards = Facts(player, 7, 3, 2)
    assert decided("banker", two_cards, vigorish__scheme="dragon-7") == (WIN, [A + "1.i"])


@pytest.mark.clause("NJ-PB:3.2(a)6.ii", "NJ-PB:3.3(h)#2")
def test_the_dragon_7_wager_wins_on_a_winning_three_card_seven_and_loses_on_any_other_hand() -> (
    None
):
    wins = {
        Facts(player, banker, player_cards, banker_cards)
        for player in range(10)
        for banker in range(10)
        for player_cards in (2, 3)
        for banker_cards in (2, 3)
        if decided(
            "dragon_7",
            Facts(player, banker, player_cards, banker_cards),
            vigorish__scheme="dragon-7",
        )
        == (WIN, [A + "6.ii"])
    }
    assert wins == {Facts(player, 7, cards, 3) for player in range(7) for cards in (2, 3)}
    lost = decided("dragon_7", Facts(6, 7, 2, 2), vigorish__scheme="dragon-7")
    assert lost == (LOSE, [A + "6.ii"])


@pytest.mark.clause("NJ-PB:3.2(a)6.iii")
@pytest.mark.parametrize("beside", ["wagers__total_cards__offered", "wagers__bonus__offered"])
def test_dragon_7_is_offered_neither_beside_total_cards_nor_beside_the_bonus(beside: str) -> None:
    (detail,) = errors_of(vigorish__scheme="dragon-7", **{beside: True})
    assert detail.clauses == ("NJ-PB:3.2(a)6.iii",)


# --- (b): which wagers -------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.2(b)#1")
@pytest.mark.parametrize(
    "other",
    ["four_cards", "bonus_player", "dragon_7", "panda_8", "house_money", "royal_9", "pair"],
)
def test_no_wager_is_taken_that_is_not_on_offer(other: str) -> None:
    session = ready()
    refusal = refused(session, acts.PlaceWager(1, other, 10_000), "not_offered")
    assert refusal.clauses == ("NJ-PB:3.2(b)#1",)
    together = acts.PlaceWagers(1, {"player": 10_000, other: 10_000})
    assert refused(session, together, "not_offered").clauses == ("NJ-PB:3.2(b)#1",)


@pytest.mark.clause("NJ-PB:3.2(b)#1")
@pytest.mark.parametrize("other", ["wagers__panda_8__pays", "wagers__house_money__offered"])
def test_a_wager_of_another_text_cannot_be_elected(other: str) -> None:
    (detail,) = errors_of(**{other: True})
    assert detail.clauses == ("NJ-PB:3.2(b)#1",)


@pytest.mark.clause("NJ-PB:3.2(b)#2")
def test_a_bonus_needs_a_wager_on_a_hand_where_the_licensee_requires_it() -> None:
    session = ready(wagers__bonus__offered=True, wagers__bonus__needs_base=True)
    bonus = acts.PlaceWager(1, "bonus_banker", 10_000)
    assert refused(session, bonus, "needs_base").clauses == ("NJ-PB:3.2(b)#2",)
    wager(session, (1, "tie", 10_000))
    refused(session, bonus, "needs_base")
    wager(session, (1, "player", 10_000))
    session.execute(bonus)
    taken_back = refused(session, acts.WithdrawWager(1, "player"), "needs_base")
    assert taken_back.clauses == ("NJ-PB:3.2(b)#2",)


@pytest.mark.clause("NJ-PB:3.2(b)#2")
def test_a_bonus_stands_alone_where_the_licensee_does_not_require_another() -> None:
    session = ready(wagers__bonus__offered=True, wagers__bonus__needs_base=False)
    wager(session, (1, "bonus_banker", 10_000))
    (detail,) = errors_of(wagers__bonus__needs_base=True)
    assert detail.clauses == ("NJ-PB:3.2(b)#2",)


# --- (c): how wagers are made ------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.2(c)#1")
def test_wagers_are_made_in_chips_and_a_match_play_coupon_may_lie_beside_them() -> None:
    session = ready(1)
    placed = only(session.execute(acts.PlaceWager(1, "player", 10_000, 10_000)), WagerPlaced)
    assert (placed.cents, placed.coupon_cents) == (10_000, 10_000)
    assert placed.clauses == ("NJ-PB:3.2(c)#1",)
    assert session.state.seats[1].chips_cents == 990_000
    alone = refused(session, acts.PlaceWager(1, "tie", 10_000, 10_001), "coupon")
    assert alone.clauses == ("NJ-PB:3.2(c)#1",)


@pytest.mark.clause("NJ-PB:3.2(c)#1")
@pytest.mark.parametrize(("cents", "code"), [(0, "amount"), (-1, "amount"), (1_000_001, "chips")])
def test_nobody_wagers_more_chips_than_he_has_or_none(cents: int, code: str) -> None:
    refusal = refused(ready(1), acts.PlaceWager(1, "player", cents), code)
    assert refusal.clauses == ("NJ-PB:3.2(c)#1",)


def spoken(*, dealer: bool = True, supervisor: str | None = "Sue") -> acts.PlaceVerbalWager:
    return acts.PlaceVerbalWager(1, "banker", 10_000, dealer, supervisor)


@pytest.mark.clause("NJ-PB:3.2(c)#2")
@pytest.mark.parametrize(("dealer", "supervisor"), [(False, "Sue"), (True, None), (True, "")])
def test_a_verbal_wager_that_dealer_or_casino_supervisor_does_not_confirm_is_none(
    supervisor: str | None,
    *,
    dealer: bool,
) -> None:
    refusal = refused(ready(), spoken(dealer=dealer, supervisor=supervisor), "unconfirmed")
    assert refusal.clauses == ("NJ-PB:3.2(c)#2",)
    assert "dealer and casino supervisor" in refusal.message


@pytest.mark.clause("NJ-PB:3.2(c)#2", "NJ-PB:3.2(c)#3")
def test_a_confirmed_verbal_wager_stands_and_its_cash_is_changed_for_chips_at_once() -> None:
    session = ready(1)
    confirmed, bought, placed = session.execute(spoken())
    assert isinstance(confirmed, VerbalWagerConfirmed)
    assert (confirmed.supervisor, confirmed.clauses) == ("Sue", ("NJ-PB:3.2(c)#2",))
    assert isinstance(bought, ChipsBought)
    assert (bought.cents, bought.clauses) == (10_000, ("NJ-PB:3.2(c)#3",))
    assert isinstance(placed, WagerPlaced)
    # The cash is in the drop, and the chips on the layout: the patron has what he had.
    assert session.ledger.balance("drop") == 1_010_000
    assert session.state.seats[1].chips_cents == 1_000_000


# --- (d): no more bets -------------------------------------------------------------------------


@pytest.mark.clause("NJ-PB:3.2(d)")
@pytest.mark.parametrize("cards", ["", "9h", "9h 8d Kh", "9h 8d Kh Ks"])
@pytest.mark.parametrize(
    "command",
    [
        acts.PlaceWager(1, "tie", 10_000),
        acts.PlaceWager(1, "player", 10_000),
        acts.PlaceWagers(1, {"tie": 10_000}),
        acts.WithdrawWager(1, "player"),
        spoken(),
    ],
    ids=["made", "increased", "together", "withdrawn", "verbal"],
)
def test_no_wager_is_made_increased_or_withdrawn_after_the_call(
    command: acts.Command, cards: str
) -> None:
    session = ready(1)
    wager(session, (1, "player", 10_000))
    call(session)
    deal(session, cards)
    refusal = refused(session, command, "no_more_bets")
    # This text has no ban of its own on touching a wager once a card is out.
    assert refusal.clauses == ("NJ-PB:3.2(d)",)


@pytest.mark.clause("NJ-PB:3.2(d)")
def test_before_the_call_wagers_are_made_increased_and_withdrawn() -> None:
    session = ready(1)
    wager(session, (1, "player", 10_000), (1, "player", 5_000), (1, "tie", 2_000))
    session.execute(acts.WithdrawWager(1, "tie"))
    result = only(deal(session, "9h 8d Kh Ks"), ResultAnnounced)
    assert result.winner is Hand.PLAYER
    assert only(session.execute(acts.SettleWagers()), WagerPaid).cents == 15_000
