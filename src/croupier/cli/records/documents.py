"""What the commands about table logs give as JSON, beyond the log's own documents."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from croupier.rules.documents import Count, Counts, Day, Made, Share, Word


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


class IrregularEntry(TypedDict):
    """An entry that recorded an irregularity or a correction."""

    table: Word
    entry: Count
    round: Count | None
    gaming_date: Day
    dealer: Word
    shift: Word
    kind: Word
    clauses: list[Word]


class IrregularityGroup(TypedDict):
    """The irregularities of a dealer, a table, a shift, a gaming day, a kind, or a clause."""

    name: Word
    rounds: Annotated[
        Count, "Rounds dealt by the dealer, at the table, in the shift, or on the day; else all."
    ]
    irregularities: Count
    per_thousand_rounds: Annotated[Share | None, "Null without rounds."]
    kinds: Counts
    entries: list[IrregularEntry]


class Irregularities(Made):
    """Irregularities and corrections per thousand rounds dealt, most frequent first."""

    format: Literal["croupier-irregularities/1"]
    by: Word
    rounds: Count
    irregularities: Count
    groups: list[IrregularityGroup]


class StepOfSet(TypedDict):
    """What an entry records of a set of decks."""

    table: Word
    gaming_date: Day
    at: str
    entry: Count
    event: Word
    says: str
    persons: list[Word]
    clauses: list[Word]


class GapOfSet(TypedDict):
    """A gap in the record of a set, and the entry that has or precedes it."""

    gap: Word
    says: str
    table: Word
    entry: Count


class FollowedSet(TypedDict):
    """A set of decks, followed over tables and gaming days."""

    set: Annotated[Word, "Its name, or the table at which it had none and its number there."]
    tables: list[Word]
    cards: Count
    shoes: Annotated[Count, "Shoes dealt from it, also in logs that the first one continues."]
    ordered_by: Annotated[list[Word], "Supervisors who ordered it off."]
    status: Annotated[
        Word,
        "in use, put away (as its table closed), removed, sealed, kept, destroyed, or canceled.",
    ]
    envelope: Annotated[Word, "Of its last sealing; empty if it was never sealed."]
    gaps: list[GapOfSet]
    life: list[StepOfSet]


class FollowedSets(Made):
    """The life of each set of decks in table logs."""

    format: Literal["croupier-decks/1"]
    sets: list[FollowedSet]
    gaps: Count
