"""The Royal 9 progressive: meters fed by wagers, and Must Hit for Stax."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.fields import Count, HouseCents, MeterCents, Moment, Seat, Word
from croupier.acts.roles import Role
from croupier.baccarat.wagers import WAGERS
from croupier.law.sight import Sight
from croupier.law.usage import money
from croupier.money import ledger
from croupier.money.ledger import Ledger, Posting
from croupier.money.stax import (
    DrawTerms,
    cards_text,
    commitment_to,
    drawn,
    is_secret,
    mystery_cents,
)
from croupier.rules import Award, TableRules
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves, moves_by_balance
from croupier.table.machine.core import Action, Answer, Events, Refusal
from croupier.table.machine.state import Phase, RoundState, TableState, with_slice
from croupier.table.settling.awards import award, numbered

_STAX: Final = "stax"


@core.keeps("progressive", at_first=lambda rules: Progressive(rules.meter_seeds), past_closing=True)
class Progressive(Struct, frozen=True):
    """The meters of the Royal 9 progressive in cents, and the state of the mystery value.

    The mystery value exceeds ``above_cents``, the Stax meter at its commitment, and follows from
    ``opening``, the cards of the first round after it. ``reserve_cents`` is the contribution beyond
    the amount by which Stax must be hit, and of retired meters the part ``waiting`` for others.
    ``spent`` are ended commitments. ``linked`` names the link of each shared meter. ``late_cents``
    were added to Stax by corrections since a round was last ended.
    """

    meters: Annotated[Mapping[str, int], Sight.OPEN] = field(default_factory=dict)
    commitment: Word = ""
    above_cents: MeterCents = 0
    opening: Annotated[str, Sight.KEPT] = ""
    seats: tuple[Seat, ...] = ()
    stax_before: Count = 0
    reserve_cents: HouseCents = 0
    spent: tuple[Word, ...] = ()
    linked: Annotated[Mapping[str, str], Sight.OPEN] = field(default_factory=dict)
    committed_at: Moment | None = None
    waiting: Annotated[Mapping[str, int], Sight.OPEN] = field(default_factory=dict)
    late_cents: HouseCents = 0


def _now(state: TableState, **changes: object) -> TableState:
    return with_slice(state, replace(state[Progressive], **changes))


# --- the meters --------------------------------------------------------------------------------


@hooks.meters_shown.join
def _shown(state: TableState) -> Mapping[str, int]:
    return state[Progressive].meters


@hooks.before_settlement.join
def _advance(state: TableState, rules: TableRules) -> Events:
    grown, feeding = dict(state[Progressive].meters), set[str]()
    for _, wager in state.stakes:
        for meter, share in rules.meter_shares.get(wager, {}).items():
            feeding.add(wager)
            grown[meter] += ((rules.offers[wager].fixed_cents or 0) * share).numerator
    if not feeding:
        return ()
    # Only bettors on Royal 9 take part in its draw.
    drawn_among = feeding if rules.feeding is None else {rules.feeding.wager.id}
    seats = [seat for seat, wager in state.stakes if wager in drawn_among & feeding]
    clauses, reserved = rules.cites_for("wagers.royal_9", "meters"), 0
    if _STAX in grown:
        maximum = rules.value("wagers.royal_9.stax.must_hit_by", int)
        reserved = max(0, grown[_STAX] - maximum)
        grown[_STAX] -= reserved
    if reserved:
        clauses += rules.cites_for("wagers.royal_9", "reserve")
    return (acts.MetersAdvanced(grown, tuple(sorted(set(seats))), reserved, clauses),)


@moves_by_balance(acts.MetersAdvanced)
def _contributed(accounts: Ledger, event: acts.MetersAdvanced) -> list[Posting]:
    reserved = (ledger.CONTRIBUTIONS, ledger.RESERVE, event.reserved_cents)
    return [*accounts.metering(event.meters), reserved]


@core.applies(acts.MetersAdvanced)
def _advanced(state: TableState, event: acts.MetersAdvanced) -> TableState:
    last = state[Progressive]
    before = last.meters.get(_STAX, 0) - last.late_cents
    reserve = last.reserve_cents + event.reserved_cents
    changes = {"stax_before": before, "reserve_cents": reserve, "late_cents": 0}
    return _now(state, meters=event.meters, seats=event.seats, **changes)


@hooks.award_paid.join
def _begin_again(award: Award, rules: TableRules) -> Events:
    if award.meter is None:
        return ()
    law = {} if rules.feeding is None else rules.feeding.meters
    # A meter outside any regulation cites no clause.
    clauses = rules.cites(f"{law[award.meter]}.seed") if award.meter in law else ()
    return (acts.MeterReset(award.meter, rules.meter_seeds[award.meter], 0, clauses),)


@moves(acts.MeterReset)
def _funded(event: acts.MeterReset) -> tuple[Posting, ...]:
    seed, meter = event.cents - event.from_reserve_cents, ledger.meter(event.meter)
    return ((ledger.SEED_FUNDING, meter, seed), (ledger.RESERVE, meter, event.from_reserve_cents))


@core.applies(acts.MeterReset)
def _reset(state: TableState, event: acts.MeterReset) -> TableState:
    before = state[Progressive]
    meters = {**before.meters, event.meter: event.cents}
    reserve = before.reserve_cents - event.from_reserve_cents
    amounts = {name: cents for name, cents in before.waiting.items() if name != event.meter}
    return _now(state, meters=meters, reserve_cents=reserve, waiting=amounts)


# --- meters that tables of a pit share ---------------------------------------------------------


@moves_by_balance(acts.MetersRead)
def _of_others(accounts: Ledger, event: acts.MetersRead) -> list[Posting]:
    return accounts.reading(event.shown)


@core.applies(acts.MetersRead)
def _shows(state: TableState, event: acts.MetersRead) -> TableState:
    before = state[Progressive]
    links = {name: meter for name, meter in before.linked.items() if name not in event.shown}
    if event.link:
        links |= dict.fromkeys(event.shown, event.link)
    return _now(state, meters={**before.meters, **event.shown}, linked=links)


# --- Must Hit for Stax -------------------------------------------------------------------------


def mystery_uncommitted(state: TableState, rules: TableRules) -> Refusal | None:
    if not rules.applies("wagers.royal_9.stax") or state[Progressive].commitment:
        return None
    message = "the mystery value is not set: commit to one before the first wager"
    return Refusal("mystery", rules.cites("wagers.royal_9.stax"), message)


@hooks.before_wagers.join
def _wagered_blind(state: TableState, rules: TableRules, wagers: Iterable[str]) -> Refusal | None:
    # The person who chooses the value must not know the participants of its draw.
    feeding = rules.feeding
    feeds = feeding is not None and feeding.wager.id in wagers
    return mystery_uncommitted(state, rules) if feeds else None


@hooks.settings_fixed.join
def _fixed(state: TableState, rule_id: str, rules: TableRules) -> Refusal | None:
    """Refuse to change what meters depend on while there are any."""
    metered = tuple(f"{wager.offered_by}." for wager in WAGERS.values() if wager.meters)
    if not rule_id.startswith(metered):
        return None
    if state.phase is Phase.CLOSED and not state[Progressive].meters:
        return None
    clauses = rules.ruling("meters-retired")
    message = f"{rule_id}: meters run on from day to day: retire them first, at a closed table"
    return Refusal("not_now", clauses, message)


@core.decides(acts.CommitMystery, Phase.BETTING, cites=("wagers.royal_9.stax",))
def _commit(state: TableState, command: acts.CommitMystery, rules: TableRules) -> Answer:
    clauses = rules.cites("wagers.royal_9.stax")
    if not rules.applies("wagers.royal_9.stax"):
        return Refusal("not_offered", (), "this table has no must-hit award")
    if state[Progressive].commitment:
        return Refusal("committed", clauses, "a mystery value is set and has not been hit")
    if not is_secret(command.commitment):
        message = "a commitment must be a SHA-256: 64 hexadecimal digits"
        return Refusal("commitment", clauses, message)
    if _participates(state, rules):
        message = (
            "the value was given up after wagers on it, and nobody is drawn in their round: commit"
            " to another after it, or once they are withdrawn"
        )
        return Refusal("wagered", (*clauses, *rules.ruling("secret-not-revealed")), message)
    if command.commitment in state[Progressive].spent:
        return spent_before(rules)
    meter_cents = state[Progressive].meters[_STAX]
    return (acts.MysteryCommitted(command.commitment, meter_cents, clauses),)


def _participates(state: TableState, rules: TableRules) -> bool:
    feeding = rules.feeding
    return feeding is not None and any(wager == feeding.wager.id for _, wager in state.stakes)


def spent_before(rules: TableRules, where: str = "") -> Refusal:
    clauses = (*rules.cites("wagers.royal_9.stax"), *rules.ruling("commitment-spent"))
    place = where and f" {where}"
    message = f"this commitment stood before{place} and its secret may be known: commit to a new"
    return Refusal("spent", clauses, f"{message} secret")


@core.applies(acts.MysteryCommitted)
def _committed(state: TableState, event: acts.MysteryCommitted) -> TableState:
    above = event.above_cents
    set_now = _now(state, commitment=event.commitment, above_cents=above, opening="", seats=())
    return _now(set_now, committed_at=state.at)


@hooks.draw_to_come.join
def _draw_to_come(state: TableState, seat: int, rules: TableRules) -> Refusal | None:
    if seat not in state[Progressive].seats or not rules.applies("wagers.royal_9.stax"):
        return None
    message = f"seat {seat} takes part in the draw of this round: it is ended first"
    return Refusal("participant", rules.cites("wagers.royal_9.stax"), message)


@hooks.before_clearing.join
def _not_ended(state: TableState, rules: TableRules) -> Refusal | None:
    if not state[Progressive].seats or not rules.applies("wagers.royal_9.stax"):
        return None
    message = "end the round for the progressive wager first"
    return Refusal("end_round", rules.cites("wagers.royal_9.stax"), message)


@core.decides(acts.EndProgressiveRound, Phase.SETTLED, cites=("wagers.royal_9.stax",))
def _end(state: TableState, command: acts.EndProgressiveRound, rules: TableRules) -> Answer:
    clauses = rules.cites("wagers.royal_9.stax")
    progressive = state[Progressive]
    feeding = rules.feeding
    if _not_ended(state, rules) is None or state.round is None or feeding is None:
        return Refusal("nobody", clauses, "no seat took part in this round, or it has ended")
    maximum = rules.value("wagers.royal_9.stax.must_hit_by", int)
    shown = progressive.meters[_STAX]
    if command.secret is None:
        if shown < maximum:
            return (acts.ProgressiveRoundEnded(progressive.seats, clauses),)
        if not progressive.commitment:
            # The value was given up after the wagers: the round has none that could be hit.
            return (
                acts.ProgressiveRoundEnded(
                    progressive.seats, (*clauses, *rules.ruling("secret-not-revealed"))
                ),
            )
        message = f"the meter shows {money(shown)} and must be hit by {money(maximum)}: reveal it"
        return Refusal("must_hit", rules.cites("wagers.royal_9.stax.must_hit_by"), message)
    secret = command.secret
    if not is_secret(secret) or commitment_to(secret) != progressive.commitment:
        return Refusal("secret", clauses, "the secret does not match the commitment")
    cards = _cards_of(state.round)
    opening = progressive.opening or cards
    mystery = mystery_cents(secret, opening, progressive.above_cents, maximum)
    if shown < mystery:
        message = "the mystery value has not been hit: do not reveal the secret"
        return Refusal("not_hit", clauses, message)
    if progressive.opening and progressive.stax_before >= mystery:
        message = (
            f"the mystery value {money(mystery)} was hit in an earlier round, and its secret was"
            " withheld: it draws nobody in this round. Replace it, and give the secret"
        )
        return Refusal("late", clauses, message)
    seat = drawn(secret, cards, progressive.seats)
    words = f"seat {seat} wins {money(shown)}"
    win = acts.StaxWon(
        seat, shown, mystery, secret, progressive.seats, opening, cards, words, clauses
    )
    seed = rules.value("wagers.royal_9.stax.seed", int)
    kept = min(progressive.reserve_cents, maximum - seed)
    reset = acts.MeterReset(_STAX, seed + kept, kept, rules.cites("wagers.royal_9.stax.seed"))
    paid = acts.AwardPaid(seat, feeding.wager.id, _STAX, shown, _STAX, clauses)
    display = acts.StaxWinnerShown(seat, rules.cites_for("wagers.royal_9.stax", "shown"))
    return (win, display, *numbered(state, (award(state, rules, paid),)), reset)


def draw_terms(state: TableState, rules: TableRules) -> DrawTerms | None:
    """Return the inputs of the mystery value besides its secret, at the end of a round."""
    if _not_ended(state, rules) is None or state.round is None:
        return None
    progressive = state[Progressive]
    return DrawTerms(
        progressive.opening or _cards_of(state.round),
        progressive.above_cents,
        rules.value("wagers.royal_9.stax.must_hit_by", int),
        progressive.meters[_STAX],
    )


def _cards_of(round_: RoundState) -> str:
    return cards_text(round_.number, round_.coup.player, round_.coup.banker)


def cards_of(state: TableState) -> str:
    """Return the round's cards as draws count them; empty if none is on the layout."""
    return "" if state.round is None else _cards_of(state.round)


