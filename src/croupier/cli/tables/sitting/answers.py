"""Typed values for the fields of an act."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.baccarat.cards import parse_cards
from croupier.cli.tables.sitting.door import Document
from croupier.law.usage import currency_in_use, money
from croupier.money.chips import chips_in_words
from croupier.reports.screen import bounds_of
from croupier.reports.words import say

_EACH: Final = re.compile(r"\s*[,;]\s+|\s*;\s*")


def read_card(text: str) -> str | None:
    """Return a card in standard notation, or ``None``.

    >>> read_card("10h"), read_card("As"), read_card("1s")
    ('Th', 'As', None)
    """
    try:
        (card,) = parse_cards(text)
    except ValueError:
        return None
    return card.notation


def asked(act: Document) -> list[Document]:
    return [field for field in act["fields"] if not _is_settled(field)]


def _is_settled(field: Document) -> bool:
    default = field["default"]
    if default is None or field["kind"] == "stakes":
        return False
    only = [choice["value"] for choice in field["choices"]] == [default]
    return only or bool(field["least"] == field["most"] == default)


def read_field(field: Document, text: str) -> Any:
    """Return a typed value, or the default if empty.

    Raises ``ValueError`` with the accepted values.

    >>> field = {"kind": "cents", "label": "Amount", "choices": [], "default": None,
    ...     "least": 500, "most": 10000, "unit": 500, "needed": True}
    >>> read_field(field, "$25")
    2500
    >>> read_field(field, "2.50")
    Traceback (most recent call last):
    ValueError: Amount: $5 to $100, in steps of $5
    """
    text = text.strip()
    if not text:
        if field["needed"]:
            raise ValueError(_accepts(field))
        return field["default"]
    if field["choices"] and field["kind"] not in _FREE:
        return _chosen(field, text)
    try:
        if field["kind"] in _READ:
            value = _READ[field["kind"]](text)
        else:
            value = (_stakes if field["kind"] == "stakes" else _text)(field, text)
    except (ValueError, KeyError):
        raise ValueError(_accepts(field)) from None
    if not _is_within(field, value):
        raise ValueError(_accepts(field))
    return value


def _is_within(field: Document, value: Any) -> bool:
    if type(value) is not int:
        return True
    least, most = field["least"], field["most"]
    return (least is None or value >= least) and (most is None or value <= most)


def _chosen(field: Document, text: str) -> Any:
    choices, given = field["choices"], text.casefold()
    exact = [one for one in choices if given in {str(one["value"]).casefold(), _label(one)}]
    begun = [one for one in choices if _label(one).startswith(given)]
    for found in (exact, begun):
        if len(found) == 1:
            return found[0]["value"]
    if text.isdecimal() and 0 < int(text) <= len(choices) and field["kind"] != "seat":
        return choices[int(text) - 1]["value"]
    raise ValueError(_accepts(field))


_FREE: Final = {"chips", "person", "stakes"}
"""Kinds of fields whose choices only name what a value may be made of."""


def _label(choice: Document) -> str:
    return str(choice["label"]).casefold()


def _cents(text: str) -> int:
    found = currency_in_use().typed(text)
    if found is None:
        raise ValueError
    return found


def _card(text: str) -> str:
    card = read_card(text)
    if card is None:
        raise ValueError
    return card


def _flag(text: str) -> bool:
    return {"y": True, "yes": True, "n": False, "no": False}[text.casefold()]


def _stakes(field: Document, text: str) -> dict[str, int]:
    # Banker 100, Tie 25
    stakes: dict[str, int] = {}
    for part in _EACH.split(text):
        wager, _, amount = part.rpartition(" ")
        stakes[_chosen(field, wager)] = _cents(amount)
    return stakes


def _chips(text: str) -> dict[str, int]:
    # 20 x 100, 40 x 5
    chips: dict[str, int] = {}
    for part in _EACH.split(text):
        many, _, value = re.split(r"\s*([x*])\s*", part, maxsplit=1)
        chips[str(_cents(value))] = int(many)
    return chips


def _serials(text: str) -> list[int]:
    return [int(part) for part in re.split(r"[\s,;]+", text) if part]


def _text(field: Document, text: str) -> Any:
    if isinstance(field["default"], Mapping):
        pairs = (part.partition("=") for part in _EACH.split(text))
        return {name.strip(): value.strip() for name, _, value in pairs}
    return _EACH.split(text) if isinstance(field["default"], list) else text


_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "card": _card,
    "cents": _cents,
    "chips": _chips,
    "count": int,
    "flag": _flag,
    "serials": _serials,
}
_FORMS: Final = {*_READ, "stakes", "time", "secret"}


def _accepts(field: Document) -> str:
    return f"{field['label']}: {hint(field)}"


def hint(field: Document) -> str:
    """Describe the values that a field accepts.

    >>> hint({"kind": "flag", "choices": []})
    'write yes or no'
    """
    kind, choices = field["kind"], field["choices"]
    if kind == "stakes" and choices:
        return say("terminal.write.stakes", example=choices[0]["label"])
    if choices and kind not in _FREE:
        words = (
            str(choice["value"]) if kind == "seat" else f"{number} {choice['label']}"
            for number, choice in enumerate(choices, 1)
        )
        return say("terminal.choose.of", words=", ".join(words))
    pairs = "pairs" if isinstance(field.get("default"), Mapping) else "text"
    return bounds_of(field) or say(f"terminal.write.{kind if kind in _FORMS else pairs}")


def shown(field: Document, value: Any) -> str:
    """Return a field's value as display text.

    >>> shown({"kind": "cents", "choices": []}, 2500)
    '$25.00'
    """
    for choice in field["choices"]:
        if choice["value"] == value and field["kind"] not in _FREE:
            return str(choice["label"])
    if value is None or value in ("", {}, []):
        return ""
    match field["kind"]:
        case "cents":
            return money(value)
        case "flag":
            return say("terminal.yes" if value else "terminal.no")
        case "stakes":
            titles = {one["value"]: one["label"] for one in field["choices"]}
            return ", ".join(
                f"{titles.get(wager, wager)} {money(cents)}" for wager, cents in value.items()
            )
        case "chips":
            return chips_in_words({int(chip): many for chip, many in value.items()})
        case _:
            return str(value)
