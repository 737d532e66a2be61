"""Whatever happens on a lawful day, no account goes below nothing, and the win follows from it."""

from __future__ import annotations

from datetime import date
from itertools import permutations
from random import Random
from typing import Any, Final

import pytest

from croupier import acts as commands
from croupier.acts import Command, Event
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import Hand
from croupier.money import ledger
from croupier.money.chips import breakdown
from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.plainest import given_by
from croupier.table import Phase, Refusal
from croupier.table.cards.chance import Chance
from croupier.table.house.tray import Tray
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import AnyPhase
from croupier.table.people.offices import Actor
from support.accounts import accounts_of
from support.table import play, ready, rules_of, wager

STAFF: Final = (
    (Role.CAGE, "Carl"), (Role.ACCOUNTING, "Asta"), (Role.ACCOUNTING, "Ylva"),
    (Role.ACCOUNTING, "Zora"), (Role.SURVEILLANCE, "Vito"),
)  # fmt: skip


class Day:
    """A table over two gaming days, with acts of the house between its rounds."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.session = TableSession(rules_of())
        self.events: list[Event] = []
        self.session.listeners.append(lambda _, told: self.events.extend(told))
        self.pilot = Autopilot(self.session, Chance(seed), patrons=1 + seed % 3)
        self.slip = self.box = 0
        self.tried_alone = 0
        self.corrections = 0

    def try_out(self, command: Command) -> bool:
        """Try an act of the house; tell whether it was done. Nothing may go below nothing."""
        before, state = self.session.ledger, self.session.state
        by = given_by(state, command, self.session.rules)
        assert by, command
        if not isinstance(self.session.propose(command, Stamp(by)), Refusal):
            self.alone(command, by)
        answer = self.session.try_execute(command, Stamp(by))
        assert self.session.ledger.in_balance
        if isinstance(answer, Refusal):
            assert self.session.ledger is before
        return not isinstance(answer, Refusal)

    def alone(self, command: Command, by: tuple[Actor, ...]) -> None:
        """Try an act that needs several with one of its persons in every office, and alone."""
        if len(by) == 1:
            return
        for one in by:
            everywhere = tuple(Actor(one.person, other.office) for other in by)
            for actors in (everywhere, (one,)):
                answer = self.session.propose(command, Stamp(actors))
                assert isinstance(answer, Refusal), (command, actors)
                self.tried_alone += 1

    def chips(self, most: int = 60_000_00) -> dict[int, int]:
        """Return chips of some value."""
        return breakdown(self.chance.randrange(1, most // 500) * 500)

    def something(self) -> None:
        """Do one act of the house, or one that the house refuses."""
        act = self.chance.randrange(10)
        tray = self.session.state[Tray]
        if act < 2:
            self.slip += 1
            request = commands.RequestFill if act else commands.RequestCredit
            self.try_out(request(self.slip, self.chips()))
        elif act < 5 and tray.slips:
            number = self.chance.choice(sorted(tray.slips))
            slip = tray.slips[number]
            steps = {
                ("fill", False): commands.IssueFill, ("fill", True): commands.ReceiveFill,
                ("credit", False): commands.IssueCredit, ("credit", True): commands.ReceiveCredit,
            }  # fmt: skip
            if act == 4:
                self.try_out(commands.VoidSlip(number, "called off"))
            else:
                self.try_out(steps[slip.kind, slip.is_issued](number, slip.chips))
        elif act == 5:
            self.box += 1
            name = tray.box or "first"
            self.try_out(commands.RemoveDrop(name, f"box {self.box}"))
        elif act == 6 and tray.uncounted:
            box = tray.uncounted[0]
            held = self.session.ledger.balance(ledger.drop_box(box))
            self.try_out(commands.CountDrop(box, max(0, held + self.chance.choice((0, 0, -5_00)))))
        elif act < 9 and self.session.position.house.settled:
            self.corrections += self.try_out(self.correction())
        else:
            self.try_out(commands.CountInventory(self.chips(), closing=False))

    def correction(self) -> Command:
        """Return a correction of some round: of a card, a stake, or a payment."""
        rounds = self.session.position.house.settled
        of = self.chance.choice(sorted(rounds))
        seat, wager, stake = self.chance.choice(rounds[of].stakes)
        truths: list[dict[str, Any]] = [
            {
                "hand": self.chance.choice([*Hand]), "ordinal": self.chance.randrange(1, 3),
                "actual": self.chance.choice(DECK),
            },
            {"seat": seat, "wager": wager, "cents": stake.chips_cents + 20_00},
            {"seat": seat, "wager": wager, "paid_cents": self.chance.randrange(50) * 5_00},
        ]  # fmt: skip
        return commands.CorrectSettlement(of, "seen later", **self.chance.choice(truths))

    def between_rounds(self) -> bool:
        phase: AnyPhase = self.session.state.phase
        return phase is Phase.BETTING and not self.session.state.stakes

    def play(self, gaming_date: date, cents: int) -> None:
        """Play a day: rounds, acts of the house among them, then the closing with its count."""
        self.pilot.open(gaming_date=gaming_date, inventory_cents=cents)
        for office, person in STAFF:
            self.session.try_execute(commands.AssignOffice(office, person))
        rounds = self.chance.randrange(3, 12)
        for _ in range(rounds * 12):
            if self.between_rounds() and self.chance.randrange(3):
                self.something()
            if self.session.state.rounds >= rounds and self.between_rounds():
                break
            self.pilot.step()
        while not self.between_rounds():
            self.pilot.step()
        for number in sorted(self.session.state[Tray].slips):
            assert self.try_out(commands.VoidSlip(number, "closing"))
        self.pilot.close()
        counted = self.session.ledger.balance(ledger.INVENTORY) - self.chance.choice((0, 0, 25_00))
        assert self.try_out(
            commands.CountInventory(breakdown(counted, (1, 100, 500, 10_000)), closing=True)
        )


@pytest.mark.parametrize("seed", range(12))
def test_the_win_of_random_days_is_what_came_less_what_went(seed: int) -> None:
    day = Day(seed)
    day.play(date(2011, 2, 22), 2_000_000_00)
    closing = day.session.state[Tray].closing_cents
    assert closing is not None
    day.play(date(2011, 2, 23), closing)
    told = accounts_of(day.events)
    assert [one.gaming_date for one in told.days] == [date(2011, 2, 22), date(2011, 2, 23)]
    for one in told.days:
        assert one.reconciles, one
        assert one.win_cents == sum(shoe.win_cents for shoe in one.shoes) - (
            one.tray_short_cents + one.drop_short_cents
        )
    assert told.win_cents == day.session.ledger.table_win_cents
    assert told.days[1].opened_cents == told.days[0].tray_cents == closing
    balances = day.session.ledger.balances
    assert sum(balances.values()) == 0
    outside = {"cage", "cash", "coupons", "credits", "differences", "fills", "variance", "vigorish"}
    assert all(cents >= 0 for name, cents in balances.items() if name not in outside)
    for name in ("patron", "layout", "owed"):
        assert not any(cents for one, cents in balances.items() if one.startswith(f"{name}:"))
    assert day.tried_alone > 10


def test_random_days_correct_settlements_too() -> None:
    days = [Day(seed) for seed in range(100, 103)]
    for day in days:
        day.play(date(2011, 2, 22), 2_000_000_00)
    assert sum(day.corrections for day in days) > 3


# --- in any order ------------------------------------------------------------------------------


def _filled(session: TableSession) -> None:
    chips = {100_00: 30}
    for kind in (commands.RequestFill, commands.IssueFill, commands.ReceiveFill):
        session.execute(kind(1, chips))


def _credited(session: TableSession) -> None:
    chips = {25_00: 40}
    for kind in (commands.RequestCredit, commands.IssueCredit, commands.ReceiveCredit):
        session.execute(kind(2, chips))


def _dropped(session: TableSession) -> None:
    session.execute(commands.RemoveDrop("first", "second"))


def _bought(session: TableSession) -> None:
    session.execute(commands.BuyChips(2, 700_00))


def _lost(session: TableSession) -> None:
    wager(session, (1, "player", 300_00))
    play(session, "8h 9d Kh Ks")


def test_the_win_is_the_same_in_whatever_order_chips_come_and_go() -> None:
    acts = (_filled, _credited, _dropped, _bought, _lost)
    found = set()
    for order in permutations(acts):
        session = ready(1, 2, chips_cents=500_00)
        for act in order:
            act(session)
        for box in session.state[Tray].uncounted:
            held = session.ledger.balance(ledger.drop_box(box))
            session.execute(commands.CountDrop(box, held))
        balances = session.ledger.balances
        cash = balances["drop"] + balances["count room"]
        assert sum(balances.values()) == 0
        found.add((session.ledger.table_win_cents, balances["inventory"], cash))
    # 1,000,000 - 1,000 - 700 sold + 3,000 filled - 1,000 credited + 300 won; 1,700 of cash.
    assert found == {(300_00, 1_000_600_00, 1_700_00)}
