"""Forms of acts, and commands of submitted forms, whose input names have the value's kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from croupier.acts.command import TERMS
from croupier.acts.roles import offices_in_words
from croupier.records.view.documents import ActSeen, ChoiceSeen, FieldSeen
from croupier.reports.screen import COLLECT, bounds_of, field_title, title_of
from croupier.reports.tags import (
    Html,
    boxed,
    details,
    hidden_inputs,
    hint,
    join,
    labeled,
    post_form,
    tag,
)
from croupier.reports.words import WORDS, office_words, plain, say, say_amounts, typed
from croupier.server.pages.looked import Looked, PitActSeen, Session
from croupier.server.pages.once import once

RANKS: Final = "A23456789TJQK"
SUITS: Final = {"c": "♣ clubs", "d": "♦ diamonds", "h": "♥ hearts", "s": "♠ spades"}
_CHOSEN: Final = {"hand", "seat", "choice", "flag", "one"}
_YES_NO: Final[list[ChoiceSeen]] = [
    {"value": True, "label": say("yes")},
    {"value": False, "label": say("no")},
]
_SEVERAL: Final = {"tables", "lines"}
"""Kinds of fields with several values: checkboxes for tables, or one value per line."""
_CARD: Final = re.compile(r"([A2-9TJQK]|10)([cdhs])", re.IGNORECASE)


class FormError(ValueError):
    """A form that is not a valid command."""


# --- from an act to a form -----------------------------------------------------------------------


def hidden(look: Looked, slug: str, **values: str) -> Html:
    return _own_inputs(look.session, slug, **values)


def _own_inputs(session: Session, slug: str, **values: str) -> Html:
    return hidden_inputs({"form": session.form, "key": f"{session.key}-{slug}"[:60], **values})


def consent_buttons() -> Html:
    return join(
        tag("button", say("consent.yes"), name="consent", value="yes", class_="primary"),
        tag("button", say("consent.no"), name="consent", value="no"),
    )


def place_of(look: Looked) -> str:
    return f"/tables/{look.name}/acts"


_AT_ONCE: Final = 3
"""Clauses that are named at once; more are listed on request."""


def clauses_of(look: Looked, clauses: Iterable[str]) -> Html:
    """Clauses and their texts as a disclosure list."""
    found = [*clauses]
    if not found:
        return Html()
    short = [one.partition(":")[2] or one for one in found]
    if len(short) > _AT_ONCE:
        short[_AT_ONCE - 1 :] = [say("clauses.more", many=len(short) - _AT_ONCE + 1)]
    said = (join(tag("dt", one), tag("dd", look.says.get(one, ""))) for one in dict.fromkeys(found))
    return details(", ".join(short), tag("dl", *said), class_="clauses")


def drawn_for(look: Looked) -> tuple[str, ...]:
    """Return a form's cache key besides its act."""
    return look.session.form, look.session.key, look.name, look.seen["rules_sha256"]


def _form_place(
    look: Looked, act: ActSeen, *, primary: bool = False
) -> tuple[tuple[object, ...], object]:
    return (*drawn_for(look), id(act), primary, look.screen.then), act


@once(2048, _form_place)
def act_form(look: Looked, act: ActSeen, *, primary: bool = False) -> Html:
    slug = f"{act['command']}-{act['seat'] or 0}"
    fields = join(*(_input(slug, field) for field in act["fields"]))
    also = (
        hint(say("consent", words=act["words"], who=office_words(offices_in_words(act["also"]))))
        if act["also"]
        else None
    )
    buttons = tag("button", act["words"], class_="primary" if primary else None)
    if primary and (then := look.screen.then):
        both = tag("button", look.screen.press, name="then", value=then, class_="primary")
        buttons = join(both, tag("button", say("then.alone")))
    return post_form(
        place_of(look),
        hidden(look, slug, command=act["command"]),
        fields,
        buttons,
        None if primary else clauses_of(look, act["clauses"]),
        also,
        id=f"act-{slug}",
        class_="act must" if primary else "act",
        data_awaited=act["awaited"],
        data_command=act["command"],
    )


