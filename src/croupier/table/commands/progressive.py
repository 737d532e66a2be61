"""The Royal 9 progressive, and the award that must be hit."""

from __future__ import annotations

from croupier.frozen import frozen
from croupier.table.commands.command import Command

__all__ = ["CommitMystery", "EndProgressiveRound"]


@frozen
class CommitMystery(Command):
    """Commit to the mystery value of the next Stax: the SHA-256 of its secret, in hexadecimal."""

    commitment: str


@frozen
class EndProgressiveRound(Command):
    """End the round for the progressive; ``secret`` is revealed where the mystery value is hit."""

    secret: str | None = None
