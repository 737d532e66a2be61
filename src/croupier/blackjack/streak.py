"""The streak wager: that a patron will win two, three, four, or five consecutive hands.

The lammer is on the area of the next hand needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from math import gcd
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.blackjack import acts
from croupier.law.cite import Clauses, Refusal, cites
from croupier.law.values import Odds
from croupier.money.settlement import winnings_cents
from croupier.rules import TableRules
from croupier.table.people.seating import counterclockwise_from_dealer

_DEALT: Final = Refusal("not_now", (), "the first card of the round has been dealt")


class SeatStreak(Struct, frozen=True):
    """A patron's streak wagers, in cents by length, the hands won, and the lammer's area."""

    stakes: Mapping[int, int] = field(default_factory=dict)
    wins: int = 0
    lammer: int | None = None


class StreakState(Struct, frozen=True):
    round: int = 0
    dealing: bool = False
    blackjack: frozenset[int] = frozenset()
    seats: Mapping[int, SeatStreak] = field(default_factory=dict)
    fresh: frozenset[int] = frozenset()
    """Seats whose streak wagers were placed for the next round."""
    several: frozenset[int] = frozenset()
    """Seats that placed several together, however many are left."""

    @property
    def in_play_cents(self) -> int:
        return sum(sum(seat.stakes.values()) for seat in self.seats.values())


class StreakOutcome(Enum):
    """The effect of a round on a streak."""

    ADVANCE = "advance"
    HOLD = "hold"
    LOSE = "lose"

    __hash__ = object.__hash__


class StreakRuling(NamedTuple):
    """The effect of a round on a streak, and why."""

    outcome: StreakOutcome
    ground: str
    clauses: Clauses


@cites("streak.lose", "streak.push", "streak.split", "streak.abandon", "streak.independent")
def rule_on(outcome: acts.SeatOutcome | None, rules: TableRules) -> StreakRuling:
    """Effect of a seat's hands on its streak wagers; omitting a round abandons them."""
    if outcome is None or acts.HandOutcome.UNFINISHED in outcome.hands:
        return StreakRuling(StreakOutcome.LOSE, "abandoned", rules.cites("streak.abandon"))
    if outcome.is_split:
        return _rule_on_split(outcome, rules)
    match outcome.hands[0]:
        case acts.HandOutcome.WIN:
            return StreakRuling(StreakOutcome.ADVANCE, "won", ())
        case acts.HandOutcome.PUSH:
            return StreakRuling(StreakOutcome.HOLD, "push", rules.cites("streak.push"))
        case _:
            return StreakRuling(StreakOutcome.LOSE, "lost", rules.cites("streak.lose"))


def _rule_on_split(outcome: acts.SeatOutcome, rules: TableRules) -> StreakRuling:
    wins, losses = outcome.count(acts.HandOutcome.WIN), outcome.count(acts.HandOutcome.LOSE)
    pushes = outcome.count(acts.HandOutcome.PUSH)
    clauses = rules.cites_for("streak.split", "equal" if wins == losses else "majority")
    if pushes:
        clauses += rules.cites_for("streak.split", "push")
    if wins == losses:
        return StreakRuling(StreakOutcome.HOLD, "split", clauses)
    return StreakRuling(
        StreakOutcome.ADVANCE if wins > losses else StreakOutcome.LOSE, "split", clauses
    )


# --- before the first card -----------------------------------------------------------------------


def _strange_seat(seat: int, rules: TableRules) -> Refusal | None:
    seats = rules.submission.layout.seats
    if type(seat) is int and 1 <= seat <= seats:
        return None
    return Refusal("no_such_seat", (), f"there is no seat {seat!r}: the layout has {seats}")


@cites("streak.place")
def _place_blackjack(
    state: StreakState, command: acts.PlaceBlackjackWager, rules: TableRules
) -> acts.Answer:
    seat = command.seat
    clauses = rules.cites_for("streak.place", "blackjack_wager")
    if refusal := _strange_seat(seat, rules):
        return refusal
    if state.dealing:
        # The excerpt covers streak wagers, not the blackjack wagers with them.
        return _DEALT
    if seat in state.blackjack:
        return Refusal("twice", (), f"seat {seat} has a blackjack wager already")
    return (acts.BlackjackWagerPlaced(seat, clauses=clauses),)


