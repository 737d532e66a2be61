"""When a regulation was changed, as its texts tell it, and which days of it are held.

Several texts of one id tell of the same days: one by what order and what was changed, another no
more than that a section was. What one tells is not repeated for another that tells less. They may
cite at different lengths, ``7.2`` or ``19:47-7.2``: sections are told as the latest text has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from croupier.law.model import Amendment, Instrument

_DAY = timedelta(days=1)


class Day(Struct, frozen=True):
    """A day on which a regulation was changed, and all that its texts tell of that.

    ``amendments`` is empty where they tell no more than the day. ``held`` is the text that stands
    for the law of that day, and ``None`` where none is held.
    """

    on: date
    amendments: tuple[Amendment, ...]
    held: Instrument | None


class Span(Struct, frozen=True):
    """Days in a row for which the same text is held, or none.

    ``first`` is ``None`` for the time before anything that is held, ``last`` for the time after.
    """

    first: date | None
    last: date | None
    text: Instrument | None


class History(Struct, frozen=True):
    """The days on which one regulation was changed, and the spans for which it is held or not."""

    id: str
    days: tuple[Day, ...]
    spans: tuple[Span, ...]


def history(texts: Sequence[Instrument]) -> History:
    """Return what the texts of one id tell of its history.

    >>> from datetime import date
    >>> from croupier.law.resolve import resolve
    >>> told = history([resolve("us-nj/minibaccarat", on=date(2011, 2, 22))])
    >>> told.days[1].on, told.days[1].amendments[0].sections
    (datetime.date(1987, 10, 5), ('7.7',))
    >>> [(span.first, span.text is not None) for span in told.spans][1]
    (datetime.date(2011, 2, 22), True)
    """
    in_order = sorted(texts, key=lambda text: text.in_force_from)
    amended = sorted({day for text in in_order for day in text.amended})
    days = (Day(day, _told_of(day, in_order), _held_on(day, in_order)) for day in amended)
    return History(in_order[0].id, tuple(days), _spans(in_order))


def _told_of(day: date, texts: Sequence[Instrument]) -> tuple[Amendment, ...]:
    """Return what is told of a day, without what is told in full elsewhere."""
    latest = texts[-1].citation
    told = [
        replace(
            one,
            sections=tuple((text.citation + each).removeprefix(latest) for each in one.sections),
        )
        for text in texts
        for one in text.amendments
        if one.on == day
    ]
    full = tuple(dict.fromkeys(one for one in told if one.by or one.note))
    known = {section for one in full for section in one.sections}
    rest = dict.fromkeys(
        section for one in told for section in one.sections if section not in known
    )
    return (*full, Amendment(day, tuple(rest))) if rest else full


def _held_on(day: date, texts: Sequence[Instrument]) -> Instrument | None:
    known = (text for text in texts if text.in_force_from <= day <= text.in_force_known)
    return next(known, None)


def _spans(texts: Sequence[Instrument]) -> tuple[Span, ...]:
    """Return the spans from before the first text to after the last, without a day between."""
    spans = [Span(None, texts[0].in_force_from - _DAY, None)]
    for text in texts:
        after = spans[-1].last
        if after is not None and text.in_force_from - after > _DAY:
            spans.append(Span(after + _DAY, text.in_force_from - _DAY, None))
        spans.append(Span(text.in_force_from, text.in_force_known, text))
    return (*spans, Span(texts[-1].in_force_known + _DAY, None, None))
