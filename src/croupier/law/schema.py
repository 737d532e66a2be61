"""JSON Schema of a law file, from the keys of its tables and the contracts of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from croupier.law.contracts import Contract, contracts, is_open
from croupier.law.fields import (
    AMENDMENT_KEYS,
    CLAUSE_KEYS,
    CONSTRAINT_KEYS,
    CONSTRAINT_TERMS,
    CORRECTION_KEYS,
    CURRENCY_KEYS,
    INSTRUMENT_KEYS,
    OFFICE_KEYS,
    RULE_KEYS,
    SOURCE_KEYS,
    Keys,
)
from croupier.law.laying_out import contract_in_words
from croupier.law.mechanisms import MECHANISM_KEYS, NAME
from croupier.law.model import ClauseClass, ConstraintKind, Disposition
from croupier.law.usage import MAX_WHOLE
from croupier.law.values import MAX_COUNT, Kind

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string", "pattern": r"\S"}
_WORDS: Final[Schema] = {"type": "array", "minItems": 1, "items": _TEXT}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": MAX_COUNT}
_MONEY: Final[Schema] = {
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": MAX_WHOLE},
        {"type": "string", "pattern": r"^[0-9]{1,12}(\.[0-9]{2})?$"},
    ]
}
_ODDS: Final[Schema] = {"type": "string", "pattern": "^[1-9][0-9]{0,5}:[1-9][0-9]{0,5}$"}
_RATE: Final = r"^((0?[0-9]{1,2}(\.[0-9]{1,4})?|100(\.0{1,4})?)%|[0-9]{1,64}/[1-9][0-9]{0,63})$"


def _rows(row: Schema) -> Schema:
    return {"type": "object", "minProperties": 1, "additionalProperties": row}


_VALUES: Final[Mapping[Kind, Schema | bool]] = {
    Kind.COUNT: _COUNT,
    Kind.MONEY: _MONEY,
    Kind.ODDS: _ODDS,
    Kind.RATE: {"type": "string", "pattern": _RATE},
    Kind.FLAG: {"type": "boolean"},
    Kind.WORD: _TEXT,
    Kind.TEXT: _TEXT,
    Kind.WORDS: _TEXT,
    Kind.TABLE: _rows({"anyOf": [_COUNT, _TEXT]}),
    Kind.PAYTABLE: _rows(_ODDS),
    Kind.AWARDS: _rows(_MONEY),
    Kind.WAGER: {"type": "object", "minProperties": 1},
    Kind.ORDER: _WORDS,
    Kind.GROUPS: {"type": "array", "minItems": 1, "items": _WORDS},
    Kind.PROCEDURE: False,
}
"""The notation of a value of each kind; a procedure has none."""


def law_file(titles: Mapping[str, str]) -> Schema:
    """Return the schema of a law file. ``titles`` are what the included laws call each rule."""
    lists = {
        "amendment": _table(AMENDMENT_KEYS, ("on", "sections"), sections={"minItems": 1}),
        "correction": _table(CORRECTION_KEYS, tuple(CORRECTION_KEYS), of={"minItems": 1}),
        "clause": _clause(),
        "rule": _rule(titles),
        "constraint": _constraint(),
        "mechanism": _table(MECHANISM_KEYS, tuple(MECHANISM_KEYS), id={"pattern": f"^{NAME}$"}),
    }
    tables = {name: {"type": "array", "items": item} for name, item in lists.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Law file",
        "description": "A regulation of one game as of a date: a TOML file, here as JSON.",
        "type": "object",
        "properties": {
            "instrument": _table(INSTRUMENT_KEYS, tuple(INSTRUMENT_KEYS)),
            "source": _table(SOURCE_KEYS, ()),
            "currency": _currency(),
            "offices": _table(OFFICE_KEYS, ()),
            **tables,
        },
        "required": ["instrument"],
        "additionalProperties": False,
    }


def _table(keys: Keys, required: tuple[str, ...], **more: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {key: {**form.schema, **more.get(key, {})} for key, form in keys.items()},
        "required": list(required),
        "additionalProperties": False,
    }


def _currency() -> Schema:
    chips = {"minItems": 1, "items": _MONEY}
    integer = {"not": {"type": "string", "pattern": r"\."}}
    return _table(CURRENCY_KEYS, ("code", "sign", "decimals"), chips=chips) | {
        "if": {"properties": {"decimals": {"const": 0}}},
        "then": {"properties": {"chips": {"items": integer}}},
    }


def _clause() -> Schema:
    words = {
        "class": {"enum": [member.value for member in ClauseClass]},
        "disposition": {"enum": [member.value for member in Disposition if member.is_written]},
        "standing": {"enum": ["substitute", "unverified"]},
    }
    requirements = {"disposition": ["reason"], "reason": ["disposition"]}
    meanwhile = {
        "properties": {"meanwhile": {"enum": ["by-hand", "refuse"]}},
        "required": ["meanwhile"],
    }
    physical = {"properties": {"class": {"const": ClauseClass.PHYSICAL.value}}}
    unsupported = {
        "properties": {"disposition": {"const": "unsupported"}},
        "required": ["disposition"],
    }
    conditions = {"anyOf": [physical, unsupported, {"required": ["on_site"]}]}
    return _table(CLAUSE_KEYS, ("id", "says", "class"), **words) | {
        "dependentRequired": requirements,
        "dependentSchemas": {
            "applies_when": conditions,
            "on_site": {"not": {"required": ["disposition"]}},
        },
        "if": unsupported,
        "then": meanwhile,
        "else": {"properties": {"meanwhile": False}},
    }


def _constraint() -> Schema:
    words = {
        "kind": {"enum": [kind.value for kind in ConstraintKind]},
        "across": {"enum": ["pit", "licensee"]},
        "moment": {"enum": ["round", "submission"]},
    }
    kinds = [
        {
            "if": {"properties": {"kind": {"const": kind.value}}, "required": ["kind"]},
            "then": {
                "allOf": [
                    {"anyOf": [{"required": [key]} for key in group]} for group in terms.needed
                ],
                "properties": dict.fromkeys(sorted({*CONSTRAINT_KEYS} - terms.allowed), False),
            },
        }
        for kind, terms in CONSTRAINT_TERMS.items()
    ]
    return _table(CONSTRAINT_KEYS, ("id", "kind", "says"), **words) | {"allOf": kinds}


def _rule(titles: Mapping[str, str]) -> Schema:
    ids = [
        {
            "const": rule_id,
            "description": f"{titles.get(rule_id, '')} ({contract_in_words(contract)})".strip(),
        }
        for rule_id, contract in contracts().rules.items()
    ]
    words: Schema = {
        "kind": {"enum": [kind.value for kind in Kind]},
        "standing": {"enum": ["substitute", "silent"]},
        # Any other id is permitted to wagers and variants of the file; editors offer these.
        "id": {"anyOf": [*ids, {"type": "string", "minLength": 1}]},
        "choices": {"minItems": 1},
        "between": {"minItems": 2, "maxItems": 2},
    }
    return _table(RULE_KEYS, ("id", "kind", "title"), **words) | {
        "allOf": [*map(_of_kind, Kind), *_by_contract()]
    }


def _of_kind(kind: Kind) -> Schema:
    value = _VALUES[kind]
    consequence: Schema = {
        "properties": {
            "value": value,
            "at_least": value,
            "choices": {"items": value},
            "between": {"items": value},
            "value_by_reading": {"additionalProperties": value},
        }
    }
    if not is_open("", kind):
        keys = ("value", "choices", "at_least", "between", "at_least_any", "one_of")
        rule_ids = [rule_id for rule_id in contracts().rules if is_open(rule_id, kind)]
        consequence["anyOf"] = [
            *({"required": [key]} for key in keys),
            {"properties": {"id": {"enum": rule_ids}}, "required": ["id"]},
        ]
    return {
        "if": {"properties": {"kind": {"const": kind.value}}, "required": ["kind"]},
        "then": consequence,
    }


def _by_contract() -> Iterator[Schema]:
    """Yield a condition for all rules that have the same contract but for who needs them."""
    groups: dict[str, tuple[Schema, list[str]]] = {}
    for rule_id, contract in contracts().rules.items():
        consequence = _contract(contract)
        groups.setdefault(repr(consequence), (consequence, []))[1].append(rule_id)
    for consequence, ids in groups.values():
        yield {"if": {"properties": {"id": {"enum": ids}}, "required": ["id"]}, "then": consequence}


def _contract(contract: Contract) -> Schema:
    properties: Schema = {"kind": {"const": contract.kind.value}}
    required = ["value"] if contract.fixed else []
    if contract.by == "licensee":
        properties["by"] = {"const": "licensee"}
    else:
        properties["by"] = {"const": contract.by}
        required += ["by"] if contract.by == "layout" else ["by", "at_least"]
    value: Schema = {}
    if contract.only is not None:
        value = {"const": contract.only}
    elif contract.words:
        words = {"enum": list(contract.words)}
        value = {"items": words} if contract.kind is Kind.ORDER else words
    cell = {"pattern": f"^(?:{contract.pattern})$"} if contract.pattern else {}
    if contract.rows:
        value["required"] = list(contract.rows)
        cells = {row: {"pattern": f"^(?:{text})$"} for row, text in contract.row_patterns.items()}
        value["properties"] = dict.fromkeys(contract.rows, cell) | cells
    if contract.rows or cell:
        value["additionalProperties"] = False if contract.rows else cell
    if value:
        properties |= {"value": value, "choices": {"items": value}}
        properties["value_by_reading"] = {"additionalProperties": value}
    consequence: Schema = {"properties": properties, "required": required}
    if contract.allowed and contract.by == "licensee" and contract.kind is not Kind.ORDER:
        consequence["anyOf"] = [{"required": ["value"]}, {"required": ["choices"]}]
    return consequence