@cites("streak.place")
def _place(state: StreakState, command: acts.PlaceStreakWagers, rules: TableRules) -> acts.Answer:
    """Place all of a patron's streak wagers, or none; they replace earlier ones for the round."""
    seat, stakes = command.seat, command.stakes
    if refusal := _strange_seat(seat, rules):
        return refusal
    if state.dealing:
        clauses = rules.cites_for("streak.place", "first_card")
        if len(stakes) > 1:
            clauses += rules.cites_for("streak.place", "together")
        message = "streak wagers must be placed before the first card of a round"
        return Refusal("first_card", clauses, message)
    if seat not in state.blackjack:
        clauses = rules.cites_for("streak.place", "blackjack_wager")
        message = f"seat {seat} has no blackjack wager on this round, which a streak wager requires"
        return Refusal("needs_blackjack_wager", clauses, message)
    if seat in state.seats and seat not in state.fresh:
        return _additional(state, seat, rules)
    if refusal := _unfit(stakes, rules):
        return refusal
    clauses = rules.cites_for("streak.place", "one" if len(stakes) == 1 else "several")
    event = acts.StreakWagersPlaced(seat, dict(sorted(stakes.items())), clauses=clauses)
    return (*_return_stakes(state, seat), event)


def _return_stakes(state: StreakState, seat: int) -> acts.Events:
    if seat not in state.fresh:
        return ()
    return (acts.StreakWagersReturned(seat, state.seats[seat].stakes, clauses=()),)


def _withdraw_streak(
    state: StreakState, command: acts.WithdrawStreakWagers, rules: TableRules
) -> acts.Answer:
    if command.seat not in state.fresh:
        message = f"seat {command.seat} has no streak wager placed for the round to come"
        clauses = rules.cites("streak.abandon") if command.seat in state.seats else ()
        return Refusal("no_wager", clauses, message)
    return _return_stakes(state, command.seat)


def _withdraw_blackjack(
    state: StreakState, command: acts.WithdrawBlackjackWager, rules: TableRules
) -> acts.Answer:
    del rules
    seat = command.seat
    if state.dealing:
        return _DEALT
    if seat not in state.blackjack:
        return Refusal("no_wager", (), f"seat {seat} has no blackjack wager")
    return (*_return_stakes(state, seat), acts.BlackjackWagerReturned(seat, clauses=()))


def _additional(state: StreakState, seat: int, rules: TableRules) -> Refusal:
    clauses = rules.cites_for("streak.place", "together")
    if seat in state.several:
        clauses += rules.cites_for("streak.place", "additional")
    areas = " and ".join(map(str, state.seats[seat].stakes))
    message = f"seat {seat} has a streak wager on {areas} that is not yet decided"
    return Refusal("undecided", clauses, message)


def _unfit(stakes: Mapping[int, int], rules: TableRules) -> Refusal | None:
    if not stakes:
        return Refusal("amount", (), "no streak wager is given")
    lengths = rules.value("streak.lengths", tuple)
    for length, cents in stakes.items():
        if str(length) not in lengths:
            clauses = rules.cites("streak.lengths")
            message = f"streak length {length!r} is not offered: {', '.join(lengths)}"
            return Refusal("no_such_streak", clauses, message)
        if type(cents) is not int or cents <= 0:
            message = (
                f"{cents!r} cents: the amount must be a whole number of cents greater than zero"
            )
            return Refusal("amount", (), message)
        odds = _odds(length, rules)
        unit = odds.stake // gcd(*odds)
        if cents % unit:
            clauses = rules.cites(f"streak.pays.{length}")
            message = f"{cents} cents at {odds} is not a whole number of cents"
            return Refusal("fraction_of_a_cent", clauses, message)
    return None


def _odds(length: int, rules: TableRules) -> Odds:
    return rules.value(f"streak.pays.{length}", Odds)


@cites("streak.place")
def _deal_first(state: StreakState, command: acts.DealFirstCard, rules: TableRules) -> acts.Answer:
    del command
    clauses = rules.cites_for("streak.place", "first_card")
    if state.dealing:
        return _DEALT
    if not state.blackjack:
        return Refusal("no_wagers", (), "no seat has a blackjack wager on this round")
    return (acts.FirstCardDealt(state.round + 1, clauses=clauses),)


