"""Misread cards: the record continues from the true card."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card, face
from croupier.baccarat.coup import Coup, Hand
from croupier.law.cite import cites, once
from croupier.rules import TableRules
from croupier.table.cards.cutting import cards_following
from croupier.table.cards.out_of_use import is_elsewhere
from croupier.table.dealing.dealing import called_now, proceed, ruled_so_far
from croupier.table.dealing.premature_third_card import third_card_cites
from croupier.table.irregular.misdrawn import (
    DISCLOSED,
    THIRD_CARD,
    begin_simulated,
    put_aside,
    recount_discards,
)
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal
from croupier.table.machine.house import hands_with
from croupier.table.machine.state import (
    CARDS_IN_SHOE,
    Phase,
    RoundState,
    SimulatedOrder,
    TableState,
)
from croupier.table.settling.settling import give_back


class Redealt(NamedTuple):
    """The hands with the true card, and third cards that no longer belong to a hand."""

    coup: Coup
    stray: tuple[tuple[Hand, Card], ...]


@core.decides(
    acts.CorrectMisreadCard,
    CARDS_IN_SHOE,
    cites=("cards.values", "burn.count", "burn.exposure", "irregularity.face_up_card"),
)
def _misread(state: TableState, command: acts.CorrectMisreadCard, rules: TableRules) -> Answer:
    recorded_card, actual = command.recorded, command.actual
    if not command.supervisor:
        return Refusal("nobody", (), "the supervisor who has looked is not named")
    is_set_aside = _was_set_aside(state, command)
    if recorded_card is actual or not (is_set_aside or _lies(state, command)):
        message = f"{face(recorded_card)} does not lie there, or was no other card"
        of_burn = command.hand is None and command.ordinal > 0
        clauses = rules.cites_if_any("burn.count" if of_burn else "cards.values")
        return Refusal("not_there", clauses, message)
    if is_elsewhere(state, actual):
        message = f"{face(actual)} has been drawn {state.shoe.decks} times: it cannot be there"
        return Refusal("no_such_card", rules.cites("decks"), message)
    if is_set_aside:
        return _in_rack(state, command, rules)
    round_, clauses = state.round, rules.cites("cards.values")
    if command.hand is None or round_ is None:
        return (_event(command, None, stands=True, clauses=clauses),)
    if state.phase is Phase.SETTLED or len(round_.coup.banker) < 2:
        swapped = with_card(round_.coup, command.hand, command.ordinal, actual)
        is_settled = state.phase is Phase.SETTLED
        return (_event(command, swapped, stands=is_settled, clauses=clauses),)
    if any(len(round_.coup.hand(hand)) == 3 for hand in round_.down):
        message = "the third card is turned first: whose it is depends on the true card"
        return Refusal("unturned", clauses, message)
    was_settled_early = command.ordinal < 3 and bool(hooks.settled_early.ask(state))
    deal = dealt_again(with_card(round_.coup, command.hand, command.ordinal, actual))
    if len(deal.coup.player) == 2 and round_.coup.player[2:] == deal.coup.banker[2:] != ():
        # Player's third card turns out to be unauthorized.
        clauses = once(clauses, third_card_cites(rules, disclosed=True, banker_draws=True))
    misread = _event(command, deal.coup, stands=False, clauses=clauses)
    misread = replace(misread, settled_early=was_settled_early)
    return (misread, *_ruled_again(state, command, deal, rules))


def _lies(state: TableState, command: acts.CorrectMisreadCard) -> bool:
    if command.hand is None:
        return command.recorded in state.kept
    cards = () if state.round is None else state.round.coup.hand(command.hand)
    return cards[command.ordinal - 1 : command.ordinal] == (command.recorded,)


def _was_set_aside(state: TableState, card: acts.CorrectMisreadCard | acts.CardMisread) -> bool:
    """Whether it was burned or discarded; a held card was once reported with a place."""
    return card.hand is None and state.shoe.has_set_aside(card.recorded, card.ordinal)


def _in_rack(state: TableState, command: acts.CorrectMisreadCard, rules: TableRules) -> Events:
    index = command.ordinal - len(state.shoe.burned) - 1
    if index < 0:
        clauses = rules.cites_for("burn.exposure", rules.value("burn.exposure", str))
        recount = _burn_counted_again(state, command, rules)
    else:
        rule = state.shoe.discarded[index].rule
        clauses = rules.cites_if_any(rule) or rules.cites("cards.values")
        recount = recount_discards(state, index, command.actual, rules)
    return (_event(command, None, stands=True, clauses=clauses), *recount)


def _burn_counted_again(
    state: TableState, command: acts.CorrectMisreadCard, rules: TableRules
) -> Events:
    """Count the burn by its true first card; what is missing is burned before a hand begins."""
    shoe, (due, amount) = state.shoe, cards_following(command.actual.rank)
    is_same_count = command.ordinal > 1 or due == cards_following(command.recorded.rank)[0]
    if is_same_count or rules.burned is not None:
        return ()
    burned, burning = len(shoe.burned) - 1, state.phase is Phase.TO_BURN
    discarded_since = shoe.discarded[-1:] and shoe.discarded[-1].left == shoe.remaining
    no_card_since = shoe.is_undealt and not discarded_since
    is_in_time = burning or (state.phase is Phase.BETTING and no_card_since)
    with_wagers = rules.reading("burn.misread") if state.stakes else None
    to_burn = max(due - burned, 0) if is_in_time and with_wagers != "play-on" else 0
    clauses = once(rules.cites_for("burn.count", amount), rules.ruling("burn-misread"))
    recount = acts.BurnCountedAgain(due, burned, to_burn, clauses)
    if to_burn:
        return (give_back(state, clauses), recount) if with_wagers == "returned" else (recount,)
    return (recount, *(hooks.play_opens.ask(state, rules) if burning else ()))


@core.applies(acts.BurnCountedAgain)
def _counted_again(state: TableState, event: acts.BurnCountedAgain) -> TableState:
    if event.to_burn:
        return replace(state, phase=Phase.TO_BURN, to_burn=event.to_burn)
    phase = Phase.BETTING if state.phase is Phase.TO_BURN else state.phase
    return replace(state, phase=phase, to_burn=0)


def _event(
    command: acts.CorrectMisreadCard, coup: Coup | None, *, stands: bool, clauses: tuple[str, ...]
) -> acts.CardMisread:
    hands = ((), ()) if coup is None else (coup.player, coup.banker)
    return acts.CardMisread(
        command.recorded, command.actual, command.hand, command.ordinal, *hands, stands,
        command.supervisor, settled_early=False, clauses=clauses,
    )  # fmt: skip


def with_card(coup: Coup, hand: Hand, ordinal: int, actual: Card) -> Coup:
    return Coup(coup.tableau, *hands_with((coup.player, coup.banker), hand, ordinal, actual))


def dealt_again(coup: Coup) -> Redealt:
    """Deal the third cards again in their order, as the hands require."""
    new_coup = Coup(coup.tableau, coup.player[:2], coup.banker[:2])
    stray_cards: list[tuple[Hand, Card]] = []
    for hand in (Hand.PLAYER, Hand.BANKER):
        for card in coup.hand(hand)[2:]:
            if new_coup.due is None:
                stray_cards.append((hand, card))
            else:
                new_coup = new_coup.with_card(card)
    return Redealt(new_coup, tuple(stray_cards))


@cites("irregularity.player_card")
def _ruled_again(
    state: TableState, command: acts.CorrectMisreadCard, deal: Redealt, rules: TableRules
) -> Events:
    round_, hand = state.round, command.hand
    if round_ is None or hand is None:
        return ()
    is_face_up = command.ordinal < 3 and hand not in round_.down
    call = (called_now(deal.coup, hand, rules),) if is_face_up else ()
    if round_.down:
        return call
    new_round: RoundState = replace(round_, coup=deal.coup, facts=None)
    after = replace(state, round=new_round, phase=_phase_of(state))
    if after.phase is not Phase.DEALING:
        # House Money is still to be settled before the rest is ruled on.
        return call
    # Rulings on the recorded card no longer hold.
    rulings = () if command.ordinal == 3 and hand is Hand.BANKER else ruled_so_far(deal.coup, rules)
    events = (*call, *rulings, *proceed(after, new_round, deal.coup, rules))
    for receiver, card in deal.stray:
        events = (*events, *_stray(after, receiver, card, rules))
    return events


def _stray(state: TableState, receiver: Hand, card: Card, rules: TableRules) -> Events:
    # The procedure counts the remaining cards as if this one were still in the shoe.
    before = replace(
        state, phase=Phase.DECIDED, shoe=replace(state.shoe, remaining=state.shoe.remaining + 1)
    )
    order = SimulatedOrder(card, THIRD_CARD if receiver is Hand.PLAYER else DISCLOSED)
    if receiver is Hand.BANKER and rules.applies("irregularity.disclosed_other"):
        clauses = rules.cites("irregularity.disclosed_other")
        return begin_simulated(before, order, rules, clauses)
    clauses = rules.cites("irregularity.drawn_in_error")
    if receiver is Hand.PLAYER:
        clauses = third_card_cites(rules, disclosed=True, banker_draws=False)
    return put_aside(before, order, rules, disclosed=True, clauses=clauses)


def _phase_of(state: TableState) -> Phase:
    decided = state.phase in {Phase.DEALING, Phase.DECIDED}
    return Phase.DEALING if decided else state.phase  # type: ignore[return-value]


@core.applies(acts.CardMisread)
def _corrected(state: TableState, event: acts.CardMisread) -> TableState:
    shoe = state.shoe.reread(event.recorded, event.actual)
    if _was_set_aside(state, event):
        return replace(state, shoe=shoe.with_set_aside(event.ordinal, event.actual))
    state = replace(state, shoe=shoe)
    if event.hand is None:
        return _in_waiting(state, event)
    if state.round is None:
        return state
    coup = Coup(state.tableau, event.player, event.banker)
    if event.stands:
        return replace(state, round=replace(state.round, coup=coup))
    is_complete = state.round.simulated and not state.round.down and coup.due is None
    round_ = replace(state.round, coup=coup, facts=None)
    return replace(state, round=round_, phase=Phase.SETTLED if is_complete else _phase_of(state))


def _in_waiting(state: TableState, event: acts.CardMisread) -> TableState:
    round_ = state.round
    if round_ is not None and event.recorded in round_.begins_with:
        cards = _replaced(round_.begins_with, event)
        return replace(state, round=replace(round_, begins_with=cards))
    if round_ is not None and round_.early is not None and round_.early.card is event.recorded:
        early_card = replace(round_.early, card=event.actual)
        return replace(state, round=replace(round_, early=early_card))
    if event.recorded in state.held:
        return replace(state, held=_replaced(state.held, event))
    index = [order.card for order in state.simulate_with].index(event.recorded)
    orders = list(state.simulate_with)
    orders[index] = replace(orders[index], card=event.actual)
    return replace(state, simulate_with=tuple(orders))


def _replaced(cards: tuple[Card, ...], event: acts.CardMisread) -> tuple[Card, ...]:
    index = cards.index(event.recorded)
    return (*cards[:index], event.actual, *cards[index + 1 :])


@core.offers(CARDS_IN_SHOE, optional=True)
def _may_be_corrected(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    has_cards = state.round is not None and bool(state.round.coup.player)
    if not (has_cards or state.kept or any(state.shoe.set_aside)):
        return ()
    clauses = rules.cites("cards.values")
    return (Action(acts.CorrectMisreadCard, Role.SUPERVISOR, clauses, must=False),)
