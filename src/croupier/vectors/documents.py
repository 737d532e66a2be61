"""What every file of a set of vectors holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from croupier.baccarat.coup import WINNERS
from croupier.baccarat.hand import Hand
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

UNTOLD: Final = frozenset({"tableau", "course", "slices"})
"""What a state holds of the law, which stands in the file of the rules and never changes; and the
slices of parts, each of which is told under its name."""

_STATE: Final = [
    *(name for name in TableState.__struct_fields__ if name not in UNTOLD),
    *(kept.name for kept in SLICES.values()),
]
_LOG: Final = "table-log.schema.json#/$defs/EntryLine/properties"
"""Commands and events are those of a table log; its schema stands beside these."""

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
    """The file that the rules came from."""

    file: Word
    sha256: Annotated[Hash, "Of the file's bytes."]


class Manifest(Provenance):
    """What a set of conformance vectors is made from, and its files."""

    format: Literal["croupier-vectors/2"]
    submission: Annotated[SubmissionFile | None, "Null for the default elections of a regulation."]
    gaps: Annotated[list[Word], "What the rules have room for and no vector reaches."]
    files: list[VectorsFile]


class CanonicalRules(TypedDict):
    """The rules in one way of writing."""

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
    """All that the table is bound by."""

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
    """A round as it was dealt."""

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
    """Every start of two hands by value, and all that may follow it."""

    hands: Annotated[list[HandByValue], "Every two cards of a hand by value."]
    cells: Annotated[list[DrawingCell], "Every ruling on a third card."]
    results: list[AnnouncedResult]
    rounds: list[VectorRound]


# --- money -------------------------------------------------------------------------------------


class OddsPaid(TypedDict):
    """How much is paid for how much staked."""

    pays: Positive
    stake: Positive


class PaysOdds(TypedDict):
    """A line that pays by the stake."""

    odds: OddsPaid


class PaysAward(TypedDict):
    """A line that pays an amount, or what a meter shows."""

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
    """A part of a whole."""

    numerator: Positive
    denominator: Positive


class VigorishTerms(TypedDict):
    """What vigorish is charged, and how."""

    scheme: Word
    win_rate: Rate | None
    tie_rate: Rate | None
    waived_by_total_cards: bool
    rounding_unit_cents: Count | None
    deferred: bool
    clauses: Clauses
    rounding_clauses: Clauses
    waiver_clauses: Clauses


class FactsOfRound(TypedDict):
    """What wagers ask of a round."""

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
    """What becomes of a stake."""

    returned_cents: Annotated[Count, "Chips of the stake that go back to the patron."]
    won_cents: Annotated[Count, "What is paid beside it."]
    vigorish_cents: Annotated[Count, "What is owed on it, at once or marked for later."]
    net_cents: Annotated[Cents, "Returned plus won less stake and vigorish."]


class SettledStake(Amounts):
    """A stake, settled."""

    seat: Count
    stake_cents: Count
    ground: Word
    outcome: OutcomeName


class SettledClass(TypedDict):
    """A class of facts, and what it makes of every wager."""

    cards: CardsDealt
    facts: FactsOfRound
    settled: Mapping[str, list[SettledStake]]


class Settlement(TypedDict):
    """Every wager, settled for every class of facts; each stake alone on the layout."""

    wagers: Mapping[str, OfferedWager]
    vigorish: VigorishTerms
    meters: Meters
    classes: list[SettledClass]


class Refused(TypedDict):
    """Why the table refuses a command."""

    code: Word
    clauses: Clauses
    message: Word


class TriedStake(TypedDict):
    """A stake that the table was asked to take."""

    wager: WagerId
    beside: Annotated[Stakes, "What else the patron has wagered."]
    chips_cents: Cents
    coupon_cents: Annotated[Cents, "Of a match play coupon beside the chips."]
    taken: Annotated[bool, "Whether the table takes it."]
    refused: NotRequired[Refused]
    settled: NotRequired[Annotated[Mapping[str, Amounts], "By ground, if the table takes it."]]


class Waiver(Amounts):
    """A patron's wagers, of which others may waive the vigorish of one."""

    stakes: Stakes
    ground: Annotated[Word, "How Banker was decided."]
    waived: bool
    clauses: Clauses


class RoundingVectors(TypedDict):
    """Which stakes are taken, and what they win and owe to the cent."""

    meters: Meters
    stakes: list[TriedStake]
    waivers: list[Waiver]


# --- procedure ---------------------------------------------------------------------------------


class Step(TypedDict):
    """A command, and what became of it."""

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
    """What happens from a start on."""

    name: Word
    start: Word
    steps: list[Step]
    changed: Annotated[StateChange, "What differs from the state at the start."]


class PlayedAct(TypedDict):
    """A command that is carried out at a start."""

    start: Word
    command: CommandData
    events: EventsData


class EventNotSeen(TypedDict):
    """An event that does not come about here."""

    event: Word
    why: Word | None


class Procedures(TypedDict):
    """Whole rounds, irregularities played to their end, and every act by itself."""

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
    """A place in the code that no refusal came from."""

    place: Word
    why: Word | None


class Refusals(TypedDict):
    """What the table refuses: at a start, a command, its code and its clauses."""

    asked: Annotated[Count, "How many commands were tried at all starts together."]
    places: Annotated[list[Word], "Places in the code that refuse and were reached."]
    not_reached: Annotated[list[PlaceNotReached], "Those that were not, and why."]
    refusals: list[RefusedCommand]


# --- the files ---------------------------------------------------------------------------------

_VERSION: Final = 2

FORMAT: Final = f"croupier-vectors/{_VERSION}"
"""The format of a set of vectors, as its manifest names it."""

_TOPICS: Final[Mapping[str, type]] = {
    "rules": RulesVectors,
    "deals": Deals,
    "settlement": Settlement,
    "rounding": RoundingVectors,
    "procedures": Procedures,
    "refusals": Refusals,
}

FILES: Final[Mapping[str, str]] = {
    topic: f"croupier-vectors-{topic}/{_VERSION}" for topic in _TOPICS
}
"""The format of the file of each topic, which its schema is named after."""


def _file(topic: str) -> Schema:
    """Return the schema of a file: its topic, under the format and the program that made it."""
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
"""Every schema of a set of vectors, and that of the table log, by the name that it is asked for."""
