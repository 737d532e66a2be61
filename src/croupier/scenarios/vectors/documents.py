"""The documents of a set of vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, get_type_hints

from croupier.baccarat.coup import WINNERS, Hand
from croupier.baccarat.wagers import WAGERS
from croupier.records.documents import table_log
from croupier.records.json_schema import Schema, schema_of
from croupier.rules.documents import (
    ByProgram,
    Cents,
    Count,
    Counts,
    Hash,
    Keywords,
    Positive,
    Provenance,
    Texts,
    Word,
)
from croupier.table import TableState
from croupier.table.machine.core import SLICES

OMITTED: Final = frozenset({"tableau", "course", "slices"})
"""State fields omitted because they are constant rules, or slices listed under their own names."""

_STATE: Final = [
    *(name for name in TableState.__struct_fields__ if name not in OMITTED),
    *(kept.name for kept in SLICES.values()),
]
_LOG: Final = "table-log.schema.json#/$defs/EntryLine/properties"
"""Commands and events are those of a table log, whose schema is included."""

_CARD: Final = "[A2-9TJQK][shdc]"

Clauses = list[Word]
Point = Annotated[int, Keywords(minimum=0, maximum=9)]
CardsDealt = Annotated[str, Keywords(pattern=f"^{_CARD}( {_CARD})*$")]
Side = Annotated[str, Keywords(enum=[hand.value for hand in Hand])]
WinnerName = Annotated[str, Keywords(enum=list(WINNERS))]
WagerId = Annotated[str, Keywords(enum=list(WAGERS))]
OutcomeName = Literal["win", "lose", "push"]
Stakes = Mapping[WagerId, Cents]
Meters = Annotated[Counts, "What each progressive meter shows, in cents."]
ThirdValue = Annotated[Point | None, "Value of Player's third card; null without one."]
CommandData = Annotated[Any, Keywords({"$ref": f"{_LOG}/command"})]
EventsData = Annotated[Any, Keywords({"$ref": f"{_LOG}/events"})]
StateChange = Annotated[dict[str, Any], Keywords(propertyNames={"enum": _STATE})]
State = Annotated[StateChange, Keywords(required=_STATE)]


# --- the manifest and the rules ----------------------------------------------------------------


class VectorsFile(TypedDict):
    """A file of the set."""

    name: Annotated[Word, "Where it stands, from the manifest's folder on."]
    schema: Annotated[str | None, "Its format; null for a schema."]
    bytes: Count
    sha256: Hash
    counts: Annotated[Counts, "How many rows each of its lists has."]


class SubmissionFile(TypedDict):
    """The submission file of the rules."""

    file: Word
    sha256: Annotated[Hash, "Of the file's bytes."]


class Manifest(Provenance):
    """The source of a set of conformance vectors, and its files."""

    format: Literal["croupier-vectors/2"]
    submission: Annotated[SubmissionFile | None, "Null for the default elections of a regulation."]
    gaps: Annotated[list[Word], "What the rules have room for and no vector reaches."]
    files: list[VectorsFile]


class CanonicalRules(TypedDict):
    """The rules in canonical form."""

    law: Word
    in_force_from: Word
    rules: Annotated[Mapping[str, object], "The value of each rule, by its id."]
    readings: Texts
    procedures: object
    layout: object
    limits: object


class Draws(TypedDict):
    """Whether a hand draws a third card."""

    hand: Side
    point_count: Annotated[Point | None, "Of the hand's two cards; null beside a natural."]
    third: ThirdValue
    draws: bool


class RulesVectors(TypedDict):
    """The rules of the table."""

    rules_hash: Hash
    canonical: Annotated[
        CanonicalRules,
        "The rules in one way of writing: rules_hash is the SHA-256 of this object as UTF-8 JSON"
        " with sorted keys, without blanks, and with all but ASCII escaped.",
    ]
    tableau: Annotated[list[Draws], "The drawing table, where neither hand has a natural."]


# --- the deal ----------------------------------------------------------------------------------


class HandByValue(TypedDict):
    """Two cards of a hand by value."""

    values: list[Point]
    point_count: Point
    natural: bool


class DrawingCell(Draws):
    """A ruling on a third card."""

    by: Literal["natural", "table"]
    clauses: Clauses


class AnnouncedResult(TypedDict):
    """The clauses of an announcement."""

    clauses: Clauses


class VectorRound(TypedDict):
    """A round as dealt."""

    cards: Annotated[CardsDealt, "In the order in which they left the shoe."]
    player: CardsDealt
    banker: CardsDealt
    player_count: Point
    banker_count: Point
    winner: WinnerName
    player_cell: Annotated[Count, "Which of cells ruled on Player's third card."]
    banker_cell: Annotated[Count, "Which of cells ruled on Banker's."]
    result: Annotated[Count, "Which of results has the clauses of the announcement."]


class Deals(TypedDict):
    """Every start of two hands by value, with its continuations."""

    hands: Annotated[list[HandByValue], "Every two cards of a hand by value."]
    cells: Annotated[list[DrawingCell], "Every ruling on a third card."]
    results: list[AnnouncedResult]
    rounds: list[VectorRound]


# --- money -------------------------------------------------------------------------------------


class OddsPaid(TypedDict):
    """Odds: the payment for a stake."""

    pays: Positive
    stake: Positive


class PaysOdds(TypedDict):
    """A line paid in proportion to the stake."""

    odds: OddsPaid


class PaysAward(TypedDict):
    """A line that pays an amount, or a meter."""

    cents: Count | None
    meter: Word | None
    keeps_stake: Annotated[bool, "Whether the house keeps the stake."]


Pays = PaysOdds | PaysAward | None


class GroundOfWager(TypedDict):
    """A way in which a wager can be decided."""

    line: Word
    outcome: OutcomeName
    pays: Pays
    clauses: Clauses


class OfferedWager(TypedDict):
    """A wager on the layout."""

    title: Word
    min_cents: Count | None
    max_cents: Count | None
    unit_cents: Annotated[Count, "What every stake must be a multiple of."]
    unit_clauses: Clauses
    chairs: Annotated[Texts, "A combination of the bettor's own, by seat."]
    grounds: Annotated[Mapping[str, GroundOfWager], "Every way in which it can be decided."]


class Rate(TypedDict):
    """A fraction of a whole."""

    numerator: Positive
    denominator: Positive


class VigorishTerms(TypedDict):
    """The terms of vigorish."""

    scheme: Word
    win_rate: Rate | None
    tie_rate: Rate | None
    waived_by_total_cards: bool
    rounding_unit_cents: Count | None
    deferred: bool
    clauses: Clauses
    rounding_clauses: Clauses
    waiver_clauses: Clauses


class PaymentRounding(TypedDict):
    """The multiple of cents to which each payment less its vigorish is rounded."""

    unit_cents: Positive
    direction: Word
    clauses: Clauses


class FactsOfRound(TypedDict):
    """The facts of a round that decide wagers."""

    player_count: Point
    banker_count: Point
    player_cards: Count
    banker_cards: Count
    player_pair: bool
    banker_pair: bool
    player_royal: str
    banker_royal: str
    winner: WinnerName


class Amounts(TypedDict):
    """The disposition of a stake."""

    returned_cents: Annotated[Count, "Chips of the stake that go back to the patron."]
    won_cents: Annotated[Count, "What is paid beside it."]
    vigorish_cents: Annotated[Count, "What is owed on it, at once or marked for later."]
    net_cents: Annotated[Cents, "Returned plus won less stake and vigorish."]


class SettledStake(Amounts):
    """A settled stake."""

    seat: Count
    stake_cents: Count
    ground: Word
    outcome: OutcomeName


class SettledClass(TypedDict):
    """A class of facts, with the settlement of every wager."""

    cards: CardsDealt
    facts: FactsOfRound
    settled: Mapping[str, list[SettledStake]]


class Settlement(TypedDict):
    """Every wager, settled for every class of facts; each stake alone on the layout."""

    wagers: Mapping[str, OfferedWager]
    vigorish: VigorishTerms
    payments: PaymentRounding | None
    meters: Meters
    classes: list[SettledClass]


class Refused(TypedDict):
    """The refusal of a command."""

    code: Word
    clauses: Clauses
    message: Word


class TriedStake(TypedDict):
    """A stake tried at the table."""

    wager: WagerId
    beside: Annotated[Stakes, "What else the patron has wagered."]
    chips_cents: Cents
    coupon_cents: Annotated[Cents, "Of a match play coupon beside the chips."]
    taken: Annotated[bool, "Whether the table takes it."]
    refused: NotRequired[Refused]
    settled: NotRequired[Annotated[Mapping[str, Amounts], "By ground, if the table takes it."]]


class Waiver(Amounts):
    """A patron's wagers, some of which may waive the vigorish of one."""

    stakes: Stakes
    ground: Annotated[Word, "How Banker was decided."]
    waived: bool
    clauses: Clauses


