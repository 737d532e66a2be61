"""The offices of a pit, the patrons, the licensee, and the equipment.

Each command states the offices that give it; an office's record grants everything else.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, StrEnum
from typing import Final, Literal, Self

from msgspec import Struct

from croupier.law.sight import Sight


class OfficePage(Enum):
    """A service's page for an office."""

    BOARD = "board"
    BOOKS = "books"
    DEALER = "dealer"
    FLOOR = "floor"
    SEAT = "seat"
    WATCH = "watch"


class Access(Enum):
    """Access to a service that only some offices have."""

    ACTORS = "who did an act or was refused it, and when, whatever the office"
    BOOKS = "the slips, counts, and wins of the gaming days"
    DAYS = "the list of the gaming days"
    EARLIER = "the table after any earlier entry"
    END_DAYS = "end the record of a gaming day"
    EXAMS = "make exam papers, and see the results of all who drill"
    OPERATIONS = "the state of the service, its copies, checks, and leases, and grants by office"
    PATRONS = "the grants of patrons that wait for consent"
    PEOPLE = "the grants of the pit, who decided for it, and consents to grants"
    RECORD = "the record as it is stored"
    WATCH = "the page of who watches: what was refused and owed, and exports of entries"
    VERDICT = "whether the record verifies as it grows"


class Office(Struct, frozen=True, kw_only=True):
    """The properties of an office.

    It sees the kinds of fields in ``sees`` of every seat, grants the offices in ``admits``, revokes
    those and the ones in ``revokes``, and gives the acts and consents of those in ``includes``.
    People are ``posted`` to it at a table; an open table has a ``required`` one; the holder of an
    ``apart`` one has no other on that gaming day; a ``seated`` one acts from a seat; no person
    holds ``equipment``.
    """

    words: str = ""
    sees: frozenset[Sight] = frozenset()
    access: frozenset[Access] = frozenset()
    page: OfficePage | None = None
    admits: tuple[str, ...] = ()
    revokes: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    posted: bool = False
    required: bool = False
    apart: bool = False
    seated: bool = False
    equipment: bool = False


EVERY_OFFICE: Final = ("*",)
"""For ``admits``: every office that may be granted."""

_NOTHING: Final = Office()
_PAPERS: Final = frozenset({Sight.ON_PAPER, Sight.PAPER, Sight.STAFF, Sight.TEXT})
_PLAY: Final = frozenset({Sight.CHIPS, Sight.PATRON, Sight.STAKE})
_MONEY: Final = frozenset({Sight.HOUSE, Sight.RACK})
_TABLE: Final = _PAPERS | _PLAY | _MONEY

_FLOOR: Final = frozenset({
    Access.ACTORS, Access.DAYS, Access.EARLIER, Access.END_DAYS, Access.EXAMS, Access.PEOPLE,
    Access.VERDICT,
})  # fmt: skip

Side = Literal["dealer", "patrons"]
"""A side of the table."""
OTHER_SIDE: Final[dict[Side, Side]] = {"dealer": "patrons", "patrons": "dealer"}


