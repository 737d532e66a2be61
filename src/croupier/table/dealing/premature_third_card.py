"""A premature third card: dealt before the hands are turned or House Money is settled."""

from __future__ import annotations

from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.coup import Coup, Hand
from croupier.law.cite import cites
from croupier.rules import TableRules
from croupier.table.irregular.misdrawn import DISCLOSED, THIRD_CARD, begin_simulated, put_aside
from croupier.table.machine import core
from croupier.table.machine.core import Events
from croupier.table.machine.state import EarlyCard, Phase, RoundState, SimulatedOrder, TableState


def seen(rules: TableRules, *, disclosed: bool) -> str:
    """Return the regulation's name for the case, if it distinguishes disclosed cards."""
    return "disclosed_" if disclosed and rules.applies("irregularity.disclosed_other") else ""


def third_card_cites(rules: TableRules, *, disclosed: bool, banker_draws: bool) -> tuple[str, ...]:
    banker = "banker_draws" if banker_draws else "banker_stays"
    return rules.cites_for("irregularity.player_card", seen(rules, disclosed=disclosed) + banker)


@cites("irregularity.player_card")
def may_have_none(state: TableState, rules: TableRules) -> bool:
    """Whether Player's Hand lies open with two cards, and neither hand draws any more.

    A face-down third card of Banker's Hand also counts, by the default reading.
    """
    round_ = state.round
    if round_ is None or round_.coup.due is not None or len(round_.coup.player) != 2:
        return False
    banker = len(round_.coup.banker)
    if banker == 3:
        return rules.reading("third_after_banker.clause") == "stays"
    return banker == 2 and not round_.down


@cites("irregularity.player_card")
def comes_early(
    state: TableState, dealt_to: Hand | None, rules: TableRules, *, disclosed: bool
) -> bool:
    """Whether a card is a premature third card.

    While the hands, or Player's third card, are face down, nobody can know, so it waits.
    """
    round_ = state.round
    if round_ is None or dealt_to is None or rules.reading("early_third_card.use") == "error":
        return False
    if round_.down == (Hand.PLAYER,) and len(round_.coup.player) == 3 and round_.early is None:
        # Player's third card has not been seen: it decides whether Banker's Hand draws.
        return not (disclosed and rules.applies("irregularity.disclosed_other"))
    open_in_the_deal = state.phase not in {Phase.DEALING, Phase.DECIDED, Phase.SETTLED}
    initial_cards_only = len(round_.coup.player) == len(round_.coup.banker) == 2
    if not initial_cards_only or round_.early is not None or not (round_.down or open_in_the_deal):
        return False
    due, others_count = round_.coup.due, rules.applies("irregularity.disclosed_other")
    if dealt_to is Hand.BANKER:
        return (bool(round_.down) or due is Hand.BANKER) and not (disclosed and others_count)
    if round_.down:
        return True
    return due is Hand.BANKER or (due is Hand.PLAYER and not (disclosed and others_count))


def early_void(state: TableState, round_: RoundState, coup: Coup, rules: TableRules) -> Events:
    """Begin a simulated round with a disclosed card for Player's Hand, if the rules require it."""
    early_card = round_.early
    if early_card is None or len(coup.player) + len(coup.banker) > 4:
        return ()
    other = rules.applies("irregularity.disclosed_other")
    if not early_card.disclosed or not other or coup.due is not Hand.PLAYER:
        return ()
    clauses = rules.cites("irregularity.disclosed_other")
    end = acts.ThirdCardWaitsNoMore(early_card.card, None, clauses)
    return (
        end,
        *begin_simulated(state, SimulatedOrder(early_card.card, DISCLOSED), rules, clauses),
    )


def taken_by(early_card: EarlyCard, coup: Coup) -> Hand | None:
    if early_card.dealt_to is Hand.BANKER and coup.due is not Hand.BANKER:
        return None
    return coup.due


def early_use(state: TableState, early_card: EarlyCard, coup: Coup, rules: TableRules) -> Events:
    hand = taken_by(early_card, coup)
    if hand is early_card.dealt_to or (hand is not None and len(coup.player) == 3):
        clauses = rules.cites("third.decide")
    elif early_card.dealt_to is Hand.BANKER or len(coup.player) == 3:
        clauses = rules.cites("irregularity.drawn_in_error")
    else:
        draws = hand is Hand.BANKER
        clauses = third_card_cites(rules, disclosed=early_card.disclosed, banker_draws=draws)
    end = acts.ThirdCardWaitsNoMore(early_card.card, hand, clauses)
    if hand is not None:
        return (end,)
    # The procedure counts the remaining cards as if this one were still in the shoe.
    before = replace(state, shoe=replace(state.shoe, remaining=state.shoe.remaining + 1))
    third = early_card.dealt_to is Hand.PLAYER and len(coup.player) == 2
    cause = THIRD_CARD if third else DISCLOSED
    order = SimulatedOrder(early_card.card, cause)
    discards = put_aside(before, order, rules, disclosed=early_card.disclosed, clauses=clauses)
    return (end, *discards)


@core.applies(acts.ThirdCardWaits)
def _waits(state: TableState, event: acts.ThirdCardWaits) -> TableState:
    if state.round is None:
        return state
    early_card = EarlyCard(event.card, event.disclosed, event.dealt_to)
    return replace(state, round=replace(state.round, early=early_card))


@core.applies(acts.ThirdCardWaitsNoMore)
def _waits_no_more(state: TableState, _event: acts.ThirdCardWaitsNoMore) -> TableState:
    return state if state.round is None else replace(state, round=replace(state.round, early=None))
