"""The kinds of things that a field of a record can be, each with those who may see it."""

from __future__ import annotations

from enum import Enum


class Sight(Enum):
    """What a field is, as far as that decides who may see it.

    ``croupier.records.view.sight`` lists the offices that see each kind.
    """

    __hash__ = object.__hash__

    OPEN = "for everyone"
    CARD = "a card: for everyone once it is open, and for no one before"
    SECRET = "a secret of the progressive: for no one"  # noqa: S105  (a description)
    PATRON = "the name of a patron"
    ON_PAPER = "the name of a patron on a Form"
    STAFF = "the name of someone who works here"
    TEXT = "words that the staff wrote"
    STAKE = "chips on the layout, and what they are paid"
    CHIPS = "the chips and the marker of one patron"
    PAPER = "the amount on a Form"
    RACK = "the chips in the tray, and on their way to or from it"
    HOUSE = "the drop, what was expected of a count, and what follows for the win"
    ODDS = "how many of each card may still come, by the open cards"
    PARTS = "a document of its own, each field of which is declared"
    KEPT = "a part of the state that no view shows"
