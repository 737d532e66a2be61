"""Cards from a reader at the shoe, one line per card and response.

``KEY CARD`` reports a drawn card. The response is ``ok KEY ENTRY due``, ``ok KEY ENTRY locked``, or
``no KEY CODE WORDS``. A card that is not due locks the reader until a person enters its
disposition.
"""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from typing import Final

from starlette.responses import Response

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.scenarios.plainest import drawn_unseen
from croupier.server.desks.desk import Desk, TableOutcome, TableRequest, dealing_actor
from croupier.server.desks.recorded import Responder
from croupier.server.http.calls import Call
from croupier.server.http.names import checked_key
from croupier.server.http.problems import Problem
from croupier.server.service import Table
from croupier.table.house.pausing import card_is_due
from croupier.table.machine.position import Actor, Position

_LINE: Final = re.compile(r"([A-Za-z0-9_-]{1,60}) ([2-9AJKQT][cdhs])")
_MOST: Final = 64
_OVERDRAW: Final = "overdraw a card came that was not due: say at the table what it was"
_TEXT: Final = "text/plain"


async def read(call: Call) -> Response:
    """Process a reader's lines up to the first refusal."""
    table = call.table()
    grant = call.allow(Role.MACHINE)
    if table.opened.cards != "reader":
        raise Problem("not_allowed", "the cards of this table do not come from a reader")
    call.media_type(_TEXT)
    lines = (await call.body()).decode("ascii", "replace").split("\n")
    lines = [line.strip() for line in lines if line.strip()]
    if not 1 <= len(lines) <= _MOST:
        raise Problem("malformed", f"send 1 to {_MOST} lines, each KEY CARD")
    answers = []
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is None:
            answers.append(f"no {line.split(' ')[0][:60]} malformed write KEY CARD, such as 17 9h")
        else:
            answers.append(await _card(table, grant.id, found[1], found[2]))
        if answers[-1].startswith("no"):
            call.noted.update(event="refusal", code=answers[-1].split(" ")[2])
            break
    return Response("\n".join(answers) + "\n", media_type=_TEXT)


async def _card(table: Table, grant: str, key: str, text: str) -> str:
    desk = table.desk
    stored = await desk.kept_answer(grant, key)
    digest = sha256(text.encode()).digest()
    if stored is None:
        if desk.ahead.house.reader_locked:
            return f"no {key} {_OVERDRAW}"
        if not card_is_due(desk.ahead):
            return await _locked(desk, grant, key, text)

    def command(position: Position) -> acts.Command:
        unseen = drawn_unseen(position.state, position.rules)
        return acts.DrawCard(None if unseen else Card.of(text))

    device = f"reader:{grant}"
    request = TableRequest(grant, key, digest, [command], lambda _, at: dealing_actor(at, device))
    return await _reply(desk, request, lambda outcome: _card_response(key, outcome))


async def _locked(desk: Desk, grant: str, key: str, text: str) -> str:
    by = (Actor("card reader", Role.MACHINE, f"reader:{grant}"),)
    command = acts.ReportOverdraw(Card.of(text))
    request = TableRequest(grant, key, sha256(text.encode()).digest(), [command], lambda _, __: by)
    return await _reply(desk, request, lambda _: (409, f"no {key} {_OVERDRAW}".encode()))


async def _reply(desk: Desk, request: TableRequest, respond: Responder) -> str:
    try:
        return (await desk.ask(request, respond)).body.decode()
    except Problem as problem:
        return f"no {request.key} {problem.code} {problem.body['detail']}"


def _card_response(key: str, outcome: TableOutcome) -> tuple[int, bytes]:
    if outcome.refusal is not None:
        return 409, f"no {key} {outcome.refusal.code} {outcome.refusal.message}".encode()
    due = "due" if card_is_due(outcome.position) else "locked"
    return 200, f"ok {key} {outcome.position.sequence} {due}".encode()


async def unlock(call: Call) -> Response:
    """Unlock the reader."""
    table = call.table()
    grant = call.allow(Role.DEALER, Role.FLOORPERSON)
    key = call.headers.get("idempotency-key")
    key = secrets.token_urlsafe(12) if key is None else checked_key(key)
    request = TableRequest(
        grant.id, key, b"unlock", [acts.UnlockReader()], lambda _, __: (grant.actor,)
    )
    answer = await table.desk.ask(request, _unlock_response)
    if answer.status != 204:
        raise Problem(answer.body.decode(), "the card reader cannot be unlocked now", status=409)
    return Response(status_code=204)


def _unlock_response(outcome: TableOutcome) -> tuple[int, bytes]:
    refusal = outcome.refusal
    if refusal is None or refusal.code == "not_locked":
        return 204, b""
    return 409, refusal.code.encode()
