"""JSON documents of the commands about submissions."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from croupier.rules.documents import (
    Count,
    Day,
    Exact,
    Hash,
    Made,
    Number,
    OfRules,
    Positive,
    Provenance,
    Share,
    Texts,
    Word,
)

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
    """A fact of the table that differs, or a document on file."""

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


# --- the dossier ---------------------------------------------------------------------------------


class FileNamed(TypedDict):
    """A file, and what names its content."""

    name: str
    bytes: Count
    sha256: Hash


class ElectionOfDossier(TypedDict):
    """An election: what is elected, out of what, by which clause."""

    id: Word
    title: Word
    elected: Word
    is_default: bool
    left_open: Word
    cites: ClauseIds


class WagerOfDossier(TypedDict):
    """What follows for a wager; figures are null where a wager cannot be priced."""

    id: Word
    title: Word
    pays: Annotated[list[str], "By line, before vigorish."]
    min_cents: Count | None
    max_cents: Count | None
    unit_cents: Positive
    max_win_cents: Count | None
    max_win_meters: list[Word]
    house_edge: Exact | None
    return_to_player: Exact | None
    hit_frequency: Share | None
    cites: ClauseIds


class ReadingOfDossier(TypedDict):
    """A reading that the rules rely on, in words."""

    id: Word
    title: Word
    problem: Word
    reading: Word
    says: Word
    standing: Word
    is_elected: Annotated[bool, "Whether the submission names it."]


class ConstraintOfDossier(TypedDict):
    """A constraint that binds these elections."""

    id: Word
    kind: Literal["requires", "excludes", "uniform", "moment"]
    says: Word
    cites: ClauseIds


class NoticeOfDossier(TypedDict):
    """A notice that a change of these elections requires."""

    elections: list[Word]
    says: Word
    to: list[Word]
    minutes: Positive | None
    cites: ClauseIds


class ProcedureOfDossier(TypedDict):
    """A procedure that is in force because of an election."""

    id: Word
    says: Word
    because: Annotated[Word, "The elections that put it in force."]
    cites: ClauseIds


class ItemOfDossier(TypedDict):
    """A physical or filing condition, to be signed for."""

    clause: Word
    citation: Word
    says: Word
    reason: str | None
    documents: list[Word]


class Dossier(Provenance):
    """A submission that is accepted, with all that follows from it."""

    format: Literal["croupier-dossier/1"]
    file: FileNamed
    citation: Word
    authority: Word
    edition: Annotated[Positive, "The edition of the law file."]
    in_force_known: Day
    table: Annotated[Texts, "Seats, numbering, pit, and table."]
    elections: list[ElectionOfDossier]
    wagers: list[WagerOfDossier]
    vigorish: str | None
    reading_texts: list[ReadingOfDossier]
    constraints: list[ConstraintOfDossier]
    notices: list[NoticeOfDossier]
    procedures: list[ProcedureOfDossier]
    checklist: list[ItemOfDossier]
    clauses: Annotated[Texts, "Every clause cited, with what it says, paraphrased."]
