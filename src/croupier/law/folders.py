"""Search path of law files outside the package.

Folders come from ``--laws``, the environment variable ``CROUPIER_LAWS``, the file ``croupier.toml``
in the current folder, and installed packages with an entry point in the group ``croupier.laws``.
Only the beginning of a file is read to find its id and day.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from croupier.files.errors import FileError, by_caller
from croupier.files.text import open_bytes
from croupier.files.toml import SETTINGS, read_settings, read_toml
from croupier.law.faults import LawError

VARIABLE: Final = "CROUPIER_LAWS"
"""The environment variable; child processes inherit folders through it."""

_GROUP: Final = "croupier.laws"
_HEAD_BYTES: Final = 16 << 10
_HEAD: Final = re.compile(r"^\[instrument\]\s*?$(.*?)(?:^\[|\Z)", re.MULTILINE | re.DOTALL)
_KEY: Final = re.compile(
    r"""^(id|clause_prefix|in_force_from) *= *["']?([^"'\s#]+)""", re.MULTILINE
)


def with_folder() -> str:
    """Return how a caller adds the law files of a folder."""
    way = by_caller("--laws FOLDER", "croupier.laws(FOLDER)")
    return f"with {way}, or in {VARIABLE} or {SETTINGS}"


class LawFile(NamedTuple):
    """A law file, and the keys of its head; empty strings if they cannot be read."""

    path: Path
    id: str
    day: str
    prefix: str

    @property
    def key(self) -> str:
        return f"{self.id}@{self.day}"


def toml_files(folder: Path) -> list[Path]:
    """TOML files at and below a folder, in order, but no pipe, which would block."""
    return sorted(path for path in folder.rglob("*.toml") if not path.is_fifo())


def law_files(folder: Path) -> Iterator[LawFile]:
    for path in toml_files(folder):
        with suppress(OSError, FileError), open_bytes(path) as file:
            start = file.read(_HEAD_BYTES)
            # Scenarios, submissions, and registers may be in the same folder.
            if b"instrument" in start:
                head = _head(start.decode(errors="replace"), path)
                if head is not None:
                    keys = ("id", "in_force_from", "clause_prefix")
                    yield LawFile(path, *(str(head.get(key, "")) for key in keys))


def _head(start: str, path: Path) -> Mapping[str, Any] | None:
    match = _HEAD.search(start)
    keys = dict(_KEY.findall(match[1])) if match else {}
    if "id" in keys:
        return keys
    # Another notation of the same table, or a damaged one.
    with suppress(FileError):
        head = read_toml(path).tables.get("instrument")
        return head if isinstance(head, dict) else None
    return keys if match else None


def named_folders() -> tuple[Path, ...]:
    """Folders named in ``CROUPIER_LAWS`` and ``croupier.toml``. Raises ``LawError``."""
    pairs = [(VARIABLE, part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    pairs += ((SETTINGS, place) for place in _listed())
    return _folders((f"{source}: ", place) for source, place in pairs)


def _listed() -> list[str]:
    try:
        file = read_settings()
    except FileError as error:
        raise LawError(str(error)) from error
    if file is None:
        return []
    folders = file.tables.get("laws", [])
    if not isinstance(folders, list) or not all(isinstance(folder, str) for folder in folders):
        raise LawError(file.located("laws", 'must be a list of folders, such as ["laws"]'))
    return folders


def package_folders() -> tuple[Path, ...]:
    # Importing the metadata of packages takes longer than checking a submission.
    from importlib.metadata import entry_points  # noqa: PLC0415
    from importlib.util import find_spec  # noqa: PLC0415

    pairs = []
    for point in entry_points(group=_GROUP):
        spec = find_spec(point.value)
        places = None if spec is None else spec.submodule_search_locations
        if not places:
            place = f"entry point {point.name} of {_GROUP}"
            raise LawError(f"{place}: {point.value} is not a package with a folder of law files")
        pairs += [(f"{point.value}: ", place) for place in places]
    return _folders(pairs)


def _folders(pairs: Iterable[tuple[str, str]]) -> tuple[Path, ...]:
    folders: dict[Path, None] = {}
    for source, name in pairs:
        with suppress(OSError, ValueError, RuntimeError):  # A name that no folder can have.
            folder = Path(name).expanduser().resolve()
            if folder.is_dir():
                folders[folder] = None
                continue
        raise LawError(f"{source}{name}: no such folder of law files")
    return tuple(folders)


def with_folders(folders: Iterable[Path]) -> str:
    """Value of ``CROUPIER_LAWS`` with folders added in front. Raises ``LawError``."""
    paths = [str(path) for path in _folders(("", str(folder)) for folder in folders)]
    for path in paths:
        if os.pathsep in path:
            raise LawError(f"{path}: the path of the folder contains {os.pathsep!r}")
    before = os.environ.get(VARIABLE, "")
    return os.pathsep.join([*paths, *([before] if before else [])])
