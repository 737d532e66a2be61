"""Fields of commands, events, and the state: plain data, bounds, visibility, and labels.

A field without a ``Sight`` is seen by no one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.law.sight import Key, Sight

# Of types unknown to msgspec, only cards occur. A snapshot has tens of thousands of them.
_ENCODER: Final = msgspec.json.Encoder(enc_hook=attrgetter("notation"))
Made = TypeVar("Made", bound=Struct)
dump: Final = _ENCODER.encode
"""Encode plain data, commands, and events as compact, canonical JSON."""
dump_lines: Final = _ENCODER.encode_lines
_PARSE: Final = msgspec.json.Decoder().decode


class NamesFields(msgspec.StructMeta):
    """Names the class and its fields in errors of its constructor's arguments."""

    def __call__(cls: type[Made], *values: Any, **named: Any) -> Made:  # type: ignore[misc]  # noqa: N805
        try:
            return cast("Made", msgspec.StructMeta.__call__(cls, *values, **named))
        except TypeError as error:
            fields = msgspec.structs.fields(cls)
            lacks = [field.name for field in fields[len(values) :] if field.required]
            missing = ", ".join(name for name in lacks if name not in named)
            problem = f"missing {missing}" if missing else str(error)
            names = ", ".join(cls.__struct_fields__) or "none"
            raise TypeError(f"{cls.__name__}: {problem}; its fields: {names}") from error


class PlainData:
    """A command or event, with its JSON."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return a flat object of plain data, with ``type``, and the version ``v`` of an event."""
        data = _PARSE(dump(self))
        version = getattr(self, "VERSION", None)
        return data if version is None else {"type": data.pop("type"), "v": version, **data}

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON text."""
        return dump(self.to_dict()).decode()


class Label(Struct, frozen=True):
    text: str


class NamesOffice(Struct, frozen=True):
    office: Role


# --- people ---

StaffName = Annotated[str, Sight.STAFF]
Dealer = Annotated[str, Sight.STAFF, NamesOffice(Role.DEALER)]
Floorperson = Annotated[str, Sight.STAFF, NamesOffice(Role.FLOORPERSON)]
Supervisor = Annotated[str, Sight.STAFF, NamesOffice(Role.SUPERVISOR)]
PitBoss = Annotated[str, Sight.STAFF, NamesOffice(Role.PIT_BOSS)]
PitClerk = Annotated[str, Sight.STAFF, NamesOffice(Role.PIT_CLERK)]
PatronName = Annotated[str, Sight.PATRON, Label("Name")]
NameOnForm = Annotated[str, Sight.ON_PAPER]

# --- words ---

Word = Annotated[str, Sight.OPEN]
"""A word such as a line or a step."""
Spoken = Annotated[str, Sight.OPEN]
"""Words spoken at the table."""
Reason = Annotated[str, Sight.TEXT]
StaffText = Annotated[str, Sight.TEXT]
HouseText = Annotated[str, Sight.HOUSE]
Secret = Annotated[str, Sight.SECRET]
WagerId = Annotated[str, Sight.OPEN, Key("wager")]
RuleId = Annotated[str, Sight.OPEN, Key("rule")]
MeterName = Annotated[str, Sight.OPEN, Key("meter")]

# --- numbers ---

Flag = Annotated[bool, Sight.OPEN]
Count = Annotated[int, Sight.OPEN]
Seat = Annotated[int, Sight.OPEN, Key("seat")]
Serial = Annotated[int, Sight.OPEN, Key("serial"), Label("Form")]
SlipNumber = Annotated[int, Sight.OPEN, Key("slip")]
AwardNumber = Annotated[int, Sight.OPEN, Key("number"), Label("Award")]
EntryNumber = Annotated[int, Sight.OPEN, Label("Entry")]
RoundNumber = Annotated[int, Sight.OPEN]
ShoeNumber = Annotated[int, Sight.OPEN]
BatchNumber = Annotated[int, Sight.OPEN]
Ordinal = Annotated[int, Sight.OPEN, Label("Card")]
"""The place of a card in its hand, from 1."""

# --- times ---

Moment = Annotated[datetime, Sight.OPEN, Label("Time (UTC)")]
GamingDate = Annotated[date, Sight.OPEN]

# --- cards ---

DealtCard = Annotated[Card, Sight.CARD]
NamedHand = Annotated[Hand, Sight.OPEN]

# --- money, in cents ---

StakeCents = Annotated[int, Sight.STAKE]
PatronCents = Annotated[int, Sight.CHIPS]
FormCents = Annotated[int, Sight.PAPER]
TrayCents = Annotated[int, Sight.RACK]
HouseCents = Annotated[int, Sight.HOUSE]
MeterCents = Annotated[int, Sight.OPEN]
Denomination = Annotated[int, Key("denomination in cents")]
TrayChips = Annotated[Mapping[Denomination, int], Sight.RACK]
PatronChips = Annotated[Mapping[Denomination, int], Sight.CHIPS]
StakesByWager = Annotated[Mapping[WagerId, int], Sight.STAKE]
PayoutsBySeat = Annotated[Mapping[Seat, WagerId], Sight.OPEN]
FormAmounts = Annotated[Mapping[Serial, int], Sight.PAPER]
MeterReadings = Annotated[Mapping[MeterName, int], Sight.OPEN]


@cache
def hints_of(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind, include_extras=True)


def sight_of(kind: type, name: str) -> Sight | None:
    """Return a field's visibility, if its type has one.

    >>> from croupier.acts import CardDealt
    >>> sight_of(CardDealt, "card").name
    'CARD'
    """
    return _sight_in(hints_of(kind).get(name))


@cache
def label_of(kind: type, name: str) -> str:
    """Label of a command's field: that of its type, or its name.

    >>> from croupier.acts import CountDrop, RemoveDrop
    >>> label_of(CountDrop, "cash_cents"), label_of(RemoveDrop, "next_box")
    ('Cash', 'Next box')
    """
    found = [one.text for one in _annotations(hints_of(kind)[name]) if isinstance(one, Label)]
    if found:
        return found[-1]
    return (
        "Amount" if name == "cents" else name.removesuffix("_cents").replace("_", " ").capitalize()
    )


def keys_of(kind: type, name: str) -> tuple[str, ...]:
    """Kinds of keys that a field's type names."""
    return tuple(one.what for one in _annotations(hints_of(kind)[name]) if isinstance(one, Key))


def offices_named(kind: type) -> Mapping[str, Role]:
    """Fields of a command that name a person, with the office."""
    return {
        name: annotation.office
        for name, hint in hints_of(kind).items()
        for annotation in _annotations(hint)
        if isinstance(annotation, NamesOffice)
    }


def _annotations(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Annotated:
        return (*_annotations(hint.__origin__), *hint.__metadata__)
    # An optional field has the annotations of its value's type.
    return tuple(annotation for part in get_args(hint) for annotation in _annotations(part))


def _sight_in(hint: Any) -> Sight | None:
    if get_origin(hint) is Annotated:
        found = (note for note in hint.__metadata__ if isinstance(note, Sight))
        return next(found, None) or _sight_in(hint.__origin__)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return Sight.PARTS
    if isinstance(get_origin(hint), type) and issubclass(get_origin(hint), Mapping):
        return None
    parts = {_sight_in(part) for part in get_args(hint)} - {None}
    return parts.pop() if len(parts) == 1 else None
