"""Royal 9: a nine and a face card in a hand's first two cards, and the chair's combination."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers.hands import BANKER, PLAYER, TIE
from croupier.baccarat.wagers.record import LOSE, Need, Wager


def royal_9(own: str, others: Collection[str]) -> Callable[[Facts], str]:
    """Deciding function for a chair's combination, by the highest line of the ladder."""

    def line_of(facts: Facts) -> str:
        player_hand, banker_hand = facts.player_royal, facts.banker_royal
        if not player_hand and not banker_hand:
            return LOSE
        suited = [hand != "" and hand[1] == hand[-1] for hand in (player_hand, banker_hand)]
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


def _say(facts: Facts) -> str:
    held = (("Player", facts.player_royal), ("Banker", facts.banker_royal))
    royals = [f"{name} began with {royal}" for name, royal in held if royal]
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
