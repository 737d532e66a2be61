"""Tables of scenarios: rules, starting points, and steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command, Event
from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.baccarat.coup import NATURALS, point_count
from croupier.files.toml import toml_value
from croupier.law.elect import by_hand, flatten
from croupier.law.interpretations import reading_ids
from croupier.law.model import Instrument, condition_holds
from croupier.law.resolve import resolve
from croupier.law.usage import money, under
from croupier.records.codec import decode_command
from croupier.rules import Limit, TableRules, default_submission, read_submission, table_rules
from croupier.scenarios import plainest, starts
from croupier.scenarios.acceptance.files import (
    ENTRIES,
    ScenarioFailure,
    Step,
    TableSpec,
    day_of,
    in_cents,
    submission_file,
)
from croupier.table import Phase, Refusal
from croupier.table.dealing.dealing import card_due
from croupier.table.machine.session import TableSession

_MOST_STEPS: Final = 3000
_NONE: Final = {"DrawCard": "card", "PlaceVerbalWager": "supervisor"}
"""Fields that a step may omit: a card dealt face down, an absent supervisor."""

Answer = tuple[Any, ...] | Refusal


def _fitting(
    text: Instrument, elections: Mapping[str, Any], choices: Mapping[str, Any]
) -> Mapping[str, Any]:
    values = {rule.id: rule.value for rule in text.rules.values() if rule.value is not None}
    fitting_elections = dict(elections)
    for rule in text.elections:
        is_default = rule.id in fitting_elections and rule.id not in choices
        if is_default and not condition_holds(rule.applies_when, {**values, **fitting_elections}):
            del fitting_elections[rule.id]
    return fitting_elections


_RULES: Final[dict[str, TableRules]] = {}


def scenario_rules(spec: TableSpec, law: str, path: Path) -> TableRules:
    """Return a table's rules; equal setups share one ``TableRules``."""
    keys = ("submission", "elections", "limits", "reading", "layout")
    key = repr((law, path.parent, [spec.given.get(name) for name in keys]))
    if key not in _RULES:
        _RULES[key] = _rules_of(spec, law, path)
    return _RULES[key]


def forget_rules() -> None:
    _RULES.clear()


def _rules_of(spec: TableSpec, law: str, path: Path) -> TableRules:
    table, text = spec.given, resolve(law.partition("@")[0], on=day_of(law))
    choices = flatten(table.get("elections", {}), text.rules)
    with under(text.usage):
        limits = {
            wager: Limit(in_cents(minimum), in_cents(maximum))
            for wager, (minimum, maximum) in table.get("limits", {}).items()
        }
    if "submission" in table:
        file = submission_file(path, table["submission"])
        if file is None:
            raise ScenarioFailure(f"there is no submission {table['submission']}")
        sample = read_submission(file)
        if resolve(sample.law, on=sample.on).key != text.key:
            raise ScenarioFailure(f"{table['submission']} is no submission under {law}")
        elections = {**flatten(sample.elections, text.rules), **choices}
        if choices:
            sample = replace(sample, elections=_fitting(text, elections, choices))
    else:
        changes = {name.replace(".", "__"): value for name, value in choices.items()}
        sample = default_submission(text.id, day_of(law), **changes)
        # A scenario is about what the program does.
        sample = replace(sample, unsupported=by_hand(text))
    readings = {
        reading_ids(text.register).get(name, name): reading
        for name, reading in table.get("reading", {}).items()
    }
    return table_rules(
        replace(
            sample,
            layout=replace(sample.layout, **table.get("layout", {})),
            limits={**(sample.limits or {}), **limits} or None,
            readings={**sample.readings, **readings},
        )
    )


