"""The curator: the participant who deals from the shoe, and how the shoe passes on."""

from __future__ import annotations

from typing import Final

from croupier.baccarat.hand import Hand
from croupier.frozen import frozen
from croupier.law.cite import cites, once
from croupier.rules import TableRules
from croupier.table import hooks
from croupier.table.commands import AcceptShoe, DeclineShoe, OrderPass, PassShoe
from croupier.table.core import Action, Events, Refusal, applies, decides, keeps, offers
from croupier.table.events import (
    CardsCalled,
    CuratorNamed,
    ShoeDeclined,
    ShoeOffered,
    ShoePassed,
)
from croupier.table.roles import Role
from croupier.table.seating import counterclockwise_from, counterclockwise_from_dealer, right_of
from croupier.table.state import Phase, RoundState, TableState, changed, with_slice

__all__ = ["CuratorState"]

_OFFERED: Final = (Phase.BETTING, Phase.SHOE_COMPLETED)


@keeps("curating")
@frozen
class CuratorState:
    """Who deals from the shoe, where participants do.

    ``curator`` is his seat, ``None`` for the dealer; it means something once he is ``chosen``.
    ``dealer_deals`` tells that the dealer deals for him. ``asked`` are the seats to which the shoe
    is offered, the first of them now. ``last`` is the seat of the curator before.
    """

    chosen: bool = False
    curator: int | None = None
    dealer_deals: bool = False
    asked: tuple[int, ...] = ()
    last: int | None = None


def _now(state: TableState, **changes: object) -> TableState:
    return with_slice(state, changed(state[CuratorState], **changes))


@hooks.seat_that_deals.join
@cites("curator.deals")
def _dealing_patron(state: TableState) -> int | None:
    """Return the seat of the curator who deals himself; ``None`` where the dealer deals."""
    curating = state[CuratorState]
    return curating.curator if curating.chosen and not curating.dealer_deals else None


@hooks.play_opens.join
def _open_play(state: TableState, rules: TableRules) -> Events:
    """Offer the shoe at the commencement of play, from seat one on; a curator stays one.

    Where no participant is at the table there is nobody to offer it to, and play waits.
    """
    curating = state[CuratorState]
    if not rules.applies("curator.offer") or curating.chosen or curating.asked or not state.seats:
        return ()
    ring = counterclockwise_from(rules.submission.layout, 1)
    return _offer(tuple(seat for seat in ring if seat in state.seats), _first_offer(rules), rules)


def _first_offer(rules: TableRules) -> tuple[str, ...]:
    return rules.cites("curator.offer")


def _next_offer(rules: TableRules) -> tuple[str, ...]:
    return rules.cites_for("curator.next", "offered")


def _passed_before(state: TableState) -> bool:
    """Tell whether the shoe that is on offer has been passed: somebody has had it."""
    return state.rounds > 0 or state[CuratorState].curator is not None


def _offered_under(state: TableState, rules: TableRules) -> tuple[str, ...]:
    """Return the clauses of the offer: that at the commencement of play, or that of a pass."""
    return _next_offer(rules) if _passed_before(state) else _first_offer(rules)


def _offer(seats: tuple[int, ...], clauses: tuple[str, ...], rules: TableRules) -> Events:
    """Offer the shoe to the first of some participants; the dealer has it where there is none."""
    if seats:
        return (ShoeOffered(seats[0], seats[1:], clauses),)
    nobody = rules.cites_for("curator.dealer", "nobody_accepts")
    return (ShoeOffered(None, (), nobody), CuratorNamed(None, dealer_deals=True, clauses=nobody))


@applies(ShoeOffered)
def _offered(state: TableState, event: ShoeOffered) -> TableState:
    asked = () if event.seat is None else (event.seat, *event.waiting)
    return _now(state, asked=asked, chosen=False)


def _not_asked(state: TableState, seat: int, rules: TableRules) -> Refusal | None:
    if state[CuratorState].asked[:1] == (seat,):
        return None
    clauses = _offered_under(state, rules)
    return Refusal("not_asked", clauses, f"the shoe is not on offer to seat {seat}")


@decides(AcceptShoe, *_OFFERED, cites=("curator.offer", "curator.next", "curator.dealer"))
def _accept(state: TableState, command: AcceptShoe, rules: TableRules) -> Events | Refusal:
    if refusal := _not_asked(state, command.seat, rules):
        return refusal
    clauses = rules.cites_for("curator.deals", "named")
    if command.designate_dealer:
        clauses = rules.cites_for("curator.dealer", "designated")
    if _passed_before(state):
        clauses = once(rules.cites_for("curator.next", "accepted"), clauses)
    return (CuratorNamed(command.seat, command.designate_dealer, clauses),)


@applies(CuratorNamed)
def _named(state: TableState, event: CuratorNamed) -> TableState:
    return _now(state, chosen=True, curator=event.seat, dealer_deals=event.dealer_deals, asked=())


@decides(DeclineShoe, *_OFFERED, cites=("curator.offer", "curator.next"))
def _decline(state: TableState, command: DeclineShoe, rules: TableRules) -> Events | Refusal:
    if refusal := _not_asked(state, command.seat, rules):
        return refusal
    declined = ShoeDeclined(command.seat, _offered_under(state, rules))
    return (declined, *_ask_next(state, rules))


def _ask_next(state: TableState, rules: TableRules) -> Events:
    waiting = tuple(seat for seat in state[CuratorState].asked[1:] if seat in state.seats)
    return _offer(waiting, _offered_under(state, rules), rules)


