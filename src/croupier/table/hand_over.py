"""Hands handed over: who holds a hand, returns it, gives up the right to it, and who comes next."""

from __future__ import annotations

from typing import Final

from croupier.baccarat.hand import Hand
from croupier.law.cite import once
from croupier.rules import TableRules
from croupier.table import hooks
from croupier.table.commands import (
    AcceptCards,
    DeclineCards,
    HandCards,
    PermitTurning,
    RelinquishCards,
    RequestBankerFirst,
    RequireRelinquishment,
    ReturnCards,
    TurnHand,
)
from croupier.table.core import Action, Events, Refusal, applies, decides, offers
from croupier.table.dealing import holder_of, reveal, turned_under
from croupier.table.events import (
    CardsAccepted,
    CardsDeclined,
    CardsHanded,
    CardsOffered,
    CardsReturned,
    RightRelinquished,
    TurningPermitted,
)
from croupier.table.roles import Role
from croupier.table.seating import right_of
from croupier.table.state import Offering, Phase, RoundState, TableState, changed

__all__: list[str] = []

_AUTHORITIES: Final = ("dealer", "floorperson")
_NO_RELINQUISHMENT: Final = (
    "this regulation does not let a patron relinquish the right to turn a hand"
)


def _hands_off(seat: int, hand: Hand, rules: TableRules) -> Refusal:
    clauses = _untouched(rules)
    if not clauses or rules.applies("deal.holder"):
        clauses = once(clauses, rules.cites_for("deal.holder", hand.value))
    message = f"seat {seat} does not hold the {hand.title}: no other patron may handle the cards"
    return Refusal("hands_off", clauses, message)


def _untouched(rules: TableRules) -> tuple[str, ...]:
    """Return the clauses by which players keep their hands off the cards, where they do."""
    return rules.cites("cards.untouched") if rules.applies("cards.untouched") else ()


def _turning(state: TableState, hand: Hand) -> RoundState | None:
    """Return the round if that hand is the one to be turned now."""
    round_ = state.round
    return round_ if round_ is not None and round_.down[:1] == (hand,) else None


def _handed_under(round_: RoundState, hand: Hand, act: str, rules: TableRules) -> tuple[str, ...]:
    """Return the clauses under which a hand's newest cards are ``handed``, or ``returned``."""
    which = f"{hand.value}_third" if len(round_.coup.hand(hand)) == 3 else hand.value
    return rules.cites_for("deal.hand_over", which, f"{which}_{act}")


@decides(HandCards, Phase.DEALING, cites=("deal.hand_over", "third.hand_over"))
def _hand_over(state: TableState, command: HandCards, rules: TableRules) -> Events | Refusal:
    hand = command.hand
    round_ = _turning(state, hand)
    clauses = rules.cites("deal.hand_over")
    if round_ is not None:
        clauses = _handed_under(round_, hand, "handed", rules)
    if not rules.applies("deal.hand_over"):
        clauses = once(_untouched(rules), rules.cites_for("deal.option", "hand-over"))
    if round_ is None or round_.offering is not None or round_.handed is not None:
        return Refusal("not_next", clauses, f"the {hand.title} is not the hand to offer now")
    holder = holder_of(state, hand, rules)
    if holder is None:
        return Refusal(
            "no_holder", clauses, f"no patron holds the {hand.title}: the dealer turns it"
        )
    clauses = once(clauses, _held_under(state, hand, holder, rules))
    return (CardsHanded(holder, hand, clauses),)


def _held_under(state: TableState, hand: Hand, holder: int, rules: TableRules) -> tuple[str, ...]:
    """Return the clauses by which a seat holds a hand: by its wager, or for another gave it up."""
    if state.round is not None and any(given is hand for given, _ in state.round.gave_up):
        return rules.cites_for("irregularity.relinquish", "passes")
    if (holder, hand.value) not in state.stakes:
        return rules.cites_for("deal.unwagered_hand", hand.value)
    best = state.stakes[holder, hand.value].cents
    highest = [
        seat
        for (seat, wager), stake in state.stakes.items()
        if wager == hand.value and stake.cents == best
    ]
    among_equals = "_among_equals" if len(highest) > 1 else ""
    return rules.cites_for("deal.holder", hand.value + among_equals)


@applies(CardsHanded)
def _handed(state: TableState, event: CardsHanded) -> TableState:
    return _hold(state, event.hand, event.seat, handed=event.hand)


def _hold(
    state: TableState, hand: Hand, seat: int | None, handed: Hand | None = None
) -> TableState:
    if state.round is None:
        return state
    holders = {**state.round.holders, hand: seat}
    return changed(state, round=changed(state.round, holders=holders, handed=handed, offering=None))


