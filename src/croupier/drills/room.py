"""Tables for questions: starts, hands and rounds dealt there, and the data of a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import lcm
from typing import Final, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from croupier import acts as c
from croupier.acts import Command
from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK, DECK_SIZE, Card
from croupier.baccarat.coup import CARD_VALUE, Coup, Facts
from croupier.baccarat.wagers import PLAYER, Moment
from croupier.law.usage import money, named
from croupier.records.narration import narrate
from croupier.rules import Offer, TableRules
from croupier.scenarios import Stage, Starts, starts
from croupier.scenarios.people import fitting_stake, least_stake
from croupier.scenarios.recipes.recipe import make_ready
from croupier.table.cards.chance import Chance
from croupier.table.dealing.dealing import card_due
from croupier.table.machine.core import Action, Events, Refusal, due
from croupier.table.machine.offered import Act, Field, acts
from croupier.table.machine.state import AnyPhase, Phase

_MOST_STEPS: Final = 60
_FACE_DOWN: Final = re.compile(r": [A2-9TJQK][cdhs], face down")
"""A card face down to the dealer too."""
_LINES: Final = 3
"""Number of earlier events shown before a step."""
_FINISHED: Final = (Phase.DECIDED, Phase.SETTLED, Phase.BETTING, Phase.SHOE_COMPLETED)
"""Phases in which the hands are complete."""


Shown: TypeAlias = tuple[tuple[str, str], ...]


class PlacedStage(NamedTuple):
    """A table, and a description of how it got there."""

    stage: Stage
    shown: Shown


class DrillRoom:
    """The rules of a table with all their starts, computed once."""

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules
        self._cut: dict[int, Stage | None] = {}
        self._offered: dict[str, tuple[Act, ...]] = {}

    def offered(self, name: str) -> tuple[Act, ...]:
        """Permitted or required acts at a start that are regulated."""
        if name not in self._offered:
            offered_acts = acts(self.starts[name].stage.state, self.rules)
            self._offered[name] = tuple(
                place for place in offered_acts if not TERMS[place.command.__name__].house
            )
        return self._offered[name]

    @cached_property
    def starts(self) -> Starts:
        return starts(self.rules)

    def at(self, name: str) -> Stage | None:
        """Fresh table at a start; ``None`` if there is none."""
        start = self.starts.get(name)
        return None if start is None else start.stage.fork()

    @cached_property
    def dues(self) -> Mapping[type[Command], Action]:
        """Every command required at some start, with its action."""
        actions: dict[type[Command], Action] = {}
        for start in self.starts.values():
            action = due(start.stage.state, self.rules)
            if action is not None:
                actions.setdefault(action.command, action)
        return actions

    @cached_property
    def everything(self) -> Mapping[type[Command], Action]:
        """Every command permitted or required at some start, with its action."""
        actions = dict(self.dues)
        for name in self.starts:
            for act in self.offered(name):
                actions.setdefault(act.command, act.action)
        turning = Action(c.ReturnCards, Role.PATRON, (), must=False, seat=1)
        actions.setdefault(c.ReturnCards, turning)
        return actions

    @cached_property
    def opening(self) -> tuple[PlacedStage, ...]:
        """Every step from the arrival of the cards to the first wagers."""
        return self._steps("seated", Phase.BETTING)

    @cached_property
    def reshuffle(self) -> tuple[PlacedStage, ...]:
        """Every step from the end of a shoe, or from an idle table, to the next shoe."""
        steps = self._steps("shoe-completed", Phase.BETTING)
        for name in ("nobody-there", "idle-face-down", "idle-viewed", "idle-batch-out"):
            steps += self._steps(name, Phase.BETTING)
        return steps + self.placed("cut-declined", "preshuffled", "shuffle-directed")

    @cached_property
    def rounds(self) -> tuple[PlacedStage, ...]:
        """Every step of two rounds, from the call to the cleared layout."""
        steps: tuple[PlacedStage, ...] = ()
        names = ("wagered", "four-dealt", "banker-draws", "both-stayed", "nobody-on-banker")
        for name in (*names, "handed", "relinquished", "nobody-to-hand-to"):
            steps += self._steps(name, Phase.BETTING, Phase.SHOE_COMPLETED)
        return steps

    @cached_property
    def ends(self) -> tuple[PlacedStage, ...]:
        """Tables at the end of a shoe."""
        return self.placed("last-hand", "shoe-completed", "round-void", "shoe-empty")

    def placed(self, *names: str) -> tuple[PlacedStage, ...]:
        """Existing starts of these names, with their latest events."""
        stages = (self.starts.get(name) for name in names)
        return tuple(
            PlacedStage(place.stage.fork(), self._start_lines(place.stage, place.title))
            for place in stages
            if place is not None
        )

    def _start_lines(self, stage: Stage, title: str) -> Shown:
        lines = self._lines(stage)
        line = (("So far", "; ".join(lines[-_LINES:])),) if lines else ()
        return (("Table", named(title)), *line)

    def _lines(self, stage: Stage) -> list[str]:
        return [
            _FACE_DOWN.sub(", face down", ": ".join((line.text.rstrip(":"), *line.details[:1])))
            for line in narrate(tuple(stage.events), self.rules.wagers)
        ]

    def _steps(self, name: str, *end_phases: AnyPhase) -> tuple[PlacedStage, ...]:
        start = self.starts.get(name)
        if start is None:
            return ()
        stage, steps = start.stage.fork(), list[PlacedStage]()
        lines = self._lines(start.stage)
        while due(stage.state, self.rules) is not None:
            details = (("So far", "; ".join(lines[-_LINES:])),) if lines else ()
            steps.append(PlacedStage(stage.fork(), details))
            next_stage = stage.fork()
            next_stage.go_on()
            lines += self._lines(next_stage)
            stage = next_stage.fork()
            if len(steps) >= _MOST_STEPS or stage.state.phase in end_phases:
                break
        return tuple(steps)

    def with_cutting_card(self, card_count: int) -> Stage | None:
        """Table whose next round meets the cutting card after ``card_count`` cards."""
        if card_count not in self._cut:
            self._cut[card_count] = self._with_cutting_card(card_count)
        stage = self._cut[card_count]
        return None if stage is None else stage.fork()

    def _with_cutting_card(self, card_count: int) -> Stage | None:
        cut, burned = self.at("cut"), self.starts.get("betting")
        if cut is None or burned is None:
            return None
        # Burned cards come before the round, so their number is determined first.
        remaining = burned.stage.state.shoe.remaining
        if remaining - card_count >= self.rules.decks_per_shoe * DECK_SIZE:
            return None  # Without a burn, no card is before the first of the round.
        cut.execute(c.InsertCuttingCards(remaining - card_count))
        cut.until(Phase.BETTING)
        make_ready(cut)
        cut.execute(c.PlaceWager(1, PLAYER.id, least_stake(self.rules, PLAYER.id)))
        return cut


def drawn_card(chance: Chance, stage: Stage, value: int, used_cards: tuple[Card, ...] = ()) -> Card:
    counts = stage.state.shoe.unseen
    cards = [
        card
        for card in DECK
        if CARD_VALUE[card.index] == value and counts[card.index] > used_cards.count(card)
    ]
    return chance.choose(cards)


def drawn_hand(
    chance: Chance, stage: Stage, count: int, used_cards: tuple[Card, ...] = ()
) -> tuple[Card, Card]:
    value = chance.below(10)
    card = drawn_card(chance, stage, value, used_cards)
    return card, drawn_card(chance, stage, (count - value) % 10, (*used_cards, card))


def rest_of(stage: Stage) -> None:
    """Continue until a card is due, or the result is announced."""
    for _ in range(_MOST_STEPS):
        if card_due(stage.state) or stage.state.phase in _FINISHED:
            return
        stage.go_on()


def dealt_in_full(stage: Stage, cards: tuple[Card, ...]) -> tuple[Stage, Stage]:
    """Deal cards; return the table before the last one and after its consequences."""
    if len(cards) > 1:
        stage.deal(cards[:-1])
    rest_of(stage)
    old_stage = stage.fork()
    new_stage = old_stage.fork()
    new_stage.deal(cards[-1:])
    rest_of(new_stage)
    return old_stage, new_stage


def heard_events(stage: Stage) -> Events:
    """Return every event since a table was forked."""
    return tuple(stage.events)


LEVELS: Final = (1, 2, 3)
"""From plain cases to the most error-prone."""

FieldValues: TypeAlias = Mapping[str, str]


def nothing(answer: FieldValues) -> tuple[()]:
    """Return that an answer is not tried at the table."""
    del answer
    return ()


class Question(Struct, frozen=True):
    """A question: the information shown, its fields, and the table's answer.

    ``stage`` is the table before ``commands``. ``tries`` are the commands of a given answer,
    ``refused`` refusals of other acts, such as of an office.
    """

    words: str
    shown: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...]
    key: FieldValues
    stage: Stage
    commands: tuple[Command, ...] = ()
    found: Callable[[Events], FieldValues] = lambda _: {}
    tries: Callable[[FieldValues], tuple[Command, ...]] = nothing
    why: tuple[tuple[str, tuple[str, ...]], ...] = ()
    refused: Callable[[FieldValues], tuple[Refusal, ...]] = nothing
    kind: str = ""
    level: int = 0
    number: int = 0

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(clause for _, clauses in self.why for clause in clauses))


class Asking(NamedTuple):
    room: DrillRoom
    chance: Chance
    level: int


Draw: TypeAlias = Callable[[Asking], "Question | None"]
MakerType = TypeVar("MakerType", bound=Draw)


class DrillKind(NamedTuple):
    title: str
    draw: Draw


MAKERS: Final[dict[str, DrillKind]] = {}


def asks(kind: str, title: str) -> Callable[[MakerType], MakerType]:
    """Register a drawing function, which may return ``None``."""

    def register(draw: MakerType) -> MakerType:
        MAKERS[kind] = DrillKind(title, draw)
        return draw

    return register


_TRIES: Final = 400
_MOST_CENTS: Final = 150_000
"""A stake that every patron of a scenario can place on each wager."""
_WHOLE: Final = 500
"""Plain questions use whole five-dollar chips."""

Stakes = Mapping[int, Mapping[str, int]]


def stake_on(asking: Asking, wager: str) -> int:
    """Return a valid stake: round at level 1, down to the smallest chip at 3."""
    rules, chance = asking.room.rules, asking.chance
    minimum = least_stake(rules, wager)
    if asking.level == 1:
        stake = minimum * (1 + chance.below(4))
    elif asking.level == 2:
        stake = minimum + _WHOLE * chance.below(60)
    else:
        # Stakes are made of chips, and are paid in whole cents.
        step = lcm(rules.law.currency.chips[0], rules.offers[wager].unit_cents)
        stake = minimum + step * chance.below(_MOST_CENTS // step)
    return fitting_stake(rules, wager, min(stake, _MOST_CENTS))


def with_needed(asking: Asking, offer: Offer) -> dict[str, int]:
    stakes = {}
    for need in offer.needs:
        name = asking.chance.choose([one for one in need.one_of if one in asking.room.rules.offers])
        stakes[name] = stake_on(asking, name)
    return {**stakes, offer.wager.id: stake_on(asking, offer.wager.id)}


def cards_of(asking: Asking, stage: Stage, first_cards: Sequence[Card] = DECK) -> tuple[Card, ...]:
    counts, coup = stage.state.shoe.unseen, Coup(asking.room.rules.tableau)
    cards: list[Card] = []
    while coup.due is not None:
        card = asking.chance.choose(first_cards if len(cards) < 4 else DECK)
        if counts[card.index] > cards.count(card):
            cards.append(card)
            coup = coup.with_card(card)
    return tuple(cards)


def telling_cards(offer: Offer) -> Sequence[Card]:
    """First cards for questions about a wager's awards."""
    ranks = {card[0] for word in offer.chairs.values() for card in word.split()}
    return [card for card in DECK if card.notation[0] in ranks] or DECK


