"""Plays a round through a client that openapi-python-client made of the service's description.

The client is the package ``generated`` on the path; the first argument is the service's address,
then come the tokens of the licensee, a floorperson, and a dealer, and a submission as JSON.
"""

# mypy: ignore-errors

import json
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path

from generated import AuthenticatedClient, models
from generated.api.default import command, consent, create, end_day, legal, table
from generated.types import UNSET

PLACE, LICENSEE, FLOOR, DEALER, SUBMISSION = sys.argv[1:]
NAME = "MB-101"
FIELDS = {
    "ReceiveCards": {"decks": 8},
    "VerifyCards": {"accepted": True},
    "CutStack": {"position": 100},
    "AcceptCut": {"seat": 3, "position": 100},
    "InsertCuttingCards": {"from_back": 20},
    "ViewSpread": {"seat": 3},
    "DrawCard": {"card": "next"},
}


def client(token):
    return AuthenticatedClient(PLACE, token, raise_on_unexpected_status=True)


def key():
    return uuid.uuid4().hex


def does(who, name, **fields):
    """Give a command, typed as the description has it."""
    kind = getattr(models, name)
    body = kind.from_dict({"type": name, **fields})
    told = command.sync(NAME, client=who, body=body, idempotency_key=key())
    assert isinstance(told, models.CarriedOutAt), told
    return told


licensee, floor, dealer = map(client, (LICENSEE, FLOOR, DEALER))
body = models.CreateJsonBody.from_dict(json.loads(Path(SUBMISSION).read_text()))
made = create.sync(
    client=licensee,
    body=body,
    cards=models.CreateCards("sealed"),
    notified=datetime(2001, 1, 1, 12, tzinfo=UTC),
)
assert isinstance(made, models.ServedTable), made
assert made.table == NAME

waits = does(floor, "OpenTable", inventory_cents=5_000_000, dealer="Dana", floorperson="Flo",
             gaming_date="2011-02-22")  # fmt: skip
assert waits.consent is not UNSET
agreed = models.ConsentGiven(consent=True)
consent.sync(NAME, waits.consent.id, client=dealer, body=agreed, idempotency_key=key())
does(dealer, "SeatPatron", seat=3, patron="Pat")
does(dealer, "BuyChips", seat=3, cents=100_000)

wagered = False
for _ in range(80):
    who, act = next(
        (who, act)
        for who in (dealer, floor)
        for act in legal.sync(NAME, client=who).acts
        if act.must and act.gives
    )
    if act.command == "CallNoMoreBets" and not wagered:
        wagered = True
        does(dealer, "PlaceWager", seat=3, wager="banker", cents=10_000)
    does(who, act.command, **FIELDS.get(act.command, {}))
    if act.command == "ClearLayout":
        break

refused = end_day.sync(NAME, client=floor, idempotency_key=key())
assert (refused.status, refused.code) == (409, "day_under_way"), refused

told = table.sync(NAME, client=dealer)
print(json.dumps({"seq": told.seq, "round": told.results[0].round_, "rounds": told.seen.rounds}))
