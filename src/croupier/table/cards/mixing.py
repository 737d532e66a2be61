"""The shuffle: its steps, its dealers, its finish, and repeated shuffles."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import Role
from croupier.law.cite import once
from croupier.law.model import condition_holds
from croupier.rules import TableRules, remembered
from croupier.table.cards.cutting import offer_cut, vigorish_outstanding
from croupier.table.cards.device import shuffles_by_hand
from croupier.table.cards.out_of_use import cards_flawed
from croupier.table.cards.verifying import not_verified_by
from croupier.table.machine import core, hooks
from croupier.table.machine.core import Action, Answer, Events, Refusal, not_now
from croupier.table.machine.state import NONE_HELD, WITH_SHOE, Phase, Phases, TableState
from croupier.table.people.seating import same_name
from croupier.table.settling.settling import owed_by_the_shoe

_LAST_STEP: Final = "cut"
"""This step is the cut itself, which has its own procedure."""


@remembered
def hand_shuffle(rules: TableRules) -> TableRules:
    if rules.batches != 2:
        return rules
    values, rule_ids = {**rules.settled, "device": "none"}, rules.in_force
    for rule in rules.law.rules.values():
        new = rule.id.startswith("shuffle.") and rule.id not in rule_ids and not rule.is_election
        if new and condition_holds(rule.applies_when, values):
            rule_ids |= {rule.id}
            values |= {} if rule.value is None else {rule.id: rule.value}
    return replace(rules, in_force=rule_ids, settled={**values, "device": "shuffler"})


@core.decides(
    acts.ShuffleCards,
    Phase.TO_SHUFFLE,
    Phase.SHOE_COMPLETED,
    cites=("shuffle.mix", "shuffle.three_dealers", "vigorish.before_reshuffle"),
)
def _shuffle(state: TableState, command: acts.ShuffleCards, rules: TableRules) -> Answer:
    rules = hand_shuffle(rules)
    if refusal := shuffle_waits(state, rules):
        return refusal
    if (step := step_due(state, rules)) is not None:
        message = f"the hand shuffle is not complete: the next step is the {step}"
        return Refusal("steps", rules.cites("shuffle.work"), message)
    if not rules.applies("shuffle.three_dealers"):
        shuffled = acts.CardsShuffled(command.dealer, 0, _shuffled_under(state, rules))
        finished = rules.applies("shuffle.finish")
        return (shuffled,) if finished else (shuffled, offer_cut(state, rules))
    clauses = once(rules.cites("shuffle.three_dealers"), rules.cites("shuffle.dealers"))
    if state.phase is Phase.SHOE_COMPLETED:
        return Refusal("wash", clauses, "wash and stack the cards before the shuffle")
    has_shuffled = any(same_name(command.dealer, dealer) for dealer in state.shuffled_by)
    if not command.dealer or has_shuffled:
        message = "each dealer shuffles the stack independently: name another dealer"
        return Refusal("dealer", clauses, message)
    more = rules.value("shuffle.dealers", int) - len(state.shuffled_by) - 1
    shuffled = acts.CardsShuffled(command.dealer, more, clauses)
    return (shuffled,) if more else (shuffled, offer_cut(state, rules))


def _shuffled_under(state: TableState, rules: TableRules) -> tuple[str, ...]:
    # Some regulations have clauses for new decks only.
    if state.phase is Phase.SHOE_COMPLETED:
        return rules.cites_for("shuffle.mix", "after_shoe")
    return rules.cites("shuffle.mix")


@core.applies(acts.CardsShuffled)
def _shuffled(state: TableState, event: acts.CardsShuffled) -> TableState:
    return replace(
        state,
        phase=Phase.TO_SHUFFLE if event.more else Phase.TO_FINISH,
        shuffled_by=(*state.shuffled_by, event.dealer) if event.more else (),
        worked=(),
        **NONE_HELD,
    )


def shuffle_waits(state: TableState, rules: TableRules) -> Refusal | None:
    if refusal := cards_flawed(state, rules):
        return refusal
    by_hand = rules.batches != 2 or shuffles_by_hand(state, rules)
    if state.phase is Phase.SHOE_COMPLETED and not by_hand:
        message = "load the batch into the shuffler and take out the other batch first"
        return Refusal("exchange", rules.cites("device.exchange"), message)
    error = vigorish_outstanding(state, rules.cites("vigorish.before_reshuffle"))
    return error or hooks.cards_worn_out.ask(state, rules)


@core.refuses(
    acts.ShuffleCards, acts.PerformShuffleStep, acts.WashCards, acts.ExchangeBatches,
    at=[Phase.BETTING],
)  # fmt: skip
def _shoe_still_owes(state: TableState, _command: object, rules: TableRules) -> Refusal:
    refusal = owed_by_the_shoe(state, rules) if state.hands_left == 0 else None
    return refusal or not_now(state)


# --- the steps of a shuffle by hand ------------------------------------------------------------


@core.decides(
    acts.PerformShuffleStep, Phase.TO_SHUFFLE, Phase.SHOE_COMPLETED, cites=("shuffle.work",)
)
def _work(state: TableState, command: acts.PerformShuffleStep, rules: TableRules) -> Answer:
    step, rules = command.step, hand_shuffle(rules)
    clauses = rules.cites_for("shuffle.steps", step)
    if not rules.applies("shuffle.steps"):
        return Refusal("no_such_procedure", (), "this regulation has no shuffle steps")
    if refusal := shuffle_waits(state, rules):
        return refusal
    steps = rules.value("shuffle.steps", tuple)
    if step not in steps or step == _LAST_STEP:
        message = f"{step}: the steps are {', '.join(steps)}, and the cut must be last"
        return Refusal("step", rules.cites("shuffle.steps"), message)
    riffles = rules.value("shuffle.riffles_before_strip", int)
    if step == "strip" and state.worked.count("riffle") < riffles:
        message = f"a strip requires {riffles} riffles first"
        return Refusal("step", rules.cites("shuffle.riffles_before_strip"), message)
    if step == "plug" and not _left_over(state):
        return Refusal("step", clauses, "there are no unused cards behind the cutting card to plug")
    if state.worked[-1:] == ("turn",) and step != "riffle":
        message = "after a turn, riffle the two stacks together"
        return Refusal("step", rules.cites_for("shuffle.steps", "turn"), message)
    return (acts.ShuffleStepPerformed(step, clauses),)


def _left_over(state: TableState) -> bool:
    return state.shoe.remaining > 0 and not state.idle and state.shoe.number > 0


@core.applies(acts.ShuffleStepPerformed)
def _worked(state: TableState, event: acts.ShuffleStepPerformed) -> TableState:
    # Cards left in the shoe are part of the stack from then on.
    shoe = replace(state.shoe, remaining=0) if event.step == "plug" else state.shoe
    return replace(state, phase=Phase.TO_SHUFFLE, worked=(*state.worked, event.step), shoe=shoe)


def step_due(state: TableState, rules: TableRules) -> str | None:
    rules = hand_shuffle(rules)
    if not rules.applies("shuffle.steps"):
        return None
    steps = state.worked
    if steps[-1:] == ("turn",):
        return "riffle"
    for step in rules.value("shuffle.steps", tuple):
        if step == "strip" and steps.count("riffle") < rules.value(
            "shuffle.riffles_before_strip", int
        ):
            return "riffle"
        if step not in steps and step != _LAST_STEP and (step != "plug" or _left_over(state)):
            return str(step)
    return None


_STACKED: Final = {Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD}
_DIRECTED: Final = Phases(lambda phase: phase in WITH_SHOE or phase in _STACKED)


@core.decides(acts.DirectShuffle, _DIRECTED, cites=("shuffle.directed",))
def _direct(state: TableState, command: acts.DirectShuffle, rules: TableRules) -> Answer:
    clauses = rules.cites("shuffle.directed")
    if not rules.applies("shuffle.directed"):
        return Refusal("no_such_procedure", (), "this regulation has no mid-shoe shuffle")
    if not command.supervisor:
        return Refusal("nobody", clauses, "name the floorperson who directs the shuffle")
    return _interrupts(state, rules) or (acts.ShuffleDirected(command.supervisor, clauses),)


def _interrupts(state: TableState, rules: TableRules) -> Refusal | None:
    clauses = once(rules.cites("shuffle.directed"), rules.ruling("directed-shuffle"))
    if state.round is not None:
        message = "a round is in play: it is completed, and then the shuffle is directed"
        return Refusal("in_play", clauses, message)
    if state.stakes:
        return Refusal("wagers", clauses, "wagers are on the layout: withdraw them first")
    return owed_by_the_shoe(state, rules)


@core.applies(acts.ShuffleDirected)
def _directed(state: TableState, _event: acts.ShuffleDirected) -> TableState:
    """Shuffle a stack again, or end the shoe; cards held for a next hand go with the rest."""
    if state.phase in _STACKED:
        return replace(state, phase=Phase.TO_SHUFFLE, from_back=None)
    return replace(state, phase=Phase.SHOE_COMPLETED, **NONE_HELD)


# --- the finish --------------------------------------------------------------------------------


def _other_finish(rules: TableRules, finish: str) -> Refusal | None:
    rules = hand_shuffle(rules)
    if rules.elected("shuffle.finish", finish):
        return None
    elected = rules.value("shuffle.finish", str)
    message = f"this table finishes the shuffle by: {elected}"
    return Refusal("finish", rules.cites_for("shuffle.finish", elected), message)


@core.decides(acts.FeatherStack, Phase.TO_FINISH, cites=("shuffle.feather",))
def _feather(_state: TableState, _command: acts.FeatherStack, rules: TableRules) -> Answer:
    refusal = _other_finish(rules, "feather")
    return refusal or (acts.StackFeathered(rules.cites("shuffle.feather")),)


core.leads_to(Phase.FEATHERED, acts.StackFeathered)


@core.decides(acts.VerifyFeather, Phase.FEATHERED, cites=("shuffle.feather",))
def _verify_feather(state: TableState, command: acts.VerifyFeather, rules: TableRules) -> Answer:
    clauses = rules.cites("shuffle.feather")
    if refusal := not_verified_by(state, command.floorperson, "the mix", clauses):
        return refusal
    if not command.even:
        return (acts.MixFoundUneven(command.floorperson, clauses),)
    return (acts.FeatherVerified(command.floorperson, clauses), offer_cut(state, rules))


core.leads_to(Phase.TO_SHUFFLE, acts.MixFoundUneven)


@core.decides(acts.LaceStack, Phase.TO_FINISH, cites=("shuffle.lace",))
def _lace(state: TableState, _command: acts.LaceStack, rules: TableRules) -> Answer:
    if refusal := _other_finish(rules, "lace"):
        return refusal
    laced = acts.StackLaced(rules.cites("shuffle.lace"))
    if rules.elected("shuffle.reshuffle", choice=True):
        return (laced,)
    return (laced, offer_cut(state, rules))


core.leads_to(Phase.LACED, acts.StackLaced)


@core.decides(acts.ReshuffleStack, Phase.LACED, cites=("shuffle.reshuffle",))
def _reshuffle(state: TableState, _command: acts.ReshuffleStack, rules: TableRules) -> Events:
    return (acts.StackReshuffled(rules.cites("shuffle.reshuffle")), offer_cut(state, rules))


# The offer of the cut that follows moves the table on.
core.no_effect(acts.StackReshuffled, acts.FeatherVerified)


def shuffle_action(state: TableState, rules: TableRules) -> Action:
    if step_due(state, rules) is not None:
        return Action(acts.PerformShuffleStep, Role.DEALER, rules.cites("shuffle.work"))
    if not rules.applies("shuffle.three_dealers"):
        return Action(acts.ShuffleCards, Role.DEALER, _shuffled_under(state, rules))
    washed = state.phase is Phase.TO_SHUFFLE
    command = acts.ShuffleCards if washed else acts.WashCards
    return Action(command, Role.DEALER, rules.cites("shuffle.three_dealers"))


@core.offers(Phase.TO_SHUFFLE, Phase.TO_FINISH, Phase.FEATHERED, Phase.LACED)
def _next_at_shuffle(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    match state.phase:
        case Phase.TO_SHUFFLE:
            return () if hooks.cards_worn_out.ask(state, rules) else (shuffle_action(state, rules),)
        case Phase.FEATHERED:
            return (Action(acts.VerifyFeather, Role.FLOORPERSON, rules.cites("shuffle.feather")),)
        case Phase.LACED:
            return (Action(acts.ReshuffleStack, Role.DEALER, rules.cites("shuffle.reshuffle")),)
        case _:
            feather = hand_shuffle(rules).elected("shuffle.finish", "feather")
            finish = Action(
                acts.FeatherStack if feather else acts.LaceStack,
                Role.DEALER,
                rules.cites("shuffle.feather" if feather else "shuffle.lace"),
            )
            return (finish,)


@core.offers(Phase.TO_SHUFFLE, Phase.SHOE_COMPLETED, optional=True)
def _may_be_worked_on(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if not hand_shuffle(rules).applies("shuffle.steps") or step_due(state, rules) is not None:
        return ()
    if shuffle_waits(state, rules) is not None:
        return ()
    return (Action(acts.PerformShuffleStep, Role.DEALER, rules.cites("shuffle.work"), must=False),)


@core.offers(_DIRECTED, optional=True)
def _may_be_directed(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    if not rules.applies("shuffle.directed") or _interrupts(state, rules):
        return ()
    clauses = rules.cites("shuffle.directed")
    return (Action(acts.DirectShuffle, Role.FLOORPERSON, clauses, must=False),)
