"""Calls about grants, tokens, and one-time links."""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, Final, Literal
from urllib.parse import parse_qs

import msgspec
from starlette.responses import RedirectResponse, Response

from croupier.acts.roles import (
    GRANTED,
    Access,
    Role,
    admits,
    admitted,
    has_access,
    offices_in_words,
    with_access,
)
from croupier.records.grants import Grant, grant_command
from croupier.reports.tags import Html, hidden_inputs, labeled, post_form, tag
from croupier.reports.words import office_words, say
from croupier.server.grants import HOURS_12, Hours, digest_of
from croupier.server.http.answering import page_shown
from croupier.server.http.calls import Call, json_answer
from croupier.server.http.names import checked_name
from croupier.server.http.problems import Problem
from croupier.server.http.queries import LINK
from croupier.server.pages.people import time_of
from croupier.server.pages.shell import plain_page
from croupier.server.sign_on import Identity
from croupier.table.machine.position import Actor
from croupier.table.pit import (
    ConsentToGrant,
    DeclineConsent,
    NoteExport,
    RevokeGrants,
    SignIn,
)

_ADMITTING: Final = tuple(role for role in Role if role.office.admits)
_HERE: Final = re.compile(r"(/[\w.~%-]+)+", re.ASCII)
_FORM: Final = "application/x-www-form-urlencoded"


class _GrantRequest(msgspec.Struct, forbid_unknown_fields=True):
    person: str
    office: str
    tables: list[str] = []
    seat: int | None = None
    device: Literal["page", "reader", "code", "machine"] = "page"
    hours: Hours = 12.0


def _shown(grant: Grant, **facts: object) -> dict[str, Any]:
    return {**msgspec.structs.asdict(grant), **facts}


async def whoami(call: Call) -> Response:
    """Return the grant that the token proves."""
    return json_answer(_shown(call.grant))


async def grants(call: Call) -> Response:
    """Return the pit's grants in force or pending."""
    found = grants_seen(call)
    return json_answer({name: [_shown(one) for one in several] for name, several in found.items()})


def grants_seen(call: Call) -> dict[str, list[Grant]]:
    """Grants that the caller sees; a dealer's are those to consent to."""
    own, registry, now = call.grant, call.service.grants, call.service.now()
    sees = has_access(own.office, Access.PEOPLE)
    if not sees:
        call.allow(*with_access(Access.PEOPLE), *with_access(Access.PATRONS))
    return {
        "grants": [grant for grant in registry.standing(now) if sees and grant.pit == own.pit],
        "waiting": [
            grant
            for grant in registry.waiting(now)
            if grant.pit == own.pit and (sees or registry.may_consent(own, grant))
        ],
    }


async def make_grant(call: Call) -> Response:
    """Grant an office; the link's code is shown once."""
    grant, link = await granted(call, await call.json())
    link_facts = {"link": link, "needs": [*call.service.grants.consenting(grant)]}
    return json_answer(_shown(grant, **link_facts), 201, {"Location": f"/v1/grants/{grant.id}"})


async def granted(call: Call, data: dict[str, Any]) -> tuple[Grant, str]:
    """Store a grant and return its link's code. Raises ``Problem``."""
    own = call.allow(*_ADMITTING)
    try:
        request = msgspec.convert(data, _GrantRequest)
    except msgspec.ValidationError as error:
        raise Problem("malformed", str(error)) from error
    if not admits(own.office, request.office) and request.office in GRANTED:
        offices = offices_in_words(sorted(admitted(own.office)))
        message = f"the {own.office} grants to {offices}, not to {Role(request.office).words}"
        raise Problem("not_allowed", office_words(message))
    tables = tuple(checked_name("tables", table) for table in request.tables)
    for name in tables:
        call.service.seen(own, name)
    registry, now = call.service.grants, call.service.now()
    grant = Grant(
        secrets.token_urlsafe(9),
        call.service.recorded_as(request.office, checked_name("person", request.person)),
        request.office,
        own.pit,
        tables or own.tables,
        request.seat,
        request.device,
        min(own.until, now + int(request.hours * HOURS_12 / 12)),
        made_by=own.id,
    )
    async with _changing(call):
        registry.check(grant, now)
        await call.service.note(own.pit, grant_command(grant, now, own.person), (own.actor,))
        await registry.make(grant, now)
        return grant, await registry.link(grant, now)


@asynccontextmanager
async def _changing(call: Call) -> AsyncIterator[None]:
    """Change grants, unless the change before has ended the caller's."""
    async with call.service.grants.changing:
        call.check_again()
        yield


async def consent_to_grant(call: Call) -> Response:
    """Consent to a grant or decline it; the code is shown once."""
    data = await call.json()
    if data.keys() != {"consent"} or type(data["consent"]) is not bool:
        raise Problem("malformed", 'send {"consent": true}, or false to decline')
    name = call.request.path_params["grant"]
    code = await answered_grant(call, name, agreed=data["consent"])
    return json_answer({"declined": name} if code is None else {"code": code})


