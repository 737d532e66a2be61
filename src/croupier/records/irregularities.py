"""Irregularities in words, for the narration: cards that went astray, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.baccarat.hand import Hand
from croupier.records.narrated_people import who
from croupier.table import events as e

HANDS: Final = {Hand.PLAYER: "Player's Hand", Hand.BANKER: "Banker's Hand"}


def _in_error(event: e.CardDrawnInError) -> str:
    where = "" if event.dealt_to is None else f" to the {HANDS[event.dealt_to]}"
    seen = "disclosed" if event.disclosed else "not disclosed"
    by = "" if event.curator is None else f" by the curator in seat {event.curator}"
    return f"{event.card} is drawn in error{by}{where}, {seen}"


def _waited(event: e.ThirdCardWaitsNoMore) -> str:
    if event.hand is None:
        return f"{event.card} may not be the third card of either hand"
    return f"{event.card} is the third card of the {HANDS[event.hand]}"


def _discarded(event: e.CardDiscarded) -> str:
    card = "A card, unseen," if event.card is None else str(event.card)
    return f"{card} is discarded"


IRREGULARITIES: Final[Mapping[type[e.Event], tuple[str, Callable[[Any], str]]]] = {
    e.CardDrawnInError: ("act", _in_error),
    e.ThirdCardWaits: (
        "act",
        lambda x: f"{x.card}, dealt before its time to the {HANDS[x.dealt_to]}, waits",
    ),
    e.ThirdCardWaitsNoMore: ("act", _waited),
    e.CardMisread: (
        "act",
        lambda x: (
            f"{who(x.supervisor)} finds that {x.recorded} was {x.actual}"
            + (": the settlement stands" if x.stands and x.hand else "")
        ),
    ),
    e.ShoeFoundEmpty: (
        "act",
        lambda x: f"{who(x.supervisor)} finds the shoe empty: {x.missing} cards are missing",
    ),
    e.WrongCardFound: (
        "act",
        lambda x: (
            f"{who(x.supervisor)} finds a {x.kind} card{f', {x.card}' if x.card else ''}: "
            "the cards go out of use"
        ),
    ),
    e.HeldCardPassedOver: (
        "act",
        lambda x: (
            f"{who(x.supervisor)} lets the hand stand as dealt: "
            f"{' '.join(map(str, x.cards))} will begin the next"
        ),
    ),
    e.CardHeld: ("act", lambda x: f"{x.card} is held as the first card of the next hand"),
    e.FaceUpCardFound: (
        "act",
        lambda x: f"{x.card} lies face up in the shoe{', and is discarded' if x.discarded else ''}",
    ),
    e.CardDiscarded: ("act", _discarded),
    e.SimulatedRoundOrdered: ("act", lambda x: f"{x.card} will begin a round without wagers"),
    e.SimulatedRoundBegun: ("act", lambda _: "A round without wagers begins"),
    e.RoundVoided: (
        "act",
        lambda x: (
            f"{'The simulated round' if x.simulated else f'Round {x.round}'} is void: "
            + ("no more cards are dealt from this shoe" if x.reshuffle else "a card was disclosed")
        ),
    ),
}
"""The kind of line that each event makes, and what it says."""
