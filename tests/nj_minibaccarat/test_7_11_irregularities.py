"""19:47-7.11: cards dealt in error, face up in the shoe, too few of them; the right to turn them."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    AcceptCards,
    BeginSimulatedRound,
    CallNoMoreBets,
    CardDealt,
    CardDiscarded,
    CardDrawnInError,
    CardHeld,
    CardsHanded,
    CardsOffered,
    CardsReturned,
    ClearLayout,
    DeclineCards,
    DrawCard,
    DrawCardInError,
    Event,
    FaceUpCardFound,
    FindFaceUpCard,
    FindWrongCard,
    HandCards,
    LayoutCleared,
    PlaceWager,
    PointCountAnnounced,
    RelinquishCards,
    RequireRelinquishment,
    ResultAnnounced,
    ReturnCards,
    RightRelinquished,
    RoundVoided,
    SettleWagers,
    SimulatedRoundBegun,
    SimulatedRoundOrdered,
    StakesReleased,
    ThirdCardRuled,
    TurnHand,
    UseHeldCard,
    VigorishCollected,
    VigorishMarked,
    VoidRound,
)
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.money import ledger
from croupier.rules import TableLayout
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.table import deal, due, every, only, open_table, play, ready, refused, rules_of, wager

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PLAYER, BANKER = Hand.PLAYER, Hand.BANKER

FOUR = "9h 8d Kh Ks"
BANKER_MUST_DRAW = "6h 5d Kh Ks"  # Player stays on 6; Banker has 5 and nothing to draw against.
BOTH_STAY = "6h 7d Kh Ks"

PROCEDURES: Final[list[dict[str, Any]]] = [
    {"irregularity__disclosed_card": "discard-by-value", "irregularity__ten_extra": 1},
    {"irregularity__disclosed_card": "discard-by-value", "irregularity__ten_extra": 10},
    {"irregularity__disclosed_card": "discard-one"},
    {"irregularity__disclosed_card": "simulated-round"},
]
BY_VALUE, DISCARD_ONE, SIMULATED = PROCEDURES[1], PROCEDURES[2], PROCEDURES[3]


def error(card: str, *, disclosed: bool, to: Hand | None = None) -> DrawCardInError:
    return DrawCardInError(Card.of(card), disclosed, to)


def left(session: TableSession) -> int:
    return session.state.shoe.remaining


def to_phase(session: TableSession, phase: Phase) -> None:
    """Bring a face-up table to a phase from the deal's end on, by a round of four cards."""
    if phase is Phase.BETTING:
        return
    deal(session, FOUR)
    if phase is Phase.SETTLED:
        session.execute(SettleWagers())


def finish(session: TableSession) -> None:
    """Settle and clear what is left of the round."""
    if session.state.phase is Phase.DECIDED:
        session.execute(SettleWagers())
    if session.state.phase is Phase.SETTLED:
        session.execute(ClearLayout())


BETWEEN: Final = [Phase.BETTING, Phase.DECIDED, Phase.SETTLED]


# --- (a): a third card that Player's Hand may not have -----------------------------------------


@pytest.mark.clause("NJ-MINI:7.11(a)#1")
@pytest.mark.parametrize("elections", PROCEDURES)
@pytest.mark.parametrize("disclosed", [False, True])
def test_an_unauthorized_player_card_is_bankers_third_where_banker_must_draw(
    disclosed: bool,  # noqa: FBT001
    elections: dict[str, Any],
) -> None:
    # Disclosure changes nothing here: the exception for it speaks of the hand that stays.
    session = ready(1, **elections)
    wager(session, (1, "banker", 10000))
    deal(session, BANKER_MUST_DRAW)
    before = left(session)
    events = session.execute(error("3c", disclosed=disclosed, to=PLAYER))
    assert only(events, CardDrawnInError) == CardDrawnInError(
        Card.of("3c"), disclosed, PLAYER, None, (), ("NJ-MINI:7.11(a)#1",)
    )
    third = only(events, CardDealt)
    assert (third.hand, third.ordinal, third.card, third.source) == (
        BANKER, 3, Card.of("3c"), "irregular",
    )  # fmt: skip
    assert "NJ-MINI:7.11(a)#1" in third.clauses
    result = only(events, ResultAnnounced)
    assert (result.player_count, result.banker_count, result.cards) == (6, 8, 5)
    assert left(session) == before - 1
    assert not session.state.held
    assert session.state.to_discard == 0
    assert session.state.simulate_with == ()
    finish(session)
    # 100.00 at even money less five percent.
    assert session.state.seats[1].chips_cents == 1_009_500


@pytest.mark.clause("NJ-MINI:7.11(a)#1")
def test_where_hands_are_handed_over_that_card_goes_to_the_holder_of_bankers_hand() -> None:
    session = ready(1, 2, deal__option="hand-over")
    wager(session, (1, "player", 10000), (2, "banker", 10000))
    deal(session, BANKER_MUST_DRAW)
    for seat, hand in ((1, PLAYER), (2, BANKER)):
        session.execute(HandCards(hand))
        session.execute(ReturnCards(seat, hand))
    third = only(session.execute(error("3c", disclosed=False, to=PLAYER)), CardDealt)
    assert (third.hand, third.face_up) == (BANKER, False)
    assert only(session.execute(HandCards(BANKER)), CardsHanded).seat == 2
    assert only(session.execute(ReturnCards(2, BANKER)), ResultAnnounced).banker_count == 8


@pytest.mark.clause("NJ-MINI:7.11(a)#2")
@pytest.mark.parametrize("elections", PROCEDURES)
@pytest.mark.parametrize(
    "cards", [BOTH_STAY, FOUR, "8h 9d Kh Ks", "7h 7d Kh Ks", "2h 7d Kh Ks 4c", "2h 3d Kh Ks 8c"]
)
def test_an_unauthorized_player_card_begins_the_next_hand_where_banker_stays(
    cards: str, elections: dict[str, Any]
) -> None:
    session = ready(1, **elections)
    decided = only(deal(session, cards), ResultAnnounced)
    events = session.execute(error("3c", disclosed=False, to=PLAYER))
    # Where Player has three cards already it is no third one: then the general clause has it so.
    clause = "NJ-MINI:7.11(a)#2" if decided.cards == 4 else "NJ-MINI:7.11(b)"
    assert only(events, CardHeld) == CardHeld(Card.of("3c"), (clause,))
    session.execute(SettleWagers())
    cleared = only(session.execute(ClearLayout()), LayoutCleared)
    # The round stands as it was: the card is in no hand of it.
    assert len(cleared.player) + len(cleared.banker) == decided.cards
    assert Card.of("3c") not in (*cleared.player, *cleared.banker)
    session.execute(CallNoMoreBets())
    first = only(session.execute(UseHeldCard()), CardDealt)
    assert (first.hand, first.ordinal, first.card, first.source) == (
        PLAYER, 1, Card.of("3c"), "held",
    )  # fmt: skip


