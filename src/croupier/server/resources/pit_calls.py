"""API calls for a pit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec.structs import asdict
from starlette.responses import Response

from croupier.acts.roles import POSTED, Access, Role, with_access
from croupier.law.model import Instrument
from croupier.records.codec import CodecError
from croupier.records.pit_log import PIT_COMMANDS, decode_pit_command
from croupier.server.desks.pit_desk import PitDesk, PitRequest
from croupier.server.desks.recorded import OutcomeOf, RecordedAnswer
from croupier.server.expensive import pit_verdict
from croupier.server.http.calls import JSON, Call, json_answer, parsed, recorded_answer
from croupier.server.http.names import checked_key, checked_texts
from croupier.server.http.problems import Problem, clauses_in_words, status_of_refusal
from croupier.server.pages.looked import PitActSeen
from croupier.server.resources.people_calls import noted_export
from croupier.server.resources.read_calls import pages_of, record_sent
from croupier.server.resources.table_calls import Given, expected_entry, waiting
from croupier.server.service import Service
from croupier.server.views import seen_field, seen_pit_entry, sees_pit
from croupier.table.machine.core import Refusal
from croupier.table.parts.progressive import Progressive
from croupier.table.pit import (
    AdmitTable,
    ChangeElections,
    GiveNotice,
    LinkMeters,
    PitCommand,
    PitPosition,
    PitProposal,
    PitState,
    across_pits,
    pit_acts,
)

MADE_HERE: Final = ("at", "beside", "pit", "rules", "shown", "stream", "submission")
GIVEN: Final = tuple(name for name, command in PIT_COMMANDS.items() if not command.is_of_service)


def _found(call: Call) -> PitDesk | None:
    name = call.request.path_params["pit"]
    if name != call.grant.pit:
        raise Problem("not_found", "there is no such pit, or it is none of yours")
    return call.service.pits.get(name)


def _recorded(call: Call) -> PitDesk:
    found = _found(call)
    if found is None:
        raise Problem("not_found", "this pit has no record yet: it begins with a table or a notice")
    return found


async def pits(call: Call) -> Response:
    """Return the pits that the caller's grant covers."""
    return json_answer({"pits": [{"pit": call.grant.pit}]})


async def pit(call: Call) -> Response:
    """Return a pit's tables, with its decisions for its staff."""
    found = _found(call)
    tables = tables_of_pit(call)
    data: dict[str, Any] = {
        "pit": call.grant.pit,
        "tables": [
            {
                "table": table,
                "seq": one.desk.durable.sequence,
                "phase": one.desk.durable.state.phase.name,
                "phase_words": one.desk.durable.state.phase.value,
                "rounds": one.desk.durable.state.rounds,
                "consents": len(waiting(call, one)),
                "admitted": tables[table],
            }
            for table, one in call.service.tables_of(call.grant).items()
        ],
    }
    if found is not None:
        data["links"] = [
            {"link": link, "wager": one.wager, "tables": one.tables, "meters": one.shown}
            for link, one in found.durable.state.links.items()
        ]
    headers = {}
    if found is not None and sees_pit(call.viewer):
        headers["ETag"] = f'"{found.durable.sequence}"'
        data |= decided(found)
    return json_answer(data, headers=headers)


def decided(found: PitDesk) -> dict[str, Any]:
    """Notices of a pit, tables of other games, and open orders."""
    state = found.durable.state
    return {
        "stream": found.stream,
        "seq": found.durable.sequence,
        "notices": [asdict(notice) for notice in state.notices],
        "others": [
            {"table": table.id, "game": table.game, "elections": table.elections}
            for table in state.tables.values()
            if table.rules is None
        ],
        "waiting": [
            {"table": name, "entry": order.sequence, "command": type(order.command).__name__}
            for name in state.tables
            for order in found.waiting(name)
        ],
    }


# --- commands ---


