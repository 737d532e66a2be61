"""The tables that questions are asked at: the starts of one set of rules, and hands dealt there."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from croupier.baccarat.hand import CARD_VALUE
from croupier.cards import DECK, Card
from croupier.rules import TableRules
from croupier.scenarios import Stage, Starts, starts
from croupier.table.core import Events
from croupier.table.dealing import card_due
from croupier.table.shuffling import Chance
from croupier.table.state import Phase

__all__ = ["DrillRoom", "dealt_in_full", "drawn_card", "drawn_hand", "heard_events", "rest_of"]

_MOST_STEPS: Final = 60
_FINISHED: Final = (Phase.DECIDED, Phase.SETTLED, Phase.BETTING, Phase.SHOE_COMPLETED)
"""Where the hands of a round need no more cards."""


class DrillRoom:
    """The rules of a table, and every start that they leave room for, made once.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> room = DrillRoom(table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22))))
    >>> room.at("called").state.phase
    <Phase.DEALING: 'in the deal'>
    >>> room.at("handed") is None
    True
    """

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules

    @cached_property
    def starts(self) -> Starts:
        """Every start, by name."""
        return starts(self.rules)

    def at(self, name: str) -> Stage | None:
        """Return a table at a start, of which nothing was asked yet; ``None`` if there is none."""
        start = self.starts.get(name)
        return None if start is None else start.stage.fork()


def drawn_card(chance: Chance, stage: Stage, value: int, used: tuple[Card, ...] = ()) -> Card:
    """Return a card of some value that may come next, besides those used."""
    unseen = stage.state.shoe.unseen
    free = [
        card
        for card in DECK
        if CARD_VALUE[card.index] == value and unseen[card.index] > used.count(card)
    ]
    return chance.choose(free)


def drawn_hand(
    chance: Chance, stage: Stage, count: int, used: tuple[Card, ...] = ()
) -> tuple[Card, Card]:
    """Return two cards with a Point Count that may come next, besides those used."""
    value = chance.below(10)
    first = drawn_card(chance, stage, value, used)
    return first, drawn_card(chance, stage, (count - value) % 10, (*used, first))


def rest_of(stage: Stage) -> None:
    """Do what must be done until a card is due, or the result is announced."""
    for _ in range(_MOST_STEPS):
        if card_due(stage.state) or stage.state.phase in _FINISHED:
            return
        stage.go_on()


def dealt_in_full(stage: Stage, cards: tuple[Card, ...]) -> tuple[Stage, Stage]:
    """Deal cards, and return the table before the last of them and after all that it leads to."""
    if len(cards) > 1:
        stage.deal(cards[:-1])
    rest_of(stage)
    before = stage.fork()
    after = before.fork()
    after.deal(cards[-1:])
    rest_of(after)
    return before, after


def heard_events(stage: Stage) -> Events:
    """Return every event since a table was forked."""
    return tuple(stage.events)
