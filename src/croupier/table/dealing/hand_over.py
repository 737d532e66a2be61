"""Hands held, returned, relinquished, and offered on by participants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.coup import NATURALS, Hand, point_count
from croupier.law.cite import once
from croupier.rules import TableRules
from croupier.table.dealing.dealing import (
    held_under,
    holder_of,
    reveal,
    turned_under,
    unused_permission,
    waits_under,
)
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal, not_now, not_there
from croupier.table.machine.state import IN_THE_DEAL, Offering, Phase, RoundState, TableState
from croupier.table.people.seating import right_of, still_to_ask

_AUTHORITIES: Final = ("dealer", "floorperson")
_NO_RELINQUISHMENT: Final = (
    "this regulation does not let a patron relinquish the right to turn a hand"
)


def _hands_off(seat: int, hand: Hand, round_: RoundState | None, rules: TableRules) -> Refusal:
    clauses = _untouched_cites(rules)
    if round_ is not None and _has_third(round_, hand) and rules.applies("deal.hand_over"):
        # A third card goes to the holder of the hand, regardless of the wagers on it.
        clauses = once(clauses, handed_under(round_, hand, "handed", rules))
    elif not clauses or rules.applies("deal.holder"):
        clauses = once(clauses, rules.cites_for("deal.holder", hand.value))
    message = f"seat {seat} does not hold the {hand.title}: no other patron may handle the cards"
    return Refusal("hands_off", clauses, message)


def _untouched_cites(rules: TableRules) -> tuple[str, ...]:
    return rules.cites("cards.untouched") if rules.applies("cards.untouched") else ()


def turning(state: TableState, hand: Hand) -> RoundState | None:
    round_ = state.round
    return round_ if round_ is not None and round_.down[:1] == (hand,) else None


def _has_third(round_: RoundState, hand: Hand) -> bool:
    return len(round_.coup.hand(hand)) == 3


def handed_under(round_: RoundState, hand: Hand, act: str, rules: TableRules) -> tuple[str, ...]:
    """Clauses under which a hand's newest cards are ``handed`` or ``returned``."""
    term = f"{hand.value}_third" if _has_third(round_, hand) else hand.value
    return rules.cites_for("deal.hand_over", term, f"{term}_{act}")


@core.decides(acts.HandCards, Phase.DEALING, cites=("deal.hand_over", "third.hand_over"))
def _hand_over(state: TableState, command: acts.HandCards, rules: TableRules) -> Answer:
    hand = command.hand
    round_ = turning(state, hand)
    is_hand_over = rules.applies("deal.hand_over")
    if round_ is None or round_.offering is not None or round_.handed is not None:
        clauses = waits_under(state.round, hand, rules) if is_hand_over else _untouched_cites(rules)
        return Refusal("not_next", clauses, f"the {hand.title} is not the hand to offer now")
    holder = holder_of(state, hand, rules)
    if holder is None:
        clauses = (
            rules.cites_for("deal.holder", "nobody") if is_hand_over else _untouched_cites(rules)
        )
        message = f"no patron holds the {hand.title}: the dealer turns it"
        return Refusal("no_holder", clauses, message)
    if holder not in state.present:
        message = f"seat {holder}, to which the {hand.title} would go, has walked away"
        return Refusal("walked_away", (), message)
    clauses = handed_under(round_, hand, "handed", rules)
    holder_clauses = held_under(state, hand, holder, rules)
    if len(round_.coup.hand(hand)) == 3:
        # It goes to the holder; the event that named the holder cites how the highest wager was
        # found.
        default_clauses = rules.cites_for("deal.holder", hand.value)
        holder_clauses = tuple(clause for clause in holder_clauses if clause not in default_clauses)
    return (acts.CardsHanded(holder, hand, once(clauses, holder_clauses)),)


