"""A table in use: the state, the ledger, and whoever wants to hear what happens."""

from __future__ import annotations

from collections.abc import Callable

from croupier.money.ledger import Ledger
from croupier.rules import TableRules
from croupier.table.bookkeeping import book
from croupier.table.commands import AdoptElection, Command
from croupier.table.core import Action, Events, Refusal, decide, due, evolve_all, legal, new_table
from croupier.table.election_changes import rules_after
from croupier.table.state import TableState

__all__ = ["Listener", "RefusedError", "TableSession"]

Listener = Callable[[Command, Events], None]
"""Hears each command that was carried out, with the events that it brought about."""


class RefusedError(Exception):
    """A command was refused; ``refusal`` says why, and nothing has changed."""

    def __init__(self, command: Command, refusal: Refusal) -> None:
        super().__init__(f"{type(command).__name__}: {refusal}")
        self.command = command
        self.refusal = refusal


class TableSession:
    """Holds a table's state between commands.

    The state is replaced only when a command is carried out whole; a refused one changes nothing
    and is heard by nobody.

    >>> from croupier.rules import table_rules
    >>> from croupier.rules import default_submission
    >>> from croupier.table import commands
    >>> session = TableSession(table_rules(default_submission("us-nj/minibaccarat")))
    >>> opening = commands.OpenTable(5_000_000, "dealer", "floorperson", "2011-02-22")
    >>> session.execute(opening)[0].dealer
    'dealer'
    >>> session.ledger.balance("inventory")
    5000000
    """

    def __init__(self, rules: TableRules, *listeners: Listener) -> None:
        self.rules = rules
        self.state: TableState = new_table(rules)
        self.ledger = Ledger()
        self.listeners = list(listeners)

    def try_execute(self, command: Command) -> Events | Refusal:
        """Carry out a command if it is allowed, and return its events or the refusal."""
        answer = decide(self.state, command, self.rules)
        if isinstance(answer, Refusal):
            return answer
        self.state = evolve_all(self.state, answer)
        if type(command) is AdoptElection:
            self.rules = rules_after(self.rules, answer)
        book(self.ledger, answer)
        for listener in self.listeners:
            listener(command, answer)
        return answer

    def execute(self, command: Command) -> Events:
        """Carry out a command and return its events. Raises ``RefusedError`` if it is refused."""
        answer = self.try_execute(command)
        if isinstance(answer, Refusal):
            raise RefusedError(command, answer)
        return answer

    def legal(self) -> tuple[Action, ...]:
        """Return what may or must be done next and by whom, with the clauses."""
        return legal(self.state, self.rules)

    def due(self) -> Action | None:
        """Return the first thing that must be done next; ``None`` where nothing must."""
        return due(self.state, self.rules)