@pytest.mark.clause("NJ-MINI:7.11(a)#2", "NJ-MINI:7.11(c)#1")
def test_disclosed_where_banker_stays_the_elected_procedure_takes_it() -> None:
    session = ready(1, **BY_VALUE)
    deal(session, BOTH_STAY)
    events = session.execute(error("3c", disclosed=True, to=PLAYER))
    assert not every(events, CardHeld)
    assert not every(events, CardDealt)
    assert only(events, CardDiscarded).to_discard == 3


@pytest.mark.clause("NJ-MINI:7.11(a)#1")
@pytest.mark.parametrize("to", [PLAYER, BANKER, None])
@pytest.mark.parametrize("cards", ["", "6h", "6h 5d", "6h 5d Kh", "2h 3d Kh Ks"])
def test_a_card_that_is_due_to_a_hand_is_no_error(cards: str, to: Hand | None) -> None:
    session = ready(1)
    session.execute(CallNoMoreBets())
    deal(session, cards)
    refusal = refused(session, error("3c", disclosed=False, to=to), "card_due")
    # What says whose the card is, and not the clauses on cards drawn in error.
    third = cards.count(" ") == 3
    assert refusal.clauses == ("NJ-MINI:7.8(b)" if third else "NJ-MINI:7.7(c)#1",)


@pytest.mark.clause("NJ-MINI:7.11(a)#1")
def test_a_fourth_player_card_does_not_go_to_banker() -> None:
    session = ready(1)
    deal(session, "2h 3d Kh Ks 4c")
    refused(session, error("3c", disclosed=False, to=PLAYER), "card_due")


@pytest.mark.clause("NJ-MINI:7.11(a)#1")
@pytest.mark.parametrize("to", [BANKER, None])
def test_a_card_that_banker_must_draw_is_drawn_and_no_error(to: Hand | None) -> None:
    session = ready(1)
    deal(session, BANKER_MUST_DRAW)
    refused(session, error("3c", disclosed=True, to=to), "card_due")


# --- (b): a card drawn in error ----------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.11(b)")
@pytest.mark.parametrize("to", [None, BANKER])
@pytest.mark.parametrize("phase", BETWEEN)
def test_a_card_drawn_in_error_is_the_first_of_the_next_hand(phase: Phase, to: Hand | None) -> None:
    session = ready(1)
    wager(session, (1, "player", 10000))
    to_phase(session, phase)
    before = left(session)
    drawn, held = session.execute(error("3c", disclosed=False, to=to))
    assert drawn == CardDrawnInError(
        Card.of("3c"),
        disclosed=False,
        dealt_to=to,
        curator=None,
        seen_by=(),
        clauses=("NJ-MINI:7.11(b)",),
    )
    assert held == CardHeld(Card.of("3c"), ("NJ-MINI:7.11(b)",))
    assert left(session) == before - 1
    finish(session)
    session.execute(CallNoMoreBets())
    assert due(session) == {UseHeldCard}
    assert refused(session, DrawCard(Card.of("9h")), "held_card").clauses == ("NJ-MINI:7.11(b)",)
    first = only(session.execute(UseHeldCard()), CardDealt)
    assert (first.hand, first.ordinal, first.card) == (PLAYER, 1, Card.of("3c"))
    assert {"NJ-MINI:7.11(b)", "NJ-MINI:7.7(c)#1"} <= set(first.clauses)
    # It left the shoe once, when it was drawn.
    assert left(session) == before - 1
    assert refused(session, UseHeldCard(), "no_held_card").clauses == ()
    second = only(session.execute(DrawCard(Card.of("9h"))), CardDealt)
    assert (second.hand, second.source) == (BANKER, "shoe")


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_a_card_drawn_in_error_while_hands_are_turned_waits_for_the_next_hand() -> None:
    session = ready(1, deal__option="face-down")
    deal(session, FOUR)
    session.execute(TurnHand(PLAYER))
    assert every(session.execute(error("3c", disclosed=False)), CardHeld)
    session.execute(TurnHand(BANKER))
    finish(session)
    session.execute(CallNoMoreBets())
    assert only(session.execute(UseHeldCard()), CardDealt).card is Card.of("3c")


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_two_cards_drawn_in_error_are_dealt_in_the_order_in_which_they_were_drawn() -> None:
    session = ready(1)
    for card in ("3c", "9d"):
        session.execute(error(card, disclosed=False))
    session.execute(CallNoMoreBets())
    dealt = [only(session.execute(UseHeldCard()), CardDealt) for _ in range(2)]
    assert [(one.hand, str(one.card)) for one in dealt] == [(PLAYER, "3c"), (BANKER, "9d")]


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_no_held_card_is_dealt_where_none_is_held() -> None:
    session = ready(1)
    session.execute(CallNoMoreBets())
    assert refused(session, UseHeldCard(), "no_held_card").clauses == ()


@pytest.mark.clause("NJ-MINI:7.11(b)")
def test_where_there_is_no_next_hand_the_card_goes_with_the_rest_of_the_shoe() -> None:
    session = open_table(rules_of(), 1)
    advance(session, Phase.CUT)
    session.execute(acts.InsertCuttingCards(412))
    advance(session, Phase.BETTING)
    play(session, FOUR)
    deal(session, FOUR)
    session.execute(error("3c", disclosed=False))
    finish(session)
    assert due(session) == {acts.ShuffleCards}
    assert session.state.held == ()
    advance(session, Phase.BETTING)
    assert every(deal(session, FOUR), ResultAnnounced)