@core.refuses(
    acts.HandCards, acts.ReturnCards, acts.AcceptCards, acts.RelinquishCards,
    at=(Phase.DECIDED, Phase.SETTLED),
)  # fmt: skip
def _never_handed(state: TableState, _command: object, rules: TableRules) -> Refusal:
    """Refuse at a table where no patron ever handles cards with the clauses that forbid it."""
    if not _is_untouched(rules):
        return not_now(state)
    message = "no patron may handle the cards at this table"
    return Refusal("hands_off", _untouched_cites(rules), message)


def _is_untouched(rules: TableRules) -> bool:
    return rules.applies("cards.untouched") and not rules.applies("deal.hand_over")


@core.applies(acts.CardsHanded)
def _handed(state: TableState, event: acts.CardsHanded) -> TableState:
    return hold(state, event.hand, event.seat, handed=event.hand)


def hold(state: TableState, hand: Hand, seat: int | None, handed: Hand | None = None) -> TableState:
    round_ = state.round
    if round_ is None:
        return state
    # Meanwhile the other hand may be with its holder or on offer.
    other = round_.handed if round_.handed is hand.other else None
    offering = round_.offering
    if offering is not None and offering.hand is hand:
        offering = None
    holders = {**round_.holders, hand: seat}
    return replace(
        state, round=replace(round_, holders=holders, handed=handed or other, offering=offering)
    )


@core.decides(
    acts.ReturnCards, Phase.DEALING, cites=("deal.hand_over", "announce.counts", "cards.untouched")
)
def _return(state: TableState, command: acts.ReturnCards, rules: TableRules) -> Answer:
    round_ = state.round
    if (
        round_ is None
        or round_.handed is not command.hand
        or round_.holders[command.hand] != command.seat
    ):
        return _hands_off(command.seat, command.hand, round_, rules)
    clauses = handed_under(round_, command.hand, "returned", rules)
    return reveal(state, acts.CardsReturned(command.seat, command.hand, clauses), rules)


@core.decides(acts.PermitTurning, Phase.DEALING, cites=("deal.unwagered_hand",))
def _permit(state: TableState, command: acts.PermitTurning, rules: TableRules) -> Answer:
    hand = command.hand
    clauses = rules.cites_for("deal.unwagered_hand", hand.value)
    if not rules.elected("deal.unwagered_hand", choice=True):
        return Refusal("not_elected", clauses, "the dealer turns a hand with no wagers")
    if turning(state, hand) is None or not unwagered(state, hand):
        return Refusal("not_next", clauses, f"the {hand.title} cannot be offered now")
    if (command.seat, hand.other.value) not in state.stakes:
        message = f"seat {command.seat} has no wager on the {hand.other.title}"
        return Refusal("no_wager", clauses, message)
    if refusal := not_there(state, command.seat):
        return refusal
    return (acts.TurningPermitted(command.seat, hand, clauses),)


def unwagered(state: TableState, hand: Hand) -> bool:
    round_ = state.round
    if round_ is None or round_.simulated or hand in round_.holders:
        return False
    return not any(wager == hand.value for _, wager in state.stakes)


# --- the right given up ------------------------------------------------------------------------


def _pass_on(state: TableState, given_up: acts.RightRelinquished, rules: TableRules) -> Answer:
    seat, hand = given_up.seat, given_up.hand
    if hand not in to_be_turned(state) or holder_of(state, hand, rules) != seat:
        return Refusal("no_holder", (), f"seat {seat} does not hold the {hand.title} now")
    offering = None if state.round is None else state.round.offering
    if offering is not None:
        clauses = rules.cites_for("irregularity.relinquish", "passes")
        message = f"seat {offering.seat}, which is offered the {offering.hand.title}, answers first"
        return Refusal("on_offer", clauses, message)
    return (given_up, _offer_on(state, seat, hand, rules))


def to_be_turned(state: TableState) -> tuple[Hand, ...]:
    """Hands with cards that lie face down, or else the one that is due a third card."""
    round_ = state.round
    if round_ is None or round_.down:
        return () if round_ is None else round_.down
    dealt = len(round_.coup.player) + len(round_.coup.banker) >= 4
    return (round_.coup.due,) if dealt and round_.coup.due else ()


