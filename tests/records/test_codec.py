"""Commands and events as JSON: each comes back as it went, and what is none is refused by name."""

import ast
import json
import types
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import fields

from croupier import acts
from croupier.acts import Command, Event
from croupier.baccarat.cards import DECK, Card
from croupier.records.codec import (
    COMMANDS,
    EVENTS,
    CodecError,
    as_events,
    decode_command,
    decode_event,
    dump,
    from_json,
    given_json,
)
from croupier.records.entry import FIRST, entry_body, seal, sealed_entries
from croupier.table.machine.position import Stamp
from support.cases import each
from support.volume import volume

TYPES: Final[Mapping[str, Any]] = {**COMMANDS, **EVENTS}
WITH_FIELDS: Final = sorted(name for name, made in TYPES.items() if get_type_hints(made))

# No field of a command or an event is a fraction, so this is of the wrong kind for all of them.
OF_NO_KIND: Final = 1.5


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Return what a field of that kind may hold, from its annotation alone."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in {Union, types.UnionType}:
        return st.one_of(*map(values_of, parts))
    if origin is tuple:
        return st.lists(values_of(parts[0]), max_size=4).map(tuple)
    if origin is Mapping:
        return st.dictionaries(values_of(parts[0]), values_of(parts[1]), max_size=4)
    if kind is Card:
        return st.sampled_from(DECK)
    if kind is int:
        return st.integers(-(2**63), 2**63 - 1)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    if isinstance(kind, type) and issubclass(kind, Struct):
        return instances_of(kind)
    if kind is date:
        return st.dates()
    if kind is datetime:
        return st.datetimes(timezones=st.just(UTC))
    return {str: st.text(), bool: st.booleans(), types.NoneType: st.none()}[kind]


@cache
def instances_of(made: Any) -> st.SearchStrategy[Any]:
    return st.builds(made, **{name: values_of(kind) for name, kind in get_type_hints(made).items()})


def decode(data: object, name: str) -> Command | Event:
    return decode_command(data) if name in COMMANDS else decode_event(data)


def sample(name: str) -> dict[str, Any]:
    """Return some command or event of a type as JSON, always the same."""
    plain: dict[Any, Any] = {
        int: 3,
        str: "text",
        bool: True,
        Card: "9h",
        date: "2011-02-22",
        datetime: "2011-02-22T12:00:00Z",
    }
    data: dict[str, Any] = {"type": name} | ({"v": EVENTS[name].VERSION} if name in EVENTS else {})
    for field, kind in get_type_hints(TYPES[name]).items():
        if isinstance(kind, type) and issubclass(kind, Enum):
            data[field] = next(iter(kind)).value
        elif get_origin(kind) is tuple:
            data[field] = []
        elif get_origin(kind) is Mapping:
            data[field] = {}
        else:
            # Of several kinds the first; nothing where the field may be empty.
            parts = get_args(kind)
            empty = types.NoneType in parts
            data[field] = plain.get(parts[0] if parts and not empty else kind)
    # A field at its default may be left out.
    held = {one.name: one.default for one in fields(TYPES[name])}
    return {field: False if held.get(field) is True else one for field, one in data.items()}


