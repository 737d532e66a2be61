"""Drills for dealers: questions whose key is the table itself.

A question is a table at some point of the procedure, words, and fields to fill in. Its key is what
``decide`` and ``settle`` bring about there, never a table of answers, so it is right under any
submission.
"""

from __future__ import annotations

from croupier.drills.asking import DRILLS, drawn_questions, question
from croupier.drills.marking import MarkedAnswer, mark
from croupier.drills.question import Question
from croupier.drills.room import DrillRoom

__all__ = [
    "DRILLS", "DrillRoom", "MarkedAnswer", "Question", "drawn_questions", "mark", "question",
]  # fmt: skip
