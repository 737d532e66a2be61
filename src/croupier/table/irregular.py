"""Irregularities: cards drawn in error or disclosed, face up in the shoe; too few cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from croupier.baccarat.coup import Coup
from croupier.baccarat.hand import POINT_VALUE, TENS, Hand
from croupier.cards import Card, Rank
from croupier.law.cite import cites, once
from croupier.rules import TableRules
from croupier.table.commands import (
    BeginSimulatedRound,
    DrawCardInError,
    FindFaceUpCard,
    VoidRound,
)
from croupier.table.core import Action, Events, Refusal, applies, decides, offers
from croupier.table.dealing import card_due, deal
from croupier.table.drawing import before_card, not_in_shoe
from croupier.table.events import (
    CardDiscarded,
    CardDrawnInError,
    CardHeld,
    FaceUpCardFound,
    RoundVoided,
    SimulatedRoundBegun,
    SimulatedRoundOrdered,
)
from croupier.table.roles import Role
from croupier.table.settling import discards_due, give_back
from croupier.table.state import Phase, RoundState, TableState, changed

__all__ = ["beside_disclosed", "beside_face_up"]

_FACE_UP_TEN: Final[Mapping[str | None, int]] = {"none": 0, "one": 1, "ten": 10}


# --- a card drawn in error ---------------------------------------------------------------------


@decides(
    DrawCardInError,
    Phase.BETTING,
    Phase.DEALING,
    Phase.DECIDED,
    Phase.SETTLED,
    cites=(
        "irregularity.drawn_in_error",
        "irregularity.player_card",
        "irregularity.disclosed_card",
    ),
)
def _drawn_in_error(
    state: TableState, command: DrawCardInError, rules: TableRules
) -> Events | Refusal:
    """Take a card that left the shoe unbidden to where the law has it go."""
    card, to_player = command.card, command.dealt_to is Hand.PLAYER
    clauses = _error_cites(state, rules, to_player=to_player, disclosed=command.disclosed)
    if refusal := discards_due(state, rules) or not_in_shoe(state, card, rules):
        return refusal
    due = state.round.coup.due if state.round is not None and card_due(state) else None
    gap = before_card(state, rules)
    drawn = CardDrawnInError(card, command.disclosed, command.dealt_to, clauses)
    if to_player and _banker_alone_draws(state):
        first, *rest = deal(state, card, rules, "irregular")
        return (*gap, drawn, changed(first, clauses=once(clauses, first.clauses)), *rest)
    if due is not None:
        clauses = rules.cites("irregularity.player_card") if to_player else clauses
        return Refusal(
            "card_due", clauses, f"a card is due to the {due.title}: draw it for that hand"
        )
    if not command.disclosed:
        return (*gap, drawn, CardHeld(card, clauses))
    if rules.applies("irregularity.disclosed_other") and not _is_players_third(state, command):
        # This law leaves the choice of procedure for Player's third card alone.
        clauses = rules.cites("irregularity.disclosed_other")
        drawn = changed(drawn, clauses=clauses)
        return (*gap, drawn, SimulatedRoundOrdered(card, clauses), *_abort(state, rules))
    procedure = rules.value("irregularity.disclosed_card", str)
    why = once(clauses, rules.cites_for("irregularity.disclosed_card", procedure))
    return (*gap, changed(drawn, clauses=why), _disclosed(state, card, rules))


def _is_players_third(state: TableState, command: DrawCardInError) -> bool:
    """Tell whether a card was dealt to Player's Hand as a third card that it may not have."""
    round_ = state.round
    return (
        command.dealt_to is Hand.PLAYER
        and round_ is not None
        and not round_.down
        and len(round_.coup.player) == len(round_.coup.banker) == 2
        and round_.coup.due is None
    )


def _abort(state: TableState, rules: TableRules) -> Events:
    """Void the round in hand, where a card disclosed in the middle of it leaves none to finish."""
    round_ = state.round
    if round_ is None or state.phase is not Phase.DEALING or round_.simulated:
        return ()
    if rules.reading("disclosed_card.fate") != "void":
        return ()
    clauses = rules.cites("irregularity.disclosed_other")
    dealt = len(round_.coup.player) + len(round_.coup.banker)
    voided = RoundVoided(round_.number, dealt, simulated=False, reshuffle=False, clauses=clauses)
    return (voided, give_back(state, clauses))