def right_lapses(state: TableState, seat: int, rules: TableRules) -> Events:
    events: Events = ()
    round_ = state.round
    if round_ is None or state.phase not in IN_THE_DEAL:
        return events
    for hand, holder in round_.holders.items():
        if holder == seat and _has_cards_to_turn(round_, hand):
            clauses = rules.cites_for("irregularity.relinquish", "passes", "given_up")
            events = (*events, acts.RightRelinquished(seat, hand, None, None, clauses))
            after = core.evolve_all(state, events).round
            if rules.applies("irregularity.relinquish") and after and after.offering is None:
                events = (*events, _offer_on(state, seat, hand, rules))
    return events


def _has_cards_to_turn(round_: RoundState, hand: Hand) -> bool:
    """Whether a hand lies face down or, as far as is seen, may be dealt a third card."""
    coup, cards = round_.coup, round_.coup.hand(hand)
    if hand in round_.down or len(cards) > 2:
        return hand in round_.down
    count = point_count(cards)
    draws = coup.tableau.player_draws[count]
    if hand is Hand.BANKER:
        draws = any(coup.tableau.banker_draws[count])
    return draws and count not in NATURALS and bool(round_.down or coup.due)


def next_hand_offers(state: TableState, rules: TableRules) -> Events:
    offering = None if state.round is None else state.round.offering
    if offering is None:
        return ()
    before = (*offering.asked_before, offering.seat)
    offer = _offer_on(state, offering.seat, offering.hand, rules, before)
    return (offer,) if offer.seat is not None else (offer, *_offer_waiting(state, offering, rules))


def _offer_waiting(state: TableState, offering: Offering, rules: TableRules) -> Events:
    if offering.waiting is None:
        return ()
    return (_offer_on(state, offering.waiting, offering.hand.other, rules),)


def _offer_on(
    state: TableState, seat: int, hand: Hand, rules: TableRules, asked_before: tuple[int, ...] = ()
) -> acts.CardsOffered:
    # The dealer turns a hand if nobody is left.
    relinquishments = () if state.round is None else state.round.gave_up
    asked = {
        *asked_before,
        *(one for other, one in relinquishments if other is hand and one is not None),
    }
    seats = still_to_ask(right_of(rules.submission.layout, seat), state.present, asked)
    if not seats:
        term = "dealer_declined" if asked_before else "dealer_nobody"
        return acts.CardsOffered(
            None, hand, (), rules.cites_for("irregularity.relinquish", "dealer", term)
        )
    return acts.CardsOffered(
        seats[0], hand, seats[1:], offer_cites(rules, declined=bool(asked_before))
    )


def offer_cites(rules: TableRules, *, declined: bool) -> tuple[str, ...]:
    """Clauses of an offer of a hand: the first one, or one after a refusal."""
    term = "passes_next" if declined else "passes_right"
    return rules.cites_for("irregularity.relinquish", "passes", term)


@core.decides(
    acts.RelinquishCards, IN_THE_DEAL, cites=("irregularity.relinquish", "cards.untouched")
)
def _relinquish(state: TableState, command: acts.RelinquishCards, rules: TableRules) -> Answer:
    if _is_untouched(rules):
        return _never_handed(state, command, rules)
    if "irregularity.relinquish" not in rules.law.rules:
        return Refusal("no_such_procedure", (), _NO_RELINQUISHMENT)
    clauses = rules.cites_for("irregularity.relinquish", "passes", "given_up")
    given_up = acts.RightRelinquished(command.seat, command.hand, None, None, clauses)
    return _pass_on(state, given_up, rules)


