"""The operator's page and its forms: no table, card, stake, or name of a patron reaches it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from starlette.responses import RedirectResponse, Response

from croupier.acts.roles import Access, Role, with_access
from croupier.records.grants import Grant
from croupier.reports.tags import Html
from croupier.reports.words import say
from croupier.server.http.answering import form_sent, page_at, page_shown
from croupier.server.http.calls import Call
from croupier.server.http.openapi import Resource
from croupier.server.http.problems import Problem
from croupier.server.looking import session_of
from croupier.server.operations import Operations, guide_commands
from croupier.server.pages.operator import HERE, GrantLine, OperatorSeen, operator_page
from croupier.server.pages.people import time_of
from croupier.server.pages.shell import answer_region
from croupier.server.resources.people_calls import noted_copy, revoked
from croupier.server.resources.people_pages import grant_seen

OPERATES: Final = with_access(Access.OPERATIONS)


class OperatorPages:
    def __init__(self, operations: Operations) -> None:
        self._operations: Final = operations

    @property
    def resources(self) -> Sequence[Resource]:
        return (
            page_at("GET", HERE, self._show),
            page_at("POST", f"{HERE}/acts/{{act}}", self._act),
            page_at("POST", f"{HERE}/grants/{{grant}}", self._revoke),
        )

    async def _show(self, call: Call) -> Response:
        call.allow(*OPERATES)
        return await self._shown(call)

    async def _act(self, call: Call) -> Response:
        grant, act = call.allow(*OPERATES), call.request.path_params["act"]
        await form_sent(call)
        try:
            await self._operations.do(act, grant.pit, partial(noted_copy, call))
        except Problem as problem:
            return await self._refused(call, problem)
        call.noted.update(event="operation", operation=act)
        return RedirectResponse(HERE, 303)

    async def _revoke(self, call: Call) -> Response:
        call.allow(*OPERATES)
        await form_sent(call)
        try:
            await revoked(call, call.request.path_params["grant"])
        except Problem as problem:
            return await self._refused(call, problem)
        return await self._shown(call, answer_region(say("people.revoked")))

    async def _refused(self, call: Call, problem: Problem) -> Response:
        call.noted["code"] = problem.code
        text = answer_region(say("refused", why=str(problem)), refused=True)
        return await self._shown(call, text, problem.status)

    async def _shown(self, call: Call, answer: Html | None = None, status: int = 200) -> Response:
        operations = self._operations
        figures = OperatorSeen(
            await operations.facts(),
            [*operations.alarms()],
            [*_records(call)],
            [*_grants(call)],
            {act: _result(operations, act) for act in operations.acts},
            guide_commands(),
        )
        return page_shown(call, operator_page(session_of(call), figures, answer), status)


def _result(operations: Operations, act: str) -> str:
    at, result = operations.results.get(act, (0, ""))
    return say(f"operator.{result}", at=time_of(at)) if result else ""


def _records(call: Call) -> Iterator[Sequence[str]]:
    service, pit = call.service, call.service.pits.get(call.grant.pit)
    hubs = {pit_hub.desk.name: pit_hub for pit_hub in service.pit_hubs.values()}
    hubs |= {name: table.hub for name, table in service.tables.items()}
    for desk in () if pit is None else service.desks.values():
        if pit not in {desk, service.goes_with(desk)}:
            continue
        hub, at = hubs[desk.name], desk.durable.at
        yield (
            desk.name,
            (desk.owner or say("none")) if desk.lost else say("operator.here"),
            f"{desk.durable.sequence:,}",
            f"{at:%Y-%m-%d %H:%M:%S}" if at else say("none"),
            f"{len(hub):,} ({hub.lag:,})",
        )


def _grants(call: Call) -> Iterator[GrantLine]:
    registry, own, now = call.service.grants, call.grant, call.service.now()
    found = [one for one in (*registry.standing(now), *registry.waiting(now)) if one.pit == own.pit]
    names = {one.id for one in found}
    by_maker: dict[str, list[Grant]] = {}
    for grant in found:
        by_maker.setdefault(grant.made_by if grant.made_by in names else "", []).append(grant)
    stack = [(0, one) for one in reversed(by_maker.get("", ()))]
    while stack:
        depth, grant = stack.pop()
        stack += ((depth + 1, each) for each in reversed(by_maker.get(grant.id, ())))
        shown = grant_seen(call, grant, may=registry.may_revoke(own, grant))
        if grant.office == Role.PATRON:
            shown = shown._replace(person=say("patron"))
        since = registry.sessions(grant.id, now)
        last = max(since, default=0)  # Tokens of an earlier version have no time.
        sessions = f"{len(since)}, {time_of(last)}" if last else str(len(since) or say("none"))
        yield GrantLine(shown, depth, say("operator.waits") if grant.waits else sessions)
