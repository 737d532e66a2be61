"""The Royal 9 progressive, and the award that must be hit."""

from __future__ import annotations

from croupier.table.commands.command import Command

__all__ = ["CommitMystery", "EndProgressiveRound", "ReplaceMystery"]


class CommitMystery(Command, frozen=True):
    """Commit to the mystery value of the next Stax: the SHA-256 of its secret, in hexadecimal."""

    commitment: str


class EndProgressiveRound(Command, frozen=True):
    """End the round for the progressive wager; reveal ``secret`` if the mystery value is hit."""

    secret: str | None = None


class ReplaceMystery(Command, frozen=True):
    """Abandon a mystery value whose secret is lost or was withheld; no seat is drawn for it.

    ``secret`` is given if it was found too late to draw.
    """

    reason: str
    secret: str | None = None
