"""Parsing of fields in law file tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard, TypeVar

from croupier.files.errors import did_you_mean
from croupier.law.model import Amendment, ConstraintKind, Correction

Word = TypeVar("Word", bound=Enum)
Table: TypeAlias = Mapping[str, Any]


class FieldError(ValueError):
    def __init__(self, key: str, message: str, code: str = "shape") -> None:
        super().__init__(message)
        self.key = key
        self.code = code


class KeyForm(NamedTuple):
    """The form of a key's value; messages name it."""

    name: str
    check: Callable[[Any], bool]
    schema: Mapping[str, Any]


def _is_table(raw: Any, check: Callable[[Any], bool]) -> bool:
    return isinstance(raw, dict) and all(map(check, raw.values()))


def _is_text(raw: Any) -> bool:
    return isinstance(raw, str) and bool(raw)


def _are_texts(raw: Any) -> bool:
    return isinstance(raw, list) and all(isinstance(item, str) for item in raw)


def are_days(raw: Any) -> TypeGuard[list[date]]:
    return isinstance(raw, list) and all(type(day) is date for day in raw)


def _is_count(raw: Any) -> bool:
    return type(raw) is int and raw >= 0


def _matching(name: str, pattern: str) -> KeyForm:
    matches = re.compile(pattern).fullmatch
    return KeyForm(
        name,
        lambda raw: isinstance(raw, str) and matches(raw) is not None,
        {"type": "string", "pattern": f"^{pattern}$"},
    )


_STRINGS: Final = {"type": "array", "items": {"type": "string"}}
_DAY: Final = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}

