"""The JSON Schema of a PAR sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from croupier.cards import Rank
from croupier.odds.par import FORMAT

__all__ = ["par_sheet"]

Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _object(properties: Mapping[str, object]) -> Schema:
    """Return the schema of an object with these properties; a later version may add to them."""
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _told(description: str, schema: Schema) -> Schema:
    return schema | {"description": description}


_TEXT: Final[Schema] = {"type": "string"}
_WORD: Final[Schema] = {"type": "string", "pattern": r"\S"}
_NUMBER: Final[Schema] = {"type": "number"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_WAYS: Final[Schema] = {"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}
_FRACTION: Final[Schema] = {"type": "string", "pattern": "^-?[0-9]+/[1-9][0-9]*$"}
_SHARE: Final[Schema] = {"type": "string", "pattern": "^[0-9]+/[1-9][0-9]*$"}
_HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_TEXTS: Final[Schema] = {"type": "object", "additionalProperties": _TEXT}
_PAYS: Final[Schema] = {
    "type": "string",
    "pattern": "^([1-9][0-9]*:[1-9][0-9]*|push|loses|takes [0-9]+(/[1-9][0-9]*)?)$",
}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _line() -> Schema:
    return _object(
        {
            "outcome": _WORD,
            "ways": _told("In how many ways it comes, out of total_ways.", _WAYS),
            "probability": _SHARE,
            "pays": _told("What it pays for each unit staked, vigorish deducted.", _PAYS),
            "contribution": _told("Its probability times what it brings.", _FRACTION),
        }
    )


def _rounding() -> Schema:
    return _object(
        {
            "stake_cents": _COUNT,
            "vigorish_cents": _COUNT,
            "house_edge": _FRACTION,
            "house_edge_percent": _NUMBER,
            "above_exact_percent": _NUMBER,
        }
    )


def _wager() -> Schema:
    limits = {"type": "array", "items": _COUNT, "minItems": 2, "maxItems": 2}
    return _object(
        {
            "id": _WORD,
            "title": _WORD,
            "scheme": _told("The vigorish scheme of the table.", _WORD),
            "lines": _list(_line()) | {"minItems": 1},
            "house_edge": _told("What the house keeps of a unit staked in the mean.", _FRACTION),
            "house_edge_percent": _NUMBER,
            "edge_per_resolved": _told("The same of a unit that was won or lost.", _FRACTION),
            "hit_frequency": _told("How often it wins.", _SHARE),
            "push_frequency": _told("How often the stake is neither won nor lost.", _SHARE),
            "variance": _SHARE,
            "standard_deviation": {"type": "number", "minimum": 0},
            "volatility_index": _told(
                "1.645 standard deviations.", {"type": "number", "minimum": 0}
            ),
            "limits_cents": _or_null(limits),
            "greatest_exposure_cents": _or_null(_COUNT),
            "rounding": _told("What rounding of vigorish does to the edge.", _list(_rounding())),
            "cites": _told("The clauses behind the wager; none for one's own.", _list(_WORD)),
            "interpretations": _list(_WORD),
        }
    )


def _package() -> Schema:
    return _object(
        {
            "id": _WORD,
            "title": _WORD,
            "says": _WORD,
            "cites": _list(_WORD),
            "interpretations": _list(_WORD),
            "columns": _list(_TEXT),
            "rows": _list(_list(_TEXT)),
        }
    )


def par_sheet() -> Schema:
    """Return the schema of a PAR sheet as ``croupier par --format json`` gives it.

    >>> par_sheet()["title"], par_sheet()["properties"]["total_ways"]["type"]
    ('croupier-par/1', 'string')
    """
    ranks = _object(dict.fromkeys((rank.value for rank in Rank), _COUNT))
    return {
        "$schema": _DIALECT,
        "title": FORMAT,
        "description": "The PAR sheet of a table: fractions as n/d, ways as text.",
        **_object(
            {
                "format": {"const": FORMAT},
                "law": _WORD,
                "law_title": _WORD,
                "in_force_from": {"type": "string", "format": "date"},
                "title": _TEXT,
                "rules_hash": _HASH,
                "law_hash": _HASH,
                "scheme": _WORD,
                "shoe": _object(
                    {"cards": {"type": "integer", "minimum": 6}, "by_rank": ranks},
                ),
                "total_ways": _told("In how many orders six cards may leave the shoe.", _WAYS),
                "reproduce": _told("The command that makes the sheet again.", _TEXT),
                "warnings": _list(_WORD),
                "interpretations": _told("Every reading that the rules rest on.", _TEXTS),
                "wagers": _list(_wager()),
                "packages": _list(_package()),
            }
        ),
    }
