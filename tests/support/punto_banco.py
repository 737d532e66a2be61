"""What tests of New Jersey punto banco share: its rules under elections, and a table in a phase."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from croupier import acts
from croupier.acts import Event
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.parts.curator import CuratorState
from support.games import Game
from support.table import wager
from support.texts import NJ_PUNTO

DEALERS = ("Dana", "Dora", "Dirk")

PLAYER_WINS = "9h 8d Kh Ks"
BANKER_WINS = "8h 9d Kh Ks"
TIE = "8h 8d Kh Ks"


PUNTO_BANCO: Final = Game(
    "us-nj/punto-banco",
    NJ_PUNTO,
    gaming_date=date(2011, 3, 5),
    dealer="Petra",
    floorperson="Pablo",
    verifies=True,
    turns=True,
)
LAW: Final = PUNTO_BANCO.law

rules_of = PUNTO_BANCO.rules
errors_of = PUNTO_BANCO.errors
at = PUNTO_BANCO.at
call = PUNTO_BANCO.call
deal = PUNTO_BANCO.deal
play = PUNTO_BANCO.play
play_out = PUNTO_BANCO.play_out
load_short_shoe = PUNTO_BANCO.load_short_shoe


def offer_to(session: TableSession, seat: int | None) -> list[int]:
    """Have everybody reject the shoe until that seat is asked; tell who rejected it."""
    rejected = []
    while (
        session.state[CuratorState].asked
        and (asked := session.state[CuratorState].asked[0]) != seat
    ):
        session.execute(acts.DeclineShoe(asked))
        rejected.append(asked)
    return rejected


def shoe_to(session: TableSession, seat: int | None) -> None:
    """Let a seat take the shoe that is on offer; the dealer has it where it is ``None``."""
    offer_to(session, seat)
    if seat is not None:
        session.execute(acts.AcceptShoe(seat))


def ready(*seats: int, **elections: Any) -> TableSession:
    """A table open for wagers; the first to be asked has taken the shoe."""
    session = at(Phase.BETTING, *seats, **elections)
    shoe_to(session, session.state[CuratorState].asked[0])
    return session


def dealer_deals(*seats: int, **elections: Any) -> TableSession:
    """A table open for wagers, at which nobody has taken the shoe."""
    session = at(Phase.BETTING, *seats, **elections)
    shoe_to(session, None)
    return session


def banker_wins(session: TableSession, *stakes: tuple[int, int]) -> list[Event]:
    """Play a round that Banker wins, with Banker wagers: each a seat and cents."""
    wager(session, *((seat, "banker", cents) for seat, cents in stakes))
    return play(session, BANKER_WINS)