def cards_that(
    asking: Asking,
    stage: Stage,
    is_wanted: Callable[[Facts], bool],
    moment: Moment | None = None,
    first_cards: Sequence[Card] = DECK,
) -> tuple[Card, ...] | None:
    tableau = asking.room.rules.tableau
    for _ in range(_TRIES):
        cards = cards_of(asking, stage, first_cards)
        coup = Coup.of(cards, tableau)
        if is_wanted(coup.initial_facts if moment is Moment.FOUR_CARDS else coup.facts):
            return cards
    return None


def decided(stage: Stage, stakes: Stakes, cards: tuple[Card, ...]) -> Stage:
    """Place wagers and deal to the result; return the table."""
    for seat, wagers in stakes.items():
        stage.execute(c.PlaceWagers(seat, dict(wagers)))
    stage.deal(cards)
    rest_of(stage)
    stage.until(Phase.DECIDED)
    return stage


def shown_stakes(rules: TableRules, stakes: Stakes) -> tuple[tuple[str, str], ...]:
    return tuple(
        (
            f"Seat {seat}",
            ", ".join(
                f"{rules.offers[one].wager.title} {money(cents)}" for one, cents in wagers.items()
            ),
        )
        for seat, wagers in stakes.items()
    )


def debts(stage: Stage, seat_only: int | None = None) -> Shown:
    return tuple(
        ("Marker", f"seat {seat} owes {money(patron.owed_cents)} already")
        for seat, patron in stage.state.seats.items()
        if patron.owed_cents and seat_only in {None, seat}
    )


def elected(rules: TableRules, *rule_ids: str) -> Shown:
    """Return the elections of a table on which an answer depends; a device only if it has one."""
    elected_rules = (rules.law.rules[rule_id] for rule_id in rule_ids if rule_id in rules.settled)
    return tuple(
        (rule.title.partition(":")[0], str(rules.settled[rule.id]).replace("-", " "))
        for rule in elected_rules
        if rule.choices and rules.settled[rule.id] != "none"
    )
