"""Stored knowledge of clauses of the people of a pit."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable

from croupier.drills.documents import DrillBoxes, SpacedClause
from croupier.drills.spacing import DAYS, no_boxes
from croupier.records.stores.store import Learned
from croupier.records.stores.stream import StoreError
from croupier.reports.words import say
from croupier.server.http.calls import Call
from croupier.server.http.problems import Problem


async def kept(call: Call, *, everybody: bool = False) -> tuple[Learned, ...]:
    """Return the caller's (or everybody's) knowledge by clause."""
    store, grant = call.service.store, call.grant
    person = None if everybody else grant.person
    return await asyncio.to_thread(store.learned, grant.pit, person)


def boxes_of(rows: Iterable[Learned]) -> DrillBoxes:
    boxes, laws = no_boxes(), dict[str, dict[str, SpacedClause]]()
    for row in rows:
        laws.setdefault(row.law, {})[row.clause] = {"box": row.box, "due": row.due}
    return {**boxes, "laws": laws}


async def learn(call: Call, boxes: DrillBoxes, before: DrillBoxes, *, all_: bool = False) -> None:
    """Store the caller's changed boxes; all with ``all_``."""
    grant = call.grant
    rows = [
        Learned(grant.pit, grant.person, law, clause, spaced_clause["box"], spaced_clause["due"])
        for law, clauses in boxes["laws"].items()
        for clause, spaced_clause in clauses.items()
        if before["laws"].get(law, {}).get(clause) != spaced_clause
    ]
    instead = (grant.pit, grant.person) if all_ else None
    if not rows and not all_:
        return
    try:
        await call.service.commits.write(call.service.store.learn, rows, instead=instead)
    except StoreError as error:
        raise Problem("not_stored", say("drill.error.kept")) from error


def counts_of(rows: Iterable[Learned]) -> list[int]:
    found = Counter(row.box for row in rows)
    return [found[box] for box in range(len(DAYS))]
