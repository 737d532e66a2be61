"""``croupier decks``: the life of each set of decks, over the logs of tables and gaming days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
from msgspec import Struct, field

from croupier import acts
from croupier.baccarat.cards import DECK_SIZE
from croupier.cli.common.files import document_options, give, record_file
from croupier.cli.common.output import command_line, exit_unless
from croupier.cli.records.documents import FollowedSet, FollowedSets, GapOfSet, StepOfSet
from croupier.cli.records.found_rounds import read_each
from croupier.files.streams import say
from croupier.law.usage import counted
from croupier.records.entry import LoggedEntry
from croupier.records.narration import narrate
from croupier.records.reader import LogReader
from croupier.reports.found_rounds import decks_tree
from croupier.rules.documents import fields_of, made
from croupier.table.cards.out_of_use import RetiredDecks, records_removed
from croupier.table.people.seating import name_key

_OF_SETS: Final = frozenset({
    acts.CardsReceived, acts.CardsInspected, acts.CardsVerified, acts.CardsRejected,
    acts.ShoeLoaded, acts.ShoeFoundEmpty, acts.WrongCardFound, acts.CardHeld,
    acts.HeldCardsReleased, acts.DecksOrdered, acts.CardsRemoved, acts.DecksSealed,
    acts.DecksExamined, acts.DecksDestroyed, acts.TableClosed,
})  # fmt: skip
_AWAY: Final = "put away"


class _Noted(Struct, frozen=True):
    at: str
    log: LogReader
    gaming_date: str
    entry: LoggedEntry
    events: tuple[acts.Event, ...]


class _Set(Struct):
    name: str
    cards: int = 0
    shoes: int = 0
    status: str = "in use"
    in_use_at: str = ""
    envelope: str = ""
    was_removed: bool = False
    ordered_by: list[str] = field(default_factory=list)
    gaps: list[GapOfSet] = field(default_factory=list)
    life: list[StepOfSet] = field(default_factory=list)

    def add_gap(self, gap: str, text: str, table: _Table, entry: int) -> None:
        self.gaps.append({"gap": gap, "says": text, "table": table.name, "entry": entry})


class _Table(Struct):
    name: str
    current: _Set | None = None
    last: int = 0
    unnamed: int = 0
    removed: dict[int, _Set] = field(default_factory=dict)
    unsealed: dict[int, int] = field(default_factory=dict)
    """The entry at which each set that is not sealed was removed."""


@click.command("decks")
@click.argument("records", metavar="LOG|STORE...", nargs=-1, required=True, type=record_file)
@document_options()
def decks(records: Sequence[Path], output_format: str) -> None:
    """Follow each set of decks over tables and gaming days.

    Shows when each set was received, inspected, dealt from, ordered off, removed, sealed, examined,
    and destroyed, by whom, and where cards held for a hand went. A set has a gap if it was removed
    and not sealed, was at two tables at once, came back after its removal, was sealed with cards
    missing or too many, was found with a broken seal, or shares its envelope with another set. Give
    all logs of a store: sets are followed by name, and without one at their table alone. Exit
    status: 1 if a set has a gap, or lines of a log were changed since they were sealed.
    """

    def noted(log: LogReader) -> Iterator[_Noted]:
        yield from _noted(log)
        if log.torn is not None:
            say(f"{log.path}:{log.torn}: the line breaks off, and is left out")

    follower = _Followed()
    # A log may begin at the moment at which the one that it continues ends.
    for item in sorted(read_each(records, noted), key=lambda one: (one.at, one.log.header.before)):
        follower.take(item)
    followed_sets = [*follower.ended()]
    document: FollowedSets = {
        "format": "croupier-decks/1",
        **made(command_line()),
        "sets": followed_sets,
        "gaps": sum(len(followed_set["gaps"]) for followed_set in followed_sets),
    }
    give(document, decks_tree, output_format)
    exit_unless(not document["gaps"])


def _noted(log: LogReader) -> Iterator[_Noted]:
    day, is_first = str(log.header.opening.state.gaming_date), True
    for _, entry in log.entries():
        for event in entry.events:
            if isinstance(event, acts.TableOpened):
                day = str(event.gaming_date)
        events = tuple(event for event in entry.events if type(event) in _OF_SETS)
        # The first entry brings what the log continues.
        if events or is_first:
            yield _Noted(entry.at, log, day, entry, events)
        is_first = False


class _Followed:
    def __init__(self) -> None:
        self._tables: Final[dict[str, _Table]] = {}
        self._named: Final[dict[str, _Set]] = {}
        self._sets: Final[list[_Set]] = []
        self._envelopes: Final[dict[str, _Set]] = {}
        self._begun: Final[set[str]] = set()

    def take(self, item: _Noted) -> None:
        table, last_set = self._table_of(item.log), None
        for event in item.events:
            # Cards held for a hand are released after their set was removed, in one entry.
            moved_set = self._moved(table, event, item) or last_set
            last_set = moved_set
            if moved_set is not None:
                moved_set.life.append(_step(table, event, item))

    def _table_of(self, log: LogReader) -> _Table:
        layout = log.header.rules.submission.layout
        name = layout.table or log.header.stream
        name += f" (pit {layout.pit})" if layout.pit else ""
        table = self._tables.setdefault(name, _Table(name))
        if log.header.stream not in self._begun:
            self._begun.add(log.header.stream)
            self._carried(table, log)
        return table

    def _carried(self, table: _Table, log: LogReader) -> None:
        """Add what the logs that are continued recorded of sets, unless they were followed."""
        retired_decks = log.header.opening.state[RetiredDecks]
        for number, former in retired_decks.sets.items():
            if number <= table.last:
                continue
            found = self._set(former.name, table)
            found.cards, found.shoes, found.envelope = former.cards, former.shoes, former.envelope
            found.status, found.was_removed = "sealed" if former.envelope else "removed", True
            found.status = "kept" if former.kept else found.status
            table.removed[number] = found
            if not former.envelope and records_removed(log.header.rules):
                table.unsealed[number] = log.header.before
        for name in filter(name_key, retired_decks.gone):
            if name_key(name) not in self._named:
                self._set(name, table).was_removed = True
        for name, shoes in retired_decks.shoes.items():
            if table.current is None or (name and name_key(name) not in self._named):
                found = self._set(name, table)
                found.shoes, found.status = shoes, _AWAY
                table.current = table.current if name else found
        table.last = max(table.last, retired_decks.last)

    def _set(self, name: str, table: _Table) -> _Set:
        key = name_key(name)
        if key in self._named:
            return self._named[key]
        table.unnamed += not key
        deck_set = _Set(name or f"{table.name}, set {table.unnamed} without a name")
        self._sets.append(deck_set)
        if key:
            self._named[key] = deck_set
        return deck_set

    def _moved(self, table: _Table, event: acts.Event, item: _Noted) -> _Set | None:
        deck_set, number = table.current, item.entry.seq
        match event:
            case acts.CardsReceived(name=name, decks=count):
                if name or deck_set is None or deck_set.status != _AWAY:
                    deck_set = table.current = self._set(name, table)
                _received(deck_set, table, number)
                deck_set.cards = count * DECK_SIZE
            case acts.CardsRemoved() | acts.CardsRejected() if deck_set is not None:
                table.last, table.current = table.last + 1, None
                deck_set.status, deck_set.in_use_at, deck_set.was_removed = "removed", "", True
                table.removed[table.last] = deck_set
                if records_removed(item.log.header.rules):
                    table.unsealed[table.last] = number
            case acts.DecksSealed() | acts.DecksExamined() | acts.DecksDestroyed():
                deck_set = table.removed.get(event.removed)
                if deck_set is not None:
                    self._sealed(deck_set, table, event, number)
            case acts.ShoeLoaded() if deck_set is not None:
                deck_set.shoes += 1
            case acts.DecksOrdered(supervisor=person) if deck_set is not None:
                deck_set.ordered_by.append(person)
            case acts.TableClosed() if deck_set is not None:
                deck_set.status, deck_set.in_use_at = _AWAY, ""
        return deck_set

    def _sealed(self, deck_set: _Set, table: _Table, event: acts.Event, number: int) -> None:
        match event:
            case acts.DecksSealed(envelope=envelope, missing=missing):
                other_set = self._envelopes.setdefault(name_key(envelope), deck_set)
                if other_set is not deck_set:
                    text = f"envelope {envelope} has {other_set.name} too"
                    deck_set.add_gap("envelope used twice", text, table, number)
                if missing:
                    how = "missing" if missing > 0 else "too many"
                    text = f"{counted(abs(missing), 'card')} {how}"
                    deck_set.add_gap("count differs", text, table, number)
                deck_set.envelope, deck_set.status = envelope, "sealed"
                table.unsealed.pop(event.removed, None)
            case acts.DecksExamined(intact=intact, keep=keep):
                if not intact:
                    text = "surveillance found the seal broken"
                    deck_set.add_gap("seal broken", text, table, number)
                deck_set.status = "kept" if keep else "sealed"
            case acts.DecksDestroyed(canceled=is_canceled):
                deck_set.status = "canceled" if is_canceled else "destroyed"

    def ended(self) -> Iterator[FollowedSet]:
        for table in self._tables.values():
            for removed_name, number in table.unsealed.items():
                text = f"it was removed as set {removed_name} and is not sealed"
                table.removed[removed_name].add_gap("not sealed", text, table, number)
        for each in self._sets:
            if each.life or each.gaps:
                tables = [*dict.fromkeys(step["table"] for step in each.life)]
                ordered_by = [*dict.fromkeys(each.ordered_by)]
                yield fields_of(
                    FollowedSet, each, set=each.name, tables=tables, ordered_by=ordered_by
                )


def _received(deck_set: _Set, table: _Table, number: int) -> None:
    if deck_set.in_use_at and deck_set.in_use_at != table.name:
        text = f"it was in use at {deck_set.in_use_at} as {table.name} received it"
        deck_set.add_gap("two tables", text, table, number)
    if deck_set.was_removed:
        text = "it was received after it had been removed"
        deck_set.add_gap("came back", text, table, number)
    deck_set.in_use_at, deck_set.status, deck_set.was_removed = table.name, "in use", False


def _step(table: _Table, event: acts.Event, item: _Noted) -> StepOfSet:
    (line,) = narrate((event,), {})
    return {
        "table": table.name,
        "gaming_date": item.gaming_date,
        "at": item.at,
        "entry": item.entry.seq,
        "event": type(event).__name__,
        "says": line.text,
        "persons": [actor.person for actor in item.entry.by],
        "clauses": [*line.clauses],
    }