def _error_cites(
    state: TableState, rules: TableRules, *, to_player: bool, disclosed: bool = False
) -> tuple[str, ...]:
    """Return the clauses of a card drawn in error: those of a third card where it is Player's."""
    round_ = state.round
    seen = "disclosed_" if disclosed and rules.applies("irregularity.disclosed_other") else ""
    if to_player and round_ is not None and not round_.down:
        if _banker_alone_draws(state):
            return rules.cites_for("irregularity.player_card", f"{seen}banker_draws")
        if len(round_.coup.player) == len(round_.coup.banker) == 2 and round_.coup.due is None:
            return rules.cites_for("irregularity.player_card", f"{seen}banker_stays")
    return rules.cites("irregularity.drawn_in_error")


def _banker_alone_draws(state: TableState) -> bool:
    """Tell whether Banker's Hand is to have a third card now, and Player's Hand none."""
    if state.round is None or not card_due(state) or state.round.coup.due is not Hand.BANKER:
        return False
    return len(state.round.coup.player) == len(state.round.coup.banker) == 2


@cites(
    "irregularity.discard_by_value", "irregularity.ten_extra", "irregularity.discard_one",
    "irregularity.simulated_round",
)  # fmt: skip
def _disclosed(
    state: TableState, card: Card, rules: TableRules
) -> CardDiscarded | SimulatedRoundOrdered:
    """Perform the procedure that the licensee has chosen for a card disclosed in error."""
    procedure = rules.value("irregularity.disclosed_card", str)
    left = state.shoe.remaining - 1
    if procedure == "simulated-round":
        clauses = rules.cites_for("irregularity.simulated_round", "third_card")
        return SimulatedRoundOrdered(card, clauses)
    if procedure == "discard-one":
        clauses = rules.cites("irregularity.discard_one")
        return CardDiscarded(
            card, from_shoe=False, to_discard=min(1, left), unseen=True, clauses=clauses
        )
    clauses = rules.cites("irregularity.discard_by_value")
    if card.rank in TENS:
        clauses = once(clauses, rules.cites("irregularity.ten_extra"))
    extra = beside_disclosed(card.rank, rules)
    return CardDiscarded(
        card, from_shoe=False, to_discard=min(extra, left), unseen=False, clauses=clauses
    )


def beside_disclosed(rank: Rank, rules: TableRules) -> int:
    """Return how many more cards are discarded with a disclosed one, where its value decides."""
    return rules.value("irregularity.ten_extra", int) if rank in TENS else POINT_VALUE[rank]


def beside_face_up(rank: Rank, rules: TableRules) -> int:
    """Return how many more cards are discarded with one found face up in the shoe."""
    if rank in TENS:
        return _FACE_UP_TEN[rules.reading("face_up_ten.discards")]
    return POINT_VALUE[rank]


@applies(CardDrawnInError)
def _error(state: TableState, event: CardDrawnInError) -> TableState:
    return changed(state, shoe=state.shoe.without(event.card))


@applies(CardHeld)
def _held(state: TableState, event: CardHeld) -> TableState:
    return changed(state, held=(*state.held, event.card))


@applies(SimulatedRoundOrdered)
def _ordered(state: TableState, event: SimulatedRoundOrdered) -> TableState:
    return changed(state, simulate_with=(*state.simulate_with, event.card))


@decides(BeginSimulatedRound, Phase.BETTING, cites=("irregularity.simulated_round",))
def _begin_simulated(
    state: TableState, command: BeginSimulatedRound, rules: TableRules
) -> Events | Refusal:
    del command
    clauses = rules.cites("irregularity.simulated_round")
    if not state.simulate_with:
        return Refusal("not_ordered", (), "no card disclosed in error requires this")
    if refusal := discards_due(state, rules):
        return refusal
    begun = SimulatedRoundBegun(clauses)
    card = state.simulate_with[0]
    first, *rest = deal(_simulated(state, begun), card, rules, "irregular")
    return (begun, changed(first, clauses=once(clauses, first.clauses)), *rest)


@applies(SimulatedRoundBegun)
def _simulated(state: TableState, event: SimulatedRoundBegun) -> TableState:
    del event
    round_ = RoundState(state.rounds, Coup(state.tableau), simulated=True)
    return changed(state, phase=Phase.DEALING, round=round_, simulate_with=state.simulate_with[1:])


# --- a card face up in the shoe ----------------------------------------------------------------


