"""Sections 9 and 10: third cards by the printed table, how they are dealt, and the last hand."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest

from croupier import acts
from croupier.acts import (
    CardDealt,
    CardsHanded,
    CardsReturned,
    CuttingCardAppeared,
    LastHandCalled,
    PointCountAnnounced,
    ResultAnnounced,
    ShoeCompleted,
    ThirdCardRuled,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import NO_THIRD_CARD, Coup, CoupError, Hand
from croupier.rules import TableRules
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.cases import each
from support.games import advance
from support.massachusetts import (
    PLAYER_9_BANKER_8,
    at,
    deal,
    load_short_shoe,
    ma,
    play,
    ready,
    rules_of,
)
from support.table import due, every, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER

# One card of each value, none of them used twice where a hand of two is built.
OF_VALUE: Final = parse_cards("Kc Ac 2c 3c 4c 5c 6c 7c 8c 9c")
AND_ZERO: Final = Card.of("Qd")

# Table 1 as it is printed: the third cards of Player's Hand on which Banker's Hand draws.
DRAWS_ON: Final = {
    0: range(10),
    1: range(10),
    2: range(10),
    3: [0, 1, 2, 3, 4, 5, 6, 7, 9],  # "unless Player's third card is 8"
    4: range(2, 8),
    5: range(4, 8),
    6: range(6, 8),
    7: [],
}
ROW: Final = {3: "#1", 4: "#2", 5: "#3", 6: "#4", 0: "#5", 1: "#5", 2: "#5", 7: "#5"}
SECTION: Final = dict.fromkeys((3, 4, 5, 6), "10(c)(2)(iii)") | {
    0: "10(c)(2)(i)", 1: "10(c)(2)(i)", 2: "10(c)(2)(i)", 7: "10(c)(2)(ii)",
}  # fmt: skip


@pytest.fixture(scope="module")
def rules() -> TableRules:
    return rules_of()


def start(player: int, banker: int, rules: TableRules) -> Coup:
    """The first four cards: a card of the count and a queen for each hand."""
    cards = (OF_VALUE[player], OF_VALUE[banker], AND_ZERO, AND_ZERO)
    return Coup.of(cards, rules.tableau)


def hand_due(coup: Coup) -> Hand | None:
    return coup.due


def ruled(
    session: TableSession, player: int, banker: int, third: int | None
) -> list[ThirdCardRuled]:
    """Deal a round of these two-card counts, and of that third card of Player's Hand."""
    wager(session, (1, "tie", 100))
    cards = f"{OF_VALUE[player]} {OF_VALUE[banker]} {AND_ZERO} {AND_ZERO}"
    if third is not None:
        cards += f" {OF_VALUE[third]}"
    return every(deal(session, cards), ThirdCardRuled)


# --- 10: who draws -----------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:10(a)", 'MA-MINI:1_"Natural"')
@pytest.mark.parametrize("natural", [8, 9])
@pytest.mark.parametrize("other", range(10))
def test_a_natural_in_either_hand_ends_the_drawing(
    natural: int, other: int, rules: TableRules
) -> None:
    assert start(natural, other, rules).is_complete
    assert start(other, natural, rules).is_complete
    for player, banker in ((natural, other), (other, natural)):
        for ruling in ruled(ready(1), player, banker, None):
            assert not ruling.draws
            assert ruling.clauses == ma("10(a)", '1_"Natural"')


@pytest.mark.clause('MA-MINI:1_"Natural"')
def test_eight_or_nine_on_three_cards_is_no_natural(rules: TableRules) -> None:
    coup = start(1, 3, rules).with_card(OF_VALUE[7])
    assert (coup.facts if coup.is_complete else None, hand_due(coup)) == (None, BANKER)


@pytest.mark.clause("MA-MINI:10(b)(1)", "MA-MINI:10(b)(2)")
@each("player", range(8))
@each("banker", range(8))
def test_players_hand_draws_below_six_and_stays_on_six_and_seven(player: int, banker: int) -> None:
    first = ruled(ready(1), player, banker, None)[0]
    assert (first.hand, first.draws) == (PLAYER, player < 6)
    assert first.clauses == (ma("10(b)(1)") if player < 6 else ma("10(b)(2)"))


@pytest.mark.clause("MA-MINI:10(c)(1)")
@pytest.mark.parametrize("player", [6, 7])
@pytest.mark.parametrize("banker", range(8))
def test_where_player_stays_bankers_hand_draws_on_five_or_less(player: int, banker: int) -> None:
    _, second = ruled(ready(1), player, banker, None)
    assert (second.hand, second.draws) == (BANKER, banker <= 5)
    assert second.clauses == ma("10(c)(1)")


