"""5324.21(f) and (g) for mini baccarat: face up or face down, and hands off the cards."""

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    CardDealt,
    CardsReturned,
    HandCards,
    NoMoreBetsCalled,
    PointCountAnnounced,
    ReturnCards,
    ThirdCardRuled,
    TurnHand,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table import Phase, Refusal
from support.new_york import PLAYER_9_BANKER_8, errors_of, midi, ny, ready, rules_of
from support.table import deal, every, only, refused, wager

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
FOUR_CARDS: Final = "2h 3d Kh Ks"  # Player 2, Banker 3.
HANDS_OFF: Final = ny("(f)(3)(i)(e)", "(i)(5)")
OPTIONS: Final = [
    pytest.param("face-up", "(f)(3)(i)(a)", id="face up"),
    pytest.param("face-down", "(f)(3)(i)(b)", id="face down"),
]


# --- (f)(1), (2), (3): two hands, no more bets, four cards -------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(f)(1)", "NY-MINIMIDI:(f)(3)")
def test_four_cards_make_two_hands_the_first_and_third_players() -> None:
    session = ready(1)
    dealt = every(deal(session, "2h 3d 4s 5c"), CardDealt)
    assert [(card.hand, card.ordinal, str(card.card)) for card in dealt] == [
        (PLAYER, 1, "2h"),
        (BANKER, 1, "3d"),
        (PLAYER, 2, "4s"),
        (BANKER, 2, "5c"),
    ]
    assert all("NY-MINIMIDI:(f)(3)" in card.clauses for card in dealt)
    round_ = session.state.round
    assert round_ is not None
    assert (len(round_.coup.player), len(round_.coup.banker)) == (2, 2)


@pytest.mark.clause("NY-MINIMIDI:(f)(2)")
@pytest.mark.parametrize("table", [ready, midi])
def test_each_round_begins_with_the_call_of_no_more_bets(table: Any) -> None:
    session = table(1)
    refusal = refused(session, acts.DrawCard(Card.of("9h")), "no_card_due")
    assert refusal.clauses == ny("(f)(2)")
    called = only(session.execute(acts.CallNoMoreBets()), NoMoreBetsCalled)
    assert (called.round, called.words, called.clauses) == (1, "no more bets", ny("(f)(2)"))
    session.execute(acts.DrawCard(Card.of("9h")))


# --- (3)(i)(a) and (b): the two ways of mini baccarat ------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(i)(a)", "NY-MINIMIDI:(f)(3)(i)(b)")
@pytest.mark.parametrize(("option", "section"), OPTIONS)
def test_mini_baccarat_is_dealt_face_up_or_face_down(option: str, section: str) -> None:
    rules = rules_of(game="mini", deal__option=option)
    assert rules.cites_for("deal.option", option) == ny(section)
    assert rules.cites_for("game", "mini") == ny("(f)(3)(i)(a)")


@pytest.mark.clause(
    "NY-MINIMIDI:(f)(3)(i)(a)", "NY-MINIMIDI:(f)(3)(i)(b)", "NY-MINIMIDI:(f)(3)(i)(e)"
)
def test_in_mini_baccarat_no_hand_is_handed_over() -> None:
    detail = errors_of(game="mini", deal__option="hand-over")["game"]
    assert detail.clauses == ny("(f)(3)(i)(a)", "(f)(3)(i)(b)", "(f)(3)(i)(e)")
    assert detail.message == (
        "game = mini requires deal.option = face-up or face-down, not hand-over (deal.mini): "
        "in mini baccarat the dealer deals face up or face down, and players touch no card"
    )


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(i)(a)", "NY-MINIMIDI:(f)(3)(ii)(a)")
def test_no_third_game_is_named() -> None:
    detail = errors_of(game="big")["game"]
    assert detail.clauses == ny("(f)(3)(i)(a)", "(f)(3)(ii)(a)")


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(i)(a)", "NY-MINIMIDI:(g)")
def test_face_up_the_cards_are_turned_as_they_are_placed_and_called_with_the_fourth() -> None:
    session = ready(1, deal__option="face-up")
    events = deal(session, FOUR_CARDS)
    dealt = every(events, CardDealt)
    assert [card.face_up for card in dealt] == [True] * 4
    assert {card.clauses for card in dealt} == {ny("(f)(3)", "(f)(3)(i)(a)")}
    assert [type(event) for event in events[-3:]] == [
        PointCountAnnounced,
        PointCountAnnounced,
        ThirdCardRuled,
    ]
    counts = every(events, PointCountAnnounced)
    assert [(one.hand, one.count, one.clauses) for one in counts] == [
        (PLAYER, 2, ny("(g)")),
        (BANKER, 3, ny("(g)")),
    ]
    # There is nothing to turn.
    assert refused(session, TurnHand(PLAYER), "not_next").clauses == ()


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(i)(b)", "NY-MINIMIDI:(g)")
def test_face_down_bankers_cards_are_turned_once_players_hand_is_called() -> None:
    session = ready(1, deal__option="face-down")
    events = deal(session, FOUR_CARDS)
    dealt = every(events, CardDealt)
    assert [card.face_up for card in dealt] == [False] * 4
    assert {card.clauses for card in dealt} == {ny("(f)(3)", "(f)(3)(i)(b)")}
    assert not every(events, PointCountAnnounced)
    assert refused(session, TurnHand(BANKER), "not_next").clauses == ny("(f)(3)(i)(b)")
    refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")

    turned, called = session.execute(TurnHand(PLAYER))
    assert turned == CardsReturned(None, PLAYER, ny("(f)(3)(i)(b)"))
    assert isinstance(called, PointCountAnnounced)
    assert (called.hand, called.count, called.clauses) == (PLAYER, 2, ny("(g)"))
    refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")
    turned, called, *_ = session.execute(TurnHand(BANKER))
    assert turned == CardsReturned(None, BANKER, ny("(f)(3)(i)(b)"))
    assert isinstance(called, PointCountAnnounced)
    assert (called.hand, called.count, called.clauses) == (BANKER, 3, ny("(g)"))