async def pit_command(call: Call) -> Response:
    """Execute a pit command and its possible orders."""
    call.allow(Role.LICENSEE)
    key = checked_key(call.headers.get("idempotency-key"))
    call.media_type(JSON)
    body = await call.body()
    data = parsed(body, call.front.limits.json_depth)
    given = Given(key, sha256(body).digest(), expected_entry(call))
    return recorded_answer(call, await done_at_pit(call, data, given))


async def done_at_pit(call: Call, data: object, given: Given) -> RecordedAnswer:
    grant = call.allow(Role.LICENSEE)
    _found(call)
    if not isinstance(data, dict) or data.get("type") not in GIVEN:
        names = ", ".join(GIVEN)
        raise Problem("malformed", f"a command of a pit is an object whose type is one of {names}")
    checked_texts(data)
    call.noted["command"] = str(data["type"])
    call.check_open()
    found = await call.service.pit(grant.pit)
    make = partial(_command_of, call.service, found, data)
    parts = partial(_parts_by_pit, call, found, data)
    request = PitRequest(
        grant.id, given.key, given.digest, make, (grant.actor,), given.expected, parts
    )
    return await found.ask(request, partial(_response, call, found))


def _pits_of(call: Call) -> Mapping[str, PitDesk]:
    found = {
        grant.pit
        for grant in call.service.grants.standing(call.service.now())
        if grant.person == call.grant.person and grant.office == Role.LICENSEE and not grant.tables
    }
    return {name: pit for name, pit in call.service.pits.items() if name in found}


def _parts_by_pit(
    call: Call, found: PitDesk, data: Mapping[str, Any], command: PitCommand
) -> Mapping[PitDesk, PitCommand]:
    desks = {found.pit: found, **_pits_of(call)}
    if isinstance(command, GiveNotice):
        names = data.get("pits", [])
        if strange := [one for one in names if one not in desks]:
            message = f"you do not hold the licensee's office in pit {', '.join(map(str, strange))}"
            raise Problem("not_allowed", message)
        return {found: command, **{desks[one]: command for one in names}}
    if not isinstance(command, ChangeElections):
        return {}
    states = {name: desk.ahead.state for name, desk in call.service.pits.items()}
    parts = across_pits(states, command, found.pit)
    if strange := [part for part in parts if part not in desks]:
        message = f"you do not hold the licensee's office in pit {', '.join(strange)}"
        raise Problem("not_allowed", message)
    return {desks[name]: part for name, part in parts.items()} if found.pit in parts else {}


def tables_of_pit(call: Call) -> dict[str, bool]:
    found = _found(call)
    tables = {} if found is None else found.durable.state.tables
    return {name: name in tables for name in call.service.tables_of(call.grant)}


def asked_of_pit(call: Call) -> list[PitActSeen]:
    found = _found(call)
    if call.grant.office != Role.LICENSEE:
        return []
    state = PitState() if found is None else found.durable.state
    elsewhere = {
        name: tuple(pit.durable.state.tables)
        for name, pit in _pits_of(call).items()
        if pit is not found
    }
    unadmitted = [name for name, admitted in tables_of_pit(call).items() if not admitted]
    return [
        PitActSeen(act.command.__name__, act.words, [*map(seen_field, act.fields)])
        for act in pit_acts(state, unadmitted, elsewhere)
    ]


def _command_of(
    service: Service, found: PitDesk, data: Mapping[str, Any], _: PitPosition, at: datetime
) -> PitCommand:
    kind = PIT_COMMANDS[data["type"]]
    gives = set(MADE_HERE) - ({"at"} if data["type"] == "GiveNotice" else set())
    if stated := sorted(gives & data.keys()):
        raise Problem("malformed", f"{', '.join(stated)}: the service fills this in: leave it out")
    fields = kind.__struct_fields__
    facts = {"at": at, "beside": service.beside(found.pit), "pit": found.pit}
    if kind is LinkMeters:
        facts["shown"] = _meters_at(found, data)
    full = {**{name: item for name, item in facts.items() if name in fields}, **data}
    if kind is GiveNotice and "pits" in full:
        pits = full.pop("pits")
        if not (isinstance(pits, list) and all(isinstance(one, str) for one in pits)):
            raise Problem("malformed", "pits is a list of names of pits")
    try:
        if kind is AdmitTable:
            return _admission(found, full)
        return decode_pit_command(full)
    except CodecError as error:
        raise Problem("malformed", str(error)) from error