class Role(StrEnum):
    """An office, a patron, or the licensee's own equipment."""

    office: Office
    _value_: str

    def __new__(cls, name: str, office: Office = _NOTHING) -> Self:
        """Make a role that equals its name."""
        role = str.__new__(cls, name)
        role._value_ = name
        role.office = office
        return role

    @property
    def words(self) -> str:
        """The office in a sentence.

        >>> Role.DEALER.words, Role.SURVEILLANCE.words
        ('the dealer', 'surveillance')
        """
        return self.office.words or f"the {self}"

    @property
    def is_guest(self) -> bool:
        """Whether it sees the wagers without working at the table."""
        return Sight.STAKE in self.office.sees and not self.office.posted

    @property
    def side(self) -> Side:
        """The side of the table that it is seen from: the dealer has Banker's Hand on the left."""
        return "patrons" if self.is_guest else "dealer"

    ACCOUNTING = "accounting", Office(
        words="accounting", sees=_PAPERS | _MONEY, page=OfficePage.BOOKS, posted=True, apart=True,
        access=frozenset({Access.BOOKS, Access.DAYS, Access.RECORD}),
    )  # fmt: skip
    BOARD = "board", Office(sees=frozenset({Sight.STAKE}), page=OfficePage.BOARD, equipment=True)
    CAGE = "cage", Office(
        sees=_PAPERS | _MONEY, page=OfficePage.BOOKS, posted=True, apart=True,
        access=frozenset({Access.BOOKS}),
    )  # fmt: skip
    CURATOR = "curator", Office(seated=True)
    DEALER = (
        "dealer",
        Office(
            sees=_PAPERS | _PLAY | {Sight.RACK},
            page=OfficePage.DEALER,
            posted=True,
            required=True,
            access=frozenset({Access.PATRONS}),
        ),
    )
    FLOORPERSON = "floorperson", Office(
        sees=_TABLE, page=OfficePage.FLOOR, posted=True, required=True, includes=("supervisor",),
        access=_FLOOR, admits=("board", "dealer", "machine", "patron"),
    )  # fmt: skip
    LICENSEE = "licensee", Office(
        sees=_PAPERS | _MONEY | {Sight.ODDS}, page=OfficePage.BOOKS, posted=True, apart=True,
        access=frozenset({
            Access.BOOKS, Access.DAYS, Access.EXAMS, Access.PEOPLE, Access.RECORD, Access.VERDICT,
        }),
        admits=EVERY_OFFICE,
    )  # fmt: skip
    MACHINE = "machine", Office(page=OfficePage.BOARD, equipment=True)
    # Those who watch over the operator, surveillance and the licensee, stay.
    OPERATOR = "operator", Office(
        access=frozenset({Access.OPERATIONS}),
        revokes=(
            "accounting", "board", "cage", "dealer", "floorperson", "machine", "patron", "pit boss",
            "pit clerk",
        ),
    )  # fmt: skip
    PATRON = "patron", Office(sees=frozenset({Sight.STAKE}), page=OfficePage.SEAT, seated=True)
    PIT_BOSS = "pit boss", Office(
        sees=_TABLE, page=OfficePage.FLOOR, posted=True, includes=("supervisor",), access=_FLOOR,
        admits=("board", "dealer", "floorperson", "machine", "patron", "pit clerk"),
    )  # fmt: skip
    PIT_CLERK = "pit clerk", Office(sees=_PAPERS, page=OfficePage.BOOKS, posted=True)
    SUPERVISOR = (
        "supervisor",
        Office(sees=_TABLE, page=OfficePage.FLOOR, posted=True, access=frozenset({Access.ACTORS})),
    )
    SURVEILLANCE = "surveillance", Office(
        words="surveillance", sees=_TABLE | {Sight.ODDS}, page=OfficePage.WATCH, posted=True,
        apart=True,
        access=frozenset({
            Access.ACTORS, Access.DAYS, Access.EARLIER, Access.PEOPLE, Access.RECORD,
            Access.VERDICT, Access.WATCH,
        }),
    )  # fmt: skip


POSTED: Final = tuple(role for role in Role if role.office.posted)
"""Offices that people are assigned to."""

LOOKS: Final = tuple(role for role in Role if role.office.page is not None)
"""Offices that see a table."""

SEATED: Final = tuple(role for role in Role if role.office.seated)
"""Offices that act from a seat; a dealer may enter their acts."""

_INCLUDED: Final = {name for role in Role for name in role.office.includes}
NAMED_POSTS: Final = tuple(role for role in POSTED if role not in _INCLUDED)
"""Offices assigned by name."""


def with_access(access: Access) -> tuple[Role, ...]:
    return tuple(role for role in Role if access in role.office.access)


def has_access(name: str, access: Access) -> bool:
    return access in Role(name).office.access


GRANTED: Final = (*LOOKS, *with_access(Access.OPERATIONS))
"""Offices that may be granted."""


def admits(name: str, office: str) -> bool:
    """Whether the holder of one office grants another.

    >>> admits("floorperson", "dealer"), admits("floorperson", "cage"), admits("licensee", "cage")
    (True, False, True)
    """
    return office in admitted(name)


def admitted(name: str) -> tuple[str, ...]:
    listed = Role(name).office.admits
    return GRANTED if listed == EVERY_OFFICE else listed


def revokes(name: str, office: str) -> bool:
    """Whether the holder of one office revokes the grants of another.

    >>> revokes("operator", "dealer"), revokes("operator", "surveillance")
    (True, False)
    """
    return admits(name, office) or office in Role(name).office.revokes


def includes(held: str, office: str) -> bool:
    """Whether the holder of one office gives the acts of another.

    >>> includes("pit boss", "supervisor"), includes("pit boss", "dealer")
    (True, False)
    """
    return held == office or held in _GIVES.get(office, ())


_GIVES: Final = {
    name: tuple(role for role in Role if name in role.office.includes) for name in _INCLUDED
}


def offices_in_words(offices: Iterable[str], last: str = "and") -> str:
    """Offices in a sentence.

    >>> offices_in_words(["floorperson", "surveillance"])
    'the floorperson and surveillance'
    >>> offices_in_words(["dealer", "cage", "accounting"], "or")
    'the dealer, the cage, or accounting'
    """
    *words, final = (Role(office).words for office in offices)
    comma = "," if len(words) > 1 else ""
    return f"{', '.join(words)}{comma} {last} {final}" if words else final
