"""Document types of what a viewer sees; the JSON Schemas are generated from these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict

from croupier.rules.documents import Cents, Count, Hash, Keywords, Positive, Texts, Word

HandName = Literal["player", "banker"]
CardSeen = Annotated[
    str,
    "A card, such as 9h; ?? for one that lies face down.",
    Keywords(pattern=r"^([A2-9TJQK][cdhs]|\?\?)$"),
]
TypedFields = Annotated[
    Mapping[str, Any],
    "The type and its fields as in a table log. A card that lies face down is ??, a name that is "
    "not shown is the office, and an amount that is not shown is null.",
]


class ActorSeen(TypedDict):
    """The person who gave a command."""

    person: str
    office: str
    seat: Positive | None


class CardOpened(TypedDict):
    """A card of a hand that was turned face up by the entry."""

    hand: HandName
    ordinal: Annotated[int, Keywords(minimum=1, maximum=3)]
    card: CardSeen


class LineSeen(TypedDict):
    """A line of the narration."""

    kind: Literal["act", "spoken", "card", "ruling", "money"]
    text: str
    clauses: list[str]
    details: list[str]


class EntrySeen(TypedDict):
    """An entry of a table's record, as one viewer may see it."""

    format: Annotated[str, Keywords(const="croupier-entry-view/1")]
    seq: Positive
    at: Annotated[str | None, "When, in UTC; null where the viewer does not see who acts."]
    by: Annotated[list[ActorSeen] | None, "Who gave the command; null where it is not shown."]
    corrects: Annotated[int | None, "The entry that this one corrects."]
    command: TypedFields
    events: list[TypedFields]
    opened: Annotated[list[CardOpened], "Cards that this entry turned face up."]
    narration: list[LineSeen]
    open_point: Annotated[bool, "Whether no card lies face down, so that the seal may be shown."]


class PhaseSeen(TypedDict):
    """The phase of a table in the procedure."""

    id: Annotated[str, "Such as betting, dealing, or decided."]
    words: str
    in_play: Annotated[bool, "Whether a round is in hand."]


class PromptSeen(TypedDict):
    """How the next card is dealt and placed."""

    words: str
    clauses: list[str]


class SeatSeen(TypedDict):
    """A seat of the layout and its occupant."""

    seat: Positive
    taken: bool
    patron: Annotated[str | None, "The patron's name; null if the seat is empty or not shown."]
    chips_cents: Annotated[int | None, "The patron's chips; null where they are not shown."]
    owed_cents: Annotated[int | None, "Vigorish that the marker shows; null if not shown."]
    away: Annotated[bool, "Whether the patron walked away from wagers in play."]


class WagerSeen(TypedDict):
    """A wager on the layout, with its limits and pay lines."""

    wager: Word
    title: Word
    min_cents: Count | None
    max_cents: Count | None
    unit_cents: Annotated[int, "A stake is a multiple of this."]
    pays: Annotated[Texts, "What each line pays; an empty text for a push."]


class StakeSeen(TypedDict):
    """Chips on a wager."""

    seat: Positive
    wager: Word
    chips_cents: Annotated[int | None, "Null where stakes are not shown."]
    coupon_cents: Annotated[int | None, "The match play coupon; null where stakes are not shown."]


class HandSeen(TypedDict):
    """A hand of the round."""

    hand: HandName
    cards: list[CardSeen]
    count: Annotated[int | None, "The Point Count; null with a card face down, or none dealt."]
    holder: Annotated[int | None, "The seat that turns the hand; null for the dealer."]
    handed: Annotated[bool, "Whether its cards are with the holder."]
    to_turn: Annotated[bool, "Whether it is the next hand to be turned."]


class RoundSeen(TypedDict):
    """The current round."""

    number: Count
    simulated: bool
    void: bool
    due: Annotated[HandName | None, "The hand that the next card belongs to."]
    winner: Literal["player", "banker", "tie"] | None
    hands: list[HandSeen]


class WaitingCard(TypedDict):
    """A card drawn from the shoe and held for a hand."""

    card: CardSeen
    waits_for: Annotated[
        Literal["this hand", "third card", "next hand", "simulated round"],
        "What it is the first card of, or whose third card it may be.",
    ]


class OfferSeen(TypedDict):
    """A decision offered to a seat: the cut, the shoe, or a relinquished hand."""

    what: Literal["cut", "shoe", "hand"]
    seat: Positive
    hand: HandName | None


class ShoeSeen(TypedDict):
    """The shoe."""

    number: Count
    decks: Count
    batch: Count
    remaining: Count
    cards_behind: Annotated[int | None, "Cards behind the cutting card; null once it is out."]
    cutting_card_out: bool
    hands_left: Annotated[int | None, "Hands after the last hand was called; null before."]
    to_burn: Annotated[int | None, "Cards still to be burned; null before the first."]
    burned: Annotated[list[CardSeen], "Cards burned from this shoe, in order."]
    discarded: Annotated[
        list[CardSeen], "Cards discarded apart from those burned and of settled rounds, in order."
    ]
    to_discard: Count
    left: Annotated[
        Mapping[str, int] | None,
        "How many of each card may still come, by the open cards alone; null if not shown.",
    ]


