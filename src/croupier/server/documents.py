"""Types of requests and responses, from which the API description is generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from croupier.baccarat.coup import WINNERS
from croupier.records.view.documents import ActSeen, EntrySeen, TableSeen
from croupier.rules.documents import Count, Keywords, Positive, Word

Time = Annotated[int, "Milliseconds since 1970, UTC."]
Anything = dict[str, Any]
CardSource = Literal["dealer", "reader", "sealed", "autopilot"]


class ClauseSaid(TypedDict):
    """A clause or an interpretation entry with its text."""

    id: Word
    says: Word


class ErrorSaid(TypedDict):
    """One error of a submission."""

    where: str
    message: Word
    clauses: list[str]
    line: int | None


class ProblemTold(TypedDict):
    """A refused request. Nothing was done."""

    type: Word
    title: Word
    status: Annotated[int, Keywords(minimum=400, maximum=599)]
    code: Annotated[str, Keywords(pattern="^[a-z0-9_]+$")]
    detail: Word
    clauses: list[ClauseSaid]
    trace: NotRequired[str]
    seq: NotRequired[Annotated[Count, "The entry at which the table stands."]]
    legal: NotRequired[Annotated[list[ActSeen], "What may be done instead."]]
    errors: NotRequired[list[ErrorSaid]]
    entries: NotRequired[list[EntrySeen]]
    owner: NotRequired[Annotated[str, "Where the process that serves the table answers."]]


class ResultOfShoe(TypedDict):
    """The result of a round."""

    round: Positive
    winner: Annotated[str, Keywords(enum=list(WINNERS))]
    natural: bool
    player_pair: bool
    banker_pair: bool


class ServedTable(TypedDict, total=False):
    """A table as the caller's office sees it."""

    table: Word
    pit: Word
    cards: CardSource
    title: str
    law: str
    stream: str
    seat_count: Positive
    seq: Count
    phase: str
    finished: bool
    seen: TableSeen
    results: Annotated[
        list[ResultOfShoe],
        "Of the rounds of the shoe in use, in order; left out if the store does not answer.",
    ]


class ServedTables(TypedDict):
    """The tables that a grant covers."""

    tables: list[ServedTable]


class DayShown(TypedDict):
    """The record of one gaming day; ``stream`` is the name in its header."""

    day: Positive
    stream: Word
    first: Annotated[Positive, "The number of its first entry."]
    last: Annotated[Count, "The number of its last entry."]
    ended: bool


class DaysShown(TypedDict):
    """The records of a table, in order."""

    days: list[DayShown]


class DayEndedAt(TypedDict):
    """The ended record of a gaming day, and the new one of the next day."""

    seq: Annotated[Count, "The last entry of the day that ended."]
    ended: Annotated[Positive, "The number of the day that ended."]
    day: Annotated[Positive, "The number of the day that began."]


class ActsShown(TypedDict):
    """The acts available to the caller's office."""

    seq: Count
    acts: list[ActSeen]


class ConsentShown(TypedDict, total=False):
    """An act that awaits the consent of others."""

    id: Word
    command: Word
    words: Annotated[str, "The act and its values in one sentence."]
    by: list[Mapping[str, str]]
    needs: list[str]
    until: Time
    fields: Anything
    mine: Annotated[bool, "Whether the caller asked for it, and may withdraw it by a decline."]


class ConsentsShown(TypedDict):
    """The acts that await consent."""

    consents: list[ConsentShown]


class TableLooked(TypedDict):
    """The complete view of a table at one entry for the caller's office."""

    seq: Count
    table: Word
    cards: CardSource
    seen: TableSeen
    acts: list[ActSeen]
    due: Annotated[EntrySeen | None, "The entry that the act due would make, if it is known."]
    roads: Anything
    consents: list[ConsentShown]
    clauses: Annotated[list[ClauseSaid], "What the clauses of all this say."]


class ConsentGiven(TypedDict):
    """A consent, or a decline."""

    consent: bool


class CarriedOutAt(TypedDict):
    """The result of commands: the entries, as the caller's office sees them."""

    seq: Annotated[Count, "The entry at which the table stands now."]
    entries: NotRequired[Annotated[list[EntrySeen], "Left out by `Prefer: return=minimal`."]]
    consent: NotRequired[ConsentShown]


