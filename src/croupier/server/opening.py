"""What a service begins with: the tables of submissions, and a one-time link for each office."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from croupier.acts.roles import NAMED_POSTS, Role
from croupier.rules import TableRules
from croupier.server.grants import HOURS_12, Grant
from croupier.server.service import Opened, Service
from croupier.table.machine.position import Actor

PEOPLE: Final[Mapping[str, str]] = {office: str(office) for office in (*NAMED_POSTS, Role.BOARD)}
"""Who holds each office where nobody is named: whoever is called by it."""


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
    """Begin the tables of submissions that the store does not have yet.

    They are put into a pit of that name, or into that of each submission. ``notified`` is when
    whoever must have notice of their elections had it, as the licensee says.
    """
    by = (Actor(licensee, Role.LICENSEE, "command line"),)
    for rules in tables:
        there = rules if not pit else _in_pit(rules, pit)
        layout = there.submission.layout
        if layout.table not in service.tables:
            opened = Opened(layout.pit, cards, patrons)
            await service.create(there, opened, layout.table, by, notified)


def _in_pit(rules: TableRules, pit: str) -> TableRules:
    """Return the rules of a table that stands in another pit than its submission says."""
    layout = replace(rules.submission.layout, pit=pit)
    return replace(rules, submission=replace(rules.submission, layout=layout))


async def office_links(
    service: Service, people: Mapping[str, str]
) -> list[tuple[str, str, str, str]]:
    """Return a new one-time code for each office of each pit: pit, office, person, code.

    A grant that stands goes on; where there is none a new one is made.
    """
    now = service.now()
    pits = dict.fromkeys([*service.pits, *(one.opened.pit for one in service.tables.values())])
    found = []
    for pit in pits or ("1",):
        for office, person in people.items():
            held = [
                one
                for one in service.grants.standing(now)
                if (one.pit, one.office, one.person, one.tables) == (pit, office, person, ())
            ]
            grant = held[0] if held else await _granted(service, pit, office, person)
            found.append((pit, office, person, await service.grants.link(grant, now)))
    return found


async def _granted(service: Service, pit: str, office: str, person: str) -> Grant:
    now = service.now()
    grant = Grant(secrets.token_urlsafe(9), person, office, pit, until=now + HOURS_12)
    return await service.grants.make(grant, now)