# --- (3)(i)(c), (d) and (g)(1): third cards ----------------------------------------------------


@pytest.mark.clause(
    "NY-MINIMIDI:(f)(3)(i)(c)",
    "NY-MINIMIDI:(f)(3)(i)(d)",
    "NY-MINIMIDI:(g)(1)(i)",
    "NY-MINIMIDI:(g)(1)(ii)",
)
@pytest.mark.parametrize("option", ["face-up", "face-down"])
def test_third_cards_of_mini_baccarat_are_face_up_whatever_the_first_four_were(
    option: str,
) -> None:
    session = ready(1, deal__option=option)
    deal(session, FOUR_CARDS)
    if option == "face-down":
        session.execute(TurnHand(PLAYER))
        session.execute(TurnHand(BANKER))
    player = only(deal(session, "4c"), CardDealt)
    assert (player.hand, player.ordinal, player.face_up) == (PLAYER, 3, True)
    assert player.clauses == ny("(f)(3)(i)(c)", "(g)(1)(i)")
    banker = only(deal(session, "5d"), CardDealt)
    assert (banker.hand, banker.ordinal, banker.face_up) == (BANKER, 3, True)
    assert banker.clauses == ny("(f)(3)(i)(d)", "(g)(1)(ii)")
    assert session.state.phase is Phase.DECIDED


@pytest.mark.clause("NY-MINIMIDI:(g)")
def test_third_cards_are_ruled_on_after_both_counts_have_been_called() -> None:
    events = deal(ready(1), FOUR_CARDS)
    order = [type(event) for event in events]
    assert order.index(ThirdCardRuled) > max(
        number for number, kind in enumerate(order) if kind is PointCountAnnounced
    )


# --- (3)(i)(e) and (i)(5): hands off -----------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(i)(e)", "NY-MINIMIDI:(i)(5)")
@pytest.mark.parametrize("option", ["face-up", "face-down"])
@pytest.mark.parametrize(
    "seat",
    [pytest.param(1, id="the highest bettor"), pytest.param(9, id="a spectator")],
)
@pytest.mark.parametrize("hand", Hand)
def test_in_mini_baccarat_nobody_but_the_dealer_handles_a_card(
    option: str, seat: int, hand: Hand
) -> None:
    session = ready(1, 2, deal__option=option)
    wager(session, (1, "player", 10_000), (1, "banker", 20_000), (2, "banker", 10_000))
    deal(session, FOUR_CARDS)
    assert refused(session, ReturnCards(seat, hand), "hands_off").clauses == HANDS_OFF


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(i)(e)", "NY-MINIMIDI:(i)(5)")
@pytest.mark.parametrize(("option", "code"), [("face-up", "not_next"), ("face-down", "no_holder")])
def test_in_mini_baccarat_no_dealer_hands_a_card_to_a_player(option: str, code: str) -> None:
    session = ready(1, deal__option=option)
    wager(session, (1, "player", 10_000))
    deal(session, FOUR_CARDS)
    refusal = refused(session, HandCards(PLAYER), code)
    # Midi baccarat is the game in which hands are handed over.
    assert refusal.clauses == HANDS_OFF
    offered = {action.command for action in session.legal()}
    assert offered.isdisjoint({HandCards, ReturnCards, acts.RelinquishCards})


@pytest.mark.clause("NY-MINIMIDI:(i)(5)", "NY-MINIMIDI:(f)(3)(i)(e)")
@pytest.mark.parametrize(
    "command",
    [
        acts.RelinquishCards(1, PLAYER),
        acts.RequireRelinquishment(1, PLAYER, "dealer", "delay"),
        acts.AcceptCards(1, PLAYER),
        acts.PermitTurning(1, PLAYER),
        acts.RequestBankerFirst(1),
    ],
)
def test_in_mini_baccarat_there_is_no_right_to_turn_cards(command: acts.Command) -> None:
    session = ready(1, deal__option="face-down")
    wager(session, (1, "player", 10_000))
    deal(session, PLAYER_9_BANKER_8)
    before = session.state
    answer = session.try_execute(command)
    assert session.state is before
    if isinstance(command, acts.RelinquishCards | acts.AcceptCards):
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.clauses) == ("hands_off", HANDS_OFF)
    for hand in (PLAYER, BANKER):
        assert only(session.execute(TurnHand(hand)), CardsReturned).seat is None
