"""Grants of offices to people, and the tokens and links that prove them.

Only a token's SHA-256 is stored. A grant made for another person waits for a second office's
consent: the maker has the link, the second person its code.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection
from typing import Annotated, Any, Final

import msgspec

from croupier.acts.roles import GRANTED, LOOKS, Access, Role, revokes, with_access
from croupier.records.grants import Grant
from croupier.records.stores.store import Store
from croupier.server.desks.commits import Commits
from croupier.server.http.names import are_alike, checked_name
from croupier.server.http.problems import Problem

HOURS_12: Final = 12 * 3600 * 1000
Hours = Annotated[float, msgspec.Meta(gt=0, le=24 * 366)]
"""Requested duration of a grant."""
_LINK_MS: Final = 10 * 60 * 1000
_OVERLAP_MS: Final = 60 * 1000
_DAY_MS: Final = 24 * 3600 * 1000
_MONTH_MS: Final = 30 * _DAY_MS
_BYTES: Final = 32
_CODE_LENGTH: Final = 8
"""40 bits: a link is valid for minutes, and attempts are limited."""
_KINDS: Final = ("grant", "token", "link")
_GONE: Final = "this link was used before, or has expired: ask for another one"

_OF_NOBODY: Final = frozenset(role for role in LOOKS if role.office.equipment)
"""Offices held by equipment; several grants may have the same name."""
_LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters of a spoken code; none looks like another."""


