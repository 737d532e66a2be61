"""Who stands where: assignments, relief, and shift change."""

from __future__ import annotations

from croupier.table.commands.command import Command

__all__ = ["AssignOffice", "EndAssignment", "RelieveDealer", "RelieveFloorperson"]


class AssignOffice(Command, frozen=True):
    """Assign a person to an office at this table; ``office`` as ``pit boss`` or ``accounting``."""

    office: str
    person: str


class EndAssignment(Command, frozen=True):
    """End a person's assignment to an office, at the end of a shift."""

    office: str
    person: str


class RelieveDealer(Command, frozen=True):
    """Another dealer takes a dealer's place, between rounds; in a round only for a ``reason``.

    If several dealers are at the table, ``relieved`` names the one who leaves.
    """

    dealer: str
    relieved: str = ""
    reason: str = ""


class RelieveFloorperson(Command, frozen=True):
    """Another floorperson takes over, between rounds; in a round only for a ``reason``."""

    floorperson: str
    reason: str = ""