@core.decides(acts.RequireRelinquishment, IN_THE_DEAL, cites=("irregularity.relinquish",))
def _require(state: TableState, command: acts.RequireRelinquishment, rules: TableRules) -> Answer:
    if "irregularity.relinquish" not in rules.law.rules:
        return Refusal("no_such_procedure", (), _NO_RELINQUISHMENT)
    clauses = rules.cites_for("irregularity.relinquish", "compelled")
    if not rules.applies("irregularity.relinquish"):
        return Refusal("no_holder", (), "at this table only the dealer turns the cards")
    if command.by not in _AUTHORITIES:
        message = f"{command.by}: only the dealer or the floorperson may require this"
        return Refusal("authority", clauses, message)
    grounds = rules.value("irregularity.relinquish.grounds", tuple)
    if command.grounds not in grounds:
        message = f"{command.grounds}: the right may be taken away only for {' or '.join(grounds)}"
        return Refusal("grounds", rules.cites("irregularity.relinquish.grounds"), message)
    given_up = acts.RightRelinquished(
        command.seat, command.hand, command.by, command.grounds, clauses
    )
    return _pass_on(state, given_up, rules)


@core.applies(acts.RightRelinquished)
def _relinquished(state: TableState, event: acts.RightRelinquished) -> TableState:
    state = hold(state, event.hand, None)
    if state.round is None:
        return state
    # A patron who leaves relinquishes the hand; a newcomer in the seat has not had it.
    seat = event.seat if event.seat in state.seats else None
    relinquishments = (*state.round.gave_up, (event.hand, seat))
    offering = state.round.offering
    if offering is not None:
        offering = replace(offering, waiting=event.seat)
    round_ = replace(state.round, gave_up=relinquishments, offering=offering)
    return replace(state, round=round_)


@core.applies(acts.CardsOffered)
def _offered(state: TableState, event: acts.CardsOffered) -> TableState:
    if state.round is None or event.seat is None:
        return hold(state, event.hand, None)
    offering = state.round.offering
    if offering is None or offering.hand is not event.hand:
        offering = Offering(event.hand, event.seat)
    offering = replace(offering, seat=event.seat)
    return replace(state, round=replace(state.round, offering=offering))


def not_offered(state: TableState, seat: int, hand: Hand, rules: TableRules) -> Refusal | Offering:
    offering = state.round.offering if state.round is not None else None
    if offering is not None and offering.hand is hand and offering.seat == seat:
        return offering
    clauses = () if offering is None else rules.cites_for("irregularity.relinquish", "passes")
    return Refusal("not_asked", clauses, f"the {hand.title} is not offered to seat {seat}")


@core.decides(acts.DeclineCards, IN_THE_DEAL, cites=("irregularity.relinquish", "cards.untouched"))
@core.decides(acts.AcceptCards, IN_THE_DEAL, cites=("irregularity.relinquish", "cards.untouched"))
def _answer(
    state: TableState, command: acts.AcceptCards | acts.DeclineCards, rules: TableRules
) -> Answer:
    if _is_untouched(rules):
        return _never_handed(state, command, rules)
    seat, hand = command.seat, command.hand
    offering = not_offered(state, seat, hand, rules)
    if isinstance(offering, Refusal):
        return offering
    clauses = rules.cites_for("irregularity.relinquish", "passes")
    if isinstance(command, acts.AcceptCards):
        accepted = acts.CardsAccepted(seat, hand, clauses)
        return (accepted, *_offer_waiting(state, offering, rules))
    return (acts.CardsDeclined(seat, hand, clauses), *next_hand_offers(state, rules))


@core.applies(acts.CardsAccepted, acts.TurningPermitted)
def _accepted(state: TableState, event: acts.CardsAccepted | acts.TurningPermitted) -> TableState:
    return hold(state, event.hand, event.seat)


def hand_offer_refused(state: TableState, seat: int) -> TableState:
    round_ = state.round
    if round_ is None or round_.offering is None:
        return state
    before = (*round_.offering.asked_before, seat)
    offering = replace(round_.offering, asked_before=before)
    return replace(state, round=replace(round_, offering=offering))


core.applies(acts.CardsDeclined)(lambda state, event: hand_offer_refused(state, event.seat))


