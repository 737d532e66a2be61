"""A table for scenarios that executes commands and records their results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from croupier import acts
from croupier.acts import Command, Event
from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.rules import TableRules
from croupier.scenarios.plainest import plainest, sets_first, spare_card
from croupier.table import AnyPhase, Phase, Refusal, TableState, decide, new_table
from croupier.table.dealing.dealing import card_due
from croupier.table.elections.election_changes import rules_after
from croupier.table.machine.core import Events, due, evolve_all
from croupier.table.machine.session import RefusedError

_MOST_STEPS: Final = 2000

Heard = list[tuple[Command, "Events | Refusal"]]


class Stage:
    """A table in use: its rules, its state, and the commands since setup."""

    def __init__(self, rules: TableRules, state: TableState | None = None) -> None:
        self.rules = rules
        self.state = new_table(rules) if state is None else state
        self.heard: Heard = []

    def fork(self) -> Stage:
        """Table in the same state, without recorded commands."""
        return Stage(self.rules, self.state)

    @property
    def events(self) -> Iterator[Event]:
        for _, answer in self.heard:
            if not isinstance(answer, Refusal):
                yield from answer

    def try_execute(self, command: Command) -> Events | Refusal:
        """Try a command, and record the result; a refusal changes nothing."""
        answer = decide(self.state, command, self.rules)
        self.heard.append((command, answer))
        if not isinstance(answer, Refusal):
            self.state = evolve_all(self.state, answer)
            self.rules = rules_after(self.rules, answer)
        return answer

    def execute(self, *commands: Command) -> None:
        """Execute commands. Raises ``RefusedError`` at the first refusal."""
        for command in commands:
            answer = self.try_execute(command)
            if isinstance(answer, Refusal):
                raise RefusedError(command, answer)

    def close(self) -> None:
        """Close the table, once removed sets are sealed where they must be."""
        while command := sets_first(self.state, self.rules):
            self.execute(command)
        self.execute(acts.CloseTable())

    def go_on(self) -> None:
        action = due(self.state, self.rules)
        if action is None:
            raise RuntimeError(f"no command is due: the table is {self.state.phase.value}")
        self.execute(plainest(self.state, self.rules, action))

    def until(self, *phases: AnyPhase) -> None:
        for _ in range(_MOST_STEPS):
            if self.state.phase in phases:
                return
            self.go_on()
        raise RuntimeError(f"the table stays {self.state.phase.value}")

    def deal(self, cards: str | Iterable[Card]) -> None:
        """Draw cards, with the turns and settlements between them."""
        if self.state.phase is Phase.BETTING:
            self.begin()
        for card in parse_cards(cards) if isinstance(cards, str) else cards:
            for _ in range(_MOST_STEPS):
                round_ = self.state.round
                if card_due(self.state) and not (round_ and round_.begins_with):
                    break
                self.go_on()
            self.execute(acts.DrawCard(card))

    def begin(self) -> None:
        """Continue to the call of no more bets."""
        while self.state.phase is Phase.BETTING:
            self.go_on()

    def play(self, cards: str | Iterable[Card]) -> None:
        self.deal(cards)
        self.until(Phase.BETTING, Phase.SHOE_COMPLETED)

    def spare_card(self, among: Iterable[Card] = DECK) -> Card:
        return spare_card(self.state, among)
