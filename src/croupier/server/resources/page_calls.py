"""Handlers of the pages: sign-in, tables, forms, and scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.responses import RedirectResponse, Response

from croupier.acts.roles import Access, Role, has_access, offices_in_words, with_access
from croupier.reports.tags import Html, tag
from croupier.reports.words import WORDS, office_words, say
from croupier.server.desks.recorded import RecordedAnswer
from croupier.server.http.answering import Serves, form_sent, page_at, page_shown, wants_json
from croupier.server.http.calls import JSON, Call, json_answer
from croupier.server.http.names import checked_key, whole
from croupier.server.http.openapi import Resource
from croupier.server.http.problems import Problem
from croupier.server.http.queries import AT, SIDE, SIDE_COOKIE
from croupier.server.looking import day_shown, looked, session_of
from croupier.server.looking_back import excerpt, report_of_round
from croupier.server.pages.forms import FormError, command_of, commands_of
from croupier.server.pages.house import decided_page, pit_page
from croupier.server.pages.looked import Session
from croupier.server.pages.pieces import calls_of
from croupier.server.pages.shell import answer_region, page, plain_page
from croupier.server.renewals import PageStream, PageWindow, keys_of, parts_of, renewal_data
from croupier.server.resources.day_calls import ENDS_DAYS, day_ended
from croupier.server.resources.drill_calls import DRILL_PAGES
from croupier.server.resources.operator_calls import OPERATES
from croupier.server.resources.people_calls import (
    enter,
    enter_form,
    granted,
    noted_export,
    signed_out,
)
from croupier.server.resources.people_pages import PEOPLE_PAGES, link_region
from croupier.server.resources.pit_calls import asked_of_pit, decided, done_at_pit, tables_of_pit
from croupier.server.resources.read_calls import board_of
from croupier.server.resources.table_calls import (
    Given,
    answered,
    carried_out,
    check_number,
    notified,
    rules_of_body,
)
from croupier.server.service import Table
from croupier.server.views import sees_pit

_FOLLOWS: Final = {
    "amount", "day", "kind", "odds", "office", "q", "refusals", "seat", "side", "until",
}  # fmt: skip
"""Query parameters that an open page keeps requesting."""


# --- views ---------------------------------------------------------------------------------------


async def first(call: Call) -> Response:
    """Redirect to the office's page, or its only table."""
    names = [*call.service.tables_of(call.grant)]
    if call.grant.office in OPERATES:
        return RedirectResponse("/operator", 303)
    return RedirectResponse(f"/tables/{names[0]}" if len(names) == 1 else "/tables", 303)


async def tables(call: Call) -> Response:
    found = call.service.tables_of(call.grant).values()
    looks = [await looked(call, one) for one in found]
    bands = {
        look.name: await (await board_of(call, one)).band.points()
        for look, one in zip(looks, found, strict=True)
        if look.seen["house"] is not None
    }
    return page_shown(call, pit_page(session_of(call), looks, bands, _decided(call)))


async def table(call: Call) -> Response:
    """Return the page of a table for the caller's office."""
    found = call.table()
    at = _entry_shown(call, found)
    if 0 < at < found.desk.durable.sequence:
        look = await looked(call, found, at)
        parts_shown = parts_of(look), look.screen.prompt, calls_of(look), keys_of(look)
        text = _framed(call, found, session_of(call), parts_shown, {"seq": str(at)})
    else:
        text = await _page(call, found)
    answer = page_shown(call, text)
    if side := call.stated(SIDE):
        # Other pages and the answers to forms keep the side until the session is over.
        secure = call.front.secure
        answer.set_cookie(SIDE_COOKIE, side, secure=secure, httponly=True, samesite="strict")
    return answer


def _entry_shown(call: Call, found: Table) -> int:
    at = call.number(AT, 0) if has_access(call.grant.office, Access.EARLIER) else 0
    day = day_shown(call, found)
    return at or (found.desk.days.last(day, found.desk.durable.sequence) if day else 0)


