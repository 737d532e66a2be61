"""Questions about irregularities of cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from croupier import acts
from croupier.acts import Command
from croupier.baccarat.cards import DECK, Card, face
from croupier.baccarat.coup import Hand, point_count
from croupier.drills.kinds.cards import shown_hands
from croupier.drills.kinds.steps import next_step
from croupier.drills.marking import readings_taken, why_of
from croupier.drills.room import (
    Asking,
    FieldValues,
    Question,
    asks,
    cards_of,
    dealt_in_full,
    elected,
    rest_of,
)
from croupier.scenarios import Stage
from croupier.scenarios.people import FLOORPERSON
from croupier.table.machine.core import Events, Refusal, due
from croupier.table.machine.offered import Field
from croupier.table.machine.state import Phase

_OUTCOMES: Final = {
    "void": "the round is void",
    "simulated": "the card begins a round without wagers",
    "held": "the card is kept as the first card of the next hand",
    "discarded": "the card is discarded",
    "player": "the card is the third card of Player's Hand",
    "banker": "the card is the third card of Banker's Hand",
    "waits": "the card waits until the hands say whose it is",
}
_PLAUSIBLE: Final = (
    ("held",), ("discarded",), ("simulated",), ("void", "simulated"), ("void",),
    (Hand.BANKER.value,), (Hand.PLAYER.value,),
)  # fmt: skip
_ASTRAY: Final = (
    "card-held", "held-card-called", "card-disclosed", "found-face-up", "simulated",
    "third-disclosed", "shoe-empty", "shoe-empty-last", "cards-flawed", "round-void",
)  # fmt: skip
"""Starts at which an irregularity has just happened."""
_OF_ROUND: Final = {"void", *(hand.value for hand in Hand)}
"""Dispositions of a card or round, possible only during a round."""
_MOST: Final = 5


def _outcomes(events: Events) -> frozenset[str]:
    outcomes = set()
    for event in events:
        match event:
            case acts.RoundVoided():
                outcomes.add("void")
            case acts.SimulatedRoundOrdered():
                outcomes.add("simulated")
            case acts.CardHeld():
                outcomes.add("held")
            case acts.CardDiscarded(from_shoe=False):
                outcomes.add("discarded")
            case acts.FaceUpCardFound(discarded=True):
                outcomes.add("discarded")
            case acts.CardDealt(source="irregular" | "early"):
                outcomes.add(event.hand.value)
            case acts.ThirdCardWaits():
                outcomes.add("waits")
            case _:
                pass
    return frozenset(outcomes)


def _name(outcomes: frozenset[str]) -> str:
    return "-".join(outcome for outcome in _OUTCOMES if outcome in outcomes)


def _words(name: str) -> str:
    text = " and ".join(_OUTCOMES[part] for part in name.split("-"))
    return text[:1].upper() + text[1:]


@asks("irregularities", "What becomes of a card that went astray, under these elections")
def _irregularities(asking: Asking) -> Question | None:
    chance = asking.chance
    if asking.level == 1 and chance.below(2):
        stages = [
            one for one in asking.room.placed(*_ASTRAY) if due(one.stage.state, one.stage.rules)
        ]
        return next_step(asking, chance.choose(stages)) if stages else None
    case = _astray(asking)
    if case is None:
        return None
    old_stage, command, words = case
    new_stage = old_stage.fork()
    answer = new_stage.try_execute(command)
    if isinstance(answer, Refusal) or not _outcomes(answer):
        return None
    name, rules = _name(_outcomes(answer)), asking.room.rules
    reasons = why_of(answer, rules)
    is_between = old_stage.state.round is None
    other_names = [
        "-".join(outcomes)
        for outcomes in _PLAUSIBLE
        if "-".join(outcomes) != name and not (is_between and _OF_ROUND.intersection(outcomes))
    ]
    chance.shuffle(other_names)
    choices = [name, *other_names[: _MOST - 1]]
    chance.shuffle(choices)
    outcomes = tuple((choice, _words(choice)) for choice in choices)
    fields = (
        Field("card", "choice", "What follows", choices=outcomes),
        # Always asked for; otherwise, its presence would disclose the answer.
        Field("more", "count", "More cards discarded with it, 0 if none"),
    )
    return Question(
        words,
        (
            ("Table", f"it is {old_stage.state.phase.value}"),
            *shown_hands(old_stage),
            *elected(rules, "irregularity.disclosed_card", "irregularity.ten_extra"),
            *readings_taken(reasons, rules),
        ),
        fields,
        _outcome(answer),
        old_stage,
        (command,),
        _outcome,
        partial(_next_under, new_stage),
        reasons,
    )


def _outcome(events: Events) -> FieldValues:
    outcomes = _outcomes(events)
    count = next(
        (
            event.to_discard
            for event in events
            if isinstance(event, (acts.CardDiscarded, acts.FaceUpCardFound))
        ),
        0,
    )
    return {"card": _name(outcomes), "more": str(count if "discarded" in outcomes else 0)}


def _next_under(new_stage: Stage, answer: FieldValues) -> tuple[Command, ...]:
    card = answer.get("card", "")
    if not card or card == _name(_outcomes(tuple(new_stage.events))):
        return ()
    card_next = new_stage.spare_card()
    commands: dict[str, Command] = {
        "held": acts.UseHeldCard(),
        "discarded": acts.DrawCard(None if new_stage.state.discard_unseen else card_next),
        "simulated": acts.BeginSimulatedRound(),
        "void": acts.VoidRound(),
    }
    command = commands.get(card.split("-")[-1], acts.SettleWagers())
    return (command,)


def _astray(asking: Asking) -> tuple[Stage, Command, str] | None:
    chance = asking.chance
    if chance.below(4) == 0:
        stage = asking.room.at(chance.choose(("betting", "wagered")))
        if stage is None:
            return None
        card = _free_card(asking, stage)
        words = f"{face(card)} lies face up in the shoe. What becomes of it?"
        return stage, acts.FindFaceUpCard(card), words
    stage = _table(asking)
    if stage is None:
        return None
    card, disclosed = _free_card(asking, stage), bool(chance.below(2))
    hands = (None, *Hand) if stage.state.round is not None else (None,)
    hand = chance.choose(hands)
    where = "comes out of the shoe" if hand is None else f"is dealt to {hand.title}"
    seen = "and everybody sees it" if disclosed else "and nobody sees its face"
    words = (
        f"A card that is not due{f', {face(card)},' if disclosed else ''} {where} {seen}. What now?"
    )
    return stage, acts.DrawCardInError(card, disclosed=disclosed, dealt_to=hand), words


def _table(asking: Asking) -> Stage | None:
    chance = asking.chance
    if chance.below(4) == 0:
        return asking.room.at(chance.choose(("betting", "wagered", "second-round")))
    stage = asking.room.at("called")
    if stage is None:
        return None
    cards = cards_of(asking, stage)
    _, new_stage = dealt_in_full(stage, cards[: 4 + chance.below(len(cards) - 3)])
    return new_stage.fork()


def _free_card(asking: Asking, stage: Stage) -> Card:
    counts = stage.state.shoe.unseen
    return asking.chance.choose([card for card in DECK if counts[card.index]])


# --- corrections -------------------------------------------------------------------------------

_AFTER: Final = {
    "result": "The result is announced again",
    "player": "Player's Hand is due a third card",
    "banker": "Banker's Hand is due a third card",
    "stands": "The settlement stands",
}


@asks("corrections", "A card that was misread: what the hands come to with the true one")
def _corrections(asking: Asking) -> Question | None:
    stage = asking.room.at("called")
    if stage is None:
        return None
    chance = asking.chance
    stage.deal(cards_of(asking, stage))
    rest_of(stage)
    stage.until(Phase.DECIDED)
    if asking.level == 3 and chance.below(3) == 0:
        stage.until(Phase.SETTLED)
    round_ = stage.state.round
    if round_ is None:
        return None
    hand = chance.choose(tuple(Hand))
    cards = round_.coup.hand(hand)
    spot = chance.below(len(cards))
    actual = _free_card(asking, stage)
    command = acts.CorrectMisreadCard(cards[spot], actual, FLOORPERSON, hand, spot + 1)
    old_stage = stage.fork()
    new_stage = old_stage.fork()
    answer = new_stage.try_execute(command)
    if isinstance(answer, Refusal):
        return None
    cards_by_hand = {one: [*round_.coup.hand(one)] for one in Hand}
    cards_by_hand[hand][spot] = actual
    answer_of = partial(_corrected, {one.value: point_count(cards_by_hand[one]) for one in Hand})
    key = answer_of(answer)
    if not key:
        return None
    fields = [Field("after", "choice", "What follows", choices=tuple(_AFTER.items()))]
    fields += [Field(one.value, "count", f"True count of {one.title}") for one in Hand]
    settled = stage.state.phase is Phase.SETTLED
    when = (
        "The wagers are settled" if settled else "The result is announced, and nothing is settled"
    )
    return Question(
        f"{when}. {face(cards[spot])} in {hand.title} is found to be {face(actual)}. What follows?",
        shown_hands(old_stage),
        tuple(fields),
        key,
        old_stage,
        (command,),
        answer_of,
        why=why_of(answer, asking.room.rules),
    )


def _corrected(counts_by_hand: Mapping[str, int], events: Events) -> FieldValues:
    counts = {hand: str(count) for hand, count in counts_by_hand.items()}
    for event in events:
        if isinstance(event, acts.CardMisread) and event.stands:
            return {"after": "stands", **counts}
        if isinstance(event, acts.ResultAnnounced):
            totals = {"player": str(event.player_count), "banker": str(event.banker_count)}
            return {"after": "result", **totals}
    # Third cards are ruled on anew: the last ruling is on the hand whose card is due.
    drawing = [event for event in events if isinstance(event, acts.ThirdCardRuled) and event.draws]
    return {"after": drawing[-1].hand.value, **counts} if drawing else {}
