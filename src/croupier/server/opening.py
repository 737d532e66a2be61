"""Initial tables of a service, and one-time links for offices."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from operator import attrgetter
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.acts.roles import NAMED_POSTS, Role
from croupier.baccarat.wagers import BANKER, PLAYER
from croupier.law.elect import SubmissionError
from croupier.law.resolve import law_ids, resolve
from croupier.records.grants import Grant, grant_command
from croupier.rules import Limit, TableRules, default_submission, table_rules
from croupier.server.grants import HOURS_12, Hours
from croupier.server.http.names import checked_name
from croupier.server.http.problems import Problem
from croupier.server.logs import note
from croupier.server.service import Opened, Service
from croupier.server.sign_on import BOUND
from croupier.table.machine.position import Actor
from croupier.table.pit import MakeLink

DEMO_SEAT: Final = 1
"""The seat of the patron of a demonstration, at its first table."""
DEMO_NOTIFIED: Final = datetime(2000, 1, 1, tzinfo=UTC)
_DEMO: Final = ("101", "102", "103")
_SIDE: Final = ("wagers.bonus.offered", "wagers.total_cards.offered")
"""Optional wagers of a demonstration, if the regulation has them."""
PEOPLE: Final[Mapping[str, str]] = {office: str(office) for office in (*NAMED_POSTS, Role.BOARD)}
"""Person in each office if none is named: the name of the office."""


def demo_tables() -> list[TableRules]:
    """Rules of a demonstration's three tables, the one with most wagers first."""
    found = []
    for law in law_ids():
        text = resolve(law, on="latest")
        if text.partial:
            continue
        options = {name.replace(".", "__"): True for name in _SIDE if name in text.rules}
        with suppress(SubmissionError):  # Some regulations have elections without a default.
            found.append(table_rules(default_submission(law, "latest", **options)))
    found.sort(key=lambda rules: -len(rules.offers))
    return [_demo_table(name, rules) for name, rules in zip(_DEMO, found, strict=False)]


def _demo_table(name: str, rules: TableRules) -> TableRules:
    limits = {
        wager: Limit(2_500, 500_000) if offer.wager in (PLAYER, BANKER) else Limit(500, 50_000)
        for wager, offer in rules.offers.items()
        if offer.fixed_cents is None
    }
    layout = replace(rules.submission.layout, table=name)
    return table_rules(replace(rules.submission, layout=layout, limits=limits))


async def set_up(  # noqa: PLR0913  (what the tables of a service begin with)
    service: Service,
    tables: Iterable[TableRules],
    *,
    pit: str,
    cards: str,
    patrons: int | None,
    licensee: str = Role.LICENSEE,
    notified: datetime | None = None,
) -> None:
    """Create missing tables in the named pit or their own, with notice at ``notified``."""
    by = _by(licensee)
    for rules in tables:
        table, layout = rules, rules.submission.layout
        if pit:
            layout = replace(layout, pit=pit)
            table = replace(rules, submission=replace(rules.submission, layout=layout))
        if layout.table not in service.tables:
            opened = Opened(layout.pit, cards, patrons)
            await service.create(table, opened, layout.table, by, notified)


def _by(licensee: str) -> tuple[Actor, ...]:
    return (Actor(licensee, Role.LICENSEE, "command line"),)


async def office_links(
    service: Service, people: Mapping[str, str], guests: Iterable[Grant] = ()
) -> list[tuple[str, str, str, str]]:
    """Return new one-time codes: pit, office, person, code."""
    now, by = service.now(), _by(people.get(Role.LICENSEE, Role.LICENSEE))
    pits = dict.fromkeys([*service.pits, *(table.opened.pit for table in service.tables.values())])
    found = []
    for pit in pits or ("1",):
        for office, person in people.items():
            grant = _equal_grant(service, _new(pit, office, person, now))
            found.append((pit, office, person, await _new_link(service, grant, by)))
    return found + [
        (guest.pit, guest.office, guest.person, await _new_link(service, guest, by))
        for guest in guests
    ]


def demo_patron(service: Service) -> Grant:
    grant = _new("1", Role.PATRON, f"Patron {DEMO_SEAT}", service.now())
    return replace(grant, seat=DEMO_SEAT, tables=_DEMO[:1])


class LinkWanted(Struct, forbid_unknown_fields=True):
    office: str
    person: str = ""
    tables: tuple[str, ...] = ()
    pit: str = ""
    seat: int | None = None
    hours: Hours = 12.0


async def wanted_link(service: Service, request: bytes) -> dict[str, object]:
    link = msgspec.json.decode(request, type=LinkWanted)
    person, pit = checked_name("person", link.person or link.office), _pit_of(service, link)
    now, registry = service.now(), service.grants
    new = Grant(
        secrets.token_urlsafe(9), service.recorded_as(link.office, person), link.office, pit,
        link.tables, link.seat,
        until=now + int(link.hours * HOURS_12 / 12),
    )  # fmt: skip
    async with registry.changing:
        grant = _equal_grant(service, new)
        code = await _new_link(service, grant, _by(Role.LICENSEE))
    note(
        "link", f"a link was made for {grant.person}",
        {"person": grant.person, "office": grant.office},
    )  # fmt: skip
    return {"link": f"{service.address}/enter?link={code}", "person": person}


def _pit_of(service: Service, link: LinkWanted) -> str:
    pits = {one.opened.pit for one in service.tables.values()} | service.pits.keys()
    for name in link.tables:
        table = service.tables.get(name)
        if table is None or (link.pit and table.opened.pit != link.pit):
            place = f" in pit {link.pit}" if link.pit else ""
            names = ", ".join(service.tables) or "none"
            raise Problem("not_found", f"table: there is no {name}{place}; there are {names}")
        pits &= {table.opened.pit}
    if link.pit and pits and link.pit not in pits:
        names = ", ".join(sorted(pits))
        raise Problem("not_found", f"pit: there is no {link.pit}; there are {names}")
    if link.pit:
        return link.pit
    if len(pits) > 1:
        raise Problem("malformed", f"pit: name one of {', '.join(sorted(pits))}")
    if link.tables and not pits:
        raise Problem("malformed", "table: these tables are of several pits")
    return pits.pop() if pits else "1"


def _new(pit: str, office: str, person: str, now: int) -> Grant:
    return Grant(secrets.token_urlsafe(9), person, office, pit, until=now + HOURS_12)


def _equal_grant(service: Service, new: Grant) -> Grant:
    gives = attrgetter("pit", "office", "person", "tables", "seat")
    for grant in service.grants.standing(service.now()):
        # A grant of single sign-on is useless without the proxy.
        if gives(grant) == gives(new) and grant.device not in BOUND:
            return grant
    return new


async def _new_link(service: Service, grant: Grant, by: tuple[Actor, ...]) -> str:
    registry, now = service.grants, service.now()
    registry.check(grant, now)
    pit = await service.pit(grant.pit)
    is_known = grant.id in pit.ahead.state.grants
    await service.note(grant.pit, MakeLink(grant.id) if is_known else grant_command(grant, now), by)
    if registry.get(grant.id) is None:
        await registry.make(grant, now)
    return await registry.link(grant, now)