async def parts(call: Call) -> Response:
    found = call.table()
    token, now = call.request.query_params.get("have", ""), await PageWindow(call, found).drawn()
    return page_shown(call, renewal_data(found, token, now), media=JSON)


async def renewals(call: Call) -> PageStream:
    found = call.table()
    call.front.streams.take(call.grant.id, found.desk.name)
    return PageStream(call, found, call.request.query_params.get("have", ""))


async def _page(call: Call, found: Table, answer: Html | None = None) -> str:
    drawing, session = await PageWindow(call, found).drawn(), session_of(call)
    place = f"/tables/{found.desk.name}"
    # Requested odds follow the cards; search results stay.
    parameters = [one for one in call.request.query_params.items() if one[0] in _FOLLOWS]
    query = f"?{urlencode(parameters)}" if parameters else ""
    data = {
        "seq": str(drawing.seq),
        "have": drawing.token,
        "form": session.form,
        "events": f"{place}/renewals{query}",
        "parts": f"{place}/parts{query}",
    }
    shown = [drawing.filled(session)], drawing.prompt, drawing.calls, drawing.keys
    return _framed(call, found, session, shown, data, answer)


def _framed(  # noqa: PLR0913, PLR0917  (what a page is framed with)
    call: Call,
    found: Table,
    session: Session,
    shown: tuple[Sequence[Html], str, str, str],
    data: Mapping[str, str],
    answer: Html | None = None,
) -> str:
    parts, prompt, calls, keys = shown
    name = found.desk.name
    return page(
        session,
        say("table", table=name),
        parts,
        kind=call.grant.office.replace(" ", "-"),
        prompt=prompt,
        calls=calls,
        answer=answer,
        data={"here": f"/tables/{name}", **data},
        keys=keys,
    )


# --- forms ---------------------------------------------------------------------------------------


def _given(fields: Mapping[str, list[str]], content: bytes, expected: int | None = None) -> Given:
    key = checked_key(fields.get("key", [""])[0])
    return Given(key, sha256(b"page\n" + content).digest(), expected)


async def act(call: Call) -> Response:
    found = call.table()
    fields = await form_sent(call)
    try:
        commands_sent = commands_of(fields)
    except FormError as error:
        raise Problem("malformed", str(error)) from error
    check_number(call, len(commands_sent))
    commands = call.service.recorded_commands(call.grant, commands_sent)
    expected = whole(fields.get("expected", [""])[0])
    given = _given(fields, msgspec.json.encode(commands), expected)
    call.minimal = True
    # The page may be older than an act that waits for consent.
    given = given._replace(onto_none="onto_none" in fields, goes_on="then" in fields)
    return await _page_answer(call, found, await carried_out(call, found, commands, given))


async def consent(call: Call) -> Response:
    """Consent to a pending act, or decline it."""
    found = call.table()
    fields = await form_sent(call)
    name = call.request.path_params["consent"]
    agrees = fields.get("consent", [""])[0] == "yes"
    given = _given(fields, f"{name} {agrees}".encode())
    answer = await answered(call, found, name, given, agreed=agrees)
    return await _page_answer(call, found, answer)


async def day(call: Call) -> Response:
    found = call.table()
    values = {name: values[0] for name, values in (await form_sent(call)).items()}
    call.allow(*((Role.LICENSEE,) if "submission" in values else ENDS_DAYS))
    rules, notice = None, notified(values.get("notified"))
    if "submission" in values:
        rules = await asyncio.to_thread(rules_of_body, values["submission"].encode())
    answer = await day_ended(call, found, checked_key(values.get("key", "")), rules, notice)
    return await _page_answer(call, found, answer)


class _Result(NamedTuple):
    words: str
    clauses: Sequence[str] = ()
    refused: bool = False
    waits: bool = False

    def region(self) -> Html:
        items = tag("ul", *(tag("li", clause) for clause in self.clauses)) if self.clauses else None
        return answer_region(self.words, refused=self.refused, more=items)


