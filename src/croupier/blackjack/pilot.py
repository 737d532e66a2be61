"""Random patrons for the reference game, in which a natural wins the bonus wager by assumption."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Final, NamedTuple

from croupier.blackjack.bonus import Prize, schedule_of
from croupier.blackjack.reference import (
    DealtBlackjackRound,
    ReshufflingShoe,
    deal_round,
    outcome_of,
)
from croupier.blackjack.results import RoundPlay, SeatPlay
from croupier.blackjack.session import BlackjackTable, PlayedRound
from croupier.table.cards.chance import Chance
from croupier.table.people.seating import counterclockwise_from_dealer

DECKS: Final = 8

_CHIP_CENTS: Final = 500
_MOST_CHIPS: Final = 5


class PilotedRound(NamedTuple):
    played: PlayedRound
    dealt: DealtBlackjackRound


class Pilot:
    """Deals the reference game to patrons in the first seats."""

    def __init__(self, session: BlackjackTable, chance: Chance, patrons: int) -> None:
        self.session = session
        ring = counterclockwise_from_dealer(session.rules.submission.layout)
        if not 1 <= patrons <= len(ring):
            raise ValueError(f"{patrons} patrons: the layout has {len(ring)} seats")
        # Settlement is counterclockwise from the dealer's right, dealing clockwise from the left.
        self._seats = ring[:patrons][::-1]
        self._chance = chance
        self._shoe = ReshufflingShoe(DECKS, chance)
        self._round = 0

    def play_round(self) -> PilotedRound:
        self._round += 1
        self._shoe.between_rounds()
        offers_streak = self.session.offers_streak
        streaks = {seat: self._streak(seat) if offers_streak else {} for seat in self._seats}
        bonuses = {seat: None if offers_streak else self._bonus() for seat in self._seats}
        dealt = deal_round(self._seats, self._shoe)
        plays = []
        for outcome in outcome_of(dealt).seats:
            stake = bonuses[outcome.seat]
            won = stake is not None and dealt.patron_natural(outcome.seat)
            shows = self._shown(stake) if stake is not None and won else None
            plays.append(
                SeatPlay(
                    outcome.seat,
                    outcome.hands,
                    streaks[outcome.seat],
                    stake,
                    shows,
                    None if shows is None else self._confirmed_by(shows),
                )
            )
        play = RoundPlay(self._round, tuple(plays), dealt.dealer_natural)
        return PilotedRound(self.session.play(play), dealt)

    def _streak(self, seat: int) -> dict[int, int]:
        if seat in self.session.streak.seats:
            return {}
        lengths = self.session.rules.value("streak.lengths", tuple)
        chosen = [int(length) for length in lengths if self._chance.below(2)]
        return {length: _CHIP_CENTS * (1 + self._chance.below(_MOST_CHIPS)) for length in chosen}

    def _bonus(self) -> int | None:
        stakes = self.session.rules.value("blackjack_bonus.stakes", tuple)
        chosen = self._chance.below(len(stakes) + 1)
        return None if chosen == len(stakes) else int(stakes[chosen]) * 100

    def _shown(self, stake_cents: int) -> int:
        return draw(schedule_of(self.session.rules, str(stake_cents // 100)), self._chance)

    def _confirmed_by(self, cents: int) -> str | None:
        rules = self.session.rules
        if cents < rules.value("blackjack_bonus.confirm.from", int):
            return None
        return str(rules.value("blackjack_bonus.confirm.by", tuple)[0])


def draw(schedule: Sequence[Prize], chance: Chance) -> int:
    """Draw an amount in cents, given a win."""
    unit = lcm(*(prize.chance.denominator for prize in schedule))
    left = _below(chance, sum(int(prize.chance * unit) for prize in schedule))
    for prize in schedule:
        left -= int(prize.chance * unit)
        if left < 0:
            return prize.cents
    raise ValueError("the schedule has no amounts")


def _below(chance: Chance, number: int) -> int:
    """Uniform number below ``number``, which may exceed 32 bits."""
    bits = number.bit_length()
    while True:
        drawn = 0
        for _ in range(0, bits, 32):
            drawn = drawn << 32 | chance.below(1 << 32)
        drawn &= (1 << bits) - 1
        if drawn < number:
            return drawn
