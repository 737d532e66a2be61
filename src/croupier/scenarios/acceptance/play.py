"""Playing of scenarios, also under changed values of a regulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from croupier.acts import Event
from croupier.baccarat.cards import parse_cards
from croupier.baccarat.coup import Hand, winner_name
from croupier.law.contracts import ByRule, contract_faults, contracts_of
from croupier.law.elect import SubmissionError
from croupier.law.model import Instrument, Rule
from croupier.law.resolve import resolve, substituted
from croupier.law.usage import money, under
from croupier.law.values import Kind, Odds, Value
from croupier.money import ledger
from croupier.records.codec import CodecError, dump, from_json
from croupier.records.log import begin_log
from croupier.records.recorder import Recorder
from croupier.rules import TableRules
from croupier.scenarios.acceptance.files import (
    EXPECTED,
    PIT_COMMANDS,
    Scenario,
    ScenarioFailure,
    Step,
    day_of,
    full_clauses,
    in_cents,
)
from croupier.scenarios.acceptance.tables import (
    Answer,
    PlayedTable,
    TableClock,
    begin_table,
    forget_rules,
    scenario_rules,
)
from croupier.table import Phase, Refusal
from croupier.table.machine.session import TableSession
from croupier.table.parts.progressive import Progressive
from croupier.table.pit import AdmitOtherGame, AdmitTable, PitCommand
from croupier.table.pit.pit_session import PitSession

# --- observations ---


def _by_seat(values: Mapping[str, Any]) -> dict[int, Any]:
    return {int(seat): in_cents(value) for seat, value in values.items()}


def _open_to(table: PlayedTable, *, required: bool = False) -> set[str]:
    actions = table.session.legal()
    return {action.command.__name__ for action in actions if action.must or not required}


def _winner(table: PlayedTable, wanted: Any) -> tuple[object, object]:
    round_ = table.session.state.round
    facts = None if round_ is None else round_.facts
    return None if facts is None else winner_name(facts.winner), wanted


def _hand(hand: Hand, table: PlayedTable, wanted: Any) -> tuple[object, object]:
    round_ = table.session.state.round
    return () if round_ is None else getattr(round_.coup, hand.value), tuple(parse_cards(wanted))


def _held(table: PlayedTable, wanted: Any) -> tuple[object, object]:
    state = table.session.state
    cards = () if state.round is None else state.round.begins_with
    return (*cards, *state.held), tuple(parse_cards(wanted))


def _chips(table: PlayedTable, wanted: Any) -> tuple[object, object]:
    expected = _by_seat(wanted)
    return {seat: table.session.state.seats[seat].chips_cents for seat in expected}, expected


def _owed(table: PlayedTable, wanted: Any) -> tuple[object, object]:
    expected = _by_seat(wanted)
    debts = {seat: patron.owed_cents for seat, patron in table.session.state.seats.items()}
    return {seat: cents for seat, cents in debts.items() if cents or seat in expected}, expected


def _elected(table: PlayedTable, wanted: Mapping[str, Any]) -> tuple[object, object]:
    rules = table.session.rules
    expected = {rule_id: rules.law.read(rule_id, value) for rule_id, value in wanted.items()}
    return {rule_id: rules.settled.get(rule_id) for rule_id in wanted}, expected


def _staked(table: PlayedTable, wanted: Any) -> tuple[object, object]:
    stakes: dict[int, dict[str, int]] = {}
    for (seat, wager), stake in table.session.state.stakes.items():
        stakes.setdefault(seat, {})[wager] = stake.cents
    return stakes, _by_seat(wanted)


_LOOKS: Final[Mapping[str, Callable[[PlayedTable, Any], tuple[object, object]]]] = {
    "phase": lambda table, wanted: (table.phase, wanted),
    "next": lambda table, wanted: (_open_to(table, required=True), set(wanted)),
    "may": lambda table, wanted: (set(wanted) & _open_to(table), set(wanted)),
    "may_not": lambda table, wanted: (set(wanted) & _open_to(table), set()),
    "winner": _winner,
    **{hand.value: partial(_hand, hand) for hand in Hand},
    "in_shoe": lambda table, wanted: (table.session.state.shoe.remaining, wanted),
    "to_discard": lambda table, wanted: (table.session.state.to_discard, wanted),
    "held": _held,
    "simulated_next": lambda table, wanted: (
        tuple(order.card for order in table.session.state.simulate_with),
        tuple(parse_cards(wanted)),
    ),
    "chips": _chips,
    "owed": _owed,
    "staked": _staked,
    "elected": _elected,
    "tray": lambda table, wanted: (
        table.session.ledger.balance(ledger.INVENTORY),
        in_cents(wanted),
    ),
    "table_win": lambda table, wanted: (table.session.ledger.table_win_cents, in_cents(wanted)),
    "meters": lambda table, wanted: (
        {meter: table.session.state[Progressive].meters[meter] for meter in wanted},
        in_cents(wanted),
    ),
    "books": lambda table, wanted: (
        {account: table.session.ledger.balance(account) for account in wanted},
        in_cents(wanted),
    ),
    "rounds": lambda table, wanted: (table.session.state.rounds, wanted),
    "seats": lambda table, wanted: (
        {str(seat): patron.name for seat, patron in table.session.state.seats.items()},
        wanted,
    ),
}
"""Found and expected value for each key of an outcome."""


@dataclass
class _Play:
    scenario: Scenario
    text: Instrument
    tables: dict[str, PlayedTable]
    pit: PitSession
    wrong: list[str] = field(default_factory=list)

    def take(self, step: Step) -> None:
        where = f"step {step.number}, {step.verb} {step.given if step.verb != 'check' else ''}"
        where = f"{where.strip()} {dict(step.fields) or ''}".strip()
        if step.verb == "check":
            self.looks({**step.given, **step.expected}, self.tables[step.table], where)
            return
        if isinstance(moment := step.fields.get("at"), datetime):
            for table in self.tables.values():
                table.clock.now = max(table.clock.now, moment)
        if step.verb == "do" and step.given in PIT_COMMANDS:
            answer = self._in_the_pit(step)
        else:
            try:
                answer = self.tables[step.table].take(step)
            except ScenarioFailure as error:
                raise ScenarioFailure(f"{where}: {error}") from None
        self.answered(step, answer, where)
        # A command of the pit names no table, and the only table of a scenario has no name.
        if (seen := self.tables.get(step.table)) is not None:
            self.looks(step.expected, seen, where)
            if not seen.session.ledger.in_balance:
                self.wrong.append(f"{where}: the ledger is out of balance")

    def _in_the_pit(self, step: Step) -> Answer:
        fields = in_cents(dict(step.fields))
        command: PitCommand
        if step.given == "AdmitTable":
            rules = self.tables[fields["table"]].session.rules
            moment = msgspec.convert(fields["at"], datetime)
            command = AdmitTable(fields["table"], rules, moment)
        elif step.given == "AdmitOtherGame":
            command = AdmitOtherGame(**fields)
        else:
            command = msgspec.convert(fields, PIT_COMMANDS[step.given])
        return self.pit.try_execute(command)

    def answered(self, step: Step, answer: Answer, where: str) -> None:
        expected = step.expected
        if isinstance(answer, Refusal):
            clauses = set(answer.clauses)
            code = expected.get("refused")
            if code is None:
                raise ScenarioFailure(f"{where}: refused, {answer.code}: {answer}")
            if code not in {True, answer.code}:
                self.wrong.append(f"{where}: refused as {answer.code}, not {code}: {answer}")
        else:
            clauses = {clause for event in answer for clause in event.clauses}
            if "refused" in expected:
                names = [type(event).__name__ for event in answer]
                raise ScenarioFailure(f"{where}: must be refused, and was accepted: {names}")
            self._events(step, answer, where)
        for clause in expected.get("cites", ()):
            if not full_clauses(self.text, clause) & clauses:
                self.wrong.append(f"{where}: does not cite {clause}; cites {sorted(clauses)}")
        for clause in expected.get("not_cites", ()):
            if matches := full_clauses(self.text, clause) & clauses:
                self.wrong.append(f"{where}: must not cite {sorted(matches)}")
        if expected.get("cites") == [] and clauses:
            self.wrong.append(f"{where}: must cite no clause; cites {sorted(clauses)}")

    def _events(self, step: Step, answer: tuple[Any, ...], where: str) -> None:
        events = [_facts(event) for event in answer]
        for wanted in step.expected.get("events", ()):
            if not any(_matches(wanted, event) for event in events):
                self.wrong.append(f"{where}: no {wanted} among {events}")
        for pattern in step.expected.get("no_events", ()):
            if matches := [event for event in events if _matches(pattern, event)]:
                self.wrong.append(f"{where}: there must be no {pattern}: {matches}")

    def looks(self, expected: Mapping[str, Any], table: PlayedTable, where: str) -> None:
        for key, wanted in expected.items():
            if key in EXPECTED:
                continue
            actual, meant = _LOOKS[key](table, wanted)
            if actual != meant:
                found, due = (_written(value, key in _AMOUNTS) for value in (actual, meant))
                self.wrong.append(f"{where}: {key} is {found}, not {due}")


_AMOUNTS: Final = {"chips", "owed", "staked", "tray", "table_win", "meters", "books"}


def _written(value: object, amounts: bool) -> str:  # noqa: FBT001  (the kind of a key)
    if isinstance(value, Mapping):
        items = (f"{key} = {_written(item, amounts)}" for key, item in value.items())
        return f"{{ {', '.join(items)} }}" if value else "{}"
    if isinstance(value, set):
        return str(sorted(value))
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return " ".join(map(str, value)) or "none"
    return money(value) if amounts and isinstance(value, int) else str(value)


def _facts(event: Any) -> dict[str, Any]:
    if not isinstance(event, Event):
        return {"event": type(event).__name__, **asdict(event)}
    facts = event.to_dict()
    facts["event"] = facts.pop("type")
    return dict(facts)


def _matches(wanted: str | dict[str, Any], facts: dict[str, Any]) -> bool:
    if isinstance(wanted, str):
        return bool(facts["event"] == wanted)
    values = from_json(dump(in_cents(wanted)))
    return all(key in facts and facts[key] == value for key, value in values.items())


_UNFIT: Final = (AttributeError, LookupError, TypeError, ValueError)
"""The reader checks keys and ids, not that each value fits what its key is for."""


def play_scenario(scenario: Scenario, folder: Path | None = None) -> tuple[str, ...]:
    """Play a scenario, recorded in the folder, and return the differences found."""
    text = resolve(scenario.law.partition("@")[0], on=day_of(scenario.law))
    with ExitStack() as logs:
        logs.enter_context(under(text.usage))
        tables: dict[str, PlayedTable] = {}
        wrong: list[str] = []
        at = "at the beginning"
        try:
            for number, spec in enumerate(scenario.tables):
                rules = scenario_rules(spec, scenario.law, scenario.path)
                record = None
                if folder is not None:
                    path = folder / f"{number}.jsonl"
                    record, stream = begin_log(path, rules, shuffle="given", replace=True)
                    logs.callback(stream.close)
                noon = datetime.combine(rules.submission.on, time(12), UTC)
                clock = TableClock(spec.given.get("clock", noon))
                session = TableSession(rules, record=record, clock=clock)
                tables[spec.name] = PlayedTable(session, clock)
                begin_table(tables[spec.name], spec)
                if record is not None:
                    logs.callback(_finish, session, record)
            pit = PitSession({name: table.session for name, table in tables.items()})
            play = _Play(scenario, text, tables, pit, wrong)
            for step in scenario.steps:
                at = f"step {step.number}, {step.verb} {step.given}"
                play.take(step)
            at = "at the end"
            for name, outcome in scenario.outcomes.items():
                play.looks(outcome, tables[name], at)
        except (ScenarioFailure, SubmissionError, CodecError) as error:
            return (*wrong, str(error))
        except _UNFIT as error:
            return (*wrong, f"{at}: cannot be played as written: {type(error).__name__}: {error}")
    return tuple(wrong)


def rules_of_scenario(scenario: Scenario) -> tuple[TableRules, ...]:
    """Rules of a scenario's tables that can be set up."""
    tables = []
    for spec in scenario.tables:
        with suppress(ScenarioFailure, *_UNFIT):
            tables.append(scenario_rules(spec, scenario.law, scenario.path))
    return tuple(tables)


