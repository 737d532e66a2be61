"""What every command is."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Command"]


class Command(Struct, frozen=True, tag=True, tag_field="type"):
    """An act that somebody at the table asks to do."""
