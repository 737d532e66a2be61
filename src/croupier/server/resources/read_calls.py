"""Read-only API calls: record, rounds, roads, money, odds, and service state."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any, Final

from starlette.responses import Response, StreamingResponse

from croupier.acts.roles import POSTED, Access, Role, with_access
from croupier.files.version import program_version
from croupier.law.sight import Sight
from croupier.law.usage import named
from croupier.odds.knowledge import known_at
from croupier.odds.shoe import ShoeError
from croupier.records.entry import moment
from croupier.records.explanation import explain_wagers, rounds_of
from croupier.records.roads import road_data, roads_of
from croupier.records.view.projection import projection
from croupier.reports.roads import draw_roads
from croupier.server.expensive import record_verdict, round_odds
from croupier.server.http.calls import Call, json_answer
from croupier.server.http.problems import Problem, clauses_in_words
from croupier.server.http.queries import DAY, REFUSED
from croupier.server.resources.people_calls import noted_export
from croupier.server.rounds import Followed, RoundIndex, events_of
from croupier.server.service import Service, Table
from croupier.server.views import is_open, seen_balances, seen_entry
from croupier.table.machine.position import Position, Proposal
from croupier.table.parts.progressive import Progressive

_NDJSON: Final = "application/x-ndjson"
_PAGE: Final = 500
SEES_ODDS: Final = tuple(role for role in Role if Sight.ODDS in role.office.sees)


# --- the record ---


async def follow(call: Call, table: Table, index: Followed, *, aside: bool = False) -> None:
    """Bring an index up to date, in a thread with ``aside``. Raises ``Problem``."""
    if not index.hears:
        index.hears = True
        table.desk.listeners.append(partial(_heard, table, index))
    if index.sequence >= table.desk.durable.sequence:
        return
    async with table.reading:
        while (first_entry := index.sequence + 1) <= table.desk.durable.sequence:
            last_entry = min(first_entry + _PAGE - 1, table.desk.durable.sequence)
            lines = await call.service.entries(table, first_entry, last_entry)
            if aside:
                await asyncio.to_thread(index.follow, first_entry, lines)
            else:
                index.follow(first_entry, lines)
            if index.sequence < last_entry:
                raise Problem("no_store", f"entry {index.sequence + 1} cannot be read")


def _heard(table: Table, follower: Followed, entries: Sequence[Proposal]) -> None:
    if table.reading.locked():
        return
    for entry in entries:
        if entry.after.sequence == follower.sequence + 1 and entry.after.at is not None:
            follower.take(entry.after.sequence, moment(entry.after.at), entry.events)


async def board_of(call: Call, table: Table) -> RoundIndex:
    if table.board is None:
        table.board = RoundIndex(table.desk.rules)
    await follow(call, table, table.board)
    return table.board


async def open_point(call: Call, table: Table) -> int:
    """Last entry without a card face down."""
    if is_open(table.desk.durable):
        return table.desk.durable.sequence
    board = await board_of(call, table)
    return board.all[-1].last if board.all else 0


def day_asked(call: Call, table: Table) -> int:
    days = table.desk.days.all
    day = call.number(DAY, len(days))
    if not 1 <= day <= len(days):
        raise Problem("not_found", f"there are days 1 to {len(days)}, and no day {day}")
    return day


async def log(call: Call) -> Response:
    """Return a day's record as stored, up to the last point with all cards face up."""
    table = call.table()
    call.allow(*with_access(Access.RECORD))
    number, days = day_asked(call, table), table.desk.days
    point, day = await open_point(call, table), days.all[number - 1]
    last = days.last_line(number, point, finished=table.desk.finished)
    await noted_export(call, "record of a day", day.record, last=last)
    name = day.record.replace("/", ".")
    return record_sent(call, day.record, last, f"{name}.jsonl")


def record_sent(call: Call, record: str, last: int, file: str) -> Response:
    """Return a record's durable lines up to ``last`` as a file, in chunks."""

    async def chunks() -> AsyncIterator[bytes]:
        async for lines in pages_of(call.service, record, last):
            yield b"".join(lines)

    headers = {"Content-Disposition": f'attachment; filename="{file}"', "ETag": f'"{last}"'}
    return StreamingResponse(chunks(), headers=headers, media_type=_NDJSON)


async def pages_of(service: Service, name: str, last: int) -> AsyncIterator[list[bytes]]:
    """Yield pages of a record's durable lines up to ``last``."""
    for begin in range(0, last + 1, _PAGE):
        yield await service.lines(name, begin, min(begin + _PAGE - 1, last))


async def verify(call: Call) -> Response:
    """Verify a gaming day's record and the state carried over."""
    table = call.table()
    call.allow(*POSTED)
    service, days, durable = call.service, table.desk.days, table.desk.durable
    number = day_asked(call, table)
    ends = [days.last_line(number, durable.sequence)]
    if number > 1:
        ends.append(service.store.count(days.all[number - 2].record) - 1)
    names = [days.all[number - 1 - back].record for back in range(len(ends))]
    verdict = await call.asked(
        service.verifier, record_verdict, names, number,
        records=[pages_of(service, name, last) for name, last in zip(names, ends, strict=True)],
    )  # fmt: skip
    if not is_open(durable):
        # A difference may name a card that lies face down.
        for found in (verdict["divergence"] or {}, *verdict["differences"]):
            found["message"] = ""
    return json_answer(verdict)


