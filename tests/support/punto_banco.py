"""What tests of New Jersey punto banco share: its rules under elections, and a table in a phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from croupier.cards import parse_cards
from croupier.law.elect import Fault, SubmissionError
from croupier.rules import Layout, Limit, TableRules, plain_submission, table_rules
from croupier.table import Phase, commands
from croupier.table.events import Event
from croupier.table.session import Session
from support.table import advance, open_table, plainest, wager

LAW = "us-nj/punto-banco"

DEALERS = ("Dana", "Dora", "Dirk")

PLAYER_WINS = "9h 8d Kh Ks"
BANKER_WINS = "8h 9d Kh Ks"
TIE = "8h 8d Kh Ks"


def rules_of(
    layout: Layout | None = None,
    limits: Mapping[str, Limit] | None = None,
    readings: Mapping[str, str] | None = None,
    **elections: Any,
) -> TableRules:
    """Rules of plain punto banco, but for elections; ``__`` stands for a dot."""
    submission = plain_submission(LAW, **elections)
    return table_rules(
        replace(
            submission,
            layout=layout or submission.layout,
            limits=limits,
            readings=readings or {},
        )
    )


def faults_of(**elections: Any) -> tuple[Fault, ...]:
    """What is wrong with plain punto banco under elections that must be refused."""
    try:
        rules_of(**elections)
    except SubmissionError as error:
        return error.faults
    raise AssertionError(f"accepted: {elections}")


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


def call(session: Session) -> list[Event]:
    """Call no more bets; whoever is offered the shoe takes it first."""
    if asked := session.state.curating.asked:
        session.do(commands.AcceptShoe(asked[0]))
    return list(session.do(commands.CallNoMoreBets()))


def deal(session: Session, cards: str) -> list[Event]:
    """Call no more bets if need be, draw cards, and turn what lies face down; return all events."""
    events: list[Event] = []
    if session.state.phase is Phase.BETTING:
        events += call(session)
    for card in parse_cards(cards):
        events += session.do(commands.DrawCard(card))
        while session.state.round is not None and session.state.round.down:
            events += session.do(plainest(session))
    return events


def play(session: Session, cards: str) -> list[Event]:
    """Play a round whole: deal, settle, clear; return the events of it all."""
    events = deal(session, cards)
    events += session.do(commands.SettleWagers())
    events += session.do(commands.ClearLayout())
    return events


def banker_wins(session: Session, *stakes: tuple[int, int]) -> list[Event]:
    """Play a round that Banker wins, with Banker wagers: each a seat and cents."""
    wager(session, *((seat, "banker", cents) for seat, cents in stakes))
    return play(session, BANKER_WINS)


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
