"""Cards out of use: incomplete decks, backs that differ, and sets that left the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.equipment import Envelope, SetNumber
from croupier.acts.fields import Count, Flag, StaffText, Word
from croupier.baccarat.cards import DECK_SIZE, Card
from croupier.law.cite import cites
from croupier.law.sight import Sight
from croupier.rules import TableRules
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.state import WITH_SHOE, TableState, with_slice

WRONG_CARDS: Final = {
    "surplus": "a card came out more often than the decks have it",
    "foreign": "a card of another deck was among them",
    "damaged": "a card was damaged",
}


class RetiredSet(Struct, frozen=True):
    """A set of decks that left the table for good; ``missing`` is negative for extra cards.

    Its cards were found to be wrong if it is ``flawed``. Once surveillance ``examined`` it, it is
    ``kept`` for the regulator or released.
    """

    name: Word
    cards: Count
    shoes: Count
    reason: StaffText
    flawed: Flag
    envelope: Envelope = ""
    missing: Count = 0
    examined: Flag = False
    kept: Flag = False


@core.keeps("retired_decks", past_closing=True)
class RetiredDecks(Struct, frozen=True):
    """The set in use, the shoes dealt from each set by name (``""`` if unnamed), and the others.

    ``gone`` names the sets that left, destroyed ones included; ``sets`` has the others by number.
    An ``ordered`` set leaves at the end of its shoe.
    """

    name: Word = ""
    cards: Count = 0
    shoes: Annotated[Mapping[str, int], Sight.OPEN] = field(default_factory=dict)
    reason: StaffText = ""
    flawed: Flag = False
    ordered: Flag = False
    gone: Annotated[tuple[str, ...], Sight.OPEN] = ()
    sets: Annotated[Mapping[SetNumber, RetiredSet], Sight.HOUSE] = field(default_factory=dict)
    last: Count = 0

    @property
    def was_dealt(self) -> bool:
        return self.shoes.get(self.name, 0) > 0

    def without_set(self) -> RetiredDecks:
        served, number = self.shoes.get(self.name, 0), self.last + 1
        retired = RetiredSet(self.name, self.cards, served, self.reason, self.flawed)
        shoes = {name: count for name, count in self.shoes.items() if name != self.name}
        names = tuple(dict.fromkeys((*self.gone, self.name)))
        sets = {**self.sets, number: retired}
        return RetiredDecks(shoes=shoes, gone=names, sets=sets, last=number)


@core.hears(acts.CardsReceived)
@core.hears(acts.CardsRejected)
@core.hears(acts.CardsRemoved)
@core.hears(acts.DecksOrdered)
@core.hears(acts.ShoeFoundEmpty)
@core.hears(acts.ShoeLoaded)
@core.hears(acts.WrongCardFound)
def _followed(state: TableState, event: acts.Event) -> TableState:
    kept = state[RetiredDecks]
    match event:
        case acts.CardsReceived(decks=decks, name=name):
            # A set that lay on the table as it was closed takes its order and its flaw along.
            kept = replace(kept, name=name, cards=decks * DECK_SIZE)
            kept = replace(kept, reason="", flawed=False, ordered=False)
        case acts.ShoeLoaded():
            shoes = {**kept.shoes, kept.name: kept.shoes.get(kept.name, 0) + 1}
            kept = replace(kept, shoes=shoes)
        case acts.DecksOrdered(reason=reason):
            kept = replace(kept, reason=kept.reason or reason, ordered=True)
        case acts.CardsRejected():
            kept = replace(kept, reason="rejected", flawed=True).without_set()
        case acts.CardsRemoved():
            kept = kept.without_set()
        case _:
            kept = replace(kept, reason=state.flawed, flawed=True)
    return with_slice(state, kept)


def is_elsewhere(state: TableState, card: Card) -> bool:
    """Whether every copy of a card was drawn. Missing or extra cards prove nothing."""
    unseen = state.shoe.unseen
    # Of a shoe found empty nothing is counted any more, also if a card is found damaged later.
    counts = not state.flawed or (state.flawed == WRONG_CARDS["damaged"] and any(unseen))
    return counts and not unseen[card.index]


def taken_out_under(flaw: str, rules: TableRules) -> tuple[str, ...]:
    """Clauses that take cards out of use: the register, or that on a short shoe."""
    for kind, described in WRONG_CARDS.items():
        if flaw == described:
            fate = "damaged_card.fate" if kind == "damaged" else "wrong_card.fate"
            return (rules.entry(fate),)
    return rules.cites("irregularity.insufficient")


def records_removed(rules: TableRules) -> bool:
    return rules.reading("removed_decks.record") != "elsewhere"


def removed_at_closing(state: TableState, rules: TableRules) -> Events:
    """Return the removal of a set that is not to be received again after the closing."""
    retired_decks = state[RetiredDecks]
    was_dealt = rules.reading("fresh_decks.when") == "every-shoe" and retired_decks.was_dealt
    leaves = state.decks and (state.flawed or retired_decks.ordered or was_dealt)
    if not leaves or not records_removed(rules):
        return ()
    return (acts.CardsRemoved((rules.entry("removed_decks.record"),)),)


def is_unsealed(state: TableState, rules: TableRules) -> bool:
    """Whether a removed set waits to be sealed, at a table that must seal it in time."""
    has_limit = rules.reading("removed_decks.sealed") != "any-time" and records_removed(rules)
    return has_limit and not all(decks.envelope for decks in state[RetiredDecks].sets.values())


def leaves_to_close(state: TableState, rules: TableRules) -> bool:
    """Whether a set has to be removed and sealed before the table closes."""
    has_limit = rules.reading("removed_decks.sealed") != "any-time"
    return has_limit and not state.seats and bool(removed_at_closing(state, rules))


def unsealed(state: TableState, rules: TableRules, *, closing: bool = False) -> Refusal | None:
    """Refuse to close, to end a day, or to receive other decks, with a set that is not sealed."""
    if not (is_unsealed(state, rules) or (closing and leaves_to_close(state, rules))):
        return None
    numbers = [number for number, decks in state[RetiredDecks].sets.items() if not decks.envelope]
    first = f"seal set {numbers[0]}" if numbers else "remove the set on the table and seal it"
    clauses = (rules.entry("removed_decks.record"), rules.entry("removed_decks.sealed"))
    return Refusal("unsealed", clauses, f"a removed set is sealed in time: {first} first")


@hooks.before_receipt.join
def _sealed_first(state: TableState, _name: str | None, rules: TableRules) -> Refusal | None:
    seals_first = rules.reading("removed_decks.sealed") == "before-others"
    return unsealed(state, rules) if seals_first else None


@cites("opening.receive")
def ordered_off(state: TableState, rules: TableRules) -> Refusal | None:
    """Refuse to go on with a set for which others were ordered, once its shoe ends."""
    if not state[RetiredDecks].ordered:
        return None
    # A continuous device has no end of a shoe.
    at_round_end = rules.reading("ordered_decks.when") == "round"
    at_round_end = at_round_end or rules.elected("device", "continuous")
    if state.phase.in_play or (state.phase in WITH_SHOE and not at_round_end):
        return None
    clauses = (rules.entry("fresh_decks.when"), rules.entry("ordered_decks.when"))
    return Refusal("decks_ordered", clauses, "other decks were ordered: remove these first")


@cites("decks")
def cards_flawed(state: TableState, rules: TableRules) -> Refusal | None:
    """Refuse to deal from or reshuffle cards that are out of use, or dealt once where elected."""
    if state.flawed:
        message = f"the cards are taken out of use first: {state.flawed}"
        return Refusal("cards_flawed", taken_out_under(state.flawed, rules), message)
    if refusal := ordered_off(state, rules):
        return refusal
    fresh = "fresh_decks.when"
    was_dealt = state.decks and state.phase not in WITH_SHOE and state[RetiredDecks].was_dealt
    if not was_dealt or rules.reading(fresh) != "every-shoe":
        return None
    message = "these decks were dealt once: remove them, and receive others"
    return Refusal("decks_used", (rules.entry(fresh),), message)


hooks.before_round.join(ordered_off)
hooks.cards_worn_out.join(ordered_off)
