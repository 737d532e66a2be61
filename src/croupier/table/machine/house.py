"""The house's book: entries, settled rounds, and sittings of a gaming day, for corrections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.hand import Hand
from croupier.money.settlement import Stake
from croupier.table.machine.core import Events
from croupier.table.machine.state import Phase, TableState

StakeOf = tuple[int, str, Stake]
"""A stake with its seat and wager."""


class PlacedEntry(Struct, frozen=True):
    """The stakes of an entry for a seat, by wager, in cents."""

    seat: int
    cents: Mapping[str, int]


class Sitting(Struct, frozen=True):
    """A patron's stay at the table. Several patrons may have the same name."""

    number: int
    patron: str


class Reservation(Struct, frozen=True):
    """A seat reserved for a patron, optionally until a time in UTC."""

    patron: str
    until: datetime | None = None


class SettledRound(Struct, frozen=True):
    """The current basis of a settlement.

    ``added`` are payouts moved to another wager, by seat. ``misread`` cards were reported after the
    settlement. ``owing`` are overpayments not returned, and ``repaid`` the corrected payments.
    """

    round: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    stakes: tuple[StakeOf, ...]
    sittings: Mapping[int, Sitting]
    added: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    misread: tuple[tuple[Hand, int, Card], ...] = ()
    owing: Mapping[int, int] = field(default_factory=dict)
    repaid: tuple[tuple[int, str], ...] = ()


class House(Struct, frozen=True):
    """The house's book of a gaming day; rounds and wagers by their entries.

    ``early`` and ``added`` belong to the current round. ``settled`` are the rounds of the shoe in
    use, ``earlier`` those of previous shoes. ``reader_locked`` is set when a card was read that was
    not due.
    """

    placed: Mapping[int, PlacedEntry] = field(default_factory=dict)
    early: tuple[StakeOf, ...] = ()
    added: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    settled: Mapping[int, SettledRound] = field(default_factory=dict)
    earlier: tuple[Mapping[int, SettledRound], ...] = ()
    sittings: Mapping[int, Sitting] = field(default_factory=dict)
    sat: int = 0
    pause: str = ""
    paused_by: tuple[str, ...] = ()
    reserved: Mapping[int, Reservation] = field(default_factory=dict)
    opened: bool = False
    reader_locked: bool = False

    def without_reservation(self, seat: int) -> House:
        """Return the book without the reservation of a seat."""
        if seat not in self.reserved:
            return self
        kept = {at: one for at, one in self.reserved.items() if at != seat}
        return replace(self, reserved=kept)

    def settled_by(self, entry: int) -> SettledRound | None:
        """Return the round settled by an entry, if it is kept."""
        for rounds in (self.settled, *reversed(self.earlier)):
            if entry in rounds:
                return rounds[entry]
        return None

    def with_round(self, entry: int, settled: SettledRound) -> House:
        """Return the book with a new version of a settled round."""
        if any(entry in rounds for rounds in self.earlier):
            earlier = tuple(
                {**rounds, entry: settled} if entry in rounds else rounds for rounds in self.earlier
            )
            return replace(self, earlier=earlier)
        return replace(self, settled={**self.settled, entry: settled})


class Entry(NamedTuple):
    """An entry to be noted, with the states before and after."""

    number: int
    offices: tuple[str, ...]
    before: TableState
    after: TableState


Note = TypeVar("Note", bound=Callable[[House, Any, Entry], House])
_NOTES: Final[dict[type[acts.Event], Callable[[House, Any, Entry], House]]] = {}


def notes(*events: type[acts.Event]) -> Callable[[Note], Note]:
    """Register how an event changes the house's book."""

    def register(function: Note) -> Note:
        _NOTES.update(dict.fromkeys(events, function))
        return function

    return register


def noted(house: House, events: Events, entry: Entry) -> House:
    """Return the house's book after an entry."""
    for event in events:
        note = _NOTES.get(type(event))
        if note is not None:
            house = note(house, event, entry)
    return house


@notes(acts.TableOpened)
def _opened(house: House, event: acts.TableOpened, entry: Entry) -> House:
    del house, event, entry
    return House(opened=True)


# --- who sits where ----------------------------------------------------------------------------


@notes(acts.PatronSeated)
def _seated(house: House, event: acts.PatronSeated, entry: Entry) -> House:
    del entry
    house = house.without_reservation(event.seat)
    if event.seat in house.sittings:
        return house
    sitting = Sitting(house.sat + 1, event.patron)
    return replace(house, sat=house.sat + 1, sittings={**house.sittings, event.seat: sitting})


@notes(acts.SeatChanged)
def _moved(house: House, event: acts.SeatChanged, entry: Entry) -> House:
    del entry
    sittings = {
        event.to if seat == event.seat else seat: one for seat, one in house.sittings.items()
    }
    return replace(house.without_reservation(event.to), sittings=sittings)


@notes(acts.PatronLeft)
def _left(house: House, event: acts.PatronLeft, entry: Entry) -> House:
    del entry
    staying = {seat: one for seat, one in house.sittings.items() if seat != event.seat}
    return replace(house, sittings=staying)


# --- what lies on the layout -------------------------------------------------------------------


@notes(acts.WagerPlaced)
def _placed(house: House, event: acts.WagerPlaced, entry: Entry) -> House:
    return _with_placed(house, entry, event.seat, {event.wager: event.cents})


