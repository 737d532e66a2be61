"""Register of interpretations: readings of contradictory, mistaken or silent texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from croupier.files.errors import FileError, Place, did_you_mean
from croupier.files.toml import read_toml
from croupier.law.built import read_law
from croupier.law.faults import LawFault
from croupier.law.model import TAKEN, Instrument, Interpretation

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
        added = msgspec.convert(file.tables, _Register).interpretation
    except (FileError, msgspec.ValidationError) as error:
        # A message of a file error begins with the place.
        return included, (LawFault(Place(path, 1, 1), path.name, str(error), "register"),)
    faults = [
        LawFault(file.place(f"interpretation[{number}].id"), entry.id, fault, "register")
        for number, entry in enumerate(added, start=1)
        for fault in _own_faults(entry, [interpretation.id for interpretation in added])
    ]
    own = {entry.id: entry for entry in added}
    names = {entry.name for entry in own.values() if entry.name}
    kept = {entry.id: entry for entry in included.values() if entry.name not in names}
    return kept | own, tuple(faults)


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


def _answer_faults(entry: Interpretation, known: Collection[str]) -> Iterator[str]:
    for reading in entry.readings:
        if reading not in known:
            hint = did_you_mean(reading, known) or f"; known: {', '.join(known)}"
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
    law: Instrument, rule_ids: Collection[str], elected: Mapping[str, str]
) -> Mapping[str, str]:
    return {
        entry.id: elected.get(entry.id, entry.reading if entry.readings else TAKEN)
        for entry in law.register.values()
        if entry.about(law.key, rule_ids)
    }


def acknowledged(law: Instrument) -> Mapping[str, str]:
    return {
        entry.id: entry.reading
        for entry in law.register.values()
        if entry.acknowledge and entry.about(law.key, law.rules)
    }
