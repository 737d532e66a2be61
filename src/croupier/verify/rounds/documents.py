"""What documents about rounds of others hold: a verification, an audit, and a round of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Required, TypedDict

from croupier.records.roads.documents import RoadsShown
from croupier.records.rounds.mapping import COLUMNS
from croupier.rules.documents import (
    Cents,
    Count,
    Counts,
    Hash,
    Keywords,
    Number,
    Provenance,
    Texts,
    Word,
)
from croupier.verify.rounds.findings import KINDS

Name = int | str | None
Kind = Annotated[str, Keywords(enum=list(KINDS))]
HandName = Literal["player", "banker"]


class File(TypedDict):
    """A file that a document rests on."""

    name: str
    bytes: Count
    sha256: Hash


class Place(TypedDict):
    """Where in a record something stands."""

    line: Count
    shoe: Name
    round: Name


class RoundDivergence(Place):
    """One place where a record does not conform to the rules."""

    kind: Word
    hand: str | None
    seat: int | None
    wager: str | None
    clause: Word | None
    clauses: list[Word]
    expected: Annotated[object, "The expected value: any data, amounts in cents."]
    found: Annotated[object, "The recorded value."]
    message: Word
    follows: Annotated[list[Word], "Kinds of consequential divergences."]


# --- the census --------------------------------------------------------------------------------

CensusClass = TypedDict("CensusClass", {"class": Word, "expected": Number, "found": Count})


class AdjustedTest(TypedDict):
    """A test with its p-value, and that value adjusted for the number of tests (Holm)."""

    p: Number | None
    adjusted_p: Number | None


class ChiSquare(AdjustedTest):
    """Pearson's statistic of the classes."""

    statistic: Number
    degrees_of_freedom: Count


class CensusRuns(AdjustedTest):
    """Runs of Player and Banker results within shoes, ties excluded (Wald and Wolfowitz)."""

    runs: Count
    expected: Number
    z: Number


class CensusWager(AdjustedTest):
    """What a unit on a wager brought, beside what it brings by law."""

    wager: Word
    expected: Number
    found: Number
    low: Annotated[Number | None, "Lower end of the 95% interval of what it brought."]
    high: Number | None
    z: Number | None


class Census(TypedDict):
    """The rounds as a sample."""

    rounds: Count
    shoe_cards: Count
    classes: list[CensusClass]
    chi_square: ChiSquare | None
    runs: Annotated[CensusRuns | None, "null unless an audit made the test."]
    wagers: list[CensusWager]
    tests: Annotated[Count, "How many tests the p-values are adjusted for."]
    warning: Word


# --- who is owed what --------------------------------------------------------------------------


class DifferenceTally(TypedDict):
    """What some wagers differ by."""

    wagers: Count
    owed_cents: Annotated[Count, "Amount owed to patrons (underpaid)."]
    overpaid_cents: Annotated[Count, "Amount overpaid to patrons."]
    net_cents: Annotated[Cents, "Net amount owed to patrons."]


class TallyOfWager(DifferenceTally):
    """The same of one wager."""

    wager: Word


class TallyOfClause(DifferenceTally):
    """The same under one clause."""

    clause: Word | None


class TallyPart(DifferenceTally):
    """The same of one wager under one clause."""

    wager: Word
    clause: Word | None


class TallyOfSeat(DifferenceTally):
    """The same at one seat."""

    seat: int | None
    parts: list[TallyPart]


class Account(TypedDict):
    """What all differences come to."""

    total: DifferenceTally
    by_seat: list[TallyOfSeat]
    by_wager: list[TallyOfWager]
    by_clause: list[TallyOfClause]
    unsettled: Annotated[Counts, "Wagers with no settlement under the rules, by wager."]


class WagerDifference(Place):
    """One wager that was not settled as expected."""

    seat: int | None
    wager: Word
    expected_cents: Annotated[Cents, "The patron's expected net result, after vigorish."]
    recorded_cents: Annotated[Cents, "The patron's recorded net result."]
    owed_cents: Annotated[Cents, "Expected less recorded."]
    clauses: list[Word]


class Differences(Account):
    """The differences one by one, and what they come to."""

    listed: list[WagerDifference]
    left_out: Count


# --- the verification --------------------------------------------------------------------------


class Columns(TypedDict):
    """The columns of a record by their names; of JSON Lines, its keys."""

    read: list[str]
    unread: Annotated[list[str], "Columns that were ignored."]


