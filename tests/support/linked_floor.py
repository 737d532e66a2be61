"""A pit of two tables whose Royal 9 meters may be linked, and what tests do there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from croupier import acts
from croupier.acts import AwardPaid, HandPayDue
from croupier.money.stax import commitment_to
from croupier.server.desks.desk import Desk
from croupier.server.desks.pilot import Dealt
from croupier.table.machine.state import Phase
from support import massachusetts
from support.games import advance
from support.pit_service import T1, T2, Pit
from support.project import ROOT

ROYAL_9: Final = ROOT / "submissions" / "ma-royal-9.toml"
LINK: Final = "Royal 9"
STAKE: Final = ("royal_9", 5_00)
LOSES: Final = massachusetts.PLAYER_9_BANKER_8
HITS: Final = "Ks 9h 9h Ks"
"""Both hands are the King-9 of the first chair, which wins the Star Progressive."""


class Floor(Pit):
    """A pit with two tables that offer Royal 9."""

    def begins(self) -> None:
        for name in (T1, T2):
            self.makes_royal(name)
            self.at(name, self.opened)

    def makes_royal(self, name: str, **other: str) -> None:
        table: dict[str, Any] = {'"MA-301"': f'"{name}"', 'pit = "3"': 'pit = "1"', **other}
        answer = self.makes(name, ROYAL_9, None, **table)
        assert answer.status_code == 201, answer.text

    def at(self, table: str, act: Callable[[Dealt], Any]) -> Any:
        """Do something at a table in the service's own loop, and wait until it is stored."""

        async def done() -> Any:
            desk = self.desk(table)
            came = act(Dealt(desk))
            assert await desk.settled()
            return came

        return self.house.do(done())

    def desk(self, table: str) -> Desk:
        return self.house.service.tables[table].desk

    @staticmethod
    def opened(session: Dealt, commitment: str = "") -> None:
        session.execute(acts.OpenTable(100_000_00, "Maya", "Miro", date(2026, 11, 22)))
        for seat in (1, 2):
            session.execute(acts.SeatPatron(seat, f"Patron {seat}"))
            session.execute(acts.BuyChips(seat, 1_000_00))
        session.execute(acts.AssignOffice("accounting", "Asta"))
        session.execute(acts.ReceiveCards(6))
        advance(session, Phase.BETTING)
        # Each commitment stands at one table of the pit.
        own = session.rules.submission.layout.table.encode().hex()
        commitment = commitment or commitment_to(own.rjust(64, "5"))
        session.execute(acts.CommitMystery(commitment))

    def plays(
        self, table: str, cards: str = LOSES, seat: int = 1, stake: tuple[str, int] = STAKE
    ) -> Any:
        """Play a round with a wager on Royal 9; return what it was awarded, in cents."""
        stakes = ((seat, "player", 25_00), (seat, *stake))
        events = self.at(table, lambda one: massachusetts.play(one, cards, *stakes))
        return [one.cents for one in events if isinstance(one, AwardPaid | HandPayDue)]

    def links(self, *tables: str, **more: Any) -> Any:
        return self.does("LinkMeters", link=LINK, tables=tables, wager="royal_9", **more)

    def shown(self, table: str) -> tuple[int, ...]:
        meters = self.licensee.sees(f"/v1/tables/{table}/meters")["meters"]
        return tuple(meters[one] for one in ("star", "spade", "heart"))

    def verdict(self) -> Any:
        verdict = self.verified()
        assert verdict.is_clean, (verdict.divergence, verdict.findings)
        return verdict
