"""The Player, Banker, and Tie wagers."""

from __future__ import annotations

from typing import Final

from croupier.baccarat.coup import Facts
from croupier.baccarat.hand import Hand
from croupier.baccarat.wagers.record import LOSE, PUSH, Wager, say_counts


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
