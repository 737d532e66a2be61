"""Who may do what: grants of an office to a person, and the tokens and links that prove them.

A token is 256 random bits; only its SHA-256 is kept. A link carries a code that is exchanged for a
token once. Both end with their grant.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from typing import Any, Final

import msgspec

from croupier.acts.roles import LOOKS, Role
from croupier.records.store import Store
from croupier.server.commits import Commits
from croupier.server.names import checked_name, skeleton
from croupier.server.problems import Problem
from croupier.table.machine.position import Actor

HOURS_12: Final = 12 * 3600 * 1000
_LINK_MS: Final = 10 * 60 * 1000
_BYTES: Final = 32
_KINDS: Final = ("grant", "token", "link")
_GONE: Final = "this link was used before, or has expired: ask for another one"

_OF_NOBODY: Final = frozenset(role for role in LOOKS if role.office.equipment)
"""Offices that equipment holds: several may be of one name."""


class Grant(msgspec.Struct, frozen=True):
    """A person in an office, at the tables of a pit; all of them where none is named.

    Times are in milliseconds since 1970, UTC. ``device`` says what enters the commands: a page, a
    reader.
    """

    id: str
    person: str
    office: str
    pit: str
    tables: tuple[str, ...] = ()
    seat: int | None = None
    device: str = "page"
    until: int = 0
    revoked: int | None = None
    made_by: str = ""

    @property
    def actor(self) -> Actor:
        """Who acts under this grant, as an entry names it."""
        return Actor(self.person, self.office, f"{self.device}:{self.id}", self.seat)

    def covers(self, pit: str, table: str) -> bool:
        """Return whether a table is one of this grant's."""
        return pit == self.pit and (not self.tables or table in self.tables)

    def stands(self, now: int) -> bool:
        """Return whether the grant has neither ended nor been revoked."""
        return self.revoked is None and now < self.until


class _Proof(msgspec.Struct):
    """A token or a link: what it proves, and until when."""

    grant: str
    until: int


