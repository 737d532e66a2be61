"""Pending consents to other offices' acts, for five minutes or until the round ends.

One that has ended otherwise stays with the reason until the five minutes end.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple, replace

from croupier.acts import Command
from croupier.acts.roles import Role, includes
from croupier.records.codec import decode_command
from croupier.server.desks.commits import Commits
from croupier.server.http.problems import Problem
from croupier.table.machine.position import Actor, Position
from croupier.table.people.duty import terms_under
from croupier.table.people.offices import consenting

_MS: Final = 5 * 60 * 1000
_MOST: Final = 100
GONE: Final = "nothing waits here any more: ask again, with a new key"


class Consent(Struct, frozen=True):
    id: str
    command: Command
    by: tuple[Actor, ...]
    needs: tuple[Role, ...]
    round: int
    until: int
    corrects: int | None = None
    ended: str = ""
    """Why it was refused, declined, or dropped, once it was."""
    dropped: bool = False
    """Whether it ended without an answer of those who were to consent."""


def needed(command: Command, by: tuple[Actor, ...], position: Position) -> tuple[Role, ...]:
    row = terms_under(type(command).__name__, position.rules)
    lacking = []
    for office in consenting(position.state, row, position.rules, position.house):
        holders = sum(includes(actor.office, office) for actor in by)
        if holders < row.consents_of(office):
            lacking.append(office)
    return tuple(lacking)


class Consents:
    def __init__(self, table: str, commits: Commits) -> None:
        self._kind: Final = f"consent {table}"
        self._commits: Final = commits
        self._waiting: dict[str, Consent] = {}
        self._held: dict[str, tuple[str, str]] = {}

    def read_again(self) -> None:
        self._waiting = {
            name: _read(name, content)
            for name, content in self._commits.store.documents(self._kind).items()
        }

    def wait(  # noqa: PLR0913  (what waits)
        self,
        command: Command,
        by: tuple[Actor, ...],
        position: Position,
        now: int,
        *,
        corrects: int | None,
        name: str = "",
    ) -> Consent:
        """Let an act wait; one that others must consent to as well waits on under its ``name``."""
        if not name:
            self._make_room()
            name = secrets.token_urlsafe(12)
        needs, round_ = needed(command, by, position), position.state.rounds
        consent = Consent(name, command, by, needs, round_, now + _MS, corrects)
        self._put(consent)
        return consent

    def _make_room(self) -> None:
        if len(self._waiting) >= _MOST and (ended := self.ended()):
            self.take(ended[0].id)
        if len(self._waiting) >= _MOST:
            raise Problem("too_many", f"{_MOST} acts wait for consent at this table")

    def get(self, name: str) -> Consent:
        """Pending or ended act by its id. Raises ``Problem`` if it expired."""
        found = self._waiting.get(name)
        if found is None:
            raise Problem("gone", GONE)
        return found

    def hold(self, consent: Consent, request: tuple[str, str]) -> None:
        if self._held.setdefault(consent.id, request) != request:
            raise Problem("gone", "somebody consents to this at this moment")

    async def spend(self, consent: Consent) -> None:
        """Delete an act from the store before it is executed; a restart must not repeat it."""
        await self._commits.write(self._commits.store.put, self._kind, consent.id, None)

    def settle(self, consent: Consent, *, done: bool) -> None:
        self._held.pop(consent.id, None)
        if done:
            self._waiting.pop(consent.id, None)
        elif consent.id in self._waiting:
            self._put(self._waiting[consent.id])

    def _put(self, consent: Consent) -> None:
        self._waiting[consent.id] = consent
        command, by = consent.command.to_dict(), [*map(astuple, consent.by)]
        content = msgspec.json.encode(asdict(consent) | {"command": command, "by": by})
        self._commits.after(partial(self._commits.store.put, self._kind, consent.id, content))

    def end(self, consent: Consent, why: str) -> None:
        self._put(replace(consent, ended=why))

    def take(self, name: str) -> None:
        if self._waiting.pop(name, None) is not None:
            self._commits.after(partial(self._commits.store.put, self._kind, name, None))

    def all(self, now: int, over: Callable[[Consent], str]) -> tuple[Consent, ...]:
        """Pending acts, once those are ended for which ``over`` returns a reason."""
        self._drop(now)
        for one in [*self._waiting.values()]:
            if not one.ended and one.id not in self._held and (why := over(one)):
                # The reason is shown for a minute at least.
                self.end(replace(one, dropped=True, until=max(one.until, now + _MS // 5)), why)
        return tuple(one for one in self._waiting.values() if not one.ended)

    def ended(self) -> tuple[Consent, ...]:
        return tuple(one for one in self._waiting.values() if one.ended)

    def _drop(self, now: int) -> None:
        for name in [name for name, consent in self._waiting.items() if now >= consent.until]:
            self.take(name)


def _read(name: str, content: bytes) -> Consent:
    stored = {"id": name, **msgspec.json.decode(content)}
    command, by = decode_command(stored["command"]), tuple(Actor(*who) for who in stored["by"])
    return Consent(**stored | {"command": command, "by": by, "needs": tuple(stored["needs"])})
