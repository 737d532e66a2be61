"""Register of interpretations, and the editions of law files with later corrections."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from croupier.files.errors import FileError, Place, did_you_mean
from croupier.files.toml import read_toml
from croupier.law.built import read_law
from croupier.law.faults import LawFault
from croupier.law.model import TAKEN, Correction, Instrument, Interpretation
from croupier.law.usage import Usage

REGISTER: Final = "interpretations.toml"
"""Name of a register file."""
_ID: Final = re.compile("[A-Z][A-Z0-9-]{0,39}")


class _Register(Struct, frozen=True, forbid_unknown_fields=True):
    interpretation: tuple[Interpretation, ...] = ()


@cache
def interpretations() -> Mapping[str, Interpretation]:
    """Register by id, in order."""
    path = Path(__file__).with_name(REGISTER)
    entries = msgspec.convert(read_law(path).tables["interpretation"], list[Interpretation])
    return {entry.id: entry for entry in entries}


def own_register(folder: Path) -> tuple[Mapping[str, Interpretation], tuple[LawFault, ...]]:
    """Register of the laws in a folder, and the faults of its own entries.

    The file ``interpretations.toml`` of the folder adds entries. An entry with the name of an
    included one answers in its place.
    """
    included = interpretations()
    path = folder / REGISTER
    if not path.is_file():
        return included, ()
    try:
        file = read_toml(path)
        entries = msgspec.convert(file.tables, _Register).interpretation
    except (FileError, msgspec.ValidationError) as error:
        # A message of a file error begins with the place.
        return included, (LawFault(Place(path, 1, 1), path.name, str(error), "register"),)
    faults = [
        LawFault(file.place(f"interpretation[{number}].id"), entry.id, fault, "register")
        for number, entry in enumerate(entries, start=1)
        for fault in _own_faults(entry, [interpretation.id for interpretation in entries])
    ]
    own_entries = {entry.id: entry for entry in entries}
    names = {entry.name for entry in own_entries.values() if entry.name}
    included_entries = {entry.id: entry for entry in included.values() if entry.name not in names}
    return included_entries | own_entries, tuple(faults)


def in_words_of(
    usage: Usage, entries: Mapping[str, Interpretation]
) -> Mapping[str, Interpretation]:
    """Entries of a register, the included ones with a law's names of offices."""
    return (
        {name: _named(one, usage.named) for name, one in entries.items()}
        if usage.offices
        else entries
    )


def _named(entry: Interpretation, named: Callable[[str], str]) -> Interpretation:
    if entry.id not in interpretations():
        return entry
    readings = {name: named(text) for name, text in entry.readings.items()}
    reading = entry.reading if readings else named(entry.reading)
    title, problem = named(entry.title), named(entry.problem)
    return replace(entry, title=title, problem=problem, reading=reading, readings=readings)


def registered(texts: Collection[Instrument]) -> Mapping[str, Interpretation]:
    """Entries of the registers of texts, by id; those of several laws as they are included."""
    entries = {name: entry for text in texts for name, entry in text.register.items()}
    if len({text.id for text in texts}) > 1:
        entries |= {name: one for name, one in interpretations().items() if name in entries}
    return entries


def _own_faults(entry: Interpretation, ids: Sequence[str]) -> Iterator[str]:
    included = interpretations()
    if not _ID.fullmatch(entry.id):
        yield "is not an id: write capital letters, digits, and hyphens"
    if entry.id in included:
        yield f"is the id of an included entry: use another id, such as X-{entry.id}"
    if ids.count(entry.id) > 1:
        yield "is the id of several entries"
    if not entry.rests:
        yield "'rests' names no rule"
    names = reading_ids(included)
    if entry.name in names:
        yield from _answer_faults(entry, included[names[entry.name]].readings)
    elif entry.name:
        hint = did_you_mean(entry.name, names) or f"; known: {', '.join(names)}"
        yield f"the program asks for no reading {entry.name!r}{hint}"
    elif entry.readings:
        yield "'readings' requires a 'name', by which the program asks for one"


