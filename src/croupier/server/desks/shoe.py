"""Shoes shuffled by the service, with a commitment and a later proof.

The commitment, a secret's SHA-256, is recorded as the shuffling device before the cut and any card;
``docs/service.md`` explains how to check it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command, ShoeLoaded
from croupier.baccarat.cards import DECK, Card
from croupier.files.write import write_file
from croupier.money.stax import MemoryVault
from croupier.records.entry import entry_head
from croupier.records.stores.vault import (
    SEALED,
    SealedVault,
    VaultError,
    key_of,
    new_vault_key,
    vault_beside,
)
from croupier.server.desks.days import Days
from croupier.server.http.problems import Problem
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Actor, Position, Proposal, Stamp, propose
from croupier.table.machine.state import WITH_SHOE

NEXT: Final = "next"
"""Placeholder in a command for a card that the service draws."""

_SHOE_LOADED: Final = b'"type":"ShoeLoaded"'
_SHUFFLES: Final = (acts.ShuffleCards, acts.ReshuffleStack, acts.ExchangeBatches)
_WAGERS: Final = (
    acts.PlaceWager,
    acts.PlaceWagers,
    acts.PlaceVerbalWager,
    acts.CallNoMoreBets,
    acts.DealFreeHand,
)


class ShoeVault(Protocol):
    def commit(self) -> str:
        """Store a new secret and return its commitment."""

    def secret_of(self, commitment: str) -> str:
        """Secret; empty if it is missing."""


def open_vault(store: Path) -> ShoeVault:
    """Open a store's encrypted vault. Raises ``VaultError`` if its key is missing."""
    vault = vault_beside(store)
    key = key_of(vault)
    if not key.exists():
        if vault.exists():
            raise VaultError(
                f"{vault}: its key {key} is missing: put it back, or move the vault away; sealed"
                " shoes under way cannot be dealt without it, and their tables are paused"
            )
        write_file(key, new_vault_key())
    key.chmod(0o600)
    return SealedVault(vault, key)


@lru_cache(maxsize=64)
def order_of(secret: str, decks: int) -> tuple[Card, ...]:
    """Cards of a shoe in the order derived from a secret, before the cut."""
    cards = [card for _ in range(decks) for card in DECK]
    Chance(int(secret, 16)).shuffle(cards)
    return tuple(cards)


class SealedShoes:
    """Shoes of one table, by their shuffle entries."""

    def __init__(self, days: Days, vault: ShoeVault | None = None) -> None:
        self._days: Final = days
        self._vault: Final = MemoryVault() if vault is None else vault
        self._made: dict[int, str] = {}
        self._known: list[tuple[int, str]] = []
        """Durable shuffle entries and their commitments, from entry ``_begins`` on."""
        self._begins = 1
        self._reading: Final = Lock()
        self._missing: set[str] = set()
        self._durable = 0
        self._loaded = 0
        """The durable entry that last loaded a shoe."""

    def shuffled_by(
        self, command: Command, by: tuple[Actor, ...], at: Position
    ) -> tuple[Actor, ...]:
        if not isinstance(command, _SHUFFLES):
            return by
        # Only a command that will be executed takes a secret from the vault.
        if isinstance(propose(at, command, Stamp(by), at.at), Refusal):
            return by
        try:
            commitment = self._vault.commit()
        except VaultError as error:
            raise Problem("not_stored", str(error), retry=1) from error
        self._made[at.sequence + 1] = commitment
        return (*by[:-1], replace(by[-1], device=f"{SEALED}{commitment}"))

    def follow(self, durable: int) -> None:
        """Load the days up to an entry, back to one with a shuffle; runs in another thread."""
        self._durable = last_entry = durable
        for day in reversed(self._days.all):
            self._begins = day.before + 1
            self._known, loaded = self._read(self._begins, last_entry)
            self._loaded = max(self._loaded, loaded)
            if self._known:
                break
            last_entry = day.before
        self._missing = {one for _, one in self._known if not self._vault.secret_of(one)}

    def _read(self, first: int, last: int) -> tuple[list[tuple[int, str]], int]:
        mark, found, loaded = f'"device":"{SEALED}'.encode(), [], 0
        for at, line in enumerate(self._days.lines(first, last), start=first):
            if mark in line and (commitment := _committed(line)):
                found.append((at, commitment))
            if _SHOE_LOADED in line:
                loaded = at
        return found, loaded

    def is_missing(self, position: Position) -> bool:
        """Whether the vault lacks the secret of the cards."""
        shuffled = self._known[-1][0] if self._known else 0
        is_needed = shuffled > self._loaded or position.state.phase in WITH_SHOE
        return is_needed and self._commitment(position.sequence) in self._missing

    def check_wager(self, command: Command, position: Position) -> None:
        """Raise ``Problem`` for a wager on cards that cannot be dealt."""
        if isinstance(command, _WAGERS) and self.is_missing(position):
            raise Problem("no_shoe", "the secret of the sealed shoe is missing: end the shoe")

    def heard(self, entries: Sequence[Proposal]) -> None:
        for entry in entries:
            if entry.after.sequence <= self._durable:
                continue
            self._durable = entry.after.sequence
            if any(isinstance(event, ShoeLoaded) for event in entry.events):
                self._loaded = self._durable
            devices = [actor.device for actor in entry.stamp.by if actor.device.startswith(SEALED)]
            self._known += [
                (entry.after.sequence, device.removeprefix(SEALED)) for device in devices
            ]

    def _commitment(self, upto: int) -> str:
        made_since = [at for at in self._made if self._durable < at <= upto]
        if made_since:
            return self._made[max(made_since)]
        return self._known[-1][1] if self._known else ""

    def card(self, position: Position) -> Card:
        """Draw the next card of the shoe in use. Raises ``Problem`` if there is no such shoe.

        Call this only for a command that is accepted whatever the card is: it must become an entry.
        """
        secret = self.check(position)
        state, shoe = position.state, position.state.shoe
        order = order_of(secret, shoe.decks)
        gone = len(order) - shoe.remaining
        return order[((state.cut.position or 0) + gone) % len(order)]

    def check(self, position: Position) -> str:
        """Secret of the current shoe. Raises ``Problem`` if it is missing."""
        secret = self._vault.secret_of(self._commitment(position.sequence))
        state = position.state
        if not secret or state.phase not in WITH_SHOE or not state.shoe.remaining:
            raise Problem("no_shoe", "there is no shoe of the service's own to draw from")
        return secret

    def shown(self, position: Position) -> list[dict[str, object]]:
        """Return the commitments so far, and every finished shoe's secret; runs in a thread."""
        with self._reading:
            if self._begins > 1:
                self._known[:0], _ = self._read(1, self._begins - 1)
                self._begins = 1
        found = [*self._known]
        last_commitment = found[-1][0] if found else 0
        is_over = last_commitment < self._loaded and position.state.phase not in WITH_SHOE
        rows: list[dict[str, object]] = []
        for at, commitment in found:
            secret = self._vault.secret_of(commitment) if is_over or at < last_commitment else ""
            rows.append({"entry": at, "commitment": commitment, "secret": secret or None})
        return rows


def _committed(line: bytes) -> str:
    head = entry_head(line)
    devices: Sequence[str] = () if head is None else [actor.device for actor in head.by]
    return next((one.removeprefix(SEALED) for one in devices if one.startswith(SEALED)), "")
