"""Types of requests and responses, from which the API description is generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from croupier.baccarat.coup import WINNERS
from croupier.odds.documents import RoundOdds
from croupier.records.roads import RoadsShown
from croupier.records.view.documents import ActSeen, EntrySeen, FormsSeen, PlayWaits, TableSeen
from croupier.rules.documents import Cents, Count, Keywords, Positive, Word

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
    corrected: bool


class ServedTable(TypedDict):
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
    seen: NotRequired[Annotated[TableSeen, "Of one table; not in lists."]]
    results: NotRequired[
        Annotated[
            list[ResultOfShoe],
            "Of the rounds of the shoe in use, in order; left out if the store does not answer.",
        ]
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


class ConsentShown(TypedDict):
    """An act that awaits the consent of others."""

    id: Word
    command: Word
    words: Annotated[str, "The act and its values in one sentence."]
    by: list[Mapping[str, str]]
    needs: list[str]
    until: Time
    fields: NotRequired[Anything]
    mine: NotRequired[
        Annotated[bool, "Whether the caller asked for it, and may withdraw it by a decline."]
    ]
    ended: NotRequired[
        Annotated[
            str, "Why it waits no longer. A decline by the caller that asked for it removes it."
        ]
    ]


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
    due: Annotated[
        EntrySeen | None, "The entry that a call, collection, or settlement due would make."
    ]
    then: Annotated[Word | None, "The act to send with the one due: nothing is open between them."]
    on_duty: Annotated[bool, "Whether the caller is assigned to the table."]
    waits: Annotated[PlayWaits | None, "For the dealer: whose act play waits for."]
    roads: RoadsShown
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


class ActDeclined(TypedDict):
    """The pending act that was declined."""

    declined: Word


class ShoeCommitted(TypedDict):
    """The commitment to the order of a shoe, with its secret once its cards are out."""

    entry: Positive
    commitment: Word
    secret: str | None


class ShoesShown(TypedDict):
    """The shoes that the service shuffled."""

    seq: Count
    shoes: list[ShoeCommitted]


class WagerExplained(TypedDict):
    """A wager of a round, and why it was settled as it was."""

    kind: str
    text: str
    details: list[str]
    clauses: list[ClauseSaid]


class RoundShown(TypedDict):
    """A finished round, as the caller's office sees it."""

    round: Positive
    first: Positive
    last: Positive
    wagers: list[WagerExplained]
    entries: list[EntrySeen]


class RoadsOfShoe(TypedDict):
    """The roads of the shoe in use."""

    shoe: Count
    rounds: Count
    roads: RoadsShown


class LedgerShown(TypedDict):
    """The accounts of a table; the dealer sees the chip tray alone."""

    seq: Count
    inventory_cents: NotRequired[int]
    balances: NotRequired[Mapping[str, int]]
    table_win_cents: NotRequired[int]
    in_balance: NotRequired[bool]


class MetersShown(TypedDict):
    """The progressive meters in cents; ``linked`` names the link of each shared one."""

    seq: Count
    meters: Mapping[str, Cents]
    linked: Mapping[str, str]
    commitment: str


class FormsShown(TypedDict):
    """The Complimentary Vigorish Forms of a table."""

    seq: Count
    forms: FormsSeen | None


class OddsShown(TypedDict):
    """The exact odds of every wager, given the open cards."""

    seq: Count
    odds: RoundOdds


class DifferenceShown(TypedDict):
    """A line that another edition of the program decides differently."""

    line: Positive
    message: Word


class DivergenceShown(TypedDict):
    """The first place at which a record is not what follows from its commands."""

    line: Positive
    kind: Word
    message: Word


class FindingShown(TypedDict):
    """A finding in a verified record."""

    round: Count | None
    kind: Word
    message: Word
    fails: bool


class RecordVerified(TypedDict):
    """The result of verifying the record of a gaming day."""

    clean: bool
    entries: Count
    events: Count
    rounds: Count
    open: bool
    day: Positive
    edition: Positive
    differences: list[DifferenceShown]
    divergence: DivergenceShown | None
    findings: list[FindingShown]


class RefusalShown(TypedDict):
    """A refusal at a table."""

    at: Time
    grant: str
    code: Word
    command: str


class RefusalsShown(TypedDict):
    """The last refusals at a table, the newest first."""

    refusals: list[RefusalShown]


class Alive(TypedDict):
    """The process is alive."""

    alive: bool
    version: Word


class ReadyShown(TypedDict):
    """Whether the service takes requests; status 503 if it does not."""

    ready: bool
    tables: Count
    store: NotRequired[Literal["lost", "failing"]]
    without_secret: NotRequired[list[str]]


class LinkShown(TypedDict):
    """Meters that tables share."""

    link: Word
    wager: Word
    tables: list[str]
    meters: Mapping[str, Cents]


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
    links: NotRequired[list[LinkShown]]


class PitNamed(TypedDict):
    """The name of a pit."""

    pit: Word


class PitsShown(TypedDict):
    """The pits that a grant covers."""

    pits: list[PitNamed]


class PitCommandGiven(TypedDict):
    """A command of a pit; the service adds the time and the elections of other pits' tables."""

    type: Literal[
        "AdmitOtherGame", "AdmitTable", "ChangeElections", "GiveNotice", "LinkMeters",
        "UnlinkMeters", "WithdrawTable",
    ]  # fmt: skip
    table: NotRequired[Annotated[str, "The table; not of commands that name `tables`."]]
    notified: NotRequired[Annotated[str | None, "Of AdmitTable: when notice was given."]]
    game: NotRequired[Annotated[str, "Of AdmitOtherGame."]]
    elections: NotRequired[Annotated[Anything, "As a submission writes them."]]
    to: NotRequired[Annotated[str, "Of GiveNotice: the addressee."]]
    at: NotRequired[Annotated[str, "Of GiveNotice: when it was given; now, if it is left out."]]
    pits: NotRequired[Annotated[list[str], "Of GiveNotice: further pits."]]
    tables: NotRequired[Annotated[list[str], "Of ChangeElections and LinkMeters."]]
    link: NotRequired[Annotated[str, "Of LinkMeters and UnlinkMeters."]]
    wager: NotRequired[Annotated[str, "Of LinkMeters."]]
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
    meters: Anything
    divergence: DivergenceShown | None
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
    """The code of a one-time link, or its address, and the ``code`` from who consents, if any."""

    link: Word
    code: NotRequired[str]
