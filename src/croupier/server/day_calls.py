"""Calls about the gaming days of a table: each has a record of its own, which continues another."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from starlette.responses import Response

from croupier.server.calls import JSON, Call, json_answer
from croupier.server.desk import Came, DayEnded
from croupier.server.names import checked_key
from croupier.server.problems import MEDIA_TYPE, Problem
from croupier.table.roles import Role

__all__ = ["days", "end_day"]


async def days(call: Call) -> Response:
    """Return the records of a table, one for each gaming day."""
    table = call.table()
    call.allow(Role.SURVEILLANCE, Role.LICENSEE, Role.ACCOUNTING, Role.FLOORPERSON, Role.PIT_BOSS)
    desk = table.desk
    durable, kept = desk.durable.sequence, desk.days
    found = [
        {
            "day": number,
            "stream": day.stream,
            "first": day.before + 1,
            "last": kept.last(number, durable),
            "ended": number < len(kept.all) or desk.finished,
        }
        for number, day in enumerate(kept.all, start=1)
    ]
    return json_answer({"days": found})


async def end_day(call: Call) -> Response:
    """End the record of the gaming day, and begin that of the next one, which continues it."""
    table = call.table()
    grant = call.allow(Role.FLOORPERSON, Role.PIT_BOSS)
    key = checked_key(call.request.headers.get("idempotency-key"))
    if call.service.is_closing:
        raise Problem("closing", "the service is shutting down", headers={"Retry-After": "5"})
    await call.body()
    digest = sha256(b"the gaming day ends").digest()
    day = len(table.desk.days.all)

    def written(came: Came) -> tuple[int, bytes]:
        if came.refusal is not None:
            refusal = came.refusal
            problem = Problem(refusal.code, refusal.message, seq=came.position.sequence)
            return problem.status, msgspec.json.encode(problem.body)
        told: dict[str, Any] = {"seq": came.position.sequence, "ended": day, "day": day + 1}
        return 200, msgspec.json.encode(told)

    told = await call.service.end_day(table, DayEnded(grant.id, key, digest), written)
    headers = {"Idempotent-Replay": "true"} if told.again else {}
    return Response(told.body, told.status, headers, JSON if told.status == 200 else MEDIA_TYPE)
