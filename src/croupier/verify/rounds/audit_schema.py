"""The JSON Schema of an audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from croupier.verify.rounds.audit import FORMAT

__all__ = ["account", "audit_report"]

Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _object(properties: Mapping[str, object]) -> Schema:
    """Return the schema of an object with these properties; a later version may add to them."""
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _told(description: str, schema: Schema) -> Schema:
    return schema | {"description": description}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_TEXT: Final[Schema] = {"type": "string"}
_WORD: Final[Schema] = {"type": "string", "pattern": r"\S"}
_NUMBER: Final[Schema] = {"type": "number"}
_CENTS: Final[Schema] = {"type": "integer"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_COUNTS: Final[Schema] = {"type": "object", "additionalProperties": _COUNT}
_NAME: Final[Schema] = {"type": ["integer", "string", "null"]}
_PLACE: Final[Mapping[str, Schema]] = {"line": _COUNT, "shoe": _NAME, "round": _NAME}

_FILE: Final = _object({"name": _TEXT, "bytes": _COUNT, "sha256": _HASH})

_TALLY: Final[Mapping[str, Schema]] = {
    "wagers": _COUNT,
    "owed_cents": _told("What patrons are owed by the house.", _COUNT),
    "overpaid_cents": _told("What patrons were paid too much.", _COUNT),
    "net_cents": _told("What patrons are owed on balance.", _CENTS),
}

_DIVERGENCE: Final = _object(
    {
        **_PLACE,
        "kind": _WORD,
        "hand": _or_null({"enum": ["player", "banker"]}),
        "seat": _or_null(_COUNT),
        "wager": _or_null(_TEXT),
        "clause": _or_null(_WORD),
        "clauses": _list(_WORD),
        "expected": _told("What the book makes of it: any data, amounts in cents.", {}),
        "found": _told("What is recorded.", {}),
        "message": _WORD,
        "follows": _told("Kinds of what is wrong because of this.", _list(_WORD)),
    }
)

_DIFFERENCE: Final = _object(
    {
        **_PLACE,
        "seat": _or_null(_COUNT),
        "wager": _WORD,
        "due_cents": _told("What the patron should be ahead by, vigorish deducted.", _CENTS),
        "told_cents": _told("What the record tells.", _CENTS),
        "owed_cents": _told("The one less the other.", _CENTS),
        "clauses": _list(_WORD),
    }
)


def account() -> dict[str, Schema]:
    """Return what an account of differences has, by key."""
    part = {"wager": _WORD, "clause": _or_null(_WORD), **_TALLY}
    seat = {"seat": _or_null(_COUNT), **_TALLY, "parts": _list(_object(part))}
    return {
        "total": _object(_TALLY),
        "by_seat": _list(_object(seat)),
        "by_wager": _list(_object({"wager": _WORD, **_TALLY})),
        "by_clause": _list(_object({"clause": _or_null(_WORD), **_TALLY})),
        "unsettled": _told("Wagers that the book does not settle, by wager.", _COUNTS),
    }


def _census() -> Schema:
    row = {"class": _WORD, "expected": _NUMBER, "found": _COUNT}
    wager = {
        "wager": _WORD, "expected": _NUMBER, "found": _NUMBER, "z": _or_null(_NUMBER),
        "p": _or_null(_NUMBER),
    }  # fmt: skip
    chi_square = {"statistic": _NUMBER, "degrees_of_freedom": _COUNT, "p": _NUMBER}
    return _object(
        {
            "rounds": _COUNT,
            "shoe_cards": _COUNT,
            "classes": _list(_object(row)),
            "chi_square": _or_null(_object(chi_square)),
            "wagers": _list(_object(wager)),
            "warning": _WORD,
        }
    )


def _board() -> Schema:
    cell = {"row": _COUNT, "column": _COUNT}
    result = {
        "winner": {"enum": ["player", "banker", "tie"]},
        "natural": {"type": "boolean"},
        "player_pair": {"type": "boolean"},
        "banker_pair": {"type": "boolean"},
        "round": _or_null(_COUNT),
    }
    derived = _list(_object({**cell, "mark": {"enum": ["red", "blue"]}, "of": _COUNT}))
    big = {**cell, **result, "streak": _COUNT, "depth": _COUNT, "ties": _COUNT}
    roads = {
        "bead_plate": _list(_object({**cell, **result})),
        "leading_ties": _COUNT,
        "big_road": _list(_object(big)),
        **dict.fromkeys(("big_eye_boy", "small_road", "cockroach_pig"), derived),
    }
    shoe = {
        "shoe": _NAME,
        "rounds": _COUNT,
        "rounds_shown": _COUNT,
        "rounds_without_result": _COUNT,
        "divergences": _COUNT,
        "found": _told("The rounds in which something was found.", _list(_COUNT)),
        "roads": _object(roads),
    }
    left_out = _object({"diverging": _COUNT, "clean": _COUNT})
    return _object({"shown": _list(_object(shoe)), "left_out": left_out})


def audit_report() -> Schema:
    """Return the schema of an audit as ``croupier audit --format json`` gives it.

    >>> audit_report()["title"]
    'croupier-audit/1'
    """
    first = _object({**_PLACE, "message": _WORD})
    kind = _object({"kind": _WORD, "means": _WORD, "divergences": _COUNT})
    clause = {
        "clause": _or_null(_WORD), "says": _or_null(_WORD), "divergences": _COUNT,
        "kinds": _COUNTS, "first": first,
    }  # fmt: skip
    return {
        "$schema": _DIALECT,
        "title": FORMAT,
        "description": "What judging a record of rounds found: amounts in cents.",
        **_object(
            {
                "format": {"const": FORMAT},
                "rounds_file": _FILE,
                "law": _WORD,
                "law_title": _WORD,
                "in_force_from": {"type": "string", "format": "date"},
                "title": _told("The title of the rules submission.", _TEXT),
                "submission_file": _or_null(_FILE),
                "rules_sha256": _HASH,
                "law_sha256": _HASH,
                "readings": {"type": "object", "additionalProperties": _TEXT},
                "warnings": _list(_WORD),
                "reproduce": _told("The command that makes the report again.", _TEXT),
                "clean": {"type": "boolean"},
                "rounds": _COUNT,
                "shoes": _COUNT,
                "divergences": _told("In the order in which they were found.", _list(_DIVERGENCE)),
                "divergences_left_out": _COUNT,
                "by_kind": _list(kind),
                "by_clause": _list(_object(clause)),
                "unjudged": _told("What could not be judged, by why, and how often.", _COUNTS),
                "hints": _list(_WORD),
                "census": _or_null(_census()),
                "differences": _object(
                    account() | {"listed": _list(_DIFFERENCE), "left_out": _COUNT}
                ),
                "board": _told("The roads of the shoes that are shown.", _board()),
            }
        ),
    }
