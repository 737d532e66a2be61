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
"""Name of a reading without an alternative."""


class Interpretation(Struct, frozen=True):
    """One entry: the problem, the reading taken, and the readings that a licensee may elect.

    An electable entry has a ``name``, by which code refers to it. If ``readings`` is empty,
    ``reading`` is the reading itself; otherwise it is the name of the default. ``rests`` are the
    rules that depend on the entry, and ``laws`` the texts concerned, if other texts have the same
    rules without the problem. An entry to ``acknowledge`` substitutes for a text that is not
    included and is taken only if a submission names it. ``warnings`` has a reading's mandatory
    warning. ``added`` is the day of an entry added after tables had played under the register,
    ``named`` the day on which an older entry's readings got names. ``ruling`` is the matter of a
    supervisor's ruling under it. ``standing`` is that of its rules: a reading of the text, a
    substitute, or silent; a note on the text itself is ``text``.
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
        """Return whether one of those rules of a law depends on this interpretation.

        ``law_id`` may name a dated text, as ``us-nj/minibaccarat@1999-07-06``; ``laws`` may name
        that text or all texts of an id.
        """
        if not any(rule_id in rule_ids for rule_id in self.rests):
            return False
        return not self.laws or not {law_id, law_id.partition("@")[0]}.isdisjoint(self.laws)

    def binds(self, reading: str) -> bool:
        """Return whether a reading changes what binds a table without this entry.

        The default reading of an entry added later describes earlier practice, so earlier records
        stay valid.
        """
        return self.added is None or reading not in {self.reading, TAKEN}

    def bound_as(self, reading: str, *, counted: bool = False) -> str | None:
        """Return a reading's name in the binding hash; ``None`` if it does not bind.

        The default keeps the form from before its readings had names. A ``counted`` entry binds
        under its own name, as if it had always existed.
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
    """Return the reading of every interpretation that a law's rules depend on, by its id.

    ``elected`` are the readings in a submission, already checked by the caller.
    """
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
