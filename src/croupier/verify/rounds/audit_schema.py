"""The JSON Schema of an audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.json_schema import (
    COUNT,
    DIALECT,
    HASH,
    NUMBER,
    TEXT,
    WORD,
    Schema,
    described,
    list_of,
    object_of,
    or_null,
)
from croupier.verify.rounds.audit import FORMAT

__all__ = ["account", "audit_report"]


_CENTS: Final[Schema] = {"type": "integer"}
_COUNTS: Final[Schema] = {"type": "object", "additionalProperties": COUNT}
_NAME: Final[Schema] = {"type": ["integer", "string", "null"]}
_PLACE: Final[Mapping[str, Schema]] = {"line": COUNT, "shoe": _NAME, "round": _NAME}

_FILE: Final = object_of({"name": TEXT, "bytes": COUNT, "sha256": HASH})

_TALLY: Final[Mapping[str, Schema]] = {
    "wagers": COUNT,
    "owed_cents": described("What patrons are owed by the house.", COUNT),
    "overpaid_cents": described("What patrons were paid too much.", COUNT),
    "net_cents": described("What patrons are owed on balance.", _CENTS),
}

_DIVERGENCE: Final = object_of(
    {
        **_PLACE,
        "kind": WORD,
        "hand": or_null({"enum": ["player", "banker"]}),
        "seat": or_null(COUNT),
        "wager": or_null(TEXT),
        "clause": or_null(WORD),
        "clauses": list_of(WORD),
        "expected": described("What the book makes of it: any data, amounts in cents.", {}),
        "found": described("What is recorded.", {}),
        "message": WORD,
        "follows": described("Kinds of what is wrong because of this.", list_of(WORD)),
    }
)

_DIFFERENCE: Final = object_of(
    {
        **_PLACE,
        "seat": or_null(COUNT),
        "wager": WORD,
        "expected_cents": described(
            "What the patron should be ahead by, vigorish deducted.", _CENTS
        ),
        "recorded_cents": described("What the record tells.", _CENTS),
        "owed_cents": described("The one less the other.", _CENTS),
        "clauses": list_of(WORD),
    }
)


def account() -> dict[str, Schema]:
    """Return what an account of differences has, by key."""
    part = {"wager": WORD, "clause": or_null(WORD), **_TALLY}
    seat = {"seat": or_null(COUNT), **_TALLY, "parts": list_of(object_of(part))}
    return {
        "total": object_of(_TALLY),
        "by_seat": list_of(object_of(seat)),
        "by_wager": list_of(object_of({"wager": WORD, **_TALLY})),
        "by_clause": list_of(object_of({"clause": or_null(WORD), **_TALLY})),
        "unsettled": described("Wagers that the book does not settle, by wager.", _COUNTS),
    }


def _census() -> Schema:
    row = {"class": WORD, "expected": NUMBER, "found": COUNT}
    wager = {
        "wager": WORD, "expected": NUMBER, "found": NUMBER, "z": or_null(NUMBER),
        "p": or_null(NUMBER),
    }  # fmt: skip
    chi_square = {"statistic": NUMBER, "degrees_of_freedom": COUNT, "p": NUMBER}
    return object_of(
        {
            "rounds": COUNT,
            "shoe_cards": COUNT,
            "classes": list_of(object_of(row)),
            "chi_square": or_null(object_of(chi_square)),
            "wagers": list_of(object_of(wager)),
            "warning": WORD,
        }
    )


def _board() -> Schema:
    cell = {"row": COUNT, "column": COUNT}
    result = {
        "winner": {"enum": ["player", "banker", "tie"]},
        "natural": {"type": "boolean"},
        "player_pair": {"type": "boolean"},
        "banker_pair": {"type": "boolean"},
        "round": or_null(COUNT),
    }
    derived = list_of(object_of({**cell, "mark": {"enum": ["red", "blue"]}, "of": COUNT}))
    big = {**cell, **result, "streak": COUNT, "depth": COUNT, "ties": COUNT}
    roads = {
        "bead_plate": list_of(object_of({**cell, **result})),
        "leading_ties": COUNT,
        "big_road": list_of(object_of(big)),
        **dict.fromkeys(("big_eye_boy", "small_road", "cockroach_pig"), derived),
    }
    shoe = {
        "shoe": _NAME,
        "rounds": COUNT,
        "rounds_shown": COUNT,
        "rounds_without_result": COUNT,
        "divergences": COUNT,
        "found": described("The rounds in which something was found.", list_of(COUNT)),
        "roads": object_of(roads),
    }
    left_out = object_of({"diverging": COUNT, "clean": COUNT})
    return object_of({"shown": list_of(object_of(shoe)), "left_out": left_out})


def audit_report() -> Schema:
    """Return the schema of an audit as ``croupier audit --format json`` gives it.

    >>> audit_report()["title"]
    'croupier-audit/1'
    """
    first = object_of({**_PLACE, "message": WORD})
    kind = object_of({"kind": WORD, "means": WORD, "divergences": COUNT})
    clause = {
        "clause": or_null(WORD), "says": or_null(WORD), "divergences": COUNT,
        "kinds": _COUNTS, "first": first,
    }  # fmt: skip
    return {
        "$schema": DIALECT,
        "title": FORMAT,
        "description": "What judging a record of rounds found: amounts in cents.",
        **object_of(
            {
                "format": {"const": FORMAT},
                "rounds_file": _FILE,
                "law": WORD,
                "law_title": WORD,
                "in_force_from": {"type": "string", "format": "date"},
                "title": described("The title of the rules submission.", TEXT),
                "submission_file": or_null(_FILE),
                "rules_sha256": HASH,
                "law_sha256": HASH,
                "readings": {"type": "object", "additionalProperties": TEXT},
                "warnings": list_of(WORD),
                "reproduce": described("The command that makes the report again.", TEXT),
                "clean": {"type": "boolean"},
                "rounds": COUNT,
                "shoes": COUNT,
                "divergences": described(
                    "In the order in which they were found.", list_of(_DIVERGENCE)
                ),
                "divergences_left_out": COUNT,
                "by_kind": list_of(kind),
                "by_clause": list_of(object_of(clause)),
                "unverified": described(
                    "What could not be judged, by why, and how often.", _COUNTS
                ),
                "hints": list_of(WORD),
                "census": or_null(_census()),
                "differences": object_of(
                    account() | {"listed": list_of(_DIFFERENCE), "left_out": COUNT}
                ),
                "board": described("The roads of the shoes that are shown.", _board()),
            }
        ),
    }
