"""JSON documents of the report of one round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.records.layout import LayoutShown
from croupier.records.reader import ChainOfLog
from croupier.rules.documents import Cents, Count, Positive, Provenance, Texts, Word


class StakeShown(TypedDict):
    """Chips on the layout."""

    seat: Positive
    wager: Word
    cents: Count


class LayoutAtEntry(TypedDict):
    """The chips on the layout after an entry."""

    entry: Count
    at: Word
    layout: LayoutShown
    stakes: list[StakeShown]
    markers: Annotated[Mapping[str, Count], "Vigorish that markers show, in cents by seat."]
    names: Annotated[Texts, "By seat."]
    hands: Annotated[
        Mapping[str, list[Word]], "In the order dealt; ?? for a card that is face down."
    ]
    totals: Annotated[Mapping[str, Count], "The Point Count of each hand that is known."]
    won: Annotated[list[list[int | str]], "The seat and wager of each area that won."]


class StepOfRound(TypedDict):
    """An entry of the round: its time, its author, and its events."""

    entry: Positive
    at: Word
    by: list[Word]
    lines: list[Word]
    clauses: list[Word]


class WagerOfRound(TypedDict):
    """A wager: the amount due, the amount recorded, and the reason."""

    seat: Positive
    wager: Word
    title: Word
    stake_cents: Count
    outcome: Literal["win", "lose", "push", "void"]
    owed_cents: Annotated[Count, "What it wins, without the stake."]
    paid_cents: Annotated[Count, "What the record paid on it."]
    vigorish_cents: Count
    net_cents: Annotated[Cents, "What the wager brings its bettor, after vigorish."]
    why: Word
    clauses: list[Word]


class SeatOfRound(TypedDict):
    """A seat: its stakes and its net result for the round."""

    seat: Positive
    patron: str
    staked_cents: Count
    won_cents: Count
    vigorish_cents: Count
    corrected_cents: Annotated[Cents, "What later corrections of the settlement changed."]
    net_cents: Annotated[Cents, "After vigorish and corrections."]


class PlaceOfRound(TypedDict):
    """When a round was played, and who was there."""

    began: Annotated[Word, "Time of its first entry, or of the first one since the round before."]
    ended: Word
    gaming_date: Annotated[str | None, "Gaming day; null if none was named."]
    on_duty: Annotated[list[Word], "Who was assigned when it ended; none for one seat."]


class RoundReport(Provenance, PlaceOfRound):
    """Report of one round of a table log."""

    format: Literal["croupier-round-report/1"]
    log: Word
    record: Annotated[ChainOfLog | None, "null if a service made the report: it is not checked."]
    round: Positive
    seat: Annotated[Positive | None, "The one seat that it is about; null for all."]
    result: str
    layout: LayoutAtEntry
    steps: list[StepOfRound]
    wagers: Annotated[list[WagerOfRound], "As they were settled, before any correction."]
    later: Annotated[list[StepOfRound], "Disputes and corrections after the round was over."]
    corrected: Annotated[bool, "Whether the round was settled again."]
    misread: Annotated[bool, "Whether a card was found misread after the settlement."]
    seats: list[SeatOfRound]
