"""Events and refusals name the very sentence at stake, where a rule stands on several."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    CardDrawnInError,
    CardsHanded,
    CardsOffered,
    CardsReturned,
    ChipsBought,
    LosingWagersCollected,
    PatronLeft,
    SettleWagers,
    StakesReleased,
    VerbalWagerConfirmed,
    VigorishCollected,
    VigorishMarked,
    WagerPaid,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table.machine.state import Phase
from support.games import advance
from support.table import at, banker_wins, deal, form, only, owing, ready, refused, steps_of, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

BONUS = "NJ-MINI:7.2(a)5."


def of(prefix: str, clauses: tuple[str, ...]) -> list[str]:
    """The clauses among these that begin so."""
    return [clause for clause in clauses if clause.startswith(prefix)]


# --- 7.2 Wagers --------------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.2(a)5.i#1", "NJ-MINI:7.2(a)5.i#2", "NJ-MINI:7.2(a)5.i#3")
@pytest.mark.parametrize(
    ("cards", "clause"),
    [
        ("9h 5d Kh Ks", "i#1"),  # A natural nine against a five that is none.
        ("9h 8d Kh Ks", "i#2"),  # A natural nine against a natural eight.
        ("7h 2d Kh Ks Kd", "i#3"),  # Seven against two: five points.
    ],
)
def test_a_winning_bonus_names_the_way_in_which_it_won(cards: str, clause: str) -> None:
    session = ready(1, wagers__bonus__offered=True)
    wager(session, (1, "player", 10_000), (1, "bonus_player", 10_000))
    deal(session, cards)
    events = session.execute(SettleWagers())
    (paid,) = (e for e in events if isinstance(e, WagerPaid) and e.wager == "bonus_player")
    assert of(BONUS, paid.clauses) == [BONUS + clause]
    assert of(BONUS, only(events, StakesReleased).clauses) == [BONUS + clause]


@pytest.mark.clause("NJ-MINI:7.2(a)5.ii#1", "NJ-MINI:7.2(a)5.ii#2", "NJ-MINI:7.2(a)5.ii#3")
@pytest.mark.parametrize(
    ("cards", "clause"),
    [
        ("8h 9d Kh Ks", "ii#1"),  # A natural eight against a natural nine.
        ("6h 7d Kh Ks", "ii#2"),  # Six against seven: not ahead.
        ("7h 6d Kh Ks", "ii#3"),  # Seven against six: one point.
    ],
)
def test_a_losing_bonus_names_the_way_in_which_it_lost(cards: str, clause: str) -> None:
    session = ready(1, wagers__bonus__offered=True)
    wager(session, (1, "player", 10_000), (1, "bonus_player", 10_000))
    deal(session, cards)
    collected = only(session.execute(SettleWagers()), LosingWagersCollected)
    assert of(BONUS, collected.clauses) == [BONUS + clause]


@pytest.mark.clause("NJ-MINI:7.2(a)6.i", "NJ-MINI:7.3(i)#2")
def test_a_dragon_7_voids_the_banker_wager_notwithstanding_the_clause_by_which_it_would_win() -> (
    None
):
    session = ready(1, vigorish__scheme="dragon-7")
    wager(session, (1, "banker", 10_000))
    # Player stays on 6; Banker has 5, draws a 2 and wins with three cards and seven.
    deal(session, "6h 5d Kh Ks 2d")
    released = only(session.execute(SettleWagers()), StakesReleased)
    assert released.clauses == ("NJ-MINI:7.3(i)#2", "NJ-MINI:7.2(a)6.i")


# --- 7.3 Vigorish ------------------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.10(b)5", "NJ-MINI:7.3(f)#1", "NJ-MINI:7.3(c)#1")
@pytest.mark.parametrize(
    ("scheme", "paid_under", "without_vigorish"),
    [
        ("5%", "NJ-MINI:7.3(c)#1", False),
        ("six-pays-half", "NJ-MINI:7.3(f)#1", True),
        ("dragon-7", "NJ-MINI:7.3(c)#1", True),
    ],
)
def test_a_banker_win_names_what_it_is_paid_under_and_whether_vigorish_is_left_out(
    scheme: str,
    paid_under: str,
    without_vigorish: bool,  # noqa: FBT001
) -> None:
    session = ready(1, vigorish__scheme=scheme)
    paid = only(banker_wins(session, (1, 10_000)), WagerPaid)
    assert of("NJ-MINI:7.3", paid.clauses) == [paid_under]
    assert ("NJ-MINI:7.10(b)5" in paid.clauses) is without_vigorish


@pytest.mark.clause("NJ-MINI:7.3(c)#2", "NJ-MINI:7.3(c)1", "NJ-MINI:7.3(c)2#1")
@pytest.mark.parametrize("rounded", [True, False])
def test_vigorish_taken_names_its_rate_its_time_and_its_rounding_if_any(rounded: bool) -> None:  # noqa: FBT001
    session = ready(1, vigorish__rounded=rounded)
    taken = only(banker_wins(session, (1, 10_000)), VigorishCollected)
    rounding = ["NJ-MINI:7.3(c)1"] if rounded else []
    assert of("NJ-MINI:7.3", taken.clauses) == [
        "NJ-MINI:7.3(c)#2", *rounding, "NJ-MINI:7.3(c)2#1",
    ]  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.3(f)2", "NJ-MINI:7.3(c)#2")
def test_vigorish_of_a_patron_who_earns_no_waiver_is_the_ordinary_one() -> None:
    session = ready(1, vigorish__scheme="total-cards", wagers__total_cards__offered=True)
    taken = only(banker_wins(session, (1, 10_000)), VigorishCollected)
    assert of("NJ-MINI:7.3", taken.clauses) == [
        "NJ-MINI:7.3(f)2", "NJ-MINI:7.3(c)#2", "NJ-MINI:7.3(c)2#1",
    ]  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.3(c)2#3", "NJ-MINI:7.3(c)2#4", "NJ-MINI:7.3(c)#2")
def test_a_marker_is_placed_under_one_sentence_and_removed_under_the_next() -> None:
    session = ready(1, vigorish__collection="deferred")
    marked = only(banker_wins(session, (1, 10_000)), VigorishMarked)
    assert of("NJ-MINI:7.3", marked.clauses) == [
        "NJ-MINI:7.3(c)#2", "NJ-MINI:7.3(c)2#1", "NJ-MINI:7.3(c)2#3",
    ]  # fmt: skip
    (collected,) = session.execute(acts.CollectVigorish(1))
    assert "NJ-MINI:7.3(c)2#4" in collected.clauses
    assert "NJ-MINI:7.3(c)2#3" not in collected.clauses


@pytest.mark.clause("NJ-MINI:7.3(c)4")
def test_a_patron_who_leaves_is_held_to_the_sentence_about_leaving() -> None:
    session = owing()
    leave = acts.LeaveTable(1)
    assert refused(session, leave, "vigorish_outstanding").clauses == ("NJ-MINI:7.3(c)4",)
    session.execute(acts.CollectVigorish(1))
    # Nothing is owed any more, so the sentence about it is not what lets the patron go.
    assert only(session.execute(leave), PatronLeft).clauses == ()


# --- 7.8 and 7.11 Additional cards; irregularities ---------------------------------------------


@pytest.mark.clause("NJ-MINI:7.8(b)")
@pytest.mark.parametrize("option", ["face-down", "hand-over"])
def test_a_card_drawn_before_the_hands_are_turned_comes_before_the_third_cards_are_decided(
    option: str,
) -> None:
    session = ready(1, deal__option=option)
    deal(session, "2h 3d Kh Ks")
    refusal = refused(session, acts.DrawCard(Card.of("9h")), "no_card_due")
    assert refusal.clauses == ("NJ-MINI:7.8(b)",)


@pytest.mark.clause(
    "NJ-MINI:7.11(a)#1", "NJ-MINI:7.11(a)#2", "NJ-MINI:7.11(b)", "NJ-MINI:7.11(c)#1"
)
@pytest.mark.parametrize(
    ("cards", "disclosed", "clauses"),
    [
        ("6h 5d Kh Ks", True, ["(a)#1"]),  # Player stays on six; Banker draws on five.
        ("6h 7d Kh Ks", False, ["(a)#2"]),  # Banker stays on seven.
        ("6h 7d Kh Ks", True, ["(a)#2", "(c)#1", "(c)#2"]),
        ("2h 7d Kh Ks 3c", False, ["(b)"]),  # A fourth card is no third one.
    ],
)
def test_a_card_dealt_to_player_in_error_names_what_banker_does(
    cards: str,
    disclosed: bool,  # noqa: FBT001
    clauses: list[str],
) -> None:
    session = ready(1)
    deal(session, cards)
    error = acts.DrawCardInError(Card.of("As"), disclosed, Hand.PLAYER)
    drawn = only(session.execute(error), CardDrawnInError)
    assert list(drawn.clauses) == [f"NJ-MINI:7.11{clause}" for clause in clauses]


@pytest.mark.clause("NJ-MINI:7.11(e)#1", "NJ-MINI:7.11(e)#2")
def test_a_void_round_gives_stakes_back_and_nothing_is_dealt_before_the_reshuffle() -> None:
    session = ready(1)
    session.execute(acts.CallNoMoreBets())
    shoe = replace(session.state.shoe, remaining=0, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    released = only(session.execute(acts.VoidRound()), StakesReleased)
    assert released.clauses == ("NJ-MINI:7.11(e)#1",)
    for command in (acts.CallNoMoreBets(), acts.DrawCard(Card.of("9h"))):
        assert refused(session, command, "not_now").clauses == ("NJ-MINI:7.11(e)#2",)


@pytest.mark.clause("NJ-MINI:7.11(f)#2", "NJ-MINI:7.11(f)#3")
def test_a_hand_that_nobody_accepts_falls_to_the_dealer_under_the_sentence_that_says_so() -> None:
    session = ready(1, 2, deal__option="hand-over")
    wager(session, (1, "player", 10_000))
    deal(session, "2h 3d Kh Ks")
    offered = only(session.execute(acts.RelinquishCards(1, Hand.PLAYER)), CardsOffered)
    assert offered.clauses == ("NJ-MINI:7.11(f)#2",)
    offered = only(session.execute(acts.DeclineCards(2, Hand.PLAYER)), CardsOffered)
    assert (offered.seat, offered.clauses) == (None, ("NJ-MINI:7.11(f)#3",))
    (turn,) = (action for action in session.legal() if action.must)
    assert (turn.command, turn.clauses) == (acts.TurnHand, ("NJ-MINI:7.11(f)#3",))
    turned = only(session.execute(acts.TurnHand(Hand.PLAYER)), CardsReturned)
    assert turned.clauses == ("NJ-MINI:7.11(f)#3",)


# --- what may be done next ---------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)3.iii", "NJ-MINI:7.3(c)3.iv#1")
def test_a_form_asks_for_its_drop_and_then_for_the_end_of_the_day_before_the_table_reopens() -> (
    None
):
    session = owing()
    session.execute(form())
    offered = {action.command: action.clauses for action in session.legal()}
    assert offered[acts.DropForm] == ("NJ-MINI:7.3(c)3.iii",)
    assert acts.EndGamingDay not in offered
    session.execute(acts.DropForm(101, "Bo", "Clark"))
    for seat in (1, 2):
        session.execute(acts.LeaveTable(seat))
    session.execute(acts.CloseTable())
    (asked,) = session.legal()
    assert asked.command is acts.EndGamingDay
    assert "NJ-MINI:7.3(c)3.iv#1" in asked.clauses
    session.execute(acts.EndGamingDay("Clark"))
    assert [action.command for action in session.legal()] == [acts.OpenTable]


@pytest.mark.clause("NJ-MINI:7.5(h)1", "NJ-MINI:7.5(h)2#1", "NJ-MINI:7.4(c)", "NJ-MINI:7.4(d)")
@pytest.mark.parametrize(
    ("elections", "opening", "idle"),
    [
        ({}, "NJ-MINI:7.4(c)", "NJ-MINI:7.5(h)1"),
        ({"device": "shuffler", "decks": 16}, "NJ-MINI:7.4(d)", "NJ-MINI:7.5(h)2#1"),
    ],
)
def test_cards_are_gathered_under_the_opening_first_and_the_idle_table_later(
    elections: dict[str, Any], opening: str, idle: str
) -> None:
    session = at(Phase.VIEWED, 1, **elections)
    assert [action.clauses for action in steps_of(session)] == [(opening,)]
    advance(session, Phase.BETTING)
    session.execute(acts.DeclareIdle(face_up=True))
    session.execute(acts.ViewSpread(1))
    assert [action.clauses for action in steps_of(session)] == [(idle,)]


@pytest.mark.clause("NJ-MINI:7.12")
def test_a_continuous_device_is_loaded_under_the_clause_that_replaces_the_shoe() -> None:
    session = at(Phase.TO_LOAD, 1, device="continuous", device__approval="on file")
    assert [action.clauses for action in steps_of(session)] == [("NJ-MINI:7.12",)]


# --- who holds a hand, and whose word makes a wager --------------------------------------------


@pytest.mark.clause("NJ-MINI:7.7(c)3.i#1", "NJ-MINI:7.7(c)3.v#1", "NJ-MINI:7.11(f)#2")
@pytest.mark.parametrize(
    ("stakes", "given_up", "clauses"),
    [
        ((20_000, 10_000), False, ["7.7(c)3.i#1"]),
        ((10_000, 10_000), False, ["7.7(c)3.i#1", "7.7(c)3.v#1"]),
        ((20_000, 10_000), True, ["7.11(f)#2"]),
    ],
)
def test_a_hand_is_handed_over_for_the_wager_for_the_tie_break_or_for_its_relinquishment(
    stakes: tuple[int, int],
    given_up: bool,  # noqa: FBT001
    clauses: list[str],
) -> None:
    session = ready(1, 2, deal__option="hand-over")
    wager(session, (1, "player", stakes[0]), (2, "player", stakes[1]))
    deal(session, "2h 3d Kh Ks")
    if given_up:
        session.execute(acts.RelinquishCards(1, Hand.PLAYER))
        session.execute(acts.AcceptCards(2, Hand.PLAYER))
    handed = only(session.execute(acts.HandCards(Hand.PLAYER)), CardsHanded)
    why = {"7.7(c)3.i#1", "7.7(c)3.v#1", "7.11(f)#2"}
    named = [clause.removeprefix("NJ-MINI:") for clause in handed.clauses]
    assert [clause for clause in named if clause in why] == clauses


@pytest.mark.clause("NJ-MINI:7.2(c)#2", "NJ-MINI:7.2(c)#3")
def test_a_verbal_wager_is_confirmed_by_one_sentence_and_its_cash_changed_by_the_next() -> None:
    session = ready(1)
    spoken = acts.PlaceVerbalWager(1, "player", 10_000, dealer_confirms=True, supervisor="Sue")
    events = session.execute(spoken)
    assert only(events, VerbalWagerConfirmed).clauses == ("NJ-MINI:7.2(c)#2",)
    assert only(events, ChipsBought).clauses == ("NJ-MINI:7.2(c)#3",)
