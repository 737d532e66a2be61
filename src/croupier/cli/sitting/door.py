"""Where a terminal gets a table from, and where its commands go: a log, or a service."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

Document = Mapping[str, Any]
"""A document of a view, as its JSON Schema describes it."""


class Look(NamedTuple):
    """A table as one viewer may see it now.

    ``seen`` is the table, ``acts`` what may be done next, and ``roads`` the roads of the shoe.
    ``due`` is what the act that must be done would bring, if it is known. ``waits`` are acts that
    wait for the consent of whoever looks, or that whoever looks has given.
    """

    seen: Document
    acts: Sequence[Document]
    roads: Document
    due: Document | None = None
    waits: Sequence[Document] = ()


class Reply(NamedTuple):
    """What came of a command: nothing was done if it is ``refused``."""

    message: str
    clauses: Sequence[str] = ()
    refused: bool = True


class Connection(NamedTuple):
    """How a table is reached, in words; empty where nothing can be lost.

    While it is not ``is_live`` nothing can be sent. One that ``is_over`` does not come back.
    """

    words: str = ""
    is_live: bool = True
    is_over: bool = False


class Door(ABC):
    """A table, and who sits at this terminal."""

    name: str
    """The name of the table."""
    person: str
    office: str
    seat: int | None = None
    cards: str = "dealer"
    """Where the cards come from: the ``dealer`` enters them, or a ``sealed`` shoe has them."""
    is_remote: bool = False
    """Whether an answer may take long."""

    @property
    def connection(self) -> Connection:
        """How the table is reached now."""
        return Connection()

    def outcome(self) -> Reply | None:
        """Return what came of a command whose answer was lost, once it is known."""
        return None

    @abstractmethod
    def look(self) -> Look:
        """Return the table as it is now."""

    @abstractmethod
    def do(self, command: Document) -> Reply | None:
        """Give a command. Return why it was refused or what it waits for, or nothing."""

    @abstractmethod
    def consent(self, act: str, *, given: bool) -> Reply | None:
        """Consent to an act that waits, or decline it."""

    @abstractmethod
    def news(self) -> Sequence[Document]:
        """Return the entries since the last call, as the viewer may see them."""

    @abstractmethod
    def says(self, clause: str) -> str:
        """Return what a clause says, in our words; nothing if it is not known."""


def filled(act: Document, people: Mapping[str, str]) -> Document:
    """Return an act with people in the place of their offices, and today in that of no day.

    >>> day = {"name": "gaming_date", "kind": "text", "default": "2011-02-22"}
    >>> who = {"name": "dealer", "kind": "person", "default": "dealer"}
    >>> [one["default"] for one in filled({"fields": [who, day]}, {"dealer": "Dana"})["fields"]]
    ['Dana', '2011-02-22']
    """
    return {**act, "fields": [_filled(one, people) for one in act["fields"]]}


def _filled(field: Document, people: Mapping[str, str]) -> Document:
    default = field["default"]
    if field["kind"] == "person":
        return {**field, "default": people.get(default, default)}
    if field["name"] == "gaming_date" and not default:
        return {**field, "default": date.today().isoformat()}  # noqa: DTZ011  (the day here)
    return field
