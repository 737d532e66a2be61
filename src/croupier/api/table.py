"""A table opened by one call, ready for wagers, and recorded if wanted."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time
from functools import partial
from inspect import iscoroutinefunction
from itertools import islice
from pathlib import Path
from typing import Any, Never, Self

from msgspec import Struct

from croupier import acts as commands
from croupier.acts import Command
from croupier.api.figures import RoundOdds
from croupier.api.rules import GameRules
from croupier.baccarat import cards as notation
from croupier.baccarat.cards import Card, Cards
from croupier.files.arguments import checks_types
from croupier.odds.chances import chances, chances_data
from croupier.odds.knowledge import known_at
from croupier.records.chain import decode_entry
from croupier.records.codec import checked, checked_stamp
from croupier.records.entry import entry_head, system_clock
from croupier.records.header import LogError, new_header
from croupier.records.log import Resumed, begin_log, resume_stream
from croupier.records.recorder import Recorder
from croupier.records.stores.places import is_store, open_store, open_stream, record_named
from croupier.records.stores.store import Store
from croupier.records.stores.stream import StoreError
from croupier.scenarios import plainest
from croupier.table import Phase
from croupier.table.machine.core import Action, Events, Refusal
from croupier.table.machine.offered import Act
from croupier.table.machine.position import Actor, Proposal, Stamp
from croupier.table.machine.session import Clock, KeyReusedError, RefusedError, TableSession

__all__ = [
    "Act", "Action", "Actor", "Card", "KeyReusedError", "LiveTable", "Refusal", "RefusedError",
    "Stamp", "Store", "StoreError", "TableEntry", "open_store", "open_table", "parse_cards",
    "resume_table",
]  # fmt: skip

_INVENTORY_CENTS = 100_000_000
_MOST_STEPS = 2000
_SHUFFLE = "cards of a program"
Place = str | os.PathLike[str]


class TableEntry(Struct, frozen=True):
    """A command carried out at a table, with its events; ``at`` is its time in UTC."""

    sequence: int
    at: datetime | None
    command: Command
    events: Events


class LiveTable(TableSession):
    """A table in use, made by ``open_table`` or ``resume_table``; as a context, it is closed."""

    def __init__(
        self,
        rules: GameRules,
        recorder: Recorder | None = None,
        clock: Clock | None = None,
        found: Resumed | None = None,
    ) -> None:
        resumed: Any = {}
        if found is not None and recorder is not None:
            resumed = {"position": found.position, "answered": found.answered(recorder)}
        clock = None if clock is None else _record_clock(clock)
        super().__init__(rules.table, record=recorder, clock=clock, **resumed)
        self._recorder = recorder
        self._heard: dict[Callable[[TableEntry], object], int] = {}
        """The last entry that each subscriber needs no more."""
        self._untold: deque[TableEntry] = deque()

    @property
    def sequence(self) -> int:
        """The number of the last entry."""
        return self.position.sequence

    @property
    def game_rules(self) -> GameRules:
        """The rules in force, with every election adopted since the table was opened."""
        return GameRules(self.rules)

    @property
    def head(self) -> str | None:
        """The seal of the record's last line, if there is a record; a copy exposes changes."""
        return None if self._recorder is None else self._recorder.head

    def propose(self, command: Command, stamp: Stamp | None = None) -> Proposal | Refusal:
        return super().propose(checked(command), checked_stamp(stamp))

    def try_execute(self, command: Command, stamp: Stamp | None = None) -> Events | Refusal:
        """Carry out a command if permitted, and return its events or the refusal.

        A card may be text. Commands of several threads are carried out one after another. Raises
        ``TypeError``, which names every field of another type, ``ValueError`` for an empty key,
        and ``KeyReusedError`` for the key of another command.
        """
        return super().try_execute(checked(command), checked_stamp(stamp))

    def odds(self) -> RoundOdds:
        """Return the exact odds of every wager from the cards that are face up now.

        Raises ``ShoeError`` without a shoe in play.
        """
        rules = self.rules
        shoe, knowledge, unseen_count = known_at(self.state, rules)
        odds_of_wagers = chances(rules, shoe, knowledge)
        return RoundOdds(chances_data(rules, shoe, knowledge, odds_of_wagers, unseen=unseen_count))

    @checks_types
    def entries(self, after: int = 0) -> Iterator[TableEntry]:
        """Yield the recorded entries after a number.

        Raises ``ValueError`` without a record, and for a number after the last entry.
        """
        recorder = self._recorder
        if recorder is None:
            raise ValueError("no record is in use: open one by record=, or by resume_table")
        if after > recorder.sequence:
            raise ValueError(
                f"after is {after}, but {recorder.stream.name} ends with entry"
                f" {recorder.sequence}: it is another record, or an older copy"
            )
        lines = recorder.stream.lines(max(after - recorder.before, 0) + 1)
        recorded = islice(lines, recorder.sequence - after)
        for entry in map(decode_entry, filter(None, map(entry_head, recorded))):
            at = datetime.fromisoformat(entry.at)
            yield TableEntry(entry.seq, at, entry.command, entry.events)

    @checks_types
    def subscribe(
        self, listener: Callable[[TableEntry], object], *, after: int | None = None
    ) -> Callable[[], None]:
        """Call a listener with each entry from now on, and return a function that ends this.

        With ``after``, it is called first with each recorded entry after that number. Every
        listener gets every entry once, in order, in the thread that executed the command: one that
        executes a command itself is called with that entry afterwards. Exceptions of listeners
        leave ``execute`` when all were called, after the command was carried out and recorded;
        several as an ``ExceptionGroup``. Raises ``ValueError`` as ``entries`` does, and
        ``TypeError`` for a coroutine function.
        """
        if iscoroutinefunction(listener) or iscoroutinefunction(type(listener).__call__):
            raise TypeError(f"listener is {listener!r}: give a function that needs no await")
        with self._lock:
            while after is not None:
                last = after
                for entry in self.entries(after):
                    listener(entry)
                    last = entry.sequence
                after = last if last > after else None
            recorder, subscriber = self._recorder, partial(listener)
            self._heard[subscriber] = self.sequence if recorder is None else recorder.sequence

        def stop() -> None:
            self._heard.pop(subscriber, None)

        return stop

    def _tell(self, proposal: Proposal) -> None:
        super()._tell(proposal)
        at, failures = proposal.after, list[Exception]()
        self._untold.append(TableEntry(at.sequence, at.at, proposal.command, proposal.events))
        if len(self._untold) > 1:
            return  # A listener gave the command: all hear of the entry after that of its own.
        try:
            while self._untold:
                entry = self._untold[0]
                for subscriber in tuple(self._heard):
                    if self._heard.get(subscriber, entry.sequence) < entry.sequence:
                        self._heard[subscriber] = entry.sequence
                        try:
                            subscriber(entry)
                        except Exception as error:  # noqa: BLE001  (the others hear of it, too)
                            failures.append(error)
                self._untold.popleft()
        finally:
            self._untold.clear()
        if len(failures) > 1:
            raise ExceptionGroup("listeners of a table", failures)
        if failures:
            raise failures[0]

    def __reduce__(self) -> Never:
        raise TypeError(
            "a table in use is neither copied nor pickled: resume_table goes on from its record"
        )

    def close(self) -> None:
        """Close the record, with its last line if the table is closed; it can be resumed if not.

        Raises ``StoreError`` if that line cannot be written.
        """
        with self._lock:
            recorder, self._recorder = self._recorder, None
        if recorder is not None:
            try:
                if self.state.phase is Phase.CLOSED and self.position.house.opened:
                    recorder.finish()
            finally:
                recorder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _record_clock(clock: Clock) -> Clock:
    """Return a clock whose times are as a record has them: in UTC and whole milliseconds."""

    def read() -> datetime:
        at = clock()
        if not isinstance(at, datetime):
            raise TypeError(f"clock: {at!r} is not a datetime")
        if at.tzinfo is None:
            raise ValueError(
                f"clock: {at} has no time zone; return a time with tzinfo, such as UTC"
            )
        return at.astimezone(UTC).replace(microsecond=at.microsecond // 1000 * 1000)

    return read


def parse_cards(cards: Cards) -> tuple[Card, ...]:
    """Return the cards of a text, of a card, or of a sequence of either.

    Raises ``ValueError`` for text that names no cards, and ``TypeError`` for anything else.
    """
    return notation.parse_cards(notation.cards_text(cards))


@checks_types
def open_table(  # noqa: PLR0913  (what a table is opened with)
    rules: GameRules,
    patrons: Mapping[int, int] | None = None,
    *,
    gaming_date: date | None = None,
    inventory_cents: int = _INVENTORY_CENTS,
    record: Place | Store | None = None,
    table: str | None = None,
    clock: Clock | None = None,
) -> LiveTable:
    """Open a table, seat patrons with chips, prepare a shoe, and advance to the first wagers.

    ``patrons`` are chips in cents by seat; without any, the table waits where the procedure needs
    one. The procedure takes its simplest course: patrons accept the cut, and an ace and a two are
    burned. Afterwards, pass cards and wagers as commands (``croupier.commands``) to ``execute``.
    The gaming date defaults to the first day on which the law was in force.

    ``record`` is a new log file, a store of many tables if its name ends in ``.sqlite``, or a store
    that ``open_store`` returned; missing folders are created. Each entry is durable before
    ``execute`` returns. ``table`` names the record in a store. ``clock`` returns the time of an
    entry, with a time zone; the default for a record is the system's clock.

    Raises ``RefusedError`` for a seat, an amount or a date that the table refuses, ``LogError`` for
    a record that cannot be created, and ``ValueError`` for a time without a time zone.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    >>> table = croupier.open_table(rules, {3: 100_000})
    >>> events = table.execute(croupier.commands.PlaceWager(3, "banker", 10_000))
    >>> table.state.phase.name, table.state.seats[3].chips_cents
    ('BETTING', 90000)
    """
    if table is not None and (record is None or not table):
        raise LogError("table: give a name with the store in record, or leave it out")
    if record is None:
        return _prepare(LiveTable(rules, clock=clock), patrons or {}, gaming_date, inventory_cents)
    recorder = _begin_record(rules, record, table)
    try:
        live_table = LiveTable(rules, recorder, clock or system_clock)
        with live_table.together():
            return _prepare(live_table, patrons or {}, gaming_date, inventory_cents)
    except BaseException:
        recorder.stream.discard()
        raise


def _begin_record(rules: GameRules, record: Place | Store, table: str | None) -> Recorder:
    if isinstance(record, str | os.PathLike):
        path = Path(record)
        if os.path.exists(path) and not is_store(path):  # noqa: PTH110  (False for any bad name)
            raise LogError(f"{path}: the file exists: give another name, or call resume_table")
        return begin_log(path, rules.table, shuffle=_SHUFFLE, table=table)[0]
    name = table or rules.table.submission.layout.table
    try:
        return Recorder.begin(record.create(name), new_header(rules.table, _SHUFFLE))
    except StoreError as error:
        raise LogError(str(error)) from error


def _prepare(
    session: LiveTable, patrons: Mapping[int, int], gaming_date: date | None, inventory_cents: int
) -> LiveTable:
    do, rules = session.execute, session.rules
    day = rules.law.in_force_from if gaming_date is None else gaming_date
    do(commands.OpenTable(inventory_cents, "Dealer", "Floorperson", day))
    if rules.applies("forms.prepared"):
        do(commands.ReceiveForms("Pit clerk", 1, 100))
    if rules.applies("decks.change"):
        do(commands.RecordTime(datetime.combine(day, time(), UTC)))
    for seat, cents in patrons.items():
        do(commands.SeatPatron(seat, f"Patron {seat}"))
        do(commands.BuyChips(seat, cents))
    for _ in range(_MOST_STEPS):
        action = session.due()
        if session.state.phase is Phase.BETTING and (
            action is None or action.command is commands.CallNoMoreBets
        ):
            return session
        if action is None and not patrons:
            return session
        if action is None:
            break
        do(plainest(session.state, session.rules, action))
    raise RuntimeError(f"the table cannot be made ready: it is {session.state.phase.value}")


@checks_types
def resume_table(
    record: Place | Store, *, table: str | None = None, clock: Clock | None = None
) -> LiveTable:
    """Continue a table from its record, exactly where it ends.

    ``table`` names the record in a store of several. Raises ``LogError`` for a record that cannot
    be read, that was changed since it was written, or whose table is closed.
    """
    try:
        if isinstance(record, str | os.PathLike):
            stream = open_stream(Path(record), table)
        else:
            stream = record.open(record_named(record.path, record.names, table))
        resumed = resume_stream(stream, is_whole=True)
    except StoreError as error:
        raise LogError(str(error)) from error
    rules, recorder = GameRules(resumed.header.rules), resumed.recorder(stream)
    return LiveTable(rules, recorder, clock or system_clock, resumed)
