"""The round of play: cards to the hands, hands turned, counts called, third cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import CARD_VALUE, Coup, Facts, Hand, is_natural, point_count
from croupier.law.cite import cites, once
from croupier.rules import TableRules, remembered
from croupier.table.dealing.premature_third_card import early_use, early_void, taken_by
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal, not_there
from croupier.table.machine.state import IN_THE_DEAL, Phase, RoundState, TableShoe, TableState
from croupier.table.people.seating import counterclockwise_from_dealer

_NUMBER: Final = {4: "Four", 5: "Five", 6: "Six"}
_NAME: Final = {Hand.PLAYER: "Player", Hand.BANKER: "Banker"}
_BOTH: Final = (Hand.PLAYER, Hand.BANKER)


@core.applies(acts.NoMoreBetsCalled)
def _begun(state: TableState, event: acts.NoMoreBetsCalled) -> TableState:
    return replace(
        state,
        phase=Phase.DEALING,
        rounds=event.round,
        round=RoundState(event.round, Coup(state.tableau), begins_with=state.held),
        held=(),
    )


def card_due(state: TableState) -> bool:
    round_ = state.round
    return (
        round_ is not None
        and state.phase is Phase.DEALING
        and not round_.down
        and round_.coup.due is not None
    )


def lacks_a_card(state: TableState) -> bool:
    round_ = state.round
    return (
        round_ is not None
        and state.phase in IN_THE_DEAL
        and not (state.shoe.remaining or round_.down or round_.begins_with or round_.early)
        and round_.coup.due is not None
    )


# --- cards to the hands ------------------------------------------------------------------------


@cites(
    "deal.four_cards", "deal.face_up", "deal.face_down", "deal.hand_over", "third.face_up",
    "third.hand_over",
)  # fmt: skip
def deal(state: TableState, card: Card, rules: TableRules, source: str) -> Events:
    """Deal a card to the hand that is due one, with the calls and rulings that follow."""
    if state.round is None or state.round.coup.due is None:
        return ()
    hand = state.round.coup.due
    coup = state.round.coup.with_card(card)
    ordinal = len(coup.hand(hand))
    face_up, clauses = _face_and_clauses(hand, ordinal, rules)
    dealt = acts.CardDealt(hand, ordinal, card, face_up, source, clauses)
    if not face_up or len(coup.player) + len(coup.banker) < 4:
        return (dealt,)
    counts: Events = ()
    if ordinal == 2:
        counts = tuple(called_now(coup, one_hand, rules) for one_hand in _BOTH)
    return (dealt, *counts, *proceed(state, state.round, coup, rules))


@core.applies(acts.CardDealt)
def _dealt(state: TableState, event: acts.CardDealt) -> TableState:
    round_ = state.round
    if round_ is None:
        return state
    down, begins_with = round_.down, round_.begins_with
    if event.source == "held":
        begins_with = begins_with[1:]
        state = replace(state, held_under=state.held_under[1:])
    if not event.face_up:
        if event.ordinal == 3:
            down = (event.hand,)
        elif event.hand is Hand.BANKER and event.ordinal == 2:
            down = _BOTH
    coup = round_.coup.with_card(event.card)
    round_ = replace(round_, coup=coup, down=down, begins_with=begins_with)
    return _after(state, round_, state.shoe.without(event.card) if event.source == "shoe" else None)


_FACE_UP: Final[Mapping[str, tuple[bool, bool]]] = {
    "face-up": (True, True), "face-down": (False, True), "hand-over": (False, False),
}  # fmt: skip
"""Whether the first cards, and the third cards, lie face up under each option."""


@remembered
def _face_and_clauses(hand: Hand, ordinal: int, rules: TableRules) -> tuple[bool, tuple[str, ...]]:
    option = rules.value("deal.option", str)
    first_up, third_up = rules.by_word("deal.option", _FACE_UP)
    if ordinal < 3:
        narrowest = f"{option}_{hand.value}_{ordinal}"
        option_clauses = rules.cites_for("deal.option", option, narrowest)
        clauses = rules.cites("deal.four_cards") + option_clauses
        return first_up, once(clauses, rules.cites_for("curator.deals", "first_cards"))
    rule_id = "third.face_up" if third_up else "third.hand_over"
    return third_up, rules.cites_for(rule_id, hand.value)


def _after(state: TableState, round_: RoundState, shoe: TableShoe | None = None) -> TableState:
    # A simulated round ends with its last card.
    is_complete = round_.simulated and not round_.down and round_.coup.due is None
    return replace(
        state,
        round=round_,
        phase=Phase.SETTLED if is_complete else state.phase,
        shoe=state.shoe if shoe is None else shoe,
    )


# --- hands turned face up ----------------------------------------------------------------------


@core.decides(acts.RequestBankerFirst, Phase.DEALING, cites=("deal.banker_first",))
def _banker_first(state: TableState, command: acts.RequestBankerFirst, rules: TableRules) -> Answer:
    clauses = rules.cites("deal.banker_first")
    if not rules.elected("deal.banker_first", choice=True):
        return Refusal("not_elected", clauses, "this table turns Player's Hand first")
    if refusal := not_there(state, command.seat):
        return refusal
    if hooks.seat_that_deals.ask(state) is not None:
        message = "the hands are turned in order: a patron is the curator, not the dealer"
        return Refusal("curator", rules.cites("deal.banker_first.curator"), message)
    round_ = state.round
    if round_ is None or len(round_.coup.banker) < 2:
        message = "not all four cards are dealt: ask once both hands lie face down"
        return Refusal("too_early", clauses, message)
    if round_.down == _BOTH[::-1]:
        return Refusal("same", clauses, "Banker's Hand is turned first already")
    if round_.down != _BOTH or round_.handed or round_.offering:
        message = "the first hand has been turned or handed out: ask while both lie face down"
        return Refusal("too_late", clauses, message)
    return (acts.BankerFirstRequested(command.seat, clauses),)


@core.applies(acts.BankerFirstRequested)
def _order_turned(state: TableState, _event: acts.BankerFirstRequested) -> TableState:
    if state.round is None:
        return state
    return replace(state, round=replace(state.round, down=state.round.down[::-1]))


@cites("deal.holder")
def holder_of(state: TableState, hand: Hand, rules: TableRules) -> int | None:
    """Seat that turns a hand, or ``None`` if the dealer does.

    It is the highest bettor on the hand; among equals, the nearest to the dealer counterclockwise.
    """
    round_ = state.round
    if round_ is None or round_.simulated or not rules.elected("deal.option", "hand-over"):
        return None
    if hand in round_.holders:
        return round_.holders[hand]
    best, holder = 0, None
    for seat in counterclockwise_from_dealer(rules.submission.layout):
        stake = state.stakes.get((seat, hand.value))
        if stake is not None and stake.cents > best:
            best, holder = stake.cents, seat
    return holder


@core.decides(acts.TurnHand, Phase.DEALING, cites=("deal.face_down", "irregularity.relinquish"))
def _turn(state: TableState, command: acts.TurnHand, rules: TableRules) -> Answer:
    round_ = state.round
    if round_ is None or not round_.down or round_.down[0] is not command.hand:
        clauses = waits_under(round_, command.hand, rules)
        message = f"the {command.hand.title} is not the next hand to turn"
        return Refusal("not_next", clauses, message)
    if round_.offering is not None:
        return Refusal(
            "on_offer",
            rules.cites_for("irregularity.relinquish", "dealer", "dealer_declined"),
            f"the {round_.offering.hand.title} is on offer to seat {round_.offering.seat}",
        )
    holder = holder_of(state, command.hand, rules)
    if holder is not None and unused_permission(state, command.hand):
        # A permission is no right that would have to be relinquished.
        clauses = rules.cites_for("deal.unwagered_hand", command.hand.value)
        clauses = once(clauses, rules.ruling("permission-not-used"))
        return reveal(state, acts.CardsReturned(None, command.hand, clauses), rules)
    if holder is not None:
        clauses = held_under(state, command.hand, holder, rules)
        if any(hand is command.hand for hand, _ in round_.gave_up):
            # The dealer turns a hand that nobody accepts.
            unaccepted = rules.cites_for("irregularity.relinquish", "dealer", "dealer_declined")
            clauses = once(unaccepted, clauses)
        return Refusal("holder", clauses, f"the {command.hand.title} belongs to seat {holder}")
    clauses = turned_under(state, round_, command.hand, rules)
    return reveal(state, acts.CardsReturned(None, command.hand, clauses), rules)


def unused_permission(state: TableState, hand: Hand) -> bool:
    round_ = state.round
    if round_ is None or round_.holders.get(hand) is None or round_.handed is hand:
        return False
    given_up = any(other is hand for other, _ in round_.gave_up)
    return not given_up and not any(wager == hand.value for _, wager in state.stakes)


def waits_under(round_: RoundState | None, hand: Hand, rules: TableRules) -> tuple[str, ...]:
    if round_ is None or hand not in round_.down[1:]:
        return ()
    if hand is Hand.PLAYER:
        return rules.cites("deal.banker_first")
    is_hand_over = rules.elected("deal.option", "hand-over")
    return rules.cites_for("deal.hand_over" if is_hand_over else "deal.face_down", "waits")


def held_under(state: TableState, hand: Hand, holder: int, rules: TableRules) -> tuple[str, ...]:
    """Clauses by which a seat holds a hand: its own wager, or a right passed on."""
    if state.round is not None and any(other is hand for other, _ in state.round.gave_up):
        return rules.cites_for("irregularity.relinquish", "passes")
    if (holder, hand.value) not in state.stakes:
        return rules.cites_for("deal.unwagered_hand", hand.value)
    # A payout that was added since changes nothing in how the holder was found.
    additions = {} if state.round is None else {one[:2]: one[2] for one in state.round.added}
    wagers = {
        seat: stake.cents - additions.get((seat, wager), 0)
        for (seat, wager), stake in state.stakes.items()
        if wager == hand.value
    }
    highest = [*wagers.values()].count(wagers[holder])
    among_equals = "_among_equals" if highest > 1 else ""
    return rules.cites_for("deal.holder", hand.value + among_equals)


def turned_under(
    state: TableState, round_: RoundState, hand: Hand, rules: TableRules
) -> tuple[str, ...]:
    if hand in round_.holders and rules.applies("irregularity.relinquish"):
        # The right was relinquished, and nobody was left to accept it.
        seats = {seat for other, seat in round_.gave_up if other is hand and seat is not None}
        term = "dealer_nobody" if seats == set(state.seats) else "dealer_declined"
        return rules.cites_for("irregularity.relinquish", "dealer", term)
    if rules.applies("deal.holder"):
        return rules.cites_for("deal.holder", "nobody")
    return rules.cites_for("deal.option", rules.value("deal.option", str))


def reveal(state: TableState, returned: acts.CardsReturned, rules: TableRules) -> Events:
    """Turn a hand's cards face up, call its count, and continue if no other hand is face down."""
    round_, hand = state.round, returned.hand
    events: Events = (returned,)
    if round_ is None:
        return events
    if len(round_.coup.hand(hand)) == 2:
        events = (*events, called_now(round_.coup, hand, rules))
    if len(round_.down) > 1:
        return events
    return (*events, *proceed(state, round_, round_.coup, rules))


