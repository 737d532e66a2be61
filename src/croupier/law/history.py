"""Change history of a regulation, merged from its texts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from croupier.law.model import Amendment, Instrument

_DAY = timedelta(days=1)


class Day(Struct, frozen=True):
    """A day of change; without ``amendments`` if the texts give only the day.

    ``held`` is the included text of that day, or ``None``.
    """

    on: date
    amendments: tuple[Amendment, ...]
    held: Instrument | None


class Span(Struct, frozen=True):
    """Consecutive days with the same included text, or none; open at ``None``."""

    first: date | None
    last: date | None
    text: Instrument | None


class History(Struct, frozen=True):
    id: str
    days: tuple[Day, ...]
    spans: tuple[Span, ...]


def history(texts: Sequence[Instrument]) -> History:
    in_order = sorted(texts, key=lambda text: text.in_force_from)
    amended = sorted({day for text in in_order for day in text.amended})
    days = []
    for day in amended:
        held = (text for text in in_order if text.in_force_from <= day <= text.in_force_known)
        days.append(Day(day, _amendments_of(day, in_order), next(held, None)))
    return History(in_order[0].id, tuple(days), _spans(in_order))


def _amendments_of(day: date, texts: Sequence[Instrument]) -> tuple[Amendment, ...]:
    latest = texts[-1].citation
    amended = [
        replace(
            one,
            sections=tuple((text.citation + each).removeprefix(latest) for each in one.sections),
        )
        for text in texts
        for one in text.amendments
        if one.on == day
    ]
    full = tuple(dict.fromkeys(one for one in amended if one.by or one.note))
    known = {section for one in full for section in one.sections}
    rest = dict.fromkeys(
        section for one in amended for section in one.sections if section not in known
    )
    return (*full, Amendment(day, tuple(rest))) if rest else full


def _spans(texts: Sequence[Instrument]) -> tuple[Span, ...]:
    spans = [Span(None, texts[0].in_force_from - _DAY, None)]
    for text in texts:
        after = spans[-1].last
        if after is not None and text.in_force_from - after > _DAY:
            spans.append(Span(after + _DAY, text.in_force_from - _DAY, None))
        spans.append(Span(text.in_force_from, text.in_force_known, text))
    return (*spans, Span(texts[-1].in_force_known + _DAY, None, None))
