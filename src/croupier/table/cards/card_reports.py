"""Reports that contradict the count: an empty shoe, or a card that cannot be in the decks."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.baccarat.cards import face
from croupier.rules import TableRules
from croupier.table.cards.out_of_use import WRONG_CARDS, cards_flawed, taken_out_under
from croupier.table.machine import core
from croupier.table.machine.core import Action, Answer, Events, Refusal, not_now
from croupier.table.machine.state import WITH_CARDS, WITH_SHOE, Cut, Phase, TableState
from croupier.table.settling.settling import give_back


def _shoe_ends(state: TableState, clauses: tuple[str, ...]) -> Events:
    refund = (give_back(state, clauses),) if state.stakes else ()
    return (*refund, acts.ShoeCompleted(state.shoe.number, clauses))


@core.decides(acts.FindShoeEmpty, WITH_SHOE, cites=("irregularity.insufficient",))
def _empty(state: TableState, command: acts.FindShoeEmpty, rules: TableRules) -> Answer:
    if not command.supervisor:
        return Refusal("nobody", (), "the supervisor who has looked is not named")
    clauses = rules.cites("irregularity.insufficient")
    missing = state.shoe.remaining
    if not missing:
        return Refusal("counted", clauses, "the shoe is empty by the count too")
    finding = acts.ShoeFoundEmpty(missing, command.supervisor, clauses)
    if state.phase.in_play:
        # A round that still needs a card is void; a complete one keeps its result.
        return (finding,)
    return (finding, *_shoe_ends(state, clauses))


@core.applies(acts.ShoeFoundEmpty)
def _found_empty(state: TableState, event: acts.ShoeFoundEmpty) -> TableState:
    flaw = f"{event.missing} cards are missing"
    shoe = replace(state.shoe, remaining=0, unseen=bytes(len(state.shoe.unseen)))
    return replace(state, shoe=shoe, to_discard=0, flawed=flaw)


@core.decides(acts.FindWrongCard, WITH_CARDS, cites=("decks",))
def _wrong(state: TableState, command: acts.FindWrongCard, rules: TableRules) -> Answer:
    card, kind = command.card, command.kind
    if not command.supervisor:
        return Refusal("nobody", (), "the supervisor who has looked is not named")
    if kind not in WRONG_CARDS:
        message = f"{kind!r} is not a kind of wrong card: {', '.join(WRONG_CARDS)}"
        return Refusal("kind", (), message)
    in_shoe = state.phase in WITH_SHOE and card is not None and state.shoe.unseen[card.index]
    if kind == "surplus" and (card is None or in_shoe):
        message = "name the card of which there are too many"
        if card is not None:
            message = (
                f"the shoe may still hold {face(card)}: draw it, or report what is wrong with it"
            )
        return Refusal("possible", rules.cites("decks"), message)
    clauses = taken_out_under(WRONG_CARDS[kind], rules)
    decks_clauses = () if kind == "damaged" else rules.cites("decks")
    finding = acts.WrongCardFound(kind, card, command.supervisor, (*decks_clauses, *clauses))
    round_ = state.round
    if state.phase not in WITH_SHOE:
        return (finding, give_back(state, clauses)) if state.stakes else (finding,)
    if not state.phase.in_play or round_ is None:
        return (finding, *_shoe_ends(state, clauses))
    decided = state.phase in {Phase.DECIDED, Phase.SETTLED}
    damaged = kind == "damaged"
    fate = rules.reading("damaged_card.fate") if damaged else rules.reading("wrong_card.fate")
    if decided or fate == "complete":
        return (finding,)
    dealt = len(round_.coup.player) + len(round_.coup.banker)
    voided = acts.RoundVoided(
        round_.number, dealt, round_.simulated, reshuffle=True, clauses=clauses
    )
    return (finding, voided, give_back(state, clauses))


@core.applies(acts.WrongCardFound)
def _found_wrong(state: TableState, event: acts.WrongCardFound) -> TableState:
    flawed = replace(state, flawed=WRONG_CARDS[event.kind])
    if state.phase in WITH_SHOE or state.phase is Phase.SHOE_COMPLETED:
        return flawed
    # Cards that were to be inspected, mixed, cut, or loaded are all to be removed.
    return replace(flawed, phase=Phase.OUT_OF_USE, cut=Cut())


@core.refuses(
    acts.InspectCards, acts.VerifyCards, acts.SpreadCards, acts.TurnSpreadUp, acts.ViewSpread,
    acts.WashCards, acts.StackCards, acts.ExchangeBatches, acts.DeclareIdle, acts.RequestInspection,
    acts.PerformShuffleStep, acts.ShuffleCards, acts.DirectShuffle, acts.FeatherStack,
    acts.VerifyFeather, acts.LaceStack, acts.ReshuffleStack, acts.AcceptCut, acts.DeclineCut,
    acts.CutStack, acts.RequireRecut, acts.InsertCuttingCards, acts.LoadShoe, acts.ReturnDiscards,
    acts.CallNoMoreBets, acts.DealFreeHand, acts.BeginSimulatedRound, acts.UseHeldCard,
    acts.DrawCard, acts.DrawCardInError, acts.FindFaceUpCard, at=[Phase.OUT_OF_USE],
)  # fmt: skip
def _remove_first(state: TableState, _command: acts.Command, rules: TableRules) -> Answer:
    return cards_flawed(state, rules) or not_now(state)


@core.offers(WITH_SHOE, optional=True)
def _reports_of_the_shoe(state: TableState, rules: TableRules) -> Iterator[Action]:
    if state.shoe.remaining:
        clauses = rules.cites("irregularity.insufficient")
        yield Action(acts.FindShoeEmpty, Role.SUPERVISOR, clauses, must=False)


@core.offers(WITH_CARDS, optional=True)
def _reports_of_wrong_cards(_state: TableState, rules: TableRules) -> Iterator[Action]:
    yield Action(acts.FindWrongCard, Role.SUPERVISOR, rules.cites("decks"), must=False)
