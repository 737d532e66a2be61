"""How texts and their sections are named on the command line and in what it prints."""

from __future__ import annotations

import re
from datetime import date

from croupier.cli.law.documents import LawText
from croupier.cli.output import fail
from croupier.documents import of_law
from croupier.law.load import LawError
from croupier.law.model import Instrument
from croupier.law.resolve import instruments, resolve

__all__ = ["cited", "extent", "head", "section", "text_named", "texts_named"]


def text_named(name: str) -> Instrument:
    """Return the text of an id, or of ``id@2001-01-16``: the one in force on that day.

    Exits with status 2 where none is known, or where several are held and no day is named.
    """
    law_id, at, day = name.partition("@")
    try:
        return resolve(law_id, on=date.fromisoformat(day) if at else None)
    except LawError as error:
        fail(str(error))
    except ValueError:
        fail(f"{day!r} is no day: write {law_id}@YYYY-MM-DD")


def texts_named(law_id: str | None) -> tuple[Instrument, ...]:
    """Return every text of an id, or the one of ``id@day``; all that are held where none is named.

    Exits with status 2 where none is held.
    """
    if law_id is not None and "@" in law_id:
        return (text_named(law_id),)
    chosen = tuple(text for text in instruments() if law_id in {None, text.id})
    if not chosen:
        held = ", ".join(sorted({text.id for text in instruments()}))
        fail(f"no text is held under the id {law_id!r}; held: {held}")
    return chosen


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


def section(clause_id: str) -> str:
    """Return the section of a clause: ``7.9`` of ``7.9_Table_2#1``, ``(f)`` of ``(f)(3)(i)``."""
    found = re.match(r"\(\w+\)|[^(#_~]*", clause_id.partition(":")[2])
    return found[0] if found else ""


def cited(text: Instrument) -> str:
    """Return how people cite a text as a whole: with its chapter, where sections are numbered so.

    Of sections 7.1, 7.2 and on the chapter is 7; where they are 1, 2, 3 there is none.
    """
    chapter, point, _ = section(next(iter(text.clauses))).partition(".")
    if point:
        return text.citation + chapter
    return text.citation.removesuffix("section ").rstrip(", ")
