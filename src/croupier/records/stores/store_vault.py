"""A vault in a shared store: secrets sealed under a key that the store never contains."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from croupier.money.stax import commitment_to
from croupier.money.vault import random_secret
from croupier.records.stores.store import Store
from croupier.records.stores.vault import Cipher, VaultError

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
        kept = store.document(SEALED_KIND, PROBED)
        if kept is None:
            # Secrets restored from a vault in a file have no probe.
            for commitment, sealed in store.documents(SEALED_KIND).items():
                self._cipher.opened(commitment, sealed)
            store.put(SEALED_KIND, PROBED, self._cipher.sealed(_PROBE))
        else:
            self._cipher.opened(PROBED, kept)

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
        found = self._opened.get(commitment)
        if found is None:
            kept = self._store.document(SEALED_KIND, commitment)
            if kept is None:
                return ""
            found = self._opened[commitment] = self._cipher.opened(commitment, kept)
        return found
