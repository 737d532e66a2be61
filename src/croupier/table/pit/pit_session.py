"""A licensee's tables in use together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from croupier.acts import AdoptElections, Command, ElectionsAdopted, OtherTable, RecordNotice
from croupier.table import pit
from croupier.table.elections.election_changes import NoticeBoard
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.session import Listener, TableSession

_LATER: Final = {"not_now", "wagers"}
"""Reasons for which a table adopts a change later."""


class PitSession:
    """Tables of a licensee, by name, with their shared elections.

    A change is refused as a whole if it is unlawful at any of its tables. Otherwise each table
    adopts it at its first opportunity; ``pending`` are the waiting changes, by table. Linked meters
    are refused, because they need a store of pit and tables.

    >>> from datetime import UTC, date, datetime
    >>> from croupier.rules import default_submission, table_rules
    >>> from croupier.table.pit import AdmitTable, ChangeElections
    >>> rules = table_rules(default_submission("us-ma/minibaccarat", date(2026, 11, 20)))
    >>> pit = PitSession({"MA-1": TableSession(rules), "MA-2": TableSession(rules)})
    >>> noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    >>> for name in pit.tables:
    ...     _ = pit.try_execute(AdmitTable(name, rules, noon))
    >>> _ = pit.try_execute(ChangeElections(("MA-2",), {"wagers.tie.pays": "9:1"}, noon))
    >>> [str(one.rules.offers["tie"].pays["win"]) for one in pit.tables.values()]
    ['8:1', '9:1']
    """

    def __init__(self, tables: Mapping[str, TableSession]) -> None:
        self.tables = dict(tables)
        self.state = pit.PitState()
        self.pending: dict[str, list[AdoptElections]] = {}
        for name, session in self.tables.items():
            session.neighbors = partial(self._beside, name)
            session.listeners.append(self._listener(name))

    def _beside(self, name: str, other_tables: tuple[OtherTable, ...]) -> tuple[OtherTable, ...]:
        return pit.beside(self.state, name) if name in self.state.tables else other_tables

    def try_execute(self, command: pit.PitCommand) -> pit.PitEvents | Refusal:
        if isinstance(command, pit.LinkMeters | pit.MoveMeters):
            raise TypeError("meters are linked where a pit and its tables share a store")
        events = pit.decide_pit(self.state, command)
        if isinstance(events, Refusal):
            return events
        state = self.state
        for event in events:
            state = pit.evolve_pit(state, event)
        orders = self._orders(state, command)
        before, self.state = self.state, state
        for name, order in orders.items():
            answer = self.tables[name].propose(order)
            if isinstance(answer, Refusal) and answer.code not in _LATER:
                self.state = before
                return replace(answer, message=f"table {name}: {answer.message}")
        if isinstance(command, pit.WithdrawTable):
            self.pending.pop(command.table, None)
        for name, order in orders.items():
            if isinstance(order, AdoptElections):
                self.pending.setdefault(name, []).append(order)
                self._adopt(name)
            else:
                self.tables[name].execute(order)
        return events

    def _orders(self, state: pit.PitState, command: pit.PitCommand) -> Mapping[str, Command]:
        match command:
            case pit.GiveNotice(elections, addressee, moment):
                return dict.fromkeys(self.tables, RecordNotice(elections, addressee, moment))
            case pit.ChangeElections(tables):
                own_ids = (name for name in tables if name in self.tables)
                return {name: pit.adoption_at(state, command, name) for name in own_ids}
            case _:
                return {}

    def _listener(self, name: str) -> Listener:
        def listen(_command: Command, events: Events) -> None:
            is_unordered = name in self.state.tables and not self.pending.get(name)
            if is_unordered and any(isinstance(event, ElectionsAdopted) for event in events):
                self._take_note(name)
            self._adopt(name)

        return listen

    def _take_note(self, name: str) -> None:
        rules = self.tables[name].rules
        table = replace(self.state.tables[name], elections=rules.settled, rules=rules)
        self.state = replace(self.state, tables={**self.state.tables, name: table})

    def _adopt(self, name: str) -> None:
        commands, session = self.pending.get(name), self.tables[name]
        if not commands:
            return
        order = commands[0]
        latest = session.state[NoticeBoard].latest
        if latest is not None and order.at is not None and order.at < latest:
            order = replace(order, at=latest)
        if isinstance(session.propose(order), Refusal):
            return
        del commands[0]
        # The listener handles the next pending change.
        session.execute(order)