async def answered_grant(call: Call, name: str, *, agreed: bool) -> str | None:
    """Consent to a grant and return the code; ``None`` if declined."""
    own, registry, now = call.grant, call.service.grants, call.service.now()
    async with _changing(call):
        found = next((grant for grant in registry.waiting(now) if grant.id == name), None)
        if found is None or found.pit != own.pit:
            raise Problem("gone", "no such grant waits for consent: ask for it again")
        if not registry.may_consent(own, found):
            needs = offices_in_words(registry.consenting(found), "or")
            message = f"a second person consents to this, of another office than its maker: {needs}"
            raise Problem("two_persons", message, status=403)
        maker = registry.get(found.made_by)
        by = (own.actor,)
        if not agreed:
            asked_by = () if maker is None else (maker.person,)
            declination = DeclineConsent("GrantOffice", asked_by, grant=name)
            await call.service.note(own.pit, declination, by)
            await registry.revoke((name,), now)
            return None
        registry.check(found, now)
        await call.service.note(own.pit, ConsentToGrant(name, own.id, own.person), by)
        return await registry.consent(name, own, now)


async def revoke(call: Call) -> Response:
    """Revoke a grant and all made under it."""
    await revoked(call, call.request.path_params["grant"])
    return Response(status_code=204)


async def revoked(call: Call, name: str) -> None:
    own_grant, registry, now = call.grant, call.service.grants, call.service.now()
    async with _changing(call):
        found = registry.get(name)
        if found is None or found.revoked is not None or not registry.may_revoke(own_grant, found):
            raise Problem("not_found", "there is no such grant, or it is none of yours")
        ending = registry.made_under(name)
        await call.service.note(own_grant.pit, RevokeGrants(ending), (own_grant.actor,))
        await registry.revoke(ending, now)


async def make_token(call: Call) -> Response:
    """Exchange a one-time link for a token."""
    data = await call.json()
    link, code = data.get("link"), data.get("code", "")
    if call.identity is not None and data.keys() == {"office", "pit"}:
        return _token_made(*await signed_on(call, str(data["office"]), str(data["pit"])))
    if not isinstance(link, str) or not isinstance(code, str) or data.keys() - {"link", "code"}:
        message = 'send {"link": the code of the link}, with "code" if a second office consented'
        _take_try(call, "")
        raise Problem("malformed", message)
    return _token_made(*await signed_in(call, link, code))


def _token_made(grant: Grant, token: str, until: int) -> Response:
    return json_answer(_shown(grant, token=token, token_until=until), 201)


def _take_try(call: Call, link: str) -> None:
    """Count an attempt to sign in, by link if any, so that others cannot exhaust its attempts."""
    is_link = call.service.grants.is_link(link)
    call.front.rates.take(f"link {digest_of(link) if is_link else call.peer}", 5)


async def signed_in(call: Call, link: str, code: str) -> tuple[Grant, str, int]:
    # The whole address may be sent, as it is printed.
    link = link.rpartition("enter?link=")[2]
    _take_try(call, link)
    registry, now = call.service.grants, call.service.now()
    token_held = call.token()
    by = registry.of_token(token_held, now) if token_held else None
    if by is not None:
        call.noted["by"] = by.person
    grant = registry.linked(link, code, by, now)
    if call.identity is not None and call.identity.person != call.service.named(grant.person):
        message = "the link is for another person than the one whom the proxy names"
        raise Problem("two_persons", message, status=403)
    proof = registry.take_link(link)
    try:
        await call.service.note(grant.pit, SignIn(grant.id), (grant.actor,))
    except BaseException:
        registry.put_back(link, proof)
        raise
    found = await registry.exchange(link, grant, now)
    _note_sign_in(call, grant)
    return grant, *found


_SIGN_ON: Final = (Actor("sign-on", Role.LICENSEE, "proxy"),)


async def signed_on(call: Call, office: str, pit: str) -> tuple[Grant, str, int]:
    """Return a token of the person at the proxy, in an office of theirs. Raises ``Problem``."""
    identity, registry, now = call.identity, call.service.grants, call.service.now()
    if "origin" in call.headers:
        call.same_origin()
    tables = None if identity is None else identity.offices.get((office, pit))
    if identity is None or tables is None:
        raise Problem("not_allowed", f"no group of yours has the office {office!r} in pit {pit!r}")
    person = identity.person
    call.front.rates.take(f"sign-on {person}", 5)
    name, until = secrets.token_urlsafe(9), now + HOURS_12
    new = Grant(name, person, office, pit, tables, device=identity.device, until=until)
    async with registry.changing:
        grants_held = {
            (one.office, one.pit, one.tables): one
            for one in registry.standing(now)
            if (one.person, one.device) == (person, identity.device)
        }
        grant = grants_held.pop((office, pit, tables), new)
        # Signing on in another office ends the previous one.
        ending = {one: registry.made_under(one.id) for one in grants_held.values()}
        if grant is new:
            registry.check(grant, now, {name for names in ending.values() for name in names})
        for one, names in ending.items():
            await call.service.note(one.pit, RevokeGrants(names), _SIGN_ON)
            await registry.revoke(names, now)
        if grant is new:
            await call.service.note(pit, grant_command(grant, now), _SIGN_ON)
            await registry.make(grant, now)
        await call.service.note(pit, SignIn(grant.id), (grant.actor,))
        token = await registry.token(grant, now)
    _note_sign_in(call, grant)
    return grant, *token


