"""What a question is: a table, what is shown of it, the fields to fill in, and the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from croupier.acts import Command
from croupier.drills.room import DrillRoom
from croupier.scenarios import Stage
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.offered import Field

LEVELS: Final = (1, 2, 3)
"""From the plain cases to those that go wrong most often."""

Told: TypeAlias = Mapping[str, str]
"""A value for each field, by its name."""


def _nothing(told: Told) -> tuple[Command, ...]:
    del told
    return ()


def _unrefused(told: Told) -> tuple[Refusal, ...]:
    del told
    return ()


def _unread(events: Events) -> Told:
    del events
    return {}


class Question(Struct, frozen=True):
    """A question: what the dealer sees, what is asked, and what the table says.

    ``stage`` is the table before ``commands``, which bring about what is asked for; ``found`` reads
    the key off their events. ``tries`` are the commands that a given answer comes to once these
    have been carried out, so that the table itself says what is wrong with it; ``refused`` are
    refusals of what is no command, such as an office that may not act.
    """

    kind: str
    level: int
    words: str
    shown: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...]
    key: Told
    stage: Stage
    commands: tuple[Command, ...] = ()
    found: Callable[[Events], Told] = _unread
    tries: Callable[[Told], tuple[Command, ...]] = _nothing
    why: tuple[tuple[str, tuple[str, ...]], ...] = ()
    refused: Callable[[Told], tuple[Refusal, ...]] = _unrefused
    number: int = 0

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses behind the key, each once."""
        return tuple(dict.fromkeys(clause for _, clauses in self.why for clause in clauses))


class Asking(NamedTuple):
    """What a question is made from: the rules with their starts, chance, and a level."""

    room: DrillRoom
    chance: Chance
    level: int


Draw: TypeAlias = Callable[[Asking], "Question | None"]
MakerType = TypeVar("MakerType", bound=Draw)


class DrillKind(NamedTuple):
    """A kind of question: what it is about, and what draws one."""

    title: str
    draw: Draw


MAKERS: Final[dict[str, DrillKind]] = {}


def asks(kind: str, title: str) -> Callable[[MakerType], MakerType]:
    """Register what draws a question of a kind; ``None`` from it means that none came about."""

    def register(draw: MakerType) -> MakerType:
        MAKERS[kind] = DrillKind(title, draw)
        return draw

    return register
