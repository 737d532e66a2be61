"""The JSON document of one external round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict

from croupier.cli.common.documents import ToldLine
from croupier.records.layout import LayoutShown
from croupier.rules.documents import Cents, Count, Positive, Provenance, Word
from croupier.verify.round_documents import StakeShown
from croupier.verify.rounds.documents import RoundDivergence


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

    seat: Positive | None
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

    seat: Positive | None
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
    seat: Annotated[Positive | None, "The one seat that it is about; null for all."]
    result: Annotated[str, "As expected by the cards; empty where they do not say."]
    divergences: list[RoundDivergence]
    layout: ExternalLayout
    narration: list[ToldLine]
    wagers: list[ExternalWager]
    seats: list[ExternalSeat]
