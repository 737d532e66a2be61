"""API call for a table's whole view at one entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from croupier.records.roads import road_data, roads_of
from croupier.records.view.seen import due_answer, foreseen
from croupier.server.http.calls import Call, json_answer
from croupier.server.http.problems import Problem, clauses_in_words
from croupier.server.resources.read_calls import board_of
from croupier.server.resources.table_calls import acts_that_wait, goes_on
from croupier.server.service import Table
from croupier.server.views import play_waits, seen_acts, seen_position
from croupier.table.people.offices import is_on_duty


async def look(call: Call) -> Response:
    """Return a table's view, acts, due result, consents, and roads."""
    table = call.table()
    board = await board_of(call, table)
    position = call.service.shown(table)
    seen = seen_position(call.viewer, position)
    acts = seen_acts(call.viewer, position, call.grant.actor)
    answer = due_answer(position)
    due = foreseen(call.viewer, answer)
    # What waits unseen shows only in the acts of the person who would go on.
    goes = due is not None and any(act["must"] and act["gives"] for act in acts)
    next_act = goes_on(call, table, answer) if goes else None
    prompt = seen["prompt"]
    clauses = [clause for act in acts for clause in act["clauses"]]
    clauses += prompt["clauses"] if prompt else []
    clauses += [clause for line in (due["narration"] if due else ()) for clause in line["clauses"]]
    document: dict[str, Any] = {
        "seq": position.sequence,
        "table": table.desk.name,
        "cards": table.opened.cards,
        "seen": seen,
        "acts": acts,
        "due": due,
        "then": next_act,
        "on_duty": is_on_duty(position.state, call.grant.actor),
        "waits": play_waits(call.viewer, position),
        "roads": road_data(roads_of(board.results)),
        "consents": _waiting(call, table),
        "clauses": clauses_in_words(position.rules.law, dict.fromkeys(clauses)),
    }
    return json_answer(document, headers={"ETag": f'"{position.sequence}"'})


def _waiting(call: Call, table: Table) -> list[Mapping[str, Any]]:
    try:
        return [*acts_that_wait(call, table)]
    except Problem as problem:
        if problem.body["code"] == "not_owner":
            return []
        raise
