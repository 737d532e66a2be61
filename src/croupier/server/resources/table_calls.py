"""API calls for a table: creation, commands, consents, and available acts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from croupier.acts import Command, DrawCard
from croupier.acts.command import TERMS
from croupier.acts.roles import Role, includes, offices_in_words
from croupier.acts.sentences import sentence
from croupier.baccarat.coup import winner_name
from croupier.files.errors import FileError
from croupier.files.toml import parse_toml
from croupier.law.elect import SubmissionError
from croupier.law.usage import counted
from croupier.records.codec import CodecError, decode_command
from croupier.records.grants import Grant
from croupier.records.stores.stream import StoreError
from croupier.records.view.projection import projection
from croupier.records.view.seen import due_answer, next_act
from croupier.records.view.sight import Around, masked
from croupier.reports.screen import people_in_words
from croupier.reports.words import say
from croupier.rules import TableRules, rules_of_tables
from croupier.scenarios.plainest import drawn_unseen, spare_card
from croupier.server.desks.consents import GONE, Consent
from croupier.server.desks.desk import (
    CardFromShoe,
    Desk,
    TableOutcome,
    TableRequest,
    actors,
    completed,
)
from croupier.server.desks.recorded import RecordedAnswer
from croupier.server.desks.shoe import NEXT
from croupier.server.http.calls import JSON, Call, json_answer, parsed, recorded_answer
from croupier.server.http.names import checked_key, checked_texts, whole
from croupier.server.http.problems import Problem, clauses_in_words, status_of_refusal
from croupier.server.http.queries import CARDS_FROM, CORRECTS, NOTIFIED, PATRONS, TABLE
from croupier.server.resources.read_calls import board_of
from croupier.server.service import Opened, Table
from croupier.server.views import SEEN, seen_acts
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Actor, Position, Proposal
from croupier.table.machine.state import Phase
from croupier.table.people.duty import Duty
from croupier.table.people.offices import asked_by_name, is_on_duty, is_open_to, never_gives
from croupier.table.pit import DeclineConsent

TOML: Final = "application/toml"
_NDJSON: Final = "application/x-ndjson"


# --- tables ---


async def list_tables(call: Call) -> Response:
    """Return the tables that the caller's grant covers."""
    found = call.service.tables_of(call.grant)
    return json_answer({"tables": [_table_facts(name, one) for name, one in found.items()]})


def _table_facts(name: str, table: Table) -> dict[str, Any]:
    rules = table.desk.durable.rules
    return {
        "table": name,
        "pit": table.opened.pit,
        "cards": table.opened.cards,
        "title": rules.title,
        "law": rules.law.key,
        "stream": table.desk.stream,
        "seat_count": rules.submission.layout.seats,
        "seq": table.desk.durable.sequence,
        "phase": table.desk.durable.state.phase.name,
        "finished": table.desk.finished,
    }


async def create(call: Call) -> Response:
    """Create a table from a rules submission."""
    grant = call.allow(Role.LICENSEE)
    rules = await submitted(call, await call.body())
    layout = rules.submission.layout
    name = call.stated(TABLE, layout.table)
    opened = Opened(layout.pit, call.stated(CARDS_FROM, "dealer"), call.number(PATRONS, 0) or None)
    if not grant.covers(opened.pit, name):
        raise Problem("not_allowed", f"your grant is for pit {grant.pit}, the table is of another")
    new = await call.service.create(
        rules, opened, name, (grant.actor,), notified(call.stated(NOTIFIED))
    )
    place = {"Location": f"/v1/tables/{name}"}
    return json_answer(_table_facts(name, new), 201, place)


