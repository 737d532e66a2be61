"""A card in error that patrons alone have seen: the register decides whether it was disclosed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import pytest

from croupier.acts import (
    CardDrawnInError,
    DrawCard,
    DrawCardInError,
    LeaveTable,
    SeatPatron,
    SimulatedRoundOrdered,
    ThirdCardWaits,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.records.codec import dump
from croupier.records.view.seen import seen_entry
from croupier.records.view.sight import VIEWERS, Viewer
from croupier.table import Phase
from croupier.table.machine.position import Proposal, Stamp, propose
from croupier.table.machine.session import TableSession
from support import massachusetts, new_york, punto_banco, table
from support.games import Game, advance
from support.table import only, refused, wager

NINE: Final = Card.of("9c")
GAMES: Final[dict[str, tuple[Game, dict[str, object]]]] = {
    "MA": (massachusetts.MASSACHUSETTS, {}),
    "NJ mini": (table.MINIBACCARAT, {"deal__option": "hand-over"}),
    "NJ punto banco": (punto_banco.PUNTO_BANCO, {"deal__option": "hand-over"}),
    "NY midi": (new_york.NEW_YORK, {"game": "midi", "deal__option": "hand-over"}),
}


def seen_by(*seats: int, to: Hand | None = Hand.PLAYER) -> DrawCardInError:
    return DrawCardInError(NINE, disclosed=True, dealt_to=to, seen_by=seats)


def four_cards(name: str, cards: str = "7h 4d Kc Qs") -> TableSession:
    """Seat one wagered most on Player and views that hand; seat two views Banker's Hand."""
    game, elections = GAMES[name]
    session = game.ready(1, 2, 3, **elections)
    if name == "NJ punto banco":
        punto_banco.shoe_to(session, 3)
    wager(session, (1, "player", 10_000), (2, "banker", 10_000), (3, "player", 5_000))
    game.deal(session, cards)
    return session


@pytest.mark.parametrize("name", GAMES)
def test_a_card_is_disclosed_by_anyone_but_the_patron_who_is_to_view_it(name: str) -> None:
    for seats, disclosed in (((1,), False), ((3,), True), ((2,), True), ((1, 3), True)):
        session = four_cards(name)
        # Player stays with 7 and Banker draws with 4: the card is Banker's, seen or not.
        drawn = only(session.execute(seen_by(*seats)), CardDrawnInError)
        assert (drawn.disclosed, drawn.seen_by) == (disclosed, seats)
        assert "C178" in drawn.clauses
        plain = DrawCardInError(NINE, disclosed, Hand.PLAYER)
        without = only(four_cards(name).execute(plain), CardDrawnInError)
        assert drawn.clauses == (*without.clauses, "C178")


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:13(b)#2", "MA-MINI:13(c)#2")
def test_what_its_holder_alone_has_seen_begins_the_next_hand_and_no_simulated_round() -> None:
    for seats, held in (((1,), (NINE,)), ((3,), ())):
        session = four_cards("MA", "7h 6d Kc Qs")
        session.execute(seen_by(*seats))
        assert session.state.held == held
        # The licensee discards a disclosed one and one more.
        assert session.state.to_discard == (0 if held else 1)


@pytest.mark.parametrize("name", GAMES)
def test_a_card_for_no_hand_or_before_one_is_handed_has_no_viewer(name: str) -> None:
    session = four_cards(name, "7h 6d Kc Qs")
    assert only(session.execute(seen_by(1, to=None)), CardDrawnInError).disclosed
    game, elections = GAMES[name]
    session = game.ready(1, 2, **elections)
    assert only(session.execute(seen_by(1)), CardDrawnInError).disclosed


@pytest.mark.parametrize("name", GAMES)
def test_a_patron_who_has_walked_away_or_taken_the_seat_later_views_no_hand(name: str) -> None:
    away = four_cards(name, "7h 6d Kc Qs")
    advance(away, Phase.DECIDED)
    away.execute(LeaveTable(1))
    assert away.state.seats[1].away
    refused(away, seen_by(1), "walked_away")
    session = four_cards(name, "7h 6d Kc Qs")
    advance(session, Phase.SETTLED)
    session.execute(LeaveTable(1))
    session.execute(SeatPatron(1, "a newcomer"))
    assert only(session.execute(seen_by(1)), CardDrawnInError).disclosed


def test_a_seat_that_is_named_twice_has_seen_it_once() -> None:
    drawn = only(four_cards("MA").execute(seen_by(3, 1, 3)), CardDrawnInError)
    assert drawn.seen_by == (1, 3)


def test_where_no_patron_views_cards_whoever_saw_one_disclosed_it() -> None:
    session = table.ready(1)
    wager(session, (1, "player", 1_000))
    table.deal(session, "7h 6d Kc Qs")
    drawn = only(session.execute(seen_by(1)), CardDrawnInError)
    assert (drawn.disclosed, drawn.clauses[-1]) == (True, "C178")


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:13(d)")
def test_a_due_card_that_its_viewer_alone_saw_is_dealt_as_any_other() -> None:
    session = four_cards("MA", "2h 3d Th Qs")
    refusal = refused(session, seen_by(1), "card_due")
    assert refusal.clauses[-1] == "C178"
    session.execute(DrawCard(NINE))
    session = four_cards("MA", "2h 3d Th Qs")
    ordered = only(session.execute(seen_by(3)), SimulatedRoundOrdered)
    assert "MA-MINI:13(d)" in ordered.clauses


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:13(a)")
def test_bankers_early_third_card_waits_though_its_viewer_has_seen_it() -> None:
    session = four_cards("MA", "2h 3d Th Qs")
    session.execute(DrawCard(Card.of("4c")))
    waits = only(session.execute(seen_by(2, to=Hand.BANKER)), ThirdCardWaits)
    assert not waits.disclosed
    massachusetts.MASSACHUSETTS.turn(session)
    assert session.state.round is not None
    assert session.state.round.coup.banker[-1] == NINE
    assert session.state.round.early is None


def test_who_saw_it_has_to_be_there_and_to_have_seen_it() -> None:
    session = four_cards("MA")
    refused(session, seen_by(1, 5), "seat_empty")
    unseen = DrawCardInError(NINE, disclosed=False, dealt_to=Hand.PLAYER, seen_by=(1,))
    assert refused(session, unseen, "seen").clauses == ("C178",)


EVERYBODY: Final = (
    *(Viewer(office) for office in sorted(VIEWERS) if office != "patron"),
    *(Viewer("patron", seat) for seat in (1, 2, 3)),
)


def _entry(session: TableSession, command: DrawCardInError) -> Proposal:
    answer = propose(session.position, command, Stamp(), datetime(2026, 11, 26, tzinfo=UTC))
    assert isinstance(answer, Proposal)
    return answer


def test_nobody_reads_in_the_record_what_one_patron_alone_has_seen() -> None:
    """The card is held for the next hand: whoever knows it wagers on it."""
    session = four_cards("MA", "7h 6d Kc Qs")
    alone, shown = _entry(session, seen_by(1)), _entry(session, seen_by(1, 3))
    for viewer in EVERYBODY:
        assert NINE.notation.encode() not in dump(seen_entry(viewer, alone))
    board = Viewer("board")
    assert NINE.notation.encode() in dump(seen_entry(board, shown))


def test_a_held_card_stays_undisclosed_until_it_is_dealt() -> None:
    session = four_cards("MA", "7h 6d Kc Qs")
    session.execute(seen_by(1))
    advance(session, Phase.BETTING)
    assert session.state.held == (NINE,)
