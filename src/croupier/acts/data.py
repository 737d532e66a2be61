"""Commands and events as plain data."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

import msgspec

# Of types unknown to msgspec, only cards occur. A snapshot has tens of thousands of them.
dump: Final = msgspec.json.Encoder(enc_hook=attrgetter("notation")).encode
"""Encode plain data, commands, and events as compact, canonical JSON."""
_PARSE: Final = msgspec.json.Decoder().decode


class PlainData:
    """A command or event, with its JSON."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return a flat object of plain data, with ``type``, and the version ``v`` of an event."""
        data = _PARSE(dump(self))
        version = getattr(self, "VERSION", None)
        return data if version is None else {"type": data.pop("type"), "v": version, **data}

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON text."""
        return dump(self.to_dict()).decode()
