"""5324.21(f) and (g) for midi baccarat: hands go to the highest bettors and come back."""

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    CardDealt,
    CardsHanded,
    CardsReturned,
    HandCards,
    PointCountAnnounced,
    ResultAnnounced,
    ReturnCards,
    ThirdCardRuled,
    TurnHand,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.new_york import CLOCKWISE, COUNTERCLOCKWISE, errors_of, midi, ny, rules_of
from support.table import deal, every, only, refused, wager

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
FOUR_CARDS: Final = "2h 3d Kh Ks"  # Player 2, Banker 3.
HANDED: Final = {PLAYER: "(f)(3)(ii)(b)", BANKER: "(f)(3)(ii)(c)"}


def dealt(
    *wagers: tuple[int, str, int], layout: TableLayout | None = None, cards: str = FOUR_CARDS
) -> TableSession:
    """A midi table with a patron in every seat, these wagers, and the cards face down."""
    session = midi(*range(1, 8), layout=layout)
    wager(session, *wagers)
    deal(session, cards)
    return session


def come_back(session: TableSession, hand: Hand) -> tuple[Any, ...]:
    """Have a hand turned by its holder, or by the dealer; return the events."""
    actions = [action for action in session.legal() if action.must]
    if actions[0].command is TurnHand:
        return session.execute(TurnHand(hand))
    handed = only(session.execute(HandCards(hand)), CardsHanded)
    return session.execute(ReturnCards(handed.seat, hand))


# --- (3)(ii)(a): the first four cards ----------------------------------------------------------


@pytest.mark.clause(
    "NY-MINIMIDI:(f)(3)(ii)(a)", "NY-MINIMIDI:(f)(3)(ii)(b)", "NY-MINIMIDI:(f)(3)(ii)(c)"
)
@pytest.mark.parametrize("option", ["face-up", "face-down"])
def test_in_midi_baccarat_the_hands_must_be_handed_over(option: str) -> None:
    detail = errors_of(game="midi", deal__option=option)["game"]
    assert detail.clauses == ny("(f)(3)(ii)(a)", "(f)(3)(ii)(b)", "(f)(3)(ii)(c)")
    rules = rules_of(game="midi", deal__option="hand-over")
    assert rules.cites_for("game", "midi") == ny("(f)(3)(ii)(a)")


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(a)")
def test_all_four_cards_are_placed_face_down_and_nothing_is_called() -> None:
    session = midi(1)
    events = deal(session, FOUR_CARDS)
    cards = every(events, CardDealt)
    assert [card.face_up for card in cards] == [False] * 4
    assert {card.clauses for card in cards} == {ny("(f)(3)", "(f)(3)(ii)(a)")}
    assert not every(events, PointCountAnnounced)


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(a)")
def test_bankers_hand_stays_under_the_shoe_until_players_hand_is_called() -> None:
    session = dealt((1, "player", 10_000), (2, "banker", 10_000))
    refused(session, HandCards(BANKER), "not_next")
    session.execute(HandCards(PLAYER))
    refused(session, HandCards(BANKER), "not_next")
    refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")
    session.execute(ReturnCards(1, PLAYER))
    refused(session, acts.DrawCard(Card.of("4c")), "no_card_due")
    session.execute(HandCards(BANKER))


# --- (b) and (c): to the highest bettor and back -----------------------------------------------

