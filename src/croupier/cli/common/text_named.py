"""The text that a command names by its id and a day, or ``latest``."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Literal

import click

from croupier.cli.common.output import call_again_with, fail
from croupier.files.streams import note
from croupier.law.model import Instrument, section
from croupier.law.resolve import AsOf, instruments, resolve, texts_of
from croupier.rules.documents import of_law

if TYPE_CHECKING:
    from croupier.cli.law.documents import LawText

_LATEST: Literal["latest"] = "latest"


def _day(text: str) -> AsOf:
    return _LATEST if text == _LATEST else date.fromisoformat(text)


def _typed_day(value: str) -> AsOf:
    try:
        return _day(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a date: write YYYY-MM-DD or latest") from None


as_of_option = click.option(
    "--as-of",
    metavar="YYYY-MM-DD|latest",
    type=_typed_day,
    help="Use the regulation in force on this date, or the latest complete one.",
)


def text_named(name: str, as_of: AsOf | None = None) -> Instrument:
    """Return the text of ``id@2001-01-16`` or ``id@latest``, or of an id and the day ``as_of``.

    Exits with status 2 if no day is named: the result must not change when a later text is
    included.
    """
    law_id, at, day = name.partition("@")
    if at:
        if as_of is not None:
            fail(f"the date is given twice: {name} or --as-of")
        try:
            as_of = _day(day)
        except ValueError:
            fail(f"{day!r} is not a date: write {law_id}@YYYY-MM-DD or {law_id}@latest")
    if as_of is None:
        resolve(law_id, on=_LATEST)
        held = ", ".join(text.key for text in texts_of(law_id))
        fail(f"{law_id}: give the date, {law_id}@YYYY-MM-DD or {law_id}@latest; included: {held}")
    text = resolve(law_id, on=as_of)
    if as_of == _LATEST:
        note(f"latest: {text.key}")
        # Of two texts in one command each has its own latest day.
        word, meant = (name, text.key) if at else (_LATEST, text.in_force_from.isoformat())
        call_again_with(word, meant)
    return text


def texts_named(law_id: str | None) -> tuple[Instrument, ...]:
    if law_id is not None and "@" in law_id:
        return (text_named(law_id),)
    chosen = tuple(text for text in instruments() if law_id in {None, text.id})
    if not chosen:
        held = ", ".join(sorted({text.id for text in instruments()}))
        fail(f"no regulation has the id {law_id!r}; included: {held}")
    return chosen


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
