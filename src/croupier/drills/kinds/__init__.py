"""The kinds of questions, one module per subject."""

from __future__ import annotations

from croupier.drills.kinds import allowed, cards, irregular, money, offices, roads, steps  # noqa: F401  (each registers what it asks)
from croupier.drills.room import MAKERS

__all__ = ["MAKERS"]
