"""Assembly of a page's data for one viewer."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import ceil
from typing import Any, Final
from weakref import WeakKeyDictionary

from msgspec.structs import asdict

from croupier import acts
from croupier.acts.roles import OTHER_SIDE, POSTED, Access, Role, Side, has_access
from croupier.baccarat.coup import Hand, facts_of, point_count
from croupier.law.resolve import texts_of
from croupier.records.carried import under_way
from croupier.records.roads import RoadBuilder, road_data
from croupier.records.view.documents import ActSeen, ChoiceSeen, EntrySeen, FieldSeen
from croupier.records.view.projection import projection
from croupier.records.view.seen import due_answer, foreseen
from croupier.reports.screen import OfficeView, no_hand, screen
from croupier.reports.words import office_words
from croupier.server.http.calls import Call, form_token
from croupier.server.http.problems import Problem, clauses_in_words
from croupier.server.http.queries import DAY, REFUSALS, SIDE, SIDE_COOKIE
from croupier.server.looking_back import alarm_of, books_of, watched
from croupier.server.pages.looked import DaySeen, LastSeen, Looked, Session
from croupier.server.resources.day_calls import ENDS_DAYS, SEES_DAYS, days_of
from croupier.server.resources.read_calls import SEES_ODDS, board_of, day_asked, odds_at
from croupier.server.resources.table_calls import acts_that_wait, goes_on
from croupier.server.rounds import LastRound, RoundIndex
from croupier.server.service import Table
from croupier.server.views import SEEN, Viewer, play_waits, seen_acts
from croupier.table.machine.position import Position, Proposal
from croupier.table.machine.state import Phase, TableState
from croupier.table.people.offices import is_on_duty
from croupier.table.settling.awards import HandPays

_NO_QUERY: Final = frozenset({SIDE.name, "have"})
"""Parameters that do not affect the content of a page."""

_RECENT: Final = 15


class _Lately:
    """The last entries of a table, and those that settled its last round."""

    def __init__(self) -> None:
        self.entries: Final[deque[Proposal]] = deque(maxlen=_RECENT)
        self.settled: Final[list[Proposal]] = []
        self._is_cleared = True

    def hear(self, entries: Iterable[Proposal]) -> None:
        for one in entries:
            self.entries.append(one)
            is_void = any(
                type(event) is acts.RoundVoided and not event.simulated for event in one.events
            )
            if is_void or isinstance(one.command, acts.SettleWagers | acts.SettleHouseMoney):
                if self._is_cleared:
                    self.settled.clear()
                self.settled.append(one)
                self._is_cleared = False
            elif isinstance(one.command, acts.EndProgressiveRound | acts.PayByHand):
                self.settled.append(one)
            self._is_cleared |= is_void or isinstance(one.command, acts.ClearLayout)


_LATELY: Final[WeakKeyDictionary[Table, _Lately]] = WeakKeyDictionary()
Roads = tuple[Mapping[str, Any], dict[str, dict[str, str | None]]]
"""The roads of a shoe, and the marks of a next win."""
_ROADS: Final[WeakKeyDictionary[Table, tuple[tuple[int, int, int, int], Roads]]] = (
    WeakKeyDictionary()
)


def session_of(call: Call) -> Session:
    grant = call.grant
    form = form_token(call.token())
    return Session(
        grant.person, grant.office, grant.seat, grant.pit, form, secrets.token_urlsafe(9)
    )


def side_of(call: Call) -> Side | None:
    """Side of the table that the caller chose, now or before. Raises ``Problem``."""
    parameter, cookie = call.stated(SIDE), call.request.cookies.get(SIDE_COOKIE)
    if parameter is not None and parameter not in SIDE.choices:
        raise Problem("malformed", f"{SIDE.name}: write {' or '.join(SIDE.choices)}")
    return next((side for side in OTHER_SIDE if side == (parameter or cookie)), None)


async def looked(
    call: Call, table: Table, at: int | None = None, session: Session | None = None
) -> Looked:
    """Table as the caller sees it, now or after an earlier entry."""
    viewer = call.viewer
    board = await board_of(call, table)
    lately = await _lately(table, board)
    recent: Sequence[Proposal] = [*lately.entries]
    now = position = call.service.shown(table)
    last = position.sequence
    if at is not None and 1 <= at < last:
        recent = await table.past.entries(max(1, at - _RECENT + 1), at)
        position = recent[-1].after
    is_now = position.sequence == last
    own_acts = seen_acts(viewer, now, call.grant.actor, call.service.today)
    offered = [*_suggesting(call, own_acts)] if is_now else []
    notes = any(act["command"] == "WriteNote" and act["gives"] for act in own_acts)
    answer = due_answer(position) if is_now else None
    due = foreseen(viewer, answer)
    entries, settlement = (
        [SEEN.of(viewer, one) for one in found if one.after.sequence <= position.sequence]
        for found in (recent, lately.settled)
    )
    road, next_marks = await _roads(call, table, position)
    cleared = board.all[-1].time if is_now and board.all else ""
    watches = has_access(viewer.office, Access.WATCH)
    ends_days = viewer.office in ENDS_DAYS or _is_amended(viewer, table)
    limit = call.number(REFUSALS, 20) if watches else 0
    seen, query = projection(position, viewer), call.request.query_params
    view = OfficeView(
        viewer.office, seen, offered, road, due, acts_that_wait(call, table),
        None if due is None else goes_on(call, table, answer),
        is_on_duty(now.state, call.grant.actor), entries, side_of(call),
        play_waits(viewer, position, call.service.today),
    )  # fmt: skip
    return Looked(
        session=session or session_of(call),
        name=table.desk.name,
        screen=screen(view),
        seen=seen,
        amounts=[rule.id for rule in position.rules.law.elections if rule.is_amount],
        owes=position.rules.vigorish.deferred or any(seat["owed_cents"] for seat in seen["seats"]),
        says=_clause_texts(position, offered, entries),
        roads=road,
        asks=next_marks,
        recent=entries,
        settled=[event for one in settlement for event in one["events"]],
        cards=table.opened.cards,
        refusals=_refusals(call, table, limit),
        odds=await _odds(call, position),
        at=None if is_now else position.sequence,
        last=last,
        watched=await watched(call, table, position) if watches else None,
        alarm=alarm_of(table, position) if has_access(viewer.office, Access.VERDICT) else None,
        books=await _books(call, table) if has_access(viewer.office, Access.BOOKS) else None,
        pace=board.pace,
        irregular=[one for one in board.irregular if one <= position.sequence],
        notes=notes,
        # Exports are noted in the record, so they are possible only while it is open.
        exports=watches and (notes or table.desk.finished),
        days=[
            DaySeen(day["day"], day["first"], day["last"], day["ended"])
            for day in (days_of(table) if viewer.office in SEES_DAYS else ())
        ],
        day=day_shown(call, table),
        day_goes_on=under_way(now) if ends_days else None,
        last_round=_last_round(board.last_round),
        void=board.void,
        seconds_left=_seconds_left(call, position, cleared),
        due_by_hand=_due_by_hand(viewer, position.state),
        asked={name: value for name, value in query.items() if name not in _NO_QUERY},
    )


def _due_by_hand(viewer: Viewer, state: TableState) -> int:
    """Return the awards due to the patron who looks, in cents."""
    patron, due = state.seats.get(viewer.seat or 0), state[HandPays].due.values()
    return sum(one.cents for one in due if patron is not None and one.patron == patron.name)


def _seconds_left(call: Call, position: Position, cleared: str) -> int | None:
    seconds, state = call.front.limits.wager_seconds, position.state
    if not seconds or not cleared or state.phase is not Phase.BETTING or position.house.pause:
        return None
    passed = call.service.now() / 1000 - datetime.fromisoformat(cleared).timestamp()
    return min(seconds, max(0, ceil(seconds - passed)))


def _suggesting(call: Call, acts: Iterable[ActSeen]) -> Iterator[ActSeen]:
    if not has_access(call.grant.office, Access.PEOPLE):
        yield from acts
        return
    found = call.service.grants.standing(call.service.now())
    staff = {(day.person, day.office) for day in found if day.pit == call.grant.pit}
    for act in acts:
        if any(field["kind"] == "person" for field in act["fields"]):
            yield {**act, "fields": [_suggested(field, staff) for field in act["fields"]]}
        else:
            yield act


def _suggested(field: FieldSeen, staff: Iterable[tuple[str, str]]) -> FieldSeen:
    if field["kind"] != "person":
        return field
    old, post = {choice["value"] for choice in field["choices"]}, field["name"].replace("_", " ")
    offices = {post} if post in POSTED else {*POSTED}
    choices: list[ChoiceSeen] = [
        {"value": person, "label": office_words(office)}
        for person, office in sorted(staff)
        if person not in old and office in offices
    ]
    return {**field, "choices": [*field["choices"], *choices]}


def _last_round(found: LastRound | None) -> LastSeen | None:
    if found is None:
        return None
    facts = facts_of(found.player, found.banker)
    return {
        "number": found.number,
        "winner": "tie" if facts.winner is None else facts.winner.value,
        "hands": [
            {
                **no_hand(hand.value),
                "cards": [card.notation for card in cards],
                "count": point_count(cards),
            }
            for hand, cards in zip(Hand, (found.player, found.banker), strict=True)
        ],
    }


def _is_amended(viewer: Viewer, table: Table) -> bool:
    law = table.desk.durable.rules.law
    # This process may lack the law file of a record.
    return viewer.office == Role.LICENSEE and any(
        text.in_force_from > law.in_force_from for text in texts_of(law.id)
    )


def day_shown(call: Call, table: Table) -> int:
    """Return the requested gaming day that the caller may see, or 0."""
    is_asked = call.stated(DAY) is not None and call.grant.office in SEES_DAYS
    return day_asked(call, table) if is_asked else 0


async def _lately(table: Table, board: RoundIndex) -> _Lately:
    found = _LATELY.get(table)
    if found is None:
        last = table.desk.durable.sequence
        first = min(last - _RECENT + 1, board.all[-1].first if board.all else last)
        entries = await table.past.entries(max(1, first), last) if last else []
        found = _LATELY.get(table)
        if found is None:
            found = _LATELY[table] = _Lately()
            found.hear(entries)
            table.desk.listeners.append(found.hear)
            if table.desk.durable.sequence > last:
                found.hear(await table.past.entries(last + 1, table.desk.durable.sequence))
    return found


def _clause_texts(
    position: Position, acts: Iterable[ActSeen], entries: Iterable[EntrySeen]
) -> dict[str, str]:
    cites = [*(one for act in acts for one in act["clauses"])]
    cites += [one for entry in entries for line in entry["narration"] for one in line["clauses"]]
    clauses = clauses_in_words(position.rules.law, dict.fromkeys(cites))
    return {one["id"]: one["says"] for one in clauses}


async def _books(call: Call, table: Table) -> dict[str, Any]:
    books = await books_of(call, table)
    day, days = day_shown(call, table), table.desk.days
    first = days.all[day - 1].before + 1 if day else 1
    span = range(first, (days.last(day, books.sequence) if day else books.sequence) + 1)

    def of_span(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return [one for one in found if one["seq"] in span]

    return {
        "days": [
            asdict(day_accounts)
            | {"shoes": [asdict(shoe) for shoe in day_accounts.shoes]}
            | {"hold": day_accounts.hold, "reconciles": day_accounts.reconciles}
            for day_accounts in reversed(books.days(span))
        ],
        "slips": of_span(reversed(books.slips.values())),
        "boxes": of_span(books.boxes.values()),
        "counts": of_span(reversed(books.counts)),
        "compared": of_span(reversed(books.compared)),
    }


async def _roads(call: Call, table: Table, position: Position) -> Roads:
    board = await board_of(call, table)
    now = table.desk.durable.state
    shoes = now.shoe.number, position.state.shoe.number
    key = len(board.results), position.state.rounds, *shoes
    if (entry := _ROADS.get(table)) is not None and entry[0] == key:
        return entry[1]
    keeper = RoadBuilder()
    if now.shoe.number == position.state.shoe.number:
        last_round = position.state.rounds
        for result in board.results:
            if result.round is None or result.round <= last_round:
                keeper.add(result)
    next_marks = {
        road: {str(hand.value): None if mark is None else mark.value for hand, mark in one.items()}
        for road, one in keeper.next_marks().items()
    }
    _ROADS[table] = key, (road_data(keeper.roads), next_marks)
    return _ROADS[table][1]


def _refusals(call: Call, table: Table, most: int) -> list[dict[str, Any]]:
    if not most:
        return []
    found = []
    for refusal in call.service.store.refused(table.desk.record, most):
        row = refusal._asdict()
        grant = call.service.grants.get(row["grant"])
        person = "" if grant is None else f"{grant.person} ({grant.office})"
        found.append({**row, "by": person})
    return found


async def _odds(call: Call, position: Position) -> Mapping[str, Any] | None:
    if "odds" not in call.request.query_params:
        return None
    call.allow(*SEES_ODDS)
    try:
        return await odds_at(call, position)
    except Problem as problem:
        return {"none": str(problem)}