@decides(ReturnCards, Phase.DEALING, cites=("deal.hand_over", "announce.counts", "cards.untouched"))
def _return(state: TableState, command: ReturnCards, rules: TableRules) -> Events | Refusal:
    round_ = state.round
    if (
        round_ is None
        or round_.handed is not command.hand
        or round_.holders[command.hand] != command.seat
    ):
        return _hands_off(command.seat, command.hand, rules)
    clauses = _handed_under(round_, command.hand, "returned", rules)
    return reveal(state, CardsReturned(command.seat, command.hand, clauses), rules)


@decides(PermitTurning, Phase.DEALING, cites=("deal.unwagered_hand",))
def _permit(state: TableState, command: PermitTurning, rules: TableRules) -> Events | Refusal:
    """Let a bettor on the other hand turn the hand that nobody wagered on, third card and all."""
    hand = command.hand
    clauses = rules.cites_for("deal.unwagered_hand", hand.value)
    if not rules.elected("deal.unwagered_hand", choice=True):
        return Refusal("not_elected", clauses, "the dealer turns a hand with no wagers")
    if _turning(state, hand) is None or not unwagered(state, hand):
        return Refusal("not_next", clauses, f"the {hand.title} cannot be offered now")
    if (command.seat, hand.other.value) not in state.stakes:
        message = f"seat {command.seat} has no wager on the {hand.other.title}"
        return Refusal("no_wager", clauses, message)
    return (TurningPermitted(command.seat, hand, clauses),)


def unwagered(state: TableState, hand: Hand) -> bool:
    """Tell whether nobody holds a hand because nobody wagered on it."""
    round_ = state.round
    if round_ is None or round_.simulated or hand in round_.holders:
        return False
    return not any(wager == hand.value for _, wager in state.stakes)


@applies(TurningPermitted)
def _permitted(state: TableState, event: TurningPermitted) -> TableState:
    return _hold(state, event.hand, event.seat)


# --- the right given up ------------------------------------------------------------------------


def _pass_on(state: TableState, given_up: RightRelinquished, rules: TableRules) -> Events | Refusal:
    """Offer the hand to the other players, from the right of the one who has given it up."""
    seat, hand, clauses = given_up.seat, given_up.hand, given_up.clauses
    if _turning(state, hand) is None or holder_of(state, hand, rules) != seat:
        return Refusal("no_holder", clauses, f"seat {seat} does not hold the {hand.title} now")
    ring = right_of(rules.submission.layout, seat)
    gave_up = () if state.round is None else state.round.gave_up
    others = tuple(other for other in ring if other in state.seats and (hand, other) not in gave_up)
    return (given_up, _offer_to(others, hand, rules))


def _offer_to(
    seats: tuple[int, ...], hand: Hand, rules: TableRules, *, declined: bool = False
) -> CardsOffered:
    """Offer a hand to the first of some seats; it falls to the dealer where there is none."""
    if not seats:
        why = "dealer_declined" if declined else "dealer_nobody"
        return CardsOffered(
            None, hand, (), rules.cites_for("irregularity.relinquish", "dealer", why)
        )
    which = "passes_next" if declined else "passes_right"
    clauses = rules.cites_for("irregularity.relinquish", "passes", which)
    return CardsOffered(seats[0], hand, seats[1:], clauses)


@decides(RelinquishCards, Phase.DEALING, cites=("irregularity.relinquish",))
def _relinquish(state: TableState, command: RelinquishCards, rules: TableRules) -> Events | Refusal:
    if "irregularity.relinquish" not in rules.law.rules:
        return Refusal("no_such_procedure", (), _NO_RELINQUISHMENT)
    clauses = rules.cites_for("irregularity.relinquish", "passes", "given_up")
    given_up = RightRelinquished(command.seat, command.hand, None, None, clauses)
    return _pass_on(state, given_up, rules)


@decides(RequireRelinquishment, Phase.DEALING, cites=("irregularity.relinquish",))
def _require(
    state: TableState, command: RequireRelinquishment, rules: TableRules
) -> Events | Refusal:
    if "irregularity.relinquish" not in rules.law.rules:
        return Refusal("no_such_procedure", (), _NO_RELINQUISHMENT)
    clauses = rules.cites_for("irregularity.relinquish", "compelled")
    if not rules.applies("irregularity.relinquish"):
        return Refusal("no_holder", clauses, "at this table only the dealer turns the cards")
    if command.by not in _AUTHORITIES:
        message = f"{command.by}: only the dealer or the floorperson may require this"
        return Refusal("authority", clauses, message)
    grounds = rules.value("irregularity.relinquish.grounds", tuple)
    if command.grounds not in grounds:
        message = f"{command.grounds}: the right may be taken away only for {' or '.join(grounds)}"
        return Refusal("grounds", rules.cites("irregularity.relinquish.grounds"), message)
    given_up = RightRelinquished(command.seat, command.hand, command.by, command.grounds, clauses)
    return _pass_on(state, given_up, rules)