@core.applies(acts.ProgressiveRoundEnded)
def _ended(state: TableState, _event: acts.ProgressiveRoundEnded) -> TableState:
    opening = state[Progressive].opening
    if not opening and state.round is not None:
        opening = _cards_of(state.round)
    return _now(state, seats=(), opening=opening)


@core.decides(acts.ReplaceMystery, Phase.BETTING, Phase.SETTLED, cites=("wagers.royal_9.stax",))
def _replace(state: TableState, command: acts.ReplaceMystery, rules: TableRules) -> Answer:
    # The new value must exceed the meter's reading, so that losing a secret on purpose does not
    # repeat the draw among known participants.
    clauses = rules.cites("wagers.royal_9.stax")
    commitment = state[Progressive].commitment
    if not commitment:
        return Refusal("not_committed", clauses, "no mystery value is committed to")
    if not command.reason.strip():
        return Refusal("reason", (), "say why the secret cannot be revealed: it stays on record")
    secret = command.secret or ""
    if secret and (not is_secret(secret) or commitment_to(secret) != commitment):
        return Refusal("secret", clauses, "the secret does not match the commitment")
    seats = state[Progressive].seats
    return (
        acts.MysteryReplaced(
            commitment, secret, command.reason, seats, rules.ruling("secret-not-revealed")
        ),
    )


core.no_effect(acts.StaxWinnerShown)


@core.applies(acts.MysteryReplaced, acts.StaxWon)
def _ended_commitment(state: TableState, _event: acts.Event) -> TableState:
    before = state[Progressive]
    commitments = (*before.spent, before.commitment)
    return _now(state, seats=(), commitment="", opening="", spent=commitments)


@core.offers(Phase.SETTLED)
def _end_of_round(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if _not_ended(state, rules) is None:
        return ()
    clauses = rules.cites("wagers.royal_9.stax")
    return (Action(acts.EndProgressiveRound, Role.DEALER, clauses),)


@core.offers(Phase.BETTING, Phase.SETTLED, optional=True)
def _mystery_value(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    # Optional, because nobody has to wager on it.
    clauses = rules.cites("wagers.royal_9.stax")
    if state[Progressive].commitment:
        return (Action(acts.ReplaceMystery, Role.LICENSEE, clauses, must=False),)
    if state.phase is not Phase.BETTING or mystery_uncommitted(state, rules) is None:
        return ()
    if _participates(state, rules):
        return ()
    return (Action(acts.CommitMystery, Role.LICENSEE, clauses, must=False, awaited=True),)
