"""Vectors of procedure: complete rounds, and irregularities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import Final, NamedTuple

from croupier import acts as commands
from croupier.acts import Command, Event
from croupier.baccarat.cards import Card, Rank, Suit
from croupier.baccarat.coup import TIED, Hand
from croupier.records.codec import EVENTS
from croupier.rules import TableRules
from croupier.rules.documents import fields_of
from croupier.scenarios.people import FLOORPERSON, base_stakes
from croupier.scenarios.recipes.recipe import make_ready
from croupier.scenarios.stage import Stage
from croupier.scenarios.starts import Start, Starts
from croupier.scenarios.vectors import documents
from croupier.scenarios.vectors.answers import Accepted
from croupier.scenarios.vectors.plain import state_data, steps_data
from croupier.scenarios.vectors.reach import why_no_event
from croupier.scenarios.vectors.sites import is_of_house
from croupier.table import Phase, Refusal, TableState
from croupier.table.machine.core import due

_EVERY_RANK: Final = tuple(
    Card.of(f"{rank.value}{suit.value}") for rank, suit in zip(Rank, cycle(Suit), strict=False)
)
"""A card of each rank, in alternating suits."""

_TELLING: Final = (Card.of("5h"), Card.of("Kd"))
"""A card with a value, and one worth zero or ten."""

_ALL_RANKS_AT: Final = frozenset({"betting", "wagered", "both-stayed"})
"""Starts with irregularities of each rank; others have one of each kind."""

_MOST_STEPS: Final = 400

_DONE: Final = frozenset({Phase.BETTING, Phase.SHOE_COMPLETED, Phase.TO_SHUFFLE, Phase.CLOSED})


class ProcedureRun(NamedTuple):
    name: str
    start: Start
    stage: Stage


def procedures(rules: TableRules, starts: Starts) -> Iterator[ProcedureRun]:
    """Yield complete rounds, then irregularities at every start."""
    yield from _rounds(rules, starts)
    shapes: set[object] = set()
    for start in starts.values():
        for command in _astray(start):
            stage = start.stage.fork()
            if isinstance(stage.try_execute(command), Refusal):
                continue
            _play_on(stage)
            shape = (start.stage.state.phase, _shape(command), *map(_shape, stage.events))
            if shape not in shapes:
                shapes.add(shape)
                yield ProcedureRun(_name(start, command), start, stage)


def _shape(record: Command | Event) -> object:
    card = getattr(record, "card", None)
    if isinstance(record, Event):
        return type(record), record.clauses
    return type(record), getattr(record, "dealt_to", None), card if card is None else card.rank


def _rounds(rules: TableRules, starts: Starts) -> Iterator[ProcedureRun]:
    start = starts["wagered"]
    for name, cards in (*_ROUNDS, *_personal(rules)):
        stage = start.stage.fork()
        stage.deal(cards)
        _play_on(stage)
        yield ProcedureRun(f"round: {name}", start, stage)


_ROUNDS: Final = (
    ("naturals", "8h 9d Kh Ks"),
    (TIED, "7h 7d Kh Ks"),
    ("player-draws", "2h 7d Kh Ks 6c"),
    ("banker-alone-draws", "7h 5d Kh Qs 2c"),
    ("six-cards-banker-wins", "2h 3d Kh Qs 2c 4d"),
    ("dragon-7", "2h 3d Kh Qs 2c 4h"),
    ("panda-8", "2h 3d Kh Qs 6c Kd"),
    ("banker-wins-with-six", "2h 3d Kh Qs 2c 3h"),
)


def _personal(rules: TableRules) -> Iterator[tuple[str, str]]:
    chairs = next((offer.chairs for offer in rules.offers.values() if offer.chairs), None)
    if chairs is None:
        return
    nine, king = chairs[1].split()
    yield "star", f"{nine} {nine} {king} {king}"
    yield "spade", f"2c {nine} 3d {king}"
    yield "heart", f"{nine} 2c {king} 3d"


def _astray(start: Start) -> Iterator[Command]:
    cards = _EVERY_RANK if start.name in _ALL_RANKS_AT else _TELLING
    for dealt_to in (None, *Hand) if start.stage.state.round is not None else (None,):
        yield commands.DrawCardInError(_TELLING[0], disclosed=False, dealt_to=dealt_to)
        for card in cards if dealt_to is not Hand.BANKER else _TELLING:
            yield commands.DrawCardInError(card, disclosed=True, dealt_to=dealt_to)
    yield from map(commands.FindFaceUpCard, cards)
    yield from _reported(start.stage.state)
    yield commands.VoidRound()
    yield commands.BeginSimulatedRound()
    yield commands.UseHeldCard()
    for seat in start.stage.state.seats:
        for hand in Hand:
            yield commands.RelinquishCards(seat, hand)
            yield commands.AcceptCards(seat, hand)
            yield commands.DeclineCards(seat, hand)
            for grounds in start.stage.rules.members("irregularity.relinquish.grounds"):
                yield commands.RequireRelinquishment(seat, hand, FLOORPERSON, grounds)
    yield commands.DeclareIdle(face_up=False)
    yield commands.DeclareIdle(face_up=True)
    yield commands.TurnSpreadUp()
    yield commands.RequireRecut(FLOORPERSON, "the cards stuck")
    yield commands.DirectShuffle(FLOORPERSON)
    yield commands.RemoveCards()
    yield commands.OrderDecks(FLOORPERSON, "worn")
    yield commands.OrderDecks(FLOORPERSON, " ")
    yield commands.ReportDeviceFailure("no-device", FLOORPERSON, "it jammed")


def _reported(state: TableState) -> Iterator[Command]:
    yield commands.PassOverHeldCard(FLOORPERSON)
    yield commands.FindShoeEmpty(FLOORPERSON)
    for kind in ("foreign", "damaged"):
        yield commands.FindWrongCard(kind, FLOORPERSON, _TELLING[0])
    yield commands.FindWrongCard("surplus", FLOORPERSON, Card.of("9h"))
    round_ = state.round
    for hand in Hand:
        cards = () if round_ is None else round_.coup.hand(hand)
        for ordinal, card in enumerate(cards, start=1):
            for actual in _TELLING:
                yield commands.CorrectMisreadCard(card, actual, FLOORPERSON, hand, ordinal)
    set_aside = enumerate(state.shoe.set_aside, start=1)
    faces = [(at, card) for at, card in set_aside if card is not None]
    for at, card in dict.fromkeys((*faces[:1], *faces[-1:])):
        for actual in _TELLING:
            yield commands.CorrectMisreadCard(card, actual, FLOORPERSON, ordinal=at)
    for card in state.kept[:1]:
        yield commands.CorrectMisreadCard(card, _TELLING[1], FLOORPERSON)


def _play_on(stage: Stage) -> None:
    for _ in range(_MOST_STEPS):
        state = stage.state
        face_down = state.round is not None and state.round.down
        if state.phase in _DONE and not (state.to_discard or state.kept or face_down):
            return
        action = due(state, stage.rules)
        calls = action is None or action.command is commands.CallNoMoreBets
        if calls and state.phase is Phase.BETTING and state.held and not state.stakes:
            _wager(stage)
            action = due(stage.state, stage.rules)
        if action is None:
            # Without patrons, a held card waits for new ones.
            return
        stage.go_on()
    raise RuntimeError(f"after {_MOST_STEPS} steps the table is still {stage.state.phase.value}")


def _wager(stage: Stage) -> None:
    make_ready(stage)
    for seat, stakes in base_stakes(stage.rules).items():
        patron = stage.state.seats.get(seat)
        if patron and not patron.away and patron.chips_cents >= sum(stakes.values()):
            stage.execute(commands.PlaceWagers(seat, stakes))


def _name(start: Start, command: Command) -> str:
    arguments = [
        f"{key} {value}"
        for key, value in command.to_dict().items()
        if key != "type" and value is not None
    ]
    return f"{start.name}: {type(command).__name__}{' ' if arguments else ''}{', '.join(arguments)}"


def procedures_data(
    scenarios: Iterable[ProcedureRun], acts: Iterable[Accepted], starts: Starts, rules: TableRules
) -> documents.Procedures:
    start_walks = [_start_data(start) for start in starts.values()]
    played = [_scenario_data(scenario) for scenario in scenarios]
    done: list[documents.PlayedAct] = [
        {
            "start": act.start.name,
            "command": act.command.to_dict(),
            "events": [event.to_dict() for event in act.events],
        }
        for act in acts
    ]
    steps = [step for walk in (*start_walks, *played) for step in walk["steps"]]
    event_types = {event["type"] for step in (*steps, *done) for event in step.get("events", ())}
    unseen = {
        name: kind
        for name, kind in EVENTS.items()
        if name not in event_types and not is_of_house(kind.__module__)
    }
    reasons: list[documents.EventNotSeen] = [
        {"event": name, "why": why_no_event(kind, rules)} for name, kind in sorted(unseen.items())
    ]
    return {"starts": start_walks, "scenarios": played, "acts": done, "not_seen": reasons}


def _scenario_data(scenario: ProcedureRun) -> documents.PlayedScenario:
    before, after = state_data(scenario.start.stage.state), state_data(scenario.stage.state)
    return {
        "name": scenario.name,
        "start": scenario.start.name,
        "steps": steps_data(scenario.stage.heard),
        "changed": {name: value for name, value in after.items() if value != before[name]},
    }


def _start_data(start: Start) -> documents.StartOfVectors:
    steps, state = steps_data(start.stage.heard), state_data(start.stage.state)
    return fields_of(documents.StartOfVectors, start, steps=steps, state=state)