@applies(RightRelinquished)
def _relinquished(state: TableState, event: RightRelinquished) -> TableState:
    state = _hold(state, event.hand, None)
    if state.round is None:
        return state
    gave_up = (*state.round.gave_up, (event.hand, event.seat))
    return changed(state, round=changed(state.round, gave_up=gave_up))


@applies(CardsOffered)
def _offered(state: TableState, event: CardsOffered) -> TableState:
    if state.round is None or event.seat is None:
        return _hold(state, event.hand, None)
    offering = Offering(event.hand, (event.seat, *event.waiting))
    return changed(state, round=changed(state.round, offering=offering))


def _not_offered(state: TableState, seat: int, hand: Hand, rules: TableRules) -> Refusal | Offering:
    offering = state.round.offering if state.round is not None else None
    if offering is not None and offering.hand is hand and offering.seats[0] == seat:
        return offering
    clauses = rules.cites_for("irregularity.relinquish", "passes")
    return Refusal("not_asked", clauses, f"the {hand.title} is not offered to seat {seat}")


@decides(AcceptCards, Phase.DEALING, cites=("irregularity.relinquish",))
def _accept(state: TableState, command: AcceptCards, rules: TableRules) -> Events | Refusal:
    offering = _not_offered(state, command.seat, command.hand, rules)
    if isinstance(offering, Refusal):
        return offering
    clauses = rules.cites_for("irregularity.relinquish", "passes")
    return (CardsAccepted(command.seat, command.hand, clauses),)


@applies(CardsAccepted)
def _accepted(state: TableState, event: CardsAccepted) -> TableState:
    return _hold(state, event.hand, event.seat)


@decides(DeclineCards, Phase.DEALING, cites=("irregularity.relinquish",))
def _decline(state: TableState, command: DeclineCards, rules: TableRules) -> Events | Refusal:
    offering = _not_offered(state, command.seat, command.hand, rules)
    if isinstance(offering, Refusal):
        return offering
    clauses = rules.cites_for("irregularity.relinquish", "passes")
    declined = CardsDeclined(command.seat, command.hand, clauses)
    return (declined, _offer_to(offering.seats[1:], command.hand, rules, declined=True))


@applies(CardsDeclined)
def _declined(state: TableState, event: CardsDeclined) -> TableState:
    """Leave the state: the offer to the next player follows."""
    del event
    return state


# --- what may be done next ---------------------------------------------------------------------


@offers(Phase.DEALING)
def _next_with_hands(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    round_ = state.round
    if round_ is None or not round_.down:
        return ()
    relinquish = rules.cites_for("irregularity.relinquish", "passes")
    if round_.offering is not None:
        seat = round_.offering.seats[0]
        return (
            Action(AcceptCards, Role.PATRON, relinquish, seat=seat),
            Action(DeclineCards, Role.PATRON, relinquish, seat=seat),
        )
    hand = round_.down[0]
    holder = holder_of(state, hand, rules)
    if holder is None:
        move = Action(TurnHand, Role.DEALER, turned_under(state, round_, hand, rules))
    elif round_.handed is None:
        move = Action(HandCards, Role.DEALER, _handed_under(round_, hand, "handed", rules))
    else:
        returned = _handed_under(round_, hand, "returned", rules)
        move = Action(ReturnCards, Role.PATRON, returned, seat=holder)
    aside: tuple[Action, ...] = ()
    if holder is not None and rules.applies("irregularity.relinquish"):
        compelled = rules.cites_for("irregularity.relinquish", "compelled")
        aside = (
            Action(RelinquishCards, Role.PATRON, relinquish, must=False, seat=holder),
            Action(RequireRelinquishment, Role.FLOORPERSON, compelled, must=False, seat=holder),
        )
    if rules.elected("deal.unwagered_hand", choice=True) and unwagered(state, hand):
        clauses = rules.cites_for("deal.unwagered_hand", hand.value)
        others = (seat for seat, wager in state.stakes if wager == hand.other.value)
        permits = (
            Action(PermitTurning, Role.DEALER, clauses, must=False, seat=seat) for seat in others
        )
        aside = (*aside, *permits)
    first = rules.elected("deal.banker_first", choice=True) and len(round_.down) == 2
    first = first and hooks.seat_that_deals.ask(state) is None
    if first and hand is Hand.PLAYER and round_.handed is None:
        clauses = rules.cites("deal.banker_first")
        asking = (
            Action(RequestBankerFirst, Role.PATRON, clauses, must=False, seat=seat)
            for seat in state.seats
        )
        aside = (*aside, *asking)
    return (move, *aside)