def _finish(session: TableSession, record: Recorder) -> None:
    if session.state.phase is Phase.CLOSED:
        record.finish()


class Mutant(Struct, frozen=True):
    """A changed value of a rule. ``noticed_by`` is the id of a failing scenario, or ``None``."""

    rule: str
    value: str
    changed: str
    noticed_by: str | None


def mutants(text: Instrument, scenarios: Sequence[Scenario]) -> Iterator[Mutant]:
    """Change each value of a regulation in turn until a scenario fails."""
    contracts = contracts_of(text.mechanisms.values())
    before = _faults(text, text.rules, contracts)
    for rule in text.rules.values():
        if rule.value is None or rule.kind in {Kind.WORDS, Kind.TEXT, Kind.PROCEDURE}:
            continue
        short = {_section(clause.partition(":")[2]) for clause in rule.cites}
        citing = [
            one for one in scenarios if any(_section(clause) in short for clause, _ in one.rests_on)
        ]
        sequence = (*citing, *(scenario for scenario in scenarios if scenario not in citing))
        for value in _changes(rule, rule.value, contracts):
            rules = {**text.rules, rule.id: replace(rule, value=value)}
            if not _faults(text, rules, contracts) <= before:
                continue
            forget_rules()
            with substituted(replace(text, rules=rules)):
                killer = next((scenario.id for scenario in sequence if _fails(scenario)), None)
            written, changed = map(
                rule.written, (_apart(rule.value, value), _apart(value, rule.value))
            )
            yield Mutant(rule.id, written, changed, killer)
    forget_rules()


