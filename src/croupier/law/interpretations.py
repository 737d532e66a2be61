"""Register of interpretations: readings of contradictory, mistaken or silent texts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from croupier.law.built import read_law
from croupier.law.model import Standing

TAKEN: Final = "taken"
"""A reading without an alternative."""


class Interpretation(Struct, frozen=True):
    """One entry: the problem, the reading taken, and the readings that a licensee may elect.

    Code refers to an electable entry by ``name``; its ``reading`` is the name of the default.
    ``rests`` are the rules that depend on it, ``laws`` the texts concerned. An entry to
    ``acknowledge`` is taken only if a submission names it. ``added`` is the day of a later entry,
    ``named`` the day on which an older one's readings got names.
    """

    id: str
    title: str
    problem: str
    reading: str
    rests: tuple[str, ...]
    readings: Mapping[str, str] = field(default_factory=dict)
    laws: tuple[str, ...] = ()
    name: str = ""
    acknowledge: bool = False
    warnings: Mapping[str, str] = field(default_factory=dict)
    added: date | None = None
    named: date | None = None
    ruling: str = ""
    standing: Standing = Standing.READING

    def about(self, law_id: str, rule_ids: Collection[str]) -> bool:
        """Return whether one of those rules of a law, or of a dated text, depends on this entry."""
        if not any(rule_id in rule_ids for rule_id in self.rests):
            return False
        return not self.laws or not {law_id, law_id.partition("@")[0]}.isdisjoint(self.laws)

    def binds(self, reading: str) -> bool:
        """Return whether a reading changes what binds a table without this entry.

        A later entry's default describes earlier practice, so earlier records stay valid.
        """
        return self.added is None or reading not in {self.reading, TAKEN}

    def bound_as(self, reading: str, *, counted: bool = False) -> str | None:
        """Return a reading's name in the binding hash; ``None`` if it does not bind.

        The default keeps its form before names. A ``counted`` entry binds as if it had always
        existed.
        """
        if counted:
            return reading
        if not self.binds(reading):
            return None
        return TAKEN if self.named is not None and reading == self.reading else reading

    def says(self, name: str) -> str:
        """Return the wording of a named reading."""
        return self.readings.get(name, self.reading)


@cache
def interpretations() -> Mapping[str, Interpretation]:
    """Return the register by id, in order.

    >>> interpretations()["T03"].reading
    'none'
    """
    path = Path(__file__).with_name("interpretations.toml")
    entries = read_law(path).tables["interpretation"]
    lists = ("rests", "laws")
    return {
        entry["id"]: Interpretation(
            **entry
            | {key: tuple(entry.get(key, ())) for key in lists}
            | {"standing": Standing(entry.get("standing", "reading"))}
        )
        for entry in entries
    }


@cache
def reading_ids() -> Mapping[str, str]:
    """Return the id of each electable entry, by name.

    >>> reading_ids()["disclosed_card.fate"]
    'T32'
    """
    return {entry.name: entry.id for entry in interpretations().values() if entry.name}


def readings_for(
    law_id: str, rule_ids: Collection[str], elected: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the reading of every interpretation that a law's rules depend on, by its id."""
    return {
        entry.id: elected.get(entry.id, entry.reading if entry.readings else TAKEN)
        for entry in interpretations().values()
        if entry.about(law_id, rule_ids)
    }


def acknowledged(law_id: str, rule_ids: Collection[str]) -> Mapping[str, str]:
    """Return the readings of a law that require acknowledgment, as if elected."""
    return {
        entry.id: entry.reading
        for entry in interpretations().values()
        if entry.acknowledge and entry.about(law_id, rule_ids)
    }