@once(256, lambda acts: (tuple(map(id, acts)), [*acts]))
def together(acts: Sequence[ActSeen]) -> list[ActSeen]:
    """Merge acts that differ only in the seat."""
    found: dict[str, ActSeen] = {}
    for act in acts:
        fields = [field for field in act["fields"] if field["name"] != "seat"]
        same = json.dumps([act["command"], act["who"], fields], default=str)
        place = same if act["seat"] is not None and len(fields) < len(act["fields"]) else f"{act}"
        if place not in found:
            found[place] = act
            continue
        first = found[place]
        seats = next(field for field in first["fields"] if field["name"] == "seat")
        more = next(field for field in act["fields"] if field["name"] == "seat")
        wider: FieldSeen = {**seats, "choices": [*seats["choices"], *more["choices"]]}
        found[place] = {
            **first,
            "words": title_of(act["command"]),
            "fields": [wider if field["name"] == "seat" else field for field in first["fields"]],
        }
    return [*found.values()]


def _input(slug: str, field: FieldSeen) -> Html:
    name, default = field["name"], field["default"]
    kind: str = field["kind"]
    if kind in _SEVERAL:
        return _several(slug, field)
    if kind == "secret" or (kind == "text" and not isinstance(default, str | None)):
        return _carried(name, default)
    if kind == "flag":
        field = {**field, "choices": _YES_NO}
    if kind in _CHOSEN and field["choices"]:
        only = kind != "one" and [one["value"] for one in field["choices"]] == [default]
        return _carried(name, default) if only else _select(slug, field)
    if kind == "stakes":
        texts = (
            _text(slug, {**field, "label": one["label"]}, f"stakes.{name}.{one['value']}", "")
            for one in field["choices"]
        )
        return join(*texts)
    if kind == "chips":
        return _chips(field)
    value = "" if default is None else str(default)
    if kind == "cents":
        value = "" if default is None else plain(default)
    elif kind == "serials":
        value = ", ".join(map(str, default or ()))
    known = kind if kind in {"cents", "count", "card", "serials", "time"} else "text"
    return _text(slug, field, f"{known}.{name}", value)


def _carried(name: str, value: object) -> Html:
    return hidden_inputs({f"json.{name}": json.dumps(value)})


def _select(slug: str, field: FieldSeen) -> Html:
    name, place = field["name"], f"{slug}-{field['name']}"
    default = field["default"]
    options = [
        tag(
            "option",
            choice["label"],
            value=json.dumps(choice["value"]),
            selected=choice["value"] == default and type(choice["value"]) is type(default),
        )
        for choice in field["choices"]
    ]
    if default is None and not any("selected" in option for option in options):
        # If several values may be set together, those left blank remain unchanged.
        none = say("value.same" if "." in name else "value.none")
        options.insert(0, tag("option", none, value="null", selected=True))
    select = tag("select", *options, name=f"json.{name}", id=place)
    return labeled(field["label"], select, of=place)


def _chips(field: FieldSeen) -> Html:
    name, counts = field["name"], field["default"] or {}
    inputs = (
        tag(
            "label",
            tag("span", choice["label"]),
            tag("input", type="text", inputmode="numeric", size="3", autocomplete="off",
                name=f"count.{name}.{choice['value']}", value=counts.get(str(choice["value"]), "")),
        )
        for choice in field["choices"]
    )  # fmt: skip
    return tag(
        "fieldset", tag("legend", say("chips.of", label=field["label"])), *inputs, class_="counts"
    )


def _several(slug: str, field: FieldSeen) -> Html:
    name, place = field["name"], f"{slug}-{field['name']}"
    kind: str = field["kind"]
    if kind == "tables":
        boxes = (
            boxed(choice["label"], type="checkbox", name=f"each.{name}", value=choice["value"])
            for choice in field["choices"]
        )
        none = hidden_inputs({f"each.{name}": ""})
        return tag("fieldset", tag("legend", field["label"]), none, *boxes, class_="choices")
    small = f"{place}-hint"
    return labeled(
        field["label"],
        tag("textarea", name=f"lines.{name}", id=place, rows="2", aria_describedby=small),
        tag("small", say(f"lines.{name}"), id=small),
        of=place,
        class_="field wide",
    )


