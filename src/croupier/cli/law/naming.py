"""Names of regulations and their sections, on the command line and in its output."""

from __future__ import annotations

import re
from datetime import date

from croupier.cli.output import fail
from croupier.law.load import LawError
from croupier.law.model import Instrument
from croupier.law.resolve import instruments, resolve

__all__ = ["cited", "extent", "head", "section", "text_named", "texts_named"]


def text_named(name: str) -> Instrument:
    """Return the regulation of an id, or of ``id@2001-01-16``: the version in force on that date.

    Exits with status 2 if none is known, or if several are included and no date is given.
    """
    law_id, at, day = name.partition("@")
    try:
        return resolve(law_id, on=date.fromisoformat(day) if at else None)
    except LawError as error:
        fail(str(error))
    except ValueError:
        fail(f"{day!r} is not a date: write {law_id}@YYYY-MM-DD")


def texts_named(law_id: str | None) -> tuple[Instrument, ...]:
    """Return every version of an id, or the one of ``id@day``; all regulations if no id is given.

    Exits with status 2 if none is included.
    """
    if law_id is not None and "@" in law_id:
        return (text_named(law_id),)
    chosen = tuple(text for text in instruments() if law_id in {None, text.id})
    if not chosen:
        held = ", ".join(sorted({text.id for text in instruments()}))
        fail(f"no regulation has the id {law_id!r}; included: {held}")
    return chosen


def head(text: Instrument) -> dict[str, object]:
    """Return the identity of a regulation as data."""
    return {
        "id": text.id,
        "title": text.title,
        "authority": text.authority,
        "in_force_from": text.in_force_from.isoformat(),
        "in_force_known": text.in_force_known.isoformat(),
        "observed_on": text.observed_on.isoformat(),
        "partial": text.partial,
        "sha256": text.sha256,
    }


def extent(text: Instrument) -> str:
    """Return whether the regulation is whole or an excerpt, in words."""
    return "partial" if text.partial else "complete"


def section(clause_id: str) -> str:
    """Return the section of a clause: ``7.9`` of ``7.9_Table_2#1``, ``(f)`` of ``(f)(3)(i)``."""
    found = re.match(r"\(\w+\)|[^(#_~]*", clause_id.partition(":")[2])
    return found[0] if found else ""


def cited(text: Instrument) -> str:
    """Return the usual citation of a regulation, with its chapter if sections are numbered by it.

    The chapter of sections 7.1, 7.2, ... is 7; sections 1, 2, 3 have none.
    """
    chapter, point, _ = section(next(iter(text.clauses))).partition(".")
    if point:
        return text.citation + chapter
    return text.citation.removesuffix("section ").rstrip(", ")