def notified(text: str | None) -> datetime | None:
    """Time of the notice of elections that a request states. Raises ``Problem``."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        message = f"notified: {text!r} is not a time, such as 2026-11-22T12:00:00Z"
        raise Problem("malformed", message) from error


async def submitted(call: Call, body: bytes) -> TableRules:
    kind = call.media_type(TOML, JSON)
    found = await asyncio.to_thread(rules_of_body, body, kind, call.front.limits.json_depth)
    call.check_again()
    return found


def rules_of_body(body: bytes, kind: str = TOML, depth: int = 0) -> TableRules:
    """Rules of a submission in TOML, or in JSON of some depth. Raises ``Problem``."""
    try:
        if kind == TOML:
            file = parse_toml(body.decode(), Path("submission.toml"))
            return rules_of_tables(file.tables, file)
        data = parsed(body, depth)
        if not isinstance(data, dict):
            raise Problem("malformed", "a submission is an object of tables")
        head = data.get("submission")
        if isinstance(head, dict) and isinstance(head.get("on"), str):
            head["on"] = date.fromisoformat(head["on"])
        return rules_of_tables(data)
    except SubmissionError as error:
        errors = [
            {
                "where": detail.where,
                "message": detail.message,
                "clauses": list(detail.clauses),
                "line": None if detail.place is None else detail.place.line,
            }
            for detail in error.errors
        ]
        number = counted(len(errors), "error")
        raise Problem("refused_submission", f"{number}; nothing was done", errors=errors) from error
    except (FileError, ValueError) as error:
        raise Problem("malformed", f"no submission: {error}") from error


async def table(call: Call) -> Response:
    """Return a table as the caller's office sees it."""
    found = call.table()
    results: list[dict[str, Any]] | None = None
    # The in-memory state is shown even if the store is unavailable.
    with suppress(StoreError):
        results = [
            {"round": result.round, **result._asdict(), "winner": winner_name(result.winner)}
            for result in (await board_of(call, found)).results
        ]
    position = call.service.shown(found)
    data = {**_table_facts(found.desk.name, found), "seen": projection(position, call.viewer)}
    if results is not None:
        data["results"] = results
    return json_answer(data, headers=_tag(position.sequence))


async def legal(call: Call) -> Response:
    """Return the acts available to the caller's office."""
    position = call.table().desk.durable
    acts = seen_acts(call.viewer, position, call.grant.actor, call.service.today)
    return json_answer({"seq": position.sequence, "acts": acts}, headers=_tag(position.sequence))


def _tag(sequence: int) -> dict[str, str]:
    return {"ETag": f'"{sequence}"'}


# --- commands ---


async def command(call: Call) -> Response:
    """Execute up to 64 commands until the first refusal."""
    found = call.table()
    key = checked_key(call.headers.get("idempotency-key"))
    kind = call.media_type(JSON, _NDJSON)
    body = await call.body()
    objects = call.service.recorded_commands(call.grant, _objects(body, kind, call))
    # A name can be guessed from the digest of a request that contains it.
    digested = body if call.service.names is None else msgspec.json.encode(objects)
    corrects = call.number(CORRECTS, 0) or None
    head = kind if corrects is None else f"{kind} {corrects}"
    digest = sha256(head.encode() + b"\n" + digested).digest()
    given = Given(key, digest, expected_entry(call), corrects)
    answer = await carried_out(call, found, objects, given)
    return recorded_answer(call, answer, minimal=call.minimal)


class Given(NamedTuple):
    """A command request; ``onto_none`` adds to no chips; ``goes_on`` may give a second one."""

    key: str
    digest: bytes
    expected: int | None = None
    corrects: int | None = None
    onto_none: bool = False
    goes_on: bool = False


async def carried_out(
    call: Call, found: Table, objects: Sequence[dict[str, Any]], given: Given
) -> RecordedAnswer:
    """Execute commands given as JSON, up to the first refusal."""
    commands = [_given(one, call, found) for one in objects]
    call.noted["command"] = str(objects[0]["type"]) if len(objects) == 1 else "batch"
    by = partial(_actors_of, found, call.grant, given)

    def ends_after_one(position: Position) -> bool:
        return given.goes_on and goes_on(call, found, due_answer(position)) is None

    request = TableRequest(
        call.grant.id, given.key, given.digest, commands, by, given.expected, given.corrects,
        ends_after_one,
    )  # fmt: skip
    return await _answer_of(call, found, request)


def _objects(body: bytes, kind: str, call: Call) -> list[dict[str, Any]]:
    texts = [part for part in body.split(b"\n") if part.strip()] if kind == _NDJSON else [body]
    check_number(call, len(texts))
    found = []
    for number, text in enumerate(texts, start=1):
        data = parsed(text, call.front.limits.json_depth)
        if not isinstance(data, dict):
            raise Problem("malformed", f"line {number}: a command is an object with a type")
        found.append(data)
    return found


