"""A terminal session: the door to its table, answers read for an act, and its state."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from croupier.baccarat.cards import faces, parse_cards
from croupier.law.usage import currency_in_use, money
from croupier.money.chips import chips_in_words
from croupier.reports.screen import OfficeView, Screen, bounds_of, screen
from croupier.reports.words import DRAW, say

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen

Document = Mapping[str, Any]
"""A document of a view, as its JSON Schema describes it."""


class Reply(NamedTuple):
    """The result of a command; nothing was done if it is ``refused``."""

    message: str
    clauses: Sequence[str] = ()
    refused: bool = True


class Connection(NamedTuple):
    """The state of the connection as text; empty for a local table.

    Nothing can be sent unless ``is_live``. A connection that ``is_over`` is not restored.
    """

    words: str = ""
    is_live: bool = True
    is_over: bool = False


class Door(ABC):
    """A table connected to this terminal's user."""

    name: str
    person: str
    office: str
    seat: int | None = None
    cards: str = "dealer"
    """Source of the cards: ``dealer`` enters them, or a ``sealed`` shoe supplies them."""
    is_remote: bool = False
    """Whether calls may take long."""

    @property
    def connection(self) -> Connection:
        return Connection()

    def outcome(self) -> Reply | None:
        """Return the late result of a command whose answer was lost."""
        return None

    @abstractmethod
    def look(self) -> OfficeView: ...

    @abstractmethod
    def do(self, command: Document, next_command: str | None = None) -> Reply | None:
        """Send a command, then one that goes on with it. Return a refusal, or ``None`` if done."""

    @abstractmethod
    def consent(self, act: str, *, given: bool) -> Reply | None: ...

    @abstractmethod
    def news(self) -> Sequence[Document]:
        """Return the entries since the last call that the viewer may see."""

    @abstractmethod
    def says(self, clause: str) -> str:
        """Return the paraphrase of a clause; empty if unknown."""


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
    if field["kind"] == "stakes":
        return False
    is_only = [choice["value"] for choice in field["choices"]] == [default]
    return is_only or (default is not None and field["least"] == field["most"] == default)


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
        return _choice_value(field, text)
    try:
        if field["kind"] in _READ:
            value = _READ[field["kind"]](text)
        else:
            value = (_stakes if field["kind"] == "stakes" else _text)(field, text)
    except (ValueError, KeyError):
        raise ValueError(_accepts(field)) from None
    if value is None or not _is_within(field, value):
        raise ValueError(_accepts(field))
    return value


def _is_within(field: Document, value: Any) -> bool:
    if type(value) is not int:
        return True
    minimum, maximum = field["least"], field["most"]
    return (minimum is None or value >= minimum) and (maximum is None or value <= maximum)


def _choice_value(field: Document, text: str) -> Any:
    choices, word = field["choices"], text.casefold()
    exact_matches = [one for one in choices if word in {str(one["value"]).casefold(), _label(one)}]
    # A card is typed as 9h, and shown as 9♥.
    card = faces([read_card(text) or ""]).casefold() or word
    prefix_matches = [choice for choice in choices if _label(choice).startswith((word, card))]
    for matches in (exact_matches, prefix_matches):
        if len(matches) == 1:
            return matches[0]["value"]
    if text.isdecimal() and 0 < int(text) <= len(choices):
        value = choices[int(text) - 1]["value"]
        # The number of a slip is no place in a list of slips.
        if type(value) is not int:
            return value
    raise ValueError(_accepts(field))


_FREE: Final = {"chips", "person", "stakes"}
"""Kinds of fields whose choices only name what a value may be made of."""


def _listed(kind: str, number: int, choice: Document) -> str:
    if kind == "seat":
        return str(choice["value"])
    return str(choice["label"]) if type(choice["value"]) is int else f"{number} {choice['label']}"


def _label(choice: Document) -> str:
    return str(choice["label"]).casefold()


def _cents(text: str) -> int:
    cents = currency_in_use().typed(text)
    if cents is None:
        raise ValueError
    return cents


def _stakes(field: Document, text: str) -> dict[str, int]:
    # Banker 100, Tie 25
    stakes: dict[str, int] = {}
    for part in _EACH.split(text):
        wager, _, amount = part.rpartition(" ")
        stakes[_choice_value(field, wager)] = _cents(amount)
    return stakes


