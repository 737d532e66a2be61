"""What tests of New York mini and midi baccarat share: its rules, and a table driven to a phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from croupier.law.elect import Fault, SubmissionError
from croupier.rules import Layout, Limit, TableRules, plain_submission, table_rules
from croupier.table import Phase, commands
from croupier.table.events import (
    Event,
    LosingWagersCollected,
    VigorishCollected,
    VigorishMarked,
    WagerPaid,
)
from croupier.table.session import Session
from support.table import advance, deal, wager

LAW: Final = "us-ny/mini-midi-baccarat"
PREFIX: Final = "NY-MINIMIDI:"

ACKNOWLEDGED: Final = {"T36": "new-jersey-family"}
"""Without it no table is dealt: the section on irregularities is not held."""

COUNTERCLOCKWISE: Final = Layout(seats=7)
CLOCKWISE: Final = Layout(seats=7, numbering="clockwise")

PLAYER_9_BANKER_8: Final = "9h 8d Kh Ks"
PLAYER_8_BANKER_9: Final = "8h 9d Kh Ks"
TIE_8: Final = "8h 8d Kh Ks"
TIE_6: Final = "6h 6d Kh Ks"
BANKER_6: Final = "5h 2d Kh Ks Kc 4c"  # Player 5 draws a king, Banker 2 a four.
DRAGON_7: Final = "6h 4d Kh Ks 3c"  # Player stays on 6, Banker 4 draws a 3.
PANDA_8: Final = "2h 7d Kh Ks 6c"  # Player 2 draws a 6, Banker stays on 7.


def ny(*sections: str) -> tuple[str, ...]:
    """Clauses of this text, in full."""
    return tuple(PREFIX + section for section in sections)


def rules_of(
    layout: Layout | None = None,
    limits: Mapping[str, Limit] | None = None,
    readings: Mapping[str, str] | None = None,
    **elections: Any,
) -> TableRules:
    """Rules of the plain mini game, but for elections; ``__`` stands for a dot."""
    submission = plain_submission(LAW, **elections)
    return table_rules(
        replace(
            submission,
            layout=layout or submission.layout,
            limits=limits,
            readings={**ACKNOWLEDGED, **(readings or {})},
        )
    )


def faults_of(**elections: Any) -> dict[str, Fault]:
    """What is wrong with elections that the law does not allow, by where."""
    with pytest.raises(SubmissionError) as told:
        rules_of(**elections)
    return {fault.where: fault for fault in told.value.faults}


def open_table(rules: TableRules, *seats: int, chips_cents: int = 1_000_000) -> Session:
    """A table that has received its cards, with patrons and chips in some seats."""
    session = Session(rules)
    session.do(commands.OpenTable(100_000_000, "Dana", "Flo", "2024-11-02"))
    for seat in seats:
        session.do(commands.SeatPatron(seat, f"Patron {seat}"))
        session.do(commands.BuyChips(seat, chips_cents))
    session.do(commands.ReceiveCards(rules.value("decks", int)))
    return session


def at(
    phase: Phase,
    *seats: int,
    layout: Layout | None = None,
    limits: Mapping[str, Limit] | None = None,
    readings: Mapping[str, str] | None = None,
    **elections: Any,
) -> Session:
    """A newly opened table in that phase, with patrons in some seats; in seat 1 if none is named."""
    session = open_table(rules_of(layout, limits, readings, **elections), *(seats or (1,)))
    advance(session, phase)
    return session


def ready(*seats: int, **elections: Any) -> Session:
    """A table open for wagers under these elections, with patrons in some seats."""
    return at(Phase.BETTING, *seats, **elections)


def midi(*seats: int, **elections: Any) -> Session:
    """A table of midi baccarat open for wagers, where the hands are handed over."""
    return ready(*seats, game="midi", deal__option="hand-over", **elections)


def ez(*seats: int, **elections: Any) -> Session:
    """An EZ table open for wagers."""
    return ready(*seats, vigorish__scheme="dragon-7", **elections)


def settle(session: Session, cards: str, *stakes: tuple[int, str, int]) -> tuple[Event, ...]:
    """Wager, deal a face-up round and settle it; return the events of the settlement."""
    wager(session, *stakes)
    deal(session, cards)
    return session.do(commands.SettleWagers())


def moves(events: tuple[Event, ...]) -> list[tuple[str, int, int]]:
    """What a settlement did, in order: the act, the seat and the cents."""
    done: list[tuple[str, int, int]] = []
    for event in events:
        match event:
            case LosingWagersCollected():
                done.extend(("collect", one.seat, one.cents) for one in event.stakes)
            case WagerPaid():
                done.append(("pay", event.seat, event.cents))
            case VigorishCollected():
                done.append(("vigorish", event.seat, event.cents))
            case VigorishMarked():
                done.append(("mark", event.seat, event.cents))
            case _:
                pass
    return done