def check_number(call: Call, number: int) -> None:
    limit = call.front.limits.commands
    if not 1 <= number <= limit:
        raise Problem("malformed", f"send 1 to {limit} commands, one on each line")
    if number > 1:
        call.front.rates.take(call.grant.id, (number - 1) / 16)


def _actors_of(
    found: Table, grant: Grant, given: Given, command: Command, position: Position
) -> tuple[Actor, ...]:
    # Another window may have placed these wagers since the page was shown.
    if given.onto_none and any(seat == grant.seat for seat, _ in position.state.stakes):
        message = "chips lie at your seat already: look again, then place more if you want to"
        raise Problem("stale", message, seq=position.sequence)
    by = actors(grant, command, position)
    if found.shoes is None:
        return by
    found.shoes.check_wager(command, position)
    return found.shoes.shuffled_by(command, by, position)


def _given(data: dict[str, Any], call: Call, found: Table) -> Command | CardFromShoe:
    """Read a command; an office that never gives it is told that and not what it lacks."""
    try:
        return _command_of(data, call, found)
    except Problem:
        position, name = found.desk.durable, str(data.get("type"))
        if name in TERMS and (refusal := never_gives(name, call.grant.actor, position.rules)):
            call.count_refusal(refusal.code)
            raise _problem(refusal, position, call) from None
        raise


def _command_of(data: dict[str, Any], call: Call, found: Table) -> Command | CardFromShoe:
    checked_texts(data)
    data = completed(data, call.grant)
    if "card" not in data or found.shoes is None:
        return _command(data)
    terms = TERMS.get(str(data.get("type")))
    if terms is None or not terms.draws:
        if data["card"] == NEXT:
            raise Problem("malformed", "card: name the card that was seen: this act draws none")
        return _command(data)
    if data["card"] != NEXT:
        message = f'the service draws the cards of this table: write "card": "{NEXT}"'
        raise Problem("no_shoe", message)
    example = _command({**data, "card": "As"})
    may_be_unseen = isinstance(example, DrawCard)
    shoes = found.shoes

    def stand_in(position: Position) -> Command:
        if may_be_unseen and drawn_unseen(position.state, position.rules):
            return _command({**data, "card": None})
        shoes.check(position)
        return _command({**data, "card": spare_card(position.state).notation})

    def drawn(position: Position) -> Command:
        stands = stand_in(position)
        if isinstance(stands, DrawCard) and stands.card is None:
            return stands
        return _command({**data, "card": shoes.card(position).notation})

    return CardFromShoe(stand_in, drawn)


def _command(data: dict[str, Any]) -> Command:
    try:
        return decode_command(data)
    except CodecError as error:
        raise Problem("malformed", str(error)) from error


def expected_entry(call: Call) -> int | None:
    header = call.headers.get("if-match")
    if header is None:
        return None
    if (entry := whole(header.strip().strip('"'))) is None:
        raise Problem("malformed", 'If-Match: write the number of an entry, such as "12"')
    return entry


async def _answer_of(call: Call, found: Table, request: TableRequest) -> RecordedAnswer:
    call.check_open()
    return await found.desk.ask(request, partial(_response, call, found, request))


def _response(
    call: Call, found: Table, request: TableRequest, outcome: TableOutcome, consent_id: str = ""
) -> tuple[int, bytes]:
    viewer, position = call.viewer, outcome.position
    entries: dict[str, Any] = {}
    if not call.minimal:
        entries["entries"] = [msgspec.Raw(SEEN.encoded(viewer, entry)) for entry in outcome.entries]
    document = {"seq": position.sequence, **entries}
    refusal = outcome.refusal
    if refusal is None:
        return 200, msgspec.json.encode(document)
    if refusal.code == "consent_needed" and outcome.refused is not None:
        by = request.by(outcome.refused, position)
        waiting(call, found)
        pending = found.consents.wait(
            outcome.refused, by, position, call.service.now(), corrects=request.corrects,
            name=consent_id,
        )  # fmt: skip
        found.hub.nudge()
        waits = {**document, "consent": _waiting(call, pending, position)}
        return 202, msgspec.json.encode(waits)
    call.count_refusal(refusal.code)
    problem = _problem(refusal, position, call)
    return problem.status, msgspec.json.encode({**problem.body, **entries})


