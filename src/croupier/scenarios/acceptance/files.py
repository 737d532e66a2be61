"""Scenario files: acts at a table, and what the regulation requires to follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from croupier.acts.fields import hints_of
from croupier.baccarat.cards import parse_cards
from croupier.baccarat.coup import Hand
from croupier.files.errors import FileError, did_you_mean
from croupier.files.shipped import sample_submissions
from croupier.files.text import read_bytes
from croupier.files.toml import Toml, read_toml, toml_value
from croupier.law.elect import SubmissionError, flatten
from croupier.law.interpretations import interpretations, reading_ids
from croupier.law.model import Instrument
from croupier.law.resolve import instruments, where_searched
from croupier.law.usage import Usage, currency_in_use, under
from croupier.records.codec import COMMANDS, EVENTS, decode_card
from croupier.table.pit import PitCommand

PIT_COMMANDS: Final = {subclass.__name__: subclass for subclass in PitCommand.__subclasses__()}

VERBS: Final = ("do", "deal", "play", "play_down", "until", "wager", "check")


class _CardsText:
    """Cards in one text."""


class _TomlTime:
    """A time as TOML has it, and not as text."""


class _Shape(NamedTuple):
    """The type of a key's value, with amounts in cents, and what a message says of it."""

    kind: Any
    says: str


_TEXT: Final = _Shape(str, "text")
_COUNT: Final = _Shape(Annotated[int, msgspec.Meta(ge=0)], "a whole number")
_AMOUNT: Final = _Shape(int, 'an amount as text, such as "$12.50"')
_CARDS: Final = _Shape(_CardsText, 'cards as text, as in "9h Kd"')
_TEXTS: Final = _Shape(list[str], "a list of text")
_TABLES: Final = _Shape(list[dict[str, Any]], "a list of tables")
_EVENTS: Final = _Shape(list[str | dict[str, Any]], "a list of names or tables")
_TABLE: Final = _Shape(dict[str, Any], "a table")
_BY_SEAT: Final = _Shape(dict[int, int], 'a table of amounts by seat, as { 2 = "$12.50" }')
_STAKES: Final = _Shape(
    dict[int, dict[str, int]], 'a table of wagers by seat, as { 2 = { tie = "$12.50" } }'
)
_BY_NAME: Final = _Shape(dict[str, int], 'a table of amounts by name, as { star = "$12.50" }')

_TABLE_KEYS: Final = {
    **dict.fromkeys(("submission", "start", "dealer", "floorperson"), _TEXT),
    **dict.fromkeys(("elections", "reading", "layout"), _TABLE),
    "limits": _Shape(
        dict[str, tuple[int, int]], 'a table of limits, as { tie = ["$1.00", "$200.00"] }'
    ),
    "patrons": _TABLES,
    "gaming_date": _Shape(date, "a date, such as 2011-02-22"),
    "clock": _Shape(_TomlTime, "a time in UTC, such as 2026-11-20T09:00:00Z"),
    "tray": _AMOUNT,
}
_SCENARIO_KEYS: Final = {
    **dict.fromkeys(("id", "title", "law", "pending"), _TEXT),
    **dict.fromkeys(("rests_on", "steps", "tables"), _TABLES),
    **dict.fromkeys(("outcome", "outcomes"), _TABLE),
    **_TABLE_KEYS,
}
_PATRON_KEYS: Final = {"seat": _COUNT, "name": _TEXT, "chips": _AMOUNT}
_LAYOUT_KEYS: Final = {"seats": _COUNT, **dict.fromkeys(("numbering", "pit", "table"), _TEXT)}
_STEP_KEYS: Final = {
    "do": _Shape(str, "the name of a command"),
    **dict.fromkeys(("deal", "play", "until", "on", "why"), _TEXT),
    **dict.fromkeys(("play_down", "times"), _COUNT),
    "wager": _STAKES,
    "check": _TABLE,
}
EXPECTED: Final = {
    "refused": _Shape(bool | str, "true, or a code as text"),
    **dict.fromkeys(("cites", "not_cites"), _TEXTS),
    **dict.fromkeys(("events", "no_events"), _EVENTS),
}
LOOKS: Final = {
    **dict.fromkeys(("phase", "winner"), _TEXT),
    **dict.fromkeys(("next", "may", "may_not"), _TEXTS),
    **dict.fromkeys(("held", "simulated_next", *(hand.value for hand in Hand)), _CARDS),
    **dict.fromkeys(("in_shoe", "to_discard", "rounds"), _COUNT),
    **dict.fromkeys(("tray", "table_win"), _AMOUNT),
    **dict.fromkeys(("chips", "owed"), _BY_SEAT),
    **dict.fromkeys(("meters", "books"), _BY_NAME),
    "staked": _STAKES,
    "seats": _Shape(dict[int, str], 'a table of names by seat, as { 2 = "Ada" }'),
    "elected": _TABLE,
}
ENTRIES: Final = ("of", "settled", "corrected")
"""Fields of commands that may name an entry by its command."""
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