@cites("streak.abandon")
def _leave(state: StreakState, command: acts.LeaveBlackjackTable, rules: TableRules) -> acts.Answer:
    seat = command.seat
    clauses = rules.cites("streak.abandon")
    if refusal := _strange_seat(seat, rules):
        return refusal
    if state.dealing and seat in state.blackjack:
        message = f"seat {seat} has a hand in play: if the patron leaves, the hand is unfinished"
        return Refusal("hand_in_play", clauses, message)
    streak = None if seat in state.fresh else state.seats.get(seat)
    collections = () if streak is None else _collect(seat, streak, "abandoned", clauses)
    events = _return_stakes(state, seat)
    if seat in state.blackjack:
        events = (*events, acts.BlackjackWagerReturned(seat, clauses=()))
    return (
        *collections,
        *events,
        acts.BlackjackPatronLeft(seat, clauses=clauses if collections else ()),
    )


# --- after the last card -------------------------------------------------------------------------


@cites("streak.settle")
def _settle(state: StreakState, command: acts.SettleRound, rules: TableRules) -> acts.Answer:
    """Collect from the dealer's right, then pay and move lammers in a second pass."""
    outcome = command.outcome
    if not state.dealing:
        return Refusal("not_now", (), "no round is in play")
    if errors := list(acts.outcome_errors(outcome)):
        return Refusal("outcomes", (), "; ".join(errors))
    outcomes = {seat_outcome.seat: seat_outcome for seat_outcome in outcome.seats}
    if set(outcomes) != state.blackjack:
        seats = ", ".join(map(str, sorted(set(outcomes) ^ state.blackjack)))
        message = (
            f"each blackjack wager of the round, and no other, must have an outcome; wrong: {seats}"
        )
        return Refusal("outcomes", (), message)
    events: list[acts.WagerEvent] = []
    ring = counterclockwise_from_dealer(rules.submission.layout)
    rulings = {seat: rule_on(outcomes.get(seat), rules) for seat in ring}
    for seat in ring:
        events += _collect_losers(seat, outcomes.get(seat), state, rulings[seat], rules)
    for seat in ring:
        events += _pay_winners(seat, outcomes.get(seat), state, rulings[seat], rules)
    return (*events, acts.CardsCollected(clauses=rules.cites_for("streak.settle", "clear")))


def _collect_losers(
    seat: int, outcome: acts.SeatOutcome | None, state: StreakState, ruling: StreakRuling,
    rules: TableRules,
) -> Iterator[acts.WagerEvent]:  # fmt: skip
    streak = state.seats.get(seat)
    clauses = rules.cites_for("streak.settle", "collect")
    losses = 0 if outcome is None else outcome.count(acts.HandOutcome.LOSE)
    if losses:
        yield acts.BlackjackWagersCollected(seat, losses, clauses=clauses)
    if streak is not None and ruling.outcome is StreakOutcome.LOSE:
        yield from _collect(seat, streak, ruling.ground, clauses + ruling.clauses)


def _collect(
    seat: int, streak: SeatStreak, ground: str, clauses: Clauses
) -> tuple[acts.WagerEvent, ...]:
    event = acts.StreakWagersCollected(seat, streak.stakes, ground, clauses=clauses)
    if streak.lammer is None:
        return (event,)
    return (event, acts.LammerMoved(seat, streak.lammer, None, clauses=clauses))


def _pay_winners(
    seat: int, outcome: acts.SeatOutcome | None, state: StreakState, ruling: StreakRuling,
    rules: TableRules,
) -> Iterator[acts.WagerEvent]:  # fmt: skip
    streak = state.seats.get(seat)
    wins = 0 if outcome is None else outcome.count(acts.HandOutcome.WIN)
    if wins:
        yield acts.BlackjackWagersPaid(seat, wins, clauses=rules.cites_for("streak.settle", "pay"))
    if streak is None:
        return
    if ruling.outcome is StreakOutcome.HOLD:
        yield acts.StreakHeld(seat, ruling.ground, clauses=ruling.clauses)
    if ruling.outcome is StreakOutcome.ADVANCE:
        yield from _advance(seat, streak, ruling, rules)


@cites("streak.lammer_first")
def _advance(
    seat: int, streak: SeatStreak, ruling: StreakRuling, rules: TableRules
) -> Iterator[acts.WagerEvent]:
    """Count a win. With several wagers in play, the lammer moves before one is paid."""
    wins = streak.wins + 1
    yield acts.StreakAdvanced(seat, wins, clauses=_advancing(wins, streak, rules) + ruling.clauses)
    lammer = tuple(_move_lammer(seat, wins, streak, rules))
    payments = tuple(_pay(seat, wins, streak, rules))
    yield from (*lammer, *payments) if len(streak.stakes) > 1 else (*payments, *lammer)


