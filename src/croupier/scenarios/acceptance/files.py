"""Scenario files: acts at a table, and what the regulation requires to follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import UnionType
from typing import Any, Final

from croupier.baccarat.cards import parse_cards
from croupier.baccarat.coup import Hand
from croupier.files.errors import FileError, did_you_mean
from croupier.files.shipped import sample_submissions
from croupier.files.text import read_bytes
from croupier.files.toml import Toml, read_toml
from croupier.law.interpretations import interpretations, reading_ids
from croupier.law.model import Instrument
from croupier.law.resolve import instruments, where_searched
from croupier.records.codec import COMMANDS, EVENTS
from croupier.table.pit import PitCommand

PIT_COMMANDS: Final = {subclass.__name__: subclass for subclass in PitCommand.__subclasses__()}

_TABLE_KEYS: Final = (
    "submission", "elections", "limits", "reading", "layout", "start", "patrons", "dealer",
    "floorperson", "gaming_date", "clock", "tray",
)  # fmt: skip
_SCENARIO_KEYS: Final = (
    "id", "title", "law", "rests_on", "pending", "steps", "outcome", "outcomes", "tables",
    *_TABLE_KEYS,
)  # fmt: skip
VERBS: Final = ("do", "deal", "play", "play_down", "until", "wager", "check")
EXPECTED: Final = ("refused", "cites", "not_cites", "events", "no_events")
LOOKS: Final = (
    "phase", "next", "may", "may_not", "winner", *(hand.value for hand in Hand), "in_shoe",
    "to_discard", "held", "simulated_next", "chips", "owed", "staked", "tray", "table_win",
    "rounds", "seats", "elected", "meters", "books",
)  # fmt: skip
_CARDS: Final = frozenset({"held", "simulated_next", *(hand.value for hand in Hand)})
_BY_NAME: Final = frozenset({"chips", "owed", "staked", "seats", "elected", "meters", "books"})
_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class TableSpec:
    name: str
    given: Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    number: int
    verb: str
    given: Any
    fields: Mapping[str, Any]
    expected: Mapping[str, Any]
    table: str
    line: int | None = None


@dataclass(frozen=True)
class Scenario:
    id: str
    title: str
    law: str
    rests_on: tuple[tuple[str, str], ...]
    tables: tuple[TableSpec, ...]
    steps: tuple[Step, ...]
    outcomes: Mapping[str, Mapping[str, Any]]
    pending: str = ""
    path: Path = Path()
    line: int | None = None


class ScenarioFailure(Exception):  # noqa: N818  (a result, not an error of the program)
    """Raised for a step that cannot be taken as written."""


class MalformedScenariosError(ValueError):
    """Every error of a malformed file."""


@dataclass
class _Reader:
    file: Toml
    errors: list[str] = field(default_factory=list)
    text: Instrument | None = None
    at: str = ""
    pending: bool = False

    def unnamed(self, where: str, message: str) -> None:
        if not self.pending:
            self.wrong(where, message)

    def wrong(self, where: str, message: str) -> None:
        self.errors.append(self.file.located(f"{self.at}.{where}" if where else self.at, message))

    def keys(self, table: Any, where: str, known: tuple[str, ...]) -> bool:
        if not isinstance(table, dict):
            self.wrong(where, "must be a table")
            return False
        for key in table.keys() - set(known):
            hint = did_you_mean(key, known) or ";"
            self.wrong(f"{where}.{key}" if where else key, f"unknown key{hint} known: {known}")
        return True

    def list_of(
        self, table: Mapping[str, Any], key: str, kind: type | UnionType, where: str
    ) -> list[Any]:
        items = table.get(key, [])
        if not isinstance(items, list) or not all(isinstance(item, kind) for item in items):
            kinds = "text" if kind is str else "tables" if kind is dict else "names or tables"
            self.wrong(f"{where}{key}", f"must be a list of {kinds}")
            return []
        return items

    def clause(self, clause_id: Any, where: str) -> None:
        if self.text is None:
            return
        if not isinstance(clause_id, str) or not full_clauses(self.text, clause_id):
            hint = did_you_mean(str(clause_id), short_clauses(self.text))
            self.wrong(where, f"{clause_id!r} is not a clause of {self.text.key}{hint}")

    def scenario(self, table: Mapping[str, Any], number: int) -> Scenario | None:
        self.at, before = f"scenario[{number}]", len(self.errors)
        if not self.keys(table, "", _SCENARIO_KEYS):
            return None
        self.pending = "pending" in table
        self._head(table)
        tables = self._tables(table)
        names = tuple(table.name for table in tables)
        steps = tuple(self._steps(table, names))
        outcomes = self._outcomes(table, names)
        if not outcomes and not any(step.expected or step.verb == "check" for step in steps):
            self.wrong("outcome", "nothing is expected anywhere: give steps or the end something")
        if len(self.errors) > before:
            return None
        sources = tuple((entry["clause"], entry["says"]) for entry in table["rests_on"])
        return Scenario(
            table["id"], table["title"], table["law"], sources, tables, steps, outcomes,
            table.get("pending", ""), self.file.path, self.file.place(self.at).line,
        )  # fmt: skip

    def _head(self, table: Mapping[str, Any]) -> None:
        for key in ("id", "title", "law"):
            if not isinstance(table.get(key), str):
                self.wrong(key, "is missing or not text")
        if not _ID.fullmatch(str(table.get("id", "x"))):
            self.wrong("id", f"{table['id']!r}: write lower-case words joined by hyphens")
        if "pending" in table and not (isinstance(table["pending"], str) and table["pending"]):
            self.wrong("pending", "say in words what is still missing")
        texts = {text.key: text for text in instruments()}
        law = str(table.get("law"))
        self.text = texts.get(law)
        if self.text is None and "law" in table:
            hint = did_you_mean(law, texts)
            searched = where_searched(law, texts, hint)
            self.wrong("law", f"{law!r} is not a regulation{hint}{searched}")
        if not table.get("rests_on"):
            self.wrong(
                "rests_on", "is missing: name the clauses, and say in our words what they say"
            )
        for place, entry in enumerate(self.list_of(table, "rests_on", dict, ""), start=1):
            where = f"rests_on[{place}]"
            self.keys(entry, where, ("clause", "says"))
            self.clause(entry.get("clause"), f"{where}.clause")
            if not isinstance(entry.get("says"), str) or not entry["says"]:
                self.wrong(f"{where}.says", "is missing or not text")

    def _tables(self, given: Mapping[str, Any]) -> tuple[TableSpec, ...]:
        if "tables" not in given:
            table_keys = {key: given[key] for key in _TABLE_KEYS if key in given}
            self._table(table_keys, "")
            return (TableSpec("", table_keys),)
        if misplaced := sorted(set(_TABLE_KEYS) & given.keys()):
            self.wrong("tables", f"a scenario with tables says at each of them: {misplaced}")
        specs = []
        for place, table in enumerate(self.list_of(given, "tables", dict, ""), start=1):
            where = f"tables[{place}]"
            self.keys(table, where, ("name", *_TABLE_KEYS))
            if not isinstance(table.get("name"), str):
                self.wrong(f"{where}.name", "is missing or not text")
            self._table(table, f"{where}.")
            specs.append(TableSpec(str(table.get("name")), table))
        return tuple(specs)

    def _table(self, table: Mapping[str, Any], where: str) -> None:
        name = table.get("submission")
        if name is not None and submission_file(self.file.path, str(name)) is None:
            self.wrong(f"{where}submission", f"no file {name}.toml in a folder named submissions")
        for key in ("elections", "reading", "layout", "limits"):
            if not isinstance(table.get(key, {}), dict):
                self.wrong(f"{where}{key}", "must be a table")
        readings = table.get("reading", {})
        for name, reading in readings.items() if isinstance(readings, dict) else ():
            register = interpretations() if self.text is None else self.text.register
            entry = register.get(reading_ids(register).get(name, name))
            if entry is None:
                hint = did_you_mean(name, [*reading_ids(register), *register])
                self.unnamed(f"{where}reading", f"{name!r} is not in the register{hint}")
            elif not isinstance(reading, str) or reading not in entry.readings:
                self.unnamed(f"{where}reading", f"{name} has no reading {reading!r}")
        for place, patron in enumerate(self.list_of(table, "patrons", dict, where), start=1):
            self.keys(patron, f"{where}patrons[{place}]", ("seat", "name", "chips"))

    def _steps(self, scenario: Mapping[str, Any], tables: tuple[str, ...]) -> Iterator[Step]:
        for place, step in enumerate(self.list_of(scenario, "steps", dict, ""), start=1):
            where = f"steps[{place}]"
            # A command may have a field that is called as a verb is: PlaceWager has a wager.
            verbs = ["do"] if "do" in step else [key for key in VERBS if key in step]
            if len(verbs) != 1:
                self.wrong(where, f"{verbs or 'nothing'}: do one thing of {', '.join(VERBS)}")
                continue
            name, commands = step[verbs[0]], {**COMMANDS, **PIT_COMMANDS}
            if verbs[0] == "do" and not isinstance(name, str):
                self.wrong(where, f"{name!r} is not the name of a command")
                continue
            # The chips of a count are its own, not those that a seat is expected to have.
            own = getattr(commands.get(name), "__annotations__", {}) if verbs[0] == "do" else {}
            looks = [key for key in LOOKS if key != "chips" or key not in own]
            expected = {key: step[key] for key in (*EXPECTED, *looks) if key in step}
            field_names = step.keys() - {verbs[0], "on", "why"} - expected.keys()
            fields = {key: step[key] for key in step if key in field_names}
            if verbs[0] == "do":
                if name not in commands:
                    hint = did_you_mean(str(name), commands)
                    self.unnamed(where, f"{name!r} is not a command{hint}")
                else:
                    for key in fields.keys() - commands[name].__annotations__.keys():
                        self.unnamed(f"{where}.{key}", f"{name} has no field {key!r}")
            elif fields.keys() - {"times"}:
                self.wrong(where, f"{verbs[0]} takes no {sorted(fields)}")
            if verbs[0] == "check":
                self._check(name, expected, where)
            on = step.get("on", tables[0] if len(tables) == 1 else "")
            if on not in tables and not (on == "" and verbs[0] == "do" and name in PIT_COMMANDS):
                self.wrong(f"{where}.on", f"{on!r}: say at which table of {', '.join(tables)}")
            self._expectations(expected, where)
            line = self.file.place(f"{self.at}.{where}").line
            yield Step(place, verbs[0], name, fields, expected, str(on), line)

    def _expectations(self, expected: Mapping[str, Any], where: str) -> None:
        for key in ("cites", "not_cites"):
            for clause in self.list_of(expected, key, str, f"{where}."):
                self.clause(clause, f"{where}.{key}")
        for key in ("events", "no_events"):
            for item in self.list_of(expected, key, str | dict, f"{where}."):
                self._event(item, f"{where}.{key}")
        for key in ("next", "may", "may_not"):
            for item in self.list_of(expected, key, str, f"{where}."):
                if item not in COMMANDS:
                    hint = did_you_mean(item, COMMANDS)
                    self.unnamed(f"{where}.{key}", f"{item!r} is not a command{hint}")
        self._shapes(expected, where)
        if "refused" in expected and {"events", "no_events"} & expected.keys():
            self.wrong(where, "what is refused has no events")

    def _check(self, checks: Any, step: Mapping[str, Any], where: str) -> None:
        if self.keys(checks, f"{where}.check", LOOKS):
            self._expectations(checks, f"{where}.check")
        for key in step.keys() & set(EXPECTED):
            self.wrong(f"{where}.{key}", "check does nothing, so it has no answer")

    def _shapes(self, expected: Mapping[str, Any], where: str) -> None:
        for key in _CARDS & expected.keys():
            cards = expected[key]
            try:
                parse_cards(cards if isinstance(cards, str) else "?")
            except ValueError:
                self.wrong(f"{where}.{key}", f'{cards!r}: write cards as text, as in "9h Kd"')
        for key in _BY_NAME & expected.keys():
            if not isinstance(expected[key], dict):
                self.wrong(f"{where}.{key}", f"{expected[key]!r}: write a table, as {{ 2 = ... }}")

    def _event(self, item: object, where: str) -> None:
        name = str(item.get("event")) if isinstance(item, dict) else str(item)
        if name not in EVENTS:
            self.unnamed(where, f"{name!r} is not an event{did_you_mean(name, EVENTS)}")
        elif isinstance(item, dict):
            for unknown in item.keys() - EVENTS[name].__annotations__.keys() - {"event"}:
                self.unnamed(where, f"{name} has no field {unknown!r}")

    def _outcomes(
        self, scenario: Mapping[str, Any], tables: tuple[str, ...]
    ) -> Mapping[str, Mapping[str, Any]]:
        outcomes = dict(scenario.get("outcomes", {}))
        if "outcome" in scenario:
            outcomes[tables[0] if tables else ""] = scenario["outcome"]
        for name, outcome in outcomes.items():
            where = f"outcomes.{name}" if "outcomes" in scenario else "outcome"
            if name not in tables:
                self.wrong(where, f"there is no table {name!r}")
            if self.keys(outcome, where, LOOKS):
                self._expectations(outcome, where)
        return outcomes


def short_clauses(text: Instrument) -> tuple[str, ...]:
    """Return a text's clauses without its prefix, and the entries usable as clauses."""
    clause_ids = (clause.removeprefix(f"{text.clause_prefix}:") for clause in text.clauses)
    return (*clause_ids, *text.register)


