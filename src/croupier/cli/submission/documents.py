"""What the commands about submissions give as JSON."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from croupier.documents import Count, Exact, Made, Number, OfRules, Positive, Word

__all__ = [
    "ChangedEdge", "ChangedElection", "ChangedFact", "ChangedLimits", "ChangedProcedure",
    "ChangedReading", "DueMoment", "DueNotice", "DueUniformity", "LimitsOfWager",
    "SubmissionDifferences", "SubmissionNamed",
]  # fmt: skip

ClauseIds = list[Word]


class SubmissionNamed(OfRules):
    """A submission that is compared, and what it comes to."""

    file: str


class ChangedElection(TypedDict):
    """An election that differs; null where a submission leaves no room for it."""

    id: Word
    title: Word
    old: str | None
    new: str | None
    old_cites: ClauseIds
    new_cites: ClauseIds


class LimitsOfWager(TypedDict):
    """The limits of a wager."""

    min_cents: Count
    max_cents: Count


class ChangedLimits(TypedDict):
    """Limits that differ; null where a submission posts none for that wager."""

    wager: Word
    title: Word
    old: LimitsOfWager | None
    new: LimitsOfWager | None


class ChangedFact(TypedDict):
    """A fact of the table that differs: seats, numbering, pit, table, regulation, or title."""

    key: Word
    old: str
    new: str


class ChangedReading(TypedDict):
    """A reading that differs, in words; null where no rule in force relies on the entry."""

    id: Word
    title: Word
    old: str | None
    new: str | None
    old_says: str | None
    new_says: str | None


class ChangedEdge(TypedDict):
    """The house edge of a wager at both tables; null where a table does not offer it."""

    wager: Word
    title: Word
    old: Exact | None
    new: Exact | None
    change: Exact | None
    old_percent: Number | None
    new_percent: Number | None
    change_percent: Number | None


class ChangedProcedure(TypedDict):
    """A procedure that comes into force, or is in force no longer."""

    id: Word
    says: Word
    change: Literal["begins", "ends"]
    cites: ClauseIds


class DueNotice(TypedDict):
    """A notice that is due before a change: of what, to whom, and how long before."""

    election: Word
    value: Word
    says: Word
    to: list[Word]
    minutes: Annotated[Positive | None, "How long before; null for any time before the change."]
    cites: ClauseIds
    citations: Annotated[list[Word], "The clauses as people cite them."]


class DueMoment(TypedDict):
    """When elections may change."""

    elections: list[Word]
    says: Word
    moment: Annotated[
        Literal["round", "submission"],
        "Between two rounds, or with the rules submission while the table is closed.",
    ]
    cites: ClauseIds


class DueUniformity(TypedDict):
    """Elections that must change at other tables too."""

    elections: list[Word]
    says: Word
    across: Annotated[Literal["pit", "licensee"], "The tables that must agree."]
    cites: ClauseIds


class SubmissionDifferences(Made):
    """Two submissions compared: what differs, and what is due before the change."""

    format: Literal["croupier-submission-diff/1"]
    old: SubmissionNamed
    new: SubmissionNamed
    elections: list[ChangedElection]
    limits: list[ChangedLimits]
    table: list[ChangedFact]
    readings: list[ChangedReading]
    edges: Annotated[list[ChangedEdge], "Every wager that either table offers."]
    procedures: list[ChangedProcedure]
    notices: list[DueNotice]
    moments: list[DueMoment]
    uniformity: list[DueUniformity]
