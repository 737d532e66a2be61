"""Must Hit for Stax: a mystery value and a draw that neither the house nor a patron can choose.

The house commits to a secret before the first wager, and the cards that are dealt afterwards are
known to nobody before. The mystery value follows from the secret and the cards of the first round
after the commitment, the draw from the secret and the cards of the round in which the value is hit.
Whoever picks secrets cannot know the cards, and whoever sees the cards does not know the secret.
``docs/mystery-draw.md`` publishes the derivation, with values that a program can be held to.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

from msgspec import Struct

from croupier.cards import Card


class DrawTerms(Struct, frozen=True):
    """What a mystery value takes besides its secret, and what the meter shows, in cents.

    ``opening`` are the cards of the first round after the commitment.
    """

    opening: str
    above_cents: int
    must_hit_by_cents: int
    shown_cents: int

    def is_hit(self, secret: str) -> bool:
        """Return whether the meter has reached the value that a secret makes."""
        value = mystery_cents(secret, self.opening, self.above_cents, self.must_hit_by_cents)
        return self.shown_cents >= value


def is_secret(text: str) -> bool:
    """Return whether a text is a secret: 64 hexadecimal digits, as is its commitment."""
    return re.fullmatch(r"[0-9a-f]{64}", text) is not None


def commitment_to(secret: str) -> str:
    """Return the SHA-256 of a secret's bytes, in hexadecimal.

    >>> commitment_to("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def cards_told(round_: int, player: Sequence[Card], banker: Sequence[Card]) -> str:
    """Return the text that stands for the cards of a round, in the order in which they came.

    >>> cards_told(12, [Card.of("9h"), Card.of("Kd")], [Card.of("2c"), Card.of("5s")])
    'round 12: 9h Kd / 2c 5s'
    """
    hands = (" ".join(card.notation for card in hand) for hand in (player, banker))
    return f"round {round_}: {' / '.join(hands)}"


def _below(number: int, secret: str, purpose: str) -> int:
    """Return a number below another, each equally likely, from a secret, by rejection."""
    fair = (1 << 256) - (1 << 256) % number
    key = bytes.fromhex(secret)
    for counter in range(1 << 32):
        text = f"{purpose} {counter}"
        word = int.from_bytes(hmac.digest(key, text.encode(), "sha256"), "big")
        if word < fair:
            return word % number
    raise ValueError("no fair number was found")


def mystery_cents(secret: str, cards: str, above_cents: int, must_hit_by_cents: int) -> int:
    """Return the mystery value: more than the meter showed, and no more than it must be hit by.

    ``cards`` are those of the first round after the commitment, ``above_cents`` what the meter
    showed at it. A meter that is full already is hit by the next wager.

    >>> 1_000 < mystery_cents("00" * 32, "round 1: 9h Kd / 2c 5s", 1_000, 5_000) <= 5_000
    True
    """
    if above_cents >= must_hit_by_cents:
        return must_hit_by_cents
    span = must_hit_by_cents - above_cents
    return above_cents + 1 + _below(span, secret, f"mystery value, {cards}")


def drawn(secret: str, cards: str, seats: Sequence[int]) -> int:
    """Return the seat that is drawn among those who took part, each equally likely.

    ``cards`` are those of the round in which the mystery value is hit.
    """
    ordered = sorted(seats)
    among = ",".join(map(str, ordered))
    return ordered[_below(len(ordered), secret, f"draw among seats {among}, {cards}")]
