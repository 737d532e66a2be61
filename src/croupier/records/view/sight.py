"""Who may see what of a table, by office; closed cards; masking of what is not to be seen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command, CorrectMisreadCard, CorrectSettlement, Difference
from croupier.acts.fields import sight_of
from croupier.acts.roles import LOOKS, Access, Role, has_access
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.law.sight import Sight
from croupier.rules import TableRules
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.position import Position
from croupier.table.machine.state import RoundState, TableState

CLOSED: Final = "??"
"""The replacement of a face-down card or a hidden text."""

VIEWERS: Final[frozenset[str]] = frozenset(LOOKS)

_OF_ALL: Final = frozenset({Sight.OPEN, Sight.PARTS})
_OWN: Final = {Sight.PATRON, Sight.ON_PAPER, Sight.CHIPS, Sight.PAPER}
"""Kinds that a patron sees for their own seat only."""


@cache
def is_seen_by(office: str, sight: Sight) -> bool:
    """Whether an office sees a kind at every seat."""
    return office in VIEWERS and (sight in _OF_ALL or sight in Role(office).office.sees)


class Viewer(NamedTuple):
    """A viewer of a table: an office, or the patron of a ``seat``."""

    office: str
    seat: int | None = None

    @classmethod
    def of(cls, office: str, seat: int | None = None) -> Viewer:
        """Raise ``ValueError`` for an office or seat that cannot look."""
        if office not in VIEWERS:
            offices = ", ".join(sorted(VIEWERS))
            raise ValueError(f"{office!r} is not an office that looks at a table: {offices}")
        if (office == Role.PATRON) != (seat is not None):
            raise ValueError(f"a patron looks from a seat, and no one else: {office}")
        return cls(office, seat)

    def sees(self, sight: Sight, *seats: int | None) -> bool:
        if is_seen_by(self.office, sight):
            return True
        return sight in _OWN and self.seat is not None and self.seat in seats

    def sees_actors(self, offices: Collection[str]) -> bool:
        if has_access(self.office, Access.ACTORS):
            return True
        return self.office in offices and is_seen_by(self.office, Sight.STAFF)


Place = tuple[Hand, int]
"""A hand and a card index from 0."""


def closed_places(state: TableState, rules: TableRules) -> frozenset[Place]:
    round_ = state.round
    if round_ is None or rules.elected("deal.option", choice="face-up"):
        return frozenset()
    return frozenset(
        (hand, place)
        for hand in (Hand.PLAYER, Hand.BANKER)
        for place in range(len(round_.coup.hand(hand)))
        if _is_down(round_, hand, place)
    )


def _is_down(round_: RoundState, hand: Hand, place: int) -> bool:
    if len(round_.coup.player) + len(round_.coup.banker) < 4:
        return True
    # The newest cards of a hand are down: its first two, and later its third.
    return hand in round_.down and (place == 2 or len(round_.coup.hand(hand)) == 2)


def _waiting(state: TableState) -> tuple[Card, ...]:
    round_ = state.round
    if round_ is None:
        return state.held
    early_card = round_.early
    unseen_cards = () if early_card is None or early_card.disclosed else (early_card.card,)
    return (*round_.begins_with, *unseen_cards, *state.held)


def closed_cards(state: TableState, rules: TableRules) -> tuple[Card, ...]:
    round_ = state.round
    if round_ is None:
        return state.held
    in_hands = (round_.coup.hand(hand)[place] for hand, place in closed_places(state, rules))
    return (*in_hands, *_waiting(state))


def is_open(position: Position) -> bool:
    """Whether seals may be published: a seal is a hash over cards, which 52 trials disclose."""
    house = position.house
    is_hidden = house.reader_locked or house.unseen_card
    return not (is_hidden or closed_cards(position.state, position.rules))


class Around(NamedTuple):
    before: TableState
    after: TableState
    events: Events
    rules: TableRules

    def still_closed(self, hand: Hand) -> tuple[bool, ...]:
        places = closed_places(self.after, self.rules)
        return tuple((hand, place) in places for place in range(3))


Closed = bool | Callable[[Any, Around], bool | tuple[bool, ...]]


def _undisclosed(struct: Any, _around: Around) -> bool:
    return not struct.disclosed


def _misread(struct: Any, context: Around) -> bool:
    if struct.hand is None:
        set_aside = context.before.shoe.has_set_aside(struct.recorded, struct.ordinal)
        return not set_aside and bool(_waiting(context.before))
    return (struct.hand, struct.ordinal - 1) in closed_places(context.before, context.rules)


def _waited(_struct: Any, context: Around) -> bool:
    round_ = context.before.round
    early_card = None if round_ is None else round_.early
    return early_card is None or not early_card.disclosed


CARDS: Final[Mapping[str, Closed]] = {
    "DrawCard.card": lambda _, context: any(
        isinstance(event, acts.CardDealt) and not event.face_up for event in context.events
    ),
    "DrawCardInError.card": lambda _, context: (
        not any(isinstance(one, acts.CardDrawnInError) and one.disclosed for one in context.events)
    ),
    "FindFaceUpCard.card": False,
    "FindWrongCard.card": False,
    "CorrectMisreadCard.recorded": _misread,
    "CorrectMisreadCard.actual": _misread,
    "CardBurned.card": lambda struct, _: not struct.shown,
    "CardDealt.card": lambda struct, _: not struct.face_up,
    "CardDiscarded.card": False,
    "CardDrawnInError.card": _undisclosed,
    "CardHeld.card": True,
    "CardMisread.recorded": _misread,
    "CardMisread.actual": _misread,
    "CardMisread.player": lambda _, context: context.still_closed(Hand.PLAYER),
    "CardMisread.banker": lambda _, context: context.still_closed(Hand.BANKER),
    "FaceUpCardFound.card": False,
    "HandReconstructed.player": False,
    "HandReconstructed.banker": False,
    "HeldCardDisclosed.card": False,
    "HeldCardPassedOver.cards": True,
    "HeldCardsReleased.cards": True,
    "ReportOverdraw.card": True,
    "ReaderLocked.card": True,
    "LayoutCleared.player": False,
    "LayoutCleared.banker": False,
    "SimulatedRoundOrdered.card": False,
    "ThirdCardWaits.card": _undisclosed,
    "ThirdCardWaitsNoMore.card": _waited,
    "WrongCardFound.card": False,
    # The cards of a settled round are face up.
    "CorrectSettlement.actual": False,
    "SettlementCorrected.recorded": False,
    "SettlementCorrected.actual": False,
    "SettlementCorrected.player": False,
    "SettlementCorrected.banker": False,
}
"""When a card named by a command or event is closed, by type and field; for hands, by card."""


def asks_of_closed(position: Position, command: Command) -> Refusal | None:
    """Refuse a command, before it is proposed, whose answer would disclose a face-down card."""
    state, rules = position.state, position.rules
    if isinstance(command, CorrectSettlement):
        # All drawn cards together show whether the true card is possible.
        is_closed = command.actual is not None and bool(closed_cards(state, rules))
    elif not isinstance(command, CorrectMisreadCard):
        return None
    elif command.hand is None:
        set_aside = state.shoe.has_set_aside(command.recorded, command.ordinal)
        is_closed = not set_aside and bool(_waiting(state))
    else:
        is_closed = (command.hand, command.ordinal - 1) in closed_places(state, rules)
    if not is_closed:
        return None
    message = "a card lies face down: it is turned before anything is said of it"
    return Refusal("closed_card", (), message)


Recorded = TypeVar("Recorded", bound=Struct)

_LOOKED_INTO: Final = {Sight.CARD, Sight.PARTS}
_NAMES: Final = {Sight.PATRON, Sight.ON_PAPER, Sight.STAFF}


def masked(struct: Recorded, viewer: Viewer, context: Around | None) -> Recorded:
    """Hide fields; all cards without ``context``. Raises ``LookupError`` for unknown fields."""
    kind = type(struct)
    fields = _in_question(kind, viewer.office)
    if not fields:
        return struct
    # A person who has left is not among the occupants of the seat.
    seat = struct.now if isinstance(struct, Difference) else getattr(struct, "seat", None)
    seats = (seat, getattr(struct, "to", None))
    changes: dict[str, Any] = {}
    for name, sight in fields:
        value = getattr(struct, name)
        if value is None:
            continue
        if sight is Sight.PARTS:
            changes[name] = _parts(value, viewer)
        elif sight is Sight.CARD:
            changes[name] = _cards(value, is_closed=_closed(struct, name, context))
        elif not viewer.sees(sight, *seats):
            changes[name] = _hidden(struct, name, value, sight)
    return replace(struct, **changes) if changes else struct


@cache
def _in_question(kind: Any, office: str) -> tuple[tuple[str, Sight], ...]:
    fields = []
    for name in kind.__struct_fields__:
        sight = sight_of(kind, name)
        if sight is None:
            raise LookupError(f"{kind.__name__}.{name} is not declared: say who may see it")
        if sight in _LOOKED_INTO or not is_seen_by(office, sight):
            fields.append((name, sight))
    return tuple(fields)


def _closed(struct: Struct, name: str, context: Around | None) -> bool | tuple[bool, ...]:
    if context is None:
        return True
    rule = CARDS[f"{type(struct).__name__}.{name}"]
    return rule if isinstance(rule, bool) else rule(struct, context)


def _parts(value: Any, viewer: Viewer) -> Any:
    if isinstance(value, tuple):
        return tuple(masked(part, viewer, None) for part in value)
    return masked(value, viewer, None)


def _cards(value: Any, *, is_closed: bool | tuple[bool, ...]) -> Any:
    if not isinstance(value, tuple):
        return CLOSED if is_closed else value
    flags = is_closed if isinstance(is_closed, tuple) else (is_closed,) * len(value)
    return tuple(CLOSED if is_down else card for card, is_down in zip(value, flags, strict=False))


def _hidden(struct: object, name: str, value: Any, sight: Sight) -> Any:
    if sight in _NAMES:
        if not value:
            return value
        office: str = name.replace("_", " ")
        return getattr(struct, "office", office) if sight is Sight.STAFF else "patron"
    if isinstance(value, Mapping):
        return dict.fromkeys(value) if sight is Sight.STAKE else {}
    if isinstance(value, tuple):
        return ()
    return CLOSED if isinstance(value, str) else None