class CuratorSeen(TypedDict):
    """The curator, if participants deal."""

    seat: Annotated[int | None, "Null if the dealer is the curator."]
    dealer_deals: bool


class ResultSeen(TypedDict):
    """The result of a round of this shoe, used for the roads."""

    round: Count
    winner: Literal["player", "banker", "tie"]
    player_count: Count
    banker_count: Count
    natural: bool
    player_pair: bool
    banker_pair: bool
    corrected: bool


class SlipSeen(TypedDict):
    """A pending fill or credit."""

    slip: int
    kind: Literal["fill", "credit"]
    chips: Annotated[Mapping[str, int], "How many chips, by their value in cents."]
    issued: bool


class TraySeen(TypedDict):
    """The chips in the tray, and pending slips."""

    inventory_cents: int
    in_transit_cents: int
    slips: list[SlipSeen]


class HouseSeen(TypedDict):
    """The table's drop, complimentaries, and win."""

    win_cents: Cents
    drop_cents: Cents
    fills_cents: Cents
    credits_cents: Cents
    forms_cents: Cents
    vigorish_cents: Cents
    box: str
    boxes_to_count: list[str]


class FormSeen(TypedDict):
    """A used Form."""

    serial: int
    patron: str
    cents: int
    void: bool
    dropped: bool


class FormsSeen(TypedDict):
    """The Complimentary Vigorish Forms at the table."""

    custodian: str | None
    next_serial: int | None
    last_serial: int
    used: list[FormSeen]


class NoticeSeen(TypedDict):
    """A pending notice of a change of elections."""

    rule: str
    value: Any
    to: str
    at: str


class TableSeen(TypedDict):
    """A table at one entry of its record, as one viewer may see it."""

    format: Annotated[str, Keywords(const="croupier-table-view/1")]
    seq: Count
    at: Annotated[str | None, "The time of the last entry in UTC; null where it is not shown."]
    open_point: Annotated[bool, "Whether no card lies face down."]
    law: Word
    law_title: Word
    rules_sha256: Hash
    elections: Annotated[Mapping[str, Any], "What the licensee elected, by rule."]
    warnings: Annotated[list[str], "Substitute texts, and clauses not carried out."]
    pit: str
    table: str
    gaming_date: str | None
    phase: PhaseSeen
    prompt: PromptSeen | None
    seats: Annotated[list[SeatSeen], "From left to right, as patrons see them."]
    wagers: list[WagerSeen]
    stakes: list[StakeSeen]
    round: RoundSeen | None
    rounds: Annotated[int, "Rounds of this gaming day."]
    waiting: list[WaitingCard]
    offers: list[OfferSeen]
    shoe: ShoeSeen
    curator: CuratorSeen | None
    meters: Annotated[Mapping[str, int], "What each progressive meter shows, in cents."]
    mystery: Annotated[str, "The commitment to the mystery value; empty without one."]
    results: Annotated[list[ResultSeen], "The rounds of this shoe, from the first."]
    flawed: Annotated[str, "Why the cards are taken out of use; empty if they are not."]
    device_down: Annotated[bool, "Whether the shuffling device failed, and none works yet."]
    paused: Annotated[bool, "Whether play is stopped until it is resumed."]
    staff: Annotated[Mapping[str, list[str]] | None, "Who holds each office; null if not shown."]
    tray: TraySeen | None
    house: HouseSeen | None
    forms: FormsSeen | None
    notices: list[NoticeSeen] | None


class ChoiceSeen(TypedDict):
    """A choice and its name."""

    value: Any
    label: str


class FieldSeen(TypedDict):
    """An input field of a command."""

    name: Word
    kind: Literal[
        "card", "hand", "seat", "cents", "count", "choice", "text", "person", "stakes", "chips",
        "date", "time", "flag", "serials", "secret", "one",
    ]  # fmt: skip
    label: Word
    choices: list[ChoiceSeen]
    least: int | None
    most: int | None
    unit: Positive
    default: Any
    source: Annotated[str, "Where a value comes from that nobody chooses: reader, vault, clock."]
    needed: Annotated[bool, "Whether there is no default."]


class ActSeen(TypedDict):
    """An act available to a viewer."""

    command: Word
    must: Annotated[bool, "Whether it comes before anything else goes on."]
    awaited: Annotated[bool, "Whether other offices wait for it, while play goes on."]
    seat: int | None
    words: Word
    clauses: list[str]
    who: Annotated[list[str], "The offices of which one gives the command."]
    also: Annotated[list[str], "The offices that consent to it."]
    gives: Annotated[bool, "Whether the viewer gives it; otherwise the viewer consents."]
    fields: list[FieldSeen]


class PlayWaits(TypedDict):
    """The act that play waits for, and the offices of which one gives it."""

    who: list[str]
    words: Word


class ActsSeen(TypedDict):
    """All acts available to a viewer."""

    format: Annotated[str, Keywords(const="croupier-acts-view/1")]
    acts: list[ActSeen]
