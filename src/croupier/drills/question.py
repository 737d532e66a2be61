"""The data of a question."""

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
"""From plain cases to the most error-prone."""

FieldValues: TypeAlias = Mapping[str, str]


def nothing(answer: FieldValues) -> tuple[()]:
    """Return that an answer is not tried at the table."""
    del answer
    return ()


class Question(Struct, frozen=True):
    """A question: the information shown, its fields, and the table's answer.

    ``stage`` is the table before ``commands``. ``tries`` are the commands of a given answer,
    ``refused`` refusals of other acts, such as of an office.
    """

    words: str
    shown: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...]
    key: FieldValues
    stage: Stage
    commands: tuple[Command, ...] = ()
    found: Callable[[Events], FieldValues] = lambda _: {}
    tries: Callable[[FieldValues], tuple[Command, ...]] = nothing
    why: tuple[tuple[str, tuple[str, ...]], ...] = ()
    refused: Callable[[FieldValues], tuple[Refusal, ...]] = nothing
    kind: str = ""
    level: int = 0
    number: int = 0

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(clause for _, clauses in self.why for clause in clauses))


class Asking(NamedTuple):
    room: DrillRoom
    chance: Chance
    level: int


Draw: TypeAlias = Callable[[Asking], "Question | None"]
MakerType = TypeVar("MakerType", bound=Draw)


class DrillKind(NamedTuple):
    title: str
    draw: Draw


MAKERS: Final[dict[str, DrillKind]] = {}


def asks(kind: str, title: str) -> Callable[[MakerType], MakerType]:
    """Register a drawing function, which may return ``None``."""

    def register(draw: MakerType) -> MakerType:
        MAKERS[kind] = DrillKind(title, draw)
        return draw

    return register
