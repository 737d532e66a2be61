"""Lookup of the regulation text in force on a date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias

from croupier.files.suggest import did_you_mean
from croupier.law.load import LawError, load_instrument
from croupier.law.model import Instrument

AsOf: TypeAlias = date | Literal["latest"]
"""A date, or ``latest`` for the newest complete text."""

_SHELVES: tuple[Path, ...] = (Path(__file__).parent / "instruments",)


@cache
def instruments() -> tuple[Instrument, ...]:
    """Return every included text, by id and then by date."""
    return _in_order(map(load_instrument, _files()))


def keys() -> list[str]:
    """Return the key of every included text, from file names alone.

    >>> "us-nj/minibaccarat@2011-02-22" in keys()
    True
    """
    return sorted(
        path.relative_to(folder).with_suffix("").as_posix()
        for folder in _SHELVES
        for path in folder.rglob("*.toml")
    )


def _files() -> Iterator[Path]:
    return (path for folder in _SHELVES for path in folder.rglob("*.toml"))


def _in_order(texts: Iterable[Instrument]) -> tuple[Instrument, ...]:
    held = tuple(sorted(texts, key=lambda one: (one.id, one.in_force_from)))
    for one, following in pairwise(held):
        if one.id == following.id and one.in_force_known >= following.in_force_from:
            raise LawError(
                f"{one.key}: in_force_known is {one.in_force_known}, yet {following.key} is in "
                f"force from {following.in_force_from}: only one version may be in force on a "
                "date"
            )
    return held


@contextmanager
def substituted(text: Instrument) -> Iterator[None]:
    """Use another content for a regulation's key, for its scenarios."""
    _SUBSTITUTES[text.key] = text
    try:
        yield
    finally:
        del _SUBSTITUTES[text.key]


_SUBSTITUTES: dict[str, Instrument] = {}


@cache
def texts_of(law_id: str) -> tuple[Instrument, ...]:
    """Return the included texts of an id, by date.

    Files without the id are not parsed, which saves most of the loading time.
    """
    named = (path for path in _files() if law_id in path.read_text(encoding="utf-8"))
    return _in_order(one for one in map(load_instrument, named) if one.id == law_id)


def source_of(text: Instrument) -> str:
    """Return the law file of an included text, as written."""
    sources = (path.read_bytes() for path in _files())
    return next(one for one in sources if hashlib.sha256(one).hexdigest() == text.sha256).decode()


def resolve(law_id: str, *, on: AsOf) -> Instrument:
    """Return the text of that id known to be in force on a date, or the ``latest`` complete one.

    Raises ``LawError`` if no such text is known.

    >>> from datetime import date
    >>> resolve("us-nj/minibaccarat", on=date(2011, 2, 22)).title
    'New Jersey minibaccarat'
    >>> resolve("us-nj/minibaccarat", on="latest").in_force_from
    datetime.date(2011, 2, 22)
    """
    held = texts_of(law_id)
    if not held:
        known = sorted({one.id for one in instruments()})
        hint = did_you_mean(law_id, known) or ";"
        raise LawError(f"no regulation has the id {law_id!r}{hint} included: {', '.join(known)}")
    if on == "latest":
        return max(held, key=lambda one: (not one.partial, one.in_force_from))
    for one in held:
        if one.in_force_from <= on <= one.in_force_known:
            return _SUBSTITUTES.get(one.key, one)
    spans = ", ".join(f"{one.in_force_from} to {one.in_force_known}" for one in held)
    raise LawError(
        f"what {law_id} said on {on} is not known here: the included version is known to have "
        f"been in force {spans}; Croupier makes no claim about other dates"
    )