class RoundingVectors(TypedDict):
    """Stakes accepted or refused, with exact winnings and vigorish."""

    meters: Meters
    stakes: list[TriedStake]
    waivers: list[Waiver]


# --- procedure ---------------------------------------------------------------------------------


class Step(TypedDict):
    """A command and its outcome."""

    command: CommandData
    events: NotRequired[EventsData]
    refused: NotRequired[Refused]


class StartOfVectors(TypedDict):
    """A table at a point of the procedure."""

    name: Word
    title: Annotated[str, "Where the table is, in words."]
    after: Annotated[Word | None, "The start it goes on from; null: a new table."]
    given: Annotated[bool, "Whether part of the state is set by hand."]
    steps: list[Step]
    state: State


class PlayedScenario(TypedDict):
    """A sequence of steps from a start."""

    name: Word
    start: Word
    steps: list[Step]
    changed: Annotated[StateChange, "What differs from the state at the start."]


class PlayedAct(TypedDict):
    """A command accepted at a start."""

    start: Word
    command: CommandData
    events: EventsData


class EventNotSeen(TypedDict):
    """An event that does not occur here."""

    event: Word
    why: Word | None


class Procedures(TypedDict):
    """Complete rounds, irregularities with their procedures, and every single act."""

    starts: list[StartOfVectors]
    scenarios: list[PlayedScenario]
    acts: list[PlayedAct]
    not_seen: Annotated[list[EventNotSeen], "Events that do not come about here, and why."]


