"""A table in use: its position, and whoever records it or listens to what happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from croupier.money.ledger import Ledger
from croupier.rules import TableRules
from croupier.table.commands import Command
from croupier.table.core import Action, Events, Refusal, due, legal
from croupier.table.position import Position, Proposal, Stamp, opening_position, propose
from croupier.table.state import TableState

__all__ = ["Listener", "Record", "RefusedError", "StaleProposalError", "TableSession"]

Listener: TypeAlias = Callable[[Command, Events], None]
"""Hears each command that was carried out, with the events that it brought about."""

Record: TypeAlias = Callable[[Proposal], None]
"""Makes a proposal durable. What it raises leaves the table as it was."""


class RefusedError(Exception):
    """A command was refused; ``refusal`` says why, and nothing has changed."""

    def __init__(self, command: Command, refusal: Refusal) -> None:
        super().__init__(f"{type(command).__name__}: {refusal}")
        self.command = command
        self.refusal = refusal


class StaleProposalError(Exception):
    """A proposal was made at another position than the one that the table is at."""


class TableSession:
    """A table in use: its position, its record, and its listeners.

    A command is proposed, made durable by ``record``, accepted, and only then heard by listeners.
    A refused command, and one that cannot be recorded, changes nothing and is heard by nobody. The
    last proposal that could not be recorded leaves the table free to go on.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> from croupier.table import commands
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> session = TableSession(rules)
    >>> opening = commands.OpenTable(5_000_000, "dealer", "floorperson", "2011-02-22")
    >>> session.execute(opening)[0].dealer
    'dealer'
    >>> session.ledger.balance("inventory")
    5000000
    """

    def __init__(
        self,
        rules: TableRules,
        *listeners: Listener,
        record: Record | None = None,
        position: Position | None = None,
    ) -> None:
        self.position = opening_position(rules) if position is None else position
        self.record = record
        self.listeners = list(listeners)

    @property
    def rules(self) -> TableRules:
        """The rules in force, with every election adopted so far."""
        return self.position.rules

    @property
    def state(self) -> TableState:
        """The state after the last command accepted."""
        return self.position.state

    @property
    def ledger(self) -> Ledger:
        """The accounts after the last command accepted."""
        return self.position.ledger

    def propose(self, command: Command, stamp: Stamp | None = None) -> Proposal | Refusal:
        """Return what a command would bring about, or the refusal; nothing changes."""
        return propose(self.position, command, Stamp() if stamp is None else stamp)

    def accept(self, proposal: Proposal) -> None:
        """Move to where a proposal leads, and tell the listeners.

        Raises ``StaleProposalError`` if the table has moved since it was made.
        """
        if proposal.before is not self.position:
            raise StaleProposalError(
                f"{type(proposal.command).__name__} was proposed after entry"
                f" {proposal.before.sequence}, and the table is at entry {self.position.sequence}"
            )
        self.position = proposal.after
        for listener in self.listeners:
            listener(proposal.command, proposal.events)

    def try_execute(self, command: Command, stamp: Stamp | None = None) -> Events | Refusal:
        """Carry out a command if it is allowed, and return its events or the refusal."""
        proposal = self.propose(command, stamp)
        if isinstance(proposal, Refusal):
            return proposal
        if self.record is not None:
            self.record(proposal)
        self.accept(proposal)
        return proposal.events

    def execute(self, command: Command, stamp: Stamp | None = None) -> Events:
        """Carry out a command and return its events. Raises ``RefusedError`` if it is refused."""
        answer = self.try_execute(command, stamp)
        if isinstance(answer, Refusal):
            raise RefusedError(command, answer)
        return answer

    def legal(self) -> tuple[Action, ...]:
        """Return what may or must be done next and by whom, with the clauses."""
        return legal(self.state, self.rules)

    def due(self) -> Action | None:
        """Return the first thing that must be done next; ``None`` where nothing must."""
        return due(self.state, self.rules)
