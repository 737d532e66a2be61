"""The interface between a terminal and its table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

Document = Mapping[str, Any]
"""A document of a view, as its JSON Schema describes it."""


class Look(NamedTuple):
    """A table as one viewer may see it.

    ``due`` is the known outcome of the act that is due; ``waits`` are pending acts that this viewer
    gave or may consent to. ``then`` is the act that goes on with the due one, if nothing is open.
    """

    seen: Document
    acts: Sequence[Document]
    roads: Document
    due: Document | None = None
    waits: Sequence[Document] = ()
    then: str | None = None


class Reply(NamedTuple):
    """The result of a command; nothing was done if it is ``refused``."""

    message: str
    clauses: Sequence[str] = ()
    refused: bool = True


class Connection(NamedTuple):
    """The state of the connection as text; empty for a local table.

    Nothing can be sent unless ``is_live``. A connection that ``is_over`` is not restored.
    """

    words: str = ""
    is_live: bool = True
    is_over: bool = False


class Door(ABC):
    """A table connected to this terminal's user."""

    name: str
    person: str
    office: str
    seat: int | None = None
    cards: str = "dealer"
    """Source of the cards: ``dealer`` enters them, or a ``sealed`` shoe supplies them."""
    is_remote: bool = False
    """Whether calls may take long."""

    @property
    def connection(self) -> Connection:
        """The current connection."""
        return Connection()

    def outcome(self) -> Reply | None:
        """Return the late result of a command whose answer was lost."""
        return None

    @abstractmethod
    def look(self) -> Look:
        """Return the current view of the table."""

    @abstractmethod
    def do(self, command: Document, then: str | None = None) -> Reply | None:
        """Send a command, then one that goes on with it. Return a refusal, or ``None`` if done."""

    @abstractmethod
    def consent(self, act: str, *, given: bool) -> Reply | None:
        """Consent to a pending act, or decline it."""

    @abstractmethod
    def news(self) -> Sequence[Document]:
        """Return the entries since the last call that the viewer may see."""

    @abstractmethod
    def says(self, clause: str) -> str:
        """Return the paraphrase of a clause; empty if unknown."""


def filled(act: Document, people: Mapping[str, str]) -> Document:
    """Return an act with people's names for default offices, and today for an empty date.

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