def digest_of(token: str) -> str:
    """Return the SHA-256 under which a token or a code is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


class Grants:
    """Every grant of a service, and what proves it. What is kept in memory is durable."""

    def __init__(self, store: Store, commits: Commits) -> None:
        self._store: Final = store
        self._commits: Final = commits
        self._grants: dict[str, Grant] = {}
        self._proofs: dict[str, dict[str, _Proof]] = {"token": {}, "link": {}}
        for kind in _KINDS:
            for name, content in store.documents(kind).items():
                self._known(kind, name, content)

    def _known(self, kind: str, name: str, content: bytes | None) -> None:
        """Know a document as it is kept; or know it no longer."""
        kept: dict[str, Any] = self._grants if kind == "grant" else self._proofs[kind]
        if content is None:
            kept.pop(name, None)
        else:
            kept[name] = msgspec.json.decode(content, type=Grant if kind == "grant" else _Proof)

    async def read_again(self, kind: str = "", name: str = "") -> None:
        """Read what another process may have written: one document, or all of them."""
        if kind in _KINDS:
            content = await asyncio.to_thread(self._store.document, kind, name)
            self._known(kind, name, content)
        for one in () if kind else _KINDS:
            kept: dict[str, Any] = self._grants if one == "grant" else self._proofs[one]
            before = set(kept)
            found = await asyncio.to_thread(self._store.documents, one)
            for each in before | found.keys():
                self._known(one, each, found.get(each))

    def get(self, name: str) -> Grant | None:
        """Return a grant by its id."""
        return self._grants.get(name)

    def standing(self, now: int) -> tuple[Grant, ...]:
        """Return the grants that have neither ended nor been revoked."""
        return tuple(one for one in self._grants.values() if one.stands(now))

    def of_token(self, token: str, now: int) -> Grant | None:
        """Return what a token proves; ``None`` if it is not one, or is over."""
        proof = self._proofs["token"].get(digest_of(token))
        if proof is None or now >= proof.until:
            return None
        grant = self._grants.get(proof.grant)
        return grant if grant is not None and grant.stands(now) else None

    async def make(self, grant: Grant, now: int) -> Grant:
        """Keep a new grant. Raises ``Problem`` if its person holds another office."""
        if grant.office not in LOOKS:
            known = ", ".join(LOOKS)
            raise Problem("malformed", f"office: {grant.office!r} is none; there are {known}")
        checked_name("person", grant.person)
        if (grant.office == Role.PATRON) != (grant.seat is not None):
            raise Problem("malformed", "seat: a patron has one, and nobody else")
        if grant.office == Role.PATRON and len(grant.tables) != 1:
            raise Problem("malformed", "tables: a patron sits at one table")
        if grant.office not in _OF_NOBODY:
            self._apart(grant, now)
        await self._keep(grant)
        return grant

    def _apart(self, grant: Grant, now: int) -> None:
        """Refuse a person who holds another office, and a name that reads like another one."""
        for other in self.standing(now):
            if other.office in _OF_NOBODY or skeleton(other.person) != skeleton(grant.person):
                continue
            if other.person != grant.person:
                message = f"{grant.person} reads like {other.person}, who holds a grant"
                raise Problem("lookalike", message)
            if other.office != grant.office:
                message = (
                    f"{grant.person} is {other.office} (grant {other.id}), and nobody holds two"
                    " offices: revoke that first"
                )
                raise Problem("two_offices", message)

    async def revoke(self, name: str, now: int) -> None:
        """End a grant, and with it every token and link of it."""
        await self._keep(msgspec.structs.replace(self._grants[name], revoked=now))
        for kind, proofs in self._proofs.items():
            for digest in [one for one, proof in proofs.items() if proof.grant == name]:
                await self._drop(kind, digest)

    async def token(self, grant: Grant, now: int) -> tuple[str, int]:
        """Return a new token of a grant, which is shown once, and until when it proves it."""
        return await self._proof("token", grant, min(now + HOURS_12, grant.until))

    async def link(self, grant: Grant, now: int) -> str:
        """Return a code that is exchanged for a token once, within ten minutes."""
        return (await self._proof("link", grant, min(now + _LINK_MS, grant.until)))[0]

    async def redeem(self, code: str, now: int) -> tuple[Grant, str, int]:
        """Exchange the code of a link for a token. Raises ``Problem`` if it is none any more."""
        digest = digest_of(code)
        # Taken before anything is awaited: two who come at once do not both have it.
        proof = self._proofs["link"].pop(digest, None)
        grant = None if proof is None else self._grants.get(proof.grant)
        if proof is None or grant is None or now >= proof.until or not grant.stands(now):
            raise Problem("gone", _GONE)
        # Another process may have taken it meanwhile.
        if not await self._commits.write(self._store.put, "link", digest, None):
            raise Problem("gone", _GONE)
        return grant, *await self.token(grant, now)

    async def _proof(self, kind: str, grant: Grant, until: int) -> tuple[str, int]:
        secret = secrets.token_urlsafe(_BYTES)
        proof = _Proof(grant.id, until)
        content = msgspec.json.encode(proof)
        await self._commits.write(self._store.put, kind, digest_of(secret), content)
        self._proofs[kind][digest_of(secret)] = proof
        return secret, until

    async def _keep(self, grant: Grant) -> None:
        content = msgspec.json.encode(grant)
        await self._commits.write(self._store.put, "grant", grant.id, content)
        self._grants[grant.id] = grant

    async def _drop(self, kind: str, digest: str) -> None:
        await self._commits.write(self._store.put, kind, digest, None)
        self._proofs[kind].pop(digest, None)

    async def forget(self, now: int) -> None:
        """Remove tokens and links that are over."""
        for kind, proofs in self._proofs.items():
            for digest in [one for one, proof in proofs.items() if now >= proof.until]:
                await self._drop(kind, digest)
