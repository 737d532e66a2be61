"""From the shuffled stack to the shoe: cut, recut, cutting cards, burn."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK_SIZE, Card, Rank
from croupier.baccarat.coup import POINT_VALUE, TENS
from croupier.law.cite import cites, once
from croupier.rules import TableRules
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal, not_now
from croupier.table.machine.state import (
    AT_TABLE,
    NONE_HELD,
    Cut,
    Phase,
    Phases,
    TableShoe,
    TableState,
)
from croupier.table.people.seating import clockwise_from, seat_after, still_to_ask

_ANSWERS: Final = (acts.AcceptCut, acts.DeclineCut)

_NOT_CUT: Final = frozenset(
    {
        Phase.OPEN, Phase.RECEIVED, Phase.INSPECTED, Phase.TO_SPREAD, Phase.SPREAD_DOWN,
        Phase.SPREAD_UP, Phase.VIEWED, Phase.TO_EXCHANGE, Phase.TO_SHUFFLE, Phase.TO_FINISH,
        Phase.FEATHERED, Phase.LACED, Phase.TO_CUT, Phase.SHOE_COMPLETED,
    }
)  # fmt: skip
"""The phases before the cards of the next shoe are cut."""
_IN_USE: Final = Phases(lambda phase: phase in AT_TABLE and phase is not Phase.OUT_OF_USE)


def vigorish_outstanding(state: TableState, clauses: tuple[str, ...]) -> Refusal | None:
    if not state.owed_cents:
        return None
    message = "vigorish is outstanding: settle it before the cards are reshuffled"
    return Refusal("vigorish_outstanding", clauses, message)


# --- the cut -----------------------------------------------------------------------------------


def offer_cut(state: TableState, rules: TableRules) -> acts.CutOffered:
    """Offer the cut clockwise from the highest-numbered participant, or have the dealer cut."""
    return _offer(_entitled(state, rules, ()), rules)


def _entitled(
    state: TableState, rules: TableRules, asked_before: tuple[int, ...]
) -> tuple[int, ...]:
    if not state.present or rules.elected("cut.by", "dealer"):
        return ()
    first = hooks.first_to_cut.ask(state, rules) or _last_cutter(state, rules)
    first = first or max(state.present)
    ring = clockwise_from(rules.submission.layout, first)
    return still_to_ask(ring, state.present, asked_before)


def _last_cutter(state: TableState, rules: TableRules) -> int | None:
    cutter = state.cut.cutter
    if cutter is None or rules.reading("cut.reshuffle_from") != "last-cutter":
        return None
    return seat_after(rules.submission.layout, cutter) if state.cut.left else cutter


@cites("cut.offer")
def next_cut_offer(state: TableState, rules: TableRules) -> acts.CutOffered:
    offer = _offer(_not_asked_yet(state, rules), rules)
    return replace(offer, clauses=once(offer.clauses, _recut_cites(state, rules)))


def _recut_cites(state: TableState, rules: TableRules) -> tuple[str, ...]:
    return rules.cites("cut.recut_by") if state.cut.again else ()


def _not_asked_yet(state: TableState, rules: TableRules) -> tuple[int, ...]:
    last = state.cut.asked if state.cut.asked is not None else state.cut.cutter
    if last is None or rules.elected("cut.by", "dealer"):
        return ()
    _, *ring = clockwise_from(rules.submission.layout, last)
    return still_to_ask(tuple(ring), state.present, state.cut.asked_before)


def _offer(seats: tuple[int, ...], rules: TableRules) -> acts.CutOffered:
    seat = seats[0] if seats else None
    return acts.CutOffered(seat, seats[1:], cut_cites(seat, rules))


def cut_cites(seat: int | None, rules: TableRules) -> tuple[str, ...]:
    if rules.elected("cut.by", "dealer"):
        return rules.cites("cut.by")
    return rules.cites_for("cut.offer", "dealer" if seat is None else "participant")


def cut_refused(state: TableState, seat: int) -> TableState:
    return replace(state, cut=replace(state.cut, asked_before=(*state.cut.asked_before, seat)))


core.applies(acts.CutDeclined)(lambda state, event: cut_refused(state, event.seat))


@core.applies(acts.RecutRequired)
def _recut_required(state: TableState, _event: acts.RecutRequired) -> TableState:
    return replace(state, cut=replace(state.cut, again=True))


@core.applies(acts.CutOffered)
def _offered(state: TableState, event: acts.CutOffered) -> TableState:
    # Participants who declined this stack are not asked again for it.
    again = state.phase in {Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN}
    recut = again and state.cut.again
    cut = Cut(event.seat, state.cut.asked_before if again else (), again=recut)
    # The burn of the last shoe would otherwise rule out a recut of this one.
    return replace(state, phase=Phase.TO_CUT, cut=cut, to_burn=None)


def _cut_at(state: TableState, seat: int | None, position: int, rules: TableRules) -> Answer:
    size = rules.decks_per_shoe * DECK_SIZE
    minimum = rules.bound("cut.from_ends")
    if not minimum <= position <= size - minimum:
        message = (
            f"the cutting card must be at least {minimum} cards from either end of the {size} "
            f"cards, not {position} from the front"
        )
        return Refusal("cut_too_near_the_end", rules.cites("cut.from_ends"), message)
    cut_clauses = once(cut_cites(seat, rules), _recut_cites(state, rules))
    clauses = once(cut_clauses, rules.cites("cut.from_ends"))
    return (acts.StackCut(seat, position, clauses),)


def _not_asked(state: TableState, seat: int | None, rules: TableRules) -> Refusal | None:
    if state.cut.asked == seat:
        return None
    cutter = "the dealer" if state.cut.asked is None else f"seat {state.cut.asked}"
    clauses = rules.cites("cut.by")
    if not rules.elected("cut.by", "dealer"):
        of_dealer = seat is None or state.cut.asked is None
        clauses = rules.cites_for("cut.offer", "dealer" if of_dealer else "turn")
    clauses = once(clauses, _recut_cites(state, rules))
    return Refusal("not_asked", clauses, f"only {cutter} may cut now")


@core.decides(acts.AcceptCut, Phase.TO_CUT, cites=("cut.offer", "cut.from_ends"))
def _accept_cut(state: TableState, command: acts.AcceptCut, rules: TableRules) -> Answer:
    refusal = _not_asked(state, command.seat, rules)
    return refusal or _cut_at(state, command.seat, command.position, rules)


@core.decides(acts.DeclineCut, Phase.TO_CUT, cites=("cut.offer",))
def _decline_cut(state: TableState, command: acts.DeclineCut, rules: TableRules) -> Answer:
    if refusal := _not_asked(state, command.seat, rules):
        return refusal
    declined = acts.CutDeclined(command.seat, cut_cites(command.seat, rules))
    return (declined, next_cut_offer(state, rules))


@core.decides(acts.CutStack, Phase.TO_CUT, cites=("cut.offer", "cut.from_ends"))
def _dealer_cut(state: TableState, command: acts.CutStack, rules: TableRules) -> Answer:
    refusal = _not_asked(state, None, rules)
    return refusal or _cut_at(state, None, command.position, rules)


@core.applies(acts.StackCut)
def _stack_cut(state: TableState, event: acts.StackCut) -> TableState:
    # The participant who has cut had a turn, so the next one comes after that seat.
    done = state.cut.asked_before if event.seat is None else (*state.cut.asked_before, event.seat)
    cut = Cut(None, done, event.seat, event.position)
    return replace(state, phase=Phase.CUT, cut=cut)


@core.decides(acts.RequireRecut, _IN_USE, cites=("cut.recut", "cut.recut_by"))
def _recut(state: TableState, command: acts.RequireRecut, rules: TableRules) -> Answer:
    clauses = rules.cites("cut.recut")
    if "cut.recut" not in rules.law.rules:
        return Refusal("no_such_procedure", (), "this regulation has no recut")
    if rules.elected("device", "continuous"):
        return not_now(state)
    if state.phase in _NOT_CUT:
        return Refusal("not_cut", clauses, "the cards have not been cut yet")
    if event := _recut_ended(state, rules):
        message = f"no recut is allowed after {event}"
        return Refusal("too_late", rules.cites("cut.recut_until"), message)
    if not command.supervisor:
        return Refusal("nobody", clauses, "name the supervisor who requires the recut")
    if not command.reason.strip():
        message = "say what the supervisor determined: a recut is required for a reason"
        return Refusal("reason", clauses, message)
    seats = _not_asked_yet(state, rules)
    cutter = state.cut.cutter
    by_cutter = rules.by_word("cut.recut_by", {"last-cutter": True, "next-entitled": False})
    if by_cutter and cutter is not None and cutter in state.present and not state.cut.left:
        seats = (cutter, *seats)
    if not by_cutter and cutter is None and rules.reading("recut.after_dealer") == "asked":
        seats = _entitled(state, rules, state.cut.asked_before)
    clauses = once(rules.cites("cut.recut"), rules.cites("cut.recut_by"))
    required = acts.RecutRequired(command.supervisor, command.reason, clauses)
    offer = _offer(seats, rules)
    return (required, replace(offer, clauses=once(offer.clauses, rules.cites("cut.recut_by"))))


def _until_loaded(rules: TableRules) -> bool:
    # A recut is over once the cards are in the shoe.
    return rules.by_word("cut.recut_until", {"loaded": True, "dealt": False})


def _recut_ended(state: TableState, rules: TableRules) -> str | None:
    if state.phase in {Phase.CUT, Phase.TO_LOAD}:
        return None
    if _until_loaded(rules):
        return "the cards are in the shoe"
    full = state.phase is Phase.TO_BURN and state.shoe.remaining == state.shoe.decks * DECK_SIZE
    return None if full else "a card has been dealt"


@core.decides(
    acts.InsertCuttingCards, Phase.CUT, cites=("cut.execute", "cut.cutting_card_from_back")
)
def _insert(state: TableState, command: acts.InsertCuttingCards, rules: TableRules) -> Answer:
    minimum = rules.bound("cut.cutting_card_from_back")
    size = rules.decks_per_shoe * DECK_SIZE
    if not minimum <= command.from_back < size:
        message = (
            f"the cutting card must be inside the stack, at least {minimum} cards from the back, "
            f"not {command.from_back}"
        )
        return Refusal("cutting_card", rules.cites("cut.cutting_card_from_back"), message)
    rule_ids = ("cut.execute", "cut.cutting_card_from_back", "cut.second_at_end")
    clauses = once(*map(rules.cites, rule_ids))
    return (acts.CuttingCardsInserted(state.cut.position or 0, command.from_back, clauses),)


@core.applies(acts.CuttingCardsInserted)
def _inserted(state: TableState, event: acts.CuttingCardsInserted) -> TableState:
    return replace(state, phase=Phase.TO_LOAD, from_back=event.from_back)


# --- the shoe ----------------------------------------------------------------------------------


@core.decides(
    acts.LoadShoe, Phase.TO_LOAD, cites=("shoe.load", "cut.second_at_end", "device.continuous")
)
def _load(state: TableState, _command: acts.LoadShoe, rules: TableRules) -> Events:
    device = rules.elected("device", "continuous")
    clauses = rules.cites("device.continuous" if device else "shoe.load")
    cards_behind = None if device else state.from_back
    # A loaded shoe that is cut again before its first card is still the same shoe.
    is_same_shoe = not device and state.shoe.remaining == rules.decks_per_shoe * DECK_SIZE
    number = state.shoe.number if is_same_shoe else state.shoe.number + 1
    if rules.burned != 0 or device:
        return (acts.ShoeLoaded(number, rules.decks_per_shoe, state.batch, cards_behind, clauses),)
    clauses = once(clauses, rules.burn_cites)
    loaded = acts.ShoeLoaded(
        number, rules.decks_per_shoe, state.batch, cards_behind, clauses, burns=False
    )
    return (loaded, *hooks.play_opens.ask(state, rules))


@core.applies(acts.ShoeLoaded)
def _loaded(state: TableState, event: acts.ShoeLoaded) -> TableState:
    return replace(
        state,
        phase=Phase.TO_BURN if event.burns and event.from_back is not None else Phase.BETTING,
        shoe=TableShoe.full(event.shoe, event.decks, event.batch, event.from_back),
        cutting_card_out=False,
        hands_left=None,
        from_back=None,
        idle=False,
        **NONE_HELD,
    )


def burned_unseen(state: TableState, rules: TableRules) -> bool:
    if state.phase is not Phase.TO_BURN or state.to_discard:
        return False
    return rules.burn_shown == 0 or (rules.burn_shown == 1 and state.to_burn is not None)


def cards_following(first: Rank) -> tuple[int, str]:
    """How many cards are burned after the first, and the part of the clause that says so."""
    if first in TENS:
        return 10, "ten"
    return POINT_VALUE[first], "ace" if first is Rank.ACE else "other"


def burn(state: TableState, card: Card | None, rules: TableRules) -> Events:
    """Burn a card. The first one sets how many follow, unless the law fixes the number."""
    amount = "other"
    if state.to_burn is not None:
        to_burn = state.to_burn - 1
    elif rules.burned is not None:
        to_burn = rules.burned - 1
    elif card is None:  # It is shown, because it decides; the type checker cannot know.
        return ()
    else:
        to_burn, amount = cards_following(card.rank)
    unseen = burned_unseen(state, rules)
    by_value = rules.burned is None
    clauses = rules.cites_for("burn.count", amount) if by_value else rules.burn_cites
    exposure_clauses = rules.cites_for("burn.exposure", rules.value("burn.exposure", str))
    clauses = once(clauses, exposure_clauses)
    burned = acts.CardBurned(None if unseen else card, not unseen, to_burn, clauses)
    return (burned,) if to_burn else (burned, *hooks.play_opens.ask(state, rules))


@core.applies(acts.CardBurned)
def _burned(state: TableState, event: acts.CardBurned) -> TableState:
    return replace(
        state,
        phase=Phase.TO_BURN if event.to_burn else Phase.BETTING,
        to_burn=event.to_burn,
        shoe=replace(state.shoe.without(event.card), burned=(*state.shoe.burned, event.card)),
        inspection_offered=False,
    )


@core.decides(acts.FindBurnShort, Phase.TO_BURN, cites=("burn.count", "burn.fixed"))
def _burn_short(state: TableState, command: acts.FindBurnShort, rules: TableRules) -> Answer:
    """End a burn that fell short; where elected, burn the rest if no hand has begun."""
    clauses = once(rules.burn_cites, rules.ruling("burn-short"))
    if not command.supervisor or not command.reason.strip():
        return Refusal("nobody", (), "name the supervisor who found it, and say what was found")
    if not command.hand_begun and rules.reading("burn.short") == "burn-first":
        message = "no hand has been dealt a card: burn the cards that are missing first"
        return Refusal("card_due", clauses, message)
    authority = command.supervisor, command.reason
    short = acts.BurnFellShort(state.to_burn, command.hand_begun, *authority, clauses)
    return (short, *hooks.play_opens.ask(state, rules))


@core.applies(acts.BurnFellShort)
def _fell_short(state: TableState, _event: acts.BurnFellShort) -> TableState:
    return replace(state, phase=Phase.BETTING, to_burn=0, inspection_offered=False)


@core.offers(Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN)
def _next_at_cut(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    recut = Action(acts.RequireRecut, Role.SUPERVISOR, rules.cites("cut.recut"), must=False)
    match state.phase:
        case Phase.TO_CUT if state.cut.asked is None:
            return (Action(acts.CutStack, Role.DEALER, cut_cites(None, rules)),)
        case Phase.TO_CUT:
            seat, clauses = state.cut.asked, cut_cites(state.cut.asked, rules)
            return tuple(Action(answer, Role.PATRON, clauses, seat=seat) for answer in _ANSWERS)
        case Phase.CUT:
            insert = Action(acts.InsertCuttingCards, Role.DEALER, rules.cites("cut.execute"))
            return (insert, recut) if rules.applies("cut.recut") else (insert,)
        case Phase.TO_LOAD:
            device = rules.elected("device", "continuous")
            clauses = rules.cites("device.continuous" if device else "shoe.load")
            load = Action(acts.LoadShoe, Role.DEALER, clauses)
            may_recut = state.cut.position is not None and rules.applies("cut.recut")
            return (load, recut) if may_recut else (load,)
        case _:
            draw = Action(acts.DrawCard, Role.DEALER, rules.burn_cites)
            short = Action(acts.FindBurnShort, Role.SUPERVISOR, rules.burn_cites, must=False)
            no_recut = not rules.applies("cut.recut") or state.to_burn is not None
            return (draw, short) if no_recut or _until_loaded(rules) else (draw, recut, short)
