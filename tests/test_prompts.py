"""What is prompted while cards are dealt: which hand draws, where a card lies, and under what clause."""

from __future__ import annotations

from typing import Any

import pytest

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.table.machine.offered import dealing_prompt
from croupier.table.machine.session import TableSession
from support import massachusetts, new_york, punto_banco, table
from support.games import Game
from support.texts import dated

LEFT_AND_RIGHT = (
    "draws each card with the left hand, turns it face up, and places it with the right hand"
)
UNDER_THE_SHOE = (
    "and Banker's face down under the right corner of the shoe until Player's Hand is called"
)
THEN_UNDER_THE_SHOE = (
    "Banker's Hand then under the right corner of the shoe until Player's Hand is called"
)
IN_FRONT = "The dealer calling the game turns the cards up and places them in front of the dealer"

MIDI = {"game": "midi", "deal__option": "hand-over"}


def case(at: Game, words: str, clause: str, **elections: Any) -> Any:
    marks = [pytest.mark.under(dated(at.law)), pytest.mark.clause(clause)]
    return pytest.param(at, words, clause, elections, marks=marks, id=clause)


@pytest.mark.parametrize(
    ("at", "words", "clause", "elections"),
    [
        case(table.MINIBACCARAT, LEFT_AND_RIGHT, "NJ-MINI:7.7(c)1#1"),
        case(table.MINIBACCARAT, UNDER_THE_SHOE, "NJ-MINI:7.7(c)2#1", deal__option="face-down"),
        case(table.MINIBACCARAT, THEN_UNDER_THE_SHOE, "NJ-MINI:7.7(c)3", deal__option="hand-over"),
        case(punto_banco.PUNTO_BANCO, IN_FRONT, "NJ-PB:3.7(c)#2"),
        case(
            punto_banco.PUNTO_BANCO, THEN_UNDER_THE_SHOE, "NJ-PB:3.7(d)", deal__option="hand-over"
        ),
        case(massachusetts.MASSACHUSETTS, THEN_UNDER_THE_SHOE, "MA-MINI:8(c)(1)#1"),
        case(new_york.NEW_YORK, LEFT_AND_RIGHT, "NY-MINIMIDI:(f)(3)(i)(a)"),
        case(
            new_york.NEW_YORK, UNDER_THE_SHOE, "NY-MINIMIDI:(f)(3)(i)(b)", deal__option="face-down"
        ),
        case(new_york.NEW_YORK, THEN_UNDER_THE_SHOE, "NY-MINIMIDI:(f)(3)(ii)(a)", **MIDI),
    ],
)
def test_how_a_card_is_dealt_and_placed_is_prompted(
    at: Game, words: str, clause: str, elections: dict[str, Any]
) -> None:
    session = at.ready(1, **elections)
    session.execute(acts.PlaceWager(1, "player", 1_000))
    assert dealing_prompt(session.state, session.rules) is None
    at.call(session)
    for card in ("2h", "3d", "4s", "5c"):
        prompt = session.prompt()
        assert prompt is not None
        assert words in prompt.words
        assert clause in prompt.clauses
        draw(session, card)
    assert dealing_prompt(session.state, session.rules) is None


def draw(session: TableSession, card: str) -> None:
    session.execute(acts.DrawCard(Card.of(card)))