def _advancing(wins: int, streak: SeatStreak, rules: TableRules) -> Clauses:
    if wins == 1:
        return rules.cites_for("streak.lammer", "first")
    lengths = (length for length in streak.stakes if length >= wins)
    return tuple(clause for one in lengths for clause in rules.cites_for("streak.win", str(one)))


@cites("streak.lammer")
def _move_lammer(
    seat: int, wins: int, streak: SeatStreak, rules: TableRules
) -> Iterator[acts.LammerMoved]:
    lengths = [length for length in streak.stakes if length > wins]
    area = wins + 1 if lengths else None
    clauses = rules.cites_for("streak.settle", "pay")
    if wins == 1:
        clauses += rules.cites_for("streak.lammer", "first")
    else:
        for length in lengths:
            clauses += rules.cites_for("streak.lammer", str(length))
    if len(streak.stakes) > 1 and wins in streak.stakes:
        clauses += rules.cites("streak.lammer_first")
    yield acts.LammerMoved(seat, streak.lammer, area, clauses=clauses)


@cites("streak.win")
def _pay(seat: int, wins: int, streak: SeatStreak, rules: TableRules) -> Iterator[acts.StreakPaid]:
    if wins not in streak.stakes:
        return
    cents, odds = streak.stakes[wins], _odds(wins, rules)
    clauses = (
        *rules.cites_for("streak.settle", "pay"),
        *rules.cites_for("streak.win", str(wins)),
        *rules.cites(f"streak.pays.{wins}"),
    )
    if len(streak.stakes) > 1:
        clauses += rules.cites("streak.lammer_first")
    yield acts.StreakPaid(seat, wins, cents, odds, winnings_cents(cents, odds), clauses=clauses)


_DECIDERS: Final[Mapping[type, Callable[[StreakState, Any, TableRules], acts.Answer]]] = {
    acts.PlaceBlackjackWager: _place_blackjack,
    acts.PlaceStreakWagers: _place,
    acts.DealFirstCard: _deal_first,
    acts.WithdrawBlackjackWager: _withdraw_blackjack,
    acts.WithdrawStreakWagers: _withdraw_streak,
    acts.LeaveBlackjackTable: _leave,
    acts.SettleRound: _settle,
}


def decide(state: StreakState, command: object, rules: TableRules) -> acts.Answer:
    if not rules.applies("streak.place"):
        clauses = rules.cites("streak.offered")
        return Refusal("not_offered", clauses, "this table does not offer the streak wager")
    decider = _DECIDERS.get(type(command))
    if decider is None:
        raise TypeError(f"{type(command).__name__} is not a command of the streak wager")
    return decider(state, command, rules)


def _seat_with(state: StreakState, seat: int, streak: SeatStreak | None) -> StreakState:
    seats = {number: seat_streak for number, seat_streak in state.seats.items() if number != seat}
    if streak is not None:
        seats[seat] = streak
        return replace(state, seats=seats)
    return replace(state, seats=seats, fresh=state.fresh - {seat}, several=state.several - {seat})


def evolve(state: StreakState, event: acts.WagerEvent) -> StreakState:
    match event:
        case acts.BlackjackWagerPlaced(seat=seat):
            return replace(state, blackjack=state.blackjack | {seat})
        case acts.StreakWagersPlaced(seat=seat, stakes=stakes):
            several_lengths = state.several | {seat} if len(stakes) > 1 else state.several
            new_state = _seat_with(state, seat, SeatStreak(stakes))
            return replace(new_state, fresh=state.fresh | {seat}, several=several_lengths)
        case acts.FirstCardDealt(round=number):
            return replace(state, round=number, dealing=True, fresh=frozenset())
        case acts.BlackjackPatronLeft(seat=seat) | acts.BlackjackWagerReturned(seat=seat):
            return replace(state, blackjack=state.blackjack - {seat})
        case acts.StreakWagersCollected(seat=seat) | acts.StreakWagersReturned(seat=seat):
            return _seat_with(state, seat, None)
        case acts.StreakAdvanced(seat=seat, wins=wins):
            return _seat_with(state, seat, replace(state.seats[seat], wins=wins))
        case acts.LammerMoved(seat=seat, to_area=area) if seat in state.seats:
            return _seat_with(state, seat, replace(state.seats[seat], lammer=area))
        case acts.StreakPaid(seat=seat, length=length):
            streak = state.seats[seat]
            left = {wager: cents for wager, cents in streak.stakes.items() if wager != length}
            return _seat_with(state, seat, replace(streak, stakes=left) if left else None)
        case acts.CardsCollected():
            return replace(state, dealing=False, blackjack=frozenset())
        case _:
            return state
