"""Acts of the house: decided by all of a table, its ledger too, where the law says nothing.

A regulation is decided by ``decide(state, command, rules)``. Counting what the ledger should hold
takes the ledger, so these acts are decided by the position. They are a layer around the regulation
and never cite it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from croupier.rules import TableRules
from croupier.table.commands import Command
from croupier.table.core import Events, Refusal, decides
from croupier.table.state import Phases, TableState

if TYPE_CHECKING:
    from croupier.table.position import Position

__all__ = ["decide_house", "house_decides", "is_of_house"]

HouseDecider: TypeAlias = "Callable[[Position, Any], Events | Refusal]"
Decided = TypeVar("Decided", bound="Callable[..., Events | Refusal]")

_DECIDERS: Final[dict[type[Command], tuple[Phases, HouseDecider]]] = {}


def house_decides(command: type[Command], phases: Phases) -> Callable[[Decided], Decided]:
    """Register what decides an act of the house, and when it may be done."""

    def register(function: Decided) -> Decided:
        _DECIDERS[command] = phases, function
        decides(command, phases)(_needs_ledger)
        return function

    return register


def _needs_ledger(state: TableState, command: Command, rules: TableRules) -> Events | Refusal:
    """Answer whoever asks the regulation about an act that only a whole position decides."""
    del state, rules
    message = f"{type(command).__name__} is an act of the house: it is decided with the ledger"
    return Refusal("house", (), message)


def is_of_house(command: Command) -> bool:
    """Tell whether a command is decided by a whole position."""
    return type(command) in _DECIDERS


def decide_house(position: Position, command: Command) -> Events | Refusal:
    """Answer an act of the house. Pure, as ``decide`` is."""
    phases, function = _DECIDERS[type(command)]
    if position.state.phase not in phases:
        message = f"not now: the table is {position.state.phase.value}"
        return Refusal("not_now", (), message)
    return function(position, command)
