"""The record of a wager, without its payouts, which are rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from functools import cached_property
from typing import Final

from msgspec import Struct, field

from croupier.baccarat.coup import Facts, Hand

LOSE: Final = "lose"
PUSH: Final = "push"


class Moment(Enum):
    """When a wager is settled."""

    FOUR_CARDS = "four cards"
    """When four cards are face up."""
    RESULT = "result"


class Need(Struct, frozen=True):
    """A required companion: a wager on ``one_of``.

    ``says`` refuses the wager without one, ``kept`` withdrawal of the last.
    """

    one_of: tuple[str, ...]
    rule_id: str
    says: str
    kept: str


def say_counts(facts: Facts) -> str:
    """Describe both counts.

    >>> say_counts(Facts(3, 7, 2, 2))
    'Player has 3, Banker 7'
    """
    return f"Player has {facts.player_count}, Banker {facts.banker_count}"


class Wager(Struct, frozen=True, dict=True):
    """A wager, with lines in pay table order, and its deciding function."""

    id: str
    title: str
    lines: tuple[str, ...]
    line_of: Callable[[Facts], str]
    say: Callable[[Facts], str] = say_counts
    """Describes the deciding facts, following "won, for"."""
    asks: tuple[str, ...] = ("counts",)
    """The deciding facts: ``counts`` of points and cards, ``pairs``, ``royals``."""
    offered_under: str = ""
    """The rule that offers it, if not its own id."""
    paid_under: str = ""
    """The rule that pays it, if not ``pays`` below its own id."""
    unless: Mapping[str, str] = field(default_factory=dict)
    """Elections that remove it from the layout, by rule id."""
    singled_out: Mapping[str, str] = field(default_factory=dict)
    """Lines whose pay a separate rule may change."""
    ground_of: Callable[[Facts], str] | None = None
    """For lines with several ways to win: returns the one of ``grounds``, or the line."""
    grounds: Mapping[str, str] = field(default_factory=dict)
    """The line of each ground."""
    line_titles: Mapping[str, str] = field(default_factory=dict)
    """Names of its lines in announcements of awards."""
    needs: tuple[Need, ...] = ()
    settled_at: Moment = Moment.RESULT
    on: Hand | None = None
    at_chair: Callable[[str, Collection[str]], Callable[[Facts], str]] | None = None
    """For a wager with a combination for each chair: returns the deciding function for one
    combination and those of the other chairs.
    """
    meters: tuple[str, ...] = ()
    """Lines that pay a progressive meter, with the meter's name."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """The highest fixed award for a meter line's cards at another chair."""
    bears_vigorish: bool = False
    waives_vigorish: bool = False
    """Whether its stakes count towards the waiver of vigorish."""
    announced_by: str = ""
    """The rule with the words announced when it wins, if in force."""

    @cached_property
    def offered_by(self) -> str:
        """The rule that offers it, the parent of its others."""
        return self.offered_under or f"wagers.{self.id}"

    @cached_property
    def paid_by(self) -> str:
        return self.paid_under or f"wagers.{self.id}.pays"
