"""Events of corrections: what the record had wrong, and what follows from the truth."""

from __future__ import annotations

from msgspec import Struct

from croupier.baccarat.hand import Hand
from croupier.cards import Card
from croupier.table.events.event import Clauses, Event

__all__ = ["Difference", "KeptAmountPaid", "SettlementCorrected", "WagerCorrected"]


class WagerCorrected(Event, frozen=True):
    """Entry ``entry`` recorded ``recorded_cents`` where ``cents`` lay on the layout."""

    entry: int
    seat: int
    wager: str
    recorded_cents: int
    cents: int
    reason: str
    clauses: Clauses


class Difference(Struct, frozen=True):
    """What a round settled again changes for one patron.

    ``seat`` is where the patron sat in the round, ``now`` where the patron sits, ``None`` for one
    who has left. ``cents`` is what was given too little, or below nothing too much; ``outcome`` is
    ``paid``, ``unpaid``, ``returned``, ``uncollected``, or ``none``. ``unpaid`` is kept, or below
    nothing taken from what is kept. ``misstated_cents`` were handed over beyond what the record
    has. ``uncollected_cents``, ``vigorish_cents``, and ``marked_cents`` change what is not
    collected, the vigorish taken, and what the marker shows.
    """

    seat: int
    patron: str
    now: int | None
    cents: int
    outcome: str
    misstated_cents: int
    uncollected_cents: int
    vigorish_cents: int
    marked_cents: int


class SettlementCorrected(Event, frozen=True):
    """The round that entry ``entry`` settled was settled again with the truth.

    A misread card names its place, as in ``CardMisread``; ``counted`` says that it still counts as
    a card of the shoe in use, whose count is corrected. ``seat``, ``wager``, and ``stake_cents`` or
    ``paid_cents`` name another stake or payment.
    """

    entry: int
    round: int
    recorded: Card | None
    actual: Card | None
    hand: Hand | None
    ordinal: int
    counted: bool
    seat: int | None
    wager: str
    stake_cents: int | None
    paid_cents: int | None
    differences: tuple[Difference, ...]
    reason: str
    clauses: Clauses


class KeptAmountPaid(Event, frozen=True):
    """A patron who had left was paid what was kept, or a part; ``left_cents`` are still kept."""

    entry: int
    seat: int
    patron: str
    identified: str
    slip: int
    cents: int
    left_cents: int
    clauses: Clauses
