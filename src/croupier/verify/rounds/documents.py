"""Documents about external rounds, and schemas: verification, audit, and round record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Required, TypedDict

from croupier.records.json_schema import DIALECT, Schema, schema_of
from croupier.records.roads import RoadsShown
from croupier.records.rounds.mapping import (
    AMOUNTS,
    COLUMNS,
    ENTRY_KEYS,
    FORMATS,
    MANY_COLUMNS,
    MOST_ABOVE,
    ROW_WAGER,
    TABLES,
    VALUES,
)
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

KINDS: Final[Mapping[str, str]] = {
    "third_card": "a third card drawn, or not drawn, contrary to the third-card rules",
    "cards": "a hand with too few or too many cards",
    "totals": "a Point Count that does not match the cards",
    "winner": "a winner that does not match the Point Counts",
    "settlement": "a wager lost, returned, or paid incorrectly",
    "vigorish": "vigorish charged, omitted, or rounded incorrectly",
    "offer": "a wager that the table does not offer",
    "limit": "a stake outside the limits, or not a multiple of the wager's unit",
    "composition": "cards that the shoe cannot contain",
    "procedure": "a violation of procedure: order, burn, last hand, irregularities",
    "format": "a line that cannot be read as a round",
}
"""Every kind of divergence with its description."""

Name = int | str | None
Kind = Annotated[str, Keywords(enum=list(KINDS))]
HandName = Literal["player", "banker"]


class File(TypedDict):
    """A file that a document is based on."""

    name: str
    bytes: Count
    sha256: Hash


class Place(TypedDict):
    """The position of an entry in a record."""

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
    """The observed result of a wager per unit, next to its expected value."""

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
    """Number and amounts of some differences."""

    wagers: Count
    owed_cents: Annotated[Count, "Amount owed to patrons (underpaid)."]
    overpaid_cents: Annotated[Count, "Amount overpaid to patrons."]
    net_cents: Annotated[Cents, "Net amount owed to patrons."]


class TallyOfWager(DifferenceTally):
    """The differences of one wager."""

    wager: Word


class TallyOfClause(DifferenceTally):
    """The differences under one clause."""

    clause: Word | None


class TallyPart(DifferenceTally):
    """The differences of one wager under one clause."""

    wager: Word
    clause: Word | None


class TallyOfSeat(DifferenceTally):
    """The differences at one seat."""

    seat: int | None
    parts: list[TallyPart]


class Account(TypedDict):
    """Totals of all differences."""

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
    """The differences one by one, and their totals."""

    listed: list[WagerDifference]
    left_out: Count


# --- the verification --------------------------------------------------------------------------


MoneyRead = Annotated[
    Literal["read", "in part", "stakes", "unread", "left out", "none"],
    "What was read of the columns of amounts: left out if a mapping says that they are unchecked, "
    "stakes if no result of a wager is recorded. "
    "A record whose amounts are unread is not clean.",
]


class Columns(TypedDict):
    """The columns of a record by name; for JSON Lines, its keys."""

    read: list[str]
    unread: Annotated[list[str], "Columns that were ignored."]
    money: MoneyRead


class SettingThatExplains(TypedDict):
    """A setting of a mapping under which nearly all divergences disappear."""

    setting: Word
    says: Word
    explains: Annotated[Count, "Divergences that disappear; the others are reported."]


class Judged(TypedDict):
    """The result of verifying rounds."""

    rounds: Count
    shoes: Count
    columns: Columns
    clean: bool
    divergences: Annotated[list[RoundDivergence], "In the order found."]
    divergences_left_out: Count
    by_kind: Annotated[Mapping[Kind, Count], "Number of each kind."]
    unverified: Annotated[Counts, "Number of checks that could not be made, by reason."]
    hints: list[Word]
    assumptions: Annotated[list[Word], "How the record was read, if no mapping was given."]
    explained_by: Annotated[SettingThatExplains | None, "One setting behind nearly all of them."]
    census: Census | None


class Repair(TypedDict):
    """The changes made by a repair, and the divergences left."""

    rounds: Count
    wagers: Count
    left: Annotated[Counts, "Number of items left uncorrected, by reason."]


class RepairedFile(Repair):
    """A repair and its output file."""

    file: str


class VerificationReport(Provenance, Judged):
    """The result of verifying external rounds."""

    format: Literal["croupier-verification/1"]
    repair: Annotated[RepairedFile | None, "null unless a repair was requested."]
    differences: Annotated[Account | None, "null unless differences or a repair were requested."]


class VerifiedFile(Judged):
    """One of several files."""

    file: Word


class VerifiedFiles(Provenance):
    """The result of verifying several files of external rounds, each by itself."""

    format: Literal["croupier-verified-files/1"]
    clean: bool
    rounds: Count
    shoes: Count
    files: list[VerifiedFile]


# --- the audit ---------------------------------------------------------------------------------


class CountedKind(TypedDict):
    """The number of divergences of one kind."""

    kind: Word
    means: Word
    divergences: Count


class FirstFound(Place):
    """The first finding."""

    message: Word


class CitedClause(TypedDict):
    """The findings under one clause."""

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
    """The shoes shown with their roads."""

    shown: list[BoardShoe]
    left_out: ShoesLeftOut


class TestedWager(TypedDict):
    """A wager in the record."""

    wager: Word
    title: Word


class Audit(Provenance):
    """The findings of verifying a record of rounds; amounts are in cents."""

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
    """A wager of a round; amounts are dollars unless the mapping or their key says cents."""

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
    """One external round: one object on each line."""

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


def round_record() -> Schema:
    amount = {"type": ["number", "string", "null"]}
    hands = [{"required": ["player", "banker"]}, {"required": ["cards"]}, {"required": ["marks"]}]
    patterns = {f"^({'|'.join(AMOUNTS)}):": amount, "^meter[.:]": amount}
    line = Annotated[RoundRecord, Keywords(patternProperties=patterns, anyOf=hands)]
    return schema_of(line, "Round record")


def round_mapping() -> Schema:
    text = {"type": "string", "minLength": 1}
    texts = {"anyOf": [text, {"type": "array", "items": text, "minItems": 1}]}
    parts: dict[str, Any] = {
        table: _optional(
            {key: {"enum": list(values)} if values else text for key, values in keys.items()}
        )
        for table, keys in TABLES.items()
    }
    parts["file"]["properties"]["format"] = {"enum": list(FORMATS)}
    parts["file"]["properties"]["header"] = {"type": "integer", "minimum": 1, "maximum": MOST_ABOVE}
    parts["file"]["properties"]["skip"] = {"type": "array", "items": text}
    parts["columns"] = _optional(
        {name: texts if name in MANY_COLUMNS else text for name in (*COLUMNS, *ROW_WAGER)}
    )
    amounts = _optional(dict.fromkeys(AMOUNTS, text)) | {"required": ["stake"]}
    number = {"type": "number", "exclusiveMinimum": 0, "description": "The same in every round."}
    amounts["properties"]["stake"] = {"anyOf": [text, number]}
    parts["wagers"] = {"type": "object", "additionalProperties": amounts}
    parts["entries"] = _optional(dict.fromkeys(ENTRY_KEYS, text))
    parts["meters"] = {"type": "object", "additionalProperties": text}
    parts["values"] = _optional(
        {
            # A custom wager may have any name.
            name: {
                "type": "object",
                "additionalProperties": text if name == "wager" else {"enum": list(names)},
            }
            for name, names in VALUES.items()
        }
    )
    return {
        "$schema": DIALECT,
        "title": "Mapping of rounds",
        "description": "The columns and values of external rounds.",
        **_optional(parts),
    }


def _optional(properties: Mapping[str, object]) -> Schema:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}
