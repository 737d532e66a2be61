"""Plays scenarios of the law: sets their tables, takes their steps, and compares what is expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.baccarat.coup import winner_name
from croupier.cards import DECK, Card, parse_cards
from croupier.law.elect import flatten
from croupier.law.interpretations import reading_ids
from croupier.law.model import Instrument
from croupier.law.resolve import resolve
from croupier.law.values import cents_of, parse_value
from croupier.money import ledger
from croupier.records.codec import decode_command, dump, from_json, to_json
from croupier.rules import (
    Limit,
    TableRules,
    default_submission,
    fitting,
    read_submission,
    table_rules,
)
from croupier.scenarios import plainest, starts
from croupier.table import Phase, Refusal, commands
from croupier.table.commands import Command
from croupier.table.dealing import card_due
from croupier.table.events import Event
from croupier.table.pit import AdmitOtherGame, AdmitTable, PitCommand
from croupier.table.pit_session import PitSession
from croupier.table.session import TableSession
from croupier.verify.log import verify_log
from support.logs import recorded
from support.project import ROOT
from support.scenario_files import PIT_COMMANDS, Scenario, Step, TableSpec, day_of, full_clauses

__all__ = ["play_scenario"]

_MOST_STEPS: Final = 3000
_DOLLARS: Final = re.compile(r"\$([\d,]+(?:\.\d\d)?)")

Answer = tuple[Any, ...] | Refusal


def _plain(value: Any) -> Any:
    """Return a value of a scenario as the table takes it: "$12.50" is 1250 cents."""
    if isinstance(value, str) and (match := _DOLLARS.fullmatch(value)):
        return cents_of(match[1].replace(",", ""))
    if isinstance(value, str) and value.startswith("-$"):
        return -int(_plain(value[1:]))
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value


def scenario_rules(spec: TableSpec, law: str) -> TableRules:
    """Return the rules of a table: of a sample submission, or the plain game, with changes."""
    given, text = spec.given, resolve(law.partition("@")[0], on=day_of(law))
    chosen = flatten(given.get("elections", {}), text.rules)
    if "submission" in given:
        sample = read_submission(ROOT / "submissions" / f"{given['submission']}.toml")
        if resolve(sample.law, on=sample.on).key != text.key:
            raise AssertionError(f"{given['submission']} is no submission under {law}")
        plain = {**flatten(sample.elections, text.rules), **chosen}
        sample = replace(sample, elections=fitting(text, plain, chosen))
    else:
        changes = {name.replace(".", "__"): value for name, value in chosen.items()}
        sample = default_submission(text.id, day_of(law), **changes)
    limits = {
        wager: Limit(_plain(least), _plain(most))
        for wager, (least, most) in given.get("limits", {}).items()
    }
    readings = {
        reading_ids().get(name, name): one for name, one in given.get("reading", {}).items()
    }
    return table_rules(
        replace(
            sample,
            layout=replace(sample.layout, **given.get("layout", {})),
            limits={**(sample.limits or {}), **limits} or None,
            readings={**sample.readings, **readings},
        )
    )


class _Clock:
    """A clock that goes on by a second at every look, and ahead to a moment that a step names."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        now, self.now = self.now, self.now + timedelta(seconds=1)
        return now


