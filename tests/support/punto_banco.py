"""What tests of New Jersey punto banco share: its rules under elections, and a table in a phase."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from croupier.table import Phase, commands
from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.session import Session
from support.games import Game, plainest
from support.table import wager

DEALERS = ("Dana", "Dora", "Dirk")

PLAYER_WINS = "9h 8d Kh Ks"
BANKER_WINS = "8h 9d Kh Ks"
TIE = "8h 8d Kh Ks"


def next_command(session: Session) -> Command:
    """The plainest command for what must be done next: whoever is offered the shoe takes it."""
    action = next(action for action in session.legal() if action.must)
    if action.command is commands.AcceptShoe and action.seat is not None:
        return commands.AcceptShoe(action.seat)
    if action.command is commands.ShuffleCards:
        return commands.ShuffleCards(DEALERS[len(session.state.shuffled_by)])
    return plainest(session)


PUNTO_BANCO: Final = Game(
    "us-nj/punto-banco",
    date(2011, 2, 22),
    gaming_date="2011-03-05",
    dealer="Petra",
    floorperson="Pablo",
    following=next_command,
    verifies=True,
    turns=True,
)
LAW: Final = PUNTO_BANCO.law

rules_of = PUNTO_BANCO.rules
faults_of = PUNTO_BANCO.faults
advance = PUNTO_BANCO.advance
at = PUNTO_BANCO.at
call = PUNTO_BANCO.call
deal = PUNTO_BANCO.deal
play = PUNTO_BANCO.play
play_out = PUNTO_BANCO.play_out
load_short_shoe = PUNTO_BANCO.load_short_shoe


def offer_to(session: Session, seat: int | None) -> list[int]:
    """Have everybody reject the shoe until that seat is asked; tell who rejected it."""
    rejected = []
    while session.state.curating.asked and (asked := session.state.curating.asked[0]) != seat:
        session.do(commands.DeclineShoe(asked))
        rejected.append(asked)
    return rejected


def shoe_to(session: Session, seat: int | None) -> None:
    """Let a seat take the shoe that is on offer; the dealer has it where it is ``None``."""
    offer_to(session, seat)
    if seat is not None:
        session.do(commands.AcceptShoe(seat))


def ready(*seats: int, **elections: Any) -> Session:
    """A table open for wagers; the first to be asked has taken the shoe."""
    session = at(Phase.BETTING, *seats, **elections)
    shoe_to(session, session.state.curating.asked[0])
    return session


def dealer_deals(*seats: int, **elections: Any) -> Session:
    """A table open for wagers, at which nobody has taken the shoe."""
    session = at(Phase.BETTING, *seats, **elections)
    shoe_to(session, None)
    return session


def banker_wins(session: Session, *stakes: tuple[int, int]) -> list[Event]:
    """Play a round that Banker wins, with Banker wagers: each a seat and cents."""
    wager(session, *((seat, "banker", cents) for seat, cents in stakes))
    return play(session, BANKER_WINS)
