"""Coverage of logic and procedure clauses by kinds of questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from croupier.drills.asking import DRILLS, question
from croupier.drills.documents import ClauseCovered, CoverageOfDrills
from croupier.drills.room import DrillRoom
from croupier.files.toml import read_toml
from croupier.law.model import Clause, ClauseClass, Instrument
from croupier.rules import TableRules

EACH: Final = 25
"""Questions of each kind drawn under each submission."""

_MOST: Final = 400
_WIDE: Final = ("offices", "allowed", "preparation", "round", "payouts")
_SEED: Final = 7
"""A seed that covers the clauses of the samples."""


@cache
def reasons() -> Mapping[str, str]:
    tables = read_toml(Path(__file__).with_name("not_drillable.toml")).tables
    return {
        name: group["why"]
        for group in tables["reason"]
        for name in (*group.get("rules", ()), *group.get("clauses", ()))
    }


def coverage_of(law: Instrument, tables: Iterable[TableRules]) -> CoverageOfDrills:
    """Each clause of logic or procedure with its kinds, or the reason for none."""
    rooms = [DrillRoom(rules) for rules in tables]
    found: dict[str, dict[str, None]] = {}
    for number in range(EACH):
        _draw(rooms, DRILLS, number, found)
    for number in range(EACH, _MOST):
        if not _coverage(law, found)["missing"]:
            break
        _draw(rooms, _WIDE, number, found)
    return _coverage(law, found)


def _draw(
    rooms: Iterable[DrillRoom], kinds: Iterable[str], number: int, found: dict[str, dict[str, None]]
) -> None:
    for room in rooms:
        for kind in kinds:
            one = question(room, kind, _SEED, number)
            for clause in () if one is None else one.clauses:
                found.setdefault(clause, {})[kind] = None


def _coverage(law: Instrument, found: Mapping[str, Iterable[str]]) -> CoverageOfDrills:
    rows = [
        _row(law, clause, list(found.get(clause.id, ())))
        for clause in law.clauses.values()
        if clause.clause_class is not ClauseClass.PHYSICAL
    ]
    return {
        "format": "croupier-drill-coverage/1",
        "law": law.key,
        "clauses": rows,
        "missing": [row["clause"] for row in rows if not row["kinds"] and not row["reason"]],
    }


def _row(law: Instrument, clause: Clause, kinds: list[str]) -> ClauseCovered:
    reason = "" if kinds else _reason(law, clause)
    letter: Mapping[ClauseClass, str] = {one: one.value for one in ClauseClass}
    return {
        "clause": clause.id,
        "clause_class": "A" if letter[clause.clause_class] == "A" else "B",
        "kinds": kinds,
        "reason": reason,
    }


def _reason(law: Instrument, clause: Clause) -> str:
    if law.disposition(clause.id).is_written:
        return clause.reason or "It is set aside."
    known = reasons()
    if clause.id in known:
        return known[clause.id]
    rules = [rule.id for rule in law.implemented_by[clause.id]]
    return known[rules[0]] if rules and all(rule in known for rule in rules) else ""
