"""Drills for dealers, with answers from the table itself."""

from __future__ import annotations

from croupier.drills.asking import DRILLS, drawn_questions, question
from croupier.drills.marking import MarkedAnswer, mark
from croupier.drills.room import DrillRoom, Question

__all__ = [
    "DRILLS", "DrillRoom", "MarkedAnswer", "Question", "drawn_questions", "mark", "question",
]  # fmt: skip
