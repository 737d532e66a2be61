"""The tables of a law's TOML file, from a built form of them where one is at hand.

Parsing TOML takes longer than judging a submission. The built form is JSON under the SHA-256 of the
TOML, beside it in ``__built__``: the wheel brings it along, and a checkout makes it when a file is
first read, as Python does with its bytecode. The TOML decides: where the built form is missing, of
another text, damaged, or cannot be written, the TOML is parsed.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

_LAW: Final = Path(__file__).parent
"""Built forms are made of the package's own files alone, never beside those of somebody else."""


class LawText(NamedTuple):
    """A law file: its bytes, their SHA-256, its tables, and whether they came from a built form."""

    raw: bytes
    sha256: str
    tables: dict[str, Any]
    built: bool


def read_law(path: Path, *, keep: bool = True) -> LawText:
    """Read a law file, and keep its built form unless told otherwise.

    Raises ``UnicodeDecodeError`` or ``TOMLDecodeError`` for a bad one.
    """
    raw = path.read_bytes()
    sha256 = hashlib.sha256(raw).hexdigest()
    beside = built_path(path)
    # A form beside the file of somebody else may come from anyone, and was checked by nobody.
    if path.is_relative_to(_LAW):
        with suppress(OSError, ValueError, KeyError, TypeError):
            return LawText(raw, sha256, _from_built(beside.read_bytes(), sha256), built=True)
    tables = tomllib.loads(raw.decode())
    if keep:
        keep_built(path, raw)
    return LawText(raw, sha256, tables, built=False)


def keep_built(path: Path, raw: bytes) -> None:
    """Keep the built form of a file of the package, if it can be written."""
    if path.is_relative_to(_LAW) and not sys.dont_write_bytecode:
        with suppress(OSError):
            _keep(built_path(path), built_form(raw))


def built_path(path: Path) -> Path:
    """Return where the built form of a law file is kept."""
    return path.parent / "__built__" / f"{path.stem}.json"


def built_form(raw: bytes) -> bytes:
    """Return the built form of a TOML file. JSON has no dates: their places are listed beside."""
    tables = tomllib.loads(raw.decode())
    built = {
        "sha256": hashlib.sha256(raw).hexdigest(),
        "dates": list(_dates(tables)),
        "tables": tables,
    }
    return json.dumps(built, ensure_ascii=False, default=str).encode()


def _dates(value: object) -> Iterator[list[str | int]]:
    """Yield the place of every date: the keys and numbers that lead to it."""
    if isinstance(value, date):
        yield []
    parts: Any = value.items() if isinstance(value, dict) else ()
    for key, part in enumerate(value) if isinstance(value, list) else parts:
        yield from ([key, *rest] for rest in _dates(part))


def _from_built(built: bytes, sha256: str) -> dict[str, Any]:
    """Return the tables of a built form. Raises ``ValueError`` for that of another text."""
    form = json.loads(built)
    if form["sha256"] != sha256:
        raise ValueError("it is built from another regulation")
    tables: dict[str, Any] = form["tables"]
    for *way, last in form["dates"]:
        holder: Any = tables
        for key in way:
            holder = holder[key]
        holder[last] = date.fromisoformat(holder[last])
    return tables


def _keep(path: Path, built: bytes) -> None:
    """Write a built form in one step, so that nobody ever reads half of one."""
    path.parent.mkdir(exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    try:
        draft.write_bytes(built)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
