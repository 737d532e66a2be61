"""Elected names of patrons: a vault of their own, while records contain salted tokens.

A token commits to a name under a random salt. Both are deleted when the name is erased, so that
nobody can guess the name from the token.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Annotated, Any, Final
from urllib.parse import unquote_to_bytes

import msgspec
from msgspec import Struct

from croupier.acts.fields import hints_of, sight_of
from croupier.files.errors import FileError
from croupier.files.text import read_bytes
from croupier.files.write import LockedError, locked, replace_private, write_private
from croupier.law.sight import Sight
from croupier.records.codec import COMMANDS
from croupier.records.stores.stream import StoreError

_FORMAT: Final = "croupier-names/1"
_TOKEN: Final = re.compile(rb"name-[0-9a-f]{32}")
_ESCAPED: Final = re.compile(rb"\\(?:u00|U000000)([0-9a-fA-F]{2})")
_ERASED: Final = re.compile(r"erased [0-9a-f]{8}")
_LONGEST: Final = 100
_MARKUP: Final = frozenset('"\\<>&')
"""Not in a name, so that one can replace its token in JSON and HTML alike."""
_TRIES: Final = 100
_PAUSE_SECONDS: Final = 0.02

_Text = Annotated[str, msgspec.Meta(min_length=1)]


class NamesError(StoreError):
    """A vault of names that cannot be read or written."""


class NameRefusedError(ValueError):
    """A text that is no name, or contains a token."""


class Erasure(Struct, frozen=True, forbid_unknown_fields=True):
    """Who erased a name, why, and when."""

    by: _Text
    reason: _Text
    at: datetime


class _Name(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    salt: str


class _Vault(Struct, forbid_unknown_fields=True):
    format: str = _FORMAT
    names: dict[str, _Name] = {}
    erased: dict[str, Erasure] = {}


def names_beside(record: Path) -> Path:
    target = Path(os.path.realpath(record))
    return target.with_name(f"{target.name}.names")


def new_names(path: Path) -> None:
    """Create an empty vault. Raises ``NamesError``."""
    try:
        write_private(path, _written(_Vault()))
    except OSError as error:
        raise NamesError(f"{path}: it cannot be written: {error.strerror}") from error


class Names:
    """A vault, which other processes may change. Raises ``NamesError``."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._stamp: tuple[int, ...] = ()
        self._read()

    def token(self, name: str, *, makes: bool = True) -> str:
        """Return a durable token; ``a patron`` for a new name unless it ``makes`` one."""
        name = checked_patron(name)
        self._read()
        if (token := self._tokens.get(name)) is not None:
            return token
        if _ERASED.fullmatch(name):
            raise NameRefusedError(f"{name!r} is not a name, and its patron is unknown here")
        if not makes:
            return "a patron"
        with self._changing() as vault:
            if name not in self._tokens:
                salt = token_bytes(32)
                vault.names[_token(name, salt)] = _Name(name, salt.hex())
        return self._tokens[name]

    def tokens(self, command: Mapping[str, Any], *, makes: bool = True) -> dict[str, Any]:
        """Replace names by tokens. Raises ``NameRefusedError`` for a token in a text."""
        for field, value in command.items():
            if isinstance(value, str) and _TOKEN.search(value.encode()):
                raise NameRefusedError(f"{field}: write a name, not its token")
        name_fields = _named_patrons(str(command.get("type")))
        return {
            field: self.token(value, makes=makes)
            if field in name_fields and isinstance(value, str)
            else value
            for field, value in command.items()
        }

    def erase(self, name: str, actor: str, reason: str) -> str:
        """Erase a name, given as such or by its token; return the token."""
        if not actor.strip() or not reason.strip():
            raise NameRefusedError("who erases a name, and why, is recorded: write both")
        with self._changing() as vault:
            token = self._tokens.get(name, name)
            if token not in vault.names:
                suffix = " any more: it was erased" if token in vault.erased else ""
                raise NamesError(f"{self.path}: it has no name {name!r}{suffix}")
            del vault.names[token]
            vault.erased[token] = Erasure(actor, reason, datetime.now(UTC).replace(microsecond=0))
        return token

    def listed(self) -> tuple[Mapping[str, str], Mapping[str, Erasure]]:
        self._read()
        return {token: entry.name for token, entry in self._vault.names.items()}, self._vault.erased

    def shown(self, data: bytes) -> bytes:
        """Replace tokens in JSON, HTML, or text by names, or ``erased ...``."""
        if _TOKEN.search(data) is None:
            return data
        self._read()
        return _TOKEN.sub(lambda match: self._name(match[0].decode()).encode(), data)

    def name_of(self, text: str) -> str:
        return self.shown(text.encode()).decode()

    def _name(self, token: str) -> str:
        patron = self._vault.names.get(token)
        if patron is not None:
            return patron.name
        return _erased(token) if token in self._vault.erased else token

    def _read(self) -> None:
        try:
            stamp = self._stamped()
            if stamp == self._stamp:
                return
            data = read_bytes(self.path)
            # A writer puts zeros into the file that it replaced, which may be the one just read.
            while (new_stamp := self._stamped()) != stamp:
                stamp, data = new_stamp, read_bytes(self.path)
            vault = msgspec.json.decode(data, type=_Vault)
            for token, entry in vault.names.items():
                if _token(checked_patron(entry.name), bytes.fromhex(entry.salt)) != token:
                    raise NameRefusedError(f"{token} is the token of another name")
        except OSError as error:
            raise NamesError(f"{self.path}: it cannot be read: {error.strerror}") from error
        except (FileError, ValueError) as error:
            raise NamesError(f"{self.path}: not a vault of names: {error}") from error
        if vault.format != _FORMAT:
            raise NamesError(f"{self.path}: its format is not {_FORMAT}")
        self._vault, self._stamp = vault, stamp
        # An erased patron may still sit at a table, and commands name that patron as pages do.
        self._tokens = {_erased(token): token for token in vault.erased}
        self._tokens |= {entry.name: token for token, entry in vault.names.items()}

    def _stamped(self) -> tuple[int, ...]:
        status = self.path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size

    @contextmanager
    def _changing(self) -> Iterator[_Vault]:
        lock = self._locked()
        try:
            self._read()
            yield self._vault
            # What is replaced may hold an erased name.
            replace_private(self.path, _written(self._vault))
            self._read()
        except OSError as error:
            raise NamesError(f"{self.path}: it cannot be written: {error.strerror}") from error
        finally:
            # Drops what was changed and could not be written.
            self._stamp = ()
            os.close(lock)

    def _locked(self) -> int:
        for tries_left in range(_TRIES, 0, -1):
            try:
                return locked(Path(f"{self.path}.lock"))
            except LockedError as error:
                if tries_left == 1:
                    raise NamesError(f"{self.path}: {error}") from error
                time.sleep(_PAUSE_SECONDS)
            except OSError as error:
                raise NamesError(f"{self.path}: {error.strerror}") from error
        raise AssertionError


