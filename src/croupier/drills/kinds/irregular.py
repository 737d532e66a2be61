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


def _became(events: Events) -> frozenset[str]:
    found = set()
    for event in events:
        match event:
            case acts.RoundVoided():
                found.add("void")
            case acts.SimulatedRoundOrdered():
                found.add("simulated")
            case acts.CardHeld():
                found.add("held")
            case acts.CardDiscarded(from_shoe=False):
                found.add("discarded")
            case acts.FaceUpCardFound():
                found.add("discarded" if event.discarded else "simulated")
            case acts.CardDealt(source="irregular" | "early"):
                found.add(event.hand.value)
            case acts.ThirdCardWaits():
                found.add("waits")
            case _:
                pass
    return frozenset(found)


def _name(found: frozenset[str]) -> str:
    return "-".join(outcome for outcome in _OUTCOMES if outcome in found)


def _words(name: str) -> str:
    text = " and ".join(_OUTCOMES[part] for part in name.split("-"))
    return text[:1].upper() + text[1:]


@asks("irregularities", "What becomes of a card that went astray, under these elections")
def _irregularities(asking: Asking) -> Question | None:
    chance = asking.chance
    if asking.level == 1 and chance.below(2):
        placed = [
            one for one in asking.room.placed(*_ASTRAY) if due(one.stage.state, one.stage.rules)
        ]
        return next_step(asking, chance.choose(placed)) if placed else None
    found = _astray(asking)
    if found is None:
        return None
    before, command, words = found
    after = before.fork()
    answer = after.try_execute(command)
    if isinstance(answer, Refusal) or not _became(answer):
        return None
    name, rules = _name(_became(answer)), asking.room.rules
    why = why_of(answer, rules)
    between = before.state.round is None
    others = [
        "-".join(one)
        for one in _PLAUSIBLE
        if "-".join(one) != name and not (between and _OF_ROUND.intersection(one))
    ]
    chance.shuffle(others)
    choices = [name, *others[: _MOST - 1]]
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
            ("Table", f"it is {before.state.phase.value}"),
            *shown_hands(before),
            *elected(rules, "irregularity.disclosed_card", "irregularity.ten_extra"),
            *readings_taken(why, rules),
        ),
        fields,
        _outcome(answer),
        before,
        (command,),
        _outcome,
        partial(_next_under, after),
        why,
    )


def _outcome(events: Events) -> FieldValues:
    became = _became(events)
    more = next(
        (
            event.to_discard
            for event in events
            if isinstance(event, (acts.CardDiscarded, acts.FaceUpCardFound))
        ),
        0,
    )
    return {"card": _name(became), "more": str(more if "discarded" in became else 0)}


def _next_under(after: Stage, answer: FieldValues) -> tuple[Command, ...]:
    card = answer.get("card", "")
    if not card or card == _name(_became(tuple(after.events))):
        return ()
    card_next = after.spare_card()
    goes_on: dict[str, Command] = {
        "held": acts.UseHeldCard(),
        "discarded": acts.DrawCard(None if after.state.discard_unseen else card_next),
        "simulated": acts.BeginSimulatedRound(),
        "void": acts.VoidRound(),
    }
    command = goes_on.get(card.split("-")[-1], acts.SettleWagers())
    return (command,)


def _astray(asking: Asking) -> tuple[Stage, Command, str] | None:
    chance = asking.chance
    if chance.below(4) == 0:
        stage = asking.room.at(chance.choose(("betting", "wagered")))
        if stage is None:
            return None
        card = _free(asking, stage)
        words = f"{face(card)} lies face up in the shoe. What becomes of it?"
        return stage, acts.FindFaceUpCard(card), words
    stage = _table(asking)
    if stage is None:
        return None
    card, disclosed = _free(asking, stage), bool(chance.below(2))
    hands = (None, *Hand) if stage.state.round is not None else (None,)
    to = chance.choose(hands)
    where = "comes out of the shoe" if to is None else f"is dealt to {to.title}"
    seen = "and everybody sees it" if disclosed else "and nobody sees its face"
    words = (
        f"A card that is not due{f', {face(card)},' if disclosed else ''} {where} {seen}. What now?"
    )
    return stage, acts.DrawCardInError(card, disclosed=disclosed, dealt_to=to), words


def _table(asking: Asking) -> Stage | None:
    chance = asking.chance
    if chance.below(4) == 0:
        return asking.room.at(chance.choose(("betting", "wagered", "second-round")))
    stage = asking.room.at("called")
    if stage is None:
        return None
    cards = cards_of(asking, stage)
    _, after = dealt_in_full(stage, cards[: 4 + chance.below(len(cards) - 3)])
    return after.fork()


def _free(asking: Asking, stage: Stage) -> Card:
    unseen = stage.state.shoe.unseen
    return asking.chance.choose([card for card in DECK if unseen[card.index]])


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
    at = chance.below(len(cards))
    actual = _free(asking, stage)
    command = acts.CorrectMisreadCard(cards[at], actual, FLOORPERSON, hand, at + 1)
    before = stage.fork()
    after = before.fork()
    answer = after.try_execute(command)
    if isinstance(answer, Refusal):
        return None
    true = {one: [*round_.coup.hand(one)] for one in Hand}
    true[hand][at] = actual
    found = partial(_corrected, {one.value: point_count(true[one]) for one in Hand})
    key = found(answer)
    if not key:
        return None
    fields = [Field("after", "choice", "What follows", choices=tuple(_AFTER.items()))]
    fields += [Field(one.value, "count", f"True count of {one.title}") for one in Hand]
    settled = stage.state.phase is Phase.SETTLED
    when = (
        "The wagers are settled" if settled else "The result is announced, and nothing is settled"
    )
    return Question(
        f"{when}. {face(cards[at])} in {hand.title} is found to be {face(actual)}. What follows?",
        shown_hands(before),
        tuple(fields),
        key,
        before,
        (command,),
        found,
        why=why_of(answer, asking.room.rules),
    )


def _corrected(true: Mapping[str, int], events: Events) -> FieldValues:
    counts = {hand: str(count) for hand, count in true.items()}
    for event in events:
        if isinstance(event, acts.CardMisread) and event.stands:
            return {"after": "stands", **counts}
        if isinstance(event, acts.ResultAnnounced):
            announced = {"player": str(event.player_count), "banker": str(event.banker_count)}
            return {"after": "result", **announced}
    # Third cards are ruled on anew: the last ruling is on the hand whose card is due.
    drawing = [event for event in events if isinstance(event, acts.ThirdCardRuled) and event.draws]
    return {"after": drawing[-1].hand.value, **counts} if drawing else {}
