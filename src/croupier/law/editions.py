"""Editions of law files, with the later corrections of what binds a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from croupier.law.built import read_law
from croupier.law.interpretations import interpretations
from croupier.law.model import Correction, Instrument

_PATH: Final = Path(__file__).with_name("editions.toml")


class Edition(Struct, frozen=True, forbid_unknown_fields=True):
    """One edition of a law file, and the SHA-256 of each of its ``files``.

    ``corrected`` are binding corrections, each by its first rule. ``values`` are those before
    correction. ``counted`` are later entries of the register that bound tables under these files.
    """

    law: str
    edition: int
    files: tuple[str, ...]
    corrected: tuple[str, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    counted: tuple[tuple[str, ...], ...] = ()

    def corrections_since(self, law: Instrument) -> tuple[Correction, ...]:
        return tuple(
            one for one in law.corrections if one.binds and one.of[0] not in self.corrected
        )


@cache
def editions() -> tuple[Edition, ...]:
    return msgspec.convert(read_law(_PATH).tables["edition"], tuple[Edition, ...])


def edition_of(law: Instrument, edition: int, law_sha256: str) -> Edition | None:
    """Edition in a record, if it exists.

    A law file that is not included has only its own edition.
    """
    known = (
        one
        for one in editions()
        if (one.law, one.edition) == (law.key, edition) and law_sha256 in one.files
    )
    if found := next(known, None):
        return found
    if (law.edition, law.sha256) != (edition, law_sha256):
        return None
    binding = tuple(correction.of[0] for correction in law.corrections if correction.binds)
    return Edition(law.key, edition, (law_sha256,), binding)


def unlisted(laws: tuple[Instrument, ...]) -> Iterator[tuple[str, str]]:
    """Yield omissions in the table of editions: the id of a law or an entry, and the error.

    An unlisted change would make valid records appear divergent.
    """
    for law in laws:
        listed = [one for one in editions() if one.law == law.key and law.sha256 in one.files]
        if not any(one.edition == law.edition for one in listed):
            yield law.key, f"edition {law.edition}, file {law.sha256}, is not in {_PATH.name}"
        for one in listed:
            if missing := [since.of[0] for since in one.corrections_since(law)]:
                yield law.key, f"{_PATH.name} lacks corrections of it: {', '.join(missing)}"
    first = read_law(_PATH).tables["first_entries"]
    for entry in interpretations().values():
        if entry.added is None and entry.id not in first:
            yield entry.id, "'added' is missing: a new entry of the register binds no table"
