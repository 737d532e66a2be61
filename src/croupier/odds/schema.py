"""The JSON Schema of a PAR sheet."""

from __future__ import annotations

from typing import Final

from croupier.cards import Rank
from croupier.json_schema import (
    COUNT,
    DIALECT,
    FRACTION,
    HASH,
    NUMBER,
    SHARE,
    TEXT,
    TEXTS,
    WORD,
    Schema,
    described,
    list_of,
    object_of,
    or_null,
)
from croupier.odds.par import FORMAT

__all__ = ["PAYS", "par_sheet"]

WAYS: Final[Schema] = {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}
PAYS: Final[Schema] = {
    "type": "string",
    "pattern": "^([1-9][0-9]*:[1-9][0-9]*|push|loses|takes [0-9]+(/[1-9][0-9]*)?)$",
}


def _line() -> Schema:
    return object_of(
        {
            "outcome": WORD,
            "ways": described("In how many ways it comes, out of total_ways.", WAYS),
            "probability": SHARE,
            "pays": described("What it pays for each unit staked, vigorish deducted.", PAYS),
            "contribution": described("Its probability times what it brings.", FRACTION),
        }
    )


def _rounding() -> Schema:
    return object_of(
        {
            "stake_cents": COUNT,
            "vigorish_cents": COUNT,
            "house_edge": FRACTION,
            "house_edge_percent": NUMBER,
            "above_exact_percent": NUMBER,
        }
    )


def _wager() -> Schema:
    limits = {"type": "array", "items": COUNT, "minItems": 2, "maxItems": 2}
    return object_of(
        {
            "id": WORD,
            "title": WORD,
            "scheme": described("The vigorish scheme of the table.", WORD),
            "lines": list_of(_line()) | {"minItems": 1},
            "house_edge": described("What the house keeps of a unit staked in the mean.", FRACTION),
            "house_edge_percent": NUMBER,
            "edge_per_resolved": described("The same of a unit that was won or lost.", FRACTION),
            "hit_frequency": described("How often it wins.", SHARE),
            "push_frequency": described("How often the stake is neither won nor lost.", SHARE),
            "variance": SHARE,
            "standard_deviation": {"type": "number", "minimum": 0},
            "volatility_index": described(
                "1.645 standard deviations.", {"type": "number", "minimum": 0}
            ),
            "limits_cents": or_null(limits),
            "greatest_exposure_cents": or_null(COUNT),
            "rounding": described(
                "What rounding of vigorish does to the edge.", list_of(_rounding())
            ),
            "cites": described("The clauses behind the wager; none for one's own.", list_of(WORD)),
            "interpretations": list_of(WORD),
        }
    )


def _package() -> Schema:
    return object_of(
        {
            "id": WORD,
            "title": WORD,
            "says": WORD,
            "cites": list_of(WORD),
            "interpretations": list_of(WORD),
            "columns": list_of(TEXT),
            "rows": list_of(list_of(TEXT)),
        }
    )


def par_sheet() -> Schema:
    """Return the schema of a PAR sheet as ``croupier par --format json`` gives it.

    >>> par_sheet()["title"], par_sheet()["properties"]["total_ways"]["type"]
    ('croupier-par/1', 'string')
    """
    ranks = object_of(dict.fromkeys((rank.value for rank in Rank), COUNT))
    return {
        "$schema": DIALECT,
        "title": FORMAT,
        "description": "The PAR sheet of a table: fractions as n/d, ways as text.",
        **object_of(
            {
                "format": {"const": FORMAT},
                "law": WORD,
                "law_title": WORD,
                "in_force_from": {"type": "string", "format": "date"},
                "title": TEXT,
                "rules_hash": HASH,
                "law_hash": HASH,
                "scheme": WORD,
                "shoe": object_of(
                    {"cards": {"type": "integer", "minimum": 6}, "by_rank": ranks},
                ),
                "total_ways": described("In how many orders six cards may leave the shoe.", WAYS),
                "reproduce": described("The command that makes the sheet again.", TEXT),
                "warnings": list_of(WORD),
                "interpretations": described("Every reading that the rules rest on.", TEXTS),
                "wagers": list_of(_wager()),
                "packages": list_of(_package()),
            }
        ),
    }
