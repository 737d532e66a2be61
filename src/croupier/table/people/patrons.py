"""Patrons: sitting, buying chips, moving, leaving."""

from __future__ import annotations

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.coup import Hand
from croupier.law.cite import cites, once
from croupier.law.usage import money
from croupier.rules import TableRules
from croupier.table.cards.cutting import next_cut_offer
from croupier.table.dealing.hand_over import handed_under, next_hand_offers, right_lapses
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal, no_seat, not_there
from croupier.table.machine.state import (
    AT_TABLE,
    Patron,
    Phase,
    RoundState,
    TableState,
    with_money,
)
from croupier.table.people.seating import moved, same_name


def whole_cents(cents: object) -> bool:
    """Whether an amount is a nonnegative integer of cents."""
    return type(cents) is int and cents >= 0


@core.decides(acts.SeatPatron, AT_TABLE)
def _seat(state: TableState, command: acts.SeatPatron, rules: TableRules) -> Answer:
    if refusal := no_seat(command.seat, rules):
        return refusal
    seated = state.seats.get(command.seat)
    # A patron who walked away from a wager may return to it.
    if seated is not None and not (seated.away and same_name(seated.name, command.patron)):
        return Refusal("seat_taken", (), f"seat {command.seat} is taken")
    if not command.patron.strip():
        return Refusal("nobody", (), "name the patron who sits down")
    if refusal := _has_a_chair(state, command, rules):
        return refusal
    name = command.patron if seated is None else seated.name
    seating = acts.PatronSeated(command.seat, name, ())
    if state.phase is not Phase.BETTING:
        return (seating,)
    return (seating, *hooks.play_opens.ask(_seated(state, seating), rules))


def _has_a_chair(state: TableState, command: acts.SeatPatron, rules: TableRules) -> Refusal | None:
    other_names = (patron.name for seat, patron in state.seats.items() if seat != command.seat)
    if rules.feeding is None or rules.reading("royal_9.second_chair") != "one-chair":
        return None
    if not any(same_name(command.patron, name) for name in other_names):
        return None
    clauses = once(rules.cites("wagers.royal_9.chairs"), rules.ruling("second-chair"))
    return Refusal("seated", clauses, f"{command.patron} has another chair at this table")


@core.applies(acts.PatronSeated)
def _seated(state: TableState, event: acts.PatronSeated) -> TableState:
    returning = state.seats.get(event.seat)
    patron = Patron(event.patron) if returning is None else replace(returning, away=False)
    return replace(state, seats={**state.seats, event.seat: patron})


@core.decides(acts.BuyChips, AT_TABLE, cites=("wagers.tender",))
def bought(state: TableState, command: acts.BuyChips, rules: TableRules) -> Answer:
    """Exchange cash for chips, also during a round."""
    if refusal := not_there(state, command.seat):
        return refusal
    del rules
    if not whole_cents(command.cents) or command.cents == 0:
        return Refusal("amount", (), f"{command.cents!r} cents cannot buy chips")
    # The text specifies what wagers are made in, but not how patrons obtain chips.
    return (acts.ChipsBought(command.seat, command.cents, ()),)


core.applies(acts.ChipsBought)(
    lambda state, event: with_money(state, event.seat, chips_cents=event.cents)
)


@core.decides(acts.LeaveTable, AT_TABLE, cites=("vigorish.before_reshuffle",))
def leaving(state: TableState, command: acts.LeaveTable, rules: TableRules) -> Answer:
    """Let a patron leave. Wagers in play stay until they are decided."""
    seat = command.seat
    patron = state.seats.get(seat)
    if patron is None:
        return Refusal("seat_empty", (), f"seat {seat} is empty")
    if refusal := _held_back(state, seat, rules):
        return refusal
    if patron.owed_cents:
        return Refusal(
            "vigorish_outstanding",
            rules.cites_for("vigorish.before_reshuffle", "patron_leaves"),
            f"seat {seat} owes {money(patron.owed_cents)} of vigorish: settle it before the"
            " patron leaves",
        )
    gone: acts.PatronLeft | acts.PatronWalkedAway = acts.PatronLeft(
        seat, patron.name, patron.chips_cents, ()
    )
    if (draw := hooks.draw_to_come.ask(state, seat, rules)) is not None:
        if patron.away:
            return draw
        clauses = (*draw.clauses, *rules.ruling("patron-gone-before-draw"))
        gone = acts.PatronWalkedAway(seat, patron.name, clauses)
    elif any(number == seat for number, _ in state.stakes):
        if state.round is None:
            message = f"seat {seat} has wagers on the layout: withdraw them first"
            return Refusal("wagers", (), message)
        stays = rules.cites("wagers.closed")
        if patron.away:
            message = f"the wagers of seat {seat} are in play: the patron leaves once they are not"
            return Refusal("wagers", stays, message)
        gone = acts.PatronWalkedAway(seat, patron.name, stays)
    after = (
        _walked_away(state, gone) if isinstance(gone, acts.PatronWalkedAway) else _left(state, gone)
    )
    return (gone, *_offers_go_on(state, after, seat, rules))


