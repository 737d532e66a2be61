"""Who may see what of a table, by office."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Final, NamedTuple

from croupier.acts.roles import LOOKS, Access, Role, has_access
from croupier.law.sight import Sight

CLOSED: Final = "??"
"""The replacement of a face-down card or a hidden text."""

VIEWERS: Final[frozenset[str]] = frozenset(LOOKS)

_OF_ALL: Final = frozenset({Sight.OPEN, Sight.PARTS})
_OWN: Final = {Sight.PATRON, Sight.ON_PAPER, Sight.CHIPS, Sight.PAPER}
"""Kinds that a patron sees for their own seat only."""


@cache
def is_seen_by(office: str, sight: Sight) -> bool:
    """Whether an office sees a kind at every seat."""
    return office in VIEWERS and (sight in _OF_ALL or sight in Role(office).office.sees)


class Viewer(NamedTuple):
    """A viewer of a table: an office, or the patron of a ``seat``."""

    office: str
    seat: int | None = None

    @classmethod
    def of(cls, office: str, seat: int | None = None) -> Viewer:
        """Raise ``ValueError`` for an office or seat that cannot look."""
        if office not in VIEWERS:
            known = ", ".join(sorted(VIEWERS))
            raise ValueError(f"{office!r} is not an office that looks at a table: {known}")
        if (office == Role.PATRON) != (seat is not None):
            raise ValueError(f"a patron looks from a seat, and no one else: {office}")
        return cls(office, seat)

    def sees(self, sight: Sight, *seats: int | None) -> bool:
        if is_seen_by(self.office, sight):
            return True
        return sight in _OWN and self.seat is not None and self.seat in seats

    def sees_actors(self, offices: Collection[str]) -> bool:
        if has_access(self.office, Access.ACTORS):
            return True
        return self.office in offices and is_seen_by(self.office, Sight.STAFF)