class TableClock:
    """A clock that advances one second per reading."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        now, self.now = self.now, self.now + timedelta(seconds=1)
        return now


@dataclass
class PlayedTable:
    session: TableSession
    clock: TableClock
    entries: dict[str, int] = field(default_factory=dict)
    """The last entry of each command, and each one as ``SettleWagers 1``."""

    def __post_init__(self) -> None:
        self.session.listeners.append(self._note)

    def _note(self, command: Command, _: tuple[Event, ...]) -> None:
        name, sequence = type(command).__name__, self.session.position.sequence
        times = sum(entry.startswith(f"{name} ") for entry in self.entries)
        self.entries |= {name: sequence, f"{name} {times + 1}": sequence}

    def execute(self, command: Command) -> tuple[Event, ...]:
        """Execute a command. Raises ``ScenarioFailure`` if it is refused."""
        answer = self.session.try_execute(command)
        if isinstance(answer, Refusal):
            fields = {key: one for key, one in command.to_dict().items() if one is not None}
            name = fields.pop("type")
            raise ScenarioFailure(
                f"{name} {toml_value(fields)} was refused: {answer} ({answer.code})"
            )
        return answer

    @property
    def phase(self) -> str:
        """The phase as written in scenarios: ``to-burn``."""
        return self.session.state.phase.name.lower().replace("_", "-")

    def go_on(self) -> tuple[Event, ...]:
        action = self.session.due()
        if action is None:
            raise ScenarioFailure(f"no command is due: the table is {self.phase}")
        return self.execute(plainest(self.session.state, self.session.rules, action))

    def is_at(self, phase: str) -> bool:
        """Whether a phase is reached; ``betting`` requires open wagers."""
        if self.phase != phase:
            return False
        action = self.session.due()
        commands = {acts.CallNoMoreBets, acts.BeginSimulatedRound, acts.DrawCard}
        return phase != "betting" or action is None or action.command in commands

    def until(self, phase: str) -> tuple[Event, ...]:
        events: list[Event] = []
        for _ in range(_MOST_STEPS):
            if self.is_at(phase):
                return tuple(events)
            events += self.go_on()
        raise ScenarioFailure(f"the table never was {phase}: it is {self.phase}")

    def deal(self, cards: Iterable[Card]) -> tuple[Event, ...]:
        events: list[Event] = []
        while self.session.state.phase is Phase.BETTING:
            events += self.go_on()
        for card in cards:
            while not self._draws():
                if self.session.state.phase in {Phase.DECIDED, Phase.SETTLED, Phase.SHOE_COMPLETED}:
                    raise ScenarioFailure(f"no card is due: {card} is not dealt in this round")
                events += self.go_on()
            events += self.execute(acts.DrawCard(card))
        while self.session.state.phase is Phase.DEALING and not card_due(self.session.state):
            events += self.go_on()
        return tuple(events)

    def _draws(self) -> bool:
        state = self.session.state
        has_held_card = state.round is not None and state.round.begins_with
        return state.to_discard > 0 or (card_due(state) and not has_held_card)

    def play(self, cards: Iterable[Card]) -> tuple[Event, ...]:
        events = [*self.deal(cards)]
        if self._draws():
            raise ScenarioFailure("a card is due that the step does not name")
        while self.session.state.phase.in_play:
            events += self.go_on()
        return tuple(events)

    def play_down(self, left: int) -> tuple[Event, ...]:
        """Play short rounds until at most ``left`` cards remain."""
        events: list[Event] = []
        while (state := self.session.state).shoe.remaining > left:
            if any(action.command is acts.DealFreeHand for action in self.session.legal()):
                events += self.execute(acts.DealFreeHand(min(state.seats)))
            events += self.play(self._natural())
        return tuple(events)

    def _natural(self) -> tuple[Card, ...]:
        unseen = dict(zip(DECK, self.session.state.shoe.unseen, strict=True))
        naturals = (pair for pair in permutations(DECK, 2) if point_count(pair) in NATURALS)
        first, second = max(naturals, key=lambda pair: min(unseen[card] for card in pair))
        unseen[first] -= 1
        unseen[second] -= 1
        third = max(DECK, key=lambda card: unseen[card])
        unseen[third] -= 1
        return first, third, second, max(DECK, key=lambda card: unseen[card])

    def take(self, step: Step) -> Answer:
        argument = step.given
        match step.verb:
            case "do":
                fields = in_cents(dict(step.fields))
                if (field := _NONE.get(argument)) is not None:
                    fields.setdefault(field, None)
                for key in ENTRIES:
                    if isinstance(entry_name := fields.get(key), str):
                        fields[key] = self.entries[entry_name]
                return self.session.try_execute(decode_command({"type": argument, **fields}))
            case "wager":
                return self._wager(argument)
            case "deal":
                return self.deal(parse_cards(argument))
            case "play":
                times = range(step.fields.get("times", 1))
                return tuple(event for _ in times for event in self.play(parse_cards(argument)))
            case "play_down":
                return self.play_down(argument)
            case "until":
                return self.until(argument)
        return ()

    def _wager(self, wagers: Mapping[str, Mapping[str, str]]) -> Answer:
        events: tuple[Any, ...] = ()
        for seat, stakes in wagers.items():
            command = acts.PlaceWagers(int(seat), in_cents(dict(stakes)))
            answer = self.session.try_execute(command)
            if isinstance(answer, Refusal):
                return answer
            events += answer
        return events


def begin_table(table: PlayedTable, spec: TableSpec) -> None:
    table_keys, session = spec.given, table.session
    if "patrons" in table_keys:
        _open(table, table_keys)
        table.until(table_keys.get("start", "betting"))
    elif (name := table_keys.get("start")) is not None:
        _replay(session, name)


def _replay(session: TableSession, name: str) -> None:
    all_starts = starts(session.rules)
    if name not in all_starts:
        raise ScenarioFailure(f"there is no start {name!r} under these rules: {list(all_starts)}")
    path, at = [], all_starts[name]
    while True:
        if at.given:
            raise ScenarioFailure(f"the start {name!r} is set by hand, so that no log leads to it")
        path.append(at)
        if at.after is None:
            break
        at = all_starts[at.after]
    for start in reversed(path):
        for command, answer in start.stage.heard:
            if not isinstance(answer, Refusal):
                session.execute(command)


def _open(table: PlayedTable, keys: Mapping[str, Any]) -> None:
    rules = table.session.rules
    day = date.fromisoformat(str(keys.get("gaming_date", rules.submission.on)))
    tray = in_cents(keys.get("tray", money(100_000_000)))
    people = keys.get("dealer", "Inez Farrow"), keys.get("floorperson", "Ruben Vale")
    table.execute(acts.OpenTable(tray, *people, day))
    if rules.applies("forms.prepared"):
        table.execute(acts.ReceiveForms("Odile Brandt", 101, 199))
    if rules.applies("decks.change"):
        noon = datetime.combine(day, time(12), UTC)
        table.execute(acts.RecordTime(keys.get("clock", noon)))
    for one in keys["patrons"]:
        table.execute(acts.SeatPatron(one["seat"], one.get("name", f"Patron {one['seat']}")))
        table.execute(acts.BuyChips(one["seat"], in_cents(one.get("chips", money(1_000_000)))))
