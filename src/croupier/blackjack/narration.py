"""Narration of a round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from croupier.baccarat.cards import Card, faces
from croupier.blackjack import acts
from croupier.blackjack.reference import DealtBlackjackRound, total
from croupier.blackjack.session import PlayedRound
from croupier.law.cite import NarrationLine
from croupier.law.usage import money


def narrate(
    played: PlayedRound, dealt_round: DealtBlackjackRound | None = None
) -> Iterator[NarrationLine]:
    for event in played.events:
        if line := _event_text(event):
            yield NarrationLine(*line, event.clauses)
        if isinstance(event, acts.FirstCardDealt):
            yield from _hands(played, dealt_round)


def _hands(played: PlayedRound, dealt: DealtBlackjackRound | None) -> Iterator[NarrationLine]:
    if dealt is not None:
        dealer = _hand(dealt.dealer, natural=dealt.dealer_natural)
        yield NarrationLine("card", f"Dealer: {dealer}", ())
    elif played.play.dealer_natural:
        yield NarrationLine("card", "Dealer: a natural", ())
    for seat in played.play.seats:
        hand_texts = [hand.value for hand in seat.hands]
        if dealt is not None:
            natural = dealt.patron_natural(seat.seat)
            parts = zip(dealt.hands[seat.seat], dealt.doubled[seat.seat], hand_texts, strict=True)
            hand_texts = [
                f"{_hand(cards, natural=natural)}{', doubled' * is_doubled}: {word}"
                for cards, is_doubled, word in parts
            ]
        yield NarrationLine("card", f"Seat {seat.seat}: {'; '.join(hand_texts)}", ())


def _hand(cards: Sequence[Card], *, natural: bool) -> str:
    count, soft = total(cards)
    figure = "natural" if natural else f"soft {count}" if soft else str(count)
    return f"{faces(cards)} ({figure})"


def _short(cents: int) -> str:
    return money(cents, short=True)


def _streaks(stakes: Mapping[int, int]) -> str:
    return " and ".join(f"{_short(cents)} on a streak of {one}" for one, cents in stakes.items())


def _wagers(hands: int) -> str:
    return "blackjack wager" if hands == 1 else f"{hands} blackjack wagers"


_LOST: Final = {
    "lost": "the hand is lost",
    "split": "more split hands are lost than won",
    "abandoned": "the streak is abandoned",
}
_HELD: Final = {
    "push": "a push leaves the streak unchanged",
    "split": "an equal number of split hands won and lost leaves the streak unchanged",
}


def _event_text(event: acts.WagerEvent) -> tuple[str, str] | None:
    match event:
        case acts.FirstCardDealt():
            return "act", "The first card is dealt: wagers are closed"
        case acts.BlackjackWagersCollected(seat=seat, hands=hands):
            return "money", f"Seat {seat}: {_wagers(hands)} collected"
        case acts.BlackjackWagersPaid(seat=seat, hands=hands):
            return "money", f"Seat {seat}: {_wagers(hands)} paid"
        case acts.BonusLayoutCleared(collected=amounts_by_seat):
            amounts = [f"{_short(cents)} of seat {seat}" for seat, cents in amounts_by_seat.items()]
            collecting = f", collecting {' and '.join(amounts)}" if amounts else ""
            return "act", f"The dealer clears the layout{collecting}"
        case acts.CardsCollected():
            return "act", "The cards go to the discard rack"
        case _:
            return _streak_text(event) or _bonus_text(event)


def _streak_text(event: acts.WagerEvent) -> tuple[str, str] | None:
    match event:
        case acts.StreakWagersPlaced(seat=seat, stakes=stakes):
            return "act", f"Seat {seat} puts {_streaks(stakes)}"
        case acts.StreakWagersCollected(seat=seat, stakes=stakes, ground=ground):
            return "money", f"Seat {seat}: {_LOST[ground]}; collected: {_streaks(stakes)}"
        case acts.StreakAdvanced(seat=seat, wins=wins):
            hands = "one hand" if wins == 1 else f"{wins} hands in a row"
            return "ruling", f"Seat {seat} has won {hands}"
        case acts.StreakHeld(seat=seat, ground=ground):
            return "ruling", f"Seat {seat}: {_HELD[ground]}"
        case acts.LammerMoved(seat=seat, from_area=old_area, to_area=None):
            return "act", f"Seat {seat}: the lammer is taken from {old_area}"
        case acts.LammerMoved(seat=seat, from_area=None, to_area=area):
            return "act", f"Seat {seat}: the lammer is placed on {area}"
        case acts.LammerMoved(seat=seat, from_area=old_area, to_area=area):
            return "act", f"Seat {seat}: the lammer moves from {old_area} to {area}"
        case acts.StreakPaid(seat=seat, length=length, stake_cents=stake, odds=odds, cents=cents):
            win_text = f"{_short(stake)} on a streak of {length} wins {_short(cents)} at {odds}"
            return "money", f"Seat {seat}: {win_text}"
        case _:
            return None


def _bonus_text(event: acts.WagerEvent) -> tuple[str, str] | None:
    match event:
        case acts.BonusWagerPlaced(seat=seat, cents=cents):
            return "act", f"Seat {seat} makes a bonus wager of {_short(cents)}"
        case acts.PayoutShown(seat=seat, cents=cents):
            return "act", f"Seat {seat}: the display shows {_short(cents)}"
        case acts.PayoutVerified(seat=seat, cents=cents):
            return "act", f"Seat {seat}: the dealer verifies {_short(cents)} on the display"
        case acts.PayoutAnnounced(seat=seat, cents=cents, to=to):
            return "spoken", f"Seat {seat}: “{_short(cents)}”, to be heard by {' and '.join(to)}"
        case acts.PayoutConfirmed(seat=seat, cents=cents, by=confirmer):
            return "act", f"Seat {seat}: {_short(cents)} is confirmed by the {confirmer}"
        case acts.BonusPaid(seat=seat, stake_cents=stake, cents=cents, returned=is_returned):
            stake_text = f", and {_short(stake)} is returned" if is_returned else ""
            return "money", f"Seat {seat}: the bonus wager is paid {_short(cents)}{stake_text}"
        case _:
            return None
