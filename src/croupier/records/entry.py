"""Lines of a table log, each sealed by the SHA-256 of everything before it; clocks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from time import time_ns
from typing import Any, Final, Union

import msgspec
from msgspec.structs import asdict

from croupier.acts import Command, Event
from croupier.acts.fields import dump_lines
from croupier.baccarat.cards import DECK
from croupier.records.codec import dump, included_types, recorded_types
from croupier.table.machine.core import Events
from croupier.table.machine.position import Actor, Proposal, Stamp

_NOON: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)


def system_clock() -> datetime:
    # A float of seconds is exact to the millisecond; ``replace`` would take three times as long.
    return datetime.fromtimestamp(time_ns() // 1_000_000 / 1000, UTC)


class SteppedClock:
    """A clock that advances by a step at each reading, for reproducible runs."""

    def __init__(self, start: datetime = _NOON, step: timedelta = timedelta(seconds=1)) -> None:
        self._next = start
        self._step: Final = step

    @classmethod
    def after(cls, time: datetime, step: timedelta = timedelta(seconds=1)) -> SteppedClock:
        return cls(time + step, step)

    def __call__(self) -> datetime:
        time = self._next
        self._next += self._step
        return time


FIRST: Final = "0" * 64
"""The previous seal used by a header."""

_BEFORE_ZONE: Final = len("2011-02-22T20:15:00.000")
_SEAL: Final = b',"sha256":"'
_BEFORE_SEAL: Final = -len(_SEAL) - len(FIRST) - len(b'"}\n')


class _Types(dict[type[Event], tuple[bytes, int]]):
    def __missing__(self, kind: type[Event]) -> tuple[bytes, int]:
        start = f'{{"type":"{kind.__name__}"'
        return self.setdefault(kind, (f'{start},"v":{kind.VERSION}'.encode(), len(start)))


_TYPES: Final = _Types()
"""For each event type, the start of its JSON and the number of encoded bytes it replaces."""


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def seal(body: bytes) -> tuple[bytes, str]:
    digest = sha256(body)
    return b"".join((body[:-1], _SEAL, digest.encode(), b'"}\n')), digest


def unseal(line: bytes) -> tuple[bytes, str] | None:
    """Split a line into body and seal, if it has one."""
    start = len(line) - 64 - 3
    if start < len(_SEAL) or line[start - len(_SEAL) : start] != _SEAL or line[-3:] != b'"}\n':
        return None
    return line[: start - len(_SEAL)] + b"}", line[start:-3].decode("ascii", "replace")


@lru_cache(256)
def moment(time: datetime) -> str:
    """Return a time as in logs: ``2011-02-22T20:15:00.000Z``."""
    if time.tzinfo is not UTC:
        time = time.astimezone(UTC)
    return time.isoformat(timespec="milliseconds")[:_BEFORE_ZONE] + "Z"


def entry_body(
    place: tuple[int, str], at: str, stamp: Stamp, command: Command, events: Events
) -> bytes:
    """Encode an entry; ``place`` is its number and the seal of the line before."""
    return written_body(place, at, stamp, command, [msgspec.Raw(versioned(one)) for one in events])


def versioned(event: Event) -> bytes:
    prefix, prefix_length = _TYPES[type(event)]
    return prefix + dump(event)[prefix_length:]


def written_body(place: tuple[int, str], at: str, stamp: Stamp, command: Any, events: Any) -> bytes:
    actors: Any = _written_by(stamp.by)
    return dump(EntryHead(*place, at, actors, stamp.key, stamp.corrects, command, events))


@lru_cache(1024)
def _written_by(people: tuple[Actor, ...]) -> msgspec.Raw:
    # Only a patron has a seat.
    actors = [{k: value for k, value in asdict(one).items() if value is not None} for one in people]
    return msgspec.Raw(dump(actors))


def sealed_entry(previous: str, proposal: Proposal) -> tuple[bytes, str]:
    """Seal a proposal's line. Raises ``ValueError`` without a time."""
    position = proposal.after
    if position.at is None:
        raise ValueError("an entry of a record requires a time: give the session a clock")
    place, time = (position.sequence, previous), moment(position.at)
    return seal(entry_body(place, time, proposal.stamp, proposal.command, proposal.events))


def last_body(entries: int, previous: str) -> bytes:
    return dump({"entries": entries, "prev": previous})


def is_last(entry: Mapping[str, Any]) -> bool:
    return "entries" in entry


class _By(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    person: str
    office: str
    device: str
    seat: int | None = None


class EntryPlace(msgspec.Struct, gc=False):
    seq: int
    prev: str
    at: str
    by: list[_By]
    key: str | None
    corrects: int | None


class LoggedEntry(EntryPlace, gc=False):
    command: Command
    events: Events


class EntryHead(EntryPlace, gc=False):
    command: msgspec.Raw
    events: msgspec.Raw


_CARDS: Final = {card.notation: card for card in DECK}
_ENTRY_HEAD: Final = msgspec.json.Decoder(EntryHead)


@cache
def _sealed_lines() -> msgspec.json.Decoder[Any]:
    command: Any = Union[tuple(included_types(Command).values())]  # noqa: UP007
    events: Any = list[Union[tuple(recorded_types())]]  # type: ignore[misc]  # noqa: UP007
    line = msgspec.defstruct(
        "SealedEntry",
        [("command", command), ("events", events), ("sha256", str)],
        bases=(LoggedEntry,),
        gc=False,
    )
    return msgspec.json.Decoder(line, dec_hook=lambda _kind, notation: _CARDS[notation])


def sealed_entries(lines: Sequence[bytes]) -> list[Any]:
    """Decode lines if each is the canonical text of an entry of this version, and sealed."""
    text = b"".join(lines)
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        entries = _sealed_lines().decode_lines(text)
        seals = [sha256(line[:_BEFORE_SEAL] + b"}") for line in lines]
        if [entry.sha256 for entry in entries] == seals and dump_lines(entries) == text:
            return entries
    return []


def body_of(line: bytes) -> bytes:
    unsealed = unseal(line)
    return line if unsealed is None else unsealed[0]


def entry_head(body: bytes) -> EntryHead | None:
    """Decode an entry, unless the line is damaged or the last."""
    try:
        return _ENTRY_HEAD.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def stamp_of(head: EntryPlace) -> Stamp:
    actors = tuple(Actor(actor.person, actor.office, actor.device, actor.seat) for actor in head.by)
    return Stamp(actors, head.key, head.corrects)
