"""Lookup of the regulation text in force on a date."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias

from croupier.files.suggest import did_you_mean
from croupier.law.faults import LawError
from croupier.law.folders import (
    VARIABLE,
    LawFile,
    law_files,
    named_folders,
    package_folders,
    with_folders,
)
from croupier.law.load import load_instrument
from croupier.law.model import Instrument, is_entry

AsOf: TypeAlias = date | Literal["latest"]
"""A date, or ``latest`` for the newest complete text."""

_SHELVES: tuple[Path, ...] = (Path(__file__).parent / "instruments",)


@cache
def instruments() -> tuple[Instrument, ...]:
    """Return every text of the package and of all other folders, by id and then by date.

    Raises ``LawError`` for a bad one.
    """
    return _in_order(load_instrument(one.path) for one in (*_included(), *_own()))


def keys() -> list[str]:
    """Return the key of every text without reading more than the beginning of its file.

    >>> "us-nj/minibaccarat@2011-02-22" in keys()
    True
    """
    return sorted(one.key for one in (*_included(), *_own()))


def law_ids() -> list[str]:
    """Return the id of every regulation without reading more than the beginning of its files."""
    return sorted({one.id for one in (*_included(), *_own()) if one.id})


def texts_citing(clauses: Sequence[str]) -> Iterator[Instrument]:
    """Yield the texts whose prefix one of these clauses has; all for an entry of the register."""
    if any(map(is_entry, clauses)):
        return iter(instruments())
    prefixes = {one.partition(":")[0] for one in clauses}
    ids = {one.id for one in (*_included(), *_own()) if one.prefix in prefixes}
    return (text for law_id in ids for text in texts_of(law_id))


@contextmanager
def using(folders: Iterable[Path]) -> Iterator[None]:
    """Search more folders, as child processes of this one do. Raises ``LawError`` for a bad one."""
    before = os.environ.get(VARIABLE)
    use(folders)
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before
        forget()


def use(folders: Iterable[Path]) -> None:
    """Search more folders from now on, and read all law files anew."""
    os.environ[VARIABLE] = with_folders(folders)
    forget()


def forget() -> None:
    """Forget all law files and folders read so far."""
    for cached in (instruments, texts_of, _named, _own):
        cached.cache_clear()


def _included() -> tuple[LawFile, ...]:
    return tuple(one for folder in _SHELVES for one in law_files(folder))


@cache
def _named() -> tuple[LawFile, ...]:
    """Return the law files of named folders."""
    return _checked(one for folder in named_folders() for one in law_files(folder))


@cache
def _own() -> tuple[LawFile, ...]:
    """Return the law files of named folders and installed packages."""
    packages = (one for folder in package_folders() for one in law_files(folder))
    return _checked((*_named(), *packages))


def _checked(files: Iterable[LawFile]) -> tuple[LawFile, ...]:
    """Return files by path. Raises ``LawError`` if two have one key, or one an included id."""
    included = {one.id: one.path for one in _included()}
    found: dict[str, LawFile] = {}
    for one in dict.fromkeys(files):
        if one.id in included:
            raise LawError(
                f"{one.path}: {one.id} is the id of an included regulation, "
                f"{included[one.id]}: give this one another id"
            )
        if one.id and one.key in found:
            raise LawError(f"{one.path}: {one.key} is also in {found[one.key].path}: remove one")
        found[one.key if one.id else str(one.path)] = one
    return tuple(found.values())


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
    """Return the texts of an id, by date. Raises ``LawError`` for a bad one.

    Installed packages are searched only for an id that is not elsewhere, because finding them
    takes longer than reading a law file.
    """
    known = (*_included(), *_named())
    files = [one for one in known if one.id == law_id] or [
        one for one in _own() if one.id == law_id
    ]
    return _in_order(load_instrument(one.path) for one in files)


def source_of(text: Instrument) -> str:
    """Return the law file of a text, as written."""
    sources = (one.path.read_bytes() for one in (*_included(), *_own()) if one.key == text.key)
    return next(one for one in sources if hashlib.sha256(one).hexdigest() == text.sha256).decode()


def law_path(text: Instrument) -> Path | None:
    """Return the law file of a text from outside the package. Raises ``LawError`` if it changed."""
    for one in _own():
        if one.key == text.key:
            if hashlib.sha256(one.path.read_bytes()).hexdigest() != text.sha256:
                raise LawError(f"{one.path}: was changed since it was read")
            return one.path
    return None


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
        known = law_ids()
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