@pytest.mark.clause("NJ-MINI:7.11(b)", "NJ-MINI:7.12")
def test_with_a_continuous_device_the_held_card_stays_out_of_it_and_begins_the_next_hand() -> None:
    session = open_table(rules_of(device="continuous", device__approval="Order 1"), 1)
    advance(session, Phase.BETTING)
    session.execute(error("3c", disclosed=False))
    session.execute(CallNoMoreBets())
    assert only(session.execute(UseHeldCard()), CardDealt).card is Card.of("3c")
    deal(session, "8d Kh Ks")
    finish(session)
    session.execute(error("3c", disclosed=False))
    assert "NJ-MINI:7.12" in refused(session, CallNoMoreBets(), "return_discards").clauses
    session.execute(acts.ReturnDiscards())
    assert left(session) == 8 * 52 - 1
    refused(session, acts.ReturnDiscards(), "nothing_to_return")
    session.execute(CallNoMoreBets())
    session.execute(UseHeldCard())


# --- (c)1: the disclosed card and its value in cards -------------------------------------------

VALUES: Final = {
    "A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9,
}  # fmt: skip
TENS: Final = "TJQK"
CHAFF: Final = parse_cards("2d 3d 4d 5d 6d 7d 8d 9d Td Jd")


def discard_face_up(session: TableSession, number: int) -> None:
    """Draw that many cards face up for the rack, each named, and find no more to be due."""
    for more, card in zip(range(number - 1, -1, -1), CHAFF[:number], strict=True):
        refused(session, DrawCard(None), "card_unseen")
        before = left(session)
        (discarded,) = session.execute(DrawCard(card))
        assert isinstance(discarded, CardDiscarded)
        assert (discarded.card, discarded.from_shoe, discarded.unseen) == (card, True, False)
        assert discarded.to_discard == more
        assert left(session) == before - 1
    assert session.state.to_discard == 0


def disclosed_and_discarded(session: TableSession, card: str, number: int) -> None:
    """Disclose a card in error between rounds and see it discarded with that many more."""
    before = left(session)
    drawn, discarded = session.execute(error(card, disclosed=True))
    assert isinstance(drawn, CardDrawnInError)
    assert isinstance(discarded, CardDiscarded)
    assert (discarded.card, discarded.from_shoe, discarded.unseen) == (Card.of(card), False, False)
    assert discarded.to_discard == number
    assert "NJ-MINI:7.11(c)1#1" in discarded.clauses
    assert ("NJ-MINI:7.11(c)1#2" in discarded.clauses) == (card[0] in TENS)
    discard_face_up(session, number)
    assert left(session) == before - 1 - number
    assert not session.state.held
    session.execute(CallNoMoreBets())
    refused(session, UseHeldCard(), "no_held_card")


@pytest.mark.clause("NJ-MINI:7.11(c)1#1", "NJ-MINI:7.11(c)#1")
@pytest.mark.parametrize("ten_extra", [1, 10])
@pytest.mark.parametrize(("rank", "value"), VALUES.items())
def test_a_disclosed_card_is_discarded_with_as_many_more_as_its_value(
    rank: str, value: int, ten_extra: int
) -> None:
    session = ready(
        1,
        irregularity__disclosed_card="discard-by-value",
        irregularity__ten_extra=ten_extra,
    )
    disclosed_and_discarded(session, f"{rank}c", value)


@pytest.mark.clause("NJ-MINI:7.11(c)1#2", "NJ-MINI:7.11(c)#1")
@pytest.mark.parametrize("ten_extra", [1, 10])
@pytest.mark.parametrize("rank", TENS)
def test_a_disclosed_ten_or_face_card_is_discarded_with_one_or_ten_more_as_elected(
    rank: str, ten_extra: int
) -> None:
    session = ready(
        1,
        irregularity__disclosed_card="discard-by-value",
        irregularity__ten_extra=ten_extra,
    )
    disclosed_and_discarded(session, f"{rank}c", ten_extra)


@pytest.mark.clause("NJ-MINI:7.11(c)#1")
@pytest.mark.parametrize(
    ("phase", "command"),
    [
        (Phase.BETTING, CallNoMoreBets()),
        (Phase.DECIDED, SettleWagers()),
        (Phase.SETTLED, ClearLayout()),
    ],
)
def test_nothing_goes_on_before_the_cards_are_in_the_rack(
    phase: Phase, command: acts.Command
) -> None:
    session = ready(1, **BY_VALUE)
    to_phase(session, phase)
    session.execute(error("3c", disclosed=True))
    for card in CHAFF[:3]:
        assert due(session) == {DrawCard}
        assert "NJ-MINI:7.11(c)1#1" in refused(session, command, "discards_due").clauses
        session.execute(DrawCard(card))
    session.execute(command)


@pytest.mark.clause("NJ-MINI:7.11(c)#1")
@pytest.mark.parametrize("disclosed", [False, True])
def test_a_card_drawn_while_discards_are_due_is_a_discard_and_no_error(
    disclosed: bool,  # noqa: FBT001
) -> None:
    session = ready(1, **BY_VALUE)
    session.execute(error("3c", disclosed=True))
    refusal = refused(session, error("9c", disclosed=disclosed), "discards_due")
    assert "NJ-MINI:7.11(c)1#1" in refusal.clauses
    assert session.state.to_discard == 3


@pytest.mark.clause("NJ-MINI:7.11(c)1#1")
def test_where_the_shoe_holds_fewer_cards_all_of_them_are_discarded() -> None:
    session = ready(1, **BY_VALUE)
    short(session, 3)
    assert only(session.execute(error("9c", disclosed=True)), CardDiscarded).to_discard == 2
    for card in CHAFF[:2]:
        session.execute(DrawCard(card))
    assert (left(session), session.state.to_discard) == (0, 0)