def _answer_faults(entry: Interpretation, names: Collection[str]) -> Iterator[str]:
    for reading in entry.readings:
        if reading not in names:
            hint = did_you_mean(reading, names) or f"; known: {', '.join(names)}"
            yield f"the program implements no reading {reading!r} of {entry.name}{hint}"
    if entry.reading not in entry.readings:
        yield f"'reading' is not one of its readings: {', '.join(entry.readings)}"


def reading_ids(register: Mapping[str, Interpretation]) -> Mapping[str, str]:
    """Id of each electable entry of a register, by name.

    >>> reading_ids(interpretations())["disclosed_card.fate"]
    'T32'
    """
    return {entry.name: entry.id for entry in register.values() if entry.name}


def readings_for(
    law: Instrument, rule_ids: frozenset[str], choices: Mapping[str, str]
) -> Mapping[str, str]:
    return {
        entry.id: choices.get(entry.id, entry.reading if entry.readings else TAKEN)
        for entry in law.concerned.values()
        if not rule_ids.isdisjoint(entry.rests) and rule_ids.isdisjoint(entry.unless)
    }


def acknowledged(law: Instrument) -> Mapping[str, str]:
    return {entry.id: entry.reading for entry in law.concerned.values() if entry.acknowledge}


_PATH: Final = Path(__file__).with_name("editions.toml")


class Edition(Struct, frozen=True, forbid_unknown_fields=True):
    """One edition of a law file, and the SHA-256 of each of its ``files``.

    ``corrected`` are binding corrections, each by its first rule, ``also_corrected`` those in
    addition to the entry before. ``values`` are those before correction. ``counted`` are later
    entries of the register that bound tables under these files.
    """

    law: str
    edition: int
    files: tuple[str, ...]
    corrected: tuple[str, ...] = ()
    also_corrected: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    counted: tuple[tuple[str, ...], ...] = ()

    def corrections_since(self, law: Instrument) -> tuple[Correction, ...]:
        return tuple(
            one for one in law.corrections if one.binds and one.of[0] not in self.corrected
        )


@cache
def editions() -> tuple[Edition, ...]:
    found: list[Edition] = []
    for one in msgspec.convert(read_law(_PATH).tables["edition"], tuple[Edition, ...]):
        former = found[-1].corrected if one.also_corrected else ()
        found.append(replace(one, corrected=(*former, *one.corrected, *one.also_corrected)))
    return tuple(found)


def is_listed(law: Instrument) -> bool:
    """Whether the editions of a law are known, as those of all included ones are."""
    return any(edition.law == law.key for edition in editions())


def edition_of(law: Instrument, edition: int, law_sha256: str) -> Edition | None:
    """Edition in a record, if it exists; a law file not included has only its own."""
    for known in editions():
        if (known.law, known.edition) == (law.key, edition) and law_sha256 in known.files:
            return known
    if (law.edition, law.sha256) != (edition, law_sha256):
        return None
    binding = tuple(correction.of[0] for correction in law.corrections if correction.binds)
    return Edition(law.key, edition, (law_sha256,), binding)


def unlisted(laws: tuple[Instrument, ...]) -> Iterator[tuple[str, str]]:
    """Yield ids missing from the table of editions, each with the error."""
    for law in laws:
        candidates = [one for one in editions() if one.law == law.key and law.sha256 in one.files]
        if not any(one.edition == law.edition for one in candidates):
            yield law.key, f"edition {law.edition}, file {law.sha256}, is not in {_PATH.name}"
        for one in candidates:
            if missing := [correction.of[0] for correction in one.corrections_since(law)]:
                yield law.key, f"{_PATH.name} lacks corrections of it: {', '.join(missing)}"
    first = read_law(_PATH).tables["first_entries"]
    for entry in interpretations().values():
        if entry.added is None and entry.id not in first:
            yield entry.id, "'added' is missing: a new entry of the register binds no table"
