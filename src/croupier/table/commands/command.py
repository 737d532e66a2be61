"""What every command is."""

from __future__ import annotations

__all__ = ["Command"]


class Command:
    """An act that somebody at the table asks to do."""
