"""The JSON Schema of a report of sessions; it imports no kernel."""

from __future__ import annotations

from typing import Final

from croupier.json_schema import (
    COUNT,
    DIALECT,
    FRACTION,
    HASH,
    NUMBER,
    TEXT,
    WORD,
    Schema,
    described,
    object_of,
    or_null,
)

__all__ = ["FORMAT", "session_report"]

FORMAT: Final = "croupier-session/1"

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The shares at which a spread is told."""


_WHOLE: Final[Schema] = {"type": "integer"}
_SOME: Final[Schema] = {"type": "integer", "minimum": 1}
_SHARE: Final[Schema] = {"type": "number", "minimum": 0, "maximum": 1}
_LENGTHS: Final[Schema] = {
    "type": "object",
    "propertyNames": {"pattern": "^[1-9][0-9]?$"},
    "additionalProperties": _SOME,
}


def _spread() -> Schema:
    return object_of(
        {
            "mean": NUMBER,
            "standard_deviation": {"type": "number", "minimum": 0},
            "least": _WHOLE,
            "most": _WHOLE,
            "quantiles": described(
                "By a share: the least value that so many of them do not surpass.",
                object_of({f"{share:g}": _WHOLE for share in QUANTILES}),
            ),
        }
    )


def _ended() -> Schema:
    return object_of({"sessions": COUNT, "share": _SHARE, "low_99": _SHARE, "high_99": _SHARE})


def _result() -> Schema:
    spread = _spread()
    more = object_of(
        {
            "standard_error_cents": {"type": "number", "minimum": 0},
            "ahead": _SHARE,
            "even": _SHARE,
            "behind": _SHARE,
        }
    )
    return object_of(spread["properties"] | more["properties"])


def _wager() -> Schema:
    return object_of(
        {
            "id": WORD,
            "title": WORD,
            "least_cents": _SOME,
            "most_cents": or_null(_SOME),
            "step_cents": described("Of what a stake is a multiple.", _SOME),
        }
    )


def _dealt() -> Schema:
    results = {"player_wins": COUNT, "banker_wins": COUNT, "ties": COUNT}
    by_shoe = {
        "shoes": _SOME,
        "rounds": _spread(),
        **dict.fromkeys(results, _spread()),
        "begun": described("How many of the shoes the bettor played, whole or in part.", COUNT),
        "net_cents": described("What those brought him.", _spread()),
    }
    return object_of({"rounds": COUNT, **results, "by_shoe": or_null(object_of(by_shoe))})


def _streaks() -> Schema:
    return object_of(
        {
            "streaks": COUNT,
            "mean_length": or_null(NUMBER),
            "longest": COUNT,
            "by_length": described("How many streaks by length; 64 stands for more too.", _LENGTHS),
            "cut_off": described("The same of those that the end of a shoe cut off.", _LENGTHS),
        }
    )


def _theory() -> Schema:
    return object_of(
        {
            "expected_net_cents": described("What all stakes bring by the exact odds.", FRACTION),
            "expected_per_session_cents": NUMBER,
            "edge": or_null(NUMBER),
            "difference_per_session_cents": NUMBER,
            "standard_error_cents": {"type": "number", "minimum": 0},
            "z": or_null(NUMBER),
        }
    )


def session_report() -> Schema:
    """Return the schema of a report as ``croupier session --format json`` gives it.

    >>> session_report()["title"], session_report()["properties"]["seed"]["type"]
    ('croupier-session/1', 'integer')
    """
    totals = ("rounds", "bets", "rounds_ahead", "rounds_behind", "fitted", "staked_cents")
    return {
        "$schema": DIALECT,
        "title": FORMAT,
        "description": "What became of a bankroll over sessions of a betting system.",
        **object_of(
            {
                "format": {"const": FORMAT},
                "law": WORD,
                "title": TEXT,
                "rules_hash": HASH,
                "warnings": {"type": "array", "items": WORD},
                "reproduce": TEXT,
                "system": WORD,
                "wagers": {"type": "array", "items": _wager(), "minItems": 1},
                "unit_cents": _SOME,
                "bankroll_cents": _SOME,
                "goal_cents": or_null(_SOME),
                "shoes_asked": or_null(_SOME),
                "rounds_asked": or_null(_SOME),
                "shoe_cards": _SOME,
                "behind": or_null(COUNT),
                "seed": COUNT,
                "sessions_asked": _SOME,
                "sessions": COUNT,
                "complete": {"type": "boolean"},
                "result": described("What sessions won or lost, in cents.", _result()),
                "ruin": _ended(),
                "goal": or_null(_ended()),
                "drawdown_cents": _spread(),
                "greatest_stake_cents": _spread(),
                "longest_losing_run": _spread(),
                "time": object_of(
                    {
                        "rounds_per_hour": {"type": "number", "exclusiveMinimum": 0},
                        "rounds": _spread(),
                        "mean_hours": {"type": "number", "minimum": 0},
                    }
                ),
                "totals": object_of({**dict.fromkeys(totals, COUNT), "net_cents": _WHOLE}),
                "theory": _theory(),
                "dealt": described("All rounds dealt, also after the bettor had left.", _dealt()),
                "streaks": object_of({"player": _streaks(), "banker": _streaks()}),
            }
        ),
    }
