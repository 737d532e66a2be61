"""Who may see what: one row for each kind of thing that a field of a record can be.

A viewer is an office, or the patron of a seat. What is not shown keeps its place: a closed card is
written ``??``, a name gives way to the office, an amount to ``null``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from croupier.acts.roles import Role
from croupier.law.sight import Sight

CLOSED: Final = "??"
"""How a card that lies face down is written, and a text that is not for the viewer."""

BOARD: Final = "board"
"""The display above the table, which anyone may read."""


_FLOOR: Final = {Role.FLOORPERSON, Role.PIT_BOSS, Role.SUPERVISOR}
_GAME: Final = {Role.DEALER, *_FLOOR, Role.SURVEILLANCE}
_BOOKS: Final = {Role.ACCOUNTING, Role.CAGE, Role.LICENSEE}
_OFFICES: Final = {*_GAME, *_BOOKS, Role.PIT_CLERK}

VIEWERS: Final[frozenset[str]] = frozenset({*_OFFICES, Role.PATRON, Role.MACHINE, BOARD})
"""Every office that may look at a table."""

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
"""Who sees each kind; what is missing is seen by no one. ``CARD`` depends on the card."""

_OWN: Final = {Sight.PATRON, Sight.ON_PAPER, Sight.CHIPS, Sight.PAPER}
"""What a patron sees of the own seat alone."""

_ALL_ACTORS: Final = {*_FLOOR, Role.SURVEILLANCE}
_NO_ACTORS: Final = {Role.PATRON, Role.MACHINE, BOARD}


def is_seen_by(office: str, sight: Sight) -> bool:
    """Return whether an office sees all of a kind, whatever seat it concerns."""
    return office in _SEEN_BY.get(sight, ())


class Viewer(NamedTuple):
    """Who looks at a table: an office, or the patron of a ``seat``.

    >>> Viewer("patron", 3).sees(Sight.CHIPS, 3), Viewer("patron", 3).sees(Sight.CHIPS, 4)
    (True, False)
    """

    office: str
    seat: int | None = None

    @classmethod
    def of(cls, office: str, seat: int | None = None) -> Viewer:
        """Return a viewer. Raises ``ValueError`` for an unknown office, or a seat out of place."""
        if office not in VIEWERS:
            known = ", ".join(sorted(VIEWERS))
            raise ValueError(f"{office!r} is not an office that looks at a table: {known}")
        if (office == Role.PATRON) != (seat is not None):
            raise ValueError(f"a patron looks from a seat, and no one else: {office}")
        return cls(office, seat)

    def sees(self, sight: Sight, *seats: int | None) -> bool:
        """Return whether a field of that kind is shown, where it concerns these seats."""
        if is_seen_by(self.office, sight):
            return True
        return sight in _OWN and self.seat is not None and self.seat in seats

    def sees_actors(self, offices: Collection[str]) -> bool:
        """Return whether it is shown who did an act, and when, by the offices that did it."""
        if self.office in _NO_ACTORS:
            return False
        return self.office in _ALL_ACTORS or self.office in offices