_SIGNS: Final = "[A-Z]{0,3}[$£¥฿₠-₿]"
"""Signs of any currency."""


def in_cents(value: Any) -> Any:
    """Cents of a value: 1250 for "$12.50". Raises ``ScenarioFailure`` for another sign."""
    currency = currency_in_use()
    pattern = rf"-?(?:{re.escape(currency.sign)}|{_SIGNS})[\d.,]+"
    if isinstance(value, str) and re.fullmatch(pattern, value):
        amount = value.removeprefix("-")
        cents = currency.typed(amount) if amount.startswith(currency.sign) else None
        if cents is None:
            example = currency.shown(1250 * currency.minor // 100)
            raise ScenarioFailure(f"{value!r} is not an amount of this law: write it as {example}")
        return -cents if value.startswith("-") else cents
    if isinstance(value, dict):
        return {key: in_cents(item) for key, item in value.items()}
    if isinstance(value, list):
        return [in_cents(item) for item in value]
    return value


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

    def fitting(self, table: Any, where: str, shapes: Mapping[str, _Shape]) -> dict[str, Any]:
        """Return a table without unknown keys and values of other types, which are reported."""
        if not isinstance(table, dict):
            self.wrong(where, f"must be a table, not {toml_value(table)}")
            return {}
        fits = {}
        for key, value in table.items():
            at = f"{where}.{key}" if where else key
            if key not in shapes:
                hint = did_you_mean(key, shapes) or ";"
                self.wrong(at, f"unknown key{hint} known: {tuple(shapes)}")
            elif self.fits(value, at, shapes[key]):
                fits[key] = value
        return fits

    def fits(self, value: Any, where: str, shape: _Shape) -> bool:
        """Return whether a value has its type; if not, it is reported."""
        try:
            _convert(value, shape.kind)
        except ScenarioFailure:
            return True  # In another currency: reported where it is played.
        except msgspec.ValidationError as error:
            written = toml_value(value)
            expected = (
                f"must be {shape.says}, not {written}" if shape.says else f"{written}: {error}"
            )
            self.wrong(where, expected)
            return False
        return True

    def clause(self, clause_id: Any, where: str) -> None:
        if self.text is None:
            return
        if not isinstance(clause_id, str) or not full_clauses(self.text, clause_id):
            hint = did_you_mean(str(clause_id), short_clauses(self.text))
            self.wrong(where, f"{clause_id!r} is not a clause of {self.text.key}{hint}")

    def scenario(self, table: Any, number: int) -> Scenario | None:
        self.at, before = f"scenario[{number}]", len(self.errors)
        if not isinstance(table, dict):
            self.wrong("", f"must be a table, not {toml_value(table)}")
            return None
        self.pending, law = "pending" in table, table.get("law")
        self.text = next((text for text in instruments() if text.key == law), None)
        with under(Usage() if self.text is None else self.text.usage):
            return self._of_table(self.fitting(table, "", _SCENARIO_KEYS), before)

    def _of_table(self, table: Mapping[str, Any], before: int) -> Scenario | None:
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
            if key not in table:
                self.wrong(key, "is missing or not text")
        if not _ID.fullmatch(table.get("id", "x")):
            self.wrong("id", f"{table['id']!r}: write lower-case words joined by hyphens")
        if table.get("pending") == "":
            self.wrong("pending", "say in words what is still missing")
        if self.text is None and "law" in table:
            law, texts = table["law"], {text.key: text for text in instruments()}
            hint = did_you_mean(law, texts)
            searched = where_searched(law, texts, hint)
            self.wrong("law", f"{law!r} is not a regulation{hint}{searched}")
        if not table.get("rests_on"):
            self.wrong(
                "rests_on", "is missing: name the clauses, and say in our words what they say"
            )
        for place, entry in enumerate(table.get("rests_on", ()), start=1):
            where = f"rests_on[{place}]"
            fits = self.fitting(entry, where, dict.fromkeys(("clause", "says"), _TEXT))
            self.clause(entry.get("clause"), f"{where}.clause")
            if not fits.get("says"):
                self.wrong(f"{where}.says", "is missing or not text")

    def _tables(self, given: Mapping[str, Any]) -> tuple[TableSpec, ...]:
        if "tables" not in given:
            table_keys = {key: given[key] for key in _TABLE_KEYS if key in given}
            return (TableSpec("", self._table(table_keys, "")),)
        if misplaced := sorted(set(_TABLE_KEYS) & given.keys()):
            self.wrong("tables", f"a scenario with tables says at each of them: {misplaced}")
        specs = []
        for place, table in enumerate(given["tables"], start=1):
            where = f"tables[{place}]"
            fits = self.fitting(table, where, {"name": _TEXT, **_TABLE_KEYS})
            if "name" not in fits:
                self.wrong(f"{where}.name", "is missing or not text")
            specs.append(TableSpec(fits.get("name", ""), self._table(fits, f"{where}.")))
        return tuple(specs)

    def _table(self, table: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        name = table.get("submission")
        if name is not None and submission_file(self.file.path, name) is None:
            self.wrong(f"{where}submission", f"no file {name}.toml in a folder named submissions")
        for name, reading in table.get("reading", {}).items():
            register = interpretations() if self.text is None else self.text.register
            entry = register.get(reading_ids(register).get(name, name))
            if entry is None:
                hint = did_you_mean(name, [*reading_ids(register), *register])
                self.unnamed(f"{where}reading", f"{name!r} is not in the register{hint}")
            elif not isinstance(reading, str) or reading not in entry.readings:
                self.unnamed(f"{where}reading", f"{name} has no reading {reading!r}")
        with suppress(SubmissionError):  # Two spellings are reported where they are played.
            rules = {} if self.text is None else self.text.rules
            elections = flatten(table.get("elections", {}), rules)
            self._elected(elections, f"{where}elections")
        self.fitting(table.get("layout", {}), f"{where}layout", _LAYOUT_KEYS)
        for place, patron in enumerate(table.get("patrons", ()), start=1):
            self.fitting(patron, f"{where}patrons[{place}]", _PATRON_KEYS)
            if "seat" not in patron:
                self.wrong(f"{where}patrons[{place}].seat", "is missing")
        return table

    def _elected(self, values: Mapping[str, Any], where: str) -> None:
        for name, value in values.items():
            try:
                if self.text is not None and name in self.text.rules:
                    self.text.read(name, value)
            except ValueError as error:
                self.unnamed(f"{where}.{name}", str(error))

    def _steps(self, scenario: Mapping[str, Any], tables: tuple[str, ...]) -> Iterator[Step]:
        for place, step in enumerate(scenario.get("steps", ()), start=1):
            where = f"steps[{place}]"
            # A command may have a field that is called as a verb is: PlaceWager has a wager.
            verbs = ["do"] if "do" in step else [key for key in VERBS if key in step]
            if len(verbs) != 1:
                self.wrong(where, f"{verbs or 'nothing'}: do one thing of {', '.join(VERBS)}")
                continue
            verb, name = verbs[0], step[verbs[0]]
            if not self.fits(name, f"{where}.{verb}", _STEP_KEYS[verb]):
                continue
            command = COMMANDS.get(name) or PIT_COMMANDS.get(name) if verb == "do" else None
            # The chips of a count are its own, not those that a seat is expected to have.
            own = {} if command is None else hints_of(command)
            looks = [key for key in LOOKS if key != "chips" or key not in own]
            expected_keys = [key for key in (*EXPECTED, *looks) if key in step]
            expected = {key: step[key] for key in expected_keys}
            expected = self.fitting(expected, where, {**EXPECTED, **LOOKS})
            about = {key: step[key] for key in ("on", "why") if key in step}
            about = self.fitting(about, where, _STEP_KEYS)
            field_names = step.keys() - {verb, "on", "why", *expected_keys}
            fields = {key: step[key] for key in step if key in field_names}
            if command is not None:
                self._fields(name, fields, own, where)
            elif verb == "do":
                hint = did_you_mean(name, {**COMMANDS, **PIT_COMMANDS})
                self.unnamed(where, f"{name!r} is not a command{hint}")
            elif fields.keys() - {"times"}:
                self.wrong(where, f"{verb} takes no {sorted(fields)}")
            else:
                self.fitting(fields, where, _STEP_KEYS)
            if verb == "check":
                self._check(name, expected, where)
            on = about.get("on", tables[0] if len(tables) == 1 else "")
            if on not in tables and not (on == "" and verb == "do" and name in PIT_COMMANDS):
                self.wrong(f"{where}.on", f"{on!r}: say at which table of {', '.join(tables)}")
            self._expectations(expected, where)
            line = self.file.place(f"{self.at}.{where}").line
            yield Step(place, verb, name, fields, expected, on, line)

    def _fields(
        self, name: str, fields: Mapping[str, Any], own: Mapping[str, Any], where: str
    ) -> None:
        for key, value in fields.items():
            if key not in own:
                self.unnamed(f"{where}.{key}", f"{name} has no field {key!r}")
            elif not (key in ENTRIES and isinstance(value, str)):
                self.fits(value, f"{where}.{key}", _Shape(own[key], ""))

    def _expectations(self, expected: Mapping[str, Any], where: str) -> None:
        for key in ("cites", "not_cites"):
            for clause in expected.get(key, ()):
                self.clause(clause, f"{where}.{key}")
        for key in ("events", "no_events"):
            for item in expected.get(key, ()):
                self._event(item, f"{where}.{key}")
        for key in ("next", "may", "may_not"):
            for item in expected.get(key, ()):
                if item not in COMMANDS:
                    hint = did_you_mean(item, COMMANDS)
                    self.unnamed(f"{where}.{key}", f"{item!r} is not a command{hint}")
        self._elected(expected.get("elected", {}), f"{where}.elected")
        if "refused" in expected and {"events", "no_events"} & expected.keys():
            self.wrong(where, "what is refused has no events")

    def _check(self, checks: Any, step: Mapping[str, Any], where: str) -> None:
        checks = self.fitting(checks, f"{where}.check", LOOKS)
        self._expectations(checks, f"{where}.check")
        for key in step.keys() & set(EXPECTED):
            self.wrong(f"{where}.{key}", "check does nothing, so it has no answer")

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
            self._expectations(self.fitting(outcome, where, LOOKS), where)
        return outcomes


def _convert(value: Any, kind: Any) -> None:
    """Convert a value, or its amounts as cents. Raises ``msgspec.ValidationError``."""
    try:
        read = msgspec.convert(value, kind, dec_hook=_decoded, str_keys=True)
    except msgspec.ValidationError:
        read = msgspec.convert(in_cents(value), kind, dec_hook=_decoded, str_keys=True)
    if isinstance(read, datetime) and read.tzinfo is None:
        raise msgspec.ValidationError("write the time in UTC, with Z at its end")


def _decoded(kind: type, value: object) -> object:
    if kind is _CardsText and isinstance(value, str):
        parse_cards(value)
        return _CardsText()
    if kind is _TomlTime and isinstance(value, datetime) and value.tzinfo is not None:
        return _TomlTime()
    return decode_card(kind, value)


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
