"""Drawing from the shoe."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.acts import CardDiscarded, CuttingCardAppeared, DrawCard
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card, face
from croupier.rules import TableRules
from croupier.table.cards.cutting import burn, burned_unseen
from croupier.table.cards.held_cards import held_card_cites
from croupier.table.dealing.dealing import card_due, deal, stays_under
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal
from croupier.table.machine.state import Phase, TableState
from croupier.table.settling.settling import until_reshuffled


def not_in_shoe(state: TableState, card: Card | None, rules: TableRules) -> Refusal | None:
    shoe = state.shoe
    if shoe.remaining == 0:
        clauses = rules.cites_for("irregularity.insufficient", "void")
        return Refusal("shoe_empty", clauses, "the shoe is empty: the round is void")
    if card is not None and shoe.unseen[card.index] == 0:
        message = f"{face(card)} has been drawn {shoe.decks} times: the shoe has {shoe.decks} decks"
        return Refusal("no_such_card", (), message)
    return None


def before_card(state: TableState, rules: TableRules) -> Events:
    if state.shoe.cards_behind is None or state.shoe.remaining > state.shoe.cards_behind:
        return ()
    first = state.round is not None and not state.round.coup.player
    return (CuttingCardAppeared(first, rules.cites("shoe.cutting_card")),)


def _no_room_under(state: TableState, rules: TableRules) -> tuple[str, ...]:
    if state.round is None:
        is_betting = state.phase is Phase.BETTING
        return rules.cites("announce.no_more_bets") if is_betting else ()
    if state.round.down:
        # Third cards are decided after the counts have been called.
        return rules.cites("third.decide")
    coup = state.round.coup
    complete = coup.due is None and coup.player
    return stays_under(coup, rules) if complete else ()


@core.decides(
    DrawCard,
    Phase.TO_BURN,
    Phase.BETTING,
    Phase.DEALING,
    Phase.DECIDED,
    Phase.SETTLED,
    Phase.SHOE_COMPLETED,
    cites=("third.most", "burn.count", "shoe.cutting_card", "third.face_up"),
)
def _draw(state: TableState, command: DrawCard, rules: TableRules) -> Answer:
    card = command.card
    if refusal := until_reshuffled(state, rules):
        return refusal
    discarding = state.to_discard > 0
    if not discarding and state.phase is not Phase.TO_BURN and not card_due(state):
        message = "no card is due; a card that left the shoe anyway is an irregularity"
        return Refusal("no_card_due", _no_room_under(state, rules), message)
    unseen = (discarding and state.discard_unseen) or burned_unseen(state, rules)
    if card is None and not unseen:
        message = "name the card: only a card that leaves the shoe face down has no name"
        exposure_rule = "burn.exposure" if state.phase is Phase.TO_BURN else ""
        clauses = rules.cites_if_any(state.discard_rule if discarding else exposure_rule)
        return Refusal("card_unseen", clauses, message)
    if refusal := not_in_shoe(state, card, rules):
        return refusal
    if discarding:
        # Face down, the table does not learn its face even if a reader does.
        discarded = CardDiscarded(
            None if unseen else card, from_shoe=True, to_discard=state.to_discard - 1,
            unseen=unseen, clauses=rules.cites(state.discard_rule),
        )  # fmt: skip
        return (*before_card(state, rules), discarded)
    if state.round is not None and state.round.begins_with:
        clauses = held_card_cites(state, 1, rules)
        # The message does not name the card: nobody may have seen it.
        return Refusal("held_card", clauses, "the card that was drawn in error must be used first")
    if state.phase is Phase.TO_BURN:
        return burn(state, card, rules)
    if card is None:  # Told above; the type checker cannot know.
        return ()
    dealt = (*before_card(state, rules), *deal(state, card, rules, "shoe"))
    return hooks.before_card.ask(state, rules) or dealt


@core.applies(CuttingCardAppeared)
def _cutting_card(state: TableState, event: CuttingCardAppeared) -> TableState:
    round_ = state.round
    if round_ is not None and event.first_of_round:
        round_ = replace(round_, began_with_cutting_card=True)
    return replace(
        state, shoe=replace(state.shoe, cards_behind=None), cutting_card_out=True, round=round_
    )


@core.applies(CardDiscarded)
def _discarded(state: TableState, event: CardDiscarded) -> TableState:
    card, due = event.card, event.to_discard
    if event.from_shoe:
        shoe = state.shoe.without(card).discarding(card, state.discard_rule, follows=True)
        return replace(state, shoe=shoe, to_discard=due)
    # The disclosed card: those that follow it to the rack follow by the same procedure.
    rule = "irregularity.discard_one" if event.unseen else "irregularity.discard_by_value"
    shoe = state.shoe.discarding(card, rule, begins=not state.to_discard)
    return replace(state, shoe=shoe, to_discard=due, discard_unseen=event.unseen, discard_rule=rule)


@core.offers(Phase.BETTING, Phase.DEALING, Phase.DECIDED, Phase.SETTLED)
def _next_discard(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if not state.to_discard:
        return ()
    return (Action(DrawCard, Role.DEALER, rules.cites(state.discard_rule)),)
