"""Commands and events as JSON: flat objects, those of older versions brought up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal, TypeVar, Union

import msgspec
from msgspec.structs import FieldInfo, astuple, fields, replace

from croupier.acts import Command, Event
from croupier.acts import fields as acts_fields
from croupier.acts.command import EVENT_TERMS, TERMS
from croupier.acts.fields import hints_of
from croupier.baccarat.cards import Card
from croupier.files.errors import did_you_mean
from croupier.files.text import check_keys
from croupier.law.mechanisms import after_loading, owner_of, reserve
from croupier.table.machine.position import NO_STAMP, Stamp

Upcaster = Callable[[Mapping[str, Any]], Mapping[str, Any]]

UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""By event and version: the function that returns the next version's fields."""


def upcasts(name: str, version: int) -> Callable[[Upcaster], Upcaster]:
    def register(function: Upcaster) -> Upcaster:
        reserve(function, "@upcasts")
        UPCASTERS[name, version] = function
        return function

    return register


def upcast(name: str, version: object, latest: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Bring fields to the newest version. Raises ``ValueError``."""
    if type(version) is not int or version < 1:
        raise ValueError(f"{name}: 'v' must be its version, a number from 1 to {latest}")
    if version > latest:
        raise ValueError(
            f"{name} has version {version}, but this program supports 1 to {latest}: a newer "
            "program wrote this log"
        )
    for step in range(version, latest):
        fields = UPCASTERS[name, step](fields)
    return fields


def _adds(**additions: Any) -> Upcaster:
    return lambda fields: {**fields, **additions}


# The value was more than the seed, which the event omitted.
upcasts("MysteryCommitted", 1)(_adds(above_cents=0))
# Their accounts begin with the first contribution.
upcasts("TableOpened", 1)(_adds(meters={}))
# A meter could exceed its must-hit amount.
upcasts("MetersAdvanced", 1)(_adds(reserved_cents=0))
upcasts("MeterReset", 1)(_adds(from_reserve_cents=0))
upcasts("DuplicatesForwarded", 1)(_adds(gaming_date=None, next_date=None))
# Only serials were compared.
upcasts("FormsCompared", 1)(_adds(differing=[]))
upcasts("CardsReceived", 1)(_adds(name=""))
upcasts("CardsSpread", 1)(_adds(laid_out=""))
upcasts("CardDrawnInError", 1)(_adds(curator=None))
upcasts("CardDrawnInError", 2)(_adds(seen_by=()))
upcasts("SimulatedRoundOrdered", 1)(_adds(cause=""))
upcasts("SimulatedRoundBegun", 1)(_adds(cause=""))
upcasts("CardMisread", 1)(_adds(settled_early=False))
upcasts("TableClosed", 2)(_adds(meters={}))
upcasts("WagerCorrected", 1)(_adds())
upcasts("SettlementCorrected", 1)(
    _adds(player=(), banker=(), winner_was="", winner="", amounts=(), meters={})
)


@upcasts("StaxWon", 1)
def _without_cards(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    # Value and draw followed from the secret alone.
    other_fields = {name: value for name, value in fields.items() if name != "late"}
    return {**other_fields, "opening": "", "cards": ""}


@upcasts("FormPrepared", 1)
def _author_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "gaming_date": fields.get("gaming_date") or None, "stated_by": None}


NAMED_EVERY_LINE: Final = (
    ("SettlementCorrected", 1), ("SettlementCorrected", 2), ("StakesReleased", 1), ("WagerPaid", 1),
)  # fmt: skip
"""Versions of events that named lines of a wager even where the table's rules did not."""
for _older in NAMED_EVERY_LINE[1:]:
    upcasts(*_older)(_adds())

PARTLY_CITED: Final = {("SettlementCorrected", 1), ("WagerCorrected", 1)}
"""Versions of events that cited only some of today's clauses."""


@upcasts("PatronLeft", 1)
@upcasts("TableClosed", 1)
def _clauses_left_out(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    # They were cited in error.
    return {**fields, "clauses": []} if isinstance(fields.get("clauses"), list) else fields


Made = TypeVar("Made", bound=msgspec.Struct)


class CodecError(ValueError):
    """JSON that is not a command or event."""


def included_types(base: type[Made]) -> dict[str, type[Made]]:
    subclasses = (subclass for subclass in base.__subclasses__() if not owner_of(subclass))
    return {kind.__name__: kind for kind in sorted(subclasses, key=lambda kind: kind.__name__)}


COMMANDS: Final = included_types(Command)
"""Commands by name; those of mechanisms come last."""
EVENTS: Final = included_types(Event)


def decode_card(kind: type, value: object) -> object:
    """Decode a card from its notation; a msgspec ``dec_hook``."""
    if kind is Card and isinstance(value, str):
        return Card.of(value)
    raise ValueError(f"{value!r} is not a card: write it as a string, such as 9h")


dump = acts_fields.dump
_DECODER: Final = msgspec.json.Decoder()


def from_json(raw: bytes | str) -> Any:
    """Parse JSON. Raises ``CodecError``."""
    try:
        return _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CodecError(f"not JSON: {error}") from error


def given_json(raw: bytes | str) -> Any:
    """Parse JSON from outside. Raises ``ValueError``, also for a key given twice."""
    value = from_json(raw)
    try:
        check_keys(raw if isinstance(raw, str) else raw.decode(), value)
    except RecursionError as error:  # The decoder takes a little more.
        raise CodecError("not JSON: nested too deep") from error
    return value


def decoded(data: object, types: Mapping[str, type[Made]], subject: str) -> Made:
    """Decode a flat object with a type. Raises ``CodecError``."""
    if not isinstance(data, dict):
        raise CodecError(f"{data!r} is not {subject}: it must be an object with a type")
    name = data.get("type")
    kind = types.get(name) if isinstance(name, str) else None
    if "type" not in data:
        raise CodecError(f"an object without a type is not {subject}: write which under `type`")
    if kind is None:
        raise CodecError(
            f"{name!r} is not a type of {subject.partition(' ')[2]}{did_you_mean(str(name), types)}"
        )
    fields = kind.__struct_fields__
    if unexpected := sorted(data.keys() - {"type", *fields}):
        names = ", ".join(fields) or "none"
        hint = did_you_mean(unexpected[0], fields) or ";"
        raise CodecError(f"{name}: unknown field {', '.join(unexpected)}{hint} its fields: {names}")
    try:
        return msgspec.convert(data, kind, dec_hook=decode_card, str_keys=True)
    except (msgspec.ValidationError, ValueError) as error:
        raise CodecError(f"{name}: {error}") from error


def decode_command(data: object) -> Command:
    """Decode a flat object. Raises ``CodecError``."""
    return decoded(data, COMMANDS, "a command")


def _decode_value(kind: type, value: object) -> object:
    return value if isinstance(value, kind) else decode_card(kind, value)


def checked(command: object) -> Command:
    """Convert fields to their types; cards and hands may be text. Raises ``TypeError``."""
    if not isinstance(command, Command):
        raise TypeError(f"{command!r} is not a command: give an object of croupier.commands")
    return _with_types(command)


def checked_stamp(stamp: object) -> Stamp:
    """Convert fields as ``checked`` does. Raises ``TypeError``, and ``ValueError`` for no key."""
    if stamp is None:
        return NO_STAMP
    if not isinstance(stamp, Stamp):
        raise TypeError(f"{stamp!r} is not a stamp: give a croupier.Stamp")
    stamp_read = _with_types(stamp)
    if stamp_read.key == "":
        raise ValueError("Stamp: key is empty: give each command a key of its own, or None")
    return replace(stamp_read, by=tuple(map(_with_types, stamp_read.by)))


def _with_types(record: Made) -> Made:
    fields, errors = {}, []
    for name, kind in hints_of(type(record)).items():
        value = getattr(record, name)
        try:
            fields[name] = msgspec.convert(value, kind, dec_hook=_decode_value)
            if isinstance(value, str):
                value.encode()  # A record cannot hold half of a surrogate pair.
        except (msgspec.ValidationError, UnicodeEncodeError) as error:
            errors.append(f"{name} is {value!r}: {error}")
    if errors:
        raise TypeError(f"{type(record).__name__}: {'; '.join(errors)}")
    return type(record)(**fields)


class _Typed(msgspec.Struct):
    type: str
    v: int = 0


_TYPED: Final = msgspec.json.Decoder(_Typed)
_RAW_EVENTS: Final = msgspec.json.Decoder(list[msgspec.Raw])


@after_loading
def _admit(_: str) -> None:
    COMMANDS.update((name, term.command) for name, term in TERMS.items() if owner_of(term.command))
    EVENTS.update((term.__name__, term) for term in EVENT_TERMS if owner_of(term))


_admit("")


@cache
def _decoder_of(kind: type[Made]) -> msgspec.json.Decoder[Made]:
    return msgspec.json.Decoder(kind, dec_hook=decode_card)


def read_command(raw: bytes | msgspec.Raw) -> Command | None:
    """Decode JSON; ``None`` if ``decode_command`` must report the error."""
    try:
        command: Command = _decoder_of(COMMANDS[_TYPED.decode(raw).type]).decode(raw)
    except (ValueError, KeyError):
        return None
    return command


def _as_recorded(field: FieldInfo) -> tuple[Any, ...]:
    return (field.name, field.type, *(() if field.required else (field.default,)))


@cache
def recorded_types() -> Mapping[type[msgspec.Struct], type[Event]]:
    """Return the types of included events as a log has them, with ``v`` first."""
    return {
        msgspec.defstruct(
            name,
            [("v", Literal[kind.VERSION]), *map(_as_recorded, fields(kind))],
            frozen=True, gc=False, tag=name, tag_field="type",
            omit_defaults=kind.__struct_config__.omit_defaults,
        ): kind
        for name, kind in included_types(Event).items()
    }  # fmt: skip


@cache
def _recorded_events() -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(
        list[Union[tuple(recorded_types())]],  # type: ignore[misc]  # noqa: UP007
        dec_hook=decode_card,
    )


def as_events(structs: Iterable[msgspec.Struct]) -> tuple[Event, ...]:
    """Return events without their versions."""
    types = recorded_types()
    return tuple([types[type(struct)](*astuple(struct)[1:]) for struct in structs])


def read_events(raw: bytes | msgspec.Raw) -> tuple[Event, ...]:
    """Decode an entry's events. Raises ``CodecError``."""
    try:
        return as_events(_recorded_events().decode(raw))
    except ValueError:
        return _read_each(raw)


def _read_each(raw: bytes | msgspec.Raw) -> tuple[Event, ...]:
    events: list[Event] = []
    try:
        for raw_event in _RAW_EVENTS.decode(raw):
            head = _TYPED.decode(raw_event)
            kind = EVENTS.get(head.type)
            if kind is not None and head.v == kind.VERSION:
                events.append(_decoder_of(kind).decode(raw_event))
            else:
                events.append(decode_event(from_json(raw_event)))
    except ValueError as error:
        raise CodecError(str(error)) from error
    return tuple(events)


def decode_event(data: object) -> Event:
    """Decode a flat object of any version. Raises ``CodecError``."""
    name = data.get("type") if isinstance(data, dict) else None
    kind = EVENTS.get(name) if isinstance(name, str) else None
    if kind is not None and isinstance(data, dict):
        fields = {key: value for key, value in data.items() if key not in {"type", "v"}}
        try:
            fields = dict(upcast(kind.__name__, data.get("v"), kind.VERSION, fields))
        except ValueError as error:
            raise CodecError(str(error)) from error
        data = {"type": kind.__name__, **fields}
    return decoded(data, EVENTS, "an event")