class _Proof(msgspec.Struct):
    grant: str
    until: int
    code: str = ""
    next: str = ""
    """The digest of the token that replaces this one."""
    at: int = 0
    """When it was made, or the first token of its session."""


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Grants:
    def __init__(self, store: Store, commits: Commits, named: Callable[[str], str] = str) -> None:
        self._store: Final = store
        self._named: Final = named
        self._commits: Final = commits
        self._grants: dict[str, Grant] = {}
        self._proofs: dict[str, dict[str, _Proof]] = {"token": {}, "link": {}}
        self.changing: Final = asyncio.Lock()
        """Held from the moment that a change of a grant is checked until it is kept."""
        for kind in _KINDS:
            for name, content in store.documents(kind).items():
                self._known(kind, name, content)

    def _known(self, kind: str, name: str, content: bytes | None) -> None:
        stored: dict[str, Any] = self._grants if kind == "grant" else self._proofs[kind]
        if content is None:
            stored.pop(name, None)
        else:
            stored[name] = msgspec.json.decode(content, type=Grant if kind == "grant" else _Proof)

    async def read_again(self, kind: str = "", name: str = "") -> None:
        """Reload one document, or all of them. What was revoked here stays revoked."""
        grants = self._grants if kind in {"", "grant"} else {}
        ended = {one: grant.revoked for one, grant in grants.items() if grant.revoked is not None}
        if kind in _KINDS:
            content = await asyncio.to_thread(self._store.document, kind, name)
            self._known(kind, name, content)
        for one in () if kind else _KINDS:
            stored: dict[str, Any] = self._grants if one == "grant" else self._proofs[one]
            stored_before = set(stored)
            found = await asyncio.to_thread(self._store.documents, one)
            for each in stored_before | found.keys():
                self._known(one, each, found.get(each))
        for one, revoked in ended.items():
            # A consent at another process has crossed the revocation.
            if (grant := self._grants.get(one)) is not None and grant.revoked is None:
                await self._keep(msgspec.structs.replace(grant, revoked=revoked))

    def get(self, name: str) -> Grant | None:
        return self._grants.get(name)

    def is_in_force(self, grant: Grant, now: int) -> bool:
        """Whether a grant and its maker's are in force."""
        if grant.waits or grant.revoked is not None or now >= grant.until:
            return False
        maker = self._grants.get(grant.made_by)
        return not grant.made_by or (maker is not None and self.is_in_force(maker, now))

    def standing(self, now: int) -> tuple[Grant, ...]:
        return tuple(grant for grant in self._grants.values() if self.is_in_force(grant, now))

    def waiting(self, now: int) -> tuple[Grant, ...]:
        """Grants awaiting consent whose links are valid."""
        linked = {proof.grant for proof in self._proofs["link"].values() if now < proof.until}
        return tuple(
            grant
            for grant in self._grants.values()
            if grant.waits
            and grant.id in linked
            and grant.revoked is None
            and (maker := self._grants.get(grant.made_by)) is not None
            and self.is_in_force(maker, now)
        )

    def made_under(self, name: str) -> tuple[str, ...]:
        found = [name]
        for grant in found:
            found += [
                other.id
                for other in self._grants.values()
                if other.made_by == grant and other.revoked is None and other.id not in found
            ]
        return tuple(found)

    def sessions(self, name: str, now: int) -> tuple[int, ...]:
        """Return when the sessions of a grant's valid tokens began."""
        proofs = self._proofs["token"].values()
        return tuple(proof.at for proof in proofs if proof.grant == name and now < proof.until)

    def of_token(self, token: str, now: int) -> Grant | None:
        proof = self._proofs["token"].get(digest_of(token))
        if proof is None or now >= proof.until:
            return None
        grant = self._grants.get(proof.grant)
        return grant if grant is not None and self.is_in_force(grant, now) else None

    def check(self, grant: Grant, now: int, ending: Collection[str] = ()) -> None:
        """Raise ``Problem`` for an invalid new grant that replaces those ``ending``."""
        if grant.office not in GRANTED:
            offices = ", ".join(GRANTED)
            raise Problem("malformed", f"office: {grant.office!r} is none; there are {offices}")
        checked_name("person", grant.person)
        if (grant.office == Role.PATRON) != (grant.seat is not None):
            raise Problem("malformed", "seat: a patron has one, and nobody else")
        if grant.office == Role.PATRON and len(grant.tables) != 1:
            raise Problem("malformed", "tables: a patron sits at one table")
        if grant.office not in _OF_NOBODY:
            self._apart(grant, now, ending)

    async def make(self, grant: Grant, now: int) -> Grant:
        self.check(grant, now)
        await self._keep(grant)
        return grant

    def _apart(self, grant: Grant, now: int, ending: Collection[str]) -> None:
        """Patrons may have the same name: their seats distinguish them."""
        person = self._named(grant.person)
        for other in self.standing(now):
            name = self._named(other.person)
            if (
                other.id == grant.id
                or other.id in ending
                or other.office in _OF_NOBODY
                or not are_alike(name, person)
            ):
                continue
            if name != person:
                message = f"{person} reads like {name}, who holds a grant"
                raise Problem("lookalike", message)
            if other.office != grant.office:
                message = (
                    f"{person} is {other.office} (grant {other.id}), and nobody holds two"
                    " offices: revoke that first"
                )
                raise Problem("two_offices", message)
            same = other.seat == grant.seat and (other.seat is None or other.tables == grant.tables)
            if grant.made_by and same:
                message = (
                    f"{person} has a grant as {other.office} ({other.id}), and one token is"
                    " one person: revoke that first"
                )
                raise Problem("exists", message)

    def may_revoke(self, own: Grant, found: Grant) -> bool:
        """Whether a grant is ``own``, made under it, or of an office that it revokes."""
        if own.id in {found.id, found.made_by}:
            return True
        return found.pit == own.pit and _covers(own, found) and revokes(own.office, found.office)

    async def revoke(self, names: tuple[str, ...], now: int) -> None:
        for name in names:
            await self._keep(msgspec.structs.replace(self._grants[name], revoked=now))
        for kind, proofs in self._proofs.items():
            for digest in [token for token, proof in proofs.items() if proof.grant in names]:
                await self._drop(kind, digest)

    async def void(self, now: int) -> int:
        open_grants = tuple(grant.id for grant in self._grants.values() if grant.revoked is None)
        await self.revoke(open_grants, now)
        for kind, proofs in self._proofs.items():
            for digest in [*proofs]:
                await self._drop(kind, digest)
        return len(open_grants)

    # --- the consent of a second office ---

    def consenting(self, grant: Grant) -> tuple[str, ...]:
        """Offices of which one must consent."""
        maker = self._grants.get(grant.made_by)
        if maker is None or not grant.waits:
            return ()
        offices = with_access(Access.PEOPLE)
        if grant.office == Role.PATRON:
            offices += with_access(Access.PATRONS)
        return tuple(str(office) for office in offices if office != maker.office)

    def may_consent(self, own: Grant, grant: Grant) -> bool:
        maker = self._grants.get(grant.made_by)
        return (
            maker is not None
            and own.pit == grant.pit
            and _covers(own, grant)
            and own.office in self.consenting(grant)
            and not any(are_alike(own.person, self._named(one.person)) for one in (maker, grant))
        )

    async def consent(self, name: str, own: Grant, now: int) -> str:
        """Put a grant in force; return its link's code, shown once."""
        grant = msgspec.structs.replace(self._grants[name], consented_by=own.id)
        code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
        for digest, proof in [*self._proofs["link"].items()]:
            if proof.grant == name:
                until = min(now + _LINK_MS, grant.until)
                await self._prove("link", digest, _Proof(name, until, digest_of(code)))
        await self._keep(grant)
        return code

    async def token(self, grant: Grant, now: int, since: int = 0) -> tuple[str, int]:
        """Return a new token, shown once, and its expiry; equipment has its grant's."""
        # Nobody can sign a card reader or a board in again during a shoe.
        ends = grant.until if grant.office in _OF_NOBODY else min(now + HOURS_12, grant.until)
        return await self._proof("token", grant, ends, since or now)

    async def renewed(self, token: str, grant: Grant, now: int) -> tuple[str, int]:
        """Return a new token in place of a valid one, which lasts a minute more.

        A caller whose answer was lost asks again; the token in that answer ends. Raises ``Problem``
        if the token ends meanwhile.
        """
        tokens, digest = self._proofs["token"], digest_of(token)
        async with self.changing:
            old = tokens.get(digest)
            if old is None:
                raise Problem("no_token", "the token has ended")
            renewal = await self.token(grant, now, old.at)
            if old.next:
                await self._drop("token", old.next)
            ends, new = min(old.until, now + _OVERLAP_MS), digest_of(renewal[0])
            if not await self._changed(digest, _Proof(grant.id, ends, next=new, at=old.at)):
                await self._drop("token", new)
                raise Problem("no_token", "the token has ended")
        return renewal

    async def prolong(self, token: str, grant: Grant, now: int) -> int | None:
        """Extend a token in the second half of its time; return its new expiry, if any."""
        digest, ends = digest_of(token), min(now + HOURS_12, grant.until)
        async with self.changing:
            old = self._proofs["token"].get(digest)
            if old is None or old.next or not now < old.until < ends:
                return None
            if old.until - now > HOURS_12 // 2:
                return None
            is_changed = await self._changed(digest, msgspec.structs.replace(old, until=ends))
        return ends if is_changed else None

    async def _changed(self, digest: str, proof: _Proof) -> bool:
        was_there = await self._prove("token", digest, proof)
        if not was_there:
            await self._drop("token", digest)
        return was_there

    async def sign_out(self, token: str) -> None:
        """End a token, and the one that replaces it."""
        digest = digest_of(token)
        async with self.changing:
            found = self._proofs["token"].get(digest)
            await self._drop("token", digest)
            if found is not None and found.next:
                await self._drop("token", found.next)

    def is_link(self, link: str) -> bool:
        """Whether a link exists, even expired."""
        return digest_of(link) in self._proofs["link"]

    async def link(self, grant: Grant, now: int) -> str:
        """Make a one-time code, valid for ten minutes."""
        return (await self._proof("link", grant, min(now + _LINK_MS, grant.until), now))[0]

    def takes_code(self, link: str) -> bool:
        proof = self._proofs["link"].get(digest_of(link))
        return proof is not None and (bool(proof.code) or self._grants[proof.grant].waits)

    def of_link(self, link: str, now: int) -> Grant | None:
        """Grant that a link opens. The link is not redeemed."""
        proof = self._proofs["link"].get(digest_of(link))
        return None if proof is None or now >= proof.until else self._grants.get(proof.grant)

    def linked(self, link: str, code: str, by: Grant | None, now: int) -> Grant:
        """Grant of a redeemable link, requested by the holder of ``by``. Raises ``Problem``."""
        proof, grant = self._proofs["link"].get(digest_of(link)), self.of_link(link, now)
        if proof is None or grant is None:
            raise Problem("gone", _GONE)
        if grant.waits:
            raise Problem("not_consented", "a second office must consent first, and has a code")
        if not self.is_in_force(grant, now):
            raise Problem("gone", _GONE)
        if by is not None and self._had_part(by, grant):
            message = f"{by.person} had a part in the grant of {grant.person}, who alone signs in"
            raise Problem("two_persons", message, status=403)
        digest = digest_of(code.replace("-", "").replace(" ", "").upper())
        if proof.code and not hmac.compare_digest(digest, proof.code):
            raise Problem("not_consented", "send the code that the second person was shown, too")
        return grant

    def _had_part(self, by: Grant, grant: Grant) -> bool:
        if not grant.made_by or grant.office == Role.BOARD:
            return False
        parts = [self._grants.get(maker) for maker in (grant.made_by, grant.consented_by)]
        return by.person in {part.person for part in parts if part is not None}

    def take_link(self, link: str) -> _Proof:
        """Use up a link before it is exchanged. Raises ``Problem``."""
        proof = self._proofs["link"].pop(digest_of(link), None)
        if proof is None:
            raise Problem("gone", _GONE)
        return proof

    def put_back(self, link: str, proof: _Proof) -> None:
        self._proofs["link"][digest_of(link)] = proof

    async def exchange(self, link: str, grant: Grant, now: int) -> tuple[str, int]:
        if not await self._commits.write(self._store.put, "link", digest_of(link), None):
            raise Problem("gone", _GONE)
        return await self.token(grant, now)

    async def _proof(self, kind: str, grant: Grant, until: int, now: int) -> tuple[str, int]:
        secret = secrets.token_urlsafe(_BYTES)
        await self._prove(kind, digest_of(secret), _Proof(grant.id, until, at=now))
        return secret, until

    async def _prove(self, kind: str, digest: str, proof: _Proof) -> bool:
        content = msgspec.json.encode(proof)
        was_there = await self._commits.write(self._store.put, kind, digest, content)
        self._proofs[kind][digest] = proof
        return was_there

    async def _keep(self, grant: Grant) -> None:
        content = msgspec.json.encode(grant)
        await self._commits.write(self._store.put, "grant", grant.id, content)
        self._grants[grant.id] = grant

    async def _drop(self, kind: str, digest: str) -> None:
        await self._commits.write(self._store.put, kind, digest, None)
        self._proofs[kind].pop(digest, None)

    async def forget(self, now: int) -> None:
        """Remove tokens and links that expired a day ago, and grants that ended a month ago."""
        for kind, proofs in self._proofs.items():
            for digest in [one for one, proof in proofs.items() if now >= proof.until + _DAY_MS]:
                await self._drop(kind, digest)
        for grant in [*self._grants.values()]:
            if now >= (grant.revoked or grant.until) + _MONTH_MS:
                await self._commits.write(self._store.put, "grant", grant.id, None)
                self._grants.pop(grant.id, None)


def _covers(own: Grant, other: Grant) -> bool:
    return not own.tables or (bool(other.tables) and set(other.tables) <= set(own.tables))
