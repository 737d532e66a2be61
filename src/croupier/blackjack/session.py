"""A blackjack table with streak or bonus wagers, played round by round, and its narration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import lcm
from typing import Final, Generic, NamedTuple, TypeVar

from msgspec import Struct

from croupier.baccarat.cards import Card, faces
from croupier.blackjack import acts, bonus, streak
from croupier.blackjack.bonus import Prize, schedule_of
from croupier.blackjack.reference import (
    DealtBlackjackRound,
    ReshufflingShoe,
    deal_round,
    outcome_of,
    total,
)
from croupier.blackjack.results import RoundPlay, SeatPlay
from croupier.law.cite import NarrationLine, Refusal
from croupier.law.usage import money
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
        # A round ends with every bonus wager paid or collected.
        return self.streak.in_play_cents

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
            cents = seats[seat].shows_cents if seat in run.state.stakes else None
            if cents is not None:
                self._pay_out(run, seats[seat], cents)
        if not run.refused:
            run.execute(acts.ClearBonusLayout())

    def _pay_out(self, run: _Run[bonus.BonusState], play: SeatPlay, cents: int) -> None:
        seat, confirmer = play.seat, play.confirmed_by
        steps = (
            acts.ShowPayout(seat, cents),
            acts.VerifyPayout(seat, cents),
            acts.AnnouncePayout(seat) if confirmer is None else acts.ConfirmPayout(seat, confirmer),
            acts.PayBonus(seat),
        )
        all(run.execute(step, play) for step in steps)

    # --- money -----------------------------------------------------------------------------------

    def _book(self, event: acts.WagerEvent) -> None:
        match event:
            case acts.StreakWagersPlaced(seat=seat, stakes=stakes):
                for length, cents in stakes.items():
                    self._place(seat, f"streak_{length}", cents)
            case acts.BonusWagerPlaced(seat=seat, cents=cents):
                self._place(seat, "blackjack_bonus", cents)
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


# --- narration ------------------------------------------------------------------------------------


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
