"""Comparison of recorded with derived events across versions."""

from __future__ import annotations

import json
from typing import Any

from croupier.acts import Event, RulingGiven
from croupier.law.model import Instrument
from croupier.records.codec import PARTLY_CITED, upcast


class EventReader:
    """Compares recorded with derived events across event versions.

    ``unrecorded`` names fields missing from older events whose value their version does not imply;
    ``written`` are the same events in the one text that they have.
    """

    def __init__(self, law: Instrument, *, cited: bool) -> None:
        self._law = law
        self._cited = cited
        self.is_older = False
        self.unrecorded: set[str] = set()
        self.written: list[Any] = []

    def same(self, event: Event, recorded: object) -> bool:
        expected = event.to_dict()
        written = dict(expected)
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
            if (expected["type"], found.get("v")) in PARTLY_CITED and set(
                found.get("clauses", ())
            ) < set(expected["clauses"]):
                self.unrecorded.add(f"{expected['type']}.clauses")
                fields["clauses"] = expected["clauses"]
            found = {"type": expected["type"], "v": expected["v"], **fields}
        if not self._cited:
            if self._is_citation(found.get("clauses")):
                written["clauses"], found["clauses"] = found["clauses"], expected["clauses"]
            if type(event) is RulingGiven and self._is_citation([found.get("entry")]):
                written["entry"], found["entry"] = found["entry"], event.entry
        self.written.append(recorded if older else written)
        return found == expected and _is_same(found, expected)

    def _is_citation(self, clauses: object) -> bool:
        """Whether these are clauses and register entries, even if not those of today."""
        return isinstance(clauses, list) and all(
            isinstance(one, str) and (one in self._law.clauses or one in self._law.register)
            for one in clauses
        )


def _is_same(one: object, other: object) -> bool:
    """Return whether values have one text: to Python, true is 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def how_it_differs(event: Event, found: object) -> tuple[str, str, dict[str, Any]]:
    """Return a divergence's kind, description, and expected event."""
    name, expected = type(event).__name__, event.to_dict()
    if not isinstance(found, dict) or found.get("type") != name:
        instead = "nothing" if found is None else name_of(found)
        return "missing event", f"{name} should be recorded, but {instead} is", expected
    # Fields missing from an older version are not a difference.
    lacking = expected.keys() - found.keys() | {"v"} if found.get("v") != expected["v"] else ()
    differing = [
        key
        for key in expected
        if key not in lacking and not _is_same(found.get(key), expected[key])
    ]
    differing += [key for key in found if key not in expected]
    shown = "; ".join(
        f"{key} is {found.get(key)!r} but should be {expected.get(key)!r}" for key in differing
    )
    return "event", f"{name}: {shown}", expected


def name_of(event: object) -> str:
    return str(event.get("type")) if isinstance(event, dict) else repr(event)
