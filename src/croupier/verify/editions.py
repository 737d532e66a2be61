"""Compares events with what an older version of the program, or of a citation, made of them."""

from __future__ import annotations

from typing import Any

from croupier.records.codec import dump, from_json, to_json
from croupier.records.upcasting import upcast
from croupier.table.events import Event

__all__ = ["EventReader"]


class EventReader:
    """Says whether recorded events are those derived, whatever version they were written in.

    ``cited`` is unset if citations were corrected since: then clauses are not compared. After a
    comparison ``is_older`` says whether an event of an older version was met, and ``unrecorded``
    names the fields that it did not have yet, where they would not be what its version implies.
    """

    def __init__(self, *, cited: bool) -> None:
        self._cited = cited
        self.is_older = False
        self.unrecorded: set[str] = set()

    def same(self, event: Event, recorded: object) -> bool:
        """Return whether a recorded event is the one derived."""
        expected = from_json(dump(to_json(event)))
        if not isinstance(recorded, dict) or recorded.get("type") != expected["type"]:
            return False
        found: dict[str, Any] = dict(recorded)
        older = found.get("v") != expected["v"]
        if older:
            fields = {key: value for key, value in found.items() if key not in {"type", "v"}}
            try:
                fields = dict(upcast(expected["type"], found.get("v", 0), expected["v"], fields))
            except (ValueError, KeyError):
                return False
            self.is_older = True
            for name in fields.keys() - found.keys():
                if fields[name] != expected.get(name):
                    self.unrecorded.add(f"{expected['type']}.{name}")
                    fields[name] = expected.get(name)
            found = {"type": expected["type"], "v": expected["v"], **fields}
        if not self._cited:
            found["clauses"] = expected["clauses"]
        return bool(found == expected)
