"""History views for surveillance, the floor, and accounting."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from croupier.records.reader import ReplayedEntry, ReplayedRound
from croupier.reports.figures import MissingExtraError
from croupier.reports.words import said_of_hidden, typed
from croupier.server.expensive import round_pdf
from croupier.server.http.calls import Call
from croupier.server.http.problems import Problem
from croupier.server.http.queries import UNTIL
from croupier.server.pages.looked import Watched
from croupier.server.resources.read_calls import board_of, follow, open_point
from croupier.server.rounds import Books, RoundIndex, RoundPlace
from croupier.server.service import Table
from croupier.server.views import Viewer, is_open, seen_entry
from croupier.table.machine.position import Position, Proposal
from croupier.verify.round_report import report_of

if TYPE_CHECKING:
    from croupier.records.view.documents import EntrySeen
    from croupier.verify.round_documents import RoundReport

_PAGE: Final = 500
_SEARCHED: Final = 3_000
_EXPORTED: Final = 5_000
_LONGEST: Final = 100
_SHOWN: Final = 50


def alarm_of(table: Table, position: Position) -> dict[str, Any]:
    """Progress of verification; its first difference unless a card is face down."""
    alarm = table.alarm
    found = alarm.divergence
    if found is None:
        return {"through": alarm.through, "entry": None}
    return {
        "through": alarm.through,
        "entry": alarm.entry,
        "kind": found.kind,
        "message": found.message if is_open(position) else "",
        "clauses": [*found.clauses],
    }


async def books_of(call: Call, table: Table) -> Books:
    await follow(call, table, table.books, aside=True)
    return table.books


async def watched(call: Call, table: Table, position: Position) -> Watched:
    at = position.sequence
    board = await board_of(call, table)
    laid = board.laid
    before, after = laid[: bisect_left(laid, at)], laid[bisect_right(laid, at) :]
    sought = None
    query = {
        name: call.request.query_params.get(name, "").strip()[:_LONGEST]
        for name in ("q", "office", "seat", "kind", "amount")
    }
    if any(query.values()):
        last_entry = call.number(UNTIL, table.desk.durable.sequence)
        begin = min(last_entry, table.desk.durable.sequence)
        found, end = await found_in(table, call.viewer, query, begin)
        sought = {**query, "entries": found, "read": end}
    begun = board.all[: bisect_right(board.all, at, key=attrgetter("first"))]
    report = (
        {**await round_report(table, board, begun[-1]), "last": begun[-1].last} if begun else None
    )
    return Watched(report, before[-1] if before else None, after[0] if after else None, sought)


async def report_of_round(call: Call, table: Table, last: int) -> bytes:
    """Return a round's PDF report by its last entry. Raises ``Problem``."""
    board = await board_of(call, table)
    place = next((one for one in board.all if one.last == last), None)
    if place is None:
        raise Problem("not_found", f"no round ends with entry {last}")
    report = await round_report(table, board, place)
    try:
        return await call.asked(call.service.verifier, round_pdf, report)
    except MissingExtraError as error:
        raise Problem("no_pdf", str(error)) from error


async def excerpt(call: Call, table: Table, first: int, last: int) -> bytes:
    """Header and some entries as stored. Raises ``Problem`` while a card is face down."""
    open_entry, days = await open_point(call, table), table.desk.days
    if not 1 <= first <= last <= open_entry:
        raise Problem(
            "malformed", f"entries {first} to {last}: there are entries 1 to {open_entry} to export"
        )
    if last - first >= _EXPORTED:
        raise Problem(
            "malformed", f"an excerpt has at most {_EXPORTED:,} entries: export the log instead"
        )
    day = days.of(first)
    if last > days.last(day, open_entry):
        message = (
            f"entry {first} is of another gaming day than entry {last}: export one day at a time"
        )
        raise Problem("malformed", message)
    header = await call.service.lines(days.all[day - 1].record, 0, 0)
    return b"".join([*header, *await call.service.entries(table, first, last)])


