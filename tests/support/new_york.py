"""What tests of New York mini and midi baccarat share: its rules, and a table driven to a phase."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from croupier import acts
from croupier.acts import (
    Event,
    LosingWagersCollected,
    VigorishCollected,
    VigorishMarked,
    WagerPaid,
)
from croupier.law.elect import ErrorDetail
from croupier.rules import TableLayout
from croupier.table.machine.session import TableSession
from support.games import Game
from support.table import deal, wager
from support.texts import NY_MINI_MIDI

PREFIX: Final = "NY-MINIMIDI:"

ACKNOWLEDGED: Final = {"T36": "new-jersey-family"}
"""Without it no table is dealt: the section on irregularities is not held."""

COUNTERCLOCKWISE: Final = TableLayout(seats=7)
CLOCKWISE: Final = TableLayout(seats=7, numbering="clockwise")

PLAYER_9_BANKER_8: Final = "9h 8d Kh Ks"
PLAYER_8_BANKER_9: Final = "8h 9d Kh Ks"
TIE_8: Final = "8h 8d Kh Ks"
TIE_6: Final = "6h 6d Kh Ks"
BANKER_6: Final = "5h 2d Kh Ks Kc 4c"  # Player 5 draws a king, Banker 2 a four.
DRAGON_7: Final = "6h 4d Kh Ks 3c"  # Player stays on 6, Banker 4 draws a 3.
PANDA_8: Final = "2h 7d Kh Ks 6c"  # Player 2 draws a 6, Banker stays on 7.


NEW_YORK: Final = Game(
    "us-ny/mini-midi-baccarat",
    NY_MINI_MIDI,
    gaming_date=date(2024, 11, 2),
    dealer="Nora",
    floorperson="Nils",
    readings=ACKNOWLEDGED,
)
LAW: Final = NEW_YORK.law

rules_of = NEW_YORK.rules
open_table = NEW_YORK.open
at = NEW_YORK.at
ready = NEW_YORK.ready


def ny(*sections: str) -> tuple[str, ...]:
    """Clauses of this text, in full."""
    return tuple(PREFIX + section for section in sections)


def errors_of(**elections: Any) -> dict[str, ErrorDetail]:
    """What is wrong with elections that the law does not allow, by where."""
    return {detail.where: detail for detail in NEW_YORK.errors(**elections)}


def midi(*seats: int, **elections: Any) -> TableSession:
    """A table of midi baccarat open for wagers, where the hands are handed over."""
    return ready(*seats, game="midi", deal__option="hand-over", **elections)


def ez(*seats: int, **elections: Any) -> TableSession:
    """An EZ table open for wagers."""
    return ready(*seats, vigorish__scheme="dragon-7", **elections)


def settle(session: TableSession, cards: str, *stakes: tuple[int, str, int]) -> tuple[Event, ...]:
    """Wager, deal a face-up round and settle it; return the events of the settlement."""
    wager(session, *stakes)
    deal(session, cards)
    return session.execute(acts.SettleWagers())


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