# --- (c)2: the disclosed card and one unseen ---------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.11(c)2", "NJ-MINI:7.11(c)#1")
@pytest.mark.parametrize("card", ["Ac", "5c", "9c", "Tc", "Kc"])
@pytest.mark.parametrize("phase", BETWEEN)
def test_a_disclosed_card_is_discarded_with_one_more_unseen(phase: Phase, card: str) -> None:
    session = ready(1, **DISCARD_ONE)
    to_phase(session, phase)
    before = session.state.shoe
    _, discarded = session.execute(error(card, disclosed=True))
    assert discarded == CardDiscarded(
        Card.of(card), from_shoe=False, to_discard=1, unseen=True, clauses=("NJ-MINI:7.11(c)2",)
    )
    (unseen,) = session.execute(DrawCard(None))
    assert isinstance(unseen, CardDiscarded)
    assert (unseen.card, unseen.from_shoe, unseen.to_discard) == (None, True, 0)
    after = session.state.shoe
    assert after.remaining == before.remaining - 2
    # What was not seen is still among the cards that may be anywhere.
    assert sum(after.unseen) == sum(before.unseen) - 1
    finish(session)
    session.execute(CallNoMoreBets())


@pytest.mark.clause("NJ-MINI:7.11(c)2")
def test_the_additional_card_is_not_disclosed_even_where_a_device_has_read_it() -> None:
    session = ready(1, **DISCARD_ONE)
    session.execute(error("5c", disclosed=True))
    assert only(session.execute(DrawCard(Card.of("9h"))), CardDiscarded).card is None


@pytest.mark.clause("NJ-MINI:7.11(c)2")
def test_a_card_for_a_hand_is_never_unseen() -> None:
    session = ready(1, **DISCARD_ONE)
    session.execute(error("5c", disclosed=True))
    session.execute(DrawCard(None))
    session.execute(CallNoMoreBets())
    refused(session, DrawCard(None), "card_unseen")


# --- (c)3: the simulated round -----------------------------------------------------------------


def simulated(session: TableSession, first: str, *rest: str) -> list[Event]:
    """Disclose a card, begin the simulated round with it, and play it to its end."""
    events = list(session.execute(error(first, disclosed=True)))
    events += session.execute(BeginSimulatedRound())
    for card in rest:
        events += session.execute(DrawCard(Card.of(card)))
        while session.state.round is not None and session.state.round.down:
            events += session.execute(TurnHand(session.state.round.down[0]))
    events += session.execute(ClearLayout())
    return events


@pytest.mark.clause("NJ-MINI:7.11(c)3", "NJ-MINI:7.11(c)#1")
def test_the_disclosed_card_is_the_first_of_a_simulated_round() -> None:
    session = ready(1, **SIMULATED)
    before = left(session)
    _, ordered = session.execute(error("2h", disclosed=True))
    assert ordered == SimulatedRoundOrdered(Card.of("2h"), "disclosed", ("NJ-MINI:7.11(c)3",))
    assert due(session) == {BeginSimulatedRound}
    refusal = refused(session, CallNoMoreBets(), "simulated_round_due")
    assert refusal.clauses == ("NJ-MINI:7.11(c)3",)
    begun, first = session.execute(BeginSimulatedRound())
    assert begun == SimulatedRoundBegun("disclosed", ("NJ-MINI:7.11(c)3",))
    assert isinstance(first, CardDealt)
    assert (first.hand, first.ordinal, first.card, first.source) == (
        PLAYER, 1, Card.of("2h"), "irregular",
    )  # fmt: skip
    assert left(session) == before - 1


@pytest.mark.clause("NJ-MINI:7.11(c)3")
@pytest.mark.parametrize("option", ["face-up", "face-down", "hand-over"])
@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        ("9h 8d Kh Ks", "9h Kh", "8d Ks"),
        ("6h 5d Kh Ks 3c", "6h Kh", "5d Ks 3c"),
        ("2h 7d Kh Ks 4c", "2h Kh 4c", "7d Ks"),
        ("2h 3d Kh Ks 4c 5d", "2h Kh 4c", "3d Ks 5d"),
    ],
)
def test_it_is_dealt_by_the_rules_and_its_cards_are_discarded(
    cards: str, player: str, banker: str, option: str
) -> None:
    session = ready(1, 2, deal__option=option, **SIMULATED)
    wager(session, (1, "player", 10000), (2, "banker", 20000))
    before = left(session)
    events = simulated(session, *cards.split())
    dealt = every(events, CardDealt)
    assert [str(card.card) for card in dealt] == cards.split()
    assert left(session) == before - len(dealt)
    assert [count.hand for count in every(events, PointCountAnnounced)] == [PLAYER, BANKER]
    assert [ruled.hand for ruled in every(events, ThirdCardRuled)] == [PLAYER, BANKER]
    cleared = only(events, LayoutCleared)
    assert (cleared.player, cleared.banker) == (parse_cards(player), parse_cards(banker))
    assert cleared.simulated is True
    assert "NJ-MINI:7.11(c)3" in cleared.clauses
    assert session.state.phase is Phase.BETTING
    assert session.state.round is None


@pytest.mark.clause("NJ-MINI:7.11(c)3")
def test_no_wager_is_accepted_in_it_and_those_on_the_layout_wait_for_the_next_round() -> None:
    session = ready(1, 2, **SIMULATED)
    wager(session, (1, "banker", 10000))
    stakes, seats = session.state.stakes, session.state.seats
    win = session.ledger.table_win_cents
    session.execute(error("8h", disclosed=True))
    session.execute(BeginSimulatedRound())
    for attempt in (
        PlaceWager(2, "player", 10000),
        PlaceWager(1, "banker", 10000),
        acts.WithdrawWager(1, "banker"),
    ):
        assert "NJ-MINI:7.11(c)3" in refused(session, attempt, "simulated_round").clauses
    # Banker wins it with a natural nine, and nobody is paid.
    events = deal(session, "9d Kh Ks")
    assert not every(events, ResultAnnounced)
    refused(session, SettleWagers(), "not_now")
    session.execute(ClearLayout())
    assert session.state.stakes == stakes
    assert session.state.seats == seats
    assert session.ledger.table_win_cents == win
    wager(session, (2, "player", 10000))
    play(session, "8h 9d Kh Ks")
    assert session.state.seats[1].chips_cents == 1_009_500
    assert session.state.seats[2].chips_cents == 990_000


@pytest.mark.clause("NJ-MINI:7.11(c)3")
def test_it_leaves_the_number_of_rounds_as_it_was() -> None:
    session = ready(1, **SIMULATED)
    play(session, FOUR)
    simulated(session, "9h", "8d", "Kh", "Ks")
    assert session.state.rounds == 1
    assert only(play(session, FOUR), LayoutCleared).round == 2