@pytest.mark.clause(
    "MA-MINI:10(c)(2)(i)", "MA-MINI:10(c)(2)(ii)", "MA-MINI:10(c)(2)(iii)",
    "MA-MINI:10_Table_1#1", "MA-MINI:10_Table_1#2", "MA-MINI:10_Table_1#3",
    "MA-MINI:10_Table_1#4", "MA-MINI:10_Table_1#5",
)  # fmt: skip
@each("banker", range(8))
@each("third", range(10))
def test_where_player_draws_bankers_hand_follows_every_cell_of_table_1(
    banker: int, third: int, rules: TableRules
) -> None:
    draws = third in DRAWS_ON[banker]
    for player in range(6):
        coup = start(player, banker, rules).with_card(OF_VALUE[third])
        assert hand_due(coup) is (BANKER if draws else None)
    last = ruled(ready(1), 0, banker, third)[-1]
    assert (last.hand, last.draws) == (BANKER, draws)
    assert last.clauses == ma(SECTION[banker], f"10_Table_1{ROW[banker]}")


@pytest.mark.clause("MA-MINI:10_Table_1#5")
def test_table_1_itself_has_bankers_hand_stay_on_eight_and_nine(rules: TableRules) -> None:
    for banker in (8, 9):
        assert not any(rules.tableau.banker_draws[banker])
    assert not rules.tableau.banker_draws[7][NO_THIRD_CARD]


@pytest.mark.clause("MA-MINI:10(c)(2)(iii)", "MA-MINI:10_Table_1#1")
@pytest.mark.parametrize("ten", ["Th", "Jh", "Qh", "Kh"])
def test_a_ten_or_face_card_of_player_is_a_third_card_of_nothing(
    ten: str, rules: TableRules
) -> None:
    assert hand_due(start(2, 3, rules).with_card(Card.of(ten))) is BANKER
    # Where Player's Hand had stood on six a Banker's four would have drawn.
    assert hand_due(start(2, 4, rules).with_card(Card.of(ten))) is None


@pytest.mark.clause("MA-MINI:9(b)", "MA-MINI:9(d)")
def test_third_cards_are_decided_by_section_10_and_no_hand_gets_two(rules: TableRules) -> None:
    assert rules.value("third.most", int) == 1
    for player, banker in product(range(10), repeat=2):
        for third in OF_VALUE:
            coup = start(player, banker, rules)
            while coup.due is not None:
                coup = coup.with_card(third)
            assert max(len(coup.player), len(coup.banker)) <= 3
            with pytest.raises(CoupError, match="no card is due"):
                coup.with_card(third)


# --- 9 and 8(c)(4), (5): how they are dealt ----------------------------------------------------


@pytest.mark.clause("MA-MINI:9(a)", "MA-MINI:9(b)")
def test_both_counts_are_announced_before_any_third_card_is_decided_on_or_dealt() -> None:
    session = ready(1)
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards("2h 3d Kh Qs"):
        session.execute(acts.DrawCard(card))
    answer = refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")
    assert answer.clauses == ma("9(b)")
    events = [
        *session.execute(acts.TurnHand(PLAYER)),
        *session.execute(acts.TurnHand(BANKER)),
    ]
    kinds = [type(one) for one in events]
    assert kinds == [
        CardsReturned,
        PointCountAnnounced,
        CardsReturned,
        PointCountAnnounced,
        ThirdCardRuled,
    ]
    assert [one.words for one in every(events, PointCountAnnounced)] == ["Player 2", "Banker 3"]


@pytest.mark.clause("MA-MINI:9(c)", "MA-MINI:8(c)(4)", "MA-MINI:8(c)(5)")
def test_third_cards_go_face_down_to_player_first_then_banker_and_come_back_face_up() -> None:
    session = ready(1, 2)
    wager(session, (1, "player", 1_000), (2, "banker", 1_000))
    deal(session, "2h 3d Kh Qs")
    for hand, seat, card, section in (
        (PLAYER, 1, "4c", "8(c)(4)"),
        (BANKER, 2, "5d", "8(c)(5)"),
    ):
        dealt = only(session.execute(acts.DrawCard(Card.of(card))), CardDealt)
        assert (dealt.hand, dealt.ordinal, dealt.face_up) == (hand, 3, False)
        assert dealt.clauses == ma(section)
        # No further card, nor a result, before it has been looked at and has come back.
        refused(session, acts.DrawCard(Card.of("6s")), "no_card_due")
        handed = only(session.execute(acts.HandCards(hand)), CardsHanded)
        assert handed.seat == seat
        assert handed.clauses[:1] == ma(section)
        events = session.execute(acts.ReturnCards(seat, hand))
        returned = only(events, CardsReturned)
        assert (returned.seat, returned.clauses) == (seat, ma(section))
    assert only(events, ResultAnnounced).player_count == 6


