"""Vaults in a file or a store: secrets under AES-256-GCM, whose key neither contains."""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from croupier.files.errors import FileError
from croupier.files.text import JsonError, parse_json, read_bytes, read_text
from croupier.files.write import write_file
from croupier.money.stax import DrawTerms, commitment_to, is_secret, random_secret
from croupier.records.signing import MissingSigningError
from croupier.records.stores.store import Store

_FORMAT: Final = "croupier-vault/1"
SEALED: Final = "sealed:"
"""Prefix of a shuffle's device that names its commitment."""
_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_HEX: Final = re.compile("(?:[0-9a-f]{2})*")


class VaultError(Exception):
    """An unreadable vault, or a wrong key."""


def vault_beside(store: Path) -> Path:
    target = Path(os.path.realpath(store))
    return target.with_name(f"{target.name}.vault")


def key_of(vault: Path) -> Path:
    return vault.with_name(f"{vault.name}.key")


def new_vault_key() -> bytes:
    return secrets.token_bytes(_KEY_BYTES)


class SealedVault:
    """A vault in a file. Raises ``VaultError`` if others may read the key, or it is wrong."""

    def __init__(self, path: Path, key: Path, make: Callable[[], str] = random_secret) -> None:
        self._path: Final = path
        self._make: Final = make
        self._cipher: Final = Cipher(key, path)
        self._sealed: dict[str, str] = _read(path)
        for commitment in self._sealed:
            self._open(commitment)

    def commit(self) -> str:
        secret = self._make()
        commitment = commitment_to(secret)
        sealed_secrets = {**self._sealed, commitment: self._cipher.sealed(secret).hex()}
        _write(self._path, sealed_secrets, force=True)
        self._sealed = sealed_secrets
        return commitment

    def release(self, commitment: str, terms: DrawTerms) -> str | None:
        secret = self._open(commitment)
        return secret if terms.is_hit(secret) else None

    def secret_of(self, commitment: str) -> str:
        """Empty if missing."""
        return self._open(commitment) if self.holds(commitment) else ""

    def holds(self, commitment: str) -> bool:
        return commitment in self._sealed

    def _open(self, commitment: str) -> str:
        return self._cipher.opened(commitment, bytes.fromhex(self._sealed[commitment]))


class Cipher:
    """Encryption under a key in a file. Raises ``VaultError`` if others may read the key."""

    def __init__(self, key: Path, place: object) -> None:
        self._place: Final = place
        self._cipher: Final = _aes(_key(key))

    def sealed(self, secret: str) -> bytes:
        """Bind the sealed secret to its commitment, so that it cannot be swapped."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        body: bytes = self._cipher.encrypt(
            nonce, bytes.fromhex(secret), commitment_to(secret).encode()
        )
        return nonce + body

    def opened(self, commitment: str, sealed_secret: bytes) -> str:
        """Raise ``VaultError`` for another key."""
        nonce, body = sealed_secret[:_NONCE_BYTES], sealed_secret[_NONCE_BYTES:]
        try:
            secret: str = self._cipher.decrypt(nonce, body, commitment.encode()).hex()
        except Exception as error:  # The package's own type is imported only where it is used.
            raise VaultError(
                f"{self._place}: the key does not open it, or it was changed: give the key that it"
                " was made with"
            ) from error
        if not is_secret(secret) or commitment_to(secret) != commitment:
            raise VaultError(f"{self._place}: what is sealed is not what was committed to")
        return secret


def sealed_in(path: Path) -> dict[str, bytes]:
    """Read a vault's secrets, sealed. Raises ``VaultError``."""
    return {commitment: bytes.fromhex(text) for commitment, text in _read(path).items()}


def write_sealed(path: Path, contents: Mapping[str, bytes]) -> None:
    _write(path, {commitment: body.hex() for commitment, body in contents.items()}, force=False)


def _write(path: Path, sealed_secrets: Mapping[str, str], *, force: bool) -> None:
    text = json.dumps({"format": _FORMAT, "sealed": sealed_secrets}, indent=2) + "\n"
    write_file(path, text.encode(), force=force)


def _aes(key: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        raise MissingSigningError from error
    return AESGCM(key)


def _key(path: Path) -> bytes:
    try:
        key = read_bytes(path, _KEY_BYTES + 1)
    except FileError as error:
        raise VaultError(f"{path}: cannot read the key: {error}") from error
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise VaultError(f"{path}: others may read this key: chmod 600 it, or make another one")
    if len(key) != _KEY_BYTES:
        raise VaultError(f"{path}: a key of a vault has {_KEY_BYTES} bytes: croupier key vault")
    return key


def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    try:
        data = parse_json(read_text(path))
    except (FileError, JsonError) as error:
        raise VaultError(f"{path}: no vault: {error}") from error
    if not isinstance(data, Mapping) or data.get("format") != _FORMAT:
        raise VaultError(f"{path}: no vault: its format is not {_FORMAT}")
    sealed_secrets = data.get("sealed")
    if not isinstance(sealed_secrets, Mapping) or not all(
        is_secret(name) and isinstance(text, str) and _HEX.fullmatch(text)
        for name, text in sealed_secrets.items()
    ):
        raise VaultError(f"{path}: a vault holds sealed secrets by their commitment")
    return dict(sealed_secrets)


SEALED_KIND: Final = "secret"
"""Kind of the documents with sealed secrets, which are named by commitment."""
_READY: Final = 8
"""Number of secrets made ahead; a shoe takes one."""
_PROBE: Final = "00" * 32
PROBED: Final = commitment_to(_PROBE)
"""Commitment of a probe, which identifies the key and is not a secret."""


class StoreVault:
    def __init__(self, store: Store, key: Path, make: Callable[[], str] = random_secret) -> None:
        self._store: Final = store
        self._cipher: Final = Cipher(key, store.path)
        self._make: Final = make
        self._ready: Final[deque[str]] = deque()
        self._opened: Final[dict[str, str]] = {}
        probe = store.document(SEALED_KIND, PROBED)
        if probe is None:
            # Secrets restored from a vault in a file have no probe.
            for commitment, sealed_secret in store.documents(SEALED_KIND).items():
                self._cipher.opened(commitment, sealed_secret)
            store.put(SEALED_KIND, PROBED, self._cipher.sealed(_PROBE))
        else:
            self._cipher.opened(PROBED, probe)

    def prepare(self) -> None:
        """Make and store secrets ahead, in the writing thread. Raises ``StoreError``."""
        while len(self._ready) < _READY:
            secret = self._make()
            commitment = commitment_to(secret)
            self._store.put(SEALED_KIND, commitment, self._cipher.sealed(secret))
            self._opened[commitment] = secret
            self._ready.append(commitment)

    @property
    def is_short(self) -> bool:
        return len(self._ready) < _READY

    def commit(self) -> str:
        """Take a stored secret. Raises ``VaultError``."""
        if not self._ready:
            raise VaultError(f"{self._store.path}: no secret is ready yet: ask again")
        return self._ready.popleft()

    def secret_of(self, commitment: str) -> str:
        """Return the secret of a commitment; empty if missing."""
        secret = self._opened.get(commitment)
        if secret is None:
            sealed_secret = self._store.document(SEALED_KIND, commitment)
            if sealed_secret is None:
                return ""
            secret = self._opened[commitment] = self._cipher.opened(commitment, sealed_secret)
        return secret
