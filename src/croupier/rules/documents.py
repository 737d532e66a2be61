"""The words in which documents are typed, and what every document that leaves the program names.

A document is a ``TypedDict``: mypy holds what makes it to it, and its JSON Schema is made from it
(``croupier.records.json_schema``). What a type does not say stands in ``Annotated``: a text is a
description, ``Keywords`` narrow it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypedDict

from croupier.files.version import __version__

if TYPE_CHECKING:
    from croupier.law.model import Instrument
    from croupier.rules import TableRules


class Keywords(dict[str, Any]):
    """Words of JSON Schema that narrow a type; they can be hashed, as all of a type must."""

    __hash__ = object.__hash__  # type: ignore[assignment]


Word = Annotated[str, Keywords(pattern=r"\S")]
Count = Annotated[int, Keywords(minimum=0)]
Positive = Annotated[int, Keywords(minimum=1)]
Cents = int
Number = float
Deviation = Annotated[float, Keywords(minimum=0)]
Percentile = Annotated[float, Keywords(minimum=0, maximum=1)]
Exact = Annotated[str, Keywords(pattern="^-?[0-9]+/[1-9][0-9]*$")]
Share = Annotated[str, Keywords(pattern="^[0-9]+/[1-9][0-9]*$")]
Ways = Annotated[str, Keywords(pattern="^(0|[1-9][0-9]*)$")]
Hash = Annotated[str, Keywords(pattern="^[0-9a-f]{64}$")]
Day = Annotated[str, Keywords(format="date")]
Texts = Mapping[str, str]
Counts = Mapping[str, Count]

PROGRAM: Final = "croupier"

MOST_SEED: Final = 2**64 - 1
"""The greatest seed, of whatever is dealt or asked from one."""

Seed = Annotated[int, Keywords(minimum=0, maximum=MOST_SEED)]


class ByProgram(TypedDict):
    """Which program made a document. No time: the same gives the same."""

    program: Literal["croupier"]
    version: Word


class Made(ByProgram):
    """Which program made a document, and how it is made again."""

    reproduce: Annotated[str, "The command that reproduces the document."]


class OfLaw(TypedDict):
    """Which law a document is about: its text and the day since when it was in force."""

    law: Word
    law_title: Word
    in_force_from: Annotated[Day, "The first date on which the regulation was in force."]
    law_hash: Annotated[Hash, "SHA-256 of the law file."]


class OfRules(OfLaw):
    """Which rules a document is about: what law and submission make together."""

    title: Annotated[str, "The title of the rules submission."]
    rules_hash: Annotated[Hash, "SHA-256 of the resolved rules."]
    readings: Annotated[Texts, "Every reading that the rules rely on."]
    warnings: Annotated[list[Word], "The warnings of those readings."]


class Provenance(Made, OfRules):
    """What a document about a table was made by, and from which law and rules."""


def by_program() -> ByProgram:
    """Return what names this program."""
    return {"program": PROGRAM, "version": __version__}


def made(reproduce: str) -> Made:
    """Return what names this program in a document that a command makes.

    >>> made("croupier law list")["program"]
    'croupier'
    """
    return {**by_program(), "reproduce": reproduce}


def of_law(law: Instrument) -> OfLaw:
    """Return what names a law."""
    return {
        "law": law.id,
        "law_title": law.title,
        "in_force_from": law.in_force_from.isoformat(),
        "law_hash": law.sha256,
    }


def of_rules(rules: TableRules) -> OfRules:
    """Return what names the rules of a table."""
    return {
        **of_law(rules.law),
        "title": rules.submission.title,
        "rules_hash": rules.sha256,
        "readings": dict(rules.readings),
        "warnings": list(rules.warnings),
    }


def provenance(rules: TableRules, reproduce: str = "") -> Provenance:
    """Return what a document about a table under some rules names of itself."""
    return {**made(reproduce), **of_rules(rules)}
