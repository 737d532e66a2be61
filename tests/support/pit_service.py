"""A pit of a service, and its licensee, as tests ask it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from croupier.records.codec import from_json
from croupier.scenarios.autopilot import Autopilot
from croupier.server.desks.pilot import Dealt
from croupier.table.cards.chance import Chance
from croupier.verify.log import verify_lines
from croupier.verify.pit_log import PitVerdict, verify_pit_lines
from support.served import NJ, Served

NOON: Final = datetime(2026, 11, 22, 12, tzinfo=UTC)
BOTH: Final = ("surveillance", "Commission")
ORDER: Final = "settlement.order"
NEW: Final = {ORDER: "payments-first"}
T1, T2 = "MB-101", "MB-102"


class Clock:
    """The clock of the service, which stands until somebody moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def wait(self, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)


class Pit:
    """A service with one pit, and its licensee."""

    def __init__(self, house: Served, clock: Clock) -> None:
        self.house = house
        self.clock = clock
        self.licensee = house.person("licensee", "Lou")

    def makes(
        self, table: str = T1, file: Path = NJ, minutes: int | None = 60, **other: str
    ) -> Any:
        """Ask for a table whose notices were given some minutes ago, or of which none were."""
        text = file.read_text(encoding="utf-8")
        for old, new in other.items():
            assert old in text
            text = text.replace(old, new)
        more = {} if minutes is None else {"notified": self.ago(minutes)}
        return self.licensee.http.post(
            "/v1/tables",
            params={"table": table, **more},
            content=text,
            headers={"Content-Type": "application/toml"},
        )

    def ago(self, minutes: int) -> str:
        return (self.clock.now - timedelta(minutes=minutes)).isoformat()

    def does(self, kind: str, key: str = "", **fields: Any) -> Any:
        """Give the pit a command."""
        return self.licensee.http.post(
            "/v1/pits/1/commands",
            json={"type": kind, **fields},
            headers={"Idempotency-Key": key or self.licensee.key()},
        )

    def done(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Give the pit a command that it must carry out."""
        answer = self.does(kind, **fields)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def tells(self, elections: dict[str, Any], minutes: int = 0) -> None:
        """Give notice to both who must have it."""
        for to in BOTH:
            more = {"at": self.ago(minutes)} if minutes else {}
            self.done("GiveNotice", elections=elections, to=to, **more)

    def changes(self, *tables: str, key: str = "", **fields: Any) -> Any:
        return self.does("ChangeElections", key, tables=tables, elections=NEW, **fields)

    @property
    def seen(self) -> Any:
        return self.licensee.sees("/v1/pits/1")

    def lines(self, name: str) -> list[bytes]:
        return [*self.house.service.store.lines(name)]

    def commands(self, table: str) -> list[tuple[str, str | None]]:
        """The commands of a table's record, each with its key."""
        entries = [from_json(line) for line in self.lines(table)[1:]]
        return [(one["command"]["type"], one["key"]) for one in entries]

    def elected(self, table: str) -> object:
        return self.house.service.tables[table].desk.durable.rules.settled[ORDER]

    def deals(self, table: str, until: Callable[[Any], bool]) -> None:
        """Have the autopilot deal a table up to a state."""

        async def deal() -> None:
            desk = self.house.service.tables[table].desk
            pilot = Autopilot(Dealt(desk), Chance(5), patrons=1)
            if desk.ahead.state.phase.name == "CLOSED":
                pilot.open(date(2026, 11, 22))
            else:
                pilot.take_over()
            while not until(desk.ahead.state):
                pilot.step()
            assert await desk.settled()

        self.house.do(deal())

    def verified(self) -> PitVerdict:
        tables = list(self.house.service.tables)
        for name in tables:
            assert verify_lines(Path(name), self.lines(name)).is_clean
        return verify_pit_lines(
            Path("pit"), self.lines("pit:1"), [(Path(name), self.lines(name)) for name in tables]
        )