def pit_form(session: Session, act: PitActSeen) -> Html:
    slug = f"pit-{act.command}"
    return post_form(
        f"/pits/{session.pit}/acts",
        _own_inputs(session, slug, command=act.command),
        *(_input(slug, field) for field in act.fields),
        tag("button", act.words),
        id=f"act-{slug}",
        class_="act whole",
        data_command=act.command,
    )


def _text(slug: str, field: FieldSeen, name: str, value: str) -> Html:
    kind, place = field["kind"], f"{slug}-{name.replace('.', '-')}"
    bounds = bounds_of(field)
    numeric = {"cents": "decimal", "stakes": "decimal", "count": "numeric"}.get(kind)
    known = [
        tag("option", choice["label"], value=str(choice["value"]))
        for choice in (field["choices"] if kind == "person" else ())
    ]
    return labeled(
        field["label"],
        tag(
            "input",
            type="date" if kind == "date" else "text",
            name=name,
            value=value,
            id=place,
            inputmode=numeric,
            required=field["needed"] and kind != "stakes",
            autocomplete="off",
            size="6" if numeric or kind == "card" else None,
            aria_describedby=f"{place}-hint" if bounds else None,
            list=f"{place}-known" if known else None,
        ),
        tag("datalist", *known, id=f"{place}-known") if known else None,
        tag("small", bounds, id=f"{place}-hint") if bounds else None,
        of=place,
    )


@once(256, lambda look, act: ((*drawn_for(look), id(act), look.cards), act))
def card_pad(look: Looked, act: ActSeen) -> Html:
    slug = f"{act['command']}-pad"
    if look.cards == "sealed":
        body = join(
            hidden_inputs({"card.card": "next"}),
            tag("button", say("card.next"), class_="primary"),
        )
    else:
        ranks = (boxed(rank, type="radio", name="rank.card", value=rank) for rank in RANKS)
        suits = (
            tag("button", said[0], name="suit.card", value=one, aria_label=said[2:], class_=one)
            for one, said in SUITS.items()
        )
        body = join(
            tag("fieldset", tag("legend", say("card.rank")), *ranks, class_="ranks"),
            tag("fieldset", tag("legend", say("card.suit")), *suits, class_="suits"),
            tag("button", say("card.unseen"), name="json.card", value="null", class_="plain"),
        )
    return post_form(
        place_of(look),
        hidden(look, slug, command=act["command"]),
        *(_input(slug, field) for field in act["fields"] if field["kind"] != "card"),
        body,
        id="pad",
        class_="act pad",
        data_command=act["command"],
    )


# --- from a form to a command --------------------------------------------------------------------


