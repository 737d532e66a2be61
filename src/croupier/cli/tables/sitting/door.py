"""The interface between a terminal and its table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from croupier.reports.screen import OfficeView

Document = Mapping[str, Any]
"""A document of a view, as its JSON Schema describes it."""


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
        return Connection()

    def outcome(self) -> Reply | None:
        """Return the late result of a command whose answer was lost."""
        return None

    @abstractmethod
    def look(self) -> OfficeView: ...

    @abstractmethod
    def do(self, command: Document, then: str | None = None) -> Reply | None:
        """Send a command, then one that goes on with it. Return a refusal, or ``None`` if done."""

    @abstractmethod
    def consent(self, act: str, *, given: bool) -> Reply | None: ...

    @abstractmethod
    def news(self) -> Sequence[Document]:
        """Return the entries since the last call that the viewer may see."""

    @abstractmethod
    def says(self, clause: str) -> str:
        """Return the paraphrase of a clause; empty if unknown."""
