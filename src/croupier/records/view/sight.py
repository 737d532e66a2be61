"""Visibility rules: one row for each kind of field in a record.

Hidden values are replaced: a card by ``??``, a name by the office, an amount by ``null``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from croupier.acts.roles import Role
from croupier.law.sight import Sight

CLOSED: Final = "??"
"""The replacement of a face-down card or a hidden text."""

BOARD: Final = "board"
"""The public display above the table."""


_FLOOR: Final = {Role.FLOORPERSON, Role.PIT_BOSS, Role.SUPERVISOR}
_GAME: Final = {Role.DEALER, *_FLOOR, Role.SURVEILLANCE}
_BOOKS: Final = {Role.ACCOUNTING, Role.CAGE, Role.LICENSEE}
_OFFICES: Final = {*_GAME, *_BOOKS, Role.PIT_CLERK}

VIEWERS: Final[frozenset[str]] = frozenset({*_OFFICES, Role.PATRON, Role.MACHINE, BOARD})
"""Every office that may view a table."""

_SEEN_BY: Final[Mapping[Sight, Collection[str]]] = {
    Sight.OPEN: VIEWERS,
    Sight.PARTS: VIEWERS,
    Sight.PATRON: _GAME,
    Sight.ON_PAPER: _OFFICES,
    Sight.STAFF: _OFFICES,
    Sight.TEXT: _OFFICES,
    Sight.STAKE: {*_GAME, Role.PATRON, BOARD},
    Sight.CHIPS: _GAME,
    Sight.PAPER: _OFFICES,
    Sight.RACK: {*_GAME, *_BOOKS},
    Sight.HOUSE: {*_FLOOR, Role.SURVEILLANCE, *_BOOKS},
    Sight.ODDS: {Role.SURVEILLANCE, Role.LICENSEE},
}
"""Offices that see each kind; unlisted kinds are hidden. ``CARD`` depends on the card."""

_OWN: Final = {Sight.PATRON, Sight.ON_PAPER, Sight.CHIPS, Sight.PAPER}
"""Kinds that a patron sees for their own seat only."""

_ALL_ACTORS: Final = {*_FLOOR, Role.SURVEILLANCE}
_NO_ACTORS: Final = {Role.PATRON, Role.MACHINE, BOARD}


def is_seen_by(office: str, sight: Sight) -> bool:
    """Return whether an office sees all fields of a kind, for every seat."""
    return office in _SEEN_BY.get(sight, ())


class Viewer(NamedTuple):
    """A viewer of a table: an office, or the patron of a ``seat``.

    >>> Viewer("patron", 3).sees(Sight.CHIPS, 3), Viewer("patron", 3).sees(Sight.CHIPS, 4)
    (True, False)
    """

    office: str
    seat: int | None = None

    @classmethod
    def of(cls, office: str, seat: int | None = None) -> Viewer:
        """Return a viewer. Raises ``ValueError`` for an unknown office or misplaced seat."""
        if office not in VIEWERS:
            known = ", ".join(sorted(VIEWERS))
            raise ValueError(f"{office!r} is not an office that looks at a table: {known}")
        if (office == Role.PATRON) != (seat is not None):
            raise ValueError(f"a patron looks from a seat, and no one else: {office}")
        return cls(office, seat)

    def sees(self, sight: Sight, *seats: int | None) -> bool:
        """Return whether a field of that kind is shown for these seats."""
        if is_seen_by(self.office, sight):
            return True
        return sight in _OWN and self.seat is not None and self.seat in seats

    def sees_actors(self, offices: Collection[str]) -> bool:
        """Return whether the actors and time of an act are shown, by their offices."""
        if self.office in _NO_ACTORS:
            return False
        return self.office in _ALL_ACTORS or self.office in offices
