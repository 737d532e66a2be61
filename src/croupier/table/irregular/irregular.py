"""Irregularities: cards drawn in error or disclosed, face up in the shoe, or missing."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.law.cite import once
from croupier.rules import TableRules
from croupier.table.cards.drawing import before_card, not_in_shoe
from croupier.table.dealing.dealing import card_due, deal, holder_of, lacks_a_card
from croupier.table.dealing.premature_third_card import comes_early, may_have_none, third_card_cites
from croupier.table.irregular.misdrawn import (
    DISCLOSED,
    FACE_UP,
    THIRD_CARD,
    begin_simulated,
    beside_face_up,
    put_aside,
)
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal, not_there
from croupier.table.machine.state import (
    CARDS_IN_SHOE,
    IN_PLAY,
    IN_THE_DEAL,
    Phase,
    SimulatedOrder,
    TableState,
)
from croupier.table.settling.settling import discards_due, give_back, until_reshuffled

# --- a card drawn in error ---------------------------------------------------------------------


@core.decides(
    acts.DrawCardInError,
    CARDS_IN_SHOE,
    cites=(
        "irregularity.drawn_in_error",
        "irregularity.player_card",
        "irregularity.disclosed_card",
    ),
)
def _drawn_in_error(state: TableState, command: acts.DrawCardInError, rules: TableRules) -> Answer:
    card, seen_by = command.card, tuple(sorted({*command.seen_by}))
    if refusal := discards_due(state, rules) or not_in_shoe(state, card, rules):
        return refusal
    under = rules.ruling("seen-by") if seen_by else ()
    if refusal := _not_seen_so(state, command, under):
        return refusal
    disclosed = command.disclosed and not _is_only_viewed(state, command, rules)
    if state.phase is Phase.TO_BURN:
        message = "a card is due to the burn: draw it there"
        return Refusal("card_due", rules.burn_cites, message)
    curator = hooks.seat_that_deals.ask(state)
    drawn = acts.CardDrawnInError(card, disclosed, command.dealt_to, curator, seen_by, ())
    if state.phase is Phase.SHOE_COMPLETED:
        clauses = once(_after_last_hand(state, rules), under)
        face = card if disclosed else None
        discard = acts.CardDiscarded(
            face, from_shoe=False, to_discard=0, unseen=not disclosed, clauses=clauses
        )
        return (replace(drawn, clauses=clauses), discard)
    if refusal := _is_due(state, replace(command, disclosed=disclosed), rules, under):
        return refusal
    events = (
        replace(event, clauses=once(event.clauses, under)) if type(event) is type(drawn) else event
        for event in _went_astray(state, drawn, rules)
    )
    return (*before_card(state, rules), *events)


def _not_seen_so(
    state: TableState, command: acts.DrawCardInError, clauses: tuple[str, ...]
) -> Refusal | None:
    for seat in command.seen_by:
        if refusal := not_there(state, seat):
            return refusal
    if not command.seen_by or command.disclosed:
        return None
    message = f"seat {command.seen_by[0]} has seen the card: then its face was seen"
    return Refusal("seen", clauses, message)


def _is_only_viewed(state: TableState, command: acts.DrawCardInError, rules: TableRules) -> bool:
    """Whether nobody saw the card but the patron who is to view its hand."""
    hand = command.dealt_to
    # After the settlement no hand is viewed, and another patron may have the seat.
    if hand is None or state.phase is Phase.SETTLED:
        return False
    viewer = holder_of(state, hand, rules)
    return viewer in state.present and {*command.seen_by} == {viewer}


def _after_last_hand(state: TableState, rules: TableRules) -> tuple[str, ...]:
    """Clauses under which a card that leaves the shoe of a last hand is not dealt."""
    refusal = until_reshuffled(state, rules)
    clauses = () if refusal is None else refusal.clauses
    return (*clauses, *rules.ruling("card-after-last-hand"))


def _is_due(
    state: TableState, command: acts.DrawCardInError, rules: TableRules, seen_under: tuple[str, ...]
) -> Refusal | None:
    round_ = state.round
    if round_ is None or round_.begins_with or not card_due(state) or round_.coup.due is None:
        return None
    if command.dealt_to is Hand.PLAYER and _banker_alone_draws(state):
        return None
    if command.disclosed and rules.applies("irregularity.disclosed_other"):
        return None
    due_clauses = rules.cites("third.decide" if len(round_.coup.banker) == 2 else "deal.four_cards")
    clauses = once(due_clauses, seen_under)
    message = f"a card is due to the {round_.coup.due.title}: draw it for that hand"
    return Refusal("card_due", clauses, message)


def _went_astray(state: TableState, drawn: acts.CardDrawnInError, rules: TableRules) -> Events:
    card, disclosed, to_player = drawn.card, drawn.disclosed, drawn.dealt_to is Hand.PLAYER
    if to_player and _banker_alone_draws(state):
        clauses = third_card_cites(rules, disclosed=disclosed, banker_draws=True)
        first, *rest = deal(state, card, rules, "irregular")
        drawn = replace(drawn, clauses=clauses)
        return (drawn, replace(first, clauses=once(clauses, first.clauses)), *rest)
    if drawn.dealt_to is not None and comes_early(
        state, drawn.dealt_to, rules, disclosed=disclosed
    ):
        clauses = rules.cites("third.decide")
        wait = acts.ThirdCardWaits(card, disclosed, drawn.dealt_to, clauses)
        return (replace(drawn, clauses=clauses), wait)
    third = to_player and may_have_none(state, rules)
    if third:
        clauses = third_card_cites(rules, disclosed=disclosed, banker_draws=False)
    elif disclosed and rules.applies("irregularity.disclosed_other"):
        # This regulation leaves the procedure open only for Player's third card.
        clauses = rules.cites("irregularity.disclosed_other")
        simulation = begin_simulated(state, SimulatedOrder(card, DISCLOSED), rules, clauses)
        return (replace(drawn, clauses=clauses), *simulation)
    else:
        clauses = rules.cites("irregularity.drawn_in_error")
    order = SimulatedOrder(card, THIRD_CARD if third else DISCLOSED)
    discards = put_aside(state, order, rules, disclosed=disclosed, clauses=clauses)
    if disclosed:
        procedure = rules.value("irregularity.disclosed_card", str)
        clauses = once(clauses, rules.cites_for("irregularity.disclosed_card", procedure))
    return (replace(drawn, clauses=clauses), *discards)


def _banker_alone_draws(state: TableState) -> bool:
    round_ = state.round
    if round_ is None or not card_due(state) or round_.coup.due is not Hand.BANKER:
        return False
    return len(round_.coup.player) == len(round_.coup.banker) == 2


# --- a card face up in the shoe ----------------------------------------------------------------


@core.decides(
    acts.FindFaceUpCard, CARDS_IN_SHOE, cites=("irregularity.face_up_card", "irregularity.face_up")
)
def _face_up(state: TableState, command: acts.FindFaceUpCard, rules: TableRules) -> Answer:
    card = command.card
    if refusal := not_in_shoe(state, card, rules):
        return refusal
    if state.phase is Phase.SHOE_COMPLETED:
        clauses = _after_last_hand(state, rules)
        return (acts.FaceUpCardFound(card, discarded=True, to_discard=0, clauses=clauses),)
    if rules.elected("irregularity.face_up", "in-play"):
        return _stays_in_play(state, card, rules)
    gap, remaining = before_card(state, rules), state.shoe.remaining - 1
    clauses = rules.cites("irregularity.face_up_card")
    if rules.elected("irregularity.face_up", "simulated-round"):
        finding = acts.FaceUpCardFound(
            card, discarded=False, to_discard=min(state.to_discard, remaining), clauses=clauses
        )
        order = SimulatedOrder(card, FACE_UP)
        return (*gap, finding, *begin_simulated(state, order, rules, clauses))
    extra = beside_face_up(card.rank, rules)
    owed = min(state.to_discard + extra, remaining)
    return (*gap, acts.FaceUpCardFound(card, discarded=True, to_discard=owed, clauses=clauses))


def _stays_in_play(state: TableState, card: Card, rules: TableRules) -> Answer:
    """Deal a face-up card to the hand that is due one, or else hold it for the next hand."""
    if refusal := discards_due(state, rules):
        return refusal
    if state.phase is Phase.TO_BURN:
        message = "a card is due to the burn: draw it there"
        return Refusal("card_due", rules.burn_cites, message)
    clauses, round_ = rules.cites("irregularity.face_up_card"), state.round
    finding = acts.FaceUpCardFound(card, discarded=False, to_discard=0, clauses=clauses)
    is_held = round_ is None or bool(round_.begins_with) or not card_due(state)
    if is_held or hooks.before_card.ask(state, rules):
        return (*before_card(state, rules), finding, acts.CardHeld(card, clauses))
    first, *rest = deal(state, card, rules, "irregular")
    dealt = replace(first, clauses=once(clauses, first.clauses))
    return (*before_card(state, rules), finding, dealt, *rest)


@core.applies(acts.FaceUpCardFound)
def _found(state: TableState, event: acts.FaceUpCardFound) -> TableState:
    shoe, due = state.shoe.without(event.card), event.to_discard
    if not event.discarded:
        # It begins a round, so the discards continue as they began.
        return replace(state, shoe=shoe, to_discard=due)
    rule = "irregularity.face_up_card"
    shoe = shoe.discarding(event.card, rule, begins=not state.to_discard)
    return replace(state, shoe=shoe, to_discard=due, discard_unseen=False, discard_rule=rule)


@core.decides(acts.VoidRound, IN_PLAY, cites=("irregularity.insufficient",))
def _void(state: TableState, _command: acts.VoidRound, rules: TableRules) -> Answer:
    clauses = rules.cites("irregularity.insufficient")
    round_ = state.round
    if round_ is None or not lacks_a_card(state):
        clauses = rules.cites_for("irregularity.insufficient", "void")
        enough = "the round can continue: the shoe has enough cards"
        message = enough if state.phase in IN_THE_DEAL else "the round has all its cards"
        return Refusal("cards_left", clauses, message)
    cards_dealt = len(round_.coup.player) + len(round_.coup.banker)
    refund = give_back(state, rules.cites_for("irregularity.insufficient", "void"))
    voided = acts.RoundVoided(
        round_.number, cards_dealt, round_.simulated, reshuffle=True, clauses=clauses
    )
    return (voided, refund)


@core.offers(IN_THE_DEAL)
def _next_irregular(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if state.to_discard or not lacks_a_card(state):
        return ()
    return (Action(acts.VoidRound, Role.DEALER, rules.cites("irregularity.insufficient")),)


@core.offers(CARDS_IN_SHOE, optional=True)
def _irregular_acts(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not state.shoe.remaining:
        return
    clauses = rules.cites("irregularity.face_up_card")
    is_discarding = state.phase is Phase.TO_BURN or bool(state.to_discard)
    if not (is_discarding and rules.elected("irregularity.face_up", "in-play")):
        yield Action(acts.FindFaceUpCard, Role.DEALER, clauses, must=False)
    if is_discarding:
        return
    if state.phase is Phase.SHOE_COMPLETED:
        clauses = _after_last_hand(state, rules)
        yield Action(acts.DrawCardInError, Role.DEALER, clauses, must=False)
        return
    if _banker_alone_draws(state):
        clauses = third_card_cites(rules, disclosed=False, banker_draws=True)
    elif rules.applies("irregularity.disclosed_other"):
        clauses = once(
            rules.cites("irregularity.drawn_in_error"), rules.cites("irregularity.disclosed_other")
        )
    elif card_due(state) and state.round is not None and not state.round.begins_with:
        return
    else:
        clauses = rules.cites("irregularity.drawn_in_error")
    yield Action(acts.DrawCardInError, Role.DEALER, clauses, must=False)
