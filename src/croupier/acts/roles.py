"""Who does what at a table: the offices of a pit, the patrons, and the licensee."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """Who acts: an office, a patron, or the licensee's own equipment."""

    ACCOUNTING = "accounting"
    CAGE = "cage"
    CURATOR = "curator"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    LICENSEE = "licensee"
    MACHINE = "machine"
    PATRON = "patron"
    PIT_BOSS = "pit boss"
    PIT_CLERK = "pit clerk"
    SUPERVISOR = "supervisor"
    SURVEILLANCE = "surveillance"