@pytest.mark.clause("NJ-MINI:7.11(c)3")
@pytest.mark.parametrize("phase", [Phase.DECIDED, Phase.SETTLED])
def test_it_waits_until_the_round_before_it_is_off_the_layout(phase: Phase) -> None:
    session = ready(1, **SIMULATED)
    to_phase(session, phase)
    session.execute(error("2h", disclosed=True))
    assert refused(session, BeginSimulatedRound(), "not_now").clauses == ()
    finish(session)
    first = only(session.execute(BeginSimulatedRound()), CardDealt)
    assert (first.hand, first.card) == (PLAYER, Card.of("2h"))


@pytest.mark.clause("NJ-MINI:7.11(c)3")
def test_none_begins_where_no_disclosed_card_calls_for_it() -> None:
    session = ready(1, **SIMULATED)
    refusal = refused(session, BeginSimulatedRound(), "not_ordered")
    assert refusal.clauses == ()
    session.execute(error("2h", disclosed=False))
    refused(session, BeginSimulatedRound(), "not_ordered")
    session = ready(1, **BY_VALUE)
    session.execute(error("2h", disclosed=True))
    refused(session, BeginSimulatedRound(), "not_ordered")


@pytest.mark.clause("NJ-MINI:7.11(c)3", "NJ-MINI:7.11(d)#2")
def test_it_waits_for_cards_that_are_on_their_way_to_the_rack() -> None:
    session = ready(1, **SIMULATED)
    session.execute(error("9h", disclosed=True))
    session.execute(FindFaceUpCard(Card.of("2c")))
    refusal = refused(session, BeginSimulatedRound(), "discards_due")
    assert "NJ-MINI:7.11(d)#2" in refusal.clauses
    discard_face_up(session, 2)
    session.execute(BeginSimulatedRound())


@pytest.mark.clause("NJ-MINI:7.11(c)3")
def test_nobody_holds_a_hand_of_it() -> None:
    session = ready(1, deal__option="hand-over", **SIMULATED)
    wager(session, (1, "player", 10000), (1, "banker", 10000))
    session.execute(error("2h", disclosed=True))
    session.execute(BeginSimulatedRound())
    deal(session, "3d Kh Ks")
    refused(session, HandCards(PLAYER), "no_holder")
    session.execute(TurnHand(PLAYER))


# --- (d): a card face up in the shoe -----------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.11(d)#1", "NJ-MINI:7.11(d)#2")
@pytest.mark.parametrize("reading", ["none", "one", "ten"])
@pytest.mark.parametrize(("rank", "value"), VALUES.items())
def test_a_card_face_up_in_the_shoe_is_discarded_with_as_many_more_as_its_value(
    rank: str, value: int, reading: str
) -> None:
    session = ready(1, readings={"T03": reading})
    before = left(session)
    (found,) = session.execute(FindFaceUpCard(Card.of(f"{rank}c")))
    assert found == FaceUpCardFound(
        Card.of(f"{rank}c"),
        discarded=True,
        to_discard=value,
        clauses=("NJ-MINI:7.11(d)#1", "NJ-MINI:7.11(d)#2"),
    )
    discard_face_up(session, value)
    assert left(session) == before - 1 - value
    session.execute(CallNoMoreBets())
    refused(session, UseHeldCard(), "no_held_card")


@pytest.mark.clause("NJ-MINI:7.11(d)#2")
@pytest.mark.parametrize(
    ("readings", "more"),
    [({}, 0), ({"T03": "none"}, 0), ({"T03": "one"}, 1), ({"T03": "ten"}, 10)],
)
@pytest.mark.parametrize("rank", TENS)
def test_with_a_ten_or_face_card_go_as_many_more_as_the_reading_says(
    rank: str, readings: dict[str, str], more: int
) -> None:
    session = ready(1, readings=readings)
    before = left(session)
    assert (
        only(session.execute(FindFaceUpCard(Card.of(f"{rank}c"))), FaceUpCardFound).to_discard
        == more
    )
    discard_face_up(session, more)
    assert left(session) == before - 1 - more


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
@pytest.mark.parametrize("dealt", ["", "9h", "9h 8d", "9h 8d Kh"])
def test_a_card_found_face_up_in_the_deal_is_in_no_hand_of_it(dealt: str) -> None:
    session = ready(1)
    session.execute(CallNoMoreBets())
    deal(session, dealt)
    session.execute(FindFaceUpCard(Card.of("2c")))
    assert due(session) == {DrawCard}
    discard_face_up(session, 2)
    rest = " ".join(FOUR.split()[len(dealt.split()) :])
    deal(session, rest)
    assert session.state.round is not None
    assert session.state.round.coup.player == parse_cards("9h Kh")
    assert session.state.round.coup.banker == parse_cards("8d Ks")


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
@pytest.mark.parametrize("phase", [Phase.DECIDED, Phase.SETTLED])
def test_a_card_found_face_up_after_the_result_is_discarded_before_anything_goes_on(
    phase: Phase,
) -> None:
    session = ready(1)
    to_phase(session, phase)
    session.execute(FindFaceUpCard(Card.of("2c")))
    command = SettleWagers() if phase is Phase.DECIDED else ClearLayout()
    assert "NJ-MINI:7.11(d)#2" in refused(session, command, "discards_due").clauses
    discard_face_up(session, 2)
    session.execute(command)


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
def test_a_card_found_face_up_before_the_burn_is_not_the_card_burned() -> None:
    session = open_table(rules_of(), 1)
    advance(session, Phase.TO_BURN)
    assert FindFaceUpCard in {action.command for action in session.legal()}
    session.execute(FindFaceUpCard(Card.of("2c")))
    discard_face_up(session, 2)
    assert session.state.to_burn is None
    advance(session, Phase.BETTING)
    # Three went to the rack before the ace and the two that were burned.
    assert left(session) == 8 * 52 - 5


@pytest.mark.clause("NJ-MINI:7.11(d)#2")
def test_a_card_face_up_among_the_discards_brings_its_own_value_with_it() -> None:
    session = ready(1)
    session.execute(FindFaceUpCard(Card.of("4c")))
    session.execute(DrawCard(Card.of("2d")))
    assert only(session.execute(FindFaceUpCard(Card.of("2c"))), FaceUpCardFound).to_discard == 5