@pytest.mark.clause("MA-MINI:9(d)")
def test_a_card_beyond_the_third_is_none_that_a_hand_may_have() -> None:
    session = ready(1)
    wager(session, (1, "tie", 100))
    deal(session, "2h 3d Kh Qs 4c 5d")
    answer = refused(session, acts.DrawCard(Card.of("6s")), "no_card_due")
    assert answer.clauses == ma("9(d)")


# --- 9(e): the cover card, the last hand, one more ---------------------------------------------


@pytest.mark.clause("MA-MINI:9(e)#1", "MA-MINI:9(e)#2", "MA-MINI:9(e)#3")
def test_the_hand_in_which_the_cover_card_appears_is_completed_and_one_more_follows() -> None:
    session = at(Phase.TO_CUT)
    load_short_shoe(session)  # Six cards lie before the cover card.
    first = play(session, PLAYER_9_BANKER_8)
    assert not every(first, CuttingCardAppeared)
    wager(session, (1, "tie", 100))
    events = deal(session, PLAYER_9_BANKER_8)
    appeared = only(events, CuttingCardAppeared)
    assert (appeared.first_of_round, appeared.clauses) == (False, ma("9(e)#1"))
    at_card = events.index(appeared)
    assert len(every(events[:at_card], CardDealt)) == 2
    session.execute(acts.SettleWagers())
    called = only(session.execute(acts.ClearLayout()), LastHandCalled)
    assert (called.words, called.hands, called.clauses) == ("last hand", 1, ma("9(e)#2"))
    last = play(session, PLAYER_9_BANKER_8)
    assert only(last, ShoeCompleted).clauses == ma("9(e)#3")
    for command in (acts.CallNoMoreBets(), acts.DrawCard(Card.of("2h"))):
        assert refused(session, command, "not_now").clauses == ma("9(e)#3")
    assert due(session) == {acts.PerformShuffleStep}


@pytest.mark.clause("MA-MINI:9(e)#1")
@pytest.mark.parametrize("third", [0, 1, 2])
def test_a_cover_card_that_is_the_first_card_of_a_round_lets_that_hand_be_completed_too(
    third: int,
) -> None:
    session = at(Phase.CUT)
    # Two cards are burned; four, five or six are dealt, and the next is the cover card.
    session.execute(acts.InsertCuttingCards(416 - 2 - 4 - third))
    advance(session, Phase.BETTING)
    play(session, {0: PLAYER_9_BANKER_8, 1: "2h 7d Kh Qs 4c", 2: "2h 3d Kh Qs 4c 5d"}[third])
    wager(session, (1, "tie", 100))
    events = deal(session, PLAYER_9_BANKER_8)
    appeared = only(events, CuttingCardAppeared)
    assert (appeared.first_of_round, appeared.clauses) == (True, ma("9(e)#1"))
    session.execute(acts.SettleWagers())
    # This hand is not the last one: the call comes after it, and one more is dealt.
    assert every(session.execute(acts.ClearLayout()), LastHandCalled)
    play(session, PLAYER_9_BANKER_8)
    assert session.state.phase is Phase.SHOE_COMPLETED


@pytest.mark.clause("MA-MINI:9(e)#2", "MA-MINI:9(e)#3")
def test_a_cover_card_behind_the_fourth_card_changes_nothing_for_the_third_cards() -> None:
    session = at(Phase.CUT)
    session.execute(acts.InsertCuttingCards(416 - 2 - 5))
    advance(session, Phase.BETTING)
    wager(session, (1, "tie", 100))
    events = deal(session, "2h 3d Kh Qs 4c 5d")
    assert events.index(only(events, CuttingCardAppeared)) < len(events) - 1
    assert only(events, ResultAnnounced).banker_count == 8
    session.execute(acts.SettleWagers())
    assert every(session.execute(acts.ClearLayout()), LastHandCalled)