@core.applies(acts.CardsReturned)
def _returned(state: TableState, event: acts.CardsReturned) -> TableState:
    round_ = state.round
    if round_ is None:
        return state
    down = tuple(hand for hand in round_.down if hand is not event.hand)
    return _after(state, replace(round_, down=down, handed=None))


@cites("announce.counts")
def called_now(coup: Coup, hand: Hand, rules: TableRules) -> acts.PointCountAnnounced:
    return called(hand, point_count(coup.hand(hand)), rules)


# Calls and rulings depend on few facts, so each event is built once for a table's rules.


@remembered
def called(hand: Hand, count: int, rules: TableRules) -> acts.PointCountAnnounced:
    natural = is_natural(count, 2)
    words = f"{_NAME[hand]} {'natural ' if natural else ''}{count}"
    option = rules.value("deal.option", str)
    clauses = rules.cites_for("announce.counts", option, f"{option}_{hand.value}")
    return acts.PointCountAnnounced(hand, count, natural, words, clauses)


@cites("third.decide", "third.natural", "third.reading")
def proceed(state: TableState, round_: RoundState, coup: Coup, rules: TableRules) -> Events:
    """Rule on third cards; announce the result if none is due."""
    events = early_void(state, round_, coup, rules)
    if events and any(isinstance(event, acts.RoundVoided) for event in events):
        return events
    if events:
        round_ = replace(round_, early=None)
    if waits := hooks.before_third_cards.ask(state, rules):
        return (*events, *waits)
    rulings: list[Hand] = []
    if len(coup.player) + len(coup.banker) == 4:
        rulings = [Hand.PLAYER] if coup.due is Hand.PLAYER else [Hand.PLAYER, Hand.BANKER]
    elif len(coup.banker) == 2:
        rulings = [Hand.BANKER]
    ruled = (*events, *(_rule(coup, hand, rules) for hand in rulings))
    early = round_.early if len(coup.banker) == 2 else None
    used = () if early is None else early_use(state, early, coup, rules)
    if early is not None and taken_by(early, coup) is not None:
        in_hand = replace(state, round=replace(round_, coup=coup, down=(), early=None))
        first, *rest = deal(in_hand, early.card, rules, "early")
        return (*ruled, *used, replace(first, clauses=once(used[0].clauses, first.clauses)), *rest)
    if coup.due is not None or round_.simulated:
        return (*ruled, *used)
    return (*ruled, result(coup.facts, rules), *used)