@applies(ShoeDeclined)
def _declined(state: TableState, event: ShoeDeclined) -> TableState:
    """Leave the state: the offer to the next participant follows."""
    del event
    return state


# --- the shoe passed on ------------------------------------------------------------------------


def _pass(state: TableState, passed: ShoePassed, rules: TableRules) -> Events:
    """Offer the shoe counterclockwise from the right of the one who has passed it."""
    layout = rules.submission.layout
    seat = state[CuratorState].curator
    ring = counterclockwise_from_dealer(layout) if seat is None else right_of(layout, seat)
    others = tuple(one for one in ring if one in state.seats)
    return (passed, *_offer(others, _next_offer(rules), rules))


@applies(ShoePassed)
def _passed(state: TableState, event: ShoePassed) -> TableState:
    del event
    return _now(state, chosen=False, asked=())


def _no_curator(state: TableState, rules: TableRules) -> Refusal | None:
    if not rules.applies("curator.pass"):
        return Refusal("no_such_procedure", (), "in this regulation only the dealer has the shoe")
    if not state[CuratorState].chosen:
        return Refusal("no_curator", rules.cites("curator.pass"), "no patron has the shoe")
    return None


@decides(PassShoe, *_OFFERED, cites=("curator.pass",))
def _pass_shoe(state: TableState, command: PassShoe, rules: TableRules) -> Events | Refusal:
    del command
    clauses = rules.cites("curator.pass")
    if refusal := _no_curator(state, rules):
        return refusal
    if not state.rounds:
        return Refusal("too_early", clauses, "the shoe may be passed only after a round of play")
    return _pass(state, ShoePassed(state[CuratorState].curator, "voluntary", None, clauses), rules)


@decides(OrderPass, *_OFFERED, cites=("curator.ordered",))
def _order(state: TableState, command: OrderPass, rules: TableRules) -> Events | Refusal:
    if refusal := _no_curator(state, rules):
        return refusal
    for rule_id, told in (("by", command.by), ("grounds", command.grounds)):
        allowed = rules.value(f"curator.ordered.{rule_id}", tuple)
        if told not in allowed:
            clauses = rules.cites(f"curator.ordered.{rule_id}")
            return Refusal(rule_id, clauses, f"{told}: it must be one of {', '.join(allowed)}")
    clauses = rules.cites("curator.ordered")
    curator = state[CuratorState].curator
    return _pass(state, ShoePassed(curator, command.grounds, command.by, clauses), rules)


@hooks.round_over.join
@cites("curator.must_pass")
def _pass_when_lost(state: TableState, round_: RoundState, rules: TableRules) -> Events:
    """Pass the shoe, as the curator must whenever Banker's Hand loses."""
    if not rules.applies("curator.must_pass") or not state[CuratorState].chosen:
        return ()
    if round_.facts is None or round_.facts.winner is not Hand.PLAYER:
        return ()
    clauses = rules.cites("curator.must_pass")
    return _pass(
        state, ShoePassed(state[CuratorState].curator, "banker lost", None, clauses), rules
    )


@hooks.on_leaving.join
def _pass_on_leaving(state: TableState, seat: int, rules: TableRules) -> Events:
    """Pass the shoe of a patron who leaves, or the offer of it."""
    if state[CuratorState].asked[:1] == (seat,):
        return _ask_next(state, rules)
    if not state[CuratorState].chosen or state[CuratorState].curator != seat:
        return ()
    passed = ShoePassed(seat, "left the table", None, rules.cites("curator.pass"))
    return _pass(state, passed, rules)


# --- the round ---------------------------------------------------------------------------------


@hooks.before_round.join
def _shoe_on_offer(state: TableState, rules: TableRules) -> Refusal | None:
    """Say why no round begins: nobody has taken the shoe yet."""
    if not rules.applies("curator.offer") or state[CuratorState].chosen:
        return None
    asked = state[CuratorState].asked
    whom = f"seat {asked[0]}" if asked else "no seat yet"
    clauses = _offered_under(state, rules)
    return Refusal("shoe_on_offer", clauses, f"the shoe is on offer to {whom}")


@hooks.round_begun.join
def _call_cards(rules: TableRules) -> Events:
    """Instruct the curator to begin to deal, where there is one."""
    if not rules.applies("announce.cards"):
        return ()
    return (CardsCalled(rules.value("announce.cards", str), rules.cites("announce.cards")),)


@applies(CardsCalled)
def _called(state: TableState, event: CardsCalled) -> TableState:
    del event
    return _now(state, last=state[CuratorState].curator)


@hooks.first_to_cut.join
def _last_curator(state: TableState, rules: TableRules) -> int | None:
    """Return the seat of the last curator, where the cut on a reshuffle begins with him."""
    return state[CuratorState].last if rules.elected("cut.offer_from", "last-curator") else None


# --- what may be done next ---------------------------------------------------------------------


@offers(*_OFFERED)
def _next_with_shoe(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if not rules.applies("curator.offer"):
        return ()
    curating = state[CuratorState]
    if curating.asked:
        clauses = _offered_under(state, rules)
        seat = curating.asked[0]
        return tuple(
            Action(command, Role.PATRON, clauses, seat=seat)
            for command in (AcceptShoe, DeclineShoe)
        )
    if not curating.chosen:
        return ()
    curator, clauses = curating.curator, rules.cites("curator.ordered")
    order = Action(OrderPass, Role.FLOORPERSON, clauses, must=False, seat=curator)
    if not state.rounds:
        return (order,)
    by = Role.DEALER if curator is None else Role.PATRON
    return (Action(PassShoe, by, rules.cites("curator.pass"), must=False, seat=curator), order)
