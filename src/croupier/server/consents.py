"""Acts that wait for another person: asked for by one office, consented to by others.

They wait in memory, for five minutes and within one round. What was asked is not carried out until
the last consent, and is then decided by where the table stands at that moment.
"""

from __future__ import annotations

import secrets
from typing import Final

from croupier.frozen import frozen
from croupier.server.problems import Problem
from croupier.table.commands import Command
from croupier.table.office_rows import OFFICES
from croupier.table.position import Actor
from croupier.table.roles import Role

__all__ = ["Consent", "Consents", "needed"]

_MS: Final = 5 * 60 * 1000
_MOST: Final = 100


@frozen
class Consent:
    """A command that waits: who has given it so far, and the offices that must consent."""

    id: str
    command: Command
    by: tuple[Actor, ...]
    needs: tuple[Role, ...]
    round: int
    until: int
    corrects: int | None = None


def needed(command: Command, by: tuple[Actor, ...]) -> tuple[Role, ...]:
    """Return the offices whose consent a command lacks."""
    row = OFFICES[type(command).__name__]
    lacking = []
    for office in row.together:
        held = sum(one.office == office or _over(office, one.office) for one in by)
        if held < 1 + (office in row.does):
            lacking.append(office)
    return tuple(lacking)


def _over(office: Role, held: str) -> bool:
    return office is Role.SUPERVISOR and held in {Role.FLOORPERSON, Role.PIT_BOSS}


class Consents:
    """The acts of one table that wait."""

    def __init__(self) -> None:
        self._waiting: dict[str, Consent] = {}

    def wait(
        self, command: Command, by: tuple[Actor, ...], round_: int, now: int, corrects: int | None
    ) -> Consent:
        """Keep a command until others consent. Raises ``Problem`` if too many wait."""
        self._drop(now)
        if len(self._waiting) >= _MOST:
            raise Problem("too_many", f"{_MOST} acts wait for consent at this table")
        made = Consent(
            secrets.token_urlsafe(12), command, by, needed(command, by), round_, now + _MS, corrects
        )
        self._waiting[made.id] = made
        return made

    def get(self, name: str, round_: int, now: int) -> Consent:
        """Return what waits. Raises ``Problem`` if it does not any more."""
        self._drop(now)
        found = self._waiting.get(name)
        if found is None or found.round != round_:
            raise Problem("gone", "nothing waits here any more: ask again, with a new key")
        return found

    def take(self, name: str) -> None:
        """Have an act wait no longer."""
        self._waiting.pop(name, None)

    def all(self, now: int) -> tuple[Consent, ...]:
        """Return everything that waits."""
        self._drop(now)
        return tuple(self._waiting.values())

    def _drop(self, now: int) -> None:
        for name in [name for name, one in self._waiting.items() if now >= one.until]:
            del self._waiting[name]
