"""A blackjack table with streak or bonus wagers, played round by round with a ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from math import lcm
from typing import Final, Generic, NamedTuple, TypeVar

from msgspec import Struct

from croupier.blackjack import acts, bonus, streak
from croupier.blackjack.bonus import Prize, schedule_of
from croupier.blackjack.reference import (
    DealtBlackjackRound,
    ReshufflingShoe,
    deal_round,
    outcome_of,
)
from croupier.blackjack.results import RoundPlay, SeatPlay
from croupier.law.cite import Refusal
from croupier.money.ledger import CAGE, INVENTORY, Ledger, layout, patron
from croupier.rules import TableRules
from croupier.table.cards.chance import Chance
from croupier.table.people.seating import counterclockwise_from_dealer

_OPENED_WITH_CENTS: Final = 5_000_000
"""Opening chips; the cage sends more if needed."""


class RefusedPlay(NamedTuple):
    seat: SeatPlay
    refusal: Refusal


class PlayedRound(NamedTuple):
    play: RoundPlay
    events: acts.Events
    refused: tuple[RefusedPlay, ...]


class WagerTally(Struct):
    """Number and cents of one kind of wager, by result."""

    placed: int = 0
    placed_cents: int = 0
    won: int = 0
    paid_cents: int = 0
    lost: int = 0
    lost_cents: int = 0

    @property
    def in_play(self) -> int:
        return self.placed - self.won - self.lost


State = TypeVar("State")


class _Run(Generic[State]):
    def __init__(
        self,
        state: State,
        decide: Callable[[State, object, TableRules], acts.Answer],
        evolve: Callable[[State, acts.WagerEvent], State],
        rules: TableRules,
    ) -> None:
        self.state = state
        self.events: list[acts.WagerEvent] = []
        self.refused: list[RefusedPlay] = []
        self._decide = decide
        self._evolve = evolve
        self._rules = rules

    def execute(self, command: object, seat: SeatPlay | None = None) -> bool:
        answer = self._decide(self.state, command, self._rules)
        if not isinstance(answer, Refusal):
            for event in answer:
                self.state = self._evolve(self.state, event)
            self.events += answer
            return True
        if seat is None:
            raise ValueError(f"{type(command).__name__}: {answer}")
        self.refuse(seat, answer)
        return False

    def refuse(self, seat: SeatPlay, answer: acts.Answer) -> None:
        if isinstance(answer, Refusal):
            self.refused.append(RefusedPlay(seat, answer))


class BlackjackTable:
    """A table with its wagers between rounds.

    Raises ``ValueError`` if it offers neither of the two.
    """

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules
        self.offers_streak = rules.applies("streak.place")
        if not self.offers_streak and not rules.applies("blackjack_bonus.verify"):
            raise ValueError("this table offers neither the streak wager nor the bonus wager")
        self.streak = streak.StreakState()
        self.bonus = bonus.BonusState()
        self.ledger = Ledger().opened(_OPENED_WITH_CENTS)
        self.tallies: defaultdict[str, WagerTally] = defaultdict(WagerTally)

    @property
    def in_play_cents(self) -> int:
        return self.streak.in_play_cents + self.bonus.in_play_cents

    def play(self, play: RoundPlay) -> PlayedRound:
        """Play a round. A round of bonus wagers with any refusal is not played."""
        if self.offers_streak:
            streaks = _Run(self.streak, streak.decide, streak.evolve, self.rules)
            self._play_streak(streaks, play)
            self.streak, events, refusal = streaks.state, streaks.events, streaks.refused
        else:
            bonuses = _Run(self.bonus, bonus.decide, bonus.evolve, self.rules)
            self._play_bonus(bonuses, play)
            events, refusal = bonuses.events, bonuses.refused
            if refusal:
                events = []
            else:
                self.bonus = bonuses.state
        for event in events:
            self._book(event)
        return PlayedRound(play, tuple(events), tuple(refusal))

    def _play_streak(self, run: _Run[streak.StreakState], play: RoundPlay) -> None:
        seat_plays = [
            seat for seat in play.seats if run.execute(acts.PlaceBlackjackWager(seat.seat), seat)
        ]
        for seat_play in seat_plays:
            if seat_play.streak:
                run.execute(acts.PlaceStreakWagers(seat_play.seat, seat_play.streak), seat_play)
            if seat_play.bonus_cents is not None:
                refusal = bonus.decide(
                    self.bonus,
                    acts.PlaceBonusWager(seat_play.seat, seat_play.bonus_cents),
                    self.rules,
                )
                run.refuse(seat_play, refusal)
        if seat_plays:
            run.execute(acts.DealFirstCard())
            outcome = RoundPlay(play.number, tuple(seat_plays), play.dealer_natural).outcome
            run.execute(acts.SettleRound(outcome))

    def _play_bonus(self, run: _Run[bonus.BonusState], play: RoundPlay) -> None:
        for seat_play in play.seats:
            if seat_play.streak:
                command = acts.PlaceStreakWagers(seat_play.seat, seat_play.streak)
                run.refuse(seat_play, streak.decide(self.streak, command, self.rules))
            if seat_play.bonus_cents is not None:
                run.execute(acts.PlaceBonusWager(seat_play.seat, seat_play.bonus_cents), seat_play)
        run.execute(acts.DealFirstCard())
        seats = {seat_play.seat: seat_play for seat_play in play.seats}
        for seat in counterclockwise_from_dealer(self.rules.submission.layout):
            if seat in run.state.stakes and seats[seat].shows_cents is not None:
                self._pay_out(run, seats[seat])
        if not run.refused:
            run.execute(acts.ClearBonusLayout())

    def _pay_out(self, run: _Run[bonus.BonusState], play: SeatPlay) -> None:
        seat, cents = play.seat, play.shows_cents or 0
        is_announced = cents < self.rules.value("blackjack_bonus.confirm.from", int)
        if play.confirmed_by is not None:
            made_known: tuple[object, ...] = (acts.ConfirmPayout(seat, play.confirmed_by),)
        else:
            made_known = (acts.AnnouncePayout(seat),) if is_announced else ()
        steps = (
            acts.ShowPayout(seat, cents),
            acts.VerifyPayout(seat, cents),
            *made_known,
            acts.PayBonus(seat),
        )
        all(run.execute(step, play) for step in steps)

    # --- money -----------------------------------------------------------------------------------

    def _book(self, event: acts.WagerEvent) -> None:  # noqa: C901  (a case for each that moves chips)
        match event:
            case acts.StreakWagersPlaced(seat=seat, stakes=stakes):
                for length, cents in stakes.items():
                    self._place(seat, f"streak_{length}", cents)
            case acts.BonusWagerPlaced(seat=seat, cents=cents):
                self._place(seat, "blackjack_bonus", cents)
            case acts.StreakWagersReturned(seat=seat, stakes=stakes):
                for length, cents in stakes.items():
                    self._return(seat, f"streak_{length}", cents)
            case acts.BonusWagerReturned(seat=seat, cents=cents):
                self._return(seat, "blackjack_bonus", cents)
            case acts.StreakWagersCollected(seat=seat, stakes=stakes):
                for length, cents in stakes.items():
                    self._collect(seat, f"streak_{length}", cents)
            case acts.BonusLayoutCleared(collected=amounts):
                for seat, cents in amounts.items():
                    self._collect(seat, "blackjack_bonus", cents)
            case acts.StreakPaid(seat=seat, length=length, stake_cents=stake, cents=cents):
                self._pay(seat, f"streak_{length}", stake, cents, returned=True)
            case acts.BonusPaid(seat=seat, stake_cents=stake, cents=cents, returned=is_returned):
                self._pay(seat, "blackjack_bonus", stake, cents, returned=is_returned)

    def _place(self, seat: int, wager: str, cents: int) -> None:
        # A patron buys chips for wagers beyond their winnings.
        shortfall = max(0, cents - self.ledger.balance(patron(seat)))
        self.ledger = self.ledger.posted(
            [(CAGE, patron(seat), shortfall), (patron(seat), layout(seat), cents)]
        )
        tally = self.tallies[wager]
        tally.placed += 1
        tally.placed_cents += cents

    def _return(self, seat: int, wager: str, cents: int) -> None:
        self.ledger = self.ledger.posted([(layout(seat), patron(seat), cents)])
        tally = self.tallies[wager]
        tally.placed -= 1
        tally.placed_cents -= cents

    def _collect(self, seat: int, wager: str, cents: int) -> None:
        self.ledger = self.ledger.posted([(layout(seat), INVENTORY, cents)])
        tally = self.tallies[wager]
        tally.lost += 1
        tally.lost_cents += cents

    def _pay(self, seat: int, wager: str, stake: int, cents: int, *, returned: bool) -> None:
        stake_to = patron(seat) if returned else INVENTORY
        self.ledger = self.ledger.posted([(layout(seat), stake_to, stake)])
        if self.ledger.balance(INVENTORY) < cents:
            self.ledger = self.ledger.opened(cents)
        self.ledger = self.ledger.posted([(INVENTORY, patron(seat), cents)])
        tally = self.tallies[wager]
        tally.won += 1
        tally.paid_cents += cents


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
        cards = deal_round(self._seats, self._shoe)
        plays = []
        for outcome in outcome_of(cards).seats:
            stake = bonuses[outcome.seat]
            streak, payout, confirmer = streaks[outcome.seat], None, None
            if stake is not None and cards.patron_natural(outcome.seat):
                schedule = schedule_of(self.session.rules, str(stake // 100))
                payout = draw(schedule, self._chance)
                confirmer = self._confirmed_by(payout)
            plays.append(SeatPlay(outcome.seat, outcome.hands, streak, stake, payout, confirmer))
        play = RoundPlay(self._round, tuple(plays), cards.dealer_natural)
        return PilotedRound(self.session.play(play), cards)

    def _streak(self, seat: int) -> dict[int, int]:
        if seat in self.session.streak.seats:
            return {}
        lengths = self.session.rules.value("streak.lengths", tuple)
        chosen = [int(length) for length in lengths if self._chance.below(2)]
        return {length: _CHIP_CENTS * (1 + self._chance.below(_MOST_CHIPS)) for length in chosen}

    def _bonus(self) -> int | None:
        stakes = self.session.rules.value("blackjack_bonus.stakes", tuple)
        place = self._chance.below(len(stakes) + 1)
        return None if place == len(stakes) else int(stakes[place]) * 100

    def _confirmed_by(self, cents: int) -> str | None:
        rules = self.session.rules
        if cents < rules.value("blackjack_bonus.confirm.from", int):
            return None
        return str(rules.value("blackjack_bonus.confirm.by", tuple)[0])


def draw(schedule: Sequence[Prize], chance: Chance) -> int:
    """Draw an amount in cents, given a win."""
    unit = lcm(*(prize.chance.denominator for prize in schedule))
    remainder = _below(chance, sum(int(prize.chance * unit) for prize in schedule))
    for prize in schedule:
        remainder -= int(prize.chance * unit)
        if remainder < 0:
            return prize.cents
    raise ValueError("the schedule has no amounts")


def _below(chance: Chance, number: int) -> int:
    """Uniform number below ``number``, which may exceed 32 bits."""
    bits = number.bit_length()
    while True:
        found = 0
        for _ in range(0, bits, 32):
            found = found << 32 | chance.below(1 << 32)
        found &= (1 << bits) - 1
        if found < number:
            return found
