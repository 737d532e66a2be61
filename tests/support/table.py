"""What tests of the table share: rules under elections, and a session driven to a phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from croupier import scenarios
from croupier.cards import parse_cards
from croupier.rules import Layout, Limit, TableRules, plain_submission, table_rules
from croupier.table import Phase, Refusal, commands
from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.session import Listener, Session

LAW = "us-nj/minibaccarat"

EventType = TypeVar("EventType", bound=Event)


def rules_of(
    layout: Layout | None = None,
    limits: Mapping[str, Limit] | None = None,
    readings: Mapping[str, str] | None = None,
    **elections: Any,
) -> TableRules:
    """Rules of the plain New Jersey game, but for elections; ``__`` stands for a dot."""
    submission = plain_submission(LAW, **elections)
    return table_rules(
        replace(
            submission,
            layout=layout or submission.layout,
            limits=limits,
            readings=readings or {},
        )
    )


def open_table(
    rules: TableRules, *seats: int, chips_cents: int = 1_000_000, listener: Listener | None = None
) -> Session:
    """A table that has received its cards' verification, with patrons and chips in some seats."""
    session = Session(rules, *(() if listener is None else (listener,)))
    session.do(commands.OpenTable(100_000_000, "Dana", "Flo", "2011-02-22"))
    for seat in seats:
        session.do(commands.SeatPatron(seat, f"Patron {seat}"))
        session.do(commands.BuyChips(seat, chips_cents))
    session.do(commands.ReceiveCards(rules.value("decks", int)))
    session.do(commands.InspectCards())
    session.do(commands.VerifyCards("Flo"))
    return session


def advance(session: Session, until: Phase) -> None:
    """Do what must be done next, in the plainest way, until the table is in that phase.

    Nobody accepts the cut but the first who is asked, 100 cards down; the cutting card goes 14
    from the back; the burn is an ace and a two.
    """
    for _ in range(100):
        if session.state.phase is until:
            return
        session.do(plainest(session))
    raise AssertionError(f"the table never was {until.value}: it is {session.state.phase.value}")


def plainest(session: Session) -> Command:
    """The plainest command for what must be done next."""
    action = next(action for action in session.legal() if action.must)
    return scenarios.plainest(session.state, session.rules, action)


def at(
    phase: Phase,
    *seats: int,
    chips_cents: int = 1_000_000,
    layout: Layout | None = None,
    limits: Mapping[str, Limit] | None = None,
    readings: Mapping[str, str] | None = None,
    **elections: Any,
) -> Session:
    """A newly opened table in that phase, with patrons in some seats; in seat 1 if none is named."""
    rules = rules_of(layout, limits, readings, **elections)
    session = open_table(rules, *(seats or (1,)), chips_cents=chips_cents)
    advance(session, phase)
    return session


def ready(*seats: int, **elections: Any) -> Session:
    """A table open for wagers under these elections, with patrons in some seats."""
    return at(Phase.BETTING, *seats, **elections)


def due(session: Session) -> set[type[Command]]:
    """What must be done next, before anything else goes on."""
    return {action.command for action in session.legal() if action.must}


def only(events: Iterable[Event], kind: type[EventType]) -> EventType:
    """The one event of that kind among them."""
    (event,) = (event for event in events if isinstance(event, kind))
    return event


def every(events: Iterable[Event], kind: type[EventType]) -> list[EventType]:
    """All events of that kind among them, in order."""
    return [event for event in events if isinstance(event, kind)]


def load_short_shoe(session: Session) -> None:
    """Bring a shoe into play that ends with its third round of four cards.

    Of eight decks 408 cards lie behind the cutting card; the plainest burn takes two of the eight
    before it, so that it appears in the middle of the second round.
    """
    advance(session, Phase.CUT)
    session.do(commands.InsertCuttingCards(408))
    advance(session, Phase.BETTING)


def play_out(session: Session, cards: str) -> None:
    """Play the same round again and again until the shoe is completed."""
    while session.state.phase is not Phase.SHOE_COMPLETED:
        play(session, cards)


def wager(session: Session, *wagers: tuple[int, str, int]) -> None:
    """Place wagers, each a seat, a wager's id and cents."""
    for seat, name, cents in wagers:
        session.do(commands.PlaceWager(seat, name, cents))


def deal(session: Session, cards: str) -> list[Event]:
    """Call no more bets if need be, and draw cards; return the events of it all."""
    events: list[Event] = []
    if session.state.phase is Phase.BETTING:
        events += session.do(commands.CallNoMoreBets())
    for card in parse_cards(cards):
        events += session.do(commands.DrawCard(card))
    return events


def play(session: Session, cards: str) -> list[Event]:
    """Play a face-up round whole: deal, settle, clear; return the events of it all."""
    events = deal(session, cards)
    events += session.do(commands.SettleWagers())
    events += session.do(commands.ClearLayout())
    return events


def refused(session: Session, command: Command, code: str) -> Refusal:
    """Ask for a command that must be refused with that code and change nothing."""
    before = session.state
    answer = session.ask(command)
    assert isinstance(answer, Refusal), f"{command} was carried out: {answer}"
    assert answer.code == code, answer
    assert session.state is before
    return answer


def banker_wins(session: Session, *stakes: tuple[int, int]) -> list[Event]:
    """Play a round that Banker wins, with Banker wagers: each a seat and cents."""
    wager(session, *((seat, "banker", cents) for seat, cents in stakes))
    return play(session, "8h 9d Kh Ks")


def owing(**elections: Any) -> Session:
    """Seat 1 owes five dollars of deferred vigorish; the pit clerk Clark holds Forms 101 to 103."""
    pit = Layout(pit="12", table="1204")
    session = ready(1, 2, layout=pit, vigorish__collection="deferred", **elections)
    banker_wins(session, (1, 10_000))
    session.do(commands.ReceiveForms("Clark", 101, 103))
    return session


def form(serial: int = 101, seat: int = 1, **changes: Any) -> commands.PrepareForm:
    """A Form that everybody signs: Clark the pit clerk, Dana the dealer, Bo the pit boss."""
    signed = commands.PrepareForm(serial, seat, "Clark", "Dana", "Bo", patron_signed=True)
    return replace(signed, **changes)
