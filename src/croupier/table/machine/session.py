"""A table in use: its position, its record, and its listeners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from threading import RLock
from typing import TypeAlias

from msgspec.structs import replace

from croupier.acts import AdoptElections, Command, OtherTable
from croupier.money.ledger import Ledger
from croupier.rules import TableRules
from croupier.table.machine.core import Action, Events, Refusal, due, legal
from croupier.table.machine.offered import Act, Prompt, acts, dealing_prompt
from croupier.table.machine.position import (
    NO_STAMP,
    Position,
    Proposal,
    Stamp,
    opening_position,
    propose,
)
from croupier.table.machine.state import TableState

Listener: TypeAlias = Callable[[Command, Events], None]
"""Called with each command carried out and its events."""

Record: TypeAlias = Callable[[Sequence[Proposal]], None]
"""Makes proposals durable, all or none."""

Clock: TypeAlias = Callable[[], datetime]
"""Returns the time in UTC."""

Neighbors: TypeAlias = Callable[[tuple[OtherTable, ...]], tuple[OtherTable, ...]]
"""Returns the elections of other tables."""

Answered: TypeAlias = Callable[[str], "tuple[Command, Events | Refusal] | None"]
"""Returns the earlier command under an idempotency key, and its answer."""


class RefusedError(Exception):
    """A command was refused; nothing has changed."""

    def __init__(self, command: Command, refusal: Refusal) -> None:
        super().__init__(f"{type(command).__name__}: {refusal}")
        self.command = command
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[RefusedError], tuple[Command, Refusal]]:
        return type(self), (self.command, self.refusal)


class StaleProposalError(Exception):
    """The table has moved since the proposal was made."""


class KeyReusedError(Exception):
    """An idempotency key was used again with another command."""


class TableSession:
    """A table in use: its position, its record, and its listeners.

    A command is proposed, made durable by ``record``, and accepted before listeners are notified of
    it; it is ``announced`` then. A command repeated under its idempotency key gets the same answer
    and is carried out once. Commands of several threads are carried out one after another.
    """

    def __init__(
        self,
        rules: TableRules,
        *listeners: Listener,
        record: Record | None = None,
        clock: Clock | None = None,
        position: Position | None = None,
        answered: Answered = lambda _: None,
    ) -> None:
        self.position = opening_position(rules) if position is None else position
        self.announced: Proposal | None = None
        self.record = record
        self.clock = clock
        self.listeners = list(listeners)
        self.neighbors: Neighbors | None = None
        self._lock = RLock()
        self._answered = answered
        self._answers: dict[str, tuple[Command, Events | Refusal]] = {}
        self._together: list[Proposal] | None = None

    @property
    def rules(self) -> TableRules:
        """The rules in force."""
        return self.position.rules

    @property
    def state(self) -> TableState:
        """The current state."""
        return self.position.state

    @property
    def ledger(self) -> Ledger:
        """The current accounts."""
        return self.position.ledger

    def propose(self, command: Command, stamp: Stamp | None = None) -> Proposal | Refusal:
        """Return the effect of a command, or its refusal, without carrying it out."""
        if isinstance(command, AdoptElections) and self.neighbors is not None:
            # The pit of a table knows what the other tables elect.
            command = replace(command, beside=self.neighbors(command.beside))
        moment = None if self.clock is None else self.clock()
        return propose(self.position, command, NO_STAMP if stamp is None else stamp, moment)

    def accept(self, proposal: Proposal) -> None:
        """Move to the position of a proposal, and notify the listeners."""
        if type(proposal) is not Proposal:
            raise TypeError(f"proposal is a {type(proposal).__name__}: give what propose returns")
        if proposal.before is not self.position:
            raise StaleProposalError(
                f"{type(proposal.command).__name__} was proposed after entry "
                f"{proposal.before.sequence}, but the table is at entry {self.position.sequence}"
            )
        self.position = proposal.after
        self._tell(proposal)

    def _tell(self, proposal: Proposal) -> None:
        self.announced = proposal
        for listener in self.listeners:
            listener(proposal.command, proposal.events)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make the commands of a block durable together, or none of them.

        Listeners are not notified within the block. An exception restores the position before it.
        Other threads wait until it ends: await nothing in it.
        """
        with self._lock:
            if self.record is None or self._together is not None:
                yield
                return
            durable, answers = self.position, len(self._answers)
            self._together = []
            try:
                yield
                self.record(self._together)
            except BaseException:
                self.position, self._together = durable, None
                for key in list(self._answers)[answers:]:
                    del self._answers[key]
                raise
            proposals, self._together = self._together, None
            for proposal in proposals:
                self._tell(proposal)

    def try_execute(self, command: Command, stamp: Stamp | None = None) -> Events | Refusal:
        key = None if stamp is None else stamp.key
        with self._lock:
            before = None if key is None else self._answers.get(key) or self._answered(key)
            if before is not None:
                first, outcome = before
                if first != command:
                    raise KeyReusedError(
                        f"the key {key} was used before, for {type(first).__name__} with other"
                        " contents: a new command needs a new key"
                    )
                return outcome
            answer = self._carried_out(command, stamp)
            if key is not None:
                self._answers[key] = (command, answer)
            return answer

    def _carried_out(self, command: Command, stamp: Stamp | None) -> Events | Refusal:
        # Not that of an open table, which has checked the command's types already.
        proposal = TableSession.propose(self, command, stamp)
        if isinstance(proposal, Refusal):
            return proposal
        if self._together is not None:
            self._together.append(proposal)
            self.position = proposal.after
            return proposal.events
        if self.record is not None:
            self.record((proposal,))
        self.accept(proposal)
        return proposal.events

    def execute(self, command: Command, stamp: Stamp | None = None) -> Events:
        """Carry out a command and return its events. Raises ``RefusedError`` if it is refused."""
        answer = self.try_execute(command, stamp)
        if isinstance(answer, Refusal):
            raise RefusedError(command, answer)
        return answer

    def legal(self) -> tuple[Action, ...]:
        """Return what may or must be done next."""
        return legal(self.state, self.rules)

    def acts(self) -> tuple[Act, ...]:
        """Return all permitted acts with their titles and fields."""
        return acts(self.state, self.rules, self.position.house)

    def prompt(self) -> Prompt | None:
        """Return how the next of the first four cards is placed, if one is due."""
        return dealing_prompt(self.state, self.rules)

    def due(self) -> Action | None:
        """Return the first required act, if any."""
        return due(self.state, self.rules)