def classes_of(base: str) -> set[str]:
    """Return the names of the table's classes that stand on a base, read from the source."""
    return {
        node.name
        for path in Path(acts.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and base in {one.id for one in node.bases if isinstance(one, ast.Name)}
    }


def test_every_command_and_every_event_is_known_by_its_name() -> None:
    assert set(COMMANDS) == classes_of("Command")
    assert set(EVENTS) == classes_of("Event")
    assert set(COMMANDS).isdisjoint(EVENTS)


@each("name", sorted(TYPES))
def test_it_is_had_from_one_place(name: str) -> None:
    assert getattr(acts, name) is TYPES[name]


@pytest.mark.parametrize("name", sorted(TYPES))
@given(data=st.data())
@settings(max_examples=volume(20, 3), deadline=None, derandomize=True, database=None)
def test_it_comes_back_as_it_went(name: str, data: st.DataObject) -> None:
    value: Any = data.draw(instances_of(TYPES[name]))
    written = dump(value.to_dict())
    read = decode(from_json(written), name)
    assert type(read) is TYPES[name]
    assert read == value
    # The bytes are the same too: a log is chained to what it says byte by byte.
    assert dump(read.to_dict()) == written
    is_event = isinstance(value, Event)
    command, events = (acts.CallNoMoreBets(), (value,)) if is_event else (value, ())
    at = "2011-02-22T12:00:00.000Z"
    line, _ = seal(entry_body((1, FIRST), at, Stamp(), command, events))
    (entry,) = sealed_entries([line])
    assert (entry.command, as_events(entry.events)) == (command, events)


@each("name", sorted(TYPES))
def test_it_is_a_flat_object_that_begins_with_its_type(name: str) -> None:
    value = decode(sample(name), name)
    first = ["type", "v"] if name in EVENTS else ["type"]
    assert list(value.to_dict()) == [*first, *get_type_hints(TYPES[name])]


def test_a_card_is_written_in_its_notation() -> None:
    drawn = acts.DrawCard(Card.of("9h"))
    assert dump(drawn.to_dict()) == b'{"type":"DrawCard","card":"9h"}'
    unseen = acts.DrawCard(None)
    assert dump(unseen.to_dict()) == b'{"type":"DrawCard","card":null}'


@each("card", DECK)
def test_every_card_comes_back_as_the_same_object(card: Card) -> None:
    read = decode_command(acts.FindFaceUpCard(card).to_dict())
    assert isinstance(read, acts.FindFaceUpCard)
    assert read.card is card


def test_a_ten_may_be_written_with_two_digits_and_is_always_written_with_one_letter() -> None:
    read = decode_command({"type": "DrawCard", "card": "10h"})
    assert read == acts.DrawCard(Card.of("Th"))
    assert read.to_dict()["card"] == "Th"


def test_a_field_with_a_default_may_be_left_out_of_a_command() -> None:
    placed = decode_command({"type": "PlaceWager", "seat": 1, "wager": "tie", "cents": 500})
    assert placed == acts.PlaceWager(1, "tie", 500, 0)


@each("name", WITH_FIELDS)
def test_a_missing_field_is_named(name: str) -> None:
    for field in fields(TYPES[name]):
        if not field.required:
            continue
        data = sample(name)
        del data[field.name]
        with pytest.raises(CodecError) as caught:
            decode(data, name)
        assert str(caught.value).startswith(f"{name}: ")
        assert f"`{field.name}`" in str(caught.value)


@each("name", WITH_FIELDS)
def test_a_field_of_the_wrong_kind_is_named(name: str) -> None:
    for field in fields(TYPES[name]):
        with pytest.raises(CodecError) as caught:
            decode(sample(name) | {field.name: OF_NO_KIND}, name)
        assert str(caught.value).startswith(f"{name}: ")
        assert f"`$.{field.name}`" in str(caught.value)


@each("name", sorted(TYPES))
def test_an_unknown_field_is_named(name: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode(sample(name) | {"colour": "red"}, name)
    assert str(caught.value).startswith(f"{name}: unknown field colour")


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"type": "PlaceWager", "seat": True, "wager": "tie", "cents": 500}, "$.seat"),
        ({"type": "PlaceWager", "seat": "1", "wager": "tie", "cents": 500}, "$.seat"),
        ({"type": "PlaceWager", "seat": 1, "wager": "tie", "cents": 500.0}, "$.cents"),
        ({"type": "PlaceWager", "seat": 1, "wager": None, "cents": 500}, "$.wager"),
        ({"type": "TurnHand", "hand": "dealer"}, "$.hand"),
        ({"type": "TurnHand", "hand": "Player"}, "$.hand"),
        ({"type": "ReceiveCards", "decks": 8, "preshuffled": 1}, "$.preshuffled"),
        ({"type": "CompareForms", "originals": [1, "2"]}, "$.originals[1]"),
        ({"type": "DrawCard", "card": 9}, "$.card"),
        ({"type": "DrawCard", "card": ""}, "$.card"),
        ({"type": "DrawCard", "card": "9H"}, "$.card"),
        ({"type": "DrawCard", "card": "1h"}, "$.card"),
        ({"type": "DrawCard", "card": "9h "}, "$.card"),
        ({"type": "FindFaceUpCard", "card": None}, "$.card"),
    ],
)
def test_a_value_of_a_neighbouring_kind_is_no_match(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode_command(wrong)
    assert str(caught.value).startswith(f"{wrong['type']}: ")
    assert named in str(caught.value)


def test_an_unknown_card_is_told_with_how_cards_are_written() -> None:
    with pytest.raises(CodecError, match=r"DrawCard: '14h' is not a card: write a rank .* as 9h"):
        decode_command({"type": "DrawCard", "card": "14h"})


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("", ""),
        ("drawcard", r"; did you mean DrawCard\?"),
        ("Command", ""),
        ("Event", ""),
        ("Release", r"; did you mean ReleaseSeat\?"),
        ("Card", ""),
        ("__init__", ""),
    ],
)
def test_an_unknown_type_is_named(name: str, hint: str) -> None:
    with pytest.raises(CodecError, match=f"^'{name}' is not a type of command{hint}$"):
        decode_command({"type": name})
    with pytest.raises(CodecError, match=f"^'{name}' is not a type of event$"):
        decode_event({"type": name})


def test_a_command_is_no_event_and_an_event_is_no_command() -> None:
    with pytest.raises(CodecError, match="'ClearLayout' is not a type of event"):
        decode_event({"type": "ClearLayout"})
    with pytest.raises(CodecError, match="'TableClosed' is not a type of command"):
        decode_command({"type": "TableClosed", "clauses": []})


@pytest.mark.parametrize(
    "data", [None, 5, "DrawCard", ["DrawCard"], {}, {"type": None}, {"type": []}]
)
def test_what_is_no_object_with_a_type_is_told(data: object) -> None:
    with pytest.raises(CodecError, match=r"is not a (type of )?command"):
        decode_command(data)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'{"type":"DrawCard"',
        b"nothing",
        b"\xff\xfe",
        b'"\xff"',
        b'"\\ud800"',
        b"\x00",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 5000,
        b"NaN",
    ],
    ids=lambda raw: repr(raw[:12]),
)
def test_what_is_no_json_is_told(raw: bytes) -> None:
    with pytest.raises(CodecError, match=r"^not JSON: "):
        from_json(raw)


# --- JSON from outside ---

VALUES: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES, st.sampled_from([None, (",", ":"), (" , ", " : ")]))
@settings(max_examples=volume(250, 60, most=1_000), deadline=None, derandomize=True, database=None)
def test_json_from_outside_is_read_as_it_was_written(value: Any, marks: tuple[str, str]) -> None:
    text = json.dumps(value, separators=marks)
    assert given_json(text) == given_json(text.encode()) == value
    with pytest.raises(ValueError, match="is given twice"):
        given_json(f'{{"of":{text},"in":{{"a":1,"a":{text}}}}}')


def test_a_command_from_outside_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json, "loads", None)
    assert given_json('{"type": "CallNoMoreBets"}') == {"type": "CallNoMoreBets"}