def _chips(text: str) -> dict[str, int]:
    # 20 x 100, 40 x 5
    chips: dict[str, int] = {}
    for part in _EACH.split(text):
        count, _, value = re.split(r"\s*([x*])\s*", part, maxsplit=1)
        chips[str(_cents(value))] = int(count)
    return chips


def _text(field: Document, text: str) -> Any:
    if isinstance(field["default"], Mapping):
        pairs = (part.partition("=") for part in _EACH.split(text))
        return {name.strip(): value.strip() for name, _, value in pairs}
    return _EACH.split(text) if isinstance(field["default"], list) else text


_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "card": read_card,
    "cents": _cents,
    "chips": _chips,
    "count": int,
    "date": lambda text: date.fromisoformat(text).isoformat(),
    "flag": lambda text: {"y": True, "yes": True, "n": False, "no": False}[text.casefold()],
    "serials": lambda text: [int(part) for part in re.split(r"[\s,;]+", text) if part],
}
_FORMS: Final = {*_READ, "person", "stakes", "time", "secret"}


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
        words = (_listed(kind, number, choice) for number, choice in enumerate(choices, 1))
        return say("terminal.choose.of", words=", ".join(words))
    if kind == "chips":
        currency = currency_in_use()
        plain = [currency.plain(cents).removesuffix(".00") for cents in currency.chips]
        return say("terminal.write.chips", large=plain[:5][-1], small=plain[:3][-1])
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
            titles = {choice["value"]: choice["label"] for choice in field["choices"]}
            return ", ".join(
                f"{titles.get(wager, wager)} {money(cents)}" for wager, cents in value.items()
            )
        case "chips":
            return chips_in_words({int(chip): count for chip, count in value.items()})
        case _:
            return str(value)


class TerminalSitting:
    def __init__(self, door: Door) -> None:
        self.door: Final = door
        self.view: OfficeView = door.look()
        self.screen: Screen = screen(self.view)
        self.answer: Reply | None = None

    def refresh(self) -> Sequence[Document]:
        new_entries = self.door.news()
        self.view = self.door.look()
        self.screen = screen(self.view)
        self.answer = self.door.outcome() or self.answer
        return new_entries

    @property
    def listed(self) -> list[ActSeen]:
        page = self.screen
        return [*page.due, *page.awaited, *page.others]

    @property
    def draw(self) -> ActSeen | None:
        return next((act for act in self.listed if act["command"] == DRAW), None)

    def field(self, field: Document, values: Mapping[str, Any]) -> Document:
        """Return a field with the limits of its wager; the table decides."""
        view, wager = self.view.seen, values.get("wager")
        offers = [offer for offer in view["wagers"] if offer["wager"] == wager]
        if field["kind"] != "cents" or field["least"] is None or not offers:
            return field
        lowest, unit = offers[0]["min_cents"], offers[0]["unit_cents"]
        seat = values.get("seat")
        if any((stake["seat"], stake["wager"]) == (seat, wager) for stake in view["stakes"]):
            lowest = unit
        bounds = {"least": lowest, "most": offers[0]["max_cents"], "unit": unit, "default": lowest}
        return {**field, **bounds, "needed": lowest is None}

    def send_card(self, text: str = "") -> bool:
        """Send a card; none means that its face was not seen."""
        if self.draw is None:
            return False
        card = read_card(text) if text else "next" if self.door.cards == "sealed" else None
        return self.send(self.draw, {"card": card})

    def send(self, act: Document, values: Mapping[str, Any], next_act: str | None = None) -> bool:
        """Send an act, and the one that goes on with it; return whether it was done."""
        command = {"type": act["command"]} | {
            field["name"]: values.get(field["name"], field["default"]) for field in act["fields"]
        }
        if isinstance(place := command.get("recorded"), Mapping):
            # The card that was misread, with its place.
            command |= place
        self.answer = self.door.do(command, next_act)
        return self.answer is None

    def consent(self, *, given: bool) -> bool:
        """Consent to the first pending act or decline it; return whether there is one.

        Without one, a decline withdraws the first act that this user asked for.
        """
        found = [one for one in self.screen.consents if not (one.is_own or one.is_ended)]
        if not given:
            found += (one for one in self.screen.consents if one.is_own)
        if found:
            self.answer = self.door.consent(found[0].id, given=given)
        return bool(found)
