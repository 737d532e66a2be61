"""A game of one regulation, and how its tables are driven in the plainest way from phase to phase."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts, scenarios
from croupier.acts import Command, Event
from croupier.baccarat.cards import parse_cards
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.law.interpretations import interpretations
from croupier.law.model import Instrument
from croupier.records.entry import SteppedClock
from croupier.rules import Limit, TableLayout, TableRules, default_submission, table_rules
from croupier.table import Phase
from croupier.table.machine.session import Record, TableSession
from croupier.table.parts.curator import CuratorState
from croupier.table.parts.house_money import HouseMoneyPhase

_BUILD: Final[Any] = sys.modules["croupier.rules.build"]

_KEPT: Final[dict[tuple[object, ...], tuple[Instrument, TableRules]]] = {}
"""Rules that were made in a process, with the text that they were made of."""


def plainest(session: TableSession) -> Command:
    """The plainest command for what must be done next."""
    action = next(action for action in session.legal() if action.must)
    return scenarios.plainest(session.state, session.rules, action)


def advance(session: TableSession, until: Phase) -> None:
    """Do what must be done next, in the plainest way, until the table is in that phase.

    Nobody accepts the cut but the first who is asked, 100 cards down; the cutting card goes 14
    from the back; the burn is an ace and a two.
    """
    for _ in range(100):
        if session.state.phase is until:
            return
        session.execute(plainest(session))
    raise AssertionError(f"the table never was {until.value}: it is {session.state.phase.value}")


class Game(Struct, frozen=True):
    """A game of the text of one day, with the people of its tables.

    ``readings`` are acknowledged unless a test says otherwise; at a table that ``verifies`` the cards
    are verified as it opens; ``now`` is what its clock then shows, if it has one; hands that lie face
    down are turned as they are dealt where it ``turns`` them.
    """

    law: str
    on: date
    gaming_date: date
    dealer: str
    floorperson: str
    readings: Mapping[str, str] = field(default_factory=dict)
    layout: Callable[[Mapping[str, Any]], TableLayout | None] = lambda _: None
    verifies: bool = False
    now: datetime | None = None
    turns: bool = False

    def rules(
        self,
        layout: TableLayout | None = None,
        limits: Mapping[str, Limit] | None = None,
        readings: Mapping[str, str] | None = None,
        **elections: Any,
    ) -> TableRules:
        """Rules of the plain game, but for elections; ``__`` stands for a dot.

        They never change, and are made once in a process. A process that notes what a test calls
        makes them for each test, and one that was forked does not take over those of another.
        """
        asked = (layout, limits, readings, elections)
        if sys.getprofile() is not None or sys.gettrace() is not None:
            return self._made(*asked)
        law = _BUILD.resolve(self.law, on=self.on)
        key = (os.getpid(), id(law), id(interpretations()), repr((self.readings, asked)))
        if key not in _KEPT:
            _KEPT[key] = (law, self._made(*asked))
        return _KEPT[key][1]

    def _made(
        self,
        layout: TableLayout | None,
        limits: Mapping[str, Limit] | None,
        readings: Mapping[str, str] | None,
        elections: Mapping[str, Any],
    ) -> TableRules:
        submission = default_submission(self.law, self.on, **elections)
        return table_rules(
            replace(
                submission,
                layout=layout or self.layout(elections) or submission.layout,
                limits=limits,
                readings={**self.readings, **(readings or {})},
            )
        )

    def errors(self, **elections: Any) -> tuple[ErrorDetail, ...]:
        """What is wrong with the plain game under elections that must be refused."""
        try:
            self.rules(**elections)
        except SubmissionError as error:
            return error.errors
        raise AssertionError(f"accepted: {elections}")

    def arriving(
        self,
        rules: TableRules,
        *seats: int,
        chips_cents: int = 1_000_000,
        record: Record | None = None,
    ) -> TableSession:
        """A table that is open and has no cards yet, with patrons and chips in some seats."""
        session = TableSession(
            rules, record=record, clock=None if record is None else SteppedClock()
        )
        session.execute(
            acts.OpenTable(100_000_000, self.dealer, self.floorperson, self.gaming_date)
        )
        for seat in seats:
            session.execute(acts.SeatPatron(seat, f"Patron {seat}"))
            session.execute(acts.BuyChips(seat, chips_cents))
        if self.now is not None:
            session.execute(acts.RecordTime(self.now))
        return session

    def open(
        self,
        rules: TableRules,
        *seats: int,
        chips_cents: int = 1_000_000,
        record: Record | None = None,
    ) -> TableSession:
        """A table that has received its cards, with patrons and chips in some seats."""
        session = self.arriving(rules, *seats, chips_cents=chips_cents, record=record)
        session.execute(acts.ReceiveCards(rules.value("decks", int)))
        if self.verifies:
            session.execute(acts.InspectCards())
            session.execute(acts.VerifyCards(self.floorperson))
        return session

    def at(
        self,
        phase: Phase,
        *seats: int,
        chips_cents: int = 1_000_000,
        layout: TableLayout | None = None,
        limits: Mapping[str, Limit] | None = None,
        readings: Mapping[str, str] | None = None,
        **elections: Any,
    ) -> TableSession:
        """A newly opened table in that phase, with patrons in some seats; in seat 1 if none is named."""
        rules = self.rules(layout, limits, readings, **elections)
        session = self.open(rules, *(seats or (1,)), chips_cents=chips_cents)
        advance(session, phase)
        return session

    def ready(self, *seats: int, **elections: Any) -> TableSession:
        """A table open for wagers under these elections, with patrons in some seats."""
        return self.at(Phase.BETTING, *seats, **elections)

    def call(self, session: TableSession) -> list[Event]:
        """Call no more bets; whoever is offered the shoe takes it first."""
        if asked := session.state[CuratorState].asked:
            session.execute(acts.AcceptShoe(asked[0]))
        return list(session.execute(acts.CallNoMoreBets()))

    def turn(self, session: TableSession) -> list[Event]:
        """Have all hands that lie face down handed over, returned or turned, as they are due."""
        events: list[Event] = []
        while session.state.round is not None and session.state.round.down:
            events += session.execute(plainest(session))
        return events

    def deal(self, session: TableSession, cards: str) -> list[Event]:
        """Call no more bets if need be, and draw cards; return the events of it all.

        House Money that falls due before the last of these cards is settled, and nothing added.
        """
        events: list[Event] = []
        if session.state.phase is Phase.BETTING:
            events += self.call(session)
        for card in parse_cards(cards):
            if session.state.phase is HouseMoneyPhase.HOUSE_MONEY:
                events += session.execute(acts.SettleHouseMoney({}))
            events += session.execute(acts.DrawCard(card))
            if self.turns:
                events += self.turn(session)
        return events

    def play(self, session: TableSession, cards: str) -> list[Event]:
        """Play a round whole: deal, settle, clear; return the events of it all."""
        events = self.deal(session, cards)
        events += session.execute(acts.SettleWagers())
        events += session.execute(acts.ClearLayout())
        return events

    def load_short_shoe(self, session: TableSession) -> None:
        """Bring a shoe into play that ends with its third round of four cards.

        Of eight decks 408 cards lie behind the cutting card; the plainest burn takes two of the eight
        before it, so that it appears in the middle of the second round.
        """
        advance(session, Phase.CUT)
        session.execute(acts.InsertCuttingCards(408))
        advance(session, Phase.BETTING)

    def play_out(self, session: TableSession, cards: str) -> None:
        """Play the same round again and again until the shoe is completed."""
        while session.state.phase is not Phase.SHOE_COMPLETED:
            self.play(session, cards)
