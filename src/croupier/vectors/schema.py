"""The JSON Schemas of every file of a set of vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Final

from croupier.baccarat.coup import WINNERS
from croupier.baccarat.hand import Hand
from croupier.baccarat.wagers import WAGERS
from croupier.json_schema import (
    COUNT,
    DIALECT,
    HASH,
    TEXT,
    WORD,
    Schema,
    described,
    list_of,
    or_null,
)
from croupier.records.schemas import table_log
from croupier.table import TableState
from croupier.table.core import SLICES
from croupier.vectors.plain import UNTOLD

__all__ = ["FILES", "FORMAT", "SCHEMAS"]

_VERSION: Final = 1

FORMAT: Final = f"croupier-vectors/{_VERSION}"
"""The format of a set of vectors, as its manifest names it."""

_TOPICS: Final = ("rules", "deals", "settlement", "rounding", "procedures", "refusals")

FILES: Final[Mapping[str, str]] = {
    topic: f"croupier-vectors-{topic}/{_VERSION}" for topic in _TOPICS
}
"""The format of the file of each topic, which its schema is named after."""

_LOG: Final = "table-log.schema.json#/$defs"
"""Commands and events are those of a table log; its schema stands beside these."""


def _object(properties: Mapping[str, object], *, optional: tuple[str, ...] = ()) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


_FLAG: Final[Schema] = {"type": "boolean"}
_CENTS: Final[Schema] = {"type": "integer"}
_PAIR: Final[Schema] = list_of({"type": "integer", "minimum": 1}) | {"minItems": 2, "maxItems": 2}
_POINT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 9}
_CLAUSES: Final[Schema] = list_of(WORD)
_CARDS: Final[Schema] = {"type": "string", "pattern": "^[A2-9TJQK][shdc]( [A2-9TJQK][shdc])*$"}
_HAND: Final[Schema] = {"enum": [hand.value for hand in Hand]}
_WINNER: Final[Schema] = {"enum": list(WINNERS)}
_WAGER: Final[Schema] = {"enum": list(WAGERS)}
_OUTCOME: Final[Schema] = {"enum": ["win", "lose", "push"]}
_METERS: Final[Schema] = described("What each progressive meter shows, in cents.", _map(COUNT))

_AMOUNTS: Final[Schema] = {
    "returned_cents": described("Chips of the stake that go back to the patron.", COUNT),
    "won_cents": described("What he is paid beside it.", COUNT),
    "vigorish_cents": described("What he owes on it, at once or marked for later.", COUNT),
    "net_cents": described("Returned plus won less stake and vigorish.", _CENTS),
}


def _file(topic: str, description: str, properties: Mapping[str, object]) -> Schema:
    return {
        "$schema": DIALECT,
        "title": FILES[topic],
        "description": description,
        **_object({"format": {"const": FILES[topic]}, **properties}),
    }


# --- the manifest and the rules ----------------------------------------------------------------


def _manifest() -> Schema:
    formats = {"enum": list(FILES.values())}
    file = _object(
        {
            "name": described("Where it stands, from the manifest's folder on.", WORD),
            "schema": described("Its format; null for a schema.", or_null(formats)),
            "bytes": COUNT,
            "sha256": HASH,
            "counts": described("How many rows each of its lists has.", _map(COUNT)),
        }
    )
    source = _object({"file": WORD, "sha256": described("Of the file's bytes.", HASH)})
    return {
        "$schema": DIALECT,
        "title": FORMAT,
        "description": "What a set of conformance vectors is made from, and its files.",
        **_object(
            {
                "format": {"const": FORMAT},
                "made_by": WORD,
                "law": WORD,
                "law_title": WORD,
                "in_force_from": {"type": "string", "format": "date"},
                "law_sha256": HASH,
                "rules_sha256": HASH,
                "submission": described("Null for the plain game of a law.", or_null(source)),
                "title": TEXT,
                "readings": described("What is read into the text, by interpretation.", _map(TEXT)),
                "warnings": list_of(WORD),
                "gaps": described(
                    "What the rules have room for and no vector reaches.", list_of(WORD)
                ),
                "files": list_of(file),
            }
        ),
    }


def _rules() -> Schema:
    draws = {"type": "string", "pattern": "^[DS]{10}$"}
    rows = {"type": "string", "pattern": "^[DS]{11}$"}
    canonical = described(
        "The rules in one way of writing: rules_sha256 is the SHA-256 of this object as UTF-8 JSON"
        " with sorted keys, without blanks, and with all but ASCII escaped.",
        {
            "type": "object",
            "required": ["law", "in_force_from", "rules", "procedures", "layout", "limits"],
            "properties": {
                "rules": _map(_object({"value": {}, "cites": _CLAUSES})),
                "readings": _map(TEXT),
            },
        },
    )
    tableau = _object(
        {
            "player": described("D draws, S stays: by the count of Player's two cards.", draws),
            "banker": described(
                "By the count of Banker's two cards: a letter for each value of Player's third"
                " card, 0 to 9, and one where he has none.",
                list_of(rows) | {"minItems": 10, "maxItems": 10},
            ),
        }
    )
    return _file(
        "rules",
        "All that the table is bound by.",
        {"rules_sha256": HASH, "canonical": canonical, "tableau": tableau},
    )


# --- the deal ----------------------------------------------------------------------------------


def _deals() -> Schema:
    hand = _object({"values": list_of(_POINT), "point_count": _POINT, "natural": _FLAG})
    cell = _object(
        {
            "hand": _HAND,
            "by": {"enum": ["natural", "table"]},
            "point_count": described("Of the hand's two cards.", or_null(_POINT)),
            "third": described("Value of Player's third card; null without one.", or_null(_POINT)),
            "draws": _FLAG,
            "clauses": _CLAUSES,
        }
    )
    round_ = _object(
        {
            "cards": described("In the order in which they left the shoe.", _CARDS),
            "player": _CARDS,
            "banker": _CARDS,
            "player_count": _POINT,
            "banker_count": _POINT,
            "winner": _WINNER,
            "player_cell": described("Which of cells ruled on Player's third card.", COUNT),
            "banker_cell": described("Which of cells ruled on Banker's.", COUNT),
            "result": described("Which of results has the clauses of the announcement.", COUNT),
        }
    )
    return _file(
        "deals",
        "Every start of two hands by value, and all that may follow it.",
        {
            "hands": described("Every two cards of a hand by value.", list_of(hand)),
            "cells": described("Every ruling on a third card.", list_of(cell)),
            "results": list_of(_object({"clauses": _CLAUSES})),
            "rounds": list_of(round_),
        },
    )


# --- money -------------------------------------------------------------------------------------


def _pays() -> Schema:
    keeps = described("Whether the house keeps the stake.", _FLAG)
    forms = [
        _object({"odds": described("How much for how much staked.", _PAIR)}),
        _object({"cents": COUNT, "keeps_stake": keeps}),
        _object({"meter": WORD, "keeps_stake": keeps}),
        {"type": "null"},
    ]
    return {"anyOf": forms}


def _settlement() -> Schema:
    ground = _object(
        {"line": WORD, "outcome": _OUTCOME, "pays": _pays(), "clauses": _CLAUSES},
    )
    wager = _object(
        {
            "title": WORD,
            "min_cents": or_null(COUNT),
            "max_cents": or_null(COUNT),
            "unit_cents": described("What every stake must be a multiple of.", COUNT),
            "unit_clauses": _CLAUSES,
            "chairs": described("A combination of the bettor's own, by seat.", _map(TEXT)),
            "grounds": described("Every way in which it can be decided.", _map(ground)),
        }
    )
    vigorish = _object(
        {
            "scheme": WORD,
            "win_rate": or_null(_PAIR),
            "tie_rate": or_null(_PAIR),
            "waived_by_total_cards": _FLAG,
            "rounding_unit_cents": or_null(COUNT),
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
            "player_cards": COUNT,
            "banker_cards": COUNT,
            "player_pair": _FLAG,
            "banker_pair": _FLAG,
            "player_royal": TEXT,
            "banker_royal": TEXT,
            "winner": _WINNER,
        }
    )
    settled = _object(
        {"seat": COUNT, "stake_cents": COUNT, "ground": WORD, "outcome": _OUTCOME, **_AMOUNTS}
    )
    row = _object({"cards": _CARDS, "facts": facts, "settled": _map(list_of(settled))})
    return _file(
        "settlement",
        "Every wager, settled for every class of facts; each stake alone on the layout.",
        {"wagers": _map(wager), "vigorish": vigorish, "meters": _METERS, "classes": list_of(row)},
    )


def _rounding() -> Schema:
    stakes = _map(_CENTS) | {"propertyNames": _WAGER}
    row = _object(
        {
            "wager": _WAGER,
            "beside": described("What else the patron has wagered.", stakes),
            "chips_cents": _CENTS,
            "coupon_cents": described("Of a match play coupon beside the chips.", _CENTS),
            "taken": described("Whether the table takes it.", _FLAG),
            "refused": _refused(),
            "settled": described("By ground, where it is taken.", _map(_object(_AMOUNTS))),
        },
        optional=("refused", "settled"),
    )
    waiver = _object(
        {
            "stakes": stakes,
            "ground": described("How Banker was decided.", WORD),
            "waived": _FLAG,
            "clauses": _CLAUSES,
            **_AMOUNTS,
        }
    )
    return _file(
        "rounding",
        "Which stakes are taken, and what they win and owe to the cent.",
        {"meters": _METERS, "stakes": list_of(row), "waivers": list_of(waiver)},
    )


# --- procedure ---------------------------------------------------------------------------------


def _refused() -> Schema:
    return _object({"code": WORD, "clauses": _CLAUSES, "message": WORD})


def _command() -> Schema:
    return {"$ref": f"{_LOG}/entry/properties/command"}


def _events() -> Schema:
    return {"$ref": f"{_LOG}/entry/properties/events"}


def _steps() -> Schema:
    step = _object(
        {"command": _command(), "events": _events(), "refused": _refused()},
        optional=("events", "refused"),
    )
    return list_of(step)


def _state(*, whole: bool) -> Schema:
    names = [one.name for one in fields(TableState) if one.name not in UNTOLD]
    names += [kept.name for kept in SLICES.values()]
    return _object({name: {} for name in names}, optional=() if whole else tuple(names))


def _procedures() -> Schema:
    start = _object(
        {
            "name": WORD,
            "title": described("Where the table is, in words.", TEXT),
            "after": described("The start it goes on from; null: a new table.", or_null(WORD)),
            "given": described("Whether part of the state is set by hand.", _FLAG),
            "steps": _steps(),
            "state": _state(whole=True),
        }
    )
    scenario = _object(
        {
            "name": WORD,
            "start": WORD,
            "steps": _steps(),
            "changed": described("What differs from the state at the start.", _state(whole=False)),
        }
    )
    act = _object({"start": WORD, "command": _command(), "events": _events()})
    unseen = _object({"event": WORD, "why": or_null(WORD)})
    return _file(
        "procedures",
        "Whole rounds, irregularities played to their end, and every act by itself.",
        {
            "starts": list_of(start),
            "scenarios": list_of(scenario),
            "acts": list_of(act),
            "not_seen": described("Events that do not come about here, and why.", list_of(unseen)),
        },
    )


def _refusals() -> Schema:
    row = _object(
        {"start": WORD, "command": _command(), "refused": _refused(), "place": WORD},
    )
    missed = _object({"place": WORD, "why": or_null(WORD)})
    return _file(
        "refusals",
        "What the table refuses: at a start, a command, its code and its clauses.",
        {
            "asked": described("How many commands were tried at all starts together.", COUNT),
            "places": described("Places in the code that refuse and were reached.", list_of(WORD)),
            "not_reached": described("Those that were not, and why.", list_of(missed)),
            "refusals": list_of(row),
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