@notes(acts.WagersPlaced)
def _all_placed(house: House, event: acts.WagersPlaced, entry: Entry) -> House:
    return _with_placed(house, entry, event.seat, event.stakes)


def _with_placed(house: House, entry: Entry, seat: int, cents: Mapping[str, int]) -> House:
    placed = {**house.placed, entry.number: PlacedEntry(seat, cents)}
    return replace(house, placed=placed)


@notes(acts.WagerCorrected)
def _wager_corrected(house: House, event: acts.WagerCorrected, entry: Entry) -> House:
    del entry
    before = house.placed[event.entry]
    now = PlacedEntry(before.seat, {**before.cents, event.wager: event.cents})
    return replace(house, placed={**house.placed, event.entry: now})


@notes(acts.WagerWithdrawn, acts.LosingWagersCollected, acts.StakesKept)
def _off_the_layout(house: House, event: acts.Event, entry: Entry) -> House:
    del event
    if not house.placed:
        return house
    left = entry.after.stakes
    placed = {}
    for number, one in house.placed.items():
        cents = {name: amount for name, amount in one.cents.items() if (one.seat, name) in left}
        if cents:
            placed[number] = PlacedEntry(one.seat, cents)
    return replace(house, placed=placed)


# --- what was settled --------------------------------------------------------------------------


@notes(acts.StakesReleased)
def _released(house: House, event: acts.StakesReleased, entry: Entry) -> House:
    house = _off_the_layout(house, event, entry)
    before, round_ = entry.before, entry.after.round
    if before.phase is not Phase.DECIDED or round_ is None or round_.void:
        return house
    lying = [_lying(seat, name, one) for (seat, name), one in before.stakes.items()]
    stakes = (*house.early, *lying)
    seats = {seat for seat, _, _ in stakes}
    sittings = _sat(tuple((seat, one) for seat, one in house.sittings.items() if seat in seats))
    coup = round_.coup
    settled = SettledRound(round_.number, coup.player, coup.banker, stakes, sittings, house.added)
    return replace(house.with_round(entry.number, settled), early=(), added={})


# Equal stakes and patrons are shared between rounds: a round of its own took 5 KB, of which 3
# repeated the one before.


@lru_cache(4096)
def _lying(seat: int, wager: str, stake: Stake) -> StakeOf:
    return seat, wager, stake


@lru_cache(1024)
def _sat(sittings: tuple[tuple[int, Sitting], ...]) -> Mapping[int, Sitting]:
    return dict(sittings)


@notes(acts.RoundVoided)
def _voided(house: House, event: acts.RoundVoided, entry: Entry) -> House:
    del event, entry
    return replace(house, early=(), added={}) if house.early else house


@notes(acts.CardMisread)
def _misread(house: House, event: acts.CardMisread, entry: Entry) -> House:
    # The shoe's count is already right.
    round_ = entry.before.round
    if not event.stands or event.hand is None or round_ is None:
        return house
    report = (event.hand, event.ordinal, event.actual)
    for number, settled in house.settled.items():
        if settled.round == round_.number:
            return house.with_round(number, replace(settled, misread=(*settled.misread, report)))
    return house


@notes(acts.SettlementCorrected)
def _corrected(house: House, event: acts.SettlementCorrected, entry: Entry) -> House:
    del entry
    settled = house.settled_by(event.entry)
    if settled is None:
        return house
    now = with_truth(settled, event)
    owing = dict(settled.owing)
    for one in event.differences:
        owing[one.seat] = owing.get(one.seat, 0) + one.uncollected_cents
    return house.with_round(event.entry, replace(now, owing=owing))


def with_truth(settled: SettledRound, told: acts.SettlementCorrected) -> SettledRound:
    """Return a settled round with its true card, stake, or payment."""
    if told.actual is not None and told.hand is not None:
        hands = {Hand.PLAYER: settled.player, Hand.BANKER: settled.banker}
        cards = list(hands[told.hand])
        cards[told.ordinal - 1] = told.actual
        hands[told.hand] = tuple(cards)
        return replace(settled, player=hands[Hand.PLAYER], banker=hands[Hand.BANKER])
    if told.seat is None:
        return settled
    if told.paid_cents is not None:
        return replace(settled, repaid=(*settled.repaid, (told.seat, told.wager)))
    stakes = {(seat, wager): stake for seat, wager, stake in settled.stakes}
    coupon = stakes.get((told.seat, told.wager), Stake(0)).coupon_cents
    stakes[told.seat, told.wager] = Stake(told.stake_cents or 0, coupon)
    kept = ((*key, stake) for key, stake in stakes.items() if stake.cents)
    return replace(settled, stakes=tuple(kept))


@notes(acts.ShoeLoaded, acts.DiscardsReturned)
def _another_shoe(house: House, event: acts.Event, entry: Entry) -> House:
    del event, entry
    if not house.settled:
        return house
    return replace(house, settled={}, earlier=(*house.earlier, house.settled))


@notes(acts.ElectionsAdopted)
def _other_rules(house: House, event: acts.ElectionsAdopted, entry: Entry) -> House:
    # The new rules cannot settle earlier rounds again.
    del event, entry
    return replace(house, settled={}, earlier=())
