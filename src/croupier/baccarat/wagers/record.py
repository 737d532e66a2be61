"""The record of a wager: all that is known of it but what it pays, which is law.

A wager is decided by a pure function from the facts of a coup to the line that it hit. A line is a
word such as ``win``, ``natural`` or ``win_by_7``; ``lose`` and ``push`` are lines too. One record
serves every regulation: where one makes a push of a line that wins elsewhere, only rules differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from functools import cached_property
from typing import Final

from msgspec import Struct, field

from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import Hand

LOSE: Final = "lose"
PUSH: Final = "push"


class Moment(Enum):
    """When a wager is settled."""

    FOUR_CARDS = "four cards"
    """When the first four cards lie face up, before any third card."""
    RESULT = "result"


class Need(Struct, frozen=True):
    """What else a bettor must have on the layout: a wager on ``one_of``, by id.

    It holds at a table where the rule is in force and is not elected to be false. ``says`` is why
    the wager is not taken without one, ``kept`` why the last of them is not withdrawn.
    """

    one_of: tuple[str, ...]
    rule_id: str
    says: str
    kept: str


def say_counts(facts: Facts) -> str:
    """Say in words by what the plainest wagers are decided: both counts.

    >>> say_counts(Facts(3, 7, 2, 2))
    'Player has 3, Banker 7'
    """
    return f"Player has {facts.player_count}, Banker {facts.banker_count}"


class Wager(Struct, frozen=True, dict=True):
    """A wager: its id, its name on the layout, its winning lines, and how a coup decides it.

    ``lines`` stand in the order of a pay table.
    """

    id: str
    title: str
    lines: tuple[str, ...]
    line_of: Callable[[Facts], str]
    say: Callable[[Facts], str] = say_counts
    """Which facts decide it, in words: they follow "won, for"."""
    asks: tuple[str, ...] = ("counts",)
    """The facts that decide it: ``counts`` of points and cards, ``pairs``, ``royals``."""
    offered_under: str = ""
    """The rule that offers it, where that is not of the wager's own id."""
    paid_under: str = ""
    """The rule that pays it, where that is not ``pays`` below the wager's own id."""
    unless: Mapping[str, str] = field(default_factory=dict)
    """Elections that keep it off the layout, by rule id."""
    singled_out: Mapping[str, str] = field(default_factory=dict)
    """Lines whose pay a rule of their own may change, where it is in force."""
    ground_of: Callable[[Facts], str] | None = None
    """Where one line is hit in several ways: which of ``grounds`` it was, or the line."""
    grounds: Mapping[str, str] = field(default_factory=dict)
    """The line that each ground is a way to."""
    line_titles: Mapping[str, str] = field(default_factory=dict)
    """What its lines are called where an award is announced, beyond their own words."""
    needs: tuple[Need, ...] = ()
    settled_at: Moment = Moment.RESULT
    on: Hand | None = None
    """The hand whose win it is a wager on."""
    at_chair: Callable[[str, Collection[str]], Callable[[Facts], str]] | None = None
    """For a wager that depends on a combination of the bettor's own: takes that one, and those of
    the other chairs, and returns what decides it there."""
    meters: tuple[str, ...] = ()
    """Lines that pay what a progressive meter shows, each the name of its meter."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """The highest fixed award that the cards of a meter's line win at another chair."""
    bears_vigorish: bool = False
    waives_vigorish: bool = False
    """Whether stakes on it count towards those for which vigorish may be waived."""
    announced_by: str = ""
    """The rule whose words are called with the result when it wins, where that is in force."""

    @cached_property
    def offered_by(self) -> str:
        """The rule that puts it on the layout, and below which its other rules stand."""
        return self.offered_under or f"wagers.{self.id}"

    @cached_property
    def paid_by(self) -> str:
        """The rule that says what its lines pay, by its kind."""
        return self.paid_under or f"wagers.{self.id}.pays"