def _rule(coup: Coup, hand: Hand, rules: TableRules) -> acts.ThirdCardRuled:
    player, banker = point_count(coup.player[:2]), point_count(coup.banker[:2])
    third = CARD_VALUE[coup.player[2].index] if len(coup.player) == 3 else None
    return third_card_ruled(ThirdCardRuling(hand, player, banker, third, coup.due is hand), rules)


def ruled_so_far(coup: Coup, rules: TableRules) -> Events:
    initial_coup = Coup(coup.tableau, coup.player[:2], coup.banker[:2])
    before_banker = Coup(coup.tableau, coup.player, coup.banker[:2])
    if coup == initial_coup:
        return ()
    player = _rule(initial_coup, Hand.PLAYER, rules)
    if len(coup.banker) == 2:
        return (player,)
    return (player, _rule(before_banker, Hand.BANKER, rules))


def stays_under(coup: Coup, rules: TableRules) -> tuple[str, ...]:
    third = (
        rules.cites("third.most") if len(coup.hand(hand)) == 3 else _rule(coup, hand, rules).clauses
        for hand in _BOTH
    )
    return once(*third)


class ThirdCardRuling(NamedTuple):
    hand: Hand
    player: int
    banker: int
    third: int | None
    draws: bool


@remembered
def third_card_ruled(ruling: ThirdCardRuling, rules: TableRules) -> acts.ThirdCardRuled:
    hand, player, banker, _, draws = ruling
    reason = _reason(ruling)
    if is_natural(player, 2) or is_natural(banker, 2):
        clauses = rules.cites("third.natural")
    elif hand is Hand.PLAYER:
        clauses = rules.cites_for("third.player", str(player))
    else:
        rows = (str(banker), "no_third_card") if ruling.third is None else (str(banker),)
        clauses = rules.cites_for("third.banker", *rows)
    return acts.ThirdCardRuled(hand, draws, reason, clauses)


