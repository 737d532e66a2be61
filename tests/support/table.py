"""What tests of the table share: rules under elections, and a session driven to a phase."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command, Event
from croupier.rules import TableLayout
from croupier.table import Refusal
from croupier.table.machine.core import Action
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.people.offices import Actor
from support.games import Game
from support.texts import NJ_MINI

MINIBACCARAT: Final = Game(
    "us-nj/minibaccarat",
    NJ_MINI,
    gaming_date=date(2011, 2, 22),
    dealer="Dana",
    floorperson="Flo",
    verifies=True,
)
LAW: Final = MINIBACCARAT.law

rules_of = MINIBACCARAT.rules
open_table = MINIBACCARAT.open
at = MINIBACCARAT.at
ready = MINIBACCARAT.ready
deal = MINIBACCARAT.deal
play = MINIBACCARAT.play
play_out = MINIBACCARAT.play_out
load_short_shoe = MINIBACCARAT.load_short_shoe

EventType = TypeVar("EventType", bound=Event)


def due(session: TableSession) -> set[type[Command]]:
    """What must be done next, before anything else goes on."""
    return {action.command for action in session.legal() if action.must}


def only(events: Iterable[Event], kind: type[EventType]) -> EventType:
    """The one event of that kind among them."""
    (event,) = (event for event in events if isinstance(event, kind))
    return event


def every(events: Iterable[Event], kind: type[EventType]) -> list[EventType]:
    """All events of that kind among them, in order."""
    return [event for event in events if isinstance(event, kind)]


def wager(session: TableSession, *wagers: tuple[int, str, int]) -> None:
    """Place wagers, each a seat, a wager's id and cents."""
    for seat, name, cents in wagers:
        session.execute(acts.PlaceWager(seat, name, cents))


def refused(session: TableSession, command: Command, code: str) -> Refusal:
    """Ask for a command that must be refused with that code and change nothing."""
    before = session.state
    answer = session.try_execute(command)
    assert isinstance(answer, Refusal), f"{command} was carried out: {answer}"
    assert answer.code == code, answer
    assert session.state is before
    return answer


def code_of(session: TableSession, command: Command, *by: Actor) -> str:
    """Return the code with which a command of these actors is refused; nothing has changed."""
    before = session.position
    answer = session.try_execute(command, Stamp(by))
    assert isinstance(answer, Refusal), answer
    assert session.position is before
    return answer.code


def refused_by_house(session: TableSession, command: Command, *by: Actor) -> str:
    """Return the code with which the house refuses a command: it cites no clause for it."""
    answer = session.propose(command, Stamp(by))
    assert isinstance(answer, Refusal), answer
    assert answer.clauses == ()
    return code_of(session, command, *by)


def banker_wins(session: TableSession, *stakes: tuple[int, int]) -> list[Event]:
    """Play a round that Banker wins, with Banker wagers: each a seat and cents."""
    wager(session, *((seat, "banker", cents) for seat, cents in stakes))
    return play(session, "8h 9d Kh Ks")


def owing(game: Game = MINIBACCARAT, **elections: Any) -> TableSession:
    """Seat 1 owes five dollars of deferred vigorish; the pit clerk Clark holds Forms 101 to 103."""
    pit = TableLayout(pit="12", table="1204")
    session = game.ready(1, 2, layout=pit, vigorish__collection="deferred", **elections)
    banker_wins(session, (1, 10_000))
    session.execute(acts.ReceiveForms("Clark", 101, 103))
    return session


def form(serial: int = 101, seat: int = 1, **changes: Any) -> acts.PrepareForm:
    """A Form that everybody signs: Clark the pit clerk, Dana the dealer, Bo the pit boss."""
    signed = acts.PrepareForm(serial, seat, "Clark", "Dana", "Bo", patron_signed=True)
    return replace(signed, **changes)


REPORTS: Final = {acts.FindWrongCard, acts.OrderDecks, acts.ReportDeviceFailure}
"""What a supervisor may do whenever a set of cards is at the table: a test of its own looks at it."""


def steps_of(session: TableSession) -> tuple[Action, ...]:
    """Return the acts that are open, without those of ``REPORTS``."""
    return tuple(one for one in session.legal() if one.command not in REPORTS)
