"""Must Hit for Stax: a mystery value and a draw that no party can choose.

Both derive from a secret committed before the cards are dealt: see ``docs/mystery-draw.md``.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from msgspec import Struct

from croupier.baccarat.cards import Card


class DrawTerms(Struct, frozen=True):
    """Inputs of a mystery value other than its secret, and the meter in cents."""

    opening: str
    above_cents: int
    must_hit_by_cents: int
    shown_cents: int

    def is_hit(self, secret: str) -> bool:
        value = mystery_cents(secret, self.opening, self.above_cents, self.must_hit_by_cents)
        return self.shown_cents >= value


def is_secret(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{64}", text) is not None


def commitment_to(secret: str) -> str:
    """SHA-256 of a secret's bytes.

    >>> commitment_to("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def cards_text(round_: int, player: Sequence[Card], banker: Sequence[Card]) -> str:
    """Canonical text of a round's cards.

    >>> cards_text(12, [Card.of("9h"), Card.of("Kd")], [Card.of("2c"), Card.of("5s")])
    'round 12: 9h Kd / 2c 5s'
    """
    hands = (" ".join(card.notation for card in hand) for hand in (player, banker))
    return f"round {round_}: {' / '.join(hands)}"


def _below(number: int, secret: str, purpose: str) -> int:
    """Uniform number below ``number``, by rejection."""
    fair = (1 << 256) - (1 << 256) % number
    key = bytes.fromhex(secret)
    for counter in range(1 << 32):
        text = f"{purpose} {counter}"
        word = int.from_bytes(hmac.digest(key, text.encode(), "sha256"), "big")
        if word < fair:
            return word % number
    raise ValueError("no fair number was found")


def mystery_cents(secret: str, cards: str, above_cents: int, must_hit_by_cents: int) -> int:
    """Mystery value: above ``above_cents``, at most the must-hit amount.

    A full meter is hit by the next wager.
    """
    if above_cents >= must_hit_by_cents:
        return must_hit_by_cents
    span = must_hit_by_cents - above_cents
    return above_cents + 1 + _below(span, secret, f"mystery value, {cards}")


def drawn(secret: str, cards: str, seats: Sequence[int]) -> int:
    ordered_seats = sorted(seats)
    among = ",".join(map(str, ordered_seats))
    return ordered_seats[_below(len(ordered_seats), secret, f"draw among seats {among}, {cards}")]


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
