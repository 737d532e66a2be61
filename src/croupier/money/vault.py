"""Where secrets are kept until they are revealed: never in an event, a log, or a message.

A vault makes a secret, gives away its commitment alone, and lets the secret go once the meter has
reached the value that follows from it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final, Protocol

from croupier.money.stax import DrawTerms, commitment_to

_BYTES: Final = 32


class Vault(Protocol):
    """Keeps the secrets of mystery values."""

    def commit(self) -> str:
        """Make a secret and return its commitment; the secret is kept before this returns."""

    def release(self, commitment: str, terms: DrawTerms) -> str | None:
        """Return the secret of a commitment once its value is hit, and ``None`` before.

        Raises ``LookupError`` if the vault does not hold it: then it is lost.
        """

    def holds(self, commitment: str) -> bool:
        """Return whether the vault holds the secret of a commitment."""


def random_secret() -> str:
    """Return a secret: 64 hexadecimal digits, each equally likely."""
    return secrets.token_hex(_BYTES)


class MemoryVault:
    """A vault that lasts as long as its process.

    >>> vault = MemoryVault()
    >>> commitment = vault.commit()
    >>> vault.release(commitment, DrawTerms("round 1: 9h Kd / 2c 5s", 1_000, 5_000, 1_000)) is None
    True
    """

    def __init__(self, make: Callable[[], str] = random_secret) -> None:
        self._make: Final = make
        self._secrets: dict[str, str] = {}

    def commit(self) -> str:
        """Make a secret and return its commitment."""
        secret = self._make()
        commitment = commitment_to(secret)
        self._secrets[commitment] = secret
        return commitment

    def remember(self, secret: str) -> None:
        """Hold a secret that was made elsewhere: by whoever dealt here before."""
        self._secrets[commitment_to(secret)] = secret

    def secret_of(self, commitment: str) -> str:
        """Return a secret for whoever takes over; empty if it is not held."""
        return self._secrets.get(commitment, "")

    def release(self, commitment: str, terms: DrawTerms) -> str | None:
        """Return the secret of a commitment once its value is hit, and ``None`` before."""
        secret = self._secrets[commitment]
        return secret if terms.is_hit(secret) else None

    def holds(self, commitment: str) -> bool:
        """Return whether the vault holds the secret of a commitment."""
        return commitment in self._secrets
