"""Documents that a licensee keeps for clauses: approvals, layouts, procedures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from croupier.files.errors import did_you_mean
from croupier.law.elect import ErrorDetail
from croupier.law.model import Instrument

_HASH: Final = re.compile("[0-9a-f]{64}")
_NAME: Final = re.compile("[A-Za-z0-9_-]+")


class FiledDocument(Struct, frozen=True, omit_defaults=True):
    """A document on file for clauses; ``sha256`` is that of the licensee's own file."""

    name: str
    title: str
    clauses: tuple[str, ...]
    number: str = ""
    dated: date | None = None
    expires: date | None = None
    sha256: str = ""

    def written(self) -> dict[str, Any]:
        """Return it as a submission and the header of a log have it, without its name.

        >>> FiledDocument("seal", "Seals", ("NJ-MINI:7.2(a)#1",), dated=date(2011, 1, 2)).written()
        {'title': 'Seals', 'clauses': ['NJ-MINI:7.2(a)#1'], 'dated': '2011-01-02'}
        """
        kept = {name: value for name, value in asdict(self).items() if value and name != "name"}
        return {
            name: value.isoformat() if isinstance(value, date) else value
            for name, value in (kept | {"clauses": [*self.clauses]}).items()
        }

    @property
    def says(self) -> str:
        """One line: its title, number, and dates.

        >>> FiledDocument("layout", "Layout", (), "12", expires=date(2030, 1, 2)).says
        'Layout, no. 12, expires 2030-01-02'
        """
        parts = [self.title]
        parts += [f"no. {self.number}"] if self.number else []
        parts += [f"of {self.dated}"] if self.dated else []
        parts += [f"expires {self.expires}"] if self.expires else []
        return ", ".join(parts)


def read_documents(
    tables: Mapping[str, Any], fault: Callable[[str, str], object]
) -> Iterator[FiledDocument]:
    known = FiledDocument.__struct_fields__[1:]
    for name, table in tables.items():
        where = f"documents.{name}"
        if not _NAME.fullmatch(name):
            fault("documents", f"{name!r}: letters, digits, - and _ only in the name of a document")
            continue
        if not isinstance(table, dict):
            fault(where, f"must be a table with {', '.join(known)}")
            continue
        for key in sorted(table.keys() - {*known}):
            hint = f"{did_you_mean(key, known)}; known: {', '.join(known)}"
            fault(f"{where}.{key}", f"unknown key{hint}")
        values: dict[str, Any] = {"title": "", "clauses": ()}
        for key in known:
            if key in table and (value := _value(key, table[key])) is not None:
                values[key] = value
            elif key in table or key in {"title", "clauses"}:
                fault(f"{where}.{key}", _WANTED.get(key, "must be text on one line"))
        yield FiledDocument(name, **values)


_WANTED: Final = {
    "title": "is missing, or not text on one line: say what the document is",
    "clauses": "must be a list of the clauses that it is kept for",
    "dated": "must be a date, such as 2026-11-20",
    "expires": "must be a date, such as 2026-11-20",
    "sha256": "must be the 64 hexadecimal digits of a SHA-256",
}


def _value(key: str, value: object) -> Any:
    if key == "clauses":
        fits = isinstance(value, list) and value and all(isinstance(item, str) for item in value)
        return tuple(value) if fits else None  # type: ignore[arg-type]
    if key in {"dated", "expires"}:
        if isinstance(value, str):
            try:
                return date.fromisoformat(value)
            except ValueError:
                return None
        return value if type(value) is date else None
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        return None
    return value if key != "sha256" or _HASH.fullmatch(value) else None


def check_documents(law: Instrument, documents: Iterable[FiledDocument]) -> Iterator[ErrorDetail]:
    for one in documents:
        where = f"documents.{one.name}"
        for clause in one.clauses:
            if clause not in law.clauses:
                hint = did_you_mean(clause, law.clauses)
                yield ErrorDetail(f"{where}.clauses", f"{clause} is no clause of {law.key}{hint}")
        if one.dated and one.expires and one.expires < one.dated:
            yield ErrorDetail(f"{where}.expires", f"{one.expires} is before its date, {one.dated}")
