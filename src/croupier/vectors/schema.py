"""The JSON Schemas of every file of a set of vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from croupier.baccarat.wagers import WAGERS
from croupier.records.schemas import table_log
from croupier.table import TableState
from croupier.vectors.plain import UNTOLD

__all__ = ["FILES", "FORMAT", "SCHEMAS"]

Schema = dict[str, Any]

_VERSION: Final = 1

FORMAT: Final = f"croupier-vectors/{_VERSION}"
"""The format of a set of vectors, as its manifest names it."""

_TOPICS: Final = ("rules", "deals", "settlement", "rounding", "procedures", "refusals")

FILES: Final[Mapping[str, str]] = {
    topic: f"croupier-vectors-{topic}/{_VERSION}" for topic in _TOPICS
}
"""The format of the file of each topic, which its schema is named after."""

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_LOG: Final = "table-log.schema.json#/$defs"
"""Commands and events are those of a table log; its schema stands beside these."""


def _object(properties: Mapping[str, object], *, optional: tuple[str, ...] = ()) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _told(description: str, schema: Schema) -> Schema:
    return schema | {"description": description}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_TEXT: Final[Schema] = {"type": "string"}
_WORD: Final[Schema] = {"type": "string", "pattern": r"\S"}
_FLAG: Final[Schema] = {"type": "boolean"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_CENTS: Final[Schema] = {"type": "integer"}
_HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_PAIR: Final[Schema] = _list({"type": "integer", "minimum": 1}) | {"minItems": 2, "maxItems": 2}
_POINT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 9}
_CLAUSES: Final[Schema] = _list(_WORD)
_CARDS: Final[Schema] = {"type": "string", "pattern": "^[A2-9TJQK][shdc]( [A2-9TJQK][shdc])*$"}
_HAND: Final[Schema] = {"enum": ["player", "banker"]}
_WINNER: Final[Schema] = {"enum": ["player", "banker", "tie"]}
_WAGER: Final[Schema] = {"enum": list(WAGERS)}
_OUTCOME: Final[Schema] = {"enum": ["win", "lose", "push"]}
_METERS: Final[Schema] = _told("What each progressive meter shows, in cents.", _map(_COUNT))

_AMOUNTS: Final[Schema] = {
    "returned_cents": _told("Chips of the stake that go back to the patron.", _COUNT),
    "won_cents": _told("What he is paid beside it.", _COUNT),
    "vigorish_cents": _told("What he owes on it, at once or marked for later.", _COUNT),
    "net_cents": _told("Returned plus won less stake and vigorish.", _CENTS),
}


def _file(topic: str, description: str, properties: Mapping[str, object]) -> Schema:
    return {
        "$schema": _DIALECT,
        "title": FILES[topic],
        "description": description,
        **_object({"format": {"const": FILES[topic]}, **properties}),
    }


# --- the manifest and the rules ----------------------------------------------------------------


def _manifest() -> Schema:
    formats = {"enum": list(FILES.values())}
    file = _object(
        {
            "name": _told("Where it stands, from the manifest's folder on.", _WORD),
            "schema": _told("Its format; null for a schema.", _or_null(formats)),
            "bytes": _COUNT,
            "sha256": _HASH,
            "counts": _told("How many rows each of its lists has.", _map(_COUNT)),
        }
    )
    source = _object({"file": _WORD, "sha256": _told("Of the file's bytes.", _HASH)})
    return {
        "$schema": _DIALECT,
        "title": FORMAT,
        "description": "What a set of conformance vectors is made from, and its files.",
        **_object(
            {
                "format": {"const": FORMAT},
                "made_by": _WORD,
                "law": _WORD,
                "law_title": _WORD,
                "in_force_from": {"type": "string", "format": "date"},
                "law_sha256": _HASH,
                "rules_sha256": _HASH,
                "submission": _told("Null for the plain game of a law.", _or_null(source)),
                "title": _TEXT,
                "readings": _told("What is read into the text, by interpretation.", _map(_TEXT)),
                "warnings": _list(_WORD),
                "gaps": _told("What the rules have room for and no vector reaches.", _list(_WORD)),
                "files": _list(file),
            }
        ),
    }


def _rules() -> Schema:
    draws = {"type": "string", "pattern": "^[DS]{10}$"}
    rows = {"type": "string", "pattern": "^[DS]{11}$"}
    canonical = _told(
        "The rules in one way of writing: rules_sha256 is the SHA-256 of this object as UTF-8 JSON"
        " with sorted keys, without blanks, and with all but ASCII escaped.",
        {
            "type": "object",
            "required": ["law", "in_force_from", "rules", "procedures", "layout", "limits"],
            "properties": {
                "rules": _map(_object({"value": {}, "cites": _CLAUSES})),
                "readings": _map(_TEXT),
            },
        },
    )
    tableau = _object(
        {
            "player": _told("D draws, S stays: by the count of Player's two cards.", draws),
            "banker": _told(
                "By the count of Banker's two cards: a letter for each value of Player's third"
                " card, 0 to 9, and one where he has none.",
                _list(rows) | {"minItems": 10, "maxItems": 10},
            ),
        }
    )
    return _file(
        "rules",
        "All that the table is bound by.",
        {"rules_sha256": _HASH, "canonical": canonical, "tableau": tableau},
    )


# --- the deal ----------------------------------------------------------------------------------


def _deals() -> Schema:
    hand = _object({"values": _list(_POINT), "point_count": _POINT, "natural": _FLAG})
    cell = _object(
        {
            "hand": _HAND,
            "by": {"enum": ["natural", "table"]},
            "point_count": _told("Of the hand's two cards.", _or_null(_POINT)),
            "third": _told("Value of Player's third card; null without one.", _or_null(_POINT)),
            "draws": _FLAG,
            "clauses": _CLAUSES,
        }
    )
    round_ = _object(
        {
            "cards": _told("In the order in which they left the shoe.", _CARDS),
            "player": _CARDS,
            "banker": _CARDS,
            "player_count": _POINT,
            "banker_count": _POINT,
            "winner": _WINNER,
            "player_cell": _told("Which of cells ruled on Player's third card.", _COUNT),
            "banker_cell": _told("Which of cells ruled on Banker's.", _COUNT),
            "result": _told("Which of results has the clauses of the announcement.", _COUNT),
        }
    )
    return _file(
        "deals",
        "Every start of two hands by value, and all that may follow it.",
        {
            "hands": _told("Every two cards of a hand by value.", _list(hand)),
            "cells": _told("Every ruling on a third card.", _list(cell)),
            "results": _list(_object({"clauses": _CLAUSES})),
            "rounds": _list(round_),
        },
    )


# --- money -------------------------------------------------------------------------------------


def _pays() -> Schema:
    keeps = _told("Whether the house keeps the stake.", _FLAG)
    forms = [
        _object({"odds": _told("How much for how much staked.", _PAIR)}),
        _object({"cents": _COUNT, "keeps_stake": keeps}),
        _object({"meter": _WORD, "keeps_stake": keeps}),
        {"type": "null"},
    ]
    return {"anyOf": forms}


def _settlement() -> Schema:
    ground = _object(
        {"line": _WORD, "outcome": _OUTCOME, "pays": _pays(), "clauses": _CLAUSES},
    )
    wager = _object(
        {
            "title": _WORD,
            "least_cents": _or_null(_COUNT),
            "most_cents": _or_null(_COUNT),
            "unit_cents": _told("What every stake must be a multiple of.", _COUNT),
            "unit_clauses": _CLAUSES,
            "chairs": _told("A combination of the bettor's own, by seat.", _map(_TEXT)),
            "grounds": _told("Every way in which it can be decided.", _map(ground)),
        }
    )
    vigorish = _object(
        {
            "scheme": _WORD,
            "win_rate": _or_null(_PAIR),
            "tie_rate": _or_null(_PAIR),
            "waived_by_total_cards": _FLAG,
            "rounding_unit_cents": _or_null(_COUNT),
            "deferred": _FLAG,
            "clauses": _CLAUSES,
            "rounding_clauses": _CLAUSES,
            "waiver_clauses": _CLAUSES,
        }
    )
    facts = _object(
        {
            "player_count": _POINT,
            "banker_count": _POINT,
            "player_cards": _COUNT,
            "banker_cards": _COUNT,
            "player_pair": _FLAG,
            "banker_pair": _FLAG,
            "player_royal": _TEXT,
            "banker_royal": _TEXT,
            "winner": _WINNER,
        }
    )
    settled = _object(
        {"seat": _COUNT, "stake_cents": _COUNT, "ground": _WORD, "outcome": _OUTCOME, **_AMOUNTS}
    )
    row = _object({"cards": _CARDS, "facts": facts, "settled": _map(_list(settled))})
    return _file(
        "settlement",
        "Every wager, settled for every class of facts; each stake alone on the layout.",
        {"wagers": _map(wager), "vigorish": vigorish, "meters": _METERS, "classes": _list(row)},
    )


def _rounding() -> Schema:
    stakes = _map(_CENTS) | {"propertyNames": _WAGER}
    row = _object(
        {
            "wager": _WAGER,
            "beside": _told("What else the patron has wagered.", stakes),
            "chips_cents": _CENTS,
            "coupon_cents": _told("Of a match play coupon beside the chips.", _CENTS),
            "taken": _told("Whether the table takes it.", _FLAG),
            "refused": _refused(),
            "settled": _told("By ground, where it is taken.", _map(_object(_AMOUNTS))),
        },
        optional=("refused", "settled"),
    )
    waiver = _object(
        {
            "stakes": stakes,
            "ground": _told("How Banker was decided.", _WORD),
            "waived": _FLAG,
            "clauses": _CLAUSES,
            **_AMOUNTS,
        }
    )
    return _file(
        "rounding",
        "Which stakes are taken, and what they win and owe to the cent.",
        {"meters": _METERS, "stakes": _list(row), "waivers": _list(waiver)},
    )


# --- procedure ---------------------------------------------------------------------------------


def _refused() -> Schema:
    return _object({"code": _WORD, "clauses": _CLAUSES, "message": _WORD})


def _command() -> Schema:
    return {"$ref": f"{_LOG}/entry/properties/command"}


def _events() -> Schema:
    return {"$ref": f"{_LOG}/entry/properties/events"}


def _steps() -> Schema:
    step = _object(
        {"command": _command(), "events": _events(), "refused": _refused()},
        optional=("events", "refused"),
    )
    return _list(step)


def _state(*, whole: bool) -> Schema:
    names = [one.name for one in fields(TableState) if one.name not in UNTOLD]
    return _object({name: {} for name in names}, optional=() if whole else tuple(names))


def _procedures() -> Schema:
    start = _object(
        {
            "name": _WORD,
            "after": _told("The start it goes on from; null: a new table.", _or_null(_WORD)),
            "given": _told("Whether part of the state is set by hand.", _FLAG),
            "steps": _steps(),
            "state": _state(whole=True),
        }
    )
    scenario = _object(
        {
            "name": _WORD,
            "start": _WORD,
            "steps": _steps(),
            "changed": _told("What differs from the state at the start.", _state(whole=False)),
        }
    )
    act = _object({"start": _WORD, "command": _command(), "events": _events()})
    unseen = _object({"event": _WORD, "why": _or_null(_WORD)})
    return _file(
        "procedures",
        "Whole rounds, irregularities played to their end, and every act by itself.",
        {
            "starts": _list(start),
            "scenarios": _list(scenario),
            "acts": _list(act),
            "not_seen": _told("Events that do not come about here, and why.", _list(unseen)),
        },
    )


def _refusals() -> Schema:
    row = _object(
        {"start": _WORD, "command": _command(), "refused": _refused(), "place": _WORD},
    )
    missed = _object({"place": _WORD, "why": _or_null(_WORD)})
    return _file(
        "refusals",
        "What the table refuses: at a start, a command, its code and its clauses.",
        {
            "asked": _told("How many commands were tried at all starts together.", _COUNT),
            "places": _told("Places in the code that refuse and were reached.", _list(_WORD)),
            "not_reached": _told("Those that were not, and why.", _list(missed)),
            "refusals": _list(row),
        },
    )


SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "vectors-manifest": _manifest,
    "vectors-rules": _rules,
    "vectors-deals": _deals,
    "vectors-settlement": _settlement,
    "vectors-rounding": _rounding,
    "vectors-procedures": _procedures,
    "vectors-refusals": _refusals,
    "table-log": table_log,
}
"""Every schema of a set of vectors, and that of the table log, by the name that it is asked for."""
