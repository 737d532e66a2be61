"""The curator: the participant who deals from the shoe, and how the shoe passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier import acts
from croupier.acts.fields import Flag, Seat
from croupier.acts.roles import Role
from croupier.baccarat.coup import Hand
from croupier.law.cite import cites, once
from croupier.law.sight import Sight
from croupier.rules import TableRules
from croupier.table.irregular.supervisor import ruling
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal
from croupier.table.machine.state import (
    AT_TABLE,
    BETWEEN_ROUNDS,
    Phase,
    RoundState,
    TableState,
    with_slice,
)
from croupier.table.people.seating import (
    counterclockwise_from,
    counterclockwise_from_dealer,
    moved,
    right_of,
    seat_after,
    still_to_ask,
)

_ASKED: Final = (Phase.BETTING, Phase.SHOE_COMPLETED, Phase.OUT_OF_USE, Phase.DEALING)
"""An ordered pass may be immediate, within a round."""
_IN_HAND: Final = (*_ASKED, Phase.DECIDED, Phase.SETTLED)


@core.keeps("curating")
class CuratorState(Struct, frozen=True):
    """The participant who deals from the shoe.

    ``curator`` is ``None`` for the dealer, and valid once ``chosen``. ``asked`` are the seats to be
    offered the shoe. ``vacated`` means that the last curator has left, ``gone`` that the present
    one has, and ``taken_over`` that the dealer finishes this round.
    """

    chosen: Flag = False
    curator: Seat | None = None
    dealer_deals: Flag = False
    asked: tuple[Seat, ...] = ()
    last: Seat | None = None
    vacated: Flag = False
    asked_before: tuple[Seat, ...] = ()
    taken_over: Annotated[acts.DealTakenOver | None, Sight.OPEN] = None
    gone: Flag = False


def _now(state: TableState, **changes: object) -> TableState:
    return with_slice(state, replace(state[CuratorState], **changes))


@hooks.seat_that_deals.join
@cites("curator.deals")
def _dealing_patron(state: TableState) -> int | None:
    curating = state[CuratorState]
    if not curating.chosen or curating.dealer_deals or curating.taken_over is not None:
        return None
    return curating.curator


@hooks.play_opens.join
def _open_play(state: TableState, rules: TableRules) -> Events:
    curating = state[CuratorState]
    if not rules.applies("curator.offer") or curating.chosen or curating.asked:
        return ()
    ring = counterclockwise_from(rules.submission.layout, 1)
    seats = still_to_ask(ring, state.present, ())
    return _offer(seats, _offered_under(state, rules), rules) if seats else ()


def _passed_before(state: TableState) -> bool:
    return state[CuratorState].curator is not None or state[CuratorState].dealer_deals


def _offered_under(state: TableState, rules: TableRules) -> tuple[str, ...]:
    if _passed_before(state):
        return rules.cites_for("curator.next", "offered")
    return rules.cites("curator.offer")


def _offer(seats: tuple[int, ...], clauses: tuple[str, ...], rules: TableRules) -> Events:
    if seats:
        return (acts.ShoeOffered(seats[0], seats[1:], clauses),)
    nobody = rules.cites_for("curator.dealer", "nobody_accepts")
    return (
        acts.ShoeOffered(None, (), nobody),
        acts.CuratorNamed(None, dealer_deals=True, clauses=nobody),
    )


@core.applies(acts.ShoeOffered)
def _offered(state: TableState, event: acts.ShoeOffered) -> TableState:
    seats = () if event.seat is None else (event.seat, *event.waiting)
    return _now(state, asked=seats, chosen=False)


def _refused(state: TableState, seat: int) -> TableState:
    return _now(state, asked_before=(*state[CuratorState].asked_before, seat))


def _not_asked(state: TableState, seat: int, rules: TableRules) -> Refusal | None:
    if state[CuratorState].asked[:1] == (seat,):
        return None
    clauses = _offered_under(state, rules) if state[CuratorState].asked else ()
    return Refusal("not_asked", clauses, f"the shoe is not on offer to seat {seat}")


@core.decides(acts.AcceptShoe, *_ASKED, cites=("curator.offer", "curator.next", "curator.dealer"))
def _accept(state: TableState, command: acts.AcceptShoe, rules: TableRules) -> Answer:
    if refusal := _not_asked(state, command.seat, rules):
        return refusal
    was_passed = _passed_before(state)
    clauses = rules.cites_for(*(("curator.next", "accepted") if was_passed else ("curator.offer",)))
    if command.designate_dealer:
        clauses = once(clauses, rules.cites_for("curator.dealer", "designated"))
    elif not was_passed:
        clauses = once(clauses, rules.cites_for("curator.deals", "named"))
    return (acts.CuratorNamed(command.seat, command.designate_dealer, clauses),)


@core.applies(acts.CuratorNamed)
def _named(state: TableState, event: acts.CuratorNamed) -> TableState:
    state = _now(
        state, chosen=True, curator=event.seat, dealer_deals=event.dealer_deals, asked=(),
        asked_before=(), gone=False,
    )  # fmt: skip
    # A participant who takes over within a round deals the rest of it.
    deals_on = state.round is not None and not state.round.simulated
    return _called(state, event) if deals_on and _dealing_patron(state) is not None else state


@core.decides(acts.DeclineShoe, *_ASKED, cites=("curator.offer", "curator.next"))
def _decline(state: TableState, command: acts.DeclineShoe, rules: TableRules) -> Answer:
    if refusal := _not_asked(state, command.seat, rules):
        return refusal
    declined = acts.ShoeDeclined(command.seat, _offered_under(state, rules))
    return (declined, *_ask_next(state, rules))


def _ask_next(state: TableState, rules: TableRules) -> Events:
    curating = state[CuratorState]
    ring = right_of(rules.submission.layout, curating.asked[0])
    seats = still_to_ask(ring, state.present, curating.asked_before)
    if not seats and not state.present:
        # Everyone rejected it, so play waits for new participants.
        return (acts.ShoePassed(None, "empty table", None, ()),)
    return _offer(seats, _offered_under(state, rules), rules)


@core.applies(acts.ShoeDeclined)
def _declined(state: TableState, event: acts.ShoeDeclined) -> TableState:
    return _refused(state, event.seat)


@hooks.passed_over.join
def _unanswered(state: TableState, seat: int, rules: TableRules) -> Answer | None:
    if not state[CuratorState].asked or state.phase not in _ASKED:
        return None
    if refusal := _not_asked(state, seat, rules):
        return refusal
    clauses = _offered_under(state, rules)
    return (acts.OfferUnanswered(seat, "shoe", clauses), *_ask_next(state, rules))


@core.hears(acts.OfferUnanswered)
def _silent(state: TableState, event: acts.OfferUnanswered) -> TableState:
    return _refused(state, event.seat) if event.offer == "shoe" else state


@core.hears(acts.SeatChanged)
def _moved(state: TableState, event: acts.SeatChanged) -> TableState:
    curating, seat, new_seat = state[CuratorState], event.seat, event.to
    if curating == CuratorState():
        return state
    take_over = curating.taken_over
    if take_over is not None and take_over.seat == seat and not curating.gone:
        take_over = replace(take_over, seat=new_seat)
    return _now(
        state,
        curator=new_seat if curating.curator == seat and not curating.gone else curating.curator,
        last=new_seat if curating.last == seat and not curating.vacated else curating.last,
        asked=moved(curating.asked, seat, new_seat),
        asked_before=moved(curating.asked_before, seat, new_seat),
        taken_over=take_over,
    )


@core.hears(acts.PatronLeft)
def _left(state: TableState, event: acts.PatronLeft) -> TableState:
    curating, seat = state[CuratorState], event.seat
    is_gone = curating.gone or (curating.chosen and curating.curator == seat)
    if seat != curating.last and seat not in curating.asked_before and not is_gone:
        return state
    return _now(
        state,
        gone=is_gone,
        vacated=curating.vacated or curating.last == seat,
        asked_before=tuple(other for other in curating.asked_before if other != seat),
    )


# --- the shoe passed on ------------------------------------------------------------------------


def _pass(state: TableState, event: acts.ShoePassed, rules: TableRules) -> Events:
    layout = rules.submission.layout
    seat = state[CuratorState].curator
    ring = counterclockwise_from_dealer(layout) if seat is None else right_of(layout, seat)
    if seat is not None and state[CuratorState].gone:
        # A new occupant of the seat is a newcomer.
        ring = (*ring, seat)
    next_seats = still_to_ask(ring, state.present, ())
    if not next_seats and not state.present:
        return (event,)
    return (event, *_offer(next_seats, _offered_under(state, rules), rules))


@core.applies(acts.ShoePassed)
def _passed(state: TableState, event: acts.ShoePassed) -> TableState:
    # The participant who passed it is not asked again, unless the seat has a new occupant.
    is_gone = state[CuratorState].gone or event.seat not in state.seats
    asked_before = () if event.seat is None or is_gone else (event.seat,)
    state = _now(
        state, chosen=False, asked=(), asked_before=asked_before, taken_over=None, gone=False
    )
    # Whoever comes to an empty table is offered the shoe as at the commencement of play.
    return state if state.present else _now(state, curator=None, dealer_deals=False)


def _no_curator(state: TableState, rules: TableRules) -> Refusal | None:
    if not rules.applies("curator.pass"):
        return Refusal("no_such_procedure", (), "in this regulation only the dealer has the shoe")
    if not state[CuratorState].chosen:
        return Refusal("no_curator", (), "no patron has the shoe")
    return None


@core.decides(acts.PassShoe, AT_TABLE, cites=("curator.pass",))
def _pass_shoe(state: TableState, _command: acts.PassShoe, rules: TableRules) -> Answer:
    clauses = rules.cites("curator.pass")
    if refusal := _no_curator(state, rules):
        return refusal
    if not state.rounds or state.round is not None:
        return Refusal("too_early", clauses, "the shoe may be passed only after a round of play")
    return _pass(
        state, acts.ShoePassed(state[CuratorState].curator, "voluntary", None, clauses), rules
    )


@core.decides(acts.OrderPass, AT_TABLE, cites=("curator.ordered",))
def _order(state: TableState, command: acts.OrderPass, rules: TableRules) -> Answer:
    clauses = rules.cites("curator.ordered")
    if refusal := _no_curator(state, rules) or _no_patron_deals(state, clauses):
        return refusal
    for rule_id, value in (("by", command.by), ("grounds", command.grounds)):
        allowed = rules.value(f"curator.ordered.{rule_id}", tuple)
        if value not in allowed:
            cites = rules.cites(f"curator.ordered.{rule_id}")
            return Refusal(rule_id, cites, f"{value}: it must be one of {', '.join(allowed)}")
    curator = state[CuratorState].curator
    at_once = state.phase is Phase.DEALING and rules.reading("ordered_pass.moment") == "at-once"
    if state.round is not None and not at_once:
        return (acts.DealTakenOver(curator or 0, command.grounds, command.by, clauses),)
    return _pass(state, acts.ShoePassed(curator, command.grounds, command.by, clauses), rules)


def _no_patron_deals(state: TableState, clauses: tuple[str, ...]) -> Refusal | None:
    curating = state[CuratorState]
    designated = curating.dealer_deals and state.round is not None
    if curating.curator is None or designated:
        return Refusal("dealer_deals", clauses, "the dealer has the deal already")
    if curating.taken_over is not None:
        return Refusal("taken_over", clauses, "the dealer deals the rest of this round already")
    return None


@core.applies(acts.DealTakenOver)
def _taken_over(state: TableState, event: acts.DealTakenOver) -> TableState:
    return _now(state, taken_over=event)


@core.decides(acts.DealForCurator, Phase.DEALING, cites=("curator.dealer",))
def _deal_for(state: TableState, command: acts.DealForCurator, rules: TableRules) -> Answer:
    clauses = rules.cites_for("curator.dealer", "ruled")
    if refusal := _no_curator(state, rules) or _no_patron_deals(state, clauses):
        return refusal
    curator = state[CuratorState].curator
    authority = command.supervisor, command.reason
    take_over = acts.DealTakenOver(curator or 0, None, None, clauses)
    return ruling("curator-cannot-deal", authority, curator, clauses, rules, take_over)


@core.decides(acts.DesignateDealer, BETWEEN_ROUNDS, cites=("curator.dealer",))
def _designate(state: TableState, command: acts.DesignateDealer, rules: TableRules) -> Answer:
    if refusal := _no_curator(state, rules):
        return refusal
    curating = state[CuratorState]
    clauses = rules.cites_for("curator.dealer", "designated")
    if curating.curator != command.seat or curating.dealer_deals:
        message = f"seat {command.seat} does not deal: there is nobody to designate for it"
        return Refusal("not_curator", clauses, message)
    return (acts.CuratorNamed(command.seat, dealer_deals=True, clauses=clauses),)


@hooks.round_over.join
@cites("curator.must_pass")
def _pass_when_lost(state: TableState, round_: RoundState, rules: TableRules) -> Events:
    curating = state[CuratorState]
    if not rules.applies("curator.must_pass") or not curating.chosen:
        return ()
    banker_lost = round_.facts is not None and round_.facts.winner is Hand.PLAYER
    clauses = rules.cites("curator.must_pass") if banker_lost else ()
    over = curating.taken_over
    if over is not None and over.grounds is not None:
        all_clauses = once(over.clauses, clauses)
        return _pass(state, acts.ShoePassed(over.seat, over.grounds, over.by, all_clauses), rules)
    if not banker_lost:
        return ()
    return _pass(state, acts.ShoePassed(curating.curator, "banker lost", None, clauses), rules)


@hooks.on_leaving.join
def _pass_on_leaving(state: TableState, seat: int, rules: TableRules) -> Events:
    curating = state[CuratorState]
    if curating.asked[:1] == (seat,):
        return _ask_next(state, rules)
    if not curating.chosen:
        return ()
    clauses = rules.cites("curator.pass")
    if curating.curator == seat:
        if state.round is not None and state.phase.in_play:
            if curating.taken_over is not None and curating.taken_over.grounds is not None:
                return ()
            return (acts.DealTakenOver(seat, "left the table", None, clauses),)
        return _pass(state, acts.ShoePassed(seat, "left the table", None, clauses), rules)
    if curating.curator is None and not state.present and state.round is None:
        return (acts.ShoePassed(None, "empty table", None, ()),)
    return ()


# --- the round ---------------------------------------------------------------------------------


@hooks.before_card.join
def _dealt_by_nobody(state: TableState, rules: TableRules) -> Refusal | None:
    """Refuse a card while the shoe is on offer. Simulated rounds are dealt anyway."""
    if not state[CuratorState].asked or state.round is None or state.round.simulated:
        return None
    return _shoe_on_offer(state, rules)


@hooks.before_round.join
def _shoe_on_offer(state: TableState, rules: TableRules) -> Refusal | None:
    if not rules.applies("curator.offer") or state[CuratorState].chosen:
        return None
    seats = state[CuratorState].asked
    whom = f"seat {seats[0]}" if seats else "no seat yet"
    clauses = _offered_under(state, rules)
    return Refusal("shoe_on_offer", clauses, f"the shoe is on offer to {whom}")


@hooks.round_begun.join
def _call_cards(rules: TableRules) -> Events:
    if not rules.applies("announce.cards"):
        return ()
    return (acts.CardsCalled(rules.value("announce.cards", str), rules.cites("announce.cards")),)


@core.applies(acts.CardsCalled)
def _called(state: TableState, _event: acts.CardsCalled | acts.CuratorNamed) -> TableState:
    return _now(state, last=_dealing_patron(state), vacated=False)


@hooks.first_to_cut.join
def _last_curator(state: TableState, rules: TableRules) -> int | None:
    # A new occupant of the seat is a newcomer, so the cut moves on.
    curating = state[CuratorState]
    of_curator = {"last-curator": True, "highest-seat": False}
    if curating.last is None or not rules.by_word("cut.offer_from", of_curator):
        return None
    if not curating.vacated:
        return curating.last
    return seat_after(rules.submission.layout, curating.last)


@core.offers(*_ASKED)
def _next_with_shoe(state: TableState, rules: TableRules) -> Iterator[Action]:
    curating = state[CuratorState]
    if curating.asked and rules.applies("curator.offer"):
        clauses = _offered_under(state, rules)
        for command in (acts.AcceptShoe, acts.DeclineShoe):
            yield Action(command, Role.PATRON, clauses, seat=curating.asked[0])


@core.offers(BETWEEN_ROUNDS)
def _next_of_curator(state: TableState, rules: TableRules) -> Iterator[Action]:
    curating = state[CuratorState]
    curator = curating.curator
    if not curating.chosen or not rules.applies("curator.offer"):
        return
    if state.rounds:
        role = Role.DEALER if curator is None else Role.PATRON
        yield Action(acts.PassShoe, role, rules.cites("curator.pass"), must=False, seat=curator)
    if curator is not None and not curating.dealer_deals:
        clauses = rules.cites_for("curator.dealer", "designated")
        yield Action(acts.DesignateDealer, Role.PATRON, clauses, must=False, seat=curator)
    if curator is not None:
        clauses = rules.cites("curator.ordered")
        yield Action(acts.OrderPass, Role.FLOORPERSON, clauses, must=False, seat=curator)


@core.offers(*_IN_HAND, optional=True)
def _without_the_curator(state: TableState, rules: TableRules) -> Iterator[Action]:
    curating = state[CuratorState]
    if curating.asked:
        clauses = _offered_under(state, rules)
        yield Action(acts.PassOver, Role.DEALER, clauses, must=False, seat=curating.asked[0])
    elif state.round is not None and _dealing_patron(state) is not None:
        clauses, seat = rules.cites("curator.ordered"), curating.curator
        yield Action(acts.OrderPass, Role.FLOORPERSON, clauses, must=False, seat=seat)
        if state.phase is Phase.DEALING:
            clauses = rules.cites_for("curator.dealer", "ruled")
            yield Action(acts.DealForCurator, Role.SUPERVISOR, clauses, must=False, seat=seat)
