"""The house's book: entries, settled rounds, and sittings of a gaming day, for corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.law.mechanisms import reserve
from croupier.money.settlement import Stake
from croupier.rules import Limit
from croupier.table.machine import hooks
from croupier.table.machine.core import Events
from croupier.table.machine.state import WITH_SHOE, Phase, TableState

StakeOf = tuple[int, str, Stake]
"""A stake with its seat and wager."""
Hands = tuple[tuple[Card, ...], tuple[Card, ...]]
"""The cards of Player's Hand and of Banker's Hand."""


class PlacedEntry(Struct, frozen=True):
    """The stakes of an entry for a seat, by wager, in cents; no seat where bets are closed."""

    seat: int | None
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

    ``added`` are payouts moved to another wager, by seat. ``misread`` cards were reported after
    the settlement. ``owing`` are overpayments not returned, ``repaid`` the corrected payments.
    ``early`` is the entry that settled wagers before third cards, ``early_hands`` the first cards
    on which it did, if they differ from the hands. ``meters`` are the readings from which awards
    were paid, ``hand_pays`` the awards due by hand: seat, wager, and number; ``drawn`` are the
    numbers of those of its draw, ``None`` before. ``corrected`` are the hands as they count after a
    correction, ``corrections`` its corrections by their entries, ``first`` what it was before them.
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
    early: int | None = None
    early_hands: Hands | None = None
    meters: Mapping[str, int] = field(default_factory=dict)
    hand_pays: tuple[tuple[int, str, int], ...] = ()
    drawn: tuple[int, ...] | None = None
    corrected: Hands | None = None
    corrections: tuple[int, ...] = ()
    first: SettledRound | None = None

    @property
    def numbers_by_hand(self) -> Mapping[tuple[int, str], int]:
        return {(seat, wager): number for seat, wager, number in self.hand_pays}

    @property
    def awards(self) -> tuple[int, ...]:
        return (*(number for _, _, number in self.hand_pays), *(self.drawn or ()))

    @property
    def first_cards(self) -> Hands:
        return self.player[:2], self.banker[:2]


class FormerElections(Struct, frozen=True):
    """Elections and limits in force before an entry adopted others."""

    until: int
    elections: Mapping[str, Any]
    limits: Mapping[str, Limit] | None


class House(Struct, frozen=True):
    """The house's book of a gaming day; rounds and wagers by their entries.

    ``early`` is the entry that settled stakes of the current round before third cards, ``added``
    its payouts moved to other wagers. ``settled`` are the rounds of the shoe in use, ``earlier``
    those of previous shoes, ``former`` the elections of the day before each change. ``meters`` are
    the readings of the settlement being noted, ``reset`` the round's entry at which each meter was
    last awarded. ``opened`` is the entry that opened the table. ``reader_locked`` is set when a
    card was read that was not due, ``unseen_card`` while a card that nobody saw is in the rack or
    spread.
    """

    placed: Mapping[int, PlacedEntry] = field(default_factory=dict)
    early: int | None = None
    added: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    meters: Mapping[str, int] = field(default_factory=dict)
    reset: Mapping[str, int] = field(default_factory=dict)
    settled: Mapping[int, SettledRound] = field(default_factory=dict)
    earlier: tuple[Mapping[int, SettledRound], ...] = ()
    former: tuple[FormerElections, ...] = ()
    sittings: Mapping[int, Sitting] = field(default_factory=dict)
    sat: int = 0
    pause: str = ""
    paused_by: tuple[str, ...] = ()
    reserved: Mapping[int, Reservation] = field(default_factory=dict)
    opened: int = 0
    reader_locked: bool = False
    unseen_card: bool = False
    disputed: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    """The round and the question of each open dispute of the day."""
    forgone: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """By sitting, vigorish documented or written off, and what of it the settlements bear out."""

    def without_reservation(self, seat: int) -> House:
        reservations = {at: reservation for at, reservation in self.reserved.items() if at != seat}
        return replace(self, reserved=reservations)

    def with_forgone(self, seat: int, cents: int) -> House:
        if seat not in self.sittings:
            return self  # A position may begin with patrons of whom the house knows no sitting.
        number = self.sittings[seat].number
        documented, due = self.forgone.get(number, (0, 0))
        return replace(self, forgone={**self.forgone, number: (documented + cents, due + cents)})

    @property
    def rounds(self) -> Iterator[tuple[int, SettledRound]]:
        """Rounds of the day by the entries that settled them, those of each shoe together."""
        return chain.from_iterable(rounds.items() for rounds in (*self.earlier, self.settled))

    def settled_by(self, entry: int) -> SettledRound | None:
        """Return a round by an entry that settled any of its wagers."""
        return next((one for number, one in self.rounds if entry in {number, one.early}), None)

    def entry_of(self, number: int) -> int | None:
        """Return the entry that settled a round of this shoe."""
        return next((entry for entry, one in self.settled.items() if one.round == number), None)

    def corrected_hands(self, number: int) -> Hands | None:
        """Hands of a round of this shoe, if it was settled again on another card."""
        entry = self.entry_of(number)
        return None if entry is None else self.settled[entry].corrected

    def with_changed(self, number: int, change: Callable[[SettledRound], SettledRound]) -> House:
        """Change a round of this shoe, if it is settled."""
        entry = self.entry_of(number)
        return self if entry is None else self.with_round(entry, change(self.settled[entry]))

    def with_round(self, entry: int, round_: SettledRound) -> House:
        if any(entry in rounds for rounds in self.earlier):
            former_days = tuple(
                {**rounds, entry: round_} if entry in rounds else rounds for rounds in self.earlier
            )
            return replace(self, earlier=former_days)
        return replace(self, settled={**self.settled, entry: round_})


class Entry(NamedTuple):
    number: int
    offices: tuple[str, ...]
    before: TableState
    after: TableState


Note = TypeVar("Note", bound=Callable[[House, Any, Entry], House])
_NOTES: Final[dict[type[acts.Event], Callable[[House, Any, Entry], House]]] = {}


def notes(*events: type[acts.Event]) -> Callable[[Note], Note]:
    def register(function: Note) -> Note:
        reserve(function, "@notes")
        _NOTES.update(dict.fromkeys(events, function))
        return function

    return register


def noted(house: House, events: Events, entry: Entry) -> House:
    for event in events:
        note = _NOTES.get(type(event))
        if note is not None:
            house = note(house, event, entry)
    return house


@notes(acts.TableOpened)
def _opened(_house: House, _event: acts.TableOpened, entry: Entry) -> House:
    return House(opened=entry.number)


@notes(acts.HeldCardsReleased, acts.CardDrawnInError)
def _unseen(
    house: House, event: acts.HeldCardsReleased | acts.CardDrawnInError, entry: Entry
) -> House:
    """Note a card of the record that went to the rack, or the spread, and was seen by nobody."""
    if isinstance(event, acts.CardDrawnInError) and (
        event.disclosed or entry.before.phase in WITH_SHOE
    ):
        return house
    return replace(house, unseen_card=True)


@notes(acts.PatronSeated)
def _seated(house: House, event: acts.PatronSeated, _entry: Entry) -> House:
    house = house.without_reservation(event.seat)
    if event.seat in house.sittings:
        return house
    sitting = Sitting(house.sat + 1, event.patron)
    return replace(house, sat=house.sat + 1, sittings={**house.sittings, event.seat: sitting})


@notes(acts.SeatChanged)
def _moved(house: House, event: acts.SeatChanged, _entry: Entry) -> House:
    sittings = {
        event.to if seat == event.seat else seat: one for seat, one in house.sittings.items()
    }
    return replace(house.without_reservation(event.to), sittings=sittings)


@notes(acts.PatronLeft)
def _left(house: House, event: acts.PatronLeft, _entry: Entry) -> House:
    sittings = {seat: sitting for seat, sitting in house.sittings.items() if seat != event.seat}
    return replace(house, sittings=sittings)


@notes(acts.WagerPlaced, acts.WagersPlaced)
def _placed(house: House, event: acts.WagerPlaced | acts.WagersPlaced, entry: Entry) -> House:
    if isinstance(event, acts.WagersPlaced):
        return _with_placed(house, entry, event.seat, event.stakes)
    return _with_placed(house, entry, event.seat, {event.wager: event.cents})


@notes(acts.NoMoreBetsCalled)
def _bets_closed(house: House, _event: acts.NoMoreBetsCalled, entry: Entry) -> House:
    # The entry that a wager which none recorded is added to, until stakes are released.
    return _with_placed(house, entry, None, {})


def _with_placed(house: House, entry: Entry, seat: int | None, cents: Mapping[str, int]) -> House:
    entries = {**house.placed, entry.number: PlacedEntry(seat, cents)}
    return replace(house, placed=entries)


@notes(acts.WagerCorrected)
def _wager_corrected(house: House, event: acts.WagerCorrected, entry: Entry) -> House:
    before = house.placed[event.entry]
    if before.seat != event.seat:
        return _with_placed(house, entry, event.seat, {event.wager: event.cents})
    now = PlacedEntry(before.seat, {**before.cents, event.wager: event.cents})
    return replace(house, placed={**house.placed, event.entry: now})


@notes(acts.WagerWithdrawn, acts.LosingWagersCollected, acts.StakesKept)
def _off_the_layout(house: House, event: acts.Event, entry: Entry) -> House:
    stakes = entry.after.stakes
    entries = {}
    for number, one in house.placed.items():
        cents = {name: amount for name, amount in one.cents.items() if (one.seat, name) in stakes}
        if cents or (one.seat is None and type(event) is not acts.StakesReleased):
            entries[number] = PlacedEntry(one.seat, cents)
    return replace(house, placed=entries)


@notes(acts.StakesReleased)
def _released(house: House, event: acts.StakesReleased, entry: Entry) -> House:
    house = _off_the_layout(house, event, entry)
    before, round_ = entry.before, entry.after.round
    if before.phase is not Phase.DECIDED or round_ is None or round_.void:
        return house
    lying = tuple(_lying(seat, name, stake) for (seat, name), stake in before.stakes.items())
    meters = house.meters or hooks.meters_shown.ask(before) or {}
    # Everyone at the table: the record may lack the only wager of a patron.
    sittings = _sat(tuple(house.sittings.items()))
    hands = round_.coup.player, round_.coup.banker
    settled = SettledRound(round_.number, *hands, lying, sittings, house.added, meters=meters)
    if house.early is not None:
        rounds = dict(house.settled)
        early = rounds.pop(house.early)
        first = early.first and replace(
            settled,
            stakes=(*early.first.stakes, *settled.stakes),
            early_hands=early.first.first_cards,
        )
        settled = replace(
            settled,
            stakes=(*early.stakes, *settled.stakes),
            owing=early.owing,
            repaid=early.repaid,
            corrections=early.corrections,
            early=house.early,
            early_hands=None if early.first_cards == settled.first_cards else early.first_cards,
            first=first,
        )
        house = replace(house, settled=rounds)
    house = house.with_round(entry.number, settled)
    return replace(house, early=None, added={}, meters={})


@notes(acts.DisputeOpened, acts.DisputeDecided)
def _disputed(
    house: House, event: acts.DisputeOpened | acts.DisputeDecided, _entry: Entry
) -> House:
    disputed = {number: one for number, one in house.disputed.items() if number != event.dispute}
    if isinstance(event, acts.DisputeOpened):
        disputed[event.dispute] = (event.round, event.question)
    return replace(house, disputed=disputed)


@notes(acts.HandPayDue)
def _by_hand(house: House, event: acts.HandPayDue, entry: Entry) -> House:
    settled_round = house.settled.get(entry.number)
    if settled_round is None:
        # A correction names its awards; any other is drawn once the round is settled.
        return house if event.meter is None else drawn(house, entry, event.number)
    numbers = (*settled_round.hand_pays, (event.seat, event.wager, event.number))
    return house.with_round(entry.number, replace(settled_round, hand_pays=numbers))


def drawn(house: House, entry: Entry, *awards: int) -> House:
    """Note that the draw of the round on the layout is over, with its awards due by hand."""
    round_ = entry.before.round
    if round_ is None:
        return house
    return house.with_changed(
        round_.number, lambda one: replace(one, drawn=(*(one.drawn or ()), *awards))
    )


# Equal stakes and patrons are shared between rounds: a round of its own took 5 KB, of which 3
# repeated the one before.


@lru_cache(4096)
def _lying(seat: int, wager: str, stake: Stake) -> StakeOf:
    return seat, wager, stake


@lru_cache(1024)
def _sat(sittings: tuple[tuple[int, Sitting], ...]) -> Mapping[int, Sitting]:
    return dict(sittings)


@notes(acts.RoundVoided)
def _voided(house: House, _event: acts.RoundVoided, _entry: Entry) -> House:
    return replace(house, early=None, added={})


@notes(acts.CardMisread)
def _misread(house: House, event: acts.CardMisread, entry: Entry) -> House:
    # The shoe's count is already right.
    round_ = entry.before.round
    if event.hand is None or round_ is None or round_.simulated:
        return house
    report = (event.hand, event.ordinal, event.actual)
    return house.with_changed(
        round_.number, lambda one: replace(one, misread=(*one.misread, report))
    )


@notes(acts.SettlementCorrected)
def _corrected(house: House, event: acts.SettlementCorrected, entry: Entry) -> House:
    settled_round = house.settled_by(event.entry)
    if settled_round is None:
        return house
    changed = {(amount.seat, amount.wager) for amount in event.amounts}
    hand_pays = (
        *(hand_pay for hand_pay in settled_round.hand_pays if hand_pay[:2] not in changed),
        *((one.seat, one.wager, one.number) for one in event.amounts if one.number is not None),
    )
    hands = (event.player, event.banker) if event.winner else settled_round.corrected
    owing, forgone = dict(settled_round.owing), dict(house.forgone)
    for difference in event.differences:
        owing[difference.seat] = owing.get(difference.seat, 0) + difference.uncollected_cents
        number = settled_round.sittings[difference.seat].number
        if number in forgone:
            documented, due = forgone[number]
            due = min(max(due + event.forgone_cents(difference), 0), documented)
            forgone[number] = documented, due
    corrections = (*settled_round.corrections, entry.number)
    now = replace(with_truth(settled_round, event), corrected=hands, corrections=corrections)
    now = replace(now, meters=event.meters or now.meters, hand_pays=hand_pays, owing=owing)
    now = replace(now, first=settled_round.first or settled_round)
    return replace(house, forgone=forgone).with_round(event.entry, now)


@notes(acts.VigorishWrittenOff)
def _forgone(house: House, event: acts.VigorishWrittenOff, _entry: Entry) -> House:
    return house.with_forgone(event.seat, event.cents)


def hands_with(hands: Hands, hand: Hand, ordinal: int, actual: Card) -> Hands:
    """Return hands with the true card in a place, if the hand has it."""
    player, banker = hands
    cards = player if hand is Hand.PLAYER else banker
    true = (*cards[: ordinal - 1], actual, *cards[ordinal:])[: len(cards)]
    return (true, banker) if hand is Hand.PLAYER else (player, true)


def with_truth(round_: SettledRound, correction: acts.SettlementCorrected) -> SettledRound:
    """Settled round with its true card, stake, or payment."""
    if correction.actual is not None and correction.hand is not None:
        true = correction.hand, correction.ordinal, correction.actual
        player, banker = hands_with((round_.player, round_.banker), *true)
        early_hands = round_.early_hands and hands_with(round_.early_hands, *true)
        round_ = replace(round_, player=player, banker=banker, early_hands=early_hands)
        return replace(round_, early_hands=None) if early_hands == round_.first_cards else round_
    if correction.seat is None:
        return round_
    if correction.paid_cents is not None:
        return replace(round_, repaid=(*round_.repaid, (correction.seat, correction.wager)))
    stakes = {(seat, wager): stake for seat, wager, stake in round_.stakes}
    coupon = stakes.get((correction.seat, correction.wager), Stake(0)).coupon_cents
    stakes[correction.seat, correction.wager] = Stake(correction.stake_cents or 0, coupon)
    stakes_left = ((*key, stake) for key, stake in stakes.items() if stake.cents)
    return replace(round_, stakes=tuple(stakes_left))


@notes(acts.ShoeLoaded, acts.DiscardsReturned)
def _another_shoe(house: House, event: acts.Event, _entry: Entry) -> House:
    if isinstance(event, acts.ShoeLoaded) and house.unseen_card:
        house = replace(house, unseen_card=False)
    if not house.settled:
        return house
    return replace(house, settled={}, earlier=(*house.earlier, house.settled))
