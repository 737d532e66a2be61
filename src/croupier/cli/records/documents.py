"""What the commands about table logs and external rounds give as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.cli.common.documents import ToldLine
from croupier.records.layout import LayoutShown
from croupier.rules.documents import (
    Cents,
    Count,
    Counts,
    Day,
    Made,
    Positive,
    Provenance,
    Share,
    Word,
)
from croupier.verify.round_documents import StakeShown
from croupier.verify.rounds.documents import RoundDivergence


class FoundWager(TypedDict):
    """A wager of a round that was found; amounts are in cents."""

    seat: Count
    patron: str | None
    wager: Annotated[str | None, "null for a correction of the whole round."]
    stake_cents: Count
    outcome: Word
    paid_cents: Count
    vigorish_cents: Count
    net_cents: int


class FoundIrregularity(TypedDict):
    """An irregularity in or before the round, or a dispute or correction of it."""

    entry: Count
    event: Word
    kind: Annotated[str | None, "What it is, in words; null for a consequence of another."]
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
    corrected_winner: Annotated[str | None, "The result by which it was settled again."]
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

    stream: Word
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


class ExternalLayout(TypedDict):
    """What an external record has on the layout."""

    layout: LayoutShown
    stakes: list[StakeShown]
    hands: Annotated[
        Mapping[str, list[Word]],
        "In the order dealt; a rank alone where no suit is recorded, ?? for an unknown card.",
    ]
    totals: Annotated[Mapping[str, Count], "The Point Count of each hand as recorded."]
    winner: Annotated[Word | None, "As recorded."]


class ExternalWager(TypedDict):
    """A wager: what it should have brought its bettor, and what the record says it did."""

    seat: Count | None
    wager: Word
    title: Word
    stake_cents: Count
    outcome: Literal["win", "lose", "push", "void"] | None
    expected_cents: Annotated[Cents | None, "Net after vigorish; null where it is not known."]
    recorded_cents: Annotated[Cents | None, "Net as recorded; null where it is not recorded."]
    owed_cents: Annotated[Cents | None, "Expected less recorded."]
    why: Word
    clauses: list[Word]


class ExternalSeat(TypedDict):
    """A seat of an external round; an amount is null where one of its wagers has none."""

    seat: Count | None
    staked_cents: Count
    expected_cents: Cents | None
    recorded_cents: Cents | None
    owed_cents: Cents | None


class ExternalRoundReport(Provenance):
    """One round of an external record, to be handed in."""

    format: Literal["croupier-external-round-report/1"]
    file: Word
    line: Positive
    shoe: int | str | None
    round: int | str | None
    seat: Annotated[Count | None, "The one seat that it is about; null for all."]
    result: Annotated[str, "As expected by the cards; empty where they do not say."]
    divergences: list[RoundDivergence]
    layout: ExternalLayout
    narration: list[ToldLine]
    wagers: list[ExternalWager]
    seats: list[ExternalSeat]
