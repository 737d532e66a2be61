"""Types of documents, and the provenance that each contains. JSON Schemas are made from them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypedDict, TypeVar

from msgspec import to_builtins

from croupier.files.version import program_version
from croupier.law.model import Instrument
from croupier.rules.table import TableRules


class Keywords(dict[str, Any]):
    """JSON Schema keywords that narrow a type; hashable."""

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
Document = TypeVar("Document")

PROGRAM: Final = "croupier"

MOST_SEED: Final = 2**64 - 1
"""The greatest seed."""

Seed = Annotated[int, Keywords(minimum=0, maximum=MOST_SEED)]


class ByProgram(TypedDict):
    """The program that made a document. It has no time, so that documents are reproducible."""

    program: Literal["croupier"]
    version: Word


class Made(ByProgram):
    """The program that made a document, and the command that makes it again."""

    reproduce: Annotated[str, "The command that reproduces the document."]


class OfLaw(TypedDict):
    """The law of a document: its text and the day since when it was in force."""

    law: Word
    law_title: Word
    in_force_from: Annotated[Day, "The first date on which the regulation was in force."]
    law_hash: Annotated[Hash, "SHA-256 of the law file."]


class OfRules(OfLaw):
    """The rules of a document: those of law and submission together."""

    title: Annotated[str, "The title of the rules submission."]
    rules_hash: Annotated[Hash, "SHA-256 of the resolved rules."]
    readings: Annotated[Texts, "Every reading that the rules rely on."]
    warnings: Annotated[
        list[Word], "Warnings of those readings, and of wagers with a bettor's advantage."
    ]


class Provenance(Made, OfRules):
    """The program, law, and rules of a document about a table."""


def by_program() -> ByProgram:
    return {"program": PROGRAM, "version": program_version()}


def made(reproduce: str) -> Made:
    """Program, and the command that makes a document."""
    return {**by_program(), "reproduce": reproduce}


def of_law(law: Instrument) -> OfLaw:
    return {
        "law": law.id,
        "law_title": law.title,
        "in_force_from": law.in_force_from.isoformat(),
        "law_hash": law.sha256,
    }


def of_rules(rules: TableRules) -> OfRules:
    return {
        **of_law(rules.law),
        "title": rules.title,
        "rules_hash": rules.sha256,
        "readings": dict(rules.readings),
        "warnings": list(rules.warnings),
    }


def provenance(rules: TableRules, reproduce: str = "") -> Provenance:
    return {**made(reproduce), **of_rules(rules)}


def fields_of(kind: type[Document], source: object, **values: Any) -> Document:
    """Return a document of a kind: what is not in ``others`` are attributes of what was found.

    Fractions become ``n/d``; days, tuples, and enumerations become what JSON has for them.
    """
    fields: Any = {
        name: values[name] if name in values else _field(getattr(source, name))
        for name in kind.__annotations__
    }
    document: Document = fields
    return document


def _field(value: object) -> object:
    return to_builtins([*value] if isinstance(value, tuple) else value, enc_hook=_plain)


def _plain(value: object) -> object:
    match value:
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case Mapping():
            return dict(value)
    raise TypeError(f"{type(value)} has no form in a document")
