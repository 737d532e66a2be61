"""Law files with one rule left out, or one word changed, and what a table makes of each."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.drills import DRILLS, DrillRoom, question
from croupier.law.interpretations import acknowledged
from croupier.law.model import Instrument
from croupier.law.resolve import instruments, texts_of
from croupier.odds.par import par_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession

Tables = dict[str, Any]

CHANGED: Final = "something-else"
"""A word that no rule has."""

_OPEN: Final = ("value", "choices", "value_by_reading", "default")


def tables_of(path: Path) -> Tables:
    """Return the tables of a law file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def without(tables: Tables, rule_id: str) -> Tables:
    """Return a law without a rule, and without whatever names it: what it said is set aside."""
    law = deepcopy(tables)
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
            lines += [f"{_key(key)} = {_written(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return '"' + key + '"'


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
            inner = ", ".join(f"{_key(key)} = {_written(one)}" for key, one in value.items())
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


def rules_of(law: Instrument, chosen: Mapping[str, object]) -> TableRules:
    """Return the rules of a table under the default elections, with some chosen."""
    plain = default_submission(law.id, law.in_force_from, **dict(chosen))
    return table_rules(replace(plain, readings=acknowledged(law.key, law.rules)))


def play(rules: TableRules, rounds: int) -> None:
    """Deal a few rounds with many dealer errors, and weigh and ask everything."""
    par_sheet(rules, ShoeComposition.of_decks(8))
    session = TableSession(rules)
    pilot = Autopilot(session, Chance(seed=7), dealer_errors=100)
    pilot.open(rules.submission.on)
    pilot.play_shoe(rounds)
    room = DrillRoom(rules)
    for kind in DRILLS:
        question(room, kind, seed=7)