class Judged(TypedDict):
    """What came of verifying rounds."""

    rounds: Count
    shoes: Count
    columns: Columns
    clean: bool
    divergences: Annotated[list[RoundDivergence], "In the order found."]
    divergences_left_out: Count
    by_kind: Annotated[Mapping[Kind, Count], "Number of each kind."]
    unverified: Annotated[Counts, "Number of checks that could not be made, by reason."]
    hints: list[Word]
    census: Census | None


class Repair(TypedDict):
    """What a repair changed, and what it could not."""

    rounds: Count
    wagers: Count
    left: Annotated[Counts, "Number of items left uncorrected, by reason."]


class RepairedFile(Repair):
    """A repair, and the file that it went to."""

    file: str


class VerificationReport(Provenance, Judged):
    """What came of verifying rounds that somebody dealt."""

    format: Literal["croupier-verification/1"]
    repair: Annotated[RepairedFile | None, "null unless a repair was requested."]
    differences: Annotated[Account | None, "null unless differences or a repair were requested."]


# --- the audit ---------------------------------------------------------------------------------


class CountedKind(TypedDict):
    """How many divergences there are of a kind."""

    kind: Word
    means: Word
    divergences: Count


class FirstFound(Place):
    """What was found first."""

    message: Word


class CitedClause(TypedDict):
    """What was found under one clause."""

    clause: Word | None
    says: Word | None
    divergences: Count
    kinds: Counts
    first: FirstFound


class BoardShoe(TypedDict):
    """One shoe with its roads."""

    shoe: Name
    rounds: Count
    rounds_shown: Count
    rounds_without_result: Count
    divergences: Count
    found: Annotated[list[Count], "The rounds with findings."]
    roads: RoadsShown


class ShoesLeftOut(TypedDict):
    """How many shoes are not shown."""

    diverging: Count
    clean: Count


class Board(TypedDict):
    """The roads of the shoes that are shown."""

    shown: list[BoardShoe]
    left_out: ShoesLeftOut


class TestedWager(TypedDict):
    """A wager that the record has."""

    wager: Word
    title: Word


class Audit(Provenance):
    """What verifying a record of rounds found: amounts in cents."""

    format: Literal["croupier-audit/2"]
    rounds_file: File
    submission_file: File | None
    mapping_file: File | None
    custom_wager_files: list[File]
    columns: Columns
    wagers: Annotated[list[TestedWager], "Wagers whose settlement was tested."]
    edition: Annotated[int, "The edition of the law file."]
    reading_texts: Annotated[Texts, "Every reading in words."]
    clean: bool
    rounds: Count
    shoes: Count
    divergences: Annotated[list[RoundDivergence], "In the order found."]
    divergences_left_out: Count
    by_kind: list[CountedKind]
    scope: Annotated[list[CountedKind], "Every kind that was looked for, found or not."]
    by_clause: list[CitedClause]
    unverified: Annotated[Counts, "Number of checks that could not be made, by reason."]
    hints: list[Word]
    census: Census | None
    differences: Differences
    board: Board


# --- rounds as they are read -------------------------------------------------------------------

Cards = str | list[str]
Total = Annotated[int, Keywords(minimum=0, maximum=99)] | str | None
Amount = float | str | None
Seat = Count | str | None


class RecordedMark(TypedDict, total=False):
    """An irregularity of a round."""

    kind: Required[str]
    card: str


class RecordedWager(TypedDict, total=False):
    """A wager of a round; amounts are dollars, unless the mapping says cents, or their key does."""

    seat: Seat
    wager: Required[str]
    stake: Amount
    net: Amount
    paid: Amount
    vigorish: Amount
    coupon: Amount
    added: Amount
    stake_cents: int | None
    net_cents: int | None
    paid_cents: int | None
    vigorish_cents: int | None
    coupon_cents: int | None
    added_cents: int | None


class RoundRecord(TypedDict, total=False):
    """One round that somebody dealt: one object on each line."""

    shoe: Annotated[int | str, COLUMNS["shoe"]]
    round: Annotated[int | str, COLUMNS["round"]]
    player: Annotated[Cards, COLUMNS["player"]]
    banker: Annotated[Cards, COLUMNS["banker"]]
    winner: Annotated[str | None, COLUMNS["winner"]]
    player_total: Annotated[Total, COLUMNS["player_total"]]
    banker_total: Annotated[Total, COLUMNS["banker_total"]]
    seat: Annotated[Seat, COLUMNS["seat"]]
    burned: Annotated[Cards, COLUMNS["burned"]]
    marks: Annotated[str | list[str | RecordedMark], COLUMNS["marks"]]
    cards: Annotated[Cards, COLUMNS["cards"]]
    wagers: Annotated[list[RecordedWager], COLUMNS["wagers"]]