def has_token(data: bytes) -> bool:
    """Whether a request has a token in any escape: an answer that repeats it would show a name."""
    decoded = _ESCAPED.sub(lambda match: bytes.fromhex(match[1].decode()), unquote_to_bytes(data))
    return any(map(_TOKEN.search, (data, decoded)))


def checked_patron(name: str) -> str:
    """Raise ``NameRefusedError`` for a text that is not a name."""
    is_valid = 1 <= len(name) <= _LONGEST and name == name.strip() and name.isprintable()
    if not is_valid or _MARKUP & {*name} or _TOKEN.search(name.encode()):
        raise NameRefusedError(
            f"{name!r} is not a patron's name: write 1 to {_LONGEST} characters, none of them"
            f" {' '.join(sorted(_MARKUP))} or a control character"
        )
    return name


def _token(name: str, salt: bytes) -> str:
    return f"name-{sha256(salt + name.encode()).hexdigest()[:32]}"


def _erased(token: str) -> str:
    return f"erased {token[5:13]}"


def _written(vault: _Vault) -> str:
    return msgspec.json.format(msgspec.json.encode(vault), indent=2).decode() + "\n"


@cache
def _named_patrons(command: str) -> frozenset[str]:
    kind = COMMANDS.get(command)
    if kind is None:
        return frozenset()
    patrons = {Sight.PATRON, Sight.ON_PAPER}
    return frozenset(name for name in hints_of(kind) if sight_of(kind, name) in patrons)