HIGHEST: Final = [
    pytest.param([(4, "player", 10_000)], 4, id="the only one"),
    pytest.param([(2, "player", 10_000), (5, "player", 10_020)], 5, id="twenty cents is more"),
    pytest.param(
        [(3, "player", 10_000), (6, "tie", 50_000), (6, "banker", 90_000)],
        3,
        id="stakes on anything else do not count",
    ),
    pytest.param(
        [(1, "player", 10_000), (7, "player", 6_000), (7, "player", 6_000)], 7, id="raised wagers"
    ),
]


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(b)", "NY-MINIMIDI:(f)(3)(ii)(c)")
@pytest.mark.parametrize("hand", Hand)
@pytest.mark.parametrize("layout", [COUNTERCLOCKWISE, CLOCKWISE])
@pytest.mark.parametrize(("wagers", "seat"), HIGHEST)
def test_a_hand_goes_to_the_highest_bettor_on_it(
    wagers: list[tuple[int, str, int]], seat: int, layout: TableLayout, hand: Hand
) -> None:
    names = {"player": hand.value, "banker": hand.other.value}
    session = dealt(
        *((at, names.get(name, name), cents) for at, name, cents in wagers), layout=layout
    )
    if hand is BANKER:
        come_back(session, PLAYER)
    handed = only(session.execute(HandCards(hand)), CardsHanded)
    assert (handed.seat, handed.hand, handed.clauses) == (seat, hand, ny(HANDED[hand]))


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(b)", "NY-MINIMIDI:(f)(3)(ii)(c)", "NY-MINIMIDI:(g)")
def test_each_hand_comes_back_face_up_and_is_called() -> None:
    session = dealt((3, "player", 10_000), (4, "banker", 10_000))
    session.execute(HandCards(PLAYER))
    returned, called = session.execute(ReturnCards(3, PLAYER))
    assert returned == CardsReturned(3, PLAYER, ny("(f)(3)(ii)(b)"))
    assert isinstance(called, PointCountAnnounced)
    assert (called.hand, called.count) == (PLAYER, 2)
    assert called.clauses == ny("(g)", "(f)(3)(ii)(b)")
    session.execute(HandCards(BANKER))
    returned, called, ruled = session.execute(ReturnCards(4, BANKER))
    assert returned == CardsReturned(4, BANKER, ny("(f)(3)(ii)(c)"))
    assert isinstance(called, PointCountAnnounced)
    assert (called.hand, called.count) == (BANKER, 3)
    assert called.clauses == ny("(g)", "(f)(3)(ii)(c)")
    assert isinstance(ruled, ThirdCardRuled)


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(b)", "NY-MINIMIDI:(f)(3)(ii)(c)")
@pytest.mark.parametrize(
    ("command", "hand"),
    [
        pytest.param(ReturnCards(4, PLAYER), PLAYER, id="another bettor"),
        pytest.param(ReturnCards(9, PLAYER), PLAYER, id="a spectator"),
        pytest.param(ReturnCards(3, BANKER), BANKER, id="the holder, but the other hand"),
    ],
)
def test_nobody_but_the_holder_handles_the_hand(command: ReturnCards, hand: Hand) -> None:
    session = dealt((3, "player", 10_000), (4, "banker", 10_000))
    session.execute(HandCards(PLAYER))
    # The ban on touching cards is for mini baccarat: here it is the holder who touches them.
    assert refused(session, command, "hands_off").clauses == ny(HANDED[hand])


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(b)")
def test_the_dealer_does_not_turn_a_hand_that_somebody_wagered_on() -> None:
    session = dealt((3, "player", 10_000))
    refused(session, TurnHand(PLAYER), "holder")
    session.execute(HandCards(PLAYER))
    refused(session, TurnHand(PLAYER), "holder")
    refused(session, HandCards(PLAYER), "not_next")


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(3)(i)")
def test_the_dealer_turns_a_hand_that_nobody_wagered_on() -> None:
    session = dealt((3, "banker", 10_000), (5, "tie", 10_000))
    refused(session, HandCards(PLAYER), "no_holder")
    nobody = ny("(f)(3)(ii)(g)(3)(i)")
    (action,) = (action for action in session.legal() if action.must)
    assert (action.command, action.who, action.clauses) == (TurnHand, "dealer", nobody)
    turned, called = session.execute(TurnHand(PLAYER))
    assert turned == CardsReturned(None, PLAYER, nobody)
    assert isinstance(called, PointCountAnnounced)
    assert only(session.execute(HandCards(BANKER)), CardsHanded).seat == 3


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(g)(3)(i)")
def test_he_turns_its_third_card_too() -> None:
    session = dealt((3, "tie", 10_000))
    for hand in (PLAYER, BANKER):
        session.execute(TurnHand(hand))
    for hand, card in ((PLAYER, "4c"), (BANKER, "5d")):
        assert only(deal(session, card), CardDealt).face_up is False
        turned = only(session.execute(TurnHand(hand)), CardsReturned)
        assert (turned.seat, turned.clauses) == (None, ny("(f)(3)(ii)(g)(3)(i)"))
    assert session.state.phase is Phase.DECIDED


# --- (d), (e) and (g)(2): third cards ----------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(d)", "NY-MINIMIDI:(g)(2)(i)", "NY-MINIMIDI:(g)(2)(ii)")
def test_players_third_card_goes_face_down_to_the_same_player_and_comes_back_face_up() -> None:
    session = dealt((3, "player", 10_000), (4, "banker", 20_000))
    come_back(session, PLAYER)
    come_back(session, BANKER)
    third = only(deal(session, "4c"), CardDealt)
    assert (third.hand, third.ordinal, third.face_up) == (PLAYER, 3, False)
    assert third.clauses == ny("(f)(3)(ii)(d)")
    handed = only(session.execute(HandCards(PLAYER)), CardsHanded)
    assert handed.seat == 3
    assert handed.clauses == ny("(f)(3)(ii)(d)", "(g)(2)(i)")
    refused(session, ReturnCards(4, PLAYER), "hands_off")
    # Until it is back nobody knows whether Banker's Hand draws.
    refused(session, acts.DrawCard(Card.of("5d")), "no_card_due")
    returned = only(session.execute(ReturnCards(3, PLAYER)), CardsReturned)
    assert returned == CardsReturned(3, PLAYER, ny("(f)(3)(ii)(d)", "(g)(2)(ii)"))


