"""Law files with one rule left out, or one word changed, and what a table makes of each."""

from __future__ import annotations

import pickle
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.blackjack.session import BlackjackTable, Pilot
from croupier.drills import DRILLS, DrillRoom, question
from croupier.files.toml import Toml, toml_key
from croupier.law.built import LawText
from croupier.law.elect import SubmissionError, flatten
from croupier.law.faults import LawError
from croupier.law.interpretations import acknowledged
from croupier.law.model import Instrument
from croupier.law.resolve import instruments, texts_of
from croupier.odds.blackjack import blackjack_sheet, played_results
from croupier.odds.par import par_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, default_submission, read_rules, table_rules
from croupier.rules.submission import Submission, fitting
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from support.project import ROOT

Tables = dict[str, Any]

CHANGED: Final = "something-else"
"""A word that no rule has."""


def tables_of(path: Path) -> Tables:
    """Return the tables of a law file, which the caller may change."""
    tables: Tables = pickle.loads(_pickled(path))  # noqa: S301  (we have written it)
    return tables


@cache
def _pickled(path: Path) -> bytes:
    return pickle.dumps(tomllib.loads(path.read_text(encoding="utf-8")))


def without(law: Tables, rule_id: str) -> Tables:
    """Change a law: leave out a rule, and whatever names it; set aside what it said."""
    law["rule"] = [one for one in law["rule"] if one["id"] != rule_id]
    for rule in law["rule"]:
        rule.get("applies_when", {}).pop(rule_id, None)
        for key in ("at_least_any", "one_of"):
            named = {name: one for name, one in rule.get(key, {}).items() if one != rule_id}
            if key in rule:
                rule[key] = named
    for clause in law["clause"]:
        clause.get("applies_when", {}).pop(rule_id, None)
    law["constraint"] = [one for one in law.get("constraint", []) if not _names(one, rule_id)]
    cited = {one for rule in (*law["rule"], *law["constraint"]) for one in rule["cites"]}
    for clause in law["clause"]:
        if clause["id"] not in cited:
            clause |= {"disposition": "checklist", "reason": "Left out for a test."}
    return law


def _names(constraint: Tables, rule_id: str) -> bool:
    lists = ("when", "then", "at_least", "at_most", "multiple_of", "rules")
    return any(rule_id in constraint.get(key, ()) for key in lists)


def written(tables: Tables) -> str:
    """Write the tables of a law as TOML."""
    lines = []
    for name, one in tables.items():
        for table in one if isinstance(one, list) else [one]:
            lines.append(f"[[{name}]]" if isinstance(one, list) else f"[{name}]")
            lines += [f"{toml_key(key)} = {_written(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def _written(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case date():
            return value.isoformat()
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case list():
            return "[" + ", ".join(map(_written, value)) + "]"
        case dict():
            inner = ", ".join(f"{toml_key(key)} = {_written(one)}" for key, one in value.items())
            return "{ " + inner + " }"
        case _:
            raise TypeError(value)


@contextmanager
def alone(folder: Path, text: str, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let one law file be all that is held."""
    folder.mkdir(exist_ok=True)
    (folder / "law.toml").write_text(text, encoding="utf-8")
    patch.setattr(sys.modules["croupier.law.resolve"], "_SHELVES", (folder,))
    for held in (instruments, texts_of):
        held.cache_clear()
    try:
        yield
    finally:
        for held in (instruments, texts_of):
            held.cache_clear()


@cache
def samples() -> tuple[TableRules, ...]:
    """Return the rules of every sample submission, under the texts as they are held."""
    return tuple(read_rules(path) for path in sorted(ROOT.glob("submissions/*.toml")))


def submission_with(law: Instrument, rule_id: str) -> Submission:
    """Return a submission under which a rule is in force in the text as it is held.

    Choices for which the changed text has no room are left out.
    """
    held = [one for one in samples() if one.law.key == law.key]
    sample = next((one for one in held if rule_id in one.in_force), held[0] if held else None)
    plain = default_submission(law.id, law.in_force_from)
    if sample is None:
        return replace(plain, readings=acknowledged(law))
    given = flatten(sample.submission.elections, sample.law.rules)
    fits = {name: one for name, one in given.items() if name in law.rules}
    kept = {name: one for name, one in fits.items() if law.rules[name].is_election}
    return replace(sample.submission, elections=fitting(law, kept), limits=None)


def play(rules: TableRules, rounds: int) -> None:
    """Weigh, deal with many dealer errors, and ask what can be under some rules."""
    if rules.applies("blackjack_bonus.offered") or rules.applies("streak.offered"):
        blackjack_sheet(rules, played_results(200, 7), source="test")
        pilot = Pilot(BlackjackTable(rules), Chance(seed=7), patrons=2)
        for _ in range(rounds):
            pilot.play_round()
        return
    if rules.is_priced:
        par_sheet(rules, ShoeComposition.of_decks(8))
    if rules.missing:
        return
    session = TableSession(rules)
    autopilot = Autopilot(session, Chance(seed=7), dealer_errors=100)
    autopilot.open(rules.submission.on)
    autopilot.play_shoe(rounds)
    room = DrillRoom(rules)
    for kind in DRILLS:
        question(room, kind, seed=7)


@contextmanager
def parsed(tables: Tables) -> Iterator[None]:
    """Let a law file be read as tables, without the places of their keys.

    To find these takes ten times as long as all else, and other tests hold faults to their places.
    """
    load = sys.modules["croupier.law.load"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "read_law", lambda *_, **__: LawText(b"", "", tables, built=False))
        patch.setattr(load._Reader, "_toml", Toml(Path("law.toml"), tables, {}))  # noqa: SLF001  (as said)
        yield


def outcome(
    folder: Path, tables: Tables, rule_id: str, rounds: int, patch: pytest.MonkeyPatch
) -> str:
    """Return why a law file, or each table under it, is refused; empty if it is played."""
    samples()
    # A file is found by its head; all else is read from the tables.
    head = written({"instrument": tables["instrument"]})
    with alone(folder, head, patch), parsed(tables):
        try:
            (law,) = instruments()
        except LawError as error:
            return str(error)
        try:
            rules = table_rules(submission_with(law, rule_id))
        except SubmissionError as error:
            return str(error)
        play(rules, rounds)
        return ""


# --- other words -------------------------------------------------------------------------------

_PROSE: Final = frozenset({"title", "does", "cites", "cites_by", "terms"})
"""What people read, and clauses, which other tests change."""


def reworded(tables: Tables) -> Iterator[tuple[str, str, Tables]]:
    """Yield a law with each word of each rule changed in turn: the rule, the word, the law."""
    for at, rule in enumerate(tables.get("rule", [])):
        for key in set(rule) - _PROSE:
            for word, changed in _changes(rule[key]):
                law = {**tables, "rule": [*tables["rule"]]}
                law["rule"][at] = {**rule, key: changed}
                yield rule["id"], f"{key}: {word}", law


def _changes(value: Any) -> Iterator[tuple[str, Any]]:
    match value:
        case str():
            yield value, CHANGED
        case list():
            for at, one in enumerate(value):
                for word, changed in _changes(one):
                    yield word, [*value[:at], changed, *value[at + 1 :]]
        case dict():
            for key, one in value.items():
                yield key, {CHANGED if name == key else name: row for name, row in value.items()}
                for word, changed in _changes(one):
                    yield word, {**value, key: changed}