@core.offers(IN_THE_DEAL)
def _next_with_hands(state: TableState, rules: TableRules) -> Iterator[Action]:
    round_ = state.round
    if round_ is None:
        return
    if round_.offering is not None:
        seat = round_.offering.seat
        relinquish = rules.cites_for("irregularity.relinquish", "passes")
        yield Action(acts.AcceptCards, Role.PATRON, relinquish, seat=seat)
        yield Action(acts.DeclineCards, Role.PATRON, relinquish, seat=seat)
        return
    if round_.down:
        hand = round_.down[0]
        holder = holder_of(state, hand, rules)
        yield _turned_next(state, round_, hand, holder, rules)
        if holder is not None and unused_permission(state, hand):
            clauses = rules.cites_for("deal.unwagered_hand", hand.value)
            yield Action(acts.TurnHand, Role.DEALER, clauses, must=False)
            return
    yield from _given_up(state, rules)
    if round_.down:
        yield from _asked_for(state, round_, round_.down[0], rules)


def _turned_next(
    state: TableState, round_: RoundState, hand: Hand, holder: int | None, rules: TableRules
) -> Action:
    if holder is None:
        return Action(acts.TurnHand, Role.DEALER, turned_under(state, round_, hand, rules))
    if holder not in state.present:
        # If the holder has walked away, the right is relinquished or recalled for them.
        if rules.applies("irregularity.relinquish"):
            clauses = rules.cites_for("irregularity.relinquish", "passes")
            return Action(acts.RelinquishCards, Role.DEALER, clauses, seat=holder)
        return_clauses = handed_under(round_, hand, "returned", rules)
        return Action(acts.RecallHand, Role.SUPERVISOR, return_clauses, seat=holder)
    if round_.handed is None:
        hand_clauses = handed_under(round_, hand, "handed", rules)
        return Action(acts.HandCards, Role.DEALER, hand_clauses, seat=holder)
    return_clauses = handed_under(round_, hand, "returned", rules)
    return Action(acts.ReturnCards, Role.PATRON, return_clauses, seat=holder)


def _given_up(state: TableState, rules: TableRules) -> Iterator[Action]:
    held = {hand: holder_of(state, hand, rules) for hand in to_be_turned(state)}
    first = next(iter(held.values()), None) if state.round and state.round.down else None
    if not rules.applies("irregularity.relinquish"):
        if first in state.present:
            clauses = rules.cites("deal.hand_over")
            yield Action(acts.RecallHand, Role.SUPERVISOR, clauses, must=False, seat=first)
        return
    given_up = rules.cites_for("irregularity.relinquish", "passes", "given_up")
    compelled = rules.cites_for("irregularity.relinquish", "compelled")
    for seat in dict.fromkeys(seat for seat in held.values() if seat is not None):
        who = Role.PATRON if seat in state.present else Role.DEALER
        if who is Role.PATRON or seat != first:
            yield Action(acts.RelinquishCards, who, given_up, must=False, seat=seat)
        # A holder who has walked away also delays the game.
        required = acts.RequireRelinquishment
        yield Action(required, Role.FLOORPERSON, compelled, must=False, seat=seat)


def _asked_for(
    state: TableState, round_: RoundState, hand: Hand, rules: TableRules
) -> Iterator[Action]:
    if rules.elected("deal.unwagered_hand", choice=True) and unwagered(state, hand):
        clauses = rules.cites_for("deal.unwagered_hand", hand.value)
        for seat in state.present:
            if (seat, hand.other.value) in state.stakes:
                yield Action(acts.PermitTurning, Role.DEALER, clauses, must=False, seat=seat)
    first = rules.elected("deal.banker_first", choice=True) and len(round_.down) == 2
    first = first and hooks.seat_that_deals.ask(state) is None
    if first and hand is Hand.PLAYER and round_.handed is None:
        clauses = rules.cites("deal.banker_first")
        for seat in state.present:
            yield Action(acts.RequestBankerFirst, Role.PATRON, clauses, must=False, seat=seat)
