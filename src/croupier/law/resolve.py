"""Lookup of the regulation text in force on a date."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, TypeAlias

from croupier.files.errors import did_you_mean
from croupier.law.contracts import contracts
from croupier.law.faults import LawError
from croupier.law.folders import (
    VARIABLE,
    LawFile,
    law_files,
    named_folders,
    package_folders,
    with_folder,
    with_folders,
)
from croupier.law.load import load_instrument
from croupier.law.model import Instrument, is_entry

AsOf: TypeAlias = date | Literal["latest"]
"""A date, or ``latest`` for the newest complete text."""

_SHELVES: tuple[Path, ...] = (Path(__file__).parent / "instruments",)


@cache
def instruments() -> tuple[Instrument, ...]:
    """Return every text of the package and all folders, by id and date. Raises ``LawError``."""
    return _in_order(load_instrument(law_file.path) for law_file in (*_included(), *_own()))


def rule_titles() -> dict[str, str]:
    """Title of every rule with a contract: that of the latest included law that has it, if any."""
    titles = {rule_id: contract.title for rule_id, contract in contracts().rules.items()}
    included = (load_instrument(law_file.path) for law_file in _included())
    return titles | {rule.id: rule.title for law in included for rule in law.rules.values()}


def keys() -> list[str]:
    """Find the key of every text without reading more than the beginning of its file."""
    return sorted(law_file.key for law_file in (*_included(), *_own()))


def law_ids() -> list[str]:
    return sorted({law_file.id for law_file in (*_included(), *_own()) if law_file.id})


def texts_citing(clauses: Sequence[str]) -> Iterator[Instrument]:
    """Yield the texts whose prefix one of these clauses has; all for an entry of the register."""
    if any(map(is_entry, clauses)):
        return iter(instruments())
    prefixes = {clause.partition(":")[0] for clause in clauses}
    ids = {law_file.id for law_file in (*_included(), *_own()) if law_file.prefix in prefixes}
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
    for cached in (instruments, texts_of, _named, _own):
        cached.cache_clear()


def _included() -> tuple[LawFile, ...]:
    return tuple(file for folder in _SHELVES for file in law_files(folder))


@cache
def _named() -> tuple[LawFile, ...]:
    return _checked(file for folder in named_folders() for file in law_files(folder))


@cache
def _own() -> tuple[LawFile, ...]:
    packages = (file for folder in package_folders() for file in law_files(folder))
    return _checked((*_named(), *packages))


def _checked(files: Iterable[LawFile]) -> tuple[LawFile, ...]:
    found: dict[str, LawFile] = {}
    for file in dict.fromkeys(files):
        if reason := shadowed(file.id, file.path):
            raise LawError(f"{file.path}: {reason}")
        if file.id and file.key in found:
            raise LawError(f"{file.path}: {file.key} is also in {found[file.key].path}: remove one")
        found[file.key if file.id else str(file.path)] = file
    return tuple(found.values())


def shadowed(law_id: str, path: Path) -> str:
    """Return why a law file may not have its id, if an included one has it."""
    other = next((law_file.path for law_file in _included() if law_file.id == law_id), None)
    if other is None or any(path.resolve().is_relative_to(shelf) for shelf in _SHELVES):
        return ""
    return f"{law_id} is the id of an included regulation, {other}: give this one another id"


def _in_order(texts: Iterable[Instrument]) -> tuple[Instrument, ...]:
    ordered = tuple(sorted(texts, key=lambda text: (text.id, text.in_force_from)))
    for text, following in pairwise(ordered):
        if text.id == following.id and text.in_force_known >= following.in_force_from:
            raise LawError(
                f"{text.key}: in_force_known is {text.in_force_known}, yet {following.key} is in "
                f"force from {following.in_force_from}: only one version may be in force on a "
                "date"
            )
    return ordered


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
    """Texts of an id, by date. Raises ``LawError`` for a bad one.

    Installed packages are searched only for an id that is not elsewhere, because finding them takes
    longer than reading a law file.
    """
    all_files = (*_included(), *_named())
    files = [file for file in all_files if file.id == law_id] or [
        law_file for law_file in _own() if law_file.id == law_id
    ]
    return _in_order(load_instrument(file.path) for file in files)


def known_texts(law_id: str) -> tuple[Instrument, ...]:
    """Texts of an id, by date. Raises ``LawError`` if there is none."""
    if texts := texts_of(law_id):
        return texts
    known = law_ids()
    hint = did_you_mean(law_id, known)
    message = f"no regulation has the id {law_id!r}{hint or ';'} included: {', '.join(known)}"
    raise LawError(message + where_searched(law_id, known, hint))


def where_searched(named: str, known: Collection[str], hint: str) -> str:
    """Where a name was searched for, unless a known one of its jurisdiction is what was meant."""
    if hint and named.partition("/")[0] in {one.partition("/")[0] for one in known}:
        return ""
    searched = ", ".join(("the package", *map(str, (*named_folders(), *package_folders()))))
    return f"; searched: {searched}; name another folder {with_folder()}"


def source_of(text: Instrument) -> str:
    sources = (file.path.read_bytes() for file in (*_included(), *_own()) if file.key == text.key)
    return next(one for one in sources if hashlib.sha256(one).hexdigest() == text.sha256).decode()


def law_path(text: Instrument) -> Path | None:
    """Law file of a text from outside the package. Raises ``LawError`` if it changed."""
    for law_file in _own():
        if law_file.key == text.key:
            if hashlib.sha256(law_file.path.read_bytes()).hexdigest() != text.sha256:
                raise LawError(f"{law_file.path}: was changed since it was read")
            return law_file.path
    return None


def resolve(law_id: str, *, on: AsOf) -> Instrument:
    """Text of that id known to be in force on a date, or the ``latest`` complete one.

    Raises ``LawError`` if no such text is known.

    >>> from datetime import date
    >>> resolve("us-nj/minibaccarat", on=date(2011, 2, 22)).title
    'New Jersey minibaccarat'
    """
    texts = known_texts(law_id)
    if on == "latest":
        return max(texts, key=lambda text: (not text.partial, text.in_force_from))
    for text in texts:
        if text.in_force_from <= on <= text.in_force_known:
            return _SUBSTITUTES.get(text.key, text)
    spans = ", ".join(f"{text.in_force_from} to {text.in_force_known}" for text in texts)
    raise LawError(
        f"what {law_id} said on {on} is not known here: the included version is known to have "
        f"been in force {spans}; Croupier makes no claim about other dates"
    )