def _result_of(answer: RecordedAnswer | None) -> _Result:
    body = {} if answer is None else msgspec.json.decode(answer.body)
    if answer is None:
        return _Result(say("declined"))
    if answer.status >= 400:
        clauses = [f"{clause['id']}: {clause['says']}" for clause in body.get("clauses", [])]
        clauses += [say("instead", act=one) for one in _alternatives(body)]
        return _Result(say("refused", why=body.get("detail", "")), clauses, refused=True)
    if waits := body.get("consent", {}).get("needs", []):
        offices = office_words(offices_in_words(waits))
        return _Result(say("waits.for.consent", who=offices), waits=True)
    return _Result(say("done"))


def _alternatives(body: Mapping[str, Any]) -> list[str]:
    due = [one["words"] for one in body.get("legal", ()) if one["gives"] and one["must"]]
    if due:
        return ["; ".join(dict.fromkeys(due))]
    place = f"instead.{_LIKE.get(body['code'], body['code'])}"
    return [say(place)] if place in WORDS else []


_LIKE: Final = {"backdated": "time", "time_zone": "time", "key_reused": "reload"}
"""Refusal codes with the same alternatives."""


async def _page_answer(call: Call, found: Table, answer: RecordedAnswer | None) -> Response:
    outcome = _result_of(answer)
    if wants_json(call):
        return json_answer(
            {"said": outcome.words, "clauses": [*outcome.clauses], "refused": outcome.refused}
        )
    if not outcome.refused and not outcome.waits:
        target = call.request.query_params.get("back", "")
        return RedirectResponse("/tables" if target else f"/tables/{found.desk.name}", 303)
    status = 200 if answer is None else answer.status
    return page_shown(call, await _page(call, found, outcome.region()), status)


async def leave(call: Call) -> Response:
    fields = await form_sent(call)
    await signed_out(call)
    message = tag("p", say("left"), role="status")
    # The next person at a shared desk goes on at the same page.
    form = None if call.identity else enter_form(call, "", fields.get("to", [""])[0])
    answer = page_shown(call, plain_page(say("leave"), message, form or ""))
    for cookie in (call.front.cookie, SIDE_COOKIE):
        answer.delete_cookie(cookie, secure=call.front.secure, httponly=True)
    return answer


# --- the pit -------------------------------------------------------------------------------------


def _decided(call: Call) -> dict[str, Any] | None:
    found = call.service.pits.get(call.grant.pit)
    if found is None or not sees_pit(call.viewer):
        return None
    laws = [desk.ahead.rules.law for desk in found.desks.values()]
    amounts = {rule.id for law in laws for rule in law.elections if rule.is_amount}
    return {**decided(found), "amounts": amounts}


def _pit_shown(call: Call, answer: Html | None = None, status: int = 200) -> Response:
    admitted = tables_of_pit(call)
    session = session_of(call)
    text = decided_page(session, _decided(call), admitted, asked_of_pit(call), answer)
    return page_shown(call, text, status)


async def show_pit(call: Call) -> Response:
    if not sees_pit(call.viewer):
        raise Problem(
            "not_allowed", office_words(f"the {call.grant.office} sees the tables of a pit alone")
        )
    return _pit_shown(call)


async def pit_act(call: Call) -> Response:
    fields = await form_sent(call)
    try:
        command = {name: one for name, one in command_of(fields).items() if one is not None}
        given = _given(fields, msgspec.json.encode(command))
        answer = await done_at_pit(call, command, given)
    except FormError as error:
        return _pit_refused(call, str(error))
    except Problem as problem:
        if problem.code != "malformed":
            raise
        return _pit_refused(call, str(problem))
    outcome = _result_of(answer)
    if outcome.refused:
        return _pit_shown(call, outcome.region(), answer.status)
    return RedirectResponse(f"/pits/{call.grant.pit}", 303)


