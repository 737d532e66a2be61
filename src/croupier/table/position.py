"""A table at one entry of its record, and what a command would make of it.

Nothing is state until it is durable. So ``propose`` answers a command without changing anything:
with a refusal, or with a proposal that holds the events, what follows from them, and what they
move. Whoever keeps the record makes the proposal durable first; only then is it accepted.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, TypeAlias

from croupier.frozen import frozen
from croupier.money.ledger import Ledger
from croupier.rules import TableRules
from croupier.table.bookkeeping import booked
from croupier.table.commands import AdoptElection, Command
from croupier.table.core import Events, Refusal, decide, evolve_all, new_table
from croupier.table.election_changes import rules_after
from croupier.table.offices import Actor, may, remembered
from croupier.table.state import TableState, changed

__all__ = [
    "NO_STAMP",
    "Actor",
    "Position",
    "Proposal",
    "Stamp",
    "advanced",
    "allowed",
    "at_moment",
    "opening_position",
    "propose",
]


@frozen
class Stamp:
    """What a command carries besides itself: who gave it, and under which idempotency key.

    ``corrects`` is the sequence number of the entry that it corrects.
    """

    by: tuple[Actor, ...] = ()
    key: str | None = None
    corrects: int | None = None


@frozen
class Position:
    """All of a table at one entry: rules, state, ledger, and how many entries led there."""

    rules: TableRules
    state: TableState
    ledger: Ledger
    sequence: int = 0

    @property
    def at(self) -> datetime | None:
        """The time of the last entry in UTC; ``None`` where the table has no clock."""
        return self.state.at


@frozen
class Proposal:
    """A command that the rules allow, with all that follows from it, and nothing of it done yet."""

    before: Position
    command: Command
    events: Events
    after: Position
    stamp: Stamp


Answer: TypeAlias = "Proposal | Refusal"

NO_STAMP: Final = Stamp()
"""That of a command about which nothing is told."""


def opening_position(rules: TableRules) -> Position:
    """Return the position of a table that has not been opened."""
    return Position(rules, new_table(rules), Ledger())


def propose(
    position: Position, command: Command, stamp: Stamp = NO_STAMP, at: datetime | None = None
) -> Answer:
    """Return what a command would make of a position, or the refusal. Pure: nothing changes.

    ``at`` is the time of the entry in UTC; one before that of the last entry becomes the same.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> from croupier.table import commands
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> closed = opening_position(rules)
    >>> opening = propose(closed, commands.OpenTable(5_000_000, "Lee", "Ray", "2011-02-22"))
    >>> opening.after.ledger.balance("inventory"), closed.ledger.balance("inventory")
    (5000000, 0)
    """
    now = at_moment(position, at)
    answer = allowed(now, command, stamp.by)
    if isinstance(answer, Refusal):
        return answer
    return Proposal(position, command, answer, advanced(now, command, answer, stamp.by), stamp)


def allowed(position: Position, command: Command, by: tuple[Actor, ...]) -> Events | Refusal:
    """Answer a command by who gives it, and then by what the rules say."""
    state, rules = position.state, position.rules
    return may(state, command, by, rules) or decide(state, command, rules)


def at_moment(position: Position, at: datetime | None) -> Position:
    """Return a position when a command comes: nothing has happened to it but that time went by.

    A clock that was set back does not take the record with it.
    """
    last = position.state.at
    if at is None or (last is not None and at <= last):
        return position
    state = changed(position.state, at=at)
    return Position(position.rules, state, position.ledger, position.sequence)


def advanced(
    position: Position, command: Command, events: Events, by: tuple[Actor, ...] = ()
) -> Position:
    """Return the position after a command of these persons that brought about these events."""
    rules = position.rules
    if type(command) is AdoptElection:
        rules = rules_after(rules, events)
    return Position(
        rules,
        remembered(evolve_all(position.state, events), command, by),
        booked(position.ledger, events),
        position.sequence + 1,
    )