def _note_sign_in(call: Call, grant: Grant) -> None:
    call.service.metrics.sign_ins.inc()
    call.noted.update(event="sign_in", person=grant.person, office=grant.office, grant=grant.id)


async def noted_export(
    call: Call, kind: str, table: str = "", first: int = 0, last: int = 0
) -> None:
    call.noted.update(event="export", export=kind)
    command = NoteExport(kind, table, first, last)
    await call.service.note(call.grant.pit, command, (call.grant.actor,))


async def noted_copy(call: Call) -> None:
    """Record a copy of the store in the record of each pit."""
    for pit in tuple(call.service.pits):
        await call.service.note(pit, NoteExport("store"), (call.grant.actor,))


async def renew(call: Call) -> Response:
    """Exchange the token of the request for a new one, while its grant is in force."""
    grant, registry, now = call.grant, call.service.grants, call.service.now()
    if "authorization" not in call.headers:
        raise Problem(
            "not_allowed",
            "the session of a page goes on while it is used: its scripts see no token",
        )
    renewal = await registry.renewed(call.token(), grant, now)
    call.noted["event"] = "renewal"
    return _token_made(grant, *renewal)


async def sign_out(call: Call) -> Response:
    """End the token of the request."""
    await signed_out(call)
    return Response(status_code=204)


async def signed_out(call: Call) -> None:
    """End the token of the request. Raises ``Problem`` without a valid one."""
    call.grant  # noqa: B018  (proves the token)
    call.noted["event"] = "sign_out"
    await call.service.grants.sign_out(call.token())


# --- browser sign-in ---


async def show_enter(call: Call) -> Response:
    """Return a button, so that a link preview does not use up the link."""
    code = call.stated(LINK, "")
    if call.identity is not None and not code:
        return page_shown(call, plain_page(say("service"), *_offices(call, call.identity)))
    return page_shown(
        call,
        plain_page(say("service"), tag("p", _office_words(call, code)), enter_form(call, code)),
    )


def _office_words(call: Call, code: str) -> str:
    now = call.service.now()
    grant = call.service.grants.of_link(code, now)
    if grant is None or not call.service.grants.is_in_force(grant, now):
        return say("enter.words")
    places = [say("table", table=one) for one in grant.tables] or [say("pit.title", pit=grant.pit)]
    seat = () if grant.seat is None else (f"{say('seat')} {grant.seat}".lower(),)
    place = ", ".join((*places, *seat))
    office = _office_in(call, grant.office, grant.pit)
    return say("enter.link.of", office=office, tables=place, until=time_of(grant.until))


def _office_in(call: Call, office: str, pit: str) -> str:
    found = call.service.pits.get(pit)
    return office if found is None else found.usage.named(office)


def enter_form(call: Call, code: str, to: str = "") -> Html:
    """Form that redeems a link, with a field for the link if it is missing."""
    takes_code = call.service.grants.takes_code(code)
    return post_form(
        "/enter",
        hidden_inputs({"link": code}) if code else _field("link"),
        _field("code", required=takes_code) if takes_code or not code else None,
        hidden_inputs({"to": to}) if to else None,
        tag("button", say("enter"), class_="primary", autofocus=bool(code)),
    )


def _field(name: str, *, required: bool = True) -> Html:
    box = tag("input", type="text", name=name, required=required, autocomplete="off", id=name)
    return labeled(say(f"enter.{name}"), box, of=name)


def _offices(call: Call, identity: Identity) -> Iterator[Html]:
    yield tag("p", say("enter.as", person=identity.person))
    if not identity.offices:
        yield tag("p", say("enter.none"), role="alert")
    for office, pit in identity.offices:
        words = say("enter.office", office=_office_in(call, office, pit), pit=pit)
        button = tag("button", words, name="office", value=f"{office}@{pit}", class_="primary")
        yield post_form("/enter", button)


async def enter(call: Call) -> Response:
    """Exchange a one-time link for a cookie."""
    call.same_origin()
    call.media_type(_FORM)
    try:
        fields = parse_qs((await call.body()).decode("utf-8", "replace"), max_num_fields=4)
    except ValueError as error:
        raise Problem("malformed", "send the form of this page, which has one field") from error
    link, code, office, to = (
        fields.get(name, [""])[0] for name in ("link", "code", "office", "to")
    )
    token_held = call.token()
    if call.identity is not None and office:
        _, token, until = await signed_on(call, *office.rpartition("@")[::2])
    else:
        _, token, until = await signed_in(call, link, code)
    # The session of the person before ends, and the next one goes on at the same page.
    await call.service.grants.sign_out(token_held)
    answer = RedirectResponse(to if _HERE.fullmatch(to) else "/", 303)
    call.set_session(answer, token, until)
    return answer
