"""JSON documents of check, deal, run, verify, explain, and blackjack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from croupier.records.draws import DrawnMystery
from croupier.records.reader import ChainOfLog
from croupier.rules.documents import (
    Cents,
    Count,
    Counts,
    Deviation,
    Exact,
    Hash,
    Keywords,
    Made,
    Number,
    OfRules,
    Positive,
    Provenance,
    Seed,
    Texts,
    Word,
)
from croupier.simulation.documents import Interval
from croupier.verify.pit_log import FindingInPit
from croupier.verify.round_documents import PlaceOfRound, StepOfRound
from croupier.verify.rounds.documents import RoundDivergence

ClauseIds = list[Word]


# --- doctor ------------------------------------------------------------------------------------


class Examined(TypedDict):
    """Something that was examined."""

    area: Annotated[Word, "python, extra, law, store, clock, fonts, terminal, or disk."]
    name: Word
    found: str
    standing: Literal["good", "note", "fault"]
    advice: Annotated[str, "What to do; empty if it is good."]


class Examination(Made):
    """What was found of this installation."""

    format: Literal["croupier-doctor/1"]
    is_sound: Annotated[bool, "Whether there is no fault."]
    found: list[Examined]


# --- store -------------------------------------------------------------------------------------


class StoreCopy(Made):
    """A store, backed up or restored."""

    format: Literal["croupier-store-copy/1"]
    entries: Count
    secrets: Annotated[Count, "Sealed secrets of shoes."]
    lacking: Annotated[list[Word], "Tables without theirs."]
    says: Annotated[list[Word], "What to know, in words."]
    wrong: Annotated[list[Word], "Records that end before their signed heads."]
    uncounted: Annotated[list[Word], "Signatures that do not count."]
    heads: Annotated[list[Word], "How far each file of heads reaches."]


class JudgedRecord(TypedDict):
    """A record of a store."""

    record: Word
    judgment: Word
    is_clean: bool


class StoreCheck(Made):
    """Every record of a store, verified."""

    format: Literal["croupier-store-check/1"]
    records: list[JudgedRecord]
    wrong: Annotated[list[Word], "What the records together, or signatures, contradict."]
    uncounted: Annotated[list[Word], "Signatures that do not count; records that none has signed."]
    heads: Annotated[list[Word], "How far each file of heads reaches."]
    is_clean: bool


# --- check -------------------------------------------------------------------------------------


class ErrorToCorrect(TypedDict):
    """Something that is wrong with a submission."""

    where: str
    line: Positive | None
    column: Positive | None
    message: Word
    clauses: ClauseIds


class WagerOffered(TypedDict):
    """A wager on the layout."""

    wager: Word
    title: Word
    pays: Annotated[Mapping[str, str | None], "By line: odds or an award; null for a push."]
    min_cents: Count | None
    max_cents: Count | None
    unit_cents: Positive
    cites: ClauseIds


class VigorishElected(TypedDict):
    """What vigorish is charged."""

    scheme: Word
    win_rate: str | None
    tie_rate: str | None
    waived_by_total_cards: bool
    rounding_unit_cents: Count | None
    deferred: bool
    says: Annotated[Word, "The same as a sentence."]


class ChecklistItem(TypedDict):
    """A physical or filing condition, with room for whoever signs for it."""

    clause: Word
    cited: Annotated[Word, "The clause, with its standing if it is not simply the text."]
    citation: Word
    says: Word
    reason: Word | None
    documents: Annotated[list[Word], "The documents on file for it, in words."]
    signed_by: str | None
    signed_at: str | None


class ReadingTaken(TypedDict):
    """A reading that the rules rest on."""

    id: Word
    title: Word
    reading: Word
    alternatives: Annotated[list[Word], "The readings to choose from, if any."]
    says: Word
    standing: Annotated[
        str, Keywords(enum=["text", "reading", "silent", "substitute", "unverified"])
    ]
    fills_in: Annotated[list[Word], "The rules that the text does not state and this stands for."]


class CheckedSubmission(OfRules):
    """A submission that is accepted."""

    file: str
    accepted: Literal[True]
    departures: Annotated[str, "The regulation, and the elections that differ from the defaults."]
    pit: str
    table: str
    elected: Annotated[Texts, "Every election, as a submission writes it."]
    wagers: list[WagerOffered]
    vigorish: VigorishElected | None
    interpretations: list[ReadingTaken]
    checklist: Annotated[list[ChecklistItem], "What people see to before the table opens."]


class RefusedSubmission(TypedDict):
    """A submission that is refused, or a file that cannot be read as one."""

    file: str
    accepted: Literal[False]
    errors: list[ErrorToCorrect]
    unreadable: list[str]


class TablesTogether(TypedDict):
    """Tables that are checked together, as a pit of that name."""

    name: str | None
    tables: Count
    accepted: bool
    errors: list[ErrorToCorrect]


class Facility(TablesTogether):
    """All tables of one licensee, and its pits."""

    pits: list[TablesTogether]


class SubmissionCheck(Made):
    """Submissions, checked against the law that each names."""

    format: Literal["croupier-check/1"]
    submissions: list[CheckedSubmission | RefusedSubmission]
    pit: TablesTogether | None
    facility: Facility | None


# --- a table log -------------------------------------------------------------------------------


class FindingOfLog(TypedDict):
    """Something that may be recorded, and is reported: a secret that was lost or withheld."""

    round: Count
    kind: Word
    message: Word
    fails: Annotated[bool, "Whether it is held against whoever kept the record."]


class DivergenceOfLog(TypedDict):
    """The first place where a log departs from what the rules make of its commands."""

    line: Positive
    round: Count | None
    kind: Word
    clauses: ClauseIds
    message: Word
    expected: object
    found: object


class DifferenceOfLog(DivergenceOfLog):
    """A place where today's rules differ from those of the edition that a log was recorded under.

    The corrections of the regulation that explain it are named by the first rule of each.
    """

    corrections: Annotated[list[Word], Keywords(minItems=1)]


class LogHead(TypedDict):
    """Where a log ends: its last entry, and the hash that names all before it."""

    entry: Count
    sha256: Hash


class ContinuedLog(TypedDict):
    """The log that a log continues, and whether what it carries over was compared with it."""

    stream: Word
    entry: Positive
    compared: bool


class DealtTable(Provenance):
    """What a log comes to."""

    entries: Count
    events: Count
    rounds: Count
    results: Counts
    table_win_cents: Cents
    ledger_in_balance: bool
    clean: bool
    open: Annotated[
        bool, "Whether the log is open: it has no last line, so the table may continue."
    ]
    torn_line: Annotated[int | None, "The number of a truncated last line."]
    head: LogHead
    head_given: Annotated[bool, "Whether heads were given, and all are in the log."]
    edition: Count
    law_vouched_by: Annotated[
        Hash | None, "Id of the key that signed the pack of --laws with the law file."
    ]
    citations_corrected: bool
    judged: Annotated[
        bool, "Whether the edition is known with its law file: others cannot be judged."
    ]
    other_edition: bool
    differences: Annotated[
        list[DifferenceOfLog], "Every place where corrections made after this edition decide."
    ]
    unrecorded: list[Word]
    continues: Annotated[ContinuedLog | None, "The log that it continues."]
    findings: Annotated[list[FindingOfLog], "Lawful entries that are reported."]
    divergence: DivergenceOfLog | None


class SignedExtent(LogHead):
    """The last entry vouched for by a signature that counts."""

    closed: Annotated[bool, "Whether the last line is signed too."]
    key: Annotated[Word, "The label of the key, or its file."]
    key_id: Annotated[Hash, "SHA-256 of the public key."]
    at: Annotated[Word, "The time of signing, by the clock of the signer."]
    unsigned: Annotated[Count, "Number of entries after it."]


class LogVerification(DealtTable):
    """A table log, played again from its commands."""

    format: Literal["croupier-log-verification/1"]
    signed_through: Annotated[
        SignedExtent | None, "Present if keys are given and every signed head is in the log."
    ]


class NamedLogVerification(LogVerification):
    """The verification of one of several logs."""

    log: Annotated[str, "Its path as given."]


class VerifiedLogs(Made):
    """Several table logs, each played again from its commands."""

    format: Literal["croupier-verified-logs/1"]
    clean: Annotated[bool, "Whether every log is."]
    logs: list[NamedLogVerification]


class ShoeHead(LogHead):
    """Where the log stood when a shoe was over."""

    shoe: Positive


class DealSummary(DealtTable):
    """Shoes that were dealt, and the verification of their log."""

    format: Literal["croupier-deal/1"]
    shuffle: Word
    shoes: Count
    drop_cents: Cents
    vigorish_collected_cents: Cents
    vigorish_documented_cents: Cents
    vigorish_outstanding_cents: Cents
    log: str | None
    heads: list[ShoeHead]


class RunSummary(Provenance):
    """What commands from a file made of a table."""

    format: Literal["croupier-run/1"]
    rounds: Count
    phase: Word
    table_win_cents: Cents
    ledger_in_balance: bool
    balances: Annotated[Mapping[str, Cents], "By account of the ledger."]
    head: Annotated[Hash, "The hash of its last line."]
    log: str


# --- an explained round ------------------------------------------------------------------------


class ToldLine(TypedDict):
    """A line of narration."""

    kind: Annotated[str, Keywords(enum=["act", "spoken", "card", "ruling", "money"])]
    text: Word
    details: list[str]
    clauses: ClauseIds
    standings: Annotated[Texts, "The standing of each clause that is not simply the text."]


class AccountsOfShoe(TypedDict):
    """What a table won in one shoe."""

    shoe: Positive
    rounds: Count
    win_cents: Cents


class AccountsOfPeriod(TypedDict):
    """The win of a shift or gaming day, and the amounts that it follows from."""

    rounds: Count
    opened_cents: Count
    tray_cents: Annotated[Count, "What the tray holds at the end: counted, or by the record."]
    is_counted: Annotated[bool, "Whether the tray was counted at the end."]
    tray_short_cents: Annotated[Cents, "What the counts of shifts and the closing found missing."]
    fills_cents: Count
    credits_cents: Count
    in_transit_cents: Cents
    drop_cents: Count
    drop_short_cents: Annotated[Cents, "What the counts of drop boxes found missing."]
    forms_cents: Annotated[Count, "Vigorish documented on Forms, a part of the win."]
    hand_pays_cents: Annotated[Count, "Awards paid by hand or due so, a loss of the table."]
    win_cents: Cents
    reconciles: Annotated[bool, "Whether the win is what the other amounts come to."]


class AccountsOfShift(AccountsOfPeriod):
    """One shift of a table."""

    shift: Annotated[Word, "opening, or the name of a later shift."]


class AccountsOfDay(AccountsOfPeriod):
    """One gaming day of a table."""

    gaming_date: str
    is_closed: bool
    vigorish_cents: Annotated[Count, "Vigorish collected in chips, a part of the win."]
    corrected_cents: Annotated[Cents, "What corrected settlements paid patrons, a part of the win."]
    unpaid_cents: Annotated[Cents, "Of that, what is kept for patrons who have left."]
    paid_later_cents: Annotated[Count, "What was kept and is paid to patrons who came back."]
    uncollected_cents: Annotated[Cents, "What patrons owe and is not collected; not in the win."]
    meters_opened_cents: Annotated[Count, "What the progressive meters showed at the opening."]
    seed_funding_cents: Annotated[Count, "What the house put into meters that began again."]
    contributions_cents: Annotated[Count, "What stakes brought to the meters."]
    awarded_cents: Annotated[Count, "What the meters paid out, from the tray or by hand."]
    linked_cents: Annotated[Cents, "What other tables of a link put into them, less their awards."]
    meters_cents: Annotated[Count, "What the meters show at the end, with what is in reserve."]
    meters_off_cents: Annotated[Cents, "What accounting read beyond the accounts of the meters."]
    hold: Annotated[Exact | None, "Win as a share of the drop; null where nothing was dropped."]
    shifts: Annotated[list[AccountsOfShift], "At least one; their wins come to that of the day."]
    shoes: list[AccountsOfShoe]


class AccountsOfLog(Provenance):
    """The accounts of a table log."""

    format: Literal["croupier-ledger/1"]
    record: ChainOfLog
    days: list[AccountsOfDay]
    balances: Annotated[Mapping[str, Cents], "Every account at the end of the log."]
    win_cents: Cents


class DrawsOfLog(Provenance):
    """The must-hit draws of a table log, each derived again."""

    format: Literal["croupier-draws/1"]
    record: ChainOfLog
    draws: list[DrawnMystery]
    is_fair: bool


class LoggedRoundExplained(Provenance, PlaceOfRound):
    """A round of a table log in words."""

    format: Literal["croupier-round/1"]
    record: ChainOfLog
    round: Positive
    narration: list[ToldLine]
    wagers: list[ToldLine]
    later: Annotated[list[StepOfRound], "Disputes and corrections after the round was over."]
    seats: list[SeatNet]


class SeatNet(TypedDict):
    """The net result of a seat, after vigorish and corrections."""

    seat: Positive
    net_cents: Cents


class RoundExplained(Provenance):
    """A round of an external record in words."""

    format: Literal["croupier-external-round/1"]
    line: Positive
    shoe: int | str | None
    round: int | str | None
    divergences: list[RoundDivergence]
    narration: list[ToldLine]
    wagers: list[ToldLine]


class ProposedMapping(Made):
    """A mapping proposed for a record, and its first rounds as the mapping reads them."""

    format: Literal["croupier-proposed-mapping/1"]
    mapping: Annotated[Mapping[str, object], "The tables of the mapping file."]
    reasons: Annotated[Mapping[str, str], "Why a setting was chosen, by its dotted name."]
    unread: list[str]
    rounds: Annotated[list[Mapping[str, object]], "Rounds, or the error of a line."]
    errors: Annotated[list[str], "Why the record cannot be read by this mapping, if so."]


# --- blackjack ---------------------------------------------------------------------------------


class BlackjackHand(TypedDict):
    """A hand: how it ended, and its cards, null for results from outside."""

    result: Word
    cards: list[Word] | None


class BlackjackSeat(TypedDict):
    """The hands of a seat."""

    seat: Positive
    hands: list[BlackjackHand]


class BlackjackRound(TypedDict):
    """A round, and what it did to the wagers."""

    round: Positive
    dealer: Annotated[list[Word] | None, "The dealer's cards; null for external results."]
    dealer_natural: bool
    seats: list[BlackjackSeat]
    events: list[Annotated[dict[str, Any], Keywords(required=["type", "clauses"])]]


class BlackjackTotals(TypedDict):
    """What became of the wagers of one kind."""

    wager: Word
    placed: Count
    placed_cents: Count
    won: Count
    paid_cents: Count
    lost: Count
    lost_cents: Count
    in_play: Count


class BlackjackRounds(Provenance):
    """Rounds of blackjack, and what the two wagers make of them."""

    format: Literal["croupier-blackjack/1"]
    source: Word
    rounds: Count
    played: list[BlackjackRound]
    totals: list[BlackjackTotals]
    in_play_cents: Cents
    table_win_cents: Cents
    ledger_in_balance: bool


class BlackjackEstimate(TypedDict):
    """A figure with its error; z is how many errors it is from zero."""

    value: Number
    standard_error: Number
    interval_99: Interval
    z: Number | None


class NaturalsCounted(TypedDict):
    """The rounds that have a natural."""

    number: Count
    share: BlackjackEstimate
    above_first_round: BlackjackEstimate


class PlainGame(TypedDict):
    """The game without side wagers, of one unit staked at first in each round."""

    rules: Word
    rounds_by_net: Annotated[Counts, "Rounds by net result in units; a doubled hand has two."]
    expected_value: BlackjackEstimate
    standard_deviation: Deviation


class SimulatedBlackjackWager(TypedDict):
    """A wager, simulated, and what the PAR sheet has."""

    id: Word
    title: Word
    placed: Count
    won: Count
    lines: Counts
    house_edge: BlackjackEstimate
    par_house_edge: Exact
    above_par: BlackjackEstimate
    cites: ClauseIds


class RunOfWins(TypedDict):
    """How often a round is won after a number of wins in a row."""

    won_before: Count
    rounds: Count
    won: BlackjackEstimate
    above_all: BlackjackEstimate


class BlackjackSimulation(Provenance):
    """A great many rounds of the reference game."""

    format: Literal["croupier-blackjack-simulation/1"]
    source: Word
    seed: Seed
    ended: Annotated[str, Keywords(enum=["rounds", "interrupted"])]
    rounds: Count
    shoes: Count
    results: Counts
    naturals: NaturalsCounted
    game: PlainGame
    wagers: list[SimulatedBlackjackWager]
    won: BlackjackEstimate
    runs: list[RunOfWins]


class DivergenceOfPit(TypedDict):
    """The first place where the record of a pit is not what follows from its commands."""

    line: Positive
    kind: Word
    clauses: list[str]
    message: Word


class PitLogVerification(Made):
    """The log of a pit, decided again, and the logs of its tables against it."""

    format: Literal["croupier-pit-log-verification/1"]
    pit: Word
    entries: Count
    events: Count
    clean: bool
    open: bool
    torn_line: Positive | None
    head: LogHead
    tables: list[str]
    meters: Annotated[dict[str, dict[str, Cents]], "What linked meters come to, by link."]
    findings: list[FindingInPit]
    divergence: DivergenceOfPit | None
