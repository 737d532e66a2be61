"""Faults of law files, each with its place, its code, and the fault that caused it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.files.errors import MAX_FAULTS, Place

CODES: Final = {
    "toml": "the file is not TOML",
    "shape": "a table or key is unknown, missing, or malformed",
    "duplicate": "an id is defined twice",
    "reference": "an id is named that the file or the register lacks",
    "citation": "a clause has no disposition, or a rule no clause",
    "condition": "a condition, default, or constraint has a value that a rule cannot have, or none",
    "order": "something comes before what it depends on",
    "unknown-rule": "the program implements no rule of that id",
    "contract": "the contract of the rule does not permit it",
    "missing-rule": "a rule is missing that a table needs",
    "missing-reading": "a reading of the register is missing that the program asks for",
    "mechanism": "a mechanism is missing, or its package is not valid",
    "register": "an entry of the register in the folder of the law is not valid",
}
"""What each code means."""


class LawFault(Struct, frozen=True):
    """A fault: place, id or table, sentence, and code, what it lacks, and what caused it."""

    place: Place
    item: str
    message: str
    code: str
    lacks: str = ""
    cause: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.item}: {self.message}"


class LawError(ValueError):
    """An invalid law file with every fault, or a query that the law cannot answer."""

    def __init__(self, message: str = "", faults: Sequence[LawFault] = ()) -> None:
        roots = [str(fault) for fault in faults if not fault.cause][:MAX_FAULTS]
        super().__init__(message or "\n".join(roots))
        self.faults = tuple(faults)


def with_causes(
    faults: Iterable[LawFault], unread: Iterable[str], slips: dict[str, str]
) -> list[LawFault]:
    """Add the causes of faults: items ``unread``, and misspelled ids (``slips``)."""
    causes = slips | {item: item for item in unread}
    return [
        replace(fault, cause=causes[fault.lacks])
        if fault.lacks in causes and causes[fault.lacks] != fault.item
        else fault
        for fault in faults
    ]
