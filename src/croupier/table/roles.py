"""Who does what at a table, as the texts call them."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Role"]


class Role(StrEnum):
    """Who acts: an office of the pit, a patron, or the licensee."""

    CURATOR = "curator"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    LICENSEE = "licensee"
    PATRON = "patron"
    PIT_CLERK = "pit clerk"
    SUPERVISOR = "supervisor"