@dataclass
class _Table:
    """A table of a scenario: a session that is recorded, and what its steps ask for."""

    session: TableSession
    text: Instrument
    clock: _Clock
    answer: Answer = ()

    def ask(self, command: Command) -> Answer:
        self.answer = self.session.try_execute(command)
        return self.answer

    def execute(self, command: Command) -> tuple[Event, ...]:
        answer = self.session.try_execute(command)
        assert not isinstance(answer, Refusal), f"{command} was refused: {answer} ({answer.code})"
        return answer

    @property
    def phase(self) -> str:
        return self.session.state.phase.name.lower().replace("_", "-")

    def go_on(self) -> tuple[Event, ...]:
        action = self.session.due()
        assert action is not None, f"no command is due: the table is {self.phase}"
        return self.execute(plainest(self.session.state, self.session.rules, action))

    def is_at(self, phase: str) -> bool:
        """Return whether a phase is reached; open for wagers is where wagers can be placed."""
        if self.phase != phase:
            return False
        action = self.session.due()
        waits = {commands.CallNoMoreBets, commands.BeginSimulatedRound, commands.DrawCard}
        return phase != "betting" or action is None or action.command in waits

    def until(self, phase: str) -> tuple[Event, ...]:
        events: list[Event] = []
        for _ in range(_MOST_STEPS):
            if self.is_at(phase):
                return tuple(events)
            events += self.go_on()
        raise AssertionError(f"the table never was {phase}: it is {self.phase}")

    # --- the verbs ---

    def deal(self, cards: Iterable[Card]) -> tuple[Event, ...]:
        """Call no more bets if no round is in hand, and draw cards; turn and settle between them."""
        events: list[Event] = []
        while self.session.state.phase is Phase.BETTING:
            events += self.go_on()
        for card in cards:
            while not self._draws():
                events += self.go_on()
            events += self.execute(commands.DrawCard(card))
        while self.session.state.phase is Phase.DEALING and not card_due(self.session.state):
            events += self.go_on()
        return tuple(events)

    def _draws(self) -> bool:
        state = self.session.state
        held = state.round is not None and state.round.begins_with
        return state.to_discard > 0 or (card_due(state) and not held)

    def play(self, cards: Iterable[Card]) -> tuple[Event, ...]:
        """Deal a round whole, settle it and clear the layout."""
        events = [*self.deal(cards)]
        while self.session.state.phase.in_play:
            events += self.go_on()
        return tuple(events)

    def play_down(self, left: int) -> tuple[Event, ...]:
        """Play rounds of two naturals, of cards that are plentiful, to that many cards left."""
        events: list[Event] = []
        while self.session.state.shoe.remaining > left:
            unseen = dict(zip(DECK, self.session.state.shoe.unseen, strict=True))
            chosen = []
            for values in ("8 9", "9 8", "T J Q K", "T J Q K"):
                card = max(
                    (one for one in DECK if one.notation[0] in values.split()),
                    key=lambda one: unseen[one],
                )
                unseen[card] -= 1
                chosen.append(card)
            events += self.play(chosen)
        return tuple(events)

    def take(self, step: Step) -> Answer:
        given = step.given
        match step.verb:
            case "do":
                fields = _plain(dict(step.fields))
                return self.session.try_execute(decode_command({"type": given, **fields}))
            case "wager":
                return self._wager(given)
            case "deal":
                return self.deal(parse_cards(given))
            case "play":
                times = range(step.fields.get("times", 1))
                return tuple(one for _ in times for one in self.play(parse_cards(given)))
            case "play_down":
                return self.play_down(given)
            case "until":
                return self.until(given)
            case _:
                return ()

    def _wager(self, wagers: Mapping[str, Mapping[str, str]]) -> Answer:
        events: tuple[Any, ...] = ()
        for seat, stakes in wagers.items():
            placed = commands.PlaceWagers(int(seat), _plain(dict(stakes)))
            answer = self.session.try_execute(placed)
            if isinstance(answer, Refusal):
                return answer
            events += answer
        return events


# --- what is seen of a table ---------------------------------------------------------------------


def _by_seat(values: Mapping[str, Any]) -> dict[int, Any]:
    return {int(seat): _plain(one) for seat, one in values.items()}


def _next(table: _Table, wanted: Any) -> tuple[object, object]:
    return {one.command.__name__ for one in table.session.legal() if one.must}, set(wanted)


def _open_to(table: _Table) -> set[str]:
    return {one.command.__name__ for one in table.session.legal()}


def _winner(table: _Table, wanted: Any) -> tuple[object, object]:
    round_ = table.session.state.round
    facts = None if round_ is None else round_.facts
    return None if facts is None else winner_name(facts.winner), wanted


def _hand(table: _Table, hand: str, wanted: Any) -> tuple[object, object]:
    round_ = table.session.state.round
    return () if round_ is None else getattr(round_.coup, hand), tuple(parse_cards(wanted))


def _held(table: _Table, wanted: Any) -> tuple[object, object]:
    state = table.session.state
    waiting = () if state.round is None else state.round.begins_with
    return (*waiting, *state.held), tuple(parse_cards(wanted))


def _chips(table: _Table, wanted: Any) -> tuple[object, object]:
    meant = _by_seat(wanted)
    return {seat: table.session.state.seats[seat].chips_cents for seat in meant}, meant


def _owed(table: _Table, wanted: Any) -> tuple[object, object]:
    meant = _by_seat(wanted)
    owing = {seat: one.owed_cents for seat, one in table.session.state.seats.items()}
    return {seat: cents for seat, cents in owing.items() if cents or seat in meant}, meant


def _elected(table: _Table, wanted: Mapping[str, Any]) -> tuple[object, object]:
    rules = table.session.rules
    meant = {one: parse_value(rules.law.rules[one].kind, value) for one, value in wanted.items()}
    return {one: rules.settled.get(one) for one in wanted}, meant


def _staked(table: _Table, wanted: Any) -> tuple[object, object]:
    lie: dict[int, dict[str, int]] = {}
    for (seat, wager), stake in table.session.state.stakes.items():
        lie.setdefault(seat, {})[wager] = stake.cents
    return lie, _by_seat(wanted)