class RefusedCommand(TypedDict):
    """A command that is refused at a start."""

    start: Word
    command: CommandData
    refused: Refused
    place: Annotated[Word, "The place in the code that refuses it."]


class PlaceNotReached(TypedDict):
    """A place in the code that no refusal reached."""

    place: Word
    why: Word | None


class Refusals(TypedDict):
    """Commands refused at a start, with codes and clauses."""

    asked: Annotated[Count, "How many commands were tried at all starts together."]
    places: Annotated[list[Word], "Places in the code that refuse and were reached."]
    not_reached: Annotated[list[PlaceNotReached], "Those that were not, and why."]
    refusals: list[RefusedCommand]


# --- the files ---------------------------------------------------------------------------------

_VERSION: Final = 2

FORMAT: Final = f"croupier-vectors/{_VERSION}"


class Topics(TypedDict):
    rules: RulesVectors
    deals: Deals
    settlement: Settlement
    rounding: RoundingVectors
    procedures: Procedures
    refusals: Refusals


_TOPICS: Final[Mapping[str, type]] = get_type_hints(Topics)

FILES: Final[Mapping[str, str]] = {
    topic: f"croupier-vectors-{topic}/{_VERSION}" for topic in _TOPICS
}
"""The format of each topic's file, and the name of its schema."""


def _file(topic: str) -> Schema:
    schema, head = schema_of(_TOPICS[topic], FILES[topic]), schema_of(ByProgram, topic)
    return schema | {
        "properties": {
            "format": {"const": FILES[topic]},
            **head["properties"],
            **schema["properties"],
        },
        "required": ["format", *head["required"], *schema["required"]],
    }


SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "vectors-manifest": partial(schema_of, Manifest),
    **{f"vectors-{topic}": partial(_file, topic) for topic in _TOPICS},
    "table-log": table_log,
}
"""Schemas of a set of vectors and of the table log, by name."""