@pytest.mark.clause("NJ-MINI:7.11(d)#2")
def test_where_the_shoe_holds_fewer_cards_no_more_than_those_are_discarded() -> None:
    session = ready(1)
    short(session, 4)
    assert only(session.execute(FindFaceUpCard(Card.of("9c"))), FaceUpCardFound).to_discard == 3


# --- (e): too few cards ------------------------------------------------------------------------


def short(session: TableSession, cards: int) -> None:
    """Leave that many cards in the shoe.

    With the cutting card where the law has it no lawful shoe runs out but by irregularities
    without number; so the test takes the cards out itself.
    """
    shoe = replace(session.state.shoe, remaining=cards, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
@pytest.mark.parametrize("number", range(6))
def test_a_round_that_the_shoe_cannot_finish_is_void_and_not_before(number: int) -> None:
    session = ready(1)
    short(session, number)
    session.execute(CallNoMoreBets())
    for card in parse_cards("2h 3d Kh Ks 4c 5d")[:number]:
        refusal = refused(session, VoidRound(), "cards_left")
        assert "NJ-MINI:7.11(e)#1" in refusal.clauses
        session.execute(DrawCard(card))
    assert due(session) == {VoidRound}
    assert "NJ-MINI:7.11(e)#1" in refused(session, DrawCard(Card.of("5d")), "shoe_empty").clauses
    voided = only(session.execute(VoidRound()), RoundVoided)
    assert (voided.round, voided.cards_dealt, voided.simulated) == (1, number, False)
    assert voided.clauses == ("NJ-MINI:7.11(e)#1", "NJ-MINI:7.11(e)#2")


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_a_round_that_took_the_very_last_card_stands() -> None:
    session = ready(1)
    short(session, 4)
    deal(session, FOUR)
    assert session.state.phase is Phase.DECIDED
    assert refused(session, VoidRound(), "cards_left").clauses == ("NJ-MINI:7.11(e)#1",)
    session.execute(SettleWagers())
    assert refused(session, VoidRound(), "cards_left").clauses == ("NJ-MINI:7.11(e)#1",)


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_a_round_that_a_held_card_can_go_on_with_is_not_void() -> None:
    session = ready(1)
    session.execute(error("9h", disclosed=False))
    short(session, 0)
    session.execute(CallNoMoreBets())
    refused(session, VoidRound(), "cards_left")
    session.execute(UseHeldCard())
    session.execute(VoidRound())


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
@pytest.mark.parametrize("option", ["face-down", "hand-over"])
def test_a_round_is_not_void_while_its_hands_may_need_no_card(option: str) -> None:
    session = ready(1, deal__option=option)
    short(session, 4)
    deal(session, "2h 3d Kh Ks")
    refused(session, VoidRound(), "cards_left")
    session.execute(TurnHand(PLAYER))
    session.execute(TurnHand(BANKER))
    session.execute(VoidRound())


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_every_stake_of_a_void_round_goes_back_with_its_coupon_and_nothing_is_charged() -> None:
    session = ready(1, 3, wagers__total_cards__offered=True, wagers__bonus__offered=True)
    wager(
        session,
        (1, "tie", 700),
        (1, "banker", 20000),
        (1, "bonus_banker", 900),
        (3, "six_cards", 600),
    )
    session.execute(PlaceWager(3, "player", 10000, 5000))
    short(session, 5)
    deal(session, "2h 3d Kh Ks 4c")
    events = session.execute(VoidRound())
    released = only(events, StakesReleased)
    assert {(one.seat, one.wager, one.outcome, one.cents, one.coupon_cents) for one in released.stakes} == {
        (1, "tie", "push", 700, 0),
        (1, "banker", "push", 20000, 0),
        (1, "bonus_banker", "push", 900, 0),
        (3, "six_cards", "push", 600, 0),
        (3, "player", "push", 10000, 5000),
    }  # fmt: skip
    assert "NJ-MINI:7.11(e)#1" in released.clauses
    assert not every(events, VigorishCollected)
    assert not every(events, VigorishMarked)
    assert session.state.stakes == {}
    assert [patron.chips_cents for patron in session.state.seats.values()] == [1_000_000] * 2
    assert session.ledger.balance(ledger.COUPONS) == 0
    assert session.ledger.balance(ledger.COUPON_DROP) == 0
    assert session.ledger.table_win_cents == 0


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_vigorish_owed_from_earlier_rounds_stays_owed() -> None:
    session = ready(1, vigorish__collection="deferred")
    wager(session, (1, "banker", 10000))
    play(session, "8h 9d Kh Ks")
    wager(session, (1, "banker", 10000))
    short(session, 3)
    deal(session, "8h 9d Kh")
    session.execute(VoidRound())
    assert session.state.seats[1].owed_cents == 500
    refused(session, acts.ShuffleCards(), "vigorish_outstanding")


@pytest.mark.clause("NJ-MINI:7.11(e)#2")
def test_a_new_round_follows_only_when_all_cards_are_reshuffled_and_in_the_shoe() -> None:
    session = ready(1)
    play(session, FOUR)
    short(session, 3)
    deal(session, "2h 3d Kh")
    session.execute(VoidRound())
    assert session.state.phase is Phase.SHOE_COMPLETED
    for command in (CallNoMoreBets(), DrawCard(Card.of("9h")), VoidRound()):
        refused(session, command, "not_now")
    assert acts.ShuffleCards in due(session)
    advance(session, Phase.TO_BURN)
    assert left(session) == 8 * 52
    advance(session, Phase.BETTING)
    events = play(session, FOUR)
    assert session.state.rounds == 3
    assert not every(events, RoundVoided)


@pytest.mark.clause("NJ-MINI:7.11(e)#1")
def test_a_simulated_round_that_the_shoe_cannot_finish_is_over_and_the_stakes_go_back() -> None:
    session = ready(1, **SIMULATED)
    wager(session, (1, "player", 10000))
    short(session, 2)
    session.execute(error("2h", disclosed=True))
    session.execute(BeginSimulatedRound())
    deal(session, "3d")
    session.execute(VoidRound())
    assert session.state.stakes == {}
    assert session.state.seats[1].chips_cents == 1_000_000
    assert session.state.phase is Phase.SHOE_COMPLETED


def test_stakes_go_back_if_a_damaged_card_ends_the_shoe_with_a_simulated_round() -> None:
    session = ready(1, **SIMULATED)
    wager(session, (1, "player", 10000))
    session.execute(error("2h", disclosed=True))
    session.execute(BeginSimulatedRound())
    deal(session, "8d Kh Ks")
    session.execute(FindWrongCard("damaged", "Sup", Card.of("Kh")))
    session.execute(ClearLayout())
    assert session.state.stakes == {}
    assert session.state.seats[1].chips_cents == 1_000_000
    assert session.state.phase is Phase.SHOE_COMPLETED


# --- (f): the right to turn the cards ----------------------------------------------------------

COUNTERCLOCKWISE = TableLayout(seats=7, numbering="counterclockwise")
CLOCKWISE = TableLayout(seats=7, numbering="clockwise")
COMPELLED: Final = ("NJ-MINI:7.11(f)#1",)
PASSES: Final = ("NJ-MINI:7.11(f)#2",)


def held_by_3(
    *seats: int, layout: TableLayout = COUNTERCLOCKWISE, **elections: Any
) -> TableSession:
    """A table where seat 3 holds both hands, dealt face down; both will draw."""
    session = ready(*(seats or (1, 3, 4, 7)), layout=layout, deal__option="hand-over", **elections)
    wager(session, (3, "player", 10000), (3, "banker", 10000))
    deal(session, "2h 3d Kh Ks")
    return session


@pytest.mark.clause("NJ-MINI:7.11(f)#1")
@pytest.mark.parametrize("by", ["dealer", "floorperson"])
@pytest.mark.parametrize("grounds", ["delay", "violation"])
@pytest.mark.parametrize("in_hand", [False, True])
def test_dealer_or_floorperson_takes_the_right_away_for_delay_or_violation(
    by: str,
    grounds: str,
    in_hand: bool,  # noqa: FBT001
) -> None:
    session = held_by_3()
    if in_hand:
        session.execute(HandCards(PLAYER))
    given_up, offered = session.execute(RequireRelinquishment(3, PLAYER, by, grounds))
    assert isinstance(given_up, RightRelinquished)
    assert (given_up.seat, given_up.hand) == (3, PLAYER)
    assert (given_up.by, given_up.grounds) == (by, grounds)
    assert given_up.clauses == COMPELLED
    assert isinstance(offered, CardsOffered)
    refused(session, ReturnCards(3, PLAYER), "hands_off")


@pytest.mark.clause("NJ-MINI:7.11(f)#1")
def test_the_right_may_be_taken_from_a_player_who_has_walked_away() -> None:
    session = held_by_3()
    session.execute(acts.LeaveTable(3))
    (required,) = (one for one in session.legal() if one.command is RequireRelinquishment)
    assert (required.seat, required.must, required.clauses) == (3, False, COMPELLED)
    given_up, _ = session.execute(RequireRelinquishment(3, PLAYER, "dealer", "delay"))
    assert given_up.clauses == COMPELLED


@pytest.mark.clause("NJ-MINI:7.11(f)#1")
@pytest.mark.parametrize("by", ["", "pit boss", "patron", "Dealer", "surveillance"])
def test_nobody_else_takes_the_right_away(by: str) -> None:
    session = held_by_3()
    refusal = refused(session, RequireRelinquishment(3, PLAYER, by, "delay"), "authority")
    assert "NJ-MINI:7.11(f)#1" in refusal.clauses


@pytest.mark.clause("NJ-MINI:7.11(f)#1")
@pytest.mark.parametrize("grounds", ["", "low wager", "Delay"])
def test_the_right_is_taken_away_on_no_other_grounds(grounds: str) -> None:
    session = held_by_3()
    refusal = refused(session, RequireRelinquishment(3, PLAYER, "dealer", grounds), "grounds")
    assert "NJ-MINI:7.11(f)#1" in refusal.clauses


@pytest.mark.clause("NJ-MINI:7.11(f)#1", "NJ-MINI:7.11(f)#2")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(RelinquishCards(4, PLAYER), id="no holder"),
        pytest.param(RelinquishCards(6, PLAYER), id="nobody"),
        pytest.param(RequireRelinquishment(4, PLAYER, "dealer", "delay"), id="not his to lose"),
    ],
)
def test_only_the_holder_of_a_hand_has_the_right_to_lose(command: acts.Command) -> None:
    session = held_by_3()
    assert refused(session, command, "no_holder").clauses == ()


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
def test_a_hand_may_be_given_up_before_its_turn_comes() -> None:
    offered = only(held_by_3().execute(RelinquishCards(3, BANKER)), CardsOffered)
    assert (offered.seat, offered.hand) == (4, BANKER)


