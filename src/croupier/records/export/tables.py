"""Rows of a table log, from its events alone."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.command import EVENT_TERMS
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand, point_count, winner_name
from croupier.money.ledger import Ledger
from croupier.records.accounts import Journal, account_path
from croupier.records.codec import decode_event, dump
from croupier.records.entry import LoggedEntry
from croupier.records.header import LogHeader
from croupier.rules import TableRules
from croupier.table.elections.election_changes import rules_after
from croupier.table.house.tray import OPENING_SHIFT
from croupier.table.machine.bookkeeping import moves_money

FORMAT: Final = 3

Unit = Literal["text", "integer", "flag", "time", "date"]
Value = str | int | bool | date | None
Row = tuple[Value, ...]
Columns = dict[str, list[list[Value]]]
Cards = tuple[tuple[Card, ...], tuple[Card, ...]]


class Column(NamedTuple):
    """A column; times are UTC with milliseconds."""

    name: str
    unit: Unit
    says: str


_STREAM = Column("stream", "text", "The table and opening, as its log's header names them")
_AT = Column("recorded_at", "time", "Time of the entry")
_DAY = Column("gaming_date", "date", "Gaming day")
_OPENING = Column("opening", "integer", "Number of the table's opening in its log")
_CURRENCY = Column("currency", "text", "ISO 4217 code of the amounts")
_OF_ENTRY = (_STREAM, Column("entry", "integer", "Number of the entry"), _AT, _DAY)
_ROUND = Column("round", "integer", "Number of the round since the opening")

TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "rounds": (
        _STREAM,
        _OPENING,
        _DAY,
        Column("shoe", "integer", "Number of the shoe since the opening"),
        _ROUND,
        Column("first_entry", "integer", "Entry that called no more bets"),
        Column("last_entry", "integer", "Entry that cleared the layout"),
        Column("began_at", "time", "Time of the call"),
        Column("ended_at", "time", "Time of the clearing"),
        Column("player", "text", "Cards of Player's Hand, such as 9h 8d, as discarded"),
        Column("banker", "text", "Cards of Banker's Hand, as discarded"),
        Column("player_count", "integer", "Point Count of Player's Hand, as announced"),
        Column("banker_count", "integer", "Point Count of Banker's Hand, as announced"),
        Column("winner", "text", "player, banker, or tie, as announced; null if void"),
        Column("simulated", "flag", "Whether it was a simulated round without wagers"),
        Column("void", "flag", "Whether all wagers were void"),
        Column("dealer", "text", "Who dealt at its end"),
        Column("shift", "text", "Shift in which it ended"),
        Column("table", "text", "Name of the table in its submission; without one, its stream"),
    ),
    "wagers": (
        _STREAM,
        _OPENING,
        _DAY,
        _ROUND,
        Column("entry", "integer", "Entry that cleared the layout, or that corrected the wager"),
        _AT,
        Column("seat", "integer", "Seat"),
        Column("patron", "text", "Who sat there when no more bets was called"),
        Column("wager", "text", "Wager id"),
        Column("stake_cents", "integer", "Chips staked"),
        Column("coupon_cents", "integer", "Coupon staked with them"),
        Column("outcome", "text", "win, lose, push, void, or correction"),
        Column("line", "text", "Line of the pay table that won"),
        Column("paid_cents", "integer", "Winnings paid or due by hand"),
        Column("vigorish_cents", "integer", "Vigorish collected or marked"),
        Column(
            "net_cents",
            "integer",
            "Result for the patron, with what is owed; coupons count as nothing",
        ),
        Column("meter", "text", "Progressive meter that paid it"),
        _CURRENCY,
    ),
    "entries": (
        *_OF_ENTRY,
        Column("persons", "text", "Who gave the command, joined by semicolons"),
        Column("offices", "text", "Their offices"),
        Column("seat", "integer", "Seat of a patron who gave it"),
        Column("command", "text", "Type of the command"),
        Column("events", "text", "Types of its events, joined by spaces"),
        Column("corrects", "integer", "Entry that it corrects"),
        Column("key", "text", "Idempotency key"),
    ),
    "irregularities": (
        *_OF_ENTRY,
        _OPENING,
        Column("round", "integer", "Round it is about; between rounds, the one that follows"),
        Column("dealer", "text", "Dealer when it was recorded"),
        Column("shift", "text", "Shift when it was recorded"),
        Column("kind", "text", "What went wrong, once for each entry; null for a consequence"),
        Column("event", "text", "Type of the event"),
        Column("card", "text", "Card concerned"),
        Column("clauses", "text", "Clauses behind it, joined by spaces"),
        Column("fields", "text", "The event as JSON"),
    ),
    "postings": (
        *_OF_ENTRY,
        Column("event", "text", "Event that moved the money"),
        Column("group", "text", "Table, Patrons, Meters, or Outside"),
        Column("account", "text", "Account"),
        Column("cents", "integer", "Change of its balance"),
        _CURRENCY,
    ),
}


_IRREGULAR: Final = {
    kind: terms.irregular for kind, terms in EVENT_TERMS.items() if terms.irregular is not None
}
_ENDS: Final = frozenset({acts.LayoutCleared, acts.RoundVoided})
_NOTED: Final = frozenset({
    acts.TableOpened, acts.DuplicatesForwarded, acts.OfficeRelieved, acts.OfficeAssigned,
    acts.ShiftChanged, acts.ShoeLoaded, acts.PatronSeated, acts.SeatChanged, acts.NoMoreBetsCalled,
    acts.SimulatedRoundBegun, acts.ElectionsAdopted,
})  # fmt: skip
"""Events that rows of later entries need."""
_OF_ROUND: Final = frozenset({
    acts.AwardPaid, acts.CardDealt, acts.HandPayDue, acts.LosingWagersCollected,
    acts.ResultAnnounced, acts.RoundVoided, acts.StakesKept, acts.StakesReleased,
    acts.VigorishCollected, acts.VigorishMarked, acts.WagerPaid,
})  # fmt: skip
"""Events that the rows of their round need."""
_SEEN: Final = _NOTED | _ENDS | _IRREGULAR.keys() | {acts.SettlementCorrected}
"""Events of which more is needed than that their round has them."""
_STAKES: Final = frozenset({acts.LosingWagersCollected, acts.StakesKept, acts.StakesReleased})
_PAID: Final = frozenset({acts.WagerPaid, acts.AwardPaid, acts.HandPayDue})
_AMOUNTS: Final = _STAKES | _PAID | {acts.VigorishMarked, acts.VigorishCollected}


@lru_cache(4096)
def _uses(*kinds: type[acts.Event]) -> tuple[str, bool, bool, bool]:
    """Return the names of events, and whether their round, a row, or the journal needs any."""
    is_money = any(moves_money(kind) or kind is acts.DuplicatesForwarded for kind in kinds)
    names = " ".join(kind.__name__ for kind in kinds)
    return names, not _OF_ROUND.isdisjoint(kinds), not _SEEN.isdisjoint(kinds), is_money


class _Settled(Struct):
    cents: int = 0
    coupon: int = 0
    outcome: str = ""
    returned: bool = False
    line: str | None = None
    paid: int = 0
    meter: str | None = None


class _Round(dict[tuple[int, str], _Settled]):
    def __missing__(self, place: tuple[int, str]) -> _Settled:
        self[place] = settlement = _Settled()
        return settlement

    def settle(self, event: Any) -> None:
        kind = type(event)
        if kind in _PAID:
            settlement = self[event.seat, event.wager]
            settlement.paid += event.cents
            settlement.line = event.line
            if kind is not acts.WagerPaid:
                settlement.meter = event.meter
        elif kind in _STAKES:
            for stake in event.stakes:
                settlement = self[stake.seat, stake.wager]
                settlement.cents, settlement.coupon = stake.cents, stake.coupon_cents
                if kind is acts.StakesReleased:
                    settlement.outcome, settlement.returned = stake.outcome, True
                    settlement.line = stake.line or settlement.line
                else:
                    settlement.outcome = "win" if kind is acts.StakesKept else "lose"


def _bearing(rules: TableRules) -> frozenset[str]:
    return frozenset(name for name, offer in rules.offers.items() if offer.wager.bears_vigorish)


def _actor_cells(actors: Sequence[Any]) -> Row:
    if not actors:
        return None, None, None
    if len(actors) == 1:
        return actors[0].person or None, actors[0].office or None, actors[0].seat
    return (
        "; ".join([actor.person for actor in actors]) or None,
        "; ".join([actor.office for actor in actors]) or None,
        next((actor.seat for actor in actors if actor.seat is not None), None),
    )


class TablesState(Struct, array_like=True):
    """What rows need of the entries before them; events as data."""

    day: date | None = None
    dealer: str | None = None
    shoe: int = 0
    round: int = 0
    shift: str = OPENING_SHIFT
    patrons: dict[int, str] = field(default_factory=dict)
    began: tuple[int, str] = (0, "")
    gathered: list[Any] = field(default_factory=list)
    adopted: list[Any] = field(default_factory=list)
    balances: dict[str, int] | None = None
    opened_with_cents: int = 0
    booked: date | None = None
    disputes: dict[int, int] = field(default_factory=dict)
    opening: int = 0
    bettors: dict[int, str] = field(default_factory=dict)
    current: int = 1
    """The round under way, or between rounds the one that follows."""


class LogTables:
    def __init__(
        self,
        header: LogHeader,
        tables: Sequence[str] = tuple(TABLES),
        state: TablesState | None = None,
    ) -> None:
        state = state or TablesState()
        self._stream = header.stream
        self._rules: TableRules = header.rules
        self._table = header.rules.submission.layout.table or header.stream
        self._currency = header.rules.law.currency.code
        self._bearing = _bearing(header.rules)
        self._tables = frozenset(tables)
        books = header.opening.ledger
        if state.balances is not None:
            books = Ledger(state.balances, state.opened_with_cents)
        self._journal = Journal(books, header.opening.state.gaming_date, state.booked)
        self._now = replace(state, patrons=dict(state.patrons), disputes=dict(state.disputes))
        self._gathered: list[acts.Event] = [*map(decode_event, state.gathered)]
        self._adopted: list[acts.Event] = []
        for event in map(decode_event, state.adopted):
            self._note(event, 0, "")
        self._cells: dict[str, list[Value]] = {name: [] for name in tables}
        """Row after row: lists of rows would be walked by the garbage collector again and again."""

    @property
    def state(self) -> TablesState:
        books, state = self._journal.books, self._now
        return replace(
            state, patrons=dict(state.patrons), disputes=dict(state.disputes),
            booked=self._journal.day,
            gathered=[event.to_dict() for event in self._gathered],
            adopted=[event.to_dict() for event in self._adopted],
            balances=dict(books.balances) if "postings" in self._tables else None,
            opened_with_cents=books.opened_with_cents,
        )  # fmt: skip

    def follow(self, entry: LoggedEntry) -> None:
        names, of_round, is_written, has_money = _uses(*map(type, entry.events))
        kinds = 0
        if of_round or is_written:
            for event in entry.events:
                if type(event) in _OF_ROUND:
                    self._gathered.append(event)
                if type(event) in _SEEN:
                    kinds += self._see(event, entry, is_first=not kinds)
        if "entries" in self._tables:
            self._cells["entries"] += (
                self._stream, entry.seq, entry.at, self._now.day, *_actor_cells(entry.by),
                type(entry.command).__name__, names, entry.corrects, entry.key,
            )  # fmt: skip
        if (has_money or self._journal.day is None) and "postings" in self._tables:
            self._post(entry)
        if is_written and any(type(event) in _ENDS for event in entry.events):
            self._end_round(entry)

    def _see(self, event: acts.Event, head: LoggedEntry, *, is_first: bool) -> bool:
        """Add an event's rows; return whether one counts an irregularity."""
        if type(event) in _NOTED:
            self._note(event, head.seq, head.at)
        if isinstance(event, acts.DisputeOpened):
            self._now.disputes[event.dispute] = event.round
        if isinstance(event, acts.SettlementCorrected) and "wagers" in self._tables:
            self._correct(head, event)
        if type(event) not in _IRREGULAR or "irregularities" not in self._tables:
            return False
        kind = _IRREGULAR[type(event)] or None if is_first else None
        self._cells["irregularities"] += self._irregularity(head, kind, event)
        return kind is not None

    def round_of(self, event: acts.Event) -> int:
        """Return the number of the round that an event is about, which may be an earlier one."""
        if isinstance(event, acts.DisputeDecided):
            return self._now.disputes.get(event.dispute, 0)
        if getattr(event, "simulated", False):
            return self._now.current
        return getattr(event, "round", 0) or self._now.current

    def take(self) -> Columns:
        """Return and clear the rows, as columns.

        Raises ``OverflowError`` for an integer of more than 64 bits, which no format holds.
        """
        columns = {
            name: [cells[index :: len(TABLES[name])] for index in range(len(TABLES[name]))]
            for name, cells in self._cells.items()
        }
        self._cells = {name: [] for name in self._cells}
        for name, table in columns.items():
            for info, column in zip(TABLES[name], table, strict=True):
                if info.unit == "integer":
                    integers: Any = [*filter(None, column)]
                    array("q", integers)  # Refuses what has more.
        return columns

    def _post(self, entry: LoggedEntry) -> None:
        cells = self._cells["postings"]
        for booking in self._journal.follow(entry):
            for account, cents in booking.legs.items():
                cells += (
                    self._stream, booking.entry, booking.at, booking.day, booking.event,
                    account_path(account)[0], account, cents, self._currency,
                )  # fmt: skip

    def _note(self, event: acts.Event, seq: int, time: str) -> None:
        match event:
            case acts.TableOpened(gaming_date=day, dealer=dealer):
                self._now.day, self._now.dealer, self._now.round = day, dealer, 0
                self._now.shift, self._now.opening = OPENING_SHIFT, self._now.opening + 1
                self._now.current = 1
            case acts.ShiftChanged(shift=shift):
                self._now.shift = shift
            case acts.DuplicatesForwarded(next_date=next_date) if next_date is not None:
                self._now.day = next_date
            case acts.OfficeRelieved(office="dealer") | acts.OfficeAssigned(office="dealer"):
                self._now.dealer = event.person
            case acts.ShoeLoaded(shoe=shoe):
                self._now.shoe = shoe
            case acts.PatronSeated(seat=seat, patron=name) | acts.SeatChanged(to=seat, patron=name):
                self._now.patrons[seat] = name
            case acts.NoMoreBetsCalled(round=number):
                self._now.round = self._now.current = number
                self._now.began = seq, time
                # Another patron may sit down before the layout is cleared.
                self._now.bettors = dict(self._now.patrons)
                # Stakes returned before the call are no wagers of the round.
                self._gathered.clear()
            case acts.SimulatedRoundBegun():
                self._now.began = (seq, time)
            case acts.ElectionsAdopted():
                self._adopted.append(event)
                self._rules = rules_after(self._rules, (event,))
                self._bearing = _bearing(self._rules)

    def _end_round(self, entry: LoggedEntry) -> None:
        for event in entry.events:
            if isinstance(event, acts.LayoutCleared):
                is_simulated, cards = event.simulated, (event.player, event.banker)
            elif isinstance(event, acts.RoundVoided) and event.reshuffle:
                dealt = [event for event in self._gathered if isinstance(event, acts.CardDealt)]
                player, banker = (tuple(d.card for d in dealt if d.hand is hand) for hand in Hand)
                is_simulated, cards = event.simulated, (player, banker)
            else:
                continue
            is_void = any(
                type(event) is acts.RoundVoided and event.simulated is is_simulated
                for event in self._gathered
            )
            if "rounds" in self._tables:
                row = self._round_row(entry, cards, simulated=is_simulated, void=is_void)
                self._cells["rounds"] += row
            if not is_simulated and "wagers" in self._tables:
                self._settle(entry, is_void=is_void)
            if not is_simulated:
                self._now.current = self._now.round + 1
            self._gathered.clear()

    def _round_row(self, entry: LoggedEntry, cards: Cards, *, simulated: bool, void: bool) -> Row:
        counts = [point_count(hand) if hand else None for hand in cards]
        winner = None
        for event in self._gathered:
            if type(event) is acts.ResultAnnounced and not void:
                # A card that was found to be another one later is among the cards as it was.
                counts = [event.player_count, event.banker_count]
                winner = winner_name(event.winner)
        return (
            self._stream, self._now.opening, self._now.day, self._now.shoe, self._now.current,
            self._now.began[0], entry.seq, self._now.began[1] or None, entry.at,
            *(" ".join(card.notation for card in hand) or None for hand in cards), *counts,
            winner, simulated, void, self._now.dealer, self._now.shift, self._table,
        )  # fmt: skip

    def _settle(self, entry: LoggedEntry, *, is_void: bool) -> None:
        settlements = _Round()
        vigorish: dict[int, int] = {}
        names = self._now.patrons | self._now.bettors
        for event in self._gathered:
            if type(event) not in _AMOUNTS:
                continue
            if type(event) is acts.VigorishMarked or (
                type(event) is acts.VigorishCollected and not event.deferred
            ):
                vigorish[event.seat] = vigorish.get(event.seat, 0) + event.cents
            else:
                settlements.settle(event)
        for (seat, wager), bet in settlements.items():
            vigorish_cents = vigorish.pop(seat, 0) if wager in self._bearing else 0
            net = bet.paid - vigorish_cents - (0 if bet.returned else bet.cents)
            outcome = "void" if is_void else bet.outcome
            self._cells["wagers"] += (
                self._stream, self._now.opening, self._now.day, self._now.round, entry.seq,
                entry.at, seat, names.get(seat), wager, bet.cents, bet.coupon, outcome,
                bet.line, bet.paid, vigorish_cents, net, bet.meter, self._currency,
            )  # fmt: skip

    def _correct(self, entry: LoggedEntry, event: acts.SettlementCorrected) -> None:
        for one in event.differences:
            self._cells["wagers"] += (
                self._stream, self._now.opening, self._now.day, event.round, entry.seq, entry.at,
                one.seat, one.patron, event.wager or None, 0, 0, "correction", None, one.cents,
                one.vigorish_cents + one.marked_cents, one.net_cents, None, self._currency,
            )  # fmt: skip

    def _irregularity(self, head: LoggedEntry, kind: str | None, event: acts.Event) -> Row:
        card = getattr(event, "card", None) or getattr(event, "actual", None)
        return (
            self._stream, head.seq, head.at, self._now.day, self._now.opening,
            self.round_of(event), self._now.dealer, self._now.shift, kind,
            type(event).__name__,
            card.notation if isinstance(card, Card) else None, " ".join(event.clauses),
            dump(event).decode(),
        )  # fmt: skip
