"""Whatever happens on a lawful day, no account goes below nothing, and the win follows from it."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from croupier.money import ledger
from croupier.money.chips import breakdown
from croupier.records.accounts import accounts_of
from croupier.scenarios.autopilot import Autopilot
from croupier.table import Phase, Refusal, commands
from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.session import TableSession
from croupier.table.shuffling import Chance
from croupier.table.state import AnyPhase
from croupier.table.tray import Tray
from support.table import rules_of

pytestmark = pytest.mark.slow


class Day:
    """A table over two gaming days, with acts of the house between its rounds."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.session = TableSession(rules_of())
        self.events: list[Event] = []
        self.session.listeners.append(lambda _, told: self.events.extend(told))
        self.pilot = Autopilot(self.session, Chance(seed), patrons=1 + seed % 3)
        self.slip = self.box = 0
        self.cash_dropped = 0

    def try_out(self, command: Command) -> bool:
        """Try an act of the house; tell whether it was done. Nothing may go below nothing."""
        before = self.session.ledger
        answer = self.session.try_execute(command)
        assert self.session.ledger.in_balance
        if isinstance(answer, Refusal):
            assert self.session.ledger is before
        return not isinstance(answer, Refusal)

    def chips(self, most: int = 60_000_00) -> dict[int, int]:
        """Return chips of some value."""
        return breakdown(self.chance.randrange(1, most // 500) * 500)

    def something(self) -> None:
        """Do one act of the house, or one that the house refuses."""
        act = self.chance.randrange(8)
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
        else:
            self.try_out(commands.CountInventory(self.chips(), closing=False))

    def between_rounds(self) -> bool:
        phase: AnyPhase = self.session.state.phase
        return phase is Phase.BETTING and not self.session.state.stakes

    def play(self, gaming_date: date, cents: int) -> None:
        """Play a day: rounds, acts of the house among them, then the closing with its count."""
        self.pilot.open(gaming_date=gaming_date, inventory_cents=cents)
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
    outside = {"cage", "cash", "coupons", "credits", "fills", "variance", "vigorish"}
    assert all(cents >= 0 for name, cents in balances.items() if name not in outside)
