"""The register of interpretations: readings where a text contradicts itself, errs or is silent."""

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
"""The name of a reading that has no alternative to elect."""


class Interpretation(Struct, frozen=True):
    """One entry: the problem, the reading taken, and the readings that a licensee may name.

    What may be elected has a ``name`` that says what it decides: code asks for it by that alone.
    Where ``readings`` is empty, ``reading`` is the reading itself; otherwise it is the name of
    the one taken unless a submission names another. ``rests`` are the rules that stand on it, and
    ``laws`` the texts that it is about where other texts have the same rules without the problem.
    One to ``acknowledge`` stands for a text that is not held: it is taken only where a submission
    names it. ``warnings`` says of a reading what everybody must be told who meets it. ``added`` is
    the day on which the entry came to a register that tables had already played under, ``named``
    the day on which the readings of an older entry got names.
    ``ruling`` is the matter on which a supervisor rules under it at the table.
    ``standing`` is that of the rules that rest on it: a reading of the text, what stands in for one
    that is not held, or the decision of what the text leaves open; a note of what the text itself
    says is ``text``.
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
        """Return whether one of those rules of a law stands on this interpretation.

        ``law_id`` may name the text of one day, as ``us-nj/minibaccarat@1999-07-06``; ``laws`` may
        name that one text, or all the texts of an id.
        """
        if not any(rule_id in rule_ids for rule_id in self.rests):
            return False
        return not self.laws or not {law_id, law_id.partition("@")[0]}.isdisjoint(self.laws)

    def binds(self, reading: str) -> bool:
        """Return whether a table is bound by more than what bound it without this entry.

        An entry that was added later writes down what was done before, unless a submission names
        another reading of it: records made before it remain true.
        """
        return self.added is None or reading not in {self.reading, TAKEN}

    def bound_as(self, reading: str, *, counted: bool = False) -> str | None:
        """Return a reading as what binds a table names it; ``None`` where it binds none.

        The reading taken is called so still if it had no name of its own at first. An entry that
        is ``counted`` binds under its own name, as if it had been there from the beginning.
        """
        if counted:
            return reading
        if not self.binds(reading):
            return None
        return TAKEN if self.named is not None and reading == self.reading else reading

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
    """Return the id of each entry that may be elected, by its name.

    >>> reading_ids()["disclosed_card.fate"]
    'T32'
    """
    return {entry.name: entry.id for entry in interpretations().values() if entry.name}


def readings_for(
    law_id: str, rule_ids: Collection[str], elected: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the reading of every interpretation on which one of a law's rules rests, by its id.

    ``elected`` holds the readings that a submission names; it has been checked by the caller.
    """
    return {
        entry.id: elected.get(entry.id, entry.reading if entry.readings else TAKEN)
        for entry in interpretations().values()
        if entry.about(law_id, rule_ids)
    }


def acknowledged(law_id: str, rule_ids: Collection[str]) -> Mapping[str, str]:
    """Return the readings of a law that must be acknowledged, as if somebody had named them."""
    return {
        entry.id: entry.reading
        for entry in interpretations().values()
        if entry.acknowledge and entry.about(law_id, rule_ids)
    }
