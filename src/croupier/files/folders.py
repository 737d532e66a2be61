"""Atomic replacement of a whole folder."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from croupier.files.write import WriteError, sync_folder, unwritable


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace a checked folder. Raises ``WriteError``, changing nothing."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise WriteError(f"{folder} is not a folder: give a new or empty folder")
    if not folder.absolute().name:
        raise WriteError(f"{folder}: not a folder name")
    folder = folder.absolute()
    fresh = folder.with_name(f".croupier-{secrets.token_hex(8)}")
    above = [parent for parent in folder.parents if not parent.exists()]
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh.mkdir()
        for name, content in files.items():
            _write(fresh / name, content)
        for below in {fresh, *(path.parent for path in map(fresh.joinpath, files))}:
            sync_folder(below)
        _exchange(fresh, folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise unwritable(folder, error) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        # Remove the parent folders made for it; any others are not empty.
        for one in above:
            with suppress(OSError):
                one.rmdir()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _exchange(fresh: Path, folder: Path) -> None:
    if not folder.exists():
        fresh.rename(folder)
        return
    old = fresh.with_name(f"{fresh.name}.old")
    try:
        folder.rename(old)
        fresh.rename(folder)
    except BaseException:
        if not folder.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old)


@contextmanager
def short_name(path: Path) -> Iterator[str]:
    """Yield a short name of a path: the address of a socket has at most 107 bytes."""
    folder = os.open(path.absolute().parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
