"""The JSON Schema of a report of sessions; it imports no kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["FORMAT", "session_report"]

Schema = dict[str, Any]

FORMAT: Final = "croupier-session/1"

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The shares at which a spread is told."""

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _object(properties: Mapping[str, object]) -> Schema:
    """Return the schema of an object with these properties; a later version may add to them."""
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _told(description: str, schema: Schema) -> Schema:
    return schema | {"description": description}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_TEXT: Final[Schema] = {"type": "string"}
_WORD: Final[Schema] = {"type": "string", "pattern": r"\S"}
_NUMBER: Final[Schema] = {"type": "number"}
_WHOLE: Final[Schema] = {"type": "integer"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_SOME: Final[Schema] = {"type": "integer", "minimum": 1}
_SHARE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}
_HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_FRACTION: Final[Schema] = {"type": "string", "pattern": "^-?[0-9]+/[1-9][0-9]*$"}
_LENGTHS: Final[Schema] = {
    "type": "object",
    "propertyNames": {"pattern": "^[1-9][0-9]?$"},
    "additionalProperties": _SOME,
}


def _spread() -> Schema:
    return _object(
        {
            "mean": _NUMBER,
            "standard_deviation": {"type": "number", "minimum": 0},
            "least": _WHOLE,
            "most": _WHOLE,
            "quantiles": _told(
                "By a share: the least value that so many of them do not surpass.",
                _object({f"{share:g}": _WHOLE for share in QUANTILES}),
            ),
        }
    )


def _ended() -> Schema:
    return _object({"sessions": _COUNT, "share": _SHARE, "low_99": _SHARE, "high_99": _SHARE})


def _result() -> Schema:
    spread = _spread()
    more = _object(
        {
            "standard_error_cents": {"type": "number", "minimum": 0},
            "ahead": _SHARE,
            "even": _SHARE,
            "behind": _SHARE,
        }
    )
    return _object(spread["properties"] | more["properties"])


def _wager() -> Schema:
    return _object(
        {
            "id": _WORD,
            "title": _WORD,
            "least_cents": _SOME,
            "most_cents": _or_null(_SOME),
            "step_cents": _told("Of what a stake is a multiple.", _SOME),
        }
    )


def _dealt() -> Schema:
    results = {"player_wins": _COUNT, "banker_wins": _COUNT, "ties": _COUNT}
    by_shoe = {
        "shoes": _SOME,
        "rounds": _spread(),
        **dict.fromkeys(results, _spread()),
        "begun": _told("How many of the shoes the bettor played, whole or in part.", _COUNT),
        "net_cents": _told("What those brought him.", _spread()),
    }
    return _object({"rounds": _COUNT, **results, "by_shoe": _or_null(_object(by_shoe))})


def _streaks() -> Schema:
    return _object(
        {
            "streaks": _COUNT,
            "mean_length": _or_null(_NUMBER),
            "longest": _COUNT,
            "by_length": _told("How many streaks by length; 64 stands for more too.", _LENGTHS),
            "cut_off": _told("The same of those that the end of a shoe cut off.", _LENGTHS),
        }
    )


def _theory() -> Schema:
    return _object(
        {
            "expected_net_cents": _told("What all stakes bring by the exact odds.", _FRACTION),
            "expected_per_session_cents": _NUMBER,
            "edge": _or_null(_NUMBER),
            "difference_per_session_cents": _NUMBER,
            "standard_error_cents": {"type": "number", "minimum": 0},
            "z": _or_null(_NUMBER),
        }
    )


def session_report() -> Schema:
    """Return the schema of a report as ``croupier session --format json`` gives it.

    >>> session_report()["title"], session_report()["properties"]["seed"]["type"]
    ('croupier-session/1', 'integer')
    """
    totals = ("rounds", "bets", "rounds_ahead", "rounds_behind", "fitted", "staked_cents")
    return {
        "$schema": _DIALECT,
        "title": FORMAT,
        "description": "What became of a bankroll over sessions of a betting system.",
        **_object(
            {
                "format": {"const": FORMAT},
                "law": _WORD,
                "title": _TEXT,
                "rules_hash": _HASH,
                "warnings": {"type": "array", "items": _WORD},
                "reproduce": _TEXT,
                "system": _WORD,
                "wagers": {"type": "array", "items": _wager(), "minItems": 1},
                "unit_cents": _SOME,
                "bankroll_cents": _SOME,
                "goal_cents": _or_null(_SOME),
                "shoes_asked": _or_null(_SOME),
                "rounds_asked": _or_null(_SOME),
                "shoe_cards": _SOME,
                "behind": _or_null(_COUNT),
                "seed": _COUNT,
                "sessions_asked": _SOME,
                "sessions": _COUNT,
                "complete": {"type": "boolean"},
                "result": _told("What sessions won or lost, in cents.", _result()),
                "ruin": _ended(),
                "goal": _or_null(_ended()),
                "drawdown_cents": _spread(),
                "greatest_stake_cents": _spread(),
                "longest_losing_run": _spread(),
                "time": _object(
                    {
                        "rounds_per_hour": {"type": "number", "exclusiveMinimum": 0},
                        "rounds": _spread(),
                        "mean_hours": {"type": "number", "minimum": 0},
                    }
                ),
                "totals": _object({**dict.fromkeys(totals, _COUNT), "net_cents": _WHOLE}),
                "theory": _theory(),
                "dealt": _told("All rounds dealt, also after the bettor had left.", _dealt()),
                "streaks": _object({"player": _streaks(), "banker": _streaks()}),
            }
        ),
    }
