"""Questions about the next step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from croupier import acts
from croupier.acts import Command
from croupier.baccarat.cards import DECK, Card, face
from croupier.drills.marking import readings_taken, why_of
from croupier.drills.room import (
    Asking,
    FieldValues,
    PlacedStage,
    Question,
    Shown,
    asks,
    elected,
)
from croupier.law.usage import named
from croupier.rules import TableRules
from croupier.scenarios import Stage, plainest
from croupier.table.machine.core import Action, Events, Refusal, decide, due
from croupier.table.machine.offered import Act, Field, act_in_words
from croupier.table.machine.state import Phase

_CHOICES: Final = {1: 3, 2: 4, 3: 6}
_TRIES: Final = 60


def next_step(
    asking: Asking, placed_stage: PlacedStage, other_stages: Sequence[PlacedStage] = ()
) -> Question | None:
    stage, rules = placed_stage.stage, placed_stage.stage.rules
    action = due(stage.state, rules)
    if action is None:
        return None
    answer = plainest(stage.state, rules, action)
    candidates = {action_in_words(action, stage, rules): (type(answer).__name__, answer)}
    pool = list(asking.room.dues.values())
    close = [other for one in other_stages if (other := due(one.stage.state, rules)) is not None]
    for attempt in range(_TRIES):
        # Steps of the same part of the procedure come first, as they are plausible.
        other = asking.chance.choose(close if close and attempt < _TRIES // 2 else pool)
        if len(candidates) == _CHOICES[asking.level]:
            break
        mistake = _refused_command(stage, rules, other)
        text = action_in_words(other, stage, rules)
        names = {name for name, _ in candidates.values()}
        if mistake is not None and text not in candidates and type(mistake).__name__ not in names:
            candidates[text] = (type(mistake).__name__, mistake)
    if len(candidates) < 2:
        return None
    choices = [(name, text) for text, (name, _) in candidates.items()]
    asking.chance.shuffle(choices)
    made_of = dict(candidates.values())
    new_stage = stage.fork()
    new_stage.execute(answer)
    reasons = why_of(tuple(new_stage.events), rules)
    if not action.clauses and not any(clauses for _, clauses in reasons):
        return None  # Of what no clause says there is nothing to learn.
    return Question(
        "What must be done next?",
        placed_stage.shown,
        (Field("next", "choice", "Next", choices=tuple(choices)),),
        {"next": type(answer).__name__},
        stage.fork(),
        (),
        partial(_due_at, stage),
        partial(_done_instead, made_of),
        (
            (
                named(f"{action_in_words(action, stage, rules)}: the {action.who} does this next"),
                action.clauses,
            ),
            *reasons,
            *_cut_comes_last(action, rules),
        ),
    )


def _cut_comes_last(action: Action, rules: TableRules) -> Iterator[tuple[str, tuple[str, ...]]]:
    if action.command in {acts.AcceptCut, acts.CutStack} and rules.applies("shuffle.steps"):
        yield "The cut is the last of the steps", rules.cites_for("shuffle.steps", "cut")


def _due_at(stage: Stage, events: Events) -> FieldValues:
    del events
    action = due(stage.state, stage.rules)
    return {} if action is None else {"next": action.command.__name__}


def action_in_words(action: Action, stage: Stage, rules: TableRules) -> str:
    return act_in_words(action, stage.state, rules).replace("seat ?", "its holder")


def _refused_command(stage: Stage, rules: TableRules, action: Action) -> Command | None:
    try:
        command = Act(action, stage.state, rules).make()
    except (ValueError, LookupError, StopIteration):
        return None
    return command if isinstance(decide(stage.state, command, rules), Refusal) else None


def _done_instead(made_of: dict[str, Command], answer: FieldValues) -> tuple[Command, ...]:
    command = made_of.get(answer.get("next", ""))
    return () if command is None else (command,)


def _any_of(asking: Asking, stages: Sequence[PlacedStage], extra: Shown = ()) -> Question | None:
    if not stages:
        return None
    stage, details = asking.chance.choose(stages)
    return next_step(asking, PlacedStage(stage, (*details, *extra)), stages)


@asks("preparation", "The next step in preparing cards, shoe, and table")
def _preparation(asking: Asking) -> Question | None:
    room = asking.room
    stages = room.opening if asking.level < 3 else room.reshuffle
    more_details = elected(room.rules, "device", "shuffle.finish")
    return _any_of(asking, stages or room.opening, more_details)


@asks("round", "The next step of a round, from the call to the discard rack")
def _round(asking: Asking) -> Question | None:
    return _any_of(asking, asking.room.rounds)


# --- the burn ----------------------------------------------------------------------------------


@asks("burn", "How many cards are burned")
def _burn(asking: Asking) -> Question | None:
    stage = asking.room.at("to-burn")
    if stage is None or not stage.rules.burn_shown:
        return None
    card = DECK[asking.chance.below(len(DECK))]
    old_stage = stage.fork()
    stage.execute(acts.DrawCard(card))
    while stage.state.phase is Phase.TO_BURN:
        stage.go_on()
    events = tuple(stage.events)
    burned = tuple(event for event in events if isinstance(event, acts.CardBurned))
    return Question(
        "This card comes first out of the new shoe. How many more are burned with it?",
        (("First card", face(card)),),
        (Field("more", "count", "More cards"),),
        _burned(events),
        old_stage,
        tuple(command for command, _ in stage.heard),
        _burned,
        why=((_burned_in_words(card, events), _clauses_of(burned, stage.rules)),),
    )


def _burned_in_words(card: Card, events: Events) -> str:
    more = int(_burned(events)["more"])
    return f"{face(card)} comes first: {more} more {'card is' if more == 1 else 'cards are'} burned"


def _clauses_of(events: Events, rules: TableRules) -> tuple[str, ...]:
    lines = (clauses for _, clauses in why_of(events, rules))
    return tuple(dict.fromkeys(clause for clauses in lines for clause in clauses))


def _burned(events: Events) -> FieldValues:
    return {"more": str(sum(isinstance(event, acts.CardBurned) for event in events) - 1)}


# --- the last hand -----------------------------------------------------------------------------


@asks("last-hand", "The cutting card, the last hand, and the end of the shoe")
def _last_hand(asking: Asking) -> Question | None:
    if asking.level == 1:
        stages = [end for end in asking.room.ends if due(end.stage.state, end.stage.rules)]
        return _any_of(asking, stages)
    out_at = asking.chance.below(5)
    stage = asking.room.with_cutting_card(out_at)
    if stage is None:
        return None
    old_stage = stage.fork()
    stage.play(_NATURALS)
    events = tuple(stage.events)
    answer = _hands_left(events)
    if not answer:
        return None
    kinds = (acts.CuttingCardAppeared, acts.LastHandCalled, acts.ShoeCompleted)
    why = why_of(tuple(event for event in events if isinstance(event, kinds)), stage.rules)
    place = (
        "before the first card"
        if out_at == 0
        else f"after {out_at} card{'s' if out_at > 1 else ''}"
    )
    return Question(
        "The round is over. How many more rounds are dealt from this shoe?",
        (("Cutting card", f"it came out {place} of this round"), *readings_taken(why, stage.rules)),
        (Field("hands", "count", "More rounds"),),
        answer,
        old_stage,
        tuple(command for command, _ in stage.heard),
        _hands_left,
        why=why,
    )


_NATURALS: Final = "8h 9d Kh Ks"


def _hands_left(events: Events) -> FieldValues:
    for event in events:
        if isinstance(event, acts.LastHandCalled):
            return {"hands": str(event.hands)}
        if isinstance(event, acts.ShoeCompleted):
            return {"hands": "0"}
    return {}