_LOOKS: Final[Mapping[str, Callable[[_Table, Any], tuple[object, object]]]] = {
    "phase": lambda table, wanted: (table.phase, wanted),
    "next": _next,
    "may": lambda table, wanted: (set(wanted) & _open_to(table), set(wanted)),
    "may_not": lambda table, wanted: (set(wanted) & _open_to(table), set()),
    "winner": _winner,
    "player": lambda table, wanted: _hand(table, "player", wanted),
    "banker": lambda table, wanted: _hand(table, "banker", wanted),
    "in_shoe": lambda table, wanted: (table.session.state.shoe.remaining, wanted),
    "to_discard": lambda table, wanted: (table.session.state.to_discard, wanted),
    "held": _held,
    "simulated_next": lambda table, wanted: (
        table.session.state.simulate_with,
        tuple(parse_cards(wanted)),
    ),
    "chips": _chips,
    "owed": _owed,
    "staked": _staked,
    "elected": _elected,
    "tray": lambda table, wanted: (
        table.session.ledger.balance(ledger.INVENTORY),
        _plain(wanted),
    ),
    "table_win": lambda table, wanted: (table.session.ledger.table_win_cents, _plain(wanted)),
    "rounds": lambda table, wanted: (table.session.state.rounds, wanted),
    "seats": lambda table, wanted: (
        {str(seat): one.name for seat, one in table.session.state.seats.items()},
        wanted,
    ),
}
"""What each key of an outcome shows, and what is expected, in one form."""


@dataclass
class _Play:
    """A scenario in play: its tables, its pit, and all that came out otherwise."""

    scenario: Scenario
    text: Instrument
    tables: dict[str, _Table]
    pit: PitSession
    wrong: list[str] = field(default_factory=list)

    def take(self, step: Step) -> None:
        where = f"step {step.number}, {step.verb} {step.given if step.verb != 'check' else ''}"
        where = f"{where.strip()} {dict(step.fields) or ''}".strip()
        if step.verb == "check":
            self.looks(step.given, self.tables[step.table], where)
            return
        if isinstance(at := step.fields.get("at"), datetime):
            for table in self.tables.values():
                table.clock.now = max(table.clock.now, at)
        if step.verb == "do" and step.given in PIT_COMMANDS:
            answer = self._in_the_pit(step)
        else:
            try:
                answer = self.tables[step.table].take(step)
            except AssertionError as error:
                raise AssertionError(f"{where}: {error}") from None
        self.answered(step, answer, where)
        if step.table:
            table = self.tables[step.table]
            self.looks(step.expected, table, where)
            if not table.session.ledger.in_balance:
                self.wrong.append(f"{where}: the ledger is out of balance")

    def _in_the_pit(self, step: Step) -> Answer:
        fields = _plain(dict(step.fields))
        command: PitCommand
        if step.given == "AdmitTable":
            rules = self.tables[fields["table"]].session.rules
            at = msgspec.convert(fields["at"], datetime)
            command = AdmitTable(fields["table"], rules, at)
        elif step.given == "AdmitOtherGame":
            command = AdmitOtherGame(**fields)
        else:
            command = msgspec.convert(fields, PIT_COMMANDS[step.given])
        return self.pit.try_execute(command)

    def answered(self, step: Step, answer: Answer, where: str) -> None:
        """Compare the answer to a step with what is expected of it."""
        expected = step.expected
        if isinstance(answer, Refusal):
            cited = set(answer.clauses)
            code = expected.get("refused")
            if code is None:
                raise AssertionError(f"{where}: refused, {answer.code}: {answer}")
            if code not in {True, answer.code}:
                self.wrong.append(f"{where}: refused as {answer.code}, not {code}: {answer}")
        else:
            cited = {clause for event in answer for clause in event.clauses}
            if "refused" in expected:
                names = [type(event).__name__ for event in answer]
                raise AssertionError(f"{where}: must be refused, and was accepted: {names}")
            self._events(step, answer, where)
        for clause in expected.get("cites", ()):
            if not full_clauses(self.text, clause) & cited:
                self.wrong.append(f"{where}: does not cite {clause}; cites {sorted(cited)}")
        for clause in expected.get("not_cites", ()):
            if found := full_clauses(self.text, clause) & cited:
                self.wrong.append(f"{where}: must not cite {sorted(found)}")
        if expected.get("cites") == [] and cited:
            self.wrong.append(f"{where}: must cite no clause; cites {sorted(cited)}")

    def _events(self, step: Step, answer: tuple[Any, ...], where: str) -> None:
        found = [_facts(event) for event in answer]
        for wanted in step.expected.get("events", ()):
            if not any(_matches(wanted, one) for one in found):
                self.wrong.append(f"{where}: no {wanted} among {found}")
        for unwanted in step.expected.get("no_events", ()):
            if there := [one for one in found if _matches(unwanted, one)]:
                self.wrong.append(f"{where}: there must be no {unwanted}: {there}")

    def looks(self, expected: Mapping[str, Any], table: _Table, where: str) -> None:
        """Compare a table with what is expected of it now."""
        for key, wanted in expected.items():
            if key in {"refused", "cites", "not_cites", "events", "no_events"}:
                continue
            found, meant = _LOOKS[key](table, wanted)
            if found != meant:
                self.wrong.append(f"{where}: {key} is {found}, not {meant}")


