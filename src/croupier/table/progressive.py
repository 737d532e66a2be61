"""The Royal 9 progressive: meters that wagers feed and awards empty, and Must Hit for Stax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from croupier.law.cite import once
from croupier.money.settlement import Settled, dollars
from croupier.money.stax import commitment_to, drawn, is_secret, mystery_cents
from croupier.rules import Offer, TableRules
from croupier.table.commands import CommitMystery, EndProgressiveRound
from croupier.table.core import Action, Events, Refusal, applies, decides, offers
from croupier.table.events import (
    AwardPaid,
    Event,
    MeterReset,
    MetersAdvanced,
    MysteryCommitted,
    ProgressiveRoundEnded,
    StaxWon,
)
from croupier.table.state import Phase, TableState, changed

__all__ = ["advance_meters", "mystery_uncommitted", "pay_award", "round_not_ended"]

_STAX: Final = "stax"


def _feeding(rules: TableRules) -> Offer | None:
    """Return the wager on offer whose stakes feed the meters."""
    return next((offer for offer in rules.offers.values() if offer.meters), None)


def _seats(state: TableState, feeding: Offer) -> tuple[int, ...]:
    return tuple(seat for seat, wager in state.stakes if wager == feeding.wager.id)


# --- the meters --------------------------------------------------------------------------------


def advance_meters(state: TableState, rules: TableRules) -> tuple[Events, Mapping[str, int]]:
    """Return the event by which a round's wagers go into the meters, and what they show then."""
    meters = state.progressive.meters
    feeding = _feeding(rules)
    seats = () if feeding is None else _seats(state, feeding)
    if feeding is None or not seats:
        return (), meters
    fed = len(seats) * (feeding.fixed_cents or 0)
    grown = {
        meter: cents + (fed * rules.value(f"{feeding.meters[meter]}.increment", Fraction)).numerator
        for meter, cents in meters.items()
    }
    clauses = rules.cites("wagers.royal_9.before_deal")
    return (MetersAdvanced(grown, tuple(sorted(seats)), clauses),), grown


@applies(MetersAdvanced)
def _advanced(state: TableState, event: MetersAdvanced) -> TableState:
    before = state.progressive
    progressive = changed(
        before,
        meters=event.meters,
        seats=event.seats,
        stax_before=before.meters.get(_STAX, 0),
    )
    return changed(state, progressive=progressive)


def pay_award(one: Settled, rules: TableRules, order: tuple[str, ...]) -> Iterator[Event]:
    """Pay an award; a meter that is paid out begins again at its seed."""
    award = one.decision.award
    if award is None:
        return
    clauses = once(order, one.decision.clauses)
    yield AwardPaid(one.seat, one.wager, one.decision.line, one.won_cents, award.meter, clauses)
    if award.meter is not None:
        rule_id = f"{rules.offers[one.wager].meters[award.meter]}.seed"
        yield MeterReset(award.meter, rules.meter_seeds[award.meter], rules.cites(rule_id))


@applies(AwardPaid)
def _paid(state: TableState, event: AwardPaid) -> TableState:
    patron = state.seats[event.seat]
    patron = changed(patron, chips_cents=patron.chips_cents + event.cents)
    return changed(state, seats={**state.seats, event.seat: patron})


@applies(MeterReset)
def _reset(state: TableState, event: MeterReset) -> TableState:
    meters = {**state.progressive.meters, event.meter: event.cents}
    return changed(state, progressive=changed(state.progressive, meters=meters))


# --- Must Hit for Stax -------------------------------------------------------------------------


