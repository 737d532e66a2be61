"""What a terminal says by itself: headings, questions, and keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["ACTING_KEYS", "DRAW", "KEYS", "QUESTIONS", "READ_ONLY_KEYS"]

DRAW: Final = "DrawCard"
"""The act that the card pad enters."""

QUESTIONS: Final[Mapping[str, str]] = {
    "DrawCardInError": "Was a card drawn that is not due, or was one shown too early?",
    "FindFaceUpCard": "Did you find a card face up in the shoe?",
    "FindWrongCard": "Is a card damaged, missing, one too many, or of another deck?",
    "FindShoeEmpty": "Are there too few cards left to finish the round?",
    "CorrectMisreadCard": "Was a card recorded as another one than lies there?",
    "CorrectWager": "Was a wager recorded wrongly?",
    "CorrectSettlement": "Was a round settled wrongly?",
    "PassOverHeldCard": "Should the card that was set aside not be used?",
    "RequireRelinquishment": "Does a patron keep the cards of a hand?",
    "RecallHand": "Did the patron who holds a hand walk away?",
    "VoidRound": "Can this round not be finished?",
    "PauseTable": "Must play stop?",
}
"""The acts that report an irregularity, each as a plain question."""

KEYS: Final = (
    "Enter do it · rank, suit: a card · u cancel · o other acts · ! irregularity\n"
    "? clause · r roads · l limits · n record · x leave"
)
ACTING_KEYS: Final = (
    "Enter do it · o acts · y, n: consent, or not\n"
    "? clause · r roads · l limits · n record · x leave"
)
READ_ONLY_KEYS: Final = "? clause · r roads · l limits · n record · x leave"