def _facts(event: Any) -> dict[str, Any]:
    if not isinstance(event, Event):
        return {"event": type(event).__name__, **vars(event)}
    facts = from_json(dump(to_json(event)))
    facts["event"] = facts.pop("type")
    return dict(facts)


def _matches(wanted: str | dict[str, Any], facts: dict[str, Any]) -> bool:
    if isinstance(wanted, str):
        return bool(facts["event"] == wanted)
    plain = from_json(dump(_plain(wanted)))
    return all(key in facts and facts[key] == value for key, value in plain.items())


# --- where a table begins ------------------------------------------------------------------------


def _begin(table: _Table, spec: TableSpec) -> None:
    """Set a table: at a start of ``croupier.scenarios``, or with patrons of the scenario's own."""
    given, session = spec.given, table.session
    if "patrons" in given:
        _open(table, given)
        table.until(given.get("start", "betting"))
    elif (name := given.get("start")) is not None:
        _replay(session, name)


def _replay(session: TableSession, name: str) -> None:
    """Bring a session to a start by all the commands that lead to it."""
    known = starts(session.rules)
    if name not in known:
        raise AssertionError(f"there is no start {name!r} under these rules: {list(known)}")
    path, at = [], known[name]
    while True:
        if at.given:
            raise AssertionError(f"the start {name!r} is set by hand, so that no log leads to it")
        path.append(at)
        if at.after is None:
            break
        at = known[at.after]
    for start in reversed(path):
        for command, answer in start.stage.heard:
            if not isinstance(answer, Refusal):
                session.execute(command)


def _open(table: _Table, given: Mapping[str, Any]) -> None:
    """Open a table under the people of a scenario, and seat its patrons."""
    rules = table.session.rules
    day = given.get("gaming_date", rules.submission.on.isoformat())
    tray = _plain(given.get("tray", "$1,000,000.00"))
    people = given.get("dealer", "Inez Farrow"), given.get("floorperson", "Ruben Vale")
    table.execute(commands.OpenTable(tray, *people, day))
    if rules.applies("forms.prepared"):
        table.execute(commands.ReceiveForms("Odile Brandt", 101, 199))
    if rules.applies("decks.change"):
        noon = datetime.combine(date.fromisoformat(day), time(12), UTC)
        table.execute(commands.RecordTime(given.get("clock", noon)))
    for one in given["patrons"]:
        table.execute(commands.SeatPatron(one["seat"], one.get("name", f"Patron {one['seat']}")))
        table.execute(commands.BuyChips(one["seat"], _plain(one.get("chips", "$10,000.00"))))


# --- a scenario as a whole -----------------------------------------------------------------------


def play_scenario(scenario: Scenario, folder: Path) -> None:
    """Play a scenario and verify its logs. Raises ``AssertionError`` with all that is otherwise."""
    text = resolve(scenario.law.partition("@")[0], on=day_of(scenario.law))
    logs: list[Path] = []
    with ExitStack() as open_logs:
        tables: dict[str, _Table] = {}
        for number, spec in enumerate(scenario.tables):
            rules = scenario_rules(spec, scenario.law)
            logs.append(folder / f"{number}.jsonl")
            record = open_logs.enter_context(recorded(logs[-1], rules))
            clock = _Clock(datetime.combine(rules.submission.on, time(12), UTC))
            session = TableSession(rules, record=record, clock=clock)
            tables[spec.name] = _Table(session, text, clock)
            _begin(tables[spec.name], spec)
        pit = PitSession({name: one.session for name, one in tables.items()})
        play = _Play(scenario, text, tables, pit)
        for step in scenario.steps:
            play.take(step)
        for name, outcome in scenario.outcomes.items():
            play.looks(outcome, tables[name], "at the end")
    for log in logs:
        verdict = verify_log(log)
        if not verdict.is_clean:
            play.wrong.append(f"the log does not verify: {verdict.divergence}")
    assert not play.wrong, "\n".join((scenario.title, *play.wrong))