def command_of(sent: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return a form's command. Raises ``FormError``.

    >>> command_of({"command": ["DrawCard"], "rank.card": ["9"], "suit.card": ["h"]})
    {'type': 'DrawCard', 'card': '9h'}
    >>> command_of({"command": ["BuyChips"], "json.seat": ["3"], "cents.cents": ["2,500.50"]})
    {'type': 'BuyChips', 'seat': 3, 'cents': 250050}
    """
    command: dict[str, Any] = {"type": sent.get("command", [""])[0]}
    for place, texts in sent.items():
        kind, dot, name = place.partition(".")
        text = texts[-1].strip()
        if not dot or kind in {"rank", "seats"}:
            continue
        if kind == "suit":
            rank = sent.get(f"rank.{name}", [""])[-1]
            if not rank:
                raise FormError(say("error.rank"))
            command[name] = _card(name, rank + text)
        elif kind == "each":
            command[name] = [*filter(None, texts)]
        elif kind == "lines":
            _values(command, name).update(_lines(name, text))
        else:
            field, within, one = name.partition(".")
            value = (
                _READ[kind](one or field_title(sent.get("command", [""])[0], field), text)
                if kind in _READ
                else text
            )
            if isinstance(value, dict) and name == "recorded":
                # The card that was misread, with its place.
                command |= value
            elif not within:
                command[name] = value
            else:
                values = _values(command, field)
                # Blank values among several are omitted.
                if value is not None and value != "":
                    values[one] = value
    # No field is the name of the command.
    return {**command, "type": sent.get("command", [""])[0]}


def commands_of(sent: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    """Return a form's command, and the one that goes on with it. Raises ``FormError``.

    >>> commands_of({"command": ["SettleWagers"], "then": ["ClearLayout"]})
    [{'type': 'SettleWagers'}, {'type': 'ClearLayout'}]
    """
    command = command_of(sent)
    if command["type"] == COLLECT and "seats.seat" in sent:
        return [{**command, "seat": _count(COLLECT, one)} for one in sent["seats.seat"]]
    then = TERMS[command["type"]].then if command["type"] in TERMS else ""
    return [command, {"type": then}] if then and sent.get("then") == [then] else [command]


def _values(command: dict[str, Any], name: str) -> dict[str, Any]:
    found = command.setdefault(name, {})
    if not isinstance(found, dict):
        raise FormError(say("error.read", label=name, why=say("error.choice")))
    return found


_LINE: Final = re.compile(r"(?:([^:=]+):)?([^=]+)=(.+)")


def _lines(name: str, text: str) -> dict[str, Any]:
    """Parse lines ``RULE = VALUE``, ``TABLE: RULE = VALUE``, or limits of wagers.

    >>> _lines("companions", "MB-1: decks = 8")
    {'MB-1': {'decks': 8}}
    >>> _lines("limits", "MB-1: dragon_7 = 5 to 100")
    {'MB-1': {'dragon_7': {'min_cents': 500, 'max_cents': 10000}}}
    """
    found: dict[str, Any] = {}
    for line in filter(str.strip, text.splitlines()):
        read = _LINE.fullmatch(line)
        if read is None or (read[1] is None) is (name in {"companions", "limits"}):
            hint = f"lines.{name}"
            why = say(hint if hint in WORDS else "lines.elections")
            raise FormError(say("error.read", label=name, why=why))
        table, rule, value = (group and group.strip() for group in read.groups())
        kept = found if table is None else found.setdefault(table, {})
        kept[rule] = _limit(value) if name == "limits" else _plain(value)
    return found


def _limit(text: str) -> dict[str, int | None]:
    least, _, most = text.partition(" to ")
    return {"min_cents": _cents("limits", least), "max_cents": _cents("limits", most.strip())}


def _plain(text: str) -> bool | int | str:
    if text in {"true", "false"}:
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _json(name: str, text: str) -> Any:
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormError(say("error.read", label=name, why=say("error.choice"))) from error
    return value


def _card(name: str, text: str) -> str | None:
    if text in {"", "next"}:
        return text or None
    found = _CARD.fullmatch(text)
    if found is None:
        raise FormError(say("error.read", label=name, why=say("card.hint")))
    rank = "T" if found[1] == "10" else found[1].upper()
    return rank + found[2].lower()


def _cents(name: str, text: str) -> int | None:
    if not text:
        return None
    found = typed(text)
    if found is None:
        raise FormError(say("error.read", label=name, why=say_amounts("error.cents")))
    return found


def _count(name: str, text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 13):
        raise FormError(say("error.read", label=name, why=say("error.count")))
    return int(text)


_READ: Final[Mapping[str, Callable[[str, str], Any]]] = {
    "json": _json,
    "card": _card,
    "cents": _cents,
    "count": _count,
    "time": lambda _, text: text or None,
    "serials": lambda name, text: [
        _count(name, part) for part in re.split(r"[\s,;]+", text) if part
    ],
    "stakes": _cents,
}
