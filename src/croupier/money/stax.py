"""Must Hit for Stax: a mystery value and a draw that are fixed beforehand and proven afterwards.

A secret is chosen and its SHA-256 made known before the first wager. When the secret is revealed,
anyone can see that it is the one committed to, and derive from it the mystery value and who is
drawn: neither could be changed once wagers were made.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

__all__ = ["commitment_to", "drawn", "is_secret", "mystery_cents"]


def is_secret(text: str) -> bool:
    """Return whether a text is a secret: 64 hexadecimal digits, as is its commitment."""
    return re.fullmatch(r"[0-9a-f]{64}", text) is not None


def commitment_to(secret: str) -> str:
    """Return the SHA-256 of a secret's bytes, in hexadecimal.

    >>> commitment_to("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def _below(number: int, secret: str, purpose: str) -> int:
    """Return a number below another, each equally likely, from a secret, by rejection."""
    fair = (1 << 256) - (1 << 256) % number
    for counter in range(1 << 32):
        text = f"{secret} {purpose} {counter}"
        word = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        if word < fair:
            return word % number
    raise ValueError("no fair number was found")


def mystery_cents(secret: str, seed_cents: int, must_hit_by_cents: int) -> int:
    """Return the mystery value: more than the seed, and no more than what it must be hit by.

    >>> 1_000 < mystery_cents("00" * 32, 1_000, 5_000) <= 5_000
    True
    """
    return seed_cents + 1 + _below(must_hit_by_cents - seed_cents, secret, "mystery value")


def drawn(secret: str, round_: int, seats: Sequence[int]) -> int:
    """Return the seat that is drawn in a round among those who took part, each equally likely."""
    ordered = sorted(seats)
    return ordered[_below(len(ordered), secret, f"draw of round {round_}")]