def _meters_at(found: PitDesk, data: Mapping[str, Any]) -> Mapping[str, Mapping[str, int]]:
    meters = {}
    tables, wager = data.get("tables"), data.get("wager")
    for name in tables if isinstance(tables, list) else ():
        if isinstance(name, str) and (desk := found.desks.get(name)) is not None:
            desk.check_owned()
            stored = desk.ahead.state[Progressive].meters
            linkable = desk.ahead.rules.linkable(str(wager))
            meters[name] = {meter: stored[meter] for meter in linkable}
    return meters


def _admission(found: PitDesk, data: Mapping[str, Any]) -> AdmitTable:
    if unknown := sorted(data.keys() - {"type", "table", "at", "beside", "notified"}):
        raise CodecError(f"AdmitTable: unknown field {', '.join(unknown)}")
    table = found.desks.get(str(data.get("table")))
    if table is None:
        message = f"there is no table {data.get('table')} in pit {found.pit}: make it first"
        raise Problem("not_found", message)
    table.check_owned()
    try:
        notified = msgspec.convert(data.get("notified"), datetime | None)
    except msgspec.ValidationError as error:
        raise CodecError(f"AdmitTable: notified: {error}") from error
    return AdmitTable(
        table.name, table.ahead.rules, data["at"], notified, table.stream, data["beside"]
    )


def _response(
    call: Call, found: PitDesk, outcome: OutcomeOf[PitPosition, PitProposal]
) -> tuple[int, bytes]:
    refusal = outcome.refusal
    if refusal is None:
        entries = [seen_pit_entry(call.viewer, entry) for entry in outcome.entries]
        return 200, msgspec.json.encode({"seq": outcome.position.sequence, "entries": entries})
    call.count_refusal(refusal.code)
    problem = Problem(
        refusal.code,
        refusal.message,
        status=None if refusal.code == "stale" else status_of_refusal(refusal),
        clauses=_clauses_of(found, outcome, refusal),
        seq=outcome.position.sequence,
    )
    return problem.status, msgspec.json.encode(problem.body)


def _clauses_of(
    found: PitDesk, outcome: OutcomeOf[PitPosition, PitProposal], refusal: Refusal
) -> list[dict[str, str]]:
    laws: list[Instrument] = [desk.ahead.rules.law for desk in found.desks.values()]
    if isinstance(outcome.refused, AdmitTable):
        laws.append(outcome.refused.rules.law)
    sentences = []
    for clause in refusal.clauses:
        law = next((text for text in laws if clause in text.clauses), laws[0])
        sentences += clauses_in_words(law, (clause,))
    return sentences


# --- the record ---


async def pit_log(call: Call) -> Response:
    """Return a pit's record as stored."""
    found = _recorded(call)
    call.allow(*with_access(Access.RECORD))
    last_entry = found.durable.sequence
    await noted_export(call, "record of the pit", last=last_entry)
    return record_sent(call, found.name, last_entry, "pit.jsonl")


async def verify_pit(call: Call) -> Response:
    """Verify a pit's record, and its tables' records against it."""
    found = _recorded(call)
    call.allow(*POSTED)
    service = call.service
    tables = [
        (day.record, desk.days.last_line(number, desk.durable.sequence))
        for desk in found.desks.values()
        for number, day in enumerate(desk.days.all, start=1)
    ]
    places = [(found.name, found.durable.sequence), *tables]
    verdict = await call.asked(
        service.verifier, pit_verdict, found.name, [name for name, _ in tables],
        records=[pages_of(service, name, last) for name, last in places],
    )  # fmt: skip
    return json_answer(verdict)
