"""Where a terminal gets a table from, and where its commands go: a log, or a service."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["Document", "Door", "Look", "Reply"]

Document = Mapping[str, Any]
"""A document of a view, as its JSON Schema describes it."""


class Look(NamedTuple):
    """A table as one viewer may see it now.

    ``seen`` is the table, ``acts`` what may be done next, and ``roads`` the roads of the shoe.
    ``due`` is what the act that must be done would bring, if it is known. ``waits`` are acts that
    wait for the consent of whoever looks.
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