# Seats 1, 3, 4 and 7 are taken. A player's right-hand neighbour is the next counterclockwise.
PASSES_TO: Final = [(COUNTERCLOCKWISE, (4, 7, 1)), (CLOCKWISE, (1, 7, 4))]


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
@pytest.mark.parametrize(("layout", "ring"), PASSES_TO)
def test_the_right_passes_counterclockwise_over_empty_seats_until_somebody_takes_it(
    layout: TableLayout, ring: tuple[int, ...]
) -> None:
    session = held_by_3(layout=layout)
    events = session.execute(RelinquishCards(3, PLAYER))
    given_up = only(events, RightRelinquished)
    assert (given_up.by, given_up.grounds) == (None, None)
    for seat in ring[:2]:
        offered = only(events, CardsOffered)
        assert (offered.seat, offered.hand) == (seat, PLAYER)
        assert "NJ-MINI:7.11(f)#2" in offered.clauses
        assert due(session) == {AcceptCards, DeclineCards}
        assert {action.seat for action in session.legal() if action.must} == {seat}
        events = session.execute(DeclineCards(seat, PLAYER))
    assert only(events, CardsOffered).seat == ring[2]
    session.execute(AcceptCards(ring[2], PLAYER))
    assert only(session.execute(HandCards(PLAYER)), CardsHanded).seat == ring[2]
    session.execute(ReturnCards(ring[2], PLAYER))


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
@pytest.mark.parametrize(("layout", "ring"), PASSES_TO)
def test_bankers_hand_passes_in_the_same_way(layout: TableLayout, ring: tuple[int, ...]) -> None:
    session = held_by_3(layout=layout)
    session.execute(HandCards(PLAYER))
    session.execute(ReturnCards(3, PLAYER))
    session.execute(HandCards(BANKER))
    assert only(session.execute(RelinquishCards(3, BANKER)), CardsOffered).seat == ring[0]
    assert only(session.execute(DeclineCards(ring[0], BANKER)), CardsOffered).seat == ring[1]
    session.execute(AcceptCards(ring[1], BANKER))
    session.execute(HandCards(BANKER))
    assert only(session.execute(ReturnCards(ring[1], BANKER)), PointCountAnnounced).hand is BANKER


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
def test_who_takes_the_right_over_may_give_it_up_too_and_it_passes_on_from_him() -> None:
    session = held_by_3()
    session.execute(RelinquishCards(3, PLAYER))
    session.execute(AcceptCards(4, PLAYER))
    assert only(session.execute(RelinquishCards(4, PLAYER)), CardsOffered).seat == 7


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
@pytest.mark.parametrize(
    "command",
    [
        AcceptCards(7, PLAYER),
        AcceptCards(3, PLAYER),
        AcceptCards(5, PLAYER),
        AcceptCards(4, BANKER),
        DeclineCards(7, PLAYER),
        DeclineCards(4, BANKER),
    ],
)
def test_only_the_player_who_is_asked_answers(command: acts.Command) -> None:
    session = held_by_3()
    session.execute(RelinquishCards(3, PLAYER))
    assert refused(session, command, "not_asked").clauses == ("NJ-MINI:7.11(f)#2",)


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
@pytest.mark.parametrize("command", [AcceptCards(4, PLAYER), DeclineCards(4, PLAYER)])
def test_nobody_answers_where_nothing_is_offered(command: acts.Command) -> None:
    session = held_by_3()
    assert refused(session, command, "not_asked").clauses == ()


