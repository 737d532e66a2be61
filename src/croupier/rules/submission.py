"""The licensee's rules submission: the file that names a law and fills in what it leaves open."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import field
from datetime import date
from pathlib import Path
from typing import Any, Final

from croupier.frozen import frozen
from croupier.law.elect import Fault, SubmissionError, flatten, holds
from croupier.law.interpretations import reading_ids
from croupier.law.model import Instrument
from croupier.law.resolve import resolve
from croupier.law.values import cents_of

__all__ = [
    "MOST_SEATS", "Layout", "Limit", "Submission", "fitting", "plain_submission", "read_submission",
]  # fmt: skip

MOST_SEATS: Final = 14
"""More seats than any baccarat layout has; a file that asks for more has a slip in it."""


@frozen
class Limit:
    """The least and the most that one wager may be, in cents."""

    least_cents: int
    most_cents: int


@frozen
class Layout:
    """Facts of the table: how many seats, which way their numbers ascend, where it stands."""

    seats: int = 7
    numbering: str = "counterclockwise"
    pit: str = "1"
    table: str = "1"


@frozen
class Submission:
    """A rules submission as it was read: checked for shape, not yet against the law."""

    law: str
    on: date
    title: str
    elections: Mapping[str, Any]
    layout: Layout = field(default_factory=Layout)
    limits: Mapping[str, Limit] | None = None
    """By wager; ``None`` only for the plain game, which posts no limits."""
    readings: Mapping[str, str] = field(default_factory=dict)


class _Faults:
    """Gathers what is wrong with a submission's shape."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, where: str, message: str) -> None:
        self.found.append(Fault(where, message))

    def table(self, tables: Mapping[str, Any], name: str, known: tuple[str, ...] = ()) -> Any:
        """Return the table of that name, empty where it is missing, and note unknown keys."""
        table = tables.get(name, {})
        if not isinstance(table, dict):
            self.add(f"[{name}]", "must be a table")
            return {}
        for key in sorted(set(table) - set(known)) if known else ():
            self.add(f"{name}.{key}", f"unknown key; known: {', '.join(known)}")
        return table


def _layout(table: Mapping[str, Any], faults: _Faults) -> Layout:
    layout = Layout(**{key: table[key] for key in Layout.__match_args__ if key in table})
    if type(layout.seats) is not int or not 1 <= layout.seats <= MOST_SEATS:
        faults.add("table.seats", f"{layout.seats!r}: write a number from 1 to {MOST_SEATS}")
    if layout.numbering not in {"counterclockwise", "clockwise"}:
        faults.add(
            "table.numbering",
            f"{layout.numbering!r}: write counterclockwise or clockwise, the way in which the"
            " seat numbers ascend, seen from above",
        )
    for key in ("pit", "table"):
        if not isinstance(getattr(layout, key), str):
            faults.add(f"table.{key}", "must be text")
    return layout


def _limits(table: Mapping[str, Any], faults: _Faults) -> dict[str, Limit]:
    limits = {}
    for wager, pair in table.items():
        where = f"limits.{wager}"
        if not isinstance(pair, list) or len(pair) != 2:
            faults.add(where, 'write the least and the most, as [25, 5000] or ["2.50", "500.00"]')
            continue
        try:
            least, most = map(cents_of, pair)
        except ValueError as error:
            faults.add(where, str(error))
            continue
        if not 0 < least <= most:
            faults.add(where, "the least must be more than nothing and no more than the most")
        limits[wager] = Limit(least, most)
    return limits


def _readings(table: Mapping[str, Any], faults: _Faults) -> dict[str, str]:
    """Return the readings elected by the ids of the register, however they are named."""
    readings: dict[str, str] = {}
    for name, reading in flatten(table, {}).items():
        entry = reading_ids().get(name, name)
        if not isinstance(reading, str):
            faults.add(f"interpretations.{name}", "must be the name of a reading")
        elif entry in readings:
            faults.add(f"interpretations.{name}", f"{entry} is that too: name one of them")
        else:
            readings[entry] = reading
    return readings


def _head(table: Mapping[str, Any], faults: _Faults) -> tuple[str, date, str]:
    law, on, title = table.get("law"), table.get("on"), table.get("title", "")
    if not isinstance(law, str):
        faults.add(
            "submission.law",
            "is missing or no text: name the law by its id, as `croupier law list` shows it",
        )
    if type(on) is not date:
        faults.add(
            "submission.on", "is missing or no date: name the day whose law is meant, as 2011-02-22"
        )
    if not isinstance(title, str):
        faults.add("submission.title", "must be text")
    return str(law), on if type(on) is date else date.min, str(title)


def read_submission(path: Path) -> Submission:
    """Read a rules submission. Raises ``SubmissionError`` with every fault of its shape.

    What the file elects is held against the law by ``croupier.rules.table_rules``.
    """
    try:
        tables = tomllib.loads(path.read_bytes().decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SubmissionError((Fault(str(path), f"not TOML: {error}"),)) from error
    return submission_of(tables)


def submission_of(tables: Mapping[str, Any]) -> Submission:
    """Read a rules submission from its tables. Raises ``SubmissionError`` with every fault."""
    faults = _Faults()
    known = ("submission", "elections", "interpretations", "table", "limits")
    for name in sorted(set(tables) - set(known)):
        faults.add(f"[{name}]", f"unknown table; known: {', '.join(known)}")
    law, on, title = _head(faults.table(tables, "submission", ("law", "on", "title")), faults)
    readings = _readings(faults.table(tables, "interpretations"), faults)
    layout = _layout(faults.table(tables, "table", Layout.__match_args__), faults)
    limits = _limits(faults.table(tables, "limits"), faults)
    elections = faults.table(tables, "elections")
    if faults.found:
        raise SubmissionError(tuple(faults.found))
    return Submission(law, on, title, elections, layout, limits, readings)


def plain_submission(law_id: str, on: date | None = None, **elections: Any) -> Submission:
    """Return the plain game of a law: what it elects where it elects nothing in particular.

    ``elections`` depart from it; a double underscore stands for the dot of a rule id.

    >>> plain_submission("us-nj/minibaccarat", vigorish__scheme="4%").elections["vigorish.scheme"]
    '4%'
    """
    law = resolve(law_id, on=on)
    chosen = {name.replace("__", "."): value for name, value in elections.items()}
    plain = {rule.id: rule.plain for rule in law.elections if rule.plain is not None}
    return Submission(law.id, law.in_force_from, "The plain game", fitting(law, plain, chosen))


def fitting(
    law: Instrument, given: Mapping[str, Any], chosen: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the elections given, less those for which the others leave no room.

    They would be refused as not applicable. ``chosen`` are kept whatever the others are. The law's
    order counts, as what is left out leaves no room for what hangs on it in turn.
    """
    settled = {rule.id: rule.value for rule in law.rules.values() if rule.value is not None}
    kept = dict(chosen or {})
    for rule in law.elections:
        if rule.id in given and holds(rule.applies_when, {**settled, **kept}):
            kept.setdefault(rule.id, given[rule.id])
    return kept