def _offers_go_on(before: TableState, after: TableState, seat: int, rules: TableRules) -> Events:
    events = hooks.on_leaving.ask(after, seat, rules)
    if before.phase is Phase.TO_CUT and before.cut.asked == seat:
        return (*events, next_cut_offer(after, rules))
    if seat not in after.seats:
        events = (*events, *right_lapses(before, seat, rules))
    offering = None if before.round is None else before.round.offering
    if offering is not None and offering.seat == seat:
        events = (*events, *next_hand_offers(core.evolve_all(after, events), rules))
    return events


@cites("deal.hand_over")
def _held_back(state: TableState, seat: int, rules: TableRules) -> Refusal | None:
    round_ = state.round
    if round_ is not None and round_.handed is not None:
        hand = round_.handed
        if round_.holders.get(hand) == seat:
            clauses = handed_under(round_, hand, "returned", rules)
            message = f"seat {seat} holds the {hand.title}: it is returned or given up first"
            return Refusal("holds_cards", clauses, message)
    return None


@core.applies(acts.PatronLeft)
def _left(state: TableState, event: acts.PatronLeft) -> TableState:
    patrons = {seat: patron for seat, patron in state.seats.items() if seat != event.seat}
    # The next occupant of the seat has not been asked for the cut or a hand, did not cut, and
    # relinquished no hand.
    seats = tuple(seat for seat in state.cut.asked_before if seat != event.seat)
    cutter_left = state.cut.left or state.cut.cutter == event.seat
    cut = replace(state.cut, asked_before=seats, left=cutter_left)
    round_ = state.round
    if round_ is not None:
        relinquishments = tuple(
            (hand, None if one == event.seat else one) for hand, one in round_.gave_up
        )
        round_ = replace(round_, gave_up=relinquishments)
    if round_ is not None and round_.offering is not None:
        seats_asked = tuple(seat for seat in round_.offering.asked_before if seat != event.seat)
        round_ = replace(round_, offering=replace(round_.offering, asked_before=seats_asked))
    return replace(state, seats=patrons, cut=cut, round=round_)


@core.applies(acts.PatronWalkedAway)
def _walked_away(state: TableState, event: acts.PatronWalkedAway) -> TableState:
    away = replace(state.seats[event.seat], away=True)
    return replace(state, seats={**state.seats, event.seat: away})


@core.decides(acts.ChangeSeat, AT_TABLE, cites=("vigorish.marker", "wagers.closed"))
def _move(state: TableState, command: acts.ChangeSeat, rules: TableRules) -> Answer:
    seat, target = command.seat, command.to
    if refusal := not_there(state, seat) or no_seat(target, rules):
        return refusal
    if target in state.seats:
        return Refusal("seat_taken", (), f"seat {target} is taken")
    if any(number == seat for number, _ in state.stakes):
        clauses: tuple[str, ...] = ()
        if state.round is not None:
            clauses = rules.cites("wagers.closed")
            if state.round.coup.player and rules.applies("wagers.untouched"):
                clauses += rules.cites("wagers.untouched")
        message = f"seat {seat} has wagers on the layout, which stay where they are"
        return Refusal("wagers", clauses, message)
    if refusal := _held_back(state, seat, rules) or hooks.draw_to_come.ask(state, seat, rules):
        return refusal
    patron = state.seats[seat]
    clauses = rules.cites_for("vigorish.marker", "placed") if patron.owed_cents else ()
    return (
        acts.SeatChanged(seat, target, patron.name, patron.chips_cents, patron.owed_cents, clauses),
    )


@core.applies(acts.SeatChanged)
def _moved(state: TableState, event: acts.SeatChanged) -> TableState:
    seat, new_seat = event.seat, event.to
    seats = {new_seat if one == seat else one: patron for one, patron in state.seats.items()}
    round_ = None if state.round is None else _round_after(state.round, seat, new_seat)
    cut = replace(
        state.cut,
        asked=new_seat if state.cut.asked == seat else state.cut.asked,
        asked_before=moved(state.cut.asked_before, seat, new_seat),
        cutter=new_seat if state.cut.cutter == seat and not state.cut.left else state.cut.cutter,
    )
    return replace(state, seats=seats, cut=cut, round=round_)


def _round_after(round_: RoundState, seat: int, new_seat: int) -> RoundState:
    holders: dict[Hand, int | None] = {
        hand: new_seat if holder == seat else holder for hand, holder in round_.holders.items()
    }
    relinquishments = tuple(
        (hand, new_seat if one == seat else one) for hand, one in round_.gave_up
    )
    offering = round_.offering
    if offering is not None:
        offering = replace(
            offering,
            seat=new_seat if offering.seat == seat else offering.seat,
            asked_before=moved(offering.asked_before, seat, new_seat),
        )
    return replace(round_, holders=holders, gave_up=relinquishments, offering=offering)


@core.offers(AT_TABLE, optional=True)
def _next_with_absent_patrons(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    bettors = {seat for seat, _ in state.stakes}
    return tuple(
        Action(acts.LeaveTable, Role.DEALER, (), must=False, seat=seat)
        for seat, patron in state.seats.items()
        if patron.away
        and seat not in bettors
        and not patron.owed_cents
        and hooks.draw_to_come.ask(state, seat, rules) is None
    )
