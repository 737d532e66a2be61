"""The register of interpretations: readings where a text contradicts itself, errs or is silent."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["TAKEN", "Interpretation", "interpretations", "readings_for"]

TAKEN: Final = "taken"
"""The name of a reading that has no alternative to elect."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One entry: the problem, the reading taken, and the readings that a licensee may name.

    Where ``readings`` is empty, ``reading`` is the reading itself; otherwise it is the name of
    the one taken unless a submission names another. ``rests`` are the rules that stand on it.
    """

    id: str
    title: str
    problem: str
    reading: str
    rests: tuple[str, ...]
    readings: Mapping[str, str] = field(default_factory=dict)

    def says(self, name: str) -> str:
        """Return in words the reading of that name."""
        return self.readings.get(name, self.reading)


@cache
def interpretations() -> Mapping[str, Interpretation]:
    """Return the register, by id, in its own order.

    >>> interpretations()["T03"].reading
    'none'
    """
    path = Path(__file__).with_name("interpretations.toml")
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["interpretation"]
    return {
        entry["id"]: Interpretation(**entry | {"rests": tuple(entry["rests"])}) for entry in entries
    }


def readings_for(rule_ids: Iterable[str], elected: Mapping[str, str]) -> Mapping[str, str]:
    """Return the reading of every interpretation on which one of the rules rests, by its id.

    ``elected`` holds the readings that a submission names; it has been checked by the caller.
    """
    in_use = set(rule_ids)
    return {
        entry.id: elected.get(entry.id, entry.reading if entry.readings else TAKEN)
        for entry in interpretations().values()
        if in_use.intersection(entry.rests)
    }
