"""API calls for a table's gaming days."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final

import msgspec
from starlette.responses import Response

from croupier.acts.roles import Access, Role, with_access
from croupier.rules import TableRules
from croupier.server.desks.desk import AmendedDay, DayEnd, TableOutcome
from croupier.server.desks.recorded import RecordedAnswer
from croupier.server.documents import DayShown
from croupier.server.http.calls import Call, json_answer, recorded_answer
from croupier.server.http.names import checked_key
from croupier.server.http.problems import Problem
from croupier.server.http.queries import NOTIFIED
from croupier.server.resources.table_calls import notified, submitted
from croupier.server.service import Table

ENDS_DAYS: Final = with_access(Access.END_DAYS)
SEES_DAYS: Final = with_access(Access.DAYS)


async def days(call: Call) -> Response:
    """Return a table's records by gaming day."""
    table = call.table()
    call.allow(*SEES_DAYS)
    return json_answer({"days": days_of(table)})


def days_of(table: Table) -> list[DayShown]:
    desk = table.desk
    durable, table_days = desk.durable.sequence, desk.days
    return [
        {
            "day": number,
            "stream": day.stream,
            "first": day.before + 1,
            "last": table_days.last(number, durable),
            "ended": number < len(table_days.all) or desk.finished,
        }
        for number, day in enumerate(table_days.all, start=1)
    ]


async def end_day(call: Call) -> Response:
    """End the gaming day and begin the next, of a submission under an amended text."""
    table = call.table()
    call.allow(*ENDS_DAYS, Role.LICENSEE)
    key = checked_key(call.headers.get("idempotency-key"))
    body = await call.body()
    # Generated clients send an empty object for no body.
    if body.strip() == b"{}":
        body = b""
    # The licensee ends a day with a submission under an amended text, others without one.
    call.allow(*((Role.LICENSEE,) if body else ENDS_DAYS))
    notice = notified(call.stated(NOTIFIED))
    rules = await submitted(call, body) if body else None
    answer = await day_ended(call, table, key, rules, notice)
    return recorded_answer(call, answer)


async def day_ended(
    call: Call,
    table: Table,
    key: str,
    rules: TableRules | None = None,
    notice: datetime | None = None,
) -> RecordedAnswer:
    grant = call.allow(*ENDS_DAYS, *(() if rules is None else (Role.LICENSEE,)))
    if rules is None and notice is not None:
        message = "notified: notice is of elections; send it with a submission, or leave it out"
        raise Problem("malformed", message)
    call.check_open()
    amendment, digest = None, sha256(b"the gaming day ends").digest()
    if rules is not None:
        beside = partial(call.service.beside, table.opened.pit)
        amendment = AmendedDay(rules, (grant.actor,), notice, beside)
        digest = sha256(f"{rules.sha256} {notice}".encode()).digest()
    day = len(table.desk.days.all)

    def respond(outcome: TableOutcome) -> tuple[int, bytes]:
        if outcome.refusal is not None:
            refusal = outcome.refusal
            call.count_refusal(refusal.code)
            problem = Problem(refusal.code, refusal.message, seq=outcome.position.sequence)
            return problem.status, msgspec.json.encode(problem.body)
        document: dict[str, Any] = {"seq": outcome.position.sequence, "ended": day, "day": day + 1}
        return 200, msgspec.json.encode(document)

    return await call.service.end_day(table, DayEnd(grant.id, key, digest, amendment), respond)
