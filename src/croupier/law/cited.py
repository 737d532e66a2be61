"""Refusals and lines of narration, with their clauses."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from croupier.law.sight import Sight

Clauses = Annotated[tuple[str, ...], Sight.OPEN]


class Refusal(Struct, frozen=True):
    """Why a command changes nothing: a code for programs, clauses, and a message for people."""

    code: str
    clauses: Clauses
    message: str

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return self.message + law


class NarrationLine(Struct, frozen=True):
    """A line of narration, with a detail for each seat concerned.

    ``kind`` is ``act``, ``spoken``, ``card``, ``ruling`` or ``money``.
    """

    kind: str
    text: str
    clauses: Clauses
    details: tuple[str, ...] = ()