@decides(
    FindFaceUpCard,
    Phase.TO_BURN,
    Phase.BETTING,
    Phase.DEALING,
    Phase.DECIDED,
    Phase.SETTLED,
    cites=("irregularity.face_up_card", "irregularity.face_up"),
)
def _face_up(state: TableState, command: FindFaceUpCard, rules: TableRules) -> Events | Refusal:
    card = command.card
    if refusal := not_in_shoe(state, card, rules):
        return refusal
    gap, left = before_card(state, rules), state.shoe.remaining - 1
    clauses = rules.cites("irregularity.face_up_card")
    if rules.elected("irregularity.face_up", "simulated-round"):
        found = FaceUpCardFound(
            card, discarded=False, to_discard=min(state.to_discard, left), clauses=clauses
        )
        return (*gap, found, SimulatedRoundOrdered(card, clauses), *_abort(state, rules))
    extra = beside_face_up(card.rank, rules)
    owed = min(state.to_discard + extra, left)
    return (*gap, FaceUpCardFound(card, discarded=True, to_discard=owed, clauses=clauses))


@applies(FaceUpCardFound)
def _found(state: TableState, event: FaceUpCardFound) -> TableState:
    found = changed(state, shoe=state.shoe.without(event.card), to_discard=event.to_discard)
    if not event.discarded:
        # It begins a round: what was being discarded goes on as it began.
        return found
    return changed(found, discard_unseen=False, discard_rule="irregularity.face_up_card")


# --- too few cards -----------------------------------------------------------------------------


@decides(VoidRound, Phase.DEALING, cites=("irregularity.insufficient",))
def _void(state: TableState, command: VoidRound, rules: TableRules) -> Events | Refusal:
    """Void a round that the shoe cannot finish; every stake goes back."""
    del command
    clauses = rules.cites("irregularity.insufficient")
    round_ = state.round
    if round_ is None or state.shoe.remaining or not card_due(state) or round_.begins_with:
        clauses = rules.cites_for("irregularity.insufficient", "void")
        return Refusal("cards_left", clauses, "the round can continue: the shoe has enough cards")
    dealt = len(round_.coup.player) + len(round_.coup.banker)
    back = give_back(state, rules.cites_for("irregularity.insufficient", "void"))
    voided = RoundVoided(round_.number, dealt, round_.simulated, reshuffle=True, clauses=clauses)
    return (voided, back)


@applies(RoundVoided)
def _voided(state: TableState, event: RoundVoided) -> TableState:
    if not event.reshuffle and state.round is not None:
        # The cards lie on the layout and go to the rack with the end of the hand; those that were
        # drawn in error before it, and not dealt yet, are the first of the hand that follows.
        held = (*state.round.begins_with, *state.held)
        round_ = changed(state.round, begins_with=())
        return changed(state, phase=Phase.SETTLED, round=round_, held=held)
    return changed(
        state,
        phase=Phase.SHOE_COMPLETED,
        round=None,
        held=(),
        to_discard=0,
        simulate_with=(),
    )


# --- what may be done next ---------------------------------------------------------------------


@offers(Phase.BETTING, Phase.DEALING)
def _next_irregular(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if state.phase is Phase.BETTING:
        if not state.simulate_with or state.to_discard:
            return ()
        return (
            Action(BeginSimulatedRound, Role.DEALER, rules.cites("irregularity.simulated_round")),
        )
    round_ = state.round
    if round_ is None or round_.begins_with or state.shoe.remaining or state.to_discard:
        return ()
    if not card_due(state):
        return ()
    return (Action(VoidRound, Role.DEALER, rules.cites("irregularity.insufficient")),)


@offers(Phase.TO_BURN, Phase.BETTING, Phase.DEALING, Phase.DECIDED, Phase.SETTLED, optional=True)
def _what_may_go_wrong(state: TableState, rules: TableRules) -> Iterator[Action]:
    if not state.shoe.remaining:
        return
    clauses = rules.cites("irregularity.face_up_card")
    yield Action(FindFaceUpCard, Role.DEALER, clauses, must=False)
    due = card_due(state)
    if state.phase is Phase.TO_BURN or state.to_discard or (due and not _banker_alone_draws(state)):
        return
    clauses = _error_cites(state, rules, to_player=due)
    yield Action(DrawCardInError, Role.DEALER, clauses, must=False)