async def one_round(call: Call) -> Response:
    """Return a finished round with reasons for each result."""
    table, number = call.table(), int(call.request.path_params["number"])
    board = await board_of(call, table)
    place = board.ends.get(number)
    if place is None:
        raise Problem("not_found", f"round {number} is not over, or was never dealt")
    lines = await call.service.entries(table, *place)
    logged = next(rounds_of(events_of(lines), table.desk.durable.rules))
    law = logged.rules.law
    places = [place, *((at, at) for at in board.later.get(place[1], ()))]
    entries = [
        seen_entry(call.viewer, entry) for it in places for entry in await table.past.entries(*it)
    ]
    wagers = explain_wagers(logged) if call.viewer.sees(Sight.STAKE) else ()
    data = {
        "round": number,
        "first": place[0],
        "last": place[1],
        "wagers": [
            {
                "kind": wager.kind,
                "text": wager.text,
                "details": [*wager.details],
                "clauses": clauses_in_words(law, wager.clauses),
            }
            for wager in wagers
        ],
        "entries": entries,
    }
    return json_answer(data)


async def roads(call: Call) -> Response:
    """Return the shoe's roads, as data or a drawing."""
    table = call.table()
    board = await board_of(call, table)
    data = road_data(roads_of(board.results))
    if "image/svg+xml" in call.headers.get("accept", ""):
        picture = draw_roads("roads", table.desk.name, data, font="system-ui, sans-serif")
        return Response(picture, media_type="image/svg+xml")
    shoe = table.desk.durable.state.shoe.number
    return json_answer({"shoe": shoe, "rounds": len(board.results), "roads": data})


async def shoes(call: Call) -> Response:
    """Return shoes' commitments, and finished ones' secrets."""
    table = call.table()
    if table.shoes is None:
        raise Problem("no_shoe", "the service does not shuffle for this table")
    position = table.desk.durable
    found = await asyncio.to_thread(table.shoes.shown, position)
    return json_answer({"seq": position.sequence, "shoes": found})


async def refusals(call: Call) -> Response:
    """Return the last refusals at a table, newest first."""
    table = call.table()
    call.allow(*with_access(Access.ACTORS))
    limit = call.number(REFUSED, 100)
    found = await asyncio.to_thread(call.service.store.refused, table.desk.record, limit)
    return json_answer({"refusals": [refusal._asdict() for refusal in found]})


# --- money ---


async def ledger(call: Call) -> Response:
    """Return a table's accounts; the dealer sees only the chip tray."""
    table, office = call.table(), call.grant.office
    position = table.desk.durable
    book = position.ledger
    if office == Role.DEALER:
        return json_answer({"seq": position.sequence, "inventory_cents": book.balance("inventory")})
    if not call.viewer.sees(Sight.HOUSE):
        raise Problem("not_allowed", named(f"the {office} does not see the accounts of a table"))
    await noted_export(call, "ledger", table.desk.name, last=position.sequence)
    data = {
        "seq": position.sequence,
        "balances": seen_balances(call.viewer, book.balances),
        "table_win_cents": book.table_win_cents,
        "in_balance": book.in_balance,
    }
    return json_answer(data)


async def meters(call: Call) -> Response:
    """Return the meters in cents; linked ones from the pit."""
    table = call.table()
    position = call.service.shown(table)
    progressive = position.state[Progressive]
    data = {
        "seq": position.sequence,
        "meters": dict(progressive.meters),
        "linked": dict(progressive.linked),
        "commitment": progressive.commitment,
    }
    return json_answer(data)


async def forms(call: Call) -> Response:
    """Return the series of Complimentary Vigorish Forms."""
    table = call.table()
    call.allow(*POSTED)
    position = table.desk.durable
    table_seen = projection(position, call.viewer)
    return json_answer({"seq": position.sequence, "forms": table_seen["forms"]})


async def odds(call: Call) -> Response:
    """Return every wager's expected value given the open cards."""
    table = call.table()
    call.allow(*SEES_ODDS)
    position = table.desk.durable
    wager_odds = await odds_at(call, position)
    await noted_export(call, "odds", table.desk.name, last=position.sequence)
    return json_answer({"seq": position.sequence, "odds": wager_odds})


async def odds_at(call: Call, position: Position) -> dict[str, Any]:
    """Odds at a position. Raises ``Problem`` if there are none."""
    state, rules = position.state, position.rules
    try:
        found = rules, *known_at(state, rules)
        return {**await call.asked(call.service.calculator, round_odds, *found)}
    except ShoeError as error:
        raise Problem("no_odds", str(error)) from error


# --- the service ---


async def healthz(_: Call) -> Response:
    """Return that the process is alive."""
    return json_answer(liveness())


def liveness() -> dict[str, object]:
    return {"alive": True, "version": program_version()}


async def readyz(call: Call) -> Response:
    """Return whether the service takes requests."""
    return json_answer(*readiness(call.service))


def readiness(service: Service) -> tuple[dict[str, object], int]:
    """Whether a service takes requests, and the status of the answer."""
    document: dict[str, object] = {"ready": service.ready, "tables": len(service.tables)}
    if service.store_fault is not None:
        document["store"] = "lost" if service.lost else "failing"
    if missing := service.without_secret:
        document["without_secret"] = missing
    return document, 200 if service.ready else 503


async def metrics(call: Call) -> Response:
    """Return the metrics of the service for Prometheus."""
    found = call.service.metrics
    return Response(found.text(), headers={"content-type": found.content_type})
