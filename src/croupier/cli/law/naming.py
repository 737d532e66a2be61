"""Names of regulations in printed output."""

from __future__ import annotations

from croupier.cli.law.documents import LawText
from croupier.law.model import Instrument, section
from croupier.rules.documents import of_law


def head(text: Instrument) -> LawText:
    return {
        **of_law(text),
        "authority": text.authority,
        "cited_as": cited(text),
        "in_force_known": text.in_force_known.isoformat(),
        "observed_on": text.observed_on.isoformat(),
        "partial": text.partial,
    }


def cited(text: Instrument) -> str:
    """Return the usual citation: with chapter 7 if sections are 7.1, 7.2."""
    chapter, point, _ = section(next(iter(text.clauses))).partition(".")
    if point:
        return text.citation + chapter
    return text.citation.removesuffix("section ").rstrip(", ")
