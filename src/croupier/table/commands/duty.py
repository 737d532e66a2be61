"""Who stands where: assignments, relief, and shift change."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = ["AssignOffice", "EndAssignment", "RelieveDealer", "RelieveFloorperson"]


@frozen
class AssignOffice(Command):
    """Assign a person to an office at this table; ``office`` as ``pit boss`` or ``accounting``."""

    office: str
    person: str


@frozen
class EndAssignment(Command):
    """End a person's assignment to an office, at the end of a shift."""

    office: str
    person: str


@frozen
class RelieveDealer(Command):
    """Another dealer takes a dealer's place, between rounds; in a round only for a ``reason``.

    If several dealers are at the table, ``relieved`` names the one who leaves.
    """

    dealer: str
    relieved: str = ""
    reason: str = ""


@frozen
class RelieveFloorperson(Command):
    """Another floorperson takes over, between rounds; in a round only for a ``reason``."""

    floorperson: str
    reason: str = ""