def _problem(refusal: Refusal, position: Position, call: Call) -> Problem:
    if refusal.code == "stale":
        return Problem("stale", refusal.message, seq=position.sequence)
    return Problem(
        refusal.code,
        refusal.message,
        status=status_of_refusal(refusal),
        clauses=clauses_in_words(position.rules.law, refusal.clauses),
        seq=position.sequence,
        legal=seen_acts(call.viewer, position, call.grant.actor, call.service.today),
    )


# --- consents ---


def _waiting(call: Call, item: Consent, position: Position) -> dict[str, Any]:
    around = Around(position.state, position.state, (), position.rules)
    command_seen = masked(item.command, call.viewer, around)
    titles = {name: wager.title for name, wager in position.rules.wagers.items()}
    ended = {"ended": item.ended} if item.ended else {}
    return {
        "id": item.id,
        "command": type(item.command).__name__,
        "words": sentence(command_seen, titles),
        "by": [*map(_seen_actor, item.by)],
        "needs": [*item.needs],
        "until": item.until,
        "fields": command_seen.to_dict(),
        "mine": _asked_for(call.grant, item),
        **ended,
    }


def _seen_actor(actor: Actor) -> dict[str, str]:
    return {"person": actor.person, "office": actor.office}


def _asked_for(grant: Grant, item: Consent) -> bool:
    caller = grant.person, grant.office, grant.seat
    return any((by.person, by.office, by.seat) == caller for by in item.by)


async def consents(call: Call) -> Response:
    """Return the caller's acts, and those awaiting the caller's consent."""
    return json_answer({"consents": acts_that_wait(call, call.table())})


def goes_on(call: Call, table: Table, due: Proposal | None) -> str | None:
    """Act that continues the due one, if none waits, even unseen by the caller."""
    if due is None or waiting(call, table):
        return None
    return next_act(due)


def acts_that_wait(call: Call, found: Table) -> list[dict[str, Any]]:
    """Pending acts that the caller may consent to, and all that the caller asked for."""
    found.desk.check_owned()
    grant, position = call.grant, found.desk.durable
    return [
        _waiting(call, one, position)
        for one in (*waiting(call, found), *found.consents.ended())
        if _asked_for(grant, one)
        or ((one.dropped or not one.ended) and _may_answer(grant, one, position))
    ]


def waiting(call: Call, found: Table) -> tuple[Consent, ...]:
    """Pending acts of a table, without those whose moment is over."""
    return found.consents.all(call.service.now(), partial(_over, call, found.desk))


def _over(call: Call, desk: Desk, item: Consent) -> str:
    if desk.lost:
        return ""  # Another process has its acts, and ends them.
    registry, now = call.service.grants, call.service.now()
    for actor in item.by:
        granted = registry.get(actor.device.partition(":")[2])
        if granted is None or not registry.is_in_force(granted, now):
            return f"{actor.person}'s grant has ended: ask for the act again"
    state = desk.ahead.state
    is_same = item.round == state.rounds
    is_staffed = all(is_on_duty(state, actor) for actor in item.by)
    if is_same and is_staffed and state.phase is not Phase.CLOSED:
        for office, person in asked_by_name(item.command, item.by, desk.ahead.rules):
            if not includes(state[Duty].office_of(person) or "", office):
                return f"{person}, named as {office}, is not on duty here: ask for the act again"
        return ""
    refusal = desk.over(item.command, item.by)
    if is_same or desk.ending:
        return _cited(refusal)
    period = "round" if item.round < state.rounds else "gaming day"
    message = f"the {period} in which it was asked for has ended"
    return _cited(Refusal("gone", refusal.clauses if refusal else (), message))


def _cited(refusal: Refusal | None) -> str:
    if refusal is None:
        return ""
    return refusal.message + (f" ({', '.join(refusal.clauses)})" if refusal.clauses else "")