def full_clauses(text: Instrument, clause_id: str) -> frozenset[str]:
    """Clauses, or the register entry, that a name stands for, with every sentence."""
    if clause_id in text.register:
        return frozenset({clause_id})
    prefix = f"{text.clause_prefix}:{clause_id}"
    return frozenset(one for one in text.clauses if one == prefix or one.startswith(f"{prefix}#"))


def read_scenarios(path: Path) -> tuple[Scenario, ...]:
    """Read a file's scenarios. Raises ``MalformedScenariosError``."""
    try:
        file = read_toml(path)
    except FileError as error:
        raise MalformedScenariosError(str(error)) from error
    reader = _Reader(file)
    for key in file.tables.keys() - {"scenario"}:
        reader.errors.append(file.located(key, "unknown key; known: scenario"))
    items = file.tables.get("scenario", [])
    if not isinstance(items, list) or not items:
        reader.errors.append(f"{file.path}: has no [[scenario]]")
        items = []
    scenarios = [reader.scenario(item, number) for number, item in enumerate(items, start=1)]
    ids = [scenario.id for scenario in scenarios if scenario is not None]
    for repeated in sorted({scenario_id for scenario_id in ids if ids.count(scenario_id) > 1}):
        reader.errors.append(f"{file.path}: the id {repeated!r} comes twice")
    if reader.errors:
        raise MalformedScenariosError("\n".join(reader.errors))
    return tuple(scenario for scenario in scenarios if scenario is not None)


def submission_file(scenarios: Path, name: str) -> Path | None:
    for folder in (scenarios.resolve().parent, *scenarios.resolve().parents):
        for place in (folder, folder / "submissions"):
            if (path := place / f"{name}.toml").is_file():
                return path
    return next((path for path in sample_submissions() if path.stem == name), None)


def scenario_files(*paths: Path) -> tuple[Path, ...]:
    files: list[Path] = []
    for one in paths:
        files += filter(_may_have_scenarios, sorted(one.rglob("*.toml"))) if one.is_dir() else [one]
    return tuple(files)


_OTHERS: Final = re.compile(
    rb"(?m)^(?:\[{1,2}(?:instrument|submission|interpretation)\]|instrument[ .=])"
)


def _may_have_scenarios(path: Path) -> bool:
    """Whether a file is not a law file, a register, or a submission."""
    try:
        return not _OTHERS.search(read_bytes(path))
    except FileError:
        # Reported when it is read.
        return True


def day_of(law: str) -> date:
    return date.fromisoformat(law.partition("@")[2])