class TableOfPit(TypedDict):
    """The state of a table in a pit; ``admitted`` if it is in use there."""

    table: Word
    seq: Count
    phase: str
    phase_words: str
    rounds: Count
    consents: Count
    admitted: bool


class PitShown(TypedDict):
    """A pit: its tables, and for its staff its decisions and the open orders of tables."""

    pit: Word
    tables: list[TableOfPit]
    stream: NotRequired[Word]
    seq: NotRequired[Annotated[Count, "The entry at which the pit's record stands."]]
    notices: NotRequired[list[Anything]]
    others: NotRequired[Annotated[list[Anything], "Tables of games whose law is not included."]]
    waiting: NotRequired[list[Anything]]


class PitNamed(TypedDict):
    """The name of a pit."""

    pit: Word


class PitsShown(TypedDict):
    """The pits that a grant covers."""

    pits: list[PitNamed]


class PitCommandGiven(TypedDict):
    """A command of a pit; the service adds the time and the elections of other pits' tables."""

    type: Literal["AdmitTable", "AdmitOtherGame", "ChangeElections", "GiveNotice", "WithdrawTable"]
    table: NotRequired[Annotated[str, "Of AdmitTable, AdmitOtherGame, and WithdrawTable."]]
    notified: NotRequired[Annotated[str | None, "Of AdmitTable: when notice was given."]]
    game: NotRequired[Annotated[str, "Of AdmitOtherGame."]]
    elections: NotRequired[Annotated[Anything, "As a submission writes them."]]
    to: NotRequired[Annotated[str, "Of GiveNotice: the addressee."]]
    at: NotRequired[Annotated[str, "Of GiveNotice: when it was given; now, if it is left out."]]
    tables: NotRequired[Annotated[list[str], "Of ChangeElections."]]
    companions: NotRequired[Annotated[Anything, "Of ChangeElections: what a table needs besides."]]
    limits: NotRequired[Annotated[Anything, "Of ChangeElections: limits by table and wager."]]


class PitCarriedOut(TypedDict):
    """The result of a command of a pit."""

    seq: Annotated[Count, "The entry at which the pit's record stands now."]
    entries: list[Anything]


class PitVerified(TypedDict):
    """The result of verifying the record of a pit, and the records of its tables against it."""

    clean: bool
    entries: Count
    events: Count
    tables: list[str]
    divergence: Anything | None
    findings: list[Anything]


class GrantWanted(TypedDict):
    """A requested grant. It ends with its maker's grant at the latest."""

    person: Word
    office: Word
    tables: NotRequired[list[str]]
    seat: NotRequired[int | None]
    device: NotRequired[Literal["page", "reader", "code", "machine"]]
    hours: NotRequired[float]


class GrantSeen(TypedDict):
    """A grant; ``consented_by`` is the grant of the second person, if consent was required."""

    id: Word
    person: Word
    office: Word
    pit: Word
    tables: list[str]
    seat: int | None
    device: str
    until: Time
    revoked: int | None
    made_by: str
    consented_by: str


class GrantMade(GrantSeen):
    """A new grant with its link code, shown once, and the offices that may consent to it."""

    link: Word
    needs: list[str]


class TokenMade(GrantSeen):
    """A grant with a new token, shown once."""

    token: Word
    token_until: Time


class GrantsShown(TypedDict):
    """The grants of a pit that are in force, and those that await a second person's consent."""

    grants: list[GrantSeen]
    waiting: list[GrantSeen]


class GrantConsent(TypedDict):
    """The code that a grant's link requires, shown once; or the declined grant."""

    code: NotRequired[Word]
    declined: NotRequired[Word]


class LinkRedeemed(TypedDict):
    """The code of a one-time link, and the ``code`` from the consenting person, if required."""

    link: Word
    code: NotRequired[str]


class ServiceDocuments(TypedDict):
    """Every document of the service."""

    problem: ProblemTold
    table: ServedTable
    tables: ServedTables
    days: DaysShown
    day_ended: DayEndedAt
    acts: ActsShown
    look: TableLooked
    consents: ConsentsShown
    consent: ConsentGiven
    done: CarriedOutAt
    pit: PitShown
    pits: PitsShown
    pit_command: PitCommandGiven
    pit_done: PitCarriedOut
    pit_verified: PitVerified
    wanted: GrantWanted
    grant: GrantMade
    grant_seen: GrantSeen
    grants: GrantsShown
    token: TokenMade
    grant_consent: GrantConsent
    link: LinkRedeemed
