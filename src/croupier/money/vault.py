"""Secrets until they are revealed, outside events, logs, and messages."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final, Protocol

from croupier.money.stax import DrawTerms, commitment_to

_BYTES: Final = 32


class Vault(Protocol):
    """Stores the secrets of mystery values."""

    def commit(self) -> str:
        """Store a new secret, and return its commitment."""

    def release(self, commitment: str, terms: DrawTerms) -> str | None:
        """Secret once its value is hit. Raises ``LookupError`` if it is lost."""

    def holds(self, commitment: str) -> bool:
        """Whether the vault has a secret."""


def random_secret() -> str:
    return secrets.token_hex(_BYTES)


class MemoryVault:
    def __init__(self, make: Callable[[], str] = random_secret) -> None:
        self._make: Final = make
        self._secrets: dict[str, str] = {}

    def commit(self) -> str:
        secret = self._make()
        commitment = commitment_to(secret)
        self._secrets[commitment] = secret
        return commitment

    def remember(self, secret: str) -> None:
        self._secrets[commitment_to(secret)] = secret

    def secret_of(self, commitment: str) -> str:
        """Secret for a successor; empty if missing."""
        return self._secrets.get(commitment, "")

    def release(self, commitment: str, terms: DrawTerms) -> str | None:
        secret = self._secrets[commitment]
        return secret if terms.is_hit(secret) else None

    def holds(self, commitment: str) -> bool:
        return commitment in self._secrets