def _reason(ruling: ThirdCardRuling) -> str:
    hand, player, banker, third, draws = ruling
    naturals = [
        f"{name} has a natural {count}"
        for name, count in (("Player", player), ("Banker", banker))
        if is_natural(count, 2)
    ]
    if naturals:
        return f"{' and '.join(naturals)}: no more cards"
    verb = "draws" if draws else "stays"
    if hand is Hand.PLAYER:
        return f"Player {verb} on {player}"
    condition = "when Player stays" if third is None else f"against a third card worth {third}"
    return f"Banker {verb} on {banker} {condition}"


@remembered
@cites(
    "announce.result", "announce.tie", "announce.total_cards", "announce.dragon_7",
    "announce.panda_8",
)  # fmt: skip
def result(facts: Facts, rules: TableRules) -> acts.ResultAnnounced:
    """Announce both counts, the winner, and what the wagers on offer require."""
    clauses = rules.cites("announce.result")
    winner = facts.winner
    if winner is None:
        words = f", {rules.value('announce.tie', str)}"
        clauses += rules.cites("announce.tie")
    else:
        words = f", {_NAME[winner]} wins"
    if rules.applies("announce.total_cards"):
        words += f", {_NUMBER[facts.cards].lower()} cards"
        clauses += rules.cites("announce.total_cards")
    for wager in rules.wagers.values():
        rule_id = wager.announced_by
        if rule_id and rules.applies(rule_id) and wager.line_of(facts) in wager.lines:
            words += f", {rules.value(rule_id, str)}"
            clauses += rules.cites(rule_id)
    words = f"Player {facts.player_count}, Banker {facts.banker_count}{words}"
    return acts.ResultAnnounced(
        facts.player_count, facts.banker_count, winner, facts.cards, words, clauses
    )


@core.applies(acts.ResultAnnounced)
def _decided(state: TableState, _event: acts.ResultAnnounced) -> TableState:
    if state.round is None:
        return state
    facts = state.round.coup.facts
    return replace(state, phase=Phase.DECIDED, round=replace(state.round, facts=facts))


# Calls and rulings follow from the cards in the state.
core.no_effect(acts.PointCountAnnounced, acts.ThirdCardRuled)


@core.offers(Phase.DEALING)
def _next_in_deal(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    round_ = state.round
    if round_ is None or not card_due(state):
        return ()
    if round_.begins_with or state.to_discard or state.shoe.remaining == 0:
        return ()
    if hooks.before_card.ask(state, rules):
        return ()
    third = len(round_.coup.player) + len(round_.coup.banker) >= 4
    clauses = rules.cites("third.decide" if third else "deal.four_cards")
    curator = hooks.seat_that_deals.ask(state)
    # The dealer offers the hand first; a card may lie face down before that.
    must, role = round_.offering is None, Role.DEALER if curator is None else Role.CURATOR
    return (Action(acts.DrawCard, role, clauses, must, curator),)
