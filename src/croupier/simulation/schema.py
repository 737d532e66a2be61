"""The JSON Schema of what a simulation tells. It imports nothing that is compiled."""

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
from croupier.odds.schema import PAYS

__all__ = ["FORMAT", "simulation_report"]

FORMAT: Final = "croupier-simulation/1"

_ERROR: Final[Schema] = {"type": "number", "minimum": 0}
_SOME: Final[Schema] = {"type": "integer", "minimum": 1}


def _between(low: Schema, high: Schema) -> Schema:
    return {"type": "array", "prefixItems": [low, high], "minItems": 2, "maxItems": 2}


def _bet() -> dict[str, Schema]:
    return {
        "id": described("The wager, or the package, as --wager and --until name it.", WORD),
        "title": WORD,
        "edge": described("What the house kept of a unit staked, in the mean.", NUMBER),
        "edge_percent": NUMBER,
        "standard_error": _ERROR,
        "interval": described("The 99% interval of the house edge.", _between(NUMBER, NUMBER)),
        "exact_edge": described("The exact house edge of a first round.", FRACTION),
        "exact_edge_percent": NUMBER,
        "z": described(
            "Standard errors from the exact house edge; null where nothing varies.",
            or_null(NUMBER),
        ),
        "design_effect": described(
            "The variance of the mean over that of as many independent rounds.", _ERROR
        ),
    }


def _line() -> Schema:
    return object_of(
        {
            "outcome": WORD,
            "pays": described("What it pays for each unit staked, vigorish deducted.", PAYS),
            "rounds": described("In how many rounds it came.", COUNT),
            "frequency": {"type": "number", "minimum": 0, "maximum": 1},
            "probability": described("Its exact probability in a first round.", SHARE),
        }
    )


def _census() -> Schema:
    told = object_of(
        {
            "cells": described("Cells that are compared; some stand for several.", _SOME),
            "pooled": described(
                "Rare cells that were taken together, until five rounds are expected.", COUNT
            ),
            "chi_square": described("Pearson's statistic.", _ERROR),
            "design_effect": described("The mean design effect of the cells.", _ERROR),
            "corrected": described("The statistic over the design effect: what is read.", _ERROR),
            "degrees_of_freedom": _SOME,
            "bounds": described(
                "Between what it lies 999 times in 1,000.", _between(_ERROR, _ERROR)
            ),
            "p": described(
                "How likely chance is to take it so far, or farther.",
                {"type": "number", "minimum": 0, "maximum": 1},
            ),
            "impossible": described(
                "Coups that the law cannot give, and that were dealt.",
                list_of({"type": "object"}),
            ),
        }
    )
    return object_of(
        {
            "facts": described("Which facts of a coup make its cells.", WORD),
            "told": described("null where there are too few rounds.", or_null(told)),
        }
    )


def _rounds_per_shoe() -> Schema:
    return object_of(
        {
            "shoes": described("Shoes that came to their end.", _SOME),
            "mean": NUMBER,
            "standard_error": _ERROR,
            "standard_deviation": _ERROR,
            "least": _SOME,
            "most": _SOME,
        }
    )


def _until() -> Schema:
    return object_of(
        {
            "wager": WORD,
            "within": described("How far the 99% interval may reach from the mean.", _ERROR),
            "reached": {"type": "boolean"},
        }
    )


def simulation_report() -> Schema:
    """Return the schema of a simulation as ``croupier simulate --format json`` gives it.

    >>> simulation_report()["title"], simulation_report()["properties"]["seed"]["maximum"]
    ('croupier-simulation/1', 18446744073709551615)
    """
    ranks = object_of(dict.fromkeys((rank.value for rank in Rank), COUNT))
    return {
        "$schema": DIALECT,
        "title": FORMAT,
        "description": "What a simulation tells: every bet, and the census. Fractions as n/d.",
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
                "shoe": object_of({"cards": {"type": "integer", "minimum": 6}, "by_rank": ranks}),
                "device": {"enum": ["shoe", "continuous"]},
                "cards_behind": described(
                    "Cards behind the cutting card; null for a continuous device.", or_null(COUNT)
                ),
                "engine": described("Which engine dealt: it names the result with the seed.", WORD),
                "seed": {"type": "integer", "minimum": 0, "maximum": 2**64 - 1},
                "rounds_asked": _SOME,
                "rounds": _SOME,
                "shoes": described("Shoes that came to their end.", COUNT),
                "ended": {"enum": ["rounds", "precision", "interrupted"]},
                "until": list_of(_until()),
                "reproduce": described("The command that gives the same again.", TEXT),
                "warnings": list_of(WORD),
                "interpretations": described("Every reading that the rules rest on.", TEXTS),
                "notes": described("What must be known to read the figures.", list_of(WORD)),
                "rounds_per_shoe": described(
                    "null for a continuous device, and where no shoe came to its end.",
                    or_null(_rounds_per_shoe()),
                ),
                "wagers": list_of(object_of(_bet() | {"lines": list_of(_line())})),
                "packages": list_of(object_of(_bet())),
                "censuses": list_of(_census()),
            }
        ),
    }
