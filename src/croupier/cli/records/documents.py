"""What the commands about table logs give as JSON, beyond the log's own documents."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from croupier.rules.documents import Count, Day, Made, Word


class FoundWager(TypedDict):
    """A wager of a round that was found; amounts are in cents."""

    seat: Count
    patron: str | None
    wager: Word
    stake_cents: Count
    outcome: Word
    paid_cents: Count
    vigorish_cents: Count
    net_cents: int


class FoundIrregularity(TypedDict):
    """An irregularity or correction in or before the round."""

    entry: Count
    event: Word
    card: str | None
    clauses: list[Word]


class FoundRound(TypedDict):
    """A round, with the wagers that were asked for."""

    record: str
    stream: Word
    gaming_date: Day
    shoe: Count
    round: Count
    first_entry: Count
    last_entry: Count
    began_at: str | None
    ended_at: str
    player: str | None
    banker: str | None
    winner: Annotated[str | None, "player, banker, or tie; null if void."]
    simulated: bool
    void: bool
    dealer: str | None
    wagers: list[FoundWager]
    irregularities: list[FoundIrregularity]


class FoundRounds(Made):
    """Rounds found in table logs."""

    format: Literal["croupier-found-rounds/1"]
    rounds: list[FoundRound]
