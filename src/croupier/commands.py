"""Commands of a table: requests that ``execute`` carries out, and their JSON.

>>> from croupier import commands
>>> commands.from_json('{"type": "DrawCard", "card": "9h"}')
DrawCard(card=Card.of('9h'))
>>> commands.PlaceWager(3, "banker", 10_000).to_json()
'{"type":"PlaceWager","seat":3,"wager":"banker","cents":10000,"coupon_cents":0}'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.acts import Command as Command
from croupier.files.arguments import checks_types as _checks_types
from croupier.records.codec import COMMANDS as _ALL
from croupier.records.codec import decode_command as _decode
from croupier.records.codec import given_json as _parse

if TYPE_CHECKING:
    from croupier.acts import *  # noqa: F403  (the modules of acts export their classes)
else:
    globals().update(_ALL)


def from_dict(data: object) -> Command:
    """Return a command from ``to_dict`` data. Raises ``ValueError``."""
    return _decode(data)


@_checks_types
def from_json(text: str | bytes) -> Command:
    """Return a command from JSON text. Raises ``ValueError``."""
    return _decode(_parse(text))
