"""The blackjack bonus wager: the displayed payout is verified, announced, and paid.

What wins is an input, because the regulation does not say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.blackjack import acts
from croupier.law.cite import Refusal, cites
from croupier.law.elect import ErrorDetail
from croupier.law.usage import amount_of, money
from croupier.rules import TableRules

_DEALT: Final = Refusal("not_now", (), "the first card of the round has been dealt")

# --- the schedule --------------------------------------------------------------------------------


class Prize(NamedTuple):
    cents: int
    chance: Fraction


_PRIZE: Final = re.compile(r"(\S+) at (\d+/[1-9]\d*)")


def schedule_of(rules: TableRules, stake: str) -> tuple[Prize, ...]:
    """Schedule for a stake in dollars. Raises ``ValueError`` for an invalid line."""
    return tuple(map(_prize, rules.value(f"blackjack_bonus.schedule.{stake}", tuple)))


def _prize(text: str) -> Prize:
    match = _PRIZE.fullmatch(text)
    if match is None:
        raise ValueError(f'{text!r}: write an amount and its probability, such as "5.00 at 1/40"')
    return Prize(amount_of(match[1]), Fraction(match[2]))


@cites("blackjack_bonus.house_advantage")
def house_advantage(schedule: Sequence[Prize], stake_cents: int, *, returned: bool) -> Fraction:
    """House advantage; ``returned`` if a winning stake is returned.

    >>> house_advantage([Prize(500, Fraction(1, 10))], 100, returned=True)
    Fraction(2, 5)
    """
    returned_cents = stake_cents if returned else 0
    award = sum((prize.chance * (prize.cents + returned_cents) for prize in schedule), Fraction(0))
    return 1 - award / stake_cents


def schedule_errors(rules: TableRules) -> tuple[ErrorDetail, ...]:
    if not rules.applies("blackjack_bonus.house_advantage"):
        return ()
    stakes = rules.value("blackjack_bonus.stakes", tuple)
    return tuple(detail for stake in stakes for detail in _schedule_errors(rules, stake))


def _schedule_errors(rules: TableRules, stake: str) -> Iterator[ErrorDetail]:
    rule_id = f"blackjack_bonus.schedule.{stake}"
    try:
        schedule = schedule_of(rules, stake)
    except ValueError as error:
        yield ErrorDetail(rule_id, str(error), rules.cites(rule_id))
        return
    minimum, highest = _bounds(rules, stake)
    for prize in schedule:
        if not minimum <= prize.cents <= highest:
            message = f"{money(prize.cents)} is not between {money(minimum)} and {money(highest)}"
            yield ErrorDetail(rule_id, message, rules.cites_for("blackjack_bonus.stakes", stake))
        if not prize.chance:
            message = f"{money(prize.cents)} has zero probability"
            yield ErrorDetail(rule_id, message, rules.cites(rule_id))
    if len({prize.cents for prize in schedule}) < len(schedule):
        yield ErrorDetail(rule_id, "an amount is listed twice", rules.cites(rule_id))
    total = sum((prize.chance for prize in schedule), Fraction(0))
    if total > 1:
        yield ErrorDetail(
            rule_id, f"the probabilities add up to {total}, more than one", rules.cites(rule_id)
        )
    election = rules.value(f"blackjack_bonus.house_advantage.{stake}", Fraction)
    advantage = house_advantage(schedule, int(stake) * 100, returned=_returns(rules))
    if advantage != election:
        message = f"the schedule gives a house advantage of {advantage}, not the {election} elected"
        yield ErrorDetail(rule_id, message, rules.cites("blackjack_bonus.house_advantage"))


def _bounds(rules: TableRules, stake: str) -> tuple[int, int]:
    minimum = rules.value(f"blackjack_bonus.pays.{stake}.least", int)
    return minimum, rules.value(f"blackjack_bonus.pays.{stake}.most", int)


def _returns(rules: TableRules) -> bool:
    return rules.by_word("blackjack_bonus.award_is", {"to-one": True, "for-one": False})


def _stake_of(cents: int, rules: TableRules) -> str | None:
    stakes = rules.value("blackjack_bonus.stakes", tuple)
    return next((stake for stake in stakes if int(stake) * 100 == cents), None)


# --- the machine ---------------------------------------------------------------------------------


class PayoutStage(Enum):
    """The stage of a payout."""

    SHOWN = "shown on the display"
    VERIFIED = "verified"
    KNOWN = "announced or confirmed"
    PAID = "paid"

    __hash__ = object.__hash__


class Payout(Struct, frozen=True):
    cents: int
    step: PayoutStage = PayoutStage.SHOWN


class BonusState(Struct, frozen=True):
    """The bonus wagers on the layout, in cents by seat, and the payouts due."""

    round: int = 0
    dealing: bool = False
    stakes: Mapping[int, int] = field(default_factory=dict)
    payouts: Mapping[int, Payout] = field(default_factory=dict)

    @property
    def in_play_cents(self) -> int:
        return sum(self.stakes.values())


def _place(state: BonusState, command: acts.PlaceBonusWager, rules: TableRules) -> acts.Answer:
    seat, cents, seats = command.seat, command.cents, rules.submission.layout.seats
    if type(seat) is not int or not 1 <= seat <= seats:
        return Refusal("no_such_seat", (), f"there is no seat {seat!r}: the layout has {seats}")
    if state.dealing:
        return _DEALT
    if seat in state.stakes:
        return Refusal("twice", (), f"seat {seat} has a bonus wager already")
    stake = _stake_of(cents, rules) if type(cents) is int else None
    clauses = rules.cites("blackjack_bonus.stakes")
    if stake is None:
        amounts = " or ".join(f"${stake}" for stake in rules.value("blackjack_bonus.stakes", tuple))
        return Refusal("stake", clauses, f"{cents!r} cents: a bonus wager must be {amounts}")
    return (
        acts.BonusWagerPlaced(
            seat, cents, clauses=rules.cites_for("blackjack_bonus.stakes", stake)
        ),
    )


def _withdraw(
    state: BonusState, command: acts.WithdrawBonusWager, rules: TableRules
) -> acts.Answer:
    del rules
    if state.dealing:
        return _DEALT
    if command.seat not in state.stakes:
        return Refusal("no_wager", (), f"seat {command.seat} has no bonus wager")
    return (acts.BonusWagerReturned(command.seat, state.stakes[command.seat], clauses=()),)


def _deal_first(state: BonusState, command: acts.DealFirstCard, rules: TableRules) -> acts.Answer:
    del command, rules
    if state.dealing:
        return _DEALT
    return (acts.FirstCardDealt(state.round + 1, clauses=()),)


@cites("blackjack_bonus.verify")
def _show(state: BonusState, command: acts.ShowPayout, rules: TableRules) -> acts.Answer:
    seat, cents = command.seat, command.cents
    if not state.dealing or seat not in state.stakes:
        return Refusal("no_wager", (), f"seat {seat} has no bonus wager in this round")
    if seat in state.payouts:
        return Refusal("twice", (), f"the display has shown what seat {seat} won")
    stake = _stake_of(state.stakes[seat], rules)
    if stake is None:
        raise ValueError(f"a bonus wager of {state.stakes[seat]} cents was never placed")
    clauses = rules.cites_for("blackjack_bonus.stakes", stake)
    low, limit = _bounds(rules, stake)
    if type(cents) is not int or not low <= cents <= limit:
        amount = money(cents) if type(cents) is int else repr(cents)
        message = f"{amount} is not a payout of a ${stake} wager: {money(low)} to {money(limit)}"
        return Refusal("amount", clauses, message)
    if cents not in {prize.cents for prize in schedule_of(rules, stake)}:
        clauses = rules.cites(f"blackjack_bonus.schedule.{stake}")
        message = f"{money(cents)} is not in the payout schedule of a ${stake} wager"
        return Refusal("schedule", clauses, message)
    return (acts.PayoutShown(seat, cents, clauses=clauses),)


def _payout(state: BonusState, seat: int) -> Payout | Refusal:
    payout = state.payouts.get(seat)
    if payout is None:
        return Refusal("no_payout", (), f"the display shows nothing for seat {seat}")
    if payout.step is PayoutStage.PAID:
        return Refusal("paid", (), f"seat {seat} has been paid")
    return payout


@cites("blackjack_bonus.verify")
def _verify(state: BonusState, command: acts.VerifyPayout, rules: TableRules) -> acts.Answer:
    payout = _payout(state, command.seat)
    if isinstance(payout, Refusal):
        return payout
    clauses = rules.cites("blackjack_bonus.verify")
    if payout.step is not PayoutStage.SHOWN:
        return Refusal("twice", (), "the amount has been verified")
    if command.cents != payout.cents:
        message = f"the display shows {money(payout.cents)}, not {money(command.cents)}"
        return Refusal("display", clauses, message)
    return (acts.PayoutVerified(command.seat, payout.cents, clauses=clauses),)


def _verified_payout(state: BonusState, seat: int, rules: TableRules) -> Payout | Refusal:
    payout = _payout(state, seat)
    if isinstance(payout, Payout) and payout.step is PayoutStage.SHOWN:
        return _unverified(rules)
    if isinstance(payout, Payout) and payout.step is PayoutStage.KNOWN:
        return Refusal("twice", (), "the amount has been announced or confirmed")
    return payout


def _unverified(rules: TableRules) -> Refusal:
    clauses = rules.cites("blackjack_bonus.verify")
    return Refusal("unverified", clauses, "the dealer must verify the amount first")


@cites("blackjack_bonus.announce")
def _announce(state: BonusState, command: acts.AnnouncePayout, rules: TableRules) -> acts.Answer:
    payout = _verified_payout(state, command.seat, rules)
    if isinstance(payout, Refusal):
        return payout
    limit = rules.value("blackjack_bonus.confirm.from", int)
    if payout.cents >= limit:
        clauses = rules.cites("blackjack_bonus.confirm")
        message = f"a payout of {money(limit)} or more must be confirmed, not announced"
        return Refusal("confirm", clauses, message)
    addressees = rules.value("blackjack_bonus.announce.to", tuple)
    clauses = rules.cites("blackjack_bonus.announce")
    return (acts.PayoutAnnounced(command.seat, payout.cents, addressees, clauses=clauses),)


@cites("blackjack_bonus.confirm")
def _confirm(state: BonusState, command: acts.ConfirmPayout, rules: TableRules) -> acts.Answer:
    payout = _verified_payout(state, command.seat, rules)
    if isinstance(payout, Refusal):
        return payout
    limit = rules.value("blackjack_bonus.confirm.from", int)
    if payout.cents < limit:
        clauses = rules.cites("blackjack_bonus.announce")
        message = f"a payout under {money(limit)} must be announced, not confirmed"
        return Refusal("announce", clauses, message)
    offices = rules.value("blackjack_bonus.confirm.by", tuple)
    clauses = rules.cites("blackjack_bonus.confirm")
    if command.by not in offices:
        return Refusal("confirm", clauses, f"it must be confirmed by a {' or '.join(offices)}")
    return (acts.PayoutConfirmed(command.seat, payout.cents, command.by, clauses=clauses),)


@cites("blackjack_bonus.independent")
def _pay(state: BonusState, command: acts.PayBonus, rules: TableRules) -> acts.Answer:
    seat = command.seat
    payout = _payout(state, seat)
    if isinstance(payout, Refusal):
        return payout
    if payout.step is PayoutStage.SHOWN:
        return _unverified(rules)
    if payout.step is PayoutStage.VERIFIED:
        is_announced = payout.cents < rules.value("blackjack_bonus.confirm.from", int)
        missing_act = "announce" if is_announced else "confirm"
        clauses = rules.cites(f"blackjack_bonus.{missing_act}")
        step_done = "announced" if is_announced else "confirmed"
        message = f"a payout of {money(payout.cents)} is {step_done} before it is paid"
        return Refusal(missing_act, clauses, message)
    stake = state.stakes[seat]
    stake_name = _stake_of(stake, rules) or ""
    clauses = rules.cites_for("blackjack_bonus.stakes", stake_name)
    clauses += rules.cites("blackjack_bonus.independent")
    return (acts.BonusPaid(seat, stake, payout.cents, _returns(rules), clauses=clauses),)


@cites("blackjack_bonus.clear")
def _clear(state: BonusState, command: acts.ClearBonusLayout, rules: TableRules) -> acts.Answer:
    del command
    clauses = rules.cites("blackjack_bonus.clear")
    if not state.dealing:
        return Refusal("not_now", (), "no round is in play")
    unpaid = [seat for seat, payout in state.payouts.items() if payout.step is not PayoutStage.PAID]
    if unpaid:
        seats = " and ".join(map(str, unpaid))
        return Refusal(
            "unpaid", clauses, f"seat {seats} is to be paid before the layout is cleared"
        )
    return (acts.BonusLayoutCleared(state.stakes, clauses=clauses),)


_DECIDERS: Final[Mapping[type, Callable[[BonusState, Any, TableRules], acts.Answer]]] = {
    acts.PlaceBonusWager: _place,
    acts.WithdrawBonusWager: _withdraw,
    acts.DealFirstCard: _deal_first,
    acts.ShowPayout: _show,
    acts.VerifyPayout: _verify,
    acts.AnnouncePayout: _announce,
    acts.ConfirmPayout: _confirm,
    acts.PayBonus: _pay,
    acts.ClearBonusLayout: _clear,
}


def decide(state: BonusState, command: object, rules: TableRules) -> acts.Answer:
    if not rules.applies("blackjack_bonus.verify"):
        # The excerpt omits the provisions that permit the wager.
        return Refusal("not_offered", (), "this table does not offer the bonus wager")
    decider = _DECIDERS.get(type(command))
    if decider is None:
        raise TypeError(f"{type(command).__name__} is not a command of the bonus wager")
    return decider(state, command, rules)


def evolve(state: BonusState, event: acts.WagerEvent) -> BonusState:
    match event:
        case acts.BonusWagerPlaced(seat=seat, cents=cents):
            return replace(state, stakes={**state.stakes, seat: cents})
        case acts.BonusWagerReturned(seat=seat):
            stakes_left = {wager: cents for wager, cents in state.stakes.items() if wager != seat}
            return replace(state, stakes=stakes_left)
        case acts.FirstCardDealt(round=number):
            return replace(state, round=number, dealing=True)
        case acts.PayoutShown(seat=seat, cents=cents):
            return replace(state, payouts={**state.payouts, seat: Payout(cents)})
        case acts.PayoutVerified(seat=seat):
            return _with_step(state, seat, PayoutStage.VERIFIED)
        case acts.PayoutAnnounced(seat=seat) | acts.PayoutConfirmed(seat=seat):
            return _with_step(state, seat, PayoutStage.KNOWN)
        case acts.BonusPaid(seat=seat):
            stakes_left = {wager: cents for wager, cents in state.stakes.items() if wager != seat}
            return _with_step(replace(state, stakes=stakes_left), seat, PayoutStage.PAID)
        case acts.BonusLayoutCleared():
            return replace(state, dealing=False, stakes={}, payouts={})
        case _:
            return state


def _with_step(state: BonusState, seat: int, step: PayoutStage) -> BonusState:
    payout = replace(state.payouts[seat], step=step)
    return replace(state, payouts={**state.payouts, seat: payout})
