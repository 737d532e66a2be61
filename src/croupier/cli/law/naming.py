"""How texts and their sections are named in what is printed."""

from __future__ import annotations

from croupier.cli.law.documents import LawText
from croupier.documents import of_law
from croupier.law.model import Instrument, section

__all__ = ["cited", "extent", "head"]


def head(text: Instrument) -> LawText:
    """Return as data what tells which text it is."""
    return {
        **of_law(text),
        "authority": text.authority,
        "in_force_known": text.in_force_known.isoformat(),
        "observed_on": text.observed_on.isoformat(),
        "partial": text.partial,
    }


def extent(text: Instrument) -> str:
    """Say whether a text is whole."""
    return "partial" if text.partial else "complete"


def cited(text: Instrument) -> str:
    """Return how people cite a text as a whole: with its chapter, where sections are numbered so.

    Of sections 7.1, 7.2 and on the chapter is 7; where they are 1, 2, 3 there is none.
    """
    chapter, point, _ = section(next(iter(text.clauses))).partition(".")
    if point:
        return text.citation + chapter
    return text.citation.removesuffix("section ").rstrip(", ")
