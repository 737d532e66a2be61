"""Every wager, once: a pure function from the facts of a coup to the pay line that it hit.

A line is a word such as ``win``, ``natural`` or ``win_by_7``; ``lose`` and ``push`` are lines too.
What a line pays is law, and stands in the rules: so one definition serves every text, and where a
text makes a push of a line that elsewhere wins (dragon 7), only the rules differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from typing import Final

from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import is_natural
from croupier.frozen import frozen

__all__ = ["LOSE", "PUSH", "ROYAL_9_LINES", "WAGERS", "Wager"]

LOSE: Final = "lose"
PUSH: Final = "push"

BONUS_LEAST_MARGIN: Final = 4
"""A bonus hand that is no natural wins by four points or more."""


@frozen
class Wager:
    """A wager: its id, its name on the layout, its winning lines and how a coup decides it.

    Where one line is hit in several ways, ``ground_of`` tells which, as a word of ``grounds``.
    ``asks`` names the facts that decide it: ``counts`` of points and cards, ``pairs``, ``royals``.
    ``at_chair`` is for a wager that goes by a combination of the bettor's own: it takes that one,
    and those of the other chairs, and returns what decides it there.
    """

    id: str
    title: str
    lines: tuple[str, ...]
    line_of: Callable[[Facts], str]
    ground_of: Callable[[Facts], str] | None = None
    grounds: Mapping[str, str] = field(default_factory=dict)
    """The line that each ground is a way to."""
    asks: tuple[str, ...] = ("counts",)
    at_chair: Callable[[str, Collection[str]], Callable[[Facts], str]] | None = None


def player(facts: Facts) -> str:
    """Win when Player's count is higher, lose when it is lower, push when they are equal."""
    if facts.player_count == facts.banker_count:
        return PUSH
    return "win" if facts.player_count > facts.banker_count else LOSE


def banker(facts: Facts) -> str:
    """Win when Banker's count is higher; the lines tell apart the wins that some rules single out.

    ``dragon_7`` is a win with three cards and a count of seven, ``win_with_six`` one with a count
    of six, ``win`` any other.
    """
    if facts.player_count == facts.banker_count:
        return PUSH
    if facts.banker_count < facts.player_count:
        return LOSE
    if facts.banker_count == 7 and facts.banker_cards == 3:
        return "dragon_7"
    return "win_with_six" if facts.banker_count == 6 else "win"


def tie(facts: Facts) -> str:
    """Win when the counts are equal, otherwise lose."""
    return "win" if facts.player_count == facts.banker_count else LOSE


def total_cards(number: int) -> Callable[[Facts], str]:
    """Return the wager that exactly that many cards are required."""

    def line_of(facts: Facts) -> str:
        return "win" if facts.player_cards + facts.banker_cards == number else LOSE

    return line_of


def bonus(own: int, own_cards: int, other: int, other_cards: int) -> str:
    """Decide a bonus wager on one hand from both hands' counts and numbers of cards."""
    if is_natural(own, own_cards):
        if not is_natural(other, other_cards) or own > other:
            return "natural"
        return PUSH if own == other else LOSE
    margin = own - other
    return f"win_by_{margin}" if margin >= BONUS_LEAST_MARGIN else LOSE


def bonus_ground(own: int, own_cards: int, other: int, other_cards: int) -> str:
    """Return how a bonus wager came to its line, where there are several ways to it."""
    line = bonus(own, own_cards, other, other_cards)
    if line == "natural":
        against_natural = is_natural(other, other_cards)
        return "natural_9_over_8" if against_natural else "natural_over_none"
    if line == LOSE:
        if is_natural(own, own_cards):
            return "natural_8_under_9"
        return "not_ahead" if own <= other else "ahead_by_too_little"
    return line


def bonus_player(facts: Facts) -> str:
    """Win when Player's Hand wins with a natural, or otherwise by four points or more."""
    return bonus(facts.player_count, facts.player_cards, facts.banker_count, facts.banker_cards)


def bonus_banker(facts: Facts) -> str:
    """Win when Banker's Hand wins with a natural, or otherwise by four points or more."""
    return bonus(facts.banker_count, facts.banker_cards, facts.player_count, facts.player_cards)