@pytest.mark.clause(
    "NY-MINIMIDI:(f)(3)(ii)(e)",
    "NY-MINIMIDI:(g)(2)(iii)",
    "NY-MINIMIDI:(g)(2)(iv)",
    "NY-MINIMIDI:(g)(2)(v)",
)
def test_bankers_third_card_goes_face_down_to_the_same_player_and_comes_back_face_up() -> None:
    session = dealt((3, "player", 10_000), (4, "banker", 20_000))
    come_back(session, PLAYER)
    come_back(session, BANKER)
    deal(session, "4c")
    come_back(session, PLAYER)
    third = only(deal(session, "5d"), CardDealt)
    assert (third.hand, third.ordinal, third.face_up) == (BANKER, 3, False)
    assert third.clauses == ny("(f)(3)(ii)(e)", "(g)(2)(iii)")
    handed = only(session.execute(HandCards(BANKER)), CardsHanded)
    assert handed.seat == 4
    assert handed.clauses == ny("(f)(3)(ii)(e)", "(g)(2)(iv)")
    events = session.execute(ReturnCards(4, BANKER))
    returned = only(events, CardsReturned)
    assert returned == CardsReturned(4, BANKER, ny("(f)(3)(ii)(e)", "(g)(2)(v)"))
    # 2 + K + 4 is six, 3 + K + 5 is eight.
    result = only(events, ResultAnnounced)
    assert (result.player_count, result.banker_count, result.winner) == (6, 8, BANKER)


# --- (f): equal wagers -------------------------------------------------------------------------

# The dealer's right-hand neighbour is the first seat counterclockwise: seat 1 where the numbers
# ascend counterclockwise, the highest number where they ascend clockwise.
NEAREST: Final = [
    pytest.param(COUNTERCLOCKWISE, (2, 5, 7), 2, id="counterclockwise"),
    pytest.param(COUNTERCLOCKWISE, (7, 1), 1, id="counterclockwise, the two ends"),
    pytest.param(CLOCKWISE, (2, 5, 7), 7, id="clockwise"),
    pytest.param(CLOCKWISE, (7, 1), 7, id="clockwise, the two ends"),
    pytest.param(CLOCKWISE, (4, 3), 4, id="clockwise, neighbours"),
]


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(f)#1")
@pytest.mark.parametrize(("layout", "seats", "nearest"), NEAREST)
def test_among_equal_wagers_on_player_the_nearest_to_the_dealer_gets_hand_and_third_card(
    layout: TableLayout, seats: tuple[int, ...], nearest: int
) -> None:
    session = dealt(*((seat, "player", 10_000) for seat in seats), layout=layout)
    handed = only(session.execute(HandCards(PLAYER)), CardsHanded)
    assert handed.seat == nearest
    assert handed.clauses == ny("(f)(3)(ii)(b)", "(f)(3)(ii)(f)#1")
    session.execute(ReturnCards(nearest, PLAYER))
    come_back(session, BANKER)
    deal(session, "4c")
    handed = only(session.execute(HandCards(PLAYER)), CardsHanded)
    assert handed.seat == nearest
    assert "NY-MINIMIDI:(f)(3)(ii)(f)#1" in handed.clauses


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(f)#2")
@pytest.mark.parametrize(("layout", "seats", "nearest"), NEAREST)
def test_among_equal_wagers_on_banker_the_nearest_to_the_dealer_gets_hand_and_third_card(
    layout: TableLayout, seats: tuple[int, ...], nearest: int
) -> None:
    session = dealt(*((seat, "banker", 10_000) for seat in seats), layout=layout)
    come_back(session, PLAYER)
    handed = only(session.execute(HandCards(BANKER)), CardsHanded)
    assert handed.seat == nearest
    assert handed.clauses == ny("(f)(3)(ii)(c)", "(f)(3)(ii)(f)#2")
    session.execute(ReturnCards(nearest, BANKER))
    deal(session, "4c")
    come_back(session, PLAYER)
    deal(session, "5d")
    handed = only(session.execute(HandCards(BANKER)), CardsHanded)
    assert handed.seat == nearest
    assert "NY-MINIMIDI:(f)(3)(ii)(f)#2" in handed.clauses


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(f)#1")
@pytest.mark.parametrize(("layout", "nearest"), [(COUNTERCLOCKWISE, 4), (CLOCKWISE, 6)])
def test_a_lower_wager_nearer_to_the_dealer_does_not_count(
    layout: TableLayout, nearest: int
) -> None:
    ends = [(1, "player", 9_980), (7, "player", 9_980)]
    equals = [(4, "player", 10_000), (6, "player", 10_000)]
    session = dealt(*ends, *equals, layout=layout)
    assert only(session.execute(HandCards(PLAYER)), CardsHanded).seat == nearest


@pytest.mark.clause("NY-MINIMIDI:(f)(3)(ii)(b)", "NY-MINIMIDI:(b)(2)")
def test_a_coupon_counts_for_who_wagers_highest() -> None:
    session = midi(1, 2)
    session.execute(acts.PlaceWager(1, "player", 10_000))
    session.execute(acts.PlaceWager(2, "player", 6_000, coupon_cents=5_000))
    deal(session, FOUR_CARDS)
    assert only(session.execute(HandCards(PLAYER)), CardsHanded).seat == 2
