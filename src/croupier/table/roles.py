"""Who does what at a table, as the texts call them."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Role"]


class Role(StrEnum):
    """Whoever gives a command: an office of the pit, a patron, or the licensee himself."""

    CURATOR = "curator"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    LICENSEE = "licensee"
    PATRON = "patron"
    PIT_CLERK = "pit clerk"
    SUPERVISOR = "supervisor"
