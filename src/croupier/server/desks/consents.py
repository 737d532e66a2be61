"""Pending consents to other offices' acts, for five minutes or until the round ends."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

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


class Consent(Struct, frozen=True):
    id: str
    command: Command
    by: tuple[Actor, ...]
    needs: tuple[Role, ...]
    round: int
    until: int
    corrects: int | None = None


class _Kept(msgspec.Struct, frozen=True):
    command: dict[str, Any]
    by: tuple[tuple[str, str, str, int | None], ...]
    needs: tuple[Role, ...]
    round: int
    until: int
    corrects: int | None = None


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

    def __len__(self) -> int:
        return len(self._waiting)

    def read_again(self) -> None:
        self._waiting = {
            name: _made(name, msgspec.json.decode(content, type=_Kept))
            for name, content in self._commits.store.documents(self._kind).items()
        }

    def wait(
        self,
        command: Command,
        by: tuple[Actor, ...],
        position: Position,
        now: int,
        corrects: int | None,
    ) -> Consent:
        self._drop(now)
        if len(self._waiting) >= _MOST:
            raise Problem("too_many", f"{_MOST} acts wait for consent at this table")
        needs, round_ = needed(command, by, position), position.state.rounds
        name = secrets.token_urlsafe(12)
        consent = Consent(name, command, by, needs, round_, now + _MS, corrects)
        self._waiting[consent.id] = consent
        self._put(consent)
        return consent

    def get(self, name: str, round_: int, now: int) -> Consent:
        """Pending act by its id. Raises ``Problem`` if it expired."""
        self._drop(now)
        found = self._waiting.get(name)
        if found is None or found.round != round_:
            raise Problem("gone", "nothing waits here any more: ask again, with a new key")
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
            self._put(consent)

    def _put(self, consent: Consent) -> None:
        by = tuple((who.person, who.office, who.device, who.seat) for who in consent.by)
        stored = _Kept(
            consent.command.to_dict(), by, consent.needs, consent.round, consent.until,
            consent.corrects,
        )  # fmt: skip
        content = msgspec.json.encode(stored)
        self._commits.after(partial(self._commits.store.put, self._kind, consent.id, content))

    def take(self, name: str) -> None:
        if self._waiting.pop(name, None) is not None:
            self._commits.after(partial(self._commits.store.put, self._kind, name, None))

    def all(self, round_: int, now: int) -> tuple[Consent, ...]:
        self._drop(now)
        return tuple(consent for consent in self._waiting.values() if consent.round == round_)

    def _drop(self, now: int) -> None:
        for name in [name for name, consent in self._waiting.items() if now >= consent.until]:
            self.take(name)


def _made(name: str, stored: _Kept) -> Consent:
    by = tuple(Actor(*who) for who in stored.by)
    command = decode_command(stored.command)
    return Consent(name, command, by, stored.needs, stored.round, stored.until, stored.corrects)
