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
            known = ", ".join(sorted(VIEWERS))
            raise ValueError(f"{office!r} is not an office that looks at a table: {known}")
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
        (hand, at)
        for hand in (Hand.PLAYER, Hand.BANKER)
        for at in range(len(round_.coup.hand(hand)))
        if _is_down(round_, hand, at)
    )


def _is_down(round_: RoundState, hand: Hand, at: int) -> bool:
    if len(round_.coup.player) + len(round_.coup.banker) < 4:
        return True
    # The newest cards of a hand are down: its first two, and later its third.
    return hand in round_.down and (at == 2 or len(round_.coup.hand(hand)) == 2)


def _waiting(state: TableState) -> tuple[Card, ...]:
    round_ = state.round
    if round_ is None:
        return state.held
    early = round_.early
    unseen = () if early is None or early.disclosed else (early.card,)
    return (*round_.begins_with, *unseen, *state.held)


def closed_cards(state: TableState, rules: TableRules) -> tuple[Card, ...]:
    round_ = state.round
    if round_ is None:
        return state.held
    in_hands = (round_.coup.hand(hand)[at] for hand, at in closed_places(state, rules))
    return (*in_hands, *_waiting(state))


def is_open(position: Position) -> bool:
    """Whether seals may be published: a seal is a hash over cards, which 52 trials disclose."""
    house = position.house
    hidden = house.reader_locked or house.unseen_card
    return not (hidden or closed_cards(position.state, position.rules))


class Around(NamedTuple):
    before: TableState
    after: TableState
    events: Events
    rules: TableRules

    def still_closed(self, hand: Hand) -> tuple[bool, ...]:
        closed = closed_places(self.after, self.rules)
        return tuple((hand, at) in closed for at in range(3))


Closed = bool | Callable[[Any, Around], bool | tuple[bool, ...]]


def _undisclosed(recorded: Any, _around: Around) -> bool:
    return not recorded.disclosed


def _misread(recorded: Any, around: Around) -> bool:
    if recorded.hand is None:
        set_aside = around.before.shoe.has_set_aside(recorded.recorded, recorded.ordinal)
        return not set_aside and bool(_waiting(around.before))
    return (recorded.hand, recorded.ordinal - 1) in closed_places(around.before, around.rules)


def _waited(_recorded: Any, around: Around) -> bool:
    round_ = around.before.round
    early = None if round_ is None else round_.early
    return early is None or not early.disclosed


CARDS: Final[Mapping[str, Closed]] = {
    "DrawCard.card": lambda _, around: any(
        isinstance(one, acts.CardDealt) and not one.face_up for one in around.events
    ),
    "DrawCardInError.card": lambda _, around: (
        not any(isinstance(one, acts.CardDrawnInError) and one.disclosed for one in around.events)
    ),
    "FindFaceUpCard.card": False,
    "FindWrongCard.card": False,
    "CorrectMisreadCard.recorded": _misread,
    "CorrectMisreadCard.actual": _misread,
    "CardBurned.card": lambda recorded, _: not recorded.shown,
    "CardDealt.card": lambda recorded, _: not recorded.face_up,
    "CardDiscarded.card": False,
    "CardDrawnInError.card": _undisclosed,
    "CardHeld.card": True,
    "CardMisread.recorded": _misread,
    "CardMisread.actual": _misread,
    "CardMisread.player": lambda _, around: around.still_closed(Hand.PLAYER),
    "CardMisread.banker": lambda _, around: around.still_closed(Hand.BANKER),
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
        closed = command.actual is not None and bool(closed_cards(state, rules))
    elif not isinstance(command, CorrectMisreadCard):
        return None
    elif command.hand is None:
        set_aside = state.shoe.has_set_aside(command.recorded, command.ordinal)
        closed = not set_aside and bool(_waiting(state))
    else:
        closed = (command.hand, command.ordinal - 1) in closed_places(state, rules)
    if not closed:
        return None
    message = "a card lies face down: it is turned before anything is said of it"
    return Refusal("closed_card", (), message)


Recorded = TypeVar("Recorded", bound=Struct)

_LOOKED_INTO: Final = {Sight.CARD, Sight.PARTS}
_NAMES: Final = {Sight.PATRON, Sight.ON_PAPER, Sight.STAFF}


def masked(recorded: Recorded, viewer: Viewer, around: Around | None) -> Recorded:
    """Hide fields; all cards without ``around``. Raises ``LookupError`` for unknown fields."""
    kind = type(recorded)
    asked = _in_question(kind, viewer.office)
    if not asked:
        return recorded
    # A person who has left is not among the occupants of the seat.
    at = recorded.now if isinstance(recorded, Difference) else getattr(recorded, "seat", None)
    seats = (at, getattr(recorded, "to", None))
    changes: dict[str, Any] = {}
    for name, sight in asked:
        held = getattr(recorded, name)
        if held is None:
            continue
        if sight is Sight.PARTS:
            changes[name] = _parts(held, viewer)
        elif sight is Sight.CARD:
            changes[name] = _cards(held, closed=_closed(recorded, name, around))
        elif not viewer.sees(sight, *seats):
            changes[name] = _hidden(recorded, name, held, sight)
    return replace(recorded, **changes) if changes else recorded


@cache
def _in_question(recorded: Any, office: str) -> tuple[tuple[str, Sight], ...]:
    found = []
    for name in recorded.__struct_fields__:
        sight = sight_of(recorded, name)
        if sight is None:
            raise LookupError(f"{recorded.__name__}.{name} is not declared: say who may see it")
        if sight in _LOOKED_INTO or not is_seen_by(office, sight):
            found.append((name, sight))
    return tuple(found)


def _closed(recorded: Struct, name: str, around: Around | None) -> bool | tuple[bool, ...]:
    if around is None:
        return True
    closed = CARDS[f"{type(recorded).__name__}.{name}"]
    return closed if isinstance(closed, bool) else closed(recorded, around)


def _parts(held: Any, viewer: Viewer) -> Any:
    if isinstance(held, tuple):
        return tuple(masked(one, viewer, None) for one in held)
    return masked(held, viewer, None)


def _cards(held: Any, *, closed: bool | tuple[bool, ...]) -> Any:
    if not isinstance(held, tuple):
        return CLOSED if closed else held
    each = closed if isinstance(closed, tuple) else (closed,) * len(held)
    return tuple(CLOSED if down else card for card, down in zip(held, each, strict=False))


def _hidden(recorded: object, name: str, held: Any, sight: Sight) -> Any:
    if sight in _NAMES:
        if not held:
            return held
        office: str = name.replace("_", " ")
        return getattr(recorded, "office", office) if sight is Sight.STAFF else "patron"
    if isinstance(held, Mapping):
        return dict.fromkeys(held) if sight is Sight.STAKE else {}
    if isinstance(held, tuple):
        return ()
    return CLOSED if isinstance(held, str) else None
