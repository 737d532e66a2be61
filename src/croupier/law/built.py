"""Cached JSON of law files, because parsing TOML takes longer than checking a submission."""

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

INCLUDED: Final = Path(__file__).parent
"""The package's law folder: only its files are cached."""


class LawText(NamedTuple):
    """A law file; ``built`` if its tables came from the cache."""

    raw: bytes
    sha256: str
    tables: dict[str, Any]
    built: bool


def read_law(path: Path, *, keep: bool = True) -> LawText:
    raw = path.read_bytes()
    sha256 = hashlib.sha256(raw).hexdigest()
    built_file = built_path(path)
    # A cache next to another party's file is unchecked and may have any origin.
    if path.is_relative_to(INCLUDED):
        with suppress(OSError, ValueError, KeyError, TypeError):
            return LawText(raw, sha256, _from_built(built_file.read_bytes(), sha256), built=True)
    tables = tomllib.loads(raw.decode())
    if keep:
        keep_built(path, raw)
    return LawText(raw, sha256, tables, built=False)


def keep_built(path: Path, raw: bytes) -> None:
    if path.is_relative_to(INCLUDED) and not sys.dont_write_bytecode:
        with suppress(OSError):
            # The write is atomic, so that no reader sees a partial file.
            built = built_path(path)
            built.parent.mkdir(exist_ok=True)
            draft = built.with_suffix(f".{os.getpid()}")
            try:
                draft.write_bytes(built_form(raw))
                draft.replace(built)
            finally:
                draft.unlink(missing_ok=True)


def built_path(path: Path) -> Path:
    return path.parent / "__built__" / f"{path.stem}.json"


def built_form(raw: bytes) -> bytes:
    """Return the cached JSON of a TOML file. JSON has no dates, so their places are listed."""
    tables = tomllib.loads(raw.decode())
    built = {
        "sha256": hashlib.sha256(raw).hexdigest(),
        "dates": list(_dates(tables)),
        "tables": tables,
    }
    return json.dumps(built, ensure_ascii=False, default=str).encode()


def _dates(value: object) -> Iterator[list[str | int]]:
    if isinstance(value, date):
        yield []
    parts: Any = value.items() if isinstance(value, dict) else ()
    for key, part in enumerate(value) if isinstance(value, list) else parts:
        yield from ([key, *rest] for rest in _dates(part))


def _from_built(built: bytes, sha256: str) -> dict[str, Any]:
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