@pytest.mark.clause("NJ-MINI:7.11(f)#2", "NJ-MINI:7.11(f)#3")
def test_while_the_hand_is_on_offer_nobody_turns_it_and_nobody_is_handed_it() -> None:
    session = held_by_3()
    session.execute(RelinquishCards(3, PLAYER))
    assert "NJ-MINI:7.11(f)#3" in refused(session, TurnHand(PLAYER), "on_offer").clauses
    refused(session, HandCards(PLAYER), "not_next")
    refused(session, ReturnCards(3, PLAYER), "hands_off")
    refused(session, RelinquishCards(3, PLAYER), "no_holder")


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
@pytest.mark.parametrize(("layout", "ring"), PASSES_TO)
def test_the_right_holds_for_the_third_card_of_that_round_and_not_for_the_next_round(
    layout: TableLayout, ring: tuple[int, ...]
) -> None:
    session = held_by_3(layout=layout)
    session.execute(RelinquishCards(3, PLAYER))
    session.execute(AcceptCards(ring[0], PLAYER))
    session.execute(HandCards(PLAYER))
    session.execute(ReturnCards(ring[0], PLAYER))
    # The other hand stays with its own holder.
    assert only(session.execute(HandCards(BANKER)), CardsHanded).seat == 3
    session.execute(ReturnCards(3, BANKER))
    deal(session, "4c")
    assert only(session.execute(HandCards(PLAYER)), CardsHanded).seat == ring[0]
    session.execute(ReturnCards(ring[0], PLAYER))
    deal(session, "5d")
    session.execute(HandCards(BANKER))
    session.execute(ReturnCards(3, BANKER))
    finish(session)
    wager(session, (3, "player", 10000))
    deal(session, "2h 3d Kh Ks")
    assert only(session.execute(HandCards(PLAYER)), CardsHanded).seat == 3


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
def test_the_right_to_the_third_card_alone_may_be_given_up() -> None:
    session = held_by_3()
    for hand in (PLAYER, BANKER):
        session.execute(HandCards(hand))
        session.execute(ReturnCards(3, hand))
    deal(session, "4c")
    assert only(session.execute(RelinquishCards(3, PLAYER)), CardsOffered).seat == 4
    session.execute(AcceptCards(4, PLAYER))
    session.execute(HandCards(PLAYER))
    assert only(session.execute(ReturnCards(4, PLAYER)), CardsReturned).seat == 4


@pytest.mark.clause("NJ-MINI:7.11(f)#3")
def test_where_nobody_takes_it_the_dealer_turns_the_hand_and_its_third_card() -> None:
    session = held_by_3()
    events = session.execute(RelinquishCards(3, PLAYER))
    for seat in (4, 7, 1):
        assert only(events, CardsOffered).seat == seat
        events = session.execute(DeclineCards(seat, PLAYER))
    assert only(events, CardsOffered).seat is None
    assert due(session) == {TurnHand}
    refused(session, HandCards(PLAYER), "no_holder")
    assert only(session.execute(TurnHand(PLAYER)), CardsReturned).seat is None
    session.execute(HandCards(BANKER))
    session.execute(ReturnCards(3, BANKER))
    deal(session, "4c")
    assert due(session) == {TurnHand}
    assert only(session.execute(TurnHand(PLAYER)), CardsReturned).seat is None


@pytest.mark.clause("NJ-MINI:7.11(f)#3")
def test_with_nobody_else_at_the_table_the_dealer_turns_the_hand_at_once() -> None:
    session = held_by_3(3)
    assert only(session.execute(RelinquishCards(3, PLAYER)), CardsOffered).seat is None
    assert only(session.execute(TurnHand(PLAYER)), CardsReturned).seat is None


@pytest.mark.clause("NJ-MINI:7.11(f)#2")
def test_a_player_without_a_wager_may_take_the_right() -> None:
    session = held_by_3(3, 6)
    session.execute(RelinquishCards(3, PLAYER))
    session.execute(AcceptCards(6, PLAYER))
    session.execute(HandCards(PLAYER))
    assert only(session.execute(ReturnCards(6, PLAYER)), CardsReturned).seat == 6
