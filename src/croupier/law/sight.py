"""Annotations of field types: visibility, and keys."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Key(Struct, frozen=True):
    """The kind of a mapping's keys, such as ``seat``, annotated on their type."""

    what: str


class Sight(Enum):
    """The kind of a field, which decides its visibility in ``croupier.records.view.sight``."""

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
