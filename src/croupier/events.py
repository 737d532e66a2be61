"""Events of a table: what ``execute`` returns, and their JSON.

>>> from croupier import events
>>> happened = '{"type":"SeatReserved","v":1,"seat":3,"patron":"Pat","until":null,"clauses":[]}'
>>> match events.from_json(happened):
...     case events.SeatReserved(seat=seat, patron=patron):
...         print(seat, patron)
3 Pat
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.acts import Event as Event
from croupier.files.arguments import checks_types as _checks_types
from croupier.records.codec import EVENTS as _ALL
from croupier.records.codec import decode_event as _decode
from croupier.records.codec import given_json as _parse

if TYPE_CHECKING:
    from croupier.acts import *  # noqa: F403  (the modules of acts export their classes)
else:
    globals().update(_ALL)


def from_dict(data: object) -> Event:
    """Return an event from ``to_dict`` data. Raises ``ValueError``."""
    return _decode(data)


@_checks_types
def from_json(text: str | bytes) -> Event:
    """Return an event from JSON text. Raises ``ValueError``."""
    return _decode(_parse(text))