def mystery_uncommitted(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why Royal 9 is not wagered, and no round begins: there is no mystery value to be hit."""
    if not rules.applies("wagers.royal_9.stax") or state.progressive.commitment:
        return None
    message = "the mystery value is not fixed: commit to one before the first wager"
    return Refusal("mystery", rules.cites("wagers.royal_9.stax"), message)


@decides(CommitMystery, Phase.BETTING, cites=("wagers.royal_9.stax",))
def _commit(state: TableState, command: CommitMystery, rules: TableRules) -> Events | Refusal:
    clauses = rules.cites("wagers.royal_9.stax")
    if not rules.applies("wagers.royal_9.stax"):
        return Refusal("not_offered", clauses, "this table has no award that must be hit")
    if state.progressive.commitment:
        return Refusal("committed", clauses, "a mystery value is fixed and has not been hit yet")
    if not is_secret(command.commitment):
        return Refusal("commitment", clauses, "a commitment is a SHA-256: 64 hexadecimal digits")
    return (MysteryCommitted(command.commitment, clauses),)


@applies(MysteryCommitted)
def _committed(state: TableState, event: MysteryCommitted) -> TableState:
    return changed(
        state, progressive=changed(state.progressive, commitment=event.commitment, seats=())
    )


def round_not_ended(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why the layout is not cleared: the draw among those who took part is still to come."""
    if not state.progressive.seats or not rules.applies("wagers.royal_9.stax"):
        return None
    message = "the dealer ends the round for the progressive first"
    return Refusal("end_round", rules.cites("wagers.royal_9.stax"), message)


@decides(EndProgressiveRound, Phase.SETTLED, cites=("wagers.royal_9.stax",))
def _end(state: TableState, command: EndProgressiveRound, rules: TableRules) -> Events | Refusal:
    """End the round; where the secret is revealed, draw a winner if the mystery value is hit."""
    clauses = rules.cites("wagers.royal_9.stax")
    progressive = state.progressive
    feeding = _feeding(rules)
    if round_not_ended(state, rules) is None or state.round is None or feeding is None:
        return Refusal("nobody", clauses, "nobody took part in this round, or it is ended")
    most = rules.value("wagers.royal_9.stax.must_hit_by", int)
    shown = progressive.meters[_STAX]
    if command.secret is None:
        if shown < most:
            return (ProgressiveRoundEnded(progressive.seats, clauses),)
        message = f"the meter shows {dollars(shown)} and must be hit by {dollars(most)}: reveal it"
        return Refusal("must_hit", rules.cites("wagers.royal_9.stax.must_hit_by"), message)
    secret = command.secret
    if not is_secret(secret) or commitment_to(secret) != progressive.commitment:
        return Refusal("secret", clauses, "that is not the secret which was committed to")
    seed = rules.value("wagers.royal_9.stax.seed", int)
    mystery = mystery_cents(secret, seed, most)
    if shown < mystery:
        return Refusal("not_hit", clauses, "the mystery value is not hit yet: keep the secret")
    seat = drawn(secret, state.round.number, progressive.seats)
    words = f"seat {seat} wins {dollars(shown)}"
    late = progressive.stax_before >= mystery
    won = StaxWon(seat, shown, mystery, secret, progressive.seats, late, words, clauses)
    reset = MeterReset(_STAX, seed, rules.cites("wagers.royal_9.stax.seed"))
    return (won, AwardPaid(seat, feeding.wager.id, _STAX, shown, _STAX, clauses), reset)


@applies(ProgressiveRoundEnded)
def _ended(state: TableState, event: ProgressiveRoundEnded) -> TableState:
    del event
    return changed(state, progressive=changed(state.progressive, seats=()))


@applies(StaxWon)
def _won(state: TableState, event: StaxWon) -> TableState:
    """Take the commitment away: the award that follows is paid, and another value is fixed."""
    del event
    return changed(state, progressive=changed(state.progressive, seats=(), commitment=""))


# --- what may be done next ---------------------------------------------------------------------


@offers(Phase.BETTING, Phase.SETTLED)
def _next_of_progressive(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    clauses = rules.cites("wagers.royal_9.stax")
    if state.phase is Phase.SETTLED:
        if round_not_ended(state, rules) is None:
            return ()
        return (Action(EndProgressiveRound, "dealer", clauses),)
    if mystery_uncommitted(state, rules) is None:
        return ()
    return (Action(CommitMystery, "licensee", clauses),)