def _bonus_player_ground(facts: Facts) -> str:
    return bonus_ground(
        facts.player_count, facts.player_cards, facts.banker_count, facts.banker_cards
    )


def _bonus_banker_ground(facts: Facts) -> str:
    return bonus_ground(
        facts.banker_count, facts.banker_cards, facts.player_count, facts.player_cards
    )


def dragon_7(facts: Facts) -> str:
    """Win when Banker's Hand wins with three cards and a count of seven, otherwise lose."""
    return "win" if banker(facts) == "dragon_7" else LOSE


def panda_8(facts: Facts) -> str:
    """Win when Player's Hand wins with three cards and a count of eight, otherwise lose."""
    won = facts.player_count == 8 and facts.player_cards == 3 and facts.banker_count < 8
    return "win" if won else LOSE


def house_money(facts: Facts) -> str:
    """Win by a pair in the first two cards of one hand, or of both, otherwise lose."""
    if facts.player_pair and facts.banker_pair:
        return "both_pairs"
    return "one_pair" if facts.player_pair or facts.banker_pair else LOSE


def royal_9(own: str, others: Collection[str]) -> Callable[[Facts], str]:
    """Return what decides the Royal 9 wager at a chair with that combination, as ``"9h Ks"``.

    The lines stand in the order of the award ladder, and the highest that is hit counts alone.
    """

    def line_of(facts: Facts) -> str:
        player_hand, banker_hand = facts.player_royal, facts.banker_royal
        if not player_hand and not banker_hand:
            return LOSE
        suited = [_is_suited(hand) for hand in (player_hand, banker_hand)]
        same = player_hand == banker_hand
        ladder = (
            ("star", same and banker_hand == own),
            ("spade", banker_hand == own),
            ("heart", player_hand == own),
            ("other_personal", same and banker_hand in others),
            ("suited_both", all(suited)),
            ("royal_both", player_hand != "" and banker_hand != ""),
            ("suited", any(suited)),
        )
        return next((line for line, hit in ladder if hit), "royal")

    return line_of


def _is_suited(royal: str) -> bool:
    return royal != "" and royal[1] == royal[-1]


ROYAL_9_LINES: Final = (
    "star", "spade", "heart", "other_personal", "suited_both", "royal_both", "suited", "royal",
)  # fmt: skip
"""The award ladder of Royal 9, from the highest award down."""

_BONUS_LINES: Final = ("natural", *(f"win_by_{margin}" for margin in range(9, 3, -1)))
_BONUS_GROUNDS: Final = {
    "natural_over_none": "natural",
    "natural_9_over_8": "natural",
    "natural_8_under_9": LOSE,
    "not_ahead": LOSE,
    "ahead_by_too_little": LOSE,
}

WAGERS: Final = {
    wager.id: wager
    for wager in (
        Wager("player", "Player", ("win",), player),
        Wager("banker", "Banker", ("win", "win_with_six", "dragon_7"), banker),
        Wager("tie", "Tie", ("win",), tie),
        Wager("four_cards", "Four cards", ("win",), total_cards(4)),
        Wager("five_cards", "Five cards", ("win",), total_cards(5)),
        Wager("six_cards", "Six cards", ("win",), total_cards(6)),
        Wager(
            "bonus_player",
            "Player bonus",
            _BONUS_LINES,
            bonus_player,
            _bonus_player_ground,
            _BONUS_GROUNDS,
        ),
        Wager(
            "bonus_banker",
            "Banker bonus",
            _BONUS_LINES,
            bonus_banker,
            _bonus_banker_ground,
            _BONUS_GROUNDS,
        ),
        Wager("dragon_7", "Dragon 7", ("win",), dragon_7),
        Wager("panda_8", "Panda 8", ("win",), panda_8),
        Wager(
            "house_money",
            "House Money",
            ("both_pairs", "one_pair"),
            house_money,
            asks=("pairs",),
        ),
        Wager(
            "royal_9",
            "Royal 9",
            ROYAL_9_LINES,
            royal_9("no chair", ()),
            asks=("royals",),
            at_chair=royal_9,
        ),
    )
}
"""Every wager by its id, in the order in which a dealer settles the wagers of one seat."""