def _apart(value: Value, other: Value) -> Value:
    """Return a value, or of a table the rows that are not those of the other."""
    if not isinstance(value, Mapping) or not isinstance(other, Mapping):
        return value
    return {name: item for name, item in value.items() if item != other.get(name)}


def _faults(text: Instrument, rules: Mapping[str, Rule], known: ByRule) -> set[tuple[str, ...]]:
    head = {"id": text.id, "in_force_from": text.in_force_from, "partial": text.partial}
    return set(
        contract_faults(
            head, rules, text.register, constraints=text.constraints, conditions=rules, known=known
        )
    )


def _section(clause: str) -> str:
    return clause.partition("#")[0]


def _fails(scenario: Scenario) -> bool:
    try:
        return bool(play_scenario(scenario))
    except Exception:  # noqa: BLE001  (a table under changed rules may fail anywhere)
        return True


_OTHER_DRAWING: Final = str.maketrans("DS", "SD")
"""A row of a drawing table, changed: each hand that drew stays, and the other way round."""


def _changes(rule: Rule, value: Value, contracts: ByRule) -> Iterator[Value]:
    if isinstance(value, Mapping):
        changed = ((name, _changes(rule, item, contracts)) for name, item in value.items())
        yield from ({**value, name: other} for name, new_values in changed for other in new_values)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, Odds):
        yield Odds(value.pays + 1, value.stake)
    elif isinstance(value, Fraction):
        yield value + Fraction(1, 100)
    elif isinstance(value, str):
        contract = contracts.get(rule.id)
        if contract is not None and contract.pattern.startswith("[DS]"):
            yield value.translate(_OTHER_DRAWING)
        yield from (word for word in (contract.allowed if contract else ()) if word != value)
    elif len(value) > 1:
        yield value[:-1]
