"""Custom wager files: read, checked against the rounds that a table can deal, and their schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from croupier.baccarat.wagers import FACTS, SIGNS, ByFacts, Fact
from croupier.files.errors import FileError
from croupier.files.toml import Toml, read_toml
from croupier.odds.chances import census_of
from croupier.odds.shoe import ShoeComposition
from croupier.rules import CustomWagerError, Offer, TableRules, wager_of

MOST_TABLE_DECKS: Final = 8
"""With this many decks, every round is possible that more decks allow."""


def read_wager(path: Path, rules: TableRules | None = None) -> Offer:
    """With ``rules``, every line must be possible. Raises ``CustomWagerError`` with every error."""
    try:
        file = read_toml(path)
    except FileError as error:
        raise CustomWagerError(error.errors) from error
    offer = wager_of(file)
    if rules is not None and (errors := _dead_lines(offer, rules, file)):
        raise CustomWagerError(errors)
    return offer


def _dead_lines(offer: Offer, rules: TableRules, file: Toml) -> list[str]:
    decide = offer.wager.line_of
    if not isinstance(decide, ByFacts):
        return []
    facts = list(census_of(ShoeComposition.of_decks(MOST_TABLE_DECKS), rules, offer.wager.asks))
    errors = []
    hit = [
        frozenset(at for at, one in enumerate(facts) if when.holds(one)) for _, when in decide.lines
    ]
    for number, outcomes in enumerate(hit):
        earlier = [at for at, other in enumerate(hit[:number]) if other & outcomes]
        is_dead = outcomes <= frozenset[int]().union(*(hit[at] for at in earlier))
        if not outcomes:
            message = "it can never be hit: no round comes to that"
        elif is_dead:
            lines = " and ".join(f"line {at + 1}" for at in earlier)
            message = f"it can never be hit: {lines} always hit first"
        else:
            continue
        errors.append(f"{file.place(f'line[{number + 1}].when')}: line {number + 1}: {message}")
    return errors


_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAME = "[A-Za-z0-9_]+"
_AMOUNT = "^[0-9]+([.][0-9]{2})?$"


def own_wager() -> dict[str, Any]:
    return {
        "$schema": _DIALECT,
        "title": "Custom wager",
        "type": "object",
        "properties": {
            "wager": _object(
                {
                    "id": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
                    "title": {"type": "string", "minLength": 1},
                    "source": {
                        "type": "string",
                        "description": "Where its pay table is published.",
                    },
                    "stake": {"type": "string", "pattern": _AMOUNT},
                    "limits": {
                        "type": "array",
                        "minItems": 2,
                        "maxItems": 2,
                        "items": {"type": ["string", "integer"]},
                        "description": "The minimum and maximum stake, in the law's currency.",
                    },
                    "award_is": {"enum": ["to-one", "for-one"]},
                },
                "id",
                "title",
            ),
            "meter": {
                "type": "object",
                "additionalProperties": _object(
                    {
                        "seed": {"type": "string", "pattern": _AMOUNT},
                        "increment": {"type": "string", "pattern": "^[0-9]+([.][0-9]+)?%$"},
                    },
                    "seed",
                ),
            },
            "line": {"type": "array", "minItems": 1, "items": _line()},
        },
        "required": ["wager", "line"],
        "additionalProperties": False,
        "$defs": {"when": _when()},
    }


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _line() -> dict[str, Any]:
    return _object(
        {
            "name": {"type": "string", "not": {"enum": ["lose", "push"]}},
            "when": {"$ref": "#/$defs/when"},
            "pays": {
                "anyOf": [
                    {"const": "push"},
                    {"type": "string", "pattern": "^[1-9][0-9]*:[1-9][0-9]*$"},
                    {"type": "string", "pattern": "^[$][0-9,]+([.][0-9]{2})?$"},
                    _object({"meter": {"type": "string"}}, "meter"),
                ]
            },
        },
        "when",
        "pays",
    )


def _when() -> dict[str, Any]:
    inner = {"$ref": "#/$defs/when"}
    list_schema = {"type": "array", "minItems": 1, "items": inner}
    return {
        "type": "object",
        "minProperties": 1,
        "properties": {
            **{name: _fact(fact) for name, fact in FACTS.items()},
            "any": list_schema,
            "all": list_schema,
            "not": inner,
        },
        "patternProperties": {
            rf"^{_NAME}( *({'|'.join(SIGNS)}) *{_NAME})+$": {"type": "boolean"},
        },
        "additionalProperties": False,
    }


def _fact(fact: Fact) -> dict[str, Any]:
    values = {"enum": list(fact.values)}
    found = [values, {"type": "array", "minItems": 1, "items": values}]
    return {"anyOf": [*found, _object({"from": values, "to": values}, "from", "to")]}