def _may_answer(grant: Grant, item: Consent, position: Position) -> bool:
    is_asked = any(includes(grant.office, office) for office in item.needs)
    named = asked_by_name(item.command, item.by, position.rules)
    names = {person for office, person in named if includes(grant.office, office)}
    is_asked = is_asked and (not names or grant.person in names)
    return is_asked and is_open_to(position.state, type(item.command), grant.actor)


async def consent(call: Call) -> Response:
    """Consent to a pending act, decline it, or withdraw one's own; the last consent executes it."""
    found = call.table()
    key = checked_key(call.headers.get("idempotency-key"))
    body = await call.body()
    data = parsed(body, call.front.limits.json_depth)
    if not isinstance(data, dict) or type(data.get("consent")) is not bool:
        raise Problem("malformed", 'send {"consent": true}, or false to decline')
    name = call.request.path_params["consent"]
    digest = sha256(name.encode() + b"\n" + body).digest()
    answer = await answered(call, found, name, Given(key, digest), agreed=data["consent"])
    if answer is None:
        return json_answer({"declined": name})
    return recorded_answer(call, answer, minimal=call.minimal)


async def _declined(call: Call, found: Table, waits: Consent, key: str) -> None:
    grant, is_own = call.grant, _asked_for(call.grant, waits)
    if not is_own and not _may_answer(grant, waits, found.desk.ahead):
        needs = offices_in_words(waits.needs, "or")
        message = f"this waits for the consent of {needs}: they decline, or the asker withdraws"
        raise Problem("not_your_office", message, status=403)
    asked_by = tuple(actor.person for actor in waits.by)
    declines = DeclineConsent(type(waits.command).__name__, asked_by, found.desk.name)
    found.consents.hold(waits, (grant.id, key))
    is_done = False
    try:
        if not waits.ended:
            await call.service.note(found.opened.pit, declines, (grant.actor,))
        if is_own:
            found.consents.take(waits.id)
        else:
            found.consents.end(
                waits, say("consent.declined", who=people_in_words([_seen_actor(grant.actor)]))
            )
        found.hub.nudge()
        is_done = is_own
    finally:
        found.consents.settle(waits, done=is_done)


async def answered(
    call: Call, found: Table, name: str, given: Given, *, agreed: bool
) -> RecordedAnswer | None:
    """Consent to a pending act; ``None`` if declined."""
    grant, key, digest = call.grant, given.key, given.digest
    if await found.desk.kept_answer(grant.id, key) is not None:
        # The desk repeats its earlier answer, and refuses a key of another request.
        return await _answer_of(
            call, found, TableRequest(grant.id, key, digest, (), lambda _, __: ())
        )
    found.desk.check_owned()
    waiting(call, found)
    waits = found.consents.get(name)
    if waits.ended and (agreed or not _asked_for(grant, waits)):
        is_asked = _may_answer(grant, waits, found.desk.ahead)
        raise Problem("gone", say("consent.ended", why=waits.ended) if is_asked else GONE)
    if not agreed:
        await _declined(call, found, waits, key)
        return None
    by = (*waits.by, grant.actor)
    request = TableRequest(
        grant.id, key, digest, (waits.command,), lambda _, __: by, None, waits.corrects
    )
    found.consents.hold(waits, (grant.id, key))
    is_done, ended = False, ""

    def respond(outcome: TableOutcome) -> tuple[int, bytes]:
        nonlocal ended
        refusal = outcome.refusal
        if refusal is not None and refusal.code != "consent_needed":
            ended = _cited(found.desk.over(waits.command, waits.by))
            message = say("consent.over" if ended else "consent.stays", why=refusal.message)
            outcome = outcome._replace(refusal=replace(refusal, message=message))
        return _response(call, found, request, outcome, waits.id)

    try:
        await found.consents.spend(waits)
        call.check_open()
        answer = await found.desk.ask(request, respond)
        is_done = answer.status == HTTPStatus.OK
        if ended:
            found.consents.end(waits, ended)
            found.hub.nudge()
    finally:
        # A lost table may or may not have executed it, so the client must ask again.
        found.consents.settle(waits, done=is_done or bool(found.desk.lost))
    return answer