_REPORTS: Final[WeakKeyDictionary[Table, OrderedDict[Any, RoundReport]]] = WeakKeyDictionary()
_REPORTED: Final = 32
"""Reports cached per table, by last entry and by how many disputes and corrections followed."""


async def round_report(table: Table, board: RoundIndex, place: RoundPlace) -> RoundReport:
    reports = _REPORTS.setdefault(table, OrderedDict())
    later = board.later.get(place.last, [])
    # Each opening of a table has a round 1.
    is_one = sum(one.number == place.number for one in board.all) == 1
    chosen = f"--round {place.number}" if is_one else f"--time {place.time}"
    key = place.last, len(later), is_one
    if key not in reports:
        asides = {at for of_round in board.later.values() for at in of_round}
        entries = [
            entry
            for entry in await table.past.entries(place.first, place.last)
            if entry.after.sequence not in asides
        ]
        later_entries = [entry for at in later for entry in await table.past.entries(at, at)]
        reports[key] = await asyncio.to_thread(
            _report, table.desk.name, place.number, chosen, entries, later_entries
        )
        if len(reports) > _REPORTED:
            reports.popitem(last=False)
    return reports[key]


def _report(
    name: str, number: int, chosen: str, entries: list[Proposal], later: list[Proposal]
) -> RoundReport:
    log = Path(f"{name}.jsonl")
    round_ = ReplayedRound(number, tuple(map(_replayed, entries)), tuple(map(_replayed, later)))
    return report_of(log, round_, f"croupier explain {log} {chosen}")


def _replayed(entry: Proposal) -> ReplayedEntry:
    at = entry.after.at
    time = "" if at is None else at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    sequence, by = entry.after.sequence, entry.stamp.by
    return ReplayedEntry(sequence, time, by, entry.events, entry.before, entry.after)


async def found_in(
    table: Table, viewer: Viewer, query: Mapping[str, str], before: int
) -> tuple[list[EntrySeen], int]:
    """Return matching entries before one, newest first, and the search's end."""
    found: list[EntrySeen] = []
    last, oldest = before, max(1, before - _SEARCHED + 1)
    while last >= oldest and len(found) < _SHOWN:
        first = max(oldest, last - _PAGE + 1)
        entries = await table.past.entries(first, last)
        found += await asyncio.to_thread(_fitting, entries, viewer, query)
        last = first - 1
    if len(found) > _SHOWN:
        return found[:_SHOWN], found[_SHOWN - 1]["seq"]
    return found, last + 1


def _fitting(entries: list[Proposal], viewer: Viewer, query: Mapping[str, str]) -> list[EntrySeen]:
    entries_seen = (seen_entry(viewer, entry) for entry in reversed(entries))
    return [entry for entry in entries_seen if _fits(entry, query)]


def _fits(entry: EntrySeen, query: Mapping[str, str]) -> bool:
    values = [*_named(entry["command"]), *_named(entry["events"])]
    minimum = typed(query["amount"]) if query["amount"] else 0
    return (
        query["q"].casefold() in _all_words(entry)
        and (not query["office"] or any(
            actor["office"] == query["office"] for actor in entry["by"] or ()))
        and (not query["seat"] or any(
            name == "seat" and f"{value}" == query["seat"] for name, value in values))
        and (not query["kind"] or any(line["kind"] == query["kind"] for line in entry["narration"]))
        and (not minimum or any(
            name.endswith("cents") and isinstance(value, int) and value >= minimum
            for name, value in values))
    )  # fmt: skip


def _named(data: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield name, value
            yield from _named(value)
    elif isinstance(data, list | tuple):
        for item in data:
            yield from _named(item)


def _all_words(entry: EntrySeen) -> str:
    words = [entry["command"]["type"], entry["at"] or ""]
    words += [f"{actor['person']} ({actor['office']})" for actor in entry["by"] or ()]
    for line in entry["narration"]:
        words += [line["text"], *line["details"], *line["clauses"]]
    return said_of_hidden("\n".join(words)).casefold()
