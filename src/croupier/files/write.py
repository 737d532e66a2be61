"""Atomic output: all files of a command appear complete, or none; locks; whole folders."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, Self, cast

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_BINARY: Final = getattr(os, "O_BINARY", 0)
_BUFFER: Final = 1 << 18


class WriteError(Exception):
    """A file that cannot or must not be written."""


_SUFFIXES: Final = {"text": "txt", "markdown": "md"}


def form_of(target: Path, forms: Sequence[str], chosen: str | None = None) -> str:
    """Return the format of a file by its suffix: one of ``forms``.

    The suffix of ``text`` is ``.txt``, and that of ``markdown`` is ``.md``. Raises ``WriteError``
    for another suffix, or one in conflict with ``chosen``.
    """
    suffixes = {_SUFFIXES.get(form, form): form for form in forms}
    suffix = target.suffix.removeprefix(".").lower()
    if suffix not in suffixes:
        names = ", ".join(f".{one}" for one in suffixes)
        problem = f".{suffix} is not a format of this file" if suffix else "the name has no suffix"
        raise WriteError(f"{target}: {problem}: name it {names}")
    form = suffixes[suffix]
    if chosen not in {None, form}:
        raise WriteError(
            f"{target}: the suffix says {form}, but --format says {chosen}: remove --format or "
            "change the suffix"
        )
    return form


def check_targets(
    targets: Iterable[Path], *, reads: Iterable[Path] = (), force: bool = False
) -> None:
    """Raise ``WriteError``, with every error, for unwritable targets."""
    errors: list[str] = []
    places: set[Path] = set()
    for target in targets:
        try:
            _check(target, tuple(reads), force=force)
        except WriteError as error:
            errors.append(str(error))
            continue
        place = target.parent.resolve() / target.name
        if place in places:
            errors.append(f"{target}: two outputs cannot be one file")
        places.add(place)
    if errors:
        raise WriteError("\n".join(errors))


def _check(target: Path, reads: tuple[Path, ...], *, force: bool) -> None:
    if not target.name:
        raise WriteError(f"{target}: not a file name")
    try:
        status = _status_of(target)
        if status is not None:
            _check_there(target, status, reads, force=force)
            return
        folder = next(parent for parent in target.absolute().parents if parent.exists())
        if not folder.is_dir():
            raise WriteError(f"{target}: it cannot be written: {folder} is not a folder")
        if not os.access(folder, os.W_OK):
            raise WriteError(f"{target}: it cannot be written: no files can be created in {folder}")
    except (OSError, ValueError) as error:
        raise unwritable(target, error) from error


def _check_there(
    target: Path, status: os.stat_result, reads: tuple[Path, ...], *, force: bool
) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise WriteError(f"{target}: it is a symlink, which is never followed for writing")
    if not stat.S_ISREG(status.st_mode):
        raise WriteError(f"{target}: something with that name exists and is not a file")
    if any(path.exists() and os.path.samestat(path.stat(), status) for path in reads):
        raise WriteError(f"{target}: this command reads that file, so it cannot replace it")
    if not force:
        raise WriteError(f"{target}: the file exists; use --force to replace it")


def _status_of(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def unwritable(target: Path, error: OSError | ValueError) -> WriteError:
    reason = error.strerror if isinstance(error, OSError) else None
    return WriteError(f"{target}: it cannot be written: {reason or error}")


class _File(io.FileIO):
    def __init__(self, descriptor: int, target: Path) -> None:
        super().__init__(descriptor, "wb")
        self._target = target

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise unwritable(self._target, error) from error


def _random_name() -> str:
    return f".croupier-{os.urandom(8).hex()}"


class Draft:
    """A file written next to its target, as ``NAME.partial`` if ``partial``, until it is ended."""

    def __init__(
        self,
        target: Path,
        *,
        reads: Iterable[Path] = (),
        force: bool = False,
        partial: bool = False,
    ) -> None:
        self.target: Final = target
        self._reads: Final = tuple(reads)
        self._force: Final = force
        _check(target, self._reads, force=force)
        name = f"{target.name}.partial" if partial else _random_name()
        self._path: Final = target.with_name(name)
        self._backup: Path | None = None
        self._replaces = False
        self._folders: Final[list[Path]] = []
        descriptor = self._opened(is_new=partial and force)
        self._made: Final = os.fstat(descriptor)
        self._raw: BinaryIO = io.BufferedWriter(_File(descriptor, target), _BUFFER)
        self.file: BinaryIO = self._raw
        """The open draft. Its errors are ``WriteError``."""
        if target.suffix == ".gz":
            # Without name and time, so that equal content gives equal bytes.
            import gzip  # noqa: PLC0415  (few files are packed)

            gzip_file = gzip.GzipFile("", "wb", 6, self._raw, mtime=0)
            self.file = cast("BinaryIO", gzip_file)
        try:
            if (status := _status_of(target)) is not None:
                self._path.chmod(stat.S_IMODE(status.st_mode))
            # Another command may have finished the target since the first check.
            _check(target, self._reads, force=force)
        except BaseException:
            self.discard()
            raise

    def _opened(self, *, is_new: bool) -> int:
        try:
            for folder in reversed(self.target.absolute().parents):
                if not folder.exists():
                    folder.mkdir(exist_ok=True)
                    self._folders.append(folder)
            if is_new:
                self._drop_leftover()
            return os.open(self._path, _NEW | _BINARY, 0o666)
        except FileExistsError as error:
            raise WriteError(
                f"{self._path}: another command is writing {self.target}, or an interrupted "
                "command left this file; check it, then remove it or use --force"
            ) from error
        except OSError as error:
            self._drop_folders()
            raise unwritable(self.target, error) from error

    def _drop_folders(self) -> None:
        for folder in reversed(self._folders):
            with suppress(OSError):
                folder.rmdir()

    def _drop_leftover(self) -> None:
        status = _status_of(self._path)
        if status is None:
            return
        if not stat.S_ISREG(status.st_mode):
            raise WriteError(f"{self._path}: something with that name exists and is not a file")
        self._path.unlink()

    def commit(self) -> None:
        """Name the synced file, or discard it and raise ``WriteError``."""
        _commit([self])

    def finish(self) -> None:
        if self.file is not self._raw:
            self.file.close()
        self._raw.flush()
        os.fsync(self._raw.fileno())
        self._raw.close()

    def place(self) -> None:
        status = _status_of(self._path)
        if status is None or not os.path.samestat(status, self._made):
            raise WriteError(f"{self._path}: another command took over this file")
        _check(self.target, self._reads, force=self._force)
        self._replaces = _status_of(self.target) is not None
        if not self._replaces:
            self._place_new()
            return
        self._backup = self.target.with_name(_random_name())
        # Without hard links, the old file cannot be kept and restored.
        with suppress(OSError):
            os.link(self.target, self._backup)
        self._path.replace(self.target)

    def _place_new(self) -> None:
        try:
            os.link(self._path, self.target)
        except FileExistsError as error:
            raise WriteError(
                f"{self.target}: another command has written a file with that name"
            ) from error
        except OSError:
            # A file system without links.
            self._path.rename(self.target)
        else:
            self._path.unlink()

    def take_back(self) -> None:
        """Undo ``place`` and restore the target."""
        if self._replaces:
            if self._backup is not None and _status_of(self._backup) is not None:
                self._backup.replace(self.target)
            return
        status = _status_of(self.target)
        if status is not None and os.path.samestat(status, self._made):
            self.target.unlink()

    def drop_backup(self) -> None:
        if self._backup is not None:
            self._backup.unlink(missing_ok=True)

    def discard(self) -> None:
        # Closing writes buffered data, and fails again after a write error.
        for file in (self.file, self._raw):
            with suppress(WriteError, OSError, ValueError):
                file.close()
        status = _status_of(self._path)
        if status is not None and os.path.samestat(status, self._made):
            self._path.unlink(missing_ok=True)
        self._drop_folders()


def _commit(drafts: Sequence[Draft]) -> None:
    placed_drafts: list[Draft] = []
    current = drafts[0]
    try:
        for current in drafts:
            current.finish()
        for current in drafts:
            placed_drafts.append(current)
            current.place()
        for folder in {draft.target.parent for draft in drafts}:
            sync_folder(folder)
    except BaseException as error:
        for draft in reversed(placed_drafts):
            with suppress(OSError):
                draft.take_back()
        for draft in drafts:
            draft.discard()
        if isinstance(error, OSError | ValueError):
            raise unwritable(current.target, error) from error
        raise
    for draft in drafts:
        with suppress(OSError):
            draft.drop_backup()


def sync_folder(folder: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Writer:
    """The files of a command, never its inputs ``reads``: all appear at the end, or none."""

    def __init__(self, *, reads: Iterable[Path] = (), force: bool = False) -> None:
        self._reads: Final = tuple(reads)
        self._force: Final = force
        self._drafts: Final[list[Draft]] = []

    def open(self, target: Path) -> IO[bytes]:
        """Open a file, gzip-compressed if its name ends in ``.gz``."""
        check_targets(
            [*(draft.target for draft in self._drafts), target],
            reads=self._reads,
            force=self._force,
        )
        draft = Draft(target, reads=self._reads, force=self._force)
        self._drafts.append(draft)
        return draft.file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        drafts = list(self._drafts)
        self._drafts.clear()
        if kind is None:
            if drafts:
                _commit(drafts)
            return
        for draft in drafts:
            draft.discard()


def write_file(
    target: Path, content: bytes, *, reads: Iterable[Path] = (), force: bool = False
) -> None:
    """Write one whole file. Raises ``WriteError``; then nothing has changed."""
    with Writer(reads=reads, force=force) as writer:
        writer.open(target).write(content)


def write_private(path: Path, text: str) -> None:
    """Write a new file for this user only. Raises ``OSError``."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def replace_private(path: Path, text: str) -> None:
    """Replace a private file under a lock; zero its former content. Raises ``OSError``."""
    draft = path.with_name(f"{path.name}.new")
    # Left by a command that was killed.
    draft.unlink(missing_ok=True)
    write_private(draft, text)
    with path.open("r+b") as old_file:
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.absolute().parent)
        old_file.write(bytes(os.fstat(old_file.fileno()).st_size))
        old_file.flush()
        os.fsync(old_file.fileno())


