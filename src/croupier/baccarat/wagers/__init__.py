"""The catalog of wagers; other code does not depend on individual ones."""

from __future__ import annotations

from typing import Final

from croupier.baccarat.hand import Hand
from croupier.baccarat.wagers.conditions import Condition, When, condition, errors_in
from croupier.baccarat.wagers.facts import FACTS, NO_FACT, SIGNS, CardPart, Fact
from croupier.baccarat.wagers.hands import BANKER, PLAYER, TIE
from croupier.baccarat.wagers.record import LOSE, PUSH, Moment, Need, Wager
from croupier.baccarat.wagers.royal import ROYAL_9
from croupier.baccarat.wagers.shapes import CARDS, ByFacts, facts_wager, margin_wager, shaped_wager

__all__ = [
    "BANKER", "CARDS", "FACTS", "LOSE", "NO_FACT", "PLAYER", "PUSH", "SIGNS", "TIE", "WAGERS",
    "ByFacts", "CardPart", "Condition", "Fact", "Moment", "Need", "Wager", "When", "condition",
    "errors_in", "facts_wager", "margin_wager", "shaped_wager",
]  # fmt: skip

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
