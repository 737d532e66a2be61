"""Cards that go out of use: wrong ones, reported at every moment at which the set is at the table, and by order."""

from __future__ import annotations

from typing import Any, Final

import pytest

from croupier.acts import (
    CallNoMoreBets,
    CardsRemoved,
    DecksOrdered,
    FindWrongCard,
    OrderDecks,
    PlaceWager,
    RoundVoided,
    ShuffleCards,
    StakesReleased,
    WrongCardFound,
)
from croupier.baccarat.cards import Card
from croupier.table import Phase
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import CARDS_IN_SHOE, AnyPhase
from croupier.table.parts.curator import CuratorState
from croupier.verify.corrected import before_readings
from support.games import Game, advance, plainest
from support.massachusetts import MASSACHUSETTS
from support.new_york import NEW_YORK
from support.punto_banco import PUNTO_BANCO, shoe_to
from support.table import MINIBACCARAT, at, only, refused

GAMES: Final = (
    pytest.param(MINIBACCARAT, {}, marks=pytest.mark.under("us-nj/minibaccarat@2011-02-22")),
    pytest.param(
        MINIBACCARAT,
        {"device": "shuffler", "decks": 16},
        marks=pytest.mark.under("us-nj/minibaccarat@2011-02-22"),
    ),
    pytest.param(PUNTO_BANCO, {}, marks=pytest.mark.under("us-nj/punto-banco@2011-02-22")),
    pytest.param(MASSACHUSETTS, {}, marks=pytest.mark.under("us-ma/minibaccarat@2026-11-20")),
    pytest.param(NEW_YORK, {}, marks=pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")),
)
FOUND: Final = FindWrongCard("foreign", "Sup", Card.of("Kh"))


def removed(session: TableSession) -> None:
    """Go on in the plainest way until the set is off the table; it is not mixed or dealt meanwhile."""
    shoes = session.state.shoe.number
    for _ in range(40):
        if session.state.phase is Phase.OPEN:
            return
        session.execute(plainest(session))
        assert session.state.shoe.number == shoes
    raise AssertionError(session.state.phase)


@pytest.mark.parametrize(("game", "elections"), GAMES)
def test_a_wrong_card_can_be_reported_at_every_moment_at_which_a_set_is_at_the_table(
    game: Game, elections: dict[str, Any]
) -> None:
    session = game.arriving(game.rules(**elections), 1)
    phases: set[AnyPhase] = set()
    while Phase.SETTLED not in phases:
        phase, before = session.state.phase, session.position
        if phase is Phase.OPEN:
            refused(session, FOUND, "not_now")
        elif phase not in phases:
            assert FindWrongCard in {one.command for one in session.legal()}
            assert only(session.execute(FOUND), WrongCardFound).card == Card.of("Kh")
            # No shoe is at its end before one was begun, or while the next is prepared.
            assert (session.state.phase is Phase.OUT_OF_USE) == (phase not in CARDS_IN_SHOE)
            if phase not in CARDS_IN_SHOE:
                refused(session, CallNoMoreBets(), "cards_flawed")
                assert (
                    "waiting for the cards to be removed"
                    in refused(session, PlaceWager(1, "player", 10_000), "not_now").message
                )
            removed(session)
            session.position = before
        phases.add(phase)
        if phase is Phase.BETTING and not session.state.stakes:
            session.execute(PlaceWager(1, "player", 10_000))
        session.execute(plainest(session))
    assert {Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN, Phase.DEALING} < phases


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
@pytest.mark.clause("NJ-MINI:7.1(a)#1")
def test_the_count_at_the_end_of_a_shoe_shows_that_there_are_too_many_of_a_card() -> None:
    session = at(Phase.TO_CUT)
    MINIBACCARAT.load_short_shoe(session)
    MINIBACCARAT.play_out(session, "9h 8d Kh Ks")
    refused(session, FindWrongCard("surplus", "Sup"), "possible")
    session.execute(FindWrongCard("surplus", "Sup", Card.of("2c")))
    refused(session, ShuffleCards(), "cards_flawed")
    removed(session)


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_a_log_of_a_version_that_voided_rounds_with_damaged_cards_is_still_understood() -> None:
    session = at(Phase.DEALING)
    bent = FindWrongCard("damaged", "Sup", Card.of("Kh"))
    ((entries, events),) = before_readings(session.position, bent, Stamp())
    assert entries == ("C190",)
    assert [type(one) for one in events] == [WrongCardFound, RoundVoided, StakesReleased]
    assert [type(one) for one in session.execute(bent)] == [WrongCardFound]


@pytest.mark.under("us-nj/punto-banco@2011-02-22")
@pytest.mark.clause("NJ-PB:3.5(c)#2")
def test_other_decks_leave_the_shoe_with_its_curator_who_is_offered_the_cut_first() -> None:
    session = PUNTO_BANCO.at(Phase.TO_CUT, 3, 6)
    PUNTO_BANCO.load_short_shoe(session)
    shoe_to(session, 3)
    PUNTO_BANCO.play_out(session, "8h 9d Kh Ks")
    events = session.execute(OrderDecks("Sup", "worn"))
    assert [type(one) for one in events] == [DecksOrdered, CardsRemoved]
    advance(session, Phase.TO_CUT)
    assert session.state.cut.asked == 3
    advance(session, Phase.BETTING)
    assert session.state[CuratorState].curator == 3
