"""Two tables that differ in nothing but cards which lie face down, walked through the same day.

The second world begins as a copy of the first. Whenever a card leaves the shoe face down, another
card may leave it there; every other command is the same. Until a card that differs is turned, no
viewer may be able to tell one world from the other by a single byte. Then the second world is
dropped, and begins again as a copy once no card lies face down.

When a card is turned is told here by the events alone, so that the program's own account of closed
cards is what is tested.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from msgspec import structs

from croupier import acts as commands
from croupier import acts as e
from croupier.acts import Command
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Hand
from croupier.records.codec import dump
from croupier.records.entry import sealed_entry
from croupier.records.view.projection import projection, results_after
from croupier.records.view.seen import seen_acts, seen_entry
from croupier.records.view.sight import VIEWERS, Viewer, asks_of_closed, is_open
from croupier.rules import TableRules
from croupier.scenarios.people import FLOORPERSON
from croupier.table import Refusal
from croupier.table.machine.offered import acts
from croupier.table.machine.position import Position, Proposal, Stamp, opening_position, propose
from croupier.table.machine.state import TableState
from support.uncooperative import Walk

EVERYBODY: Final = (
    *(Viewer(office) for office in sorted(VIEWERS) if office != "patron"),
    Viewer("patron", 1),
    Viewer("patron", 4),
)

_IMPOSSIBLE: Final = {"no_such_card", "possible"}
"""Refusals of a card that the decks cannot have: the two worlds are no longer both possible."""

_NOON: Final = datetime(2011, 2, 22, 12, tzinfo=UTC)


class LeakError(AssertionError):
    """A viewer could tell two worlds apart that differ in closed cards alone."""


class TwoWorlds(Walk):
    """A walk through one world, and through the same one with other cards face down."""

    def __init__(self, rules: TableRules, chance: random.Random) -> None:
        self.here = opening_position(rules)
        self.there: Position | None = None
        self.seals = ("0" * 64, "0" * 64)
        self.results: list[Any] = []
        self.compared = self.turned = self.hidden = 0
        super().__init__(rules, chance)

    def _took(self, command: Command) -> bool:
        if asks_of_closed(self.here, command):
            return False
        if self.there is None and is_open(self.here):
            self.there, self.seals = self.here, (self.seals[0], self.seals[0])
        at = _NOON + timedelta(seconds=self.steps)
        ours = _asked(self.here, command, at)
        twin = self._twin(command, ours)
        theirs = None if self.there is None else _asked(self.there, twin, at)
        if theirs is not None:
            self._compare(command, twin, ours, theirs)
        if isinstance(ours, Refusal):
            return False
        self.results = results_after(self.results, ours)
        self.here = self.position = ours.after
        self.done.append(command)
        self.steps += 1
        return True

    # --- the other world ---

    def _twin(self, command: Command, ours: Proposal | Refusal) -> Command:
        """Return the command of the other world: another card, where it falls face down."""
        if self.there is None or isinstance(ours, Refusal) or not _falls_unseen(ours):
            return command
        if self.chance.random() < 0.25:
            return command
        unseen = self.there.state.shoe.unseen
        left = [card for card in DECK if unseen[card.index] > 1]
        if not left:
            return command
        card = self.chance.choice(left)
        if isinstance(command, commands.DrawCardInError):
            return structs.replace(command, card=card)
        return commands.DrawCard(card)

    def _compare(
        self,
        command: Command,
        twin: Command,
        ours: Proposal | Refusal,
        theirs: Proposal | Refusal,
    ) -> None:
        codes = {one.code for one in (ours, theirs) if isinstance(one, Refusal)}
        if codes & _IMPOSSIBLE:
            self.there = None
        elif isinstance(ours, Refusal) or isinstance(theirs, Refusal):
            # What a viewer sees of a refusal is made of it and of the command, the same in both.
            if ours != theirs or twin is not command:
                raise LeakError(self._differ(command, f"{ours} and {theirs}"))
        elif _turns_what_differs(ours, theirs):
            self.turned += 1
            self.there = None
        else:
            self._same_views(command, ours, theirs)
        if not isinstance(ours, Refusal):
            self._seal(ours, theirs)

    def _same_views(self, command: Command, ours: Proposal, theirs: Proposal) -> None:
        self.there = theirs.after
        if ours.after.state == theirs.after.state:
            return
        self.hidden += 1
        results = results_after(self.results, ours)
        for viewer in EVERYBODY:
            self._same(viewer, command, seen_entry(viewer, ours), seen_entry(viewer, theirs))
            self._same(
                viewer,
                command,
                projection(ours.after, viewer, results),
                projection(theirs.after, viewer, results),
            )
        if self.hidden % 4:  # What may be done takes longest to write down.
            return
        allowed = [acts(one.after.state, self.rules) for one in (ours, theirs)]
        for viewer in EVERYBODY:
            self._same(viewer, command, *(seen_acts(viewer, one) for one in allowed))

    def _seal(self, ours: Proposal, theirs: Proposal | Refusal | None) -> None:
        """Chain both records, and compare the seals that may be told."""
        line, head = sealed_entry(self.seals[0], ours)
        other = head
        if self.there is not None and isinstance(theirs, Proposal):
            other_line, other = sealed_entry(self.seals[1], theirs)
            told = is_open(ours.after), is_open(theirs.after)
            if told[0] != told[1]:
                raise LeakError(self._differ(ours.command, "an open point in one world alone"))
            # One that is told must not tell: here every card of both records is the same again, or
            # what differed has left the table with its shoe.
            if told[0] and ours.after.state != theirs.after.state:
                raise LeakError(self._differ(ours.command, "a seal over a card that lies closed"))
            del other_line
        del line
        self.seals = (head, other)

    def _same(self, viewer: Viewer, command: Command, ours: object, theirs: object) -> None:
        self.compared += 1
        if dump(ours) != dump(theirs):
            raise LeakError(self._differ(command, f"{viewer}:\n{ours}\n{theirs}"))

    def _differ(self, command: Command, how: str) -> str:
        return "\n".join([f"after {command}", how, *map(str, self.done[-12:])])

    # --- more that may happen while cards lie face down ---

    def _wishes(self) -> Iterator[Command]:
        if self.chance.random() < 0.06:
            yield from self._slips()
        yield from super()._wishes()

    def _slips(self) -> Iterator[Command]:
        yield from super()._slips()
        round_ = self.state.round
        if round_ is not None and round_.coup.player:
            hand = self.chance.choice([*Hand])
            cards = round_.coup.hand(hand)
            recorded = self.chance.choice([*cards, self._card()])
            at = self.chance.randint(1, 3)
            yield commands.CorrectMisreadCard(recorded, self._card(), FLOORPERSON, hand, at)
        yield commands.PassOverHeldCard(FLOORPERSON)
        if self.chance.random() < 0.1:
            yield commands.FindWrongCard("damaged", FLOORPERSON)
        if self.chance.random() < 0.1:
            yield commands.FindShoeEmpty(FLOORPERSON)


def _asked(position: Position, command: Command, at: datetime) -> Proposal | Refusal:
    # Without actors nothing is known of who acts: who may is tested elsewhere.
    return propose(position, command, Stamp(), at)


def _falls_unseen(entry: Proposal) -> bool:
    """Return whether the command laid a card of the shoe face down, or nobody saw it."""
    command = entry.command
    if isinstance(command, commands.DrawCardInError):
        seen = any(isinstance(one, e.CardDealt) and one.face_up for one in entry.events)
        drawn = (one for one in entry.events if isinstance(one, e.CardDrawnInError))
        return not seen and not any(one.disclosed for one in drawn)
    return isinstance(command, commands.DrawCard) and any(
        isinstance(one, e.CardDealt) and not one.face_up for one in entry.events
    )


def _turns_what_differs(ours: Proposal, theirs: Proposal) -> bool:
    """Return whether an entry turns, deals face up, or takes away a card that differs."""
    if ours.before.state == theirs.before.state and ours.command == theirs.command:
        return False
    before = ours.before.state, theirs.before.state
    pairs = zip(ours.events, theirs.events, strict=False)
    return any(_discloses(one, other, *before) for one, other in pairs)


def _discloses(ours: e.Event, theirs: e.Event, here: TableState, there: TableState) -> bool:
    if isinstance(ours, e.CardsReturned):
        return _hand(here, ours.hand) != _hand(there, ours.hand)
    if isinstance(ours, e.CardDealt) and isinstance(theirs, e.CardDealt):
        return ours.face_up and ours.card is not theirs.card
    if isinstance(ours, e.LayoutCleared | e.SimulatedRoundOrdered):
        return ours != theirs
    # Nothing more is dealt from a shoe that is over: its cards go back, or out of use.
    over = isinstance(ours, e.ShoeCompleted) or (isinstance(ours, e.RoundVoided) and ours.reshuffle)
    return over or isinstance(ours, e.ShoeLoaded | e.TableIdle | e.ShuffleDirected | e.CardsRemoved)


def _hand(state: TableState, hand: Hand) -> tuple[Card, ...]:
    return () if state.round is None else state.round.coup.hand(hand)