class LockedError(Exception):
    def __init__(self) -> None:
        super().__init__("another command is writing it")


def lock(descriptor: int) -> None:
    """Lock a file until it is closed. Raises ``LockedError``."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  (of that system alone)

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415  (of the other systems)

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise LockedError from error


def locked(path: Path) -> int:
    """Open and lock an existing file. Raises ``LockedError`` if locked or removed."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock(descriptor)
        _check_named(descriptor, path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_named(descriptor: int, path: Path) -> None:
    if not os.path.samestat(os.fstat(descriptor), path.stat()):
        raise LockedError


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace a checked folder. Raises ``WriteError``, changing nothing."""
    import shutil  # noqa: PLC0415  (each command loads this module, and few need it)

    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise WriteError(f"{folder} is not a folder: give a new or empty folder")
    if not folder.absolute().name:
        raise WriteError(f"{folder}: not a folder name")
    folder = folder.absolute()
    draft_folder = folder.with_name(_random_name())
    new_parents = [parent for parent in folder.parents if not parent.exists()]
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft_folder.mkdir()
        for name, content in files.items():
            _write(draft_folder / name, content)
        for inner in {draft_folder, *(path.parent for path in map(draft_folder.joinpath, files))}:
            sync_folder(inner)
        _exchange(draft_folder, folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise unwritable(folder, error) from error
    finally:
        shutil.rmtree(draft_folder, ignore_errors=True)
        # Remove the parent folders made for it; any others are not empty.
        for parent in new_parents:
            with suppress(OSError):
                parent.rmdir()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _exchange(draft_folder: Path, folder: Path) -> None:
    import shutil  # noqa: PLC0415  (each command loads this module, and few need it)

    if not folder.exists():
        draft_folder.rename(folder)
        return
    old_folder = draft_folder.with_name(f"{draft_folder.name}.old")
    try:
        folder.rename(old_folder)
        draft_folder.rename(folder)
    except BaseException:
        if not folder.exists():
            old_folder.rename(folder)
        raise
    shutil.rmtree(old_folder)


@contextmanager
def short_name(path: Path) -> Iterator[str]:
    """Yield a short name of a path: the address of a socket has at most 107 bytes."""
    folder = os.open(path.absolute().parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