def _pit_refused(call: Call, reason: str) -> Response:
    return _pit_shown(call, _Result(say("refused", why=reason), refused=True).region(), 422)


async def seat_link(call: Call) -> Response:
    found = call.table()
    fields = await form_sent(call)
    request = {
        "person": fields.get("person", [""])[0],
        "office": str(Role.PATRON),
        "tables": [found.desk.name],
        "seat": whole(fields.get("seat", [""])[0], 3),
    }
    grant, link = await granted(call, request)
    message = say("link.made", person=grant.person, seat=grant.seat)
    return page_shown(call, await _page(call, found, link_region(call, grant, link, message)))


async def clip(call: Call) -> Response:
    """Export entries or a round report, on record. Raises ``Problem``."""
    found = call.table()
    call.allow(*with_access(Access.WATCH))
    fields = await form_sent(call)
    first, last = (_entry_of(fields, name) for name in ("first", "last"))
    name = found.desk.name
    if fields.get("kind") == ["pdf"]:
        content = await report_of_round(call, found, last)
        note, file = say("clip.note.pdf", last=last), f"{name}-round-at-{last}.pdf"
    else:
        content = await excerpt(call, found, first, last)
        note = say("clip.note", first=first, last=last)
        file = f"{name}-{first}-{last}.jsonl"
    if not found.desk.finished:
        # Every export is recorded, including a second one from the same page.
        fields["key"] = [f"{fields.get('key', [''])[0][:40]}-{first}-{last}"[:64]]
        command = {"type": "WriteNote", "text": note}
        answer = await carried_out(call, found, [command], _given(fields, note.encode()))
        if answer.status >= 400:
            problem = msgspec.json.decode(answer.body)
            raise Problem(problem["code"], problem["detail"], status=answer.status)
    await noted_export(call, "excerpt", name, first, last)
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    media = "application/pdf" if file.endswith("pdf") else "application/x-ndjson"
    return Response(content, 200, headers, media)


def _entry_of(fields: Mapping[str, list[str]], name: str) -> int:
    if (entry := whole(fields.get(name, ["0"])[0].strip(), 12)) is None:
        raise Problem("malformed", f"{say(f'clip.{name}')}: {say('error.count')}")
    return entry


# --- static files --------------------------------------------------------------------------------

_ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7"'
    ' fill="#14532d"/><circle cx="8" cy="8" r="3" fill="#fbf8ef"/></svg>'
)


@cache
def _file(name: str) -> str:
    return (files("croupier.server.pages") / name).read_text("utf-8")


def _static(name: str, media: str) -> Serves:
    async def served(call: Call) -> Response:
        return page_shown(call, _file(name), media=media)

    return served


async def icon(_: Call) -> Response:
    return Response(_ICON, media_type="image/svg+xml")


_T: Final = "/tables/{table}"

PAGES: Final[Sequence[Resource]] = (
    page_at("POST", "/enter", enter),
    page_at("POST", "/leave", leave),
    page_at("GET", "/", first),
    page_at("GET", "/tables", tables),
    page_at("GET", "/pits/{pit}", show_pit),
    page_at("POST", "/pits/{pit}/acts", pit_act),
    page_at("GET", _T, table),
    Resource("GET", f"{_T}/parts", parts),
    Resource("GET", f"{_T}/renewals", renewals),
    page_at("POST", f"{_T}/acts", act),
    page_at("POST", f"{_T}/consents/{{consent}}", consent),
    page_at("POST", f"{_T}/days", day),
    page_at("POST", f"{_T}/links", seat_link),
    page_at("POST", f"{_T}/clips", clip),
    Resource("GET", "/style.css", _static("style.css", "text/css")),
    Resource("GET", "/drills.js", _static("drills.js", "text/javascript")),
    Resource("GET", "/keys.js", _static("keys.js", "text/javascript")),
    Resource("GET", "/table.js", _static("table.js", "text/javascript")),
    Resource("GET", "/icon.svg", icon),
    *PEOPLE_PAGES,
    *DRILL_PAGES,
)