TEXT: Final = KeyForm("a nonempty string", _is_text, {"type": "string", "minLength": 1})
TEXTS: Final = KeyForm("a list of strings", _are_texts, _STRINGS)
NAMES: Final = KeyForm(
    "a table of names",
    lambda raw: _is_table(raw, lambda one: isinstance(one, str)),
    {"type": "object", "additionalProperties": {"type": "string"}},
)
LISTS: Final = KeyForm(
    "a table of lists of strings",
    lambda raw: _is_table(raw, _are_texts),
    {"type": "object", "additionalProperties": _STRINGS},
)
COUNTS: Final = KeyForm(
    "a table of whole numbers by rule",
    lambda raw: _is_table(raw, _is_count),
    {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
)
COUNT: Final = KeyForm("a whole number", _is_count, {"type": "integer", "minimum": 0})
ID: Final = _matching("a nonempty string without spaces around it", r"\S(.*\S)?")
SHA256: Final = _matching("64 hexadecimal digits in lower case", "[0-9a-f]{64}")
CODE: Final = _matching("a code of three capital letters, such as AUD", "[A-Z]{3}")
SIGN: Final = _matching(
    "a currency sign, such as A$ or ¥, or up to four capital letters",
    "(?:[A-Z]{0,3}[$\u00a3-\u00a5\u20a0-\u20cf]|[A-Z]{1,4})",
)
OFFICES: Final = (
    *("dealer", "floorperson", "supervisor", "pit boss", "pit clerk", "surveillance", "cage"),
    *("accounting", "licensee", "curator", "patron"),
)
"""The offices that a law may call by another name."""
OFFICE: Final = _matching(
    "a name in lower case, of letters and single spaces", "(?=.{2,30}$)[a-z]+( [a-z]+)*"
)
DECIMALS: Final = KeyForm(
    "0 or 2", lambda raw: type(raw) is int and raw in {0, 2}, {"type": "integer", "enum": [0, 2]}
)
FLAG: Final = KeyForm("true or false", lambda raw: isinstance(raw, bool), {"type": "boolean"})
DAY: Final = KeyForm("a date, such as 2011-02-22", lambda raw: type(raw) is date, _DAY)
DAYS: Final = KeyForm("a list of dates", are_days, {"type": "array", "items": _DAY})
TABLE: Final = KeyForm("a table", lambda raw: isinstance(raw, dict), {"type": "object"})
LIST: Final = KeyForm("a list", lambda raw: isinstance(raw, list), {"type": "array"})
VALUE: Final = KeyForm("a value", lambda _: True, {})

Keys: TypeAlias = Mapping[str, KeyForm]
"""Every key of a table with the form of its value."""

INSTRUMENT_KEYS: Final[Keys] = {
    **dict.fromkeys(("id", "title", "authority", "citation", "clause_prefix"), TEXT),
    **dict.fromkeys(("in_force_from", "in_force_known", "observed_on"), DAY),
    "partial": FLAG,
    "amended": DAYS,
    "note": TEXT,
}

CLAUSE_KEYS: Final[Keys] = {
    "id": ID,
    **dict.fromkeys(("says", "class", "disposition", "reason", "standing"), TEXT),
    **dict.fromkeys(("meanwhile", "on_site"), TEXT),
    "interpretations": TEXTS,
    "applies_when": TABLE,
}

RULE_KEYS: Final[Keys] = {
    "id": ID,
    **dict.fromkeys(("kind", "title", "by", "standing", "does"), TEXT),
    **dict.fromkeys(("value", "at_least", "default"), VALUE),
    **dict.fromkeys(("choices", "between"), LIST),
    **dict.fromkeys(("at_least_any", "one_of", "terms"), NAMES),
    **dict.fromkeys(("applies_when", "value_by_reading"), TABLE),
    "cites": TEXTS,
    "cites_by": LISTS,
    "may_be_left_out": FLAG,
}

CONSTRAINT_KEYS: Final[Keys] = {
    "id": ID,
    **dict.fromkeys(("kind", "says", "beside", "across", "moment"), TEXT),
    **dict.fromkeys(("cites", "rules", "to"), TEXTS),
    **dict.fromkeys(("when", "then"), TABLE),
    **dict.fromkeys(("at_least", "at_most", "multiple_of"), COUNTS),
    "minutes": COUNT,
}


class ConstraintKeys(NamedTuple):
    """How a kind of constraint binds: by one key of each group of ``needed``, and ``others``."""

    needed: tuple[tuple[str, ...], ...]
    others: tuple[str, ...] = ()

    @property
    def allowed(self) -> frozenset[str]:
        return frozenset(("id", "kind", "says", "cites", *self.others)).union(*self.needed)


CONSTRAINT_TERMS: Final[Mapping[ConstraintKind, ConstraintKeys]] = {
    ConstraintKind.REQUIRES: ConstraintKeys(
        (("when",), ("then", "at_least", "at_most", "multiple_of"))
    ),
    ConstraintKind.EXCLUDES: ConstraintKeys((("when",), ("then",))),
    ConstraintKind.UNIFORM: ConstraintKeys((("rules",),), ("when", "beside", "across")),
    ConstraintKind.NOTICE: ConstraintKeys((("rules",), ("to",)), ("when", "minutes")),
    ConstraintKind.MOMENT: ConstraintKeys((("rules",), ("moment",))),
}

SOURCE_KEYS: Final[Keys] = {
    "address": TEXT,
    "sha256": SHA256,
    **dict.fromkeys(("reader", "second_reader"), TEXT),
    "read_on": DAY,
}

CURRENCY_KEYS: Final[Keys] = {"code": CODE, "sign": SIGN, "decimals": DECIMALS, "chips": LIST}

OFFICE_KEYS: Final[Keys] = dict.fromkeys(OFFICES, OFFICE)


def only_keys(table: Table, keys: Keys) -> None:
    """Raise ``FieldError`` if a table has unknown keys, or a value of another form."""
    if unknown := sorted(table.keys() - keys.keys()):
        raise FieldError(
            unknown[0],
            f"unknown key {', '.join(map(repr, unknown))}"
            f"{did_you_mean(unknown[0], keys)}; the keys are {', '.join(keys)}",
        )
    if misshapen := {key for key, value in table.items() if not keys[key].check(value)}:
        key = next(filter(misshapen.__contains__, keys))
        raise FieldError(key, f"{key!r} must be {keys[key].name}")


def needed_key(table: Table, key: str) -> Any:
    if key not in table:
        raise FieldError(key, f"{key!r} is missing")
    return table[key]


def one_of(words: type[Word], table: Table, key: str) -> Word:
    raw = needed_key(table, key)
    try:
        return words(raw)
    except ValueError:
        names = ", ".join(str(member.value) for member in words)
        raise FieldError(key, f"{raw!r} is not one of {names}") from None


def text_of(table: Table, key: str) -> str:
    return str(needed_key(table, key))


def texts_of_key(table: Table, key: str) -> tuple[str, ...]:
    return tuple(table.get(key, ()))


AMENDMENT_KEYS: Final[Keys] = {"on": DAY, "sections": TEXTS, "by": TEXT, "note": TEXT}


def amendment(table: Table, amended: Sequence[date]) -> Amendment:
    only_keys(table, AMENDMENT_KEYS)
    if needed_key(table, "on") not in amended:
        raise FieldError("on", "is not one of the dates in 'amended'", "reference")
    if not (sections := texts_of_key(table, "sections")):
        raise FieldError("sections", "'sections' is empty")
    return Amendment(table["on"], sections, table.get("by"), table.get("note"))


CORRECTION_KEYS: Final[Keys] = {"on": DAY, "of": TEXTS, "why": TEXT, "binds": FLAG}


def correction(table: Table) -> Correction:
    only_keys(table, CORRECTION_KEYS)
    day, ids, binding = (needed_key(table, key) for key in ("on", "of", "binds"))
    if not ids:
        raise FieldError("of", "'of' does not name a rule or clause")
    return Correction(day, tuple(ids), text_of(table, "why"), binding)
