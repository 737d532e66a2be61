"""Opening a table: receipt, inspection, spread, wash, batches."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.law.cite import once
from croupier.law.elect import SubmissionError
from croupier.rules import TableRules, rules_with
from croupier.table.cards.cutting import offer_cut, vigorish_outstanding
from croupier.table.cards.device import device_down, failure_cites, shuffles_by_hand
from croupier.table.cards.out_of_use import cards_flawed
from croupier.table.cards.verifying import not_verified_by
from croupier.table.house.tray import copies_of, opening_fault
from croupier.table.machine import core, hooks
from croupier.table.machine.core import (
    Action,
    Answer,
    Events,
    Refusal,
    not_now,
    not_there,
    past_closing,
)
from croupier.table.machine.state import NONE_HELD, Cut, Phase, TableState
from croupier.table.settling.settling import owed_by_the_shoe


@core.decides(acts.OpenTable, Phase.CLOSED, cites=("forms.duplicate",))
def _open(state: TableState, command: acts.OpenTable, rules: TableRules) -> Answer:
    if fault := _day_fault(state, command.gaming_date, rules):
        return Refusal("gaming_day", (), fault)
    if refusal := hooks.before_opening.ask(state, command.gaming_date, rules):
        return refusal
    if not (command.dealer.strip() and command.floorperson.strip()):
        return Refusal("nobody", (), "name the dealer and the floorperson of the table")
    if command.inventory_cents <= 0:
        return Refusal("inventory", (), "a table must open with chips in its inventory")
    if refusal := opening_fault(state, command.inventory_cents):
        return refusal
    meters = hooks.meters_shown.ask(state) or {}
    persons = (command.dealer, command.floorperson)
    opened = acts.TableOpened(command.inventory_cents, *persons, command.gaming_date, meters, ())
    copies = copies_of(command, None, rules)
    return (opened, *copies, *hooks.on_opening.ask(state, rules))


@hooks.before_opening.join
def _excerpt(_state: TableState, _day: date, rules: TableRules) -> Refusal | None:
    if not (rules.law.partial and rules.missing):
        return None
    message = f"no table is dealt under an excerpt, which has no rules for {rules.missing_in_words}"
    return Refusal("excerpt", (), message)


def _day_fault(state: TableState, day: date, rules: TableRules) -> str | None:
    if state.gaming_date is not None and day < state.gaming_date:
        return f"{day} is before {state.gaming_date}, the last gaming day here"
    first = rules.law.first_day
    if first is not None and day < first:
        return f"{day} is before {first}, from which this regulation is in force"
    return None


@core.applies(acts.TableOpened)
def _opened(state: TableState, event: acts.TableOpened) -> TableState:
    slices = past_closing(state)
    return TableState(
        state.tableau, state.course, Phase.OPEN, event.gaming_date, slices=slices, at=state.at
    )


def _cites_against(decks: int, rules: TableRules) -> tuple[str, ...]:
    try:
        rules_with(rules, {"decks": decks})
    except SubmissionError as error:
        return once(*(detail.clauses for detail in error.errors if detail.where == "decks"))
    return ()


@core.decides(
    acts.ReceiveCards, Phase.OPEN, cites=("opening.receive", "opening.preshuffled", "decks")
)
def _receive(state: TableState, command: acts.ReceiveCards, rules: TableRules) -> Answer:
    decks = rules.value("decks", int)
    if command.decks != decks:
        return Refusal(
            "decks",
            _cites_against(command.decks, rules),
            f"this table uses {decks} decks, but {command.decks} were received",
        )
    if refusal := hooks.before_receipt.ask(state, command.name, rules):
        return refusal
    clauses = rules.cites("opening.preshuffled") if command.preshuffled else ()
    clauses = clauses or rules.cites("opening.receive")
    received = acts.CardsReceived(decks, command.preshuffled, command.name, clauses)
    if command.preshuffled and not state.course.seals:
        return (received, *_into_play(state, rules))
    return (received,)


@core.applies(acts.CardsReceived)
def _received(state: TableState, event: acts.CardsReceived) -> TableState:
    phase = Phase.RECEIVED
    if event.preshuffled:
        phase = Phase.INSPECTED if state.course.seals else Phase.TO_LOAD
    return replace(
        state,
        phase=phase,
        decks=event.decks,
        preshuffled=event.preshuffled,
        in_device=None,
        stacked=(),
        batch=1,
        cut=Cut(),
    )


@core.refuses(acts.VerifyCards, at=[Phase.RECEIVED])
@core.refuses(acts.SpreadCards, at=(Phase.RECEIVED, Phase.INSPECTED))
def _inspected_first(
    state: TableState, command: acts.SpreadCards | acts.VerifyCards, rules: TableRules
) -> Refusal:
    is_verification = isinstance(command, acts.VerifyCards)
    if state.preshuffled or not (state.course.verifies if is_verification else state.course.spread):
        return not_now(state)
    message = "the dealer inspects the cards first"
    if not is_verification:
        message = "the dealer inspects the cards and the floorperson verifies that first"
    return Refusal("not_now", rules.cites("opening.verify"), message)


@core.refuses(
    acts.WashCards, acts.StackCards, at=(Phase.TO_SPREAD, Phase.SPREAD_UP, Phase.SPREAD_DOWN)
)
def _looked_at_first(
    state: TableState, _command: acts.WashCards | acts.StackCards, rules: TableRules
) -> Refusal:
    turns_up = state.phase is Phase.SPREAD_DOWN and rules.elected("idle.on_arrival", "turn-up")
    next_rule = "opening.batches" if rules.batches == 2 else "opening.wash"
    view_clauses = rules.cites("idle.turn_up" if turns_up else viewed_under(state))
    clauses = view_clauses if state.idle else once(view_clauses, rules.cites(next_rule))
    message = "the first player to arrive is given an opportunity to look at the cards first"
    return Refusal("not_now", clauses, message)


@core.decides(acts.InspectCards, Phase.RECEIVED, cites=("opening.inspect",))
def _inspect(_state: TableState, _command: acts.InspectCards, rules: TableRules) -> Events:
    return (acts.CardsInspected(rules.cites("opening.inspect")),)


@core.applies(acts.CardsInspected)
def _inspected(state: TableState, _event: acts.CardsInspected) -> TableState:
    return replace(state, phase=Phase.INSPECTED if state.course.verifies else _verified_to(state))


def _verified_to(state: TableState) -> Phase:
    if state.course.spread:
        return Phase.TO_SPREAD
    return Phase.VIEWED if state.course.batches == 2 else Phase.TO_SHUFFLE


@core.decides(acts.VerifyCards, Phase.INSPECTED, cites=("opening.verify", "opening.receive"))
def _verify(state: TableState, command: acts.VerifyCards, rules: TableRules) -> Answer:
    clauses = rules.cites("opening.receive" if state.preshuffled else "opening.verify")
    if state.preshuffled and rules.applies("opening.preshuffled"):
        clauses = (rules.entry("preshuffled.verified"),)
    if refusal := not_verified_by(state, command.floorperson, "the cards", clauses):
        return refusal
    if not command.accepted:
        return (acts.CardsRejected(command.floorperson, clauses),)
    verified = acts.CardsVerified(command.floorperson, clauses)
    return (verified, *_into_play(state, rules)) if state.preshuffled else (verified,)


def _into_play(state: TableState, rules: TableRules) -> Events:
    # A continuous device has no cut: its cards are loaded.
    if rules.elected("device", "continuous"):
        return ()
    exchange: Events = ()
    if rules.batches == 2:
        exchange = (acts.BatchesExchanged(2, None, rules.cites("device.exchange")),)
    return (*exchange, offer_cut(state, rules))


@core.applies(acts.CardsRejected)
def _rejected(state: TableState, _event: acts.CardsRejected) -> TableState:
    return replace(state, phase=Phase.OPEN, decks=0, preshuffled=False)


@core.applies(acts.CardsVerified)
def _verified(state: TableState, _event: acts.CardsVerified) -> TableState:
    return replace(state, phase=Phase.TO_LOAD if state.preshuffled else _verified_to(state))


def _batch_at_hand(state: TableState) -> int:
    return state.batch if state.in_device is not None else len(state.stacked) + 1


@core.decides(acts.SpreadCards, Phase.TO_SPREAD, cites=("opening.spread", "opening.batches"))
def _spread(state: TableState, _command: acts.SpreadCards, rules: TableRules) -> Events:
    batches = rules.cites("opening.batches") if rules.batches == 2 else ()
    clauses = rules.cites("opening.spread") + batches
    layout = rules.law.rules["opening.spread"].terms.get("laid_out", "")
    return (acts.CardsSpread(_batch_at_hand(state), rules.decks_per_shoe, layout, clauses),)


core.leads_to(Phase.SPREAD_UP, acts.CardsSpread, acts.SpreadTurnedUp)


@core.decides(
    acts.ViewSpread, Phase.SPREAD_UP, Phase.SPREAD_DOWN, cites=("opening.spread", "idle.turn_down")
)
def _view(state: TableState, command: acts.ViewSpread, rules: TableRules) -> Answer:
    viewed = acts.SpreadViewed(command.seat, rules.cites(viewed_under(state)))
    return not_shown(state, command.seat, rules) or (viewed,)


def not_shown(state: TableState, seat: int, rules: TableRules) -> Refusal | None:
    if refusal := not_there(state, seat):
        return refusal
    if state.phase is Phase.SPREAD_DOWN and rules.elected("idle.on_arrival", "turn-up"):
        message = "turn the cards face up first, because a player has arrived"
        return Refusal("turn_up", rules.cites("idle.turn_up"), message)
    return None


def viewed_under(state: TableState) -> str:
    if state.inspection_offered:
        return "idle.reinspection"
    return "idle.turn_down" if state.idle else "opening.spread"


core.leads_to(Phase.VIEWED, acts.SpreadViewed)


@core.decides(
    acts.WashCards,
    Phase.VIEWED,
    Phase.TO_EXCHANGE,
    Phase.SHOE_COMPLETED,
    cites=("opening.wash", "idle.wash", "idle.reinspection", "shuffle.three_dealers"),
)
def _wash(state: TableState, _command: acts.WashCards, rules: TableRules) -> Answer:
    if state.phase is Phase.SHOE_COMPLETED:
        clauses = rules.cites("shuffle.three_dealers")
        if not rules.applies("shuffle.three_dealers"):
            return Refusal("no_wash", (), "this table does not wash the cards")
        return _waits(state, rules) or (acts.CardsWashed(for_device=False, clauses=clauses),)
    if not _washes(state, rules):
        return Refusal(
            "no_wash",
            rules.cites(_stacked_under(state)) or rules.cites("device.exchange"),
            "with a shuffler, each batch is stacked without a wash and loaded into the device",
        )
    for_device = rules.elected("device", "continuous")
    clauses = rules.cites(_washed_under(state))
    if rules.batches == 2 and not state.inspection_offered:
        clauses += failure_cites(rules)
    return (acts.CardsWashed(for_device, clauses),)


def _washes(state: TableState, rules: TableRules) -> bool:
    by_hand = state.idle and shuffles_by_hand(state, rules)
    return rules.batches != 2 or state.inspection_offered or by_hand


def _stacked_under(state: TableState) -> str:
    return "idle.device" if state.idle else "opening.batches"


def _waits(state: TableState, rules: TableRules) -> Refusal | None:
    refusal = vigorish_outstanding(state, rules.cites("vigorish.before_reshuffle"))
    return refusal or cards_flawed(state, rules)


def _washed_under(state: TableState) -> str:
    if state.inspection_offered:
        return "idle.reinspection"
    return "idle.wash" if state.idle else "opening.wash"


@core.applies(acts.CardsWashed)
def _washed(state: TableState, event: acts.CardsWashed) -> TableState:
    phase = Phase.TO_LOAD if event.for_device else Phase.TO_SHUFFLE
    return replace(state, phase=phase, inspection_offered=False, stacked=(), **NONE_HELD)


@core.decides(acts.StackCards, Phase.VIEWED, cites=("opening.batches", "idle.device"))
def _stack(state: TableState, _command: acts.StackCards, rules: TableRules) -> Answer:
    if rules.batches != 2 or state.inspection_offered:
        clauses = rules.cites(_washed_under(state))
        return Refusal("wash", clauses, "wash the cards before stacking them")
    clauses = rules.cites(_stacked_under(state)) or rules.cites("device.exchange")
    return (acts.CardsStacked(_batch_at_hand(state), clauses),)


@core.applies(acts.CardsStacked)
def _stacked(state: TableState, event: acts.CardsStacked) -> TableState:
    stacked = (*state.stacked, event.batch)
    more = state.in_device is None and len(stacked) < 2
    return replace(state, stacked=stacked, phase=_verified_to(state) if more else Phase.TO_EXCHANGE)


@core.decides(
    acts.ExchangeBatches,
    Phase.TO_EXCHANGE,
    Phase.SHOE_COMPLETED,
    cites=("device.exchange", "device.one_batch_in_rack", "idle.device"),
)
def _exchange(state: TableState, _command: acts.ExchangeBatches, rules: TableRules) -> Answer:
    if rules.batches != 2:
        return Refusal("no_device", (), "this table has no shuffler")
    if refusal := device_down(state, rules) or _waits(state, rules):
        return refusal
    batch = state.stacked[0] if state.stacked else state.batch
    clauses = rules.cites("device.exchange") + rules.cites("device.one_batch_in_rack")
    if state.idle and state.phase is Phase.TO_EXCHANGE:
        clauses = rules.cites("idle.device")
    exchanged = acts.BatchesExchanged(batch, state.in_device, clauses)
    if state.in_device is None or rules.applies("shuffle.finish"):
        return (exchanged,)
    # Cards from the device are shuffled, and this regulation requires no further shuffle.
    return (exchanged, offer_cut(state, rules))


@core.applies(acts.BatchesExchanged)
def _exchanged(state: TableState, event: acts.BatchesExchanged) -> TableState:
    if event.out_of_device is None:
        # The first batch is in the device; at the opening the second one follows.
        return replace(state, in_device=event.into_device, stacked=state.stacked[1:])
    return replace(
        state,
        in_device=event.into_device,
        batch=event.out_of_device,
        stacked=(),
        phase=Phase.TO_FINISH,
        inspection_offered=state.idle and state.phase is Phase.TO_EXCHANGE,
    )


_BEFORE_DEALT: Final = (
    Phase.TO_FINISH, Phase.FEATHERED, Phase.LACED, Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD,
    Phase.TO_BURN,
)  # fmt: skip


def _may_inspect(state: TableState, rules: TableRules) -> bool:
    cut = state.phase in {Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN}
    return state.inspection_offered and (not cut or rules.reading("inspection.until") == "dealt")


@core.decides(acts.RequestInspection, *_BEFORE_DEALT, cites=("idle.reinspection",))
def _ask_inspection(
    state: TableState, command: acts.RequestInspection, rules: TableRules
) -> Answer:
    clauses = rules.cites("idle.reinspection")
    if not _may_inspect(state, rules):
        message = "only a batch taken out at an idle table is shown, before it is cut or dealt"
        return Refusal("no_inspection", clauses, message)
    if refusal := not_there(state, command.seat):
        return refusal
    return (acts.InspectionRequested(command.seat, state.batch, clauses),)


@core.applies(acts.InspectionRequested)
def _inspection(state: TableState, _event: acts.InspectionRequested) -> TableState:
    # The batch is shuffled and cut again, so an earlier cut counts no more.
    shoe = replace(state.shoe, remaining=0)
    return replace(state, phase=Phase.SPREAD_UP, cut=Cut(), from_back=None, shoe=shoe)


@core.offers(*_BEFORE_DEALT, optional=True)
def _may_be_inspected(state: TableState, rules: TableRules) -> Iterator[Action]:
    if _may_inspect(state, rules):
        clauses = rules.cites("idle.reinspection")
        for seat in state.present:
            yield Action(acts.RequestInspection, Role.PATRON, clauses, must=False, seat=seat)


@core.decides(acts.DeclareIdle, Phase.BETTING, Phase.SHOE_COMPLETED, cites=("idle.spread",))
def _idle(state: TableState, command: acts.DeclareIdle, rules: TableRules) -> Answer:
    clauses = rules.cites("idle.spread")
    if not rules.applies("idle.spread"):
        return Refusal("no_such_procedure", (), "this regulation has no rules for an idle table")
    if state.stakes:
        return Refusal("wagers", clauses, "the table is not idle: wagers are on the layout")
    if refusal := owed_by_the_shoe(state, rules):
        return refusal
    if command.face_up and rules.elected("idle.on_arrival", "on-request") and not state.seats:
        message = "spread the cards face down unless a player asks for them face up"
        return Refusal("face_down", clauses, message)
    return _waits(state, rules) or (acts.TableIdle(command.face_up, clauses),)


@core.applies(acts.TableIdle)
def _made_idle(state: TableState, event: acts.TableIdle) -> TableState:
    return replace(
        state,
        phase=Phase.SPREAD_UP if event.face_up else Phase.SPREAD_DOWN,
        idle=True,
        preshuffled=False,
        inspection_offered=False,
        **NONE_HELD,
    )


@core.decides(acts.TurnSpreadUp, Phase.SPREAD_DOWN, cites=("idle.turn_up",))
def _turn_up(state: TableState, _command: acts.TurnSpreadUp, rules: TableRules) -> Answer:
    clauses = rules.cites("idle.turn_up")
    if not state.present:
        return Refusal("nobody", clauses, "the cards stay face down until a player arrives")
    return (acts.SpreadTurnedUp(clauses),)


_OPENING: Final = Action(acts.OpenTable, Role.FLOORPERSON, (), must=False, awaited=True)


@core.offers(Phase.CLOSED, Phase.OPEN, Phase.RECEIVED, Phase.INSPECTED)
def _next_at_opening(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    match state.phase:
        case Phase.CLOSED:
            refusal = hooks.before_opening.ask(state, date.max, rules)
            return () if refusal else (_OPENING,)
        case Phase.OPEN if hooks.before_receipt.ask(state, None, rules):
            return ()
        case Phase.OPEN:
            return (Action(acts.ReceiveCards, Role.DEALER, rules.cites("opening.receive")),)
        case Phase.RECEIVED:
            return (Action(acts.InspectCards, Role.DEALER, rules.cites("opening.inspect")),)
        case _:
            rule = "opening.receive" if state.preshuffled else "opening.verify"
            return (Action(acts.VerifyCards, Role.FLOORPERSON, rules.cites(rule)),)


@core.offers(Phase.TO_SPREAD, Phase.SPREAD_DOWN, Phase.SPREAD_UP, Phase.VIEWED, Phase.TO_EXCHANGE)
def _next_at_spread(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    match state.phase:
        case Phase.TO_SPREAD:
            return (Action(acts.SpreadCards, Role.DEALER, rules.cites("opening.spread")),)
        case Phase.SPREAD_DOWN:
            must = rules.elected("idle.on_arrival", "turn-up")
            turn_up = Action(acts.TurnSpreadUp, Role.DEALER, rules.cites("idle.turn_up"), must=must)
            view = rules.cites(viewed_under(state))
            seats = () if must else state.present
            views = (Action(acts.ViewSpread, Role.PATRON, view, seat=seat) for seat in seats)
            return (*views, turn_up) if state.present else ()
        case Phase.SPREAD_UP:
            clauses = rules.cites(viewed_under(state))
            return tuple(
                Action(acts.ViewSpread, Role.PATRON, clauses, seat=seat) for seat in state.present
            )
        case Phase.VIEWED | Phase.TO_EXCHANGE if _washes(state, rules):
            return (Action(acts.WashCards, Role.DEALER, rules.cites(_washed_under(state))),)
        case Phase.VIEWED:
            return (Action(acts.StackCards, Role.DEALER, rules.cites(_stacked_under(state))),)
        case _ if device_down(state, rules):
            return ()
        case _:
            return (Action(acts.ExchangeBatches, Role.DEALER, rules.cites("device.exchange")),)
