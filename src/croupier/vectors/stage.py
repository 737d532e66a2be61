"""A table on which scenarios are played: it carries out commands and keeps what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from croupier.baccarat.hand import Hand
from croupier.cards import DECK, Card, parse_cards
from croupier.money.stax import commitment_to
from croupier.rules import TableRules
from croupier.table import Action, AnyPhase, Phase, Refusal, TableState, decide, new_table
from croupier.table import commands as c
from croupier.table.changing import rules_after
from croupier.table.commands import Command
from croupier.table.core import Events, due, evolve_all
from croupier.table.cutting import burned_unseen
from croupier.table.dealing import card_due
from croupier.table.events import Event
from croupier.table.mixing import step_due
from croupier.table.parts.progressive import Progressive
from croupier.table.session import RefusedError

__all__ = ["DEALER", "FLOORPERSON", "NOON", "PIT_BOSS", "PIT_CLERK", "SECRET", "Stage"]

DEALER: Final = "dealer"
FLOORPERSON: Final = "floorperson"
PIT_BOSS: Final = "pit boss"
PIT_CLERK: Final = "pit clerk"

SECRET: Final = "5e" * 32
"""The secret of the mystery value, where none that is hit at once is wanted."""

NOON: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)
"""When the decks come to a table whose decks are changed by the clock."""

_DEEP: Final = 60
"""Where the stack is cut: more than a deck in from either end, as some texts want it."""

_MOST_STEPS: Final = 2000

Heard = list[tuple[Command, "Events | Refusal"]]


class Stage:
    """A table in use: its rules, its state, and all that was asked of it since it was set up.

    >>> from croupier.rules import table_rules
    >>> from croupier.rules import plain_submission
    >>> stage = Stage(table_rules(plain_submission("us-nj/minibaccarat")))
    >>> stage.ask(c.CallNoMoreBets()).code
    'not_now'
    >>> stage.state.phase
    <Phase.CLOSED: 'closed'>
    """

    def __init__(self, rules: TableRules, state: TableState | None = None) -> None:
        self.rules = rules
        self.state = new_table(rules) if state is None else state
        self.heard: Heard = []

    def fork(self) -> Stage:
        """Return a table in the same state, of which nothing was asked yet."""
        return Stage(self.rules, self.state)

    @property
    def events(self) -> Iterator[Event]:
        """Every event since the table was set up."""
        for _, answer in self.heard:
            if not isinstance(answer, Refusal):
                yield from answer

    def ask(self, command: Command) -> Events | Refusal:
        """Ask for a command, and keep the answer; a refusal changes nothing."""
        answer = decide(self.state, command, self.rules)
        self.heard.append((command, answer))
        if not isinstance(answer, Refusal):
            self.state = evolve_all(self.state, answer)
            self.rules = rules_after(self.rules, answer)
        return answer

    def do(self, *commands: Command) -> None:
        """Carry out commands. Raises ``RefusedError`` at the first that is refused."""
        for command in commands:
            answer = self.ask(command)
            if isinstance(answer, Refusal):
                raise RefusedError(command, answer)

    # --- what must be done next ---

    def go_on(self) -> None:
        """Do what must be done next, in the plainest way."""
        action = due(self.state, self.rules)
        if action is None:
            raise RuntimeError(f"nothing must be done next: the table is {self.state.phase.value}")
        self.do(self.plainest(action))

    def until(self, *phases: AnyPhase) -> None:
        """Go on until the table is in one of some phases."""
        for _ in range(_MOST_STEPS):
            if self.state.phase in phases:
                return
            self.go_on()
        raise RuntimeError(f"the table stays {self.state.phase.value}")

    def deal(self, cards: str | Iterable[Card]) -> None:
        """Begin a round if none is in hand, and draw cards; turn and settle what comes between."""
        if self.state.phase is Phase.BETTING:
            self.begin()
        for card in parse_cards(cards) if isinstance(cards, str) else cards:
            for _ in range(_MOST_STEPS):
                if card_due(self.state) and not self._held:
                    break
                self.go_on()
            self.do(c.DrawCard(card))

    def begin(self) -> None:
        """Go on to the call of no more bets: it must be what is left to do."""
        while self.state.phase is Phase.BETTING:
            self.go_on()

    def play(self, cards: str) -> None:
        """Play a round whole: the deal, the settlement, and the layout cleared."""
        self.deal(cards)
        self.until(Phase.BETTING, Phase.SHOE_COMPLETED)

    @property
    def _held(self) -> bool:
        return self.state.round is not None and bool(self.state.round.begins_with)

    def plainest(self, action: Action) -> Command:
        """Return the plainest command for an action that must be done."""
        plain = _PLAINEST.get(action.command)
        return action.command() if plain is None else plain(self, action)

    @property
    def hand(self) -> Hand:
        """The hand that is to be turned next."""
        round_ = self.state.round
        return Hand.PLAYER if round_ is None or not round_.down else round_.down[0]

    def next_card(self) -> Card | None:
        """Return a card for whatever is due: an ace begins the burn, and others are plentiful."""
        state = self.state
        unseen = state.to_discard > 0 and state.discard_unseen
        if unseen or burned_unseen(state, self.rules):
            return None
        wanted = DECK[0] if state.phase is Phase.TO_BURN and state.to_burn is None else DECK[1]
        return wanted if state.shoe.unseen[wanted.index] else self.spare_card()

    def spare_card(self, among: Iterable[Card] = DECK) -> Card:
        """Return the card of which most are left in the shoe, among some."""
        return max(among, key=lambda card: self.state.shoe.unseen[card.index])


def _made(action: Action, argument: object) -> Command:
    """Make the command of an action, which takes one thing more than its type tells."""
    make: Callable[..., Command] = action.command
    return make(argument)


def _by_floorperson(stage: Stage, action: Action) -> Command:
    del stage
    return _made(action, FLOORPERSON)


def _by_seat(stage: Stage, action: Action) -> Command:
    del stage
    return _made(action, action.seat)


def _on_hand(stage: Stage, action: Action) -> Command:
    return _made(action, stage.hand)


def _ended(stage: Stage, action: Action) -> Command:
    """End a round for the progressive; the secret is revealed once the meter shows its most."""
    del action
    must_hit_by = stage.rules.value("wagers.royal_9.stax.must_hit_by", int)
    must = stage.state[Progressive].meters["stax"] >= must_hit_by
    return c.EndProgressiveRound(SECRET if must else None)


def _shuffled(stage: Stage, action: Action) -> Command:
    del action
    if stage.rules.applies("shuffle.three_dealers"):
        return c.ShuffleCards(f"{DEALER} {len(stage.state.shuffled_by) + 1}")
    return c.ShuffleCards()


_PLAINEST: Final[Mapping[type[Command], Callable[[Stage, Action], Command]]] = {
    c.VerifyCards: _by_floorperson,
    c.VerifyFeather: _by_floorperson,
    c.ViewSpread: _by_seat,
    c.CollectVigorish: _by_seat,
    c.AcceptShoe: _by_seat,
    c.TurnHand: _on_hand,
    c.HandCards: _on_hand,
    c.ReturnCards: lambda stage, action: c.ReturnCards(action.seat or 0, stage.hand),
    c.AcceptCards: lambda stage, action: c.AcceptCards(action.seat or 0, stage.hand),
    c.AcceptCut: lambda _, action: c.AcceptCut(action.seat or 0, _DEEP),
    c.CutStack: lambda _, __: c.CutStack(_DEEP),
    c.InsertCuttingCards: lambda stage, _: c.InsertCuttingCards(
        stage.rules.bound("cut.cutting_card_from_back")
    ),
    c.SettleHouseMoney: lambda _, __: c.SettleHouseMoney({}),
    c.CommitMystery: lambda _, __: c.CommitMystery(commitment_to(SECRET)),
    c.EndProgressiveRound: _ended,
    c.NoteTime: lambda _, __: c.NoteTime(NOON),
    c.ReceiveCards: lambda stage, _: c.ReceiveCards(stage.rules.value("decks", int)),
    c.WorkStack: lambda stage, _: c.WorkStack(step_due(stage.state, stage.rules) or ""),
    c.ShuffleCards: _shuffled,
    c.DrawCard: lambda stage, _: c.DrawCard(stage.next_card()),
}
"""What each command needs besides its name; the others need nothing."""
