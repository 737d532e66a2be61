"""The catalog of wagers; other code does not depend on individual ones."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from croupier.baccarat.coup import Facts, Hand
from croupier.baccarat.wagers.facts import FACTS, NO_FACT, SIGNS, CardPart, Fact
from croupier.baccarat.wagers.record import LOSE, PUSH, Moment, Need, Wager, say_counts
from croupier.baccarat.wagers.shapes import (
    CARDS,
    ByFacts,
    Condition,
    When,
    condition,
    errors_in,
    facts_wager,
    margin_wager,
    shaped_wager,
)

__all__ = [
    "BANKER", "CARDS", "FACTS", "LOSE", "NO_FACT", "PLAYER", "PUSH", "SIGNS", "TIE", "WAGERS",
    "ByFacts", "CardPart", "Condition", "Fact", "Moment", "Need", "Wager", "When", "condition",
    "errors_in", "facts_wager", "margin_wager", "shaped_wager",
]  # fmt: skip


def player(facts: Facts) -> str:
    if facts.player_count == facts.banker_count:
        return PUSH
    return "win" if facts.player_count > facts.banker_count else LOSE


def banker(facts: Facts) -> str:
    """Win if Banker's count is higher, on lines that some rules treat separately."""
    if facts.player_count == facts.banker_count:
        return PUSH
    if facts.banker_count < facts.player_count:
        return LOSE
    if facts.banker_count == 7 and facts.banker_cards == 3:
        return "dragon_7"
    return "win_with_six" if facts.banker_count == 6 else "win"


def _say_banker(facts: Facts) -> str:
    if facts.banker_count <= facts.player_count:
        return say_counts(facts)
    cards = f"{facts.banker_cards} cards"
    return f"Banker has {facts.banker_count} with {cards}, Player {facts.player_count}"


def tie(facts: Facts) -> str:
    return "win" if facts.player_count == facts.banker_count else LOSE


PLAYER: Final = Wager("player", "Player", ("win",), player, on=Hand.PLAYER)

BANKER: Final = Wager(
    "banker",
    "Banker",
    ("win", "win_with_six", "dragon_7"),
    banker,
    _say_banker,
    singled_out={
        "win_with_six": "wagers.banker.pays_on_six",
        "dragon_7": "wagers.banker.on_dragon_7",
    },
    on=Hand.BANKER,
    bears_vigorish=True,
)

TIE: Final = Wager("tie", "Tie", ("win",), tie)


def royal_9(combination: str, other_combinations: Collection[str]) -> Callable[[Facts], str]:
    """Deciding function for a chair's combination, by the highest line of the ladder."""

    def line_of(facts: Facts) -> str:
        player_hand, banker_hand = facts.player_royal, facts.banker_royal
        if not player_hand and not banker_hand:
            return LOSE
        suited = [hand != "" and hand[1] == hand[-1] for hand in (player_hand, banker_hand)]
        hands_match = player_hand == banker_hand
        ladder = (
            ("star", hands_match and banker_hand == combination),
            ("spade", banker_hand == combination),
            ("heart", player_hand == combination),
            ("other_personal", hands_match and banker_hand in other_combinations),
            ("suited_both", all(suited)),
            ("royal_both", player_hand != "" and banker_hand != ""),
            ("suited", any(suited)),
        )
        return next((line for line, hit in ladder if hit), "royal")

    return line_of


def _say(facts: Facts) -> str:
    hands = (("Player", facts.player_royal), ("Banker", facts.banker_royal))
    royals = [f"{name} began with {royal}" for name, royal in hands if royal]
    return " and ".join(royals) or "neither hand began with a Royal 9"


_LINES: Final = {
    "star": "both hands the King-9 of the chair: the star meter",
    "spade": "Banker's Hand the King-9 of the chair: the spade meter",
    "heart": "Player's Hand the King-9 of the chair: the heart meter",
    "other_personal": "both hands the King-9 of another chair",
    "suited_both": "a suited Royal 9 in both hands",
    "royal_both": "a Royal 9 in both hands",
    "suited": "a suited Royal 9",
    "royal": "a Royal 9",
}
"""The award ladder, highest first."""

_BESIDE: Final = "Royal 9 requires a wager on the game itself"

ROYAL_9: Final = Wager(
    "royal_9",
    "Royal 9",
    tuple(_LINES),
    royal_9("no chair", ()),
    _say,
    asks=("royals",),
    paid_under="wagers.royal_9.awards",
    line_titles={**_LINES, "stax": "Must Hit for Stax"},
    needs=(Need((PLAYER.id, BANKER.id, TIE.id), "wagers.royal_9.before_deal", _BESIDE, _BESIDE),),
    at_chair=royal_9,
    meters=("star", "spade", "heart"),
    elsewhere={"star": "other_personal", "spade": "royal_both", "heart": "royal_both"},
)

_TOTAL_CARDS: Final = tuple(
    facts_wager(
        f"{number}_cards",
        f"{number.capitalize()} cards",
        [("win", {"cards": cards})],
        offered_under="wagers.total_cards",
        waives_vigorish=True,
    )
    for number, cards in (("four", 4), ("five", 5), ("six", 6))
)

_NEEDS_BASE: Final = Need(
    (PLAYER.id, BANKER.id),
    "wagers.bonus.needs_base",
    "a bonus wager requires a wager on Player or Banker",
    "the bonus wager requires it: withdraw the bonus wager first",
)

_BONUS: Final = tuple(
    margin_wager(
        f"bonus_{hand.value}",
        f"{hand.value.capitalize()} bonus",
        hand,
        offered_under="wagers.bonus",
        paid_under="wagers.bonus.paytable",
        unless={"wagers.bonus.on": only} if only else {},
        needs=(_NEEDS_BASE,),
    )
    for hand, only in ((Hand.PLAYER, ""), (Hand.BANKER, "player-only"))
)

_DRAGON_7: Final = facts_wager(
    "dragon_7",
    "Dragon 7",
    [("win", {"winner": "banker", "banker_count": 7, "banker_cards": 3})],
    announced_by="announce.dragon_7",
)

_PANDA_8: Final = facts_wager(
    "panda_8",
    "Panda 8",
    [("win", {"winner": "player", "player_count": 8, "player_cards": 3})],
    announced_by="announce.panda_8",
)

_HOUSE_MONEY: Final = facts_wager(
    "house_money",
    "House Money",
    [("both_pairs", {"pairs": 2}), ("one_pair", {"pairs": 1})],
    settled_at=Moment.FOUR_CARDS,
)

WAGERS: Final = {
    wager.id: wager
    for wager in (
        PLAYER, BANKER, TIE, *_TOTAL_CARDS, *_BONUS, _DRAGON_7, _PANDA_8, _HOUSE_MONEY, ROYAL_9,
    )
}  # fmt: skip
"""Every wager by id, in the order of settlement at one seat."""
