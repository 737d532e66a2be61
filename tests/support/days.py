"""Two whole days of tables, told by people in their offices, each with the amounts worked out by hand.

New Jersey has Forms and Massachusetts has awards from meters, so there is a day of each. A day begins
with the closing count of the day before and ends with its own; every command names its actors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier import acts, scenarios
from croupier.acts import Command, Event
from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.money.chips import breakdown
from croupier.money.stax import commitment_to
from croupier.records.entry import SteppedClock
from croupier.rules import TableRules, read_submission, table_rules
from croupier.scenarios.plainest import given_by
from croupier.table import Phase
from croupier.table.machine.position import Position, Proposal, Stamp
from croupier.table.machine.session import TableSession
from croupier.table.people.duty import Duty
from croupier.table.people.offices import Actor
from support import massachusetts
from support.logs import recorded
from support.project import PLAIN

STAFF: Final = {
    Role.PIT_BOSS: ("Bram",), Role.PIT_CLERK: ("Kaja",), Role.CAGE: ("Carl",),
    Role.ACCOUNTING: ("Asta", "Ylva", "Zora"), Role.SURVEILLANCE: ("Vito",), Role.LICENSEE: ("Lino",),
    Role.SUPERVISOR: ("Sefa",),
}  # fmt: skip
NATURAL: Final = "8h 9d Kh Ks"
"""Player 8, Banker 9."""


class Day:
    """A table of which every command is given by people in their offices."""

    def __init__(self, rules: TableRules, log: Path) -> None:
        self.events: list[Event] = []
        self.entries: list[Proposal] = []
        self._writing = recorded(log, rules)
        writer = self._writing.__enter__()

        def record(proposals: object) -> None:
            self.entries.extend(proposals)  # type: ignore[arg-type]  # a sequence of them
            writer(proposals)  # type: ignore[arg-type]

        self.session = TableSession(
            rules, lambda _, told: self.events.extend(told), record=record, clock=SteppedClock()
        )

    def end(self) -> None:
        """Close the log."""
        self._writing.__exit__(None, None, None)

    @property
    def position(self) -> Position:
        return self.session.position

    def do(self, command: Command, *by: Actor) -> int:
        """Carry out a command by whoever holds its offices, or by others; return its entry."""
        actors = by or given_by(self.session.state, command, self.session.rules)
        assert actors, command
        self.session.execute(command, Stamp(actors))
        return self.position.sequence

    def advance(self, phase: Phase) -> None:
        """Do what must be done next, in the plainest way, until the table is in a phase."""
        while self.session.state.phase is not phase:
            action = self.session.due()
            assert action is not None
            self.do(
                self._by_name(scenarios.plainest(self.session.state, self.session.rules, action))
            )

    def _by_name(self, command: Command) -> Command:
        """Return a command that names who holds its offices."""
        duty = self.session.state[Duty]
        held = {
            field: duty.persons(office)[0]
            for field, office in TERMS[type(command).__name__].names.items()
            if getattr(command, field)
        }
        return replace(command, **held) if held else command

    def open(self, cents: int, gaming_date: date) -> None:
        self.do(acts.OpenTable(cents, "Dunja", "Femke", gaming_date))

    def wager(self, seat: int, **stakes: int) -> int:
        return self.do(acts.PlaceWagers(seat, stakes))

    def deal(self, cards: str) -> None:
        self.do(acts.CallNoMoreBets())
        for card in parse_cards(cards):
            self.do(acts.DrawCard(card))

    def fill(self, slip: int, chips: Mapping[int, int]) -> None:
        self.do(acts.RequestFill(slip, chips))
        self.do(acts.IssueFill(slip, chips))
        self.do(acts.ReceiveFill(slip, chips))

    def credit(self, slip: int, chips: Mapping[int, int]) -> None:
        self.do(acts.RequestCredit(slip, chips))
        self.do(acts.IssueCredit(slip, chips))
        self.do(acts.ReceiveCredit(slip, chips))

    def count(self, cents: int) -> None:
        self.do(acts.CountInventory(breakdown(cents), closing=True))


def new_jersey(log: Path) -> Day:
    """A day with two reliefs, a fill, a credit, corrections of each kind, and two Forms."""
    day = Day(table_rules(read_submission(PLAIN)), log)
    day.open(40_000_00, date(2011, 2, 22))
    for office, persons in STAFF.items():
        for person in persons:
            day.do(acts.AssignOffice(office, person), Actor("Femke", Role.FLOORPERSON))
    day.do(acts.CloseTable())
    day.count(40_000_00)
    day.open(40_000_00, date(2011, 2, 23))
    day.do(acts.ReceiveForms("Kaja", 101, 110))
    for seat, patron, cents in ((3, "Rosa", 2_000_00), (5, "Siem", 1_000_00)):
        day.do(acts.SeatPatron(seat, patron))
        day.do(acts.BuyChips(seat, cents))
    day.do(acts.ReceiveCards(8))
    day.advance(Phase.BETTING)
    _morning(day)
    _evening(day)
    return day


def _morning(day: Day) -> None:
    # Round 1: Banker wins. Siem loses $50; Rosa wins $100 and owes $5.
    day.wager(3, banker=100_00)
    day.wager(5, player=50_00)
    day.deal(NATURAL)
    day.advance(Phase.BETTING)
    day.do(acts.RelieveDealer("Goran"))
    day.fill(71, {100_00: 50})
    # Round 2: Player's 5h is found to be 8h before a third card; Player wins 8 to 7.
    day.wager(3, player=200_00)
    day.deal("5h 7d Kh Ks")
    misread = acts.CorrectMisreadCard(Card.of("5h"), Card.of("8h"), "Femke", Hand.PLAYER, ordinal=1)
    day.do(misread)
    day.advance(Phase.BETTING)
    # Round 3: $25 of Siem's were $250; Banker wins, and Siem owes $12.50.
    placed = day.wager(5, banker=25_00)
    day.deal("2h 9d Kh Ks")
    day.do(acts.CorrectWager(placed, 5, "banker", 250_00, "a stack was read as a chip"))
    day.advance(Phase.BETTING)
    # Round 4: Rosa loses $100 to Banker's 9, which is found to be a 7 afterward.
    day.wager(3, player=100_00)
    day.deal(NATURAL)
    settled = day.do(acts.SettleWagers())
    day.advance(Phase.BETTING)
    day.do(
        acts.CorrectSettlement(
            settled, "seen on camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d")
        )
    )


def _evening(day: Day) -> None:
    day.do(acts.RelieveFloorperson("Hedda"))
    # Form 101 is spoilt; Form 102 documents Rosa's $5. Siem pays his $12.50.
    day.do(acts.VoidForm(101, "Kaja", "Bram"))
    day.do(acts.PrepareForm(102, 3, "Kaja", "Goran", "Bram", patron_signed=True))
    day.do(acts.DropForm(102, "Bram", "Kaja"))
    day.do(acts.CollectVigorish(5))
    day.credit(72, {500_00: 20})
    day.do(acts.ChangeChips(3, {25_00: 8}, {100_00: 2}))
    for seat in (3, 5):
        day.do(acts.LeaveTable(seat))
    day.do(acts.CloseTable())
    day.do(acts.EndGamingDay("Kaja"))
    day.count(31_412_50)
    day.do(acts.RemoveDrop("D1", "D2"), Actor("Asta", Role.ACCOUNTING))
    day.do(
        acts.CountDrop("D1", 3_000_00),
        Actor("Ylva", Role.ACCOUNTING), Actor("Zora", Role.ACCOUNTING),
    )  # fmt: skip
    day.do(acts.CompareForms((102,)))
    day.end()


def massachusetts_day(log: Path) -> Day:
    """A day with a Star award that is paid by hand."""
    rules = massachusetts.rules_of(
        **massachusetts.STAX,
        wagers__royal_9__hand_pay__offered=True,
        wagers__royal_9__hand_pay__above="5000.00",
    )
    day = Day(rules, log)
    day.open(60_000_00, date(2026, 11, 19))
    for office, persons in STAFF.items():
        for person in persons:
            day.do(acts.AssignOffice(office, person), Actor("Femke", Role.FLOORPERSON))
    day.do(acts.CloseTable())
    day.count(60_000_00)
    day.open(60_000_00, date(2026, 11, 20))
    day.do(acts.RecordTime(massachusetts.NOON))
    day.do(acts.SeatPatron(1, "Ada"))
    day.do(acts.BuyChips(1, 500_00))
    day.do(acts.ReceiveCards(8))
    day.advance(Phase.BETTING)
    day.do(acts.CommitMystery(commitment_to(massachusetts.SECRET)))
    # Both hands are the King-9 of Ada's chair: the tie returns $25, and the Star Progressive,
    # $10,000 and 15 cents of this wager, is above the limit. The $5 of the wager are kept.
    day.wager(1, player=25_00, royal_9=5_00)
    day.deal("Ks 9h 9h Ks")
    day.advance(Phase.BETTING)
    day.do(acts.RelieveDealer("Goran"))
    day.do(acts.PayByHand(1, 900))
    shown = {"star": 10_000_00, "spade": 1_000_10, "heart": 1_000_10, "stax": 500_05}
    day.do(acts.ReconcileMeters(shown))
    day.do(acts.LeaveTable(1))
    day.do(acts.CloseTable())
    day.count(59_505_00)
    day.do(acts.RemoveDrop("D1", "D2"), Actor("Asta", Role.ACCOUNTING))
    day.do(
        acts.CountDrop("D1", 500_00),
        Actor("Ylva", Role.ACCOUNTING), Actor("Zora", Role.ACCOUNTING),
    )  # fmt: skip
    day.end()
    return day


class WholeDay(NamedTuple):
    """A day that is kept as a golden text, and how it is played."""

    name: str
    play: Callable[[Path], Day]


DAYS: Final = (
    WholeDay("day-nj-minibaccarat", new_jersey),
    WholeDay("day-ma-royal-9", massachusetts_day),
)
